// The clock that run times are measured with.
#ifndef RD_TIMING_H
#define RD_TIMING_H
#include "object.h"

// @chunk timing: prims
#include <time.h>
// Microseconds since some moment; never goes back.
RD_HOT int64_t rd_wall_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

// @chunk json: text prims
// A string of JSON with its quotes.
RD_FUN void rd_put_json_string(struct rd_text *t, const char *s)
{
	rd_text_put(t, "\"");
	for (; *s; s++) {
		if (*s == '\n')
			rd_text_put(t, "\\n");
		else if ((unsigned char)*s < 32)
			rd_text_put(t, "\\u%04x", (unsigned)*s);
		else
			rd_text_put(t, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	}
	rd_text_put(t, "\"");
}

// @chunk profile: timing context clock
static RD_COLD void rd_count_region(struct futhark_context *ctx, int number, int around,
                                    const char *description, const char *where, int64_t time)
{
	if (number >= ctx->n_regions) {
		size_t n = (size_t)number + 8, size = sizeof *ctx->regions;
		struct rd_region *regions = (struct rd_region *)realloc(ctx->regions, n * size);
		if (!regions)
			return;
		memset(regions + ctx->n_regions, 0, (n - (size_t)ctx->n_regions) * size);
		ctx->regions = regions;
		ctx->n_regions = (int)n;
	}
	struct rd_region *r = &ctx->regions[number];
	r->around = around;
	r->description = description;
	r->where = where;
	r->count++;
	r->nanoseconds += time;
	if (ctx->pool)
		ctx->count_threads(ctx, r);
}

RD_HOT RD_APART int64_t rd_region_begin(const struct futhark_context *ctx)
{
	return ctx->profiling && !ctx->profiling_paused && !ctx->in_region ? rd_nanoseconds() : 0;
}

RD_HOT RD_APART void rd_region_end(struct futhark_context *ctx, int number, int around,
                                   const char *description, const char *where, int64_t began)
{
	if (began)
		rd_count_region(ctx, number, around, description, where, rd_nanoseconds() - began);
}
// @end
#endif
