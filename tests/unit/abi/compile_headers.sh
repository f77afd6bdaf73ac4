#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compile_headers.sh SOURCE INCLUDE COMPILER FLAG...: compiles SOURCE with all warnings as errors; exits with 77
# when there is no such compiler.
source=$1
include=$2
compiler=$3
shift 3
if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "skipped: no $compiler"
    exit 77
fi
exec "$compiler" "$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only "-I$include" "$source"
