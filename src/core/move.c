// Moves a program to new memory, so that the garbage of earlier passes can be freed.
//
//     before:  [ program, old programs, tables of passes ]     after:  [ program ]
//
// Passes build new programs and free nothing; most of what they allocate is dead once the next pass
// has run.  Everything reachable from the program and from the types of its variables is moved,
// except for what lies outside the memory to be freed: descriptions of entry points, source
// positions and texts of messages are mostly older.
//
// Variables are renumbered without gaps, in their old order: most of them are dead by then, and the
// tables indexed by variable that nearly every pass has are as large as the largest number.
//
// Requires: no pass is running, so nothing else points to memory allocated since the fence.
// Ensures: neither do the program and the types of its variables; cached properties of functions
// (Fun.simple and so on) are preserved.
#include "core/core.h"

typedef struct {
	MemSpace old;
	Map places;                             // Where -> its copy
	const Where *asked, *answer;            // the last one, likely that of the next statement
	uint32_t *now;                          // by variable: its new number, or 0
	VEC(Var) seen;                          // the variables that have one, in its order
	uint32_t first;                         // of the new numbers
} Move;

static const Where *move_new_where(Move *m, const Where *w)
{
	if (!w || !mem_is_in(m->old, w))
		return w;
	Where *to = map_get(&m->places, w);
	if (!to) {
		to = NEW(Where, w->span, move_new_where(m, w->up), w->derived);
		map_put(&m->places, w, to);
	}
	return to;
}

static inline const Where *move_where(Move *m, const Where *w)
{
	if (w != m->asked) {
		m->answer = move_new_where(m, w);
		m->asked = w;
	}
	return m->answer;
}

static const char *move_text(Move *m, const char *s)
{
	return s && mem_is_in(m->old, s) ? mem_dup(s, strlen(s) + 1) : s;
}

static void move_attrs(Move *m, Attributes *attrs)
{
	if (attrs->len && mem_is_in(m->old, attrs->at))
		attrs->at = mem_dup(attrs->at, (size_t)attrs->len * sizeof *attrs->at);
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

static void number(Move *m, Var x)
{
	m->now[x.id] = m->first + (uint32_t)m->seen.len;
	VEC_PUSH(&m->seen, x);
}

static void note_bound(Visit *v, Var *x)
{
	((bool *)v->ctx)[x->id] = true;
}

static void number_all(Move *m, const Prog *prog)
{
	bool *bound = NEW_TABLE(bool, n_vars);
	Visit v = {.bind = note_bound, .ctx = bound};
	for EACH(Fun *, f, prog->funs)
		fun_visit(f, &v); // a walk: writes nothing
	for (uint32_t i = 1; i < n_vars; i++)
		if (bound[i])
			number(m, (Var){i});
	table_free(bound);
}

static void renumber(Visit *v, Var *x)
{
	Move *m = v->ctx;
	if (!m->now[x->id])
		number(m, *x);
	x->id = m->now[x->id];
}

static void renumber_operand(Visit *v, Sub *s)
{
	if (s->kind == S_VAR)
		renumber(v, &s->var);
}

static EntryType *move_entry_type(Move *m, EntryType *t)
{
	if (!mem_is_in(m->old, t))
		return t;
	t = mem_dup(t, sizeof *t);
	if (t->elem)
		t->elem = move_entry_type(m, t->elem);
	if (t->fields.len)
		t->fields.at = mem_dup(t->fields.at, (size_t)t->fields.len * sizeof *t->fields.at);
	for EACH(EntryField, f, t->fields)
		f->type = move_entry_type(m, f->type);
	return t;
}

// Of entry points that a pass has made (src/ad/sweeps.c), so only of flat values.
static EntryInfo *move_entry(Move *m, EntryInfo *e)
{
	if (!e || !mem_is_in(m->old, e))
		return e;
	e = mem_dup(e, sizeof *e);
	move_attrs(m, &e->attrs);
	e->result = move_entry_type(m, e->result);
	if (e->params.len)
		e->params.at = mem_dup(e->params.at, (size_t)e->params.len * sizeof *e->params.at);
	for EACH(EntryParam, p, e->params)
		p->type = move_entry_type(m, p->type);
	return e;
}

static void move_fun(Fun *f, Visit *v)
{
	Fun *to = f;
	fun_visit(&to, v);
	const Stm *old = f->body.stms.at, *stms = to->body.stms.at;
	to->simple = f->simple == old ? stms : NULL;
	to->lean = f->lean == old ? stms : NULL;
	to->distinct = f->distinct == old ? stms : NULL;
	to->reduced = f->reduced == old ? stms : NULL;
	to->callless = f->callless == old ? stms : NULL;
	to->where = move_where(v->ctx, f->where);
	move_attrs(v->ctx, &to->attrs);
	to->entry = move_entry(v->ctx, f->entry);
	*f = *to;
}

// Slices of operands are copied for a callback only.
static void stay(Visit *v, Sub *s)
{
	(void)v;
	(void)s;
}

static bool is_old(const Move *m, Type t)
{
	return (t.dims.len && mem_is_in(m->old, t.dims.at)) || t.acc || t.mem;
}

// Variables made before the fence are others' as well, and keep their numbers for these.
static void move_types(Move *m)
{
	Visit copy = {.sub = stay, .copy = true, .anew = true};
	Visit numbers = {.sub = renumber_operand, .copy = true, .anew = true, .ctx = m};
	int n = m->seen.len;
	VarInfo *infos = NEW_TABLE(VarInfo, n);
	for (int i = 0; i < n; i++) {
		infos[i] = vars[m->seen.at[i].id];
		type_visit(&infos[i].type, &numbers);
	}
	if (m->seen.len != n)
		bug("a type mentions a variable that nothing binds");
	for (uint32_t i = 1; i < m->first; i++)
		if (is_old(m, vars[i].type))
			type_visit(&vars[i].type, &copy);
	vars_reset(m->first);
	vars_reserve(m->first + (uint32_t)n);
	if (n)
		memcpy(vars + m->first, infos, (size_t)n * sizeof *infos);
	table_free(infos);
}

Prog *prog_move(const Prog *prog, MemMark fence, uint32_t first_new)
{
	Move m = {.old = mem_detach(fence), .now = NEW_TABLE(uint32_t, n_vars), .first = first_new};
	Map funs = {0};
	Visit v = {.sub = renumber_operand, .bind = renumber, .body = move_body, .funs = &funs,
	           .untyped = true, .copy = true, .anew = true, .ctx = &m};
	Prog *out = prog_copy(prog, &funs);
	number_all(&m, prog);
	for EACH(Fun *, f, out->funs)
		move_fun(*f, &v);
	move_types(&m);
	table_free(m.now);
	diag_move(); // warnings of passes
	mem_free(m.old);
	return out;
}
