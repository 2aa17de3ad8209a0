// Questions about ranges: is a condition true, given what range.c knows?
//
//     and.bool (le.i64 0 e) (lt.i64 e n)      0 <= e and n - 1 - e >= 0
//
// Parts of a conjunction that cannot be decided by themselves are tried in pairs, see
// Note [Wrapping] in range.c.
#include "opt/prover.h"

static int decide_comparison(Range *r, const Exp *e)
{
	Lin x = lin_operand(r, e, 0), y = lin_operand(r, e, 1);
	Lin up = lin_add(y, x, -1), down = lin_add(x, y, -1), one = lin_const(1);
	switch (e->prim.op) {
	case P_lt:
		return proves_lin(r, lin_add(up, one, -1)) ? 1 : proves_lin(r, down) ? 0 : -1;
	case P_le:
		return proves_lin(r, up) ? 1 : proves_lin(r, lin_add(down, one, -1)) ? 0 : -1;
	case P_eq:
		if (proves_lin(r, lin_add(up, one, -1)) || proves_lin(r, lin_add(down, one, -1)))
			return 0;
		return proves_lin(r, up) && proves_lin(r, down) ? 1 : -1;
	default: // no comparison
		return -1;
	}
}

int range_decide_prim(Range *r, const Exp *e)
{
	r->with_certs = false;
	r->used.len = 0;
	if (e->form != E_prim || !is_int(e->prim.at))
		return -1;
	return decide_comparison(r, e);
}

int range_decide(Range *r, Sub cond)
{
	if (cond.kind == S_CONST)
		return cond.val.u != 0;
	const Exp *e = r->def(r->ctx, cond);
	return e ? range_decide_prim(r, e) : -1;
}

typedef VEC(const Exp *) ExpVec;

static bool proves_cond(Range *r, Sub cond, ExpVec *open);

// The parts of a conjunction that remain to be proved.
static bool proves_exp(Range *r, const Exp *e, ExpVec *open)
{
	switch (e->prim.op) {
	case P_and:
		return proves_cond(r, e->prim.x[0], open) && proves_cond(r, e->prim.x[1], open);
	case P_or: {
		ExpVec none = {0};
		return (proves_cond(r, e->prim.x[0], &none) && !none.len) ||
		       (none.len = 0, proves_cond(r, e->prim.x[1], &none) && !none.len);
	}
	case P_lt: case P_le: case P_eq:
		if (!is_int(e->prim.at))
			return false;
		if (decide_comparison(r, e) != 1)
			VEC_PUSH(open, e);
		return true;
	default: // not provable
		return false;
	}
}

static bool proves_cond(Range *r, Sub cond, ExpVec *open)
{
	if (cond.kind == S_CONST)
		return cond.val.u != 0;
	const Exp *e = r->def(r->ctx, cond);
	return e && e->form == E_prim && proves_exp(r, e, open);
}

static bool is_zero(Sub s)
{
	return s.kind == S_CONST && s.val.i == 0;
}

static Lin wrapped(Range *r, Sub s)
{
	r->steps = STEPS;
	return lin_of(r, s, WRAPPED, 6);
}

// e < n for the e of a part "0 <= e", given or proved before; see Note [Wrapping].
static bool proves_index(Range *r, Sub e, Sub n, bool strict)
{
	Lin x = wrapped(r, e);
	r->steps = STEPS;
	Lin top = lin_add(lin_of(r, n, EXACT, 6), lin_const(strict), -1);
	return proves_lin(r, x) && proves_lin(r, lin_add(top, x, -1));
}

// A pair of parts 0 <= e and e < n.  One of them may have been proved or simplified away; then e
// is not negative or below n already, and proving both again does no harm.
static bool proves_pair(Range *r, const Exp *a, const ExpVec *open)
{
	if (a->prim.at != PT_I64 || a->prim.op == P_eq)
		return false;
	if (a->prim.x[0].kind == S_VAR)
		return proves_index(r, a->prim.x[0], a->prim.x[1], a->prim.op == P_lt);
	if (a->prim.op != P_le || !is_zero(a->prim.x[0]))
		return false;
	Sub e = a->prim.x[1];
	for EACH(const Exp *, b, *open)
		if (sub_eq((*b)->prim.x[0], e) && (*b)->prim.op != P_eq && (*b)->prim.at == PT_I64)
			return proves_index(r, e, (*b)->prim.x[1], (*b)->prim.op == P_lt);
	return false;
}

bool range_proves(Range *r, Sub cond, CertVec *certs)
{
	ExpVec open = {0};
	r->with_certs = true;
	r->used.len = 0;
	bool ok = proves_cond(r, cond, &open);
	for EACH(const Exp *, e, open)
		ok = ok && proves_pair(r, *e, &open);
	if (!ok)
		return false;
	for EACH(Var, c, r->used)
		VEC_PUSH(certs, *c);
	return true;
}

static void without_assertions(Range *r)
{
	r->with_certs = false;
	r->used.len = 0;
}

bool range_equal(Range *r, Sub x, Sub y)
{
	without_assertions(r);
	r->steps = STEPS;
	Lin d = lin_add(lin_of(r, x, EXACT, 6), lin_of(r, y, EXACT, 6), -1);
	return proves_lin(r, d) && proves_lin(r, lin_add(lin_const(0), d, -1));
}

bool range_below(Range *r, Sub x, Sub y)
{
	without_assertions(r);
	r->steps = STEPS;
	Lin a = lin_of(r, x, EXACT, 6), b = lin_of(r, y, EXACT, 6);
	return proves_lin(r, a) && proves_lin(r, lin_add(lin_add(b, lin_const(1), -1), a, -1));
}
