// Loop-invariant code motion: statements that are the same in each iteration of a loop, or for each
// row of a combinator, are hoisted out of it.
//
//     let (ys: [n]f64) = screma n (xs) map=\(x: f64) : (f64) -> {
//       let (s: f64) = screma m (as) map=\(a: f64) : (f64) -> {a} reduce=(0.0) ..
//       let (y: f64) = mul.f64 x s
//       in y
//     }
//   ->
//     let (s: f64) = screma m (as) map=\(a: f64) : (f64) -> {a} reduce=(0.0) ..
//     let (ys: [n]f64) = screma n (xs) map=\(x: f64) : (f64) -> {
//       let (y: f64) = mul.f64 x s
//       in y
//     }
//
//     loop .. for j: i64 < m do {let (c: cert) = assert p ("...") ..}    with p from outside
//   ->
//     let (never: bool) = le.i64 m 0
//     let (q: bool) = or.bool never p
//     let (c: cert) = assert q ("...")
//     loop .. for j: i64 < m do {..}
//
//     loop .. for j: i64 < m do {let (q: i64) = #{c} div.i64 x y ..}     with x and y from outside
//   ->
//     let (zero: bool) = eq.i64 y 0
//     let (divisor: i64) = if zero then {1} else {y}
//     let (q: i64) = #{c} div.i64 x divisor
//
// Requires nothing.  Ensures that each statement in the body of a loop or lambda depends on
// something bound there, or must not be moved.
//
// Works from the inside out, so that a statement can leave several loops.  Since a loop may run
// zero times, only statements that cannot fail are hoisted: scalar operations (integer divisions
// only if the divisor is not zero), views, new arrays with the sizes of existing ones, reads at a
// counter that runs over exactly that dimension, and combinators and loops of these.  An invariant
// assertion becomes an assertion about the loop as a whole.  Not moved are arrays that are consumed
// anywhere, traces, and statements that only one branch needs.
//
// The pass `hoist_slices`, before derivatives: only slices that are the same for all rows and
// steps, such as the matrix of one gate of a recurrent network.
//
//     screma n (xs) map=\(x) -> {let (w: [h][h]f32) = slice ws [2, 0:h:1, 0:h:1]  loop .. w ..}
//   ->
//     let (w: [h][h]f32) = slice ws [2, 0:h:1, 0:h:1]
//     screma n (xs) map=\(x) -> {loop .. w ..}
//
// All rows add to one adjoint of such a slice.  Inside, each row or step has its own, which is
// added to that of the array as a whole, and which loops carry.
#include "opt/alias.h"
#include "opt/opt.h"

// What is known of a variable.
typedef struct {
	int level;                      // loops and lambdas around its binding
	uint32_t local;                 // the last search that found it bound inside
	bool is_size;                   // of an array in scope
	bool is_counter, is_iota;       // 0 <= it < n; the array 0, 1, .. n - 1
	Sub n;
} Cell;

typedef struct {
	Alias alias;
	Cell *cells;                    // by variable
	uint32_t cap;
	VEC(Var) sizes;                 // those with is_size, in order
	int depth;
	VEC(Sub) runs;                  // how often loops and lambdas around run, as far as known
	uint32_t search;
	bool traces;                    // are there any?
	bool slices;                    // only these
	Map funs;
} Hoist;

static Cell *cell(Hoist *h, Var v)
{
	if (v.id >= h->cap) {
		uint32_t cap = h->cap ? h->cap : 64;
		while (cap <= v.id)
			cap *= 2;
		h->cells = table_grow(h->cells, h->cap * sizeof(Cell), cap * sizeof(Cell));
		h->cap = cap;
	}
	return &h->cells[v.id];
}

// ---- What cannot fail ----

static bool is_nat(Hoist *h, Sub n)
{
	return n.kind == S_CONST ? n.val.i >= 0 : cell(h, n.var)->is_size;
}

static bool are_nats(Hoist *h, Subs ns)
{
	for EACH(Sub, n, ns)
		if (!is_nat(h, *n))
			return false;
	return true;
}

static bool is_in_range(Hoist *h, Sub i, Sub n)
{
	if (i.kind == S_CONST)
		return n.kind == S_CONST && i.val.i >= 0 && i.val.i < n.val.i;
	const Cell *c = cell(h, i.var);
	return c->is_counter && sub_eq(c->n, n);
}

static bool is_safe_slice(Hoist *h, DimSlice d, Sub n)
{
	if (d.fixed)
		return is_in_range(h, d.start, n);
	return sub_eq(d.start, sub_i64(0)) && sub_eq(d.step, sub_i64(1)) && sub_eq(d.len, n);
}

static bool is_safe_prim(const Exp *e)
{
	if (!prim_can_fail(e->prim.op, e->prim.at))
		return true;
	Sub y = e->prim.x[1];
	return e->prim.op != P_pow && y.kind == S_CONST && y.val.u != 0;
}

static bool is_safe(Hoist *, const Exp *);

typedef struct { Hoist *h; bool safe; } Safety;

static void look_at_body(Visit *v, Body *b)
{
	Safety *s = v->ctx;
	for (int i = 0; i < b->stms.len && s->safe; i++)
		s->safe = is_safe(s->h, b->stms.at[i].exp);
}

static bool are_bodies_safe(Hoist *h, const Exp *e)
{
	Safety s = {h, true};
	Visit v = {.body = look_at_body, .ctx = &s};
	exp_walk(e, &v);
	return s.safe;
}

static bool is_safe(Hoist *h, const Exp *e)
{
	switch (e->form) {
	case E_atom: case E_convert: case E_reshape: case E_rearrange: case E_copy: case E_concat:
	case E_array:
		return true;
	case E_prim:
		return is_safe_prim(e);
	case E_index: {
		Subs dims = sub_type(e->index.arr).dims;
		for (int i = 0; i < dims.len; i++)
			if (!is_in_range(h, e->index.idx.at[i], dims.at[i]))
				return false;
		return true;
	}
	case E_slice: {
		Subs dims = sub_type(e->slice.arr).dims;
		for (int i = 0; i < dims.len; i++)
			if (!is_safe_slice(h, e->slice.at.at[i], dims.at[i]))
				return false;
		return true;
	}
	case E_iota:
		return is_nat(h, e->iota.n);
	case E_replicate:
		return are_nats(h, e->replicate.dims);
	case E_screma:
		return is_nat(h, e->screma.n) && are_bodies_safe(h, e);
	case E_if_: case E_match:
		return are_bodies_safe(h, e);
	case E_loop:
		return !e->loop.is_while && are_bodies_safe(h, e);
	case E_call: case E_update: case E_scratch: case E_hist: case E_scatter: case E_flatmap:
	case E_withacc: case E_upd_acc: case E_jvp: case E_vjp: case E_with_vjp: case E_assert_:
	case E_trace: case E_opaque: case E_alloc: case E_release: case N_FORM:
		return false;
	}
	bug("no such form: %d", (int)e->form);
}

// ---- What depends on nothing inside ----

typedef struct { Hoist *h; bool inside; } Search;

static void look_at_operand(Visit *v, Sub *s)
{
	Search *w = v->ctx;
	if (s->kind != S_VAR)
		return;
	const Cell *c = cell(w->h, s->var);
	w->inside |= c->level == w->h->depth && c->local != w->h->search;
	v->stop = w->inside;
}

static void look_at_binder(Visit *v, Var *x)
{
	Search *w = v->ctx;
	cell(w->h, *x)->local = w->h->search;
}

static bool is_invariant(Hoist *h, Stm *s)
{
	h->search++;
	Search w = {h, false};
	Visit v = {.sub = look_at_operand, .bind = look_at_binder, .ctx = &w};
	stm_visit(s, &v);
	return !w.inside;
}

static bool is_consumed(Hoist *h, Vars pat)
{
	for EACH(Var, x, pat)
		if (!type_is_scalar(vars[x->id].type) &&
		    (vars[x->id].type.kind == T_ACC || alias_ever(&h->alias, *x)))
			return true;
	return false;
}

// ---- Bodies ----

static void bind_at(Hoist *h, Var x)
{
	Type t = vars[x.id].type;
	cell(h, x)->level = h->depth;
	if (t.kind != T_DATA)
		return;
	for EACH(Sub, d, t.dims)
		if (d->kind == S_VAR && !cell(h, d->var)->is_size) {
			cell(h, d->var)->is_size = true;
			VEC_PUSH(&h->sizes, d->var);
		}
}

static void forget_sizes(Hoist *h, int mark)
{
	while (h->sizes.len > mark)
		cell(h, h->sizes.at[--h->sizes.len])->is_size = false;
}

static void bind_stm(Hoist *h, const Stm *s)
{
	for EACH(Var, x, s->pat)
		bind_at(h, *x);
	const Exp *e = s->exp;
	if (is_count(e)) {
		cell(h, s->pat.at[0])->is_iota = true;
		cell(h, s->pat.at[0])->n = e->iota.n;
	}
}

static void hoist_stms(Hoist *, Body *);

// A body that is run at most once for each run of what holds it.
static void in_place(Visit *v, Body *b)
{
	Hoist *h = v->ctx;
	int mark = h->sizes.len;
	hoist_stms(h, b);
	forget_sizes(h, mark);
}

// The number of times that a body is run, if that is a count; `device`: by threads of a device.
typedef struct { bool known; Sub n; bool device; } Runs;

// ... that does not run: n <= 0
static Sub never_runs(StmVec *out, Runs runs)
{
	if (runs.n.kind == S_CONST)
		return sub_bool(is_signed(runs.n.val.type) ? runs.n.val.i <= 0 : runs.n.val.u == 0);
	PrimType t = sub_type(runs.n).elem;
	Var never = var_new(name_of("never"), type_scalar(PT_BOOL));
	VEC_PUSH(out, (Stm){.pat = vars_of(1, never), .exp = EXP(prim, P_le, t,
	                                                         {runs.n,
	                                                          sub_const(scalar_int(t, 0))})});
	return sub_var(never);
}

static bool is_hoistable(Hoist *h, Stm *s)
{
	return is_invariant(h, s) && is_safe(h, s->exp) && !is_consumed(h, s->pat);
}

static Stm about_the_whole(const Stm *s, StmVec *out, Runs runs)
{
	Stm t = *s;
	t.exp = exp_dup(s->exp);
	Var ok = var_new(name_of("ok"), type_scalar(PT_BOOL));
	Exp *either = EXP(prim, P_or, PT_BOOL, {never_runs(out, runs), s->exp->assert_.cond});
	VEC_PUSH(out, (Stm){.pat = vars_of(1, ok), .where = s->where, .exp = either});
	t.exp->assert_.cond = sub_var(ok);
	return t;
}

static bool is_division(const Exp *e)
{
	return e->form == E_prim && prim_can_fail(e->prim.op, e->prim.at) &&
	       e->prim.op != P_pow && e->prim.x[1].kind == S_VAR;
}

// Something that stays runs so often: it is not zero there.
static bool is_positive(const Hoist *h, Sub n)
{
	for EACH(Sub, runs, h->runs)
		if (sub_eq(*runs, n))
			return true;
	return false;
}

// Sizes of arrays are divisions, of which nests must know that they are the same in all rows.
static Stm by_what_is_not_zero(const Stm *s, StmVec *out)
{
	Stm t = *s;
	PrimType at = s->exp->prim.at;
	Sub y = s->exp->prim.x[1];
	Var zero = var_new(name_of("zero"), type_scalar(PT_BOOL));
	Var divisor = var_new(name_of("divisor"), type_scalar(at));
	VEC_PUSH(out, (Stm){.pat = vars_of(1, zero), .where = s->where,
	                    .exp = EXP(prim, P_eq, at, {y, sub_const(scalar_int(at, 0))})});
	VEC_PUSH(out, (Stm){.pat = vars_of(1, divisor), .where = s->where,
	                    .exp = EXP(if_, sub_var(zero),
	                               {.res = subs_of(1, sub_const(scalar_int(at, 1)))},
	                               {.res = subs_of(1, y)})});
	t.exp = exp_dup(s->exp);
	t.exp->prim.x[1] = sub_var(divisor);
	return t;
}

// What may leave a loop of a device: nothing that reads or makes arrays, since around it is the
// host, or a block of threads that all do the same.
static bool may_leave_device(const Exp *e)
{
	switch (e->form) {
	case E_atom: case E_prim: case E_convert: case E_slice: case E_reshape: case E_rearrange:
	case E_assert_:
		return true;
	case E_if_:
		return !e->if_.yes.stms.len && !e->if_.no.stms.len;
	default: // takes memory or time
		return false;
	}
}

// A slice that no row chooses.
static bool is_fixed_slice(const Exp *e)
{
	if (e->form != E_slice)
		return false;
	for EACH(DimSlice, d, e->slice.at)
		if (d->fixed && d->start.kind != S_CONST)
			return false;
	return true;
}

static void hoist_repeated(Hoist *h, Body *b, Runs runs, StmVec *out)
{
	Stms kept = {NEW_ARRAY(Stm, b->stms.len), 0};
	bool traces = false;
	for EACH(Stm, s, b->stms) {
		bool is_assert = s->exp->form == E_assert_;
		traces |= h->traces && !is_assert && exp_has_effect(s->exp);
		bool divides = is_division(s->exp);
		bool moves = is_assert ? runs.known && !traces && is_invariant(h, s)
		             : divides ? is_invariant(h, s)
		                       : is_hoistable(h, s);
		if ((runs.device && !may_leave_device(s->exp)) ||
		    (h->slices && !is_fixed_slice(s->exp)))
			moves = false;
		if (!moves || !may_rewrite()) {
			kept.at[kept.len++] = *s;
			continue;
		}
		Stm moved = is_assert ? about_the_whole(s, out, runs)
		            : divides && !is_positive(h, s->exp->prim.x[1])
		                    ? by_what_is_not_zero(s, out)
		                      : *s;
		VEC_PUSH(out, moved);
		for EACH(Var, x, s->pat)
			cell(h, *x)->level = h->depth - 1;
	}
	b->stms = kept;
}

static void note_counter(Hoist *h, Var x, Sub n)
{
	cell(h, x)->is_counter = true;
	cell(h, x)->n = n;
}

static void note_counters(Hoist *h, const Lambda *l, Subs arrs)
{
	for (int i = 0; i < arrs.len; i++)
		if (arrs.at[i].kind == S_VAR && cell(h, arrs.at[i].var)->is_iota)
			note_counter(h, l->params.at[i], cell(h, arrs.at[i].var)->n);
}

// The parameters are bound at the new depth before.  Arrays of this body tell nothing of sizes
// when it does not run, so they are forgotten before anything leaves it.
static void repeated_body(Hoist *h, Body *b, Runs runs, StmVec *before)
{
	int mark = h->sizes.len;
	VEC_PUSH(&h->runs, runs.known ? runs.n : sub_i64(0));
	hoist_stms(h, b);
	h->runs.len--;
	forget_sizes(h, mark);
	hoist_repeated(h, b, runs, before);
}

typedef struct { Hoist *h; Runs runs; StmVec *before; const Lambda *counted; } Nested;

static void repeated_lambda(Visit *v, Lambda **l)
{
	Nested *n = v->ctx;
	Hoist *h = n->h;
	bool is_map = *l == n->counted;
	h->depth++;
	for EACH(Var, p, (*l)->params)
		cell(h, *p)->level = h->depth;
	*l = mem_dup(*l, sizeof **l);
	repeated_body(h, &(*l)->body, is_map ? n->runs : (Runs){0}, n->before);
	h->depth--;
}

static void nested_in_place(Visit *v, Body *b)
{
	Nested *n = v->ctx;
	Visit w = {.ctx = n->h};
	in_place(&w, b);
}

// A lambda that is run once: nothing is gained by leaving it.
static void single_lambda(Visit *v, Lambda **l)
{
	Nested *n = v->ctx;
	n->h->depth++;
	for EACH(Var, p, (*l)->params)
		cell(n->h, *p)->level = n->h->depth;
	*l = mem_dup(*l, sizeof **l);
	nested_in_place(v, &(*l)->body);
	n->h->depth--;
}

static void hoist_loop(Hoist *h, Exp *e, bool device, StmVec *before)
{
	h->depth++;
	for EACH(Var, p, e->loop.params)
		bind_at(h, *p);
	if (!e->loop.is_while) {
		cell(h, e->loop.i)->level = h->depth;
		if (vars[e->loop.i.id].type.elem == PT_I64)
			note_counter(h, e->loop.i, e->loop.n);
	}
	repeated_body(h, &e->loop.body, (Runs){!e->loop.is_while, e->loop.n, device},
	              before);
	h->depth--;
}

static void go_into(Hoist *h, Stm *s, StmVec *before)
{
	Exp *e = s->exp;
	Nested n = {.h = h, .before = before};
	Visit v = {.lambda = repeated_lambda, .body = nested_in_place, .copy = true, .ctx = &n};
	switch (e->form) {
	case E_loop:
		s->exp = e = exp_dup(e);
		hoist_loop(h, e, is_device_loop(s->attrs), before);
		return;
	case E_screma: case E_hist: case E_scatter: case E_flatmap:
		n.runs = (Runs){true, e->soac.n, false};
		n.counted = *soac_fn(e);
		note_counters(h, n.counted, e->soac.arrs);
		break;
	default: // branches, and functions that are run once
		v.lambda = single_lambda;
		break;
	}
	s->exp = exp_visit(e, &v);
}

// What leaves a statement goes before it, and may go on.
static void hoist_stms(Hoist *h, Body *b)
{
	StmVec all = {0};
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (form_has(s.exp->form, FORM_NEST)) {
			StmVec before = {0};
			go_into(h, &s, &before);
			for EACH(Stm, t, before) {
				bind_stm(h, t);
				VEC_PUSH(&all, *t);
			}
		} else if (s.exp->form == E_call) {
			Visit v = {.funs = &h->funs, .copy = true};
			s.exp = exp_visit(s.exp, &v);
		}
		bind_stm(h, &s);
		VEC_PUSH(&all, s);
	}
	b->stms = VEC_SLICE(Stms, all);
}

static Prog *hoist_all(Prog *prog, bool slices)
{
	Hoist h = {.alias = alias_of(prog), .traces = prog_has_traces(prog), .slices = slices};
	Prog *out = prog_copy(prog, &h.funs);
	Visit v = {.body = in_place, .ctx = &h};
	for EACH(Fun *, f, out->funs) {
		int mark = h.sizes.len;
		for EACH(Var, p, (*f)->params)
			bind_at(&h, *p);
		bool lean = (*f)->lean == (*f)->body.stms.at;
		fun_rewrite(*f, &v);
		if (lean)                       // what moves is used as before
			(*f)->lean = (*f)->body.stms.at;
		forget_sizes(&h, mark);
	}
	table_free(h.cells);
	return out;
}

Prog *hoist(Prog *prog)
{
	return hoist_all(prog, false);
}

Prog *hoist_slices(Prog *prog)
{
	return hoist_all(prog, true);
}
