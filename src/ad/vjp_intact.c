// Finds arrays that a loop updates in place without overwriting values that the return sweep reads.
//
//     loop (t = ..) for i < n do                     the return sweep reads t[i-1]: no later
//       t with [i] = f (t[i - 1])                    iteration writes there
//
//     loop (a = ..) for k .. for i > k .. for j > k do   it reads a[i,k] and a[k,j], both final;
//       a with [i,j] = a[i,j] - a[i,k] * a[k,j]      a[i,j] is linear and not needed
//
// If no cell is written after a read that the return sweep needs, the final array contains all
// these values: nothing is recorded, nothing is undone, and no update is re-executed.  All states
// of the array, also in inner loops and branches, are then replaced by the final one.
//
// Note [Later writes].  A write is later than a read if it belongs to a later iteration of a common
// loop, or follows it in the same iteration.  For each of these cases, the indices of the loops
// that differ are renamed, and some index of the read must be provably less or greater than that of
// the write.
//
// Note [Stored values].  A value that is stored in the array is not recomputed but read from there.
// So a[i,k] / a[k,k], which replaces a[i,k] in place, does not need the old a[i,k].  The same holds
// for results of a map that are stored in the rows of a slice, and for results of an `if`.
//
// Note [Needed reads].  As in vjp_access.c.
//
// Note [Some updates].  If a read is overwritten in later iterations only, the updates that
// overwrite it are recorded, and no others: for example the row swaps of a factorisation, but not
// the elimination that follows:
//
//     loop (a = ..) for k do               return sweep: a is carried backwards.  In iteration k it
//       swap rows k and q                  holds what the elimination reads; then the rows are
//       eliminate below row k              swapped back, and it holds what iteration k - 1 reads
//
// Reductions in the body itself are stored (vjp_save.c), so that their operands are not read again.
//
// Note [First values].  Where the return sweep reads only what no earlier iteration has written,
// the array that the loop was given has all these values, and stands for all states:
//
//     loop (a = ..) for j do               it reads column j as it was; it is of no use what the
//       s = sum of v[i] * a[i, j]          columns became, and the loop is not executed again
//       for i do a[i, j] -= s * v[i]
//
// The loop consumes that array, so a copy may have to be made: only where the loop goes over all of
// it.  Nor may the return sweep want anything else of the loop that would have it executed again.
#include "ad/vjp_access.h"

// ---- Proofs ----

// A variable that stands for an expression.
static Sub named(Intact *t, PrimType type, const Exp *e)
{
	Var x = var_new(NULL, type_scalar(type));
	if (e)
		map_put(&t->defs, var_key(x), (void *)e);
	return sub_var(x);
}

static Sub comparison(Intact *t, Prim op, Sub x, Sub y)
{
	return named(t, PT_BOOL, EXP(prim, op, PT_I64, {x, y}));
}

// An operand as it is in another iteration: with the indices that `anew` gives, and with
// nothing known of what is no arithmetic on these.
static Sub in_other(Intact *t, Map *anew, Sub s)
{
	if (s.kind != S_VAR || !map_has(&t->inside, var_key(s.var)))
		return s;
	const Sub *known = map_get(anew, var_key(s.var));
	if (known)
		return *known;
	const Exp *e = given_by(t, s);
	Exp *copy = NULL;
	if (e && e->form == E_prim) {
		copy = exp_dup(e);
		for (int i = 0; i < prim_arity(e->prim.op); i++)
			copy->prim.x[i] = in_other(t, anew, e->prim.x[i]);
	} else if (e && e->form == E_convert) {
		copy = exp_dup(e);
		copy->convert.x = in_other(t, anew, e->convert.x);
	}
	Sub out = named(t, sub_type(s).elem, copy);
	map_put(anew, var_key(s.var), mem_dup(&out, sizeof out));
	return out;
}

// The bound of a loop that runs: what may be negative otherwise is not then.
static Sub running_bound(const Intact *t, Sub n)
{
	const Exp *e = given_by(t, n);
	if (e && e->form == E_prim && e->prim.op == P_max && sub_eq(e->prim.x[1], sub_i64(0)))
		return e->prim.x[0];
	return n;
}

static void enter_screma(Intact *t, const Exp *e)
{
	range_runs(&t->range, e->screma.n);
	for (int i = 0; i < e->screma.arrs.len; i++) {
		const Exp *of = given_by(t, e->screma.arrs.at[i]);
		if (of && of->form == E_iota)
			range_iota(&t->range, e->screma.map->params.at[i], of);
	}
}

// What is known inside of the things around the read.
static void enter_path(Intact *t, const Access *a)
{
	for (int i = 0; i < a->depth; i++) {
		const Exp *e = a->path[i].s->exp;
		if (e->form == E_loop && !e->loop.is_while)
			range_counter(&t->range, e->loop.i, running_bound(t, e->loop.n));
		else if (e->form == E_if_)
			range_assume(&t->range, e->if_.cond, a->path[i].branch, (Var){0});
		else if (e->form == E_screma)
			enter_screma(t, e);
	}
}

// Likewise for the write, from `from` on with indices of its own.
static void enter_other(Intact *t, Map *anew, const Access *a, int from, bool after)
{
	for (int i = from; i < a->depth; i++) {
		const Exp *e = a->path[i].s->exp;
		if (e->form == E_loop && !e->loop.is_while) {
			Var j = var_new(NULL, vars[e->loop.i.id].type);
			Sub n = in_other(t, anew, running_bound(t, e->loop.n)), s = sub_var(j);
			map_put(anew, var_key(e->loop.i), mem_dup(&s, sizeof s));
			range_counter(&t->range, j, n);
			Sub here = sub_var(e->loop.i);
			Sub later = comparison(t, P_lt, t->first ? s : here, t->first ? here : s);
			if (after && i == from)
				range_assume(&t->range, later, true, (Var){0});
		} else if (e->form == E_if_) {
			Sub cond = in_other(t, anew, e->if_.cond);
			range_assume(&t->range, cond, a->path[i].branch, (Var){0});
		}
	}
}

// Do the indices of x end before those of y begin?  Nothing is known of steps other than 1.
static bool ends_before(Intact *t, DimSlice x, DimSlice y)
{
	if (x.fixed)
		return range_decide(&t->range, comparison(t, P_lt, x.start, y.start)) == 1;
	if (!sub_eq(x.step, sub_i64(1)))
		return false;
	Sub end = named(t, PT_I64, NEW(Exp, .form = E_prim,
		.prim = {P_add, PT_I64, {x.start, x.len}}));
	return range_decide(&t->range, comparison(t, P_le, end, y.start)) == 1;
}

static bool apart(Intact *t, Map *anew, const Access *read, const Access *write)
{
	for (int d = 0; d < read->at.len && d < write->at.len; d++) {
		DimSlice r = read->at.at[d], w = write->at.at[d];
		w.start = in_other(t, anew, w.start);
		if (!w.fixed)
			w.len = in_other(t, anew, w.len);
		if (ends_before(t, r, w) || ends_before(t, w, r))
			return true;
	}
	return false;
}

static bool same_place(const Around *a, const Around *b)
{
	return a->s == b->s && a->branch == b->branch;
}

// Case `from`: a later (or, for first values, earlier) iteration of the loop at this depth of both
// paths, or (at the depth where they part) the same one.
static bool apart_from(Intact *t, const Access *read, const Access *write, int from, bool after)
{
	int facts = range_mark(&t->range);
	Map anew = {0};
	enter_path(t, read);
	// Indices of the loops around both, in the same iteration, are the same.
	for (int i = 0; i < from; i++) {
		const Exp *e = write->path[i].s->exp;
		Sub s = sub_var(e->loop.i);
		if (e->form == E_loop && !e->loop.is_while)
			map_put(&anew, var_key(e->loop.i), mem_dup(&s, sizeof s));
	}
	enter_other(t, &anew, write, from, after);
	bool out = apart(t, &anew, read, write);
	range_release(&t->range, facts);
	return out;
}

// In the iterations of the loops from depth `from` on; for first values: never earlier.
static bool never_later(Intact *t, const Access *read, const Access *write, int from)
{
	int common = 0;
	while (common < read->depth && common < write->depth &&
	       same_place(&read->path[common], &write->path[common]))
		common++;
	for (int i = from; i < common; i++) {
		const Exp *e = read->path[i].s->exp;
		if (e->form == E_loop && (e->loop.is_while || !apart_from(t, read, write, i, true)))
			return false;
	}
	bool exclusive = common < read->depth && common < write->depth &&
	                 read->path[common].s == write->path[common].s;
	return exclusive || (t->first ? read->order < write->order : write->order <= read->order) ||
	       apart_from(t, read, write, common, false);
}

// The same cell, written further down in the same iteration, whatever is asserted.
static bool surely_lost(const Access *read, const Access *write)
{
	if (write->order <= read->order || write->depth != read->depth ||
	    read->at.len != write->at.len)
		return false;
	for (int i = 0; i < read->depth; i++)
		if (!same_place(&read->path[i], &write->path[i]))
			return false;
	for (int d = 0; d < read->at.len; d++)
		if (!read->at.at[d].fixed || !write->at.at[d].fixed ||
		    !sub_eq(read->at.at[d].start, write->at.at[d].start))
			return false;
	return true;
}

static bool all_intact(Intact *t, bool asserted)
{
	for EACH(Access, r, t->reads)
		for EACH(Access, w, t->writes) {
			if (asserted ? surely_lost(r, w) : r->whole || !never_later(t, r, w, 0))
				return false;
		}
	return true;
}

// ---- Loops ----

bool has_true_dep(const Stm *s)
{
	int64_t k;
	for EACH(Name, a, s->attrs)
		if (attribute_number(*a, "true_dep", &k))
			return true;
	return false;
}

// The attribute counts the parameters of the loop as it was written; it is clear without counting
// if there is only one such array.
static bool is_asserted(const Stm *s)
{
	int n = 0;
	for (int i = 0; i < s->exp->loop.params.len; i++)
		n += updated_in_place(s->exp, i);
	return n == 1 && has_true_dep(s);
}

static void settle(Vjp *v, Map *states, const void *key, Settled *as)
{
	map_put(&v->settled, key, as);
	map_put(states, key, v);
}

// Numbers of the body itself that are surely kept, if the return sweep wants them.
static void note_numbers(Intact *t, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		bool numbers = s->exp->form == E_screma;
		for EACH(Var, x, s->pat)
			numbers &= type_is_scalar(vars[x->id].type);
		if (numbers)
			map_put(&t->kept, s, t);
	}
}

// The counters of the loops around, outermost first.
static void enter_around(Intact *t, const Level *l)
{
	if (!l)
		return;
	enter_around(t, l->up);
	const Exp *e = l->loop ? l->loop->s->exp : NULL;
	if (e && !e->loop.is_while)
		range_counter(&t->range, e->loop.i, running_bound(t, e->loop.n));
}

// What the return sweep reads of parameter k, and what is written; false: that is not known.
static bool look_at(Intact *t, Level *l, const Stm *s, int k)
{
	const Exp *e = s->exp;
	if (!find_accesses(t, l, s, k))
		return false;
	if (t->first)
		t->stored = (Map){0};
	note_numbers(t, &e->loop.body);
	find_needed(t);
	keep_needed_reads(t);
	for EACH(Sub, d, vars[e->loop.params.at[k].id].type.dims)
		range_size(&t->range, *d, LARGEST_SIZE, (Vars){0});
	enter_around(t, l);
	return t->reads.len && !executed_again(t, true);
}

static void settle_states(Intact *t, Sub array, Map *states)
{
	for MAP_EACH(m, t->states)
		settle(t->v, states, m->key, NEW(Settled, .array = array));
	for MAP_EACH(m, t->stored)
		if (m->val && map_has(&t->needed, m->key))
			settle(t->v, states, m->key, NEW(Settled, .array = array, .cell = true,
			       .at = ((Access *)m->val)->cell));
}

// Checked mode does not take the programmer's word for #[true_dep]: updates are taken back, and
// what the return sweep reads is compared with what the array has in the end (vjp_watch.c).
static void watch_reads(Intact *t, Sub last)
{
	for EACH(Access, r, t->reads)
		map_put(&t->v->watched, var_key(r->result),
		        NEW(Watched, last, r->at, r->whole, r->of));
}

static void settle_param(Vjp *v, Level *l, const Stm *s, int k, Map *states)
{
	Intact t = {.v = v, .range = {.def = range_def}};
	t.range.ctx = &t;
	bool known = look_at(&t, l, s, k), intact = known && all_intact(&t, false);
	bool promised = known && !intact && is_asserted(s) && all_intact(&t, true);
	range_free(&t.range);
	if (promised && (checks_wanted & CHECKS_ATTRIBUTES))
		watch_reads(&t, b_copy(v->b, ret_var(v, s->pat.at[k])));
	else if (intact || promised)
		settle_states(&t, ret_var(v, s->pat.at[k]), states);
}

// Note [Lost numbers].  A number that an iteration reads before it overwrites it, once in the body
// or in a branch there, is kept: it is not in the array as the iteration leaves it.
static bool is_lost(Intact *t, const Access *r)
{
	for EACH(Access, w, t->writes)
		if (r->whole || !never_later(t, r, w, 1))
			return true;
	return false;
}

static bool is_read_once(const Access *r)
{
	for (int i = 1; i < r->depth; i++)
		if (r->path[i].s->exp->form != E_if_)
			return false;
	return r->result.id && vars[r->result.id].type.kind == T_DATA;
}

// Leaves the others; false: one cannot be kept.
static bool find_lost(Intact *t, bool may_keep, VarVec *lost)
{
	int n = 0;
	for EACH(Access, r, t->reads) {
		if (!is_lost(t, r))
			t->reads.at[n++] = *r;
		else if (may_keep && is_read_once(r) && may_keep_read(t, r))
			VEC_PUSH(lost, r->result);
		else
			return false;
	}
	t->reads.len = n;
	return n > 0;
}

// The updates that lose something to an iteration before are recorded; false: that is of no use.
static bool find_unlogged(Intact *t, const Stm *s)
{
	bool some = false;
	for EACH(Access, w, t->writes) {
		bool loses = false;
		for EACH(Access, r, t->reads)
			loses |= !never_later(t, r, w, 0);
		if (!loses)
			VEC_PUSH(&t->v->unlogged, (Unlogged){loop_id(s), w->result.id});
		some |= !loses;
	}
	return some;
}

// Can the others be recorded, and by less than a copy?
static bool can_record(Vjp *v, const Stm *s, int k)
{
	const Exp *e = s->exp;
	Varying w;
	Types scrap = {0};
	varying_init(&w, v, s);
	varying_know(&w, e->loop.i, sub_i64(0));
	return !type_varies(&w, vars[e->loop.params.at[k].id].type) &&
	       record_types(&w, &e->loop.body, e->loop.params.at[k], e->loop.body.res.at[k],
	                    &scrap) && !w.copies;
}

bool settle_partly(Vjp *v, Level *l, const Stm *s, int k, Var state, Map *states)
{
	Intact t = {.v = v, .partly = true, .range = {.def = range_def}};
	VarVec lost = {0};
	t.range.ctx = &t;
	int before = v->unlogged.len;
	bool partly = !vars_have_acc(s->pat) && look_at(&t, l, s, k) &&
	              find_lost(&t, may_keep_values(l, s), &lost) && find_unlogged(&t, s) &&
	              can_record(v, s, k);
	range_free(&t.range);
	if (!partly) {
		v->unlogged.len = before;
		return false;
	}
	settle_states(&t, sub_var(state), states);
	for EACH(Var, x, lost) {
		map_put(&v->kept_reads, var_key(*x), v);
		map_put(states, var_key(*x), v);
	}
	return true;
}

static bool wants_others(const Intact *t, const Exp *loop, int k)
{
	for (int i = 0; i < loop->loop.params.len; i++) {
		Var p = loop->loop.params.at[i];
		if (i != k && (!type_is_scalar(vars[p.id].type) || is_wanted_back(t, p)))
			return true;
	}
	return false;
}

// See Note [First values].
static void settle_first(Vjp *v, Level *l, const Stm *s, int k, Map *states)
{
	Intact t = {.v = v, .first = true, .range = {.def = range_def}};
	Varying w;
	t.range.ctx = &t;
	varying_init(&w, v, l->loop ? l->loop->s : s);
	bool found = goes_over_all(&w, s, vars[s->pat.at[k].id].type.dims) &&
	             look_at(&t, l, s, k) && !wants_others(&t, s->exp, k) && all_intact(&t, false);
	range_free(&t.range);
	if (found)
		settle_states(&t, ret_sub(v, s->exp->loop.inits.at[k]), states);
}

void settle_firsts(Vjp *v, Level *l, const Stm *s, Map *states)
{
	const Exp *e = s->exp;
	for (int k = 0; k < e->loop.params.len; k++)
		if (!e->loop.is_while && updated_in_place(e, k) &&
		    !plan_of(l, s - l->body->stms.at)->partly[k] &&
		    !map_get(&v->settled, var_key(e->loop.params.at[k])) &&
		    !map_get(&v->values, var_key(e->loop.params.at[k])))
			settle_first(v, l, s, k, states);
}

Map settle_intact(Vjp *v, Level *l, const Stm *s)
{
	const Exp *e = s->exp;
	Map states = {0};
	for (int k = 0; k < e->loop.params.len; k++)
		if (!e->loop.is_while && updated_in_place(e, k) &&
		    !map_get(&v->settled, var_key(e->loop.params.at[k])) &&
		    !map_get(&v->values, var_key(e->loop.params.at[k])))
			settle_param(v, l, s, k, &states);
	return states;
}

void unsettle(Vjp *v, const Map *states)
{
	for MAP_EACH(m, *states) {
		map_put(&v->settled, m->key, NULL);
		if (map_has(&v->kept_reads, m->key))
			map_put(&v->kept_reads, m->key, NULL);
	}
}
