// Forward mode of the combinators: tangents are computed in the same lambda as the values.
//
//     screma n (xs) map=\x -> ...  reduce=(1.0) \(a, b) -> mul a b
//  -> screma n (xs, xs_tan) map=\(x, x_tan) -> ...
//       reduce=(1.0, 0.0) \(a, a_tan, b, b_tan) -> (mul a b, add (mul a_tan b) (mul b_tan a))
//
// The tangent of the neutral element is its true tangent, which need not be zero: an implementation
// may begin with it.
//
// Note [Sums].  If an operator combines tangents independently of the values, as addition does,
// the tangents get an operator of their own: two scalar sums run faster than one sum of pairs.
//
// Note [Neutral elements].  A neutral element and its tangent need not be neutral for the dual
// operator.  The min of infinity and an infinite element takes the tangent of its first operand,
// and in a product the zero tangent of 1 is multiplied by the element, which may be infinite.  So
// operators other than addition also carry a flag that tells whether an operand contains an
// element; if it does not, the tangent is that of the other operand.  A histogram starts from the
// destination, which counts as an element, but its tangent may be zero because the destination is
// inactive; products do not multiply by that tangent.
//
// What is not neutral but where a minimum starts from, `reduce f64.min x ys`, may be the result.
// So it counts as an element where the operator gives one of its operands, also if it is constant.
#include "ad/jvp.h"

// ---- Lambdas ----

static void open_tan_params(Jvp *f, VarVec *out, Vars params)
{
	for EACH(Var, p, params)
		if (has_tan(f, *p))
			VEC_PUSH(out, tan_var(f, *p));
}

static void emit_body(Jvp *f, const Lambda *l)
{
	b_open(f->b);
	jvp_stms(f, &l->body);
	f->b->certs = (Vars){0};
}

// Params, then tangents of params; body emitted.
static Open open_lambda(Jvp *f, const Lambda *l)
{
	Open o = {.of = l};
	own_vars(f, l->params);
	VEC_APPEND(&o.params, l->params);
	open_tan_params(f, &o.params, l->params);
	emit_body(f, l);
	return o;
}

void open_primal(Jvp *f, Open *o, int i)
{
	VEC_PUSH(&o->res, o->of->body.res.at[i]);
	VEC_PUSH(&o->ret, own_type(f, o->of->ret.at[i]));
}

void open_tangent(Jvp *f, Open *o, int i)
{
	VEC_PUSH(&o->res, tan_or_zero(f, o->of->body.res.at[i]));
	VEC_PUSH(&o->ret, tan_type(f, o->of->ret.at[i]));
}

Lambda *close_lambda(Jvp *f, Open *o)
{
	return NEW(Lambda, .params = VEC_SLICE(Vars, o->params), .ret = VEC_SLICE(Types, o->ret),
	           .body = b_close(f->b, VEC_SLICE(Subs, o->res)));
}

// Args, then tangents where the params have them.
static Subs with_tans(Jvp *f, Subs args, Vars params)
{
	SubVec out = {0};
	VEC_APPEND(&out, args);
	for (int i = 0; i < args.len; i++)
		if (has_tan(f, params.at[i]))
			VEC_PUSH(&out, tan_or_zero(f, args.at[i]));
	return VEC_SLICE(Subs, out);
}

// ---- Operators ----

// The parameters that are tangents: each operand has m components, the first k are values.
static Vars tangent_params(Vars all, int k, int m)
{
	VarVec out = {0};
	for (int side = 0; side < 2; side++)
		for (int c = k; c < m; c++)
			VEC_PUSH(&out, all.at[side * m + c]);
	return VEC_SLICE(Vars, out);
}

// The operator on tangents alone, or NULL if it needs the values.
static Lambda *tangents_alone(const Lambda *dual, int k)
{
	int m = dual->ret.len;
	if (m == k)
		return NULL;
	Map needed = {0};
	Subs res = {dual->body.res.at + k, m - k};
	Body body = body_part(&dual->body, res, &needed);
	for (int c = 0; c < k; c++)
		if (map_has(&needed, var_key(dual->params.at[c])) ||
		    map_has(&needed, var_key(dual->params.at[m + c])))
			return NULL;
	Lambda l = {tangent_params(dual->params, k, m), {dual->ret.at + k, m - k}, body};
	return lambda_rename(&l);
}

DualOp dual_operator(Jvp *f, const Lambda *op)
{
	int k = op->ret.len;
	const Vars certs = f->b->certs;
	Open o = {.of = op};
	for (int side = 0; side < 2; side++) {
		Vars part = {op->params.at + side * k, k};
		VEC_APPEND(&o.params, part);
		open_tan_params(f, &o.params, part);
	}
	emit_body(f, op);
	for (int c = 0; c < k; c++)
		open_primal(f, &o, c);
	for (int c = 0; c < k; c++)
		if (has_tan(f, op->params.at[c]))
			open_tangent(f, &o, c);
	Lambda *dual = close_lambda(f, &o), *alone = tangents_alone(dual, k);
	f->b->certs = certs;
	return alone ? (DualOp){(Lambda *)op, alone} : (DualOp){dual, NULL};
}

// ---- screma ----

typedef VEC(Reduction) ReductionList;

static void look_at_lambda(Visit *v, Lambda **l)
{
	*(bool *)v->ctx &= is_polynomial(&(*l)->body);
}

static bool is_polynomial_exp(const Exp *e)
{
	bool ok = true;
	Visit v = {.lambda = look_at_lambda, .ctx = &ok};
	switch (e->form) {
	case E_prim:
		return e->prim.op == P_add || e->prim.op == P_sub || e->prim.op == P_mul ||
		       e->prim.op == P_neg;
	case E_screma:
		exp_walk(e, &v);
		return ok;
	case E_atom: case E_convert: case E_index: case E_slice: case E_update: case E_concat:
	case E_iota: case E_replicate: case E_scratch: case E_reshape: case E_rearrange:
	case E_copy: case E_array: case E_assert_:
		return true;
	case E_if_: case E_match: case E_loop: case E_call: case E_hist: case E_scatter:
	case E_flatmap: case E_withacc: case E_upd_acc: case E_jvp: case E_vjp: case E_with_vjp:
	case E_trace: case E_opaque: case E_alloc: case E_release: case N_FORM:
		return false;
	}
	bug("no such form: %d", (int)e->form);
}

bool is_polynomial(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!is_polynomial_exp(s->exp))
			return false;
	return true;
}

// Products of floats beside sums, each of two operands, with neutral elements that are neutral.
static bool multiplies_floats(const Lambda *op, Subs ne)
{
	bool found = false;
	for (int k = 0; k < op->ret.len; k++) {
		const Exp *e = def_in(&op->body, op->body.res.at[k]);
		if (!e || e->form != E_prim || !is_float(e->prim.at) || ne.at[k].kind != S_CONST ||
		    !sub_eq(e->prim.x[0], sub_var(op->params.at[k])) ||
		    !sub_eq(e->prim.x[1], sub_var(op->params.at[op->ret.len + k])) ||
		    !((e->prim.op == P_mul && ne.at[k].val.f == 1) ||
		      (e->prim.op == P_add && ne.at[k].val.f == 0)))
			return false;
		found |= e->prim.op == P_mul;
	}
	return found;
}

// if c then {yes} else {no}
static Subs choose(Build *b, Sub c, Subs yes, Subs no, Types ts)
{
	return b_lets(b, "tan", ts, EXP(if_, c, {.res = yes}, {.res = no}));
}

// The dual operator with one component more, see the Note; k of its components are values.
static Lambda *with_flag(Jvp *f, const Lambda *dual, int k)
{
	int m = dual->ret.len;
	Types ts = {dual->ret.at + k, m - k};
	Var flag[2];
	VarVec params = {0};
	for (int side = 0; side < 2; side++) {
		flag[side] = var_new(name_of("some"), type_scalar(PT_BOOL));
		for (int c = 0; c < m; c++)
			VEC_PUSH(&params, dual->params.at[side * m + c]);
		VEC_PUSH(&params, flag[side]);
	}
	b_open(f->b);
	b_emit_all(f->b, dual->body.stms);
	Subs left = subs_of_vars((Vars){dual->params.at + k, m - k});
	Subs right = subs_of_vars((Vars){dual->params.at + m + k, m - k});
	Subs rule = {dual->body.res.at + k, m - k};
	rule = choose(f->b, sub_var(flag[1]), rule, left, ts);
	rule = choose(f->b, sub_var(flag[0]), rule, right, ts);
	SubVec res = {0};
	VEC_APPEND(&res, (Subs){dual->body.res.at, k});
	VEC_APPEND(&res, rule);
	VEC_PUSH(&res, b_prim2(f->b, P_or, sub_var(flag[0]), sub_var(flag[1])));
	TypeVec ret = {0};
	VEC_APPEND(&ret, dual->ret);
	VEC_PUSH(&ret, type_scalar(PT_BOOL));
	return NEW(Lambda, VEC_SLICE(Vars, params), VEC_SLICE(Types, ret),
	           b_close(f->b, VEC_SLICE(Subs, res)));
}

static Subs tail(Subs s, int from)
{
	return (Subs){s.len > from ? s.at + from : NULL, s.len - from};
}

// True if there is one component more, see Note [Neutral elements].
static bool push_reduction(Jvp *f, ReductionList *out, const Reduction *r)
{
	int k = r->ne.len;
	Subs ne = with_tans(f, r->ne, r->op->params);
	if (f->lanes) {
		VEC_PUSH(out, *r);
		if (ne.len > k)
			VEC_PUSH(out, lanes_sum(f, r, tail(ne, k)));
		return false;
	}
	DualOp d = dual_operator(f, r->op);
	if (d.tangents) {
		VEC_PUSH(out, *r);
		VEC_PUSH(out, (Reduction){d.tangents, tail(ne, k), r->comm});
		return false;
	}
	bool flag = ne.len > k &&
	            (!is_polynomial(&r->op->body) || multiplies_floats(r->op, r->ne));
	Sub starts = flag ? start_counts(f->b, r) : sub_bool(true);
	flag &= !sub_eq(starts, sub_bool(true));
	if (flag) {
		ne = subs_cat(ne, subs_of(1, starts));
		d.op = with_flag(f, d.op, k);
	}
	VEC_PUSH(out, (Reduction){d.op, ne, r->comm});
	return flag;
}

typedef struct { Jvp *f; const Stm *s; Open *o; VarVec pat; int at; } Screma;

// The inputs of an operator: the values, then the tangents of its active components.
static void push_components(Screma *x, const Lambda *op)
{
	int k = op->ret.len;
	for (int c = 0; c < k; c++) {
		open_primal(x->f, x->o, x->at + c);
		VEC_PUSH(&x->pat, x->s->pat.at[x->at + c]);
	}
	for (int c = 0; c < k; c++)
		if (has_tan(x->f, op->params.at[c])) {
			open_tangent(x->f, x->o, x->at + c);
			VEC_PUSH(&x->pat, tan_var(x->f, x->s->pat.at[x->at + c]));
		}
	x->at += k;
}

static void push_flag(Screma *x, Type t)
{
	VEC_PUSH(&x->o->res, sub_bool(true));
	VEC_PUSH(&x->o->ret, type_scalar(PT_BOOL));
	VEC_PUSH(&x->pat, var_new(name_of("some"), t));
}

static bool *push_reductions(Jvp *f, ReductionList *out, Reductions rs)
{
	bool *flags = NEW_ARRAY(bool, rs.len);
	for (int i = 0; i < rs.len; i++)
		flags[i] = push_reduction(f, out, &rs.at[i]);
	return flags;
}

static void push_inputs(Screma *x, Reductions rs, const bool *flags, Type flag)
{
	for (int i = 0; i < rs.len; i++) {
		push_components(x, rs.at[i].op);
		if (flags[i])
			push_flag(x, flag);
	}
}

static void push_mapped(Screma *x)
{
	Jvp *f = x->f;
	Vars pat = x->s->pat;
	own_vars(f, pat);
	for (int i = x->at; i < pat.len; i++) {
		open_primal(f, x->o, i);
		VEC_PUSH(&x->pat, pat.at[i]);
	}
	for (int i = x->at; i < pat.len; i++)
		if (has_tan(f, pat.at[i])) {
			open_tangent(f, x->o, i);
			VEC_PUSH(&x->pat, tan_var(f, pat.at[i]));
		}
}

void jvp_screma(Jvp *f, const Stm *s)
{
	const Exp *e = s->exp;
	const Vars certs = f->b->certs;
	ReductionList scans = {0}, reds = {0};
	Type flag = type_scalar(PT_BOOL);
	Subs arrs = with_tans(f, e->screma.arrs, e->screma.map->params);
	const bool *scan_flags = push_reductions(f, &scans, e->screma.scans);
	const bool *red_flags = push_reductions(f, &reds, e->screma.reds);
	Open o = open_lambda(f, e->screma.map);
	Screma x = {.f = f, .s = s, .o = &o};
	push_inputs(&x, e->screma.scans, scan_flags, type_of_rows(e->screma.n, flag));
	push_inputs(&x, e->screma.reds, red_flags, flag);
	push_mapped(&x);
	Lambda *map = close_lambda(f, &o);
	f->b->certs = certs;
	jvp_emit(f, s, VEC_SLICE(Vars, x.pat), EXP(screma, e->screma.n, arrs, map,
	                                           VEC_SLICE(Reductions, scans),
	                                           VEC_SLICE(Reductions, reds)));
}

// ---- hist ----

typedef VEC(HistOp) HistOpList;
typedef enum { TANS_JOINT, TANS_APART, TANS_FLAGGED } Tans; // apart: a histogram of their own

// The tangent of a product or sum whose left operand has none.
static Sub right_tangent(Jvp *f, const HistOp *h, const Lambda *dual, int c, Sub tan)
{
	const Exp *e = def_in(&h->op->body, h->op->body.res.at[c]);
	return e->prim.op == P_mul ? b_mul(f->b, sub_var(dual->params.at[c]), tan) : tan;
}

// Products and sums: the dual operator with one component more, whether tangents count.
static Lambda *with_tangent_flag(Jvp *f, const HistOp *h, const Lambda *dual)
{
	int k = h->dests.len, m = dual->ret.len, at = k;
	Vars params = {0};
	Var flag[2];
	Types ts = {dual->ret.at + k, m - k}, ret = {NEW_ARRAY(Type, m + 1), m + 1};
	for (int side = 0; side < 2; side++) {
		flag[side] = var_new(name_of("some"), type_scalar(PT_BOOL));
		params = vars_cat(params, (Vars){dual->params.at + side * m, m});
		params = vars_cat(params, vars_of(1, flag[side]));
	}
	b_open(f->b);
	b_emit_all(f->b, dual->body.stms);
	Subs alone = {NEW_ARRAY(Sub, m), 0};
	Subs left = subs_of_vars((Vars){dual->params.at + k, m - k});
	for (int c = 0; c < k; c++)
		if (has_tan(f, h->op->params.at[c])) {
			Sub tan = sub_var(dual->params.at[m + at++]);
			alone.at[alone.len++] = right_tangent(f, h, dual, c, tan);
		}
	Subs rule = {dual->body.res.at + k, m - k};
	rule = choose(f->b, sub_var(flag[0]), rule, alone, ts);
	rule = choose(f->b, sub_var(flag[1]), rule, left, ts);
	Sub any = b_prim2(f->b, P_or, sub_var(flag[0]), sub_var(flag[1]));
	memcpy(ret.at, dual->ret.at, (size_t)m * sizeof *ret.at);
	ret.at[m] = type_scalar(PT_BOOL);
	Subs res = subs_cat((Subs){dual->body.res.at, k}, subs_cat(rule, subs_of(1, any)));
	return NEW(Lambda, params, ret, b_close(f->b, res));
}

static Sub flags_of_dest(Jvp *f, const HistOp *h)
{
	bool some = false;
	for EACH(Sub, d, h->dests)
		some |= d->kind == S_VAR && has_tan(f, d->var);
	return b_let(f->b, "some", type_array(PT_BOOL, h->space),
	             EXP(replicate, h->space, sub_bool(some)));
}

static Tans push_hist_op(Jvp *f, HistOpList *out, const HistOp *h)
{
	DualOp d = dual_operator(f, h->op);
	int k = h->dests.len;
	Subs ne = with_tans(f, h->ne, h->op->params), dests = with_tans(f, h->dests, h->op->params);
	if (d.tangents) {
		VEC_PUSH(out, *h);
		VEC_PUSH(out, (HistOp){d.tangents, tail(ne, k), tail(dests, k), h->space});
		return TANS_APART;
	}
	if (f->lanes || ne.len == k || !multiplies_floats(h->op, h->ne)) {
		VEC_PUSH(out, (HistOp){d.op, ne, dests, h->space});
		return TANS_JOINT;
	}
	VEC_PUSH(out, (HistOp){with_tangent_flag(f, h, d.op),
	                       subs_cat(ne, subs_of(1, sub_bool(false))),
	                       subs_cat(dests, subs_of(1, flags_of_dest(f, h))), h->space});
	return TANS_FLAGGED;
}

void jvp_hist(Jvp *f, const Stm *s)
{
	const Exp *e = s->exp;
	const Vars certs = f->b->certs;
	int n_ops = e->hist.ops.len, at = 0, out = 0;
	Tans *tans = NEW_ARRAY(Tans, n_ops);
	HistOpList ops = {0};
	VarVec pat = {0};
	Subs arrs = with_tans(f, e->hist.arrs, e->hist.map->params);
	for (int i = 0; i < n_ops; i++)
		tans[i] = push_hist_op(f, &ops, &e->hist.ops.at[i]);
	Open o = open_lambda(f, e->hist.map);
	for (int i = 0; i < n_ops; i++) {
		int rank = e->hist.ops.at[i].space.len;
		for (int d = 0; d < rank * (tans[i] == TANS_APART ? 2 : 1); d++)
			open_primal(f, &o, at + d % rank);
		at += rank;
	}
	for EACH(HistOp, h, e->hist.ops) {
		int k = h->dests.len;
		for (int c = 0; c < k; c++) {
			open_primal(f, &o, at + c);
			VEC_PUSH(&pat, s->pat.at[out + c]);
		}
		for (int c = 0; c < k; c++)
			if (has_tan(f, h->op->params.at[c])) {
				open_tangent(f, &o, at + c);
				VEC_PUSH(&pat, tan_var(f, s->pat.at[out + c]));
			}
		if (tans[h - e->hist.ops.at] == TANS_FLAGGED) {
			VEC_PUSH(&o.res, sub_bool(true));
			VEC_PUSH(&o.ret, type_scalar(PT_BOOL));
			VEC_PUSH(&pat, var_new(name_of("some"), type_array(PT_BOOL, h->space)));
		}
		at += k;
		out += k;
	}
	Lambda *map = close_lambda(f, &o);
	f->b->certs = certs;
	jvp_emit(f, s, VEC_SLICE(Vars, pat), EXP(hist, e->hist.n, arrs, VEC_SLICE(HistOps, ops),
	                                         map));
}

// ---- scatter ----

// One scatter writes values and tangents, so that the same writes win.
void jvp_scatter(Jvp *f, const Stm *s)
{
	const Exp *e = s->exp;
	const Vars certs = f->b->certs;
	int n = s->pat.len, at = 0;
	VEC(ScatterDest) dests = {0};
	VarVec pat = {0};
	Subs arrs = with_tans(f, e->scatter.arrs, e->scatter.map->params);
	VEC_APPEND(&dests, e->scatter.dests);
	VEC_APPEND(&pat, s->pat);
	for (int i = 0; i < n; i++)
		if (has_tan(f, s->pat.at[i])) {
			ScatterDest d = e->scatter.dests.at[i];
			d.dest = tan_or_zero(f, d.dest);
			VEC_PUSH(&dests, d);
			VEC_PUSH(&pat, tan_var(f, s->pat.at[i]));
		}
	Open o = open_lambda(f, e->scatter.map);
	int n_indices = 0;
	for EACH(ScatterDest, d, e->scatter.dests)
		n_indices += d->n_writes * d->space.len;
	for (int i = 0; i < n_indices; i++)
		open_primal(f, &o, i);
	for (int i = 0; i < n; i++) {
		const ScatterDest *d = &e->scatter.dests.at[i];
		int k = d->n_writes * d->space.len;
		for (int j = 0; j < k && has_tan(f, s->pat.at[i]); j++)
			open_primal(f, &o, at + j);
		at += k;
	}
	for (int i = n_indices; i < e->scatter.map->ret.len; i++)
		open_primal(f, &o, i);
	for (int i = 0; i < n; i++) {
		const ScatterDest *d = &e->scatter.dests.at[i];
		for (int j = 0; j < d->n_writes && has_tan(f, s->pat.at[i]); j++)
			open_tangent(f, &o, at + j);
		at += d->n_writes;
	}
	Lambda *map = close_lambda(f, &o);
	f->b->certs = certs;
	jvp_emit(f, s, VEC_SLICE(Vars, pat), EXP(scatter, e->scatter.n, arrs,
	                                         VEC_SLICE(ScatterDests, dests), map));
}

// ---- flatmap ----

// Results from..to of the lambda, whose pattern variables are one further on; then tangents.
static int push_part(Jvp *f, Open *o, VarVec *pat, const Stm *s, int from, int to)
{
	int n = 0;
	for (int i = from; i < to; i++) {
		open_primal(f, o, i);
		VEC_PUSH(pat, s->pat.at[i + 1]);
		n++;
	}
	for (int i = from; i < to; i++)
		if (has_tan(f, s->pat.at[i + 1])) {
			open_tangent(f, o, i);
			VEC_PUSH(pat, tan_var(f, s->pat.at[i + 1]));
			n++;
		}
	return n;
}

void jvp_flatmap(Jvp *f, const Stm *s)
{
	const Exp *e = s->exp;
	const Vars certs = f->b->certs;
	int n = e->flatmap.n_data;
	VarVec pat = {0};
	Subs arrs = with_tans(f, e->flatmap.arrs, e->flatmap.map->params);
	own_vars(f, s->pat);
	VEC_PUSH(&pat, s->pat.at[0]);
	VEC_PUSH(&pat, s->pat.at[1]);
	Open o = open_lambda(f, e->flatmap.map);
	open_primal(f, &o, 0);
	int n_data = push_part(f, &o, &pat, s, 1, 1 + n);
	push_part(f, &o, &pat, s, 1 + n, e->flatmap.map->ret.len);
	Lambda *map = close_lambda(f, &o);
	f->b->certs = certs;
	jvp_emit(f, s, VEC_SLICE(Vars, pat), EXP(flatmap, e->flatmap.n, arrs, n_data, map));
}
