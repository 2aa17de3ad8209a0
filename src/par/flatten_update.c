// Updates of accumulators that are reductions.
//
//     n x k x d threads:  v = .. ;  upd_acc acc [i_k, i_d] (v)
// becomes
//     k x d rows:  s = reduce op over n rows: v;  upd_acc acc [i_k, i_d] (s)
//
// Where an index of an update is the counter of a level of the nest, or the same in all rows, each
// element of the accumulator has its own rows of those levels, and the other levels are all added
// up in it.  So these become a reduction inside of a nest of the former, which needs no atomic
// updates, and which flatten_fold.c gives to threads as there is need.
//
// Sums over many rows for few elements, of two or more levels, are products of matrices as a rule,
// which `tile` gives to blocks of threads by thousands of elements.  Where that makes too few
// blocks, each element has several sums, over parts of the rows that are equally long; they are
// added to it atomically.
//
// Such updates are looked for in bodies that are about to become kernels, and what the value
// depends on is computed again there.  Where that is possible, a nest is taken apart however many
// rows it has (updates_reduce).
#include "par/flatten.h"

#include "opt/acc.h"

typedef VEC(Stm) StmVec;

// ---- Counters ----

void note_iota(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_iota && e->iota.type == PT_I64 && sub_eq(e->iota.start, sub_i64(0)) &&
	    sub_eq(e->iota.step, sub_i64(1)))
		map_put(&f->iotas, var_key(s->pat.at[0]), f);
}

// The rows of an iota count.
void note_counting(Flatten *f, const Exp *e)
{
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Sub a = e->screma.arrs.at[i];
		if (a.kind == S_VAR && map_has(&f->iotas, var_key(a.var)))
			map_put(&f->counting, var_key(e->screma.map->params.at[i]), f);
	}
}

// The level that an index counts; NULL: none.
static const Level *level_counted(const Flatten *f, Sub i)
{
	const Known *k = i.kind == S_VAR ? map_get(&f->known, var_key(i.var)) : NULL;
	if (!k)
		return NULL;
	if (k->kind == K_COUNTER || (k->kind == K_ROW && map_has(&f->counting, var_key(i.var))))
		return k->level;
	if (k->kind == K_AGAIN && k->stm->exp->form == E_atom)
		return level_counted(f, k->stm->exp->atom.x);
	return NULL;
}

// ---- Which updates ----

static const AccInput *input_of(const Flatten *f, Sub acc)
{
	return map_get(&f->inputs, var_key(sub_type(acc).acc->token));
}

static bool has_scalar_operator(const Flatten *f, const Exp *e)
{
	const AccInput *in = input_of(f, e->upd_acc.acc);
	if (!in || !in->op || !is_scalar_operator(in->op))
		return false;
	for EACH(Sub, ne, in->ne)
		if (in_nest(f, *ne))
			return false;
	return true;
}

// Is there a level of the nest that no index counts, with more than one row?
static bool adds_up(const Level *nest, const Map *counted)
{
	for (; nest; nest = nest->up)
		if (!map_has(counted, nest) && !nest->is_part && !sub_eq(nest->n, sub_i64(1)))
			return true;
	return false;
}

// ... and does each index count a level, or stay the same?
static bool is_reduction(const Flatten *f, const Level *nest, const Exp *e)
{
	Map counted = {0};
	for EACH(Sub, i, e->upd_acc.idx) {
		const Level *l = level_counted(f, *i);
		if ((!l && in_nest(f, *i)) || (l && map_has(&counted, l)))
			return false;
		if (l)
			map_put(&counted, l, (void *)l);
	}
	return adds_up(nest, &counted) && has_scalar_operator(f, e);
}

// In a body that may be taken apart: are there such updates, once it is?
static bool may_reduce(const Flatten *f, const Level *nest, const Exp *e)
{
	Map counted = {0};
	for EACH(Sub, i, e->upd_acc.idx) {
		const Level *l = level_counted(f, *i);
		bool counts = i->kind == S_VAR && map_has(&f->counting, var_key(i->var));
		if (!l && !counts && in_nest(f, *i))
			return false;
		if (l)
			map_put(&counted, l, (void *)l);
	}
	return adds_up(nest, &counted) && has_scalar_operator(f, e);
}

bool updates_reduce(Flatten *f, const Level *nest, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_upd_acc && may_reduce(f, nest, e))
			return true;
		if (e->form == E_screma && goes_apart(f, s) &&
		    updates_reduce(f, nest, &e->screma.map->body))
			return true;
		if (e->form == E_withacc && goes_apart(f, s) &&
		    updates_reduce(f, nest, &e->withacc.fn->body))
			return true;
	}
	return false;
}

// ---- What a value depends on ----

// The statements of the body that the values need, if none of them is about accumulators.
static bool slice_for(Body b, Subs vals, Body *out)
{
	Map needed = {0};
	StmVec back = {0};
	for EACH(Sub, x, vals)
		if (x->kind == S_VAR)
			map_put(&needed, var_key(x->var), out);
	for (int i = b.stms.len; i-- > 0;) {
		Stm s = b.stms.at[i];
		if (!vars_any_in(s.pat, &needed))
			continue;
		for EACH(Var, v, s.pat)
			if (vars[v->id].type.kind == T_ACC)
				return false;
		Body one = {.stms = {&s, 1}};
		Vars free = free_in_body(&one);
		for EACH(Var, v, free)
			map_put(&needed, var_key(*v), out);
		VEC_PUSH(&back, s);
	}
	Stms stms = {NEW_ARRAY(Stm, back.len), 0};
	for (int i = back.len; i-- > 0;)
		stms.at[stms.len++] = back.at[i];
	*out = (Body){stms, vals};
	return true;
}

// The body with all that it takes from the nest, by means of the levels' counters.
static Body explicit_body(Flatten *f, const Level *nest, Body b)
{
	Build outer = f->b;
	Subs at = {NEW_ARRAY(Sub, nest->depth), nest->depth};
	for (int d = 0; d < at.len; d++)
		at.at[d] = sub_var(level_at(nest, d + 1)->i);
	b = body_rename(b);
	f->b = (Build){.where = outer.where};
	b_open(&f->b);
	Inside in = inside_open(f, nest, at, &b);
	Subs res = inside_body(&in, b);
	inside_close(&in);
	b = b_close(&f->b, res);
	f->b = outer;
	return body_rename(b);
}

// ---- The reduction ----

typedef struct { const Stm *update; Body value; } Taken;

static bool is_counted(const Flatten *f, const Exp *e, const Level *l)
{
	for EACH(Sub, i, e->upd_acc.idx)
		if (level_counted(f, *i) == l)
			return true;
	return false;
}

// The number of rows of the levels that no index counts.
static Sub reduced_size(Flatten *f, const Level *nest, const Exp *e)
{
	Sub n = sub_i64(1);
	for (int d = nest->depth; d >= 1; d--)
		if (!is_counted(f, e, level_at(nest, d)))
			n = b_mul(&f->b, n, level_at(nest, d)->n);
	return n;
}

// Those levels as one: \t -> the values for row `first + t`.
static Lambda *reduced_rows(Flatten *f, const Level *nest, const Exp *e, Body value, Map *to,
                            const Level *part, Sub q)
{
	Build b = {.where = f->b.where};
	Var t = var_new(name_of("t"), type_scalar(PT_I64));
	b_open(&b);
	Sub rest = part ? b_add(&b, b_mul(&b, sub_var(part->i), q), sub_var(t)) : sub_var(t);
	for (int d = nest->depth; d >= 1; d--) {
		const Level *l = level_at(nest, d);
		if (is_counted(f, e, l))
			continue;
		bool last = true;
		for (int k = 1; k < d; k++)
			last &= is_counted(f, e, level_at(nest, k));
		Sub i = last ? rest : b_prim2(&b, P_rem, rest, l->n);
		map_put(to, var_key(l->i), mem_dup(&i, sizeof i));
		rest = last ? rest : b_prim2(&b, P_quot, rest, l->n);
	}
	value = body_subst(value, to);
	for EACH(Stm, s, value.stms)
		b_emit(&b, *s);
	return b_lambda(&b, vars_of(1, t), value.res);
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
	b_stm(b, pat,
	      NEW(Exp, .form = E_loop,
	          .loop = {.params = vars_of(2, c, go),
	                   .inits = subs_of(2, most, first),
	                   .is_while = true,
	                   .while_cond = go,
	                   .body = body}));
	return sub_var(pat.at[0]);
}

enum {
	TILE = 4096,            // elements that a block computes
	LEAST_STEPS = 256,      // of the sum of each
	MOST_PARTS = 64,
	LEAST_ROWS = 64,        // in a part
};

// How many sums of n rows each of the elements has: so many that tiles of them keep all blocks
// busy, or, if there are few elements, a thread for each.  About twice as many are asked for as
// are enough: n decides how many there can be.
static Sub parts_of_sums(Flatten *f, Sub elements, Sub n)
{
	Build *b = &f->b;
	Sub one = sub_i64(1);
	Sub blocks = emit_grid(f, b_mul(b, elements, n), TILE * LEAST_STEPS);
	Sub tiles = b_prim2(b, P_max, one, b_prim2(b, P_quot, elements, sub_i64(TILE)));
	Sub most = b_prim2(b, P_max, one, b_prim2(b, P_quot, blocks, tiles));
	Sub threads =
		b_prim2(b, P_quot, sub_i64(2 * ENOUGH_THREADS), b_prim2(b, P_max, one, elements));
	Sub rows = b_prim2(b, P_quot, n, sub_i64(LEAST_ROWS));
	most = b_prim2(b, P_max, most, b_prim2(b, P_min, threads, rows));
	return largest_divisor(b, n, b_prim2(b, P_min, most, sub_i64(MOST_PARTS)));
}

static Sub emit_reduction(Flatten *f, const Level *nest, const Taken *t, Sub acc)
{
	const Exp *e = t->update->exp;
	const AccInput *in = input_of(f, e->upd_acc.acc);
	Map to = {0};
	Subs idx = SLICE_DUP(Subs, e->upd_acc.idx);
	Sub n = reduced_size(f, nest, e), elements = sub_i64(1);
	Level *rows = NULL, *part = NULL;
	int counted = 0;
	for EACH(Sub, i, idx) {
		const Level *l = level_counted(f, *i);
		counted += l != NULL;
		elements = l ? b_mul(&f->b, elements, l->n) : elements;
	}
	// With the outermost level in the index there are enough elements, as a rule.
	if (counted > 1 && acc_is_sum(in) && !is_counted(f, e, level_at(nest, 1))) {
		// Outermost, so that neighbouring threads have neighbouring elements.
		Sub parts = parts_of_sums(f, elements, n);
		n = b_prim2(&f->b, P_quot, n, parts);
		part = rows = level_new(f, NULL, parts, (Vars){0}, (Subs){0}, (Vars){0});
		part->is_part = true;
	}
	for EACH(Sub, i, idx) {
		const Level *l = level_counted(f, *i);
		if (!l)
			continue;
		rows = level_new(f, rows, l->n, (Vars){0}, (Subs){0}, (Vars){0});
		*i = sub_var(rows->i);
		map_put(&to, var_key(l->i), mem_dup(i, sizeof *i));
	}
	if (!rows)
		rows = level_new(f, NULL, sub_i64(1), (Vars){0}, (Subs){0}, (Vars){0});
	Body value = explicit_body(f, nest, t->value);
	Lambda *map = reduced_rows(f, nest, e, value, &to, part, n);
	Types ts = map->ret;
	Reduction *red = NEW(Reduction, lambda_rename(in->op), in->ne, true);
	Build b = {.where = t->update->where};
	Var now = var_new(name_of("acc"), sub_type(acc));
	know(f, now, (Known){.kind = K_ACC, .arr = acc});
	Sub count = b_iota(&f->b, n);
	b_open(&b);
	Subs sums = b_lets(&b, "sum", ts, NEW(Exp, .form = E_screma, .screma = {.n = n,
		.arrs = subs_of(1, count), .map = map, .reds = {red, 1}}));
	Name few = name_of(ATTR_FEW);
	if (part)
		b.attrs = (Attributes){mem_dup(&few, sizeof few), 1};
	Sub after = b_let(&b, "acc", sub_type(acc), NEW(Exp, .form = E_upd_acc,
		.upd_acc = {sub_var(now), idx, sums}));
	Body body = b_close(&b, subs_of(1, after));
	Lambda all = {.body = body};
	note_inside(f, &all);
	return flatten_nest(f, rows, body).at[0];
}

// ---- Bodies that become kernels ----

static const Stm *update_of(Body b, Sub acc, int *at)
{
	for (int i = b.stms.len; i-- > 0;)
		if (b.stms.at[i].exp->form == E_upd_acc && acc.kind == S_VAR &&
		    b.stms.at[i].pat.at[0].id == acc.var.id) {
			*at = i;
			return &b.stms.at[i];
		}
	return NULL;
}

static Body without(Body b, int at)
{
	Stms stms = {NEW_ARRAY(Stm, b.stms.len), 0};
	for (int i = 0; i < b.stms.len; i++)
		if (i != at)
			stms.at[stms.len++] = b.stms.at[i];
	return (Body){stms, b.res};
}

static Sub host_acc(const Flatten *f, Sub acc)
{
	const Known *k = acc.kind == S_VAR ? map_get(&f->known, var_key(acc.var)) : NULL;
	return k && k->kind == K_ACC ? k->arr : (Sub){.kind = S_CONST};
}

Subs emit_leaf(Flatten *f, const Level *nest, Body b)
{
	int n = b.res.len;
	VEC(Taken) taken = {0};
	int *of = NEW_ARRAY(int, n);
	b.res = SLICE_DUP(Subs, b.res);
	for (int k = 0; k < n; k++) {
		int at;
		const Stm *s;
		Body value;
		of[k] = -1;
		if (sub_type(b.res.at[k]).kind != T_ACC || !(s = update_of(b, b.res.at[k], &at)) ||
		    host_acc(f, s->exp->upd_acc.acc).kind == S_CONST ||
		    !is_reduction(f, nest, s->exp) || !slice_for(b, s->exp->upd_acc.vals, &value))
			continue;
		of[k] = taken.len;
		VEC_PUSH(&taken, (Taken){mem_dup(s, sizeof *s), value});
		b.res.at[k] = s->exp->upd_acc.acc;
		b = without(b, at);
	}
	if (!taken.len)
		return emit_kernel(f, nest, b);
	Subs out = {NEW_ARRAY(Sub, n), n};
	SubVec rest = {0};
	for (int k = 0; k < n; k++)
		if (of[k] < 0)
			VEC_PUSH(&rest, b.res.at[k]);
	b.res = VEC_SLICE(Subs, rest);
	Subs made = emit_kernel(f, nest, b);
	for (int k = 0, at = 0; k < n; k++)
		out.at[k] = of[k] < 0 ? made.at[at++] : emit_reduction(f, nest,
			&taken.at[of[k]], host_acc(f, taken.at[of[k]].update->exp->upd_acc.acc));
	return out;
}
