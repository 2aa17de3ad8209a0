// For arrays that a loop updates in place: keeps the values that are read, instead of undo
// records.
//
//     loop (a = ..) for i < n do                  forward sweep: log[i] = u; no undo records
//       loop (a, j) = .. while a[j] > v do        return sweep: u = log[i]; a is not restored
//         u = a[j]
//         a with [j - 1] = u * u
//
// Restoring earlier states of an array takes one more forward and backward execution of the code
// that updates it, wherever the number of records is not known in advance: in while loops and in
// loops whose bounds vary.  If the return sweep needs only some scalars read from the array, these
// are kept instead (vjp_save.c), and so are the logs of all inner loops.
//
// Note [Room for reads].  Memory must not grow faster than that for overwritten cells: a read that
// is kept belongs to a body that updates the array, or contains loops that do, and the number of
// reads is at most a small multiple of the number of updates.
//
// For comparisons of floats, the outcome is kept instead of the operands; for a branch that only
// reads (vjp_reads.c; a && b), what it gives.
#include "ad/vjp_access.h"

// ---- Comparisons and branches ----

static bool mentions_any(const Stm *s, const Map *set)
{
	return vars_any_in(free_in_stm(s), set);
}

static bool is_update(const Stm *s)
{
	return s->exp->form == E_update || s->exp->form == E_loop;
}

// Is it around the access?  At which depth; -1: it is not.
static int depth_in(const Access *a, const Stm *s)
{
	for (int d = 0; d < a->depth; d++)
		if (a->path[d].s == s)
			return d;
	return -1;
}

// Is the access within as much of the path of another one?
static bool has_path(const Access *a, const Access *of, int depth)
{
	for (int d = 0; d < depth; d++)
		if (d >= a->depth || a->path[d].s != of->path[d].s ||
		    a->path[d].branch != of->path[d].branch)
			return false;
	return true;
}

// A branch that reads one number, beside what updates the array.  See Note [Room for reads].
static bool is_branch_of_read(const Intact *t, const Stm *s)
{
	if (s->exp->form != E_if_ || s->pat.len != 1 || body_find(&s->exp->if_.yes, is_update) ||
	    body_find(&s->exp->if_.no, is_update))
		return false;
	for EACH(Access, r, t->reads) {
		int depth = depth_in(r, s);
		if (depth < 0)
			continue;
		for EACH(Access, w, t->writes)
			if (has_path(w, r, depth))
				return true;
	}
	return false;
}

// Those that depend on what is read of the array.
static void find_cuts(Intact *t)
{
	Map read = {0};
	for EACH(Access, r, t->reads)
		map_put(&read, var_key(r->result), t);
	for (int i = 0; i < t->all.len; i++) {
		const Stm *s = t->all.at[i];
		bool scalar = s->pat.len == 1 && type_is_scalar(vars[s->pat.at[0].id].type);
		if (scalar && t->in_loops.at[i] && is_branch_of_read(t, s)) {
			map_put(&t->cuts, s, t);
			continue;
		}
		if (!scalar || s->exp->form != E_prim || !mentions_any(s, &read))
			continue;
		if (t->in_loops.at[i] && is_float(s->exp->prim.at) &&
		    vars[s->pat.at[0].id].type.elem == PT_BOOL)
			map_put(&t->cuts, s, t);
		else
			map_put(&read, var_key(s->pat.at[0]), t);
	}
}

// ---- Reads ----

bool may_keep_read(const Intact *t, const Access *r)
{
	bool updated = false;
	if (r->whole || !type_is_scalar(vars[r->result.id].type))
		return false;
	for (int i = 0; i < r->depth; i++)
		if (r->path[i].s->exp->form != E_loop && r->path[i].s->exp->form != E_if_)
			return false;
	for EACH(Access, w, t->writes)
		updated |= has_path(w, r, r->depth); // in that body, or further inside
	return updated;
}

// Are the reads that are wanted few, and can they be kept?
static bool may_keep_reads(Intact *t)
{
	enum { FEW = 2 };
	for EACH(Access, r, t->reads)
		if (!may_keep_read(t, r))
			return false;
	return t->reads.len <= FEW * t->writes.len + FEW;
}

static bool look_at_values(Intact *t, Level *l, const Stm *s, int k)
{
	if (!find_accesses(t, l, s, k))
		return false;
	t->stored = (Map){0};
	find_cuts(t);
	find_needed(t);
	keep_needed_reads(t);
	return may_keep_reads(t) && !executed_again(t, false);
}

static void note(Map *all, Map *states, const void *key, void *as)
{
	map_put(all, key, as);
	map_put(states, key, as);
}

static void settle_reads(Vjp *v, Intact *t, Map *states)
{
	for MAP_EACH(m, t->states)
		note(&v->values, states, m->key, t->v);
	for EACH(Access, r, t->reads)
		note(&v->kept_reads, states, var_key(r->result), t->v);
	for MAP_EACH(m, t->cuts) {
		const Stm *s = m->key;
		if (is_wanted_back(t, s->pat.at[0]))
			note(&v->kept_reads, states, var_key(s->pat.at[0]), t->v);
	}
}

// Is the array made in the body itself?  Otherwise a loop around may update it, which decides.
static bool is_made_in(Vjp *v, const Level *l, Sub x)
{
	const Cell *c = x.kind == S_VAR ? cell_of(v, x.var) : NULL;
	if (!c || c->level != l || c->def < 0)
		return false;
	const Stm *s = &l->body->stms.at[c->def];
	if (s->exp->form == E_update)
		return is_made_in(v, l, s->exp->update.arr);
	for (int i = 0; s->exp->form == E_loop && i < s->pat.len; i++)
		if (s->pat.at[i].id == x.var.id)
			return is_made_in(v, l, s->exp->loop.inits.at[i]);
	return form_has(s->exp->form, FORM_FRESH);
}

// On devices the rows of a stack would wait for each other, and derivatives around this one would
// carry the stacks.  Where the programmer says that nothing is overwritten before it is read again,
// that decides, and checked mode reports if it is not so.
bool may_keep_values(const Level *l, const Stm *s)
{
	return ad_by_one_thread(level_in_rows(l)) && !ad_is_inner() && !vars_have_acc(s->pat) &&
	       !has_true_dep(s);
}

// All arrays of the loop, or none: as long as one of them is taken back, what updates it is
// executed again.
Map settle_values(Vjp *v, Level *l, const Stm *s)
{
	const Exp *e = s->exp;
	Map states = {0};
	Intact *found = NEW_ARRAY(Intact, e->loop.params.len + 1);
	int n = 0;
	if (!may_keep_values(l, s))
		return states;
	for (int k = 0; k < e->loop.params.len; k++) {
		if (!updated_in_place(e, k) ||
		    map_get(&v->settled, var_key(e->loop.params.at[k])))
			continue;
		if (map_get(&v->values, var_key(e->loop.params.at[k])) ||
		    (level_in_loop(l) && !is_made_in(v, l, e->loop.inits.at[k])))
			return states;
		found[n] = (Intact){.v = v, .values = true};
		if (!look_at_values(&found[n++], l, s, k))
			return states;
	}
	for (int i = 0; i < n; i++)
		settle_reads(v, &found[i], &states);
	return states;
}

void unsettle_values(Vjp *v, const Map *states)
{
	for MAP_EACH(m, *states) {
		map_put(&v->values, m->key, NULL);
		map_put(&v->kept_reads, m->key, NULL);
	}
}
