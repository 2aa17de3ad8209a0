// What the files that make random programs share.
//
// Of the arguments of a call, at most one makes choices: compilers differ in which one they evaluate
// first, and a seed is to mean the same program on every machine.
#ifndef RAIDO_RANDOM_GEN_H
#define RAIDO_RANDOM_GEN_H
#include "random.h"

typedef struct {
	const char *name;
	Shape type;
	bool fresh;                     // an array nobody else holds: it may be consumed
	int level;                      // of the lambda or loop body it is bound in
} Binding;

typedef struct {
	uint64_t rng;
	VEC(Binding) scope;
	VEC(Shape) helpers;                // argument types of the helper functions, which give f64
	const char *dims[2];            // sizes in scope
	bool hidden;                    // are two and three, which the compiler does not know?
	int next;                       // number of the next name
	int level;                      // of lambdas and loops around
	int fuel;                       // nodes that may still be made
	int derivatives;                // jvp and vjp around
} Gen;

#define NUM ((Shape){T_NUM, NULL, NULL})
#define INT ((Shape){T_INT, NULL, NULL})
#define BOOL ((Shape){T_BOOL, NULL, NULL})
#define VEC_OF(d) ((Shape){T_VEC, (d), NULL})
#define MAT_OF(d, e) ((Shape){T_MAT, (d), (e)})

// ---- gen.c ----

int pick(Gen *, int n);                         // 0 .. n - 1
bool chance(Gen *, int percent);
const char *pick_dim(Gen *);
const char *pick_trips(Gen *, int most);        // of a loop: 1 .. most
const char *new_name(Gen *, const char *stem);
const char *constant(Gen *);                    // "1.25"
Shape pick_shape(Gen *);
void bind(Gen *, const char *name, Shape, bool fresh);
// Scopes: what is bound after a mark is forgotten by leave.
typedef struct { int len, level; } Mark;
Mark enter(Gen *);                              // the body of a lambda or loop
void leave(Gen *, Mark);
Node *expr(Gen *, Shape, int depth);               // any expression, in parentheses where needed
Node *leaf(Gen *, Shape);                          // a variable or something small
Node *index_in(Gen *, const char *dim);         // an index less than dim
Node *condition(Gen *, int depth);
Block *block(Gen *, Shape result, int steps, int depth);
Node *branch(Gen *, Shape result, int depth);   // an if
// A block with the parameter bound in it.
Block *body_with(Gen *, const char *param, Shape, Shape result, int steps, int depth);
Block *body_with2(Gen *, const char *p1, Shape, const char *p2, Shape, Shape result, int steps,
                  int depth);

// ---- gen_array.c ----

Node *vector(Gen *, const char *dim, int depth, bool *fresh);
Node *matrix(Gen *, const char *d1, const char *d2, int depth, bool *fresh);
Node *reduction(Gen *, int depth);              // of a vector, to a number
// Consumes a fresh array of the scope, where there is one; NULL otherwise.
Node *consumption(Gen *, int depth, Shape *type);

// ---- gen_more.c: more of the same ----

Node *more_vector(Gen *, const char *dim, int depth, bool *fresh);
Node *more_matrix(Gen *, const char *d1, const char *d2, int depth, bool *fresh);
Node *more_number(Gen *, int depth);

// ---- gen_nest.c: nests of loops that update in place ----

Node *nest(Gen *, Shape, int depth);            // a vector or a matrix

// ---- gen_state.c: loops that carry arrays, and change them step by step ----

Node *stateful(Gen *, const char *dim, int depth); // a vector

// ---- gen_near.c: neighbours, and sums over some elements ----

Node *near_vector(Gen *, const char *dim, int depth);
Node *near_matrix(Gen *, const char *d1, const char *d2, int depth);
#endif
