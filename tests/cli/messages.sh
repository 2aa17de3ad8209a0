# Messages beyond those of the checker: explain, warnings, errors when programs run.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

CFLAGS=${CFLAGS:--O0 -std=c11}
export CFLAGS

about "explain"
run raido explain use-after-consume
exits 0
says '^use-after-consume$'
says '^def f .a: .*let b = a with'
run raido explain
exits 0
says '^  ambiguous-size '
run raido explain use-after-consum
exits 1
complains 'did you mean "use-after-consume"\?'
echo 'def f (a: *[4]i32) = let b = a with [1] = 7 in (b, a[2])' >gone.fut
run raido check gone.fut
complains '^For more information, run: raido explain use-after-consume$'
for name in $("$RAIDO" explain | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
	run raido explain "$name"
	exits 0
done

about "derivatives by integers"
cat >int.fut <<'END'
entry a (xs: []i32) = vjp (\xs -> f64.sum (map f64.i32 xs)) xs 1
entry b (x: f64) = vjp (\x -> i64.f64 x) x 1
entry c (x: f64) (n: i64) = vjp (\(x, n) -> x * f64.i64 n) (x, n) 1
entry d (x: f64) = vjp (\x -> x > 0) x true
END
run raido check int.fut
exits 0
complains '^Warning at int\.fut:1:23-65:$'
complains 'This derivative is by integers\.'
complains '^Warning at int\.fut:2:20-45:$'
complains 'This derivative is of a function whose results are integers\.'
complains '^Warning at int\.fut:4:20-44:$'
complains 'This derivative is of a function whose results are booleans\.'
if printf '%s' "$err" | grep -q 'int.fut:3'; then not_ok "a warning of mixed arguments"; else ok; fi

about "files that cannot be read"
echo 'entry main (x: f64) = x' >program.fut
printf '\177ELF\0\1' >program
run raido run progam.fut
exits 2
complains '^Could not read file "progam\.fut"\.$'
complains '^Hint: did you mean "program\.fut"\?$'
run raido run elsewhere/other.fut
complains '^Note: there is no such file\.$'
run raido run program
complains '^"program" is not the text of a program\.$'
complains '^Hint: did you mean "program\.fut"\?$'

about "types that are chosen"
echo 'def f = map (+ 1) (replicate 3 0)' >chosen.fut
run raido check chosen.fut
exits 0
complains '^  Defaulting ambiguous type to i32\.$'
complains '^  Hint: if another type is meant, write it: "3i64", "\(x: i64\)", "3\.0"\.$'

about "custom rules that capture"
cat >capture.fut <<'END'
def scaled (c: f64) : f64 -> f64 = with_vjp (\x -> c * x) (\_ g -> c * g)
entry grad (c: f64) (x: f64) = vjp (\(c, x) -> scaled c x) (c, x) 1
entry one (c: f64) (x: f64) = vjp (\x -> scaled c x) x 1
END
run raido check capture.fut
exits 0
complains '^Warning at capture\.fut:2:48-58:$'
complains 'captures a variable that the program differentiates by'
complains 'the variable is used in "c \* x" at capture\.fut:1:52-57'
if printf '%s' "$err" | grep -q 'capture.fut:3'; then not_ok "a warning of a constant"; else ok; fi

about "exclusive or as a power"
cat >power.fut <<'END'
def square (x: i32) = x ^ 2
def ten (n: i64) = 1 + 10 ^ n
def norm (x: i64) (y: i64) = x ^ 2 + y ^ 2
END
cat >mask.fut <<'END'
def flip (x: i32) = x ^ 1
def mask (x: i32) = (x ^ 0x2, x ^ 0b11, x ^ 2i32, x ^ (2 + x))
def bits (x: i32) = (x >> 3) ^ 2
def unsigned (x: u32) = x ^ 2
def other (x: i32) (y: i32) = x ^ y
def own (x: i32) = let (^) = \(a: i32) (b: i32) -> a - b in x ^ 2
END
run raido check power.fut
exits 0
complains '^Warning at power\.fut:1:23-28:$'
complains '^Warning at power\.fut:2:20-30:$'
complains '^Warning at power\.fut:3:30-39:$'
complains 'Hint: a power is "x \*\* 2"'
complains 'raido explain power-or-xor$'
run raido check mask.fut
silent
exits 0
run raido eval -w '3 ^ 2'
is 1
if [ -z "$err" ]; then ok; else not_ok "a warning in spite of -w"; fi
run raido eval '3 ^ 2'
is 1
complains 'a power is "3 \*\* 2"'
in='let y = 3
y ^ 2
y + 1
'
run raido repl
says 'a power is "y \*\* 2"'
says '^(\[2\]> )?1$'

about "warnings of derivatives outlive the memory of the passes that give them"
run raido multicore --library -o warned "$root/tests/ad/constructs/extrema_of_neutral.fut"
exits 0
complains 'This derivative is by integers\.'
complains '^   9 \|       vjp i32\.maximum'

about "recursion without end"
cat >endless.fut <<'END'
def f (x: i32) : i32 = f (x + 1)
def g (x: i32) : i32 = if x > 3 then 1 + g x else let y = x in g (y + 1)
def h (x: i32) : i32 = if x > 3 then x else h (x + 1)
def l (x: bool) : bool = x || l (!x)
module sums = { def (+) (a: i32) (b: i32) : i32 = a + b }
def (-) (a: i32) (b: i32) : i32 = a i32.- b
entry main (x: i32) = f x + g x + h x + i32.bool (l true) - (x sums.+ x)
END
run raido check endless.fut
exits 0
complains '^  "f" calls itself whatever its arguments are, and never ends\.$'
complains '^  "g" calls itself whatever its arguments are, and never ends\.$'
complains '^  "\+" calls itself whatever its arguments are, and never ends\.$'
complains 'Hint: inside of its definition an operator means itself; .*"a f64\.\+ b"'
if printf '%s' "$err" | grep -q '"[hl-]" calls'; then not_ok "a warning of what ends"; else ok; fi
in=1i32
run raido run -w endless.fut
exits 1
complains '^-> #0  endless\.fut:1:24-33 \(repeated\)$'
complains '^   1 \| def f \(x: i32\) : i32 = f \(x \+ 1\)$'
complains '^     \|                        \^\^\^\^\^\^\^\^\^$'
run raido c -w endless.fut
in=1
run ./endless
exits 1
complains '^-> #0  endless\.fut:1:24-33 \(repeated\)$'
complains '^   #1  endless\.fut:7:23-26$'
complains '^     \|                        \^\^\^\^\^\^\^\^\^$'

about "attributes"
cat >attribute.fut <<'END'
def f (n: i64) = #[unrol] loop s = 0 for i < 4 do s + i + n
def g (n: i64) = #[stripmin(2)] loop s = 0 for i < 4 do s + i + n
def h (n: i64) = #[whatever] (#[one] n + #[unroll] n)
END
run raido check attribute.fut
exits 0
complains 'Unknown attribute "unrol" is ignored; did you mean "unroll"\?'
complains 'Unknown attribute "stripmin" is ignored; did you mean "stripmine"\?'
if printf '%s' "$err" | grep -q 'attribute.fut:3'; then not_ok "a warning of another name"; else ok; fi

about "words of other tools"
run raido compile a.fut
complains 'unknown command "compile"; "raido c FILE" compiles a program'
run raido help run
complains '"raido COMMAND --help" is the help on a command'
run raido --versoin
complains 'unknown option "--versoin"; did you mean "--version"\?'
run raido c a.fut -O3
complains 'unknown option -O; flags of the C compiler are in the environment, CFLAGS'
run raido c --target=cuda a.fut
complains 'unknown option --target; back ends are commands: raido c, multicore, opencl, cuda'
run raido eval 3 / 2
complains "quote those with spaces: raido eval '3 / 2'"
echo 'entry main (p: {x: f64, y: i32}) (q: (f64, f64)) = p.x + q.0' >record.fut
in='{x = 1.0, y = 2} 1.0 2.0'
run raido run record.fut
complains 'found "\{"; the fields of a record are given one by one, in alphabetical order'
in='1.0 2 (1.0, 2.0)'
run raido run record.fut
complains 'found "\("; the components of a tuple are given one by one'

about "programs without entry points"
echo 'def mian (x: f64) = x' >none.fut
run raido c none.fut
exits 0
complains 'The program has no entry points'
complains 'did you mean "main" by "mian" at none\.fut:1:5-9\?'
run raido run none.fut
complains '^Invalid entry point: main$'
complains 'The program defines no entry point'
echo 'entry step (x: f64) = x' >none.fut
run raido run none.fut
complains 'Use -e to choose another one: step$'

about "the line of the source"
cat >line.fut <<'END'
def get (xs: []i32) (i: i64) : i32 =
	xs[i] + 1
entry main (xs: []i32) (i: i64) = get xs i
entry sizes [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys
entry fixed (xs: [3]i32) = xs
entry inside (xs: []i32) (n: i64) = unflatten (xs :> [n * 2]i32)
END
run raido c line.fut
for how in ./line "$RAIDO run line.fut"; do
	in='[1, 2] 5i64'
	run $how
	exits 1
	complains '^-> #0  line\.fut:2:2-7$'
	complains '^   2 \|  xs\[i\] \+ 1$'
	complains '^     \|  \^\^\^\^\^$'
	in='[1, 2] [5]'
	run $how -e sizes
	exits 1
	complains 'entry point arguments have invalid sizes\.$'
	complains '^Expected: xs: \[n\]i32, ys: \[n\]i32$'
	complains '^Got:      xs: \[2\]i32, ys: \[1\]i32$'
	in='[1, 2]'
	run $how -e fixed
	complains '^Expected: xs: \[3\]i32$'
	complains '^Got:      xs: \[2\]i32$'
	in='[1, 2, 3] 2i64'
	run $how -e inside
	exits 1
	complains '^   6 \| entry inside'
done

about "input that cannot be read"
cat >input.fut <<'END'
entry main (rate: f64) (xs: []f64) = f64.sum xs * rate
END
run raido c input.fut
in=abc
run ./input
exits 1
complains 'Error when reading input #0 of type f64, for "rate"\.$'
complains 'line 1, column 1: expected a value of type f64, found "abc"\.$'
in='1.0
[1.0, x]'
run ./input
exits 1
complains 'Cannot read input #1 of type \[\]f64, for "xs"\.$'
complains 'line 2, column 7: expected a value of type f64, found "x"\.$'
in='1.0 [2.0'
run ./input
complains 'line 1, column 9: expected "," or "]", found the end of the input\.$'
in='1.0, [2.0]'
run ./input
complains 'line 1, column 4: expected an array of f64, of rank 1, found ","; values are separated by spaces\.$'
in='1.0 [2.0] 3.0'
for how in ./input "$RAIDO run input.fut"; do
	in='1.0 [2.0] 3.0'
	run $how
	exits 1
	complains 'line 1, column 11: expected the end of the input, found "3"\.$'
done
run raido run input.fut 1.0
complains '^Command line: line 1, column 5: expected an array of f64, of rank 1, found the end of the input\.$'

about "nothing to do"
run raido bench input.fut
exits 1
complains 'No program has data sets to benchmark'
echo '{}' >a.json
echo '{}' >b.json
run raido benchcmp a.json b.json
complains 'a.json and b.json have no program in common'

about "an index out of bounds"
echo 'def f (xs: []f64) = xs[-1]' >below.fut
run raido check below.fut
exits 0
complains '^  An index below zero is out of bounds\.$'
complains 'the last element is "last xs"'
echo 'def f (xs: []f64) = (xs[:-1], xs[-2:], xs[::-1])' >below.fut
run raido check below.fut
exits 0
complains '^Warning at below\.fut:1:26-28:$'
complains '"init xs" without the last\.$'
complains '^Warning at below\.fut:1:34-36:$'
if printf '%s' "$err" | grep -q '1:4[0-9]'; then not_ok "a warning of a slice that is right"; else ok; fi
echo 'def f (xs: [3]f64) = xs[2] + xs[3]' >beyond.fut
run raido check beyond.fut
exits 0
complains '^Warning at beyond\.fut:1:33-34:$'
complains 'indices start at 0; the last one is 2\.$'

about "the list of mistakes"
list=$root/tests/MISTAKES.md
tests=$(sed -n 's/^| .* | \([a-z]*\/[^ ]*\).* |$/\1/p' "$list" | tr -d ':')
ran=$list out=$tests err= code=0
for t in $tests; do
	if [ -f "$root/tests/$t" ]; then ok; else not_ok "no such test: $t"; fi
done
for t in "$root"/tests/error/habits/*.fut "$root"/tests/error/first_hour/*.fut \
	"$root"/tests/error/first_week/*.fut; do
	if grep -q "${t#"$root/tests/"} " "$list"; then ok; else not_ok "not in the list: $t"; fi
done
if [ "$(printf '%s\n' "$tests" | wc -l)" -ge 105 ]; then ok; else not_ok "fewer than 45 + 60 mistakes"; fi
sed -n 's/^| .* | \([a-z]*\/[a-z]*\.sh\): \(.*\) |$/\1 \2/p' "$list" | sort -u >named
while read -r script subject_named; do
	if grep -q "about \"$subject_named\"" "$root/tests/$script"; then ok; else not_ok "$script: $subject_named"; fi
done <named
finish
