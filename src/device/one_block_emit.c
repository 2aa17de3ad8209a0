// The kernel of the pass `one_block` (one_block.c): a run of statements as one block does it.
#include "device/one_block.h"

static Slices place_at(Build *b, Slices at, Sub i)
{
	Slices out = SLICE_DUP(Slices, at);
	for EACH(DimSlice, d, out)
		if (!d->fixed)
			*d = dim_at(b_add(b, d->start, b_mul(b, i, d->step)));
	return out;
}

// An element each, of `val`, an array or a scalar.
static void emit_elements(Build *b, const Stm *s, Sub to, Slices at, Sub n, Sub val)
{
	DevLoop l = dev_open(b, ATTR_THREADS, n, subs_of(1, to));
	Sub i = sub_var(l.i);
	Sub x = type_is_scalar(sub_type(val)) ? val : b_row(b, val, i);
	Slices here = at.len ? place_at(b, at, i) : slices_at(subs_of(1, i), (Subs){0});
	Sub next = b_update(b, sub_var(l.params.at[0]), here, x);
	b_names(b, s->pat, dev_close(b, &l, subs_of(1, next)));
}

static void emit_sum(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	Map to = {0};
	subst_put(&to, e->loop.i, sub_i64(0));
	for (int k = 0; k < e->loop.params.len; k++)
		subst_put(&to, e->loop.params.at[k], e->loop.inits.at[k]);
	Body body = body_subst(e->loop.body, &to);
	b_emit_all(b, body.stms);
	b_names(b, s->pat, body.res);
}

// A statement, as the block does it.  `made`: new memory -> Sub *, where it is.
static void emit_work(Build *b, const Body *run, const Map *made, const Stm *s)
{
	const Exp *e = s->exp;
	Stm t = *s;
	Sub val;
	switch (e->form) {
	case E_copy: case E_replicate:
		val = e->form == E_copy ? e->copy.arr : e->replicate.x;
		emit_elements(b, s, *(Sub *)map_get(made, var_key(s->pat.at[0])), (Slices){0},
		              vars[s->pat.at[0].id].type.dims.at[0], val);
		break;
	case E_update:
		val = e->update.val;
		const Exp *def = def_in(run, val);
		emit_elements(b, s, e->update.arr, e->update.at, sub_type(val).dims.at[0],
		              def && def->form == E_replicate ? def->replicate.x : val);
		break;
	case E_loop:
		t.attrs = attr_of(ATTR_THREADS);
		if (has_attr(s->attrs, ATTR_BLOCKS))
			emit_sum(b, s);
		else
			b_emit(b, t);
		break;
	case E_if_:
		b_emit_all(b, e->if_.no.stms);
		b_names(b, s->pat, e->if_.no.res);
		break;
	default: // views
		b_emit(b, t);
		break;
	}
}

// Numbers for one part.
static void emit_number(Build *b, const Stm *s, Map *to)
{
	const Exp *e = exp_subst(s->exp, to);
	if (e->form == E_opaque) {
		subst_put(to, s->pat.at[0], sub_i64(1));
		for (int k = 1; k < s->pat.len; k++)
			subst_put(to, s->pat.at[k], e->opaque.xs.at[k]);
		return;
	}
	subst_put(to, s->pat.at[0],
	          b_prim(b, e->prim.op, e->prim.at, e->prim.x[0], e->prim.x[1], e->prim.x[2]));
}

static Type one_part(Type t, Map *to)
{
	t.dims = SLICE_DUP(Subs, t.dims);
	for EACH(Sub, d, t.dims)
		*d = sub_subst(to, *d);
	return t;
}

// Fills that only updates use are not made.
static bool is_needless(const Body *run, Subs outs, Sub root)
{
	const Exp *e = def_in(run, root);
	if (!e || e->form != E_replicate || subs_find(outs, root) >= 0)
		return false;
	int n = n_uses_in(&(Body){.stms = run->stms}, root.var);
	for EACH(Stm, s, run->stms)
		n -= s->exp->form == E_update && sub_eq(s->exp->update.val, root);
	return n == 0;
}

// The run under other names, with all results that are used; then what they are called there.
static Body renamed(const Run *r, Vars outs)
{
	VEC(Stm) stms = {0};
	for (int i = r->from; i < r->to; i++) {
		const Stm *s = &r->body->stms.at[i];
		if (!stays_outside(r, s) || vars_any_in(s->pat, &r->parts))
			VEC_PUSH(&stms, *s);
	}
	Subs res = subs_cat(subs_of_vars(outs), subs_cat(
		subs_of_vars((Vars){r->roots.at, r->roots.len}),
		subs_of_vars((Vars){r->last.at, r->last.len})));
	return body_rename((Body){VEC_SLICE(Stms, stms), res});
}

Subs emit_block(Run *r, Vars outs)
{
	Build *b = &r->c->b;
	Body run = renamed(r, outs);
	Subs names = subs_part(run.res, 0, outs.len);
	Subs roots = subs_part(run.res, outs.len, r->roots.len);
	Subs last = subs_part(run.res, outs.len + r->roots.len, r->roots.len);
	Map to = {0}, made = {0};
	SubVec inits = {0}, ends = {0};
	VEC(int) of_root = {0};
	for EACH(Stm, s, run.stms)
		if (s->exp->form == E_prim || s->exp->form == E_opaque)
			emit_number(b, s, &to);
	for (int k = 0; k < roots.len; k++) {
		Sub x = roots.at[k];
		bool drop = is_needless(&run, names, x);
		VEC_PUSH(&of_root, drop ? -1 : inits.len);
		if (drop)
			continue;
		VEC_PUSH(&inits, stm_index(&run, x) < 0 ? x
		         : b_scratch(b, "out", one_part(sub_type(x), &to)));
		VEC_PUSH(&ends, last.at[k]);
	}
	DevLoop block = dev_open(b, ATTR_BLOCKS, sub_i64(1), VEC_SLICE(Subs, inits));
	for (int k = 0; k < roots.len; k++) {
		const Exp *def = def_in(&run, roots.at[k]);
		if (of_root.at[k] < 0)
			continue;
		Sub param = sub_var(block.params.at[of_root.at[k]]);
		bool first = def && (def->form == E_copy || def->form == E_replicate);
		subst_put(first ? &made : &to, roots.at[k].var, param);
	}
	run = body_subst(run, &to);
	for EACH(Stm, s, run.stms) {
		Form f = s->exp->form;
		if (f != E_prim && f != E_opaque && f != E_scratch &&
		    !(f == E_replicate && !map_has(&made, var_key(s->pat.at[0]))))
			emit_work(b, &run, &made, s);
	}
	for (int k = 0; k < ends.len; k++) // which may have been written by other dimensions
		ends.at[k] = b_reshape(b, vars[block.params.at[k].id].type.dims,
		                       sub_subst(&to, ends.at[k]));
	Subs given = dev_close(b, &block, VEC_SLICE(Subs, ends));
	Subs out = {NEW_ARRAY(Sub, outs.len), outs.len};
	for (int k = 0; k < outs.len; k++) {
		int root = run_root(r, sub_var(outs.at[k]));
		out.at[k] = b_reshape(b, one_part(sub_type(names.at[k]), &to).dims,
		                      given.at[of_root.at[root]]);
	}
	return out;
}
