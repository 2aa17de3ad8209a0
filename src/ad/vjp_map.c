// Return sweep of map.
//
//     ys = map (\a -> f a w bs) as        as_adj = map (\a y_adj -> ...) as ys_adj
//
// The lambda of the return sweep re-executes f as far as needed.  Contributions to the adjoint of
// a free scalar are summed by a reduction in the same screma; contributions to that of a free
// array are added to an accumulator:
//
//     (bs_adj, as_adj) = withacc bs_adj (\acc -> map (\a y_adj acc -> ... upd_acc acc ...) ...)
//
// If an enclosing map already has an accumulator for that array, it is passed on.
#include "ad/vjp.h"

// ---- Adjoints of free variables ----

static Lambda *scalar_add(Build *b, PrimType t)
{
	return add_lambda(b, type_scalar(t));
}

static Type acc_type(Var token, Type t)
{
	Types elems = {NEW(Type, .kind = T_DATA, .elem = t.elem), 1};
	return (Type){.kind = T_ACC, .acc = NEW(AccType, token, t.dims, elems)};
}

static void split_free(Vjp *v, Gather *g, Vars free)
{
	g->scalars = (Vars){NEW_ARRAY(Var, free.len + 1), 0};
	g->arrays = (Vars){NEW_ARRAY(Var, free.len + 1), 0};
	for EACH(Var, f, free) {
		Vars *to = type_is_scalar(vars[f->id].type) ? &g->scalars : &g->arrays;
		to->at[to->len++] = *f;
	}
	g->scalar_before = NEW_ARRAY(Adj, g->scalars.len + 1);
	for (int i = 0; i < g->scalars.len; i++)
		g->scalar_before[i] = adj_take(v, g->scalars.at[i]);
}

// Arrays whose adjoint is not an accumulator yet get one by withacc, whose body is opened.
static void open_accumulators(Vjp *v, Gather *g)
{
	for (int i = 0; i < g->arrays.len; i++)
		if (adj_get(v, g->arrays.at[i]).kind != ADJ_ACC) {
			VEC_PUSH(&g->fresh, i);
			adj_owned(v, g->arrays.at[i]);
		}
	int n = g->fresh.len;
	g->tokens = (Vars){NEW_ARRAY(Var, n + 1), n};
	g->outer = (Vars){NEW_ARRAY(Var, n + 1), n};
	g->before = NEW_ARRAY(Sub, n + 1);
	if (!n)
		return;
	for (int k = 0; k < n; k++) {
		Var x = g->arrays.at[g->fresh.at[k]];
		g->before[k] = adj_get(v, x).val;
		g->tokens.at[k] = var_new(name_of("token"), type_cert());
		g->outer.at[k] = var_new(name_of("acc"),
		                         acc_type(g->tokens.at[k], sub_type(g->before[k])));
		adj_set(v, x, (Adj){ADJ_ACC, sub_var(g->outer.at[k]), true});
	}
	b_open(v->b);
}

void gather_begin(Vjp *v, Gather *g, Sub n, Vars free)
{
	*g = (Gather){.n = n};
	split_free(v, g, free);
	open_accumulators(v, g);
	g->inner = (Vars){NEW_ARRAY(Var, g->arrays.len + 1), g->arrays.len};
	g->given = (Subs){NEW_ARRAY(Sub, g->arrays.len + 1), g->arrays.len};
	for (int i = 0; i < g->arrays.len; i++) {
		g->given.at[i] = adj_get(v, g->arrays.at[i]).val;
		g->inner.at[i] = var_new(name_of("acc"), sub_type(g->given.at[i]));
		adj_set(v, g->arrays.at[i], (Adj){ADJ_ACC, sub_var(g->inner.at[i]), true});
	}
	b_open(v->b);
}

// Sums of the scalars that got a contribution, then the accumulators, then the mapped results.
static Subs emit_map(Vjp *v, Gather *g, Subs arrs, Vars params, Subs results, Vars *summed)
{
	Build *b = v->b;
	Subs sums = {NEW_ARRAY(Sub, g->scalars.len + 1), 0};
	*summed = (Vars){NEW_ARRAY(Var, g->scalars.len + 1), 0};
	for EACH(Var, x, g->scalars) {
		Adj a = adj_take(v, *x);
		if (a.kind == ADJ_ZERO)
			continue;
		sums.at[sums.len++] = a.val;
		summed->at[summed->len++] = *x;
	}
	Subs accs = {NEW_ARRAY(Sub, g->arrays.len + 1), g->arrays.len};
	for (int i = 0; i < accs.len; i++)
		accs.at[i] = adj_get(v, g->arrays.at[i]).val;
	Subs all = subs_cat(sums, subs_cat(accs, results));
	Lambda *f = b_lambda(b, vars_cat(params, g->inner), all);
	Reductions reds = {NEW_ARRAY(Reduction, sums.len + 1), sums.len};
	for (int i = 0; i < sums.len; i++) {
		PrimType t = vars[summed->at[i].id].type.elem;
		reds.at[i] = (Reduction){scalar_add(b, t), subs_of(1, sub_zero(t)), true};
	}
	Types ts = {NEW_ARRAY(Type, all.len + 1), all.len};
	for (int i = 0; i < all.len; i++)
		ts.at[i] = i < sums.len ? f->ret.at[i] : type_of_rows(g->n, f->ret.at[i]);
	return b_lets(b, "adj", ts, EXP(screma, .n = g->n, .arrs = subs_cat(arrs, g->given),
	                                .map = f, .reds = reds));
}

// Closes the body of withacc: accumulators made here first, then everything else.
static Subs close_accumulators(Vjp *v, Gather *g, Subs got, int n_sums)
{
	Build *b = v->b;
	int n = g->fresh.len;
	Subs accs = {NEW_ARRAY(Sub, n + 1), n}, rest = {NEW_ARRAY(Sub, got.len + 1), 0};
	bool *mine = NEW_ARRAY(bool, got.len + 1);
	for (int k = 0; k < n; k++) {
		mine[n_sums + g->fresh.at[k]] = true;
		accs.at[k] = got.at[n_sums + g->fresh.at[k]];
	}
	for (int i = 0; i < got.len; i++)
		if (!mine[i])
			rest.at[rest.len++] = got.at[i];
	Lambda *fn = b_lambda(b, vars_cat(g->tokens, g->outer), subs_cat(accs, rest));
	AccInputs in = {NEW_ARRAY(AccInput, n), n};
	Types ts = {NEW_ARRAY(Type, got.len + 1), got.len};
	for (int k = 0; k < n; k++) {
		Type t = sub_type(g->before[k]);
		in.at[k] = (AccInput){t.dims, subs_of(1, g->before[k]), scalar_add(b, t.elem),
		                      subs_of(1, sub_zero(t.elem))};
		ts.at[k] = t;
	}
	for (int i = 0; i < rest.len; i++)
		ts.at[n + i] = sub_type(rest.at[i]);
	Subs out = b_lets(b, "adj", ts, EXP(withacc, in, fn));
	Subs back = {NEW_ARRAY(Sub, got.len + 1), got.len};
	int other = n;
	for (int k = 0; k < n; k++)
		back.at[n_sums + g->fresh.at[k]] = out.at[k];
	for (int i = 0; i < got.len; i++)
		if (!mine[i])
			back.at[i] = out.at[other++];
	return back;
}

Subs gather_end(Vjp *v, Gather *g, Subs arrs, Vars params, Subs results)
{
	Vars summed;
	Subs got = emit_map(v, g, arrs, params, results, &summed);
	if (g->fresh.len)
		got = close_accumulators(v, g, got, summed.len);
	for (int i = 0; i < g->arrays.len; i++)
		adj_set(v, g->arrays.at[i], (Adj){ADJ_ACC, got.at[summed.len + i], true});
	for EACH(int, k, g->fresh)
		adj_set(v, g->arrays.at[*k], adj_of(got.at[summed.len + *k], true));
	for (int i = 0; i < g->scalars.len; i++)
		adj_set(v, g->scalars.at[i], g->scalar_before[i]);
	for (int i = 0; i < summed.len; i++)
		adj_add(v, sub_var(summed.at[i]), got.at[i], true);
	return subs_part(got, summed.len + g->arrays.len, results.len);
}

// ---- The rule ----

typedef struct {
	const Lambda *fn;
	Subs in;                                // the inputs of the map
	VEC(Sub) arrs;                         // of the map of the return sweep, and its parameters
	VEC(Var) params;
	VEC(Sub) results;
	VEC(int) of;                            // which input a result belongs to
	bool *old;                              // the result includes the adjoint from before
	Sub n, rows, i;                         // the numbers of the rows, and the one at hand
	Sub len;                                // n in the original
	Adj *before;                            // adjoints of the inputs
	Vars pat;                               // its results, where rows of them may be read
	Gather g;
	Level *level;
} MapRule;

static Sub add_input(MapRule *m, Sub arr, const char *hint)
{
	Var p = param_of_row(arr, hint);
	VEC_PUSH(&m->arrs, arr);
	VEC_PUSH(&m->params, p);
	return sub_var(p);
}

static Sub row_number(MapRule *m)
{
	if (m->i.kind == S_CONST)
		m->i = add_input(m, m->rows, "i");
	return m->i;
}

// The adjoint of a row: to the accumulator of its array, or a mapped result, to which the adjoint
// that the array has already is added here.
static void give_row(Vjp *v, MapRule *m, int k, Adj a)
{
	Sub arr = m->in.at[k];
	if (a.kind == ADJ_ZERO || !takes(v, arr))
		return;
	if (adj_get(v, arr.var).kind == ADJ_ACC) {
		adj_add_at(v, arr, slices_at(subs_of(1, row_number(m)), sub_type(a.val).dims),
		           a.val);
		return;
	}
	Sub r = a.val;
	if (m->before[k].kind == ADJ_VALUE) {
		r = b_add_arrays(v->b, add_input(m, m->before[k].val, "old"), r);
		m->old[k] = true;
	}
	VEC_PUSH(&m->results, r);
	VEC_PUSH(&m->of, k);
}

// Arrays from around an enclosing map are among the free variables: their rows go to the
// same accumulator.
static Vars free_and_accumulated(Vjp *v, const MapRule *m)
{
	Vars free = takers(v, free_in_lambda(m->fn));
	for EACH(Sub, x, m->in) {
		if (!takes(v, *x) || adj_get(v, x->var).kind != ADJ_ACC)
			continue;
		Var root = adj_root(v, x->var);
		bool known = false;
		for EACH(Var, f, free)
			known |= f->id == root.id;
		if (!known)
			free = vars_cat(free, vars_of(1, root));
	}
	return free;
}

// Opens the lambda of the return sweep and in it the level of the map's lambda.
static void rows_begin(Vjp *v, MapRule *m)
{
	m->old = NEW_ARRAY(bool, m->in.len + 1);
	m->before = NEW_ARRAY(Adj, m->in.len + 1);
	m->rows = b_iota(v->b, m->n);
	m->i = sub_i64(0);
	gather_begin(v, &m->g, m->n, free_and_accumulated(v, m));
	for (int k = 0; k < m->in.len; k++) {
		bool again = false;
		for (int j = 0; j < k; j++)
			again |= sub_eq(m->in.at[k], m->in.at[j]);
		if (takes(v, m->in.at[k]) && !again)
			m->before[k] = adj_get(v, m->in.at[k].var);
	}
	m->level = NEW(Level, .depth = 0);
	level_begin(v, m->level, &m->fn->body, false);
	m->level->rows = true;
	for (int k = 0; k < m->fn->params.len; k++) {
		Var p = m->fn->params.at[k];
		cell_enter(v, m->level, p, -1);
		if (takes(v, sub_var(p)) && takes(v, m->in.at[k]) && vars[p.id].type.dims.len &&
		    adj_get(v, m->in.at[k].var).kind == ADJ_ACC)
			adj_part(v, p, m->in.at[k].var, row_number(m));
	}
}

// See Note [Kept rows] in vjp_level.c.
static void offer_rows(Vjp *v, MapRule *m, Vars pat)
{
	m->pat = pat;
	for (int i = 0; i < pat.len; i++) {
		Sub r = m->fn->body.res.at[i];
		Cell *c = r.kind == S_VAR ? cell_of(v, r.var) : NULL;
		if (c && c->level == m->level && c->def >= 0 &&
		    vars[pat.at[i].id].type.kind == T_DATA)
			c->offered = is_kept_value(v, pat.at[i]);
	}
}

static void read_rows(Vjp *v, MapRule *m)
{
	for (int i = 0; i < m->pat.len; i++) {
		Sub r = m->fn->body.res.at[i];
		Cell *c = r.kind == S_VAR ? cell_of(v, r.var) : NULL;
		if (!c || c->level != m->level || !c->read)
			continue;
		c->read = false;                // a result may be there twice
		VEC_PUSH(&m->arrs, ret_var(v, m->pat.at[i]));
		VEC_PUSH(&m->params, c->fwd.var);
	}
}

static void rows_end(Vjp *v, MapRule *m)
{
	level_reverse(v, m->level);
	for (int k = 0; k < m->fn->params.len; k++)
		give_row(v, m, k, adj_take(v, m->fn->params.at[k]));
	level_close(v, m->level);
	for (int k = 0; k < m->fn->params.len; k++) {
		Cell *c = cell_of(v, m->fn->params.at[k]);
		if (c->has_fwd) {
			VEC_PUSH(&m->arrs, ret_sub(v, m->in.at[k]));
			VEC_PUSH(&m->params, c->fwd.var);
		}
	}
	read_rows(v, m);
	level_emit(v, m->level);
	Subs out = gather_end(v, &m->g, VEC_SLICE(Subs, m->arrs), VEC_SLICE(Vars, m->params),
	                      VEC_SLICE(Subs, m->results));
	for (int i = 0; i < out.len; i++) {
		Sub x = m->in.at[m->of.at[i]];
		Type row = vars[m->fn->params.at[m->of.at[i]].id].type;
		Sub g = adj_shaped(v, x, type_of_rows(m->len, row), out.at[i]);
		if (m->old[m->of.at[i]])
			adj_set(v, x.var, adj_of(g, true));
		else
			adj_add(v, x, g, true);
	}
}

// ---- One row ----

// The row that is all that matters of the results, if it is one and the same.
static const Cell *only_row(Vjp *v, const Stm *s)
{
	const Cell *row = NULL;
	for EACH(Var, y, s->pat) {
		const Cell *c = cell_of(v, *y);
		if (vars[y->id].type.kind != T_DATA)
			return NULL;
		if (c->adj.kind == ADJ_ZERO)
			continue;
		if (c->adj.kind != ADJ_POINT || (row && !sub_eq(c->row, row->row)))
			return NULL;
		row = c;
	}
	return row;
}

// What happens at this row: `free` and the inputs that have adjoints already get their share, the
// rows of the others are given back as values.
static Body row_taken(Vjp *v, const Stm *s, Sub i, Vars free, const bool *apart, const Adj *seeds)
{
	const Exp *e = s->exp;
	Build *b = v->b;
	b_open(b);
	Subs args = {NEW_ARRAY(Sub, e->screma.arrs.len + 1), e->screma.arrs.len};
	for (int k = 0; k < args.len; k++)
		args.at[k] = b_index(b, ret_sub(v, e->screma.arrs.at[k]), subs_of(1, i));
	Adj *got = vjp_inline(v, e->screma.map, args, seeds, false);
	SubVec res = {0};
	for (int k = 0; k < args.len; k++) {
		Sub x = e->screma.arrs.at[k];
		Type row = sub_type(args.at[k]);
		if (apart[k])
			VEC_PUSH(&res, adj_or_zero(v, got[k], row));
		else if (takes(v, x) && got[k].kind == ADJ_VALUE)
			adj_add_at(v, x, slices_at(subs_of(1, i), row.dims), got[k].val);
	}
	for EACH(Var, f, free)
		VEC_PUSH(&res, adj_owned(v, *f));
	return b_close(b, VEC_SLICE(Subs, res));
}

static Body row_not_taken(Vjp *v, const Stm *s, Subs free, const bool *apart)
{
	Subs arrs = s->exp->screma.arrs;
	SubVec res = {0};
	b_open(v->b);
	for (int k = 0; k < arrs.len; k++)
		if (apart[k])
			VEC_PUSH(&res, ad_zero(v->b, ret_type(v, type_row(sub_type(arrs.at[k])))));
	VEC_APPEND(&res, free);
	return b_close(v->b, VEC_SLICE(Subs, res));
}

// Only the row that a minimum or maximum chose has anything to give.
static void rev_row(Vjp *v, const Stm *s, Sub at_row, Sub ok)
{
	Subs arrs = s->exp->screma.arrs;
	Adj *seeds = NEW_ARRAY(Adj, s->pat.len + 1);
	for (int i = 0; i < s->pat.len; i++) {
		if (adj_peek(v, s->pat.at[i]).kind == ADJ_POINT)
			seeds[i] = adj_of(adj_peek(v, s->pat.at[i]).val, false);
		adj_set(v, s->pat.at[i], (Adj){0});
	}
	bool *apart = NEW_ARRAY(bool, arrs.len + 1);
	Vars inputs = {NEW_ARRAY(Var, arrs.len + 1), 0};
	TypeVec ts = {0};
	for (int k = 0; k < arrs.len; k++) {
		if (!takes(v, arrs.at[k]))
			continue;
		apart[k] = adj_peek(v, arrs.at[k].var).kind == ADJ_ZERO;
		for (int j = 0; j < k; j++)
			apart[k] &= !sub_eq(arrs.at[k], arrs.at[j]);
		Vars own = takers(v, free_in_lambda(s->exp->screma.map));
		for EACH(Var, f, own)
			apart[k] &= f->id != arrs.at[k].var.id;
		if (apart[k])
			VEC_PUSH(&ts, ret_type(v, type_row(sub_type(arrs.at[k]))));
		else
			inputs.at[inputs.len++] = arrs.at[k].var;
	}
	Vars free = takers(v, vars_cat(free_in_lambda(s->exp->screma.map), inputs));
	Subs before = {NEW_ARRAY(Sub, free.len + 1), free.len};
	Adj *olds = NEW_ARRAY(Adj, free.len + 1);
	for (int i = 0; i < free.len; i++) {
		before.at[i] = adj_owned(v, free.at[i]);
		olds[i] = adj_get(v, free.at[i]);
		VEC_PUSH(&ts, sub_type(before.at[i]));
		ts.at[ts.len - 1].unique = false;
	}
	Body yes = row_taken(v, s, at_row, free, apart, seeds);
	for (int i = 0; i < free.len; i++)
		adj_set(v, free.at[i], olds[i]);
	Body no = row_not_taken(v, s, before, apart);
	Subs out = b_lets(v->b, "adj", VEC_SLICE(Types, ts), EXP(if_, ok, yes, no));
	int at = 0;
	for (int k = 0; k < arrs.len; k++)
		if (apart[k])
			adj_set_point(v, arrs.at[k].var, at_row, ok, out.at[at++]);
	for (int i = 0; i < free.len; i++)
		adj_set(v, free.at[i], (Adj){olds[i].kind, out.at[at++], true});
}

void rev_map(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	const Cell *row = only_row(v, s);
	if (row) {
		rev_row(v, s, row->row, row->row_ok);
		return;
	}
	MapRule m = {.fn = e->screma.map, .in = e->screma.arrs, .n = ret_sub(v, e->screma.n),
	             .len = e->screma.n};
	Adj *ys = NEW_ARRAY(Adj, s->pat.len + 1);
	for (int i = 0; i < s->pat.len; i++)
		ys[i] = adj_take(v, s->pat.at[i]);
	rows_begin(v, &m);
	offer_rows(v, &m, s->pat);
	for (int i = 0; i < s->pat.len; i++)
		if (ys[i].kind == ADJ_VALUE)
			adj_add(v, m.fn->body.res.at[i], add_input(&m, ys[i].val, "y_adj"), false);
	rows_end(v, &m);
}

// ---- flatmap ----

static Sub offsets_of(Build *b, Sub n, Sub lens)
{
	Subs ne = subs_of(1, sub_i64(0));
	Subs ends = b_scan(b, n, subs_of(1, lens), add_lambda(b, type_scalar(PT_I64)), ne);
	return shifted(b, n, ends, ne).at[0];
}

// The adjoint of a segment is a slice of that of all data.
void rev_flatmap(Vjp *v, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = v->b;
	MapRule m = {.fn = e->flatmap.map, .in = e->flatmap.arrs, .n = ret_sub(v, e->flatmap.n),
	             .len = e->flatmap.n};
	Adj *ys = NEW_ARRAY(Adj, s->pat.len + 1);
	for (int i = 0; i < s->pat.len; i++)
		ys[i] = adj_take(v, s->pat.at[i]);
	Sub lens = ret_var(v, s->pat.at[1]), offs = offsets_of(b, m.n, lens);
	rows_begin(v, &m);
	Sub len = add_input(&m, lens, "len"), off = add_input(&m, offs, "off");
	for (int i = 2; i < s->pat.len; i++) {
		if (ys[i].kind != ADJ_VALUE)
			continue;
		Sub g = ys[i].val;
		if (i - 2 < e->flatmap.n_data) {
			g = b_slice(b, g, slices_rows(sub_type(g), off, len));
		} else {
			g = add_input(&m, g, "y_adj");
		}
		adj_add(v, m.fn->body.res.at[i - 1], g, false);
	}
	rows_end(v, &m);
}
