// Decides which statements of a map function can be executed for several rows at once, and whether
// that pays.  Part of the pass `lockstep`.
#include "opt/lockstep.h"

// ---- What varies ----

static void set_varying(Lockstep *k, Var v)
{
	map_put(&k->varies, var_key(v), k);
}

static void set_all_varying(Lockstep *k, Vars vs)
{
	for EACH(Var, v, vs)
		set_varying(k, *v);
}

// A carried value varies if it does so at first or after an iteration.
static void note_loop(Lockstep *k, const Stm *s)
{
	const Exp *e = s->exp;
	Vars params = e->loop.params;
	for (int i = 0; i < params.len; i++)
		if (varies(k, e->loop.inits.at[i]))
			set_varying(k, params.at[i]);
	for (bool again = true; again;) {
		again = false;
		note_varying(k, &e->loop.body);
		for (int i = 0; i < params.len; i++)
			if (!varies(k, sub_var(params.at[i])) &&
			    varies(k, e->loop.body.res.at[i])) {
				set_varying(k, params.at[i]);
				again = true;
			}
	}
	for (int i = 0; i < params.len; i++)
		if (varies(k, sub_var(params.at[i])))
			set_varying(k, s->pat.at[i]);
}

static void note_if(Lockstep *k, const Stm *s)
{
	const Exp *e = s->exp;
	note_varying(k, &e->if_.yes);
	note_varying(k, &e->if_.no);
	for (int i = 0; i < s->pat.len; i++)
		if (varies(k, e->if_.cond) || varies(k, e->if_.yes.res.at[i]) ||
		    varies(k, e->if_.no.res.at[i]))
			set_varying(k, s->pat.at[i]);
}

static void note_screma(Lockstep *k, const Stm *s)
{
	const Exp *e = s->exp;
	for (int i = 0; i < e->screma.arrs.len; i++)
		if (varies(k, e->screma.arrs.at[i]))
			set_varying(k, e->screma.map->params.at[i]);
	note_varying(k, &e->screma.map->body);
}

void note_varying(Lockstep *k, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_loop && !s->exp->loop.is_while) {
			note_loop(k, s);
			continue;
		}
		if (s->exp->form == E_if_) {
			note_if(k, s);
			continue;
		}
		if (s->exp->form == E_screma)
			note_screma(k, s);
		if (stm_mentions(s, &k->varies))
			set_all_varying(k, s->pat);
	}
}

// ---- What a statement becomes ----

// Code that a lane can do by itself in a loop over lanes: no writes, nothing that takes memory but
// for what fusion takes away, the same number of iterations in all lanes.
static bool is_plain(const Lockstep *k, const Body *b);

static bool is_plain_stm(const Lockstep *k, const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_atom: case E_prim: case E_convert: case E_index: case E_slice: case E_reshape:
	case E_rearrange: case E_iota: case E_replicate: case E_assert_:
		return true;
	case E_if_:
		return is_plain(k, &e->if_.yes) && is_plain(k, &e->if_.no);
	case E_loop:
		if (!vars_are_scalars(e->loop.params))
			return false;
		return !e->loop.is_while && !varies(k, e->loop.n) && is_plain(k, &e->loop.body);
	case E_screma:
		for EACH(Reduction, r, e->screma.reds)
			if (!is_plain(k, &r->op->body))
				return false;
		return !e->screma.scans.len && !varies(k, e->screma.n) &&
		       is_plain(k, &e->screma.map->body);
	default:
		return false;
	}
}

static bool is_plain(const Lockstep *k, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!is_plain_stm(k, s))
			return false;
	return true;
}

static bool all_scalars(Vars pat)
{
	for EACH(Var, v, pat)
		if (vars[v->id].type.dims.len || vars[v->id].type.kind == T_ACC)
			return false;
	return true;
}

static bool any_varies(const Lockstep *k, Subs xs)
{
	for EACH(Sub, x, xs)
		if (varies(k, *x))
			return true;
	return false;
}

static bool slices_vary(const Lockstep *k, Slices at)
{
	for EACH(DimSlice, d, at)
		if (varies(k, d->start) || varies(k, d->len) || varies(k, d->step))
			return true;
	return false;
}

static Step step_of(const Lockstep *k, const Stm *s)
{
	const Exp *e = s->exp;
	if (!any_varies(k, subs_of_vars(s->pat)))
		return STEP_SHARED;
	if (all_scalars(s->pat) && is_plain_stm(k, s))
		return STEP_LANES;
	if (any_varies(k, subs_of_vars(s->certs)))
		return STEP_NONE;
	switch (e->form) {
	case E_screma:
		return is_map(e) && !varies(k, e->screma.n) ? STEP_MAP : STEP_NONE;
	case E_loop:
		return !e->loop.is_while && !varies(k, e->loop.n) ? STEP_LOOP : STEP_NONE;
	case E_if_:
		return varies(k, e->if_.cond) ? STEP_NONE : STEP_IF;
	case E_slice:
		return slices_vary(k, e->slice.at) ? STEP_NONE : STEP_WIDE;
	case E_update:
		return slices_vary(k, e->update.at) ? STEP_NONE : STEP_WIDE;
	case E_replicate:
		return any_varies(k, e->replicate.dims) ? STEP_NONE : STEP_WIDE;
	case E_atom: case E_reshape: case E_rearrange: case E_copy: case E_array: case E_concat:
		return STEP_WIDE;
	default:
		return STEP_NONE;
	}
}

// Is what statement i gives needed only by one statement, of lanes?  Then a map among them is, too:
// it will be fused with that.
static bool only_for_lanes(const Body *b, const Step *steps, int i)
{
	Map given = {0};
	int n = 0;
	for EACH(Var, v, b->stms.at[i].pat) {
		map_put(&given, var_key(*v), &given);
		if (subs_find(b->res, sub_var(*v)) >= 0)
			return false;
	}
	for (int j = i + 1; j < b->stms.len; j++)
		if (stm_mentions(&b->stms.at[j], &given)) {
			n++;
			if (steps[j] != STEP_LANES || n > 1)
				return false;
		}
	return true;
}

typedef struct { const Lockstep *k; bool found; } Rough;

static void look_for_rough(Visit *v, Body *b)
{
	Rough *r = v->ctx;
	for EACH(Stm, s, b->stms) {
		r->found |= is_rough(r->k, s);
	}
}

bool is_rough(const Lockstep *k, const Stm *s)
{
	const Exp *e = s->exp;
	Rough r = {k, e->form == E_assert_ || (e->form == E_index && any_varies(k, e->index.idx)) ||
	              (e->form == E_slice && slices_vary(k, e->slice.at))};
	Visit v = {.body = look_for_rough, .ctx = &r};
	stm_walk(s, &v);
	return r.found;
}

Step *steps_of(const Lockstep *k, const Body *b)
{
	Step *steps = NEW_ARRAY(Step, b->stms.len + 1);
	for (int i = b->stms.len - 1; i >= 0; i--) {
		const Stm *s = &b->stms.at[i];
		steps[i] = step_of(k, s);
		if (steps[i] == STEP_MAP && is_plain_stm(k, s) && only_for_lanes(b, steps, i))
			steps[i] = STEP_LANES;
	}
	return steps;
}

// ---- Whether it can be done, and pays ----

static bool changes(const Lockstep *k, Sub x)
{
	return x.kind == S_VAR && map_has(&k->changes, var_key(x.var));
}

static void set_changing(Lockstep *k, Var v)
{
	if (varies(k, sub_var(v)))
		map_put(&k->changes, var_key(v), k);
}

typedef struct { const Lockstep *k; bool own, shared; } Folded;

static void note_folded(Visit *v, Sub *x)
{
	Folded *f = v->ctx;
	if (x->kind != S_VAR || !sub_type(*x).dims.len)
		return;
	f->own |= changes(f->k, *x);
	f->shared |= !varies(f->k, *x);
}

static bool is_branch(const Stm *s)
{
	return s->exp->form == E_if_;
}

// Goes through arrays of which one is the lane's own and one all lanes read, in ways that vectors
// can go.
static bool joins_shared(const Lockstep *k, const Stm *s)
{
	Folded f = {k, false, false};
	Visit v = {.sub = note_folded, .ctx = &f};
	Stm copy = *s;
	if ((s->exp->form != E_loop && s->exp->form != E_screma) || exp_find(s->exp, is_branch))
		return false;
	stm_walk(&copy, &v);
	return f.own && f.shared;
}

typedef struct { const Exp *loop; Sub arr; bool found; } Own;

static void look_for_mention(Visit *v, Sub *x)
{
	Own *o = v->ctx;
	o->found |= sub_eq(*x, o->arr);
}

static bool reads_own_row(const Own *o, const Exp *e)
{
	return e->form == E_index && sub_eq(e->index.arr, o->arr) &&
	       sub_eq(e->index.idx.at[0], sub_var(o->loop->loop.i));
}

static bool writes_own_row(const Own *o, const Exp *e)
{
	return e->form == E_update && sub_eq(e->update.arr, o->arr) &&
	       sub_eq(e->update.at.at[0].start, sub_var(o->loop->loop.i)) &&
	       e->update.at.at[0].fixed;
}

// Reads or writes of the array, but for those of the row that the loop is at.
static void look_elsewhere(Visit *v, Body *b)
{
	Own *o = v->ctx;
	Visit all = {.sub = look_for_mention, .body = look_elsewhere, .ctx = o};
	for EACH(Stm, s, b->stms) {
		if (writes_own_row(o, s->exp)) {
			Own after = {o->loop, sub_var(s->pat.at[0]), false};
			Visit again = {.ctx = &after};
			look_elsewhere(&again, (Body *)&o->loop->loop.body);
			o->found |= after.found;
		} else if (!reads_own_row(o, s->exp)) {
			stm_walk(s, &all);
		}
	}
	if (b != &o->loop->loop.body)
		o->found |= subs_find(b->res, o->arr) >= 0;
}

// Does each iteration read and write rows of its own?  Then it is a map, as far as vectors go.
static bool is_row_by_row(const Exp *loop)
{
	for EACH(Var, p, loop->loop.params) {
		Own o = {loop, sub_var(*p), !vars[p->id].type.dims.len};
		Visit v = {.ctx = &o};
		look_elsewhere(&v, (Body *)&loop->loop.body);
		if (o.found)
			return false;
	}
	return true;
}

// Does it evaluate functions of what changes from one step of a row to the next?  Those of one row
// wait for each other; those of all rows do not.
static bool has_functions(const Lockstep *k, const Stm *s)
{
	return k->states.len && !k->maps && !k->rows && stm_mentions(s, &k->changes) &&
	       (stm_is_function(s) || exp_find(s->exp, stm_is_function));
}

static void check_sizes(Lockstep *k, Vars vs)
{
	for EACH(Var, v, vs)
		k->fails |= vars[v->id].type.kind == T_ACC ||
		            any_varies(k, vars[v->id].type.dims);
}

static void check_map(Lockstep *k, const Exp *e, int own_rows)
{
	Vars params = e->screma.map->params;
	bool own = false;
	check_sizes(k, params);
	for (int i = 0; i < params.len; i++) {
		Sub arr = e->screma.arrs.at[i];
		own |= varies(k, arr) && sub_type(arr).dims.len > 1;
		if (changes(k, arr))
			set_changing(k, params.at[i]);
	}
	k->maps += k->states.len > 0;
	check_steps(k, &e->screma.map->body, own_rows + own);
	k->maps -= k->states.len > 0;
}

static void check_loop(Lockstep *k, const Exp *e, int own_rows)
{
	VEC(Type) states = {k->states.at, k->states.len, k->states.len};
	check_sizes(k, e->loop.params);
	for EACH(Var, p, e->loop.params)
		if (varies(k, sub_var(*p)) && vars[p->id].type.dims.len) {
			set_changing(k, *p);
			VEC_PUSH(&states, vars[p->id].type);
		}
	k->states = VEC_SLICE(Types, states);
	bool rows = is_row_by_row(e);
	k->rows += rows;
	check_steps(k, &e->loop.body, own_rows);
	k->rows -= rows;
}

// Operations on scalars that take as long as this one.
static int cost_of(const Exp *e)
{
	if (e->form != E_prim)
		return 0;
	enum { SLOW = 6 };
	Prim op = e->prim.op;
	return prim_is_function(op) || (is_int(e->prim.at) && prim_divides(op)) ? SLOW : 1;
}

// own_rows: of how many maps around it works on one row of an array of the lane's.  A sum of
// products in one of these is a product of matrices in each lane already.
void check_steps(Lockstep *k, const Body *b, int own_rows)
{
	Step *steps = steps_of(k, b);
	int cost = 0;                           // of what is the same in all lanes
	for (int i = 0; i < b->stms.len && !k->fails; i++) {
		const Stm *s = &b->stms.at[i];
		const Exp *e = s->exp;
		check_sizes(k, s->pat);
		if (stm_mentions(s, &k->changes))
			for EACH(Var, v, s->pat)
				set_changing(k, *v);
		switch (steps[i]) {
		case STEP_SHARED:
			cost += cost_of(e);
			k->shares |= k->maps && cost >= threshold(AT_lockstep_worth);
			k->pays |= k->shares;
			break;
		case STEP_WIDE:
			break;
		case STEP_LANES:
			k->pays |= (!own_rows && joins_shared(k, s)) || has_functions(k, s);
			break;
		case STEP_MAP:
			check_map(k, e, own_rows);
			break;
		case STEP_LOOP:
			check_loop(k, e, own_rows);
			break;
		case STEP_IF:
			check_steps(k, &e->if_.yes, own_rows);
			check_steps(k, &e->if_.no, own_rows);
			break;
		case STEP_NONE:
			k->fails = true;
		}
	}
}
