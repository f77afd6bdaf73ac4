#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles sources of the guest without a C library, for 64 and for 32 bits, and looks at what else the objects need
# but for the arithmetic of the compiler's own library.
# usage: freestanding.sh ROOT SOURCE...
set -eu
root=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for bits in 64 32; do
    for source in "$@"; do
        cc -m$bits -std=c11 -O1 -ffreestanding -nostdinc -isystem "$(cc -print-file-name=include)" \
            -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-pic \
            -I"$root" -I"$root/include" -c "$source" -o "$scratch/$bits-$(echo "$source" | tr / -).o"
    done
    needed=$(nm -u "$scratch/$bits"-*.o | awk '/ U /{print $2}' | grep -vE '^(guest_|umd_|mem(cpy|set|cmp)$|__u?(div|mod)di3$|_GLOBAL_OFFSET)' || true)
    if [ -n "$needed" ]; then
        echo "the guest needs: $needed"
        exit 1
    fi
done
