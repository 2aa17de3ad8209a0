#!/bin/sh
# Functions that are instances of others (src/gen/cmerge.c): loops that a function, its derivative, one
# thread and several threads have in common are written once, and the results stay right.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/merged.fut" .
about 'values with threads'
CFLAGS='-O1 -std=c11 -w -DRD_LEAST_WORK=2' run raido test -c --backend=multicore merged.fut
exits 0
about 'values'
CFLAGS='-O1 -std=c11 -w' run raido test -c merged.fut
exits 0
about 'the code'
run raido multicore --library -o merged merged.fut
exits 0
silent
run grep -c '^static RD_UNUSED int rd_fun_primal_2ealone.*;$\|^static RD_UNUSED int rd_fun_primal_2ealone.*,$' merged.c
exits 0
about 'what is passed for parameters that are not used does not keep callers apart (19 if it did)'
run sh -c 'test "$(grep -c "rd_tanh_f" merged.c)" -le 18'
exits 0

cp "$root/tests/gen/twins.fut" .
about 'loops within steps, with threads: values'
CFLAGS='-O1 -std=c11 -w -DRD_LEAST_WORK=2' run raido test -c --backend=multicore twins.fut
exits 0
about 'loops within steps: each layer is there a few times and not for each caller (64 without twins)'
run raido multicore --library -o twins twins.fut
exits 0
run sh -c 'test "$(grep -c "rd_tanh_f64(" twins.c)" -le 54'
exits 0

finish
