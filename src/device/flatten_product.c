// Recognises nests that contain matrix products.
//
//     map over n rows x:  map over m rows y:  reduce over (x, y)
//
// Here x is invariant in the second level, and y in the first.  With one thread per pair of rows,
// tiling lets the threads of a block share their loads, which is impossible if one thread executes
// the whole inner level.  Such nests are therefore distributed, however many rows the outer levels
// have.
#include "device/flatten.h"

typedef struct { uint64_t bits; } Mask;
typedef struct { Flatten *f; Map masks; int levels; } Products;

static uint64_t mask_of(Products *, Sub);

static uint64_t mask_of_free(Products *p, const Stm *s)
{
	Stm t = *s;
	Body b = {.stms = {&t, 1}};
	Vars free = free_in_body(&b);
	uint64_t bits = 0;
	for EACH(Var, v, free)
		bits |= mask_of(p, sub_var(*v));
	return bits;
}

// The levels that a value depends on: bit d - 1 for depth d.
static uint64_t mask_of(Products *p, Sub x)
{
	if (x.kind != S_VAR)
		return 0;
	const Mask *m = map_get(&p->masks, var_key(x.var));
	const Known *k = map_get(&p->f->known, var_key(x.var));
	if (m)
		return m->bits;
	if (!k || k->kind == K_ACC || k->kind == K_DONE)
		return 0;
	uint64_t own = k->level ? (uint64_t)1 << (k->level->depth - 1) : 0;
	if (k->kind == K_COUNTER)
		return own;
	if (k->kind == K_ROW)
		return own | mask_of(p, k->arr);
	return k->kind == K_SPREAD ? 2 * own - 1 : mask_of_free(p, k->stm);
}

static void set_mask(Products *p, Var v, uint64_t bits)
{
	map_put(&p->masks, var_key(v), NEW(Mask, bits));
}

static bool is_product(Products *p, Subs arrs)
{
	for EACH(Sub, a, arrs)
		for EACH(Sub, b, arrs) {
			uint64_t x = mask_of(p, *a), y = mask_of(p, *b);
			if ((x & ~y) && (y & ~x))
				return true;
		}
	return false;
}

// Also of what the terms read by row numbers: x[i, k] and y[j, k].
static bool is_product_of_reads(Products *p, const Exp *fold)
{
	const Lambda *term = fold->screma.map;
	SubVec factors = {0};
	VEC_APPEND(&factors, fold->screma.arrs);
	for (int i = 0; i < fold->screma.arrs.len; i++)
		set_mask(p, term->params.at[i], mask_of(p, fold->screma.arrs.at[i]));
	for EACH(Stm, s, term->body.stms) {
		uint64_t bits = mask_of_free(p, s);
		for EACH(Var, v, s->pat)
			set_mask(p, *v, bits);
		if (s->exp->form == E_index)
			VEC_PUSH(&factors, sub_var(s->pat.at[0]));
	}
	return is_product(p, VEC_SLICE(Subs, factors));
}

static bool look(Products *p, const Body *b, int inside)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		uint64_t bits = mask_of_free(p, s);
		for EACH(Var, v, s->pat)
			set_mask(p, *v, bits);
		if (e->form == E_withacc && goes_apart(p->f, s) &&
		    look(p, &e->withacc.fn->body, inside))
			return true;
		if (e->form != E_screma || !goes_apart(p->f, s) || p->levels == 63)
			continue;
		bool leaf = e->screma.reds.len && !has_parallelism(p->f, &e->screma.map->body);
		if (leaf && inside && is_product_of_reads(p, e))
			return true;
		if (leaf)
			continue;
		uint64_t own = (uint64_t)1 << p->levels++;
		for (int i = 0; i < e->screma.arrs.len; i++)
			set_mask(p, e->screma.map->params.at[i],
			         own | mask_of(p, e->screma.arrs.at[i]));
		bool found = look(p, &e->screma.map->body, inside + 1);
		p->levels--;
		if (found)
			return true;
	}
	return false;
}

bool has_products(Flatten *f, const Level *nest, const Body *b)
{
	Products p = {.f = f, .levels = nest->depth};
	return look(&p, b, 0);
}

bool is_product_fold(Flatten *f, const Level *nest, const Exp *e)
{
	Products p = {.f = f, .levels = nest->depth};
	return is_product(&p, e->screma.arrs);
}
