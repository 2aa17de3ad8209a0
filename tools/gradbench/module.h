// For the modules: what is written over and over around the interface of a compiled program.
//
//	static void gradient(Call *c)
//	{
//		int64_t n = -1;
//		double *x = reals(c, input(c), "x", 1, &n);
//		ARRAY(f64_1d, fx, x, n);
//		struct futhark_f64_1d *out = NULL;
//		REPEAT(c, DROP(f64_1d, out), futhark_entry_gradient(ctx, &out, fx));
//		if (out) {
//			FETCH(f64_1d, out, x);
//			give(c, reals_json(c, x, 1, &n));
//		}
//		DROP(f64_1d, out);
//		DROP(f64_1d, fx);
//	}
//	MODULE({"gradient", gradient})
#ifndef MODULE_H
#define MODULE_H
#include "program.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static struct futhark_context *ctx;

static const char *open_context(void)
{
	struct futhark_context_config *cfg = futhark_context_config_new();
	ctx = futhark_context_new(cfg);
	return ctx ? futhark_context_get_error(ctx) : "out of memory";
}

#define ARRAY(type, name, ...) struct futhark_##type *name = futhark_new_##type(ctx, __VA_ARGS__)

#define DROP(type, value) do { \
	if (value) \
		futhark_free_##type(ctx, value); \
	value = NULL; \
} while (0)

#define FETCH(type, array, host) do { \
	futhark_values_##type(ctx, array, host); \
	futhark_context_sync(ctx); \
} while (0)

// Component k of a tuple.
#define FETCH_PART(tuple, k, type, object, host) do { \
	struct futhark_##type *part_ = NULL; \
	futhark_project_##tuple##_##k(ctx, &part_, object); \
	FETCH(type, part_, host); \
	DROP(type, part_); \
} while (0)

// Runs the call until enough runs and time have been spent; the result of the run before is given
// back outside of the time.  After a failure there is no result.
#define REPEAT(c, drop, call) do { \
	bool more_ = true; \
	while (more_) { \
		drop; \
		int64_t start_ = nanoseconds(); \
		int status_ = call; \
		if (status_ == 0) \
			status_ = futhark_context_sync(ctx); \
		more_ = lap(c, nanoseconds() - start_) && status_ == 0; \
		if (status_) \
			failed(c, futhark_context_get_error(ctx)); \
	} \
} while (0)

#define MODULE(...) \
	static const Function functions[] = {__VA_ARGS__, {NULL, NULL}}; \
	__attribute__((visibility("default"))) const Eval eval = {open_context, functions};
#endif
