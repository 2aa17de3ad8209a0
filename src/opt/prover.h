// What the files of the prover share.  See range.c.
#ifndef RAIDO_PROVER_H
#define RAIDO_PROVER_H
#include "core/affine.h"
#include "opt/range.h"

// An end of an interval; none: not known.
typedef struct { int64_t v; bool none; } Edge;
static const Edge no_edge = {0, true};
static inline Edge edge_add(Edge a, Edge b)     // none if it overflows
{
	int64_t x;
	bool none = a.none || b.none || __builtin_add_overflow(a.v, b.v, &x);
	return none ? no_edge : (Edge){x, false};
}
// INT64_MIN is taken for an overflow as well: nothing has its magnitude.
static inline Edge edge_mul(Edge a, Edge b)
{
	int64_t x;
	bool none = a.none || b.none || __builtin_mul_overflow(a.v, b.v, &x) || x == INT64_MIN;
	return none ? no_edge : (Edge){x, false};
}

static inline int64_t rounded_down(int64_t n, int64_t d) // n / d, of a positive d
{
	return n / d - (n % d < 0);
}

// `cert`: the assertion that says so, or 0. `rests`: those without which it may be false, see
// Note [Sizes].
struct Bound { Bound *next; Affine by; Var cert; Vars rests; };

// ---- range_bounds.c: bounds of variables, and the intervals that follow from them ----

void range_grow(Range *, uint32_t id);          // room for the bounds of this variable
static inline const Bound *bounds_of(Range *r, Var v, bool upper)
{
	if (v.id >= r->cap)
		range_grow(r, v.id);
	return upper ? r->upper[v.id] : r->lower[v.id];
}
static inline uint64_t range_state(const Range *r)      // all that is known, as a hash
{
	return r->trail.len ? r->trail.at[r->trail.len - 1].state : 0;
}
static inline uint64_t mixed(uint64_t h)
{
	h *= 0x9E3779B97F4A7C15;
	return h ^ h >> 29;
}
uint64_t hash_of_affine(const Affine *);        // terms come in any order
void rest_on(Range *, const Bound *);           // what is asked rests on what the bound does
// Is one of the bounds from here on a constant from lo to hi, without an assertion?
bool has_constant(Range *, const Bound *, int64_t lo, int64_t hi);
int  known_bool(const Range *, Sub cond);       // -1: not known
void note_known(Range *, Var cond, bool holds);
void note_either(Range *, Var cond, Var cert);
void add_bound(Range *, Var, Affine by, bool upper, Var cert);
Edge type_edge(PrimType, bool upper);
Edge edge_of_sub(Range *, Sub, bool upper, int depth);
Edge edge_of_var(Range *, Var, bool upper, int depth);
Edge edge_of_affine(Range *, const Affine *, bool upper, int depth);

// ---- range.c ----

enum { STEPS = 480 };                           // that a proof may take
typedef enum { EXACT, WRAPPED } Mode;           // see Note [Wrapping]
// The number that an operand holds; for i64 and WRAPPED one that differs by a multiple of 2^64.
Affine  range_affine(Range *, Sub, Mode, int depth);
bool range_fits(Range *, const Affine *, PrimType);    // is it in the range of the type?
bool var_not_negative(Range *, Var);
bool proves_natural(Range *, Affine);                  // that it is not negative
bool proves_within(Range *, Affine, int steps);        // ... in so many steps

// ---- range_digits.c: what divisions tell ----

const Exp *division_of(Range *, Var);           // that gives a variable, if one does
bool not_below_zero(Range *, Sub);
bool has_no_negative(Range *, const Affine *);  // of its terms, that is; and it is not below zero
bool is_natural_product(Range *, const Affine *);
// An upper bound of a quotient or remainder of i64; a constant if none is known.
Affine digit_bound(Range *, const Exp *);
// d * (x mod (n / d)) is at most n - d, for n >= 0 and d > 0: `times` is d times `rest`.
bool strided_digit_bound(Range *, const Exp *, const AffineTerm *times, AffineTerm *rest,
                         Affine *by);

// range_ask.c: is the comparison false, whatever assertions hold?
bool range_refutes(Range *, const Exp *);
// range_assume.c: the number that an operand of a comparison holds
Affine affine_operand(Range *, const Exp *prim, int i);
// range_shape.c: as is_shape
bool is_product_of_shape(Range *, const Affine *);
#endif
