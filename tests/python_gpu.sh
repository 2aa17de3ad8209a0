#!/bin/sh
# The Python package on a machine with a CUDA device: RAIDO=path tests/python_gpu.sh.  Makes the package for python3 (or
# $PYTHON), and runs tests/python/test_gpu_*.py with it where PyTorch and JAX have a GPU.
# (The block for GPUs of docs/python.md is one of them.)
# TESTS: which of torch and jax; BENCH=host: the host's time of calls afterwards, and what the driver takes of that; BENCH=1: all
# of bench/python/cuda.py; LIMIT: seconds that each part may take.
here=$(cd "$(dirname "$0")/.." && pwd)
RAIDO=${RAIDO:-$here/build/raido}
PYTHON=${PYTHON:-python3}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export PYTHON
passed=0
failed=0
. "$here/tests/python/lib.sh"
if ! "$here/python/make.sh" "$work/package" "$RAIDO"; then
	echo "0 passed, 1 failed"
	exit 1
fi
PYTHONPATH=$work/package${PYTHONPATH:+:$PYTHONPATH}
PYTHONDONTWRITEBYTECODE=1
RAIDO_CACHE=$work/cache
XDG_CACHE_HOME=$work/kernels
XLA_PYTHON_CLIENT_PREALLOCATE=false
export PYTHONPATH RAIDO_CACHE PYTHONDONTWRITEBYTECODE XDG_CACHE_HOME XLA_PYTHON_CLIENT_PREALLOCATE
unset RAIDO                             # the compiler is in the package

has_gpu() {
	case $1 in
	torch) "$PYTHON" -c 'import torch; assert torch.cuda.is_available()' ;;
	jax) "$PYTHON" -c 'import jax; jax.devices("gpu")' ;;
	esac >"$work/out" 2>&1
}
# Several at the same time: most of it is compiling.
parts() {
	case $1 in
	torch) echo Calls Streams Graphs Differentiation ;;
	jax) echo Plain Wrapped ;;
	esac
}
running=
for test in ${TESTS:-torch jax}; do
	if ! has_gpu "$test"; then
		echo "python: $test has no GPU, its tests are skipped: $(tail -n 1 "$work/out")"
		continue
	fi
	for part in $(parts "$test"); do
		timeout "${LIMIT:-300}" "$PYTHON" "$here/tests/python/test_gpu_$test.py" "$part" >"$work/$test.$part" 2>&1 &
		running="$running $test.$part:$!"
	done
done
for part in $running; do
	wait "${part#*:}"
	count_unittest "${part%:*}" $?
	echo "python: ${part%:*}: $(sed -n 's/^\(Ran .*\|OK.*\|FAILED.*\)/\1/p' "$work/${part%:*}" | tr '\n' ' '); $passed passed, $failed failed so far"
done
if [ -n "${BENCH:-}" ]; then
	${CC:-cc} -O2 -o "$work/driver" "$here/bench/python/driver.c" -ldl && "$work/driver" || failed=$((failed + 1))
	# shellcheck disable=SC2086
	timeout "${LIMIT:-300}" "$PYTHON" "$here/bench/python/cuda.py" ${BENCH#1} || failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
