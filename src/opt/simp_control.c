// Simplification of branches and loops.
//
//     if true then {x} else {y}                 ->   x
//     if c then {true} else {x}                 ->   or.bool c x
//     if c then {let a = add.i64 x 1 in a} else {y}
//                                  ->   let a = add.i64 x 1; if c then {a} else {y}
//     if c then {let a = exp.f64 x ..} else {let b = exp.f64 x ..}    ->   a before it, for both
//     if c then {assert p ..} else {assert p ..}     ->   assert c or p; assert (not c) or p
//     if c then {x, a} else {x, b}              ->   x, if c then {a} else {b}
//     match 1i8 { 0i8 -> {x} 1i8 -> {y} _ -> {z} }    ->   y
//     loop (p = x) for i < 0 do {..}            ->   x
//     loop (p = x) for i < 1 do {..}            ->   the body, with i = 0 and p = x
//     loop (p = x, q = y) for i < n do {.. in p, r}   ->   x, loop (q = y) for i < n do {..}
//     loop (p = x, q = y) for i < n do {.. let c = copy p .. in c, r}   ->   the same
//     loop (p = x, q = x) for i < n do {.. in y, y}   ->   loop (p = x) for i < n do {.. in y}
//     loop (p = x) for i < n do {let q = add.i64 p 3 in q}   ->   x + max(n, 0) * 3
//
// A branch of cheap scalar operations is executed speculatively: that costs less than a jump, and
// allows vectorisation.  In functions to be differentiated only integers and bools are, since the
// derivative of a branch that is not taken may be infinite or NaN.
#include "opt/simplify.h"

enum { CHEAP_BRANCHES = 6 };    // operations in both branches together
enum { IN_AD = 1, FILLS = 2 };  // what is_small_if is told

static Vars no_vars;

static bool takes(Simp *s, Stm *st, Body b)
{
	if (!s_rewrite(s))
		return false;
	s_name(s, st, s_inline(s, b, st->certs));
	return true;
}

// ---- if and match, before their bodies are gone into ----

// ---- What both branches compute ----

typedef struct { const Body *b; bool inside; } Inside;

static void look_inside(Visit *v, Sub *x)
{
	Inside *in = v->ctx;
	in->inside |= stm_in(in->b, *x) != NULL;
}

// Does nothing before statement i of the branch end the program, or may not end?
static bool is_first_effect(const Body *b, int i)
{
	for (int k = 0; k < i; k++) {
		const Exp *e = b->stms.at[k].exp;
		if (exp_has_effect(e) || form_has(e->form, FORM_NEST))
			return false;
	}
	return true;
}

// A scalar, or an assertion, of nothing but what is known before the branch.  Loads and assertions
// only from loops on: before, derivatives are taken, and branches say what guards an access.
static bool is_of_outside(const Simp *s, const Body *b, int i)
{
	const Stm *st = &b->stms.at[i];
	Form f = st->exp->form;
	bool late = s->in_loops && (f == E_index || (f == E_assert_ && is_first_effect(b, i)));
	if (st->pat.len != 1 || (st->certs.len && !s->in_loops) ||
	    (f != E_assert_ && !type_is_scalar(vars[st->pat.at[0].id].type)) ||
	    (f != E_prim && f != E_convert && !late))
		return false;
	Inside in = {b, false};
	Visit v = {.sub = look_inside, .ctx = &in};
	exp_visit(st->exp, &v);
	for EACH(Var, c, st->certs)
		in.inside |= stm_in(b, sub_var(*c)) != NULL;
	return !in.inside;
}

static bool same_subs(Simp *s, const Sub *a, const Sub *b, int n)
{
	for (int i = 0; i < n; i++)
		if (!sub_eq(s_subst(s, a[i]), s_subst(s, b[i])))
			return false;
	return true;
}

static bool same_certs(Simp *s, Vars a, Vars b)
{
	VarVec x = {0}, y = {0};
	s_add_certs(s, &x, a);
	s_add_certs(s, &y, b);
	bool same = x.len == y.len;
	for EACH(Var, c, x)
		same &= vars_find(VEC_SLICE(Vars, y), sub_var(*c)) >= 0;
	return same;
}

static bool same_scalar(Simp *s, const Exp *a, const Exp *b)
{
	if (a->form != b->form)
		return false;
	switch (a->form) {
	case E_convert:
		return a->convert.to == b->convert.to &&
		       same_subs(s, &a->convert.x, &b->convert.x, 1);
	case E_index:
		return a->index.idx.len == b->index.idx.len &&
		       same_subs(s, &a->index.arr, &b->index.arr, 1) &&
		       same_subs(s, a->index.idx.at, b->index.idx.at, a->index.idx.len);
	case E_assert_:
		return same_subs(s, &a->assert_.cond, &b->assert_.cond, 1);
	default:
		return a->prim.op == b->prim.op && a->prim.at == b->prim.at &&
		       same_subs(s, a->prim.x, b->prim.x, prim_arity(a->prim.op));
	}
}

static void drop_stm(Body *b, int i)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	int rest = --b->stms.len - i;
	memmove(b->stms.at + i, b->stms.at + i + 1, (size_t)rest * sizeof(Stm));
}

// Whether statement i of the branch `yes` is also one of `no`, and which.
static bool is_common(Simp *s, const Exp *e, int i, int *at)
{
	enum { MOST = 40 };             // statements that are compared with each other
	const Body *yes = &e->if_.yes, *no = &e->if_.no;
	if (yes->stms.len > MOST || no->stms.len > MOST || !is_of_outside(s, yes, i))
		return false;
	const Stm *st = &yes->stms.at[i];
	int j = 0;
	while (j < no->stms.len && !(is_of_outside(s, no, j) &&
	                             same_certs(s, st->certs, no->stms.at[j].certs) &&
	                             same_scalar(s, st->exp, no->stms.at[j].exp)))
		j++;
	*at = j;
	return j < no->stms.len;
}

// Of two assertions of the same each remains for its branch, since it says where the program ended.
static void take_assertions(Simp *s, Sub cond, const Stm *yes, const Stm *no)
{
	Sub holds = s_subst(s, yes->exp->assert_.cond);
	Sub not_cond = s_let(s, "not", type_scalar(PT_BOOL), EXP(prim, P_not, PT_BOOL, {cond}));
	VarVec both = {0};
	for (int k = 0; k < 2; k++) {
		Stm st = k ? *no : *yes;
		Exp *e = exp_dup(st.exp);
		e->assert_.cond = s_prim(s, P_or, k ? cond : not_cond, holds);
		st.exp = e;
		st.pat = vars_of(1, var_new(vars[st.pat.at[0].id].hint, type_cert()));
		VEC_PUSH(&both, st.pat.at[0]);
		s_stm(s, &st);
	}
	s_replace(s, yes->pat.at[0], sub_bool(true), VEC_SLICE(Vars, both));
	s_replace(s, no->pat.at[0], sub_bool(true), VEC_SLICE(Vars, both));
}

// One of the branches is taken, so what is in both is computed in any case: once, before them.
static void take_common(Simp *s, Exp *e)
{
	Body *yes = &e->if_.yes, *no = &e->if_.no;
	for (int i = 0; i < yes->stms.len; i++) {
		Stm st = yes->stms.at[i];
		int j;
		if (!is_common(s, e, i, &j) || !s_rewrite(s))
			continue;
		if (st.exp->form == E_assert_) {
			take_assertions(s, e->if_.cond, &st, &no->stms.at[j]);
		} else {
			s_stm(s, &st);
			s_replace(s, no->stms.at[j].pat.at[0], s_subst(s, sub_var(st.pat.at[0])),
			          no_vars);
		}
		drop_stm(yes, i--);
		drop_stm(no, j);
	}
}

// Does the statement name the assertion that its condition holds?
static bool is_asserted(Simp *s, const Stm *st, Sub cond)
{
	Var proof = s_info(s, cond.var)->proof;
	return proof.id && vars_find(st->certs, sub_var(proof)) >= 0;
}

static bool before_if(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (e->if_.cond.kind == S_CONST)
		return takes(s, st, e->if_.cond.val.u ? e->if_.yes : e->if_.no);
	if (is_asserted(s, st, e->if_.cond))
		return takes(s, st, e->if_.yes);
	int known = range_decide(&s->range, e->if_.cond);
	if (known >= 0)
		return takes(s, st, known ? e->if_.yes : e->if_.no);
	if (range_proves_by(&s->range, e->if_.cond, st->certs))
		return takes(s, st, e->if_.yes);
	take_common(s, e);
	const Exp *not_ = s_def_as(s, e->if_.cond, E_prim);
	if (!not_ || not_->prim.op != P_not || !s_rewrite(s))
		return false;
	Body yes = e->if_.yes;
	e->if_.cond = not_->prim.x[0];
	e->if_.yes = e->if_.no;
	e->if_.no = yes;
	return false;
}

static bool before_match(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (e->match.x.kind == S_CONST) {
		for EACH(CoreCase, c, e->match.cases)
			if (scalar_eq_bits(c->value, e->match.x.val))
				return takes(s, st, c->body);
		return takes(s, st, e->match.other);
	}
	return !e->match.cases.len && takes(s, st, e->match.other);
}

// ---- Loops ----

static bool runs_never(const Exp *e)
{
	if (e->loop.is_while) {
		int i = 0;
		while (e->loop.params.at[i].id != e->loop.while_cond.id)
			i++;
		Sub first = e->loop.inits.at[i];
		return first.kind == S_CONST && !first.val.u;
	}
	Sub n = e->loop.n;
	if (n.kind != S_CONST)
		return false;
	return is_signed(n.val.type) ? n.val.i <= 0 : n.val.u == 0;
}

static bool is_condition(const Exp *loop, Var p)
{
	return loop->loop.is_while && p.id == loop->loop.while_cond.id;
}

// A copy of the parameter that the body makes, gives as result and does not use: derivatives of
// what all iterations add alike hand theirs on so.  Where nothing consumes the parameter it is its
// initial value each time, which nothing else uses, or nothing consumes.
static bool is_handed_on(Simp *s, const Exp *e, Sub p, Sub r)
{
	const Exp *def = r.kind == S_VAR ? def_in(&e->loop.body, r) : NULL;
	return def && def->form == E_copy && sub_eq(s_subst(s, def->copy.arr), p) &&
	       s_has_uses(s, r, 1) && !s_ever(s, p.var);
}

// A parameter that is the same in each iteration: the body gives it back, or its initial value.
static bool is_invariant(Simp *s, const Exp *e, int i)
{
	Sub p = sub_var(e->loop.params.at[i]), r = s_subst(s, e->loop.body.res.at[i]);
	return (sub_eq(r, p) || sub_eq(r, e->loop.inits.at[i]) || is_handed_on(s, e, p, r)) &&
	       sub_type(p).kind == T_DATA && !is_condition(e, p.var);
}

// Components of a loop that are to go, from the last one on.
typedef struct { bool *at; bool any; } Gone;

static Gone nothing_gone(const Stm *st)
{
	return (Gone){.at = NEW_ARRAY(bool, st->pat.len)};
}

static void remove_component(Gone *g, int i)
{
	g->at[i] = g->any = true;
}

static void remove_all(Stm *st, const Gone *g)
{
	Exp *e = st->exp;
	int n = 0;
	if (!g->any)
		return;
	st->pat = SLICE_DUP(Vars, st->pat);
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	e->loop.body.res = SLICE_DUP(Subs, e->loop.body.res);
	for (int i = 0; i < st->pat.len; i++) {
		st->pat.at[n] = st->pat.at[i];
		e->loop.params.at[n] = e->loop.params.at[i];
		e->loop.inits.at[n] = e->loop.inits.at[i];
		e->loop.body.res.at[n] = e->loop.body.res.at[i];
		n += !g->at[i];
	}
	st->pat.len = e->loop.params.len = e->loop.inits.len = e->loop.body.res.len = n;
}

static void drop_invariants(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	Gone gone = nothing_gone(st);
	for (int i = st->pat.len; i-- > 0;) {
		Var p = e->loop.params.at[i];
		if (!is_invariant(s, e, i) || !s_rewrite(s))
			continue;
		s_replace(s, p, e->loop.inits.at[i], no_vars);
		s_replace(s, st->pat.at[i], e->loop.inits.at[i], no_vars);
		note_kept(&s->kept, st->certs);
		remove_component(&gone, i);
	}
	remove_all(st, &gone);
}

// The first parameter that starts and goes on like parameter i, or i.  firsts: the first parameter
// that goes on so (1 + its place), unless there are few.
static int twin_of(const Exp *e, int i, const Map *firsts)
{
	Var p = e->loop.params.at[i];
	Sub res = e->loop.body.res.at[i];
	if (!type_is_scalar(vars[p.id].type) || is_condition(e, p))
		return i;
	int j = firsts->len && res.kind == S_VAR
	      ? (int)(intptr_t)map_get(firsts, var_key(res.var)) - 1 : 0;
	while (j < i && !(sub_eq(e->loop.inits.at[j], e->loop.inits.at[i]) &&
	                  sub_eq(e->loop.body.res.at[j], res)))
		j++;
	return j;
}

static Map first_twins(const Exp *e)
{
	enum { FEW = 8 };
	Map out = {0};
	for (int i = e->loop.params.len > FEW ? e->loop.params.len : 0; i-- > 0; )
		if (e->loop.body.res.at[i].kind == S_VAR)
			map_put(&out, var_key(e->loop.body.res.at[i].var),
			        (void *)(intptr_t)(i + 1));
	return out;
}

static void drop_twins(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (st->pat.len < 2)
		return;
	Gone gone = nothing_gone(st);
	Map firsts = first_twins(e);
	for (int i = st->pat.len; i-- > 1;) {
		Var p = e->loop.params.at[i];
		int j = twin_of(e, i, &firsts);
		if (j == i || !s_rewrite(s))
			continue;
		s_replace(s, p, sub_var(e->loop.params.at[j]), no_vars);
		s_replace(s, st->pat.at[i], sub_var(st->pat.at[j]), no_vars);
		remove_component(&gone, i);
	}
	remove_all(st, &gone);
}

// A sum that is the same in each iteration: p + c with a constant c.  Then n iterations add
// n times c.
static bool is_plain_sum(Simp *s, const Exp *e, int i, Sub *c)
{
	Var p = e->loop.params.at[i];
	Sub r = e->loop.body.res.at[i];
	Type t = vars[p.id].type;
	if (r.kind != S_VAR || s_uses(s, sub_var(p)) != 1 || s_uses(s, r) != 1 ||
	    !type_is_scalar(t) || !is_int(t.elem))
		return false;
	for EACH(Stm, st, e->loop.body.stms) {
		if (st->pat.len != 1 || st->pat.at[0].id != r.var.id)
			continue;
		const Exp *sum = st->exp;
		if (sum->form != E_prim || sum->prim.op != P_add)
			return false;
		bool left = sub_eq(sum->prim.x[0], sub_var(p));
		if (!left && !sub_eq(sum->prim.x[1], sub_var(p)))
			return false;
		*c = s_subst(s, sum->prim.x[left]);
		return c->kind == S_CONST;
	}
	return false;
}

static void close_sums(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (e->loop.is_while || s->in_ad)
		return;
	PrimType counter = vars[e->loop.i.id].type.elem;
	Gone gone = nothing_gone(st);
	for (int i = st->pat.len; i-- > 0;) {
		Sub c;
		if (!is_plain_sum(s, e, i, &c) || !s_rewrite(s))
			continue;
		Sub n = s_prim(s, P_max, e->loop.n, sub_const(scalar_int(counter, 0)));
		Sub times = s_prim(s, P_mul, s_convert(s, c.val.type, n), c);
		s_replace(s, st->pat.at[i], s_prim(s, P_add, times, e->loop.inits.at[i]), no_vars);
		note_kept(&s->kept, st->certs);
		// The parameter has no use but its own sum, which is dead by now.
		s_replace(s, e->loop.params.at[i], sub_const(scalar_int(c.val.type, 0)), no_vars);
		remove_component(&gone, i);
	}
	remove_all(st, &gone);
}

static bool before_loop(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (runs_never(e)) {
		Body none = {.res = e->loop.inits};
		return takes(s, st, none);
	}
	if (!e->loop.is_while && is_int_const(e->loop.n, 1) && !is_device_loop(st->attrs)) {
		if (!s_rewrite(s))
			return false;
		for (int i = 0; i < e->loop.params.len; i++)
			s_replace(s, e->loop.params.at[i], e->loop.inits.at[i], no_vars);
		s_replace(s, e->loop.i, sub_const(scalar_int(e->loop.n.val.type, 0)), no_vars);
		return takes(s, st, e->loop.body);
	}
	drop_invariants(s, st);
	drop_twins(s, st);
	close_sums(s, st);
	simp_touches(s, st);
	return false;
}

bool simp_control(Simp *s, Stm *st)
{
	switch (st->exp->form) {
	case E_if_:   return before_if(s, st);
	case E_match: return before_match(s, st);
	case E_loop:  return before_loop(s, st);
	default:      return false; // no other form comes here
	}
}

// ---- After their bodies ----

static bool is_speculable(const Body *b, bool in_ad)
{
	for EACH(Stm, st, b->stms) {
		if (!exp_is_cheap_scalar(st->exp))
			return false;
		if (in_ad && is_float(vars[st->pat.at[0].id].type.elem))
			return false;
	}
	return true;
}

static bool is_to_speculate(const Exp *e, bool in_ad)
{
	int n = e->if_.yes.stms.len + e->if_.no.stms.len;
	return n && n <= CHEAP_BRANCHES && is_speculable(&e->if_.yes, in_ad) &&
	       is_speculable(&e->if_.no, in_ad);
}

static void speculate(Simp *s, Body *b)
{
	b->res = s_inline(s, *b, no_vars);
	b->stms = (Stms){0};
}

// The value of `if c then {yes} else {no}` on bools, if one of them is a constant.
static bool select_bool(Simp *s, Sub c, Sub yes, Sub no, Sub *out)
{
	if (!type_is_scalar(sub_type(yes)) || sub_type(yes).elem != PT_BOOL)
		return false;
	if (sub_eq(yes, c))
		yes = sub_bool(true);
	if (sub_eq(no, c))
		no = sub_bool(false);
	if (yes.kind != S_CONST && no.kind != S_CONST)
		return false;
	bool is_or = yes.kind == S_CONST ? yes.val.u : no.val.u; // of c, or of its negation
	bool negated = yes.kind == S_CONST ? !yes.val.u : no.val.u;
	Sub other = yes.kind == S_CONST ? no : yes;
	if (yes.kind == S_CONST && no.kind == S_CONST && yes.val.u == no.val.u) {
		*out = yes;
		return true;
	}
	Sub p = !negated ? c : s_let(s, "not", type_scalar(PT_BOOL),
		EXP(prim, P_not, PT_BOOL, {c}));
	*out = s_prim(s, is_or ? P_or : P_and, p, other);
	return true;
}

// What component i is, if that is known outside of the branches.
static bool known_component(Simp *s, const Exp *e, int i, Sub *out)
{
	bool same = true;
	for (int j = 0; j < n_branches(e); j++) {
		Sub r = branch_at(e, j)->res.at[i];
		if (stm_in(branch_at(e, j), r))
			return false;
		same &= sub_eq(r, branch_at(e, 0)->res.at[i]);
	}
	if (same) {
		*out = branch_at(e, 0)->res.at[i];
		return true;
	}
	return e->form == E_if_ && select_bool(s, e->if_.cond, e->if_.yes.res.at[i],
	                                       e->if_.no.res.at[i], out);
}

// An accumulator is used by each branch exactly once, so it is no component to take out.
static bool drop_known(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	int n = n_branches(e);
	Vars pat = {NEW_ARRAY(Var, st->pat.len), 0};
	if (e->form == E_match)
		e->match.cases = SLICE_DUP(CoreCases, e->match.cases);
	for (int j = 0; j < n; j++)
		branch_at(e, j)->res = SLICE_DUP(Subs, branch_at(e, j)->res);
	for (int i = 0; i < st->pat.len; i++) {
		Var y = st->pat.at[i];
		Sub out;
		if (vars[y.id].type.kind == T_DATA && known_component(s, e, i, &out) &&
		    s_rewrite(s)) {
			s_replace(s, y, out, no_vars);
			note_kept(&s->kept, st->certs);
			continue;
		}
		for (int j = 0; j < n; j++)
			branch_at(e, j)->res.at[pat.len] = branch_at(e, j)->res.at[i];
		pat.at[pat.len++] = y;
	}
	for (int j = 0; j < n; j++)
		branch_at(e, j)->res.len = pat.len;
	bool had = st->pat.len > 0;
	st->pat = pat;
	return had && !pat.len && !exp_has_effect(st->exp) && !exp_has_checks(st->exp);
}

// ---- What came of the bodies, and the rules before them ----

// Would a rule that looks into the body of a loop apply, now that this is as it is?
static bool loop_again(Simp *s, const Exp *e)
{
	Map firsts = first_twins(e);
	for (int i = 0; i < e->loop.params.len; i++)
		if (is_invariant(s, e, i) || twin_of(e, i, &firsts) < i)
			return true;
	return false;
}

static void watch_sums(Simp *s, const Exp *e)
{
	for (int i = 0; !e->loop.is_while && !s->in_ad && i < e->loop.params.len; i++) {
		Sub p = sub_var(e->loop.params.at[i]), r = e->loop.body.res.at[i];
		const Exp *sum = s_def_as(s, r, E_prim);
		if (!sum || sum->prim.op != P_add || !is_int(sum->prim.at))
			continue;
		bool left = sub_eq(sum->prim.x[0], p);
		if ((left || sub_eq(sum->prim.x[1], p)) && sum->prim.x[left].kind == S_CONST)
			s->again |= s_has_uses(s, p, 1) && s_has_uses(s, r, 1);
	}
}

static bool branches_again(Simp *s, const Exp *e)
{
	int at;
	for (int i = 0; i < e->if_.yes.stms.len; i++)
		if (is_common(s, e, i, &at))
			return true;
	return false;
}

// Is it to be, with branches from which dead code is gone?
static bool is_small_if(Counts *c, Var y, int was)
{
	const Exp *e = c->of[y.id].nest;
	return e && e->form == E_if_ &&
	       (is_to_speculate(e, was & IN_AD) || (!(was & FILLS) && simp_fills(e)));
}

bool simp_branches(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (e->form == E_loop) {
		s->again |= s->touched && loop_again(s, e);
		watch_sums(s, e);
		return false;
	}
	if (e->form == E_match)
		return drop_known(s, st);
	s->again |= s->touched && branches_again(s, e);
	if (is_to_speculate(e, s->in_ad) && s_rewrite(s)) {
		speculate(s, &e->if_.yes);
		speculate(s, &e->if_.no);
	} else if (e->if_.yes.stms.len + e->if_.no.stms.len) {
		int was = (s->in_ad ? IN_AD : 0) | (simp_fills(e) ? FILLS : 0);
		for EACH(Var, y, st->pat) // any of them may be all that is left
			s_watch(s, *y, is_small_if, was);
	}
	return simp_fill(s, st) || drop_known(s, st);
}
