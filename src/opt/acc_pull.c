// Turns an accumulator update into a loop nest of its own, with the dimensions of the index outside
// and the summed dimensions inside:
//
//     screma n (C, A, acc) \(c, a, acc) ->        map over j, k:  sum over i of C[i, j] * A[i, k]
//       screma m (iota m, c, acc) \(j, x, acc) ->   ->
//         screma l (iota l, a, acc) \(k, y, acc) ->
//           upd_acc acc [j, k] (x * y)
//
// The new nest contains copies of the statements that the value depends on.  Each is placed at the
// outermost level where all dimensions it depends on are bound.  If that is inside a dimension that
// used to be further in, the statement is executed more often than before; this is allowed for a
// few cheap statements, and the results of others are stored in arrays by the original nest.
// Expensive statements are never executed in both nests, but for functions of scalars further out
// than the innermost dimension.
//
// A statement that can fail and ends up outside of a dimension which was around it does nothing
// where that has no rows (acc_guard.c).
//
// Inputs of the original nest become inputs of the new one, with their dimensions permuted to
// match.  One whose array is a view that needs more dimensions than are open where its own are
// (the part of a lane, or of a step) is read by row numbers, where the view is (on processors; on
// devices threads that add to one row side by side may be better off):
//
//     screma 16 (iota 16) \i ->                      screma d (iota d) \k ->
//       let c = slice C[0:d, i]               ->       screma 16 (iota 16) \i ->
//       screma d (iota d, c, acc) \(k, x, acc) ->        let c = slice C[0:d, i]
//         upd_acc acc [k] (x * ..)                        let x = index c [k]
#include "opt/acc.h"
#include "opt/simplify.h"

enum { MAX_CARRIED = 3, MAX_CARRIED_DIMS = 2, MAX_AGAIN = 4 };

// ---- What is needed ----

static int level_of(const Pull *p, DimSet deps)
{
	int t = 0;
	while (deps & ~p->open[t])
		t++;
	return t;
}

// A view, which costs nothing wherever it stands.
static bool is_view(const Exp *e)
{
	return e->form == E_rearrange || e->form == E_slice || e->form == E_reshape ||
	       e->form == E_atom || e->form == E_iota;
}

// Likewise arithmetic on the numbers of rows, and conditions on them: loops are rid of these later.
static bool is_free(const Exp *e)
{
	return is_view(e) || (e->form == E_prim && !is_float(e->prim.at));
}

static bool is_cheap(const Exp *e)
{
	return is_view(e) || e->form == E_index || e->form == E_assert_ || is_select(e) ||
	       exp_is_cheap_scalar(e);
}

static void need(Pull *, Sub);

static void need_operand(Visit *v, Sub *s)
{
	need(v->ctx, *s);
}

static void need_stm(Pull *p, const Stm *s)
{
	if (map_has(&p->needed, s))
		return;
	map_put(&p->needed, s, (void *)s);
	Visit v = {.sub = need_operand, .ctx = p};
	stm_walk(s, &v);
}

static void add_leaf(Pull *p, Var param, Leaf l)
{
	l.param = param;
	map_put(&p->leaf_of, var_key(param), p);
	VEC_PUSH(&p->leaves, l);
}

static void carry(Pull *p, Var x, const PathVar *what)
{
	Leaf l = {.n_dims = what->level};
	for (int d = 0; d < what->level; d++)
		l.dims[d] = d;
	VEC_PUSH(&p->carried, (Carried){.var = x, .body = what->body, .level = what->level});
	add_leaf(p, x, l);
	p->fails |= p->carried.len > MAX_CARRIED;
}

// Sizes that are computed on the path are not known outside of it.
static bool has_size_of_path(const Pull *p, Type t)
{
	for EACH(Sub, d, t.dims)
		if (path_var(p->plan, *d))
			return true;
	return false;
}

typedef struct { const Pull *p; int level; Map seen; bool sum, fails; } OfSums;

static void look_for_sums(Visit *v, Sub *x)
{
	OfSums *o = v->ctx;
	const PathVar *w = path_var(o->p->plan, *x);
	if (o->fails || !w || map_has(&o->seen, var_key(x->var)))
		return;
	map_put(&o->seen, var_key(x->var), o);
	if (!w->stm && (w->dim < 0 || w->is_index)) {
		o->fails |= w->dim < 0;
		return;
	}
	if (!w->stm) {
		const Exp *rows = o->p->plan->site->dims.at[w->dim]->exp;
		look_for_sums(v, &rows->screma.arrs.at[w->input]);
		return;
	}
	const Exp *e = w->stm->exp;
	bool sum = e->form == E_screma && n_folded(e) > 0;
	o->sum |= sum && w->level == o->level;
	o->fails |= !sum && e->form != E_prim && !is_cheap(e);
	stm_walk(w->stm, v);
}

// A number that is computed of sums in the same row, and of elements of arrays from outside: a nest
// of products gives it.  Where rows make arrays of their own besides, the nest does more, and its
// other updates are better off beside this one.
static bool is_of_sums(const Pull *p, Var x, int level)
{
	OfSums o = {.p = p, .level = level};
	Sub s = sub_var(x);
	look_for_sums(&(Visit){.sub = look_for_sums, .ctx = &o}, &s);
	return o.sum && !o.fails;
}

// Sums, which are few beside what they are made of, for all that is added to the accumulator.
static bool are_sums_for_all(const Pull *p, const PathVar *what, Var x)
{
	const Site *site = p->plan->site;
	const Lambda *fn = site->with->exp->withacc.fn;
	const Exp *e = what->stm ? what->stm->exp : NULL;
	bool sum = e && e->form == E_screma && n_folded(e) > 0;
	return e && (sum || is_of_sums(p, x, what->level)) &&
	       n_updates(fn, fn->params.at[site->input]) == 1;
}

// For devices an array of few dimensions, of sums, or with two dimensions less than the nest,
// beside the work of which it is small.
static bool may_carry(const Pull *p, const PathVar *what, Var x)
{
	Type t = vars[x.id].type;
	int all = p->plan->site->dims.len;
	return t.kind == T_DATA && (!t.dims.len || !what->level) && !has_size_of_path(p, t) &&
	       (p->plan->defs->for_ == FOR_PROCESSORS || what->level <= MAX_CARRIED_DIMS ||
	        what->level + 2 <= all || are_sums_for_all(p, what, x)) &&
	       what->level < all && what->deps == dims_below(what->level);
}

// Dimensions around the statement that are not around its copy.
static DimSet left_of(const Pull *p, const Stm *s, int level, DimSet deps)
{
	DimSet left = dims_left(p->plan, level, p->open[level_of(p, deps)]);
	return left && !is_safe_anywhere(p->plan, s) ? left : 0;
}

// What a scalar takes that is not cheap: nothing, values of the same rows, or also some of others.
typedef enum { OF_CHEAP, OF_COSTLY, OF_OTHERS } Of;
typedef struct { Pull *p; int level; Of of; } Costly;

static Of of_costly(Pull *, const Stm *, int level);

static void look_for_costly(Visit *v, Sub *x)
{
	Costly *q = v->ctx;
	const PathVar *w = path_var(q->p->plan, *x);
	if (!w || !w->stm || !type_is_scalar(sub_type(*x)))
		return;
	Of of = w->level == q->level    ? of_costly(q->p, w->stm, w->level)
	      : is_cheap(w->stm->exp) ? OF_CHEAP
	                              : OF_OTHERS;
	q->of = of > q->of ? of : q->of;
}

static Of of_costly(Pull *p, const Stm *s, int level)
{
	static const Of all[] = {OF_CHEAP, OF_COSTLY, OF_OTHERS};
	const Of *before = map_get(&p->costly, s);
	if (before)
		return *before;
	Costly q = {p, level, is_cheap(s->exp) ? OF_CHEAP : OF_COSTLY};
	Visit v = {.sub = look_for_costly, .ctx = &q};
	if (q.of == OF_CHEAP)
		stm_walk(s, &v);
	map_put(&p->costly, s, (void *)&all[q.of]);
	return q.of;
}

// An array of all of its values is there already, and it would not be cheap to compute them again.
static bool is_given(Pull *p, Var x, const PathVar *what)
{
	int all = p->plan->site->dims.len;
	return p->plan->defs->for_ == FOR_PROCESSORS && what->level == all &&
	       what->deps == dims_below(all) && type_is_scalar(vars[x.id].type) &&
	       of_costly(p, what->stm, all) != OF_CHEAP &&
	       given_rows(p->plan->site, what->body, sub_var(x)).kind == S_VAR;
}

// What takes something that is not cheap is carried in its place: that is no more memory, and what
// is between is not computed again.  But what is computed of values of other rows may come later
// than those are there, in another round through the rows.
static void need_bound(Pull *p, Var x, const PathVar *what)
{
	int t = level_of(p, what->deps);
	bool again = p->open[t] & ~dims_below(what->level);
	bool cheap = is_cheap(what->stm->exp), view = is_view(what->stm->exp);
	bool cpu = p->plan->defs->for_ == FOR_PROCESSORS;
	if (is_given(p, x, what)) {
		carry(p, x, what);
		return;
	}
	bool costly = !cheap ||
	              (again && !view &&
	               (p->eager ||
	                (cpu && of_costly(p, what->stm, what->level) == OF_COSTLY)));
	if (costly && may_carry(p, what, x)) {
		carry(p, x, what);
		return;
	}
	p->fails |= again && !cheap;
	if (type_is_array(vars[x.id].type) && what->level > p->rows)
		p->rows = what->level;
	p->fails |= !can_guard(what->stm) && left_of(p, what->stm, what->level, what->deps);
	p->again += again && !(cpu ? is_free(what->stm->exp) : view) &&
	            !map_has(&p->needed, what->stm);
	need_stm(p, what->stm);
}

// The numbers of rows are there wherever the dimension is opened, whatever was asserted for them.
static bool is_numbers_of_path(const Pull *p, const PathVar *what)
{
	const Exp *e = p->plan->site->dims.at[what->dim]->exp;
	return what->is_index && path_var(p->plan, e->screma.arrs.at[what->input]);
}

DimSet leaf_dims(const Leaf *l)
{
	DimSet out = 0;
	for (int i = 0; i < l->n_dims; i++)
		out |= (DimSet)1 << l->dims[i];
	return out;
}

static void need_param(Pull *p, Var x, const PathVar *what)
{
	Leaf l = {0};
	const PathVar *at = what;
	if (is_numbers_of_path(p, what)) {
		add_leaf(p, x, (Leaf){.dims = {what->dim}, .n_dims = 1, .numbers = true});
		return;
	}
	for (;;) {
		l.dims[l.n_dims++] = at->dim;
		l.base = p->plan->site->dims.at[at->dim]->exp->screma.arrs.at[at->input];
		at = path_var(p->plan, l.base);
		if (!at || at->stm || at->dim < 0)
			break;
	}
	for (int i = 0; i < l.n_dims / 2; i++) {
		int d = l.dims[i];
		l.dims[i] = l.dims[l.n_dims - 1 - i];
		l.dims[l.n_dims - 1 - i] = d;
	}
	need(p, l.base);
	if (at && at->stm && !map_has(&p->leaf_of, var_key(l.base.var)))
		l.level = level_of(p, at->deps);
	l.read = p->plan->defs->for_ == FOR_PROCESSORS && !(leaf_dims(&l) & ~p->open[l.level]);
	for (int i = 0; i < l.n_dims; i++) {
		p->fails |= !l.read && p->open[l.level] >> l.dims[i] & 1;
		if (!l.read)
			continue;
		l.at[i] = var_i64("i");
		add_leaf(p, l.at[i], (Leaf){.dims = {l.dims[i]}, .n_dims = 1, .numbers = true});
	}
	add_leaf(p, x, l);
}

static void need(Pull *p, Sub s)
{
	const PathVar *x = path_var(p->plan, s);
	if (!x && s.kind == S_VAR)
		VEC_PUSH(&p->outside, s.var);
	if (!x || map_has(&p->leaf_of, var_key(s.var)))
		return;
	if (sub_type(s).kind == T_ACC || (!x->stm && x->dim < 0))
		p->fails = true;
	else if (x->stm)
		need_bound(p, s.var, x);
	else
		need_param(p, s.var, x);
}

// ---- What is needed nowhere else ----

static void count_in(Map *uses, const Stm *s)
{
	Visit v = {.sub = count_operand, .ctx = uses};
	stm_walk(s, &v);
}

// A function of scalars that is computed outside of the innermost dimension: beside the work of
// that dimension it costs little to do so in both nests.
static bool is_spread(const Pull *p, const LineStm *l)
{
	const Exp *e = l->stm->exp;
	return e->form == E_prim && !prim_can_fail(e->prim.op, e->prim.at) &&
	       level_of(p, l->deps) < p->n_dims;
}

// Statements that are not cheap move: nothing else may use them.
static bool moves_only(const Pull *p)
{
	const Site *site = p->plan->site;
	Map all = {0}, here = {0};
	count_in(&all, site->with);
	count_operand(&(Visit){.ctx = &here}, &site->upd->exp->upd_acc.vals.at[0]);
	for (int i = p->plan->line.len - 1; i >= 0; i--) {
		const Stm *s = p->plan->line.at[i].stm;
		bool only = map_has(&p->needed, s);
		for EACH(Var, x, s->pat)
			only &= n_counted(&all, *x) == n_counted(&here, *x);
		if (only)
			count_in(&here, s);
		else if (map_has(&p->needed, s) && !is_cheap(s->exp) &&
		         !is_spread(p, &p->plan->line.at[i]))
			return false;
	}
	return true;
}

// Does a statement consume what is not made anew right beside it?  What depends on fewer dimensions
// is made further out.
static bool has_consumption(const Pull *p)
{
	for EACH(LineStm, l, p->plan->line) {
		SubVec out = {0};
		if (map_has(&p->needed, l->stm))
			stm_consumed(l->stm, &out);
		for EACH(Sub, x, out) {
			const PathVar *w = path_var(p->plan, *x);
			if (!w || !w->stm || level_of(p, w->deps) != level_of(p, l->deps))
				return true;
		}
	}
	return false;
}

// Checks on the path before an input is read are outside.
static bool has_checks_inside(const Plan *p)
{
	for EACH(const Stm *, s, p->site->path)
		for EACH(Var, c, (*s)->certs)
			if (path_var(p, sub_var(*c)))
				return true;
	return false;
}

static void set_order(Pull *p)
{
	const Plan *plan = p->plan;
	int n = plan->site->dims.len, rank = plan->site->upd->exp->upd_acc.idx.len;
	for (int i = 0; i < rank; i++)
		if (plan->target[i] >= 0)
			p->order[p->n_dims++] = plan->target[i];
	for (int d = 0; d < n; d++)
		if (!((plan->outer | p->left_out) >> d & 1))
			p->order[p->n_dims++] = d;
	for (int t = 0; t < p->n_dims; t++)
		p->open[t + 1] = p->open[t] | (DimSet)1 << p->order[t];
}

bool pull_plan(Pull *p, Plan *plan)
{
	if (has_checks_inside(plan))
		return false;
	for (int eager = 0; eager < 2; eager++) {
		*p = (Pull){.plan = plan, .eager = eager};
		set_order(p);
		need(p, plan->site->upd->exp->upd_acc.vals.at[0]);
		if (!p->fails && p->again <= MAX_AGAIN && pull_pays(p) && moves_only(p) &&
		    !has_consumption(p))
			return true;
	}
	return false;
}

// Everything but the sums is cheap, so that it may be computed in both places.
bool pull_factors(Factor *f)
{
	Pull *p = &f->pull;
	*p = (Pull){.plan = f->plan, .left_out = f->summed};
	if (!f->n_dims || has_checks_inside(f->plan))
		return false;
	set_order(p);
	for EACH(Sub, x, f->without)
		need(p, *x);
	for EACH(LineStm, l, f->plan->line)
		p->fails |= map_has(&p->needed, l->stm) && !is_cheap(l->stm->exp);
	Leaf sums = {.n_dims = f->n_dims};
	for (int i = 0; i < f->n_dims; i++)
		sums.dims[i] = f->dims[i];
	Var row = var_new(name_of("sum"), type_scalar(sub_type(f->with.at[0]).elem));
	VEC_PUSH(&p->carried, (Carried){.var = row});
	add_leaf(p, row, sums);
	p->product = subs_cat(f->without, subs_of(1, sub_var(row)));
	return !p->fails && p->carried.len == 1 && !has_consumption(p);
}

// ---- The nest ----

static void name(Pull *p, Var x, Sub to)
{
	map_put(&p->names, var_key(x), mem_dup(&to, sizeof to));
}

static Sub named(const Pull *p, Sub s)
{
	const Sub *to = s.kind == S_VAR ? map_get(&p->names, var_key(s.var)) : NULL;
	return to ? *to : s;
}

// What is read of a view that is there now.
static void read_leaves(Build *b, Pull *p, Var view)
{
	for EACH(Leaf, l, p->leaves) {
		if (!l->read || l->base.var.id != view.id)
			continue;
		Subs at = {NEW_ARRAY(Sub, l->n_dims), l->n_dims};
		for (int i = 0; i < l->n_dims; i++)
			at.at[i] = named(p, sub_var(l->at[i]));
		name(p, l->param, b_index(b, named(p, l->base), at));
	}
}

static void emit_copy(Build *b, Pull *p, const LineStm *l)
{
	const Stm *s = l->stm;
	DimSet left = left_of(p, s, l->level, l->deps);
	Stm one = *s;
	if (map_has(&p->reads, s))
		one.exp = map_get(&p->reads, s);
	Body body = {.stms = {&one, 1}, .res = {NEW_ARRAY(Sub, s->pat.len + 1), s->pat.len}};
	for (int i = 0; i < s->pat.len; i++)
		body.res.at[i] = sub_var(s->pat.at[i]);
	body = body_subst(body_rename(body), &p->names);
	if (left)
		emit_guarded(b, p->plan, body.stms.at[0], left);
	else
		b_emit(b, body.stms.at[0]);
	for (int i = 0; i < s->pat.len; i++)
		name(p, s->pat.at[i], body.res.at[i]);
	for EACH(Var, x, s->pat)
		read_leaves(b, p, *x);
}

static int position(const Pull *p, int dim)
{
	int t = 0;
	while (p->order[t] != dim)
		t++;
	return t;
}

// Dimensions in the order in which the nest opens them; then those that stay.
static void prepare(Build *b, Pull *p, Leaf *l)
{
	Sub base = named(p, l->base);
	if (l->joined)
		base = joined_array(b, p, base, l->joined - 1);
	int rank = sub_type(base).dims.len, *perm = NEW_ARRAY(int, rank + 1);
	bool moved = false;
	for (int i = 0; i < rank; i++)
		perm[i] = i;
	for (int i = 1; i < l->n_dims; i++)
		for (int j = i;
		     j > 0 && position(p, l->dims[perm[j]]) < position(p, l->dims[perm[j - 1]]);
		     j--) {
			int k = perm[j];
			perm[j] = perm[j - 1];
			perm[j - 1] = k;
			moved = true;
		}
	l->cur = moved ? b_rearrange(b, perm, base) : base;
}

// What is there when the dimension before level t was opened.
static void finish_leaves(Pull *p, int t)
{
	for EACH(Leaf, l, p->leaves) {
		int last = l->level;
		for (int i = 0; i < l->n_dims; i++)
			if (position(p, l->dims[i]) + 1 > last)
				last = position(p, l->dims[i]) + 1;
		if (last == t && !l->read)
			name(p, l->param, l->cur);
	}
}

static bool reads_dim(const Leaf *l, int d)
{
	return !l->read && leaf_dims(l) >> d & 1;
}

static Sub emit_level(Build *, Pull *, int t);

static Sub emit_dim(Build *b, Pull *p, int t)
{
	int d = p->order[t];
	Sub n = p->joins && d == p->join[0] ? p->join_size : dim_size(p->plan, d);
	VEC(Var) params = {0};
	SubVec arrs = {0};
	for EACH(Leaf, l, p->leaves) {
		if (!reads_dim(l, d))
			continue;
		if (l->numbers)
			l->cur = b_iota(b, n);
		Type row = type_plain(type_row(sub_type(l->cur)));
		Var x = var_new(vars[l->param.id].hint, row);
		VEC_PUSH(&params, x);
		VEC_PUSH(&arrs, l->cur);
		l->cur = sub_var(x);
	}
	if (!arrs.len) {
		VEC_PUSH(&arrs, b_iota(b, n));
		VEC_PUSH(&params, var_i64("i"));
	}
	b_open(b);
	finish_leaves(p, t + 1);
	Sub r = emit_level(b, p, t + 1);
	Lambda *f = b_lambda(b, VEC_SLICE(Vars, params), subs_of(1, r));
	if (p->plan->outer >> d & 1)
		return b_map(b, n, VEC_SLICE(Subs, arrs), f).at[0];
	PrimType type = sub_type(r).elem;
	Sub zero = sub_const(scalar_int(type, 0));
	Reductions reds = {NEW(Reduction, b_operator(b, P_add, type), subs_of(1, zero), true), 1};
	return b_let(b, "sum", type_scalar(type), EXP(screma, .n = n, .arrs = VEC_SLICE(Subs, arrs),
	                                              .map = f, .reds = reds));
}

static Sub emit_level(Build *b, Pull *p, int t)
{
	for EACH(LineStm, l, p->plan->line)
		if (map_has(&p->needed, l->stm) && level_of(p, l->deps) == t)
			emit_copy(b, p, l);
	for EACH(Leaf, l, p->leaves)
		if (l->level == t && !l->numbers && !l->read)
			prepare(b, p, l);
	if (t < p->n_dims)
		return emit_dim(b, p, t);
	if (!p->product.len)
		return named(p, p->plan->site->upd->exp->upd_acc.vals.at[0]);
	Sub x = named(p, p->product.at[0]);
	for (int i = 1; i < p->product.len; i++)
		x = b_mul(b, x, named(p, p->product.at[i]));
	return x;
}

Sub pull_emit(Build *b, Pull *p)
{
	for EACH(Carried, c, p->carried)
		for EACH(Leaf, l, p->leaves)
			if (l->param.id == c->var.id)
				l->base = sub_var(c->array);
	p->names = (Map){0};
	p->joins = join_sums(p);
	if (p->joins) {
		p->join_size =
			b_mul(b, dim_size(p->plan, p->join[0]), dim_size(p->plan, p->join[1]));
		join_reads(b, p);
	}
	for EACH(Leaf, l, p->leaves)
		if (!l->n_dims)
			name(p, l->param, l->base);
	return emit_level(b, p, 0);
}
