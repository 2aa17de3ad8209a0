// The region of a screma: the code of a chunk, and the combination of the results of all chunks.
// See multicore.c.
#include "thread/multicore.h"

// ---- Chunks ----

static Sub choose_chunks(Multicore *m, Subs xs)
{
	Vars pat = {NEW_ARRAY(Var, xs.len), xs.len};
	static const char *const hints[] = {"chunks", "rows", "work", "extra", "shared"};
	for (int i = 0; i < xs.len; i++)
		pat.at[i] = var_new(name_of(hints[i]), type_scalar(PT_I64));
	m->b.attrs = attr_of(ATTR_CHUNKS);
	b_stm(&m->b, pat, EXP(opaque, xs));
	return sub_var(pat.at[0]);
}

// How many chunks; `extra` is the work that each but the first costs besides.  Or, where there is
// none, minus how many rows are best done together.
Sub emit_chunks(Multicore *m, Sub n, Sub work, Sub extra)
{
	return choose_chunks(m, subs_of(4, sub_i64(3), n, work, extra));
}

// For sums into arrays, which all chunks may share: the work is `shared` then.  How many chunks
// with arrays of their own, or minus how many that share them.
Sub emit_sum_chunks(Multicore *m, Sub n, Sub work, Sub extra, Sub shared)
{
	return choose_chunks(m, subs_of(5, sub_i64(3), n, work, extra, shared));
}

// How many of n rows are a chunk; `flat`: they are elements.
Sub chunk_size(Multicore *m, Sub n, Sub n_chunks, bool flat)
{
	int64_t vectors = threshold(AT_vector_chunk);
	Exp *e = EXP(prim, P_chunk, PT_I64, {n, n_chunks, sub_i64(flat ? vectors : -vectors)});
	return b_let(&m->b, "size", type_scalar(PT_I64), e);
}

static Sub row_number(Multicore *m, const char *hint, Prim op, Sub x, Sub y)
{
	m->b.attrs = attr_of(ATTR_SMALL);
	return b_let(&m->b, hint, type_scalar(PT_I64), EXP(prim, op, PT_I64, {x, y}));
}

Rows chunk_rows(Multicore *m, Sub c, Sub size, Sub n)
{
	Build *b = &m->b;
	Sub lo = row_number(m, "lo", P_min, b_mul(b, c, size), n);
	return (Rows){lo, row_number(m, "len", P_min, size, b_sub(b, n, lo))};
}

// ---- Regions ----

Region region_new(Sub n_chunks)
{
	return (Region){.c = var_i64("c"), .n_chunks = n_chunks};
}

int region_carry(Region *r, const char *hint, Sub init)
{
	Type t = type_plain(sub_type(init)), param = t;
	param.unique = type_is_array(t);
	VEC_PUSH(&r->params, var_new(name_of(hint), param));
	VEC_PUSH(&r->pat, var_new(name_of(hint), t));
	VEC_PUSH(&r->inits, init);
	VEC_PUSH(&r->next, init);
	return r->params.len - 1;
}

Sub region_param(const Region *r, int k)
{
	return sub_var(r->params.at[k]);
}

static Subs close_loop(Multicore *m, Region *r, Attributes attrs)
{
	Body body = b_close(&m->b, VEC_SLICE(Subs, r->next));
	m->b.attrs = attrs;
	b_stm(&m->b, VEC_SLICE(Vars, r->pat), EXP(loop, .params = VEC_SLICE(Vars, r->params),
	                                          .inits = VEC_SLICE(Subs, r->inits), .i = r->c,
	                                          .n = r->n_chunks, .body = body));
	Subs out = {NEW_ARRAY(Sub, r->pat.len), r->pat.len};
	for (int i = 0; i < out.len; i++)
		out.at[i] = sub_var(r->pat.at[i]);
	return out;
}

Subs region_close(Multicore *m, Region *r)
{
	return close_loop(m, r, attr_of(ATTR_REGION));
}

Subs region_close_sequential(Multicore *m, Region *r)
{
	return close_loop(m, r, (Attributes){0});
}

// Where the value of chunk c is.
Sub part_row(Multicore *m, Type t, Sub c)
{
	return type_is_array(t) ? private_row(m, c, t.dims) : c;
}

// Room for a value of each chunk.
Sub scratch_for_chunks(Multicore *m, Type t, Sub n_chunks)
{
	Sub n = type_is_array(t) ? n_chunks : sub_i64(MOST_CHUNKS);
	return b_scratch(&m->b, "parts", type_of_rows(part_row(m, t, n), t));
}

void put_carried_row(Multicore *m, Region *r, int k, Sub i, Sub row)
{
	Sub arr = region_param(r, k);
	r->next.at[k] =
		b_update(&m->b, arr, slices_at(subs_of(1, i), type_row(sub_type(arr)).dims), row);
}

void put_rows(Multicore *m, Region *r, int k, Rows rows, Sub val)
{
	Sub arr = region_param(r, k);
	r->next.at[k] = b_update(&m->b, arr, slices_rows(sub_type(arr), rows.lo, rows.len), val);
}

Sub some_rows(Multicore *m, Sub arr, Rows rows)
{
	return b_slice(&m->b, arr, slices_rows(sub_type(arr), rows.lo, rows.len));
}

// ---- Lambdas ----

// The body of a copy of the lambda, on these arguments.
Subs inline_lambda(Multicore *m, const Lambda *f, Subs args)
{
	const Lambda *copy = lambda_rename(f);
	for (int i = 0; i < args.len; i++) {
		Var p = copy->params.at[i];
		Exp *e = vars[p.id].type.unique && type_is_array(vars[p.id].type)
		       ? EXP(copy, args.at[i])
		       : EXP(atom, args.at[i]);
		vars[p.id].type.unique = false;
		b_stm(&m->b, vars_of(1, p), e);
	}
	b_emit_all(&m->b, copy->body.stms);
	return copy->body.res;
}

// A copy with parameters that do not consume, for the rows belong to arrays around the region.
Lambda *borrowing(const Lambda *f)
{
	Lambda *copy = lambda_rename(f);
	Build b = {0};
	b_open(&b);
	for EACH(Var, p, copy->params) {
		Type t = vars[p->id].type;
		if (!t.unique)
			continue;
		Var row = var_new(vars[p->id].hint, type_plain(t));
		vars[p->id].type.unique = false;
		b_stm(&b, vars_of(1, *p), EXP(copy, sub_var(row)));
		*p = row;
	}
	b_emit_all(&b, copy->body.stms);
	copy->body = b_close(&b, copy->body.res);
	return copy;
}

// ---- Values of chunks, combined ----

Sub emit_row(Multicore *m, Sub arr, Sub i)
{
	return b_index(&m->b, arr, subs_of(1, i));
}

static Subs combine_parts(Multicore *m, const Lambda *op, Subs parts, Sub n_chunks)
{
	Build *b = &m->b;
	int k = parts.len;
	Exp *e = EXP(loop, .params = {NEW_ARRAY(Var, k), k}, .inits = {NEW_ARRAY(Sub, k), k},
	             .i = var_i64("c"), .n = b_sub(b, n_chunks, sub_i64(1)));
	Vars pat = {NEW_ARRAY(Var, k), k};
	Subs out = {NEW_ARRAY(Sub, k), k}, so_far = {NEW_ARRAY(Sub, k), k};
	for (int i = 0; i < k; i++) {
		Sub first = emit_row(m, parts.at[i], sub_i64(0));
		Type t = type_plain(sub_type(first)), param = t;
		param.unique = type_is_array(t);
		e->loop.inits.at[i] = type_is_array(t) ? b_copy(b, first) : first;
		e->loop.params.at[i] = var_new(name_of("all"), param);
		so_far.at[i] = sub_var(e->loop.params.at[i]);
		pat.at[i] = var_new(name_of("all"), t);
		out.at[i] = sub_var(pat.at[i]);
	}
	b_open(b);
	Sub at = b_add(b, sub_var(e->loop.i), sub_i64(1));
	Subs next = {NEW_ARRAY(Sub, k), k};
	for (int i = 0; i < k; i++)
		next.at[i] =
			emit_row(m, parts.at[i], part_row(m, type_row(sub_type(parts.at[i])), at));
	Subs res = inline_lambda(m, op, subs_cat(so_far, next));
	own_results(&m->b, op, res);
	e->loop.body = b_close(b, res);
	b_stm(b, pat, e);
	return out;
}

// ---- The parts of a screma ----

int find_acc(const Exp *e, Type t)
{
	int at = subs_find_acc(e->screma.arrs, t.acc->token);
	if (at < 0)
		bug("an accumulator comes from nowhere");
	return at;
}

const AccInput *input_of(const Multicore *m, Type acc)
{
	return map_get(&m->inputs, var_key(acc.acc->token));
}

bool is_private(const Multicore *m, Type t)
{
	return t.kind == T_ACC && input_of(m, t)->op && !m->sharing;
}

// ---- The work of a chunk ----

// Rows of the inputs; what a scan of the same chunk gives has no others.
Subs rows_of_inputs(const Job *j, Rows rows)
{
	Subs arrs = SLICE_DUP(Subs, j->e->screma.arrs);
	for EACH(Sub, a, arrs) {
		const Sub *local = j->group ? group_local(j->group, *a) : NULL;
		if (local)
			*a = *local;
		else if (sub_type(*a).kind != T_ACC)
			*a = some_rows(j->m, *a, rows);
	}
	return arrs;
}

// Accumulators of the chunk's own instead of those that have an operator.
typedef struct {
	AccInputs inputs;
	Vars params;                            // tokens, then accumulators
	Types ret;
	Map tokens;                             // the actual token -> Sub *: the new one
	Subs arrs;                              // inputs of the screma
} Private;

static Subs neutral_arrays(Multicore *m, const AccInput *in, Types elems)
{
	Subs out = {NEW_ARRAY(Sub, elems.len), elems.len};
	for (int i = 0; i < elems.len; i++) {
		Type t = type_array(elems.at[i].elem, subs_cat(in->space, elems.at[i].dims));
		Sub ne = in->ne.at[i];
		out.at[i] = b_let(&m->b, "mine", t, EXP(replicate, in->space, ne));
	}
	return out;
}

static void add_private_acc(const Job *j, Private *p, int k, int at, int n)
{
	Type t = sub_type(j->e->screma.arrs.at[k]);
	const AccInput *in = input_of(j->m, t);
	Var token = var_new(name_of("token"), type_cert());
	Type mine = t;
	mine.acc = NEW(AccType, token, in->space, t.acc->elems);
	p->inputs.at[at] = (AccInput){in->space, neutral_arrays(j->m, in, t.acc->elems),
		lambda_rename(in->op), in->ne};
	p->params.at[at] = token;
	p->params.at[n + at] = var_new(name_of("acc"), mine);
	p->ret.at[at] = mine;
	subst_put(&p->tokens, t.acc->token, sub_var(token));
	p->arrs.at[k] = sub_var(p->params.at[n + at]);
}

static Private private_accs(const Job *j, Subs rows)
{
	int n = 0, at = 0;
	for EACH(Sub, a, rows)
		n += is_private(j->m, sub_type(*a));
	Private p = {.inputs = {NEW_ARRAY(AccInput, n + 1), n},
	             .params = {NEW_ARRAY(Var, 2 * n + 1), 2 * n},
	             .ret = {NEW_ARRAY(Type, n + 1), n}, .arrs = rows};
	for (int k = 0; k < rows.len; k++)
		if (is_private(j->m, sub_type(j->e->screma.arrs.at[k])))
			add_private_acc(j, &p, k, at++, n);
	return p;
}

Types types_of_results(const Job *j, const Lambda *f, Sub len)
{
	Types ts = SLICE_DUP(Types, f->ret);
	for (int i = 0; i < ts.len; i++)
		if (i < j->n_scan || i >= j->n_scan + j->n_red)
			ts.at[i] = type_of_rows(len, ts.at[i]);
	return ts;
}

// The screma on some rows: its results, where private accumulators are lists of arrays.
typedef struct { Subs plain; Subs *arrays; } Made;

static Subs emit_screma(const Job *j, Sub c, Rows rows, const Private *p)
{
	Lambda *f = borrowing(j->e->screma.map);
	Visit v = {.sub = subst_operand, .copy = true, .ctx = (void *)&p->tokens};
	lambda_visit(&f, &v);
	Exp *e = EXP(screma, .n = rows.len, .arrs = p->arrs, .map = f,
		.scans = j->n_scan ? scans_of_chunk((Job *)j, c) : (Reductions){0},
		.reds = reductions_rename(j->e->screma.reds));
	return b_lets(&j->m->b, "made", types_of_results(j, f, rows.len), e);
}

// With private accumulators: withacc around it.
static Subs emit_with_accs(const Job *j, Sub c, Rows rows, Private *p, Made *out)
{
	Build *b = &j->m->b;
	Types ret = j->e->screma.map->ret;
	b_open(b);
	Subs made = emit_screma(j, c, rows, p);
	SubVec accs = {0}, others = {0};
	for (int k = 0; k < p->inputs.len; k++)
		for (int i = 0; i < ret.len; i++)
			if (type_is_acc_of(sub_type(made.at[i]), p->params.at[k]))
				VEC_PUSH(&accs, made.at[i]);
	Types types = SLICE_DUP(Types, p->ret), results = {0};
	VEC(Type) all = {0}, pattern = {0};
	VEC_APPEND(&all, types);
	for EACH(AccInput, in, p->inputs)
		for EACH(Sub, a, in->arrs)
			VEC_PUSH(&pattern, type_plain(sub_type(*a)));
	for (int i = 0; i < ret.len; i++)
		if (!is_private(j->m, ret.at[i])) {
			VEC_PUSH(&others, made.at[i]);
			VEC_PUSH(&all, sub_type(made.at[i]));
			VEC_PUSH(&pattern, sub_type(made.at[i]));
		}
	results = VEC_SLICE(Types, all);
	Body body = b_close(b, subs_cat(VEC_SLICE(Subs, accs), VEC_SLICE(Subs, others)));
	Lambda *fn = NEW(Lambda, .params = p->params, .ret = results, .body = body);
	Subs got = b_lets(b, "made", VEC_SLICE(Types, pattern),
	                  EXP(withacc, .inputs = p->inputs, .fn = fn));
	out->arrays = NEW_ARRAY(Subs, ret.len);
	int at = 0;
	for (int k = 0; k < p->inputs.len; k++) {
		int n = p->inputs.at[k].arrs.len;
		for (int i = 0; i < ret.len; i++)
			if (ret.at[i].kind == T_ACC) {
				const Sub *to = map_get(&p->tokens, var_key(ret.at[i].acc->token));
				if (to && to->var.id == p->params.at[k].id)
					out->arrays[i] = (Subs){got.at + at, n};
			}
		at += n;
	}
	Subs plain = {NEW_ARRAY(Sub, ret.len), ret.len};
	for (int i = 0; i < ret.len; i++)
		if (!is_private(j->m, ret.at[i]))
			plain.at[i] = got.at[at++];
	return plain;
}

static Made work_on_rows(const Job *j, Sub c, Rows rows, const Region *r, const int *carried)
{
	Subs inputs = rows_of_inputs(j, rows);
	Types ret = j->e->screma.map->ret;
	Made out = {0};
	for (int i = 0; i < ret.len; i++)
		if (ret.at[i].kind == T_ACC && !is_private(j->m, ret.at[i]))
			inputs.at[find_acc(j->e, ret.at[i])] = region_param(r, carried[i]);
	Private p = private_accs(j, inputs);
	out.plain = p.inputs.len ? emit_with_accs(j, c, rows, &p, &out)
	                         : emit_screma(j, c, rows, &p);
	return out;
}

// ---- The region ----

// What is carried for result i begins at carried[i].
static void carry_result(Job *j, Region *r, int i, int *carried)
{
	Multicore *m = j->m;
	const Exp *e = j->e;
	Type t = e->screma.map->ret.at[i];
	carried[i] = r->params.len;
	if (is_private(m, t)) {
		const AccInput *in = input_of(m, t);
		for EACH(Type, el, t.acc->elems) {
			Type own = type_array(el->elem, subs_cat(in->space, el->dims));
			region_carry(r, "private", b_scratch(&m->b, "private",
				type_of_rows(private_row(m, j->n_chunks, in->space), own)));
		}
	} else if (t.kind == T_ACC) {
		region_carry(r, "acc", e->screma.arrs.at[find_acc(e, t)]);
	} else if (i >= j->n_scan && i < j->n_scan + j->n_red) {
		region_carry(r, "parts", scratch_for_chunks(m, t, j->n_chunks));
	} else {
		region_carry(r, "out", j->outs.len ? j->outs.at[i]
			: b_scratch(&m->b, "out", type_of_rows(e->screma.n, t)));
	}
}

static void put_result(Job *j, Region *r, int i, int at, Rows rows, const Made *made)
{
	Type t = j->e->screma.map->ret.at[i];
	if (is_private(j->m, t))
		for (int k = 0; k < made->arrays[i].len; k++) {
			Sub row = private_row(j->m, sub_var(r->c), input_of(j->m, t)->space);
			put_carried_row(j->m, r, at + k, row, made->arrays[i].at[k]);
		}
	else if (t.kind == T_ACC)
		r->next.at[at] = made->plain.at[i];
	else if (i >= j->n_scan && i < j->n_scan + j->n_red)
		put_carried_row(j->m, r, at, part_row(j->m, t, sub_var(r->c)), made->plain.at[i]);
	else
		put_rows(j->m, r, at, rows, made->plain.at[i]);
}

// After the region: the results of the screma.
static Subs results_of(Job *j, Subs after, const int *carried)
{
	Multicore *m = j->m;
	const Exp *e = j->e;
	Types ret = e->screma.map->ret;
	Subs out = {NEW_ARRAY(Sub, ret.len), ret.len};
	for (int i = 0; i < ret.len; i++) {
		out.at[i] = after.at[carried[i]];
		if (is_private(m, ret.at[i]))
			out.at[i] = add_private(m, e->screma.arrs.at[find_acc(e, ret.at[i])],
				(Subs){after.at + carried[i], ret.at[i].acc->elems.len},
				j->n_chunks);
	}
	int at = j->n_scan;
	for EACH(Reduction, red, e->screma.reds) {
		Subs parts = {out.at + at, red->ne.len};
		Subs all = combine_parts(m, red->op, SLICE_DUP(Subs, parts), j->n_chunks);
		for EACH(Sub, s, all)
			out.at[at++] = *s;
	}
	return out;
}

// Chunks of nearly the same size, none of them empty, without `reach` rows at the ends that other
// chunks have; or the rows on both sides of where chunk c begins.
static Rows rows_apart(Job *j, Sub c)
{
	Build *b = &j->m->b;
	Sub n = j->e->screma.n, k = j->n_chunks, gap = sub_i64(j->near.reach);
	bool wraps = j->near.wraps;
	if (j->which == ROWS_BETWEEN) {
		c = wraps ? c : b_add(b, c, sub_i64(1));
		Sub at = b_prim2(b, P_quot, b_mul(b, c, n), k);
		Sub from = b_sub(b, at, gap), to = b_add(b, at, gap);
		from = wraps ? b_prim2(b, P_max, from, sub_i64(0)) : from;
		to = wraps ? b_prim2(b, P_min, to, n) : to;
		return (Rows){from, b_sub(b, to, from)};
	}
	Sub next = b_add(b, c, sub_i64(1));
	Sub lo = b_prim2(b, P_quot, b_mul(b, c, n), k),
	    end = b_prim2(b, P_quot, b_mul(b, next, n), k);
	Sub after = b_add(b, lo, gap), before = b_sub(b, end, gap);
	lo = wraps ? after : b_select(b, b_eq(b, c, sub_i64(0)), lo, after);
	end = wraps ? before : b_select(b, b_eq(b, next, k), end, before);
	lo = row_number(j->m, "lo", P_max, lo, sub_i64(0));
	return (Rows){lo, row_number(j->m, "len", P_sub, end, lo)};
}

// Where neighbours wrap, the first rows and the last are done there too.
static Sub count_iterations(Job *j)
{
	if (j->which != ROWS_BETWEEN)
		return j->n_chunks;
	return b_add(&j->m->b, j->n_chunks, sub_i64(j->near.wraps ? 1 : -1));
}

Subs emit_region(Job *j)
{
	Multicore *m = j->m;
	Types ret = j->e->screma.map->ret;
	int *carried = NEW_ARRAY(int, ret.len);
	if (j->n_scan)
		make_running_values(j, false);
	Region r = region_new(count_iterations(j));
	for (int i = 0; i < ret.len; i++)
		carry_result(j, &r, i, carried);
	if (j->group)
		group_carry(j->group, &r);
	b_open(&m->b);
	Rows rows = j->which == ALL_ROWS ? chunk_rows(m, sub_var(r.c), j->size, j->e->screma.n)
	                                 : rows_apart(j, sub_var(r.c));
	if (j->group)
		group_scan(j->group, &r, rows);
	Made made = work_on_rows(j, sub_var(r.c), rows, &r, carried);
	for (int i = 0; i < ret.len; i++)
		put_result(j, &r, i, carried[i], rows, &made);
	bool alone = j->which == ROWS_BETWEEN && (j->flat || j->near.wraps);
	Subs after = alone ? region_close_sequential(m, &r) : region_close(m, &r);
	if (j->group)
		group_after(j->group, after);
	return results_of(j, after, carried);
}
