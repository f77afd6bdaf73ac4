#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Runs fuzz targets at the same time: run_fuzz.sh SECONDS WORKERS OUT TARGET...
#
# Each TARGET is a program; beside it may lie its folders of seeds NAME.seeds*/ and its dictionary NAME.dict. It
# runs in WORKERS processes that share what they find, each started again after a finding, until SECONDS are over.
# OUT then has summary.txt (runs and seconds of each target, findings by kind), findings.tar.gz (inputs and logs)
# and corpus/NAME (inputs that reach new code). The exit status is 1 when there are findings. Nothing but bash and
# the usual tools are needed, so that it also runs where the project is not built.
set -eu

[ "$#" -ge 4 ] || {
    sed -n '4,10s/^# \{0,1\}//p' "$0"
    exit 2
}
seconds=$1 workers=$2
mkdir -p "$3"
out=$(cd "$3" && pwd)
shift 3
most_findings=20 # of one worker, before it stops
longest_input=65536
longest_run=30 # seconds of an input, on a machine that others use, too

own_options=${ASAN_OPTIONS:-}
. "$(dirname "$0")/sanitizers.env"
export UBSAN_OPTIONS ASAN_OPTIONS=${own_options:-$ASAN_OPTIONS}
# Sanitizers of older compilers do not find room for themselves where addresses are very random.
fixed=()
if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed=(setarch "$(uname -m)" -R)
fi

# One process after the other until time is up.
work() { # PROGRAM NAME WORKER
    local program=$1 name=$2 log=$out/logs/$2.$3 findings=0 round=0 left status arguments
    local end=$(($(date +%s) + seconds))
    arguments=("$out/corpus/$name")
    for folder in "$program".seeds*/; do
        [ ! -d "$folder" ] || arguments+=("$folder")
    done
    [ ! -f "$program.dict" ] || arguments+=("-dict=$program.dict")
    while left=$((end - $(date +%s))) && [ "$left" -gt 0 ] && [ "$findings" -lt "$most_findings" ]; do
        status=0
        "${fixed[@]}" "$program" "${arguments[@]}" -max_total_time="$left" -timeout="$longest_run" -rss_limit_mb=2048 \
            -max_len="$longest_input" -reload=20 -print_final_stats=1 -verbosity=0 \
            -artifact_prefix="$out/findings/$name." >"$log.$round" 2>&1 || status=$?
        sed -n 's/^stat::number_of_executed_units: *//p' "$log.$round" >>"$log.runs"
        if [ "$status" = 0 ]; then
            rm -f "$log.$round"
        else
            findings=$((findings + 1))
        fi
        round=$((round + 1))
    done
    echo $((seconds - (end - $(date +%s)))) >"$log.seconds"
}

count() { find "$out/findings" -name "$1.$2-*" 2>/dev/null | wc -l; }

rm -rf "$out/findings" "$out/logs"
mkdir -p "$out/findings" "$out/logs"
for program in "$@"; do
    name=$(basename "$program")
    mkdir -p "$out/corpus/$name"
    for ((worker = 0; worker < workers; worker++)); do
        work "$(cd "$(dirname "$program")" && pwd)/$name" "$name" "$worker" &
    done
done
wait

bad=0
: >"$out/summary.txt"
for program in "$@"; do
    name=$(basename "$program")
    runs=$(cat "$out/logs/$name".*.runs 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')
    spent=$(cat "$out/logs/$name".*.seconds 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')
    logs=$(find "$out/logs" -name "$name.*" ! -name '*.runs' ! -name '*.seconds' | wc -l)
    printf '%s: %s runs in %s s of %s workers; %s crashes, %s leaks, %s time-outs, %s out of memory; %s failed %s\n' \
        "$name" "$runs" "$spent" "$workers" "$(count "$name" crash)" "$(count "$name" leak)" \
        "$(count "$name" timeout)" "$(count "$name" oom)" "$logs" processes | tee -a "$out/summary.txt"
    if [ "$logs" -gt 0 ] || [ "$runs" -eq 0 ]; then
        bad=1
    fi
done
tar -czf "$out/findings.tar.gz" -C "$out" findings logs
rm -rf "$out/findings" "$out/logs"
exit "$bad"
