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

enum { MOST_TERMS = 12, MOST_DEGREE = 6, MOST_DEPTH = 12 };
typedef struct { uint32_t id[MOST_DEGREE]; int degree; uint64_t factor; } Term;
typedef struct { Term at[MOST_TERMS]; int n; bool ok; } Poly;

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

static void add_poly(Poly *p, const Poly *q, uint64_t factor)
{
	p->ok &= q->ok;
	for (int i = 0; i < q->n; i++) {
		Term t = q->at[i];
		t.factor *= factor;
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
		add_poly(&x, &y, e->prim.op == P_add ? 1 : (uint64_t)-1);
		return x;
	}
	add_term(&p, (Term){{s.var.id}, 1, 1});
	return p;
}

static Poly poly_of(const Map *scalars, Sub s)
{
	return poly_to_depth(scalars, s, MOST_DEPTH);
}

static bool is_zero(const Poly *p)
{
	return p->ok && p->n == 0;
}

// ---- Questions ----

bool same_scalar(const Map *scalars, Sub a, Sub b)
{
	if (sub_eq(a, b))
		return true;
	Poly p = poly_of(scalars, a), q = poly_of(scalars, b);
	add_poly(&p, &q, (uint64_t)-1);
	return is_zero(&p);
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
	add_poly(&p, &q, (uint64_t)-1);
	return is_zero(&p);
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
		add_poly(&p, &part, 1);
	}
	Poly q = poly_of(scalars, offset);
	add_poly(&p, &q, (uint64_t)-1);
	return is_zero(&p);
}

// Is a term a product of sizes with a factor that is not negative?
static bool is_natural(Known k, const Term *t)
{
	for (int i = 0; i < t->degree; i++)
		if (!map_get(k.sizes, var_key((Var){t->id[i]})))
			return false;
	return (int64_t)t->factor >= 0;
}

bool sum_at_most(Known k, Sub a, Sub b, Sub c)
{
	Poly p = poly_of(k.scalars, c), x = poly_of(k.scalars, a), y = poly_of(k.scalars, b);
	add_poly(&p, &x, (uint64_t)-1);
	add_poly(&p, &y, (uint64_t)-1);
	for (int i = 0; i < p.n; i++)
		p.ok &= is_natural(k, &p.at[i]);
	return p.ok;
}

static bool is_range(DimSlice d)
{
	return d.fixed || sub_eq(d.step, sub_i64(1));
}

static bool ends_before(Known k, DimSlice x, DimSlice y)
{
	return sum_at_most(k, x.start, x.fixed ? sub_i64(1) : x.len, y.start);
}

bool slices_disjoint(Known k, Slices a, Slices b)
{
	for (int d = 0; d < a.len && d < b.len; d++)
		if (is_range(a.at[d]) && is_range(b.at[d]) &&
		    (ends_before(k, a.at[d], b.at[d]) || ends_before(k, b.at[d], a.at[d])))
			return true;
	return false;
}
