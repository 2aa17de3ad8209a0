// Collapses two summed dimensions of a new nest into one, if they are only traversed together:
//
//     sum over i < n of                                sum over p < n * m of
//       sum over j < m of a[i, j, k] * b[i, j, l]  ->    a'[p, k] * b'[p, l]
//
// where a' and b' are a and b, reshaped to [n * m][..].  The derivative of a layer with respect to
// its weights, for batches of sequences, thus becomes a product of two matrices, which back ends
// tile.
//
// Requires: the dimensions are adjacent in the nest and in all arrays that have either of them, and
// their row numbers are used only as indices of such arrays.
//
// Ensures: equal results up to the order of additions.
#include "opt/acc.h"

typedef struct { Pull *p; int a, b; bool fails; } Join;

// The dimension whose rows the variable numbers; -1: none.
static int numbered(const Pull *p, Sub s)
{
	const PathVar *x = path_var(p->plan, s);
	return x && !x->stm && x->is_index ? x->dim : -1;
}

static bool is_number(const Join *j, Sub s)
{
	int d = numbered(j->p, s);
	return d >= 0 && (d == j->a || d == j->b);
}

// ---- What reads them ----

// The first of two indices that are the numbers of both, or -1.
static int pair_at(const Join *j, const Exp *e)
{
	Subs dims = sub_type(e->index.arr).dims, idx = e->index.idx;
	const Plan *plan = j->p->plan;
	for (int q = 0; q + 1 < idx.len; q++)
		if (numbered(j->p, idx.at[q]) == j->a && numbered(j->p, idx.at[q + 1]) == j->b &&
		    sub_eq(dims.at[q], dim_size(plan, j->a)) &&
		    sub_eq(dims.at[q + 1], dim_size(plan, j->b)))
			return q;
	return -1;
}

// Of an array that lies in memory as it is: of another, a copy would be made.
static bool is_plain(const Join *j, Sub arr)
{
	const Exp *e = def_of(j->p->plan->defs, arr);
	return !path_var(j->p->plan, arr) && !(e && e->form == E_rearrange);
}

static void look_at_operand(Visit *v, Sub *s)
{
	Join *j = v->ctx;
	j->fails |= is_number(j, *s);
}

static void look_at_stm(Join *j, const Stm *s)
{
	const Exp *e = s->exp;
	Visit v = {.sub = look_at_operand, .ctx = j};
	int q = e->form == E_index ? pair_at(j, e) : -1;
	if (q < 0) {
		stm_walk(s, &v);
		return;
	}
	j->fails |= !is_plain(j, e->index.arr);
	for (int i = 0; i < e->index.idx.len; i++)
		if (i != q && i != q + 1)
			look_at_operand(&v, &e->index.idx.at[i]);
}

// Where in its array a row has both dimensions: 0 or more; -1: nowhere; -2: one alone, or apart.
static int place_in(const Join *j, const Leaf *l)
{
	int at = -1, n = 0;
	for (int i = 0; i < l->n_dims; i++)
		if (l->dims[i] == j->a || l->dims[i] == j->b)
			at = n++ ? at : i;
	if (n == 2 && l->dims[at] == j->a && l->dims[at + 1] == j->b)
		return at;
	return n ? -2 : -1;
}

static void look_at_leaf(Join *j, const Leaf *l)
{
	int at = place_in(j, l);
	if (!is_number(j, sub_var(l->param)))
		j->fails |= at == -2 || (at >= 0 && (l->level || !is_plain(j, l->base)));
}

// ---- One dimension ----

static void join(Pull *p, int t, const Join *j)
{
	for EACH(Leaf, l, p->leaves) {
		int at = place_in(j, l);
		if (is_number(j, sub_var(l->param))) {
			*l = (Leaf){.param = l->param, .dims = {j->a}, .n_dims = 1,
			            .numbers = true};
		} else if (at >= 0) {
			l->joined = at + 1;
			for (int i = at + 1; i + 1 < l->n_dims; i++)
				l->dims[i] = l->dims[i + 1];
			l->n_dims--;
		}
	}
	for (int i = t + 1; i + 1 < p->n_dims; i++)
		p->order[i] = p->order[i + 1];
	p->n_dims--;
	for (int i = 0; i < p->n_dims; i++)
		p->open[i + 1] = p->open[i] | (DimSet)1 << p->order[i] |
		                 (i == t ? (DimSet)1 << j->b : 0);
	p->join[0] = j->a;
	p->join[1] = j->b;
}

bool join_sums(Pull *p)
{
	for (int t = p->n_dims - 2; t >= 0; t--) {
		Join j = {p, p->order[t], p->order[t + 1], false};
		if ((p->plan->outer >> j.a | p->plan->outer >> j.b) & 1)
			break;
		look_at_operand(&(Visit){.ctx = &j}, &p->plan->site->upd->exp->upd_acc.vals.at[0]);
		for EACH(Leaf, l, p->leaves)
			look_at_leaf(&j, l);
		for EACH(LineStm, l, p->plan->line)
			if (map_has(&p->needed, l->stm))
				look_at_stm(&j, l->stm);
		if (!j.fails) {
			join(p, t, &j);
			return true;
		}
	}
	return false;
}

// ---- The arrays ----

Sub joined_array(Build *b, const Pull *p, Sub arr, int at)
{
	Subs dims = sub_type(arr).dims;
	Subs to = subs_cat(subs_cat(subs_part(dims, 0, at), subs_of(1, p->join_size)),
	                   subs_part(dims, at + 2, dims.len - at - 2));
	return b_reshape(b, to, arr);
}

void join_reads(Build *b, Pull *p)
{
	Join j = {p, p->join[0], p->join[1], false};
	for EACH(LineStm, l, p->plan->line) {
		const Exp *e = l->stm->exp;
		int q = map_has(&p->needed, l->stm) && e->form == E_index ? pair_at(&j, e) : -1;
		if (q < 0)
			continue;
		Subs idx = e->index.idx;
		idx = subs_cat(subs_part(idx, 0, q + 1),
		               subs_part(idx, q + 2, idx.len - q - 2));
		map_put(&p->reads, l->stm,
		        EXP(index, joined_array(b, p, e->index.arr, q), idx));
	}
}
