# run and eval.
. "$(dirname "$0")/lib.sh"

cat >prog.fut <<'END'
type t = #foo i32 | #bar
entry main (x: i64) (ys: []i32) = (x + 1, map (+1) ys)
entry record (x: i32) = {a = x, b = [1.0f32, 2.5f32]}
entry sum (x: i32) : t = if x > 0 then #foo x else #bar
entry matrix (n: i64) = map (\i -> map (+i) (iota 2)) (iota n)
entry small = 0.01f64
entry unit (_: i32) = ()
entry at (xs: []i32) (i: i64) = xs[i]
entry traced (x: i32) = trace x + 1
def helper (x: i32) = x * 2
END

about "results"
in='41i64 [1,2,3]' run raido run -w prog.fut
exits 0
is '42i64
[2i32, 3i32, 4i32]'
in='7' run raido run -w -e record prog.fut
is '{a = 7i32,
 b = [1.0f32, 2.5f32]}'
in='7' run raido run -w -e sum prog.fut
is '#foo 7i32'
in='0' run raido run -w -e sum prog.fut
is '#bar'
in='2i64' run raido run -w -e matrix prog.fut
is '[[0i64, 1i64],
 [1i64, 2i64]]'
in='0i64' run raido run -w -e matrix prog.fut
is 'empty([0][2]i64)'
run raido run -w -e small prog.fut
is '1.0e-2f64'
in='7' run raido run -w -e unit prog.fut
exits 0
silent
in='5' run raido run -w -e traced prog.fut
says '^6i32$'
says ': 5$'

about "wrong arguments"
in='1i64' run raido run -w prog.fut
exits 1
complains '^Entry point "main" expects input of type\(s\)$'
complains '^Got input of types$'
in='1i32 [1]' run raido run -w prog.fut
exits 1
complains '^Invalid argument type\.$'
complains '^Expected: i64$'
complains '^Got:      i32$'
in='[' run raido run -w prog.fut
exits 1
run raido run -w -e nope prog.fut
exits 1
complains '^Invalid entry point: nope$'
complains '^Use -e to choose another one: main, record,'
in='41 [1]' run raido run -w prog.fut
is '42i64
[2i32]'
run raido run -w prog.fut -41 '[1,2]'
is '-40i64
[2i32, 3i32]'
in='1
 [2, x]' run raido run -w prog.fut
exits 1
complains '^Error when reading input #1 of type \[\]i32, for "ys"\.$'
complains '^Standard input: line 2, column 6: expected a value of type i32, found "x"\.$'

about "errors"
in='[1,2] 5i64' run raido run -w -e at prog.fut
exits 1
complains '^Error at$'
complains '^-> #0  prog\.fut:8:33-38$'
complains 'out of bounds for array of shape \[2\]'
echo 'entry main = x' >bad.fut
run raido run bad.fut
exits 2
complains 'Unknown name "x"'

about "eval"
run raido eval '1+2' '[1,2,3]'
exits 0
is '3

[1, 2, 3]'
run raido eval '-7 / 2' '-(3)'
exits 0
is '-4

-3'
run raido eval '(1, true)'
is '(1,
 true)'
run raido eval '{a = 1, b = [1.5]}'
is '{a = 1,
 b = [1.5]}'
run raido eval '[[1,2],[3,4]]' 'filter (>0) [0i32]' '\(x: i32) -> x' 'f32.nan' '(-3)'
is '[[1, 2],
 [3, 4]]

empty([0]i32)

#<fun>

f32.nan

-3'
run raido eval 'nope'
exits 1
complains '^Error at :1:1-5:$'
run raido eval '1 +'
exits 1
run raido eval '[1,2,3][5]'
exits 1
complains 'out of bounds'
run raido eval -w -f prog.fut 'helper 4' 'sum 3'
is '8

#foo 3'
run raido eval -3
is '-3'
run raido eval -q
exits 2
about "derived entry points"
echo 'entry f [n] (a: f64) (w: [n]f64) : f64 = a * f64.sum w' >derive.fut
in='2.0 [3.0, 4.0]'
run raido run --derive f:grad -e f_grad derive.fut
is '14.0f64
7.0f64
[2.0f64, 2.0f64]'
in='2.0 [3.0, 4.0]'
run sh -c '"$RAIDO" run -b -e f derive.fut | od -An -c | tr -d " \n"'
is 'b002\0f64\0\0\0\0\0\0,@'
in='2.0 [3.0, 4.0]'
run raido run --derive f:vjp2,f:nothing -e f derive.fut
exits 2
complains 'there is no step "nothing"'
run raido run --derive f:split -e f derive.fut
exits 2
complains '^Cannot derive f_split: split is for compiled programs'
run raido c --library -o derived --derive f:split.vjp derive.fut
exits 2
complains 'vjp of f: only map may come after split'
run raido c --library -o derived --derive f:split derive.fut
exits 0
run grep -o 'raido_call_f_split_[fb]wd(struct' derived.h
is 'raido_call_f_split_bwd(struct
raido_call_f_split_fwd(struct'
finish
