#!/bin/sh
# The options of executables for GPUs, and what happens where there is no device.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
backend=${BACKEND:-opencl}
XDG_CACHE_HOME=${XDG_CACHE_HOME:-$work/cache}
export XDG_CACHE_HOME

cat >prog.fut <<'F'
-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] } output { 14f64 [1f64, 3f64, 6f64] }
entry main [n] (xs: [n]f64) : (f64, [n]f64) = (f64.sum (map (\x -> x * x) xs), scan (+) 0 xs)
-- ==
-- entry: at
-- input { [1i32, 2i32] [1i64, 0i64] } output { [2i32, 1i32] }
-- input { [1i32, 2i32] [1i64, 2i64] } error: out of bounds for array of shape \[2\]
entry at (xs: []i32) (is: []i64) : []i32 = map (\i -> xs[i]) is
entry large (n: i64) : []f64 = replicate n 1
F
run raido "$backend" prog.fut
silent
exits 0
args='[1f64, 2f64, 3f64]'
result='14.0f64
[1.0f64, 3.0f64, 6.0f64]'
right() {
	in=$args
	run ./prog "$@"
	is "$result"
	exits 0
}

about "devices"
right
right -d '#0'
right --device='#0'
in=$args
run ./prog -d 'no such device'
exits 1
complains 'is the one asked for'

about "sizes"
right --default-thread-block-size=32 --default-num-thread-blocks 2 --default-tile-size 8
right --default-group-size=64 --default-num-groups=1 --default-threshold=1
right --default-threshold=1000000
right --unified-memory=0
in=$args
run ./prog --default-thread-block-size=0
exits 1
complains 'positive integer'
run ./prog --print-params
exits 0
for p in $(./prog --print-params | sed 's/ .*//'); do
	right --param="$p=2"
done
run ./prog --param=nosuch=2
exits 1
complains 'Unknown tuning parameter: nosuch'

about "profiles"
in=$args
run ./prog -P
is "$result"
complains '"name": "copy_dev_to_host", "description": "Operation copy_dev_to_host"'
complains '"description": "Kernel [^"]*", "provenance": "prog.fut:'
in=$args
run ./prog -D
is "$result"
complains '^Kernel .*: [0-9]+ blocks of [0-9]+ threads'
complains '^Device initialised in'

about "failures"
in='[1i32, 2i32] [1i64, 2i64]'
run ./prog -e at
exits 1
complains 'Index \[2\] out of bounds for array of shape \[2\]'
complains '^-> #0  prog.fut:'
in=100000000000000
run ./prog -e large
exits 1
complains 'Failed to allocate memory'

about "kernels"
rm -f cache
right --cache-file cache
if [ -s cache ]; then ok; else not_ok "no cache file"; fi
in=$args
run ./prog -L --cache-file cache
is "$result"
complains 'Kernels were in the cache'
printf 'x' >>cache
right --cache-file cache
case $backend in
opencl)
	run ./prog --dump-opencl kernels.cl
	silent
	exits 0
	right --load-opencl kernels.cl
	sed 's/RD_KERNEL void/RD_KERNEL wrong/' kernels.cl >wrong.cl
	in=$args
	run ./prog --load-opencl wrong.cl
	exits 1
	complains 'the kernels do not compile'
	run ./prog --dump-opencl-binary kernels.bin
	silent
	exits 0
	right --load-opencl-binary kernels.bin
	right --build-option=-cl-opt-disable
	run ./prog --list-devices
	says '^#0: '
	exits 0
	in=$args
	run ./prog -p 'no such platform'
	exits 1
	complains 'is the one asked for'
	about "no device"
	mkdir -p empty
	in=$args
	run env OCL_ICD_VENDORS="$PWD/empty/" ./prog
	exits 1
	complains '^There is no OpenCL device\.$'
	;;
cuda)
	run ./prog --dump-cuda kernels.cu
	silent
	exits 0
	right --load-cuda kernels.cu
	sed 's/RD_KERNEL void/RD_KERNEL wrong/' kernels.cu >wrong.cu
	in=$args
	run ./prog --load-cuda wrong.cu
	exits 1
	complains 'the kernels do not compile'
	run ./prog --dump-ptx kernels.ptx
	silent
	exits 0
	right --load-ptx kernels.ptx
	right --nvrtc-option=-DNOTHING
	about "no device"
	in=$args
	run env CUDA_VISIBLE_DEVICES= FAKE_CUDA_DEVICES=0 ./prog
	exits 1
	complains '^There is no CUDA device\.$'
	;;
esac

about "test, bench, profile, script, autotune"
run raido test --no-terminal --backend="$backend" prog.fut
says '^1/1 passed\.$'
exits 0
cat >timed.fut <<'F'
-- ==
-- "small" input { 10i64 }
-- "large" input { 1000i64 }
entry main (n: i64) : i64 = i64.sum (map (\i -> i * i % 7) (iota n))
-- ==
-- entry: rows
-- "small" input { 10i64 } output { [0i64, 45i64, 90i64, 135i64, 180i64, 225i64, 270i64, 315i64, 360i64, 405i64] }
-- "large" input { 1000i64 }
entry rows (n: i64) : [n]i64 = tabulate n (\i -> i64.sum (map (* i) (iota n)))
F
run raido bench --backend="$backend" --runs=2 --no-convergence-phase --profile --json=timed.json timed.fut
exits 0
says 'small: '
run raido profile timed.json
exits 0
if grep -rq 'Kernel' timed.prof; then ok; else not_ok "no kernels in the profile"; fi
run raido script --backend="$backend" timed.fut 'rows 3i64'
is '[0i64, 3i64, 6i64]'

about "tuning parameters"
run raido "$backend" --library timed.fut
if tr -d '\n ' <timed.json | grep -q '"futhark_entry_main","tuning_params":\[\].*"tuning_params":\["rows.outer_0"\]'; then ok
else not_ok "tuning parameters in the manifest: $(grep tuning timed.json)"; fi
run raido "$backend" --server -o timed timed.fut
in='tuning_params main
tuning_params rows
tuning_param_class rows.outer_0
'
run ./timed
is '%%% OK
%%% OK
rows.outer_0
%%% OK
threshold
%%% OK'
run raido autotune -v --backend="$backend" --runs=1 timed.fut
exits 0
says ' rows.outer_0 = 250: ' # rows of 10 elements: 25 of them are one of 256
says ' rows.outer_0 = 1001: '
says '^Wrote timed.fut.tuning: '
run raido bench --backend="$backend" --runs=1 --no-convergence-phase timed.fut
exits 0
says 'using timed.fut.tuning'
run raido test --no-terminal --backend="$backend" timed.fut
exits 0
for value in 250 251; do
	echo "rows.outer_0=$value" >by-hand.tuning
	echo 10i64 >n
	in='restore n n i64
call rows r n
'
	run ./timed -L --tuning by-hand.tuning
	exits 0
	complains "Compared rows.outer_0 <= 250: $([ $value = 250 ] && echo true || echo false)\."
done

about '--deterministic'
# Sums of floats that are rounded: in one bin after the other, of rows, of pairs, and those of a derivative.
cat >bins.fut <<'F'
def noise (i: i64) : f32 = 1 / f32.i64 (1 + i * 7919 % 1009)
entry main (n: i64) (k: i64) : ([k]f32, [3][k]f32, [k]f32, [k]f32, [k]f32) =
  let is = map (\i -> i * 31 % (k + 1)) (iota n)
  let xs = map noise (iota n)
  let ws = map noise (iota k)
  let products = unzip (reduce_by_index (replicate k (0, 1)) (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) is
                                        (map (\x -> (x, 1 + x / 1000)) xs))
  in (reduce_by_index (map noise (iota k)) (+) 0 is xs,
      map (\r -> reduce_by_index (replicate k 0) (+) 0 is (map (* noise r) xs)) (iota 3),
      products.0, products.1,
      vjp (\w -> f32.sum (map2 (\i x -> w[i % k] * x) is xs)) ws 1)
F
run raido "$backend" -w --deterministic -o bins bins.fut
exits 0
in='5000i64 7i64'
run ./bins
exits 0
first=$out
for options in '' '--default-num-thread-blocks=3' '--default-thread-block-size=64'; do
	in='5000i64 7i64'
	run ./bins $options
	is "$first"
done
# Accumulators that several maps add to: the rows that fill a nest, and those that are left over.
cat >maps.fut <<'F'
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f32) : [k]f32 =
  vjp (\w -> f32.sum (map3 (\i j x -> x * w[i % k] * w[i % k] * w[j % k]) (iota n) is xs)) (replicate k 1) 1
entry quotients (k: i64) (m: i64) (xs: []f32) : [m]f32 =
  vjp (\w -> f32.sum (map2 (\i x -> w[i / k] * x) (indices xs) xs)) (replicate m 1) 1
entry values [n] (k: i64) (is: [n]i64) (xs: [n]f32) : ([k]f32, [n]f32) =
  vjp (\(w, ys) -> f32.sum (map2 (\i y -> w[i % k] * y * w[(i + 1) % k] * y) is ys)) (replicate k 1, xs) 1
F
run raido "$backend" -w --deterministic -o maps maps.fut
exits 0
in='3i64 [1i64, 2i64, 0i64, 1i64, 5i64] [1f32, 2f32, 3f32, 4f32, 5f32]'
run ./maps
is '[13.0f32, 19.0f32, 13.0f32]'
in='3i64 2i64 [1f32, 2f32, 3f32, 4f32, 5f32]'
run ./maps -e quotients
is '[6.0f32, 9.0f32]'
# Maps that give values besides.
in='3i64 [1i64, 2i64, 0i64, 1i64, 5i64] [1f32, 2f32, 3f32, 4f32, 5f32]'
run ./maps -e values
is '[38.0f32, 26.0f32, 46.0f32]
[2.0f32, 4.0f32, 6.0f32, 8.0f32, 10.0f32]'
cat >loop.fut <<'F'
entry main [n] (is: [n]i64) (xs: [n]f32) : []f32 =
  vjp (\w -> f32.sum (map2 (\i x -> loop a = x for j < i do a * w[(i * j) % 4]) is xs)) [1, 2, 3, 4] 1
F
run raido "$backend" -w --deterministic -o loop loop.fut
exits 0
cat >rejected.fut <<'F'
entry main [n] [m] (is: [n]i64) (xss: [n][m]f32) (w: [m]f32) : [m]f32 =
  vjp (\w -> loop a = 0f32 for j < n do a + f32.sum (map (\x -> w[i64.f32 x] * f32.sin a) xss[is[j]])) w 1
F
run raido "$backend" -w --deterministic -o rejected rejected.fut
exits 2
complains '^Error at rejected.fut:2:'
complains 'would combine floats here in any order'
cat >order.fut <<'F'
entry main (n: i64) : ([]f32, []f32, f32, []i32) =
  let xs = map (\i -> f32.sin (f32.i64 i)) (iota n)
  let is = map (% 4) (iota n)
  in (reduce_by_index (replicate 4 (-1)) f32.max (-1) is xs, scan (+) 0 xs, f32.sum xs,
      reduce_by_index (replicate 4 0) (+) 0 is (map i32.f32 xs))
F
run raido "$backend" -w --deterministic -o order order.fut
exits 0
in=100000i64
run ./order
exits 0
first=$out
in=100000i64
run ./order
is "$first"
finish
