# The REPL, with its input from a pipe.
. "$(dirname "$0")/lib.sh"

about "a session"
in='1 + 2
let x = 5i32
x * 2
def f (y: i32) = y + x
f 1
let x = 7i32
f 1
' run raido repl
exits 0
is '[0]> 3
[1]> [2]> 10
[3]> [4]> 6
[5]> [6]> 6
[7]> Leaving '"'raido repl'."

about "values"
in='(1, true)
[[1, 2], [3, 4]]
map
#foo 3 : #foo i32 | #bar
' run raido repl
says '^\[0\]> \(1,$'
says '^ true\)$'
says '^\[1\]> \[\[1, 2\],$'
says '#<fun>'
says '#foo 3$'

about "mistakes do not end it"
in='nope
[1,2][3]
1 +* 2
4 + 4
' run raido repl
exits 0
says 'Unknown name "nope"'
says 'out of bounds'
says '> 8$'

about "a declaration that fails is as if it had not been entered"
echo 'def wrong = nope
def right = 5i32' >half.fut
in='def g = nope
g
module k = nope
k.x
open nope
z
type t = nope
3 : t
import "half"
right
import "half"
right
9 + 9
' run raido repl
exits 0
says 'Unknown name "g"'
says 'Unknown name "k"'
says 'Unknown name "z"'
says 'Unknown type "t"'
says 'Unknown name "right"'
says '> 18$'

about "a program that cannot be loaded leaves the one before"
echo 'def kept = 41i32' >kept.fut
echo 'def bad = nope' >bad.fut
in=':load kept.fut
:load nowhere.fut
kept + 1
:load bad.fut
kept + 2
' run raido repl
says '> 42$'
says '> 43$'

about "several lines"
in='let y =
  3i32

y
' run raido repl
says '> 3$'

about "commands"
echo 'def loaded = 42i32' >p.fut
mkdir sub
in=':load p.fut
loaded
:type loaded
:type \(x: i32) -> x
:type iota
:format value {loaded} and {1+1}
:string "hello"
:string 3
:mtype {def x = 1i32}
:mtype {type t '"'"'a [n] = [n]a type~ u = []i32 type^ f = i32 -> i32 def g [n] (xs: [n]i8) = xs}
:frobnicate
:t true
:unbreak
:help
:pwd
:cd sub
:pwd
:cd nowhere
:quit
' run raido repl
exits 0
if printf '%s' "$out" | grep -q Loading; then result no "transcripts do not say what is loaded"; else result ok; fi
says '> 42$'
says '> i32$'
says 'i32 -> i32$'
says '\[n\]i64'
says '> value 42 and 2$'
says '> hello$'
says 'is not a string'
says 'val x : i32'
says "> Unknown command 'frobnicate'$"
says '> bool$'
says "^  type t 'a \[n\] = \[n\]a$"
says '^  type~ u = \?\[([a-z0-9]+)\]\.\[[a-z0-9]+\]i32$'
says '^  type\^ f = i32 -> i32$'
says '^  val g \[n\] : \[n\]i8 -> \[n\]i8$'
says '> Not stopped at a breakpoint\.$'
for c in load format string type mtype unbreak nanbreak frame pwd cd help quit; do
	says "^  :$c +[A-Z]"
done
says '/sub$'
says 'nowhere: No such file'
if printf '%s' "$out" | grep -q Leaving; then result no ":quit says nothing"; else result ok; fi

about "a program given"
in='loaded + 1
' run raido repl p.fut
says '> 43$'
about "declarations, functions, arrays of tuples"
in='let x = 3
map
[(1, true), (2, false)]
' run raido repl
says '#<fun> : \('
says '\[\(1, true\), \(2, false\)\]'
if printf '%s' "$out$err" | grep -q Warning; then not_ok "a warning"; else ok; fi

about "the value of a let is kept"
in='let xs = trace (map (*2) (iota 3))
let n = length (filter (>0) xs)
let ys = iota n
def at (i: i64) = ys[i] + xs[i] + n
at 1
map at (iota n)
zip ys (iota n)
let xs = 5i64
at 1
xs
' run raido repl
exits 0
says '> 5$'
says '> \[2, 5\]$'
says '> \[\(0, 0\), \(1, 1\)\]$'
says '> 5$'
cp .out session
run grep -c '\[0, 2, 4\]' session
is 1

# The interpreter would take much longer for these.
about "compiled code behind the interpreter"
long='def f (n: i64) = loop s = 0u64 for i < n do s * 31 + u64.i64 i
f 600000000
f 600000001
let kept = f 600000002 % 1000
kept
'
export CFLAGS='-O1 -std=c11 -w'
in=":elapsed
$long" run timeout 300 "$RAIDO" repl
exits 0
says '> 11198034242646549248$'
says '> 15097668195871097600$'
says '> 201$'
cp .out session
run grep -c ' s, compiled$' session
is 3
unset CFLAGS
in='let keep = map (\i -> i * i) (iota 10)
loop s = 0 for i < 2000000 do (s + keep[i % 10]) % 1009
:help
' CC=nowhere/cc run raido repl
exits 0
says '> 581$'
says 'No C compiler was found'

if command -v python3 >/dev/null 2>&1; then
	about "at a terminal"
	cat >terminal.py <<'END'
import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "repl"] + sys.argv[2:])
os.write(fd, b"iota 1000\ntabulate_2d 30 40 (\\i j -> i * j)\n:quit\n")
text = b""
try:
    while True:
        part = os.read(fd, 4096)
        if not part:
            break
        text += part
except OSError:
    pass
os.waitpid(pid, 0)
print(text.decode(errors="replace"))
END
	run python3 terminal.py "$RAIDO"
	says '28, 29, \.\.\., 970, 971'
	says '\(1000 elements\)'
	says '^ \[0, 29, 58, \.\.\., 1073, 1102, 1131\]\] \(30 by 40 elements\)'
	run python3 terminal.py "$RAIDO" --all
	says '499, 500, 501'
	cat >keys.py <<'END'
import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], [sys.argv[1], "repl"])


def until(word):
    text = b""
    while word not in text:
        text += os.read(fd, 4096)


until(b"[0]>")
os.write(fd, b"def yonder = 41i32\r")
until(b"[1]>")
os.write(fd, b"(trace 7i32, loop a = 1i64 for j < 1000000000000 do a * 3 + j)\r")
until(b": 7")
os.write(fd, b"\x03")                   # ends the evaluation; definitions stay
until(b"Interrupted.")
os.write(fd, b"loop a = 1i64 for j < 1000000000000 do a * 3 + j\r")
time.sleep(3)                           # it is being compiled, or the compiled code runs
os.write(fd, b"\x03")
until(b"Interrupted.")
os.write(fd, b"yon\t + 1\r")
until(b"\n42")
os.write(fd, b"f64.sq\t 4\r")
until(b"\n2.0")
os.write(fd, b"f64.a\t\t")
until(b"atan2pi")
os.write(fd, b"\x15:do\tmap\r")
until(b"Apply a function to each element: ")
os.write(fd, b":quit\r")
os.waitpid(pid, 0)
print("all answered")
END
	run timeout 120 python3 keys.py "$RAIDO"
	is 'all answered'
fi
finish
