#!/bin/sh
# Functions in vectors, and choices both of whose branches are computed (src/loop/both_branches.c): compiled, they
# give what the interpreter gives, for sizes around those at which code changes, and of numbers that are none.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/gen/vectors.fut" .
for backend in c multicore; do
	about "$backend"
	CFLAGS='-O2 -std=c11 -Wall -Wextra -DRD_LEAST_WORK=2' run raido $backend -o $backend vectors.fut
	silent
	exits 0
done

for n in 0 1 3 4 17 67 150; do
	raido dataset -s $n --f64-bounds=-4:4 -g "[$n]f64" --f32-bounds=-4:4 -g "[$n]f32" >in-$n
done
special='[0, -0, 1, -1, .inf, -.inf, .nan, 0.5, -1e-30, 1e-30, 800, -800, -2, 3]'
for t in f64 f32; do
	echo "$special" | sed "s/\([0-9]\)\([],]\)/\1$t\2/g; s/\.\([in]\)/$t.\1/g"
done >in-special
for n in 0 1 3 4 17 67 150 special; do
	for entry in $(sed -n 's/^entry \([a-z_0-9]*\).*/\1/p' vectors.fut); do
		raido run -e "$entry" vectors.fut <in-$n >interpreted 2>&1
		for program in c multicore; do
			about "$entry at $n: $program"
			OMP_NUM_THREADS=3 ./$program -e "$entry" <in-$n >compiled 2>&1
			run raido datacmp compiled interpreted
			exits 0
		done
	done
done

calls() {
	about "$1: calls of $2"
	sed -n "/^static.* rd_fun_$1(/,/^}/p" c.c >function.c
	run grep -c "$2(" function.c
	exits 0
}
in_vectors() { calls "$1" "rd_v$2"; }
in_vectors entropy log_f64
in_vectors entropy_gradient log_f64
in_vectors pieces log_f32
in_vectors softplus log1p_f64
in_vectors softplus32 log1p_f32
in_vectors powers pow_f64
in_vectors powers32 pow_f32
calls powers32 rd_count_f32
in_vectors powers32 sin_f32
in_vectors elu exp_f64
in_vectors elu cos_f64
in_vectors falls32 sqrt_f32
calls falls32 rd_some_f32
calls stored_tags rd_load_i8_f64
calls stored_tags rd_load_i32_f64
calls stored_tags rd_load_bool_f64
in_vectors stored_tags exp_f64
in_vectors scene sqrt_f64
in_vectors own_places cos_f64
in_vectors steps_gradient cos_f64
about "accuracy for this processor"
run "${CC:-cc}" -std=gnu11 -O2 -march=native -I "$root/rts" -I "$root/src" -I "$root/tests/unit" \
	"$root/tests/unit/vector_test.c" -o accuracy -lm
exits 0
run ./accuracy
exits 0
about "sixty_four: eight vectors at a time, else four"
sed -n "/^static.* rd_fun_sixty_four(/,/^}/p" c.c >function.c
run grep -c "for (; i + RD_LANES([48], float) <= 64;" function.c
is 2
finish
