#!/bin/sh
# The examples are right, and their pages and pictures are there; those that need no gnuplot are made anew.
# (examples/render.sh makes all of them.)
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp -R "$root/examples" "$work/examples" && cd "$work/examples" || exit 1
export CFLAGS="-O1 -std=c11 -w"         # to save the time of the C compiler
about "results"
run raido test -c --no-terminal .
exits 0

about "pages"
for program in $(grep -l '^-- > ' -- *.fut); do
	name=${program%.fut}
	for picture in $(sed -n 's/^!\[\](\(.*\))$/\1/p' "$name.md"); do
		ran="$name.md" out=$picture err= code=0
		if [ -s "$picture" ]; then ok; else not_ok "no such picture"; fi
	done
	if grep -q "($name.md)" README.md; then ok; else not_ok "$name.md is not in the gallery"; fi
	if ! grep -q '^-- > :[gp][nl]' "$program"; then
		run raido literate --unsafe --stop-on-error -o new.md "$program"
		exits 0
	fi
done
finish
