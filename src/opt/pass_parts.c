// The pass `pass_parts`: a recursive function that calls itself with a slice of an array takes the
// whole array and an offset instead.
//
//     f (n, xs: [n]t) = ..                      f (n, m, all: [m]t, at) = xs = slice all [at:n:1]
//       ys: [k]t = slice xs [i:k:1]      ->       .. call f (k, m, all, at + i) ..
//       call f (k, ys)
//
//     call f (n, xs)                            call f (n, n, xs, 0)
//
// Functions take arrays in row-major blocks of their own, so each call would copy its slice, and
// recursion over xs[1:] would take time and memory quadratic in its depth.
//
// Requires: a simplified program.  Ensures: a simplified program.  A parameter qualifies if it is
// not consumed, the function is not an entry point, and each recursive call passes the parameter
// itself or consecutive rows of it.
#include "opt/opt.h"

typedef enum { IS_KEPT, IS_PART, IS_OTHER } Handed;

// ---- Which parameters ----

typedef struct { const Fun *fn; Handed *handed; const BodyPath *up; } Look;

const Exp *def_on(const BodyPath *p, Sub s)
{
	const Exp *e = NULL;
	for (; p && !e; p = p->up)
		e = def_in(p->body, s);
	return e;
}

bool is_part(const Exp *e, Sub arr)
{
	if (!e || e->form != E_slice || !sub_eq(e->slice.arr, arr) || e->slice.at.at[0].fixed ||
	    !sub_eq(e->slice.at.at[0].step, sub_i64(1)))
		return false;
	Type t = sub_type(arr);
	for (int d = 1; d < t.dims.len; d++)
		if (!is_whole_dim(e->slice.at.at[d], t.dims.at[d]))
			return false;
	return true;
}

static void note_body(Visit *v, Body *body)
{
	Look *l = v->ctx;
	BodyPath path = {body, l->up};
	l->up = &path;
	for EACH(Stm, s, body->stms) {
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
		if (s->exp->form != E_call || s->exp->call.fn != l->fn)
			continue;
		for (int i = 0; i < l->fn->params.len; i++) {
			Sub param = sub_var(l->fn->params.at[i]), arg = s->exp->call.args.at[i];
			if (sub_eq(arg, param))
				continue;
			bool part = is_part(def_on(&path, arg), param);
			l->handed[i] = part && l->handed[i] != IS_OTHER ? IS_PART : IS_OTHER;
		}
	}
	l->up = path.up;
}

// For each parameter whether it becomes a place in an array; NULL: none does.
static const Handed *parts_of(const Fun *fn)
{
	Handed *out = NEW_ARRAY(Handed, fn->params.len + 1);
	Look l = {fn, out, NULL};
	Body body = fn->body;
	if (fn->entry)
		return NULL;
	note_body(&(Visit){.body = note_body, .ctx = &l}, &body);
	bool any = false;
	for (int i = 0; i < fn->params.len; i++) {
		Type t = vars[fn->params.at[i].id].type;
		if (t.kind != T_DATA || !t.dims.len || t.unique)
			out[i] = IS_OTHER;
		any |= out[i] == IS_PART;
	}
	return any ? out : NULL;
}

// ---- The new functions and calls ----

typedef struct { Var size, all, at; } Place;
typedef struct { const Handed *handed; Vars old; Place *places; } Changed;
typedef struct { Build b; const Map *changed; const Fun *self; const BodyPath *up; } Parts;

// Gives the function its new parameters.
static Changed *change(Fun *fn, const Handed *handed)
{
	VEC(Var) params = {0};
	Changed *c = NEW(Changed, handed, fn->params, NEW_ARRAY(Place, fn->params.len));
	for (int i = 0; i < c->old.len; i++) {
		Var x = c->old.at[i];
		if (handed[i] != IS_PART) {
			VEC_PUSH(&params, x);
			continue;
		}
		Place *p = &c->places[i];
		Type t = vars[x.id].type;
		p->size = var_i64("size");
		t.dims = SLICE_DUP(Subs, t.dims);
		t.dims.at[0] = sub_var(p->size);
		p->all = var_new(vars[x.id].hint, t);
		p->at = var_i64("at");
		VEC_PUSH(&params, p->size);
		VEC_PUSH(&params, p->all);
		VEC_PUSH(&params, p->at);
	}
	fn->params = VEC_SLICE(Vars, params);
	return c;
}

static Exp *new_call(Parts *x, const Changed *c, const Exp *call, const BodyPath *path)
{
	Subs args = {NEW_ARRAY(Sub, 3 * c->old.len + 1), 0};
	bool own = call->call.fn == x->self;
	for (int i = 0; i < c->old.len; i++) {
		Sub arg = call->call.args.at[i], at = sub_i64(0);
		if (c->handed[i] != IS_PART) {
			args.at[args.len++] = arg;
			continue;
		}
		if (own) {
			bool same = sub_eq(arg, sub_var(c->old.at[i]));
			at = sub_var(c->places[i].at);
			if (!same)
				at = b_add(&x->b, at, def_on(path, arg)->slice.at.at[0].start);
			arg = sub_var(c->places[i].all);
		}
		args.at[args.len++] = own ? sub_var(c->places[i].size) : sub_type(arg).dims.at[0];
		args.at[args.len++] = arg;
		args.at[args.len++] = at;
	}
	return EXP(call, call->call.fn, args);
}

static void change_body(Visit *v, Body *body)
{
	Parts *x = v->ctx;
	const Body old = *body;
	BodyPath path = {&old, x->up};
	const Changed *self = x->up ? NULL : map_get(x->changed, x->self);
	x->up = &path;
	b_open(&x->b);
	for (int i = 0; self && i < self->old.len; i++)
		if (self->handed[i] == IS_PART) {
			Var y = self->old.at[i];
			Type t = vars[y.id].type;
			Slices at = slices_rows(t, sub_var(self->places[i].at), t.dims.at[0]);
			b_stm(&x->b, vars_of(1, y), EXP(slice, sub_var(self->places[i].all), at));
		}
	for EACH(Stm, s, old.stms) {
		Stm t = *s;
		bool call = t.exp->form == E_call;
		const Changed *c = call ? map_get(x->changed, t.exp->call.fn) : NULL;
		x->b.where = t.where;
		if (form_has(t.exp->form, FORM_NEST))
			t.exp = exp_visit(t.exp, v);
		if (c)
			t.exp = new_call(x, c, t.exp, &path);
		b_emit(&x->b, t);
	}
	*body = b_close(&x->b, old.res);
	x->up = path.up;
}

Prog *pass_parts(Prog *prog)
{
	Map funs = {0}, changed = {0};
	bool calls = false;
	for EACH(Fun *, f, prog->funs)
		calls |= !(*f)->entry && fun_has_calls(*f);
	if (!calls)
		return prog;
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs)
		fun_new_callees(*f, &funs);
	for EACH(Fun *, f, out->funs) {
		const Handed *handed = parts_of(*f);
		if (handed && may_rewrite())
			map_put(&changed, *f, change(*f, handed));
	}
	if (!changed.len)
		return prog;
	for EACH(Fun *, f, out->funs) {
		Parts x = {.b = {.where = (*f)->where}, .changed = &changed, .self = *f};
		change_body(&(Visit){.body = change_body, .copy = true, .ctx = &x}, &(*f)->body);
	}
	return out;
}
