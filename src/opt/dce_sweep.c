// The rewriting part of dead code elimination: keeps live statements, with their live components.
//
//     let (a: f64, b: f64) = if c then {x, y} else {z, w}      only b is live
//   ->
//     let (b: f64) = if c then {y} else {w}
//
// Requires: the liveness information of dce.c.  Nothing is modified in place; dead parts are
// omitted from copies.
#include "opt/dce.h"

// The marked ones of n things.
typedef struct { bool *at; int len, kept; } Keep;

static Keep keep_new(int n)
{
	return (Keep){n ? NEW_ARRAY(bool, n) : NULL, n, 0};
}

static void keep(Keep *k, int i)
{
	k->kept += !k->at[i];
	k->at[i] = true;
}

static void keep_range(Keep *k, int from, int n)
{
	for (int i = from; i < from + n; i++)
		keep(k, i);
}

static bool keeps_all(const Keep *k)
{
	return k->kept == k->len;
}

static Lambda *kept_results(const Lambda *l, const Keep *k)
{
	Lambda *out = mem_dup(l, sizeof *l);
	out->body.res = subs_where(l->body.res, k->at);
	out->ret = (Types){NEW_ARRAY(Type, k->kept), 0};
	for (int i = 0; i < l->ret.len; i++)
		if (k->at[i])
			out->ret.at[out->ret.len++] = l->ret.at[i];
	return out;
}

// Drops the parameters that are dead, with their arrays; accumulators are never dead.
static Lambda *kept_params(Dce *d, const Lambda *l, Subs *arrs)
{
	Keep k = keep_new(l->params.len);
	for (int i = 0; i < l->params.len; i++)
		if (d->live[l->params.at[i].id])
			keep(&k, i);
	if (keeps_all(&k))
		return (Lambda *)l;
	d->dropped = true;
	Lambda *out = mem_dup(l, sizeof *l);
	out->params = vars_where(l->params, k.at);
	*arrs = subs_where(*arrs, k.at);
	return out;
}

static Keep live_ones(Dce *d, Vars pat)
{
	Keep k = keep_new(pat.len);
	for (int i = 0; i < pat.len; i++)
		if (d->live[pat.at[i].id])
			keep(&k, i);
	return k;
}

// An operator on the values that are kept.
static Reduction kept_values(const Reduction *r, const Keep *k)
{
	Keep operands = keep_new(2 * k->len);
	for (int i = 0; i < k->len; i++)
		if (k->at[i]) {
			keep(&operands, i);
			keep(&operands, k->len + i);
		}
	Reduction out = *r;
	out.op = kept_results(r->op, k);
	out.op->params = vars_where(r->op->params, operands.at);
	out.ne = subs_where(r->ne, k->at);
	return out;
}

static Reductions kept_groups(Reductions rs, const Keep *live, int first, Keep *results)
{
	Reductions out = {NEW_ARRAY(Reduction, rs.len), 0};
	for EACH(Reduction, r, rs) {
		Keep values = keep_new(r->ne.len);
		for (int i = 0; i < r->ne.len; i++)
			if (live->at[first + i]) {
				keep(&values, i);
				keep(results, first + i);
			}
		if (values.kept)
			out.at[out.len++] = keeps_all(&values) ? *r : kept_values(r, &values);
		first += r->ne.len;
	}
	return out;
}

static void keep_screma(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(s->pat.len);
	int n_scans = n_reduced(e->screma.scans), n_reds = n_reduced(e->screma.reds);
	e->screma.scans = kept_groups(e->screma.scans, &live, 0, &results);
	e->screma.reds = kept_groups(e->screma.reds, &live, n_scans, &results);
	for (int i = n_scans + n_reds; i < s->pat.len; i++)
		if (live.at[i])
			keep(&results, i);
	e->screma.map = kept_results(e->screma.map, &results);
	e->screma.map = kept_params(d, e->screma.map, &e->screma.arrs);
	s->pat = vars_where(s->pat, results.at);
}

static void keep_hist(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), pat = keep_new(s->pat.len);
	Keep results = keep_new(e->hist.map->ret.len);
	HistOps ops = {NEW_ARRAY(HistOp, e->hist.ops.len), 0};
	Places at = {0, 0};
	for EACH(HistOp, op, e->hist.ops)
		at.value += op->space.len;
	int first = 0;
	for EACH(HistOp, op, e->hist.ops) {
		int k = op->dests.len;
		bool any = false;
		for (int i = 0; i < k; i++)
			any |= live.at[first + i];
		if (any) {
			ops.at[ops.len++] = *op;
			keep_range(&pat, first, k);
			keep_range(&results, at.index, op->space.len);
			keep_range(&results, at.value, k);
		}
		first += k;
		at.index += op->space.len;
		at.value += k;
	}
	e->hist.ops = ops;
	e->hist.map = kept_params(d, kept_results(e->hist.map, &results), &e->hist.arrs);
	s->pat = vars_where(s->pat, pat.at);
}

static void keep_scatter(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(e->scatter.map->ret.len);
	ScatterDests dests = {NEW_ARRAY(ScatterDest, e->scatter.dests.len), 0};
	Places at = {0, 0};
	for EACH(ScatterDest, p, e->scatter.dests)
		at.value += p->space.len * p->n_writes;
	for (int j = 0; j < e->scatter.dests.len; j++) {
		const ScatterDest *p = &e->scatter.dests.at[j];
		int n_indices = p->space.len * p->n_writes;
		if (live.at[j]) {
			dests.at[dests.len++] = *p;
			keep_range(&results, at.index, n_indices);
			keep_range(&results, at.value, p->n_writes);
		}
		at.index += n_indices;
		at.value += p->n_writes;
	}
	e->scatter.dests = dests;
	e->scatter.map = kept_params(d, kept_results(e->scatter.map, &results), &e->scatter.arrs);
	s->pat = vars_where(s->pat, live.at);
}

// The total length and the lengths stay.
static void keep_flatmap(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(e->flatmap.map->ret.len);
	keep_range(&live, 0, 2);
	keep(&results, 0);
	int n_data = 0;
	for (int i = 2; i < s->pat.len; i++)
		if (live.at[i]) {
			keep(&results, i - 1);
			n_data += i - 1 <= e->flatmap.n_data;
		}
	e->flatmap.n_data = n_data;
	e->flatmap.map = kept_params(d, kept_results(e->flatmap.map, &results), &e->flatmap.arrs);
	s->pat = vars_where(s->pat, live.at);
}

static void keep_withacc(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat), results = keep_new(e->withacc.fn->ret.len);
	int n = n_acc_arrays(e), n_inputs = e->withacc.inputs.len;
	keep_range(&live, 0, n);
	keep_range(&results, 0, n_inputs);
	for (int i = n; i < s->pat.len; i++)
		if (live.at[i])
			keep(&results, n_inputs + i - n);
	e->withacc.fn = kept_results(e->withacc.fn, &results);
	s->pat = vars_where(s->pat, live.at);
}

static void keep_loop(Dce *d, Stm *s, Exp *e)
{
	Keep live = live_ones(d, s->pat);
	e->loop.params = vars_where(e->loop.params, live.at);
	e->loop.inits = subs_where(e->loop.inits, live.at);
	e->loop.body.res = subs_where(e->loop.body.res, live.at);
	s->pat = vars_where(s->pat, live.at);
}

// Leaves only live components: a copy of the expression is changed before it is swept.
static void keep_components(Dce *d, Stm *s)
{
	bool all = true;
	for EACH(Var, x, s->pat)
		all &= d->live[x->id];
	d->dropped |= !all;
	Exp *e = s->exp = choice_copy(s->exp);
	Keep live = live_ones(d, s->pat);
	switch (e->form) {
	case E_if_: case E_match:
		if (all)
			return;
		for (int i = 0; i < n_branches(e); i++)
			branch_at(e, i)->res = subs_where(branch_at(e, i)->res, live.at);
		s->pat = vars_where(s->pat, live.at);
		return;
	case E_loop:
		if (!all)
			keep_loop(d, s, e);
		return;
	case E_screma:
		keep_screma(d, s, e);
		return;
	case E_hist:
		keep_hist(d, s, e);
		return;
	case E_scatter:
		keep_scatter(d, s, e);
		return;
	case E_flatmap:
		keep_flatmap(d, s, e);
		return;
	case E_withacc:
		if (!all)
			keep_withacc(d, s, e);
		return;
	default: // has no components
		return;
	}
}

// The end of a block's life is of interest only if it has one.
static bool stays(Dce *d, const Stm *s)
{
	if (s->exp->form == E_release)
		return d->live[s->exp->release.block.var.id];
	return dce_is_alive(d, s);
}

// Is there nothing to drop, and nothing nested or called that would have to be looked at?
static bool is_clean(Dce *d, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call || !stays(d, s))
			return false;
	return true;
}

void dce_sweep(Visit *v, Body *b)
{
	Dce *d = v->ctx;
	if (is_clean(d, b))
		return;
	Stms kept = {b->stms.len ? NEW_ARRAY(Stm, b->stms.len) : NULL, 0};
	for EACH(Stm, old, b->stms) {
		if (!stays(d, old)) {
			d->dropped = true;
			continue;
		}
		Stm s = *old;
		if (dce_has_components(d, s.exp->form))
			keep_components(d, &s);
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		kept.at[kept.len++] = s;
	}
	b->stms = kept;
}
