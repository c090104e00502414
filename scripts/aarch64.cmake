# Cross-building for aarch64 with Debian's compilers, against libraries unpacked below CUZK_SYSROOT and with tests run
# by qemu (scripts/test-aarch64.sh).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CUZK_SYSROOT "" CACHE PATH "where Debian's libraries for arm64 are unpacked")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUZK_SYSROOT)
set(ENV{PKG_CONFIG_LIBDIR} ${CUZK_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CUZK_SYSROOT})
set(CMAKE_C_FLAGS_INIT "-isystem ${CUZK_SYSROOT}/usr/include/aarch64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH ${CUZK_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-aarch64-static -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=${CUZK_SYSROOT}/usr/lib/aarch64-linux-gnu)
