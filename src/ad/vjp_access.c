// Collects the reads and writes of an array that a loop updates in place, and determines which of
// the reads the return sweep needs.
//
// Note [Needed reads].  Which values the return sweep reads is known exactly only once it has been
// generated.  This analysis over-approximates: it takes the operands that partial derivatives of
// active operations mention, indices, conditions and bounds, and everything these depend on.
#include "ad/vjp_access.h"

// Does it stand for the array?
static bool is_state(const Intact *t, Sub s)
{
	return s.kind == S_VAR && map_has(&t->states, var_key(s.var));
}

static void add_state(Intact *t, Var v)
{
	map_put(&t->states, var_key(v), t);
}

// ---- Definitions ----

const Exp *given_by(const Intact *t, Sub s)
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
	return EXP(prim, P_add, PT_I64, {of->iota.start, e->index.idx.at[0]});
}

static void define(Intact *t, const Stm *s)
{
	if (s->pat.len == 1)
		map_put(&t->defs, var_key(s->pat.at[0]), (void *)as_arithmetic(t, s->exp));
}

const Exp *range_def(void *ctx, Sub s)
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

// ---- Stored values ----

// Where the value of a variable is written; t->path is that of the statement that makes it.
static void note_stored(Intact *t, const Body *b, Sub x, Slices at, Slices cell, int order)
{
	int i = stm_index(b, x);
	if (i < 0 || b->stms.at[i].pat.len != 1 || !type_is_scalar(sub_type(x)))
		return;
	Access a = access_here(t, at, false);
	a.order = order;
	a.cell = cell;
	map_put(&t->stored, var_key(x.var), mem_dup(&a, sizeof a));
	const Stm *s = &b->stms.at[i];
	if (s->exp->form != E_if_ || t->depth == MOST_DEPTH)
		return;
	for (int yes = 0; yes < 2; yes++) { // the value of the branch that is taken
		const Body *branch = yes ? &s->exp->if_.yes : &s->exp->if_.no;
		t->path[t->depth++] = (Around){s, yes};
		note_stored(t, branch, branch->res.at[0], at, cell, order);
		t->depth--;
	}
}

// The only dimension that is a slice with step 1, of consecutive rows; -1: it is otherwise.
static int row_dim(Slices at)
{
	int dim = -1;
	for (int d = 0; d < at.len; d++) {
		if (at.at[d].fixed)
			continue;
		if (dim >= 0 || !sub_eq(at.at[d].step, sub_i64(1)))
			return -1;
		dim = d;
	}
	return dim;
}

// A parameter that counts the rows from `start` on, or from 0 on.
static bool counts_from(const Intact *t, const Exp *map, Sub start, Sub *counter, bool *zero)
{
	for (int k = 0; k < map->screma.arrs.len; k++) {
		const Exp *of = given_by(t, map->screma.arrs.at[k]);
		if (!of || of->form != E_iota || of->iota.type != PT_I64 ||
		    !sub_eq(of->iota.step, sub_i64(1)))
			continue;
		*zero = !sub_eq(of->iota.start, start);
		*counter = sub_var(map->screma.map->params.at[k]);
		if (!*zero || sub_eq(of->iota.start, sub_i64(0)))
			return true;
	}
	return false;
}

// The rows of a map are written to cells of their own: so is what the function gives in each.
static void add_stored_rows(Intact *t, const Body *b, int made, const Exp *update, int order)
{
	const Stm *s = &b->stms.at[made];
	Slices at = SLICE_DUP(Slices, update->update.at), cell = SLICE_DUP(Slices, at);
	int d = row_dim(at);
	Sub counter;
	bool zero;
	if (s->exp->form != E_screma || s->exp->screma.scans.len || s->exp->screma.reds.len ||
	    s->pat.len != 1 || d < 0 || t->depth == MOST_DEPTH ||
	    !counts_from(t, s->exp, at.at[d].start, &counter, &zero))
		return;
	cell.at[d] = dim_at(zero ? at.at[d].start : counter);
	at.at[d] = dim_at(counter);
	if (zero) {
		cell.at[d].len = counter;
		Var sum = var_new(NULL, type_scalar(PT_I64));
		map_put(&t->defs, var_key(sum), NEW(Exp, .form = E_prim, .prim = {P_add, PT_I64,
			{cell.at[d].start, counter}}));
		map_put(&t->inside, var_key(sum), t);
		at.at[d].start = sub_var(sum);
	}
	t->path[t->depth++] = (Around){s, false};
	note_stored(t, &s->exp->screma.map->body, s->exp->screma.map->body.res.at[0], at, cell,
	            order);
	t->depth--;
}

// See Note [Stored values]: one cell, or one for each row of a map, whose indices are known when
// the value is computed.
static void add_stored(Intact *t, const Body *b, const Exp *update)
{
	int made = stm_index(b, update->update.val);
	if (made < 0)
		return;
	for EACH(DimSlice, d, update->update.at)
		if (stm_index(b, d->start) >= made)
			return;
	if (is_element(update->update.at))
		note_stored(t, b, update->update.val, update->update.at, update->update.at,
		            t->order);
	else
		add_stored_rows(t, b, made, update, t->order);
}

// ---- The walk ----

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

// What has a state of the array as an operand reads all of it.
static void walk_whole(Intact *t, const Stm *s)
{
	Vars free = free_in_stm(s);
	for EACH(Var, f, free)
		if (is_state(t, sub_var(*f))) {
			add_read(t, (Slices){0}, true, s->pat.at[0]);
			t->reads.at[t->reads.len - 1].of = sub_var(*f);
			return;
		}
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
			add_stored(t, b, e);
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
	case E_array:
		walk_whole(t, s);
		return;
	case E_prim: case E_convert: case E_iota: case E_scratch: case E_assert_:
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

static bool in_loops(const Around *path, int depth)
{
	for (int i = 0; i < depth; i++)
		if (path[i].s->exp->form != E_loop && path[i].s->exp->form != E_if_)
			return false;
	return true;
}

static void walk_body(Intact *t, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		t->order++;
		VEC_PUSH(&t->all, s);
		VEC_PUSH(&t->in_loops, in_loops(t->path, t->depth));
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

bool is_wanted_back(const Intact *t, Var x)
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

static bool is_differentiated(const Intact *t, const Stm *s)
{
	for EACH(Var, x, s->pat)
		if (is_active(&t->v->active, sub_var(*x)))
			return true;
	return false;
}

static void need_directly(Intact *t, const Stm *s, bool *more)
{
	const Exp *e = s->exp;
	if (e->form == E_prim) {
		need_of_prim(t, s, more);
		return;
	}
	if (t->values && e->form != E_loop) { // an assertion is needed by what relies on it
		if (!is_differentiated(t, s))
			return;
		for EACH(Var, c, s->certs)
			need(t, sub_var(*c), more);
	}
	if (t->values && e->form == E_loop) {
		if (!e->loop.is_while)
			need(t, e->loop.n, more);
		return;
	}
	need_operands(t, s, true, more);
	if (e->form == E_screma && !(is_sum(e->screma.reds) && is_sum(e->screma.scans)))
		need_all(t, e->screma.map->body.res, more);
}

// A map that is wanted as a whole is executed again, with all that it computes.
static void forget_rows(Intact *t, const Stm *map, bool *more)
{
	for MAP_EACH(m, t->stored) {
		const Access *a = m->val;
		for (int i = 0; a && i < a->depth; i++)
			if (a->path[i].s == map) {
				m->val = NULL;
				*more = true;
				break;
			}
	}
}

// What a statement is computed from, if one of its results is needed.
static void need_sources(Intact *t, const Stm *s, bool *more)
{
	const Exp *e = s->exp;
	bool any = false;
	if ((t->partly && map_has(&t->kept, s)) || map_has(&t->cuts, s) ||
	    (t->values && e->form == E_loop))
		return;
	const Access *stored = s->pat.len ? map_get(&t->stored, var_key(s->pat.at[0])) : NULL;
	if (stored) {
		for EACH(DimSlice, d, stored->cell)
			if (is_wanted_back(t, s->pat.at[0])) {
				need(t, d->start, more);
				need(t, d->len, more);
			}
		return;
	}
	for (int i = 0; i < s->pat.len; i++) {
		bool needed = is_wanted_back(t, s->pat.at[i]);
		any |= needed;
		if (e->form == E_if_ && needed) {
			need(t, e->if_.yes.res.at[i], more);
			need(t, e->if_.no.res.at[i], more);
		}
		if (e->form == E_loop && (needed || is_wanted_back(t, e->loop.params.at[i]))) {
			need(t, e->loop.body.res.at[i], more);
			need(t, e->loop.inits.at[i], more);
		}
	}
	if (any && (e->form == E_if_ || e->form == E_screma))
		need_operands(t, s, true, more);
	if (e->form == E_screma) {
		if (any) {
			forget_rows(t, s, more);
			need_all(t, e->screma.map->body.res, more);
		}
		for (int i = 0; i < e->screma.arrs.len; i++)
			if (is_wanted_back(t, e->screma.map->params.at[i]))
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

void find_needed(Intact *t)
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

void keep_needed_reads(Intact *t)
{
	int n = 0;
	for EACH(Access, a, t->reads)
		if (is_wanted_back(t, a->result))
			t->reads.at[n++] = *a;
	t->reads.len = n;
	for MAP_EACH(m, t->stored) {
		const Access *a = m->val;
		if (a && map_has(&t->needed, m->key))
			VEC_PUSH(&t->reads, *a);
	}
}

// Another result of what updates the array that may be wanted although the analysis of this array
// does not say so.  Arrays that a loop gives are most likely logs, which what follows it wants;
// those that a branch gives have to be taken back themselves, unless nothing depends on them
// differentiably: rows of indices that are swapped as the rows of the array are.
static bool wanted_besides(const Intact *t, const Exp *e, Var x)
{
	bool array = vars[x.id].type.dims.len > 0;
	if (e->form == E_loop)
		return (array && !t->values) || t->partly;
	return array && !t->values && is_active(&t->v->active, sub_var(x));
}

// A loop or branch inside that is to be executed again for another of its results would
// update the array as well.
bool executed_again(const Intact *t, bool loops)
{
	for EACH(const Stm *, s, t->all) {
		const Exp *e = (*s)->exp;
		bool state = false, other = false;
		if (!(e->form == E_loop && loops) && e->form != E_if_)
			continue;
		for (int i = 0; i < (*s)->pat.len; i++) {
			bool mine = is_state(t, sub_var((*s)->pat.at[i]));
			state |= mine;
			other |= is_wanted_back(t, (*s)->pat.at[i]) ||
			         (!mine && wanted_besides(t, e, (*s)->pat.at[i]));
			if (e->form == E_loop)
				other |= is_wanted_back(t, e->loop.params.at[i]);
		}
		if (state && other)
			return true;
	}
	return false;
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

bool updated_in_place(const Exp *e, int k)
{
	Type t = vars[e->loop.params.at[k].id].type;
	return t.kind == T_DATA && t.unique && t.dims.len &&
	       !sub_eq(e->loop.body.res.at[k], sub_var(e->loop.params.at[k]));
}

bool find_accesses(Intact *t, Level *l, const Stm *s, int k)
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
	return true;
}
