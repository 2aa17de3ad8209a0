// A library for CUDA in the hands of a framework: with streams that change, its allocator, scalars in memory of the
// device, and calls that are captured as graphs.  Prints what is wrong.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "call.h"

typedef unsigned long long Pointer;

#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); bad = 1; } } while (0)
#define FUNCTIONS(F) \
	F(init, "cuInit", (unsigned)) F(retain, "cuDevicePrimaryCtxRetain", (void **, int)) \
	F(push, "cuCtxPushCurrent_v2", (void *)) F(create, "cuStreamCreate", (void **, unsigned)) \
	F(wait_for, "cuStreamSynchronize", (void *)) F(alloc, "cuMemAlloc_v2", (Pointer *, size_t)) \
	F(put, "cuMemcpyHtoDAsync_v2", (Pointer, const void *, size_t, void *)) \
	F(get, "cuMemcpyDtoHAsync_v2", (void *, Pointer, size_t, void *)) \
	F(begin, "cuStreamBeginCapture_v2", (void *, int)) F(end, "cuStreamEndCapture", (void *, void **)) \
	F(make, "cuGraphInstantiateWithFlags", (void **, void *, unsigned long long)) \
	F(start, "cuGraphLaunch", (void *, void *))
#define DECLARE(name, symbol, params) static int (*name) params;
FUNCTIONS(DECLARE)

static int bad;

static int find_functions(void)
{
	void *cuda = dlopen("libcuda.so.1", RTLD_NOW), *context;
	if (!cuda)
		return 77;
#define FIND(name, symbol, params) if (!(*(void **)&name = dlsym(cuda, symbol))) return 77;
	FUNCTIONS(FIND)
	return init(0) != 0 || retain(&context, 0) != 0 || push(context) != 0 ? 77 : 0;
}

// ---- An allocator: a large block, of which pieces are handed out ----

enum { ROOM = 1 << 20, PIECE = 1 << 12 };
static Pointer room;
static char taken[ROOM / PIECE];
static int n_gets, n_puts, user;

static void *get_memory(void *u, int64_t bytes, void **handle)
{
	int n = (int)((bytes + PIECE - 1) / PIECE), i, j;
	CHECK(u == &user);
	for (i = 0; i + n <= ROOM / PIECE; i++) {
		for (j = 0; j < n && !taken[i + j]; j++)
			continue;
		if (j < n)
			continue;
		memset(taken + i, n, 1);
		memset(taken + i + 1, 1, (size_t)n - 1);
		n_gets++;
		*handle = taken + i;
		return (void *)(uintptr_t)(room + (Pointer)i * PIECE);
	}
	return NULL;
}

static void put_memory(void *u, void *handle)
{
	char *at = (char *)handle;
	CHECK(u == &user && *at > 0);
	memset(at, 0, (size_t)*at);
	n_puts++;
}

// ---- Calls ----

static const struct raido_library *lib;
static Pointer dev_w, dev_s, dev_l, dev_g, dev_is;
static double w[4] = {1, 2, 3, 4};
static int64_t n = 4;

static const struct raido_entry *entry(const char *name)
{
	for (int i = 0; i < lib->n_entries; i++)
		if (strcmp(lib->entries[i].name, name) == 0)
			return &lib->entries[i];
	printf("no entry point %s\n", name);
	exit(1);
}

static void *at(Pointer p) { return (void *)(uintptr_t)p; }

static double number(void *stream, Pointer p)
{
	double x = -1;
	CHECK(get(&x, p, sizeof x, stream) == 0 && wait_for(stream) == 0);
	return x;
}

// loss with the scalar on the device or not, its results where they are wanted.
static int loss(void *ctx, const double *host)
{
	int64_t shape = 0;
	struct raido_in in[2] = {{host ? (const void *)host : at(dev_s), NULL, host ? RAIDO_HOST : 0},
	                         {at(dev_w), &n, 0}};
	struct raido_out out[2] = {{at(dev_l), NULL, sizeof(double), NULL, 0},
	                           {at(dev_g), &shape, sizeof w, NULL, 0}};
	int err = entry("loss")->call(ctx, in, out);
	CHECK(err || (shape == 4 && !out[0].block && !out[1].block));
	return err;
}

static void says(void *ctx, const char *part)
{
	char *said = lib->error(ctx);
	if (!said || !strstr(said, part)) {
		printf("\"%s\" instead of \"%s\"\n", said ? said : "", part);
		bad = 1;
	}
	free(said);
}

static void *context(void *stream, int with_allocator)
{
	struct raido_options o;
	memset(&o, 0, sizeof o);
	o.stream = stream;
	if (with_allocator)
		o.get = get_memory, o.put = put_memory, o.user = &user;
	return lib->context_new(&o);
}

static void test_streams(void *ctx, void *a, void *b)
{
	double s = 3;
	CHECK(entry("loss")->in[0].boxed && !entry("loss")->in[0].rank && entry("loss")->out[0].boxed);
	CHECK(put(dev_w, w, sizeof w, a) == 0 && put(dev_s, &s, sizeof s, a) == 0);
	CHECK(loss(ctx, NULL) == 0 && number(a, dev_l) == 3 * 30 / 4.0 && number(a, dev_g + 8) == 12);
	s = 5;
	for (int i = 0; i < 6; i++) {
		CHECK(lib->use_stream(ctx, i % 2 ? a : i % 4 ? b : NULL) == 0);
		CHECK(loss(ctx, &s) == 0 && number(i % 2 ? a : i % 4 ? b : NULL, dev_l) == 5 * 30 / 4.0);
	}
	CHECK(lib->use_stream(ctx, a) == 0);
}

static void test_allocator(void *ctx, void *a)
{
	int64_t shape = 0;
	struct raido_in in = {at(dev_w), &n, 0};
	struct raido_out out = {NULL, &shape, 0, NULL, 0};
	CHECK(entry("some")->call(ctx, &in, &out) == 0 && shape == 3 && out.block);
	Pointer p = (Pointer)(uintptr_t)out.data;
	CHECK(p >= room && p < room + ROOM && number(a, p) == 2);
	int before = n_puts;
	lib->release(ctx, out.block);
	CHECK(n_puts == before + 1);                    // at once
	double got = 0;
	CHECK(lib->read(ctx, &got, at(dev_w + 16), sizeof got) == 0 && got == 3);
}

static void test_failures(void *ctx, void *a)
{
	int64_t wrong[4] = {0, 1, 7, 2}, right[4] = {3, 2, 1, 0}, shape = 0;
	struct raido_in in[2] = {{at(dev_is), &n, 0}, {at(dev_w), &n, 0}};
	struct raido_out out = {at(dev_g), &shape, sizeof w, NULL, 0};
	CHECK(put(dev_is, wrong, sizeof wrong, a) == 0);
	CHECK(entry("at")->call(ctx, in, &out) == 0);   // nobody has waited
	CHECK(wait_for(a) == 0 && put(dev_is, right, sizeof right, a) == 0);
	CHECK(entry("at")->call(ctx, in, &out) != 0);   // the one before
	says(ctx, "Index [7] out of bounds");
	CHECK(entry("at")->call(ctx, in, &out) == 0 && number(a, dev_g + 8) == 3);
	CHECK(put(dev_is, wrong, sizeof wrong, a) == 0);
	CHECK(entry("at")->call(ctx, in, &out) == 0 && lib->sync(ctx) != 0);
	says(ctx, "Index [7] out of bounds");
	CHECK(lib->sync(ctx) == 0);
}

static void test_capture(void *ctx, void *a)
{
	void *graph = NULL, *ready = NULL;
	double s = 2, new_w[4] = {2, 2, 2, 2};
	int before;
	CHECK(put(dev_w, w, sizeof w, a) == 0 && loss(ctx, NULL) == 0 && loss(ctx, &s) == 0);
	before = n_gets - n_puts;
	CHECK(begin(a, 0) == 0 && lib->use_stream(ctx, a) == 0);
	CHECK(loss(ctx, &s) == 0);                      // the 2 is part of the graph
	CHECK(n_gets - n_puts == before);               // all has gone back
	double got;
	CHECK(lib->read(ctx, &got, at(dev_w), sizeof got) != 0);
	says(ctx, "cannot while a graph is captured");
	CHECK(lib->sync(ctx) != 0);
	says(ctx, "cannot while a graph is captured");
	CHECK(end(a, &graph) == 0 && make(&ready, graph, 0) == 0);
	s = 100;
	CHECK(put(dev_w, new_w, sizeof w, a) == 0 && start(ready, a) == 0 && number(a, dev_l) == 8);
	CHECK(put(dev_w, w, sizeof w, a) == 0 && start(ready, a) == 0 && number(a, dev_l) == 15);
	CHECK(lib->use_stream(ctx, a) == 0 && loss(ctx, NULL) == 0 && number(a, dev_l) == 3 * 30 / 4.0);
	CHECK(start(ready, a) == 0 && number(a, dev_l) == 15 && lib->sync(ctx) == 0);
}

// What was not done before cannot be done; the context goes on.
static void test_not_before(void *ctx, void *a)
{
	int64_t is[4] = {0, 2, 2, 5}, shape = 0, got[3] = {0, 0, 0};
	struct raido_in in = {at(dev_is), &n, 0};
	struct raido_out out = {NULL, &shape, 0, NULL, 0};
	void *graph = NULL;
	CHECK(put(dev_is, is, sizeof is, a) == 0);
	CHECK(begin(a, 0) == 0 && lib->use_stream(ctx, a) == 0);
	CHECK(entry("counts")->call(ctx, &in, &out) != 0);
	says(ctx, "has to be called");
	void *other = context(a, 1);
	says(other, "has to be called");
	lib->context_free(other);
	CHECK(end(a, &graph) == 0 && lib->use_stream(ctx, a) == 0);
	CHECK(entry("counts")->call(ctx, &in, &out) == 0 && shape == 3);
	CHECK(lib->read(ctx, got, out.data, sizeof got) == 0 && got[0] == 1 && got[1] == 0 && got[2] == 2);
	lib->release(ctx, out.block);
}

int main(void)
{
	void *a, *b, *ctx, *graph;
	double s = 3;
	if (find_functions() != 0)
		return 77;
	lib = raido_program();
	CHECK(create(&a, 1) == 0 && create(&b, 1) == 0 && alloc(&room, ROOM) == 0);
	CHECK(alloc(&dev_w, sizeof w) == 0 && alloc(&dev_s, 8) == 0 && alloc(&dev_l, 8) == 0);
	CHECK(alloc(&dev_g, sizeof w) == 0 && alloc(&dev_is, sizeof w) == 0);
	CHECK(put(dev_w, w, sizeof w, a) == 0 && put(dev_s, &s, sizeof s, a) == 0);
	ctx = context(a, 1);
	test_streams(ctx, a, b);
	CHECK(put(dev_s, &s, sizeof s, a) == 0);
	test_allocator(ctx, a);
	test_failures(ctx, a);
	test_capture(ctx, a);
	test_not_before(ctx, a);
	lib->context_free(ctx);
	CHECK(n_gets == n_puts && n_gets > 0);
	ctx = context(a, 0);
	CHECK(loss(ctx, NULL) == 0);
	CHECK(begin(a, 0) == 0 && lib->use_stream(ctx, a) != 0 && end(a, &graph) == 0);
	says(ctx, "need an allocator");
	CHECK(lib->use_stream(ctx, a) == 0 && loss(ctx, NULL) == 0 && number(a, dev_l) == 3 * 30 / 4.0);
	lib->context_free(ctx);
	puts(bad ? "failed" : "fine");
	return bad;
}
