// Turns accumulator updates in nests into reductions.
//
//     n x k x d threads:  v = .. ;  upd_acc acc [i_k, i_d] (v)
// becomes
//     k x d rows:  s = reduce op over n rows: v;  upd_acc acc [i_k, i_d] (s)
//
// If each index of an update is the counter of a level of the nest or invariant in it, each
// element of the accumulator has rows of its own in those levels, and sums over the other levels.
// The latter become a reduction inside a nest of the former, which needs no atomic updates and is
// scheduled by flatten_fold.c.
//
//     n x d threads:  if 0 < i_d then upd_acc acc [i_d - 1] (v)
// becomes
//     d rows (j):  s = reduce op over n rows: with i_d = j + 1, if that is a row: v if 0 < i_d;
//                  upd_acc acc [j] (s)
//
// The same applies if the index is a multiple of a counter plus an invariant offset, as in
// derivatives of stencils and of convolutions with strides.  All updates of a kernel that add to
// the same elements form one reduction; updates of other elements are further results of it.
//
// Accumulators whose terms have work in common are summed by one kernel (join_contributions).
//
// This file finds such updates in bodies that are about to become kernels; the values they depend
// on are recomputed in the reduction (flatten_gather.c).  If that is possible, a nest is
// distributed however many rows it has (updates_reduce).
#include "device/flatten.h"

#include "core/affine.h"
#include "opt/acc.h"

// ---- Counters ----

void note_iota(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (is_count(e))
		map_put(&f->iotas, var_key(s->pat.at[0]), f);
}

// The rows of an iota count.
void note_counting(Flatten *f, const Exp *e)
{
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub a = e->screma.arrs.at[i];
		if (a.kind == S_VAR && map_has(&f->iotas, var_key(a.var)))
			map_put(&f->counting, var_key(e->screma.map->params.at[i]), f);
	}
}

// The level that an index counts; NULL: none.
const Level *level_counted(const Flatten *f, Sub i)
{
	const Known *k = i.kind == S_VAR ? map_get(&f->known, var_key(i.var)) : NULL;
	if (!k)
		return NULL;
	if (k->kind == K_COUNTER || (k->kind == K_ROW && map_has(&f->counting, var_key(i.var))))
		return k->level;
	if (k->kind == K_AGAIN && k->stm->exp->form == E_atom)
		return level_counted(f, k->stm->exp->atom.x);
	return NULL;
}

// ---- Which updates ----

const AccInput *nest_input(const Flatten *f, Sub acc)
{
	return map_get(&f->inputs, var_key(sub_type(acc).acc->token));
}

static bool has_scalar_operator(const Flatten *f, const Exp *e)
{
	const AccInput *in = nest_input(f, e->upd_acc.acc);
	if (!in || !in->op || !is_scalar_operator(in->op))
		return false;
	for EACH(Sub, ne, in->ne)
		if (in_nest(f, *ne))
			return false;
	return true;
}

// Is there a level of the nest that no index counts, with more than one row?
static bool adds_up(const Level *nest, const Map *counted)
{
	for (; nest; nest = nest->up)
		if (!map_has(counted, nest) && !nest->is_part && !sub_eq(nest->n, sub_i64(1)))
			return true;
	return false;
}

// In a body that may be taken apart: are there such updates, once it is?
static bool may_reduce(const Flatten *f, const Level *nest, const Exp *e)
{
	Map counted = {0};
	for EACH(Sub, i, e->upd_acc.idx) {
		const Level *l = level_counted(f, *i);
		bool counts = i->kind == S_VAR && map_has(&f->counting, var_key(i->var));
		if (!l && !counts && in_nest(f, *i))
			return false;
		if (l)
			map_put(&counted, l, (void *)l);
	}
	return adds_up(nest, &counted) && has_scalar_operator(f, e);
}

bool updates_reduce(Flatten *f, const Level *nest, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_upd_acc && may_reduce(f, nest, e))
			return true;
		if (e->form == E_screma && goes_apart(f, s) &&
		    updates_reduce(f, nest, &e->screma.map->body))
			return true;
		if (e->form == E_withacc && goes_apart(f, s) &&
		    updates_reduce(f, nest, &e->withacc.fn->body))
			return true;
	}
	return false;
}

// ---- What a value depends on ----

// The statements of the body that its results need, if none of them is about accumulators.
static bool slice_for(Body b, Body *out)
{
	Map needed = {0};
	StmVec back = {0};
	for EACH(Sub, x, b.res)
		if (x->kind == S_VAR)
			map_put(&needed, var_key(x->var), out);
	for (int i = b.stms.len; i-- > 0;) {
		Stm s = b.stms.at[i];
		if (!vars_any_in(s.pat, &needed))
			continue;
		if (vars_have_acc(s.pat))
			return false;
		Body one = {.stms = {&s, 1}};
		Vars free = free_in_body(&one);
		vars_put(&needed, free, out);
		VEC_PUSH(&back, s);
	}
	Stms stms = {NEW_ARRAY(Stm, back.len), 0};
	for (int i = back.len; i-- > 0;)
		stms.at[stms.len++] = back.at[i];
	*out = (Body){stms, b.res};
	return true;
}

// ---- Places ----

// What is known where an update stands: in a branch of the body, or in the body itself.
typedef struct { const Flatten *f; const Body *b, *branch; } Standing;

static const Exp *def_where(const void *ctx, Sub x)
{
	const Standing *s = ctx;
	const Exp *e = def_in(s->b, x);
	const Known *k = known_of(s->f, x);
	if (!e && s->branch)
		e = def_in(s->branch, x);
	if (!e && k && k->kind == K_AGAIN)
		e = k->stm->exp;
	return e && (e->form == E_prim || e->form == E_atom) ? e : NULL;
}

// A multiple of the counter of a level plus something that is the same in all rows, or that alone.
static bool place_dim(Flatten *f, const Standing *scope, Sub i, PlaceDim *out)
{
	enum { MOST = 8 };      // times the counter, which does not wrap around
	*out = (PlaceDim){.level = level_counted(f, i), .rate = 1, .offset = sub_i64(0)};
	if (out->level)
		return true;
	Affine a = affine_of((AffineDefs){def_where, scope}, i), rest = a;
	if (a.bad)
		return false;
	for (int t = 0; t < a.n; t++) {
		bool inside = false;
		for (int d = 0; d < AFFINE_DEGREE && a.t[t].v[d].id; d++)
			inside |= in_nest(f, sub_var(a.t[t].v[d]));
		if (!inside)
			continue;
		const Level *l = level_counted(f, sub_var(a.t[t].v[0]));
		if (out->level || !l || a.t[t].k < 1 || a.t[t].k > MOST || !term_is_var(&a.t[t]))
			return false;
		out->level = l;
		out->rate = a.t[t].k;
		rest = affine_less(&a, t);
	}
	out->offset = affine_emit(&f->b, &rest);
	return true;
}

static bool has_place(Flatten *f, const Standing *scope, Subs idx, Contribution *c)
{
	Map counted = {0};
	c->dims = NEW_ARRAY(PlaceDim, idx.len);
	c->n_dims = idx.len;
	for (int d = 0; d < idx.len; d++) {
		const Level *l;
		if (!place_dim(f, scope, idx.at[d], &c->dims[d]))
			return false;
		l = c->dims[d].level;
		if (l && map_has(&counted, l))
			return false;
		if (l)
			map_put(&counted, l, (void *)l);
		c->shifted |= l && (c->dims[d].rate > 1 ||
		                    !sub_eq(c->dims[d].offset, sub_i64(0)));
	}
	return true;
}

// ---- Contributions ----

// The accumulator as the host has it.
static Sub host_acc(const Flatten *f, Sub acc)
{
	const Known *k = known_of(f, acc);
	if (!k || k->kind != K_ACC)
		bug("an accumulator comes from nowhere");
	return k->arr;
}

// The update in a branch of a statement that gives the accumulator on otherwise.
static const Stm *guarded_update(const Stm *s, Sub *acc, bool *if_true)
{
	const Exp *e = s->exp;
	if (e->form != E_if_ || s->pat.len != 1)
		return NULL;
	for (int k = 0; k < 2; k++) {
		const Body *with = k ? &e->if_.no : &e->if_.yes;
		const Body *without = k ? &e->if_.yes : &e->if_.no;
		const Stm *u = stm_in(with, with->res.at[0]);
		if (!u || u->exp->form != E_upd_acc || without->stms.len ||
		    !sub_eq(u->exp->upd_acc.acc, without->res.at[0]))
			continue;
		*acc = u->exp->upd_acc.acc;
		*if_true = !k;
		return u;
	}
	return NULL;
}

// The values of the update, or neutral ones where the condition does not hold.
static Stm guarded_values(Flatten *f, const Stm *s, const Stm *update, bool if_true)
{
	const AccInput *in = nest_input(f, update->exp->upd_acc.acc);
	const Body *with = if_true ? &s->exp->if_.yes : &s->exp->if_.no;
	Stms stms = {NEW_ARRAY(Stm, with->stms.len), 0};
	for EACH(Stm, t, with->stms)
		if (t->pat.at[0].id != update->pat.at[0].id)
			stms.at[stms.len++] = *t;
	Body vals = {stms, update->exp->upd_acc.vals}, none = {.res = in->ne};
	Vars pat = {NEW_ARRAY(Var, in->ne.len), in->ne.len};
	for (int i = 0; i < pat.len; i++)
		pat.at[i] = var_new(name_of("val"), sub_type(in->ne.at[i]));
	vars_put(&f->inside, pat, f);
	return (Stm){.pat = pat, .certs = s->certs, .where = s->where,
	             .exp = EXP(if_, s->exp->if_.cond, if_true ? vals : none,
	                        if_true ? none : vals)};
}

// What statement `at` of the body adds to an accumulator, if that is a contribution to sums.
static bool contribution_at(Flatten *f, const Level *nest, Body b, int at, Contribution *c)
{
	const Stm *s = &b.stms.at[at], *update = s;
	bool if_true = true, guarded = s->exp->form == E_if_;
	if (guarded)
		update = guarded_update(s, &c->acc, &if_true);
	if (!update || update->exp->form != E_upd_acc || !has_scalar_operator(f, update->exp))
		return false;
	c->acc = update->exp->upd_acc.acc;
	c->where = update->where;
	Body before = {.stms = {b.stms.at, at}, .res = update->exp->upd_acc.vals};
	Standing scope = {.f = f, .b = &b};
	if (guarded) {
		scope.branch = if_true ? &s->exp->if_.yes : &s->exp->if_.no;
		VEC(Stm) all = {0};
		VEC_APPEND(&all, before.stms);
		Stm vals = guarded_values(f, s, update, if_true);
		VEC_PUSH(&all, vals);
		before = (Body){VEC_SLICE(Stms, all), subs_of_vars(vals.pat)};
	}
	if (!has_place(f, &scope, update->exp->upd_acc.idx, c) || !slice_for(before, &c->value))
		return false;
	Map counted = {0};
	for (int d = 0; d < c->n_dims; d++)
		if (c->dims[d].level)
			map_put(&counted, c->dims[d].level, c);
	// What is computed for each of several places has to be cheap.
	return c->shifted ? is_light(&c->value) : adds_up(nest, &counted);
}

// ---- Bodies that become kernels ----

static Body without(Body b, int at)
{
	Stms stms = {NEW_ARRAY(Stm, b.stms.len), 0};
	for (int i = 0; i < b.stms.len; i++)
		if (i != at)
			stms.at[stms.len++] = b.stms.at[i];
	return (Body){stms, b.res};
}

typedef VEC(Contribution) Contributions;

// Takes updates out of the body, the last ones of its result k first.
static Contributions take_updates(Flatten *f, const Level *nest, Body *b, int k)
{
	Contributions out = {0};
	for (;;) {
		Contribution c = {0};
		int at = stm_index(b, b->res.at[k]);
		if (sub_type(b->res.at[k]).kind != T_ACC || at < 0 ||
		    !contribution_at(f, nest, *b, at, &c))
			return out;
		VEC_PUSH(&out, c);
		b->res.at[k] = c.acc;
		*b = without(*b, at);
	}
}

// ---- Branches ----

// Scalars and updates, which may be done twice.
static bool is_plain(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call ||
		    (s->exp->form != E_upd_acc && exp_has_effect(s->exp)))
			return false;
	return true;
}

// A branch that gives accumulator number `acc` of its results alone, or all but accumulators: -1.
static Stm branch_for(Flatten *f, const Stm *s, int acc)
{
	const Body *from[] = {&s->exp->if_.yes, &s->exp->if_.no};
	Body to[2];
	VEC(Var) pat = {0};
	for (int k = 0; k < 2; k++) {
		SubVec res = {0};
		Map needed = {0};
		for (int i = 0; i < s->pat.len; i++) {
			if (acc < 0 ? var_is_acc(s->pat.at[i]) : i != acc)
				continue;
			VEC_PUSH(&res, from[k]->res.at[i]);
			if (!k)
				VEC_PUSH(&pat, s->pat.at[i]);
		}
		to[k] = body_rename(body_part(from[k], VEC_SLICE(Subs, res), &needed));
		note_inside(f, &(Lambda){.body = to[k]});
	}
	Stm out = *s;
	out.pat = VEC_SLICE(Vars, pat);
	out.exp = NEW(Exp, .form = E_if_, .if_ = {s->exp->if_.cond, to[0], to[1]});
	return out;
}

// Branches that update accumulators and give something else too become several, so that what each
// adds stands by itself.
static Body separated(Flatten *f, Body b)
{
	StmVec out = {0};
	for EACH(Stm, s, b.stms) {
		if (s->exp->form != E_if_ || s->pat.len < 2 || !vars_have_acc(s->pat) ||
		    !is_plain(&s->exp->if_.yes) || !is_plain(&s->exp->if_.no)) {
			VEC_PUSH(&out, *s);
			continue;
		}
		bool others = false;
		for (int i = 0; i < s->pat.len; i++)
			others |= !var_is_acc(s->pat.at[i]);
		if (others)
			VEC_PUSH(&out, branch_for(f, s, -1));
		for (int i = 0; i < s->pat.len; i++)
			if (var_is_acc(s->pat.at[i]))
				VEC_PUSH(&out, branch_for(f, s, i));
	}
	return (Body){VEC_SLICE(Stms, out), subs_cat(b.res, (Subs){0})};
}

// ---- Several accumulators ----

static const Stm *stm_like(const Body *b, const Stm *s)
{
	for EACH(Stm, t, b->stms)
		if (t->pat.len && s->pat.len && t->pat.at[0].id == s->pat.at[0].id)
			return t;
	return NULL;
}

// Is something computed for both that is to be computed once?  Loads alone are not: where each
// element has a thread, as in a product of matrices, a kernel for one accumulator is done in tiles,
// in which threads share what they load.
static bool share_work(const Contribution *c, const Body *a, const Body *b)
{
	enum { SLOW = 16, LITTLE = 4 };
	int places = 0, work = 0;
	for (int d = 0; d < c->n_dims; d++)
		places += c->dims[d].level != NULL;
	for EACH(Stm, s, a->stms) {
		const Exp *e = s->exp;
		bool is_work = form_has(e->form, FORM_NEST) || e->form == E_call;
		bool is_prim = e->form == E_prim && is_float(e->prim.at);
		if ((!is_work && !is_prim) || !stm_like(b, s))
			continue;
		if (is_work)
			return true;
		work += prim_is_function(e->prim.op) || e->prim.op == P_div ? SLOW : 1;
	}
	return work >= (places > 1 ? SLOW : LITTLE);
}

// What either of the bodies gives.
static Body both(const Body *a, const Body *b)
{
	StmVec all = {0};
	VEC_APPEND(&all, a->stms);
	for EACH(Stm, s, b->stms)
		if (!stm_like(a, s))
			VEC_PUSH(&all, *s);
	return (Body){VEC_SLICE(Stms, all), subs_cat(a->res, b->res)};
}

// Accumulators that get values from the same computation are summed together.  with[k]: the first
// one of those that number k is summed with, whose contribution then has the values of all.
static int *join_contributions(Flatten *f, Contributions *taken, int n)
{
	int *with = NEW_ARRAY(int, n);
	for (int k = 0; k < n; k++) {
		with[k] = k;
		for (int j = 0; j < k && with[k] == k && taken[k].len == 1; j++) {
			Contribution *a = taken[j].at, *c = taken[k].at;
			if (with[j] != j || taken[j].len != 1 || !add_alike(f, a, c) ||
			    !share_work(a, &a->value, &c->value))
				continue;
			a->value = both(&a->value, &c->value);
			with[k] = j;
		}
	}
	return with;
}

static void emit_joined(Flatten *f, const Level *nest, Contribution *c, const int *with, int k,
                        Subs out)
{
	SubVec accs = {0};
	for (int j = k; j < out.len; j++)
		if (with[j] == k)
			VEC_PUSH(&accs, out.at[j]);
	Subs after = emit_together(f, nest, c, VEC_SLICE(Subs, accs));
	for (int j = k, i = 0; j < out.len; j++)
		if (with[j] == k)
			out.at[j] = after.at[i++];
}

Subs emit_leaf(Flatten *f, const Level *nest, Body whole)
{
	Body b = separated(f, whole);
	int n = b.res.len;
	bool any = false;
	Contributions *taken = NEW_ARRAY(Contributions, n);
	for (int k = 0; k < n; k++) {
		taken[k] = take_updates(f, nest, &b, k);
		any |= taken[k].len > 0;
	}
	if (!any)
		return emit_leaf_kernel(f, nest, whole);
	// What is left of the accumulators that were updated is what the host has.
	SubVec rest = {0};
	bool *left = NEW_ARRAY(bool, n);
	for (int k = 0; k < n; k++) {
		left[k] = !taken[k].len || stm_in(&b, b.res.at[k]);
		if (left[k])
			VEC_PUSH(&rest, b.res.at[k]);
	}
	Subs out = SLICE_DUP(Subs, b.res);
	b.res = VEC_SLICE(Subs, rest);
	const int *with = join_contributions(f, taken, n);
	for (int k = 0; k < n; k++) // the kernel changes the types of what it shares with them
		for EACH(Contribution, c, taken[k])
			c->value = body_rename(c->value);
	Subs made = emit_leaf_kernel(f, nest, b);
	for (int k = 0, at = 0; k < n; k++)
		out.at[k] = left[k] ? made.at[at++] : host_acc(f, out.at[k]);
	for (int k = 0; k < n; k++) {
		int together = 0;
		for (int j = k; j < n; j++)
			together += with[j] == k;
		if (together > 1)
			emit_joined(f, nest, taken[k].at, with, k, out);
		else if (taken[k].len && with[k] == k)
			out.at[k] = emit_contributions(f, nest, taken[k].at, taken[k].len,
			                               out.at[k]);
	}
	return out;
}
