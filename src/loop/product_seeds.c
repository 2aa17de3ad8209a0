// Recognises sums in loop nests that are matrix products, whatever else the nest computes.
//
//     for i < n                                 the levels of the sum: i, j, k
//       ys = for j < m                          x[i, k] depends on i and k
//         s = for k < r                         w[j, k] depends on j and k
//           s + x[i, k] * w[j, k]               the sum depends on i and j
//         ys[j] = tanh (s + b[j])
//       ...
//
// For each value, the set of loop levels it depends on is collected top-down.  A level on which
// the sum and exactly one factor depend is a row or column dimension; there must be at least one
// of each.  A level on which the sum does not depend is summed over.  An array bound inside a
// level depends on that level, since each iteration has its own.
//
// A sum is a loop-carried value, or an array element that is added to (which is what accumulators
// become).  Sums of sums are one sum over several levels, which go on from each other then
// (sums_joined).  This file only analyses.
#include "loop/products.h"

enum { MOST_STMS = 40 };

typedef uint32_t Levels;

typedef struct {
	Seeds *out;
	const Map *lost;                // loops (Exp *) of products that are to stay where they are
	const Stm *levels[MAX_LEVELS];
	int n;
	Levels fixed;                   // levels that go on from what the iteration before gave
	Map masks;                      // variables bound inside: set_levels
	Map inits;                      // parameters that are arrays: Sub *, what they begin as
	Map defs;                       // scalars: const Exp *
	Map depth;                      // variables bound inside: 1 + the number of their level
} Search;

static Levels of_sub(const Search *s, Sub x)
{
	return (Levels)levels_of(&s->masks, x);
}

static void set(Search *s, Var v, Levels m)
{
	map_put(&s->depth, var_key(v), (void *)(uintptr_t)s->n);
	set_levels(&s->masks, v, m);
}

static Levels all_levels(const Search *s)
{
	return (Levels)((1u << s->n) - 1);
}

static bool is_alias(const Stm *s)
{
	Form f = s->exp->form;
	return f == E_slice || f == E_reshape || f == E_rearrange;
}

static void note_stm(Search *s, const Stm *stm)
{
	bool simple = is_simple_scalar(stm), follows = simple || is_alias(stm);
	for EACH(Var, v, stm->pat) {
		set(s, *v, follows ? (Levels)levels_of_exp(&s->masks, stm->exp) : all_levels(s));
		if (simple)
			map_put(&s->defs, var_key(*v), stm->exp);
	}
}

static const Exp *def_of(const Search *s, Sub x)
{
	return x.kind == S_VAR ? map_get(&s->defs, var_key(x.var)) : NULL;
}

// ---- Sums of sums ----

static bool is_level(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && sub_type(e->loop.n).elem == PT_I64 &&
	       !is_device_loop(s->attrs) && !has_attr(s->attrs, ATTR_REGION);
}

static bool is_sum(const Stm *s)
{
	const Exp *e = s->exp;
	Prim op;
	PrimType t;
	return is_level(s) && e->loop.params.len == 1 && loop_reduction(e, 0, &op, &t) &&
	       op == P_add && is_float(t);
}

static bool is_sum_from_zero(const Stm *s)
{
	return is_sum(s) && s->exp->loop.inits.at[0].kind == S_CONST &&
	       s->exp->loop.inits.at[0].val.f == 0;
}

const Stm *sum_inside(const Stm *loop)
{
	if (!is_sum(loop))
		return NULL;
	const Body *b = &loop->exp->loop.body;
	const Stm *add = stm_in(b, b->res.at[0]), *inner = NULL;
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_loop && !inner && is_sum_from_zero(s))
			inner = s;
		else if (!is_simple_scalar(s) && !is_alias(s))
			return NULL;
	if (!inner || n_uses_in(b, inner->pat.at[0]) != 1)
		return NULL;
	Sub sum = sub_var(inner->pat.at[0]);
	return sub_eq(add->exp->prim.x[0], sum) || sub_eq(add->exp->prim.x[1], sum) ? inner : NULL;
}

Stm sums_joined(const Stm *s)
{
	Stm out = *s;
	const Stm *inner = sum_inside(s);
	if (!inner)
		return out;
	out.exp = exp_dup(s->exp);
	Body *b = &out.exp->loop.body;
	StmVec stms = {0};
	for EACH(Stm, t, s->exp->loop.body.stms) {
		Stm next = *t;
		if (t == inner) {
			next.exp = exp_dup(t->exp);
			next.exp->loop.inits = subs_of(1, sub_var(s->exp->loop.params.at[0]));
			next = sums_joined(&next);
		}
		if (!sub_eq(sub_var(t->pat.at[0]), s->exp->loop.body.res.at[0]))
			VEC_PUSH(&stms, next);
	}
	*b = (Body){VEC_SLICE(Stms, stms), subs_of(1, sub_var(inner->pat.at[0]))};
	return out;
}

// ---- Seeds ----

// Is there a level among these that is not known to be short?
static bool has_long(const Search *s, Levels among)
{
	for (int l = 0; l < s->n; l++)
		if ((among >> l & 1) && is_counted(s->levels[l]->exp))
			return true;
	return false;
}

// The product is as small a part of the nest as has rows, columns and a sum, so that little is kept
// between its loops.  `sum`: what that depends on; the innermost level is that of the seed.
// Its outermost level; -1: it is no product.
static int first_of_product(const Search *s, const Exp *loop, Levels sum, Sub x, Sub y,
                            bool carried)
{
	Levels dx = of_sub(s, x), dy = of_sub(s, y), mine = 1u << (s->n - 1);
	Levels open = all_levels(s);
	for (int l = 0; l < s->n; l++)
		if (s->fixed >> l & 1)
			open = all_levels(s) & ~((2u << l) - 1);
	Levels m = open & sum & dx & ~dy, n = open & sum & dy & ~dx, k = open & ~sum & (dx | dy);
	if (!m || !n || !k || (carried && (!(dx & mine) || !(dy & mine))) ||
	    map_has(s->lost, loop))
		return -1;
	int first = s->n;
	Levels in = 0;
	while (first > 0 && !(has_long(s, m & in) && has_long(s, n & in) && (k & in)))
		in |= 1u << --first;
	while (!((m | n | k) >> first & 1))
		first++;
	return first;
}

// The product is a statement of the body of the level before `head`.
static bool add_seed_at(Search *s, int head, const Exp *loop, Levels sum, Sub x, Sub y,
                        bool carried)
{
	int first = first_of_product(s, loop, sum, x, y, carried);
	if (first < 0)
		return false;
	Seed *seed = NEW(Seed, .loop = loop, .until = s->levels[first]->exp);
	map_put(&s->out->seeds, loop, seed);
	for (int l = 0; l < head; l++)
		map_put(&s->out->around, s->levels[l]->exp, seed);
	return true;
}

static bool add_seed(Search *s, const Exp *loop, Levels sum, Sub x, Sub y, bool carried)
{
	return add_seed_at(s, s->n - 1, loop, sum, x, y, carried);
}

static bool is_load(const Search *s, Sub x)
{
	const Exp *e = def_of(s, x);
	return e && e->form == E_index;
}

static bool is_float_product(const Exp *e)
{
	return e && e->form == E_prim && e->prim.op == P_mul &&
	       (e->prim.at == PT_F32 || e->prim.at == PT_F64);
}

// x + y, or x - y: the product among the operands, and the other one.
static const Exp *product_in(const Search *s, const Exp *sum, Sub *rest)
{
	if (!sum || sum->form != E_prim || (sum->prim.op != P_add && sum->prim.op != P_sub))
		return NULL;
	for (int k = 1; k >= (sum->prim.op == P_sub); k--) {
		const Exp *e = def_of(s, sum->prim.x[k]);
		*rest = sum->prim.x[1 - k];
		if (is_float_product(e))
			return e;
	}
	return NULL;
}

// Is the length of the loop that of an array that the statements read?
static bool is_sized(const Body *part, Sub n)
{
	bool sized = n.kind == S_CONST;
	for EACH(Stm, t, part->stms)
		if (t->exp->form == E_index)
			sized |= subs_find(sub_type(t->exp->index.arr).dims, n) >= 0;
	return sized;
}

// Is there an array of so many dimensions among what they read?
static bool reads_rank(const Body *part, int rank)
{
	for EACH(Stm, t, part->stms)
		if (t->exp->form == E_index && t->exp->index.idx.len >= rank)
			return true;
	return false;
}

// A factor is an array of the sum's index, computed for all of its iterations where the loops are
// around on which it depends.  Note [Interchanged factors].  Where one of these is inside of a
// loop of the product on which it does not depend, it would be computed for each iteration of that,
// and be no factor any more.  Then it is computed before that, in a nest of its own:
//
//     for h < n                                       f = for l < 16 { for k < m { g y[k, l] } }
//       for l < 16                                    for h < n
//         s = for k < m { s + g y[k, l] * w[k, h] } ->    for l < 16
//                                                         s = for k < m { s + f[l, k] * w[k, h] }
//
// The order of memory use does not increase: something that it is made of has as many dimensions.
// NULL: it cannot be.
static Factor *factor_of(const Search *s, const Exp *sum, Sub x, int first)
{
	Map needed = {0};
	Body part = body_part(&sum->loop.body, subs_of(1, x), &needed);
	Levels around = of_sub(s, x) & ~(1u << (s->n - 1));
	int last = s->n - 2, at = first;
	while (last >= 0 && !(around >> last & 1))
		last--;
	while (at <= last && (around >> at & 1))
		at++;
	if (at > last)
		at = last + 1;
	Factor *f = NEW(Factor, .sum = sum, .x = x, .before = s->levels[at]->exp);
	Map counters = {0};
	for (int l = at + 1; l <= last; l++)
		if (around >> l & 1) {
			const Exp *e = s->levels[l]->exp;
			VEC_PUSH(&f->loops, e);
			map_put(&counters, var_key(e->loop.i), f);
			if (!is_sized(&part, e->loop.n) ||
			    (e->loop.n.kind == S_VAR &&
			     (int)(uintptr_t)map_get(&s->depth, var_key(e->loop.n.var)) > at))
				return NULL;
		}
	Vars used = free_in_body(&part);
	for EACH(Var, v, used)
		if (v->id != sum->loop.i.id && !map_has(&counters, var_key(*v)) &&
		    (int)(uintptr_t)map_get(&s->depth, var_key(*v)) > at)
			return NULL;
	if (f->loops.len && !reads_rank(&part, f->loops.len + 1))
		return NULL;
	return is_sized(&part, sum->loop.n) ? f : NULL;
}

static void add_factor(Search *s, Factor *f)
{
	f->next = map_get(&s->out->factors, f->before);
	map_put(&s->out->factors, f->before, f);
}

// The first of the levels whose sums are added up by those around, down to the innermost.
static int first_of_sums(const Search *s)
{
	int first = s->n - 1;
	while (first > 0 && sum_inside(s->levels[first - 1]) == s->levels[first])
		first--;
	return first;
}

// for k { p + x * y }, or sums of such sums
static void look_at_carried(Search *s, const Exp *e)
{
	Sub rest;
	const Exp *product = product_in(s, def_of(s, e->loop.body.res.at[0]), &rest);
	if (!product || !sub_eq(rest, sub_var(e->loop.params.at[0])))
		return;
	Sub x[2] = {product->prim.x[0], product->prim.x[1]};
	bool loads[2] = {is_load(s, x[0]), is_load(s, x[1])};
	Factor *factors[2] = {0};
	if (n_uses_in(&e->loop.body, e->loop.params.at[0]) != 1)
		return;
	int head = first_of_sums(s);
	if (head < s->n - 1 && loads[0] && loads[1] &&
	    add_seed_at(s, head, s->levels[head]->exp, (1u << head) - 1, x[0], x[1], true))
		return;
	Levels sum = all_levels(s) & ~(1u << (s->n - 1));
	int first = first_of_product(s, e, sum, x[0], x[1], true);
	for (int k = 0; k < 2 && first >= 0; k++)
		if (!loads[k] && !(factors[k] = factor_of(s, e, x[k], first)))
			return;
	if (!add_seed(s, e, sum, x[0], x[1], true))
		return;
	for (int k = 0; k < 2; k++)
		if (factors[k])
			add_factor(s, factors[k]);
}

static Sub root_of(const Search *s, Sub arr)
{
	const Sub *init;
	while (arr.kind == S_VAR && (init = map_get(&s->inits, var_key(arr.var))))
		arr = *init;
	return arr;
}

// for l { c[.., l] = c[.., l] + x * y }; c is the parameter of this number.
static bool look_at_stored(Search *s, const Exp *e, int which)
{
	const Body *b = &e->loop.body;
	const Exp *update = def_in(b, b->res.at[which]);
	Sub rest, param = sub_var(e->loop.params.at[which]);
	if (!update || update->form != E_update || !sub_eq(update->update.arr, param) ||
	    !is_element(update->update.at))
		return false;
	const Exp *product = product_in(s, def_of(s, update->update.val), &rest);
	const Exp *old = product ? def_of(s, rest) : NULL;
	if (!old || old->form != E_index || !sub_eq(old->index.arr, param))
		return false;
	Levels sum = of_sub(s, root_of(s, param));
	for (int d = 0; d < old->index.idx.len; d++) {
		if (!sub_eq(old->index.idx.at[d], update->update.at.at[d].start))
			return false;
		sum |= of_sub(s, old->index.idx.at[d]);
	}
	// What the innermost loop loads may be anything that depends on its index.
	for (int k = 0; k < 2; k++)
		if ((of_sub(s, product->prim.x[k]) >> (s->n - 1) & 1) &&
		    !is_load(s, product->prim.x[k]))
			return false;
	return add_seed(s, e, sum, product->prim.x[0], product->prim.x[1], false);
}

// One of several sums, a scalar: with loads alone.
static bool look_at_one(Search *s, const Exp *e, int which)
{
	Sub rest;
	Var p = e->loop.params.at[which];
	const Exp *product = product_in(s, def_of(s, e->loop.body.res.at[which]), &rest);
	return product && sub_eq(rest, sub_var(p)) && n_uses_in(&e->loop.body, p) == 1 &&
	       is_load(s, product->prim.x[0]) && is_load(s, product->prim.x[1]) &&
	       add_seed(s, e, all_levels(s) & ~(1u << (s->n - 1)), product->prim.x[0],
	                product->prim.x[1], true);
}

// Does what a loop computes for a parameter depend on no other parameter?
static bool is_apart(const Exp *e, int which)
{
	Map needed = {0};
	Body part = body_part(&e->loop.body, subs_of(1, e->loop.body.res.at[which]), &needed);
	for (int k = 0; k < e->loop.params.len; k++)
		if (k != which && n_uses_in(&part, e->loop.params.at[k]))
			return false;
	return true;
}

// Several sums in a loop, all of them products: each is to have loops of its own.
static void look_at_several(Search *s, const Exp *e)
{
	Map around = s->out->around;
	bool all = true;
	for (int k = 0; k < e->loop.params.len && all; k++) {
		bool scalar = type_is_scalar(vars[e->loop.params.at[k].id].type);
		all = is_apart(e, k) &&
		      (scalar ? look_at_one(s, e, k) : look_at_stored(s, e, k));
	}
	if (all)
		return;
	map_put(&s->out->seeds, e, NULL);
	s->out->around = around;
}

// ---- The nest ----

bool goes_on(const Exp *e, int k)
{
	const Body *b = &e->loop.body;
	Sub x = b->res.at[k], p = sub_var(e->loop.params.at[k]);
	Prim op;
	PrimType type;
	if (type_is_scalar(sub_type(p)))
		return loop_reduction(e, k, &op, &type);
	for (const Stm *s; !sub_eq(x, p) && (s = stm_in(b, x)); )
		if (s->exp->form == E_update)
			x = s->exp->update.arr;
		else if (s->exp->form == E_loop && goes_on(s->exp, vars_find(s->pat, x)))
			x = s->exp->loop.inits.at[vars_find(s->pat, x)];
		else if (s->exp->form == E_atom)
			x = s->exp->atom.x;
		else
			break;
	return sub_eq(x, p);
}

static bool has_state(const Exp *e)
{
	for (int k = 0; k < e->loop.params.len; k++)
		if (!goes_on(e, k))
			return true;
	return false;
}

// Does it go on with a row that another loop of the body has written a part of, of new memory?
// They make the row together, and cannot be taken apart: loops around them stay whole.
static bool goes_on_from_loop(const Body *b, const Exp *loop)
{
	for EACH(Sub, x, loop->loop.inits) {
		Sub at = *x;
		const Stm *s = type_is_scalar(sub_type(at)) ? NULL : stm_in(b, at);
		bool others = false;
		while (s && s->exp->form == E_loop) {
			others = true;
			at = s->exp->loop.inits.at[vars_find(s->pat, at)];
			s = stm_in(b, at);
		}
		if (others && s && s->exp->form == E_scratch)
			return true;
	}
	return false;
}

static void search_loop(Search *s, const Stm *stm)
{
	const Exp *e = stm->exp;
	if (!is_level(stm) || s->n == MAX_LEVELS)
		return;
	Levels fixed = s->fixed;
	s->levels[s->n++] = stm;
	set(s, e->loop.i, 1u << (s->n - 1));
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		set(s, p, all_levels(s));
		if (!type_is_scalar(vars[p.id].type))
			map_put(&s->inits, var_key(p), &e->loop.inits.at[k]);
	}
	bool innermost = is_innermost_body(&e->loop.body, MOST_STMS);
	if (!innermost && has_state(e))
		s->fixed |= 1u << (s->n - 1);
	Levels outside = s->fixed;
	for EACH(Stm, t, e->loop.body.stms) {
		if (t->exp->form == E_loop) {
			bool goes_on = goes_on_from_loop(&e->loop.body, t->exp);
			s->fixed |= goes_on ? 1u << (s->n - 1) : 0;
			search_loop(s, t);
			s->fixed = outside;
		}
		note_stm(s, t);
	}
	if (innermost && e->loop.params.len && s->n > 1) {
		bool scalar = type_is_scalar(vars[e->loop.params.at[0].id].type);
		if (e->loop.params.len > 1)
			look_at_several(s, e);
		else if (scalar)
			look_at_carried(s, e);
		else
			look_at_stored(s, e, 0);
	}
	s->n--;
	s->fixed = fixed;
}

Seeds find_seeds(const Stm *loop, const Map *lost)
{
	Seeds out = {0};
	Search s = {.out = &out, .lost = lost};
	search_loop(&s, loop);
	return out;
}
