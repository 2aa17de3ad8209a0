// The shortest digits of floats: they read back, no shorter decimal does, and the layout is that of
// the language.
#include "base/base.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static int n_digits(const char *s)
{
	int n = 0, zeros = 0;
	for (; *s && *s != 'e'; s++) {
		if (*s < '0' || *s > '9' || (!n && *s == '0'))
			continue;
		n++;
		zeros = *s == '0' ? zeros + 1 : 0;
	}
	return n - zeros;
}

static double read_as(PrimType t, const char *s)
{
	return float_of_text(t, s);
}

static void check_float(PrimType t, double x)
{
	const char *s = scalar_show((Scalar){.type = t, .f = x}, false);
	char shorter[64];
	int n = n_digits(s);
	bool ok = read_as(t, s) == x;
	if (n > 1)
		snprintf(shorter, sizeof shorter, "%.*e", n - 2, x);
	ok = ok && (n <= 1 || read_as(t, shorter) != x);
	passed += ok;
	failed += !ok;
	if (!ok)
		printf("%s of type %s (%.17g)\n", s, primtype_name[t], x);
}

static void layout(PrimType t, double x, const char *expected)
{
	const char *s = scalar_show((Scalar){.type = t, .f = x}, true);
	bool ok = strcmp(s, expected) == 0;
	passed += ok;
	failed += !ok;
	if (!ok)
		printf("%s, not %s\n", s, expected);
}

int main(void)
{
	uint64_t state = 88172645463325252u;
	for (int i = 0; i < 100000; i++) {
		uint64_t bits = next(&state);
		uint32_t low = (uint32_t)bits;
		double x, few = (double)(bits % 1000000) / 1000;
		float y;
		memcpy(&x, &bits, sizeof x);
		memcpy(&y, &low, sizeof y);
		if (isfinite(x))
			check_float(PT_F64, x);
		if (isfinite(y))
			check_float(PT_F32, (double)y);
		check_float(PT_F64, few);
	}
	for (int h = 0; h < 0x7c00; h++)
		check_float(PT_F16, double_of_half((uint16_t)h));
	layout(PT_F64, 14, "14.0f64");
	layout(PT_F64, 0.05, "5.0e-2f64");
	layout(PT_F64, -0.1, "-0.1f64");
	layout(PT_F64, 1e7, "1.0e7f64");
	layout(PT_F64, 9999999, "9999999.0f64");
	layout(PT_F64, 1e23, "1.0e23f64");
	layout(PT_F64, 5e-324, "5.0e-324f64");
	layout(PT_F64, 1.7976931348623157e308, "1.7976931348623157e308f64");
	layout(PT_F64, -0.0, "-0.0f64");
	layout(PT_F32, (double)0.1f, "0.1f32");
	layout(PT_F16, 65504, "65500.0f16");
	return report_counts();
}
