// The pass `one_thread` (one_thread.c): what a thread can do of what the host does, and writes that
// go up to the run that computes what is written.
#include "device/one_thread.h"
#include "opt/opt.h"

// ---- What a thread can do ----

typedef struct { bool possible, elements; } Look;

static void look_at_body(Visit *v, Body *b);

// Statements inside of branches and loops; they may have arrays of their own.
static void look_at(Look *l, const Stm *s)
{
	switch (s->exp->form) {
	case E_index: case E_update:
		l->elements = true;
		return;
	case E_atom: case E_prim: case E_convert: case E_slice: case E_scratch: case E_reshape:
	case E_rearrange: case E_copy: case E_array: case E_concat: case E_iota: case E_replicate:
	case E_assert_:
		return;
	case E_loop:
		if (is_device_loop(s->attrs) || has_attr(s->attrs, ATTR_REGION))
			l->possible = false;
		break;
	case E_if_: case E_match:
		break;
	default: // SOACs, calls, traces, what code generation decides
		l->possible = false;
		return;
	}
	Visit v = {.body = look_at_body, .ctx = l};
	exp_visit(s->exp, &v);
}

static void look_at_body(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		look_at(v->ctx, s);
}

bool has_elements(const Stm *s)
{
	Form f = s->exp->form;
	if (f != E_loop && f != E_if_ && f != E_match)
		return false;
	Look l = {true, false};
	look_at(&l, s);
	return l.possible && l.elements;
}

// ---- Early writes ----

// Note [Early].  `update log [i] x` behind other kernels, where the x of a run would have to be
// kept for it: it goes up to the end of that run, with the scalars that it needs besides.  Nothing
// that it passes may have to do with the array, by any name.

static bool is_light(const Stm *s)
{
	const Exp *e = s->exp;
	if (s->certs.len || s->pat.len != 1)
		return false;
	if (e->form == E_update)
		return !type_is_array(sub_type(e->update.val));
	return e->form == E_index || e->form == E_convert ||
	       (e->form == E_prim && !prim_can_fail(e->prim.op, e->prim.at));
}

static bool is_run_form(const Stm *s)
{
	Form f = s->exp->form;
	return is_light(s) || f == E_assert_ || ((f == E_loop || f == E_if_) && has_elements(s));
}

typedef struct {
	Alias *alias;
	VEC(Stm) out;
	Map at;                                 // variable -> where it is bound in `out`
	int from;                               // where the run of the write begins
	int latest;                             // what it needs of what is before
	bool reads;                             // ... and has to be kept for it
	VEC(int) along;                         // statements of its run that it needs
	bool fails;
} Early;

static void need_early(Visit *v, Sub *s);

static void need_at(Early *e, Var x, int at)
{
	const Stm *def = &e->out.at[at];
	if (at < e->from) {
		e->latest = at > e->latest ? at : e->latest;
		e->reads |= type_is_scalar(vars[x.id].type) && is_run_form(def) &&
		            def->exp->form != E_update;
		return;
	}
	for EACH(int, other, e->along)
		if (*other == at)
			return;
	e->fails |= !is_light(def) || def->exp->form == E_update;
	Visit v = {.sub = need_early, .ctx = e};
	Stm copy = *def;
	if (!e->fails) // else its sizes may be its own results
		stm_walk(&copy, &v);
	VEC_PUSH(&e->along, at);
}

static void need_early(Visit *v, Sub *s)
{
	Early *e = v->ctx;
	const int *at = s->kind == S_VAR ? map_get(&e->at, var_key(s->var)) : NULL;
	if (at)
		need_at(e, s->var, *at);
}

typedef struct { Alias *alias; uint32_t class; } Touch;

static bool is_of_class(void *touch, Sub x)
{
	const Touch *t = touch;
	return x.kind == S_VAR && type_is_array(vars[x.var.id].type) &&
	       alias_class(t->alias, x.var) == t->class;
}

// Does the statement mention something that may be the array?
static bool touches(Alias *alias, const Stm *s, Var array)
{
	return stm_any(s, is_of_class, &(Touch){alias, alias_class(alias, array)});
}

static void move_up(Early *e, int from, int to)
{
	Stm s = e->out.at[from];
	memmove(e->out.at + to + 1, e->out.at + to, (from - to) * sizeof s);
	e->out.at[to] = s;
}

static void note_places(Early *e, int from)
{
	for (int i = from; i < e->out.len; i++)
		for EACH(Var, x, e->out.at[i].pat)
			map_put(&e->at, var_key(*x), mem_dup(&i, sizeof i));
}

// Moves the last statement, a write, if that is of use; gives the first place that has changed.
static int move_write(Early *e)
{
	int last = e->out.len - 1, to;
	const Stm *write = &e->out.at[last];
	Visit v = {.sub = need_early, .ctx = e};
	Stm copy = *write;
	e->latest = -1;
	e->reads = e->fails = false;
	e->along.len = 0;
	stm_walk(&copy, &v);
	for (to = e->latest + 1; to < e->from && is_run_form(&e->out.at[to]);)
		to++;
	bool moves = e->reads && !e->fails && to < e->from;
	for (int i = to; moves && i < last; i++)
		moves = !touches(e->alias, &e->out.at[i], write->exp->update.arr.var);
	if (!moves || !may_rewrite())
		return last;
	int first = to;
	for (int i = e->from; i < last; i++)
		for EACH(int, at, e->along)
			if (*at == i)
				move_up(e, i, to++);
	move_up(e, last, to++);
	e->from += to - first;
	return first;
}

Stms write_early(Alias *alias, Stms stms)
{
	Early e = {.alias = alias};
	for EACH(Stm, s, stms) {
		int changed = e.out.len;
		VEC_PUSH(&e.out, *s);
		if (!is_run_form(s))
			e.from = e.out.len;
		else if (s->exp->form == E_update)
			changed = move_write(&e);
		note_places(&e, changed);
	}
	return VEC_SLICE(Stms, e.out);
}
