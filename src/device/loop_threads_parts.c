// What a loop around kernels is made of (loop_threads.c): the space of its kernels, and the part
// that needs no threads, which is the scalars it carries, and arrays to which it writes them,
// element by element (a log of them).
//
//     loop (x = x0, t = 0, log = zs) for i < k do {       loop (t = 0, log = zs) for i < k do {
//       log1 = log with [i] = t                             log1 = log with [i] = t
//       #[kernel] x1 = .. t .. x ..                  ->     in t + dt, log1
//       in x1, t + dt, log1                               }
//     }
//
// beside the loop that the threads run, in which each has a t of its own.
#include "device/loop_threads.h"
#include "loop/loop.h"

bool find_space(const Exp *e, Subs *space)
{
	VEC(Sub) found = {0};
	const Body *b = &e->loop.body;
	Map inside = {0};
	for EACH(Stm, s, b->stms)
		vars_put(&inside, s->pat, space);
	map_put(&inside, var_key(e->loop.i), space);
	vars_put(&inside, e->loop.params, space);
	for EACH(Var, p, e->loop.params)
		for EACH(Sub, d, vars[p->id].type.dims)
			if (d->kind == S_VAR && map_has(&inside, var_key(d->var)))
				return false;
	for (bool more = true; more;) {
		more = false;
		for EACH(Stm, s, b->stms) {
			if (!is_kernel(s))
				continue;
			Sub n = s->exp->loop.n;
			bool varies = n.kind == S_VAR && map_has(&inside, var_key(n.var));
			if (found.len == MOST_LEVELS || varies)
				return false;
			VEC_PUSH(&found, n);
			b = &s->exp->loop.body;
			more = true;
			break;
		}
	}
	*space = VEC_SLICE(Subs, found);
	return found.len > 0;
}

bool is_scalar_code(const Stm *s)
{
	const Exp *e = s->exp;
	return !s->certs.len && vars_are_scalars(s->pat) &&
	       (e->form == E_convert || e->form == E_atom || e->form == E_index ||
	        (e->form == E_prim && !prim_can_fail(e->prim.op, e->prim.at)));
}

static bool is_write(const Stm *s)
{
	return s->exp->form == E_update && is_element(s->exp->update.at) && !s->certs.len;
}

// A scalar, or an array that an element is written to.
static bool is_alone(const Exp *e, int k)
{
	Var p = e->loop.params.at[k];
	const Stm *s = stm_in(&e->loop.body, e->loop.body.res.at[k]);
	return type_is_scalar(vars[p.id].type) ||
	       (s && is_write(s) && sub_eq(s->exp->update.arr, sub_var(p)));
}

bool find_scalars(const Exp *e, ScalarLoop *s)
{
	int n = e->loop.params.len;
	*s = (ScalarLoop){NEW_ARRAY(bool, n), 0};
	for (int k = 0; k < n; k++)
		s->n += s->has[k] = is_alone(e, k);
	if (!s->n)
		return true;
	Map needed = {0};
	Body part = body_part(&e->loop.body, subs_where(e->loop.body.res, s->has), &needed);
	for EACH(const Stm, t, part.stms)
		if (!is_scalar_code(t) && !is_write(t))
			return false;
	for (int k = 0; k < n; k++)
		if (!s->has[k] && map_has(&needed, var_key(e->loop.params.at[k])))
			return false;
	return true;
}

void emit_scalars(Build *b, const Stm *loop, const ScalarLoop *s)
{
	const Exp *e = loop->exp;
	if (!s->n)
		return;
	Map needed = {0};
	Body part = body_part(&e->loop.body, subs_where(e->loop.body.res, s->has), &needed);
	Stm own = *loop;
	own.pat = vars_where(loop->pat, s->has);
	own.exp = EXP(loop, .params = vars_where(e->loop.params, s->has),
	              .inits = subs_where(e->loop.inits, s->has), .i = e->loop.i, .n = e->loop.n,
	              .body = part);
	Stm copy = loop_copy(&own);
	b_emit(b, copy);
	b_names(b, own.pat, subs_of_vars(copy.pat));
}
