// Partial results of sums that the loops around them keep.
//
// A loop that adds up in vectors (cpartial.c) ends with the sum of their lanes, which takes as long
// as a few iterations.  Where a loop around it does nothing with that sum but add it to one of its
// own, the vectors go on from iteration to iteration, and their lanes are added up once:
//
//     for (i = 0; i < n; i++) {             rd_f64v v = 0;
//       t = 0;                              for (i = 0; i < n; i++) {
//       rd_f64v v = 0;                        t = 0;
//       for (j = 0; j + 8 <= m; j += 8)       for (j = 0; j + 8 <= m; j += 8)
//         v = v + load(&a[i * m + j]);   ->     v = v + load(&a[i * m + j]);
//       t = t + lanes of v;                   for (; j < m; j++)
//       for (; j < m; j++)                      t = t + a[i * m + j];
//         t = t + a[i * m + j];               s = s + t;
//       s = s + t;                          }
//     }                                     s = s + lanes of v;
//
// On the way from the sum to that of the loop there may be further sums that go on from it, such as
// the first and last columns of a picture, and loops around that do likewise.  The order of
// the additions is free (ATTR_REDUCE).
#include "gen/cgen.h"

typedef struct KeptSums {
	const Exp *inner;               // the loop that adds up in vectors
	Lanes lanes;
	const char **vectors;           // names, by parameter of that
	int *to;                        // the parameters of the loop around that they are added to
	bool in_use;
} KeptSums;

struct KeptLoop {
	CBlock *outside;
	VEC(KeptSums *) sums;
};

// ---- Which sums ----

// The parameter of the loop that is x and whatever else is added to it, by this operation; -1: x is
// used for something else.
static int goes_to(const Exp *loop, Sub x, Prim op)
{
	const Body *b = &loop->loop.body;
	Prim same;
	PrimType type;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		int k = e->form == E_loop ? subs_find(e->loop.inits, x) : -1;
		bool has_x = e->form == E_prim &&
		             (sub_eq(e->prim.x[0], x) || sub_eq(e->prim.x[1], x));
		bool adds = has_x && e->prim.op == op && has_attr(s->attrs, ATTR_REDUCE);
		if (k >= 0 && !(loop_reduction(e, k, &same, &type) && same == op))
			return -1;
		if (k < 0 && !adds)
			continue;
		if (n_uses_in(b, x.var) != 1)
			return -1;
		x = sub_var(s->pat.at[k >= 0 ? k : 0]);
	}
	return n_uses_in(b, x.var) == 1 ? subs_find(b->res, x) : -1;
}

static bool is_kept(const Gen *g, const Exp *loop)
{
	return map_has(&g->fun.kept_sums, loop);
}

// to: by parameter of the loop, that of the outermost one; -1: none.
static bool find_sums(Gen *g, struct KeptLoop *kept, const Exp *loop, const int *to);

// Where the results of a loop inside go to; false: none of them goes anywhere.
static bool lead_to(const Exp *loop, const Stm *inner, const int *to, int *out, bool only_sums)
{
	const Exp *e = inner->exp;
	bool any = false;
	for (int k = 0; k < e->loop.params.len; k++) {
		Prim op;
		PrimType type;
		Sub p = sub_var(e->loop.params.at[k]);
		out[k] = -1;
		if (!type_is_scalar(sub_type(p)) || !loop_reduction(e, k, &op, &type))
			continue;
		int at = goes_to(loop, sub_var(inner->pat.at[k]), op);
		if (at >= 0 && goes_to(loop, sub_var(loop->loop.params.at[at]), op) == at)
			out[k] = to[at];
		any |= out[k] >= 0;
	}
	for (int k = 0; k < e->loop.params.len && only_sums; k++)
		any &= out[k] >= 0;
	return any;
}

static bool looks_inside(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && !is_parallel_region(s) &&
	       !has_attr(s->attrs, ATTR_ATOMIC);
}

static bool find_sums(Gen *g, struct KeptLoop *kept, const Exp *loop, const int *to)
{
	for EACH(Stm, s, loop->loop.body.stms) {
		if (!looks_inside(s) || is_kept(g, s->exp))
			continue;
		int *out = NEW_ARRAY(int, s->exp->loop.params.len + 1);
		bool partial = n_partial(g, s) > 1;
		Lanes lanes = partial ? lanes_of_reduction(s) : (Lanes){0};
		if ((partial && !lanes.n_vectors) || !lead_to(loop, s, to, out, partial))
			continue;
		if (!partial) {
			find_sums(g, kept, s->exp, out);
			continue;
		}
		KeptSums *sums = NEW(KeptSums, s->exp, lanes, .to = out,
		                     .vectors = NEW_ARRAY(const char *, s->exp->loop.params.len));
		for (int k = 0; k < s->exp->loop.params.len; k++)
			sums->vectors[k] = fresh_name(g, "sums");
		map_put(&g->fun.kept_sums, s->exp, sums);
		VEC_PUSH(&kept->sums, sums);
	}
	return kept->sums.len;
}

// ---- Text ----

struct KeptLoop *begin_kept_sums(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	struct KeptLoop *kept = NEW(struct KeptLoop, 0);
	int *to = NEW_ARRAY(int, e->loop.params.len + 1);
	if (g->counting || g->target != ON_CPU || e->loop.is_while)
		return NULL;
	for (int k = 0; k < e->loop.params.len; k++)
		to[k] = k;
	if (!find_sums(g, kept, e, to))
		return NULL;
	kept->outside = g->c->at;
	code_begin(g->c);
	return kept;
}

CExp kept_sum(Gen *g, const Exp *loop, int k)
{
	KeptSums *sums = map_get(&g->fun.kept_sums, loop);
	if (!sums)
		return NULL;
	sums->in_use = true;
	return x_name(sums->vectors[k]);
}

// The number of iterations inside, if it is known here: with fewer than a vector has lanes, nothing
// was added to that.
static CExp known_bound(Gen *g, const Exp *loop, const Exp *inner)
{
	Vars outside = free_in_body(&loop->loop.body);
	Sub n = inner->loop.n;
	return n.kind == S_VAR && vars_find(outside, n) >= 0 ? operand(g, n) : NULL;
}

static void add_up(Gen *g, const Exp *loop, const KeptSums *sums)
{
	const Exp *e = sums->inner;
	CExp *own = NEW_ARRAY(CExp, e->loop.params.len + 1);
	CExp bound = ends_in_part(&sums->lanes, e) ? NULL : known_bound(g, loop, e);
	for (int p = 0; p < e->loop.params.len; p++)
		own[p] = shown(g, loop->loop.params.at[sums->to[p]]);
	g->rows.vector = sums->lanes.type;
	if (bound)
		s_if(g->c, x_binary(bound, ">=", lanes_of_vectors(g, 1), PREC_COMPARE));
	combine_partial_vectors(g, e, sums->lanes, sums->vectors, own);
	if (bound)
		s_close(g->c);
}

void end_kept_sums(Gen *g, const Stm *s, struct KeptLoop *kept)
{
	if (!kept)
		return;
	const CBlock *inside = g->c->at;
	g->c->at = kept->outside;
	for EACH(KeptSums *, k, kept->sums)
		if ((*k)->in_use)
			declare_partial_vectors(g, (*k)->inner, (*k)->lanes, (*k)->vectors);
	s_splice(g->c, inside);
	for EACH(KeptSums *, k, kept->sums)
		if ((*k)->in_use)
			add_up(g, s->exp, *k);
}
