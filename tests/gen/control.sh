#!/bin/sh
# Large functions that only call others, compiled as such (is_large_control of src/gen/cfun.c): copies
# between regions of threads are regions too, loops of a few iterations do not count.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/control.fut" .
about 'values with threads'
CFLAGS='-O1 -std=c11 -w -DRD_LEAST_WORK=2' run raido test -c --backend=multicore control.fut
exits 0
about 'the code'
run raido multicore --library -o control control.fut
exits 0
silent
run grep -c '^static RD_CONTROL int rd_fun_main(' control.c
exits 0

finish
