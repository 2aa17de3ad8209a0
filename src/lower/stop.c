// Breakpoints: #[break] e stops the interpreter before e is evaluated.
//
// A breakpoint is a trace of the names in scope, which the interpreter hands to its caller instead
// of printing it (Stop in core.h).  In scope are the names that the frames have bound so far,
// except those whose scope has ended.  The functions being evaluated in place around the breakpoint
// are its callers; for each caller, the names in scope at its call are visible:
//
//   def g (x: i32) = #[break] x + 1          0: x is 4
//   def f (y: i32) = let z = y + 1 in g z    1: y is 3, z is 4
#include "lower/lower_internal.h"

#include <stdlib.h>

typedef struct { const Binding *binding; Val *val; } Seen;
typedef VEC(Seen) SeenVec;
typedef struct { Lower *L; VEC(Sub) flat; VEC(StopFrame) frames; } Stopping;

static bool is_visible(const Binding *b, Span at)
{
	return (b->kind == BIND_LOCAL || b->kind == BIND_SIZE) && b->name[0] != '_' &&
	       b->span.lo < at.lo && at.hi <= b->until;
}

// Of several names that are the same the one bound last is meant.
static void note_seen(SeenVec *seen, const Binding *b, Val *v)
{
	for EACH(Seen, s, *seen)
		if (s->binding->name == b->name) {
			if (s->binding->id < b->id)
				*s = (Seen){b, v};
			return;
		}
	VEC_PUSH(seen, (Seen){b, v});
}

static int by_age(const void *a, const void *b)
{
	const Seen *x = a, *y = b;
	return (x->binding->id > y->binding->id) - (x->binding->id < y->binding->id);
}

static SeenVec names_seen(Lower *L, Frame *f, Span at)
{
	SeenVec seen = {0};
	for (; f && !f->is_module; f = f->up)
		for MAP_EACH(e, f->vals) {
			const Binding *b = e->key;
			Val *v = e->val;
			if (is_visible(b, at) && v->kind == V_DATA)
				note_seen(&seen, b, val_here(L, v, f->ctx));
		}
	if (seen.len)
		qsort(seen.at, (size_t)seen.len, sizeof *seen.at, by_age);
	return seen;
}

static void add_frame(Stopping *s, Frame *f, Span at)
{
	SeenVec seen = names_seen(s->L, f, at);
	StopFrame frame = {.span = at};
	frame.vars.at = NEW_ARRAY(StopVar, seen.len);
	for EACH(Seen, v, seen) {
		frame.vars.at[frame.vars.len++] = (StopVar){
			v->binding, v->binding->name, entry_of_rep(v->val->rep), s->flat.len,
		};
		VEC_APPEND(&s->flat, v->val->flat);
	}
	VEC_PUSH(&s->frames, frame);
}

void lower_stop(Lower *L, Frame *f, Span at)
{
	Stopping s = {.L = L};
	add_frame(&s, f, at);
	for (const Level *l = L->level; l; l = l->up)
		if (l->caller)
			add_frame(&s, l->caller, l->call);
	Stop *stop = NEW(Stop, .frames = {s.frames.at, s.frames.len});
	Subs xs = VEC_SLICE(Subs, s.flat);
	Types types = {NEW_ARRAY(Type, xs.len), xs.len};
	for (int i = 0; i < xs.len; i++)
		types.at[i] = sub_type(xs.at[i]);
	set_where(L, at);
	b_lets(&L->b, "seen", types, EXP(trace, "break", xs, NULL, stop));
}
