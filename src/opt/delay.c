// The passes `delay` (for devices) and `delay_in_rows` (for processors): inline cheap maps inside
// nests into their consumers (rematerialisation instead of an intermediate array).
//
//     map over n rows x:  map over k rows m:
//       v = screma d (x, m) map=\(a, b) -> a - b
//       screma l (qs) map=\q -> .. screma d (q, v) map=\(c, y) -> c * y ..
// becomes
//       screma l (qs) map=\q -> .. screma d (q, x, m) map=\(c, a, b) -> y = a - b; c * y ..
//
// Otherwise a device would store v for all n x k rows, although x and m have only n and k rows.
// Applied if every input of the map depends on fewer enclosing maps than the result, and if the
// result is used only by other combinators and by reads of single elements.  The map function is
// then evaluated more often than before, so it may consist of a few cheap operations only.
//
// `delay_in_rows` does so only for consumers in the row that computes the map, and so evaluates it
// once for each of them.  A processor gains as well: a row without an array of its own is an
// iteration of a loop over rows like any other, of which several can run in vectors at once
// (gen/clanes.c).
//
// So it is with an array that a map gives beside a fold, as the row that a log-sum-exp reads again
// after its maximum; and with one that it gives besides updating accumulators, as derivatives of
// products do, if it is computed from one or two inputs.  Fusion leaves such maps alone, to keep
// the order of the updates.
//
//       (v, acc1) = screma d (x, y, is, acc)
//                     map=\(a, b, i, acc) -> a * c, upd_acc acc [j, i] (b * c)
//       acc2 = screma d (is, v, acc1) map=\(i, e, acc) -> upd_acc acc [i, j] e
// becomes
//       acc1 = screma d (y, is, acc) map=\(b, i, acc) -> upd_acc acc [j, i] (b * c)
//       acc2 = screma d (is, x, acc1) map=\(i, a, acc) -> e = a * c; upd_acc acc [i, j] e
//
// Requires: no jvp or vjp.  Ensures nothing that other passes rely on; `simplify` merges equal
// inputs.
#include "opt/alias.h"
#include "opt/opt.h"
#include "opt/simplify.h"

enum { MOST = 3, MOST_INPUTS = 2, MAX_LEVELS = 62 };

typedef struct {
	Alias alias;
	Map levels;                             // set_levels: the maps around that it depends on
	int depth;                              // maps around what is looked at
	Map maps;                               // variable -> Exp *: cheap maps
	Map kept;                               // those that something else uses
	bool in_rows;                           // for consumers in the same body alone
	const Body *body;                       // what is looked at
	Map bodies;                             // variable -> Body * that a cheap map is in
} Delay;

// ---- Which maps ----

static bool is_cheap(const Lambda *f)
{
	if (f->body.stms.len > MOST || f->ret.len != 1 || !type_is_scalar(f->ret.at[0]))
		return false;
	for EACH(Stm, s, f->body.stms)
		if (!exp_is_cheap_scalar(s->exp) || s->certs.len)
			return false;
	return true;
}

// Does it give more than any of its inputs has, over all maps around?
static bool is_larger(Delay *d, const Exp *map)
{
	Vars free = free_in_lambda(map->screma.map);
	uint64_t all = 0;
	for EACH(Sub, a, map->screma.arrs)
		all |= levels_of(&d->levels, *a);
	for EACH(Var, v, free)
		all |= levels_of(&d->levels, sub_var(*v));
	for EACH(Sub, a, map->screma.arrs)
		if (levels_of(&d->levels, *a) == all)
			return false;
	return true;
}

// A cheap map whose result is larger than any input, all of which stay as they are.
static bool may_go(Delay *d, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_screma || e->screma.scans.len || e->screma.reds.len || s->certs.len ||
	    !is_cheap(e->screma.map) || alias_ever(&d->alias, s->pat.at[0]))
		return false;
	for EACH(Sub, a, e->screma.arrs)
		if (sub_type(*a).kind != T_DATA || sub_type(*a).dims.len != 1 ||
		    alias_ever(&d->alias, a->var))
			return false;
	return e->screma.arrs.len > 0 && is_larger(d, e);
}

static void keep(Visit *v, Sub *x)
{
	Delay *d = v->ctx;
	if (x->kind == S_VAR)
		map_put(&d->kept, var_key(x->var), d);
}

// Result k of a map that folds or updates accumulators, by itself: NULL if it is not cheap.
static const Exp *by_itself(Delay *d, const Stm *s, int k)
{
	const Exp *e = s->exp;
	const Lambda *f = e->screma.map;
	Map needed = {0};
	SubVec arrs = {0};
	VEC(Var) params = {0};
	if (!type_is_scalar(f->ret.at[k]) || alias_ever(&d->alias, s->pat.at[k]))
		return NULL;
	Subs res = subs_of(1, f->body.res.at[k]);
	Body part = body_part(&f->body, res, &needed);
	for (int i = 0; i < f->params.len; i++)
		if (map_has(&needed, var_key(f->params.at[i]))) {
			Sub a = e->screma.arrs.at[i];
			if (sub_type(a).kind != T_DATA || sub_type(a).dims.len != 1 ||
			    alias_ever(&d->alias, a.var))
				return NULL;
			VEC_PUSH(&arrs, a);
			VEC_PUSH(&params, f->params.at[i]);
		}
	Lambda *map = NEW(Lambda, .params = VEC_SLICE(Vars, params), .body = part,
	                  .ret = types_of_subs(res));
	if (!arrs.len || arrs.len > MOST_INPUTS || !is_cheap(map))
		return NULL;
	return EXP(screma, .n = e->screma.n, .arrs = VEC_SLICE(Subs, arrs), .map = map);
}

static void found(Visit *v, Var x, const Exp *map)
{
	Delay *d = v->ctx;
	map_put(&d->maps, var_key(x), (void *)map);
	map_put(&d->bodies, var_key(x), (void *)d->body);
	for EACH(Sub, a, map->screma.arrs)
		keep(v, a);
}

static void find_by_itself(Visit *v, const Stm *s)
{
	Delay *d = v->ctx;
	const Exp *e = s->exp;
	bool updates = vars_have_acc(s->pat);
	if (e->form != E_screma || e->screma.scans.len || s->certs.len ||
	    !(updates || e->screma.reds.len))
		return;
	for (int k = n_reduced(e->screma.reds); k < s->pat.len; k++) {
		const Exp *map = by_itself(d, s, k);
		if (!map || !(updates || is_larger(d, map)))
			continue;
		found(v, s->pat.at[k], map);
	}
}

// Reads in bodies further inside may be many more.
static void look_at_read(Visit *v, Sub *arr)
{
	Delay *d = v->ctx;
	if (d->in_rows && arr->kind == S_VAR && map_get(&d->bodies, var_key(arr->var)) != d->body)
		keep(v, arr);
}

static void look_at_body(Visit *, Body *);

// The maps inside of this one have a level more.
static void look_into_map(Visit *v, const Exp *e)
{
	Delay *d = v->ctx;
	Lambda *f = e->screma.map;
	uint64_t own = d->depth < MAX_LEVELS ? (uint64_t)1 << d->depth : 0;
	for (int i = 0; i < e->screma.arrs.len; i++)
		set_levels(&d->levels, f->params.at[i],
		           own | levels_of(&d->levels, e->screma.arrs.at[i]));
	d->depth++;
	look_at_body(v, &f->body);
	d->depth--;
	for EACH(Reduction, r, e->screma.scans)
		lambda_visit(&r->op, v);
	for EACH(Reduction, r, e->screma.reds)
		lambda_visit(&r->op, v);
}

static void set_all_levels(Delay *d, Vars vs, uint64_t bits)
{
	for EACH(Var, x, vs)
		set_levels(&d->levels, *x, bits);
}

static void look_at_body(Visit *v, Body *b)
{
	Delay *d = v->ctx;
	const Body *around = d->body;
	d->body = b;
	for EACH(Stm, s, b->stms) {
		Stm copy = *s;
		const Exp *e = s->exp;
		uint64_t bits = d->depth ? levels_of_exp(&d->levels, e) : 0;
		if (bits)
			set_all_levels(d, s->pat, bits);
		if (bits && e->form == E_loop)
			set_all_levels(d, e->loop.params, bits);
		if (may_go(d, s))
			found(v, s->pat.at[0], e);
		find_by_itself(v, s);
		if (e->form == E_screma) {
			for EACH(Sub, x, e->screma.arrs)
				look_at_read(v, x);
			for EACH(Reduction, r, e->screma.reds)
				for EACH(Sub, x, r->ne)
					keep(v, x);
			for EACH(Reduction, r, e->screma.scans)
				for EACH(Sub, x, r->ne)
					keep(v, x);
			look_into_map(v, e);
		} else if (e->form == E_index) {
			look_at_read(v, &copy.exp->index.arr);
		} else {
			exp_walk(copy.exp, v);
		}
	}
	for EACH(Sub, x, b->res)
		keep(v, x);
	d->body = around;
}

// ---- Reading elements ----

static const Exp *map_of(const Delay *d, Sub arr)
{
	const Exp *e = arr.kind == S_VAR ? map_get(&d->maps, var_key(arr.var)) : NULL;
	return e && !map_has(&d->kept, var_key(arr.var)) ? e : NULL;
}

// The element of the map for these elements of its inputs.
static Sub element_of(const Exp *map, Subs xs, StmVec *out)
{
	Lambda *f = lambda_rename(map->screma.map);
	for (int i = 0; i < xs.len; i++)
		VEC_PUSH(out, ((Stm){.pat = vars_of(1, f->params.at[i]),
		                     .exp = EXP(atom, xs.at[i])}));
	VEC_APPEND(out, f->body.stms);
	return f->body.res.at[0];
}

static void read_inputs(Delay *d, Exp *e)
{
	Lambda *f = e->screma.map = mem_dup(e->screma.map, sizeof *e->screma.map);
	SubVec arrs = {0};
	VEC(Var) params = {0};
	StmVec first = {0};
	for (int i = 0; i < e->screma.arrs.len; i++) {
		const Exp *map = map_of(d, e->screma.arrs.at[i]);
		if (!map) {
			VEC_PUSH(&arrs, e->screma.arrs.at[i]);
			VEC_PUSH(&params, f->params.at[i]);
			continue;
		}
		SubVec xs = {0};
		for EACH(Sub, a, map->screma.arrs) {
			Type t = type_plain(type_row(sub_type(*a)));
			Var p = var_new(name_of("x"), t);
			VEC_PUSH(&arrs, *a);
			VEC_PUSH(&params, p);
			VEC_PUSH(&xs, sub_var(p));
		}
		Sub y = element_of(map, VEC_SLICE(Subs, xs), &first);
		VEC_PUSH(&first, ((Stm){.pat = vars_of(1, f->params.at[i]), .exp = EXP(atom, y)}));
	}
	if (!first.len)
		return;
	VEC_APPEND(&first, f->body.stms);
	f->body.stms = VEC_SLICE(Stms, first);
	f->params = VEC_SLICE(Vars, params);
	e->screma.arrs = VEC_SLICE(Subs, arrs);
}

static void delay_body(Visit *v, Body *b)
{
	Delay *d = v->ctx;
	StmVec out = {0};
	for EACH(Stm, s, b->stms) {
		Stm t = *s;
		const Exp *map = t.exp->form == E_index ? map_of(d, t.exp->index.arr) : NULL;
		if (t.pat.len == 1 && map_of(d, sub_var(t.pat.at[0])))
			continue;
		if (map) {
			SubVec xs = {0};
			for EACH(Sub, a, map->screma.arrs) {
				Type row = type_plain(type_row(sub_type(*a)));
				Var x = var_new(name_of("x"), row);
				VEC_PUSH(&out, ((Stm){.pat = vars_of(1, x), .certs = t.certs,
				                      .where = t.where,
				                      .exp = EXP(index, *a, t.exp->index.idx)}));
				VEC_PUSH(&xs, sub_var(x));
			}
			t.exp = EXP(atom, element_of(map, VEC_SLICE(Subs, xs), &out));
		} else if (t.exp->form == E_screma) {
			t.exp = exp_dup(t.exp);
			read_inputs(d, t.exp);
		}
		VEC_PUSH(&out, t);
	}
	b->stms = VEC_SLICE(Stms, out);
	body_visit(b, v);
}

static Prog *delay_maps(Prog *prog, bool in_rows)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Delay d = {.alias = alias_of(prog), .in_rows = in_rows};
	Visit look = {.sub = keep, .body = look_at_body, .ctx = &d};
	for EACH(Fun *, f, out->funs)
		look_at_body(&look, &(*f)->body);
	bool any = false;
	for MAP_EACH(e, d.maps) {
		if (!map_has(&d.kept, e->key) && !may_rewrite())
			map_put(&d.kept, e->key, &d);
		any |= !map_has(&d.kept, e->key);
	}
	if (!any)
		return prog;
	Visit v = {.body = delay_body, .funs = &funs, .copy = true, .ctx = &d};
	for EACH(Fun *, f, out->funs)
		delay_body(&v, &(*f)->body);
	return out;
}

Prog *delay(Prog *prog) { return delay_maps(prog, false); }
Prog *delay_in_rows(Prog *prog) { return delay_maps(prog, true); }
