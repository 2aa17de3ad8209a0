// Simplification of forms that make arrays and views.
//
//     copy xs                      ->   xs, if nothing tells them apart (Note [Copies])
//     rearrange p (rearrange q a)  ->   rearrange (q after p) a
//     reshape [n] (reshape [m] a)  ->   reshape [n] a
//     concat n (concat m (a, b), c)   ->   concat n (a, b, c)
//     update a [whole] v           ->   copy v
//     update a [i] (index a [i])   ->   a
//     replicate [n] (replicate [m] x)   ->   replicate [n][m] x
//     array [x, x, x]              ->   replicate [3] x
//
// Note [Copies].  A copy is needed if one of the two arrays is consumed while the other is still
// used, or to change the memory layout.  It is removed if neither array is consumed anywhere and
// the source is not a view with strided rows, or if the source is fresh and has no other use.
#include "opt/simplify.h"

static bool becomes(Simp *s, Stm *st, Sub x)
{
	return s_rewrite(s) && s_becomes(s, st, x);
}

// ---- Copies ----

static bool is_fresh(const Exp *e)
{
	return form_has(e->form, FORM_FRESH) || e->form == E_update || e->form == E_scatter ||
	       e->form == E_hist;
}

// The result of a reduction may be one of the rows that it goes over.
static bool is_reduced(const Exp *e, int result)
{
	if (e->form != E_screma)
		return false;
	for EACH(Reduction, r, e->screma.scans)
		result -= r->ne.len;
	for EACH(Reduction, r, e->screma.reds)
		if (result >= 0 && (result -= r->ne.len) < 0)
			return true;
	return false;
}

// Not row-major, as far as can be seen.
static bool is_read_across(Simp *s, Sub x)
{
	const Exp *e = s_def(s, x);
	if (!e)
		return false;
	switch (e->form) {
	case E_rearrange: case E_slice:
		return true;
	case E_reshape:
		return is_read_across(s, e->reshape.arr);
	default: // as good as row-major
		return false;
	}
}

// What an array is a part of, turned or not.
static const Exp *viewed(Simp *s, Sub x)
{
	const Exp *e = s_def(s, x);
	while (e && (e->form == E_slice || e->form == E_rearrange || e->form == E_reshape))
		e = s_def(s, e->form == E_slice ? e->slice.arr
		             : e->form == E_reshape ? e->reshape.arr : e->rearrange.arr);
	return e;
}

// A copy of what has no contents, or one scalar everywhere, needs nothing of it.
static void copy_uniform(Simp *s, Stm *st)
{
	const Exp *e = viewed(s, st->exp->copy.arr);
	Type t = vars[st->pat.at[0].id].type;
	bool empty = e && e->form == E_scratch;
	bool filled = e && e->form == E_replicate && type_is_scalar(sub_type(e->replicate.x));
	if ((!empty && !filled) || !s_rewrite(s))
		return;
	st->exp = empty ? EXP(scratch, t.elem, t.dims) : EXP(replicate, t.dims, e->replicate.x);
}

static bool rule_copy(Simp *s, Stm *st)
{
	Sub x = st->exp->copy.arr;
	const Exp *def = s_def(s, x);
	if (x.kind != S_VAR)
		return false;
	bool is_new = def && is_fresh(def) && !is_reduced(def, s_info(s, x.var)->index) &&
	              s_info(s, x.var)->depth == s->depth && s_has_uses(s, x, 1);
	bool shared = !s_ever(s, x.var) && !s_ever(s, st->pat.at[0]) && !is_read_across(s, x);
	if ((is_new || shared) && becomes(s, st, x))
		return true;
	copy_uniform(s, st);
	return false;
}

// ---- Views ----

static bool rule_rearrange(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	int n = e->rearrange.perm.len;
	const Exp *inner = s_def_as(s, e->rearrange.arr, E_rearrange);
	if (inner && s_rewrite(s)) {
		int *perm = NEW_ARRAY(int, n);
		for (int i = 0; i < n; i++)
			perm[i] = inner->rearrange.perm.at[e->rearrange.perm.at[i]];
		e->rearrange.perm.at = perm;
		s_take_certs(s, st, e->rearrange.arr);
		e->rearrange.arr = inner->rearrange.arr;
	}
	for (int i = 0; i < n; i++)
		if (e->rearrange.perm.at[i] != i)
			return simp_transposed_nest(s, st);
	return becomes(s, st, e->rearrange.arr);
}

static bool rule_reshape(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	const Exp *inner = s_def_as(s, e->reshape.arr, E_reshape);
	if (inner && s_rewrite(s)) {
		s_take_certs(s, st, e->reshape.arr);
		e->reshape.arr = inner->reshape.arr;
	}
	Subs from = sub_type(e->reshape.arr).dims;
	bool same = subs_eq(from, e->reshape.dims) || (from.len == 1 && e->reshape.dims.len == 1);
	return same && becomes(s, st, e->reshape.arr);
}

// ---- New arrays ----

static bool is_empty(Sub arr)
{
	return is_int_const(sub_type(arr).dims.at[0], 0);
}

static bool rule_concat(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	SubVec parts = {0};
	bool changed = false;
	const Sub *last = e->concat.arrs.at + e->concat.arrs.len - 1;
	for EACH(Sub, p, e->concat.arrs) {
		const Exp *inner = s_def_as(s, *p, E_concat);
		bool opens = inner && s_info(s, p->var)->depth == s->depth && s_has_uses(s, *p, 1);
		for (int i = 0; opens && i < inner->concat.arrs.len; i++)
			opens = !s_gone(s, inner->concat.arrs.at[i]);
		if (opens) {
			VEC_APPEND(&parts, inner->concat.arrs);
			changed = true;
		} else if (is_empty(*p) && (parts.len || p < last)) {
			changed = true;
		} else {
			VEC_PUSH(&parts, *p);
		}
	}
	if (changed && s_rewrite(s)) {
		for EACH(Sub, p, e->concat.arrs)
			s_take_certs(s, st, *p);
		e->concat.arrs = VEC_SLICE(Subs, parts);
	}
	if (e->concat.arrs.len != 1 || !s_rewrite(s))
		return false;
	st->exp = EXP(copy, e->concat.arrs.at[0]);
	return rule_copy(s, st);
}

// The element at this place, read from this very array.
static bool reads_back(Simp *s, const Exp *e)
{
	const Exp *read = s_def_as(s, e->update.val, E_index);
	if (!read || !sub_eq(read->index.arr, e->update.arr) ||
	    read->index.idx.len != e->update.at.len)
		return false;
	for (int i = 0; i < e->update.at.len; i++)
		if (!e->update.at.at[i].fixed ||
		    !sub_eq(e->update.at.at[i].start, read->index.idx.at[i]))
			return false;
	return true;
}

static bool rule_update(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (reads_back(s, e)) {
		s_take_certs(s, st, e->update.val);
		return becomes(s, st, e->update.arr);
	}
	if (!is_whole_slice(e->update.at, sub_type(e->update.arr).dims) || !s_rewrite(s))
		return false;
	st->exp = EXP(copy, e->update.val);
	return rule_copy(s, st);
}

static bool rule_replicate(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	const Exp *inner = s_def_as(s, e->replicate.x, E_replicate);
	if (!e->replicate.dims.len && type_is_scalar(sub_type(e->replicate.x)))
		return becomes(s, st, e->replicate.x);
	if (!inner || s_gone(s, inner->replicate.x) || !s_rewrite(s))
		return false;
	s_take_certs(s, st, e->replicate.x);
	st->exp = EXP(replicate, subs_cat(e->replicate.dims, inner->replicate.dims),
	              inner->replicate.x);
	return false;
}

static bool rule_array(Simp *s, Stm *st)
{
	Subs elems = st->exp->array.elems;
	if (elems.len < 2)
		return false;
	for EACH(Sub, x, elems)
		if (!sub_eq(*x, elems.at[0]))
			return false;
	if (!s_rewrite(s))
		return false;
	st->exp = EXP(replicate, subs_of(1, sub_i64(elems.len)), elems.at[0]);
	return false;
}

// ---- Arrays without elements ----

static bool is_of_nothing(Var x)
{
	Type t = vars[x.id].type;
	for EACH(Sub, d, t.dims)
		if (t.kind == T_DATA && is_int_const(*d, 0))
			return true;
	return false;
}

// However many rows there are: without elements nothing is to be filled, copied or computed.
bool simp_nothing(Simp *s, Stm *st)
{
	const Exp *e = st->exp;
	bool makes = e->form == E_replicate || e->form == E_copy || e->form == E_concat ||
	             (is_plain_map(e) && !exp_has_checks(e) && !exp_has_traces(e));
	for EACH(Var, x, st->pat)
		makes = makes && is_of_nothing(*x);
	if (!makes || !s_rewrite(s))
		return false;
	Vars free = free_in_stm(st);
	for EACH(Var, x, free)
		s_take_certs(s, st, sub_var(*x));
	for EACH(Var, x, st->pat) {
		Type t = vars[x->id].type;
		Stm made = {.pat = vars_of(1, *x), .exp = EXP(scratch, t.elem, t.dims),
		            .certs = st->certs, .where = st->where};
		s_stm(s, &made);
	}
	return true;
}

bool simp_array(Simp *s, Stm *st)
{
	Sub out;
	bool done;
	if (simp_nothing(s, st))
		return true;
	switch (st->exp->form) {
	case E_copy:      done = rule_copy(s, st); break;
	case E_rearrange: done = rule_rearrange(s, st); break;
	case E_reshape:   done = rule_reshape(s, st); break;
	case E_concat:    done = rule_concat(s, st); break;
	case E_update:    done = rule_update(s, st); break;
	case E_replicate: done = rule_replicate(s, st); break;
	case E_array:     done = rule_array(s, st); break;
	default: // no rule
		return false;
	}
	if (done || st->exp->form == E_atom)
		return done;
	if (s_find(s, st, &out) && s_rewrite(s)) {
		s_is_equal(s, st, out);
		return true;
	}
	return false;
}
