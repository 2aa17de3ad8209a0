// The pass `coalesce`: chooses array layouts such that neighbouring threads of a kernel access
// neighbouring memory.
//
//     #[kernel] let (ys: [n]f64) = loop (o: *[n]f64 = out) for i: i64 < n do {
//       .. loops over k and j: index xs [i, j] ..
//     }
// becomes
//     let (t: [m][n]f64) = rearrange (1, 0) xs
//     let (c: [m][n]f64) = copy t
//     let (v: [n][m]f64) = rearrange (1, 0) c
//     #[kernel] let (ys: [n]f64) = loop (o: *[n]f64 = out) for i: i64 < n do {
//       .. index v [i, j] ..
//     }
//
// v has the same elements as xs, stored in column-major order, so that the accesses of threads i
// and i + 1 are adjacent and coalesce.
//
// An array qualifies if every access in the kernel indexes one dimension, other than the
// innermost, by the innermost kernel counter (possibly plus something invariant across threads, or
// the remainder of that by such, beside which the quotient counts as invariant), and if each
// element is read more than once: in a loop of the thread, of the enclosing nest or of the steps of
// a block, whose counter does not occur in the index, or because a host loop launches the kernel
// repeatedly with the same rows.  In the latter case the copy is hoisted out of that loop.  An
// array that is read only once is not copied, since reading it takes as long as copying it would.
//
// Where an array is read along several dimensions (of all pairs, x with y and y with x), each read
// has the layout that suits it; there, elements of all of it that several blocks read are read
// more than once, too.  (Where all reads are alike, those are mostly of products, for which there
// are tiles.)
//
// The same is done where each thread reads at arbitrary positions, but several elements along
// another dimension at a time (jam.c): these become adjacent.
//
// Results whose rows threads build in place are column-major as well: coalesce_results.c.  So are
// arrays in shared memory: coalesce_local.c.
//
// Requires: the pass `seq`.  Ensures: equal results.
#include "device/coalesce.h"
#include "device/flatten.h"

// ---- What threads read ----

bool differs(const Thread *t, Sub x)
{
	return x.kind == S_VAR && map_has(&t->depends, var_key(x.var));
}

bool counts(const Thread *t, Sub x)
{
	return x.kind == S_VAR &&
	       (x.var.id == t->counter.id || map_has(&t->plus, var_key(x.var)));
}

// Threads that share two dimensions have a row and a column each: neighbours have neighbouring
// columns, of the same row but at the ends of rows.
static bool is_row_of(const Thread *t, const Exp *e)
{
	return e->form == E_prim && e->prim.op == P_quot && e->prim.x[1].kind == S_VAR &&
	       counts(t, e->prim.x[0]) && !differs(t, e->prim.x[1]);
}

static void note_sum(Thread *t, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_prim && e->prim.op == P_rem && e->prim.x[1].kind == S_VAR &&
	    counts(t, e->prim.x[0]) && !differs(t, e->prim.x[1]))
		map_put(&t->plus, var_key(s->pat.at[0]), t);
	if (e->form != E_prim || e->prim.op != P_add)
		return;
	for (int k = 0; k < 2; k++)
		if (counts(t, e->prim.x[k]) && !differs(t, e->prim.x[1 - k]))
			map_put(&t->plus, var_key(s->pat.at[0]), t);
}

static Reads *reads_of(Thread *t, Var arr)
{
	for EACH(Reads, r, t->reads)
		if (r->arr.id == arr.id)
			return r;
	VEC_PUSH(&t->reads, (Reads){.arr = arr, .inner = -1});
	return &t->reads.at[t->reads.len - 1];
}

// Of the variables that select elements in other accesses those that do so in this one too.
static void keep_rows(Reads *r, const Var *at, int n)
{
	if (!r->seen)
		for (int i = 0; i < n; i++)
			VEC_PUSH(&r->rows, at[i]);
	int kept = 0;
	for (int k = 0; r->seen && k < r->rows.len; k++)
		for (int i = 0; i < n; i++)
			if (r->rows.at[k].id == at[i].id) {
				r->rows.at[kept++] = at[i];
				break;
			}
	if (r->seen)
		r->rows.len = kept;
	r->seen = true;
}

static void note_rows(Thread *t, Reads *r, Subs idx)
{
	VEC(Var) rows = {0};
	for EACH(Sub, i, idx)
		if (i->kind == S_VAR && !map_has(&t->bound, var_key(i->var)))
			VEC_PUSH(&rows, i->var);
	keep_rows(r, rows.at, rows.len);
}

// Is none of the indices another one in another block of this dimension of the grid?
static bool is_elsewhere(const Map *block, Subs idx)
{
	for EACH(Sub, x, idx)
		if (is_one_of((Map *)block, *x))
			return false;
	return true;
}

static Dims dim_bit(int d)
{
	return d < 64 ? (Dims)1 << d : 0;
}

static void note_read(Thread *t, const Stm *s)
{
	const Exp *e = s->exp;
	Sub arr = e->index.arr;
	Subs idx = e->index.idx;
	if (arr.kind != S_VAR || map_has(&t->bound, var_key(arr.var)))
		return;
	Reads *r = reads_of(t, arr.var);
	note_rows(t, r, idx);
	int at = -1, jammed = -1;
	bool gathers = false, again = false, whole = true;
	for (int i = 0; i < idx.len; i++) {
		whole &= idx.at[i].kind == S_VAR && map_has(&t->bound, var_key(idx.at[i].var));
		if (counts(t, idx.at[i]) && at < 0)
			at = i;
		else if (differs(t, idx.at[i]))
			gathers = true;
		if (idx.at[i].kind == S_VAR && map_has(&t->jammed, var_key(idx.at[i].var)))
			jammed = i;
	}
	if (gathers && at < 0 && jammed >= 0) {
		at = jammed;    // a thread reads several beside each other
		again = true;
	} else {
		r->mixed |= gathers;
	}
	if (at < 0)
		return;         // all threads read the same element
	for (int k = 0; k < t->n_loops; k++)
		again |= subs_find(idx, sub_var(t->loops[k])) < 0;
	r->inner = at;
	r->again |= again;
	r->dims |= dim_bit(at);
	for EACH(Map *, block, t->in->blocks)
		again |= whole && is_elsewhere(*block, idx);
	r->dims_again |= again ? dim_bit(at) : 0;
	VEC_PUSH(&r->accesses, (Access){s->pat.at[0], at});
}

// Arrays that are used otherwise than by reading elements are left alone.
static void note_others(Thread *t, const Exp *e)
{
	if (e->form == E_slice && e->slice.arr.kind == S_VAR)
		reads_of(t, e->slice.arr.var)->mixed = true;
	else if (e->form == E_copy && e->copy.arr.kind == S_VAR)
		reads_of(t, e->copy.arr.var)->mixed = true;
	else if (e->form == E_call)
		for EACH(Sub, x, e->call.args)
			if (x->kind == S_VAR)
				reads_of(t, x->var)->mixed = true;
}

static void note_jammed(Visit *v, Body *b)
{
	Thread *t = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (has_attr(s->attrs, ATTR_JAMMED))
			map_put(&t->jammed, var_key(s->pat.at[0]), t);
		exp_visit(s->exp, v);
	}
}

static void look_at_thread(Visit *v, Body *b)
{
	Thread *t = v->ctx;
	for EACH(Stm, s, b->stms) {
		Exp *e = s->exp;
		bool loop = e->form == E_loop && !e->loop.is_while && t->n_loops < MOST_LOOPS &&
		            !has_attr(s->attrs, ATTR_ATOMIC);
		if (e->form == E_index)
			note_read(t, s);
		else
			note_others(t, e);
		bool different = stm_mentions(s, &t->depends);
		if (e->form == E_loop && different) // what it carries may depend on the thread
			vars_put(&t->depends, e->loop.params, t);
		if (loop)
			t->loops[t->n_loops++] = e->loop.i;
		if (form_has(e->form, FORM_NEST))
			exp_walk(e, v);
		t->n_loops -= loop;
		note_sum(t, s);
		if (different && !is_row_of(t, e))
			vars_put(&t->depends, s->pat, t);
	}
}

// ---- Kernels ----

// The loops whose counter tells neighbouring threads apart: the innermost #[kernel] loop of a nest,
// the #[threads] loops of a block.
static void find_innermost(Visit *v, Body *b)
{
	Innermost *in = v->ctx;
	for EACH(Stm, s, b->stms) {
		Form f = s->exp->form;
		if (f == E_loop && has_attr(s->attrs, ATTR_THREADS))
			VEC_PUSH(&in->loops, s);
		else if (f == E_loop && has_attr(s->attrs, ATTR_KERNEL)) {
			const Body *body = &s->exp->loop.body;
			const Stm *last =
				body->stms.len ? &body->stms.at[body->stms.len - 1] : NULL;
			if (last && is_kernel(last)) {
				VEC_PUSH(&in->outer, s->exp->loop.i);
				exp_visit(s->exp, v);
			} else {
				VEC_PUSH(&in->loops, s);
			}
		} else if (form_has(f, FORM_NEST)) {
			exp_visit(s->exp, v);
		}
	}
}

// What reads of several loops of a kernel have in common.
static void join(Thread *all, const Thread *t)
{
	for EACH(Reads, r, t->reads) {
		Reads *a = reads_of(all, r->arr);
		a->mixed |= r->mixed;
		a->inner = r->inner >= 0 ? r->inner : a->inner;
		a->again |= r->again;
		a->dims |= r->dims;
		a->dims_again |= r->dims_again;
		VEC_APPEND(&a->accesses, r->accesses);
		keep_rows(a, r->rows.at, r->rows.len);
	}
}

static void note_dependents(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (stm_mentions(s, v->ctx)) {
			vars_put(v->ctx, s->pat, v->ctx);
			if (s->exp->form == E_loop)
				vars_put(v->ctx, s->exp->loop.params, v->ctx);
		}
		exp_visit(s->exp, v);
	}
}

// The quotient or remainder of x by something from outside: the number of a row, or of a column.
static const Stm *part_of(const Body *b, Var x, Prim op)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_prim && s->exp->prim.op == op &&
		    sub_eq(s->exp->prim.x[0], sub_var(x)) && !stm_in(b, s->exp->prim.x[1]))
			return s;
	return NULL;
}

// The dimensions of a grid of blocks: a counter, or what it is divided into.
static void note_blocks(Innermost *in, const Body *b, Var counter)
{
	const Stm *rem = part_of(b, counter, P_rem), *quot = part_of(b, counter, P_quot);
	if (rem && quot && sub_eq(rem->exp->prim.x[1], quot->exp->prim.x[1])) {
		note_blocks(in, b, rem->pat.at[0]);
		note_blocks(in, b, quot->pat.at[0]);
		return;
	}
	Map *of = NEW(Map);
	Visit v = {.body = note_dependents, .ctx = of};
	map_put(of, var_key(counter), of);
	note_dependents(&v, (Body *)b); // a walk: writes nothing
	VEC_PUSH(&in->blocks, of);
}

Innermost innermost_of(const Stm *kernel)
{
	Innermost in = {0};
	Stm *one = mem_dup(kernel, sizeof *kernel);
	Body alone = {.stms = {one, 1}};
	Visit v = {.body = find_innermost, .ctx = &in};
	find_innermost(&v, &alone);
	if (has_attr(kernel->attrs, ATTR_BLOCKS))
		note_blocks(&in, &kernel->exp->loop.body, kernel->exp->loop.i);
	return in;
}

// The steps of a block around one of these loops, which read again what does not depend on them.
static bool note_steps(Thread *t, const Body *b, const Stm *loop)
{
	for EACH(const Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool step = e->form == E_loop && !is_device_loop(s->attrs);
		int n = t->n_loops;
		if (s == loop)
			return true;
		if (step && !e->loop.is_while && n < MOST_LOOPS)
			t->loops[t->n_loops++] = e->loop.i;
		if ((step && note_steps(t, &e->loop.body, loop)) ||
		    (e->form == E_if_ && (note_steps(t, &e->if_.yes, loop) ||
		                          note_steps(t, &e->if_.no, loop))))
			return true;
		t->n_loops = n;
	}
	return false;
}

// What the threads of one of these loops do.
Thread thread_of(const Stm *kernel, const Innermost *in, const Stm *loop)
{
	const Exp *e = loop->exp;
	Thread t = {.counter = e->loop.i, .in = in};
	map_put(&t.depends, var_key(e->loop.i), &t);
	for EACH(Var, x, in->outer)
		if (t.n_loops < MOST_LOOPS)
			t.loops[t.n_loops++] = *x;
	if (has_attr(kernel->attrs, ATTR_BLOCKS))
		note_steps(&t, &kernel->exp->loop.body, loop);
	Visit binders = {.bind = note_binder, .ctx = &t.bound};
	exp_walk(kernel->exp, &binders);
	Visit jammed = {.body = note_jammed, .ctx = &t};
	exp_visit(kernel->exp, &jammed); // likewise
	Visit reads = {.body = look_at_thread, .ctx = &t};
	look_at_thread(&reads, (Body *)&e->loop.body);
	return t;
}

static Thread reads_of_kernel(const Stm *s)
{
	Thread all = {0};
	Innermost in = innermost_of(s);
	for EACH(const Stm *, loop, in.loops) {
		Thread t = thread_of(s, &in, *loop);
		join(&all, &t);
	}
	return all;
}

// ---- Copies ----

// The elements of a row along the dimensions after `inner` are too few to matter.
bool is_narrow(Type t, int inner)
{
	int64_t n = 1;
	for (int d = inner + 1; d < t.dims.len; d++) {
		if (t.dims.at[d].kind != S_CONST)
			return false;
		n *= t.dims.at[d].val.i;
	}
	return n <= threshold(AT_chosen_elements);
}

// Is one of the variables that select what is read bound in that body?
static bool binds_row(const Coalesce *c, const Scope *s, const Reads *r)
{
	for EACH(const Var, x, r->rows)
		if (map_get(&c->depths, var_key(*x)) == s)
			return true;
	return false;
}

// The body that has the copy: around all loops that do not bind the array, else that of the kernel.
// The copy is then made even if no iteration takes the branch the kernel is in.  repeated: do
// iterations of one of these loops read the same elements?
static Scope *place_for(const Coalesce *c, const Reads *r, bool *repeated)
{
	const Scope *bound = map_get(&c->depths, var_key(r->arr));
	Scope *best = c->scope;
	bool rows = false;                      // an iteration of the next loop has rows of its own
	*repeated = false;
	for (Scope *at = c->scope; at != bound && at->up; at = at->up) {
		rows |= binds_row(c, at, r);
		if (!at->loop)
			continue;
		best = at->up;
		*repeated |= !rows;
		rows = false;
	}
	return best;
}

static const Copy *find_copy(const Coalesce *c, Var arr, int inner)
{
	for (const Scope *s = c->scope; s; s = s->up)
		for EACH(Copy, k, s->copies)
			if (k->arr.id == arr.id && k->inner == inner)
				return k;
	return NULL;
}

Sub emit_stm(StmVec *out, const char *hint, Type t, Exp *e, const Where *where)
{
	Var v = var_new(name_of(hint), t);
	VEC_PUSH(out, (Stm){.pat = vars_of(1, v), .exp = e, .where = where});
	return sub_var(v);
}

Sub emit_rearrange(StmVec *out, Sub arr, const int *perm, const Where *where)
{
	Type t = sub_type(arr);
	int n = t.dims.len;
	Exp *e = NEW(Exp, .form = E_rearrange);
	e->rearrange.perm.at = mem_dup(perm, (size_t)n * sizeof *perm);
	e->rearrange.perm.len = n;
	e->rearrange.arr = arr;
	Type to = type_plain(t);
	to.dims = SLICE_DUP(Subs, t.dims);
	for (int d = 0; d < n; d++)
		to.dims.at[d] = t.dims.at[perm[d]];
	return emit_stm(out, "view", to, e, where);
}

// Dimension `inner` becomes the last one in memory.
static Var copy_for(Scope *at, Var arr, int inner, const Where *where)
{
	int n = vars[arr.id].type.dims.len;
	int *perm = NEW_ARRAY(int, n), *back = NEW_ARRAY(int, n), k = 0;
	for (int d = 0; d < n; d++)
		if (d != inner)
			perm[k++] = d;
	perm[k] = inner;
	for (int d = 0; d < n; d++)
		back[perm[d]] = d;
	Sub turned = emit_rearrange(&at->out, sub_var(arr), perm, where);
	Sub copy = emit_stm(&at->out, "turned", sub_type(turned), EXP(copy, turned), where);
	Var view = emit_rearrange(&at->out, copy, back, where).var;
	VEC_PUSH(&at->copies, (Copy){arr, view, inner});
	return view;
}

// Another layout for the dimension, if that is worth while: its view.
static const Var *layout_for(Coalesce *c, const Stm *s, const Reads *r, int inner)
{
	bool one = r->dims == dim_bit(inner);
	bool again = one ? r->again : r->dims_again & dim_bit(inner);
	Type t = vars[r->arr.id].type;
	bool repeated;
	if (inner == t.dims.len - 1 || is_narrow(t, inner))
		return NULL;
	const Copy *old = find_copy(c, r->arr, inner);
	if (old)
		return &old->view;
	Scope *at = place_for(c, r, &repeated);
	// which maybe no iteration takes
	bool in_branch = at != c->scope && !c->scope->loop;
	if (!((one && repeated) || (again && !in_branch)) || !may_rewrite())
		return NULL;
	Var view = copy_for(at, r->arr, inner, s->where);
	return mem_dup(&view, sizeof view);
}

static void redirect_reads(Visit *v, Body *b)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		const Var *view = s->exp->form == E_index
		                ? map_get(v->ctx, var_key(s->pat.at[0])) : NULL;
		s->exp = exp_visit(s->exp, v);
		if (view)
			s->exp->index.arr = sub_var(*view);
	}
}

// Arrays that are read along one dimension are replaced, of others some reads.
static void choose_layouts(Coalesce *c, Stm *s)
{
	Thread all = reads_of_kernel(s);
	Map to = {0}, reads = {0};
	for EACH(Reads, r, all.reads) {
		if (r->mixed || r->inner < 0)
			continue;
		if (r->dims == dim_bit(r->inner)) {
			const Var *view = layout_for(c, s, r, r->inner);
			if (!view)
				continue;
			Sub x = sub_var(*view);
			map_put(&to, var_key(r->arr), mem_dup(&x, sizeof x));
			continue;
		}
		for (int d = 0; d < vars[r->arr.id].type.dims.len; d++) {
			const Var *view = r->dims & dim_bit(d) ? layout_for(c, s, r, d) : NULL;
			for EACH(Access, a, r->accesses)
				if (view && a->dim == d)
					map_put(&reads, var_key(a->x), (void *)view);
		}
	}
	if (!to.len && !reads.len)
		return;
	s->exp = exp_dup(s->exp);
	if (reads.len) {
		Visit v = {.body = redirect_reads, .copy = true, .ctx = &reads};
		redirect_reads(&v, &s->exp->loop.body);
	}
	if (to.len)
		s->exp->loop.body = body_subst(s->exp->loop.body, &to);
}

// ---- Bodies ----

static void note_host_binder(Visit *v, Var *x)
{
	Coalesce *c = v->ctx;
	map_put(&c->depths, var_key(*x), c->scope);
}

static void bind_here(Coalesce *c, Vars vs)
{
	Visit v = {.ctx = c};
	for EACH(Var, x, vs)
		note_host_binder(&v, x);
}

static void coalesce_body(Visit *v, Body *b);

static Body inner_body(Coalesce *c, Visit *v, const Stm *loop, Vars params, Body b)
{
	Scope s = {.up = c->scope, .loop = loop};
	c->scope = &s;
	bind_here(c, params);
	coalesce_body(v, &b);
	c->scope = s.up;
	return b;
}

static void coalesce_nested(Coalesce *c, Visit *v, Stm *s)
{
	Exp *e = s->exp = choice_copy(s->exp);
	Vars none = {0};
	switch (e->form) {
	case E_if_: case E_match:
		for (int i = 0; i < n_branches(e); i++)
			*branch_at(e, i) = inner_body(c, v, NULL, none, *branch_at(e, i));
		return;
	case E_loop:
		e->loop.body = inner_body(c, v, s,
		                          e->loop.is_while
		                                  ? e->loop.params
		                                  : vars_cat(e->loop.params, vars_of(1, e->loop.i)),
		                          e->loop.body);
		return;
	default:
		bug("a combinator is left");
	}
}

static void coalesce_body(Visit *v, Body *b)
{
	Coalesce *c = v->ctx;
	Scope *here = c->scope;
	Visit callees = {.funs = v->funs, .copy = true};
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		Stms copies = {0};
		if (is_kernel(&s)) {
			choose_layouts(c, &s);
			copies = turn_results(c->scope, &s);
			if (has_attr(s.attrs, ATTR_BLOCKS))
				turn_local(&s);
			s = own_starts(s);
			s.exp = exp_visit(s.exp, &callees);
		} else if (form_has(s.exp->form, FORM_NEST)) {
			coalesce_nested(c, v, &s);
		} else if (s.exp->form == E_call) {
			s.exp = exp_visit(s.exp, &callees);
		}
		bind_here(c, old->pat);
		VEC_PUSH(&here->out, s);
		VEC_APPEND(&here->out, copies);
	}
	b->stms = VEC_SLICE(Stms, here->out);
}

Prog *coalesce(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs) {
		Coalesce c = {0};
		Visit v = {.funs = &funs, .copy = true, .ctx = &c};
		(*f)->body = inner_body(&c, &v, NULL, (*f)->params, (*f)->body);
	}
	return out;
}
