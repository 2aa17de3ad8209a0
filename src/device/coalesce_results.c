// For the pass `coalesce`: layouts of results whose rows threads build in place.
//
// A row of a result that its thread writes and reads element by element gets the memory it is going
// to have at once (mem/shortcircuit.c).  If that is row-major, none of these accesses coalesces, so
// the result is column-major first:
//
//     #[kernel] let (ys: [n][m]f64) = loop (o: *[n][m]f64 = out) for i: i64 < n do {
//       let (row: [m]f64) = loop (r: *[m]f64 = zeros) for j: i64 < m do {.. r[j - 1] ..}
//       in o with [i, 0:m:1] = row
//     }
// becomes
//     let (t: [m][n]f64) = scratch.f64 [m][n]
//     let (v: [n][m]f64) = rearrange (1, 0) t
//     #[kernel] let (built: [n][m]f64) = loop (o: *[n][m]f64 = v) for i: i64 < n do {..}
//     let (ys: [n][m]f64) = copy built
//
// Later kernels read `built` where the accesses of their threads are such; if all do, the copy is
// dead.  An element that is accessed just once is written where it belongs.
//
// Requires and ensures: see coalesce.c.
#include "device/coalesce.h"
#include "loop/loop.h"

typedef struct { const Stm *loop, *update; } Writer; // of rows; loop: of the threads

static const Stm *binding_stm(const Body *b, Sub x)
{
	for EACH(const Stm, s, b->stms)
		if (x.kind == S_VAR && vars_find(s->pat, x) >= 0)
			return s;
	return NULL;
}

// What writes to parameter k of a loop of threads or blocks, if that is one statement.
static bool find_writer(const Stm *loop, int k, Writer *w)
{
	const Exp *e = loop->exp;
	Sub res = e->loop.body.res.at[k], param = sub_var(e->loop.params.at[k]);
	const Stm *s = binding_stm(&e->loop.body, res);
	if (s && s->exp->form == E_update && sub_eq(s->exp->update.arr, param)) {
		*w = (Writer){loop, s};
		return true;
	}
	if (!s || s->exp->form != E_loop || !is_device_loop(s->attrs))
		return false;
	int at = vars_find(s->pat, res);
	return sub_eq(s->exp->loop.inits.at[at], param) && find_writer(s, at, w);
}

typedef struct { Map *names; bool read; } Chain;

static bool is_named(const Chain *c, Sub x)
{
	return x.kind == S_VAR && map_has(c->names, var_key(x.var));
}

// Is result k of the statement the array again?
static bool hands_on(const Chain *c, const Exp *e, int k)
{
	switch (e->form) {
	case E_update:
		return is_named(c, e->update.arr);
	case E_loop:
		return is_named(c, e->loop.inits.at[k]);
	case E_if_:
		return is_named(c, e->if_.yes.res.at[k]) || is_named(c, e->if_.no.res.at[k]);
	default:
		return false;
	}
}

static void follow_chain(Visit *v, Body *b)
{
	Chain *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool nest = form_has(e->form, FORM_NEST);
		for (int k = 0; e->form == E_loop && k < e->loop.params.len; k++)
			if (is_named(c, e->loop.inits.at[k]))
				map_put(c->names, var_key(e->loop.params.at[k]), c);
		if (nest)
			exp_visit(s->exp, v);
		c->read |= !nest && e->form != E_update && stm_mentions(s, c->names);
		for (int k = 0; k < s->pat.len; k++)
			if (hands_on(c, e, k))
				map_put(c->names, var_key(s->pat.at[k]), c);
	}
}

bool follow_updates(Body *b, Var arr, Map *names)
{
	Chain c = {names, false};
	Visit v = {.body = follow_chain, .ctx = &c};
	map_put(names, var_key(arr), names);
	follow_chain(&v, b);
	return c.read;
}

// Is this the result of a loop that accesses its elements more than once?
static bool is_built(const Body *b, Sub row)
{
	const Stm *s = binding_stm(b, row);
	if (!s || s->exp->form != E_loop || is_device_loop(s->attrs))
		return false;
	int k = vars_find(s->pat, row);
	const Exp *e = s->exp, *init = def_in(b, e->loop.inits.at[k]);
	if (!init || init->form != E_scratch)
		return true;
	return follow_updates((Body *)&e->loop.body, e->loop.params.at[k], &(Map){0});
}

// The dimension of result k along which neighbouring threads have their rows, if these are built in
// place and all of it is new; or -1.
static int dim_of_rows(const Stm *kernel, int k, Writer *w)
{
	Type t = vars[kernel->pat.at[k].id].type;
	if (!find_writer(kernel, k, w) || has_attr(w->loop->attrs, ATTR_BLOCKS) ||
	    w->loop->exp->loop.n.kind == S_CONST ||
	    !is_built(&w->loop->exp->loop.body, w->update->exp->update.val))
		return -1;
	Innermost in = innermost_of(kernel);
	Thread of = thread_of(kernel, &in, w->loop);
	Slices at = w->update->exp->update.at;
	int found = -1;
	for (int d = 0; d < at.len; d++) {
		if (!at.at[d].fixed)
			continue;
		if (counts(&of, at.at[d].start) && found < 0)
			found = d;
		else if (differs(&of, at.at[d].start))
			return -1;
	}
	return found < 0 || at.at[t.dims.len - 1].fixed || is_narrow(t, found) ? -1 : found;
}

// Is that new memory, made by this body or one that it is a branch of?
static bool is_new(const Scope *here, Sub x)
{
	for (const Scope *at = here; x.kind == S_VAR && at; at = at->loop ? NULL : at->up)
		for EACH(const Stm, s, at->out)
			if (s->pat.len == 1 && s->pat.at[0].id == x.var.id)
				return s->exp->form == E_scratch;
	return false;
}

// New memory for result k, with the dimensions of rows first.
static Sub emit_turned(Scope *here, const Stm *kernel, int k, Slices at)
{
	Type t = type_plain(vars[kernel->pat.at[k].id].type);
	Subs dims = t.dims;
	int *back = NEW_ARRAY(int, dims.len), n = 0;
	t.dims = SLICE_DUP(Subs, dims);
	for (int fixed = 0; fixed < 2; fixed++)
		for (int d = 0; d < dims.len; d++)
			if (at.at[d].fixed == fixed) {
				t.dims.at[n] = dims.at[d];
				back[d] = n++;
			}
	Sub turned = emit_stm(&here->out, "turned", t, EXP(scratch, t.elem, t.dims), kernel->where);
	return emit_rearrange(&here->out, turned, back, kernel->where);
}

// Gives the row-major copies of results, for after the kernel.
Stms turn_results(Scope *here, Stm *kernel)
{
	StmVec copies = {0};
	for (int k = 0; k < kernel->pat.len; k++) {
		Writer w;
		Var to = kernel->pat.at[k];
		int d = dim_of_rows(kernel, k, &w);
		if (d < 0 || !is_new(here, kernel->exp->loop.inits.at[k]) || !may_rewrite())
			continue;
		Var built = var_new(name_of("built"), type_plain(vars[to.id].type));
		kernel->exp = exp_dup(kernel->exp);
		kernel->exp->loop.inits = SLICE_DUP(Subs, kernel->exp->loop.inits);
		kernel->exp->loop.inits.at[k] =
			emit_turned(here, kernel, k, w.update->exp->update.at);
		kernel->pat = SLICE_DUP(Vars, kernel->pat);
		kernel->pat.at[k] = built;
		VEC_PUSH(&copies, (Stm){.pat = vars_of(1, to), .exp = EXP(copy, sub_var(built)),
		                        .where = kernel->where});
		VEC_PUSH(&here->copies, (Copy){to, built, d});
	}
	return VEC_SLICE(Stms, copies);
}
