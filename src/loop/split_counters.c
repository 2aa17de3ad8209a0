// The pass `split_counters`: turns a loop that divides its counter into row and column numbers into
// a nest of two loops (the inverse of loop collapsing).
//
//     loop .. for p < n do {                    let rows = n / m      (0 unless m > 0)
//       let (i) = div.i64 p m                   loop .. for i < rows do {
//       let (j) = mod.i64 p m            ->       loop .. for j < m do {
//       ..                                          let (p) = i * m + j ..
//     }                                           }
//                                               }
//                                               loop .. for k < n - rows * m do {
//                                                 let (p) = rows * m + k .. as before
//                                               }
//
// Divisions are slow, and the addresses derived from them are not affine.  In the nest, the inner
// loop has affine addresses, conditions on rows and columns are conditions on counters (peel.c),
// and bounds checks can be hoisted (lift_checks.c).  The order of iterations is unchanged.  Flat
// maps have become nests earlier (opt/nest_flat.c); this pass is for sums and other loops, and for
// trip counts that are not known to be products.
//
// The condition of the number of rows says that m is at most n, so that sums of m and j, as in
// remainders of neighbours, do not wrap around.
//
// What divides by 2 * m as well, as the stages of a Fourier transform do, is i / 2 then.
//
// The last loop covers trip counts that are not multiples of m, and products that wrapped around.
// It is omitted if n is a constant, or a product of sizes of an array in memory; those sizes that
// are not in n must not be 0, as in loops and maps over them.
//
// Before derivatives are made, this is done to loops that need no last loop and have few columns:
// these are unrolled then (scalarise.c), as if they had been written as nests.
//
// Requires nothing; most loops are there after the pass `seq`.  Ensures nothing that other passes
// rely on.
#include "opt/opt.h"
#include "opt/range.h"
#include "loop/loop.h"

enum { MAX_STMS = 60 };                 // written twice
enum { MOST_TIMES = 7 };                // columns of another divisor: Note [Sizes] in opt/range.c

typedef struct {
	Build b;
	const Exp **defs;                       // by variable, of those that this pass did not make
	uint32_t cap;
	Range shapes;                           // of the parameters of functions
	VEC(Sub) trips;                         // of what is around
	Map around;                             // counters of loops: Map *, what is not 0 inside
	bool early;                             // before derivatives are made
} Split;

// ---- Which loops ----

// p / m or p % m, for the counter p >= 0 and m > 0.
static bool divides(const Exp *e, const Exp *loop)
{
	if (e->form != E_prim || e->prim.at != PT_I64 || !prim_divides(e->prim.op) ||
	    !sub_eq(e->prim.x[0], sub_var(loop->loop.i)))
		return false;
	return e->prim.x[1].kind == S_VAR || e->prim.x[1].val.i > 1;
}

static bool decides(const Stm *s)
{
	return s->exp->form == E_if_ || s->exp->form == E_assert_;
}

// Loops over few columns are not done in vectors: they are for what is not done so anyway.
static const Exp *division_in(const Exp *loop)
{
	bool few = body_find(&loop->loop.body, decides);
	for EACH(Stm, s, loop->loop.body.stms)
		if (divides(s->exp, loop) && !loop_binds(loop, s->exp->prim.x[1]) &&
		    (few || may_reach(s->exp->prim.x[1], AT_counter_columns)))
			return s->exp;
	return NULL;
}

static bool fits(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && !vars_have_sizes(e->loop.params) &&
	       !is_device_loop(s->attrs) && !has_attr(s->attrs, ATTR_REGION) &&
	       sub_type(e->loop.n).elem == PT_I64 && division_in(e);
}

static const Exp *def_of_sub(const void *ctx, Sub x)
{
	const Split *p = ctx;
	return x.kind == S_VAR && x.var.id < p->cap ? p->defs[x.var.id] : NULL;
}

// Is n exactly m times something: a constant, or a number of elements of an array in memory?
static bool is_multiple(Split *p, const Exp *loop, Sub m, AffineTerm *rows)
{
	Sub n = loop->loop.n;
	const Map *positive = map_get(&p->around, var_key(loop->loop.i));
	AffineDefs defs = {def_of_sub, p};
	AffineTerm all, columns;
	return term_of(defs, n, &all) && term_of(defs, m, &columns) &&
	       term_quotient(&all, &columns, rows) &&
	       (!term_degree(&all) || is_in_shape(&p->shapes, &all, positive));
}

// If the array is empty, a product of only some of its sizes may have wrapped around.
static Sub emit_rows(Build *b, Sub n, const AffineTerm *rows)
{
	Sub all = term_emit(b, rows);
	return term_degree(rows) < 2 ? all
	                             : b_select(b, b_lt(b, sub_i64(0), n), all, sub_i64(0));
}

// k, if p is divided by k * m: i / k is the quotient, and m * (i % k) + j the rest.
static int64_t multiple_in(const Split *p, const Exp *loop, const Exp *e, Sub m)
{
	AffineDefs defs = {def_of_sub, p};
	AffineTerm d, columns, k;
	if (!divides(e, loop) || loop_binds(loop, e->prim.x[1]) || !term_of(defs, m, &columns) ||
	    !term_of(defs, e->prim.x[1], &d) || !term_quotient(&d, &columns, &k) ||
	    term_degree(&k) || k.k < 2 || k.k > MOST_TIMES)
		return 0;
	return k.k;
}

// Does it divide by multiples of m, which may wrap around?
static bool has_multiple(const Split *p, const Exp *loop, Sub m)
{
	for EACH(Stm, s, loop->loop.body.stms)
		if (m.kind == S_VAR && multiple_in(p, loop, s->exp, m))
			return true;
	return false;
}

// ---- The nest ----

static bool is_quotient(Prim op)
{
	return op == P_div || op == P_quot;
}

// i * m + j divided by k * m.
static Sub by_multiple(Build *b, Prim op, int64_t k, Sub m, Sub i, Sub j)
{
	if (is_quotient(op))
		return b_prim2(b, P_div, i, sub_i64(k));
	Sub rows = b_prim2(b, P_mod, i, sub_i64(k));
	return b_prim2(b, P_add, b_mul(b, rows, m), j);
}

// The body with p = base + j, and i and j for what it divides.
static Body columns_body(Split *p, const Exp *e, Sub m, Sub base, Sub i, Sub j)
{
	Map to = {0};
	int64_t k;
	b_open(&p->b);
	subst_put(&to, e->loop.i, b_prim2(&p->b, P_add, base, j));
	for EACH(Stm, s, e->loop.body.stms) {
		if (divides(s->exp, e) && sub_eq(s->exp->prim.x[1], m)) {
			subst_put(&to, s->pat.at[0], is_quotient(s->exp->prim.op) ? i : j);
		} else if (m.kind == S_VAR && (k = multiple_in(p, e, s->exp, m))) {
			subst_put(&to, s->pat.at[0],
			          by_multiple(&p->b, s->exp->prim.op, k, m, i, j));
		} else {
			b_emit(&p->b, *s);
		}
	}
	Body b = b_close(&p->b, e->loop.body.res);
	return body_subst(b, &to);
}

static bool split(void *ctx, const Stm *s);

// for i < rows { for j < m { .. } }; its results.
static Vars emit_nest(Split *p, const Stm *s, Sub m, Sub rows, bool last)
{
	const Exp *e = s->exp;
	Var i = var_new(name_of("row"), type_scalar(PT_I64));
	Var j = var_new(name_of("column"), type_scalar(PT_I64));
	Exp *outer = exp_dup(e), *inner = exp_dup(e);
	outer->loop.i = i;
	outer->loop.n = rows;
	outer->loop.params = vars_like(e->loop.params);
	inner->loop.i = j;
	inner->loop.n = m;
	inner->loop.inits = subs_of_vars(outer->loop.params);
	b_open(&p->b);
	Sub base = b_mul(&p->b, sub_var(i), m);
	inner->loop.body = columns_body(p, e, m, base, sub_var(i), sub_var(j));
	Stm columns = *s;
	columns.pat = vars_like(s->pat);
	columns.exp = inner;
	if (!fits(&columns) || !split(p, &columns))
		b_emit(&p->b, columns);
	outer->loop.body = b_close(&p->b, subs_of_vars(columns.pat));
	Stm all = *s;
	all.exp = outer;
	if (!last)
		all.pat = vars_like(s->pat);
	b_emit(&p->b, all);
	return all.pat;
}

// for k < n - done { p = done + k .. }
static void emit_rest(Split *p, const Stm *copy, const Stm *s, Sub done, Vars from)
{
	Exp *e = exp_dup(copy->exp);
	Var k = var_new(vars[e->loop.i.id].hint, type_scalar(PT_I64));
	e->loop.n = b_sub(&p->b, s->exp->loop.n, done);
	e->loop.inits = subs_of_vars(from);
	Map to = {0};
	b_open(&p->b);
	subst_put(&to, e->loop.i, b_prim2(&p->b, P_add, done, sub_var(k)));
	for EACH(Stm, t, e->loop.body.stms)
		b_emit(&p->b, *t);
	Body b = b_close(&p->b, e->loop.body.res);
	e->loop.body = body_subst(b, &to);
	e->loop.i = k;
	Stm rest = *s;
	rest.exp = e;
	b_emit(&p->b, rest);
}

static bool split(void *ctx, const Stm *s)
{
	Split *p = ctx;
	const Exp *e = s->exp;
	Sub m = division_in(e)->prim.x[1];
	AffineTerm times;
	bool multiples = has_multiple(p, e, m), few = !may_reach(m, AT_counter_columns);
	bool exact = is_multiple(p, e, m, &times);
	if (p->early ? !exact || !few
	             : !exact && body_size(&e->loop.body) > MAX_STMS)
		return false;
	if (!may_rewrite())
		return false;
	if (exact) {
		emit_nest(p, s, m, emit_rows(&p->b, e->loop.n, &times), true);
		return true;
	}
	Stm copy = loop_copy(s);
	Sub ok = b_prim2(&p->b, P_and, b_lt(&p->b, sub_i64(0), m), b_le(&p->b, m, e->loop.n));
	if (multiples)
		ok = b_prim2(&p->b, P_and, ok, b_le(&p->b, m, sub_i64(INT64_MAX / MOST_TIMES)));
	Sub whole = b_prim2(&p->b, P_quot, e->loop.n, b_select(&p->b, ok, m, sub_i64(1)));
	Sub rows = b_select(&p->b, ok, b_prim2(&p->b, P_max, whole, sub_i64(0)), sub_i64(0));
	Vars now = emit_nest(p, s, m, rows, false);
	emit_rest(p, &copy, s, b_mul(&p->b, rows, m), now);
	return true;
}

// ---- The program ----

// Factors of a number that is not 0 are not either.
static Map *positive_in(const Split *p)
{
	Map *out = NEW(Map);
	AffineTerm t;
	for EACH(Sub, n, p->trips)
		if (term_of((AffineDefs){def_of_sub, p}, *n, &t))
			for (int i = 0; i < term_degree(&t); i++)
				map_put(out, var_key(t.v[i]), out);
	return out;
}

static void note_defs(Visit *v, Body *b);

static void note_stm(Visit *v, const Stm *s)
{
	Split *p = v->ctx;
	for EACH(Var, x, s->pat)
		p->defs[x->id] = s->pat.len == 1 ? s->exp : NULL;
	Exp *e = s->exp;
	if (fits(s))
		map_put(&p->around, var_key(e->loop.i), positive_in(p));
	if (e->form == E_screma) {
		for EACH(Reduction, r, e->screma.reds)
			note_defs(v, &r->op->body);
		for EACH(Reduction, q, e->screma.scans)
			note_defs(v, &q->op->body);
		VEC_PUSH(&p->trips, e->screma.n);
		note_defs(v, &e->screma.map->body);
		p->trips.len--;
		return;
	}
	bool counted = e->form == E_loop && !e->loop.is_while;
	if (counted)
		VEC_PUSH(&p->trips, e->loop.n);
	exp_visit(e, v);
	p->trips.len -= counted;
}

static void note_defs(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		note_stm(v, s);
}

Prog *split_counters(Prog *prog)
{
	Split p = {.defs = NEW_TABLE(const Exp *, n_vars), .cap = n_vars,
	           .early = prog->stage == STAGE_SOAC};
	Visit note = {.body = note_defs, .ctx = &p};
	for EACH(Fun *, f, prog->funs) {
		note_defs(&note, &(*f)->body);  // a walk: writes nothing
		for EACH(Var, v, (*f)->params)
			if (type_is_array(vars[v->id].type))
				range_shape(&p.shapes, vars[v->id].type.dims);
	}
	prog = prog_rewrite_stms(prog, fits, &p.b, split, &p);
	table_free(p.defs);
	return prog;
}
