// Helpers shared by the passes over the MEM stage: copying programs, edits, common queries.
#include "mem/pass.h"

#include "opt/opt.h"

// ---- Copies ----

typedef struct { Map funs; Var *arrays; uint32_t n_old; } Copying; // by variable: its copy, or 0

static void replace(Visit *v, Sub *s)
{
	Copying *c = v->ctx;
	if (s->kind == S_VAR && s->var.id < c->n_old && c->arrays[s->var.id].id)
		s->var = c->arrays[s->var.id];
}

static void rename_array(Visit *v, Var *x)
{
	Copying *c = v->ctx;
	if (!type_is_array(vars[x->id].type))
		return;
	Var to = var_new(vars[x->id].hint, vars[x->id].type);
	c->arrays[x->id] = to;
	*x = to;
}

Prog *copy_arrays(const Prog *prog, FunTest *holds)
{
	Copying c = {.arrays = NEW_TABLE(Var, n_vars), .n_old = n_vars};
	Visit v = {.sub = replace, .bind = rename_array, .funs = &c.funs, .copy = true,
	           .ctx = &c}; // not shared: edits tell statements by their expressions
	Prog *out = prog_copy(prog, &c.funs);
	for (int i = 0; i < out->funs.len; i++) {
		Fun *f = out->funs.at[i], *copy = f;
		if (!holds(f)) {
			fun_new_callees(f, &c.funs);
			continue;
		}
		fun_visit(&copy, &v);
		*f = *copy;
	}
	table_free(c.arrays);
	return out;
}

// ---- Edits ----

static void add_edit(Edits *e, Map *m, const Exp *at, Stm s)
{
	StmVec *v = map_get(m, at);
	if (!v) {
		v = NEW_ARRAY(StmVec, 1);
		map_put(m, at, v);
		e->left++;
	}
	VEC_PUSH(v, s);
}

void edit_before(Edits *e, const Exp *at, Stm s)
{
	add_edit(e, &e->before, at, s);
}

void edit_after(Edits *e, const Exp *at, Stm s)
{
	add_edit(e, &e->after, at, s);
}

void edit_drop(Edits *e, const Exp *at)
{
	e->left += !map_has(&e->dead, at);
	map_put(&e->dead, at, e);
}

static void put_edits(Edits *, Map *, const Exp *at, StmVec *out);

static void put_edited(Edits *e, const Stm *s, StmVec *out)
{
	put_edits(e, &e->before, s->exp, out);
	if (map_has(&e->dead, s->exp))
		e->left--;
	else
		VEC_PUSH(out, *s);
	put_edits(e, &e->after, s->exp, out);
}

// What is added may have been edited itself.
static void put_edits(Edits *e, Map *m, const Exp *at, StmVec *out)
{
	const StmVec *v = map_get(m, at);
	if (!v)
		return;
	map_put(m, at, NULL);
	e->left--;
	for EACH(Stm, s, *v)
		put_edited(e, s, out);
}

void edit_body(Edits *e, Body *b)
{
	StmVec out = {0};
	if (!e->left)
		return;
	for EACH(Stm, s, b->stms)
		put_edited(e, s, &out);
	b->stms = VEC_SLICE(Stms, out);
}

// ---- Which operation gives a scalar ----

static void note_scalars(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_prim)
			map_put(v->ctx, var_key(s->pat.at[0]), s->exp);
		else if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

Map scalars_of(const Prog *prog)
{
	Map scalars = {0};
	Visit v = {.body = note_scalars, .ctx = &scalars};
	for EACH(Fun *, f, prog->funs)
		note_scalars(&v, &(*f)->body);
	return scalars;
}

// ---- Small questions ----

bool stm_is_in_place(const Stm *s)
{
	return has_attr(s->attrs, ATTR_IN_PLACE);
}
