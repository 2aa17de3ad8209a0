// Loops whose iterations are independent: compilers may do several of them at once.
//
//     loop (ys) for i < n do {                         RD_INDEPENDENT
//       x = xs[i]                                ->    for (int64_t i = 0; i < n; i++)
//       in ys with [i] = x + 1                             ys[i] = xs[i] + 1;
//     }
//
// Each iteration stores at places of its own, by indices that move with the counter, and what it
// loads from the arrays stored to is at those places too.
#include "gen/cgen.h"

#include "mem/mem.h"

// What the body of a loop binds, with the expression, or NULL.
static void note_bound(Map *inside, const Stm *s)
{
	vars_put(inside, s->pat, s->pat.len == 1 ? s->exp : NULL);
}

// Is the index a multiple of the counter and something else, which is put in `rest`?
static bool moves_with(const Exp *loop, const Affine *index, Affine *rest)
{
	Affine rate;
	return affine_split(index, loop->loop.i, &rate, rest) && !rate.n && rate.c;
}

// Where is stored, the same in all stores; else n_stores is 0.
typedef struct { const Exp *loop; Map inside; Affine at; int n_stores; bool good; } Independence;

static void note_stores(Visit *v, Body *b);

// The counter, or that of a loop that was peeled (loop/peel.c); the same for all stores.
static bool is_own(Independence *in, Sub x)
{
	Affine at = affine_of(defs_in_map(&in->inside), x), rest;
	if (!moves_with(in->loop, &at, &rest))
		return false;
	if (!in->n_stores++)
		in->at = at;
	return affine_same(&in->at, &at);
}

// Does an iteration store only at outer index i of arrays?  Temporary blocks that iterations share
// are stored to in other ways.
static void note_stores_of(Visit *v, const Stm *s)
{
	Independence *in = v->ctx;
	const Exp *e = s->exp;
	switch (e->form) {
	case E_update:
		in->good &= stm_is_in_place(s) ||
		            (e->update.at.at[0].fixed && is_own(in, e->update.at.at[0].start));
		break;
	case E_copy: case E_iota: case E_replicate: case E_array: case E_call: case E_loop:
	case E_alloc: case E_release: case E_trace: case E_assert_:
		in->good = false;
		break;
	default: // no store
		break;
	}
}

static void note_stores(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		note_bound(&((Independence *)v->ctx)->inside, s);
		note_stores_of(v, s);
		exp_visit(s->exp, v);
	}
}

// Arrays that are carried along, by their parameters: the dimensions in which all accesses have the
// loop's index, or all the same sum of a multiple of that and what does not change.
enum { MAX_DIMS = 8 };
typedef struct {
	const Exp *loop;
	Map inside, roots;
	uint64_t *dims, *seen;
	Affine (*at)[MAX_DIMS];
	bool good;
} Accesses;

static uintptr_t root_of(const Accesses *a, Sub x)
{
	void *key = (void *)(uintptr_t)(x.var.id + 1);
	return x.kind == S_VAR ? (uintptr_t)map_get(&a->roots, key) : 0;
}

static void set_root(Accesses *a, Var v, uintptr_t root)
{
	map_put(&a->roots, (void *)(uintptr_t)(v.id + 1), (void *)root);
}

static void note_access(Accesses *a, uintptr_t root, int dim, Sub index)
{
	uint64_t bit = (uint64_t)1 << dim;
	if (dim >= MAX_DIMS || !(a->dims[root - 1] & bit))
		return;
	Affine *at = &a->at[root - 1][dim], x = affine_of(defs_in_map(&a->inside), index), rest;
	if (!(a->seen[root - 1] & bit))
		*at = x;
	a->seen[root - 1] |= bit;
	if (!affine_same(at, &x) || !moves_with(a->loop, &x, &rest) ||
	    affine_any_in(&rest, &a->inside))
		a->dims[root - 1] &= ~bit;
}

// Several scalars that are there already: with work in the branches, vectors would do both.
static bool is_choice(const Stm *s)
{
	const Exp *e = s->exp;
	return vars_are_scalars(s->pat) && !e->if_.yes.stms.len && !e->if_.no.stms.len;
}

static void note_accesses(Accesses *a, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		uintptr_t root = 0;
		note_bound(&a->inside, s);
		if (e->form == E_index && (root = root_of(a, e->index.arr))) {
			for (int d = 0; d < e->index.idx.len; d++)
				note_access(a, root, d, e->index.idx.at[d]);
		} else if (e->form == E_if_ && (is_pure_scalar(s) || is_choice(s))) {
			note_accesses(a, &e->if_.yes);
			note_accesses(a, &e->if_.no);
		} else if (e->form == E_update && (root = root_of(a, e->update.arr)) &&
		           type_is_scalar(sub_type(e->update.val))) {
			for (int d = 0; d < e->update.at.len; d++)
				note_access(a, root, d, e->update.at.at[d].start);
			set_root(a, s->pat.at[0], root);
		} else if (e->form == E_atom && (root = root_of(a, e->atom.x))) {
			set_root(a, s->pat.at[0], root);
		} else if (!is_pure_scalar(s)) {
			a->good = false;
		}
	}
}

// Does each iteration read and change what is carried along only where its index tells?  By
// their values, other arrays are not in the same memory.
static bool touches_own_places(const Exp *e)
{
	int n = e->loop.params.len;
	Accesses a = {.loop = e, .dims = NEW_ARRAY(uint64_t, n), .seen = NEW_ARRAY(uint64_t, n),
	              .at = mem_alloc((size_t)n * sizeof *a.at), .good = true};
	for (int k = 0; k < n; k++) {
		Type t = vars[e->loop.params.at[k].id].type;
		a.dims[k] = t.dims.len > MAX_DIMS ? 0 : ((uint64_t)1 << t.dims.len) - 1;
		a.good &= t.kind == T_DATA;
		map_put(&a.inside, var_key(e->loop.params.at[k]), NULL);
		if (t.dims.len)
			set_root(&a, e->loop.params.at[k], (uintptr_t)k + 1);
	}
	note_accesses(&a, &e->loop.body);
	for (int k = 0; k < n && a.good; k++)
		if (vars[e->loop.params.at[k].id].type.dims.len) {
			uintptr_t root = root_of(&a, e->loop.body.res.at[k]);
			a.good &= a.dims[k] && root == (uintptr_t)k + 1;
		}
	return a.good;
}

// An innermost loop whose iterations store only at their own places, where no other reads.
bool is_independent(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->loop.is_while)
		return false;
	if (!has_attr(s->attrs, ATTR_PARALLEL))
		return touches_own_places(e);
	Independence in = {.loop = e, .good = true};
	Visit v = {.body = note_stores, .ctx = &in};
	note_stores(&v, (Body *)&e->loop.body);
	return in.good;
}
