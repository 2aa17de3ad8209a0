// Turns flat maps that decompose the row number by division into nests of maps.
//
//     ys = screma (n * m) (iota, xs)               rows = reshape [n][m] xs
//       map=\(p, x) ->                             zs = screma n (iota, rows) map=\(i, row) ->
//         i = p / m                         ->       base = i * m
//         j = p % m                                  screma m (iota, row) map=\(j, x) ->
//         f p i j x                                    p = base + j
//                                                      f p i j x
//                                                  ys = reshape [n * m] zs
//
// An integer division takes as long as some twenty additions and does not vectorise.  In the nest,
// conditions on i and j can be peeled (peel.c), and the neighbours p + 1 and p - m are provably in
// bounds where these conditions hold.  The outer map may be flat itself: p / (h * w) is i / h, and
// so is (p / w) / h.
//
// Note [Exact].  A size equals the product of its factors modulo 2^64 only.  If it is the product
// of the sizes of an array in memory (range_shape.c), it is exact, and so are partial products
// unless the array is empty.  Otherwise this is tested at run time: all factors are positive, and
// their product, computed in floating point, is below 2^62.  If not, the flat map is executed.
//
// Note [Blocks].  The pass `nest_sums` does so for devices, where a sum in each row reads something
// that is the same for all rows of a block, or at the same place of all blocks: threads then share
// it (gen/ktile.c), as in a product by one matrix for each block of columns (heads, groups):
//
//     d = n / k                                          q = n / d
//     screma n (iota) map=\p ->                    ->    if 0 < d && q * d == n then
//       sum over j: a[p / d, j] * b[j, p]                nest: sum over j: a[i, j] * b[j, base + c]
//                                                        else as before
//
// Any divisor will do there that is known outside of the map, and whether it divides n is tested at
// run time.
//
// Requires: no jvp or vjp.  Ensures: equal results, up to the order of additions.
#include "opt/opt.h"
#include "opt/prover.h"

typedef struct {
	Build b;
	Map defs;                               // variable -> const Exp *: operations and iotas
	Map forms;                            // variable -> const AffineTerm *: products made here
	Range shapes;                           // of the parameters of functions
	bool changed;
} NestFlat;

// ---- Products ----

// c or k times a product of variables.
static bool product_of(const NestFlat *s, Sub x, AffineTerm *out)
{
	const AffineTerm *made = x.kind == S_VAR ? map_get(&s->forms, var_key(x.var)) : NULL;
	if (made) {
		*out = *made;
		return true;
	}
	return term_of(defs_in_map(&s->defs), x, out);
}

static Sub emit_product(NestFlat *s, const AffineTerm *t)
{
	Sub out = term_emit(&s->b, t);
	if (out.kind == S_VAR)
		map_put(&s->forms, var_key(out.var), mem_dup(t, sizeof *t));
	return out;
}

// See Note [Exact].
static Sub emit_is_exact(Build *b, const AffineTerm *n)
{
	Sub ok = sub_bool(true), size = sub_const(scalar_float(PT_F64, (double)n->k));
	for (int i = 0; i < term_degree(n); i++) {
		Sub v = sub_var(n->v[i]);
		ok = b_prim2(b, P_and, ok, b_le(b, sub_i64(1), v));
		size = b_mul(b, size, b_convert(b, PT_F64, v));
	}
	return b_prim2(b, P_and, ok, b_lt(b, size, sub_const(scalar_float(PT_F64, 0x1p62))));
}

// ---- Which maps ----

typedef struct {
	int at;                                 // the parameter that is the number of the row
	AffineTerm n, d, q;                     // the rows; those of an inner map; of the outer one
} Plan;

static bool is_division(const Exp *e, Var p, bool *quotient)
{
	if (e->form != E_prim || e->prim.at != PT_I64)
		return false;
	*quotient = e->prim.op == P_div || e->prim.op == P_quot;
	return prim_divides(e->prim.op) && sub_eq(e->prim.x[0], sub_var(p));
}

static int number_of_row(const NestFlat *s, const Exp *e)
{
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub a = e->screma.arrs.at[i];
		if (a.kind == S_VAR && is_count(map_get(&s->defs, var_key(a.var))))
			return i;
	}
	return -1;
}

// Is all of the product known outside of the function?
static bool is_outside(const Lambda *f, const AffineTerm *t)
{
	for (int i = 0; i < term_degree(t); i++) {
		if (vars_find(f->params, sub_var(t->v[i])) >= 0)
			return false;
		for EACH(const Stm, s, f->body.stms)
			if (vars_find(s->pat, sub_var(t->v[i])) >= 0)
				return false;
	}
	return true;
}

// The smallest divisor by which the number of the row is taken apart.
static bool find_plan(const NestFlat *s, const Exp *e, Plan *out)
{
	const Lambda *f = e->screma.map;
	AffineTerm d, q;
	bool found = false, quotient;
	out->at = number_of_row(s, e);
	if (out->at < 0 || e->screma.scans.len || lambda_consumes(f) ||
	    !product_of(s, e->screma.n, &out->n))
		return false;
	for EACH(const Stm, t, f->body.stms) {
		if (!is_division(t->exp, f->params.at[out->at], &quotient) ||
		    !product_of(s, t->exp->prim.x[1], &d) || !term_quotient(&out->n, &d, &q) ||
		    (!term_degree(&d) && d.k < threshold(AT_nest_flat_columns)) ||
		    !is_outside(f, &d) || term_is(&q, 1))
			continue;
		if (!found || term_degree(&d) < term_degree(&out->d)) {
			out->d = d;
			out->q = q;
		}
		found = true;
	}
	return found;
}

// ---- The nest ----

typedef struct { const Plan *plan; Sub d, i, j, base; } Rows;

// p / (d e) is i / e;  p % (d e) is (i % e) d + j.  What depends on i alone is put before the inner
// map.  NULL: no division of p by a multiple of d.
static Exp *divided(NestFlat *s, const Rows *r, const Exp *old, Var p)
{
	Build *b = &s->b;
	AffineTerm all, rest, e;
	bool quotient;
	if (!is_division(old, p, &quotient) || !product_of(s, old->prim.x[1], &all) ||
	    !term_quotient(&r->plan->n, &all, &rest) || !term_quotient(&all, &r->plan->d, &e))
		return NULL;
	if (term_is(&e, 1))
		return EXP(atom, quotient ? r->i : r->j);
	Sub by = emit_product(s, &e);
	if (quotient)
		return EXP(atom, b_prim2(b, P_quot, r->i, by));
	return EXP(prim, P_add, PT_I64, {b_mul(b, b_prim2(b, P_rem, r->i, by), r->d), r->j});
}

// What is the same in all of a row, and below a product.
typedef struct { Sub x; AffineTerm n; } Above;

// i or what i was divided into before, divided by a factor of what it is below: no divisor is zero
// where there are rows, so it needs no check.  It belongs to the outer map, which may be taken
// apart by it in turn.
static Exp *divided_above(NestFlat *s, Map *above, const Lambda *f, const Stm *old)
{
	const Exp *e = old->exp;
	AffineTerm d, q;
	const Above *x = e->form == E_prim && e->prim.x[0].kind == S_VAR
		? map_get(above, var_key(e->prim.x[0].var)) : NULL;
	bool quotient;
	if (!x || !is_division(e, e->prim.x[0].var, &quotient) ||
	    !product_of(s, e->prim.x[1], &d) || !term_quotient(&x->n, &d, &q) || !is_outside(f, &d))
		return NULL;
	Sub part = b_prim2(&s->b, quotient ? P_quot : P_rem, x->x, e->prim.x[1]);
	map_put(above, var_key(old->pat.at[0]),
	        mem_dup(&(Above){part, quotient ? q : d}, sizeof(Above)));
	return EXP(atom, part);
}

static Lambda *inner_rows(NestFlat *s, const Rows *r, const Lambda *f, Var j)
{
	Build *b = &s->b;
	Var p = f->params.at[r->plan->at];
	Exp **exps = NEW_ARRAY(Exp *, f->body.stms.len + 1);
	Map above = {0};
	for (int i = 0; i < f->body.stms.len; i++) {
		const Stm *t = &f->body.stms.at[i];
		exps[i] = divided(s, r, t->exp, p);
		if (exps[i] && exps[i]->form == E_atom && sub_eq(exps[i]->atom.x, r->i))
			map_put(&above, var_key(t->pat.at[0]),
			        mem_dup(&(Above){r->i, r->plan->q}, sizeof(Above)));
		else if (!exps[i])
			exps[i] = divided_above(s, &above, f, t);
	}
	Vars params = SLICE_DUP(Vars, f->params);
	params.at[r->plan->at] = j;
	b_open(b);
	b_stm(b, vars_of(1, p), EXP(prim, P_add, PT_I64, {r->base, r->j}));
	for (int i = 0; i < f->body.stms.len; i++) {
		Stm t = f->body.stms.at[i];
		if (exps[i]) {
			t.exp = exps[i];
			t.certs = (Vars){0};
		}
		b_emit(b, t);
	}
	return b_lambda(b, params, f->body.res);
}

// Accumulators go through as they are.
static Type of_rows(Type row, Sub n)
{
	if (row.kind == T_DATA)
		row.dims = subs_cat(subs_of(1, n), row.dims);
	return row;
}

// The nest, whose arrays have a dimension more than those of the map.
static Exp *nest_by(NestFlat *s, const Exp *e, const Plan *plan)
{
	Build *b = &s->b;
	const Lambda *f = e->screma.map;
	Sub d = emit_product(s, &plan->d), q = emit_product(s, &plan->q);
	Type number = type_scalar(PT_I64);
	Var i = var_new(name_of("i"), number), j = var_new(name_of("j"), number);
	Vars params = {NEW_ARRAY(Var, f->params.len), f->params.len};
	Subs arrs = SLICE_DUP(Subs, e->screma.arrs), rows = SLICE_DUP(Subs, e->screma.arrs);
	for (int k = 0; k < params.len; k++) {
		Type t = vars[f->params.at[k].id].type;
		if (k == plan->at) {
			params.at[k] = i;
			arrs.at[k] = b_iota(b, q);
			map_put(&s->defs, var_key(arrs.at[k].var),
			        EXP(iota, PT_I64, q, sub_i64(0), sub_i64(1)));
			rows.at[k] = b_iota(b, d);
			continue;
		}
		if (t.kind == T_DATA)
			arrs.at[k] = b_reshape(b, subs_cat(subs_of(2, q, d), t.dims), arrs.at[k]);
		params.at[k] = var_new(name_of("row"), of_rows(t, d));
		rows.at[k] = sub_var(params.at[k]);
	}
	b_open(b);
	Rows r = {plan, d, sub_var(i), sub_var(j), b_mul(b, sub_var(i), d)};
	Lambda *inner = inner_rows(s, &r, f, j);
	Types ret = SLICE_DUP(Types, f->ret);
	for (int k = n_reduced(e->screma.reds); k < ret.len; k++)
		ret.at[k] = of_rows(ret.at[k], d);
	Subs res = b_lets(b, "row", ret, EXP(screma, .n = d, .arrs = rows, .map = inner,
	                                     .reds = reductions_rename(e->screma.reds)));
	Lambda *outer = b_lambda(b, params, res);
	Exp *out = EXP(screma, .n = q, .arrs = arrs, .map = outer, .reds = e->screma.reds);
	Plan further;
	return find_plan(s, out, &further) ? nest_by(s, out, &further) : out;
}

// Emits the nest; its results in the shapes of the map's.
static Subs emit_nest(NestFlat *s, const Stm *old, const Plan *plan)
{
	Build *b = &s->b;
	Exp *e = nest_by(s, old->exp, plan);
	int n = n_reduced(e->screma.reds);
	Types types = SLICE_DUP(Types, e->screma.map->ret);
	for (int k = n; k < types.len; k++)
		types.at[k] = of_rows(types.at[k], e->screma.n);
	Subs out = b_lets(b, "nest", types, e);
	for (int k = n; k < out.len; k++)
		if (types.at[k].kind == T_DATA)
			out.at[k] = b_reshape(b, vars[old->pat.at[k].id].type.dims, out.at[k]);
	return out;
}

static Exp *renamed_exp(const Stm *s)
{
	Stm copy = *s;
	Lambda f = {.body = {.stms = {&copy, 1}}};
	return lambda_rename(&f)->body.stms.at[0].exp;
}

// The nest where that holds, the map where not.
static Exp *nest_or_map(NestFlat *s, const Stm *old, const Plan *plan, Sub ok)
{
	Build *b = &s->b;
	Types types = {NEW_ARRAY(Type, old->pat.len), old->pat.len};
	for (int k = 0; k < types.len; k++)
		types.at[k] = vars[old->pat.at[k].id].type;
	b_open(b);
	Subs flat = b_lets(b, "flat", types, renamed_exp(old));
	Body no = b_close(b, flat);
	b_open(b);
	Subs out = emit_nest(s, old, plan);
	return EXP(if_, ok, b_close(b, out), no);
}

static Exp *either(NestFlat *s, const Stm *old, const Plan *plan)
{
	return nest_or_map(s, old, plan, emit_is_exact(&s->b, &plan->n));
}

static bool is_flat_map(const Stm *s)
{
	bool quotient;
	if (s->exp->form != E_screma)
		return false;
	for EACH(const Stm, t, s->exp->screma.map->body.stms)
		for EACH(Var, p, s->exp->screma.map->params)
			if (is_division(t->exp, *p, &quotient))
				return true;
	return false;
}

static bool nest_map(void *ctx, const Stm *old)
{
	NestFlat *s = ctx;
	Build *b = &s->b;
	Plan plan;
	if (!find_plan(s, old->exp, &plan) || old->certs.len || !may_rewrite())
		return false;
	s->changed = true;
	if (plan.n.k != 1 || !is_shape(&s->shapes, &plan.n)) {
		b_stm(b, old->pat, either(s, old, &plan));
		return true;
	}
	Subs out = emit_nest(s, old, &plan);
	for (int k = 0; k < out.len; k++)
		b_stm(b, vars_of(1, old->pat.at[k]), EXP(atom, out.at[k]));
	return true;
}

// ---- Sums that blocks of rows share, see Note [Blocks] ----

// What a value depends on: the block of a row, its place there, or its number in any other way.
enum { BY_BLOCK = 1, BY_PLACE = 2, BY_ROW = 4 };
typedef struct { Map depends; Var p; Sub d; uint64_t found; bool shared; } Reads;

static void look_at_reads(Visit *v, Body *b)
{
	Reads *r = v->ctx;
	bool quotient;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		uint64_t on = levels_of_exp(&r->depends, e);
		if (is_division(e, r->p, &quotient) && sub_eq(e->prim.x[1], r->d))
			on = quotient ? BY_BLOCK : BY_PLACE;
		if (e->form == E_screma)
			for (int k = 0; k < e->screma.arrs.len; k++)
				set_levels(&r->depends, e->screma.map->params.at[k],
				           levels_of(&r->depends, e->screma.arrs.at[k]));
		if (form_has(e->form, FORM_NEST))
			exp_walk(e, v);
		r->shared = r->shared || (e->form == E_index && (on == BY_BLOCK || on == BY_PLACE));
		r->found |= e->form == E_index ? on : 0;
		for EACH(Var, x, s->pat)
			set_levels(&r->depends, *x, on);
	}
}

// Is there a sum of which some reads are the same in all rows of a block, or at the same place of
// all blocks, and others are not?
static bool shares_reads(const Lambda *f, Var p, Sub d)
{
	Reads r = {.p = p, .d = d};
	Visit v = {.body = look_at_reads, .ctx = &r};
	set_levels(&r.depends, p, BY_ROW);
	for EACH(Stm, s, f->body.stms) {
		Body one = {.stms = {s, 1}};
		bool sum = (s->exp->form == E_screma && s->exp->screma.reds.len) ||
		           s->exp->form == E_loop;
		r.shared = false;
		r.found = 0;
		look_at_reads(&v, &one);
		if (sum && r.shared && r.found != BY_BLOCK && r.found != BY_PLACE)
			return true;
	}
	return false;
}

// The size of the blocks that a map is taken apart into.
static bool find_blocks(const NestFlat *s, const Exp *e, Plan *out)
{
	const Lambda *f = e->screma.map;
	AffineTerm d;
	bool quotient;
	out->at = number_of_row(s, e);
	if (out->at < 0 || e->screma.scans.len || e->screma.reds.len || lambda_consumes(f) ||
	    e->screma.n.kind != S_VAR)
		return false;
	for EACH(const Stm, t, f->body.stms) {
		if (!is_division(t->exp, f->params.at[out->at], &quotient) ||
		    t->exp->prim.x[1].kind != S_VAR)
			continue;
		d = (AffineTerm){1, {t->exp->prim.x[1].var}};
		out->d = d;
		if (is_outside(f, &d) &&
		    shares_reads(f, f->params.at[out->at], t->exp->prim.x[1]))
			return true;
	}
	return false;
}

static bool nest_blocks(void *ctx, const Stm *old)
{
	NestFlat *s = ctx;
	Build *b = &s->b;
	Plan plan;
	if (!find_blocks(s, old->exp, &plan) || old->certs.len || !may_rewrite())
		return false;
	s->changed = true;
	Sub n = old->exp->screma.n, d = sub_var(plan.d.v[0]);
	Sub some = b_lt(b, sub_i64(0), d);
	Sub q = b_prim2(b, P_quot, n, b_select(b, some, d, sub_i64(1)));
	Sub ok = b_prim2(b, P_and, some, b_eq(b, b_mul(b, q, d), n));
	plan.q = (AffineTerm){1, {q.var}};
	plan.n = d.var.id < q.var.id ? (AffineTerm){1, {d.var, q.var}}
	                             : (AffineTerm){1, {q.var, d.var}};
	b_stm(b, old->pat, nest_or_map(s, old, &plan, ok));
	return true;
}

Prog *nest_sums(Prog *prog)
{
	NestFlat s = {0};
	Visit v = {.body = map_defs, .ctx = &s.defs};
	if (!prog_find(prog, is_flat_map))
		return prog;
	for EACH(Fun *, f, prog->funs)
		map_defs(&v, &(*f)->body); // a walk: writes nothing
	Prog *out = prog_rewrite_stms(prog, is_flat_map, &s.b, nest_blocks, &s);
	return s.changed ? out : prog;
}

// ---- All of them ----

static Prog *round_of(Prog *prog, bool *changed)
{
	NestFlat s = {0};
	Visit v = {.body = map_defs, .ctx = &s.defs};
	for EACH(Fun *, f, prog->funs) {
		for EACH(Var, p, (*f)->params)
			if (vars[p->id].type.kind == T_DATA)
				range_shape(&s.shapes, vars[p->id].type.dims);
		map_defs(&v, &(*f)->body); // a walk: writes nothing
	}
	Prog *out = prog_rewrite_stms(prog, is_flat_map, &s.b, nest_map, &s);
	*changed = s.changed;
	return s.changed ? pass_within(PASS_simplify, out) : prog;
}

Prog *nest_flat(Prog *prog)
{
	enum { ROUNDS = 3 };                    // p % (h * w) is taken apart in the next one
	bool changed = prog_find(prog, is_flat_map);
	for (int i = 0; i < ROUNDS && changed; i++)
		prog = round_of(prog, &changed);
	return prog;
}
