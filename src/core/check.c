// The core checker: names and scopes here, types in check_types.c, consumption in
// check_use.c, places in memory in check_mem.c.  They run one after the other on each function;
// each may rely on those before.
//
// Scope: every variable is bound once in the whole program, before its uses, and used where it
// is in scope.  A variable bound in a body or lambda is in scope until its end.  Sizes in
// types are uses.  Result types of a lambda mention nothing bound by it, except for
// accumulators' tokens, and for flatmap, whose results are a telescope.  A memory block is
// released at most once, by the body that binds it, and not mentioned afterwards; nor is an
// array that lies in it.
//
// A message names the rule, the function and the statement:
//
//     variable y_4 is not in scope
//       in function main, statement:
//         let (x_3: f64) = mul.f64 y_4 y_4
#include "core/check_core.h"

NORETURN void core_wrong(Check *c, const char *fmt, ...)
{
	enum { MAX_LINES = 12 };
	va_list ap;
	va_start(ap, fmt);
	Str out = {0};
	str_vprintf(&out, fmt, ap);
	va_end(ap);
	if (c->fun)
		str_printf(&out, "\n  in function %s", c->fun->name);
	if (c->stm) {
		str_puts(&out, ", statement:\n    ");
		int lines = 0;
		const char *s = show_stm(c->stm);
		for (; *s && lines < MAX_LINES; s++) {
			str_putc(&out, *s);
			if (*s == '\n') {
				lines++;
				str_puts(&out, "    ");
			}
		}
		if (*s)
			str_puts(&out, "...");
	}
	c->message = str_text(&out);
	longjmp(c->env, 1);
}

// ---- Scope ----

typedef enum { UNBOUND, IN_SCOPE, RELEASED, CLOSED } State;
typedef struct {
	Check *c;
	uint8_t *state;                         // of each variable
	int *depth;                             // of each block: the body that binds it
	int body;                               // depth of the body at hand
	VEC(Var) open;                          // bound in the scopes that are open
} Scopes;

static void close_scopes(Scopes *s, int mark)
{
	while (s->open.len > mark)
		s->state[s->open.at[--s->open.len].id] = CLOSED;
}

static void use(Visit *v, Sub *s)
{
	Scopes *sc = v->ctx;
	if (s->kind == S_CONST)
		return;
	if (s->var.id == 0 || s->var.id >= n_vars)
		core_wrong(sc->c, "there is no variable number %u", s->var.id);
	const MemLoc *mem = vars[s->var.id].type.mem;
	if (sc->state[s->var.id] == RELEASED || (mem && sc->state[mem->block.id] == RELEASED))
		core_wrong(sc->c, "%s is used after its memory was released", show_sub(*s));
	if (sc->state[s->var.id] != IN_SCOPE)
		core_wrong(sc->c, "variable %s is not in scope", show_sub(*s));
}

static void release_block(Scopes *sc, Sub m)
{
	if (m.kind != S_VAR || sc->depth[m.var.id] != sc->body)
		core_wrong(sc->c, "%s is released by another body than the one that binds it",
		           show_sub(m));
	sc->state[m.var.id] = RELEASED;
}

static void bind(Visit *v, Var *x)
{
	Scopes *sc = v->ctx;
	if (sc->state[x->id] != UNBOUND)
		core_wrong(sc->c, "variable %s is bound twice", show_sub(sub_var(*x)));
	sc->state[x->id] = IN_SCOPE;
	sc->depth[x->id] = sc->body;
	VEC_PUSH(&sc->open, *x);
}

static void bind_telescope(Visit *v, Vars xs)
{
	Scopes *sc = v->ctx;
	for EACH(Var, x, xs) {
		if (x->id == 0 || x->id >= n_vars)
			core_wrong(sc->c, "there is no variable number %u", x->id);
		Type t = vars[x->id].type;
		type_visit(&t, v);
		bind(v, x);
	}
}

static void check_marks(Check *c, const Stm *s)
{
	for (Mark m = ATTR_NONE + 1; s->attrs.marks && m < N_MARK; m++)
		if (has_attr(s->attrs, m) && !mark_allowed(m, s->exp->form, c->prog->stage))
			core_wrong(c, "the mark #[%s] does not belong to %s at the stage %s",
			           mark_text(m), form_name[s->exp->form],
			           stage_name(c->prog->stage));
}

static void check_fun_marks(Check *c, const Fun *f)
{
	for (Mark m = ATTR_NONE + 1; f->attrs.marks && m < N_MARK; m++)
		if (has_attr(f->attrs, m) && !mark_allowed_on_fun(m, c->prog->stage))
			core_wrong(c, "the mark #[%s] does not belong to a function at the "
			           "stage %s", mark_text(m), stage_name(c->prog->stage));
}

static void scope_stm(Visit *v, const Stm *s)
{
	Scopes *sc = v->ctx;
	sc->c->stm = s;
	for EACH(Var, x, s->certs) {
		Sub cert = sub_var(*x);
		use(v, &cert);
	}
	if (!form_allowed(s->exp->form, sc->c->prog->stage))
		core_wrong(sc->c, "%s does not belong to the stage %s", form_name[s->exp->form],
		           stage_name(sc->c->prog->stage));
	check_marks(sc->c, s);
	int mark = sc->open.len;
	exp_visit(s->exp, v);
	close_scopes(sc, mark);
	bind_telescope(v, s->pat);
	if (s->exp->form == E_release)
		release_block(sc, s->exp->release.block);
}

static void scope_body(Visit *v, Body *b)
{
	Scopes *sc = v->ctx;
	const Stm *outer = sc->c->stm;
	int mark = sc->open.len;
	sc->body++;
	for EACH(Stm, s, b->stms)
		scope_stm(v, s);
	sc->c->stm = outer;
	for EACH(Sub, r, b->res)
		use(v, r);
	sc->body--;
	close_scopes(sc, mark);
}

static void scope_types(Visit *v, Types ts, bool accs)
{
	for EACH(Type, t, ts)
		if ((t->kind == T_ACC) == accs) {
			Type copy = *t;
			type_visit(&copy, v);
		}
}

// Flatmap's result types may use the first result, and nothing else that is bound inside.
static void scope_flatmap_types(Visit *v, const Lambda *l)
{
	Scopes *sc = v->ctx;
	for EACH(Type, t, l->ret) {
		Type copy = *t;
		for (int i = 0; t->kind == T_DATA && i < t->dims.len; i++)
			if (l->body.res.len && sub_eq(t->dims.at[i], l->body.res.at[0])) {
				if (i != 0)
					core_wrong(sc->c, "an inner size of a result is the "
					           "length of the segment");
				copy = type_row(copy);
			}
		type_visit(&copy, v);
	}
}

static void scope_lambda(Visit *v, Lambda **lambda)
{
	Scopes *sc = v->ctx;
	const Lambda *l = *lambda;
	bool telescope = sc->c->stm->exp->form == E_flatmap;
	int mark = sc->open.len;
	if (telescope)
		scope_flatmap_types(v, l);
	else
		scope_types(v, l->ret, false);
	bind_telescope(v, l->params);
	if (!telescope)
		scope_types(v, l->ret, true);
	Body b = l->body;
	scope_body(v, &b);
	close_scopes(sc, mark);
}

static void scope_callee(Visit *v, Fun **f)
{
	Scopes *sc = v->ctx;
	if (map_get(&sc->c->funs, (*f)->name) != *f)
		core_wrong(sc->c, "function %s is not part of the program", (*f)->name);
}

// The names of the results are not visible in the body.
static void scope_fun(Scopes *sc, const Fun *f)
{
	Visit v = {.sub = use, .bind = bind, .body = scope_body, .lambda = scope_lambda,
	           .fun = scope_callee, .ctx = sc};
	bind_telescope(&v, f->params);
	int mark = sc->open.len;
	bind_telescope(&v, f->res);
	close_scopes(sc, mark);
	Body b = f->body;
	scope_body(&v, &b);
	close_scopes(sc, 0);
}

// ---- Programs ----

static void check_prog(Check *c)
{
	Scopes sc = {.c = c, .state = NEW_ARRAY(uint8_t, n_vars + 1),
	             .depth = NEW_ARRAY(int, n_vars + 1)};
	for EACH(Fun *, f, c->prog->funs) {
		if (map_has(&c->funs, (*f)->name))
			core_wrong(c, "two functions are called %s", (*f)->name);
		map_put(&c->funs, (*f)->name, *f);
	}
	for EACH(Fun *, f, c->prog->funs) {
		c->fun = *f;
		check_fun_marks(c, *f);
		scope_fun(&sc, *f);
		c->stm = NULL;
		core_check_types(c, *f);
		c->stm = NULL;
		core_check_use(c, *f);
		c->stm = NULL;
		if (c->prog->stage == STAGE_MEM)
			core_check_places(c, *f);
		c->stm = NULL;
	}
}

// What a successful check allocates is released; after a failure the message is in there.
const char *core_check(const Prog *prog)
{
	MemMark mark = mem_mark();
	Check *c = NEW(Check, .prog = prog);
	if (setjmp(c->env) != 0)
		return c->message;
	check_prog(c);
	mem_release(mark);
	return NULL;
}
