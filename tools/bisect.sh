#!/bin/sh
# Finds the pass, and its rewrite, after which a program gives wrong results in the interpreter.
#   usage: tools/bisect.sh PROGRAM.fut [c|multicore|cuda|opencl]      RAIDO: the compiler
# The program has test blocks, which hold before any pass.  It prints the pass, the number of the
# rewrite, and what that one rewrite does to core.
set -eu
raido=${RAIDO:-$(dirname "$0")/../build/raido}
program=$1
backend=${2:-c}
passes=$("$raido" dev --pipeline="$backend" | cut -d' ' -f1)
n_passes=$(printf '%s\n' "$passes" | wc -l)

# The first N passes, with commas.
first() {
	printf '%s\n' "$passes" | head -n "$1" | paste -sd, -
}

# works N [OPTION]: does the program give what it should after N passes?
works() {
	n=$1
	shift
	[ "$n" -eq 0 ] || set -- --after="$(first "$n")" "$@"
	"$raido" test -i --no-terminal "$@" "$program" >/dev/null 2>&1
}

# The least number above $1, up to $2, for which the command `fails NUMBER` fails.
least() {
	low=$1
	high=$2
	while [ $((high - low)) -gt 1 ]; do
		middle=$(((low + high) / 2))
		if "$3" "$middle"; then low=$middle; else high=$middle; fi
	done
	echo "$high"
}

works 0 || { echo "$program fails before any pass."; exit 1; }
if works "$n_passes"; then
	echo "$program is right in the interpreter after all $n_passes passes."
	exit 1
fi
at=$(least 0 "$n_passes" works)
pass=$(printf '%s\n' "$passes" | sed -n "${at}p")
echo "pass $at of $n_passes: $pass"

with_fuel() {
	works "$at" --fuel="$pass:$1"
}

if ! with_fuel 0; then
	echo "It is not one of its rewrites: the pass fails without any."
	exit 0
fi
most=1
while with_fuel "$most"; do
	most=$((most * 2))
	[ "$most" -le 1000000 ] || { echo "With a million rewrites it works."; exit 1; }
done
rewrite=$(least $((most / 2)) "$most" with_fuel)
echo "rewrite $rewrite of $pass"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for k in $((rewrite - 1)) "$rewrite"; do
	"$raido" dev --check=off --fuel="$pass:$k" "$program" "$(first "$at")" \
		>"$out/$k" 2>&1 || true
done
diff -U 3 "$out/$((rewrite - 1))" "$out/$rewrite" || true
