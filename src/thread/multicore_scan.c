// Scans in parallel regions, alone and fused with their consumers; see Note [Scans] of
// multicore.c.
//
// A scan whose results are the write positions or the inputs of another SOAC over the same rows
// shares a region with it: a chunk scans its rows and consumes the results while they are in the
// cache, so that the scan needs no memory of its own (`filter`, radix sort).
//
//     let (s: [n]i64) = screma n (xs) map=f scan=(0) add
//     let (t: i64) = .. index s [n - 1] ..
//     let (ys: [k]u32) = scatter n (s, xs) dest=[k] d map=g
// becomes
//     totals, over chunks, running values       -- of all chunks, if the scatter depends on t
//     #[region] loop for c {
//       let (p: [len]i64) = screma len (xs[lo:len:1]) map=f scan=(before c) add
//       ... scatter len (p, xs[lo:len:1]) ..
//     }
//
// Statements between the two that depend on the scan may use only its last element, which is the
// total; others are moved after the region, where the whole result is available if needed.
#include "thread/multicore.h"

#include "opt/alias.h"

// ---- Running values ----

// \rows -> only the inputs of the scans, which become reductions.
static Exp *only_scans(const Job *j, Sub len, Subs rows)
{
	Lambda *f = borrowing(j->e->screma.map);
	f->ret.len = f->body.res.len = j->n_scan;
	return EXP(screma, .n = len, .arrs = rows, .map = f,
	           .reds = reductions_rename(j->e->screma.scans));
}

static Types first_types(Types ts, int n)
{
	return (Types){ts.at, n};
}

static Subs totals_of_chunks(Job *j, bool all)
{
	Multicore *m = j->m;
	Sub n = j->e->screma.n;
	Types ret = j->e->screma.map->ret;
	Region r = region_new(all ? j->n_chunks : b_sub(&m->b, j->n_chunks, sub_i64(1)));
	for (int i = 0; i < j->n_scan; i++)
		region_carry(&r, "totals", scratch_for_chunks(m, ret.at[i], j->n_chunks));
	b_open(&m->b);
	Rows rows = chunk_rows(m, sub_var(r.c), j->size, n);
	Subs made = b_lets(&m->b, "total", first_types(ret, j->n_scan),
	                   only_scans(j, rows.len, rows_of_inputs(j, rows)));
	for (int i = 0; i < j->n_scan; i++)
		put_carried_row(m, &r, i, part_row(m, ret.at[i], sub_var(r.c)), made.at[i]);
	return region_close(m, &r);
}

// totals[c] becomes the value of all chunks up to c.
static Subs running_values(Job *j, const Reduction *scan, Subs totals, bool all)
{
	Multicore *m = j->m;
	Build *b = &m->b;
	int k = totals.len;
	Region r = region_new(b_sub(b, j->n_chunks, sub_i64(all ? 1 : 2)));
	for EACH(Sub, t, totals)
		region_carry(&r, "totals", *t);
	b_open(b);
	Sub at = b_add(b, sub_var(r.c), sub_i64(1));
	Subs args = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	for (int i = 0; i < k; i++) {
		Type t = type_row(sub_type(totals.at[i]));
		args.at[i] = emit_row(m, region_param(&r, i), part_row(m, t, sub_var(r.c)));
		args.at[k + i] = emit_row(m, region_param(&r, i), part_row(m, t, at));
	}
	Subs res = inline_lambda(m, scan->op, args);
	own_results(&m->b, scan->op, res);
	for (int i = 0; i < k; i++)
		put_carried_row(m, &r, i, part_row(m, type_row(sub_type(totals.at[i])), at),
		                res.at[i]);
	return region_close_sequential(m, &r);
}

// For all chunks, or all but the last.
void make_running_values(Job *j, bool all)
{
	Subs totals = totals_of_chunks(j, all);
	j->carry = (Subs){NEW_ARRAY(Sub, j->n_scan), 0};
	int at = 0;
	for EACH(Reduction, r, j->e->screma.scans) {
		Subs running = running_values(j, r, (Subs){totals.at + at, r->ne.len}, all);
		for EACH(Sub, t, running)
			j->carry.at[j->carry.len++] = *t;
		at += r->ne.len;
	}
}

// The scans of chunk c begin with what the chunks before give.
Reductions scans_of_chunk(Job *j, Sub c)
{
	Build *b = &j->m->b;
	Reductions scans = reductions_rename(j->e->screma.scans);
	int at = 0;
	for EACH(Reduction, r, scans) {
		r->ne = SLICE_DUP(Subs, r->ne);
		for EACH(Sub, ne, r->ne) {
			Sub first = b_eq(b, c, sub_i64(0));
			b_open(b);
			Sub last = part_row(j->m, sub_type(*ne), b_sub(b, c, sub_i64(1)));
			Sub before = emit_row(j->m, j->carry.at[at++], last);
			Body no = b_close(b, subs_of(1, before));
			*ne = b_let(b, "before", sub_type(*ne),
			            EXP(if_, first, {.res = subs_of(1, *ne)}, no));
		}
	}
	return scans;
}

// ---- Totals ----

static void with_totals(Visit *v, Body *b)
{
	const Group *g = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		int r = last_of_scan(g, s->exp);
		if (r >= 0)
			s->exp = EXP(atom, g->totals.at[r]);
		else if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
	}
}

// The statement with totals instead of last elements.
static void emit_with_totals(Group *g, const Stm *s)
{
	Visit v = {.body = with_totals, .copy = true, .ctx = g};
	Stm copy = *s;
	Body b = {.stms = {&copy, 1}};
	with_totals(&v, &b);
	multicore_stm(g->m, &b.stms.at[0]);
}

// ---- The region of both ----

const Sub *group_local(const Group *g, Sub x)
{
	int r = result_of_scan(g, x);
	return r >= 0 && g->local.len ? &g->local.at[r] : NULL;
}

void group_carry(Group *g, Region *r)
{
	Types ret = g->scan->exp->screma.map->ret;
	Sub n = g->scan->exp->screma.n;
	g->first = r->params.len;
	for (int i = 0; i < ret.len; i++) {
		if (g->keep[i])
			region_carry(r, "out",
			             b_scratch(&g->m->b, "out", type_of_rows(n, ret.at[i])));
		if (g->last[i] && !g->totals.len)
			region_carry(r, "last",
			             scratch_for_chunks(g->m, ret.at[i], g->job.n_chunks));
	}
	g->n_carried = r->params.len - g->first;
}

// The last value of the chunk, or the one before it.
static Sub last_value(Group *g, Sub made, Rows rows, Sub before)
{
	Build *b = &g->m->b;
	Sub none = b_eq(b, rows.len, sub_i64(0));
	b_open(b);
	Sub last = emit_row(g->m, made, b_sub(b, rows.len, sub_i64(1)));
	Body no = b_close(b, subs_of(1, last));
	return b_let(b, "last", sub_type(before), EXP(if_, none, {.res = subs_of(1, before)}, no));
}

static void scan_rows(Group *g, Rows rows, Reductions scans)
{
	Lambda *f = borrowing(g->scan->exp->screma.map);
	Exp *e = EXP(screma, .n = rows.len, .arrs = rows_of_inputs(&g->job, rows), .map = f,
	             .scans = scans);
	g->local = b_lets(&g->m->b, "made", types_of_results(&g->job, f, rows.len), e);
}

void group_scan(Group *g, Region *r, Rows rows)
{
	Multicore *m = g->m;
	Vars certs = m->b.certs;
	m->b.certs = vars_cat(certs, g->scan->certs);
	Reductions scans = scans_of_chunk(&g->job, sub_var(r->c));
	scan_rows(g, rows, scans);
	SubVec before = {0};
	for EACH(Reduction, s, scans)
		VEC_APPEND(&before, s->ne);
	int at = g->first;
	for (int i = 0; i < g->local.len; i++) {
		if (g->keep[i])
			put_rows(m, r, at++, rows, g->local.at[i]);
		if (g->last[i] && !g->totals.len)
			put_carried_row(m, r, at++, sub_var(r->c),
			                last_value(g, g->local.at[i], rows, before.at[i]));
	}
	m->b.certs = certs;
}

void group_after(Group *g, Subs after)
{
	g->extra = SLICE_DUP(Subs, ((Subs){after.at + g->first, g->n_carried}));
}

// ---- Bodies ----

void choose_group_chunks(Group *g)
{
	Multicore *m = g->m;
	Build *b = &m->b;
	Sub n = g->scan->exp->screma.n;
	Sub work = b_add(b, work_of_rows(b, g->scan->exp), b_mul(b, n, sub_i64(6)));
	g->job.n_chunks = emit_chunks(m, n, work, sub_i64(0));
	g->job.size = chunk_size(m, n, g->job.n_chunks, true);
}

Sub running_sums(Group *g, Sub counts)
{
	const Reduction *sum = &g->scan->exp->screma.scans.at[0];
	return running_values(&g->job, sum, subs_of(1, counts), true).at[0];
}

static void emit_totals(Group *g)
{
	Multicore *m = g->m;
	Build *b = &m->b;
	m->b.certs = g->scan->certs;
	m->b.where = g->scan->where;
	choose_group_chunks(g);
	make_running_values(&g->job, g->total_before);
	if (g->total_before) {
		g->totals = SLICE_DUP(Subs, g->job.carry);
		for EACH(Sub, t, g->totals)
			*t = emit_row(m, *t, b_sub(b, g->job.n_chunks, sub_i64(1)));
	}
	m->b.certs = (Vars){0};
}

// Whole results and last elements, for what comes after.
static void bind_results(Group *g)
{
	Multicore *m = g->m;
	Build *b = &m->b;
	bool had = g->totals.len > 0;
	int at = 0;
	if (!had)
		g->totals = (Subs){NEW_ARRAY(Sub, g->scan->pat.len), g->scan->pat.len};
	for (int r = 0; r < g->scan->pat.len; r++) {
		if (g->keep[r])
			b_name(b, g->scan->pat.at[r], g->extra.at[at++]);
		if (g->last[r] && !had)
			g->totals.at[r] = emit_row(m, g->extra.at[at++],
				b_sub(b, g->job.n_chunks, sub_i64(1)));
	}
}

void emit_group(Group *g, Stms stms, int i, int k)
{
	Multicore *m = g->m;
	bool filter = is_filter(g, &stms.at[k]);
	m->has_regions = true;
	if (!filter)
		emit_totals(g);
	for (int at = i + 1; at < k; at++)
		if (!g->depends[at])
			multicore_stm(m, &stms.at[at]);
		else if (g->needed[at])
			emit_with_totals(g, &stms.at[at]);
	if (filter) {
		emit_filter(g, &stms.at[k]);
	} else {
		m->group = g;
		multicore_stm(m, &stms.at[k]);
		m->b.certs = g->scan->certs;
		bind_results(g);
		m->b.certs = (Vars){0};
	}
	for (int at = i + 1; at < k; at++)
		if (g->depends[at] && !g->needed[at])
			emit_with_totals(g, &stms.at[at]);
}
