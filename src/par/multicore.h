// What the files of the pass `multicore` share.
#ifndef RAIDO_MULTICORE_H
#define RAIDO_MULTICORE_H
#include "par/seq.h"

// As many chunks at most: what each gives has room on the stack.
enum { MOST_CHUNKS = 128 };

typedef struct {
	Build b;
	Map inputs;                             // token -> AccInput *, of the accumulators around
	Map alone;                              // Fun * -> Fun *: the same without regions
	Map left;                               // first results of SOACs that stay as they are
	bool has_regions;
} Multicore;

// multicore.c: a region in the making.  What is carried is worked on in place, by all chunks.
typedef VEC(Sub) SubVec;
typedef VEC(Var) VarVec;
typedef struct {
	VarVec params, pat;
	SubVec inits, next;
	Var c;                                  // the number of the chunk
	Sub n_chunks;
} Region;
Sub    emit_chunks(Multicore *, Sub n, Sub work, Sub extra);
Region region_new(Sub n_chunks);
int    region_carry(Region *, const char *hint, Sub init);
Sub    region_param(const Region *, int k);
Subs   region_close(Multicore *, Region *);     // what was carried, after it
Subs   region_close_sequential(Multicore *, Region *); // a loop that is no region
// The rows from `lo` on, `len` of them, that chunk c has of n.
typedef struct { Sub lo, len; } Rows;
Sub    chunk_size(Multicore *, Sub n, Sub n_chunks, bool flat);
Rows   chunk_rows(Multicore *, Sub c, Sub size, Sub n);
Subs   inline_lambda(Multicore *, const Lambda *, Subs args);

// multicore_acc.c: accumulators
Stm    acc_of_hist(const Stm *);                // the same as a screma on accumulators
Stm    acc_of_scatter(const Stm *);
// The accumulator after adding the arrays of all chunks, which have an outer dimension for them.
Sub    add_private(Multicore *, Sub acc, Subs arrs, Sub n_chunks);

// cost.c: how much work
Sub  work_of_rows(Build *, const Exp *screma);  // for all rows
bool work_of_fun(Build *, const Fun *, Sub *work); // false: parts of it are guessed
Sub  count_elements(Build *, Subs dims);
bool has_loops(const Body *);
#endif
