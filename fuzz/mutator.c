// Mutations of token sequences.
//
// Random bytes rarely get past the parser.  Here an input is cut into words, numbers, symbols
// and the white space between them; a mutation deletes, repeats, moves or replaces a run of
// such pieces, by pieces of the same input, by tokens of the language, or (crossing over) by a
// run of another input.  One time in four the bytes are mutated by libFuzzer instead.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_size, unsigned seed);

enum { MAX_PIECES = 8192 };

typedef struct { const uint8_t *at; size_t len; } Piece;
typedef struct { Piece at[MAX_PIECES]; int len; } Pieces;
typedef struct { uint8_t *at; size_t len, cap; } Out;

static const char *const tokens[] = {
	"if", "then", "else", "def", "let", "loop", "in", "val", "for", "do", "with", "local",
	"open", "include", "import", "type", "entry", "module", "while", "assert", "match", "case",
	"true", "false", "_", "(", ")", "[", "]", "{", "}", ",", ".", ":", ":>", "\\", "->", "=",
	"..", "...", "..<", "..>", "?", "???", "#[", "'a", "'^a", "'~a", "*", "+", "-", "/", "%",
	"**", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "|>", "<|", "!", "&", "|", "^", "<<",
	">>", "#a", "#b", "i32", "i64", "f32", "f64", "u8", "bool", "[n]", "[]", "?[n].", "x", "y",
	"n", "f", "t", "m", "0", "1", "2i32", "3i64", "1.5f32", "-1", "255u8", "map", "reduce",
	"scan", "filter", "zip", "unzip", "iota", "replicate", "scatter", "flatten", "unflatten",
	"(+)", "(x: i32)", "jvp", "vjp", "reduce_by_index", "loop x = 1 for i < 2 do x",
	"let x = 1 in", "with [0] =", "[:]", "[::-1]", "#[unsafe]", "length", "concat", "++",
};
enum { N_TOKENS = sizeof tokens / sizeof *tokens };

static unsigned next_random(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

// In 0 ... n - 1.
static int below(unsigned *state, int n)
{
	return n > 0 ? (int)(next_random(state) % (unsigned)n) : 0;
}

// 0: white space, 1: part of a word or number, 2: part of an operator, 3: alone
static int class_of(uint8_t c)
{
	if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
		return 0;
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_' || c == '\'' || c >= 128)
		return 1;
	return c && strchr("+-*/%=!<>|&^", c) ? 2 : 3;
}

static void cut(Pieces *p, const uint8_t *data, size_t size)
{
	p->len = 0;
	for (size_t i = 0; i < size && p->len < MAX_PIECES; ) {
		size_t from = i++;
		int class = class_of(data[from]);
		while (class != 3 && i < size && class_of(data[i]) == class)
			i++;
		p->at[p->len++] = (Piece){data + from, i - from};
	}
}

static void put(Out *o, const void *at, size_t len)
{
	size_t n = len < o->cap - o->len ? len : o->cap - o->len;
	if (n)
		memcpy(o->at + o->len, at, n);
	o->len += n;
}

static void put_run(Out *o, const Pieces *p, int from, int to)
{
	for (int i = from; i < to && i < p->len; i++)
		put(o, p->at[i].at, p->at[i].len);
}

static void put_token(Out *o, unsigned *state)
{
	const char *t = tokens[below(state, N_TOKENS)];
	put(o, " ", 1);
	put(o, t, strlen(t));
	put(o, " ", 1);
}

// Some piece that is not white space, or -1.
static int some_word(const Pieces *p, unsigned *state)
{
	for (int tries = 0; tries < 8; tries++) {
		int i = below(state, p->len);
		if (p->len && class_of(*p->at[i].at) != 0)
			return i;
	}
	return -1;
}

// The pieces with `from` to `to` replaced by something.
static void replace(Out *o, const Pieces *p, int from, int to, unsigned *state)
{
	int other = below(state, p->len), run = 1 + below(state, 12), word = some_word(p, state);
	put_run(o, p, 0, from);
	switch (below(state, 7)) {
	case 0:                         // deleted
		break;
	case 1:                         // repeated
		put_run(o, p, from, to);
		put_run(o, p, from, to);
		break;
	case 2:                         // a run from elsewhere instead
		put_run(o, p, other, other + run);
		break;
	case 3:                         // and before it
		put_run(o, p, other, other + run);
		put_run(o, p, from, to);
		break;
	case 4:                         // another word instead
		if (word >= 0)
			put_run(o, p, word, word + 1);
		break;
	case 5:
		put_token(o, state);
		break;
	case 6:
		put_token(o, state);
		put_run(o, p, from, to);
		break;
	}
	put_run(o, p, to, p->len);
}

static void swap_runs(Out *o, const Pieces *p, unsigned *state)
{
	int a = below(state, p->len), b = a + 1 + below(state, 10);
	int c = b + below(state, p->len), d = c + 1 + below(state, 10);
	put_run(o, p, 0, a);
	put_run(o, p, c, d);
	put_run(o, p, b, c);
	put_run(o, p, a, b);
	put_run(o, p, d, p->len);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static Pieces pieces;
	unsigned state = seed;
	if (size == 0 || below(&state, 4) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	for (int n = 1 + below(&state, 3); n > 0 && size; n--) {
		cut(&pieces, data, size);
		Out o = {malloc(max_size), 0, max_size};
		if (!o.at)
			return size;
		int from = below(&state, pieces.len);
		int len = below(&state, 3) ? 1 : 1 + below(&state, 20);
		if (below(&state, 8) == 0)
			swap_runs(&o, &pieces, &state);
		else
			replace(&o, &pieces, from, from + len, &state);
		memcpy(data, o.at, o.len);
		size = o.len;
		free(o.at);
	}
	return size;
}

// Lines of the second input somewhere in the first.
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_size, unsigned seed)
{
	static Pieces first, second;
	unsigned state = seed;
	cut(&first, data1, size1);
	cut(&second, data2, size2);
	Out o = {out, 0, max_size};
	int at = below(&state, first.len), skip = below(&state, 10);
	int from = below(&state, second.len);
	int len = below(&state, 2) ? second.len : 1 + below(&state, 60);
	put_run(&o, &first, 0, at);
	put_run(&o, &second, from, from + len);
	put_run(&o, &first, at + skip, first.len);
	return o.len;
}
