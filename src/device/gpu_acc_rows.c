// Copies of accumulators for blocks that do the steps of a row.
//
//     #[blocks] #[row] let (a1: acc) = loop (p: acc = a) for i: i64 < n do {
//       loop .. for t: i64 < steps do {
//         #[threads] loop .. for j: i64 < m do {.. upd_acc .. [k, j] v ..}  .. }
//       .. }
// becomes, where that fits into shared memory,
//     #[blocks] #[row] let (a1: acc) = loop (p: acc = a) for i: i64 < n do {
//       #[local] let (l0: [m][m]f32) = .. neutral elements ..
//       let (l1: [m][m]f32) = withacc input=[m, m] (l0) .. fn=\(token, c: acc') -> {
//         loop .. for t: i64 < steps do {
//           #[threads] loop .. for j: i64 < m do {.. #[owned] upd_acc .. [k, j] v ..}  .. }
//         .. }
//       #[threads] loop (o: acc = p) for e: i64 < m * m do {upd_acc o [e] (l1[e])}
//     }
//
// What all rows and all steps share, such as the weights of a recurrence, has an adjoint that every
// step of every row adds to at the same places.  With a copy the blocks add to it once per row, not
// once per step, and elements that belong to one thread of the block need no atomic updates before
// that.
//
// An accumulator has a copy if an update is in a loop of the row and its indices are the same in
// all iterations of that loop, but for counters of loops inside: indices that are loaded may be
// others in each step.  All of them together have to be updated several times per element.
//
// Note [Columns].  Where the threads of a block, in loops of their own, all add to the same element
// of an accumulator of the row at a time, they would wait for each other:
//
//     let (a: [n]f32) = withacc input=[n] (zeros) (0) (+) fn=\(token, acc) -> {
//       #[threads] loop .. for j: i64 < m do { loop .. for k: i64 < n do {.. upd_acc .. [k] v ..} }
// becomes
//     #[threads] let (c0: [n][m]f32) = .. neutral elements ..
//     let (c: [n][m]f32) = withacc input=[n, m] (c0) (0) (+) fn=\(token, acc) -> {
//       #[threads] loop .. { loop .. for k: i64 < n do {.. #[owned] upd_acc .. [k, j] v ..} }
//     #[threads] let (a: [n]f32) = .. zeros[k] + the sum of c[k] ..
//
// where that fits, too.
//
// Requires and ensures: see gpu_acc_local.c.
#include "device/gpu_acc.h"

enum {
	DEPTH = 10,                             // of the arithmetic in an index
	MOST_BYTES = 24 << 10,                  // of copies: several blocks share a processor
	MOST_COLUMNS = 40 << 10,                // ... and of columns
	ROUND = 16, ROOM = 12 << 10,            // as in flatten_row.c
};

// ---- Indices ----

typedef struct {
	const Map *iotas;
	Map defs;                               // variable of the row -> Exp *
	Map counters;                           // of loops in the row, of fixed ranges
	Map bound;                              // what the row binds
	Map within;                             // what the loop asked about binds
	Sub i;                                  // ... and its counter
} Indices;

static void note_bound(Visit *v, Var *x)
{
	map_put(v->ctx, var_key(*x), v);
}

static void note_lambda(Indices *n, const Exp *e)
{
	for (int k = 0; k < e->screma.arrs.len; k++) {
		Sub arr = e->screma.arrs.at[k];
		if (arr.kind == S_VAR && map_has(n->iotas, var_key(arr.var)))
			map_put(&n->counters, var_key(e->screma.map->params.at[k]), n);
	}
}

static void note_definitions(Visit *v, Body *b)
{
	Indices *n = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (s->pat.len == 1)
			map_put(&n->defs, var_key(s->pat.at[0]), s->exp);
		if (s->exp->form == E_loop && !s->exp->loop.is_while)
			map_put(&n->counters, var_key(s->exp->loop.i), n);
		if (s->exp->form == E_screma)
			note_lambda(n, s->exp);
	}
	body_walk(b, v);
}

// The same in all iterations of the loop whose variables are `within`?
static bool is_steady(const Indices *n, Sub x, int depth)
{
	if (sub_eq(x, n->i))
		return false;
	if (x.kind == S_CONST || !map_has(&n->within, var_key(x.var)) ||
	    map_has(&n->counters, var_key(x.var)))
		return true;
	const Exp *e = map_get(&n->defs, var_key(x.var));
	if (!e || !depth)
		return false;
	if (e->form == E_atom)
		return is_steady(n, e->atom.x, depth - 1);
	if (e->form != E_prim)
		return false;
	for (int k = 0; k < prim_arity(e->prim.op); k++)
		if (!is_steady(n, e->prim.x[k], depth - 1))
			return false;
	return true;
}

static bool are_steady(Indices *n, const Exp *loop, Subs idx)
{
	Visit v = {.bind = note_bound, .ctx = &n->within};
	n->within = (Map){0};
	body_walk(&loop->loop.body, &v);
	for EACH(Var, p, loop->loop.params)
		map_put(&n->within, var_key(*p), n);
	n->i = sub_var(loop->loop.i);
	for EACH(Sub, i, idx)
		if (!is_steady(n, *i, DEPTH))
			return false;
	return true;
}

// ---- Updates ----

typedef struct {
	Local *l;
	Indices *n;
	VEC(const Exp *) around;                // the loops around, and maps
	const Exp *steps[MOST_LEVELS];          // ... that the block goes through together
	int n_steps;
	const Exp *threads;                     // the one that threads share
	Var token;
	bool steady;                            // is one the same in all iterations of a step?
	bool owned;                             // are all at indices of a thread's own?
	bool common;                            // ... or at the same indices in all threads?
	int at;                                 // the place of the threads' counter, -1: unknown
	Sub width;                              // of their loops, if common and there are any
	Sub n_updates;                          // of steady ones, in a row
} Row;

static Sub trips(const Exp *e)
{
	return e->form == E_loop ? e->loop.is_while ? sub_i64(threshold(AT_row_updates)) : e->loop.n
	                         : e->screma.n;
}

static bool is_known(const Row *r, Sub x)
{
	return x.kind == S_CONST || !map_has(&r->n->bound, var_key(x.var));
}

// How often is it done?  Numbers that only the row knows count as one.
static Sub count(Row *r)
{
	Sub n = sub_i64(1);
	for EACH(const Exp *, e, r->around) {
		Sub k = trips(*e);
		if (sub_type(k).elem == PT_I64 && is_known(r, k))
			n = b_mul(&r->l->b, n, k);
	}
	return n;
}

static bool is_counter_of(const Row *r, Sub x)
{
	if (!r->threads || x.kind != S_VAR)
		return false;
	const Exp *e = map_get(&r->n->defs, var_key(x.var));
	return sub_eq(x, sub_var(r->threads->loop.i)) ||
	       (e && e->form == E_atom && sub_eq(e->atom.x, sub_var(r->threads->loop.i)));
}

static void note_update(Row *r, Subs idx)
{
	bool steady = false;
	int at = idx.len;
	for (int d = 0; d < r->n_steps && !steady; d++)
		steady = are_steady(r->n, r->steps[d], idx);
	if (steady) {
		r->steady = true;
		r->n_updates = b_add(&r->l->b, r->n_updates, count(r));
	}
	while (at-- > 0)
		if (is_counter_of(r, idx.at[at]))
			break;
	r->owned &= at >= 0 && (r->at < 0 || r->at == at);
	r->at = at;
	Sub n = r->threads ? r->threads->loop.n : sub_i64(1);
	r->common &= is_known(r, n) && !is_int_const(n, 1) && are_steady(r->n, r->threads, idx) &&
	             (r->width.kind != S_VAR || sub_eq(r->width, n));
	r->width = n;
}

static void look_at_updates(Visit *v, Body *b)
{
	Row *r = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp, *threads = r->threads;
		bool loop = e->form == E_loop || e->form == E_screma;
		bool step = e->form == E_loop && !threads && !is_device_loop(s->attrs) &&
		            r->n_steps < MOST_LEVELS;
		if (e->form == E_upd_acc && sub_type(e->upd_acc.acc).acc->token.id == r->token.id)
			note_update(r, e->upd_acc.idx);
		for (int k = 0; e->form == E_call && k < e->call.args.len; k++)
			if (sub_type(e->call.args.at[k]).kind == T_ACC)
				r->owned = r->common = false;
		if (!form_has(e->form, FORM_NEST))
			continue;
		if (has_attr(s->attrs, ATTR_THREADS))
			r->threads = e;
		if (loop)
			VEC_PUSH(&r->around, e);
		if (step)
			r->steps[r->n_steps++] = e;
		exp_walk(e, v);
		r->n_steps -= step;
		r->around.len -= loop;
		r->threads = threads;
	}
}

static Indices indices_of(const Local *l, const Exp *kernel)
{
	Indices n = {.iotas = &l->iotas};
	Visit defs = {.body = note_definitions, .ctx = &n};
	Visit bound = {.bind = note_bound, .ctx = &n.bound};
	exp_walk(kernel, &defs);
	exp_walk(kernel, &bound);
	return n;
}

// The updates of an accumulator in the row, or in a part of it.
static Row updates_of(Local *l, Indices *n, Var token)
{
	return (Row){.l = l, .n = n, .token = token, .owned = true, .common = true, .at = -1,
	             .width = sub_i64(0), .n_updates = sub_i64(0)};
}

// ---- Rows ----

typedef struct { Build *b; Sub bytes; } LocalSum;

static void sum_local(Visit *v, Body *b)
{
	LocalSum *sum = v->ctx;
	for EACH(Stm, s, b->stms) {
		Type t = vars[s->pat.at[0].id].type;
		if (s->exp->form != E_scratch || !has_attr(s->attrs, ATTR_LOCAL))
			continue;
		Sub n = b_mul(sum->b, b_product(sum->b, t.dims), sub_i64(primtype_size(t.elem)));
		sum->bytes = b_add(sum->b, sum->bytes, b_add(sum->b, n, sub_i64(ROUND)));
	}
	body_walk(b, v);
}

static Sub bytes_of_row(Local *l, const Exp *e)
{
	LocalSum sum = {&l->b, sub_i64(ROOM)};
	Visit v = {.body = sum_local, .ctx = &sum};
	exp_walk(e, &v);
	return sum.bytes;
}

static bool are_scalars(Types elems)
{
	for EACH(Type, t, elems)
		if (t->dims.len)
			return false;
	return true;
}

// Those that get no copies become owned.  How many updates the others have; 0: there are none.
static Sub choose(Local *l, const Exp *e)
{
	Indices n = indices_of(l, e);
	Sub all = sub_i64(0);
	for EACH(Var, p, e->loop.params) {
		const AccInput *in = acc_input_of(l, *p);
		if (!in)
			continue;
		Var token = vars[p->id].type.acc->token;
		Row r = updates_of(l, &n, token);
		Visit v = {.body = look_at_updates, .ctx = &r};
		if (are_scalars(vars[p->id].type.acc->elems) && !acc_mixes_values(in->op))
			exp_walk(e, &v);
		if (r.steady)
			all = b_add(&l->b, all, r.n_updates);
		else
			map_put(&l->owned, var_key(token), NEW(bool, false));
	}
	return all;
}

bool row_copies(Local *l, const Stm *s, RowCopies *out)
{
	Build *b = &l->b;
	Sub updates = choose(l, s->exp);
	if (is_int_const(updates, 0))
		return false;
	AccSize size = acc_size(l, s);
	Sub enough = b_mul(b, size.elements, sub_i64(threshold(AT_row_updates)));
	out->bytes = b_add(b, size.bytes, bytes_of_row(l, s->exp));
	out->pays = b_prim2(b, P_and, b_le(b, enough, updates),
	                    b_le(b, size.bytes, sub_i64(MOST_BYTES)));
	return true;
}

bool adds_in_steps(Local *l, const Exp *thread, Vars params)
{
	Indices n = indices_of(l, thread);
	bool steady = false;
	for EACH(Var, p, params) {
		const AccInput *in = acc_input_of(l, *p);
		Row r = updates_of(l, &n, in ? vars[p->id].type.acc->token : *p);
		Visit v = {.body = look_at_updates, .ctx = &r};
		if (in)
			look_at_updates(&v, (Body *)&thread->loop.body); // a walk: writes nothing
		steady |= r.steady;
	}
	return steady;
}

// ---- A column for each thread ----

typedef struct { Sub n, room; } Width;          // columns, and how many there is room for

// See Note [Columns].  `wide`: token -> Width *.
typedef struct { Local *l; Indices n; Map wide, owned; Sub bytes; const Exp *threads; } Columns;

static const Width *columns_of(const Columns *c, Type t)
{
	return t.kind == T_ACC ? map_get(&c->wide, var_key(t.acc->token)) : NULL;
}

static void look_at_input(Columns *c, const Exp *e, int k)
{
	const AccInput *in = &e->withacc.inputs.at[k];
	Build *b = &c->l->b;
	Var token = e->withacc.fn->params.at[k];
	Row r = updates_of(c->l, &c->n, token);
	Visit v = {.body = look_at_updates, .ctx = &r};
	if (!in->op || in->arrs.len != 1 || acc_mixes_values(in->op) ||
	    sub_type(in->arrs.at[0]).dims.len != in->space.len)
		return;
	look_at_updates(&v, &e->withacc.fn->body);
	if (r.owned && r.at >= 0)
		map_put(&c->owned, var_key(token), NEW(bool, true));
	bool wide = r.common && !is_int_const(r.width, 0);
	for EACH(Sub, d, in->space)
		wide = wide && is_known(&r, *d);
	if (!wide)
		return;
	int size = primtype_size(sub_type(in->arrs.at[0]).elem);
	// An odd number: neighbours, who add up columns, read from different banks.
	Width w = {r.width, b_prim2(b, P_or, r.width, sub_i64(1))};
	Sub n = b_mul(b, b_product(b, in->space), w.room);
	c->bytes = b_add(b, c->bytes, b_add(b, b_mul(b, n, sub_i64(size)), sub_i64(ROUND)));
	map_put(&c->wide, var_key(token), mem_dup(&w, sizeof w));
}

static void look_at_withaccs(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		for (int k = 0; s->exp->form == E_withacc && k < s->exp->withacc.inputs.len; k++)
			look_at_input(v->ctx, s->exp, k);
		if (form_has(s->exp->form, FORM_NEST) && !has_attr(s->attrs, ATTR_THREADS))
			exp_walk(s->exp, v);
	}
}

static void widen_type(const Columns *c, Type *t)
{
	const Width *w = columns_of(c, *t);
	if (w)
		t->acc = NEW(AccType, t->acc->token,
			subs_cat(t->acc->space, subs_of(1, w->room)), t->acc->elems);
}

static void widen_binder(Visit *v, Var *x)
{
	widen_type(v->ctx, &vars[x->id].type);
}

static void widen_lambda(Visit *v, Lambda **l)
{
	for EACH(Type, t, (*l)->ret)
		widen_type(v->ctx, t);
	lambda_visit(l, v);
}

static void widen_updates(Visit *v, Body *b)
{
	Columns *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *threads = c->threads;
		if (has_attr(s->attrs, ATTR_THREADS))
			c->threads = s->exp;
		if (s->exp->form == E_upd_acc && columns_of(c, sub_type(s->exp->upd_acc.acc))) {
			s->exp->upd_acc.idx = subs_cat(s->exp->upd_acc.idx,
				subs_of(1, sub_var(c->threads->loop.i)));
			s->attrs = attr_of(ATTR_OWNED);
		}
		body_visit(&(Body){.stms = {s, 1}}, v);
		c->threads = threads;
	}
}

// New columns with neutral elements: the threads fill one each.
static Sub new_columns(Build *b, Type t, const AccInput *in, const Width *w)
{
	Subs dims = subs_cat(in->space, subs_of(1, w->room));
	b->attrs = attr_of(ATTR_LOCAL);
	Sub room = b_scratch(b, "local", type_array(t.elem, dims));
	DevLoop threads = dev_open(b, ATTR_THREADS, w->n, subs_of(1, room));
	DevLoop rows = dev_open(b, ATTR_NONE, b_product(b, in->space),
	                        subs_of_vars(threads.params));
	Subs at = subs_cat(b_indices(b, in->space, sub_var(rows.i)),
	                   subs_of(1, sub_var(threads.i)));
	Sub next = put_at(b, sub_var(rows.params.at[0]), at, in->ne.at[0]);
	return dev_close(b, &threads, dev_close(b, &rows, subs_of(1, next))).at[0];
}

static Sub combined(Build *b, const Lambda *op, Sub x, Sub y)
{
	const Lambda *f = lambda_rename(op);
	Map to = {0};
	subst_put(&to, f->params.at[0], x);
	subst_put(&to, f->params.at[1], y);
	Body body = body_subst(f->body, &to);
	b_emit_all(b, body.stms);
	return body.res.at[0];
}

// The array with the sums of the columns added.
static Sub add_columns(Build *b, const AccInput *in, Sub arr, Sub columns, Sub n)
{
	DevLoop threads = dev_open(b, ATTR_THREADS, b_product(b, in->space), subs_of(1, arr));
	Subs at = b_indices(b, in->space, sub_var(threads.i));
	Sub to = sub_var(threads.params.at[0]);
	DevLoop sum = dev_open(b, ATTR_NONE, n, subs_of(1, b_index(b, to, at)));
	Sub x = b_index(b, columns, subs_cat(at, subs_of(1, sub_var(sum.i))));
	Subs next = subs_of(1, combined(b, in->op, sub_var(sum.params.at[0]), x));
	Sub all = dev_close(b, &sum, next).at[0];
	return dev_close(b, &threads, subs_of(1, put_at(b, to, at, all))).at[0];
}

static void widen_withacc(Columns *c, Stm s)
{
	Build *b = &c->l->b;
	Exp *e = s.exp;
	AccInputs old = e->withacc.inputs;
	Vars pat = s.pat;
	e->withacc.inputs = SLICE_DUP(AccInputs, old);
	s.pat = SLICE_DUP(Vars, pat);
	int at = 0;
	for (int k = 0; k < old.len; at += old.at[k++].arrs.len) {
		const Width *w = map_get(&c->wide, var_key(e->withacc.fn->params.at[k]));
		if (!w)
			continue;
		AccInput *in = &e->withacc.inputs.at[k];
		Sub columns = new_columns(b, sub_type(in->arrs.at[0]), in, w);
		Type t = type_plain(sub_type(columns));
		in->space = t.dims;
		in->arrs = subs_of(1, columns);
		s.pat.at[at] = var_new(name_of("columns"), t);
	}
	b_emit(b, s);
	at = 0;
	for (int k = 0; k < old.len; at += old.at[k++].arrs.len) {
		const Width *w = map_get(&c->wide, var_key(e->withacc.fn->params.at[k]));
		if (w)
			b_name(b, pat.at[at], add_columns(b, &old.at[k], old.at[k].arrs.at[0],
			                                  sub_var(s.pat.at[at]), w->n));
	}
}

static void widen_row(Visit *v, Body *b)
{
	Columns *c = v->ctx;
	Build *out = &c->l->b;
	b_open(out);
	for EACH(Stm, s, b->stms) {
		bool wide = false;
		if (form_has(s->exp->form, FORM_NEST) && !has_attr(s->attrs, ATTR_THREADS))
			exp_visit(s->exp, v);
		for (int k = 0; s->exp->form == E_withacc && k < s->exp->withacc.inputs.len; k++)
			wide |= map_has(&c->wide, var_key(s->exp->withacc.fn->params.at[k]));
		if (wide)
			widen_withacc(c, *s);
		else
			b_emit(out, *s);
	}
	*b = b_close(out, b->res);
}

bool row_columns(Local *l, Stm *s, RowCopies *out)
{
	Columns c = {.l = l, .n = indices_of(l, s->exp), .bytes = sub_i64(0)};
	Visit look = {.body = look_at_withaccs, .ctx = &c};
	look_at_withaccs(&look, &(Body){.stms = {s, 1}});
	Local marks = {.owned = c.owned};
	s->exp = c.owned.len ? mark_owned(&marks, s->exp) : s->exp;
	if (!c.wide.len)
		return false;
	Visit types = {.bind = widen_binder, .lambda = widen_lambda, .body = widen_updates,
	               .ctx = &c};
	Visit rows = {.body = widen_row, .ctx = &c};
	out->bytes = b_add(&l->b, c.bytes, bytes_of_row(l, s->exp));
	out->pays = b_le(&l->b, c.bytes, sub_i64(MOST_COLUMNS));
	exp_visit(s->exp, &types);
	exp_visit(s->exp, &rows);
	return true;
}
