// Equality and order of operands as sums of products.
//
//     let (a: i64) = mul.i64 i m
//     let (b: i64) = add.i64 a j             b is  i m + j
//
// An operand is expanded through additions, subtractions and multiplications into terms: a
// factor and a list of variables in order, so that equal sums look equal.  Large ones are given up.
// All of it is arithmetic modulo 2^64, as at run time, except for the order: offsets and sizes do
// not wrap.
#include "mem/poly.h"

#include "mem/pass.h"

enum { MOST_DEPTH = 12 };

// ---- Which operation gives a scalar ----

static void note_scalars(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_prim)
			map_put(v->ctx, var_key(s->pat.at[0]), s->exp);
		else if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

Map scalars_of(const Prog *prog)
{
	Map scalars = {0};
	Visit v = {.body = note_scalars, .ctx = &scalars};
	for EACH(Fun *, f, prog->funs)
		note_scalars(&v, &(*f)->body);
	return scalars;
}

// ---- Polynomials ----

static bool same_vars(const Term *a, const Term *b)
{
	return a->degree == b->degree &&
	       memcmp(a->id, b->id, (size_t)a->degree * sizeof *a->id) == 0;
}

static void add_term(Poly *p, Term t)
{
	for (int i = 0; i < p->n; i++)
		if (same_vars(&p->at[i], &t)) {
			p->at[i].factor += t.factor;
			if (p->at[i].factor == 0)
				p->at[i] = p->at[--p->n];
			return;
		}
	if (t.factor == 0)
		return;
	if (p->n == MOST_TERMS)
		p->ok = false;
	else
		p->at[p->n++] = t;
}

void poly_add(Poly *p, const Poly *q, int64_t factor)
{
	p->ok &= q->ok;
	for (int i = 0; i < q->n; i++) {
		Term t = q->at[i];
		t.factor *= (uint64_t)factor;
		add_term(p, t);
	}
}

static void add_product(Poly *p, const Term *a, const Term *b)
{
	Term t = {.factor = a->factor * b->factor};
	if (a->degree + b->degree > MOST_DEGREE) {
		p->ok = false;
		return;
	}
	for (int i = 0, k = 0; i < a->degree || k < b->degree;) {
		bool left = k == b->degree || (i < a->degree && a->id[i] <= b->id[k]);
		t.id[t.degree++] = left ? a->id[i++] : b->id[k++];
	}
	add_term(p, t);
}

static Poly product(const Poly *a, const Poly *b)
{
	Poly p = {.ok = a->ok && b->ok};
	for (int i = 0; i < a->n; i++)
		for (int k = 0; k < b->n; k++)
			add_product(&p, &a->at[i], &b->at[k]);
	return p;
}

static Poly poly_to_depth(const Map *scalars, Sub s, int depth)
{
	Poly p = {.ok = true};
	if (s.kind == S_CONST) {
		add_term(&p, (Term){.factor = s.val.u});
		return p;
	}
	const Exp *e = depth ? map_get(scalars, var_key(s.var)) : NULL;
	bool sum = e && (e->prim.op == P_add || e->prim.op == P_sub);
	if (e && e->prim.at == PT_I64 && (sum || e->prim.op == P_mul)) {
		Poly x = poly_to_depth(scalars, e->prim.x[0], depth - 1);
		Poly y = poly_to_depth(scalars, e->prim.x[1], depth - 1);
		if (!sum)
			return product(&x, &y);
		poly_add(&x, &y, e->prim.op == P_add ? 1 : -1);
		return x;
	}
	add_term(&p, (Term){{s.var.id}, 1, 1});
	return p;
}

Poly poly_of(const Map *scalars, Sub s)
{
	return poly_to_depth(scalars, s, MOST_DEPTH);
}

bool poly_is_zero(const Poly *p)
{
	return p->ok && p->n == 0;
}

// ---- Questions ----

bool same_scalar(const Map *scalars, Sub a, Sub b)
{
	if (sub_eq(a, b))
		return true;
	Poly p = poly_of(scalars, a), q = poly_of(scalars, b);
	poly_add(&p, &q, -1);
	return poly_is_zero(&p);
}

static Poly product_of(const Map *scalars, const Sub *factors, int n)
{
	Poly p = {.ok = true};
	add_term(&p, (Term){.factor = 1});
	for (int i = 0; i < n; i++) {
		Poly f = poly_of(scalars, factors[i]);
		p = product(&p, &f);
	}
	return p;
}

bool is_product(const Map *scalars, Sub n, Subs factors)
{
	Poly p = product_of(scalars, factors.at, factors.len), q = poly_of(scalars, n);
	poly_add(&p, &q, -1);
	return poly_is_zero(&p);
}

static Poly stride_of(const Map *scalars, Type t, int d)
{
	if (t.mem->strides.len)
		return poly_of(scalars, t.mem->strides.at[d]);
	return product_of(scalars, t.dims.at + d + 1, t.dims.len - d - 1);
}

bool is_address(const Map *scalars, Sub offset, Type t, Subs idx)
{
	Poly p = poly_of(scalars, t.mem->offset);
	for (int d = 0; d < idx.len; d++) {
		Poly i = poly_of(scalars, idx.at[d]), s = stride_of(scalars, t, d);
		Poly part = product(&i, &s);
		poly_add(&p, &part, 1);
	}
	Poly q = poly_of(scalars, offset);
	poly_add(&p, &q, -1);
	return poly_is_zero(&p);
}

// ---- Order ----

static bool is_natural_sub(Known k, Sub s, int depth);

// Sizes, counters, and what is limited by such or from below, as the rows of a chunk are.
static bool is_natural(Known k, uint32_t id, int depth)
{
	const void *key = var_key((Var){id});
	if (map_has(k.sizes, key) || map_has(k.counters, key))
		return true;
	const Exp *e = depth ? map_get(k.scalars, key) : NULL;
	if (!e || e->prim.at != PT_I64 || (e->prim.op != P_min && e->prim.op != P_max))
		return false;
	bool a = is_natural_sub(k, e->prim.x[0], depth - 1);
	bool b = is_natural_sub(k, e->prim.x[1], depth - 1);
	return e->prim.op == P_min ? a && b : a || b;
}

static bool is_natural_sub(Known k, Sub s, int depth)
{
	if (s.kind == S_VAR && is_natural(k, s.var.id, depth))
		return true;
	Poly p = poly_of(k.scalars, s);
	for (int t = 0; t < p.n; t++) {
		if ((int64_t)p.at[t].factor < 0)
			return false;
		for (int i = 0; i < p.at[t].degree; i++)
			if (!is_natural(k, p.at[t].id[i], depth))
				return false;
	}
	return p.ok;
}

// Is a term a product of such variables with a factor that is not negative?
static bool term_is_natural(Known k, const Term *t)
{
	for (int i = 0; i < t->degree; i++)
		if (!is_natural(k, t->id[i], 2))
			return false;
	return (int64_t)t->factor >= 0;
}

// The counter among the variables of a term with a negative factor, or 0.
static uint32_t counter_of(Known k, const Term *t)
{
	for (int i = 0; i < t->degree && (int64_t)t->factor < 0; i++)
		if (map_get(k.counters, var_key((Var){t->id[i]})))
			return t->id[i];
	return 0;
}

// How often the variable occurs in it; `rest` is what remains without one of these.
static int without(const Term *t, uint32_t id, Term *rest)
{
	int n = 0;
	*rest = (Term){.factor = t->factor};
	for (int i = 0; i < t->degree; i++) {
		n += t->id[i] == id;
		if (t->id[i] != id || n > 1)
			rest->id[rest->degree++] = t->id[i];
	}
	return n;
}

// With  n - 1 - i  for the counter i < n, which is then not negative either: the same name
// stands for the new variable.
static bool mirror(Known k, const Poly *p, uint32_t i, Poly *out)
{
	Poly last = poly_of(k.scalars, *(const Sub *)map_get(k.counters, var_key((Var){i})));
	Poly one = {.ok = true}, self = {.ok = true};
	add_term(&one, (Term){.factor = 1});
	add_term(&self, (Term){{i}, 1, 1});
	poly_add(&last, &one, -1);
	poly_add(&last, &self, -1);
	*out = (Poly){.ok = p->ok};
	for (int t = 0; t < p->n; t++) {
		Term rest;
		int n = without(&p->at[t], i, &rest);
		Poly factor = {.ok = true};
		add_term(&factor, rest);
		if (n > 1)
			return false;
		Poly whole = n ? product(&last, &factor) : factor;
		poly_add(out, &whole, 1);
	}
	return out->ok;
}

bool poly_is_natural(Known k, const Poly *given)
{
	enum { MOST_COUNTERS = 4 };
	Poly p = *given;
	for (int tries = 0; p.ok && tries <= MOST_COUNTERS; tries++) {
		bool natural = true;
		uint32_t i = 0;
		for (int t = 0; t < p.n; t++) {
			natural &= term_is_natural(k, &p.at[t]);
			i = i ? i : counter_of(k, &p.at[t]);
		}
		Poly next;
		if (natural || !i)
			return natural;
		if (!mirror(k, &p, i, &next))
			return false;
		p = next;
	}
	return false;
}
