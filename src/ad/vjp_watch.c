// Rewrites reads of arrays whose needed values are never overwritten (vjp_intact.c) as reads of the
// final array.  In checked mode, verifies the promise of #[true_dep]:
//
//     x = index a [i]          x = index a [i]         a: its state in this iteration
//                              y = index last [i]      last: its final state
//                              assert (x == y) ".."
//
// So are arrays that are read as a whole, by maps, copies, views and concatenations.
#include "ad/vjp.h"
#include "opt/checked.h"

static const Watched *watched(const Vjp *v, Var x)
{
	return map_get(&v->watched, var_key(x));
}

static void assert_all_same(Build *b, Sub was, Sub last)
{
	MsgVec m = {0};
	int from = b_len(b);
	msg_say(&m, "An array with #[true_dep] is overwritten after it was read");
	if (sub_type(was).dims.len == 1) {
		msg_say(&m, " at [");
		msg_show(&m, b_first_different(b, sub_type(was).dims.at[0], was, last));
		msg_say(&m, "]");
	}
	msg_say(&m, ".");
	b_assert(b, b_same(b, was, last), msg_of(m));
	mark_checks(b, from);
}

void rev_watched(Vjp *v, const Stm *s)
{
	if (s->exp->form != E_screma)
		return;
	for (int i = 0; i < s->exp->screma.arrs.len; i++) {
		const Watched *w = watched(v, s->exp->screma.map->params.at[i]);
		if (w)
			assert_all_same(v->b, ret_sub(v, s->exp->screma.arrs.at[i]), w->last);
	}
}

void emit_watched(Vjp *v, Copier *k, const Stm *s)
{
	const Exp *e = s->exp;
	for (int i = 0; e->form == E_screma && i < e->screma.arrs.len; i++) {
		const Watched *all = watched(v, e->screma.map->params.at[i]);
		if (all)
			assert_all_same(v->b, copied(k, e->screma.arrs.at[i]), all->last);
	}
	const Watched *w = s->pat.len == 1 ? watched(v, s->pat.at[0]) : NULL;
	if (w && w->whole)
		assert_all_same(v->b, copied(k, w->then), w->last);
	if (!w || w->whole)
		return;
	Build *b = v->b;
	Slices at = SLICE_DUP(Slices, w->at);
	Subs idx = {NEW_ARRAY(Sub, at.len + 1), 0};
	for EACH(DimSlice, d, at) {
		d->start = idx.at[idx.len++] = copied(k, d->start);
		if (!d->fixed) {
			d->len = copied(k, d->len);
			d->step = copied(k, d->step);
		}
	}
	int from = b_len(b);
	Sub was = copied(k, sub_var(s->pat.at[0])), is = b_slice(b, w->last, at);
	MsgVec m = {0};
	msg_say(&m, "An array with #[true_dep] is overwritten after it was read at [");
	msg_list(&m, idx);
	msg_say(&m, "]");
	if (type_is_scalar(sub_type(was))) {
		msg_say(&m, ": that was ");
		msg_show(&m, was);
		msg_say(&m, ", and is ");
		msg_show(&m, is);
		msg_say(&m, " after the loop");
	}
	msg_say(&m, ".");
	b_assert(b, b_same(b, was, is), msg_of(m));
	mark_checks(b, from);
}

typedef struct { const Vjp *v; bool found; } Search;

static void look_for_watched(Visit *vis, Var *x)
{
	Search *q = vis->ctx;
	q->found |= watched(q->v, *x) != NULL;
}

bool has_watched(const Vjp *v, const Stm *s)
{
	Search q = {v, false};
	Visit vis = {.bind = look_for_watched, .ctx = &q};
	if (checks_wanted & CHECKS_ATTRIBUTES)
		stm_walk(s, &vis);
	return q.found;
}

// ---- Stored values in the forward sweep ----

const Settled *stored_in(Vjp *v, const Stm *s)
{
	const Settled *x = s->pat.len == 1 ? map_get(&v->settled, var_key(s->pat.at[0])) : NULL;
	return x && x->cell ? x : NULL;
}

void emit_stored(Vjp *v, Copier *k, const Stm *s, const Settled *x)
{
	Subs idx = {NEW_ARRAY(Sub, x->at.len + 1), x->at.len};
	for (int i = 0; i < idx.len; i++) {
		idx.at[i] = copied(k, x->at.at[i].start);
		if (x->at.at[i].len.kind == S_VAR)
			idx.at[i] = b_add(v->b, idx.at[i], copied(k, x->at.at[i].len));
	}
	b_stm(v->b, vars_of(1, fwd_var(v, s->pat.at[0]).var), EXP(index, x->array, idx));
}
