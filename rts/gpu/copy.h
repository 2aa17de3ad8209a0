// Copies between layouts, fills and iota on the device.
//
// The dimensions of a copy can be processed in any order.  They are sorted by the strides of the
// destination, dimensions of size 1 are dropped, and neighbouring dimensions that are contiguous in
// both arrays are merged:
//
//   [n][m] to strides (m, 1), from strides (m, 1)    becomes [n*m] from 1 to 1: bytes
//   [n][m] to strides (m, 1), from strides (1, n)    is a transposition, done in tiles
//   [n][m] to strides (m, 1), from strides (2*m, 1)  is done element by element
#ifndef RD_COPY_H
#define RD_COPY_H
#include "run.h"

// @chunk device_copy: device_run
enum { RD_COPY_RANK = 4, RD_TILE = 64, RD_TILE_THREADS = 256, RD_LEAST_TRANSPOSED = 2, RD_NARROW = 16 };

// A copy in its simple form.  A fill is one from strides 0.
struct rd_layout {
	int rank;
	int64_t shape[64], to[64], from[64];
	int64_t to_offset, from_offset;
	int size;                       // of an element
};

static int64_t rd_magnitude(int64_t x)
{
	return x < 0 ? -x : x;
}

// False when there is nothing to do.
static bool rd_simplify(struct rd_layout *l, int rank, const int64_t *shape, const int64_t *to,
                        const int64_t *from)
{
	int i, k;
	l->rank = 0;
	for (i = 0; i < rank; i++) {
		if (shape[i] <= 0)
			return false;
		if (shape[i] == 1)
			continue;
		for (k = l->rank++; k > 0 && rd_magnitude(l->to[k - 1]) < rd_magnitude(to[i]); k--) {
			l->shape[k] = l->shape[k - 1];
			l->to[k] = l->to[k - 1];
			l->from[k] = l->from[k - 1];
		}
		l->shape[k] = shape[i];
		l->to[k] = to[i];
		l->from[k] = from ? from[i] : 0;
	}
	for (i = k = 0; i < l->rank; i++) {
		if (k > 0 && l->to[k - 1] == l->shape[i] * l->to[i] &&
		    l->from[k - 1] == l->shape[i] * l->from[i]) {
			l->shape[k - 1] *= l->shape[i];
			l->to[k - 1] = l->to[i];
			l->from[k - 1] = l->from[i];
			continue;
		}
		l->shape[k] = l->shape[i];
		l->to[k] = l->to[i];
		l->from[k++] = l->from[i];
	}
	l->rank = k;
	return true;
}

static int64_t rd_layout_count(const struct rd_layout *l)
{
	int64_t n = 1;
	int i;
	for (i = 0; i < l->rank; i++)
		n *= l->shape[i];
	return n;
}

// Elements that lie side by side in both arrays are moved by twos.
static void rd_widen(struct rd_layout *l)
{
	int i, last = l->rank - 1;
	while (l->size < 8 && l->rank && l->to[last] == 1 && l->from[last] == 1) {
		int64_t odd = l->shape[last] | l->to_offset | l->from_offset;
		for (i = 0; i < last; i++)
			odd |= l->to[i] | l->from[i];
		if (odd & 1)
			return;
		l->size *= 2;
		l->shape[last] /= 2;
		l->to_offset /= 2;
		l->from_offset /= 2;
		for (i = 0; i < last; i++) {
			l->to[i] /= 2;
			l->from[i] /= 2;
		}
	}
}

static int rd_log_size(int size)
{
	return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
}

static int64_t rd_blocks_of(struct futhark_context *ctx, int64_t n, int64_t per_block)
{
	int64_t blocks = (n + per_block - 1) / per_block, most = 64 * (int64_t)ctx->device->n_processors;
	return blocks < most ? blocks : most;
}

static int rd_builtin(struct futhark_context *ctx, int kernel, int size, int64_t blocks,
                      int threads, int64_t local, const uint64_t *args)
{
	return rd_launch_any(ctx, rd_device_program()->n_kernels + kernel + rd_log_size(size), blocks,
	                     threads, local, args);
}

// The dimension along which the source lies side by side, when the destination does not; or -1.
static int rd_transposed_dim(const struct rd_layout *l)
{
	int i, last = l->rank - 1;
	if (l->rank < 2 || l->rank > 4 || rd_magnitude(l->from[last]) == 1)
		return -1;
	for (i = 0; i < last; i++)
		if (l->from[i] == 1 && l->to[last] == 1 && l->shape[i] >= RD_LEAST_TRANSPOSED &&
		    l->shape[last] >= RD_LEAST_TRANSPOSED)
			return i;
	return -1;
}

// Of n by m, where the destination lies side by side along m, the source along n.
static int rd_transpose(struct futhark_context *ctx, const struct rd_layout *l, int dim,
                        struct rd_block *to, struct rd_block *from)
{
	int64_t b[2] = {1, 1}, tb[2] = {0, 0}, fb[2] = {0, 0};
	int64_t n = l->shape[dim], m = l->shape[l->rank - 1], tiles;
	int64_t tn = l->to[dim], tm = l->to[l->rank - 1], fn = l->from[dim], fm = l->from[l->rank - 1];
	bool low = n <= RD_NARROW && n <= m, narrow = low || m <= RD_NARROW;
	int i, k = 2;
	for (i = l->rank - 2; i >= 0; i--) {
		if (i == dim)
			continue;
		k--;
		b[k] = l->shape[i];
		tb[k] = l->to[i];
		fb[k] = l->from[i];
	}
	tiles = b[0] * b[1] * (narrow ? (low ? m : n) : ((n + RD_TILE - 1) / RD_TILE) * ((m + RD_TILE - 1) / RD_TILE));
	{
		uint64_t args[] = {
			RD_WORD_BLOCK(to), RD_WORD(l->to_offset), RD_WORD_BLOCK(from), RD_WORD(l->from_offset),
			RD_WORD(tiles), RD_WORD(b[1]), RD_WORD(n), RD_WORD(m), RD_WORD(tb[0]), RD_WORD(tb[1]),
			RD_WORD(tn), RD_WORD(tm), RD_WORD(fb[0]), RD_WORD(fb[1]), RD_WORD(fn), RD_WORD(fm)
		};
		int64_t blocks = narrow ? (tiles + RD_TILE_THREADS - 1) / RD_TILE_THREADS : tiles;
		if (low) { // along m first
			args[6] = RD_WORD(m);
			args[7] = RD_WORD(n);
			args[10] = RD_WORD(tm);
			args[11] = RD_WORD(tn);
			args[14] = RD_WORD(fm);
			args[15] = RD_WORD(fn);
		}
		return rd_builtin(ctx, narrow ? RD_NARROW_1 : RD_TRANSPOSE_1, l->size, blocks < 1 << 30 ? blocks : 1 << 30,
		                  RD_TILE_THREADS, narrow ? 0 : RD_TILE * (RD_TILE + 1) * (int64_t)l->size,
		                  args);
	}
}

// The innermost dimensions as exactly four; the others are done one by one (rd_each_part).
static void rd_inner_dims(const struct rd_layout *l, int64_t *n, int64_t *to, int64_t *from)
{
	int i, skip = RD_COPY_RANK - l->rank;
	for (i = 0; i < RD_COPY_RANK; i++) {
		int k = i - skip;
		n[i] = k < 0 ? 1 : l->shape[k];
		to[i] = k < 0 ? 0 : l->to[k];
		from[i] = k < 0 ? 0 : l->from[k];
	}
}

static int rd_copy_elements(struct futhark_context *ctx, const struct rd_layout *l,
                            struct rd_block *to, struct rd_block *from)
{
	int64_t n[RD_COPY_RANK], t[RD_COPY_RANK], f[RD_COPY_RANK], all = rd_layout_count(l);
	rd_inner_dims(l, n, t, f);
	{
		uint64_t args[] = {
			RD_WORD_BLOCK(to), RD_WORD(l->to_offset), RD_WORD_BLOCK(from), RD_WORD(l->from_offset),
			RD_WORD(all), RD_WORD(n[1]), RD_WORD(n[2]), RD_WORD(n[3]), RD_WORD(t[0]), RD_WORD(t[1]),
			RD_WORD(t[2]), RD_WORD(t[3]), RD_WORD(f[0]), RD_WORD(f[1]), RD_WORD(f[2]), RD_WORD(f[3])
		};
		int threads = rd_block_size(ctx);
		return rd_builtin(ctx, RD_COPY_1, l->size, rd_blocks_of(ctx, all, threads), threads, 0,
		                  args);
	}
}

static int rd_fill_elements(struct futhark_context *ctx, const struct rd_layout *l,
                            struct rd_block *to, const void *value)
{
	int64_t n[RD_COPY_RANK], t[RD_COPY_RANK], f[RD_COPY_RANK], all = rd_layout_count(l);
	uint64_t word = 0;
	rd_inner_dims(l, n, t, f);
	memcpy(rd_bytes_of_word(&word, (size_t)l->size), value, (size_t)l->size);
	{
		uint64_t args[] = {
			RD_WORD_BLOCK(to), RD_WORD(l->to_offset), word, RD_WORD(all),
			RD_WORD(n[1]), RD_WORD(n[2]), RD_WORD(n[3]), RD_WORD(t[0]), RD_WORD(t[1]), RD_WORD(t[2]),
			RD_WORD(t[3])
		};
		int threads = rd_block_size(ctx);
		return rd_builtin(ctx, RD_FILL_1, l->size, rd_blocks_of(ctx, all, threads), threads, 0,
		                  args);
	}
}

// More dimensions than kernels have: the outermost is a loop here.
static int rd_copy_layout(struct futhark_context *ctx, const struct rd_layout *l,
                          struct rd_block *to, struct rd_block *from, const void *value)
{
	int dim = from ? rd_transposed_dim(l) : -1;
	int64_t i;
	int err = 0;
	if (l->rank <= RD_COPY_RANK)
		return dim >= 0 ? rd_transpose(ctx, l, dim, to, from)
		     : from ? rd_copy_elements(ctx, l, to, from) : rd_fill_elements(ctx, l, to, value);
	for (i = 0; i < l->shape[0] && !err; i++) {
		struct rd_layout part = *l;
		size_t rest = (size_t)(l->rank - 1) * sizeof *l->to;
		part.rank--;
		memcpy(part.shape, l->shape + 1, rest);
		memcpy(part.to, l->to + 1, rest);
		memcpy(part.from, l->from + 1, rest);
		part.to_offset += i * l->to[0];
		part.from_offset += i * l->from[0];
		err = rd_copy_layout(ctx, &part, to, from, value);
	}
	return err;
}

RD_UNUSED
static int rd_dev_copy(struct futhark_context *ctx, int elem_size, int rank, const int64_t *shape,
                       struct rd_block *to, int64_t to_offset, const int64_t *to_strides,
                       struct rd_block *from, int64_t from_offset, const int64_t *from_strides)
{
	struct rd_layout l;
	if (!rd_simplify(&l, rank, shape, to_strides, from_strides))
		return 0;
	l.to_offset = to_offset;
	l.from_offset = from_offset;
	l.size = elem_size;
	if (l.rank == 0 || (l.rank == 1 && l.to[0] == 1 && l.from[0] == 1))
		return rd_block_copy(ctx, to, to_offset * elem_size, from, from_offset * elem_size,
		                     rd_layout_count(&l) * elem_size);
	if (to->size_class >= 0 && from->size_class >= 0) // else it may be aligned for its elements only
		rd_widen(&l);
	return rd_copy_layout(ctx, &l, to, from, NULL);
}

RD_UNUSED
static int rd_dev_fill(struct futhark_context *ctx, int elem_size, int rank, const int64_t *shape,
                       struct rd_block *to, int64_t offset, const int64_t *strides,
                       const void *value)
{
	struct rd_layout l;
	if (!rd_simplify(&l, rank, shape, strides, NULL))
		return 0;
	l.to_offset = offset;
	l.from_offset = 0;
	l.size = elem_size;
	if ((l.rank == 0 || (l.rank == 1 && l.to[0] == 1)) && rd_api_can_fill(value, elem_size))
		return rd_block_repeat(ctx, to, offset * elem_size, value, elem_size, rd_layout_count(&l));
	return rd_copy_layout(ctx, &l, to, NULL, value);
}

RD_UNUSED
static int rd_dev_iota(struct futhark_context *ctx, int elem_size, int64_t n, struct rd_block *to,
                       int64_t offset, int64_t stride, int64_t start, int64_t step)
{
	uint64_t args[] = {
		RD_WORD_BLOCK(to), RD_WORD(offset), RD_WORD(stride), RD_WORD(n), RD_WORD(start), RD_WORD(step)
	};
	int threads = rd_block_size(ctx);
	return rd_builtin(ctx, RD_IOTA_1, elem_size, rd_blocks_of(ctx, n, threads), threads, 0, args);
}
// @end
#endif
