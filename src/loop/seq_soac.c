// Loops for screma and flatmap.
//
// The loop of a screma carries, in this order: an array for each result of a scan, the value of
// each reduction, an array for each mapped result (or the arrays of an accumulator, if the result
// is one), and finally the running values of the scans:
//
//     (ss, r, ys) = screma n (xs) map=f scan=(e) g reduce=(d) h
// becomes
//     (ss, r, ys, _) = loop (s, p = d, y, c = e) for i < n do
//       x = xs[i];  (u, v, w) = f x;  c1 = g c u;  p1 = h p v
//       in s with [i] = c1, p1, y with [i] = w, c1
//
// Note [Reductions of arrays].  The result of a reduction is fresh memory, although the operator
// may return one of its operands.  An array parameter of the loop is therefore unique: the neutral
// element is copied once, and the operator's result is copied if it may alias an operand.
#include "loop/seq.h"

typedef struct {
	Vars params;
	Subs inits, next;
	Vars pat;
} Carried;

static Carried carried_new(int n)
{
	return (Carried){{NEW_ARRAY(Var, n), 0}, {NEW_ARRAY(Sub, n), 0}, {NEW_ARRAY(Sub, n), 0},
	                 {NEW_ARRAY(Var, n), 0}};
}

// A further parameter; it is unique if it is an array.
static Var carry(Carried *c, Var pat, Type t, Sub init)
{
	t.unique = t.dims.len > 0;
	Var p = var_new(vars[pat.id].hint, t);
	c->params.at[c->params.len++] = p;
	c->inits.at[c->inits.len++] = init;
	c->pat.at[c->pat.len++] = pat;
	return p;
}

static Sub scratch_rows(Seq *q, Sub n, Type row)
{
	Type t = type_of_rows(n, row);
	return b_scratch(&q->b, "out", t);
}

static Sub put_row(Seq *q, Var out, Sub i, Sub row)
{
	return b_update(&q->b, sub_var(out),
	                slices_at(subs_of(1, i), type_row(vars[out.id].type).dims), row);
}

static void emit_loop(Seq *q, const Carried *c, Var i, Sub n, Body body)
{
	for EACH(Var, v, c->pat)
		vars[v->id].type = seq_type(q, vars[v->id].type);
	b_stm(&q->b, c->pat, EXP(loop, .params = c->params, .inits = c->inits, .i = i, .n = n,
	                         .body = body));
}

// ---- Rows ----

// The arguments of the map function in iteration i.
static Subs rows_of(Seq *q, Subs arrs, const Lambda *map, Sub i)
{
	Subs rows = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int k = 0; k < arrs.len; k++) {
		bool own = vars[map->params.at[k].id].type.unique;
		rows.at[k] = sub_type(arrs.at[k]).kind == T_ACC ? arrs.at[k]
		           : seq_row(q, arrs.at[k], i, own);
	}
	return rows;
}

// ---- Operators ----

static bool order_is_free(Prim op)
{
	return op == P_add || op == P_mul || op == P_min || op == P_max || op == P_and ||
	       op == P_or || op == P_xor;
}

// \a b -> a op b, or b op a?
static const Stm *plain_operator(const Lambda *f)
{
	const Exp *e = lambda_prim(f);
	return e && order_is_free(e->prim.op) ? &f->body.stms.at[0] : NULL;
}

// The operator on the values so far and the new ones.
Subs seq_combine(Seq *q, const Lambda *op, Subs so_far, Subs fresh, bool reduce)
{
	const Stm *plain = reduce ? plain_operator(op) : NULL;
	if (!plain)
		return seq_inline(q, op, subs_cat(so_far, fresh));
	Stm s = {.pat = plain->pat, .certs = q->b.certs, .where = plain->where,
	         .attrs = attr_of(ATTR_REDUCE)};
	s.exp = EXP(prim, .op = plain->exp->prim.op, .at = plain->exp->prim.at,
	            .x = {so_far.at[0], fresh.at[0]});
	b_emit(&q->b, s);
	return op->body.res;
}

// See Note [Reductions of arrays]; no two results may share memory either.
void own_results(Build *b, const Lambda *op, Subs res)
{
	for (int i = 0; i < res.len; i++) {
		bool own = gives_fresh(&op->body, op->body.res.at[i]);
		for (int k = 0; k < i; k++)
			own &= !sub_eq(op->body.res.at[i], op->body.res.at[k]);
		if (type_is_array(sub_type(res.at[i])) && !own)
			res.at[i] = b_copy(b, res.at[i]);
	}
}

static Subs params_from(const Carried *c, int from, int n)
{
	Subs out = {NEW_ARRAY(Sub, n), n};
	for (int i = 0; i < n; i++)
		out.at[i] = sub_var(c->params.at[from + i]);
	return out;
}

// ---- screma ----

typedef struct {
	Seq *q;
	const Exp *e;
	Vars pat;
	Carried c;
	int n_scan, n_red;                      // values of scans and reductions
	Vars scan_values;                       // the pattern has none of its own for them
} Screma;

static Sub owned(Seq *q, Sub s)
{
	return type_is_array(sub_type(s)) ? b_copy(&q->b, s) : s;
}

// The arrays of an accumulator that the map function gives back: carried, and the lambda's
// parameter for it is what is carried.
static void carry_acc(Screma *m, Type t, Var pat)
{
	for (int k = 0; k < m->e->screma.arrs.len; k++) {
		Sub acc = m->e->screma.arrs.at[k];
		Type of = sub_type(acc);
		if (of.kind != T_ACC || of.acc->token.id != t.acc->token.id)
			continue;
		Subs arrs = seq_acc(m->q, acc);
		Subs params = {NEW_ARRAY(Sub, arrs.len), 0}, after = {NEW_ARRAY(Sub, arrs.len), 0};
		for EACH(Sub, a, arrs) {
			Type at = type_plain(sub_type(*a));
			Var out = var_new(vars[pat.id].hint, at);
			params.at[params.len++] = sub_var(carry(&m->c, out, at, *a));
			after.at[after.len++] = sub_var(out);
		}
		seq_set_acc(m->q, m->e->screma.map->params.at[k], params);
		seq_set_acc(m->q, pat, after);
		return;
	}
	bug("the accumulator %s comes from nowhere", show_sub(sub_var(pat)));
}

static int most_carried(const Screma *m)
{
	int n = m->e->screma.map->ret.len + m->n_scan;
	for EACH(Type, t, m->e->screma.map->ret)
		if (t->kind == T_ACC)
			n += t->acc->elems.len;
	return n;
}

static void carry_all(Screma *m)
{
	Seq *q = m->q;
	Sub n = m->e->screma.n;
	Types ret = m->e->screma.map->ret;
	Subs scan_inits = {NEW_ARRAY(Sub, m->n_scan), 0}, red_inits = {NEW_ARRAY(Sub, m->n_red), 0};
	for EACH(Reduction, r, m->e->screma.scans)
		for EACH(Sub, ne, r->ne)
			scan_inits.at[scan_inits.len++] = owned(q, *ne);
	for EACH(Reduction, r2, m->e->screma.reds)
		for EACH(Sub, ne, r2->ne)
			red_inits.at[red_inits.len++] = owned(q, *ne);
	for (int i = 0; i < ret.len; i++) {
		Var pat = m->pat.at[i];
		Type t = seq_type(q, ret.at[i]);
		if (t.kind == T_ACC)
			carry_acc(m, t, pat);
		else if (i >= m->n_scan && i < m->n_scan + m->n_red)
			carry(&m->c, pat, t, red_inits.at[i - m->n_scan]);
		else
			carry(&m->c, pat, type_of_rows(n, t), scratch_rows(q, n, t));
	}
	for (int i = 0; i < m->n_scan; i++) {
		Type t = seq_type(q, ret.at[i]);
		Var last = var_new(name_of("last"), t);
		carry(&m->c, last, t, scan_inits.at[i]);
	}
}

// In the body: the next values of all parameters.
static void next_values(Screma *m, Subs made, Sub i)
{
	Seq *q = m->q;
	Carried *c = &m->c;
	int at = 0, n_last = c->params.len - m->n_scan;
	Subs last = {NEW_ARRAY(Sub, m->n_scan), 0};
	for EACH(Reduction, r, m->e->screma.scans) {
		Subs new_ = {made.at + at, r->ne.len};
		Subs so_far = params_from(c, n_last + at, r->ne.len);
		Subs res = seq_combine(q, r->op, so_far, new_, false);
		for EACH(Sub, s, res)
			c->next.at[c->next.len++] = put_row(q, c->params.at[at++], i, *s);
		own_results(&q->b, r->op, res);
		for EACH(Sub, s2, res)
			last.at[last.len++] = *s2;
	}
	for EACH(Reduction, r3, m->e->screma.reds) {
		Subs new_ = {made.at + at, r3->ne.len};
		Subs so_far = params_from(c, at, r3->ne.len);
		Subs res = seq_combine(q, r3->op, so_far, new_, true);
		own_results(&q->b, r3->op, res);
		for EACH(Sub, s, res)
			c->next.at[c->next.len++] = *s;
		at += r3->ne.len;
	}
	for (; at < made.len; at++) {
		if (sub_type(made.at[at]).kind == T_ACC) {
			Subs arrs = seq_acc(q, made.at[at]);
			for EACH(Sub, a, arrs)
				c->next.at[c->next.len++] = *a;
			continue;
		}
		c->next.at[c->next.len] = put_row(q, c->params.at[c->next.len], i, made.at[at]);
		c->next.len++;
	}
	for EACH(Sub, l, last)
		c->next.at[c->next.len++] = *l;
}

static bool has_accs(Types ts)
{
	for EACH(Type, t, ts)
		if (t->kind == T_ACC)
			return true;
	return false;
}

void seq_screma(Seq *q, const Stm *s)
{
	const Exp *e = s->exp;
	Screma m = {.q = q, .e = e, .pat = s->pat, .n_scan = n_reduced(e->screma.scans),
	            .n_red = n_reduced(e->screma.reds)};
	q->b.attrs = (Attributes){0};
	m.c = carried_new(most_carried(&m));
	carry_all(&m);
	Var i = var_i64("i");
	b_open(&q->b);
	Subs rows = rows_of(q, e->screma.arrs, e->screma.map, sub_var(i));
	next_values(&m, seq_inline(q, e->screma.map, rows), sub_var(i));
	Body body = b_close(&q->b, m.c.next);
	bool parallel = !m.n_scan && !has_accs(e->screma.map->ret);
	q->b.attrs = parallel ? with_attr(s->attrs, ATTR_PARALLEL) : s->attrs;
	emit_loop(q, &m.c, i, e->screma.n, body);
}

// ---- flatmap ----
//
// The data grow: len elements are in use of cap, which doubles when the next segment does not
// fit.
//
//     loop (len = 0, cap = n, buf = scratch [n], lens, us) for i < n do
//       (k, seg, u) = f xs[i]
//       end = len + k
//       (cap1, buf1) = if end <= cap then {cap, buf} else {a larger copy}
//       in end, cap1, buf1 with [len:k:1] = seg, lens with [i] = k, us with [i] = u
//     data = buf[0:len:1]

// Room for `end` rows in each of the buffers: params[0] is cap, then come the buffers.
static Subs grow(Seq *q, Subs bufs, Sub cap, Sub len, Sub end)
{
	Build *b = &q->b;
	Body yes = {.res = subs_cat(subs_of(1, cap), bufs)};
	Sub fits = b_le(b, end, cap);
	b_open(b);
	Sub more = b_prim2(b, P_max, end, b_mul(b, cap, sub_i64(2)));
	Subs res = {NEW_ARRAY(Sub, bufs.len + 1), 0};
	res.at[res.len++] = more;
	for EACH(Sub, buf, bufs) {
		Type t = sub_type(*buf);
		Sub larger = scratch_rows(q, more, type_row(t));
		Sub used = b_slice(b, *buf, slices_rows(t, sub_i64(0), len));
		res.at[res.len++] = b_update(b, larger,
		                             slices_rows(sub_type(larger), sub_i64(0), len), used);
	}
	Body no = b_close(b, res);
	Vars pat = {NEW_ARRAY(Var, bufs.len + 1), 0};
	Subs out = {NEW_ARRAY(Sub, bufs.len + 1), 0};
	pat.at[pat.len++] = var_i64("cap");
	for EACH(Sub, buf2, bufs)
		pat.at[pat.len++] = var_new(name_of("buf"), type_of_rows(sub_var(pat.at[0]),
		                                                      type_row(sub_type(*buf2))));
	for EACH(Var, v, pat)
		out.at[out.len++] = sub_var(*v);
	b_stm(b, pat, EXP(if_, fits, yes, no));
	return out;
}

enum { FM_LEN, FM_CAP, FM_BUFS };               // places among the parameters

static void carry_flatmap(Seq *q, const Stm *s, Carried *c)
{
	const Exp *e = s->exp;
	Sub n = e->flatmap.n;
	Types ret = e->flatmap.map->ret;
	Type i64 = type_scalar(PT_I64);
	carry(c, s->pat.at[0], i64, sub_i64(0));
	Var cap_after = var_new(name_of("cap"), i64);
	Sub cap = sub_var(carry(c, cap_after, i64, n));
	for (int i = 1; i <= e->flatmap.n_data; i++) {
		Type row = type_row(seq_type(q, ret.at[i]));
		Var after = var_new(name_of("buf"), type_of_rows(sub_var(cap_after), row));
		carry(c, after, type_of_rows(cap, row), scratch_rows(q, n, row));
	}
	carry(c, s->pat.at[1], type_of_rows(n, i64), scratch_rows(q, n, i64));
	for (int i = e->flatmap.n_data + 1; i < ret.len; i++) {
		Type t = seq_type(q, ret.at[i]);
		carry(c, s->pat.at[i + 1], type_of_rows(n, t), scratch_rows(q, n, t));
	}
}

void seq_flatmap(Seq *q, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = &q->b;
	int n_data = e->flatmap.n_data;
	b->attrs = (Attributes){0};
	Carried c = carried_new(e->flatmap.map->ret.len + 2);
	carry_flatmap(q, s, &c);
	Var i = var_i64("i");
	b_open(b);
	Subs rows = rows_of(q, e->flatmap.arrs, e->flatmap.map, sub_var(i));
	Subs made = seq_inline(q, e->flatmap.map, rows);
	Sub len = sub_var(c.params.at[FM_LEN]), k = made.at[0], end = b_add(b, len, k);
	Sub cap = sub_var(c.params.at[FM_CAP]);
	Subs bufs = grow(q, params_from(&c, FM_BUFS, n_data), cap, len, end);
	c.next.at[c.next.len++] = end;
	c.next.at[c.next.len++] = bufs.at[0];
	for (int d = 0; d < n_data; d++) {
		Sub buf = bufs.at[d + 1];
		c.next.at[c.next.len++] = b_update(b, buf, slices_rows(sub_type(buf), len, k),
		                                   made.at[d + 1]);
	}
	c.next.at[c.next.len] = put_row(q, c.params.at[c.next.len], sub_var(i), k);
	c.next.len++;
	for (int u = n_data + 1; u < made.len; u++) {
		c.next.at[c.next.len] = put_row(q, c.params.at[c.next.len], sub_var(i), made.at[u]);
		c.next.len++;
	}
	Body body = b_close(b, c.next);
	b->attrs = s->attrs;
	emit_loop(q, &c, i, e->flatmap.n, body);
	for (int d = 0; d < n_data; d++) {
		Var buf = c.pat.at[FM_BUFS + d], out = s->pat.at[d + 2];
		Slices at = slices_rows(vars[buf.id].type, sub_i64(0), sub_var(s->pat.at[0]));
		vars[out.id].type = seq_type(q, vars[out.id].type);
		b_stm(b, vars_of(1, out), EXP(slice, sub_var(buf), at));
	}
}
