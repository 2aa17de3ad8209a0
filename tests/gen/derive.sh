#!/bin/sh
# Entry points derived from others: --derive.  Their values where they are known, and what cannot be.
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/tests/cli/lib.sh"
CFLAGS=-O1
export CFLAGS
cp "$here/tests/gen/derive.fut" .

about "compiling"
run raido c --derive 'loss:grad,loss:vjp,loss:vjp2(w),loss:jvp(w),loss:hvp(w),loss:vjp(w).jvp' \
	--derive 'positive:jvp,positive:vjp,positive:vjp2,jv=positive:jvp.vjp(xs)' \
	--derive 'model:vjp(p),model:grad(p.b+q),model:jvp(buf)' \
	--derive 'rows:map(v),all=rows:map.vjp(v),gs=loss:grad(w).map,sized:jvp' derive.fut -o prog
exits 0
silent

# call ENTRY ARGUMENTS EXPECTED
call() {
	in=$2
	run ./prog -e "$1"
	is "$3"
}

about "a scalar result"
call loss_grad '[1.0,2.0] [3.0,4.0] 2' '38.0f64
[12.0f64, 32.0f64]
[2.0f64, 8.0f64]'
call loss_vjp '[1.0,2.0] [3.0,4.0] 2 10.0' '[120.0f64, 320.0f64]
[20.0f64, 80.0f64]'
call loss_vjp2_w '[1.0,2.0] [3.0,4.0] 2 10.0' '38.0f64
[120.0f64, 320.0f64]'
call loss_jvp_w '[1.0,2.0] [3.0,4.0] 2 [1.0,0.5]' '38.0f64
28.0f64'
call loss_hvp_w '[1.0,2.0] [3.0,4.0] 2 [1.0,0.5]' '[12.0f64, 8.0f64]'
call loss_vjp_w_jvp '[1.0,2.0] [3.0,4.0] 2 1.0 [1.0,0.0] [0.0,1.0] 0.5' '[12.0f64, 32.0f64]
[18.0f64, 24.0f64]'

about "sizes that are known only afterwards"
call positive_jvp '[1.0,-1.0] 5 [10.0,20.0]' '[3.0f64]
[5.0f64, -5.0f64]
6i64
[30.0f64]
[50.0f64, 100.0f64]'
call positive_vjp '[1.0,-1.0,2.0] 5 [1.0,1.0] [1.0,1.0,2.0]' '[8.0f64, 5.0f64, 13.0f64]'
call positive_vjp2 '[1.0] 2 [1.0] [0.0]' '[3.0f64]
[2.0f64]
3i64
[3.0f64]'
call jv '[1.0,2.0] 5 [1.0,1.0] [1.0,1.0] [1.0,1.0] [1.0,1.0] [1.0,1.0]' '[8.0f64, 8.0f64]'
in='[1.0,-1.0,2.0] 5 [1.0] [1.0,1.0,2.0]'
run ./prog -e positive_vjp
exits 1
complains 'The result has size 2, but size 1 was expected'
in='[1.0,-1.0,2.0] 5 [1.0,2.0,3.0] [1.0,1.0,2.0]'
run ./prog -e positive_vjp
exits 1
complains 'The result has size 2, but size 3 was expected'

about "records, tuples, consumption"
call model_vjp_p '3.0 [1.0,2.0] 2.0 1i32 [5.0,7.0] 1.0 [0.0,0.0]' '20.0f64
[60.0f64, 14.0f64]'
call model_grad_p.b_q '3.0 [1.0,2.0] 2.0 1i32 [5.0,7.0]' '88.0f64
[32.0f64, 9.0f64]
20.0f64
44.0f64'
call model_jvp_buf '3.0 [1.0,2.0] 2.0 1i32 [5.0,7.0] [1.0,0.0]' '88.0f64
[32.0f64, 9.0f64]
12.0f64
[6.0f64, 0.0f64]'

about "rows"
call rows_map_v '[[1.0f32,2.0f32]] [[1.0f32,1.0f32],[2.0f32,0.0f32]]' '[[3.0f32], [2.0f32]]'
call all '[[[1.0f32,2.0f32]]] [[1.0f32,1.0f32]] [[5.0f32]]' '[[5.0f32, 10.0f32]]'
call gs '[[1.0],[2.0]] [[1.0],[1.0]] [1,2]' '[1.0f64, 8.0f64]
[[2.0f64], [8.0f64]]'
call sized_jvp '2 [1.0,2.0] [3.0,4.0]' '[2.0f64, 4.0f64]
[6.0f64, 8.0f64]'

# refuses SPEC MESSAGE
refuses() {
	run raido c --derive "$1" derive.fut -o other
	exits 2
	complains "$2"
}

about "what cannot be derived"
refuses 'losses:vjp' 'there is no entry point losses'
refuses 'loss:gradient' 'there is no step "gradient"'
refuses 'loss' 'it should be'
refuses 'loss:' 'there is no step ""'
refuses 'loss:vjp(w' 'a parenthesis is not closed'
refuses 'loss:vjp(w)x' 'unexpected "x"'
refuses 'loss:vjp(v)' 'it has no argument v'
refuses 'loss:vjp(k)' 'its argument k is not of floats'
refuses 'loss:vjp(w+k)' 'its argument k is not of floats'
refuses 'count:jvp' 'none of the arguments is of floats'
refuses 'rows:grad' 'its first result is not a single float'
refuses 'rows:hvp' 'its first result is not a single float'
refuses 'positive:map' 'the sizes of its results are not known before'
refuses 'sized:map' 'the size of an argument depends on a value with rows'
refuses 'rows=loss:vjp' 'there is an entry point rows already'
refuses 'loss:vjp,loss:vjp' 'there is an entry point loss_vjp already'

about "only what is derived"
run raido c --library --only-derived --derive loss:grad derive.fut -o lib
exits 0
run grep -o '"cfun": "[a-z_]*"' lib.json
is '"cfun": "futhark_entry_loss_grad"'
finish
