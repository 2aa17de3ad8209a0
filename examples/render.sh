#!/bin/sh
# Makes the documents of the examples anew: NAME.md and its pictures in NAME-img, from NAME.fut.
# Plots need gnuplot.
#
#     examples/render.sh [NAME...]
set -eu
raido=${RAIDO:-$(dirname "$0")/../build/raido}
case $raido in /*) ;; *) raido=$PWD/$raido ;; esac
cd "$(dirname "$0")"
if [ $# = 0 ]; then
	set -- $(grep -l '^-- > ' -- *.fut | sed 's/\.fut$//')
fi
for name; do
	echo "$name"
	# Scripts of gnuplot in the examples are our own, hence --unsafe.
	"$raido" literate --unsafe --stop-on-error "$name.fut"
	rm -f "$name" "$name.c"
done
