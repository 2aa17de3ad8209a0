// Rows with inner parallelism of varying size: each row is processed by a thread block.
//
//     map over m rows i:  let r = reduce over the elements from a[i] to a[i + 1]
// becomes
//     #[blocks] loop .. for i < m do {
//       #[threads] let (r: f64) = loop (s: f64 = 0) for j: i64 < a[i + 1] - a[i] do {
//         .. call op (s, x) }
//       ..
//     }
//
// With one thread per row, the running time would be that of the longest row; and a nest whose
// inner sizes differ from row to row has no regular iteration space.  The parts of a row are
// translated, in order, as follows:
//
//     reductions and accumulations       #[threads] loops
//     maps around those                  sequential loops that all threads of the block go through
//     branches and loops                 likewise
//     updates of accumulators            #[threads] loops of one iteration: one thread does them
//     scalars and views                  as they are, by all threads alike
//
// If there is anything else (arrays of unknown size, scans), the nest falls back to one thread per
// row.  So it does if there are very many rows (#[threshold]), since rows are usually short then.
//
// If the length of a row is known before its work begins, there are two kernels: one with small
// blocks (#[warp]) for short rows, of which many run concurrently, and one for the others.
//
// The same is done for leaves of the distribution in which branches or loops hide the reductions
// of the rows, if there are few rows (emit_leaf_kernel, block_suits):
//
//     map over n rows i:  if i < j then 0 else a[i] - reduce over the elements of l[i, 0:j:1]
#include "device/flatten.h"

typedef struct { Flatten *f; Build b; bool fails; } Block;

// ---- Which nests ----

static bool has_combinator(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_screma || (e->form == E_if_ &&
		    (has_combinator(&e->if_.yes) || has_combinator(&e->if_.no))) ||
		    (e->form == E_loop && has_combinator(&e->loop.body)))
			return true;
	}
	return false;
}

bool has_irregular_folds(Flatten *f, const Body *b, Sub *len)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form != E_screma)
			continue;
		if (in_nest(f, e->screma.n) && e->screma.reds.len && !e->screma.scans.len) {
			*len = e->screma.n;
			return true;
		}
		if (has_irregular_folds(f, &e->screma.map->body, len))
			return true;
	}
	return false;
}

// ---- Statements ----

static void block_stm(Block *, const Stm *);

static Body block_body(Block *x, Body b)
{
	b_open(&x->b);
	for EACH(Stm, s, b.stms)
		block_stm(x, s);
	return b_close(&x->b, b.res);
}

// What the loop for a screma carries: values of reductions, accumulators, arrays of mapped values.
static Subs carried_by(Block *x, const Exp *e)
{
	const Lambda *map = e->screma.map;
	SubVec out = {0};
	for EACH(Reduction, r, e->screma.reds)
		VEC_APPEND(&out, r->ne);
	for (int i = out.len; i < map->ret.len; i++) {
		Type t = map->ret.at[i];
		if (t.kind == T_DATA) {
			x->fails |= in_nest(x->f, e->screma.n) || t.dims.len;
			Type all = type_plain(type_of_rows(e->screma.n, t));
			VEC_PUSH(&out, b_scratch(&x->b, "row", all));
			continue;
		}
		for EACH(Sub, a, e->screma.arrs) {
			Type of = sub_type(*a);
			if (of.kind == T_ACC && of.acc->token.id == t.acc->token.id)
				VEC_PUSH(&out, *a);
		}
	}
	x->fails |= out.len != map->ret.len;
	return VEC_SLICE(Subs, out);
}

// The map function for row i, with what the loop carries as its accumulators.
static Body row_body(Block *x, const Exp *e, Sub i, Subs now)
{
	const Lambda *map = lambda_rename(e->screma.map);
	Map to = {0};
	for (int k = 0; k < map->params.len; k++) {
		Type t = vars[map->params.at[k].id].type;
		Sub v = {0};
		if (t.kind != T_ACC) {
			x->fails |= t.unique && t.dims.len;
			v = b_index(&x->b, e->screma.arrs.at[k], subs_of(1, i));
		}
		for (int j = 0; t.kind == T_ACC && j < map->ret.len; j++)
			if (map->ret.at[j].kind == T_ACC &&
			    map->ret.at[j].acc->token.id == t.acc->token.id)
				v = now.at[j];
		map_put(&to, var_key(map->params.at[k]), mem_dup(&v, sizeof v));
	}
	return body_subst(map->body, &to);
}

static Subs apply(Block *x, const Lambda *op, Subs left, Subs right)
{
	const Lambda *f = lambda_rename(op);
	Map to = {0};
	for (int i = 0; i < left.len; i++) {
		map_put(&to, var_key(f->params.at[i]), mem_dup(&left.at[i], sizeof(Sub)));
		map_put(&to, var_key(f->params.at[left.len + i]),
		        mem_dup(&right.at[i], sizeof(Sub)));
	}
	Body b = body_subst(f->body, &to);
	b_emit_all(&x->b, b.stms);
	return b.res;
}

// By the threads of the block: the operator is a function.
static Subs call(Block *x, const Reduction *r, Subs left, Subs right)
{
	Operator op = operator_fun(x->f, r->op, r->comm);
	Subs args = subs_cat(subs_cat(left, right), subs_of_vars(op.free));
	Types ts = {NEW_ARRAY(Type, left.len), left.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = vars[op.fun->res.at[i].id].type;
	return b_lets(&x->b, "r", ts, EXP(call, .fn = op.fun, .args = args));
}

static void block_screma(Block *x, const Stm *s)
{
	const Exp *e = s->exp;
	bool threads = !has_combinator(&e->screma.map->body);
	if (e->screma.scans.len || !is_scalar_fold(e)) {
		x->fails = true;
		return;
	}
	Subs inits = carried_by(x, e);
	if (x->fails)
		return;
	DevLoop l = dev_open(&x->b, threads ? ATTR_THREADS : ATTR_NONE, e->screma.n, inits);
	Subs now = subs_of_vars(l.params), next = SLICE_DUP(Subs, now);
	Sub i = sub_var(l.i);
	Body row = row_body(x, e, i, now);
	for EACH(Stm, t, row.stms)
		if (threads)
			b_emit(&x->b, *t);
		else
			block_stm(x, t);
	int at = 0;
	for EACH(Reduction, r, e->screma.reds) {
		int n = r->ne.len;
		Subs left = {now.at + at, n}, right = {row.res.at + at, n};
		Subs res = threads ? call(x, r, left, right) : apply(x, r->op, left, right);
		for (int k = 0; k < n; k++)
			next.at[at++] = res.at[k];
	}
	for (; at < next.len; at++)
		next.at[at] = sub_type(row.res.at[at]).kind == T_ACC ? row.res.at[at]
		            : put_at(&x->b, now.at[at], subs_of(1, i), row.res.at[at]);
	b_names(&x->b, s->pat, dev_close(&x->b, &l, next));
}

static void block_update(Block *x, const Stm *s)
{
	DevLoop l = dev_open(&x->b, ATTR_THREADS, sub_i64(1), subs_of(1, s->exp->upd_acc.acc));
	Stm t = *s;
	t.exp = exp_dup(s->exp);
	t.exp->upd_acc.acc = sub_var(l.params.at[0]);
	t.pat = vars_of(1, var_new(name_of("acc"), vars[s->pat.at[0].id].type));
	b_emit(&x->b, t);
	b_names(&x->b, s->pat, dev_close(&x->b, &l, subs_of_vars(t.pat)));
}

static bool makes_arrays(const Stm *s)
{
	for EACH(Var, v, s->pat)
		if (vars[v->id].type.kind != T_CERT && !type_is_scalar(vars[v->id].type))
			return form_has(s->exp->form, FORM_FRESH) || s->exp->form == E_update ||
			       s->exp->form == E_call;
	return false;
}

static void block_stm(Block *x, const Stm *s)
{
	Vars certs = x->b.certs;
	const Where *where = x->b.where;
	Stm t = *s;
	t.exp = exp_dup(s->exp);
	x->b.certs = s->certs;
	x->b.where = s->where;
	switch (s->exp->form) {
	case E_screma:
		block_screma(x, s);
		break;
	case E_upd_acc:
		block_update(x, s);
		break;
	case E_if_:
		t.exp->if_.yes = block_body(x, t.exp->if_.yes);
		t.exp->if_.no = block_body(x, t.exp->if_.no);
		b_emit(&x->b, t);
		break;
	case E_loop:
		for EACH(Var, p, t.exp->loop.params)
			x->fails |= vars[p->id].type.kind == T_DATA && vars[p->id].type.dims.len;
		t.exp->loop.body = block_body(x, t.exp->loop.body);
		b_emit(&x->b, t);
		break;
	case E_iota:
		b_emit(&x->b, t);
		break;
	default: // scalars and views; nothing else
		x->fails |= form_has(s->exp->form, FORM_NEST) || makes_arrays(s);
		b_emit(&x->b, t);
		break;
	}
	x->b.certs = certs;
	x->b.where = where;
}

bool block_of_row(Flatten *f, Body *b)
{
	Block x = {.f = f, .b = {.where = f->b.where}};
	int operators = f->operators.len;
	*b = block_body(&x, *b);
	if (x.fails)
		f->operators.len = operators;
	return !x.fails;
}

// ---- What distribution leaves to threads ----

enum {
	LEAST_SHARED = 32,              // a constant number of elements that threads may share
	FEW_FOR_THREADS = 1 << 13,      // rows: as many warps as fill a large device
};

// Is there a reduction in it that the threads of a block can share?
static bool has_shared_fold(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		switch (e->form) {
		case E_screma:
			if (has_shared_fold(&e->screma.map->body) ||
			    (e->screma.reds.len && !(e->screma.n.kind == S_CONST &&
			                             e->screma.n.val.i < LEAST_SHARED)))
				return true;
			break;
		case E_if_:
			if (has_shared_fold(&e->if_.yes) || has_shared_fold(&e->if_.no))
				return true;
			break;
		case E_loop:
			if (has_shared_fold(&e->loop.body))
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

// Does it have reductions, and can a block do all of it?
bool block_suits(Flatten *f, const Body *b)
{
	Body copy = body_rename(*b);
	int operators = f->operators.len;
	Lambda renamed = {.body = copy};
	note_inside(f, &renamed);
	bool suits = has_shared_fold(b) && block_of_row(f, &copy);
	f->operators.len = operators;
	return suits;
}

Subs emit_leaf_kernel(Flatten *f, const Level *nest, Body b)
{
	if (nest->versions != V_BOTH || !has_shared_fold(&b))
		return emit_kernel(f, nest, b);
	Body block = body_rename(b);
	Lambda renamed = {.body = block};
	note_inside(f, &renamed);
	if (!block_of_row(f, &block))
		return emit_kernel(f, nest, b);
	Types ts = result_types(nest, b.res);
	Sub many = emit_threshold(f, "rows", nest_size(f, nest), FEW_FOR_THREADS, next_guess(f));
	if (many.kind == S_CONST)
		return many.val.u ? emit_kernel(f, nest, b)
		                  : emit_block_rows(f, nest, block, sub_i64(0));
	b_open(&f->b);
	Body yes = b_close(&f->b, emit_kernel(f, nest, b));
	b_open(&f->b);
	Body no = b_close(&f->b, emit_block_rows(f, nest, block, sub_i64(0)));
	return b_lets(&f->b, "r", ts, EXP(if_, many, yes, no));
}
