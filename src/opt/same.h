// What two bodies compute in common.  See same.c.
#ifndef RAIDO_SAME_H
#define RAIDO_SAME_H
#include "opt/opt.h"

typedef struct {
	Sub *to;                        // by variable of the second: what it is in the first
	bool *has;
	uint32_t cap;                   // variables there are
	VEC(Var) trail;                 // those that have one
	int64_t found;                  // how many there were, also in bodies that are done with
	int64_t steps, later;           // comparisons that are left for two bodies, and for others
	bool loops;                     // is a loop in common worth it, whatever it does?
} Same;

Same same_new(bool loops);
void same_free(Same *);
void same_clear(Same *);                // nothing is known: for two bodies
void same_put(Same *, Var, Sub);
bool is_same(const Same *, Sub, Sub);
bool is_known(const Same *, Var);       // is it something in the first?
// Without effects; what they bind is known to be the same after that.
bool is_same_exp(Same *, const Exp *, const Exp *);
// Notes what is the same in both.  Is any of it worth to be computed once: functions of scalars, or
// combinators, loops and branches of which the bodies have something in common?
bool share_work(Same *, const Body *, const Body *);
// Likewise for two loops; pair: of each parameter of the second, the one of the first that is the
// same in each iteration, or -1.  False if there is none.
bool same_loops(Same *, const Exp *, const Exp *, int *pair, bool *works);
// Is there an assertion to keep in the second body that the first has not?
bool has_own_checks(Same *, const Body *);
#endif
