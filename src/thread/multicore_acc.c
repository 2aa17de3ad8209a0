// Accumulators in parallel regions: adding up private ones.  hist and scatter have become updates
// of accumulators before (loop/forms.c).
#include "thread/multicore.h"

// ---- Sums that chunks share ----

static bool is_number_sum(const AccInput *in, Types elems)
{
	PrimType t = elems.at[0].elem;
	return elems.len == 1 && (t == PT_F64 || t == PT_F32 || t == PT_I64 || t == PT_I32) &&
	       lambda_adds(in->op);
}

bool may_share_sums(const Job *j)
{
	for EACH(Reduction, r, j->e->screma.reds)
		for EACH(Sub, ne, r->ne)
			if (type_is_array(sub_type(*ne)))
				return false;
	for EACH(Type, t, j->e->screma.map->ret)
		if (is_private(j->m, *t) && !is_number_sum(input_of(j->m, *t), t->acc->elems))
			return false;
	return true;
}

typedef struct { Map own; } Updates;          // own: tokens made inside

static void mark_updates(Visit *v, Body *b)
{
	Updates *u = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_withacc)
			for (int i = 0; i < s->exp->withacc.inputs.len; i++)
				map_put(&u->own, var_key(s->exp->withacc.fn->params.at[i]), u);
		if (s->exp->form == E_upd_acc && !has_attrs(s->attrs) &&
		    !map_has(&u->own, var_key(sub_type(s->exp->upd_acc.acc).acc->token)))
			s->attrs = attr_of(ATTR_ATOMIC);
		if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
	}
}

const Exp *with_shared_sums(const Exp *e)
{
	Updates u = {0};
	Visit v = {.body = mark_updates, .copy = true, .ctx = &u};
	Exp *out = exp_dup(e);
	Lambda *f = out->screma.map = lambda_rename(e->screma.map);
	mark_updates(&v, &f->body);
	return out;
}

// ---- Sums of neighbours ----

typedef struct {
	const Job *j;
	Map defs;                               // variable -> Exp *: scalars of the row
	Map own;                                // tokens made inside
	Near near;
	Sub row;                                // what is_row has found to be the number of the row
	bool fails;
} Neighbours;

static void note_reach(Neighbours *q, int64_t off)
{
	off = off < 0 ? -off : off;
	q->near.reach = off > q->near.reach ? off : q->near.reach;
}

// Is it the number of the row, or that and a constant?  Modulo the number of rows, that number
// does not count.
static bool is_row(Neighbours *q, Sub x, bool modulo, int64_t *off)
{
	const Exp *screma = q->j->e;
	const Lambda *f = screma->screma.map;
	const Exp *e = x.kind == S_VAR ? map_get(&q->defs, var_key(x.var)) : NULL;
	for (int i = 0; i < f->params.len; i++)
		if (sub_eq(q->row = x, sub_var(f->params.at[i])))
			return screma->screma.arrs.at[i].kind == S_VAR &&
			       map_has(&q->j->m->counts, var_key(screma->screma.arrs.at[i].var));
	if (!e || e->prim.at != PT_I64)
		return false;
	Sub a = e->prim.x[0], b = e->prim.x[1], n = screma->screma.n;
	int64_t inner = 0;
	switch (e->prim.op) {
	case P_add: case P_sub:
		if (modulo && sub_eq(b, n))
			return is_row(q, a, true, off);
		if (modulo && sub_eq(a, n) && e->prim.op == P_add)
			return is_row(q, b, true, off);
		if (b.kind != S_CONST || b.val.i > 1024 || b.val.i < -1024)
			return false;
		*off += e->prim.op == P_add ? b.val.i : -b.val.i;
		return is_row(q, a, modulo, off);
	case P_mod:
		if (modulo || !sub_eq(b, n) || !is_row(q, a, true, &inner))
			return false;
		q->near.wraps = true;
		note_reach(q, inner);
		*off += inner;
		return true;
	default: // may be any number
		return false;
	}
}

static void look_at_updates(Visit *v, Body *b)
{
	Neighbours *q = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_prim)
			map_put(&q->defs, var_key(s->pat.at[0]), (void *)e);
		if (e->form == E_withacc)
			for (int i = 0; i < e->withacc.inputs.len; i++)
				map_put(&q->own, var_key(e->withacc.fn->params.at[i]), q);
		if (e->form == E_call && vars_have_acc(s->pat))
			q->fails = true;
		if (e->form != E_upd_acc ||
		    map_has(&q->own, var_key(sub_type(e->upd_acc.acc).acc->token)))
			continue;
		int64_t off = 0;
		if (!e->upd_acc.idx.len || !is_row(q, e->upd_acc.idx.at[0], false, &off))
			q->fails = true;
		note_reach(q, off);
	}
	body_visit(b, v);
}

bool adds_near(const Job *j, Near *near)
{
	enum { MOST_REACH = 16 };
	const Lambda *f = j->e->screma.map;
	Neighbours q = {.j = j};
	for EACH(Type, t, f->ret)
		if (t->kind == T_ACC && !is_private(j->m, *t))
			return false;
	if (j->n_red || j->n_scan)
		return false;
	Visit v = {.body = look_at_updates, .ctx = &q};
	Body body = f->body;
	look_at_updates(&v, &body);
	*near = q.near;
	return !q.fails && q.near.reach <= MOST_REACH;
}

// mod (row + off) n is row + off, where it does not wrap.
static void unwrap_places(Visit *v, Body *b)
{
	Neighbours *q = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		int64_t off = 0;
		if (s->exp->form == E_prim)
			map_put(&q->defs, var_key(s->pat.at[0]), s->exp);
		if (s->exp->form == E_prim && s->exp->prim.op == P_mod &&
		    is_row(q, sub_var(s->pat.at[0]), false, &off) &&
		    off <= q->j->near.reach && off >= -q->j->near.reach)
			s->exp = EXP(prim, P_add, PT_I64,
				{q->row, sub_i64(off)});
		else if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
	}
}

const Exp *without_wraps(const Job *j)
{
	Neighbours q = {.j = j};
	Visit v = {.body = unwrap_places, .copy = true, .ctx = &q};
	Exp *out = exp_dup(j->e);
	Lambda *f = out->screma.map = mem_dup(j->e->screma.map, sizeof *f);
	unwrap_places(&v, &f->body);
	return out;
}

// ---- Adding up ----

// Small arrays have others between them that nobody uses: threads that write to the same line of
// the cache wait for each other.
Sub private_row(Multicore *m, Sub c, Subs space)
{
	enum { APART = 128 };           // bytes, and elements are no smaller
	Build *b = &m->b;
	Sub size = b_product(b, space);
	Sub between = b_prim2(b, P_quot, sub_i64(APART), b_prim2(b, P_max, size, sub_i64(1)));
	Sub step = b_select(b, b_lt(b, size, sub_i64(threshold(AT_copies_apart))),
	                    b_add(b, between, sub_i64(2)), sub_i64(1));
	return b_mul(b, c, step);
}

// for i < space[d], ...: the elements at `idx`, of the private arrays at idx[0].
static Sub add_from(Multicore *m, Sub acc, Subs arrs, Subs space, Subs idx)
{
	Build *b = &m->b;
	int d = idx.len - 1;
	if (d == space.len) {
		Subs vals = {NEW_ARRAY(Sub, arrs.len), arrs.len};
		for (int i = 0; i < arrs.len; i++)
			vals.at[i] = b_index(b, arrs.at[i], idx);
		return b_let(b, "acc", sub_type(acc), EXP(upd_acc, acc, {idx.at + 1, d}, vals));
	}
	Region r = region_new(space.at[d]);
	region_carry(&r, "acc", acc);
	b_open(b);
	r.next.at[0] = add_from(m, region_param(&r, 0), arrs, space,
	                        subs_cat(idx, subs_of(1, sub_var(r.c))));
	return region_close_sequential(m, &r).at[0];
}

// Elements `rows` of the outer dimension, of all chunks.
static Sub add_rows(Multicore *m, Sub acc, Subs arrs, Subs space, Sub n_chunks, Rows rows)
{
	Build *b = &m->b;
	Region chunks = region_new(n_chunks);
	region_carry(&chunks, "acc", acc);
	b_open(b);
	Region r = region_new(rows.len);
	region_carry(&r, "acc", region_param(&chunks, 0));
	b_open(b);
	Sub at = b_add(b, rows.lo, sub_var(r.c));
	Sub row = private_row(m, sub_var(chunks.c), space);
	r.next.at[0] = add_from(m, region_param(&r, 0), arrs, space, subs_of(2, row, at));
	chunks.next.at[0] = region_close_sequential(m, &r).at[0];
	return region_close_sequential(m, &chunks).at[0];
}

Sub add_private(Multicore *m, Sub acc, Subs arrs, Sub n_chunks)
{
	Build *b = &m->b;
	Subs space = sub_type(acc).acc->space;
	if (!space.len) {
		Region r = region_new(n_chunks);
		region_carry(&r, "acc", acc);
		b_open(b);
		Sub row = private_row(m, sub_var(r.c), space);
		r.next.at[0] = add_from(m, region_param(&r, 0), arrs, space, subs_of(1, row));
		return region_close_sequential(m, &r).at[0];
	}
	Sub n = space.at[0];
	Sub work = b_mul(b, b_product(b, sub_type(arrs.at[0]).dims), sub_i64(arrs.len));
	Sub parts = emit_chunks(m, n, work, sub_i64(0));
	Sub size = chunk_size(m, n, parts, true);
	Region r = region_new(parts);
	region_carry(&r, "acc", acc);
	b_open(b);
	Rows rows = chunk_rows(m, sub_var(r.c), size, n);
	r.next.at[0] = add_rows(m, region_param(&r, 0), arrs, space, n_chunks, rows);
	return region_close(m, &r).at[0];
}
