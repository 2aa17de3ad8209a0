// Floats in messages and traces.
#ifndef RD_SHOW_H
#define RD_SHOW_H
#include "context.h"
#include "half.h"
#include "shortest.h"

// @chunk rd_put_float: fail shortest
// The float with this pattern (shortest.h); `name` is its type.
static void rd_put_float(struct futhark_context *ctx, double x, uint64_t pattern, int bits, int wide,
                         const char *name)
{
	char text[RD_FLOAT_CHARS];
	struct rd_powers *powers;
	if (x != x || isinf(x)) {
		rd_put(ctx, "%s%s.%s", x < 0 ? "-" : "", name, x != x ? "nan" : "inf");
		return;
	}
	powers = (struct rd_powers *)calloc(1, sizeof *powers);
	if (powers)
		rd_put(ctx, "%.*s", rd_float_text(powers, text, pattern, bits, wide), text);
	free(powers);
}

// @chunk rd_put_f64: rd_put_float
static void rd_put_f64(struct futhark_context *ctx, double x)
{
	uint64_t pattern;
	memcpy(&pattern, &x, sizeof pattern);
	rd_put_float(ctx, x, pattern, 64, 52, "f64");
}

// @chunk rd_put_f32: rd_put_float
static void rd_put_f32(struct futhark_context *ctx, float x)
{
	uint32_t pattern;
	memcpy(&pattern, &x, sizeof pattern);
	rd_put_float(ctx, (double)x, pattern, 32, 23, "f32");
}

// @chunk rd_put_f16: rd_put_float rd_half_of_double
static void rd_put_f16(struct futhark_context *ctx, float x)
{
	rd_put_float(ctx, (double)x, rd_half_of_double((double)x), 16, 10, "f16");
}

// @chunk rd_trace: fail
// The message is complete: a line of trace.
static void rd_trace(struct futhark_context *ctx)
{
	fprintf(stderr, "%.*s\n", (int)ctx->message.len, ctx->message.len ? ctx->message.at : "");
	ctx->message.len = 0;
}

// @end
#endif
