// Forms on arrays: views where the result may share memory, updates in place.
//
// Bounds are checked here although assertions have checked them before: core may come from a pass
// that dropped them, and the interpreter must never read out of bounds.
#include "core/interp.h"

static int64_t int_of(const Frame *f, Opnd o)
{
	return slot_of(f, o)->raw.i;
}

static Arr *array_of(const Frame *f, Opnd o)
{
	return slot_of(f, o)->raw.arr;
}

static void give(Interp *in, Frame *f, const Ins *ins, Arr *a)
{
	slot_move(in, ins->dst.at, f, (Slot){{.arr = a}, 0});
}

static void put_shape(Str *out, const Arr *a)
{
	for (int d = 0; d < a->rank; d++)
		str_printf(out, "[%lld]", (long long)a->dim[d]);
}

void fail_index(Interp *in, const Arr *a, const int64_t *idx, int n)
{
	Str out = {0};
	str_puts(&out, "Index [");
	for (int i = 0; i < n; i++)
		str_printf(&out, "%s%lld", i ? ", " : "", (long long)idx[i]);
	str_puts(&out, "] out of bounds for array of shape ");
	put_shape(&out, a);
	run_fail(in, "%s.", str_text(&out));
}

// ---- Rows ----

void row_copy(Interp *in, const Arr *a, int64_t i, const Arr *from)
{
	Arr *row = arr_row(in, a, i);
	arr_copy_to(in, row, from);
	arr_release(in, row);
}

// ---- Reading ----

void run_index(Interp *in, Frame *f, const Ins *ins)
{
	const Opnds *idx = ins->ext;
	const Arr *a = array_of(f, ins->x[0]);
	int64_t at = a->off;
	bool ok = idx->len == a->rank;
	for (int d = 0; d < idx->len && ok; d++) {
		int64_t i = int_of(f, idx->at[d]);
		ok = i >= 0 && i < a->dim[d];
		at += ok ? i * arr_strides(a)[d] : 0;
	}
	if (!ok) {
		int64_t is[idx->len + 1];
		for (int d = 0; d < idx->len; d++)
			is[d] = int_of(f, idx->at[d]);
		fail_index(in, a, is, idx->len);
	}
	slot_move(in, ins->dst.at, f, elem_get(a, at));
}

static NORETURN void fail_slice(Interp *in, const Frame *f, const Arr *a, const ISlice *s)
{
	Str out = {0};
	str_puts(&out, "Index [");
	for (int d = 0; d < s->n; d++) {
		const IDim *dim = &s->dims[d];
		long long start = int_of(f, dim->start);
		str_puts(&out, d ? ", " : "");
		if (dim->fixed) {
			str_printf(&out, "%lld", start);
			continue;
		}
		long long len = int_of(f, dim->len), step = int_of(f, dim->step);
		str_printf(&out, "%lld:+%lld*%lld", start, len, step);
	}
	str_puts(&out, "] out of bounds for array of shape ");
	put_shape(&out, a);
	run_fail(in, "%s.", str_text(&out));
}

// Is start, start + step, ... of len elements within n?  An empty slice always is.
static bool slice_fits(int64_t start, int64_t len, int64_t step, int64_t n)
{
	int64_t span, last;
	if (len == 0)
		return true;
	return len > 0 && start >= 0 && start < n &&
	       !__builtin_mul_overflow(len - 1, step, &span) &&
	       !__builtin_add_overflow(start, span, &last) && last >= 0 && last < n;
}

// The part of an array that a slice names; dimensions without a slice are taken whole.
static Arr *slice_view(Interp *in, const Frame *f, const Arr *a, const ISlice *s)
{
	int kept = a->rank - s->n;
	if (kept < 0)
		fail_slice(in, f, a, s);
	for (int d = 0; d < s->n; d++)
		kept += !s->dims[d].fixed;
	Arr *v = arr_view(in, a, kept);
	int to = 0;
	for (int d = 0; d < a->rank; d++) {
		int64_t n = a->dim[d], stride = arr_strides(a)[d];
		if (d >= s->n) {
			v->dim[to] = n;
			v->dim[kept + to++] = stride;
			continue;
		}
		const IDim *dim = &s->dims[d];
		int64_t start = int_of(f, dim->start), len = 1, step = 1;
		if (!dim->fixed) {
			len = int_of(f, dim->len);
			step = int_of(f, dim->step);
		}
		if (!slice_fits(start, len, step, n))
			fail_slice(in, f, a, s);
		if (len)
			v->off += start * stride;
		if (!dim->fixed) {
			v->dim[to] = len;
			v->dim[kept + to++] = len ? step * stride : 0;
		}
	}
	return v;
}

void run_slice(Interp *in, Frame *f, const Ins *ins)
{
	const ISlice *s = ins->ext;
	Arr *v = slice_view(in, f, array_of(f, ins->x[0]), s);
	if (v->rank) {
		give(in, f, ins, v);
		return;
	}
	slot_move(in, ins->dst.at, f, elem_get(v, v->off));
	arr_release(in, v);
}

// ---- Writing ----

void run_update(Interp *in, Frame *f, const Ins *ins)
{
	const ISlice *s = ins->ext;
	Arr *a = arr_writable(in, array_of(f, ins->x[0]));
	const Slot *val = slot_of(f, s->val.o);
	Arr *v = slice_view(in, f, a, s);
	if (v->rank == 0) {
		elem_put(in, v, v->off, slot_retain(K_SCALAR, *val));
	} else if (val->raw.arr->buf == a->buf) {
		// The value lies in the array it is written to.
		Arr *copy = arr_copy(in, val->raw.arr);
		arr_copy_to(in, v, copy);
		arr_release(in, copy);
	} else {
		arr_copy_to(in, v, val->raw.arr);
	}
	arr_release(in, v);
	give(in, f, ins, a);
}

// ---- Making ----

void run_concat(Interp *in, Frame *f, const Ins *ins)
{
	const Args *arrs = ins->ext;
	const Arr *first = array_of(f, arrs->at[0].o);
	int64_t shape[first->rank];
	memcpy(shape, first->dim, sizeof shape);
	shape[0] = 0;
	for (int i = 0; i < arrs->len; i++)
		shape[0] += array_of(f, arrs->at[i].o)->dim[0];
	Arr *r = arr_new(in, (PrimType)first->buf->type, first->rank, shape, false);
	int64_t at = 0;
	for (int i = 0; i < arrs->len; i++) {
		const Arr *a = array_of(f, arrs->at[i].o);
		Arr *part = arr_view(in, r, r->rank);
		memcpy(part->dim, r->dim, 2 * sizeof shape);
		part->dim[0] = a->dim[0];
		part->off = at * arr_strides(r)[0];
		arr_copy_to(in, part, a);
		arr_release(in, part);
		at += a->dim[0];
	}
	give(in, f, ins, r);
}

void run_iota(Interp *in, Frame *f, const Ins *ins)
{
	PrimType t = (PrimType)ins->type;
	int64_t n = int_of(f, ins->x[0]);
	Arr *r = arr_new(in, t, 1, &n, false);
	uint64_t x = slot_of(f, ins->x[1])->raw.u, step = slot_of(f, ins->x[2])->raw.u;
	if (t == PT_I64) {
		uint64_t *out = r->buf->data;
		for (int64_t i = 0; i < n; i++, x += step)
			out[i] = x;
	} else {
		for (int64_t i = 0; i < n; i++, x += step)
			buf_store(r->buf, i, scalar_raw(scalar_int(t, (int64_t)x)));
	}
	give(in, f, ins, r);
}

static void dims_of(const Frame *f, const Opnds *dims, int64_t *shape)
{
	for (int d = 0; d < dims->len; d++)
		shape[d] = int_of(f, dims->at[d]);
}

static void fill(Interp *in, Arr *r, Slot x)
{
	for (int64_t i = 0; i < r->buf->n; i++)
		elem_put(in, r, i, slot_retain(K_SCALAR, x));
}

// Writes the first copy, then doubles what is there.
static void fill_rows(Interp *in, Arr *r, int outer, const Arr *x)
{
	int64_t n = 1, size = arr_count(x);
	for (int d = 0; d < outer; d++)
		n *= r->dim[d];
	if (n == 0 || size == 0)
		return;
	Arr *part = arr_alloc(in, 1), *rest = arr_alloc(in, 1);
	part->buf = rest->buf = r->buf;
	r->buf->refs += 2;
	part->dim[1] = rest->dim[1] = 1;
	Arr *first = arr_view(in, r, x->rank);
	memcpy(first->dim, x->dim, (size_t)x->rank * sizeof(int64_t));
	arr_set_dense(first);
	arr_copy_to(in, first, x);
	for (int64_t done = 1; done < n;) {
		int64_t more = done < n - done ? done : n - done;
		part->dim[0] = rest->dim[0] = more * size;
		rest->off = done * size;
		arr_copy_to(in, rest, part);
		done += more;
	}
	arr_release(in, first);
	arr_release(in, part);
	arr_release(in, rest);
}

void run_replicate(Interp *in, Frame *f, const Ins *ins)
{
	const IArray *rep = ins->ext;
	const Arg *arg = rep->elems.at;
	Slot x = *slot_of(f, arg->o);
	int inner = arg->kind == K_ARRAY ? x.raw.arr->rank : 0, outer = rep->dims.len;
	int64_t shape[outer + inner + 1];
	dims_of(f, &rep->dims, shape);
	if (inner)
		memcpy(shape + outer, x.raw.arr->dim, (size_t)inner * sizeof *shape);
	if (outer + inner == 0) {
		slot_move(in, ins->dst.at, f, slot_retain(K_SCALAR, x));
		return;
	}
	PrimType t = inner ? (PrimType)x.raw.arr->buf->type : (PrimType)arg->elem;
	bool zero = !inner && x.raw.u == 0;
	Arr *r = arr_new(in, t, outer + inner, shape, zero);
	if (inner)
		fill_rows(in, r, outer, x.raw.arr);
	else if (!zero || x.der)
		fill(in, r, x);
	give(in, f, ins, r);
}

void run_scratch(Interp *in, Frame *f, const Ins *ins)
{
	const Opnds *dims = ins->ext;
	int64_t shape[dims->len + 1];
	dims_of(f, dims, shape);
	give(in, f, ins, arr_new(in, (PrimType)ins->type, dims->len, shape, true));
}

void run_array(Interp *in, Frame *f, const Ins *ins)
{
	const IArray *lit = ins->ext;
	int64_t shape[lit->dims.len + 1];
	shape[0] = lit->elems.len;
	dims_of(f, &lit->dims, shape + 1);
	Arr *r = arr_new(in, (PrimType)ins->type, lit->dims.len + 1, shape, false);
	for (int i = 0; i < lit->elems.len; i++)
		row_put(in, r, i, slot_of(f, lit->elems.at[i].o));
	give(in, f, ins, r);
}

// ---- Shapes ----

void run_reshape(Interp *in, Frame *f, const Ins *ins)
{
	const Opnds *dims = ins->ext;
	Arr *a = array_of(f, ins->x[0]), *dense = arr_dense(in, a);
	Arr *r = arr_view(in, dense, dims->len);
	dims_of(f, dims, r->dim);
	for (int d = 0; d < r->rank; d++)
		if (r->dim[d] < 0)
			run_fail(in, "Range 0..1..<%lld is invalid.", (long long)r->dim[d]);
	if (arr_count(r) != arr_count(a)) {
		Str out = {0};
		put_shape(&out, a);
		str_puts(&out, " cannot be reshaped to ");
		put_shape(&out, r);
		run_fail(in, "An array of shape %s.", str_text(&out));
	}
	if (arr_count(r))
		arr_set_dense(r);
	else
		memset(arr_strides(r), 0, (size_t)r->rank * sizeof(int64_t));
	arr_release(in, dense);
	give(in, f, ins, r);
}

void run_rearrange(Interp *in, Frame *f, const Ins *ins)
{
	const int *perm = ins->ext;
	const Arr *a = array_of(f, ins->x[0]);
	Arr *r = arr_view(in, a, a->rank);
	for (int d = 0; d < a->rank; d++) {
		r->dim[d] = a->dim[perm[d]];
		r->dim[a->rank + d] = arr_strides(a)[perm[d]];
	}
	give(in, f, ins, r);
}
