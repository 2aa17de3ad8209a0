// Which variables depend differentiably on an active parameter (active.c): forwards through a body,
// loops and operators until nothing is new.
#include "ad/active.h"

static void vary_params(Set *m, const Lambda *l, Subs args)
{
	for (int i = 0; i < l->params.len && i < args.len; i++)
		add_if(m, l->params.at[i], has(m, args.at[i]));
}

// The components whose inputs are given: varied if an input, the neutral element, or the
// operator's result is.
static void vary_operator(Set *m, const Lambda *op, Subs ne, Subs in, Vars out)
{
	int k = op->ret.len;
	for (bool more = true; more;) {
		more = false;
		vary_body(m, &op->body);
		for (int c = 0; c < k; c++) {
			bool v = has(m, in.at[c]) || (c < ne.len && has(m, ne.at[c])) ||
			         has(m, op->body.res.at[c]) ||
			         has_var(m, op->params.at[c]);
			more |= add_if(m, op->params.at[c], v);
			more |= add_if(m, op->params.at[k + c], v);
		}
	}
	for (int c = 0; c < k && c < out.len; c++)
		add_if(m, out.at[c], has_var(m, op->params.at[c]));
}

static void vary_screma(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->screma.map->body.res;
	int at = 0;
	vary_params(m, e->screma.map, e->screma.arrs);
	vary_body(m, &e->screma.map->body);
	const Reductions groups[] = {e->screma.scans, e->screma.reds};
	for (int g = 0; g < 2; g++)
		for EACH(Reduction, r, groups[g]) {
			int k = r->ne.len;
			vary_operator(m, r->op, r->ne, subs_part(res, at, k),
			              vars_part(s->pat, at, k));
			at += k;
		}
	for (; at < res.len; at++)
		add_if(m, s->pat.at[at], has(m, res.at[at]));
}

static void vary_hist(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->hist.map->body.res;
	int at = 0, out = 0;
	vary_params(m, e->hist.map, e->hist.arrs);
	vary_body(m, &e->hist.map->body);
	for EACH(HistOp, op, e->hist.ops)
		at += op->space.len;
	for EACH(HistOp, op, e->hist.ops) {
		int k = op->dests.len;
		for (int c = 0; c < k; c++)
			add_if(m, op->op->params.at[c], has(m, op->dests.at[c]));
		vary_operator(m, op->op, op->ne, subs_part(res, at, k), vars_part(s->pat, out, k));
		at += k;
		out += k;
	}
}

static void vary_scatter(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->scatter.map->body.res;
	int at = 0;
	vary_params(m, e->scatter.map, e->scatter.arrs);
	vary_body(m, &e->scatter.map->body);
	for EACH(ScatterDest, d, e->scatter.dests)
		at += d->n_writes * d->space.len;
	for (int i = 0; i < s->pat.len; i++) {
		const ScatterDest *d = &e->scatter.dests.at[i];
		add_if(m, s->pat.at[i],
		       has(m, d->dest) || any(m, subs_part(res, at, d->n_writes)));
		at += d->n_writes;
	}
}

static void vary_loop(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->loop.params.len;
	for (int i = 0; i < n; i++)
		add_if(m, e->loop.params.at[i], has(m, e->loop.inits.at[i]));
	for (bool more = true; more;) {
		more = false;
		vary_body(m, &e->loop.body);
		for (int i = 0; i < n; i++)
			more |= add_if(m, e->loop.params.at[i], has(m, e->loop.body.res.at[i]));
	}
	for (int i = 0; i < n; i++)
		add_if(m, s->pat.at[i], has_var(m, e->loop.params.at[i]));
}

// An accumulator is varied as a whole from its beginning, if it is at its end.
static void vary_withacc(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *fn = e->withacc.fn;
	int n = e->withacc.inputs.len, at = 0;
	for (int i = 0; i < n; i++)
		add_if(m, fn->params.at[n + i], any(m, e->withacc.inputs.at[i].arrs) ||
		       any(m, e->withacc.inputs.at[i].ne));
	for (bool more = true; more;) {
		more = false;
		vary_body(m, &fn->body);
		for (int i = 0; i < n; i++) {
			const AccInput *in = &e->withacc.inputs.at[i];
			bool v = has(m, fn->body.res.at[i]);
			if (in->op) {
				for EACH(Var, p, in->op->params)
					add_if(m, *p, v);
				vary_body(m, &in->op->body);
				v |= any(m, in->op->body.res);
			}
			more |= add_if(m, fn->params.at[n + i], v);
		}
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < e->withacc.inputs.at[i].arrs.len; k++)
			add_if(m, s->pat.at[at++], has(m, fn->body.res.at[i]));
	for (int i = n; i < fn->body.res.len; i++)
		add_if(m, s->pat.at[at++], has(m, fn->body.res.at[i]));
}

static void vary_branch(Set *m, const Stm *s, const Body *b)
{
	vary_body(m, b);
	for (int i = 0; i < s->pat.len; i++)
		add_if(m, s->pat.at[i], has(m, b->res.at[i]));
}

static void vary_call(Set *m, const Stm *s)
{
	Subs args = s->exp->call.args;
	if (!any(m, args))
		return;
	bool *mask = NEW_ARRAY(bool, args.len);
	for (int i = 0; i < args.len; i++)
		mask[i] = has(m, args.at[i]);
	const bool *res = fun_varied(s->exp->call.fn, mask);
	for (int i = 0; i < s->pat.len; i++)
		add_if(m, s->pat.at[i], res[i]);
}

static void vary_flatmap(Set *m, const Stm *s)
{
	const Lambda *l = s->exp->flatmap.map;
	vary_params(m, l, s->exp->flatmap.arrs);
	vary_body(m, &l->body);
	for (int i = 1; i < l->body.res.len; i++)
		add_if(m, s->pat.at[i + 1], has(m, l->body.res.at[i]));
}

// The results are varied if an argument is, whatever the function does: its derivative by the
// arguments may be given by hand.
static void vary_with_vjp(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	vary_params(m, e->with_vjp.fn, e->with_vjp.args);
	vary_body(m, &e->with_vjp.fn->body);
	for (int i = 0; i < s->pat.len; i++)
		add_if(m, s->pat.at[i], any(m, e->with_vjp.args) ||
		       has(m, e->with_vjp.fn->body.res.at[e->with_vjp.n_tape + i]));
}

static void vary_all(Set *m, const Stm *s, Subs xs)
{
	for (int i = 0; i < s->pat.len; i++)
		add_if(m, s->pat.at[i], has(m, xs.at[i]));
}

static bool prim_varied(const Set *m, const Exp *e)
{
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (has(m, e->prim.x[i]) && !deriv_is_zero(e->prim.op, e->prim.at, i))
			return true;
	return false;
}

static void vary_stm(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_atom:      add_if(m, s->pat.at[0], has(m, e->atom.x)); return;
	case E_prim:      add_if(m, s->pat.at[0], prim_varied(m, e)); return;
	case E_convert:
		add_if(m, s->pat.at[0], has(m, e->convert.x) &&
		       !is_cut(sub_type(e->convert.x).elem, e->convert.to));
		return;
	case E_if_: case E_match:
		for (int i = 0; i < n_branches(e); i++)
			vary_branch(m, s, branch_at(e, i));
		return;
	case E_loop:      vary_loop(m, s); return;
	case E_call:      vary_call(m, s); return;
	case E_index:     add_if(m, s->pat.at[0], has(m, e->index.arr)); return;
	case E_slice:     add_if(m, s->pat.at[0], has(m, e->slice.arr)); return;
	case E_update:
		add_if(m, s->pat.at[0], has(m, e->update.arr) || has(m, e->update.val));
		return;
	case E_concat:    add_if(m, s->pat.at[0], any(m, e->concat.arrs)); return;
	case E_replicate: add_if(m, s->pat.at[0], has(m, e->replicate.x)); return;
	case E_reshape:   add_if(m, s->pat.at[0], has(m, e->reshape.arr)); return;
	case E_rearrange: add_if(m, s->pat.at[0], has(m, e->rearrange.arr)); return;
	case E_copy:      add_if(m, s->pat.at[0], has(m, e->copy.arr)); return;
	case E_array:     add_if(m, s->pat.at[0], any(m, e->array.elems)); return;
	case E_screma:    vary_screma(m, s); return;
	case E_hist:      vary_hist(m, s); return;
	case E_scatter:   vary_scatter(m, s); return;
	case E_flatmap:   vary_flatmap(m, s); return;
	case E_withacc:   vary_withacc(m, s); return;
	case E_upd_acc:
		add_if(m, s->pat.at[0], has(m, e->upd_acc.acc) || any(m, e->upd_acc.vals));
		return;
	case E_with_vjp:  vary_with_vjp(m, s); return;
	case E_trace:     vary_all(m, s, e->trace.xs); return;
	case E_opaque:    vary_all(m, s, e->opaque.xs); return;
	case E_iota: case E_scratch: case E_assert_:
		return;
	case E_jvp: case E_vjp: case E_alloc: case E_release: case N_FORM:
		break;
	}
	bug("activity of %s", form_name[e->form]);
}

// Extrema that cancel out count as constants.
static void mark_shifts(Set *m, const Body *b, int first, int at)
{
	const Stm *s = &b->stms.at[at];
	if (s->exp->form != E_screma && s->exp->form != E_if_)
		return;
	for (int i = 0; i < s->pat.len; i++) {
		uint8_t *mark = &m->marks[s->pat.at[i].id];
		if (!(*mark & ACTIVE_ASKED) && is_shift(b, first, at, i))
			*mark |= ACTIVE_NEVER;
		*mark |= ACTIVE_ASKED;
	}
}

void vary_body(Set *m, const Body *b)
{
	int first = first_extremum(b);
	for (int i = 0; i < b->stms.len; i++) {
		mark_shifts(m, b, first, i);
		vary_stm(m, &b->stms.at[i]);
	}
}
