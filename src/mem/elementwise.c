// Finds loops that may work in the memory they read, because each iteration reads just the element
// that it then overwrites.
//
//     #[parallel] let (ys: [n]f64 @ b + 0) = loop (q: *[n]f64 @ b + 0 = ys0) for i: i64 < n do {
//       let (x: f64) = index xs [i]                              -- xs: [n]f64 @ a + 0
//       let (y: f64) = mul.f64 x x
//       let (q1: [n]f64 @ b + 0) = update q [i] y
//       in q1
//     }
//
// Here b may become a.  The body accesses block a only at its own level (not in nested loops), only
// by indexing the same row with the counter, and before it writes b, which it does once, at the
// counter.
#include "mem/elementwise.h"

#include "core/affine.h"
#include "core/mention.h"

// ---- Loops ----

static Affine stride_of(AffineDefs defs, Type t, int d)
{
	if (t.mem->strides.len)
		return affine_of(defs, t.mem->strides.at[d]);
	return affine_product(defs, (Subs){t.dims.at + d + 1, t.dims.len - d - 1});
}

// Is the offset that of the part of the array at these outer indices?
static bool is_address(AffineDefs defs, Sub offset, Type t, Subs idx)
{
	Affine at = affine_of(defs, t.mem->offset), given = affine_of(defs, offset);
	for (int d = 0; d < idx.len; d++) {
		Affine i = affine_of(defs, idx.at[d]), s = stride_of(defs, t, d);
		Affine part = affine_mul(&i, &s);
		affine_add_to(&at, &part, 1);
	}
	return affine_same(&at, &given);
}

// Is the last index the counter, and do the others lead to the place `from`?
static bool reads_at(const Stm *s, Sub i, const MemLoc *from, AffineDefs defs)
{
	const Exp *e = s->exp;
	if (e->form != E_index)
		return false;
	Type t = sub_type(e->index.arr);
	int last = e->index.idx.len - 1;
	Subs outer = {e->index.idx.at, last};
	Sub one = sub_i64(1), stride = from->strides.len ? from->strides.at[0] : one;
	Sub step = t.mem->strides.len ? t.mem->strides.at[last] : one;
	return t.mem->block.id == from->block.id && sub_eq(e->index.idx.at[last], i) &&
	       affine_equal(defs, stride, step) && is_address(defs, from->offset, t, outer);
}

// The array written is one of a single dimension that starts its block.
static bool writes_at(const Stm *s, Sub i)
{
	const Exp *e = s->exp;
	if (e->form != E_update || e->update.at.len != 1 || !is_row_at(e->update.at, i))
		return false;
	const MemLoc *at = vars[s->pat.at[0].id].type.mem;
	return !at->strides.len && sub_eq(at->offset, sub_i64(0));
}

bool elementwise(const Exp *loop, const Map *by_block, const MemLoc *from, Var to,
                 const Map *scalars)
{
	if (loop->form != E_loop || loop->loop.is_while)
		return false;
	AffineDefs defs = defs_in_map(scalars);
	Sub i = sub_var(loop->loop.i);
	const Stm *stms = loop->loop.body.stms.at;
	const StmNumbers *write = stms_with(by_block, to);
	if (write->len != 1 || !writes_at(&stms[write->at[0]], i))
		return false;
	for EACH(int, k, *stms_with(by_block, from->block))
		if (*k >= write->at[0] || !reads_at(&stms[*k], i, from, defs))
			return false;
	return true;
}
