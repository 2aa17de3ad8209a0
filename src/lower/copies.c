// Inserts copies that consumption requires.
//
// The type checker has shown that the in-place updates of the program are safe.  But lowering makes
// some arrays share memory that the language keeps apart: a zip creates no new array here, nor does
// a function that returns an argument unchanged as a unique result.  This pass analyses memory as
// the core checker does (core/consume.h) and, where the checker would complain, consumes a copy
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
#include "core/consume.h"
#include "lower/lower_internal.h"

typedef struct {
	Map copy;                       // const Sub *: an operand or result to be copied
	bool changed;                   // something was found that earlier statements depend on
	bool stale;                     // a parameter became unique: memory is not what it seems
} Pass;

// ---- What is copied ----

static void mark_copy(Pass *p, const Sub *slot)
{
	if (!p->stale && !map_has(&p->copy, slot)) {
		map_put(&p->copy, slot, p);
		p->changed = true;
	}
}

// What was consumed is used after all: the consumer gets a copy.
static void used_after(Consume *u, Sub s, const Root *root)
{
	(void)s;
	mark_copy(u->ctx, root->by);
}

// A loop parameter whose memory is consumed by the body becomes unique, which changes
// what its memory is: the function is gone through again, and no copy decided on before that.
static bool make_unique(Consume *u, Roots roots)
{
	Pass *p = u->ctx;
	for EACH(int, r, roots) {
		const Root *root = &u->roots.at[*r];
		if (!root->is_param || root->level + 1 != u->level)
			continue;
		vars[root->var.id].type.unique = true;
		p->changed = p->stale = true;
		return true;
	}
	return false;
}

static bool is_consumed(Consume *u, const Sub *slot, Roots roots)
{
	if (make_unique(u, roots))
		return false;
	for EACH(int, r, roots)
		if (u->roots.at[*r].level < u->level) {
			mark_copy(u->ctx, slot);
			return false;
		}
	return true;
}

static void shares(Consume *u, const Sub *result, int i, const Root *root, int j)
{
	(void)i, (void)root, (void)j;
	mark_copy(u->ctx, result);
}

// Results that are none of the arguments; those of entry points have no callers here.
static void own_results(Consume *u, const Fun *f, RootSets res)
{
	Pass *p = u->ctx;
	for (int i = 0; i < f->res.len && !f->entry; i++) {
		Type *t = &vars[f->res.at[i].id].type;
		bool own = !t->unique && type_is_array(*t);
		for EACH(int, r, res.at[i])
			own &= u->roots.at[*r].level >= u->level;
		t->unique |= own;
		p->changed |= own;
	}
}

static void go_fun(Consume *u, Fun *f)
{
	Pass *p = u->ctx;
	p->changed = p->stale = false;
	RootSets res = consume_fun(u, f);
	if (!p->stale)
		own_results(u, f, res);
	consume_results(u, f->res, &f->body, res);
}

// ---- Rewriting ----

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
	Pass p = {0};
	Consume u = {.gone = used_after, .may = is_consumed, .shared = shares,
	             .fresh = &p.copy, .lasting = true, .ctx = &p,
	             .of = NEW_ARRAY(Roots, n_vars + 1)};
	for EACH(Fun *, f, prog->funs) {
		Visit prepare = {.body = prepare_body};
		prepare_body(&prepare, &(*f)->body);
		p.copy = (Map){0};
		do
			go_fun(&u, *f);
		while (p.changed);
		Visit rewrite = {.body = rewrite_body, .ctx = &p};
		if (p.copy.len)
			rewrite_body(&rewrite, &(*f)->body);
	}
}
