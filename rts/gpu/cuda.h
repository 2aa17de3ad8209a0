// The device interface rd_api_* (run.h), implemented with the CUDA driver API.
//
// libcuda is loaded when a context is created; kernels are compiled in nvrtc.h and launched in
// stream.h.  The few types and constants of the interface that are needed are declared here, so that
// compiling a program requires no CUDA headers.
#ifndef RD_CUDA_H
#define RD_CUDA_H
#include "run.h"

// @chunk cuda: device_types
#include <dlfcn.h>
#include <pthread.h>

typedef unsigned long long CUdeviceptr; // as in cuda.h
enum {
	RD_CU_MAX_THREADS_PER_BLOCK = 1, RD_CU_MAX_SHARED_PER_BLOCK = 8, RD_CU_MAX_REGISTERS = 12,
	RD_CU_PROCESSORS = 16,
	RD_CU_CAPABILITY_MAJOR = 75, RD_CU_CAPABILITY_MINOR = 76, RD_CU_MAX_SHARED_OPTIN = 97,
	RD_CU_FUNC_MAX_THREADS = 0, RD_CU_FUNC_SHARED = 1, RD_CU_FUNC_PTX_VERSION = 5, RD_CU_FUNC_MAX_DYNAMIC_SHARED = 8,
	RD_CU_ATTACH_GLOBAL = 1, RD_CU_OUT_OF_MEMORY = 2, RD_CU_NO_DEVICE = 100
};

// CUlaunchConfig with its attributes.
struct rd_cu_attribute { int id, unused; union { int allowed; char bytes[64]; } value; };
struct rd_cu_launch {
	unsigned blocks[3], threads[3], local_bytes;
	void *stream;
	struct rd_cu_attribute *attributes;
	unsigned n_attributes;
};

// CUDA_KERNEL_NODE_PARAMS.
struct rd_cu_node {
	void *kernel;
	unsigned blocks[3], threads[3], local_bytes;
	void **params, **extra;
	void *other_kernel, *context;   // not used
};

#define RD_CU_FUNCTIONS(F) \
	F(cuInit, "cuInit", (unsigned)) \
	F(cuDriverGetVersion, "cuDriverGetVersion", (int *)) \
	F(cuGetErrorName, "cuGetErrorName", (int, const char **)) \
	F(cuGetErrorString, "cuGetErrorString", (int, const char **)) \
	F(cuDeviceGetCount, "cuDeviceGetCount", (int *)) \
	F(cuDeviceGet, "cuDeviceGet", (int *, int)) \
	F(cuDeviceGetName, "cuDeviceGetName", (char *, int, int)) \
	F(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, int)) \
	F(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, int)) \
	F(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void **, int)) \
	F(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int)) \
	F(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (void *)) \
	F(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (void **)) \
	F(cuCtxGetCurrent, "cuCtxGetCurrent", (void **)) \
	F(cuStreamCreate, "cuStreamCreate", (void **, unsigned)) \
	F(cuStreamDestroy, "cuStreamDestroy_v2", (void *)) \
	F(cuStreamSynchronize, "cuStreamSynchronize", (void *)) \
	F(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t)) \
	F(cuMemAllocManaged, "cuMemAllocManaged", (CUdeviceptr *, size_t, unsigned)) \
	F(cuMemFree, "cuMemFree_v2", (CUdeviceptr)) \
	F(cuMemHostAlloc, "cuMemHostAlloc", (void **, size_t, unsigned)) \
	F(cuMemFreeHost, "cuMemFreeHost", (void *)) \
	F(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (CUdeviceptr, const void *, size_t, void *)) \
	F(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *, CUdeviceptr, size_t, void *)) \
	F(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (CUdeviceptr, CUdeviceptr, size_t, void *)) \
	F(cuMemsetD8Async, "cuMemsetD8Async", (CUdeviceptr, unsigned char, size_t, void *)) \
	F(cuMemsetD16Async, "cuMemsetD16Async", (CUdeviceptr, unsigned short, size_t, void *)) \
	F(cuMemsetD32Async, "cuMemsetD32Async", (CUdeviceptr, unsigned, size_t, void *)) \
	F(cuModuleLoadData, "cuModuleLoadData", (void **, const void *)) \
	F(cuModuleUnload, "cuModuleUnload", (void *)) \
	F(cuModuleGetFunction, "cuModuleGetFunction", (void **, void *, const char *)) \
	F(cuFuncGetAttribute, "cuFuncGetAttribute", (int *, int, void *)) \
	F(cuFuncSetAttribute, "cuFuncSetAttribute", (void *, int, int)) \
	F(cuLaunchKernel, "cuLaunchKernel", (void *, unsigned, unsigned, unsigned, unsigned, unsigned, \
	                                     unsigned, unsigned, void *, void **, void **)) \
	F(cuEventCreate, "cuEventCreate", (void **, unsigned)) \
	F(cuEventDestroy, "cuEventDestroy_v2", (void *)) \
	F(cuEventRecord, "cuEventRecord", (void *, void *)) \
	F(cuEventElapsedTime, "cuEventElapsedTime", (float *, void *, void *))

// What older drivers may lack: NULL then.
#define RD_CU_NEWER_FUNCTIONS(F) \
	F(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", (CUdeviceptr *, void *, unsigned)) \
	F(cuLaunchKernelEx, "cuLaunchKernelEx", (const struct rd_cu_launch *, void *, void **, void **)) \
	F(cuStreamWaitEvent, "cuStreamWaitEvent", (void *, void *, unsigned)) \
	F(cuStreamIsCapturing, "cuStreamIsCapturing", (void *, int *)) \
	F(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (void *, int)) \
	F(cuStreamEndCapture, "cuStreamEndCapture", (void *, void **)) \
	F(cuStreamGetCaptureInfo, "cuStreamGetCaptureInfo_v3", (void *, int *, uint64_t *, void **, \
	                          void *const **, const void **, size_t *)) \
	F(cuStreamUpdateCaptureDependencies, "cuStreamUpdateCaptureDependencies_v2", (void *, void **, const void *, \
	                                     size_t, unsigned)) \
	F(cuGraphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams_v2", (void *, void *, \
	                                  const struct rd_cu_node *)) \
	F(cuGraphInstantiate, "cuGraphInstantiateWithFlags", (void **, void *, unsigned long long)) \
	F(cuGraphLaunch, "cuGraphLaunch", (void *, void *)) \
	F(cuGraphExecDestroy, "cuGraphExecDestroy", (void *)) \
	F(cuGraphDestroy, "cuGraphDestroy", (void *))

#define RD_CU_MEMBER(name, symbol, params) int (*name) params;
enum { RD_STAGING = 1 << 16 };
enum { RD_ASKED_BYTES = 1, RD_ASKED_OPS = 2 };
struct rd_api {
	void *library;
	RD_CU_FUNCTIONS(RD_CU_MEMBER)
	RD_CU_NEWER_FUNCTIONS(RD_CU_MEMBER)
	int device, arch, driver;       // arch: 90 for sm_90
	void *context, *stream;
	unsigned pushed;                // a bit for each time it was attached: was the context pushed?
	void *own_stream;               // NULL: it is the caller's from the beginning
	void *last_stream;              // the last one that did anything at once (caller.h)
	void *changed;                  // an event between two streams, or NULL
	char *staging;                  // pinned memory, after it a word for the failed site
	int64_t *shown;                 // what the device shows; NULL: it cannot
	CUdeviceptr shows;              // the same memory, for the device
	int64_t n_shown;
	int asked;                      // what for, after what it shows last: RD_ASKED_BYTES ...
	int registers;                  // that a block can have
	struct rd_texts *texts;         // nvrtc.h; NULL: there are none yet
	uint64_t *late;                 // operations that wait for kernels, see stream.h
	int n_late, late_room;          // words
	struct rd_graphs *graphs;       // graph.h; NULL: there are none
};
#undef RD_CU_MEMBER

struct rd_cu_symbol { const char *name; size_t at; };

// nvrtc.h, stream.h, graph.h
static void rd_texts_close(struct futhark_context *ctx);
static void rd_show_open(struct futhark_context *ctx);
static int rd_graphs_open(struct futhark_context *ctx);
static void rd_graphs_close(struct futhark_context *ctx);
static void rd_stream_end(struct futhark_context *ctx);

static RD_COLD int rd_cu_failed(struct futhark_context *ctx, const char *what, int err)
{
	struct rd_api *cu = ctx->device->api;
	const char *name = "unknown error", *about = "";
	cu->cuGetErrorName(err, &name);
	cu->cuGetErrorString(err, &about);
	rd_device_error(ctx, "CUDA: %s gave %d (%s: %s).", what, err, name ? name : "", about ? about : "");
	return err == RD_CU_OUT_OF_MEMORY ? FUTHARK_OUT_OF_MEMORY : FUTHARK_PROGRAM_ERROR;
}

static int rd_cu_check(struct futhark_context *ctx, const char *what, int err)
{
	return RD_UNLIKELY(err) ? rd_cu_failed(ctx, what, err) : 0;
}

static CUdeviceptr rd_cu_address(void *data, int64_t byte)
{
	return (CUdeviceptr)(uintptr_t)data + (CUdeviceptr)byte;
}

// ---- The library and the device ----

// Finds all functions of a library, whose addresses go to members of a struct.
static const char *rd_cu_find(void *library, const struct rd_cu_symbol *symbols, size_t n, void *to)
{
	size_t i;
	for (i = 0; i < n; i++) {
		void *f = dlsym(library, symbols[i].name);
		if (!f)
			return symbols[i].name;
		memcpy((char *)to + symbols[i].at, &f, sizeof f);
	}
	return NULL;
}

static int rd_cu_load(struct futhark_context *ctx, struct rd_api *cu)
{
	static const struct rd_cu_symbol symbols[] = {
#define RD_CU_ROW(name, symbol, params) {symbol, offsetof(struct rd_api, name)},
		RD_CU_FUNCTIONS(RD_CU_ROW)
	};
	static const struct rd_cu_symbol newer[] = {
		RD_CU_NEWER_FUNCTIONS(RD_CU_ROW)
#undef RD_CU_ROW
	};
	const char *missing;
	size_t i;
	cu->library = dlopen("libcuda.so.1", RTLD_NOW);
	if (!cu->library)
		cu->library = dlopen("libcuda.so", RTLD_NOW);
	if (!cu->library)
		return rd_device_error(ctx, "Cannot load the CUDA driver: %s\nA CUDA device and its driver "
		                       "are needed to run this program.", dlerror());
	missing = rd_cu_find(cu->library, symbols, sizeof symbols / sizeof *symbols, cu);
	for (i = 0; i < sizeof newer / sizeof *newer; i++)
		rd_cu_find(cu->library, &newer[i], 1, cu);
	return missing ? rd_device_error(ctx, "The CUDA driver is too old: it has no %s.", missing) : 0;
}

// The first device whose name contains what is asked for, or the k-th (#k).
static int rd_cu_choose(struct futhark_context *ctx, struct rd_api *cu)
{
	struct rd_device *d = ctx->device;
	const char *want = ctx->cfg->device->device;
	int n = 0, i, nth = want && want[0] == '#' ? (int)strtol(want + 1, NULL, 10) : -1;
	int err = cu->cuInit(0);
	if (!err)
		err = cu->cuDeviceGetCount(&n);
	if (err == RD_CU_NO_DEVICE || (!err && n == 0))
		return rd_device_error(ctx, "There is no CUDA device.");
	if (err)
		return rd_cu_failed(ctx, "cuInit", err);
	for (i = 0; i < n; i++) {
		err = cu->cuDeviceGet(&cu->device, i);
		if (!err)
			err = cu->cuDeviceGetName(d->name, (int)sizeof d->name, cu->device);
		if (err)
			return rd_cu_failed(ctx, "cuDeviceGet", err);
		if (nth >= 0 ? i == nth : !want || strstr(d->name, want))
			return 0;
	}
	return rd_device_error(ctx, "None of the %d CUDA devices is the one asked for (\"%s\").", n, want);
}

static int rd_cu_attribute(struct rd_api *cu, int what)
{
	int value = 0;
	return cu->cuDeviceGetAttribute(&value, what, cu->device) ? 0 : value;
}

// Is the stream being captured as a graph?
static bool rd_is_captured(struct rd_api *cu, void *stream)
{
	int status = 0;
	return cu->cuStreamIsCapturing && cu->cuStreamIsCapturing(stream, &status) == 0 && status != 0;
}

static int rd_api_open(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cu = (struct rd_api *)calloc(1, sizeof *cu);
	size_t memory = 0;
	void *context = NULL, *staging = NULL;
	int err, shared;
	if (!cu)
		return rd_out_of_memory(ctx, 1, (int64_t)sizeof *cu);
	d->api = cu;
	err = rd_cu_load(ctx, cu);
	if (!err)
		err = rd_cu_choose(ctx, cu);
	if (err)
		return err;
	d->n_processors = rd_cu_attribute(cu, RD_CU_PROCESSORS);
	d->max_threads = rd_cu_attribute(cu, RD_CU_MAX_THREADS_PER_BLOCK);
	shared = rd_cu_attribute(cu, RD_CU_MAX_SHARED_OPTIN);
	d->max_local = shared ? shared : rd_cu_attribute(cu, RD_CU_MAX_SHARED_PER_BLOCK);
	cu->arch = 10 * rd_cu_attribute(cu, RD_CU_CAPABILITY_MAJOR) +
	           rd_cu_attribute(cu, RD_CU_CAPABILITY_MINOR);
	cu->registers = rd_cu_attribute(cu, RD_CU_MAX_REGISTERS);
	cu->cuDeviceTotalMem(&memory, cu->device);
	d->memory = (int64_t)memory;
	cu->cuDriverGetVersion(&cu->driver);
	err = cu->cuDevicePrimaryCtxRetain(&context, cu->device);
	if (!err && (err = cu->cuCtxPushCurrent(context)) != 0)
		cu->cuDevicePrimaryCtxRelease(cu->device);
	if (err)
		return rd_cu_failed(ctx, "cuDevicePrimaryCtxRetain", err);
	cu->context = context;
	cu->pushed = 1;
	cu->stream = ctx->cfg->device->queue;
	err = cu->stream ? 0 : cu->cuStreamCreate(&cu->own_stream, 0);
	if (!cu->stream)
		cu->stream = cu->own_stream;
	cu->last_stream = cu->stream;
	if (!err && rd_is_captured(cu, cu->stream))
		return rd_not_before(ctx);
	if (!err)
		err = cu->cuMemHostAlloc(&staging, RD_STAGING + sizeof(int32_t), 0);
	cu->staging = (char *)staging;
	if (err)
		return rd_cu_failed(ctx, "cuStreamCreate", err);
	rd_show_open(ctx);
	return rd_graphs_open(ctx);
}

static void rd_api_close(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cu = d->api;
	void *old;
	if (!cu)
		return;
	rd_graphs_close(ctx);
	rd_texts_close(ctx);
	free(cu->late);
	if (cu->staging)
		cu->cuMemFreeHost(cu->staging);
	if (cu->shown)
		cu->cuMemFreeHost(cu->shown);
	if (cu->changed)
		cu->cuEventDestroy(cu->changed);
	if (cu->own_stream)
		cu->cuStreamDestroy(cu->own_stream);
	if (cu->context) {
		if (cu->pushed & 1)
			cu->cuCtxPopCurrent(&old);
		cu->cuDevicePrimaryCtxRelease(cu->device);
	}
	free(cu);
	d->api = NULL;
}

// In a thread that works with the device anyway, the context is there already: to look is faster than to push and pop.
static void rd_device_attach(struct futhark_context *ctx)
{
	struct rd_api *cu = ctx->device ? ctx->device->api : NULL;
	void *now = NULL;
	if (!cu || !cu->context)
		return;
	cu->pushed <<= 1;
	if (cu->cuCtxGetCurrent(&now) == 0 && now == cu->context)
		return;
	cu->pushed |= 1;
	cu->cuCtxPushCurrent(cu->context);
}

static void rd_device_detach(struct futhark_context *ctx)
{
	struct rd_api *cu = ctx->device ? ctx->device->api : NULL;
	void *old;
	if (!cu || !cu->context)
		return;
	rd_stream_end(ctx);
	if (cu->pushed & 1)
		cu->cuCtxPopCurrent(&old);
	cu->pushed >>= 1;
}

// @end
#endif
