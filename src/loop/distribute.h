// What the parts of distribute.c share.
#ifndef RAIDO_DISTRIBUTE_H
#define RAIDO_DISTRIBUTE_H
#include "core/mention.h"
#include "loop/products.h"

typedef struct {
	// Is it an array of which an iteration only has the element at its index?
	bool own_element;
	int last;                       // the statement that gives its next value, or -1
	StmNumbers touch;                  // those that have it, or what is made of it in place
} LoopParam;

typedef struct {
	const Stm *stm;
	const Exp *loop;
	const Parts *body;
	Distribution how;
	Map index;                      // what the body binds: 1 + the number of the statement
	Map consumed;                   // arrays that statements of the body consume
	Map mentions;                   // by variable: the statements of the body with it
	LoopParam *params;
	Map param;                      // 1 + their numbers
	int *group;                     // of each statement; -1: computed where it is needed
	// Of each group, once these are final: its statements, the parameters that it carries.
	StmNumbers *of_group, *carried;
	int n_groups;
	bool *is_piece;                 // of groups
	bool merged;
	Map wide;                       // variables kept for all iterations: Sub *, the array
	VEC(Var) kept;                  // those, in order
	Sub n, size, first;             // iterations; size of what is kept; the first of a strip
} Dist;

int at_of(const Dist *, Sub);                   // the statement of the body that binds it, or -1
const Stm *stm_at(const Dist *, int);
const Sub *start_of(const Stm *piece);          // what a sum begins with; NULL: zero
int number_of_param(const Dist *, Var);                // which parameter it is, or -1
bool is_fixed_type(const Dist *, Type);         // the same in all iterations
bool find_groups(Dist *);                       // false: there are no pieces of their own
bool is_one_piece(const Dist *);
bool find_kept(Dist *);                         // what later groups need; false: it cannot be kept
#endif
