// Random data.  The stream is reproducible from the seed: splitmix64, one step per number.
#include "core/core.h"
#include "core/data.h"

#include <math.h>

uint64_t rng_next(Rng *r)
{
	uint64_t z = r->state += 0x9E3779B97F4A7C15;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
	z = (z ^ z >> 27) * 0x94D049BB133111EB;
	return z ^ z >> 31;
}

// Uniform in [0, 1), with 53 random bits.
static double unit(Rng *r)
{
	return ldexp((double)(rng_next(r) >> 11), -53);
}

// Uniform in 0 .. span - 1; 0 stands for 2^64.
static uint64_t below(Rng *r, uint64_t span)
{
	if (span == 0)
		return rng_next(r);
	uint64_t reject = (0 - span) % span, x; // 2^64 mod span: these few make the rest uneven
	do
		x = rng_next(r);
	while (x < reject);
	return x % span;
}

// The bounds are inclusive.  Without bounds: any integer, floats of [0, 1).
static Scalar random_scalar(Rng *r, PrimType t)
{
	const Bounds *b = &r->bounds[t];
	if (t == PT_BOOL)
		return scalar_int(t, (int64_t)(rng_next(r) & 1));
	if (is_int(t)) {
		if (!b->set)
			return scalar_int(t, (int64_t)rng_next(r));
		return scalar_int(t, (int64_t)(b->lo.u + below(r, b->hi.u - b->lo.u + 1)));
	}
	double lo = b->set ? b->lo.f : 0, hi = b->set ? b->hi.f : 1, u = unit(r);
	// Written so that no difference of large bounds overflows, and never beyond hi.
	Scalar x = scalar_float(t, lo * (1 - u) + hi * u);
	if (!b->set && x.f >= 1)
		x = scalar_float(t, 0.5);  // rounding up to 1 in the narrow types
	return x;
}

bool value_generate(Rng *r, const char *what, Value *out, const char **why)
{
	const char *at = what, *end = what + strlen(what);
	Value shape;
	*why = data_read_type(&at, end, &shape);
	if (!*why) {
		data_skip_space(&at, end);
		if (at < end) {
			*why = text("Unknown type %s", what);
			return false;
		}
		*out = value_new(shape.type, shape.rank, shape.shape);
		int64_t n = value_count(out);
		for (int64_t i = 0; i < n; i++)
			value_set(out, i, random_scalar(r, out->type));
		return true;
	}
	// Not a type; a literal value then, of which the data consists.
	const char *ignored, *p = what;
	if (!value_read(&p, end, out, &ignored))
		return false;
	data_skip_space(&p, end);
	if (p < end)
		return false;
	*why = NULL;
	return true;
}
