#!/bin/sh
# The documents for newcomers do what they say: programs are correct, transcripts are exact, links lead
# somewhere.
#
# A ```futhark block whose first line is a comment `-- NAME.fut` is that file, and is checked, and tested if it
# has test blocks; a ```c block that begins with `// NAME.c` is a file too.  In ```console blocks
# each `$ COMMAND` is run, by the document's order, and must print what follows it.  The ```python
# blocks are one program, which is run where the package can be made; those that import torch are
# left out where that is not installed.
#
# Blocks without a name: those of docs/ad.md are correct programs, those of docs/errors.md give the
# errors and warnings that their sections explain, the one of docs/tutorial.md is wrong, as it says.
# The blocks of docs/c-api.md are compiled and run inside of a function `main`, those of docs/python.md
# with arrays `w` and `x`, but for the last, which needs a GPU (tests/python_gpu.sh).  tests/cli/blocks.sh runs
# blocks of other kinds, and checks that there are no blocks that no test runs.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

# extract DOCUMENT: writes its programs, and each command N with what it prints as N.cmd and N.want.
extract() {
	awk '
	/^```/ {
		if (kind != "") { kind = ""; file = ""; next }
		kind = substr($0, 4); if (kind == "") kind = "text"
		first = 1; next
	}
	kind == "futhark" {
		if (first && $0 ~ /^-- [a-z_0-9]+\.fut$/) { file = $2; print file }
		first = 0
		if (file != "") print >file
	}
	kind == "c" {
		if (first && $0 ~ /^\/\/ [a-z_0-9]+\.c$/) file = $2
		first = 0
		if (file != "") print >file
	}
	kind == "console" && /^\$ / {
		n++; printf "" >(n ".want"); print substr($0, 3) >(n ".cmd"); next
	}
	kind == "console" { print >(n ".want") }
	kind == "python" && first { blocks++; first = 0 }
	kind == "python" { print >("block" blocks ".py") }
	' "$1"
}

programs() {
	for p in $(cat .programs); do
		run raido check "$p"
		exits 0
		silent
		grep -q '^-- ==' "$p" || continue
		run raido test -i --no-terminal "$p"
		exits 0
	done
}

transcripts() {
	n=1
	while [ -f $n.cmd ]; do
		ran=$(cat $n.cmd)
		err=
		out=$(PATH=$work/bin:$PATH sh -c "$ran" 2>&1 </dev/null)
		code=$?
		is "$(cat $n.want)"
		n=$((n + 1))
	done
}

# The package, once, for the python3 that has NumPy.
python=
for p in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$p" -c 'import numpy' 2>/dev/null ||
		! PYTHON=$p "$root/python/make.sh" "$work/package" "$RAIDO" 2>/dev/null || python=$p
done

pythons() {
	[ -f block1.py ] && [ -n "$python" ] || return
	for b in block*.py; do
		grep -q 'import torch' "$b" && ! "$python" -c 'import torch' 2>/dev/null || cat "$b" >>all.py
	done
	run env -u RAIDO PYTHONPATH="$work/package" RAIDO_CACHE="$work/cache" "$python" all.py
	exits 0
}

# document FILE PROGRAMS COMMANDS: and at least so many of each are found.
document() {
	about "$1"
	dir=$work/$(basename "$1" .md)
	mkdir -p "$dir/build" && cd "$dir" || exit 1
	ln -s "$RAIDO" build/raido
	extract "$root/$1" >.programs
	programs
	transcripts
	case $1 in README.md | docs/tutorial.md) pythons ;; esac
	ran="extract $1"
	out=$(cat .programs)
	if [ "$(wc -l <.programs)" -ge "$2" ] && [ "$n" -gt "$3" ]; then ok; else not_ok "too few blocks found"; fi
	cd "$work" || exit 1
}

# unnamed DOCUMENT LANGUAGE: writes its blocks without a name of a file as 1.LANGUAGE, 2.LANGUAGE, ...
# and the heading above each as 1.name, 2.name, ...
unnamed() {
	rm -f ./*."$2" ./*.name
	awk -v language="$2" '
	/^#/ && kind == "" { heading = $2 }
	/^```/ { kind = kind == "" ? substr($0, 4) "`" : ""; first = 1; next }
	kind == language "`" {
		if (first) named = $0 ~ /^(--|\/\/) [a-z_0-9]+\.[a-z]+$/
		if (first && !named) { n++; print heading >(n ".name") }
		first = 0
		if (!named) print >(n "." language)
	}' "$root/$1"
}

# Each unnamed program of a document is checked, and what is said is held against the function $2;
# there are at least $1.
each_unnamed() {
	n=1
	while [ -f $n.futhark ]; do
		cp $n.futhark block.fut
		run raido check block.fut
		"$2"
		n=$((n + 1))
	done
	ran="$2" out=$((n - 1))
	if [ $n -gt "$1" ]; then ok; else not_ok "too few blocks found"; fi
}

is_correct() { exits 0; }
is_wrong() { exits 2; }
is_explained() { complains "raido explain $(cat $n.name)\$"; }

c_block() {     # NUMBER PROGRAM DECLARATIONS RESULT
	echo "$2" >block.fut
	run raido c --library block.fut
	{
		printf '#include <stdio.h>\n#include <stdlib.h>\n#include "block.h"\nint main(void)\n{\n'
		printf '%s\n' "$3"
		cat "$1.c"
		printf '%s\n' "$4"
		echo 'return 0; }'
	} >main.c
	run ${CC:-cc} -w -std=c11 -o block main.c block.c -lm
	exits 0
	run ./block
	exits 0
	is "$5"
}

# The address of a heading: lower case, words joined by "-", as markup.c and GitHub have it.
anchors() {
	sed -n 's/^##* *//p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}

# Links inside of the tree, and the headings that they lead to.
links() {
	about "links of $1"
	for link in $(grep -o '](\([^)]*\))' "$root/$1" | sed 's/^](//; s/)$//' | sort -u); do
		case $link in http*) continue ;; esac
		ran=$link out= err= code=0
		file=$root/$(dirname "$1")/${link%%#*}
		case $link in '#'*) file=$root/$1 ;; esac
		if [ -e "$file" ]; then ok; else not_ok "no such file"; fi
		case $link in
		*#*) if anchors "$file" | grep -qx "${link#*#}"; then ok; else not_ok "no such heading"; fi ;;
		esac
	done
}

# Files of the tree that are named in `code`; NAME stands for any.
paths() {
	about "paths in $1"
	for path in $(grep -oE '`(src|tests|tools|bench|rts|docs|examples|editors|fuzz)/[A-Za-z0-9_./*-]+' "$root/$1" |
		tr -d '`' | grep -v NAME | sort -u); do
		ran=$path out= err= code=0
		if (cd "$root" && ls -d $path >/dev/null 2>&1); then ok; else not_ok "no such file"; fi
	done
}

mkdir bin && ln -s "$RAIDO" bin/raido
document README.md 1 3
document docs/tutorial.md 6 9
document docs/cookbook.md 10 2
document docs/guide.md 10 4
document docs/performance.md 2 0
document docs/tools.md 3 4
document docs/architecture.md 1 5
document docs/ad.md 1 2
document docs/c-api.md 1 4
document docs/reliability.md 1 0

about "blocks without a name"
unnamed docs/ad.md futhark
each_unnamed 4 is_correct
unnamed docs/tutorial.md futhark
each_unnamed 1 is_wrong
unnamed docs/errors.md futhark
each_unnamed 26 is_explained

about "docs/c-api.md"
unnamed docs/c-api.md c
c_block 1 'entry main (xs: []i32) = map (+ 1) xs' 'int32_t data[] = {1, 2, 3}; int64_t n = 3;' \
	'printf("%d %d %d\n", data[0], data[1], data[2]);' '2 3 4'
c_block 2 'entry scale (k: f64) (xs: []f64) = map (* k) xs' \
	'struct futhark_context *ctx = futhark_context_new(futhark_context_config_new());' \
	'printf("%d %d\n", err, (int)m);' '0 3'

about "docs/python.md"
if [ -n "$python" ]; then
	unnamed docs/python.md python
	echo 'entry loss [n] (w: [n]f64) (x: [n]f64) : f64 = f64.sum (map2 (*) w x)' >model.fut
	for module in numpy torch jax; do
		"$python" -c "import $module" 2>/dev/null || continue
		n=$(case $module in numpy) echo 1 ;; torch) echo 2 ;; jax) echo 3 ;; esac)
		{
			echo "import $module, raido"
			[ $module = numpy ] || echo "import raido.$module"
			echo 'm = raido.compile("model.fut")'
			case $module in
			numpy) echo 'w, x = numpy.ones(3), numpy.ones(3)' ;;
			torch) echo 'w, x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)' ;;
			esac
			cat $n.python
		} >block.py
		run env -u RAIDO PYTHONPATH="$work/package" RAIDO_CACHE="$work/cache" "$python" block.py
		exits 0
	done
fi
for f in README.md HACKING.md SECURITY.md examples/README.md editors/README.md $(cd "$root" && ls docs/*.md); do
	links "$f"
	paths "$f"
done
finish
