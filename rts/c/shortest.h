// Prints floats with the fewest decimal digits that read back as the same float: 1.5, 1.0e-2, 1.0e20.
//
// This is Schubfach (R. Giulietti, "The Schubfach way to render doubles").  A float is c * 2^q.  All
// decimals between the midpoints to its two neighbours read back as that float.  This interval is
// scaled by a power of ten, 10^-k, such that it contains at least one integer and at most ten; the
// answer is then one of four candidates.  The products with powers of ten are rounded up to 128 bits
// and to odd (the last bit records whether anything was cut off), which suffices to decide every
// comparison for floats of up to 64 bits.
//
// Powers of ten are computed when first needed, from 1 in steps of ten, with 256 bits of which 128
// are exact.  A writer of many numbers keeps its own table of them.
#ifndef RD_SHORTEST_H
#define RD_SHORTEST_H
#include "base.h"

// @chunk shortest: base
enum { RD_LEAST_POWER = -292, RD_MOST_POWER = 324, RD_FLOAT_CHARS = 32 };

// 10^k in 128 bits, the highest of which is set; 0: not known yet.
struct rd_powers {
	uint64_t high[RD_MOST_POWER - RD_LEAST_POWER + 1], low[RD_MOST_POWER - RD_LEAST_POWER + 1];
};

// The high word of a product; *low: the other.
static inline uint64_t rd_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 rd_wide;
	rd_wide p = (rd_wide)a * b;
	*low = (uint64_t)p;
	return (uint64_t)(p >> 64);
#else
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t mid = a1 * b0 + (a0 * b0 >> 32), mid2 = a0 * b1 + (uint32_t)mid;
	*low = a * b;
	return a1 * b1 + (mid >> 32) + (mid2 >> 32);
#endif
}

// Eight words of 32 bits, the lowest first, times ten; the highest bit is set before and after.
static inline void rd_step_up(uint32_t *w)
{
	uint64_t carry = 0;
	int i, shift;
	for (i = 0; i < 8; i++) {
		carry += (uint64_t)w[i] * 10;
		w[i] = (uint32_t)carry;
		carry >>= 32;
	}
	shift = carry >= 8 ? 4 : 3;
	for (i = 0; i < 7; i++)
		w[i] = w[i] >> shift | w[i + 1] << (32 - shift);
	w[7] = w[7] >> shift | (uint32_t)carry << (32 - shift);
}

static inline void rd_step_down(uint32_t *w)
{
	uint64_t rest = 0, more;
	int i, shift;
	for (i = 7; i >= 0; i--) {
		rest = rest << 32 | w[i];
		w[i] = (uint32_t)(rest / 10);
		rest %= 10;
	}
	more = (rest << 32) / 10; // the bits that move in from below
	shift = w[7] >> 28 ? 3 : 4;
	for (i = 7; i > 0; i--)
		w[i] = w[i] << shift | w[i - 1] >> (32 - shift);
	w[0] = w[0] << shift | (uint32_t)more >> (32 - shift);
}

// Fills in the power and those on the way to it.
static RD_COLD void rd_find_power(struct rd_powers *p, int k)
{
	uint32_t w[8] = {0, 0, 0, 0, 0, 0, 0, UINT32_C(1) << 31};
	int i, at = 0, step = k < 0 ? -1 : 1;
	for (;; at += step) {
		uint64_t high = (uint64_t)w[7] << 32 | w[6], low = (uint64_t)w[5] << 32 | w[4];
		bool rest = at < 0;
		for (i = 0; i < 4; i++)
			rest |= w[i] != 0;
		low += rest; // rounded up
		high += rest && low == 0;
		p->high[at - RD_LEAST_POWER] = high;
		p->low[at - RD_LEAST_POWER] = low;
		if (at == k)
			return;
		if (step > 0)
			rd_step_up(w);
		else
			rd_step_down(w);
	}
}

static inline uint64_t rd_scaled(uint64_t high, uint64_t low, uint64_t c)
{
	uint64_t x0, x1 = rd_multiply(low, c, &x0), y0, y1 = rd_multiply(high, c, &y0);
	(void)x0;
	y0 += x1;
	y1 += y0 < x1;
	return y1 | (y0 > 1);
}

// x / 2^n, rounded down.
static inline int rd_floor_shift(int64_t x, int n)
{
	return (int)(x >= 0 ? x >> n : -((-x + ((int64_t)1 << n) - 1) >> n));
}

// The shortest d with d * 10^*exponent nearest to c * 2^q, c != 0.  `closer`: the float below it is
// only half as far as the one above.
static uint64_t rd_shortest(struct rd_powers *p, uint64_t c, int q, bool closer, int *exponent)
{
	uint64_t high, low, left, right, at, lower, upper, s, odd = c & 1;
	int k = rd_floor_shift((int64_t)q * 1262611 - (closer ? 524031 : 0), 22);
	int h = q + rd_floor_shift((int64_t)-k * 1741647, 19) + 1;
	bool below, above;
	if (q <= 0 && q > -64 && (c & (((uint64_t)1 << -q) - 1)) == 0) { // an integer
		*exponent = 0;
		return c >> -q;
	}
	if (!p->high[-k - RD_LEAST_POWER])
		rd_find_power(p, -k);
	high = p->high[-k - RD_LEAST_POWER];
	low = p->low[-k - RD_LEAST_POWER];
	left = rd_scaled(high, low, (4 * c - 2 + closer) << h);
	at = rd_scaled(high, low, 4 * c << h);
	right = rd_scaled(high, low, (4 * c + 2) << h);
	lower = left + odd; // midpoints read back as the float whose last bit is 0
	upper = right - odd;
	s = at / 4;
	*exponent = k + 1;
	if (s >= 10) {
		uint64_t tens = s / 10;
		below = lower <= 40 * tens;
		above = 40 * tens + 40 <= upper;
		if (below != above)
			return tens + above;
	}
	*exponent = k;
	below = lower <= 4 * s;
	above = 4 * s + 4 <= upper;
	if (below != above)
		return s + above;
	return s + (at > 4 * s + 2 || (at == 4 * s + 2 && (s & 1)));
}

// The decimal digits of n at `to`, from the highest; how many.
static inline int rd_put_decimal(char *to, uint64_t n)
{
	char digits[20];
	int len = 0, i;
	do
		digits[len++] = (char)('0' + n % 10);
	while (n /= 10);
	for (i = 0; i < len; i++)
		to[i] = digits[len - 1 - i];
	return len;
}

// 0.DIGITS * 10^e; gives the number of characters.
static int rd_lay_out(char *to, const char *digits, int len, int e)
{
	char *at = to;
	int i;
	if (e < 0 || e > 7) {
		*at++ = digits[0];
		*at++ = '.';
		for (i = 1; i < len || i == 1; i++)
			*at++ = i < len ? digits[i] : '0';
		*at++ = 'e';
		if (--e < 0) {
			*at++ = '-';
			e = -e;
		}
		return (int)(at - to) + rd_put_decimal(at, (uint64_t)e);
	}
	if (e == 0)
		*at++ = '0';
	for (i = 0; i < e; i++)
		*at++ = i < len ? digits[i] : '0';
	*at++ = '.';
	for (i = e; i < len || i == e; i++)
		*at++ = i < len ? digits[i] : '0';
	return (int)(at - to);
}

// A finite float of `bits` bits with a significand of `wide` of them, given by its pattern, as text of at
// most RD_FLOAT_CHARS characters, without a 0 at the end; gives their number.
static RD_UNUSED int rd_float_text(struct rd_powers *p, char *to, uint64_t pattern, int bits, int wide)
{
	uint64_t c = pattern & (((uint64_t)1 << wide) - 1), d;
	int e = (int)(pattern >> wide & (((uint64_t)1 << (bits - 1 - wide)) - 1));
	int bias = (1 << (bits - 2 - wide)) - 1 + wide, exponent = 0, len, n = 0;
	char digits[20];
	if (pattern >> (bits - 1))
		to[n++] = '-';
	if (e == 0 && c == 0) {
		memcpy(to + n, "0.0", 3);
		return n + 3;
	}
	d = e ? rd_shortest(p, c | (uint64_t)1 << wide, e - bias, c == 0 && e > 1, &exponent)
	      : rd_shortest(p, c, 1 - bias, false, &exponent);
	len = rd_put_decimal(digits, d);
	exponent += len;
	while (len > 1 && digits[len - 1] == '0')
		len--;
	return n + rd_lay_out(to + n, digits, len, exponent);
}
// @end
#endif
