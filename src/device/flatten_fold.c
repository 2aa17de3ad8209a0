// Scans and reductions on devices.
//
//     let (r: f64, ys: [n]f64) = screma n (xs) map=f reduce=(e) op
// becomes
//     #[grid] let (k: i64, ..) = opaque (3, n, least)
//     let (q: i64) = .. n / k, rounded up
//     #[blocks] let (parts: [k]f64, ys: [n]f64) = loop (p, o = scratch) for c: i64 < k do {
//       let (lo: i64) = .. c * q;  let (len: i64) = .. q, less at the end
//       #[threads] let (s: f64, o2: [n]f64) = loop (a: f64 = e, o1 = o) for j: i64 < len do {
//         let (x: f64) = index xs [lo + j]
//         let (v: f64, y: f64) = .. f x
//         let (b: f64) = call op (a, v)
//         in b, o1 with [lo + j] = y
//       }
//       in p with [c] = s, o2
//     }
//     let (r: f64) = .. with k > 1, one block does the same with parts; else parts[0]
//
// In a nest, each row has k blocks: one, unless there are few rows.  The block index is decomposed
// into the row and the part of the row.
//
// A scan has one part per row.  If that gives too few blocks, code generation uses several blocks
// per row, which pass on their prefixes (chained scan, src/gen/kchain.c).
#include "device/flatten.h"

// Parts of light elements begin at a multiple of so many, as what memory gives at once does.
enum { ALIGNED = 32 };

static bool has_loops(const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (form_has(e->form, FORM_SOAC) || e->form == E_loop ||
		    (e->form == E_if_ && (has_loops(&e->if_.yes) || has_loops(&e->if_.no))))
			return true;
	}
	return false;
}

bool is_light(const Body *b)
{
	enum { MOST = 24 };
	for EACH(Stm, s, b->stms) {
		Form form = s->exp->form;
		if (form == E_call || form == E_withacc || form == E_upd_acc)
			return false;
	}
	return !has_loops(b) && b->stms.len <= MOST;
}

static bool are_scalar(Reductions rs)
{
	for EACH(Reduction, r, rs)
		if (!is_scalar_operator(r->op))
			return false;
	return true;
}

bool is_scalar_fold(const Exp *e)
{
	return are_scalar(e->screma.scans) && are_scalar(e->screma.reds);
}

// ---- A screma on its way ----

typedef struct {
	Flatten *f;
	const Level *nest;
	const Exp *e;
	Vars certs;
	int n_scan, n_red;
	Operator *ops;                          // of the scans, then of the reductions
	Sub k, q;                               // parts of each row, elements of a part
} Fold;

static Build *builder(const Fold *x)
{
	return &x->f->b;
}

Sub emit_grid(Flatten *f, Sub n, int64_t least)
{
	Vars pat = vars_of(3, var_i64("blocks"), var_i64("rows"), var_i64("least"));
	f->b.attrs = attr_of(ATTR_GRID);
	b_stm(&f->b, pat, EXP(opaque, subs_of(3, sub_i64(3), n, sub_i64(least))));
	return sub_var(pat.at[0]);
}

// Elements that a block has at least.
static int64_t least_elements(const Exp *e)
{
	const Body *body = &e->screma.map->body;
	return threshold(is_light(body) ? AT_block_light
	                 : has_loops(body) ? AT_block_loops : AT_block_heavy);
}

Sub blocks_of_row(Flatten *f, const Level *nest, const Exp *e)
{
	Build *b = &f->b;
	Sub n = e->screma.n, rows = nest_size(f, nest);
	int64_t least = least_elements(e);
	if (e->screma.scans.len || (n.kind == S_CONST && n.val.i <= least))
		return sub_i64(1);
	Sub k = emit_grid(f, b_mul(b, rows, n), least);
	if (nest)       // rows may be 0
		k = b_prim2(b, P_max, sub_i64(1), b_prim2(b, P_quot, k,
			b_prim2(b, P_max, rows, sub_i64(1))));
	return k;
}

static void choose_parts(Fold *x)
{
	Build *b = builder(x);
	x->q = x->e->screma.n;
	x->k = blocks_of_row(x->f, x->nest, x->e);
	if (sub_eq(x->k, sub_i64(1)))
		return;
	x->q = b_prim2(b, P_quot, b_add(b, x->q, b_sub(b, x->k, sub_i64(1))), x->k);
	if (is_light(&x->e->screma.map->body))
		x->q = b_mul(
			b,
			b_prim2(b, P_quot, b_add(b, x->q, sub_i64(ALIGNED - 1)), sub_i64(ALIGNED)),
			sub_i64(ALIGNED));
}

// ---- The part of a block ----

typedef struct {
	DevLoop blocks, threads;
	Inside in;
	Sub c, lo;                              // the part and its first element
	Subs at;                                // the row of the nest
	Sub i;                                  // the element, in the threads
} Part;

static Subs cat(Subs a, Sub x)
{
	return subs_cat(a, subs_of(1, x));
}

// Opens the loop over blocks.
static Part open_blocks(Fold *x, Sub n_parts, Subs carried)
{
	Build *b = builder(x);
	Sub total = b_mul(b, nest_size(x->f, x->nest), n_parts);
	Part p = {.blocks = dev_open(&x->f->b, ATTR_BLOCKS, total, carried)};
	Sub t = sub_var(p.blocks.i);
	bool one = sub_eq(n_parts, sub_i64(1));
	if (x->nest && !one) {
		p.c = b_prim2(b, P_rem, t, n_parts);
		t = b_prim2(b, P_quot, t, n_parts);
	} else {
		p.c = x->nest ? sub_i64(0) : t;
	}
	p.at = unflatten(x->f, x->nest, t);
	p.in = inside_open(x->f, x->nest, p.at, &x->e->screma.map->body);
	inside_certs(&p.in, x->certs);
	return p;
}

// Opens the loop over the elements from lo on.
static void open_threads(Fold *x, Part *p, Sub lo, Sub len, Subs carried)
{
	p->threads = dev_open(&x->f->b, ATTR_THREADS, len, carried);
	p->i = b_add(builder(x), lo, sub_var(p->threads.i));
}

static Sub length_of_part(Fold *x, Part *p)
{
	Build *b = builder(x);
	if (sub_eq(x->k, sub_i64(1))) {
		p->lo = sub_i64(0);
		return x->e->screma.n;
	}
	p->lo = b_mul(b, p->c, x->q);
	// the last parts may have none
	Sub rest = b_prim2(b, P_max, sub_i64(0), b_sub(b, x->e->screma.n, p->lo));
	return b_prim2(b, P_min, x->q, rest);
}

// The results of the map function for the element, as its threads see it.
static Subs do_map(Fold *x, Part *p, Subs accs)
{
	const Exp *e = x->e;
	const Lambda *map = lambda_rename(e->screma.map);
	int at = 0;
	for (int k = 0; k < map->params.len; k++) {
		Var v = map->params.at[k];
		if (vars[v.id].type.kind == T_ACC) {
			inside_set(&p->in, v, accs.at[at++]);
			continue;
		}
		Sub row = inside_row(&p->in, e->screma.arrs.at[k], p->i);
		if (vars[v.id].type.unique && sub_type(row).dims.len)
			row = b_copy(builder(x), row);
		inside_set(&p->in, v, row);
	}
	return inside_body(&p->in, map->body);
}

// What is free in the map function comes into scope before the threads begin.
static void bind_before(Fold *x, Part *p)
{
	Vars free = free_in_lambda(x->e->screma.map);
	for EACH(Var, v, free)
		if (vars[v->id].type.kind != T_ACC)
			inside_sub(&p->in, sub_var(*v));
	for (int i = 0; i < x->e->screma.scans.len + x->e->screma.reds.len; i++)
		for EACH(Var, v, x->ops[i].free)
			inside_sub(&p->in, sub_var(*v));
}

static Subs neutral(Part *p, Reductions rs)
{
	SubVec out = {0};
	for EACH(Reduction, r, rs)
		for EACH(Sub, ne, r->ne)
			VEC_PUSH(&out, inside_sub(&p->in, *ne));
	return VEC_SLICE(Subs, out);
}

// The next values of these operators; `ops` are theirs.
static Subs combine(Fold *x, Part *p, Reductions rs, const Operator *ops, Subs so_far, Subs vals,
                    bool scan)
{
	SubVec out = {0};
	int at = 0;
	for (int i = 0; i < rs.len; i++) {
		int k = rs.at[i].ne.len;
		Subs res = call_operator(x->f, &ops[i], (Subs){so_far.at + at, k},
			(Subs){vals.at + at, k}, &p->in, scan);
		VEC_APPEND(&out, res);
		at += k;
	}
	return VEC_SLICE(Subs, out);
}

static Subs part_of(Subs xs, int from, int n)
{
	return (Subs){xs.at + from, n};
}

static Types value_types(const Fold *x, int from, int n)
{
	return (Types){x->e->screma.map->ret.at + from, n};
}

static Subs scratches(Fold *x, const char *hint, Types ts, const Level *nest, const Sub *n)
{
	Subs out = {NEW_ARRAY(Sub, ts.len), ts.len};
	for (int i = 0; i < ts.len; i++)
		out.at[i] = b_scratch(&x->f->b, hint, nest_type(nest,
			n ? type_of_rows(*n, ts.at[i]) : ts.at[i]));
	return out;
}

// ---- Combining values of parts ----

// parts: [..][k], of the operators rs; results: [..], at host level [1].  One block for each row.
static Subs fold_parts(Fold *x, Reductions rs, const Operator *ops, Subs parts, Types ts)
{
	Sub one = sub_i64(1);
	Subs outs = scratches(x, "all", ts, x->nest, x->nest ? NULL : &one);
	Part p = open_blocks(x, one, outs);
	for (int i = 0; i < rs.len; i++)
		for EACH(Var, v, ops[i].free)
			inside_sub(&p.in, sub_var(*v));
	open_threads(x, &p, sub_i64(0), x->k, neutral(&p, rs));
	Subs vals = {NEW_ARRAY(Sub, parts.len), parts.len}, all, next;
	for (int i = 0; i < parts.len; i++)
		vals.at[i] = b_index(builder(x), parts.at[i], cat(p.at, p.i));
	all = dev_close(&x->f->b, &p.threads, combine(x, &p, rs, ops,
		subs_of_vars(p.threads.params), vals, false));
	next = (Subs){NEW_ARRAY(Sub, outs.len), outs.len};
	for (int i = 0; i < outs.len; i++)
		next.at[i] = put_at(&x->f->b, sub_var(p.blocks.params.at[i]),
			x->nest ? p.at : subs_of(1, sub_i64(0)), all.at[i]);
	inside_close(&p.in);
	return dev_close(&x->f->b, &p.blocks, next);
}

// The only part there is: all but the last dimension, at host level [1].  As a slice it would look
// different in memory from what several parts give, and be copied.
static Sub only_part(Fold *x, Sub parts)
{
	Subs dims = sub_type(parts).dims;
	Subs one = subs_of(1, sub_i64(1));
	return b_reshape(builder(x), x->nest ? (Subs){dims.at, dims.len - 1} : one, parts);
}

// parts: [..][k]; results [..], or the values themselves at host level.
static Subs finish_reductions(Fold *x, Subs parts)
{
	Build *b = builder(x);
	Reductions rs = x->e->screma.reds;
	const Operator *ops = x->ops + x->e->screma.scans.len;
	Types ts = value_types(x, x->n_scan, x->n_red), arrs = SLICE_DUP(Types, ts);
	Subs out = {NEW_ARRAY(Sub, parts.len), parts.len};
	for EACH(Type, t, arrs)
		*t = nest_type(x->nest, x->nest ? *t : type_of_rows(sub_i64(1), *t));
	if (sub_eq(x->k, sub_i64(1))) {
		for (int i = 0; i < parts.len; i++)
			out.at[i] = only_part(x, parts.at[i]);
	} else {
		Sub more = b_lt(b, sub_i64(1), x->k);
		b_open(b);
		Body yes = b_close(b, fold_parts(x, rs, ops, parts, ts));
		b_open(b);
		for (int i = 0; i < parts.len; i++)
			out.at[i] = only_part(x, parts.at[i]);
		Body no = b_close(b, SLICE_DUP(Subs, out));
		out = b_lets(b, "all", arrs, EXP(if_, more, yes, no));
	}
	for (int i = 0; !x->nest && i < out.len; i++)
		out.at[i] = b_index(b, out.at[i], subs_of(1, sub_i64(0)));
	return out;
}

// ---- All of it ----

// What the blocks carry: arrays of the scans, values of the parts, arrays and accumulators of the
// map.
static Subs carried_by_blocks(Fold *x, Subs *accs)
{
	Types ret = x->e->screma.map->ret;
	Subs out = {NEW_ARRAY(Sub, ret.len), ret.len};
	SubVec all = {0};
	for (int i = 0; i < ret.len; i++) {
		if (ret.at[i].kind != T_ACC) {
			bool red = i >= x->n_scan && i < x->n_scan + x->n_red;
			out.at[i] = scratches(x, red ? "parts" : "out", value_types(x, i, 1),
			                      x->nest, red ? &x->k : &x->e->screma.n).at[0];
			continue;
		}
		for (int k = 0; k < x->e->screma.arrs.len; k++) {
			Sub a = x->e->screma.arrs.at[k];
			Type t = sub_type(a);
			if (t.kind != T_ACC || t.acc->token.id != ret.at[i].acc->token.id)
				continue;
			const Known *known = map_get(&x->f->known, var_key(a.var));
			out.at[i] = known ? known->arr : a;
		}
		VEC_PUSH(&all, out.at[i]);
	}
	*accs = VEC_SLICE(Subs, all);
	return out;
}

// The accumulators among what is carried, in the order of the map function's parameters.
static Subs carried_accs(const Fold *x, Subs carried)
{
	SubVec out = {0};
	const Lambda *map = x->e->screma.map;
	for EACH(Var, v, map->params) {
		Type t = vars[v->id].type;
		for (int i = 0; t.kind == T_ACC && i < map->ret.len; i++)
			if (type_is_acc_of(map->ret.at[i], t.acc->token))
				VEC_PUSH(&out, carried.at[i]);
	}
	return VEC_SLICE(Subs, out);
}

Subs flatten_fold(Flatten *f, const Level *nest, const Exp *e, Vars certs)
{
	Fold x = {.f = f, .nest = nest, .e = e, .certs = certs,
	          .n_scan = n_reduced(e->screma.scans), .n_red = n_reduced(e->screma.reds)};
	int ns = x.n_scan, nr = x.n_red, n = e->screma.map->ret.len, at = 0;
	x.ops = NEW_ARRAY(Operator, e->screma.scans.len + e->screma.reds.len);
	for EACH(Reduction, r, e->screma.scans)
		x.ops[at++] = operator_fun(f, r->op, r->comm);
	for EACH(Reduction, r, e->screma.reds)
		x.ops[at++] = operator_fun(f, r->op, r->comm);
	choose_parts(&x);
	Subs accs;
	Part p = open_blocks(&x, x.k, carried_by_blocks(&x, &accs));
	Subs outer = subs_of_vars(p.blocks.params);
	bind_before(&x, &p);
	Sub len = length_of_part(&x, &p);
	// The threads carry: running values of scans, of reductions, then arrays.
	Subs init = subs_cat(neutral(&p, e->screma.scans), neutral(&p, e->screma.reds));
	Subs arrays = subs_cat(part_of(outer, 0, ns), part_of(outer, ns + nr, n - ns - nr));
	open_threads(&x, &p, p.lo, len, subs_cat(init, arrays));
	Subs now = subs_of_vars(p.threads.params);
	// In the order of the map function's results; those of reductions are not there.
	Subs mine = subs_cat(subs_cat(part_of(now, ns + nr, ns), part_of(now, ns, nr)),
	                     part_of(now, ns + nr + ns, n - ns - nr));
	Subs made = do_map(&x, &p, carried_accs(&x, mine));
	Subs scanned = combine(&x, &p, e->screma.scans, x.ops, part_of(now, 0, ns),
	                       part_of(made, 0, ns), true);
	Subs reduced = combine(&x, &p, e->screma.reds, x.ops + e->screma.scans.len,
	                       part_of(now, ns, nr), part_of(made, ns, nr), false);
	SubVec next = {0};
	for (int i = 0; i < ns; i++)
		VEC_PUSH(&next, scanned.at[i]);
	for (int i = 0; i < nr; i++)
		VEC_PUSH(&next, reduced.at[i]);
	for (int i = 0; i < n; i++) {
		if (i >= ns && i < ns + nr)
			continue;
		bool acc = sub_type(made.at[i]).kind == T_ACC;
		VEC_PUSH(&next, acc ? made.at[i] : put_at(&f->b, mine.at[i], cat(p.at, p.i),
			i < ns ? scanned.at[i] : made.at[i]));
	}
	Subs after = dev_close(&f->b, &p.threads, VEC_SLICE(Subs, next));
	Subs out = {NEW_ARRAY(Sub, n), n};
	for (int i = 0; i < n; i++)
		out.at[i] = i >= ns && i < ns + nr
		          ? put_at(&f->b, outer.at[i], cat(p.at, p.c), after.at[i])
		          : after.at[i < ns ? ns + nr + i : i + ns];
	inside_close(&p.in);
	out = dev_close(&f->b, &p.blocks, out);
	Subs reds = finish_reductions(&x, part_of(out, ns, nr));
	for (int i = 0; i < nr; i++)
		out.at[ns + i] = reds.at[i];
	return out;
}
