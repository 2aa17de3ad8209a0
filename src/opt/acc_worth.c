// Whether a loop nest of its own (acc_pull.c) pays for an accumulator update.
//
// Either all inputs are read more than once, in different places of the result or by the combinator
// around, so that tiles of it pay, as in a product of matrices; or the sum goes along rows.  Else
// adding to all of the target, row by row, is what memory likes best.
#include "opt/acc.h"

// Which dimension of an array has neighbours in memory, as far as is known.
static int inner_dim(const Plan *p, Sub arr)
{
	const Exp *e = def_of(p->defs, arr);
	int rank = sub_type(arr).dims.len;
	if (e && e->form == E_rearrange)
		for (int i = 0; i < rank; i++)
			if (e->rearrange.perm.at[i] == rank - 1)
				return i;
	return rank - 1;
}

static bool is_from_around(const Plan *p, Sub arr)
{
	return arr.kind == S_VAR && arr.var.id < p->defs->n &&
	       p->defs->depth[arr.var.id] < p->depth;
}

// Is what these dimensions choose read for several places of the result, or once for each of them?
static bool is_shared(const Plan *p, DimSet reads)
{
	return (p->outer & ~reads) || !(reads & ~p->outer);
}

static void note_reads(const Pull *p, const Body *, int inner, bool *reused, bool *rows);

// Likewise elements that are read by their index, also in branches.
static void note_read(const Pull *p, const Stm *s, int inner, bool *reused, bool *rows)
{
	const Exp *e = s->exp;
	if (e->form == E_if_) {
		note_reads(p, &e->if_.yes, inner, reused, rows);
		note_reads(p, &e->if_.no, inner, reused, rows);
	}
	if (e->form != E_index)
		return;
	DimSet reads = 0, last = 0;
	for EACH(Sub, x, e->index.idx) {
		const PathVar *w = path_var(p->plan, *x);
		last = w ? w->deps : 0;
		reads |= last;
	}
	*reused &= is_shared(p->plan, reads);
	*rows &= !(reads >> inner & 1) || last >> inner & 1;
}

static void note_reads(const Pull *p, const Body *b, int inner, bool *reused, bool *rows)
{
	for EACH(Stm, s, b->stms)
		note_read(p, s, inner, reused, rows);
}

// Likewise a row that is read where the view is there that it is in.
static void note_read_leaf(const Pull *p, const Leaf *l, int inner, bool *reused, bool *rows)
{
	const PathVar *w = path_var(p->plan, l->base);
	const Exp *e = w->stm->exp;
	DimSet reads = leaf_dims(l) | w->deps, last = (DimSet)1 << l->dims[l->n_dims - 1];
	bool around = e->form == E_slice && is_from_around(p->plan, e->slice.arr);
	if (e->form == E_slice) {
		DimSlice s = e->slice.at.at[e->slice.at.len - 1];
		w = path_var(p->plan, s.start);
		last = !s.fixed ? last : w ? w->deps : 0;
	}
	*reused &= around || is_shared(p->plan, reads);
	*rows &= !(reads >> inner & 1) || last >> inner & 1;
}

bool pull_pays(const Pull *p)
{
	bool reused = true, rows = true;
	int inner = p->order[p->n_dims - 1];
	for EACH(Leaf, l, p->leaves) {
		if (l->read)
			note_read_leaf(p, l, inner, &reused, &rows);
		if (l->numbers || l->read)
			continue;
		DimSet reads = leaf_dims(l);
		bool carried = l->base.kind == S_CONST;
		int k = carried ? l->n_dims - 1 : inner_dim(p->plan, l->base);
		reused &= is_shared(p->plan, reads) ||
		          (!carried && is_from_around(p->plan, l->base));
		rows &= !(reads >> inner & 1) || (k < l->n_dims && l->dims[k] == inner);
	}
	for EACH(LineStm, l, p->plan->line)
		if (map_has(&p->needed, l->stm))
			note_read(p, l->stm, inner, &reused, &rows);
	return reused || rows;
}
