#!/bin/sh
# What the host does in a call on CUDA tensors, without a device: instructions of a call, and functions of the driver and of
# the framework that it calls.  On the device of tests/gpu/fake_cuda.cc, whose own instructions are left out, by callgrind.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
RAIDO=${RAIDO:-$here/build/raido}
PYTHON=${PYTHON:-python3}
export PYTHON
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHON_CFLAGS=-g "$here/python/make.sh" "$work/package" "$RAIDO"
include=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
cc -O2 -shared -fPIC -I"$include" -o "$work/frame.so" "$here/bench/python/frame.c"
g++ -O1 -w -shared -fPIC -o "$work/libcuda.so.1" "$here/tests/gpu/fake_cuda.cc" -ldl
ln -s libcuda.so.1 "$work/libnvrtc.so"
PYTHONPATH=$work/package RAIDO_CACHE=$work/cache XDG_CACHE_HOME=$work/kernels LD_LIBRARY_PATH=$work PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH RAIDO_CACHE XDG_CACHE_HOME LD_LIBRARY_PATH PYTHONDONTWRITEBYTECODE
for out in "" out; do
	"$PYTHON" "$here/bench/python/host.py" "$work/frame.so" 10 $out         # compiled before it is counted
	for n in 200 1200; do
		valgrind --tool=callgrind --toggle-collect=entry_vectorcall --callgrind-out-file="$work/$n" \
			"$PYTHON" "$here/bench/python/host.py" "$work/frame.so" $n $out >/dev/null 2>&1
	done
	"$PYTHON" - "$work/200" "$work/1200" "axpb${out:+, out=}" <<'P'
import re, sys

FAKE = ("libcuda.so.1", "fake_cuda_so")         # its instructions are not the driver's; with what it calls


def read(path):
    """Calls of each function; and instructions that are not under the fake device's functions."""
    names, objects, calls, ir, fake = {}, {}, {}, 0, 0
    ob = cob = fn = cfn = ""

    def named(text, table):
        m = re.match(r"\((\d+)\)(?: (.*))?", text)
        if m[2]:
            table[m[1]] = m[2]
        return table[m[1]]
    is_call = False
    for line in open(path):
        key, _, rest = line.rstrip("\n").partition("=")
        if key == "ob":
            ob = named(rest, objects)
        elif key == "fn":
            fn, cob = named(rest, names), None
        elif key == "cob":
            cob = named(rest, objects)
        elif key == "cfn":
            cfn = named(rest, names)
        elif key == "calls":
            is_call, into = True, cob or ob
            if not any(f in ob for f in FAKE):
                calls[cfn] = calls.get(cfn, 0) + int(rest.split()[0])
            cob = None
        elif re.match(r"[+*\-\d]", line):
            n = int(line.split()[1])
            if not is_call:
                ir += n
            elif any(f in into for f in FAKE) and not any(f in ob for f in FAKE):
                fake += n
            is_call = False
    return calls, ir - fake


(c1, i1), (c2, i2) = read(sys.argv[1]), read(sys.argv[2])
print(f"{sys.argv[3]:<12} {(i2 - i1) / 1000:8.0f} instructions;", ", ".join(
    f"{(n - c1.get(f, 0)) / 1000:g} {f}" for f, n in sorted(c2.items()) if re.match("cu[A-Z]|frame_", f) and n - c1.get(f, 0) > 400))
P
done
