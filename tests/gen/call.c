// The uniform interface of a library (rts/c/call.h): what is borrowed, copied, donated, given and
// released.  Prints failed checks, then counts.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "call.h"

static int passed, failed;

#define CHECK(c) do { \
	if (c) passed++; \
	else { failed++; printf("line %d: %s\n", __LINE__, #c); } \
} while (0)

static const struct raido_library *lib;
static void *ctx;

static const struct raido_entry *entry(const char *name)
{
	int i;
	for (i = 0; i < lib->n_entries; i++)
		if (strcmp(lib->entries[i].name, name) == 0)
			return &lib->entries[i];
	printf("no entry %s\n", name);
	exit(1);
}

static int call(const char *name, const struct raido_in *in, struct raido_out *out)
{
	return entry(name)->call(ctx, in, out);
}

static struct raido_in array(const void *data, const int64_t *shape)
{
	struct raido_in in = {data, shape, 0};
	return in;
}

static struct raido_out result(int64_t *shape)
{
	struct raido_out out = {NULL, shape, 0, NULL, 0};
	return out;
}

static void borrowed(void)
{
	double xs[3] = {5, 6, 7};
	int64_t shape[1] = {3}, got[2][1];
	struct raido_in in = array(xs, shape);
	struct raido_out out[2] = {result(got[0]), result(got[1])};
	CHECK(call("same", &in, out) == 0 && got[0][0] == 3);
	CHECK(out[0].data != xs && out[0].block && memcmp(out[0].data, xs, sizeof xs) == 0);
	lib->release(ctx, out[0].block);
	out[0] = result(got[0]);
	CHECK(call("first_one", &in, out) == 0 && xs[0] == 5 && ((double *)out[0].data)[0] == 1);
	CHECK(((double *)out[0].data)[2] == 7);
	lib->release(ctx, out[0].block);
	out[0] = result(got[0]);
	CHECK(call("twice", &in, out) == 0 && out[0].data != out[1].data);
	CHECK(((double *)out[0].data)[1] == 12 && ((double *)out[1].data)[1] == 12);
	lib->release(ctx, out[0].block);
	lib->release(ctx, out[1].block);
}

static void donated(void)
{
	double xs[3] = {5, 6, 7};
	int64_t shape[1] = {3}, got[1];
	struct raido_in in = {xs, shape, RAIDO_DONATED};
	struct raido_out out = result(got);
	CHECK(call("first_one", &in, &out) == 0 && xs[0] == 1 && out.data == xs && !out.block);
	CHECK(out.alias == 1);
	out = result(got); // not consumed: the donation makes no difference but to the result
	CHECK(call("same", &in, &out) == 0);
	CHECK(out.alias ? out.data == xs : out.data != xs);
	if (out.block)
		lib->release(ctx, out.block);
}

static void given(void)
{
	double a = 2, xs[3] = {5, 6, 7}, ys[3] = {1, 1, 1}, room[4] = {0, 0, 0, -1}, other[3];
	bool yes = true, no = false;
	int64_t shape[1] = {3}, got[2][1];
	struct raido_in in[3] = {{&a, NULL, 0}, array(xs, shape), array(ys, shape)};
	struct raido_out out[2] = {{room, got[0], 24, NULL, 0}, {other, got[1], 24, NULL, 0}};
	struct raido_memory before, after;
	lib->memory(ctx, &before);
	CHECK(call("add", in, out) == 0 && out[0].data == room && !out[0].block);
	CHECK(room[0] == 11 && room[2] == 15 && room[3] == -1);
	lib->memory(ctx, &after);
	CHECK(after.allocations == before.allocations && after.live == before.live);
	out[0].given = 32;
	CHECK(call("add", in, out) == RAIDO_NO_ROOM);
	char *said = lib->error(ctx);
	CHECK(said && strstr(said, "24 bytes, but there is room for 32"));
	free(said);
	out[0].given = 16;
	CHECK(call("add", in, out) == RAIDO_NO_ROOM && room[3] == -1);
	free(lib->error(ctx));
	out[0].given = 24;
	CHECK(call("scans", in + 1, out) == 0 && other[2] == 18 && room[0] == 18 && room[2] == 7);
	CHECK(call("same", in + 1, out) == 0 && room[1] == 6);
	in[0].data = &yes;
	CHECK(call("either", in, out) == 0 && room[0] == 5 && out[0].data == room);
	in[0].data = &no;
	CHECK(call("either", in, out) == 0 && room[0] == 6 && out[0].data == room);
	lib->memory(ctx, &after);
	CHECK(after.live == before.live);
}

static void unknown(void)
{
	int32_t xs[4] = {1, -1, 3, 0}, x;
	int64_t shape[1] = {4}, got[2], n = 0, rows = 2;
	struct raido_in in[2] = {array(xs, shape), {&n, NULL, 0}};
	struct raido_out out[2] = {result(got), {&n, NULL, 0, NULL, 0}};
	CHECK(call("kept", in, out) == 0 && got[0] == 2 && n == 2);
	CHECK(((int32_t *)out[0].data)[1] == 3);
	lib->release(ctx, out[0].block);
	in[0].data = &rows;
	out[0] = result(got);
	CHECK(call("table", in, out) == 0 && got[0] == 2 && got[1] == 3);
	CHECK(((int64_t *)out[0].data)[5] == 2);
	lib->release(ctx, out[0].block);
	n = 4;
	in[0].data = xs;
	out[0].data = &x;
	CHECK(call("at", in, out) == 2);
	char *said = lib->error(ctx);
	CHECK(said && strstr(said, "Index [4] out of bounds") && strstr(said, "call.fut"));
	free(said);
	n = 2;
	CHECK(call("at", in, out) == 0 && x == 3);
	CHECK(call("nothing", NULL, out) == 0 && x == 42);
	uint16_t h = 0x4200, r = 0;     // 3
	in[0].data = &h;
	out[0].data = &r;
	CHECK(call("half", in, out) == 0 && r == 0x3e00);
}

static void sizes(void)
{
	double a = 2, xs[3] = {5, 6, 7};
	int64_t three[1] = {3}, two[1] = {2}, got[1];
	struct raido_in in[3] = {{&a, NULL, 0}, array(xs, three), array(xs, two)};
	struct raido_out out = result(got);
	CHECK(call("add", in, &out) == 1 && !out.block);
	char *said = lib->error(ctx);
	CHECK(said && strstr(said, "invalid sizes"));
	free(said);
	int64_t many[2] = {INT64_C(1) << 60, 0}, few[2] = {2, 0};
	struct raido_in rows[2] = {{xs, many, 0}, array(xs, three)};
	out = (struct raido_out){&a, NULL, 0, NULL, 0};
	CHECK(call("nth", rows, &out) == 1);
	rows[0].shape = few;
	CHECK(call("nth", rows, &out) == 0 && a == 7);
	const struct raido_entry *e = entry("add");
	CHECK(e->n_in == 3 && e->n_out == 1 && e->n_sizes == 1 && e->in[1].rank == 1);
	CHECK(e->in[1].prim == 10 && e->in[1].dims[0] == -1 && e->out[0].dims[0] == -1);
	CHECK(strcmp(e->in[1].name, "xs") == 0 && strcmp(e->in_form, "a:*xs:*ys:*") == 0);
	CHECK(e->sizes[0].known && e->sizes[0].value == -1);
	e = entry("table");
	CHECK(e->sizes[0].value == 0 && e->out[0].dims[1] == 3);
	CHECK(!entry("kept")->sizes[1].known && strcmp(entry("kept")->out_form, "(**)") == 0);
	CHECK(strcmp(entry("scans")->out_form, "{down:*up:*}") == 0);
	CHECK(entry("first_one")->in[0].consumed && !entry("same")->in[0].consumed);
}

// ---- Releasing ----

static int computed;                    // by the other thread, at its end

static void *compute(void *arg)
{
	int64_t n = 100000000;
	double x;
	struct raido_in in = {&n, NULL, 0};
	struct raido_out out = {&x, NULL, 0, NULL, 0};
	(void)arg;
	call("slow", &in, &out);
	__atomic_store_n(&computed, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void released(void)
{
	enum { N = 16 };
	int64_t n = 1 << 25, got[N];
	struct raido_in in = {&n, NULL, 0};
	struct raido_out out[N];
	struct raido_memory m;
	pthread_t thread;
	int i;
	for (i = 0; i < N; i++) {
		out[i] = result(&got[i]);
		CHECK(call("big", &in, &out[i]) == 0);
	}
	lib->memory(ctx, &m);
	CHECK(m.live >= N * n);
	pthread_create(&thread, NULL, compute, NULL);
	struct timespec nap = {0, 20000000};
	nanosleep(&nap, NULL);
	for (i = 0; i < N; i++)
		lib->release(ctx, out[i].block);
	CHECK(!__atomic_load_n(&computed, __ATOMIC_SEQ_CST)); // the other thread has the context still
	pthread_join(thread, NULL);
	lib->memory(ctx, &m);
	CHECK(m.live == 0 && m.cached <= 64 << 20);
	lib->clear(ctx);
	lib->memory(ctx, &m);
	CHECK(m.cached == 0);
}

int main(void)
{
	struct raido_options options;
	memset(&options, 0, sizeof options);
	options.cache_limit = 64 << 20;
	lib = CALL_PROGRAM();
	CHECK(lib->version == RAIDO_CALL);
	ctx = lib->context_new(&options);
	CHECK(ctx != NULL);
	borrowed();
	donated();
	given();
	unknown();
	sizes();
	released();
	lib->context_free(ctx);
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}
