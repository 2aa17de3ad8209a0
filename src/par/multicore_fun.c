// Functions with regions, and the same without: see Note [Alone] of multicore.c.
#include "par/multicore.h"

#include "opt/opt.h"

static void other_callee(Visit *v, Fun **f)
{
	Fun *to = map_get(v->ctx, *f);
	if (to)
		*f = to;
}

// What SOACs call has no regions.
Stm calls_alone(Multicore *m, const Stm *s)
{
	Stm t = *s;
	if (form_has(s->exp->form, FORM_SOAC) || s->exp->form == E_with_vjp) {
		Visit v = {.fun = other_callee, .copy = true, .ctx = &m->alone};
		t.exp = exp_visit(s->exp, &v);
	}
	return t;
}

typedef struct { Map funs; Map renamed; } Alone;  // funs: as calls_alone has them

static void rename_sub(Visit *v, Sub *s)
{
	Alone *a = v->ctx;
	const Sub *to = s->kind == S_VAR ? map_get(&a->renamed, var_key(s->var)) : NULL;
	if (to)
		*s = *to;
}

static void rename_binder(Visit *v, Var *x)
{
	Alone *a = v->ctx;
	Var old = *x;
	*x = var_new(vars[old.id].hint, vars[old.id].type);
	map_put(&a->renamed, var_key(old), NEW(Sub, .kind = S_VAR, .var = *x));
}

static void rename_callee(Visit *v, Fun **f)
{
	*f = map_get(&((Alone *)v->ctx)->funs, *f);
}

static void make_alone(Fun *to, const Fun *from, Alone *a)
{
	Visit v = {.sub = rename_sub, .bind = rename_binder, .fun = rename_callee, .copy = true,
	           .ctx = a};
	Fun *copy = (Fun *)from; // replaced by its copy before anything is written
	fun_visit(&copy, &v);
	*to = *copy;
	to->name = name_of(text("%s.alone", from->name));
	to->entry = NULL;
	to->attrs = from->entry ? with_attr((Attributes){0}, ATTR_APART) : from->attrs;
}

// See Note [Alone].
static Body choose_version(Multicore *m, const Fun *f, const Fun *alone, Body regions)
{
	Build *b = &m->b;
	Sub work;
	b_open(b);
	if (!most_of_fun(b, f, &work))
		work = sub_i64(INT64_MAX / 2);
	Sub one = b_eq(b, emit_chunks(m, sub_i64(MOST_CHUNKS), work, sub_i64(0)), sub_i64(1));
	Alone a = {0};
	Visit v = {.sub = rename_sub, .bind = rename_binder, .copy = true, .ctx = &a};
	Fun *copy = NEW(Fun, .res = f->res);
	fun_visit(&copy, &v);
	Subs args = {NEW_ARRAY(Sub, f->params.len), f->params.len};
	Subs made = {NEW_ARRAY(Sub, f->res.len), f->res.len}, out = made;
	for (int i = 0; i < args.len; i++)
		args.at[i] = sub_var(f->params.at[i]);
	for (int i = 0; i < made.len; i++)
		made.at[i] = sub_var(copy->res.at[i]);
	b_open(b);
	b_stm(b, copy->res, NEW(Exp, .form = E_call, .call = {.fn = (Fun *)alone, .args = args}));
	Body yes = b_close(b, made);
	copy = NEW(Fun, .res = f->res);
	fun_visit(&copy, &v);
	out = SLICE_DUP(Subs, made);
	for (int i = 0; i < out.len; i++) {
		vars[copy->res.at[i].id].type.unique = false;
		out.at[i] = sub_var(copy->res.at[i]);
	}
	b_stm(b, copy->res, NEW(Exp, .form = E_if_, .if_ = {one, yes, regions}));
	return b_close(b, out);
}

Prog *multicore(Prog *prog)
{
	Map copies = {0};
	Alone a = {0};
	VEC(Fun *) funs = {0};
	Alias alias = alias_of(prog);
	Multicore m = {.alias = &alias};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = mem_dup(*f, sizeof **f), *alone = mem_dup(*f, sizeof **f);
		map_put(&copies, *f, g);
		map_put(&a.funs, *f, alone);
		map_put(&m.alone, g, alone);
		VEC_PUSH(&funs, g);
	}
	int n = funs.len;
	for (int i = 0; i < n; i++) {
		const Fun *f = prog->funs.at[i];
		make_alone(map_get(&a.funs, f), f, &a);
		VEC_PUSH(&funs, map_get(&a.funs, f));
	}
	for (int i = 0; i < n; i++) {
		Fun *g = funs.at[i];
		Visit v = {.fun = other_callee, .copy = true, .ctx = &copies};
		body_visit(&g->body, &v);
		g->body = multicore_body(&m, &g->body);
	}
	for (int i = 0; i < n && m.has_regions; i++)
		if (funs.at[i]->entry)
			funs.at[i]->body = choose_version(&m, prog->funs.at[i], funs.at[n + i],
			                                  funs.at[i]->body);
	return dce(NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage));
}
