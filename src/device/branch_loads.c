// The pass `branch_loads`: hoists loads, and what is computed from loads along one index of the
// nest, out of branches in the sums of kernels.
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
// and becomes unconditional; the others keep their condition.  What is computed from loads along
// the same index goes with them, such as the derivative of an activation, so that threads share
// the result.
//
// Requires: the pass `seq`.  Ensures: equal results.
#include "opt/opt.h"
#include "device/flatten.h"

enum { MOST_LEVELS = 8, MOST_STMS = 400 };

typedef struct {
	Build b;
	const Exp *loops[MOST_LEVELS + 1];      // around: those of the nest, then the sum
	int n;
	Map levels;                             // set_levels: of the nest, in the sum at hand
} Loads;

// ---- Which branches ----

static int n_loads(const Body *b)
{
	int n = 0;
	for EACH(Stm, s, b->stms)
		n += s->exp->form == E_index;
	return n;
}

static bool is_plain(const Body *b);

// A choice between two values.
static bool is_choice(const Exp *e)
{
	return e->form == E_if_ && is_plain(&e->if_.yes) && is_plain(&e->if_.no) &&
	       !n_loads(&e->if_.yes) && !n_loads(&e->if_.no);
}

// What is asserted of its loads is asserted outside.
static bool is_plain(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		Form f = s->exp->form;
		bool plain = f == E_index || f == E_convert || f == E_atom || is_choice(s->exp) ||
		             (f == E_prim && !prim_can_fail(s->exp->prim.op, s->exp->prim.at));
		if (!plain || s->pat.len != 1 ||
		    !type_is_scalar(vars[s->pat.at[0].id].type))
			return false;
	}
	return true;
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

typedef VEC(uint64_t) Reads;

static void note_loads(Loads *l, const Body *b, Reads *out)
{
	for EACH(Stm, s, b->stms) {
		uint64_t bits = levels_of_exp(&l->levels, s->exp);
		for EACH(Var, x, s->pat)
			set_levels(&l->levels, *x, bits);
		if (s->exp->form == E_index)
			VEC_PUSH(out, bits);
		if (s->exp->form == E_if_) {
			note_loads(l, &s->exp->if_.yes, out);
			note_loads(l, &s->exp->if_.no, out);
		}
	}
}

// Are there loads along different indices of the nest?
static bool is_worth_it(Loads *l, const Exp *sum)
{
	Reads r = {0};
	l->levels = (Map){0};
	for (int d = 0; d < l->n; d++)
		set_levels(&l->levels, l->loops[d]->loop.i, (uint64_t)1 << d);
	for (int d = 0; d < l->n; d++)
		for EACH(Stm, s, l->loops[d]->loop.body.stms)
			for (int k = 0; k < s->pat.len; k++)
				if (!is_device_loop(s->attrs) && s->exp != sum)
					set_levels(&l->levels, s->pat.at[k],
					           levels_of_exp(&l->levels, s->exp));
	note_loads(l, &sum->loop.body, &r);
	for EACH(uint64_t, x, r)
		for EACH(uint64_t, y, r)
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

// What a statement of a branch is computed from.  It is along one index if one of the loads is
// along all that they are along together, and the sum so far is not in it.
typedef struct { bool loads, sum, hoisted; uint64_t all, most; } Origin;

static bool is_along_one(const Origin *o)
{
	return o->loads && !o->sum && o->all == o->most;
}

static bool is_mixed_value(const Origin *o)
{
	return o->loads && !is_along_one(o);
}

static Origin origin_of(const Loads *l, const Body *b, const Origin *before, int at)
{
	const Stm *s = &b->stms.at[at];
	Map params = {0};
	for EACH(Var, p, l->loops[l->n - 1]->loop.params)
		map_put(&params, var_key(*p), (void *)s);
	Origin o = {.sum = stm_mentions(s, &params)};
	if (s->exp->form == E_index) {
		o.loads = true;
		o.all = o.most = levels_of_exp(&l->levels, s->exp);
		return o;
	}
	for (int i = 0; i < at; i++) {
		Map of = {0};
		map_put(&of, var_key(b->stms.at[i].pat.at[0]), (void *)s);
		if (!stm_mentions(s, &of))
			continue;
		o.loads |= before[i].loads;
		o.sum |= before[i].sum;
		o.all |= before[i].all;
		if (!(o.most & ~before[i].most))
			o.most = before[i].most;
	}
	return o;
}

// The load, under the condition unless it cannot fail.
static void emit_load(Loads *l, const Stm *s, Sub cond, bool if_true)
{
	if (cannot_fail(l, s->exp)) {
		b_emit(&l->b, *s);
		return;
	}
	Type t = vars[s->pat.at[0].id].type;
	Stms one = {NEW_ARRAY(Stm, 1), 1};
	one.at[0] = *s;
	one.at[0].pat = vars_of(1, var_new(vars[s->pat.at[0].id].hint, t));
	Body with = {one, subs_of_vars(one.at[0].pat)},
	     none = {.res = subs_of(1, sub_const(scalar_int(t.elem, 0)))};
	b_emit(&l->b, (Stm){.pat = s->pat, .where = s->where, .exp = NEW(Exp, .form = E_if_,
		.if_ = {cond, if_true ? with : none, if_true ? none : with})});
}

// The branch without its loads and what is along one index, which are emitted, and what those need.
static Body without_loads(Loads *l, const Body *b, Sub cond, bool if_true)
{
	Origin *of = NEW_ARRAY(Origin, b->stms.len + 1);
	VEC(Stm) stay = {0};
	Map needed = {0};
	Visit v = {.sub = note_operand, .ctx = &needed};
	bool mixed = false;
	for (int i = 0; i < b->stms.len; i++) {
		of[i] = origin_of(l, b, of, i);
		mixed |= is_mixed_value(&of[i]);
	}
	if (!mixed)
		return *b;
	for (int i = b->stms.len; i-- > 0;) {
		const Stm *s = &b->stms.at[i];
		of[i].hoisted = vars_any_in(s->pat, &needed) || is_along_one(&of[i]);
		if (of[i].hoisted)
			exp_visit(s->exp, &v); // a walk: writes nothing
	}
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (!of[i].hoisted)
			VEC_PUSH(&stay, *s);
		else if (s->exp->form == E_index)
			emit_load(l, s, cond, if_true);
		else
			b_emit(&l->b, *s);
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
