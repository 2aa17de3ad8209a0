// Indexing, slicing and updates.
//
// An index or slice is checked before it is used:
//
//   a[i]       0 <= i < n
//   a[i:j:s]   s != 0, and either i == j (nothing is selected), or the first and the last
//              element selected exist, with i <= j going up and -1 <= j <= i going down; j itself
//              may lie past the end by less than the stride
//
// An update goes down a path of fields and indices.  Arrays of records are records of arrays,
// so fields below indices select flat arrays, and the whole path is one core update of each:
//
//   a with [i].f[j] = v       a_f with [i, j] = v
#include "lower/lower_internal.h"

typedef VEC(DimSlice) SliceVec;

// Indices being lowered: the condition under which they are valid and how they read.
typedef struct { SliceVec at; Sub ok; MsgVec text; bool has_slice; } Indexing;

static Sub in_range(Lower *L, Sub lo, Sub x, Sub hi)
{
	return both(L, b_le(&L->b, lo, x), b_le(&L->b, x, hi));
}

static Sub is_index(Lower *L, Sub i, Sub n)
{
	return both(L, b_le(&L->b, sub_i64(0), i), b_lt(&L->b, i, n));
}

// ---- Slices ----

typedef struct { Sub from, to, step, n; bool has_from, has_to; } SliceOf;

static void put_part(MsgVec *m, const Expr *e, Sub x)
{
	if (e)
		msg_val(m, x);
}

// Step 1: a part left out is at the edge and needs no check against the other edge.
static Sub up_ok(Lower *L, SliceOf s)
{
	Sub zero = sub_i64(0);
	if (!s.has_from && !s.has_to)
		return sub_bool(true);
	if (!s.has_from || is_int_const(s.from, 0))
		return in_range(L, zero, s.to, s.n);
	if (!s.has_to)
		return in_range(L, zero, s.from, s.n);
	Sub inside = both(L, b_le(&L->b, zero, s.from),
	                  both(L, b_le(&L->b, s.from, s.to), b_le(&L->b, s.to, s.n)));
	return either(L, b_eq(&L->b, s.from, s.to), inside);
}

static Sub down_ok(Lower *L, SliceOf s)
{
	Sub end = sub_i64(-1);
	if (!s.has_from && !s.has_to)
		return sub_bool(true);
	Sub first = both(L, b_le(&L->b, end, s.from), b_lt(&L->b, s.from, s.n));
	if (!s.has_to)
		return first;
	Sub inside = both(L, b_lt(&L->b, s.from, s.n), in_range(L, end, s.to, s.from));
	return either(L, b_eq(&L->b, s.from, s.to), inside);
}

static Sub slice_ok(Lower *L, SliceOf s, Sub upwards, Sub len)
{
	Build *b = &L->b;
	Sub last = b_add(b, s.from, b_mul(b, b_sub(b, len, sub_i64(1)), s.step));
	Sub up = b_le(b, s.from, s.to);
	Sub down = in_range(L, sub_i64(-1), s.to, s.from);
	Sub way = either(L, both(L, upwards, up), both(L, b_prim1(b, P_not, upwards), down));
	Sub inside = both(L, both(L, is_index(L, s.from, s.n), is_index(L, last, s.n)), way);
	Sub some = either(L, b_eq(b, s.from, s.to), inside);
	return both(L, b_prim1(b, P_not, b_eq(b, s.step, sub_i64(0))), some);
}

// ceil((to - from) / step), for a step that is not zero: one more than the whole steps that lead to
// the last element, so that nothing overflows however large step and end are.
static Sub slice_len(Lower *L, SliceOf s)
{
	Build *b = &L->b;
	Sub step = b_select(b, b_eq(b, s.step, sub_i64(0)), sub_i64(1), s.step);
	Sub most = b_sub(b, b_sub(b, s.to, s.from), b_prim1(b, P_sgn, step));
	Sub len = b_add(b, b_prim2(b, P_quot, most, step), sub_i64(1));
	return b_select(b, b_eq(b, s.from, s.to), sub_i64(0), len);
}

static void add_slice(Lower *L, Frame *f, const Index *ix, Sub n, Indexing *out)
{
	Build *b = &L->b;
	SliceOf s = {.n = n, .step = sub_i64(1), .has_from = ix->from, .has_to = ix->to};
	if (ix->from)
		s.from = lower_scalar(L, f, ix->from);
	if (ix->to)
		s.to = lower_scalar(L, f, ix->to);
	if (ix->step)
		s.step = lower_scalar(L, f, ix->step);
	set_where(L, ix->span);
	Sub upwards = b_lt(b, sub_i64(0), s.step);
	if (!ix->from)
		s.from = b_select(b, upwards, sub_i64(0), b_sub(b, n, sub_i64(1)));
	if (!ix->to)
		s.to = b_select(b, upwards, n, sub_i64(-1));
	Sub len, ok;
	if (is_int_const(s.step, 1)) {
		len = b_sub(b, s.to, s.from);
		ok = up_ok(L, s);
	} else if (is_int_const(s.step, -1)) {
		len = !ix->from && !ix->to ? n : b_sub(b, s.from, s.to);
		ok = down_ok(L, s);
	} else {
		len = slice_len(L, s);
		ok = slice_ok(L, s, upwards, len);
	}
	put_part(&out->text, ix->from, s.from);
	msg_text(&out->text, ":");
	put_part(&out->text, ix->to, s.to);
	if (ix->step)
		msg_text(&out->text, ":");
	put_part(&out->text, ix->step, s.step);
	out->has_slice = true;
	out->ok = both(L, out->ok, ok);
	VEC_PUSH(&out->at, (DimSlice){false, s.from, len, s.step});
}

static void add_fixed(Lower *L, Sub i, Sub n, Indexing *out)
{
	msg_val(&out->text, i);
	i = b_convert(&L->b, PT_I64, i);
	out->ok = both(L, out->ok, is_index(L, i, n));
	VEC_PUSH(&out->at, dim_at(i));
}

static Indexing lower_indices(Lower *L, Frame *f, Indices idx, Subs dims)
{
	Indexing out = {.ok = sub_bool(true)};
	for (int i = 0; i < idx.len; i++) {
		if (i)
			msg_text(&out.text, ", ");
		const Index *ix = &idx.at[i];
		if (ix->is_slice) {
			add_slice(L, f, ix, dims.at[i], &out);
		} else {
			Sub x = lower_scalar(L, f, ix->index);
			set_where(L, ix->span);
			add_fixed(L, x, dims.at[i], &out);
		}
	}
	return out;
}

static Vars check_indices(Lower *L, const Indexing *ix, Subs dims)
{
	MsgVec msg = {0};
	msg_text(&msg, "Index [");
	VEC_APPEND(&msg, ix->text);
	msg_text(&msg, "] out of bounds for array of shape [");
	for (int i = 0; i < ix->at.len; i++) {
		if (i)
			msg_text(&msg, "][");
		msg_val(&msg, dims.at[i]);
	}
	msg_text(&msg, "].");
	return check_begin(L, ix->ok, msg);
}

// ---- Reading ----

static Slices whole_after(const SliceVec *at, Subs dims)
{
	Slices out = {NEW_ARRAY(DimSlice, dims.len), dims.len};
	for (int i = 0; i < dims.len; i++)
		out.at[i] = i < at->len ? at->at[i]
		          : dim_whole(dims.at[i]);
	return out;
}

static Val *read_at(Lower *L, Val *array, const SliceVec *at)
{
	Rep *r = array->rep;
	int n_slices = 0;
	for EACH(DimSlice, d, *at) {
		r = r->elem;
		n_slices += !d->fixed;
	}
	for (int i = 0; i < n_slices; i++)
		r = rep_array(&L->reps, r);
	Subs flat = {NEW_ARRAY(Sub, r->flat.len), r->flat.len};
	for (int i = 0; i < flat.len; i++) {
		Sub a = array->flat.at[i];
		flat.at[i] = b_slice(&L->b, a, whole_after(at, sub_type(a).dims));
	}
	return val_data(r, flat);
}

static Subs dims_of(const Val *array)
{
	return sub_type(array->flat.at[0]).dims;
}

static Val *index_array(Lower *L, Frame *f, Indices idx, Val *array, Span span)
{
	Subs dims = dims_of(array);
	Indexing ix = lower_indices(L, f, idx, dims);
	set_where(L, span);
	Vars saved = check_indices(L, &ix, dims);
	Val *v = read_at(L, array, &ix.at);
	check_end(L, saved);
	return v;
}

Val *lower_index(Lower *L, Frame *f, Expr *e)
{
	Val *array = lower_expr(L, f, e->index.of);
	return index_array(L, f, e->index.idx, array, e->span);
}

Val *index_with(Lower *L, Val *array, Vals idx, Span span)
{
	Subs dims = dims_of(array);
	Indexing ix = {.ok = sub_bool(true)};
	for (int i = 0; i < idx.len; i++) {
		if (i)
			msg_text(&ix.text, ", ");
		add_fixed(L, val_sub(idx.at[i]), dims.at[i], &ix);
	}
	set_where(L, span);
	Vars saved = check_indices(L, &ix, dims);
	Val *v = read_at(L, array, &ix.at);
	check_end(L, saved);
	return v;
}

Val *array_row(Lower *L, Val *array, Sub i)
{
	SliceVec at = {0};
	VEC_PUSH(&at, dim_at(i));
	return read_at(L, array, &at);
}

Val *lower_path(Lower *L, Frame *f, Path path, Val *v)
{
	for EACH(PathStep, s, path)
		v = s->is_field ? val_field(v, s->field) : index_array(L, f, s->idx, v, s->span);
	return v;
}

// ---- Writing ----

// What an update writes: to be evaluated, or evaluated already.
typedef struct { Expr *expr; Val *ready; } NewValue;

static Val *new_value(Lower *L, Frame *f, NewValue v)
{
	return v.ready ? v.ready : lower_expr(L, f, v.expr);
}

static Val *update_at(Lower *L, Frame *f, Path path, int k, Val *old, NewValue value);

static Val *update_field(Lower *L, Frame *f, Path path, int k, Val *old, NewValue value)
{
	Rep *r = old->rep;
	int at = rep_field(r, path.at[k].field);
	Vals parts = {NEW_ARRAY(Val *, r->fields.len), r->fields.len};
	for (int i = 0; i < parts.len; i++)
		parts.at[i] = val_part(old, i);
	parts.at[at] = update_at(L, f, path, k + 1, parts.at[at], value);
	return val_record(L, r->names, parts);
}

// Where in an array a path leads: some of its flat arrays, at some of their dimensions.
typedef struct { Rep *rep; int first; SliceVec at; bool has_slice; } Target;

static Val *read_target(Lower *L, Val *array, const Target *t)
{
	int n_slices = 0;
	for EACH(DimSlice, d, t->at)
		n_slices += !d->fixed;
	Rep *r = t->rep;
	for (int i = 0; i < n_slices; i++)
		r = rep_array(&L->reps, r);
	Subs flat = {NEW_ARRAY(Sub, r->flat.len), r->flat.len};
	for (int i = 0; i < flat.len; i++) {
		Sub a = array->flat.at[t->first + i];
		Slices at = whole_after(&t->at, sub_type(a).dims);
		flat.at[i] = b_copy(&L->b, b_slice(&L->b, a, at));
	}
	return val_data(r, flat);
}

static void check_shape(Lower *L, Subs want, Subs have)
{
	Sub ok = sub_bool(true);
	for (int i = 0; i < want.len; i++)
		ok = both(L, ok, b_eq(&L->b, want.at[i], have.at[i]));
	MsgVec msg = {0};
	msg_text(&msg, "Shape of slice does not match shape of value.");
	check_begin(L, ok, msg); // the caller restores what later statements depend on
}

static Val *write_target(Lower *L, Val *array, const Target *t, Val *v)
{
	Subs flat = SLICE_DUP(Subs, array->flat);
	Vars saved = L->b.certs;
	for (int i = 0; i < v->flat.len && t->rep->flat.len; i++) {
		Sub *a = &flat.at[t->first + i];
		Slices at = whole_after(&t->at, sub_type(*a).dims);
		Subs dims = slice_dims(at);
		if (t->has_slice)
			check_shape(L, dims, sub_type(v->flat.at[i]).dims);
		Sub x = as_type(L, v->flat.at[i], type_array(sub_type(*a).elem, dims));
		*a = b_update(&L->b, *a, at, x);
	}
	check_end(L, saved);
	return val_data(array->rep, flat);
}

static Val *update_array(Lower *L, Frame *f, Path path, int k, Val *old, NewValue value)
{
	Target t = {.rep = old->rep};
	Vars saved = L->b.certs;
	for (; k < path.len && !t.has_slice; k++) {
		const PathStep *s = &path.at[k];
		if (s->is_field) {
			int field = rep_field(t.rep, s->field);
			t.first += rep_offset(t.rep, field);
			t.rep = t.rep->fields.at[field];
			continue;
		}
		Subs all = sub_type(old->flat.at[t.first]).dims;
		Subs dims = {all.at + t.at.len, all.len - t.at.len};
		Indexing ix = lower_indices(L, f, s->idx, dims);
		set_where(L, s->span);
		check_indices(L, &ix, dims);
		for EACH(DimSlice, d, ix.at) {
			VEC_PUSH(&t.at, *d);
			t.rep = t.rep->elem;
		}
		t.has_slice = ix.has_slice;
	}
	// Below a slice the path goes on in a copy of what it selects.
	Val *v = k == path.len ? new_value(L, f, value)
	       : update_at(L, f, path, k, read_target(L, old, &t), value);
	Val *new = write_target(L, old, &t, v);
	check_end(L, saved);
	return new;
}

static Val *update_at(Lower *L, Frame *f, Path path, int k, Val *old, NewValue value)
{
	if (k == path.len)
		return new_value(L, f, value);
	return path.at[k].is_field ? update_field(L, f, path, k, old, value)
	                           : update_array(L, f, path, k, old, value);
}

Val *lower_update_of(Lower *L, Frame *f, Path path, Val *old, Expr *value)
{
	return update_at(L, f, path, 0, old, (NewValue){value, NULL});
}

static bool is_place(const Expr *e)
{
	while (e->kind == EX_PAREN || e->kind == EX_PROJECT)
		e = e->kind == EX_PAREN ? e->inner : e->project.of;
	return e->kind == EX_VAR;
}

// The value comes before what is updated, and may read what that consumes:
//
//     (a with [0] = 1) with [1] = a[0]
//
// Beside a variable it makes no difference, and comes after the checks of the indices.
Val *lower_update(Lower *L, Frame *f, Expr *e)
{
	NewValue v = {e->update.value, NULL};
	if (!is_place(e->update.of))
		v.ready = lower_expr(L, f, e->update.value);
	return update_at(L, f, e->update.path, 0, lower_expr(L, f, e->update.of), v);
}
