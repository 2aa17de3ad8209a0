// Generates undo records: copies a body for the forward sweep such that it also returns the cells
// that its updates overwrite.  vjp_undo.c describes the records, and applies them.
#include "ad/vjp_loop.h"

static Slices copied_slices(Copier *k, Slices at)
{
	at = SLICE_DUP(Slices, at);
	for EACH(DimSlice, d, at) {
		d->start = copied(k, d->start);
		if (!d->fixed) {
			d->len = copied(k, d->len);
			d->step = copied(k, d->step);
		}
	}
	return at;
}

static Sub owned_copy(Build *b, Sub s)
{
	return type_is_scalar(sub_type(s)) ? s : b_copy(b, s);
}

Sub put_row(Build *b, Sub arr, Sub i, Sub val)
{
	Type t = sub_type(arr);
	return b_update(b, arr, slices_at(subs_of(1, i), type_row(t).dims), val);
}

Sub scratch_of(Build *b, Type t)
{
	Attributes attrs = b->attrs;
	b->attrs = with_attr(attrs, ATTR_TAPE);
	Sub log = b_scratch(b, "log", type_array(t.elem, t.dims));
	b->attrs = attrs;
	return log;
}

typedef struct { Vars params; Subs inits; } Logs;

static Logs open_logs(Copier *k, Types rows, Sub n)
{
	Logs logs = {{NEW_ARRAY(Var, rows.len + 1), rows.len},
	             {NEW_ARRAY(Sub, rows.len + 1), rows.len}};
	for (int i = 0; i < rows.len; i++) {
		Type t = type_of_rows(n, copied_type(k, rows.at[i]));
		logs.inits.at[i] = scratch_of(k->v->b, t);
		t.unique = true;
		logs.params.at[i] = var_new(name_of("log"), t);
	}
	return logs;
}

// What a loop keeps of its parameters, and its saved statements.
static void kept_types(const LoopPlan *p, int n_params, Types *rows)
{
	for (int c = 0; p && c < n_params; c++)
		if (p->whole[c].on)
			push_type(rows, p->whole[c].types.at[0]);
	for (int i = 0; p && i < p->saves.len; i++)
		for EACH(Type, t, p->saves.at[i]->rows.types)
			push_type(rows, *t);
}

// A chain that passes through a statement, the step it takes there, and the trail it leaves.
typedef struct { Chain *chain; Step step; Var cur; Trail *trail; } Passing;
typedef struct { Passing *at; int len; } Passings;

// Chains through the body of a loop.  Those of records come with the types of these.
typedef struct { Chain *at; int len; int *of, *ends; Types rows; Vars params; Subs inits; } Inner;

static Inner chains_inside(Varying *w, const Exp *e, Passings ps)
{
	Inner in = {.at = NEW_ARRAY(Chain, ps.len + 1), .of = NEW_ARRAY(int, ps.len + 1),
	            .ends = NEW_ARRAY(int, ps.len + 1)};
	for (int c = 0; c < ps.len; c++) {
		int param = ps.at[c].step.k;
		if (ps.at[c].step.kind != STEP_LOOP)
			continue;
		Chain chain = {e->loop.params.at[param], e->loop.body.res.at[param], {0}, NULL};
		if (ps.at[c].trail) {
			chain.trail = NEW(Trail, .cap = sub_i64(0));
			in.params = vars_cat(in.params, trail_vars(ps.at[c].trail, true,
			                                           chain.trail));
			in.inits = subs_cat(in.inits, trail_subs(ps.at[c].trail));
		} else {
			record_types(w, &e->loop.body, chain.from, chain.to, &in.rows);
		}
		in.of[in.len] = c;
		in.ends[in.len] = in.rows.len;
		in.at[in.len++] = chain;
	}
	return in;
}

// What goes through a loop besides rows: stacks of loops inside, and its own.  Of a loop that is
// counted only the columns of its own, which have room for all of it.
typedef struct { Saveds inside; Saved *own; bool counts; Vars params; Subs inits; } Stacks;

static Subs own_subs(const Stacks *t)
{
	return !t->own ? (Subs){0} : t->counts ? t->own->now.cols : stack_subs(&t->own->now);
}

// New names for what goes through.
static Vars names_of_stacks(Stacks *t, bool unique)
{
	Vars out = {0};
	for EACH(Saved *, s, t->inside)
		out = vars_cat(out, stack_vars(&(*s)->now, unique, &(*s)->now));
	if (t->own && !t->counts)
		return vars_cat(out, stack_vars(&t->own->now, unique, &t->own->now));
	for (int c = 0; t->own && c < t->own->now.cols.len; c++) {
		Type u = sub_type(t->own->now.cols.at[c]);
		u.unique = unique;
		Var x = var_new(name_of("log"), u);
		out = vars_cat(out, vars_of(1, x));
	}
	if (t->own) {
		int n = t->own->now.cols.len;
		t->own->now.cols = subs_of_vars((Vars){out.at + out.len - n, n});
	}
	return out;
}

static Subs subs_of_stacks(const Stacks *t)
{
	Subs out = {0};
	for EACH(Saved *, s, t->inside)
		out = subs_cat(out, stack_subs(&(*s)->now));
	return subs_cat(out, own_subs(t));
}

// What goes through a branch in which loops have stacks.
static Vars stacks_after(Saveds all)
{
	Vars out = {0};
	for EACH(Saved *, s, all)
		out = vars_cat(out, stack_vars(&(*s)->now, false, &(*s)->now));
	return out;
}

static Subs stacks_now(Saveds all)
{
	Subs out = {0};
	for EACH(Saved *, s, all)
		out = subs_cat(out, stack_subs(&(*s)->now));
	return out;
}

static Stacks stacks_through(Build *b, const LoopPlan *p, bool counts, Sub n, Sub *begin)
{
	Stacks t = {.counts = counts, .own = p && p->saved && p->saved->stacked ? p->saved : NULL};
	stacks_in(p, &t.inside);
	if (t.own) {
		*begin = t.own->now.end;
		if (counts)
			room_on_stack(b, &t.own->now, b_add(b, *begin, n));
	}
	t.inits = subs_of_stacks(&t);
	t.params = names_of_stacks(&t, true);
	return t;
}

// What the loop around keeps of an execution: where its rows begin, and how many they are.
static void note_stacked(Build *b, Stacks *t, Sub begin, Sub n, SubVec *kept)
{
	if (!t->own)
		return;
	if (t->counts)
		t->own->now.end = b_add(b, begin, n);
	VEC_PUSH(kept, begin);
	VEC_PUSH(kept, t->counts ? n : b_sub(b, t->own->now.end, begin));
}

// Where an iteration keeps what is not a record of its own: in its row, or on the stack.
static Sub place_of_row(Build *b, Stacks *t, Sub begin, Sub row)
{
	if (!t->own)
		return row;
	if (t->counts)
		return b_add(b, begin, row);
	Sub place = t->own->now.end;
	room_on_stack(b, &t->own->now, b_add(b, place, sub_i64(1)));
	return place;
}

// The logs after the loop: first those of the chains' records, then what is kept.
static Vars names_of_logs(const Inner *in, Passings ps, Subs logs, int n_recs, SubVec *kept)
{
	Vars out = {NEW_ARRAY(Var, logs.len + 1), logs.len};
	for (int r = 0, c = 0; r < logs.len; r++) {
		out.at[r] = var_new(name_of("log"), sub_type(logs.at[r]));
		while (c < in->len && r == in->ends[c])
			c++;
		VEC_PUSH(r < n_recs ? &ps.at[in->of[c]].chain->recs : kept, sub_var(out.at[r]));
	}
	return out;
}

// The trails after the loop.
static Vars names_of_trails(const Inner *in, Passings ps)
{
	Vars out = {0};
	for (int c = 0; c < in->len; c++) {
		Trail *trail = ps.at[in->of[c]].trail, after;
		if (!trail)
			continue;
		out = vars_cat(out, trail_vars(trail, false, &after));
		*trail = after;
	}
	return out;
}

// A loop of the forward sweep with the records of parameters that it updates step by step, then
// with what it keeps of others for a return sweep, then with trails and stacks, as further results.
static void loop_with_records(Varying *w, Copier *k, const Stm *s, Passings ps, const LoopPlan *p,
                              SubVec *kept)
{
	Build *b = k->v->b;
	const Exp *e = s->exp;
	bool counts = !e->loop.is_while;
	if (counts)
		varying_know(w, e->loop.i, sub_i64(0));
	w->nest++;
	Inner in = chains_inside(w, e, ps);
	Types rows = in.rows;
	int n_recs = rows.len;
	Sub n = counts ? copied(k, e->loop.n) : sub_i64(0), begin = sub_i64(0);
	Sub n64 = b_prim2(b, P_max, b_convert(b, PT_I64, n), sub_i64(0));
	Stacks stacks = stacks_through(b, p, counts, n64, &begin);
	if (!stacks.own)
		kept_types(p, e->loop.params.len, &rows);
	Logs logs = open_logs(k, rows, n64);
	Stm t = *s;
	Subs inits = {NEW_ARRAY(Sub, e->loop.inits.len + 1), e->loop.inits.len};
	for (int i = 0; i < inits.len; i++)
		inits.at[i] = copied(k, e->loop.inits.at[i]);
	Vars params = copy_params(k, e->loop.params);
	Var i = counts ? copy_params(k, vars_of(1, e->loop.i)).at[0] : (Var){0};
	b_open(b);
	Subs put = {NEW_ARRAY(Sub, rows.len + 1), rows.len};
	for (int r = 0; r < rows.len; r++)
		put.at[r] = sub_var(logs.params.at[r]);
	Sub row = counts ? b_convert(b, PT_I64, sub_var(i)) : sub_i64(0);
	Sub place = place_of_row(b, &stacks, begin, row);
	Sub *keep = stacks.own ? stacks.own->now.cols.at : put.at + n_recs;
	for (int c = 0; p && c < e->loop.params.len; c++)
		if (p->whole[c].on) {
			*keep = put_row(b, *keep, place,
			                copied(k, sub_var(e->loop.params.at[c])));
			keep++;
		}
	Subs res = emit_recorded(w, k, &e->loop.body, in.at, in.len,
	                         &(Puts){.plan = p, .now = keep, .i = place});
	w->nest--;
	for (int c = 0, r = 0; c < in.len; c++)
		for (int first = r; r < in.ends[c]; r++)
			put.at[r] = put_row(b, put.at[r], row, in.at[c].recs.at[r - first]);
	res = subs_cat(res, put);
	for (int c = 0; c < in.len; c++)
		if (in.at[c].trail)
			res = subs_cat(res, trail_subs(in.at[c].trail));
	if (stacks.own && !counts)
		stacks.own->now.end = b_add(b, place, sub_i64(1));
	Body body = b_close(b, subs_cat(res, subs_of_stacks(&stacks)));
	t.pat = copy_params(k, s->pat);
	t.pat = vars_cat(t.pat, names_of_logs(&in, ps, logs.inits, n_recs, kept));
	t.pat = vars_cat(t.pat, names_of_trails(&in, ps));
	t.pat = vars_cat(t.pat, names_of_stacks(&stacks, false));
	t.certs = (Vars){0};
	t.exp = EXP(loop, .params = vars_cat(vars_cat(vars_cat(params, logs.params), in.params),
	                                     stacks.params),
	            .inits = subs_cat(subs_cat(subs_cat(inits, logs.inits), in.inits),
	                              stacks.inits), .is_while = e->loop.is_while, .body = body);
	if (counts) {
		t.exp->loop.i = i;
		t.exp->loop.n = n;
	} else {
		t.exp->loop.while_cond = copied(k, sub_var(e->loop.while_cond)).var;
	}
	b_emit(b, t);
	note_stacked(b, &stacks, begin, n64, kept);
}

// What the other branch would record.
static Subs no_records(const Varying *w, Copier *k, Types ts)
{
	Build *b = k->v->b;
	Subs out = {0};
	for EACH(Type, r, ts) {
		Type t = *r;
		Sub most;
		if (is_of_branch(w, t, &most)) {
			t.dims = SLICE_DUP(Subs, t.dims);
			t.dims.at[0] = sub_i64(0);
			out = subs_cat(out, subs_of(1, sub_i64(0)));
		}
		t = copied_type(k, t);
		out = subs_cat(out, subs_of(1, t.dims.len ? scratch_of(b, t) : sub_zero(t.elem)));
	}
	return out;
}

// What this branch records, after the number of rows if that is for the branch to say.
static Subs own_records(const Varying *w, Types ts, Subs recs)
{
	Subs out = {0};
	Sub most;
	for (int i = 0; i < ts.len; i++) {
		if (is_of_branch(w, ts.at[i], &most))
			out = subs_cat(out, subs_of(1, sub_type(recs.at[i]).dims.at[0]));
		out = subs_cat(out, subs_of(1, recs.at[i]));
	}
	return out;
}

typedef struct { Types yes, no; } Branches;

// The statements in branches that are saved, all of them numbers or loops with stacks, and these
// stacks as they are before the branch.
typedef struct { Saveds all, stacks; Stack *before; } Within;

static void find_within(const LoopPlan *p, const Body *b, Within *in)
{
	for EACH(Stm, s, b->stms) {
		const Saved *saved = save_of(p, s);
		if (saved)
			VEC_PUSH(&in->all, (Saved *)saved);
		if (s->exp->form != E_if_)
			continue;
		find_within(p, &s->exp->if_.yes, in);
		find_within(p, &s->exp->if_.no, in);
	}
}

static Within saved_within(const LoopPlan *p, const Exp *e)
{
	Within in = {0};
	if (!p || !p->saves.len || e->form != E_if_)
		return in;
	find_within(p, &e->if_.yes, &in);
	find_within(p, &e->if_.no, &in);
	for EACH(Saved *, s, in.all)
		stacks_of(*s, &in.stacks);
	in.before = NEW_ARRAY(Stack, in.stacks.len + 1);
	for (int i = 0; i < in.stacks.len; i++)
		in.before[i] = in.stacks.at[i]->now;
	return in;
}

// What one branch saves, and zeros for what the other one does.
static Subs values_within(const Within *in, const Puts *puts)
{
	Subs out = {0};
	for EACH(Saved *, s, in->all) {
		const Subs *got = map_get(&puts->got, *s);
		if (got)
			out = subs_cat(out, *got);
		for (int r = 0; !got && r < (*s)->rows.types.len; r++)
			out = subs_cat(out, subs_of(1, sub_zero((*s)->rows.types.at[r].elem)));
	}
	return out;
}

// Results, then for each chain the records of both branches, then trails, then what is saved.
static Body branch_with_records(Varying *w, Copier *k, const Exp *e, bool yes, Passings ps,
                                const Branches *types, const Within *within, const LoopPlan *plan)
{
	Build *b = k->v->b;
	const Body *body = yes ? &e->if_.yes : &e->if_.no;
	Puts puts = {.plan = plan, .gathers = true};
	for (int i = 0; i < within->stacks.len; i++)
		within->stacks.at[i]->now = within->before[i];
	Chain *chains = NEW_ARRAY(Chain, ps.len + 1);
	for (int c = 0; c < ps.len; c++)
		chains[c] = (Chain){ps.at[c].cur, body->res.at[ps.at[c].step.k], {0},
		                    !ps.at[c].trail ? NULL
		                    : mem_dup(ps.at[c].trail, sizeof(Trail))};
	b_open(b);
	Subs out = emit_recorded(w, k, body, chains, ps.len, &puts);
	for (int c = 0; c < ps.len; c++) {
		Subs mine = own_records(w, yes ? types[c].yes : types[c].no,
		                        VEC_SLICE(Subs, chains[c].recs));
		Subs others = no_records(w, k, yes ? types[c].no : types[c].yes);
		out = subs_cat(out, yes ? subs_cat(mine, others) : subs_cat(others, mine));
	}
	for (int c = 0; c < ps.len; c++)
		if (chains[c].trail)
			out = subs_cat(out, trail_subs(chains[c].trail));
	out = subs_cat(out, values_within(within, &puts));
	return b_close(b, subs_cat(out, stacks_now(within->stacks)));
}

static void put_values(Copier *, const Saved *, Subs vals, Puts *);

static void if_with_records(Varying *w, Copier *k, const Stm *s, Passings ps, Within within,
                            Puts *puts)
{
	const Exp *e = s->exp;
	Branches *types = NEW_ARRAY(Branches, ps.len + 1);
	Sub cond = copied(k, e->if_.cond);
	Vars more = {0};
	for (int c = 0; c < ps.len; c++) {
		const Passing *p = &ps.at[c];
		if (p->trail)
			continue;
		branch_types(w, s, p->cur, p->step.k, &types[c].yes, &types[c].no);
		if (p->step.kind == STEP_IF && is_recorded(w, e->if_.cond))
			VEC_PUSH(&p->chain->recs, cond);
	}
	w->nest++;
	Body y = branch_with_records(w, k, e, true, ps, types, &within, puts->plan);
	Body n = branch_with_records(w, k, e, false, ps, types, &within, puts->plan);
	w->nest--;
	Vars pat = copy_params(k, s->pat);
	for (int c = 0; c < ps.len; c++)
		for (int r = 0; r < types[c].yes.len + types[c].no.len; r++) {
			int after = r - types[c].yes.len;
			Type t = after < 0 ? types[c].yes.at[r] : types[c].no.at[after];
			Sub most;
			if (is_of_branch(w, t, &most)) {
				Var rows = var_i64("rows");
				more = vars_cat(more, vars_of(1, rows));
				t.dims = SLICE_DUP(Subs, t.dims);
				t.dims.at[0] = sub_var(rows);
			}
			t = copied_type(k, t);
			Var x = var_new(name_of("rec"), t);
			more = vars_cat(more, vars_of(1, x));
			VEC_PUSH(&ps.at[c].chain->recs, sub_var(x));
		}
	for (int c = 0; c < ps.len; c++) {
		Trail after;
		if (!ps.at[c].trail)
			continue;
		more = vars_cat(more, trail_vars(ps.at[c].trail, false, &after));
		*ps.at[c].trail = after;
	}
	Subs *vals = NEW_ARRAY(Subs, within.all.len + 1);
	for (int i = 0; i < within.all.len; i++) {
		Types ts = within.all.at[i]->rows.types;
		for EACH(Type, r, ts) {
			Var x = var_new(name_of("saved"), *r);
			more = vars_cat(more, vars_of(1, x));
			vals[i] = subs_cat(vals[i], subs_of(1, sub_var(x)));
		}
	}
	more = vars_cat(more, stacks_after(within.stacks));
	Stm t = *s;
	t.certs = (Vars){0};
	t.pat = vars_cat(pat, more);
	t.exp = EXP(if_, cond, y, n);
	b_emit(k->v->b, t);
	for (int i = 0; i < within.all.len; i++)
		put_values(k, within.all.at[i], vals[i], puts);
}

static void trail_before(Copier *k, const Stm *s, const Passing *p)
{
	Build *b = k->v->b;
	Sub arr = copied(k, sub_var(p->cur));
	Writes ws;
	switch (p->step.kind) {
	case STEP_UPDATE:
		trail_cells(b, p->trail, arr, copied_slices(k, s->exp->update.at));
		return;
	case STEP_WRITES:
		writes_of(s->exp, &ws);
		ws.idx = SLICE_DUP(Subs, ws.idx);
		for EACH(Sub, i, ws.idx)
			*i = copied(k, *i);
		ws.n = copied(k, ws.n);
		trail_writes(b, p->trail, arr, &ws);
		return;
	case STEP_COPY:
		trail_whole(b, p->trail, arr);
		return;
	case STEP_LOOP: case STEP_IF: case STEP_NAME: case STEP_NONE: case STEP_TRAIL:
		return;
	}
}

// What is recorded before the statement is executed.
static void record_before(Varying *w, Copier *k, const Stm *s, const Passing *p)
{
	Build *b = k->v->b;
	SubVec *recs = &p->chain->recs;
	Slices at;
	switch (p->step.kind) {
	case STEP_UPDATE:
		at = copied_slices(k, s->exp->update.at);
		for (int i = 0; i < at.len; i++)
			if (is_recorded(w, s->exp->update.at.at[i].start))
				VEC_PUSH(recs, at.at[i].start);
		VEC_PUSH(recs, owned_copy(b, b_slice(b, copied(k, sub_var(p->cur)), at)));
		return;
	case STEP_WRITES:
		record_writes(k, s->exp, rows_of_record(w, s), copied(k, sub_var(p->cur)), recs);
		return;
	case STEP_COPY:
		VEC_PUSH(recs, b_copy(b, copied(k, sub_var(p->cur))));
		return;
	case STEP_LOOP: case STEP_IF: case STEP_NAME: case STEP_NONE: case STEP_TRAIL:
		return;
	}
}

// A statement with the records of all chains that pass through it.
static void stm_with_records(Varying *w, Copier *k, const Stm *s, Passings ps,
                             const LoopPlan *inner, SubVec *kept, Puts *puts)
{
	Within within = saved_within(puts->plan, s->exp);
	bool steps = within.all.len > 0;
	for (int c = 0; c < ps.len; c++) {
		if (ps.at[c].trail)
			trail_before(k, s, &ps.at[c]);
		else
			record_before(w, k, s, &ps.at[c]);
		steps |= ps.at[c].step.kind == STEP_LOOP || ps.at[c].step.kind == STEP_IF;
	}
	if (s->exp->form == E_loop && (steps || inner))
		loop_with_records(w, k, s, ps, inner, kept);
	else if (steps)
		if_with_records(w, k, s, ps, within, puts);
	else
		b_emit(k->v->b, copy_stm(k, s));
}

// Rows for the values that a statement has just given, in the order of the plan's saves.
// In a branch they are its results, and the rows are put after it.
static void put_values(Copier *k, const Saved *saved, Subs vals, Puts *puts)
{
	Sub *now = puts->now;
	if (puts->gathers) {
		map_put(&puts->got, saved, mem_dup(&vals, sizeof vals));
		return;
	}
	for (int i = 0; puts->plan->saves.at[i] != saved; i++)
		now += puts->plan->saves.at[i]->rows.types.len;
	for (int r = 0; r < vals.len; r++)
		now[r] = put_row(k->v->b, now[r], puts->i, vals.at[r]);
}

static Step step_of_chain(Varying *w, const Body *body, const Chain *c, Var cur)
{
	return sub_eq(c->to, sub_var(cur)) ? (Step){.kind = STEP_NONE}
	     : c->trail ? next_of_trail(w, body, cur) : next_step(w, body, cur);
}

// A step that leaves a trail begins a new one.
static Passing passing(Varying *w, Copier *k, const Stm *s, Chain *c, Step step, Var cur)
{
	if (step.kind != STEP_TRAIL)
		return (Passing){c, step, cur, c->trail};
	Trail *trail = NEW(Trail, .cap = sub_i64(0));
	*trail = trail_new(k->v->b, vars[cur.id].type.elem);
	return (Passing){c, step_of_trail(w, s, step.at, cur), cur, trail};
}

Subs emit_recorded(Varying *w, Copier *k, const Body *body, Chain *chains, int n, Puts *puts)
{
	Step *next = NEW_ARRAY(Step, n + 1);
	Var *cur = NEW_ARRAY(Var, n + 1);
	Passings ps = {NEW_ARRAY(Passing, n + 1), 0};
	for (int c = 0; c < n; c++) {
		cur[c] = chains[c].from;
		next[c] = step_of_chain(w, body, &chains[c], cur[c]);
	}
	for (int i = 0; i < body->stms.len; i++) {
		const Stm *s = &body->stms.at[i];
		const Saved *saved = save_of(puts->plan, s);
		SubVec kept = {0};
		ps.len = 0;
		for (int c = 0; c < n; c++)
			if (next[c].kind != STEP_NONE && next[c].at == i)
				ps.at[ps.len++] = passing(w, k, s, &chains[c], next[c], cur[c]);
		stm_with_records(w, k, s, ps, saved ? saved->inner : NULL, &kept, puts);
		for (int c = 0; c < ps.len; c++)
			if (ps.at[c].trail && !ps.at[c].chain->trail)
				trail_records(k->v->b, ps.at[c].trail, &ps.at[c].chain->recs);
		for (int c = 0; c < n; c++) {
			if (next[c].kind == STEP_NONE || next[c].at != i)
				continue;
			cur[c] = next[c].to;
			next[c] = step_of_chain(w, body, &chains[c], cur[c]);
		}
		if (saved)
			put_values(k, saved, saved_values(k, saved, VEC_SLICE(Subs, kept)),
			           puts);
	}
	Subs res = {NEW_ARRAY(Sub, body->res.len + 1), body->res.len};
	for (int i = 0; i < res.len; i++)
		res.at[i] = copied(k, body->res.at[i]);
	return res;
}
