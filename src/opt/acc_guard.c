// Guards statements of a nest that are hoisted out of some of its dimensions.
//
//     screma n (iota n, acc) \(i, acc) ->              sums = screma k (iota k) \j ->
//       screma k (iota k, acc) \(j, acc) ->              never = n <= 0
//         c = assert (j < p) ..                   ->     c = assert (never || j < p) ..
//         x = #{c} a[j]                                  x = if never then {0} else {#{c} a[j]}
//         upd_acc acc [j] (x * i)                        in sum over i of x * i
//
// If one of these dimensions is empty, the original statement was never executed, so the hoisted
// one must not fail: its assertion is weakened, and the operation that the assertion protects is
// skipped.  The dummy value is never used, since its uses are inside all dimensions or have guards
// of their own.
//
// Requires: the sizes of the dimensions are invariant in the nest (plan_path).
#include "opt/acc.h"

DimSet dims_left(const Plan *p, int level, DimSet open)
{
	DimSet out = dims_below(level) & ~open;
	for (int d = 0; d < level; d++) {
		Sub n = dim_size(p, d);
		bool runs = n.kind == S_CONST && n.val.i > 0;
		for (int o = 0; o < p->site->dims.len && !runs; o++)
			runs = open >> o & 1 && sub_eq(n, dim_size(p, o));
		if (runs)
			out &= ~((DimSet)1 << d);
	}
	return out;
}

// ---- What cannot fail ----

static bool is_in_range(const Plan *p, Sub i, Sub n)
{
	const PathVar *x = path_var(p, i);
	if (i.kind == S_CONST)
		return n.kind == S_CONST && i.val.i >= 0 && i.val.i < n.val.i;
	return x && !x->stm && x->is_index && sub_eq(dim_size(p, x->dim), n);
}

static bool is_safe_index(const Plan *p, const Exp *e)
{
	Subs dims = sub_type(e->index.arr).dims;
	for (int i = 0; i < e->index.idx.len; i++)
		if (!is_in_range(p, e->index.idx.at[i], dims.at[i]))
			return false;
	return true;
}

static bool is_safe_slice(const Plan *p, const Exp *e)
{
	Subs dims = sub_type(e->slice.arr).dims;
	for (int i = 0; i < dims.len; i++) {
		DimSlice d = e->slice.at.at[i];
		bool whole = !d.fixed && sub_eq(d.start, sub_i64(0)) &&
		             sub_eq(d.step, sub_i64(1)) && sub_eq(d.len, dims.at[i]);
		if (!whole && !(d.fixed && is_in_range(p, d.start, dims.at[i])))
			return false;
	}
	return true;
}

static bool is_safe_prim(const Exp *e)
{
	Sub y = e->prim.x[1];
	return !prim_can_fail(e->prim.op, e->prim.at) ||
	       (e->prim.op != P_pow && y.kind == S_CONST && y.val.u != 0);
}

typedef struct { const Plan *p; bool safe; } Safety;

static void look_at_body(Visit *v, Body *b)
{
	Safety *s = v->ctx;
	for EACH(Stm, t, b->stms)
		s->safe = s->safe && is_safe_anywhere(s->p, t);
}

static bool are_bodies_safe(const Plan *p, const Exp *e)
{
	Safety s = {p, true};
	Visit v = {.body = look_at_body, .ctx = &s};
	exp_walk(e, &v);
	return s.safe;
}

bool is_safe_anywhere(const Plan *p, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_atom: case E_convert: case E_reshape: case E_rearrange: case E_copy: case E_concat:
	case E_array:
		return true;
	case E_prim:  return is_safe_prim(e);
	case E_index: return is_safe_index(p, e);
	case E_slice: return is_safe_slice(p, e);
	case E_iota: case E_replicate:
		return !s->certs.len;
	case E_screma: case E_if_: case E_match:
		return !s->certs.len && are_bodies_safe(p, e);
	case E_loop:
		return !s->certs.len && !e->loop.is_while && are_bodies_safe(p, e);
	default: // relies on assertions, or does not come back
		return false;
	}
}

// ---- Guards ----

bool can_guard(const Stm *s)
{
	for EACH(Var, x, s->pat)
		if (s->exp->form != E_assert_ && !type_is_scalar(vars[x->id].type))
			return false;
	return true;
}

static Sub emit_never(Build *b, const Plan *p, DimSet dims)
{
	Sub never = sub_bool(false);
	for (int d = 0; d < p->site->dims.len; d++)
		if (dims >> d & 1)
			never = b_prim2(b, P_or, never, b_le(b, dim_size(p, d), sub_i64(0)));
	return never;
}

void emit_guarded(Build *b, const Plan *p, Stm s, DimSet left)
{
	Sub never = emit_never(b, p, left);
	s.exp = exp_dup(s.exp);
	if (s.exp->form == E_assert_) {
		s.exp->assert_.cond = b_prim2(b, P_or, never, s.exp->assert_.cond);
		b_emit(b, s);
		return;
	}
	Stm inner = s;
	Subs zeros = {NEW_ARRAY(Sub, s.pat.len), s.pat.len};
	inner.pat = SLICE_DUP(Vars, s.pat);
	for (int i = 0; i < s.pat.len; i++) {
		Type t = vars[s.pat.at[i].id].type;
		zeros.at[i] = sub_const(scalar_int(t.elem, 0));
		inner.pat.at[i] = var_new(vars[s.pat.at[i].id].hint, t);
	}
	b_open(b);
	b_emit(b, inner);
	Body no = b_close(b, subs_of_vars(inner.pat));
	b_emit(b, (Stm){.pat = s.pat, .where = s.where,
	                .exp = EXP(if_, never, {.res = zeros}, no)});
}
