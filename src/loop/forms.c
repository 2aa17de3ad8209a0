// Expresses SOACs in terms of others, for threads and devices alike.
//
//     hist n (xs) op=[k] (d) (e) h map=f
// becomes
//     withacc input=[k] (d) (e) h fn=\t a -> screma n (xs, a) map=\x b ->
//         (i, v) = f x  in upd_acc b [i] (v)
//
// and scatter likewise, without an operator.  Also extracts, from a flatmap, the map that computes
// the lengths of its segments, and from an operator on arrays, the map that it consists of.
#include "loop/loop.h"

// ---- hist and scatter ----

typedef struct {
	AccInput input;
	Types elems;
	Subs idx, vals;                         // results of the map function: all writes
} Target;

static Stm with_targets(const Stm *s, Sub n, Subs arrs, const Lambda *map, Target *ts,
                        int n_targets)
{
	AccInputs inputs = {NEW_ARRAY(AccInput, n_targets), n_targets};
	Vars outer = {NEW_ARRAY(Var, 2 * n_targets), 2 * n_targets};
	Vars params = {NEW_ARRAY(Var, map->params.len + n_targets), map->params.len + n_targets};
	Types accs = {NEW_ARRAY(Type, n_targets), n_targets};
	Subs given = {NEW_ARRAY(Sub, n_targets), n_targets};
	Subs after = {NEW_ARRAY(Sub, n_targets), n_targets};
	if (map->params.len)
		memcpy(params.at, map->params.at, (size_t)map->params.len * sizeof *params.at);
	Build b = {.where = s->where};
	b_open(&b); // of the lambda of withacc
	b_open(&b); // of the map function
	b_emit_all(&b, map->body.stms);
	for (int i = 0; i < n_targets; i++) {
		const AccInput *in = &ts[i].input;
		inputs.at[i] = *in;
		outer.at[i] = var_new(name_of("token"), type_cert());
		Type t = {.kind = T_ACC, .acc = NEW(AccType, outer.at[i], in->space, ts[i].elems)};
		accs.at[i] = t;
		outer.at[n_targets + i] = var_new(name_of("acc"), t);
		given.at[i] = sub_var(outer.at[n_targets + i]);
		Var p = params.at[map->params.len + i] = var_new(name_of("acc"), t);
		Sub acc = sub_var(p);
		int rank = in->space.len, k = ts[i].elems.len;
		for (int w = 0; w * k < ts[i].vals.len; w++) {
			if (!in->op)
				b.attrs = attr_of(ATTR_SHARED);
			acc = b_let(&b, "acc", t, EXP(upd_acc, acc, {ts[i].idx.at + w * rank, rank},
			                              {ts[i].vals.at + w * k, k}));
		}
		after.at[i] = acc;
	}
	Lambda *f = NEW(Lambda, .params = params, .ret = accs, .body = b_close(&b, after));
	Subs all = b_lets(&b, "acc", accs, EXP(screma, .n = n, .arrs = subs_cat(arrs, given),
	                                       .map = f));
	Lambda *fn = NEW(Lambda, .params = outer, .ret = accs, .body = b_close(&b, all));
	Stm out = *s;
	out.exp = EXP(withacc, .inputs = inputs, .fn = fn);
	return out;
}

static Type element_type(Sub arr, int rank)
{
	Type t = type_plain(type_drop(sub_type(arr), rank));
	return t;
}

Stm acc_of_hist(const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->hist.ops.len, n_idx = 0, at_idx = 0;
	Target *ts = NEW_ARRAY(Target, n);
	for EACH(HistOp, op, e->hist.ops)
		n_idx += op->space.len;
	int at_val = n_idx;
	Subs res = e->hist.map->body.res;
	for (int i = 0; i < n; i++) {
		const HistOp *op = &e->hist.ops.at[i];
		int k = op->dests.len;
		ts[i] = (Target){.input = {op->space, op->dests, op->op, op->ne},
			.elems = {NEW_ARRAY(Type, k), k}, .idx = {res.at + at_idx, op->space.len},
			.vals = {res.at + at_val, k}};
		for (int d = 0; d < k; d++)
			ts[i].elems.at[d] = element_type(op->dests.at[d], op->space.len);
		at_idx += op->space.len;
		at_val += k;
	}
	return with_targets(s, e->hist.n, e->hist.arrs, e->hist.map, ts, n);
}

Stm acc_of_scatter(const Stm *s)
{
	const Exp *e = s->exp;
	int n = e->scatter.dests.len, n_idx = 0, at_idx = 0;
	Target *ts = NEW_ARRAY(Target, n);
	for EACH(ScatterDest, d, e->scatter.dests)
		n_idx += d->n_writes * d->space.len;
	int at_val = n_idx;
	Subs res = e->scatter.map->body.res;
	for (int i = 0; i < n; i++) {
		const ScatterDest *d = &e->scatter.dests.at[i];
		Sub *dest = NEW(Sub, 0);
		*dest = d->dest;
		ts[i] = (Target){.input = {d->space, {dest, 1}, NULL, {0}},
			.elems = {NEW_ARRAY(Type, 1), 1},
			.idx = {res.at + at_idx, d->n_writes * d->space.len},
			.vals = {res.at + at_val, d->n_writes}};
		ts[i].elems.at[0] = element_type(d->dest, d->space.len);
		at_idx += d->n_writes * d->space.len;
		at_val += d->n_writes;
	}
	return with_targets(s, e->scatter.n, e->scatter.arrs, e->scatter.map, ts, n);
}

// ---- Segments of a flatmap ----

static Types lambda_types(const Lambda *f, int n_data)
{
	Types out = {NEW_ARRAY(Type, f->ret.len), 0};
	for (int i = 0; i < f->ret.len; i++)
		if (i == 0 || i > n_data)
			out.at[out.len++] = f->ret.at[i];
	return out;
}

// The row without its segment.  A length that is negative fails when the segment is made, where the
// check is; until then it counts as none, so that the other segments have room.
Lambda *without_segments(const Lambda *f, int n_data)
{
	Lambda *out = lambda_rename(f);
	Subs res = {NEW_ARRAY(Sub, out->body.res.len), 0};
	Build b = {0};
	b_open(&b);
	b_emit_all(&b, out->body.stms);
	for (int i = 0; i < out->body.res.len; i++)
		if (i == 0 || i > n_data)
			res.at[res.len++] = out->body.res.at[i];
	res.at[0] = b_prim2(&b, P_max, res.at[0], sub_i64(0));
	out->ret = lambda_types(out, n_data);
	out->body = b_close(&b, res);
	return out;
}

// What a statement gives, under other names.
Vars other_names(const Stm *s)
{
	Vars out = SLICE_DUP(Vars, s->pat);
	for (int i = 0; i < out.len; i++) {
		Type t = vars[s->pat.at[i].id].type;
		if (i > 1 && t.dims.len && sub_eq(t.dims.at[0], sub_var(s->pat.at[0]))) {
			t.dims = SLICE_DUP(Subs, t.dims);
			t.dims.at[0] = sub_var(out.at[0]);
		}
		out.at[i] = var_new(vars[s->pat.at[i].id].hint, t);
	}
	return out;
}

// ---- Operators that are maps ----

// The map that the operator is, over rows of its operands and nothing else.
const Exp *map_of_operator(const Lambda *op)
{
	if (op->body.stms.len != 1 || !op->params.len)
		return NULL;
	const Stm *s = &op->body.stms.at[0];
	const Exp *e = s->exp;
	if (e->form != E_screma || e->screma.scans.len || e->screma.reds.len ||
	    s->pat.len != op->body.res.len)
		return NULL;
	for (int i = 0; i < s->pat.len; i++)
		if (!sub_eq(op->body.res.at[i], sub_var(s->pat.at[i])))
			return NULL;
	for EACH(Sub, a, e->screma.arrs)
		if (vars_find(op->params, *a) < 0)
			return NULL;
	Vars outer = free_in_lambda(e->screma.map);
	for EACH(Var, x, outer)
		if (vars_find(op->params, sub_var(*x)) >= 0)
			return NULL;   // elements elsewhere in the rows: \f g -> map (\x -> g[x]) f
	return e;
}

// The operator on elements.
Lambda *element_operator(const Lambda *op, const Exp *map)
{
	int n = op->params.len;
	Lambda *g = lambda_rename(map->screma.map);
	Vars rows = {NEW_ARRAY(Var, n), n};
	Map to = {0};
	for (int k = 0; k < n; k++) {
		Type t = type_plain(type_row(vars[op->params.at[k].id].type));
		rows.at[k] = var_new(vars[op->params.at[k].id].hint, t);
	}
	for (int k = 0; k < g->params.len; k++) {
		int at = vars_find(op->params, map->screma.arrs.at[k]);
		subst_put(&to, g->params.at[k], sub_var(rows.at[at]));
	}
	return NEW(Lambda, .params = rows, .ret = g->ret, .body = body_subst(g->body, &to));
}
