// Tiled kernels: threads that load the same values share them through shared memory.
//
// Applies to a kernel that is a loop nest around a sequential loop in which no load depends on both
// of two indices of the nest, such as a matrix product.  Values computed from loads along only one
// of the two are shared as well, such as the difference in (x[i, k] - m[k]) * b[k, j].
// So are conditional loads whose condition depends on no other index, as in a convolution at the
// ends of its rows.
//
//     #[kernel] loop ... for i < n do           block (ti, tj):
//       #[kernel] loop ... for j < m do {         acc[4][4] = 0
//         loop (s = 0) for k < p do {             for (from = 0; from < p; from += 16) {
//           s + a[i, k] * b[k, j]          ->       all threads load 16 columns of the 64 rows of a
//         }                                         and 16 rows of the 64 columns of b
//         out with [i, j] = s                       each thread does 16 steps of 4 x 4 iterations
//       }                                         }
//                                                 out[i, j] = acc[..][..], if they are within
//
// A second fold that continues the first one (chain_sums) runs after it, with the same acc.
//
// The order of operations in each iteration is unchanged.  The other loops of the nest are not
// tiled: each of their iterations has its own tiles.
//
// There are up to three tiled versions of a kernel besides the plain one, with different tile sizes
// (ktile_size.c).  The version is selected at launch by the sizes (klaunch.c).
//
// Loads are software-pipelined: while the threads execute the steps of one part of the fold, the
// values for the next part are loaded into registers.  They are stored to shared memory after these
// steps, into the other half if there is room for double buffering.
//
// Note [Products].  Products of f64 matrices, s + a * b and nothing else, use the matrix
// instructions of the device if it has them (RD_MMA_F64 in rts/gpu/kernel.h); these determine which
// iterations belong to a thread.  Plain loads are copied to shared memory asynchronously
// (rd_copy_async), two parts ahead of the computation; values computed from loads pass through
// registers, one part ahead.  Operands that are contiguous along the summed dimension have the same
// order in shared memory.  With the option --tf32, products of f32 matrices use matrix instructions
// too, with factors rounded to 11 bits (RD_MMA_TF32), which pass through registers.
//
// Note [Ends of tiles].  Indices of loads are clamped to the bounds of the loops; values computed
// past the ends are not stored, and never fail.  Kernels with assertions are not tiled.
#include "gen/ktile.h"

// What a value depends on.
enum { ON_Y = 1, ON_X = 2, ON_STEP = 4, ON_PARAMS = 8, ON_LOADS = 16 };

// ---- What depends on what ----

static int mask_of(const Tiling *t, Sub x)
{
	return (int)levels_of(&t->depends, x);
}

static void set_mask(Tiling *t, Var v, int mask)
{
	set_levels(&t->depends, v, (uint64_t)mask);
}

static int mask_of_place(const Tiling *t, Type type)
{
	int mask = mask_of(t, type.mem->offset);
	for EACH(Sub, d, type.dims)
		mask |= mask_of(t, *d);
	for EACH(Sub, s, type.mem->strides)
		mask |= mask_of(t, *s);
	return mask;
}

typedef struct { const Tiling *t; int mask; } Union;

static void add_operand(Visit *v, Sub *x)
{
	Union *u = v->ctx;
	u->mask |= mask_of(u->t, *x);
	if (x->kind == S_VAR && vars[x->var.id].type.mem)
		u->mask |= mask_of_place(u->t, vars[x->var.id].type);
}

static int mask_of_exp(const Tiling *t, const Exp *e)
{
	Union u = {t, 0};
	Visit v = {.sub = add_operand, .ctx = &u};
	exp_walk(e, &v);
	return u.mask;
}

// Is it a load, or a branch with one?
static bool has_load(const Exp *e)
{
	return e->form == E_index || (e->form == E_if_ && exp_find(e, stm_is_index));
}

static void note_mask(Tiling *t, const Stm *s)
{
	int mask = mask_of_exp(t, s->exp);
	if (has_load(s->exp))
		mask |= ON_LOADS;
	for EACH(Var, v, s->pat)
		set_mask(t, *v, mask);
}

// ---- Which kernels ----

bool may_repeat(const Stm *s)
{
	return is_pure_scalar(s) || needs_no_code(s);
}

// An element is stored or added to, maybe only where it is in bounds.
static bool is_end(const Stm *s)
{
	const Exp *e = s->exp;
	return may_repeat(s) ||
	       (e->form == E_update && type_is_scalar(sub_type(e->update.val))) ||
	       (e->form == E_loop && has_attr(s->attrs, ATTR_ATOMIC)) ||
	       (e->form == E_if_ && body_all(&e->if_.yes, is_end) &&
	        body_all(&e->if_.no, is_end));
}

static bool is_fold(const Kernel *k, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || !e->loop.params.len ||
	    has_attr(s->attrs, ATTR_ATOMIC) || !is_known_before(k, e->loop.n))
		return false;
	return vars_are_scalars(e->loop.params) && body_all(&e->loop.body, may_repeat);
}

Tiling *last_fold(Tiling *t)
{
	while (t->next)
		t = t->next;
	return t;
}

// Does the fold go on from the one before it, whose result nothing else has?
static bool follows(Tiling *t, const Stm *s)
{
	const Stm *before = last_fold(t)->fold;
	Map of = {0};
	if (before->pat.len != 1 || s->pat.len != 1 ||
	    !sub_eq(s->exp->loop.inits.at[0], sub_var(before->pat.at[0])))
		return false;
	map_put(&of, var_key(before->pat.at[0]), t);
	for EACH(const Stm, other, t->k->nest.at[t->k->nest.len - 1]->exp->loop.body.stms)
		if (other != s && stm_mentions(other, &of))
			return false;
	return true;
}

// The nest, the fold and what comes after it are of the kind described above.
static bool has_shape(Tiling *t)
{
	const Kernel *k = t->k;
	int last = k->nest.len - 1;
	for (int d = 0; d < last; d++)
		for EACH(Stm, s, k->nest.at[d]->exp->loop.body.stms)
			if (s != k->nest.at[d + 1] && !may_repeat(s))
				return false;
	const Body *b = &k->nest.at[last]->exp->loop.body;
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (!t->fold && is_fold(k, s)) {
			t->fold = s;
			t->fold_at = i;
		} else if (t->fold && is_fold(k, s) && follows(t, s)) {
			Tiling *before = last_fold(t);
			before->next = NEW(Tiling, .k = k, .y = t->y, .x = t->x, .size = t->size,
			                   .fold = s, .fold_at = i);
		} else if (t->fold ? !is_end(s) : !may_repeat(s)) {
			return false;
		}
	}
	return t->fold && !k->of_blocks && !k->blocks.len;
}

// Is the index along `v` the innermost of a row-major array, so that neighbours in it are
// neighbours in memory?
static int near_dim(const Exp *load)
{
	Type type = sub_type(load->index.arr);
	int last = load->index.idx.len - 1;
	if (type.mem->strides.len)
		for (int i = 0; i < type.dims.len; i++)
			if (sub_eq(type.mem->strides.at[i], sub_i64(1)))
				last = i;
	return last;
}

static bool is_near(const Exp *load, Var v)
{
	return sub_eq(load->index.idx.at[near_dim(load)], sub_var(v));
}

static bool is_along_one(int mask)
{
	return !(mask & ON_Y) != !(mask & ON_X);
}

// May it be shared: does it change with the steps, and with one of the two indices?
static bool may_share(const Tiling *t, const Stm *s)
{
	int mask = s->pat.len == 1 ? mask_of(t, sub_var(s->pat.at[0])) : 0;
	return is_along_one(mask) && mask & ON_STEP && mask & ON_LOADS && !(mask & ON_PARAMS);
}

// Does something use it that is not shared itself?
static bool is_used_by_steps(const Tiling *t, Var x)
{
	const Body *b = &t->fold->exp->loop.body;
	Map of = {0};
	map_put(&of, var_key(x), &of);
	for EACH(Stm, s, b->stms)
		if (!may_share(t, s) && exp_mentions(s->exp, &of))
			return true;
	return subs_find(b->res, sub_var(x)) >= 0;
}

// Do neighbouring steps load neighbouring elements, of what changes with the index?
static bool steps_are_near(const Tiling *t, const Stm *value);

static bool note_load(Tiling *t, const Stm *s)
{
	PrimType type = vars[s->pat.at[0].id].type.elem;
	TileLoad l = {.s = s, .along_y = mask_of(t, sub_var(s->pat.at[0])) & ON_Y,
	              .steps_are_near = steps_are_near(t, s)};
	VEC_PUSH(&t->loads, l);
	return t->loads.len <= (t->size == SMALL_TILES ? MAX_LOADS : FEW_LOADS) &&
	       type != PT_F16 && type != PT_BOOL;
}

PrimType type_of_load(const TileLoad *l)
{
	return vars[l->s->pat.at[0].id].type.elem;
}

static bool is_sum_or_product(const Body *b, Sub x, Prim op, Sub *out)
{
	for EACH(Stm, s, b->stms)
		if (s->pat.len == 1 && sub_eq(sub_var(s->pat.at[0]), x) && s->exp->form == E_prim &&
		    s->exp->prim.op == op) {
			out[0] = s->exp->prim.x[0];
			out[1] = s->exp->prim.x[1];
			return true;
		}
	return false;
}

static bool are(const Sub *x, Sub a, Sub b)
{
	return (sub_eq(x[0], a) && sub_eq(x[1], b)) || (sub_eq(x[0], b) && sub_eq(x[1], a));
}

// loop (s) for k do s + a * b, with a and b loaded along different loops.
static bool is_product_of(const Tiling *t, PrimType type)
{
	const Exp *e = t->fold->exp;
	Sub sum[2], factors[2];
	if (e->loop.params.len != 1 || t->loads.len != 2 ||
	    t->loads.at[0].along_y == t->loads.at[1].along_y ||
	    type_of_load(&t->loads.at[0]) != type || type_of_load(&t->loads.at[1]) != type ||
	    !is_sum_or_product(&e->loop.body, e->loop.body.res.at[0], P_add, sum))
		return false;
	Sub s = sub_var(e->loop.params.at[0]), other = sub_eq(sum[0], s) ? sum[1] : sum[0];
	return are(sum, s, other) && is_sum_or_product(&e->loop.body, other, P_mul, factors) &&
	       are(factors, sub_var(t->loads.at[0].s->pat.at[0]),
	           sub_var(t->loads.at[1].s->pat.at[0]));
}

// The dimension along which neighbouring iterations load neighbours, all else being the same; or
// -1.  Where the array is may not depend on the step: whether rows begin at even places is decided
// before all steps.
static int pair_dim(const Tiling *t, const TileLoad *l)
{
	const Exp *e = l->s->exp;
	Var v = l->steps_are_near ? t->fold->exp->loop.i
	                          : t->k->nest.at[l->along_y ? t->y : t->x]->exp->loop.i;
	if (!l->is_copy || !is_near(e, v))
		return -1;
	for (int i = 0; i < e->index.idx.len; i++)
		if (i != near_dim(e) && mask_of(t, e->index.idx.at[i]) & mask_of(t, sub_var(v)))
			return -1;
	int moves = mask_of(t, sub_var(v)) | ON_STEP;
	return mask_of_place(t, sub_type(e->index.arr)) & moves ? -1 : near_dim(e);
}

// Places in shared memory; what is added to rows is for its banks.
static bool lay_out(Tiling *t, bool tf32)
{
	enum { MOST_OF_PRODUCT = 160 << 10 };
	t->tf32 = tf32 && t->size == LARGE_TILES && is_product_of(t, PT_F32);
	t->is_product = t->tf32 || is_product_of(t, PT_F64);
	choose_sides(t);
	choose_depth(t);
	for EACH(TileLoad, l, t->loads) {
		int size = primtype_size(type_of_load(l)), side = side_of(t, l->along_y);
		bool by_side = t->is_product && !t->tf32 && l->steps_are_near;
		l->near_dim = pair_dim(t, l);
		l->per_step = by_side ? 1 : side + (t->tf32 ? 8 : t->is_product ? 4 : 16 / size);
		l->per_side = by_side ? t->depth + 4 : 1;
		l->at = t->bytes;
		t->bytes +=
			((by_side ? side * l->per_side : t->depth * l->per_step) * size + 15) & ~15;
	}
	t->n_buffers = t->is_product ? 3 : 2 * t->bytes <= MAX_SHARED ? 2 : 1;
	return t->n_buffers * t->bytes <= (t->is_product ? MOST_OF_PRODUCT : MAX_SHARED);
}

// Is a load of the statement, maybe in a branch, at indices of the tile that depend on other loads?
static bool loads_by_loads(Tiling *t, const Stm *s)
{
	const Exp *e = s->exp;
	int mask = e->form == E_index ? mask_of_exp(t, e)
	         : e->form == E_if_ && has_load(e) ? mask_of(t, e->if_.cond) : 0;
	if (mask & (ON_Y | ON_X) && mask & (ON_PARAMS | ON_LOADS))
		return true;
	if (e->form != E_if_)
		return false;
	const Body *of[] = {&e->if_.yes, &e->if_.no};
	for (int k = 0; k < 2; k++)
		for EACH(const Stm, inner, of[k]->stms) {
			if (loads_by_loads(t, inner))
				return true;
			note_mask(t, inner);
		}
	return false;
}

static bool finds_loads(Tiling *t)
{
	const Kernel *k = t->k;
	bool along[2] = {false, false};
	for (int d = 0; d < k->nest.len; d++) {
		set_mask(t, k->nest.at[d]->exp->loop.i, d == t->y ? ON_Y : d == t->x ? ON_X : 0);
		for EACH(Stm, s, k->nest.at[d]->exp->loop.body.stms)
			if (may_repeat(s) && (d < k->nest.len - 1 || s < t->fold))
				note_mask(t, s);
	}
	const Exp *e = t->fold->exp;
	set_mask(t, e->loop.i, ON_STEP);
	for EACH(Var, p, e->loop.params)
		set_mask(t, *p, ON_PARAMS);
	for EACH(Stm, s, e->loop.body.stms) {
		if (loads_by_loads(t, s))
			return false;
		note_mask(t, s);
	}
	for EACH(Stm, s, e->loop.body.stms)
		if (may_share(t, s) && is_used_by_steps(t, s->pat.at[0]) && !note_load(t, s))
			return false;
	for EACH(const TileLoad, l, t->loads)
		along[l->along_y] = true;
	return along[0] && along[1];
}

static bool has_no_costly_values(const Tiling *t);

static Tiling *tiling_for(const Kernel *k, int y, int x, TileSize size, bool tf32)
{
	Tiling *t = NEW(Tiling, .k = k, .y = y, .x = x, .size = size);
	if (!has_shape(t))
		return NULL;
	for (Tiling *f = t; f; f = f->next)
		if (!finds_loads(f) || !has_no_costly_values(f) || !lay_out(f, tf32) ||
		    f->is_product != t->is_product)
			return NULL;
	return t;
}

// What one instruction loads.
static void choose_near(Tiling *t)
{
	int largest = 1;
	for EACH(const TileLoad, l, t->loads) {
		int size = primtype_size(type_of_load(l));
		largest = size > largest ? size : largest;
	}
	int most = t->each_x < t->each_y ? t->each_x : t->each_y;
	t->near = 16 / largest < most ? 16 / largest : most;
}

Tiling *tiling_of(const Kernel *k, TileSize size, bool tf32)
{
	for (int x = k->nest.len - 1; x > 0; x--)
		for (int y = x - 1; y >= 0; y--) {
			Tiling *t = tiling_for(k, y, x, size, tf32);
			if (!t)
				continue;
			for (Tiling *f = t; f; f = f->next)
				choose_near(f);
			return t->is_product || carried_fit(t) ? t : NULL;
		}
	return NULL;
}

// ---- Loads ----

// Does it grow by one from step to step, as a rule?
static bool counts_steps(const Tiling *t, Sub x)
{
	const Exp *e = def_in(&t->fold->exp->loop.body, x);
	if (sub_eq(x, sub_var(t->fold->exp->loop.i)))
		return true;
	if (!e || e->form != E_prim)
		return false;
	switch (e->prim.op) {
	case P_add: return counts_steps(t, e->prim.x[0]) || counts_steps(t, e->prim.x[1]);
	case P_sub: case P_rem: case P_mod: return counts_steps(t, e->prim.x[0]);
	default: return false;
	}
}

static bool loads_near_steps(const Tiling *t, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if ((s->exp->form == E_index &&
		     !counts_steps(t, s->exp->index.idx.at[near_dim(s->exp)])) ||
		    (s->exp->form == E_if_ && (!loads_near_steps(t, &s->exp->if_.yes) ||
		                               !loads_near_steps(t, &s->exp->if_.no))))
			return false;
	return true;
}

static bool steps_are_near(const Tiling *t, const Stm *value)
{
	const Body *b = &t->fold->exp->loop.body;
	Needed n = {0};
	need_exp(&n, value->exp);
	need_before(&n, b->stms.at, (int)(value - b->stms.at));
	for EACH(Stm, s, b->stms)
		if (has_load(s->exp) && (s == value || (s < value && is_needed_stm(&n, s))) &&
		    is_along_one(mask_of(t, sub_var(s->pat.at[0]))) &&
		    !loads_near_steps(t, &(Body){.stms = {s, 1}}))
			return false;
	return true;
}

// Values from before the fold are computed again in each step: loads that differ from thread to
// thread would be done as often.  So would those of the steps that are not shared.
static bool has_no_costly_values(const Tiling *t)
{
	Needed n = needed_by_steps(t);
	for (int d = 0; d < t->k->nest.len; d++)
		for EACH(Stm, s, t->k->nest.at[d]->exp->loop.body.stms) {
			int mask = s == t->fold || !is_needed_stm(&n, s)
			                 ? 0
			                 : mask_of(t, sub_var(s->pat.at[0]));
			if (mask & ON_LOADS && mask & (ON_Y | ON_X))
				return false;
		}
	for EACH(Stm, s, t->fold->exp->loop.body.stms)
		if (has_load(s->exp) && !is_tile_load(t, s) && is_needed_stm(&n, s) &&
		    mask_of(t, sub_var(s->pat.at[0])) & (ON_Y | ON_X))
			return false;
	return true;
}
