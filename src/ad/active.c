// Activity: which variables lie between an active parameter and a result.
//
// A variable is varied if it depends differentiably on an active parameter (a forward analysis),
// and useful if a result depends differentiably on it (a backward analysis).  Indices, sizes,
// conditions, bounds and operands whose derivative is zero everywhere interrupt the flow.  Only
// variables that are both get a tangent or an adjoint.
//
//     \(x: f64, k: i64) -> let y = mul x x; let z = floor y; let c = lt k 3
//                          let r = if c then {y} else {z} in r
//     varied (from x, k): x k y r      useful: r y z x      active: x y r
//
// Loops and operators are iterated to a fixed point, since a parameter may become varied only in
// the second iteration.  For each component of an operator, both operands and the result are
// active, or none is; likewise all names of one accumulator.
#include "ad/active.h"

// ---- Useful ----

static void use_body(Set *, const Body *);

static void use_all(Set *m, Subs s)
{
	for EACH(Sub, x, s)
		add(m, *x);
}

static bool use_if(Set *m, Sub s, bool cond)
{
	return cond && add(m, s);
}

static void use_args(Set *m, Subs args, Vars params)
{
	for (int i = 0; i < args.len && i < params.len; i++)
		use_if(m, args.at[i], has_var(m, params.at[i]));
}

static void use_operator(Set *m, const Lambda *op, Subs ne, Subs in, Vars out)
{
	int k = op->ret.len;
	for (int c = 0; c < k && c < out.len; c++)
		add_if(m, op->params.at[c], has_var(m, out.at[c]));
	for (bool more = true; more;) {
		more = false;
		for (int c = 0; c < k; c++) {
			Var l = op->params.at[c], r = op->params.at[k + c];
			bool u = has_var(m, l) || has_var(m, r);
			bool fresh = add_if(m, l, u);
			fresh |= add_if(m, r, u);
			more |= use_if(m, op->body.res.at[c], u) || fresh;
		}
		use_body(m, &op->body);
		for (int c = 0; c < k; c++)
			more |= has_var(m, op->params.at[c]) !=
			        has_var(m, op->params.at[k + c]);
	}
	for (int c = 0; c < k; c++) {
		bool u = has_var(m, op->params.at[c]);
		use_if(m, in.at[c], u);
		if (c < ne.len)
			use_if(m, ne.at[c], u);
	}
}

static void use_screma(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->screma.map->body.res;
	int at = 0;
	for EACH(Reduction, r, e->screma.scans) {
		int k = r->ne.len;
		use_operator(m, r->op, r->ne, subs_part(res, at, k), vars_part(s->pat, at, k));
		at += k;
	}
	for EACH(Reduction, r, e->screma.reds) {
		int k = r->ne.len;
		use_operator(m, r->op, r->ne, subs_part(res, at, k), vars_part(s->pat, at, k));
		at += k;
	}
	for (; at < res.len; at++)
		use_if(m, res.at[at], has_var(m, s->pat.at[at]));
	use_body(m, &e->screma.map->body);
	use_args(m, e->screma.arrs, e->screma.map->params);
}

static void use_hist(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->hist.map->body.res;
	int at = 0, out = 0;
	for EACH(HistOp, op, e->hist.ops)
		at += op->space.len;
	for EACH(HistOp, op, e->hist.ops) {
		int k = op->dests.len;
		use_operator(m, op->op, op->ne, subs_part(res, at, k), vars_part(s->pat, out, k));
		use_args(m, op->dests, op->op->params);
		at += k;
		out += k;
	}
	use_body(m, &e->hist.map->body);
	use_args(m, e->hist.arrs, e->hist.map->params);
}

static void use_scatter(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	Subs res = e->scatter.map->body.res;
	int at = 0;
	for EACH(ScatterDest, d, e->scatter.dests)
		at += d->n_writes * d->space.len;
	for (int i = 0; i < s->pat.len; i++) {
		const ScatterDest *d = &e->scatter.dests.at[i];
		if (has_var(m, s->pat.at[i])) {
			add(m, d->dest);
			use_all(m, subs_part(res, at, d->n_writes));
		}
		at += d->n_writes;
	}
	use_body(m, &e->scatter.map->body);
	use_args(m, e->scatter.arrs, e->scatter.map->params);
}

static void use_loop(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->loop.params.len;
	for (int i = 0; i < n; i++)
		add_if(m, e->loop.params.at[i], has_var(m, s->pat.at[i]));
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < n; i++)
			more |= use_if(m, e->loop.body.res.at[i],
			               has_var(m, e->loop.params.at[i]));
		if (more)
			use_body(m, &e->loop.body);
	}
	use_args(m, e->loop.inits, e->loop.params);
	for (int i = 0; i < n; i++)
		add_if(m, s->pat.at[i], has_var(m, e->loop.params.at[i]));
}

static void use_withacc(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *fn = e->withacc.fn;
	int n = e->withacc.inputs.len, at = 0;
	for (int i = 0; i < n; i++) {
		int k = e->withacc.inputs.at[i].arrs.len;
		use_if(m, fn->body.res.at[i], has_any(m, vars_part(s->pat, at, k)));
		at += k;
	}
	for (int i = n; i < fn->body.res.len; i++)
		use_if(m, fn->body.res.at[i], has_var(m, s->pat.at[at++]));
	use_body(m, &fn->body);
	for (int i = 0; i < n; i++) {
		const AccInput *in = &e->withacc.inputs.at[i];
		if (!has_var(m, fn->params.at[n + i]))
			continue;
		use_all(m, in->arrs);
		use_all(m, in->ne);
		if (!in->op)
			continue;
		for EACH(Var, p, in->op->params)
			add(m, sub_var(*p));
		use_all(m, in->op->body.res);
		use_body(m, &in->op->body);
	}
}

static void use_branch(Set *m, const Stm *s, const Body *b)
{
	for (int i = 0; i < s->pat.len; i++)
		use_if(m, b->res.at[i], has_var(m, s->pat.at[i]));
	use_body(m, b);
}

static void use_flatmap(Set *m, const Stm *s)
{
	const Lambda *l = s->exp->flatmap.map;
	for (int i = 1; i < l->body.res.len; i++)
		use_if(m, l->body.res.at[i], has_var(m, s->pat.at[i + 1]));
	use_body(m, &l->body);
	use_args(m, s->exp->flatmap.arrs, l->params);
}

static void use_with_vjp(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	if (!has_any(m, s->pat))
		return;
	use_all(m, e->with_vjp.args);
	for EACH(Var, p, e->with_vjp.fn->params)
		add(m, sub_var(*p));
	for (int i = 0; i < s->pat.len; i++)
		use_if(m, e->with_vjp.fn->body.res.at[e->with_vjp.n_tape + i],
		       has_var(m, s->pat.at[i]));
	use_body(m, &e->with_vjp.fn->body);
}

static void use_each(Set *m, const Stm *s, Subs xs)
{
	for (int i = 0; i < s->pat.len; i++)
		use_if(m, xs.at[i], has_var(m, s->pat.at[i]));
}

static void use_prim(Set *m, const Exp *e)
{
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		use_if(m, e->prim.x[i], !deriv_is_zero(e->prim.op, e->prim.at, i));
}

// A statement of one result, which is useful.
static void use_simple(Set *m, const Exp *e)
{
	switch (e->form) {
	case E_atom:      add(m, e->atom.x); return;
	case E_prim:      use_prim(m, e); return;
	case E_convert:
		use_if(m, e->convert.x, !is_cut(sub_type(e->convert.x).elem, e->convert.to));
		return;
	case E_index:     add(m, e->index.arr); return;
	case E_slice:     add(m, e->slice.arr); return;
	case E_update:
		add(m, e->update.arr);
		add(m, e->update.val);
		return;
	case E_concat:    use_all(m, e->concat.arrs); return;
	case E_replicate: add(m, e->replicate.x); return;
	case E_reshape:   add(m, e->reshape.arr); return;
	case E_rearrange: add(m, e->rearrange.arr); return;
	case E_copy:      add(m, e->copy.arr); return;
	case E_array:     use_all(m, e->array.elems); return;
	case E_upd_acc:
		add(m, e->upd_acc.acc);
		use_all(m, e->upd_acc.vals);
		return;
	case E_iota: case E_scratch: case E_assert_:
		return;
	case E_if_: case E_match: case E_loop: case E_call: case E_screma: case E_hist:
	case E_scatter: case E_flatmap: case E_withacc: case E_jvp: case E_vjp: case E_with_vjp:
	case E_trace: case E_opaque: case E_alloc: case E_release: case N_FORM:
		break;
	}
	bug("activity of %s", form_name[e->form]);
}

static void use_stm(Set *m, const Stm *s)
{
	const Exp *e = s->exp;
	if (!has_any(m, s->pat))
		return;
	switch (e->form) {
	case E_if_: case E_match:
		for (int i = 0; i < n_branches(e); i++)
			use_branch(m, s, branch_at(e, i));
		return;
	case E_loop:     use_loop(m, s); return;
	case E_call:     use_all(m, e->call.args); return;
	case E_screma:   use_screma(m, s); return;
	case E_hist:     use_hist(m, s); return;
	case E_scatter:  use_scatter(m, s); return;
	case E_flatmap:  use_flatmap(m, s); return;
	case E_withacc:  use_withacc(m, s); return;
	case E_with_vjp: use_with_vjp(m, s); return;
	case E_trace:    use_each(m, s, e->trace.xs); return;
	case E_opaque:   use_each(m, s, e->opaque.xs); return;
	case E_atom: case E_prim: case E_convert: case E_index: case E_slice: case E_update:
	case E_concat: case E_iota: case E_replicate: case E_scratch: case E_reshape:
	case E_rearrange: case E_copy: case E_array: case E_upd_acc: case E_assert_: case E_jvp:
	case E_vjp: case E_alloc: case E_release: case N_FORM:
		use_simple(m, e);
		return;
	}
}

static void use_body(Set *m, const Body *b)
{
	for (int i = b->stms.len; i-- > 0;)
		use_stm(m, &b->stms.at[i]);
}

Active varied_in(const Lambda *l, const bool *param_active)
{
	Active a = {NEW_ARRAY(uint8_t, n_vars), n_vars};
	Set varied = {a.marks, ACTIVE_VARIED};
	for (int i = 0; i < l->params.len; i++)
		add_if(&varied, l->params.at[i], param_active[i]);
	vary_body(&varied, &l->body);
	return a;
}

Active active_in(const Lambda *l, const bool *param_active)
{
	Active a = varied_in(l, param_active);
	Set useful = {a.marks, ACTIVE_USEFUL};
	use_all(&useful, l->body.res);
	use_body(&useful, &l->body);
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
		add_if(&m, s->fn->params.at[i], s->args[i]);
	vary_body(&m, &s->fn->body);
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
