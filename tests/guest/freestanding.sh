#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles the guest's core without a C library, for 64 and for 32 bits, and looks at what else the objects need.
# usage: freestanding.sh ROOT SOURCE...
set -eu
root=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for bits in 64 32; do
    for source in "$@"; do
        cc -m$bits -std=c11 -O2 -ffreestanding -nostdinc -isystem "$(cc -print-file-name=include)" \
            -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-pic \
            -I"$root" -I"$root/include" -c "$source" -o "$scratch/$bits-$(basename "$source").o"
    done
    needed=$(nm -u "$scratch/$bits"-*.o | awk '/ U /{print $2}' | grep -vE '^(guest_|mem(cpy|set)$|_GLOBAL_OFFSET)' || true)
    if [ -n "$needed" ]; then
        echo "the core needs: $needed"
        exit 1
    fi
done
