// Compares the results of a program with the expected values.
//
// Integers and bools must be equal.  Floats may differ by 0.002 * max(1, m), where m is the largest
// finite expected element of the value (negative elements do not count); NaN equals NaN, and
// infinities must be equal.  Types and shapes must match exactly.
#include "core/core.h"

#include <math.h>

static double tolerance(const Value *expected)
{
	double largest = 1;
	int64_t n = is_float(expected->type) ? value_count(expected) : 0;
	for (int64_t i = 0; i < n; i++) {
		double x = value_get(expected, i).f;
		if (isfinite(x) && x > largest)
			largest = x;
	}
	return 0.002 * largest;
}

static bool same(Scalar got, Scalar expected, double tol)
{
	if (!is_float(expected.type))
		return got.u == expected.u;
	if (isnan(expected.f) || isnan(got.f))
		return isnan(expected.f) && isnan(got.f);
	if (isinf(expected.f) || isinf(got.f))
		return expected.f == got.f;
	return fabs(got.f - expected.f) <= tol;
}

static const char *shape_text(const Value *v)
{
	Str s = {0};
	for (int i = 0; i < v->rank; i++)
		str_printf(&s, "[%lld]", (long long)v->shape[i]);
	return v->rank ? str_text(&s) : "[]";
}

// " index [1,0]", or nothing for a scalar.
static const char *index_text(const Value *v, int64_t flat)
{
	if (v->rank == 0)
		return "";
	Str s = {0};
	int64_t inner = value_count(v);
	for (int i = 0; i < v->rank; i++) {
		inner /= v->shape[i];
		str_printf(&s, "%s%lld", i ? "," : " index [", (long long)(flat / inner));
		flat %= inner;
	}
	str_putc(&s, ']');
	return str_text(&s);
}

static bool compare_elements(const Value *got, const Value *expected, int number,
                             bool only_first, Str *out)
{
	double tol = tolerance(expected);
	bool equal = true;
	int64_t n = value_count(expected);
	for (int64_t i = 0; i < n; i++) {
		Scalar a = value_get(got, i), b = value_get(expected, i);
		if (same(a, b, tol))
			continue;
		equal = false;
		str_printf(out, "Value #%d%s: expected %s, got %s\n", number, index_text(expected,
			i),
		           scalar_show(b, false), scalar_show(a, false));
		if (only_first)
			break;
	}
	return equal;
}

static bool compare_value(const Value *got, const Value *expected, int number, bool only_first,
                          Str *out)
{
	if (got->type != expected->type) {
		str_printf(out, "Value #%d: expected value of type %s, got %s\n", number,
		           primtype_name[expected->type], primtype_name[got->type]);
		return false;
	}
	bool same_shape = got->rank == expected->rank;
	for (int i = 0; same_shape && i < got->rank; i++)
		same_shape = got->shape[i] == expected->shape[i];
	if (!same_shape) {
		str_printf(out, "Value #%d: expected array of shape %s, got %s\n", number,
		           shape_text(expected), shape_text(got));
		return false;
	}
	return compare_elements(got, expected, number, only_first, out);
}

bool values_compare(const Values *got, const Values *expected, bool only_first, Str *out)
{
	if (got->len != expected->len) {
		str_printf(out, "Expected %d values, got %d\n", expected->len, got->len);
		return false;
	}
	bool equal = true;
	for (int i = 0; i < got->len; i++)
		equal &= compare_value(&got->at[i], &expected->at[i], i, only_first, out);
	return equal;
}
