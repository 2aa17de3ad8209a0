// Execution of programs in the MEM stage: the interpreter uses exactly the memory that they
// describe.
//
// A block is a one-dimensional array.  An array bound by a statement is the part of its block that
// its type describes.  Forms that create an array store it there; all others promise that it is
// there already, and nothing is copied:
//
//     let (m: mem.f64) = alloc.f64 n
//     let (xs: [n]f64 @ m + 0) = copy ys         stored in m
//     let (zs: [k]f64 @ m + i) = slice xs ...    whatever is in m from i on
//
// So a wrong location, or memory that is overwritten while still in use, gives wrong results, and
// memory passes can be tested like any other.  New blocks are filled with garbage.
#include "core/interp.h"

enum { RUBBISH = 0xA5 };

void run_alloc(Interp *in, Frame *f, const Ins *ins)
{
	int64_t n = slot_of(f, ins->x[0])->raw.i;
	n = n < 0 ? 0 : n;
	Arr *a = arr_new(in, (PrimType)ins->type, 1, &n, false);
	memset(a->buf->data, RUBBISH, (size_t)a->buf->n * (size_t)primtype_size(ins->type));
	slot_move(in, ins->dst.at, f, (Slot){{.arr = a}, 0});
}

void run_release(Interp *in, Frame *f, const Ins *ins)
{
	Slot *s = &f->at[ins->x[0]];
	arr_release(in, s->raw.arr);
	s->raw.arr = NULL;
}

Arr *block_of(Interp *in, const Arr *a)
{
	Arr *whole = arr_view(in, a, 1);
	whole->off = 0;
	whole->dim[0] = a->buf->n;
	whole->dim[1] = 1;
	return whole;
}

// Of an array that is not empty: are its first and last place within the block?
static bool fits(const Arr *a)
{
	int64_t lo = a->off, hi = a->off;
	for (int d = 0; d < a->rank; d++) {
		int64_t span;
		if (__builtin_mul_overflow(a->dim[d] - 1, arr_strides(a)[d], &span) ||
		    __builtin_add_overflow(*(span < 0 ? &lo : &hi), span, span < 0 ? &lo : &hi))
			return false;
	}
	return lo >= 0 && hi < a->buf->n;
}

static bool same_place(const Arr *a, const Arr *b)
{
	return a->buf == b->buf && a->off == b->off &&
	       memcmp(arr_strides(a), arr_strides(b), (size_t)a->rank * sizeof(int64_t)) == 0;
}

static void take_place(Interp *in, Frame *f, const IPlace *p, bool write)
{
	const Arr *made = f->at[p->array.o].raw.arr, *block = slot_of(f, p->block)->raw.arr;
	if (arr_count(made) == 0)
		return;
	if (!block || (p->strides.len && made->rank != p->strides.len))
		bug("an array of %d dimensions at a place for %d", made->rank, p->strides.len);
	Arr *there = arr_view(in, block, made->rank);
	there->off = slot_of(f, p->offset)->raw.i;
	memcpy(there->dim, made->dim, (size_t)made->rank * sizeof *made->dim);
	arr_set_dense(there);
	for (int d = 0; d < p->strides.len; d++)
		arr_strides(there)[d] = slot_of(f, p->strides.at[d])->raw.i;
	if (!fits(there))
		run_fail(in, "An array reaches beyond its memory block.");
	if (write && !same_place(there, made))
		arr_copy_to(in, there, made);
	slot_move(in, &p->array, f, (Slot){{.arr = there}, 0});
}

void take_places(Interp *in, Frame *f, IPlaces places, bool write)
{
	for EACH(IPlace, p, places)
		take_place(in, f, p, write);
}
