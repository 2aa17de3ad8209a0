// Layouts of views: how slicing, permuting and reshaping change offset and strides.
//
//     xs: [n][m]f64 @ b + o               element (i, j) is at o + i * m + j
//     slice xs [i, 0:m:1]                 @ b + (o + i * m)
//     slice xs [0:n:1, j]                 @ b + (o + j) {m}
//     rearrange (1, 0) xs                 @ b + o {1, m}
//
// Operands that are computed for a place are emitted as ordinary statements.
#include "mem/layout.h"

Sub count_of(Build *b, Subs dims)
{
	Sub n = sub_i64(1);
	int from = b_len(b);
	for (int d = dims.len; d-- > 0;)
		n = b_mul(b, dims.at[d], n);
	b_add_attr(b, from, ATTR_SIZE);
	return n;
}

Subs strides_of(Build *b, Type t)
{
	if (t.mem->strides.len)
		return t.mem->strides;
	Subs s = {NEW_ARRAY(Sub, t.dims.len), t.dims.len};
	Sub n = sub_i64(1);
	for (int d = t.dims.len; d-- > 0;) {
		s.at[d] = n;
		if (d > 0)
			n = b_mul(b, t.dims.at[d], n);
	}
	return s;
}

// Of a row-major array: some outer indices, a range without gaps, the rest whole.
static bool stays_row_major(Type t, Slices at)
{
	int d = 0;
	if (t.mem->strides.len)
		return false;
	while (d < at.len && at.at[d].fixed)
		d++;
	if (d < at.len && !is_int_const(at.at[d].step, 1))
		return false;
	for (d++; d < at.len; d++)
		if (!is_whole_dim(at.at[d], t.dims.at[d]))
			return false;
	return true;
}

MemLoc loc_slice(Build *b, Type t, Slices at)
{
	Subs strides = strides_of(b, t);
	MemLoc out = {t.mem->block, t.mem->offset, {NEW_ARRAY(Sub, at.len), 0}};
	for (int d = 0; d < at.len; d++) {
		Sub step = strides.at[d];
		out.offset = b_add(b, out.offset, b_mul(b, at.at[d].start, step));
		if (!at.at[d].fixed)
			out.strides.at[out.strides.len++] = b_mul(b, at.at[d].step, step);
	}
	if (stays_row_major(t, at) ||
	    (out.strides.len == 1 && is_int_const(out.strides.at[0], 1)))
		out.strides = (Subs){0};
	return out;
}

MemLoc loc_rearrange(Build *b, Type t, const int *perm)
{
	Subs strides = strides_of(b, t);
	MemLoc out = {t.mem->block, t.mem->offset, {NEW_ARRAY(Sub, strides.len), strides.len}};
	bool same = true;
	for (int d = 0; d < strides.len; d++) {
		out.strides.at[d] = strides.at[perm[d]];
		same &= perm[d] == d;
	}
	if (same)
		out.strides = t.mem->strides;
	return out;
}

// Row-major arrays, and those of one dimension, have all shapes without being moved.
bool loc_reshape(Build *b, Type t, Subs dims, MemLoc *out)
{
	*out = *t.mem;
	if (!t.mem->strides.len)
		return true;
	if (t.dims.len != 1)
		return false;
	Type dense = type_array(t.elem, dims);
	dense.mem = &(MemLoc){t.mem->block, t.mem->offset, {0}};
	out->strides = SLICE_DUP(Subs, strides_of(b, dense));
	for EACH(Sub, s, out->strides)
		*s = b_mul(b, *s, t.mem->strides.at[0]);
	return true;
}
