// The uniform interface of a library for CUDA, with memory and a stream of the caller's: results are device
// memory, a result is computed where it is wanted, and the stream is left alone.  Prints what is wrong.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "call.h"

typedef unsigned long long Pointer;

static void *symbol(void *lib, const char *name)
{
	void *s = dlsym(lib, name);
	if (!s) {
		printf("no %s\n", name);
		exit(77);
	}
	return s;
}

#define LOAD(type, name, real) type; *(void **)&name = symbol(cuda, real)
#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); bad = 1; } } while (0)

int main(void)
{
	int bad = 0;
	void *cuda = dlopen("libcuda.so.1", RTLD_NOW), *context, *stream;
	if (!cuda)
		return 77;
	LOAD(int (*init)(unsigned), init, "cuInit");
	LOAD(int (*retain)(void **, int), retain, "cuDevicePrimaryCtxRetain");
	LOAD(int (*push)(void *), push, "cuCtxPushCurrent_v2");
	LOAD(int (*create)(void **, unsigned), create, "cuStreamCreate");
	LOAD(int (*destroy)(void *), destroy, "cuStreamDestroy_v2");
	LOAD(int (*wait)(void *), wait, "cuStreamSynchronize");
	LOAD(int (*alloc)(Pointer *, size_t), alloc, "cuMemAlloc_v2");
	LOAD(int (*put)(Pointer, const void *, size_t, void *), put, "cuMemcpyHtoDAsync_v2");
	LOAD(int (*get)(void *, Pointer, size_t, void *), get, "cuMemcpyDtoHAsync_v2");
	const struct raido_library *lib = raido_program();
	struct raido_options options;
	double xs[3] = {1, 2, 3}, ys[3] = {0, 0, 0};
	int64_t n = 3, got = 0;
	Pointer from = 0, to = 0;
	if (init(0) != 0 || retain(&context, 0) != 0)
		return 77;
	push(context);
	CHECK(create(&stream, 1) == 0);         // not the default one's follower
	CHECK(alloc(&from, sizeof xs) == 0 && alloc(&to, sizeof xs) == 0);
	memset(&options, 0, sizeof options);
	options.stream = stream;
	void *ctx = lib->context_new(&options);
	struct raido_in in = {(const void *)(uintptr_t)from, &n, 0};
	struct raido_out out = {(void *)(uintptr_t)to, &got, sizeof xs, NULL, 0};
	for (int round = 0; round < 20 && !bad; round++) {
		xs[0] = round;
		CHECK(put(from, xs, sizeof xs, stream) == 0);
		CHECK(lib->entries[0].call(ctx, &in, &out) == 0);
		CHECK(get(ys, to, sizeof ys, stream) == 0 && wait(stream) == 0);
		CHECK(ys[0] == 2 * round && ys[2] == 6 && got == 3 && !out.block);
	}
	out.given = 0;
	CHECK(lib->entries[0].call(ctx, &in, &out) == 0 && out.block);
	CHECK(get(ys, (Pointer)(uintptr_t)out.data, sizeof ys, stream) == 0 && wait(stream) == 0);
	CHECK(ys[1] == 4);
	lib->release(ctx, out.block);
	lib->context_free(ctx);
	CHECK(wait(stream) == 0 && destroy(stream) == 0);
	puts(bad ? "failed" : "fine");
	return bad;
}
