// The pass `split_loops`: distributes sums whose terms are adjacent in memory for consecutive
// iterations of the enclosing loop into a loop of their own.
//
//     loop (r = 0.0) for i < n do {               let (ts) = loop (t: *[n]f64 = out) for i < n do {
//       let (s) = loop (a = 0.0) for k < m do {     let (s) = loop (a = 0.0) for k < m do {
//         .. a + x[k] * b[k, i]               ->      .. a + x[k] * b[k, i]
//       }                                           }
//       .. s .. r ..                                in update t [i] s
//     }                                           }
//                                                 loop (r = 0.0) for i < n do {
//                                                   let (s) = index ts [i]
//                                                   .. s .. r ..
//                                                 }
//
// Such a loop is vectorised across iterations (src/gen/clanes.c) and reads b consecutively.
// Together with code that cannot be vectorised so (a reduction, a branch that stores, a sum whose
// terms are adjacent along the other dimension), it would read b with a large stride, one element
// at a time.  Fusion creates such loops; the usual case is a matrix product followed by an
// operation on its rows.
//
// The order of memory use does not increase: one number is stored for each column of an array.
//
// Requires: the pass `seq`, after loop fusion.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/split.h"

enum { MAX_STMS = 30, MAX_PARAMS = 4, MAX_BEFORE = 12 };

typedef struct { Build b; } Split;

bool is_simple_scalar(const Stm *s)
{
	switch (s->exp->form) {
	case E_prim: case E_convert: case E_index: case E_atom:
		return s->pat.len == 1 && type_is_scalar(vars[s->pat.at[0].id].type);
	default: // control, arrays, effects
		return false;
	}
}

bool is_counted(const Exp *e)
{
	return e->form == E_loop && !e->loop.is_while && sub_type(e->loop.n).elem == PT_I64 &&
	       may_reach(e->loop.n, AT_split_iterations);
}

Around around_of(const Exp *loop)
{
	Around a = {.loop = loop};
	map_put(&a.inside, var_key(loop->loop.i), (void *)loop);
	set_rate(&a.rates, loop->loop.i, BY_ONE);
	for EACH(Var, p, loop->loop.params) {
		map_put(&a.inside, var_key(*p), (void *)loop);
		set_rate(&a.rates, *p, OTHERWISE);
	}
	for EACH(Stm, s, loop->loop.body.stms)
		for EACH(Var, v, s->pat) {
			map_put(&a.inside, var_key(*v), s);
			set_rate(&a.rates, *v,
			         is_simple_scalar(s) ? rate_of_exp(&a.rates, s->exp) : OTHERWISE);
		}
	return a;
}

// ---- Which sums ----

int rate_of_index(const Map *rates, Subs idx)
{
	int r = STAYS;
	for (int d = 0; d < idx.len; d++) {
		int of_index = rate(rates, idx.at[d]);
		r = sum_of_rates(r, of_index == STAYS || d == idx.len - 1 ? of_index : OTHERWISE);
	}
	return r;
}

// Does it load side by side for consecutive iterations around, and only so or the same for all?
// Where it does so for its own too, it is as well done in vectors of these.
static bool reads_columns(Around *a, const Exp *sum)
{
	Map by_own = {0};
	bool columns = false;
	set_rate(&by_own, sum->loop.i, BY_ONE);
	for EACH(Var, p, sum->loop.params) {
		set_rate(&a->rates, *p, OTHERWISE);
		set_rate(&by_own, *p, OTHERWISE);
	}
	for EACH(Stm, s, sum->loop.body.stms) {
		if (s->exp->form == E_index) {
			int outer = rate_of_index(&a->rates, s->exp->index.idx);
			columns |= outer == BY_ONE &&
			           rate_of_index(&by_own, s->exp->index.idx) == OTHERWISE;
			if (outer == OTHERWISE)
				return false;
		}
		set_rate(&a->rates, s->pat.at[0], rate_of_exp(&a->rates, s->exp));
		set_rate(&by_own, s->pat.at[0], rate_of_exp(&by_own, s->exp));
	}
	return columns;
}

bool gather_needed(const Around *a, const Stm *s, Map *needed)
{
	Vars used = free_in_body(&(Body){.stms = {(Stm *)s, 1}, .res = subs_of_vars(s->pat)});
	for EACH(Var, v, used) {
		const Stm *def = map_get(&a->inside, var_key(*v));
		if (!def || v->id == a->loop->loop.i.id || map_has(needed, def))
			continue;
		if ((const void *)def == (const void *)a->loop || !is_simple_scalar(def) ||
		    needed->len >= MAX_BEFORE)
			return false;
		map_put(needed, def, (void *)def);
		if (!gather_needed(a, def, needed))
			return false;
	}
	return true;
}

static bool is_sum(const Stm *s)
{
	const Exp *e = s->exp;
	if (!is_counted(e) || e->loop.body.stms.len > MAX_STMS || e->loop.params.len > MAX_PARAMS ||
	    is_device_loop(s->attrs))
		return false;
	if (!vars_are_scalars(e->loop.params))
		return false;
	return body_all(&e->loop.body, is_simple_scalar);
}

static bool is_column_sum(Around *a, const Stm *s)
{
	Map needed = {0};
	return is_sum(s) && !has_rate(&a->rates, s->exp->loop.n) && reads_columns(a, s->exp) &&
	       gather_needed(a, s, &needed);
}

// Can the loop be done in vectors as it is?  Then nothing is to be gained.
static bool suits_vectors(Around *a, const Stm *stm)
{
	if (!has_attr(stm->attrs, ATTR_PARALLEL))
		return false;
	for EACH(Var, p, a->loop->loop.params)
		if (type_is_scalar(vars[p->id].type))
			return false;
	for EACH(Stm, s, a->loop->loop.body.stms)
		switch (s->exp->form) {
		case E_update: case E_slice: case E_reshape: case E_rearrange: case E_scratch:
			break;
		case E_if_:
			if (!vars_are_scalars(s->pat))
				return false;
			break;
		default:
			if (!is_simple_scalar(s) && !is_column_sum(a, s))
				return false;
		}
	return true;
}

// ---- Splitting ----

static bool is_size(const Exp *loop, Sub n)
{
	for EACH(Var, p, loop->loop.params) {
		Type t = vars[p->id].type;
		if (t.dims.len && sub_eq(t.dims.at[0], n))
			return true;
	}
	return n.kind == S_CONST;
}

// The loop that computes a sum for all iterations; its results.
static Subs emit_sums(Split *p, const Around *a, const Stm *sum)
{
	Map needed = {0};
	gather_needed(a, sum, &needed);
	VEC(Stm) stms = {0};
	for EACH(Stm, s, a->loop->loop.body.stms)
		if (map_has(&needed, s))
			VEC_PUSH(&stms, *s);
	VEC_PUSH(&stms, *sum);
	Sub i = sub_var(a->loop->loop.i), n = a->loop->loop.n;
	Sub size = is_size(a->loop, n) ? n : b_prim2(&p->b, P_max, n, sub_i64(0));
	Exp *e = EXP(loop, .i = a->loop->loop.i, .n = n);
	Vars pat = {NEW_ARRAY(Var, sum->pat.len), sum->pat.len};
	e->loop.params = (Vars){NEW_ARRAY(Var, sum->pat.len), sum->pat.len};
	e->loop.inits = (Subs){NEW_ARRAY(Sub, sum->pat.len), sum->pat.len};
	e->loop.body.res = (Subs){NEW_ARRAY(Sub, sum->pat.len), sum->pat.len};
	for (int k = 0; k < sum->pat.len; k++) {
		PrimType elem = vars[sum->pat.at[k].id].type.elem;
		Type t = type_array(elem, subs_of(1, size));
		pat.at[k] = var_new(name_of("sums"), t);
		Var next = var_new(name_of("upd"), t);
		e->loop.inits.at[k] = b_let(&p->b, "out", t, EXP(scratch, elem, subs_of(1, size)));
		t.unique = true;
		e->loop.params.at[k] = var_new(name_of("sums"), t);
		Slices at = slices_at(subs_of(1, i), (Subs){0});
		VEC_PUSH(&stms, (Stm){.pat = vars_of(1, next), .where = sum->where,
		                      .exp = EXP(update, sub_var(e->loop.params.at[k]), at,
		                                 sub_var(sum->pat.at[k]))});
		e->loop.body.res.at[k] = sub_var(next);
	}
	e->loop.body.stms = VEC_SLICE(Stms, stms);
	Stm loop = {.pat = pat, .exp = e, .where = sum->where,
	            .attrs = attr_of(ATTR_PARALLEL)};
	Stm copy = loop_copy(&loop);
	b_emit(&p->b, copy);
	return subs_of_vars(copy.pat);
}

static bool split(void *ctx, const Stm *stm)
{
	Split *p = ctx;
	Around a = around_of(stm->exp);
	bool any = false;
	for EACH(Stm, s, stm->exp->loop.body.stms)
		any |= s->exp->form == E_loop && is_column_sum(&a, s);
	if (!any || suits_vectors(&a, stm) || !may_rewrite())
		return false;
	VEC(Stm) stms = {0};
	for EACH(Stm, s, stm->exp->loop.body.stms) {
		if (s->exp->form != E_loop || !is_column_sum(&a, s)) {
			VEC_PUSH(&stms, *s);
			continue;
		}
		Subs sums = emit_sums(p, &a, s);
		for (int k = 0; k < s->pat.len; k++)
			VEC_PUSH(&stms,
			         (Stm){.pat = vars_of(1, s->pat.at[k]),
			               .where = s->where,
			               .exp = NEW(
					       Exp, .form = E_index,
					       .index = {sums.at[k],
			                                 subs_of(1, sub_var(stm->exp->loop.i))})});
	}
	Stm out = *stm;
	out.exp = exp_dup(stm->exp);
	out.exp->loop.body.stms = VEC_SLICE(Stms, stms);
	b_emit(&p->b, out);
	return true;
}

// A loop around sums?
static bool fits(const Stm *s)
{
	if (!is_counted(s->exp) || is_device_loop(s->attrs) || has_attr(s->attrs, ATTR_REGION))
		return false;
	for EACH(Stm, t, s->exp->loop.body.stms)
		if (is_sum(t))
			return true;
	return false;
}

Prog *split_loops(Prog *prog)
{
	Split p = {0};
	return prog_rewrite_stms(prog, fits, &p.b, split, &p);
}
