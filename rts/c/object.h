// Values as the C interface hands them out: objects.
//
// An object is a struct with a member for each flat value of the surface value: scalars as
// they are, arrays as a block and a shape (struct rd_array; arrays are row-major from the start of
// their block, which other objects may share).  A type descriptor says where the members are,
// so that everything but the calls of entry points is done by the functions here:
//
//   struct futhark_i32_1d    { struct rd_block *mem; int64_t shape[1]; }
//   struct futhark_opaque_t  { float v0; struct { struct rd_block *mem; int64_t shape[1]; } v1; }
//
// A scalar is treated as an object too, one whose only member is at offset 0.
//
// An array in the payload of a variant that a sum does not have is absent: its shape is -1
// throughout.  Entry points are given an array of the shape they expect for it.
//
// Functions return 0 or an error code with the text in the context.
#ifndef RD_OBJECT_H
#define RD_OBJECT_H
#include "memory.h"

// @chunk prims: base
#include <stddef.h>
// In executables, the shell around the program is used too little to be worth the time of the
// C compiler; what reads and writes element by element is, and so is all of it in libraries.
// Some programs do not need all of a chunk, hence `unused`.  Functions that read into arrays of their
// own are not for RD_FUN: the checks of _FORTIFY_SOURCE are wrong about unoptimised ones.
#if defined(__GNUC__)
#define RD_HOT static __attribute__((unused))
#else
#define RD_HOT static
#endif
#if defined(RD_LIBRARY) || !defined(__GNUC__)
#define RD_FUN RD_HOT
#elif defined(__clang__)
#define RD_FUN static __attribute__((unused, noinline, optnone))
#else
#define RD_FUN static __attribute__((unused, noinline, optimize("O0")))
#endif

enum { RD_MAX_RANK = 64 };
enum rd_prim { // ORDER PRIMTYPE
	RD_I8, RD_I16, RD_I32, RD_I64, RD_U8, RD_U16, RD_U32, RD_U64,
	RD_F16, RD_F32, RD_F64, RD_BOOL, RD_N_PRIMS
};

RD_HOT int64_t rd_prim_size(int prim)
{
	static const signed char sizes[RD_N_PRIMS] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};
	return sizes[prim];
}

// @chunk prim_names: prims
static const char *const rd_prim_name[RD_N_PRIMS] = {
	"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"
};

// @chunk given: base
// Programs rely on this of arrays that they are given: no product of their sizes is larger than 2^57, whatever the
// others are.  Only arrays without elements could have larger ones.  Rounding does not matter: there is room up to 2^60.
RD_HOT int rd_is_given(const int64_t *shape, int rank)
{
	double n = 1;
	int i;
	for (i = 0; i < rank; i++)
		n *= shape[i] ? (double)shape[i] : 1;
	return n <= (double)(INT64_C(1) << 57);
}

// @chunk api_error: fail prims
// Of the interface, not of the program.
enum { RD_API_ERROR = 1 };

// Sets an error that has no place in the program; gives RD_API_ERROR.
RD_FUN int rd_set_error(struct futhark_context *ctx, const char *text)
{
	rd_clear_error(ctx);
	ctx->error = rd_error_copy(text);
	return RD_API_ERROR;
}

// @chunk object: prims context api_error memory given
struct rd_array { struct rd_block *mem; int64_t shape[1]; };
// One flat value: a member at offset `at`.
struct rd_flat { int prim, rank; size_t at; };
enum rd_kind { RD_KIND_PRIM, RD_KIND_ARRAY, RD_KIND_RECORD, RD_KIND_SUM };
struct rd_type;
struct rd_part { const char *name; const struct rd_type *type; };
struct rd_variant {
	const char *name;
	int n_args;
	const struct rd_type *const *args;
	const int *slots;               // of each flat value of the arguments: which flat value it is
};
struct rd_type {
	const char *name, *ctype;
	int kind, is_tuple;
	size_t size;                    // of the struct
	int n_flat;
	const struct rd_flat *flat;
	int rank;                       // arrays
	const struct rd_type *elem;     // arrays; NULL: scalars, as the flat value says
	int n_parts;
	const struct rd_part *parts;    // fields; of an array of records: fields as arrays
	int n_variants;
	const struct rd_variant *variants;
};

RD_HOT struct rd_array *rd_array_at(const void *obj, const struct rd_flat *f)
{
	return (struct rd_array *)((char *)obj + f->at);
}

RD_HOT void *rd_scalar_at(const void *obj, const struct rd_flat *f)
{
	return (char *)obj + f->at;
}

RD_HOT int64_t rd_count(const int64_t *shape, int rank)
{
	int64_t n = 1;
	int i;
	for (i = 0; i < rank; i++)
		n *= shape[i];
	return n;
}

RD_HOT int rd_is_absent(const struct rd_array *a)
{
	return a->shape[0] < 0;
}

// The bytes of an array of that shape, or -1 with the error set.
RD_FUN int64_t rd_shape_bytes(struct futhark_context *ctx, const int64_t *shape, int rank,
                              int64_t size)
{
	int i;
	for (i = 0; i < rank; i++) {
		if (shape[i] < 0 || !rd_is_given(shape, rank) ||
		    (shape[i] && size > INT64_MAX / shape[i])) {
			rd_set_error(ctx, "Error: an array cannot have this size.\n");
			return -1;
		}
		size *= shape[i];
	}
	return size;
}

// Zeroed; NULL with the error set.
RD_HOT void *rd_object_new(struct futhark_context *ctx, const struct rd_type *t)
{
	void *obj = calloc(1, t->size ? t->size : 1);
	if (!obj)
		rd_out_of_memory(ctx, 1, (int64_t)t->size);
	return obj;
}

RD_HOT int rd_object_free(struct futhark_context *ctx, const struct rd_type *t, void *obj)
{
	int i;
	if (!obj)
		return FUTHARK_SUCCESS;
	for (i = 0; i < t->n_flat; i++)
		if (t->flat[i].rank > 0)
			rd_release(ctx, &rd_array_at(obj, &t->flat[i])->mem);
	free(obj);
	return FUTHARK_SUCCESS;
}

// Member `from` of one object becomes member `to` of another; an array is shared.
RD_FUN void rd_share(const struct rd_flat *from, const void *obj, const struct rd_flat *to,
                     void *out)
{
	struct rd_array *a, *b;
	if (from->rank == 0) {
		memcpy(rd_scalar_at(out, to), rd_scalar_at(obj, from), (size_t)rd_prim_size(from->prim));
		return;
	}
	a = rd_array_at(obj, from);
	b = rd_array_at(out, to);
	b->mem = a->mem;
	if (b->mem)
		b->mem->refs++;
	memcpy(b->shape, a->shape, (size_t)from->rank * sizeof *a->shape);
}

// Gives out a new object, or a scalar, made of the flat values of `obj` from `first` on.
RD_FUN int rd_give(struct futhark_context *ctx, const struct rd_type *t, void *out, const void *obj,
                   const struct rd_flat *first)
{
	int i;
	void *to = out;
	if (t->kind != RD_KIND_PRIM) {
		to = rd_object_new(ctx, t);
		if (!to)
			return FUTHARK_OUT_OF_MEMORY;
		memcpy(out, &to, sizeof to);
	}
	for (i = 0; i < t->n_flat; i++)
		rd_share(&first[i], obj, &t->flat[i], to);
	return FUTHARK_SUCCESS;
}

// @chunk prim_types: object
// Scalars as types; their C types are those of the interface.
static const struct rd_flat rd_prim_flat[RD_N_PRIMS] = {
	{RD_I8, 0, 0}, {RD_I16, 0, 0}, {RD_I32, 0, 0}, {RD_I64, 0, 0}, {RD_U8, 0, 0}, {RD_U16, 0, 0},
	{RD_U32, 0, 0}, {RD_U64, 0, 0}, {RD_F16, 0, 0}, {RD_F32, 0, 0}, {RD_F64, 0, 0}, {RD_BOOL, 0, 0}
};
#define RD_PRIM_TYPE(p, name, ctype) \
	{name, #ctype, RD_KIND_PRIM, 0, sizeof(ctype), 1, &rd_prim_flat[p], 0, NULL, 0, NULL, 0, NULL}
static const struct rd_type rd_prim_type[RD_N_PRIMS] = {
	RD_PRIM_TYPE(RD_I8, "i8", int8_t), RD_PRIM_TYPE(RD_I16, "i16", int16_t),
	RD_PRIM_TYPE(RD_I32, "i32", int32_t), RD_PRIM_TYPE(RD_I64, "i64", int64_t),
	RD_PRIM_TYPE(RD_U8, "u8", uint8_t), RD_PRIM_TYPE(RD_U16, "u16", uint16_t),
	RD_PRIM_TYPE(RD_U32, "u32", uint32_t), RD_PRIM_TYPE(RD_U64, "u64", uint64_t),
	RD_PRIM_TYPE(RD_F16, "f16", uint16_t), RD_PRIM_TYPE(RD_F32, "f32", float),
	RD_PRIM_TYPE(RD_F64, "f64", double), RD_PRIM_TYPE(RD_BOOL, "bool", bool)
};

// @chunk array: object block_bytes
// A new array of scalars from data in row-major order; without data the contents are unspecified.
RD_FUN void *rd_array_new(struct futhark_context *ctx, const struct rd_type *t, const void *data,
                          const int64_t *shape)
{
	struct rd_array *a;
	int64_t n = rd_shape_bytes(ctx, shape, t->rank, rd_prim_size(t->flat->prim));
	if (n < 0)
		return NULL;
	a = (struct rd_array *)rd_object_new(ctx, t);
	if (!a)
		return NULL;
	memcpy(a->shape, shape, (size_t)t->rank * sizeof *shape);
	if (rd_alloc(ctx, &a->mem, n, 1) != 0 ||
	    (data && rd_block_write(ctx, a->mem, 0, data, n) != 0)) {
		rd_object_free(ctx, t, a);
		return NULL;
	}
	return a;
}

// An array over memory of the caller's, which stays the caller's.
RD_FUN void *rd_array_new_raw(struct futhark_context *ctx, const struct rd_type *t, void *data,
                              const int64_t *shape)
{
	struct rd_array *a;
	int64_t size = rd_shape_bytes(ctx, shape, t->rank, rd_prim_size(t->flat->prim));
	if (size < 0)
		return NULL;
	a = (struct rd_array *)rd_object_new(ctx, t);
	if (!a)
		return NULL;
	memcpy(a->shape, shape, (size_t)t->rank * sizeof *shape);
	a->mem = (struct rd_block *)calloc(1, sizeof *a->mem);
	if (!a->mem) {
		rd_out_of_memory(ctx, 1, (int64_t)sizeof *a->mem);
		free(a);
		return NULL;
	}
	a->mem->data = data;
	a->mem->size = size;
	a->mem->refs = 1;
	a->mem->size_class = -1;
	return a;
}

RD_FUN int rd_array_values(struct futhark_context *ctx, const struct rd_type *t, const void *arr,
                           void *data)
{
	const struct rd_array *a = (const struct rd_array *)arr;
	int64_t n = rd_count(a->shape, t->rank) * rd_prim_size(t->flat->prim);
	return rd_block_read(ctx, data, a->mem, 0, n);
}

// @chunk element: object
// The row-major number of an element, or -1 with the error set when it is out of bounds.
RD_FUN int64_t rd_position(struct futhark_context *ctx, const int64_t *shape, int rank,
                           const int64_t *index)
{
	int64_t at = 0;
	int i;
	for (i = 0; i < rank; i++) {
		if (index[i] < 0 || index[i] >= shape[i]) {
			rd_set_error(ctx, "Error: index out of bounds.\n");
			return -1;
		}
		at = at * shape[i] + index[i];
	}
	return at;
}

// @chunk array_index: array element
RD_FUN int rd_array_index(struct futhark_context *ctx, const struct rd_type *t, void *out,
                          const void *arr, const int64_t *index)
{
	const struct rd_array *a = (const struct rd_array *)arr;
	int64_t size = rd_prim_size(t->flat->prim), at = rd_position(ctx, a->shape, t->rank, index);
	if (at < 0)
		return RD_API_ERROR;
	return rd_block_read(ctx, out, a->mem, at * size, size);
}

// @chunk record: object
RD_FUN int rd_record_new(struct futhark_context *ctx, const struct rd_type *t, void **out,
                         const void *const *fields)
{
	const struct rd_flat *to = t->flat;
	int i, k;
	*out = rd_object_new(ctx, t);
	if (!*out)
		return FUTHARK_OUT_OF_MEMORY;
	for (i = 0; i < t->n_parts; i++)
		for (k = 0; k < t->parts[i].type->n_flat; k++)
			rd_share(&t->parts[i].type->flat[k], fields[i], to++, *out);
	return FUTHARK_SUCCESS;
}

RD_FUN int rd_project(struct futhark_context *ctx, const struct rd_type *t, void *out,
                      const void *obj, int field)
{
	const struct rd_flat *first = t->flat;
	int i;
	for (i = 0; i < field; i++)
		first += t->parts[i].type->n_flat;
	return rd_give(ctx, t->parts[field].type, out, obj, first);
}

// @chunk record_array: record
// An array of records from an array for each field.
RD_FUN int rd_zip(struct futhark_context *ctx, const struct rd_type *t, void **out,
                  const void *const *fields)
{
	const struct rd_array *first = NULL;
	int i;
	for (i = 0; i < t->n_parts; i++) {
		const struct rd_array *a = rd_array_at(fields[i], t->parts[i].type->flat);
		if (!first)
			first = a;
		if (memcmp(a->shape, first->shape, (size_t)t->rank * sizeof *a->shape) != 0)
			return rd_set_error(ctx, "Error: cannot zip arrays of different shapes.\n");
	}
	return rd_record_new(ctx, t, out, fields);
}

// @chunk opaque_array: element block_bytes
RD_FUN const int64_t *rd_shape(const struct rd_type *t, const void *arr)
{
	return rd_array_at(arr, t->flat)->shape;
}

// An element of an array without flat values, of units, is nothing.
RD_FUN int rd_element_flats(const struct rd_type *t)
{
	return t->elem->n_flat;
}

// One element, which is a copy: its arrays start at the beginning of their blocks.
RD_FUN int rd_index(struct futhark_context *ctx, const struct rd_type *t, void **out,
                    const void *arr, const int64_t *index)
{
	int64_t at = rd_position(ctx, rd_shape(t, arr), t->rank, index);
	void *obj;
	int i, err = FUTHARK_SUCCESS;
	if (at < 0)
		return RD_API_ERROR;
	*out = NULL;
	obj = rd_object_new(ctx, t->elem);
	if (!obj)
		return FUTHARK_OUT_OF_MEMORY;
	for (i = 0; i < rd_element_flats(t) && !err; i++) {
		const struct rd_flat *f = &t->elem->flat[i];
		const struct rd_array *from = rd_array_at(arr, &t->flat[i]);
		int64_t n = rd_count(from->shape + t->rank, f->rank) * rd_prim_size(f->prim);
		if (f->rank) {
			struct rd_array *a = rd_array_at(obj, f);
			memcpy(a->shape, from->shape + t->rank, (size_t)f->rank * sizeof *a->shape);
			err = rd_alloc(ctx, &a->mem, n, 1);
			if (!err)
				err = rd_block_copy(ctx, a->mem, 0, from->mem, at * n, n);
		} else {
			err = rd_block_read(ctx, rd_scalar_at(obj, f), from->mem, at * n, n);
		}
	}
	if (err)
		rd_object_free(ctx, t->elem, obj);
	else
		*out = obj;
	return err;
}

// Writes flat value i of an element to its place in the array.  The shapes agree.
RD_FUN int rd_put_flat(struct futhark_context *ctx, const struct rd_type *t, int i,
                       const struct rd_array *to, int64_t at, const void *elem)
{
	const struct rd_flat *f = &t->elem->flat[i];
	int64_t n = rd_count(to->shape + t->rank, f->rank) * rd_prim_size(f->prim);
	const struct rd_array *a = f->rank ? rd_array_at(elem, f) : NULL;
	if (!a)
		return rd_block_write(ctx, to->mem, at * n, rd_scalar_at(elem, f), n);
	return rd_is_absent(a) ? rd_block_zero(ctx, to->mem, at * n, n)
	                       : rd_block_copy(ctx, to->mem, at * n, a->mem, 0, n);
}

RD_FUN int rd_row_fits(const struct rd_type *t, int i, const struct rd_array *arr, const void *elem)
{
	const struct rd_flat *f = &t->elem->flat[i];
	const struct rd_array *a = f->rank ? rd_array_at(elem, f) : NULL;
	return !a || rd_is_absent(a) ||
	       memcmp(a->shape, arr->shape + t->rank, (size_t)f->rank * sizeof *a->shape) == 0;
}

// A block that is this array's alone.
RD_FUN int rd_own_block(struct futhark_context *ctx, const struct rd_flat *f, struct rd_array *a)
{
	int64_t n = rd_count(a->shape, f->rank) * rd_prim_size(f->prim);
	struct rd_block *own = NULL;
	if (a->mem->refs == 1)
		return FUTHARK_SUCCESS;
	if (rd_alloc(ctx, &own, n, 1) != 0 || rd_block_copy(ctx, own, 0, a->mem, 0, n) != 0) {
		rd_release(ctx, &own);
		return FUTHARK_OUT_OF_MEMORY;
	}
	rd_release(ctx, &a->mem);
	a->mem = own;
	return FUTHARK_SUCCESS;
}

RD_FUN int rd_set_element(struct futhark_context *ctx, const struct rd_type *t, void *arr,
                  const void *elem, const int64_t *index)
{
	int64_t at = rd_position(ctx, rd_shape(t, arr), t->rank, index);
	int i, err = FUTHARK_SUCCESS;
	if (at < 0)
		return RD_API_ERROR;
	for (i = 0; i < rd_element_flats(t); i++)
		if (!rd_row_fits(t, i, rd_array_at(arr, &t->flat[i]), elem))
			return rd_set_error(ctx, "Error: the element has another shape than the others.\n");
	for (i = 0; i < rd_element_flats(t) && !err; i++) {
		struct rd_array *a = rd_array_at(arr, &t->flat[i]);
		err = rd_own_block(ctx, &t->flat[i], a);
		if (!err)
			err = rd_put_flat(ctx, t, i, a, at, elem);
	}
	return err;
}

// The inner sizes of flat value i: those of the first element that has it, else 0.
RD_FUN void rd_inner_shape(const struct rd_type *t, int i, int64_t n, const void *const *elems,
                           int64_t *to)
{
	const struct rd_flat *f;
	int64_t k;
	int rank = t->flat[i].rank - t->rank;
	memset(to, 0, (size_t)rank * sizeof *to);
	for (k = 0; k < n && rank; k++) {
		f = &t->elem->flat[i];
		if (!rd_is_absent(rd_array_at(elems[k], f))) {
			memcpy(to, rd_array_at(elems[k], f)->shape, (size_t)rank * sizeof *to);
			return;
		}
	}
}

// An array from its elements in row-major order.
RD_FUN int rd_opaque_array_new(struct futhark_context *ctx, const struct rd_type *t, void **out,
                               const void *const *elems, const int64_t *shape)
{
	int64_t n = rd_shape_bytes(ctx, shape, t->rank, 1), k;
	void *obj = n < 0 ? NULL : rd_object_new(ctx, t);
	int i, err = obj ? FUTHARK_SUCCESS : n < 0 ? RD_API_ERROR : FUTHARK_OUT_OF_MEMORY;
	*out = NULL;
	for (i = 0; i < t->n_flat && !err; i++) {
		const struct rd_flat *f = &t->flat[i];
		struct rd_array *a = rd_array_at(obj, f);
		memcpy(a->shape, shape, (size_t)t->rank * sizeof *shape);
		rd_inner_shape(t, i, n, elems, a->shape + t->rank);
		err = rd_alloc(ctx, &a->mem, rd_count(a->shape, f->rank), rd_prim_size(f->prim));
		for (k = 0; k < n && !err && i < rd_element_flats(t); k++) {
			if (rd_row_fits(t, i, a, elems[k]))
				err = rd_put_flat(ctx, t, i, a, k, elems[k]);
			else
				err = rd_set_error(ctx, "Error: elements of an array differ in shape.\n");
		}
	}
	if (err)
		rd_object_free(ctx, t, obj);
	else
		*out = obj;
	return err;
}

// @chunk sum: object
RD_FUN int rd_variant_of(const struct rd_type *t, const void *obj)
{
	return t->n_variants > 1 ? *(const signed char *)rd_scalar_at(obj, t->flat) : 0;
}

RD_FUN int rd_construct(struct futhark_context *ctx, const struct rd_type *t, void **out,
                        int variant, const void *const *args)
{
	const struct rd_variant *v = &t->variants[variant];
	const int *slot = v->slots;
	void *obj = rd_object_new(ctx, t);
	int i, k;
	*out = obj;
	if (!obj)
		return FUTHARK_OUT_OF_MEMORY;
	if (t->n_variants > 1)
		*(signed char *)rd_scalar_at(obj, t->flat) = (signed char)variant;
	for (i = 0; i < t->n_flat; i++)
		for (k = 0; k < t->flat[i].rank; k++)
			rd_array_at(obj, &t->flat[i])->shape[k] = -1;
	for (i = 0; i < v->n_args; i++)
		for (k = 0; k < v->args[i]->n_flat; k++)
			rd_share(&v->args[i]->flat[k], args[i], &t->flat[*slot++], obj);
	return FUTHARK_SUCCESS;
}

RD_FUN int rd_destruct(struct futhark_context *ctx, const struct rd_type *t, const void *obj,
                       int variant, void *const *outs)
{
	const struct rd_variant *v = &t->variants[variant];
	const int *slot = v->slots;
	int i, k;
	if (rd_variant_of(t, obj) != variant)
		return rd_set_error(ctx, "Error: the value is of another variant.\n");
	for (i = 0; i < v->n_args; i++) {
		const struct rd_type *a = v->args[i];
		void *to = outs[i];
		if (a->kind != RD_KIND_PRIM) {
			to = rd_object_new(ctx, a);
			if (!to)
				return FUTHARK_OUT_OF_MEMORY;
			memcpy(outs[i], &to, sizeof to);
		}
		for (k = 0; k < a->n_flat; k++)
			rd_share(&t->flat[*slot++], obj, &a->flat[k], to);
	}
	return FUTHARK_SUCCESS;
}
// @end
#endif
