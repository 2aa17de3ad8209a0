// The pass `branch_loads`: hoists loads out of branches in the sums of kernels.
//
//     #[kernel] loop (o = out) for i < n do          ..
//       #[kernel] loop (o) for j < m do {            y = w[i, k]
//         s = loop (s = 0) for k < p do {            x = if c then {a[k, j - 1]} else {0}
//           t = if c then {              ->          t = if c then {s + y * x} else {s}
//             y = w[i, k];  x = a[k, j - 1]          ..
//             in s + y * x
//           } else {s}  ..
//
// Code generation lets threads share loads that depend on a single index of the nest
// (src/gen/ktile.c); a branch that contains loads along several indices cannot be shared as a
// whole.  Convolutions and their derivatives have such sums, since elements outside the image are
// not read.
//
// A load whose indices are all counters of enclosing loops over exactly that dimension cannot fail
// and becomes unconditional; the others keep their condition.
//
// Requires: the pass `seq`.  Ensures: equal results.
#include "opt/opt.h"
#include "device/flatten.h"

enum { MOST_LEVELS = 8, MOST_STMS = 400 };

typedef struct {
	Build b;
	const Exp *loops[MOST_LEVELS + 1];      // around: those of the nest, then the sum
	int n;
} Loads;

// ---- Which branches ----

static bool is_plain(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		Form f = s->exp->form;
		bool plain = f == E_index || f == E_convert || f == E_atom ||
		             (f == E_prim && !prim_can_fail(s->exp->prim.op, s->exp->prim.at));
		if (!plain || s->certs.len || s->pat.len != 1)
			return false;
	}
	return true;
}

static int n_loads(const Body *b)
{
	int n = 0;
	for EACH(Stm, s, b->stms)
		n += s->exp->form == E_index;
	return n;
}

// Is what the loads' indices are computed by free of loads?
static bool has_plain_indices(const Body *b)
{
	Map loaded = {0};
	for EACH(Stm, s, b->stms) {
		bool of_loads = stm_mentions(s, &loaded);
		if (s->exp->form == E_index && of_loads)
			return false;
		if (s->exp->form == E_index || of_loads)
			map_put(&loaded, var_key(s->pat.at[0]), (void *)s);
	}
	return true;
}

// A branch that does more than to load something if a condition holds.
static bool is_mixed(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_if_ || !is_plain(&e->if_.yes) || !is_plain(&e->if_.no) ||
	    !has_plain_indices(&e->if_.yes) || !has_plain_indices(&e->if_.no))
		return false;
	for EACH(Var, x, s->pat)
		if (!type_is_scalar(vars[x->id].type))
			return false;
	const Body *with = n_loads(&e->if_.yes) ? &e->if_.yes : &e->if_.no;
	int n = n_loads(&e->if_.yes) + n_loads(&e->if_.no);
	return n > 1 || (n == 1 && with->stms.at[with->stms.len - 1].exp->form != E_index);
}

// ---- Sums worth it ----

typedef struct { Loads *l; Map levels; VEC(uint64_t) of; } Reads;

static void note_loads(Reads *r, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		uint64_t bits = levels_of_exp(&r->levels, s->exp);
		for EACH(Var, x, s->pat)
			set_levels(&r->levels, *x, bits);
		if (s->exp->form == E_index)
			VEC_PUSH(&r->of, bits);
		if (s->exp->form == E_if_) {
			note_loads(r, &s->exp->if_.yes);
			note_loads(r, &s->exp->if_.no);
		}
	}
}

// Are there loads along different indices of the nest?
static bool is_worth_it(Loads *l, const Exp *sum)
{
	Reads r = {.l = l};
	for (int d = 0; d < l->n; d++)
		set_levels(&r.levels, l->loops[d]->loop.i, (uint64_t)1 << d);
	for (int d = 0; d < l->n; d++)
		for EACH(Stm, s, l->loops[d]->loop.body.stms)
			if (!is_device_loop(s->attrs) && s->exp != sum)
				for EACH(Var, x, s->pat)
					set_levels(&r.levels, *x, levels_of_exp(&r.levels, s->exp));
	note_loads(&r, &sum->loop.body);
	for EACH(uint64_t, x, r.of)
		for EACH(uint64_t, y, r.of)
			if ((*x & ~*y) && (*y & ~*x))
				return true;
	return false;
}

static bool is_sum(const Stm *s)
{
	const Exp *e = s->exp;
	bool mixed = false;
	if (e->form != E_loop || e->loop.is_while || is_device_loop(s->attrs) ||
	    e->loop.body.stms.len > MOST_STMS)
		return false;
	for EACH(Var, p, e->loop.params)
		if (!type_is_scalar(vars[p->id].type))
			return false;
	for EACH(Stm, t, e->loop.body.stms)
		mixed |= is_mixed(t);
	return mixed;
}

// ---- Out of them ----

static bool counts(const Loads *l, Sub i, Sub size)
{
	if (i.kind == S_CONST)
		return size.kind == S_CONST && i.val.i >= 0 && i.val.i < size.val.i;
	for (int d = 0; d < l->n; d++)
		if (l->loops[d]->loop.i.id == i.var.id)
			return sub_eq(l->loops[d]->loop.n, size);
	return false;
}

static bool cannot_fail(const Loads *l, const Exp *e)
{
	Subs dims = sub_type(e->index.arr).dims;
	for (int i = 0; i < dims.len; i++)
		if (!counts(l, e->index.idx.at[i], dims.at[i]))
			return false;
	return true;
}

// The branch without its loads, which are emitted, and what their indices need.
static Body without_loads(Loads *l, const Body *b, Sub cond, bool if_true)
{
	Build *o = &l->b;
	VEC(Stm) stay = {0};
	Map needed = {0};
	Visit v = {.sub = note_operand, .ctx = &needed};
	for (int i = b->stms.len; i-- > 0;) {
		Stm s = b->stms.at[i];
		if (s.exp->form == E_index || vars_any_in(s.pat, &needed))
			exp_visit(s.exp, &v); // a walk: writes nothing
	}
	for EACH(Stm, s, b->stms) {
		if (s->exp->form != E_index && !vars_any_in(s->pat, &needed)) {
			VEC_PUSH(&stay, *s);
			continue;
		}
		if (s->exp->form != E_index || cannot_fail(l, s->exp)) {
			b_emit(o, *s);
			continue;
		}
		Type t = vars[s->pat.at[0].id].type;
		Stm load = *s;
		load.pat = vars_of(1, var_new(vars[s->pat.at[0].id].hint, t));
		Stms one = {NEW_ARRAY(Stm, 1), 1};
		one.at[0] = load;
		Body with = {one, subs_of_vars(load.pat)},
		     none = {.res = subs_of(1, sub_const(scalar_int(t.elem, 0)))};
		b_emit(o, (Stm){.pat = s->pat, .where = s->where, .exp = NEW(Exp, .form = E_if_,
			.if_ = {cond, if_true ? with : none, if_true ? none : with})});
	}
	return (Body){VEC_SLICE(Stms, stay), b->res};
}

static Stm sum_of_loads(Loads *l, const Stm *s)
{
	Stm out = *s;
	out.exp = exp_dup(s->exp);
	l->loops[l->n++] = s->exp;
	b_open(&l->b);
	for EACH(Stm, t, s->exp->loop.body.stms) {
		if (!is_mixed(t)) {
			b_emit(&l->b, *t);
			continue;
		}
		const Exp *e = t->exp;
		Stm u = *t;
		Body yes = without_loads(l, &e->if_.yes, e->if_.cond, true),
		     no = without_loads(l, &e->if_.no, e->if_.cond, false);
		u.exp = NEW(Exp, .form = E_if_, .if_ = {e->if_.cond, yes, no});
		b_emit(&l->b, u);
	}
	out.exp->loop.body = b_close(&l->b, s->exp->loop.body.res);
	l->n--;
	return out;
}

static void loads_of_body(Visit *v, Body *body)
{
	Loads *l = v->ctx;
	b_open(&l->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		bool kernel = has_attr(s->attrs, ATTR_KERNEL) && s->exp->form == E_loop;
		if (l->n > 1 && is_sum(s) && is_worth_it(l, s->exp) && may_rewrite()) {
			t = sum_of_loads(l, s);
		} else if (kernel && l->n < MOST_LEVELS) {
			l->loops[l->n++] = s->exp;
			t.exp = exp_visit(s->exp, v);
			l->n--;
		} else if (form_has(s->exp->form, FORM_NEST) && !l->n && !kernel) {
			t.exp = exp_visit(s->exp, v);
		}
		b_emit(&l->b, t);
	}
	*body = b_close(&l->b, body->res);
}

Prog *branch_loads(Prog *prog)
{
	Loads l = {0};
	Visit v = {.body = loads_of_body, .copy = true, .ctx = &l};
	return prog_rewrite(prog, &v);
}
