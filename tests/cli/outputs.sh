#!/bin/sh
# What commands write: whole or not at all, and never over what they read.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cat >prog.fut <<'END'
import "part"
entry main = one
END
echo 'def one = 1i32' >part.fut
cp prog.fut saved

about "the output is the program"
run raido c -o prog.fut prog.fut
exits 2
complains '^The output prog.fut is the file prog.fut of the program'
run cmp prog.fut saved
exits 0
run raido c -o part.fut prog.fut
exits 2
complains '^The output part.fut is the file part.fut'
ln -s prog.fut other
run raido c -o other prog.fut
exits 2
complains '^The output other is the file prog.fut'
ln prog.fut lib.c
run raido c --library -o lib prog.fut
exits 2
complains '^The output lib.c is the file prog.fut'
rm lib.c other

# limited COMMAND...: with room for one block in each file.
limited() {
	run sh -c 'trap "" XFSZ; ulimit -f 1; exec "$@"' limited "$RAIDO" "$@"
}

about "a full disk"
run raido c --library -o lib prog.fut
exits 0
cp lib.c good.c
limited c --library -o lib prog.fut
exits 1
complains '^Cannot write lib\.c: '
run cmp lib.c good.c
exits 0
run raido c -o prog prog.fut
exits 0
limited c -o prog prog.fut
exits 1
run ./prog
is 1i32
printf 'entry one = 1i32\n\n' >long.fut
for _ in $(seq 200); do echo '-- A line that is in the text as it is.'; done >>long.fut
run raido literate long.fut
exits 0
cp long.md good.md
limited literate --skip-compilation long.fut
exits 1
complains '^Cannot write long\.md: '
run cmp long.md good.md
exits 0
run sh -c 'ls | grep "\.new$"'
is ''

about "what is no file"
mkfifo pipe.c
cat pipe.c >through &
run raido c --library -o pipe prog.fut
exits 0
wait
run grep -c futhark_entry_main through
not_empty=$out
if [ "${not_empty:-0}" -gt 0 ]; then ok; else not_ok "nothing went through the pipe"; fi
if [ -e /dev/full ]; then
	ln -s /dev/full full.c
	run raido c --library -o full prog.fut
	exits 1
	complains '^Cannot write full\.c: No space left'
fi

about "a program that does not compile leaves the old one"
CC=false run raido c -o prog prog.fut
exits 1
run ./prog
is 1i32
finish
