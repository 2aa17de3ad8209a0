// Tests of the prover: random programs over integers, with what is known of them, held against
// small values and such around which numbers wrap.  Whatever is decided must be so.
#include "opt/range.h"
#include "unit.h"

// Three sizes, numbers of which nothing is known but what is assumed, and a counter below a product
// of sizes.
enum { SIZES = 3, OTHERS = 2, GIVEN = SIZES + OTHERS, FACTS = 3, VARS = 64 };

typedef struct { Sub x; bool holds; } Fact;
typedef struct {
	int n;                                  // variables, of which the first are given
	Var var[VARS];
	const Exp *def[VARS];
	Sub limit;                              // of the counter, which is variable `counter`
	int counter;
	Fact facts[FACTS];
	int n_facts;
	bool shape, entry;                      // an array of all sizes is in memory, was given
	bool in_order;                          // digits of the counter by what it is below:
	Sub size[SIZES];                        // sizes, or halves of them
	bool half;
	Map numbers;                            // variable -> 1 + its place above
} Program;

static uint64_t seed = 7;

static int below(int n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (int)((seed >> 33) % (uint64_t)n);
}

// ---- Programs ----

static const Exp *def_of(void *ctx, Sub x)
{
	Program *p = ctx;
	intptr_t at = x.kind == S_VAR ? (intptr_t)map_get(&p->numbers, var_key(x.var)) : 0;
	return at ? p->def[at - 1] : NULL;
}

static Sub add_var(Program *p, const char *hint, PrimType t, const Exp *def)
{
	Var v = var_new(name_of(hint), type_scalar(t));
	p->var[p->n] = v;
	p->def[p->n++] = def;
	map_put(&p->numbers, var_key(v), (void *)(intptr_t)p->n);
	return sub_var(v);
}

static Sub add_prim(Program *p, Prim op, Sub x, Sub y)
{
	bool compares = op == P_lt || op == P_le || op == P_eq || op == P_and;
	PrimType at = op == P_and ? PT_BOOL : PT_I64;
	return add_var(p, "v", compares ? PT_BOOL : PT_I64, EXP(prim, op, at, {x, y}));
}

// An i64 that was made, more often a late one, or a constant.
static Sub operand(Program *p)
{
	static const int64_t constants[] = {0, 1, 2, 3, 5, -1, INT64_C(1) << 32};
	if (below(6) == 0)
		return sub_i64(constants[below(7)]);
	for (;;) {
		int at = below(2) ? below(p->n) : p->n - 1 - below(p->n < 4 ? p->n : 4);
		if (vars[p->var[at].id].type.elem == PT_I64)
			return sub_var(p->var[at]);
	}
}

static Sub any_size(Program *p)
{
	return below(8) == 0 ? sub_var(p->var[SIZES + below(OTHERS)])
	     : below(5)      ? sub_var(p->var[below(SIZES)])
	                     : sub_i64(1 + below(3));
}

static Sub product(Program *p, int n)
{
	Sub x = any_size(p);
	while (--n > 0)
		x = add_prim(p, P_mul, x, any_size(p));
	return x;
}

// p mod w, (p / w) mod h, ... and a place that is computed from these.
static Sub digits(Program *p, Sub *limit)
{
	Sub rest = below(8) ? sub_var(p->var[p->counter]) : operand(p), place = sub_i64(0);
	Sub size[3], digit[3];
	*limit = sub_i64(1);
	for (int i = 0; i < 3; i++) {
		Sub full = p->in_order ? sub_var(p->var[SIZES - 1 - i]) : any_size(p);
		size[i] = p->in_order ? p->size[SIZES - 1 - i] : full;
		digit[i] = i < 2 ? add_prim(p, P_mod, rest, size[i]) : rest;
		rest = add_prim(p, below(2) ? P_div : P_quot, rest, size[i]);
		if (i < 2 && p->half && below(4))
			digit[i] = add_prim(p, P_mul, digit[i], sub_i64(2));
		size[i] = below(16) ? full : any_size(p);
		if (below(4) == 0)
			digit[i] = add_prim(p, P_add, digit[i], sub_i64(below(5) - 1));
	}
	for (int i = p->in_order ? 2 : below(3); i >= 0; i--) {
		place = add_prim(p, P_add, add_prim(p, P_mul, place, size[i]), digit[i]);
		*limit = add_prim(p, P_mul, *limit, size[i]);
	}
	return place;
}

static void random_program(Program *p)
{
	static const Prim ops[] = {P_add, P_sub, P_mul, P_mul, P_div, P_mod, P_quot, P_rem,
	                           P_min, P_max};
	static const Prim comparisons[] = {P_lt, P_le, P_eq};
	memset(p, 0, sizeof *p);
	vars_reset(1);
	for (int i = 0; i < GIVEN; i++)
		add_var(p, i < SIZES ? "n" : "x", PT_I64, NULL);
	p->shape = below(2);
	p->entry = p->shape && below(2);
	p->in_order = below(2);
	p->limit = product(p, 1 + below(3));
	p->half = below(2);
	for (int i = 0; i < SIZES && p->in_order; i++) {
		p->size[i] = sub_var(p->var[i]);
		if (i && p->half)
			p->size[i] = add_prim(p, P_div, p->size[i], sub_i64(2));
		p->limit = i ? add_prim(p, P_mul, p->limit, p->size[i]) : p->size[i];
	}
	p->counter = p->n;
	add_var(p, "i", PT_I64, NULL);
	p->n_facts = below(FACTS + 1);
	for (int i = 0; i < p->n_facts; i++)
		p->facts[i] = (Fact){add_prim(p, comparisons[below(3)], operand(p), operand(p)),
		                     below(3) > 0};
	for (int n = below(3); n > 0; n--)
		add_prim(p, ops[below(10)], operand(p), operand(p));
}

// ---- Numbers ----

typedef struct { int64_t at[VARS]; int n; } Numbers;

static bool eval_operand(const Program *p, const Numbers *v, Sub x, Scalar *out)
{
	if (x.kind == S_CONST) {
		*out = x.val;
		return true;
	}
	intptr_t at = (intptr_t)map_get(&p->numbers, var_key(x.var));
	*out = (Scalar){.type = vars[x.var.id].type.elem, .i = v->at[at - 1]};
	if (out->type == PT_BOOL)
		out->u = v->at[at - 1] != 0;
	return at - 1 < v->n;
}

// The values of what is computed from the given ones, as far as nothing fails.
static void evaluate(const Program *p, Numbers *v)
{
	for (; v->n < p->n; v->n++) {
		const Exp *e = p->def[v->n];
		if (!e)
			continue;
		Scalar x[3], out;
		const char *why;
		if (!eval_operand(p, v, e->prim.x[0], &x[0]) ||
		    !eval_operand(p, v, e->prim.x[1], &x[1]) ||
		    !prim_eval(e->prim.op, e->prim.at, x, &out, &why))
			return;
		v->at[v->n] = out.type == PT_BOOL ? out.u != 0 : out.i;
	}
}

static int64_t any_number(bool small)
{
	static const int64_t tall[] = {INT64_C(1) << 31, INT64_C(1) << 32, INT64_C(1) << 57,
	                               INT64_C(1) << 60, INT64_C(1) << 62, INT64_C(3) << 61,
	                               INT64_MAX, INT64_MIN};
	if (small || below(3))
		return below(8) - (small ? 0 : 1);
	return (int64_t)((uint64_t)tall[below(8)] + (uint64_t)(below(3) - 1));
}

// Does an array of these sizes exist?
static bool may_be_in_memory(const Program *p, const Numbers *v)
{
	int64_t most = p->entry ? LARGEST_GIVEN : LARGEST_SIZE, all = 1, whole = 1;
	for (int i = 0; i < SIZES; i++) {
		int64_t x = v->at[i];
		whole = x && whole ? (all <= most / x ? whole : -1) : 0;
		if (x && all > most / x)
			all = most + 1;
		else if (x)
			all *= x;
	}
	return !p->shape || (p->entry ? all <= most : whole == 0 || all <= most);
}

static bool random_values(const Program *p, Numbers *v)
{
	int64_t most = p->entry ? LARGEST_GIVEN : LARGEST_SIZE;
	bool small = below(2);
	*v = (Numbers){0};
	for (int i = 0; i < GIVEN; i++) {
		v->at[i] = any_number(small);
		if (i < SIZES && (v->at[i] < 0 || v->at[i] > most))
			v->at[i] = v->at[i] < 0 ? 0 : most;
	}
	Scalar limit;
	evaluate(p, v);
	if (v->n < p->counter || !may_be_in_memory(p, v) ||
	    !eval_operand(p, v, p->limit, &limit) || limit.i <= 0)
		return false;
	int64_t i = any_number(true);
	v->at[p->counter] = below(3) ? i % limit.i : limit.i - 1 - i % limit.i;
	v->n = p->counter + 1;
	evaluate(p, v);
	for (int k = 0; k < p->n_facts; k++) {
		Scalar x;
		if (!eval_operand(p, v, p->facts[k].x, &x) || (x.u != 0) != p->facts[k].holds)
			return false;
	}
	return true;
}

// ---- Questions ----

static int n_decided;

static void check_decision(const Program *p, Sub cond, int known)
{
	enum { TRIES = 400 };
	n_decided++;
	for (int i = 0; i < TRIES; i++) {
		Numbers v;
		Scalar x;
		if (!random_values(p, &v) || !eval_operand(p, &v, cond, &x))
			continue;
		CHECK((x.u != 0) == known);
		if ((x.u != 0) != known)
			return;
	}
}

static void ask(Program *p, Range *r, Sub cond)
{
	int known = range_decide(r, cond);
	if (known >= 0)
		check_decision(p, cond, known);
}

static void note_facts(Program *p, Range *r)
{
	r->given = p->entry;
	Sub dims[SIZES];
	for (int i = 0; i < SIZES; i++) {
		dims[i] = sub_var(p->var[i]);
		range_size(r, dims[i], p->entry ? LARGEST_GIVEN : LARGEST_SIZE, (Vars){0});
	}
	if (p->shape)
		range_shape(r, (Subs){dims, SIZES});
	range_counter(r, p->var[p->counter], p->limit);
	for (int i = 0; i < p->n_facts; i++)
		range_assume(r, p->facts[i].x, p->facts[i].holds, (Var){0});
}

static void test_decisions(void)
{
	for (int round = 0; round < 6000; round++) {
		Program p;
		random_program(&p);
		Range r = {.def = def_of, .ctx = &p};
		note_facts(&p, &r);
		Sub x = operand(&p), limit = operand(&p);
		if (below(3))
			x = digits(&p, &limit);
		Sub low = add_prim(&p, P_le, sub_i64(0), x), high = add_prim(&p, P_lt, x, limit);
		ask(&p, &r, low);
		ask(&p, &r, high);
		ask(&p, &r, add_prim(&p, P_and, low, high));
		range_free(&r);
	}
	CHECK(n_decided > 2000);
}

// ---- What is known of arrays rests on the assertions that they need ----

static void test_rests(void)
{
	Program p;
	memset(&p, 0, sizeof p);
	vars_reset(1);
	Sub m = add_var(&p, "m", PT_I64, NULL), n = add_var(&p, "n", PT_I64, NULL);
	Var c = var_new(name_of("c"), type_cert()), d = var_new(name_of("d"), type_cert());
	Sub sum = add_prim(&p, P_add, m, sub_i64(5));
	Sub cond = add_prim(&p, P_lt, sum, n), is_size = add_prim(&p, P_le, sub_i64(0), m);
	Sub index = add_prim(&p, P_and, is_size, add_prim(&p, P_lt, m, n));
	Map kept = {0};
	Range r = {.def = def_of, .ctx = &p, .kept = &kept};
	range_size(&r, m, LARGEST_SIZE, vars_of(1, c));
	VarVec by = {0};
	CHECK(range_proves(&r, is_size, &by) && by.len == 1 && by.at[0].id == c.id);
	range_assume(&r, cond, true, d);                // takes m + 5 not to wrap around
	by.len = 0;
	CHECK(range_proves(&r, index, &by) && by.len == 2 && !kept.len);
	CHECK(range_decide(&r, is_size) == 1 && kept.len == 1 && map_has(&kept, var_key(c)));
	range_free(&r);
}

int main(void)
{
	test_decisions();
	test_rests();
	return report_counts();
}
