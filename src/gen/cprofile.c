// Measures the time that loops take, for profiles.
//
// An outermost loop is a region, and so is a loop of independent iterations (from a SOAC) directly
// inside a sequential loop that is a region.  When profiling, the context sums up their times:
//
//     int64_t began = rd_region_begin(ctx);
//     for (...) ...
//     rd_region_end(ctx, 3, -1, "Loop at prog.fut:7:3-20.", "prog.fut:7:3-20\n...", began);
//
// The numbers are those of the region and of the enclosing one.  Deeper regions would cost time
// even without profiling, except for loops that are shared among threads, which take longer than
// that. The time each thread spends in those is recorded too (rts/c/parallel.h).
//
// A function that calls itself has no regions, as its loops may be short and it is called often (a
// third of the time of a determinant by minors); the call of it from outside is one.
#include "gen/cgen.h"

static bool is_region(const Gen *g, const Stm *s)
{
	if (g->profile.in_chunk)
		return false;
	return is_parallel_region(s) || (!g->fun.polls &&
	       g->profile.n_parallel == g->profile.n_loops &&
	       (g->profile.n_loops == 0 ||
	        (g->profile.n_loops == 1 && has_attr(s->attrs, ATTR_PARALLEL))));
}

// The innermost place that is in the user's own text stands for the loop.
Span user_place(const Where *w)
{
	Span first = NOWHERE;
	for (; w; w = w->up) {
		const Source *file = source_of(w->span.lo);
		if (w->span.lo && !(file && str_starts(file->name, "/prelude/")))
			return w->span;
		first = first.lo ? first : w->span;
	}
	return first; // nowhere for what no place in a program stands for
}

Region begin_region(Gen *g, const Stm *s)
{
	// Nothing is timed inside loops of independent iterations.
	Region r = {.number = -1, .parallel = has_attr(s->attrs, ATTR_PARALLEL)};
	bool region = g->target == ON_CPU && !g->rows.lane && !g->rows.in_rows &&
	              s != g->profile.timed && is_region(g, s) && user_place(s->where).lo;
	g->profile.n_loops++;
	if (!region)
		return r;
	rts_use(g->rts, "profile");
	r.number = g->counting ? 0 : g->profile.n_regions++;
	r.around = g->profile.n_parallel > 0 ? g->profile.region : -1;
	r.parallel |= is_parallel_region(s);
	if (!r.parallel) {
		g->profile.n_parallel++;
		g->profile.region = r.number;
	}
	r.began = fresh_name(g, "began");
	s_declare(g->c, "int64_t", r.began, x_call("rd_region_begin", ctx(g)));
	return r;
}

void end_region(Gen *g, const Stm *s, Region r)
{
	g->profile.n_loops--;
	if (r.number < 0)
		return;
	g->profile.n_parallel -= !r.parallel;
	const char *kind = is_parallel_region(s) ? "Region of threads"
	                 : r.parallel ? "Iterations of a SOAC"
	                 : s->exp->form == E_call ? "Recursion" : "Loop";
	if (is_silent(g))
		return;
	const char *what = text("%s at %s.", kind, show_span(user_place(s->where)));
	s_do(g->c, x_call("rd_region_end", ctx(g), x_int(r.number), x_int(r.around),
	                  x_const(c_string(what)), places(g, s->where), x_name(r.began)));
}
