// The pass `order_sums`: sums floats in a fixed order on devices (--deterministic).  Histograms
// and accumulators, whose threads would add in any order, become histograms of chunks of rows, one
// thread per chunk, and a fold over the chunks for each bin.
//
//     hist n (xs) op=[k] (d) (e) h map=f
// becomes
//     parts = screma t (iota t) map=\c -> #[sequential]
//         hist len (xs[from:from + len]) op=[k] (replicate [k] e) (e) h map=f
//     screma k (iota k) map=\i ->
//         #[sequential] loop (a = d[i]) for c < t do h a parts[c, i]
//
// The same is done for a withacc whose accumulators pass through maps alone, for one map after the
// other. What such a map gives besides is computed by a map of its own. The number of chunks, and
// thereby the rounding of the sums, depends on n and k only, not on the device or the number of
// blocks it runs.
//
// Cost: t copies of the bins, limited to MOST_COPIES elements if k is smaller than that.
//
// Requires: the SOAC stage.  Ensures: equal results up to the order of additions; does nothing
// unless keep_order_of_sums is set.
#include "loop/loop.h"

#include "opt/opt.h"

bool keep_order_of_sums;

enum { MOST_CHUNKS = 1 << 14, MOST_COPIES = 1 << 26 };

bool stm_rounds(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_call || (e->form == E_convert && is_float(e->convert.to)) ||
	       (e->form == E_prim && is_float(prim_result(e->prim.op, e->prim.at)) &&
	        e->prim.op != P_min && e->prim.op != P_max);
}

// Of one operator: what hist and withacc have in common.
typedef struct { Subs space, dests, ne; Lambda *op; } Bins;
typedef struct { Bins *at; int len; } AllBins;

static AllBins bins_of(const Exp *e)
{
	int n = e->form == E_hist ? e->hist.ops.len : e->withacc.inputs.len;
	AllBins all = {NEW_ARRAY(Bins, n), n};
	for (int i = 0; i < n; i++) {
		if (e->form == E_hist) {
			const HistOp *o = &e->hist.ops.at[i];
			all.at[i] = (Bins){o->space, o->dests, o->ne, o->op};
		} else {
			const AccInput *in = &e->withacc.inputs.at[i];
			all.at[i] = (Bins){in->space, in->arrs, in->ne, in->op};
		}
	}
	return all;
}

// The input whose accumulator this is; -1: another withacc's.
static int input_of(const Lambda *fn, int n_inputs, Var acc)
{
	for (int i = 0; i < n_inputs; i++)
		if (vars[acc.id].type.acc->token.id == fn->params.at[i].id)
			return i;
	return -1;
}

// Is it a map that hands on accumulators of no other withacc?
static bool adds_by_rows(const Lambda *fn, int n_inputs, const Stm *s)
{
	if (s->exp->form != E_screma || s->exp->screma.reds.len || s->exp->screma.scans.len)
		return false;
	for EACH(Var, x, s->pat)
		if (var_is_acc(*x) && input_of(fn, n_inputs, *x) < 0)
			return false;
	return true;
}

// Do the accumulators go through maps alone, one after the other?
static bool adds_in_maps(const Exp *e)
{
	const Lambda *fn = e->withacc.fn;
	int n = e->withacc.inputs.len;
	bool any = false;
	for EACH(const Stm, s, fn->body.stms)
		if (vars_have_acc(s->pat)) {
			if (!adds_by_rows(fn, n, s))
				return false;
			any = true;
		}
	return any;
}

static bool needs_order(const Stm *s)
{
	if ((s->exp->form != E_hist && s->exp->form != E_withacc) ||
	    has_attr(s->attrs, ATTR_SEQUENTIAL))
		return false;
	AllBins all = bins_of(s->exp);
	bool floats = false;
	for (int i = 0; i < all.len; i++) {
		if (!all.at[i].op)              // writes that replace each other
			return false;
		for EACH(Sub, d, all.at[i].dests)
			floats |= is_float(sub_type(*d).elem) &&
			          body_find(&all.at[i].op->body, stm_rounds);
	}
	return floats && (s->exp->form == E_hist || adds_in_maps(s->exp));
}

// ---- Chunks ----

typedef struct { Sub n, count, size; } Chunks;

static Chunks chunks_of(Build *b, Sub n, AllBins all)
{
	Sub bins = sub_i64(1);
	for (int i = 0; i < all.len; i++)
		bins = b_prim2(b, P_max, bins, b_product(b, all.at[i].space));
	Sub room = b_prim2(b, P_quot, sub_i64(MOST_COPIES), bins);
	Sub rows = b_prim2(b, P_quot, n, sub_i64(threshold(AT_ordered_rows)));
	Sub count = b_prim2(b, P_min, b_prim2(b, P_min, rows, room), sub_i64(MOST_CHUNKS));
	Chunks c = {.n = n, .count = b_prim2(b, P_max, count, sub_i64(1))};
	Sub up = b_add(b, n, b_sub(b, c.count, sub_i64(1)));
	c.size = b_prim2(b, P_quot, up, c.count);
	return c;
}

static Subs sliced(Build *b, Subs arrs, Sub from, Sub len)
{
	Subs out = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		out.at[i] = sub_type(arrs.at[i]).kind == T_ACC
		          ? arrs.at[i]
		          : b_slice(b, arrs.at[i], slices_rows(sub_type(arrs.at[i]), from, len));
	return out;
}

static Subs fresh_bins(Build *b, const Bins *of)
{
	Subs out = {NEW_ARRAY(Sub, of->dests.len), of->dests.len};
	for (int k = 0; k < out.len; k++) {
		out.at[k] = of->ne.at[k];
		for (int d = of->space.len; d-- > 0; )
			out.at[k] = b_replicate(b, of->space.at[d], out.at[k]);
	}
	return out;
}

static Exp *hist_of_chunk(Build *b, const Exp *e, AllBins all, Sub from, Sub len)
{
	Exp *out = exp_dup(e);
	out->hist.n = len;
	out->hist.arrs = sliced(b, e->hist.arrs, from, len);
	out->hist.map = lambda_rename(e->hist.map);
	out->hist.ops = SLICE_DUP(HistOps, e->hist.ops);
	for (int i = 0; i < all.len; i++) {
		out->hist.ops.at[i].dests = fresh_bins(b, &all.at[i]);
		out->hist.ops.at[i].op = lambda_rename(all.at[i].op);
	}
	return out;
}

// Of a withacc that has one map alone (one_map).
static Exp *withacc_of_chunk(Build *b, const Exp *e, AllBins all, Sub from, Sub len)
{
	Exp *out = exp_dup(e);
	Lambda *f = lambda_rename(e->withacc.fn);
	out->withacc.fn = f;
	out->withacc.inputs = SLICE_DUP(AccInputs, e->withacc.inputs);
	for (int i = 0; i < all.len; i++) {
		out->withacc.inputs.at[i].arrs = fresh_bins(b, &all.at[i]);
		out->withacc.inputs.at[i].op = lambda_rename(all.at[i].op);
	}
	Stm map = f->body.stms.at[0];
	Exp *rows = exp_dup(map.exp);
	b_open(b);
	rows->screma.n = len;
	rows->screma.arrs = sliced(b, map.exp->screma.arrs, from, len);
	map.exp = rows;
	map.attrs = with_attr(map.attrs, ATTR_SEQUENTIAL);
	b_emit(b, map);
	f->body = b_close(b, f->body.res);
	return out;
}

// The bins of all chunks, with one dimension more.
static Subs bins_of_chunks(Build *b, const Exp *e, AllBins all, Chunks c)
{
	Var at = var_i64("chunk");
	b_open(b);
	Sub from = b_prim2(b, P_min, c.n, b_mul(b, sub_var(at), c.size));
	Sub len = b_prim2(b, P_min, b_sub(b, c.n, from), c.size);
	Exp *own = e->form == E_hist ? hist_of_chunk(b, e, all, from, len)
	                             : withacc_of_chunk(b, e, all, from, len);
	Subs dests = {0};
	for (int i = 0; i < all.len; i++)
		dests = subs_cat(dests, e->form == E_hist ? own->hist.ops.at[i].dests
		                                          : own->withacc.inputs.at[i].arrs);
	Attributes before = b->attrs;
	b->attrs = attr_of(ATTR_SEQUENTIAL);
	Subs made = b_lets(b, "bins", types_of_subs(dests), own);
	b->attrs = before;
	Vars params = {mem_dup(&at, sizeof at), 1};
	Lambda *f = b_lambda(b, params, made);
	return b_map(b, c.count, subs_of(1, b_iota(b, c.count)), f);
}

// ---- The fold over chunks ----

static Subs apply(Build *b, const Lambda *op, Subs args)
{
	Lambda *f = lambda_rename(op);
	for (int i = 0; i < args.len; i++) {
		Vars param = {&f->params.at[i], 1};
		b_stm(b, param, EXP(atom, args.at[i]));
	}
	b_emit_all(b, f->body.stms);
	return f->body.res;
}

static Subs at_index(Build *b, Subs arrs, Subs idx)
{
	Subs out = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int k = 0; k < arrs.len; k++)
		out.at[k] = b_index(b, arrs.at[k], idx);
	return out;
}

static Subs fold_bin(Build *b, const Bins *of, Subs parts, Subs idx, Sub count)
{
	Subs first = at_index(b, of->dests, idx);
	Types types = types_of_subs(first);
	Vars params = {NEW_ARRAY(Var, first.len), first.len};
	for (int k = 0; k < first.len; k++)
		params.at[k] = var_new(name_of("sum"), types.at[k]);
	Var c = var_i64("chunk");
	b_open(b);
	Subs part = at_index(b, parts, subs_cat(subs_of(1, sub_var(c)), idx));
	Subs next = apply(b, of->op, subs_cat(subs_of_vars(params), part));
	Body body = b_close(b, next);
	return b_lets(b, "sum", types, EXP(loop, .params = params, .inits = first, .i = c,
	                                   .n = count, .body = body));
}

static Subs fold_bins(Build *b, const Bins *of, Subs parts, Subs idx, Sub count)
{
	if (idx.len == of->space.len)
		return fold_bin(b, of, parts, idx, count);
	Sub n = of->space.at[idx.len];
	Var i = var_i64("bin");
	b_open(b);
	Subs made = fold_bins(b, of, parts, subs_cat(idx, subs_of(1, sub_var(i))), count);
	Vars params = {mem_dup(&i, sizeof i), 1};
	Lambda *f = b_lambda(b, params, made);
	return b_map(b, n, subs_of(1, b_iota(b, n)), f);
}

// ---- The pass ----

static void order_one(Build *b, Vars pat, const Exp *e, Sub n)
{
	AllBins all = bins_of(e);
	Chunks c = chunks_of(b, n, all);
	Subs parts = bins_of_chunks(b, e, all, c);
	int at = 0;
	for (int i = 0; i < all.len; i++) {
		int k = all.at[i].dests.len;
		Subs made = fold_bins(b, &all.at[i], (Subs){parts.at + at, k}, (Subs){0}, c.count);
		for (int d = 0; d < k; d++) {
			Vars result = {&pat.at[at + d], 1};
			b_stm(b, result, EXP(atom, made.at[d]));
		}
		at += k;
	}
}

static Sub acc_given(const Exp *map, Var result)
{
	int at = subs_find_acc(map->screma.arrs, vars[result.id].type.acc->token);
	if (at < 0)
		bug("a map gives an accumulator that it does not take");
	return map->screma.arrs.at[at];
}

// The map with its accumulators first, and what else it gives, if that is wanted.
static Stm accs_first(const Stm *s, bool others)
{
	const Lambda *f = s->exp->screma.map;
	Stm out = *s;
	out.exp = exp_dup(s->exp);
	Lambda *g = out.exp->screma.map = mem_dup(f, sizeof *f);
	out.pat = SLICE_DUP(Vars, s->pat);
	g->ret = SLICE_DUP(Types, f->ret);
	g->body.res = SLICE_DUP(Subs, f->body.res);
	int n = 0;
	for (int accs = 1; accs >= !others; accs--)
		for (int i = 0; i < s->pat.len; i++) {
			if (var_is_acc(s->pat.at[i]) != accs)
				continue;
			out.pat.at[n] = s->pat.at[i];
			g->ret.at[n] = f->ret.at[i];
			g->body.res.at[n++] = f->body.res.at[i];
		}
	out.pat.len = g->ret.len = g->body.res.len = n;
	return out;
}

// A withacc for this map and the accumulators that it adds to, in the order of its results.
static Exp *one_map(const Exp *e, const AccInputs *now, const Stm *map)
{
	const Lambda *fn = e->withacc.fn;
	int n = 0;
	while (n < map->pat.len && var_is_acc(map->pat.at[n]))
		n++;
	AccInputs inputs = {NEW_ARRAY(AccInput, n), n};
	Vars params = {NEW_ARRAY(Var, 2 * n), 2 * n};
	Types ret = types_of_vars(map->pat);
	for (int i = 0; i < n; i++) {
		int k = input_of(fn, e->withacc.inputs.len, map->pat.at[i]);
		inputs.at[i] = now->at[k];
		params.at[i] = fn->params.at[k];
		params.at[n + i] = acc_given(map->exp, map->pat.at[i]).var;
	}
	Stms stms = {mem_dup(map, sizeof *map), 1};
	Body body = {stms, subs_of_vars(map->pat)};
	Lambda f = {.params = params, .ret = ret, .body = body};
	return EXP(withacc, inputs, lambda_rename(&f));
}

// What the map gives besides accumulators: nothing wants the sums of this one, so that they are not
// computed.
static void emit_values(Build *b, const Exp *e, const AccInputs *now, const Stm *s)
{
	Stm map = accs_first(s, true);
	Exp *one = one_map(e, now, &map);
	AllBins all = bins_of(one);
	VEC(Var) pat = {0};
	for (int i = 0; i < all.len; i++) {
		one->withacc.inputs.at[i].arrs = fresh_bins(b, &all.at[i]);
		for EACH(Sub, d, all.at[i].dests)
			VEC_PUSH(&pat, var_new(name_of("none"), type_plain(sub_type(*d))));
	}
	for (int i = all.len; i < map.pat.len; i++)
		VEC_PUSH(&pat, map.pat.at[i]);
	if (map.pat.len > all.len)
		b_stm(b, VEC_SLICE(Vars, pat), one);
}

// Adds what the map adds: the arrays so far become those with its sums.
static void order_map(Build *b, const Exp *e, AccInputs *now, const Stm *s)
{
	Stm adds = accs_first(s, false), *map = &adds;
	emit_values(b, e, now, s);
	const Exp *one = one_map(e, now, map);
	VEC(Var) pat = {0};
	for EACH(Var, x, map->pat) {
		AccInput *in = &now->at[input_of(e->withacc.fn, now->len, *x)];
		Subs made = {NEW_ARRAY(Sub, in->arrs.len), in->arrs.len};
		for (int k = 0; k < made.len; k++) {
			Var v = var_new(name_of("bins"), type_plain(sub_type(in->arrs.at[k])));
			VEC_PUSH(&pat, v);
			made.at[k] = sub_var(v);
		}
		in->arrs = made;
	}
	order_one(b, VEC_SLICE(Vars, pat), one, map->exp->screma.n);
}

// What does not need the accumulators is done once for all chunks.
static void order_withacc(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	const Body *body = &e->withacc.fn->body;
	AccInputs now = SLICE_DUP(AccInputs, e->withacc.inputs);
	for EACH(const Stm, t, body->stms) {
		Stm other = *t;
		other.certs = vars_cat(t->certs, s->certs);
		b->certs = other.certs;
		if (vars_have_acc(t->pat))
			order_map(b, e, &now, t);
		else
			b_emit(b, other);
	}
	b->certs = s->certs;
	VEC(Sub) out = {0};
	for EACH(AccInput, in, now)
		VEC_APPEND(&out, in->arrs);
	for (int i = now.len; i < body->res.len; i++)
		VEC_PUSH(&out, body->res.at[i]);
	for (int i = 0; i < out.len; i++) {
		Vars result = {&s->pat.at[i], 1};
		b_stm(b, result, EXP(atom, out.at[i]));
	}
}

static bool rewrite(void *ctx, const Stm *s)
{
	Build *b = ctx;
	Vars before = b->certs;
	b->certs = s->certs;
	if (s->exp->form == E_withacc)
		order_withacc(b, s);
	else
		order_one(b, s->pat, s->exp, s->exp->hist.n);
	b->certs = before;
	return true;
}

Prog *order_sums(Prog *prog)
{
	Build b = {0};
	return keep_order_of_sums ? prog_rewrite_stms(prog, needs_order, &b, rewrite, &b) : prog;
}
