// The passes `reduce_accs` (for devices) and `reduce_row_accs` (for processors): turn accumulations
// into reductions and maps where no accumulator is needed.
//
//     ys = withacc xs (\acc -> screma n (as, iota n, acc)     ts = screma n (as) \a -> f a
//            \(a, i, acc) -> upd_acc acc [i] (f a))      ->   ys = map2 (+) xs ts
//
//     ys = withacc xs (\acc -> screma n (as, acc)             for each k: the sum over all rows a
//            \(a, acc) -> screma m (iota m, bs, acc)     ->   of f a b, added to xs[k]
//              \(k, b, acc) -> upd_acc acc [k] (f a b))
//
// Reverse mode generates such code for arrays that a nest of maps reads.  Requires: the accumulator
// sums scalars, and each dimension of the index is either the row number of one map of the nest or
// invariant in all of them.  The dimensions of the nest that do not occur in the index are summed
// over.  There are three strategies:
//
// - keep: if the summed dimensions are the innermost ones, the nest stays as it is, and sums and
//   values become results of it.
// - factors (acc_factor.c): common factors of the terms are taken out of the sum.
// - pull (acc_pull.c): otherwise the update becomes a loop nest of its own; for each row of outer
//   maps, where that makes arrays which the update needs (acc_inner.c).
//
// What is left of updates beside such ones may need fewer dimensions (acc_narrow.c).
//
// Arrays that a nest gives besides are taken out of it before (acc_apart.c).
//
// Maps whose rows choose places by quotients of their numbers are made nests before (acc_nest.c).
// Where the index is computed from row numbers and does not depend on all of them, what is added
// along the others becomes a sum of its own (acc_part.c).
//
// For devices also where row i adds at place i ^ mask, with the same mask for all rows: row j then
// gets what row j ^ mask has, if there is one, and no atomic updates are needed.  On processors,
// the further array costs more than the updates.
//
// The summed values are added to the array that the accumulator was created from, and the update is
// removed.  An accumulator without updates is removed, and a withacc without accumulators is
// replaced by its body.
//
// Ensures: equal results up to the order of additions, which accumulators leave unspecified.
#include "opt/acc.h"

// ---- One withacc ----

typedef struct {
	Build b;
	Alias alias;
	AccDefs defs;
	InputUses uses;
	int depth;                              // combinators around
	bool changed;
	Map arrays;                             // carried out of the withacc: variable -> Var *
} Accs;

static void note_consumed(Visit *v, Body *b)
{
	SubVec *out = v->ctx;
	for EACH(Stm, s, b->stms) {
		exp_consumed(s->exp, out);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

bool overwrites(Alias *alias, const Stm *with, Vars vs)
{
	SubVec out = {0};
	Visit v = {.body = note_consumed, .ctx = &out};
	Stm one = *with;
	note_consumed(&v, &(Body){.stms = {&one, 1}});
	for EACH(Sub, x, out)
		for EACH(Var, y, vs)
			if (x->kind == S_VAR &&
			    alias_class(alias, *y) == alias_class(alias, x->var))
				return true;
	return false;
}

// Does the withacc overwrite what a nest after it would read?
static bool is_overwritten(Accs *a, const Stm *with, const Pull *p)
{
	VEC(Var) reads = {0};
	VEC_APPEND(&reads, p->outside);
	for EACH(Carried, c, p->carried)
		VEC_PUSH(&reads, c->var);
	return overwrites(&a->alias, with, VEC_SLICE(Vars, reads));
}

// Are the summed dimensions the innermost ones?
static bool sums_are_inside(const Plan *p)
{
	int n = p->site->dims.len, k = 0;
	while (k < n && p->outer >> k & 1)
		k++;
	return p->outer == dims_below(k);
}

static const Site *site_of(const Sites *sites, const Stm *upd)
{
	for EACH(Site, s, *sites)
		if (s->upd->pat.at[0].id == upd->pat.at[0].id)
			return s;
	bug("an update is not where it was");
}

static Stm keep(const Plan *plan, Gain *g)
{
	const Site *s = plan->site;
	Stm out = carry_out(s, (Carry){.stop = s->path.len, .drop = true, .give = true,
		.sum = ~plan->outer, .out = s->upd->exp->upd_acc.vals.at[0]});
	g->parts = out.pat.at[out.pat.len - 1];
	return out;
}

// What one update needs is carried for the others, too.
static Stm pull(Stm with, Pull *p, Map *arrays)
{
	for EACH(Carried, c, p->carried) {
		const Var *there = map_get(arrays, var_key(c->var));
		if (there) {
			c->array = *there;
			continue;
		}
		Sites now = sites_of(&with);
		const Site *s = site_of(&now, p->plan->site->upd);
		Sub given = given_rows(s, c->body, sub_var(c->var));
		if (given.kind != S_VAR)
			with = carry_out(s, (Carry){.stop = c->body, .give = true,
			                            .out = sub_var(c->var)});
		c->array = given.kind == S_VAR ? given.var : with.pat.at[with.pat.len - 1];
		map_put(arrays, var_key(c->var), mem_dup(&c->array, sizeof c->array));
	}
	Sites now = sites_of(&with);
	const Site *s = site_of(&now, p->plan->site->upd);
	return carry_out(s, (Carry){.stop = s->path.len, .drop = true});
}

// The update has factors that come out of its sum.
static bool take_factors(Accs *a, Stm *with, Plan *plan, Gain *g)
{
	Factor *f = NEW(Factor, 0);
	if (!factor_plan(f, plan) || is_overwritten(a, with, &f->pull) || !may_rewrite())
		return false;
	Stm more = factor_sums(&a->b, &a->defs, *with, f);
	f->pull.carried.at[0].array = f->sums;
	Sites now = sites_of(&more);
	const Site *s = site_of(&now, plan->site->upd);
	*with = carry_out(s, (Carry){.stop = s->path.len, .drop = true});
	g->pulled = true;
	g->pull = &f->pull;
	return true;
}

// The update is a sum that is added at a computed place, if the sum can be taken then.
static bool take_part(Accs *a, Stm *with, const Site *site, Gain *g)
{
	PartSum *part = NEW(PartSum, 0);
	if (!part_plan(part, site, &a->defs, a->depth) || !may_rewrite())
		return false;
	Stm *more = NEW(Stm, 0);
	*more = factor_sums(&a->b, &a->defs, *with, &part->factor);
	Sites now = sites_of(more);
	const Site *s = site_of(&now, site->upd);
	*more = carry_out(s, (Carry){.stop = s->path.len, .drop = true});
	now = sites_of(more);
	int last = more->exp->withacc.inputs.len - 1;
	for EACH(Site, t, now) {
		Plan *plan = NEW(Plan, 0);
		Pull *p = NEW(Pull, 0);
		if (t->input != last)
			continue;
		if (!plan_site(plan, t, &a->defs, a->depth) ||
		    !(sums_are_inside(plan) || pull_plan(p, plan)))
			return false;
	}
	*with = *more;
	*g = (Gain){.input = site->input, .part = part, .plan = &part->plan};
	return true;
}

enum { MAX_TRIES = 8 };

// Lets an array of sums inside be added to an accumulator where it is made, if then factors come
// out.
static bool take_inner_factors(Accs *a, Stm *with, int n_inputs, Gain *g)
{
	for (int n = 0; n < MAX_TRIES; n++) {
		Stm *now = NEW(Stm, 0);
		if (!direct_inner(with, &a->defs, n, now))
			return false;
		Sites sites = sites_of(now);
		for EACH(Site, s, sites) {
			Plan *plan = NEW(Plan, 0);
			*g = (Gain){.input = s->input, .plan = plan};
			if (s->input < n_inputs && plan_site(plan, s, &a->defs, a->depth) &&
			    !sums_are_inside(plan) && take_factors(a, now, plan, g)) {
				*with = *now;
				return true;
			}
		}
	}
	return false;
}

// Takes one update out of the withacc, if there is one that can be.  Inputs beyond the first so
// many hold the partial sums of gains that are found already: they are for the next round.
static bool take_one(Accs *a, Stm *with, int n_inputs, Map *tried, Gain *g)
{
	Stm *old = mem_dup(with, sizeof *with);
	Sites sites = sites_of(old);
	for EACH(Site, s, sites) {
		if (s->input >= n_inputs || map_has(tried, var_key(s->upd->pat.at[0])))
			continue;
		map_put(tried, var_key(s->upd->pat.at[0]), tried);
		Plan *plan = NEW(Plan, 0);
		Pull *p = NEW(Pull, 0);
		if (!plan_site(plan, s, &a->defs, a->depth)) {
			if (take_part(a, with, s, g))
				return true;
			continue;
		}
		*g = (Gain){.input = s->input, .plan = plan, .pull = p};
		if (sums_are_inside(plan)) {
			if (!may_rewrite())
				return false;
			*with = keep(plan, g);
			return true;
		}
		if (take_factors(a, with, plan, g))
			return true;
		if (!pull_plan(p, plan) || is_overwritten(a, old, p) || !may_rewrite())
			continue;
		g->pulled = true;
		*with = pull(*old, p, &a->arrays);
		return true;
	}
	return take_inner_factors(a, with, n_inputs, g);
}

// ---- The statement ----

static Vars certs_of(const Stm *s, const Stm *around)
{
	VEC(Var) out = {0};
	VEC_APPEND(&out, s->certs);
	VEC_APPEND(&out, around->certs);
	return VEC_SLICE(Vars, out);
}

void emit_withacc(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_withacc || e->withacc.inputs.len) {
		b_emit(b, *s);
		return;
	}
	for EACH(Stm, t, e->withacc.fn->body.stms) {
		Stm u = *t;
		u.certs = certs_of(t, s);
		b_emit(b, u);
	}
	for (int i = 0; i < s->pat.len; i++)
		b_emit(b, (Stm){.pat = vars_of(1, s->pat.at[i]), .where = s->where,
		                .exp = EXP(atom, e->withacc.fn->body.res.at[i])});
}

typedef VEC(Gain) Gains;

static void emit_list(Build *b, const StmVec *stms)
{
	for EACH(Stm, s, *stms)
		b_emit(b, *s);
}

// What is left to be added to array i starts from zeros of its own, if a gain makes all of the
// array: the new sums, or NULL.
static Narrowed *take_rest(Accs *a, Stm *with, int i, const Gains *gains)
{
	Sub arr = with->exp->withacc.inputs.at[i].arrs.at[0];
	Narrowed *out = NEW(Narrowed, 0);
	bool whole = false;
	for EACH(Gain, g, *gains)
		whole |= g->input == i && gain_is_whole(g, sub_type(arr).dims.len);
	return whole && is_zeros(&a->defs, arr) && acc_narrow(&a->b, with, i, out) ? out : NULL;
}

static bool expand_withacc(Accs *a, const Stm *s)
{
	Stm with = *s;
	Map tried = {0};
	a->arrays = (Map){0};
	Gains gains = {0};
	Gain g;
	StmVec after = {0};
	bool lifted = arrays_apart(&with, &a->uses, &a->alias, &after);
	lifted |= nest_rows(&a->b, &with, &a->defs);
	lifted |= lift_updates(&with, &a->defs, a->depth);
	lifted |= a->defs.for_ == FOR_PROCESSORS && sum_inner(&with, &a->defs, a->depth);
	a->changed |= lifted;
	int n = s->exp->withacc.inputs.len, at = 0;
	while (take_one(a, &with, n, &tried, &g))
		VEC_PUSH(&gains, g);
	if (!gains.len) {
		if (lifted)
			b_emit(&a->b, with);
		emit_list(&a->b, &after);
		return lifted;
	}
	Sub *base = NEW_ARRAY(Sub, n);
	Narrowed **rest = NEW_ARRAY(Narrowed *, n);
	bool *gained = NEW_ARRAY(bool, n);
	for EACH(Gain, x, gains)
		gained[x->input] = true;
	with.pat = SLICE_DUP(Vars, with.pat);
	for (int i = 0; i < n; at += s->exp->withacc.inputs.at[i].arrs.len, i++) {
		if (!gained[i])
			continue;
		Var fresh = var_new(vars[s->pat.at[at].id].hint, vars[s->pat.at[at].id].type);
		with.pat.at[at] = fresh;
		base[i] = sub_var(fresh);
	}
	for (int i = n - 1; i >= 0; i--) {
		const Exp *e = with.exp;
		bool more = gained[i] && n_updates(e->withacc.fn, e->withacc.fn->params.at[i]);
		rest[i] = more ? take_rest(a, &with, i, &gains) : NULL;
		if (!gained[i] || (more && !rest[i]))
			continue;
		base[i] = e->withacc.inputs.at[i].arrs.at[0];
		if (!more)
			with = without_input(with, i);
	}
	emit_withacc(&a->b, &with);
	emit_list(&a->b, &after);
	a->b.certs = s->certs;
	for EACH(Gain, x, gains)
		base[x->input] = add_gain(&a->b, &a->defs, base[x->input], x);
	for (int i = 0; i < n; i++)
		if (rest[i])
			base[i] = add_at(&a->b, base[i], rest[i]->at, rest[i]->fixed,
			                 sub_var(rest[i]->sums));
	at = 0;
	for (int i = 0; i < n; at += s->exp->withacc.inputs.at[i].arrs.len, i++)
		if (gained[i])
			b_emit(&a->b, (Stm){.pat = vars_of(1, s->pat.at[at]), .where = s->where,
			                    .exp = EXP(atom, base[i])});
	a->b.certs = (Vars){0};
	a->changed = true;
	return true;
}

// ---- The pass ----

static bool is_combinator(const Exp *e)
{
	return form_has(e->form, FORM_SOAC);
}

static bool nested_changed(Visit *v, Stm *s)
{
	Accs *a = v->ctx;
	bool before = a->changed;
	a->changed = false;
	a->depth += is_combinator(s->exp);
	s->exp = exp_visit(s->exp, v);
	a->depth -= is_combinator(s->exp);
	bool here = a->changed;
	a->changed |= before;
	return here;
}

// Inner ones first: what they become can be fused before those around are looked at again.
static void expand_body(Visit *v, Body *body)
{
	Accs *a = v->ctx;
	b_open(&a->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		bool inner = false;
		if (t.exp->form == E_call || form_has(t.exp->form, FORM_NEST))
			inner = nested_changed(v, &t);
		if (t.exp->form != E_withacc || inner || !expand_withacc(a, &t))
			b_emit(&a->b, t);
	}
	*body = b_close(&a->b, body->res);
}

static void note_depth(Visit *v, Var *x)
{
	Accs *a = v->ctx;
	a->defs.depth[x->id] = a->depth;
}

static void note_defs(Visit *v, Body *b)
{
	Accs *a = v->ctx;
	for EACH(Stm, s, b->stms) {
		for EACH(Var, x, s->pat) {
			a->defs.exp[x->id] = s->exp;
			note_depth(v, x);
		}
		if (!form_has(s->exp->form, FORM_NEST))
			continue;
		a->depth += is_combinator(s->exp);
		exp_visit(s->exp, v);
		a->depth -= is_combinator(s->exp);
	}
}

bool is_withacc(const Stm *s)
{
	return s->exp->form == E_withacc;
}

static bool is_to_reduce(const Fun *f)
{
	return f->reduced != f->body.stms.at && body_find(&f->body, is_withacc);
}

static void note_sizes(Accs *a, Vars params)
{
	a->defs.sizes = (Map){0};
	for EACH(Var, x, params)
		for EACH(Sub, d, vars[x->id].type.dims)
			if (d->kind == S_VAR)
				map_put(&a->defs.sizes, var_key(d->var), a);
}

// Does anything change?
static bool reduce_fun(Accs *a, Fun *f, Visit *v)
{
	Visit note = {.body = note_defs, .bind = note_depth, .ctx = a};
	alias_fun(&a->alias, f);
	note_sizes(a, f->params);
	note_defs(&note, &f->body);
	note_input_uses(&a->uses, f);
	a->changed = false;
	fun_rewrite(f, v);
	if (!a->changed)
		f->reduced = f->body.stms.at;
	return a->changed;
}

static Prog *one_round(Prog *prog, AccsFor for_, bool *changed)
{
	Accs a = {.defs = {NEW_TABLE(const Exp *, n_vars), NEW_TABLE(int, n_vars), n_vars,
	                   .for_ = for_},
	          .uses = {NEW_TABLE(int, n_vars), NEW_TABLE(int, n_vars), n_vars}};
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = expand_body, .funs = &funs, .copy = true, .ctx = &a};
	*changed = false;
	for EACH(Fun *, f, out->funs)
		if (is_to_reduce(*f))
			*changed |= reduce_fun(&a, *f, &v);
		else
			fun_new_callees(*f, &funs);
	table_free(a.defs.exp);
	table_free(a.defs.depth);
	table_free(a.uses.all);
	table_free(a.uses.inputs);
	return *changed ? out : prog;
}

enum { MAX_ROUNDS = 8 };        // more than nests are deep

// Fusion outside brings together what is nested: a level for each turn.
static Prog *tidy(Prog *prog)
{
	prog = pass_within(PASS_cse, pass_within(PASS_simplify, prog));
	for (int i = 0, size = 0; i < MAX_ROUNDS && size != prog_size(prog); i++) {
		size = prog_size(prog);
		prog = pass_within(PASS_simplify, pass_within(PASS_fuse, prog));
	}
	return prog;
}

static Prog *all_rounds(Prog *prog, AccsFor for_)
{
	bool found = true;
	for (int i = 0; found && i < MAX_ROUNDS; i++) {
		prog = one_round(prog, for_, &found);
		if (found)
			prog = tidy(prog);
	}
	return prog;
}

Prog *reduce_accs(Prog *prog)
{
	return prog_has_accs(prog) ? all_rounds(clamp_sizes(prog), FOR_DEVICES) : prog;
}

Prog *reduce_row_accs(Prog *prog)
{
	return prog_has_accs(prog) ? all_rounds(clamp_sizes(prog), FOR_PROCESSORS) : prog;
}

bool prog_has_accs(const Prog *prog)
{
	return prog_find(prog, is_withacc);
}
