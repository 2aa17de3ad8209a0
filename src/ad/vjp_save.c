// Decides which values of a loop body are stored, so that the return sweep need not recompute them.
//
//     loop (p = ..) for i < n do             forward sweep: also stores the logs of the inner loop
//       y = loop (q = f p) for j < m do      return sweep: the logs of the inner loop and y are
//         g q                                rows of arrays; the inner loop is not re-executed
//       ..
//
// Re-executing a loop at each enclosing level costs a factor per level.  Stored are
//
//     for a loop                its own logs, and those of its results that are needed
//     for other statements      results that take more work than they have elements: sums, maps
//                               of sums
//
// An array that the inner loop updates in place and that is a parameter of the outer loop is not
// stored: the return sweep carries it backwards, and at the start of an iteration it is in the
// state in which the inner loop left it.
//
// Note [Room].  Memory use must not grow in order: a row is stored if another array of the loop,
// stored or given, has the same dimensions or a small multiple of them (concatenated gates: 4 * n),
// or if its dimensions are constants.  Moreover, the forward sweep must execute the loop anyway.
//
// Note [Stacks].  A loop that updates arrays whose values are logged as they are read
// (vjp_values.c) is always stored, however often it runs.  If the number of its iterations varies,
// its logs are columns of one stack, which is passed through all enclosing loops; these record the
// row at which each execution starts, and how many rows it has.
//
// Note [Branches].  So it is with loops and numbers in branches of a loop's body:
//
//     loop (a = ..) for i < n do                 forward sweep: also begin[i], len[i], u[i], and
//       if c then                                rows of the loop, if c; both branches pass the
//         u = a[i]                               stack on
//         loop (a = a) for j < m do              return sweep: the branch that is taken has u and
//           v = a[j]; a with [j] = v * v * u     the rows, and executes nothing again
//       else a
//
// Numbers take a place in each iteration, rows of loops where the branch is taken; nothing else is
// kept there.
//
// Note [Next values].  What an iteration leaves in a parameter is what the next one begins with:
//
//     (ys, log) = loop (p = x, log) for i < n do       p is logged since the return sweep reads it
//       log[i] = p
//       loop (q = f p) for j < m do g q                the result of sums or a loop, which it reads
//     log[n] = ys                                      too: log[i + 1] in iteration i
//
// So the loop inside is not executed again, unless its own logs are needed, and not stored either:
// the log has one more row.  For loops that are in no other: logs of those are stored themselves.
#include "ad/vjp_access.h"

// ---- Room ----

// What a size is a few times, or a little more or less than.
static Sub source_of_size(Vjp *v, Sub n)
{
	enum { FEW_TIMES = 8 };
	const Cell *c = n.kind == S_VAR ? cell_of(v, n.var) : NULL;
	const Exp *e = n.kind != S_VAR ? NULL : !c ? size_outside(n.var)
	             : c->def < 0 ? NULL : c->level->body->stms.at[c->def].exp;
	if (!e || e->form != E_prim || e->prim.at != PT_I64)
		return n;
	Prim op = e->prim.op;
	for (int i = 0; i < 2; i++) {
		Sub k = e->prim.x[i];
		if (k.kind != S_CONST || (i == 0 && op == P_sub))
			continue;
		if (op == P_sub || op == P_add || op == P_max ||
		    (op == P_mul && k.val.i > 0 && k.val.i <= FEW_TIMES))
			return source_of_size(v, e->prim.x[1 - i]);
	}
	return n;
}

// Has the array these dimensions among its own?
bool has_dims(Vjp *v, Subs has, const Subs *wanted)
{
	bool *used = NEW_ARRAY(bool, has.len + 1);
	for EACH(Sub, d, *wanted) {
		bool found = d->kind == S_CONST;
		for (int i = 0; !found && i < has.len; i++)
			if (!used[i] && sub_eq(source_of_size(v, has.at[i]), source_of_size(v, *d)))
				used[i] = found = true;
		if (!found)
			return false;
	}
	return true;
}

static bool keep_has_dims(Vjp *v, const Keep *k, Subs wanted)
{
	for (int i = 0; k->on && i < k->types.len; i++)
		if (has_dims(v, k->types.at[i].dims, &wanted))
			return true;
	return false;
}

static bool has_room(Vjp *v, const LoopAround *o, Type t)
{
	const LoopPlan *p = plan_of(o->level, o->at);
	bool constant = true;
	for EACH(Sub, d, t.dims)
		constant &= d->kind == S_CONST;
	if (constant)
		return true;
	for (int i = 0; i < o->s->pat.len; i++)
		if (keep_has_dims(v, &p->whole[i], t.dims) || keep_has_dims(v, &p->undo[i], t.dims))
			return true;
	Subs all = subs_cat(subs_of(1, o->s->exp->loop.n), t.dims);
	Vars free = free_in_stm(o->s);
	for EACH(Var, f, free)
		if (!o->s->exp->loop.is_while && vars[f->id].type.kind == T_DATA &&
		    has_dims(v, vars[f->id].type.dims, &all))
			return true;
	return false;
}

// ---- What is worth it ----

// The loop that keeps values of a body: one whose body it is, or a branch in this.
static const LoopAround *kept_by(const Level *l)
{
	while (l->branch)
		l = l->up;
	return l->loop;
}

static bool is_wanted(Vjp *v, Var x)
{
	const Cell *c = cell_of(v, x);
	return c->has_fwd && !c->given;
}

// Does the forward sweep of the level around have this loop?  An array that is known as the
// outermost loop leaves it is no reason to.
static bool runs_forward(Vjp *v, const LoopAround *o)
{
	// One whose array is known as a loop around leaves it is not executed again.
	for EACH(Var, x, o->s->pat)
		if (cell_of(v, *x)->given)
			return false;
	bool runs = o->level->all || plan_of(o->level, o->at)->needed;
	for EACH(Var, x, o->s->pat)
		runs |= is_wanted(v, *x);
	for EACH(Var, x, o->s->exp->loop.params)
		runs |= is_wanted(v, *x);
	return runs;
}

// Is result c kept?
static bool keeps_result(Vjp *v, const Saved *s, int c)
{
	return s->results ? s->results[c] : c != s->through && is_wanted(v, s->s->pat.at[c]);
}

// More work than numbers to keep?
static bool is_heavy(Vjp *v, const Stm *s)
{
	if (s->exp->form != E_screma)
		return false;
	bool scalars = true;
	for EACH(Var, x, s->pat)
		scalars &= !is_wanted(v, *x) || !vars[x->id].type.dims.len;
	return scalars || has_nested(&s->exp->screma.map->body);
}

static bool mentioned_elsewhere(const Level *l, int at, Var x)
{
	for (int i = 0; i < l->body->stms.len; i++) {
		if (i == at)
			continue;
		Vars free = free_in_stm(&l->body->stms.at[i]);
		for EACH(Var, f, free)
			if (f->id == x.id)
				return true;
	}
	return false;
}

// Which parameter of the loop around an array is that the inner loop updates; -1: it is none.
static int outer_of(const Level *l, int at, int k)
{
	const Exp *o = l->loop->s->exp;
	const Stm *s = &l->body->stms.at[at];
	for (int q = 0; q < o->loop.params.len; q++)
		if (sub_eq(s->exp->loop.inits.at[k], sub_var(o->loop.params.at[q])) &&
		    sub_eq(o->loop.body.res.at[q], sub_var(s->pat.at[k])) &&
		    !mentioned_elsewhere(l, at, o->loop.params.at[q]))
			return q;
	return -1;
}

// An array that goes through must leave the same records for both loops.
static bool same_records(Vjp *v, const Level *l, int at, int k, int q)
{
	const Stm *s = &l->body->stms.at[at];
	const LoopAround *o = l->loop;
	const Exp *e = s->exp, *f = o->s->exp;
	Varying w, around;
	Types inner = {0}, scrap = {0};
	varying_init(&w, v, s);
	varying_init(&around, v, o->s);
	varying_know(&w, e->loop.i, sub_i64(0));
	if (!f->loop.is_while)
		varying_know(&around, f->loop.i, sub_i64(0));
	if (!record_types(&w, &e->loop.body, e->loop.params.at[k], e->loop.body.res.at[k],
	                  &inner) || w.copies ||
	    !record_types(&around, &f->loop.body, f->loop.params.at[q], f->loop.body.res.at[q],
	                  &scrap) || around.copies ||
	    !want_undo(v, o->level, o->at, q, o->trips))
		return false;
	const Keep *outer = &plan_of(o->level, o->at)->undo[q];
	if (outer->types.len != inner.len)
		return false;
	for (int i = 0; i < inner.len; i++)
		if (outer->flat[i] || is_flat(&w, inner.at[i]) ||
		    outer->types.at[i].dims.len != inner.at[i].dims.len + 1)
			return false;
	return true;
}

static bool find_through(Vjp *v, Level *l, int at, Saved *out)
{
	const Stm *s = &l->body->stms.at[at];
	for (int k = 0; k < s->pat.len; k++) {
		bool undone = out->inner && out->inner->undo[k].on;
		if (!updated_in_place(s->exp, k) || (!undone && !is_wanted(v, s->pat.at[k])))
			continue;
		int q = outer_of(l, at, k);
		if (q < 0 && !undone)
			continue;       // as a whole
		if (q < 0 || out->through >= 0 || !same_records(v, l, at, k, q))
			return false;
		out->through = k;
		out->outer = q;
	}
	return true;
}

// ---- What is kept ----

typedef struct { Var name; Type type; bool owned, result; } Entry;
typedef VEC(Entry) Entries;

// The logs of a loop: names in the return sweep, and types of rows.
static void logs_of(const LoopPlan *p, int n_params, Vars *names, Types *rows)
{
	for (int c = 0; c < n_params; c++)
		if (p->whole[c].on) {
			*names = vars_cat(*names, vars_of(1, p->whole[c].logs.at[0]));
			push_type(rows, p->whole[c].types.at[0]);
		}
	for EACH(Saved *, x, p->saves)
		for (int r = 0; r < (*x)->rows.types.len; r++) {
			*names = vars_cat(*names, vars_of(1, (*x)->rows.logs.at[r]));
			push_type(rows, (*x)->rows.types.at[r]);
		}
}

// By name in the return sweep: logs of an inner loop, then results.
static void entries_of(Vjp *v, const Saved *s, Entries *out)
{
	if (s->stacked) {
		VEC_PUSH(out, (Entry){s->begin, type_scalar(PT_I64), false, false});
		VEC_PUSH(out, (Entry){s->len, type_scalar(PT_I64), false, false});
	} else if (s->inner) {
		Vars names = {0};
		Types rows = {0};
		logs_of(s->inner, s->s->pat.len, &names, &rows);
		for (int r = 0; r < names.len; r++)
			VEC_PUSH(out, (Entry){names.at[r], type_of_rows(s->s->exp->loop.n,
			         rows.at[r]), false, false});
	}
	for (int c = 0; c < s->s->pat.len; c++) {
		Var x = s->s->pat.at[c];
		if (!keeps_result(v, s, c))
			continue;
		SubVec eaten = {0};
		bool owned = false;
		for EACH(Stm, t, s->level->body->stms)
			stm_consumed(t, &eaten);
		for EACH(Sub, e, eaten)
			owned |= e->kind == S_VAR &&
			         alias_class(&v->alias, e->var) == alias_class(&v->alias, x);
		owned |= s->s->exp->form == E_loop && updated_in_place(s->s->exp, c);
		Type t = type_plain(vars[x.id].type);
		VEC_PUSH(out, (Entry){fwd_var(v, x).var, t, owned && t.dims.len, true});
	}
}

// ---- Stacks ----

void stacks_of(Saved *s, Saveds *out)
{
	if (s->stacked)
		VEC_PUSH(out, s);
	stacks_in(s->inner, out);
}

void stacks_in(const LoopPlan *p, Saveds *out)
{
	for (int i = 0; p && i < p->saves.len; i++)
		stacks_of(p->saves.at[i], out);
}

static bool has_stacks(const LoopPlan *p)
{
	Saveds all = {0};
	stacks_in(p, &all);
	return all.len > 0;
}

// Does it, or a loop around, differ from one iteration to the next in how often it runs?
static bool is_uneven(Vjp *v, const Level *l, const Stm *s)
{
	for (; l && (l->loop || l->branch); s = l->loop->s, l = l->loop->level) {
		Varying w;
		if (l->branch)
			return kept_by(l);
		varying_init(&w, v, l->loop->s);
		if (s->exp->loop.is_while || is_varying(&w, s->exp->loop.n))
			return true;
	}
	return false;
}

// Does the loop update an array whose values are kept as they are read?
static bool keeps_reads(Vjp *v, const Stm *s)
{
	for (int i = 0; s->exp->form == E_loop && i < s->pat.len; i++)
		if (map_get(&v->values, var_key(s->exp->loop.params.at[i])))
			return true;
	return false;
}

static bool may_stack(Vjp *v, Saved *s)
{
	Vars names = {0};
	Types cols = {0};
	logs_of(s->inner, s->s->pat.len, &names, &cols);
	for EACH(Type, t, cols)
		if (!type_is_scalar(*t))
			return false;
	for (int c = 0; c < s->s->pat.len; c++)
		if (vars[s->s->pat.at[c].id].type.dims.len &&
		    (is_wanted(v, s->s->pat.at[c]) || s->inner->undo[c].on))
			return false;
	s->stacked = true;
	s->begin = var_i64("begin");
	s->len = s->inner->counted ? s->inner->count : var_i64("count");
	Var cap = var_i64("cap");
	s->stack = vars_of(1, cap);
	for EACH(Type, t, cols)
		s->stack = vars_cat(s->stack, vars_of(1, var_new(name_of("log"),
		                    type_array(t->elem, subs_of(1, sub_var(cap))))));
	return true;
}

static bool may_keep(Vjp *v, Level *l, const Saved *s)
{
	const LoopAround *o = kept_by(l);
	Varying w;
	Entries es = {0};
	varying_init(&w, v, o->s);
	entries_of(v, s, &es);
	bool room = keeps_reads(v, s->s);
	for EACH(Entry, e, es)
		if (e->type.kind != T_DATA || type_varies(&w, e->type) ||
		    (l->branch && e->type.dims.len) ||
		    !((room && !e->result) || has_room(v, o, e->type)))
			return false;
	return true;
}

static bool is_kept_read(Vjp *v, const Stm *s)
{
	return s->pat.len == 1 && map_get(&v->kept_reads, var_key(s->pat.at[0]));
}

static bool is_candidate(Vjp *v, const Level *l, const Stm *s, const LoopPlan *inner)
{
	// What is to be compared is read again.
	const LoopAround *o = kept_by(l);
	if (!o || vars_have_acc(s->pat) || vars_have_acc(o->s->pat) || has_watched(v, s))
		return false;
	if (is_kept_read(v, s))
		return true;
	bool reads = keeps_reads(v, s);
	if (!reads && (l->branch || !runs_forward(v, o) || has_stacks(inner)))
		return false;
	if (s->exp->form != E_loop)
		return is_heavy(v, s);
	for (int i = 0; inner && i < s->pat.len; i++)
		if (inner->flat[i].on || inner->snapshots.len)
			return false;
	return reads || !s->exp->loop.is_while;
}

bool save_stm(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	LoopPlan *inner = s->exp->form == E_loop ? l->plans[at].loop : NULL;
	if (!is_candidate(v, l, s, inner))
		return false;
	Saved *out = NEW(Saved, .s = s, .level = l, .inner = inner, .through = -1, .outer = -1);
	bool stacked = inner && keeps_reads(v, s) && is_uneven(v, l, s); // so is all in branches
	if (stacked ? !may_stack(v, out) : s->exp->form == E_loop && !find_through(v, l, at, out))
		return false;
	if (!may_keep(v, l, out))
		return false;
	LoopPlan *p = plan_of(kept_by(l)->level, kept_by(l)->at);
	VEC_PUSH(&p->saves, out);
	p->needed = true;
	l->plans[at].saved = out;
	if (inner)
		inner->saved = out;
	return true;
}

// The parameter that a variable is the next value of; -1: none whose values are logged as they are.
static int next_in_log(Vjp *v, const Level *l, Var x)
{
	const Stm *around = l->loop->s;
	const Exp *e = around->exp;
	Varying w;
	varying_init(&w, v, around);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Type t = vars[p.id].type;
		const Cell *c = cell_of(v, p);
		if (sub_eq(e->loop.body.res.at[k], sub_var(x)) && !t.unique && t.kind == T_DATA &&
		    !type_varies(&w, t) && !type_varies(&w, vars[x.id].type) && c->has_fwd &&
		    !c->given && !c->offered)
			return k;
	}
	return -1;
}

bool read_next(Vjp *v, Level *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	const LoopPlan *own = l->plans[at].loop;
	if (!l->loop || l->loop->level->loop || l->all || l->loop->s->exp->loop.is_while ||
	    is_block(l->loop->s->exp) || (own && loop_needed(own)) || has_watched(v, s) ||
	    vars_have_acc(s->pat) || vars_have_acc(l->loop->s->pat) || !takes_sums(v, l, s, 0))
		return false;
	for EACH(Var, x, s->pat) {
		const Cell *c = cell_of(v, *x);
		if (c->has_fwd && !c->given && (c->offered || next_in_log(v, l, *x) < 0))
			return false;
	}
	LoopPlan *p = plan_of(l->loop->level, l->loop->at);
	for EACH(Var, x, s->pat) {
		Cell *c = cell_of(v, *x);
		if (!c->has_fwd || c->given)
			continue;
		p->after[next_in_log(v, l, *x)] = true;
		c->given = true;
	}
	int kept = 0; // what it consumes is there still, since it is not executed again
	for EACH(Kill, k, l->kills)
		if (k->at != at)
			l->kills.at[kept++] = *k;
	l->kills.len = kept;
	return true;
}

void emit_after(Vjp *v, const Stm *loop, const Stm *emitted, const LoopPlan *p, const int *at,
                Sub rows)
{
	Stm to = *emitted;
	int n = loop->pat.len;
	to.pat = SLICE_DUP(Vars, emitted->pat);
	for (int k = 0; k < n; k++)
		if (p->after[k])
			to.pat.at[n + at[k]] =
				var_new(name_of("log"), vars[to.pat.at[n + at[k]].id].type);
	b_emit(v->b, to);
	for (int k = 0; k < n; k++)
		if (p->after[k])
			b_name(v->b, emitted->pat.at[n + at[k]],
			       put_row(v->b, sub_var(to.pat.at[n + at[k]]), rows,
			               sub_var(to.pat.at[k])));
}

static void close_saved(Vjp *v, Saved *s, Sub trips)
{
	Entries es = {0};
	bool *results = NEW_ARRAY(bool, s->s->pat.len + 1);
	for (int c = 0; c < s->s->pat.len; c++)
		results[c] = keeps_result(v, s, c);
	s->results = results;
	entries_of(v, s, &es);
	s->rows.types = (Types){NEW_ARRAY(Type, es.len + 1), 0};
	for EACH(Entry, e, es)
		s->rows.types.at[s->rows.types.len++] = e->type;
	keep_logs(v, &s->rows, trips);
}

void saves_close(Vjp *v, LoopPlan *p, Sub trips)
{
	for EACH(Saved *, s, p->saves)
		if (!(*s)->level->branch)
			close_saved(v, *s, trips);
}

void saves_close_branch(Vjp *v, const Level *l)
{
	const LoopAround *o = l->branch ? kept_by(l) : NULL;
	const LoopPlan *p = o ? plan_of(o->level, o->at) : NULL;
	for (int i = 0; p && i < p->saves.len; i++)
		if (p->saves.at[i]->level == l)
			close_saved(v, p->saves.at[i], o->trips);
}

// ---- Use ----

const Saved *save_of(const LoopPlan *p, const Stm *s)
{
	for (int i = 0; p && i < p->saves.len; i++)
		if (s->pat.len && p->saves.at[i]->s->pat.at[0].id == s->pat.at[0].id)
			return p->saves.at[i];
	return NULL;
}

bool goes_through(Vjp *v, const LoopPlan *p, int param, Var *after)
{
	for EACH(Saved *, s, p->saves)
		if ((*s)->through >= 0 && (*s)->outer == param &&
		    is_wanted(v, (*s)->s->pat.at[(*s)->through])) {
			*after = (*s)->s->pat.at[(*s)->through];
			return true;
		}
	return false;
}

Subs saved_values(Copier *k, const Saved *s, Subs logs)
{
	SubVec out = {0};
	VEC_APPEND(&out, logs);
	for (int c = 0; c < s->s->pat.len; c++)
		if (keeps_result(k->v, s, c))
			VEC_PUSH(&out, copied(k, sub_var(s->s->pat.at[c])));
	return VEC_SLICE(Subs, out);
}

static void bind_row(Build *b, Var name, Sub log, Sub i, bool owned)
{
	Sub row = b_index(b, log, subs_of(1, i));
	vars[name.id].type = sub_type(row);     // sizes that are known here
	vars[name.id].type.unique = false;
	b_stm(b, vars_of(1, name), owned ? EXP(copy, row) : EXP(atom, row));
}

// The logs of a loop are parts of the columns.
static void bind_stacked(Build *b, const Saved *s)
{
	Vars names = {0};
	Types rows = {0};
	logs_of(s->inner, s->s->pat.len, &names, &rows);
	for (int r = 0; r < names.len; r++) {
		Slices at = {NEW(DimSlice, false, sub_var(s->begin), sub_var(s->len),
		             sub_i64(1)), 1};
		Sub part = b_slice(b, sub_var(s->stack.at[r + 1]), at);
		vars[names.at[r].id].type = sub_type(part);
		b_name(b, names.at[r], part);
	}
}

void emit_saved(Vjp *v, const Saved *s)
{
	const LoopAround *o = kept_by(s->level);
	Entries es = {0};
	entries_of(v, s, &es);
	for (int r = 0; r < es.len; r++)
		bind_row(v->b, es.at[r].name, sub_var(s->rows.logs.at[r]), o->i, es.at[r].owned);
	if (s->stacked)
		bind_stacked(v->b, s);
	if (s->through < 0 || !s->inner || !s->inner->undo[s->through].on)
		return;
	name_rows(v, s->s, o->s);
	const Keep *mine = &s->inner->undo[s->through];
	const Keep *outer = &plan_of(o->level, o->at)->undo[s->outer];
	for (int r = 0; r < mine->logs.len; r++)
		bind_row(v->b, mine->logs.at[r], sub_var(outer->logs.at[r]), o->i, false);
}
