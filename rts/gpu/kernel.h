// The source that precedes the kernels of a program: macros that make OpenCL C 1.2 and CUDA C++ one
// language.
//
//   RD_KERNEL void scale(RD_KERNEL_PARAMS, RD_GLOBAL double *xs, int64_t n)
//   {
//   	if (RD_HAS_FAILED)
//   		return;
//   	int64_t i = rd_global_id();
//   	if (i < n)
//   		xs[i] *= 2;
//   }
//
// RD_KERNEL_PARAMS are the failure record (struct rd_failure in device.h) and, on OpenCL, the
// shared memory that rd_launch was asked for, which is rd_shared in both, aligned to 16 bytes.
// Values of type bool are passed as int8_t, f16 as uint16_t.
#ifndef RD_KERNEL_H
#define RD_KERNEL_H

// @chunk kernel:
#ifdef __OPENCL_C_VERSION__
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define RD_KERNEL __kernel
#define RD_GLOBAL __global
#define RD_LOCAL __local
#define RD_CONSTANT __constant
#define RD_DEVICE static
#define RD_RESTRICT restrict
#define RD_KERNEL_PARAMS __global struct rd_failure *rd_failures, __local int4 *rd_shared_mem
#define rd_shared ((__local char *)rd_shared_mem)
#define rd_local_id() ((int32_t)get_local_id(0))
#define rd_local_size() ((int32_t)get_local_size(0))
#define rd_block_id() ((int64_t)get_group_id(0))
#define rd_n_blocks() ((int64_t)get_num_groups(0))
#define RD_ONE_BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#ifdef POCL_DEVICE_ADDRESS_BITS
// PoCL with optimisation adds barriers of its own where it takes a barrier for conditional, as in steps of a
// row.  It looks for their place from there backwards along one path, up to a basic block that is nothing but a
// barrier and a branch.  After loop-invariant code motion that branch may be `is there an element for this
// thread`: then the new barrier is in the loop over the elements, and all threads go where the last one goes.
// (Mended in PoCL's sources in July 2026.)  A block with two barriers does not end that search; they cost
// nothing, for PoCL drops the second one afterwards.  Test: tests/gpu/steps_of_few.fut.
#define rd_barrier() do { RD_ONE_BARRIER; RD_ONE_BARRIER; } while (0) // of the block
// The barriers that it adds itself end that search too: one before a branch that all threads take the same way,
// and whose condition has moved out of the loop over rows.  What follows it was then done by some threads
// only.  So rows have no such branch here.  Test: tests/gpu/warp_rows.fut, with RD_WARP_TEST.
#define RD_ROW_FITS(n) 0
#else
#define rd_barrier() RD_ONE_BARRIER // of the block
#endif
#define rd_warp_barrier() rd_barrier()
// A barrier after which all threads leave the kernel if one of them has failed.
#define RD_LEAVE_IF_MARKED { \
	rd_barrier(); \
	int32_t rd_failed = *rd_mark; \
	rd_barrier(); \
	if (rd_failed) \
		return; \
}
#define rd_fence() mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define rd_cas_i32(p, old, new) atomic_cmpxchg(p, old, new)
#define RD_CHOOSE(cuda, other) (other)
#else
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define INT64_C(x) x##LL
#define UINT64_C(x) x##ULL
#define RD_KERNEL extern "C" __global__
#define RD_GLOBAL
#define RD_LOCAL
#define RD_CONSTANT static __constant__ const
#define RD_DEVICE static __device__
#define RD_RESTRICT __restrict__
#define RD_KERNEL_PARAMS struct rd_failure *rd_failures
extern __shared__ int4 rd_shared_mem[];
// Note [Warps].  What is one block to a kernel is the block of the device, or, after RD_OWN_WARP, each warp of it:
// a processor has room for twice as many warps as blocks, and it takes time to begin one.  Then shared memory has a
// part for each warp, and barriers are those of warps.  A block of the device has RD_WARPS of them, or one.
#define RD_WARPS 4
#define RD_HERE_IS RD_DEVICE __forceinline__
struct rd_whole_block {
	RD_HERE_IS char *shared() { return (char *)rd_shared_mem; }
	RD_HERE_IS int32_t id() { return (int32_t)threadIdx.x; }
	RD_HERE_IS int32_t size() { return (int32_t)blockDim.x; }
	RD_HERE_IS int64_t number() { return (int64_t)blockIdx.x; }
	RD_HERE_IS int64_t count() { return (int64_t)gridDim.x; }
	enum { IS_WARP = 0 };
};
struct rd_own_warp {
	RD_HERE_IS bool one() { return blockDim.x == 32; }
	RD_HERE_IS char *shared()
	{
		uint32_t all;
#ifdef __CUDACC__
		asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
#else
		all = rd_dynamic_smem_size;
#endif
		return (char *)rd_shared_mem + (one() ? 0 : threadIdx.x / 32 * (all / RD_WARPS));
	}
	RD_HERE_IS int32_t id() { return (int32_t)(threadIdx.x % 32); }
	RD_HERE_IS int32_t size() { return 32; }
	RD_HERE_IS int64_t number() { return one() ? blockIdx.x : (int64_t)blockIdx.x * RD_WARPS + threadIdx.x / 32; }
	RD_HERE_IS int64_t count() { return one() ? gridDim.x : (int64_t)gridDim.x * RD_WARPS; }
	enum { IS_WARP = 1 };
};
typedef struct rd_whole_block rd_here;
#define rd_shared (rd_here::shared())
#define rd_local_id() (rd_here::id())
#define rd_local_size() (rd_here::size())
#define rd_block_id() (rd_here::number())
#define rd_n_blocks() (rd_here::count())
#define rd_barrier() __syncthreads()
#define rd_warp_barrier() __syncwarp() // likewise, of blocks that are warps
#define RD_LEAVE_IF_MARKED { /* what the thread itself has said is enough */ \
	if (rd_here::IS_WARP ? __any_sync(0xffffffffu, *rd_mark) : __syncthreads_or(*rd_mark)) \
		return; \
}
#define rd_fence() __threadfence()
#define rd_cas_i32(p, old, new) atomicCAS((int *)(p), old, new)
#define RD_CHOOSE(cuda, other) (cuda)
#endif
#ifndef RD_ROW_FITS
#define RD_ROW_FITS(n) ((n) <= rd_local_size()) // an element for each thread of the warp
#endif
// After the type of a kernel: blocks have at most so many threads, and so many of them are to fit on a processor.
#ifdef __CUDACC__
#define RD_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#else
#define RD_BOUNDS(threads, blocks)
#endif
// At the beginning of a kernel whose blocks have 32 threads; RD_OWN_WARP: Note [Warps].
#ifdef __CUDACC__
#define RD_ONE_WARP __builtin_assume(blockDim.x == 32); __builtin_assume(threadIdx.x < 32);
#else
#define RD_ONE_WARP
#endif
#ifdef __OPENCL_C_VERSION__
#define RD_OWN_WARP
#else
#define RD_OWN_WARP typedef struct rd_own_warp rd_here;
#endif
// At the beginning of a kernel: it may have been set up while the one before still ran (stream.h, Note [Dependent
// launches]).  Loads of what no thread of this kernel writes can be moved by compilers, but not before a branch.
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900
#define RD_AFTER_OTHERS { \
	int32_t rd_go; \
	asm volatile("griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;\n\tmov.b32 %0, 1;" \
	             : "=r"(rd_go) :: "memory"); \
	if (!rd_go) \
		return; \
}
#else
#define RD_AFTER_OTHERS
#endif
// Before loops with a constant number of iterations.  Compilers of OpenCL decide for themselves; those for
// processors take minutes when they are asked to.
#if defined(__CUDACC__)
#define RD_UNROLL _Pragma("unroll")
#define RD_NO_UNROLL _Pragma("unroll 1")
#define RD_UNROLL_SOME _Pragma("unroll 16")
#define RD_HERE(x) asm volatile("" : "+r"(x)) // what is made of it is computed here, not before loops around
#else
#define RD_UNROLL
#define RD_NO_UNROLL
#define RD_UNROLL_SOME
#define RD_HERE(x)
#endif
#define rd_global_id() (rd_block_id() * rd_local_size() + rd_local_id())
#define rd_global_size() (rd_n_blocks() * rd_local_size())

struct rd_failure {
	int32_t site, n;
	int64_t values[30];             // RD_FAILURE_VALUES in device.h
	int64_t shown;
};
// Has a kernel before failed, or a thread of this one?  At the beginning of a kernel only the former is of
// interest, for which the cache will do: everyone waits for the answer.
#define RD_HAS_FAILED (*(volatile RD_GLOBAL int32_t *)&rd_failures->site >= 0)

// Records a failure; true for the first one, which may then store its values.
RD_DEVICE bool rd_claim_failure(RD_GLOBAL struct rd_failure *f, int32_t site)
{
	return rd_cas_i32((volatile RD_GLOBAL int32_t *)&f->site, -1, site) == -1;
}
// @chunk kernel_base: kernel
// What rts/c/base.h and the system's headers have.
#define RD_PRINTF(f, a)
#define RD_COLD
#define RD_UNLIKELY(x) (x)
#define RD_UNUSED
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-INT64_C(9223372036854775807) - 1)
#define INT64_MAX INT64_C(9223372036854775807)
#ifdef __OPENCL_C_VERSION__
// One name for all types.
#define fmodf fmod
#define powf pow
#define fabsf fabs
#define sqrtf sqrt
#define cbrtf cbrt
#define expf exp
#define exp2f exp2
#define expm1f expm1
#define logf log
#define log2f log2
#define log10f log10
#define log1pf log1p
#define hypotf hypot
#define sinf sin
#define cosf cos
#define tanf tan
#define asinf asin
#define acosf acos
#define atanf atan
#define atan2f atan2
#define sinhf sinh
#define coshf cosh
#define tanhf tanh
#define asinhf asinh
#define acoshf acosh
#define atanhf atanh
#define tgammaf tgamma
#define erff erf
#define erfcf erfc
#define ceilf ceil
#define floorf floor
#define rintf rint
#define truncf trunc
#define copysignf copysign
#define ldexpf ldexp
#define fmaf fma
#define nextafterf nextafter
#define __builtin_popcountll(x) ((int32_t)popcount((ulong)(x)))
#define __builtin_clzll(x) ((int32_t)clz((ulong)(x)))
#define __builtin_ctzll(x) (63 - (int32_t)clz((ulong)(x) & -(ulong)(x)))
#define rd_log_u32(x) (31 - (int32_t)clz((uint)(x)))
#define rd_bits_of_double(x) as_ulong(x)
#define rd_bits_of_float(x) as_uint(x)
#define rd_double_of_bits(x) as_double(x)
#define rd_float_of_bits(x) as_float(x)
#else
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#define __builtin_popcountll(x) __popcll(x)
#define __builtin_clzll(x) __clzll((int64_t)(x))
#define __builtin_ctzll(x) (__ffsll((int64_t)(x)) - 1)
#define rd_log_u32(x) (31 - __clz((int32_t)(x)))
#define rd_bits_of_double(x) ((uint64_t)__double_as_longlong(x))
#define rd_bits_of_float(x) ((uint32_t)__float_as_int(x))
#define rd_double_of_bits(x) __longlong_as_double((int64_t)(x))
#define rd_float_of_bits(x) __int_as_float((int32_t)(x))
#ifdef __CUDACC__
// -0 is less than 0: so it is for these instructions, but nobody says so of C's functions.  There are none of f64.
RD_DEVICE float rd_fminf(float x, float y)
{
	float z;
	asm("min.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
	return z;
}
RD_DEVICE float rd_fmaxf(float x, float y)
{
	float z;
	asm("max.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
	return z;
}
RD_DEVICE double rd_fmin(double x, double y)
{
	double least = fmin(x, y), zero = signbit(x) ? x : y;
	return x == y ? zero : least;
}
RD_DEVICE double rd_fmax(double x, double y)
{
	double most = fmax(x, y), zero = signbit(x) ? y : x;
	return x == y ? zero : most;
}
#endif
#endif

// Quotient and rest of numbers that are not negative, and mostly small: 64 bits take their time.
RD_DEVICE int64_t rd_div_index(int64_t x, int64_t y)
{
	return (x | y) >> 32 ? x / y : (int64_t)((uint32_t)x / (uint32_t)y);
}

// @chunk kernel_thread: kernel_base
// What functions that kernels call are given, and pass on.
#define RD_THREAD_PARAMS RD_GLOBAL struct rd_failure *rd_failures, volatile RD_GLOBAL int32_t *rd_locks, \
	struct rd_heap *rd_heap
#define RD_THREAD rd_failures, rd_locks, rd_heap

// Memory that a thread takes as it runs, where the host cannot know how much that will be.  It has
// all of it again in its next iteration.
struct rd_heap {
	RD_GLOBAL char *at;
	int64_t left;                   // bytes
};

// @chunk kernel_heap: kernel_thread
// NULL if there is not enough left.
RD_DEVICE RD_GLOBAL char *rd_heap_alloc(struct rd_heap *heap, int64_t n, int64_t elem_size)
{
	RD_GLOBAL char *at = heap->at;
	if (n > heap->left / elem_size)
		return (RD_GLOBAL char *)0;
	int64_t bytes = ((n > 0 ? n : 0) * elem_size + 15) & ~(int64_t)15;
	heap->at += bytes;
	heap->left -= bytes;
	return at;
}

// @chunk kernel_locks: kernel_thread
#define RD_N_LOCKS 100151
#ifdef __OPENCL_C_VERSION__
#define rd_unlock(p) atomic_xchg(p, 0)
#else
#define rd_unlock(p) atomicExch((int *)(p), 0)
#endif

// @chunk kernel_atomics: kernel_base
#ifdef __OPENCL_C_VERSION__
#define rd_cas_i64(p, old, new) atom_cmpxchg(p, old, new)
#define rd_atomic_add_i32(p, x) atomic_add(p, x)
#define rd_atomic_add_u32(p, x) atomic_add(p, x)
#define rd_atomic_add_i64(p, x) atom_add(p, x)
#define rd_atomic_add_u64(p, x) atom_add(p, x)
#define rd_atomic_min_i32(p, x) atomic_min(p, x)
#define rd_atomic_min_u32(p, x) atomic_min(p, x)
#define rd_atomic_min_i64(p, x) atom_min(p, x)
#define rd_atomic_min_u64(p, x) atom_min(p, x)
#define rd_atomic_max_i32(p, x) atomic_max(p, x)
#define rd_atomic_max_u32(p, x) atomic_max(p, x)
#define rd_atomic_max_i64(p, x) atom_max(p, x)
#define rd_atomic_max_u64(p, x) atom_max(p, x)
#define rd_atomic_and_i32(p, x) atomic_and(p, x)
#define rd_atomic_and_u32(p, x) atomic_and(p, x)
#define rd_atomic_and_i64(p, x) atom_and(p, x)
#define rd_atomic_and_u64(p, x) atom_and(p, x)
#define rd_atomic_or_i32(p, x) atomic_or(p, x)
#define rd_atomic_or_u32(p, x) atomic_or(p, x)
#define rd_atomic_or_i64(p, x) atom_or(p, x)
#define rd_atomic_or_u64(p, x) atom_or(p, x)
#define rd_atomic_xor_i32(p, x) atomic_xor(p, x)
#define rd_atomic_xor_u32(p, x) atomic_xor(p, x)
#define rd_atomic_xor_i64(p, x) atom_xor(p, x)
#define rd_atomic_xor_u64(p, x) atom_xor(p, x)
// Sums of floats are swapped in.
#define RD_ATOMIC_ADD_F(name, T, U, cas, bits, value) \
	static inline void name(volatile RD_SPACE T *p, T x) \
	{ \
		volatile RD_SPACE U *at = (volatile RD_SPACE U *)p; \
		U seen = *at, was; \
		for (;; seen = was) { \
			was = cas(at, seen, (U)bits(value(seen) + x)); \
			if (was == seen) \
				break; \
		} \
	}
#define RD_SPACE __global
RD_ATOMIC_ADD_F(rd_add_f32_global, float, int, atomic_cmpxchg, as_int, as_float)
RD_ATOMIC_ADD_F(rd_add_f64_global, double, long, atom_cmpxchg, as_long, as_double)
#undef RD_SPACE
#define RD_SPACE __local
RD_ATOMIC_ADD_F(rd_add_f32_local, float, int, atomic_cmpxchg, as_int, as_float)
RD_ATOMIC_ADD_F(rd_add_f64_local, double, long, atom_cmpxchg, as_long, as_double)
#undef RD_SPACE
#else
#define rd_cas_i64(p, old, new) ((int64_t)atomicCAS((unsigned long long *)(p), \
	(unsigned long long)(old), (unsigned long long)(new)))
#define rd_atomic_add_i32(p, x) atomicAdd((int *)(p), (int)(x))
#define rd_atomic_add_u32(p, x) atomicAdd((unsigned int *)(p), (unsigned int)(x))
#define rd_atomic_add_i64(p, x) atomicAdd((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_add_u64(p, x) atomicAdd((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_min_i32(p, x) atomicMin((int *)(p), (int)(x))
#define rd_atomic_min_u32(p, x) atomicMin((unsigned int *)(p), (unsigned int)(x))
#define rd_atomic_min_i64(p, x) atomicMin((long long *)(p), (long long)(x))
#define rd_atomic_min_u64(p, x) atomicMin((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_max_i32(p, x) atomicMax((int *)(p), (int)(x))
#define rd_atomic_max_u32(p, x) atomicMax((unsigned int *)(p), (unsigned int)(x))
#define rd_atomic_max_i64(p, x) atomicMax((long long *)(p), (long long)(x))
#define rd_atomic_max_u64(p, x) atomicMax((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_and_i32(p, x) atomicAnd((int *)(p), (int)(x))
#define rd_atomic_and_u32(p, x) atomicAnd((unsigned int *)(p), (unsigned int)(x))
#define rd_atomic_and_i64(p, x) atomicAnd((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_and_u64(p, x) atomicAnd((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_or_i32(p, x) atomicOr((int *)(p), (int)(x))
#define rd_atomic_or_u32(p, x) atomicOr((unsigned int *)(p), (unsigned int)(x))
#define rd_atomic_or_i64(p, x) atomicOr((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_or_u64(p, x) atomicOr((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_xor_i32(p, x) atomicXor((int *)(p), (int)(x))
#define rd_atomic_xor_u32(p, x) atomicXor((unsigned int *)(p), (unsigned int)(x))
#define rd_atomic_xor_i64(p, x) atomicXor((unsigned long long *)(p), (unsigned long long)(x))
#define rd_atomic_xor_u64(p, x) atomicXor((unsigned long long *)(p), (unsigned long long)(x))
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700
// Where all threads of a warp add to one place (the adjoint of what they share), one of them adds the
// sum: 32 atomic operations on a place are done one after the other.  The last warp of a row may have
// fewer threads.  Some threads that went another way than the rest do not wait for each other.
template<class T> RD_DEVICE void rd_add_together(T *p, T x)
{
	const uint32_t here = __activemask();
	const uint64_t at = (uint64_t)p;
	if ((here & (here + 1)) || !__all_sync(here, at == (uint64_t)__shfl_sync(here, (unsigned long long)at, 0))) {
		atomicAdd(p, x);
		return;
	}
	const int32_t lane = rd_local_id() % 32, n = __popc(here);
#pragma unroll
	for (int32_t by = 16; by > 0; by /= 2) {
		T y = __shfl_down_sync(here, x, by);
		x = lane + by < n ? x + y : x;
	}
	if (lane == 0)
		atomicAdd(p, x);
}
#define rd_add_f32_global_together(p, x) rd_add_together((float *)(p), (float)(x))
#define rd_add_f64_global_together(p, x) rd_add_together((double *)(p), (double)(x))
#define rd_add_f32_local_together(p, x) rd_add_together((float *)(p), (float)(x))
#define rd_add_f64_local_together(p, x) rd_add_together((double *)(p), (double)(x))
#endif
#define rd_add_f32_global(p, x) atomicAdd((float *)(p), (float)(x))
#define rd_add_f64_global(p, x) atomicAdd((double *)(p), (double)(x))
#define rd_add_f32_local(p, x) atomicAdd((float *)(p), (float)(x))
#define rd_add_f64_local(p, x) atomicAdd((double *)(p), (double)(x))
#endif
#ifndef rd_add_f32_global_together
#define rd_add_f32_global_together rd_add_f32_global
#define rd_add_f64_global_together rd_add_f64_global
#define rd_add_f32_local_together rd_add_f32_local
#define rd_add_f64_local_together rd_add_f64_local
#endif

// @chunk kernel_matrix: kernel_base
// rd_copy_async(to, from, there): a number of 8 bytes to shared memory, or 0; it is there after rd_end_copies, which
// ends a group of those, another such group, rd_wait_for_copies and a barrier.  rd_copy_pair: two at once, if both
// places are even (aligned to 16 bytes).
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900
#define RD_MMA_F64
RD_DEVICE void rd_copy_async(double *to, const double *from, bool there)
{
	asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"((uint32_t)__cvta_generic_to_shared(to)),
	             "l"(from), "r"(there ? 8 : 0) : "memory");
}
RD_DEVICE void rd_copy_pair(double *to, const double *from)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"((uint32_t)__cvta_generic_to_shared(to)),
	             "l"(from) : "memory");
}
#define rd_end_copies() asm volatile("cp.async.commit_group;" : : : "memory")
#define rd_wait_for_copies() asm volatile("cp.async.wait_group 1;" : : : "memory")

// acc += a b: 4 steps of a product of 8 N rows of a and 4 M columns of b by a warp.  a points to the row
// lane / 4, b to the column lane / 4, both with distances from step to step and from row to row.  Thread
// `lane` has the rows lane / 4 + 8 i and the columns 8 (j / 2) + 2 (lane % 4) + j % 2 of the result.
template<int N, int M>
RD_DEVICE void rd_mma_f64(double (&acc)[N][M], const double *a, int32_t a_step, int32_t a_side, const double *b,
                          int32_t b_step, int32_t b_side)
{
	double x[N], y[M / 2];
	a += threadIdx.x % 4 * a_step;
	b += threadIdx.x % 4 * b_step;
#pragma unroll
	for (int32_t i = 0; i < N; i++)
		x[i] = a[8 * i * a_side];
#pragma unroll
	for (int32_t j = 0; j < M / 2; j++)
		y[j] = b[8 * j * b_side];
#pragma unroll
	for (int32_t i = 0; i < N; i += 2)
#pragma unroll
		for (int32_t j = 0; j < M / 2; j++)
			asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
			    "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
			    : "+d"(acc[i][2 * j]), "+d"(acc[i][2 * j + 1]), "+d"(acc[i + 1][2 * j]),
			      "+d"(acc[i + 1][2 * j + 1])
			    : "d"(x[i]), "d"(x[i + 1]), "d"(y[j]));
}
#else
#define rd_copy_async(to, from, there) (*(to) = (there) ? *(from) : 0)
#define rd_copy_pair(to, from) ((to)[0] = (from)[0], (to)[1] = (from)[1])
#define rd_end_copies()
#define rd_wait_for_copies()
#endif
#ifdef __OPENCL_C_VERSION__
#define rd_is_even(p) false // or unknown
#else
#define rd_is_even(p) (((uint64_t)(p) & 15) == 0)
#endif
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
#define RD_MMA_TF32
// Rounded to the nearest of the values that the instruction takes: f32 with 10 bits after the point.
RD_DEVICE float rd_to_tf32(float x)
{
	uint32_t y;
	asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
	return __uint_as_float(y);
}
#define RD_TO_TF32(x) rd_to_tf32(x)

// The same for f32, any multiple of 8 steps.
RD_DEVICE void rd_mma_tf32(float (&acc)[8][8], const float *a, const float *b, int32_t stride, int32_t steps)
{
	a += threadIdx.x % 4 * stride;
	b += threadIdx.x % 4 * stride;
#pragma unroll
	for (int32_t s = 0; s < steps; s += 4 * 2) {
		uint32_t x[8][2], y[4][2];
#pragma unroll
		for (int32_t k = 0; k < 2; k++) {
#pragma unroll
			for (int32_t i = 0; i < 8; i++)
				x[i][k] = __float_as_uint(a[(s + 4 * k) * stride + 8 * i]);
#pragma unroll
			for (int32_t j = 0; j < 4; j++)
				y[j][k] = __float_as_uint(b[(s + 4 * k) * stride + 8 * j]);
		}
#pragma unroll
		for (int32_t i = 0; i < 8; i += 2)
#pragma unroll
			for (int32_t j = 0; j < 4; j++)
				asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
				    "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
				    : "+f"(acc[i][2 * j]), "+f"(acc[i][2 * j + 1]), "+f"(acc[i + 1][2 * j]),
				      "+f"(acc[i + 1][2 * j + 1])
				    : "r"(x[i][0]), "r"(x[i + 1][0]), "r"(x[i][1]), "r"(x[i + 1][1]), "r"(y[j][0]),
				      "r"(y[j][1]));
	}
}
#else
#define RD_TO_TF32(x) (x)
#endif

// @chunk kernel_scan: kernel_shuffle
// The elements of a tile of a scan that a thread has: which is number u of `items`.  On CUDA all elements of a
// warp lie together, and blocks have whole warps.
#ifdef __OPENCL_C_VERSION__
#define RD_ITEM(u, items) ((u) * rd_local_size() + rd_local_id())
#define RD_RANK_TYPE(type) type
#define rd_item_barrier() rd_barrier()
#else
#define RD_BALLOT
#define RD_RANK_TYPE(type) int32_t
#define RD_ITEM(u, items) (rd_warp() * (32 * (items)) + (u) * 32 + rd_lane())
#define rd_item_barrier() __syncwarp()
#endif

// @chunk kernel_chain: kernel_scan
// What blocks tell each other: see src/gen/kchain.c, Note [Chains].
//
// Are there several tiles to a row?  In OpenCL the barriers of that case are passed in any case: PoCL
// makes two copies of all that follows a barrier which is passed under a condition.
//
// RD_BEFORE: where among the values of threads, or of warps, there is room for one more, after the barrier.
#ifdef __OPENCL_C_VERSION__
#define RD_MAY_CHAIN(tiles) 1
#define RD_BEFORE 0
#define rd_before_barrier() rd_barrier()
#define rd_take_tile(p) atomic_add(p, 1)
#define rd_get_state(p) atomic_add((volatile __global int32_t *)(p), 0)
#define rd_put_state(p, x) \
	do { \
		rd_fence(); \
		atomic_xchg((volatile __global int32_t *)(p), x); \
	} while (0)
#else
#define RD_MAY_CHAIN(tiles) ((tiles) > 1)
#define RD_BEFORE rd_n_warps()
#define RD_BLOCKS_IN_ORDER
#define rd_before_barrier()
#define rd_get_state(p) (*(volatile int32_t *)(p))
#define rd_put_state(p, x) \
	do { \
		__threadfence(); \
		*(volatile int32_t *)(p) = (x); \
	} while (0)
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700
#define rd_sleep(nanoseconds) __nanosleep(nanoseconds)
#else
#define rd_sleep(nanoseconds)
#endif
// State and value in one: memory gives 8 and 16 bytes at once.
#define RD_WORDS
struct rd_word { uint64_t bits, state; };
RD_DEVICE struct rd_word rd_get_word(char *p)
{
	uint64_t x = *(volatile uint64_t *)p;
	struct rd_word w = {x & 0xffffffffu, x >> 32};
	return w;
}
RD_DEVICE void rd_put_word(char *p, uint64_t state, uint32_t bits)
{
	*(volatile uint64_t *)p = state << 32 | bits;
}
// Numbers from 0 to 2^62 - 1.
RD_DEVICE struct rd_word rd_get_count(char *p)
{
	uint64_t x = *(volatile uint64_t *)p;
	struct rd_word w = {x & 0x3fffffffffffffffu, x >> 62};
	return w;
}
RD_DEVICE void rd_put_count(char *p, uint64_t state, uint64_t bits)
{
	*(volatile uint64_t *)p = state << 62 | bits;
}
#ifdef __CUDACC__
RD_DEVICE struct rd_word rd_get_long_word(char *p)
{
	struct rd_word w;
	asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(w.bits), "=l"(w.state) : "l"(p) : "memory");
	return w;
}
RD_DEVICE void rd_put_long_word(char *p, uint64_t state, uint64_t bits)
{
	asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" : : "l"(p), "l"(bits), "l"(state) : "memory");
}
#else
#define rd_get_long_word(p) (*(struct rd_word *)(p))
#define rd_put_long_word(p, s, b) ((void)(*(struct rd_word *)(p) = rd_word{b, s}))
#endif
#endif

// @chunk kernel_shuffle: kernel_base
// Values of other threads of the warp; `room` is where in shared memory there would be room for that.
// With RD_WARP_TEST, devices without such instructions do it there.
#ifdef __OPENCL_C_VERSION__
#define RD_LANES(room) (room)
#endif
#if !defined(__OPENCL_C_VERSION__) || defined(RD_WARP_TEST)
#define RD_WARP
#define rd_lane() (rd_local_id() % 32)
#define rd_warp() (rd_local_id() / 32)
#define rd_n_warps() ((rd_local_size() + 31) / 32)
#endif
#define rd_all_have(x) (x) // the same in all threads
#ifndef __OPENCL_C_VERSION__
// The threads of the warp: the last one may have fewer.
#define rd_warp_mask() (rd_local_size() - 32 * rd_warp() >= 32 ? 0xffffffffu \
	: (1u << (rd_local_size() - 32 * rd_warp())) - 1)
// Which threads that are is known where it is said, in kernels of warps.
#define RD_LANES(room) rd_warp_mask()
#define RD_SHUFFLES(NAME, T) \
	RD_DEVICE T rd_shuffle_down_##NAME(T x, int32_t by, uint32_t lanes) \
	{ \
		return (T)__shfl_down_sync(lanes, x, by); \
	} \
	RD_DEVICE T rd_shuffle_up_##NAME(T x, int32_t by, uint32_t lanes) \
	{ \
		return (T)__shfl_up_sync(lanes, x, by); \
	} \
	RD_DEVICE T rd_shuffle_xor_##NAME(T x, int32_t by, uint32_t lanes) \
	{ \
		return (T)__shfl_xor_sync(lanes, x, by); \
	} \
	RD_DEVICE T rd_shuffle_##NAME(T x, int32_t lane, uint32_t lanes) \
	{ \
		return (T)__shfl_sync(lanes, x, lane); \
	}
RD_SHUFFLES(i8, int8_t)
RD_SHUFFLES(i16, int16_t)
RD_SHUFFLES(i32, int32_t)
RD_SHUFFLES(i64, int64_t)
RD_SHUFFLES(u8, uint8_t)
RD_SHUFFLES(u16, uint16_t)
RD_SHUFFLES(u32, uint32_t)
RD_SHUFFLES(u64, uint64_t)
RD_SHUFFLES(f32, float)
RD_SHUFFLES(f64, double)
RD_SHUFFLES(bool, bool)
#elif defined(RD_WARP)
#define RD_SHUFFLES(NAME, T, E) \
	RD_DEVICE T rd_shuffled_##NAME(__local char *shared, T x, int32_t lane, int32_t room) \
	{ \
		__local E *at = (__local E *)(shared + 16 + room * rd_local_size()); \
		int32_t from = 32 * rd_warp() + lane; \
		rd_barrier(); \
		at[rd_local_id()] = x; \
		rd_barrier(); \
		return at[from < 0 || from >= rd_local_size() ? rd_local_id() : from]; \
	}
RD_SHUFFLES(i8, int8_t, int8_t)
RD_SHUFFLES(i16, int16_t, int16_t)
RD_SHUFFLES(i32, int32_t, int32_t)
RD_SHUFFLES(i64, int64_t, int64_t)
RD_SHUFFLES(u8, uint8_t, uint8_t)
RD_SHUFFLES(u16, uint16_t, uint16_t)
RD_SHUFFLES(u32, uint32_t, uint32_t)
RD_SHUFFLES(u64, uint64_t, uint64_t)
RD_SHUFFLES(f32, float, float)
RD_SHUFFLES(f64, double, double)
RD_SHUFFLES(bool, bool, uint8_t)
#define rd_shuffle_down_i8(x, by, room) rd_shuffled_i8(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_i8(x, by, room) rd_shuffled_i8(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_i8(x, lane, room) rd_shuffled_i8(rd_shared, x, lane, room)
#define rd_shuffle_xor_i8(x, by, room) rd_shuffled_i8(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_i16(x, by, room) rd_shuffled_i16(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_i16(x, by, room) rd_shuffled_i16(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_i16(x, lane, room) rd_shuffled_i16(rd_shared, x, lane, room)
#define rd_shuffle_xor_i16(x, by, room) rd_shuffled_i16(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_i32(x, by, room) rd_shuffled_i32(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_i32(x, by, room) rd_shuffled_i32(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_i32(x, lane, room) rd_shuffled_i32(rd_shared, x, lane, room)
#define rd_shuffle_xor_i32(x, by, room) rd_shuffled_i32(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_i64(x, by, room) rd_shuffled_i64(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_i64(x, by, room) rd_shuffled_i64(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_i64(x, lane, room) rd_shuffled_i64(rd_shared, x, lane, room)
#define rd_shuffle_xor_i64(x, by, room) rd_shuffled_i64(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_u8(x, by, room) rd_shuffled_u8(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_u8(x, by, room) rd_shuffled_u8(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_u8(x, lane, room) rd_shuffled_u8(rd_shared, x, lane, room)
#define rd_shuffle_xor_u8(x, by, room) rd_shuffled_u8(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_u16(x, by, room) rd_shuffled_u16(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_u16(x, by, room) rd_shuffled_u16(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_u16(x, lane, room) rd_shuffled_u16(rd_shared, x, lane, room)
#define rd_shuffle_xor_u16(x, by, room) rd_shuffled_u16(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_u32(x, by, room) rd_shuffled_u32(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_u32(x, by, room) rd_shuffled_u32(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_u32(x, lane, room) rd_shuffled_u32(rd_shared, x, lane, room)
#define rd_shuffle_xor_u32(x, by, room) rd_shuffled_u32(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_u64(x, by, room) rd_shuffled_u64(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_u64(x, by, room) rd_shuffled_u64(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_u64(x, lane, room) rd_shuffled_u64(rd_shared, x, lane, room)
#define rd_shuffle_xor_u64(x, by, room) rd_shuffled_u64(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_f32(x, by, room) rd_shuffled_f32(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_f32(x, by, room) rd_shuffled_f32(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_f32(x, lane, room) rd_shuffled_f32(rd_shared, x, lane, room)
#define rd_shuffle_xor_f32(x, by, room) rd_shuffled_f32(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_f64(x, by, room) rd_shuffled_f64(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_f64(x, by, room) rd_shuffled_f64(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_f64(x, lane, room) rd_shuffled_f64(rd_shared, x, lane, room)
#define rd_shuffle_xor_f64(x, by, room) rd_shuffled_f64(rd_shared, x, rd_lane() ^ (by), room)
#define rd_shuffle_down_bool(x, by, room) rd_shuffled_bool(rd_shared, x, rd_lane() + (by), room)
#define rd_shuffle_up_bool(x, by, room) rd_shuffled_bool(rd_shared, x, rd_lane() - (by), room)
#define rd_shuffle_bool(x, lane, room) rd_shuffled_bool(rd_shared, x, lane, room)
#define rd_shuffle_xor_bool(x, by, room) rd_shuffled_bool(rd_shared, x, rd_lane() ^ (by), room)
#endif

// @chunk rd_sincos_f64: kernel_base
#ifdef __OPENCL_C_VERSION__
#define rd_sincos_f64(x, s, c) (*(s) = sincos((double)(x), c))
#else
#define rd_sincos_f64(x, s, c) sincos((double)(x), s, c)
#endif

// @chunk rd_sincos_f32: kernel_base
#ifdef __OPENCL_C_VERSION__
#define rd_sincos_f32(x, s, c) (*(s) = sincos((float)(x), c))
#else
#define rd_sincos_f32(x, s, c) sincosf((float)(x), s, c)
#endif

// @chunk rd_quotient: kernel_base
// x / d, where inverse is 1 / d.  One step of Newton's gives the number next to the quotient (Markstein) if nothing
// on the way is too large or too small for full precision.
#define RD_IS_MIDDLING(x) ((uint32_t)((rd_bits_of_double(x) >> 52) & 0x7ff) - 123 < 1800)
RD_DEVICE double rd_quotient(double x, double d, double inverse)
{
	double q = x * inverse, r = fma(fma(-d, q, x), inverse, q);
	return RD_IS_MIDDLING(x) & RD_IS_MIDDLING(d) & RD_IS_MIDDLING(r) ? r : x / d;
}

// @chunk kernel_context: kernel_base

// @chunk kernel_math: kernel_base
// @chunk kernel_rarely: kernel_base
#define RD_RARELY

// @chunk kernel_ivdep: kernel_base
#define RD_INDEPENDENT

// @chunk kernel_int128:

// @chunk kernel_rd_mul_hi_i64: kernel_base
RD_DEVICE int64_t rd_mul_hi_i64(int64_t x, int64_t y)
{
#ifdef __OPENCL_C_VERSION__
	return mul_hi(x, y);
#else
	return __mul64hi(x, y);
#endif
}

// @chunk kernel_rd_mul_hi_u64: kernel_base
RD_DEVICE uint64_t rd_mul_hi_u64(uint64_t x, uint64_t y)
{
#ifdef __OPENCL_C_VERSION__
	return mul_hi(x, y);
#else
	return __umul64hi(x, y);
#endif
}

// @chunk kernel_divide: kernel_base
// Division of 64 bits takes a hundred instructions, and most numbers are small; that of 32 bits takes
// twenty, and a shift does what many divide by: sizes, strides and steps that are powers of two.
RD_DEVICE int64_t rd_quot_u32(uint32_t x, uint32_t y)
{
	return (y & (y - 1)) == 0 ? x >> (rd_log_u32(y) & 31) : x / y;
}

RD_DEVICE int64_t rd_rem_u32(uint32_t x, uint32_t y)
{
	return (y & (y - 1)) == 0 ? x & (y - 1) : x % y;
}

RD_DEVICE int64_t rd_short_quot(int64_t x, int64_t y)
{
	if (((x | y) >> 32) == 0)
		return rd_quot_u32((uint32_t)x, (uint32_t)y);
	return y == -1 ? (int64_t)-(uint64_t)x : x / y;
}

RD_DEVICE int64_t rd_short_rem(int64_t x, int64_t y)
{
	if (((x | y) >> 32) == 0)
		return rd_rem_u32((uint32_t)x, (uint32_t)y);
	return y == -1 ? 0 : x % y;
}

// Likewise towards negative infinity.
RD_DEVICE int64_t rd_short_div(int64_t x, int64_t y)
{
	if (((x | y) >> 32) == 0)
		return rd_quot_u32((uint32_t)x, (uint32_t)y);
	if (y == -1)
		return (int64_t)-(uint64_t)x;
	int64_t q = x / y, r = x - q * y;
	return q - (r != 0 && (r < 0) != (y < 0));
}

RD_DEVICE int64_t rd_short_mod(int64_t x, int64_t y)
{
	if (((x | y) >> 32) == 0)
		return rd_rem_u32((uint32_t)x, (uint32_t)y);
	if (y == -1)
		return 0;
	int64_t r = x % y;
	return r + (r != 0 && (r < 0) != (y < 0) ? y : 0);
}

// @chunk kernel_rd_exp: kernel_base
RD_DEVICE double rd_exp(double x)
{
	return exp(x);
}

// @chunk kernel_rd_expf: kernel_base
RD_DEVICE float rd_expf(float x)
{
	return expf(x);
}

// @chunk kernel_rd_tanh: kernel_base
RD_DEVICE double rd_tanh(double x)
{
	return tanh(x);
}

// @chunk kernel_rd_tanhf: kernel_base
RD_DEVICE float rd_tanhf(float x)
{
	return tanhf(x);
}

// @chunk kernel_rd_log_gamma: kernel_base
RD_DEVICE double rd_log_gamma(double x)
{
	return lgamma(x);
}

// @chunk kernel_rd_to_bits_f64: kernel_base
#define rd_to_bits_f64(x) rd_bits_of_double((double)(x))

// @chunk kernel_rd_to_bits_f32: kernel_base
#define rd_to_bits_f32(x) rd_bits_of_float((float)(x))

// @chunk kernel_rd_from_bits_u64: kernel_base
#define rd_from_bits_u64(x) rd_double_of_bits((uint64_t)(x))

// @chunk kernel_rd_from_bits_u32: kernel_base
#define rd_from_bits_u32(x) rd_float_of_bits((uint32_t)(x))

// @end
#endif
