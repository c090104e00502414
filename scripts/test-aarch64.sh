#!/usr/bin/env bash
# Builds everything but the daemon for aarch64 and runs the tests of base, math and hash under qemu:
#
#     scripts/test-aarch64.sh [BUILD_FOLDER]
#
# The libraries come from Debian's arm64 packages, unpacked below BUILD_FOLDER/sysroot: the machine's own package lists
# and architectures are left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-aarch64}
jobs=${CUZK_JOBS:-$(nproc)}
packages="libcmocka0 libcmocka-dev libssl3 libssl-dev libsodium23 libsodium-dev libjansson4 libjansson-dev"

fetch_libraries() {
    local debs=$build/debs deb
    mkdir -p "$debs/lists/partial" "$debs/archives/partial"
    debs=$(cd "$debs" && pwd)
    local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root
        -o "Dir::State::Lists=$debs/lists" -o "Dir::Cache=$debs" -o Dir::State::status=/dev/null)
    "${apt[@]}" update
    # shellcheck disable=SC2086 # a list of names
    (cd "$debs" && "${apt[@]}" download $packages)
    for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$build/sysroot"; done
    touch "$build/sysroot/complete"
}

scripts/setup.sh build test aarch64
mkdir -p "$build"
[ -f "$build/sysroot/complete" ] || fetch_libraries
cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/aarch64.cmake" \
    -DCUZK_SYSROOT="$(cd "$build/sysroot" && pwd)" -DCUZK_DAEMON=OFF -DCUZK_WERROR=ON > /dev/null
wanted=$(ninja -C "$build" -t targets all | sed -nE 's/^(bin\/test_(base|math|hash)_[a-z0-9_]+):.*/\1/p')
# shellcheck disable=SC2086 # a list of names
ninja -C "$build" -j "$jobs" --quiet cuzk math_bench $wanted
ctest --test-dir "$build" -j "$jobs" --output-on-failure -R '^(base|math|hash)_'
