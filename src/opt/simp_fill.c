// Simplifies arrays that are filled sequentially, as by a filter.
//
//     let (k: i64) = if c then {e} else {-1}
//     let (in: bool) = 0 <= k and k < n
//     if in then {update o [k] v} else {o}       ->   if c then {update o [e] v} else {o}
//                                                     where c implies 0 <= e < n
//
//     loop (o: *[n]t = scratch, p: i64 = 0) for i: i64 < n do {
//       let (o1: [n]t) = if c then {update o [p] v} else {o}
//       let (d: i64) = if c then {1} else {0}
//       let (p1: i64) = add.i64 p d
//       in o1, p1
//     }                                          ->   let (o1: [n]t) = update o [p] v
//
// In the second rule, nothing at or after p has been written, and nothing there is read before it
// is written, so the element may be written unconditionally.  This avoids an unpredictable branch.
//
// Both rules need a bound of p: it is incremented by at most one in each iteration.
#include "opt/simplify.h"

// ---- Counters that go up now and then ----

static bool is_bit(Sub x)
{
	return is_int_const(x, 0) || is_int_const(x, 1);
}

// 0 or 1, by whether something holds.
static bool is_choice_of_bits(const Exp *e)
{
	return e && e->form == E_if_ && e->if_.yes.res.len == 1 && is_bit(e->if_.yes.res.at[0]) &&
	       is_bit(e->if_.no.res.at[0]);
}

static bool is_i64(Var v)
{
	return type_is_scalar(vars[v.id].type) && vars[v.id].type.elem == PT_I64;
}

// Is parameter k of a loop counted up by at most one in each iteration?
static bool is_sum(const Exp *e, int k)
{
	Var p = e->loop.params.at[k];
	if (!is_i64(p) || !is_i64(e->loop.i))
		return false;
	const Stm *st = stm_in(&e->loop.body, e->loop.body.res.at[k]);
	if (!st || st->exp->form != E_prim || st->exp->prim.op != P_add)
		return false;
	bool left = sub_eq(st->exp->prim.x[0], sub_var(p));
	Sub d = st->exp->prim.x[left];
	const Stm *by = stm_in(&e->loop.body, d);
	return (left || sub_eq(st->exp->prim.x[1], sub_var(p))) &&
	       (is_bit(d) || (by && is_choice_of_bits(by->exp)));
}

// Has a parameter of the loop that gives `arg` become a sum?
static bool is_sum_now(Counts *c, Var param, int arg)
{
	const Exp *e = c->of[arg].nest;
	for (int k = 0; e && e->form == E_loop && k < e->loop.params.len; k++)
		if (e->loop.params.at[k].id == param.id)
			return is_sum(e, k);
	return false;
}

void note_sums(Simp *s, const Stm *st)
{
	const Exp *e = st->exp;
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (is_sum(e, k))
			range_sum(&s->range, p, e->loop.inits.at[k], e->loop.i);
		else if (is_i64(p))
			s_watch(s, p, is_sum_now, (int)st->pat.at[k].id);
	}
}

// ---- Guarded writes ----

bool simp_fills(const Exp *e)
{
	return e->if_.yes.res.len == 1 && e->if_.yes.stms.len == 1 && !e->if_.no.stms.len;
}

// if .. then {update o [k] v} else {o}; the update, or NULL.
static const Exp *guarded_write(const Stm *st)
{
	const Exp *e = st->exp;
	const Body *yes = &e->if_.yes, *no = &e->if_.no;
	if (!simp_fills(e) || st->certs.len)
		return NULL;
	const Stm *w = &yes->stms.at[0];
	const Exp *u = w->exp;
	if (u->form != E_update || w->certs.len || u->update.at.len != 1 ||
	    !u->update.at.at[0].fixed || !sub_eq(yes->res.at[0], sub_var(w->pat.at[0])) ||
	    !sub_eq(no->res.at[0], u->update.arr))
		return NULL;
	return u;
}

static Exp *write_at(const Exp *u, Sub i)
{
	Exp *e = exp_dup(u);
	e->update.at = SLICE_DUP(Slices, u->update.at);
	e->update.at.at[0].start = i;
	return e;
}

// Does the condition hold whenever c does?
static bool follows(Simp *s, Sub c, Sub cond)
{
	int mark = range_mark(&s->range);
	VarVec certs = {0};
	range_assume(&s->range, c, true, (Var){0});
	bool ok = range_proves(&s->range, cond, &certs) && !certs.len;
	range_release(&s->range, mark);
	return ok;
}

// Is one of the parts of a conjunction that x is not negative?
static bool implies_not_negative(Simp *s, Sub cond, Sub x)
{
	const Exp *e = s_def_as(s, cond, E_prim);
	if (!e)
		return false;
	if (e->prim.op == P_and)
		return implies_not_negative(s, e->prim.x[0], x) ||
		       implies_not_negative(s, e->prim.x[1], x);
	return e->prim.op == P_le && is_int_const(e->prim.x[0], 0) && sub_eq(e->prim.x[1], x);
}

static void chosen_index(Simp *s, Stm *st)
{
	const Exp *u = guarded_write(st);
	const Exp *k = u ? s_def_as(s, u->update.at.at[0].start, E_if_) : NULL;
	if (!k || k->if_.yes.res.len != 1 || k->if_.yes.stms.len || k->if_.cond.kind != S_VAR)
		return;
	Sub no = k->if_.no.res.at[0];
	if (no.kind != S_CONST || no.val.i >= 0 ||
	    !implies_not_negative(s, st->exp->if_.cond, u->update.at.at[0].start) ||
	    !follows(s, k->if_.cond, st->exp->if_.cond) || !s_rewrite(s))
		return;
	Exp *e = exp_dup(st->exp);
	e->if_.cond = k->if_.cond;
	e->if_.yes.stms = SLICE_DUP(Stms, e->if_.yes.stms);
	e->if_.yes.stms.at[0].exp = write_at(u, k->if_.yes.res.at[0]);
	st->exp = e;
}

// ---- Writing ahead ----

static int param_index(const Exp *loop, Sub x)
{
	for (int i = 0; i < loop->loop.params.len; i++)
		if (x.kind == S_VAR && x.var.id == loop->loop.params.at[i].id)
			return i;
	return -1;
}

// Where the array is filled next: a parameter of the loop that begins as 0, goes up by one where c
// holds and not otherwise, and is the index where c holds.
static bool is_next(Simp *s, const Exp *loop, int j, Sub c, Sub index)
{
	Sub p = sub_var(loop->loop.params.at[j]);
	Sub next = s_subst(s, loop->loop.body.res.at[j]);
	const Exp *sum = s_def_as(s, next, E_prim);
	if (!is_int_const(loop->loop.inits.at[j], 0) || sub_type(p).elem != PT_I64 || !sum ||
	    sum->prim.op != P_add)
		return false;
	bool left = sub_eq(sum->prim.x[0], p);
	const Exp *d = s_def_as(s, sum->prim.x[left], E_if_);
	if ((!left && !sub_eq(sum->prim.x[1], p)) || !is_choice_of_bits(d) ||
	    !sub_eq(d->if_.cond, c) || !is_int_const(d->if_.yes.res.at[0], 1) ||
	    !is_int_const(d->if_.no.res.at[0], 0))
		return false;
	int mark = range_mark(&s->range);
	range_assume(&s->range, c, true, (Var){0});
	bool same = range_equal(&s->range, index, p);
	range_release(&s->range, mark);
	return same;
}

static bool write_ahead(Simp *s, Stm *st)
{
	const Exp *u = guarded_write(st), *loop = s->loop;
	int k = u && loop && !loop->loop.is_while ? param_index(loop, u->update.arr) : -1;
	if (k < 0 || !sub_eq(loop->loop.body.res.at[k], sub_var(st->pat.at[0])) ||
	    !s_has_uses(s, u->update.arr, 2) || !s_has_uses(s, sub_var(st->pat.at[0]), 1))
		return false;
	Sub init = loop->loop.inits.at[k];
	if (!s_def_as(s, init, E_scratch) || !s_has_uses(s, init, 1))
		return false;
	for (int j = 0; j < loop->loop.params.len; j++) {
		Sub p = sub_var(loop->loop.params.at[j]);
		if (!type_is_scalar(sub_type(p)) ||
		    !is_next(s, loop, j, st->exp->if_.cond, u->update.at.at[0].start) ||
		    !range_below(&s->range, p, sub_type(u->update.arr).dims.at[0]) || !s_rewrite(s))
			continue;
		Stm w = {.pat = st->pat, .exp = write_at(u, p), .where = st->where};
		s_stm(s, &w);
		return true;
	}
	return false;
}

bool simp_fill(Simp *s, Stm *st)
{
	chosen_index(s, st);
	return write_ahead(s, st);
}
