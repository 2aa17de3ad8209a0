// Memory: from arrays as values to arrays in blocks (the MEM stage), and passes over that.
//
// The passes are rows of opt/passes.def, in this order:
//
//   place          every array gets a place: Type.mem, in a block made by `alloc`
//   shortcircuit   what is computed only to be written into another array is computed there
//   hoist_alloc    allocations move out of loops
//   double_buffer  a loop that makes a new array in each round alternates between two blocks
//   reuse          blocks whose uses do not overlap become one
//   stack_alloc    small blocks of constant size go on the stack
//   release        `release m` after the last use of each block
//
// `place` takes what `seq` left; the others keep the stage and can be left out, except for `release`
// without which blocks live until their function returns.
//
// # What a program of the MEM stage looks like, and what code generation may rely on
//
// Note [Places].  Every binder of an array (pattern, parameter of a function or loop, name of a function's result) has
// Type.mem: element (i, j, ...) is at index offset + i * strides[0] + j * strides[1] + ... of the
// block, in elements.  With no strides (strides.len == 0) the array is row-major and without gaps: the strides are the products of
// its own inner sizes.  Block, offset and strides are in scope where the array is bound.  The elements of a block have
// the element type of the block variable (Type.elem of T_MEM), as do all arrays in it.
//
// Note [Which forms store].  Only these touch memory:
//   index                 loads one element
//   update a [slices] v   stores v (scalar, or array of the slice's shape) into the slice of a.  The result has the
//                         same Type.mem as a (mem_eq).  With the attribute `in_place` on the statement (see
//                         stm_is_in_place) v lies there already and nothing is done.  Otherwise v, when it is
//                         an array, does not overlap the slice.
//   copy a                stores a's elements into the pattern's place; nothing is done if the places of both are
//                         mem_eq, else they do not overlap.
//   iota, replicate,      store into the pattern's place.  The elements of `array` are scalars, and the operand of
//   array                 replicate is a scalar or an array that does not overlap the result.
//   assert, trace         read what they show
// scratch stores nothing: its contents are whatever the block has.  atom, slice, reshape, rearrange and opaque on arrays
// need no code: the pattern's place says it all.  concat does not occur (place makes updates of it).
//
// Note [Control].  if, match, loop and calls pass arrays by their places; arrays among results need no code
// of their own, only the scalars (T_DATA without dims) and the blocks (T_MEM) are passed:
//   if, match   a result array has either a place whose block and operands come from outside of the branches (then each
//               branch has put it there), or its block is an earlier T_MEM result of the same pattern; its
//               offset may be an earlier i64 result.
//   loop        a parameter array either has a place in a block from outside of the loop, the same in each
//               iteration (worked on in place: initial value, parameter, result of the body and pattern coincide), or its
//               block is an earlier T_MEM parameter of the loop, given anew by each iteration.  All parameters
//               are assigned at once: results may swap blocks.
//   functions   each array parameter and each array result is directly preceded by its block, and is row-major at
//               offset 0.  The flat values of an entry point are the parameters (results) that are not
//               T_MEM; sizes come first.  The block may be larger than the array.  The block of a result may be that
//               of an argument, or of another result, unless the result is unique.
//
// Note [Block references].  A T_MEM variable holds a reference to its block, except for parameters of functions, which borrow
// the caller's.  `alloc` makes a block with one reference; a T_MEM variable bound by if, match or a call,
// or as parameter of a loop, takes one of its own (for a loop parameter the old one is dropped when it
// is given the next).  `release m` drops m's reference; m and the arrays placed in it are not mentioned
// afterwards.  Released is only what the same body binds.  A body's T_MEM results are taken (counted)
// before anything of the body is dropped.  T_MEM variables that a body binds and does not release, that is those among its
// results, are dropped after its results have been taken.  A T_MEM result that is a variable from outside is just
// counted once more.  After a loop its T_MEM parameters are handed on to the pattern.
//
// Note [Stack blocks].  `alloc` with `stack` has a constant size of at most STACK_BLOCK_BYTES bytes.  Such a block is
// never among results, arguments of calls or initial values of T_MEM parameters, and never released: the block
// variable occurs in places only.
//
// Note [Overlap].  Two block variables may stand for the same block only if one of them is a parameter or a
// result (of if, match, loop, call): two blocks made by different `alloc`s, or by `alloc` and given as a parameter, are
// distinct.  blocks_may_alias answers for all cases.
#ifndef RAIDO_MEM_H
#define RAIDO_MEM_H
#include "core/core.h"

enum { STACK_BLOCK_BYTES = 1024 };

#define ATTR_IN_PLACE "in_place"
bool stm_is_in_place(const Stm *);              // an update without code, see Note [Which forms store]
// See Note [Overlap].  Variables made after the question are classes of their own.
typedef struct BlockAliases BlockAliases;
BlockAliases *block_aliases(const Prog *);
bool     blocks_may_alias(const BlockAliases *, Var, Var);
uint32_t block_class(const BlockAliases *, Var); // equal for all names that may be one block
static inline bool is_row_major(Type t) { return t.mem && !t.mem->strides.len; }
#endif
