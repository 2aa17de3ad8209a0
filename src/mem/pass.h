// What the passes over the MEM stage share.
#ifndef RAIDO_MEM_PASS_H
#define RAIDO_MEM_PASS_H
#include "mem/mem.h"

// A copy in which every array is a variable of its own, so that places can be changed without
// changing the program it was made from.  Functions of which the test does not hold stay as they
// are.
typedef bool FunTest(const Fun *);
Prog *copy_arrays(const Prog *, FunTest *);

// Statements to add and to drop, once a pass has decided about a body.  The key is the expression
// of a statement, which no other has.
typedef struct {
	Map before, after;                      // Exp * -> StmVec *: what goes before and after it
	Map dead;                               // Exp *: dropped
	int left;                               // of all of them, those not done yet
} Edits;
void edit_before(Edits *, const Exp *, Stm);
void edit_after(Edits *, const Exp *, Stm);
void edit_drop(Edits *, const Exp *);
void edit_body(Edits *, Body *);                // does it, once, for the statements of this body

Map scalars_of(const Prog *);                   // variable -> const Exp *: what gives it

static inline bool is_block(Var v) { return vars[v.id].type.kind == T_MEM; }
#endif
