// Random programs with derivatives, each held against itself: the interpreter, the interpreter
// after the passes, and compiled code; forward mode, reverse mode and differences.
//
// One section per .c file.  A program is a tree of text with holes: a node is an expression of
// known type, a block is a list of bindings and a result.  Making and printing know the language;
// making smaller does not: it replaces nodes by simple ones of their type or by nodes within them,
// drops bindings, and leaves it to the checker to refuse what is no program any more.
#ifndef RAIDO_RANDOM_H
#define RAIDO_RANDOM_H
#include "base/base.h"

// ---- tree.c ----

typedef enum {
	T_NUM,                          // f64
	T_INT,                          // i64, not negative
	T_BOOL,
	T_VEC,                          // [d1]f64
	T_MAT,                          // [d1][d2]f64
	T_REC,                          // {p: f64, q: [d1]f64}
	T_SUM,                          // #one f64 | #two f64 ([d1]f64)
	T_PAIR,                         // (f64, [d1]f64)
	T_OTHER,                        // d1 is the text of the type, d2 that of a constant
} Kind;
typedef struct { Kind kind; const char *d1, *d2; } Shape;

typedef struct Node Node;
typedef struct Block Block;
typedef struct { const char *text; Node *node; Block *block; } Part; // one of the three
struct Node { Shape type; VEC(Part) parts; };
typedef struct { const char *pattern; Node *value; } Step;
struct Block { VEC(Step) steps; Node *result; };

// The format has %s text, %i int, %e Node *, %b Block * and %% only.
Node *node(Shape, const char *fmt, ...);
Node *simplest(Shape);                             // a constant of the type
const char *shape_text(Shape);
bool shape_equal(Shape, Shape);

typedef struct { const char *head; Block *body; } Def;
typedef struct {
	uint64_t seed;
	VEC(Def) defs;                          // helper functions
	Block *body;                            // of the function under test
	bool second;                            // second derivatives are asked for, too
	int64_t n, m;                           // sizes of the inputs
	bool sizes;                             // values only: there is no derivative
	bool exact;                             // all ways give the same, to the last bit
} Random;
// Functions named fn7, h7_0, ... and the entry point p7, for index 7.
void print_random(Str *, const Random *, int index);
void print_header(Str *);                       // what all programs of a file share
void print_lang_header(Str *);                  // likewise, of those over the whole language

// ---- gen.c, gen_array.c ----

Random *make_random(uint64_t seed);

// ---- gen_sizes.c ----

void print_sizes_header(Str *);                 // what programs over sizes share
Random *make_sizes(uint64_t seed);

// ---- gen_lang.c ----

Random *make_lang(uint64_t seed);

// ---- shrink.c ----

// The smallest program found that still fails.
Random *shrink(Random *, bool (*fails)(const Random *, void *ctx), void *ctx, int most_tries);
#endif
