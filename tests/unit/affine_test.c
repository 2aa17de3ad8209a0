// Tests of the algebra of indices: examples, and random forms held against all small values of
// their variables.
#include "core/affine.h"
#include "unit.h"

// Two sizes, a counter below each, and a number of which nothing is known.
enum { N, M, I, J, X, N_VARS, LENGTH = 7 }; // LENGTH: of random programs
static Var var[N_VARS];
static Sub limit_i, limit_j;
static Map sizes, counters, no_defs;
static int64_t value[N_VARS + LENGTH];

static void set_up(void)
{
	static const char *const names[] = {"n", "m", "i", "j", "x"};
	vars_reset(1);
	for (int k = 0; k < N_VARS; k++)
		var[k] = var_new(name_of(names[k]), type_scalar(PT_I64));
	limit_i = sub_var(var[N]);
	limit_j = sub_var(var[M]);
	map_put(&sizes, var_key(var[N]), &sizes);
	map_put(&sizes, var_key(var[M]), &sizes);
	map_put(&counters, var_key(var[I]), &limit_i);
	map_put(&counters, var_key(var[J]), &limit_j);
}

static AffineFacts facts(void)
{
	return (AffineFacts){defs_in_map(&no_defs), &sizes, &counters};
}

// ---- Values ----

static int64_t eval(const Affine *a)
{
	uint64_t sum = (uint64_t)a->c;
	for (int i = 0; i < a->n; i++) {
		uint64_t product = (uint64_t)a->t[i].k;
		for (int j = 0; j < AFFINE_DEGREE && a->t[i].v[j].id; j++)
			product *= (uint64_t)value[a->t[i].v[j].id - var[0].id];
		sum += product;
	}
	return (int64_t)sum;
}

// The next values of all variables: sizes up to 3, counters below them, x from -2 to 2.
static bool next_values(void)
{
	static const int64_t least[] = {0, 0, 0, 0, -2}, most[] = {3, 3, 3, 3, 2};
	do {
		int k = 0;
		while (k < N_VARS && value[k] == most[k]) {
			value[k] = least[k];
			k++;
		}
		if (k == N_VARS)
			return false;
		value[k]++;
	} while (value[I] >= value[N] || value[J] >= value[M]);
	return true;
}

static void first_values(void)
{
	memcpy(value, (int64_t[]){1, 1, 0, 0, -2}, N_VARS * sizeof *value);
	// the ones before are the last, so that all are met
	while (next_values())
		;
	next_values();
}

// ---- Random forms ----

static uint64_t seed = 1;

static int below(int n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (int)((seed >> 33) % (uint64_t)n);
}

static Affine random_form(int n_terms)
{
	Affine a = affine_const(below(7) - 3);
	for (int k = below(n_terms + 1); k-- > 0;) {
		Affine t = affine_const(below(9) - 4);
		for (int d = 1 + below(2); d-- > 0;)
			t = affine_times(&t, var[below(N_VARS)]);
		affine_add_to(&a, &t, 1);
	}
	return a;
}

static bool holds_always(bool (*holds)(const void *), const void *ctx)
{
	first_values();
	do
		if (!holds(ctx))
			return false;
	while (next_values());
	return true;
}

typedef struct { Affine a, b, sum, product, put, rate, rest; int64_t k; bool splits; } Laws;

static bool laws_hold(const void *ctx)
{
	const Laws *l = ctx;
	int64_t a = eval(&l->a), b = eval(&l->b), i = value[I];
	bool good = eval(&l->sum) == a + l->k * b && eval(&l->product) == a * b;
	if (l->splits) {
		good &= eval(&l->rate) * i + eval(&l->rest) == a;
		good &= l->put.bad || eval(&l->put) == eval(&l->rate) * b + eval(&l->rest);
	}
	return good;
}

static void test_laws(void)
{
	for (int round = 0; round < 300; round++) {
		Laws l = {.a = random_form(3), .b = random_form(3), .k = below(5) - 2};
		l.sum = affine_add(&l.a, &l.b, l.k);
		l.product = affine_mul(&l.a, &l.b);
		l.splits = affine_split(&l.a, var[I], &l.rate, &l.rest);
		l.put = affine_replace(&l.a, var[I], &l.b);
		CHECK(!l.sum.bad);
		CHECK(l.product.bad || holds_always(laws_hold, &l));
		CHECK(!l.splits || (!affine_mentions(&l.rate, var[I]) &&
		                    !affine_mentions(&l.rest, var[I])));
		Affine back = affine_add(&l.sum, &l.b, -l.k);
		CHECK(affine_same(&back, &l.a));
	}
}

static AffineTerm random_term(int max_degree)
{
	Affine a = affine_const(1 + below(4));
	for (int d = below(max_degree + 1); d-- > 0;)
		a = affine_times(&a, var[below(N_VARS)]);
	return a.n ? a.t[0] : (AffineTerm){.k = a.c};
}

static Affine of_term(AffineTerm t)
{
	Affine a = affine_const(term_degree(&t) ? 0 : t.k);
	a.n = term_degree(&t) > 0;
	a.t[0] = t;
	return a;
}

typedef struct { Affine n, d, q; } Quotient;

static bool quotient_holds(const void *ctx)
{
	const Quotient *x = ctx;
	return eval(&x->n) == eval(&x->d) * eval(&x->q);
}

// Each product has its factors as divisors, and what is given as a quotient is one.
static void test_quotients(void)
{
	for (int round = 0; round < 300; round++) {
		AffineTerm a = random_term(2), b = random_term(2), q;
		Affine fa = of_term(a), fb = of_term(b), n = affine_mul(&fa, &fb);
		AffineTerm product = n.n ? n.t[0] : (AffineTerm){.k = n.c};
		CHECK(term_quotient(&product, &a, &q));
		Affine fq = of_term(q);
		CHECK(affine_same(&fq, &fb));
		AffineTerm d = random_term(3);
		Quotient x = {n, of_term(d), {0}};
		if (term_quotient(&product, &d, &q)) {
			x.q = of_term(q);
			CHECK(holds_always(quotient_holds, &x));
		}
	}
	AffineTerm two = {2, {var[N]}}, three = {3, {var[N]}}, other = {2, {var[M]}}, q;
	CHECK(!term_quotient(&three, &two, &q) && !term_quotient(&two, &other, &q));
}

// ---- Order and sets: what is claimed holds for all values ----

static bool is_natural(const void *a) { return eval(a) >= 0; }

static void test_natural(void)
{
	AffineFacts f = facts();
	int proved = 0;
	for (int round = 0; round < 3000; round++) {
		Affine a = random_form(3);
		if (!affine_natural(&f, &a))
			continue;
		proved++;
		CHECK(holds_always(is_natural, &a));
	}
	CHECK(proved > 300);
}

static bool are_apart(const void *ctx)
{
	const IndexSpan *s = ctx;
	int64_t a = eval(&s[0].start), b = eval(&s[1].start);
	return a + eval(&s[0].len) <= b || b + eval(&s[1].len) <= a;
}

static void test_apart(void)
{
	AffineFacts f = facts();
	int proved = 0;
	for (int round = 0; round < 3000; round++) {
		IndexSpan s[2] = {{random_form(1), random_form(1)},
		                  {random_form(2), random_form(1)}};
		if (!spans_apart(&f, &s[0], &s[1]))
			continue;
		proved++;
		CHECK(holds_always(are_apart, s));
	}
	CHECK(proved > 100);
}

// For each n, m and x the numbers of all i and j.
static bool all_differ(const Affine *a, bool both)
{
	for (int64_t n = 1; n <= 3; n++)
		for (int64_t m = 1; m <= 3; m++)
			for (int64_t x = -2; x <= 2; x++) {
				int64_t seen[9];
				int k = 0;
				for (int64_t i = 0; i < n; i++)
					for (int64_t j = 0; j < (both ? m : 1); j++) {
						memcpy(value, (int64_t[]){n, m, i, j, x},
						       N_VARS * sizeof *value);
						seen[k] = eval(a);
						for (int o = 0; o < k; o++)
							if (seen[o] == seen[k])
								return false;
						k++;
					}
			}
	return true;
}

static void test_injective(void)
{
	AffineFacts f = facts();
	int proved[2] = {0};
	for (int round = 0; round < 6000; round++) {
		Affine a = random_form(3);
		for (int both = 0; both < 2; both++) {
			Vars over = {&var[I], 1 + both};
			if (!affine_injective(&f, &a, over))
				continue;
			proved[both]++;
			CHECK(all_differ(&a, both));
		}
	}
	CHECK(proved[0] > 100 && proved[1] > 3);
}

// ---- Operands ----

// A random straight-line program: `x` are its operands, the variables first.
static Body random_program(Sub *x)
{
	static const Prim ops[] = {P_add, P_sub, P_mul, P_neg, P_shl, P_div};
	Body b = {.stms = {NEW_ARRAY(Stm, LENGTH), LENGTH}};
	vars_reset(var[X].id + 1);
	for (int n = 0; n < N_VARS; n++)
		x[n] = sub_var(var[n]);
	for (int n = N_VARS; n < N_VARS + LENGTH; n++) {
		Prim op = ops[below(6)];
		bool any = below(3) && op != P_shl && op != P_div;
		Sub by = any ? x[below(n)] : sub_i64(1 + below(3));
		Exp *e = NEW(Exp, .form = E_prim, .prim = {op, PT_I64, {x[below(n)], by}});
		Var v = var_new(name_of("t"), type_scalar(PT_I64));
		b.stms.at[n - N_VARS] = (Stm){.pat = vars_of(1, v), .exp = e};
		x[n] = sub_var(v);
	}
	return b;
}

// The values of what it computes, after those of the variables.
static void run(const Body *b)
{
	for (int k = 0; k < LENGTH; k++) {
		const Exp *e = b->stms.at[k].exp;
		Scalar args[2], out;
		const char *why;
		for (int o = 0; o < prim_arity(e->prim.op); o++) {
			Sub y = e->prim.x[o];
			args[o] = y.kind == S_CONST
			                ? y.val
			                : scalar_int(PT_I64, value[y.var.id - var[0].id]);
		}
		prim_eval(e->prim.op, PT_I64, args, &out, &why);
		value[N_VARS + k] = out.i;
	}
}

static void test_operands(void)
{
	for (int round = 0; round < 300; round++) {
		Sub x[N_VARS + LENGTH], last;
		Body b = random_program(x);
		AffineDefs defs = defs_in_body(&b);
		last = x[N_VARS + LENGTH - 1];
		Affine a = affine_of(defs, last);
		CHECK(affine_equal(defs, last, last));
		first_values();
		for (int times = 0; times < 40 && next_values() && !a.bad; times++) {
			run(&b);
			CHECK(eval(&a) == value[N_VARS + LENGTH - 1]);
		}
	}
}

// ---- Examples ----

static void test_examples(void)
{
	AffineFacts f = facts();
	Affine n = affine_var(var[N]), m = affine_var(var[M]), i = affine_var(var[I]),
	       j = affine_var(var[J]), one = affine_const(1);
	Affine row = affine_mul(&i, &m), flat = affine_add(&row, &j, 1);
	Affine past = affine_add(&i, &one, 1), next = affine_mul(&past, &m);
	CHECK_TEXT(affine_show(&flat), "m_2*i_3 + j_4");
	CHECK_TEXT(affine_show(&next), "m_2 + m_2*i_3");
	Affine back = affine_add(&next, &m, -1);
	CHECK(affine_same(&back, &row) && !affine_same(&next, &row));
	Affine rate, rest;
	CHECK(affine_split(&flat, var[I], &rate, &rest));
	CHECK_TEXT(affine_show(&rate), "m_2");
	CHECK_TEXT(affine_show(&rest), "j_4");
	Affine last = affine_add(&n, &past, -1), whole = affine_mul(&n, &m);
	Affine left = affine_add(&whole, &flat, -1);
	left.c--;
	CHECK_TEXT(affine_show(&left), "-1 + n_1*m_2 - m_2*i_3 - j_4");
	CHECK(affine_natural(&f, &last) && affine_natural(&f, &left));
	CHECK(affine_injective(&f, &flat, (Vars){&var[I], 2}));
	CHECK(!affine_injective(&f, &row, (Vars){&var[I], 1})); // m may be 0
	IndexSpan a = {row, m}, b = {next, m};
	CHECK(spans_apart(&f, &a, &b) && !spans_apart(&f, &a, &a));
	Affine huge = affine_const(INT64_MAX), more = affine_scale(&huge, 2);
	CHECK(more.bad && !affine_same(&more, &more) && !affine_natural(&f, &more));
	CHECK_TEXT(affine_show(&more), "?");
}

// A counter below  min q (max 0 (n - l)), the number of rows of a part that begins at l.
static void test_limits(void)
{
	enum { Q, L, REST, SOME, LIMIT, P, N_NEW };
	static const char *const names[] = {"q", "l", "rest", "some", "limit", "p"};
	Var v[N_NEW];
	Map defs = {0}, counted = {0};
	for (int k = 0; k < N_NEW; k++)
		v[k] = var_new(name_of(names[k]), type_scalar(PT_I64));
	map_put(&defs, var_key(v[REST]), NEW(Exp, .form = E_prim,
		.prim = {P_sub, PT_I64, {sub_var(var[N]), sub_var(v[L])}}));
	map_put(&defs, var_key(v[SOME]), NEW(Exp, .form = E_prim,
		.prim = {P_max, PT_I64, {sub_i64(0), sub_var(v[REST])}}));
	map_put(&defs, var_key(v[LIMIT]), NEW(Exp, .form = E_prim,
		.prim = {P_min, PT_I64, {sub_var(v[Q]), sub_var(v[SOME])}}));
	Sub limit = sub_var(v[LIMIT]);
	map_put(&counted, var_key(v[P]), &limit);
	AffineFacts f = {defs_in_map(&defs), &sizes, &counted};
	Affine p = affine_var(v[P]), n = affine_var(var[N]), l = affine_var(v[L]),
	       q = affine_var(v[Q]);
	Affine in_row = affine_add(&n, &l, -1), in_part = affine_add(&q, &p, -1);
	Affine left = affine_more(affine_add(&in_row, &p, -1), -1);
	CHECK(affine_natural(&f, &left));
	in_part.c--;
	CHECK(affine_natural(&f, &in_part));
	left.c--;
	in_part.c--;
	CHECK(!affine_natural(&f, &left) && !affine_natural(&f, &in_part));
	Affine both = affine_add(&left, &in_part, 1); // neither limit is enough for both
	both.c += 2;
	CHECK(!affine_natural(&f, &both));
	CHECK(!affine_natural(&f, &in_row)); // nothing is counted
}

int main(void)
{
	set_up();
	test_limits();
	test_examples();
	test_laws();
	test_quotients();
	test_natural();
	test_apart();
	test_injective();
	test_operands();
	return report_counts();
}
