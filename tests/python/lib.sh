# What python.sh and python_gpu.sh share: files of unit tests, run with $PYTHON.

# Adds what the output of unit tests in $work/NAME says to `passed` and `failed`, and shows it if a test failed.
count_unittest() { # NAME CODE
	n=$(sed -n 's/^Ran \([0-9]*\) tests* in.*/\1/p' "$work/$1")
	bad=$(sed -n 's/^FAILED (\(.*\))$/\1/p' "$work/$1" | tr ',' '\n' | sed 's/[^0-9]//g' |
		awk '{s += $1} END {print s + 0}')
	[ "$2" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1 && n=$((${n:-0} + 1))
	[ "$2" -ne 0 ] && cat "$work/$1"
	passed=$((passed + ${n:-0} - bad))
	failed=$((failed + bad))
}

# Further arguments come before the interpreter (env ...).
run_unittest() { # FILE [COMMAND...]
	file=$1
	shift
	"$@" "$PYTHON" "$file" >"$work/out" 2>&1
	count_unittest out $?
	grep '^python: ' "$work/out"            # what was skipped
	return 0
}
