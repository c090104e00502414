#!/usr/bin/env bash
# Every test, and the fast ones once more under ASan and UBSan:  scripts/test.sh [BUILD_FOLDER]
#
# Installs what is missing. With CI set, warnings are errors (not with sanitizers, under which gcc warns of what cannot
# happen).
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
werror=OFF
[ -z "${CI-}" ] || werror=ON

scripts/setup.sh build test

run() { # folder, ctest options
    local folder=$1
    shift
    ninja -C "$folder" --quiet
    ctest --test-dir "$folder" --no-tests=error --output-on-failure --timeout 3600 -j "$(nproc)" "$@"
}

echo "== $build: all tests"
cmake -S . -B "$build" -G Ninja -DCUZK_TESTS=ON -DCUZK_WERROR=$werror > /dev/null
run "$build"

echo "== $build-asan: fast tests under ASan and UBSan"
cmake -S . -B "$build-asan" -G Ninja -DCUZK_TESTS=ON -DCUZK_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG="-O1 -g -fno-var-tracking-assignments -Wno-format-truncation" \
    -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g" > /dev/null
run "$build-asan" -L fast
