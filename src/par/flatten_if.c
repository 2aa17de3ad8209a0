// Maps in one branch of an `if` whose condition differs from row to row of a nest.
//
//     let (ys: [m]f64) = if c then {x = ..; (zs: [m]f64) = screma m (as) map=f in zs} else {es}
// becomes
//     let (ys: [m]f64) = screma m (iota m) map=\(j: i64) : (f64) -> {
//       let (y: f64) = if c then {x = ..; f as[j]} else {es[j]}  in y
//     }
//
// so that its elements are done by threads of their own.  Accumulators go through both.
#include "par/flatten.h"

typedef struct {
	bool yes;                               // the map is in the first branch
	const Body *with, *without;             // the branch that has it, the other
	const Stm *map;                         // the last statement of `with`
} Guarded;

// Elements of a replicate cost nothing.
static bool are_cheap(Stms stms)
{
	for EACH(Stm, s, stms)
		if (!is_again_form(s->exp) && s->exp->form != E_replicate)
			return false;
	return true;
}

static bool is_result(const Stm *s, Sub x)
{
	for EACH(Var, v, s->pat)
		if (sub_eq(x, sub_var(*v)))
			return true;
	return false;
}

static bool find(Flatten *f, const Exp *e, bool yes, Guarded *g)
{
	*g = (Guarded){.yes = yes, .with = yes ? &e->if_.yes : &e->if_.no,
	               .without = yes ? &e->if_.no : &e->if_.yes};
	int n = g->with->stms.len;
	if (!n || !are_cheap(g->without->stms))
		return false;
	g->map = &g->with->stms.at[n - 1];
	const Exp *m = g->map->exp;
	if (!are_cheap((Stms){g->with->stms.at, n - 1}) || m->form != E_screma ||
	    m->screma.scans.len || m->screma.reds.len || !goes_apart(f, g->map) ||
	    g->with->res.len != g->map->pat.len)
		return false;
	for EACH(Sub, r, g->with->res)
		if (!is_result(g->map, *r))
			return false;
	return true;
}

static bool find_guarded(Flatten *f, const Stm *s, Guarded *g)
{
	return find(f, s->exp, true, g) || find(f, s->exp, false, g);
}

bool if_goes_apart(Flatten *f, const Stm *s)
{
	Guarded g;
	return find_guarded(f, s, &g);
}

// ---- The map around ----

static void set(Map *to, Var v, Sub x)
{
	map_put(to, var_key(v), mem_dup(&x, sizeof x));
}

static Body emit_element(const Guarded *g, Sub j, Map *to)
{
	const Exp *m = g->map->exp;
	const Lambda *map = m->screma.map;
	Build b = {.where = g->map->where};
	Body cheap = {.stms = {g->with->stms.at, g->with->stms.len - 1}, .res = m->screma.arrs};
	b_open(&b);
	cheap = body_subst(cheap, to);
	for EACH(Stm, s, cheap.stms)
		b_emit(&b, *s);
	for (int k = 0; k < map->params.len; k++) {
		Var p = map->params.at[k];
		Sub x = cheap.res.at[k];
		if (sub_type(x).kind != T_ACC)
			x = b_index(&b, x, subs_of(1, j));
		if (vars[p.id].type.unique && sub_type(x).dims.len)
			x = b_copy(&b, x);
		set(to, p, x);
	}
	Body body = body_subst(map->body, to);
	b.certs = body_subst((Body){.stms = {(Stm *)g->map, 1}}, to).stms.at[0].certs;
	for EACH(Stm, s, body.stms)
		b_emit(&b, *s);
	Subs res = SLICE_DUP(Subs, g->with->res);
	for EACH(Sub, r, res)
		for (int i = 0; i < g->map->pat.len; i++)
			if (r->kind == S_VAR && r->var.id == g->map->pat.at[i].id) {
				*r = body.res.at[i];
				break;
			}
	return b_close(&b, res);
}

static Body emit_other(const Guarded *g, Sub j, Map *to)
{
	Build b = {.where = g->map->where};
	Body other = body_subst(*g->without, to);
	b_open(&b);
	for EACH(Stm, s, other.stms)
		b_emit(&b, *s);
	other.res = SLICE_DUP(Subs, other.res);
	for EACH(Sub, x, other.res)
		if (sub_type(*x).kind != T_ACC)
			*x = b_index(&b, *x, subs_of(1, j));
	return b_close(&b, other.res);
}

// The accumulators that the map takes become parameters of the one around.
static void pass_accs(const Exp *m, SubVec *arrs, Vars *params, Map *to)
{
	for EACH(Sub, a, m->screma.arrs) {
		if (sub_type(*a).kind != T_ACC)
			continue;
		Var p = var_new(name_of("acc"), sub_type(*a));
		VEC_PUSH(arrs, *a);
		params->at[params->len++] = p;
		set(to, a->var, sub_var(p));
	}
}

Stm map_of_if(Flatten *f, const Stm *s)
{
	Guarded g;
	if (!find_guarded(f, s, &g))
		bug("a map that was found before is gone");
	const Exp *m = g.map->exp;
	Map to = {0};
	SubVec arrs = {0};
	Vars params = {NEW_ARRAY(Var, m->screma.arrs.len + 1), 0};
	Var j = var_new(name_of("j"), type_scalar(PT_I64));
	VEC_PUSH(&arrs, b_iota(&f->b, m->screma.n));
	note_iota(f, &(Stm){.pat = vars_of(1, arrs.at[0].var), .exp = NEW(Exp, .form = E_iota,
		.iota = {PT_I64, m->screma.n, sub_i64(0), sub_i64(1)})});
	params.at[params.len++] = j;
	pass_accs(m, &arrs, &params, &to);
	Body with = emit_element(&g, sub_var(j), &to), other = emit_other(&g, sub_var(j), &to);
	Types ret = {NEW_ARRAY(Type, s->pat.len), s->pat.len};
	for (int i = 0; i < ret.len; i++) {
		Type t = vars[s->pat.at[i].id].type;
		ret.at[i] = t.kind == T_ACC ? t : type_row(t);
		ret.at[i].unique = false;
	}
	Build b = {.where = s->where};
	b_open(&b);
	Subs res = b_lets(&b, "r", ret, NEW(Exp, .form = E_if_, .if_ = {s->exp->if_.cond,
		g.yes ? with : other, g.yes ? other : with}));
	Lambda *map = NEW(Lambda, .params = params, .ret = ret, .body = b_close(&b, res));
	Stm out = *s;
	out.exp = NEW(Exp, .form = E_screma, .screma = {.n = m->screma.n,
		.arrs = VEC_SLICE(Subs, arrs), .map = map});
	note_inside(f, map);
	note_counting(f, out.exp);
	return out;
}
