#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run_cpp.sh SOURCE FLAG...: compiles a C++ program with all warnings as errors and runs it; exits with 77 when there
# is no compiler.
source=$1
shift
if ! command -v c++ >/dev/null 2>&1; then
    echo "skipped: no c++"
    exit 77
fi
program=$(mktemp)
trap 'rm -f "$program"' EXIT
c++ -std=c++11 -Wall -Wextra -Wpedantic -Wconversion -Werror "$@" -o "$program" "$source" && "$program"
