// Takes common factors out of the terms of an accumulated sum.
//
//     screma n (A, acc) \(a, acc) ->                        parts = withacc zeros \acc2 ->
//       screma m (iota m, a, C, acc) \(j, x, c, acc) ->       screma n (A) \a ->
//         screma l (iota l, c, acc) \(k, y, acc) ->    ->       screma m (iota m, a) \(j, x) ->
//           upd_acc acc [k] (x * y)                               upd_acc acc2 [j] (x)
//                                                           map over k: sum of parts[j] * C[j, k]
//
// The first nest takes n m l steps, the other two n m and m l.  Such code is the adjoint of an
// array that a matrix product inside a map reads, where the map ranges over something else: a
// matrix that is invariant in the map is multiplied once, by the sum of the rows' factors, instead
// of once per row.
//
// Requires: an index as for `pull`.  Factors that depend on the outermost summed dimension must not
// depend on anything bound inside another summed dimension.  All of their other dimensions must
// occur in the remaining factors too, so that the intermediate sums are no larger than the arrays
// that those factors read.
//
// Ensures: equal results up to the order of additions and distributivity, x c + y c = (x + y) c.
#include "opt/acc.h"

// What a value is a product of.
typedef struct { SubVec with, without; bool negative; } Factors;

static void split(const Plan *p, Sub x, int outermost, Factors *f)
{
	const PathVar *v = path_var(p, x);
	const Exp *e = v && v->stm ? v->stm->exp : NULL;
	bool prim = e && e->form == E_prim && v->stm->pat.len == 1;
	if (prim && e->prim.op == P_mul) {
		split(p, e->prim.x[0], outermost, f);
		split(p, e->prim.x[1], outermost, f);
	} else if (prim && e->prim.op == P_neg) {
		f->negative = !f->negative;
		split(p, e->prim.x[0], outermost, f);
	} else if (v && v->deps >> outermost & 1) {
		VEC_PUSH(&f->with, x);
	} else {
		VEC_PUSH(&f->without, x);
	}
}

static DimSet deps_of_all(const Plan *p, SubVec xs, int *level, int *body)
{
	DimSet deps = 0;
	for EACH(Sub, x, xs) {
		const PathVar *v = path_var(p, *x);
		if (!v)
			continue;
		deps |= v->deps;
		*level = v->level > *level ? v->level : *level;
		*body = v->body > *body ? v->body : *body;
	}
	return deps;
}

// The body of the path in which so many dimensions are open first.
static int body_at(const Site *s, int level)
{
	int at = 0;
	for (int open = 0; open < level; at++)
		open += s->path.at[at]->exp->form == E_screma;
	return at;
}

bool factor_plan(Factor *f, Plan *p)
{
	int n = p->site->dims.len, first = 0, level = 0, body = 0, any = 0;
	while (first < n && p->outer >> first & 1)
		first++;
	Factors of = {0};
	if (first >= n)
		return false;
	split(p, p->site->upd->exp->upd_acc.vals.at[0], first, &of);
	DimSet with = deps_of_all(p, of.with, &level, &body);
	DimSet without = deps_of_all(p, of.without, &any, &any);
	if (!of.with.len || with != dims_below(level) || !(without & ~with))
		return false;
	int opened = body_at(p->site, level);
	DimSet summed = with & ~without;
	if (summed & p->outer)
		return false;
	*f = (Factor){.plan = p, .summed = summed, .with = VEC_SLICE(Subs, of.with),
	              .without = VEC_SLICE(Subs, of.without), .negative = of.negative,
	              .level = level, .body = body > opened ? body : opened};
	for (int d = 0; d < level; d++)
		if (!(summed >> d & 1))
			f->dims[f->n_dims++] = d;
	return pull_factors(f);
}

// ---- The sums ----

typedef struct {
	Factor *f;
	Build b;
	Type type;                              // of the accumulator
	Sub acc;                                // its name at hand
	Sub counts[MAX_DIMS], counters[MAX_DIMS]; // of the dimensions that it has
} Adding;

static Body add_in_body(Adding *, const Body *, int at, int level);

static Sub product(Build *b, Subs xs)
{
	Sub x = xs.at[0];
	for (int i = 1; i < xs.len; i++)
		x = b_mul(b, x, xs.at[i]);
	return x;
}

static void emit_update(Adding *a, const Where *where)
{
	Factor *f = a->f;
	a->b.where = where;
	Sub x = product(&a->b, f->with);
	if (f->negative)
		x = b_prim1(&a->b, P_neg, x);
	SubVec idx = {0};
	for (int i = 0; i < f->n_dims; i++)
		VEC_PUSH(&idx, a->counters[f->dims[i]]);
	a->acc = b_let(&a->b, "acc", a->type, EXP(upd_acc, a->acc, VEC_SLICE(Subs, idx),
	                                          subs_of(1, x)));
}

// A combinator or a withacc of the path hands the accumulator in and out.
static Stm add_in_stm(Adding *a, const Stm *s, int at, int level)
{
	Stm t = *s;
	t.exp = exp_dup(s->exp);
	bool screma = t.exp->form == E_screma;
	Lambda **l = screma ? &t.exp->screma.map : &t.exp->withacc.fn;
	Lambda *f = *l = mem_dup(*l, sizeof **l);
	if (screma) {
		Var acc = var_new(name_of("acc"), a->type), i = var_i64("i");
		t.exp->screma.arrs =
			subs_cat(t.exp->screma.arrs, subs_of(2, a->counts[level], a->acc));
		f->params = vars_cat(f->params, vars_of(2, i, acc));
		a->acc = sub_var(acc);
		a->counters[level] = sub_var(i);
	}
	f->body = add_in_body(a, &f->body, at + 1, level + screma);
	Var out = var_new(name_of("acc"), a->type);
	INSERTED(Subs, Sub, f->body.res, f->body.res.len, a->acc);
	INSERTED(Types, Type, f->ret, f->ret.len, a->type);
	INSERTED(Vars, Var, t.pat, t.pat.len, out);
	a->acc = sub_var(out);
	return t;
}

static Body add_in_body(Adding *a, const Body *body, int at, int level)
{
	const Site *site = a->f->plan->site;
	const Stm *next = at < site->path.len ? site->path.at[at] : site->upd;
	b_open(&a->b);
	for EACH(Stm, s, body->stms) {
		bool here = s->pat.len && s->pat.at[0].id == next->pat.at[0].id;
		if (here && at == a->f->body)
			emit_update(a, site->upd->where);
		b_emit(&a->b, here && at < a->f->body ? add_in_stm(a, s, at, level) : *s);
	}
	return b_close(&a->b, body->res);
}

static Sub row_numbers(Build *b, AccDefs *defs, Sub n)
{
	Exp *e = EXP(iota, .n = n, .start = sub_i64(0), .step = sub_i64(1), .type = PT_I64);
	Sub out = b_let(b, "iota", type_array(PT_I64, subs_of(1, n)), e);
	map_put(&defs->more, var_key(out.var), e);
	return out;
}

// The withacc with one more accumulator, its last, for the sums.  Zeros to start with go to `b`.
Stm factor_sums(Build *b, AccDefs *defs, Stm with, Factor *f)
{
	const Plan *p = f->plan;
	PrimType elem = sub_type(f->with.at[0]).elem;
	Adding a = {.f = f};
	SubVec space = {0};
	Sub zero = sub_const(scalar_int(elem, 0)), zeros = zero;
	for (int i = 0; i < f->n_dims; i++)
		VEC_PUSH(&space, dim_size(p, f->dims[i]));
	for (int i = f->n_dims - 1; i >= 0; i--)
		zeros = b_replicate(b, space.at[i], zeros);
	for (int d = 0; d < f->level; d++)
		a.counts[d] = row_numbers(b, defs, dim_size(p, d));
	Exp *e = with.exp = exp_dup(with.exp);
	Lambda *fn = e->withacc.fn = mem_dup(e->withacc.fn, sizeof *e->withacc.fn);
	int n = e->withacc.inputs.len, n_arrs = 0;
	for EACH(AccInput, in, e->withacc.inputs)
		n_arrs += in->arrs.len;
	Var token = var_new(name_of("token"), (Type){.kind = T_CERT});
	Types elems = {NEW_ARRAY(Type, 1), 1};
	elems.at[0] = type_scalar(elem);
	a.type = (Type){.kind = T_ACC, .acc = NEW(AccType, token, VEC_SLICE(Subs, space), elems)};
	Var acc = var_new(name_of("acc"), a.type);
	a.acc = sub_var(acc);
	AccInput in = {.space = VEC_SLICE(Subs, space), .arrs = subs_of(1, zeros),
	               .op = b_operator(b, P_add, elem), .ne = subs_of(1, zero)};
	INSERTED(AccInputs, AccInput, e->withacc.inputs, n, in);
	INSERTED(Vars, Var, fn->params, n, token);
	INSERTED(Vars, Var, fn->params, 2 * n + 1, acc);
	fn->body = add_in_body(&a, &fn->body, 0, 0);
	INSERTED(Subs, Sub, fn->body.res, n, a.acc);
	INSERTED(Types, Type, fn->ret, n, a.type);
	f->sums = var_new(name_of("sums"), sub_type(zeros));
	INSERTED(Vars, Var, with.pat, n_arrs, f->sums);
	return with;
}
