#!/bin/sh
# What Raido does, in one minute: run a program, take its gradient, show the result.
set -eu
raido=${RAIDO:-$(dirname "$0")/../build/raido}
cd "$(dirname "$0")" && here=$PWD && cd "$OLDPWD"
show() { sed 's/^/    /'; }

echo "The program (examples/gradient.fut):"
sed -n '/^def loss/,/^$/p' "$here/gradient.fut" | show
echo "The loss of the line y = x through (0,1) (1,3) (2,5), and its gradient:"
echo '[0.0, 1.0, 2.0] [1.0, 3.0, 5.0] 1.0 0.0' | "$raido" run "$here/gradient.fut" | show
echo "The best line, by 500 steps of gradient descent:"
echo '[0.0, 1.0, 2.0] [1.0, 3.0, 5.0] 500 0.05' | "$raido" run -e fit "$here/gradient.fut" | show
