// Sums of products over index sets: c[m, n] = c[m, n] + sum over k of a[m, k] * b[k, n].
//
// Each of m, n and k stands for several indices, its axes, outermost first; an axis has a size and
// a step in each of the two arrays that it belongs to.  So transposed matrices, windows of images
// and sums over several indices are all the same here.
//
// Parts of b, then of a, are packed in the order in which tiles read them: a panel of b has as
// many columns as a tile and fits into the first-level cache; all panels of a part and the packed
// rows of a fit into the next level.  Tiles are kept in registers.  Each element of c is summed in
// the order of k.  Products that are too small for packing are computed in place.
//
// A template for floats of 32 and 64 bits: float.h says what the words stand for.  Index sets are
// in axes.h.

// @chunk RD(product): axes RD(vsum)
typedef T RD(tile_vector) __attribute__((vector_size(RD_VECTOR)));
typedef T RD(tile_at) __attribute__((vector_size(RD_VECTOR), aligned(sizeof(T)), may_alias));

// Copies from[at[w] + deep[k]] to to[k * width + w] for w < n; the rest of the width is 0.
static RD_ONCE void RD(pack_apart)(T *to, int width, const T *from, const int64_t *at, int n,
                                   const int64_t *deep, int64_t n_deep)
{
	if (rd_is_even(at, n, 1)) {
		for (int64_t k = 0; k < n_deep; k++, to += width) {
			memcpy(to, from + at[0] + deep[k], (size_t)n * sizeof(T));
			memset(to + n, 0, (size_t)(width - n) * sizeof(T));
		}
		return;
	}
	bool rows = rd_is_even(deep, n_deep, 1);
	for (int w = 0; w < n; w++) {
		const T *row = from + at[w];
		T *x = to + w;
		int64_t k = 0;
		for (; rows && k + 8 <= n_deep; k += 8)
			for (int l = 0; l < 8; l++, x += width)
				*x = row[deep[0] + k + l];
		for (; k < n_deep; k++, x += width)
			*x = row[deep[k]];
	}
	for (int w = n; w < width; w++)
		for (int64_t k = 0; k < n_deep; k++)
			to[k * width + w] = 0;
}

// Whole rows that lie side by side in the other direction, for a width that is known: squares are turned in registers.
static RD_INLINE void RD(pack_turned)(T *to, int width, const T *from, const int64_t *at, int64_t n_deep)
{
	enum { SIDE = 16 / sizeof(T) };
	typedef T Part __attribute__((vector_size(16)));
	typedef T PartAt __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
	int64_t k = 0;
	for (; k + SIDE <= n_deep; k += SIDE)
		for (int w = 0; w + SIDE <= width; w += SIDE) {
			Part x[SIDE];
			for (int r = 0; r < SIDE; r++)
				x[r] = *(const PartAt *)(from + at[w + r] + k);
			for (int c = 0; c < SIDE; c++) {
				Part y = {0};
				for (int r = 0; r < SIDE; r++)
					y[r] = x[r][c];
				*(PartAt *)(to + (k + c) * width + w) = y;
			}
		}
	int whole = width - width % (int)SIDE;
	for (int64_t l = 0; l < k; l++)
		for (int w = whole; w < width; w++)
			to[l * width + w] = from[at[w] + l];
	for (; k < n_deep; k++)
		for (int w = 0; w < width; w++)
			to[k * width + w] = from[at[w] + k];
}

// The same, for a width that is known: elements that lie side by side are moved in vectors.
static RD_INLINE void RD(pack)(T *to, int width, const T *from, const int64_t *at, int n,
                               const int64_t *deep, int64_t n_deep)
{
	if (n == width && rd_is_even(at, n, 1))
		for (int64_t k = 0; k < n_deep; k++)
			for (int w = 0; w < width; w++)
				to[k * width + w] = from[at[0] + deep[k] + w];
	else if (n == width && n_deep > 0 && rd_is_even(deep, n_deep, 1))
		RD(pack_turned)(to, width, from + deep[0], at, n_deep);
	else
		RD(pack_apart)(to, width, from, at, n, deep, n_deep);
}

static RD_INLINE void RD(negate)(T *at, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		at[i] = -at[i];
}

#if RD_TILE_VECTORS == 4
#define RD_TILE_OF(v) v##0, v##1, v##2, v##3
#define RD_TILE_ROW(F, r) F(r, 0) F(r, 1) F(r, 2) F(r, 3)
#else
#define RD_TILE_OF(v) v##0, v##1
#define RD_TILE_ROW(F, r) F(r, 0) F(r, 1)
#endif

// A tile: rows of c, `step` apart, plus the product of packed rows and a panel.
static RD_ONCE void RD(tile)(T *c, int64_t step, const T *rows, const T *panel,
                     int64_t n, bool from_zero)
{
	enum { LANES = RD_VECTOR / sizeof(T) };
#define RD_AT(r, v) (*(RD(tile_at) *)(c + r * step + v * LANES))
#define RD_DECLARE(r) RD(tile_vector) RD_TILE_OF(c##r##_);
#define RD_ZERO(r, v) c##r##_##v = (RD(tile_vector)){0};
#define RD_LOAD(r, v) c##r##_##v = RD_AT(r, v);
#define RD_STORE(r, v) RD_AT(r, v) = c##r##_##v;
#define RD_ADD(r, v) c##r##_##v += x * b##v;
#define RD_ZERO_ROW(r) RD_TILE_ROW(RD_ZERO, r)
#define RD_LOAD_ROW(r) RD_TILE_ROW(RD_LOAD, r)
#define RD_STORE_ROW(r) RD_TILE_ROW(RD_STORE, r)
#define RD_ADD_ROW(r) { T x = rows[r]; RD_TILE_ROW(RD_ADD, r) }
	RD_EACH_ROW(RD_DECLARE)
	if (from_zero) {
		RD_EACH_ROW(RD_ZERO_ROW)
	} else {
		RD_EACH_ROW(RD_LOAD_ROW)
	}
	for (int64_t k = 0; k < n; k++) {
		const RD(tile_at) *b = (const RD(tile_at) *)panel;
		RD(tile_vector) b0 = b[0], b1 = b[1];
#if RD_TILE_VECTORS == 4
		RD(tile_vector) b2 = b[2], b3 = b[3];
#endif
		RD_EACH_ROW(RD_ADD_ROW)
		rows += RD_TILE_ROWS;
		panel += RD_TILE_VECTORS * LANES;
	}
	RD_EACH_ROW(RD_STORE_ROW)
#undef RD_AT
#undef RD_DECLARE
#undef RD_ZERO
#undef RD_LOAD
#undef RD_STORE
#undef RD_ADD
#undef RD_ZERO_ROW
#undef RD_LOAD_ROW
#undef RD_STORE_ROW
#undef RD_ADD_ROW
}
#undef RD_TILE_OF
#undef RD_TILE_ROW

// A tile that is not whole, or whose elements do not lie in rows.
static RD_ONCE void RD(edge_tile)(T *c, const int64_t *at_row, int n_rows, const int64_t *at_column,
                          int n_columns, const T *rows, const T *panel, int64_t n, bool from_zero)
{
	enum { COLUMNS = RD_TILE_COLUMNS(T) };
	T tile[RD_TILE_ROWS * COLUMNS] = {0};
	for (int r = 0; r < n_rows && !from_zero; r++)
		for (int l = 0; l < n_columns; l++)
			tile[r * COLUMNS + l] = c[at_row[r] + at_column[l]];
	RD(tile)(tile, COLUMNS, rows, panel, n, from_zero);
	for (int r = 0; r < n_rows; r++)
		for (int l = 0; l < n_columns; l++)
			c[at_row[r] + at_column[l]] = tile[r * COLUMNS + l];
}

static RD_ONCE void RD(packed_product)(const char *stop, T *c, const T *a, const T *b, struct rd_axes m, struct rd_axes n,
                                      struct rd_axes k, bool from_zero, bool minus)
{
	enum { COLUMNS = RD_TILE_COLUMNS(T), WIDTH = RD_PART_COLUMNS(T) };
	T panels[RD_PART_SUM * WIDTH], rows[RD_PART_ROWS * RD_PART_SUM];
	int64_t c_row[RD_PART_ROWS], a_row[RD_PART_ROWS], c_column[WIDTH], b_column[WIDTH];
	int64_t a_deep[RD_PART_SUM], b_deep[RD_PART_SUM];
	int64_t n_rows = rd_axes_size(m), n_columns = rd_axes_size(n), n_deep = rd_axes_size(k);
	for (int64_t j0 = 0; j0 < n_columns && n_rows > 0; j0 += WIDTH) {
		int nj = n_columns - j0 < WIDTH ? (int)(n_columns - j0) : WIDTH;
		rd_axes_places(n, j0, nj, c_column, b_column);
		int64_t k0 = 0;
		do {
			int nk = n_deep - k0 < RD_PART_SUM ? (int)(n_deep - k0) : RD_PART_SUM;
			bool zero = from_zero && k0 == 0;
			rd_axes_places(k, k0, nk, a_deep, b_deep);
			for (int j = 0; j < nj; j += COLUMNS)
				RD(pack)(panels + j * RD_PART_SUM, COLUMNS, b, b_column + j,
				         nj - j < COLUMNS ? nj - j : COLUMNS, b_deep, nk);
			for (int64_t i0 = 0; i0 < n_rows; i0 += RD_PART_ROWS) {
				int ni = n_rows - i0 < RD_PART_ROWS ? (int)(n_rows - i0) : RD_PART_ROWS;
				rd_axes_places(m, i0, ni, c_row, a_row);
				for (int i = 0; i < ni; i += RD_TILE_ROWS)
					RD(pack)(rows + i * RD_PART_SUM, RD_TILE_ROWS, a, a_row + i,
					         ni - i < RD_TILE_ROWS ? ni - i : RD_TILE_ROWS, a_deep, nk);
				if (RD_MINUS(minus))
					for (int i = 0; i < ni; i += RD_TILE_ROWS)
						RD(negate)(rows + i * RD_PART_SUM, nk * RD_TILE_ROWS);
				for (int j = 0; j < nj; j += COLUMNS) {
					int w = nj - j < COLUMNS ? nj - j : COLUMNS;
					bool whole = w == COLUMNS && rd_is_even(c_column + j, w, 1);
					for (int i = 0; i < ni; i += RD_TILE_ROWS) {
						int h = ni - i < RD_TILE_ROWS ? ni - i : RD_TILE_ROWS;
						const T *x = rows + i * RD_PART_SUM, *y = panels + j * RD_PART_SUM;
						int64_t step = h > 1 ? c_row[i + 1] - c_row[i] : 0;
						if (whole && h == RD_TILE_ROWS && rd_is_even(c_row + i, h, step))
							RD(tile)(c + c_row[i] + c_column[j], step, x, y, nk, zero);
						else
							RD(edge_tile)(c, c_row + i, h, c_column + j, w, x, y, nk, zero);
					}
				}
				if (RD_STOPS(stop))
					return;
			}
			k0 += nk;
		} while (k0 < n_deep);
	}
}

// Products without packing.  Up to four rows of a and two vectors or columns of b are in registers
// at once, so that a step of k loads fewer of them than it multiplies.
//
// Columns that lie side by side are summed up in vectors, in order of k.
static RD_INLINE void RD(small_columns)(T *c, int64_t c_row, const T *a, int64_t a_row, int rows,
                                        const T *b, int n, const struct rd_axis *k, bool from_zero,
                                        bool minus)
{
	enum { LANES = RD_VECTOR / sizeof(T) };
	RD(tile_vector) s[4][2];
	for (int r = 0; r < rows; r++)
		for (int v = 0; v < n; v++) {
			s[r][v] = (RD(tile_vector)){0};
			if (!from_zero)
				s[r][v] = *(RD(tile_at) *)(c + r * c_row + v * LANES);
		}
	for (int64_t i = 0; i < k->n; i++) {
		RD(tile_vector) y[2];
		for (int v = 0; v < n; v++)
			y[v] = *(const RD(tile_at) *)(b + i * k->second + v * LANES);
		for (int r = 0; r < rows; r++) {
			T x = a[r * a_row + i * k->first];
			for (int v = 0; v < n; v++)
				s[r][v] = RD_MINUS(minus) ? s[r][v] - x * y[v] : s[r][v] + x * y[v];
		}
	}
	for (int r = 0; r < rows; r++)
		for (int v = 0; v < n; v++)
			*(RD(tile_at) *)(c + r * c_row + v * LANES) = s[r][v];
}

// The sum of a vector's lanes and of the products of n further elements.
static RD_ONCE T RD(dot_end)(RD(tile_vector) s, const T *a, const T *b, int64_t n)
{
	T sum = RD(vsum)(s);
	for (int64_t l = 0; l < n; l++)
		sum += a[l] * b[l];
	return sum;
}

// Elements whose factors lie in rows, in any order.
static RD_INLINE void RD(small_dots)(T *c, struct rd_axis m, struct rd_axis n, const T *a, const T *b,
                                     int rows, int columns, int64_t deep, bool from_zero, bool minus)
{
	enum { LANES = RD_VECTOR / sizeof(T) };
	RD(tile_vector) s[4][2];
	for (int r = 0; r < rows; r++)
		for (int v = 0; v < columns; v++)
			s[r][v] = (RD(tile_vector)){0};
	int64_t i = 0;
	for (; i + LANES <= deep; i += LANES) {
		RD(tile_vector) y[2];
		for (int v = 0; v < columns; v++)
			y[v] = *(const RD(tile_at) *)(b + v * n.second + i);
		for (int r = 0; r < rows; r++) {
			RD(tile_vector) x = *(const RD(tile_at) *)(a + r * m.second + i);
			for (int v = 0; v < columns; v++)
				s[r][v] += x * y[v];
		}
	}
	for (int r = 0; r < rows; r++)
		for (int v = 0; v < columns; v++) {
			T *to = c + r * m.first + v * n.first;
			T sum = RD(dot_end)(s[r][v], a + r * m.second + i, b + v * n.second + i, deep - i);
			*to = (from_zero ? 0 : *to) + (RD_MINUS(minus) ? -sum : sum);
		}
}

// Four elements of a row at once, which do not wait for each other, or one.
static RD_INLINE void RD(small_elements)(T *c, int64_t c_step, const T *a, const T *b, int64_t b_step,
                                         const struct rd_axis *k, int n, bool from_zero, bool minus)
{
	T s[4];
	for (int v = 0; v < n; v++)
		s[v] = from_zero ? 0 : c[v * c_step];
	for (int64_t i = 0; i < k->n; i++) {
		T x = RD_MINUS(minus) ? -a[i * k->first] : a[i * k->first];
		for (int v = 0; v < n; v++)
			s[v] += x * b[i * k->second + v * b_step];
	}
	for (int v = 0; v < n; v++)
		c[v * c_step] = s[v];
}

// All rows, in the columns from j on.
static RD_ONCE void RD(small_rest)(T *c, const T *a, const T *b, const struct rd_axis *rows,
                                   const struct rd_axis *columns, int64_t j,
                                   const struct rd_axis *sum, bool from_zero, bool minus)
{
	struct rd_axis m = *rows, n = *columns, k = *sum;
	for (int64_t i = 0; i < m.n; i++, c += m.first, a += m.second) {
		int64_t e = j;
		for (; e + 4 <= n.n; e += 4)
			RD(small_elements)(c + e * n.first, n.first, a, b + e * n.second, n.second, &k, 4,
			                   from_zero, minus);
		for (; e < n.n; e++)
			RD(small_elements)(c + e * n.first, n.first, a, b + e * n.second, n.second, &k, 1,
			                   from_zero, minus);
	}
}

// So many rows, in the columns before `vectors`, and in all others as dot products if so.
static RD_INLINE void RD(small_rows)(T *c, const T *a, const T *b, int rows, struct rd_axis m,
                                     struct rd_axis n, struct rd_axis k, int64_t vectors, bool dots,
                                     bool from_zero, bool minus)
{
	enum { LANES = RD_VECTOR / sizeof(T) };
	int64_t j = 0;
	for (; j + 2 * LANES <= vectors; j += 2 * LANES)
		RD(small_columns)(c + j, m.first, a, m.second, rows, b + j, 2, &k, from_zero, minus);
	if (j < vectors) {
		RD(small_columns)(c + j, m.first, a, m.second, rows, b + j, 1, &k, from_zero, minus);
		j += LANES;
	}
	if (dots) {
		for (; j + 2 <= n.n; j += 2)
			RD(small_dots)(c + j * n.first, m, n, a, b + j * n.second, rows, 2, k.n, from_zero,
			               minus);
		if (j < n.n)
			RD(small_dots)(c + j * n.first, m, n, a, b + j * n.second, rows, 1, k.n, from_zero,
			               minus);
	}
}

// One axis of each.
static RD_ONCE void RD(small_axes)(T *c, const T *a, const T *b, const struct rd_axis *rows,
                                   const struct rd_axis *columns, const struct rd_axis *sum,
                                   bool from_zero, bool minus, bool any_order)
{
	enum { LANES = RD_VECTOR / sizeof(T) };
	bool lies = columns->first == 1 && columns->second == 1 && columns->n > 0;
	int64_t vectors = lies ? columns->n - columns->n % LANES : 0;
	bool dots = any_order && sum->first == 1 && sum->second == 1 && sum->n >= 4 * LANES;
	if (!dots && vectors < columns->n)
		RD(small_rest)(c, a, b, rows, columns, vectors, sum, from_zero, minus);
	if (!dots && vectors == 0)
		return;
	struct rd_axis m = *rows, n = *columns, k = *sum;
	int64_t i = 0;
	for (; i + 4 <= m.n; i += 4, c += 4 * m.first, a += 4 * m.second)
		RD(small_rows)(c, a, b, 4, m, n, k, vectors, dots, from_zero, minus);
	for (; i < m.n; i++, c += m.first, a += m.second)
		RD(small_rows)(c, a, b, 1, m, n, k, vectors, dots, from_zero, minus);
}

// Axes but the innermost ones are gone through from outside.
static RD_ONCE void RD(small_product)(T *c, const T *a, const T *b, struct rd_axes m, struct rd_axes n,
                                      struct rd_axes k, bool from_zero, bool minus, bool any_order)
{
	struct rd_axes m1 = {m.n - 1, m.at + 1}, n1 = {n.n - 1, n.at + 1}, k1 = {k.n - 1, k.at + 1};
	if (m.n > 1)
		for (int64_t i = 0; i < m.at->n; i++)
			RD(small_product)(c + i * m.at->first, a + i * m.at->second, b, m1, n, k, from_zero,
			                  minus, any_order);
	else if (n.n > 1)
		for (int64_t i = 0; i < n.at->n; i++)
			RD(small_product)(c + i * n.at->first, a, b + i * n.at->second, m, n1, k, from_zero,
			                  minus, any_order);
	else if (k.n > 1 && k.at->n > 0)
		for (int64_t i = 0; i < k.at->n; i++)
			RD(small_product)(c, a + i * k.at->first, b + i * k.at->second, m, n, k1,
			                  from_zero && i == 0, minus, any_order);
	else {
		struct rd_axis none = {0, 0, 0};
		RD(small_axes)(c, a, b, m.at, n.at, k.n > 1 ? &none : k.at, from_zero, minus, any_order);
	}
}

// Halves of the longest axis, so that there is a question in between.
static RD_ONCE void RD(large_product)(const char *stop, T *c, const T *a, const T *b, struct rd_axes m,
                                      struct rd_axes n, struct rd_axes k, bool from_zero, bool minus,
                                      bool any_order)
{
	struct rd_axes *all[] = {&m, &n, &k}, *longest = &m;
	struct rd_axis half[RD_MOST_AXES];
	int d = 0;
	if ((double)rd_axes_size(m) * rd_axes_size(n) * rd_axes_size(k) <= 1 << 22) {
		RD(small_product)(c, a, b, m, n, k, from_zero, minus, any_order);
		return;
	}
	for (int s = 0; s < 3; s++)
		for (int e = 0; e < all[s]->n; e++)
			if (all[s]->at[e].n > longest->at[d].n) {
				longest = all[s];
				d = e;
			}
	memcpy(half, longest->at, (size_t)longest->n * sizeof *half);
	int64_t later = half[d].n / 2, before = half[d].n - later;
	int64_t first = before * half[d].first, second = before * half[d].second;
	longest->at = half;
	half[d].n = before;
	RD(large_product)(stop, c, a, b, m, n, k, from_zero, minus, any_order);
	half[d].n = later;
	if (RD_STOPS(stop))
		return;
	RD(large_product)(stop, longest == &k ? c : c + first,
	                  longest == &n ? a : a + (longest == &k ? first : second),
	                  longest == &m ? b : b + second, m, n, k, from_zero && longest != &k, minus,
	                  any_order);
}

// m: axes of c and a; n: of c and b; k: of a and b; c begins as 0, or the sum is subtracted from c.
// Sums are in the order of k, or in any.  Ends before it is done where `stop` is set meanwhile.
static RD_ONCE RD_UNUSED void RD(product)(const char *stop, T *c, const T *a, const T *b, struct rd_axes m,
                                          struct rd_axes n, struct rd_axes k, bool from_zero, bool minus,
                                          bool any_order)
{
	enum rd_way way = rd_way_of_product(m, n, k, any_order, sizeof(T));
	if (way == RD_PACKED)
		RD(packed_product)(stop, c, a, b, m, n, k, from_zero, minus);
	else if (RD_UNLIKELY(way == RD_LARGE_PARTS))
		RD(large_product)(stop, c, a, b, m, n, k, from_zero, minus, any_order);
	else
		RD(small_product)(c, a, b, m, n, k, from_zero, minus, any_order);
}
// @end
