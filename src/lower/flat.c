// Strided views of one-dimensional arrays: flat_index_2d and its relatives.
//
//     flat_index_2d a offset n s m t     element (i, j) is a[offset + i * s + j * t]
//     flat_update_2d a offset s t v      the same places of a get the elements of v
//
// All indices must be in bounds, which the smallest and the largest of them determine.  Views are
// maps, and updates are scatters.
#include "lower/lower_internal.h"

enum { MAX_DIMS = 4 };

typedef struct {
	int n;
	Sub offset, size[MAX_DIMS], stride[MAX_DIMS];
} View;

// ---- Bounds ----

// Each distance from the offset is less than the array is long, so that sums of them do not
// overflow; products that do overflow have an upper half of their own.
static Sub distances_ok(Lower *L, const View *v, Sub len)
{
	Build *b = &L->b;
	Sub ok = sub_bool(true), lowest = v->offset, highest = v->offset;
	Sub shortest = b_sub(b, sub_i64(0), len);
	for (int d = 0; d < v->n; d++) {
		Sub last = b_sub(b, v->size[d], sub_i64(1));
		Sub far = b_mul(b, last, v->stride[d]);
		Sub sign = b_prim2(b, P_ashr, far, sub_i64(63));
		ok = both(L, ok, b_eq(b, b_prim2(b, P_mul_hi, last, v->stride[d]), sign));
		ok = both(L, ok, both(L, b_lt(b, shortest, far), b_lt(b, far, len)));
		lowest = b_add(b, lowest, b_prim2(b, P_min, far, sub_i64(0)));
		highest = b_add(b, highest, b_prim2(b, P_max, far, sub_i64(0)));
	}
	return both(L, ok, both(L, b_le(b, sub_i64(0), lowest), b_lt(b, highest, len)));
}

// The offset is inside of the array, and so are all places, if there are any.
static Vars check_view(Lower *L, const View *v, Sub len)
{
	Build *b = &L->b;
	Sub empty = sub_bool(false), sizes = sub_bool(true);
	MsgVec msg = {0};
	msg_text(&msg, "Flat slice out of bounds: offset ");
	msg_val(&msg, v->offset);
	for (int d = 0; d < v->n; d++) {
		empty = b_prim2(b, P_or, empty, b_eq(b, v->size[d], sub_i64(0)));
		sizes = both(L, sizes, is_size(b, v->size[d], 0));
		msg_text(&msg, ", size ");
		msg_val(&msg, v->size[d]);
		msg_text(&msg, " stride ");
		msg_val(&msg, v->stride[d]);
	}
	msg_text(&msg, " of array of shape [");
	msg_val(&msg, len);
	msg_text(&msg, "].");
	Sub start = both(L, b_le(b, sub_i64(0), v->offset), b_lt(b, v->offset, len));
	Sub places = b_prim2(b, P_or, empty, distances_ok(L, v, len));
	return check_begin(L, both(L, sizes, both(L, start, places)), msg);
}

// ---- Maps over all places ----

// Arrays of what the elements of `of` at the places are; of the places themselves without `of`.
static Subs at_places(Lower *L, const View *v, int d, Sub place, Val *of)
{
	Build *b = &L->b;
	if (d == v->n)
		return of ? elem_subs(array_row(L, of, place)) : subs_of(1, place);
	Sub n = v->size[d], is = b_iota(b, n);
	Var i = var_i64("i");
	b_open(b);
	Sub next = b_add(b, place, b_mul(b, sub_var(i), v->stride[d]));
	Subs res = at_places(L, v, d + 1, next, of);
	Lambda *l = b_lambda(b, vars_of(1, i), res);
	Types ts = {NEW_ARRAY(Type, l->ret.len), l->ret.len};
	for (int k = 0; k < ts.len; k++)
		ts.at[k] = type_of_rows(n, l->ret.at[k]);
	return b_lets(b, "view", ts, EXP(screma, .n = n, .arrs = subs_of(1, is), .map = l));
}

Val *flat_index(Lower *L, Vals args, int n)
{
	View v = {.n = n, .offset = val_sub(args.at[1])};
	for (int d = 0; d < n; d++) {
		v.size[d] = val_sub(args.at[2 + 2 * d]);
		v.stride[d] = val_sub(args.at[3 + 2 * d]);
	}
	Val *a = args.at[0];
	Vars saved = check_view(L, &v, val_dim(a, 0));
	Rep *rep = a->rep;
	for (int d = 1; d < n; d++)
		rep = rep_array(&L->reps, rep);
	Val *r = val_data(rep, at_places(L, &v, 0, v.offset, a));
	check_end(L, saved);
	return r;
}

Val *flat_update(Lower *L, Vals args, int n)
{
	Val *dest = args.at[0], *vals = args.at[n + 2];
	View v = {.n = n, .offset = val_sub(args.at[1])};
	for (int d = 0; d < n; d++) {
		v.size[d] = val_dim(vals, d);
		v.stride[d] = val_sub(args.at[2 + d]);
	}
	Vars saved = check_view(L, &v, val_dim(dest, 0));
	Rep *rep = rep_prim(&L->reps, PT_I64);
	for (int d = 0; d < n; d++)
		rep = rep_array(&L->reps, rep);
	Val *is = val_data(rep, at_places(L, &v, 0, v.offset, NULL));
	for (int d = 1; d < n; d++) {
		is = array_flatten(L, is);
		vals = array_flatten(L, vals);
	}
	Val *parts[] = {dest, is, vals};
	Val *r = soac_scatter(L, (Vals){parts, 3}, 1);
	check_end(L, saved);
	return r;
}
