#!/bin/sh
# The Python package: RAIDO=path tests/python.sh.  Makes it for python3 (or $PYTHON), and runs tests/python/test_*.py
# with it; those of PyTorch and JAX where these are installed.  ASAN=1: the extension with the address sanitizer.
# TESTS: which of numpy, package (wheels), docs (programs in documents), torch, jax and cuda, which is about programs for a
# device that there need not be.
here=$(cd "$(dirname "$0")/.." && pwd)
RAIDO=${RAIDO:-$here/build/raido}
if [ -z "${PYTHON:-}" ]; then           # the system's, if the first one has no NumPy
	PYTHON=python3
	python3 -c 'import numpy' 2>/dev/null || ! /usr/bin/python3 -c 'import numpy' 2>/dev/null ||
		PYTHON=/usr/bin/python3
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export PYTHON RAIDO
passed=0
failed=0
. "$here/tests/python/lib.sh"

skip() {
	echo "python: $1"
	echo "0 passed, 0 failed"
	exit 0
}
command -v "$PYTHON" >/dev/null 2>&1 || skip "skipped, there is no $PYTHON"
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "skipped, $PYTHON is older than 3.11"
"$PYTHON" -c 'import numpy' 2>/dev/null || skip "skipped, $PYTHON has no NumPy"

if [ -n "${ASAN:-}" ]; then
	PYTHON_CFLAGS="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
	export PYTHON_CFLAGS
fi
if ! "$here/python/make.sh" "$work/package" "$RAIDO" 2>"$work/log"; then
	grep -q 'no Python.h' "$work/log" && skip "skipped, $(cat "$work/log")"
	cat "$work/log"
	echo "0 passed, 1 failed"
	exit 1
fi
if [ -s "$work/log" ]; then
	cat "$work/log"                 # warnings
	failed=$((failed + 1))
fi
if [ -n "${ASAN:-}" ]; then
	# the last: PyTorch itself, at its end
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=1:new_delete_type_mismatch=0
	# with what throws: it looks for that when it is loaded, which is before PyTorch and JAX load theirs
	LD_PRELOAD="$(${CC:-cc} -print-file-name=libasan.so) $(${CC:-cc} -print-file-name=libstdc++.so.6)"
	export ASAN_OPTIONS
	mkdir "$work/tools"             # compilers take twice as long with it
	for tool in cc gcc c++ g++; do
		printf '#!/bin/sh\nunset LD_PRELOAD\nexec %s "$@"\n' "$(command -v $tool)" >"$work/tools/$tool"
		chmod +x "$work/tools/$tool"
	done
	PATH=$work/tools:$PATH
fi
PYTHONPATH=$work/package
PYTHONDONTWRITEBYTECODE=1
RAIDO_CACHE=$work/cache
export PYTHONPATH RAIDO_CACHE PYTHONDONTWRITEBYTECODE
unset RAIDO                             # the compiler is in the package

make_fake_device() {
	mkdir "$work/fake" && ${CXX:-g++} -O1 -w -shared -fPIC -o "$work/fake/libcuda.so.1" "$here/tests/gpu/fake_cuda.cc" \
		-ldl 2>/dev/null && ln -s libcuda.so.1 "$work/fake/libnvrtc.so"
}
for test in ${TESTS:-numpy package docs torch jax cuda}; do
	[ "$test" = examples ] && continue
	if [ "$test" = cuda ]; then
		if ! make_fake_device; then
			echo "python: there is no C++ compiler, tests for CUDA are skipped"
			continue
		fi
		LD_LIBRARY_PATH=$work/fake XDG_CACHE_HOME=$work/kernels
		export LD_LIBRARY_PATH XDG_CACHE_HOME
	elif [ "$test" != docs ] && [ "$test" != package ] && ! "$PYTHON" -c "import $test" 2>/dev/null; then
		echo "python: $test is not installed, its tests are skipped"
		continue
	fi
	run_unittest "$here/tests/python/test_$test.py" env ${LD_PRELOAD:+LD_PRELOAD="$LD_PRELOAD"}
done

# The same gradient by two processes or devices: EXAMPLE MODULE COMMAND...
example() {
	name=$1
	if ! "$PYTHON" -c "import $2" 2>/dev/null || ! command -v "$3" >/dev/null 2>&1; then
		echo "python: $2 is not installed, the example $name is skipped"
		return
	fi
	shift 2
	if timeout 300 "$@" "$here/python/examples/$name.py" >"$work/out" 2>&1; then passed=$((passed + 1))
	else
		cat "$work/out"
		failed=$((failed + 1))
	fi
}
if [ -z "${TESTS:-}${ASAN:-}" ] || [ "${TESTS:-}" = examples ]; then
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
	example ddp torch "$PYTHON"
	example jax_sharded jax "$PYTHON"
	example dask_map dask "$PYTHON"
	example mpi mpi4py mpirun --oversubscribe -n 2 "$PYTHON"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
