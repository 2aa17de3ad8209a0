// Primal values that are computed by the return sweep.
//
//     y = call f x                      t = x_adj's share ..         what does not depend on y
//     z = c * y                         (y, x_adj) = call f_both (x, y_adj, x_adj)
//                                       c_adj = z_adj * y            what does
//     z_adj is known                    z = c * y                    late
//
// If the return sweep of a recursive function first re-executes its calls, each level of the
// recursion costs one more execution.  But if the adjoint of a call's result does not depend on
// that result, as in sums of products, the derived function can return the result as well, and
// each call is executed once.  Branches and loops around such calls return their values in the
// same way; a loop only if its iterations pass on adjoints unchanged, so that it can run forwards.
#include "ad/vjp.h"

bool holds_call(const Stm *s)
{
	return stm_is_call(s) || exp_find(s->exp, stm_is_call);
}

void want_results(Vjp *v, const Level *l)
{
	for EACH(Sub, r, l->body->res) {
		const Cell *c = r->kind == S_VAR ? cell_of(v, r->var) : NULL;
		if (c && c->level == l)
			fwd_var(v, r->var);
	}
}

Vars value_names(Vjp *v, const Stm *s)
{
	Vars out = {NEW_ARRAY(Var, s->pat.len + 1), s->pat.len};
	for (int i = 0; i < s->pat.len; i++)
		out.at[i] = fwd_var(v, s->pat.at[i]).var;
	return out;
}

static bool all_scalars(Vars vs)
{
	for EACH(Var, x, vs)
		if (vars[x->id].type.kind == T_ACC || vars[x->id].type.dims.len)
			return false;
	return true;
}

static bool is_plain(const Plan *p)
{
	return !p->copy_from.len && !p->keeps && !p->loop && !p->tape.len && !p->saved;
}

// The statements after this one that need its values; `names` are those of theirs.
static bool find_late(Vjp *v, const Level *l, int at, bool *late, Map *names)
{
	Map from = {0};
	vars_put(&from, l->body->stms.at[at].pat, names);
	for (int j = at + 1; j < l->body->stms.len; j++) {
		const Stm *s = &l->body->stms.at[j];
		if (!vars_any_in(free_in_stm(s), &from))
			continue;
		vars_put(&from, s->pat, names);
		if (!l->taken[j] || l->plans[j].by_return)
			continue;
		if (!is_plain(&l->plans[j]) || !all_scalars(s->pat))
			return false;
		late[j] = true;
		for EACH(Var, x, s->pat)
			map_put(names, var_key(fwd_var(v, *x).var), names);
	}
	return true;
}

// Which statements of the return sweep so far need the values; `made` is what these make.
static bool find_rest(const Body *so_far, const Map *late, Map *made, bool *rest)
{
	for (int i = 0; i < so_far->stms.len; i++) {
		const Stm *s = &so_far->stms.at[i];
		Vars free = free_in_stm(s);
		if (vars_any_in(free, late))
			return false;
		if (!vars_any_in(free, made))
			continue;
		if (!all_scalars(free) || !all_scalars(s->pat))
			return false;
		rest[i] = true;
		vars_put(made, s->pat, made);
	}
	return true;
}

static bool adjoints_are_known(Vjp *v, Vars xs, const Map *made)
{
	for EACH(Var, x, xs) {
		Adj a = adj_peek(v, *x);
		if (a.kind == ADJ_POINT || a.kind == ADJ_ACC ||
		    (a.kind == ADJ_VALUE && a.val.kind == S_VAR &&
		     map_has(made, var_key(a.val.var))))
			return false;
	}
	return true;
}

// The variables whose adjoints so far the statement's return sweep takes: calls add to those of
// scalars afterwards.
static Vars handed_in(Vjp *v, const Stm *s)
{
	Vars all = takers(v, free_in_stm(s)), out = {NEW_ARRAY(Var, all.len + 1), 0};
	for EACH(Var, x, all)
		if (s->exp->form != E_call || vars[x->id].type.dims.len)
			out.at[out.len++] = *x;
	return out;
}

bool by_return(Vjp *v, Level *l, int at, Body *rest)
{
	const Stm *s = &l->body->stms.at[at];
	if (v->many || v->b->top != l->ret || !all_scalars(s->pat))
		return false;
	bool *late = NEW_ARRAY(bool, l->body->stms.len + 1);
	Map names = {0}, made = {0};
	if (!find_late(v, l, at, late, &names))
		return false;
	for EACH(Var, x, s->pat)
		map_put(&made, var_key(fwd_var(v, *x).var), &made);
	Body so_far = b_close(v->b, (Subs){0});
	bool *goes = NEW_ARRAY(bool, so_far.stms.len + 1);
	b_open(v->b);
	l->ret = v->b->top;
	bool ok = find_rest(&so_far, &names, &made, goes) && adjoints_are_known(v, s->pat, &made) &&
	          adjoints_are_known(v, handed_in(v, s), &made);
	VEC(Stm) later = {0};
	for (int i = 0; i < so_far.stms.len; i++)
		if (ok && goes[i])
			VEC_PUSH(&later, so_far.stms.at[i]);
		else
			b_emit(v->b, so_far.stms.at[i]);
	if (!ok)
		return false;
	*rest = (Body){.stms = VEC_SLICE(Stms, later)};
	for (int j = 0; j < l->body->stms.len; j++)
		l->late[j] |= late[j];
	l->plans[at].by_return = true;
	return true;
}

void emit_rest(Vjp *v, const Body *rest)
{
	b_emit_all(v->b, rest->stms);
}
