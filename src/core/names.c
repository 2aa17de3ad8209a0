// Free variables, substitution and renaming, each a pair of callbacks on the traversal.
//
// Names are unique in the program, so substitution needs no care for capture, and a
// variable bound anywhere inside a body is not free in it.  Sets and substitutions are maps
// keyed by id, not tables of all variables: their cost is that of the body, not of the program.
#include "core/core.h"

// ---- Free variables ----

typedef struct { Map bound, seen; VEC(Var) free; } Free;

static void note_use(Visit *v, Sub *s)
{
	Free *f = v->ctx;
	if (s->kind != S_VAR || map_has(&f->bound, var_key(s->var)) ||
	    map_has(&f->seen, var_key(s->var)))
		return;
	map_put(&f->seen, var_key(s->var), f);
	VEC_PUSH(&f->free, s->var);
}

static void note_bind(Visit *v, Var *x)
{
	Free *f = v->ctx;
	map_put(&f->bound, var_key(*x), f);
}

typedef struct { const Map *of; bool found; } Mentions;

static void look_for(Visit *v, Sub *s)
{
	Mentions *m = v->ctx;
	m->found |= s->kind == S_VAR && map_has(m->of, var_key(s->var));
}

bool stm_mentions(const Stm *s, const Map *of)
{
	Mentions m = {of, false};
	Visit v = {.sub = look_for, .ctx = &m};
	Stm copy = *s;
	stm_visit(&copy, &v); // a walk: writes nothing
	return m.found;
}

Vars free_in_body(const Body *b)
{
	Free f = {0};
	Visit v = {.sub = note_use, .bind = note_bind, .ctx = &f};
	body_visit((Body *)b, &v); // a walk: writes nothing
	return VEC_SLICE(Vars, f.free);
}

Vars free_in_lambda(const Lambda *l)
{
	Free f = {0};
	Visit v = {.sub = note_use, .bind = note_bind, .ctx = &f};
	lambda_visit((Lambda **)&l, &v); // a walk: writes nothing
	return VEC_SLICE(Vars, f.free);
}

// ---- Substitution ----

static void replace(Visit *v, Sub *s)
{
	if (s->kind != S_VAR)
		return;
	const Sub *to = map_get(v->ctx, var_key(s->var));
	if (to)
		*s = *to;
}

Body body_subst(Body b, Map *to)
{
	Visit v = {.sub = replace, .copy = true, .ctx = to};
	body_visit(&b, &v);
	return b;
}

// ---- Renaming ----

static void rename_binder(Visit *v, Var *x)
{
	Var old = *x;
	*x = var_new(vars[old.id].hint, vars[old.id].type);
	map_put(v->ctx, var_key(old), NEW(Sub, .kind = S_VAR, .var = *x));
}

Lambda *lambda_rename(const Lambda *l)
{
	Map to = {0};
	Visit v = {.sub = replace, .bind = rename_binder, .copy = true, .ctx = &to};
	Lambda *out = (Lambda *)l; // replaced by its copy before anything is written
	lambda_visit(&out, &v);
	return out;
}

Body body_rename(Body b)
{
	Map to = {0};
	Visit v = {.sub = replace, .bind = rename_binder, .copy = true, .ctx = &to};
	body_visit(&b, &v);
	return b;
}
