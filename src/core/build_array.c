// The builder (build.c): what it emits of arrays, SOACs and assertions.
#include "core/build.h"

// ---- Arrays ----

static Type array_of(Sub arr)
{
	Type t = sub_type(arr);
	if (t.kind != T_DATA || !t.dims.len)
		bug("%s : %s is not an array", show_sub(arr), show_core_type(t));
	return t;
}

Sub b_index(Build *b, Sub arr, Subs idx)
{
	Type t = array_of(arr);
	if (idx.len == 0)
		return b_folded(b, arr);
	if (idx.len == t.dims.len)
		return b_let(b, "x", type_scalar(t.elem), EXP(index, arr, idx));
	if (idx.len > t.dims.len)
		bug("%d indices into %s", idx.len, show_core_type(t));
	return b_slice(b, arr, slices_at(idx, type_drop(t, idx.len).dims));
}

Subs b_indices(Build *b, Subs space, Sub number)
{
	Subs at = {NEW_ARRAY(Sub, space.len), space.len};
	for (int d = at.len; d-- > 1;) {
		at.at[d] = b_prim2(b, P_rem, number, space.at[d]);
		number = b_prim2(b, P_quot, number, space.at[d]);
	}
	if (at.len)
		at.at[0] = number;
	return at;
}

Sub b_slice(Build *b, Sub arr, Slices at)
{
	Type t = array_of(arr);
	if (at.len != t.dims.len)
		bug("%d slices of %s", at.len, show_core_type(t));
	bool whole = true, all_fixed = true;
	for (int i = 0; i < at.len; i++) {
		whole &= is_whole_dim(at.at[i], t.dims.at[i]);
		all_fixed &= at.at[i].fixed;
	}
	if (whole)
		return b_folded(b, arr);
	if (all_fixed) {
		Subs idx = {NEW_ARRAY(Sub, at.len), at.len};
		for (int i = 0; i < at.len; i++)
			idx.at[i] = at.at[i].start;
		return b_index(b, arr, idx);
	}
	return b_let(b, "slice", type_array(t.elem, slice_dims(at)), EXP(slice, arr, at));
}

Sub b_update(Build *b, Sub arr, Slices at, Sub val)
{
	return b_let(b, "upd", array_of(arr), EXP(update, arr, at, val));
}

Sub b_iota(Build *b, Sub n)
{
	return b_let(b, "iota", type_array(PT_I64, subs_of(1, n)),
	             EXP(iota, PT_I64, n, sub_i64(0), sub_i64(1)));
}

Sub b_scratch(Build *b, const char *hint, Type t)
{
	return b_let(b, hint, type_plain(t), EXP(scratch, t.elem, t.dims));
}

Sub b_replicate(Build *b, Sub n, Sub x)
{
	return b_let(b, "repl", type_of_rows(n, sub_type(x)), EXP(replicate, subs_of(1, n), x));
}

Sub b_reshape(Build *b, Subs dims, Sub arr)
{
	Type from = sub_type(arr), to = type_array(from.elem, dims);
	if (b_same_types(from, to))
		return b_folded(b, arr);
	return b_let(b, "shaped", to, EXP(reshape, dims, arr));
}

Sub b_rearrange(Build *b, const int *perm, Sub arr)
{
	Type t = array_of(arr);
	int rank = t.dims.len;
	bool same = true;
	Subs dims = {NEW_ARRAY(Sub, rank), rank};
	for (int i = 0; i < rank; i++) {
		same &= perm[i] == i;
		dims.at[i] = t.dims.at[perm[i]];
	}
	if (same)
		return b_folded(b, arr);
	return b_let(b, "arranged", type_array(t.elem, dims),
	             EXP(rearrange, {mem_dup(perm, (size_t)rank * sizeof *perm), rank}, arr));
}

// The dimensions turned round, so that number `first` is the first.
static Sub turned(Build *b, Sub arr, int first)
{
	int rank = array_of(arr).dims.len;
	int *perm = NEW_ARRAY(int, rank);
	for (int i = 0; i < rank; i++)
		perm[i] = (i + first) % rank;
	return b_rearrange(b, perm, arr);
}

Sub b_last_first(Build *b, Sub arr) { return turned(b, arr, array_of(arr).dims.len - 1); }
Sub b_first_last(Build *b, Sub arr) { return turned(b, arr, 1); }

Sub b_copy(Build *b, Sub arr)
{
	return b_let(b, "copy", sub_type(arr), EXP(copy, arr));
}

// The attributes are for the concatenation, not for the sum of the sizes.
Sub b_concat(Build *b, Sub x, Sub y)
{
	Attributes attrs = b->attrs;
	Type t = array_of(x);
	Sub size = b_add(b, t.dims.at[0], array_of(y).dims.at[0]);
	b->attrs = attrs;
	return b_let(b, "conc", type_of_rows(size, type_row(t)),
	             EXP(concat, size, subs_of(2, x, y)));
}

// ---- SOACs ----

Subs b_map(Build *b, Sub n, Subs arrs, Lambda *f)
{
	Types ts = {f->ret.len ? NEW_ARRAY(Type, f->ret.len) : NULL, f->ret.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = type_of_rows(n, f->ret.at[i]);
	return b_lets(b, "ys", ts, EXP(screma, .n = n, .arrs = arrs, .map = f));
}

Lambda *b_operator(Build *b, Prim op, PrimType t)
{
	b_open(b);
	Var x = var_new(name_of("x"), type_scalar(t)), y = var_new(name_of("y"), type_scalar(t));
	return b_lambda(b, vars_of(2, x, y),
	                subs_of(1, b_prim2(b, op, sub_var(x), sub_var(y))));
}

Sub b_add_arrays(Build *b, Sub x, Sub y)
{
	Type t = sub_type(x);
	if (!t.dims.len)
		return b_add(b, x, y);
	Type row = type_plain(type_row(t));
	Var p = var_new(name_of("x"), row), q = var_new(name_of("y"), row);
	b_open(b);
	Sub r = b_add_arrays(b, sub_var(p), sub_var(q));
	Lambda *f = b_lambda(b, vars_of(2, p, q), subs_of(1, r));
	return b_map(b, t.dims.at[0], subs_of(2, x, y), f).at[0];
}

Lambda *identity_on(Subs arrs)
{
	Types ts = types_of_subs(arrs);
	for EACH(Type, t, ts)
		*t = type_row(*t);
	return lambda_identity(ts);
}

Subs b_reduce(Build *b, Sub n, Subs arrs, Lambda *op, Subs ne)
{
	Exp *e = EXP(screma, .n = n, .arrs = arrs, .map = identity_on(arrs),
	             .reds = {NEW(Reduction, op, ne, true), 1});
	return b_lets(b, "red", op->ret, e);
}

Subs b_scan(Build *b, Sub n, Subs arrs, Lambda *op, Subs ne)
{
	Exp *e = EXP(screma, .n = n, .arrs = arrs, .map = identity_on(arrs),
	             .scans = {NEW(Reduction, op, ne, false), 1});
	Types ts = {NEW_ARRAY(Type, op->ret.len), op->ret.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = type_of_rows(n, op->ret.at[i]);
	return b_lets(b, "scan", ts, e);
}

// ---- Assertions ----

Var b_assert(Build *b, Sub cond, Msg msg)
{
	if (cond.kind == S_CONST && cond.val.u) {
		b->attrs = (Attributes){0};
		return (Var){0};
	}
	Var v = var_new(name_of("cert"), type_cert());
	b_stm(b, vars_of(1, v), EXP(assert_, cond, msg));
	return v;
}

Sub b_product(Build *b, Subs dims)
{
	Sub n = sub_i64(1);
	for EACH(Sub, d, dims)
		n = b_mul(b, n, *d);
	return n;
}

Sub b_in_range(Build *b, Subs idx, Subs space)
{
	Sub all = sub_bool(true);
	for (int d = 0; d < idx.len; d++) {
		Sub low = b_le(b, sub_i64(0), idx.at[d]), high = b_lt(b, idx.at[d], space.at[d]);
		all = b_prim2(b, P_and, all, b_prim2(b, P_and, low, high));
	}
	return all;
}
