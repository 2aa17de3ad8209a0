// Thresholds: the usual ones, or what RAIDO_EAGER says.
#include "base/base.h"

#include <stdlib.h>

typedef struct { const char *name; int usual, eager; } Row;
static const Row rows[] = {
#define THRESHOLD(name, usual, eager, what) {#name, usual, eager},
#include "base/thresholds.def"
#undef THRESHOLD
};
enum { N_ROWS = sizeof rows / sizeof *rows };
static int values[N_ROWS];

// One half of all, another one for each seed.
static bool by_chance(uint64_t seed, int i)
{
	uint64_t x = (seed * N_ROWS + (uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	return x >> 40 & 1;
}

// A word of the list: all, a seed, NAME, or -NAME for the usual one.
static void apply(const char *word, size_t n)
{
	bool usual = *word == '-', all = n == 3 && strncmp(word, "all", n) == 0, found = all;
	bool seed = *word >= '0' && *word <= '9';
	for (int i = 0; i < N_ROWS; i++) {
		bool named = strlen(rows[i].name) == n - usual &&
		             strncmp(rows[i].name, word + usual, n - usual) == 0;
		found |= named || seed;
		if (named || all || (seed && by_chance(strtoull(word, NULL, 10), i)))
			values[i] = usual ? rows[i].usual : rows[i].eager;
	}
	if (!found)
		fail(NOWHERE, NULL, "RAIDO_EAGER: there is no threshold \"%.*s\".", (int)n, word);
}

int threshold(Threshold t)
{
	static bool known;
	if (known)
		return values[t];
	for (int i = 0; i < N_ROWS; i++)
		values[i] = rows[i].usual;
	for (const char *word = getenv("RAIDO_EAGER"); word && *word; ) {
		size_t n = strcspn(word, ",");
		apply(word, n);
		word += n + (word[n] != 0);
	}
	known = true;
	return values[t];
}
