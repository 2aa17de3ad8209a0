// The tape of reverse mode: interp_tape.c, interp_custom.c.
#ifndef RAIDO_INTERP_TAPE_H
#define RAIDO_INTERP_TAPE_H
#include "core/interp.h"

// A use of with_vjp: what its results' adjoints are turned into when the sweep arrives.
// All slots are free of the tape's level.  Results are nodes first, first + 1, ...;
// `results` keeps the shapes of arrays.
typedef struct {
	const IWithVjp *w;
	uint32_t first, end;
	Slot *captured, *saved, *args, *results;
} Custom;

struct Tape {
	uint32_t level;
	uint32_t n_nodes, max_nodes, n_ops, max_ops;
	uint32_t *end;                          // of a node's operands
	uint8_t *type;                          // PrimType of a node, maybe with BITS
	uint32_t *parent;                       // of an operand
	Raw *partial;
	Der *partial_der;                       // NULL: all 0
	bool mixed;                             // not all nodes are f64
	Custom *customs;
	int n_customs, max_customs;
	Raw *adj;                               // of the nodes; see untouched()
	Der *adj_der;                           // NULL: all 0
	size_t bytes;
};

Custom *custom_new(Interp *, Tape *, const IWithVjp *);
#endif
