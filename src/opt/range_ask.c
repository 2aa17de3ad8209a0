// Questions about ranges: is a condition true, given what range.c knows?
//
//     and.bool (le.i64 0 e) (lt.i64 e n)      0 <= e and n - 1 - e >= 0
//
// Parts of a conjunction that cannot be decided by themselves are tried in pairs, see
// Note [Wrapping] in range.c.
#include "opt/opt.h"
#include "opt/prover.h"

// y - x and x - y.
typedef struct { Affine up, down; } Gap;

static Gap gap_of(Range *r, const Exp *e)
{
	Affine x = affine_operand(r, e, 0), y = affine_operand(r, e, 1);
	return (Gap){affine_add(&y, &x, -1), affine_add(&x, &y, -1)};
}

static bool proves_positive(Range *r, const Affine *l)
{
	return proves_natural(r, affine_more(*l, -1));
}

static bool proves_true(Range *r, Prim op, const Gap *g)
{
	switch (op) {
	case P_lt: return proves_positive(r, &g->up);
	case P_le: return proves_natural(r, g->up);
	case P_eq: return proves_natural(r, g->up) && proves_natural(r, g->down);
	default: return false; // no comparison
	}
}

static bool proves_false(Range *r, Prim op, const Gap *g)
{
	switch (op) {
	case P_lt: return proves_natural(r, g->down);
	case P_le: return proves_positive(r, &g->down);
	case P_eq: return proves_positive(r, &g->up) || proves_positive(r, &g->down);
	default: return false; // no comparison
	}
}

// Note [Asked again].  What could not be decided cannot be as long as nothing else is known.  A
// comparison is asked about where it is computed, then by the branch or the assertion that it is
// for, and so is each equal one.
static Undecided *undecided(Range *r, const Exp *e)
{
	uint32_t h = e->prim.x[0].var.id * 5 + e->prim.x[1].var.id + e->prim.op;
	return &r->open[h % (sizeof r->open / sizeof *r->open)];
}

static bool is_undecided(Range *r, const Exp *e)
{
	const Undecided *u = undecided(r, e);
	return u->op == e->prim.op && u->state == range_state(r) && sub_eq(u->x, e->prim.x[0]) &&
	       sub_eq(u->y, e->prim.x[1]) && !(r->with_certs && u->missed_certs);
}

// An answer without assertions: those on which it rests after all stay.
static bool answered(Range *r, bool known)
{
	if (known && r->kept)
		note_kept(r->kept, VEC_SLICE(Vars, r->rests));
	return known;
}

static int decide_prim(Range *r, const Exp *e)
{
	r->with_certs = r->missed_certs = false;
	r->used.len = r->rests.len = 0;
	if (e->form != E_prim || !is_int(e->prim.at))
		return -1;
	Prim op = e->prim.op;
	if ((op != P_lt && op != P_le && op != P_eq) || is_undecided(r, e))
		return -1;
	Gap g = gap_of(r, e);
	if (op == P_eq && proves_false(r, op, &g)) // more often than true
		return 0;
	if (proves_true(r, op, &g))
		return 1;
	if (op != P_eq && proves_false(r, op, &g))
		return 0;
	*undecided(r, e) = (Undecided){op, r->missed_certs, range_state(r), e->prim.x[0],
	                               e->prim.x[1]};
	return -1;
}

static bool is_true(Range *r, const Exp *e)
{
	Gap g = gap_of(r, e);
	return proves_true(r, e->prim.op, &g);
}

bool range_refutes(Range *r, const Exp *e)
{
	return decide_prim(r, e) == 0 && !r->rests.len;
}

int range_decide_prim(Range *r, const Exp *e)
{
	int known = decide_prim(r, e);
	answered(r, known >= 0);
	return known;
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
		if (is_undecided(r, e) || !is_true(r, e))
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

// A place in an array of four dimensions, ((n * c + k) * h + 2 * i + 1) * w + j, is as deep as
// that; of what has too many terms so, less is expanded.
static Affine wrapped(Range *r, Sub s)
{
	enum { DEEP_PLACE = 10, PLACE = 6 };
	r->steps = STEPS;
	Affine x = range_affine(r, s, WRAPPED, DEEP_PLACE);
	bool too_many = s.kind == S_VAR && affine_mentions(&x, s.var);
	return too_many ? range_affine(r, s, WRAPPED, PLACE) : x;
}

// e < n for the e of a part "0 <= e", given or proved before; see Note [Wrapping].
static bool proves_index(Range *r, Sub e, Sub n, bool strict)
{
	Affine x = wrapped(r, e);
	r->steps = STEPS;
	Affine exact = range_affine(r, e, EXACT, 6);
	if (affine_same(&x, &exact))       // the part that is open has been tried as such
		return false;
	r->steps = STEPS;
	Affine top = affine_more(range_affine(r, n, EXACT, 6), -strict);
	return proves_natural(r, x) && proves_natural(r, affine_add(&top, &x, -1));
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
	return proves_index(r, e, sub_i64(INT64_C(1) << 62), true); // so that it does not wrap
}

static bool proves_all(Range *r, Sub cond, bool with_certs)
{
	ExpVec open = {0};
	r->with_certs = with_certs;
	r->used.len = r->rests.len = 0;
	bool ok = proves_cond(r, cond, &open);
	for EACH(const Exp *, e, open)
		ok = ok && proves_pair(r, *e, &open);
	return ok;
}

bool range_proves(Range *r, Sub cond, VarVec *certs)
{
	if (!proves_all(r, cond, true))
		return false;
	VEC_APPEND(certs, r->used);
	VEC_APPEND(certs, r->rests);
	return true;
}

bool range_proves_by(Range *r, Sub cond, Vars certs)
{
	VarVec by = {0};
	if (!certs.len || !range_proves(r, cond, &by))
		return false;
	for EACH(Var, c, by)
		if (vars_find(certs, sub_var(*c)) < 0)
			return false;
	return true;
}

// Is an index in bounds?  Its two comparisons may be known together only, see Note [Wrapping].
int range_decide(Range *r, Sub cond)
{
	if (cond.kind == S_CONST)
		return cond.val.u != 0;
	const Exp *e = r->def(r->ctx, cond);
	if (e && e->form == E_prim && e->prim.op == P_and && e->prim.at == PT_BOOL)
		return answered(r, proves_all(r, cond, false)) ? 1 : -1;
	return e ? range_decide_prim(r, e) : -1;
}

enum { DEEP = 14 };                             // places are computed in many steps

static void without_assertions(Range *r)
{
	r->with_certs = false;
	r->used.len = r->rests.len = 0;
}

bool range_multiplies(Range *r, Sub x, Sub y)
{
	without_assertions(r);
	r->steps = STEPS;
	Affine a = range_affine(r, x, EXACT, 6), b = range_affine(r, y, EXACT, 6);
	Affine product = affine_mul(&a, &b);
	Edge low = edge_of_affine(r, &product, false, 3);
	return answered(r, !low.none && low.v >= 0 &&
	                   !edge_of_affine(r, &product, true, 3).none);
}

bool range_equal(Range *r, Sub x, Sub y)
{
	without_assertions(r);
	r->steps = STEPS;
	Affine a = range_affine(r, x, EXACT, 6), b = range_affine(r, y, EXACT, 6);
	return answered(r, proves_natural(r, affine_add(&a, &b, -1)) &&
	                   proves_natural(r, affine_add(&b, &a, -1)));
}

bool range_below(Range *r, Sub x, Sub y)
{
	without_assertions(r);
	r->steps = STEPS;
	Affine a = range_affine(r, x, EXACT, 6), b = range_affine(r, y, EXACT, 6);
	return answered(r, proves_natural(r, a) &&
	                   proves_natural(r, affine_more(affine_add(&b, &a, -1), -1)));
}

// Does y - x, up to multiples of 2^64, lie between 1 and a number far below that?
static bool is_after(Range *r, const Affine *x, const Affine *y)
{
	Affine gap = affine_add(y, x, -1);
	r->steps = STEPS;
	Edge high = edge_of_affine(r, &gap, true, DEEP);
	return !high.none && high.v <= INT64_C(1) << 62 && proves_natural(r, affine_more(gap, -1));
}

bool range_apart(Range *r, Sub x, Sub y)
{
	without_assertions(r);
	r->steps = STEPS;
	Affine a = range_affine(r, x, WRAPPED, DEEP);
	r->steps = STEPS;
	Affine b = range_affine(r, y, WRAPPED, DEEP), gap = affine_add(&a, &b, -1);
	if (!gap.n)
		return !gap.bad && gap.c;
	return answered(r, is_after(r, &a, &b) || is_after(r, &b, &a));
}

// x = q * n + rest with 0 <= rest < n: what has n as a factor is in q, but for once where the rest
// needs it, n - 1 - i.
static bool divides(Range *r, const Affine *x, Sub n, Affine *q, Affine *rest)
{
	AffineTerm d;
	r->steps = STEPS;
	Affine size = range_affine(r, n, EXACT, 6);
	if (size.bad || size.n > 1 || (size.n && size.c) || (!size.n && size.c <= 0))
		return false;
	d = size.n ? size.t[0] : (AffineTerm){.k = size.c};
	*q = *rest = affine_const(0);
	for (int i = 0; i < x->n; i++) {
		AffineTerm t;
		if (!term_quotient(&x->t[i], &d, &t))
			rest->t[rest->n++] = x->t[i];
		else if (t.v[0].id)
			q->t[q->n++] = t;
		else
			q->c = t.k;
	}
	rest->c = x->c;
	if (!size.n && !rest->n) {
		q->c = rounded_down(x->c, d.k); // which no term has given
		rest->c -= q->c * d.k;
	}
	for (int again = 0; again < 2; again++) {
		if (proves_natural(r, *rest) &&
		    proves_natural(r, affine_more(affine_add(&size, rest, -1), -1)))
			return true;
		affine_add_to(rest, &size, 1);
		*q = affine_more(*q, -1);
	}
	return false;
}

// The first place is not proved to be in bounds, but where it is not, x is not either, unless the
// sum that x is wraps around: what counts that far has left the array long before.
static bool is_place(Range *r, Affine rest, Subs dims, Affine *place)
{
	for (int k = dims.len; k-- > 1;) {
		Affine q;
		if (rest.bad || !divides(r, &rest, dims.at[k], &q, &place[k]))
			return false;
		rest = q;
	}
	place[0] = rest;
	if (rest.bad)
		return false;
	r->steps = STEPS;
	Edge low = edge_of_affine(r, &rest, false, DEEP);
	Edge high = edge_of_affine(r, &rest, true, DEEP);
	return !low.none && low.v >= 0 && !high.none && high.v <= INT64_C(1) << 60;
}

// The operation that gives a number, unless it has bounds of its own, which are not asserted.
static const Exp *def_of_unbounded(const void *ctx, Sub x)
{
	Range *r = (Range *)ctx;
	const Bound *b = x.kind == S_VAR ? bounds_of(r, x.var, false) : NULL;
	while (b && b->cert.id)
		b = b->next;
	return b || x.kind != S_VAR ? NULL : r->def(r->ctx, x);
}

bool range_place(Range *r, Sub x, Subs dims, Affine *place)
{
	without_assertions(r);
	if (is_place(r, affine_of((AffineDefs){def_of_unbounded, r}, x), dims, place))
		return answered(r, true);
	r->steps = STEPS;
	return answered(r, is_place(r, range_affine(r, x, WRAPPED, DEEP), dims, place));
}

bool range_at_most(Range *r, Sub x, Sub y)
{
	without_assertions(r);
	r->steps = STEPS;
	Affine a = range_affine(r, x, EXACT, 6);
	r->steps = STEPS;
	Affine b = range_affine(r, y, EXACT, 6);
	return answered(r, proves_natural(r, affine_add(&b, &a, -1)));
}

// What is asked of x and n for several k and numbers of periods: is x >= k * n, x < k * n?
typedef struct { Affine x, n; int8_t above[3], below[4]; } Period; // 1: yes, -1: not known
enum { PERIOD_STEPS = 60 };                     // twice what those took that have a period: few

static bool is_above(Range *r, Period *p, int k)
{
	int8_t *known = &p->above[k + 1];
	if (!*known)
		*known = proves_within(r, affine_add(&p->x, &p->n, -k), PERIOD_STEPS) ? 1 : -1;
	return *known > 0;
}

static bool is_below(Range *r, Period *p, int k)
{
	int8_t *known = &p->below[k];
	if (*known)
		return *known > 0;
	Affine room = affine_scale(&p->x, -1);
	affine_add_to(&room, &p->n, k);
	*known = proves_within(r, affine_more(room, -1), PERIOD_STEPS) ? 1 : -1;
	return *known > 0;
}

int range_period(Range *r, Sub x, Sub n, int most, int *k)
{
	static const int tried[] = {0, 1, -1};
	without_assertions(r);
	r->steps = STEPS;
	Period p = {.x = range_affine(r, x, EXACT, 6), .n = range_affine(r, n, EXACT, 6)};
	for (int periods = 1; periods <= most; periods++)
		for (int i = 0; i < 3; i++) {
			*k = tried[i];
			if (*k < 0 && is_above(r, &p, 0)) // what is not negative was tried
				continue;
			if (answered(r, is_above(r, &p, *k) && is_below(r, &p, *k + periods)))
				return periods;
		}
	return 0;
}
