// Rows with inner parallelism of varying size, or with loops of parallel steps: each row is
// processed by a thread block.
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
// inner sizes differ from row to row has no regular iteration space.  flatten_row.c translates the
// parts of a row.
//
// If a row has parts that a block cannot do, the nest falls back to one thread per row.  So it does
// if there are very many rows (#[threshold]), since rows are usually short then.
//
// If the length of a row is known before its work begins, there are two kernels: one with small
// blocks (#[warp]) for short rows, of which many run concurrently, and one for the others.
//
// The same is done for leaves of the distribution in which branches or loops hide reductions or
// updates of the rows, if there are few rows (emit_leaf_kernel, block_suits):
//
//     map over n rows i:  if i < j then 0 else a[i] - reduce over the elements of l[i, 0:j:1]
//
// Note [Steps].  Consider rows with a sequential loop whose iterations contain parallel work, such
// as the stages of a Fourier transform or of a sorting network.  Distribution gives a host loop
// that launches kernels for each step of all rows, and passes values between steps through device
// memory; one thread per row gives accesses that do not coalesce.  If the arrays of a row fit into
// shared memory, there is a third version: one kernel in which a thread block executes all steps of
// its row (row_steps).
#include "device/flatten_row.h"

enum {
	MOST_WORK = 1 << 26,            // elements of maps in maps in a step of all rows
	MOST_WORK_OF_ROW = 1 << 17,     // ... in all steps that a row's body has, taken once
	MOST_ADDED = 24 << 10,          // bytes of accumulators that maps in maps of a step add to
};

// ---- Which nests ----

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

// ---- Decisions ----

Sub suits_block(Flatten *f, const RowNeeds *needs, Sub enough)
{
	if (!needs->local)
		return enough;
	Vars pat = vars_of(2, var_new(name_of("fits"), type_scalar(PT_BOOL)),
		var_new(name_of("bytes"), type_scalar(PT_I64)));
	f->b.attrs = attr_of(ATTR_FITS);
	b_stm(&f->b, pat, EXP(opaque, subs_of(2, sub_bool(true),
		needs->bytes)));
	Sub fits = b_prim2(&f->b, P_and, sub_var(pat.at[0]), needs->wide);
	return b_prim2(&f->b, P_and, enough, fits);
}

// ---- What distribution leaves to threads ----

// Does it have reductions or maps of updates, and can a block do it all without arrays of its own?
bool block_suits(Flatten *f, const Body *b)
{
	RowNeeds needs = {0};
	Body copy = renamed_row(f, *b);
	int operators = f->operators.len;
	bool suits = has_wide(b, true) && block_of_row(f, &copy, &needs) && !needs.local;
	f->operators.len = operators;
	return suits;
}

Subs emit_leaf_kernel(Flatten *f, const Level *nest, Body b)
{
	if (nest->versions != V_BOTH || !has_wide(&b, true))
		return emit_kernel(f, nest, b);
	RowNeeds needs = {0};
	Body block = renamed_row(f, b);
	if (!block_of_row(f, &block, &needs) || (needs.local && nest->steps))
		return emit_kernel(f, nest, b);
	Types ts = result_types(nest, b.res);
	Sub many = emit_threshold(f, "rows", nest_size(f, nest), AT_thread_rows);
	Sub few = suits_block(f, &needs, b_prim1(&f->b, P_not, many));
	if (few.kind == S_CONST)
		return !few.val.u ? emit_kernel(f, nest, b)
		                  : emit_block_rows(f, nest, block, sub_i64(0));
	b_open(&f->b);
	Body yes = b_close(&f->b, emit_block_rows(f, nest, block, sub_i64(0)));
	b_open(&f->b);
	Body no = b_close(&f->b, emit_kernel(f, nest, b));
	return b_lets(&f->b, "r", ts, EXP(if_, few, yes, no));
}

// ---- Rows of steps ----

static bool has_steps(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if ((e->form == E_loop && has_wide(&e->loop.body, false)) ||
		    (e->form == E_if_ && (has_steps(&e->if_.yes) || has_steps(&e->if_.no))))
			return true;
	}
	return false;
}

static bool only_adds(const Exp *e)
{
	for EACH(Type, t, e->screma.map->ret)
		if (t->kind != T_ACC)
			return false;
	return !e->screma.reds.len && !e->screma.scans.len;
}

// Are there steps with parallel work in parallel work?  Kernels of one step of all rows have more
// threads then, and may share what they read, as products of matrices do: steps of a block have to
// be light (steps_are_light), and its threads share the outermost of such maps.  Maps that only add
// rows to accumulators, once for each row, are no such steps: threads share the elements of what is
// added, and add to neighbours.
static bool has_deep_steps(const Body *b, bool once)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if ((e->form == E_screma && !(once && only_adds(e)) &&
		     has_wide(&e->screma.map->body, false)) ||
		    (e->form == E_loop && has_deep_steps(&e->loop.body, false)) ||
		    (e->form == E_withacc && has_deep_steps(&e->withacc.fn->body, once)) ||
		    (e->form == E_if_ && (has_deep_steps(&e->if_.yes, once) ||
		                          has_deep_steps(&e->if_.no, once))))
			return true;
	}
	return false;
}

// Do all threads of all blocks add to one element?  They would wait for each other.
static bool adds_to_one(const Flatten *f, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool one = e->form == E_upd_acc && nest_input(f, e->upd_acc.acc);
		for (int i = 0; one && i < e->upd_acc.idx.len; i++)
			one = !in_nest(f, e->upd_acc.idx.at[i]);
		if (one || (e->form == E_screma && adds_to_one(f, &e->screma.map->body)) ||
		    (e->form == E_loop && adds_to_one(f, &e->loop.body)) ||
		    (e->form == E_if_ && (adds_to_one(f, &e->if_.yes) ||
		                          adds_to_one(f, &e->if_.no))))
			return true;
	}
	return false;
}

// Accumulators of all rows to which maps in maps of the steps of a row add.
typedef struct { const Flatten *f; int depth; bool step; VEC(Sub) accs; } Added;

static void look_at_added(Visit *v, Body *b)
{
	Added *a = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		Added before = *a;
		if (e->form == E_upd_acc && a->step && a->depth > 1 &&
		    nest_input(a->f, e->upd_acc.acc) &&
		    subs_find(VEC_SLICE(Subs, a->accs), e->upd_acc.acc) < 0)
			VEC_PUSH(&a->accs, e->upd_acc.acc);
		a->depth += e->form == E_screma;
		a->step |= e->form == E_loop;
		if (form_has(e->form, FORM_NEST))
			exp_walk(e, v);
		a->depth = before.depth;
		a->step = before.step;
	}
}

// There is room for copies of them in a block (gpu_acc_rows.c); with updates where they are, blocks
// would wait for each other in each step.
static Sub adds_little(Flatten *f, Body *row)
{
	Build *b = &f->b;
	Added a = {.f = f};
	Visit v = {.body = look_at_added, .ctx = &a};
	look_at_added(&v, row);
	Sub bytes = sub_i64(0);
	Map seen = {0};
	for EACH(Sub, x, a.accs) {
		const AccType *t = sub_type(*x).acc;
		if (map_has(&seen, var_key(t->token)))
			continue;
		map_put(&seen, var_key(t->token), f);
		for EACH(Type, elem, t->elems) {
			Sub n = b_product(b, subs_cat(t->space, elem->dims));
			bytes = b_add(b, bytes, b_mul(b, n, sub_i64(primtype_size(elem->elem))));
		}
	}
	return b_le(b, bytes, sub_i64(MOST_ADDED));
}

// The steps of all rows do so little that to launch kernels for each of them would take longer.
static Sub steps_are_light(Flatten *f, const RowNeeds *needs, Sub rows)
{
	Build *b = &f->b;
	Sub all = b_le(b, b_mul(b, rows, needs->work), sub_i64(MOST_WORK));
	return b_prim2(b, P_and, all, b_le(b, needs->work, sub_i64(MOST_WORK_OF_ROW)));
}

bool row_steps(Flatten *f, Level *nest, Body b, Body *yes, Sub *cond)
{
	bool deep = has_deep_steps(&b, true);
	RowNeeds needs = {.outer = deep};
	if (nest->versions != V_BOTH || !has_steps(&b) || adds_to_one(f, &b))
		return false;
	b = renamed_row(f, b);
	Body row = b;
	if (!block_of_row(f, &b, &needs) || !needs.local)
		return false;
	Sub rows = nest_size(f, nest);
	Sub enough = emit_threshold(f, "steps", rows, AT_step_rows);
	*cond = suits_block(f, &needs, enough);
	if (deep) {
		*cond = b_prim2(&f->b, P_and, *cond, steps_are_light(f, &needs, rows));
		*cond = b_prim2(&f->b, P_and, *cond, adds_little(f, &row));
	}
	if (cond->kind == S_CONST && !cond->val.u)
		return false;
	b_open(&f->b);
	*yes = b_close(&f->b, emit_whole_rows(f, nest, b, ATTR_ROW));
	nest->steps = true;
	return true;
}
