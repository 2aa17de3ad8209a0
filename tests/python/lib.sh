# What python.sh and python_gpu.sh share: runs a file of unit tests with $PYTHON, adds to `passed` and `failed`, and
# shows what it said if a test failed.  Further arguments come before the interpreter (env ...).
run_unittest() { # FILE [COMMAND...]
	file=$1
	shift
	"$@" "$PYTHON" "$file" >"$work/out" 2>&1
	code=$?
	n=$(sed -n 's/^Ran \([0-9]*\) tests* in.*/\1/p' "$work/out")
	bad=$(sed -n 's/^FAILED (\(.*\))$/\1/p' "$work/out" | tr ',' '\n' | sed 's/[^0-9]//g' |
		awk '{s += $1} END {print s + 0}')
	[ "$code" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1 && n=$((${n:-0} + 1))
	[ "$code" -ne 0 ] && cat "$work/out"
	passed=$((passed + ${n:-0} - bad))
	failed=$((failed + bad))
}
