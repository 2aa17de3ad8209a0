// Turns flat maps that update accumulators at quotients or remainders of the row number into nests.
//
//     screma n (iota n, xs, acc) \(c, x, acc) ->     screma q (iota q, acc) \(i, acc) ->
//       h = c / d                              ->      screma d (iota d, acc) \(j, acc) ->
//       upd_acc acc [h, k] (f c x)                      c = i d + j; upd_acc acc [i, k] (f c xs[c])
//                                                    and the remaining n - q d rows as before
//
// There is no remainder if d is known to be a factor of n, a product of sizes, which must not wrap
// around: sizes that nothing else multiplies may be so large (check_product).  A flat map over all
// elements of a tensor, which decomposes its index by divisions, i = ((b * o + f) * h + y) * w + x,
// thus becomes the equivalent nest of maps.  The rewrite also applies if d is not known to divide
// n, as in the heads of attention (c / (e / heads)): all rows with the same quotient form one inner
// map.
//
// The rules of acc.c then apply to the nest: contributions along a dimension that does not occur
// in the index become a reduction, often a matrix product, instead of many additions to one
// element.
//
// Requires: a map whose only results are accumulators; d is invariant in it.  Ensures: equal
// results up to the order of additions.
#include "opt/acc.h"

enum { PLAIN = 1, QUOTIENT = 2, REMAINDER = 4 };  // how a value depends on the number of a row

typedef struct {
	AccDefs *defs;
	Build *before;                          // the withacc: for sizes that it does not compute
	Build b;
	Map bound;                              // in the withacc
	Build *sizes;                           // where those of the nest at hand are computed
	// The map at hand.
	Var c;                                  // the number of the row
	Sub d;
	Map how;                                // set_levels: PLAIN and the like
	bool exact;                             // n is a multiple of d
	bool pays;
	bool done;
} Nesting;

// ---- Factors ----

static const Exp *product_of(const Nesting *s, Sub n)
{
	const Exp *e = def_of(s->defs, n);
	return e && e->form == E_prim && e->prim.op == P_mul && e->prim.at == PT_I64 ? e : NULL;
}

static bool is_quotient(const Exp *e)
{
	return e->prim.op == P_div || e->prim.op == P_quot;
}

static bool has_factor(const Nesting *s, Sub n, Sub d)
{
	const Exp *e = product_of(s, n);
	return sub_eq(n, d) || (e && (has_factor(s, e->prim.x[0], d) ||
	                              has_factor(s, e->prim.x[1], d)));
}

// n / d, of which it is a factor.
static Sub without_factor(Nesting *s, Build *b, Sub n, Sub d)
{
	if (sub_eq(n, d))
		return sub_i64(1);
	const Exp *e = product_of(s, n);
	int at = has_factor(s, e->prim.x[0], d) ? 0 : 1;
	Sub rest = without_factor(s, b, e->prim.x[at], d), other = e->prim.x[1 - at],
	    out = b_mul(b, rest, other);
	if (out.kind == S_VAR && !def_of(s->defs, out))
		map_put(&s->defs->more, var_key(out.var), NEW(Exp, .form = E_prim,
			.prim = {P_mul, PT_I64, {rest, other}}));
	return out;
}

// Is it a product of sizes, which are not negative?  Or a quotient, as with strides: on devices,
// where updates of the same element are atomic.  On processors the flat map as a whole is a nest
// later (nest_flat.c), in which all updates have their place; apart, they took 1.7 times as long.
static bool is_size(const Nesting *s, Sub n)
{
	if (n.kind == S_CONST)
		return n.val.i >= 0;
	if (map_has(&s->defs->sizes, var_key(n.var)))
		return true;
	const Exp *e = def_of(s->defs, n);
	return e && e->form == E_prim && e->prim.at == PT_I64 &&
	       (e->prim.op == P_mul || (is_quotient(e) && s->defs->for_ == FOR_DEVICES)) &&
	       is_size(s, e->prim.x[0]) && is_size(s, e->prim.x[1]);
}

static bool rest_is_size(const Nesting *s, Sub n, Sub d)
{
	const Exp *e = product_of(s, n);
	if (sub_eq(n, d))
		return true;
	int at = has_factor(s, e->prim.x[0], d) ? 0 : 1;
	return rest_is_size(s, e->prim.x[at], d) && is_size(s, e->prim.x[1 - at]);
}

// ---- Which maps ----

static void look_at_operand(Visit *v, Sub *x)
{
	uint64_t *how = ((void **)v->ctx)[1];
	*how |= levels_of(((void **)v->ctx)[0], *x);
}

static uint64_t how_of(const Nesting *s, Exp *e)
{
	uint64_t how = 0;
	Visit v = {.sub = look_at_operand, .flat = true, .ctx = (void *[]){(void *)&s->how, &how}};
	exp_visit(e, &v); // a walk: writes nothing
	return how;
}

static bool divides(const Nesting *s, const Exp *e)
{
	return e->form == E_prim && e->prim.at == PT_I64 && prim_divides(e->prim.op) &&
	       sub_eq(e->prim.x[0], sub_var(s->c));
}

static void look_at_update(Nesting *s, const Exp *e)
{
	uint64_t how = 0;
	for EACH(Sub, i, e->upd_acc.idx)
		how |= levels_of(&s->how, *i);
	s->pays |= s->exact ? how && !(how & PLAIN) : how == QUOTIENT || how == REMAINDER;
}

static void look_at_body(Visit *v, Body *b)
{
	Nesting *s = v->ctx;
	for EACH(Stm, t, b->stms) {
		const Exp *e = t->exp;
		bool scalar = e->form == E_prim || e->form == E_convert || e->form == E_atom;
		uint64_t how = how_of(s, t->exp);
		if (divides(s, e) && sub_eq(e->prim.x[1], s->d))
			how = is_quotient(e) ? QUOTIENT : REMAINDER;
		else if (!scalar && how)
			how |= PLAIN;
		for EACH(Var, x, t->pat)
			set_levels(&s->how, *x, how);
		if (e->form == E_upd_acc)
			look_at_update(s, e);
		if (form_has(e->form, FORM_NEST))
			exp_visit(t->exp, v);
	}
}

typedef struct { Nesting *s; Map bound; VEC(Sub) by; } Divisors;

static void note_bound(Visit *v, Var *x)
{
	Divisors *d = v->ctx;
	map_put(&d->bound, var_key(*x), d);
}

static void note_divisors(Visit *v, Body *b)
{
	Divisors *d = v->ctx;
	for EACH(Stm, t, b->stms) {
		for EACH(Var, x, t->pat)
			map_put(&d->bound, var_key(*x), d);
		if (form_has(t->exp->form, FORM_NEST))
			exp_visit(t->exp, v);
		if (!divides(d->s, t->exp))
			continue;
		Sub by = t->exp->prim.x[1];
		bool inside = by.kind == S_VAR && map_has(&d->bound, var_key(by.var));
		if (!inside && (by.kind == S_VAR || by.val.i > 1))
			VEC_PUSH(&d->by, by);
	}
}

// Too large to be written twice, for the nest and for the rows left over?
static bool is_large(const Lambda *f)
{
	enum { MOST = 40 };
	return body_size(&f->body) > MOST;
}

// Is the quotient 0 in any case?  All rows would be left over.
static bool has_no_row(const Exp *e, Sub d)
{
	Sub n = e->screma.n;
	return n.kind == S_CONST && d.kind == S_CONST && d.val.i > n.val.i;
}

// By the first divisor for which it pays, those that divide n before others.
static bool find_divisor(Nesting *s, const Exp *e)
{
	Divisors d = {.s = s};
	Lambda *f = e->screma.map;
	Visit note = {.body = note_divisors, .bind = note_bound, .ctx = &d},
	      look = {.body = look_at_body, .ctx = s};
	lambda_visit(&f, &note); // a walk: writes nothing
	for (int exact = 1; exact >= is_large(f); exact--)
		for EACH(Sub, by, d.by) {
			s->exact = has_factor(s, e->screma.n, *by) &&
			           (is_size(s, *by) || rest_is_size(s, e->screma.n, *by));
			if (s->exact != exact || sub_eq(*by, e->screma.n) || has_no_row(e, *by))
				continue;
			s->d = *by;
			s->how = (Map){0};
			s->pays = false;
			set_levels(&s->how, s->c, PLAIN);
			look_at_body(&look, &f->body);
			if (s->pays)
				return true;
		}
	return false;
}

// A map that gives accumulators alone, of rows that it does not overwrite.
static bool only_adds(const Exp *e)
{
	if (e->form != E_screma || e->screma.scans.len || e->screma.reds.len)
		return false;
	for EACH(Type, t, e->screma.map->ret)
		if (t->kind != T_ACC)
			return false;
	for EACH(Var, x, e->screma.map->params)
		if (vars[x->id].type.unique)
			return false;
	return e->screma.map->ret.len > 0;
}

static bool is_to_nest(Nesting *s, const Exp *e)
{
	if (!only_adds(e))
		return false;
	for (int i = 0; i < e->screma.arrs.len; i++) {
		s->c = e->screma.map->params.at[i];
		if (is_row_numbers(s->defs, e->screma.arrs.at[i]) && find_divisor(s, e))
			return true;
	}
	return false;
}

// ---- The nest ----

// Sizes are computed before the withacc, where that can be, so that they are the same on all of its
// paths.
static Build *for_sizes(Nesting *s, Sub n, Sub d)
{
	bool inside = (n.kind == S_VAR && map_has(&s->bound, var_key(n.var))) ||
	              (d.kind == S_VAR && map_has(&s->bound, var_key(d.var)));
	return inside ? &s->b : s->before;
}

static Sub row_numbers(Nesting *s, Sub n)
{
	Sub all = b_iota(s->sizes, n);
	map_put(&s->defs->more, var_key(all.var), NEW(Exp, .form = E_iota,
		.iota = {PT_I64, n, sub_i64(0), sub_i64(1)}));
	return all;
}

static Subs accs_of(Subs xs)
{
	VEC(Sub) out = {0};
	for EACH(Sub, x, xs)
		if (sub_type(*x).kind == T_ACC)
			VEC_PUSH(&out, *x);
	return VEC_SLICE(Subs, out);
}

static Vars acc_params(const Lambda *f)
{
	VEC(Var) out = {0};
	for EACH(Var, x, f->params)
		if (vars[x->id].type.kind == T_ACC)
			VEC_PUSH(&out, *x);
	return VEC_SLICE(Vars, out);
}

typedef struct { const Nesting *s; Map *to; Sub i, j; } Quotients;

static void name_quotients(Visit *v, Body *b)
{
	Quotients *q = v->ctx;
	for EACH(Stm, t, b->stms) {
		if (divides(q->s, t->exp) && sub_eq(t->exp->prim.x[1], q->s->d))
			subst_put(q->to, t->pat.at[0], is_quotient(t->exp) ? q->i : q->j);
		if (form_has(t->exp->form, FORM_NEST))
			exp_visit(t->exp, v);
	}
}

// What the function does with row c.
static Subs emit_row(Nesting *s, const Exp *e, const Lambda *f, Map *to, Sub c)
{
	for (int k = 0; k < f->params.len; k++) {
		Sub arr = e->screma.arrs.at[k];
		if (is_row_numbers(s->defs, arr))
			subst_put(to, f->params.at[k], c);
		else if (sub_type(arr).kind != T_ACC)
			subst_put(to, f->params.at[k], b_index(&s->b, arr, subs_of(1, c)));
	}
	Body body = body_subst(f->body, to);
	for EACH(Stm, t, body.stms)
		b_emit(&s->b, *t);
	return body.res;
}

// The map over n rows i with this body.
static void emit_map(Nesting *s, Stm like, Vars pat, Sub n, Subs accs, Var i, Vars params,
                     Body body)
{
	Lambda *f = NEW(Lambda, .params = vars_cat(vars_of(1, i), params),
	                .ret = like.exp->screma.map->ret, .body = body);
	Sub numbers = row_numbers(s, n);
	like.pat = pat;
	like.exp = NEW(Exp, .form = E_screma, .screma = {.n = n, .map = f,
		.arrs = subs_cat(subs_of(1, numbers), accs)});
	b_emit(&s->b, like);
}

// Numbers that are the same in all d rows are computed once.  With no row at all, where d may be
// zero, nothing may fail.
static bool is_of_all_rows(const Nesting *s, const Stm *t, const Map *inner)
{
	const Exp *e = t->exp;
	bool safe = e->form == E_convert || e->form == E_atom ||
	            (e->form == E_prim && !prim_can_fail(e->prim.op, e->prim.at));
	if (t->pat.len != 1 || vars[t->pat.at[0].id].type.dims.len || stm_mentions(t, inner))
		return false;
	return safe || (!s->exact && (e->form == E_prim || e->form == E_index ||
	                              e->form == E_assert_));
}

// The statements of the inner body; those of all its rows are emitted.
static Body inner_body(Nesting *s, Body body, Vars params)
{
	VEC(Stm) in = {0};
	Map inner = {0};
	for EACH(Var, x, params)
		map_put(&inner, var_key(*x), s);
	for EACH(Stm, t, body.stms) {
		if (is_of_all_rows(s, t, &inner)) {
			b_emit(&s->b, *t);
			continue;
		}
		for EACH(Var, x, t->pat)
			map_put(&inner, var_key(*x), s);
		VEC_PUSH(&in, *t);
	}
	return (Body){VEC_SLICE(Stms, in), body.res};
}

// q rows of d rows each.  The certificate, if any, says that there are n of them.
static void emit_nest(Nesting *s, const Stm *t, Vars pat, Sub q, Sub d, Var cert)
{
	Build *b = &s->b;
	const Lambda *f = t->exp->screma.map;
	Var i = var_i64("i"), j = var_i64("j");
	Vars accs = acc_params(f), outer = vars_like(accs), inner = vars_like(pat);
	Map to = {0};
	Quotients names = {s, &to, sub_var(i), sub_var(j)};
	Visit v = {.body = name_quotients, .ctx = &names};
	Body body = f->body;
	name_quotients(&v, &body);
	b_open(b);
	b_open(b);
	Sub c = b_add(b, b_mul(b, sub_var(i), d), sub_var(j));
	body = b_close(b, emit_row(s, t->exp, f, &to, c));
	body = inner_body(s, body, vars_cat(vars_of(1, j), accs));
	emit_map(s, *t, inner, d, subs_of_vars(outer), j, accs, body);
	body = b_close(b, subs_of_vars(inner));
	Stm all = *t;
	if (cert.id)
		all.certs = vars_cat(t->certs, vars_of(1, cert));
	emit_map(s, all, pat, q, accs_of(t->exp->screma.arrs), i, outer, body);
}

// The n rows from `start` on, by a copy of the function.
static void emit_rest(Nesting *s, const Stm *t, const Lambda *f, Subs accs, Sub start, Sub n)
{
	Build *b = &s->b;
	Var i = var_i64("i");
	Map to = {0};
	b_open(b);
	Subs res = emit_row(s, t->exp, f, &to, b_add(b, sub_var(i), start));
	emit_map(s, *t, t->pat, n, accs, i, acc_params(f), b_close(b, res));
}

// q d has no upper half, and is n then, which is not negative: no size of a map is.  Two sizes of
// arrays without elements may have a product modulo 2^64 that is small, as 2^32 by 2^32 or as two
// inverses; the nest would read what is behind other arrays, and not end.
//
// On devices the nest comes after the assertion, but does not name it: flatten gives what a map
// names to all that its kernel does, and then loads are not batched, nor kernels fused.
static Var check_product(Build *b, Sub q, Sub d)
{
	MsgVec msg = {0};
	VEC_PUSH(&msg, (MsgPart){.text = "The product of sizes "});
	VEC_PUSH(&msg, (MsgPart){.val = q, .is_val = true});
	VEC_PUSH(&msg, (MsgPart){.text = " and "});
	VEC_PUSH(&msg, (MsgPart){.val = d, .is_val = true});
	VEC_PUSH(&msg, (MsgPart){.text = " is too large."});
	Sub whole = b_eq(b, b_prim2(b, P_mul_hi, q, d), sub_i64(0));
	return b_assert(b, whole, VEC_SLICE(Msg, msg));
}

static void nest_map(Nesting *s, const Stm *t)
{
	Sub n = t->exp->screma.n, d = s->d, q;
	Build *b = s->sizes = for_sizes(s, n, d);
	s->b.where = t->where;
	if (s->exact) {
		const Where *outside = b->where;
		q = without_factor(s, b, n, d);
		b->where = t->where;
		Var cert = check_product(b, q, d);
		if (s->defs->for_ == FOR_DEVICES)
			cert = (Var){0};
		b->where = outside;
		// n is not negative: if one of them is, the other is zero.
		q = rest_is_size(s, n, d) ? q : b_prim2(b, P_max, q, sub_i64(0));
		d = is_size(s, d) ? d : b_prim2(b, P_max, d, sub_i64(0));
		emit_nest(s, t, t->pat, q, d, cert);
		return;
	}
	// Both are zero, or there are rows for all of their numbers: what fails for one would fail
	// in the map.
	Sub fits = b_prim2(b, P_and, b_lt(b, sub_i64(0), d), b_le(b, d, n));
	q = b_select(b, fits, b_prim2(b, P_quot, n, b_prim2(b, P_max, d, sub_i64(1))), sub_i64(0));
	d = b_select(b, fits, d, sub_i64(0));
	Sub start = b_mul(b, q, d), rest = b_sub(b, n, start);
	// Copied first: the nest gives sizes in the function other names, those of variables too.
	const Lambda *copy = lambda_rename(t->exp->screma.map);
	Vars pat = vars_like(t->pat);
	emit_nest(s, t, pat, q, d, (Var){0});
	emit_rest(s, t, copy, subs_of_vars(pat), start, rest);
}

// ---- All of them ----

static void nest_body(Visit *v, Body *body)
{
	Nesting *s = v->ctx;
	b_open(&s->b);
	for EACH(Stm, t, body->stms) {
		Stm u = *t;
		if (!s->done && form_has(u.exp->form, FORM_NEST)) {
			if (is_to_nest(s, u.exp) && may_rewrite()) {
				nest_map(s, &u);
				s->done = true;
				continue;
			}
			u.exp = exp_visit(u.exp, v);
		}
		b_emit(&s->b, u);
	}
	*body = b_close(&s->b, body->res);
}

bool nest_rows(Build *before, Stm *with, AccDefs *defs)
{
	bool any = false;
	for (;;) {
		Nesting s = {.defs = defs, .before = before};
		Visit note = {.bind = note_binder, .ctx = &s.bound},
		      v = {.body = nest_body, .copy = true, .ctx = &s};
		Stm now = *with;
		exp_visit(with->exp, &note); // a walk: writes nothing
		now.exp = exp_visit(with->exp, &v);
		if (!s.done)
			return any;
		*with = now;
		any = true;
	}
}
