// Type checking of core: combinators, accumulators and derivatives.
#include "core/check_core.h"

// ---- SOACs ----

static void give_rows(TypeVec *out, Sub n, Types ts)
{
	for EACH(Type, t, ts)
		VEC_PUSH(out, type_of_rows(n, *t));
}

void check_screma(Check *c, const Exp *e, TypeVec *out)
{
	Sub n = e->screma.n;
	Types ret = e->screma.map->ret;
	check_mapped(c, n, e->screma.arrs, e->screma.map);
	int at = 0;
	for EACH(Reduction, r, e->screma.scans) {
		if (at + r->ne.len > ret.len)
			core_wrong(c, "the map function gives too few results for the scans");
		Types ts = types_part(ret, at, r->ne.len);
		check_operator(c, r->op, r->ne, ts);
		give_rows(out, n, ts);
		at += ts.len;
	}
	for EACH(Reduction, r, e->screma.reds) {
		if (at + r->ne.len > ret.len)
			core_wrong(c, "the map function gives too few results for the reductions");
		Types ts = types_part(ret, at, r->ne.len);
		check_operator(c, r->op, r->ne, ts);
		VEC_APPEND(out, ts);
		at += ts.len;
	}
	give_rows(out, n, types_part(ret, at, ret.len - at));
}

static Types elems_of(Check *c, Subs arrs, int rank)
{
	Types ts = {arrs.len ? NEW_ARRAY(Type, arrs.len) : NULL, arrs.len};
	for (int i = 0; i < arrs.len; i++) {
		want_array(c, arrs.at[i], rank, "destination");
		ts.at[i] = type_drop(sub_type(arrs.at[i]), rank);
	}
	return ts;
}

static void check_space(Check *c, Subs space)
{
	if (!space.len)
		core_wrong(c, "a destination needs at least one dimension to index");
	want_i64s(c, space, "size");
}

void check_hist(Check *c, const Exp *e, TypeVec *out)
{
	check_mapped(c, e->hist.n, e->hist.arrs, e->hist.map);
	TypeVec want = {0};
	for EACH(HistOp, op, e->hist.ops) {
		check_space(c, op->space);
		for (int i = 0; i < op->space.len; i++)
			VEC_PUSH(&want, type_scalar(PT_I64));
	}
	for EACH(HistOp, op, e->hist.ops) {
		Types ts = elems_of(c, op->dests, op->space.len);
		check_operator(c, op->op, op->ne, ts);
		VEC_APPEND(&want, ts);
		VEC_APPEND(out, types_of_subs(op->dests));
	}
	want_types(c, e->hist.map->ret, VEC_SLICE(Types, want), "indices and values of hist");
}

void check_scatter(Check *c, const Exp *e, TypeVec *out)
{
	check_mapped(c, e->scatter.n, e->scatter.arrs, e->scatter.map);
	TypeVec want = {0};
	for EACH(ScatterDest, d, e->scatter.dests) {
		check_space(c, d->space);
		if (d->n_writes < 0)
			core_wrong(c, "a negative number of writes");
		for (int i = 0; i < d->n_writes * d->space.len; i++)
			VEC_PUSH(&want, type_scalar(PT_I64));
	}
	for EACH(ScatterDest, d, e->scatter.dests) {
		want_array(c, d->dest, d->space.len, "destination");
		for (int i = 0; i < d->n_writes; i++)
			VEC_PUSH(&want, type_drop(sub_type(d->dest), d->space.len));
		VEC_PUSH(out, sub_type(d->dest));
	}
	want_types(c, e->scatter.map->ret, VEC_SLICE(Types, want), "indices and values of scatter");
}

void check_flatmap(Check *c, const Exp *e, TypeVec *out)
{
	Sub n = e->flatmap.n;
	Types ret = e->flatmap.map->ret;
	check_mapped(c, n, e->flatmap.arrs, e->flatmap.map);
	if (e->flatmap.n_data < 0 || ret.len < 1 + e->flatmap.n_data)
		core_wrong(c, "the function of flatmap gives fewer than %d results",
		           1 + e->flatmap.n_data);
	want_type(c, ret.at[0], type_scalar(PT_I64), "the length of a segment");
	VEC_PUSH(out, type_scalar(PT_I64));
	VEC_PUSH(out, type_array(PT_I64, subs_of(1, n)));
	for (int i = 1; i < ret.len; i++) {
		bool data = i <= e->flatmap.n_data;
		if (data && (ret.at[i].kind != T_DATA || !ret.at[i].dims.len))
			core_wrong(c, "result %d of the function of flatmap is not an array",
			           i + 1);
		VEC_PUSH(out, data ? ret.at[i] : type_of_rows(n, ret.at[i]));
	}
}

// ---- Accumulators ----

static void check_acc_input(Check *c, const AccInput *in)
{
	check_space(c, in->space);
	Types ts = elems_of(c, in->arrs, in->space.len);
	if (in->op)
		check_operator(c, in->op, in->ne, ts);
	else if (in->ne.len)
		core_wrong(c, "an accumulator without an operator has no neutral elements");
}

// fn's parameters: the tokens, then an accumulator for each.
void check_withacc(Check *c, const Exp *e, TypeVec *out)
{
	const Lambda *fn = e->withacc.fn;
	int n = e->withacc.inputs.len;
	if (fn->params.len != 2 * n || fn->ret.len < n)
		core_wrong(c, "the function of withacc has %d parameters and %d results for "
		           "%d accumulators", fn->params.len, fn->ret.len, n);
	TypeVec params = {0};
	for (int i = 0; i < n; i++)
		VEC_PUSH(&params, type_cert());
	for (int i = 0; i < n; i++) {
		AccInput *in = &e->withacc.inputs.at[i];
		check_acc_input(c, in);
		AccType *acc = NEW(AccType, fn->params.at[i], in->space,
		                   elems_of(c, in->arrs, in->space.len));
		VEC_PUSH(&params, (Type){.kind = T_ACC, .acc = acc});
		VEC_APPEND(out, types_of_subs(in->arrs));
	}
	check_lambda(c, fn, VEC_SLICE(Types, params),
	             "parameters and results of the function of withacc");
	want_types(c, types_part(fn->ret, 0, n), types_part(VEC_SLICE(Types, params), n, n),
	           "accumulators given back");
	VEC_APPEND(out, types_part(fn->ret, n, fn->ret.len - n));
}

void check_upd_acc(Check *c, const Exp *e, TypeVec *out)
{
	Type t = sub_type(e->upd_acc.acc);
	if (t.kind != T_ACC)
		core_wrong(c, "%s is not an accumulator", show_sub(e->upd_acc.acc));
	want_i64s(c, e->upd_acc.idx, "index");
	if (e->upd_acc.idx.len != t.acc->space.len)
		core_wrong(c, "%d indices into an accumulator of %d dimensions", e->upd_acc.idx.len,
		      t.acc->space.len);
	want_types(c, types_of_subs(e->upd_acc.vals), t.acc->elems, "values");
	VEC_PUSH(out, t);
}

// ---- Derivatives ----

static Types seed_types(bool many, Sub n, Types ts)
{
	if (!many)
		return ts;
	TypeVec out = {0};
	give_rows(&out, n, ts);
	return VEC_SLICE(Types, out);
}

void check_jvp(Check *c, const Exp *e, TypeVec *out)
{
	if (e->jvp.many)
		want_scalar(c, e->jvp.n, PT_I64, "size");
	Types args = types_of_subs(e->jvp.args);
	check_lambda(c, e->jvp.fn, args, "parameters and results of the function");
	want_types(c, types_of_subs(e->jvp.seeds), seed_types(e->jvp.many, e->jvp.n, args),
	           "tangents");
	VEC_APPEND(out, e->jvp.fn->ret);
	VEC_APPEND(out, seed_types(e->jvp.many, e->jvp.n, e->jvp.fn->ret));
}

void check_vjp(Check *c, const Exp *e, TypeVec *out)
{
	if (e->vjp.many)
		want_scalar(c, e->vjp.n, PT_I64, "size");
	Types args = types_of_subs(e->vjp.args);
	check_lambda(c, e->vjp.fn, args, "parameters and results of the function");
	want_types(c, types_of_subs(e->vjp.seeds),
	           seed_types(e->vjp.many, e->vjp.n, e->vjp.fn->ret), "cotangents");
	VEC_APPEND(out, e->vjp.fn->ret);
	VEC_APPEND(out, seed_types(e->vjp.many, e->vjp.n, args));
}

void check_with_vjp(Check *c, const Exp *e, TypeVec *out)
{
	Types args = types_of_subs(e->with_vjp.args), ret = e->with_vjp.fn->ret;
	check_lambda(c, e->with_vjp.fn, args, "parameters and results of the function");
	if (e->with_vjp.n_tape < 0 || e->with_vjp.n_tape > ret.len)
		core_wrong(c, "the tape has %d values of %d results", e->with_vjp.n_tape, ret.len);
	check_lambda(c, e->with_vjp.bwd, ret, "parameters and results of the backward function");
	want_types(c, e->with_vjp.bwd->ret, args, "adjoints");
	VEC_APPEND(out, types_part(ret, e->with_vjp.n_tape, ret.len - e->with_vjp.n_tape));
}
