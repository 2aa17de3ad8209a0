// The pass `join_calls`: if both branches of an if apply the same function, applies it once, after
// the if, to the operand that the taken branch selects.
//
//     let (s, m) = if c then {                   let (y) = if c then {x - top} else {top - x}
//       let (e) = exp (x - top)                  let (e) = exp y
//       in sum + e, top                    ->    let (s) = if c then {sum + e} else {sum * e + 1}
//     } else {                                   let (m) = if c then {top} else {x}
//       let (e) = exp (top - x)
//       in sum * e + 1, x
//     }
//
// A log-sum-exp with a running maximum, and its derivative, have this form.  What remains of the
// branches are a few scalar operations, which C compilers turn into selects instead of an
// unpredictable jump, so that successive calls of exp overlap.  Vector code, which computes both
// branches, evaluates one function instead of two.
//
// Nothing is evaluated that was not evaluated before, and results are bitwise identical.
//
// Requires: the pass `seq`; the operands of the functions are computed by a few scalar operations.
// Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/split.h"

enum { FEW = 3, MANY = 16 };            // statements of a choice; of what an operand needs

// ---- Functions of both branches ----

static bool is_call(const Stm *s)
{
	return stm_is_function(s) && !s->certs.len;
}

static bool is_cheap(const Stm *s)
{
	return is_simple_scalar(s) && !s->certs.len && !is_call(s);
}

// What an operand needs of the branch; false: it takes long.
static bool operand_part(const Body *b, Sub x, Body *part)
{
	Map needed = {0};
	*part = body_part(b, subs_of(1, x), &needed);
	for EACH(Stm, s, part->stms)
		if (!is_cheap(s))
			return false;
	return part->stms.len <= MANY;
}

typedef struct { int yes, no; Body operand[2][2]; } Pair;

static bool is_pair(const Body *yes, const Body *no, Pair *p)
{
	const Stm *a = &yes->stms.at[p->yes], *b = &no->stms.at[p->no];
	if (!is_call(a) || !is_call(b) || a->exp->prim.op != b->exp->prim.op ||
	    a->exp->prim.at != b->exp->prim.at)
		return false;
	for (int i = 0; i < prim_arity(a->exp->prim.op); i++)
		if (!operand_part(yes, a->exp->prim.x[i], &p->operand[0][i]) ||
		    !operand_part(no, b->exp->prim.x[i], &p->operand[1][i]))
			return false;
	return prim_arity(a->exp->prim.op) <= 2;
}

static bool find_pair(const Exp *e, Pair *p)
{
	const Body *yes = &e->if_.yes, *no = &e->if_.no;
	for (p->yes = 0; p->yes < yes->stms.len; p->yes++)
		for (p->no = 0; p->no < no->stms.len; p->no++)
			if (is_pair(yes, no, p))
				return true;
	return false;
}

static bool has_pair(const Stm *s)
{
	Pair p;
	return s->exp->form == E_if_ && find_pair(s->exp, &p);
}

// ---- What becomes of them ----

static Sub emit_choice(Build *b, const char *name, Sub cond, Body yes, Body no)
{
	return b_let(b, name, sub_type(yes.res.at[0]), EXP(if_, .cond = cond,
	                                                   .yes = body_rename(yes),
	                                                   .no = body_rename(no)));
}

static Body without(const Body *b, int at, Sub now)
{
	Map to = {0};
	Stms stms = {NEW_ARRAY(Stm, b->stms.len), 0};
	subst_put(&to, b->stms.at[at].pat.at[0], now);
	for (int i = 0; i < b->stms.len; i++)
		if (i != at)
			stms.at[stms.len++] = b->stms.at[i];
	return body_subst((Body){stms, b->res}, &to);
}

static void join(Build *b, Exp *e, const Pair *p)
{
	const Exp *call = e->if_.yes.stms.at[p->yes].exp;
	Exp *once = exp_dup(call);
	for (int i = 0; i < prim_arity(call->prim.op); i++)
		once->prim.x[i] =
			emit_choice(b, "x", e->if_.cond, p->operand[0][i], p->operand[1][i]);
	Sub y = b_let(b, "y", type_scalar(prim_result(call->prim.op, call->prim.at)), once);
	e->if_.yes = without(&e->if_.yes, p->yes, y);
	e->if_.no = without(&e->if_.no, p->no, y);
}

// Is what each result needs a few operations?
static bool is_few(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!is_cheap(s))
			return false;
	for (int k = 0; k < b->res.len; k++) {
		Map needed = {0};
		if (!type_is_scalar(sub_type(b->res.at[k])) ||
		    body_part(b, subs_of(1, b->res.at[k]), &needed).stms.len > FEW)
			return false;
	}
	return true;
}

// A choice for each result.
static void split_results(Build *b, const Stm *s, const Exp *e)
{
	for (int k = 0; k < s->pat.len; k++) {
		Map needed[2] = {0};
		Body yes = body_part(&e->if_.yes, subs_of(1, e->if_.yes.res.at[k]), &needed[0]);
		Body no = body_part(&e->if_.no, subs_of(1, e->if_.no.res.at[k]), &needed[1]);
		Sub x = emit_choice(b, "r", e->if_.cond, yes, no);
		b_emit(b, (Stm){.pat = vars_of(1, s->pat.at[k]), .where = s->where,
		                .exp = EXP(atom, x)});
	}
}

static bool join_branches(void *ctx, const Stm *s)
{
	Build *b = ctx;
	Exp *e = exp_dup(s->exp);
	bool any = false;
	if (s->certs.len)
		return false;
	for (Pair p; find_pair(e, &p) && may_rewrite(); any = true)
		join(b, e, &p);
	if (!any)
		return false;
	if (is_few(&e->if_.yes) && is_few(&e->if_.no)) {
		split_results(b, s, e);
		return true;
	}
	Stm now = *s;
	now.exp = e;
	b_emit(b, now);
	return true;
}

Prog *join_calls(Prog *prog)
{
	Build b = {0};
	return prog_rewrite_stms(prog, has_pair, &b, join_branches, &b);
}
