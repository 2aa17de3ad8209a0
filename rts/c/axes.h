// Index sets, and the sizes of tiles, for products (product.h).
#ifndef RD_AXES_H
#define RD_AXES_H
#include "vector.h"

// @chunk product_minus:
// Some products are subtracted: without them, half of the loops are not compiled.
#define RD_MINUS(minus) (minus)

// @chunk axes: vector
#ifndef RD_MINUS
#define RD_MINUS(minus) ((void)(minus), false)
#endif
// Rows and vectors of a tile: what fills the registers without spilling.
#if RD_VECTOR == 64
#define RD_TILE_ROWS 12
#define RD_TILE_VECTORS 2
#define RD_EACH_ROW(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11)
#elif RD_VECTOR == 32
#define RD_TILE_ROWS 6
#define RD_TILE_VECTORS 2
#define RD_EACH_ROW(F) F(0) F(1) F(2) F(3) F(4) F(5)
#elif defined(__aarch64__)
#define RD_TILE_ROWS 4
#define RD_TILE_VECTORS 4
#define RD_EACH_ROW(F) F(0) F(1) F(2) F(3)
#else
#define RD_TILE_ROWS 4
#define RD_TILE_VECTORS 2
#define RD_EACH_ROW(F) F(0) F(1) F(2) F(3)
#endif
#define RD_TILE_COLUMNS(type) (RD_TILE_VECTORS * RD_VECTOR / (int)sizeof(type))
// How many k, rows (a multiple of those of a tile) and bytes of columns there are in a part.
#define RD_PART_SUM 256
#define RD_PART_ROWS 72
#define RD_PART_BYTES 1024
#define RD_PART_COLUMNS(type) (RD_PART_BYTES / (int)sizeof(type))

// A function of which there is one copy.
#if defined(__GNUC__) && !defined(__clang__)
#define RD_ONCE __attribute__((noinline, noclone))
#else
#define RD_ONCE __attribute__((noinline))
#endif

// An axis, and its steps in the first and second array that have it.
struct rd_axis { int64_t n, first, second; };
struct rd_axes { int n; const struct rd_axis *at; };
#define RD_MOST_AXES 8

// Was the call cancelled?
#define RD_STOPS(stop) RD_UNLIKELY(__atomic_load_n(stop, __ATOMIC_RELAXED))

static RD_UNUSED int64_t rd_axes_size(struct rd_axes axes)
{
	int64_t size = 1;
	for (int d = 0; d < axes.n; d++)
		size *= axes.at[d].n > 0 ? axes.at[d].n : 0;
	return size;
}

// Where the elements from `from` on are, n of them.
static RD_UNUSED void rd_axes_places(struct rd_axes axes, int64_t from, int64_t n, int64_t *first,
                                     int64_t *second)
{
	int64_t at[RD_MOST_AXES], x = 0, y = 0;
	for (int d = axes.n - 1; d >= 0; d--) {
		at[d] = from % axes.at[d].n;
		from /= axes.at[d].n;
		x += at[d] * axes.at[d].first;
		y += at[d] * axes.at[d].second;
	}
	for (int64_t i = 0; i < n; i++) {
		first[i] = x;
		second[i] = y;
		for (int d = axes.n - 1; d >= 0; d--) {
			x += axes.at[d].first;
			y += axes.at[d].second;
			if (++at[d] < axes.at[d].n)
				break;
			x -= at[d] * axes.at[d].first;
			y -= at[d] * axes.at[d].second;
			at[d] = 0;
		}
	}
}

// Are n places `step` apart?
static RD_UNUSED bool rd_is_even(const int64_t *at, int64_t n, int64_t step)
{
	for (int64_t i = 1; i < n; i++)
		if (at[i] != at[i - 1] + step)
			return false;
	return true;
}

// Does a product pay for packing its factors, elements of so many bytes?  That takes as long as some
// rows and columns do.  Vectors can be loaded without it where the factors lie in rows of k, or where
// b's columns lie side by side and all of b stays in the cache.  A large one is asked meanwhile
// whether it is to stop.
enum rd_way { RD_SMALL, RD_LARGE_PARTS, RD_PACKED };

static RD_UNUSED enum rd_way rd_way_of_product(struct rd_axes m, struct rd_axes n, struct rd_axes k,
                                               bool any_order, int64_t bytes)
{
	int64_t rows = rd_axes_size(m), columns = rd_axes_size(n), deep = rd_axes_size(k);
	double all = (double)rows * columns * deep;
	enum rd_way unpacked = all > 1 << 22 ? RD_LARGE_PARTS : RD_SMALL;
	if (rows < 4 || columns < 8 || all < 8192)
		return unpacked;
	if (m.n > 1 || n.n > 1 || k.n > 1)
		return RD_PACKED;
	if (any_order && k.at->first == 1 && k.at->second == 1 && deep * bytes >= 4 * RD_VECTOR)
		return (rows < columns ? rows : columns) > (deep < 128 ? 12 : 48) ? RD_PACKED : unpacked;
	bool lies = n.at->first == 1 && n.at->second == 1;
	return !lies || rows > 32 || (double)columns * deep * bytes > 256 * 1024 ? RD_PACKED : unpacked;
}
// @end
#endif
