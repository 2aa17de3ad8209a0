// Questions about expressions that many passes ask.
#include "core/core.h"

const Exp *lambda_prim(const Lambda *f)
{
	if (f->params.len != 2 || f->body.stms.len != 1 || f->body.res.len != 1)
		return NULL;
	const Stm *s = &f->body.stms.at[0];
	const Exp *e = s->exp;
	Sub x = sub_var(f->params.at[0]), y = sub_var(f->params.at[1]);
	bool given = e->form == E_prim && prim_arity(e->prim.op) == 2 &&
	             sub_eq(f->body.res.at[0], sub_var(s->pat.at[0]));
	return given && ((sub_eq(e->prim.x[0], x) && sub_eq(e->prim.x[1], y)) ||
	                 (sub_eq(e->prim.x[0], y) && sub_eq(e->prim.x[1], x))) ? e : NULL;
}

Lambda *lambda_identity(Types ts)
{
	Vars ps = vars_new("x", ts);
	return NEW(Lambda, .params = ps, .ret = types_plain(ts), .body = {.res = subs_of_vars(ps)});
}

bool lambda_is_identity(const Lambda *f)
{
	if (f->body.stms.len || f->params.len != f->body.res.len)
		return false;
	for (int i = 0; i < f->params.len; i++)
		if (!sub_eq(sub_var(f->params.at[i]), f->body.res.at[i]))
			return false;
	return true;
}

bool lambda_adds(const Lambda *f)
{
	const Exp *e = lambda_prim(f);
	return e && e->prim.op == P_add;
}

bool is_map(const Exp *e)
{
	return e->form == E_screma && !e->screma.scans.len && !e->screma.reds.len;
}

bool may_reach(Sub n, Threshold t)
{
	return n.kind == S_VAR || n.val.i >= threshold(t);
}

bool is_select(const Exp *e)
{
	return e->form == E_if_ && !e->if_.yes.stms.len && !e->if_.no.stms.len;
}

bool stm_is_call(const Stm *s)   { return s->exp->form == E_call; }
bool stm_is_index(const Stm *s)  { return s->exp->form == E_index; }
bool stm_is_update(const Stm *s) { return s->exp->form == E_update; }
bool stm_is_loop(const Stm *s)   { return s->exp->form == E_loop; }
bool stm_is_for(const Stm *s)    { return stm_is_loop(s) && !s->exp->loop.is_while; }
bool stm_is_assert(const Stm *s) { return s->exp->form == E_assert_; }
bool stm_is_soac(const Stm *s)   { return form_has(s->exp->form, FORM_SOAC); }

bool stm_is_function(const Stm *s)
{
	return s->exp->form == E_prim && prim_is_function(s->exp->prim.op);
}

bool lambda_consumes(const Lambda *f)
{
	for EACH(Var, p, f->params)
		if (vars[p->id].type.unique)
			return true;
	return false;
}

bool loop_binds(const Exp *loop, Sub x)
{
	return (!loop->loop.is_while && sub_eq(x, sub_var(loop->loop.i))) ||
	       vars_find(loop->loop.params, x) >= 0 || stm_in(&loop->loop.body, x);
}

bool type_is_acc_of(Type t, Var token)
{
	return t.kind == T_ACC && t.acc->token.id == token.id;
}

int subs_find_acc(Subs xs, Var token)
{
	for (int i = 0; i < xs.len; i++)
		if (type_is_acc_of(sub_type(xs.at[i]), token))
			return i;
	return -1;
}

int vars_find_acc(Vars vs, Var token)
{
	for (int i = 0; i < vs.len; i++)
		if (type_is_acc_of(vars[vs.at[i].id].type, token))
			return i;
	return -1;
}

Lambda **soac_fn(const Exp *e)
{
	switch (e->form) {
	case E_screma:  return (Lambda **)&e->screma.map;
	case E_hist:    return (Lambda **)&e->hist.map;
	case E_scatter: return (Lambda **)&e->scatter.map;
	case E_flatmap: return (Lambda **)&e->flatmap.map;
	default:        bug("%s maps nothing", form_name[e->form]);
	}
}

int n_branches(const Exp *e)
{
	return e->form == E_if_ ? 2 : e->form == E_match ? e->match.cases.len + 1 : 0;
}

Body *branch_at(const Exp *e, int i)
{
	const Body *b = e->form == E_if_            ? i ? &e->if_.no : &e->if_.yes
	              : i < e->match.cases.len      ? &e->match.cases.at[i].body
	                                            : &e->match.other;
	return (Body *)b;
}

Exp *choice_copy(const Exp *e)
{
	Exp *copy = exp_dup(e);
	if (e->form == E_match)
		copy->match.cases = SLICE_DUP(CoreCases, e->match.cases);
	return copy;
}

static void count_stms(Visit *v, Body *b)
{
	*(int *)v->ctx += b->stms.len;
	body_visit(b, v);
}

int body_size(const Body *b)
{
	int n = 0;
	Visit v = {.body = count_stms, .ctx = &n};
	count_stms(&v, (Body *)b); // a walk: writes nothing
	return n;
}

bool body_all(const Body *b, bool (*holds)(const Stm *))
{
	for EACH(Stm, s, b->stms)
		if (!holds(s))
			return false;
	return true;
}

bool has_nested(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call)
			return true;
	return false;
}

bool is_count(const Exp *e)
{
	return e && e->form == E_iota && e->iota.type == PT_I64 &&
	       sub_eq(e->iota.start, sub_i64(0)) && sub_eq(e->iota.step, sub_i64(1));
}

bool is_row_at(Slices at, Sub i)
{
	return at.len && at.at[0].fixed && sub_eq(at.at[0].start, i);
}

bool stores_at(const Exp *e, Sub arr, Sub i)
{
	return e && e->form == E_update && sub_eq(e->update.arr, arr) && e->update.at.len == 1 &&
	       is_row_at(e->update.at, i);
}

// ---- What is consumed ----

static void add_all(Slots *out, Subs xs)
{
	for EACH(Sub, x, xs)
		VEC_PUSH(out, x);
}

static void add_unique(Slots *out, Subs args, Vars params)
{
	for (int i = 0; i < args.len && i < params.len; i++)
		if (vars[params.at[i].id].type.unique)
			VEC_PUSH(out, &args.at[i]);
}

void exp_consumes(const Exp *e, Slots *out)
{
	switch (e->form) {
	case E_update:   VEC_PUSH(out, &e->update.arr); return;
	case E_upd_acc:  VEC_PUSH(out, &e->upd_acc.acc); return;
	case E_loop:     add_unique(out, e->loop.inits, e->loop.params); return;
	case E_call:     add_unique(out, e->call.args, e->call.fn->params); return;
	case E_screma: case E_flatmap: add_unique(out, e->soac.arrs, (*soac_fn(e))->params); return;
	case E_jvp:      add_unique(out, e->jvp.args, e->jvp.fn->params); return;
	case E_vjp:      add_unique(out, e->vjp.args, e->vjp.fn->params); return;
	case E_with_vjp: add_unique(out, e->with_vjp.args, e->with_vjp.fn->params); return;
	case E_hist:
		add_unique(out, e->hist.arrs, e->hist.map->params);
		for EACH(HistOp, op, e->hist.ops)
			add_all(out, op->dests);
		return;
	case E_scatter:
		add_unique(out, e->scatter.arrs, e->scatter.map->params);
		for EACH(ScatterDest, d, e->scatter.dests)
			VEC_PUSH(out, &d->dest);
		return;
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs)
			add_all(out, in->arrs);
		return;
	case E_atom: case E_prim: case E_convert: case E_if_: case E_match: case E_index:
	case E_slice: case E_concat: case E_iota: case E_replicate: case E_scratch: case E_reshape:
	case E_rearrange: case E_copy: case E_array: case E_assert_: case E_trace: case E_opaque:
	case E_alloc: case E_release: case N_FORM:
		return;
	}
}
