#!/bin/sh
# The command literate: blocks, directives, files.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
export CFLAGS="${CFLAGS:--O0 -w}"

fence='```'
md() {
	ran="cat $1"
	out=$(cat "$1")
}

about "text, code and values"
cat >a.fut <<'END'
-- # Squares
--
-- Text.

-- | A doc comment.
entry sq (x: i32) = x * x
entry pair (x: i32) = {a = x, b = [1f32]}

-- About the tests.
-- ==
-- input { 2 }

entry img (n: i64) : [n][n]u32 = tabulate_2d n n (\i j -> u32.i64 (0xff000000 + i * 256 + j))

-- > sq 3

-- > let x = sq 2
--   in (x, sq x)

-- > :brief :img img 2;
-- file: two.png

-- > :covert pair 1

-- The end.
END
run raido literate a.fut
silent
exits 0
md a.md
is "# Squares

Text.

${fence}futhark
-- | A doc comment.
entry sq (x: i32) = x * x
entry pair (x: i32) = {a = x, b = [1f32]}
$fence

About the tests.

${fence}futhark
-- ==
-- input { 2 }

entry img (n: i64) : [n][n]u32 = tabulate_2d n n (\\i j -> u32.i64 (0xff000000 + i * 256 + j))
$fence

$fence
> sq 3
$fence

$fence
9i32
$fence


$fence
> let x = sq 2
  in (x, sq x)
$fence

$fence
(4i32, 16i32)
$fence


$fence
> :img img 2
$fence

![](a-img/two.png)


$fence
{a=1i32, b=[1.0f32]}
$fence

The end."

about "an image"
cat >png.py <<'END'
import struct, zlib
b = open("a-img/two.png", "rb").read()
assert b[:8] == b"\x89PNG\r\n\x1a\n"
at, data = 8, b""
while at < len(b):
    n, kind = struct.unpack(">I4s", b[at:at + 8])
    body = b[at + 8:at + 8 + n]
    assert struct.unpack(">I", b[at + 8 + n:at + 12 + n])[0] == zlib.crc32(kind + body)
    if kind == b"IHDR":
        print(struct.unpack(">IIBB", body[:10]))
    if kind == b"IDAT":
        data += body
    at += 12 + n
print(list(zlib.decompress(data)))
END
run python3 png.py
is '(2, 2, 8, 6)
[0, 0, 0, 0, 255, 0, 0, 1, 255, 0, 0, 1, 0, 255, 0, 1, 1, 255]'

about "sounds, videos and plots"
mkdir bin
cat >bin/ffmpeg <<'END'
#!/bin/sh
for last; do :; done
echo "$@" | sed 's/ [^ ]*raido-[^ ]*/ DIR/' >"$last"
END
cat >bin/gnuplot <<'END'
#!/bin/sh
sed "s/'[^']*raido-[^']*\//'/" "$1" >commands
data=$(sed -n "s/^f='\(.*\)'$/\1/p" "$1")
[ -z "$data" ] || cat "$data" >data
END
chmod +x bin/*
cat >b.fut <<'END'
entry tone : [3]f64 = [0, 1, -1]
entry step (k: u32) (s: i32) : ([2][2]u32, i32) = (replicate 2 (replicate 2 (k + u32.i32 s)), s + 1)
entry xs (n: i64) = map f64.i64 (iota n)

-- > :audio tone;
-- sampling_frequency: 8000

-- > :video (step 5u32, 1, 3);
-- fps: 10
-- format: gif

-- > :plot2d {f=(xs 2, xs 2)};
-- size: (30, 20)
END
run env PATH="$PWD/bin:$PATH" "$RAIDO" literate -o out/b.md b.fut
exits 1
complains 'Cannot make the directory out/b-img'
mkdir out
run env PATH="$PWD/bin:$PATH" "$RAIDO" literate -o out/b.md b.fut
silent
exits 0
md out/b.md
says '^!\[\]\(b-img/0.wav\)$'
says '^!\[\]\(b-img/1.gif\)$'
says '^!\[\]\(b-img/2.png\)$'
run od -An -v -tx1 out/b-img/0.wav
is ' 52 49 46 46 2a 00 00 00 57 41 56 45 66 6d 74 20
 10 00 00 00 01 00 01 00 40 1f 00 00 80 3e 00 00
 02 00 10 00 64 61 74 61 06 00 00 00 00 00 ff 7f
 00 80'
run cat out/b-img/1.gif
is '-v error -y -framerate 10 -i DIR out/b-img/1.gif'
run cat commands data
is "set terminal png size 30,20 enhanced
set output 'out/b-img/2.png'
set key outside
f='f'
plot 'f' with lines title 'f'
0.0 0.0
1.0 1.0"

about "what fails"
cat >c.fut <<'END'
entry pick (x: i32) : #a | #b i32 = if x == 0 then #a else #b x

-- > pick 1

-- > nope

-- > :foo 1

-- > (1

-- > 7

-- > :img 7;
-- fiel: a.png
END
run raido literate c.fut
exits 1
complains '^c.fut:13: unknown parameter "fiel"; there are: file $'
complains '^c.fut:3: Type #a \| #b i32 has no external representation\.$'
complains '^c.fut:5: Unknown entry point: nope$'
complains '^c.fut:7: unknown directive ":foo"$'
complains '^c.fut:9: expected .* at the end$'
md c.md
says '^\*\*FAILED\*\*$'
says '^7i32$'
rm c.md
run raido literate --stop-on-error c.fut
exits 1
if [ -e c.md ]; then not_ok "c.md is there"; else ok; fi
run raido literate nofile.fut
exits 2
about "definitions that are no entry points"
cat >plain.fut <<'END'
def double (x: i32) = x * 2
def any 'a (x: a) = x
def both (n: i64) = (any (iota n), double 3)

-- > double 4

-- > let x = both 2 in (x, double 1)

-- > nope 1
END
run raido literate plain.fut
exits 1
complains 'plain.fut:9: Unknown entry point: nope'
md plain.md
is "${fence}futhark
def double (x: i32) = x * 2
def any 'a (x: a) = x
def both (n: i64) = (any (iota n), double 3)
$fence

$fence
> double 4
$fence

${fence}
8i32
$fence


$fence
> let x = both 2 in (x, double 1)
$fence

$fence
(([0i64, 1i64], 6i32), 2i32)
$fence


$fence
> nope 1
$fence

**FAILED**
$fence
Unknown entry point: nope
$fence"


about "a document that is not trusted"
mkdir safe outer
cd safe || exit 1
ln -s ../outer link
cat >d.fut <<END
entry one = 1i32

-- > \$store "inside" one

-- > \$store "../outside" one

-- > \$store "$work/absolute" one

-- > \$store "link/through" one

-- > \$restore "i32" "../outer/secret"

-- > \$restore "i32" "link/secret"

-- > :gnuplot {f=([1.0, 2.0], [1.0, 2.0])};
-- plot f
-- system("touch ran")

-- > \$loadbytes "../outer/secret"

-- > \$loaddata "link/secret"

-- > \$loadbytes "inside"
END
printf 'b\002\000 i32\007\000\000\000' >../outer/secret
run raido literate d.fut
exits 1
complains '^d.fut:5: \./\.\./outside is not in the folder of the document'
complains '^d.fut:7: .*/absolute is not in the folder of the document'
complains '^d.fut:9: \./link/through is not in the folder of the document'
complains '^d.fut:11: .*secret is not in the folder of the document'
complains '^d.fut:13: .*secret is not in the folder of the document'
complains '^d.fut:15: A script of gnuplot may run any command'
complains '^d.fut:19: .*secret is not in the folder of the document'
complains '^d.fut:21: .*secret is not in the folder of the document'
if grep -q 'd.fut:23' .err; then not_ok "a file inside cannot be read"; else ok; fi
if [ -e inside ]; then ok; else not_ok "inside is not there"; fi
if [ -e ../outside ] || [ -e "$work/absolute" ] || [ -e ../outer/through ] || [ -e ran ]; then
	not_ok "something was written outside"
else
	ok
fi
run env PATH="$PWD/../bin:$PATH" "$RAIDO" literate --unsafe d.fut
exits 0
if [ -e ../outside ] && [ -e "$work/absolute" ] && [ -e ../outer/through ]; then
	ok
else
	not_ok "something was not written"
fi
rm -rf d-img
ln -s ../outer d-img
run raido literate d.fut
exits 1
complains '^d-img is a symbolic link'
if [ -e ../outer/secret ]; then ok; else not_ok "a file outside is gone"; fi
cd ..

about "names in scripts of gnuplot"
printf 'entry xs = [1.0, 2.0]\n\n-- > :plot2d {f=(xs, xs)};\n' >e.fut
mkdir "it's"
run env PATH="$PWD/bin:$PATH" "$RAIDO" literate -o "it's/e.md" e.fut
exits 0
run cat commands
says "^set output 'it''s/e-img/0.png'$"
finish
