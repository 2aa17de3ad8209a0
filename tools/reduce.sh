#!/bin/sh
# Makes a file smaller, line by line, as long as a command succeeds on it:
#   usage: tools/reduce.sh FILE COMMAND...
# The command gets the name of a candidate, with the ending of FILE, as its last argument, and
# succeeds where the fault shows:
#   tools/reduce.sh wrong.fut sh -c '! build/raido test -i --after=soac "$0"'
#   tools/reduce.sh bug.core sh -c 'build/raido dev "$0" fuse 2>&1 | grep -q "not in scope"'
# What is left is printed.
set -eu
file=$1
shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
now=$out/now.${file##*.}
try=$out/try.${file##*.}
cp "$file" "$now"
if ! "$@" "$now" >/dev/null 2>&1; then
	echo "$file: the command does not succeed on it" >&2
	exit 1
fi

# Pieces of half the file, then of half that, to single lines; and once more while that helps.
size=$(wc -l <"$now")
while [ "$size" -gt 0 ]; do
	from=1
	smaller=no
	while [ "$from" -le "$(wc -l <"$now")" ]; do
		sed "${from},$((from + size - 1))d" "$now" >"$try"
		if "$@" "$try" >/dev/null 2>&1; then
			cp "$try" "$now"
			smaller=yes
		else
			from=$((from + size))
		fi
	done
	[ "$size" -eq 1 ] && [ "$smaller" = yes ] || size=$((size / 2))
done
cat "$now"
