// Free variables, substitution and renaming, each implemented as a pair of callbacks on the
// traversal.
//
// Names are unique in the program, so substitution cannot capture, and a variable bound anywhere
// inside a body is not free in it.  Sets and substitutions are maps keyed by id rather than tables
// of all variables: their cost is that of the body, not of the program.
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

typedef struct { SubTest *holds; void *ctx; bool found; } Search;

static void look_at(Visit *v, Sub *x)
{
	Search *s = v->ctx;
	s->found = s->found || s->holds(s->ctx, *x);
	v->stop = s->found;
}

bool exp_any(const Exp *e, SubTest *holds, void *ctx)
{
	Search s = {holds, ctx, false};
	Visit v = {.sub = look_at, .ctx = &s};
	exp_walk(e, &v);
	return s.found;
}

bool stm_any(const Stm *stm, SubTest *holds, void *ctx)
{
	Search s = {holds, ctx, false};
	Visit v = {.sub = look_at, .ctx = &s};
	stm_walk(stm, &v);
	return s.found;
}

bool types_any(Vars xs, SubTest *holds, void *ctx)
{
	Search s = {holds, ctx, false};
	Visit v = {.sub = look_at, .ctx = &s};
	for EACH(Var, x, xs) {
		Type t = vars[x->id].type;
		type_visit(&t, &v);
	}
	return s.found;
}

bool is_one_of(void *set, Sub x)
{
	return x.kind == S_VAR && map_has(set, var_key(x.var));
}

Vars free_in_body(const Body *b)
{
	Free f = {0};
	Visit v = {.sub = note_use, .bind = note_bind, .ctx = &f};
	body_walk(b, &v);
	return VEC_SLICE(Vars, f.free);
}

Vars free_in_stm(const Stm *s)
{
	return free_in_body(&(Body){.stms = {(Stm *)s, 1}});
}

Vars free_in_lambda(const Lambda *l)
{
	Free f = {0};
	Visit v = {.sub = note_use, .bind = note_bind, .ctx = &f};
	lambda_visit((Lambda **)&l, &v); // a walk: writes nothing
	return VEC_SLICE(Vars, f.free);
}

typedef struct { Var var; int uses; } UseCount;

static void count_use(Visit *v, Sub *s)
{
	UseCount *c = v->ctx;
	c->uses += s->kind == S_VAR && s->var.id == c->var.id;
}

int n_uses_in(const Body *b, Var x)
{
	UseCount c = {x, 0};
	Visit v = {.sub = count_use, .ctx = &c};
	body_walk(b, &v);
	return c.uses;
}

void count_operand(Visit *v, Sub *s)
{
	Map *counts = v->ctx;
	if (s->kind == S_VAR)
		map_put(counts, var_key(s->var),
		        (void *)((uintptr_t)map_get(counts, var_key(s->var)) + 1));
}

int n_counted(const Map *counts, Var x)
{
	return (int)(uintptr_t)map_get(counts, var_key(x));
}

void note_binder(Visit *v, Var *x)
{
	map_put(v->ctx, var_key(*x), v->ctx);
}

void map_defs(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->pat.len == 1)
			map_put(v->ctx, var_key(s->pat.at[0]), s->exp);
	body_visit(b, v);
}

void note_operand(Visit *v, Sub *s)
{
	if (s->kind == S_VAR)
		map_put(v->ctx, var_key(s->var), v->ctx);
}

Body body_part(const Body *b, Subs res, Map *needed)
{
	Visit v = {.sub = note_operand, .ctx = needed};
	for EACH(Sub, r, res)
		note_operand(&v, r);
	Stms out = {NEW_ARRAY(Stm, b->stms.len), b->stms.len};
	int at = out.len;
	for (int i = b->stms.len; i-- > 0;) {
		Stm s = b->stms.at[i];
		if (!vars_any_in(s.pat, needed))
			continue;
		stm_walk(&s, &v);
		out.at[--at] = s;
	}
	return (Body){{out.at + at, out.len - at}, res};
}

// ---- Substitution ----

void subst_put(Map *to, Var v, Sub x)
{
	map_put(to, var_key(v), mem_dup(&x, sizeof x));
}

Sub sub_subst(const Map *to, Sub s)
{
	const Sub *x = s.kind == S_VAR ? map_get(to, var_key(s.var)) : NULL;
	return x ? *x : s;
}

void subst_operand(Visit *v, Sub *s)
{
	*s = sub_subst(v->ctx, *s);
}

Exp *exp_subst(Exp *e, Map *to)
{
	Visit v = {.sub = subst_operand, .flat = true, .copy = true, .share = true, .ctx = to};
	return exp_visit(e, &v);
}

Body body_subst(Body b, Map *to)
{
	Visit v = {.sub = subst_operand, .copy = true, .ctx = to};
	body_visit(&b, &v);
	return b;
}

// ---- Renaming ----

Var var_rename(Map *to, Var old)
{
	Var x = var_new(vars[old.id].hint, vars[old.id].type);
	subst_put(to, old, sub_var(x));
	return x;
}

static void rename_binder(Visit *v, Var *x)
{
	*x = var_rename(v->ctx, *x);
}

Lambda *lambda_rename(const Lambda *l)
{
	Map to = {0};
	Visit v = {.sub = subst_operand, .bind = rename_binder, .copy = true, .ctx = &to};
	Lambda *out = (Lambda *)l; // replaced by its copy before anything is written
	lambda_visit(&out, &v);
	return out;
}

Reductions reductions_rename(Reductions rs)
{
	Reductions out = SLICE_DUP(Reductions, rs);
	for EACH(Reduction, r, out)
		r->op = lambda_rename(r->op);
	return out;
}

Body body_rename(Body b)
{
	Map to = {0};
	Visit v = {.sub = subst_operand, .bind = rename_binder, .copy = true, .ctx = &to};
	body_visit(&b, &v);
	return b;
}

Fun *fun_rename(const Fun *f, const Map *funs)
{
	Map to = {0};
	Visit v = {.sub = subst_operand, .bind = rename_binder, .funs = funs, .copy = true,
	           .ctx = &to};
	Fun *out = (Fun *)f; // replaced by its copy before anything is written
	fun_visit(&out, &v);
	return out;
}
