// Memory: from arrays as values to arrays in blocks (the MEM stage), and passes over that.
//
// The passes are rows of opt/passes.def, to be run in this order:
//
//   overwrite      lets loops replace the rows of an array instead of creating a new one
//   drop_copies    removes copies whose source is dead, or that are only read
//   place          assigns every array a place, Type.mem, in a block created by `alloc`
//   shortcircuit   computes arrays directly in the array that they would be copied to
//   reuse          merges blocks that are never live at the same time
//   hoist_alloc    hoists allocations out of loops
//   double_buffer  lets a loop that allocates in each iteration alternate between two blocks
//   stack_alloc    puts small blocks of constant size on the stack
//   expand         for devices, instead of stack_alloc: the same for threads of kernels; computes
//                  the sizes of other blocks of kernels before the kernel
//   release        inserts `release m` after the last use of each block
//
// `place` requires the form that `seq` ensures (loop/loop.h).  The other passes are optional; but
// without `release`, blocks live until their function returns.  Apart from these, only dead code
// elimination runs on the MEM stage; statements are not reordered.
//
// Code generation relies on the following invariants.
//
// Note [Places].  Every binder of an array (pattern, parameter of a function or loop, name of a
// function's result) has Type.mem: element (i, j, ...) is at index
//
//     offset + i * strides[0] + j * strides[1] + ...
//
// of the block, in elements.  Without strides (strides.len == 0) the array is row-major and has
// no gaps: its strides are the products of its own inner sizes.  Block, offset and strides are in
// scope where the array is bound.  All arrays in a block have the element type of the block,
// which is Type.elem of the block variable.
//
// Note [Which forms store].  Only these touch memory:
//   index           loads one element
//   update          stores the value, a scalar or an array of the slice's shape, into the slice
//                   of its array.  The result has the same place as the array.  With the
//                   attribute in_place (stm_is_in_place) the value lies there already, and
//                   nothing is done; otherwise it does not overlap the slice.
//   copy            stores into the pattern's place.  Nothing is done if both places are the
//                   same (mem_eq); otherwise they do not overlap.
//   iota, array     store into the pattern's place.  The elements of `array` are scalars.
//   replicate       stores into the pattern's place, which the operand, if it is an array, does
//                   not overlap
//   assert, trace   read what they show
// `scratch` stores nothing: its contents are what the block has.  atom, slice, reshape, rearrange
// and opaque on arrays need no code, the pattern's place says it all.  concat does not occur.
//
// Note [Control].  if, match, loop and call pass arrays by their places.  Arrays among parameters,
// arguments and results need no code; what is passed are the scalars and the blocks (T_MEM):
//   if, match   the place of a result is made of operands known outside, or its block is an
//               earlier T_MEM result of the same pattern; its offset may be an earlier i64 result.
//   loop        a parameter has a place known outside of the loop, the same in each iteration
//               (initial value, parameter, next value and result coincide), or its block is an
//               earlier T_MEM parameter, and its offset maybe an i64 parameter.  All parameters
//               get their next values at once: blocks may be swapped.
//   functions   each array among parameters and results is preceded directly by its block, and
//               is row-major at offset 0; the block may be larger than the array.  A result that is
//               left in the place of a parameter has that parameter's block and none of its own,
//               but for entry points (Note [Functions] in roots.c).  The flat
//               values of an entry point are the parameters (results) that are not T_MEM, sizes
//               first.  The block of a result that is not unique may be that of an argument or of
//               another result.
//
// Note [Block references].  A T_MEM variable holds a reference to its block, except for
// parameters of functions, which borrow the caller's.  `alloc` makes a block with one reference;
// of a negative size it makes an empty one.
// A T_MEM variable bound by if, match or call, or as the parameter of a loop, has a reference
// of its own; a loop parameter drops the old one when it gets the next block, and after the loop
// hands its own on to the pattern.  `release m` drops the reference of m; neither m nor an array
// placed in it is mentioned afterwards.  A body releases what it binds itself, on every path
// through it, unless it is among its results.  Those are taken (counted once more) when the body
// ends, then what the body binds and did not release is dropped.
//
// Note [Stack blocks].  `alloc` with `stack` has a small constant size.  The variable occurs in
// places only: it is not passed on, returned or released.
//
// Note [Overlap].  Where an array is stored to while another one in a different block variable is
// still needed, the two blocks are different: the language consumes what it updates, and the passes
// that let arrays share memory give them one block variable.  So within a loop, pointers
// derived from different block variables never reach the same element if one of them stores.  Two
// arrays with the same block variable may overlap.  A block variable whose contents are not
// needed any more, or not yet, may well stand for a block that another one stands for.
#ifndef RAIDO_MEM_H
#define RAIDO_MEM_H
#include "core/core.h"

bool stm_is_in_place(const Stm *);              // an update without code

// Which block variables may stand for one block where both are in scope: those that are connected
// by being passed on, except that an allocation is never the same as another one, nor as what
// there was before it.  Variables made later are classes of their own.
typedef struct BlockAliases BlockAliases;
BlockAliases *block_aliases(const Prog *);
bool     blocks_may_alias(const BlockAliases *, Var, Var);
uint32_t block_class(const BlockAliases *, Var);
#endif
