#!/bin/sh
# Makes the package: python/make.sh TO [RAIDO] puts it into the folder TO/raido, with the extension compiled and
# the compiler RAIDO inside.  $PYTHON: which Python; $CC, $PYTHON_CFLAGS: how the extension is compiled.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=$1
python=${PYTHON:-python3}
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
[ -e "$include/Python.h" ] || { echo "python/make.sh: no Python.h in $include (Debian: python3-dev)" >&2; exit 1; }
mkdir -p "$to/raido"
for f in "$here"/raido/*.py "$here"/raido/*.pyi "$here"/raido/py.typed; do
	[ -e "$f" ] && cp "$f" "$to/raido/"
done
# The types of the uniform interface, from the run-time of generated programs.
sed -n '/^#ifndef RAIDO_CALL$/,/^\/\/ @chunk call:/p' "$here/../rts/c/call.h" | sed '$d' >"$to/_call.h"
# shellcheck disable=SC2086
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Wno-cast-function-type -fvisibility=hidden -fPIC -shared \
	${PYTHON_CFLAGS:-} -I"$include" -I"$to" -o "$to/raido/_raido.abi3.so" "$here"/raido/_*.c -lm -ldl -pthread
rm "$to/_call.h"
if [ $# -gt 1 ]; then
	mkdir -p "$to/raido/bin"
	cp "$2" "$to/raido/bin/raido"
fi
