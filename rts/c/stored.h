// Converts opaque objects to bytes and back.
//
// The flat values are stored one after the other, in the binary form of values (values.h): 'b', 2,
// the rank, four characters for the type, sizes, elements, all little-endian.  An array that is
// absent (object.h) has sizes of -1 and no elements.  Bytes that are read back are not trusted: they
// are checked to be a value of the type before an object is made of them.
#ifndef RD_STORED_H
#define RD_STORED_H
#include "object.h"

// @chunk valid: object block_bytes
// Are the bytes of a flat value, if there are any, all less than `limit`?
RD_FUN int rd_bytes_below(struct futhark_context *ctx, const struct rd_flat *f, const void *obj,
                          int limit)
{
	unsigned char bytes[1024];
	const struct rd_array *a = rd_array_at(obj, f);
	int64_t at, i, n;
	if (!f->rank)
		return *(const unsigned char *)rd_scalar_at(obj, f) < limit;
	n = rd_is_absent(a) ? 0 : rd_count(a->shape, f->rank);
	for (at = 0; at < n; at += i) {
		int64_t len = n - at < (int64_t)sizeof bytes ? n - at : (int64_t)sizeof bytes;
		if (rd_block_read(ctx, bytes, a->mem, at, len) != 0)
			return 0;
		for (i = 0; i < len; i++)
			if (bytes[i] >= limit)
				return 0;
	}
	return 1;
}

// Is there a value of the type in the flat values f of the object?  The arrays of one array have its
// sizes, sums a variant that there is, with its arrays.
RD_FUN int rd_is_valid(struct futhark_context *ctx, const struct rd_type *t, const struct rd_flat *f,
                       const void *obj)
{
	const struct rd_array *first = t->n_flat ? rd_array_at(obj, f) : NULL;
	const struct rd_variant *v;
	int i, k, ok = 1, n_tags = t->elem ? t->elem->n_variants : t->n_variants;
	if (t->kind == RD_KIND_ARRAY)
		for (i = 0; i < t->n_flat; i++) {
			const struct rd_array *a = rd_array_at(obj, &f[i]);
			if (rd_is_absent(a) ||
			    memcmp(a->shape, first->shape, (size_t)t->rank * sizeof *a->shape) != 0)
				return 0;
		}
	if (n_tags > 1 && !rd_bytes_below(ctx, f, obj, n_tags))
		return 0;
	for (i = 0; i < t->n_parts && ok; f += t->parts[i++].type->n_flat)
		ok = rd_is_valid(ctx, t->parts[i].type, f, obj);
	if (t->kind != RD_KIND_SUM)
		return ok;
	v = &t->variants[n_tags > 1 ? *(const signed char *)rd_scalar_at(obj, f) : 0];
	for (i = 0, k = 0; i < v->n_args && ok; k += v->args[i++]->n_flat) {
		int j, n = v->args[i]->n_flat;
		struct rd_flat *own = (struct rd_flat *)malloc(((size_t)n + 1) * sizeof *own);
		for (j = 0; own && j < n; j++)
			own[j] = f[v->slots[k + j]];
		ok = own && rd_is_valid(ctx, v->args[i], own, obj);
		free(own);
	}
	return ok;
}

// Is what has been read into the object a value of its type?
RD_FUN int rd_object_is_valid(struct futhark_context *ctx, const struct rd_type *t, const void *obj)
{
	int i;
	for (i = 0; i < t->n_flat; i++)
		if (t->flat[i].prim == RD_BOOL && !rd_bytes_below(ctx, &t->flat[i], obj, 2))
			return 0;
	return rd_is_valid(ctx, t, t->flat, obj);
}

// @chunk opaque: object block_bytes valid prim_names
enum { RD_STORED_HEADER = 7 };

RD_FUN void rd_stored_header(const struct rd_flat *f, char *to)
{
	char type[8];
	snprintf(type, sizeof type, "%4s", rd_prim_name[f->prim]);
	to[0] = 'b';
	to[1] = 2;
	to[2] = (char)f->rank;
	memcpy(to + 3, type, 4);
}

RD_FUN int64_t rd_stored_size(const struct rd_type *t, const void *obj)
{
	int64_t n = 0;
	int i;
	for (i = 0; i < t->n_flat; i++) {
		const struct rd_flat *f = &t->flat[i];
		const struct rd_array *a = f->rank ? rd_array_at(obj, f) : NULL;
		int64_t count = !a ? 1 : rd_is_absent(a) ? 0 : rd_count(a->shape, f->rank);
		n += RD_STORED_HEADER + 8 * f->rank + count * rd_prim_size(f->prim);
	}
	return n;
}

RD_FUN int rd_object_store(struct futhark_context *ctx, const struct rd_type *t, const void *obj,
                           void **p, size_t *n)
{
	char *to;
	int i, err;
	*n = (size_t)rd_stored_size(t, obj);
	if (!p)
		return FUTHARK_SUCCESS;
	if (!*p && !(*p = malloc(*n ? *n : 1)))
		return rd_out_of_memory(ctx, (int64_t)*n, 1);
	to = (char *)*p;
	for (i = 0; i < t->n_flat; i++) {
		const struct rd_flat *f = &t->flat[i];
		int64_t bytes = rd_prim_size(f->prim);
		rd_stored_header(f, to);
		to += RD_STORED_HEADER;
		if (f->rank) {
			const struct rd_array *a = rd_array_at(obj, f);
			memcpy(to, a->shape, 8 * (size_t)f->rank);
			to += 8 * f->rank;
			bytes *= rd_is_absent(a) ? 0 : rd_count(a->shape, f->rank);
			err = bytes ? rd_block_read(ctx, to, a->mem, 0, bytes) : 0;
			if (err)
				return err;
		} else {
			memcpy(to, rd_scalar_at(obj, f), (size_t)bytes);
		}
		to += bytes;
	}
	return FUTHARK_SUCCESS;
}

// `end` is where the bytes end, or NULL where nobody knows.
RD_FUN int rd_restore_array(struct futhark_context *ctx, const struct rd_flat *f,
                            struct rd_array *a, const char **from, const char *end)
{
	int64_t n = rd_prim_size(f->prim);
	int i, n_absent = 0;
	if (end && end - *from < 8 * f->rank)
		return FUTHARK_PROGRAM_ERROR;
	memcpy(a->shape, *from, 8 * (size_t)f->rank);
	*from += 8 * f->rank;
	for (i = 0; i < f->rank; i++)
		n_absent += a->shape[i] == -1;
	if (n_absent == f->rank)
		return FUTHARK_SUCCESS;
	for (i = 0; i < f->rank; i++) {
		if (a->shape[i] < 0 || !rd_is_given(a->shape, f->rank) ||
		    (a->shape[i] && n > INT64_MAX / a->shape[i]))
			return FUTHARK_PROGRAM_ERROR;
		n *= a->shape[i];
	}
	if (end && end - *from < n)
		return FUTHARK_PROGRAM_ERROR;
	if (rd_alloc(ctx, &a->mem, n, 1) != 0 || rd_block_write(ctx, a->mem, 0, *from, n) != 0)
		return FUTHARK_OUT_OF_MEMORY;
	*from += n;
	return FUTHARK_SUCCESS;
}

RD_FUN int rd_restore_value(struct futhark_context *ctx, const struct rd_flat *f, void *obj,
                            const char **from, const char *end)
{
	char header[RD_STORED_HEADER];
	int64_t size = rd_prim_size(f->prim);
	rd_stored_header(f, header);
	if ((end && end - *from < RD_STORED_HEADER) || memcmp(*from, header, sizeof header) != 0)
		return FUTHARK_PROGRAM_ERROR;
	*from += RD_STORED_HEADER;
	if (f->rank)
		return rd_restore_array(ctx, f, rd_array_at(obj, f), from, end);
	if (end && end - *from < size)
		return FUTHARK_PROGRAM_ERROR;
	memcpy(rd_scalar_at(obj, f), *from, (size_t)size);
	*from += size;
	return FUTHARK_SUCCESS;
}

RD_FUN void *rd_object_restore(struct futhark_context *ctx, const struct rd_type *t, const void *p,
                               const char *end)
{
	const char *from = (const char *)p;
	void *obj = rd_object_new(ctx, t);
	int i, err = obj ? FUTHARK_SUCCESS : FUTHARK_OUT_OF_MEMORY;
	for (i = 0; i < t->n_flat && !err; i++)
		err = rd_restore_value(ctx, &t->flat[i], obj, &from, end);
	if (!err && !rd_object_is_valid(ctx, t, obj))
		err = FUTHARK_PROGRAM_ERROR;
	if (!err)
		return obj;
	if (err == FUTHARK_PROGRAM_ERROR)
		rd_set_error(ctx, "Error: these bytes are no stored value of this type.\n");
	rd_object_free(ctx, t, obj);
	return NULL;
}
// @end
#endif
