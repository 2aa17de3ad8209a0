# check, check-syntax, tokens, imports, hash, defs, query, fmt.
. "$(dirname "$0")/lib.sh"

cat >good.fut <<'END'
-- | Doubles.
def double (x: i32) : i32 = x + x

entry main (x: i32) : i32 = double x
END
cat >bad.fut <<'END'
def f (x: i32) : i32 = x

entry main (x: i32) : i32 = f y
END
cat >warns.fut <<'END'
entry main (x: i32) : i32 = let y = x in 3
END
cat >syntax.fut <<'END'
entry main (x: i32 = x
END

about "check"
run raido check good.fut
exits 0
silent
run raido check bad.fut
exits 2
complains '^Error at bad\.fut:3:31-32:$'
complains '^Unknown name "y"'
run raido check warns.fut
exits 0
complains '^Warning at warns\.fut:1:'
complains '^  Unused name "y"\.'
run raido check -w warns.fut
exits 0
silent
run raido check --Werror warns.fut
exits 2
complains 'Treating above warnings as errors due to --Werror\.'
run raido check syntax.fut
exits 2
complains '^Error at syntax\.fut:1:'
run raido check nofile.fut
if [ "$code" -ne 0 ]; then result ok; else result no "a missing file is an error"; fi
complains 'nofile\.fut'

about "check-syntax"
run raido check-syntax bad.fut
exits 0
silent
run raido check-syntax syntax.fut
exits 2
complains '^Error at syntax\.fut:1:'

mkdir lib
echo 'def two = 2i32' >lib/two.fut
echo 'import "two"  def four = two + two' >lib/four.fut
cat >prog.fut <<'END'
import "lib/four"
module m = { def five = four + 1  type t = i32 }
entry main = m.five
END

about "imports"
run raido imports prog.fut
exits 0
is 'lib/two.fut
lib/four.fut
prog.fut'
run raido imports syntax.fut
exits 2

about "programs with errors of types"
mkdir -p wrong
echo 'def one : i32 = true' >wrong/lib.fut
echo 'import "lib"
def main = one + 2.5' >wrong/main.fut
run raido imports wrong/main.fut
is 'wrong/lib.fut
wrong/main.fut'
run raido hash wrong/main.fut
exits 0
run raido defs wrong/main.fut
exits 0
says '^value main '
says '^value one '
run raido query wrong/main.fut 2 5
exits 2

about "what follows from an error"
cat >cascade.fut <<'EOF'
def g (x: i32) = nope x
def f = match g 1 case #none -> 1i32 case #some p -> p
def h = match (g 1, true) case (true, true) -> 1i32 case (false, _) -> 2 case (_, false) -> 3
EOF
run raido check cascade.fut
exits 2
complains 'Unknown name "nope"'
if echo "$err" | grep -q Unmatched; then not_ok "a match on what had an error"; else ok; fi

about "hash"
run raido hash prog.fut
exits 0
says '^[0-9a-f]{32}$'
before=$out
run raido hash prog.fut
is "$before"
cp prog.fut was.fut
{ echo '-- A comment.'; sed 's/ = /  =\n   /' was.fut; } >prog.fut
run raido hash prog.fut
is "$before"
sed 's/ = / = 1 + /' was.fut >prog.fut
run raido hash prog.fut
if [ "$out" != "$before" ]; then result ok; else result no "the hash covers the program"; fi
mv was.fut prog.fut
echo 'def two = 3i32' >lib/two.fut
run raido hash prog.fut
if [ "$out" != "$before" ]; then result ok; else result no "the hash covers imports"; fi

about "defs"
run raido defs prog.fut
exits 0
says '^value two lib/two\.fut:1:5-1:8$'
says '^module m prog\.fut:2:8-2:9$'
says '^value m\.five prog\.fut:2:'
says '^type m\.t prog\.fut:2:'
says '^value main prog\.fut:3:7-3:11$'

about "query"
run raido query good.fut 4 30
exits 0
says '^Name: double$'
says '^Position: good\.fut:4:29-35$'
says '^Type: .*i32\)? -> i32$'
says '^Definition: good\.fut:2:5-'
run raido query good.fut 2 29
says '^Name: x$'
says '^Type: i32$'
run raido query good.fut 3 1
is 'No information available.'
run raido query good.fut 99 1
is 'No information available.'
run raido query good.fut one 1
exits 2

about "tokens"
run raido tokens good.fut
exits 0
says '^2:1-4 def$'
says '^4:29-35 double$'

about "fmt"
printf 'def   f (x:i32)=x+1\n' >ugly.fut
run raido fmt --check ugly.fut
exits 1
says '^ugly\.fut'
run raido fmt ugly.fut
exits 0
silent
run raido fmt --check ugly.fut
exits 0
silent
in='def   f (x:i32)=x+1
' run raido fmt
exits 0
is "$(cat ugly.fut)"
in='def f(a:*[3]i32)(b:bool)=if b then[1i32]else[2]
def g(a:*[3]i32)=let[n](b:[n]i32)=a with[0]=1 in[n]
def h=#[foo][1i32]
' run raido fmt
exits 0
is 'def f (a: *[3]i32) (b: bool) = if b then [1i32] else [2]
def g (a: *[3]i32) = let [n] (b: [n]i32) = a with [0] = 1 in [n]
def h = #[foo] [1i32]'
run raido fmt syntax.fut
exits 2
complains '^Error at syntax\.fut:1:'
run raido check ugly.fut
exits 0
finish
