// Checked mode: reports the operation that produced the first infinity or NaN.
//
//     let (a: f64) = div.f64 x y
//     let (b: f64) = mul.f64 a z
//   ->
//     let (a: f64) = div.f64 x y
//     let (b: f64) = mul.f64 a z
//     let (fine: bool) = (is b finite?)
//     let (ok: bool) = if fine then {true} else {
//       let (c: cert) = assert (not (x and y are finite and a is not)) ("..", x, " / ", y, ..)
//       let (d: cert) = assert (not (a and z are finite and b is not)) ("..", a, " * ", z, ..)
//       let (r: bool) = #{c, d} opaque (true)
//       in r
//     }
//     let (e: cert) = assert ok ("..")
//
// An operation is reported if its result is not finite although its operands are, or if its result
// is NaN although no operand is; infinities and NaNs in the input or written in the program are
// not reported.  Operations are checked in segments, delimited by nested bodies and by assertions
// that may depend on them.  Only the final values of a segment are tested, since most operations
// propagate non-finite values.
//
// Note [Twins].  Outermost combinators are left unchanged as far as non-finite values are visible
// in their results (checked_cover.c).  The results are tested as a whole, and if one is not
// finite, a twin of the combinator with all checks is executed, which finds the operation and the
// row.  Results that are visible in those of a later combinator are not even tested: if the latter
// are not finite, the twins of both are executed.  So combinators can still be fused.  So has a
// withacc that adds to zeros, as derivatives do: its twin adds to zeros of its own, with the same
// parts replaced, or to copies.  A histogram is like that, but that what its function gives may
// fall outside of its bins, and shows nowhere then: the operators have no checks, the function
// has.
//
// Requires and ensures: as checked.c.
#include "opt/alias.h"
#include "opt/checked_float.h"

// ---- Bodies ----

// How: OUTSIDE of combinators; INSIDE, where each segment asserts; FLAGS: inside of a combinator
// that has a twin, where nothing is asserted, but a sum is kept of all that is tested times 0: one
// result more of each body (`flagged`), which is a NaN if something is not fine.
typedef enum { OUTSIDE, INSIDE, FLAGS } How;
static Body check_body(Floats *, Body, How, const At *, bool *flagged);

// A combinator inside of others, or one that cannot be executed twice.
static Lambda *check_lambda(Floats *f, const Lambda *l, const At *at)
{
	Lambda *out = mem_dup(l, sizeof *l);
	bool none;
	out->body = check_body(f, l->body, INSIDE, at, &none);
	return out;
}

typedef struct { Floats *f; const At *at; } Inside;

static Body check_inside(Body b, void *ctx)
{
	const Inside *in = ctx;
	bool none;
	return check_body(in->f, b, INSIDE, in->at, &none);
}

static void check_operators_of(Floats *f, Reductions *rs, const At *at)
{
	*rs = SLICE_DUP(Reductions, *rs);
	for EACH(Reduction, r, *rs)
		r->op = check_lambda(f, r->op, at);
}

// The number of the row is given to the function if a message wants to show it.
static Exp *check_screma(Floats *f, Build *b, const Exp *e, const At *at)
{
	Exp *out = exp_dup(e);
	Var row = var_i64("row");
	At inside = {sub_var(row), at};
	out->screma.map = check_lambda(f, e->screma.map, &inside);
	check_operators_of(f, &out->screma.scans, at);
	check_operators_of(f, &out->screma.reds, at);
	if (n_uses_in(&out->screma.map->body, row)) {
		out->screma.arrs = subs_cat(e->screma.arrs, subs_of(1, b_iota(b, e->screma.n)));
		out->screma.map->params = vars_cat(e->screma.map->params, vars_of(1, row));
	}
	return out;
}

// Combinators whose twins are to be executed if what is not fine shows in the results of the last.
typedef VEC(const Stm *) Twins;

static Exp *twin_of_screma(Floats *f, Build *b, const Stm *s, Map *to, const At *at)
{
	const Exp *e = s->exp;
	Exp *twin = exp_dup(e);
	twin->screma.map = lambda_rename(e->screma.map);
	twin->screma.scans = reductions_rename(e->screma.scans);
	twin->screma.reds = reductions_rename(e->screma.reds);
	const Var *pat = s->pat.at;
	for EACH(Reduction, r, twin->screma.scans) {
		forgive_unneeded(&f->cover, r, pat);
		pat += r->ne.len;
	}
	for EACH(Reduction, r, twin->screma.reds) {
		forgive_unneeded(&f->cover, r, pat);
		pat += r->ne.len;
	}
	return check_screma(f, b, exp_subst(twin, to), at);
}

// It adds to arrays of its own, filled as the others were, or by the twin before.
static Exp *twin_of_withacc(Floats *f, Build *b, const Body *body, const Exp *e, Map *to,
                            const At *at)
{
	Exp *twin = exp_dup(e);
	twin->withacc.fn = lambda_rename(e->withacc.fn);
	twin->withacc.inputs = SLICE_DUP(AccInputs, e->withacc.inputs);
	for EACH(AccInput, in, twin->withacc.inputs) {
		in->op = lambda_rename(in->op);
		in->arrs = SLICE_DUP(Subs, in->arrs);
		for EACH(Sub, x, in->arrs) {
			const Sub *copy = map_get(&f->kept, var_key(x->var));
			if (copy)
				*x = *copy;
			else if (!map_has(to, var_key(x->var)))
				*x = fill_again(b, body, *x);
		}
	}
	return with_nested_bodies(exp_subst(twin, to), check_inside, &(Inside){f, at});
}

// Copies for the twin of what is added to and cannot be made again.
static void keep_copies(Floats *f, Build *b, const Body *body, const Stm *s)
{
	int from = b_len(b);
	for EACH(AccInput, in, s->exp->withacc.inputs)
		for EACH(Sub, x, in->arrs)
			if (needs_copy(body, s, *x)) {
				Sub copy = b_copy(b, *x);
				map_put(&f->kept, var_key(x->var), mem_dup(&copy, sizeof copy));
			}
	mark_checks(b, from);
}

// It counts in arrays of its own.
static Exp *twin_of_hist(Floats *f, Build *b, const Body *body, const Exp *e, Map *to, const At *at)
{
	Exp *twin = exp_dup(e);
	twin->hist.map = lambda_rename(e->hist.map);
	twin->hist.ops = SLICE_DUP(HistOps, e->hist.ops);
	for EACH(HistOp, op, twin->hist.ops) {
		op->op = lambda_rename(op->op);
		op->dests = SLICE_DUP(Subs, op->dests);
		for EACH(Sub, x, op->dests)
			*x = fill_again(b, body, *x);
	}
	return with_nested_bodies(exp_subst(twin, to), check_inside, &(Inside){f, at});
}

static void emit_twin(Floats *f, Build *b, const Body *body, const Stm *s, Map *to, const At *at)
{
	Exp *twin = s->exp->form == E_screma ? twin_of_screma(f, b, s, to, at)
	          : s->exp->form == E_hist   ? twin_of_hist(f, b, body, s->exp, to, at)
	                                     : twin_of_withacc(f, b, body, s->exp, to, at);
	Types ts = types_plain(types_of_vars(s->pat));
	Subs again = b_lets(b, "again", ts, twin);
	for (int i = 0; i < again.len; i++)
		subst_put(to, s->pat.at[i], again.at[i]);
}

static bool is_added_to(const Twins *twins, Sub x)
{
	for EACH(const Stm *, s, *twins)
		if ((*s)->exp->form == E_withacc)
			for EACH(AccInput, in, (*s)->exp->withacc.inputs)
				for EACH(Sub, y, in->arrs)
					if (sub_eq(x, *y))
						return true;
	return false;
}

// See Note [Twins].
static void check_results(Floats *f, Build *b, const Body *body, const Twins *twins, Sub flag,
                          const At *at)
{
	int from = b_len(b);
	Sub fine = b_eq(b, flag, no_flag());
	const Stm *last = twins->at[twins->len - 1];
	for EACH(Var, p, last->pat) {
		Sub x = sub_var(*p);
		bool rows = last->exp->form == E_screma && vars[p->id].type.dims.len > 1;
		if (type_is_float(vars[p->id].type) && !map_has(&f->cover.unneeded, var_key(*p)))
			fine = b_and(b, fine, rows ? b_rows_finite(b, x) : b_all_finite(b, x));
	}
	if (fine.kind == S_CONST)
		return;
	Map to = {0};
	SubVec needs = {0};
	b_open(b);
	for EACH(const Stm *, s, *twins) {
		emit_twin(f, b, body, *s, &to, at);
		for EACH(Var, p, (*s)->pat)
			if (!is_added_to(twins, sub_var(*p)))
				VEC_PUSH(&needs, sub_subst(&to, sub_var(*p)));
	}
	Sub ok = opaque_true(b, (Vars){0}, VEC_SLICE(Subs, needs));
	assert_fine(b, fine, b_close(b, subs_of(1, ok)));
	mark_checks(b, from);
}

// ---- Chains ----

// Of a body outside: for each statement with a twin the one that shows its results, or -1; and what
// waits for it.
typedef struct { int *next; Twins *twins; Sub *flag; } Chains;

static bool shows(const Floats *f, const Exp *e, Var x)
{
	for (int i = 0; e->form == E_screma && i < e->screma.arrs.len; i++)
		if (sub_eq(e->screma.arrs.at[i], sub_var(x)) &&
		    is_seen(&f->cover, sub_var(e->screma.map->params.at[i])))
			return true;
	return false;
}

static bool shows_all(const Floats *f, const Stm *later, const Stm *s)
{
	bool any = false;
	for EACH(Var, p, s->pat) {
		if (!type_is_float(vars[p->id].type))
			continue;
		if (!shows(f, later->exp, *p))
			return false;
		any = true;
	}
	return any;
}

static int shown_by(const Floats *f, const Body *b, int at)
{
	for (int j = at + 1; j < b->stms.len && !stm_consumes(&b->stms.at[j]); j++)
		if (has_twin(f, b, &b->stms.at[j]) && shows_all(f, &b->stms.at[j], &b->stms.at[at]))
			return j;
	return -1;
}

static Chains chains_of(Floats *f, const Body *b)
{
	int n = b->stms.len;
	Chains c = {NEW_ARRAY(int, n + 1), NEW_ARRAY(Twins, n + 1), NEW_ARRAY(Sub, n + 1)};
	for EACH(Stm, s, b->stms)
		if (has_twin(f, b, s))
			cover_results(&f->cover, b, s);
	for (int i = 0; i < n; i++) {
		c.next[i] = has_twin(f, b, &b->stms.at[i]) ? shown_by(f, b, i) : -1;
		c.flag[i] = no_flag();
	}
	return c;
}

// What has made the arrays that statement i adds to: tested by itself, but its twin makes them
// again.
static void push_sums_before(Twins *twins, const Body *body, int i)
{
	const Exp *e = body->stms.at[i].exp;
	for (int k = 0; e->form == E_withacc && k < e->withacc.inputs.len; k++)
		for EACH(Sub, x, e->withacc.inputs.at[k].arrs) {
			const Stm *s = sum_before(body, *x, i);
			bool there = !s;
			for EACH(const Stm *, t, *twins)
				there |= *t == s;
			if (!there)
				VEC_PUSH(twins, s);
		}
}

// After statement i, with its flag.
static void check_chain(Floats *f, Build *b, Chains *c, const Body *body, int i, Sub flag,
                        const At *at)
{
	push_sums_before(&c->twins[i], body, i);
	VEC_PUSH(&c->twins[i], &body->stms.at[i]);
	flag = join_flags(b, flag, c->flag[i]);
	int to = c->next[i];
	if (to < 0) {
		check_results(f, b, body, &c->twins[i], flag, at);
		return;
	}
	VEC_APPEND(&c->twins[to], c->twins[i]);
	c->flag[to] = join_flags(b, c->flag[to], flag);
}

// ---- Flags ----

static Body with_result(Body b, Sub x)
{
	b.res = subs_cat(b.res, subs_of(1, x));
	return b;
}

// One result more, after the others, for a statement.
static Sub add_flag(Stm *t)
{
	Var v = var_new(name_of("flag"), type_scalar(flag_type));
	t->pat = vars_cat(t->pat, vars_of(1, v));
	return sub_var(v);
}

// The function gives a flag more, which is summed up: after the inputs of operators, before what is
// mapped.
static Sub flag_screma(Floats *f, Build *b, Stm *t)
{
	Exp *e = exp_dup(t->exp);
	Lambda *l = mem_dup(e->screma.map, sizeof *l);
	bool flagged;
	l->body = check_body(f, l->body, FLAGS, NULL, &flagged);
	check_operators_of(f, &e->screma.scans, NULL);
	check_operators_of(f, &e->screma.reds, NULL);
	e->screma.map = l;
	t->exp = e;
	if (!flagged)
		return no_flag();
	int n = l->ret.len, at = n_folded(e);
	Var flag = var_new(name_of("flag"), type_scalar(flag_type));
	Subs res = {NEW_ARRAY(Sub, n + 1), n + 1};
	Types ret = {NEW_ARRAY(Type, n + 1), n + 1};
	Vars pat = {NEW_ARRAY(Var, n + 1), n + 1};
	for (int i = 0; i <= n; i++) {
		int from = i < at ? i : i - 1;
		res.at[i] = i == at ? l->body.res.at[n] : l->body.res.at[from];
		ret.at[i] = i == at ? type_scalar(flag_type) : l->ret.at[from];
		pat.at[i] = i == at ? flag : t->pat.at[from];
	}
	l->body.res = res;
	l->ret = ret;
	t->pat = pat;
	Reductions reds = {NEW_ARRAY(Reduction, e->screma.reds.len + 1), e->screma.reds.len + 1};
	for (int i = 0; i + 1 < reds.len; i++)
		reds.at[i] = e->screma.reds.at[i];
	reds.at[reds.len - 1] = (Reduction){b_operator(b, P_add, flag_type), subs_of(1, no_flag()),
		true};
	e->screma.reds = reds;
	return sub_var(flag);
}

// A value more beside the accumulators.
static Sub flag_withacc(Floats *f, Stm *t)
{
	Exp *e = exp_dup(t->exp);
	Lambda *l = e->withacc.fn = mem_dup(e->withacc.fn, sizeof *l);
	bool flagged;
	l->body = check_body(f, l->body, FLAGS, NULL, &flagged);
	e->withacc.inputs = SLICE_DUP(AccInputs, e->withacc.inputs);
	for EACH(AccInput, in, e->withacc.inputs)
		if (in->op)
			in->op = check_lambda(f, in->op, NULL);
	t->exp = e;
	if (!flagged)
		return no_flag();
	Types ret = {NEW_ARRAY(Type, l->ret.len + 1), l->ret.len + 1};
	memcpy(ret.at, l->ret.at, (size_t)l->ret.len * sizeof *ret.at);
	ret.at[l->ret.len] = type_scalar(flag_type);
	l->ret = ret;
	return add_flag(t);
}

static Sub flag_arms(Floats *f, Stm *t)
{
	Exp *e = choice_copy(t->exp);
	bool any = false, *flagged = NEW_ARRAY(bool, n_branches(e));
	for (int i = 0; i < n_branches(e); i++) {
		Body *arm = branch_at(e, i);
		*arm = check_body(f, *arm, FLAGS, NULL, &flagged[i]);
		any |= flagged[i];
	}
	for (int i = 0; any && i < n_branches(e); i++)
		if (!flagged[i])
			*branch_at(e, i) = with_result(*branch_at(e, i), no_flag());
	t->exp = e;
	return any ? add_flag(t) : no_flag();
}

static Sub flag_loop(Floats *f, Stm *t)
{
	Exp *e = exp_dup(t->exp);
	bool flagged;
	Body body = check_body(f, e->loop.body, FLAGS, NULL, &flagged);
	t->exp = e;
	e->loop.body = body;
	if (!flagged)
		return no_flag();
	Var so_far = var_new(name_of("flag"), type_scalar(flag_type));
	Build b = {0};
	b_open(&b);
	b_emit_all(&b, body.stms);
	int n = body.res.len - 1;
	b.attrs = attr_of(ATTR_REDUCE); // zeros and NaNs are added up in any order
	Sub now = b_add(&b, sub_var(so_far), body.res.at[n]);
	e->loop.body = b_close(&b, subs_cat(subs_part(body.res, 0, n), subs_of(1, now)));
	e->loop.params = vars_cat(e->loop.params, vars_of(1, so_far));
	e->loop.inits = subs_cat(e->loop.inits, subs_of(1, no_flag()));
	return add_flag(t);
}

// ---- Statements ----

static void check_arms(Floats *f, Exp *e, How how, const At *at)
{
	bool none;
	*e = *choice_copy(e);
	for (int i = 0; i < n_branches(e); i++)
		*branch_at(e, i) = check_body(f, *branch_at(e, i), how, at, &none);
}

static void check_loop(Floats *f, Exp *e, How how, const At *at)
{
	At inside = {sub_var(e->loop.i), at};
	bool none;
	e->loop.body = check_body(f, e->loop.body, how, e->loop.is_while ? at : &inside, &none);
}

// With assertions inside.
static Exp *check_nest(Floats *f, Build *b, const Stm *s, How how, const At *at)
{
	Exp *e = exp_dup(s->exp);
	switch (e->form) {
	case E_if_: case E_match:
		check_arms(f, e, how, at);
		return e;
	case E_loop:
		check_loop(f, e, how, at);
		return e;
	case E_screma:
		return check_screma(f, b, e, at);
	default: // histograms and the like: each lambda by itself
		return with_nested_bodies(s->exp, check_inside, &(Inside){f, at});
	}
}

static Sub flag_nest(Floats *f, Build *b, Stm *t)
{
	switch (t->exp->form) {
	case E_if_: case E_match: return flag_arms(f, t);
	case E_loop:              return flag_loop(f, t);
	case E_screma:            return flag_screma(f, b, t);
	case E_withacc:           return flag_withacc(f, t);
	default: // these have no place for a flag
		t->exp = check_nest(f, b, t, INSIDE, NULL);
		return no_flag();
	}
}

// Gives the flag of what is inside.
static Sub emit_stm(Floats *f, Build *b, const Stm *s, How how, bool twin, const At *at)
{
	Stm t = *s;
	Sub flag = no_flag();
	b->where = s->where;
	bool nest = form_has(s->exp->form, FORM_NEST) && !is_trusted(s);
	if (nest && (how == FLAGS || twin))
		flag = flag_nest(f, b, &t);
	else if (nest)
		t.exp = check_nest(f, b, s, how, at);
	b_emit(b, t);
	return flag;
}

static Body check_body(Floats *f, Body body, How how, const At *at, bool *flagged)
{
	body = sink_floats(body);
	Plan p = segments_of(f, &body);
	Chains c = how == OUTSIDE ? chains_of(f, &body) : (Chains){0};
	Build b = {0};
	b_open(&b);
	int from = 0;
	Sub flag = no_flag();
	for (int i = 0; i <= body.stms.len; i++) {
		if (i == body.stms.len || (i && p.segment[i] != p.segment[i - 1])) {
			if (how == FLAGS)
				flag = join_flags(&b, flag, flag_segment(f, &b, &p, from, i));
			else
				test_segment(&b, &p, from, i, at);
			from = i;
		}
		if (i == body.stms.len)
			break;
		bool twin = how == OUTSIDE && has_twin(f, &body, &body.stms.at[i]);
		if (twin && body.stms.at[i].exp->form == E_withacc)
			keep_copies(f, &b, &body, &body.stms.at[i]);
		Sub here = emit_stm(f, &b, &body.stms.at[i], how, twin, at);
		if (how == FLAGS)
			flag = join_flags(&b, join_flags(&b, flag, here),
			                  flag_watched(f, &b, &body.stms.at[i]));
		else if (twin)
			check_chain(f, &b, &c, &body, i, here, at);
	}
	*flagged = how == FLAGS && flag.kind == S_VAR;
	return b_close(&b, *flagged ? subs_cat(body.res, subs_of(1, flag)) : body.res);
}

static Body check_outside(Body b, void *ctx)
{
	bool none;
	find_infinite(&((Floats *)ctx)->infinite, &b);
	return check_body(ctx, b, OUTSIDE, NULL, &none);
}

static void note_f64(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (is_trusted(s))
			continue;
		if (creates_one(s) && vars[s->pat.at[0].id].type.elem == PT_F64)
			*(bool *)v->ctx = true;
		exp_walk(s->exp, v);
	}
}

// What the checks themselves compute does not count.
static bool has_f64(Prog *prog)
{
	bool any = false;
	Visit v = {.body = note_f64, .ctx = &any};
	for EACH(Fun *, f, prog->funs)
		note_f64(&v, &(*f)->body);
	return any;
}

Prog *check_floats(Prog *prog)
{
	Floats f = {0};
	f.cover.infinite = &f.infinite;
	prog = pass_within(PASS_simplify, prog); // dead code, as of derivatives, is not checked
	flag_type = has_f64(prog) ? PT_F64 : PT_F32;
	return with_bodies(prog, creates_one, check_outside, &f);
}
