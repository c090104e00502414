#!/usr/bin/env bash
# Fuzzes every parser of outside bytes for a while:  scripts/fuzz.sh [BUILD_FOLDER [SECONDS_EACH]]
#
# New inputs go to BUILD_FOLDER/corpus, the starting ones are fuzz/corpus. An input that crashes is left in BUILD_FOLDER.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-fuzz}
seconds=${2:-60}

scripts/setup.sh build test fuzz
CC=clang-14 cmake -S . -B "$build" -G Ninja -DCUZK_FUZZ=ON -DCUZK_DAEMON=OFF > /dev/null
ninja -C "$build" --quiet
for program in "$build"/bin/fuzz_*; do
    name=${program##*/fuzz_}
    echo "== $name"
    mkdir -p "$build/corpus/$name"
    "$program" -max_total_time="$seconds" -max_len=150000 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$build/corpus/$name" "fuzz/corpus/$name"
done
