// The pass `jam`: unroll-and-jam of a loop around a fold of a thread block.
//
//     let (o) = loop (o = inf) for i < n do {             for g < (n + 7) / 8 do {
//       #[threads] let (s) = loop (s = 0) for j < m do {    i0 = 8 g; i1 = min (8 g + 1) (n - 1)
//         .. xs[j], as[i, xs[j]] ..                         #[threads] let (s0, s1 ..) =
//         r = call op (s, ..)                         ->      loop (s0 = 0 ..) for j < m do {
//       }                                                       .. as[i0, xs[j]], as[i1, xs[j]] ..
//       o' = min o s                                          }
//     }                                                     min o s0, min with s1 if i1 is there ..
//
// Loads that do not depend on i are shared by eight iterations, the other loads overlap, and the
// threads of the block synchronise once instead of eight times.
//
// Applied in #[blocks] kernels if the fold depends on i but not on values carried by the outer
// loop, and reads something invariant in i.  The indices i0, i1 .. are marked #[jammed] for
// `coalesce`.
//
// Requires: the pass `seq`.  Ensures: equal results.
#include "opt/opt.h"

enum { GROUP = 8, MOST_STMS = 200 };

typedef struct { Build b; bool in_blocks; } Jam;

// ---- Which loops ----

static bool is_scalar_stm(const Stm *s)
{
	Form f = s->exp->form;
	return f == E_assert_ || ((f == E_prim || f == E_convert || f == E_atom || f == E_index) &&
	                          vars_are_scalars(s->pat));
}

// Does the body of the fold read an element that is the same for all i?
static bool shares_loads(const Exp *loop, const Exp *fold)
{
	Map depends = {0};
	vars_put(&depends, vars_of(1, loop->loop.i), &depends);
	bool shares = false;
	for EACH(Stm, s, loop->loop.body.stms)
		if (s->exp != fold && stm_mentions(s, &depends))
			vars_put(&depends, s->pat, &depends);
	for EACH(Stm, s, fold->loop.body.stms) {
		bool differs = stm_mentions(s, &depends);
		if (differs)
			vars_put(&depends, s->pat, &depends);
		shares |= s->exp->form == E_index && !differs;
	}
	return shares;
}

// The statements that need what the loop carries, or what the fold gives.
typedef struct { const Stm *fold; Map late; } Parts;

static bool only_stores_there(const Exp *loop, const Stm *s, const Map *carried)
{
	const Exp *e = s->exp;
	bool old = e->update.val.kind == S_VAR && map_has(carried, var_key(e->update.val.var));
	return type_is_scalar(sub_type(e->update.val)) && !old && e->update.at.len == 1 &&
	       is_row_at(e->update.at, sub_var(loop->loop.i));
}

static const Stm *fold_in(const Exp *loop)
{
	const Stm *fold = NULL;
	for EACH(Stm, s, loop->loop.body.stms)
		if (s->exp->form == E_loop) {
			if (fold || !has_attr(s->attrs, ATTR_THREADS))
				return NULL;
			fold = s;
		}
	return fold;
}

// Arrays that are carried are only stored to, at i, which may happen twice.
static bool parts_of(const Exp *loop, Parts *p)
{
	Map bound = {0}, carried = {0};
	p->fold = fold_in(loop);
	if (!p->fold || !vars_are_scalars(p->fold->pat) || p->fold->exp->loop.is_while)
		return false;
	vars_put(&carried, loop->loop.params, &carried);
	vars_put(&p->late, loop->loop.params, &p->late);
	for EACH(Stm, s, loop->loop.body.stms) {
		vars_put(&bound, s->pat, &bound);
		bool of_carried = stm_mentions(s, &carried);
		if (of_carried)
			vars_put(&carried, s->pat, &carried);
		if (s == p->fold) {
			if (of_carried)
				return false;
			vars_put(&p->late, s->pat, &p->late);
			continue;
		}
		if (stm_mentions(s, &p->late))
			vars_put(&p->late, s->pat, &p->late);
		if (s->exp->form == E_update ? !only_stores_there(loop, s, &carried)
		                             : !is_scalar_stm(s))
			return false;
		if (s->exp->form == E_index && map_has(&carried, var_key(s->exp->index.arr.var)))
			return false;
	}
	Sub m = p->fold->exp->loop.n;
	return m.kind != S_VAR || !map_has(&bound, var_key(m.var));
}

static bool is_jammed(const Stm *s, Parts *p)
{
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && !is_device_loop(s->attrs) &&
	       sub_type(e->loop.n).elem == PT_I64 && e->loop.n.kind == S_VAR && parts_of(e, p) &&
	       GROUP * p->fold->exp->loop.body.stms.len <= MOST_STMS &&
	       shares_loads(e, p->fold->exp);
}

// ---- What becomes of them ----

// The indices of the group: the last one again where there are no more.
static void group_indices(Build *b, const Exp *loop, Sub g, Sub *at, Sub *there)
{
	Sub base = b_mul(b, g, sub_i64(GROUP)), last = b_sub(b, loop->loop.n, sub_i64(1));
	for (int u = 0; u < GROUP; u++) {
		Sub i = b_add(b, base, sub_i64(u));
		there[u] = u ? b_lt(b, i, loop->loop.n) : sub_bool(true);
		Var v = var_i64("i");
		b->attrs = attr_of(ATTR_JAMMED);
		b_stm(b, vars_of(1, v), EXP(prim, P_min, PT_I64, {i, last}));
		at[u] = sub_var(v);
	}
}

// One fold of all of them, which have the same counter.
static void emit_fold(Build *b, const Body *copies, int where)
{
	Stm all = copies[0].stms.at[where];
	Exp *e = NEW(Exp, .form = E_loop, .loop = all.exp->loop);
	VEC(Stm) stms = {0};
	all.pat = e->loop.params = (Vars){0};
	e->loop.inits = e->loop.body.res = (Subs){0};
	for (int u = 0; u < GROUP; u++) {
		const Stm *s = &copies[u].stms.at[where];
		Map same = {0};
		subst_put(&same, s->exp->loop.i, sub_var(e->loop.i));
		Body body = u ? body_subst(s->exp->loop.body, &same) : s->exp->loop.body;
		VEC_APPEND(&stms, body.stms);
		all.pat = vars_cat(all.pat, s->pat);
		e->loop.params = vars_cat(e->loop.params, s->exp->loop.params);
		e->loop.inits = subs_cat(e->loop.inits, s->exp->loop.inits);
		e->loop.body.res = subs_cat(e->loop.body.res, body.res);
	}
	e->loop.body.stms = VEC_SLICE(Stms, stms);
	all.exp = e;
	b_emit(b, all);
}

// What comes after the fold in one iteration; gives what is carried on.
static Subs emit_late(Build *b, const Exp *loop, const Parts *p, Body copy, Subs carried, Sub there)
{
	Map to = {0};
	VEC(Stm) stms = {0};
	for (int i = 0; i < copy.stms.len; i++) {
		const Stm *s = &loop->loop.body.stms.at[i];
		bool late = s->pat.len && map_has(&p->late, var_key(s->pat.at[0]));
		if (s != p->fold && late)
			VEC_PUSH(&stms, copy.stms.at[i]);
	}
	for (int k = 0; k < carried.len; k++)
		subst_put(&to, loop->loop.params.at[k], carried.at[k]);
	Body body = body_subst((Body){VEC_SLICE(Stms, stms), copy.res}, &to);
	b_emit_all(b, body.stms);
	Subs next = {NEW_ARRAY(Sub, carried.len), carried.len};
	for (int k = 0; k < carried.len; k++)
		next.at[k] = type_is_scalar(sub_type(body.res.at[k]))
		           ? b_select(b, there, body.res.at[k], carried.at[k]) : body.res.at[k];
	return next;
}

static void jam_loop(Build *b, const Stm *s, const Parts *p)
{
	const Exp *loop = s->exp;
	const Body *body = &loop->loop.body;
	int where = (int)(p->fold - body->stms.at);
	Sub at[GROUP], there[GROUP];
	Body copies[GROUP];
	Sub n = b_prim2(b, P_quot, b_add(b, loop->loop.n, sub_i64(GROUP - 1)), sub_i64(GROUP));
	Var g = var_i64("g");
	b_open(b);
	group_indices(b, loop, sub_var(g), at, there);
	for (int u = 0; u < GROUP; u++) {
		Map to = {0};
		subst_put(&to, loop->loop.i, at[u]);
		copies[u] = body_subst(body_rename(*body), &to);
		for (int i = 0; i < body->stms.len; i++) {
			const Stm *t = &body->stms.at[i];
			bool late = t->pat.len && map_has(&p->late, var_key(t->pat.at[0]));
			if (t != p->fold && !late)
				b_emit(b, copies[u].stms.at[i]);
		}
	}
	emit_fold(b, copies, where);
	Subs carried = subs_of_vars(loop->loop.params);
	for (int u = 0; u < GROUP; u++)
		carried = emit_late(b, loop, p, copies[u], carried, there[u]);
	Exp *e = NEW(Exp, .form = E_loop, .loop = loop->loop);
	e->loop.i = g;
	e->loop.n = n;
	e->loop.body = b_close(b, carried);
	Stm t = *s;
	t.exp = e;
	b_emit(b, t);
}

// ---- Bodies, functions ----

static void jam_body(Visit *v, Body *body)
{
	Jam *j = v->ctx;
	b_open(&j->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		Parts p = {0};
		bool before = j->in_blocks;
		j->in_blocks |= has_attr(s->attrs, ATTR_BLOCKS);
		if (j->in_blocks && is_jammed(s, &p) && may_rewrite()) {
			jam_loop(&j->b, s, &p);
		} else {
			if (form_has(s->exp->form, FORM_NEST))
				t.exp = exp_visit(s->exp, v);
			b_emit(&j->b, t);
		}
		j->in_blocks = before;
	}
	*body = b_close(&j->b, body->res);
}

Prog *jam(Prog *prog)
{
	Jam j = {0};
	Visit v = {.body = jam_body, .copy = true, .ctx = &j};
	return prog_rewrite(prog, &v);
}
