// Tiled kernels: sizes of tiles, and for which sizes of the loops the host launches them.
//
//     128 x 128 iterations by blocks of 256 threads, 8 x 8 each      if there are tiles for all
//      64 x  64             by blocks of 256 threads, 4 x 4 each     processors; else smaller ones
#include "gen/ktile.h"

// ---- Sizes ----

// Sizes of tiles, the largest first.
typedef struct {
	int side_y, side_x;
	int each_y, each_x;             // iterations of a thread, or, in products,
	int warp_y, warp_x;             // those of a warp
	int blocks;                     // so many at a time on a processor
	int enough;                     // so many tiles, for 12 processors
} Shape;
static const Shape shapes[N_TILE_SIZE] = {
	{128, 128, 8, 8, 0, 0, 2, 24}, {128, 64, 8, 8, 0, 0, 3, 24}, {64, 64, 4, 4, 0, 0, 2, 0}};
static const Shape products[N_TILE_SIZE] = {
	{128, 64, 0, 0, 32, 32, 2, 9}, {64, 64, 0, 0, 32, 32, 3, 12}, {32, 32, 0, 0, 16, 16, 6, 0}};
static const Shape tf32_product = {128, 128, 0, 0, 64, 32, 1, 6};
static const Shape of_many = {32, 32, 2, 2, 0, 0, 2, 0}; // values that the fold carries

static const Shape *shape_of(const Tiling *t)
{
	return t->tf32         ? &tf32_product
	     : t->is_product   ? &products[t->size]
	     : t->many         ? &of_many
	                       : &shapes[t->size];
}

enum { MOST_CARRIED = 256, MOST_OF_MANY = 320 };        // bytes of registers

// Of the values that a fold carries, for one iteration.
static int carried_bytes(const Tiling *t)
{
	int bytes = 0;
	for EACH(Var, p, t->fold->exp->loop.params)
		bytes += primtype_size(vars[p->id].type.elem);
	return bytes;
}

// Do the values that a thread carries fit into its registers?
bool carried_fit(const Tiling *t)
{
	int bytes = carried_bytes(t) * t->each_y * t->each_x;
	return bytes <= (t->many ? MOST_OF_MANY : MOST_CARRIED);
}

void choose_sides(Tiling *t)
{
	const Shape *small = &shapes[SMALL_TILES];
	t->many = t->size == SMALL_TILES && !t->is_product &&
	          carried_bytes(t) * small->each_y * small->each_x > MOST_CARRIED;
	const Shape *s = shape_of(t);
	for EACH(TileLoad, l, t->loads)
		l->is_copy = t->is_product && !t->tf32 && l->s->exp->form == E_index;
	t->side_y = s->side_y;
	t->side_x = s->side_x;
	t->warp_y = s->warp_y;
	t->warp_x = s->warp_x;
	t->each_y = t->is_product ? t->warp_y / 8 : s->each_y;
	t->each_x = t->is_product ? t->warp_x / 4 : s->each_x;
	t->threads = t->side_y / t->each_y * (t->side_x / t->each_x);
}

// Steps of a part: 16, or fewer where there are many loads, so that two parts fit.  All threads
// have as many elements to load.
void choose_depth(Tiling *t)
{
	int depth = 16, per_step = 0, side = t->side_y < t->side_x ? t->side_y : t->side_x;
	for EACH(const TileLoad, l, t->loads) {
		int size = primtype_size(type_of_load(l));
		per_step += (side_of(t, l->along_y) + 16 / size) * size;
	}
	while (!t->is_product && 2 * depth * per_step > MAX_SHARED &&
	       depth / 2 * side >= t->threads)
		depth /= 2;
	t->depth = depth;
}

// ---- Which tiles a launch uses ----

int tile_threads(const Tiling *t)
{
	return t->threads;
}

const char *tile_name(const Tiling *t)
{
	return text("tiled%dx%d", t->side_y, t->side_x);
}

const char *tile_bounds(const Tiling *t)
{
	return text("RD_BOUNDS(%d,%d) ", t->threads, shape_of(t)->blocks);
}

int tile_bytes(const Tiling *t)
{
	int most = 0;
	for (; t; t = t->next)
		most = t->bytes * t->n_buffers > most ? t->bytes * t->n_buffers : most;
	return most;
}

// From the sizes of the loops: the number of tiles; is it worth it?
static CExp count_of(const Tiling *t, const CExp *sizes, int side_y, int side_x)
{
	CExp n = NULL;
	for (int d = 0; d < t->k->nest.len; d++) {
		int tile = d == t->y ? side_y : side_x;
		CExp one = d == t->y || d == t->x
			? x_quote("($1 + $2) / $3", sizes[d], tile - 1, tile) : sizes[d];
		n = n ? x_times(n, one) : one;
	}
	return n;
}

CExp tile_count(const Tiling *t, const CExp *sizes)
{
	return count_of(t, sizes, t->side_y, t->side_x);
}

enum { FAR_STEPS = 32 };        // that fill a line of memory

// Do the columns of a step lie apart in memory?  Threads of the plain kernel, which take
// neighbouring columns, load from as many lines then, if each has FAR_STEPS; a tile copies the
// steps of a column together.
static bool columns_are_apart(const Tiling *t)
{
	for EACH(const TileLoad, l, t->loads)
		if (!l->along_y && l->steps_are_near)
			return true;
	return false;
}

// A few rows and columns are not worth a tile (fewer are if loads of the plain kernel are
// scattered), nor are large tiles when there are too few of them for the processors of the device,
// or when most of them is past the ends: the smallest take about 7/4 of the time for the same area.
CExp tiles_pay(const Tiling *t, const CExp *sizes, CExp steps, CExp processors)
{
	const Shape *smallest =
		t->is_product && !t->tf32 ? &products[SMALL_TILES] : &shapes[SMALL_TILES];
	int area = t->side_y * t->side_x / (smallest->side_y * smallest->side_x);
	int part = t->side_x > 32 ? 2 : 4;
	CExp pay = x_quote("$1 >= $2 && $3 >= $4 && $5 >= 8", sizes[t->y], t->side_y / part,
	                   sizes[t->x], t->side_x / part, steps);
	if (t->size == SMALL_TILES && part == 2 && columns_are_apart(t))
		return x_quote("$1 || ($2 >= $3 && $4 >= $5 && $6 >= $7)", pay, sizes[t->y],
		               t->side_y / 4, sizes[t->x], t->side_x / 4, steps, FAR_STEPS);
	if (t->size == SMALL_TILES)
		return pay;
	CExp all = tile_count(t, sizes),
	     least = count_of(t, sizes, smallest->side_y, smallest->side_x);
	return x_quote("$1 && 12 * $2 >= $3 * $4 && $5 * $2 <= 7 * $6", pay, all,
	               shape_of(t)->enough, processors, 4 * area, least);
}

Sub tile_steps(const Tiling *t)
{
	return t->fold->exp->loop.n;
}
