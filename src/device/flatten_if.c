// Maps inside branches whose condition varies between the rows of a nest.
//
//     let (ys: [m]f64) = if c then {x = ..; (zs: [m]f64) = screma m (as) map=f in zs} else {es}
// becomes
//     let (ys: [m]f64) = screma m (iota m) map=\(j: i64) : (f64) -> {
//       let (y: f64) = if c then {x = ..; f as[j]} else {es[j]}  in y
//     }
//
// Each element then has a thread of its own.  A branch may contain several maps of the same size,
// each of which reads only its own row of the results of the others; the return sweep of a branch
// has this form on both sides.  Accumulators are threaded through all of them.
#include "device/flatten.h"

// ---- What may become one map ----

// Elements of a replicate cost nothing.
static bool is_cheap(const Stm *s)
{
	return is_again_form(s->exp) || s->exp->form == E_replicate;
}

typedef struct {
	Flatten *f;
	Sub n;                                  // rows of all maps
	int maps;
	bool any;                               // is there a map that goes apart?
	Map made;                               // what maps make: arrays of n rows
} Guarded;

static bool is_made(const Guarded *g, Sub x)
{
	return x.kind == S_VAR && map_has(&g->made, var_key(x.var));
}

// Does it read of what maps have made only rows that are inputs of its own?
static bool reads_own_rows(const Guarded *g, const Stm *s)
{
	Stm rest = *s;
	if (is_map(s->exp)) {
		rest.exp = exp_dup(s->exp);
		rest.exp->screma.arrs = (Subs){0};
	}
	return !stm_mentions(&rest, &g->made);
}

static bool add_map(Guarded *g, const Stm *s)
{
	if (g->maps++ && !sub_eq(g->n, s->exp->screma.n))
		return false;
	g->n = s->exp->screma.n;
	g->any |= goes_apart(g->f, s);
	for EACH(Var, v, s->pat)
		if (vars[v->id].type.kind != T_ACC)
			map_put(&g->made, var_key(*v), g);
	return true;
}

static bool is_guarded(Guarded *g, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!(is_map(s->exp) || is_cheap(s)) || !reads_own_rows(g, s) ||
		    (is_map(s->exp) && !add_map(g, s)))
			return false;
	return true;
}

bool if_goes_apart(Flatten *f, const Stm *s)
{
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	Guarded g = {.f = f};
	if (!is_guarded(&g, yes) || !is_guarded(&g, no) || !g.any)
		return false;
	for (int i = 0; i < s->pat.len; i++)
		if (!sub_is_acc(yes->res.at[i]) && !is_made(&g, yes->res.at[i]) &&
		    !is_made(&g, no->res.at[i]))
			return false;
	return true;
}

// ---- The map around ----

// What x, an array of rows, has in row j.
static Sub emit_row(Build *b, const Guarded *g, Sub x, Sub j, const Map *to)
{
	Sub y = sub_subst(to, x);
	return sub_is_acc(y) || is_made(g, x) ? y : b_index(b, y, subs_of(1, j));
}

static Stm stm_subst(const Stm *s, Map *to)
{
	Stm copy = *s;
	return body_subst((Body){.stms = {&copy, 1}}, to).stms.at[0];
}

static void emit_map_row(Build *b, const Guarded *g, const Stm *s, Sub j, Map *to)
{
	const Exp *m = s->exp;
	const Lambda *map = m->screma.map;
	Vars certs = b->certs;
	b->certs = stm_subst(s, to).certs;
	for (int k = 0; k < map->params.len; k++) {
		Var p = map->params.at[k];
		Sub x = emit_row(b, g, m->screma.arrs.at[k], j, to);
		if (vars[p.id].type.unique && sub_type(x).dims.len)
			x = b_copy(b, x);
		subst_put(to, p, x);
	}
	Body body = body_subst(map->body, to);
	b_emit_all(b, body.stms);
	for (int i = 0; i < s->pat.len; i++)
		subst_put(to, s->pat.at[i], body.res.at[i]);
	b->certs = certs;
}

// What the branch gives in row j.
static Body emit_branch(const Guarded *g, const Body *branch, const Where *where, Sub j, Map to)
{
	Build b = {.where = where};
	Map here = {0};
	for MAP_EACH(e, to)
		map_put(&here, e->key, e->val);
	b_open(&b);
	for EACH(Stm, s, branch->stms)
		if (is_map(s->exp))
			emit_map_row(&b, g, s, j, &here);
		else
			b_emit(&b, stm_subst(s, &here));
	Subs res = SLICE_DUP(Subs, branch->res);
	for EACH(Sub, x, res)
		*x = emit_row(&b, g, *x, j, &here);
	return b_close(&b, res);
}

typedef struct { SubVec arrs; VEC(Var) params; Map to; } Around;

// Accumulators from outside become parameters of the map around.
static void pass_acc(Around *a, const Map *bound, Sub x)
{
	if (!sub_is_acc(x) || map_has(bound, var_key(x.var)) || map_has(&a->to, var_key(x.var)))
		return;
	Var p = var_new(name_of("acc"), sub_type(x));
	VEC_PUSH(&a->arrs, x);
	VEC_PUSH(&a->params, p);
	subst_put(&a->to, x.var, sub_var(p));
}

static void pass_accs(Around *a, const Body *branch)
{
	Map bound = {0};
	for EACH(Stm, s, branch->stms) {
		if (is_map(s->exp))
			for EACH(Sub, x, s->exp->screma.arrs)
				pass_acc(a, &bound, *x);
		vars_put(&bound, s->pat, a);
	}
	for EACH(Sub, x, branch->res)
		pass_acc(a, &bound, *x);
}

Stm map_of_if(Flatten *f, const Stm *s)
{
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	Guarded g = {.f = f};
	if (!is_guarded(&g, yes) || !is_guarded(&g, no))
		bug("maps that were found before are gone");
	Around a = {0};
	Var j = var_i64("j");
	VEC_PUSH(&a.arrs, b_iota(&f->b, g.n));
	note_iota(f, &(Stm){.pat = vars_of(1, a.arrs.at[0].var),
	                    .exp = EXP(iota, PT_I64, g.n, sub_i64(0), sub_i64(1))});
	VEC_PUSH(&a.params, j);
	pass_accs(&a, yes);
	pass_accs(&a, no);
	Types ret = {NEW_ARRAY(Type, s->pat.len), s->pat.len};
	for (int i = 0; i < ret.len; i++) {
		Type t = vars[s->pat.at[i].id].type;
		ret.at[i] = t.kind == T_ACC ? t : type_row(t);
		ret.at[i].unique = false;
	}
	Build b = {.where = s->where};
	b_open(&b);
	Body first = emit_branch(&g, yes, s->where, sub_var(j), a.to),
	     other = emit_branch(&g, no, s->where, sub_var(j), a.to);
	Subs res = b_lets(&b, "r", ret, EXP(if_, s->exp->if_.cond, first, other));
	Lambda *map = NEW(Lambda, .params = VEC_SLICE(Vars, a.params), .ret = ret,
		.body = b_close(&b, res));
	Stm out = *s;
	out.exp = EXP(screma, .n = g.n, .arrs = VEC_SLICE(Subs, a.arrs), .map = map);
	note_inside(f, map);
	note_counting(f, out.exp);
	return out;
}
