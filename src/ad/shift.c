// Stabilising shifts: extrema whose derivative cancels out.
//
//     let m = reduce max xs
//     let s = reduce + (map (\x -> exp (x - m)) xs)
//     let r = m + log s in r
//
// Here r does not depend on m: what is subtracted in the exponents is added back.  So the
// derivative of r with respect to m is zero, and neither the position of the maximum nor a second
// pass over xs is needed.  The same holds for a softmax, exp (x - m) / s.
//
// The analysis tracks how each value changes if m is replaced by m + d.  A value v becomes
//     v + k d         a shift by k        m itself: by 1; x - m: by -1
//     v exp (k d)     scaled by k         exp of a shift, products, quotients, sums of such
//     v               neither, both with k = 0
// or something else.  If all results of the body that binds m are unchanged, m is treated as a
// constant (active.c).  Zero counts as scaled by any k, and an infinity as shifted by any k.
#include "ad/vjp.h"

#include <math.h>

typedef struct { enum { SAME, SHIFTED, SCALED, ZERO, INFINITE, OTHER } kind; double by; } Change;
typedef struct { Map changes; } Shift;  // variable -> Change *, of those that are not SAME

static const Change same = {SAME, 0}, other = {OTHER, 0};

static Change change_by(int kind, double by)
{
	return by != 0 ? (Change){kind, by} : same;
}

static Change change_of(const Shift *w, Sub x)
{
	if (x.kind == S_VAR) {
		const Change *c = map_get(&w->changes, var_key(x.var));
		return c ? *c : same;
	}
	if (!is_float(x.val.type))
		return same;
	return (Change){x.val.f == 0 ? ZERO : isinf(x.val.f) ? INFINITE : SAME, 0};
}

static void set_change(Shift *w, Var v, Change c)
{
	// No derivative flows through what is no float.
	Type t = vars[v.id].type;
	if (t.kind != T_ACC && !type_is_float(t))
		c = same;
	if (c.kind != SAME || map_has(&w->changes, var_key(v)))
		map_put(&w->changes, var_key(v), mem_dup(&c, sizeof c));
}

// ---- Operations ----

static bool is_scaling(Change c)
{
	return c.kind == SAME || c.kind == SCALED || c.kind == ZERO;
}

static bool is_shifting(Change c)
{
	return c.kind == SAME || c.kind == SHIFTED || c.kind == ZERO || c.kind == INFINITE;
}

// What is either of them.
static Change join(Change a, Change b)
{
	if (a.kind == b.kind && a.by == b.by)
		return a;
	if (a.kind == ZERO || a.kind == INFINITE) {
		Change c = a;
		a = b;
		b = c;
	}
	bool fits = (b.kind == ZERO && is_scaling(a)) || (b.kind == INFINITE && is_shifting(a));
	return fits ? a : other;
}

static Change sum_of(Change a, Change b, double sign)
{
	if (is_shifting(a) && is_shifting(b)) {
		if (a.kind == ZERO && b.kind == ZERO)
			return a;
		return change_by(SHIFTED, a.by + sign * b.by);
	}
	return is_scaling(a) && is_scaling(b) ? join(a, b) : other;
}

static Change product_of(Change a, Change b, double sign)
{
	if (!is_scaling(a) || !is_scaling(b))
		return other;
	return a.kind == ZERO ? a : change_by(SCALED, a.by + sign * b.by);
}

static Change change_of_prim(const Shift *w, const Exp *e)
{
	Change a = change_of(w, e->prim.x[0]), b = same;
	bool any = a.kind >= SHIFTED && a.kind != ZERO && a.kind != INFINITE;
	for (int i = 1; i < prim_arity(e->prim.op); i++) {
		b = change_of(w, e->prim.x[i]);
		any |= b.kind != SAME && b.kind != ZERO && b.kind != INFINITE;
	}
	if (!any)
		return same;
	switch (e->prim.op) {
	case P_add:  return sum_of(a, b, 1);
	case P_sub:  return sum_of(a, b, -1);
	case P_mul:  return b.kind == ZERO && is_scaling(a) ? b : product_of(a, b, 1);
	case P_div:  return product_of(a, b, -1);
	case P_min: case P_max:
		return join(a, b);
	case P_neg:  return a.kind == SHIFTED ? change_by(SHIFTED, -a.by) : a;
	case P_exp:  return is_shifting(a) ? change_by(SCALED, a.by) : other;
	case P_log:  return is_scaling(a) ? change_by(SHIFTED, a.by) : other;
	case P_sqrt: return is_scaling(a) ? change_by(SCALED, a.by / 2) : other;
	case P_abs:  return is_scaling(a) ? a : other;
	default:     return other; // depends on it in another way
	}
}

// ---- Statements ----

static void follow_body(Shift *, const Body *);

static Change join_all(const Shift *w, Subs xs)
{
	Change c = xs.len ? change_of(w, xs.at[0]) : same;
	for (int i = 1; i < xs.len; i++)
		c = join(c, change_of(w, xs.at[i]));
	return c;
}

static void set_each(Shift *w, Vars pat, Subs xs)
{
	for (int i = 0; i < pat.len && i < xs.len; i++)
		set_change(w, pat.at[i], change_of(w, xs.at[i]));
}

// An operator keeps values that are changed alike as they are changed, or it is something else.
static void follow_operator(Shift *w, const Reduction *r, Subs in, Vars out)
{
	int k = r->ne.len;
	for (int c = 0; c < 2 * k; c++)
		set_change(w, r->op->params.at[c], change_of(w, in.at[c % k]));
	follow_body(w, &r->op->body);
	for (int c = 0; c < k; c++) {
		Change x = change_of(w, in.at[c]), y = change_of(w, r->op->body.res.at[c]);
		bool kept = x.kind == y.kind && x.by == y.by;
		Change with_ne = join(x, change_of(w, r->ne.at[c]));
		kept &= x.kind == SAME || (with_ne.kind == x.kind && with_ne.by == x.by);
		set_change(w, out.at[c], kept ? x : other);
	}
}

static void follow_screma(Shift *w, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->screma.map->body.res;
	int at = 0;
	set_each(w, e->screma.map->params, e->screma.arrs);
	follow_body(w, &e->screma.map->body);
	for (int pass = 0; pass < 2; pass++) {
		Reductions rs = pass ? e->screma.reds : e->screma.scans;
		for EACH(Reduction, r, rs) {
			int k = r->ne.len;
			follow_operator(w, r, subs_part(res, at, k), (Vars){s->pat.at + at, k});
			at += k;
		}
	}
	for (; at < res.len; at++)
		set_change(w, s->pat.at[at], change_of(w, res.at[at]));
}

static void follow_loop(Shift *w, const Stm *s)
{
	const Exp *e = s->exp;
	Vars params = e->loop.params;
	set_each(w, params, e->loop.inits);
	// What changes from one iteration to the next is something else, and so is what it leads
	// to.
	for (bool more = true; more;) {
		more = false;
		follow_body(w, &e->loop.body);
		for (int i = 0; i < params.len; i++) {
			Change x = change_of(w, sub_var(params.at[i]));
			Change y = change_of(w, e->loop.body.res.at[i]);
			if (x.kind == OTHER || (x.kind == y.kind && x.by == y.by))
				continue;
			if (y.kind == ZERO || y.kind == INFINITE) {
				Change z = join(x, y);
				if (z.kind == x.kind && z.by == x.by)
					continue;
			}
			set_change(w, params.at[i], other);
			more |= change_of(w, sub_var(params.at[i])).kind == OTHER;
		}
	}
	set_each(w, s->pat, subs_of_vars(params));
}

static void follow_branches(Shift *w, const Stm *s)
{
	const Exp *e = s->exp;
	for (int k = 0; k < n_branches(e); k++)
		follow_body(w, branch_at(e, k));
	for (int i = 0; i < s->pat.len; i++) {
		Change c = change_of(w, branch_at(e, 0)->res.at[i]);
		for (int k = 1; k < n_branches(e); k++)
			c = join(c, change_of(w, branch_at(e, k)->res.at[i]));
		set_change(w, s->pat.at[i], c);
	}
}

// Nothing is known of what it does with values that are changed.
static void follow_unknown(Shift *w, const Stm *s)
{
	Stm copy = *s;
	Body b = {.stms = {&copy, 1}};
	Vars free = free_in_body(&b);
	for EACH(Var, x, free) {
		Change c = change_of(w, sub_var(*x));
		if (c.kind == SAME || c.kind == ZERO || c.kind == INFINITE)
			continue;
		for EACH(Var, v, s->pat)
			set_change(w, *v, other);
		return;
	}
}

static void follow_stm(Shift *w, const Stm *s)
{
	const Exp *e = s->exp;
	Change c = same;
	switch (e->form) {
	case E_screma: follow_screma(w, s); return;
	case E_loop:   follow_loop(w, s); return;
	case E_if_: case E_match: follow_branches(w, s); return;
	case E_trace:  set_each(w, s->pat, e->trace.xs); return;
	case E_opaque: set_each(w, s->pat, e->opaque.xs); return;
	case E_hist: case E_scatter: case E_flatmap: case E_withacc: case E_upd_acc: case E_call:
	case E_jvp: case E_vjp: case E_with_vjp:
		follow_unknown(w, s);
		return;
	case E_iota: case E_scratch: case E_assert_: case E_alloc: case E_release: case N_FORM:
		return;
	case E_atom:      c = change_of(w, e->atom.x); break;
	case E_prim:      c = change_of_prim(w, e); break;
	case E_convert:   c = change_of(w, e->convert.x); break;
	case E_index:     c = change_of(w, e->index.arr); break;
	case E_slice:     c = change_of(w, e->slice.arr); break;
	case E_reshape:   c = change_of(w, e->reshape.arr); break;
	case E_rearrange: c = change_of(w, e->rearrange.arr); break;
	case E_copy:      c = change_of(w, e->copy.arr); break;
	case E_replicate: c = change_of(w, e->replicate.x); break;
	case E_concat:    c = join_all(w, e->concat.arrs); break;
	case E_array:     c = join_all(w, e->array.elems); break;
	case E_update:
		c = join(change_of(w, e->update.arr), change_of(w, e->update.val));
		break;
	}
	set_change(w, s->pat.at[0], c);
}

static void follow_body(Shift *w, const Body *b)
{
	for EACH(Stm, s, b->stms)
		follow_stm(w, s);
}

// ---- Candidates ----

static bool is_extremum(const Lambda *op)
{
	Prim p;
	PrimType at;
	return binary_prim(op, &p, &at) && (p == P_max || p == P_min) && is_float(at) &&
	       type_is_scalar(vars[op->params.at[0].id].type);
}

static bool cancels(const Body *b, int at, Var m)
{
	Shift w = {0};
	set_change(&w, m, change_by(SHIFTED, 1));
	for (int i = at + 1; i < b->stms.len; i++)
		follow_stm(&w, &b->stms.at[i]);
	for EACH(Sub, r, b->res) {
		Change c = change_of(&w, *r);
		if (c.kind == SHIFTED || c.kind == SCALED || c.kind == OTHER)
			return false;
	}
	return true;
}

static bool is_result_of_extremum(const Exp *e, int result)
{
	if (e->form != E_screma)
		return false;
	int first = n_reduced(e->screma.scans);
	for EACH(Reduction, r, e->screma.reds) {
		if (result == first)
			return is_extremum(r->op);
		first += r->ne.len;
	}
	return false;
}

int first_extremum(const Body *b)
{
	int i = 0;
	for (; i < b->stms.len; i++)
		for (int k = 0; k < b->stms.at[i].pat.len; k++)
			if (is_result_of_extremum(b->stms.at[i].exp, k))
				return i;
	return i;
}

static bool binds_extremum(const Body *b, int first, int at, Sub x)
{
	for (int i = first; i < at; i++) {
		int k = vars_find(b->stms.at[i].pat, x);
		if (k >= 0)
			return is_result_of_extremum(b->stms.at[i].exp, k);
	}
	return false;
}

// An extremum or, if it is no number that can be taken from others, something else instead.
static bool may_be_shift(const Body *b, int first, int at, int result)
{
	const Exp *e = b->stms.at[at].exp;
	if (e->form == E_if_)
		return binds_extremum(b, first, at, e->if_.yes.res.at[result]) ||
		       binds_extremum(b, first, at, e->if_.no.res.at[result]);
	return is_result_of_extremum(e, result);
}

bool is_shift(const Body *b, int first, int at, int result)
{
	const Stm *s = &b->stms.at[at];
	Type t = vars[s->pat.at[result].id].type;
	return type_is_float(t) && !t.dims.len && may_be_shift(b, first, at, result) &&
	       cancels(b, at, s->pat.at[result]);
}
