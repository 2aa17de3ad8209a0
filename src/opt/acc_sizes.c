// Clamps sizes of nests that may be negative.
//
//     withacc .. screma n (xs, acc) \(x, acc) ->           m' = max m 0
//       c = assert (0 <= m)                                ..
//       is = #{c} iota m                            ->       #[kept] c = assert (0 <= m)
//       screma m (is, acc) ..                                is = iota m'
//                                                            screma m' (is, acc) ..
//
// The sizes of arrays that are in scope are assumed to be non-negative.  If a sum is moved out of a
// nest, arrays of m rows exist outside the scope of the assertion, so that it would be assumed to
// hold and removed.  Therefore, sizes that are asserted only inside the nest are clamped; where the
// assertion holds, both values are equal.
//
// Requires: sizes in the nest are asserted before they are used.  Ensures: equal results.
#include "opt/acc.h"

typedef struct {
	Build b;
	Map defs;                               // variable -> const Exp *: operations
	Map params;                             // sizes of the functions' parameters
	Map kept;                               // assertions that iotas do not need any more
	// The withacc at hand.
	Map bound;                              // in it
	Map known;                              // sizes of arrays from outside
	Map values;                             // variables that are used as numbers, not as sizes
	Map clamped;                            // size -> Sub *: what it becomes
	Map back;                               // the other way
	bool any;
} Sizes;

// ---- Which ----

static void note_dims(Visit *v, Sub *x)
{
	Sizes *s = v->ctx;
	if (x->kind != S_VAR || map_has(&s->bound, var_key(x->var)))
		return;
	for EACH(Sub, d, sub_type(*x).dims)
		if (d->kind == S_VAR)
			map_put(&s->known, var_key(d->var), s);
}

static bool is_operation(const Exp *e)
{
	return e->form == E_prim || e->form == E_convert || e->form == E_assert_;
}

// Forms whose operands that are numbers are sizes.
static bool has_sizes_alone(const Exp *e)
{
	return e->form == E_iota || e->form == E_replicate || e->form == E_reshape ||
	       e->form == E_rearrange || e->form == E_copy || e->form == E_screma;
}

static void note_value(Map *values, Sub x)
{
	if (x.kind == S_VAR)
		map_put(values, var_key(x.var), values);
}

static void note_values(Visit *v, Body *b)
{
	Sizes *s = v->ctx;
	Visit operands = {.sub = note_operand, .flat = true, .ctx = &s->values};
	for EACH(Stm, t, b->stms) {
		if (t->exp->form == E_slice)
			for EACH(DimSlice, d, t->exp->slice.at) {
				note_value(&s->values, d->start);
				note_value(&s->values, d->step);
			}
		else if (!is_operation(t->exp) && !has_sizes_alone(t->exp))
			exp_walk(t->exp, &operands);
		if (t->exp->form == E_iota) {
			note_value(&s->values, t->exp->iota.start);
			note_value(&s->values, t->exp->iota.step);
		}
		if (form_has(t->exp->form, FORM_NEST))
			exp_walk(t->exp, v);
	}
	for EACH(Sub, r, b->res)
		note_value(&s->values, *r);
}

// Is it a size of the function's parameters, or a product or maximum of those?
static bool is_natural(const Sizes *s, Sub n)
{
	if (n.kind == S_CONST)
		return n.val.i >= 0;
	if (map_has(&s->params, var_key(n.var)) || map_has(&s->known, var_key(n.var)))
		return true;
	const Exp *e = map_get(&s->defs, var_key(n.var));
	if (!e || e->form != E_prim || e->prim.at != PT_I64)
		return false;
	bool x = is_natural(s, e->prim.x[0]);
	switch (e->prim.op) {
	case P_max:
		return x || is_natural(s, e->prim.x[1]);
	case P_mul: case P_min: case P_quot: case P_div:
		return x && is_natural(s, e->prim.x[1]);
	case P_add: case P_sub:
		return x && e->prim.x[1].kind == S_CONST &&
		       (e->prim.op == P_add) == (e->prim.x[1].val.i >= 0);
	default: // may be negative
		return false;
	}
}

static void look_at_sizes(Visit *v, Body *b)
{
	Sizes *s = v->ctx;
	for EACH(Stm, t, b->stms) {
		Sub n = t->exp->form == E_screma ? t->exp->screma.n : sub_i64(0);
		if (n.kind == S_VAR && !map_has(&s->bound, var_key(n.var)) &&
		    !map_has(&s->values, var_key(n.var)) && !is_natural(s, n)) {
			map_put(&s->clamped, var_key(n.var), s);
			s->any = true;
		}
		if (form_has(t->exp->form, FORM_NEST))
			exp_walk(t->exp, v);
	}
}

// ---- The nest with them ----

typedef struct { Sizes *s; Map to; } Clamp;

static void clamp_operand(Visit *v, Sub *x)
{
	Clamp *c = v->ctx;
	if (x->kind == S_VAR && map_get(&c->s->clamped, var_key(x->var)) == c->s) {
		Sub size = b_prim2(&c->s->b, P_max, *x, sub_i64(0));
		subst_put(&c->to, x->var, size);
		subst_put(&c->s->back, size.var, *x);
		map_put(&c->s->clamped, var_key(x->var), &c->to);
	}
	*x = sub_subst(&c->to, *x);
}

static void rename_binder(Visit *v, Var *x)
{
	Clamp *c = v->ctx;
	*x = var_rename(&c->to, *x);
}

static bool is_clamped_iota(const Sizes *s, const Exp *e)
{
	return e->form == E_iota && e->iota.n.kind == S_VAR &&
	       map_has(&s->back, var_key(e->iota.n.var));
}

// Operations have the number as it was; iotas need no assertion.
static void restore(Visit *v, Body *b)
{
	Sizes *s = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, t, b->stms) {
		if (is_operation(t->exp))
			t->exp = exp_subst(t->exp, &s->back);
		else if (form_has(t->exp->form, FORM_NEST))
			t->exp = exp_visit(t->exp, v);
		if (!is_clamped_iota(s, t->exp))
			continue;
		note_kept(&s->kept, t->certs);
		t->certs = (Vars){0};
	}
}

static bool clamp(void *ctx, const Stm *with)
{
	Sizes *s = ctx;
	s->bound = s->known = s->values = s->clamped = s->back = (Map){0};
	s->any = false;
	Visit bound = {.bind = note_binder, .ctx = &s->bound}, dims = {.sub = note_dims, .ctx = s},
	      values = {.body = note_values, .ctx = s}, look = {.body = look_at_sizes, .ctx = s};
	exp_walk(with->exp, &bound);
	exp_walk(with->exp, &dims);
	exp_walk(with->exp, &values);
	exp_walk(with->exp, &look);
	if (!s->any || !may_rewrite())
		return false;
	Clamp c = {s, {0}};
	Visit new_sizes = {.sub = clamp_operand, .bind = rename_binder, .copy = true, .ctx = &c},
	      back = {.body = restore, .copy = true, .ctx = s};
	Stm out = *with;
	s->b.where = with->where;
	out.exp = exp_visit(with->exp, &new_sizes);
	out.exp = exp_visit(out.exp, &back);
	b_emit(&s->b, out);
	return true;
}

// ---- All of them ----

Prog *clamp_sizes(Prog *prog)
{
	Sizes s = {0};
	Visit note = {.body = map_defs, .ctx = &s.defs};
	for EACH(Fun *, f, prog->funs) {
		for EACH(Var, x, (*f)->params)
			for EACH(Sub, d, vars[x->id].type.dims)
				if (d->kind == S_VAR)
					map_put(&s.params, var_key(d->var), &s);
		map_defs(&note, &(*f)->body); // a walk: writes nothing
	}
	return keep_asserts(prog_rewrite_stms(prog, is_withacc, &s.b, clamp, &s), &s.kept);
}
