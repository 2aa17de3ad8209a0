// Simplifies maps over flattened arrays whose results get the shape back.
//
//     let (flat: [nm]f64) = reshape [nm] a
//     let (ys: [nm]f64) = screma nm (flat) map=\(x: f64) : (f64) -> {.. x ..}
//     let (b: [n][m]f64) = reshape [n][m] ys
//   ->
//     let (b: [n][m]f64) = screma n (a) map=\(row: [m]f64) : ([m]f64) -> {
//       let (s: [m]f64) = screma m (row) map=\(x: f64) : (f64) -> {.. x ..}
//       in s
//     }
//
// Derivatives of values that are computed from flattened arrays have this form.  The nest can be
// fused with the map that makes the rows of a, and with the one that takes the rows of b; then both
// sweeps of a derivative are in the same rows, and what they have in common is computed once.
// Without such a map around it, a flat map is better.
//
// All inputs have the same sizes before they are flattened, and all that becomes of a result is
// that it gets these sizes again.
#include "opt/simplify.h"

// What an input was before it was flattened; false unless its outer sizes became one.
static bool was_shaped(Simp *s, Sub flat, Sub *out)
{
	const Exp *e = s_def_as(s, flat, E_reshape);
	if (!e || s_gone(s, e->reshape.arr))
		return false;
	Subs rows = sub_type(flat).dims, dims = sub_type(e->reshape.arr).dims;
	int lost = dims.len - rows.len;
	for (int i = 1; i < rows.len; i++)
		if (lost < 1 || !sub_eq(rows.at[i], dims.at[i + lost]))
			return false;
	*out = e->reshape.arr;
	return lost >= 1;
}

static Subs outer_sizes(Sub shaped, Sub flat)
{
	Subs dims = sub_type(shaped).dims;
	dims.len -= sub_type(flat).dims.len - 1;
	return dims;
}

static bool is_made_by_rows(Simp *s, Sub a)
{
	const Exp *e = s_def_as(s, a, E_screma);
	return e && s_info(s, a.var)->depth == s->depth && s_info(s, a.var)->index >= n_folded(e);
}

// All uses of the shaped array.
static bool is_used_by_rows(Simp *s, Var shaped)
{
	const Count *c = &s->counts.of[shaped.id];
	return c->uses > 0 && c->uses == c->row_uses;
}

// Does the result get the outer sizes back, and nothing else becomes of it?
static bool gets_shape(Simp *s, Var y, Subs sizes)
{
	Sub flat = sub_var(y);
	if (vars[y.id].type.kind != T_DATA || s_uses(s, flat) == INT32_MAX || s_ever(s, y) ||
	    !s_has_uses(s, flat, 1))
		return false;
	const Stm *st = s->counts.of[y.id].shaped;
	Subs to = st ? st->exp->reshape.dims : (Subs){0};
	if (to.len != sizes.len + vars[y.id].type.dims.len - 1)
		return false;
	for (int i = 0; i < to.len; i++)
		if (!sub_eq(s_subst(s, to.at[i]), i < sizes.len ? sizes.at[i]
		            : vars[y.id].type.dims.at[i - sizes.len + 1]))
			return false;
	return true;
}

// A function of rows from one of their elements.
static Lambda *over_rows(Lambda *f, Sub n)
{
	VarVec params = {0}, ys = {0};
	SubVec rows = {0}, res = {0};
	TypeVec ret = {0};
	for EACH(Var, p, f->params) {
		Var row = var_new(vars[p->id].hint, type_of_rows(n, vars[p->id].type));
		VEC_PUSH(&params, row);
		VEC_PUSH(&rows, sub_var(row));
	}
	for EACH(Type, t, f->ret) {
		Var y = var_new(name_of("ys"), type_of_rows(n, type_plain(*t)));
		VEC_PUSH(&ys, y);
		VEC_PUSH(&res, sub_var(y));
		VEC_PUSH(&ret, vars[y.id].type);
	}
	Stm *st = NEW(Stm, .pat = VEC_SLICE(Vars, ys),
	              .exp = EXP(screma, .n = n, .arrs = VEC_SLICE(Subs, rows), .map = f));
	return NEW(Lambda, .params = VEC_SLICE(Vars, params), .ret = VEC_SLICE(Types, ret),
	           .body = {.stms = {st, 1}, .res = VEC_SLICE(Subs, res)});
}

static void emit_nest(Simp *s, Stm *st, Subs sizes, Subs shaped)
{
	const Exp *e = st->exp;
	Lambda *f = e->screma.map;
	for (int i = sizes.len; i-- > 1;)
		f = over_rows(f, sizes.at[i]);
	for EACH(Sub, x, e->screma.arrs)
		s_take_certs(s, st, *x);
	VarVec ys = {0};
	for (int i = 0; i < st->pat.len; i++)
		VEC_PUSH(&ys, var_new(vars[st->pat.at[i].id].hint,
		                      type_of_rows(sizes.at[0], f->ret.at[i])));
	Exp *nest = EXP(screma, .n = sizes.at[0], .arrs = shaped, .map = f);
	s_emit(s, &(Stm){.pat = VEC_SLICE(Vars, ys), .exp = nest, .certs = st->certs,
	                 .attrs = st->attrs, .where = st->where});
	for (int i = 0; i < st->pat.len; i++) {
		Var y = st->pat.at[i];
		s_emit(s, &(Stm){.pat = vars_of(1, y), .where = st->where,
		                 .exp = EXP(reshape, vars[y.id].type.dims, sub_var(ys.at[i]))});
	}
}

bool simp_flat_map(Simp *s, Stm *st)
{
	const Exp *e = st->exp;
	SubVec shaped = {0};
	Subs sizes = {0};
	bool in_rows = false;
	if (!is_plain_map(e) || !e->screma.arrs.len)
		return false;
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub flat = e->screma.arrs.at[i], a;
		if (vars[e->screma.map->params.at[i].id].type.unique || !was_shaped(s, flat, &a))
			return false;
		Subs these = outer_sizes(a, flat);
		if (i > 0 && !subs_eq(these, sizes))
			return false;
		sizes = these;
		VEC_PUSH(&shaped, a);
		in_rows |= is_made_by_rows(s, a);
	}
	for EACH(Var, y, st->pat) {
		if (!gets_shape(s, *y, sizes))
			return false;
		in_rows |= is_used_by_rows(s, s->counts.of[y->id].shaped->pat.at[0]);
	}
	if (!in_rows || !s_rewrite(s))
		return false;
	emit_nest(s, st, sizes, VEC_SLICE(Subs, shaped));
	return true;
}
