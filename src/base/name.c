// Interned strings: equal strings have equal pointers, so names compare with ==.
//
// The table and the texts are a cache for the life of the process: they are not in the
// arena, and names stay valid when the arena is released.
#include "base/base.h"

#include <stdlib.h>

typedef struct {
	char *text;                     // NULL in a free slot
	uint32_t hash, len;
} Slot;

static Slot *slots;
static size_t n_slots, n_names;         // n_slots is 0 or a power of two
static char *room;                      // free bytes for texts
static size_t room_left;

static inline uint64_t word_at(const char *s)
{
	uint64_t w;
	memcpy(&w, s, sizeof w);
	return w;
}

static inline uint64_t half_word_at(const char *s)
{
	uint32_t w;
	memcpy(&w, s, sizeof w);
	return w;
}

// Eight bytes at a time; the last of them overlap.  The table uses the low bits, so the high ones
// of the product come down.
static inline uint32_t hash_bytes(const char *s, size_t n)
{
	uint64_t h = n, last;
	for (; n > 8; s += 8, n -= 8) {
		h = (h ^ word_at(s)) * 0x9E3779B97F4A7C15u;
		h ^= h >> 32;
	}
	if (n == 8)
		last = word_at(s);
	else if (n >= 4)
		last = half_word_at(s) << 32 | half_word_at(s + n - 4);
	else
		last = n ? (uint64_t)(unsigned char)s[0] << 16 |
		           (uint64_t)(unsigned char)s[n / 2] << 8 | (unsigned char)s[n - 1] : 0;
	h = (h ^ last) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(h >> 32);
}

static char *keep(const char *s, size_t n)
{
	if (n + 1 > room_left) {
		room_left = n + 1 > 32768 ? n + 1 : 32768;
		room = must(malloc(room_left));
	}
	char *p = room;
	room += n + 1;
	room_left -= n + 1;
	if (n)
		memcpy(p, s, n);
	p[n] = 0;
	return p;
}

static void rehash(void)
{
	size_t wider = n_slots ? n_slots * 2 : 4096;
	Slot *to = must(calloc(wider, sizeof *to));
	for (size_t i = 0; i < n_slots; i++) {
		if (!slots[i].text)
			continue;
		size_t j = slots[i].hash & (wider - 1);
		while (to[j].text)
			j = (j + 1) & (wider - 1);
		to[j] = slots[i];
	}
	free(slots);
	slots = to;
	n_slots = wider;
}

Name name_of_n(const char *s, size_t n)
{
	if (n > UINT32_MAX)
		bug("a name of %zu bytes", n);
	if (n_names * 2 >= n_slots)
		rehash();
	uint32_t h = hash_bytes(s, n);
	size_t i = h & (n_slots - 1);
	for (; slots[i].text; i = (i + 1) & (n_slots - 1)) {
		const Slot *at = &slots[i];
		if (at->hash == h && at->len == n && (n == 0 || memcmp(at->text, s, n) == 0))
			return at->text;
	}
	n_names++;
	slots[i] = (Slot){keep(s, n), h, (uint32_t)n};
	return slots[i].text;
}

Name name_of(const char *s)
{
	return name_of_n(s, strlen(s));
}

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

// Damerau-Levenshtein distance (optimal string alignment): insertions, deletions,
// substitutions and swaps of neighbours each cost 1.  row[0] is the row of i - 2.
size_t edit_distance(const char *a, const char *b, size_t limit)
{
	size_t n = strlen(a), m = strlen(b);
	if ((n > m ? n - m : m - n) > limit)
		return limit + 1;
	size_t *cells = malloc(3 * (m + 1) * sizeof *cells);
	must(cells);
	size_t *row[3] = {cells, cells + m + 1, cells + 2 * (m + 1)};
	for (size_t j = 0; j <= m; j++)
		row[0][j] = row[1][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t best = row[2][0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t d = min(row[1][j - 1] + (a[i - 1] != b[j - 1]),
			               min(row[1][j], row[2][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = min(d, row[0][j - 2] + 1);
			row[2][j] = d;
			best = min(best, d);
		}
		size_t *oldest = row[0];
		row[0] = row[1], row[1] = row[2], row[2] = oldest;
		// A swap can still lead from the row before to a smaller value by at most 1.
		if (best > limit + 1)
			break;
	}
	size_t d = row[1][m];
	free(cells);
	return d > limit ? limit + 1 : d;
}
