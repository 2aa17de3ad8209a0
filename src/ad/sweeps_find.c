// Determines which statements depend on cotangents, and which values of the others are kept for
// those, or recomputed; for the pass `split_sweeps` (sweeps.c).
#include "ad/sweeps.h"

// ---- What depends on the cotangents ----

static void need_operands(Sweeps *w, Stm s)
{
	Visit v = {.sub = note_operand, .ctx = &w->needed};
	stm_walk(&s, &v);
}

static void need_all(Map *set, Subs subs)
{
	Visit v = {.sub = note_operand, .ctx = set};
	for EACH(Sub, s, subs)
		note_operand(&v, s);
}

static void find_late(Sweeps *w)
{
	for (int i = 0; i < w->stms.len; i++) {
		Stm *s = &w->stms.at[i];
		vars_put(&w->defs, s->pat, s);
		if (!stm_mentions(s, w->late))
			continue;
		w->sweep[i] = BACKWARD;
		vars_put(w->late, s->pat, w->late);
		need_operands(w, *s);
	}
}

// ---- What the forward sweep has in memory ----

// What a combinator reads row by row is fused with it.
static void find_stored(Sweeps *w)
{
	Visit v = {.sub = note_operand, .ctx = &w->stored};
	for (int i = 0; i < w->stms.len; i++) {
		Stm s = w->stms.at[i];
		if (w->sweep[i] == BACKWARD)
			continue;
		if (s.exp->form == E_screma) {
			s.exp = exp_dup(s.exp);
			s.exp->screma.arrs.len = 0;
		}
		stm_walk(&s, &v);
	}
}

// ---- What is computed again ----

static bool is_not_scalar_code(const Stm *s)
{
	Form f = s->exp->form;
	return f != E_atom && f != E_prim && f != E_convert && f != E_index && f != E_if_ &&
	       f != E_match && f != E_assert_;
}

static bool is_map_of_scalars(const Exp *e)
{
	return is_map(e) &&
	       !body_find(&e->screma.map->body, is_not_scalar_code);
}

static bool is_at_hand(const Sweeps *w, Var x)
{
	return map_has(&w->needed, var_key(x)) || map_has(&w->simple, var_key(x)) ||
	       !map_has(&w->defs, var_key(x));  // a parameter, or bound inside
}

// How many operands the backward sweep would need more, if it computed this; of combinators, how
// many arrays.
static int n_more(const Sweeps *w, const Stm *s)
{
	Map seen = {0};
	Visit v = {.sub = note_operand, .ctx = &seen};
	int n = 0;
	exp_walk(s->exp, &v);
	for MAP_EACH(e, seen) {
		Var x = {(uint32_t)((uintptr_t)e->key - 1)};
		Type t = vars[x.id].type;
		if (t.kind == T_DATA && (t.dims.len || s->exp->form != E_screma))
			n += !is_at_hand(w, x);
	}
	return n;
}

// more: so many operands may be needed more.
static bool is_cheap(const Sweeps *w, const Stm *s, int more)
{
	switch (s->exp->form) {
	case E_atom: case E_reshape: case E_rearrange: case E_iota: case E_replicate:
	case E_scratch:
		return more || n_more(w, s) == 0;
	case E_prim: case E_convert: case E_index: case E_slice: case E_array:
		return n_more(w, s) == 0;
	case E_if_: case E_match:
		return !exp_find(s->exp, is_not_scalar_code) && n_more(w, s) == 0;
	case E_screma:
		return is_map_of_scalars(s->exp) && !vars_any_in(s->pat, &w->stored) &&
		       n_more(w, s) <= more;
	default:
		return false;
	}
}

static void add_residuals(Sweeps *w, Vars pat)
{
	Visit sizes = {.sub = note_operand, .ctx = &w->needed};
	for EACH(Var, v, pat) {
		if (!map_has(&w->needed, var_key(*v)) || vars[v->id].type.kind != T_DATA)
			continue;
		VEC_PUSH(&w->residuals, *v);
		type_visit(&vars[v->id].type, &sizes); // a walk: writes nothing
	}
}

void find_sweeps(Sweeps *w, Subs early, Subs late)
{
	w->sweep = NEW_ARRAY(Sweep, w->stms.len + 1);
	find_late(w);
	need_all(&w->needed, late);
	find_stored(w);
	need_all(&w->stored, early);
	for (int i = 0; i < w->stms.len; i++)
		if (w->sweep[i] == FORWARD && is_cheap(w, &w->stms.at[i], 0))
			vars_put(&w->simple, w->stms.at[i].pat, &w->simple);
	for (int i = w->stms.len; i-- > 0;) {
		Stm *s = &w->stms.at[i];
		if (w->sweep[i] == BACKWARD || !vars_any_in(s->pat, &w->needed))
			continue;
		if (is_cheap(w, s, 1)) {
			w->sweep[i] = AGAIN;
			need_operands(w, *s);
		} else {
			add_residuals(w, s->pat);
		}
	}
}

// ---- Consumption ----

static bool consumes(Alias *alias, const Stm *s, Var x)
{
	SubVec eaten = {0};
	stm_consumed(s, &eaten);
	for EACH(Sub, e, eaten)
		if (e->kind == S_VAR && alias_class(alias, e->var) == alias_class(alias, x))
			return true;
	return false;
}

bool is_consumed(const Sweeps *w, Var x, Sweep other)
{
	const Stm *def = map_get(&w->defs, var_key(x));
	for (int i = 0; i < w->stms.len && vars[x.id].type.dims.len; i++)
		if (w->sweep[i] != other && &w->stms.at[i] > def &&
		    consumes(w->alias, &w->stms.at[i], x))
			return true;
	return false;
}

// ---- Certificates ----

static void drop_in_body(Visit *v, Body *b)
{
	const Sweeps *w = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		Vars left = {NEW_ARRAY(Var, s->certs.len + 1), 0};
		for EACH(Var, c, s->certs) {
			const Stm *def = map_get(&w->defs, var_key(*c));
			if (!def || w->sweep[def - w->stms.at] == BACKWARD)
				left.at[left.len++] = *c;
		}
		s->certs = left;
	}
	body_visit(b, v);
}

Body drop_certs(const Sweeps *w, Body b)
{
	Visit v = {.body = drop_in_body, .copy = true, .ctx = (void *)w};
	drop_in_body(&v, &b);
	return b;
}
