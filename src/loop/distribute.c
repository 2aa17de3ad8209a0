// Loop distribution (fission): splits a loop into several over the same iterations, so that chosen
// statements of its body, the pieces, get loops of their own.
//
//     loop (p = p0) for i < n do {            es = loop (e = scratch [n]) for i < n do {
//       let (x) = .. i ..                       let (x) = .. i ..  in update e [i] x
//       PIECE: let (y) = .. x ..              }
//       .. y .. p ..                    ->    fs = loop (f = scratch [n]) for i < n do {
//     }                                         let (x) = index es [i]
//                                               PIECE  in update f [i] y
//                                             }
//                                             loop (p = p0) for i < n do {
//                                               let (y) = index fs [i]
//                                               .. y .. p ..
//                                             }
//
// Values that later loops need are stored in arrays with one more dimension (scalar expansion),
// unless they are cheap to recompute (loads, index arithmetic, views, uninitialised memory).  If
// the loop is strip-mined, an outer loop does this for a strip of iterations at a time, so that
// the stored values fit into the cache.
//
// The iterations of each statement stay in order, and so do the statements of each iteration.
// Loop-carried dependences must not be split: the statements between the first and the last use of
// a loop parameter stay together.  An assertion is placed in the loop of its statement, and
// repeated where statements of other loops name it; pieces name none, since they come later
// anyway.
#include "opt/alias.h"
#include "loop/distribute.h"

int at_of(const Dist *d, Sub x)
{
	return x.kind == S_VAR ? (int)(uintptr_t)map_get(&d->index, var_key(x.var)) - 1 : -1;
}

int number_of_param(const Dist *d, Var v)
{
	return (int)(uintptr_t)map_get(&d->param, var_key(v)) - 1;
}

const Stm *stm_at(const Dist *d, int k)
{
	return &d->body->stms.at[k];
}

static bool is_piece_stm(const Dist *d, int k)
{
	return map_has(&d->body->pieces, stm_at(d, k)->exp);
}

// What a sum begins with, if not with zero.
const Sub *start_of(const Stm *piece)
{
	const Exp *e = piece->exp;
	if (e->form != E_loop || e->loop.params.len != 1 ||
	    !type_is_scalar(vars[e->loop.params.at[0].id].type))
		return NULL;
	Sub init = e->loop.inits.at[0];
	return init.kind == S_CONST && init.val.f == 0 ? NULL : &e->loop.inits.at[0];
}

// ---- Groups ----

static bool is_part_of(const Dist *d, Sub arr)
{
	return arr.kind == S_VAR && !map_has(&d->consumed, var_key(arr.var)) &&
	       vars_find(d->loop->loop.params, arr) < 0;
}

// Can it be computed anywhere in the iteration, and again?
static bool floats(const Dist *d, const Stm *s)
{
	const Exp *e = s->exp;
	if (s->pat.len != 1)
		return false;
	switch (e->form) {
	case E_atom: case E_convert:
		return type_is_scalar(vars[s->pat.at[0].id].type);
	case E_prim:
		return is_int(e->prim.at) || e->prim.at == PT_BOOL;
	case E_index:
		return is_part_of(d, e->index.arr);
	case E_slice:
		return is_part_of(d, e->slice.arr);
	case E_reshape:
		return is_part_of(d, e->reshape.arr);
	case E_rearrange:
		return is_part_of(d, e->rearrange.arr);
	case E_copy:
		return is_part_of(d, e->copy.arr);
	case E_scratch:
		return true;
	case E_replicate:
		return type_is_scalar(sub_type(e->replicate.x));
	default: // takes longer, or is done once
		return false;
	}
}

// `update p [i] y` of a parameter, where y is what the piece gives, is a part of it.
static bool stores_piece(const Dist *d, int piece, int k)
{
	const Exp *e = stm_at(d, k)->exp;
	return !start_of(stm_at(d, piece)) && e->form == E_update &&
	       at_of(d, e->update.val) == piece &&
	       vars_find(d->loop->loop.params, e->update.arr) >= 0;
}

static void first_groups(Dist *d)
{
	int last_piece = -1, n = d->body->stms.len;
	bool open = false;
	for (int k = 0; k < n; k++) {
		const Stm *s = stm_at(d, k);
		if (is_piece_stm(d, k)) {
			d->group[k] = d->n_groups;
			d->is_piece[d->n_groups++] = true;
			last_piece = k;
			open = false;
		} else if (floats(d, s)) {
			d->group[k] = -1;
		} else if (last_piece >= 0 && !open && stores_piece(d, last_piece, k)) {
			d->group[k] = d->n_groups - 1;
		} else {
			d->n_groups += !open;
			open = true;
			d->group[k] = d->n_groups - 1;
		}
	}
}

static void merge(Dist *d, int from, int to)
{
	if (from >= to)
		return;
	for (int g = from; g <= to; g++)
		d->is_piece[g] = false;
	for (int k = 0; k < d->body->stms.len; k++)
		if (d->group[k] > from && d->group[k] <= to) {
			d->group[k] = from;
			d->merged = true;
		}
}

// Is the parameter an array of which each iteration only loads and, in one statement at the end,
// stores the element at its index?  What it loads is what the array began with.
static bool has_own_element(const Dist *d, int k)
{
	Sub p = sub_var(d->loop->loop.params.at[k]), i = sub_var(d->loop->loop.i);
	int last = d->params[k].last;
	bool stored = false;
	for EACH(int, n, *stms_with(&d->mentions, p.var)) {
		const Exp *e = stm_at(d, *n)->exp;
		bool loads = e->form == E_index && sub_eq(e->index.arr, p) &&
		             sub_eq(e->index.idx.at[0], i) && *n < last;
		bool stores = *n == last && e->form == E_update && sub_eq(e->update.arr, p) &&
		              is_row_at(e->update.at, i);
		if (!loads && !stores)
			return false;
		stored |= stores;
	}
	return stored;
}

static bool consumes_any(const Stm *s, const Map *of)
{
	SubVec gone = {0};
	stm_consumed(s, &gone);
	for EACH(Sub, x, gone)
		if (x->kind == S_VAR && map_has(of, var_key(x->var)))
			return true;
	return false;
}

// May a result be in the place of these?  A loop has each array that it carries to itself.
static bool is_made_of(const Stm *s, int k, const Map *of)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || !goes_on(e, k))
		return true;
	Sub from = e->loop.inits.at[k];
	return from.kind == S_VAR && map_has(of, var_key(from.var));
}

// The statements that the parameter, or what is made of it in place, goes through.
static StmNumbers stms_through(const Dist *d, int k)
{
	StmNumbers out = {0};
	Map known = {0};
	VEC(Var) chain = {0};
	VEC_PUSH(&chain, d->loop->loop.params.at[k]);
	map_put(&known, var_key(chain.at[0]), &known);
	for (int at = 0; at < chain.len; at++)
		for EACH(int, i, *stms_with(&d->mentions, chain.at[at])) {
			VEC_PUSH(&out, *i);
			if (!consumes_any(stm_at(d, *i), &known))
				continue;
			const Stm *s = stm_at(d, *i);
			for (int j = 0; j < s->pat.len; j++) {
				Var v = s->pat.at[j];
				if (!type_is_scalar(vars[v.id].type) && is_made_of(s, j, &known) &&
				    !map_has(&known, var_key(v))) {
					map_put(&known, var_key(v), &known);
					VEC_PUSH(&chain, v);
				}
			}
		}
	if (d->params[k].last >= 0)
		VEC_PUSH(&out, d->params[k].last);
	return out;
}

static void merge_parameter(Dist *d, int k)
{
	int from = d->n_groups, to = -1;
	if (d->params[k].own_element)
		return;
	for EACH(int, i, d->params[k].touch)
		if (d->group[*i] >= 0) {
			from = d->group[*i] < from ? d->group[*i] : from;
			to = d->group[*i] > to ? d->group[*i] : to;
		}
	if (to >= 0)
		merge(d, from, to);
}

// An array that a statement makes and a later one consumes stays with it; memory without contents
// is made where it is consumed.  False: a part of an array is consumed.
static bool merge_consumed(Dist *d)
{
	for (int i = 0; i < d->body->stms.len; i++) {
		SubVec gone = {0};
		stm_consumed(stm_at(d, i), &gone);
		for EACH(Sub, x, gone) {
			int made = at_of(d, *x);
			if (made < 0)
				continue;
			Form f = stm_at(d, made)->exp->form;
			if (f == E_slice || f == E_reshape || f == E_rearrange || f == E_atom)
				return false;
			if (d->group[made] >= 0 && d->group[i] >= 0 &&
			    d->group[made] != d->group[i] &&
			    !(d->is_piece[d->group[i]] && can_widen(stm_at(d, i), *x)))
				merge(d, d->group[made], d->group[i]);
		}
	}
	return true;
}

// What each group has; is one of them a piece?  All that touches a parameter is in one group by
// now, but for loads of elements that iterations have of their own.
static bool list_groups(Dist *d)
{
	bool any = false;
	d->of_group = NEW_ARRAY(StmNumbers, d->n_groups);
	d->carried = NEW_ARRAY(StmNumbers, d->n_groups);
	for (int k = 0; k < d->body->stms.len; k++)
		if (d->group[k] >= 0) {
			VEC_PUSH(&d->of_group[d->group[k]], k);
			any |= d->is_piece[d->group[k]];
		}
	for (int k = 0; k < d->loop->loop.params.len; k++) {
		const LoopParam *p = &d->params[k];
		int group = p->last >= 0 ? d->group[p->last] : -1;
		for (int i = 0; group < 0 && i < p->touch.len; i++)
			group = d->group[p->touch.at[i]];
		if (group >= 0)
			VEC_PUSH(&d->carried[group], k);
	}
	return any;
}

// What a view shows is gone when the array is consumed.
static void note_views(Dist *d)
{
	for (int k = 0; k < d->body->stms.len; k++) {
		const Exp *e = stm_at(d, k)->exp;
		Sub of = e->form == E_slice     ? e->slice.arr
		       : e->form == E_reshape   ? e->reshape.arr
		       : e->form == E_rearrange ? e->rearrange.arr
		       : e->form == E_atom      ? e->atom.x
		                                : sub_i64(0);
		if (of.kind == S_VAR && map_has(&d->consumed, var_key(of.var)))
			map_put(&d->consumed, var_key(stm_at(d, k)->pat.at[0]), d);
	}
}

bool find_groups(Dist *d)
{
	int n = d->body->stms.len;
	d->group = NEW_ARRAY(int, n + 1);
	d->params = NEW_ARRAY(LoopParam, d->loop->loop.params.len);
	d->mentions = stms_by_mention(VEC_SLICE(Stms, d->body->stms));
	d->is_piece = NEW_ARRAY(bool, n + 1);
	for (int k = 0; k < n; k++) {
		SubVec gone = {0};
		stm_consumed(stm_at(d, k), &gone);
		for EACH(Sub, x, gone)
			if (x->kind == S_VAR)
				map_put(&d->consumed, var_key(x->var), d);
		vars_put(&d->index, stm_at(d, k)->pat, (void *)((uintptr_t)k + 1));
	}
	note_views(d);
	first_groups(d);
	for (int k = 0; k < d->loop->loop.params.len; k++) {
		Sub next = d->loop->loop.body.res.at[k];
		int at = d->params[k].last = at_of(d, next);
		map_put(&d->param, var_key(d->loop->loop.params.at[k]), (void *)((uintptr_t)k + 1));
		if (at < 0 ? !sub_eq(next, sub_var(d->loop->loop.params.at[k])) : d->group[at] < 0)
			return false;
	}
	for (int k = 0; k < d->loop->loop.params.len; k++) {
		d->params[k].own_element = has_own_element(d, k);
		d->params[k].touch = stms_through(d, k);
	}
	for (d->merged = true; d->merged; ) { // merging may bring others together
		d->merged = false;
		for (int k = 0; k < d->loop->loop.params.len; k++)
			merge_parameter(d, k);
		if (!merge_consumed(d))
			return false;
	}
	return list_groups(d);
}

// Is there only one group, a piece?
bool is_one_piece(const Dist *d)
{
	int only = -1;
	for (int k = 0; k < d->body->stms.len; k++) {
		int g = d->group[k];
		if (g >= 0 && only >= 0 && g != only)
			return false;
		only = g >= 0 ? g : only;
	}
	return only >= 0 && d->is_piece[only];
}

// ---- What is kept ----

typedef struct { Dist *d; int group; bool good; Map seen; } Needs;

static void need(Visit *v, Sub *x);

bool is_fixed_type(const Dist *d, Type t)
{
	for EACH(Sub, n, t.dims)
		if (at_of(d, *n) >= 0 || sub_eq(*n, sub_var(d->loop->loop.i)) ||
		    vars_find(d->loop->loop.params, *n) >= 0)
			return false;
	return t.kind == T_DATA;
}

static void need_stm(Needs *n, const Stm *s)
{
	Visit v = {.sub = need, .ctx = n};
	stm_walk(s, &v);
}

static void need(Visit *v, Sub *x)
{
	Needs *n = v->ctx;
	Dist *d = n->d;
	int k = at_of(d, *x);
	if (k < 0 || d->group[k] == n->group || map_has(&n->seen, var_key(x->var)))
		return;
	const Stm *s = stm_at(d, k);
	map_put(&n->seen, var_key(x->var), n);
	if (s->exp->form == E_assert_ && n->group >= 0 && d->is_piece[n->group])
		return;
	if (d->group[k] < 0 || s->exp->form == E_assert_) {
		need_stm(n, s);
		return;
	}
	if (map_has(&d->wide, var_key(x->var)))
		return;
	n->good &= is_fixed_type(d, vars[x->var.id].type);
	map_put(&d->wide, var_key(x->var), d);
	VEC_PUSH(&d->kept, x->var);
}

bool find_kept(Dist *d)
{
	bool good = true;
	for (int g = 0; g < d->n_groups; g++) {
		Needs n = {.d = d, .group = g, .good = true};
		for EACH(int, k, d->of_group[g])
			need_stm(&n, stm_at(d, *k));
		good &= n.good;
	}
	return good;
}
