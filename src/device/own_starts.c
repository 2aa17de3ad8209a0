// Arrays that change their size from one iteration of a thread's loop to the next start from a
// copy:
//
//     #[kernel] loop .. for i < n do {                 #[kernel] loop .. for i < n do {
//       loop (k = 1, xs: [k]f32 = start) ..      ->      let (own: [1]f32) = copy start
//     }                                                  loop (k = 1, xs: [k]f32 = own) ..
//                                                      }
//
// The memory of all threads for such an array is interleaved if it is theirs alone
// (gen/kmemory.c); one that is `start` in the first iteration lies as that does, with the threads'
// arrays one after the other, and their accesses do not coalesce.  Arrays of one size get buffers,
// which the loop starts from, in any case (mem/double_buffer.c).
//
// Requires: the pass `seq`.  Ensures: equal results.
#include "opt/opt.h"
#include "device/flatten.h"

typedef struct {
	Build b;
	Map bound;                              // in the kernel
	bool thread;                            // in what a thread does by itself
} Starts;

static bool changes_size(const Exp *loop, int k)
{
	Type t = vars[loop->loop.params.at[k].id].type;
	for EACH(Sub, d, t.dims)
		for EACH(Var, p, loop->loop.params)
			if (t.kind == T_DATA && d->kind == S_VAR && d->var.id == p->id)
				return true;
	return false;
}

static void own(Starts *w, Stm *s)
{
	const Exp *e = s->exp;
	for (int k = 0; k < e->loop.params.len; k++) {
		Sub init = e->loop.inits.at[k];
		if (!changes_size(e, k) || init.kind != S_VAR ||
		    map_has(&w->bound, var_key(init.var)) || !may_rewrite())
			continue;
		Exp *with = s->exp = exp_dup(s->exp);
		with->loop.inits = SLICE_DUP(Subs, with->loop.inits);
		with->loop.inits.at[k] =
			b_let(&w->b, "own", type_plain(sub_type(init)), EXP(copy, init));
	}
}

static void own_in_body(Visit *v, Body *body)
{
	Starts *w = v->ctx;
	b_open(&w->b);
	for EACH(Stm, at, body->stms) {
		Stm s = *at;
		bool before = w->thread;
		if (is_device_loop(s.attrs))
			w->thread = has_attr(s.attrs, ATTR_KERNEL) ||
			            has_attr(s.attrs, ATTR_THREADS);
		else if (s.exp->form == E_loop && w->thread)
			own(w, &s);
		if (form_has(s.exp->form, FORM_NEST))
			s.exp = exp_visit(s.exp, v);
		w->thread = before;
		b_emit(&w->b, s);
	}
	*body = b_close(&w->b, body->res);
}

Stm own_starts(Stm kernel)
{
	Starts w = {.thread = has_attr(kernel.attrs, ATTR_KERNEL)};
	Visit note = {.bind = note_binder, .ctx = &w.bound};
	Visit v = {.body = own_in_body, .copy = true, .ctx = &w};
	stm_walk(&kernel, &note);
	kernel.exp = exp_visit(kernel.exp, &v);
	return kernel;
}
