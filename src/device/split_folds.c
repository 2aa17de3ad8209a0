// The pass `split_folds`: split-k for matrix products with few results.
//
//     #[kernel] loop (o = out) for i < n do
//       #[kernel] loop (o) for j < m do {
//         let (s) = loop (s = 0) for k < p do .. s + a[i, k] * b[k, j]
//         .. o with [i, j] = s ..
//       }
// becomes
//     let (c: i64) = .. how many parts: 1, 2, 4, .. or 32 ..
//     if 1 < c then {
//       #[kernel] loop (o = parts) for z < c do {
//         let (az) = slice a [0:n:1, z q:q:1];  let (bz) = slice b [z q:q:1, 0:m:1]  -- q = p / c
//         .. the nest, with sums over k < q of az[i, k] * bz[k, j], stored at parts[z, i, j] ..
//       }
//       .. the nest, with sums over z < c of parts[z, i, j] ..
//     } else the same
//
// Such kernels are tiled with 64 x 64 results per thread block (src/gen/ktile.c).  If there are
// fewer tiles than the device can run at once and the sums are long, most multiprocessors would be
// idle.
//
// Requires: the pass `seq`.  Ensures: equal results up to the order of additions, which is
// unspecified.
#include "opt/opt.h"
#include "device/flatten.h"

enum { TILE = 64, MOST_PARTS = 32 };

typedef struct {
	const Stm *rows, *columns;              // the loops of the nest
	const Stm *sum;                         // in the innermost body
} Product;

typedef struct { Build b; } Split;

// ---- Which kernels ----

static bool is_scalar_stm(const Stm *s)
{
	Form f = s->exp->form;
	return (f == E_prim || f == E_convert || f == E_atom || f == E_index || f == E_update) &&
	       s->pat.len == 1;
}

// The counter of the sum selects one index of each load, and is used for nothing else.
static bool only_selects(const Stm *s, Var k)
{
	if (s->exp->form != E_index) {
		for (int i = 0; s->exp->form == E_prim && i < 3; i++)
			if (sub_eq(s->exp->prim.x[i], sub_var(k)))
				return false;
		return s->exp->form == E_prim ||
		       (s->exp->form == E_convert && !sub_eq(s->exp->convert.x, sub_var(k)));
	}
	int n = 0;
	for EACH(Sub, x, s->exp->index.idx)
		n += sub_eq(*x, sub_var(k));
	return n <= 1 && s->exp->index.idx.len == sub_type(s->exp->index.arr).dims.len;
}

static bool is_sum(const Stm *s, Var i, Var j)
{
	const Exp *e = s->exp;
	Prim op;
	PrimType type;
	if (e->form != E_loop || e->loop.is_while || is_device_loop(s->attrs) ||
	    e->loop.params.len != 1 || e->loop.n.kind != S_VAR ||
	    sub_type(e->loop.n).elem != PT_I64 || !loop_reduction(e, 0, &op, &type) ||
	    op != P_add || (type != PT_F32 && type != PT_F64))
		return false;
	bool along_i = false, along_j = false;
	for EACH(Stm, t, e->loop.body.stms) {
		if (!only_selects(t, e->loop.i))
			return false;
		if (t->exp->form != E_index || subs_find(t->exp->index.idx, sub_var(e->loop.i)) < 0)
			continue;
		bool of_i = subs_find(t->exp->index.idx, sub_var(i)) >= 0;
		bool of_j = subs_find(t->exp->index.idx, sub_var(j)) >= 0;
		along_i |= of_i && !of_j;
		along_j |= of_j && !of_i;
	}
	return along_i && along_j && e->loop.inits.at[0].kind == S_CONST &&
	       e->loop.inits.at[0].val.f == 0;
}

static const Stm *only_kernel_in(const Stm *s)
{
	const Body *b = &s->exp->loop.body;
	const Stm *inner = b->stms.len == 1 ? &b->stms.at[0] : NULL;
	return inner && inner->exp->form == E_loop && has_attr(inner->attrs, ATTR_KERNEL) ? inner
	                                                                                  : NULL;
}

static bool is_product(const Stm *s, Product *p)
{
	if (s->exp->form != E_loop || !has_attr(s->attrs, ATTR_KERNEL) ||
	    s->exp->loop.params.len != 1)
		return false;
	*p = (Product){.rows = s, .columns = only_kernel_in(s)};
	if (!p->columns || only_kernel_in(p->columns) || p->columns->exp->loop.params.len != 1)
		return false;
	const Exp *inner = p->columns->exp;
	for EACH(Stm, t, inner->loop.body.stms) {
		bool sum = !p->sum && is_sum(t, s->exp->loop.i, inner->loop.i);
		if (sum)
			p->sum = t;
		else if (!is_scalar_stm(t))
			return false;
	}
	const Exp *sum = p->sum ? p->sum->exp : NULL;
	return sum && !def_in(&inner->loop.body, sum->loop.n);
}

// ---- How many parts ----

static Sub emit_room(Build *b)
{
	Vars pat = vars_of(3, var_i64("blocks"), var_i64("rows"), var_i64("least"));
	b->attrs = attr_of(ATTR_GRID);
	b_stm(b, pat, EXP(opaque, subs_of(3, sub_i64(32), sub_i64((int64_t)1 << 40), sub_i64(1))));
	return sub_var(pat.at[0]);
}

static Sub tiles_along(Build *b, Sub n)
{
	return b_prim2(b, P_quot, b_add(b, n, sub_i64(TILE - 1)), sub_i64(TILE));
}

static Sub emit_parts(Build *b, const Product *p)
{
	Sub n = p->rows->exp->loop.n, m = p->columns->exp->loop.n, steps = p->sum->exp->loop.n,
	    c = sub_i64(1);
	Sub tiles = b_prim2(b, P_max, b_mul(b, tiles_along(b, n), tiles_along(b, m)), sub_i64(1));
	Sub room = b_prim2(b, P_quot, emit_room(b), b_mul(b, tiles, sub_i64(4)));
	for (int k = 2; k <= MOST_PARTS; k *= 2) {
		Sub whole = b_eq(b, b_prim2(b, P_rem, steps, sub_i64(k)), sub_i64(0));
		Sub longer = b_le(b, sub_i64(k * threshold(AT_fold_steps)), steps),
		    fits = b_le(b, sub_i64(k), room);
		Sub good = b_prim2(b, P_and, whole, b_prim2(b, P_and, longer, fits));
		c = b_select(b, good, sub_i64(k), c);
	}
	return c;
}

// ---- The two kernels ----

static bool steps_along(const Exp *e, Var k)
{
	return e->form == E_index && subs_find(e->index.idx, sub_var(k)) >= 0;
}

// The array of a load from step lo on.
static Sub slice_steps(Build *b, const Exp *load, Var k, Sub lo, Sub q)
{
	Type t = sub_type(load->index.arr);
	Slices at = {NEW_ARRAY(DimSlice, t.dims.len), t.dims.len};
	for (int d = 0; d < t.dims.len; d++) {
		bool steps = sub_eq(load->index.idx.at[d], sub_var(k));
		at.at[d] = (DimSlice){false, steps ? lo : sub_i64(0), steps ? q : t.dims.at[d],
		                      sub_i64(1)};
	}
	return b_slice(b, load->index.arr, at);
}

// What the sum needs of the statements before it.
static void emit_before(Build *b, const Product *p, Body copy)
{
	int at = (int)(p->sum - p->columns->exp->loop.body.stms.at);
	for (int i = 0; i < at; i++)
		if (copy.stms.at[i].exp->form != E_update)
			b_emit(b, copy.stms.at[i]);
}

static Sub emit_partial_sums(Build *b, const Product *p, Sub c, Sub parts)
{
	const Exp *sum = p->sum->exp;
	int where = (int)(p->sum - p->columns->exp->loop.body.stms.at), n = sum->loop.body.stms.len;
	Sub q = b_prim2(b, P_quot, sum->loop.n, c);
	DevLoop z = dev_open(b, ATTR_KERNEL, c, subs_of(1, parts));
	Sub lo = b_mul(b, sub_var(z.i), q), *views = NEW_ARRAY(Sub, n);
	for (int i = 0; i < n; i++) {
		const Exp *e = sum->loop.body.stms.at[i].exp;
		if (steps_along(e, sum->loop.i))
			views[i] = slice_steps(b, e, sum->loop.i, lo, q);
	}
	DevLoop y = dev_open(b, ATTR_KERNEL, p->rows->exp->loop.n, subs_of_vars(z.params));
	DevLoop x = dev_open(b, ATTR_KERNEL, p->columns->exp->loop.n, subs_of_vars(y.params));
	Map to = {0};
	subst_put(&to, p->rows->exp->loop.i, sub_var(y.i));
	subst_put(&to, p->columns->exp->loop.i, sub_var(x.i));
	Body copy = body_subst(body_rename(p->columns->exp->loop.body), &to);
	emit_before(b, p, copy);
	Stm s = copy.stms.at[where];
	Exp *part = s.exp = exp_dup(s.exp);
	part->loop.n = q;
	part->loop.body.stms = SLICE_DUP(Stms, part->loop.body.stms);
	for (int i = 0; i < n; i++)
		if (steps_along(sum->loop.body.stms.at[i].exp, sum->loop.i)) {
			Stm *t = &part->loop.body.stms.at[i];
			t->exp = exp_dup(t->exp);
			t->exp->index.arr = views[i];
		}
	b_emit(b, s);
	Subs at = subs_of(3, sub_var(z.i), sub_var(y.i), sub_var(x.i));
	Subs done = subs_of(1, b_update(b, sub_var(x.params.at[0]), slices_at(at, (Subs){0}),
	                                sub_var(s.pat.at[0])));
	return dev_close(b, &z, dev_close(b, &y, dev_close(b, &x, done))).at[0];
}

// The nest with the sum of the parts in place of the sum.
static Subs emit_whole_sums(Build *b, const Product *p, Sub c, Sub parts)
{
	Stm whole = *p->rows;
	Body all = body_rename((Body){.stms = {&whole, 1}, .res = subs_of_vars(p->rows->pat)});
	Stm s = all.stms.at[0];
	int where = (int)(p->sum - p->columns->exp->loop.body.stms.at);
	Exp *rows = s.exp = exp_dup(s.exp);
	rows->loop.body.stms = SLICE_DUP(Stms, rows->loop.body.stms);
	Exp *columns = exp_dup(rows->loop.body.stms.at[0].exp);
	rows->loop.body.stms.at[0].exp = columns;
	columns->loop.body.stms = SLICE_DUP(Stms, columns->loop.body.stms);
	Stm *t = &columns->loop.body.stms.at[where];
	Exp *sum = t->exp = exp_dup(t->exp);
	Sub so_far = sub_var(sum->loop.params.at[0]);
	sum->loop.n = c;
	sum->loop.i = var_i64("z");
	b_open(b);
	Sub x = b_index(
		b, parts,
		subs_of(3, sub_var(sum->loop.i), sub_var(rows->loop.i), sub_var(columns->loop.i)));
	Var next = var_new(name_of("add"), sub_type(so_far));
	b->attrs = attr_of(ATTR_REDUCE);
	b_stm(b, vars_of(1, next), EXP(prim, P_add, sub_type(so_far).elem, {x, so_far}));
	sum->loop.body = b_close(b, subs_of(1, sub_var(next)));
	b_emit(b, s);
	return all.res;
}

static void split(Build *b, const Stm *s, const Product *p)
{
	Sub c = emit_parts(b, p);
	Type parts = type_of_rows(
		c,
		type_of_rows(
			p->rows->exp->loop.n,
			type_of_rows(p->columns->exp->loop.n,
	                             type_scalar(sub_type(p->sum->exp->loop.inits.at[0]).elem))));
	Sub more = b_lt(b, sub_i64(1), c);
	b_open(b);
	Sub room = b_scratch(b, "parts", parts);
	Body yes = b_close(b, emit_whole_sums(b, p, c, emit_partial_sums(b, p, c, room)));
	Stm same = *s;
	Body no = body_rename((Body){.stms = {&same, 1}, .res = subs_of_vars(s->pat)});
	b_emit(b, (Stm){.pat = s->pat, .where = s->where, .exp = EXP(if_, more, yes, no)});
}

// ---- Bodies, functions ----

static void split_body(Visit *v, Body *body)
{
	Split *w = v->ctx;
	b_open(&w->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		Product p;
		if (is_product(s, &p) && may_rewrite()) {
			split(&w->b, s, &p);
			continue;
		}
		if (form_has(s->exp->form, FORM_NEST) && !is_kernel(s))
			t.exp = exp_visit(s->exp, v);
		b_emit(&w->b, t);
	}
	*body = b_close(&w->b, body->res);
}

Prog *split_folds(Prog *prog)
{
	Split w = {0};
	Visit v = {.body = split_body, .copy = true, .ctx = &w};
	return prog_rewrite(prog, &v);
}
