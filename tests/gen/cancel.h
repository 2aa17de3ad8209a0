// The entry points of cancel.fut as functions of one argument, and when a call was cancelled: for cancel.c and
// bench/cancel/latency.c.
#include "cancel_lib.h"
#include <time.h>

static struct futhark_context *ctx;
static volatile double cancelled_at;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef int call(int64_t n);
static double d;
static int64_t i64;
static int32_t i32;
static int counting(int64_t n) { return futhark_entry_counting(ctx, &d, n); }
static int reduction(int64_t n) { return futhark_entry_reduction(ctx, &d, n); }
static int integers(int64_t n) { return futhark_entry_integers(ctx, &i32, n); }
static int nested(int64_t n) { return futhark_entry_nested(ctx, &d, n); }
static int endless(int64_t n) { return futhark_entry_endless(ctx, &i64, n); }
static int recursion(int64_t n) { return futhark_entry_recursion(ctx, &i64, n); }
static int steps(int64_t n) { return futhark_entry_steps(ctx, &d, n); }
static int kernels(int64_t n) { return futhark_entry_kernels(ctx, &d, n); }
static int wide(int64_t n) { return futhark_entry_wide(ctx, &d, n); }
static int heavy(int64_t n) { return futhark_entry_heavy(ctx, &d, n); }
static int copies(int64_t n) { return futhark_entry_copies(ctx, &d, n); }
static int inner(int64_t n)
{
	struct futhark_f64_1d *out = NULL;
	int err = futhark_entry_inner(ctx, &out, n);
	if (!err)
		futhark_free_f64_1d(ctx, out);
	return err;
}
static int bounded(int64_t n)
{
	struct futhark_f64_1d *out = NULL;
	int err = futhark_entry_bounded(ctx, &out, n);
	if (!err)
		futhark_free_f64_1d(ctx, out);
	return err;
}
static int rows(int64_t n)
{
	struct futhark_i64_1d *out = NULL;
	int err = futhark_entry_rows(ctx, &out, n);
	if (!err)
		futhark_free_i64_1d(ctx, out);
	return err;
}
#ifndef DEVICE
static int filled(int64_t n)
{
	struct futhark_f64_1d *out = NULL;
	int err = futhark_entry_filled(ctx, &out, n);
	if (!err)
		futhark_free_f64_1d(ctx, out);
	return err;
}
static struct futhark_f64_1d *array; // what the next ones copy: make_array
static int make_array(void)
{
	return futhark_entry_given(ctx, &array);
}
static int joined(int64_t n)
{
	struct futhark_f64_1d *out = NULL;
	int err = futhark_entry_joined(ctx, &out, array);
	(void)n;
	if (!err)
		futhark_free_f64_1d(ctx, out);
	return err;
}
static int transposed(int64_t n)
{
	struct futhark_f64_2d *out = NULL;
	int err = futhark_entry_transposed(ctx, &out, array);
	(void)n;
	if (!err)
		futhark_free_f64_2d(ctx, out);
	return err;
}
static int product(int64_t n)
{
	struct futhark_f64_2d *out = NULL;
	int err = futhark_entry_product(ctx, &out, array);
	(void)n;
	if (!err)
		futhark_free_f64_2d(ctx, out);
	return err;
}
static int chained(int64_t n)
{
	struct futhark_f64_1d *out = NULL;
	int err = futhark_entry_chained(ctx, &out, array);
	(void)n;
	if (!err)
		futhark_free_f64_1d(ctx, out);
	return err;
}
#endif
