#!/usr/bin/env bash
# Measures a machine with the programs of pack-host.sh, on two cores:  bench-host.sh BUNDLE [RESULTS]
#
# Prints a summary of everything, below 10,000 characters, and leaves the programs' own output in one file,
# results.tar, in the folder RESULTS, or $OUT. The arithmetic is tested at every level first. A sum of 190 s or so on a
# machine with AVX-512 IFMA, twice that without; CUZK_BENCH_SECONDS (4) bounds each of compare-blst's comparisons.
set -uo pipefail
bundle=$(cd "${1:?usage: bench-host.sh BUNDLE [RESULTS]}" && pwd)
out=${2:-${OUT:?where to put the results?}}
mkdir -p "$out"
export LD_LIBRARY_PATH=$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d)
raw=$work/results
mkdir "$raw"
trap 'rm -rf "$work"' EXIT
chmod +x "$bundle"/bin/* 2> /dev/null
failed=0

# Runs a command on two cores; its standard output goes to the file, its errors and its time are shown.
measure() { # file, command
    local file=$raw/$1 start=$SECONDS code=0
    shift
    taskset -c 0,1 "$@" > "$file" 2> "$file.err" || code=$?
    [ -s "$file.err" ] || rm -f "$file.err"
    printf '%-28s %4d s  exit %d\n' "${file##*/}" $((SECONDS - start)) "$code"
    [ "$code" = 0 ] || { failed=1; tail -qn 5 "$file" "$file.err" 2> /dev/null | cut -c1-300; }
}

test_arithmetic() { # level
    local test failures=0
    for test in "$bundle"/bin/test_math_*; do
        CUZK_CPU=$1 "$test" > "$work/log" 2>&1 || {
            failures=$((failures + 1))
            echo "FAILED: $test"
            cat "$work/log"
        }
        grep -h '^level:' "$work/log"
    done
    return "$failures"
}
export -f test_arithmetic
export bundle work

# A line for each object of an array of measurements, as `cuzk bench` and compare-blst print them.
summarize() { # file
    [ -s "$raw/$1" ] || return
    echo "-- $1"
    awk -F'[{}]' '/ratio/ { print $2 }' "$raw/$1" | tr -d '"' |
        sed -E 's/name: //; s/, ([a-z_]+): /  \1 /g; s/(ms [0-9]+\.[0-9]{4})[0-9]*/\1/g'
    awk -F'": ' '
        /"(name|size|threads|median_s|min_s|per_unit_ns)":/ {
            key = $1
            gsub(/[ "]/, "", key)
            value[key] = $2
            gsub(/[",]/, "", value[key])
        }
        /^ }/ && value["name"] != "" {
            printf "%-24s size %8d  threads %2d  median %10.4f ms  least %10.4f ms", value["name"], value["size"],
                value["threads"], 1000 * value["median_s"], 1000 * value["min_s"]
            if (value["per_unit_ns"] != "") printf "  each %.2f ns", value["per_unit_ns"]
            if (value["name"] ~ /scalar/) printf "  scalar / lanes %.2f", value["median_s"] / lanes
            if (value["name"] ~ /8 lanes/) lanes = value["median_s"]
            print ""
            delete value
        }' "$raw/$1"
}

# Numbers of a report on one proof.
summarize_proof() { # file
    [ -s "$raw/$1" ] || return
    echo "-- $1"
    grep -E '^ *"[a-z0-9_]+": [0-9.]+,?$|"verified"' "$raw/$1" | tr -d ' "\n' |
        sed -E 's/,/  /g; s/:/ /g; s/(\.[0-9])[0-9]*/\1/g'
    echo
}

lscpu > "$raw/lscpu.txt"
grep -E 'Model name|^CPU\(s\)|L2|L3' "$raw/lscpu.txt"
grep -oE '\b(adx|bmi2|avx512f|avx512dq|avx512vl|avx512ifma|sha_ni)\b' "$raw/lscpu.txt" | sort -u | tr '\n' ' '
echo "core 0 is $(cat /sys/devices/system/cpu/cpu0/topology/thread_siblings_list 2> /dev/null)"
for level in portable adx ifma; do
    measure "tests-$level.txt" bash -c "test_arithmetic $level"
done
measure compare-blst.json "$bundle/bin/compare-blst" --json --seconds "${CUZK_BENCH_SECONDS:-4}"
for what in field verify; do
    measure "bench-$what.json" "$bundle/bin/cuzk" bench $what --json
done
# With lanes each size is also transformed one by one, in turns: the rows "8 lanes" and "scalar".
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

for file in compare-blst bench-field bench-verify bench-ntt bench-msm; do summarize "$file.json"; done
for run in 1 2; do summarize_proof "prove-porep-2k-$run.json"; done
tail -qn 1 "$raw/params-porep-2k.txt.err" "$raw/verify-porep-2k.txt" 2> /dev/null | cut -c1-200
tar -C "$raw" -cf "$out/results.tar" . || failed=1
echo "all: $SECONDS s, the programs' output in $out/results.tar"
exit $failed
