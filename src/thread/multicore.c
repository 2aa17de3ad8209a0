// The pass `multicore`: turns outermost SOACs into parallel regions, whose chunks are executed by
// threads.
//
//     let (ys: [n]f64, r: f64) = screma n (xs) map=f reduce=(d) h
// becomes
//     #[chunks] let (k: i64, ...) = opaque (3, n, work, 0)
//     let (q: i64) = ... the rows of a chunk, n / k rounded up
//     #[region] let (parts: [128]f64, ys: [n]f64) =
//         loop (p: *[128]f64 = scratch, o: *[n]f64 = scratch) for c: i64 < k do {
//       let (lo: i64) = ... c * q;  let (len: i64) = ... q, less at the end
//       let (y: [len]f64, s: f64) = screma len (xs[lo:len:1]) map=f reduce=(d) h
//       in (p with [c] = s), (o with [lo:len:1] = y)
//     }
//     let (r: f64) = loop (a: f64 = parts[0]) for c: i64 < k - 1 do {h a parts[c + 1]}
//
// The iterations of a #[region] loop are independent; code generation distributes them over
// threads.  Their number is chosen at run time from the number of rows and the work (cost.c);
// #[chunks] describes the operands.  Any number from 1 on is correct, and the interpreter uses the
// 3 given there.  Code inside a region is sequential.
//
// Note [Scans].  With more than one chunk, a first region reduces all chunks but the last, a loop
// over chunks computes the prefixes, and a second region scans each chunk starting from its
// prefix.  The map function is evaluated twice for most rows; one that contains loops gets a
// region of its own beforehand.  Consumers that read the scan row by row become part of the second
// region (multicore_scan.c); a filter needs only one pass (multicore_filter.c).  An irregular map
// needs the sizes of all rows first (multicore_flatmap.c).
//
// Note [Private copies].  Each chunk gets a private accumulator over fresh arrays of neutral
// elements, which are combined with the actual one at the end (multicore_acc.c).  Reductions and
// scans of arrays need memory per chunk too.  There is therefore a choice at run time: with a
// single chunk, the original SOAC runs. hist and scatter are first expressed by accumulators;
// those without an operator are shared by all chunks, since the order of writes to the same
// element is unspecified.
//
// Note [Sums].  If private copies would be too expensive because the arrays are large, all chunks
// update the actual arrays, and the updates are #[atomic].  Threads buffer their updates, and
// after the region each thread applies the buffered updates of all threads to its part of the
// elements (rts/c/shared.h).
//
// Note [Neighbours].  Rows that only add to elements near their own index, possibly modulo the
// number of rows, need neither: each chunk leaves out its first and last rows, which are processed
// after the region.
//
// Note [Nests].  A map with inner SOACs has two versions: one with chunks of its rows, and one
// that processes the rows sequentially, with regions for the inner SOACs.  The latter runs if
// there are too few rows for the threads and each row has enough work (#[narrow]).
//
// Note [Alone].  Functions have a second version without regions, to be called by SOACs.  Entry
// points choose it at run time if no region would have enough work, or if there is only one
// thread.  If the work cannot be estimated from the arguments, it is assumed to be enough.
//
// Requires: no jvp or vjp.  Ensures: every SOAC that is not inside another one is in a region, if
// it is worth it.
#include "thread/multicore.h"

#include "opt/opt.h"

// ---- Which SOACs ----

static bool values_are_scalars(Reductions rs)
{
	for EACH(Reduction, r, rs)
		for EACH(Sub, ne, r->ne)
			if (type_is_array(sub_type(*ne)))
				return false;
	return true;
}

static bool has_kind(const Multicore *m, Types ts, bool private)
{
	for EACH(Type, t, ts)
		if (t->kind == T_ACC && (!private || is_private(m, *t)))
			return true;
	return false;
}

bool suits(const Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	for EACH(Type, t, e->screma.map->ret)
		if (t->kind == T_ACC && !input_of(m, *t))
			return false;
	if (e->screma.scans.len && has_kind(m, e->screma.map->ret, false))
		return false;
	return !has_attr(s->attrs, ATTR_SEQUENTIAL) && !has_attr(s->attrs, ATTR_SEQUENTIAL_OUTER) &&
	       !exp_has_traces(e) && !(e->screma.n.kind == S_CONST && e->screma.n.val.i < 2);
}

bool is_simple(const Multicore *m, const Exp *e)
{
	return !has_kind(m, e->screma.map->ret, true) && values_are_scalars(e->screma.reds) &&
	       values_are_scalars(e->screma.scans);
}

bool is_among(Subs xs, Var v)
{
	for EACH(Sub, x, xs)
		if (x->kind == S_VAR && x->var.id == v.id)
			return true;
	return false;
}

// ---- Versions ----

// What is written into another array is computed there, which a choice of versions would prevent.
static void note_written(Multicore *m, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_update && s->exp->update.val.kind == S_VAR)
			map_put(&m->written, var_key(s->exp->update.val.var), m);
}

// A scan of what is costly to compute: that is done by a region of its own.
static bool is_costly_scan(const Stm *s)
{
	return s->exp->form == E_screma && s->exp->screma.scans.len &&
	       has_loops(&s->exp->screma.map->body);
}

static void split_scan(Multicore *m, const Stm *s)
{
	Stm map = *s, scan = *s;
	Exp *e = map.exp = exp_dup(s->exp);
	int k = n_reduced(e->screma.scans), n_red = n_reduced(e->screma.reds), n = s->pat.len;
	Types ret = e->screma.map->ret;
	Lambda *f = e->screma.map = mem_dup(e->screma.map, sizeof *f);
	// The results in another order: reductions, then inputs of the scans, then the others.
	f->ret = SLICE_DUP(Types, ret);
	f->body.res = SLICE_DUP(Subs, f->body.res);
	map.pat = SLICE_DUP(Vars, s->pat);
	Subs inputs = {NEW_ARRAY(Sub, k), k};
	for (int i = 0; i < k + n_red; i++) {
		int from = i < n_red ? k + i : i - n_red;
		f->ret.at[i] = ret.at[from];
		f->body.res.at[i] = s->exp->screma.map->body.res.at[from];
		map.pat.at[i] = s->pat.at[from];
	}
	for (int i = 0; i < k; i++) {
		Var v = var_new(vars[s->pat.at[i].id].hint, vars[s->pat.at[i].id].type);
		inputs.at[i] = sub_var(map.pat.at[n_red + i] = v);
	}
	scan.exp = EXP(screma, .n = e->screma.n, .arrs = inputs,
	               .map = lambda_identity((Types){ret.at, k}), .scans = e->screma.scans);
	scan.pat = (Vars){s->pat.at, k < n ? k : n};
	e->screma.scans = (Reductions){0};
	multicore_stm(m, &map);
	multicore_stm(m, &scan);
}

// ---- With a choice at run time ----

static Sub extra_work(const Job *j)
{
	Build *b = &j->m->b;
	Sub extra = sub_i64(0);
	for EACH(Type, t, j->e->screma.map->ret)
		if (is_private(j->m, *t))
			for EACH(Type, el, t->acc->elems)
				extra = b_add(b, extra, b_product(b,
					subs_cat(input_of(j->m, *t)->space, el->dims)));
	Reductions folds[] = {j->e->screma.reds, j->e->screma.scans};
	for (int i = 0; i < 2; i++)
		for EACH(Reduction, r, folds[i])
			for EACH(Sub, ne, r->ne)
				if (type_is_array(sub_type(*ne)))
					extra = b_add(b, extra, b_product(b, sub_type(*ne).dims));
	return extra;
}

// The screma as it was.
static Body unchanged(Job *j, const Stm *s)
{
	Build *b = &j->m->b;
	Exp *e = exp_dup(s->exp);
	e->screma.map = lambda_rename(e->screma.map);
	e->screma.reds = reductions_rename(e->screma.reds);
	e->screma.scans = reductions_rename(e->screma.scans);
	Types ts = {NEW_ARRAY(Type, s->pat.len), s->pat.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = vars[s->pat.at[i].id].type;
	b_open(b);
	return b_close(b, b_lets(b, "made", ts, e));
}

// The region with private copies, or with sums that all chunks add to (Note [Sums]).
static Subs chunks_of(Job j, Sub n_chunks, const Exp *e)
{
	j.n_chunks = n_chunks;
	j.e = e;
	j.size = chunk_size(j.m, e->screma.n, n_chunks, j.flat);
	return emit_region(&j);
}

// Rows that add to places near by: those of a chunk but for its ends add to what no other chunk
// adds to; those at the ends come after.
static Body chunks_apart(Job j, Sub n_chunks)
{
	Multicore *m = j.m;
	j.n_chunks = n_chunks;
	j.which = INNER_ROWS;
	b_open(&m->b);
	m->sharing = true;
	const Exp *e = j.e;
	j.e = j.near.wraps ? without_wraps(&j) : e;
	Subs made = emit_region(&j);
	if (j.near.reach) {
		Exp *rest = exp_dup(e);
		rest->screma.arrs = SLICE_DUP(Subs, rest->screma.arrs);
		for EACH(Sub, x, made)
			if (sub_type(*x).kind == T_ACC)
				rest->screma.arrs.at[find_acc(rest, sub_type(*x))] = *x;
		j.e = rest;
		j.outs = made;
		j.which = ROWS_BETWEEN;
		made = emit_region(&j);
	}
	m->sharing = false;
	return b_close(&m->b, made);
}

static void emit_apart(Job *j, const Stm *s, Sub work)
{
	Build *b = &j->m->b;
	Sub n = j->e->screma.n, k = emit_chunks(j->m, n, work, sub_i64(0));
	Sub room = b_prim2(b, P_quot, n, sub_i64(8 * (j->near.reach + 1)));
	k = b_prim2(b, P_max, b_prim2(b, P_min, k, room), sub_i64(1));
	Sub one = b_eq(b, k, sub_i64(1));
	Body yes = unchanged(j, s), no = chunks_apart(*j, k);
	b_stm(b, s->pat, EXP(if_, one, yes, no));
}

static void emit_choice(Job *j, const Stm *s, Sub work, Sub extra)
{
	Multicore *m = j->m;
	Build *b = &m->b;
	if (adds_near(j, &j->near)) {
		emit_apart(j, s, work);
		return;
	}
	if (j->n_scan || !may_share_sums(j)) {
		j->n_chunks = emit_chunks(m, j->e->screma.n, work, extra);
		// Of two chunks that scan, one would wait for the other.
		Sub one = b_lt(b, j->n_chunks, sub_i64(j->n_scan ? 3 : 2));
		Body yes = unchanged(j, s);
		b_open(b);
		Subs made = chunks_of(*j, j->n_chunks, j->e);
		Body no = b_close(b, made);
		b_stm(b, s->pat, EXP(if_, one, yes, no));
		return;
	}
	Sub k = emit_sum_chunks(m, j->e->screma.n, work, extra, work_of_sharing(b, j->e));
	Sub own = b_prim2(b, P_max, k, sub_i64(1));
	Sub together = b_lt(b, k, sub_i64(2));
	Types ts = {NEW_ARRAY(Type, s->pat.len), s->pat.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = vars[s->pat.at[i].id].type;
	b_open(b);
	Sub alone = b_eq(b, k, sub_i64(1));
	Body yes = unchanged(j, s);
	m->sharing = true;
	b_open(b);
	Subs made = chunks_of(*j, b_sub(b, sub_i64(0), k), with_shared_sums(j->e));
	Body no = b_close(b, made);
	m->sharing = false;
	Subs res = b_lets(b, "made", ts, EXP(if_, alone, yes, no));
	Body all = b_close(b, res);
	b_open(b);
	made = chunks_of(*j, own, j->e);
	Body private = b_close(b, made);
	b_stm(b, s->pat, EXP(if_, together, all, private));
}

static void emit_plain(Job *j, const Stm *s)
{
	Build *b = &j->m->b;
	j->size = chunk_size(j->m, j->e->screma.n, j->n_chunks, j->flat);
	Subs res = emit_region(j);
	for (int i = 0; i < s->pat.len; i++)
		b_name(b, s->pat.at[i], res.at[i]);
}

static void multicore_stms(Multicore *m, const Body *b)
{
	BodyNeeds needs = {0};
	note_written(m, b);
	for (int i = 0; i < b->stms.len; i++) {
		Group g;
		int user;
		if (!find_group(m, b, &needs, i, &g, &user)) {
			multicore_stm(m, &b->stms.at[i]);
			continue;
		}
		emit_group(&g, b->stms, i, user);
		i = user;
	}
}

// ---- Few rows ----

// A map with SOACs inside, in which there may be regions.
static bool is_nest(const Multicore *m, const Job *j)
{
	return body_find(&j->e->screma.map->body, stm_is_soac) && !m->in_nest && !j->n_scan &&
	       !j->n_red && j->e->screma.map->ret.len && !has_kind(m, j->e->screma.map->ret, false);
}

static bool is_uneven(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_if_ || e->form == E_match || e->form == E_call ||
	       (e->form == E_loop && e->loop.is_while);
}

// How many rows are best done together, if that matters and each is as much work as another, so
// that chunks need not be small for balance: some with loops inside of loops (tiles of products of
// matrices); many columns, since of each row of the memory a chunk has only a strip.
static int rows_together(const Multicore *m, const Exp *screma)
{
	enum { ROWS = 16, COLUMNS = 2048 };
	const Body *b = &screma->screma.map->body;
	bool nested = false, columns = false;
	for EACH(Stm, s, b->stms)
		nested |= s->exp->form == E_screma && has_loops(&s->exp->screma.map->body);
	for EACH(Sub, a, screma->screma.arrs)
		columns |= a->kind == S_VAR && map_has(&m->columns, var_key(a->var));
	return body_find(b, is_uneven) ? 0 : nested ? ROWS : columns && has_loops(b) ? COLUMNS : 0;
}

// Are there too few rows for the threads, and enough to do for each?  Decided at run time.
static Sub emit_narrow(Multicore *m, Sub n, Sub work)
{
	Vars pat = vars_of(3, var_new(name_of("narrow"), type_scalar(PT_BOOL)), var_i64("rows"),
	                   var_i64("work"));
	m->b.attrs = attr_of(ATTR_NARROW);
	b_stm(&m->b, pat, EXP(opaque, subs_of(3, sub_bool(false), n, work)));
	return sub_var(pat.at[0]);
}

// One row after the other, each with regions of its own.
static Subs row_by_row(Job *j)
{
	Multicore *m = j->m;
	Build *b = &m->b;
	const Exp *e = j->e;
	const Lambda *f = borrowing(e->screma.map);
	Region r = region_new(e->screma.n);
	for EACH(Sub, out, j->outs)
		region_carry(&r, "out", *out);
	b_open(b);
	for (int i = 0; i < f->params.len; i++)
		b_name(b, f->params.at[i], emit_row(m, e->screma.arrs.at[i], sub_var(r.c)));
	m->in_nest = true;
	multicore_stms(m, &f->body);
	m->in_nest = false;
	for (int i = 0; i < f->body.res.len; i++)
		put_carried_row(m, &r, i, sub_var(r.c), f->body.res.at[i]);
	return region_close_sequential(m, &r);
}

static void emit_nest(Job *j, const Stm *s, Sub work)
{
	Multicore *m = j->m;
	Build *b = &m->b;
	Types ret = j->e->screma.map->ret;
	Sub narrow = emit_narrow(m, j->e->screma.n, work);
	j->outs = (Subs){NEW_ARRAY(Sub, ret.len), ret.len};
	for (int i = 0; i < ret.len; i++)
		j->outs.at[i] = b_scratch(&m->b, "out", type_of_rows(j->e->screma.n, ret.at[i]));
	b_open(b);
	Body few = b_close(b, row_by_row(j));
	b_open(b);
	j->size = chunk_size(m, j->e->screma.n, j->n_chunks, j->flat);
	Body many = b_close(b, emit_region(j));
	b_stm(b, s->pat, EXP(if_, narrow, few, many));
}

static void multicore_group(Multicore *m, const Stm *s, Job *j)
{
	j->group = m->group;
	m->group = NULL;
	j->n_chunks = j->group->job.n_chunks;
	j->flat = true;
	emit_plain(j, s);
}

static void multicore_screma(Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	Job j = {.m = m, .e = e, .n_scan = n_reduced(e->screma.scans),
	         .n_red = n_reduced(e->screma.reds)};
	Build *b = &m->b;
	if (m->group) {
		multicore_group(m, s, &j);
		return;
	}
	if (!suits(m, s)) {
		b_emit(b, *s);
		return;
	}
	m->has_regions = true;
	Sub work = work_of_rows(b, e);
	if (work.kind == S_CONST && work.val.i < threshold(AT_region_work)) {
		b_emit(b, *s);
		return;
	}
	j.flat = !has_loops(&e->screma.map->body);
	Sub extra = extra_work(&j);
	if (!is_simple(m, e)) {
		emit_choice(&j, s, work, extra);
		return;
	}
	int together = rows_together(m, e);
	j.n_chunks = emit_chunks(m, e->screma.n, work, together ? sub_i64(-together) : extra);
	if (is_nest(m, &j) && !vars_any_in(s->pat, &m->written))
		emit_nest(&j, s, work);
	else
		emit_plain(&j, s);
}

// ---- Statements, bodies ----

Body multicore_body(Multicore *m, const Body *b)
{
	b_open(&m->b);
	multicore_stms(m, b);
	return b_close(&m->b, b->res);
}

// What the region inside gives of a scan comes out with the rest.
static void give_extra(Group *g, Lambda *fn, Stm *t)
{
	VEC(Type) ret = {0};
	VarVec pat = {0};
	VEC_APPEND(&ret, fn->ret);
	VEC_APPEND(&pat, t->pat);
	fn->body.res = subs_cat(fn->body.res, g->extra);
	for EACH(Sub, x, g->extra) {
		VEC_PUSH(&ret, sub_type(*x));
		VEC_PUSH(&pat, var_new(vars[x->var.id].hint, sub_type(*x)));
		*x = sub_var(pat.at[pat.len - 1]);
	}
	fn->ret = VEC_SLICE(Types, ret);
	t->pat = VEC_SLICE(Vars, pat);
}

static void multicore_withacc(Multicore *m, const Stm *s)
{
	Stm t = *s;
	AccInputs inputs = s->exp->withacc.inputs;
	Lambda *fn = mem_dup(s->exp->withacc.fn, sizeof *fn);
	for (int i = 0; i < inputs.len; i++)
		map_put(&m->inputs, var_key(fn->params.at[i]), &inputs.at[i]);
	Group *g = m->group;
	fn->body = multicore_body(m, &fn->body);
	if (g)
		give_extra(g, fn, &t);
	t.exp = EXP(withacc, .inputs = inputs, .fn = fn);
	b_emit(&m->b, t);
}

static void multicore_nested(Visit *v, Body *b)
{
	*b = multicore_body(v->ctx, b);
}

static void multicore_control(Multicore *m, const Stm *s)
{
	Visit v = {.body = multicore_nested, .copy = true, .ctx = m};
	Stm t = *s;
	t.exp = exp_visit(s->exp, &v);
	b_emit(&m->b, t);
}

static void multicore_form(Multicore *m, const Stm *old)
{
	Stm t, plain = calls_alone(m, old), *s = &plain;
	switch (s->exp->form) {
	case E_if_: case E_match: case E_loop:
		multicore_control(m, s);
		return;
	case E_screma:
		if (is_costly_scan(s) && suits(m, s))
			split_scan(m, s);
		else
			multicore_screma(m, s);
		return;
	case E_withacc:
		multicore_withacc(m, s);
		return;
	case E_flatmap:
		multicore_flatmap(m, s);
		return;
	case E_hist:
		t = acc_of_hist(s);
		multicore_withacc(m, &t);
		return;
	case E_scatter:
		t = acc_of_scatter(s);
		multicore_withacc(m, &t);
		return;
	case E_atom: case E_prim: case E_convert: case E_call: case E_index: case E_slice:
	case E_update: case E_concat: case E_iota: case E_replicate: case E_scratch: case E_reshape:
	case E_rearrange: case E_copy: case E_array: case E_upd_acc: case E_jvp:
	case E_vjp: case E_with_vjp: case E_assert_: case E_trace: case E_opaque: case E_alloc:
	case E_release: case N_FORM:
		b_emit(&m->b, *s);
		return;
	}
}

void multicore_stm(Multicore *m, const Stm *s)
{
	note_definition(m, s);
	if (form_has(s->exp->form, FORM_SOAC) && !may_rewrite()) {
		b_emit(&m->b, calls_alone(m, s));
		return;
	}
	Build outer = m->b;
	m->b.where = s->where;
	m->b.certs = s->certs;
	m->b.attrs = (Attributes){0};
	multicore_form(m, s);
	m->b.where = outer.where;
	m->b.certs = outer.certs;
	m->b.attrs = (Attributes){0};
}
