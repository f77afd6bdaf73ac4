#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes the seeds of a target of scenes: make_seeds.sh PROGRAM OUT STAMP FOLDER... The seeds go to OUT, which is empty
# before.
set -eu
program=$1 out=$2 stamp=$3
shift 3
rm -rf "$out"
mkdir -p "$out"
"$program" "$out" "$@"
touch "$stamp"
