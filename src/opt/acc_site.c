// Finds where accumulators are updated, and which loop dimensions the index of an update depends
// on.
//
//     screma n (iota n, xs, acc) map=\(i, x, a) ->          path: this screma, dimension 0
//       screma m (iota m, ys, a) map=\(j, y, b) ->                and this one, dimension 1
//         upd_acc b [j] (x * y)                             target [1], summed over dimension 0
//
// Each index is the row number of one of the dimensions, or invariant in all of them.  An index
// `i ^ mask` with an invariant mask exchanges pairs of rows (the stages of sorting networks and of
// transforms read so): for reduce_accs it is as good as i, with the sums exchanged after that.
#include "opt/acc.h"

const Exp *def_of(const AccDefs *d, Sub s)
{
	if (s.kind != S_VAR)
		return NULL;
	return s.var.id < d->n ? d->exp[s.var.id] : map_get(&d->more, var_key(s.var));
}

// ---- Sites ----

typedef struct {
	Site now;
	Map tokens;                             // of the accumulators -> Site with the input
	Sites *out;
} Search;

static bool takes_accumulator(const Search *s, Subs arrs)
{
	for EACH(Sub, x, arrs) {
		Type t = sub_type(*x);
		if (t.kind == T_ACC && map_has(&s->tokens, var_key(t.acc->token)))
			return true;
	}
	return false;
}

static void search_body(Search *s, const Body *b)
{
	for EACH(Stm, st, b->stms) {
		const Exp *e = st->exp;
		if (e->form == E_upd_acc) {
			const int *input =
				map_get(&s->tokens, var_key(sub_type(e->upd_acc.acc).acc->token));
			if (!input)
				continue;
			Site site = s->now;
			site.upd = st;
			site.input = *input;
			site.path.at =
				mem_dup(site.path.at, (size_t)site.path.len * sizeof *site.path.at);
			site.path.cap = site.path.len;
			site.dims.at =
				mem_dup(site.dims.at, (size_t)site.dims.len * sizeof *site.dims.at);
			site.dims.cap = site.dims.len;
			VEC_PUSH(s->out, site);
		} else if (e->form == E_screma && takes_accumulator(s, e->screma.arrs)) {
			VEC_PUSH(&s->now.path, st);
			VEC_PUSH(&s->now.dims, st);
			search_body(s, &e->screma.map->body);
			s->now.path.len--;
			s->now.dims.len--;
		} else if (e->form == E_withacc) {
			VEC_PUSH(&s->now.path, st);
			search_body(s, &e->withacc.fn->body);
			s->now.path.len--;
		}
	}
}

bool acc_is_sum(const AccInput *in)
{
	return in->op && in->arrs.len == 1 && lambda_adds(in->op);
}

Sites sites_of(const Stm *with)
{
	Sites out = {0};
	Search s = {.now = {.with = with}, .out = &out};
	const Lambda *fn = with->exp->withacc.fn;
	for (int i = 0; i < with->exp->withacc.inputs.len; i++)
		if (acc_is_sum(&with->exp->withacc.inputs.at[i]))
			map_put(&s.tokens, var_key(fn->params.at[i]), NEW(int, i));
	search_body(&s, &fn->body);
	return out;
}

// ---- Dependences ----

DimSet dims_below(int level)
{
	return ((DimSet)1 << level) - 1;
}

const PathVar *path_var(const Plan *p, Sub s)
{
	return s.kind == S_VAR ? map_get(&p->known, var_key(s.var)) : NULL;
}

Sub dim_size(const Plan *p, int d)
{
	return p->site->dims.at[d]->exp->screma.n;
}

typedef struct { const Plan *p; DimSet deps; } Operands;

static void add_operand(Visit *v, Sub *s)
{
	Operands *o = v->ctx;
	const PathVar *x = path_var(o->p, *s);
	if (x)
		o->deps |= x->deps;
}

static DimSet deps_of(const Plan *p, const Stm *s)
{
	Operands o = {.p = p};
	Visit v = {.sub = add_operand, .ctx = &o};
	stm_walk(s, &v);
	return o.deps;
}

static void learn(Plan *p, Var x, PathVar what)
{
	map_put(&p->known, var_key(x), mem_dup(&what, sizeof what));
}

static void learn_stm(Plan *p, const Stm *s, int body, int level)
{
	PathVar what = {.deps = deps_of(p, s), .body = body, .level = level, .stm = s};
	for EACH(Var, x, s->pat)
		learn(p, *x, what);
	VEC_PUSH(&p->line, (LineStm){s, level, what.deps});
}

bool is_row_numbers(const AccDefs *d, Sub arr)
{
	return is_count(def_of(d, arr));
}

static void learn_params(Plan *p, const Stm *s, int d)
{
	const Exp *e = s->exp;
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub arr = e->screma.arrs.at[i];
		const PathVar *x = path_var(p, arr);
		PathVar what = {.level = d + 1, .dim = d, .input = i,
		                .deps = (x ? x->deps : 0) | (DimSet)1 << d,
		                .is_index = is_row_numbers(p->defs, arr)};
		learn(p, e->screma.map->params.at[i], what);
	}
}

// All that is bound before the update, along the path.
static bool learn_path(Plan *p)
{
	const Site *s = p->site;
	const Body *body = &s->with->exp->withacc.fn->body;
	int level = 0;
	const Lambda *fn = s->with->exp->withacc.fn;
	for EACH(Var, x, fn->params)
		learn(p, *x, (PathVar){.level = 0, .dim = -1});
	for (int i = 0; i <= s->path.len; i++) {
		const Stm *end = i < s->path.len ? s->path.at[i] : s->upd;
		for EACH(Stm, st, body->stms) {
			if (st == end)
				break;
			learn_stm(p, st, i, level);
		}
		if (i == s->path.len)
			return true;
		if (end->exp->form == E_withacc) {
			body = &end->exp->withacc.fn->body;
			for EACH(Var, x, end->exp->withacc.fn->params)
				learn(p, *x, (PathVar){.level = level, .dim = -1});
			continue;
		}
		if (path_var(p, end->exp->screma.n))
			return false;
		learn_params(p, end, level++);
		body = &end->exp->screma.map->body;
	}
	return false;
}

// ---- The index ----

// The row number in `i ^ mask`, if the index is that.
static const PathVar *swapped_row(Plan *p, const PathVar *x, int at)
{
	const Exp *e = x->stm ? x->stm->exp : NULL;
	if (p->defs->for_ != FOR_DEVICES || !e || e->form != E_prim || e->prim.op != P_xor)
		return NULL;
	for (int k = 0; k < 2; k++) {
		const PathVar *row = path_var(p, e->prim.x[k]);
		if (row && row->is_index && !path_var(p, e->prim.x[1 - k])) {
			p->swapped |= (DimSet)1 << at;
			p->mask[at] = e->prim.x[1 - k];
			return row;
		}
	}
	return NULL;
}

static bool plan_index(Plan *p)
{
	const Exp *e = p->site->upd->exp;
	Subs space = sub_type(e->upd_acc.acc).acc->space;
	for (int i = 0; i < e->upd_acc.idx.len; i++) {
		Sub idx = e->upd_acc.idx.at[i];
		const PathVar *x = path_var(p, idx);
		p->target[i] = -1;
		if (!x)
			continue;
		x = x->is_index ? x : swapped_row(p, x, i);
		if (!x || p->outer >> x->dim & 1 ||
		    !sub_eq(dim_size(p, x->dim), space.at[i]))
			return false;
		p->target[i] = x->dim;
		p->outer |= (DimSet)1 << x->dim;
	}
	return true;
}

bool plan_path(Plan *p, const Site *s, const AccDefs *defs, int depth)
{
	*p = (Plan){.site = s, .defs = defs, .depth = depth};
	const Exp *e = s->upd->exp;
	return s->dims.len < MAX_DIMS && e->upd_acc.idx.len < MAX_DIMS &&
	       e->upd_acc.vals.len == 1 && type_is_scalar(sub_type(e->upd_acc.vals.at[0])) &&
	       learn_path(p);
}

bool plan_site(Plan *p, const Site *s, const AccDefs *defs, int depth)
{
	return plan_path(p, s, defs, depth) && plan_index(p);
}
