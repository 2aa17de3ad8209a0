# The REPL at breakpoints.
. "$(dirname "$0")/lib.sh"

cat >stops.fut <<'EOF'
module m : { type t val mk : i32 -> t val get : t -> i32 } = {
  type t = i32
  def mk (x: i32) = x + 100
  def get (x: i32) = x - 100
}
def g [n] 'a (xs: [n]a) (k: m.t) (f: a -> i32) =
  let double = (let hidden = 2 in hidden) * n
  in #[break] (map f xs)[0] + m.get k + i32.i64 double
def h (y: i32) = let z = y + 1 in g [(z, 1.5f32), (y, 2.5)] (m.mk z) (.0)
def down (n: i32) : i32 = if n == 0 then #[break] n + 7 else down (n - 1)
def put (a: *[3]i32) = let b = a with [0] = 7 in #[break] b[0] + i32.i64 (length b)
def root (x: f64) = f64.sqrt x + 1
EOF

about "names in scope"
in='h 3
length xs
map (.0) xs
m.get k + 1000
hidden
double
:frame
:frame 1
[y, z]
xs
:frame 9

h 4
:unbreak
h 5
' run raido repl stops.fut
exits 0
says 'Stopped at a breakpoint'
says '^#0 stops.fut:8:15-55$'
says '^  xs : \[2\]\(i32, f32\)$'
says '^  k : m.t$'
says '> \[4, 3\]$'
says '> 1004$'
says 'Unknown name "hidden"'
says '> 4$'
says '^#1 stops.fut:9:35-74$'
says '> \[3, 4\]$'
says 'Unknown name "xs"'
says "Invalid frame '9'"
says '> 12$'
says '> 14$'
says '> 16$'

about "recursion, consumption, functions of arrays"
in='down 3
n + 100

put [1, 2, 3]
(a, b)

map (\x -> #[break] x * 2) [10, 20]
x + 1

x + 1
:unbreak
' run raido repl stops.fut
says '> 100$'
says '> 7$'
says '> \(\[1, 2, 3\],$'
says '^ \[7, 2, 3\]\)$'
says '> 10$'
says '> 11$'
says '> 21$'
says '> \[20, 40\]$'

about "giving up"
in='h 3
:load stops.fut
1 + 1
' run raido repl stops.fut
says '^Interrupted\.$'
says '> 2$'

about "a breakpoint at a breakpoint"
in='h 3
root 16 + f64.i32 (down 2)
n - 5

1 + 1

' run raido repl stops.fut
says '> -5$'
says '> 12.0$'
says '> 2$'
says '> 12$'

about "leaving"
in='h 3
:quit
' run raido repl stops.fut
exits 0
if printf '%s' "$out" | grep -q Interrupted; then not_ok ":quit says nothing"; else ok; fi

about "NaN"
in='root (-1)
:nanbreak
root (-1)
:frame

0.0 / 0.0

f64.nan + 1
1.0 / 0 - 1.0 / 0
:unbreak
:nanbreak
root (-1)
' run raido repl stops.fut
exits 0
says 'Evaluation stops where a NaN comes into being'
says 'Stopped: sqrt gives NaN for -1.0\.$'
says '^#1 stops.fut:12:21-31$'
says 'Stopped: div gives NaN for 0.0 0.0\.$'
says 'Stopped: sub gives NaN for f64.inf f64.inf\.$'
says 'Evaluation does not stop at NaN'
n=$(printf '%s\n' "$out" | grep -c '> f64.nan$')
if [ "$n" -eq 6 ]; then ok; else not_ok "$n NaNs instead of 6"; fi

about "compiled code does not stop"
cat >on.fut <<'EOF'
def main (x: i32) = #[break] x + 1
EOF
in='4' run raido run on.fut
is '5i32'
finish
