// Levels of reverse mode, one per body: the names of variables in the two sweeps, which values the
// return sweep needs, and how consumed arrays are restored.
//
// Note [Restoring].  A statement of the forward sweep may consume an array that the return sweep
// of an earlier statement reads.  The return sweep restores it when it is first needed:
//
//     a = map f xs                 its return sweep reads xs
//     ys = update xs [i] v         kept = xs[i]; ys = update xs [i] v
//                                  ...
//                                  xs' = update ys [i] kept
//                                  return sweep of the map, with xs'
//
// By then the return sweeps of all statements after the update are done, so ys is dead.  An array
// whose update cannot be undone this way is copied before it is consumed.  A body that consumes an
// array that it does not own (the re-executed forward sweep of a branch) works on a copy.
#include "ad/vjp.h"

// ---- Cells ----

Cell *cell_of(Vjp *v, Var x)
{
	return map_get(&v->cells, var_key(x));
}

void cell_enter(Vjp *v, Level *l, Var x, int def)
{
	Cell *c = cell_of(v, x);
	if (!c) {
		c = NEW(Cell, .def = 0);
		map_put(&v->cells, var_key(x), c);
	}
	*c = (Cell){.level = l, .def = def};
	const Settled *last = map_get(&v->settled, var_key(x));
	if (last && !last->cell) {
		c->fwd = c->ret = last->array;
		c->has_fwd = c->has_ret = c->given = true;
	}
}

void cell_name(Vjp *v, Level *l, Var x, Sub name, bool owned)
{
	cell_enter(v, l, x, -1);
	Cell *c = cell_of(v, x);
	c->fwd = name;
	c->has_fwd = true;
	c->owned = owned;
}

static void map_size(Visit *vis, Sub *s)
{
	*s = ret_sub(vis->ctx, *s);
}

Type ret_type(Vjp *v, Type t)
{
	Visit vis = {.sub = map_size, .copy = true, .ctx = v};
	type_visit(&t, &vis);
	t.unique = false;
	return t;
}

Sub fwd_var(Vjp *v, Var x)
{
	Cell *c = cell_of(v, x);
	if (!c)
		return sub_var(x);
	if (!c->has_fwd) {
		c->has_fwd = true; // the type cannot mention the variable itself
		c->fwd = sub_var(var_new(vars[x.id].hint, ret_type(v, vars[x.id].type)));
	}
	return c->fwd;
}

// ---- Consumption ----

// Does the array share memory with what the forward sweep of the level does not own?
static bool is_foreign(Vjp *v, Level *l, Sub s)
{
	if (s.kind != S_VAR || !type_is_array(sub_type(s)))
		return false;
	Cell *c = cell_of(v, s.var);
	if (!c || c->level != l)
		return true;
	if (c->def < 0)
		return !c->owned;
	const Stm *def = &l->body->stms.at[c->def];
	const Exp *e = def->exp;
	if (!form_has(e->form, FORM_ALIAS) || e->form == E_update || e->form == E_hist ||
	    e->form == E_scatter || e->form == E_withacc)
		return false;
	if (e->form == E_loop)
		for (int i = 0; i < def->pat.len; i++)
			if (def->pat.at[i].id == s.var.id &&
			    vars[e->loop.params.at[i].id].type.unique)
				return false;
	Vars free = free_in_stm(def);
	for EACH(Var, f, free)
		if (is_foreign(v, l, sub_var(*f)) &&
		    vars[f->id].type.elem == sub_type(s).elem)
			return true;
	return false;
}

static bool is_given(Vjp *v, const Stm *s)
{
	for EACH(Var, x, s->pat)
		if (cell_of(v, *x)->given)
			return true;
	return false;
}

bool level_owns(Vjp *v, Level *l, Var x)
{
	return !is_foreign(v, l, sub_var(x));
}

// Notes what a statement consumes.
static void level_consumed(Vjp *v, Level *l, int at)
{
	if (l->plans[at].noted || is_given(v, &l->body->stms.at[at]))
		return;
	l->plans[at].noted = true;
	SubVec eaten = {0};
	stm_consumed(&l->body->stms.at[at], &eaten);
	Vars free =
		eaten.len ? free_in_stm(&l->body->stms.at[at]) : (Vars){0};
	for EACH(Sub, s, eaten) {
		if (s->kind != S_VAR || !type_is_array(sub_type(*s)))
			continue;
		uint32_t class = alias_class(&v->alias, s->var);
		bool mine = !is_foreign(v, l, *s);
		// What a branch consumes may be another name for an array of the level.
		for EACH(Var, f, free)
			mine |= alias_class(&v->alias, *f) == class &&
			        !is_foreign(v, l, sub_var(*f)) && type_is_array(vars[f->id].type);
		if (mine)
			VEC_PUSH(&l->kills, (Kill){class, at});
	}
}

// The first statement after `at` that consumes the memory of x; -1: none did so far.
int killer_after(Vjp *v, const Level *l, int at, Var x)
{
	if (!l->kills.len || !type_is_array(vars[x.id].type))
		return -1;
	uint32_t class = alias_class(&v->alias, x);
	for (int i = l->kills.len; i-- > 0;) {
		Kill k = l->kills.at[i];
		if (k.class == class && k.at > at)
			return k.at;
	}
	return -1;
}

// ---- Restoring ----

static Sub keep_a_copy(Vjp *v, Plan *p, Var x)
{
	fwd_var(v, x);
	for (int i = 0; i < p->copy_from.len; i++)
		if (p->copy_from.at[i].id == x.id)
			return sub_var(p->copy_to.at[i]);
	Var to = var_new(vars[x.id].hint, ret_type(v, vars[x.id].type));
	VEC_PUSH(&p->copy_from, x);
	VEC_PUSH(&p->copy_to, to);
	return sub_var(to);
}

static Sub undo_update(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	Plan *p = &l->plans[at];
	Slices where = ret_slices(v, s->exp->update.at);
	if (!p->keeps) {
		p->keeps = true;
		Type t = type_array(vars[s->pat.at[0].id].type.elem, slice_dims(where));
		p->kept = var_new(name_of("kept"), t);
	}
	Sub later = ret_var(v, s->pat.at[0]);
	VEC_PUSH(&l->restored, alias_class(&v->alias, s->pat.at[0]));
	return b_update(v->b, later, where, sub_var(p->kept));
}

Sub restore(Vjp *v, Cell *c, Var x, int at)
{
	Level *l = c->level;
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = s->exp;
	if (e->form == E_update && sub_eq(e->update.arr, sub_var(x)))
		return undo_update(v, l, at);
	if (e->form == E_loop)
		for (int i = 0; i < e->loop.params.len; i++)
			if (sub_eq(e->loop.inits.at[i], sub_var(x)) &&
			    vars[e->loop.params.at[i].id].type.unique &&
			    undo_loop(v, l, at, i)) {
				VEC_PUSH(&l->restored, alias_class(&v->alias, s->pat.at[i]));
				return c->ret;
			}
	if (e->form == E_if_ && undo_if(v, l, at, x))
		return c->ret;
	return keep_a_copy(v, &l->plans[at], x);
}

// ---- The sweeps of a level ----

void level_begin(Vjp *v, Level *l, const Body *body, bool all)
{
	int n = body->stms.len;
	*l = (Level){.up = v->top,
	             .depth = v->top ? v->top->depth + 1 : 0,
	             .body = body,
	             .all = all,
	             .taken = NEW_ARRAY(bool, n + 1),
	             .late = NEW_ARRAY(bool, n + 1),
	             .plans = NEW_ARRAY(Plan, n + 1)};
	v->top = l;
	for (int i = 0; i < n; i++)
		for EACH(Var, x, body->stms.at[i].pat)
			cell_enter(v, l, *x, i);
	b_open(v->b);
	l->ret = v->b->top;
}

// ---- Rows of results that are there ----

bool is_kept_value(Vjp *v, Var x)
{
	const Cell *c = cell_of(v, x);
	return c && (c->has_ret || (((c->has_fwd && c->back) || c->offered) &&
	                            killer_after(v, c->level, c->def, x) < 0));
}

static bool is_repeated(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop || e->form == E_call || e->form == E_hist ||
	       (e->form == E_screma && (e->screma.reds.len || e->screma.scans.len));
}

// Is it computed at this level, for nothing else yet, and by sums or loops?
static bool is_sum_here(Vjp *v, const Level *l, Sub s, int depth)
{
	const Cell *c = s.kind == S_VAR ? cell_of(v, s.var) : NULL;
	return c && c->level == l && c->def >= 0 && !c->has_fwd &&
	       takes_sums(v, l, &l->body->stms.at[c->def], depth + 1);
}

// Is it much more work than to read a number: are there sums or loops in it, or in the scalars that
// are computed for it alone?
bool takes_sums(Vjp *v, const Level *l, const Stm *s, int depth)
{
	enum { DEEPEST = 8 };
	const Exp *e = s->exp;
	if (depth > DEEPEST)
		return false;
	if (e->form == E_convert)
		return is_sum_here(v, l, e->convert.x, depth);
	if (e->form == E_with_vjp)
		return false;                   // the user's rule has its own tape
	if (e->form != E_prim)
		return is_repeated(s) || exp_find(e, is_repeated);
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (is_sum_here(v, l, e->prim.x[i], depth))
			return true;
	return false;
}

// Note [Kept rows].  The forward sweep of a map's body is executed again in the return sweep.  If
// the results of the map are there anyway, since other statements want them, those values of the
// body that are rows of results are read instead:
//
//     ys = map (\x -> tanh (sum w x)) xs        x_adj = map (\x y g -> (1 - y * y) * g ..) xs ys ..
//     z = f ys, whose return sweep wants ys
static bool read_stm(Vjp *v, Level *l, const Stm *s)
{
	SubVec eaten = {0};
	for EACH(Var, x, s->pat) {
		const Cell *c = cell_of(v, *x);
		if (c->has_fwd && (!c->offered || c->given))
			return false;
	}
	stm_consumed(s, &eaten);
	if (l->all || eaten.len || !takes_sums(v, l, s, 0))
		return false;
	for EACH(Var, x, s->pat)
		cell_of(v, *x)->read = cell_of(v, *x)->has_fwd;
	return true;
}

// Once the return sweep of a statement is there, it is known whether the forward sweep
// has it; then its operands are wanted too.
static void take_stm(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	bool wanted = l->all;
	if (l->plans[at].by_return)
		return;
	for EACH(Var, x, s->pat)
		wanted |= cell_of(v, *x)->has_fwd && !cell_of(v, *x)->given;
	if (wanted && ((!l->plans[at].loop && read_stm(v, l, s)) || read_next(v, l, at)))
		return;
	wanted |= l->plans[at].loop && loop_needed(l->plans[at].loop);
	if (!wanted)
		return;
	l->taken[at] = true;
	if (save_stm(v, l, at)) {
		level_consumed(v, l, at);
		return;
	}
	const Settled *stored = stored_in(v, s);
	if (stored) {
		for EACH(DimSlice, d, stored->at) {
			(void)copied(&(Copier){.v = v, .here = l}, d->start);
			(void)copied(&(Copier){.v = v, .here = l}, d->len);
		}
		return;
	}
	Stm values = l->all ? *s : vjp_values(s);
	Vars free = free_in_stm(&values);
	bool back = !l->all;
	for EACH(Var, x, s->pat)
		back |= cell_of(v, *x)->back;
	for EACH(Var, f, free) {
		Cell *c = cell_of(v, *f);
		if (c && c->level == l) {
			fwd_var(v, *f);
			c->back |= back;
		} else {
			ret_var(v, *f);
		}
	}
	level_consumed(v, l, at);
}

// Rules that read what their own statement consumes want it as it was before, so that it is
// noted as consumed first.  The copy that this leads to is made in any case.
static bool consumes_first(Vjp *v, const Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	Form f = s->exp->form;
	if (l->all || f == E_hist || f == E_call)
		return true;
	for EACH(Var, x, s->pat)
		if (cell_of(v, *x)->has_fwd)
			return true;
	return false;
}

// The return sweep of statement i begins at `from`, or was opened anew.
static void name_checks(Vjp *v, Level *l, int i, int from)
{
	const Stm *s = &l->body->stms.at[i];
	if (l->plans[i].by_return)
		from = 0;
	if (s->certs.len && from < b_len(v->b))
		b_add_certs(v->b, from, ret_certs(v, s));
}

void level_reverse(Vjp *v, Level *l)
{
	for (int i = l->body->stms.len; i-- > 0;) {
		v->b->where = derived_place(l->body->stms.at[i].where);
		if (consumes_first(v, l, i))
			level_consumed(v, l, i);
		int from = b_len(v->b);
		rev_watched(v, &l->body->stms.at[i]);
		rev_stm(v, l, i);
		name_checks(v, l, i, from);
		for EACH(Var, x, l->body->stms.at[i].pat)
			adj_take(v, *x);
		take_stm(v, l, i);
	}
}

void level_close(Vjp *v, Level *l)
{
	l->swept = b_close(v->b, (Subs){0});
	v->top = l->up;
}

static void emit_copies(Vjp *v, Copier *k, const Plan *p)
{
	for (int i = 0; i < p->copy_from.len; i++)
		b_stm(v->b, vars_of(1, p->copy_to.at[i]),
		      EXP(copy, copied(k, sub_var(p->copy_from.at[i]))));
}

static void emit_kept(Vjp *v, Copier *k, const Stm *s, Var kept)
{
	Slices at = SLICE_DUP(Slices, s->exp->update.at);
	for EACH(DimSlice, d, at) {
		d->start = copied(k, d->start);
		if (!d->fixed) {
			d->len = copied(k, d->len);
			d->step = copied(k, d->step);
		}
	}
	Sub old = b_slice(v->b, copied(k, s->exp->update.arr), at);
	Exp *e = type_is_array(sub_type(old)) ? EXP(copy, old) : EXP(atom, old);
	b_stm(v->b, vars_of(1, kept), e);
}

// A statement that consumes what the level does not own gets a copy.
void level_own(Vjp *v, Level *l, Copier *k, const Stm *s)
{
	SubVec eaten = {0};
	stm_consumed(s, &eaten);
	if (!eaten.len)
		return;
	Vars free = free_in_stm(s);
	for EACH(Sub, x, eaten) {
		if (x->kind != S_VAR || !type_is_array(sub_type(*x)))
			continue;
		for EACH(Var, f, free) {
			Sub y = sub_var(*f);
			if (alias_class(&v->alias, *f) == alias_class(&v->alias, x->var) &&
			    type_is_array(sub_type(y)) && is_foreign(v, l, y) &&
			    !map_has(&k->local, var_key(*f)))
				copy_name(k, *f, b_copy(v->b, copied(k, y)));
		}
	}
}

// The tape of a with_vjp, for the return sweep.  The statement itself stays: an outer derivative
// takes the user's rule for its results.  An argument on the tape that is consumed later on is
// copied.
static void emit_tape(Vjp *v, Level *l, int at, const Stm *s, Vars tape)
{
	Copier k = {.v = v, .here = l, .quiet = true};
	const Lambda *fn = s->exp->with_vjp.fn;
	for (int i = 0; i < fn->params.len; i++)
		copy_name(&k, fn->params.at[i], copied(&k, s->exp->with_vjp.args.at[i]));
	Subs res = copy_stms(&k, &fn->body);
	for (int i = 0; i < tape.len; i++) {
		Sub r = fn->body.res.at[i];
		bool gone = r.kind == S_VAR && killer_after(v, l, at, r.var) >= 0;
		b_stm(v->b, vars_of(1, tape.at[i]),
		      gone ? EXP(copy, res.at[i])
		           : EXP(atom, res.at[i]));
	}
}

static void emit_taken(Vjp *v, Level *l, int at)
{
	Stm values = l->all ? l->body->stms.at[at] : vjp_values(&l->body->stms.at[at]);
	const Stm *s = &values;
	const Plan *p = &l->plans[at];
	Copier k = {.v = v, .here = l, .quiet = !l->all, .watches = has_watched(v, s)};
	v->b->where = s->where;
	emit_copies(v, &k, p);
	if (p->saved) {
		emit_saved(v, p->saved);
		return;
	}
	if (stored_in(v, s)) {
		emit_stored(v, &k, s, stored_in(v, s));
		return;
	}
	if (p->loop) {
		emit_loop(v, l, s, plan_of_values(&l->body->stms.at[at], p->loop));
		return;
	}
	if (p->undone.len) {
		emit_if(v, l, at);
		return;
	}
	if (p->tape.len)
		emit_tape(v, l, at, s, p->tape);
	level_own(v, l, &k, s);
	if (p->keeps)
		emit_kept(v, &k, s, p->kept);
	b_emit(v->b, copy_stm(&k, s));
	emit_watched(v, &k, s);
}

void level_emit_forward(Vjp *v, Level *l)
{
	Copier k = {.v = v, .here = l};
	for (int i = 0; i < l->body->stms.len; i++)
		if (l->taken[i] && !l->late[i])
			emit_taken(v, l, i);
		else
			emit_copies(v, &k, &l->plans[i]);
	emit_copies(v, &k, &l->end);
}

void level_emit(Vjp *v, Level *l)
{
	level_emit_forward(v, l);
	b_emit_all(v->b, l->swept.stms);
	for (int i = 0; i < l->body->stms.len; i++)
		if (l->taken[i] && l->late[i])
			emit_taken(v, l, i);
}

// A result whose memory the return sweep changes back is copied before.
Sub level_result(Vjp *v, Level *l, Sub s)
{
	if (s.kind != S_VAR)
		return s;
	Cell *c = cell_of(v, s.var);
	if (!c || c->level != l)
		return ret_var(v, s.var);
	if (type_is_array(sub_type(s)))
		for EACH(uint32_t, class, l->restored)
			if (*class == alias_class(&v->alias, s.var))
				return keep_a_copy(v, &l->end, s.var);
	return fwd_var(v, s.var);
}

void seed_results(Vjp *v, Subs res, const Adj *seeds)
{
	for (int i = 0; i < res.len; i++)
		if (seeds[i].kind == ADJ_VALUE)
			adj_add(v, res.at[i], seeds[i].val, seeds[i].owned);
}

Adj *vjp_inline(Vjp *v, const Lambda *fn, Subs args, const Adj *seeds, bool closed)
{
	int floor = v->floor;
	Level *l = NEW(Level, .depth = 0);
	level_begin(v, l, &fn->body, false);
	for (int i = 0; i < fn->params.len; i++)
		cell_name(v, l, fn->params.at[i], args.at[i], false);
	if (closed)
		v->floor = l->depth;
	seed_results(v, fn->body.res, seeds);
	level_reverse(v, l);
	Adj *out = NEW_ARRAY(Adj, fn->params.len + 1);
	for (int i = 0; i < fn->params.len; i++)
		out[i] = adj_take(v, fn->params.at[i]);
	level_close(v, l);
	v->floor = floor;
	level_emit(v, l);
	return out;
}
