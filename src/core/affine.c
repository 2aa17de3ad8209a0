// Arithmetic on affine forms such as 3 + n - 2*i + n*m; see affine.h.
//
// The arithmetic is exact: a form whose coefficients overflow, or that needs more or larger terms
// than there is room for, becomes bad.  A bad form is equal to nothing, and nothing can be proved
// of it.
#include "core/affine.h"

static int64_t sum(int64_t x, int64_t y, bool *bad)
{
	int64_t out;
	*bad |= __builtin_add_overflow(x, y, &out);
	return out;
}

// INT64_MIN is taken for an overflow as well: nothing has its magnitude.
static int64_t times(int64_t x, int64_t y, bool *bad)
{
	int64_t out;
	*bad |= __builtin_mul_overflow(x, y, &out) || out == INT64_MIN;
	return out;
}

static inline bool same_vars(const AffineTerm *a, const AffineTerm *b)
{
	return memcmp(a->v, b->v, sizeof a->v) == 0;
}

static void add_term(Affine *a, const AffineTerm *t)
{
	for (int i = 0; i < a->n; i++) {
		if (!same_vars(&a->t[i], t))
			continue;
		a->t[i].k = sum(a->t[i].k, t->k, &a->bad);
		if (a->t[i].k == 0)
			a->t[i] = a->t[--a->n];
		return;
	}
	if (t->k == 0)
		return;
	if (a->n == AFFINE_TERMS)
		a->bad = true;
	else
		a->t[a->n++] = *t;
}

void affine_add_to(Affine *a, const Affine *b, int64_t k)
{
	a->bad |= b->bad;
	a->c = sum(a->c, times(b->c, k, &a->bad), &a->bad);
	for (int i = 0; i < b->n && !a->bad; i++) {
		AffineTerm t = b->t[i];
		t.k = times(t.k, k, &a->bad);
		add_term(a, &t);
	}
}

Affine affine_add(const Affine *a, const Affine *b, int64_t k)
{
	Affine out = *a;
	affine_add_to(&out, b, k);
	return out;
}

Affine affine_more(Affine a, int64_t c)
{
	a.c = sum(a.c, c, &a.bad);
	return a;
}

Affine affine_scale(const Affine *a, int64_t k)
{
	Affine out = affine_const(0);
	affine_add_to(&out, a, k);
	return out;
}

// ---- Products ----

int term_degree(const AffineTerm *t)
{
	int n = 0;
	while (n < AFFINE_DEGREE && t->v[n].id)
		n++;
	return n;
}

bool term_quotient(const AffineTerm *n, const AffineTerm *d, AffineTerm *out)
{
	if (d->k <= 0 || n->k % d->k)
		return false;
	*out = (AffineTerm){.k = n->k / d->k};
	int at = 0, len = 0;
	for (int i = 0; i < AFFINE_DEGREE && n->v[i].id; i++) {
		if (at < AFFINE_DEGREE && d->v[at].id == n->v[i].id)
			at++;
		else
			out->v[len++] = n->v[i];
	}
	return at == AFFINE_DEGREE || !d->v[at].id;
}

static void add_product(Affine *out, const AffineTerm *x, const AffineTerm *y)
{
	int nx = term_degree(x), ny = term_degree(y), n = 0;
	if (nx + ny > AFFINE_DEGREE) {
		out->bad = true;
		return;
	}
	AffineTerm t = {.k = times(x->k, y->k, &out->bad)};
	for (int i = 0, j = 0; i < nx || j < ny;) {
		bool first = j == ny || (i < nx && x->v[i].id <= y->v[j].id);
		t.v[n++] = first ? x->v[i++] : y->v[j++];
	}
	add_term(out, &t);
}

void affine_add_times(Affine *a, const Affine *b, const AffineTerm *by)
{
	if (!by->v[0].id) {
		affine_add_to(a, b, by->k);
		return;
	}
	a->bad |= b->bad;
	if (b->c) {
		AffineTerm t = *by;
		t.k = times(t.k, b->c, &a->bad);
		add_term(a, &t);
	}
	for (int i = 0; i < b->n && !a->bad; i++)
		add_product(a, &b->t[i], by);
}

Affine affine_mul(const Affine *a, const Affine *b)
{
	Affine out = affine_scale(a, b->c);
	out.bad |= b->bad;
	for (int j = 0; j < b->n && !out.bad; j++)
		affine_add_times(&out, a, &b->t[j]);
	return out;
}

Affine affine_times(const Affine *a, Var v)
{
	Affine by = affine_var(v);
	return affine_mul(a, &by);
}

// ---- Parts ----

// How often the variable is a factor; `rest` is the term without one of them.
static int factors(const AffineTerm *t, Var v, AffineTerm *rest)
{
	int n = 0, k = 0;
	*rest = (AffineTerm){.k = t->k};
	for (int i = 0; i < AFFINE_DEGREE; i++) {
		bool is_one = t->v[i].id == v.id;
		if (!is_one || n)
			rest->v[k++] = t->v[i];
		n += is_one;
	}
	return n;
}

bool affine_split(const Affine *a, Var v, Affine *rate, Affine *rest)
{
	*rate = affine_const(0);
	*rest = affine_const(a->c);
	rate->bad = rest->bad = a->bad;
	for (int i = 0; i < a->n; i++) {
		AffineTerm t;
		int n = factors(&a->t[i], v, &t);
		if (n > 1)
			return false;
		if (!n)
			rest->t[rest->n++] = t;
		else if (term_degree(&t))
			rate->t[rate->n++] = t;
		else
			rate->c = t.k;
	}
	return !a->bad;
}

Affine affine_replace(const Affine *a, Var v, const Affine *by)
{
	Affine rate, rest;
	if (!affine_split(a, v, &rate, &rest))
		rest.bad = true;
	else if (rate.n || rate.c) {
		Affine product = affine_mul(&rate, by);
		affine_add_to(&rest, &product, 1);
	}
	return rest;
}

bool affine_mentions(const Affine *a, Var v)
{
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < AFFINE_DEGREE; j++)
			if (a->t[i].v[j].id == v.id)
				return true;
	return false;
}

bool affine_any_in(const Affine *a, const Map *set)
{
	for (int i = 0; i < a->n; i++)
		for (int k = 0; k < AFFINE_DEGREE && a->t[i].v[k].id; k++)
			if (map_has(set, var_key(a->t[i].v[k])))
				return true;
	return false;
}

bool affine_same(const Affine *a, const Affine *b)
{
	if (a->bad || b->bad || a->c != b->c || a->n != b->n)
		return false;
	Affine d = affine_add(a, b, -1);
	return affine_is(&d, 0);
}

// ---- As text ----

static void show_term(Str *s, const AffineTerm *t)
{
	bool minus = t->k < 0;
	int64_t k = minus ? -t->k : t->k;
	str_puts(s, s->len ? minus ? " - " : " + " : minus ? "-" : "");
	if (k != 1)
		str_printf(s, "%lld*", (long long)k);
	for (int i = 0; i < term_degree(t); i++)
		str_printf(s, "%s%s_%u", i ? "*" : "", vars[t->v[i].id].hint, t->v[i].id);
}

const char *affine_show(const Affine *a)
{
	Str s = {0};
	if (a->bad)
		return "?";
	if (a->c || !a->n)
		str_printf(&s, "%lld", (long long)a->c);
	for (int i = 0; i < a->n; i++)
		show_term(&s, &a->t[i]);
	return str_text(&s);
}
