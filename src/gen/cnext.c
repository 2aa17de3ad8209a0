// A loop that looks for the best of something ends with the choice between what it has and what
// is new: that changes rarely, so a branch is foreseen, and then nothing waits for the choice.
//
//     let (a', j') = if better then {x, i} else {a, j}        if (better) {
//     in {a', j'}                                       ->        a = x;
//                                                                 j = i;
//                                                             }
//
// Where iterations take long, both are computed and chosen from without a branch.
#include "gen/cgen.h"

// Does one branch keep what parameters there are, and the other give all of them new values?
static bool keeps(const Exp *e, const Stm *choice, Subs same, Subs fresh)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (!type_is_scalar(vars[p.id].type) ||
		    !sub_eq(e->loop.body.res.at[k], sub_var(choice->pat.at[k])) ||
		    !sub_eq(same.at[k], sub_var(p)))
			return false;
		for EACH(Var, other, e->loop.params)
			if (sub_eq(fresh.at[k], sub_var(*other)))
				return false;
	}
	return true;
}

const Stm *choice_of_next(const Exp *e)
{
	Stms stms = e->loop.body.stms;
	const Stm *s = stms.len ? &stms.at[stms.len - 1] : NULL;
	if (!s || s->exp->form != E_if_ || s->pat.len != e->loop.params.len || s->pat.len < 2)
		return NULL;
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	if (yes->stms.len || no->stms.len)
		return NULL;
	return keeps(e, s, no->res, yes->res) || keeps(e, s, yes->res, no->res) ? s : NULL;
}

static const Exp *prim_of(const Body *b, Sub x, Prim op)
{
	const Exp *e = def_in(b, x);
	return e && e->form == E_prim && e->prim.op == op ? e : NULL;
}

// Is it x < y || (x == y && z)?
typedef struct { Sub x, y, z; } Order;

static bool is_order(const Body *b, Sub cond, Order *out)
{
	const Exp *either = prim_of(b, cond, P_or);
	const Exp *less = either ? prim_of(b, either->prim.x[0], P_lt) : NULL;
	const Exp *both = either ? prim_of(b, either->prim.x[1], P_and) : NULL;
	const Exp *tie = both ? prim_of(b, both->prim.x[0], P_eq) : NULL;
	const Sub *x = less ? less->prim.x : NULL, *y = tie ? tie->prim.x : NULL;
	bool same = x && y && ((sub_eq(x[0], y[0]) && sub_eq(x[1], y[1])) ||
	                       (sub_eq(x[0], y[1]) && sub_eq(x[1], y[0])));
	if (!same || sub_type(x[0]).elem == PT_BOOL)
		return false;
	*out = (Order){x[0], x[1], both->prim.x[1]};
	return true;
}

// An order mostly fails, as does x <= y, which takes one comparison.
static CExp condition(Gen *g, const Body *b, Sub cond)
{
	Order o;
	if (!is_order(b, cond, &o))
		return operand(g, cond);
	CExp x = operand(g, o.x), y = operand(g, o.y);
	return x_quote("$1 <= $2 && $3", x, y, operand(g, cond));
}

// The same without branches.
static CExp condition_at_once(Gen *g, const Body *b, Sub cond)
{
	Order o;
	if (!is_order(b, cond, &o))
		return operand(g, cond);
	CExp less = x_less(operand(g, o.x), operand(g, o.y));
	CExp same = x_quote("$1 == $2", operand(g, o.x), operand(g, o.y)); // two uses of each
	return x_quote("(int)$1 | ((int)$2 & (int)$3)", less, same, operand(g, o.z));
}

static bool has_loops(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_loop)
			return true;
	return false;
}

// The parameter that is compared, or -1: its next value is what it is compared with.
static int compared(const Exp *e, const Exp *c, Order o)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Sub p = sub_var(e->loop.params.at[k]), next = c->if_.yes.res.at[k];
		if ((sub_eq(o.y, p) && sub_eq(o.x, next)) || (sub_eq(o.x, p) && sub_eq(o.y, next)))
			return k;
	}
	return -1;
}

// Are ties decided by `i < at`, where `at` is the i of the last change?  Then only the first change
// can be one, a tie with the initial value, and if that is not a zero, which has a sign, the
// value stays the same.
static bool ties_at_first(const Exp *e, const Exp *c, Order o)
{
	const Exp *earlier = prim_of(&e->loop.body, o.z, P_lt);
	int value = compared(e, c, o);
	if (!earlier || value < 0 || e->loop.is_while)
		return false;
	Sub init = e->loop.inits.at[value];
	if (init.kind != S_CONST || (is_float(init.val.type) && init.val.f == 0))
		return false;
	Subs next = c->if_.yes.res;
	for (int k = 0; k < next.len; k++)
		if (sub_eq(next.at[k], sub_var(e->loop.i)) &&
		    sub_eq(earlier->prim.x[0], next.at[k]) &&
		    sub_eq(earlier->prim.x[1], sub_var(e->loop.params.at[k])))
			return true;
	return false;
}

static void set_next(Gen *g, const Exp *e, Subs next, int except)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (k != except && is_needed(g, p))
			s_assign(g->c, shown(g, p), result_of(g, p, next.at[k]));
	}
}

// Ties come first, if at all, behind a branch; what is left are the minimum and the index of it.
// For these x86 has instructions, while the choice by a bool takes four times as long there; ARM
// has one for the choice, and compilers for it make branches of this.
static void pick_extreme(Gen *g, const Exp *e, const Exp *c, Order o)
{
	const char *less = fresh_name(g, "less");
	CExp x = operand(g, o.x), y = operand(g, o.y);
	quote(g->c, "bool $1 = $2 < $3;", less, x, y);
	rts_use(g->rts, "rarely");
	quote(g->c, "if (RD_UNLIKELY((int)($1 == $2) & (int)($3)))", x, y, operand(g, o.z));
	s_do(g->c, x_const("RD_RARELY"));
	set_next(g, e, c->if_.yes.res, compared(e, c, o));
	s_close(g->c);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (!is_needed(g, p))
			continue;
		s_assign(g->c, shown(g, p),
		         x_select(x_name(less), result_of(g, p, c->if_.yes.res.at[k]),
		                  shown(g, p)));
	}
}

// Beside iterations that take long, waiting for the choice is nothing, but a branch that was not
// foreseen is: there may be few of them, so that most are.
static void pick_next(Gen *g, const Exp *e, const Exp *c, bool change_if, CExp cond)
{
	const char *change = fresh_name(g, "change");
	s_declare(g->c, "bool", change, cond);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (!is_needed(g, p))
			continue;
		CExp name = shown(g, p);
		CExp next = result_of(g, p, (change_if ? c->if_.yes : c->if_.no).res.at[k]);
		PrimType t = vars[p.id].type.elem;
		if (t == PT_F32 || t == PT_F64) {
			const char *pick = text("rd_pick_%s", primtype_name[t]);
			rts_use(g->rts, pick);
			s_assign(g->c, name, x_call(pick, x_name(change), next, name));
		} else {
			s_assign(g->c, name, x_select(x_name(change), next, name));
		}
	}
}

void choose_next(Gen *g, const Exp *e, const Stm *choice)
{
	const Exp *c = choice->exp;
	bool change_if = keeps(e, choice, c->if_.no.res, c->if_.yes.res);
	bool at_once = g->target == ON_CPU && has_loops(&e->loop.body);
	CExp cond = at_once ? condition_at_once(g, &e->loop.body, c->if_.cond)
	          : condition(g, &e->loop.body, c->if_.cond);
	cond = change_if ? cond : x_unary("!", x_paren(cond), PREC_ATOM);
	settle_all(g); // what is computed from parameters is so from their old values
	Order o;
	if (at_once && change_if && is_order(&e->loop.body, c->if_.cond, &o) &&
	    ties_at_first(e, c, o)) {
		s_ifdef(g->c, "ifdef __x86_64__");
		pick_extreme(g, e, c, o);
		s_else(g->c);
		pick_next(g, e, c, change_if, cond);
		s_close(g->c);
		return;
	}
	if (at_once) {
		pick_next(g, e, c, change_if, cond);
		return;
	}
	rts_use(g->rts, "rarely");
	s_if(g->c, x_call("RD_UNLIKELY", cond));
	s_do(g->c, x_const("RD_RARELY"));
	set_next(g, e, (change_if ? c->if_.yes : c->if_.no).res, -1);
	s_close(g->c);
}
