// Tiled kernels: the plan that ktile.c makes and ktile_text.c emits.
#ifndef RAIDO_KTILE_H
#define RAIDO_KTILE_H
#include "gen/kgen.h"

enum { MAX_LOADS = 32, FEW_LOADS = 6, MAX_SHARED = 48 << 10 };

// A load, or what is computed from loads.
typedef struct {
	const Stm *s;
	bool along_y, steps_are_near;
	bool is_copy;                   // it goes from memory to shared memory by itself,
	int near_dim;              // in pairs of neighbours along this dimension, or -1: one by one
	int at;                         // where in shared memory, in bytes
	int per_step, per_side;         // elements from one to the next
	const char *ahead;              // C variable: what is on its way
	const char *even;               // C variable: can it go in pairs?
} TileLoad;

struct Tiling {
	struct Tiling *next;            // the fold that goes on from this one
	const Kernel *k;
	int y, x;                       // which loops of the nest
	TileSize size;
	int side_y, side_x;             // iterations of a tile along each loop
	int each_y, each_x, threads;    // a thread has each_y x each_x of them
	int warp_y, warp_x;             // those of a warp, in products
	int near;                       // so many of those follow on each other: see `place_of`
	int depth;                      // steps of a part
	bool many;                      // values that the fold carries: small tiles
	bool is_product;                // by instructions on matrices: see Note [Products]
	bool tf32;                      // with f32 rounded to TF32
	int n_buffers;                  // parts in shared memory
	int fold_at;                    // the statement of the innermost body that is the fold
	const Stm *fold;
	Map depends;                    // set_levels: ON_Y and the like
	VEC(TileLoad) loads;
	int bytes;                      // of shared memory, of one part
	// Names.
	const char *row, *column, *ry, *rx, *step;
	CExp y0, x0;                    // the first row and column of the tile
	CExp to, there;                 // of a copy: where it goes; is it of a step that there is?
	const char *base, *inside; // the part at hand; is all of the tile within the loops' bounds?
	const char **acc;
	const char **values;            // of loads, in registers
};

static inline int side_of(const Tiling *t, bool along_y) { return along_y ? t->side_y : t->side_x; }
Tiling *last_fold(Tiling *);
PrimType type_of_load(const TileLoad *);
bool is_tile_load(const Tiling *, const Stm *);
bool may_repeat(const Stm *);                    // may be computed again

// ---- ktile_size.c ----

void choose_sides(Tiling *);                    // of a tile, and what of it a thread has
void choose_depth(Tiling *);
bool carried_fit(const Tiling *);

// ---- ktile_needs.c ----

// Variables that something needs, of those bound before the fold or in it.
typedef struct { Map set; } Needed;
void need(Visit *, Sub *);
void need_exp(Needed *, const Exp *);
void need_before(Needed *, const Stm *, int len); // what the needed ones among these need
void need_nest(const Tiling *, Needed *);       // closes the set over the statements of the nest
bool is_needed_stm(const Needed *, const Stm *);
Needed needed_by_steps(const Tiling *);         // besides the loads that are shared

// ---- ktile_text.c ----

// The statements of the nest before the fold (those needed, if not all), and what comes then.
typedef void Inner(Gen *, Tiling *, const void *arg);
void in_tiled_nest(Gen *, Tiling *, int depth, const Needed *, Inner *, const void *arg);

// ---- ktile_pairs.c ----

void declare_even(Gen *, Tiling *, TileLoad *);  // l->even: can it go in pairs?
#endif
