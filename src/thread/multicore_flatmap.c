// Irregular maps in parallel regions: a first pass computes the lengths of the segments, a second
// writes each segment to its position.
//
//     let (m: i64, ls: [n]i64, data: [m]t, us: [n]u) = flatmap n (xs) data=1 map=f
// becomes
//     if there is too little to do then the same else
//       (ls, us) = screma n (xs) map=f, without the segments
//       ends = running sums of ls;  m = the last of them
//       #[region] loop (data = scratch [m]) for c {
//         loop for the rows i of chunk c {
//           (k, seg, _) = f xs[i];  data with [ends[i] - k:k:1] = seg}
//       }
//
// Of several rows that fail, one whose length cannot be computed is reported before others.
//
// If the length is only known once the segment is computed, each segment is computed twice; this
// pays with more than two threads only.
#include "opt/acc.h"
#include "thread/multicore.h"

// Does it take loops to find the results?
static bool takes_loops(const Body *b)
{
	Map needed = {0};
	for EACH(Sub, x, b->res)
		if (x->kind == S_VAR)
			map_put(&needed, var_key(x->var), (void *)b);
	for (int i = b->stms.len; i-- > 0;) {
		Body one = {.stms = {&b->stms.at[i], 1}};
		bool alive = false;
		for EACH(Var, v, b->stms.at[i].pat)
			alive |= map_has(&needed, var_key(*v));
		if (alive && has_loops(&one))
			return true;
		Vars free = free_in_body(&one);
		for (int k = 0; alive && k < free.len; k++)
			map_put(&needed, var_key(free.at[k]), (void *)b);
	}
	return false;
}

static Body sequential(Multicore *m, const Stm *s)
{
	Vars pat = other_names(s);
	Exp *e = exp_dup(s->exp);
	e->flatmap.map = lambda_rename(e->flatmap.map);
	b_open(&m->b);
	b_stm(&m->b, pat, e);
	return b_close(&m->b, subs_of_vars(pat));
}

// The lengths and what else is the same for all rows.
static Subs emit_lengths(Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	Lambda *f = without_segments(e->flatmap.map, e->flatmap.n_data);
	Stm t = *s;
	t.pat = (Vars){NEW_ARRAY(Var, f->ret.len), f->ret.len};
	for (int i = 0; i < f->ret.len; i++)
		t.pat.at[i] = var_new(name_of(i ? "others" : "lengths"),
		                      type_of_rows(e->flatmap.n, f->ret.at[i]));
	t.exp = EXP(screma, .n = e->flatmap.n, .arrs = e->flatmap.arrs, .map = f);
	multicore_stm(m, &t);
	return subs_of_vars(t.pat);
}

static Sub emit_ends(Multicore *m, const Stm *s, Sub lengths)
{
	Type i64 = type_scalar(PT_I64);
	Var x = var_new(name_of("k"), i64), ends = var_new(name_of("ends"), sub_type(lengths));
	Lambda *id = NEW(Lambda, .params = vars_of(1, x), .ret = {NEW(Type, 0), 1},
	                 .body = {.res = subs_of(1, sub_var(x))});
	id->ret.at[0] = i64;
	Lambda *add = b_operator(&m->b, P_add, PT_I64);
	Reductions scans = {NEW(Reduction, .op = add, .ne = subs_of(1, sub_i64(0))), 1};
	Stm t = *s;
	t.pat = vars_of(1, ends);
	t.exp = EXP(screma, .n = s->exp->flatmap.n, .arrs = subs_of(1, lengths), .map = id,
	            .scans = scans);
	multicore_stm(m, &t);
	return sub_var(ends);
}

static Sub last_or_zero(Multicore *m, Sub ends, Sub n)
{
	Build *b = &m->b;
	Sub none = b_eq(b, n, sub_i64(0));
	b_open(b);
	Body no = b_close(b, subs_of(1, emit_row(m, ends, b_sub(b, n, sub_i64(1)))));
	return b_let(b, "m", type_scalar(PT_I64), EXP(if_, none, {.res = subs_of(1, sub_i64(0))},
	                                              no));
}

// for the rows of a chunk: the segment goes before the end that it has.
static Subs emit_segments(Multicore *m, const Exp *e, const Region *r, Rows rows, Sub ends)
{
	Build *b = &m->b;
	Region q = region_new(rows.len);
	for (int d = 0; d < e->flatmap.n_data; d++)
		region_carry(&q, "data", region_param(r, d));
	b_open(b);
	Sub i = b_add(b, rows.lo, sub_var(q.c));
	Subs args = SLICE_DUP(Subs, e->flatmap.arrs);
	for EACH(Sub, a, args)
		*a = emit_row(m, *a, i);
	Subs made = inline_lambda(m, e->flatmap.map, args);
	Rows place = {b_sub(b, emit_row(m, ends, i), made.at[0]), made.at[0]};
	for (int d = 0; d < e->flatmap.n_data; d++)
		put_rows(m, &q, d, place, made.at[d + 1]);
	return region_close_sequential(m, &q);
}

static Body parallel(Multicore *m, const Stm *s, Sub n_chunks)
{
	const Exp *e = s->exp;
	Build *b = &m->b;
	b_open(b);
	Subs fixed = emit_lengths(m, s);
	Sub ends = emit_ends(m, s, fixed.at[0]);
	b->certs = s->certs;
	b->where = s->where;
	Sub size = chunk_size(m, e->flatmap.n, n_chunks, false),
	    total = last_or_zero(m, ends, e->flatmap.n);
	Region r = region_new(n_chunks);
	for (int d = 0; d < e->flatmap.n_data; d++)
		region_carry(&r, "data", b_scratch(&m->b, "data", type_of_rows(total,
			type_row(vars[s->pat.at[d + 2].id].type))));
	b_open(b);
	Rows rows = chunk_rows(m, sub_var(r.c), size, e->flatmap.n);
	Subs next = emit_segments(m, e, &r, rows, ends);
	for (int d = 0; d < next.len; d++)
		r.next.at[d] = next.at[d];
	Subs data = region_close(m, &r);
	return b_close(b, subs_cat(subs_of(2, total, fixed.at[0]),
		subs_cat(data, subs_part(fixed, 1, fixed.len - 1))));
}

void multicore_flatmap(Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = &m->b;
	Sub work = work_of_flatmap(b, e);
	if (has_attr(s->attrs, ATTR_SEQUENTIAL) || has_attr(s->attrs, ATTR_SEQUENTIAL_OUTER) ||
	    exp_has_traces(e) || !e->flatmap.n_data) {
		b_emit(b, *s);
		return;
	}
	m->has_regions = true;
	const Lambda *lengths = without_segments(e->flatmap.map, e->flatmap.n_data);
	Sub extra =
		takes_loops(&lengths->body) ? b_prim2(b, P_quot, work, sub_i64(16)) : sub_i64(0);
	Sub k = emit_chunks(m, e->flatmap.n, work, extra);
	Sub one = b_lt(b, k, sub_i64(2));
	Body yes = sequential(m, s), no = parallel(m, s, k);
	b->certs = s->certs;
	b_stm(b, s->pat, EXP(if_, one, yes, no));
}
