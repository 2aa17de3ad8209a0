// Rewrites operations on small arrays whose elements are known as operations on the elements.
//
//     let (v: [2]f64) = array [a, b] : f64       v: a, b
//     let (w: [2]f64) = update v [1] x           w: a, x
//     let (y: f64) = index w [i]                 y = if i = 0 then a else x
//
// Elements are listed in row-major order.
#include "loop/scalarise.h"

// ---- What is known ----

const Subs *known_elems(Scal *s, Sub arr)
{
	return arr.kind == S_VAR ? map_get(&s->elems, var_key(arr.var)) : NULL;
}

void set_elems(Scal *s, Var arr, Subs elems)
{
	map_put(&s->elems, var_key(arr), mem_dup(&elems, sizeof elems));
}

Subs elems_of(Scal *s, Sub arr, Type t)
{
	const Subs *known = known_elems(s, arr);
	int n = small_array(t);
	if (known && known->len == n)
		return *known;
	Subs out = {NEW_ARRAY(Sub, n), n};
	for (int k = 0; k < n; k++) {
		Subs idx = {NEW_ARRAY(Sub, t.dims.len), t.dims.len};
		int64_t rest = k;
		for (int d = t.dims.len; d-- > 0;) {
			idx.at[d] = sub_i64(rest % t.dims.at[d].val.i);
			rest /= t.dims.at[d].val.i;
		}
		out.at[k] = b_index(&s->b, arr, idx);
	}
	return out;
}

// A literal has one dimension; others are a matter of its shape.
void make_array(Scal *s, const Stm *st, Var old, Subs elems)
{
	Var v = scal_bind(s, old);
	Type t = vars[v.id].type;
	Exp *e = EXP(array, elems, type_scalar(t.elem));
	Stm out = {.pat = vars_of(1, v), .exp = e, .where = st->where};
	vars[v.id].type.unique = false;
	if (t.dims.len > 1) {
		Type flat = type_array(t.elem, subs_of(1, sub_i64(elems.len)));
		Var row = var_new(vars[v.id].hint, flat);
		b_emit(&s->b, (Stm){.pat = vars_of(1, row), .exp = e, .where = st->where});
		out.exp = EXP(reshape, t.dims, sub_var(row));
	}
	b_emit(&s->b, out);
	set_elems(s, v, elems);
	s->changed = true;
}

// The statement as it is, and what is known of the one array that it binds.
static bool becomes(Scal *s, const Stm *st, Subs elems)
{
	Var v = st->pat.at[0];
	if (elems.len != small_array(vars[v.id].type))
		return false; // other sizes, of which something else says that they are equal
	Var new_ = scal_bind(s, v);
	scal_emit(s, st, vars_of(1, new_), st->exp);
	set_elems(s, new_, elems);
	return true;
}

// ---- Places ----

typedef VEC(int) Ints;

// Row-major positions of a slice of constants; false: some are not, or out of bounds.
static bool positions(Subs dims, Slices at, Ints *out)
{
	Ints next;
	VEC_PUSH(out, 0);
	for (int d = 0; d < at.len; d++) {
		DimSlice x = at.at[d];
		int64_t size = dims.at[d].val.i;
		if (x.start.kind != S_CONST ||
		    (!x.fixed && (x.len.kind != S_CONST || x.step.kind != S_CONST)))
			return false;
		next = (Ints){0};
		for EACH(int, p, *out)
			for (int64_t k = 0, n = x.fixed ? 1 : x.len.val.i; k < n; k++) {
				int64_t i = x.start.val.i;
				if (i < 0 || i >= size)
					return false;
				int64_t step = x.fixed ? 0 : x.step.val.i;
				if (step < -size || step > size || k > size)
					return false;
				i += k * step;
				if (i < 0 || i >= size)
					return false;
				VEC_PUSH(&next, *p * (int)size + (int)i);
			}
		*out = next;
	}
	return true;
}

// The row-major position of an element, computed.
static Sub position(Scal *s, Subs dims, Slices at)
{
	Sub p = sub_i64(0);
	for (int d = 0; d < at.len; d++)
		p = b_add(&s->b, b_mul(&s->b, p, dims.at[d]), at.at[d].start);
	return p;
}

// ---- Forms ----

static bool read_elem(Scal *s, const Stm *st, Sub arr, Slices at)
{
	const Subs *elems = known_elems(s, arr);
	Ints places = {0};
	if (!elems || !elems->len)
		return false;
	if (positions(sub_type(arr).dims, at, &places)) {
		scal_is(s, st->pat.at[0], elems->at[places.at[0]]);
		return s->changed = true;
	}
	if (elems->len > FEW_ELEMS)
		return false;
	Sub p = position(s, sub_type(arr).dims, at), x = elems->at[elems->len - 1];
	for (int k = elems->len - 1; k-- > 0;)
		x = b_select(&s->b, b_eq(&s->b, p, sub_i64(k)), elems->at[k], x);
	scal_is(s, st->pat.at[0], x);
	return s->changed = true;
}

static bool slice_elems(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	if (is_element(e->slice.at))
		return read_elem(s, st, e->slice.arr, e->slice.at);
	const Subs *elems = known_elems(s, e->slice.arr);
	Ints places = {0};
	if (!elems || !small_array(vars[st->pat.at[0].id].type) ||
	    !positions(sub_type(e->slice.arr).dims, e->slice.at, &places))
		return false;
	Subs out = {NEW_ARRAY(Sub, places.len), 0};
	for EACH(int, p, places)
		out.at[out.len++] = elems->at[*p];
	return becomes(s, st, out);
}

static bool update_elems(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	const Subs *elems = known_elems(s, e->update.arr);
	Ints places = {0};
	if (!elems)
		return false;
	Subs dims = sub_type(e->update.arr).dims, out = SLICE_DUP(Subs, *elems);
	bool one = is_element(e->update.at);
	if (positions(dims, e->update.at, &places)) {
		Subs vals = one ? subs_of(1, e->update.val) : elems_of(s, e->update.val,
			type_array(sub_type(e->update.arr).elem, slice_dims(e->update.at)));
		for (int k = 0; k < places.len; k++)
			out.at[places.at[k]] = vals.at[k];
		return becomes(s, st, out);
	}
	if (!one || elems->len > FEW_ELEMS)
		return false;
	Sub p = position(s, dims, e->update.at);
	for (int k = 0; k < out.len; k++)
		out.at[k] = b_select(&s->b, b_eq(&s->b, p, sub_i64(k)), e->update.val, out.at[k]);
	return becomes(s, st, out);
}

static bool rearrange_elems(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	const Subs *elems = known_elems(s, e->rearrange.arr);
	if (!elems)
		return false;
	Subs from = sub_type(e->rearrange.arr).dims, to = vars[st->pat.at[0].id].type.dims;
	Subs out = {NEW_ARRAY(Sub, elems->len), elems->len};
	for (int k = 0; k < out.len; k++) {
		int64_t rest = k, idx[MOST_ELEMS], p = 0;
		for (int d = from.len; d-- > 0;) {
			int64_t size = from.at[e->rearrange.perm.at[d]].val.i;
			idx[e->rearrange.perm.at[d]] = rest % size;
			rest /= size;
		}
		for (int d = 0; d < from.len; d++)
			p = p * from.at[d].val.i + idx[d];
		out.at[k] = elems->at[p];
	}
	return to.len <= MOST_ELEMS && becomes(s, st, out);
}

// All arrays one after the other; they are small, for so is what they make up.
static bool join_elems(Scal *s, const Stm *st, Subs parts)
{
	int n = small_array(vars[st->pat.at[0].id].type);
	Subs out = {NEW_ARRAY(Sub, n), 0};
	for EACH(Sub, p, parts) {
		Type t = sub_type(*p);
		if (t.dims.len && !small_array(t))
			return false;
		Subs some = t.dims.len ? elems_of(s, *p, t) : subs_of(1, *p);
		for EACH(Sub, x, some) {
			if (out.len == n)
				return false;
			out.at[out.len++] = *x;
		}
	}
	return out.len == n && becomes(s, st, out);
}

static bool repeat_elems(Scal *s, const Stm *st)
{
	Sub x = st->exp->replicate.x;
	int n = small_array(vars[st->pat.at[0].id].type);
	if (sub_type(x).dims.len && !small_array(sub_type(x)))
		return false;
	Subs row = sub_type(x).dims.len ? elems_of(s, x, sub_type(x)) : subs_of(1, x);
	Subs out = {NEW_ARRAY(Sub, n), n};
	for (int k = 0; k < n; k++)
		out.at[k] = row.at[k % row.len];
	return becomes(s, st, out);
}

static bool iota_elems(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	int n = small_array(vars[st->pat.at[0].id].type);
	Subs out = {NEW_ARRAY(Sub, n), n};
	for (int k = 0; k < n; k++) {
		Sub i = sub_const(convert_eval(e->iota.type, sub_i64(k).val));
		out.at[k] = b_add(&s->b, e->iota.start, b_mul(&s->b, i, e->iota.step));
	}
	return becomes(s, st, out);
}

static bool scratch_elems(Scal *s, const Stm *st)
{
	int n = small_array(vars[st->pat.at[0].id].type);
	Subs out = {NEW_ARRAY(Sub, n), n};
	Sub zero = sub_const(convert_eval(st->exp->scratch.type, sub_i64(0).val));
	for EACH(Sub, x, out)
		*x = zero;
	return becomes(s, st, out);
}

static bool same_elems(Scal *s, const Stm *st, Sub from)
{
	const Subs *elems = known_elems(s, from);
	if (!elems)
		return false;
	if (small_array(vars[st->pat.at[0].id].type))
		return becomes(s, st, *elems);
	if (!type_is_scalar(vars[st->pat.at[0].id].type))
		return false;
	scal_is(s, st->pat.at[0], elems->at[0]);
	return s->changed = true;
}

bool scal_array(Scal *s, const Stm *st)
{
	const Exp *e = st->exp;
	bool small = st->pat.len == 1 && small_array(vars[st->pat.at[0].id].type);
	switch (e->form) {
	case E_index:
		return read_elem(s, st, e->index.arr, slices_at(e->index.idx, (Subs){0}));
	case E_slice:     return slice_elems(s, st);
	case E_update:    return update_elems(s, st);
	case E_atom:      return same_elems(s, st, e->atom.x);
	case E_copy:      return same_elems(s, st, e->copy.arr);
	case E_reshape:   return same_elems(s, st, e->reshape.arr);
	case E_rearrange: return rearrange_elems(s, st);
	case E_concat:    return small && join_elems(s, st, e->concat.arrs);
	case E_array:     return small && join_elems(s, st, e->array.elems);
	case E_replicate: return small && repeat_elems(s, st);
	case E_iota:      return small && iota_elems(s, st);
	case E_scratch:   return small && scratch_elems(s, st);
	default: // knows nothing of elements
		return false;
	}
}
