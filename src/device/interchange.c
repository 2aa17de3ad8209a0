// A reduction whose operator is a map, of a map: the map goes outside.
//
//     let (r: [m]f32) = screma n (xs, ks)
//       map=\(row: [m]f32, k: f32) -> {
//         let (c: f32) = mul.f32 k 2.0
//         let (ys: [m]f32) = screma m (row) map=\(x) -> g x c
//         in ys}
//       reduce=(zeros) (map2 (+))
// becomes
//     let (t: [m][n]f32) = rearrange (1, 0) xs
//     let (r: [m]f32) = screma m (t, zeros) map=\(col: [n]f32, e: f32) -> {
//       let (s: f32) = screma n (col, ks)
//         map=\(x: f32, k: f32) -> {c = mul.f32 k 2.0; in g x c}
//         reduce=(e) (+)
//       in s}
//
// and so on inwards, where elements are arrays.  A device would have the n rows in memory before it
// adds them up, for all rows of the nest around; afterwards a thread or a block has an element of
// the result.  What the map function does before it makes its row is done for each element, so it
// may be a few operations on scalars only.
//
// Requires: no jvp or vjp.  Ensures: no more than before.
#include "device/flatten.h"

#include "opt/opt.h"
#include "opt/simplify.h"

// ---- Which ones ----

static bool is_repeatable(const Stm *s)
{
	const Exp *e = s->exp;
	if (s->certs.len || s->pat.len != 1 || !type_is_scalar(vars[s->pat.at[0].id].type))
		return !s->certs.len && (e->form == E_rearrange || e->form == E_iota ||
		                         e->form == E_replicate);
	return e->form == E_index || exp_is_cheap_scalar(e) ||
	       (e->form == E_prim && is_int(e->prim.at));
}

// The last statement of the map function, if it makes all rows, and what comes before is little.
static const Stm *map_that_makes_rows(const Body *b)
{
	enum { MOST = 16 };
	if (!b->stms.len || b->stms.len > MOST + 1)
		return NULL;
	const Stm *last = &b->stms.at[b->stms.len - 1];
	const Exp *e = last->exp;
	if (e->form != E_screma || e->screma.scans.len || e->screma.reds.len || last->certs.len)
		return NULL;
	for EACH(Sub, x, b->res)
		if (vars_find(last->pat, *x) < 0)
			return NULL;
	for EACH(Sub, a, e->screma.arrs)
		if (sub_type(*a).kind == T_ACC)
			return NULL;
	for (const Stm *s = b->stms.at; s < last; s++)
		if (!is_repeatable(s))
			return NULL;
	return last;
}

static bool can_turn(const Exp *e)
{
	if (e->form != E_screma || e->screma.scans.len || !e->screma.reds.len ||
	    e->screma.map->ret.len != n_reduced(e->screma.reds))
		return false;
	const Stm *rows = map_that_makes_rows(&e->screma.map->body);
	if (!rows)
		return false;
	for EACH(Sub, a, e->screma.arrs)
		if (sub_type(*a).kind == T_ACC)
			return false;
	for EACH(Reduction, r, e->screma.reds) {
		const Exp *map = map_of_operator(r->op);
		if (!map || !sub_eq(map->screma.n, rows->exp->screma.n))
			return false;
	}
	return true;
}

static bool fits(const Stm *s)
{
	return can_turn(s->exp);
}

// ---- Neutral elements ----

// Most are filled with one value, which a sum of elements then starts from.
typedef struct { Build b; Map fills; } Interchange; // variable -> Exp *: replicate of a scalar

static void note_fill(Interchange *x, Stm *s)
{
	if (s->exp->form == E_replicate && type_is_scalar(sub_type(s->exp->replicate.x)))
		map_put(&x->fills, var_key(s->pat.at[0]), s->exp);
}

static void note_fills(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		note_fill(v->ctx, s);
	body_visit(b, v);
}

static Sub filled_row(Interchange *x, const Exp *fill)
{
	Subs dims = fill->replicate.dims;
	if (dims.len == 1)
		return fill->replicate.x;
	Exp *e = NEW(Exp, .form = E_replicate, .replicate = {
		{dims.at + 1, dims.len - 1}, fill->replicate.x});
	Type t = {.kind = T_DATA, .elem = sub_type(fill->replicate.x).elem,
	          .dims = e->replicate.dims};
	Sub row = b_let(&x->b, "row", t, e);
	map_put(&x->fills, var_key(row.var), e);
	return row;
}

// ---- The other way round ----

typedef struct { VEC(Var) params; SubVec arrs; } Inputs;

static Sub add_input(Inputs *in, const char *hint, Sub arr)
{
	Type t = type_row(sub_type(arr));
	t.unique = false;
	Var p = var_new(name_of(hint), t);
	VEC_PUSH(&in->params, p);
	VEC_PUSH(&in->arrs, arr);
	return sub_var(p);
}

static Sub turned(Build *b, Sub arr)
{
	int n = sub_type(arr).dims.len;
	int *perm = NEW_ARRAY(int, n);
	for (int d = 0; d < n; d++)
		perm[d] = d == 0 ? 1 : d == 1 ? 0 : d;
	return b_rearrange(b, perm, arr);
}

static Exp *turn(Interchange *, const Exp *);

static Subs emit_inner(Interchange *x, const Exp *e)
{
	Types ts = SLICE_DUP(Types, e->screma.map->ret);
	for EACH(Type, t, ts)
		t->unique = false;
	return b_lets(&x->b, "folded", ts, can_turn(e) ? turn(x, e) : (Exp *)e);
}

// Where the elements of the row come from that position j of it is made of: a column of what the
// reduction goes through (then it goes through the column), something that the map function reads
// there (`own`), or what is the same for all rows.
typedef struct {
	Lambda *f;                              // the map function
	const Exp *rows;                        // its last statement
	Inputs outer, inner;
	Map to;                                 // parameters of `rows` -> elements
	Sub j;                                  // its position, where it is needed
} Turn;

static bool is_bound_in(const Body *b, Sub x)
{
	for EACH(Stm, s, b->stms)
		if (vars_find(s->pat, x) >= 0)
			return true;
	return false;
}

static void find_elements(Turn *t, Build *b, Subs arrs)
{
	bool any_own = false;
	for (int k = 0; k < t->rows->screma.arrs.len; k++) {
		Sub a = t->rows->screma.arrs.at[k];
		Var p = t->rows->screma.map->params.at[k];
		int at = vars_find(t->f->params, a);
		if (at >= 0)
			subst_put(&t->to, p, add_input(&t->inner, "x",
				add_input(&t->outer, "col", turned(b, arrs.at[at]))));
		else if (is_bound_in(&t->f->body, a))
			any_own = true;
		else
			subst_put(&t->to, p, add_input(&t->outer, "x", a));
	}
	if (any_own)
		t->j = add_input(&t->outer, "j", b_iota(b, t->rows->screma.n));
}

static void read_own(Turn *t, Build *b)
{
	for (int k = 0; k < t->rows->screma.arrs.len; k++) {
		Sub a = t->rows->screma.arrs.at[k];
		if (is_bound_in(&t->f->body, a))
			subst_put(&t->to, t->rows->screma.map->params.at[k],
			          b_index(b, a, subs_of(1, t->j)));
	}
}

// The map function for one element of each row.
static Lambda *element_function(Turn *t, Build *b)
{
	const Stms all = t->f->body.stms;
	const Stm *last = &all.at[all.len - 1];
	b_open(b);
	for (const Stm *s = all.at; s < last; s++)
		b_emit(b, *s);
	read_own(t, b);
	Body g = body_subst(t->rows->screma.map->body, &t->to);
	for EACH(Stm, s, g.stms)
		b_emit(b, *s);
	Subs res = {NEW_ARRAY(Sub, t->f->body.res.len), t->f->body.res.len};
	for (int i = 0; i < res.len; i++)
		res.at[i] = g.res.at[vars_find(last->pat, t->f->body.res.at[i])];
	return b_lambda(b, vars_cat(t->f->params, VEC_SLICE(Vars, t->inner.params)), res);
}

static Sub element_neutral(Interchange *x, Turn *t, Sub ne)
{
	const Exp *fill = ne.kind == S_VAR ? map_get(&x->fills, var_key(ne.var)) : NULL;
	return fill ? filled_row(x, fill) : add_input(&t->outer, "e", ne);
}

static Reductions element_reductions(Interchange *x, Turn *t, Reductions rs)
{
	Reductions out = SLICE_DUP(Reductions, rs);
	for EACH(Reduction, r, out) {
		r->op = element_operator(r->op, map_of_operator(r->op));
		r->ne = SLICE_DUP(Subs, r->ne);
		for EACH(Sub, ne, r->ne)
			*ne = element_neutral(x, t, *ne);
	}
	return out;
}

static Exp *turn(Interchange *x, const Exp *e)
{
	Build *b = &x->b;
	Turn t = {.f = lambda_rename(e->screma.map)};
	const Stms stms = t.f->body.stms;
	t.rows = stms.at[stms.len - 1].exp;
	find_elements(&t, b, e->screma.arrs);
	Reductions reds = element_reductions(x, &t, e->screma.reds);
	b_open(b);
	Lambda *f = element_function(&t, b);
	Subs arrs = subs_cat(e->screma.arrs, VEC_SLICE(Subs, t.inner.arrs));
	Subs sums = emit_inner(x, NEW(Exp, .form = E_screma, .screma = {.n = e->screma.n,
		.arrs = arrs, .map = f, .reds = reds}));
	return NEW(Exp, .form = E_screma, .screma = {.n = t.rows->screma.n,
		.arrs = VEC_SLICE(Subs, t.outer.arrs),
		.map = b_lambda(b, VEC_SLICE(Vars, t.outer.params), sums)});
}

static bool rewrite(void *ctx, const Stm *s)
{
	Interchange *x = ctx;
	if (!may_rewrite())
		return false;
	Vars outer = x->b.certs;
	Stm t = *s;
	x->b.certs = s->certs;
	t.exp = turn(x, s->exp);
	x->b.certs = outer;
	b_emit(&x->b, t);
	return true;
}

Prog *interchange(Prog *prog)
{
	Interchange x = {0};
	if (!prog_find(prog, fits))
		return prog;
	Visit v = {.body = note_fills, .ctx = &x};
	for EACH(Fun *, f, prog->funs)
		note_fills(&v, &(*f)->body);
	return prog_rewrite_stms(prog, fits, &x.b, rewrite, &x);
}
