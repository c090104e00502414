#!/usr/bin/env bash
# Measures a machine with the programs of pack-host.sh, on two cores:  bench-host.sh BUNDLE [RESULTS]
#
# Results go to RESULTS, or $OUT: one file for each program; the summary is printed. The arithmetic is tested at every
# level first. A sum of 200 s or so on a machine with AVX-512 IFMA, twice that without; CUZK_BENCH_SECONDS (5) bounds
# each of compare-blst's comparisons.
set -uo pipefail
bundle=$(cd "${1:?usage: bench-host.sh BUNDLE [RESULTS]}" && pwd)
out=${2:-${OUT:?where to put the results?}}
mkdir -p "$out"
export LD_LIBRARY_PATH=$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod +x "$bundle"/bin/* 2> /dev/null
failed=0

# Runs a command on two cores; its standard output goes to the file, its errors and its time are shown.
measure() { # file, command
    local file=$out/$1 start=$SECONDS code=0
    shift
    taskset -c 0,1 "$@" > "$file" 2> "$file.err" || code=$?
    [ -s "$file.err" ] || rm -f "$file.err"
    printf '%-28s %4d s  exit %d\n' "${file##*/}" $((SECONDS - start)) "$code"
    [ "$code" = 0 ] || { failed=1; tail -5 "$file" "$file.err" 2> /dev/null; }
}

test_arithmetic() { # level
    local test failures=0
    for test in "$bundle"/bin/test_math_*; do
        CUZK_CPU=$1 "$test" > "$work/log" 2>&1 || { failures=$((failures + 1)); echo "FAILED: $test"; cat "$work/log"; }
        grep -h '^level:' "$work/log"
    done
    return "$failures"
}
export -f test_arithmetic
export bundle work

lscpu > "$out/lscpu.txt"
grep -E 'Model name|^CPU\(s\)' "$out/lscpu.txt"
grep -oE '\b(adx|bmi2|avx512f|avx512dq|avx512vl|avx512ifma|sha_ni)\b' "$out/lscpu.txt" | sort -u | tr '\n' ' '
echo
for level in portable adx ifma; do
    measure "tests-$level.txt" bash -c "test_arithmetic $level"
done
measure compare-blst.json "$bundle/bin/compare-blst" --json --seconds "${CUZK_BENCH_SECONDS:-5}"
for what in field verify; do
    measure "bench-$what.json" "$bundle/bin/cuzk" bench $what --json
done
measure bench-ntt.json "$bundle/bin/cuzk" bench ntt --json --threads 2 --log-min 18 --log-max 22 --repeat 3
measure bench-msm.json "$bundle/bin/cuzk" bench msm --json --threads 2 --log-min 18 --log-max 18 --repeat 3

# The sealed 2 KiB sector: parameters, two proofs of its PoRep, and a check.
sealed=$bundle/data/sealed-2kib
measure params-porep-2k.txt "$bundle/bin/cuzk" params generate porep-2k --insecure-seed cuzk-test-srs/v1 \
    -o "$work/params" --threads 2
for run in 1 2; do
    measure "prove-porep-2k-$run.json" "$bundle/bin/cuzk" prove -t porep --c1 "$sealed/porep-s42.wrapped.json" \
        --sector-num 42 --miner-id 1000 --params "$work/params" --threads 2 -o "$work/proof" --json
done
measure verify-porep-2k.txt "$bundle/bin/cuzk" verify -t porep --public "$sealed/porep-s42.public.json" \
    --proof "$work/proof" --params "$work/params"
echo "all: $SECONDS s, results in $out"
exit $failed
