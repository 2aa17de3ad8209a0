// The scalars of a loop that are linear in sums over one space (late_sums.c).
#include "device/late_sums.h"

// Vectors that a loop may get.
enum { MOST_VECTORS = 16 };

bool late_has(const Late *l, Sub x)
{
	return x.kind == S_VAR && map_get(&l->group, var_key(x.var));
}

bool late_is_sum(const Late *l, Var x)
{
	return map_has(&l->space, var_key(x)) && late_has(l, sub_var(x));
}

static bool drop(Late *l, Sub x)
{
	bool was = late_has(l, x);
	if (was)
		map_put(&l->group, var_key(x.var), NULL);
	return was;
}

// ---- Sums ----

bool late_is_neutral(const Late *l, Sub x)
{
	if (x.kind != S_CONST)
		return false;
	PrimType t = x.val.type;
	if (l->op == P_add)
		return scalar_eq_bits(x.val, scalar_int(t, 0));
	double far = l->op == P_min ? 1.0 / 0.0 : -1.0 / 0.0;
	return is_float(t) && scalar_eq_bits(x.val, scalar_float(t, far));
}

int place_of_reduction(const Exp *e, int k)
{
	Reductions before = {e->screma.reds.at, k};
	return n_reduced(e->screma.scans) + n_reduced(before);
}

static bool combines(const Late *l, const Reduction *r)
{
	const Exp *p = lambda_prim(r->op);
	return p && p->prim.op == l->op && late_is_neutral(l, r->ne.at[0]);
}

// The reduction of a combinator among these statements that gives x; -1: there is none.
static int reduction_of(const Late *l, const Stm *s, Sub x)
{
	if (!s || s->exp->form != E_screma || has_attrs(s->attrs))
		return -1;
	for (int k = 0; k < s->exp->screma.reds.len; k++)
		if (sub_eq(x, sub_var(s->pat.at[place_of_reduction(s->exp, k)])))
			return combines(l, &s->exp->screma.reds.at[k]) ? k : -1;
	return -1;
}

// The combinator inside of a row that gives the value that is summed, as a sum; or NULL.
static const Stm *inner_sum(const Late *l, const Exp *e, int k)
{
	const Body *b = &e->screma.map->body;
	Sub r = b->res.at[place_of_reduction(e, k)];
	const Stm *s = stm_in(b, r);
	return reduction_of(l, s, r) >= 0 && n_uses_in(b, r.var) == 1 && !s->certs.len ? s : NULL;
}

// The sizes that a sum goes through; none if one of them is not known before the loop.
static Subs space_of(const Late *l, const Stm *s, int k)
{
	VEC(Sub) dims = {0};
	while (s) {
		const Exp *e = s->exp;
		Sub n = e->screma.n;
		if (loop_binds(l->loop, n))
			return (Subs){0};
		VEC_PUSH(&dims, n);
		s = inner_sum(l, e, k);
		Sub r = e->screma.map->body.res.at[place_of_reduction(e, k)];
		k = reduction_of(l, s, r);
	}
	return VEC_SLICE(Subs, dims);
}

// ---- Which scalars are linear in them ----

// All of them are to belong to the group; 0: the result does not.
int linear_operands(const Late *l, const Stm *s, Sub out[2])
{
	const Exp *e = s->exp;
	if (e->form != E_prim || s->certs.len || (l->op != P_add && e->prim.op != l->op))
		return 0;
	bool x = late_has(l, e->prim.x[0]), y = late_has(l, e->prim.x[1]);
	out[0] = e->prim.x[0];
	out[1] = e->prim.x[1];
	switch (e->prim.op) {
	case P_min: case P_max:
		return e->prim.op == l->op ? 2 : 0;
	case P_add: case P_sub:
		return 2;
	case P_neg:
		return 1;
	case P_mul:
		out[0] = x ? out[0] : out[1];
		return x != y;
	case P_div:
		return x && !y && is_float(e->prim.at);
	default:
		return 0;
	}
}

bool late_is_linear(const Late *l, const Stm *s)
{
	return s->exp->form == E_prim && late_has(l, sub_var(s->pat.at[0]));
}

static bool drop_vars(Late *l, Vars vs)
{
	bool any = false;
	for EACH(Var, v, vs)
		any |= drop(l, sub_var(*v));
	return any;
}

// All of them or none.
static bool drop_together(Late *l, const Stm *s, const Sub *lin, int n)
{
	Sub x = sub_var(s->pat.at[0]);
	bool all = late_has(l, x), any = false;
	for (int i = 0; i < n; i++)
		all &= late_has(l, lin[i]);
	if (all)
		return false;
	any |= drop(l, x);
	for (int i = 0; i < n; i++)
		any |= drop(l, lin[i]);
	return any;
}

static bool drop_of_stm(Late *l, const Stm *s)
{
	Sub lin[2];
	int n = linear_operands(l, s, lin);
	if (n)
		return drop_together(l, s, lin, n);
	bool any = drop_vars(l, free_in_stm(s));
	for EACH(Var, v, s->pat)
		any |= !map_has(&l->space, var_key(*v)) && drop(l, sub_var(*v));
	return any;
}

// Leaves what is used by nothing else.
static void drop_others(Late *l)
{
	for (bool more = true; more;) {
		more = false;
		for EACH(const Stm, s, l->body->stms)
			more |= drop_of_stm(l, s);
		for (int k = 0; k < l->body->res.len; k++) {
			Sub p = sub_var(l->loop->loop.params.at[k]), r = l->body->res.at[k];
			if (!late_has(l, p) || !late_has(l, r))
				more |= drop(l, p) | drop(l, r);
		}
	}
}

static bool is_number(const Late *l, Type t)
{
	return type_is_scalar(t) && t.elem != PT_BOOL && (l->op == P_add || is_float(t.elem));
}

static void put_candidates(Late *l)
{
	for EACH(Var, p, l->loop->loop.params)
		if (is_number(l, vars[p->id].type))
			map_put(&l->group, var_key(*p), l);
	for EACH(const Stm, s, l->body->stms)
		for EACH(Var, x, s->pat) {
			int k = reduction_of(l, s, sub_var(*x));
			Subs dims = k < 0 ? (Subs){0} : space_of(l, s, k);
			if (dims.len)
				map_put(&l->space, var_key(*x), NEW(Subs, dims.at, dims.len));
			if (dims.len ||
			    (s->exp->form == E_prim && is_number(l, vars[x->id].type)))
				map_put(&l->group, var_key(*x), l);
		}
}

// Keeps the sums of one space, that of the first.
static void choose_space(Late *l)
{
	for EACH(const Stm, s, l->body->stms)
		for EACH(Var, x, s->pat) {
			if (!late_is_sum(l, *x))
				continue;
			const Subs *dims = map_get(&l->space, var_key(*x));
			l->dims = l->dims.len ? l->dims : *dims;
			if (!subs_eq(*dims, l->dims))
				drop(l, sub_var(*x));
		}
	drop_others(l);
}

// What parameters a scalar of the group depends on: one, with the coefficient 1, NONE or OTHERS.
enum { OTHERS = -2, NONE = -1 };

static int depends(const Map *known, Sub x)
{
	const int *k = map_get(known, var_key(x.var));
	return k ? *k : NONE;                   // a sum
}

static int depends_by(const Late *l, const Map *known, const Stm *s, const Sub *lin, int n)
{
	int a = depends(known, lin[0]), b = n == 2 ? depends(known, lin[1]) : NONE;
	Prim op = s->exp->prim.op;
	if (a == NONE && b == NONE)
		return NONE;
	if (op == l->op && (a == NONE || b == NONE))
		return a == NONE ? b : a;
	return op == P_sub && b == NONE ? a : OTHERS;
}

// Does a parameter get more than itself and sums?
static bool is_mixed(const Late *l)
{
	Map known = {0};
	Vars params = l->loop->loop.params;
	Sub lin[2];
	for (int k = 0; k < params.len; k++)
		map_put(&known, var_key(params.at[k]), NEW(int, k));
	for EACH(const Stm, s, l->body->stms)
		if (late_is_linear(l, s)) {
			int n = linear_operands(l, s, lin);
			map_put(&known, var_key(s->pat.at[0]),
			        NEW(int, depends_by(l, &known, s, lin, n)));
		}
	for (int k = 0; k < params.len; k++)
		if (late_has(l, sub_var(params.at[k])) && depends(&known, l->body->res.at[k]) != k)
			return true;
	return false;
}

// The vectors start at the neutral element; what the scalar started at is added in the end.
static void drop_mixed(Late *l)
{
	Vars params = l->loop->loop.params;
	bool mixed = is_mixed(l);
	for (int k = 0; mixed && k < params.len; k++)
		if (!late_is_neutral(l, l->loop->loop.inits.at[k]))
			drop(l, sub_var(params.at[k]));
	drop_others(l);
}

static int n_vectors(const Late *l)
{
	int n = 0;
	for EACH(Var, p, l->loop->loop.params)
		n += late_has(l, sub_var(*p));
	return n;
}

bool late_find(Late *l)
{
	put_candidates(l);
	drop_others(l);
	choose_space(l);
	drop_mixed(l);
	int n = n_vectors(l);
	return l->dims.len && n && n <= MOST_VECTORS;
}

