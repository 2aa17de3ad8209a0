// Arrays that a loop updates in place without losing what the return sweep will read.
//
//     loop (t = ..) for i < n do                     the return sweep wants t[i-1]: no later
//       t with [i] = f (t[i - 1])                    iteration writes there
//
//     loop (a = ..) for k .. for i > k .. for j > k do   it wants a[i,k] and a[k,j], both final;
//       a with [i,j] = a[i,j] - a[i,k] * a[k,j]      a[i,j] only passes through
//
// If no cell is written after a read that the return sweep will want, the array as the loop leaves
// it has all that is wanted: nothing is recorded, nothing is taken back, and no update is done
// again.  All states of the array, in loops and branches inside too, are then known under the name
// of the last one.
//
// Note [Later writes].  A write is later than a read if it belongs to a later iteration of a loop
// around both, or to the same one and comes further down.  For each of these cases the indices of
// the loops that differ are taken anew, and some index of the read must be provably less or greater
// than that of the write.
//
// Note [Stored values].  A value that is written to the array need not be computed again: it is
// read from there.  So a[i,k] / a[k,k], which replaces a[i,k] in place, does not want the old
// a[i,k].
//
// Note [Needed reads].  Which values the return sweep reads is known only once it is made.  What is
// taken here is an upper bound: operands that partial derivatives of active operations mention,
// indices, conditions and bounds, and all that these are computed from.
//
// Note [Some updates].  Where a read is lost to later iterations only, the updates that lose it are
// recorded, and no others; rows that a factorisation swaps, say, but not the elimination after it:
//
//     loop (a = ..) for k do               return sweep: a is carried along.  In iteration k it
//       swap rows k and q                  has all that is to be read of the elimination; then the
//       eliminate below row k              rows are swapped back, and it has what k - 1 reads
//
// Sums and the like in the body itself are kept (vjp_save.c), so that what they read is not read
// again.
#include "ad/vjp_loop.h"
#include "opt/range.h"

enum { MOST_DEPTH = 12, MOST_ACCESSES = 64 };

// What is around a statement: a loop, a branch, or a lambda over numbers.
typedef struct { const Stm *s; bool branch; } Around;
typedef struct {
	Around path[MOST_DEPTH];
	int depth, order;
	Slices at;
	bool whole;                             // no telling which cells
	Var result;                             // of a read; of a write: the array after it
} Access;

typedef struct {
	Vjp *v;
	Map states;                             // of the array, by variable
	Map defs;                               // variable -> the expression that gives it
	Map inside;                             // variables of the loop
	Map needed;
	VEC(const Stm *) all;                   // statements of the loop, nested ones too
	VEC(Access) reads, writes;
	Map stored;                             // variable -> Access: where its value is written
	Map kept;                               // statements whose results the loop keeps
	Around path[MOST_DEPTH];
	int depth, order;
	bool failed;
	bool partly;                            // see Note [Some updates]
	Range range;
} Intact;

static bool is_state(const Intact *t, Sub s)
{
	return s.kind == S_VAR && map_has(&t->states, var_key(s.var));
}

static void add_state(Intact *t, Var v)
{
	map_put(&t->states, var_key(v), t);
}

// ---- Definitions ----

static const Exp *given_by(const Intact *t, Sub s)
{
	return s.kind == S_VAR ? map_get(&t->defs, var_key(s.var)) : NULL;
}

// An element of start, start + 1, .. is a sum.
static const Exp *as_arithmetic(const Intact *t, const Exp *e)
{
	if (e->form != E_index || e->index.idx.len != 1)
		return e;
	const Exp *of = given_by(t, e->index.arr);
	if (!of || of->form != E_iota || of->iota.type != PT_I64 || of->iota.step.kind != S_CONST ||
	    of->iota.step.val.i != 1)
		return e;
	return NEW(Exp, .form = E_prim, .prim = {P_add, PT_I64,
	           {of->iota.start, e->index.idx.at[0]}});
}

static void define(Intact *t, const Stm *s)
{
	if (s->pat.len == 1)
		map_put(&t->defs, var_key(s->pat.at[0]), (void *)as_arithmetic(t, s->exp));
}

static const Exp *range_def(void *ctx, Sub s)
{
	return given_by(ctx, s);
}

// ---- Accesses ----

static Access access_here(Intact *t, Slices at, bool whole)
{
	Access a = {.depth = t->depth, .order = t->order, .at = at, .whole = whole};
	memcpy(a.path, t->path, sizeof a.path);
	return a;
}

static void add_read(Intact *t, Slices at, bool whole, Var result)
{
	Access a = access_here(t, at, whole);
	a.result = result;
	VEC_PUSH(&t->reads, a);
}

// See Note [Stored values]: one cell, whose indices are known when the value is computed.
static void add_stored(Intact *t, const Body *b, const Exp *update, const Access *where)
{
	int at = stm_index(b, update->update.val);
	if (at < 0 || b->stms.at[at].pat.len != 1 ||
	    !type_is_scalar(vars[update->update.val.var.id].type))
		return;
	for EACH(DimSlice, d, update->update.at)
		if (!d->fixed || stm_index(b, d->start) >= at)
			return;
	map_put(&t->stored, var_key(update->update.val.var), mem_dup(where, sizeof *where));
}

static void walk_body(Intact *, const Body *);

static void walk_inside(Intact *t, const Stm *s, bool branch, const Body *b)
{
	if (t->depth == MOST_DEPTH) {
		t->failed = true;
		return;
	}
	t->path[t->depth++] = (Around){s, branch};
	walk_body(t, b);
	t->depth--;
}

static void walk_loop(Intact *t, const Stm *s)
{
	const Exp *e = s->exp;
	for (int i = 0; i < e->loop.params.len; i++)
		if (is_state(t, e->loop.inits.at[i]))
			add_state(t, e->loop.params.at[i]);
	walk_inside(t, s, false, &e->loop.body);
	for (int i = 0; i < e->loop.params.len; i++) {
		bool given = is_state(t, sub_var(e->loop.params.at[i]));
		bool made = is_state(t, e->loop.body.res.at[i]);
		t->failed |= given != made;
		if (made)
			add_state(t, s->pat.at[i]);
	}
}

static void walk_if(Intact *t, const Stm *s)
{
	const Exp *e = s->exp;
	walk_inside(t, s, true, &e->if_.yes);
	walk_inside(t, s, false, &e->if_.no);
	for (int i = 0; i < s->pat.len; i++) {
		bool yes = is_state(t, e->if_.yes.res.at[i]), no = is_state(t, e->if_.no.res.at[i]);
		t->failed |= yes != no;
		if (yes)
			add_state(t, s->pat.at[i]);
	}
}

static void walk_screma(Intact *t, const Stm *s)
{
	const Exp *e = s->exp;
	for (int i = 0; i < e->screma.arrs.len; i++)
		if (is_state(t, e->screma.arrs.at[i]))
			add_read(t, (Slices){0}, true, e->screma.map->params.at[i]);
	walk_inside(t, s, false, &e->screma.map->body);
	for (int scan = 0; scan < 2; scan++) {
		Reductions rs = scan ? e->screma.scans : e->screma.reds;
		for EACH(Reduction, r, rs)
			walk_inside(t, s, false, &r->op->body);
	}
}

static bool mentions_state(Intact *t, const Stm *s)
{
	Vars free = free_in_body(&(Body){.stms = {(Stm *)s, 1}});
	for EACH(Var, f, free)
		if (is_state(t, sub_var(*f)))
			return true;
	return false;
}

static void walk_stm(Intact *t, const Body *b, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_loop:
		walk_loop(t, s);
		return;
	case E_if_:
		walk_if(t, s);
		return;
	case E_screma:
		walk_screma(t, s);
		return;
	case E_update:
		t->failed |= is_state(t, e->update.val);
		if (is_state(t, e->update.arr)) {
			Access a = access_here(t, e->update.at, false);
			a.result = s->pat.at[0];
			VEC_PUSH(&t->writes, a);
			add_stored(t, b, e, &a);
			add_state(t, s->pat.at[0]);
		}
		return;
	case E_index:
		if (is_state(t, e->index.arr))
			add_read(t, slices_at(e->index.idx, (Subs){0}), false, s->pat.at[0]);
		return;
	case E_slice:
		if (is_state(t, e->slice.arr))
			add_read(t, e->slice.at, false, s->pat.at[0]);
		return;
	case E_atom:
		if (is_state(t, e->atom.x))
			add_state(t, s->pat.at[0]);
		return;
	case E_copy: case E_reshape: case E_rearrange: case E_concat: case E_replicate:
		if (mentions_state(t, s))
			add_read(t, (Slices){0}, true, s->pat.at[0]);
		return;
	case E_prim: case E_convert: case E_iota: case E_scratch: case E_assert_: case E_array:
		return;
	case E_match: case E_hist: case E_scatter: case E_flatmap: case E_call: case E_withacc:
	case E_upd_acc: case E_with_vjp: case E_jvp: case E_vjp: case E_trace: case E_opaque:
	case E_alloc: case E_release: case N_FORM:
		break;
	}
	t->failed = true;
}

static void note_inside(Visit *vis, Var *x)
{
	Intact *t = vis->ctx;
	map_put(&t->inside, var_key(*x), t);
}

static void walk_body(Intact *t, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		t->order++;
		VEC_PUSH(&t->all, s);
		define(t, s);
		walk_stm(t, b, s);
		if (t->failed)
			return;
	}
}

// ---- What is needed ----

static void need(Intact *t, Sub s, bool *more)
{
	if (s.kind != S_VAR || map_has(&t->needed, var_key(s.var)) || is_state(t, s))
		return;
	map_put(&t->needed, var_key(s.var), t);
	*more = true;
}

static void need_all(Intact *t, Subs s, bool *more)
{
	for EACH(Sub, x, s)
		need(t, *x, more);
}

static bool is_needed(const Intact *t, Var x)
{
	return map_has(&t->needed, var_key(x));
}

typedef struct { Intact *t; bool *more; bool numbers; } Needing;

static void need_operand(Visit *vis, Sub *s)
{
	Needing *n = vis->ctx;
	if (n->numbers && (s->kind != S_VAR || !type_is_scalar(sub_type(*s)) ||
	                   is_float(sub_type(*s).elem)))
		return;
	need(n->t, *s, n->more);
}

// The operands of a statement, without what is nested; or its integers alone.
static void need_operands(Intact *t, const Stm *s, bool numbers, bool *more)
{
	Needing n = {t, more, numbers};
	Visit vis = {.sub = need_operand, .flat = true, .ctx = &n};
	exp_visit(s->exp, &vis);
}

// What the partial derivatives of an operation mention.
static void need_of_prim(Intact *t, const Stm *s, bool *more)
{
	const Exp *e = s->exp;
	if (!is_active(&t->v->active, sub_var(s->pat.at[0])))
		return;
	for (int i = 0; i < prim_arity(e->prim.op); i++) {
		if (!is_active(&t->v->active, e->prim.x[i]) ||
		    deriv_is_zero(e->prim.op, e->prim.at, i))
			continue;
		unsigned mask = deriv_mentions(e->prim.op, e->prim.at, i);
		for (unsigned k = 0; k < 3; k++)
			if (mask >> k & 1)
				need(t, e->prim.x[k], more);
		if (mask >> 3 & 1)
			need(t, sub_var(s->pat.at[0]), more);
	}
}

static bool is_sum(Reductions rs)
{
	for EACH(Reduction, r, rs) {
		Prim op;
		PrimType at;
		if (!binary_prim(r->op, &op, &at) || op != P_add)
			return false;
	}
	return true;
}

static void need_directly(Intact *t, const Stm *s, bool *more)
{
	const Exp *e = s->exp;
	if (e->form == E_prim) {
		need_of_prim(t, s, more);
		return;
	}
	need_operands(t, s, true, more);
	if (e->form == E_screma && !(is_sum(e->screma.reds) && is_sum(e->screma.scans)))
		need_all(t, e->screma.map->body.res, more);
}

// What a statement is computed from, if one of its results is needed.
static void need_sources(Intact *t, const Stm *s, bool *more)
{
	const Exp *e = s->exp;
	bool any = false;
	if (t->partly && map_has(&t->kept, s))
		return;
	const Access *stored = s->pat.len ? map_get(&t->stored, var_key(s->pat.at[0])) : NULL;
	if (stored) {
		for EACH(DimSlice, d, stored->at)
			if (is_needed(t, s->pat.at[0]))
				need(t, d->start, more);
		return;
	}
	for (int i = 0; i < s->pat.len; i++) {
		bool needed = is_needed(t, s->pat.at[i]);
		any |= needed;
		if (e->form == E_if_ && needed) {
			need(t, e->if_.yes.res.at[i], more);
			need(t, e->if_.no.res.at[i], more);
		}
		if (e->form == E_loop && (needed || is_needed(t, e->loop.params.at[i]))) {
			need(t, e->loop.body.res.at[i], more);
			need(t, e->loop.inits.at[i], more);
		}
	}
	if (e->form == E_screma) {
		if (any)
			need_all(t, e->screma.map->body.res, more);
		for (int i = 0; i < e->screma.arrs.len; i++)
			if (is_needed(t, e->screma.map->params.at[i]))
				need(t, e->screma.arrs.at[i], more);
		for (int scan = 0; scan < 2 && any; scan++) {
			Reductions rs = scan ? e->screma.scans : e->screma.reds;
			for EACH(Reduction, r, rs)
				need_all(t, r->op->body.res, more);
		}
		return;
	}
	if (any && e->form != E_loop && e->form != E_if_)
		need_operands(t, s, false, more);
}

static void find_needed(Intact *t)
{
	bool more = false;
	for EACH(const Stm *, s, t->all)
		need_directly(t, *s, &more);
	while (more) {
		more = false;
		for (int i = t->all.len; i-- > 0;)
			need_sources(t, t->all.at[i], &more);
	}
}

static void keep_needed_reads(Intact *t)
{
	int n = 0;
	for EACH(Access, a, t->reads)
		if (is_needed(t, a->result))
			t->reads.at[n++] = *a;
	t->reads.len = n;
	for MAP_EACH(m, t->stored) {
		Access *a = m->val;
		if (map_has(&t->needed, m->key))
			VEC_PUSH(&t->reads, *a);
	}
}

// A loop or branch inside that is to be executed again for another of its results would
// update the array as well.
static bool executed_again(const Intact *t)
{
	for EACH(const Stm *, s, t->all) {
		const Exp *e = (*s)->exp;
		bool state = false, other = false;
		if (e->form != E_loop && e->form != E_if_)
			continue;
		for (int i = 0; i < (*s)->pat.len; i++) {
			bool mine = is_state(t, sub_var((*s)->pat.at[i]));
			bool array = vars[(*s)->pat.at[i].id].type.dims.len > 0;
			state |= mine;
			// Other arrays are most likely logs, which what follows the loop wants.
			other |= is_needed(t, (*s)->pat.at[i]) || (!mine && (array || t->partly));
			if (e->form == E_loop)
				other |= is_needed(t, e->loop.params.at[i]);
		}
		if (state && other)
			return true;
	}
	return false;
}

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
	return named(t, PT_BOOL, NEW(Exp, .form = E_prim, .prim = {op, PT_I64, {x, y}}));
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
			Sub later = comparison(t, P_lt, sub_var(e->loop.i), s);
			if (after && i == from)
				range_assume(&t->range, later, true, (Var){0});
		} else if (e->form == E_if_) {
			Sub cond = in_other(t, anew, e->if_.cond);
			range_assume(&t->range, cond, a->path[i].branch, (Var){0});
		}
	}
}

static bool apart(Intact *t, Map *anew, const Access *read, const Access *write)
{
	for (int d = 0; d < read->at.len && d < write->at.len; d++) {
		if (!read->at.at[d].fixed || !write->at.at[d].fixed)
			continue;
		Sub r = read->at.at[d].start, w = in_other(t, anew, write->at.at[d].start);
		if (range_decide(&t->range, comparison(t, P_lt, r, w)) == 1 ||
		    range_decide(&t->range, comparison(t, P_lt, w, r)) == 1)
			return true;
	}
	return false;
}

static bool same_place(const Around *a, const Around *b)
{
	return a->s == b->s && a->branch == b->branch;
}

// Case `from`: a later iteration of the loop at this depth of both paths, or (at the depth where
// they part) the same one.
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

// In the iterations of the loops from depth `from` on.
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
	return exclusive || write->order <= read->order ||
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

static void define_around(Intact *t, const Level *l)
{
	if (!l)
		return;
	define_around(t, l->up);
	for EACH(Stm, s, l->body->stms)
		define(t, s);
}

static bool has_true_dep(const Stm *s)
{
	int64_t k;
	for EACH(Name, a, s->attrs)
		if (attribute_number(*a, "true_dep", &k))
			return true;
	return false;
}

static bool updated_in_place(const Exp *e, int k)
{
	Type t = vars[e->loop.params.at[k].id].type;
	return t.kind == T_DATA && t.unique && t.dims.len &&
	       !sub_eq(e->loop.body.res.at[k], sub_var(e->loop.params.at[k]));
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

// What the return sweep reads of parameter k, and what is written; false: that is not known.
static bool look_at(Intact *t, Level *l, const Stm *s, int k)
{
	const Exp *e = s->exp;
	Visit vis = {.bind = note_inside, .ctx = t};
	exp_visit(s->exp, &vis);
	define_around(t, l);
	add_state(t, e->loop.params.at[k]);
	walk_inside(t, s, false, &e->loop.body);
	if (t->failed || !is_state(t, e->loop.body.res.at[k]) || !t->writes.len ||
	    t->reads.len + t->writes.len > MOST_ACCESSES)
		return false;
	for (int i = 0; i < e->loop.params.len; i++)
		if (i != k && is_state(t, e->loop.body.res.at[i]))
			return false;
	note_numbers(t, &e->loop.body);
	find_needed(t);
	keep_needed_reads(t);
	for EACH(Sub, d, vars[e->loop.params.at[k].id].type.dims)
		range_size(&t->range, *d);
	return t->reads.len && !executed_again(t);
}

static void settle_states(Intact *t, Sub array, Map *states)
{
	for MAP_EACH(m, t->states)
		settle(t->v, states, m->key, NEW(Settled, .array = array));
	for MAP_EACH(m, t->stored)
		if (map_has(&t->needed, m->key))
			settle(t->v, states, m->key, NEW(Settled, .array = array, .cell = true,
			       .at = ((Access *)m->val)->at));
}

// Checked mode does not take the programmer's word for #[true_dep]: updates are taken back, and
// what the return sweep reads is compared with what the array has in the end (vjp_watch.c).
static void watch_reads(Intact *t, Sub last)
{
	for EACH(Access, r, t->reads)
		if (!r->whole)
			map_put(&t->v->watched, var_key(r->result), NEW(Watched, last, r->at));
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

// The updates that lose something to an iteration before are recorded; false: that is of no use.
static bool find_unlogged(Intact *t, const Stm *s)
{
	bool some = false;
	for EACH(Access, w, t->writes) {
		bool loses = false;
		for EACH(Access, r, t->reads) {
			if (r->whole || !never_later(t, r, w, 1))
				return false;
			loses |= !never_later(t, r, w, 0);
		}
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
	t.range.ctx = &t;
	int before = v->unlogged.len;
	bool partly = !vars_have_acc(s->pat) && look_at(&t, l, s, k) && find_unlogged(&t, s) &&
	              can_record(v, s, k);
	range_free(&t.range);
	if (partly)
		settle_states(&t, sub_var(state), states);
	else
		v->unlogged.len = before;
	return partly;
}

Map settle_intact(Vjp *v, Level *l, const Stm *s)
{
	const Exp *e = s->exp;
	Map states = {0};
	for (int k = 0; k < e->loop.params.len; k++)
		if (!e->loop.is_while && updated_in_place(e, k) &&
		    !map_get(&v->settled, var_key(e->loop.params.at[k])))
			settle_param(v, l, s, k, &states);
	return states;
}

void unsettle(Vjp *v, const Map *states)
{
	for MAP_EACH(m, *states)
		map_put(&v->settled, m->key, NULL);
}
