// Normalises SOACs to the form that the rules of reverse mode expect.
//
// A screma is either a map, or a scan or a reduction of its inputs without a map.  Combinations are
// split; fusion joins the parts again after differentiation:
//
//     screma n (xs) map=f scan=.. reduce=..     ->   (as, bs, ys) = screma n (xs) map=f
//                                                    s = screma n (as) scan=..
//                                                    r = screma n (bs) reduce=..
//
// (In sequential code some of these become loops instead: vjp_order.c.)
//
// Likewise a hist has one operator (vjp_bins.c), and a scatter one destination.  Writes of a
// scatter that are overwritten by others get the index -1, so that primal and derivative agree on
// which write wins:
//
//     who = scatter m (is) dest=scratch         the last writer of each cell
//     is' = map (\i j -> if who[i] == j then i else -1) is (iota m)
//
// A match that updates arrays in place becomes a chain of two-way branches; reads of branches in
// while loops come before them (vjp_reads.c); one that updates several arrays becomes several
// (vjp_apart.c).
#include "ad/vjp_loop.h"

typedef struct {
	Build *b;
	bool inside;                            // the lambda of a combinator?
	bool in_while;                          // the body of a while loop?
	int depth, loops;                       // loops around; loops in all
	Maps *maps;                             // for one thread, see vjp_order.c
	const Active *active;                   // likewise
} Normal;

static Body normal_body(Normal, const Body *);

static void normal_nested(Visit *v, Body *b)
{
	*b = normal_body(*(Normal *)v->ctx, b);
}

bool gives_params(const Lambda *f)
{
	bool ok = !f->body.stms.len && f->body.res.len <= f->params.len;
	for (int i = 0; ok && i < f->body.res.len; i++)
		ok = sub_eq(sub_var(f->params.at[i]), f->body.res.at[i]);
	return ok;
}

void emit_like(Build *b, const Stm *s, Vars pat, Exp *e)
{
	b_emit(b, (Stm){.pat = pat, .exp = e, .certs = s->certs, .attrs = s->attrs,
	                .where = s->where});
}

// An array of its own with the same rows; an accumulator is handed on.
static Exp *the_same(Sub s)
{
	return sub_type(s).kind == T_ACC ? EXP(atom, s) : EXP(copy, s);
}

// The results of a lambda as arrays; what is bound by `given` (0: nothing) has these names.
static Subs mapped(Build *b, const Stm *s, Sub n, Subs arrs, Lambda *f, Vars given)
{
	if (lambda_is_identity(f)) {
		for (int i = 0; i < given.len; i++)
			if (given.at[i].id)
				emit_like(b, s, vars_of(1, given.at[i]), the_same(arrs.at[i]));
		return arrs;
	}
	Vars pat = SLICE_DUP(Vars, given);
	for (int i = 0; i < pat.len; i++)
		if (!pat.at[i].id)
			pat.at[i] = var_new(name_of("ts"), type_of_rows(n, f->ret.at[i]));
	emit_like(b, s, pat, EXP(screma, .n = n, .arrs = arrs, .map = f));
	return subs_of_vars(pat);
}

Subs mapped_inputs(Build *b, const Stm *s, Sub n, Subs arrs, Lambda *f)
{
	Vars none = {NEW_ARRAY(Var, f->ret.len + 1), f->ret.len};
	return mapped(b, s, n, arrs, f, none);
}

// ---- Neutral elements ----

// The neutral element of the common operators on numbers, or of each number of a row.
static bool neutral_of(const Lambda *op, Prim *prim, Scalar *ne)
{
	PrimType t;
	if (op->ret.len != 1 || !binary_prim(op, prim, &t))
		return false;
	if (*prim == P_add || *prim == P_mul) {
		*ne = scalar_int(t, *prim == P_mul);
		return true;
	}
	if ((*prim != P_min && *prim != P_max) || !is_float(t))
		return false;
	*ne = scalar_float(t, *prim == P_min ? 1.0 / 0.0 : -1.0 / 0.0);
	return true;
}

// Does it begin with another element than the neutral one?
static bool is_rebased(const Exp *e)
{
	const Reduction *r = e->screma.scans.len ? e->screma.scans.at : e->screma.reds.at;
	Prim op;
	Scalar ne;
	return neutral_of(r->op, &op, &ne) && type_is_scalar(r->op->ret.at[0]) &&
	       !sub_eq(r->ne.at[0], sub_const(ne));
}

// Is any of the numbers of an array another one?
static Sub any_but(Build *b, Sub xs, Sub x)
{
	if (type_is_scalar(sub_type(xs)))
		return b_prim1(b, P_not, b_eq(b, xs, x));
	Var row = param_of_row(xs, "x");
	b_open(b);
	Lambda *f = b_lambda(b, vars_of(1, row), subs_of(1, any_but(b, sub_var(row), x)));
	Lambda *either = b_operator(b, P_or, PT_BOOL);
	Reductions reds = {NEW(Reduction, either, subs_of(1, sub_bool(false)), true), 1};
	return b_let(b, "starts", type_scalar(PT_BOOL), EXP(screma, .n = sub_type(xs).dims.at[0],
	                                                    .arrs = subs_of(1, xs), .map = f,
	                                                    .reds = reds));
}

Sub start_counts(Build *b, const Reduction *r)
{
	Prim op;
	Scalar ne;
	Sub x = r->ne.at[0];
	if (!gives_operand(r->op))
		return sub_bool(false);
	if (!neutral_of(r->op, &op, &ne))
		return sub_bool(true);
	if (type_is_scalar(sub_type(x)))
		return sub_bool(!sub_eq(x, sub_const(ne)));
	return any_but(b, x, sub_const(ne));
}

static void emit_fold(Build *b, Maps *maps, const Stm *s, Vars pat, Exp *e)
{
	if (!maps || !fold_as_loop(b, maps, s, pat, e))
		emit_like(b, s, pat, e);
}

// A sum that begins with something else than 0 is that plus the sum: the rules may rely on
// neutral elements.
static void emit_operator(Build *b, Maps *maps, const Stm *s, Vars pat, Exp *e, bool scan)
{
	Reductions *rs = scan ? &e->screma.scans : &e->screma.reds;
	Prim op;
	Scalar ne;
	Sub first = rs->at[0].ne.at[0];
	if (!is_rebased(e)) {
		emit_fold(b, maps, s, pat, e);
		return;
	}
	neutral_of(rs->at[0].op, &op, &ne);
	*rs = (Reductions){NEW(Reduction, rs->at[0].op, subs_of(1, sub_const(ne)), rs->at[0].comm),
	                   1};
	Type t = type_plain(vars[pat.at[0].id].type);
	Var part_ = var_new(name_of("part"), t);
	emit_fold(b, maps, s, vars_of(1, part_), e);
	if (!scan) {
		emit_like(b, s, pat, EXP(prim, op, t.elem, {first, sub_var(part_)}));
		return;
	}
	Var x = param_of_row(sub_var(part_), "x");
	b_open(b);
	Lambda *f = b_lambda(b, vars_of(1, x), subs_of(1, b_prim2(b, op, first, sub_var(x))));
	emit_like(b, s, pat, EXP(screma, .n = e->screma.n, .arrs = subs_of(1, sub_var(part_)),
	                         .map = f));
}

static void normal_screma(Build *b, Maps *maps, const Stm *s)
{
	const Exp *e = s->exp;
	int n_ops = e->screma.scans.len + e->screma.reds.len;
	int n_in = n_folded(e), at = 0;
	if (!n_ops) {
		b_emit(b, *s);
		return;
	}
	if (maps && n_ops == 1 && n_in == s->pat.len && map_in_loop(e->screma.map) &&
	    !is_rebased(e) && fold_as_loop(b, maps, s, s->pat, e))
		return;
	Vars given = SLICE_DUP(Vars, s->pat);
	for (int i = 0; i < n_in; i++)
		given.at[i] = (Var){0};
	Subs ts = mapped(b, s, e->screma.n, e->screma.arrs, e->screma.map, given);
	for (int scan = 1; scan >= 0; scan--) {
		Reductions rs = scan ? e->screma.scans : e->screma.reds;
		for EACH(Reduction, r, rs) {
			Subs in = subs_part(ts, at, r->ne.len);
			Exp *x = EXP(screma, .n = e->screma.n, .arrs = in, .map = identity_on(in));
			*(scan ? &x->screma.scans : &x->screma.reds) = (Reductions){r, 1};
			emit_operator(b, maps, s, vars_part(s->pat, at, r->ne.len), x, scan);
			at += r->ne.len;
		}
	}
}

// ---- Scatter ----

// The last writer of each place keeps its index; that of the others becomes -1.
static Subs winners(Build *b, const Stm *s, Sub n, Subs idx, Subs space)
{
	Sub js = b_iota(b, n);
	Sub who = b_scratch(b, "who", type_array(PT_I64, space));
	Subs in = subs_cat(idx, subs_of(1, js));
	Var won = var_new(name_of("who"), type_array(PT_I64, space));
	Stm last = *s; // one of several rows counts, whichever it is
	last.attrs = with_attr(s->attrs, ATTR_TRUSTED);
	emit_like(b, &last, vars_of(1, won), EXP(scatter, n, in,
	          {NEW(ScatterDest, who, space, 1), 1}, identity_on(in)));
	Vars ps = {NEW_ARRAY(Var, in.len), in.len};
	for (int i = 0; i < in.len; i++)
		ps.at[i] = param_of_row(in.at[i], "i");
	b_open(b);
	Subs at = subs_part(subs_of_vars(ps), 0, idx.len);
	Sub ok = b_in_range(b, at, space);
	b_open(b);
	Sub mine = b_eq(b, b_index(b, sub_var(won), at), sub_var(ps.at[idx.len]));
	Body yes = b_close(b, subs_of(1, mine)), no = {.res = subs_of(1, sub_bool(false))};
	Sub wins = b_let(b, "wins", type_scalar(PT_BOOL), EXP(if_, ok, yes, no));
	Subs kept = {NEW_ARRAY(Sub, idx.len), idx.len};
	for (int i = 0; i < idx.len; i++)
		kept.at[i] = b_select(b, wins, at.at[i], sub_i64(-1));
	return b_map(b, n, in, b_lambda(b, ps, kept));
}

static void normal_scatter(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	Subs ts = mapped_inputs(b, s, e->scatter.n, e->scatter.arrs, e->scatter.map);
	int n_idx = 0, at = 0, val = 0;
	for EACH(ScatterDest, d, e->scatter.dests)
		n_idx += d->n_writes * d->space.len;
	for (int k = 0; k < e->scatter.dests.len; k++) {
		ScatterDest d = e->scatter.dests.at[k];
		Sub dest = d.dest;
		for (int w = 0; w < d.n_writes; w++) {
			Subs idx = subs_part(ts, at, d.space.len),
			     v = subs_part(ts, n_idx + val++, 1);
			at += d.space.len;
			Subs in = subs_cat(winners(b, s, e->scatter.n, idx, d.space), v);
			Type t = type_plain(sub_type(d.dest));
			Var to = w + 1 == d.n_writes ? s->pat.at[k] : var_new(name_of("put"), t);
			emit_like(b, s, vars_of(1, to), EXP(scatter, e->scatter.n, in,
			                                    {NEW(ScatterDest, dest, d.space, 1), 1},
			                                    identity_on(in)));
			dest = sub_var(to);
		}
		if (!d.n_writes)
			emit_like(b, s, vars_of(1, s->pat.at[k]), EXP(atom, dest));
	}
}

// ---- Matches ----

static bool updates_arrays(const Stm *s)
{
	SubVec eaten = {0};
	if (vars_have_sizes(s->pat))
		return false;
	stm_consumed(s, &eaten);
	for EACH(Sub, x, eaten)
		if (sub_type(*x).kind == T_DATA && sub_type(*x).dims.len)
			return true;
	return false;
}

// There are rules for taking branches back.
static void match_as_ifs(Build *b, const Stm *s, int first, Vars pat)
{
	const Exp *e = s->exp;
	const CoreCase *c = &e->match.cases.at[first];
	Body no = e->match.other;
	Sub is = b_eq(b, e->match.x, sub_const(c->value));
	if (first + 1 < e->match.cases.len) {
		Vars inner = fresh_like(pat, false);
		b_open(b);
		match_as_ifs(b, s, first + 1, inner);
		no = b_close(b, subs_of_vars(inner));
	}
	emit_like(b, s, pat, EXP(if_, is, c->body, no));
}

// ---- Bodies ----

// The statement, consuming copies of what it consumes: another one will consume the same.
static Stm sparing(Build *b, Stm s)
{
	SubVec eaten = {0};
	stm_consumed(&s, &eaten);
	Body one = {.stms = {&s, 1}};
	Vars free = free_in_body(&one);
	Map copies = {0};
	for EACH(Sub, x, eaten)
		for EACH(Var, f, free) {
			const void *key = (const void *)(uintptr_t)(f->id + 1);
			if (x->kind == S_VAR && x->var.id == f->id &&
			    vars[f->id].type.kind == T_DATA && vars[f->id].type.dims.len &&
			    !map_has(&copies, key)) {
				Sub copy = b_copy(b, *x);
				map_put(&copies, key, mem_dup(&copy, sizeof copy));
			}
		}
	return copies.len ? body_subst(one, &copies).stms.at[0] : s;
}

// What a loop hands on as it is, it does not consume: the return sweep reads it after the loop.
static void spare_invariants(const Exp *e)
{
	for (int i = 0; i < e->loop.params.len; i++)
		if (sub_eq(e->loop.body.res.at[i], sub_var(e->loop.params.at[i])))
			vars[e->loop.params.at[i].id].type.unique = false;
}

// Is it differentiated, and by one thread?
static bool is_in_order(const Normal *w, const Stm *s)
{
	if (!ad_by_one_thread(w->inside))
		return false;
	for EACH(Var, x, s->pat)
		if (is_active(w->active, sub_var(*x)))
			return true;
	return false;
}

static void normal_stm(Normal w, Stm t, bool split)
{
	Stm values, accs;
	Build *b = w.b;
	if (t.exp->form == E_loop)
		spare_invariants(t.exp);
	b->where = t.where;
	if (split && form_has(t.exp->form, FORM_NEST) && t.exp->form != E_withacc &&
	    vjp_split(&t, &values, &accs)) {
		normal_stm(w, sparing(b, values), false);
		normal_stm(w, accs, false);
	} else if (strip_loop(b, &t) || budget_loop(b, &t, w.depth, w.loops << w.inside)) {
		return;
	} else if (t.exp->form == E_screma) {
		normal_screma(b, is_in_order(&w, &t) ? w.maps : NULL, &t);
		note_map(w.maps, &t);
	} else if (t.exp->form == E_hist) {
		normal_hist(b, is_in_order(&w, &t) ? w.maps : NULL, &t, w.inside);
	} else if (t.exp->form == E_scatter) {
		normal_scatter(b, &t);
	} else if (t.exp->form == E_match && t.exp->match.cases.len && updates_arrays(&t)) {
		match_as_ifs(b, &t, 0, t.pat);
	} else if (t.exp->form == E_if_ && w.depth && updates_arrays(&t) &&
	           branch_apart(b, &w.maps->alias, &t)) {
		return;
	} else {
		if (t.exp->form == E_if_ && w.in_while && is_in_order(&w, &t) && updates_arrays(&t))
			t.exp = reads_before(b, t.exp);
		b_emit(b, t);
	}
}

static bool may_pass(const Stm *call, const Stm *s)
{
	SubVec eaten = {0};
	stm_consumed(call, &eaten);
	stm_consumed(s, &eaten);
	Vars free = free_in_stm(s);
	for EACH(Var, f, free)
		for EACH(Var, x, call->pat)
			if (f->id == x->id)
				return false;
	return !eaten.len;
}

// Calls as late as they can be: what is computed before needs no value of them (vjp_both.c).
static Body sunk_calls(Body body)
{
	Stms out = SLICE_DUP(Stms, body.stms);
	for (int i = out.len; i-- > 0;)
		for (int j = i; out.at[j].exp->form == E_call && j + 1 < out.len &&
		     may_pass(&out.at[j], &out.at[j + 1]); j++) {
			Stm t = out.at[j];
			out.at[j] = out.at[j + 1];
			out.at[j + 1] = t;
		}
	return (Body){out, body.res};
}

static Body normal_body(Normal w, const Body *body)
{
	b_open(w.b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		Normal in = {w.b, w.inside || form_has(t.exp->form, FORM_SOAC),
		             t.exp->form == E_loop && t.exp->loop.is_while,
		             w.depth + (t.exp->form == E_loop), w.loops, w.maps,
		             w.active};
		Visit v = {.body = normal_nested, .copy = true, .ctx = &in};
		alias_consume(&w.maps->alias, t.exp);
		if (form_has(t.exp->form, FORM_NEST))
			t.exp = exp_visit(t.exp, &v);
		normal_stm(w, t, true);
		alias_stm(&w.maps->alias, s);
	}
	return sunk_calls(b_close(w.b, body->res));
}

static Active active_within(const Lambda *fn)
{
	bool *which = NEW_ARRAY(bool, fn->params.len + 1);
	for (int i = 0; i < fn->params.len; i++)
		which[i] = vars[fn->params.at[i].id].type.elem != PT_BOOL;
	return active_in(fn, which);
}

Lambda *vjp_normal(const Lambda *fn)
{
	Build b = {0};
	Lambda *out = mem_dup(fn, sizeof *fn);
	Body counted = with_sizes(out);
	Maps maps = {0};
	Active active = {0};
	if (ad_by_one_thread(true))
		active = active_within(&(Lambda){fn->params, fn->ret, counted});
	out->body = normal_body((Normal){.b = &b, .loops = count_loops(&counted), .maps = &maps,
	                                  .active = &active}, &counted);
	return out;
}
