// Accumulators created inside a nest get the dimensions of the nest.
//
//     map over n rows:
//       let (as: [k]f64) = withacc input=[k] (zeros) (0.0) op fn=\t acc ->
//         .. upd_acc acc [j] (v) ..
// becomes
//     let (ass: [n][k]f64) = withacc input=[n, k] (zeros of all rows) (0.0) op fn=\t acc ->
//       the nest of .., with upd_acc acc [i, j] (v)
//
// The parallelism inside the withacc can then become kernels.
#include "device/flatten.h"

// ---- Which ones ----

bool withacc_goes_apart(Flatten *f, const Stm *s)
{
	for EACH(AccInput, in, s->exp->withacc.inputs)
		if (!bins_are_regular(f, in->space, in->arrs, in->op, in->ne))
			return false;
	return has_parallelism(f, &s->exp->withacc.fn->body);
}

// ---- More dimensions ----

static void change_type(const AccChange *x, Type *t)
{
	if (t->kind != T_ACC || !map_has(&x->tokens, var_key(t->acc->token)))
		return;
	Subs space = t->acc->space;
	t->acc = NEW(AccType, t->acc->token,
		subs_cat(x->space, subs_part(space, x->drop, space.len - x->drop)), t->acc->elems);
}

static void change_binder(Visit *v, Var *x)
{
	change_type(v->ctx, &vars[x->id].type);
}

static void change_lambda(Visit *v, Lambda **l)
{
	for EACH(Type, t, (*l)->ret)
		change_type(v->ctx, t);
	lambda_visit(l, v);
}

static void change_body(Visit *v, Body *b)
{
	const AccChange *x = v->ctx;
	for EACH(Stm, s, b->stms) {
		Exp *e = s->exp;
		if (e->form != E_upd_acc ||
		    !map_has(&x->tokens, var_key(sub_type(e->upd_acc.acc).acc->token)))
			continue;
		Subs idx = e->upd_acc.idx;
		e->upd_acc.idx = subs_cat(x->at, subs_part(idx, x->drop, idx.len - x->drop));
	}
	body_visit(b, v);
}

void change_accs(AccChange *x, Lambda *fresh)
{
	// A walk that writes into what was just made.
	Visit v = {.bind = change_binder, .lambda = change_lambda, .body = change_body, .ctx = x};
	change_lambda(&v, &fresh);
}

// A copy of the function on accumulators that have the dimensions of the nest before their own.
static Lambda *extended(const Level *nest, const Lambda *fn, int n_inputs)
{
	Lambda *out = lambda_rename(fn);
	AccChange x = {.space = {NEW_ARRAY(Sub, nest->depth), nest->depth},
	               .at = {NEW_ARRAY(Sub, nest->depth), nest->depth}};
	for (int d = 1; d <= nest->depth; d++) {
		x.space.at[d - 1] = level_at(nest, d)->n;
		x.at.at[d - 1] = sub_var(level_at(nest, d)->i);
	}
	for (int i = 0; i < n_inputs; i++)
		map_put(&x.tokens, var_key(out->params.at[i]), out);
	change_accs(&x, out);
	return out;
}

// ---- Around the nest ----

static AccInputs inputs_of_nest(Flatten *f, const Level *nest, const Exp *e)
{
	AccInputs inputs = SLICE_DUP(AccInputs, e->withacc.inputs);
	Subs space = {NEW_ARRAY(Sub, nest->depth), nest->depth};
	for (int d = 1; d <= nest->depth; d++)
		space.at[d - 1] = level_at(nest, d)->n;
	for EACH(AccInput, in, inputs) {
		in->space = subs_cat(space, in->space);
		in->arrs = spread_values(f, nest, in->arrs);
	}
	return inputs;
}

Subs spread_withacc(Flatten *f, const Level *nest, const Stm *s)
{
	Build *b = &f->b;
	Stm elements = acc_by_elements(f, s);
	const Exp *e = elements.exp;
	int n = e->withacc.inputs.len;
	AccInputs inputs = inputs_of_nest(f, nest, e);
	Lambda *fn = extended(nest, e->withacc.fn, n);
	note_inside(f, fn);
	for EACH(Stm, in, fn->body.stms)
		in->certs = vars_cat(in->certs, s->certs);
	for (int i = 0; i < n; i++) {
		Var acc = fn->params.at[n + i];
		map_put(&f->inputs, var_key(fn->params.at[i]), &inputs.at[i]);
		know(f, acc, (Known){.kind = K_ACC, .arr = sub_var(acc)});
	}
	Types ts = {NEW_ARRAY(Type, s->pat.len), s->pat.len}, rets = SLICE_DUP(Types, fn->ret);
	for (int i = 0; i < ts.len; i++) {
		Type t = vars[s->pat.at[i].id].type;
		ts.at[i] = t.kind == T_ACC ? t : nest_type(nest, t);
	}
	for EACH(Type, t, rets)
		if (t->kind != T_ACC)
			*t = nest_type(nest, *t);
	b_open(b);
	Body body = b_close(b, spread_body(f, nest, fn->body));
	Lambda *at_host = NEW(Lambda, .params = fn->params, .ret = rets, .body = body);
	return b_lets(b, "accs", ts, EXP(withacc, .inputs = inputs, .fn = at_host));
}
