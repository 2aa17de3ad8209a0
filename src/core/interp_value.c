// The interpreter's memory: arrays, views of them, and derivative cells.
//
// Everything counts its references.  Elements lie in a Buf in the layout of Value; an Arr is
// a view with shape, strides and offset, so that slicing, transposing and most reshaping
// copy nothing.  Views and cells are small and come from a pool with free lists.  All of
// it belongs to one call of an entry point and is released with it, whichever way the
// call ends.
#include "core/interp.h"

#include <stdlib.h>

struct PoolChunk { PoolChunk *prev; max_align_t bytes[]; };
enum { POOL_CHUNK = 1 << 16 };

static void *pool_take(Interp *in, size_t n)
{
	n = (n + 15) & ~(size_t)15;
	if ((size_t)(in->pool_end - in->pool_at) < n) {
		size_t size = n > POOL_CHUNK ? n : POOL_CHUNK;
		PoolChunk *c = malloc(sizeof *c + size);
		if (!c)
			out_of_memory(in, size);
		c->prev = in->pool;
		in->pool = c;
		in->pool_at = (char *)c->bytes;
		in->pool_end = in->pool_at + size;
	}
	void *p = in->pool_at;
	in->pool_at += n;
	return p;
}

// The first word of a free object leads to the next.
static void *list_take(void **list)
{
	void *p = *list;
	if (p)
		memcpy(list, p, sizeof *list);
	return p;
}

static void list_give(void **list, void *p)
{
	memcpy(p, list, sizeof *list);
	*list = p;
}

// ---- Cells ----

Cell *cell_new(Interp *in)
{
	Cell *c = list_take(&in->free_cells);
	if (!c)
		c = pool_take(in, sizeof *c);
	*c = (Cell){.refs = 1};
	in->n_cells++;
	return c;
}

// A cell leads to cells of lower levels only, so this recurses at most as deep as
// differentiation operators nest.
void cell_release(Interp *in, Cell *c)
{
	if (--c->refs)
		return;
	der_release(in, c->low);
	der_release(in, c->tan.der);
	list_give(&in->free_cells, c);
	in->n_cells--;
}

// ---- Buffers ----

static void *heap_alloc(Interp *in, size_t bytes, bool zeroed)
{
	void *p = NULL;
	if (bytes <= in->max_bytes - in->bytes)
		p = zeroed ? calloc(1, bytes ? bytes : 1) : malloc(bytes ? bytes : 1);
	if (!p)
		out_of_memory(in, bytes);
	in->bytes += bytes;
	return p;
}

static Buf *buf_new(Interp *in, PrimType t, int64_t n, bool zeroed)
{
	size_t size = (size_t)primtype_size(t);
	if ((size_t)n > (SIZE_MAX / 2 - sizeof(Buf)) / size)
		run_fail(in, "Out of memory: allocation of %lld elements.", (long long)n);
	size_t bytes = sizeof(Buf) + (size_t)n * size;
	Buf *b = heap_alloc(in, bytes, zeroed);
	*b = (Buf){.refs = 1, .type = (uint8_t)t, .n = n, .bytes = bytes, .data = b + 1,
	           .next = in->bufs};
	if (in->bufs)
		in->bufs->prev = b;
	in->bufs = b;
	return b;
}

static void buf_release(Interp *in, Buf *b)
{
	if (!b || --b->refs)
		return;
	if (b->cells)
		for (int64_t i = 0; i < b->n; i++)
			der_release(in, b->der[i]);
	if (b->der) {
		in->bytes -= (size_t)b->n * sizeof *b->der;
		free(b->der);
	}
	*(b->prev ? &b->prev->next : &in->bufs) = b->next;
	if (b->next)
		b->next->prev = b->prev;
	in->bytes -= b->bytes;
	free(b);
}

// The handles, made when there are none.
static Der *buf_der(Interp *in, Buf *b)
{
	if (!b->der)
		b->der = heap_alloc(in, (size_t)b->n * sizeof *b->der, true);
	return b->der;
}

// ---- Views ----

Arr *arr_alloc(Interp *in, int rank)
{
	size_t bytes = sizeof(Arr) + 2 * (size_t)rank * sizeof(int64_t);
	Arr *a = rank <= SMALL_RANK ? list_take(&in->free_arrs[rank]) : NULL;
	if (!a)
		a = pool_take(in, bytes);
	a->refs = 1;
	a->rank = rank;
	a->buf = NULL;
	a->off = 0;
	return a;
}

void arr_free(Interp *in, Arr *a)
{
	buf_release(in, a->buf);
	if (a->rank <= SMALL_RANK)
		list_give(&in->free_arrs[a->rank], a);
}

void arr_set_dense(Arr *a)
{
	int64_t stride = 1;
	for (int d = a->rank - 1; d >= 0; d--) {
		arr_strides(a)[d] = stride;
		stride *= a->dim[d];
	}
}

// The number of elements of a shape; fails when that is more than can be counted.  Rows that are
// not there may be of any size: `flatten` makes arrays of all rows, also if there are none, and
// `coalesce` turns them.
static int64_t shape_count(Interp *in, int rank, const int64_t *shape)
{
	int64_t n = 1;
	for (int d = 0; d < rank; d++)
		if (shape[d] == 0)
			return 0;
	for (int d = 0; d < rank; d++)
		if (shape[d] < 0)
			run_fail(in, "Range 0..1..<%lld is invalid.", (long long)shape[d]);
		else if (__builtin_mul_overflow(n, shape[d], &n))
			run_fail(in, "Out of memory: an array of more than 2^63 elements.");
	return n;
}

Arr *arr_new(Interp *in, PrimType t, int rank, const int64_t *shape, bool zeroed)
{
	Buf *b = buf_new(in, t, shape_count(in, rank, shape), zeroed);
	Arr *a = arr_alloc(in, rank);
	a->buf = b;
	for (int d = 0; d < rank; d++)
		a->dim[d] = shape[d];
	// An empty array may have a huge shape, whose strides mean nothing.
	if (b->n)
		arr_set_dense(a);
	else
		memset(arr_strides(a), 0, (size_t)rank * sizeof(int64_t));
	return a;
}

Arr *arr_view(Interp *in, const Arr *of, int rank)
{
	Arr *a = arr_alloc(in, rank);
	a->buf = of->buf;
	a->buf->refs++;
	a->off = of->off;
	return a;
}

int64_t arr_count(const Arr *a)
{
	int64_t n = 1;
	for (int d = 0; d < a->rank; d++) {
		if (a->dim[d] == 0)
			return 0;
		n *= a->dim[d];
	}
	return n;
}

bool same_shape(const Arr *a, const Arr *b)
{
	return a->rank == b->rank &&
	       (a->rank == 0 || memcmp(a->dim, b->dim, (size_t)a->rank * sizeof(int64_t)) == 0);
}

static bool arr_is_dense(const Arr *a)
{
	int64_t stride = 1;
	for (int d = a->rank - 1; d >= 0; d--) {
		if (a->dim[d] == 0)
			return true;
		if (a->dim[d] != 1 && arr_strides(a)[d] != stride)
			return false;
		stride *= a->dim[d];
	}
	return true;
}

Arr *arr_row(Interp *in, const Arr *a, int64_t i)
{
	int rank = a->rank - 1;
	Arr *row = arr_view(in, a, rank);
	row->off += i * arr_strides(a)[0];
	for (int d = 0; d < rank; d++) {
		row->dim[d] = a->dim[d + 1];
		row->dim[rank + d] = arr_strides(a)[d + 1];
	}
	return row;
}

// ---- Elements ----

Places places_of(const Arr *a)
{
	Places p = {.arr = a, .dense = arr_is_dense(a), .left = arr_count(a), .at = a->off};
	return p;
}

// The next place of an array that is not dense.  Beyond a few dimensions the place is
// computed anew from the number of elements done.
void places_step(Places *p)
{
	const Arr *a = p->arr;
	const int64_t *stride = arr_strides(a);
	p->done++;
	if (a->rank > SMALL_RANK) {
		int64_t rest = p->done;
		p->at = a->off;
		for (int d = a->rank - 1; d >= 0; d--) {
			p->at += rest % a->dim[d] * stride[d];
			rest /= a->dim[d];
		}
		return;
	}
	for (int d = a->rank - 1; d >= 0; d--) {
		p->at += stride[d];
		if (++p->idx[d] < a->dim[d])
			return;
		p->at -= stride[d] * a->dim[d];
		p->idx[d] = 0;
	}
}

void elem_put_handle(Interp *in, Buf *b, int64_t at, Der d)
{
	Der *place = &buf_der(in, b)[at];
	Der old = *place;
	*place = d;
	b->cells |= der_is_cell(d);
	der_release(in, old);
}

// Copies n handles between places that are apart by a stride on each side.
static void copy_handles(Interp *in, Buf *to, int64_t i, int64_t si, const Buf *from, int64_t j,
                         int64_t sj, int64_t n)
{
	if (!to->der && !from->der)
		return;
	Der *der = buf_der(in, to);
	to->cells |= from->cells;
	for (int64_t k = 0; k < n; k++) {
		Der *place = &der[i + k * si];
		Der old = *place;
		*place = from->der ? der_retain(from->der[j + k * sj]) : 0;
		der_release(in, old);
	}
}

#define COPY_STRIDED(T) do { \
		T *d = (T *)to->data + i; \
		const T *s = (const T *)from->data + j; \
		for (int64_t k = 0; k < n; k++) \
			d[k * si] = s[k * sj]; \
	} while (0)

static void copy_run(Interp *in, Buf *to, int64_t i, int64_t si, const Buf *from, int64_t j,
                     int64_t sj, int64_t n)
{
	int size = primtype_size((PrimType)to->type);
	if (si == 1 && sj == 1) {
		const char *source = (const char *)from->data + j * size;
		memmove((char *)to->data + i * size, source, (size_t)(n * size));
	} else switch (size) {
	case 1: COPY_STRIDED(uint8_t); break;
	case 2: COPY_STRIDED(uint16_t); break;
	case 4: COPY_STRIDED(uint32_t); break;
	default: COPY_STRIDED(uint64_t); break;
	}
	copy_handles(in, to, i, si, from, j, sj, n);
}

static void copy_dims(Interp *in, const Arr *to, int64_t i, const Arr *from, int64_t j, int d)
{
	int64_t si = arr_strides(to)[d], sj = arr_strides(from)[d], n = to->dim[d];
	if (d == to->rank - 1) {
		copy_run(in, to->buf, i, si, from->buf, j, sj, n);
		return;
	}
	for (int64_t k = 0; k < n; k++)
		copy_dims(in, to, i + k * si, from, j + k * sj, d + 1);
}

void arr_copy_to(Interp *in, const Arr *to, const Arr *from)
{
	if (to->rank != from->rank || !same_shape(to, from))
		run_fail(in, "Shape of slice does not match shape of value.");
	if (arr_count(to) == 0)
		return;
	if (to->buf == from->buf && to->off == from->off &&
	    memcmp(to->dim, from->dim, 2 * (size_t)to->rank * sizeof(int64_t)) == 0)
		return;
	if (arr_is_dense(to) && arr_is_dense(from))
		copy_run(in, to->buf, to->off, 1, from->buf, from->off, 1, arr_count(to));
	else
		copy_dims(in, to, to->off, from, from->off, 0);
}

Arr *arr_copy(Interp *in, const Arr *a)
{
	Arr *b = arr_new(in, (PrimType)a->buf->type, a->rank, a->dim, false);
	arr_copy_to(in, b, a);
	return b;
}

Arr *arr_dense(Interp *in, Arr *a)
{
	return arr_is_dense(a) ? arr_retain(a) : arr_copy(in, a);
}

Arr *arr_writable(Interp *in, Arr *a)
{
	return a->buf->frozen ? arr_copy(in, a) : arr_retain(a);
}

// ---- Slots and values ----

Arr *arr_of_value(Interp *in, const Value *v)
{
	Arr *a = arr_new(in, v->type, v->rank, v->shape, false);
	if (a->buf->n)
		memcpy(a->buf->data, v->data, (size_t)a->buf->n * (size_t)primtype_size(v->type));
	return a;
}

Value value_of_slot(const Arg *arg, Slot s)
{
	if (arg->kind == K_SCALAR)
		return value_scalar(raw_scalar((PrimType)arg->elem, s.raw));
	const Arr *a = s.raw.arr;
	PrimType t = (PrimType)a->buf->type;
	Value v = value_new(t, a->rank, a->dim);
	size_t size = (size_t)primtype_size(t);
	char *out = v.data;
	for (PLACES(p, a)) {
		const char *from = (const char *)a->buf->data + (size_t)p.at * size;
		if (p.dense) {
			memcpy(out, from, (size_t)p.left * size);
			break;
		}
		memcpy(out, from, size);
		out += size;
	}
	return v;
}

void heap_release(Interp *in)
{
	while (in->bufs) {
		Buf *b = in->bufs;
		in->bufs = b->next;
		free(b->der);
		free(b);
	}
	while (in->pool) {
		PoolChunk *c = in->pool;
		in->pool = c->prev;
		free(c);
	}
	in->pool_at = in->pool_end = NULL;
	in->free_cells = NULL;
	in->n_cells = 0;
	memset(in->free_arrs, 0, sizeof in->free_arrs);
	in->bytes = 0;
}
