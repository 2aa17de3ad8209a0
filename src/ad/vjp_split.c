// Splits statements that return both accumulators and other values.
//
//     (acc', ys) = screma n (xs, acc) map=..    ->   ys = screma n (xs) map=.. without upd_acc
//                                                    (acc', _) = screma n (xs, acc) map=..
//
// The return sweep re-executes the values but not the updates of accumulators, which have taken
// effect already.  Such statements stem from an inner derivative.
#include "ad/vjp.h"

// Is it an accumulator of those that go, by their tokens?
static bool goes(const Map *tokens, Type t)
{
	return t.kind == T_ACC && map_has(tokens, var_key(t.acc->token));
}

static Subs keep_subs(const Map *m, Subs s)
{
	Subs out = {NEW_ARRAY(Sub, s.len + 1), 0};
	for EACH(Sub, x, s)
		if (!goes(m, sub_type(*x)))
			out.at[out.len++] = *x;
	return out;
}

static Vars keep_vars(const Map *m, Vars s)
{
	Vars out = {NEW_ARRAY(Var, s.len + 1), 0};
	for EACH(Var, x, s)
		if (!goes(m, vars[x->id].type))
			out.at[out.len++] = *x;
	return out;
}

static Body without(const Map *, Body);

static Lambda *lambda_without(const Map *m, const Lambda *f)
{
	Types ret = {NEW_ARRAY(Type, f->ret.len + 1), 0};
	for EACH(Type, t, f->ret)
		if (!goes(m, *t))
			ret.at[ret.len++] = *t;
	return NEW(Lambda, .params = keep_vars(m, f->params), .ret = ret,
	           .body = without(m, f->body));
}

// The statement without these accumulators; false if nothing is left of it.
static bool stm_without(const Map *m, Stm *s)
{
	if (s->exp->form == E_upd_acc && goes(m, sub_type(s->exp->upd_acc.acc)))
		return false;
	int before = s->pat.len;
	s->pat = keep_vars(m, s->pat);
	if (before && !s->pat.len)
		return false;
	if (!form_has(s->exp->form, FORM_NEST) && s->exp->form != E_atom &&
	    s->exp->form != E_opaque)
		return true;
	Exp *e = s->exp = exp_dup(s->exp);
	if (e->form == E_screma) {
		e->screma.arrs = keep_subs(m, e->screma.arrs);
		e->screma.map = lambda_without(m, e->screma.map);
	} else if (e->form == E_loop) {
		e->loop.inits = keep_subs(m, e->loop.inits);
		e->loop.params = keep_vars(m, e->loop.params);
		e->loop.body = without(m, e->loop.body);
	} else if (n_branches(e)) {
		*e = *choice_copy(e);
		for (int i = 0; i < n_branches(e); i++)
			*branch_at(e, i) = without(m, *branch_at(e, i));
	} else if (e->form == E_withacc) {
		e->withacc.fn = lambda_without(m, e->withacc.fn);
	} else if (e->form == E_flatmap) {
		e->flatmap.arrs = keep_subs(m, e->flatmap.arrs);
		e->flatmap.map = lambda_without(m, e->flatmap.map);
	} else if (e->form == E_opaque) {
		e->opaque.xs = keep_subs(m, e->opaque.xs);
	}
	return true;
}

static Body without(const Map *m, Body b)
{
	VEC(Stm) stms = {0};
	for EACH(Stm, s, b.stms) {
		Stm t = *s;
		if (stm_without(m, &t))
			VEC_PUSH(&stms, t);
	}
	return (Body){VEC_SLICE(Stms, stms), keep_subs(m, b.res)};
}

// How many accumulators a statement gives; `tokens` are theirs.
static int accs_given(const Stm *s, Map *tokens)
{
	int n = 0;
	for EACH(Var, x, s->pat)
		if (sub_is_acc(sub_var(*x))) {
			map_put(tokens, var_key(vars[x->id].type.acc->token), tokens);
			n++;
		}
	return n;
}

Stm vjp_values(const Stm *s)
{
	Map tokens = {0};
	Stm out = *s;
	if (accs_given(s, &tokens) && !stm_without(&tokens, &out))
		bug("an accumulator is asked for in a return sweep");
	return out;
}

bool vjp_split(const Stm *s, Stm *values, Stm *accs)
{
	Map tokens = {0};
	int n = accs_given(s, &tokens);
	if (!n || n == s->pat.len)
		return false;
	Body copy = body_rename((Body){.stms = {(Stm *)s, 1}});
	*accs = copy.stms.at[0];
	accs->pat = SLICE_DUP(Vars, accs->pat);
	for (int i = 0; i < s->pat.len; i++)
		if (sub_is_acc(sub_var(s->pat.at[i])))
			accs->pat.at[i] = s->pat.at[i];
	*values = *s;
	return stm_without(&tokens, values);
}
