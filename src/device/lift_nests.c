// The pass `lift_nests`: hoists bounds checks out of nests of SOACs.
//
//     screma n (iota n) map=\i -> screma m (iota m)          let ok = .. && h - 1 + (m - 1) < e
//       map=\j -> {                                          let all = if ok then true else
//         let (k: i64) = add.i64 (mod.i64 i h) j               screma n .. map=\i -> screma m ..
//         let (c: cert) = assert (0 <= k && k < e)     ->        map=\j -> {k = ..; assert ..
//         let (x: f64) = #{c} index xs [k] ..                            in 0 <= k && k < e}
//       } reduce ..                                              reduce=(true) and ..
//                                                            let c = assert all
//                                                            the nest, with #{c} instead
//
// The range of an index over all rows of a nest is computed beforehand by interval arithmetic:
// counters have bounds, and so have sums, products, quotients and remainders of bounded values.
// If the range lies within the array, nothing is checked in the nest, and a device can tile its
// sums.  Otherwise a separate nest checks each index first, so that the error reported is that of
// an index that fails.
//
// Note [No wrapping].  Bounds are computed in wrapping arithmetic, so they are valid only if no
// intermediate result is large: the magnitude of each is computed as well, in floating point, and
// must be less than 2^61.  Magnitudes never decrease along the computation.
//
// Applied to nests in which the rows of a reduction contain a check, not only maps inside of them.
//
// Requires: no jvp or vjp.  Ensures nothing that other passes rely on.
#include "opt/opt.h"

// What is known of a variable of the nest.
typedef struct {
	const Exp *def;                         // an operation on scalars that needs no check; or
	Sub n;                                  // it counts to n
} Inner;

typedef struct {
	Build b;
	Map defs;                               // of the program: variable -> Exp *
	Map inside;                             // of the nest: variable -> Inner *, or itself
	Map lifted;                             // certificates of the nest that are lifted
	Sub ok;                                 // what is to hold for all of them
	bool folds;                             // what is looked at is a row of a reduction
	bool pays;
	Map to;                                 // those certificates -> the one before the nest
	const Map *funs;                        // as Visit.funs
} LiftNests;

// ---- Bounds ----

typedef struct { Sub lo, hi, size; bool known; } Between;
static const Between unknown;

static Between between(LiftNests *, Sub);

static Sub magnitude(Build *b, Sub x)
{
	return b_prim2(b, P_max, b_prim1(b, P_abs, b_convert(b, PT_F64, x)),
	               sub_const(scalar_float(PT_F64, 1)));
}

static Sub need(LiftNests *l, Sub cond)
{
	return l->ok = b_prim2(&l->b, P_and, l->ok, cond);
}

static Between of_quotient(LiftNests *l, Between x, Between y)
{
	Build *b = &l->b;
	need(l, b_le(b, sub_i64(0), x.lo));
	need(l, b_le(b, sub_i64(1), y.lo));
	Sub least = b_prim2(b, P_max, y.lo, sub_i64(1)), most = b_prim2(b, P_max, y.hi, least);
	return (Between){b_prim2(b, P_quot, x.lo, most), b_prim2(b, P_quot, x.hi, least),
	                 b_prim2(b, P_max, x.size, y.size), true};
}

static Between of_product(LiftNests *l, Between x, Between y)
{
	Build *b = &l->b;
	need(l, b_le(b, sub_i64(0), x.lo));
	need(l, b_le(b, sub_i64(0), y.lo));
	return (Between){b_mul(b, x.lo, y.lo), b_mul(b, x.hi, y.hi), b_mul(b, x.size, y.size),
	                 true};
}

static Between of_prim(LiftNests *l, const Exp *e)
{
	Build *b = &l->b;
	if (e->prim.at != PT_I64 || prim_arity(e->prim.op) != 2)
		return unknown;
	Between x = between(l, e->prim.x[0]), y = between(l, e->prim.x[1]);
	if (!x.known || !y.known)
		return unknown;
	Sub larger = b_prim2(b, P_max, x.size, y.size);
	switch (e->prim.op) {
	case P_add:
		return (Between){b_add(b, x.lo, y.lo), b_add(b, x.hi, y.hi),
		                 b_add(b, x.size, y.size), true};
	case P_sub:
		return (Between){b_sub(b, x.lo, y.hi), b_sub(b, x.hi, y.lo),
		                 b_add(b, x.size, y.size), true};
	case P_mul:
		return of_product(l, x, y);
	case P_div: case P_quot:
		return of_quotient(l, x, y);
	case P_mod: case P_rem:
		need(l, b_le(b, sub_i64(0), x.lo));
		need(l, b_le(b, sub_i64(1), y.lo));
		return (Between){sub_i64(0), b_sub(b, y.hi, sub_i64(1)), larger, true};
	case P_min: case P_max:
		return (Between){b_prim2(b, e->prim.op, x.lo, y.lo),
		                 b_prim2(b, e->prim.op, x.hi, y.hi), larger, true};
	default: // no arithmetic of indices
		return unknown;
	}
}

static Between between(LiftNests *l, Sub x)
{
	if (!type_is_scalar(sub_type(x)) || sub_type(x).elem != PT_I64)
		return unknown;
	if (x.kind == S_CONST || !map_has(&l->inside, var_key(x.var)))
		return (Between){x, x, magnitude(&l->b, x), true};
	const Inner *in = map_get(&l->inside, var_key(x.var));
	if (in->def)
		return in->def->form == E_prim ? of_prim(l, in->def) : unknown;
	Between n = in->n.kind == S_VAR || in->n.val.i ? between(l, in->n) : unknown;
	n.lo = sub_i64(0);
	n.hi = n.known ? b_sub(&l->b, n.hi, sub_i64(1)) : n.hi;
	return n;
}

// ---- Conditions ----

static bool is_small(LiftNests *l, Between x)
{
	need(l, b_lt(&l->b, x.size, sub_const(scalar_float(PT_F64, 0x1p61))));
	return true;
}

// Notes what tells that the condition holds in all rows; false: nothing does.
static bool always(LiftNests *l, Sub cond)
{
	if (cond.kind == S_CONST || !map_has(&l->inside, var_key(cond.var))) {
		need(l, cond);
		return true;
	}
	const Exp *e = ((const Inner *)map_get(&l->inside, var_key(cond.var)))->def;
	if (!e || e->form != E_prim)
		return false;
	if (e->prim.op == P_and)
		return always(l, e->prim.x[0]) && always(l, e->prim.x[1]);
	if (e->prim.op != P_le && e->prim.op != P_lt)
		return false;
	Between x = between(l, e->prim.x[0]), y = between(l, e->prim.x[1]);
	if (!x.known || !y.known)
		return false;
	need(l, b_prim2(&l->b, e->prim.op, x.hi, y.lo));
	return is_small(l, x) && is_small(l, y);
}

// ---- What is in the nest ----

static bool is_outside(const LiftNests *l, Vars certs)
{
	for EACH(Var, c, certs)
		if (map_has(&l->inside, var_key(*c)))
			return false;
	return true;
}

static void note(LiftNests *l, Var v, const Exp *def, Sub n)
{
	map_put(&l->inside, var_key(v), NEW(Inner, def, n));
}

static const Exp *iota_of(const LiftNests *l, Sub arr)
{
	const Exp *e = arr.kind == S_VAR ? map_get(&l->defs, var_key(arr.var)) : NULL;
	return is_count(e) ? e : NULL;
}

static bool can_be_computed(const LiftNests *l, Sub x)
{
	const Inner *in = x.kind == S_VAR ? map_get(&l->inside, var_key(x.var)) : NULL;
	return x.kind == S_CONST || !map_has(&l->inside, var_key(x.var)) || in->def ||
	       in->n.kind == S_VAR || in->n.val.i;
}

static void look_into(LiftNests *, const Exp *screma);

static void look_at_assert(LiftNests *l, const Stm *s)
{
	Sub before = l->ok;
	for EACH(MsgPart, p, s->exp->assert_.msg)
		if (p->is_val && !can_be_computed(l, p->val))
			return;
	if (!always(l, s->exp->assert_.cond)) {
		l->ok = before;
		return;
	}
	map_put(&l->lifted, var_key(s->pat.at[0]), l);
	l->pays |= l->folds;
}

// An operation on what the nest that checks has as well.
static bool computes(const LiftNests *l, const Stm *s)
{
	if (s->exp->form != E_prim || !is_outside(l, s->certs))
		return false;
	for (int i = 0; i < prim_arity(s->exp->prim.op); i++)
		if (!can_be_computed(l, s->exp->prim.x[i]))
			return false;
	return true;
}

static void look_at(LiftNests *l, const Body *b)
{
	for EACH(const Stm, s, b->stms) {
		const Exp *e = s->exp;
		const Exp *def = computes(l, s) ? e : NULL;
		for EACH(Var, v, s->pat)
			note(l, *v, def, sub_i64(0));
		if (e->form == E_assert_) {
			look_at_assert(l, s);
		} else if (e->form == E_screma && between(l, e->screma.n).known) {
			look_into(l, e);
		} else if (e->form == E_if_ && can_be_computed(l, e->if_.cond)) {
			look_at(l, &e->if_.yes);
			look_at(l, &e->if_.no);
		}
	}
}

static void look_into(LiftNests *l, const Exp *e)
{
	const Lambda *f = e->screma.map;
	bool around = l->folds;
	for (int i = 0; i < f->params.len; i++)
		note(l, f->params.at[i], NULL,
		     iota_of(l, e->screma.arrs.at[i]) ? e->screma.n : sub_i64(0));
	l->folds = e->screma.reds.len > 0;
	look_at(l, &f->body);
	l->folds = around;
}

// ---- The nest that checks ----

static bool has_lifted(const LiftNests *, const Exp *);

static bool is_lifted(const LiftNests *l, const Stm *s)
{
	return s->pat.len && map_has(&l->lifted, var_key(s->pat.at[0]));
}

static bool body_has_lifted(const LiftNests *l, const Body *b)
{
	for EACH(const Stm, s, b->stms)
		if (is_lifted(l, s) || has_lifted(l, s->exp))
			return true;
	return false;
}

static bool has_lifted(const LiftNests *l, const Exp *e)
{
	return e->form == E_screma ? body_has_lifted(l, &e->screma.map->body)
	     : e->form == E_if_ && (body_has_lifted(l, &e->if_.yes) ||
	                            body_has_lifted(l, &e->if_.no));
}

static Sub emit_checks(LiftNests *, const Exp *);

// A row's: do all conditions hold?
static Sub checks_of_body(LiftNests *l, const Body *body)
{
	Build *b = &l->b;
	Sub all = sub_bool(true);
	for EACH(const Stm, s, body->stms) {
		const Inner *in = s->pat.len ? map_get(&l->inside, var_key(s->pat.at[0])) : NULL;
		if (in && in->def) {
			b_emit(b, *s);
		} else if (is_lifted(l, s)) {
			Stm check = *s;
			check.attrs = with_attr(s->attrs, ATTR_KEPT);
			b_emit(b, check);
			all = b_prim2(b, P_and, all, s->exp->assert_.cond);
		} else if (has_lifted(l, s->exp)) {
			all = b_prim2(b, P_and, all, emit_checks(l, s->exp));
		}
	}
	return all;
}

static Lambda *both(void)
{
	Var x = var_new(name_of("x"), type_scalar(PT_BOOL));
	Var y = var_new(name_of("y"), type_scalar(PT_BOOL));
	Build b = {0};
	b_open(&b);
	Sub and_v = b_prim2(&b, P_and, sub_var(x), sub_var(y));
	return b_lambda(&b, vars_of(2, x, y), subs_of(1, and_v));
}

static Sub emit_checks_of_if(LiftNests *l, const Exp *e)
{
	Build *b = &l->b;
	b_open(b);
	Sub yes = checks_of_body(l, &e->if_.yes);
	Body then = b_close(b, subs_of(1, yes));
	b_open(b);
	Sub no = checks_of_body(l, &e->if_.no);
	return b_let(b, "all", type_scalar(PT_BOOL), EXP(if_, e->if_.cond, then,
	                                                 b_close(b, subs_of(1, no))));
}

static Sub emit_checks(LiftNests *l, const Exp *e)
{
	if (e->form == E_if_)
		return emit_checks_of_if(l, e);
	Build *b = &l->b;
	VEC(Var) params = {0};
	Subs arrs = {NEW_ARRAY(Sub, e->screma.arrs.len + 1), 0};
	for (int i = 0; i < e->screma.arrs.len; i++)
		if (iota_of(l, e->screma.arrs.at[i])) {
			VEC_PUSH(&params, e->screma.map->params.at[i]);
			arrs.at[arrs.len++] = b_iota(b, e->screma.n);
		}
	b_open(b);
	Sub all = checks_of_body(l, &e->screma.map->body);
	Lambda *f = b_lambda(b, VEC_SLICE(Vars, params), subs_of(1, all));
	Reduction r = {both(), subs_of(1, sub_bool(true)), true};
	return b_let(b, "all", type_scalar(PT_BOOL), EXP(screma, .n = e->screma.n, .arrs = arrs,
	                                                 .map = f,
	                                                 .reds = {mem_dup(&r, sizeof r), 1}));
}

static Exp *renamed(const Exp *e)
{
	Stm s = {.pat = vars_of(1, var_new(name_of("all"), type_scalar(PT_BOOL))),
	         .exp = (Exp *)e};
	Lambda f = {.body = {.stms = {&s, 1}}};
	return lambda_rename(&f)->body.stms.at[0].exp;
}

static Sub emit_all_hold(LiftNests *l, const Exp *nest)
{
	Build *b = &l->b;
	b_open(b);
	Sub checked = emit_checks(l, nest);
	Body no = b_close(b, subs_of(1, checked));
	Exp *e = renamed(EXP(if_, l->ok, {.res = subs_of(1, sub_bool(true))}, no));
	return b_let(b, "all", type_scalar(PT_BOOL), e);
}

// ---- The nest without checks ----

static void drop_lifted(Visit *v, Body *b)
{
	const LiftNests *l = v->ctx;
	Stms stms = {NEW_ARRAY(Stm, b->stms.len), 0};
	for EACH(Stm, s, b->stms)
		if (!is_lifted(l, s))
			stms.at[stms.len++] = *s;
	b->stms = stms;
	body_visit(b, v);
}

static void use_new_cert(Visit *v, Sub *x)
{
	const LiftNests *l = v->ctx;
	const Sub *to = x->kind == S_VAR ? map_get(&l->to, var_key(x->var)) : NULL;
	*x = to ? *to : *x;
}

static Msg message(const char *words)
{
	return (Msg){NEW(MsgPart, .text = words), 1};
}

static void emit_nest(LiftNests *l, Stm s)
{
	Sub all = emit_all_hold(l, s.exp);
	Var cert = b_assert(&l->b, all, message("An index is out of bounds."));
	for MAP_EACH(e, l->lifted)
		map_put(&l->to, e->key, NEW(Sub, .kind = S_VAR, .var = cert));
	Visit v = {.sub = use_new_cert, .body = drop_lifted, .funs = l->funs, .copy = true,
	           .ctx = l};
	s.exp = exp_visit(s.exp, &v);
	s.certs = vars_cat(s.certs, vars_of(1, cert));
	b_emit(&l->b, s);
}

// ---- All nests ----

static bool lift_nest(LiftNests *l, const Stm *s)
{
	l->inside = l->lifted = l->to = (Map){0};
	l->ok = sub_bool(true);
	l->folds = false;
	l->pays = false;
	b_open(&l->b);
	look_into(l, s->exp);
	Body bounds = b_close(&l->b, (Subs){0});
	if (!l->pays || !may_rewrite())
		return false;
	b_emit_all(&l->b, bounds.stms);
	emit_nest(l, *s);
	return true;
}

// Of what the host does: what is inside of nests is left alone.
static void lift_body(Visit *v, Body *b)
{
	LiftNests *l = v->ctx;
	Visit callees = {.funs = v->funs, .copy = true};
	l->funs = v->funs;
	b_open(&l->b);
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		l->b.where = s.where;
		if (s.exp->form == E_screma && lift_nest(l, &s))
			continue;
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, s.exp->form == E_screma ? &callees : v);
		b_emit(&l->b, s);
	}
	*b = b_close(&l->b, b->res);
}

static bool checks_in_fold(const Stm *s)
{
	return s->exp->form == E_screma && s->exp->screma.reds.len &&
	       exp_find(s->exp, stm_is_assert);
}

Prog *lift_nests(Prog *prog)
{
	LiftNests l = {0};
	if (!prog_find(prog, checks_in_fold))
		return prog;
	Visit look = {.body = map_defs, .ctx = &l.defs};
	for EACH(Fun *, f, prog->funs)
		map_defs(&look, &(*f)->body);
	Visit v = {.body = lift_body, .copy = true, .ctx = &l};
	return prog_rewrite_where(prog, checks_in_fold, &v);
}
