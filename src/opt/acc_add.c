// Adds what updates added, which are arrays now (acc.c), to the array of the accumulator.
#include "opt/acc.h"

bool is_zeros(const AccDefs *d, Sub s)
{
	const Exp *e = def_of(d, s);
	if (!e || e->form != E_replicate || e->replicate.x.kind != S_CONST)
		return false;
	Scalar zero = scalar_int(e->replicate.x.val.type, 0);
	return scalar_eq_bits(e->replicate.x.val, zero);
}

// Kept parts have the dimensions in the order of the path.
static Sub in_target_order(Build *b, const Plan *p, Sub parts)
{
	int rank = p->site->upd->exp->upd_acc.idx.len, n = 0, perm[MAX_DIMS];
	bool moved = false;
	for (int i = 0; i < rank; i++) {
		if (p->target[i] < 0)
			continue;
		perm[n] = 0;
		for (int d = 0; d < p->target[i]; d++)
			perm[n] += p->outer >> d & 1;
		moved |= perm[n] != n;
		n++;
	}
	return moved ? b_rearrange(b, perm, parts) : parts;
}

// What was summed for row i is for row i ^ mask, if there is such a one.  Each row has been given
// to one other, so row j gets what row j ^ mask has.
static Sub exchange(Build *b, const Plan *p, Sub parts, int at, Subs rows)
{
	Subs dims = sub_type(parts).dims;
	if (rows.len == dims.len) {
		b_open(b);
		Sub x = b_index(b, parts, rows);
		Type t = sub_type(x);
		Body yes = b_close(b, subs_of(1, x));
		Body no = {.res = subs_of(1, sub_const(scalar_int(t.elem, 0)))};
		return b_let(b, "part", t, EXP(if_, b_in_range(b, rows, dims), yes, no));
	}
	while (p->target[at] < 0)
		at++;
	Var i = var_i64("i");
	Sub n = dims.at[rows.len], numbers = b_iota(b, n);
	b_open(b);
	Sub row = p->swapped >> at & 1 ? b_prim2(b, P_xor, sub_var(i), p->mask[at]) : sub_var(i);
	Sub r = exchange(b, p, parts, at + 1, subs_cat(rows, subs_of(1, row)));
	Lambda *f = b_lambda(b, vars_of(1, i), subs_of(1, r));
	return b_map(b, n, subs_of(1, numbers), f).at[0];
}

Sub add_at(Build *b, Sub to, Subs idx, const bool *fixed, Sub parts)
{
	Type t = sub_type(to);
	Slices at = {NEW_ARRAY(DimSlice, t.dims.len), t.dims.len};
	Sub ok = sub_bool(true);
	for (int i = 0; i < at.len; i++) {
		at.at[i] = dim_whole(t.dims.at[i]);
		if (!fixed[i])
			continue;
		Sub x = idx.at[i];
		at.at[i] = dim_at(x);
		Sub in = b_prim2(b, P_and, b_le(b, sub_i64(0), x), b_lt(b, x, t.dims.at[i]));
		ok = b_prim2(b, P_and, ok, in);
	}
	b_open(b);
	Sub sum = b_add_arrays(b, b_slice(b, to, at), parts);
	Body yes = b_close(b, subs_of(1, b_update(b, to, at, sum))), no = {.res = subs_of(1, to)};
	return b_let(b, "adj", t, EXP(if_, ok, yes, no));
}

bool gain_is_whole(const Gain *g, int rank)
{
	for (int i = 0; !g->part && i < rank; i++)
		if (g->plan->target[i] < 0)
			return false;
	return !g->part;
}

Sub add_gain(Build *b, const AccDefs *defs, Sub to, const Gain *g)
{
	const Plan *p = g->plan;
	int rank = sub_type(to).dims.len;
	b->where = p->site->upd->where;
	if (g->part)
		return part_emit(b, g->part, to);
	Sub parts = g->pulled ? pull_emit(b, g->pull)
	                      : in_target_order(b, p, sub_var(g->parts));
	if (p->swapped)
		parts = exchange(b, p, parts, 0, (Subs){0});
	if (!gain_is_whole(g, rank)) {
		bool fixed[MAX_DIMS];
		for (int i = 0; i < rank; i++)
			fixed[i] = p->target[i] < 0;
		return add_at(b, to, p->site->upd->exp->upd_acc.idx, fixed, parts);
	}
	return is_zeros(defs, to) ? parts : b_add_arrays(b, to, parts);
}
