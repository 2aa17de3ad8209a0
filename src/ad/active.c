// Activity: which variables lie between an active parameter and a result.
//
// A variable is varied if it depends differentiably on an active parameter, and useful if a result
// depends differentiably on it.  Only variables that are both get a tangent or an adjoint.
//
//     \(x: f64, k: i64) -> let y = mul x x; let z = floor y; let c = lt k 3
//                          let r = if c then {y} else {z} in r
//     varied (from x, k): x k y r      useful: r y z x      active: x y r
//
// Both are reachability in one graph: an edge leads from an operand to each variable whose
// derivative by it may not be zero.  Indices, sizes, conditions and bounds have no edges.  `flow`
// follows an edge, forwards for what is varied and backwards for what is useful; the functions of
// this file list the edges of statements, and visit bodies in the order of the direction.
//
// Loops and operators are iterated to a fixed point, since a parameter may become varied only in
// the second iteration.  For each component of an operator, both operands and the result are
// active, or none is; likewise all names of one accumulator.
#include "ad/ad.h"

// One of the two sets: the variables with this mark.
typedef struct { uint8_t *marks, bit; } Set;

static bool is_backwards(const Set *m)     { return m->bit == ACTIVE_USEFUL; }
static bool has_var(const Set *m, Var v)   { return m->marks[v.id] & m->bit; }
static bool has(const Set *m, Sub s)       { return s.kind == S_VAR && has_var(m, s.var); }

static bool has_any(const Set *m, Vars vs)
{
	for EACH(Var, v, vs)
		if (has_var(m, *v))
			return true;
	return false;
}

// True if it is new.
static bool add(Set *m, Sub s)
{
	if (s.kind != S_VAR || m->marks[s.var.id] & (m->bit | ACTIVE_NEVER) ||
	    vars[s.var.id].type.kind == T_CERT)
		return false;
	m->marks[s.var.id] |= m->bit;
	return true;
}

// ---- Edges ----

static bool flow(Set *m, Sub from, Var to)
{
	return is_backwards(m) ? has_var(m, to) && add(m, from)
	                       : has(m, from) && add(m, sub_var(to));
}

static bool flow_both_ways(Set *m, Var a, Var b)
{
	bool there = flow(m, sub_var(a), b);
	return flow(m, sub_var(b), a) || there;
}

static void flow_all(Set *m, Subs from, Var to)
{
	for EACH(Sub, x, from)
		flow(m, *x, to);
}

static void flow_each(Set *m, Subs from, Vars to)
{
	for (int i = 0; i < from.len && i < to.len; i++)
		flow(m, from.at[i], to.at[i]);
}

static void flow_body(Set *, const Body *);

// ---- Combinators ----

// True if the operator is to be visited again.
static bool operator_edges(Set *m, const Lambda *op, Subs ne, Subs in, Vars out)
{
	int k = op->ret.len;
	bool again = false;
	for (int c = 0; c < k; c++) {
		Var l = op->params.at[c], r = op->params.at[k + c];
		if (c < out.len)
			flow(m, sub_var(l), out.at[c]);
		flow(m, in.at[c], l);
		if (c < ne.len)
			flow(m, ne.at[c], l);
		again |= flow(m, op->body.res.at[c], l);
		again |= flow_both_ways(m, l, r);
		again |= flow(m, op->body.res.at[c], r);
	}
	return again;
}

// The components whose inputs are given.
static void flow_operator(Set *m, const Lambda *op, Subs ne, Subs in, Vars out)
{
	for (bool again = true; again;) {
		operator_edges(m, op, ne, in, out);
		flow_body(m, &op->body);
		again = operator_edges(m, op, ne, in, out);
	}
}

static void screma_results(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->screma.map->body.res;
	int at = 0;
	const Reductions groups[] = {e->screma.scans, e->screma.reds};
	for (int g = 0; g < 2; g++)
		for EACH(Reduction, r, groups[g]) {
			int k = r->ne.len;
			flow_operator(m, r->op, r->ne, subs_part(res, at, k),
			              vars_part(s->pat, at, k));
			at += k;
		}
	for (; at < res.len; at++)
		flow(m, res.at[at], s->pat.at[at]);
}

static void hist_results(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	int at = 0, out = 0;
	for EACH(HistOp, op, e->hist.ops)
		at += op->space.len;
	for EACH(HistOp, op, e->hist.ops) {
		int k = op->dests.len;
		Subs in = subs_part(e->hist.map->body.res, at, k);
		flow_each(m, op->dests, op->op->params);
		flow_operator(m, op->op, op->ne, in, vars_part(s->pat, out, k));
		flow_each(m, op->dests, op->op->params);
		at += k;
		out += k;
	}
}

static void scatter_results(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	int at = 0;
	for EACH(ScatterDest, d, e->scatter.dests)
		at += d->n_writes * d->space.len;
	for (int i = 0; i < s->pat.len; i++) {
		const ScatterDest *d = &e->scatter.dests.at[i];
		flow(m, d->dest, s->pat.at[i]);
		flow_all(m, subs_part(e->scatter.map->body.res, at, d->n_writes), s->pat.at[i]);
		at += d->n_writes;
	}
}

static void flatmap_results(Set *m, const Stm *s)
{
	const Subs res = s->exp->flatmap.map->body.res;
	for (int i = 1; i < res.len; i++)
		flow(m, res.at[i], s->pat.at[i + 1]);
}

// Rows of the arrays go through the function; what it gives makes the results.
static void flow_rows(Set *m, const Stm *s, Subs arrs, void (*results)(Set *, const Stm *))
{
	const Lambda *f = *soac_fn(s->exp);
	if (is_backwards(m))
		results(m, s);
	flow_each(m, arrs, f->params);
	flow_body(m, &f->body);
	flow_each(m, arrs, f->params);
	if (!is_backwards(m))
		results(m, s);
}

// ---- Other statements with bodies ----

static bool loop_edges(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	bool again = false;
	for (int i = 0; i < e->loop.params.len; i++) {
		Var p = e->loop.params.at[i];
		flow_both_ways(m, p, s->pat.at[i]);
		again |= flow(m, e->loop.body.res.at[i], p);
		flow(m, e->loop.inits.at[i], p);
	}
	return again;
}

static void flow_loop(Set *m, const Stm *s)
{
	for (bool again = true; again;) {
		loop_edges(m, s);
		flow_body(m, &s->exp->loop.body);
		again = loop_edges(m, s);
	}
}

// Of input i, whose first result is `at`.  An accumulator is varied, or useful, as a whole from its
// beginning to its end.
static bool acc_edges(Set *m, const Stm *s, int i, int at)
{
	const AccInput *in = &s->exp->withacc.inputs.at[i];
	const Lambda *fn = s->exp->withacc.fn;
	Var acc = fn->params.at[s->exp->withacc.inputs.len + i];
	bool again = false;
	for (int k = 0; k < in->arrs.len; k++)
		flow(m, fn->body.res.at[i], s->pat.at[at + k]);
	flow_all(m, in->arrs, acc);
	flow_all(m, in->ne, acc);
	again |= flow(m, fn->body.res.at[i], acc);
	if (!in->op)
		return again;
	for EACH(Var, p, in->op->params)
		flow_both_ways(m, acc, *p);
	if (is_backwards(m))
		flow_all(m, in->op->body.res, acc);
	flow_body(m, &in->op->body);
	for EACH(Sub, x, in->op->body.res)
		again |= flow(m, *x, acc);
	return again;
}

static bool withacc_edges(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->withacc.fn->body.res;
	int n = e->withacc.inputs.len, at = 0;
	bool again = false;
	for (int i = 0; i < n; i++) {
		again |= acc_edges(m, s, i, at);
		at += e->withacc.inputs.at[i].arrs.len;
	}
	for (int i = n; i < res.len; i++)
		flow(m, res.at[i], s->pat.at[at++]);
	return again;
}

static void flow_withacc(Set *m, const Stm *s)
{
	for (bool again = true; again;) {
		withacc_edges(m, s);
		flow_body(m, &s->exp->withacc.fn->body);
		again = withacc_edges(m, s);
	}
}

static void flow_branch(Set *m, const Stm *s, const Body *b)
{
	flow_each(m, b->res, s->pat);
	flow_body(m, b);
	flow_each(m, b->res, s->pat);
}

static void flow_call(Set *m, const Stm *s)
{
	Subs args = s->exp->call.args;
	if (is_backwards(m)) {
		for EACH(Var, x, s->pat)
			flow_all(m, args, *x);
		return;
	}
	bool *mask = NEW_ARRAY(bool, args.len), some = false;
	for (int i = 0; i < args.len; i++)
		some |= mask[i] = has(m, args.at[i]);
	const bool *res = some ? fun_varied(s->exp->call.fn, mask) : NULL;
	for (int i = 0; some && i < s->pat.len; i++)
		if (res[i])
			add(m, sub_var(s->pat.at[i]));
}

// All arguments matter to all results, whatever the function does: its derivative by them may be
// given by hand.
static void flow_with_vjp(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *f = e->with_vjp.fn;
	for (int turn = 0; turn < 2; turn++) {
		flow_each(m, e->with_vjp.args, f->params);
		for (int i = 0; i < s->pat.len; i++) {
			flow(m, f->body.res.at[e->with_vjp.n_tape + i], s->pat.at[i]);
			flow_all(m, e->with_vjp.args, s->pat.at[i]);
			for EACH(Var, p, f->params)
				flow(m, sub_var(*p), s->pat.at[i]);
		}
		if (!turn)
			flow_body(m, &f->body);
	}
}

// ---- Statements ----

static void flow_prim(Set *m, const Exp *e, Var to)
{
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (!deriv_is_zero(e->prim.op, e->prim.at, i))
			flow(m, e->prim.x[i], to);
}

static void flow_convert(Set *m, const Exp *e, Var to)
{
	if (sub_type(e->convert.x).elem != PT_BOOL && e->convert.to != PT_BOOL)
		flow(m, e->convert.x, to);
}

static void flow_stm(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Var to = s->pat.len ? s->pat.at[0] : (Var){0};
	switch (e->form) {
	case E_atom:      flow(m, e->atom.x, to); return;
	case E_prim:      flow_prim(m, e, to); return;
	case E_convert:   flow_convert(m, e, to); return;
	case E_if_: case E_match:
		for (int i = 0; i < n_branches(e); i++)
			flow_branch(m, s, branch_at(e, i));
		return;
	case E_loop:      flow_loop(m, s); return;
	case E_call:      flow_call(m, s); return;
	case E_index:     flow(m, e->index.arr, to); return;
	case E_slice:     flow(m, e->slice.arr, to); return;
	case E_update:
		flow(m, e->update.arr, to);
		flow(m, e->update.val, to);
		return;
	case E_concat:    flow_all(m, e->concat.arrs, to); return;
	case E_replicate: flow(m, e->replicate.x, to); return;
	case E_reshape:   flow(m, e->reshape.arr, to); return;
	case E_rearrange: flow(m, e->rearrange.arr, to); return;
	case E_copy:      flow(m, e->copy.arr, to); return;
	case E_array:     flow_all(m, e->array.elems, to); return;
	case E_screma:    flow_rows(m, s, e->screma.arrs, screma_results); return;
	case E_hist:      flow_rows(m, s, e->hist.arrs, hist_results); return;
	case E_scatter:   flow_rows(m, s, e->scatter.arrs, scatter_results); return;
	case E_flatmap:   flow_rows(m, s, e->flatmap.arrs, flatmap_results); return;
	case E_withacc:   flow_withacc(m, s); return;
	case E_upd_acc:
		flow(m, e->upd_acc.acc, to);
		flow_all(m, e->upd_acc.vals, to);
		return;
	case E_with_vjp:  flow_with_vjp(m, s); return;
	case E_trace:     flow_each(m, e->trace.xs, s->pat); return;
	case E_opaque:    flow_each(m, e->opaque.xs, s->pat); return;
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

static void flow_body(Set *m, const Body *b)
{
	if (is_backwards(m)) {
		for (int i = b->stms.len; i-- > 0;)
			if (has_any(m, b->stms.at[i].pat))
				flow_stm(m, &b->stms.at[i]);
		return;
	}
	int first = first_extremum(b);
	for (int i = 0; i < b->stms.len; i++) {
		mark_shifts(m, b, first, i);
		flow_stm(m, &b->stms.at[i]);
	}
}

// ---- Lambdas ----

Active varied_in(const Lambda *l, const bool *param_active)
{
	Active a = {NEW_ARRAY(uint8_t, n_vars), n_vars};
	Set varied = {a.marks, ACTIVE_VARIED};
	for (int i = 0; i < l->params.len; i++)
		if (param_active[i])
			add(&varied, sub_var(l->params.at[i]));
	flow_body(&varied, &l->body);
	return a;
}

Active active_in(const Lambda *l, const bool *param_active)
{
	Active a = varied_in(l, param_active);
	Set useful = {a.marks, ACTIVE_USEFUL};
	for EACH(Sub, x, l->body.res)
		add(&useful, *x);
	flow_body(&useful, &l->body);
	return a;
}

// ---- Functions ----

// What is known of functions, by function and set of varied arguments: a cache that active_reset
// empties.  Recursive functions begin with nothing varied and are looked at again, all
// together, until nothing is added.
typedef struct { const Fun *fn; const bool *args; bool *res; } Summary;
static struct { VEC(Summary *) all; Map by_name; bool running; } summaries;

void active_reset(void)
{
	memset(&summaries, 0, sizeof summaries);
}

static bool look_again(Summary *s)
{
	Set m = {NEW_ARRAY(uint8_t, n_vars), ACTIVE_VARIED};
	for (int i = 0; i < s->fn->params.len; i++)
		if (s->args[i])
			add(&m, sub_var(s->fn->params.at[i]));
	flow_body(&m, &s->fn->body);
	bool more = false;
	for (int i = 0; i < s->fn->res.len; i++) {
		bool v = has(&m, s->fn->body.res.at[i]);
		more |= v && !s->res[i];
		s->res[i] |= v;
	}
	return more;
}

static void settle(void)
{
	summaries.running = true;
	for (bool more = true; more;) {
		int before = summaries.all.len;
		more = false;
		for (int i = 0; i < summaries.all.len; i++)
			more |= look_again(summaries.all.at[i]);
		more |= summaries.all.len > before;
	}
	summaries.running = false;
}

const bool *fun_varied(const Fun *fn, const bool *args)
{
	want_finished(fn);
	Str key = {0};
	str_printf(&key, "%p ", (const void *)fn);
	for (int i = 0; i < fn->params.len; i++)
		str_putc(&key, args[i] ? '1' : '0');
	Name name = name_of(str_text(&key));
	Summary *s = map_get(&summaries.by_name, name);
	if (s)
		return s->res;
	s = NEW(Summary, fn, mem_dup(args, (size_t)fn->params.len * sizeof *args),
	        NEW_ARRAY(bool, fn->res.len));
	map_put(&summaries.by_name, name, s);
	VEC_PUSH(&summaries.all, s);
	if (!summaries.running)
		settle();
	return s->res;
}
