# Files that are not what a programmer means to write.
. "$(dirname "$0")/lib.sh"

about "white space"
: >empty.fut
run raido check empty.fut
exits 0
silent
printf 'def f = 1i32' >open.fut
run raido check open.fut
exits 0
silent
printf 'def f (x: i32) =\r\n  let y = x\r\n  in y -- that\r\n' >crlf.fut
run raido check crlf.fut
exits 0
silent
printf '\357\273\277def f = 1i32\n' >bom.fut
run raido check bom.fut
exits 0
silent
head -c 1000000 /dev/zero | tr '\0' ' ' >line.fut
run raido check line.fut
exits 0
silent

about "bytes that are not text"
printf 'def f = 1i32 \0 def g = 2i32\n' >zero.fut
run raido check zero.fut
exits 2
complains '^Error at zero\.fut:1:14-15:$'
complains '^Unexpected character with code 0\.$'
printf 'def f = "a\0b" -- c\0d\n' >zeros.fut
run raido check zeros.fut
exits 2
complains '^Error at zeros\.fut:1:11-12:$'
complains '^Error at zeros\.fut:1:19-20:$'
run raido fmt --check zeros.fut
exits 2
printf 'def f = 1i32 -- \377\376\ndef g = 2i32\n' >utf8.fut
run raido check utf8.fut
exits 2
complains '^Error at utf8\.fut:1:17-19:$'
complains '^Invalid UTF-8 in source text\.$'
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%c%c", 128 + i % 128, i % 128 }' >noise.fut
run raido check noise.fut
exits 2
printf 'import "a\\0b"\n' >zero_path.fut
run raido check zero_path.fut
exits 2
complains 'no character with code 0'

about "unfinished tokens"
for text in '"abc' '"\' "'a" "'\\" '0x' '0b' '1e' '#[' '#' '`f' '$' '"\x' '"\u{110000}"'; do
	printf 'def f = %s' "$text" >token.fut
	run raido check token.fut
	exits 2
done

about "extreme literals"
cat >literals.fut <<'END'
def a : f64 = 1e999999999999999999999
def b : i64 = 99999999999999999999999999
def c : f32 = 1e-99999999999
def d : f64 = 0x1.8p-99999999999
def e : u8 = 256
def f = 256u8
def g = 99999999999999999999999999i64
END
run raido check -w literals.fut
exits 2
complains '^Error at literals\.fut:1:'
complains '^Error at literals\.fut:2:'
complains '^Error at literals\.fut:5:'

about "files that cannot be read"
mkdir dir.fut
run raido check dir.fut
exits 2
complains 'Is a directory'
run raido check missing.fut
exits 2
complains 'Could not read file "missing\.fut"'
echo 'def f = 1i32' >present.fut
run raido check present
exits 2
complains 'Hint: did you mean "present\.fut"\?'
echo 'def f = 1i32' >secret.fut
chmod 000 secret.fut
run raido check secret.fut
# Whoever may read everything reads this as well.
if [ -r secret.fut ]; then exits 0; else exits 2; fi

about "files without an end"
if [ -c /dev/zero ]; then
	ln -s /dev/zero endless.fut
	for command in 'check endless.fut' 'fmt --check endless.fut' 'test -i endless.fut'; do
		eval "run raido $command"
		complains 'File too large'
	done
fi

about "standard output that cannot be written"
if [ -w /dev/full ]; then
	for command in 'eval 1' 'eval "iota 10000"' '--help' 'check --help' 'dataset -g [100000]i32'; do
		ran=$command
		eval "raido $command" >/dev/full 2>.err
		code=$?
		err=$(cat .err)
		exits 1
		complains '^raido: cannot write to standard output'
	done
fi
ran='eval 1 >&-'
raido eval 1 >&- 2>.err
code=$?
err=$(cat .err)
exits 1
complains '^raido: cannot write to standard output'

about "a back end of another compiler"
run raido pyopencl prog.fut
exits 2
complains 'unknown command "pyopencl"; its back ends are c, multicore, opencl and cuda'

about "a program instead of a command"
run raido prog.fut
exits 2
complains 'did you mean "raido run prog.fut" or "raido c prog.fut"\?'

about "imports"
echo 'import "self"' >self.fut
run raido check self.fut
exits 2
complains 'Import cycle: self\.fut -> self\.fut'
echo 'import "b"' >a.fut
echo 'import "sub/c"' >b.fut
mkdir sub
echo 'import "../a"' >sub/c.fut
run raido check a.fut
exits 2
complains 'Import cycle: a\.fut -> b\.fut -> sub/c\.fut -> a\.fut'
echo 'import "dir"' >import_dir.fut
run raido check import_dir.fut
exits 2
complains 'Is a directory'
for path in '' / .. ../.. ./ /prelude/missing missing; do
	echo "import \"$path\"" >import.fut
	run raido check import.fut
	exits 2
	complains 'Could not read file'
done
echo 'import "/prelude/prelude"  def f = i32.abs 1' >prelude.fut
run raido check prelude.fut
exits 0

about "files without end"
if [ -c /dev/zero ]; then
	for command in 'check /dev/zero' 'fmt /dev/zero' 'datacmp /dev/zero /dev/zero' 'benchcmp /dev/zero /dev/zero'; do
		# shellcheck disable=SC2086
		run timeout 100 "$RAIDO" $command
		if [ "$code" -eq 1 ] || [ "$code" -eq 2 ]; then ok; else not_ok "raido $command: exit code $code"; fi
	done
fi

finish
