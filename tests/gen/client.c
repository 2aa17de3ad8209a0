// Drives the library made of interface.fut through its C interface.  Compiles as C11 and as
// C++17.  Silent when all is well; the last line says how many checks there were.
#include "interface.h"
#if defined(FUTHARK_BACKEND_c) || defined(FUTHARK_BACKEND_multicore)
#define ON_HOST // arrays are in memory that this program can read
#endif

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static void check(int ok, const char *what, int line)
{
	pthread_mutex_lock(&counting);
	if (ok)
		passed++;
	else
		failed++;
	pthread_mutex_unlock(&counting);
	if (!ok)
		printf("client.c:%d: %s\n", line, what);
}
#define CHECK(c) check((c) ? 1 : 0, #c, __LINE__)

static int fails_with(struct futhark_context *ctx, int err, int want, const char *text)
{
	char *error = futhark_context_get_error(ctx);
	int ok = err == want && error && strstr(error, text) != NULL;
	if (!ok)
		printf("error %d: %s\n", err, error ? error : "none");
	free(error);
	return ok;
}

static void arrays(struct futhark_context *ctx)
{
	const double data[6] = {1, 2, 3, 4, 5, 6};
	double back[6], one = 0;
	struct futhark_f64_2d *a = futhark_new_f64_2d(ctx, data, 2, 3), *b = NULL, *a2;
	CHECK(a != NULL && futhark_shape_f64_2d(ctx, a)[1] == 3);
	CHECK(futhark_entry_scale(ctx, &b, 10, a) == FUTHARK_SUCCESS);
	CHECK(futhark_shape_f64_2d(ctx, b)[0] == 2 && futhark_shape_f64_2d(ctx, b)[1] == 3);
	CHECK(futhark_values_f64_2d(ctx, b, back) == 0 && back[0] == 10 && back[5] == 60);
	CHECK(futhark_index_f64_2d(ctx, &one, b, 1, 0) == 0 && one == 40);
	CHECK(fails_with(ctx, futhark_index_f64_2d(ctx, &one, b, 2, 0), 1,
	                 "out of bounds"));
#ifdef ON_HOST
	CHECK(((double *)futhark_values_raw_f64_2d(ctx, b))[1] == 20);
#endif
	a2 = futhark_new_raw_f64_2d(ctx, futhark_values_raw_f64_2d(ctx, b), 3, 2); // the same memory
	CHECK(a2 && futhark_values_f64_2d(ctx, a2, back) == 0 && back[3] == 40);
	futhark_free_f64_2d(ctx, a2);
	futhark_free_f64_2d(ctx, a);
	futhark_free_f64_2d(ctx, b);

	a = futhark_new_f64_2d(ctx, NULL, 0, 7);
	CHECK(futhark_entry_scale(ctx, &b, 10, a) == 0 && futhark_shape_f64_2d(ctx, b)[1] == 7);
	futhark_free_f64_2d(ctx, a);
	futhark_free_f64_2d(ctx, b);

#ifdef ON_HOST
	double mine[4] = {1, 2, 3, 4};
	a = futhark_new_raw_f64_2d(ctx, (unsigned char *)mine, 2, 2);
	mine[3] = 40;
	CHECK(futhark_entry_scale(ctx, &b, 2, a) == 0 && futhark_values_f64_2d(ctx, b, back) == 0);
	CHECK(back[3] == 80);
	futhark_free_f64_2d(ctx, a);
	futhark_free_f64_2d(ctx, b);
#endif

	bool flags[3] = {true, false, true};
	struct futhark_bool_1d *f = futhark_new_bool_1d(ctx, flags, 3), *g = NULL;
	CHECK(futhark_entry_flags(ctx, &g, f) == 0 && futhark_values_bool_1d(ctx, g, flags) == 0);
	CHECK(!flags[0] && flags[1] && !flags[2]);
	futhark_free_bool_1d(ctx, f);
	futhark_free_bool_1d(ctx, g);
}

static void tuples(struct futhark_context *ctx)
{
	const int32_t xs[3] = {1, 2, 3};
	const float ys[3] = {0.5f, 1.5f, 2.5f};
	float back[3];
	int32_t sum = 0, two = 0;
	bool yes = false;
	struct futhark_i32_1d *x = futhark_new_i32_1d(ctx, xs, 3);
	struct futhark_f32_1d *y = futhark_new_f32_1d(ctx, ys, 3), *z = NULL;
	struct futhark_opaque_tup2_i32_arr1d_f32 *r = NULL, *s = NULL;
	CHECK(futhark_entry_main(ctx, &r, x, y) == 0);
	CHECK(futhark_project_opaque_tup2_i32_arr1d_f32_0(ctx, &sum, r) == 0 && sum == 6);
	CHECK(futhark_project_opaque_tup2_i32_arr1d_f32_1(ctx, &z, r) == 0);
	futhark_free_opaque_tup2_i32_arr1d_f32(ctx, r);
	CHECK(futhark_values_f32_1d(ctx, z, back) == 0 && back[2] == 7.5f);
	CHECK(futhark_new_opaque_tup2_i32_arr1d_f32(ctx, &s, 4, z) == 0);
	CHECK(futhark_entry_pair(ctx, &sum, s) == 0 && sum == 7);
	futhark_free_opaque_tup2_i32_arr1d_f32(ctx, s);
	futhark_free_f32_1d(ctx, z);
	futhark_free_f32_1d(ctx, y);

	struct futhark_opaque_7ea708b523cf0e0439b13fea2cd077f7 *n = NULL;
	struct futhark_opaque_abe076c480f5db88e211d20821616029 *rec = NULL;
	struct futhark_opaque_tup2_i32_bool *inner = NULL;
	CHECK(futhark_entry_nested(ctx, &n, x) == 0);
	CHECK(futhark_project_opaque_7ea708b523cf0e0439b13fea2cd077f7_1(ctx, &rec, n) == 0);
	CHECK(futhark_project_opaque_abe076c480f5db88e211d20821616029_b(ctx, &inner, rec) == 0);
	CHECK(futhark_project_opaque_tup2_i32_bool_0(ctx, &two, inner) == 0 && two == 2);
	CHECK(futhark_project_opaque_tup2_i32_bool_1(ctx, &yes, inner) == 0 && yes);
	futhark_free_opaque_tup2_i32_bool(ctx, inner);
	futhark_free_opaque_abe076c480f5db88e211d20821616029(ctx, rec);
	futhark_free_opaque_7ea708b523cf0e0439b13fea2cd077f7(ctx, n);
	futhark_free_i32_1d(ctx, x);

	struct futhark_opaque_unit *u = NULL;
	CHECK(futhark_entry_nothing(ctx, &u, 1) == 0 && u != NULL);
	futhark_free_opaque_unit(ctx, u);
	CHECK(futhark_entry_answer(ctx, &two) == 0 && two == 42);
}

static void records(struct futhark_context *ctx)
{
	struct futhark_opaque_pt *p = NULL, *q = NULL;
	float norm = 0, x = 0;
	void *bytes = NULL;
	size_t n = 0;
	CHECK(futhark_new_opaque_pt(ctx, &p, 3, 4) == 0 && futhark_entry_norm(ctx, &norm, p) == 0);
	CHECK(norm == 5);
	CHECK(futhark_entry_mk(ctx, &q, 6, 8) == 0 && futhark_project_opaque_pt_x(ctx, &x, q) == 0);
	CHECK(x == 6);
	CHECK(futhark_store_opaque_pt(ctx, q, NULL, &n) == 0 && n > 0);
	CHECK(futhark_store_opaque_pt(ctx, q, &bytes, &n) == 0 && bytes != NULL);
	futhark_free_opaque_pt(ctx, q);
	q = futhark_restore_opaque_pt(ctx, bytes);
	free(bytes);
	CHECK(q != NULL && futhark_entry_norm(ctx, &norm, q) == 0 && norm == 10);

	struct futhark_opaque_arr1d_pt *ps = NULL, *zipped = NULL;
	struct futhark_opaque_pt *both[2] = {p, q}, *e = NULL;
	struct futhark_f32_1d *xs = NULL, *ys = NULL;
	float back[3];
	CHECK(futhark_new_opaque_arr1d_pt(ctx, &ps, both, 2) == 0);
	CHECK(futhark_shape_opaque_arr1d_pt(ctx, ps)[0] == 2);
	CHECK(futhark_set_opaque_arr1d_pt(ctx, ps, q, 0) == 0);
	CHECK(futhark_index_opaque_arr1d_pt(ctx, &e, ps, 0) == 0);
	CHECK(futhark_project_opaque_pt_y(ctx, &x, e) == 0 && x == 8);
	CHECK(fails_with(ctx, futhark_set_opaque_arr1d_pt(ctx, ps, q, 2), 1, "bounds"));
	CHECK(fails_with(ctx, futhark_index_opaque_arr1d_pt(ctx, NULL, ps, 2), 1, "bounds"));
	futhark_free_opaque_pt(ctx, e);
	futhark_free_opaque_pt(ctx, p);
	futhark_free_opaque_pt(ctx, q);
	futhark_free_opaque_arr1d_pt(ctx, ps);
	CHECK(futhark_entry_points(ctx, &ps, 3) == 0);
	CHECK(futhark_project_opaque_arr1d_pt_x(ctx, &xs, ps) == 0);
	CHECK(futhark_zip_opaque_arr1d_pt(ctx, &zipped, xs, xs) == 0);
	CHECK(futhark_entry_abscissas(ctx, &ys, zipped) == 0);
	CHECK(futhark_values_f32_1d(ctx, ys, back) == 0 && back[2] == 2);
	futhark_free_f32_1d(ctx, ys);
	futhark_free_opaque_arr1d_pt(ctx, zipped);
	ys = futhark_new_f32_1d(ctx, back, 2);
	CHECK(fails_with(ctx, futhark_zip_opaque_arr1d_pt(ctx, &zipped, xs, ys), 1, "zip"));
	futhark_free_f32_1d(ctx, xs);
	futhark_free_f32_1d(ctx, ys);
	futhark_free_opaque_arr1d_pt(ctx, ps);

	const int64_t two[2] = {3, 4};
	int64_t doubled[2];
	int32_t name = 0;
	struct futhark_i64_1d *d = futhark_new_i64_1d(ctx, two, 2), *dd = NULL;
	struct futhark_opaque_m_t *t = NULL, *tt = NULL;
	CHECK(futhark_new_opaque_m_t(ctx, &t, d, 7) == 0 && futhark_entry_named(ctx, &tt, t) == 0);
	CHECK(futhark_project_opaque_m_t_name(ctx, &name, tt) == 0 && name == 8);
	CHECK(futhark_project_opaque_m_t_data(ctx, &dd, tt) == 0);
	CHECK(futhark_values_i64_1d(ctx, dd, doubled) == 0 && doubled[1] == 8);
	futhark_free_i64_1d(ctx, d);
	futhark_free_i64_1d(ctx, dd);
	futhark_free_opaque_m_t(ctx, t);
	futhark_free_opaque_m_t(ctx, tt);
}

static void sums(struct futhark_context *ctx)
{
	const int32_t path[3] = {1, 2, 3};
	int32_t back[3];
	double area = 0, areas[3], r = 0;
	bool closed = false;
	struct futhark_i32_1d *p = futhark_new_i32_1d(ctx, path, 3), *q = NULL;
	struct futhark_opaque_shape *s[3] = {NULL, NULL, NULL}, *copy = NULL;
	CHECK(futhark_new_opaque_shape_circle(ctx, &s[0], 2) == 0);
	CHECK(futhark_new_opaque_shape_path(ctx, &s[1], p, true) == 0);
	CHECK(futhark_new_opaque_shape_empty(ctx, &s[2]) == 0);
	for (int i = 0; i < 3; i++) // alphabetical: circle, empty, path
		CHECK(futhark_variant_opaque_shape(ctx, s[i]) == (3 - i) % 3);
	CHECK(futhark_entry_area(ctx, &area, s[0]) == 0 && area == 12);
	CHECK(futhark_entry_area(ctx, &area, s[1]) == 0 && area == 6.5);
	CHECK(futhark_entry_area(ctx, &area, s[2]) == 0 && area == 0);
	CHECK(futhark_destruct_opaque_shape_circle(ctx, &r, s[0]) == 0 && r == 2);
	CHECK(futhark_destruct_opaque_shape_path(ctx, &q, &closed, s[1]) == 0 && closed);
	CHECK(futhark_values_i32_1d(ctx, q, back) == 0 && back[2] == 3);
	CHECK(fails_with(ctx, futhark_destruct_opaque_shape_circle(ctx, &r, s[1]), 1, "variant"));

	void *bytes = NULL;
	size_t n = 0;
	CHECK(futhark_store_opaque_shape(ctx, s[0], &bytes, &n) == 0);
	copy = futhark_restore_opaque_shape(ctx, bytes);
	free(bytes);
	CHECK(copy != NULL && futhark_entry_area(ctx, &area, copy) == 0 && area == 12);
	futhark_free_opaque_shape(ctx, copy);

	struct futhark_opaque_arr1d_shape *all = NULL;
	struct futhark_f64_1d *of_all = NULL;
	CHECK(futhark_new_opaque_arr1d_shape(ctx, &all, s, 3) == 0);
	CHECK(futhark_entry_kinds(ctx, &of_all, all) == 0 && futhark_values_f64_1d(ctx, of_all, areas) == 0);
	CHECK(areas[0] == 12 && areas[1] == 6.5 && areas[2] == 0);
	CHECK(futhark_index_opaque_arr1d_shape(ctx, &copy, all, 1) == 0);
	CHECK(futhark_entry_area(ctx, &area, copy) == 0 && area == 6.5);
	futhark_free_opaque_shape(ctx, copy);
	futhark_free_f64_1d(ctx, of_all);
	futhark_free_opaque_arr1d_shape(ctx, all);
	for (int i = 0; i < 3; i++)
		futhark_free_opaque_shape(ctx, s[i]);
	futhark_free_i32_1d(ctx, p);
	futhark_free_i32_1d(ctx, q);
}

// Bytes that are no value of the type are refused.  In an array of points the size of x is at
// byte 7 and its elements follow; then comes y.
static void wrong_bytes(struct futhark_context *ctx)
{
	struct futhark_opaque_arr1d_pt *ps = NULL, *copy;
	struct futhark_opaque_shape *s = NULL, *other;
	unsigned char *bytes = NULL;
	const int64_t absent = -1, shorter = 1;
	size_t n = 0;
	CHECK(futhark_entry_points(ctx, &ps, 2) == 0);
	CHECK(futhark_store_opaque_arr1d_pt(ctx, ps, (void **)&bytes, &n) == 0 && n == 46);
	CHECK(memcmp(bytes, "b\2\1 f32\2", 8) == 0);
	memcpy(bytes + 7, &absent, 8);
	CHECK(fails_with(ctx, futhark_restore_opaque_arr1d_pt(ctx, bytes) != NULL, 0, "no stored value"));
	memcpy(bytes + 7, &shorter, 8); // x has one element, y two
	memmove(bytes + 19, bytes + 23, n - 23);
	CHECK(fails_with(ctx, futhark_restore_opaque_arr1d_pt(ctx, bytes) != NULL, 0, "no stored value"));
	bytes[6] = '4';
	CHECK(fails_with(ctx, futhark_restore_opaque_arr1d_pt(ctx, bytes) != NULL, 0, "no stored value"));
	free(bytes);
	CHECK(fails_with(ctx, futhark_new_opaque_arr1d_pt(ctx, &copy, NULL, -1), 1,
	                 "size"));
	futhark_free_opaque_arr1d_pt(ctx, ps);

	bytes = NULL;
	CHECK(futhark_new_opaque_shape_empty(ctx, &s) == 0);
	CHECK(futhark_store_opaque_shape(ctx, s, (void **)&bytes, &n) == 0 && bytes[7] == 1);
	other = futhark_restore_opaque_shape(ctx, bytes);
	CHECK(other != NULL);
	futhark_free_opaque_shape(ctx, other);
	bytes[7] = 2; // a path without its array
	CHECK(fails_with(ctx, futhark_restore_opaque_shape(ctx, bytes) != NULL, 0, "no stored value"));
	bytes[7] = 3; // there are three variants
	CHECK(fails_with(ctx, futhark_restore_opaque_shape(ctx, bytes) != NULL, 0, "no stored value"));
	free(bytes);
	futhark_free_opaque_shape(ctx, s);
}

static void consumption(struct futhark_context *ctx)
{
	const int32_t data[3] = {1, 2, 3};
	int32_t back[3];
	struct futhark_i32_1d *x = futhark_new_i32_1d(ctx, data, 3), *alias = NULL, *y = NULL;
	CHECK(futhark_entry_same(ctx, &alias, x) == 0);
	CHECK(futhark_entry_update(ctx, &y, x, 1, 20) == 0);
	CHECK(futhark_values_i32_1d(ctx, y, back) == 0 && back[1] == 20);
	CHECK(futhark_values_i32_1d(ctx, alias, back) == 0 && back[1] == 2);
	futhark_free_i32_1d(ctx, alias);
	futhark_free_i32_1d(ctx, x);
	for (int i = 0; i < 3; i++) {
		struct futhark_i32_1d *next = NULL;
		CHECK(futhark_entry_update(ctx, &next, y, i, -i) == 0);
		futhark_free_i32_1d(ctx, y);
		y = next;
	}
	CHECK(futhark_values_i32_1d(ctx, y, back) == 0 && back[0] == 0 && back[2] == -2);
	CHECK(fails_with(ctx, futhark_entry_update(ctx, &x, y, 3, 0), FUTHARK_PROGRAM_ERROR,
	                 "Index [3] out of bounds for array of shape [3]."));
	futhark_free_i32_1d(ctx, y);
}

static void errors(struct futhark_context *ctx)
{
	const int32_t xs[3] = {1, 2, 3};
	const float ys[2] = {1, 2};
	struct futhark_i32_1d *x = futhark_new_i32_1d(ctx, xs, 3), *p = NULL;
	struct futhark_f32_1d *y = futhark_new_f32_1d(ctx, ys, 2);
	struct futhark_opaque_tup2_i32_arr1d_f32 *r = NULL;
	int64_t k = 0;
	CHECK(fails_with(ctx, futhark_entry_main(ctx, &r, x, y), 1,
	                 "Expected: xs: [n]i32, ys: [n]f32\nGot:      xs: [3]i32, ys: [2]f32"));
	CHECK(futhark_entry_sized(ctx, &k, 2, x) == 0 && k == 1);
	CHECK(fails_with(ctx, futhark_entry_sized(ctx, &k, 3, x), FUTHARK_PROGRAM_ERROR,
	                 "entry point arguments have invalid sizes."));
	CHECK(futhark_context_get_error(ctx) == NULL);
	CHECK(futhark_entry_positive(ctx, &p, x) == 0 && futhark_shape_i32_1d(ctx, p)[0] == 3);
	futhark_free_i32_1d(ctx, p);
	futhark_free_i32_1d(ctx, x);
	futhark_free_f32_1d(ctx, y);
}

static void *in_a_context(void *unused)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	struct futhark_context *ctx = futhark_context_new(cfg);
	for (int i = 0; i < 20; i++) {
		arrays(ctx);
		tuples(ctx);
		records(ctx);
		sums(ctx);
		wrong_bytes(ctx);
		consumption(ctx);
		errors(ctx);
	}
	CHECK(futhark_context_sync(ctx) == FUTHARK_SUCCESS);
	char *report = futhark_context_report(ctx);
	CHECK(report != NULL && strstr(report, "\"memory\"") != NULL);
	free(report);
	CHECK(futhark_context_clear_caches(ctx) == FUTHARK_SUCCESS);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	return unused;
}

// Many calls in one context from two threads.
static void *shared_calls(void *p)
{
	struct futhark_context *ctx = (struct futhark_context *)p;
	int32_t answer = 0;
	const double one[1] = {1};
	for (int i = 0; i < 1000; i++) {
		struct futhark_f64_2d *a = futhark_new_f64_2d(ctx, one, 1, 1), *b = NULL;
		CHECK(futhark_entry_answer(ctx, &answer) == 0 && answer == 42);
		CHECK(futhark_entry_scale(ctx, &b, 2, a) == 0);
		futhark_free_f64_2d(ctx, a);
		futhark_free_f64_2d(ctx, b);
	}
	return NULL;
}

static void in_two_threads(void *(*f)(void *), void *arg)
{
	pthread_t a, b;
	if (pthread_create(&a, NULL, f, arg) != 0 || pthread_create(&b, NULL, f, arg) != 0)
		exit(1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

int main(void)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	CHECK(futhark_get_tuning_param_count() == 0);
	CHECK(futhark_context_config_set_tuning_param(cfg, "none", 1) != 0);
	struct futhark_context *ctx = futhark_context_new(cfg);
	in_a_context(NULL);
	in_two_threads(in_a_context, NULL);
	in_two_threads(shared_calls, ctx);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
