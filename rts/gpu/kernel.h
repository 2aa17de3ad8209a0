// The text before the kernels of a program: one language for OpenCL C 1.2 and CUDA C++.
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
#define rd_barrier() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE) // of the block
#define rd_fence() mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define rd_cas_i32(p, old, new) atomic_cmpxchg(p, old, new)
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
#define rd_shared ((char *)rd_shared_mem)
#define rd_local_id() ((int32_t)threadIdx.x)
#define rd_local_size() ((int32_t)blockDim.x)
#define rd_block_id() ((int64_t)blockIdx.x)
#define rd_n_blocks() ((int64_t)gridDim.x)
#define rd_barrier() __syncthreads()
#define rd_fence() __threadfence()
#define rd_cas_i32(p, old, new) atomicCAS((int *)(p), old, new)
#endif
#define rd_global_id() (rd_block_id() * rd_local_size() + rd_local_id())
#define rd_global_size() (rd_n_blocks() * rd_local_size())

struct rd_failure {
	int32_t site, n;
	int64_t values[30];             // RD_FAILURE_VALUES in device.h
};
// Has a kernel before failed, or a thread of this one?
#define RD_HAS_FAILED (*(volatile RD_GLOBAL int32_t *)&rd_failures->site >= 0)

// Records a failure; true for the first one, which may then store its values.
RD_DEVICE bool rd_claim_failure(RD_GLOBAL struct rd_failure *f, int32_t site)
{
	return rd_cas_i32((volatile RD_GLOBAL int32_t *)&f->site, -1, site) == -1;
}
// @end
#endif
