// Simplifies transposed nests of maps by loop interchange.
//
//     let (b: [n][m]f64) = screma n (a, xs) map=\(r: [m]f64, x: f64) : ([m]f64) -> {
//       let (s: [m]f64) = screma m (r, ys) map=\(v: f64, y: f64) : (f64) -> {.. v, x, y ..}
//       in s
//     }
//     let (c: [m][n]f64) = rearrange (1, 0) b
//   ->
//     let (t: [m][n]f64) = rearrange (1, 0) a
//     let (c: [m][n]f64) = screma m (t, ys) map=\(r: [n]f64, y: f64) : ([n]f64) -> {
//       let (s: [n]f64) = screma n (r, xs) map=\(v: f64, x: f64) : (f64) -> {.. v, x, y ..}
//       in s
//     }
//
// Two transpositions around a nest of maps disappear in this way, and the nest can be fused with
// its consumer.  Only nests with a single use are interchanged.
#include "opt/simplify.h"

// What is turned around: all that is needed of a nest.
typedef struct { const Exp *outer, *inner; } Nest;

static bool is_param(const Lambda *l, Sub x)
{
	for EACH(Var, p, l->params)
		if (x.kind == S_VAR && x.var.id == p->id)
			return true;
	return false;
}

typedef struct { const Lambda *outer; bool used_whole; } WholeUse;

static void look_for_rows(Visit *v, Sub *x)
{
	WholeUse *u = v->ctx;
	u->used_whole |= is_param(u->outer, *x) && !type_is_scalar(sub_type(*x));
}

// A nest of two maps with one scalar result, whose inner function uses only scalars of the
// outer one.
static bool nest_of(const Exp *e, Nest *out)
{
	const Lambda *l = e->screma.map;
	if (!is_plain_map(e) || l->body.stms.len != 1 || l->body.res.len != 1)
		return false;
	const Stm *st = &l->body.stms.at[0];
	const Exp *inner = st->exp;
	if (st->pat.len != 1 || st->certs.len || !is_plain_map(inner) ||
	    !sub_eq(l->body.res.at[0], sub_var(st->pat.at[0])) ||
	    !type_is_scalar(inner->screma.map->ret.at[0]) || is_param(l, inner->screma.n))
		return false;
	WholeUse u = {l, false};
	Visit v = {.sub = look_for_rows, .ctx = &u};
	Lambda *f = inner->screma.map;
	lambda_visit(&f, &v); // a walk: writes nothing
	for EACH(Sub, x, inner->screma.arrs)
		u.used_whole |= is_param(l, *x) && sub_type(*x).dims.len != 1;
	*out = (Nest){e, inner};
	return !u.used_whole;
}

static bool is_used_in(const Lambda *l, Var x)
{
	Vars free = free_in_lambda(l);
	for EACH(Var, y, free)
		if (y->id == x.id)
			return true;
	return false;
}

typedef VEC(Var) Params;

static Sub transposed(Simp *s, Sub a)
{
	Type t = sub_type(a);
	Subs dims = SLICE_DUP(Subs, t.dims);
	dims.at[0] = t.dims.at[1];
	dims.at[1] = t.dims.at[0];
	Exp *e = EXP(rearrange, .arr = a);
	e->rearrange.perm.at = NEW_ARRAY(int, t.dims.len);
	e->rearrange.perm.len = t.dims.len;
	for (int i = 0; i < t.dims.len; i++)
		e->rearrange.perm.at[i] = i < 2 ? 1 - i : i;
	Var v = var_new(name_of("tr"), type_array(t.elem, dims));
	s_stm(s, &(Stm){.pat = vars_of(1, v), .exp = e});
	return s_subst(s, sub_var(v));
}

// The array that a parameter of the outer function is a row of.
static Sub array_of(const Exp *outer, Sub x)
{
	int i = 0;
	while (outer->screma.map->params.at[i].id != x.var.id)
		i++;
	return outer->screma.arrs.at[i];
}

static Exp *turned(Simp *s, Nest nest)
{
	const Exp *outer = nest.outer;
	Lambda *f = lambda_rename(nest.inner->screma.map);
	SubVec outer_arrs = {0}, inner_arrs = {0};
	Params outer_params = {0}, inner_params = {0};
	Sub n = outer->screma.n, m = nest.inner->screma.n;
	for (int i = 0; i < f->params.len; i++) {
		Sub arr = nest.inner->screma.arrs.at[i];
		if (!is_param(outer->screma.map, arr)) {
			VEC_PUSH(&outer_arrs, arr);
			VEC_PUSH(&outer_params, f->params.at[i]);
			continue;
		}
		Sub t = transposed(s, array_of(outer, arr));
		Var row = var_new(name_of("row"), type_array(sub_type(t).elem, subs_of(1, n)));
		VEC_PUSH(&outer_arrs, t);
		VEC_PUSH(&outer_params, row);
		VEC_PUSH(&inner_arrs, sub_var(row));
		VEC_PUSH(&inner_params, f->params.at[i]);
	}
	Map scalars = {0};
	for (int i = 0; i < outer->screma.arrs.len; i++) {
		Var p = outer->screma.map->params.at[i];
		if (!type_is_scalar(vars[p.id].type) || !is_used_in(nest.inner->screma.map, p))
			continue;
		Var x = var_new(vars[p.id].hint, vars[p.id].type);
		subst_put(&scalars, p, sub_var(x));
		VEC_PUSH(&inner_arrs, outer->screma.arrs.at[i]);
		VEC_PUSH(&inner_params, x);
	}
	f->body = body_subst(f->body, &scalars);
	f->params = VEC_SLICE(Vars, inner_params);
	Type row = type_array(f->ret.at[0].elem, subs_of(1, n));
	Var y = var_new(name_of("ys"), row);
	Stm *st = NEW(Stm, .pat = vars_of(1, y), .exp = EXP(screma, 
		.n = n, .arrs = VEC_SLICE(Subs, inner_arrs), .map = f));
	Lambda *l = NEW(Lambda, .params = VEC_SLICE(Vars, outer_params),
	                .ret = {mem_dup(&row, sizeof row), 1},
	                .body = {.stms = {st, 1}, .res = subs_of(1, sub_var(y))});
	return EXP(screma, .n = m, .arrs = VEC_SLICE(Subs, outer_arrs), .map = l);
}

// Is there an array among the inputs of the nest, transposed, that is one already?  Then two
// transpositions go; otherwise one would only be moved.
static bool has_transposed_input(Simp *s, Nest nest)
{
	for EACH(Sub, arr, nest.inner->screma.arrs)
		if (is_param(nest.outer->screma.map, *arr) &&
		    s_def_as(s, array_of(nest.outer, *arr), E_rearrange))
			return true;
	return false;
}

static bool is_single(const Exp *e)
{
	const Body *b = &e->screma.map->body;
	return b->stms.len == 1 && b->res.len == 1;
}

// Has it become one?
static bool is_nest(Counts *c, Var v, int was)
{
	const Exp *e = c->of[v.id].nest;
	return !was && e && e->form == E_screma && is_single(e);
}

bool simp_transposed_nest(Simp *s, Stm *st)
{
	const Exp *e = st->exp;
	Sub a = e->rearrange.arr;
	const Exp *def = s_def_as(s, a, E_screma);
	Nest nest;
	if (!def || e->rearrange.perm.len != 2 || e->rearrange.perm.at[0] != 1 ||
	    s_info(s, a.var)->depth != s->depth || !s_has_uses(s, a, 1))
		return false;
	if (!nest_of(def, &nest)) {
		s_watch(s, a.var, is_nest, is_single(def));
		return false;
	}
	if (s_ever(s, a.var) || !has_transposed_input(s, nest))
		return false;
	if (exp_any(def, s_gone, s) || !s_rewrite(s))
		return false;
	s_take_certs(s, st, a);
	Vars certs = st->certs;
	Exp *nested = turned(s, nest);
	s_stm(s, &(Stm){.pat = st->pat, .exp = nested, .certs = certs, .where = st->where});
	return true;
}
