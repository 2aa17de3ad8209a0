// The simplifier: applies local rewrite rules to a fixed point.
//
//     let (a: i64) = add.i64 x 0
//     let (b: [n]f64) = slice xs [s:n:1]
//     let (y: f64) = index b [a]               ->   let (i: i64) = add.i64 s x
//     let (z: f64) = if true then {y} else {0.0}    let (y: f64) = index xs [i]
//     in z                                          in y
//
// Requires nothing.  Ensures that no rule applies any more, as far as can be told without another
// round (simp_again.c), or that ROUNDS rounds were made; and that no dead code is left that dce
// would remove.
//
// A round visits the program in order and rebuilds it.  Operands are substituted; each statement is
// offered to the rules of its form, which can inspect the definitions of its operands; equal scalar
// operations and views are shared by the builder.  Then dead code is removed, since some rules
// depend on the number of uses of a variable.
//
// Obligations of a rule:
//   - it keeps types and values, floats bit for bit up to the payload of a NaN;
//   - it makes the program smaller, or moves it towards a normal form that no other rule undoes;
//   - it duplicates at most a few scalar operations;
//   - it does not move the read of an array past a statement that consumes it (alias_gone);
//   - it does not merge arrays that are consumed anywhere (alias_ever);
//   - in functions to be differentiated, it preserves derivatives, including those of integers.
//
// Note [Certificates].  If the definition of a substituted variable names certificates, these are
// added to the statements in which it is substituted.  Results of bodies and sizes in types have
// no certificates: there the variable is kept, together with its statement.  So no statement can
// move before a check that it depends on, whatever other passes do.
#include "opt/simplify.h"

enum { ROUNDS = 6 };

// ---- State ----

Info *s_info_of_new(Simp *s, Var v)
{
	uint32_t cap = v.id + v.id / 16 + 64;    // no more than needed: all of it is cleared
	s->infos = table_grow(s->infos, s->cap * sizeof(Info), cap * sizeof(Info));
	s->cap = cap;
	return &s->infos[v.id];
}

Sub s_subst(Simp *s, Sub x)
{
	while (x.kind == S_VAR) {
		const Info *i = s_info(s, x.var);
		if (!i->to || i->to->certs.len)
			break;
		s->touched = true;
		x = i->to->sub;
	}
	return x;
}

const Exp *s_def(Simp *s, Sub x)
{
	return x.kind == S_VAR ? s_info(s, x.var)->def : NULL;
}

const Exp *s_def_as(Simp *s, Sub x, Form form)
{
	const Exp *e = s_def(s, x);
	return e && e->form == form ? e : NULL;
}

// Of variables made in this round nothing is known.
int s_uses(Simp *s, Sub x)
{
	bool known = x.kind == S_VAR && x.var.id < s->counts.len;
	return known ? s->counts.of[x.var.id].uses : INT32_MAX;
}

bool s_rewrite(Simp *s)
{
	if (!may_rewrite())
		return false;
	s->changed = s->touched = true;
	return true;
}

void s_replace(Simp *s, Var v, Sub to, Vars certs)
{
	s_info(s, v)->to = NEW(Stand, to, certs);
	alias_unite(&s->alias, v, to);          // who consumes the one consumes the other
	if (to.kind != S_VAR || to.var.id >= s->counts.len || v.id >= s->counts.len)
		return;
	Count *of = s->counts.of;               // they are uses of `to` from now on
	of[to.var.id].uses += of[v.id].uses;
	of[to.var.id].index_uses += of[v.id].index_uses;
	of[to.var.id].turned_uses += of[v.id].turned_uses;
}

// ---- Emitting ----

static void record(Simp *s, const Stm *st)
{
	for (int i = 0; i < st->pat.len; i++) {
		Info *x = s_info(s, st->pat.at[i]);
		x->def = st->exp;
		x->certs = st->certs.at;
		x->n_certs = st->certs.len;
		x->pat = st->pat.at;
		x->index = i;
		x->depth = s->depth;
	}
	alias_stm(&s->alias, st);
}

// Sizes of arrays that exist are not negative.
static void note_sizes(Simp *s, Var x, int64_t most, Vars certs)
{
	const Type *t = &vars[x.id].type;
	if (t->kind == T_DATA)
		for EACH(Sub, d, t->dims)
			range_size(&s->range, *d, most, certs);
}

Sub s_let(Simp *s, const char *hint, Type t, Exp *e)
{
	if (s->trying)
		return e->prim.x[0];
	uint32_t before = n_vars;
	Sub x = b_let(&s->b, hint, t, e);
	if (x.kind == S_VAR && x.var.id >= before) {
		record(s, &(Stm){.pat = vars_of(1, x.var), .exp = e, .certs = s->b.certs});
		s->again |= simp_prim_applies(s, e) || simp_index_applies(s, e);
	}
	return x;
}

Sub s_prim(Simp *s, Prim op, Sub x, Sub y)
{
	PrimType at = sub_type(x).elem;
	Sub xs[3] = {x, y}, out;
	if (prim_commutes(op) && x.kind == S_CONST && y.kind == S_VAR) {
		xs[0] = y;
		xs[1] = x;
	}
	if (fold_prim(op, at, xs, &out))
		return out;
	return s_let(s, prim_name[op], type_scalar(prim_result(op, at)),
	             EXP(prim, op, at, {xs[0], xs[1]}));
}

Sub s_convert(Simp *s, PrimType to, Sub x)
{
	if (sub_type(x).elem == to)
		return x;
	if (x.kind == S_CONST)
		return sub_const(convert_eval(to, x.val));
	return s_let(s, primtype_name[to], type_scalar(to), EXP(convert, to, x));
}

// Operations that cannot fail depend on no assertion.
static bool is_total(const Exp *e)
{
	return e->form == E_convert ||
	       (e->form == E_prim && !prim_can_fail(e->prim.op, e->prim.at));
}

// The sizes in its type are up to date before types are compared.
bool s_find(Simp *s, const Stm *st, Sub *out)
{
	Var y = st->pat.at[0];
	s_subst_type(s, y);
	return b_find(&s->b, st->exp, vars[y.id].type, out);
}

void s_emit(Simp *s, Stm *st)
{
	if (st->certs.len && is_total(st->exp)) {
		note_kept(&s->kept, st->certs);
		st->certs = (Vars){0};
	}
	for EACH(Var, x, st->pat)
		s_subst_type(s, *x);
	b_emit(&s->b, *st);
	record(s, st);
	for EACH(Var, x, st->pat)
		note_sizes(s, *x, LARGEST_SIZE, st->certs);
}

// ---- Nested bodies ----


// What was proved in a body does not hold after it.
static void forget_proofs(Simp *s, int mark)
{
	while (s->proved.len > mark)
		s_info(s, s->proved.at[--s->proved.len])->proof = (Var){0};
}

static Body s_body(Simp *s, Body b)
{
	int mark = s->proved.len, facts = range_mark(&s->range);
	b_open(&s->b);
	for EACH(Stm, st, b.stms)
		s_stm(s, st);
	Subs res = {NEW_ARRAY(Sub, b.res.len), b.res.len};
	for (int i = 0; i < res.len; i++)
		res.at[i] = s_subst(s, b.res.at[i]);
	forget_proofs(s, mark);
	range_release(&s->range, facts);
	return b_close(&s->b, res);
}

Subs s_inline(Simp *s, Body b, Vars certs)
{
	for EACH(Stm, st, b.stms) {
		Stm t = *st;
		if (certs.len) {
			VarVec all = {0};
			s_add_certs(s, &all, t.certs);
			s_add_certs(s, &all, certs);
			t.certs = VEC_SLICE(Vars, all);
		}
		s_stm(s, &t);
	}
	Subs res = {NEW_ARRAY(Sub, b.res.len), b.res.len};
	for (int i = 0; i < res.len; i++)
		res.at[i] = s_subst(s, b.res.at[i]);
	return res;
}

void s_name(Simp *s, const Stm *st, Subs res)
{
	for (int i = 0; i < st->pat.len; i++)
		s_replace(s, st->pat.at[i], res.at[i], st->certs);
	if (!st->certs.len)
		return;
	for (int i = 0; i < st->pat.len; i++)
		s_emit(s, &(Stm){.pat = vars_of(1, st->pat.at[i]), .certs = st->certs,
		               .where = st->where, .exp = EXP(atom, res.at[i])});
}

static void nested_body(Visit *v, Body *b)
{
	*b = s_body(v->ctx, *b);
}

// While c is known; the branch is otherwise as it was.
static Body branch(Simp *s, Body b, Sub cond, bool holds)
{
	if (cond.kind != S_VAR)
		return s_body(s, b);
	const Stand *saved = s_info(s, cond.var)->to;
	int facts = range_mark(&s->range);
	range_assume(&s->range, cond, holds, (Var){0});
	s_replace(s, cond.var, sub_bool(holds), (Vars){0});
	b = s_body(s, b);
	range_release(&s->range, facts);
	s_info(s, cond.var)->to = saved;
	return b;
}

static bool is_counting(Simp *s, Sub arr)
{
	const Exp *e = s_def_as(s, arr, E_iota);
	return e && is_int(e->iota.type) && is_int_const(e->iota.step, 1);
}

static void note_counters(Simp *s, const Lambda *l, Subs arrs, Sub n)
{
	range_runs(&s->range, n);
	for (int i = 0; i < arrs.len && i < l->params.len; i++) {
		s_info(s, l->params.at[i])->is_counter = is_counting(s, arrs.at[i]);
		const Exp *iota = s_def_as(s, arrs.at[i], E_iota);
		if (iota)
			range_iota(&s->range, l->params.at[i], iota);
	}
}

static void note_lambda(Simp *s, const Stm *st)
{
	const Exp *e = st->exp;
	switch (e->form) {
	case E_screma: case E_hist: case E_scatter: case E_flatmap:
		note_counters(s, *soac_fn(e), e->soac.arrs, e->soac.n);
		return;
	case E_loop:
		if (e->loop.is_while)
			return;
		s_info(s, e->loop.i)->is_counter = true;
		range_counter(&s->range, e->loop.i, e->loop.n);
		note_sums(s, st);
		return;
	default: // binds no counter
		return;
	}
}

static void note_depth(Visit *v, Var *x)
{
	Simp *s = v->ctx;
	s_info(s, *x)->depth = s->depth;
	note_sizes(s, *x, LARGEST_SIZE, (Vars){0});
}

static void simp_nested(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (e->form == E_if_) {
		e->if_.yes = branch(s, e->if_.yes, e->if_.cond, true);
		e->if_.no = branch(s, e->if_.no, e->if_.cond, false);
		return;
	}
	bool repeated = e->form != E_match;
	int facts = range_mark(&s->range);
	const Exp *around = s->loop;
	s->loop = e->form == E_loop ? e : e->form == E_match ? s->loop : NULL;
	note_lambda(s, st);
	s->depth += repeated;
	s->in_ad += form_is_derivative(e->form);
	Visit v = {.sub = s_subst_operand, .bind = note_depth, .body = nested_body, .copy = true,
	           .ctx = s};
	st->exp = exp_visit(e, &v);
	s->in_ad -= form_is_derivative(e->form);
	s->depth -= repeated;
	s->loop = around;
	range_release(&s->range, facts);
}

// ---- Statements ----

bool s_becomes(Simp *s, Stm *st, Sub x)
{
	st->exp = EXP(atom, x);
	s_replace(s, st->pat.at[0], x, st->certs);
	return !st->certs.len;
}

void s_is_equal(Simp *s, const Stm *st, Sub x)
{
	note_lost(&s->kept, st->certs, s_def_certs(s, x));
	s_replace(s, st->pat.at[0], x, (Vars){0});
}

// Before nested bodies are gone into.
static bool rules_before(Simp *s, Stm *st)
{
	switch (st->exp->form) {
	case E_atom:
		return s_becomes(s, st, st->exp->atom.x);
	case E_prim: case E_convert:
		return simp_prim(s, st);
	case E_index: case E_slice:
		return simp_index(s, st);
	case E_update: case E_concat: case E_reshape: case E_rearrange: case E_copy:
	case E_replicate: case E_iota: case E_array:
		return simp_array(s, st);
	case E_if_: case E_match: case E_loop:
		return simp_control(s, st);
	case E_screma: case E_hist: case E_scatter: case E_flatmap:
		return simp_soac(s, st);
	case E_assert_:
		return simp_assert(s, st);
	case E_call: case E_scratch: case E_withacc: case E_upd_acc: case E_jvp: case E_vjp:
	case E_with_vjp: case E_trace: case E_opaque: case E_alloc: case E_release: case N_FORM:
		return false;
	}
	bug("no such form: %d", (int)st->exp->form);
}

static bool rules_after(Simp *s, Stm *st)
{
	switch (st->exp->form) {
	case E_if_: case E_match: case E_loop:
		return simp_branches(s, st);
	case E_screma: case E_hist: case E_scatter: case E_flatmap:
		return simp_soac_results(s, st) || simp_flat_map(s, st);
	default: // nothing is nested in others, or it tells nothing
		return false;
	}
}

void s_stm(Simp *s, const Stm *old)
{
	Stm st = *old;
	s_subst_stm(s, &st);
	for EACH(Var, x, st.pat)
		s_subst_type(s, *x);              // what rules make of its sizes is up to date
	const Where *where = s->b.where;
	s->b.where = st.where;
	bool done = rules_before(s, &st);
	if (!done) {
		alias_consume(&s->alias, st.exp);
		if (form_has(st.exp->form, FORM_NEST)) {
			bool before = s->touched;
			s->touched = false;
			simp_nested(s, &st);
			done = rules_after(s, &st);
			s->touched |= before;
		}
	}
	s->b.where = where;
	s->touched |= done;
	if (!done)
		s_emit(s, &st);
}

// ---- Rounds ----

static bool holds_derivative(const Stm *s)
{
	return form_is_derivative(s->exp->form);
}

static void find_derivatives(Visit *v, Body *b)
{
	for EACH(Stm, st, b->stms) {
		if (!form_has(st->exp->form, FORM_NEST))
			continue;
		exp_visit(st->exp, v);
		if (form_is_derivative(st->exp->form)) {
			Visit w = {.fun = reach_fun, .ctx = &((Simp *)v->ctx)->differentiated};
			exp_visit(st->exp, &w);
		}
	}
}

// For a round over the functions of a program that were counted.
static Simp simp_new(const Prog *prog, Counts *counts, bool derivatives)
{
	Simp s = {.counts = *counts, .alias = counts_alias(counts), .derivatives = derivatives,
	          .in_loops = prog->stage & (STAGE_LOOP | STAGE_MEM)};
	s_info(&s, (Var){n_vars});
	Visit find = {.body = find_derivatives, .ctx = &s};
	for (int i = 0; derivatives && i < prog->funs.len; i++)
		find_derivatives(&find, &prog->funs.at[i]->body);
	return s;
}

static const Exp *def_of(void *ctx, Sub x)
{
	return s_def(ctx, x);
}

// What is left to do after it, or NULL: nothing happened.
static Left *fun_round(Simp *s, Fun *f, const Fun *old)
{
	s->range.given = f->entry;
	for EACH(Var, p, f->params) {
		note_sizes(s, *p, s->range.given ? LARGEST_GIVEN : LARGEST_SIZE, (Vars){0});
		if (vars[p->id].type.kind == T_DATA)
			range_shape(&s->range, vars[p->id].type.dims);
	}
	s->in_ad = map_has(&s->differentiated, old);
	s->changed = s->touched = s->again = false;
	s->watches = (Watches){0};
	Body before = f->body;
	f->body = s_body(s, before);
	if (!s->touched)
		fun_same_body(f, before);
	if (!s->touched && !s->in_ad)
		f->simple = f->body.stms.at;
	return s->touched || s->again
	               ? NEW(Left, s->watches, s->again, s->in_ad, s->changed || s->again) : NULL;
}

// The new program is as the old one.
static void note_simple(const Prog *old, const Prog *new_)
{
	for (int i = 0; i < old->funs.len; i++) {
		const Fun *f = new_->funs.at[i];
		if (f->simple == f->body.stms.at)
			old->funs.at[i]->simple = old->funs.at[i]->body.stms.at;
	}
}

// Where there is no dead code, the program is left as it is if nothing happens.
typedef enum { FIRST, FIRST_LEAN, AGAIN } Round;

// New functions are known before any body is gone into, since they may call each other.
// `derivatives`: there are some in the program.
static Prog *round_of(Prog *prog, Dirty *dirty, Counts *counts, Round of, bool derivatives)
{
	Dirty changed = {0};
	bool touched = false;
	Simp s = simp_new(prog, counts, derivatives);
	Prog *out = prog_copy(prog, &s.funs);
	s.range = (Range){.def = def_of, .ctx = &s, .kept = &s.kept};
	for (int i = 0; i < out->funs.len; i++) {
		Fun *f = out->funs.at[i];
		if (!map_has(&dirty->of, f->name)) {
			fun_new_callees(f, &s.funs);
			continue;
		}
		Left *left = fun_round(&s, f, prog->funs.at[i]);
		if (left)
			map_put(&changed.of, f->name, left);
		touched |= s.touched;
	}
	*dirty = changed;
	table_free(s.infos);
	counts_free(counts);
	range_free(&s.range);
	if ((of == AGAIN || (of == FIRST_LEAN && !s.turned)) && !touched && !s.kept.len) {
		note_simple(prog, out);
		*dirty = (Dirty){0};
		return prog;
	}
	out = pass_within(PASS_dce, keep_asserts(out, &s.kept));
	*counts = keep_open(out, dirty);
	return out;
}

static bool is_lean(const Prog *prog)
{
	for EACH(Fun *, f, prog->funs)
		if ((*f)->lean != (*f)->body.stms.at)
			return false;
	return true;
}

Prog *simplify(Prog *prog)
{
	Dirty dirty = not_simple(prog);
	if (!dirty.of.len)
		return prog;
	Prog some = dirty_part(prog, &dirty);
	Counts counts = counts_of(&some);
	bool derivatives = counts.has_derivatives;
	for (int i = 0; !derivatives && i < prog->funs.len; i++)
		derivatives = !map_has(&dirty.of, prog->funs.at[i]->name) &&
		              body_find(&prog->funs.at[i]->body, holds_derivative);
	Round first = is_lean(&some) ? FIRST_LEAN : FIRST;
	for (int i = 0; dirty.of.len && i < ROUNDS; i++)
		prog = round_of(prog, &dirty, &counts, i ? AGAIN : first, derivatives);
	counts_free(&counts);
	return prog;
}
