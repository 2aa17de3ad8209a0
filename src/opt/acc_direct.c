// The pass `direct_accs`: a withacc that sums into an array of zeros, which is then added to
// another accumulator, updates that one directly.
//
//     zs = replicate [n] 0                                   ys = screma m (xs, acc)
//     as = withacc (zs) \a -> screma m (xs, a)                      \(x, c) ->
//            \(x, a) -> upd_acc a [f x] (g x)        ->                upd_acc c [k, f x] (g x)
//     ys = screma n (iota n, as, acc)
//            \(j, x, c) -> upd_acc c [k, j] (x)
//
// Reverse mode generates such code for sums inside a map that read elements of a row.  The array of
// zeros, one per row of the map, may be far larger than the part that the sum reads.  Arrays of a
// few elements, which fit in registers, are left alone, and so are those with any other use.
//
// Requires: sums of scalars.  Ensures: equal results up to the order of additions, which
// accumulators leave unspecified.
#include "opt/acc.h"

enum { MAX_RANK = 8 };

typedef struct {
	Map defs;                               // variable -> Exp *
	Map uses;                               // variable -> how many
	Map sums;                               // tokens of accumulators that are sums
	Map takers;                             // array -> the map over it, with accumulators
	const AccDefs *around;                  // direct_inner: what is outside of the withacc
	int skip;                               // so many places before are left as they are
	bool changed;
} Direct;

// What becomes of the array of one withacc.
typedef struct {
	Subs idx;                               // of the update
	int dim_of[MAX_DIMS];                  // which dimension of the array stands there; -1: idx
	bool negative;                          // it is subtracted
} Target;

// ---- What is known ----

static const Exp *defined(const Direct *d, Sub x)
{
	const Exp *e = x.kind == S_VAR ? map_get(&d->defs, var_key(x.var)) : NULL;
	return e || !d->around ? e : def_of(d->around, x);
}

static int uses(const Direct *d, Var v)
{
	return (int)(uintptr_t)map_get(&d->uses, var_key(v));
}

static void note_use(Visit *v, Sub *x)
{
	Direct *d = v->ctx;
	if (x->kind != S_VAR)
		return;
	MapEntry *e = map_find(&d->uses, var_key(x->var));
	if (e)
		e->val = (void *)((uintptr_t)e->val + 1);
	else
		map_put(&d->uses, var_key(x->var), (void *)1);
}

// Few arrays, mostly none: what follows is for those that a withacc makes.
static void note_takers(Visit *v, Body *b)
{
	Direct *d = v->ctx;
	for EACH(Stm, s, b->stms) {
		bool updates = false;
		for (int i = 0; s->exp->form == E_screma && i < s->exp->screma.arrs.len; i++)
			updates |= sub_type(s->exp->screma.arrs.at[i]).kind == T_ACC;
		for (int i = 0; updates && i < s->exp->screma.arrs.len; i++)
			if (s->exp->screma.arrs.at[i].kind == S_VAR)
				map_put(&d->takers, var_key(s->exp->screma.arrs.at[i].var), s->exp);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

static bool is_taken(const Direct *d, Var made)
{
	return type_is_array(vars[made.id].type) && map_has(&d->takers, var_key(made));
}

typedef struct { const Direct *d; bool found; } TakenSearch;

static void find_taken(Visit *v, Body *b)
{
	TakenSearch *t = v->ctx;
	for EACH(Stm, s, b->stms) {
		for (int k = 0; s->exp->form == E_withacc && k < s->pat.len; k++)
			t->found |= is_taken(t->d, s->pat.at[k]);
		if (!t->found && form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

// Is there a withacc to look at?
static bool any_taken(Direct *d, Body *b)
{
	TakenSearch t = {d, false};
	note_takers(&(Visit){.body = note_takers, .ctx = d}, b);
	if (d->takers.len)
		find_taken(&(Visit){.body = find_taken, .ctx = &t}, b);
	return t.found;
}

static void note_body(Visit *v, Body *b)
{
	Direct *d = v->ctx;
	for EACH(Stm, s, b->stms) {
		vars_put(&d->defs, s->pat, s->exp);
		for (int i = 0; s->exp->form == E_withacc && i < s->exp->withacc.inputs.len; i++)
			if (acc_is_sum(&s->exp->withacc.inputs.at[i]))
				map_put(&d->sums, var_key(s->exp->withacc.fn->params.at[i]), d);
	}
	body_visit(b, v);
}

static bool is_counting(const Direct *d, Sub arr)
{
	return is_count(defined(d, arr));
}

// More than a few zeros, that nothing else uses?
static bool is_many_zeros(const Direct *d, Sub arr)
{
	const Exp *e = defined(d, arr);
	if (!e || e->form != E_replicate || e->replicate.x.kind != S_CONST || uses(d, arr.var) != 1)
		return false;
	Scalar zero = scalar_int(e->replicate.x.val.type, 0);
	int64_t n = 1, few = threshold(AT_direct_elements);
	for EACH(Sub, dim, sub_type(arr).dims)
		n = dim->kind == S_VAR || n > few ? few + 1 : n * dim->val.i;
	return n > few && sub_eq(e->replicate.x, sub_const(zero));
}

// ---- Where all of it is added ----

static bool is_neg_of(const Stm *s, Sub x)
{
	return s->exp->form == E_prim && s->exp->prim.op == P_neg && sub_eq(s->exp->prim.x[0], x);
}

// The map adds `arr` to an accumulator, element by element: the update is the target.  `counters`
// are the numbers of the rows around.  *negative: it is subtracted.
static const Exp *find_update(const Direct *d, const Exp *map, Sub arr, SubVec *counters,
                              bool *negative)
{
	int at = subs_find(map->screma.arrs, arr);
	const Lambda *f = map->screma.map;
	if (at < 0 || map->screma.scans.len || map->screma.reds.len)
		return NULL;
	Sub row = sub_var(f->params.at[at]);
	if (uses(d, row.var) != 1 || counters->len == MAX_RANK)
		return NULL;
	VEC_PUSH(counters, sub_i64(-1));
	for (int i = 0; i < map->screma.arrs.len; i++)
		if (is_counting(d, map->screma.arrs.at[i]))
			counters->at[counters->len - 1] = sub_var(f->params.at[i]);
	for EACH(Stm, s, f->body.stms) {
		const Exp *e = s->exp;
		if (d->around && is_neg_of(s, row) && uses(d, s->pat.at[0]) == 1) {
			row = sub_var(s->pat.at[0]);
			*negative = !*negative;
			continue;
		}
		if (e->form == E_upd_acc && e->upd_acc.vals.len == 1 &&
		    sub_eq(e->upd_acc.vals.at[0], row))
			return type_is_scalar(sub_type(row)) ? e : NULL;
		if (e->form == E_screma && subs_find(e->screma.arrs, row) >= 0)
			return find_update(d, e, row, counters, negative);
	}
	return NULL;
}

// Each counter stands in the index once, and the rest is known before the loop.
static bool plan_target(Target *t, const Exp *upd, SubVec counters, const Map *later)
{
	t->idx = upd->upd_acc.idx;
	int found = 0;
	if (t->idx.len > MAX_DIMS)
		return false;
	for (int i = 0; i < t->idx.len; i++) {
		Sub x = t->idx.at[i];
		t->dim_of[i] = x.kind == S_VAR ? subs_find(VEC_SLICE(Subs, counters), x) : -1;
		found += t->dim_of[i] >= 0;
		if (t->dim_of[i] < 0 && x.kind == S_VAR && map_has(later, var_key(x.var)))
			return false;
		for (int j = 0; j < i; j++)
			if (t->dim_of[i] >= 0 && t->dim_of[i] == t->dim_of[j])
				return false;
	}
	return found == counters.len;
}

static Var acc_var(Sub acc)
{
	return var_new(name_of("acc"), sub_type(acc));
}

// The map without the update and the array.
static Exp *without(const Exp *map, Sub arr, const Exp *upd)
{
	Exp *e = exp_dup(map);
	int at = subs_find(map->screma.arrs, arr);
	Lambda *f = e->screma.map = mem_dup(map->screma.map, sizeof *map->screma.map);
	SubVec arrs = {0};
	VEC(Var) params = {0};
	Sub row = sub_var(f->params.at[at]);
	for (int i = 0; i < map->screma.arrs.len; i++)
		if (i != at) {
			VEC_PUSH(&arrs, map->screma.arrs.at[i]);
			VEC_PUSH(&params, f->params.at[i]);
		}
	e->screma.arrs = VEC_SLICE(Subs, arrs);
	f->params = VEC_SLICE(Vars, params);
	VEC(Stm) stms = {0};
	for EACH(Stm, old, f->body.stms) {
		Stm s = *old;
		if (is_neg_of(&s, row)) {
			row = sub_var(s.pat.at[0]);
			continue;
		}
		if (s.exp == upd)
			s.exp = EXP(atom, upd->upd_acc.acc);
		else if (s.exp->form == E_screma && subs_find(s.exp->screma.arrs, row) >= 0)
			s.exp = without(s.exp, row, upd);
		VEC_PUSH(&stms, s);
	}
	f->body.stms = VEC_SLICE(Stms, stms);
	return e;
}

// ---- The updates of a withacc ----

typedef struct { const Target *t; Var token; Type type; Map names; } Retype;

static bool is_old(const Retype *r, Type t)
{
	return type_is_acc_of(t, r->token);
}

static void see_old(Visit *v, Sub *x)
{
	Retype *r = v->ctx;
	if (x->kind == S_VAR && is_old(r, vars[x->var.id].type))
		r->t = NULL;
}

static bool mentions_old(const Retype *r, const Stm *s)
{
	Retype w = *r;
	Visit v = {.sub = see_old, .ctx = &w};
	stm_walk(s, &v);
	return !w.t;
}

static Subs new_accs(const Retype *r, Subs xs)
{
	Subs out = SLICE_DUP(Subs, xs);
	for EACH(Sub, x, out)
		*x = sub_subst(&r->names, *x);
	return out;
}

static Vars new_binders(Retype *r, Vars vs)
{
	Vars out = SLICE_DUP(Vars, vs);
	for EACH(Var, v, out) {
		if (!is_old(r, vars[v->id].type))
			continue;
		Var to = var_new(vars[v->id].hint, r->type);
		subst_put(&r->names, *v, sub_var(to));
		*v = to;
	}
	return out;
}

static bool retype_body(Retype *, Body *);

static bool retype_lambda(Retype *r, Lambda **l)
{
	Lambda *f = *l = mem_dup(*l, sizeof **l);
	f->params = new_binders(r, f->params);
	f->ret = SLICE_DUP(Types, f->ret);
	for EACH(Type, t, f->ret)
		if (is_old(r, *t))
			*t = r->type;
	return retype_body(r, &f->body);
}

static bool retype_exp(Retype *r, Exp *e)
{
	switch (e->form) {
	case E_upd_acc: {
		Subs idx = SLICE_DUP(Subs, r->t->idx);
		if (is_old(r, sub_type(e->upd_acc.acc))) {
			for (int i = 0; i < idx.len; i++)
				if (r->t->dim_of[i] >= 0)
					idx.at[i] = e->upd_acc.idx.at[r->t->dim_of[i]];
			e->upd_acc.idx = idx;
		}
		e->upd_acc.acc = sub_subst(&r->names, e->upd_acc.acc);
		return true;
	}
	case E_atom:
		e->atom.x = sub_subst(&r->names, e->atom.x);
		return true;
	case E_screma:
		e->screma.arrs = new_accs(r, e->screma.arrs);
		return retype_lambda(r, &e->screma.map);
	case E_loop:
		e->loop.inits = new_accs(r, e->loop.inits);
		e->loop.params = new_binders(r, e->loop.params);
		return retype_body(r, &e->loop.body);
	case E_if_:
		return retype_body(r, &e->if_.yes) && retype_body(r, &e->if_.no);
	case E_withacc:
		return retype_lambda(r, &e->withacc.fn);
	default: // not with accumulators
		return false;
	}
}

// What is subtracted from the other accumulator.
static Stm neg_of(const Stm *upd, Sub x)
{
	Type t = sub_type(x);
	return (Stm){.pat = vars_of(1, var_new(name_of("neg"), t)), .where = upd->where,
	             .exp = EXP(prim, .op = P_neg, .at = t.elem, .x = {x})};
}

static bool retype_body(Retype *r, Body *b)
{
	VEC(Stm) out = {0};
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (mentions_old(r, old)) {
			s.exp = exp_dup(old->exp);
			if (r->t->negative && s.exp->form == E_upd_acc) {
				Stm neg = neg_of(old, s.exp->upd_acc.vals.at[0]);
				s.exp->upd_acc.vals = subs_of(1, sub_var(neg.pat.at[0]));
				VEC_PUSH(&out, neg);
			}
			if (!retype_exp(r, s.exp))
				return false;
			s.pat = new_binders(r, s.pat);
		}
		VEC_PUSH(&out, s);
	}
	b->stms = VEC_SLICE(Stms, out);
	b->res = new_accs(r, b->res);
	return true;
}

bool acc_retarget(Stm *s, Sub from, Sub to)
{
	const AccType *type = sub_type(from).acc;
	Target t = {.idx = type->space};
	if (t.idx.len > MAX_DIMS)
		return false;
	for (int i = 0; i < t.idx.len; i++)
		t.dim_of[i] = i;
	Retype r = {.t = &t, .token = type->token, .type = sub_type(to)};
	subst_put(&r.names, from.var, to);
	s->exp = exp_dup(s->exp);
	if (!retype_exp(&r, s->exp))
		return false;
	s->pat = new_binders(&r, s->pat);
	return true;
}

#define WITHOUT(S, T, list, k) do { \
		S old_ = (list); \
		S new_ = {NEW_ARRAY(T, old_.len), 0}; \
		for (int i_ = 0; i_ < old_.len; i_++) \
			if (i_ != (k)) \
				new_.at[new_.len++] = old_.at[i_]; \
		(list) = new_; \
	} while (0)

// The withacc without its accumulator k, and with *acc as one more result.
static bool add_withacc(const Target *t, Stm *s, int k, Sub *acc)
{
	Exp *e = s->exp = exp_dup(s->exp);
	Lambda *f = e->withacc.fn = mem_dup(e->withacc.fn, sizeof *e->withacc.fn);
	int n = e->withacc.inputs.len;
	Retype r = {.t = t, .token = f->params.at[k], .type = sub_type(*acc)};
	subst_put(&r.names, f->params.at[n + k], sub_var(acc->var));
	if (!retype_body(&r, &f->body))
		return false;
	Var after = acc_var(*acc);
	Sub res = f->body.res.at[k];
	WITHOUT(AccInputs, AccInput, e->withacc.inputs, k);
	WITHOUT(Vars, Var, f->params, n + k);
	WITHOUT(Vars, Var, f->params, k);
	WITHOUT(Types, Type, f->ret, k);
	WITHOUT(Subs, Sub, f->body.res, k);
	WITHOUT(Vars, Var, s->pat, k);
	f->body.res = subs_cat(f->body.res, subs_of(1, res));
	s->pat = vars_cat(s->pat, vars_of(1, after));
	f->ret.at[f->ret.len++] = r.type;
	*acc = sub_var(after);
	return true;
}

bool acc_reshape(Stm *s, int k, const int *dims, Subs space, Sub zeros, Var sums)
{
	Exp *e = s->exp = exp_dup(s->exp);
	const Lambda *f = e->withacc.fn;
	int n = e->withacc.inputs.len, at = 0;
	Var old = f->params.at[k], acc = f->params.at[n + k];
	Var token = var_new(vars[old.id].hint, vars[old.id].type);
	Type type = vars[acc.id].type;
	type.acc = NEW(AccType, token, space, type.acc->elems);
	Target t = {.idx = space};
	for (int i = 0; i < space.len; i++)
		t.dim_of[i] = dims[i];
	Retype r = {.t = &t, .token = old, .type = type};
	if (!retype_lambda(&r, &e->withacc.fn))
		return false;
	e->withacc.fn->params.at[k] = token;
	for (int i = 0; i < k; i++)
		at += e->withacc.inputs.at[i].arrs.len;
	e->withacc.inputs = SLICE_DUP(AccInputs, e->withacc.inputs);
	e->withacc.inputs.at[k].space = space;
	e->withacc.inputs.at[k].arrs = subs_of(1, zeros);
	s->pat = SLICE_DUP(Vars, s->pat);
	s->pat.at[at] = sums;
	return true;
}

// ---- Bodies ----

// One without accumulators is its body.
static void inline_withacc(Body *b, int at)
{
	VEC(Stm) out = {0};
	for (int i = 0; i < b->stms.len; i++) {
		Stm *s = &b->stms.at[i];
		if (i != at) {
			VEC_PUSH(&out, *s);
			continue;
		}
		const Body *in = &s->exp->withacc.fn->body;
		VEC_APPEND(&out, in->stms);
		for (int k = 0; k < s->pat.len; k++)
			VEC_PUSH(&out, ((Stm){.pat = vars_of(1, s->pat.at[k]), .where = s->where,
			                      .certs = s->certs, .exp = EXP(atom, in->res.at[k])}));
	}
	b->stms = VEC_SLICE(Stms, out);
}

// Accumulator k of the withacc that is statement `at`.
static bool direct_stm(Direct *d, Body *b, int at, int k, Sub zeros)
{
	Stm *maker = &b->stms.at[at];
	Sub made = sub_var(maker->pat.at[k]);
	const Exp *taker = map_get(&d->takers, var_key(made.var));
	if (!taker || !is_taken(d, made.var) || !is_many_zeros(d, zeros) || uses(d, made.var) != 1)
		return false;
	int end = at;
	while (end < b->stms.len && b->stms.at[end].exp != taker)
		end++;
	if (end == b->stms.len)
		return false;
	Map later = {0};
	Visit v = {.bind = note_binder, .ctx = &later};
	for (int i = at; i <= end; i++) {
		Stm s = b->stms.at[i];
		const Exp *e = s.exp;
		stm_walk(&s, &v);
		if (e->form != E_screma || subs_find(e->screma.arrs, made) < 0)
			continue;
		SubVec counters = {0};
		Target t = {0};
		const Exp *upd = find_update(d, e, made, &counters, &t.negative);
		if (!upd || counters.len != sub_type(made).dims.len ||
		    !plan_target(&t, upd, counters, &later))
			return false;
		Var token = sub_type(upd->upd_acc.acc).acc->token;
		for EACH(Sub, acc, e->screma.arrs) {
			Type ty = sub_type(*acc);
			if (ty.kind != T_ACC || ty.acc->token.id != token.id)
				continue;
			Stm now = *maker;
			Sub after = *acc;
			if (!map_has(&d->sums, var_key(token)) ||
			    map_has(&later, var_key(acc->var)) ||
			    !add_withacc(&t, &now, k, &after) || d->skip-- > 0 || !may_rewrite())
				return false;
			Exp *rest = without(e, made, upd);
			rest->screma.arrs.at[subs_find(rest->screma.arrs, *acc)] = after;
			b->stms = SLICE_DUP(Stms, b->stms); // what it is a copy of may stay
			b->stms.at[at] = now;
			b->stms.at[i].exp = rest;
			if (!now.exp->withacc.inputs.len)
				inline_withacc(b, at);
			return true;
		}
		return false;
	}
	return false;
}

static void direct_body(Visit *v, Body *b)
{
	Direct *d = v->ctx;
	for (int i = 0; i < b->stms.len && !d->changed; i++) {
		const Exp *e = b->stms.at[i].exp;
		for (int k = 0; e->form == E_withacc && k < e->withacc.inputs.len && !d->changed;
		     k++)
			d->changed = acc_is_sum(&e->withacc.inputs.at[k]) &&
				direct_stm(d, b, i, k, e->withacc.inputs.at[k].arrs.at[0]);
	}
	if (!d->changed)
		body_visit(b, v);
}

// One rewrite; false: there is none.
static bool direct_once(Fun *f)
{
	Direct d = {0};
	Visit note = {.sub = note_use, .body = note_body, .ctx = &d};
	Visit v = {.body = direct_body, .copy = true, .ctx = &d};
	if (!any_taken(&d, &f->body))
		return false;
	note_body(&note, &f->body);
	if (!d.sums.len)
		return false;
	Body b = {SLICE_DUP(Stms, f->body.stms), f->body.res};
	direct_body(&v, &b);
	if (d.changed)
		f->body = b;
	return d.changed;
}

bool direct_inner(const Stm *with, const AccDefs *around, int n, Stm *out)
{
	Direct d = {.around = around, .skip = n};
	Stm one = *with;
	Body b = {.stms = {&one, 1}};
	Visit note = {.sub = note_use, .body = note_body, .ctx = &d};
	Visit v = {.body = direct_body, .copy = true, .ctx = &d};
	if (!any_taken(&d, &b))
		return false;
	note_body(&note, &b);
	one.exp = exp_visit(one.exp, &v);
	*out = one;
	return d.changed;
}

Prog *direct_accs(Prog *prog)
{
	if (!prog_has_accs(prog))
		return prog;
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	bool any = false;
	for EACH(Fun *, f, out->funs) {
		fun_new_callees(*f, &funs);
		while (body_find(&(*f)->body, is_withacc) && direct_once(*f))
			any = true;
	}
	return any ? out : prog;
}
