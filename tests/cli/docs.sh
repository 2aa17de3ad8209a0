#!/bin/sh
# The documents for newcomers do what they say: programs are correct, transcripts are exact, links lead
# somewhere.
#
# In README.md, docs/tutorial.md and docs/cookbook.md a ```futhark block whose first line is a comment
# `-- NAME.fut` is that file, and is checked, and tested if it has test blocks.  In ```console blocks
# each `$ COMMAND` is run, by the document's order, and must print what follows it.  The ```python
# blocks are one program, which is run where the package can be made; those that import torch are
# left out where that is not installed.
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

# Links inside of the tree, without what follows `#`.
links() {
	about "links of $1"
	for link in $(grep -o '](\([^)]*\))' "$root/$1" | sed 's/^](//; s/)$//; s/#.*//' | sort -u); do
		case $link in http*) continue ;; esac
		ran=$link out= err= code=0
		if [ -e "$root/$(dirname "$1")/$link" ]; then ok; else not_ok "no such file"; fi
	done
}

mkdir bin && ln -s "$RAIDO" bin/raido
document README.md 1 1
document docs/tutorial.md 6 9
document docs/cookbook.md 10 2
document docs/guide.md 10 4
document docs/performance.md 2 0
document docs/tools.md 3 4
document docs/architecture.md 1 5
for f in README.md HACKING.md $(cd "$root" && ls docs/*.md); do
	links "$f"
done
finish
