// Parallel regions: what threads share of a SOAC.
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
// The iterations of the loop #[region] do not depend on each other; code generation gives them to
// threads.  How many there are is decided at run time, from the number of rows and the work
// (cost.c): #[chunks] says what the operands mean.  Any number from 1 on is right, and the
// interpreter takes the 3 that stands there.  What is inside of a region is sequential.
//
// Note [Scans].  With more than one chunk, a first region reduces all chunks but the last, a loop
// over chunks makes the running values, and the second region scans with those as the first
// operands.  The map function is evaluated twice for most rows; one that has loops is made a
// region of its own before.
//
// Note [Private copies].  An accumulator with an operator is given to each chunk as one of its
// own, over new arrays with neutral elements, which are added to the actual one in the end
// (multicore_acc.c).  Reductions of arrays need room for each chunk likewise.  So there is a
// choice at run time: with one chunk it is the SOAC as it was.  hist and scatter are
// expressed by accumulators first; those without an operator are shared by all chunks, since the
// order of writes to the same place is not specified.
//
// Note [Alone].  Functions have a second version without regions, for what SOACs call, and for
// entry points that have too little to do, or a single thread: those begin with a choice.  Where
// the work cannot be told from the arguments, it is taken to be enough.
//
// Requires: no jvp or vjp.  Only SOACs that are not inside of others are taken.
#include "par/multicore.h"

#include "opt/opt.h"

static void multicore_stm(Multicore *, const Stm *);

static bool is_array(Type t)
{
	return t.kind == T_DATA && t.dims.len > 0;
}

static Type shared(Type t)
{
	t.unique = false;
	return t;
}

// ---- Chunks ----

static Attributes attribute(const char *name)
{
	Name *n = NEW_ARRAY(Name, 1);
	*n = name_of(name);
	return (Attributes){n, 1};
}

// How many chunks; `extra` is the work that each but the first costs besides.
Sub emit_chunks(Multicore *m, Sub n, Sub work, Sub extra)
{
	Vars pat = {NEW_ARRAY(Var, 4), 4};
	static const char *const hints[] = {"chunks", "rows", "work", "extra"};
	for (int i = 0; i < 4; i++)
		pat.at[i] = var_new(name_of(hints[i]), type_scalar(PT_I64));
	m->b.attrs = attribute(ATTR_CHUNKS);
	b_stm(&m->b, pat, NEW(Exp, .form = E_opaque, .opaque = {subs_of(4, sub_i64(3), n, work,
		extra)}));
	return sub_var(pat.at[0]);
}

static Sub round_up(Build *b, Sub x, int64_t to)
{
	return b_prim2(b, P_and, b_add(b, x, sub_i64(to - 1)), sub_i64(-to));
}

// Loops are best done in whole vectors, several at a time where there are many rows.
Sub chunk_size(Multicore *m, Sub n, Sub n_chunks, bool flat)
{
	enum { VECTOR = 16, VECTORS = 64 };
	Build *b = &m->b;
	Sub more = b_add(b, n, b_sub(b, n_chunks, sub_i64(1)));
	Sub size = b_prim2(b, P_quot, more, n_chunks);
	return b_select(b, b_le(b, sub_i64(VECTORS), size), round_up(b, size, VECTORS),
	                flat ? round_up(b, size, VECTOR) : size);
}

Rows chunk_rows(Multicore *m, Sub c, Sub size, Sub n)
{
	Build *b = &m->b;
	Sub lo = b_prim2(b, P_min, b_mul(b, c, size), n);
	return (Rows){lo, b_prim2(b, P_min, size, b_sub(b, n, lo))};
}

// ---- Regions ----

Region region_new(Sub n_chunks)
{
	return (Region){.c = var_new(name_of("c"), type_scalar(PT_I64)), .n_chunks = n_chunks};
}

int region_carry(Region *r, const char *hint, Sub init)
{
	Type t = shared(sub_type(init)), param = t;
	param.unique = is_array(t);
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
	b_stm(&m->b, VEC_SLICE(Vars, r->pat), NEW(Exp, .form = E_loop, .loop = {
		.params = VEC_SLICE(Vars, r->params), .inits = VEC_SLICE(Subs, r->inits),
		.i = r->c, .n = r->n_chunks, .body = body}));
	Subs out = {NEW_ARRAY(Sub, r->pat.len), r->pat.len};
	for (int i = 0; i < out.len; i++)
		out.at[i] = sub_var(r->pat.at[i]);
	return out;
}

Subs region_close(Multicore *m, Region *r)
{
	return close_loop(m, r, attribute(ATTR_REGION));
}

Subs region_close_sequential(Multicore *m, Region *r)
{
	return close_loop(m, r, (Attributes){0});
}

static Sub scratch(Multicore *m, const char *hint, Type t)
{
	t = shared(t);
	return b_let(&m->b, hint, t, NEW(Exp, .form = E_scratch, .scratch = {t.elem, t.dims}));
}

// Room for a value of each chunk.
static Sub scratch_for_chunks(Multicore *m, Type t, Sub n_chunks)
{
	return scratch(m, "parts", type_of_rows(is_array(t) ? n_chunks : sub_i64(MOST_CHUNKS), t));
}

// The whole of the inner dimensions of an array.
static Slices whole_rows(Type t, DimSlice first)
{
	Slices at = {NEW_ARRAY(DimSlice, t.dims.len), t.dims.len};
	at.at[0] = first;
	for (int d = 1; d < at.len; d++)
		at.at[d] = (DimSlice){false, sub_i64(0), t.dims.at[d], sub_i64(1)};
	return at;
}

static void put_row(Multicore *m, Region *r, int k, Sub i, Sub row)
{
	Sub arr = region_param(r, k);
	r->next.at[k] = b_update(&m->b, arr, whole_rows(sub_type(arr),
		(DimSlice){.fixed = true, .start = i}), row);
}

static void put_rows(Multicore *m, Region *r, int k, Rows rows, Sub val)
{
	Sub arr = region_param(r, k);
	r->next.at[k] = b_update(&m->b, arr, whole_rows(sub_type(arr),
		(DimSlice){false, rows.lo, rows.len, sub_i64(1)}), val);
}

static Sub some_rows(Multicore *m, Sub arr, Rows rows)
{
	return b_slice(&m->b, arr, whole_rows(sub_type(arr),
		(DimSlice){false, rows.lo, rows.len, sub_i64(1)}));
}

// ---- Lambdas ----

// The body of a copy of the lambda, on these arguments.
Subs inline_lambda(Multicore *m, const Lambda *f, Subs args)
{
	const Lambda *copy = lambda_rename(f);
	for (int i = 0; i < args.len; i++) {
		Var p = copy->params.at[i];
		Exp *e = vars[p.id].type.unique && is_array(vars[p.id].type)
		       ? NEW(Exp, .form = E_copy, .copy = {args.at[i]})
		       : NEW(Exp, .form = E_atom, .atom = {args.at[i]});
		vars[p.id].type.unique = false;
		b_stm(&m->b, vars_of(1, p), e);
	}
	for EACH(Stm, s, copy->body.stms)
		b_emit(&m->b, *s);
	return copy->body.res;
}

// A copy with parameters that do not consume, for the rows belong to arrays around the region.
static Lambda *borrowing(const Lambda *f)
{
	Lambda *copy = lambda_rename(f);
	Build b = {0};
	b_open(&b);
	for EACH(Var, p, copy->params) {
		Type t = vars[p->id].type;
		if (!t.unique)
			continue;
		Var row = var_new(vars[p->id].hint, shared(t));
		vars[p->id].type.unique = false;
		b_stm(&b, vars_of(1, *p), NEW(Exp, .form = E_copy, .copy = {sub_var(row)}));
		*p = row;
	}
	for EACH(Stm, s, copy->body.stms)
		b_emit(&b, *s);
	copy->body = b_close(&b, copy->body.res);
	return copy;
}

static Reductions copy_operators(Reductions rs)
{
	Reductions out = SLICE_DUP(Reductions, rs);
	for EACH(Reduction, r, out)
		r->op = lambda_rename(r->op);
	return out;
}

static int n_values(Reductions rs)
{
	int n = 0;
	for EACH(Reduction, r, rs)
		n += r->ne.len;
	return n;
}

// ---- Values of chunks, combined ----

static Sub one_row(Multicore *m, Sub arr, Sub i)
{
	return b_index(&m->b, arr, subs_of(1, i));
}

// Results that share memory with nothing: those of an operator may be its operands.
static void own_results(Multicore *m, const Lambda *op, Subs res)
{
	for (int i = 0; i < res.len; i++) {
		bool own = gives_fresh(&op->body, op->body.res.at[i]);
		for (int k = 0; k < i; k++)
			own &= !sub_eq(op->body.res.at[i], op->body.res.at[k]);
		if (is_array(sub_type(res.at[i])) && !own)
			res.at[i] = b_copy(&m->b, res.at[i]);
	}
}

static Subs combine_parts(Multicore *m, const Lambda *op, Subs parts, Sub n_chunks)
{
	Build *b = &m->b;
	int k = parts.len;
	Exp *e = NEW(Exp, .form = E_loop, .loop = {.params = {NEW_ARRAY(Var, k), k},
		.inits = {NEW_ARRAY(Sub, k), k}, .i = var_new(name_of("c"), type_scalar(PT_I64)),
		.n = b_sub(b, n_chunks, sub_i64(1))});
	Vars pat = {NEW_ARRAY(Var, k), k};
	Subs out = {NEW_ARRAY(Sub, k), k}, so_far = {NEW_ARRAY(Sub, k), k};
	for (int i = 0; i < k; i++) {
		Sub first = one_row(m, parts.at[i], sub_i64(0));
		Type t = shared(sub_type(first)), param = t;
		param.unique = is_array(t);
		e->loop.inits.at[i] = is_array(t) ? b_copy(b, first) : first;
		e->loop.params.at[i] = var_new(name_of("all"), param);
		so_far.at[i] = sub_var(e->loop.params.at[i]);
		pat.at[i] = var_new(name_of("all"), t);
		out.at[i] = sub_var(pat.at[i]);
	}
	b_open(b);
	Sub at = b_add(b, sub_var(e->loop.i), sub_i64(1));
	Subs next = {NEW_ARRAY(Sub, k), k};
	for (int i = 0; i < k; i++)
		next.at[i] = one_row(m, parts.at[i], at);
	Subs res = inline_lambda(m, op, subs_cat(so_far, next));
	own_results(m, op, res);
	e->loop.body = b_close(b, res);
	b_stm(b, pat, e);
	return out;
}

// ---- The parts of a screma ----

typedef struct {
	Multicore *m;
	const Exp *e;                           // the screma
	int n_scan, n_red;                      // values of scans and reductions
	Sub n_chunks, size;
	bool flat;
	Subs carry;                             // for each value of the scans: the running values
} Job;

static int find_acc(const Exp *e, Type t)
{
	for (int k = 0; k < e->screma.arrs.len; k++) {
		Type of = sub_type(e->screma.arrs.at[k]);
		if (of.kind == T_ACC && of.acc->token.id == t.acc->token.id)
			return k;
	}
	bug("an accumulator comes from nowhere");
}

static const AccInput *input_of(const Multicore *m, Type acc)
{
	return map_get(&m->inputs, var_key(acc.acc->token));
}

static bool is_private(const Multicore *m, Type t)
{
	return t.kind == T_ACC && input_of(m, t)->op;
}

// ---- Scans: the running values ----

// \rows -> only the inputs of the scans, which become reductions.
static Exp *only_scans(const Job *j, Sub len, Subs rows)
{
	Lambda *f = borrowing(j->e->screma.map);
	f->ret.len = f->body.res.len = j->n_scan;
	return NEW(Exp, .form = E_screma, .screma = {.n = len, .arrs = rows, .map = f,
		.reds = copy_operators(j->e->screma.scans)});
}

static Subs rows_of_inputs(const Job *j, Rows rows)
{
	Subs arrs = SLICE_DUP(Subs, j->e->screma.arrs);
	for EACH(Sub, a, arrs)
		if (sub_type(*a).kind != T_ACC)
			*a = some_rows(j->m, *a, rows);
	return arrs;
}

static Types first_types(Types ts, int n)
{
	return (Types){ts.at, n};
}

static Subs totals_of_chunks(Job *j)
{
	Multicore *m = j->m;
	Sub n = j->e->screma.n;
	Types ret = j->e->screma.map->ret;
	Region r = region_new(b_sub(&m->b, j->n_chunks, sub_i64(1)));
	for (int i = 0; i < j->n_scan; i++)
		region_carry(&r, "totals", scratch_for_chunks(m, ret.at[i], j->n_chunks));
	b_open(&m->b);
	Rows rows = chunk_rows(m, sub_var(r.c), j->size, n);
	Subs made = b_lets(&m->b, "total", first_types(ret, j->n_scan),
	                   only_scans(j, rows.len, rows_of_inputs(j, rows)));
	for (int i = 0; i < j->n_scan; i++)
		put_row(m, &r, i, sub_var(r.c), made.at[i]);
	return region_close(m, &r);
}

// totals[c] becomes the value of all chunks up to c.
static Subs running_values(Job *j, const Reduction *scan, Subs totals)
{
	Multicore *m = j->m;
	Build *b = &m->b;
	int k = totals.len;
	Region r = region_new(b_sub(b, j->n_chunks, sub_i64(2)));
	for EACH(Sub, t, totals)
		region_carry(&r, "totals", *t);
	b_open(b);
	Sub at = b_add(b, sub_var(r.c), sub_i64(1));
	Subs args = {NEW_ARRAY(Sub, 2 * k), 2 * k};
	for (int i = 0; i < k; i++) {
		args.at[i] = one_row(m, region_param(&r, i), sub_var(r.c));
		args.at[k + i] = one_row(m, region_param(&r, i), at);
	}
	Subs res = inline_lambda(m, scan->op, args);
	for (int i = 0; i < k; i++)
		put_row(m, &r, i, at, res.at[i]);
	return region_close_sequential(m, &r);
}

static void make_running_values(Job *j)
{
	Subs totals = totals_of_chunks(j);
	j->carry = (Subs){NEW_ARRAY(Sub, j->n_scan), 0};
	int at = 0;
	for EACH(Reduction, r, j->e->screma.scans) {
		Subs running = running_values(j, r, (Subs){totals.at + at, r->ne.len});
		for EACH(Sub, t, running)
			j->carry.at[j->carry.len++] = *t;
		at += r->ne.len;
	}
}

// The scans of chunk c begin with what the chunks before give.
static Reductions scans_of_chunk(Job *j, Sub c)
{
	Build *b = &j->m->b;
	Reductions scans = copy_operators(j->e->screma.scans);
	int at = 0;
	for EACH(Reduction, r, scans) {
		r->ne = SLICE_DUP(Subs, r->ne);
		for EACH(Sub, ne, r->ne) {
			Sub first = b_eq(b, c, sub_i64(0));
			b_open(b);
			Sub before = one_row(j->m, j->carry.at[at++], b_sub(b, c, sub_i64(1)));
			Body no = b_close(b, subs_of(1, before));
			*ne = b_let(b, "before", sub_type(*ne), NEW(Exp, .form = E_if_,
				.if_ = {first, {.res = subs_of(1, *ne)}, no}));
		}
	}
	return scans;
}

// ---- The work of a chunk ----

static void replace_sub(Visit *v, Sub *s)
{
	const Sub *to = s->kind == S_VAR ? map_get(v->ctx, var_key(s->var)) : NULL;
	if (to)
		*s = *to;
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
		out.at[i] = b_let(&m->b, "mine", t, NEW(Exp, .form = E_replicate,
			.replicate = {in->space, ne}));
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
	map_put(&p->tokens, var_key(t.acc->token), NEW(Sub, S_VAR, {.var = token}));
	p->arrs.at[k] = sub_var(p->params.at[n + at]);
}

static Private private_accs(const Job *j, Subs rows)
{
	int n = 0, at = 0;
	for EACH(Sub, a, rows)
		n += is_private(j->m, sub_type(*a));
	Private p = {.inputs = {NEW_ARRAY(AccInput, n + 1), n}, .params = {NEW_ARRAY(Var, 2 * n + 1), 2 * n},
	             .ret = {NEW_ARRAY(Type, n + 1), n}, .arrs = rows};
	for (int k = 0; k < rows.len; k++)
		if (is_private(j->m, sub_type(j->e->screma.arrs.at[k])))
			add_private_acc(j, &p, k, at++, n);
	return p;
}

static Types types_of_results(const Job *j, const Lambda *f, Sub len)
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
	Visit v = {.sub = replace_sub, .copy = true, .ctx = (void *)&p->tokens};
	lambda_visit(&f, &v);
	Exp *e = NEW(Exp, .form = E_screma, .screma = {.n = rows.len, .arrs = p->arrs, .map = f,
		.scans = j->n_scan ? scans_of_chunk((Job *)j, c) : (Reductions){0},
		.reds = copy_operators(j->e->screma.reds)});
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
			if (sub_type(made.at[i]).kind == T_ACC &&
			    sub_type(made.at[i]).acc->token.id == p->params.at[k].id)
				VEC_PUSH(&accs, made.at[i]);
	Types types = SLICE_DUP(Types, p->ret), results = {0};
	VEC(Type) all = {0}, pattern = {0};
	for EACH(Type, t, types)
		VEC_PUSH(&all, *t);
	for EACH(AccInput, in, p->inputs)
		for EACH(Sub, a, in->arrs)
			VEC_PUSH(&pattern, shared(sub_type(*a)));
	for (int i = 0; i < ret.len; i++)
		if (!is_private(j->m, ret.at[i])) {
			VEC_PUSH(&others, made.at[i]);
			VEC_PUSH(&all, sub_type(made.at[i]));
			VEC_PUSH(&pattern, sub_type(made.at[i]));
		}
	results = VEC_SLICE(Types, all);
	Body body = b_close(b, subs_cat(VEC_SLICE(Subs, accs), VEC_SLICE(Subs, others)));
	Lambda *fn = NEW(Lambda, .params = p->params, .ret = results, .body = body);
	Subs got = b_lets(b, "made", VEC_SLICE(Types, pattern), NEW(Exp, .form = E_withacc,
		.withacc = {.inputs = p->inputs, .fn = fn}));
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
	out.plain = p.inputs.len ? emit_with_accs(j, c, rows, &p, &out) : emit_screma(j, c, rows, &p);
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
		for EACH(Type, el, t.acc->elems)
			region_carry(r, "private", scratch(m, "private", type_of_rows(j->n_chunks,
				type_array(el->elem, subs_cat(in->space, el->dims)))));
	} else if (t.kind == T_ACC) {
		region_carry(r, "acc", e->screma.arrs.at[find_acc(e, t)]);
	} else if (i >= j->n_scan && i < j->n_scan + j->n_red) {
		region_carry(r, "parts", scratch_for_chunks(m, t, j->n_chunks));
	} else {
		region_carry(r, "out", scratch(m, "out", type_of_rows(e->screma.n, t)));
	}
}

static void put_result(Job *j, Region *r, int i, int at, Rows rows, const Made *made)
{
	Type t = j->e->screma.map->ret.at[i];
	if (is_private(j->m, t))
		for (int k = 0; k < made->arrays[i].len; k++)
			put_row(j->m, r, at + k, sub_var(r->c), made->arrays[i].at[k]);
	else if (t.kind == T_ACC)
		r->next.at[at] = made->plain.at[i];
	else if (i >= j->n_scan && i < j->n_scan + j->n_red)
		put_row(j->m, r, at, sub_var(r->c), made->plain.at[i]);
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
				(Subs){after.at + carried[i], ret.at[i].acc->elems.len}, j->n_chunks);
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

static Subs emit_region(Job *j)
{
	Multicore *m = j->m;
	Types ret = j->e->screma.map->ret;
	int *carried = NEW_ARRAY(int, ret.len);
	if (j->n_scan)
		make_running_values(j);
	Region r = region_new(j->n_chunks);
	for (int i = 0; i < ret.len; i++)
		carry_result(j, &r, i, carried);
	b_open(&m->b);
	Rows rows = chunk_rows(m, sub_var(r.c), j->size, j->e->screma.n);
	Made made = work_on_rows(j, sub_var(r.c), rows, &r, carried);
	for (int i = 0; i < ret.len; i++)
		put_result(j, &r, i, carried[i], rows, &made);
	return results_of(j, region_close(m, &r), carried);
}

// ---- Which SOACs ----

static void look_for_traces(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms)
		*(bool *)v->ctx |= s->exp->form == E_trace;
	body_visit(b, v);
}

// Output is in the order of the program.
static bool has_traces(const Exp *e)
{
	bool found = false;
	Visit v = {.body = look_for_traces, .ctx = &found};
	exp_visit((Exp *)e, &v); // a walk: writes nothing
	return found;
}

static bool values_are_scalars(Reductions rs)
{
	for EACH(Reduction, r, rs)
		for EACH(Sub, ne, r->ne)
			if (is_array(sub_type(*ne)))
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

static bool suits(const Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	for EACH(Type, t, e->screma.map->ret)
		if (t->kind == T_ACC && !input_of(m, *t))
			return false;
	if (e->screma.scans.len &&
	    (has_kind(m, e->screma.map->ret, false) || !values_are_scalars(e->screma.scans)))
		return false;
	return !has_attr(s->attrs, "sequential") && !has_attr(s->attrs, "sequential_outer") &&
	       !has_traces(e) && !(e->screma.n.kind == S_CONST && e->screma.n.val.i < 2);
}

// ---- Scans that are followed by writes ----

static Subs inputs_of(const Exp *e, Sub *n)
{
	*n = e->form == E_screma ? e->screma.n : e->form == E_hist ? e->hist.n : e->scatter.n;
	return e->form == E_screma ? e->screma.arrs : e->form == E_hist ? e->hist.arrs
	     : e->scatter.arrs;
}

static bool is_among(Subs xs, Var v)
{
	for EACH(Sub, x, xs)
		if (x->kind == S_VAR && x->var.id == v.id)
			return true;
	return false;
}

// A cheap scan whose result says where another SOAC writes, as in `filter`, is one quick loop
// with that (fuse_loops); two regions would take longer.  Both are left alone.
static void note_quick_scans(Multicore *m, const Body *b)
{
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (s->exp->form != E_screma || n_values(s->exp->screma.scans) != 1 ||
		    has_loops(&s->exp->screma.map->body))
			continue;
		for (int k = i + 1; k < b->stms.len; k++) {
			const Exp *e = b->stms.at[k].exp;
			Sub n;
			if (e->form != E_hist && e->form != E_scatter)
				continue;
			if (is_among(inputs_of(e, &n), s->pat.at[0]) && sub_eq(n, s->exp->screma.n)) {
				map_put(&m->left, var_key(s->pat.at[0]), m);
				map_put(&m->left, var_key(b->stms.at[k].pat.at[0]), m);
			}
		}
	}
}

// A scan of what is costly to compute: that is done by a region of its own.
static bool is_costly_scan(const Stm *s)
{
	return s->exp->form == E_screma && s->exp->screma.scans.len &&
	       has_loops(&s->exp->screma.map->body);
}

// \(xs) -> xs on values of these types.
static Lambda *identity(Types ts)
{
	Lambda *f = NEW(Lambda, .params = {NEW_ARRAY(Var, ts.len), ts.len}, .ret = ts,
	                .body = {.res = {NEW_ARRAY(Sub, ts.len), ts.len}});
	for (int i = 0; i < ts.len; i++) {
		f->params.at[i] = var_new(name_of("x"), ts.at[i]);
		f->body.res.at[i] = sub_var(f->params.at[i]);
	}
	return f;
}

static void split_scan(Multicore *m, const Stm *s)
{
	Stm map = *s, scan = *s;
	Exp *e = map.exp = mem_dup(s->exp, sizeof *s->exp);
	int k = n_values(e->screma.scans), n_red = n_values(e->screma.reds), n = s->pat.len;
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
	scan.exp = NEW(Exp, .form = E_screma, .screma = {.n = e->screma.n, .arrs = inputs,
		.map = identity(SLICE_DUP(Types, ((Types){ret.at, k}))), .scans = e->screma.scans});
	scan.pat = (Vars){s->pat.at, k < n ? k : n};
	e->screma.scans = (Reductions){0};
	multicore_stm(m, &map);
	multicore_stm(m, &scan);
}

// Work that is known to be too little for a region; rts/c/parallel.h has the same number.
enum { LEAST_WORK = 1 << 16 };

// ---- With a choice at run time ----

static Sub extra_work(const Job *j)
{
	Build *b = &j->m->b;
	Sub extra = sub_i64(0);
	for EACH(Type, t, j->e->screma.map->ret)
		if (is_private(j->m, *t))
			for EACH(Type, el, t->acc->elems)
				extra = b_add(b, extra, count_elements(b,
					subs_cat(input_of(j->m, *t)->space, el->dims)));
	for EACH(Reduction, r, j->e->screma.reds)
		for EACH(Sub, ne, r->ne)
			if (is_array(sub_type(*ne)))
				extra = b_add(b, extra, count_elements(b, sub_type(*ne).dims));
	return extra;
}

// The screma as it was.
static Body unchanged(Job *j, const Stm *s)
{
	Build *b = &j->m->b;
	Exp *e = mem_dup(s->exp, sizeof *s->exp);
	e->screma.map = lambda_rename(e->screma.map);
	e->screma.reds = copy_operators(e->screma.reds);
	Types ts = {NEW_ARRAY(Type, s->pat.len), s->pat.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = vars[s->pat.at[i].id].type;
	b_open(b);
	return b_close(b, b_lets(b, "made", ts, e));
}

static void emit_choice(Job *j, const Stm *s)
{
	Build *b = &j->m->b;
	Sub one = b_eq(b, j->n_chunks, sub_i64(1));
	Body yes = unchanged(j, s);
	b_open(b);
	j->size = chunk_size(j->m, j->e->screma.n, j->n_chunks, j->flat);
	Subs res = emit_region(j);
	Body no = b_close(b, res);
	b_stm(b, s->pat, NEW(Exp, .form = E_if_, .if_ = {one, yes, no}));
}

static void emit_plain(Job *j, const Stm *s)
{
	Build *b = &j->m->b;
	j->size = chunk_size(j->m, j->e->screma.n, j->n_chunks, j->flat);
	Subs res = emit_region(j);
	for (int i = 0; i < s->pat.len; i++)
		b_stm(b, vars_of(1, s->pat.at[i]), NEW(Exp, .form = E_atom, .atom = {res.at[i]}));
}

static void multicore_screma(Multicore *m, const Stm *s)
{
	const Exp *e = s->exp;
	Job j = {.m = m, .e = e, .n_scan = n_values(e->screma.scans), .n_red = n_values(e->screma.reds)};
	Build *b = &m->b;
	if (!suits(m, s)) {
		b_emit(b, *s);
		return;
	}
	m->has_regions = true;
	Sub work = work_of_rows(b, e);
	if (work.kind == S_CONST && work.val.i < LEAST_WORK) {
		b_emit(b, *s);
		return;
	}
	j.flat = !has_loops(&e->screma.map->body);
	j.n_chunks = emit_chunks(m, e->screma.n, work, extra_work(&j));
	if (has_kind(m, e->screma.map->ret, true) || !values_are_scalars(e->screma.reds))
		emit_choice(&j, s);
	else
		emit_plain(&j, s);
}

// ---- Statements, bodies ----

static Body multicore_body(Multicore *m, const Body *b)
{
	b_open(&m->b);
	note_quick_scans(m, b);
	for EACH(Stm, s, b->stms)
		multicore_stm(m, s);
	return b_close(&m->b, b->res);
}

static void multicore_withacc(Multicore *m, const Stm *s)
{
	Stm t = *s;
	AccInputs inputs = s->exp->withacc.inputs;
	Lambda *fn = mem_dup(s->exp->withacc.fn, sizeof *fn);
	for (int i = 0; i < inputs.len; i++)
		map_put(&m->inputs, var_key(fn->params.at[i]), &inputs.at[i]);
	fn->body = multicore_body(m, &fn->body);
	t.exp = NEW(Exp, .form = E_withacc, .withacc = {.inputs = inputs, .fn = fn});
	b_emit(&m->b, t);
}

static void multicore_control(Multicore *m, const Stm *s)
{
	Stm t = *s;
	Exp *e = t.exp = mem_dup(s->exp, sizeof *s->exp);
	if (e->form == E_if_) {
		e->if_.yes = multicore_body(m, &e->if_.yes);
		e->if_.no = multicore_body(m, &e->if_.no);
	} else if (e->form == E_loop) {
		e->loop.body = multicore_body(m, &e->loop.body);
	} else {
		e->match.cases = SLICE_DUP(CoreCases, e->match.cases);
		for EACH(CoreCase, c, e->match.cases)
			c->body = multicore_body(m, &c->body);
		e->match.other = multicore_body(m, &e->match.other);
	}
	b_emit(&m->b, t);
}

static Stm calls_alone(Multicore *, const Stm *);

static void multicore_form(Multicore *m, const Stm *old)
{
	Stm t, plain = calls_alone(m, old), *s = &plain;
	if (s->pat.len && map_has(&m->left, var_key(s->pat.at[0]))) {
		b_emit(&m->b, *s);
		return;
	}
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
	case E_rearrange: case E_copy: case E_array: case E_flatmap: case E_upd_acc: case E_jvp:
	case E_vjp: case E_with_vjp: case E_assert_: case E_trace: case E_opaque: case E_alloc:
	case E_release: case N_FORM:
		b_emit(&m->b, *s);
		return;
	}
}

static void multicore_stm(Multicore *m, const Stm *s)
{
	Build outer = m->b;
	m->b.where = s->where;
	m->b.certs = s->certs;
	m->b.attrs = (Attributes){0};
	multicore_form(m, s);
	m->b.where = outer.where;
	m->b.certs = outer.certs;
	m->b.attrs = (Attributes){0};
}

// ---- Functions ----

static void other_callee(Visit *v, Fun **f)
{
	Fun *to = map_get(v->ctx, *f);
	if (to)
		*f = to;
}

// What SOACs call has no regions.
static Stm calls_alone(Multicore *m, const Stm *s)
{
	Stm t = *s;
	if (form_has(s->exp->form, FORM_SOAC) || s->exp->form == E_with_vjp) {
		Visit v = {.fun = other_callee, .copy = true, .ctx = &m->alone};
		t.exp = exp_visit(s->exp, &v);
	}
	return t;
}

typedef struct { Map funs; Map renamed; } Alone;  // funs: as calls_alone has them

static void rename_sub(Visit *v, Sub *s)
{
	Alone *a = v->ctx;
	const Sub *to = s->kind == S_VAR ? map_get(&a->renamed, var_key(s->var)) : NULL;
	if (to)
		*s = *to;
}

static void rename_binder(Visit *v, Var *x)
{
	Alone *a = v->ctx;
	Var old = *x;
	*x = var_new(vars[old.id].hint, vars[old.id].type);
	map_put(&a->renamed, var_key(old), NEW(Sub, S_VAR, {.var = *x}));
}

static void rename_callee(Visit *v, Fun **f)
{
	*f = map_get(&((Alone *)v->ctx)->funs, *f);
}

static void make_alone(Fun *to, const Fun *from, Alone *a)
{
	Visit v = {.sub = rename_sub, .bind = rename_binder, .fun = rename_callee, .copy = true,
	           .ctx = a};
	Fun *copy = (Fun *)from; // replaced by its copy before anything is written
	fun_visit(&copy, &v);
	*to = *copy;
	to->name = name_of(text("%s.alone", from->name));
	to->entry = NULL;
	to->attrs = from->entry ? attribute(ATTR_APART) : from->attrs;
}

// See Note [Alone].
static Body choose_version(Multicore *m, const Fun *f, const Fun *alone, Body regions)
{
	Build *b = &m->b;
	Sub work;
	b_open(b);
	if (!work_of_fun(b, f, &work))
		work = sub_i64(INT64_MAX / 2);
	Sub one = b_eq(b, emit_chunks(m, sub_i64(MOST_CHUNKS), work, sub_i64(0)), sub_i64(1));
	Alone a = {0};
	Visit v = {.sub = rename_sub, .bind = rename_binder, .copy = true, .ctx = &a};
	Fun *copy = NEW(Fun, .res = f->res);
	fun_visit(&copy, &v);
	Subs args = {NEW_ARRAY(Sub, f->params.len), f->params.len};
	Subs made = {NEW_ARRAY(Sub, f->res.len), f->res.len}, out = made;
	for (int i = 0; i < args.len; i++)
		args.at[i] = sub_var(f->params.at[i]);
	for (int i = 0; i < made.len; i++)
		made.at[i] = sub_var(copy->res.at[i]);
	b_open(b);
	b_stm(b, copy->res, NEW(Exp, .form = E_call, .call = {.fn = (Fun *)alone, .args = args}));
	Body yes = b_close(b, made);
	copy = NEW(Fun, .res = f->res);
	fun_visit(&copy, &v);
	out = SLICE_DUP(Subs, made);
	for (int i = 0; i < out.len; i++) {
		vars[copy->res.at[i].id].type.unique = false;
		out.at[i] = sub_var(copy->res.at[i]);
	}
	b_stm(b, copy->res, NEW(Exp, .form = E_if_, .if_ = {one, yes, regions}));
	return b_close(b, out);
}

Prog *multicore(Prog *prog)
{
	Map copies = {0};
	Alone a = {0};
	VEC(Fun *) funs = {0};
	Multicore m = {0};
	for EACH(Fun *, f, prog->funs) {
		Fun *g = mem_dup(*f, sizeof **f), *alone = mem_dup(*f, sizeof **f);
		map_put(&copies, *f, g);
		map_put(&a.funs, *f, alone);
		map_put(&m.alone, g, alone);
		VEC_PUSH(&funs, g);
	}
	int n = funs.len;
	for (int i = 0; i < n; i++) {
		const Fun *f = prog->funs.at[i];
		make_alone(map_get(&a.funs, f), f, &a);
		VEC_PUSH(&funs, map_get(&a.funs, f));
	}
	for (int i = 0; i < n; i++) {
		Fun *g = funs.at[i];
		Visit v = {.fun = other_callee, .copy = true, .ctx = &copies};
		body_visit(&g->body, &v);
		g->body = multicore_body(&m, &g->body);
	}
	for (int i = 0; i < n && m.has_regions; i++)
		if (funs.at[i]->entry)
			funs.at[i]->body = choose_version(&m, prog->funs.at[i], funs.at[n + i],
			                                  funs.at[i]->body);
	return dce(NEW(Prog, .funs = VEC_SLICE(Funs, funs), .stage = prog->stage));
}
