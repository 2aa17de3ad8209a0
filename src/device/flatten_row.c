// Translates a row that is processed by a thread block, statement by statement.
//
//     loop (..) for i < k do {
//       ys = screma n (xs) map=f                 #[threads] loop (o = room) for j < n do {..}
//       s = screma n (ys) reduce=(0) op    ->    #[threads] loop (s = 0) for j < n do {..}
//       .. }
//
// The statements of a row become:
//
//     maps, scans, reductions            #[threads] loops
//     maps and reductions around such    sequential loops, executed uniformly by the block
//     accumulations                      #[threads] loops, with atomic updates
//     branches and loops                 executed uniformly by all threads of the block
//     updates of accumulators            #[threads] loops of one iteration, executed by one thread
//     arrays                             arrays in shared memory (flatten_local.c)
//     scalars and views                  unchanged, computed redundantly by all threads
//
// A row that contains anything else (arrays of unknown size, operators on arrays) is left to a
// single thread.  So is one with #[sequential] combinators, which must not be divided among the
// threads of a block.
#include "device/flatten_row.h"

enum {
	WIDE = 32,                      // elements that are enough for the threads of a warp
	FEW_OUTER = 16,                 // rows of a map of maps that are enough
};

// More elements than a few.
static bool many_elements(Sub n)
{
	return may_reach(n, AT_wide_row);
}

static bool gives_acc(const Exp *e)
{
	for EACH(Type, t, e->screma.map->ret)
		if (t->kind == T_ACC)
			return true;
	return false;
}

// `folds`: reductions and maps of updates only.
bool has_wide(const Body *b, bool folds)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (is_sequential(s))
			continue;
		switch (e->form) {
		case E_screma:
			if (has_wide(&e->screma.map->body, folds) ||
			    ((!folds || e->screma.reds.len || gives_acc(e)) &&
			     many_elements(e->screma.n)))
				return true;
			break;
		case E_if_:
			if (has_wide(&e->if_.yes, folds) || has_wide(&e->if_.no, folds))
				return true;
			break;
		case E_loop:
			if (has_wide(&e->loop.body, folds))
				return true;
			break;
		case E_withacc:
			if (has_wide(&e->withacc.fn->body, folds))
				return true;
			break;
		default: // no combinator that threads share
			break;
		}
	}
	return false;
}

// ---- Combinators ----

// What the loop for a screma carries: values of scans and reductions, accumulators, then arrays of
// scanned and mapped values, as flatten_fold.c has them.
typedef struct { const Exp *e; int n_scan, n_red; Subs inits; } Carried;

static Carried carried_by(Row *x, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *map = e->screma.map;
	Carried c = {.e = e, .n_scan = n_reduced(e->screma.scans),
	             .n_red = n_reduced(e->screma.reds)};
	SubVec out = {0};
	for EACH(Reduction, r, e->screma.scans)
		for EACH(Sub, ne, r->ne)
			VEC_PUSH(&out, *ne);
	for EACH(Reduction, r, e->screma.reds)
		for EACH(Sub, ne, r->ne)
			VEC_PUSH(&out, *ne);
	for (int i = 0; i < map->ret.len; i++) {
		Type t = map->ret.at[i];
		if (i >= c.n_scan && i < c.n_scan + c.n_red)
			continue;
		int acc = t.kind == T_ACC ? subs_find_acc(e->screma.arrs, t.acc->token) : -1;
		Var param;
		x->fails |= t.kind != T_DATA && acc < 0;
		VEC_PUSH(&out, t.kind != T_DATA ? acc < 0 ? (Sub){0} : e->screma.arrs.at[acc]
		         : is_given(x, s->pat.at[i], &param) ? sub_var(param)
		         : x->in_place && is_result(x, s->pat.at[i])
		                 ? b_scratch(&x->b, "own", type_of_rows(e->screma.n, t))
		         : local_array(x, type_of_rows(e->screma.n, t)));
	}
	c.inits = VEC_SLICE(Subs, out);
	return c;
}

// An array that is read, or what the loop carries, if results go to where the array is.
static Sub given_input(const Row *x, const Carried *c, Sub arr, Subs now)
{
	Var param;
	for (int j = c->n_scan + c->n_red; j < now.len; j++)
		if (is_given(x, arr.var, &param) && sub_eq(c->inits.at[j], sub_var(param)))
			return now.at[j];
	return arr;
}

// The map function for row i, with what the loop carries as its accumulators.
static Body map_body(Row *x, const Carried *c, Sub i, Subs now)
{
	const Exp *e = c->e;
	const Lambda *map = lambda_rename(e->screma.map);
	Map to = {0};
	note_inside(x->f, map);
	for (int k = 0; k < map->params.len; k++) {
		Type t = vars[map->params.at[k].id].type;
		Sub v = {0};
		if (t.kind != T_ACC) {
			x->fails |= t.unique && t.dims.len;
			v = b_index(&x->b, given_input(x, c, e->screma.arrs.at[k], now),
			            subs_of(1, i));
			map_put(&x->f->inside, var_key(v.var), x); // it may be a size
		}
		for (int j = c->n_scan + c->n_red; t.kind == T_ACC && j < now.len; j++)
			if (type_is_acc_of(sub_type(now.at[j]), t.acc->token))
				v = now.at[j];
		map_put(&to, var_key(map->params.at[k]), mem_dup(&v, sizeof v));
	}
	return body_subst(map->body, &to);
}

static Subs apply(Row *x, const Lambda *op, Subs left, Subs right)
{
	const Lambda *f = lambda_rename(op);
	Map to = {0};
	for (int i = 0; i < left.len; i++) {
		map_put(&to, var_key(f->params.at[i]), mem_dup(&left.at[i], sizeof(Sub)));
		map_put(&to, var_key(f->params.at[left.len + i]),
		        mem_dup(&right.at[i], sizeof(Sub)));
	}
	Body b = body_subst(f->body, &to);
	for EACH(Stm, s, b.stms)
		b_emit(&x->b, *s);
	return b.res;
}

// By the threads of the block: the operator is a function.
static Subs call(Row *x, const Reduction *r, Subs left, Subs right, bool scan)
{
	Operator op = operator_fun(x->f, r->op, r->comm);
	Subs args = subs_cat(subs_cat(left, right), subs_of_vars(op.free));
	Types ts = {NEW_ARRAY(Type, left.len), left.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = vars[op.fun->res.at[i].id].type;
	x->b.attrs = attr_of(scan ? ATTR_SCAN : ATTR_NONE);
	return b_lets(&x->b, "r", ts,
	              EXP(call, .fn = op.fun, .args = args));
}

static void combine(Row *x, Reductions rs, bool threads, bool scan, Subs now, Subs vals, Subs *next,
                    int *at)
{
	for EACH(Reduction, r, rs) {
		int n = r->ne.len;
		Subs left = {now.at + *at, n}, right = {vals.at + *at, n};
		Subs res = threads ? call(x, r, left, right, scan) : apply(x, r->op, left, right);
		for (int k = 0; k < n; k++)
			next->at[(*at)++] = res.at[k];
	}
}

// The loop; gives the results of the screma.
static Subs screma_loop(Row *x, const Carried *c, bool threads)
{
	const Exp *e = c->e;
	Build *b = &x->b;
	DevLoop l = dev_open(b, threads ? ATTR_THREADS : ATTR_NONE, e->screma.n, c->inits);
	Subs now = subs_of_vars(l.params), next = SLICE_DUP(Subs, now);
	Sub i = sub_var(l.i);
	Body row = map_body(x, c, i, now);
	if (threads) {
		for EACH(Stm, t, row.stms)
			b_emit(b, *t);
	} else {
		map_put(&x->counters, var_key(l.i), x);
		map_put(&x->f->inside, var_key(l.i), x);
		row_stms(x, &row);
	}
	int at = 0, folds = c->n_scan + c->n_red;
	combine(x, e->screma.scans, threads, true, now, row.res, &next, &at);
	combine(x, e->screma.reds, threads, false, now, row.res, &next, &at);
	for (int k = 0, to = folds; k < row.res.len; k++) {
		if (k >= c->n_scan && k < folds)
			continue;
		Sub val = k < c->n_scan ? next.at[k] : row.res.at[k];
		next.at[to] = sub_type(now.at[to]).kind == T_ACC ? val
		            : put_at(b, now.at[to], subs_of(1, i), val);
		to++;
	}
	Subs made = dev_close(b, &l, next), out = {NEW_ARRAY(Sub, row.res.len), row.res.len};
	for (int k = 0, to = folds; k < out.len; k++)
		out.at[k] = k >= c->n_scan && k < folds ? made.at[k] : made.at[to++];
	return out;
}

static void note_width(Row *x, Sub n)
{
	if (in_nest(x->f, n))
		x->irregular = true;
	else
		VEC_PUSH(&x->widths, n);
}

// How many elements there are in the combinators of the body; those of unknown number do not suit.
static Sub work_of(Row *x, const Body *b)
{
	Build *out = &x->f->b;
	Sub all = sub_i64(1);
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		const Body *in = e->form == E_screma ? &e->screma.map->body
		               : e->form == E_loop ? &e->loop.body
		               : e->form == E_withacc ? &e->withacc.fn->body : NULL;
		Sub n = e->form == E_screma ? e->screma.n : e->form == E_loop ? e->loop.n
		                                                              : sub_i64(1);
		if (!in) {
			x->fails |= form_has(e->form, FORM_SOAC) || e->form == E_call;
			continue;
		}
		x->fails |= in_nest(x->f, n) || (e->form == E_loop && e->loop.is_while) ||
		            sub_type(n).elem != PT_I64;
		if (!x->fails)
			all = b_add(out, all, b_mul(out, n, work_of(x, in)));
	}
	return all;
}

static void note_outermost(Row *x, const Exp *e)
{
	x->fails |= in_nest(x->f, e->screma.n) || e->screma.scans.len || e->screma.reds.len;
	Sub inside = work_of(x, &e->screma.map->body);
	if (x->fails)
		return;
	VEC_PUSH(&x->outermost, e->screma.n);
	x->work = b_add(&x->f->b, x->work, b_mul(&x->f->b, e->screma.n, inside));
}

// Threads share its elements; or each is done in turn, if there is something to share in there and
// threads are not to do that.
static void row_screma(Row *x, const Stm *s)
{
	const Exp *e = s->exp;
	bool inner = has_wide(&e->screma.map->body, false);
	if (inner && x->outer) {
		note_outermost(x, e);
		inner = false;
	}
	if (x->fails || !is_scalar_fold(e) || (inner && e->screma.scans.len)) {
		x->fails = true;
		return;
	}
	Carried c = carried_by(x, s);
	if (x->fails)
		return;
	note_width(x, inner ? sub_i64(0) : e->screma.n);
	b_names(&x->b, s->pat, screma_loop(x, &c, !inner));
}

// ---- Accumulators ----

static bool has_scalar_elements(const AccInput *in)
{
	for EACH(Sub, a, in->arrs)
		if (sub_type(*a).dims.len != in->space.len)
			return false;
	return !in->op || !acc_mixes_values(in->op); // threads would wait for locks
}

static void row_withacc(Row *x, const Stm *s)
{
	Stm t = *s;
	t.exp = exp_dup(s->exp);
	for EACH(AccInput, in, t.exp->withacc.inputs)
		x->fails |= !has_scalar_elements(in);
	Lambda *fn = t.exp->withacc.fn = mem_dup(t.exp->withacc.fn, sizeof *fn);
	b_open(&x->b);
	row_stms(x, &fn->body);
	fn->body = b_close(&x->b, fn->body.res);
	b_emit(&x->b, t);
}

static void row_update(Row *x, const Stm *s)
{
	DevLoop l = dev_open(&x->b, ATTR_THREADS, sub_i64(1), subs_of(1, s->exp->upd_acc.acc));
	Stm t = *s;
	t.exp = exp_dup(s->exp);
	t.exp->upd_acc.acc = sub_var(l.params.at[0]);
	t.pat = vars_of(1, var_new(name_of("acc"), vars[s->pat.at[0].id].type));
	b_emit(&x->b, t);
	b_names(&x->b, s->pat, dev_close(&x->b, &l, subs_of_vars(t.pat)));
}

// ---- Statements ----

static bool makes_arrays(const Stm *s)
{
	for EACH(Var, v, s->pat)
		if (vars[v->id].type.kind != T_CERT && !type_is_scalar(vars[v->id].type))
			return form_has(s->exp->form, FORM_FRESH) || s->exp->form == E_call;
	return false;
}

static void row_stm(Row *x, const Stm *s)
{
	Vars certs = x->b.certs;
	const Where *where = x->b.where;
	Stm acc;
	x->b.certs = s->certs;
	x->b.where = s->where;
	x->fails |= is_sequential(s) && (form_has(s->exp->form, FORM_SOAC) ||
	                                 s->exp->form == E_withacc);
	switch (s->exp->form) {
	case E_screma:
		row_screma(x, s);
		break;
	case E_hist: case E_scatter:
		acc = s->exp->form == E_hist ? acc_of_hist(s) : acc_of_scatter(s);
		row_withacc(x, &acc);
		break;
	case E_withacc:
		row_withacc(x, s);
		break;
	case E_upd_acc:
		row_update(x, s);
		break;
	case E_if_:
		local_if(x, s);
		break;
	case E_loop:
		local_loop(x, s);
		break;
	case E_iota: case E_update:
		b_emit(&x->b, *s);
		break;
	default: // scalars and views, or arrays that are made at once; nothing else
		if (makes_local(s->exp)) {
			local_stm(x, s);
			break;
		}
		x->fails |= form_has(s->exp->form, FORM_NEST) || makes_arrays(s);
		b_emit(&x->b, *s);
		break;
	}
	x->b.certs = certs;
	x->b.where = where;
}

void row_stms(Row *x, const Body *b)
{
	for EACH(Stm, s, b->stms)
		for EACH(Var, v, s->pat)
			map_put(&x->defs, var_key(*v), s);
	const Body *here = x->here;
	int at = x->at;
	const Exp *loop = x->loop;
	x->here = b;
	x->loop = loop && b == &loop->loop.body ? loop : NULL;
	for (x->at = 0; x->at < b->stms.len; x->at++)
		row_stm(x, &b->stms.at[x->at]);
	x->here = here;
	x->at = at;
	x->loop = loop;
}

// ---- Rows ----

// Bytes of shared memory that all of them need, each part rounded up (src/gen/kgen.h), with room
// for folds.
static Sub bytes_of(Row *x)
{
	enum { ROUND = 16, ROOM = 12 << 10 };
	Build *b = &x->f->b;
	Sub all = sub_i64(ROOM);
	for EACH(Type, t, x->local) {
		Sub n = b_mul(b, b_product(b, t->dims), sub_i64(primtype_size(t->elem)));
		all = b_add(b, all, b_add(b, n, sub_i64(ROUND)));
	}
	return all;
}

static Sub width_of(Row *x)
{
	Sub most = sub_i64(x->irregular ? WIDE : 0);
	for EACH(Sub, n, x->widths)
		most = b_prim2(&x->f->b, P_max, most, *n);
	return most;
}

static Sub is_wide(Row *x)
{
	Build *b = &x->f->b;
	if (!x->outermost.len)
		return b_le(b, sub_i64(threshold(AT_wide_row)), width_of(x));
	Sub all = sub_bool(true);
	for EACH(Sub, n, x->outermost)
		all = b_prim2(b, P_and, all, b_le(b, sub_i64(FEW_OUTER), *n));
	return all;
}

Body renamed_row(Flatten *f, Body b)
{
	Lambda fresh = {.body = body_rename(b)};
	note_inside(f, &fresh);
	return fresh.body;
}

bool block_of_row(Flatten *f, Body *b, RowNeeds *needs)
{
	Row x = {.f = f, .b = {.where = f->b.where}, .whole = b, .outer = needs->outer,
	         .in_place = needs->in_place, .work = sub_i64(0)};
	int operators = f->operators.len;
	b_open(&x.b);
	row_stms(&x, b);
	*b = b_close(&x.b, b->res);
	if (x.fails) {
		f->operators.len = operators;
		return false;
	}
	needs->local = x.local.len > 0;
	needs->work = x.work;
	if (needs->local) {
		needs->bytes = bytes_of(&x);
		needs->wide = is_wide(&x);
	}
	return true;
}

void block_reduce(Flatten *f, Build *b, const Stm *s)
{
	Row x = {.f = f, .b = *b};
	row_screma(&x, s);
	*b = x.b;
	if (x.fails)
		bug("a reduction that a block cannot do");
}
