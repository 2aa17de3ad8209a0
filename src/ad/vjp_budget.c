// Loops under a memory budget (--memory-budget), before reverse mode sees them.
//
//     loop p = x for i < n do body
//
//     m = n if the records of n iterations fit into the budget, else as many as fit into half
//     q = loop p = x for a < b do                    b = ceil (n / m) - 1 blocks, with snapshots
//           loop p for k < m do body (a * m + k)
//     loop p = q for k < n - b * m do body (b * m + k)
//
// The last block stores values as it would without a budget.  For the preceding blocks, snapshots
// of the state at their start are taken, as many as fit into the other half of the budget; the
// remaining states are recomputed by re-executing blocks, with the schedule that needs the fewest
// executions (vjp_blocks.c).  If everything fits, there is one block and nothing is re-executed,
// except that while loops run once more to count their iterations.
//
// Note [What fits].  The memory of one iteration is estimated as the size of its state, or of the
// cells of it that are overwritten, plus that of all iterations of inner loops whose bounds are
// known in advance.  The arrays that the loop reads, their adjoints, and the allocations of one
// iteration are subtracted from the budget, and the rest is divided among the loops.  Inside a map,
// the records of the last block and those of the others are live at the same time; an enclosing
// derivative doubles everything.
#include "ad/vjp_loop.h"

enum { DEEPEST_LOOP = 2, FEW_ITERATIONS = 16 };

// Loops of blocks -> the number of snapshots there is room for.
static Map blocks;

bool snapshots_of(const Exp *e, Sub *most)
{
	const Sub *found = e->loop.is_while ? NULL : map_get(&blocks, var_key(e->loop.i));
	if (found)
		*most = *found;
	return found;
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

// 0 where sizes are not known outside of the loop.
static Sub bytes_of_all(Build *b, Vars xs, const Map *inside)
{
	Sub sum = sub_i64(0);
	for EACH(Var, x, xs) {
		Type t = vars[x->id].type;
		if (t.kind == T_DATA && known_outside(inside, t.dims))
			sum = b_add(b, sum, bytes_of(b, t));
	}
	return sum;
}

// What an array leaves that is updated in place (vjp_undo.c), from one state to another; false: it
// is not, or sizes are not known.
static bool update_bytes(Build *b, const Body *body, Var from, Sub to, const Map *inside, Sub *sum)
{
	enum { INDEX = 8 };
	for (int guard = body->stms.len; !sub_eq(to, sub_var(from)); guard--) {
		int at = stm_index(body, to);
		const Stm *s = at < 0 || guard <= 0 ? NULL : &body->stms.at[at];
		if (s && s->exp->form == E_update &&
		    known_outside(inside, slice_dims(s->exp->update.at))) {
			Type t = vars[from.id].type;
			t.dims = slice_dims(s->exp->update.at);
			Sub more = b_add(b, bytes_of(b, t), sub_i64(INDEX * s->exp->update.at.len));
			*sum = b_add(b, *sum, more);
			to = s->exp->update.arr;
			continue;
		}
		int k = s && s->exp->form == E_loop ? vars_find(s->pat, to) : -1;
		if (k < 0 || s->exp->loop.is_while ||
		    !known_outside(inside, subs_of(1, s->exp->loop.n)))
			return false;
		const Exp *e = s->exp;
		Sub row = sub_i64(0);
		if (!update_bytes(b, &e->loop.body, e->loop.params.at[k], e->loop.body.res.at[k],
		                  inside, &row))
			return false;
		*sum = b_add(b, *sum, b_mul(b, b_convert(b, PT_I64, e->loop.n), row));
		to = e->loop.inits.at[k];
	}
	return true;
}

// What an iteration leaves: its state, and those of loops inside.
static Sub record_bytes(Build *b, const Exp *e, const Map *inside)
{
	Sub sum = sub_i64(0);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Sub few = sub_i64(0), whole = bytes_of_all(b, vars_of(1, p), inside);
		Sub to = e->loop.body.res.at[k];
		bool in_place = vars[p.id].type.unique && vars[p.id].type.dims.len &&
		                update_bytes(b, &e->loop.body, p, to, inside, &few);
		sum = b_add(b, sum, in_place ? b_prim2(b, P_min, few, whole) : whole);
	}
	for EACH(Stm, s, e->loop.body.stms) {
		const Exp *in = s->exp;
		if (in->form == E_loop && !in->loop.is_while &&
		    known_outside(inside, subs_of(1, in->loop.n))) {
			Sub n = b_convert(b, PT_I64, in->loop.n);
			sum = b_add(b, sum, b_mul(b, n, record_bytes(b, in, inside)));
		}
	}
	return sum;
}

// What is there in any case: what the loop reads, adjoints, and what its body makes; and that of
// loops inside.
static Sub fixed_bytes(Build *b, const Stm *s, Sub state, const Map *inside)
{
	Sub sum = b_mul(b, state, sub_i64(4));
	Vars free = free_in_stm(s);
	sum = b_add(b, sum, b_mul(b, bytes_of_all(b, free, inside), sub_i64(2)));
	for EACH(Stm, t, s->exp->loop.body.stms) {
		Sub made = bytes_of_all(b, t->pat, inside);
		if (form_has(t->exp->form, FORM_FRESH) || form_has(t->exp->form, FORM_NEST))
			sum = b_add(b, sum, b_mul(b, made, sub_i64(2)));
		if (t->exp->form == E_loop)
			sum = b_add(b, sum, fixed_bytes(b, t, made, inside));
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

typedef struct { Sub n, block, rounds, snapshots; } Blocks;

static Sub quotient(Build *b, Sub x, Sub y)
{
	return b_prim2(b, P_quot, x, b_prim2(b, P_max, y, sub_i64(1)));
}

static Sub clamped(Build *b, Sub low, Sub x, Sub high)
{
	return b_prim2(b, P_max, low, b_prim2(b, P_min, x, high));
}

// The blocks before the last one.
static Sub rounds_of(Build *b, const Blocks *k)
{
	Sub up = b_add(b, k->n, b_sub(b, k->block, sub_i64(1)));
	return b_prim2(b, P_max, sub_i64(0), b_sub(b, quotient(b, up, k->block), sub_i64(1)));
}

// Sizes of memory are rounded up by a quarter at most, and there are small things beside.
static Sub rounded_down(Build *b, Sub budget)
{
	enum { SMALL_THINGS = 4096 };
	Sub large = b_sub(b, budget, sub_i64(SMALL_THINGS));
	return b_sub(b, large, quotient(b, large, sub_i64(5)));
}

// depth: loops around, which have such things of their own.
static Blocks blocks_of(Build *b, const Stm *s, Sub budget, int depth, int sharers)
{
	Map inside = bound_in(s);
	Blocks k = {.n = at_least_zero(b, s->exp->loop.n)};
	Sub state = bytes_of_all(b, s->exp->loop.params, &inside);
	Sub record = record_bytes(b, s->exp, &inside), zero = sub_i64(0), one = sub_i64(1);
	Sub fixed = b_mul(b, fixed_bytes(b, s, state, &inside), sub_i64(depth + 1));
	Sub left = b_sub(b, rounded_down(b, budget), fixed);
	Sub share = b_prim2(b, P_max, quotient(b, left, sub_i64(sharers)), zero);
	Sub half = quotient(b, share, sub_i64(2));
	Sub fits = b_le(b, k.n, quotient(b, share, record));
	Sub most = b_prim2(b, P_max, k.n, one);
	k.block = clamped(b, one, quotient(b, half, record), most);
	// Few snapshots leave room for longer blocks.
	Sub few = b_prim2(b, P_min, half, b_mul(b, rounds_of(b, &k), state));
	k.block = clamped(b, one, quotient(b, b_sub(b, share, few), record), most);
	k.block = b_select(b, fits, most, k.block);
	k.rounds = rounds_of(b, &k);
	k.snapshots = b_prim2(b, P_min, k.rounds, b_prim2(b, P_max, quotient(b, half, state), one));
	return k;
}

// Iterations first, first + 1, .. of the loop.
static void emit_block(Build *b, const Stm *s, const Exp *e, Vars pat, Subs inits, Sub first, Sub n)
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
}

static void emit_blocks(Build *b, const Stm *s, const Blocks *k)
{
	const Exp *e = s->exp;
	// Under names of its own.
	Body copy = body_rename((Body){.stms = {NEW(Stm, .pat = fresh_like(s->pat, true),
	                               .exp = (Exp *)e), 1}});
	Vars params = fresh_like(e->loop.params, true), inner = fresh_like(e->loop.params, false);
	Vars done = fresh_like(e->loop.params, false);
	Var a = var_i64("a");
	b_open(b);
	emit_block(b, s, copy.stms.at[0].exp, inner, subs_of_vars(params),
	           b_mul(b, sub_var(a), k->block), k->block);
	Body body = b_close(b, subs_of_vars(inner));
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
	               e->loop.n.val.i > FEW_ITERATIONS);
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
