#!/bin/sh
# Server executables: every command of the protocol.  BACKEND: of which back end.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

# The values of a binary file, in text form.
show() {
	ran="raido dataset <$1"
	raido dataset <"$1" >.out 2>.err
	code=$?
	out=$(cat .out)
	err=$(cat .err)
}

cp "$root/tests/gen/interface.fut" .
run raido "${BACKEND:-c}" --server -o server interface.fut
silent
exits 0

# ask COMMANDS: the answers, with OK lines left out.
ask() {
	subject=$1
	in=$(printf '%s\n' "$1")
	run ./server
	out=$(printf '%s\n' "$out" | grep -v '^%%% OK$' | sed 's/^runtime: [0-9]*$/runtime/')
}

about "greeting"
run ./server </dev/null
is '%%% OK'

printf '%s' '[1, 2, 3] [0.5, 1.5, 2.5]' >in
restore='restore in xs []i32 ys []f32'

ask 'types'
says '^i8$'
says '^bool$'
says '^\[\]i32$'
says '^\(i32, \[\]f32\)$'
says '^\[\]pt$'
says '^bar:f32 \| foo:i32$'

ask 'entry_points'
is "abscissas
answer
area
bytes
flags
halves
kinds
main
mk
named
nested
norm
nothing
pair
pick
points
positive
same
scale
segment
sized
units
update"

ask 'inputs update'
is '*[]i32
i64
i32'
ask 'output update'
is '*[]i32'
ask 'output main'
is '(i32, []f32)'
ask 'output nested'
is '([]i32, {a: i32, b: (i32, bool)})'
ask 'output pick'
is 'bar:f32 | foo:i32'
ask 'attributes update'
is 'inline'
ask 'tuning_params main'
is ''
ask 'inputs nope'
is '%%% FAILURE
Unknown entry point: nope'

ask "$restore
call main r xs ys
type r
project sum r 0
project zs r 1
store out sum zs
free r zs
type r"
is 'runtime
(i32, []f32)
%%% FAILURE
Unknown variable: r'
show out
is '6i32
[0.5f32, 3.0f32, 7.5f32]'

ask "$restore
rename xs zs
type zs
type xs
free ys zs
free ys"
is '[]i32
%%% FAILURE
Unknown variable: xs
%%% FAILURE
Unknown variable: ys'

ask "$restore
$restore"
is '%%% FAILURE
Variable already exists: xs'

ask 'restore nofile x i32'
says 'Failed to open nofile: No such file or directory'
ask 'restore in x []bool y []f32'
says '%%% FAILURE'
ask 'restore in x nonsense'
is '%%% FAILURE
Unknown type: nonsense'

printf '7 3' >numbers
ask 'restore numbers k i64 v i32
restore in xs []i32 ys []f32
call update r xs k v'
is '%%% FAILURE
Error: Index [7] out of bounds for array of shape [3].

Backtrace:
-> #0  interface.fut:24:70-73

  24 | entry update [n] (xs: *[n]i32) (i: i64) (v: i32) : *[n]i32 = xs with [i] = v
     |                                                                      ^^^'

printf '[1, 2] [0.5]' >odd
ask 'restore odd xs []i32 ys []f32
call main r xs ys'
is '%%% FAILURE
Error: entry point arguments have invalid sizes.
Expected: xs: [n]i32, ys: [n]f32
Got:      xs: [2]i32, ys: [1]f32'

ask "$restore
call main r ys xs
call main r xs
call nope r
call main xs xs ys"
is '%%% FAILURE
Variable ys has type []f32, expected []i32.
%%% FAILURE
Expected 2 arguments, got 1.
%%% FAILURE
Unknown entry point: nope
%%% FAILURE
Variable already exists: xs'

about "arrays"
printf '5 6 7 8' >four
ask 'kind []i32
rank [][]f64
elemtype [][]f64
elemtype []pt
restore four a i32 b i32 c i32 d i32
new_array x []i32 3 a b c
set x d 1
index e x 1
shape x
store out x e
index f x 3
index f x 1 1
new_array y []i32 2 a
rank i32'
is 'array
2
f64
pt
3
%%% FAILURE
Error: index out of bounds.
%%% FAILURE
Expected 1 indices, got 2.
%%% FAILURE
The number of elements does not fit the shape.
%%% FAILURE
Not an array type: i32'
show out
is '[5i32, 8i32, 7i32]
8i32'

about "records"
printf '3 4 [1, 2] [5, 6]' >fields
ask 'kind pt
fields pt
fields "(i32, []f32)"
restore fields x f32 y f32 xs []f32 ys []f32
new p pt x y
call norm n p
zip ps []pt xs ys
index q ps 1
project qy q y
unzip ps as bs
new_array qs []pt 2 p q
set qs q 0
shape qs
call abscissas cs qs
store out n qy as bs cs
zip ps2 []pt xs
project z p nope
fields i32'
is 'record
x f32
y f32
0 i32
1 []f32
runtime
2
runtime
%%% FAILURE
Expected 2 fields, got 1.
%%% FAILURE
No such field: nope
%%% FAILURE
Not a record type: i32'
show out
is '5.0f32
6.0f32
[1.0f32, 2.0f32]
[5.0f32, 6.0f32]
[2.0f32, 2.0f32]'

about "sums"
printf '2.0 [1, 2, 3] true' >payload
ask 'kind shape
variants shape
restore payload r f64 a []i32 t bool
construct c shape circle r
construct p shape path a t
construct e shape empty
variant p
destruct p aa tt
call area s p
call area s0 e
new_array ss []shape 3 c p e
call kinds k ss
store saved c p e
restore saved c2 shape p2 shape e2 shape
call area s2 p2
variant c2
store out s s0 k s2 aa tt
construct x shape nope
destruct e z'
is 'sum
circle
- f64
empty
path
- []i32
- bool
path
runtime
runtime
runtime
runtime
circle
%%% FAILURE
No such variant: nope
%%% FAILURE
Expected 0 variables, got 1.'
show out
is '6.5f64
0.0f64
[12.0f64, 6.5f64, 0.0f64]
6.5f64
[1i32, 2i32, 3i32]
true'

about "the context"
ask 'pause_profiling
unpause_profiling
clear
report
set_tuning_param x 1
tuning_param_class x
kind i32
frobnicate
rename
types too many'
says '^\{"memory": '
says '^Unknown tuning parameter: x$'
says '^primitive$'
says '^Unknown command: frobnicate$'
says '^Insufficient arguments: have 0, need 2\.$'
says '^Excess arguments: have 2, need 0\.$'

about "names inside of named types"
printf '3 4' >fields
ask 'fields segment
restore fields x f32 y f32
new p pt x y
call segment s p
project from s from
call norm n from'
is 'from pt
marks []pt
runtime
runtime'

# Whoever sends a line waits for an answer.
about "lines without words"
in='

  
types x
'
run ./server
if [ "$(printf '%s\n' "$out" | grep -c '^Empty line$')" = 3 ]; then ok; else not_ok "three answers"; fi
if [ "$(printf '%s\n' "$out" | grep -c '^%%% OK$')" = 5 ]; then ok; else not_ok "five ends"; fi

about "options"
in=
run ./server --print-params
silent
run ./server --nope
complains 'Unknown option: --nope'
exits 1
run ./server -b
complains 'Unknown option: -b'
run ./server --help
says 'Usage: ./server'
exits 0
about "tuning parameters of the program"
echo 'entry main (x: i64) = x + #[param(k)] 1' >param.fut
run raido "${BACKEND:-c}" --server -o server param.fut
silent
printf 3i64 >in
ask 'restore in x i64
tuning_params main
tuning_param_class k
call main a x
set_tuning_param k 0
call main b x
set_tuning_param k 40
call main c x
set_tuning_param k -1
call main d x
store out a b c d'
is 'k
user
runtime
runtime
runtime
runtime'
show out
is '4i64
3i64
43i64
4i64'

# Such rows have no elements, and are too many for what programs rely on.
about "rows of another entry point"
cat >rows.fut <<'EOF'
entry rows (n: i64) : [n][0]i64 = unflatten (replicate (n * 0) 1i64)
entry nth [n] [m] [k] (_: [n][m]i64) (ys: [k]i64) : i64 = if 8 * n < k then ys[n] else 7
entry pair (n: i64) : ([n][0]i64, i64) = (unflatten (replicate (n * 0) 1i64), n)
entry units (n: i64) : [n]() = replicate n ()
entry as_many [n] (_: [n]()) (ys: [n]i64) : i64 = n + ys[0]
EOF
run raido "${BACKEND:-c}" --server -o server rows.fut
silent
printf '1152921504606846976i64 2i64 [1i64, 2, 3]' >in
ask 'restore in many i64 two i64 ys []i64
call rows r many
call nth a r ys
call pair p many
project r1 p 0
call nth b r1 ys
call units u two
call as_many c u ys'
is 'runtime
%%% FAILURE
Error: entry point arguments have invalid sizes.
Expected: arg0: [n][m]i64, ys: [k]i64
Got:      arg0: [1152921504606846976][0]i64, ys: [3]i64
runtime
%%% FAILURE
Error: entry point arguments have invalid sizes.
Expected: arg0: [n][m]i64, ys: [k]i64
Got:      arg0: [1152921504606846976][0]i64, ys: [3]i64
runtime
%%% FAILURE
Error: entry point arguments have invalid sizes.
Expected: arg0: [n]bool, ys: [n]i64
Got:      arg0: [2]bool, ys: [3]i64'

finish
