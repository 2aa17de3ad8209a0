// Assertions of the forward sweep, by which statements of the return sweep are certified.
#include "ad/vjp.h"

// Note [Checks].  The return sweep of a statement relies on what the statement does: on its
// assertions too.  It names them, so that they stay when the values of the forward sweep are not
// needed, and nothing of it comes before them.  In the body of a loop they are done again.  There
// those are left out that would make the loop keep more than it does: such an assertion is not
// about places, whose indices are kept anyway, but about values of the program.
static bool is_at_hand(Vjp *v, Sub s, int depth);

static bool are_at_hand(Vjp *v, const Exp *e, int depth)
{
	switch (e->form) {
	case E_prim:
		for (int i = 0; i < prim_arity(e->prim.op); i++)
			if (!is_at_hand(v, e->prim.x[i], depth))
				return false;
		return true;
	case E_convert:
		return is_at_hand(v, e->convert.x, depth);
	case E_atom:
		return is_at_hand(v, e->atom.x, depth);
	case E_assert_:
		for EACH(MsgPart, p, e->assert_.msg)
			if (p->is_val && !is_at_hand(v, p->val, depth))
				return false;
		return is_at_hand(v, e->assert_.cond, depth);
	default: // is computed from arrays
		return false;
	}
}

static bool is_at_hand(Vjp *v, Sub s, int depth)
{
	enum { DEEPEST = 8 };
	const Cell *c = s.kind == S_VAR ? cell_of(v, s.var) : NULL;
	if (!c || c->has_fwd || c->has_ret)
		return true;
	return c->def >= 0 && depth < DEEPEST &&
	       are_at_hand(v, c->level->body->stms.at[c->def].exp, depth + 1);
}

bool level_in_loop(const Level *l)
{
	for (; l; l = l->up)
		if (l->loop)
			return true;
	return false;
}

bool level_in_rows(const Level *l)
{
	while (l && !l->rows)
		l = l->up;
	return l;
}

Vars ret_certs(Vjp *v, const Stm *s)
{
	Vars out = {NEW_ARRAY(Var, s->certs.len + 1), 0};
	for EACH(Var, c, s->certs) {
		const Cell *cell = cell_of(v, *c);
		if (!cell || !level_in_loop(cell->level) || is_at_hand(v, sub_var(*c), 0))
			out.at[out.len++] = ret_var(v, *c).var;
	}
	return out;
}

// The code goes to the return sweep of the level that x belongs to, whatever bodies are
// open inside of it; it is made apart, so that it uses nothing that is computed in these.
static void restore_there(Vjp *v, Cell *c, Var x, int at)
{
	Build *here = v->b, apart = {.where = here->where};
	b_open(&apart);
	v->b = &apart;
	Sub r = restore(v, c, x, at);
	Body made = b_close(&apart, (Subs){0});
	v->b = here;
	Vars certs = ret_certs(v, &c->level->body->stms.at[at]);
	Scope *top = here->top;
	here->top = c->level->ret;
	for EACH(Stm, s, made.stms) {
		s->certs = vars_cat(s->certs, certs);
		b_emit(here, *s);
	}
	here->top = top;
	c->ret = r;
	c->has_ret = true;
}

Sub ret_var(Vjp *v, Var x)
{
	Cell *c = cell_of(v, x);
	if (!c)
		return sub_var(x);
	c->back = true;
	if (!c->has_ret) {
		int at = killer_after(v, c->level, c->def, x);
		if (at < 0)
			return fwd_var(v, x);
		restore_there(v, c, x, at);
	}
	return c->ret;
}

Sub ret_sub(Vjp *v, Sub s)
{
	return s.kind == S_VAR ? ret_var(v, s.var) : s;
}

Subs ret_subs(Vjp *v, Subs s)
{
	Subs out = {s.len ? NEW_ARRAY(Sub, s.len) : NULL, s.len};
	for (int i = 0; i < s.len; i++)
		out.at[i] = ret_sub(v, s.at[i]);
	return out;
}

Slices ret_slices(Vjp *v, Slices at)
{
	Slices out = SLICE_DUP(Slices, at);
	for EACH(DimSlice, d, out) {
		d->start = ret_sub(v, d->start);
		if (!d->fixed) {
			d->len = ret_sub(v, d->len);
			d->step = ret_sub(v, d->step);
		}
	}
	return out;
}
