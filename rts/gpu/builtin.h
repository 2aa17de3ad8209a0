// Kernels that every program has: copies between layouts, fills, iota.
//
// copy.h starts them.  Elements are moved as unsigned integers of 1, 2, 4 or 8 bytes.
#ifndef RD_BUILTIN_H
#define RD_BUILTIN_H
#include "kernel.h"

// @chunk builtin_kernels: kernel
// Element `at` of an array of shape [..][n1][n2][n3], by its strides.
RD_DEVICE int64_t rd_place(int64_t at, int64_t n1, int64_t n2, int64_t n3, int64_t s0, int64_t s1,
                           int64_t s2, int64_t s3)
{
	if (at < INT64_C(0x7fffffff)) { // division is much faster in 32 bits
		uint32_t a = (uint32_t)at, m3 = (uint32_t)n3, m2 = (uint32_t)n2, m1 = (uint32_t)n1;
		uint32_t q3 = a / m3, q2 = q3 / m2, q1 = q2 / m1;
		return (int64_t)(a - q3 * m3) * s3 + (int64_t)(q3 - q2 * m2) * s2 +
		       (int64_t)(q2 - q1 * m1) * s1 + (int64_t)q1 * s0;
	}
	return at % n3 * s3 + at / n3 % n2 * s2 + at / n3 / n2 % n1 * s1 + at / n3 / n2 / n1 * s0;
}

// Of numbers that are not negative.
RD_DEVICE int64_t rd_quotient(int64_t x, int64_t y)
{
	return (x | y) >> 32 ? x / y : (int64_t)((uint32_t)x / (uint32_t)y);
}

// `all` elements.  The destination's strides come first.
#define RD_COPY_KERNEL(NAME, T) \
	RD_KERNEL void NAME(RD_KERNEL_PARAMS, RD_GLOBAL T *to, int64_t to_offset, RD_GLOBAL T *from, \
	                    int64_t from_offset, int64_t all, int64_t n1, int64_t n2, int64_t n3, \
	                    int64_t t0, int64_t t1, int64_t t2, int64_t t3, int64_t f0, int64_t f1, \
	                    int64_t f2, int64_t f3) \
	{ \
		RD_AFTER_OTHERS \
		for (int64_t i = rd_global_id(); i < all; i += rd_global_size()) \
			to[to_offset + rd_place(i, n1, n2, n3, t0, t1, t2, t3)] = \
				from[from_offset + rd_place(i, n1, n2, n3, f0, f1, f2, f3)]; \
	}

// Each block does tiles of 64 by 64 of n by m: in a tile the destination's rows are along m, those of the
// source along n.  n_tiles: those of all b0 * b1 matrices.  256 threads, each with 16 elements, all
// of which are on their way at the same time.
#define RD_TRANSPOSE_KERNEL(NAME, T) \
	RD_KERNEL void NAME(RD_KERNEL_PARAMS, RD_GLOBAL T *to, int64_t to_offset, \
	                    RD_GLOBAL const T *from, int64_t from_offset, int64_t n_tiles, int64_t b1, \
	                    int64_t n, int64_t m, int64_t tb0, int64_t tb1, int64_t tn, int64_t tm, \
	                    int64_t fb0, int64_t fb1, int64_t fn, int64_t fm) \
	{ \
		RD_AFTER_OTHERS \
		RD_LOCAL T *tile = (RD_LOCAL T *)rd_shared; \
		int32_t x = rd_local_id() % 64, y = rd_local_id() / 64; \
		int64_t across = (m + 63) / 64, down = (n + 63) / 64; \
		for (int64_t t = rd_block_id(); t < n_tiles; t += rd_n_blocks()) { \
			int64_t matrix = rd_quotient(t, across * down), rest = t - matrix * (across * down); \
			int64_t row = rd_quotient(rest, across), q0 = rd_quotient(matrix, b1); \
			int64_t i = row * 64, j = (rest - row * across) * 64, q1 = matrix - q0 * b1; \
			RD_GLOBAL const T *a = from + from_offset + q0 * fb0 + q1 * fb1 + (i + x) * fn + (j + y) * fm; \
			RD_GLOBAL T *b = to + to_offset + q0 * tb0 + q1 * tb1 + (i + y) * tn + (j + x) * tm; \
			T v[16]; \
			if (i + 64 <= n && j + 64 <= m) { \
				RD_UNROLL \
				for (int32_t k = 0; k < 16; k++) \
					v[k] = a[4 * k * fm]; \
				RD_UNROLL \
				for (int32_t k = 0; k < 16; k++) \
					tile[(y + 4 * k) * 65 + x] = v[k]; \
				rd_barrier(); \
				RD_UNROLL \
				for (int32_t k = 0; k < 16; k++) \
					b[4 * k * tn] = tile[x * 65 + y + 4 * k]; \
			} else { \
				for (int32_t k = 0; k < 64; k += 4) \
					if (i + x < n && j + y + k < m) \
						tile[(y + k) * 65 + x] = a[k * fm]; \
				rd_barrier(); \
				for (int32_t k = 0; k < 64; k += 4) \
					if (i + y + k < n && j + x < m) \
						b[k * tn] = tile[x * 65 + y + k]; \
			} \
			rd_barrier(); \
		} \
	}

// Matrices that are narrow in one direction: a thread has all `few` elements there, at one of `len` places along
// the other.  `all` places in b0 * b1 matrices.
#define RD_NARROW_KERNEL(NAME, T) \
	RD_KERNEL void NAME(RD_KERNEL_PARAMS, RD_GLOBAL T *to, int64_t to_offset, \
	                    RD_GLOBAL const T *from, int64_t from_offset, int64_t all, int64_t b1, \
	                    int64_t len, int64_t few, int64_t tb0, int64_t tb1, int64_t tl, int64_t ts, \
	                    int64_t fb0, int64_t fb1, int64_t fl, int64_t fs) \
	{ \
		RD_AFTER_OTHERS \
		for (int64_t t = rd_global_id(); t < all; t += rd_global_size()) { \
			int64_t matrix = all == len ? 0 : rd_quotient(t, len), i = t - matrix * len; \
			int64_t q0 = all == len ? 0 : rd_quotient(matrix, b1), q1 = matrix - q0 * b1, k = 0; \
			RD_GLOBAL const T *a = from + from_offset + q0 * fb0 + q1 * fb1 + i * fl; \
			RD_GLOBAL T *b = to + to_offset + q0 * tb0 + q1 * tb1 + i * tl; \
			for (; k + 4 <= few; k += 4) { \
				T v[4]; \
				RD_UNROLL \
				for (int32_t u = 0; u < 4; u++) \
					v[u] = a[(k + u) * fs]; \
				RD_UNROLL \
				for (int32_t u = 0; u < 4; u++) \
					b[(k + u) * ts] = v[u]; \
			} \
			int32_t rest = (int32_t)(few - k); \
			T w[3]; \
			RD_UNROLL \
			for (int32_t u = 0; u < 3; u++) \
				if (u < rest) \
					w[u] = a[(k + u) * fs]; \
			RD_UNROLL \
			for (int32_t u = 0; u < 3; u++) \
				if (u < rest) \
					b[(k + u) * ts] = w[u]; \
		} \
	}

#define RD_FILL_KERNEL(NAME, T) \
	RD_KERNEL void NAME(RD_KERNEL_PARAMS, RD_GLOBAL T *to, int64_t offset, T value, int64_t all, \
	                    int64_t n1, int64_t n2, int64_t n3, int64_t s0, int64_t s1, int64_t s2, \
	                    int64_t s3) \
	{ \
		RD_AFTER_OTHERS \
		for (int64_t i = rd_global_id(); i < all; i += rd_global_size()) \
			to[offset + rd_place(i, n1, n2, n3, s0, s1, s2, s3)] = value; \
	}

#define RD_IOTA_KERNEL(NAME, T) \
	RD_KERNEL void NAME(RD_KERNEL_PARAMS, RD_GLOBAL T *to, int64_t offset, int64_t stride, \
	                    int64_t n, int64_t start, int64_t step) \
	{ \
		RD_AFTER_OTHERS \
		for (int64_t i = rd_global_id(); i < n; i += rd_global_size()) \
			to[offset + i * stride] = (T)((uint64_t)start + (uint64_t)i * (uint64_t)step); \
	}

#define RD_BUILTIN_KERNELS(S, T) \
	RD_COPY_KERNEL(rd_copy_##S, T) \
	RD_TRANSPOSE_KERNEL(rd_transpose_##S, T) \
	RD_NARROW_KERNEL(rd_narrow_##S, T) \
	RD_FILL_KERNEL(rd_fill_##S, T) \
	RD_IOTA_KERNEL(rd_iota_##S, T)
#ifdef RD_BUILTIN // CUDA: each is compiled when it is needed (nvrtc.h)
RD_BUILTIN
#else
RD_BUILTIN_KERNELS(1, uint8_t)
RD_BUILTIN_KERNELS(2, uint16_t)
RD_BUILTIN_KERNELS(4, uint32_t)
RD_BUILTIN_KERNELS(8, uint64_t)
#endif

#ifdef RD_MOVES // CUDA
// Copies bytes, 16 to a thread at most.
RD_KERNEL void rd_move(RD_KERNEL_PARAMS, char *to, const char *from, int64_t size)
{
	RD_AFTER_OTHERS
	int64_t i = 16 * rd_global_id(), end = i + 16 < size ? i + 16 : size;
	uint64_t odd = (uint64_t)to | (uint64_t)from;
	if (odd % 16 == 0 && i + 16 <= size) {
		*(int4 *)(to + i) = *(const int4 *)(from + i);
		return;
	}
	for (; odd % 4 == 0 && i + 4 <= end; i += 4)
		*(int32_t *)(to + i) = *(const int32_t *)(from + i);
	for (; i < end; i++)
		to[i] = from[i];
}

// Fills bytes with a word of 4 again and again, 16 bytes to a thread at most.
RD_KERNEL void rd_paint(RD_KERNEL_PARAMS, char *to, uint32_t word, int64_t size)
{
	RD_AFTER_OTHERS
	int64_t i = 16 * rd_global_id(), end = i + 16 < size ? i + 16 : size;
	if ((uint64_t)to % 16 == 0 && i + 16 <= size) {
		int4 four = {(int32_t)word, (int32_t)word, (int32_t)word, (int32_t)word};
		*(int4 *)(to + i) = four;
		return;
	}
	for (; (uint64_t)to % 4 == 0 && i + 4 <= end; i += 4)
		*(uint32_t *)(to + i) = word;
	for (; i < end; i++)
		to[i] = (char)(word >> 8 * (i & 3));
}

// Shows up to 8 bytes, and what has failed, to the host: in memory that both see (rts/gpu/stream.h).
RD_KERNEL void rd_show(RD_KERNEL_PARAMS, volatile int64_t *to, const char *from, int64_t size)
{
	RD_AFTER_OTHERS
	to[1] = size == 8 ? *(const int64_t *)from : size == 4 ? *(const int32_t *)from
	      : size == 2 ? *(const int16_t *)from : size == 1 ? *(const int8_t *)from : 0;
	to[2] = rd_failures->site;
	__threadfence_system();
	to[0] = ++rd_failures->shown;
}
#endif
// @end
#endif
