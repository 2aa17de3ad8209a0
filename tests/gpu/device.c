// The run-time of GPU programs by itself: copies between random layouts, fills, iota, bytes, memory.
// It is compiled together with a generated library: -DPROGRAM='"prog.c"'.  Prints `N passed, N failed`.
#include PROGRAM

static int passed, failed;

static void check(bool ok, const char *what, int n)
{
	passed += ok;
	failed += !ok;
	if (!ok)
		printf("%s %d failed\n", what, n);
}

static uint64_t state = 88172645463325252u;
static int64_t below(int64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)n);
}

enum { MOST = 1 << 18 };

// Strides of a random layout of a shape: dimensions in some order, with gaps; the elements used.
static int64_t random_layout(int rank, const int64_t *shape, int64_t *strides, bool gaps)
{
	int order[8], i;
	int64_t size = 1;
	for (i = 0; i < rank; i++)
		order[i] = i;
	for (i = rank - 1; i > 0; i--) {
		int k = (int)below(i + 1), t = order[i];
		order[i] = order[k];
		order[k] = t;
	}
	for (i = 0; i < rank; i++) {
		strides[order[i]] = size;
		size *= shape[order[i]] + (gaps && below(3) == 0 ? below(3) : 0);
	}
	return size;
}

static void host_copy(int size, int rank, const int64_t *shape, char *to, const int64_t *ts,
                      const char *from, const int64_t *fs)
{
	if (rank == 0) {
		memcpy(to, from, (size_t)size);
		return;
	}
	for (int64_t i = 0; i < shape[0]; i++)
		host_copy(size, rank - 1, shape + 1, to + i * ts[0] * size, ts + 1,
		          fs ? from + i * fs[0] * size : from, fs ? fs + 1 : NULL);
}

static char a[8 * MOST], b[8 * MOST], c[8 * MOST];

static void test_copy(struct futhark_context *ctx, int n)
{
	int size = 1 << below(4), rank = (int)below(7);
	int64_t shape[8], ts[8], fs[8], limit = rank > 3 ? 7 : rank == 3 ? 40 : 300;
	for (int i = 0; i < rank; i++)
		shape[i] = below(10) == 0 ? below(2) : 1 + below(limit);
	int64_t to_size = random_layout(rank, shape, ts, true), to_offset = below(5);
	int64_t from_size = random_layout(rank, shape, fs, below(2)), from_offset = below(5);
	struct rd_block *to = NULL, *from = NULL;
	if (to_size + 5 > MOST || from_size + 5 > MOST)
		return;
	if (rank && below(8) == 0) { // backwards
		from_offset += fs[0] * (shape[0] > 0 ? shape[0] - 1 : 0);
		fs[0] = -fs[0];
	}
	for (int64_t i = 0; i < (int64_t)sizeof a; i++)
		a[i] = (char)i, b[i] = (char)(i * 7 + (i >> 8));
	memcpy(c, a, sizeof a);
	int err = rd_alloc(ctx, &to, MOST, 8) || rd_alloc(ctx, &from, MOST, 8) ||
	          rd_block_write(ctx, to, 0, a, sizeof a) || rd_block_write(ctx, from, 0, b, sizeof b);
	if (below(4) == 0) {
		err = err || rd_dev_fill(ctx, size, rank, shape, to, to_offset, ts, b + 8 * n % 800);
		host_copy(size, rank, shape, c + to_offset * size, ts, b + 8 * n % 800, NULL);
	} else {
		err = err || rd_dev_copy(ctx, size, rank, shape, to, to_offset, ts, from, from_offset, fs);
		host_copy(size, rank, shape, c + to_offset * size, ts, b + from_offset * size, fs);
	}
	err = err || rd_block_read(ctx, a, to, 0, sizeof a);
	check(!err && memcmp(a, c, sizeof a) == 0, "copy", n);
	rd_release(ctx, &to);
	rd_release(ctx, &from);
}

static void test_iota(struct futhark_context *ctx, int size)
{
	struct rd_block *to = NULL;
	bool ok = rd_alloc(ctx, &to, 3000, 8) == 0 &&
	          rd_dev_iota(ctx, size, 1000, to, 3, 2, -5, 3) == 0 &&
	          rd_block_read(ctx, a, to, 0, 3000 * 8) == 0;
	for (int64_t i = 0; i < 1000 && ok; i++) {
		int64_t want = -5 + 3 * i;
		ok = memcmp(a + (3 + 2 * i) * size, &want, (size_t)size) == 0;
	}
	check(ok, "iota", size);
	rd_release(ctx, &to);
}

static void test_bytes(struct futhark_context *ctx)
{
	struct rd_block *x = NULL, *y = NULL, *big = NULL;
	const char text[] = "some bytes";
	char back[16] = "";
	int64_t value = 0x0123456789abcdef;
	bool ok = rd_alloc(ctx, &x, 100, 1) == 0 && rd_alloc(ctx, &y, 100, 1) == 0 &&
	          rd_block_write(ctx, x, 3, text, sizeof text) == 0 &&
	          rd_block_copy(ctx, y, 7, x, 3, sizeof text) == 0 &&
	          rd_block_read(ctx, back, y, 7, sizeof text) == 0 && strcmp(back, text) == 0;
	check(ok, "bytes", 0);
	ok = rd_block_zero(ctx, y, 8, 4) == 0 && rd_block_read(ctx, back, y, 7, sizeof text) == 0 &&
	     memcmp(back, "s\0\0\0\0bytes", sizeof text) == 0;
	check(ok, "zero", 0);
	ok = rd_block_write(ctx, x, 16, &value, 8) == 0 && rd_block_write(ctx, x, 25, &value, 1) == 0 &&
	     rd_block_read(ctx, back, x, 16, 10) == 0 && memcmp(back, &value, 8) == 0 &&
	     back[9] == (char)0xef;
	check(ok, "scalars", 0);
	check(rd_alloc(ctx, &big, INT64_C(1) << 50, 1) == FUTHARK_OUT_OF_MEMORY && !big, "memory", 0);
	char *said = futhark_context_get_error(ctx);
	check(said && strstr(said, "Failed to allocate"), "memory", 1);
	free(said);
	check(rd_alloc(ctx, &big, 1000, 1) == 0, "memory", 2);
	rd_release(ctx, &x);
	rd_release(ctx, &y);
	rd_release(ctx, &big);
}

static void test_decisions(struct futhark_context *ctx)
{
	check(rd_blocks_for(ctx, 0, 10) == 1 && rd_blocks_for(ctx, 10, 10) == 1, "blocks", 0);
	check(rd_blocks_for(ctx, INT64_MAX, 1) >= 1, "blocks", 1);
	check(rd_fits_local(ctx, 1024) && !rd_fits_local(ctx, INT64_C(1) << 40), "local", 0);
	check(rd_block_size(ctx) >= 1 && rd_block_size(ctx) <= rd_max_threads(ctx), "threads", 0);
	struct rd_block *locks = NULL;
	check(rd_locks(ctx, &locks) == 0 && rd_block_read(ctx, a, locks, 0, 4 * RD_N_LOCKS) == 0 &&
	      a[0] == 0 && memcmp(a, a + 1, 4 * RD_N_LOCKS - 1) == 0, "locks", 0);
}

#ifndef RD_CUDA
// The host is not far ahead of the device: what a call leaves behind that was cancelled is done soon.
static void test_pace(struct futhark_context *ctx)
{
	enum { MANY = 3000 };
	struct rd_block *x = NULL, *y = NULL;
	int err = rd_alloc(ctx, &x, 1 << 20, 1) || rd_alloc(ctx, &y, 1 << 20, 1) ||
	          rd_block_zero(ctx, x, 0, 1 << 20) || rd_dev_sync(ctx);
	int64_t begin = rd_wall_time(), left;
	for (int i = 0; i < MANY; i++)
		err = err || rd_block_copy(ctx, y, 0, x, 0, 1 << 20);
	left = rd_wall_time();
	err = err || rd_dev_sync(ctx);
	check(!err && (rd_wall_time() - left) < (rd_wall_time() - begin) / 4, "ahead", MANY);
	check(ctx->device->api->n_spans >= MANY / RD_CL_MOST_SPAN, "spans", MANY);
	rd_release(ctx, &x);
	rd_release(ctx, &y);
}
#endif

int main(int argc, char **argv)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	int n = argc > 1 ? atoi(argv[1]) : 150;
	struct futhark_context *ctx = futhark_context_new(cfg);
	char *error = futhark_context_get_error(ctx);
	if (error) {
		fprintf(stderr, "%s\n", error);
		return 1;
	}
	rd_device_attach(ctx);
	for (int i = 0; i < n; i++)
		test_copy(ctx, i);
	for (int size = 1; size <= 8; size *= 2)
		test_iota(ctx, size);
	test_bytes(ctx);
	test_decisions(ctx);
#ifndef RD_CUDA
	test_pace(ctx);
#endif
	rd_device_detach(ctx);
	futhark_context_free(ctx);
	futhark_context_config_free(cfg);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
