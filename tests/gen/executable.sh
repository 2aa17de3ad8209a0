#!/bin/sh
# Executables: their command line, and the reading and printing of values.  BACKEND: of which back end.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
backend=${BACKEND:-c}

# The values of a binary file, in text form.
show() {
	ran="raido dataset <$1"
	raido dataset <"$1" >.out 2>.err
	code=$?
	out=$(cat .out)
	err=$(cat .err)
}

cp "$root/tests/gen/interface.fut" .
run env CFLAGS='-O2 -std=c11 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2' "$RAIDO" "$backend" -o prog interface.fut
silent
exits 0
run raido "$backend" -o prog interface.fut
silent
exits 0

about "arguments and results"
in='[1, 2, 3] [0.5f32, 1.5, 2.5]'
run ./prog
is '6i32
[0.5f32, 3.0f32, 7.5f32]'
exits 0
in='  -- a comment
[1i32,2,
3,] -- another
[0.5,1,0x10]'
run ./prog
is '6i32
[0.5f32, 2.0f32, 48.0f32]'
in='empty([0]i32) empty([0]f32)'
run ./prog
is '0i32
empty([0]f32)'
in='[] []'
run ./prog
is '0i32
empty([0]f32)'
in='2 [[1, 2.5], [nan, -inf]]'
run ./prog -e scale
is '[[2.0f64, 5.0f64], [f64.nan, -f64.inf]]'
in='0.1f64 [[1, f64.inf, 1e300]]'
run ./prog -e scale
is '[[0.1f64, f64.inf, 1.0e299f64]]'
in='2 empty([0][3]f64)'
run ./prog --entry-point scale
is 'empty([0][3]f64)'
in='[1.5, -0.25] 2f16'
run ./prog --entry-point=halves
is '[3.0f16, -0.5f16]
2.0f16'
in='[true, false]'
run ./prog -eflags
is '[false, true]'
in='"h\105llo"'
run ./prog -e bytes
is '5i64'
in='[1]'
run ./prog -e nested
is '[1i32]'
complains 'Values of type "[{]a: i32, b: [(]i32, bool[)][}]" have no external'
in='4 [1.5, 2.5]'
run ./prog -e pair
is '6i32'
in=
run ./prog -e answer
is '42i32'
in='3'
run ./prog -e nothing
silent
exits 0

about "binary form"
in=
printf '[1, 2, 3] [0.5f32, 1.5, 2.5]' | raido dataset -b >binary
./prog -b <binary >bytes
show bytes
is '6i32
[0.5f32, 3.0f32, 7.5f32]'
printf '[1, 2, 3]' >mixed
printf '[0.5f32, 1.5, 2.5]' | raido dataset -b >>mixed
./prog <mixed >.out 2>.err
out=$(cat .out)
is '6i32
[0.5f32, 3.0f32, 7.5f32]'
tail -c 1 bytes >last
if [ "$(od -An -tx1 last | tr -d ' ')" = 0a ]; then ok; else not_ok "no newline after a value"; fi

about "mistakes in the input"
in='[1, 2]'
run ./prog
complains '^./prog: Cannot read input #1 of type \[\]f32, for "ys"\.$'
complains '^Standard input: line 1, column 7: expected an array of f32, of rank 1, found the end of the input\.$'
exits 1
in='x'
run ./prog -e nothing
complains '^./prog: Error when reading input #0 of type i32, for "x"\.$'
complains '^Standard input: line 1, column 1: expected a value of type i32, found "x"\.$'
exits 1
in='3i64'
run ./prog -e nothing
complains 'Error when reading input #0 of type i32'
in='
 [1, 2,
  3 4] [1]'
run ./prog
complains '^Standard input: line 3, column 5: expected "," or "\]", found "4"\.$'
in='[[1], [2, 3]]'
run ./prog -e scale
complains 'Error when reading input #0 of type f64'
in='1 [[1], [2, 3]]'
run ./prog -e scale
complains 'Cannot read input #1 of type \[\]\[\]f64'
in='3 4'
run ./prog -e nothing
complains '^./prog: Expected EOF on stdin after reading input for "nothing"\.$'
exits 1
in='[1] [1, 2]'
run ./prog
complains '^./prog: Error: entry point arguments have invalid sizes\.$'
exits 1
in='[1, 2] 2 0'
run ./prog -e update
complains '^./prog: Error: Index \[2\] out of bounds for array of shape \[2\]\.$'
complains '^Backtrace:$'
complains '^-> #0  interface.fut:24:70-73$'
exits 1
in='true'
run ./prog -e pick
complains '^./prog: Values of type "#bar f32 \| #foo i32" have no external representation\.$'
exits 1

about "strings, comments and places"
cat >strings.fut <<'F'
entry main (s: []u8) (n: i64) : ([]u8, i64) = (s, n)
F
run raido "$backend" -o strings strings.fut
exits 0
in='"a
b" 1i64-- one'
run ./strings
is '[97u8, 10u8, 98u8]
1i64'
in='empty([0]u8)-- none
2--'
run ./strings
is 'empty([0]u8)
2i64'
in='"\xg" 1'
run ./strings
complains '^Standard input: line 1, column 4: expected an escape sequence, found "g"\.$'
exits 1
in='1-2'
run ./strings
complains 'expected an array of u8, of rank 1, found "1-2"'
in='"a
b'
run ./strings
complains '^Standard input: line 2, column 2: expected the quote that ends a string, found the end of the input\.$'
in='empty([0]
i8) 1'
run ./strings
complains '^Standard input: line 1, column 1: expected an array of u8, of rank 1, found "empty"\.$'

about "options"
in='[1] [1]'
run ./prog -r 3 -t times -n
silent
if [ "$(grep -cE '^[0-9]+$' times)" = 3 ]; then ok; else not_ok "times: $(cat times)"; fi
in='[1] [1]'
run ./prog --runs=2 --write-runtime-to times
is '1i32
[1.0f32]'
if [ "$(wc -l <times)" -eq 2 ]; then ok; else not_ok "times: $(cat times)"; fi
run ./prog -e nope
complains "^./prog: No entry point 'nope'\.  Select another with --entry-point\.  Options are:$"
complains '^main$'
exits 1
run ./prog --nope
complains '^Usage: ./prog \[options\.\.\.\] \[values\.\.\.\]$'
complains '^./prog: Unknown option: --nope$'
exits 1
run ./prog word
complains '^Command line: line 1, column 1: expected an array of i32, of rank 1, found "word"\.$'
run ./prog -e answer word
complains '^./prog: Excess non-option: word$'
exits 1
run ./prog '[1, 2]' '[0.5, -1]'
is '3i32
[0.5f32, -2.0f32]'
run ./prog -e scale -2 '[[1.5]]'
is '[[-3.0f64]]'
run ./prog word
exits 1
run ./prog -h
says 'Usage'
exits 0
run ./prog --print-params
silent
exits 0
run ./prog --param x=1
complains '^./prog: Unknown tuning parameter: x$'
exits 1
echo 'x=3' >tuning
run ./prog --tuning tuning --cache-file cache -e answer
is '42i32'
echo 'nonsense' >tuning
run ./prog --tuning tuning -e answer
complains 'Invalid line 1 of tuning file'
exits 1
run ./prog -P -e answer
is '42i32'
complains '"name": "answer"'
run ./prog -L -e answer
complains 'Entry point answer:'

about "raido $backend"
printf 'entry main (x: i32) = x + true\n' >wrong.fut
run raido "$backend" wrong.fut
exits 2
printf 'def f (x: i32) = x + 1\n' >none.fut
run raido "$backend" --entry-point f none.fut
exits 0
in=3
run ./none -e f
is '4i32'
run raido "$backend" --entry-point nope --entry-point f none.fut
exits 2
complains '^Unknown entry point: nope$'
run raido "$backend" --library --server none.fut
exits 2
printf 'entry main (x: f64) = vjp (\\y -> y * y) x 1\n' >ad.fut
run raido "$backend" ad.fut
silent
in=3
run ./ad
is '6.0f64'
run env CC=false "$RAIDO" "$backend" none.fut
exits 1
complains 'The C compiler failed'
about "tuning files without an end"
if [ -e /dev/zero ]; then
	run timeout 20 ./prog --tuning /dev/zero -e answer
	complains 'Invalid line 1 of tuning file /dev/zero'
fi
mkfifo lines
yes '' >lines 2>/dev/null &
run timeout 20 ./prog --tuning lines -e answer
complains 'Tuning file lines has too many lines'
wait
head -c 2000 /dev/zero | tr '\0' x >tuning
run ./prog --tuning tuning -e answer
complains 'Invalid line 1 of tuning file'

about "tuning parameters of the program"
cat >param.fut <<'EOF'
def tile = #[param(tile)] 4i64
def times (x: i64) = x * (#[param(factor)] 2)
entry main (n: i64) = map (\i -> times i + (#[param(start)] i) + tile) (iota n)
entry other (x: i32) = x + #[param(no_i64)] 1
entry sizes (n: i64) = let k = #[param(rows)] n in (iota k, 0..<(#[param(rows)] 3i64), map2 (+) (iota k) (replicate k 1))
entry blank (n: i64) = let k = #[blank] n in (i64.sum (iota k), length (iota (#[blank] 9)))
entry gradient (x: f64) = vjp (\y -> y * f64.i64 tile) x 1
EOF
run raido "$backend" param.fut
silent
run ./param --print-params
for p in factor start tile; do
	says "^$p \\(user\\)$"
done
in=3
run ./param
is '[4i64, 7i64, 10i64]'
in=3
run ./param --param factor=0 --param start=1
is '[5i64, 5i64, 5i64]'
printf 'tile=0\nfactor=10\nelsewhere=1\n' >param.tuning
in=3
run ./param --tuning param.tuning
is '[0i64, 11i64, 22i64]'
in=3
run ./param -e sizes
is '[0i64, 1i64, 2i64]
[0i64, 1i64, 2i64]
[1i64, 2i64, 3i64]'
in=3
run ./param -e sizes --param rows=1
is '[0i64]
[0i64]
[1i64]'
in=3
run ./param -e blank
is '0i64
0i64'
in=3
run ./param -e gradient --param tile=5
is '5.0f64'
run ./param --param no_i64=1
complains 'Unknown tuning parameter: no_i64'
run raido "$backend" --library param.fut
ran='the manifest param.json'
out=$(grep -o '"tuning_params": .*' param.json)
says '"tile"\],$'
says '"start"'

about "standard output that cannot be written"
if [ -w /dev/full ]; then
	ran='./prog -e answer >/dev/full'
	./prog -e answer </dev/null >/dev/full 2>.err
	code=$?
	err=$(cat .err)
	exits 1
	complains '^./prog: Cannot write to standard output: '
fi

about "arrays of very many dimensions"
rank_of() { # n: a program whose array has so many, and a value of that
	dims=$(awk -v n="$1" 'BEGIN { while (n-- > 0) printf "[1]" }')
	echo "entry main (a: ${dims}i32) = a" >rank.fut
	echo "$dims" | sed 's/\[1\]/[/g; s/$/7i32/' | tr -d '\n' >rank.in
	echo "$dims" | sed 's/\[1\]/]/g' >>rank.in
}
rank_of 65
run raido "${BACKEND:-c}" -o rank rank.fut
exits 2
complains '^Error at rank\.fut:1:7-11:$'
complains '^An array here has 65 dimensions; in compiled programs they have at most 64\.$'
rank_of 64
run raido "${BACKEND:-c}" -o rank rank.fut
exits 0
ran='./rank <rank.in'
out=$(./rank <rank.in 2>.err)
code=$?
err=$(cat .err)
exits 0
is "$(cat rank.in)"

finish
