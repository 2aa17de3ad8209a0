#!/bin/sh
# The run-time of GPU programs by itself: device.c together with a generated library.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

echo 'entry main (xs: []i32) : []i32 = xs' >prog.fut
run raido "${BACKEND:-opencl}" --library prog.fut
silent
run ${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -I. -DPROGRAM='"prog.c"' -o device "$root/tests/gpu/device.c" \
	-lm -lpthread -ldl
silent
run ./device
last=$(printf '%s\n' "$out" | tail -n 1)
case $last in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac
exits 0
finish
