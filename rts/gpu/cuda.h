// The device by the driver interface of CUDA: see run.h for what the functions rd_api_* promise.
//
// libcuda is looked for when a context is made, libnvrtc only when there are kernels to compile that
// are in no cache (cache.h).  The few types and numbers of their interfaces stand here, so
// that nothing is needed to compile a program.
#ifndef RD_CUDA_H
#define RD_CUDA_H
#include "run.h"

// @chunk cuda: device_types
#include <dlfcn.h>
#include <pthread.h>

typedef unsigned long long CUdeviceptr; // as in cuda.h
enum {
	RD_CU_MAX_THREADS_PER_BLOCK = 1, RD_CU_MAX_SHARED_PER_BLOCK = 8, RD_CU_PROCESSORS = 16,
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
	F(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (void *, int)) \
	F(cuStreamEndCapture, "cuStreamEndCapture", (void *, void **)) \
	F(cuStreamGetCaptureInfo, "cuStreamGetCaptureInfo_v3", (void *, int *, uint64_t *, void **, \
	                          void *const **, const void **, size_t *)) \
	F(cuGraphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams_v2", (void *, void *, \
	                                  const struct rd_cu_node *)) \
	F(cuGraphInstantiate, "cuGraphInstantiateWithFlags", (void **, void *, unsigned long long)) \
	F(cuGraphLaunch, "cuGraphLaunch", (void *, void *)) \
	F(cuGraphExecDestroy, "cuGraphExecDestroy", (void *)) \
	F(cuGraphDestroy, "cuGraphDestroy", (void *))

#define RD_NVRTC_FUNCTIONS(F) \
	F(create, "nvrtcCreateProgram", (void **, const char *, const char *, int, \
	                                 const char *const *, const char *const *)) \
	F(destroy, "nvrtcDestroyProgram", (void **)) \
	F(compile, "nvrtcCompileProgram", (void *, int, const char *const *)) \
	F(log_size, "nvrtcGetProgramLogSize", (void *, size_t *)) \
	F(log, "nvrtcGetProgramLog", (void *, char *)) \
	F(cubin_size, "nvrtcGetCUBINSize", (void *, size_t *)) \
	F(cubin, "nvrtcGetCUBIN", (void *, char *)) \
	F(ptx_size, "nvrtcGetPTXSize", (void *, size_t *)) \
	F(ptx, "nvrtcGetPTX", (void *, char *)) \
	F(n_archs, "nvrtcGetNumSupportedArchs", (int *)) \
	F(archs, "nvrtcGetSupportedArchs", (int *))

#define RD_CU_MEMBER(name, symbol, params) int (*name) params;
struct rd_nvrtc {
	void *library;
	RD_NVRTC_FUNCTIONS(RD_CU_MEMBER)
};

enum { RD_STAGING = 1 << 16 };
enum { RD_ASKED_BYTES = 1, RD_ASKED_OPS = 2 };
struct rd_api {
	void *library;
	RD_CU_FUNCTIONS(RD_CU_MEMBER)
	RD_CU_NEWER_FUNCTIONS(RD_CU_MEMBER)
	int device, arch, driver;       // arch: 90 for sm_90
	void *context, *stream;
	char *staging;                  // pinned memory, after it a word for the failed site
	int64_t *shown;                 // what the device shows; NULL: it cannot
	CUdeviceptr shows;              // the same memory, for the device
	int64_t n_shown;
	int asked;                      // what for, after what it shows last: RD_ASKED_BYTES ...
	struct rd_nvrtc nvrtc;
	struct rd_graphs *graphs;       // graph.h; NULL: there are none
};
#undef RD_CU_MEMBER

struct rd_cu_symbol { const char *name; size_t at; };

// stream.h, graph.h
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
	cu->cuDeviceTotalMem(&memory, cu->device);
	d->memory = (int64_t)memory;
	cu->cuDriverGetVersion(&cu->driver);
	err = cu->cuDevicePrimaryCtxRetain(&context, cu->device);
	if (!err && (err = cu->cuCtxPushCurrent(context)) != 0)
		cu->cuDevicePrimaryCtxRelease(cu->device);
	if (err)
		return rd_cu_failed(ctx, "cuDevicePrimaryCtxRetain", err);
	cu->context = context;
	err = cu->cuStreamCreate(&cu->stream, 0);
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
	int i;
	if (!cu)
		return;
	rd_graphs_close(ctx);
	for (i = 0; i < d->n_texts; i++)
		if (d->modules && d->modules[i])
			cu->cuModuleUnload(d->modules[i]);
	if (cu->staging)
		cu->cuMemFreeHost(cu->staging);
	if (cu->shown)
		cu->cuMemFreeHost(cu->shown);
	if (cu->stream)
		cu->cuStreamDestroy(cu->stream);
	if (cu->context) {
		cu->cuCtxPopCurrent(&old);
		cu->cuDevicePrimaryCtxRelease(cu->device);
	}
	free(cu);
	d->api = NULL;
}

static void rd_device_attach(struct futhark_context *ctx)
{
	if (ctx->device && ctx->device->api && ctx->device->api->context)
		ctx->device->api->cuCtxPushCurrent(ctx->device->api->context);
}

static void rd_device_detach(struct futhark_context *ctx)
{
	void *old;
	if (!ctx->device || !ctx->device->api || !ctx->device->api->context)
		return;
	rd_stream_end(ctx);
	ctx->device->api->cuCtxPopCurrent(&old);
}

// ---- Compiling kernels ----

static int rd_nvrtc_load(struct futhark_context *ctx, struct rd_nvrtc *rtc)
{
	static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
	                                    "libnvrtc.so.11.2"};
	static const char *const homes[] = {"CUDA_HOME", "CUDA_ROOT", "CUDA_PATH", NULL};
	static const struct rd_cu_symbol symbols[] = {
#define RD_CU_ROW(name, symbol, params) {symbol, offsetof(struct rd_nvrtc, name)},
		RD_NVRTC_FUNCTIONS(RD_CU_ROW)
#undef RD_CU_ROW
	};
	const char *missing;
	size_t i, k;
	for (i = 0; i < sizeof names / sizeof *names && !rtc->library; i++)
		rtc->library = dlopen(names[i], RTLD_NOW);
	for (i = 0; i < sizeof homes / sizeof *homes && !rtc->library; i++) {
		const char *home = homes[i] ? getenv(homes[i]) : "/usr/local/cuda";
		for (k = 0; k < sizeof names / sizeof *names && home && !rtc->library; k++) {
			char path[1024];
			snprintf(path, sizeof path, "%s/lib64/%s", home, names[k]);
			rtc->library = dlopen(path, RTLD_NOW);
		}
	}
	if (!rtc->library)
		return rd_device_error(ctx, "Cannot load NVRTC, which is needed to compile kernels: %s\n"
		                       "CUDA_HOME says where CUDA is.", dlerror());
	missing = rd_cu_find(rtc->library, symbols, sizeof symbols / sizeof *symbols, rtc);
	return missing ? rd_device_error(ctx, "NVRTC is too old: it has no %s.", missing) : 0;
}

// One text to compile, by any thread.
struct rd_job {
	struct rd_nvrtc *rtc;
	const char *text;
	int n_options;
	const char *const *options;
	bool ptx;
	struct rd_bytes out;
	char *log;                      // what is wrong, if something is
};
struct rd_jobs { struct rd_job *jobs; int n, next; pthread_mutex_t lock; };

static void rd_compile_job(struct rd_job *j)
{
	struct rd_nvrtc *rtc = j->rtc;
	void *program = NULL;
	size_t n = 0;
	int err = rtc->create(&program, j->text, "kernels.cu", 0, NULL, NULL);
	if (!err)
		err = rtc->compile(program, j->n_options, j->options);
	if (err) {
		if (program)
			rtc->log_size(program, &n);
		j->log = (char *)calloc(n + 32, 1);
		if (j->log && n)
			rtc->log(program, j->log);
		else if (j->log)
			snprintf(j->log, 32, "NVRTC gave %d.", err);
	} else if ((j->ptx ? rtc->ptx_size : rtc->cubin_size)(program, &n) == 0) {
		j->out.at = (char *)calloc(n + 1, 1);
		j->out.len = n;
		if (j->out.at)
			(j->ptx ? rtc->ptx : rtc->cubin)(program, j->out.at);
	}
	if (program)
		rtc->destroy(&program);
}

static void *rd_compile_jobs(void *arg)
{
	struct rd_jobs *all = (struct rd_jobs *)arg;
	for (;;) {
		int i;
		pthread_mutex_lock(&all->lock);
		i = all->next++;
		pthread_mutex_unlock(&all->lock);
		if (i >= all->n)
			return NULL;
		rd_compile_job(&all->jobs[i]);
	}
}

// The newest architecture that NVRTC knows and that the device can run.
static int rd_nvrtc_arch(struct rd_nvrtc *rtc, int arch)
{
	int known[128], n = 0, best = 0, i;
	if (rtc->n_archs(&n) != 0 || n <= 0 || n > 128 || rtc->archs(known) != 0)
		return arch;
	for (i = 0; i < n; i++)
		if (known[i] <= arch && known[i] > best)
			best = known[i];
	return best ? best : arch;
}

enum { RD_MOST_OPTIONS = 64, RD_MOST_COMPILERS = 16 };

// Compiles the texts that `out` lacks.
static int rd_cu_compile(struct futhark_context *ctx, struct rd_bytes *out, bool ptx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_device *d = ctx->device;
	struct rd_nvrtc *rtc = &d->api->nvrtc;
	struct rd_jobs all;
	pthread_t threads[RD_MOST_COMPILERS];
	const char *options[RD_MOST_OPTIONS];
	char arch[64];
	int i, k, n_options = 0, n_threads = 0, known, err = rtc->library ? 0 : rd_nvrtc_load(ctx, rtc);
	if (err)
		return err;
	known = rd_nvrtc_arch(rtc, d->api->arch);
	ptx |= known != d->api->arch; // the driver translates that for newer devices
	snprintf(arch, sizeof arch, "--gpu-architecture=%s_%d", ptx ? "compute" : "sm", known);
	options[n_options++] = arch;
	options[n_options++] = "-default-device";
	options[n_options++] = "--std=c++17";
	for (i = 0; i < c->n_options && n_options < RD_MOST_OPTIONS; i++)
		options[n_options++] = c->options[i];
	memset(&all, 0, sizeof all);
	all.jobs = (struct rd_job *)calloc((size_t)d->n_texts, sizeof *all.jobs);
	if (!all.jobs)
		return rd_out_of_memory(ctx, d->n_texts, (int64_t)sizeof *all.jobs);
	for (i = 0; i < d->n_texts; i++)
		if (!out[i].at) {
			struct rd_job j = {rtc, d->texts[i], n_options, options, ptx, {NULL, 0}, NULL};
			all.jobs[all.n++] = j;
		}
	pthread_mutex_init(&all.lock, NULL);
	while (n_threads + 1 < all.n && n_threads < RD_MOST_COMPILERS &&
	       pthread_create(&threads[n_threads], NULL, rd_compile_jobs, &all) == 0)
		n_threads++;
	rd_compile_jobs(&all);
	for (i = 0; i < n_threads; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_destroy(&all.lock);
	for (i = k = 0; i < d->n_texts; i++) {
		struct rd_job *j;
		if (out[i].at)
			continue;
		j = &all.jobs[k++];
		out[i] = j->out;
		if (!j->out.at && !err)
			err = rd_device_error(ctx, "NVRTC: the kernels do not compile:\n%s",
			                      j->log ? j->log : "no memory");
		free(j->log);
	}
	free(all.jobs);
	return err;
}

// ---- Loading kernels ----

static struct rd_key rd_cu_key(struct futhark_context *ctx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_key k = rd_key_new();
	int i;
	rd_key_add_text(&k, "cuda 1");
	rd_key_add_text(&k, ctx->device->name);
	rd_key_add(&k, &ctx->device->api->arch, sizeof(int));
	rd_key_add(&k, &ctx->device->api->driver, sizeof(int));
	for (i = 0; i < c->n_options; i++)
		rd_key_add_text(&k, c->options[i]);
	return k;
}

// Reads or writes the compiled texts: all in one file, or each in its own.
static void rd_cu_cache(struct futhark_context *ctx, struct rd_bytes *texts, bool store)
{
	struct rd_device *d = ctx->device;
	const char *file = ctx->cfg->cache_file;
	struct rd_key base = rd_cu_key(ctx), all = base;
	int i;
	for (i = 0; i < d->n_texts; i++) {
		struct rd_key k = base;
		char *path;
		rd_key_add_text(&all, d->texts[i]);
		if (file)
			continue;
		rd_key_add_text(&k, d->texts[i]);
		path = rd_cache_path(k);
		if (path && store)
			rd_cache_store(path, k, 1, &texts[i]);
		else if (path && !rd_cache_load(path, k, 1, &texts[i]))
			texts[i].at = NULL;
		free(path);
	}
	if (file && store)
		rd_cache_store(file, all, d->n_texts, texts);
	else if (file && !rd_cache_load(file, all, d->n_texts, texts))
		for (i = 0; i < d->n_texts; i++)
			texts[i].at = NULL;
}

static int rd_cu_load_modules(struct futhark_context *ctx, const struct rd_bytes *texts)
{
	struct rd_device *d = ctx->device;
	int i, err = 0;
	for (i = 0; i < d->n_texts && !err; i++)
		err = d->modules[i] ? 0 : d->api->cuModuleLoadData(&d->modules[i], texts[i].at);
	return err;
}

// The texts of a file of PTX, as rd_cu_dump wrote it.
static int rd_cu_load_ptx(struct futhark_context *ctx, const char *path)
{
	struct rd_device *d = ctx->device;
	struct rd_bytes file = rd_read_file(path);
	char *s = file.at;
	int i, err = 0;
	if (!s)
		return rd_device_error(ctx, "Cannot read %s: %s", path, strerror(errno));
	for (i = 0; i < d->n_texts && !err; i++) {
		char *next = s ? strstr(s, RD_NEXT_TEXT) : NULL;
		if (next)
			*next = 0;
		err = s ? d->api->cuModuleLoadData(&d->modules[i], s) : 0;
		if (!s)
			err = -1;
		s = next ? next + strlen(RD_NEXT_TEXT) : NULL;
	}
	free(file.at);
	return err < 0 ? rd_device_error(ctx, "%s has too few texts.", path)
	               : rd_cu_check(ctx, "cuModuleLoadData", err);
}

static int rd_cu_dump(struct futhark_context *ctx, const char *path)
{
	struct rd_device *d = ctx->device;
	struct rd_bytes *ptx = (struct rd_bytes *)calloc((size_t)d->n_texts, sizeof *ptx);
	FILE *f = ptx ? fopen(path, "w") : NULL;
	int i, err = f ? rd_cu_compile(ctx, ptx, true)
	               : rd_device_error(ctx, "Cannot write %s: %s", path, strerror(errno));
	for (i = 0; i < d->n_texts && ptx; i++) {
		if (!err)
			fprintf(f, "%s%s", i ? "\n" RD_NEXT_TEXT : "", ptx[i].at);
		free(ptx[i].at);
	}
	if (f && fclose(f) != 0 && !err)
		err = rd_device_error(ctx, "Cannot write %s: %s", path, strerror(errno));
	free(ptx);
	return err;
}

static int rd_api_build(struct futhark_context *ctx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_device *d = ctx->device;
	struct rd_bytes *texts;
	bool cached = true;
	int i, err = c->dump_to ? rd_cu_dump(ctx, c->dump_to) : 0;
	if (err)
		return err;
	if (c->load_from)
		return rd_cu_load_ptx(ctx, c->load_from);
	texts = (struct rd_bytes *)calloc((size_t)d->n_texts, sizeof *texts);
	if (!texts)
		return rd_out_of_memory(ctx, d->n_texts, (int64_t)sizeof *texts);
	rd_cu_cache(ctx, texts, false);
	for (i = 0; i < d->n_texts; i++)
		cached &= texts[i].at != NULL;
	// What does not load was made for something else: it is compiled again.
	if (!cached || rd_cu_load_modules(ctx, texts) != 0) {
		for (i = 0; i < d->n_texts && cached; i++) {
			free(texts[i].at);
			texts[i].at = NULL;
		}
		err = rd_cu_compile(ctx, texts, false);
		if (!err)
			err = rd_cu_check(ctx, "cuModuleLoadData", rd_cu_load_modules(ctx, texts));
		if (!err)
			rd_cu_cache(ctx, texts, true);
	}
	rd_log(ctx, "Kernels were %s.\n", cached ? "in the cache" : "compiled");
	for (i = 0; i < d->n_texts; i++)
		free(texts[i].at);
	free(texts);
	return err;
}

// Does a kernel of this text wait for those before?  See stream.h, Note [Dependent launches].
static bool rd_cu_depends(struct futhark_context *ctx, int text, void *f)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_api *cu = ctx->device->api;
	int version = 0; // what it was compiled for
	return cu->arch >= 90 && cu->cuLaunchKernelEx && !c->no_dependent_launches && !c->load_from &&
	       cu->cuFuncGetAttribute(&version, RD_CU_FUNC_PTX_VERSION, f) == 0 && version >= 90 &&
	       strstr(ctx->device->texts[text], "griddepcontrol.wait");
}

static int rd_api_kernel(struct futhark_context *ctx, int text, const char *name,
                         struct rd_device_kernel *out)
{
	struct rd_api *cu = ctx->device->api;
	void *f = NULL;
	int err = cu->cuModuleGetFunction(&f, ctx->device->modules[text], name), threads = 0;
	if (err)
		return rd_cu_failed(ctx, name, err);
	if (cu->cuFuncGetAttribute(&threads, RD_CU_FUNC_MAX_THREADS, f) != 0 || threads <= 0)
		threads = ctx->device->max_threads;
	out->handle = f;
	out->max_threads = threads;
	out->dependent = rd_cu_depends(ctx, text, f);
	out->local = 48 * 1024; // what kernels may have without asking
	return 0;
}

// @end
#endif
