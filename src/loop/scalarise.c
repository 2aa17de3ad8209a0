// The pass `scalarise`: scalar replacement of small arrays, and unrolling of loops and combinators
// over few elements.
//
//     let (v: [2]f64) = array [a, b] : f64
//     let (w: [2]f64) = screma 2 (v) map=\(x: f64) : (f64) -> {let (y: f64) = f x in y}
//     let (r: [2]f64) = loop (p: [2]f64 = w) for i: i64 < n do {
//       let (x: f64) = index p [1]
//       ...
//     }
// becomes
//     let (y0: f64) = f a
//     let (y1: f64) = f b
//     let (r0: f64, r1: f64) = loop (p0: f64 = y0, p1: f64 = y1) for i: i64 < n do {
//       ... p1 ...
//     }
//     let (r: [2]f64) = array [r0, r1] : f64
//
// The elements of a small array (constant sizes, at most MOST_ELEMS elements) are tracked through
// the program.  A combinator or loop with at most MOST_TRIPS iterations is unrolled, unless it
// becomes too large or contains loops of unknown length.  Parameters and results of loops,
// branches and derivatives are replaced by their elements, unless the array is better kept
// (scalar_plan.c).  Every tracked array is still bound by a statement (an array literal is
// inserted if necessary) for uses that need the array; usually there are none, and it is dead.
//
// Before differentiation, this avoids small loops and logs of small arrays in the derivatives.
// After `seq` it handles accumulators over small arrays.
//
// Requires: the SOAC or the LOOP stage.  Ensures nothing that other passes rely on; ends with
// `simplify`.
#include "loop/scalarise.h"

#include "opt/opt.h"

// ---- Operands and binders ----

Sub scal_sub(Scal *s, Sub x)
{
	return sub_subst(&s->subst, x);
}

Subs scal_subs(Scal *s, Subs xs)
{
	Subs out = SLICE_DUP(Subs, xs);
	for EACH(Sub, x, out)
		*x = scal_sub(s, *x);
	return out;
}

void scal_is(Scal *s, Var old, Sub x)
{
	map_put(&s->subst, var_key(old), mem_dup(&x, sizeof x));
}

void scal_replace(Visit *v, Sub *x)
{
	*x = scal_sub(v->ctx, *x);
}

Var scal_bind(Scal *s, Var old)
{
	Type t = vars[old.id].type;
	Visit v = {.sub = scal_replace, .copy = true, .ctx = s};
	if (!type_is_scalar(t))
		type_visit(&t, &v);
	if (!s->copying) {
		vars[old.id].type = t;
		return old;
	}
	Var new_ = var_new(vars[old.id].hint, t);
	scal_is(s, old, sub_var(new_));
	return new_;
}

static Vars certs_of(Scal *s, Vars certs)
{
	Vars out = {certs.len ? NEW_ARRAY(Var, certs.len) : NULL, 0};
	for EACH(Var, c, certs) {
		Sub cert = scal_sub(s, sub_var(*c));
		if (!map_has(&s->holds, var_key(*c)) && cert.kind == S_VAR)
			out.at[out.len++] = cert.var;
	}
	return out;
}

void scal_emit(Scal *s, const Stm *old, Vars pat, Exp *e)
{
	b_emit(&s->b, (Stm){.pat = pat, .exp = e, .certs = s->b.certs, .attrs = old->attrs,
	                    .where = old->where});
}

// ---- Statements ----

// An operation that neither folds nor was there before keeps its variable.
static bool is_new(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	Sub out;
	bool folds = e->form == E_prim ? fold_prim(e->prim.op, e->prim.at, e->prim.x, &out)
	           : e->convert.x.kind == S_CONST || sub_type(e->convert.x).elem == e->convert.to;
	return !folds && !b_find(&s->b, e, vars[st->pat.at[0].id].type, &out);
}

static bool scal_scalar(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	Var v = st->pat.len == 1 ? st->pat.at[0] : (Var){0};
	switch (e->form) {
	case E_atom:
		if (!type_is_scalar(sub_type(e->atom.x)) || st->certs.len)
			return false;
		scal_is(s, v, e->atom.x);
		return true;
	case E_prim:
		if (has_attrs(st->attrs) && !s->copying)
			return false; // the step of a reduction
		if (!s->copying && is_new(s, st))
			return false;
		scal_is(s, v, b_prim(&s->b, e->prim.op, e->prim.at, e->prim.x[0], e->prim.x[1],
		                     e->prim.x[2]));
		return true;
	case E_convert:
		if (!s->copying && is_new(s, st))
			return false;
		scal_is(s, v, b_convert(&s->b, e->convert.to, e->convert.x));
		return true;
	case E_assert_:
		if (e->assert_.cond.kind != S_CONST || !e->assert_.cond.val.u)
			return false;
		map_put(&s->holds, var_key(v), s);
		return true;
	default: // is not about scalars only
		return false;
	}
}

void scal_flat(Scal *s, const Stm *st, Exp *e)
{
	Vars pat = s->copying ? SLICE_DUP(Vars, st->pat) : st->pat;
	for (int i = 0; i < pat.len; i++) {
		Var v = scal_bind(s, st->pat.at[i]);
		if (s->copying)
			pat.at[i] = v;
	}
	scal_emit(s, st, pat, e);
	scal_read(s, st->pat, pat);
}

void scal_read(Scal *s, Vars old, Vars new_)
{
	for (int i = 0; i < old.len; i++)
		if (taken_apart(s, old.at[i]) && small_array(vars[new_.at[i].id].type))
			set_elems(s, new_.at[i], elems_of(s, sub_var(new_.at[i]),
			                                 vars[new_.at[i].id].type));
}

static Exp *with_operands(Scal *s, Exp *e)
{
	Visit v = {.sub = scal_replace, .funs = &s->funs, .copy = true, .ctx = s};
	return e->form == E_call ? exp_visit(e, &v) : exp_subst(e, &s->subst);
}

// Operands first, then what is known of the form; else it stays.  Forms with bodies look after
// their operands themselves: what they bind may have been renamed before, for another iteration.
static void scal_stm(Scal *s, const Stm *old)
{
	Stm st = *old;
	Build outer = s->b;
	s->b.where = st.where;
	st.certs = s->b.certs = certs_of(s, st.certs);
	if (form_has(st.exp->form, FORM_NEST)) {
		scal_nest(s, &st);
	} else {
		st.exp = with_operands(s, st.exp);
		if (scal_scalar(s, &st) || scal_array(s, &st))
			note_kept(&s->kept, st.certs); // elements and sums have none
		else
			scal_flat(s, &st, st.exp);
	}
	s->b.where = outer.where;
	s->b.certs = outer.certs;
	s->b.attrs = (Attributes){0};
}

Subs scal_stms(Scal *s, const Body *b)
{
	for EACH(Stm, st, b->stms)
		scal_stm(s, st);
	return scal_subs(s, b->res);
}

// ---- Programs ----

static bool is_small(const Stm *s)
{
	const Exp *e = s->exp;
	for EACH(Var, x, s->pat)
		if (small_array(vars[x->id].type) > 0)
			return true;
	return (e->form == E_loop && !e->loop.is_while && e->loop.n.kind == S_CONST) ||
	       (e->form == E_screma && e->screma.n.kind == S_CONST);
}

// Functions in which nothing changes stay as they are, but for the functions that they call.
static void scal_fun(Scal *s, Fun *f)
{
	bool changed = s->changed;
	s->changed = false;
	b_open(&s->b);
	scal_read(s, f->params, f->params);
	Subs res = scal_stms(s, &f->body);
	Body body = b_close(&s->b, res);
	if (s->changed)
		f->body = body;
	else
		fun_new_callees(f, &s->funs);
	s->changed |= changed;
}

Prog *scalarise(Prog *prog)
{
	VEC(Fun *) funs = {0};
	Map needed = {0};
	Scal s = {0};
	for EACH(Fun *, f, prog->funs) {
		if (!body_find(&(*f)->body, is_small))
			continue;
		if (!s.up) {
			s.up = NEW_ARRAY(uint32_t, n_vars + 1);
			s.whole = NEW_ARRAY(bool, n_vars + 1);
		}
		scal_plan(&s, *f);
		if (scal_needed(&s, *f) && may_rewrite())
			map_put(&needed, *f, *f);
	}
	if (!needed.len)
		return prog;
	for EACH(Fun *, f, prog->funs) {
		Fun *g = mem_dup(*f, sizeof **f);
		map_put(&s.funs, *f, g);
		VEC_PUSH(&funs, g);
	}
	for (int i = 0; i < funs.len; i++)
		if (map_has(&needed, prog->funs.at[i]))
			scal_fun(&s, funs.at[i]);
		else
			fun_new_callees(funs.at[i], &s.funs);
	if (!s.changed)
		return prog;
	Prog *out = NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
	return keep_asserts(out, &s.kept);
}
