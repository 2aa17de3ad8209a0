// Inequalities between affine forms in which some variables are sizes and others are loop counters.
//
//     n*m + 3*i                     not negative, term by term
//     n - 1 - i       for i < n     with  n - 1 - i'  for i it is  i', which is not negative either
//     n - 1 - l - i   for i < min q (max 0 (n - l)), as in the parts of a row, likewise
//
// From these follows which index ranges are disjoint,
//
//     [i, i + n)  and  [i + n + k, i + n + k + 1)
//
// and which forms are injective over the iterations of a nest: those in which each counter,
// starting with the outermost, has a larger stride than all inner counters can cover together,
//
//     i*m + j         for j < m     since  m - 1 - 1*(m - 1)  is not negative.
#include "core/affine.h"

// ---- Variables ----

static bool sub_natural(const AffineFacts *, Sub, int depth);

// Sizes, counters, and what is limited by such or from below, as the rows of a chunk are.
static bool var_natural(const AffineFacts *f, Var v, int depth)
{
	const void *key = var_key(v);
	if (map_has(f->sizes, key) || map_has(f->counters, key))
		return true;
	const Exp *e = depth ? f->defs.def(f->defs.ctx, sub_var(v)) : NULL;
	if (!e || e->form != E_prim || e->prim.at != PT_I64)
		return false;
	if (e->prim.op == P_chunk)
		return true;
	if (e->prim.op != P_min && e->prim.op != P_max)
		return false;
	bool a = sub_natural(f, e->prim.x[0], depth - 1);
	bool b = sub_natural(f, e->prim.x[1], depth - 1);
	return e->prim.op == P_min ? a && b : a || b;
}

static bool term_natural(const AffineFacts *f, const AffineTerm *t, int depth)
{
	for (int i = 0; i < AFFINE_DEGREE && t->v[i].id; i++)
		if (!var_natural(f, t->v[i], depth))
			return false;
	return t->k >= 0;
}

static bool all_natural(const AffineFacts *f, const Affine *a, int depth)
{
	bool natural = !a->bad && a->c >= 0;
	for (int i = 0; natural && i < a->n; i++)
		natural = term_natural(f, &a->t[i], depth);
	return natural;
}

static bool sub_natural(const AffineFacts *f, Sub x, int depth)
{
	if (x.kind == S_VAR && var_natural(f, x.var, depth))
		return true;
	Affine a = affine_of(f->defs, x);
	return all_natural(f, &a, depth);
}

// ---- Forms ----

// What a counter is below, or NULL.
static const Sub *limit_of(const AffineFacts *f, Var v)
{
	return map_get(f->counters, var_key(v));
}

// Numbers that a counter is below: besides its limit, if that is the least of two, both of them,
// and if it is the largest of 0 and another, that one, since something is counted.
enum { MOST_LIMITS = 4 };

static int limits_of(const AffineFacts *f, Sub x, Sub *out, int n)
{
	const Exp *e = x.kind == S_VAR && n < MOST_LIMITS ? f->defs.def(f->defs.ctx, x) : NULL;
	bool prim = e && e->form == E_prim && e->prim.at == PT_I64;
	if (n < MOST_LIMITS)
		out[n++] = x;
	for (int k = 0; prim && k < 2; k++)
		if (e->prim.op == P_min ||
		    (e->prim.op == P_max && sub_eq(e->prim.x[1 - k], sub_i64(0))))
			n = limits_of(f, e->prim.x[k], out, n);
	return n;
}

// Counter `skip` of those in terms with negative factors, or 0.
static Var counter_of(const AffineFacts *f, const Affine *a, int skip)
{
	for (int i = 0; i < a->n; i++)
		for (int j = 0; a->t[i].k < 0 && j < AFFINE_DEGREE; j++)
			if (a->t[i].v[j].id && limit_of(f, a->t[i].v[j]) && !skip--)
				return a->t[i].v[j];
	return (Var){0};
}

// With  n - 1 - i  for the counter i < n: the same name stands for the new variable, which counts
// from the other end.
static Affine mirror(const AffineFacts *f, const Affine *a, Var i, Sub n)
{
	Affine last = affine_of(f->defs, n), self = affine_var(i);
	last.c--;
	affine_add_to(&last, &self, -1);
	return affine_replace(a, i, &last);
}

// Counters that were mirrored, each by the limit that was taken: it stays that one.
enum { MOST_COUNTERS = 4 };
typedef struct { int n; Var i[MOST_COUNTERS]; Sub limit[MOST_COUNTERS]; } Mirrored;

static bool natural_by(const AffineFacts *f, Affine a, Mirrored m, int tries);

// With this counter mirrored, by any of its limits, or the one that was taken.
static bool natural_from(const AffineFacts *f, const Affine *a, Var i, Mirrored m, int tries)
{
	for (int k = 0; k < m.n; k++)
		if (m.i[k].id == i.id)
			return natural_by(f, mirror(f, a, i, m.limit[k]), m, tries - 1);
	Sub limits[MOST_LIMITS];
	int n = limits_of(f, *limit_of(f, i), limits, 0);
	m.i[m.n++] = i;
	for (int k = 0; k < n; k++) {
		m.limit[m.n - 1] = limits[k];
		if (natural_by(f, mirror(f, a, i, limits[k]), m, tries - 1))
			return true;
	}
	return false;
}

// Of several counters the limit of one may be in terms of another, which is then not to be
// mirrored before.
static bool natural_by(const AffineFacts *f, Affine a, Mirrored m, int tries)
{
	if (a.bad || all_natural(f, &a, 2))
		return !a.bad;
	for (int k = 0; tries && k < MOST_COUNTERS; k++) {
		Var i = counter_of(f, &a, k);
		if (!i.id)
			return false;
		if (natural_from(f, &a, i, m, tries))
			return true;
	}
	return false;
}

bool affine_natural(const AffineFacts *f, const Affine *a)
{
	return natural_by(f, *a, (Mirrored){0}, MOST_COUNTERS);
}

// ---- Sets ----

static bool ends_before(const AffineFacts *f, const IndexSpan *a, const IndexSpan *b)
{
	Affine gap = affine_add(&b->start, &a->start, -1);
	affine_add_to(&gap, &a->len, -1);
	return affine_natural(f, &gap);
}

bool spans_apart(const AffineFacts *f, const IndexSpan *a, const IndexSpan *b)
{
	return ends_before(f, a, b) || ends_before(f, b, a);
}

// Does counter k move the number further than the others that are left together?
static bool is_outermost(const AffineFacts *f, const Affine *rates, Vars counters, int k,
                         const bool *done)
{
	Affine gap = rates[k];
	gap.c--;
	for (int j = 0; j < counters.len; j++) {
		if (done[j] || j == k)
			continue;
		const Sub *limit = limit_of(f, counters.at[j]);
		if (!limit)
			return false;
		Affine last = affine_of(f->defs, *limit);
		last.c--;
		Affine reach = affine_mul(&rates[j], &last);
		affine_add_to(&gap, &reach, -1);
	}
	return affine_natural(f, &gap);
}

bool affine_injective(const AffineFacts *f, const Affine *a, Vars counters)
{
	enum { MOST = 4 };
	Affine rates[MOST], rest = *a;
	bool done[MOST] = {0};
	if (counters.len > MOST)
		return false;
	for (int k = 0; k < counters.len; k++) {
		Affine all = rest;
		if (!affine_split(&all, counters.at[k], &rates[k], &rest))
			return false;
		Affine minus = affine_scale(&rates[k], -1);
		if (affine_natural(f, &minus)) // the sign makes no difference
			rates[k] = minus;
		for EACH(Var, c, counters)
			if (affine_mentions(&rates[k], *c))
				return false;
		if (!affine_natural(f, &rates[k]))
			return false;
	}
	for (int n = 0; n < counters.len; n++) {
		int k = 0;
		while (k < counters.len && (done[k] || !is_outermost(f, rates, counters, k, done)))
			k++;
		if (k == counters.len)
			return false;
		done[k] = true;
	}
	return true;
}
