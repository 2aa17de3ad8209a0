// Turns scans and reductions into loops before reverse mode, for sequential code.
//
//     ys = scan op ne as        ->   (_, ys) = loop (x = ne, ys = scratch) for i < n do
//                                      let y = x `op` as[i] in (y, ys with [i] = y)
//     y = reduce op ne as       ->   y = loop x = ne for i < n do x `op` as[i]
//
// The parallel rules for scans and reductions with arbitrary operators consist of several scans,
// of prefixes, suffixes and segments (vjp_scan.c, vjp_reduce.c).  A sequential loop takes one
// application of the operator and one of its derivative per element, and components that are not
// needed are removed with the parameters of the loop.
//
// A cheap map from scalars to scalars that produces the input is computed inside the loop, and
// again in its return sweep, instead of being stored in arrays whose adjoints would be arrays too;
// unless the arrays that the map reads are overwritten by then.
//
// Sums are left alone, and so are reductions whose rule has no scan: min, max, products of
// floats, and choices.  Histograms have a loop of their own (vjp_bins.c).
#include "ad/vjp_loop.h"
#include "opt/simplify.h"

static bool has_own_rule(const Reduction *r, bool scan)
{
	ReduceRule rule = reduce_rule(r->op);
	return rule == BY_SHARING || (!scan && rule != BY_SCANS);
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

// ---- What comes before ----

// An operation that is as well done twice as its result is stored and read.
static bool is_cheap(const Exp *e)
{
	if (e->form == E_atom || e->form == E_assert_ || exp_is_cheap_scalar(e))
		return true;
	return e->form == E_prim && prim_divides(e->prim.op);
}

bool map_in_loop(const Lambda *f)
{
	enum { FEW = 24 };
	bool numbers = f->body.stms.len <= FEW;
	for EACH(Type, t, f->ret)
		numbers &= type_is_scalar(*t);
	for EACH(Stm, s, f->body.stms)
		numbers &= is_cheap(s->exp);
	return numbers;
}

void note_map(Maps *maps, const Stm *s)
{
	const Exp *e = s->exp;
	if (is_map(e) &&
	    map_in_loop(e->screma.map)) {
		const Stm *kept = mem_dup(s, sizeof *s);
		vars_put(&maps->made, s->pat, kept);
	}
}

// Row i of arrays; `made` are the results of maps that were applied to it.
typedef struct { Build *b; Maps *maps; Sub i; Map made; } Row;

// The map that makes the array, if all that it reads is still there; else NULL.
static const Stm *maker_of(Maps *maps, Sub a)
{
	const Stm *s = a.kind == S_VAR ? map_get(&maps->made, var_key(a.var)) : NULL;
	Vars free = s ? free_in_stm(s) : (Vars){0};
	for EACH(Var, f, free)
		if (alias_gone(&maps->alias, sub_var(*f)))
			return NULL;
	return s;
}

static Subs applied(Row *r, Subs arrs, const Lambda *f)
{
	Subs row = {NEW_ARRAY(Sub, arrs.len + 1), arrs.len};
	for (int c = 0; c < arrs.len; c++) {
		Sub a = arrs.at[c];
		const Stm *s = maker_of(r->maps, a);
		const Subs *all = s ? map_get(&r->made, s) : NULL;
		if (s && !all) {
			Subs made = applied(r, s->exp->screma.arrs, s->exp->screma.map);
			all = mem_dup(&made, sizeof made);
			map_put(&r->made, s, (void *)all);
		}
		row.at[c] = s ? all->at[vars_find(s->pat, a)]
		              : b_index(r->b, a, subs_of(1, r->i));
	}
	return ad_apply(r->b, f, row);
}

Subs mapped_row(Build *b, Maps *maps, Subs arrs, const Lambda *f, Sub i)
{
	Row r = {.b = b, .maps = maps, .i = i};
	return applied(&r, arrs, f);
}

// ---- Folds ----

static bool is_extremum(const Reduction *r)
{
	Prim op;
	PrimType at;
	return binary_prim(r->op, &op, &at) && (op == P_min || op == P_max);
}

// What a scan begins with.  An element equal to the neutral element of a minimum or maximum has the
// derivative, which the first of two operands gets if they are equal: so the first element is put
// before the neutral one.
static Sub start_of_scan(Build *b, Maps *maps, const Exp *e, const Reduction *r, int c)
{
	if (!is_extremum(r))
		return owned(b, r->ne.at[c]);
	Sub zero = sub_i64(0);
	b_open(b);
	Subs first = mapped_row(b, maps, e->screma.arrs, e->screma.map, zero);
	Body yes = b_close(b, ad_apply(b, r->op, subs_cat(subs_part(first, 0, 1), r->ne)));
	b_open(b);
	Body no = b_close(b, r->ne);
	Sub any = b_lt(b, zero, e->screma.n);
	return owned(b, b_lets(b, "x", r->op->ret, EXP(if_, any, yes, no)).at[0]);
}

bool fold_as_loop(Build *b, Maps *maps, const Stm *s, Vars pat, const Exp *e)
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
		inits.at[c] = scan ? start_of_scan(b, maps, e, r, c) : owned(b, r->ne.at[c]);
		row.unique = false;
		out.at[c] = scan ? var_new(name_of("last"), row) : pat.at[c];
		if (!scan)
			continue;
		Type t = type_of_rows(e->screma.n, row);
		params.at[k + c] = loop_param("ys", t);
		inits.at[k + c] = b_scratch(b, "ys", t);
		out.at[k + c] = pat.at[c];
	}
	Var i = var_i64("i");
	b_open(b);
	Subs row = mapped_row(b, maps, e->screma.arrs, e->screma.map, sub_var(i));
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
	emit_like(b, s, out, EXP(loop, .params = params, .inits = inits, .i = i, .n = e->screma.n,
	                         .body = body));
	return true;
}
