// Keys of expressions: words that are the same if the expressions are, up to the variables that
// they bind.  Of functions this says which do the same.
#ifndef RAIDO_KEY_H
#define RAIDO_KEY_H
#include "core/core.h"

// What does not fit into `room` words is counted only.
typedef struct { uint64_t *words; int len, room; } Key;

static inline void key_word(Key *k, uint64_t w)
{
	if (k->len < k->room)
		k->words[k->len] = w;
	k->len++;
}
void key_const(Key *, Scalar);
void key_bind(Key *, Type);                     // a variable of the type is bound
void key_head(Key *, const Exp *); // what tells it apart besides operands, callees and bodies

// The functions that do the same as one before them, which they lead to: up to the names of
// variables and functions, and the places in the text that they come from.  Not those with
// assertions or traces, which tell places.
Map funs_alike(const Prog *);
#endif
