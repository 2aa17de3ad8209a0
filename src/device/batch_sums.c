// The pass `batch_sums`: replaces matrix products that a host loop accumulates, one per iteration,
// by a single product after the loop.
//
//     loop (w = w0, ..) for j < n do {          (log, ..) = loop (log = scratch, ..) for j < n do {
//       a: [m][p] = ..                            a: [m][p] = ..
//       b = slice bs [i, 0:m:1, 0:q:1]   ->       log with [i, 0:m:1, 0:p:1] = a
//       w' = w + transpose a * b                  .. }
//       in w', .. }                             w = w0 + transpose (log: [n m][p]) * (bs: [n m][q])
//
// where i is j or n - 1 - j.  The gradient with respect to weights that every step of a recurrence
// uses thus becomes one product that is large enough to fill a device.  Sums of the rows of a (an
// accumulator to which each row is added) are treated in the same way.
//
// The log does not increase the order of memory use: another array of the loop has n m rows
// already.
//
// Outer products of vectors that are added to a matrix are summed so as well (batch_outer.c).
//
// Requires: the SOAC stage.  Ensures: equal results up to the order of additions.
#include "device/batch.h"

typedef struct { Map defs; } Batch;            // defs: variable -> Exp *, of the bodies of the host

// Rows of an operand, of all iterations: a slice of `all`, or (all is no variable) to be kept.
typedef struct { Var rows; Sub all, at; } RowSource;

// Statement `s` of the loop's body gives parameter k its next value.
typedef struct {
	int k;
	const Stm *s;
	RowSource of[2];
	int n_of;
	Sub m;                                  // how many rows each iteration has
	int row, at;                            // of a product: which arrays of the combinator,
	const Stm *inner;                       // and the combinator inside of it
} Sum;

typedef struct { Var rows, param, end; Sub at; } Log;

typedef struct {
	Batch *b;
	const Stm *loop;
	const Body *body;
	VEC(Sum) sums;
	VEC(Log) logs;
	Map same;                          // variable -> Sub *: a result of a sum that is just this
} Plan;

// ---- Small questions ----

static int uses(const Body *b, Var v)
{
	Map of = {0};
	int n = 0;
	map_put(&of, var_key(v), &of);
	for EACH(const Stm, s, b->stms)
		n += stm_mentions(s, &of);
	for EACH(Sub, r, b->res)
		n += sub_eq(*r, sub_var(v));
	return n;
}

static bool is_turned(const Exp *e)
{
	return e && e->form == E_rearrange && e->rearrange.perm.len == 2 &&
	       e->rearrange.perm.at[0] == 1 && e->rearrange.arr.kind == S_VAR;
}

// What a result of an accumulation is that has nothing to do with it.
static Sub resolved(const Plan *p, Sub x)
{
	const Stm *s = stm_in(p->body, x);
	if (!s || s->exp->form != E_withacc || s->exp->withacc.inputs.len != 1)
		return x;
	const Body *fn = &s->exp->withacc.fn->body;
	for (int i = 1; i < s->pat.len; i++)
		if (sub_eq(x, sub_var(s->pat.at[i])) && !stm_in(fn, fn->res.at[i]))
			return resolved(p, fn->res.at[i]);
	return x;
}

bool is_row_of_loop(const Map *defs, const Stm *loop, Sub x)
{
	const Exp *l = loop->exp, *e = def_in(&l->loop.body, x);
	if (sub_eq(x, sub_var(l->loop.i)))
		return true;
	if (!e || e->form != E_prim || e->prim.op != P_sub ||
	    !sub_eq(e->prim.x[1], sub_var(l->loop.i)) || e->prim.x[0].kind != S_VAR)
		return false;
	const Exp *last = map_get(defs, var_key(e->prim.x[0].var));
	return last && last->form == E_prim && last->prim.op == P_sub &&
	       sub_eq(last->prim.x[0], l->loop.n) && sub_eq(last->prim.x[1], sub_i64(1));
}

// ---- Which sums ----

// Rows x: [m][..] of the loop's body.
static bool is_source(const Plan *p, Sub x, RowSource *out)
{
	x = resolved(p, x);
	const Stm *s = stm_in(p->body, x);
	Type t = sub_type(x);
	if (!s || t.kind != T_DATA || t.dims.len != 2 || loop_binds(p->loop->exp, t.dims.at[0]) ||
	    loop_binds(p->loop->exp, t.dims.at[1]))
		return false;
	*out = (RowSource){.rows = x.var};
	if (s->exp->form != E_slice)
		return true;
	Slices at = s->exp->slice.at;
	Sub arr = s->exp->slice.arr;
	Subs dims = sub_type(arr).dims;
	if (at.len != 3 || !at.at[0].fixed ||
	    !is_row_of_loop(&p->b->defs, p->loop, at.at[0].start) ||
	    loop_binds(p->loop->exp, arr) || !sub_eq(dims.at[0], p->loop->exp->loop.n) ||
	    !is_whole_dim(at.at[1], dims.at[1]) || !is_whole_dim(at.at[2], dims.at[2]))
		return false;
	out->all = arr;
	out->at = at.at[0].start;
	return true;
}

// One sum of products x * y, of rows of both.
static bool is_dot(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_screma || e->screma.reds.len != 1 || e->screma.scans.len ||
	    e->screma.arrs.len != 2 || s->pat.len != 1 || !lambda_adds(e->screma.reds.at[0].op))
		return false;
	for EACH(Stm, t, e->screma.map->body.stms)
		if (t->exp->form != E_prim)
			return false;
	return !free_in_lambda(e->screma.map).len;
}

static bool are_both(Sub a, Sub b, Sub x, Sub y)
{
	return (sub_eq(a, x) && sub_eq(b, y)) || (sub_eq(a, y) && sub_eq(b, x));
}

// map2 (\row w -> map2 (\column x -> x + sum (map2 (*) row column)) turned_b w) turned_a p, or a
// part of such a map
static bool is_sum_of_products(Plan *p, const Stm *s, Sub x, Sum *out)
{
	if (!is_map(s->exp))
		return false;
	const Lambda *f = s->exp->screma.map;
	int which = vars_find(s->pat, p->loop->exp->loop.body.res.at[out->k]);
	out->at = subs_find(s->exp->screma.arrs, x);
	out->inner = stm_in(&f->body, f->body.res.at[which]);
	if (out->at < 0 || !out->inner || out->inner->pat.len != 1 || !is_map(out->inner->exp) ||
	    out->inner->exp->screma.arrs.len != 2)
		return false;
	const Exp *inner = out->inner->exp;
	const Lambda *g = inner->screma.map;
	int in = subs_find(inner->screma.arrs, sub_var(f->params.at[out->at]));
	if (in < 0 || g->body.stms.len != 2 || !is_dot(&g->body.stms.at[0]))
		return false;
	const Exp *sum = g->body.stms.at[0].exp, *add = g->body.stms.at[1].exp;
	if (add->form != E_prim || add->prim.op != P_add ||
	    !sub_eq(g->body.res.at[0], sub_var(g->body.stms.at[1].pat.at[0])) ||
	    !are_both(add->prim.x[0], add->prim.x[1], sub_var(g->body.stms.at[0].pat.at[0]),
	              sub_var(g->params.at[in])))
		return false;
	Sub column = sub_var(g->params.at[1 - in]);
	int of = subs_find(sum->screma.arrs, column);
	if (of < 0)
		return false;
	out->row = vars_find(f->params, sum->screma.arrs.at[1 - of]);
	if (out->row < 0 || out->row == out->at)
		return false;
	const Exp *a = def_in(p->body, s->exp->screma.arrs.at[out->row]),
		  *b = def_in(p->body, inner->screma.arrs.at[1 - in]);
	out->n_of = 2;
	out->m = sum->screma.n;
	return is_turned(a) && is_turned(b) && is_source(p, a->rearrange.arr, &out->of[0]) &&
	       is_source(p, b->rearrange.arr, &out->of[1]);
}

// withacc p: \acc -> map (\row acc -> ..) rows acc
static bool is_sum_of_rows(Plan *p, const Stm *s, Sub x, Sum *out)
{
	const Exp *e = s->exp;
	if (e->form != E_withacc || e->withacc.inputs.len != 1 ||
	    e->withacc.inputs.at[0].arrs.len != 1 ||
	    !sub_eq(e->withacc.inputs.at[0].arrs.at[0], x) || !e->withacc.inputs.at[0].op ||
	    !lambda_adds(e->withacc.inputs.at[0].op))
		return false;
	const Body *fn = &e->withacc.fn->body;
	const Exp *rows = NULL;
	for EACH(const Stm, t, fn->stms) {
		if (t->exp->form == E_iota)
			continue;
		if (rows || t->exp->form != E_screma)
			return false;
		rows = t->exp;
	}
	if (!rows || rows->screma.arrs.len != 2 || rows->screma.reds.len ||
	    rows->screma.scans.len || !stm_in(fn, fn->res.at[0]) ||
	    stm_in(fn, fn->res.at[0])->exp != rows ||
	    sub_type(rows->screma.arrs.at[1]).kind != T_ACC)
		return false;
	for (int i = 1; i < fn->res.len; i++)
		if (stm_in(fn, fn->res.at[i]))
			return false;
	Vars free = free_in_lambda(rows->screma.map);
	for EACH(Var, v, free)
		if (loop_binds(p->loop->exp, sub_var(*v)))
			return false;
	out->n_of = 1;
	out->m = rows->screma.n;
	return is_source(p, rows->screma.arrs.at[0], &out->of[0]) && out->of[0].all.kind != S_VAR;
}

// Is the number of rows the one of all sources, and nothing else?
static bool has_own_size(const Sum *s)
{
	if (s->m.kind != S_VAR)
		return false;
	for (int i = 0; i < s->n_of; i++) {
		Subs dims = sub_type(sub_var(s->of[i].rows)).dims;
		if (!sub_eq(dims.at[0], s->m) || sub_eq(dims.at[1], s->m))
			return false;
	}
	return true;
}

static bool has_room(const Plan *p, Sub m)
{
	Vars free = free_in_stm(p->loop);
	for EACH(Var, v, free) {
		Type t = vars[v->id].type;
		if (t.kind == T_DATA && t.dims.len >= 3 &&
		    sub_eq(t.dims.at[0], p->loop->exp->loop.n) && sub_eq(t.dims.at[1], m))
			return true;
	}
	return false;
}

static bool is_batched(Plan *p, int k, Sum *out)
{
	const Exp *l = p->loop->exp;
	Sub x = sub_var(l->loop.params.at[k]), r = l->loop.body.res.at[k];
	const Stm *s = stm_in(p->body, r);
	*out = (Sum){.k = k, .s = s};
	if (!s || s->certs.len || !vars[x.var.id].type.dims.len || uses(p->body, x.var) != 1 ||
	    uses(p->body, r.var) != 1 ||
	    (s->exp->form == E_withacc && !sub_eq(r, sub_var(s->pat.at[0]))))
		return false;
	if (!is_sum_of_products(p, s, x, out) && !is_sum_of_rows(p, s, x, out))
		return false;
	bool kept = false;
	for (int i = 0; i < out->n_of; i++)
		kept |= out->of[i].all.kind != S_VAR;
	return kept && has_own_size(out) && has_room(p, out->m);
}

// ---- The new loop ----

// All sources of a sum are kept at the same row.
static Sub row_of(const Plan *p, const Sum *s)
{
	for (int i = 0; i < s->n_of; i++)
		if (s->of[i].all.kind == S_VAR)
			return s->of[i].at;
	return sub_var(p->loop->exp->loop.i);
}

static Sub log_of(Plan *p, Var rows, Sub at, bool any)
{
	for EACH(Log, l, p->logs)
		if (l->rows.id == rows.id && (any || sub_eq(l->at, at)))
			return sub_var(l->end);
	Type t = type_plain(type_of_rows(p->loop->exp->loop.n, vars[rows.id].type));
	Var end = var_new(name_of("log"), t);
	t.unique = true;
	VEC_PUSH(&p->logs, (Log){rows, var_new(name_of("log"), t), end, at});
	return sub_var(end);
}

static Sub sliced(Build *b, const Log *l, Sub arr)
{
	Subs dims = sub_type(arr).dims;
	Slices at = slices_at(subs_of(1, l->at), subs_part(dims, 1, dims.len - 1));
	return b_update(b, arr, at, sub_var(l->rows));
}

static bool is_sum(const Plan *p, const Stm *s)
{
	for EACH(const Sum, x, p->sums)
		if (x->s == s)
			return true;
	return false;
}

// Where a row is kept: as soon as it is there, and the number of the row.
static bool is_ready(const Plan *p, const Log *l, int at, bool *done)
{
	bool rows = false, number = sub_eq(l->at, sub_var(p->loop->exp->loop.i));
	for (int i = 0; i <= at; i++) {
		Vars pat = p->body->stms.at[i].pat;
		rows |= vars_find(pat, sub_var(l->rows)) >= 0;
		number |= vars_find(pat, l->at) >= 0;
	}
	bool now = rows && number && !*done;
	*done |= now;
	return now;
}

static void emit_loop(Plan *p, Build *b)
{
	const Exp *l = p->loop->exp;
	VEC(Var) params = {0};
	VEC(Var) pat = {0};
	VEC(Sub) inits = {0};
	VEC(Sub) res = {0};
	bool *done = NEW_ARRAY(bool, p->logs.len + 1);
	Sub *ends = NEW_ARRAY(Sub, p->logs.len + 1);
	b_open(b);
	for (int i = 0; i < p->body->stms.len; i++) {
		if (!is_sum(p, &p->body->stms.at[i]))
			b_emit(b, p->body->stms.at[i]);
		for (int k = 0; k < p->logs.len; k++)
			if (is_ready(p, &p->logs.at[k], i, &done[k]))
				ends[k] = sliced(b, &p->logs.at[k], sub_var(p->logs.at[k].param));
	}
	for (int k = 0; k < l->loop.params.len; k++) {
		bool gone = false;
		for EACH(const Sum, s, p->sums)
			gone |= s->k == k;
		if (gone)
			continue;
		VEC_PUSH(&params, l->loop.params.at[k]);
		VEC_PUSH(&pat, p->loop->pat.at[k]);
		VEC_PUSH(&inits, l->loop.inits.at[k]);
		VEC_PUSH(&res, l->loop.body.res.at[k]);
	}
	for (int k = 0; k < p->logs.len; k++) {
		VEC_PUSH(&params, p->logs.at[k].param);
		VEC_PUSH(&pat, p->logs.at[k].end);
		VEC_PUSH(&res, ends[k]);
	}
	Body body = b_close(b, VEC_SLICE(Subs, res));
	for EACH(const Log, k, p->logs) {
		Type t = vars[k->end.id].type;
		VEC_PUSH(&inits, b_scratch(b, "log", t));
	}
	Exp *e = exp_dup(l);
	e->loop.params = VEC_SLICE(Vars, params);
	e->loop.inits = VEC_SLICE(Subs, inits);
	e->loop.body = body_subst(body, &p->same);
	Stm out = *p->loop;
	out.pat = VEC_SLICE(Vars, pat);
	out.exp = e;
	b_emit(b, out);
}

// Rows of all iterations one after the other.
static Sub all_rows(Plan *p, Build *b, const Sum *sum, int i, Sub nm)
{
	const RowSource *s = &sum->of[i];
	Sub all =
		s->all.kind == S_VAR ? s->all : log_of(p, s->rows, row_of(p, sum), sum->n_of == 1);
	return b_reshape(b, subs_of(2, nm, sub_type(all).dims.at[2]), all);
}

static void emit_sum(Plan *p, Build *b, const Sum *s)
{
	const Exp *l = p->loop->exp;
	Sub n = b_prim2(b, P_max, l->loop.n, sub_i64(0)), nm = b_mul(b, n, s->m);
	Map to = {0};
	subst_put(&to, s->m.var, nm);
	subst_put(&to, l->loop.params.at[s->k], l->loop.inits.at[s->k]);
	static const int turn[] = {1, 0};
	Stm t = *s->s;
	t.pat = vars_of(1, var_new(name_of("sum"), vars[p->loop->pat.at[s->k].id].type));
	if (s->s->exp->form == E_withacc) {
		subst_put(&to, s->of[0].rows, all_rows(p, b, s, 0, nm));
		Exp *e = t.exp = exp_dup(t.exp);
		Lambda *fn = e->withacc.fn = mem_dup(e->withacc.fn, sizeof *fn);
		fn->body.res = subs_part(fn->body.res, 0, 1);
		fn->ret = (Types){fn->ret.at, 1};
	} else {
		const Exp *e = s->s->exp, *inner = s->inner->exp;
		const Lambda *f = e->screma.map;
		int in = subs_find(inner->screma.arrs, sub_var(f->params.at[s->at]));
		subst_put(&to, e->screma.arrs.at[s->row].var,
		    b_rearrange(b, turn, all_rows(p, b, s, 0, nm)));
		subst_put(&to, inner->screma.arrs.at[1 - in].var,
		    b_rearrange(b, turn, all_rows(p, b, s, 1, nm)));
		Type *ret = mem_dup(&vars[s->inner->pat.at[0].id].type, sizeof *ret);
		Lambda *part =
			NEW(Lambda, .params = vars_of(2, f->params.at[s->row], f->params.at[s->at]),
		            .ret = {ret, 1},
		            .body = {.stms = {mem_dup(s->inner, sizeof *s->inner), 1},
		                     .res = subs_of(1, sub_var(s->inner->pat.at[0]))});
		t.exp = EXP(screma, .n = e->screma.n, .map = part,
			.arrs = subs_of(2, e->screma.arrs.at[s->row], e->screma.arrs.at[s->at]));
	}
	Stm *one = mem_dup(&t, sizeof t);
	Body body = {.stms = {one, 1}, .res = subs_of(1, sub_var(t.pat.at[0]))};
	body = body_subst(body_rename(body), &to);
	Stm last = body.stms.at[0];
	last.pat = vars_of(1, p->loop->pat.at[s->k]);
	b_emit(b, last);
}

// Other results of accumulations are what they were before.
static void note_same(Plan *p, const Stm *s)
{
	const Body *fn = s->exp->form == E_withacc ? &s->exp->withacc.fn->body : NULL;
	for (int i = 1; fn && i < s->pat.len; i++)
		subst_put(&p->same, s->pat.at[i], resolved(p, fn->res.at[i]));
}

// Only statements all of whose results are sums.
static void keep_whole(Plan *p)
{
	bool *whole = NEW_ARRAY(bool, p->sums.len + 1);
	int kept = 0;
	for (int i = 0; i < p->sums.len; i++) {
		int n = 0;
		for EACH(const Sum, other, p->sums)
			n += other->s == p->sums.at[i].s;
		whole[i] = p->sums.at[i].n_of == 1 || n == p->sums.at[i].s->pat.len;
	}
	for (int i = 0; i < p->sums.len; i++)
		if (whole[i])
			p->sums.at[kept++] = p->sums.at[i];
	p->sums.len = kept;
}

// False: there is nothing to do.
static bool batch_loop(Batch *batch, Build *b, const Stm *loop)
{
	const Exp *l = loop->exp;
	Plan p = {.b = batch, .loop = loop, .body = &l->loop.body};
	if (l->loop.is_while || sub_type(l->loop.n).elem != PT_I64 || is_device_loop(loop->attrs))
		return false;
	for (int k = 0; k < l->loop.params.len; k++) {
		Sum s;
		if (is_batched(&p, k, &s))
			VEC_PUSH(&p.sums, s);
	}
	keep_whole(&p);
	bool products = false;          // else nothing is gained
	for EACH(const Sum, s, p.sums)
		products |= s->n_of == 2;
	if (!products || !may_rewrite())
		return false;
	for (int pass = 0; pass < 2; pass++)    // those that say which row first
		for EACH(const Sum, s, p.sums)
			for (int i = 0; i < s->n_of; i++)
				if (s->of[i].all.kind != S_VAR && (s->n_of == 2) == !pass)
					log_of(&p, s->of[i].rows, row_of(&p, s), s->n_of == 1);
	for EACH(const Sum, s, p.sums)
		note_same(&p, s->s);
	emit_loop(&p, b);
	for EACH(const Sum, s, p.sums)
		emit_sum(&p, b, s);
	return true;
}

// ---- Bodies of the host ----

typedef struct { Batch batch; Build b; } BatchSums;

static void batch_body(Visit *v, Body *body)
{
	BatchSums *s = v->ctx;
	b_open(&s->b);
	for EACH(Stm, old, body->stms) {
		Stm t = *old;
		if (t.exp->form == E_if_ || t.exp->form == E_match || t.exp->form == E_loop)
			t.exp = exp_visit(t.exp, v);
		if (t.pat.len == 1)
			map_put(&s->batch.defs, var_key(t.pat.at[0]), t.exp);
		if (t.exp->form != E_loop || (!batch_loop(&s->batch, &s->b, &t) &&
		                              !batch_outer_loop(&s->batch.defs, &s->b, &t)))
			b_emit(&s->b, t);
	}
	*body = b_close(&s->b, body->res);
}

Prog *batch_sums(Prog *prog)
{
	BatchSums s = {0};
	Visit v = {.body = batch_body, .copy = true, .ctx = &s};
	return prog_rewrite(prog, &v);
}
