#!/bin/sh
# Memory budgets of derivatives: the same results whatever the budget is, and the peak of memory, as
# the run-time counts it, below it.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
CFLAGS=${CFLAGS:--O0 -std=c11 -w}
export CFLAGS

about "compiling"
run raido c -w -o plain "$root/tests/cli/budget.fut"
exits 0
run raido c -w --memory-budget=1G -o budget "$root/tests/cli/budget.fut"
exits 0
run raido multicore -w --memory-budget=1G -o threads "$root/tests/cli/budget.fut"
exits 0
for bad in 0 x 12Q 12MM -5 99999999T; do
	run raido c --memory-budget=$bad -o bad "$root/tests/cli/budget.fut"
	exits 2
	complains "is not a size in bytes"
done

# Bytes in use at most.
peak() {
	sed -n 's/.*"default space": \([0-9]*\).*/\1/p' .err
}

# The words of two outputs, to nine digits.
same() {
	tr -d '[],' <plain.out | tr ' ' '\n' | sed 's/f64//' >a
	tr -d '[],' <.out | tr ' ' '\n' | sed 's/f64//' >b
	paste a b | awk '{ d = $1 - $2; s = 1 + ($1 < 0 ? -$1 : $1)
		if (d > 1e-9 * s || d < -1e-9 * s) bad = 1 } END { exit bad || !NR }'
}

for f in long in_place nested uneven mapped two numbers until second; do
	about "$f"
	input='2000i64 16i64'
	in=$input
	run ./plain -e ${f}_g
	cp .out plain.out
	in=$input
	run ./budget -e ${f}_g
	same || not_ok "another result"
	for bytes in 20000 40000 100000; do
		in=$input
		run ./budget --memory-budget=$bytes -P -e ${f}_g
		if same; then ok; else not_ok "another result"; fi
		if [ "$(peak)" -le $bytes ]; then ok; else not_ok "a peak of $(peak) bytes"; fi
	done
	in=$input
	run ./threads --memory-budget=40000 -e ${f}_g
	if same; then ok; else not_ok "another result"; fi
done

about "loops inside of loops, with large states"
for bytes in 131072 262144; do
	in='300i64 100i64'
	run ./budget --memory-budget=$bytes -P -e deep_g
	if [ "$(peak)" -le $bytes ]; then ok; else not_ok "a peak of $(peak) bytes"; fi
done

# The inner loops are in blocks of their own, in those of the outer one, too.
for bytes in 12000 24000; do
	in='200i64 100i64'
	run ./budget --memory-budget=$bytes -P -e nested_g
	if [ "$(peak)" -le $bytes ]; then ok; else not_ok "a peak of $(peak) bytes"; fi
done

about "few iterations"
for n in 0 1 2 3 17; do
	in="${n}i64 16i64"
	run ./plain -e long_g
	cp .out plain.out
	in="${n}i64 16i64"
	run ./budget --memory-budget=6K -e long_g
	if same; then ok; else not_ok "another result"; fi
done

# More than there can be.
about "out of memory"
in='288230376151711744i64 16i64'
run ./plain -e long_g
exits 1
complains 'Failed to allocate memory: .* elements of 8 bytes'
complains 'derivative of the loop at .*budget\.fut:7:[0-9-]* stores'
complains 'stripmine.*--memory-budget'

about "libraries"
cat >client.c <<'C'
#include "lib.h"
#include <math.h>
static double gradient(size_t bytes, int *set)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	*set = bytes ? futhark_context_config_set_memory_budget(cfg, bytes) : 0;
	struct futhark_context *ctx = futhark_context_new(cfg);
	struct futhark_f64_1d *out = NULL;
	double sum = 0, x[16] = {0};
	if (futhark_entry_long_g(ctx, &out, 2000, 16) != 0 || futhark_values_f64_1d(ctx, out, x) != 0)
		sum = NAN;
	futhark_context_sync(ctx);
	for (int i = 0; i < 16; i++)
		sum += x[i] * (i + 1);
	futhark_free_f64_1d(ctx, out);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	return sum;
}
int main(void)
{
	int first, second;
	double a = gradient(0, &first), b = gradient(40000, &second);
	printf("%d %d\n", second, fabs(a - b) <= 1e-9 * (1 + fabs(a)));
	return 0;
}
C
for option in --memory-budget=1G ''; do
	run raido c -w $option --library -o lib "$root/tests/cli/budget.fut"
	exits 0
	run ${CC:-cc} $CFLAGS -o client client.c lib.c -lm
	exits 0
	run ./client
	[ -n "$option" ] && is '0 1' || is '1 1'
done

about "how often iterations are executed"
cat >count.c <<'C'
#include "lib.h"
long long n_cbrt;
typedef int Gradient(struct futhark_context *, struct futhark_f64_1d **, int64_t,
                     const struct futhark_f64_1d *);
static long long executed(Gradient *f, int64_t n, int64_t k, int64_t each, size_t bytes)
{
	static double x[5000];
	struct futhark_context_config *cfg = futhark_context_config_new();
	futhark_context_config_set_memory_budget(cfg, bytes);
	struct futhark_context *ctx = futhark_context_new(cfg);
	struct futhark_f64_1d *in = futhark_new_f64_1d(ctx, x, k), *out = NULL;
	n_cbrt = 0;
	if (f(ctx, &out, n, in) != 0)
		n_cbrt = -1;
	futhark_free_f64_1d(ctx, in);
	futhark_free_f64_1d(ctx, out);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	return n_cbrt / n / each;
}
int main(void)
{
	printf("%lld %lld\n", executed(futhark_entry_places_g, 100000, 100, 1, 16384),
	       executed(futhark_entry_long_g, 1000, 500, 500, 84000));
	return 0;
}
C
run raido c -w --memory-budget=1G --library -o lib "$root/bench/ad_growth/budget.fut"
exits 0
run ${CC:-cc} $CFLAGS -D_GNU_SOURCE -include "$root/bench/ad_growth/budget.h" -o count count.c lib.c -lm
exits 0
run ./count
is '6 4'

about "programs without"
run ./plain --memory-budget=1M -e long_g
exits 1
complains "compile it with --memory-budget"
finish
