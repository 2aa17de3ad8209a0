// Moving a program to new memory, so that what passes left behind can be freed.
//
//     before:  [ program, old programs, tables of passes ]     after:  [ program ]
//
// Passes build new programs and free nothing; most of what they allocate is dead once the next one
// has run.  What is moved is all that a program and the types of its variables reach, less what
// lies outside of the memory to be freed: descriptions of entry points, places in the source and
// texts of messages were mostly made before.
//
// Requires that nothing else points to what was allocated since the fence: no pass is running.
// Ensures that the program and the types of variables do not either; what was
// known of functions (Fun.simple and so on) still is.
#include "core/core.h"

typedef struct {
	MemSpace old;
	Map places;                             // Where -> its copy
	bool *bound;                            // variables that the program binds
} Move;

static const Where *move_where(Move *m, const Where *w)
{
	if (!w || !mem_is_in(m->old, w))
		return w;
	Where *to = map_get(&m->places, w);
	if (!to) {
		to = NEW(Where, w->span, move_where(m, w->up));
		map_put(&m->places, w, to);
	}
	return to;
}

static const char *move_text(Move *m, const char *s)
{
	return s && mem_is_in(m->old, s) ? mem_dup(s, strlen(s) + 1) : s;
}

static void move_attrs(Move *m, Attributes *attrs)
{
	if (attrs->len && mem_is_in(m->old, attrs->at))
		*attrs = SLICE_DUP(Attributes, *attrs);
}

// What a map over the program leaves as it is.
static void move_rest(Move *m, Exp *e)
{
	switch (e->form) {
	case E_rearrange:
		e->rearrange.perm.at = mem_dup(e->rearrange.perm.at,
		                               (size_t)e->rearrange.perm.len * sizeof(int));
		return;
	case E_assert_:
		for EACH(MsgPart, p, e->assert_.msg)
			p->text = move_text(m, p->text);
		return;
	case E_trace:
		e->trace.tag = move_text(m, e->trace.tag);
		return;
	default: // all of it is operands, binders and bodies
		return;
	}
}

static void move_body(Visit *v, Body *b)
{
	Move *m = v->ctx;
	body_visit(b, v);
	for EACH(Stm, s, b->stms) {
		s->where = move_where(m, s->where);
		move_attrs(m, &s->attrs);
		move_rest(m, s->exp);
	}
}

// Slices of operands are copied for a callback only.
static void stay(Visit *v, Sub *s)
{
	(void)v;
	(void)s;
}

static void note_bound(Visit *v, Var *x)
{
	((Move *)v->ctx)->bound[x->id] = true;
}

static void move_fun(Fun *f, Visit *v)
{
	Fun *to = f;
	fun_visit(&to, v);
	const Stm *old = f->body.stms.at, *stms = to->body.stms.at;
	to->simple = f->simple == old ? stms : NULL;
	to->lean = f->lean == old ? stms : NULL;
	to->distinct = f->distinct == old ? stms : NULL;
	to->callless = f->callless == old ? stms : NULL;
	to->where = move_where(v->ctx, f->where);
	move_attrs(v->ctx, &to->attrs);
	*f = *to;
}

// Of variables that the program does not bind: those made before the fence are others' as well.
static void move_types(const bool *bound, uint32_t first_new)
{
	Visit copy = {.sub = stay, .copy = true};
	for (uint32_t i = 1; i < n_vars; i++) {
		if (bound[i])
			continue;
		if (i < first_new)
			type_visit(&vars[i].type, &copy);
		else
			vars[i].type = (Type){0};
	}
}

Prog *prog_move(const Prog *prog, MemMark fence, uint32_t first_new)
{
	Move m = {.old = mem_detach(fence), .bound = NEW_TABLE(bool, n_vars)};
	Map funs = {0};
	Visit v = {.sub = stay, .bind = note_bound, .body = move_body, .funs = &funs, .copy = true,
	           .ctx = &m};
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs)
		move_fun(*f, &v);
	move_types(m.bound, first_new);
	table_free(m.bound);
	mem_free(m.old);
	return out;
}
