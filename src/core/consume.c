// Roots of arrays and what consumes them: see consume.h.
#include "core/consume.h"

#include <stdlib.h>

static RootSets use_body(Consume *, const Body *);

// ---- Sets of roots ----

static bool is_tracked(Type t)
{
	return t.kind == T_ACC || (t.kind == T_DATA && t.dims.len > 0);
}

Roots consume_roots(const Consume *u, Sub s)
{
	return s.kind == S_VAR && is_tracked(vars[s.var.id].type) ? u->of[s.var.id] : (Roots){0};
}

static int new_root(Consume *u, Var var)
{
	VEC_PUSH(&u->roots, (Root){.level = u->level, .var = var,
	                           .is_acc = vars[var.id].type.kind == T_ACC});
	return u->roots.len - 1;
}

static void bind_fresh(Consume *u, Var v)
{
	if (is_tracked(vars[v.id].type))
		u->of[v.id] = (Roots){NEW(int, new_root(u, v)), 1};
}

// What is there before the function is called, and after.
static void bind_lasting(Consume *u, Var v)
{
	bind_fresh(u, v);
	for EACH(int, r, u->of[v.id])
		u->roots.at[*r].level = 0;
}

// An alias at this level: what came about further inside belongs here from now on.
static void bind_alias(Consume *u, Var v, Roots roots)
{
	Type t = vars[v.id].type;
	if (t.kind == T_ACC) {
		bind_fresh(u, v);
	} else if (is_tracked(t)) {
		for EACH(int, r, roots)
			if (u->roots.at[*r].level > u->level)
				u->roots.at[*r].level = u->level;
		u->of[v.id] = roots;
	}
}

static void bind_all_fresh(Consume *u, Vars vs)
{
	for EACH(Var, v, vs)
		bind_fresh(u, *v);
}

// ---- Using and consuming ----

static void use_sub(Consume *u, Sub s)
{
	Roots roots = consume_roots(u, s);
	for EACH(int, r, roots)
		if (u->roots.at[*r].by)
			u->gone(u, s, &u->roots.at[*r]);
}

static bool is_fresh(const Consume *u, const Sub *s)
{
	return u->fresh && map_has(u->fresh, s);
}

static void consume(Consume *u, const Sub *s)
{
	use_sub(u, *s);
	Roots roots = consume_roots(u, *s);
	if (is_fresh(u, s) || !u->may(u, s, roots))
		return;
	for EACH(int, r, roots) {
		u->roots.at[*r].by = s;
		VEC_PUSH(&u->consumed, (struct Consumed){*r, s});
	}
}

static void use_operand(Visit *v, Sub *s)
{
	if (sub_is_acc(*s))
		consume(v->ctx, s);
	else
		use_sub(v->ctx, *s);
}

static void use_again(Visit *v, Sub *s)
{
	Consume *u = v->ctx;
	if (sub_is_acc(*s))
		return;
	for EACH(const Sub *, p, u->slots)
		if (*p == s)
			return;
	use_sub(u, *s);
}

// Operands are used, then some of them consumed; the others must have survived that.
static void use_operands(Consume *u, Exp *e)
{
	Visit first = {.sub = use_operand, .flat = true, .ctx = u};
	exp_visit(e, &first);
	u->slots.len = 0;
	exp_consumes(e, &u->slots);
	if (!u->slots.len)
		return;
	for EACH(const Sub *, s, u->slots)
		if (!sub_is_acc(**s)) // all uses of these consume them
			consume(u, *s);
	Visit again = {.sub = use_again, .flat = true, .ctx = u};
	exp_visit(e, &again);
}

// ---- Lambdas, branches, loops ----

static void wrong(Consume *u, const char *what)
{
	if (u->wrong)
		u->wrong(u, what);
}

static void want_accs_used(Consume *u, int from)
{
	for (int r = from; r < u->roots.len; r++)
		if (u->roots.at[r].is_acc && !u->roots.at[r].by)
			wrong(u, text("the accumulator %s is dropped",
			              show_sub(sub_var(u->roots.at[r].var))));
}

// Parameters that are not unique alias the arguments (none: they alias nothing visible, but
// belong to the outside).
static RootSets use_lambda(Consume *u, const Lambda *l, Subs args)
{
	if (!l)
		return (RootSets){0};
	int from = u->roots.len;
	for (int i = 0; i < l->params.len; i++) {
		Var p = l->params.at[i];
		Type t = vars[p.id].type;
		u->level += t.unique || t.kind == T_ACC;
		if (t.unique || t.kind == T_ACC || i >= args.len)
			bind_fresh(u, p);
		else
			bind_alias(u, p, consume_roots(u, args.at[i]));
		u->level -= t.unique || t.kind == T_ACC;
	}
	u->level++;
	RootSets res = use_body(u, &l->body);
	u->level--;
	want_accs_used(u, from);
	return res;
}

static void use_operator(Consume *u, const Lambda *op)
{
	use_lambda(u, op, (Subs){0});
}

static int ascending(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

// The accumulators from before the branch that it consumed, since `mark` in the log.
static Roots outer_accs(const Consume *u, int mark, int n_roots)
{
	Roots out = {NEW_ARRAY(int, u->consumed.len - mark + 1), 0};
	for (int i = mark; i < u->consumed.len; i++)
		if (u->consumed.at[i].root < n_roots && u->roots.at[u->consumed.at[i].root].is_acc)
			out.at[out.len++] = u->consumed.at[i].root;
	qsort(out.at, (size_t)out.len, sizeof *out.at, ascending);
	int n = 0; // each once: branches inside of the branch all log theirs
	for (int i = 0; i < out.len; i++)
		if (i == 0 || out.at[i] != out.at[i - 1])
			out.at[n++] = out.at[i];
	out.len = n;
	return out;
}

typedef struct { RootSets res; Roots accs; bool started; } Branches;

// Runs a branch from the state before all of them: what it consumes is forgotten until
// the branches join, but stays in the log.
static void use_branch(Consume *u, const Body *b, Branches *all)
{
	int mark = u->consumed.len, from = u->roots.len;
	RootSets res = use_body(u, b);
	want_accs_used(u, from);
	Roots accs = outer_accs(u, mark, from);
	for (int i = mark; i < u->consumed.len; i++)
		u->roots.at[u->consumed.at[i].root].by = NULL;
	if (!all->started) {
		*all = (Branches){res, accs, true};
		return;
	}
	if (accs.len != all->accs.len ||
	    (accs.len && memcmp(accs.at, all->accs.at, (size_t)accs.len * sizeof *accs.at)))
		wrong(u, "an accumulator is used in one branch and not in the other");
	for (int i = 0; i < res.len; i++)
		all->res.at[i] = roots_unite(all->res.at[i], res.at[i]);
}

static void count_results(Consume *u, RootSets res)
{
	u->joins++;
	for EACH(Roots, set, res)
		for EACH(int, r, *set) {
			Root *root = &u->roots.at[*r];
			if (root->join != u->joins) {
				root->join = u->joins;
				root->results = root->renewed = 0;
			}
			root->results++;
		}
}

// The roots of one result.  Those that came about in the branches (from `first` on) and are of
// no other result count as one, so that sets do not grow with the number of branches.
static Roots joined(Consume *u, int first, Roots set)
{
	Roots kept = {NEW_ARRAY(int, set.len), 0}, fresh = {NEW_ARRAY(int, set.len), 0};
	int own = 0;
	for EACH(int, r, set) {
		const Root was = u->roots.at[*r];
		if (was.is_acc || (!was.by && (*r < first || was.results > 1))) {
			kept.at[kept.len++] = *r;
		} else if (!was.by) {
			own = own ? own : new_root(u, was.var);
		} else {
			int to = was.renewed ? was.renewed : new_root(u, was.var);
			u->roots.at[*r].renewed = to;
			fresh.at[fresh.len++] = to;
		}
	}
	qsort(fresh.at, (size_t)fresh.len, sizeof *fresh.at, ascending);
	Roots out = roots_unite(kept, fresh);
	return own ? roots_unite(out, (Roots){NEW(int, own), 1}) : out;
}

// What one branch consumed and another one gives back belongs to the results from now on:
// there it is a new piece of memory.
static void join_branches(Consume *u, int mark, int first, RootSets res)
{
	for (int i = mark, n = u->consumed.len; i < n; i++)
		u->roots.at[u->consumed.at[i].root].by = u->consumed.at[i].by;
	count_results(u, res);
	for EACH(Roots, set, res)
		*set = joined(u, first, *set);
}

static void use_choice(Consume *u, const Stm *s)
{
	Branches all = {0};
	int mark = u->consumed.len, first = u->roots.len;
	for (int i = 0; i < n_branches(s->exp); i++)
		use_branch(u, branch_at(s->exp, i), &all);
	join_branches(u, mark, first, all.res);
	for (int i = 0; i < s->pat.len; i++)
		bind_alias(u, s->pat.at[i], all.res.at[i]);
}

void consume_results(Consume *u, Vars places, const Body *b, RootSets res)
{
	for (int i = 0; i < places.len; i++) {
		Type t = vars[places.at[i].id].type;
		const Sub *result = &b->res.at[i];
		if (!t.unique || !is_tracked(t) || is_fresh(u, result))
			continue;
		for EACH(int, r, res.at[i])
			if (u->roots.at[*r].level < u->level)
				u->shared(u, result, i, &u->roots.at[*r], -1);
		for (int j = 0; j < places.len; j++)
			if (j != i && !is_fresh(u, &b->res.at[j]) &&
			    !roots_disjoint(res.at[i], res.at[j]))
				u->shared(u, result, i, NULL, j);
	}
}

static void use_loop(Consume *u, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->loop.params.len, from = u->roots.len;
	RootSets may = {n ? NEW_ARRAY(Roots, n) : NULL, n};
	int *marker = NEW_ARRAY(int, n);
	for (int i = 0; i < n; i++) {
		Var p = e->loop.params.at[i];
		Type t = vars[p.id].type;
		bool own = t.unique || t.kind == T_ACC;
		marker[i] = -1;
		u->level += own;
		bind_fresh(u, p);
		u->level -= own;
		if (own || !is_tracked(t))
			continue;
		may.at[i] = consume_roots(u, e->loop.inits.at[i]);
		marker[i] = u->of[p.id].at[0];
		u->roots.at[marker[i]].is_param = true;
		u->of[p.id] = roots_unite(u->of[p.id], may.at[i]);
	}
	u->level++;
	RootSets res = use_body(u, &e->loop.body);
	consume_results(u, e->loop.params, &e->loop.body, res);
	u->level--;
	want_accs_used(u, from);
	for (int i = 0; i < n; i++)
		may.at[i] = roots_unite(may.at[i], res.at[i]);
	roots_close_loop(may, res, marker, n);
	for (int i = 0; i < n; i++) {
		Type t = vars[e->loop.params.at[i].id].type;
		if (t.unique || t.kind == T_ACC)
			bind_fresh(u, s->pat.at[i]);
		else
			bind_alias(u, s->pat.at[i], may.at[i]);
	}
}

static void use_call(Consume *u, const Stm *s)
{
	const Fun *f = s->exp->call.fn;
	Roots args = {0};
	for (int i = 0; i < f->params.len; i++)
		if (!vars[f->params.at[i].id].type.unique)
			args = roots_unite(args, consume_roots(u, s->exp->call.args.at[i]));
	for (int i = 0; i < s->pat.len; i++) {
		if (u->lasting && has_attr(f->attrs, ATTR_CONSTANT))
			bind_lasting(u, s->pat.at[i]);
		else if (vars[f->res.at[i].id].type.unique || !args.len)
			bind_fresh(u, s->pat.at[i]);
		else
			bind_alias(u, s->pat.at[i], args);
	}
}

static void use_withacc(Consume *u, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->withacc.inputs.len, at = 0;
	for EACH(AccInput, in, e->withacc.inputs)
		use_operator(u, in->op);
	// The function runs once, so it may use accumulators from around it.
	int from = u->roots.len;
	bind_all_fresh(u, e->withacc.fn->params);
	RootSets res = use_body(u, &e->withacc.fn->body);
	want_accs_used(u, from);
	for EACH(AccInput, in, e->withacc.inputs)
		for (int i = 0; i < in->arrs.len; i++)
			bind_fresh(u, s->pat.at[at++]);
	for (int i = n; i < res.len; i++)
		bind_alias(u, s->pat.at[at++], res.at[i]);
}

static void use_with_vjp(Consume *u, const Stm *s)
{
	const Exp *e = s->exp;
	RootSets res = use_lambda(u, e->with_vjp.fn, e->with_vjp.args);
	use_lambda(u, e->with_vjp.bwd, (Subs){0});
	for (int i = 0; i < s->pat.len; i++)
		bind_alias(u, s->pat.at[i], res.at[e->with_vjp.n_tape + i]);
}

static void use_passed(Consume *u, const Stm *s, Subs xs)
{
	for (int i = 0; i < s->pat.len; i++)
		bind_alias(u, s->pat.at[i], consume_roots(u, xs.at[i]));
}

// ---- Statements ----

// Nested bodies, and what the pattern aliases.
static void use_results(Consume *u, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_atom: use_passed(u, s, subs_of(1, e->atom.x)); return;
	case E_slice: use_passed(u, s, subs_of(1, e->slice.arr)); return;
	case E_reshape: use_passed(u, s, subs_of(1, e->reshape.arr)); return;
	case E_rearrange: use_passed(u, s, subs_of(1, e->rearrange.arr)); return;
	case E_trace: use_passed(u, s, e->trace.xs); return;
	case E_opaque: use_passed(u, s, e->opaque.xs); return;
	case E_if_: case E_match: use_choice(u, s); return;
	case E_loop: use_loop(u, s); return;
	case E_call: use_call(u, s); return;
	case E_withacc: use_withacc(u, s); return;
	case E_with_vjp: use_with_vjp(u, s); return;
	case E_screma:
		use_lambda(u, e->screma.map, e->screma.arrs);
		for EACH(Reduction, r, e->screma.scans)
			use_operator(u, r->op);
		for EACH(Reduction, r, e->screma.reds)
			use_operator(u, r->op);
		break;
	case E_hist:
		for EACH(HistOp, op, e->hist.ops)
			use_operator(u, op->op);
		use_lambda(u, e->hist.map, e->hist.arrs);
		break;
	case E_scatter: case E_flatmap: use_lambda(u, *soac_fn(e), e->soac.arrs); break;
	case E_jvp: use_lambda(u, e->jvp.fn, e->jvp.args); break;
	case E_vjp: use_lambda(u, e->vjp.fn, e->vjp.args); break;
	case E_prim: case E_convert: case E_index: case E_update: case E_concat: case E_iota:
	case E_replicate: case E_scratch: case E_copy: case E_array: case E_upd_acc: case E_assert_:
	case E_alloc: case E_release: case N_FORM:
		break;
	}
	bind_all_fresh(u, s->pat);
}

// The roots of the results.
static RootSets use_body(Consume *u, const Body *b)
{
	const Stm *outer = u->stm;
	for EACH(Stm, s, b->stms) {
		u->stm = s;
		use_operands(u, s->exp);
		use_results(u, s);
	}
	u->stm = outer;
	RootSets res = {b->res.len ? NEW_ARRAY(Roots, b->res.len) : NULL, b->res.len};
	for (int i = 0; i < res.len; i++) {
		res.at[i] = consume_roots(u, b->res.at[i]);
		Visit v = {.ctx = u};
		use_operand(&v, &b->res.at[i]);
	}
	return res;
}

void consume_end(Consume *u)
{
	want_accs_used(u, 0);
}

// Parameters that are not unique belong to the caller, level 0; the body is level 1.
RootSets consume_fun(Consume *u, const Fun *f)
{
	u->roots.len = u->consumed.len = u->joins = 0;
	for EACH(Var, p, f->params) {
		u->level = vars[p->id].type.unique || vars[p->id].type.kind == T_ACC;
		bind_fresh(u, *p);
	}
	u->level = 1;
	return use_body(u, &f->body);
}
