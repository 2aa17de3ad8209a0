// Floats in messages and traces: the shortest text that reads back as the same number, laid
// out as 1.5, 1.0e-2, 1.0e20.
#ifndef RD_SHOW_H
#define RD_SHOW_H
#include "context.h"
#include "half.h"

// @chunk rd_put_float: fail
// `name` is the type, `reads_back` tells whether a text is read as x.
static void rd_put_float(struct futhark_context *ctx, double x, const char *name,
                         bool (*reads_back)(const char *, double))
{
	char text[40], digits[40];
	int len = 0;
	if (x != x || isinf(x)) {
		rd_put(ctx, "%s%s.%s", x < 0 ? "-" : "", name, x != x ? "nan" : "inf");
		return;
	}
	for (int n = 0; n < 17; n++) {
		snprintf(text, sizeof text, "%.*e", n, fabs(x));
		if (reads_back(text, fabs(x)))
			break;
	}
	const char *p = text;
	for (; *p != 'e'; p++)
		if (*p >= '0' && *p <= '9')
			digits[len++] = *p;
	while (len > 1 && digits[len - 1] == '0')
		len--;
	int e = x == 0 ? 1 : atoi(p + 1) + 1; // x = 0.DIGITS * 10^e
	const char *sign = signbit(x) ? "-" : "";
	if (e < 0 || e > 7)
		rd_put(ctx, "%s%c.%.*se%d", sign, digits[0], len > 1 ? len - 1 : 1,
		       len > 1 ? digits + 1 : "0", e - 1);
	else if (e == 0)
		rd_put(ctx, "%s0.%.*s", sign, len, digits);
	else
		rd_put(ctx, "%s%.*s%.*s.%.*s", sign, len < e ? len : e, digits, len < e ? e - len : 0,
		       "0000000", len > e ? len - e : 1, len > e ? digits + e : "0");
}

// @chunk rd_put_f64: rd_put_float
static bool rd_reads_back_f64(const char *text, double x)
{
	return strtod(text, NULL) == x;
}

static void rd_put_f64(struct futhark_context *ctx, double x)
{
	rd_put_float(ctx, x, "f64", rd_reads_back_f64);
}

// @chunk rd_put_f32: rd_put_float
static bool rd_reads_back_f32(const char *text, double x)
{
	return (double)strtof(text, NULL) == x;
}

static void rd_put_f32(struct futhark_context *ctx, float x)
{
	rd_put_float(ctx, (double)x, "f32", rd_reads_back_f32);
}

// @chunk rd_put_f16: rd_put_float rd_as_half_of_double
static bool rd_reads_back_f16(const char *text, double x)
{
	return (double)rd_as_half_of_double(strtod(text, NULL)) == x;
}

static void rd_put_f16(struct futhark_context *ctx, float x)
{
	rd_put_float(ctx, (double)x, "f16", rd_reads_back_f16);
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
