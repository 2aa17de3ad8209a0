// Which combinators can be executed a second time, by a twin that finds what is not finite
// (checked_float.c, Note [Twins]).
//
//     let (zeros: [n]f64) = replicate [n] 0.0
//     let (ys: [n]f64) = withacc input=[n] (zeros) fn=..        yes: its twin adds to other zeros
//     let (ys: [n]f64) = withacc input=[n] (xs) fn=..           no: xs is no more
//     let (ys: [n]f64) = withacc input=[n] (xs)                 yes: its twin has a copy of xs
//       fn={.. screma n .. upd_acc ..}
//
// That is, those that consume nothing, and those that add to arrays that were made from constants
// and can be made again, or are no longer than the rows that add to them: then a copy takes no
// longer than that.
#include "opt/alias.h"
#include "opt/checked_float.h"

// Was the array made from a constant, and parts of it replaced?  `from`: where the first was.
static bool is_filled(const Body *b, Sub x, int *from)
{
	int i = stm_index(b, x);
	for (; i >= 0 && b->stms.at[i].exp->form == E_update;
	     i = stm_index(b, b->stms.at[i].exp->update.arr))
		*from = i;
	const Exp *fill = i < 0 ? NULL : b->stms.at[i].exp;
	return fill && fill->form == E_replicate && fill->replicate.x.kind == S_CONST;
}

// Is all that the statements up to `to` consume made in this way, and of no use to others?
static bool consumes_filled(const Body *b, int from, int to)
{
	int any;
	for (int i = from; i < to; i++) {
		SubVec eaten = {0};
		stm_consumed(&b->stms.at[i], &eaten);
		for EACH(Sub, y, eaten)
			if (!is_filled(b, *y, &any) || n_uses_in(b, y->var) != 1)
				return false;
	}
	return true;
}

Sub fill_again(Build *b, const Body *body, Sub x)
{
	Exp *fill = exp_dup(def_in(body, x));
	if (fill->form == E_update)
		fill->update.arr = fill_again(b, body, fill->update.arr);
	return b_let(b, "filled", type_plain(sub_type(x)), fill);
}

static bool adds_to_filled(const Body *, const Stm *, bool or_sums);

const Stm *sum_before(const Body *b, Sub x, int to)
{
	int i = stm_index(b, x);
	const Stm *s = i < 0 ? NULL : &b->stms.at[i];
	return s && s->exp->form == E_withacc && !is_trusted(s) && adds_to_filled(b, s, false) &&
	       consumes_filled(b, i + 1, to) ? s : NULL;
}

static bool has_token(Subs arrs, const void *token)
{
	for EACH(Sub, x, arrs)
		if (sub_type(*x).acc && var_key(sub_type(*x).acc->token) == token)
			return true;
	return false;
}

// Do maps, one in the other, go over all dimensions from d on, and hand on the accumulator of that
// token?  There may be further maps between them, and accumulators for each row.
static bool goes_over(const Body *b, const void *token, Subs dims, int d)
{
	if (d == dims.len)
		return true;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_withacc && goes_over(&e->withacc.fn->body, token, dims, d))
			return true;
		if (e->form != E_screma || !has_token(e->screma.arrs, token))
			continue;
		if (goes_over(&e->screma.map->body, token, dims,
		              d + sub_eq(e->screma.n, dims.at[d])))
			return true;
	}
	return false;
}

static bool is_made_again(const Body *b, const Stm *s, Sub x, bool or_sums)
{
	int at = (int)(s - b->stms.at), from = at;
	bool filled = is_filled(b, x, &from) && consumes_filled(b, from, at);
	return filled || (or_sums && sum_before(b, x, at));
}

bool needs_copy(const Body *b, const Stm *s, Sub x)
{
	return !is_made_again(b, s, x, true);
}

// Has all that it adds to just been filled, or added up by one other withacc?  Else a twin would
// not begin with the same, and to look at all of an array may take longer than to add to it, but
// where there are as many rows.
static bool adds_to_filled(const Body *b, const Stm *s, bool or_sums)
{
	const Exp *e = s->exp;
	for EACH(AccInput, in, e->withacc.inputs) {
		Var token = e->withacc.fn->params.at[in - e->withacc.inputs.at];
		bool kept = or_sums &&
		            goes_over(&e->withacc.fn->body, var_key(token), in->space, 0);
		for EACH(Sub, x, in->arrs)
			if (!kept && !is_made_again(b, s, *x, or_sums))
				return false;
		if (!in->op)
			return false;
	}
	return exp_find(e, creates_one) != NULL;
}

static bool any_infinite(const Floats *f, Subs xs)
{
	for EACH(Sub, x, xs)
		if (may_be_infinite(&f->infinite, *x))
			return true;
	return false;
}

// Likewise for a histogram.
static bool counts_in_filled(const Floats *f, const Body *b, const Stm *s)
{
	int at = (int)(s - b->stms.at);
	bool creates = false;
	for EACH(HistOp, op, s->exp->hist.ops) {
		for EACH(Sub, x, op->dests) {
			int from = at;
			if (!is_filled(b, *x, &from) || !consumes_filled(b, from, at))
				return false;
		}
		if (any_infinite(f, op->dests))
			return false;
		creates |= body_find(&op->op->body, creates_one) != NULL;
	}
	return creates && !any_acc(s->exp->hist.arrs);
}

static bool can_be_repeated(const Stm *s)
{
	const Exp *e = s->exp;
	return has_own_rows(e) && exp_find(e, creates_one) != NULL;
}

bool has_twin(const Floats *f, const Body *b, const Stm *s)
{
	return !is_trusted(s) && ((s->exp->form == E_screma && can_be_repeated(s)) ||
	                          (s->exp->form == E_withacc && adds_to_filled(b, s, true)) ||
	                          (s->exp->form == E_hist && counts_in_filled(f, b, s)));
}
