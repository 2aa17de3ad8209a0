// Reductions whose operator gives one of its operands, whole: the nearest of several hits with what
// was hit, an argmin with what comes along.
//
//     op (t, p) (u, q) = if u < t then (u, q) else (t, p)
//
//     y = reduce op ne as     k = the place that y comes from     as_adj[k] += y_adj
//
// The place is one more component of the reduction, chosen as the others are:
//
//     op' (t, p, i) (u, q, j) = if u < t then (u, q, j) else (t, p, i)
//
// All components with adjoints must come from the same operand; what the others are, which may
// decide which one that is, does not matter.  The place of the neutral element is -1: what is not
// neutral but where the reduction starts from, or the result of no elements, gets the adjoint.
#include "ad/vjp.h"

// Which components must be chosen, by which operator; the places of its operands.
typedef struct { const Lambda *op; const bool *tracked; Sub left, right; } Choice;

static bool are_params(const Choice *c, Subs res, int from)
{
	for (int i = 0; i < res.len; i++)
		if (c->tracked[i] && !sub_eq(res.at[i], sub_var(c->op->params.at[from + i])))
			return false;
	return true;
}

// The last statement that gives one of these.
static int giver_of(const Choice *c, const StmVec *stms, Subs res)
{
	for (int at = stms->len; at-- > 0;)
		for (int i = 0; i < res.len; i++)
			if (c->tracked[i] && vars_find(stms->at[at].pat, res.at[i]) >= 0)
				return at;
	return -1;
}

// What x is in branch `way` of statement s.  Choices on the same condition are made together.
static Sub in_branch(const StmVec *stms, const Stm *s, int way, Sub x)
{
	for EACH(Stm, t, *stms) {
		int k = vars_find(t->pat, x);
		if (k < 0 || (t != s && !(s->exp->form == E_if_ && is_select(t->exp) &&
		                          sub_eq(t->exp->if_.cond, s->exp->if_.cond))))
			continue;
		return branch_at(t->exp, way)->res.at[k];
	}
	return x;
}

// The place of the operand that these results are; false: they are none.
static bool find_place(const Choice *c, StmVec *stms, Subs res, Sub *out)
{
	int k = res.len;
	*out = c->left;
	if (are_params(c, res, 0))
		return true;
	*out = c->right;
	if (are_params(c, res, k))
		return true;
	int at = giver_of(c, stms, res);
	Exp *e = at < 0 || n_branches(stms->at[at].exp) == 0 ? NULL : choice_copy(stms->at[at].exp);
	for (int way = 0; e && way < n_branches(e); way++) {
		Body *b = branch_at(e, way);
		StmVec inner = {0};
		Subs rs = {NEW_ARRAY(Sub, k), k};
		Sub place;
		VEC_APPEND(&inner, b->stms);
		for (int i = 0; i < k; i++)
			rs.at[i] = in_branch(stms, &stms->at[at], way, res.at[i]);
		if (!find_place(c, &inner, rs, &place))
			return false;
		*b = (Body){VEC_SLICE(Stms, inner), subs_cat(b->res, subs_of(1, place))};
	}
	if (!e)
		return false;
	Stm s = stms->at[at];
	Var place = var_i64("place");
	s.exp = e;
	s.pat = vars_cat(s.pat, vars_of(1, place));
	stms->at[at] = s;
	*out = sub_var(place);
	return true;
}

// The operator with places; NULL: it does not choose these components.
static Lambda *with_places(const Lambda *op, const bool *tracked)
{
	int k = op->ret.len;
	Var i = var_i64("i"), j = var_i64("j");
	Choice c = {op, tracked, sub_var(i), sub_var(j)};
	StmVec stms = {0};
	Sub place;
	VEC_APPEND(&stms, op->body.stms);
	if (!find_place(&c, &stms, op->body.res, &place))
		return NULL;
	Vars left = vars_cat(vars_part(op->params, 0, k), vars_of(1, i));
	Vars right = vars_cat(vars_part(op->params, k, k), vars_of(1, j));
	TypeVec ret = {0};
	VEC_APPEND(&ret, op->ret);
	VEC_PUSH(&ret, type_scalar(PT_I64));
	return NEW(Lambda, .params = vars_cat(left, right), .ret = VEC_SLICE(Types, ret),
	           .body = {VEC_SLICE(Stms, stms), subs_cat(op->body.res, subs_of(1, place))});
}

bool chooses_floats(const Lambda *op)
{
	int k = op->ret.len;
	bool *tracked = NEW_ARRAY(bool, k + 1), any = false;
	for (int c = 0; c < k; c++)
		any |= tracked[c] = is_float(op->ret.at[c].elem);
	return any && with_places(op, tracked);
}

bool rev_choice(Vjp *v, const Stm *s, const Reduction *r, const Adj *ys)
{
	Build *b = v->b;
	int k = r->ne.len;
	Subs arrs = s->exp->screma.arrs;
	bool *tracked = NEW_ARRAY(bool, k + 1), any = false;
	for (int c = 0; c < k; c++)
		any |= tracked[c] = ys[c].kind == ADJ_VALUE;
	Lambda *op = any ? with_places(r->op, tracked) : NULL;
	if (!op)
		return false;
	Sub n = ret_sub(v, s->exp->screma.n), is = b_iota(b, n);
	Subs from = subs_cat(ret_subs(v, arrs), subs_of(1, is));
	Subs ne = subs_cat(ret_subs(v, r->ne), subs_of(1, sub_i64(-1)));
	Exp *e = EXP(screma, .n = n, .arrs = from, .map = identity_on(from),
	             .reds = {NEW(Reduction, plain_operator(v, op, false), ne, false), 1});
	Sub at = b_lets(b, "chosen", e->screma.reds.at[0].op->ret, e).at[k];
	Sub found = b_le(b, sub_i64(0), at);
	for (int c = 0; c < k; c++) {
		if (tracked[c] && takes(v, arrs.at[c]))
			adj_add_point(v, arrs.at[c], at, found, ys[c].val);
		if (tracked[c])
			adj_add_unless(v, r->ne.at[c], found, ys[c].val);
	}
	return true;
}
