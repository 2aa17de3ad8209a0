// MD5 of a text (RFC 1321), for names that other programs compute as well.
#include "base.h"

typedef struct { uint32_t a, b, c, d; } State;

static const uint32_t sines[64] = {     // floor(2^32 |sin(i + 1)|)
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
	0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
	0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
	0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
	0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
	0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
	0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
	0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
	0xeb86d391,
};

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static uint32_t word_at(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// What step i mixes in: a function of three words, and which word of the block.
static uint32_t mixed(int i, const State *s, int *word)
{
	switch (i / 16) {
	case 0:
		*word = i;
		return (s->b & s->c) | (~s->b & s->d);
	case 1:
		*word = (5 * i + 1) % 16;
		return (s->d & s->b) | (~s->d & s->c);
	case 2:
		*word = (3 * i + 5) % 16;
		return s->b ^ s->c ^ s->d;
	default: // the last round
		*word = 7 * i % 16;
		return s->c ^ (s->b | ~s->d);
	}
}

static void add_block(State *s, const uint8_t *block)
{
	static const int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23},
	                                {6, 10, 15, 21}};
	State t = *s;
	for (int i = 0; i < 64; i++) {
		int word;
		uint32_t f = mixed(i, &t, &word) + t.a + sines[i] + word_at(block + 4 * word);
		t = (State){t.d, t.b + rotate(f, turns[i / 16][i % 4]), t.b, t.c};
	}
	*s = (State){s->a + t.a, s->b + t.b, s->c + t.c, s->d + t.d};
}

// The text, a bit, zeros, and its length in bits in the last eight bytes of a block.
const char *md5_hex(const char *bytes, size_t len)
{
	State s = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	size_t all = (len + 8) / 64 * 64 + 64;
	uint8_t *padded = mem_alloc(all);
	if (len)
		memcpy(padded, bytes, len);
	padded[len] = 0x80;
	for (int i = 0; i < 8; i++)
		padded[all - 8 + (size_t)i] = (uint8_t)((uint64_t)len * 8 >> 8 * i);
	for (size_t at = 0; at < all; at += 64)
		add_block(&s, padded + at);
	Str out = {0};
	uint32_t words[] = {s.a, s.b, s.c, s.d};
	for (int i = 0; i < 16; i++)
		str_printf(&out, "%02x", (unsigned)(words[i / 4] >> 8 * (i % 4) & 0xff));
	return str_text(&out);
}
