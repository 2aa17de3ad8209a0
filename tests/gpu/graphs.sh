#!/bin/sh
# CUDA graphs: operations that come again (graphs.c; loops.fut).
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gpu/loops.fut" .
run raido "${BACKEND:-cuda}" -w --library loops.fut
silent
run ${CC:-cc} -std=gnu11 -g -O1 -Wall -Wextra -I. -o graphs "$root/tests/gpu/graphs.c" loops.c -lm -lpthread -ldl
silent
run ./graphs 200
last=$(printf '%s\n' "$out" | tail -n 1)
case $last in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac
exits 0
finish
