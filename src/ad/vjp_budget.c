// Loops under a memory budget (--memory-budget), before reverse mode sees them.
//
//     loop p = x for i < n do body
//
//     m = n if the records of n iterations fit into the budget, else less (vjp_room.c)
//     q = loop p = x for a < b do                    b = ceil (n / m) - 1 blocks, with snapshots
//           loop p for k < m do body (a * m + k)
//     loop p = q for k < n - b * m do body (b * m + k)
//
// The last block stores values as it would without a budget.  For the preceding blocks, snapshots
// of the state at their start are taken, as many as fit beside the records of a block; the
// remaining states are recomputed by re-executing blocks, with the schedule that needs the fewest
// executions (vjp_blocks.c).  If everything fits, there is one block and nothing is re-executed,
// except that while loops run once more to count their iterations.
//
// Note [What fits].  The memory of one iteration is estimated as the size of its state, or of the
// cells of it that are overwritten, plus that of all iterations of inner loops whose bounds are
// known in advance.  The arrays that the loop reads, their adjoints, and the allocations of one
// iteration (four states: a copy of a snapshot, two between which iterations alternate, an adjoint)
// are subtracted from the budget, and the rest is divided among the loops.  Inside a map,
// the records of the last block and those of the others are live at the same time; an enclosing
// derivative doubles everything.
#include "ad/vjp_loop.h"

enum { DEEPEST_LOOP = 2 };

// Loops of blocks -> the number of snapshots there is room for.
static Map blocks;
static Map inner;               // and the loops that are blocks

bool snapshots_of(const Exp *e, Sub *most)
{
	const Sub *found = e->loop.is_while ? NULL : map_get(&blocks, var_key(e->loop.i));
	if (found)
		*most = *found;
	return found;
}

bool is_block(const Exp *e)
{
	return !e->loop.is_while && map_has(&inner, var_key(e->loop.i));
}

// ---- Sizes ----

static bool known_outside(const Map *inside, Subs dims)
{
	for EACH(Sub, d, dims)
		if (d->kind == S_VAR && map_has(inside, var_key(d->var)))
			return false;
	return true;
}

static Sub bytes_of(Build *b, Type t)
{
	return b_mul(b, b_product(b, t.dims), sub_i64(primtype_size(t.elem)));
}

static bool has_bytes(Var x, const Map *inside)
{
	Type t = vars[x.id].type;
	return t.kind == T_DATA && known_outside(inside, t.dims);
}

// What arrays occupy; 0 where sizes are not known outside of the loop.
static Sub blocks_for(Build *b, Vars xs, const Map *inside)
{
	Sub sum = sub_i64(0);
	for EACH(Var, x, xs)
		if (has_bytes(*x, inside) && vars[x->id].type.dims.len)
			sum = b_add(b, sum, block_for(b, bytes_of(b, vars[x->id].type)));
	return sum;
}

// What an array leaves that is updated in place (vjp_undo.c), from one state to another, in each of
// the arrays that keep it; false: it is not, or sizes are not known.
static bool update_sizes(Build *b, const Body *body, Var from, Sub to, const Map *inside, Sub times,
                         SubVec *out)
{
	enum { INDEX = 8 };
	for (int guard = body->stms.len; !sub_eq(to, sub_var(from)); guard--) {
		int at = stm_index(body, to);
		const Stm *s = at < 0 || guard <= 0 ? NULL : &body->stms.at[at];
		if (s && s->exp->form == E_update &&
		    known_outside(inside, slice_dims(s->exp->update.at))) {
			Type t = vars[from.id].type;
			t.dims = slice_dims(s->exp->update.at);
			VEC_PUSH(out, b_mul(b, times, bytes_of(b, t)));
			for (int i = 0; i < s->exp->update.at.len; i++)
				VEC_PUSH(out, b_mul(b, times, sub_i64(INDEX)));
			to = s->exp->update.arr;
			continue;
		}
		int k = s && s->exp->form == E_loop ? vars_find(s->pat, to) : -1;
		if (k < 0 || s->exp->loop.is_while ||
		    !known_outside(inside, subs_of(1, s->exp->loop.n)))
			return false;
		const Exp *e = s->exp;
		if (!update_sizes(b, &e->loop.body, e->loop.params.at[k], e->loop.body.res.at[k],
		                  inside, b_mul(b, times, b_convert(b, PT_I64, e->loop.n)), out))
			return false;
		to = e->loop.inits.at[k];
	}
	return true;
}

// What an iteration leaves, `times` times: its state, and those of loops inside; a size for each of
// the arrays that keep it.
static void record_sizes(Build *b, const Exp *e, const Map *inside, Sub times, SubVec *out)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		SubVec few = {0};
		if (!has_bytes(p, inside))
			continue;
		Sub whole = b_mul(b, times, bytes_of(b, vars[p.id].type)), zero = sub_i64(0);
		if (!vars[p.id].type.unique || !vars[p.id].type.dims.len ||
		    !update_sizes(b, &e->loop.body, p, e->loop.body.res.at[k], inside, times,
		                  &few)) {
			VEC_PUSH(out, whole);
			continue;
		}
		Sub is_few = b_le(b, size_of_all(b, VEC_SLICE(Subs, few)), whole);
		for EACH(Sub, x, few)
			VEC_PUSH(out, b_select(b, is_few, *x, zero));
		VEC_PUSH(out, b_select(b, is_few, zero, whole));
	}
	for EACH(Stm, s, e->loop.body.stms) {
		const Exp *in = s->exp;
		if (in->form == E_loop && !in->loop.is_while &&
		    known_outside(inside, subs_of(1, in->loop.n))) {
			Sub n = b_mul(b, times, b_convert(b, PT_I64, in->loop.n));
			record_sizes(b, in, inside, n, out);
		}
	}
}

// What is there in any case: what the loop reads, adjoints, and what its body makes; and that of
// loops inside.
static Sub fixed_bytes(Build *b, const Stm *s, Sub state, const Map *inside)
{
	Sub sum = b_mul(b, state, sub_i64(4));
	Vars free = free_in_stm(s);
	sum = b_add(b, sum, b_mul(b, blocks_for(b, free, inside), sub_i64(2)));
	for EACH(Stm, t, s->exp->loop.body.stms) {
		VarVec beside = {0};            // the next state is counted already
		for EACH(Var, x, t->pat)
			if (subs_find(s->exp->loop.body.res, sub_var(*x)) < 0)
				VEC_PUSH(&beside, *x);
		Sub made = blocks_for(b, VEC_SLICE(Vars, beside), inside);
		Sub all = blocks_for(b, t->pat, inside);
		if (form_has(t->exp->form, FORM_FRESH) || form_has(t->exp->form, FORM_NEST))
			sum = b_add(b, sum, b_mul(b, made, sub_i64(2)));
		if (t->exp->form == E_loop)
			sum = b_add(b, sum, fixed_bytes(b, t, all, inside));
	}
	return sum;
}

static Map bound_in(const Stm *s)
{
	Map out = {0};
	Visit v = {.bind = note_binder, .ctx = &out};
	exp_visit(s->exp, &v);
	return out;
}

// ---- Blocks ----

// depth: loops around, which have such things of their own.
static Blocks blocks_of(Build *b, const Stm *s, Sub budget, int depth, int sharers)
{
	enum { SMALL_THINGS = 1024, PLACE = 8 };
	Map inside = bound_in(s);
	SubVec records = {0}, states = {0};
	const Exp *e = s->exp;
	record_sizes(b, e, &inside, sub_i64(1), &records);
	for EACH(Var, p, e->loop.params)
		if (has_bytes(*p, &inside))
			VEC_PUSH(&states, bytes_of(b, vars[p->id].type));
	VEC_PUSH(&states, sub_i64(PLACE));
	Sub fixed = fixed_bytes(b, s, blocks_for(b, e->loop.params, &inside), &inside);
	Sub left = b_sub(b, budget, b_mul(b, fixed, sub_i64(depth + 1)));
	left = b_prim2(b, P_max, b_sub(b, left, sub_i64(SMALL_THINGS)), sub_i64(0));
	Sub share = b_prim2(b, P_quot, left, sub_i64(sharers));
	return choose_blocks(b, at_least_zero(b, e->loop.n), share, VEC_SLICE(Subs, states),
	                     VEC_SLICE(Subs, records));
}

// Iterations first, first + 1, .. of the loop.
static Var emit_block(Build *b, const Stm *s, const Exp *e, Vars pat, Subs inits, Sub first, Sub n)
{
	Var k = var_i64("k");
	b_open(b);
	Sub i = b_convert(b, vars[e->loop.i.id].type.elem, b_add(b, first, sub_var(k)));
	b_name(b, e->loop.i, i);
	b_emit_all(b, e->loop.body.stms);
	Body body = b_close(b, e->loop.body.res);
	b_emit(b, (Stm){.pat = pat, .where = s->where, .exp = EXP(loop, .params = e->loop.params,
	                                                          .inits = inits, .i = k, .n = n,
	                                                          .body = body)});
	return k;
}

static void note_in_order(Visit *v, Var *x)
{
	VEC_PUSH((VarVec *)v->ctx, *x);
}

// The loops inside that are in blocks already, in a copy under other names.
static void note_copies(const Exp *from, const Exp *to)
{
	VarVec old = {0}, new_ = {0};
	exp_visit((Exp *)from, &(Visit){.bind = note_in_order, .ctx = &old});
	exp_visit((Exp *)to, &(Visit){.bind = note_in_order, .ctx = &new_});
	for (int i = 0; i < old.len; i++) {
		const Sub *most = map_get(&blocks, var_key(old.at[i]));
		Sub copy = most ? *most : (Sub){0};
		for (int j = 0; most && j < old.len; j++)
			if (sub_eq(*most, sub_var(old.at[j])))
				copy = sub_var(new_.at[j]);
		if (most)
			map_put(&blocks, var_key(new_.at[i]), mem_dup(&copy, sizeof copy));
		if (map_has(&inner, var_key(old.at[i])))
			map_put(&inner, var_key(new_.at[i]), &inner);
	}
}

static void emit_blocks(Build *b, const Stm *s, const Blocks *k)
{
	const Exp *e = s->exp;
	// Under names of its own.
	Body copy = body_rename((Body){.stms = {NEW(Stm, .pat = fresh_like(s->pat, true),
	                               .exp = (Exp *)e), 1}});
	note_copies(e, copy.stms.at[0].exp);
	Vars params = fresh_like(e->loop.params, true), after = fresh_like(e->loop.params, false);
	Vars done = fresh_like(e->loop.params, false);
	Var a = var_i64("a");
	b_open(b);
	Var i = emit_block(b, s, copy.stms.at[0].exp, after, subs_of_vars(params),
	                   b_mul(b, sub_var(a), k->block), k->block);
	map_put(&inner, var_key(i), &inner);
	Body body = b_close(b, subs_of_vars(after));
	b_emit(b, (Stm){.pat = done, .where = s->where, .exp = EXP(loop, .params = params,
	                                                           .inits = e->loop.inits, .i = a,
	                                                           .n = k->rounds, .body = body)});
	map_put(&blocks, var_key(a), mem_dup(&k->snapshots, sizeof k->snapshots));
	Sub first = b_mul(b, k->rounds, k->block);
	emit_block(b, s, e, s->pat, subs_of_vars(done), first, b_sub(b, k->n, first));
}

// ---- Which loops ----

static bool is_plain(const Stm *s)
{
	const Exp *e = s->exp;
	int64_t k;
	for EACH(Name, a, s->attrs)
		if (attribute_number(*a, "stripmine", &k) || attribute_number(*a, "unroll", &k))
			return false;
	bool any = false;
	for EACH(Var, p, e->loop.params) {
		Type t = vars[p->id].type;
		any |= t.kind == T_DATA && is_float(t.elem);
		if (t.kind != T_DATA)
			return false;
		for EACH(Sub, d, t.dims)
			for EACH(Var, q, e->loop.params)
				if (sub_eq(*d, sub_var(*q)))
					return false;
	}
	return any && (e->loop.is_while || e->loop.n.kind != S_CONST ||
	               e->loop.n.val.i > threshold(AT_budget_iterations));
}

static void count_loop(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		*(int *)v->ctx += s->exp->form == E_loop;
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

int count_loops(const Body *b)
{
	int n = 0;
	Visit v = {.body = count_loop, .ctx = &n};
	count_loop(&v, (Body *)b);
	return n;
}

// How often a while loop runs: it is executed for that.
static Sub count_of(Build *b, const Stm *s)
{
	Body copy = body_rename((Body){.stms = {NEW(Stm, .pat = fresh_like(s->pat, true),
	                               .exp = s->exp), 1}});
	const Exp *e = copy.stms.at[0].exp;
	Type t = type_scalar(PT_I64);
	Var count = var_new(name_of("count"), t), total = var_new(name_of("count"), t);
	Subs inits = SLICE_DUP(Subs, e->loop.inits);
	for (int i = 0; i < inits.len; i++)
		if (vars[e->loop.params.at[i].id].type.unique && sub_type(inits.at[i]).dims.len)
			inits.at[i] = b_copy(b, inits.at[i]);
	b_open(b);
	b_emit_all(b, e->loop.body.stms);
	Sub more = b_add(b, sub_var(count), sub_i64(1));
	Body body = b_close(b, subs_cat(e->loop.body.res, subs_of(1, more)));
	b_stm(b, vars_cat(copy.stms.at[0].pat, vars_of(1, total)),
	      EXP(loop, .params = vars_cat(e->loop.params, vars_of(1, count)),
	          .inits = subs_cat(inits, subs_of(1, sub_i64(0))), .is_while = true,
	          .while_cond = e->loop.while_cond, .body = body));
	return sub_var(total);
}

static const Stm *as_for(Build *b, const Stm *s)
{
	if (!s->exp->loop.is_while)
		return s;
	Stm *out = mem_dup(s, sizeof *s);
	out->exp = NEW(Exp, .form = E_loop, .loop = s->exp->loop);
	out->exp->loop.n = count_of(b, s);
	out->exp->loop.i = var_i64("i");
	out->exp->loop.is_while = false;
	return out;
}

bool budget_loop(Build *b, const Stm *s, int depth, int sharers)
{
	enum { INNER = 3 };
	Sub budget;
	if (ad_is_inner())
		sharers *= INNER;
	if (s->exp->form != E_loop || depth >= DEEPEST_LOOP || !is_plain(s) ||
	    !memory_budget(&budget))
		return false;
	Vars certs = b->certs;
	b->certs = s->certs;
	b->where = s->where;
	s = as_for(b, s);
	Blocks k = blocks_of(b, s, budget, depth, sharers);
	emit_blocks(b, s, &k);
	b->certs = certs;
	return true;
}
