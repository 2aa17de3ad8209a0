// What the files of the pass pair_rows share.
#ifndef RAIDO_PAIR_ROWS_H
#define RAIDO_PAIR_ROWS_H
#include "core/affine.h"
#include "core/core.h"

enum { MOST_STMS = 200, MOST_DIGITS = 4 };

typedef struct { const Stm *stm; int epoch; } Maker;
typedef struct { const Lambda *op; int level; } Token; // of an accumulator; where it is made
typedef struct { int acc; Subs idx, vals; Vars certs; } Update;

typedef struct {
	Build b;
	Map defs;                               // variable -> const Exp *
	Map counters;                           // of loops -> const Sub *: what they are below
	Map carried;                            // numbers that loops carry -> const Carried *
	Map given;                              // parameters of functions
	Map uses;                               // count_operand
	Map makers;                             // results of maps -> const Maker *
	int epoch, epochs;                      // another one in each body, and after each write
	Map tokens;                             // of accumulators -> const Token *
	int level, levels;                      // the combinator around, by number
} Pairs;

// A map whose rows are done in pairs, and one that makes inputs for it, or NULL.
typedef struct {
	Pairs *p;
	const Stm *map, *maker;
	int at, maker_at;                       // their parameters that are the row's number, or -1
	Sub n, d, e;                            // is_bit: d = 1 << e
	bool is_bit;
	Sub n_pairs, base, n_rest;              // base = 2 * n_pairs, the first row of the rest
	// While a pair is evaluated: q = blk*d + k, lo = blk*d, quo = 2*blk + digit, i = quo*d + k
	bool pair;
	Sub q, k, lo, blk, i[2], quo[2];
	Sub row;                                // of the rest
	Map to;                                 // variables of the maps -> what they are
	Subs made[2];                           // what the maker gives in both rows
	Subs accs;                              // of the rows at hand
	VEC(Update) updates;                    // of these
	uint32_t first_var;                     // of what is bound in rows
	bool failed;
} Rows;

// ---- pair_rows.c ----

bool is_pairable_body(const Body *, bool in_branch); // can it be evaluated?

// ---- pair_rows_eval.c ----

// Emits both rows of pair q, or row base + q; the accumulators after that.
Subs eval_pair(Rows *, Sub q, Subs accs);
Subs eval_rest(Rows *, Sub q, Subs accs);
#endif
