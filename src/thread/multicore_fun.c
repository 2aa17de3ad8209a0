// Versions of functions with and without regions; see Note [Alone] of multicore.c.
#include "thread/multicore.h"

#include "opt/opt.h"

// What SOACs call has no regions.
Stm calls_alone(Multicore *m, const Stm *s)
{
	Stm t = *s;
	if (form_has(s->exp->form, FORM_SOAC) || s->exp->form == E_with_vjp) {
		Visit v = {.funs = &m->alone, .copy = true};
		t.exp = exp_visit(s->exp, &v);
	}
	return t;
}

static void make_alone(Fun *to, const Fun *from, const Map *alone)
{
	*to = *fun_rename(from, alone);
	to->name = name_of(text("%s.alone", from->name));
	to->entry = NULL;
	to->attrs = from->entry ? attr_of(ATTR_APART) : from->attrs;
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
	Fun names = {.res = f->res}, *copy = fun_rename(&names, NULL);
	Subs args = {NEW_ARRAY(Sub, f->params.len), f->params.len};
	Subs made = {NEW_ARRAY(Sub, f->res.len), f->res.len}, out = made;
	for (int i = 0; i < args.len; i++)
		args.at[i] = sub_var(f->params.at[i]);
	for (int i = 0; i < made.len; i++)
		made.at[i] = sub_var(copy->res.at[i]);
	b_open(b);
	b_stm(b, copy->res, EXP(call, .fn = (Fun *)alone, .args = args));
	Body yes = b_close(b, made);
	copy = fun_rename(&names, NULL);
	out = SLICE_DUP(Subs, made);
	for (int i = 0; i < out.len; i++) {
		vars[copy->res.at[i].id].type.unique = false;
		out.at[i] = sub_var(copy->res.at[i]);
	}
	b_stm(b, copy->res, EXP(if_, one, yes, regions));
	return b_close(b, out);
}

Prog *multicore(Prog *prog)
{
	Map copies = {0}, versions = {0};
	VEC(Fun *) funs = {0};
	Alias alias = alias_of(prog);
	Multicore m = {.alias = &alias};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = mem_dup(*f, sizeof **f), *alone = mem_dup(*f, sizeof **f);
		map_put(&copies, *f, g);
		map_put(&versions, *f, alone);
		map_put(&m.alone, g, alone);
		VEC_PUSH(&funs, g);
	}
	int n = funs.len;
	for (int i = 0; i < n; i++) {
		const Fun *f = prog->funs.at[i];
		make_alone(map_get(&versions, f), f, &versions);
		VEC_PUSH(&funs, map_get(&versions, f));
	}
	for (int i = 0; i < n; i++) {
		Fun *g = funs.at[i];
		Visit v = {.funs = &copies, .copy = true};
		body_visit(&g->body, &v);
		g->body = multicore_body(&m, &g->body);
	}
	for (int i = 0; i < n && m.has_regions; i++)
		if (funs.at[i]->entry)
			funs.at[i]->body = choose_version(&m, prog->funs.at[i], funs.at[n + i],
			                                  funs.at[i]->body);
	return NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage);
}
