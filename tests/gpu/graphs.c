// Calls of loops.fut in random order by two contexts, with graphs and without, which must agree: numbers of iterations
// and shapes that change, failures in loops, arrays that are freed or kept, memory that runs out.
// Two threads do so at the same time.  Prints `N passed, N failed`.
#include "loops.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100 };

struct side {
	struct futhark_context_config *cfg;
	struct futhark_context *ctx;
	struct futhark_f64_1d *input;   // kept for several calls
	double out[2 * MOST + 1];
	int64_t n_out;
	char *error;
};

struct worker { uint64_t state; int passed, failed; struct side sides[2]; };

static int64_t below(struct worker *w, int64_t n)
{
	w->state ^= w->state << 13;
	w->state ^= w->state >> 7;
	w->state ^= w->state << 17;
	return (int64_t)(w->state % (uint64_t)n);
}

static void check(struct worker *w, bool ok, const char *what, int n)
{
	w->passed += ok;
	w->failed += !ok;
	if (!ok)
		printf("%s failed in call %d\n", what, n);
}

static void take_f64(struct side *s, struct futhark_f64_1d *a)
{
	s->n_out = *futhark_shape_f64_1d(s->ctx, a);
	futhark_values_f64_1d(s->ctx, a, s->out);
	futhark_context_sync(s->ctx);
}

static void call_steps(struct side *s, int64_t k, bool apart, bool keep)
{
	struct futhark_f64_1d *a = NULL;
	if ((apart ? futhark_entry_apart(s->ctx, &a, k / 4, s->input) : futhark_entry_steps(s->ctx, &a, k, s->input)) != 0)
		return;
	take_f64(s, a);
	if (keep) {
		futhark_free_f64_1d(s->ctx, s->input);
		s->input = a;
	} else {
		futhark_free_f64_1d(s->ctx, a);
	}
}

static void call_halves(struct side *s, int64_t n, int64_t x)
{
	struct futhark_i64_1d *a = NULL;
	int64_t found[MOST], i;
	if (futhark_entry_halves(s->ctx, &a, n, x) != 0)
		return;
	s->n_out = *futhark_shape_i64_1d(s->ctx, a);
	futhark_values_i64_1d(s->ctx, a, found);
	futhark_context_sync(s->ctx);
	for (i = 0; i < s->n_out; i++)
		s->out[i] = (double)found[i];
	futhark_free_i64_1d(s->ctx, a);
}

static void call_picks(struct side *s, int64_t k, int64_t n, const int64_t *at)
{
	struct futhark_i64_2d *is = futhark_new_i64_2d(s->ctx, at, k, n);
	struct futhark_opaque_tup2_arr1d_f64_f64 *out = NULL;
	struct futhark_f64_1d *a = NULL;
	if (futhark_entry_picks(s->ctx, &out, k, s->input, is) == 0 && futhark_context_sync(s->ctx) == 0) {
		futhark_project_opaque_tup2_arr1d_f64_f64_0(s->ctx, &a, out);
		take_f64(s, a);
		futhark_project_opaque_tup2_arr1d_f64_f64_1(s->ctx, &s->out[s->n_out++], out);
		futhark_free_f64_1d(s->ctx, a);
	}
	if (out)
		futhark_free_opaque_tup2_arr1d_f64_f64(s->ctx, out);
	futhark_free_i64_2d(s->ctx, is);
}

static void call_large(struct side *s, int64_t n)
{
	struct futhark_f64_1d *a = NULL;
	if (futhark_entry_large(s->ctx, &a, n) == 0)
		futhark_free_f64_1d(s->ctx, a);
}

// The same for both contexts.
static void call(struct worker *w, int n_call, bool scarce)
{
	static const int64_t sizes[] = {3, 17, 64};
	int64_t what = below(w, 16), k = below(w, 3) ? 20 : below(w, 40), n = 0, i, x = below(w, 3);
	bool fresh = below(w, 4) == 0 || n_call == 0, keep = below(w, 3) == 0, bad = below(w, 4) == 0;
	double values[MOST];
	int64_t *at;
	int side, size = (int)below(w, 3);
	for (i = 0; i < MOST; i++)
		values[i] = (double)below(w, 1000) / 16;
	for (side = 0; side < 2; side++) {
		struct side *s = &w->sides[side];
		if (fresh && s->input)
			futhark_free_f64_1d(s->ctx, s->input);
		if (fresh)
			s->input = futhark_new_f64_1d(s->ctx, values, sizes[size]);
		n = *futhark_shape_f64_1d(s->ctx, s->input);
		s->n_out = -1;
	}
	at = malloc((size_t)(k * n + 1) * sizeof *at);
	for (i = 0; i < k * n; i++)
		at[i] = (i * 7 + 3) % n;
	if (bad && k > 0)
		at[below(w, k * n)] = n;
	for (side = 0; side < 2; side++) {
		struct side *s = &w->sides[side];
		if (what < 7)
			call_steps(s, k, what < 3, keep);
		else if (what < 9)
			call_halves(s, n, x);
		else if (what < 15)
			call_picks(s, k, n, at);
		else
			call_large(s, scarce ? 1 << 20 : 1000);
		futhark_context_sync(s->ctx);
		s->error = futhark_context_get_error(s->ctx);
	}
	free(at);
	struct side *a = &w->sides[0], *b = &w->sides[1];
	check(w, a->n_out == b->n_out && (a->n_out < 0 ||
	      memcmp(a->out, b->out, (size_t)a->n_out * sizeof *a->out) == 0), "result", n_call);
	check(w, (!a->error && !b->error) || (a->error && b->error && strcmp(a->error, b->error) == 0), "error", n_call);
	if (what >= 9 && what < 15)
		check(w, (a->error != NULL) == (bad && k > 0), "failure", n_call);
	if (what == 15 && scarce)
		check(w, a->error && strstr(a->error, "Failed to allocate"), "memory", n_call);
	free(a->error);
	free(b->error);
}

static int calls = 200;
static bool scarce;

static void *work(void *arg)
{
	struct worker *w = arg;
	int i;
	for (i = 0; i < 2; i++) {
		struct side *s = &w->sides[i];
		s->cfg = futhark_context_config_new();
		futhark_context_config_set_tuning_param(s->cfg, "graphs", i == 0);
		s->ctx = futhark_context_new(s->cfg);
		s->error = futhark_context_get_error(s->ctx);
		if (s->error) {
			printf("%s\n", s->error);
			exit(1);
		}
	}
	for (i = 0; i < calls; i++)
		call(w, i, scarce);
	for (i = 0; i < 2; i++) {
		futhark_free_f64_1d(w->sides[i].ctx, w->sides[i].input);
		futhark_context_free(w->sides[i].ctx);
		futhark_context_config_free(w->sides[i].cfg);
	}
	return NULL;
}

// graphs [CALLS [scarce]]; the latter if the device has so little memory that the entry point `large` finds none.
// One thread then: what `large` holds before it fails may be missed by another.
int main(int argc, char **argv)
{
	struct worker workers[2] = {{.state = 88172645463325252u}, {.state = 1234567891011u}};
	pthread_t other;
	if (argc > 1)
		calls = atoi(argv[1]);
	scarce = argc > 2;
	if (!scarce)
		pthread_create(&other, NULL, work, &workers[1]);
	work(&workers[0]);
	if (!scarce)
		pthread_join(other, NULL);
	printf("%d passed, %d failed\n", workers[0].passed + workers[1].passed,
	       workers[0].failed + workers[1].failed);
	return 0;
}
