// The forward sweep of loops in reverse mode, with the logs that it writes for the return sweep.
//
//     loop (p = x) while c do body
//
//     loop (p = x, cap = 16, log: [cap] = scratch, count = 0) while c do
//       (cap, log) = if count == cap then (2 * cap, twice as long) else (cap, log)
//       log[count] = p; body; count = count + 1
//
// The logs of a for loop have a known length.  Those of a while loop grow by doubling, and so do
// those of arrays whose size changes, which are stored one after the other.  If the condition and
// the sizes depend on a small part of the body only, that part is executed once in advance to find
// the length.
#include "ad/vjp_loop.h"

Vars copy_params(Copier *k, Vars vs)
{
	Vars out = {NEW_ARRAY(Var, vs.len + 1), vs.len};
	for (int i = 0; i < vs.len; i++) {
		Cell *c = cell_of(k->v, vs.at[i]);
		if (c && k->here && c->level == k->here) {
			out.at[i] = fwd_var(k->v, vs.at[i]).var;
			continue;
		}
		out.at[i] = var_new(vars[vs.at[i].id].hint, copied_type(k, vars[vs.at[i].id].type));
		copy_name(k, vs.at[i], sub_var(out.at[i]));
	}
	return out;
}

static bool keeps_anything(const LoopPlan *p, int n)
{
	for (int i = 0; i < n; i++)
		if (p->whole[i].on || p->undo[i].on || p->flat[i].on)
			return true;
	return p->saves.len > 0;
}

static bool keeps_flat(const LoopPlan *p, int n)
{
	for (int i = 0; i < n; i++)
		if (p->flat[i].on)
			return true;
	return false;
}

// ---- Is counting cheap? ----

// What the condition and the sizes depend on, through all iterations: how many statements.
// False if loops or array operations are among them.
static bool counting_slice(const Exp *e, const LoopPlan *p, int *size)
{
	Map in = {0};
	const Body *body = &e->loop.body;
	if (e->loop.is_while)
		map_put(&in, var_key(e->loop.while_cond), &in);
	for (int i = 0; i < e->loop.params.len; i++)
		for EACH(Sub, d, vars[e->loop.params.at[i].id].type.dims)
			if (p->flat[i].on && d->kind == S_VAR)
				map_put(&in, var_key(d->var), &in);
	bool *taken = NEW_ARRAY(bool, body->stms.len + 1);
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < e->loop.params.len; i++) {
			Sub r = body->res.at[i];
			if (map_has(&in, var_key(e->loop.params.at[i])) && r.kind == S_VAR &&
			    !map_has(&in, var_key(r.var))) {
				map_put(&in, var_key(r.var), &in);
				more = true;
			}
		}
		for (int i = body->stms.len; i-- > 0;) {
			const Stm *s = &body->stms.at[i];
			bool wanted = false;
			for EACH(Var, x, s->pat)
				wanted |= map_has(&in, var_key(*x));
			if (!wanted || taken[i])
				continue;
			if (form_has(s->exp->form, FORM_NEST) || form_has(s->exp->form, FORM_FRESH))
				return false;
			taken[i] = more = true;
			++*size;
			Vars free = free_in_stm(s);
			vars_put(&in, free, &in);
		}
	}
	return true;
}

static bool counts_first(const Exp *e, const LoopPlan *p)
{
	int slice = 0;
	return counting_slice(e, p, &slice) && slice * 4 <= body_size(&e->loop.body);
}

// ---- Counting first ----

static Vars fresh_pattern(Copier *k, Vars params)
{
	Vars out = {NEW_ARRAY(Var, params.len + 1), params.len};
	Copier names = {.v = k->v, .here = k->here};
	for (int i = 0; i < params.len; i++) {
		Type t = type_plain(copied_type(&names, vars[params.at[i].id].type));
		out.at[i] = var_new(vars[params.at[i].id].hint, t);
		copy_name(&names, params.at[i], sub_var(out.at[i]));
	}
	return out;
}

// Runs a loop for the number of its iterations and the sizes of arrays alone.
static void emit_measure(Vjp *v, Level *l, const Stm *s, const LoopPlan *p, Vars totals)
{
	const Exp *e = s->exp;
	Build *b = v->b;
	Copier k = {.v = v, .here = l, .quiet = true};
	int n = e->loop.params.len;
	Subs inits = {NEW_ARRAY(Sub, n + 1), n};
	for (int i = 0; i < n; i++) {
		inits.at[i] = copied(&k, e->loop.inits.at[i]);
		Type t = vars[e->loop.params.at[i].id].type;
		if (t.unique && t.dims.len)
			inits.at[i] = b_copy(b, inits.at[i]);
	}
	Subs more = {NEW_ARRAY(Sub, totals.len + 1), totals.len};
	Subs sums = {NEW_ARRAY(Sub, totals.len + 1), 0};
	Vars pat = fresh_pattern(&k, e->loop.params), params = copy_params(&k, e->loop.params);
	Var index = e->loop.is_while ? (Var){0} : copy_params(&k, vars_of(1, e->loop.i)).at[0];
	Vars counts = {NEW_ARRAY(Var, totals.len + 1), totals.len};
	for (int i = 0; i < totals.len; i++) {
		counts.at[i] = var_i64("count");
		params = vars_cat(params, vars_of(1, counts.at[i]));
		pat = vars_cat(pat, vars_of(1, totals.at[i]));
		more.at[i] = sub_i64(0);
	}
	b_open(b);
	for (int i = 0; i < n; i++) {
		if (!p->flat[i].on)
			continue;
		Sub size = b_product(b, copied_type(&k, vars[e->loop.params.at[i].id].type).dims);
		sums.at[sums.len] = b_add(b, sub_var(counts.at[sums.len]), size);
		sums.len++;
	}
	if (e->loop.is_while) {
		sums.at[sums.len] = b_add(b, sub_var(counts.at[sums.len]), sub_i64(1));
		sums.len++;
	}
	Body body = b_close(b, subs_cat(copy_stms(&k, &e->loop.body), sums));
	Exp *out = EXP(loop, .params = params, .inits = subs_cat(inits, more),
	               .is_while = e->loop.is_while, .body = body);
	if (e->loop.is_while) {
		out->loop.while_cond = copied(&k, sub_var(e->loop.while_cond)).var;
	} else {
		out->loop.i = index;
		out->loop.n = copied(&k, e->loop.n);
	}
	b_stm(b, pat, out);
}


// ---- Logs ----

// What the loop has besides its own.  `now` are the logs as the body has them, after they grew.
typedef struct { Vars params, pat; Subs inits, now, res; } Extra;

static void add_extra(Extra *x, Var param, Sub init, Var pat)
{
	x->params = vars_cat(x->params, vars_of(1, param));
	x->pat = vars_cat(x->pat, vars_of(1, pat));
	x->inits = subs_cat(x->inits, subs_of(1, init));
	x->now = subs_cat(x->now, subs_of(1, sub_var(param)));
}

// How long logs are: before, in and after the loop.  A length that is the same in all of them is
// no parameter of its own.
typedef struct { Sub init, in, after; bool grows; int at; Rounds growth; } Length;

static Length fixed_length(Sub n)
{
	return (Length){.init = n, .in = n, .after = n};
}

static Length one_longer(Build *b, Length fixed)
{
	return fixed_length(b_add(b, fixed.init, sub_i64(1)));
}

static Length growing_length(Extra *x, Sub init)
{
	Var in = var_i64("cap");
	Var after = var_i64("cap");
	Length out = {.init = init, .in = sub_var(in), .after = sub_var(after), .grows = true,
	              .at = x->params.len};
	add_extra(x, in, init, after);
	return out;
}

static void add_log(Copier *k, Extra *x, Length len, Type row, Var log)
{
	row = copied_type(k, row);
	row.unique = false;
	vars[log.id].type = type_of_rows(len.after, row);
	Sub init = scratch_of(k->v->b, type_of_rows(len.init, row));
	Type t = type_of_rows(len.in, row);
	t.unique = true;
	add_extra(x, var_new(name_of("log"), t), init, log);
}

static void add_logs(Copier *k, Extra *x, Length len, const Keep *keep)
{
	for (int i = 0; keep->on && i < keep->types.len; i++)
		add_log(k, x, len, keep->types.at[i], keep->logs.at[i]);
}

// All values of a parameter one after the other, their beginnings, and the end so far.
enum { FLAT = 3 };
static void add_flat(Copier *k, Extra *x, Length rows, Length all, PrimType elem, const Var *logs)
{
	add_log(k, x, all, type_scalar(elem), logs[0]);
	add_log(k, x, rows, type_scalar(PT_I64), logs[1]);
	add_extra(x, var_i64("end"), sub_i64(0), var_i64("end"));
}

// A first length for logs that grow.
static Sub first_length(const Stm *s)
{
	for EACH(Name, a, s->attrs) {
		int64_t n;
		if (attribute_number(*a, "bound", &n) && n > 0)
			return sub_i64(n);
	}
	return sub_i64(threshold(AT_log_length));
}

// Records of branches are at most those of all iterations.
static void limit_rows(Copier *k, const Varying *w, Length rows, Type t, Length *len)
{
	Build *b = k->v->b;
	Sub most;
	if (rows.grows || !len->grows || !is_of_branch(w, t, &most))
		return;
	t.dims = SLICE_DUP(Subs, t.dims);
	t.dims.at[0] = most;
	len->growth = (Rounds){.limited = true, .counted = true, .rounds = rows.init,
	                       .most = b_mul(b, rows.init, b_product(b, copied_type(k, t).dims))};
}

// Undo records; those that vary in size have a length of their own for what is one after the other.
static void add_undo(Copier *k, Extra *x, const Stm *s, Length rows, const Keep *keep, Length *lens)
{
	const Var *log = keep->logs.at;
	Varying w;
	varying_init(&w, k->v, s);
	for (int i = 0; keep->on && i < keep->types.len; i++) {
		if (!keep->flat || !keep->flat[i]) {
			add_log(k, x, rows, keep->types.at[i], *log++);
			continue;
		}
		Sub total;
		lens[i] = !rows.grows && size_of_records(&w, s->exp, keep->types.at[i], &total)
		        ? fixed_length(total) : growing_length(x, first_length(s));
		limit_rows(k, &w, rows, keep->types.at[i], &lens[i]);
		add_flat(k, x, rows, lens[i], keep->types.at[i].elem, log);
		add_log(k, x, rows, type_scalar(PT_I64), log[2]);
		log += FLAT_LOGS;
	}
}

// Makes room for `need` rows in the extra parameters from..to, whose length is `len`, in a round of
// the loop.
static void make_room(Build *b, Extra *x, const Length *len, Sub need, Sub round, int from, int to)
{
	Vars pat = {NEW_ARRAY(Var, to - from + 2), 0};
	Subs longer = {NEW_ARRAY(Sub, to - from + 2), 0}, same = {NEW_ARRAY(Sub, to - from + 2), 0};
	VEC(int) which = {0};
	for (int p = from; p < to; p++) {
		Type t = vars[x->params.at[p].id].type;
		if (t.dims.len && sub_eq(t.dims.at[0], len->in))
			VEC_PUSH(&which, p);
	}
	Sub enough = b_le(b, need, len->in);
	same.at[same.len++] = len->in;
	for EACH(int, i, which)
		same.at[same.len++] = x->now.at[*i];
	b_open(b);
	Rounds growth = len->growth;
	growth.round = round;
	Sub cap = room_grown(b, len->in, need, &growth);
	longer.at[longer.len++] = cap;
	for EACH(int, i, which) {
		Sub old = x->now.at[*i];
		Type t = sub_type(old);
		t.dims = SLICE_DUP(Subs, t.dims);
		Slices at = slices_at((Subs){0}, t.dims);
		t.dims.at[0] = cap;
		longer.at[longer.len++] = b_update(b, scratch_of(b, t), at, old);
	}
	Body no = b_close(b, longer), yes = {.res = same};
	Var now = var_i64("cap");
	pat.at[pat.len++] = now;
	for EACH(int, i, which) {
		Type t = sub_type(x->now.at[*i]);
		t.dims = SLICE_DUP(Subs, t.dims);
		t.dims.at[0] = sub_var(now);
		t.unique = false;
		pat.at[pat.len] = var_new(name_of("log"), t);
		x->now.at[*i] = sub_var(pat.at[pat.len++]);
	}
	b_stm(b, pat, EXP(if_, enough, yes, no));
	x->now.at[len->at] = sub_var(now);
}

// Appends a value; `at` is where its extra parameters are.
static void put_flat(Copier *k, Extra *x, const Length *all, int at, Sub val, Sub i)
{
	Build *b = k->v->b;
	Sub end = x->now.at[at + 2];
	Sub size = b_product(b, sub_type(val).dims), next = b_add(b, end, size);
	if (all->grows)
		make_room(b, x, all, next, i, at, at + 1);
	Slices where = {NEW(DimSlice, false, end, size, sub_i64(1)), 1};
	x->now.at[at] = b_update(b, x->now.at[at], where, b_reshape(b, subs_of(1, size), val));
	x->now.at[at + 1] = put_row(b, x->now.at[at + 1], i, end);
	x->now.at[at + 2] = next;
}

// ---- The loop ----

typedef struct {
	const Stm *s;
	const LoopPlan *p;
	Extra x;
	Length rows, *flat;                     // of logs; by parameter, of flat ones
	Length **undo;                          // by parameter and record
	int *at;                                // by parameter, where its extra parameters begin
	int saved;                              // where those of saved statements begin
	int count;                              // where the number of iterations so far is, or -1
	Saveds stacks;                          // of loops inside, one after the other
	int stacked;                            // where these begin
} Taped;

// Stacks of loops inside go through the loop.
static void add_stacks(Copier *k, Taped *t, bool as_for)
{
	stacks_in(t->p, &t->stacks);
	t->stacked = t->x.params.len;
	for EACH(Saved *, s, t->stacks) {
		Types cols = {NEW_ARRAY(Type, (*s)->stack.len), (*s)->stack.len - 1};
		for (int i = 0; i < cols.len; i++)
			cols.at[i] = type_scalar(vars[(*s)->stack.at[i + 1].id].type.elem);
		(*s)->now = stack_for(k, *s, cols);
		(*s)->now.growth.counted = as_for && (*s)->now.growth.limited;
		(*s)->now.growth.rounds = t->rows.init;
		Subs inits = stack_subs(&(*s)->now);
		Vars params = stack_vars(&(*s)->now, true, &(*s)->now);
		Var end = var_i64("end");
		for (int i = 0; i < params.len; i++)
			add_extra(&t->x, params.at[i], inits.at[i],
			          i < (*s)->stack.len ? (*s)->stack.at[i] : end);
	}
}

static void take_stacks(Taped *t)
{
	int at = t->stacked;
	for EACH(Saved *, s, t->stacks) {
		Subs now = stack_subs(&(*s)->now);
		for EACH(Sub, x, now)
			t->x.now.at[at++] = *x;
	}
}

// The body with all that is kept.
static Subs emit_kept_body(Copier *k, Taped *t, Sub i)
{
	const Exp *e = t->s->exp;
	const LoopPlan *p = t->p;
	Build *b = k->v->b;
	Extra *x = &t->x;
	int n = e->loop.params.len, n_chains = 0;
	Varying w;
	varying_init(&w, k->v, t->s);
	if (!e->loop.is_while)
		varying_know(&w, e->loop.i, sub_i64(0));
	if (t->rows.grows)
		make_room(b, x, &t->rows, b_add(b, i, sub_i64(1)), i, 0, x->params.len);
	Chain *chains = NEW_ARRAY(Chain, n + 1);
	for EACH(Saved *, s, t->stacks)
		(*s)->now.growth.round = i;
	for (int c = 0; c < n; c++) {
		if (p->whole[c].on)
			x->now.at[t->at[c]] = put_row(b, x->now.at[t->at[c]], i,
			                              copied(k, sub_var(e->loop.params.at[c])));
		if (p->flat[c].on)
			put_flat(k, x, &t->flat[c], t->at[c] + p->whole[c].on,
			         copied(k, sub_var(e->loop.params.at[c])), i);
		if (p->undo[c].on)
			chains[n_chains++] =
				(Chain){.from = e->loop.params.at[c], .to = e->loop.body.res.at[c]};
	}
	Subs res = emit_recorded(&w, k, &e->loop.body, chains, n_chains,
	                         &(Puts){.plan = p, .now = x->now.at + t->saved, .i = i});
	take_stacks(t);
	n_chains = 0;
	for (int c = 0; c < n; c++) {
		int at = t->at[c] + p->whole[c].on + FLAT * p->flat[c].on;
		if (!p->undo[c].on)
			continue;
		const Chain *chain = &chains[n_chains++];
		for (int r = 0; r < chain->recs.len; r++) {
			Sub rec = chain->recs.at[r];
			if (!p->undo[c].flat || !p->undo[c].flat[r]) {
				x->now.at[at] = put_row(b, x->now.at[at], i, rec);
				at++;
				continue;
			}
			at += t->undo[c][r].grows;      // the length
			put_flat(k, x, &t->undo[c][r], at, rec, i);
			at += FLAT;
			x->now.at[at] = put_row(b, x->now.at[at], i, sub_type(rec).dims.at[0]);
			at++;
		}
	}
	if (t->count >= 0)
		x->now.at[t->count] = b_add(b, x->now.at[t->count], sub_i64(1));
	return res;
}

static void add_tape(Copier *k, Taped *t, Subs totals)
{
	const Exp *e = t->s->exp;
	const LoopPlan *p = t->p;
	int n = e->loop.params.len, nth = 0;
	t->flat = NEW_ARRAY(Length, n + 1);
	t->at = NEW_ARRAY(int, n + 1);
	t->undo = NEW_ARRAY(Length *, n + 1);
	for (int i = 0; i < n; i++)
		if (p->flat[i].on)
			t->flat[i] = totals.len ? fixed_length(totals.at[nth++])
			           : growing_length(&t->x, first_length(t->s));
	for (int i = 0; i < n; i++) {
		t->at[i] = t->x.params.len;
		add_logs(k, &t->x, p->after[i] ? one_longer(k->v->b, t->rows) : t->rows,
		         &p->whole[i]);
		if (p->flat[i].on)
			add_flat(k, &t->x, t->rows, t->flat[i], p->flat[i].types.at[0].elem,
			         p->flat[i].logs.at);
		t->undo[i] = NEW_ARRAY(Length, p->undo[i].types.len + 1);
		add_undo(k, &t->x, t->s, t->rows, &p->undo[i], t->undo[i]);
	}
	t->saved = t->x.params.len;
	for EACH(Saved *, s, p->saves)
		add_logs(k, &t->x, t->rows, &(*s)->rows);
}

// Runs the loop once to count, if that is cheap: how often it runs, and the sizes of all values.
static Subs counted_first(Vjp *v, Level *l, const Stm *s, const LoopPlan *p, bool keeps)
{
	VarVec totals = {0};
	int n = s->exp->loop.params.len;
	if (!keeps || !(s->exp->loop.is_while || keeps_flat(p, n)) || !counts_first(s->exp, p))
		return (Subs){0};
	for (int i = 0; i < n; i++)
		if (p->flat[i].on)
			VEC_PUSH(&totals, var_i64("total"));
	if (s->exp->loop.is_while)
		VEC_PUSH(&totals, p->count);
	emit_measure(v, l, s, p, VEC_SLICE(Vars, totals));
	Subs out = {NEW_ARRAY(Sub, totals.len), totals.len};
	for (int i = 0; i < totals.len; i++)
		out.at[i] = sub_var(totals.at[i]);
	return out;
}

// A block of iterations (vjp_budget.c) that is executed again for the values of its parameters
// alone: those of the last iteration are there before it is executed.
static bool spares_last(Vjp *v, const Level *l, const Stm *s, const LoopPlan *p)
{
	bool any = false;
	if (l->all || p->saved || p->saves.len || !is_block(s->exp))
		return false;
	for (int i = 0; i < s->pat.len; i++) {
		any |= p->whole[i].on;
		if (p->undo[i].on || p->flat[i].on || cell_of(v, s->pat.at[i])->has_fwd)
			return false;
	}
	return any;
}

// All iterations but the last one, which leaves its parameters.
static void emit_spared(Build *b, const Taped *t, const Stm *loop, Sub rows)
{
	Stm but_one = *loop;
	int n = t->s->pat.len;
	Sub on = b_prim2(b, P_min, rows, sub_i64(1)), last = b_sub(b, rows, on);
	but_one.pat = SLICE_DUP(Vars, loop->pat);
	but_one.exp = mem_dup(loop->exp, sizeof *loop->exp);
	but_one.exp->loop.n = b_convert(b, vars[loop->exp->loop.i.id].type.elem, last);
	for (int i = n; i < loop->pat.len; i++)
		but_one.pat.at[i] = var_new(name_of("log"), vars[loop->pat.at[i].id].type);
	b_emit(b, but_one);
	for (int i = 0; i < n; i++)
		if (t->p->whole[i].on) {
			int at = n + t->at[i];
			Sub log = sub_var(but_one.pat.at[at]), x = sub_var(but_one.pat.at[i]);
			b_name(b, loop->pat.at[at], put_if(b, on, log, last, x));
		}
}

void emit_loop(Vjp *v, Level *l, const Stm *s, const LoopPlan *p)
{
	bool spares = spares_last(v, l, s, p);
	const Exp *e = s->exp;
	Build *b = v->b;
	Copier k = {.v = v, .here = l, .quiet = !l->all};
	Sub snapshots;
	if (p->snapshots.len && snapshots_of(e, &snapshots)) {
		emit_blocks_forward(v, l, s, p, snapshots);
		return;
	}
	level_own(v, l, &k, s);
	int n = e->loop.params.len;
	bool keeps = keeps_anything(p, n);
	Subs totals = counted_first(v, l, s, p, keeps);
	bool as_for = !e->loop.is_while || totals.len;
	Taped t = {.s = s, .p = p, .count = -1};
	Sub bound = !as_for ? sub_i64(0) : e->loop.is_while ? sub_var(p->count)
	          : copied(&k, e->loop.n);
	int64_t most;
	t.rows = as_for ? fixed_length(at_least_zero(b, bound))
	       : has_limit(e, &most) ? fixed_length(sub_i64(most))
	       : keeps ? growing_length(&t.x, first_length(s)) : fixed_length(sub_i64(0));
	Subs inits = {NEW_ARRAY(Sub, n + 1), n};
	for (int i = 0; i < n; i++)
		inits.at[i] = copied(&k, e->loop.inits.at[i]);
	emit_rows(&k, s);
	add_tape(&k, &t, totals);
	add_stacks(&k, &t, as_for);
	if (!as_for && p->counted) {
		t.count = t.x.params.len;
		Var count = var_i64("count");
		add_extra(&t.x, count, sub_i64(0), p->count);
	}
	Vars pat = {NEW_ARRAY(Var, n + 1), n};
	for (int i = 0; i < n; i++)
		pat.at[i] = fwd_var(v, s->pat.at[i]).var;
	Vars params = copy_params(&k, e->loop.params);
	Var i = e->loop.is_while ? var_i64("i") : copy_params(&k, vars_of(1, e->loop.i)).at[0];
	b_open(b);
	Sub i64 = as_for ? b_convert(b, PT_I64, sub_var(i))
	        : t.count >= 0 ? sub_var(t.x.params.at[t.count]) : sub_i64(0);
	Subs res = emit_kept_body(&k, &t, i64);
	Exp *out = EXP(loop, .params = vars_cat(params, t.x.params),
	               .inits = subs_cat(inits, t.x.inits), .is_while = !as_for);
	if (as_for) {
		out->loop.i = i;
		out->loop.n = bound;
	} else {
		out->loop.while_cond = copied(&k, sub_var(e->loop.while_cond)).var;
	}
	out->loop.body = b_close(b, subs_cat(res, t.x.now));
	Stm to = *s;
	to.certs = SLICE_DUP(Vars, s->certs);
	for EACH(Var, c, to.certs)
		*c = copied(&k, sub_var(*c)).var;
	to.pat = vars_cat(pat, t.x.pat);
	to.exp = out;
	if (spares)
		emit_spared(b, &t, &to, t.rows.init);
	else
		emit_after(v, s, &to, p, t.at, t.rows.init);
}
