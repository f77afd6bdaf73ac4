#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes the seeds of the target `exec` of scenes: make_exec_seeds.sh PROGRAM STAMP FOLDER. The seeds go to a
# folder beside the stamp, which is empty before.
set -eu
out=$(dirname "$2")/seeds_of_exec
rm -rf "$out"
mkdir -p "$out"
"$1" "$out" "$3"
touch "$2"
