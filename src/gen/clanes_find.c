// Which loops run in lanes (clanes.c), and in how many.
#include "gen/cgen.h"

#include "loop/loop.h"
#include "mem/mem.h"

enum { MAX_STMS = 60,                   // of lanes that are no vectors
       STRIP = 2048,
       WIDEST = 64, MOST_LANES = WIDEST / 4 }; // bytes and floats of the widest vector there is

// ---- Which loops ----

typedef struct {
	Gen *g;
	Var j;                          // the loop's index
	Map rates;                      // of variables bound inside: one of the above
	int n_stms, n_params, n_folds, n_loops, n_loads, n_shared, n_functions;
	int n_same;                     // of the statements: what is the same in all lanes
	bool wide;                      // there are values of 64 bits
	bool shares;                    // something is loaded that does not change with the index
	bool chooses;                   // among branches that are more than expressions
	bool skips;                     // ... of which it takes every second, third, ..
	SubVec *few;                    // how often loops with strided loads run; NULL: none may
	Sub n;                          // how often the one at hand does
} Search;

static bool is_bound_inside(const Search *s, Sub x)
{
	return has_rate(&s->rates, x);
}

int rate_of_place(const Map *rates, Type t, const Subs *idx)
{
	int r = rate(rates, t.mem->offset);
	const Subs *strides = &t.mem->strides;
	for (int d = 0; d < t.dims.len; d++) {
		int of_index = rate(rates, idx->at[d]);
		bool unit = strides->len ? sub_eq(strides->at[d], sub_i64(1)) : d == t.dims.len - 1;
		r = sum_of_steps(r, of_index == STAYS || unit ? of_index : OTHERWISE);
	}
	return r;
}

int strided_dim(const Map *rates, Type t, const Subs *idx)
{
	int dim = -1;
	for (int d = 0; d < t.dims.len; d++) {
		int of_index = rate(rates, idx->at[d]);
		if (of_index > BY_ONE || (of_index == BY_ONE && dim >= 0))
			return -1;
		dim = of_index == BY_ONE ? d : dim;
	}
	return rate(rates, t.mem->offset) == STAYS ? dim : -1;
}

bool needs_no_code(const Stm *s)
{
	switch (s->exp->form) {
	case E_slice: case E_reshape: case E_rearrange: case E_scratch:
		return true;
	case E_atom:
		return vars[s->pat.at[0].id].type.mem;
	case E_update:
		return stm_is_in_place(s);
	default: // scalars, stores, control
		return false;
	}
}

bool is_same_assert(Map *rates, const Stm *s)
{
	const Exp *e = s->exp;
	set_rate(rates, s->pat.at[0], STAYS);
	for EACH(const MsgPart, p, e->assert_.msg)
		if (p->is_val && rate(rates, p->val) == OTHERWISE)
			return false;
	return rate(rates, e->assert_.cond) == STAYS;
}

static bool suits(Search *s, const Stm *stm, bool inner);

// The number of iterations is the same for all, and only scalars are carried along; those that a
// branch gives their next values (cnext.c) have none in lanes.
static bool suits_loop(Search *s, const Exp *e)
{
	if (e->loop.is_while || is_bound_inside(s, e->loop.n) || choice_of_next(e))
		return false;
	for EACH(Var, p, e->loop.params) {
		PrimType t = vars[p->id].type.elem;
		if (!type_is_scalar(vars[p->id].type))
			return false;
		s->n_params += is_needed(s->g, *p);
		s->wide |= primtype_size(t) == 8;
		set_rate(&s->rates, *p, OTHERWISE);
	}
	set_rate(&s->rates, e->loop.i, STAYS);
	s->n = e->loop.n;
	for EACH(Stm, stm, e->loop.body.stms)
		if (!suits(s, stm, true))
			return false;
	s->n_loops++;
	return true;
}

static bool suits_load(Search *s, const Exp *e)
{
	int r = rate_of_place(&s->rates, sub_type(e->index.arr), &e->index.idx);
	s->n_loads++;
	s->shares |= r == STAYS;
	s->n_shared += r == STAYS;
	s->skips |= r > OTHERWISE;
	if (r != OTHERWISE || !s->few)
		return r != OTHERWISE;
	VEC_PUSH(s->few, s->n);
	return strided_dim(&s->rates, sub_type(e->index.arr), &e->index.idx) >= 0;
}

// Functions that take longer in each lane by itself.
static bool is_function(const Exp *e)
{
	return e->form == E_prim && prim_is_function(e->prim.op) && prim_in_vectors(e->prim.op);
}

// All lanes take the same branch, or both of an `if` in turn, which load nothing then.
static bool suits_choice(Search *s, const Stm *stm)
{
	const Exp *e = stm->exp;
	Sub x = e->form == E_if_ ? e->if_.cond : e->match.x;
	bool same = rate(&s->rates, x) == STAYS;
	if ((!same && e->form != E_if_) || !vars_are_scalars(stm->pat))
		return false;
	s->chooses = true;
	for (int k = 0; k < n_branches(e); k++)
		for EACH(Stm, b, branch_at(e, k)->stms)
			if (b->exp->form == E_loop || (b->exp->form == E_index && !same) ||
			    !suits(s, b, true))
				return false;
	for EACH(Var, v, stm->pat)
		set_rate(&s->rates, *v, OTHERWISE);
	return true;
}

static bool suits(Search *s, const Stm *stm, bool inner)
{
	const Exp *e = stm->exp;
	if (needs_no_code(stm))
		return true;
	s->n_stms++;
	s->n_functions += is_function(e);
	if (e->form == E_loop) {
		for EACH(Var, v, stm->pat)
			set_rate(&s->rates, *v, OTHERWISE);
		return suits_loop(s, e);
	}
	if (n_branches(e) && !is_pure_scalar(stm))
		return suits_choice(s, stm);
	if (!is_pure_scalar(stm) || (inner && e->form == E_index && !suits_load(s, e)))
		return false;
	int r = steps_of_exp(&s->rates, e);
	set_rate(&s->rates, stm->pat.at[0], r);
	s->n_stms -= e->form == E_prim && r != STAYS && r != OTHERWISE; // part of an address
	s->n_same += r == STAYS;
	return true;
}

// Is this array what an update in place puts at index j?  Then making it stores there.
static bool is_row_of_result(const Body *b, Var array, Var j)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_update && stm_is_in_place(s) &&
		    sub_eq(e->update.val, sub_var(array)))
			return is_row_at(e->update.at, sub_var(j));
	}
	return false;
}

static bool suits_outer(Search *s, const Body *b, const Stm *stm)
{
	const Exp *e = stm->exp;
	if (e->form == E_array)
		return is_row_of_result(b, stm->pat.at[0], s->j);
	if (e->form == E_assert_)
		return is_same_assert(&s->rates, stm);
	if (e->form != E_update || stm_is_in_place(stm))
		return suits(s, stm, false);
	const DimSlice *first = &e->update.at.at[0];
	return first->fixed && rate(&s->rates, first->start) == BY_ONE &&
	       type_is_scalar(sub_type(e->update.val));
}

static bool is_marked_parallel(const Stm *stm)
{
	const Exp *e = stm->exp;
	return e->form == E_loop && !e->loop.is_while && sub_type(e->loop.n).elem == PT_I64 &&
	       has_attr(stm->attrs, ATTR_PARALLEL);
}

bool is_parallel(const Stm *stm)
{
	if (!is_marked_parallel(stm))
		return false;
	for EACH(Var, p, stm->exp->loop.params)
		if (!vars[p->id].type.mem)
			return false;
	return true;
}

// What iterations pass on besides arrays are sums and the like, of which lanes have parts
// (cpartial.c): what tells of rows that are stored whether they are finite, for one.
static bool suits_folds(Search *s, const Exp *e)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Type t = vars[p.id].type;
		if (t.mem || (type_is_scalar(t) && !is_needed(s->g, p)))
			continue;
		if (!is_partial_fold(e, k))
			return false;
		set_rate(&s->rates, p, OTHERWISE);
		s->n_folds++;
	}
	return true;
}

// What adds to an array, as return sweeps do, is no parallel loop; but it may turn out that each
// iteration touches places of its own (cindependent.c), and calls functions there.
static bool calls_at_own_places(const Stm *stm)
{
	const Exp *e = stm->exp;
	if (e->loop.is_while || sub_type(e->loop.n).elem != PT_I64)
		return false;
	for EACH(Stm, s, e->loop.body.stms)
		if (is_function(s->exp))
			return is_independent(stm);
	return false;
}

static Lanes find_lanes(Gen *g, const Stm *stm, bool alone, SubVec *short_rows)
{
	const Exp *e = stm->exp;
	Search s = {.g = g, .j = e->loop.i, .few = short_rows};
	if (g->counting || g->plain || g->rows.lane || has_attr(stm->attrs, ATTR_EDGE) ||
	    !suits_folds(&s, e) ||
	    !(is_marked_parallel(stm) || (!s.n_folds && calls_at_own_places(stm))))
		return (Lanes){0};
	set_rate(&s.rates, s.j, BY_ONE);
	for EACH(Stm, inner, e->loop.body.stms)
		if (!suits_outer(&s, &e->loop.body, inner))
			return (Lanes){0};
	int n_stms = s.n_stms - s.n_same;
	if (s.n_loops + s.n_functions == 0 || n_stms > MOST_LANE_STMS ||
	    s.n_params + s.n_folds > MOST_LANE_PARAMS ||
	    (short_rows && s.n_folds + s.n_functions == 0))
		return (Lanes){0};
	// A sum alone is as fast as memory: long runs of consecutive elements help that.
	// So it is if each row is scaled before, unless other loops around read the same rows
	// again.
	int n_scales = alone ? s.n_shared : 0;
	bool sum = !s.skips && !s.chooses && !s.n_folds && s.n_loops == 1 &&
	           s.n_loads - n_scales == 1 && s.n_stms <= 3 + 2 * n_scales;
	Lanes out = {.n = sum ? STRIP : s.n_params > 1 ? 8 : 16, .n_params = s.n_params,
	             .n_folds = s.n_folds, .n_loops = s.n_loops, .in_cache = sum,
	             .few = short_rows};
	out.n *= s.wide ? 1 : 2;
	bool known = e->loop.n.kind == S_CONST, short_ = known && e->loop.n.val.i < out.n;
	if (!sum && !(known && e->loop.n.val.i < MOST_LANES) &&
	    fits_vectors(stm, &s.rates, &out)) {
		// As many as it takes to fill the time that operations wait for each other.
		int n_carried = s.n_params + s.n_folds;
		bool few = n_carried == 1 && s.n_stms <= 8,
		     some = n_carried <= 3 && s.n_stms <= 24;
		out.n_vectors = few ? 8 : some && !short_ ? 4 : 2;
		out.rates = mem_dup(&s.rates, sizeof s.rates);
	}
	bool only_vectors = short_ || !s.n_loops || s.skips || s.n_folds || s.chooses ||
	                    n_stms > MAX_STMS;
	return only_vectors && !sum && !out.n_vectors ? (Lanes){0} : out;
}

Lanes lanes_for(Gen *g, const Stm *stm, bool alone)
{
	return find_lanes(g, stm, alone, NULL);
}

Lanes lanes_if_few(Gen *g, const Stm *stm)
{
	SubVec *few = NEW(SubVec, 0);
	Lanes out = find_lanes(g, stm, false, few);
	for EACH(Sub, n, *few)
		if (n->kind == S_CONST)
			return (Lanes){0};
	return out.n_vectors && few->len ? out : (Lanes){0};
}

static void rates_of_scalars(const Exp *e, Map *rates)
{
	set_rate(rates, e->loop.i, BY_ONE);
	for EACH(Var, p, e->loop.params)
		set_rate(rates, *p, OTHERWISE);
	for EACH(Stm, s, e->loop.body.stms)
		if (is_pure_scalar(s))
			set_rate(rates, s->pat.at[0], rate_of_exp(rates, s->exp));
}

bool stores_side_by_side(const Exp *e)
{
	Map rates = {0};
	rates_of_scalars(e, &rates);
	for EACH(Stm, s, e->loop.body.stms) {
		if (s->exp->form != E_update)
			continue;
		Subs at = slice_starts(s->exp->update.at);
		if (rate_of_place(&rates, sub_type(s->exp->update.arr), &at) != BY_ONE)
			return false;
	}
	return true;
}

Lanes lanes_of_reduction(const Stm *stm)
{
	const Exp *e = stm->exp;
	Lanes out = {0};
	Map rates = {0};
	rates_of_scalars(e, &rates);
	if (fits_vectors(stm, &rates, &out)) {
		out.n_vectors = 4;
		out.rates = mem_dup(&rates, sizeof rates);
	}
	return out;
}

// How many vectors to go on with after so many, none after one: one; or half as many, where the
// iterations may be too few for these, as the C compiler will know when it knows how wide they are.
int fewer_vectors(const Exp *loop, PrimType type, int n_vectors)
{
	Sub n = loop->loop.n;
	bool too_few = n.kind == S_CONST && n.val.i < n_vectors * (WIDEST / primtype_size(type));
	return too_few || n_vectors == 1 ? n_vectors / 2 : 1;
}
