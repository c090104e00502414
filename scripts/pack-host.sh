#!/usr/bin/env bash
# Collects what scripts/bench-host.sh needs on another x86-64 Linux machine of the same C library or a later one:
#
#     scripts/pack-host.sh [BUILD_FOLDER]       makes BUILD_FOLDER/host-bundle, some 20 MB
#
# bin/ holds cuzk (without the daemon), compare-blst and the tests of the arithmetic, stripped; lib/ the shared
# libraries that they load besides libc's; data/ the sealed 2 KiB sector.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
bundle=$build/host-bundle
scripts/setup.sh build test compare
blst=$(scripts/fetch-blst.sh "$build/blst")
cmake -S . -B "$build/host" -G Ninja -DCUZK_DAEMON=OFF -DCUZK_BLST="$blst" > /dev/null
tests=$(sed -n 's/^cuzk_test(\([a-z0-9_]*\) .*/test_\1/p' tests/math/CMakeLists.txt)
# shellcheck disable=SC2086 # a list of names
ninja -C "$build/host" --quiet cuzk compare-blst math_bench $tests

rm -rf "$bundle"
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/data/sealed-2kib"
for name in cuzk compare-blst math_bench $tests; do
    strip -o "$bundle/bin/$name" "$build/host/bin/$name"
    ldd "$build/host/bin/$name"
done | awk '$2 == "=>" && $1 !~ /^(libc|libm|libpthread|libgcc_s)\.so/ { print $3 }' | sort -u |
    xargs cp -L -t "$bundle/lib"
cp tests/data/sealed-2kib/* "$bundle/data/sealed-2kib/"
cp scripts/bench-host.sh "$bundle/"
du -sh "$bundle"
