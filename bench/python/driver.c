// What functions of the CUDA driver cost the host, in microseconds: the parts that a call on a device consists of.
//
//     cc -O2 -o driver bench/python/driver.c -ldl && ./driver
//
// Each is called many times in rounds that are shorter than the queue of the device; the least of the rounds counts.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 20, CALLS = 500, DEPENDENT = 6, THIS_THREAD = 1, NON_BLOCKING = 1 };

struct attribute { int id, unused; union { int allowed; char bytes[64]; } value; };
struct launch {
	unsigned blocks[3], threads[3], local_bytes;
	void *stream;
	struct attribute *attributes;
	unsigned n_attributes;
};

struct node { void *kernel; unsigned blocks[3], threads[3], local_bytes; void **args, **extra; };

static const char kernel_text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }\n";

#define FUNCTIONS(F) \
	F(cuInit, (unsigned)) F(cuDevicePrimaryCtxRetain, (void **, int)) F(cuCtxPushCurrent_v2, (void *)) \
	F(cuCtxGetCurrent, (void **)) F(cuCtxPopCurrent_v2, (void **)) F(cuStreamCreate, (void **, unsigned)) \
	F(cuStreamSynchronize, (void *)) F(cuStreamIsCapturing, (void *, int *)) \
	F(cuModuleLoadData, (void **, const void *)) F(cuModuleGetFunction, (void **, void *, const char *)) \
	F(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, \
	                   void **, void **)) \
	F(cuLaunchKernelEx, (const struct launch *, void *, void **, void **)) \
	F(cuStreamBeginCapture_v2, (void *, int)) F(cuStreamEndCapture, (void *, void **)) \
	F(cuGraphInstantiateWithFlags, (void **, void *, unsigned long long)) F(cuGraphLaunch, (void *, void *)) \
	F(cuGraphGetNodes, (void *, void **, size_t *)) \
	F(cuGraphExecKernelNodeSetParams, (void *, void *, const struct node *)) \
	F(cuMemAlloc_v2, (uint64_t *, size_t)) F(cuMemsetD32Async, (uint64_t, unsigned, size_t, void *)) \
	F(cuEventCreate, (void **, unsigned)) F(cuEventRecord, (void *, void *)) \
	F(cuStreamWaitEvent, (void *, void *, unsigned))
#define DECLARE(name, params) static int (*name) params;
FUNCTIONS(DECLARE)

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

#define TIME(what, call) do { \
	double best = 1e30; \
	for (int r = 0; r < ROUNDS; r++) { \
		cuStreamSynchronize(stream); \
		double t = now(); \
		for (int i = 0; i < CALLS; i++) \
			call; \
		t = (now() - t) / CALLS; \
		best = t < best ? t : best; \
	} \
	printf("%-34s%-26s%10.2f us\n", "driver", what, best); \
} while (0)

// One that can be launched, and its first node.
static void *graph_of(void *kernel, void **args, int n, void **node)
{
	void *stream, *graph, *ready, *nodes[8];
	size_t n_nodes = 8;
	cuStreamCreate(&stream, NON_BLOCKING);
	cuStreamBeginCapture_v2(stream, THIS_THREAD);
	for (int i = 0; i < n; i++)
		cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, args, NULL);
	cuStreamEndCapture(stream, &graph);
	*node = cuGraphGetNodes(graph, nodes, &n_nodes) == 0 ? nodes[0] : NULL;
	return cuGraphInstantiateWithFlags(&ready, graph, 0) == 0 ? ready : NULL;
}

int main(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context, *old, *module, *kernel, *event, *f;
	void *stream = (void *)(uintptr_t)1;            // CU_STREAM_LEGACY, which PyTorch works in
	int status;
	uint64_t memory, word = 0;
	void *args[] = {&word, &word, &word, &word};
#define FIND(name, params) \
	if (!driver || !(f = dlsym(driver, #name))) { \
		fprintf(stderr, "There is no " #name " of the CUDA driver.\n"); \
		return 1; \
	} \
	memcpy(&name, &f, sizeof f);
	FUNCTIONS(FIND)
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxPushCurrent_v2(context) ||
	    cuModuleLoadData(&module, kernel_text) || cuModuleGetFunction(&kernel, module, "nothing") ||
	    cuMemAlloc_v2(&memory, 1024) || cuEventCreate(&event, 2)) {
		fprintf(stderr, "There is no CUDA device.\n");
		return 1;
	}
	struct attribute attribute = {DEPENDENT, 0, {1}};
	struct launch l = {{4, 1, 1}, {256, 1, 1}, 0, stream, &attribute, 1};
	void *node, *own, *two = graph_of(kernel, args, 2, &node), *one = graph_of(kernel, args, 1, &node);
	struct node other = {kernel, {4, 1, 1}, {256, 1, 1}, 0, args, NULL};
	cuStreamCreate(&own, NON_BLOCKING);
	TIME("cuCtxGetCurrent", cuCtxGetCurrent(&old));
	TIME("cuCtxPushCurrent, Pop", (cuCtxPushCurrent_v2(context), cuCtxPopCurrent_v2(&old)));
	TIME("cuStreamIsCapturing", cuStreamIsCapturing(stream, &status));
	TIME("cuLaunchKernel", cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, args, NULL));
	TIME("cuLaunchKernelEx, dependent", cuLaunchKernelEx(&l, kernel, args, NULL));
	TIME("cuLaunchKernel, own stream", cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, own, args, NULL));
	cuStreamSynchronize(own);
	TIME("cuGraphLaunch, 1 kernel", cuGraphLaunch(one, stream));
	TIME("..., with other arguments", (word++, cuGraphExecKernelNodeSetParams(one, node, &other), cuGraphLaunch(one, stream)));
	TIME("cuGraphLaunch, 2 kernels", cuGraphLaunch(two, stream));
	TIME("cuMemsetD32Async", cuMemsetD32Async(memory, 0, 1, stream));
	TIME("cuEventRecord, WaitEvent", (cuEventRecord(event, stream), cuStreamWaitEvent(stream, event, 0)));
	return 0;
}
