// What xsbench and rsbench share: the generator of random numbers and the nuclides of materials.
#include <stdint.h>

enum { NUCLIDES = 68, MATERIALS = 12, MOST_NUCLIDES = 34 };

static inline uint64_t lcg(uint64_t *s)
{
	return *s = (UINT64_C(2806196910506780709) * *s + 1) & INT64_MAX;
}

static inline double draw(uint64_t *s) { return (double)lcg(s) / 0x1p63; }

static const int32_t num_nuclides[MATERIALS] = {34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};

#define MODERATOR 24, 41, 4, 5
#define STEEL MODERATOR, 19, 20, 21, 22, 35, 36, 37, 38, 39, 25, 49, 50, 51, 11, 12, 13, 14
#define CLAD 63, 64, 65, 66, 67
static const int32_t nuclides[MATERIALS][MOST_NUCLIDES] = {
	{58, 59, 60, 61, 40, 42, 43, 44, 45, 46, 1, 2, 3, 7, 8, 9, 10, 29, 57, 47, 48, 0, 62, 15, 33, 34,
	 52, 53, 54, 55, 56, 18, 23, 41},
	{CLAD}, {MODERATOR}, {MODERATOR},
	{19, 20, 21, 22, 35, 36, 37, 38, 39, 25, 27, 28, 29, 30, 31, 32, 26, 49, 50, 51, 11, 12, 13, 14,
	 6, 16, 17},
	{STEEL}, {STEEL}, {STEEL}, {STEEL}, {STEEL}, {MODERATOR, CLAD}, {MODERATOR, CLAD},
};

static inline void make_densities(double d[MATERIALS][MOST_NUCLIDES], uint64_t *s)
{
	for (int m = 0; m < MATERIALS; m++)
		for (int j = 0; j < num_nuclides[m]; j++)
			d[m][j] = draw(s);
}

// A lookup's energy and material.
static inline int32_t sample(double *e, int64_t i)
{
	static const double shares[MATERIALS] = {0.140, 0.052, 0.275, 0.134, 0.154, 0.064,
	                                         0.066, 0.055, 0.008, 0.015, 0.025, 0.013};
	uint64_t a = UINT64_C(2806196910506780709), c = 1, an = 1, cn = 0;
	for (uint64_t n = 2 * (uint64_t)i; n > 0; n >>= 1) {
		if (n & 1) {
			an *= a;
			cn = cn * a + c;
		}
		c *= a + 1;
		a *= a;
	}
	uint64_t s = (an * 1070 + cn) & INT64_MAX;
	*e = draw(&s);
	double roll = draw(&s), sum = 0;
	for (int m = 1; m < MATERIALS; m++) {
		sum += shares[m];
		if (roll < sum)
			return m;
	}
	return 0;
}
