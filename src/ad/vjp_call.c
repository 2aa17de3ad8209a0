// Calls in reverse mode.  Only recursive functions are still called, all others are inlined.
//
//     y = call f (x, a)       (x_part, a_adj) = call f_vjp (x, a, y_adj, a_adj);  x_adj += x_part
//
// The derived function takes the arguments, the sizes among the results, the adjoints of the
// results, and the current adjoints of active arrays, which it consumes and updates in place, so
// that a call that touches few elements costs little.  It returns the adjoints of the active
// arguments.  Its body is the forward sweep, as far as needed, and the return sweep, in which
// recursive calls are calls of the derived function.
//
// A second derived function also returns the results, for use where the first would execute each
// call twice; see vjp_both.c.
#include "ad/vjp.h"

static bool has_adjoint_type(Type t)
{
	return t.kind == T_DATA && t.elem != PT_BOOL;
}

static bool is_size(Vars telescope, Var x)
{
	for EACH(Var, y, telescope)
		for EACH(Sub, d, vars[y->id].type.dims)
			if (sub_eq(*d, sub_var(x)))
				return true;
	return false;
}

static Var renamed(Map *names, Var x, const char *suffix, bool bind)
{
	Visit vis = {.sub = subst_operand, .copy = true, .ctx = names};
	Type t = vars[x.id].type;
	type_visit(&t, &vis);
	t.unique = false;
	Var to = var_new(name_of(text("%s%s", vars[x.id].hint, suffix)), t);
	if (bind) {
		Sub s = sub_var(to);
		map_put(names, var_key(x), mem_dup(&s, sizeof s));
	}
	return to;
}

static Map not_both;                            // functions derived in vain: Fun -> itself

void calls_reset(void)
{
	not_both = (Map){0};
}

static void make_vjp(Fun *out, const Fun *fn, const bool *active);

// The results by a call of the function itself, the adjoints by one of the other derived function.
static Body body_of_two(const Fun *out, const Fun *fn, const bool *active)
{
	Build b = {.where = fn->where};
	Types vals = {NEW_ARRAY(Type, fn->res.len + 1), fn->res.len};
	Fun *f = fun_derived(fn, "vjp", active, make_vjp);
	Types ts = {NEW_ARRAY(Type, f->res.len + 1), f->res.len};
	for (int i = 0; i < fn->res.len; i++)
		vals.at[i] = vars[fn->res.at[i].id].type;
	for (int i = 0; i < f->res.len; i++) {
		ts.at[i] = vars[out->res.at[fn->res.len + i].id].type;
		ts.at[i].unique = false;
	}
	Subs all = subs_of_vars(out->params);
	b_open(&b);
	Subs y = b_lets(&b, "y", vals, EXP(call, (Fun *)fn, {all.at, fn->params.len}));
	Subs adjs = b_lets(&b, "adj", ts, EXP(call, f, all));
	return b_close(&b, subs_cat(y, adjs));
}

static void make_derived(Fun *out, const Fun *fn, const bool *active, bool both)
{
	Map names = {0};
	VarVec params = {0}, res = {0}, seeds = {0};
	for EACH(Var, p, fn->params)
		VEC_PUSH(&params, renamed(&names, *p, "", true));
	for EACH(Var, r, fn->res)
		if (is_size(fn->res, *r))
			VEC_PUSH(&params, renamed(&names, *r, "", true));
	for EACH(Var, r, fn->res)
		if (has_adjoint_type(vars[r->id].type)) {
			VEC_PUSH(&seeds, renamed(&names, *r, "_adj", false));
			VEC_PUSH(&params, seeds.at[seeds.len - 1]);
		}
	Adj *before = NEW_ARRAY(Adj, fn->params.len + 1);
	for (int i = 0; i < fn->params.len; i++) {
		if (!active[i])
			continue;
		VEC_PUSH(&res, renamed(&names, fn->params.at[i], "_adj", false));
		if (!vars[fn->params.at[i].id].type.dims.len)
			continue;
		Var so_far = renamed(&names, fn->params.at[i], "_adj", false);
		vars[so_far.id].type.unique = true;
		VEC_PUSH(&params, so_far);
		before[i] = adj_of(sub_var(so_far), true);
	}
	for EACH(Var, r, res)
		vars[r->id].type.unique = vars[r->id].type.dims.len > 0;
	out->params = VEC_SLICE(Vars, params);
	out->res = VEC_SLICE(Vars, res);
	if (both) {
		Vars ys = {NEW_ARRAY(Var, fn->res.len + 1), fn->res.len};
		for (int i = 0; i < ys.len; i++)
			ys.at[i] = renamed(&names, fn->res.at[i], "", false);
		out->res = vars_cat(ys, out->res);
	}
	Lambda l = {.params = fn->params,
	            .body = fn->body,
	            .ret = {NEW_ARRAY(Type, fn->res.len + 1), fn->res.len}};
	for (int i = 0; i < fn->res.len; i++)
		l.ret.at[i] = vars[fn->res.at[i].id].type;
	Subs args = {NEW_ARRAY(Sub, fn->params.len + 1), fn->params.len};
	for (int i = 0; i < args.len; i++)
		args.at[i] = sub_var(params.at[i]);
	Adj *adjs = NEW_ARRAY(Adj, fn->res.len + 1);
	int at = 0;
	for (int i = 0; i < fn->res.len; i++)
		if (has_adjoint_type(vars[fn->res.at[i].id].type))
			adjs[i] = adj_of(sub_var(seeds.at[at++]), false);
	Build b = {.where = fn->where};
	b_open(&b);
	Subs all, values = {0};
	bool ok = vjp_sweeps(&b, lambda_rename(&l), args, adjs, active, before,
	                     both ? &values : NULL, &all);
	out->body = b_close(&b, subs_cat(values, all));
	if (both && !ok) {
		map_put(&not_both, out, out);
		out->body = body_of_two(out, fn, active);
	}
}

static void make_vjp(Fun *out, const Fun *fn, const bool *active)
{
	make_derived(out, fn, active, false);
}

static void make_both(Fun *out, const Fun *fn, const bool *active)
{
	make_derived(out, fn, active, true);
}

// The derived function that gives the results too; NULL if it would execute calls twice.
static Fun *derived_both(const Fun *fn, const bool *active)
{
	for EACH(Var, r, fn->res)
		if (!type_is_scalar(vars[r->id].type))
			return NULL;
	Fun *f = fun_derived(fn, "vjp_both", active, make_both);
	return map_has(&not_both, f) ? NULL : f;
}

void rev_call(Vjp *v, Level *l, int at_stm)
{
	const Stm *s = &l->body->stms.at[at_stm];
	const Fun *fn = s->exp->call.fn;
	Subs args = s->exp->call.args;
	bool *active = NEW_ARRAY(bool, args.len + 1), any = false;
	for (int i = 0; i < args.len; i++) {
		active[i] = takes(v, args.at[i]);
		any |= active[i];
	}
	if (!any)
		return;
	bool wanted = l->all;
	for EACH(Var, x, s->pat)
		wanted |= cell_of(v, *x)->has_fwd;
	Body rest = {0};
	Fun *f = wanted && !v->many ? derived_both(fn, active) : NULL;
	bool both = f && by_return(v, l, at_stm, &rest);
	if (!both) {
		v->failed |= wanted;
		f = fun_derived(fn, "vjp", active, make_vjp);
	}
	Subs given = ret_subs(v, args);
	for (int i = 0; i < s->pat.len; i++)
		if (is_size(fn->res, fn->res.at[i]))
			given = subs_cat(given, subs_of(1, ret_var(v, s->pat.at[i])));
	for (int i = 0; i < s->pat.len; i++)
		if (has_adjoint_type(vars[fn->res.at[i].id].type))
			given = subs_cat(given, subs_of(1, adj_value(v, s->pat.at[i])));
	bool *inside = NEW_ARRAY(bool, args.len + 1);
	Types ts = {NEW_ARRAY(Type, args.len + 1), 0};
	for (int i = 0; i < args.len; i++) {
		if (!active[i])
			continue;
		ts.at[ts.len++] = ret_type(v, sub_type(args.at[i]));
		ts.at[ts.len - 1].unique = false;
		if (type_is_scalar(sub_type(args.at[i])))
			continue;
		inside[i] = adj_get(v, args.at[i].var).kind != ADJ_ACC;
		for (int j = 0; j < i; j++)
			inside[i] &= !sub_eq(args.at[i], args.at[j]);
		Sub so_far = inside[i] ? adj_owned(v, args.at[i].var)
		                       : ad_zero(v->b, ts.at[ts.len - 1]);
		given = subs_cat(given, subs_of(1, so_far));
	}
	Vars adjs = {NEW_ARRAY(Var, ts.len + 1), ts.len};
	for (int i = 0; i < ts.len; i++)
		adjs.at[i] = var_new(name_of("adj"), ts.at[i]);
	b_stm(v->b, both ? vars_cat(value_names(v, s), adjs) : adjs, EXP(call, f, given));
	emit_rest(v, &rest);
	Subs out = subs_of_vars(adjs);
	int at = 0;
	for (int i = 0; i < args.len; i++)
		if (active[i] && inside[i])
			adj_set(v, args.at[i].var, adj_of(out.at[at++], true));
		else if (active[i])
			adj_add(v, args.at[i], out.at[at++], true);
}
