// Splits maps of the backward sweep: the part that does not depend on cotangents becomes a map of
// the forward sweep, where it is fused with the map that it repeats.
//
//     let (a: [n]f64) = screma n (w, ct)                let (r: [n]f64) = screma n (w) map=\p -> {
//       map=\(p: [m]f64, c: f64) -> {                     let (s: f64) = screma m (p, x) ..
//         let (s: f64) = screma m (p, x) ..      ->         in s
//         let (b: f64) = mul.f64 s c                    }
//         in b                                          let (a: [n]f64) = screma n (w, ct, r)
//       }                                                 map=\(p: [m]f64, c: f64, s: f64) -> {
//                                                           let (b: f64) = mul.f64 s c
//                                                           in b
//                                                         }
//
// Reverse mode re-executes the body of a map in the return sweep instead of storing its values.
// Within one function that costs little, because the two maps are fused; across two functions the
// work would be done twice.  Nested maps are split first.  A part that is scalar arithmetic only
// stays in the backward sweep: recomputing it is cheaper than an array.
#include "ad/sweeps.h"

typedef struct { Map *late; Alias *alias; } Maps;

static Stms split_stms(const Maps *, Stms, StmVec *early);

// ---- One map ----

// Has every row the same size of this?
static bool is_regular(const Sweeps *w, const Lambda *fn, Var x)
{
	for EACH(Sub, d, vars[x.id].type.dims)
		if (d->kind == S_VAR && (map_has(&w->defs, var_key(d->var)) ||
		                         vars_find(fn->params, *d) >= 0))
			return false;
	return !is_consumed(w, x, BACKWARD) && !is_consumed(w, x, FORWARD);
}

static bool can_split(const Maps *m, const Sweeps *w, const Exp *e)
{
	for EACH(Var, r, w->residuals)
		if (!is_regular(w, e->screma.map, *r))
			return false;
	bool late = e->screma.n.kind == S_VAR && map_has(m->late, var_key(e->screma.n.var));
	return w->residuals.len && !late;
}

static Stms stms_of(const Sweeps *w, Sweep other)
{
	StmVec out = {0};
	for (int i = 0; i < w->stms.len; i++)
		if (w->sweep[i] != other)
			VEC_PUSH(&out, w->stms.at[i]);
	return VEC_SLICE(Stms, out);
}

// The map that gives the residuals of all rows.
static Stm early_map(const Maps *m, const Sweeps *w, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *fn = e->screma.map;
	Vars params = {NEW_ARRAY(Var, fn->params.len + 1), 0};
	Vars residuals = VEC_SLICE(Vars, w->residuals), pat = {NEW_ARRAY(Var, residuals.len), 0};
	Subs arrs = {NEW_ARRAY(Sub, fn->params.len + 1), 0};
	for (int i = 0; i < fn->params.len; i++)
		if (!map_has(m->late, var_key(fn->params.at[i]))) {
			params.at[params.len++] = fn->params.at[i];
			arrs.at[arrs.len++] = e->screma.arrs.at[i];
		}
	for EACH(Var, r, residuals)
		pat.at[pat.len++] = var_new(vars[r->id].hint,
		                            type_of_rows(e->screma.n, vars[r->id].type));
	Lambda early = {params, types_of_vars(residuals),
	                {stms_of(w, BACKWARD), subs_of_vars(residuals)}};
	Exp *exp = EXP(screma, .n = e->screma.n, .arrs = arrs, .map = lambda_rename(&early));
	return (Stm){.pat = pat, .exp = exp, .where = s->where};
}

static Exp *late_map(const Sweeps *w, const Exp *e, Vars residuals)
{
	const Lambda *fn = e->screma.map;
	Exp *out = exp_dup(e);
	Body body = {stms_of(w, FORWARD), fn->body.res};
	out->screma.arrs = subs_cat(e->screma.arrs, subs_of_vars(residuals));
	out->screma.map = NEW(Lambda, vars_cat(fn->params, VEC_SLICE(Vars, w->residuals)), fn->ret,
	                      drop_certs(w, body));
	return out;
}

static Stm split_map(const Maps *m, Stm s, StmVec *early)
{
	const Exp *e = s.exp;
	const Lambda *fn = e->screma.map;
	for (int i = 0; i < fn->params.len; i++) {
		Sub a = e->screma.arrs.at[i];
		if (vars[fn->params.at[i].id].type.kind != T_DATA ||
		    (a.kind == S_VAR && map_has(m->late, var_key(a.var))))
			map_put(m->late, var_key(fn->params.at[i]), m->late);
	}
	Sweeps w = {.stms = split_stms(m, fn->body.stms, NULL), .late = m->late,
	            .alias = m->alias};
	find_sweeps(&w, (Subs){0}, fn->body.res);
	if (!can_split(m, &w, e))
		return s;
	Stm first = early_map(m, &w, &s);
	VEC_PUSH(early, first);
	s.exp = late_map(&w, e, first.pat);
	return s;
}

// ---- All of them ----

// The function of a withacc runs once: what comes out of maps inside goes before it.  It may not
// use what is bound inside.
static Stm split_withacc(const Maps *m, Stm s, StmVec *early)
{
	const Lambda *fn = s.exp->withacc.fn;
	vars_put(m->late, fn->params, m->late);
	for EACH(Stm, inner, fn->body.stms)
		vars_put(m->late, inner->pat, m->late);
	Body body = {split_stms(m, fn->body.stms, early), fn->body.res};
	s.exp = exp_dup(s.exp);
	s.exp->withacc.fn = NEW(Lambda, fn->params, fn->ret, body);
	return s;
}

// early: where the maps go that come out of maps, NULL: before these.
static Stms split_stms(const Maps *m, Stms stms, StmVec *early)
{
	StmVec out = {0};
	for EACH(Stm, s, stms) {
		Stm now = *s;
		if (stm_mentions(&now, m->late)) {
			vars_put(m->late, now.pat, m->late);
			if (now.exp->form == E_screma)
				now = split_map(m, now, early ? early : &out);
			else if (now.exp->form == E_withacc)
				now = split_withacc(m, now, early ? early : &out);
		}
		VEC_PUSH(&out, now);
	}
	return VEC_SLICE(Stms, out);
}

Stms split_maps(Stms stms, Map *late, Alias *alias)
{
	Maps m = {late, alias};
	return split_stms(&m, stms, NULL);
}
