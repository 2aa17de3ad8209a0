// Ordering constraints between the statements of a body, for passes that merge two statements into
// one.  See order.c.
#ifndef RAIDO_ORDER_H
#define RAIDO_ORDER_H
#include "opt/alias.h"

typedef struct Node {
	Stm stm;
	VarVec uses;                    // variables it uses, except for the inputs of a combinator
	VarVec reads;                   // those of them that something may consume
	VarVec consumes;                // arrays, nested ones included
	StmVec body;                    // of a screma's map function or a loop, once it was fused
	bool has_trace, is_lone, dead;  // is_lone: an assertion whose certificate nothing names
	const struct Node *failed;      // the last that it cannot be merged into, ever
	uint32_t tried;                 // fuse_loops: the last attempt that asked it
	int pos;
	int64_t tree, tree_size;        // see Note [Tree] in order.c
} Node;

typedef struct {
	Alias alias;
	int *count;                     // by variable: uses in its function
	uint32_t *seen;                 // by variable: the stamp when it was seen last
	uint32_t *tainted, *read;       // by variable, by class: stamps of the attempt
	uint32_t stamp;
	uint32_t cap;                   // variables that are known
	uint32_t n_aliased;             // those below are in classes
	bool traces, consumes;          // are there any?  Does a statement of the function consume?
	bool asked;                     // in this attempt: may anybody ask what was read?
	Node **made;                    // by variable: the node of the statement that gave it
	int64_t n_tree;                 // nodes in trees so far
} Order;

Order order_new(const Prog *);                  // knows none of its functions
void order_fun(Order *, const Fun *);           // one that the pass finds something to do in
void order_free(Order *);
Node *order_node(Order *, const Stm *);
// It uses and consumes from now on what the other does, too, which is dead.
void order_take_in(Node *, Node *other);
Node **order_nodes(Order *, Stms);              // ... of each, by position
Stms order_stms(Node *const *order, int n);     // of those that are not dead
Node *order_new_node(Order *, const Stm *);     // ... of a statement that the pass has made
// Which of the statements between p and c must come after p, or NULL if one of them cannot move.
// From then on what depends on p is tainted.
bool *order_between(Order *, Node **order, Node *p, Node *c);
// Is it known without looking at what is in between that c needs something that needs p?
bool order_needs_between(const Order *, const Node *p, const Node *c);
bool order_is_tainted(const Order *, Var);
bool order_consumes_read(Order *, const Node *); // ... something that p, or what moves, reads
// Statements that must come after the producer go behind the consumer; the producer is dead.
void order_merge(Node **order, int from, int to, const bool *after);
Subs *soac_inputs(Exp *);                       // NULL if it has no rows
#endif
