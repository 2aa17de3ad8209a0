// Reads values of known types, with the reader of generated programs (rts/c/values.h), so that the
// interpreter accepts the same input as executables and reports the same errors.
#include "core/core.h"

#pragma GCC diagnostic ignored "-Wunused-function"
#include "c/values.h"

_Static_assert((int)RD_I64 == (int)PT_I64 && (int)RD_F16 == (int)PT_F16 &&
               (int)RD_BOOL == (int)PT_BOOL, "scalar types are numbered alike");

static Value taken(struct rd_value *v)
{
	Value out = value_new((PrimType)v->prim, v->rank, v->shape);
	size_t bytes = (size_t)(value_count(&out) * primtype_size(out.type));
	if (bytes)
		memcpy(out.data, v->data, bytes);
	rd_value_free(v);
	return out;
}

bool values_read_as(const char *bytes, size_t len, Types want, Values *out, int *at,
                    const char **why)
{
	char *copy = mem_alloc(len + 2), said[256];
	if (len)
		memcpy(copy, bytes, len);
	copy[len] = '\n'; // no file in memory is empty
	FILE *f = fmemopen(copy, len ? len : 1, "r");
	struct rd_reader *r = NEW(struct rd_reader);
	*why = f ? NULL : "out of memory";
	if (f)
		rd_reader_init(r, f);
	for (*at = 0; *at < want.len && !*why; ++*at) {
		struct rd_value v = {.prim = (int)want.at[*at].elem, .rank = want.at[*at].dims.len};
		if (!rd_read_value(r, &v)) {
			rd_read_error(r, said, sizeof said);
			*why = text("%s", said);
			break;
		}
		VEC_PUSH(out, taken(&v));
	}
	if (!*why && !rd_at_end(r)) {
		rd_unreadable(r, NULL, "expected the end of the input");
		rd_read_error(r, said, sizeof said);
		*why = text("%s", said);
	}
	if (f)
		fclose(f);
	return !*why;
}
