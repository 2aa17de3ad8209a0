// Reductions of reductions with the same operator: one reduction of all elements.
//
//     screma n (xss) map=\(xs: [m]f64) -> {let (r) = screma m (xs) map=f reduce=+ in r} reduce=+
// becomes
//     screma (n * m) (iota) map=\(t) -> {f (xss[t / m, t % m])} reduce=+
//
// Otherwise the inner reduction would be done for all n rows first, whatever their number and
// length, and its results stored in memory.  Sums over batches, rows and columns of images, and
// losses and derivatives built from them, have three or four such levels.  A single reduction has
// as many parts as keep the device busy, whatever the sizes of the levels, and its reads coalesce.
//
// The order of the elements is preserved, so operators need not be commutative.  Other statements
// of the enclosing map function must be cheap, and are recomputed for each element.
#include "device/flatten.h"

enum { MOST_BESIDE = 12 };      // statements that are done again

// ---- Which ----

static bool same_operand(Sub a, Sub b, const Map *to)
{
	const Sub *mapped = a.kind == S_VAR ? map_get(to, var_key(a.var)) : NULL;
	return sub_eq(mapped ? *mapped : a, b);
}

static bool same_step(const Stm *a, const Stm *b, const Map *to)
{
	const Exp *x = a->exp, *y = b->exp;
	if (x->form != E_prim || y->form != E_prim || x->prim.op != y->prim.op ||
	    x->prim.at != y->prim.at || a->certs.len || b->certs.len)
		return false;
	for (int i = 0; i < prim_arity(x->prim.op); i++)
		if (!same_operand(x->prim.x[i], y->prim.x[i], to))
			return false;
	return true;
}

// Are they written the same way, as operations on scalars?
static bool is_same_operator(const Lambda *a, const Lambda *b)
{
	Map to = {0};
	if (a->params.len != b->params.len || a->body.stms.len != b->body.stms.len)
		return false;
	for (int i = 0; i < a->params.len; i++)
		subst_put(&to, a->params.at[i], sub_var(b->params.at[i]));
	for (int i = 0; i < a->body.stms.len; i++) {
		const Stm *x = &a->body.stms.at[i], *y = &b->body.stms.at[i];
		if (!same_step(x, y, &to))
			return false;
		subst_put(&to, x->pat.at[0], sub_var(y->pat.at[0]));
	}
	for (int i = 0; i < a->body.res.len; i++)
		if (!same_operand(a->body.res.at[i], b->body.res.at[i], &to))
			return false;
	return true;
}

static bool only_reduces(const Exp *e)
{
	return e->form == E_screma && !e->screma.scans.len &&
	       n_reduced(e->screma.reds) == e->screma.map->ret.len;
}

static bool same_operators(Reductions a, Reductions b)
{
	if (a.len != b.len)
		return false;
	for (int i = 0; i < a.len; i++)
		if (!is_same_operator(a.at[i].op, b.at[i].op))
			return false;
	return true;
}

// The reduction that all of the map function's results are, with cheap statements beside it.
static const Stm *inner_fold(const Flatten *f, const Exp *e)
{
	const Body *b = &e->screma.map->body;
	const Stm *fold = b->stms.len ? &b->stms.at[b->stms.len - 1] : NULL;
	if (!fold || b->stms.len > MOST_BESIDE || !only_reduces(fold->exp) ||
	    in_nest(f, fold->exp->screma.n) || has_attr(fold->attrs, ATTR_SEQUENTIAL) ||
	    !same_operators(e->screma.reds, fold->exp->screma.reds))
		return NULL;
	for (int i = 0; i < b->res.len; i++)
		if (!sub_eq(b->res.at[i], sub_var(fold->pat.at[i])))
			return NULL;
	for (int i = 0; i < b->stms.len - 1; i++)
		if (!is_again_form(b->stms.at[i].exp))
			return NULL;
	return fold;
}

// ---- Merging ----

// Parameters become elements of the arrays.
static void bind_elements(Build *b, Vars params, Subs arrs, Sub i)
{
	for (int k = 0; k < params.len; k++)
		b_name(b, params.at[k], b_index(b, arrs.at[k], subs_of(1, i)));
}

static Lambda *merged_map(const Exp *e, Sub m)
{
	const Lambda *outer = lambda_rename(e->screma.map);
	const Stm *fold = &outer->body.stms.at[outer->body.stms.len - 1];
	const Lambda *inner = fold->exp->screma.map;
	Build b = {0};
	Var t = var_i64("t");
	b_open(&b);
	Sub i = b_prim2(&b, P_quot, sub_var(t), m), j = b_prim2(&b, P_rem, sub_var(t), m);
	bind_elements(&b, outer->params, e->screma.arrs, i);
	for (int k = 0; k < outer->body.stms.len - 1; k++)
		b_emit(&b, outer->body.stms.at[k]);
	b.certs = fold->certs;
	bind_elements(&b, inner->params, fold->exp->screma.arrs, j);
	for EACH(Stm, s, inner->body.stms) {
		Stm own = *s;
		own.certs = vars_cat(s->certs, fold->certs);
		b_emit(&b, own);
	}
	return b_lambda(&b, vars_of(1, t), inner->body.res);
}

const Exp *merge_folds(Flatten *f, const Exp *e)
{
	const Stm *fold = only_reduces(e) ? inner_fold(f, e) : NULL;
	if (!fold || lambda_consumes(e->screma.map) ||
	    lambda_consumes(fold->exp->screma.map))
		return NULL;
	const Exp *deeper = merge_folds(f, fold->exp), *inside = deeper ? deeper : fold->exp;
	if (has_parallelism(f, &inside->screma.map->body))
		return NULL;
	Exp *outer = exp_dup(e);
	if (deeper) {
		outer->screma.map = mem_dup(e->screma.map, sizeof(Lambda));
		outer->screma.map->body.stms = SLICE_DUP(Stms, e->screma.map->body.stms);
		outer->screma.map->body.stms.at[outer->screma.map->body.stms.len - 1].exp =
			(Exp *)deeper;
	}
	Sub m = inside->screma.n;
	outer->screma.map = merged_map(outer, m);
	note_inside(f, outer->screma.map);
	outer->screma.n = b_mul(&f->b, e->screma.n, m);
	outer->screma.arrs = subs_of(1, b_iota(&f->b, outer->screma.n));
	return outer;
}
