#!/bin/sh
# The text of kernels: folds and scans by blocks of threads, also by way of warps, which devices
# without such instructions imitate (RD_WARP_TEST); failures among threads that wait for each
# other; NVRTC, where it is installed, compiles the kernels of many programs.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

case ${BACKEND:-opencl} in cuda) compiler=--nvrtc-option ;; *) compiler=--build-option ;; esac
# Rows that warps do are tried as such devices do them; without, they are among the programs of tests/gpu.sh.
for option in '' --pass-option=$compiler=-DRD_WARP_TEST; do
	about "folds $option"
	run raido test --no-terminal --backend="${BACKEND:-opencl}" $option "$root/tests/gpu/folds.fut" \
		"$root/tests/gpu/computed.fut" ${option:+"$root/tests/gpu/warp_rows.fut"}
	says '^[23] passed, 0 failed'
done
about "tiles, columns, transpositions, rows of all kinds"
set --
# PoCL takes minutes to compile the blocks of `irregular`, for the number of their barriers.
case ${BACKEND:-opencl} in opencl) irregular= ;; *) irregular=irregular ;; esac
for p in tiles columns transposed rows $irregular turned sizes joined guarded scalars; do
	set -- "$@" "$root/tests/gpu/$p.fut"
done
run raido test --no-terminal --backend="${BACKEND:-opencl}" "$@"
says "^$# passed, 0 failed"

if [ "${BACKEND:-opencl}" = opencl ]; then
	about "steps of rows, optimised by PoCL"
	run env POCL_EXTRA_BUILD_FLAGS= "$RAIDO" test --no-terminal --backend=opencl "$root/tests/gpu/steps_of_few.fut"
	says '^1 passed, 0 failed'
fi

about "irregular maps, by threads and by the host"
for rows in 1 1000000; do
	run raido test --no-terminal --backend="${BACKEND:-opencl}" --pass-option=--default-threshold=$rows \
		"$root/tests/gpu/flatmap.fut"
	says '^1 passed, 0 failed'
done

about "blocks that are handed on do not come from the heap"
raido dev --dump-kernels "$root/tests/lang/memory/three_levels.fut" soac gpu gpu_mem >handed.cl
if grep -q 'while (copy == a || copy == b)' handed.cl && ! grep -q rd_heap_alloc handed.cl; then ok
else not_ok "blocks from the heap"; fi

about "blocks of varying size that have a bound do not come from the heap"
raido dev --dump-kernels "$root/tests/gpu/sizes.fut" soac gpu gpu_mem >sizes.cl
if grep -q rd_slot sizes.cl && ! grep -q rd_heap_alloc sizes.cl; then ok
else not_ok "blocks from the heap"; fi

about "rows of steps: arrays that are not in use together share memory, and change places"
cat >steps.fut <<'F'
def smooth [n] (k: i64) (xs: [n]f32) : [n]f32 =
  loop xs for i < k do map (\j -> xs[j] + xs[(j + i) % n]) (iota n)
entry main [b][n] (k: i64) (xs: [b][n]f32) : [b]f32 =
  map (\x -> f32.maximum (smooth k (map (* 2) (smooth k x)))) xs
F
raido dev --dump-kernels steps.fut soac gpu gpu_mem >steps.cl
awk '/RD_KERNEL/ { n = held = bars = fold = 0 } /rd_(warp_)?barrier/ { bars++ } /float acc/ { fold = fold ? fold : bars }
     /RD_LOCAL float .*)rd_local;/ { n++ } /held.* = local/ { held++ }
     /^}/ && n { print n, held, fold }' steps.cl >rooms
if [ "$(sort -u rooms)" = "2 2 4" ]; then ok; else not_ok "arrays, exchanges, barriers: $(cat rooms)"; fi

about "rows that are gathered: eight to a warp, whose lanes load for all; no loop for short ones; sums that all lanes have"
raido dev --dump-kernels "$root/tests/gpu/warp_rows.fut" soac gpu gpu_mem >warps.cl
awk '/RD_KERNEL/ { here = 0 } /RD_KERNEL.* weighed_/ { here = 1 } /RD_OWN_WARP/ { on = here } /^}/ { on = 0 }
     on && /each = rd_n_blocks\(\) < .* \? 8 : 1;/ { rows++ } on && /ahead.* = .*\[i_?[0-9]*\];/ { loads++ }
     on && /= rd_shuffle_i64\(ahead/ { told++ } on && /RD_ROW_FITS\(d\)/ { short++ }
     on && /rd_shuffle_xor/ { sums++ } on && /rd_shuffle_down|rd_n_warps/ { down++ }
     END { print rows, loads, told, (short > 1), (sums > 0), down + 0 }' warps.cl >warps
if [ "$(cat warps)" = "1 2 2 1 1 0" ]; then ok; else not_ok "$(cat warps)"; fi

about "steps of rows that a warp does: lanes load for 32 steps; nothing is copied in the return sweep"
awk '/RD_KERNEL/ { on = /swept.*_warp\(/ } on && /& 31\) == 0\) \{/ { loads++ } on && /= rd_shuffle_i64\(ahead/ { told++ }
     on && /local_v.*= local_v/ { copies++ } END { print loads, told, copies + 0 }' warps.cl >lanes
if [ "$(cat lanes)" = "2 2 0" ]; then ok; else not_ok "$(cat lanes)"; fi

about "what the threads of a warp add to one place they add together, in shared memory too"
cat >shared.fut <<'F'
-- The adjoint of w is in shared memory; many rows have the same quotient of their numbers.
entry rows [b][t][k] (xs: [b][t]f32) (w0: [k]f32) (m: [k][k]f32) : [b][k]f32 =
  vjp (\w0 -> f32.sum (map2 (\x w -> f32.sum (loop w for i < t do map (\j -> loop s = x[i] for l < k do s * w[l] + m[l, j]) (iota k))) xs w0))
      (replicate b w0) 1
entry quotients [n] (m: i64) (xs: [n]f32) : *[m]f32 =
  reduce_by_index (replicate m 0) (+) 0 (map (/ m) (iota n)) xs
F
raido dev --dump-kernels shared.fut soac gpu gpu_mem >shared.cl
if grep -q 'rd_add_f32_local_together(.*local_v' shared.cl && grep -q 'rd_add_f32_global_together(.*div' shared.cl; then ok
else not_ok "$(grep 'rd_add_f32_[gl]' shared.cl)"; fi

about "products of heads: both sweeps are one nest, which stores what comes of sums; all are tiled"
cat >heads.fut <<'F'
def sum n (f: i64 -> f64) : f64 = reduce (+) 0 (map f (iota n))
entry main [b][s][e] (x: [b][s][e]f64) (w: [e][e]f64) (heads: i64) : ([b][s][e]f64, [e][e]f64) =
  let d = e / heads
  let f (x: [b][s][e]f64, w: [e][e]f64) =
    let q = tabulate_3d b s e (\n i c -> sum e (\j -> x[n, i, j] * w[c, j]))
    let scores = tabulate (b * heads) (\nh ->
      let (n, h) = (nh / heads, nh % heads)
      in tabulate_2d s s (\i j -> sum d (\c -> q[n, i, h * d + c] * q[n, j, h * d + c]) / 2))
    in f64.sum (map f64.exp (flatten_3d scores))
  in vjp f (x, w) 1
F
run raido cuda --library heads.fut
silent
if [ "$(grep -c '^	{"main.*_tiled32x32", ' heads.c)" = 7 ]; then ok
else not_ok "$(grep '^	{"main.*_tiled' heads.c)"; fi

about "rows of steps: what a row only writes takes no shared memory"
cat >written.fut <<'F'
def errors [t][k] (xs: [t][k]f32) (ys: [t]f32) : f32 =
  (loop (w, s) = (replicate k 0, 0) for i < t do
     let e = ys[i] - f32.sum (map2 (*) w xs[i])
     in (map2 (\a v -> a + e * v) w xs[i], s + e * e)).1
entry main [b][t][k] (xs: [b][t][k]f32) (ys: [b][t]f32) : [b][t][k]f32 =
  vjp (\x -> f32.sum (map2 errors x ys)) xs 1
F
raido dev --dump-kernels written.fut soac gpu gpu_mem >written.cl
if grep -q '^.rd_local += (k ' written.cl && ! grep -q '^.rd_local += ([^k]' written.cl; then ok
else not_ok "$(grep '^.rd_local += ' written.cl)"; fi

about "what all threads load before a sum is waited for by stores after it, in blocks of one warp too"
cat >loaded.fut <<'F'
entry main [b][k] (t: i64) (xs: [b][k]f32) : [b][k]f32 =
  map (\x -> loop w = copy x for i < t do
               let a = w[i % k]
               let s = f32.sum w
               in map (\v -> s - a * v) w) xs
F
raido dev --dump-kernels loaded.fut soac gpu gpu_mem >loaded.cl
awk '/RD_KERNEL void main_2ekernel1/ { here = 1 } here && /#endif/ { after = 1 } after && /rd_barrier/ { waits = 1 }
     after && /local_v\[.*\] = / { print waits; exit }' loaded.cl >waits
if [ "$(cat waits)" = 1 ]; then ok; else not_ok "no barrier"; fi

about "steps of rows: threads load for four iterations before they store, after one comparison for each of them"
raido dev --dump-kernels "$root/tests/gpu/apart.fut" soac gpu gpu_mem >apart.cl
awk '/RD_KERNEL void paired_2ekernel1/ { here = 1 } here && /bool within/ { on = 1 } here && /^}/ { exit }
     on && /within && / { checks++ } on && /later.*\[4\];/ { room++ } on && /= later/ { puts++; on = 0 }
     END { print checks, room, puts }' apart.cl >apart
if [ "$(cat apart)" = "1 1 1" ]; then ok; else not_ok "$(cat apart)"; fi
if grep -q 'few\[.*\] = local_v' apart.cl; then ok; else not_ok "copies of rows, one element after the other"; fi

about "short rows count for less: 100 rows of 8 elements as 3200, of 300 as 100"
cat >short.fut <<'F'
entry main (n: i64) (m: i64) =
  let rows = tabulate_2d n m (\i j -> f64.i64 (i * j % 7))
  in f64.sum (map (\r -> let top = f64.maximum r in f64.sum (map (\x -> f64.exp (x - top)) r)) rows)
F
run raido "${BACKEND:-opencl}" short.fut
for size in '8 3200' '300 100'; do
	in="100i64 ${size% *}i64"
	run ./short -L
	complains "Compared main.outer_0 <= ${size#* }:"
done

about "sums of rows with loops, also in branches: a warp is enough for a block"
cat >loops.fut <<'F'
entry main [n] (xs: [n]f64) (k: i64) : f64 =
  f64.sum (map (\x -> if x < 0 then 0 else loop y = x for i < k do f64.sin (y + f64.i64 i)) xs)
F
if raido dev loops.fut soac flatten | grep -q 'opaque (3, n[_0-9]*, 32)'; then ok
else not_ok "few blocks"; fi

about "few threads are spread over the processors"
cat >few.fut <<'F'
entry main [n] (xs: [n]i64) = map (+ 1) xs
F
run raido "${BACKEND:-opencl}" few.fut
in="[1i64, 2i64]"
run ./few -D
complains '1 blocks of 32 threads'

about "loads of several iterations at once, on CUDA"
raido dev --dump-kernels "$root/tests/gpu/ahead.fut" soac gpu gpu_mem >ahead.cl
if grep -q 'rd_ahead(&' ahead.cl; then ok
else not_ok "no loads ahead"; fi

about "also in longer loops that store nothing and call functions of doubles: return sweeps"
if grep -q 'double ahead[_0-9]*\[8\];' ahead.cl; then ok
else not_ok "no loads ahead"; fi

about "few threads: into the cache, where there are enough iterations and none is beyond the last"
if grep -q 'if (rd_global_size() <= [0-9]* && done + 64 + 32 <= [a-z_0-9]*)' ahead.cl; then ok
else not_ok "nothing is loaded soon"; fi

about "arrays of a thread itself are not loaded ahead: they may be in registers"
cat >own.fut <<'F'
def f (x: f64) : f64 = loop y = x for _i < 24 do f64.sin (y * y + x)
entry main [n] (xs: [n]f64) : [n]f64 = map (\x -> vjp f x 1) xs
F
raido dev --dump-kernels own.fut soac gpu gpu_mem >own.cl
if grep -q 'log\[[0-9]*\];' own.cl && ! grep -q 'rd_ahead(&' own.cl; then ok
else not_ok "loads ahead, or no array"; fi

about "what threads keep while they fetch iterations is set from the start: assemblers lose what is not"
raido dev --dump-kernels "$root/tests/gpu/streams.fut" soac gpu gpu_mem >streams.cl
awk '/RD_STREAMED/ { on = 1 } on && /for \(;;\)/ { on = 0; n++ } on && /^\t[a-z0-9_]+ [a-z0-9_]+;$/ && !/return/ { print }
	END { print n " kernels" }' streams.cl >unset
if [ "$(wc -l <unset)" -eq 1 ] && ! grep -q '^ *kernels' unset; then ok
else not_ok "$(cat unset)"; fi

about "TF32"
run raido test --no-terminal --backend="${BACKEND:-opencl}" --pass-compiler-option=--tf32 "$root/tests/gpu/tf32.fut"
says '^1 passed, 0 failed'

about "a failure in a kernel that many functions lead to is shown with all of them, and with its line"
{
	echo 'def f0 (xs: []i64) (i: i64) = xs[i * 2]'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		echo "def f$i (xs: []i64) (i: i64) = f$((i - 1)) xs i"
	done
	echo 'entry main [n] (xs: [n]i64) = map (f12 xs) (iota n)'
} >deep.fut
run raido "${BACKEND:-opencl}" deep.fut
in='[1i64, 2i64, 3i64, 4i64]'
run ./deep
exits 1
complains 'out of bounds for array of shape \[4\]'
complains 'deep.fut:13:'
complains 'xs\[i \* 2\]'

about "failures of single threads"
cat >fails.fut <<'F'
entry main (n: i64) (xs: []i64) (k: i64) =
  let (a, b) = unzip (map (\i -> let x = xs[(i * k) % n] in (x, x / (if x == 77 then 0 else x + 1))) (iota n))
  in (reduce (+) 0 a, scan (+) 0 b)
entry operator (xs: []i64) = reduce (\a b -> assert (b != 13) (a + b)) 0 xs
entry chain (n: i64) (k: i64) = let s = scan (+) 0 (map (\i -> 100 / (i - k)) (iota n)) in s[n - 1]
entry good (xs: []i64) = reduce (+) 0 xs
F
run raido "${BACKEND:-opencl}" fails.fut
in='4i64 [1i64,2i64,77i64,3i64] 1i64'
run ./fails
exits 1
complains 'ivision by zero'
in='4i64 [1i64,2i64,3i64] 1i64'
run ./fails
exits 1
complains 'Index \[3\] out of bounds for array of shape \[3\]'
complains 'fails.fut:2:'
in='[1i64,13i64,4i64]'
run ./fails -e operator
exits 1
complains 'b != 13'
in='[1i64,13i64,4i64]'
run ./fails -e good
is '18i64'

# Blocks that wait for what a failed one has.
in='100000i64 31234i64'
run ./fails -e chain
exits 1
complains 'ivision by zero'
in='100000i64 -1i64'
run ./fails -e chain
is '482i64'

about "NVRTC"
if ${CC:-cc} -o nvrtc "$root/tests/gpu/nvrtc.c" -ldl 2>/dev/null; then
	for p in gpu/folds gpu/computed gpu/tiles lang/programs/kmeans prelude/soacs/scan ad/programs/gmm lang/memory/nests \
		prelude/real/f16_unary lang/programs/histograms; do
		[ -e "$root/tests/$p.fut" ] || continue
		raido dev --dump-kernels "$root/tests/$p.fut" soac gpu gpu_mem >kernels.cu
		run ./nvrtc kernels.cu
		if [ "$code" -eq 77 ]; then
			echo "kernels.sh: no NVRTC, which is skipped"
			break
		fi
		silent
		exits 0
	done
	cp "$root/tests/gpu/tf32.fut" .
	run raido cuda -w --tf32 tf32.fut
	run ./tf32 --dump-cuda kernels.cu
	if grep -q 'rd_mma_tf32(red' kernels.cu; then ok; else not_ok "no instructions on matrices of f32"; fi
	run ./nvrtc kernels.cu
	[ "$code" -eq 77 ] || { silent; exits 0; }
fi
finish
