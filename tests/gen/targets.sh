#!/bin/sh
# The commands c, multicore, opencl and cuda make code of all programs, as users give them: with their
# warnings, with all entry points, with nothing compiled that is tested.  No device is needed, and no
# C compiler.  A share of the programs after each commit; FULL=1: all.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
. "$root/tests/share.sh"

shares=24
[ -z "$FULL" ] || { shares=1; SHARE=1; }
(cd "$root" && choose_share $shares && programs_of_share $shares "$root/tests" "$root/bench" "$root/examples") |
	grep '\.fut$' >programs

# Programs with errors are among them: these end with 1 or 2, and a message.
cat >one.sh <<'F'
for target in c multicore opencl cuda; do
	"$RAIDO" $target --library -o "out$$" "$1" >"said$$" 2>&1
	code=$?
	if [ $code -gt 2 ] || grep -q '^Internal' "said$$"; then
		echo "$target $1: exit code $code, $(grep '^Internal' "said$$")"
	fi
done
rm -f "out$$".* "said$$"
F
about "code for all targets"
in=$(cat programs)
run xargs -P "$(nproc 2>/dev/null || echo 1)" -n 1 sh one.sh
is ''
if [ -s programs ]; then ok; else not_ok "no programs"; fi

about "loops that allocate in each iteration are not written twice, for short rows and long ones"
run raido multicore -w --library -o places "$root/tests/ad/soacs/hist_places.fut"
exits 0

about "what looks for warnings about #[unroll] leaves the program as it is"
run raido c --library -o forms "$root/tests/ad/combined/forms.fut"
exits 0

about "branches by results that all threads of a warp have: sums, and what each order of the rows gives other bits for"
cat >branches.fut <<'F'
entry main [n][m] (t: i64) (xss: [n][m]f32) =
  map (\xs -> loop xs = copy xs for _i < t do
         let s = f32.sum xs
         let top = f32.maximum xs
         let (p, q) = reduce_comm (\(a, b) (c, d) -> (a * d + c * b, b * d)) (0, 1) (zip xs xs)
         let xs = if s < 0 || top < p then xs with [0] = q else xs
         in map (/ (1 + top)) xs) xss
F
run raido cuda --library branches.fut
exits 0
raido dev --dump-kernels branches.fut soac gpu gpu_mem 2>/dev/null |
	awk '/^RD_KERNEL/ { here = /_warp\(/ } here' >narrow
if grep -q 'rd_all_have(' narrow && [ "$(grep -c 'rd_shuffle_f32(x[_0-9]*, 0,' narrow)" -ge 3 ]; then ok
else not_ok "$(grep 'rd_all_have(\|rd_shuffle_f32(' narrow)"; fi
finish
