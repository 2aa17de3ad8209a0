// Finds arrays that occupy the same memory, before memory is assigned.
//
//     let (b: [n]f64) = update a [i] x                 b is where a is
//     let (c: [n]f64) = if p then {b} else {b}         and c
//     let (r: [n]f64) = loop (q: *[n]f64 = c) ... {    and, since the body's result is where q is,
//       let (s: [n]f64) = update q [j] y               q, s and r
//       in s
//     }
//
// The root of an array is the first array known to have the same place and layout.  A loop
// parameter that is the root of its next value is updated in place.  Views at another place (slice,
// reshape, rearrange) start a new root, as do fresh arrays.
//
// This takes one walk, which visits each statement once: a loop parameter is treated as a root of
// its own while the body is visited, and joined to its initial value afterwards.
//
// Note [Functions].  A function that returns a parameter in the place where it was, usually after
// updating it, returns no block but works in its caller's.  This is assumed of each result for
// which there is such a parameter until it is refuted, so that it holds for recursive functions
// too.  A view passed as an argument is copied for the call, so it is not the root of the result;
// which arrays are views must be known for that, which may take further walks.
#include "mem/place.h"

typedef struct {
	Roots r;
	uint32_t *born;                         // by variable: when it was bound
	uint32_t now;
	bool calls, more_views;                 // a call that matters; a view that was none
} Walk;

static void look_at_body(Walk *, const Body *);

static void bind(Walk *w, Var v)
{
	w->r.root[v.id] = v.id;
	w->born[v.id] = w->now++;
}

static uint32_t root_of(const Walk *w, Sub s)
{
	return s.kind == S_VAR ? w->r.root[s.var.id] : 0;
}

static void view_if(Walk *w, Var v, bool view)
{
	w->more_views |= view && !w->r.view[v.id];
	w->r.view[v.id] |= view;
}

static void join(Walk *w, Var v, Sub to)
{
	if (to.kind != S_VAR || !type_is_array(vars[v.id].type))
		return;
	w->r.root[v.id] = root_of(w, to);
	view_if(w, v, w->r.view[to.var.id]);
}

// The results of a branch, against those of the branches before it.
static void join_branch(Walk *w, Vars pat, const Body *b, uint32_t start, bool first)
{
	look_at_body(w, b);
	for (int i = 0; i < pat.len; i++) {
		Var v = pat.at[i];
		Sub s = b->res.at[i];
		if (!type_is_array(vars[v.id].type))
			continue;
		uint32_t r = root_of(w, s);
		bool outer = w->born[r] < start;
		if (first)
			w->r.root[v.id] = outer ? r : 0;
		else if (w->r.root[v.id] != r)
			w->r.root[v.id] = 0;
		view_if(w, v, w->r.view[s.var.id]);
	}
}

static void end_branches(Walk *w, Vars pat)
{
	for EACH(Var, v, pat) {
		uint32_t r = w->r.root[v->id];
		bind(w, *v);
		if (r)
			w->r.root[v->id] = r;
	}
}

static void look_at_loop(Walk *w, const Stm *s)
{
	const Exp *e = s->exp;
	for EACH(Var, p, e->loop.params)
		bind(w, *p);
	for (int i = 0; i < e->loop.params.len; i++)
		if (e->loop.inits.at[i].kind == S_VAR)
			view_if(w, e->loop.params.at[i], w->r.view[e->loop.inits.at[i].var.id]);
	look_at_body(w, &e->loop.body);
	for (int i = 0; i < e->loop.params.len; i++) {
		Var p = e->loop.params.at[i], v = s->pat.at[i];
		bind(w, v);
		if (!type_is_array(vars[p.id].type))
			continue;
		uint32_t next = root_of(w, e->loop.body.res.at[i]);
		w->r.in_place[p.id] = next == p.id || next == root_of(w, e->loop.inits.at[i]);
		view_if(w, p, w->r.view[e->loop.body.res.at[i].var.id]);
		if (w->r.in_place[p.id])
			join(w, v, e->loop.inits.at[i]);
		view_if(w, v, w->r.view[p.id]);
	}
}

static void look_at_call(Walk *w, const Stm *s)
{
	const Exp *e = s->exp;
	for (int i = 0; i < s->pat.len; i++) {
		int k = given_of(&w->r.given, e->call.fn, i);
		if (k < 0)
			continue;
		w->calls = true;
		if (!w->r.view[e->call.args.at[k].var.id])
			join(w, s->pat.at[i], e->call.args.at[k]);
	}
}

static void look_at(Walk *w, const Stm *s)
{
	const Exp *e = s->exp;
	uint32_t start = w->now;
	switch (e->form) {
	case E_if_:
		join_branch(w, s->pat, &e->if_.yes, start, true);
		join_branch(w, s->pat, &e->if_.no, start, false);
		end_branches(w, s->pat);
		return;
	case E_match:
		join_branch(w, s->pat, &e->match.other, start, true);
		for EACH(CoreCase, c, e->match.cases)
			join_branch(w, s->pat, &c->body, start, false);
		end_branches(w, s->pat);
		return;
	case E_loop:
		look_at_loop(w, s);
		return;
	default: // has no nested bodies at this stage
		break;
	}
	for EACH(Var, v, s->pat)
		bind(w, *v);
	if (e->form == E_atom)
		join(w, s->pat.at[0], e->atom.x);
	else if (e->form == E_update)
		join(w, s->pat.at[0], e->update.arr);
	else if (e->form == E_trace || e->form == E_opaque)
		for (int i = 0; i < s->pat.len; i++)
			join(w, s->pat.at[i], e->form == E_trace ? e->trace.xs.at[i]
			                                         : e->opaque.xs.at[i]);
	else if (e->form == E_slice || e->form == E_reshape || e->form == E_rearrange)
		view_if(w, s->pat.at[0], true);
	else if (e->form == E_call)
		look_at_call(w, s);
}

static void look_at_body(Walk *w, const Body *b)
{
	for EACH(Stm, s, b->stms)
		look_at(w, s);
}

Roots roots_of_fun(Roots r, uint32_t *born, const Fun *f)
{
	Walk w = {.r = r, .born = born};
	do {
		w.now = 1;
		w.calls = w.more_views = false;
		for EACH(Var, p, f->params)
			bind(&w, *p);
		look_at_body(&w, &f->body);
	} while (w.calls && w.more_views);
	return w.r;
}

// ---- Functions ----

int given_of(const Map *given, const Fun *f, int result)
{
	const int *from = map_get(given, f);
	return from ? from[result] : -1;
}

// For each array among the results, the first parameter of its kind that is the function's own.
static bool assume_given(Map *given, const Fun *f)
{
	int *from = NEW_ARRAY(int, f->res.len);
	bool *taken = NEW_ARRAY(bool, f->params.len), any = false;
	for (int i = 0; i < f->res.len; i++) {
		Type t = vars[f->res.at[i].id].type;
		from[i] = -1;
		for (int k = 0; k < f->params.len && type_is_array(t) && from[i] < 0; k++) {
			Type p = vars[f->params.at[k].id].type;
			if (type_is_array(p) && p.unique && !taken[k] && p.elem == t.elem &&
			    p.dims.len == t.dims.len)
				from[i] = k;
		}
		if (from[i] >= 0)
			any = taken[from[i]] = true;
	}
	if (any)
		map_put(given, f, from);
	return any;
}

// Drops what was wrong to assume.
static bool drop_wrong(const Roots *r, const Fun *f)
{
	bool any = false;
	int *from = map_get(&r->given, f);
	for (int i = 0; i < f->res.len && from; i++) {
		Sub x = f->body.res.at[i];
		if (from[i] < 0 ||
		    (x.kind == S_VAR && r->root[x.var.id] == f->params.at[from[i]].id))
			continue;
		from[i] = -1;
		any = true;
	}
	return any;
}

Map find_given(Roots r, uint32_t *born, const Prog *prog)
{
	bool again = false;
	for EACH(Fun *, f, prog->funs)
		again |= !(*f)->entry && assume_given(&r.given, *f);
	while (again) {
		again = false;
		for EACH(Fun *, f, prog->funs) {
			if (!map_has(&r.given, *f))
				continue;
			r = roots_of_fun(r, born, *f);
			again |= drop_wrong(&r, *f);
		}
	}
	return r.given;
}
