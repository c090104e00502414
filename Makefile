# A thin layer over CMake, Ninja and scripts/; see README.md.
#
#   make                 build (packages: scripts/setup.sh)     make demo          packages, build, prove, verify
#   make test            packages, build, every test            make test-interop  other implementations judge ours
#   make install         with DESTDIR and PREFIX                make deb           a Debian package
#   make clang           compile with clang, warnings as errors make fuzz          FUZZ_SECONDS for each parser
BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	cmake -S . -B $(BUILD) -G Ninja

setup:
	scripts/setup.sh build test

demo:
	scripts/demo.sh $(BUILD)

test:
	scripts/test.sh $(BUILD)

test-interop:
	scripts/setup.sh build test demo interop
	$(MAKE) all
	scripts/test-interop.sh $(BUILD)

clang:
	scripts/setup.sh build test fuzz
	CC=clang-14 cmake -S . -B $(BUILD)-clang -G Ninja -DCUZK_WERROR=ON
	ninja -C $(BUILD)-clang --quiet

fuzz:
	scripts/fuzz.sh $(BUILD)-fuzz $(FUZZ_SECONDS)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

deb: all
	scripts/make-deb.sh $(BUILD)

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-clang $(BUILD)-fuzz

.PHONY: all setup demo test test-interop clang fuzz install deb clean
