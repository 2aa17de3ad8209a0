// Filters in parallel regions: a scan of flags and a scatter of what is flagged.
//
//     let (s: [n]i64, f: [n]bool) =
//         screma n (xs) map=\x -> (if p x then 1 else 0), p x scan=(0) add
//     let (d: [n]t) = scratch.t [n]
//     let (ys: [n]t) = scatter n (f, s, xs) dest=[n] d map=\f s x -> (if f then s - 1 else -1), x
// becomes
//     #[region] loop (some = scratch [n], counts) for c {
//       the same on the rows of chunk c, with results in some[lo:len:1];  counts[c] = how many
//     }
//     ... running sums of the counts
//     #[region] loop (ys = d) for c {ys with [before c:count c:1] = some[lo:count c:1]}
//
// Each row is thus visited once, and a chunk executes the same code as a single thread would.
#include "thread/multicore.h"

// if c then yes else no, on values that are there.
static const Exp *choice_in(const Body *b, Sub x)
{
	const Exp *e = def_in(b, x);
	return e && is_select(e) &&
	       e->if_.yes.res.len == 1 ? e : NULL;
}

static bool is_sum(const Lambda *op)
{
	return lambda_adds(op) && op->ret.at[0].elem == PT_I64;
}

// Does the scan count flags?  Which result has these; else -1.
static int flags_of(const Exp *scan)
{
	const Lambda *f = scan->screma.map;
	if (scan->screma.scans.len != 1 || scan->screma.scans.at[0].ne.len != 1 ||
	    !is_int_const(scan->screma.scans.at[0].ne.at[0], 0) ||
	    !is_sum(scan->screma.scans.at[0].op))
		return -1;
	const Exp *e = choice_in(&f->body, f->body.res.at[0]);
	if (!e || !is_int_const(e->if_.yes.res.at[0], 1) || !is_int_const(e->if_.no.res.at[0], 0))
		return -1;
	for (int r = 1; r < f->body.res.len; r++)
		if (sub_eq(f->body.res.at[r], e->if_.cond))
			return r;
	return -1;
}

static void count_use(Visit *v, Sub *x)
{
	Sub *of = v->ctx;
	if (sub_eq(*x, of[0]))
		of[1].val.i++;
}

// Is the number of what is flagged so far used once only, for the index?
static bool counts_once(const Group *g, const Exp *scatter)
{
	const Lambda *f = scatter->scatter.map;
	for (int k = 0; k < f->params.len; k++) {
		if (result_of_scan(g, scatter->scatter.arrs.at[k]) != 0)
			continue;
		Sub of[2] = {sub_var(f->params.at[k]), sub_i64(0)};
		Visit v = {.sub = count_use, .ctx = of};
		Body b = f->body;
		body_visit(&b, &v);
		if (of[1].val.i > scatter->scatter.dests.len)
			return false;
	}
	return true;
}

// Which result of the scan a parameter of the map function stands for, or -1.
static int result_at(const Group *g, const Exp *scatter, Sub x)
{
	for (int k = 0; k < scatter->scatter.map->params.len; k++)
		if (sub_eq(x, sub_var(scatter->scatter.map->params.at[k])))
			for (int r = 0; r < g->scan->pat.len; r++)
				if (sub_eq(scatter->scatter.arrs.at[k],
				           sub_var(g->scan->pat.at[r])))
					return r;
	return -1;
}

// if flag then count - 1 else -1?
static bool is_place(const Group *g, const Exp *scatter, Sub index, int flags)
{
	const Body *b = &scatter->scatter.map->body;
	const Exp *e = choice_in(b, index);
	if (!e || result_at(g, scatter, e->if_.cond) != flags ||
	    !is_int_const(e->if_.no.res.at[0], -1))
		return false;
	const Exp *less = def_in(b, e->if_.yes.res.at[0]);
	if (!less || less->form != E_prim || result_at(g, scatter, less->prim.x[0]) != 0)
		return false;
	return (less->prim.op == P_sub && is_int_const(less->prim.x[1], 1)) ||
	       (less->prim.op == P_add && is_int_const(less->prim.x[1], -1));
}

bool is_filter(const Group *g, const Stm *user)
{
	const Exp *e = user->exp;
	int flags = flags_of(g->scan->exp);
	if (e->form != E_scatter || flags < 0 || g->total_before || !counts_once(g, e))
		return false;
	for (int r = 0; r < g->scan->pat.len; r++)
		if (g->keep[r])
			return false;
	for (int d = 0; d < e->scatter.dests.len; d++) {
		const ScatterDest *to = &e->scatter.dests.at[d];
		if (to->n_writes != 1 || to->space.len != 1 ||
		    !sub_eq(to->space.at[0], e->scatter.n) ||
		    to->dest.kind != S_VAR || !map_has(&g->m->scratches, var_key(to->dest.var)) ||
		    !is_place(g, e, e->scatter.map->body.res.at[d], flags))
			return false;
	}
	return true;
}

// ---- The regions ----

// The arguments of a map function for row i: the results of the scan are given.
static Subs args_at(Group *g, Subs arrs, Rows rows, Sub i, Subs of_scan)
{
	Subs out = SLICE_DUP(Subs, arrs);
	for EACH(Sub, a, out) {
		int r = of_scan.len ? result_of_scan(g, *a) : -1;
		*a = r >= 0 ? of_scan.at[r] : emit_row(g->m, some_rows(g->m, *a, rows), i);
	}
	return out;
}

// for i < len: what is flagged goes to the next place.  Others go there too, and are overwritten:
// that costs less than a branch that nobody can foresee.  Arrays, then how many there are.
static Subs emit_fill(Group *g, const Exp *e, Rows rows)
{
	Multicore *m = g->m;
	Build *b = &m->b;
	int n = e->scatter.dests.len;
	Region q = region_new(rows.len);
	for EACH(ScatterDest, to, e->scatter.dests)
		region_carry(&q, "some", b_scratch(&m->b, "some",
			type_of_rows(rows.len, type_row(sub_type(to->dest)))));
	region_carry(&q, "at", sub_i64(0));
	b_open(b);
	Sub i = sub_var(q.c), at = region_param(&q, n);
	const Exp *scan = g->scan->exp;
	Subs of_scan = inline_lambda(m, scan->screma.map,
		args_at(g, scan->screma.arrs, rows, i, (Subs){0}));
	of_scan = SLICE_DUP(Subs, of_scan);
	Sub bit = of_scan.at[0];
	of_scan.at[0] = at; // says where the row goes, which is known
	Subs of_user = inline_lambda(m, e->scatter.map,
		args_at(g, e->scatter.arrs, rows, i, of_scan));
	for (int d = 0; d < n; d++)
		put_carried_row(m, &q, d, at, of_user.at[n + d]);
	q.next.at[n] = b_add(b, at, bit);
	return region_close_sequential(m, &q);
}

// What a chunk has, one after the other, at the beginning of its rows; and how much that is.
static Subs some_of_chunks(Group *g, const Exp *e)
{
	Multicore *m = g->m;
	int n = e->scatter.dests.len;
	Region r = region_new(g->job.n_chunks);
	for (int d = 0; d < n; d++)
		region_carry(&r, "some",
		             b_scratch(&m->b, "some", sub_type(e->scatter.dests.at[d].dest)));
	region_carry(&r, "counts", scratch_for_chunks(m, type_scalar(PT_I64), g->job.n_chunks));
	b_open(&m->b);
	Rows rows = chunk_rows(m, sub_var(r.c), g->job.size, e->scatter.n);
	Subs made = emit_fill(g, e, rows);
	for (int d = 0; d < n; d++)
		put_rows(m, &r, d, rows, made.at[d]);
	put_carried_row(m, &r, n, sub_var(r.c), made.at[n]);
	return region_close(m, &r);
}

static Subs joined(Group *g, const Exp *e, Subs some, Sub counts)
{
	Multicore *m = g->m;
	Build *b = &m->b;
	Region r = region_new(g->job.n_chunks);
	for EACH(ScatterDest, to, e->scatter.dests)
		region_carry(&r, "out", to->dest);
	b_open(b);
	Sub c = sub_var(r.c);
	Rows rows = chunk_rows(m, c, g->job.size, e->scatter.n);
	Sub first = b_eq(b, c, sub_i64(0));
	b_open(b);
	Body no = b_close(b, subs_of(1, emit_row(m, counts, b_sub(b, c, sub_i64(1)))));
	Sub before = b_let(b, "before", type_scalar(PT_I64),
	                   EXP(if_, first, {.res = subs_of(1, sub_i64(0))}, no));
	Sub count = b_sub(b, emit_row(m, counts, c), before);
	for (int d = 0; d < e->scatter.dests.len; d++)
		put_rows(m, &r, d, (Rows){before, count},
		         some_rows(m, some.at[d], (Rows){rows.lo, count}));
	return region_close(m, &r);
}

void emit_filter(Group *g, const Stm *user)
{
	Multicore *m = g->m;
	Build *b = &m->b;
	const Exp *e = user->exp;
	m->b.certs = vars_cat(g->scan->certs, user->certs);
	m->b.where = user->where;
	choose_group_chunks(g);
	Subs some = some_of_chunks(g, e);
	int n = e->scatter.dests.len;
	Sub counts = running_sums(g, some.at[n]);
	Subs out = joined(g, e, some, counts);
	for (int d = 0; d < n; d++)
		b_name(b, user->pat.at[d], out.at[d]);
	g->totals = (Subs){NEW_ARRAY(Sub, g->scan->pat.len), g->scan->pat.len};
	g->totals.at[0] = emit_row(m, counts, b_sub(b, g->job.n_chunks, sub_i64(1)));
	m->b.certs = (Vars){0};
}
