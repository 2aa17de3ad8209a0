// Cost model: emits code that estimates the work of a body at run time, as an i64.
//
// The unit is about one operation of one vector lane; half a million take some 10 microseconds.
// Sizes that are known outside the body enter with their run-time values; for sizes that arise
// inside it, and for while loops, a guess is used:
//
//     \(row: [m]f64) -> {reduce over m elements, each multiplied; then a square root}   3 * m + 6
//
// The estimate decides whether a parallel region pays, so a factor of two does not matter.
#include "thread/multicore.h"

enum { GUESS = 16, MOST_CALLS = 8, OWN_UPDATE = 4, SHARED_UPDATE = 36, FILL = 4 };

typedef struct { int64_t fixed; VEC(Sub) terms; } Work;
typedef struct {
	Build *b;
	int update;                             // what upd_acc costs
	Map inside;
	Map defs;                               // variable -> Exp *: what gives a scalar
	Map below;                              // counter -> Sub *: what it stays below
	int calls;
	bool guessed;
} Cost;

static void note_inside(Cost *c, const Body *body)
{
	Visit v = {.bind = note_binder, .ctx = &c->inside};
	body_walk(body, &v);
}

static void note_vars(Cost *c, Vars vs)
{
	vars_put(&c->inside, vs, c);
}

static void add_work(Work *to, Work w)
{
	to->fixed += w.fixed;
	VEC_APPEND(&to->terms, w.terms);
}

static Sub sum_of(Cost *c, Work w)
{
	Sub sum = sub_i64(w.fixed);
	for EACH(Sub, t, w.terms)
		sum = b_add(c->b, sum, *t);
	return sum;
}

// At most so much, from what is known outside; false if that cannot be told.  Sizes that are
// computed are taken not to overflow, and what is subtracted not to be negative.
static bool bound_of(Cost *c, Sub x, Sub *out)
{
	if (x.kind == S_CONST || !map_has(&c->inside, var_key(x.var))) {
		*out = x;
		return true;
	}
	const Sub *below = map_get(&c->below, var_key(x.var));
	if (below)
		return bound_of(c, *below, out);
	const Exp *e = map_get(&c->defs, var_key(x.var));
	Sub a, b;
	if (!e)
		return false;
	if (e->form == E_if_) {
		if (!bound_of(c, e->if_.yes.res.at[0], &a) || !bound_of(c, e->if_.no.res.at[0], &b))
			return false;
		*out = b_prim2(c->b, P_max, a, b);
		return true;
	}
	bool is_one = bound_of(c, e->prim.x[0], &a);
	switch (e->prim.op) {
	case P_sub: case P_quot: case P_div:
		*out = a;
		return is_one;
	case P_min:
		*out = a;
		return is_one || bound_of(c, e->prim.x[1], out);
	case P_add: case P_mul: case P_max:
		if (!is_one || !bound_of(c, e->prim.x[1], &b))
			return false;
		*out = b_prim2(c->b, e->prim.op, a, b);
		return true;
	default: // says nothing of sizes
		return false;
	}
}

// n times as much.
static Work times(Cost *c, Sub n, Work w)
{
	bool known = n.kind == S_CONST || !map_has(&c->inside, var_key(n.var));
	if (sub_type(n).elem != PT_I64)
		known = false;
	if (!known && sub_type(n).elem == PT_I64 && bound_of(c, n, &n))
		known = true;
	c->guessed |= !known;
	if (!known)
		n = sub_i64(GUESS);
	if (n.kind == S_CONST && !w.terms.len && n.val.i < (1 << 24) && w.fixed < (1 << 24))
		return (Work){.fixed = n.val.i > 0 ? n.val.i * w.fixed : 0};
	Work out = {0};
	VEC_PUSH(&out.terms, b_mul(c->b, n, sum_of(c, w)));
	return out;
}

static Work work_of_body(Cost *, const Body *);

static Work work_of_lambda(Cost *c, const Lambda *f)
{
	return work_of_body(c, &f->body);
}

static int work_of_prim(Prim op)
{
	switch (op) {
	case P_add: case P_sub: case P_mul: case P_neg: case P_abs: case P_sgn: case P_min:
	case P_max: case P_and: case P_or: case P_xor: case P_not: case P_shl: case P_ashr:
	case P_lshr: case P_eq: case P_lt: case P_le: case P_mul_hi: case P_mad: case P_fma:
	case P_lerp: case P_to_bits: case P_from_bits: case P_isnan: case P_isinf: case P_copysign:
	case P_ceil: case P_floor: case P_round: case P_trunc:
		return 1;
	case P_div: case P_mod: case P_quot: case P_rem: case P_recip: case P_sqrt: case P_rsqrt:
	case P_popc: case P_clz: case P_ctz: case P_count: case P_chunk:
		return 6;
	default: // exp, log, sin and the like
		return 48;
	}
}

// What is stored to make an array.
static Work elements(Cost *c, Type t)
{
	Work w = {.fixed = 1};
	for (int d = t.dims.len; d-- > 0;)
		w = times(c, t.dims.at[d], w);
	return w;
}

static Work work_of_call(Cost *c, const Fun *f)
{
	c->guessed = true;
	if (c->calls >= MOST_CALLS)
		return (Work){.fixed = GUESS};
	c->calls++;
	note_vars(c, f->params);
	note_inside(c, &f->body);
	return work_of_body(c, &f->body);
}

// Loading or storing an element of what is made: memory is slower than lanes of vectors are.  What
// is only added up is used again and again inside of other loops, most of the time (products of
// matrices).
static int work_of_access(Type t)
{
	int half = primtype_size(t.elem) / 2;
	return t.kind == T_DATA && t.dims.len == 0 && half > 1 ? half : 1;
}

static Work work_of_screma(Cost *c, const Exp *e)
{
	Work w = work_of_lambda(c, e->screma.map);
	int n_scan = n_reduced(e->screma.scans), n_red = n_reduced(e->screma.reds);
	bool makes = e->screma.map->ret.len > n_red;
	for EACH(Reduction, r, e->screma.scans)
		add_work(&w, work_of_lambda(c, r->op));
	for EACH(Reduction, r, e->screma.reds)
		add_work(&w, work_of_lambda(c, r->op));
	for EACH(Var, x, e->screma.map->params)
		w.fixed += makes ? work_of_access(vars[x->id].type) : 1;
	for (int i = 0; i < e->screma.map->ret.len; i++)
		if (i < n_scan || i >= n_scan + n_red)
			w.fixed += work_of_access(e->screma.map->ret.at[i]);
	return times(c, e->screma.n, w);
}

static Work work_of_hist(Cost *c, const Exp *e)
{
	Work w = work_of_lambda(c, e->hist.map);
	for EACH(HistOp, op, e->hist.ops)
		add_work(&w, work_of_lambda(c, op->op));
	w.fixed += 4;
	return times(c, e->hist.n, w);
}

static Work work_of_stm(Cost *c, const Stm *s)
{
	const Exp *e = s->exp;
	Work w = {.fixed = 1};
	switch (e->form) {
	case E_prim:
		w.fixed = work_of_prim(e->prim.op);
		return w;
	case E_if_: case E_match:
		w = work_of_body(c, branch_at(e, 0));
		for (int i = 1; i < n_branches(e); i++)
			add_work(&w, work_of_body(c, branch_at(e, i)));
		return w;
	case E_loop:
		c->guessed |= e->loop.is_while;
		return times(c, e->loop.is_while ? sub_i64(2 * GUESS) : e->loop.n,
		             work_of_body(c, &e->loop.body));
	case E_call:
		return work_of_call(c, e->call.fn);
	case E_iota: case E_replicate: case E_array:
		return times(c, sub_i64(FILL), elements(c, vars[s->pat.at[0].id].type));
	case E_concat: case E_copy:
		return times(c, sub_i64(2 * FILL), elements(c, vars[s->pat.at[0].id].type));
	case E_update:
		return times(c, sub_i64(2 * FILL), elements(c, sub_type(e->update.val)));
	case E_screma:
		return work_of_screma(c, e);
	case E_hist:
		return work_of_hist(c, e);
	case E_scatter:
		w = work_of_lambda(c, e->scatter.map);
		w.fixed += 4;
		return times(c, e->scatter.n, w);
	case E_flatmap:
		return times(c, e->flatmap.n, work_of_lambda(c, e->flatmap.map));
	case E_withacc:
		return work_of_lambda(c, e->withacc.fn);
	case E_upd_acc:
		w.fixed = c->update;
		return w;
	case E_with_vjp:
		return work_of_lambda(c, e->with_vjp.fn);
	case E_atom: case E_slice: case E_scratch: case E_reshape: case E_rearrange: case E_assert_:
	case E_trace: case E_opaque: case E_alloc: case E_release:
		w.fixed = 0;
		return w;
	case E_convert: case E_index: case E_jvp: case E_vjp: case N_FORM:
		return w;
	}
	bug("no such form: %d", (int)e->form);
}

static Work work_of_body(Cost *c, const Body *b)
{
	Work w = {0};
	for EACH(Stm, s, b->stms)
		add_work(&w, work_of_stm(c, s));
	return w;
}

static Sub work_with(Build *b, const Exp *screma, int update)
{
	Cost c = {.b = b, .update = update};
	note_vars(&c, screma->screma.map->params);
	note_inside(&c, &screma->screma.map->body);
	for EACH(Reduction, r, screma->screma.scans)
		note_inside(&c, &r->op->body);
	for EACH(Reduction, r, screma->screma.reds)
		note_inside(&c, &r->op->body);
	Work w = work_of_screma(&c, screma);
	return sum_of(&c, w);
}

Sub work_of_rows(Build *b, const Exp *screma)
{
	return work_with(b, screma, OWN_UPDATE);
}

Sub work_of_flatmap(Build *b, const Exp *e)
{
	Cost c = {.b = b, .update = OWN_UPDATE};
	note_vars(&c, e->flatmap.map->params);
	note_inside(&c, &e->flatmap.map->body);
	return sum_of(&c, times(&c, e->flatmap.n, work_of_lambda(&c, e->flatmap.map)));
}

Sub work_of_sharing(Build *b, const Exp *screma)
{
	return work_with(b, screma, SHARED_UPDATE);
}

// ---- Functions ----

static void note_defs(Visit *v, Body *b)
{
	Cost *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool choice = e->form == E_if_ && s->pat.len == 1 && e->if_.yes.res.len == 1;
		if ((e->form == E_prim && e->prim.at == PT_I64) || choice)
			map_put(&c->defs, var_key(s->pat.at[0]), (void *)e);
		if (e->form == E_loop && !e->loop.is_while && sub_type(e->loop.n).elem == PT_I64)
			map_put(&c->below, var_key(e->loop.i), (void *)&e->loop.n);
	}
	body_visit(b, v);
}

typedef struct { Cost *c; Sub most; } Most;

static void most_of_body(Visit *v, Body *b)
{
	Most *m = v->ctx;
	for EACH(Stm, s, b->stms) {
		Form f = s->exp->form;
		if (f == E_withacc || f == E_loop || f == E_if_ || f == E_match) {
			exp_visit(s->exp, v);
			continue;
		}
		m->c->guessed |= f == E_call;
		if (form_has(f, FORM_SOAC) || f == E_concat || f == E_iota || f == E_replicate ||
		    f == E_copy || f == E_update)
			m->most = b_prim2(m->c->b, P_max, m->most,
			                  sum_of(m->c, work_of_stm(m->c, s)));
	}
}

bool most_of_fun(Build *b, const Fun *f, Sub *work)
{
	Cost c = {.b = b, .update = OWN_UPDATE};
	Most m = {&c, sub_i64(0)};
	note_inside(&c, &f->body);
	Visit defs = {.body = note_defs, .ctx = &c}, most = {.body = most_of_body, .ctx = &m};
	Body body = f->body;
	note_defs(&defs, &body);
	most_of_body(&most, &body);
	*work = m.most;
	return !c.guessed;
}

static bool is_loop(const Stm *s)
{
	Form f = s->exp->form;
	return f == E_loop || f == E_call || form_has(f, FORM_SOAC);
}

bool has_loops(const Body *b)
{
	return body_find(b, is_loop);
}
