// Products of matrices get loops of their own, whatever else the loops around them do.
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
// What is written for one row, or fused so that each row is done at once, reads all of the matrix w
// for each row.  As a nest of loops that does nothing else, the sum is packed and tiled
// (src/gen/cproduct.c).  All loops between the sum and the outermost one that is part of the
// product are distributed (distribute.c); the outermost is done some rows at a time.  Which sums
// these are is found in product_seeds.c.
//
// Requires: the pass `seq`, and that loops are as fused as they get.  Ensures nothing.
#include "opt/opt.h"
#include "par/products.h"

typedef struct { Seeds seeds; Map kept; } Split;

// The loop `until` up to which a piece is to be distributed, by the piece.
static void split_loop(Split *p, const Stm *s, StmVec *out, Map *pieces);

static void gather_parts(Split *p, const Body *b, Parts *parts)
{
	for EACH(Stm, s, b->stms) {
		Seed *seed = map_get(&p->seeds.seeds, s->exp);
		if (seed) {
			VEC_PUSH(&parts->stms, *s);
			map_put(&parts->pieces, s->exp, seed);
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
	bool few = s->exp->loop.n.kind == S_CONST && s->exp->loop.n.val.i <= 256;
	if (seed && distribute(s, &parts, (Distribution){&p->kept, ends && !few}, out, &more)) {
		for (int i = before; i < out->len; i++)
			if (!ends && map_has(&more, out->at[i].exp))
				map_put(pieces, out->at[i].exp, (void *)seed);
		return;
	}
	out->len = before;
	Stm whole = *s;
	whole.exp = exp_dup(s->exp);
	whole.exp->loop.body.stms = VEC_SLICE(Stms, parts.stms);
	VEC_PUSH(out, whole);
}

static void split_body(Visit *v, Body *b)
{
	Split *p = v->ctx;
	StmVec out = {0};
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (s.exp->form == E_loop) {
			p->seeds = find_seeds(&s);
			if (map_has(&p->seeds.around, s.exp)) {
				Map none = {0};
				split_loop(p, &s, &out, &none);
				continue;
			}
		}
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		VEC_PUSH(&out, s);
	}
	b->stms = VEC_SLICE(Stms, out);
}

static bool is_loop(const Stm *s)
{
	return s->exp->form == E_loop;
}

Prog *split_products(Prog *prog)
{
	Split p = {0};
	Visit v = {.body = split_body, .copy = true, .ctx = &p};
	prog = prog_rewrite_where(prog, is_loop, &v);
	return p.kept.len ? keep_asserts(prog, &p.kept) : prog;
}
