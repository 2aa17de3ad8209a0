// The algebra of indices: sizes, offsets and indices as sums of products of variables.
//
//     let (a: i64) = mul.i64 i m
//     let (b: i64) = add.i64 a j            b = i*m + j
//     index xs [b]
//
// All passes ask their questions about integers here:
//
//     are they equal?                       (i + 1)*m - m  and  i*m       affine_same
//     how does it change with a loop?       i*m + j changes by m with i   affine_split, affine_rate
//     is it never negative?                 n*m + i                       affine_natural
//     do two spans share nothing?           [i, i+n)  and  [i+n, ..)      spans_apart
//     do iterations have places apart?      i*m + j for j < m             affine_injective
//
// What is known of variables is given by whoever asks: the operations that give them (AffineDefs),
// sizes and counters (AffineFacts).  The prover of opt/range.c, which collects facts on its way
// through a program, does its arithmetic with the same forms.
#ifndef RAIDO_AFFINE_H
#define RAIDO_AFFINE_H
#include "core/core.h"

// ---- affine.c: arithmetic ----

// k times the product of variables, ascending by number; those that are not there are 0.
enum { AFFINE_TERMS = 8, AFFINE_DEGREE = 4 };
typedef struct { int64_t k; Var v[AFFINE_DEGREE]; } AffineTerm;
// c + t[0] + t[1] + ..., in no particular order, no product twice, none with k = 0.
typedef struct {
	int64_t c;
	int n;
	bool bad;                               // too large to handle: nothing is known of it
	AffineTerm t[AFFINE_TERMS];
} Affine;

static inline Affine affine_const(int64_t c)
{
	Affine a;
	a.c = c;
	a.n = 0;
	a.bad = false;
	return a;
}
static inline Affine affine_var(Var v)
{
	Affine a = affine_const(0);
	a.n = 1;
	a.t[0] = (AffineTerm){1, {v}};
	return a;
}
static inline bool term_is_var(const AffineTerm *t) { return !t->v[1].id; } // k times one
static inline bool term_is(const AffineTerm *t, int64_t k) { return !t->v[0].id && t->k == k; }
int    term_degree(const AffineTerm *);         // how many variables
bool   term_quotient(const AffineTerm *n, const AffineTerm *d, AffineTerm *out); // n = d * out
static inline Affine affine_less(const Affine *a, int i)        // without term i
{
	Affine out = *a;
	out.t[i] = out.t[--out.n];
	return out;
}
void   affine_add_to(Affine *a, const Affine *b, int64_t k);    // a += k * b
Affine affine_add(const Affine *a, const Affine *b, int64_t k); // a + k * b
Affine affine_more(Affine, int64_t c);                          // a + c
Affine affine_scale(const Affine *, int64_t k);
void   affine_add_times(Affine *a, const Affine *b, const AffineTerm *); // a += b * term
Affine affine_mul(const Affine *, const Affine *);
Affine affine_times(const Affine *, Var);
Affine affine_replace(const Affine *, Var, const Affine *by);
bool   affine_same(const Affine *, const Affine *);
static inline bool affine_is(const Affine *a, int64_t c) { return !a->bad && !a->n && a->c == c; }
bool   affine_mentions(const Affine *, Var);
bool   affine_any_in(const Affine *, const Map *set);           // keys: var_key
// a = rate * v + rest, where neither mentions v?
bool   affine_split(const Affine *a, Var v, Affine *rate, Affine *rest);
const char *affine_show(const Affine *);        // 3 + 2*i_1*n_2 - m_3

// ---- affine_of.c: from operands ----

// The operation that gives an operand, or NULL for what is taken as it is.
typedef struct { const Exp *(*def)(const void *ctx, Sub); const void *ctx; } AffineDefs;
AffineDefs defs_in_map(const Map *);            // variable -> const Exp *
AffineDefs defs_in_body(const Body *);
// Sums, differences, products and shifts of i64 are followed.  Modulo 2^64, as they are computed:
// what two operands with the same form hold is the same.
Affine affine_of(AffineDefs, Sub);
bool   affine_equal(AffineDefs, Sub, Sub);
Affine affine_product(AffineDefs, Subs);
bool   term_of(AffineDefs, Sub, AffineTerm *);  // is it a constant, or a product?
Sub    term_emit(Build *, const AffineTerm *);
Sub    affine_emit(Build *, const Affine *);    // and back

// ---- affine_facts.c: order, with what is known of variables ----

// Sizes are not negative; counters are neither, and are below their Sub: variable -> const Sub *,
// or anything for a size.  Sums of what has such bounds do not wrap around: so it is with offsets.
typedef struct { AffineDefs defs; const Map *sizes, *counters; } AffineFacts;
bool affine_natural(const AffineFacts *, const Affine *);       // not negative, provably

typedef struct { Affine start, len; } IndexSpan; // start, start + 1, ...: len of them
bool spans_apart(const AffineFacts *, const IndexSpan *, const IndexSpan *);
// Do different values of these counters, all of them in their ranges, give different numbers?
bool affine_injective(const AffineFacts *, const Affine *, Vars counters);

// ---- affine_rate.c: how scalars change from one iteration of a loop to the next ----

// Who asks notes the rates of what the loop binds, in order; what has none is bound outside, and
// stays.
enum { STAYS, BY_ONE, OTHERWISE };              // and those of rate_by, from steps_of_exp alone
int  rate(const Map *rates, Sub);
bool has_rate(const Map *rates, Sub);           // it is bound inside the loop
void set_rate(Map *rates, Var, int);
int  sum_of_rates(int, int);
int  rate_of_exp(const Map *rates, const Exp *);
// The same, of i64 also by a few at a time.
int  rate_by(int64_t step);
int  step_of_rate(int);                         // -1: OTHERWISE
int  sum_of_steps(int, int);
int  steps_of_exp(const Map *rates, const Exp *);
#endif
