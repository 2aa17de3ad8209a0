// Writing by index: hist, scatter and updates of accumulators.
//
//     let (ys: [k]f64) = scatter n (is, vs) dest=[k] xs 1 map=\(i: i64, v: f64) ... -> {i, v}
// becomes
//     let (ys: [k]f64) = loop (d: *[k]f64 = xs) for j: i64 < n do {
//       let (i: i64) = index is [j]
//       let (v: f64) = index vs [j]
//       let (c: bool) = ... 0 <= i and i < k
//       let (e: [k]f64) = if c then {let (f: [k]f64) = update d [i] v in f} else {d}
//       in e
//     }
//
// With an operator, the old element is combined with the value and written back.
#include "loop/seq.h"

// ---- Rows and what bodies give ----

Sub seq_row(Seq *q, Sub arr, Sub i, bool own)
{
	Sub row = b_index(&q->b, arr, subs_of(1, i));
	return own && sub_type(row).dims.len ? b_copy(&q->b, row) : row;
}

static const Stm *binding_of(const Body *b, Sub s, int *at)
{
	for (int i = b->stms.len; i-- > 0 && s.kind == S_VAR;)
		for (int k = 0; k < b->stms.at[i].pat.len; k++)
			if (b->stms.at[i].pat.at[k].id == s.var.id) {
				*at = k;
				return &b->stms.at[i];
			}
	return NULL;
}

bool gives_fresh(const Body *b, Sub s)
{
	int at;
	const Stm *bound = binding_of(b, s, &at);
	if (!bound)
		return false;
	const Exp *e = bound->exp;
	if (form_has(e->form, FORM_FRESH))
		return true;
	for (int i = 0; i < n_branches(e); i++)
		if (!gives_fresh(branch_at(e, i), branch_at(e, i)->res.at[at]))
			return false;
	return n_branches(e) > 0;
}

// ---- Guarded writes ----

// What stands there, combined with the new values.  What the operator gives is written over its
// own operand, so it must not lie there; nor may the operator consume it.
Subs seq_combined(Seq *q, const Lambda *op, Subs arrs, Subs idx, Subs vals)
{
	Subs now = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++) {
		bool own = vars[op->params.at[i].id].type.unique;
		for EACH(Sub, r, op->body.res)
			own |= !gives_fresh(&op->body, *r);
		now.at[i] = b_index(&q->b, arrs.at[i], idx);
		if (own && sub_type(now.at[i]).dims.len)
			now.at[i] = b_copy(&q->b, now.at[i]);
	}
	return seq_combine(q, op, now, vals, true);
}

static Subs write_there(Seq *q, Subs arrs, Subs idx, Subs vals, const Lambda *op)
{
	Build *b = &q->b;
	if (op && q->atomic)
		return seq_atomic(q, arrs, idx, vals, op);
	if (op)
		vals = seq_combined(q, op, arrs, idx, vals);
	Subs written = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++) {
		if (q->shared)
			b->attrs = attr_of(ATTR_SHARED);
		written.at[i] = b_update(
			b, arrs.at[i],
			slices_at(idx, type_drop(sub_type(arrs.at[i]), idx.len).dims), vals.at[i]);
	}
	return written;
}

// The arrays after writing vals at idx if that is inside of `space`.
static Subs write_at(Seq *q, Subs arrs, Subs space, Subs idx, Subs vals, const Lambda *op)
{
	Build *b = &q->b;
	if (q->inside)
		return write_there(q, arrs, idx, vals, op);
	Sub inside = b_in_range(b, idx, space);
	b_open(b);
	Body yes = b_close(b, write_there(q, arrs, idx, vals, op));
	Types ts = {NEW_ARRAY(Type, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		ts.at[i] = sub_type(arrs.at[i]);
	return b_lets(b, "upd", ts, EXP(if_, inside, yes, {.res = arrs}));
}

Subs seq_upd_acc(Seq *q, const AccInput *in, Subs arrs, Subs idx, Subs vals)
{
	const Lambda *op = in->op ? lambda_rename(in->op) : NULL;
	return write_at(q, arrs, in->space, idx, vals, op);
}

// ---- hist and scatter ----

typedef struct { Vars params; Subs inits, now; } Dests;

static void add_dest(Dests *d, Var pat, Sub dest)
{
	Type t = sub_type(dest);
	t.unique = true;
	Var p = var_new(vars[pat.id].hint, t);
	d->params.at[d->params.len++] = p;
	d->inits.at[d->inits.len++] = dest;
	d->now.at[d->now.len++] = sub_var(p);
}

static Dests dests_new(int n)
{
	return (Dests){{NEW_ARRAY(Var, n), 0}, {NEW_ARRAY(Sub, n), 0}, {NEW_ARRAY(Sub, n), 0}};
}

// Opens the body, gives the results of the map function for row i.
static Subs open_rows(Seq *q, Subs arrs, const Lambda *map, Var i)
{
	q->b.attrs = (Attributes){0};
	b_open(&q->b);
	Subs rows = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int k = 0; k < arrs.len; k++)
		rows.at[k] = seq_row(q, arrs.at[k], sub_var(i),
		                     vars[map->params.at[k].id].type.unique);
	return seq_inline(q, map, rows);
}

static void close_rows(Seq *q, const Stm *s, Dests *d, Sub n, Var i)
{
	Body body = b_close(&q->b, d->now);
	for EACH(Var, v, s->pat)
		vars[v->id].type = seq_type(q, vars[v->id].type);
	q->b.attrs = s->attrs;
	b_stm(&q->b, s->pat, EXP(loop, .params = d->params, .inits = d->inits, .i = i, .n = n,
	                         .body = body));
}

void seq_hist(Seq *q, const Stm *s)
{
	const Exp *e = s->exp;
	Dests d = dests_new(s->pat.len);
	int n_idx = 0;
	for EACH(HistOp, op, e->hist.ops) {
		n_idx += op->space.len;
		for EACH(Sub, dest, op->dests)
			add_dest(&d, s->pat.at[d.params.len], *dest);
	}
	Var i = var_i64("i");
	Subs made = open_rows(q, e->hist.arrs, e->hist.map, i);
	int at_idx = 0, at = 0;
	for EACH(HistOp, op2, e->hist.ops) {
		int k = op2->dests.len;
		Subs now = {d.now.at + at, k};
		Subs after = write_at(q, SLICE_DUP(Subs, now), op2->space,
		                      (Subs){made.at + at_idx, op2->space.len},
		                      (Subs){made.at + n_idx + at, k}, op2->op);
		for EACH(Sub, a, after)
			d.now.at[at++] = *a;
		at_idx += op2->space.len;
	}
	close_rows(q, s, &d, e->hist.n, i);
}

void seq_scatter(Seq *q, const Stm *s)
{
	const Exp *e = s->exp;
	Dests d = dests_new(s->pat.len);
	int n_idx = 0;
	for EACH(ScatterDest, dest, e->scatter.dests) {
		n_idx += dest->n_writes * dest->space.len;
		add_dest(&d, s->pat.at[d.params.len], dest->dest);
	}
	Var i = var_i64("i");
	Subs made = open_rows(q, e->scatter.arrs, e->scatter.map, i);
	int at_idx = 0, at_val = n_idx;
	for (int k = 0; k < e->scatter.dests.len; k++) {
		const ScatterDest *dest = &e->scatter.dests.at[k];
		for (int w = 0; w < dest->n_writes; w++) {
			Subs idx = {made.at + at_idx, dest->space.len};
			d.now.at[k] = write_at(q, subs_of(1, d.now.at[k]), dest->space, idx,
			                       subs_of(1, made.at[at_val++]), NULL).at[0];
			at_idx += dest->space.len;
		}
	}
	close_rows(q, s, &d, e->scatter.n, i);
}
