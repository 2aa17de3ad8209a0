// Inserts copies that consumption requires.
//
// The type checker has shown that the in-place updates of the program are safe.  But lowering makes
// some arrays share memory that the language keeps apart: a zip creates no new array here, nor does
// a function that returns an argument unchanged as a unique result.  This pass analyses memory as
// the core checker does (core/check_use.c) and, where the checker would complain, consumes a copy
// instead:
//
//     let ps = zip as bs                         as is part of ps
//     let ps[0] = (1, 2) in (ps, as)             update (copy as) [0] 1
//
// Results that a function has created itself are unique, whatever the program declares: callers
// treat the results of one call as different arrays unless they come from arguments.
//
// Loop parameters are unique if and only if the body consumes them.  Each function is analysed
// until a fixed point is reached; the sets only grow.
#include "core/roots.h"
#include "lower/lower_internal.h"

typedef struct { int level; const Sub *by; } Root;      // by: where it was consumed, NULL if not

typedef struct {
	VEC(Root) roots;
	Roots *of;                      // by variable
	Map params;                     // root of a loop parameter -> the parameter
	int level;
	VEC(int) consumed;              // log of consumed roots, for branches
	Map copy;                       // const Sub *: an operand or result to be copied
	bool changed;                   // something was found that earlier statements depend on
	bool stale;                     // a parameter became unique: memory is not what it seems
} Pass;

static RootSets go_body(Pass *, Body *);

// ---- Sets of roots ----

static Roots roots_of(const Pass *p, Sub s)
{
	return s.kind == S_VAR && type_is_array(vars[s.var.id].type) ? p->of[s.var.id] : (Roots){0};
}

// Roots as keys of maps.
static void *root_key(int root)
{
	return (void *)(uintptr_t)(root + 1);
}

static int new_root(Pass *p)
{
	VEC_PUSH(&p->roots, (Root){.level = p->level});
	return p->roots.len - 1;
}

static void bind_fresh(Pass *p, Var v)
{
	if (type_is_array(vars[v.id].type))
		p->of[v.id] = (Roots){NEW(int, new_root(p)), 1};
}

// What is there before the function is called, and after.
static void bind_lasting(Pass *p, Var v)
{
	bind_fresh(p, v);
	if (type_is_array(vars[v.id].type))
		p->roots.at[p->of[v.id].at[0]].level = 0;
}

static void bind_alias(Pass *p, Var v, Roots roots)
{
	if (!type_is_array(vars[v.id].type))
		return;
	for EACH(int, r, roots)
		if (p->roots.at[*r].level > p->level)
			p->roots.at[*r].level = p->level;
	p->of[v.id] = roots;
}

// ---- Using and consuming ----

static void mark_copy(Pass *p, const Sub *slot)
{
	if (!p->stale && !map_has(&p->copy, slot)) {
		map_put(&p->copy, slot, p);
		p->changed = true;
	}
}

// What was consumed is used after all: the consumer gets a copy.
static void use_sub(Pass *p, Sub s)
{
	Roots roots = roots_of(p, s);
	for EACH(int, r, roots)
		if (p->roots.at[*r].by)
			mark_copy(p, p->roots.at[*r].by);
}

// A loop parameter whose memory is consumed by the body becomes unique, which changes
// what its memory is: the function is gone through again, and no copy decided on before that.
static bool make_unique(Pass *p, Roots roots)
{
	for EACH(int, r, roots) {
		const Sub *param = map_get(&p->params, root_key(*r));
		if (!param || p->roots.at[*r].level + 1 != p->level)
			continue;
		vars[param->var.id].type.unique = true;
		p->changed = p->stale = true;
		return true;
	}
	return false;
}

static void consume(Pass *p, const Sub *slot)
{
	Roots roots = roots_of(p, *slot);
	if (map_has(&p->copy, slot) || make_unique(p, roots))
		return;
	for EACH(int, r, roots)
		if (p->roots.at[*r].level < p->level) {
			mark_copy(p, slot);
			return;
		}
	for EACH(int, r, roots) {
		p->roots.at[*r].by = slot;
		VEC_PUSH(&p->consumed, *r);
	}
}

// ---- Operands ----

// Operands are known by their addresses, so those that may be consumed are not shared.
static void unshare(Exp *e)
{
	if (e->form == E_loop)
		e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	if (e->form == E_call)
		e->call.args = SLICE_DUP(Subs, e->call.args);
	if (e->form == E_hist)
		for EACH(HistOp, op, e->hist.ops)
			op->dests = SLICE_DUP(Subs, op->dests);
	if (e->form == E_withacc)
		for EACH(AccInput, in, e->withacc.inputs)
			in->arrs = SLICE_DUP(Subs, in->arrs);
}

static void use_operand(Visit *v, Sub *s)
{
	use_sub(v->ctx, *s);
}

typedef struct { Pass *pass; Slots *slots; } Again;

static void use_again(Visit *v, Sub *s)
{
	Again *a = v->ctx;
	for EACH(const Sub *, slot, *a->slots)
		if (*slot == s)
			return;
	use_sub(a->pass, *s);
}

static void go_operands(Pass *p, Exp *e)
{
	Visit first = {.sub = use_operand, .flat = true, .ctx = p};
	exp_visit(e, &first);
	Slots slots = {0};
	exp_consumes(e, &slots);
	for EACH(const Sub *, s, slots) {
		use_sub(p, **s);
		consume(p, *s);
	}
	Again a = {p, &slots};
	Visit again = {.sub = use_again, .flat = true, .ctx = &a};
	if (slots.len)
		exp_visit(e, &again);
}

// ---- Lambdas, branches, loops ----

static RootSets go_lambda(Pass *p, Lambda *l, Subs args)
{
	for (int i = 0; i < l->params.len; i++) {
		if (i < args.len)
			bind_alias(p, l->params.at[i], roots_of(p, args.at[i]));
		else
			bind_fresh(p, l->params.at[i]);
	}
	p->level++;
	RootSets res = go_body(p, &l->body);
	p->level--;
	return res;
}

// What one branch consumes and another one gives back is new memory in the results.
static void renew_consumed(Pass *p, RootSets res)
{
	int *renewed = NEW_ARRAY(int, p->roots.len + 1);
	for EACH(Roots, set, res) {
		Roots out = {0};
		for EACH(int, r, *set) {
			int to = *r;
			if (p->roots.at[to].by) {
				if (!renewed[to])
					renewed[to] = new_root(p);
				to = renewed[to];
			}
			out = roots_unite(out, (Roots){NEW(int, to), 1});
		}
		*set = out;
	}
}

// A branch starts from the state before all of them; what each consumes counts after.
static void go_choice(Pass *p, const Stm *s)
{
	RootSets all = {0};
	int mark = p->consumed.len;
	Map by = {0};
	for (int i = 0; i < n_branches(s->exp); i++) {
		int from = p->consumed.len;
		Map mine = {0};
		RootSets res = go_body(p, branch_at(s->exp, i));
		for (int j = 0; j < res.len; j++)
			res.at[j] = roots_unite(res.at[j], all.len ? all.at[j] : (Roots){0});
		all = res;
		for (int j = from; j < p->consumed.len; j++) {
			Root *root = &p->roots.at[p->consumed.at[j]];
			if (root->by)
				map_put(&mine, root_key(p->consumed.at[j]), (void *)root->by);
			root->by = NULL;
		}
		for MAP_EACH(e, mine)
			map_put(&by, e->key, e->val);
	}
	p->consumed.len = mark;
	for MAP_EACH(e, by) {
		int r = (int)((uintptr_t)e->key - 1);
		p->roots.at[r].by = e->val;
		VEC_PUSH(&p->consumed, r);
	}
	renew_consumed(p, all);
	for (int i = 0; i < s->pat.len; i++)
		bind_alias(p, s->pat.at[i], all.at[i]);
}

// Results for unique places came about at this level or further in, and share nothing.
static void want_unique(Pass *p, Vars places, Body *b, RootSets res)
{
	for (int i = 0; i < places.len; i++) {
		Type t = vars[places.at[i].id].type;
		if (!t.unique || !type_is_array(t) || map_has(&p->copy, &b->res.at[i]))
			continue;
		bool shared = false;
		for EACH(int, r, res.at[i])
			shared |= p->roots.at[*r].level < p->level;
		for (int j = 0; j < places.len; j++)
			if (j != i && !map_has(&p->copy, &b->res.at[j]))
				shared |= !roots_disjoint(res.at[i], res.at[j]);
		if (shared)
			mark_copy(p, &b->res.at[i]);
	}
}

static void go_loop(Pass *p, const Stm *s)
{
	Exp *e = s->exp;
	int n = e->loop.params.len;
	RootSets may = {NEW_ARRAY(Roots, n), n};
	int *marker = NEW_ARRAY(int, n);
	for (int i = 0; i < n; i++) {
		Var v = e->loop.params.at[i];
		Type t = vars[v.id].type;
		marker[i] = -1;
		p->level += t.unique;
		bind_fresh(p, v);
		p->level -= t.unique;
		if (t.unique || !type_is_array(t))
			continue;
		may.at[i] = roots_of(p, e->loop.inits.at[i]);
		marker[i] = p->of[v.id].at[0];
		map_put(&p->params, root_key(marker[i]), NEW(Sub, .kind = S_VAR, .var = v));
		p->of[v.id] = roots_unite(p->of[v.id], may.at[i]);
	}
	p->level++;
	RootSets res = go_body(p, &e->loop.body);
	want_unique(p, e->loop.params, &e->loop.body, res);
	p->level--;
	for (int i = 0; i < n; i++)
		may.at[i] = roots_unite(may.at[i], res.at[i]);
	roots_close_loop(may, res, marker, n);
	for (int i = 0; i < n; i++) {
		if (vars[e->loop.params.at[i].id].type.unique)
			bind_fresh(p, s->pat.at[i]);
		else
			bind_alias(p, s->pat.at[i], may.at[i]);
	}
}

static void go_call(Pass *p, const Stm *s)
{
	const Fun *f = s->exp->call.fn;
	Roots args = {0};
	for (int i = 0; i < f->params.len; i++)
		if (!vars[f->params.at[i].id].type.unique)
			args = roots_unite(args, roots_of(p, s->exp->call.args.at[i]));
	for (int i = 0; i < s->pat.len; i++) {
		if (has_attr(f->attrs, ATTR_CONSTANT))
			bind_lasting(p, s->pat.at[i]);
		else if (vars[f->res.at[i].id].type.unique || !args.len)
			bind_fresh(p, s->pat.at[i]);
		else
			bind_alias(p, s->pat.at[i], args);
	}
}

static void go_with_vjp(Pass *p, const Stm *s)
{
	Exp *e = s->exp;
	RootSets res = go_lambda(p, e->with_vjp.fn, e->with_vjp.args);
	go_lambda(p, e->with_vjp.bwd, (Subs){0});
	for (int i = 0; i < s->pat.len; i++)
		bind_alias(p, s->pat.at[i], res.at[e->with_vjp.n_tape + i]);
}

// ---- Statements ----

static void pass_on(Pass *p, const Stm *s, Subs xs)
{
	for (int i = 0; i < s->pat.len; i++)
		bind_alias(p, s->pat.at[i], roots_of(p, xs.at[i]));
}

static void go_reductions(Pass *p, Reductions rs)
{
	for EACH(Reduction, r, rs)
		go_lambda(p, r->op, (Subs){0});
}

static void go_results(Pass *p, const Stm *s)
{
	Exp *e = s->exp;
	switch (e->form) {
	case E_atom:      pass_on(p, s, subs_of(1, e->atom.x)); return;
	case E_slice:     pass_on(p, s, subs_of(1, e->slice.arr)); return;
	case E_reshape:   pass_on(p, s, subs_of(1, e->reshape.arr)); return;
	case E_rearrange: pass_on(p, s, subs_of(1, e->rearrange.arr)); return;
	case E_trace:     pass_on(p, s, e->trace.xs); return;
	case E_opaque:    pass_on(p, s, e->opaque.xs); return;
	case E_if_:
		go_choice(p, s);
		return;
	case E_match:     go_choice(p, s); return;
	case E_loop:      go_loop(p, s); return;
	case E_call:      go_call(p, s); return;
	case E_with_vjp:  go_with_vjp(p, s); return;
	case E_screma:
		go_lambda(p, e->screma.map, e->screma.arrs);
		go_reductions(p, e->screma.scans);
		go_reductions(p, e->screma.reds);
		break;
	case E_hist:
		for EACH(HistOp, op, e->hist.ops)
			go_lambda(p, op->op, (Subs){0});
		go_lambda(p, e->hist.map, e->hist.arrs);
		break;
	case E_scatter:   go_lambda(p, e->scatter.map, e->scatter.arrs); break;
	case E_flatmap:   go_lambda(p, e->flatmap.map, e->flatmap.arrs); break;
	case E_jvp:       go_lambda(p, e->jvp.fn, e->jvp.args); break;
	case E_vjp:       go_lambda(p, e->vjp.fn, e->vjp.args); break;
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs)
			if (in->op)
				go_lambda(p, in->op, (Subs){0});
		go_lambda(p, e->withacc.fn, (Subs){0});
		break;
	case E_upd_acc: case E_alloc: case E_release: // the last two are not made by lowering
	case E_prim: case E_convert: case E_index: case E_update: case E_concat: case E_iota:
	case E_replicate: case E_scratch: case E_copy: case E_array: case E_assert_: case N_FORM:
		break;
	}
	for EACH(Var, v, s->pat)
		bind_fresh(p, *v);
}

static RootSets go_body(Pass *p, Body *b)
{
	for EACH(Stm, s, b->stms) {
		go_operands(p, s->exp);
		go_results(p, s);
	}
	RootSets res = {NEW_ARRAY(Roots, b->res.len), b->res.len};
	for (int i = 0; i < res.len; i++) {
		use_sub(p, b->res.at[i]);
		res.at[i] = roots_of(p, b->res.at[i]);
	}
	return res;
}

// Results that are none of the arguments; those of entry points have no callers here.
static void own_results(Pass *p, const Fun *f, RootSets res)
{
	for (int i = 0; i < f->res.len && !f->entry; i++) {
		Type *t = &vars[f->res.at[i].id].type;
		bool own = !t->unique && type_is_array(*t);
		for EACH(int, r, res.at[i])
			own &= p->roots.at[*r].level >= p->level;
		t->unique |= own;
		p->changed |= own;
	}
}

static void go_fun(Pass *p, Fun *f)
{
	p->roots.len = 0;
	p->consumed.len = 0;
	p->params = (Map){0};
	p->changed = p->stale = false;
	for EACH(Var, v, f->params) {
		p->level = vars[v->id].type.unique;
		bind_fresh(p, *v);
	}
	p->level = 1;
	RootSets res = go_body(p, &f->body);
	if (!p->stale)
		own_results(p, f, res);
	want_unique(p, f->res, &f->body, res);
}

// ---- Rewriting ----

static void prepare_body(Visit *v, Body *b)
{
	b->res = SLICE_DUP(Subs, b->res);
	for EACH(Stm, s, b->stms) {
		unshare(s->exp);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

static void copy_slot(const Pass *p, StmVec *out, const Stm *at, Sub *slot)
{
	if (!map_has(&p->copy, slot))
		return;
	Type t = type_plain(sub_type(*slot));
	Var v = var_new(name_of("copy"), t);
	VEC_PUSH(out, (Stm){.pat = vars_of(1, v), .where = at ? at->where : NULL,
	                    .exp = EXP(copy, *slot)});
	*slot = sub_var(v);
}

static void rewrite_body(Visit *v, Body *b)
{
	Pass *p = v->ctx;
	StmVec out = {0};
	for EACH(Stm, s, b->stms) {
		Slots slots = {0};
		exp_consumes(s->exp, &slots);
		for EACH(const Sub *, slot, slots)
			copy_slot(p, &out, s, (Sub *)*slot);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
		VEC_PUSH(&out, *s);
	}
	for EACH(Sub, r, b->res)
		copy_slot(p, &out, NULL, r);
	b->stms = VEC_SLICE(Stms, out);
}

void insert_copies(Prog *prog)
{
	Pass p = {.of = NEW_ARRAY(Roots, n_vars + 1)};
	for EACH(Fun *, f, prog->funs) {
		Visit prepare = {.body = prepare_body};
		prepare_body(&prepare, &(*f)->body);
		p.copy = (Map){0};
		do
			go_fun(&p, *f);
		while (p.changed);
		Visit rewrite = {.body = rewrite_body, .ctx = &p};
		if (p.copy.len)
			rewrite_body(&rewrite, &(*f)->body);
	}
}
