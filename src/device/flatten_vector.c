// Accumulators whose elements are arrays, with operators that are maps of operators on scalars.
//
//     withacc input=[k] (d) (zeros of [m]) (map2 op) fn=\t acc -> .. upd_acc acc [i] (v: [m]f64) ..
// becomes
//     withacc input=[k, m] (d) (0.0) op fn=\t acc -> .. screma m (iota m, v, acc)
//         map=\j x a -> upd_acc a [i, j] (x) ..
//
// If v is the result of a map, the map is fused into the update, so that v needs no array.
// Neighbouring threads then update neighbouring elements, and the optimisations of scalar updates
// (flatten_update.c, gpu_acc_local.c) apply.
//
// Elements of a small constant size are left to one thread, which keeps them in registers.
//
// Requires: the neutral element is a `replicate` of a scalar at host level (note_filled).
#include "device/flatten.h"

void note_filled(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_replicate && !sub_type(e->replicate.x).dims.len)
		map_put(&f->filled, var_key(s->pat.at[0]), &s->exp->replicate.x);
}

// ---- Which ones ----

// The operator on scalars; NULL: there is none.
static Lambda *scalar_operator(const Lambda *op)
{
	Lambda *now = (Lambda *)op; // replaced before anything is written
	for (;;) {
		int scalars = 0;
		for EACH(Var, p, now->params)
			scalars += !vars[p->id].type.dims.len;
		if (scalars)
			return scalars == now->params.len && now != op ? now : NULL;
		const Exp *map = map_of_operator(now);
		if (!map)
			return NULL;
		now = element_operator(now, map);
	}
}

static void look_for_call(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_call)
			for EACH(Sub, x, s->exp->call.args)
				if (sub_type(*x).kind == T_ACC)
					*(bool *)v->ctx = true;
	body_visit(b, v);
}

// Does a function get an accumulator?
static bool is_handed_on(const Lambda *fn)
{
	bool found = false;
	Visit v = {.body = look_for_call, .ctx = &found};
	Body body = fn->body;
	look_for_call(&v, &body); // a walk: writes nothing
	return found;
}

static bool by_element(const Flatten *f, const AccInput *in, AccInput *out)
{
	Lambda *op = in->op ? scalar_operator(in->op) : NULL;
	if (!op)
		return false;
	Subs ne = {NEW_ARRAY(Sub, in->ne.len), in->ne.len};
	for (int k = 0; k < ne.len; k++) {
		const Sub *x = in->ne.at[k].kind == S_VAR
		                     ? map_get(&f->filled, var_key(in->ne.at[k].var))
		                     : NULL;
		if (!x)
			return false;
		ne.at[k] = *x;
	}
	Type t = type_drop(sub_type(in->arrs.at[0]), in->space.len);
	if (n_elements(t) < threshold(AT_updates))
		return false;
	*out = (AccInput){subs_cat(in->space, t.dims), in->arrs, op, ne};
	return true;
}

// ---- Updates ----

typedef struct { Map inputs; } Vector;          // token -> AccInput *, the new one

static const AccInput *input_of(const Vector *x, Type t)
{
	return t.kind == T_ACC ? map_get(&x->inputs, var_key(t.acc->token)) : NULL;
}

static Type type_by_element(const Vector *x, Type t)
{
	const AccInput *in = input_of(x, t);
	if (!in || t.acc->space.len == in->space.len)
		return t;
	Types elems = SLICE_DUP(Types, t.acc->elems);
	for EACH(Type, e, elems)
		*e = type_scalar(e->elem);
	t.acc = NEW(AccType, t.acc->token, in->space, elems);
	return t;
}

// Is it cheap, so that several threads may do it for a row?
static bool is_cheap(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!is_again_form(s->exp))
			return false;
	return true;
}

static bool is_map_to_scalars(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_screma || e->screma.scans.len || e->screma.reds.len)
		return false;
	for EACH(Type, t, e->screma.map->ret)
		if (!type_is_scalar(*t))
			return false;
	return true;
}

// The map of the body that makes all of these values, if only one statement (`user`) takes what it
// gives.
static const Stm *map_of_values(const Body *b, Subs vals, const Stm *user)
{
	const Stm *map = NULL;
	Map made = {0};
	for EACH(Stm, s, b->stms)
		for EACH(Var, p, s->pat)
			if (vals.len && sub_eq(sub_var(*p), vals.at[0]))
				map = s;
	if (!map || !is_map_to_scalars(map))
		return NULL;
	vars_put(&made, map->pat, &made);
	for EACH(Sub, x, vals)
		if (x->kind != S_VAR || !map_has(&made, var_key(x->var)))
			return NULL;
	for EACH(Stm, s, b->stms)
		if (s != user && s != map && stm_mentions(s, &made))
			return NULL;
	for (const Stm *s = map + 1; user && s < user; s++)
		if (!is_again_form(s->exp) && s->exp->form != E_upd_acc)
			return NULL;            // might consume what the map takes
	for EACH(Sub, x, b->res)
		if (user && x->kind == S_VAR && map_has(&made, var_key(x->var)))
			return NULL;
	return map;
}

// upd_acc acc idx (vals), where the vals are what the map gives.
static Exp *update_mapped(Build *b, const Stm *map, Sub acc, Type t, Subs idx, Subs vals)
{
	const Exp *e = map->exp;
	const Lambda *f = e->screma.map;
	Vars more = vars_of(2, var_i64("j"), var_new(name_of("acc"), t));
	Subs each = {NEW_ARRAY(Sub, vals.len), vals.len};
	for (int i = 0; i < vals.len; i++)
		for (int k = 0; k < map->pat.len; k++)
			if (sub_eq(vals.at[i], sub_var(map->pat.at[k])))
				each.at[i] = f->body.res.at[k];
	Sub count = b_iota(b, e->screma.n);
	b_open(b);
	b_emit_all(b, f->body.stms);
	Sub after = b_let(b, "acc", t, EXP(upd_acc, sub_var(more.at[1]),
	                                   subs_cat(idx, subs_of(1, sub_var(more.at[0]))), each));
	Lambda *all = NEW(Lambda, .params = vars_cat(f->params, more),
	                  .ret = {mem_dup(&t, sizeof t), 1}, .body = b_close(b, subs_of(1, after)));
	return EXP(screma, .n = e->screma.n, .arrs = subs_cat(e->screma.arrs,
	                                                      subs_of(2, count, acc)), .map = all);
}

// upd_acc acc idx (vals), for all elements of the vals.
static Exp *update_all(Build *b, const AccInput *in, Sub acc, Type t, Subs idx, Subs vals)
{
	if (idx.len == in->space.len)
		return EXP(upd_acc, acc, idx, vals);
	int k = vals.len, d = idx.len;
	Sub n = in->space.at[d];
	Subs arrs = {NEW_ARRAY(Sub, k + 2), k + 2};
	Vars params = {NEW_ARRAY(Var, k + 2), k + 2};
	arrs.at[0] = b_iota(b, n);
	params.at[0] = var_i64("j");
	for (int i = 0; i < k; i++) {
		Type row = type_scalar(sub_type(vals.at[i]).elem);
		row.dims = subs_part(in->space, d + 1, in->space.len - d - 1);
		arrs.at[i + 1] = b_let(b, "rows", type_of_rows(n, row), EXP(atom, vals.at[i]));
		params.at[i + 1] = var_new(name_of("x"), row);
	}
	arrs.at[k + 1] = acc;
	params.at[k + 1] = var_new(name_of("acc"), t);
	b_open(b);
	idx = subs_cat(idx, subs_of(1, sub_var(params.at[0])));
	Exp *e = update_all(b, in, sub_var(params.at[k + 1]), t, idx,
	                    subs_part(subs_of_vars(params), 1, k));
	Sub after = b_let(b, "acc", t, e);
	Lambda *map = NEW(Lambda, .params = params, .ret = {mem_dup(&t, sizeof t), 1},
	                  .body = b_close(b, subs_of(1, after)));
	return EXP(screma, .n = n, .arrs = arrs, .map = map);
}

static void change_binder(Visit *v, Var *x)
{
	vars[x->id].type = type_by_element(v->ctx, vars[x->id].type);
}

static void change_lambda(Visit *v, Lambda **l)
{
	for EACH(Type, t, (*l)->ret)
		*t = type_by_element(v->ctx, *t);
	lambda_visit(l, v);
}

// The input of the accumulator that a statement updates, if we change it.
static const AccInput *update_of(const Vector *x, const Stm *s)
{
	return s->exp->form == E_upd_acc ? input_of(x, sub_type(s->exp->upd_acc.acc)) : NULL;
}

static const Stm *mapped_update(const Vector *x, const Body *b, const Stm *s)
{
	const AccInput *in = update_of(x, s);
	const Exp *e = s->exp;
	int d = e->upd_acc.idx.len;
	const Stm *map = d + 1 == in->space.len ? map_of_values(b, e->upd_acc.vals, s) : NULL;
	return map && sub_eq(map->exp->screma.n, in->space.at[d]) ? map : NULL;
}

static void emit_update(Build *b, const Vector *x, const Body *body, const Stm *s)
{
	const Stm *map = mapped_update(x, body, s);
	const Exp *e = s->exp;
	Type t = vars[s->pat.at[0].id].type;
	Sub acc = e->upd_acc.acc;
	b->where = s->where;
	b->certs = map ? vars_cat(s->certs, map->certs) : s->certs;
	b_stm(b, s->pat, map ? update_mapped(b, map, acc, t, e->upd_acc.idx, e->upd_acc.vals)
	      : update_all(b, update_of(x, s), acc, t, e->upd_acc.idx, e->upd_acc.vals));
	b->certs = (Vars){0};
}

static void change_body(Visit *v, Body *body)
{
	const Vector *x = v->ctx;
	Build b = {0};
	Map gone = {0};
	body_visit(body, v);
	for EACH(Stm, s, body->stms) {
		const Stm *map = update_of(x, s) ? mapped_update(x, body, s) : NULL;
		if (map)
			map_put(&gone, map, s);
	}
	b_open(&b);
	for EACH(Stm, s, body->stms)
		if (update_of(x, s))
			emit_update(&b, x, body, s);
		else if (!map_has(&gone, s))
			b_emit(&b, *s);
	*body = b_close(&b, body->res);
}

Stm acc_by_elements(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->withacc.inputs.len;
	AccInputs inputs = SLICE_DUP(AccInputs, e->withacc.inputs);
	bool *changed = NEW_ARRAY(bool, n + 1), any = false;
	for (int i = 0; i < n; i++)
		any |= changed[i] = by_element(f, &e->withacc.inputs.at[i], &inputs.at[i]);
	if (!any || is_handed_on(e->withacc.fn))
		return *s;
	Vector x = {0};
	Lambda *fn = lambda_rename(e->withacc.fn);
	for (int i = 0; i < n; i++)
		if (changed[i])
			map_put(&x.inputs, var_key(fn->params.at[i]), &inputs.at[i]);
	// A walk that writes into what lambda_rename has just made.
	Visit v = {.bind = change_binder, .lambda = change_lambda, .body = change_body, .ctx = &x};
	change_lambda(&v, &fn);
	Stm out = *s;
	out.exp = EXP(withacc, .inputs = inputs, .fn = fn);
	return out;
}

// ---- Histograms ----

// Likewise, apart from a cheap map that makes the values.
static bool is_cheap_row(const Body *b, Subs vals)
{
	const Stm *map = map_of_values(b, vals, NULL);
	for EACH(Stm, s, b->stms)
		if (!is_again_form(s->exp) && !(s == map && is_cheap(&map->exp->screma.map->body)))
			return false;
	return true;
}

static Exp *map_of_hist(const Exp *e)
{
	return EXP(screma, .n = e->hist.n, .arrs = e->hist.arrs, .map = e->hist.map);
}

bool hist_in_two_steps(const Flatten *f, const Stm *s, Stm *map, Stm *hist)
{
	const Exp *e = s->exp;
	AccInput in = {0};
	bool any = false;
	Subs res = e->hist.map->body.res;
	int n_vals = 0;
	for EACH(HistOp, op, e->hist.ops) {
		any |= by_element(f, &(AccInput){op->space, op->dests, op->op, op->ne}, &in);
		n_vals += op->dests.len;
	}
	Subs vals = subs_part(res, res.len - n_vals, n_vals);
	if (!any || is_cheap_row(&e->hist.map->body, vals))
		return false;
	Types ts = SLICE_DUP(Types, e->hist.map->ret);
	Vars pat = {NEW_ARRAY(Var, ts.len), ts.len};
	for (int i = 0; i < ts.len; i++) {
		ts.at[i].unique = false;
		pat.at[i] = var_new(name_of("made"), type_of_rows(e->hist.n, ts.at[i]));
	}
	*map = *hist = *s;
	map->pat = pat;
	map->exp = map_of_hist(e);
	hist->exp = EXP(hist, e->hist.n, subs_of_vars(pat), e->hist.ops, lambda_identity(ts));
	return true;
}
