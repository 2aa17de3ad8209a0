#!/bin/sh
# Checked mode tells of what tests/checked/faults.fut does, with the line, the index and the values: interpreted,
# by each back end for processors, or by that of BACKEND if it is set; of the cases one in EVERY (default: all).
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/checked/faults.fut" .
CFLAGS=${CFLAGS:--O1 -std=c11 -w}
export CFLAGS
backends=${BACKEND:-c multicore}
ways=${BACKEND:-run $backends}
for backend in $backends; do
	about "$backend"
	run raido "$backend" -w --checked -o "$backend.default" faults.fut
	exits 0
	[ "$backend" != "${BACKEND:-}" ] || continue # a device compiles long enough
	run raido "$backend" -w --checked=overflow -o "$backend.overflow" faults.fut
	exits 0
done

# Runs it: $2 is the list of checks, "default" for what --checked means.
execute() {
	case $1.$2 in
	run.default) run raido run -w --checked -e "$entry" faults.fut ;;
	run.*) run raido run -w "--checked=$2" -e "$entry" faults.fut ;;
	*) run "./$1.$2" -e "$entry" ;;
	esac
}

# One case: $line, $entry, $input, $want.
check() {
	checks=default
	case $input in
	'[overflow]'*) checks=${input%%]*}
		checks=${checks#[}
		input=${input#*] } ;;
	esac
	for how in $ways; do
		[ "$how" = run ] || [ -x "$how.$checks" ] || continue
		about "$how: $entry $input"
		in=$input
		execute "$how" "$checks"
		if [ "$want" = fine ]; then
			exits 0
			continue
		fi
		exits 1
		case $err in
		*"faults.fut:$line:"*) result ok ;;
		*) result no "expected line $line" ;;
		esac
		case $err in
		*"$want"*) result ok ;;
		*) result no "expected: $want" ;;
		esac
	done
}

grep -nE '^(--  .* => |entry )' faults.fut | awk '
	{ split($0, at, ":") }
	at[2] ~ /^entry/ { split($0, word, " "); for (i = 0; i < n; i++) print at[1], word[2], cases[i]; n = 0; next }
	{ cases[n++] = substr($0, length(at[1]) + 6) }' >cases
n=0
while read -r line entry case; do
	n=$((n + 1))
	[ $((n % ${EVERY:-1})) -eq 0 ] || continue
	input=${case%% => *}
	want=${case#* => }
	check </dev/null
done <cases

# A share of programs that do nothing wrong, none of which may be accused.
accused_of_nothing="ad/constructs/logsumexp ad/loops/intact ad/loops/uneven ad/programs/gaussian_process
	ad/programs/sorting ad/soacs/hist_2d ad/soacs/scan_nested lang/loop/in_place
	lang/programs/complex_fft lang/programs/kmeans lang/programs/segmented lang/programs/sparse_matrices"
for program in $accused_of_nothing; do
	[ -z "${BACKEND:-}" ] || continue
	about "$program"
	run raido test -i --no-terminal --checked "$root/tests/$program.fut"
	exits 0
done

if [ -z "${BACKEND:-}" ]; then
	about 'messages with floats are one call'
	run raido c -w --checked --library -o faults faults.fut
	run grep 'rd_put(ctx, "%s", " is ")' faults.c
	silent
	about 'unknown checks'
	run raido c --checked=scater faults.fut
	exits 2
	complains 'there is no check "scater"'
fi
finish
