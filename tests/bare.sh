#!/bin/sh
# README.md and docs/tutorial.md, followed to the letter on a bare Debian system:
#
#     tests/bare.sh [DIR]
#
# Needs root, debootstrap and a network.  The system is made in DIR/debian (the smallest that there is) unless it is
# there, and started by chroot; DIR is kept if it is given.  The commands of README.md and docs/python.md are taken
# from their ```sh blocks, and run one after the other in a copy of the checked-in files; tests/cli/docs.sh, which is
# one of the tests that are run there, does what both pages say of programs.
#
#     FULL=1      `make check` as it stands; without it, the groups unit, error and cli of the tests
#     TORCH=1     also `pip install torch`
#     MIRROR=URL  of Debian; COPY="FILE..."  what is copied from this system (settings of pip, certificates)
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
passed=0 failed=0

finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
	exit
}
for tool in debootstrap chroot; do
	if [ "$(id -u)" != 0 ] || ! command -v $tool >/dev/null; then
		echo "bare.sh: needs root and $tool, skipped"
		finish
	fi
done
if [ $# -gt 0 ]; then
	mkdir -p "$1" && dir=$(cd "$1" && pwd) || exit 1
	given=yes
else
	dir=$(mktemp -d) || exit 1
	given=
fi
debian=$dir/debian
home=/home/newcomer             # in that system
# Sanitizers look into /proc, and tests of the REPL open terminals; both are the system's own.
cleanup() {
	umount "$debian/proc" "$debian/dev/pts" 2>/dev/null
	[ -n "$given" ] || rm -rf --one-file-system "$dir"
}
trap cleanup EXIT
[ -d "$debian/usr" ] ||
	debootstrap --variant=minbase bookworm "$debian" ${MIRROR:+"$MIRROR"} >"$dir/debootstrap.log" 2>&1 ||
	{ tail -n 3 "$dir/debootstrap.log"; failed=1; finish; }
cp /etc/resolv.conf "$debian/etc/" 2>/dev/null
mount -t proc proc "$debian/proc" 2>/dev/null
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$debian/dev/pts" 2>/dev/null &&
	ln -sf pts/ptmx "$debian/dev/ptmx"
rm -rf "$debian$home/raido"
mkdir -p "$debian$home/raido"
(cd "$root" && git archive HEAD) | tar -x -C "$debian$home/raido"

# step TEXT COMMAND: runs it in the system, in the copy; says what it printed last, and all of it if it failed.
# What is copied is copied before each step, since packages bring files of the same names (certificates).
step() {
	printf 'bare.sh: %s\n' "$1"
	for file in ${COPY:-}; do
		mkdir -p "$debian/$(dirname "$file")" && cp "$file" "$debian/$file"
	done
	if chroot "$debian" /usr/bin/env -i HOME=$home PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
		LANG=C.UTF-8 sh -c "cd $home/raido && $2" >"$dir/log" 2>&1 </dev/null; then
		passed=$((passed + 1))
		tail -n 2 "$dir/log" | sed 's/^/    /'
	else
		failed=$((failed + 1))
		cat "$dir/log"
	fi
}

# commands DOCUMENT: the lines of its ```sh blocks, without comments.
commands() {
	awk '/^```/ { on = !on && /^```sh$/; next } on' "$root/$1" | sed 's/  *# .*//'
}

before=
{ commands README.md; commands docs/python.md; } >"$dir/commands"
while read -r command <&3; do
	case $command in
	*'make check'*)
		[ -n "${FULL:-}" ] ||
			command='tools/deps.sh check && make -j$(nproc) all $(ls tests/unit/*.c |
				sed "s,tests/\(.*\).c,build/\1,") && tests/run unit error cli'
		;;
	*torch*) [ -n "${TORCH:-}" ] || continue ;;
	*'[cc]'*) continue ;;
	esac
	step "$command" "$before$command"
	case $command in *activate*) before='. ~/raido-env/bin/activate && ' ;; esac
done 3<"$dir/commands"
awk '/^```/ { on = !on && /^```python$/; n += on; next } on && n == 1' "$root/README.md" >"$debian$home/first.py"
echo 'print(value, gradient)' >>"$debian$home/first.py"
step "README.md's program in Python" "cd / && $before python3 $home/first.py"
finish
