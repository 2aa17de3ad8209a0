// The pass `split_products`: distributes matrix products into loop nests of their own, whatever
// else the enclosing loops compute.
//
//     loop .. for i < n do {                    loop .. for t < (n + 127) / 128 do {
//       let (ys) = loop .. for j < m do {         sums = for i in strip t { for j < m {
//         let (s) = loop (s = 0) for k < r do       for k < r { s + x[i, k] * w[j, k] } } }
//           s + x[i, k] * w[j, k]          ->     ys = for i in strip t { for j < m {
//         .. tanh (s + b[j]) ..                     .. tanh (sums[i, j] + b[j]) .. } }
//       }                                         for i in strip t { .. ys[i] .. }
//       .. ys ..                                }
//     }
//
// Code that is written for one row, or fused so that it processes one row at a time, reads the
// whole matrix w for each row.  In a nest of its own, the product is packed and tiled
// (src/gen/cproduct.c).  All loops between the sum and the outermost loop of the product are
// distributed (distribute.c); the outermost is strip-mined. product_seeds.c recognises the sums.
//
// Requires: the pass `seq`, after loop fusion.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/products.h"

typedef struct {
	Seeds seeds;
	Map lost;                       // see Note [All or nothing]
	bool loses;
	Map kept;                       // certificates that are named no more
	Map computed;                   // sums (Exp *) some of whose factors are arrays now
	VEC(Factor *) factors;          // those
} Split;

// ---- Factors ----

// The indices of its array.
static Subs places_of(const Factor *f)
{
	Subs out = {0};
	for EACH(const Exp *, e, f->loops)
		out = subs_cat(out, subs_of(1, sub_var((*e)->loop.i)));
	return subs_cat(out, subs_of(1, sub_var(f->sum->loop.i)));
}

// let (ys) = loop (a: *[n]t = scratch) for k < n do { .. let (x) = ..  in update a [k] x }
static Sub emit_factor(StmVec *out, const Factor *f)
{
	Map needed = {0};
	Subs sizes = {0};
	for EACH(const Exp *, e, f->loops)
		sizes = subs_cat(sizes, subs_of(1, (*e)->loop.n));
	sizes = subs_cat(sizes, subs_of(1, f->sum->loop.n));
	Body body = body_part(&f->sum->loop.body, subs_of(1, f->x), &needed);
	Type t = type_array(sub_type(f->x).elem, sizes), unique = t;
	unique.unique = true;
	Var room = var_new(name_of("room"), t), p = var_new(name_of("factors"), unique);
	Var next = var_new(name_of("upd"), t);
	StmVec stms = {0};
	VEC_APPEND(&stms, body.stms);
	Slices at = slices_at(places_of(f), (Subs){0});
	VEC_PUSH(&stms, (Stm){.pat = vars_of(1, next), .exp = EXP(update, sub_var(p), at, f->x)});
	body = (Body){VEC_SLICE(Stms, stms), subs_of(1, sub_var(next))};
	Var all = next;
	for (int l = f->loops.len; l >= 0; l--) {
		const Exp *of = l < f->loops.len ? f->loops.at[l] : f->sum;
		Var from = l ? var_new(name_of("factors"), unique) : room;
		Exp *loop = EXP(loop, .i = of->loop.i, .n = of->loop.n, .params = vars_of(1, p),
		                .inits = subs_of(1, sub_var(from)), .body = body);
		all = var_new(name_of("factors"), t);
		Stm *s = NEW(Stm, .pat = vars_of(1, all), .exp = loop,
		             .attrs = attr_of(ATTR_PARALLEL));
		body = (Body){{s, 1}, subs_of(1, sub_var(all))};
		p = from;
	}
	Stm whole = loop_copy(&body.stms.at[0]);
	VEC_PUSH(out, (Stm){.pat = vars_of(1, room), .exp = EXP(scratch, t.elem, t.dims)});
	VEC_PUSH(out, whole);
	return sub_var(whole.pat.at[0]);
}

static void emit_factors(Split *p, StmVec *out, const Exp *before)
{
	for (const Factor *f = map_get(&p->seeds.factors, before); f; f = f->next) {
		Factor *done = mem_dup(f, sizeof *f);
		done->array = emit_factor(out, f);
		map_put(&p->computed, f->sum, done);
		VEC_PUSH(&p->factors, done);
	}
}

// The sum, with factors that were computed before loaded.
static Stm with_factors(Split *p, const Stm *s)
{
	Stm out = *s;
	if (!map_has(&p->computed, s->exp))
		return out;
	out.exp = exp_dup(s->exp);
	Map to = {0};
	StmVec stms = {0};
	for EACH(Factor *, f, p->factors) {
		Sub x = (*f)->x;
		if (!stm_in(&s->exp->loop.body, x))
			continue;
		Var v = var_new(name_of("x"), type_scalar(sub_type(x).elem));
		VEC_PUSH(&stms, (Stm){.pat = vars_of(1, v),
		                      .exp = EXP(index, (*f)->array, places_of(*f))});
		subst_put(&to, x.var, sub_var(v));
	}
	Map needed = {0};
	Body b = body_subst(s->exp->loop.body, &to);
	b = body_part(&b, b.res, &needed);
	VEC_APPEND(&stms, b.stms);
	out.exp->loop.body = (Body){VEC_SLICE(Stms, stms), b.res};
	return out;
}

// ---- Loops ----

// One of several sums of a loop, in a loop of its own.
static Stm one_sum(const Stm *s, int k)
{
	const Exp *e = s->exp;
	Map needed = {0};
	Exp *one = exp_dup(e);
	one->loop.params = vars_of(1, e->loop.params.at[k]);
	one->loop.inits = subs_of(1, e->loop.inits.at[k]);
	one->loop.body = body_part(&e->loop.body, subs_of(1, e->loop.body.res.at[k]), &needed);
	Stm out = *s;
	out.pat = vars_of(1, s->pat.at[k]);
	out.exp = one;
	out = loop_copy(&out);
	out.pat = vars_of(1, s->pat.at[k]);
	return out;
}

// The loop `until` up to which a piece is to be distributed, by the piece.
static void split_loop(Split *p, const Stm *s, StmVec *out, Map *pieces);

static void gather_parts(Split *p, const Body *b, Parts *parts)
{
	for EACH(Stm, s, b->stms) {
		Seed *seed = map_get(&p->seeds.seeds, s->exp);
		emit_factors(p, &parts->stms, s->exp);
		if (seed && s->exp->loop.params.len > 1) {
			for (int k = 0; k < s->pat.len; k++) {
				VEC_PUSH(&parts->stms, one_sum(s, k));
				map_put(&parts->pieces,
				        parts->stms.at[parts->stms.len - 1].exp, seed);
			}
		} else if (seed) {
			Stm sum = sums_joined(s);
			VEC_PUSH(&parts->stms, with_factors(p, &sum));
			map_put(&parts->pieces, parts->stms.at[parts->stms.len - 1].exp, seed);
		} else if (map_has(&p->seeds.around, s->exp)) {
			split_loop(p, s, &parts->stms, &parts->pieces);
		} else {
			VEC_PUSH(&parts->stms, *s);
		}
	}
}

// Pieces whose outermost loop this is are done with after it; the others go on.
static void split_loop(Split *p, const Stm *s, StmVec *out, Map *pieces)
{
	Parts parts = {0};
	gather_parts(p, &s->exp->loop.body, &parts);
	const Seed *seed = NULL;
	for EACH(Stm, t, parts.stms) {
		const Seed *of = map_get(&parts.pieces, t->exp);
		if (of && (!seed || of->until == s->exp))
			seed = of;
	}
	Map more = {0};
	int before = out->len;
	bool ends = seed && seed->until == s->exp;
	bool few = !may_reach(s->exp->loop.n, AT_split_products);
	if (seed && distribute(s, &parts, (Distribution){&p->kept, ends && !few}, out, &more)) {
		for (int i = before; i < out->len; i++)
			if (!ends && map_has(&more, out->at[i].exp))
				map_put(pieces, out->at[i].exp, (void *)seed);
		return;
	}
	for EACH(Stm, t, parts.stms) {
		const Seed *of = map_get(&parts.pieces, t->exp);
		if (of)
			map_put(&p->lost, of->loop, p);
		p->loses |= of != NULL;
	}
	out->len = before;
	Stm whole = *s;
	whole.exp = exp_dup(s->exp);
	whole.exp->loop.body.stms = VEC_SLICE(Stms, parts.stms);
	VEC_PUSH(out, whole);
}

// Note [All or nothing].  A product that gets as far as a loop that cannot be distributed would be
// left there, in loops of its own for each iteration of that: what it shares with the sums beside
// it would be loaded once for each, values between the loops would be stored, nothing would be
// tiled, and no other pass would know the nest again.  Such products stay where they are: the nest
// is split again, without them.
static bool split_nest(Split *p, const Stm *s, StmVec *out)
{
	int before = out->len;
	do {
		Map none = {0};
		out->len = before;
		p->computed = (Map){0};
		p->factors.len = 0;
		p->loses = false;
		p->seeds = find_seeds(s, &p->lost);
		if (!map_has(&p->seeds.around, s->exp))
			return false;
		emit_factors(p, out, s->exp);
		split_loop(p, s, out, &none);
	} while (p->loses);
	return true;
}

static void split_body(Visit *v, Body *b)
{
	Split *p = v->ctx;
	StmVec out = {0};
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (s.exp->form == E_loop && split_nest(p, &s, &out))
			continue;
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		VEC_PUSH(&out, s);
	}
	b->stms = VEC_SLICE(Stms, out);
}

Prog *split_products(Prog *prog)
{
	Split p = {0};
	if (prog_has_traces(prog)) // what they print is in the order of the program
		return prog;
	Visit v = {.body = split_body, .copy = true, .ctx = &p};
	prog = prog_rewrite_where(prog, stm_is_loop, &v);
	return p.kept.len ? keep_asserts(prog, &p.kept) : prog;
}
