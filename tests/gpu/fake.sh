#!/bin/sh
# Programs of `raido cuda` without a GPU: on the device of fake_cuda.cc, which runs kernels on the host; and
# their kernels compiled by NVRTC where that is installed.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
CFLAGS='-O0 -w'
XDG_CACHE_HOME=$work/cache
export CFLAGS XDG_CACHE_HOME

cat >prog.fut <<'F'
entry main [n] (xs: [n]f64) : (f64, [n]f64) = (f64.sum (map (\x -> x * x) xs), scan (+) 0 xs)
entry at (xs: []i32) (is: []i64) : []i32 = map (\i -> xs[i]) is
entry large (n: i64) : []f64 = replicate n 1
entry transposed [n][m] (xss: [n][m]i16) : [m][n]i16 = map (map (+ 1)) (transpose xss)
entry counts (k: i64) (is: []i64) : [k]i64 = reduce_by_index (replicate k 0) (+) 0 is (map (const 1) is)
entry halves [n] (xs: [n]f16) : [n]f16 = map (* 2) xs
entry again [n] (xs: [n]f16) : [n]f16 = map (* 2) xs
F
run raido cuda prog.fut
silent
exits 0

about "no driver"
if ! ldconfig -p 2>/dev/null | grep -q libcuda.so; then
	in='[1f64]'
	run ./prog
	exits 1
	complains 'Cannot load the CUDA driver'
fi

about "NVRTC"
run ./prog --dump-cuda kernels.cu
silent
if ${CC:-cc} -o nvrtc "$root/tests/gpu/nvrtc.c" -ldl 2>/dev/null; then
	awk -v RS='//// next text ////\n' '{ print > ("text" NR ".cu") }' kernels.cu
	for t in text*.cu; do
		run ./nvrtc "$t"
		[ "$code" -eq 77 ] || { silent; exits 0; }
	done
fi

if ! command -v "${CXX:-g++}" >/dev/null 2>&1; then
	echo "skipped: no C++ compiler"
	finish
	exit
fi
about "the fake device"
mkdir fake
run ${CXX:-g++} -O1 -shared -fPIC -o fake/libcuda.so.1 "$root/tests/gpu/fake_cuda.cc" -ldl
silent
ln -s libcuda.so.1 fake/libnvrtc.so
LD_LIBRARY_PATH=$PWD/fake
FAKE_CUDA_LOG=$PWD/log
export LD_LIBRARY_PATH FAKE_CUDA_LOG

about "results"
in='[1f64, 2f64, 3f64]'
run ./prog
is '14.0f64
[1.0f64, 3.0f64, 6.0f64]'
in='[[1i16, 2i16, 3i16], [4i16, 5i16, 6i16]]'
run ./prog -e transposed
is '[[2i16, 5i16], [3i16, 6i16], [4i16, 7i16]]'
in='3i64 [0i64, 2i64, 2i64, 5i64, -1i64]'
run ./prog -e counts
is '[1i64, 0i64, 2i64]'
in='[1.5f16, 2f16]'
run ./prog -e halves
is '[3.0f16, 4.0f16]'
in='[1i32, 2i32] [1i64, 2i64]'
run ./prog -e at
exits 1
complains 'Index \[2\] out of bounds for array of shape \[2\]'

about "a stream and memory of the caller's"
echo 'entry double [n] (xs: [n]f64) : [n]f64 = map (* 2) xs' >call.fut
run raido cuda --library --slim call.fut
cp "$root/tests/gpu/call.c" client.c
run ${CC:-cc} -std=gnu11 -O0 -w -o client client.c call.c -lm -ldl -pthread
silent
run ./client
is fine

about "streams that change, an allocator, captured calls"
run raido cuda --library --slim --device-scalars -o call "$root/tests/gpu/caller.fut"
cp "$root/tests/gpu/caller.c" client.c
run ${CC:-cc} -std=gnu11 -O0 -w -o client client.c call.c -lm -ldl -pthread
silent
for kernels in compiled cached; do
	run ./client
	is fine
done
run raido cuda --library --device-scalars call.fut
complains '--device-scalars requires --slim'
run raido c --library --slim --device-scalars call.fut
complains 'device-scalars'

about "the cache"
rm -f log
in='[1f64, 2f64, 3f64]'
run ./prog -L
complains 'Kernels were in the cache'
if grep -q nvrtcCompileProgram log; then not_ok "compiled again"; else ok; fi

about "kernels are compiled when they are needed"
compiled() { # N COMMAND...: so many texts
	n=$1
	shift
	rm -f log
	run "$@"
	exits 0
	[ -e log ] || : >log
	if [ "$(grep -c nvrtcCompileProgram log)" -eq "$n" ]; then ok
	else not_ok "$(grep -c nvrtcCompileProgram log) texts compiled, not $n"; fi
}
XDG_CACHE_HOME=$work/cold
for n in 2 0; do # the kernel, and the one that every program has
	in='[1.5f16, 2f16]'
	compiled $n ./prog -e halves
done
in='[1.5f16, 2f16]'
compiled 0 ./prog -e again -P # the same kernel, under another name
is '[3.0f16, 4.0f16]'
complains '"name": "again'
in='3i64 [0i64, 2i64, 2i64, 5i64, -1i64]'
run env FAKE_CUDA_FAIL=nvrtcCompileProgram:1 ./prog -e counts
exits 1
complains 'NVRTC: the kernels do not compile'
complains 'a fake error'
for n in 2 1 0 0; do # the file gets what was missing
	case $n in 1) in='[[1i16, 2i16, 3i16]]'; e=transposed ;; *) in='[1.5f16, 2f16]'; e=halves ;; esac
	compiled $n ./prog -e $e --cache-file kernels.cache
done
in='[[1i16, 2i16, 3i16]]'
compiled 0 ./prog -e transposed --cache-file kernels.cache
XDG_CACHE_HOME=$work/cache

about "memory"
in='[1f64, 2f64, 3f64]'
run ./prog
if grep -q 'cuDevicePrimaryCtxRelease: 0 bytes in use' log; then ok; else not_ok "$(tail -1 log)"; fi
in=1000000
run env FAKE_CUDA_MEMORY=1000000 ./prog -e large -n
exits 1
complains 'Failed to allocate memory: 1000000 elements of 8 bytes'
in='[1f64, 2f64, 3f64]'
run env FAKE_CUDA_MEMORY=100000 ./prog -n
exits 0

about "errors"
in='[1f64, 2f64, 3f64]'
run env FAKE_CUDA_FAIL=cuLaunchKernel:1 ./prog
exits 1
complains 'CUDA: cuLaunchKernel gave 999'
for f in cuInit cuDevicePrimaryCtxRetain cuStreamCreate cuModuleLoadData; do
	in='[1f64]'
	run env FAKE_CUDA_FAIL=$f:1 ./prog -D
	# A module that does not load is compiled again.
	[ $f = cuModuleLoadData ] || exits 1
done
in='[1f64]'
run env FAKE_CUDA_DEVICES=0 ./prog
exits 1
complains 'There is no CUDA device'

about "graphs"
cp "$root/tests/gpu/loops.fut" .
run raido cuda -w loops.fut
silent
steps() {
	rm -f log
	in='12i64 [1f64, 2f64]'
	run env "$@"
	is '[10.000732421875f64, 28.01123046875f64]'
}
steps ./loops -e steps -r 5
if grep -q '^cuGraphLaunch 8$' log; then ok; else not_ok "no graphs"; fi
if grep -q 'cuDevicePrimaryCtxRelease:.* 0 graphs' log; then ok; else not_ok "$(tail -n 1 log)"; fi
for without in --no-graphs '--param=graphs=0' -D; do
	steps ./loops -e steps -r 5 $without
	if grep -q cuGraph log; then not_ok "graphs with $without"; else ok; fi
done
steps ./loops -e steps -r 5 -P # whose last call is timed
complains '"count": 12'
# Where the driver makes none.
for f in cuStreamBeginCapture cuStreamEndCapture cuGraphInstantiate; do
	steps FAKE_CUDA_FAIL=$f:1 ./loops -e steps -r 5
	if grep -q cuGraphLaunch log; then not_ok "graphs without $f"; else ok; fi
done
mkdir old
run ${CXX:-g++} -O1 -DFAKE_OLD_DRIVER -shared -fPIC -o old/libcuda.so.1 "$root/tests/gpu/fake_cuda.cc" -ldl
silent
ln -s libcuda.so.1 old/libnvrtc.so
steps LD_LIBRARY_PATH=$PWD/old ./loops -e steps -r 5
if grep -q cuGraph log; then not_ok "graphs of an old driver"; else ok; fi
# Graphs whose arguments change, or cannot be set.
many() {
	rm -f log
	in='300i64 [1f64, 2f64]'
	run env "$@"
}
many ./loops -e steps --no-graphs
want=$out
many ./loops -e steps
is "$want"
if grep -q cuGraphExecKernelNodeSetParams log; then ok; else not_ok "no arguments were set"; fi
many FAKE_CUDA_FAIL=cuGraphExecKernelNodeSetParams:1 ./loops -e steps
is "$want"
if grep -q cuGraphLaunch log; then not_ok "a graph was started"; else ok; fi
in='12i64 [1f64, 2f64]'
run env FAKE_CUDA_FAIL=cuGraphLaunch:1 ./loops -e steps -r 5
exits 1
complains 'CUDA: cuGraphLaunch gave 999'
run raido cuda -w --library loops.fut
silent
run ${CC:-cc} -std=gnu11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -I. -o graphs \
	"$root/tests/gpu/graphs.c" loops.c -lm -lpthread -ldl
if [ "$code" -eq 0 ]; then
	for memory in 100000000 7000000; do
		[ $memory = 7000000 ] && scarce=scarce || scarce=
		run env -u FAKE_CUDA_LOG ASAN_OPTIONS=detect_leaks=0 FAKE_CUDA_MEMORY=$memory ./graphs 60 $scarce
		last=$(printf '%s\n' "$out" | tail -n 1)
		case $last in *", 0 failed") ok ;; *) not_ok "checks failed with $memory bytes" ;; esac
	done
fi

about "edges of graphs"
run ${CC:-cc} -std=gnu11 -g -O1 -w -I. -o edges "$root/tests/gpu/edges.c" -lm -lpthread -ldl
silent
run ./edges
case $(printf '%s\n' "$out" | tail -n 1) in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac

about "graphs in other orders"
# Whatever kernels have to do with each other; a graph as soon as operations have been there once.
eager='-DRD_CHAIN_PERCENT=100 -DRD_SHORT_CHAIN_PERCENT=100 -DRD_SEEN_OFTEN=0 -DRD_SEEN_ALIKE=0'
unset_to=-ftrivial-auto-var-init=pattern
echo 'int main() { }' >empty.cc
if ${CXX:-g++} $unset_to -o empty empty.cc 2>/dev/null; then
	run ${CC:-cc} -std=gnu11 -g -O1 -w $eager -I. -o graphs "$root/tests/gpu/graphs.c" loops.c -lm -lpthread -ldl
	silent
	cp -r "$root/tests/ad" .
	. "$root/tests/share.sh"
	SHARE=$(cd "$root" && choose_share 128 >/dev/null && echo "$SHARE")
	for order in reversed 1 2; do
		rm -f log
		run env FAKE_CUDA_FLAGS=$unset_to XDG_CACHE_HOME="$work/set" FAKE_CUDA_ORDER=$order ./graphs 60
		case $(printf '%s\n' "$out" | tail -n 1) in *", 0 failed") ok ;; *) not_ok "checks failed: $order" ;; esac
		if grep -q '^another order' log; then ok; else not_ok "no other order: $order"; fi
	done
	run env CFLAGS="$CFLAGS -DRD_SHORT_CHAIN_PERCENT=75" "$RAIDO" cuda -w loops.fut
	silent
	steps_apart() {
		rm -f log
		in='12i64 [1f64, 2f64]'
		run env FAKE_CUDA_FLAGS=$unset_to XDG_CACHE_HOME="$work/set" "$@"
		exits 0
	}
	steps_apart ./loops -e apart -r 5
	want=$out
	if grep -q '^cuStreamUpdateCaptureDependencies' log; then ok; else not_ok "chains only"; fi
	for without in --param=concurrent_kernels=0 --no-graphs; do
		steps_apart ./loops -e apart -r 5 $without
		is "$want"
		if grep -q '^cuStreamUpdateCaptureDependencies' log; then not_ok "edges with $without"; else ok; fi
	done
	# The driver does not want them: chains.
	steps_apart FAKE_CUDA_FAIL=cuStreamUpdateCaptureDependencies:1 ./loops -e apart -r 5
	is "$want"
	if grep -q '^cuGraphLaunch' log; then ok; else not_ok "no graphs"; fi
	echo "share $SHARE of 128"
	for f in $(programs_of_share 128 ad/basic ad/combined ad/constructs ad/custom ad/fd ad/found ad/loops); do
		grep -qE '^-- *input' "$f" || continue  # a part of others
		run env -u FAKE_CUDA_LOG FAKE_CUDA_FLAGS=$unset_to XDG_CACHE_HOME="$work/set" FAKE_CUDA_ORDER=$SHARE \
			CFLAGS="$CFLAGS $eager" "$RAIDO" bench --backend=cuda --no-convergence-phase -r 3 "$f"
		exits 0
	done
fi

about "loads ahead, not of buffers that change places from one iteration to the next; scans beside heaps of threads"
for f in gpu/ahead ad/programs/heat gpu/scan_calls; do
	run env -u FAKE_CUDA_LOG "$RAIDO" test --no-terminal --backend=cuda "$root/tests/$f.fut"
	says '^1 passed, 0 failed'
done

about "a server goes on after errors"
run raido cuda --server -o server prog.fut
silent
echo '[1i32, 2i32] [0i64, 7i64] [1i64, 1i64]' >values
in='restore values xs []i32 is []i64 js []i64
call at bad xs is
call at good xs js
store out good
'
run ./server
says 'out of bounds for array of shape'
if raido dataset <out | grep -q '^\[2i32, 2i32\]$'; then ok; else not_ok "no result after an error"; fi

about "a server goes on after kernels that do not compile"
echo '[1.5f16, 2f16]' >halves
in='restore values xs []i32 is []i64 js []i64
restore halves hs []f16
call at bad xs is
call at worse xs js
call halves good hs
store out good
'
run env XDG_CACHE_HOME="$work/other" FAKE_CUDA_FAIL=nvrtcCompileProgram:2 ./server
says 'the kernels do not compile'
if raido dataset <out | grep -q '^\[3.0f16, 4.0f16\]$'; then ok; else not_ok "no result after an error"; fi

about "a library"
cp "$root/tests/gen/interface.fut" "$root/tests/gen/client.c" .
run raido cuda -w --library interface.fut
silent
run ${CC:-cc} -std=gnu11 -g -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined -o client \
	interface.c client.c -lm -lpthread -ldl
if [ "$code" -eq 0 ]; then
	run env ASAN_OPTIONS=detect_leaks=0 FAKE_CUDA_FLAGS=-fsanitize=address ./client
	last=$(printf '%s\n' "$out" | tail -n 1)
	case $last in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac
fi

about "cancelled calls"
cp "$root"/tests/gen/cancel.[cfh]* .
run raido cuda -w --library -o cancel_lib cancel.fut
silent
run ${CC:-cc} -std=gnu11 -w -DDEVICE -DLATEST=1 -o cancel cancel.c cancel_lib.c -lm -lpthread -ldl
silent
run env -u FAKE_CUDA_LOG timeout 60 ./cancel
is '7 passed, 0 failed'

about "checked mode"
run env -u FAKE_CUDA_LOG BACKEND=cuda EVERY=4 CFLAGS='-O0 -w' sh "$root/tests/gen/checked.sh"
case $(printf '%s\n' "$out" | tail -n 1) in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac

about "memory of the host"
cp "$root"/tests/gen/fail_alloc.* .
# One allocation in STEP fails: to try all of them takes long.
run raido cuda -w --derive scaled:split --library -o fail_alloc_lib fail_alloc.fut
silent
run ${CC:-cc} -std=gnu11 -g -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DDEVICE -c \
	-include fail_alloc.h -o library.o fail_alloc_lib.c
if [ "$code" -eq 0 ]; then
	run ${CC:-cc} -g -fsanitize=address,undefined -DDEVICE -o failing fail_alloc.c library.o -lm -lpthread -ldl
	silent
	printf 'leak:libcuda.so\nleak:libnvrtc.so\n' >leaks # what the fake device keeps
	run env -u FAKE_CUDA_LOG LSAN_OPTIONS=suppressions=leaks:print_suppressions=0 ./failing "${STEP:-1009}"
	exits 0
	last=$(printf '%s\n' "$out" | tail -n 1)
	case $last in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac
fi
finish
