// Scans and reductions as loops, before reverse mode sees them: for code that one thread runs.
//
//     ys = scan op ne as        ->   (_, ys) = loop (x = ne, ys = scratch) for i < n do
//                                      let y = x `op` as[i] in (y, ys with [i] = y)
//     y = reduce op ne as       ->   y = loop x = ne for i < n do x `op` as[i]
//
// The rules for scans and reductions of any operator take several scans, so that many threads have
// something to do: of prefixes and suffixes, of operators lifted to segments (vjp_scan.c,
// vjp_reduce.c).  In order, an element takes one application of the operator and one of its
// derivative, and components that nobody asks for vanish with the parameters of the loop.
//
// Sums stay what they are, and so do reductions whose rule has no scan: minima, maxima, products of
// floats.  Histograms have a loop of their own (vjp_bins.c).
#include "ad/vjp_loop.h"

static bool has_own_rule(const Reduction *r, bool scan)
{
	Prim op;
	PrimType at;
	if (!binary_prim(r->op, &op, &at))
		return false;
	return op == P_add ||
	       (!scan && (op == P_min || op == P_max || (op == P_mul && is_float(at))));
}

static Sub owned(Build *b, Sub x)
{
	return type_is_scalar(sub_type(x)) ? x : b_copy(b, x);
}

// A parameter of the loop, which may be updated in place.
static Var loop_param(const char *name, Type t)
{
	t.unique = t.dims.len > 0;
	return var_new(name_of(name), t);
}

// Numbers from numbers, and few of them: computed in the loop, and again in its return sweep, rather
// than written to arrays, whose adjoints would be arrays too.
bool map_in_loop(const Lambda *f)
{
	enum { FEW = 24 };
	bool numbers = f->body.stms.len <= FEW;
	for EACH(Type, t, f->ret)
		numbers &= type_is_scalar(*t);
	for EACH(Stm, s, f->body.stms)
		numbers &= s->exp->form == E_prim || s->exp->form == E_convert ||
		           s->exp->form == E_atom || s->exp->form == E_assert_;
	return numbers;
}

Subs mapped_row(Build *b, Subs arrs, const Lambda *f, Sub i)
{
	Subs row = {NEW_ARRAY(Sub, arrs.len + 1), arrs.len};
	for (int c = 0; c < arrs.len; c++)
		row.at[c] = b_index(b, arrs.at[c], subs_of(1, i));
	return ad_apply(b, f, row);
}

bool fold_as_loop(Build *b, const Stm *s, Vars pat, const Exp *e)
{
	bool scan = e->screma.scans.len > 0;
	const Reduction *r = scan ? e->screma.scans.at : e->screma.reds.at;
	if (has_own_rule(r, scan))
		return false;
	int k = r->ne.len, n = scan ? 2 * k : k;
	Vars params = {NEW_ARRAY(Var, n), n};
	Vars out = {NEW_ARRAY(Var, n), n};
	Subs inits = {NEW_ARRAY(Sub, n), n}, args = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	Subs res = {NEW_ARRAY(Sub, n), n};
	for (int c = 0; c < k; c++) {
		Type row = r->op->ret.at[c];
		params.at[c] = loop_param("x", row);
		inits.at[c] = owned(b, r->ne.at[c]);
		row.unique = false;
		out.at[c] = scan ? var_new(name_of("last"), row) : pat.at[c];
		if (!scan)
			continue;
		Type t = type_of_rows(e->screma.n, row);
		params.at[k + c] = loop_param("ys", t);
		inits.at[k + c] = b_let(b, "ys", t, NEW(Exp, .form = E_scratch,
		                        .scratch = {t.elem, t.dims}));
		out.at[k + c] = pat.at[c];
	}
	Var i = var_new(name_of("i"), type_scalar(PT_I64));
	b_open(b);
	Subs row = mapped_row(b, e->screma.arrs, e->screma.map, sub_var(i));
	for (int c = 0; c < k; c++) {
		args.at[c] = sub_var(params.at[c]);
		args.at[k + c] = row.at[c];
	}
	Subs next = ad_apply(b, r->op, args);
	for (int c = 0; c < k; c++) {
		res.at[c] = owned(b, next.at[c]);
		if (scan)
			res.at[k + c] = put_row(b, sub_var(params.at[k + c]), sub_var(i),
			                        next.at[c]);
	}
	Body body = b_close(b, res);
	emit_like(b, s, out, NEW(Exp, .form = E_loop, .loop = {.params = params, .inits = inits,
	          .i = i, .n = e->screma.n, .body = body}));
	return true;
}
