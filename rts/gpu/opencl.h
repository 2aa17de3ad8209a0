// The device interface rd_api_* (run.h), implemented with OpenCL.
//
// libOpenCL is loaded when a context is created.  The few types and constants of its interface that
// are needed are declared here, so that compiling a program requires no OpenCL headers.
#ifndef RD_OPENCL_H
#define RD_OPENCL_H
#include "run.h"

// @chunk opencl: device_types
#include <dlfcn.h>
#include <pthread.h>

// As in CL/cl.h, which a user of the program may include as well.
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

enum {
	RD_CL_DEVICE_TYPE = 0x1000, RD_CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
	RD_CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004, RD_CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
	RD_CL_DEVICE_LOCAL_MEM_SIZE = 0x1023, RD_CL_DEVICE_NAME = 0x102B,
	RD_CL_DRIVER_VERSION = 0x102D, RD_CL_PLATFORM_NAME = 0x0902, RD_CL_CONTEXT_PLATFORM = 0x1084,
	RD_CL_QUEUE_CONTEXT = 0x1090, RD_CL_QUEUE_DEVICE = 0x1091, RD_CL_QUEUE_PROFILING = 2,
	RD_CL_MEM_READ_WRITE = 1, RD_CL_PROGRAM_BINARY_SIZES = 0x1165,
	RD_CL_PROGRAM_BINARIES = 0x1166, RD_CL_PROGRAM_BUILD_LOG = 0x1183,
	RD_CL_KERNEL_WORK_GROUP_SIZE = 0x11B0, RD_CL_COMMAND_START = 0x1282, RD_CL_EVENT_STATUS = 0x11D3,
	RD_CL_COMMAND_END = 0x1283, RD_CL_NO_DEVICE = -1, RD_CL_ALLOCATION_FAILURE = -4,
	RD_CL_OUT_OF_RESOURCES = -5, RD_CL_OUT_OF_HOST_MEMORY = -6, RD_CL_INVALID_BUFFER_SIZE = -61
};
#define RD_CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)

// All functions that are used: result, name, parameters.
#define RD_CL_FUNCTIONS(F) \
	F(int, clGetPlatformIDs, (unsigned, cl_platform_id *, unsigned *)) \
	F(int, clGetPlatformInfo, (cl_platform_id, unsigned, size_t, void *, size_t *)) \
	F(int, clGetDeviceIDs, (cl_platform_id, uint64_t, unsigned, cl_device_id *, unsigned *)) \
	F(int, clGetDeviceInfo, (cl_device_id, unsigned, size_t, void *, size_t *)) \
	F(cl_context, clCreateContext, (const intptr_t *, unsigned, const cl_device_id *, void *, \
	                                void *, int *)) \
	F(int, clReleaseContext, (cl_context)) \
	F(int, clRetainContext, (cl_context)) \
	F(cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, uint64_t, int *)) \
	F(int, clGetCommandQueueInfo, (cl_command_queue, unsigned, size_t, void *, size_t *)) \
	F(int, clRetainCommandQueue, (cl_command_queue)) \
	F(int, clReleaseCommandQueue, (cl_command_queue)) \
	F(cl_mem, clCreateBuffer, (cl_context, uint64_t, size_t, void *, int *)) \
	F(int, clReleaseMemObject, (cl_mem)) \
	F(cl_program, clCreateProgramWithSource, (cl_context, unsigned, const char **, \
	                                          const size_t *, int *)) \
	F(cl_program, clCreateProgramWithBinary, (cl_context, unsigned, const cl_device_id *, \
	                                          const size_t *, const unsigned char **, int *, int *)) \
	F(int, clBuildProgram, (cl_program, unsigned, const cl_device_id *, const char *, void *, \
	                        void *)) \
	F(int, clGetProgramBuildInfo, (cl_program, cl_device_id, unsigned, size_t, void *, size_t *)) \
	F(int, clGetProgramInfo, (cl_program, unsigned, size_t, void *, size_t *)) \
	F(int, clReleaseProgram, (cl_program)) \
	F(cl_kernel, clCreateKernel, (cl_program, const char *, int *)) \
	F(int, clReleaseKernel, (cl_kernel)) \
	F(int, clGetKernelWorkGroupInfo, (cl_kernel, cl_device_id, unsigned, size_t, void *, size_t *)) \
	F(int, clSetKernelArg, (cl_kernel, unsigned, size_t, const void *)) \
	F(int, clEnqueueNDRangeKernel, (cl_command_queue, cl_kernel, unsigned, const size_t *, \
	                                const size_t *, const size_t *, unsigned, const cl_event *, \
	                                cl_event *)) \
	F(int, clEnqueueReadBuffer, (cl_command_queue, cl_mem, unsigned, size_t, size_t, void *, \
	                             unsigned, const cl_event *, cl_event *)) \
	F(int, clEnqueueWriteBuffer, (cl_command_queue, cl_mem, unsigned, size_t, size_t, \
	                              const void *, unsigned, const cl_event *, cl_event *)) \
	F(int, clEnqueueCopyBuffer, (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, \
	                             unsigned, const cl_event *, cl_event *)) \
	F(int, clEnqueueFillBuffer, (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, \
	                             unsigned, const cl_event *, cl_event *)) \
	F(int, clGetEventProfilingInfo, (cl_event, unsigned, size_t, void *, size_t *)) \
	F(int, clReleaseEvent, (cl_event)) \
	F(int, clGetEventInfo, (cl_event, unsigned, size_t, void *, size_t *)) \
	F(int, clFlush, (cl_command_queue)) \
	F(int, clFinish, (cl_command_queue))

// The host runs at most so many spans ahead of the device, of at most so many operations: rd_cl_pace.
enum { RD_CL_SPANS = 2, RD_CL_MOST_SPAN = 16 };

struct rd_api {
	void *library;
#define RD_CL_MEMBER(result, name, params) result (*name) params;
	RD_CL_FUNCTIONS(RD_CL_MEMBER)
#undef RD_CL_MEMBER
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_event *event;                // where the event of the next operation goes, or NULL
	cl_event spans[RD_CL_SPANS];    // of the last operation of each of the last spans, or NULL
	unsigned n_spans;               // that there were
	int span, in_span;              // operations of a span; so far in this one
};

static const char *rd_cl_error_name(int err)
{
	switch (err) {
	case RD_CL_NO_DEVICE: return "no device";
	case RD_CL_ALLOCATION_FAILURE: return "no memory for a buffer";
	case RD_CL_OUT_OF_RESOURCES: return "out of resources";
	case RD_CL_OUT_OF_HOST_MEMORY: return "out of host memory";
	case RD_CL_INVALID_BUFFER_SIZE: return "invalid size of a buffer";
	case -11: return "failed to build the program";
	case -46: return "invalid kernel name";
	case -52: return "invalid kernel arguments";
	case -54: return "invalid size of a block";
	case -1001: return "no platform";
	}
	return "error";
}

static RD_COLD int rd_cl_failed(struct futhark_context *ctx, const char *what, int err)
{
	if (err == RD_CL_ALLOCATION_FAILURE || err == RD_CL_OUT_OF_HOST_MEMORY) {
		rd_device_error(ctx, "Out of memory on the device: %s gave %d.", what, err);
		return FUTHARK_OUT_OF_MEMORY;
	}
	return rd_device_error(ctx, "OpenCL: %s gave %d (%s).", what, err, rd_cl_error_name(err));
}

static int rd_cl_check(struct futhark_context *ctx, const char *what, int err)
{
	return err ? rd_cl_failed(ctx, what, err) : 0;
}

// ---- The library and the device ----

static int rd_cl_load(struct futhark_context *ctx, struct rd_api *cl)
{
	static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so",
	                                    "/System/Library/Frameworks/OpenCL.framework/OpenCL"};
	static const struct { const char *name; size_t at; } functions[] = {
#define RD_CL_ROW(result, name, params) {#name, offsetof(struct rd_api, name)},
		RD_CL_FUNCTIONS(RD_CL_ROW)
#undef RD_CL_ROW
	};
	size_t i;
	for (i = 0; i < sizeof names / sizeof *names && !cl->library; i++)
		cl->library = dlopen(names[i], RTLD_NOW);
	if (!cl->library)
		return rd_device_error(ctx, "Cannot load the OpenCL library: %s\nAn OpenCL platform is "
		                       "needed to run this program.", dlerror());
	for (i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *f = dlsym(cl->library, functions[i].name);
		if (!f)
			return rd_device_error(ctx, "The OpenCL library has no %s.", functions[i].name);
		memcpy((char *)cl + functions[i].at, &f, sizeof f);
	}
	return 0;
}

struct rd_cl_choice { cl_platform_id platform; cl_device_id device; char platform_name[128], name[128]; };
enum { RD_CL_MOST_DEVICES = 64 };

static int rd_cl_list_devices(struct rd_api *cl, struct rd_cl_choice *out)
{
	cl_platform_id platforms[RD_CL_MOST_DEVICES];
	unsigned n_platforms = 0, i, k;
	int n = 0;
	if (cl->clGetPlatformIDs(RD_CL_MOST_DEVICES, platforms, &n_platforms) != 0)
		return 0;
	for (i = 0; i < n_platforms && i < RD_CL_MOST_DEVICES; i++) {
		cl_device_id devices[RD_CL_MOST_DEVICES];
		unsigned n_devices = 0;
		if (cl->clGetDeviceIDs(platforms[i], RD_CL_DEVICE_TYPE_ALL, RD_CL_MOST_DEVICES, devices,
		                       &n_devices) != 0)
			continue;
		for (k = 0; k < n_devices && n < RD_CL_MOST_DEVICES; k++) {
			struct rd_cl_choice *c = &out[n++];
			memset(c, 0, sizeof *c);
			c->platform = platforms[i];
			c->device = devices[k];
			cl->clGetPlatformInfo(platforms[i], RD_CL_PLATFORM_NAME, sizeof c->platform_name - 1,
			                      c->platform_name, NULL);
			cl->clGetDeviceInfo(devices[k], RD_CL_DEVICE_NAME, sizeof c->name - 1, c->name, NULL);
		}
	}
	return n;
}

// One thread at a time: a platform that is just being set up for another says that it has no device (PoCL).
static int rd_cl_list(struct rd_api *cl, struct rd_cl_choice *out)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&lock);
	int n = rd_cl_list_devices(cl, out);
	pthread_mutex_unlock(&lock);
	return n;
}

// Prints all devices; lets the user choose one if `ask`, which is then the result, else -1.
static RD_UNUSED int rd_cl_show(struct rd_api *cl, FILE *to, bool ask)
{
	struct rd_cl_choice *all = (struct rd_cl_choice *)calloc(RD_CL_MOST_DEVICES, sizeof *all);
	int n = all ? rd_cl_list(cl, all) : 0, i, chosen = -1;
	for (i = 0; i < n; i++)
		fprintf(to, "#%d: %s, %s\n", i, all[i].platform_name, all[i].name);
	free(all);
	if (ask && n) {
		fprintf(to, "Choice: ");
		fflush(to);
		if (scanf("%d", &chosen) != 1 || chosen < 0 || chosen >= n)
			chosen = 0;
	}
	return chosen;
}

// The first device whose platform and name contain what is asked for, or the k-th of those (#k).
static int rd_cl_choose(struct futhark_context *ctx, struct rd_api *cl)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_cl_choice *all = (struct rd_cl_choice *)calloc(RD_CL_MOST_DEVICES, sizeof *all);
	int n = all ? rd_cl_list(cl, all) : 0, i, nth = -1;
	char *end;
	if (c->device && c->device[0] == '#')
		nth = (int)strtol(c->device + 1, &end, 10);
	if (c->ask)
		nth = rd_cl_show(cl, stdout, true);
	for (i = 0; i < n && !cl->device; i++) {
		if (!c->ask && c->platform && !strstr(all[i].platform_name, c->platform))
			continue;
		if (nth < 0 ? c->device && !strstr(all[i].name, c->device) : nth-- != 0)
			continue;
		cl->platform = all[i].platform;
		cl->device = all[i].device;
	}
	free(all);
	if (cl->device)
		return 0;
	return n ? rd_device_error(ctx, "None of the %d OpenCL devices is the one asked for (platform "
	                           "\"%s\", device \"%s\").", n, c->platform ? c->platform : "",
	                           c->device ? c->device : "")
	         : rd_device_error(ctx, "There is no OpenCL device.");
}

static int rd_cl_take_queue(struct futhark_context *ctx, struct rd_api *cl)
{
	int err;
	cl->queue = (cl_command_queue)ctx->cfg->device->queue;
	err = cl->clGetCommandQueueInfo(cl->queue, RD_CL_QUEUE_CONTEXT, sizeof cl->context,
	                                &cl->context, NULL);
	if (!err)
		err = cl->clGetCommandQueueInfo(cl->queue, RD_CL_QUEUE_DEVICE, sizeof cl->device,
		                                &cl->device, NULL);
	if (!err)
		err = cl->clRetainCommandQueue(cl->queue);
	if (!err)
		err = cl->clRetainContext(cl->context);
	return rd_cl_check(ctx, "clGetCommandQueueInfo", err);
}

static int rd_cl_make_queue(struct futhark_context *ctx, struct rd_api *cl)
{
	intptr_t properties[] = {RD_CL_CONTEXT_PLATFORM, 0, 0};
	int err = rd_cl_choose(ctx, cl);
	if (err)
		return err;
	memcpy(&properties[1], &cl->platform, sizeof cl->platform);
	cl->context = cl->clCreateContext(properties, 1, &cl->device, NULL, NULL, &err);
	if (err)
		return rd_cl_failed(ctx, "clCreateContext", err);
	cl->queue = cl->clCreateCommandQueue(cl->context, cl->device,
	                                     ctx->profiling ? RD_CL_QUEUE_PROFILING : 0, &err);
	return rd_cl_check(ctx, "clCreateCommandQueue", err);
}

static int rd_api_open(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cl = (struct rd_api *)calloc(1, sizeof *cl);
	unsigned units = 1;
	size_t threads = 1;
	uint64_t local = 0, memory = 0;
	int err;
	if (!cl)
		return rd_out_of_memory(ctx, 1, (int64_t)sizeof *cl);
	d->api = cl;
	cl->span = 1;
	err = rd_cl_load(ctx, cl);
	if (!err)
		err = ctx->cfg->device->queue ? rd_cl_take_queue(ctx, cl) : rd_cl_make_queue(ctx, cl);
	if (err)
		return err;
	cl->clGetDeviceInfo(cl->device, RD_CL_DEVICE_NAME, sizeof d->name - 1, d->name, NULL);
	cl->clGetDeviceInfo(cl->device, RD_CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
	cl->clGetDeviceInfo(cl->device, RD_CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof threads, &threads, NULL);
	cl->clGetDeviceInfo(cl->device, RD_CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
	cl->clGetDeviceInfo(cl->device, RD_CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
	d->n_processors = (int)units;
	d->max_threads = threads > 1024 ? 1024 : (int)threads;
	d->max_local = (int64_t)local;
	d->memory = (int64_t)memory;
	return 0;
}

static void rd_api_close(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cl = d->api;
	int i;
	if (!cl)
		return;
	for (i = 0; i < RD_CL_SPANS; i++)
		if (cl->spans[i])
			cl->clReleaseEvent(cl->spans[i]);
	for (i = 0; i < d->n_kernels; i++)
		if (d->kernels[i].handle)
			cl->clReleaseKernel((cl_kernel)d->kernels[i].handle);
	for (i = 0; i < d->n_texts; i++)
		if (d->modules && d->modules[i])
			cl->clReleaseProgram((cl_program)d->modules[i]);
	if (cl->queue)
		cl->clReleaseCommandQueue(cl->queue);
	if (cl->context)
		cl->clReleaseContext(cl->context);
	// The library stays: platforms leave threads behind that still run its code.
	free(cl);
	d->api = NULL;
}

RD_UNUSED
static void rd_iteration(struct futhark_context *ctx)
{
	(void)ctx;
}

static void rd_device_attach(struct futhark_context *ctx)
{
	if (ctx->device && ctx->device->api)
		ctx->device->api->span = 1;
}

static void rd_device_detach(struct futhark_context *ctx)
{
	(void)ctx;
}

// ---- Programs ----

static char *rd_cl_options(struct futhark_context *ctx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_text t = {NULL, 0, 0};
	int i;
	rd_text_put(&t, "-cl-std=CL1.2");
	for (i = 0; i < c->n_options; i++)
		rd_text_put(&t, " %s", c->options[i]);
	return t.at;
}

static RD_COLD int rd_cl_build_failed(struct futhark_context *ctx, cl_program p, int err)
{
	struct rd_api *cl = ctx->device->api;
	size_t n = 0;
	char *said;
	cl->clGetProgramBuildInfo(p, cl->device, RD_CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
	said = (char *)calloc(n + 1, 1);
	if (said)
		cl->clGetProgramBuildInfo(p, cl->device, RD_CL_PROGRAM_BUILD_LOG, n, said, NULL);
	rd_device_error(ctx, "OpenCL: the kernels do not compile (%d):\n%s", err, said ? said : "");
	free(said);
	return FUTHARK_PROGRAM_ERROR;
}

static int rd_cl_compile(struct futhark_context *ctx, int text, const char *options)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cl = d->api;
	const char *source = d->texts[text];
	int err;
	cl_program p = cl->clCreateProgramWithSource(cl->context, 1, &source, NULL, &err);
	if (err)
		return rd_cl_failed(ctx, "clCreateProgramWithSource", err);
	d->modules[text] = p;
	err = cl->clBuildProgram(p, 1, &cl->device, options, NULL, NULL);
	return err ? rd_cl_build_failed(ctx, p, err) : 0;
}

static int rd_cl_from_binary(struct futhark_context *ctx, int text, const struct rd_bytes *b,
                             const char *options)
{
	struct rd_api *cl = ctx->device->api;
	const unsigned char *bytes = (const unsigned char *)b->at;
	int err, status = 0;
	cl_program p = cl->clCreateProgramWithBinary(cl->context, 1, &cl->device, &b->len, &bytes,
	                                             &status, &err);
	if (err || status)
		return rd_cl_failed(ctx, "clCreateProgramWithBinary", err ? err : status);
	ctx->device->modules[text] = p;
	err = cl->clBuildProgram(p, 1, &cl->device, options, NULL, NULL);
	return err ? rd_cl_build_failed(ctx, p, err) : 0;
}

// The compiled form of a text; at NULL: there is none.
static struct rd_bytes rd_cl_binary(struct futhark_context *ctx, int text)
{
	struct rd_api *cl = ctx->device->api;
	cl_program p = (cl_program)ctx->device->modules[text];
	struct rd_bytes b = {NULL, 0};
	if (cl->clGetProgramInfo(p, RD_CL_PROGRAM_BINARY_SIZES, sizeof b.len, &b.len, NULL) != 0 || !b.len)
		return b;
	b.at = (char *)malloc(b.len + 1);
	if (b.at && cl->clGetProgramInfo(p, RD_CL_PROGRAM_BINARIES, sizeof b.at, &b.at, NULL) != 0) {
		free(b.at);
		b.at = NULL;
	}
	return b;
}

static struct rd_key rd_cl_key(struct futhark_context *ctx, const char *options)
{
	struct rd_device *d = ctx->device;
	struct rd_key k = rd_key_new();
	char driver[256] = "";
	int i;
	d->api->clGetDeviceInfo(d->api->device, RD_CL_DRIVER_VERSION, sizeof driver - 1, driver, NULL);
	rd_key_add_text(&k, "opencl");
	rd_key_add_text(&k, d->name);
	rd_key_add_text(&k, driver);
	rd_key_add_text(&k, options);
	for (i = 0; i < d->n_texts; i++)
		rd_key_add_text(&k, d->texts[i]);
	return k;
}

// All texts from a file that has them as binaries; false when it does not, or not these.
static bool rd_cl_load_all(struct futhark_context *ctx, const char *path, const struct rd_key *key,
                           const char *options)
{
	struct rd_device *d = ctx->device;
	struct rd_bytes *in = (struct rd_bytes *)calloc((size_t)d->n_texts, sizeof *in);
	bool ok = in && rd_cache_load(path, *key, d->n_texts, in);
	int i;
	for (i = 0; i < d->n_texts && ok; i++)
		ok = rd_cl_from_binary(ctx, i, &in[i], options) == 0;
	for (i = 0; i < d->n_texts && in; i++)
		free(in[i].at);
	free(in);
	for (i = 0; i < d->n_texts && !ok; i++)
		if (d->modules[i]) {
			d->api->clReleaseProgram((cl_program)d->modules[i]);
			d->modules[i] = NULL;
		}
	if (!ok)
		rd_clear_error(ctx);
	return ok;
}

static void rd_cl_store_all(struct futhark_context *ctx, const char *path, const struct rd_key *key)
{
	struct rd_device *d = ctx->device;
	struct rd_bytes *out = (struct rd_bytes *)calloc((size_t)d->n_texts, sizeof *out);
	bool ok = out != NULL;
	int i;
	for (i = 0; i < d->n_texts && ok; i++) {
		out[i] = rd_cl_binary(ctx, i);
		ok = out[i].at != NULL;
	}
	if (ok)
		rd_cache_store(path, *key, d->n_texts, out);
	for (i = 0; i < d->n_texts && out; i++)
		free(out[i].at);
	free(out);
}

static int rd_split_texts(struct rd_device *d, const char *all)
{
	const char *s, *next;
	int n = 1;
	if (!*all)
		all = NULL; // no kernels
	for (s = all; s && (s = strstr(s, RD_NEXT_TEXT)) != NULL; s += strlen(RD_NEXT_TEXT))
		n++;
	d->texts = (char **)calloc((size_t)n + 1, sizeof *d->texts);
	d->modules = (void **)calloc((size_t)n + 1, sizeof *d->modules);
	for (s = all; d->texts && s; s = next ? next + strlen(RD_NEXT_TEXT) : NULL) {
		size_t len;
		next = strstr(s, RD_NEXT_TEXT);
		len = next ? (size_t)(next - s) : strlen(s);
		d->texts[d->n_texts] = (char *)malloc(len + 1);
		if (!d->texts[d->n_texts])
			return FUTHARK_OUT_OF_MEMORY;
		memcpy(d->texts[d->n_texts], s, len);
		d->texts[d->n_texts++][len] = 0;
	}
	return d->texts && d->modules ? 0 : FUTHARK_OUT_OF_MEMORY;
}

// Where a kernel of this name begins in a text, or NULL.
static const char *rd_find_definition(const char *text, const char *name)
{
	size_t n = strlen(name), mark = strlen(RD_KERNEL_MARK);
	const char *s;
	for (s = text; (s = strstr(s, RD_KERNEL_MARK)) != NULL; s += mark) {
		const char *found = s + mark;
		if (strncmp(found, name, n) != 0 && strncmp(found, "RD_", 3) == 0)
			found += strcspn(found, " ") + 1; // RD_BOUNDS(256,2): it says how many threads it is for
		if (strncmp(found, name, n) == 0 && found[n] == '(')
			return s;
	}
	return NULL;
}

// Which text each kernel is in.
static void rd_find_texts(struct rd_device *d)
{
	const struct rd_device_program *p = rd_device_program();
	int i, k;
	for (i = 0; i < p->n_kernels; i++)
		for (k = 0; k < d->n_texts; k++)
			if (rd_find_definition(d->texts[k], p->kernels[i].in_text))
				d->kernels[i].text = k;
}

static int rd_collect_texts(struct futhark_context *ctx)
{
	const struct rd_device_program *p = rd_device_program();
	const char *given = ctx->cfg->device->program;
	char *all = given ? rd_copy_string(given) : rd_joined_texts(p->n_texts, p->texts);
	struct rd_device *d = ctx->device;
	int err = all ? rd_split_texts(d, all) : FUTHARK_OUT_OF_MEMORY;
	free(all);
	if (err)
		return rd_out_of_memory(ctx, 1, 1);
	rd_find_texts(d);
	d->texts[d->n_texts] = rd_copy_string(rd_builtin_text());
	return d->texts[d->n_texts++] ? 0 : rd_out_of_memory(ctx, 1, 1);
}

// OpenCL platforms keep what they compiled themselves; files are for those who ask for them.
static int rd_api_build(struct futhark_context *ctx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_device *d = ctx->device;
	const char *cache = ctx->cfg->cache_file;
	struct rd_key key, any = {0, 0};
	char *options;
	int i, err = rd_collect_texts(ctx);
	if (err)
		return err;
	options = rd_cl_options(ctx);
	key = rd_cl_key(ctx, options);
	if (c->load_from) {
		if (!rd_cl_load_all(ctx, c->load_from, &any, options))
			err = rd_device_error(ctx, "%s has no binary of this program.", c->load_from);
	} else if (!cache || !rd_cl_load_all(ctx, cache, &key, options)) {
		int n = cache || c->dump_to ? d->n_texts : d->n_texts - 1;
		for (i = 0; i < n && !err; i++)
			err = rd_cl_compile(ctx, i, options);
		if (cache && !err)
			rd_cl_store_all(ctx, cache, &key);
	} else {
		rd_log(ctx, "Kernels were in the cache file %s.\n", cache);
	}
	if (c->dump_to && !err)
		rd_cl_store_all(ctx, c->dump_to, &any);
	free(options);
	return err;
}

// The builtin kernels are compiled when the first is used.
static int rd_cl_build_text(struct futhark_context *ctx, int text)
{
	char *options;
	int err;
	if (ctx->device->modules[text])
		return 0;
	options = rd_cl_options(ctx);
	err = rd_cl_compile(ctx, text, options);
	free(options);
	return err;
}

static int rd_api_kernel(struct futhark_context *ctx, int kernel, struct rd_device_kernel *out)
{
	struct rd_api *cl = ctx->device->api;
	const char *name = rd_name_in_text(kernel);
	size_t threads = 0;
	int text = kernel < rd_device_program()->n_kernels ? out->text : ctx->device->n_texts - 1;
	int err = rd_cl_build_text(ctx, text);
	cl_kernel k;
	if (err)
		return err;
	k = cl->clCreateKernel((cl_program)ctx->device->modules[text], name, &err);
	if (err)
		return rd_device_error(ctx, "OpenCL: cannot make the kernel %s (%d).", name, err);
	out->handle = k;
	err = cl->clGetKernelWorkGroupInfo(k, cl->device, RD_CL_KERNEL_WORK_GROUP_SIZE, sizeof threads,
	                                   &threads, NULL);
	out->max_threads = err || !threads || threads > (size_t)ctx->device->max_threads
	                 ? ctx->device->max_threads : (int)threads;
	out->sure_threads = out->max_threads;
	return 0;
}

static int rd_api_ready(struct futhark_context *ctx, int kernel, struct rd_device_kernel *k)
{
	(void)ctx;
	(void)kernel;
	(void)k;
	return 0;
}

// ---- Operations ----

// The event that the next operation is to give, once.
static cl_event *rd_cl_event(struct rd_api *cl)
{
	cl_event *e = cl->event;
	cl->event = NULL;
	return e;
}

// Waits for an event, unless the call is cancelled meanwhile.
static int rd_cl_await(struct futhark_context *ctx, cl_event event)
{
	struct rd_api *cl = ctx->device->api;
	struct timespec pause = {0, 60000};
	int64_t began = rd_wall_time();
	int status = 1, flushed = 0;
	for (;;) {
		int err = cl->clGetEventInfo(event, RD_CL_EVENT_STATUS, sizeof status, &status, NULL);
		if (err || status <= 0)
			return rd_cl_check(ctx, "clGetEventInfo", err ? err : status);
		if (RD_CANCELLED(ctx))
			return rd_cancelled(ctx);
		if (!flushed++ && (err = cl->clFlush(cl->queue)) != 0)
			return rd_cl_failed(ctx, "clFlush", err);
		if (rd_wall_time() - began <= 5)
			continue;
		nanosleep(&pause, NULL);
		pause.tv_nsec += pause.tv_nsec < 150000 ? 45000 : 0;
	}
}

// Before an operation that the host does not wait for: where its event is to go.  Without this the
// queue of a call of many kernels has seconds of work when the call is cancelled, which the next one
// waits for.  The last operation of each span has an event, and waits for that of two spans before.
// Spans are as long as the device has work for a millisecond, and begin with one operation.  Operations
// that are timed have events of their own; RD_MOST_TIMINGS limits those.
static int rd_cl_pace(struct futhark_context *ctx, cl_event **event)
{
	struct rd_api *cl = ctx->device->api;
	cl_event *at = &cl->spans[cl->n_spans % RD_CL_SPANS];
	int64_t waited;
	int err = 0;
	*event = rd_cl_event(cl);
	if (*event || ++cl->in_span < cl->span)
		return 0;
	if (*at) {
		waited = -rd_wall_time();
		err = rd_cl_await(ctx, *at);
		cl->clReleaseEvent(*at);
		*at = NULL;
		waited += rd_wall_time();
		if (waited < 500 && cl->span < RD_CL_MOST_SPAN)
			cl->span *= 2;
		else if (waited > 2000 && cl->span > 1)
			cl->span /= 2;
	}
	cl->in_span = 0;
	cl->n_spans++;
	*event = at;
	return err;
}

static int rd_api_start(struct futhark_context *ctx, struct rd_device_kernel *k, int64_t blocks,
                        int threads, int64_t local_bytes, const char *kinds, const uint64_t *args)
{
	struct rd_api *cl = ctx->device->api;
	cl_kernel kernel = (cl_kernel)k->handle;
	size_t local = (size_t)threads, global = (size_t)blocks * local;
	cl_event *event;
	int i, err = cl->clSetKernelArg(kernel, 0, sizeof(void *), &ctx->device->failures);
	if (!err)
		err = cl->clSetKernelArg(kernel, 1, local_bytes > 16 ? (size_t)local_bytes : 16, NULL);
	for (i = 0; kinds[i + 1] && !err; i++) {
		size_t size = rd_is_block(kinds[i + 1]) ? 0 : (size_t)(kinds[i + 1] - '0');
		struct rd_block *block = size ? NULL : (struct rd_block *)(uintptr_t)args[i];
		void *mem = block ? block->data : NULL;
		uint64_t word = args[i];
		err = size ? cl->clSetKernelArg(kernel, (unsigned)i + 2, size, rd_bytes_of_word(&word, size))
		           : cl->clSetKernelArg(kernel, (unsigned)i + 2, sizeof mem, &mem);
	}
	if (err)
		return rd_cl_failed(ctx, "clSetKernelArg", err);
	err = rd_cl_pace(ctx, &event);
	if (err)
		return err;
	err = cl->clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &global, &local, 0, NULL, event);
	return rd_cl_check(ctx, "clEnqueueNDRangeKernel", err);
}

static int rd_cl_fetch_site(struct futhark_context *ctx)
{
	struct rd_device *d = ctx->device;
	if (!d->may_have_failed)
		return 0;
	return rd_cl_check(ctx, "clEnqueueReadBuffer",
	                   d->api->clEnqueueReadBuffer(d->api->queue, (cl_mem)d->failures, 1, 0,
	                                               sizeof d->failed_site, &d->failed_site, 0, NULL,
	                                               NULL));
}

static int rd_api_read(struct futhark_context *ctx, void *to, void *from, int64_t byte, int64_t size)
{
	struct rd_api *cl = ctx->device->api;
	int err = cl->clEnqueueReadBuffer(cl->queue, (cl_mem)from, 1, (size_t)byte, (size_t)size, to, 0,
	                                  NULL, rd_cl_event(cl));
	return err ? rd_cl_failed(ctx, "clEnqueueReadBuffer", err) : rd_cl_fetch_site(ctx);
}

// What fits in the pattern of a fill is copied at once; else the host waits.
static int rd_api_write(struct futhark_context *ctx, void *to, int64_t byte, const void *from,
                        int64_t size)
{
	struct rd_api *cl = ctx->device->api;
	if (size <= 8 && (size & (size - 1)) == 0 && byte % size == 0)
		return rd_api_fill(ctx, to, byte, from, (int)size, 1);
	return rd_cl_check(ctx, "clEnqueueWriteBuffer",
	                   cl->clEnqueueWriteBuffer(cl->queue, (cl_mem)to, 1, (size_t)byte, (size_t)size,
	                                            from, 0, NULL, rd_cl_event(cl)));
}

static int rd_api_copy(struct futhark_context *ctx, void *to, int64_t to_byte, void *from,
                       int64_t from_byte, int64_t size)
{
	struct rd_api *cl = ctx->device->api;
	cl_event *event;
	int err = rd_cl_pace(ctx, &event);
	if (err)
		return err;
	err = cl->clEnqueueCopyBuffer(cl->queue, (cl_mem)from, (cl_mem)to, (size_t)from_byte,
	                              (size_t)to_byte, (size_t)size, 0, NULL, event);
	return rd_cl_check(ctx, "clEnqueueCopyBuffer", err);
}

static int rd_api_fill(struct futhark_context *ctx, void *to, int64_t byte, const void *value,
                       int value_size, int64_t count)
{
	struct rd_api *cl = ctx->device->api;
	cl_event *event;
	int err = rd_cl_pace(ctx, &event);
	if (err)
		return err;
	err = cl->clEnqueueFillBuffer(cl->queue, (cl_mem)to, value, (size_t)value_size, (size_t)byte,
	                              (size_t)(value_size * count), 0, NULL, event);
	return rd_cl_check(ctx, "clEnqueueFillBuffer", err);
}

static bool rd_api_can_fill(const void *value, int value_size)
{
	(void)value;
	return value_size <= 8;
}

static int rd_api_wait(struct futhark_context *ctx)
{
	struct rd_api *cl = ctx->device->api;
	int err = cl->clFinish(cl->queue);
	return err ? rd_cl_failed(ctx, "clFinish", err) : rd_cl_fetch_site(ctx);
}

static void *rd_memory_new(struct futhark_context *ctx, int64_t size)
{
	struct rd_device *d = ctx->device;
	struct rd_api *cl = d ? d->api : NULL;
	static const char zero = 0;
	int err = 0;
	cl_mem mem;
	if (!cl || !cl->queue || size > d->memory - ctx->bytes_live - ctx->bytes_cached)
		return NULL;
	mem = cl->clCreateBuffer(cl->context, RD_CL_MEM_READ_WRITE, (size_t)size, NULL, &err);
	if (err)
		return NULL;
	// Memory may be there only once it is used.
	if (cl->clEnqueueFillBuffer(cl->queue, mem, &zero, 1, 0, 1, 0, NULL, NULL) != 0) {
		cl->clReleaseMemObject(mem);
		return NULL;
	}
	return mem;
}

static void rd_before_free(struct futhark_context *ctx)
{
	(void)ctx;
}

RD_UNUSED
static bool rd_has_stream(const struct futhark_context *ctx, const void *queue)
{
	(void)ctx, (void)queue;
	return false;
}

// The caller's queue is the one of the configuration.
RD_UNUSED
static int rd_use_stream(struct futhark_context *ctx, void *queue)
{
	if (queue && queue != (void *)ctx->device->api->queue)
		return rd_device_error(ctx, "A context of OpenCL has one queue, which is chosen when it is made.");
	return 0;
}

RD_UNUSED
static int rd_late_failure(struct futhark_context *ctx)
{
	(void)ctx;
	return 0;
}

static void rd_memory_free(struct futhark_context *ctx, void *data)
{
	ctx->device->api->clReleaseMemObject((cl_mem)data);
}

// ---- Times ----

static void rd_api_begin(struct futhark_context *ctx, struct rd_event *e)
{
	ctx->device->api->event = (cl_event *)&e->begin;
}

static void rd_api_end(struct futhark_context *ctx, struct rd_event *e)
{
	(void)e;
	ctx->device->api->event = NULL;
}

static int64_t rd_api_time(struct futhark_context *ctx, struct rd_event *e)
{
	struct rd_api *cl = ctx->device->api;
	cl_event event = (cl_event)e->begin;
	uint64_t start = 0, end = 0;
	if (!event)
		return 0;
	if (cl->clGetEventProfilingInfo(event, RD_CL_COMMAND_START, sizeof start, &start, NULL) != 0 ||
	    cl->clGetEventProfilingInfo(event, RD_CL_COMMAND_END, sizeof end, &end, NULL) != 0)
		start = end = 0;
	cl->clReleaseEvent(event);
	return (int64_t)(end - start);
}
// @end
#endif
