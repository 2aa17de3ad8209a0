// The pass `sink_hists`: what a map makes for several histograms is added as it is made, by one
// kernel, and not stored before.
//
//     let (is, vs, ws) = screma m (es) map=f
//     let (h: [n]f64) = hist m (is, vs) op=[n] (zeros) (0) (+)
//     let (g: [n]f64) = hist m (js, ws) op=[n] (h) (0) (+)
// becomes
//     let (g: [n]f64) = withacc input=[n] (zeros) (0) (+)
//       fn=\t a -> screma m (es, js, a) map=\e j a ->
//         i, v, w = f e
//         let a1 = upd_acc a [i] (v)
//         let a2 = upd_acc a1 [j] (w)
//         in a2
//
// So are the contributions of edges to both of their ends, or of particles to the corners of their
// cells.  Fusion leaves such maps alone, as each of the histograms would compute the map again, or
// as what they make is wanted besides.  A histogram that goes on with the result of another one
// adds to the same array.
//
// Histograms of rows, which the map computes from rows that it gathers (messages along the edges of
// a graph), are added likewise, each element by itself:
//
//         let a' = screma d (iota d, y, a) map=\k v c -> upd_acc c [j, k] (v)
//
// A warp does such a row, lane by lane (flatten_warps.c).  There one histogram is enough.
//
// Blocks of threads have copies of arrays of few places, in shared memory, which several arrays do
// not fit into where one does; so that several are many is asked when the program runs, if need be.
//
// Requires: the SOAC stage, after what makes reductions of accumulations; histograms with an array
// of their own to add to.  Ensures nothing that other passes rely on.
#include "opt/alias.h"
#include "opt/opt.h"

enum { WINDOW = 24, MOST_HISTS = 8 };

typedef struct {
	const Body *b;
	int map;                                // where in the body
	VEC(int) hists;                         // likewise
} Sunk;

static const Stm *map_of(const Sunk *k)
{
	return &k->b->stms.at[k->map];
}

static const Stm *hist_of(const Sunk *k, int i)
{
	return &k->b->stms.at[k->hists.at[i]];
}

static const HistOp *op_of(const Stm *hist)
{
	return &hist->exp->hist.ops.at[0];
}

// ---- Which histograms ----

static Type type_of_param(const Lambda *f)
{
	return vars[f->params.at[0].id].type;
}

// The operation on elements, of numbers or of rows of them; NULL: it is no single one.
static const Lambda *on_elements(const HistOp *op)
{
	const Lambda *f = op->op;
	if (op->dests.len != 1)
		return NULL;
	if (type_of_param(f).dims.len == 1) {
		const Stm *s = f->body.stms.len == 1 ? &f->body.stms.at[0] : NULL;
		if (!s || !is_map(s->exp) || s->exp->screma.arrs.len != 2 || s->pat.len != 1 ||
		    !sub_eq(f->body.res.at[0], sub_var(s->pat.at[0])) ||
		    sub_eq(s->exp->screma.arrs.at[0], s->exp->screma.arrs.at[1]))
			return NULL;
		for EACH(Sub, x, s->exp->screma.arrs)
			if (vars_find(f->params, *x) < 0)
				return NULL;
		f = s->exp->screma.map;
		if (!lambda_adds(f))
			return NULL;            // of other operations the neutral row is not known
	}
	Type t = type_of_param(f);
	return type_is_scalar(t) && primtype_size(t.elem) >= 4 && lambda_prim(f) ? f : NULL;
}

static bool is_row_hist(const Stm *s)
{
	return type_of_param(op_of(s)->op).dims.len == 1;
}

static bool is_same_op(const Stm *s, const Stm *t)
{
	const HistOp *p = op_of(s), *q = op_of(t);
	if (lambda_prim(on_elements(p))->prim.op != lambda_prim(on_elements(q))->prim.op ||
	    p->space.len != q->space.len || is_row_hist(s) != is_row_hist(t) ||
	    (!is_row_hist(s) && !sub_eq(p->ne.at[0], q->ne.at[0])))
		return false;
	for (int i = 0; i < p->space.len; i++)
		if (!sub_eq(p->space.at[i], q->space.at[i]))
			return false;
	return true;
}

// Which of those before it makes what it adds to, for nothing else?  -1: none.
static int goes_on_with(const Sunk *k, const Stm *s)
{
	Sub dest = op_of(s)->dests.at[0];
	for (int i = 0; i < k->hists.len; i++) {
		const Stm *h = hist_of(k, i);
		if (sub_eq(dest, sub_var(h->pat.at[0])))
			return n_uses_in(k->b, dest.var) == 1 && is_same_op(h, s) ? i : -1;
	}
	return -1;
}

// Made in the body, and for nothing else: no part of it is read.
static bool is_new(const Body *b, Sub arr)
{
	const Exp *e = def_in(b, arr);
	return e && (e->form == E_copy || e->form == E_replicate || e->form == E_screma) &&
	       n_uses_in(b, arr.var) == 1;
}

static bool reads_map(const Stm *p, const Stm *hist)
{
	for EACH(Sub, x, hist->exp->hist.arrs)
		if (vars_find(p->pat, *x) >= 0)
			return true;
	return false;
}

static bool is_hist_of(const Sunk *k, const Stm *s)
{
	return s->exp->form == E_hist && s->exp->hist.ops.len == 1 && !has_attrs(s->attrs) &&
	       sub_eq(s->exp->hist.n, map_of(k)->exp->screma.n) && on_elements(op_of(s)) &&
	       reads_map(map_of(k), s) &&
	       (is_new(k->b, op_of(s)->dests.at[0]) || goes_on_with(k, s) >= 0);
}

// ---- Which maps ----

static bool has_sum(const Stm *s)
{
	return s->exp->form == E_screma && s->exp->screma.reds.len;
}

// A row of an array that the map's own arrays say.
static bool gathers(const Lambda *f)
{
	for EACH(Stm, s, f->body.stms) {
		if (s->exp->form != E_slice)
			continue;
		for EACH(const DimSlice, d, s->exp->slice.at)
			if (d->fixed && vars_find(f->params, d->start) >= 0)
				return true;
	}
	return false;
}

static bool makes_rows(const Stm *s)
{
	for EACH(Var, v, s->pat)
		if (vars[v->id].type.dims.len == 2)
			return true;
	return false;
}

static bool may_sink(const Stm *s)
{
	if (!is_plain_map(s->exp) || has_attrs(s->attrs) || vars_have_acc(s->pat))
		return false;
	const Lambda *f = s->exp->screma.map;
	return makes_rows(s) ? gathers(f) && body_find(&f->body, has_sum) : computes_scalars(f);
}

// How often histograms want the array; whole: also otherwise than element by element.
static int uses_in_hists(const Sunk *k, Sub y, bool whole)
{
	int n = 0;
	for (int i = 0; i < k->hists.len; i++) {
		if (whole) {
			n += n_uses_in(&(Body){.stms = {(Stm *)hist_of(k, i), 1}}, y.var);
			continue;
		}
		for EACH(Sub, x, hist_of(k, i)->exp->hist.arrs)
			n += sub_eq(*x, y);
	}
	return n;
}

// Is it wanted after the histograms?
static bool is_wanted(const Sunk *k, Sub y)
{
	return n_uses_in(k->b, y.var) != uses_in_hists(k, y, false);
}

// Is all that the histograms need there in time, and nothing between that needs theirs?
static bool is_in_order(const Sunk *k)
{
	const Stm *p = map_of(k);
	Map made = {0};
	vars_put(&made, p->pat, k->b);
	for (int at = k->map + 1, next = 0; next < k->hists.len; at++) {
		const Stm *s = &k->b->stms.at[at];
		if (at != k->hists.at[next]) {
			if (stm_mentions(s, &made) || stm_consumes(s) || exp_has_effect(s->exp))
				return false;
			continue;
		}
		int n = 0;
		for EACH(Var, v, p->pat) {
			Sub y = sub_var(*v);
			if (uses_in_hists(k, y, true) != uses_in_hists(k, y, false))
				return false;
		}
		for (int i = 0; i < next; i++)
			n += n_uses_in(&(Body){.stms = {(Stm *)s, 1}}, hist_of(k, i)->pat.at[0]);
		if (n != (goes_on_with(k, s) >= 0))
			return false;
		vars_put(&made, s->pat, k->b);
		next++;
	}
	return true;
}

// Is less stored, or read again?
static bool saves(const Sunk *k)
{
	const Stm *p = map_of(k);
	bool rows = makes_rows(p), saved = false;
	for EACH(Var, y, p->pat) {
		bool kept = is_wanted(k, sub_var(*y));
		if (rows && vars[y->id].type.dims.len == 2 && kept)
			return false;
		saved |= !kept && (!rows || vars[y->id].type.dims.len == 2);
	}
	for (int i = 0; i < k->hists.len; i++)
		if (!rows && is_row_hist(hist_of(k, i)))
			return false;
	return saved || !rows;
}

static bool find_hists(const Body *b, int map, Sunk *out)
{
	*out = (Sunk){.b = b, .map = map};
	if (!may_sink(map_of(out)))
		return false;
	for (int i = map + 1; i < b->stms.len && i < map + WINDOW; i++)
		if (out->hists.len < MOST_HISTS && is_hist_of(out, &b->stms.at[i]))
			VEC_PUSH(&out->hists, i);
	while (out->hists.len && !(is_in_order(out) && saves(out)))
		out->hists.len--;
	return out->hists.len;
}

// ---- The accumulation ----

typedef struct {
	const Sunk *of;
	Build b;
	VEC(Var) params;
	SubVec arrs;
	VEC(AccInput) inputs;
	VEC(Var) tokens, outer;
	VEC(Type) types, outs;                  // of the accumulators, of what they become
	SubVec now;                             // the accumulators, after the updates so far
	int *acc;                               // by histogram: the accumulator that it adds to
} Sink;

static int new_acc(Sink *k, const Stm *h)
{
	const HistOp *op = op_of(h);
	const Lambda *sum = lambda_rename(on_elements(op));
	Type elem = type_plain(type_of_param(sum));
	Subs space = sub_type(op->dests.at[0]).dims;
	Sub ne = is_row_hist(h) ? sub_zero(elem.elem) : op->ne.at[0];
	Var token = var_new(name_of("token"), type_cert());
	Types elems = {NEW(Type, 0), 1};
	elems.at[0] = elem;
	Type t = {.kind = T_ACC, .acc = NEW(AccType, token, space, elems)};
	Var acc = var_new(name_of("acc"), t);
	AccInput in = {space, op->dests, (Lambda *)sum, subs_of(1, ne)};
	VEC_PUSH(&k->params, acc);
	VEC_PUSH(&k->tokens, token);
	VEC_PUSH(&k->outer, var_new(name_of("acc"), t));
	VEC_PUSH(&k->arrs, sub_var(k->outer.at[k->outer.len - 1]));
	VEC_PUSH(&k->inputs, in);
	VEC_PUSH(&k->types, t);
	VEC_PUSH(&k->outs, vars[h->pat.at[0].id].type);
	VEC_PUSH(&k->now, sub_var(acc));
	return k->now.len - 1;
}

// What the histogram adds in one row; `res`: what the map gives there.
static void add_row(Sink *k, int number, Subs res)
{
	const Stm *p = map_of(k->of), *h = hist_of(k->of, number);
	const HistOp *op = op_of(h);
	const Lambda *f = lambda_rename(h->exp->hist.map);
	int before = goes_on_with(k->of, h), a = before >= 0 ? k->acc[before] : new_acc(k, h);
	Map to = {0};
	k->acc[number] = a;
	for (int i = 0; i < f->params.len; i++) {
		int at = vars_find(p->pat, h->exp->hist.arrs.at[i]);
		if (at >= 0) {
			subst_put(&to, f->params.at[i], res.at[at]);
			continue;
		}
		VEC_PUSH(&k->params, f->params.at[i]);
		VEC_PUSH(&k->arrs, h->exp->hist.arrs.at[i]);
	}
	Body body = body_subst(f->body, &to);
	b_emit_all(&k->b, body.stms);
	Subs idx = {body.res.at, op->space.len};
	Sub val = body.res.at[op->space.len], *now = &k->now.at[a];
	Type t = k->types.at[a];
	if (!is_row_hist(h)) {
		*now = b_let(&k->b, "acc", t, EXP(upd_acc, *now, idx, subs_of(1, val)));
		return;
	}
	Sub n = t.acc->space.at[op->space.len];
	Var i = var_i64("i"), v = var_new(name_of("v"), t.acc->elems.at[0]);
	Var c = var_new(name_of("acc"), t);
	Sub numbers = b_iota(&k->b, n);
	b_open(&k->b);
	Sub one = b_let(&k->b, "acc", t, EXP(upd_acc, sub_var(c),
		subs_cat(idx, subs_of(1, sub_var(i))), subs_of(1, sub_var(v))));
	Lambda *each = b_lambda(&k->b, vars_of(3, i, v, c), subs_of(1, one));
	*now = b_let(&k->b, "acc", t, EXP(screma, .n = n,
		.arrs = subs_of(3, numbers, val, *now), .map = each));
}

// All of it as one statement.  Binds what is wanted: the histograms that none goes on with, and
// what is kept of the map.
static Vars emit_sunk(Build *b, const Sunk *of, Subs *made)
{
	const Stm *p = map_of(of);
	const Lambda *f = lambda_rename(p->exp->screma.map);
	Sink k = {.of = of, .b = {.where = p->where}, .acc = NEW_ARRAY(int, of->hists.len)};
	VEC(Var) pat = {0};
	VEC(Type) rets = {0}, outs = {0};
	SubVec res = {0};
	VEC_APPEND(&k.params, f->params);
	VEC_APPEND(&k.arrs, p->exp->screma.arrs);
	b_open(&k.b); // of the lambda of withacc
	b_open(&k.b); // of the map function
	b_emit_all(&k.b, f->body.stms);
	for (int i = 0; i < of->hists.len; i++)
		add_row(&k, i, f->body.res);
	for (int a = 0; a < k.now.len; a++) {
		int last = 0;
		for (int i = 0; i < of->hists.len; i++)
			last = k.acc[i] == a ? i : last;
		VEC_PUSH(&pat, hist_of(of, last)->pat.at[0]);
	}
	VEC_APPEND(&res, VEC_SLICE(Subs, k.now));
	VEC_APPEND(&rets, VEC_SLICE(Types, k.types));
	VEC_APPEND(&outs, VEC_SLICE(Types, k.types));
	for (int i = 0; i < p->pat.len; i++) {
		Type t = vars[p->pat.at[i].id].type;
		if (!is_wanted(of, sub_var(p->pat.at[i])))
			continue;
		VEC_PUSH(&pat, p->pat.at[i]);
		VEC_PUSH(&res, f->body.res.at[i]);
		VEC_PUSH(&rets, f->ret.at[i]);
		VEC_PUSH(&outs, t);
		VEC_PUSH(&k.outs, t);
	}
	Lambda *row = b_lambda(&k.b, VEC_SLICE(Vars, k.params), VEC_SLICE(Subs, res));
	row->ret = VEC_SLICE(Types, rets);
	Subs accs = b_lets(&k.b, "acc", VEC_SLICE(Types, outs), EXP(screma,
		.n = p->exp->screma.n, .arrs = VEC_SLICE(Subs, k.arrs), .map = row));
	VEC_APPEND(&k.tokens, VEC_SLICE(Vars, k.outer));
	Lambda *fn = NEW(Lambda, .params = VEC_SLICE(Vars, k.tokens),
	                 .ret = VEC_SLICE(Types, outs), .body = b_close(&k.b, accs));
	AccInputs inputs = {k.inputs.at, k.inputs.len};
	*made = b_lets(b, "sums", VEC_SLICE(Types, k.outs),
	               EXP(withacc, .inputs = inputs, .fn = fn));
	return VEC_SLICE(Vars, pat);
}

// ---- Versions ----

static int n_arrays(const Sunk *k)
{
	int n = 0;
	for (int i = 0; i < k->hists.len; i++)
		n += goes_on_with(k, hist_of(k, i)) < 0;
	return n;
}

// Long rows, many of them, and places enough.
static Sub pays(Build *b, const Sunk *k)
{
	Sub all = sub_bool(true);
	if (makes_rows(map_of(k)))
		all = b_le(b, sub_i64(threshold(AT_warp_rows)), map_of(k)->exp->screma.n);
	for (int i = 0; i < k->hists.len; i++) {
		const Stm *h = hist_of(k, i);
		Subs dims = sub_type(op_of(h)->dests.at[0]).dims;
		if (goes_on_with(k, h) >= 0 || (makes_rows(map_of(k)) && !is_row_hist(h)))
			continue;
		Sub places = b_le(b, sub_i64(threshold(AT_scattered_rows)), b_product(b, dims));
		all = b_prim2(b, P_and, all, places);
		if (is_row_hist(h))
			all = b_prim2(b, P_and, all, b_le(b,
				sub_i64(threshold(AT_gathered_row)), dims.at[dims.len - 1]));
	}
	return all;
}

static void emit_choice(Build *b, const Sunk *k)
{
	const Stm *p = map_of(k);
	StmVec plain = {0};
	Vars certs = p->certs;
	Subs made;
	VEC_PUSH(&plain, *p);
	b->where = p->where;
	for (int i = 0; i < k->hists.len; i++) {
		VEC_PUSH(&plain, *hist_of(k, i));
		certs = vars_united(certs, hist_of(k, i)->certs);
	}
	bool asks = makes_rows(p) || n_arrays(k) > 1;
	Sub cond = asks ? pays(b, k) : sub_bool(true);
	b_open(b);
	Vars pat = emit_sunk(b, k, &made);
	Body yes = b_close(b, made);
	b->certs = certs;
	if (!asks) {
		Stm s = yes.stms.at[0];
		s.pat = pat;
		s.certs = certs;
		b_emit(b, s);
	} else {
		Body no = body_rename((Body){.stms = VEC_SLICE(Stms, plain),
		                             .res = subs_of_vars(pat)});
		b_stm(b, pat, EXP(if_, cond, yes, no));
	}
	b->certs = (Vars){0};
}

// ---- Bodies ----

static void sink_body(Visit *v, Body *b)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_loop || s->exp->form == E_if_ || s->exp->form == E_match)
			s->exp = exp_visit(s->exp, v);
	for (int i = 0; i < b->stms.len; i++) {
		Sunk k;
		if (!find_hists(b, i, &k) || !may_rewrite())
			continue;
		Build out = {0};
		b_open(&out);
		for (int at = 0, next = 0; at < b->stms.len; at++) {
			bool hist = next < k.hists.len && at == k.hists.at[next];
			next += hist;
			if (hist && next == k.hists.len)
				emit_choice(&out, &k);
			else if (!hist && at != k.map)
				b_emit(&out, b->stms.at[at]);
		}
		*b = b_close(&out, b->res);
	}
}

static bool is_hist(const Stm *s)
{
	return s->exp->form == E_hist;
}

Prog *sink_hists(Prog *prog)
{
	Visit v = {.body = sink_body, .copy = true};
	return prog_rewrite_where(prog, is_hist, &v);
}
