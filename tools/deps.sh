#!/bin/sh
# Installs what building needs and the machine lacks: a C compiler, make, and zlib's header;
# with the argument `check` also what the tests need: gzip, C++ and Python for programs that use
# generated libraries, Python's header and NumPy for the package, Jansson for the tool of GradBench
# (tools/gradbench), Lua for a block of docs/editors.md, and an OpenCL platform for processors;
# with the argument `python` what `pip install .` needs: Python with venv and its header.  Says
# nothing when all is there.  Works as root or with sudo.
set -eu

missing=
has() { command -v "$1" >/dev/null 2>&1; }

if has "${CC:-cc}" || has gcc || has clang; then
	cc=${CC:-cc}
	has "$cc" || { has gcc && cc=gcc; } || cc=clang
	echo '#include <stdio.h>' | $cc -E -x c - >/dev/null 2>&1 || missing="$missing libc6-dev"
	echo '#include <zlib.h>' | $cc -E -x c - >/dev/null 2>&1 || missing="$missing zlib1g-dev"
else
	missing="$missing gcc libc6-dev zlib1g-dev"
fi
has make || missing="$missing make"
if [ "${1:-}" = check ]; then
	has gzip || missing="$missing gzip"
	has g++ || has clang++ || missing="$missing g++"
	has python3 || missing="$missing python3"
	has lua || missing="$missing lua5.4"
	# of any Python: tests/python.sh takes the one that has both
	package='import numpy, os, sysconfig as s; os.stat(s.get_paths()["include"] + "/Python.h")'
	python3 -c "$package" 2>/dev/null || /usr/bin/python3 -c "$package" 2>/dev/null ||
		missing="$missing python3-numpy python3-dev"
	ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1 ||
		missing="$missing ocl-icd-libopencl1 pocl-opencl-icd"
	echo '#include <jansson.h>' | ${cc:-cc} -E -x c - >/dev/null 2>&1 ||
		missing="$missing libjansson-dev"
fi

if [ "${1:-}" = python ]; then
	has python3 || missing="$missing python3"
	python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
	header='import os, sysconfig as s; os.stat(s.get_paths()["include"] + "/Python.h")'
	python3 -c "$header" 2>/dev/null ||
		missing="$missing python3-dev"
fi

[ -n "$missing" ] || exit 0

if ! has apt-get; then
	echo "Please install:$missing" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	if ! has sudo; then
		echo "Please install as root:$missing" >&2
		exit 1
	fi
	sudo=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Installing:$missing"
install() {
	# shellcheck disable=SC2086
	$sudo env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends $missing >"$log" 2>&1
}
# The package lists of a fresh machine are empty or old.
if ! install; then
	$sudo apt-get update -qq >"$log" 2>&1 || true
	install || { cat "$log" >&2; exit 1; }
fi
