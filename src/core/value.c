// Values outside programs: scalars and dense regular arrays of scalars.
//
// These are the contents of data files, the arguments and results of entry points, and what tools
// compare.
#include "core/core.h"

// The number of elements.  Only an empty array may have sizes whose product overflows.
int64_t value_count(const Value *v)
{
	int64_t n = 1;
	for (int i = 0; i < v->rank; i++)
		if (v->shape[i] == 0)
			return 0;
	for (int i = 0; i < v->rank; i++)
		if (v->shape[i] > INT64_MAX / n)
			return INT64_MAX;
		else
			n *= v->shape[i];
	return n;
}

Value value_new(PrimType type, int rank, const int64_t *shape)
{
	Value v = {.type = type, .rank = rank};
	v.shape = mem_dup(shape, (size_t)rank * sizeof *shape);
	v.data = mem_alloc((size_t)value_count(&v) * (size_t)primtype_size(type));
	return v;
}

Value value_scalar(Scalar s)
{
	Value v = value_new(s.type, 0, NULL);
	scalar_store(s.type, v.data, s);
	return v;
}

Scalar value_get(const Value *v, int64_t i)
{
	return scalar_load(v->type, (const char *)v->data + i * primtype_size(v->type));
}

void value_set(Value *v, int64_t i, Scalar s)
{
	scalar_store(v->type, (char *)v->data + i * primtype_size(v->type), s);
}

const char *value_type_text(const Value *v)
{
	Str s = {0};
	for (int i = 0; i < v->rank; i++)
		str_printf(&s, "[%lld]", (long long)v->shape[i]);
	str_puts(&s, primtype_name[v->type]);
	return str_text(&s);
}
