// Expresses the contributions to the elements of an accumulator as reductions; see
// flatten_update.c.
//
// The nest of the reduction ranges over the elements, with one level for each index that is a
// counter of the original nest; all levels whose counter does not occur in the index are reduced
// together.  If an index is a counter plus an offset, the level ranges over all elements, and an
// element receives the contribution of the row at that distance before it, if there is one; if it
// is a multiple of the counter, of the row with that multiple.
//
// Sums over many rows into few elements, in two or more levels, are usually matrix products, which
// are tiled with thousands of elements per thread block.  If this gives too few blocks, the
// summation is split (split-k): each element has several partial sums over equally long parts of
// the rows, which are added atomically.
#include "device/flatten.h"

#include "opt/acc.h"

Body explicit_body(Flatten *f, const Level *nest, Body b)
{
	Build outer = f->b;
	Subs at = {NEW_ARRAY(Sub, nest->depth), nest->depth};
	for (int d = 0; d < at.len; d++)
		at.at[d] = sub_var(level_at(nest, d + 1)->i);
	f->b = (Build){.where = outer.where};
	b_open(&f->b);
	Inside in = inside_open(f, nest, at, &b);
	Subs res = inside_body(&in, b);
	inside_close(&in);
	b = b_close(&f->b, res);
	f->b = outer;
	return body_rename(b);
}

// The largest number up to `most` that divides n.
static Sub largest_divisor(Build *b, Sub n, Sub most)
{
	Type number = type_scalar(PT_I64), truth = type_scalar(PT_BOOL);
	Var c = var_new(name_of("parts"), number), go = var_new(name_of("go"), truth);
	Vars pat = vars_of(2, var_new(name_of("parts"), number), var_new(name_of("go"), truth));
	Sub first = b_lt(b, sub_i64(0), b_prim2(b, P_rem, n, most));
	b_open(b);
	Sub less = b_sub(b, sub_var(c), sub_i64(1));
	Body body = b_close(b, subs_of(2, less, b_lt(b, sub_i64(0), b_prim2(b, P_rem, n, less))));
	b_stm(b, pat, EXP(loop, .params = vars_of(2, c, go), .inits = subs_of(2, most, first),
	                  .is_while = true, .while_cond = go, .body = body));
	return sub_var(pat.at[0]);
}

enum {
	TILE = 4096,            // elements that a block computes
	MOST_PARTS = 256,
};

// How many sums of n rows each of the elements has: so many that tiles of them keep all blocks
// busy, or, if there are few elements, a thread for each.  About twice as many are asked for as
// are enough: n decides how many there can be.
static Sub parts_of_sums(Flatten *f, Sub elements, Sub n)
{
	Build *b = &f->b;
	Sub one = sub_i64(1);
	Sub blocks = emit_grid(f, b_mul(b, elements, n), TILE * threshold(AT_gathered_steps));
	Sub tiles = b_prim2(b, P_max, one, b_prim2(b, P_quot, elements, sub_i64(TILE)));
	Sub most = b_prim2(b, P_max, one, b_prim2(b, P_quot, blocks, tiles));
	Sub enough = sub_i64(8 * threshold(AT_enough_threads));
	Sub threads = b_prim2(b, P_quot, enough, b_prim2(b, P_max, one, elements));
	Sub rows = b_prim2(b, P_quot, n, sub_i64(threshold(AT_gathered_part)));
	most = b_prim2(b, P_max, most, b_prim2(b, P_min, threads, rows));
	return largest_divisor(b, n, b_prim2(b, P_min, most, sub_i64(MOST_PARTS)));
}

// ---- Groups ----

// Contributions with the same levels, and the nest of the elements.
typedef struct {
	Flatten *f;
	const Level *nest;
	VEC(Contribution *) of;
	const AccInput *in;
	bool shifted;
	bool is_there;                          // the row of a shifted one, where it is added up
	Level *rows, *part;
	Subs element;                           // its indices, where they count levels
	Sub n;                                  // rows to add up, of a part
} Group;

static bool is_counted(const Group *g, const Level *l)
{
	for (int d = 0; d < g->of.at[0]->n_dims; d++)
		if (g->of.at[0]->dims[d].level == l)
			return true;
	return false;
}

static bool same_levels(const Contribution *a, const Contribution *b)
{
	for (int d = 0; d < a->n_dims; d++)
		if (a->dims[d].level != b->dims[d].level)
			return false;
	return true;
}

// Where they count no level: the same indices?
static bool same_element(const Contribution *a, const Contribution *b)
{
	for (int d = 0; d < a->n_dims; d++)
		if (!a->dims[d].level && !sub_eq(a->dims[d].offset, b->dims[d].offset))
			return false;
	return true;
}

// The number of rows of the levels that no index counts.
static Sub reduced_size(const Group *g)
{
	Sub n = sub_i64(1);
	for (int d = g->nest->depth; d >= 1; d--)
		if (!is_counted(g, level_at(g->nest, d)))
			n = b_mul(&g->f->b, n, level_at(g->nest, d)->n);
	return n;
}

// The levels of the elements, and before them maybe one of the parts of their sums.
static void open_rows(Group *g)
{
	const Contribution *c = g->of.at[0];
	Subs space = sub_type(c->acc).acc->space;
	Sub elements = sub_i64(1);
	int counted = 0;
	g->n = reduced_size(g);
	g->element = (Subs){NEW_ARRAY(Sub, c->n_dims), c->n_dims};
	for (int d = 0; d < c->n_dims; d++)
		if (c->dims[d].level) {
			counted++;
			elements = b_mul(&g->f->b, elements, c->dims[d].level->n);
		}
	// With the outermost level in the index there are enough elements, as a rule.
	if (counted > 1 && acc_is_sum(g->in) && !is_counted(g, level_at(g->nest, 1))) {
		// Outermost, so that neighbouring threads have neighbouring elements.
		Sub parts = parts_of_sums(g->f, elements, g->n);
		g->n = b_prim2(&g->f->b, P_quot, g->n, parts);
		g->part = g->rows = level_new(g->f, NULL, parts, (Vars){0}, (Subs){0}, (Vars){0});
		g->part->is_part = true;
	}
	for (int d = 0; d < c->n_dims; d++) {
		if (!c->dims[d].level)
			continue;
		Sub n = g->shifted ? space.at[d] : c->dims[d].level->n;
		g->rows = level_new(g->f, g->rows, n, (Vars){0}, (Subs){0}, (Vars){0});
		g->element.at[d] = sub_var(g->rows->i);
	}
	if (!g->rows)
		g->rows = level_new(g->f, NULL, sub_i64(1), (Vars){0}, (Subs){0}, (Vars){0});
}

// ---- Values ----

typedef struct { Var v; Sub is; } Counter;
typedef VEC(Counter) Counters;

// The counters of the levels that are reduced, in row t of all of them.
static Counters reduced_counters(const Group *g, Build *b, Sub t)
{
	Counters out = {0};
	Sub rest = g->part ? b_add(b, b_mul(b, sub_var(g->part->i), g->n), t) : t;
	for (int d = g->nest->depth; d >= 1; d--) {
		const Level *l = level_at(g->nest, d);
		if (is_counted(g, l))
			continue;
		bool last = true;
		for (int k = 1; k < d; k++)
			last &= is_counted(g, level_at(g->nest, k));
		Sub i = last ? rest : b_prim2(b, P_rem, rest, l->n);
		VEC_PUSH(&out, ((Counter){l->i, i}));
		rest = last ? rest : b_prim2(b, P_quot, rest, l->n);
	}
	return out;
}

static Subs emit_value(Build *b, Body value, Map *to)
{
	value = body_subst(body_rename(value), to);
	b_emit_all(b, value.stms);
	return value.res;
}

// Is there a row that is added to the element?  The counters of that row are known by `to`.
static Sub emit_is_there(const Group *g, const Contribution *c, Build *b, Map *to)
{
	SubVec at = {0}, n = {0};
	Sub there = sub_bool(true);
	for (int d = 0; d < c->n_dims; d++) {
		const Level *l = c->dims[d].level;
		if (!l)
			continue;
		Sub i = b_sub(b, g->element.at[d], c->dims[d].offset);
		Sub rate = sub_i64(c->dims[d].rate);
		if (c->dims[d].rate > 1) {
			Sub rest = b_prim2(b, P_mod, i, rate);
			there = b_prim2(b, P_and, there, b_eq(b, rest, sub_i64(0)));
			i = b_prim2(b, P_div, i, rate);
		}
		subst_put(to, l->i, i);
		VEC_PUSH(&at, i);
		VEC_PUSH(&n, l->n);
	}
	if (!g->shifted)
		return there;
	return b_prim2(b, P_and, there, b_in_range(b, VEC_SLICE(Subs, at), VEC_SLICE(Subs, n)));
}

// What it adds to the element, in this row of those that are reduced.
static Subs contributed(const Group *g, const Contribution *c, Build *b, const Counters *reduced)
{
	Map to = {0};
	for EACH(Counter, r, *reduced)
		subst_put(&to, r->v, r->is);
	Sub there = emit_is_there(g, c, b, &to);
	if (!g->shifted || g->is_there)
		return emit_value(b, c->value, &to);
	b_open(b);
	Body yes = b_close(b, emit_value(b, c->value, &to));
	return b_lets(b, "val", types_of_subs(g->in->ne), EXP(if_, there, yes, {.res = g->in->ne}));
}

Subs emit_applied(Build *b, const Lambda *f, Subs args)
{
	Map to = {0};
	for (int i = 0; i < f->params.len; i++)
		subst_put(&to, f->params.at[i], args.at[i]);
	return emit_value(b, f->body, &to);
}

// The first contribution to each element that is not another's: *first.
static Subs element_values(const Group *g, Build *b, Sub t, SubVec *firsts)
{
	Counters reduced = reduced_counters(g, b, t);
	SubVec out = {0};
	for (int i = 0; i < g->of.len; i++) {
		bool first = true;
		for (int j = 0; j < i; j++)
			first &= !same_element(g->of.at[i], g->of.at[j]);
		if (!first)
			continue;
		Subs sum = contributed(g, g->of.at[i], b, &reduced);
		for (int j = i + 1; j < g->of.len; j++)
			if (same_element(g->of.at[i], g->of.at[j]))
				sum = emit_applied(b, g->in->op, subs_cat(sum,
					contributed(g, g->of.at[j], b, &reduced)));
		VEC_PUSH(firsts, sub_i64(i));
		VEC_APPEND(&out, sum);
	}
	return VEC_SLICE(Subs, out);
}

// ---- The reduction ----

// The values of all elements of a row, added up.
static Subs element_sums(const Group *g, Build *b, SubVec *firsts)
{
	if (sub_eq(g->n, sub_i64(1)))
		return element_values(g, b, sub_i64(0), firsts);
	Build inner = {.where = b->where};
	Var t = var_i64("t");
	b_open(&inner);
	Subs vals = element_values(g, &inner, sub_var(t), firsts);
	Lambda *map = b_lambda(&inner, vars_of(1, t), vals);
	int n = vals.len / g->in->ne.len;
	Reductions reds = {NEW_ARRAY(Reduction, n), n};
	for EACH(Reduction, r, reds)
		*r = (Reduction){lambda_rename(g->in->op), g->in->ne, true};
	Sub count = b_iota(&g->f->b, g->n);
	return b_lets(b, "sum", map->ret, EXP(screma, .n = g->n, .arrs = subs_of(1, count),
	                                      .map = map, .reds = reds));
}

// Elements that no row is added to have no sum to go through.  Only a sum with assertions: others
// may be tiled, with the condition at each load.
static Subs sums_where_there(Group *g, Build *b, SubVec *firsts)
{
	bool asserts = g->shifted && g->of.len == 1 &&
	               body_find(&g->of.at[0]->value, stm_is_assert);
	if (!asserts)
		return element_sums(g, b, firsts);
	Map to = {0};
	Sub there = emit_is_there(g, g->of.at[0], b, &to);
	g->is_there = true;
	b_open(b);
	Body yes = b_close(b, element_sums(g, b, firsts));
	return b_lets(b, "sum", types_of_subs(g->in->ne), EXP(if_, there, yes, {.res = g->in->ne}));
}

static Subs place_of_element(const Group *g, const Contribution *c)
{
	Subs idx = SLICE_DUP(Subs, g->element);
	for (int d = 0; d < idx.len; d++)
		if (!c->dims[d].level)
			idx.at[d] = c->dims[d].offset;
	return idx;
}

// The accumulators after the group: one, or one for each of the values that a contribution has.
static Subs emit_group(Group *g, Subs accs)
{
	Flatten *f = g->f;
	for EACH(Contribution *, c, g->of)
		(*c)->value = explicit_body(f, g->nest, (*c)->value);
	open_rows(g);
	Build b = {.where = g->of.at[0]->where};
	Subs after = {NEW_ARRAY(Sub, accs.len), accs.len};
	for (int i = 0; i < accs.len; i++) {
		Var now = var_new(name_of("acc"), sub_type(accs.at[i]));
		know(f, now, (Known){.kind = K_ACC, .arr = accs.at[i]});
		after.at[i] = sub_var(now);
	}
	SubVec firsts = {0};
	int k = g->in->ne.len;
	b_open(&b);
	Subs sums = sums_where_there(g, &b, &firsts);
	for (int i = 0; i < sums.len / k; i++) {
		if (g->part)
			b.attrs = attr_of(ATTR_FEW);
		int of = accs.len > 1 ? 0 : (int)firsts.at[i].val.i;
		Sub *acc = &after.at[accs.len > 1 ? i : 0];
		Subs at = place_of_element(g, g->of.at[of]);
		*acc = b_let(&b, "acc", sub_type(*acc),
		             EXP(upd_acc, *acc, at, subs_part(sums, i * k, k)));
	}
	Body body = b_close(&b, after);
	Lambda all = {.body = body};
	note_inside(f, &all);
	return flatten_nest(f, g->rows, body);
}

bool add_alike(const Flatten *f, const Contribution *a, const Contribution *b)
{
	const AccInput *x = nest_input(f, a->acc), *y = nest_input(f, b->acc);
	return !a->shifted && !b->shifted && a->n_dims == b->n_dims && same_levels(a, b) &&
	       same_element(a, b) && acc_is_sum(x) && acc_is_sum(y) &&
	       sub_type(x->ne.at[0]).elem == sub_type(y->ne.at[0]).elem;
}

Subs emit_together(Flatten *f, const Level *nest, Contribution *c, Subs accs)
{
	Group g = {.f = f, .nest = nest, .in = nest_input(f, c->acc)};
	VEC_PUSH(&g.of, c);
	return emit_group(&g, accs);
}

Sub emit_contributions(Flatten *f, const Level *nest, Contribution *cs, int n, Sub acc)
{
	bool *done = NEW_ARRAY(bool, n);
	for (int i = 0; i < n; i++) {
		if (done[i])
			continue;
		Group g = {.f = f, .nest = nest, .in = nest_input(f, cs[i].acc)};
		for (int j = i; j < n; j++) {
			if (done[j] || !same_levels(&cs[i], &cs[j]))
				continue;
			done[j] = true;
			g.shifted |= cs[j].shifted;
			VEC_PUSH(&g.of, &cs[j]);
		}
		acc = emit_group(&g, subs_of(1, acc)).at[0];
	}
	return acc;
}
