#!/bin/sh
# What Raido does, in one minute: compile a program, take its gradient, show the result.
set -eu
raido=${RAIDO:-$(dirname "$0")/../build/raido}
case $raido in /*) ;; *) raido=$PWD/$raido ;; esac
cd "$(dirname "$0")"
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
show() { sed 's/^/    /'; }

echo "The program (examples/gradient.fut):"
sed -n '/^def residuals/,/^$/p; /^def loss/,/^$/p' "$here/gradient.fut" | show
echo "The line that takes its gradient, in reverse mode:"
grep 'vjp2' "$here/gradient.fut" | show
echo "Compiled: raido c gradient.fut"
"$raido" c "$here/gradient.fut" -o "$dir/gradient"
echo "The loss of the line y = x through (0,1) (1,3) (2,5), and its gradient by slope and offset:"
echo '[0.0, 1.0, 2.0] [1.0, 3.0, 5.0] 1.0 0.0' | "$dir/gradient" | show
echo "The best line, by 500 steps of gradient descent:"
echo '[0.0, 1.0, 2.0] [1.0, 3.0, 5.0] 500 0.05' | "$dir/gradient" -e fit | show
echo "The same gradient in the interpreter, without a C compiler: raido run gradient.fut"
echo '[0.0, 1.0, 2.0] [1.0, 3.0, 5.0] 1.0 0.0' | "$raido" run "$here/gradient.fut" | show
echo "Next: docs/tutorial.md"
