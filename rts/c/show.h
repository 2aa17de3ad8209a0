// Floats in messages and traces.
#ifndef RD_SHOW_H
#define RD_SHOW_H
#include "context.h"
#include "half.h"
#include "shortest.h"

// @chunk rd_show_float: fail shortest math
// The text of the float with this pattern (shortest.h), until eight more are shown; `name` is its
// type.
static RD_COLD const char *rd_show_float(struct futhark_context *ctx, double x, uint64_t pattern,
                                         int bits, int wide, const char *name)
{
	char *out = ctx->shown[ctx->n_shown++ % 8];
	struct rd_powers *powers;
	if (x != x || isinf(x)) {
		snprintf(out, sizeof ctx->shown[0], "%s%s.%s", x < 0 ? "-" : "", name, x != x ? "nan" : "inf");
		return out;
	}
	powers = (struct rd_powers *)calloc(1, sizeof *powers);
	out[powers ? rd_float_text(powers, out, pattern, bits, wide) : 0] = 0;
	free(powers);
	return out;
}

// @chunk rd_show_f64: rd_show_float
static RD_COLD const char *rd_show_f64(struct futhark_context *ctx, double x)
{
	uint64_t pattern;
	memcpy(&pattern, &x, sizeof pattern);
	return rd_show_float(ctx, x, pattern, 64, 52, "f64");
}

// @chunk rd_show_f32: rd_show_float
static RD_COLD const char *rd_show_f32(struct futhark_context *ctx, float x)
{
	uint32_t pattern;
	memcpy(&pattern, &x, sizeof pattern);
	return rd_show_float(ctx, (double)x, pattern, 32, 23, "f32");
}

// @chunk rd_show_f16: rd_show_float rd_half_of_double
static RD_COLD const char *rd_show_f16(struct futhark_context *ctx, float x)
{
	return rd_show_float(ctx, (double)x, rd_half_of_double((double)x), 16, 10, "f16");
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
