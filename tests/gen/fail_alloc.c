// Allocations that fail: a use of the interface again and again, in which the first allocation fails, then the
// second, and so on, alone, or with some or all after it, until none is left to fail.
//
// Each function then succeeds or gives an error; nothing crashes, and the sanitizer finds no leak.  Whatever
// has failed, the context works afterwards.
#include "fail_alloc.h"
#undef malloc
#undef calloc
#undef realloc
#undef strdup
#undef posix_memalign
#undef pthread_create
#include "fail_alloc_lib.h"
#include <stdio.h>

static int n_passed, n_failed;

static bool expect(bool good, const char *what, long at)
{
	if (good) {
		n_passed++;
	} else {
		n_failed++;
		printf("allocation %ld, %ld in a row: %s\n", at, fail_for, what);
	}
	return good;
}

enum { N = 40 };
static double xs[N];
static int64_t is[N];

static bool near(double a, double b)
{
	return a - b < 1e-9 && b - a < 1e-9;
}

// ---- Single uses: they give 0 or an error code; what they get must be right ----

typedef struct futhark_context Ctx;
typedef struct futhark_f64_1d F64s;

static int values_are(Ctx *ctx, F64s *a, int64_t n, int64_t at, double want)
{
	double got[64];
	const int64_t *shape = futhark_shape_f64_1d(ctx, a);
	int err = shape[0] == n && n <= 64 ? futhark_values_f64_1d(ctx, a, got) : 0;
	if (!err)
		expect(shape[0] == n && near(got[at], want), "wrong value", fail_at);
	return err;
}

static int use_sums(Ctx *ctx)
{
	F64s *x = futhark_new_f64_1d(ctx, xs, N), *out = NULL;
	struct futhark_i64_1d *i = futhark_new_i64_1d(ctx, is, N);
	double spread = 0;
	int err = x && i ? futhark_entry_spread(ctx, &spread, 5000, i, x) : 1;
	if (!err)
		expect(near(spread, 64 * 210), "wrong sums", fail_at);
	if (!err)
		err = futhark_entry_sums(ctx, &out, 4, i, x);
	if (!err)
		err = values_are(ctx, out, 4, 1, 210);
	if (x)
		futhark_free_f64_1d(ctx, x);
	if (i)
		futhark_free_i64_1d(ctx, i);
	if (out)
		futhark_free_f64_1d(ctx, out);
	return err;
}

static int use_filtered(Ctx *ctx)
{
	F64s *x = futhark_new_f64_1d(ctx, xs, N), *a = NULL, *b = NULL;
	struct futhark_opaque_tup2_arr1d_f64_arr1d_f64 *both = NULL;
	int err = x ? futhark_entry_filtered(ctx, &both, x) : 1;
	if (!err)
		err = futhark_project_opaque_tup2_arr1d_f64_arr1d_f64_0(ctx, &a, both);
	if (!err)
		err = futhark_project_opaque_tup2_arr1d_f64_arr1d_f64_1(ctx, &b, both);
	if (!err)
		err = values_are(ctx, a, N - 2, 0, 2);
	if (!err)
		err = values_are(ctx, b, N, 3, 6);
	if (x)
		futhark_free_f64_1d(ctx, x);
	if (a)
		futhark_free_f64_1d(ctx, a);
	if (b)
		futhark_free_f64_1d(ctx, b);
	if (both)
		futhark_free_opaque_tup2_arr1d_f64_arr1d_f64(ctx, both);
	return err;
}

static int use_scalars(Ctx *ctx)
{
	double d = 0;
	int err = futhark_entry_irregular(ctx, &d, 10);
	if (!err)
		expect(near(d, 67.5), "wrong sum", fail_at);
	return err;
}

static int use_arrays(Ctx *ctx)
{
	F64s *x = futhark_new_f64_1d(ctx, xs, N), *y = NULL, *z = NULL, *w = NULL;
	int err = x ? futhark_entry_recursive(ctx, &y, 4, x) : 1;
	if (!err)
		err = values_are(ctx, y, N, 2, 32);
	if (!err)
		err = futhark_entry_derivative(ctx, &z, x);
	if (!err)
		err = futhark_entry_update(ctx, &w, y, 3);
	if (!err)
		err = values_are(ctx, w, N, 3, 7);
	if (x)
		futhark_free_f64_1d(ctx, x);
	if (y)
		futhark_free_f64_1d(ctx, y);
	if (z)
		futhark_free_f64_1d(ctx, z);
	if (w)
		futhark_free_f64_1d(ctx, w);
	return err;
}

// An error of the program, whose message needs memory too.
static int use_errors(Ctx *ctx)
{
	F64s *x = futhark_new_f64_1d(ctx, xs, N);
	double d;
	int err = x ? futhark_entry_fails(ctx, &d, x, N) : 1;
	if (x && !err)
		err = futhark_context_sync(ctx);
	expect(err != 0, "an index out of bounds was accepted", fail_at);
	if (x)
		futhark_free_f64_1d(ctx, x);
	free(futhark_context_get_error(ctx));
	return 0;
}

static int use_sum_type(Ctx *ctx)
{
	struct futhark_opaque_shape *s = NULL, *again = NULL;
	struct futhark_i32_1d *a = NULL;
	struct futhark_f32_1d *b = NULL;
	void *bytes = NULL;
	size_t n = 0;
	float got[5];
	int err = futhark_entry_path(ctx, &s, 5);
	if (!err)
		err = futhark_store_opaque_shape(ctx, s, &bytes, &n);
	if (!err && !(again = futhark_restore_opaque_shape(ctx, bytes)))
		err = 1;
	if (!err)
		err = futhark_destruct_opaque_shape_path(ctx, &a, &b, again);
	if (!err && !(err = futhark_values_f32_1d(ctx, b, got)))
		expect(got[4] == 2, "wrong payload", fail_at);
	if (a)
		futhark_free_i32_1d(ctx, a);
	if (b)
		futhark_free_f32_1d(ctx, b);
	free(bytes);
	if (s)
		futhark_free_opaque_shape(ctx, s);
	if (again)
		futhark_free_opaque_shape(ctx, again);
	return err;
}

static int use_records(Ctx *ctx)
{
	struct futhark_opaque_arr1d_pt *ps = NULL, *qs = NULL;
	struct futhark_opaque_pt *p = NULL;
	float x = 0;
	int err = futhark_entry_points(ctx, &ps, 5);
	if (!err)
		err = futhark_index_opaque_arr1d_pt(ctx, &p, ps, 3);
	if (!err)
		err = futhark_project_opaque_pt_x(ctx, &x, p);
	if (!err)
		expect(x == 3, "wrong field", fail_at);
	if (!err) {
		struct futhark_opaque_pt *const elems[] = {p, p};
		err = futhark_new_opaque_arr1d_pt(ctx, &qs, elems, 2);
	}
	if (!err)
		err = futhark_set_opaque_arr1d_pt(ctx, ps, p, 0);
	if (p)
		futhark_free_opaque_pt(ctx, p);
	if (ps)
		futhark_free_opaque_arr1d_pt(ctx, ps);
	if (qs)
		futhark_free_opaque_arr1d_pt(ctx, qs);
	return err;
}

// Blocks of threads for all pairs of rows take long on a device that is none.
static int use_rows(Ctx *ctx)
{
#ifdef DEVICE
	enum { ROWS = 6 };
#else
	enum { ROWS = N };
#endif
	F64s *x = futhark_new_f64_1d(ctx, xs, ROWS);
	double d = 0;
	int err = x ? futhark_entry_together(ctx, &d, x, 3) : 1;
	if (!err)
		expect(near(d, ROWS * (ROWS * (ROWS - 1) / 2)), "wrong rows", fail_at);
	if (!err)
		err = futhark_entry_kept(ctx, &d, 199);
	if (!err)
		expect(near(d, 199 * 100 + 2666600), "wrong constant", fail_at);
	if (x)
		futhark_free_f64_1d(ctx, x);
	return err;
}

// A derivative in two sweeps, the first of which keeps what the second needs.
static int use_sweeps(Ctx *ctx)
{
	F64s *x = futhark_new_f64_1d(ctx, xs, N), *y = NULL, *d = NULL;
	struct futhark_f64_2d *rest = NULL;
	struct futhark_opaque_tup2_arr1d_f64_arr2d_f64 *fwd = NULL;
	struct futhark_opaque_tup2_arr1d_f64_f64 *bwd = NULL;
	int err = x ? futhark_entry_scaled_split_fwd(ctx, &fwd, x, 1) : 1;
	if (!err)
		err = futhark_project_opaque_tup2_arr1d_f64_arr2d_f64_0(ctx, &y, fwd);
	if (!err)
		err = futhark_project_opaque_tup2_arr1d_f64_arr2d_f64_1(ctx, &rest, fwd);
	if (!err)
		err = futhark_entry_scaled_split_bwd(ctx, &bwd, x, 1, rest, y);
	if (!err)
		err = futhark_project_opaque_tup2_arr1d_f64_f64_0(ctx, &d, bwd);
	if (!err)
		err = values_are(ctx, d, N, 0, 0);
	if (x)
		futhark_free_f64_1d(ctx, x);
	if (y)
		futhark_free_f64_1d(ctx, y);
	if (rest)
		futhark_free_f64_2d(ctx, rest);
	if (d)
		futhark_free_f64_1d(ctx, d);
	if (fwd)
		futhark_free_opaque_tup2_arr1d_f64_arr2d_f64(ctx, fwd);
	if (bwd)
		futhark_free_opaque_tup2_arr1d_f64_f64(ctx, bwd);
	return err;
}

static int use_report(Ctx *ctx)
{
	free(futhark_context_report(ctx));
	futhark_context_clear_caches(ctx);
	return 0;
}

static int (*const uses[])(Ctx *) = {
	use_sums, use_filtered, use_scalars, use_arrays, use_errors, use_sum_type, use_records, use_rows,
	use_sweeps, use_report,
};
enum { N_USES = sizeof uses / sizeof *uses };

// ---- All of them, in a context of their own ----

static struct futhark_context_config *new_config(void)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	if (!cfg)
		return NULL;
#ifdef DEVICE
	futhark_context_config_set_cache_file(cfg, "kernels.cache");
#endif
	futhark_context_config_set_profiling(cfg, 1);
#ifdef THREADS
	futhark_context_config_set_num_threads(cfg, THREADS);
#endif
	return cfg;
}

static void use_all(Ctx *ctx, int only)
{
	for (int k = 0; k < N_USES; k++) {
		if (only >= 0 && k != only)
			continue;
		int err = uses[k](ctx);
		bool was = failed;
		long at = fail_at;
		if (err) {
			fail_at = 0;
			char *error = futhark_context_get_error(ctx);
			expect(error != NULL, "an error without a message", at);
			expect(was, error ? error : "an error for no reason", at);
			free(error);
			break;
		}
	}
}

// Fails allocation n of making a context (only < 0), or of a use in a context that has been used.
static bool try(long n, long in_a_row, int only)
{
	fail_at = only < 0 ? n : 0;
	fail_for = in_a_row;
	failed = false;
	fail_count = 0;
	struct futhark_context_config *cfg = new_config();
	Ctx *ctx = cfg ? futhark_context_new(cfg) : NULL;
	fail_at = fail_at && only < 0 ? n : 0;
	if (ctx && only < 0)
		use_all(ctx, -1);
	if (ctx && only >= 0) {
		fail_count = 0;
		fail_at = n;
		use_all(ctx, only);
	}
	expect(ctx || failed, "no context for no reason", n);
	fail_at = 0;
	bool any = failed;
	if (ctx) {
		char *error = futhark_context_get_error(ctx);
		free(error);
		failed = false;
#ifdef DEVICE
		if (only >= 0)
#endif
		use_all(ctx, -1);
		futhark_context_free(ctx);
	}
	if (cfg)
		futhark_context_config_free(cfg);
	return any;
}

// use: -1 for all from making the context on, or the number of one
int main(int argc, char **argv)
{
	enum { MOST = 3000 };
	static const long rows[] = {1, 6, 1000000};
	int step = argc > 1 ? atoi(argv[1]) : 1;
	for (int i = 0; i < N; i++) {
		xs[i] = i;
		is[i] = i <= 20;
	}
	for (int only = -1; only < N_USES; only++)
		for (int k = 0; k < 3; k++) {
			long n = 1;
			while (n < MOST && try(n, rows[k], only))
				n += step;
			expect(n > 1 || only == N_USES - 1, "nothing was allocated", only);
			expect(n < MOST, "allocations without end", only);
		}
	printf("%d passed, %d failed\n", n_passed, n_failed);
	return n_failed != 0;
}
