#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes the seeds of the target `snapshot` of scenes: make_snapshot_seeds.sh PROGRAM STAMP FOLDER. The seeds go to a
# folder beside the stamp, which is empty before.
set -eu
out=$(dirname "$2")/seeds_of_snapshots
rm -rf "$out"
mkdir -p "$out"
"$1" "$out" "$3"/ext_queries "$3"/ext_stream_output "$3"/ext_uav "$3"/sharing "$3"/ext_lists "$3"/ext_views "$3"/bindings
touch "$2"
