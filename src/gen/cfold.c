// Vectorises loops that fold the results of inner loops, running several iterations at once.
//
// The iterations of the outer loop become vector lanes, as in clanes.c, but they add to scalars and
// array elements, and have private arrays for intermediate values:
//
//     for i < n                        for (; i + 16 <= n; i += 16) {
//       s, p = 0, 1                        rd_f64v s = 0, p = 1;     a few of each
//       for k < m                          for (k = 0; k < m; k++) {
//         log[k] = p                           rd_store_f64(&lanes[k * 16], p);
//         s = s + p * x[k]         ->          s = s + p * x[k];
//         p = p * t                            p = p * t;
//       d = f s                            }
//       for k < m                          d = f(s);
//         a[k] = a[k] + d * log[k]         for (k = 0; k < m; k++)
//       r = r + d                            a[k] += rd_vsum_f64(d * rd_load_f64(&lanes[k * 16]));
//                                          r = r + d;
//                                      }
//
// This pays where an inner loop is a recurrence: its operations depend on each other, and only
// other iterations provide independent work; what else is computed in that loop, such as functions
// of its elements, is in vectors only so.  Loops inside that are no recurrences are vectorised by
// themselves (cpartial.c, loop/split_loops.c); if they dominate, in particular with calls, or if
// there are non-contiguous loads in lanes, the loop is left as it is.  The order of the additions
// is free (ATTR_REDUCE).
//
// The private arrays of all lanes should fit in the cache; if they do not, or if there are fewer
// iterations than a vector has lanes, the scalar loop is used.
#include "gen/cgen.h"

#include "mem/mem.h"

enum {
	MAX_STMS = 160,
	MAX_PARAMS = 8,
	LEAST_KNOWN = 16,               // the lanes of the widest vector
	MAX_ON_STACK = 64,
	MOST_ELEMENTS = 1 << 16
};

// ---- Which loops ----

// What an array is to an iteration: only read, its own, or carried by the outer loop as its
// parameter k.
enum { ONLY_READ, OWN, CARRIED };

// How a carried array changes: each iteration adds to the same elements, or has elements of its
// own.  Those have the index of the iteration in one dimension.
typedef enum { UNTOUCHED, ADDED_TO, STORED_TO } Change;

typedef struct {
	Gen *g;
	const Exp *loop;
	Map rates;                      // see rates.c
	Map roles;                      // of arrays: one of the above, from CARRIED on plus k
	Map read;                       // blocks of arrays that are only read
	Change *changes;                // of the parameters
	int *own_dim;                   // of those that are stored to
	LaneArrays *arrays;
	VEC(Var) blocks;                // of arrays that are an iteration's own
	Map chained;                    // what depends on the last iteration of a loop inside
	int n_stms, n_params;
	int n_alive, most_alive;        // parameters of the loops around, and the most there are
	bool loads_changing;            // in a choice
	int n_unmatched;                // loads of carried arrays that belong to no sum so far
	int depth;                      // loops inside that are around
	bool recurs;                    // the innermost of them is a recurrence
	// the time that recurrences take, and what takes long in other loops inside
	int chain, others;
} Fold;

static uintptr_t role_of(const Fold *f, Sub x)
{
	return x.kind == S_VAR ? (uintptr_t)map_get(&f->roles, var_key(x.var)) : ONLY_READ;
}

static void set_role(Fold *f, Var v, uintptr_t role)
{
	map_put(&f->roles, var_key(v), (void *)role);
}

static bool is_array(Var v)
{
	return vars[v.id].type.mem;
}

// ---- What takes how long ----

static int time_of(const Exp *e)
{
	enum { FUNCTION = 20, DIVISION = 8 };
	if (e->form != E_prim)
		return 1;
	Prim op = e->prim.op;
	return op == P_div || op == P_sqrt ? DIVISION : prim_is_function(op) ? FUNCTION : 1;
}

static void note_time(Fold *f, const Stm *s)
{
	if (!f->depth)
		return;
	int t = time_of(s->exp);
	if (exp_mentions(s->exp, &f->chained)) {
		map_put(&f->chained, var_key(s->pat.at[0]), f);
		f->chain += t;
	} else if (!f->recurs) {
		f->others += t > 1 ? t : 0;
	}
}

// ---- Arrays ----

static bool loads_element(const Exp *e, Sub arr, const Subs *idx)
{
	return e && e->form == E_index && sub_eq(e->index.arr, arr) && subs_eq(e->index.idx, *idx);
}

// Is it the last statement of `x = a[idx]; y = x + v; a[idx] = y`?  Then v is what is added.
static bool notes_sum(Fold *f, const Body *b, const Exp *e, const Subs *idx)
{
	for EACH(Stm, s, b->stms) {
		const Exp *add = s->exp;
		if (add->form != E_prim || add->prim.op != P_add ||
		    !has_attr(s->attrs, ATTR_REDUCE) ||
		    !sub_eq(e->update.val, sub_var(s->pat.at[0])) || !is_used_once(b, s->pat.at[0]))
			continue;
		for (int k = 0; k < 2; k++) {
			const Exp *now = def_in(b, add->prim.x[k]);
			if (!loads_element(now, e->update.arr, idx) ||
			    !is_used_once(b, add->prim.x[k].var))
				continue;
			map_put(&f->arrays->sums, add, (void *)add);
			map_put(&f->arrays->sums, now, (void *)add);
			map_put(&f->arrays->sums, e, (void *)&add->prim.x[1 - k]);
			f->n_unmatched--;
			return true;
		}
	}
	return false;
}

// Is it an element of a carried array that no other iteration has?
static bool is_own_element(Fold *f, uintptr_t role, Type t, const Subs *idx)
{
	int dim = -1;
	for (int d = 0; d < idx->len; d++)
		dim = sub_eq(idx->at[d], sub_var(f->loop->loop.i)) ? d : dim;
	Change *change = &f->changes[role - CARRIED];
	int *own = &f->own_dim[role - CARRIED];
	if (dim < 0 || strided_dim(&f->rates, t, idx) != dim || *change == ADDED_TO ||
	    (*change == STORED_TO && *own != dim))
		return false;
	*change = STORED_TO;
	*own = dim;
	return true;
}

static bool suits_update(Fold *f, const Body *b, const Stm *s)
{
	const Exp *e = s->exp;
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	if (has_attr(s->attrs, ATTR_SHARED) || stm_is_in_place(s) ||
	    !type_is_scalar(sub_type(e->update.val)))
		return false;
	for EACH(DimSlice, d, e->update.at)
		idx.at[idx.len++] = d->start;
	int place = rate_of_place(&f->rates, sub_type(e->update.arr), &idx);
	uintptr_t role = role_of(f, e->update.arr);
	set_role(f, s->pat.at[0], role);
	if (role == OWN)
		return place == STAYS;
	if (role == ONLY_READ)
		return false;
	if (place != STAYS)
		return is_own_element(f, role, sub_type(e->update.arr), &idx);
	Change *change = &f->changes[role - CARRIED], before = *change;
	*change = ADDED_TO;
	return before != STORED_TO && notes_sum(f, b, e, &idx);
}

static bool suits_load(Fold *f, const Stm *s)
{
	const Exp *e = s->exp;
	Type t = sub_type(e->index.arr);
	uintptr_t role = role_of(f, e->index.arr);
	int place = rate_of_place(&f->rates, t, &e->index.idx);
	set_rate(&f->rates, s->pat.at[0], role == ONLY_READ && place == STAYS ? STAYS : OTHERWISE);
	if (role == ONLY_READ)
		map_put(&f->read, var_key(t.mem->block), f);
	if (role >= CARRIED && place != STAYS)
		return is_own_element(f, role, t, &e->index.idx);
	f->n_unmatched += role >= CARRIED;
	if (role != ONLY_READ)
		return place == STAYS;
	enum { STRIDED = 4 };
	f->others += place > BY_ONE && place != rate_by(2) && f->depth ? STRIDED : 0;
	return place != OTHERWISE || strided_dim(&f->rates, t, &e->index.idx) >= 0;
}

static bool suits_body(Fold *f, const Body *b);

static bool keeps_roles(const Fold *f, const Exp *loop)
{
	for (int k = 0; k < loop->loop.params.len; k++)
		if (role_of(f, loop->loop.body.res.at[k]) !=
		    role_of(f, sub_var(loop->loop.params.at[k])))
			return false;
	return true;
}

static bool suits_loop(Fold *f, const Stm *s)
{
	const Exp *e = s->exp;
	bool recurs = false, around = f->recurs;
	int alive = f->n_alive;
	if (e->loop.is_while || has_attr(s->attrs, ATTR_ATOMIC) || is_parallel_region(s) ||
	    rate(&f->rates, e->loop.n) != STAYS)
		return false;
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Prim op;
		PrimType t;
		if (is_array(p)) {
			uintptr_t role = role_of(f, e->loop.inits.at[k]);
			if (role == ONLY_READ)
				return false;
			set_role(f, p, role);
			set_role(f, s->pat.at[k], role);
		} else if (type_is_scalar(vars[p.id].type)) {
			bool needed = is_needed(f->g, p);
			// once, see cagain.c
			f->n_params += needed && !has_rate(&f->rates, sub_var(p));
			f->n_alive += needed;
			if (needed && !loop_reduction(e, k, &op, &t)) {
				map_put(&f->chained, var_key(p), f);
				recurs = true;
			}
			set_rate(&f->rates, p, OTHERWISE);
			set_rate(&f->rates, s->pat.at[k], OTHERWISE);
		} else {
			return false;
		}
	}
	set_rate(&f->rates, e->loop.i, STAYS);
	f->depth++;
	f->recurs = recurs;
	f->most_alive = f->n_alive > f->most_alive ? f->n_alive : f->most_alive;
	bool good = suits_body(f, &e->loop.body) && keeps_roles(f, e);
	f->depth--;
	f->recurs = around;
	f->n_alive = alive;
	return good;
}

// A choice between scalars may load one of them, but not from an array that iterations change.
static void note_array(Visit *v, Sub *x)
{
	Fold *f = v->ctx;
	if (x->kind != S_VAR || !is_array(x->var))
		return;
	f->loads_changing |= role_of(f, *x) != ONLY_READ;
	map_put(&f->read, var_key(vars[x->var.id].type.mem->block), f);
}

static bool suits_scalar(Fold *f, const Stm *s)
{
	Visit v = {.sub = note_array, .ctx = f};
	exp_walk(s->exp, &v);
	set_rate(&f->rates, s->pat.at[0], steps_of_exp(&f->rates, s->exp));
	note_time(f, s);
	return !f->loads_changing;
}

// Several scalars, each of a branch: all branches are computed, unless no lane takes one.  They
// only compute, and load nothing.
static bool suits_choice(Fold *f, const Stm *s)
{
	if (!vars_are_scalars(s->pat))
		return false;
	for (int k = 0; k < n_branches(s->exp); k++)
		for EACH(Stm, b, branch_at(s->exp, k)->stms) {
			f->n_stms++;
			if (b->exp->form == E_if_ && !is_pure_scalar(b)
				? !suits_choice(f, b)
				: b->exp->form == E_index || !is_pure_scalar(b) ||
				  !suits_scalar(f, b))
				return false;
		}
	if (exp_mentions(s->exp, &f->chained))
		vars_put(&f->chained, s->pat, f);
	for EACH(Var, v, s->pat)
		set_rate(&f->rates, *v, OTHERWISE);
	return true;
}

static bool suits_view(Fold *f, Var v, Sub of)
{
	uintptr_t role = role_of(f, of);
	set_role(f, v, role);
	return role < CARRIED;
}

static bool suits_stm(Fold *f, const Body *b, const Stm *s)
{
	const Exp *e = s->exp;
	Var v = s->pat.len ? s->pat.at[0] : (Var){0};
	f->n_stms += !needs_no_code(s);
	switch (e->form) {
	case E_scratch:
		set_role(f, v, OWN);
		VEC_PUSH(&f->blocks, vars[v.id].type.mem->block);
		return true;
	case E_atom:
		if (is_array(v)) {
			set_role(f, v, role_of(f, e->atom.x));
			return true;
		}
		return is_pure_scalar(s) && suits_scalar(f, s);
	case E_slice:     return suits_view(f, v, e->slice.arr);
	case E_reshape:   return suits_view(f, v, e->reshape.arr);
	case E_rearrange: return suits_view(f, v, e->rearrange.arr);
	case E_update:    return suits_update(f, b, s);
	case E_loop:      return suits_loop(f, s) && !choice_of_next(e);
	case E_index:     return suits_load(f, s);
	case E_if_:       return is_pure_scalar(s) ? suits_scalar(f, s) : suits_choice(f, s);
	case E_assert_:   return is_same_assert(&f->rates, s);
	default: // scalars, or nothing for this
		return is_pure_scalar(s) && suits_scalar(f, s);
	}
}

static bool suits_body(Fold *f, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (!suits_stm(f, b, s))
			return false;
	return true;
}

// The parameters of the outer loop: folds, and arrays.
static bool suits_params(Fold *f)
{
	const Exp *e = f->loop;
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (is_array(p))
			set_role(f, p, CARRIED + (uintptr_t)k);
		else if (!type_is_scalar(vars[p.id].type) ||
		         (is_needed(f->g, p) && !is_partial_fold(e, k)))
			return false;
		else
			set_rate(&f->rates, p, OTHERWISE);
	}
	return true;
}

// Blocks that are written to are those of no array that is read, and an iteration's own are of a
// known size.
static bool suits_memory(Fold *f)
{
	for EACH(Var, b, f->blocks) {
		const VarState *st = state_of(f->g, *b);
		if (map_has(&f->read, var_key(*b)) || (!st->on_stack && !elements_in(f->g, *b)))
			return false;
		map_put(&f->arrays->own, var_key(*b), f);
	}
	for EACH(Var, p, f->loop->loop.params) {
		const MemLoc *m = vars[p->id].type.mem;
		if (m && (map_has(&f->read, var_key(m->block)) ||
		          map_has(&f->arrays->own, var_key(m->block))))
			return false;
	}
	return true;
}

static bool may_be_in_lanes(const Gen *g, const Exp *e)
{
	return !g->counting && !g->plain && !g->rows.lane && g->target == ON_CPU &&
	       !e->loop.is_while && sub_type(e->loop.n).elem == PT_I64 &&
	       !(e->loop.n.kind == S_CONST && e->loop.n.val.i < LEAST_KNOWN);
}

static Lanes lanes_for_fold(Gen *g, const Stm *s, Fold *f, LaneArrays *arrays)
{
	const Exp *e = s->exp;
	Lanes out = {0};
	*f = (Fold){.g = g, .loop = e, .arrays = arrays,
	            .changes = NEW_ARRAY(Change, e->loop.params.len),
	            .own_dim = NEW_ARRAY(int, e->loop.params.len)};
	set_rate(&f->rates, e->loop.i, BY_ONE);
	if (!suits_params(f) || !suits_body(f, &e->loop.body) || !f->chain ||
	    f->chain < f->others || f->n_unmatched || f->n_stms > MAX_STMS ||
	    f->most_alive > MAX_PARAMS || !keeps_roles(f, e) || !suits_memory(f))
		return out;
	out.arrays = f->arrays;
	if (fits_vectors(s, &f->rates, &out)) {
		bool few = f->n_params <= 3 && f->n_stms <= 24,
		     some = f->n_params <= 4 && f->n_stms <= 60;
		out.n_vectors = few ? 8 : some ? 4 : 2;
		out.rates = &f->rates;
	}
	return out;
}

// ---- Text ----

// What is on the stack once may be too much for all lanes.
static bool is_on_stack(Gen *g, Var block)
{
	int64_t n = state_of(g, block)->on_stack;
	return n && n <= MAX_ON_STACK;
}

static CExp elements_of_block(Gen *g, Var block)
{
	int64_t n = state_of(g, block)->on_stack;
	return n ? x_int(n) : elements_in(g, block);
}

// Elements that an iteration has in blocks of its own, all in all.
static CExp elements_of(const Fold *f)
{
	CExp sum = NULL;
	for EACH(Var, b, f->blocks) {
		if (is_on_stack(f->g, *b))
			continue;
		CExp n = elements_of_block(f->g, *b);
		sum = sum ? x_binary_most(sum, "+", n, PREC_ADD, PREC_ADD) : n;
	}
	return sum;
}

// The lanes' arrays; gives where the blocks are that have to be released.
static int allocate(Fold *f, const Lanes *lanes)
{
	Gen *g = f->g;
	int first = g->fun.lane_blocks.len;
	const char *type = c_scalar_type(lanes->type);
	CExp n = lanes_of_vectors(g, lanes->n_vectors);
	for EACH(Var, b, f->blocks) {
		const VarState *st = state_of(g, *b);
		if (map_get(&f->arrays->own, var_key(*b)) != f) // seen before
			continue;
		const char *name = fresh_name(g, "lanes");
		map_put(&f->arrays->own, var_key(*b), (void *)name);
		if (is_on_stack(g, *b)) {
			s_array(g->c, type, name, x_times(x_int(st->on_stack), n), NULL);
			continue;
		}
		const char *block = fresh_name(g, "lanes_mem");
		VEC_PUSH(&g->fun.lane_blocks, block);
		s_assign(g->c, x_name("err"),
		         x_call("rd_alloc", ctx(g), x_address(x_name(block)),
		                x_times(x_paren(elements_of_block(g, *b)), n),
		                x_call("sizeof", x_const(type))));
		check_alloc(g, NULL);
		point_to_data(g, type, name, block);
	}
	return first;
}

bool gen_fold_in_lanes(Gen *g, const Stm *s, CExp bound)
{
	const Exp *e = s->exp;
	Fold f;
	if (!may_be_in_lanes(g, e) || has_attr(s->attrs, ATTR_EDGE))
		return false;
	LaneArrays *arrays = NEW(LaneArrays, 0);
	const Stm *again = compute_again(g, s, arrays);
	Lanes lanes = lanes_for_fold(g, again ? again : s, &f, arrays);
	if (!lanes.n_vectors && again)
		lanes = lanes_for_fold(g, s, &f, NEW(LaneArrays, 0));
	if (!lanes.n_vectors)
		return false;
	const char *i = bind_name(g, e->loop.i);
	CExp elements = elements_of(&f);
	g->rows.vector = lanes.type;
	s_declare(g->c, "int64_t", i, x_int(0));
	lanes.in_part = ends_in_part(&lanes, f.loop);
	CExp enough = x_binary(bound, ">=", lanes_of_vectors(g, 1), PREC_COMPARE);
	if (lanes.in_part)
		enough = x_binary(has_masks(g), "||", enough, PREC_OR);
	if (elements) {
		CExp all = x_times(x_paren(elements), lanes_of_vectors(g, lanes.n_vectors));
		CExp fit = x_binary(all, "<=", x_int(MOST_ELEMENTS), PREC_COMPARE);
		enough = x_binary(enough, "&&", fit, PREC_AND);
	}
	s_if(g->c, enough);
	int first = allocate(&f, &lanes);
	lanes.covers = may_run_twice(f.loop);
	partial_vectors(g, f.loop, i, bound, &lanes);
	for (int k = first; k < g->fun.lane_blocks.len; k++)
		s_do(g->c,
		     x_call("rd_release", ctx(g), x_address(x_name(g->fun.lane_blocks.at[k]))));
	s_close(g->c);
	show_as(g, e->loop.i, x_name(i));
	bool always = lanes.in_part && !elements;
	s_for(g->c, (CFor){.i = i, .cond = rest_is_left(g, i, bound, always)});
	loop_body(g, e);
	ask_around_loops(g, e);
	s_close(g->c);
	return true;
}

// ---- Statements ----

const char *own_in_lanes(const Gen *g, Var block)
{
	return g->rows.lane_arrays ? map_get(&g->rows.lane_arrays->own, var_key(block)) : NULL;
}

// The loads and additions of a sum are not written; what the rows add to the same place is added
// first, in two parts that do not wait for each other.
bool gen_lane_sum(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	if (!g->rows.lane_arrays || !map_has(&g->rows.lane_arrays->sums, e))
		return false;
	if (e->form != E_update)
		return true;
	const Sub *x = map_get(&g->rows.lane_arrays->sums, e);
	CExp *index = NEW_ARRAY(CExp, e->update.at.len);
	for (int d = 0; d < e->update.at.len; d++)
		index[d] = operand(g, e->update.at.at[d].start);
	CExp place = element(g, sub_type(e->update.arr), index);
	CExp value = as_vector(g, *x, operand(g, *x));
	if (g->rows.left)
		value = added_by_lanes(g, value);
	LaneSum *sum = NULL;
	for EACH(LaneSum, other, g->rows.lane_sums)
		if (x_same(other->place, place))
			sum = other;
	if (!sum) {
		VEC_PUSH(&g->rows.lane_sums, (LaneSum){.place = place});
		sum = &g->rows.lane_sums.at[g->rows.lane_sums.len - 1];
	}
	const char **part = &sum->value[g->rows.row % 2];
	if (*part) {
		s_assign(g->c, x_name(*part), x_plus(x_name(*part), value));
		return true;
	}
	*part = fresh_name(g, "kept");
	s_declare(g->c, vector_type(g, g->rows.vector), *part, value);
	return true;
}

void lane_sums(Gen *g)
{
	for EACH(LaneSum, s, g->rows.lane_sums) {
		const char *add = text("rd_vsum_%s", primtype_name[g->rows.vector]);
		rts_use(g->rts, add);
		const char *x = s->value[0], *y = s->value[1];
		CExp all = x && y ? x_plus(x_name(x), x_name(y)) : x_name(x ? x : y);
		s_assign(g->c, s->place, x_plus(s->place, x_call(add, all)));
	}
	g->rows.lane_sums.len = 0;
}
