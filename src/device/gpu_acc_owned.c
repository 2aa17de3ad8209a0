// Determines which accumulator elements are updated by a single thread of a kernel, and which rows
// have elements of their own.
//
// Note [Owned].  If the indices of all updates of an accumulator contain the counters of all loops
// of the nest, possibly plus offsets that are invariant across threads, no element is updated by
// many threads (nor if #[few] says so), and no copies are made.  If the indices are the same in
// all updates, no two threads update the same element: such updates are #[owned].  Likewise those
// that one thread of a block does, with the counter of the blocks.
//
// Note [Segments].  If the first indices of all updates are the counters of the outermost loops,
// each row of those, called a segment, has elements of its own (as in a map of histograms).  A
// thread block then has copies for one segment, without these dimensions; several blocks may share
// a segment.
//
// Requires and ensures: see gpu_acc_local.c.
#include "device/gpu_acc.h"

const AccInput *acc_input_of(const Local *l, Var v)
{
	Type t = vars[v.id].type;
	if (t.kind != T_ACC || map_has(&l->owned, var_key(t.acc->token)))
		return NULL;
	const AccInput *in = map_get(&l->inputs, var_key(t.acc->token));
	return in && in->op ? in : NULL;
}

// ---- Which kernels ----

bool is_kernel_of_threads(const Stm *s)
{
	return s->exp->form == E_loop && has_attr(s->attrs, ATTR_KERNEL);
}

Nest nest_of(const Stm *s)
{
	Nest n = {.loops = {s}, .n = 1};
	while (n.n < MOST_LEVELS) {
		Stms in = n.loops[n.n - 1]->exp->loop.body.stms;
		if (!in.len || !is_kernel_of_threads(&in.at[in.len - 1]))
			break;
		n.loops[n.n++] = &in.at[in.len - 1];
	}
	return n;
}

bool is_whole(const Nest *n)
{
	const Stm *last = n->loops[n->n - 1];
	Stms in = last->exp->loop.body.stms;
	if (in.len && is_kernel_of_threads(&in.at[in.len - 1]))
		return false;
	for (int i = 0; i < n->n; i++) {        // each gives just what the next one does
		const Exp *e = n->loops[i]->exp;
		if (i + 1 < n->n)
			for (int k = 0; k < e->loop.body.res.len; k++)
				if (!sub_eq(e->loop.body.res.at[k],
				            sub_var(n->loops[i + 1]->pat.at[k])))
					return false;
	}
	return true;
}

// ---- Elements that only one thread updates ----

typedef struct {
	const Nest *nest;
	Map defs;                               // variable -> Exp *: additions in the nest
	Var token;
	int at[MOST_LEVELS];                    // the places of the counters, -1: not known yet
	Sub idx[MOST_LEVELS];                   // ... and what stands there
	bool owned;                             // at the same places by all updates
	bool spread;                            // the counters are there, at any rate
	int lead;                               // of the first loops, in order, at the first places
	bool rows;                              // the innermost one is at the last place
	bool shared;                            // several threads of a block are here
} Updates;

// i, or i plus something that is the same for all threads.
static bool counts(const Updates *u, Sub x, Var counter)
{
	if (sub_eq(x, sub_var(counter)))
		return true;
	const Exp *e = x.kind == S_VAR ? map_get(&u->defs, var_key(x.var)) : NULL;
	if (!e)
		return false;
	for (int k = 0; k < 2; k++) {
		Sub other = e->prim.x[1 - k];
		if (sub_eq(e->prim.x[k], sub_var(counter)) &&
		    (other.kind == S_CONST || !map_has(&u->defs, var_key(other.var))))
			return true;
	}
	return false;
}

// Everything that the nest binds is in defs; additions with what they add.
static void note_definitions(Updates *u)
{
	for (int d = 0; d < u->nest->n; d++) {
		const Exp *loop = u->nest->loops[d]->exp;
		map_put(&u->defs, var_key(loop->loop.i), NULL);
		for EACH(Stm, s, loop->loop.body.stms)
			for EACH(Var, x, s->pat) {
				Exp *e = s->exp;
				bool sum = e->form == E_prim && e->prim.op == P_add;
				map_put(&u->defs, var_key(*x), sum ? e : NULL);
			}
	}
}

static void note_lead(Updates *u, Subs idx)
{
	int n = 0;
	while (n < u->lead && n + 1 < idx.len &&
	       sub_eq(idx.at[n], sub_var(u->nest->loops[n]->exp->loop.i)))
		n++;
	u->lead = n;
}

static void note_update(Updates *u, Subs idx, bool few)
{
	note_lead(u, idx);
	u->rows &= u->nest->n > 1 && idx.len &&
	           counts(u, idx.at[idx.len - 1], u->nest->loops[u->nest->n - 1]->exp->loop.i);
	for (int d = 0; d < u->nest->n; d++) {
		int at = idx.len;
		while (at-- > 0)
			if (counts(u, idx.at[at], u->nest->loops[d]->exp->loop.i))
				break;
		u->spread &= at >= 0 || few;
		u->owned &= at >= 0 && (u->at[d] < 0 ||
			(u->at[d] == at && sub_eq(u->idx[d], idx.at[at])));
		u->at[d] = at;
		u->idx[d] = at >= 0 ? idx.at[at] : sub_i64(0);
	}
}

static void look_at_updates(Visit *v, Body *b)
{
	Updates *u = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool shared = u->shared;
		u->shared |= has_attr(s->attrs, ATTR_THREADS) && !sub_eq(e->loop.n, sub_i64(1));
		if (form_has(e->form, FORM_NEST))
			exp_walk(s->exp, v);
		u->shared = shared;
		if (e->form == E_call)
			for EACH(Sub, x, e->call.args)
				if (sub_type(*x).kind == T_ACC) {
					u->owned = false;
					u->lead = 0;
				}
		if (e->form == E_upd_acc && sub_type(e->upd_acc.acc).acc->token.id == u->token.id)
			note_update(u, e->upd_acc.idx, has_attr(s->attrs, ATTR_FEW) ||
			                               has_attr(s->attrs, ATTR_OWNED));
		u->owned &= e->form != E_upd_acc || !u->shared;
	}
}

bool is_kernel_of_blocks(const Stm *s)
{
	return s->exp->form == E_loop && has_attr(s->attrs, ATTR_BLOCKS);
}

void find_owned(Local *l, const Nest *nest)
{
	const Exp *e = nest->loops[0]->exp;
	l->owned = (Map){0};
	l->lead = nest->n - 1;
	l->rows = true;
	for EACH(Var, p, e->loop.params) {
		if (!acc_input_of(l, *p))
			continue;
		Updates u = {.nest = nest, .token = vars[p->id].type.acc->token, .owned = true,
		             .spread = true, .lead = l->lead, .rows = l->rows};
		note_definitions(&u);
		for (int d = 0; d < MOST_LEVELS; d++)
			u.at[d] = -1;
		Visit v = {.body = look_at_updates, .ctx = &u};
		exp_walk(e, &v);
		if (u.owned || u.spread) {
			map_put(&l->owned, var_key(u.token), NEW(bool, u.owned));
		} else {
			l->lead = u.lead;
			l->rows = u.rows;
		}
	}
}

static void mark_body(Visit *v, Body *b)
{
	Local *l = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
		const bool *only = s->exp->form != E_upd_acc ? NULL : map_get(&l->owned,
			var_key(sub_type(s->exp->upd_acc.acc).acc->token));
		if (only && *only)
			s->attrs = with_attr(s->attrs, ATTR_OWNED);
	}
}

Exp *mark_owned(Local *l, Exp *e)
{
	Visit v = {.body = mark_body, .copy = true, .ctx = l};
	return exp_visit(e, &v);
}
