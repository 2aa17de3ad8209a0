// Where an update of a nest adds, as seen from the number of its row: that far from it, around the
// ends, or up to them.  Part of the pass `gather_sums` (acc_near.c).
//
//     upd_acc a [i + 1]                                     1 after the row
//     upd_acc a [(i + n - 1) mod n]                         1 before it, around the ends
//     upd_acc a [if i + k < n then i + k else i + k - n]    k after it, around the ends
//     upd_acc a [max(0, i - 1)]                             1 before it, but not before the first
#include "opt/acc_near.h"

static const Exp *known(const Near *q, Sub x, Form form)
{
	const Exp *e = x.kind == S_VAR ? map_get(&q->defs, var_key(x.var)) : NULL;
	return e && e->form == form ? e : NULL;
}

const Exp *number_def(const Near *q, Sub x)
{
	return known(q, x, E_prim);
}

static Affine number(const Near *q, Sub x)
{
	return affine_of(defs_in_map(&q->defs), x);
}

static bool is_small(const Affine *a, int64_t *by)
{
	*by = a->c;
	return !a->bad && !a->n && a->c >= -MAX_REACH && a->c <= MAX_REACH;
}

bool is_sum_of(const Near *q, Sub x, Sub of, int64_t *by)
{
	Affine a = number(q, x), b = number(q, of), d = affine_add(&a, &b, -1);
	return is_small(&d, by);
}

bool is_counting(const Near *q, Sub arr)
{
	return arr.kind == S_VAR && map_has(&q->counts, var_key(arr.var));
}

// The number of a row of dimension k, and how far from it x is.
static bool is_near_row(const Sums *s, int k, Sub x, int64_t *off)
{
	const Exp *e = s->levels[s->level_of[k]]->exp;
	for (int i = 0; i < e->screma.arrs.len; i++)
		if (is_counting(s->near, e->screma.arrs.at[i]) &&
		    is_sum_of(s->near, x, sub_var(e->screma.map->params.at[i]), off))
			return true;
	return false;
}

// How often is the size in it?
static int64_t times_in(const Affine *a, const Affine *size)
{
	if (!size->n)
		return size->c ? a->c / size->c : 0;
	for (int i = 0; i < a->n; i++)
		if (!memcmp(a->t[i].v, size->t[0].v, sizeof a->t[i].v))
			return a->t[i].k / size->t[0].k;
	return 0;
}

// x = *off + a row of dimension k + some times the size?
static bool is_row_around(const Sums *s, int k, Sub x, int64_t *off)
{
	const Exp *e = s->levels[s->level_of[k]]->exp;
	Affine a = number(s->near, x), size = number(s->near, s->sizes.at[k]), rate, rest;
	for (int i = 0; i < e->screma.arrs.len; i++) {
		if (!is_counting(s->near, e->screma.arrs.at[i]) ||
		    !affine_split(&a, e->screma.map->params.at[i], &rate, &rest) ||
		    !affine_is(&rate, 1))
			continue;
		affine_add_to(&rest, &size, -times_in(&rest, &size));
		return is_small(&rest, off);
	}
	return false;
}

bool is_of_nest(const Sums *s, Sub x)
{
	return x.kind == S_VAR && (map_has(&s->bound, var_key(x.var)) ||
	                           map_has(&s->params, var_key(x.var)));
}

// The size of dimension k?  Or max(1, size), which is the same where there are elements.
static bool is_size(const Sums *s, int k, Sub x)
{
	const Exp *e = number_def(s->near, x);
	Sub size = s->sizes.at[k], one = sub_i64(1);
	return sub_eq(x, size) ||
	       (e && e->prim.op == P_max &&
	        ((sub_eq(e->prim.x[0], size) && sub_eq(e->prim.x[1], one)) ||
	         (sub_eq(e->prim.x[1], size) && sub_eq(e->prim.x[0], one))));
}

// A row plus this much or, where that is past the end of dimension k, less its size, which is at
// least 1 if there are rows; with other constants, places may be outside of smaller arrays.
static bool is_shift(const Sums *s, int k, const Affine *by, Reach *r)
{
	Affine size = number(s->near, s->sizes.at[k]), less = affine_add(by, &size, -1);
	r->end = WRAPS;
	if (is_small(by, &r->off))
		return r->off == 0 || r->off == 1;
	if (is_small(&less, &r->off))
		return r->off == 0 || r->off == -1;
	if (by->bad || by->n != 1 || !term_is_var(&by->t[0]) || by->t[0].k != 1)
		return false;
	Sub x = sub_var(by->t[0].v[0]);
	const Exp *e = number_def(s->near, x);
	less = affine_const(by->c);
	if (is_size(s, k, x))
		return is_small(&less, &r->off) && (r->off == 0 || r->off == -1);
	if (by->c || !e || e->prim.op != P_mod || !is_size(s, k, e->prim.x[1]))
		return false;
	Affine whole = number(s->near, e->prim.x[0]);
	if (is_small(&whole, &r->off))
		return true;
	r->end = ROTATES;
	r->shift = x;
	return !is_of_nest(s, x);
}

// x = if i + shift < size then i + shift else i + shift - size, for a row i of dimension k?
static bool is_rotated(const Sums *s, int k, Sub x, Reach *r)
{
	const Near *q = s->near;
	const Exp *e = known(q, x, E_if_), *in = e ? number_def(q, e->if_.cond) : NULL;
	if (s->less[k] || !in || in->prim.op != P_lt ||
	    !sub_eq(in->prim.x[0], e->if_.yes.res.at[0]) ||
	    !sub_eq(in->prim.x[1], s->sizes.at[k]))
		return false;
	Affine to = number(q, in->prim.x[0]), size = number(q, in->prim.x[1]), rate, shift;
	Affine around = number(q, e->if_.no.res.at[0]);
	affine_add_to(&around, &size, 1);
	const Exp *rows = s->levels[s->level_of[k]]->exp;
	for (int i = 0; i < rows->screma.arrs.len && affine_same(&to, &around); i++)
		if (is_counting(q, rows->screma.arrs.at[i]) &&
		    affine_split(&to, rows->screma.map->params.at[i], &rate, &shift) &&
		    affine_is(&rate, 1))
			return is_shift(s, k, &shift, r);
	return false;
}

// The place of an update in dimension k, from the number of its row.
bool find_reach(const Sums *s, int k, Sub x, Reach *r)
{
	const Exp *e = number_def(s->near, x);
	Sub size = s->sizes.at[k];
	int64_t by;
	*r = (Reach){0};
	if (is_near_row(s, k, x, &r->off))
		return s->less[k] - r->off <= MAX_REACH;
	if (!e)
		return is_rotated(s, k, x, r);
	if (e->prim.op == P_mod) {
		r->end = WRAPS;
		return !s->less[k] && sub_eq(e->prim.x[1], size) &&
		       is_row_around(s, k, e->prim.x[0], &r->off);
	}
	for (int i = 0; i < 2 && (e->prim.op == P_max || e->prim.op == P_min); i++) {
		bool low = e->prim.op == P_max;
		Sub end = e->prim.x[i];
		if (low ? !sub_eq(end, sub_i64(0))
		        : !is_sum_of(s->near, end, size, &by) || by != -1)
			continue;
		r->end = low ? STOPS_LOW : STOPS_HIGH;
		return is_near_row(s, k, e->prim.x[1 - i], &r->off) &&
		       (low ? r->off < 0 : r->off > 0) &&
		       (low ? s->less[k] - r->off <= MAX_REACH : !s->less[k]);
	}
	return false;
}
