#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Packs fuzz targets for a machine that has nothing but bash: pack_fuzz.sh FILE.tar.gz WEBGPU-LIBRARY TARGET...
#
# What it unpacks to is a folder `fuzz` whose program `run` says how it is used. Each target is there with its seeds, its
# dictionary, all libraries and the loader of programs, so that those of the machine do not matter.
set -eu

[ "$#" -ge 3 ] || {
    sed -n '4,7s/^# \{0,1\}//p' "$0"
    exit 2
}
file=$1 library=$2
shift 2
scripts=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
pack=$scratch/fuzz
mkdir -p "$pack/lib" "$pack/programs" "$pack/bin"
cp "$scripts/run_fuzz.sh" "$scripts/sanitizers.env" "$pack"
cp "$library" "$pack/lib/libwebgpu_wrapper.so"

for program in "$@"; do
    name=$(basename "$program")
    strip -g -o "$pack/programs/$name" "$program"
    # What is run: the program, by the loader beside it.
    cat >"$pack/bin/$name" <<'END'
#!/usr/bin/env bash
root=$(cd "$(dirname "$0")/.." && pwd)
export AEROGPU_WEBGPU_LIB=$root/lib/libwebgpu_wrapper.so
exec "$root/lib/loader" --library-path "$root/lib" "$root/programs/$(basename "$0")" "$@"
END
    chmod +x "$pack/bin/$name"
    cp "$program.dict" "$pack/bin/$name.dict"
    for folder in "$program".seeds*; do
        cp -rL "$folder" "$pack/bin/"
    done
done

# ldd prints `name => path (address)`, and the loader without a name.
for of in "$library" "$@"; do
    ldd "$of"
done | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | sort -u | while read -r path; do
    cp -L "$path" "$pack/lib/"
done
cp -L "$(ldd "$1" | sed -n 's/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) .*/\1/p')" "$pack/lib/loader"

cat >"$pack/run" <<'END'
#!/usr/bin/env bash
# run SECONDS [WORKERS [TARGET...]]: fuzzes all targets (or those) side by side, each in WORKERS processes (1).
# The results lie in `out` beside this file, or in $OUT: summary.txt, findings.tar.gz, corpus.
set -eu
[ "$#" -ge 1 ] || {
    sed -n '2,3s/^# //p' "$0"
    exit 2
}
root=$(cd "$(dirname "$0")" && pwd)
seconds=$1 workers=${2:-1}
shift "$(($# < 2 ? $# : 2))"
targets=()
for folder in "$root/programs"/fuzz_*; do
    name=$(basename "$folder")
    case " ${*:-${name#fuzz_}} " in
    *" ${name#fuzz_} "*) targets+=("$root/bin/$name") ;;
    esac
done
exec "$root/run_fuzz.sh" "$seconds" "$workers" "${OUT:-$root/out}" "${targets[@]}"
END
chmod +x "$pack/run"
tar -czf "$file" -C "$scratch" fuzz
du -h "$file"
