// Operations of the threads of a warp on each other's values, for kernels of threads: source that
// precedes the kernels, like kernel.h.
#ifndef RD_WARP_H
#define RD_WARP_H
#include "kernel.h"

// @chunk kernel_ahead: kernel_base
#ifndef __OPENCL_C_VERSION__
// A load that stays where it is, before those that wait for it and behind stores of before: see
// src/gen/kbatch.c.  From any memory: arrays of threads may be in their own or that of the block.
template<class T> RD_DEVICE T rd_ahead(const T *p)
{
#ifdef __CUDACC__
	if (sizeof(T) == 8) {
		unsigned long long x;
		asm volatile("ld.b64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
		return *(T *)&x;
	}
	unsigned int y;
	asm volatile("ld.b32 %0, [%1];" : "=r"(y) : "l"(p) : "memory");
	return *(T *)&y;
#else
	return *p;
#endif
}

// Brings what is loaded later into the cache that all processors share.
RD_DEVICE void rd_soon(const void *p)
{
#ifdef __CUDACC__
	asm volatile("prefetch.L2 [%0];" :: "l"(p));
#else
	(void)p;
#endif
}
#endif

// @chunk kernel_turn: kernel_shuffle
// Rows that threads of a warp load together: see src/gen/krows.c.
#ifndef __OPENCL_C_VERSION__
#define RD_TURN
// Are all 32 threads of the warp here?
#define rd_is_whole_warp() (__activemask() == 0xffffffffu)

// W columns of the rows of all threads, which lie `stride` apart, to rows of W + 1 elements; own: the first of
// this thread's.
template<int W, class T> RD_DEVICE void rd_turn(T *tile, const T *own, int64_t stride)
{
	const T *from = own + (rd_lane() / W - rd_lane()) * stride + rd_lane() % W;
	T *to = tile + rd_lane() / W * (W + 1) + rd_lane() % W;
#pragma unroll
	for (int32_t first = 0; first < W; first += 8) {
		T x[8];
#pragma unroll
		for (int32_t k = 0; k < 8; k++)
			x[k] = from[(first + k) * (32 / W) * stride];
#pragma unroll
		for (int32_t k = 0; k < 8; k++)
			to[(first + k) * (32 / W) * (W + 1)] = x[k];
	}
}
#endif

// @chunk kernel_stream: kernel_shuffle
// Threads that take up iterations of a kernel as they are done with others: see src/gen/kstream.c.  Those of
// a warp have a range in common, and wait with the next ones for each other, to begin together: so many of
// them (least) must be idle.
#ifdef __OPENCL_C_VERSION__
#define RD_STREAMED
#define rd_stream_first(n) rd_global_id()
#define rd_stream_end(n) (n)
#define rd_together()
RD_DEVICE bool rd_take(int64_t *next, int64_t end, bool busy, int32_t least, int64_t *id)
{
	if (busy)
		return true;
	if (*next >= end)
		return false;
	*id = *next;
	*next += rd_global_size();
	return true;
}
#else
// Two blocks to a processor are worth more than the last registers.
#define RD_STREAMED __launch_bounds__(256, 2)
#define rd_together() __syncwarp(rd_warp_mask())
RD_DEVICE int64_t rd_stream_each(int64_t n)
{
	int64_t warps = rd_n_blocks() * rd_n_warps(), each = (n + warps - 1) / warps;
	return each < 32 ? 32 : each;
}

RD_DEVICE int64_t rd_stream_first(int64_t n)
{
	return (rd_block_id() * rd_n_warps() + rd_warp()) * rd_stream_each(n);
}

RD_DEVICE int64_t rd_stream_end(int64_t n)
{
	int64_t end = rd_stream_first(n) + rd_stream_each(n);
	return end < n ? end : n;
}

// The number of the thread's next iteration, if it gets one; false at the end of all.  Threads that
// failed are gone, and in no mask.
RD_DEVICE bool rd_take(int64_t *next, int64_t end, bool busy, int32_t least, int64_t *id)
{
	uint32_t idle = __ballot_sync(rd_warp_mask(), !busy), working = __ballot_sync(rd_warp_mask(), busy);
	if (*next >= end)
		return working != 0;
	if (working != 0 && __popc(idle) < least)
		return true;
	int64_t mine = *next + __popc(idle & ((1u << rd_lane()) - 1));
	*next += __popc(idle);
	if (!busy && mine < end)
		*id = mine;
	return true;
}
#endif
// @end
#endif
