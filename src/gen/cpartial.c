// Reductions with several partial results.
//
// A loop that only reduces floats gets several partial results, since C compilers may not
// reassociate the operations themselves:
//
//     for (i = 0; i < n; i++)             for (i = 0; i + 4 <= n; i += 4) {
//         s = s + x[i];           ->          s0 = s0 + x[i];  ...  s3 = s3 + x[i + 3];
//                                         }
//                                         s = s + ((s0 + s2) + (s1 + s3));
//                                         for (; i < n; i++)
//                                             s = s + x[i];
//
// They are vectors where that is possible (cvector.c), else arrays.  Vectors may be those of a loop
// around (ckept.c).
#include "gen/cgen.h"

#include "mem/mem.h"

enum { MAX_STMS = 24, MAX_IN_VECTORS = 120 };

static bool is_associative(Prim op, PrimType t)
{
	if (t == PT_F32 || t == PT_F64)
		return op == P_add || op == P_mul || op == P_min || op == P_max;
	return is_int(t) && (op == P_add || op == P_mul || op == P_or || op == P_xor ||
	                     op == P_min || op == P_max);
}

bool is_partial_fold(const Exp *loop, int k)
{
	Prim op;
	PrimType t;
	return loop_reduction(loop, k, &op, &t) && is_associative(op, t);
}

// x for which op x y = y; with min and max of floats that is what is no number.
static CExp neutral(Prim op, PrimType t)
{
	if ((op == P_min || op == P_max) && is_int(t)) {
		int bits = 8 * primtype_size(t);
		uint64_t ones = ~(uint64_t)0 >> (64 - bits), top = (uint64_t)1 << (bits - 1);
		uint64_t least = is_signed(t) ? top : 0, most = is_signed(t) ? top - 1 : ones;
		return c_scalar(scalar_int(t, (int64_t)(op == P_min ? most : least)));
	}
	if (op == P_min || op == P_max)
		return x_const("NAN");
	double x = op == P_mul ? 1 : -0.0;
	return c_scalar(is_float(t) ? scalar_float(t, x) : scalar_int(t, (int64_t)x));
}

// Compilers would take vectors apart to store at places that are not adjacent.
static bool is_plain_body(const Stm *s)
{
	bool independent = is_independent(s) && stores_side_by_side(s->exp);
	for EACH(Stm, inner, s->exp->loop.body.stms)
		if (!is_pure_scalar(inner) &&
		    !(independent && inner->exp->form == E_update && !stm_is_in_place(inner) &&
		      type_is_scalar(sub_type(inner->exp->update.val))))
			return false;
	int n = s->exp->loop.body.stms.len;
	return n <= MAX_STMS || (n <= MAX_IN_VECTORS && lanes_of_reduction(s).n_vectors);
}

// Does it go through a block with less than n elements, all on the stack?  Compilers would warn of
// what would be read beyond them if the loop were as long as partial results need it to be.
static bool is_short(Gen *g, const Exp *e, int n)
{
	for EACH(Stm, s, e->loop.body.stms) {
		if (s->exp->form != E_index)
			continue;
		int64_t elements = state_of(g, sub_type(s->exp->index.arr).mem->block)->on_stack;
		for EACH(Sub, x, s->exp->index.idx)
			if (elements && elements < n && x->kind == S_VAR &&
			    x->var.id == e->loop.i.id)
				return true;
	}
	return false;
}

// How many partial results there are; 1: the loop is written as it is.  Compilers manage integers
// themselves.
int n_partial(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	int n = 1;
	if (g->counting || g->plain || e->loop.is_while || sub_type(e->loop.n).elem != PT_I64)
		return 1;
	if (!may_reach(e->loop.n, AT_partial_sums) || has_attr(s->attrs, ATTR_EDGE))
		return 1;
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Prim op;
		PrimType t;
		if (vars[p.id].type.kind == T_MEM)
			return 1;
		if (!var_is_scalar(p) || !is_needed(g, p))
			continue;
		if (!is_partial_fold(e, k))
			return 1;
		loop_reduction(e, k, &op, &t);
		if (is_float(t))
			n = t == PT_F32 || n == 16 ? 16 : 8;
	}
	return n > 1 && is_plain_body(s) && !is_short(g, e, 2 * n) ? n : 1;
}

static void for_lane(Gen *g, CExp n)
{
	s_for(g->c, (CFor){.type = "int", .i = "l", .from = x_int(0),
	                   .cond = x_less(x_name("l"), n)});
}

// for (int i = from; i > 0; i /= 2)
static void for_halves(Gen *g, const char *i, CExp from)
{
	s_for(g->c, (CFor){"int", i, from, x_binary(x_name(i), ">", x_int(0), PREC_COMPARE), "/=",
	                   x_int(2), 0});
}

// The partial results of parameter p in an array, with neutral elements.
static const char *declare_partial(Gen *g, const Exp *e, int p, int n)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	const char *part = fresh_name(g, "part");
	CExp at = x_index(x_name(part), x_name("l"));
	s_array(g->c, c_scalar_type(t), part, x_int(n), NULL);
	for_lane(g, x_int(n));
	s_assign(g->c, at, neutral(op, t));
	s_close_bare(g->c);
	show_as(g, e->loop.params.at[p], at);
	return part;
}

// A vector of neutral elements for parameter p.
static CExp neutral_vector(Gen *g, const Exp *e, int p)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	const char *kind = is_int(t) ? "isplat" : "splat";
	const char *splat = text("rd_%s_%s", kind, primtype_name[g->rows.vector]);
	rts_use(g->rts, splat);
	return x_call(splat, neutral(op, t));
}

// The same in vectors: those of rows from .. to - 1.
static void declare_vectors(Gen *g, const Exp *e, int p, int from, int to)
{
	for (g->rows.row = from; g->rows.row < to; g->rows.row++)
		declare(g, e->loop.params.at[p], neutral_vector(g, e, p));
	g->rows.row = 0;
}

// Combines the vectors of parameter p in the first of them.
static void combine_vectors(Gen *g, const Exp *e, int p)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	Var v = e->loop.params.at[p];
	Sub both[2] = {sub_var(v), sub_var(v)};
	for (int half = g->rows.n_rows / 2; half > 0; half /= 2)
		for (g->rows.row = 0; g->rows.row < half; g->rows.row++) {
			const CExp *rows = state_of(g, v)->rows;
			CExp x[2] = {rows[g->rows.row], rows[g->rows.row + half]};
			s_assign(g->c, x[0], vector_prim(g, op, t, both, x));
		}
	g->rows.row = 0;
}

// Combines the lanes of a vector, halves first, and the result with the parameter's own C variable.
static void combine_lanes(Gen *g, const Exp *e, int p, CExp lanes, CExp own)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	Sub both[2] = {sub_var(e->loop.params.at[p]), sub_var(e->loop.params.at[p])};
	const char *kind = is_int(t) ? "iapart" : "apart";
	const char *apart = text("rd_%s_%s", kind, primtype_name[g->rows.vector]);
	rts_use(g->rts, apart);
	CExp x[2] = {lanes, x_call(apart, lanes, x_name("far"))};
	for_halves(g, "far", x_binary(x_cast("int", lanes_of_vectors(g, 1), PREC_ATOM), "/",
	                              x_int(2), PREC_MUL));
	s_assign(g->c, lanes, vector_prim(g, op, t, both, x));
	s_close_bare(g->c);
	CExp y[3] = {own, x_index(lanes, x_int(0))};
	s_assign(g->c, own, c_prim(g->rts, op, t, y));
}

// Halves are combined with halves, and what is left with the parameter's own C variable.
static void combine(Gen *g, const Exp *e, int p, const char *part, int n)
{
	Prim op;
	PrimType t;
	loop_reduction(e, p, &op, &t);
	CExp l = x_name("l"), half = x_name("half"), parts = x_name(part);
	CExp x[3] = {x_index(parts, l), x_index(parts, x_plus(l, half))};
	for_halves(g, "half", x_int(n / 2));
	for_lane(g, half);
	s_assign(g->c, x[0], c_prim(g->rts, op, t, x));
	s_close_bare(g->c);
	s_close_bare(g->c);
	x[0] = shown(g, e->loop.params.at[p]);
	x[1] = x_index(parts, x_int(0));
	s_assign(g->c, x[0], c_prim(g->rts, op, t, x));
}

static bool is_partial(Gen *g, Var v)
{
	return var_is_scalar(v) && is_needed(g, v);
}

// What the parameters are called outside; they stand for partial results for a while.
static CExp *own_names(Gen *g, Vars params)
{
	CExp *own = NEW_ARRAY(CExp, params.len);
	for (int p = 0; p < params.len; p++)
		own[p] = state_of(g, params.at[p])->shown;
	return own;
}

// n iterations at a time, each with a partial result of its own, in an array.
static void partial_arrays(Gen *g, const Exp *e, const char *i, CExp bound, int n)
{
	Vars params = e->loop.params;
	CExp *own = own_names(g, params);
	const char **parts = NEW_ARRAY(const char *, params.len);
	for (int p = 0; p < params.len; p++)
		parts[p] = is_partial(g, params.at[p]) ? declare_partial(g, e, p, n) : NULL;
	CExp unit = x_int(n);
	for_whole(g, i, unit, begin_parts(g, e, i, bound, unit));
	lanes_of(g, e, i, n);
	ask_around_loops(g, e);
	s_close(g->c);
	end_parts(g, e, i, bound, unit);
	for (int p = 0; p < params.len; p++) {
		show_as(g, params.at[p], own[p]);
		if (parts[p])
			combine(g, e, p, parts[p], n);
	}
}

static void if_enough(Gen *g, CExp bound, CExp least, bool always_in_part)
{
	CExp enough = x_binary(bound, ">=", least, PREC_COMPARE);
	s_if(g->c, always_in_part ? x_binary(has_masks(g), "||", enough, PREC_OR) : enough);
}

static bool has_partial(Gen *g, Vars params)
{
	for EACH(Var, p, params)
		if (is_partial(g, *p))
			return true;
	return false;
}

// The partial results before an iteration.
static const char **note_partial(Gen *g, Vars params)
{
	const char **before = NEW_ARRAY(const char *, params.len);
	for (int p = 0; p < params.len; p++) {
		before[p] = NULL;
		if (!is_partial(g, params.at[p]))
			continue;
		before[p] = fresh_name(g, "before");
		s_declare(g->c, vector_type(g, vars[params.at[p].id].type.elem), before[p],
		          shown(g, params.at[p]));
	}
	return before;
}

// Lanes that are not in the mask keep those.
static void keep_partial(Gen *g, Vars params, const char **before, CExp lanes)
{
	const char *t = primtype_name[g->rows.vector], *mask = fresh_name(g, "first_time");
	s_declare(g->c, text("rd_%sm", t), mask, lanes);
	for (int p = 0; p < params.len; p++) {
		if (!before[p])
			continue;
		bool ints = is_int(vars[params.at[p].id].type.elem);
		const char *select = text(ints ? "rd_iselect_%s" : "rd_select_%s", t);
		rts_use(g->rts, select);
		CExp x = shown(g, params.at[p]);
		s_assign(g->c, x, x_call(select, x_name(mask), x, x_name(before[p])));
	}
}

// One vector at a time.  The last one ends with the loop: its lanes before `next` were done before,
// and keep the partial results that they have.
static void covering_loop(Gen *g, const Exp *e, const char *i, CExp bound)
{
	const char *next = fresh_name(g, "next"), *t = primtype_name[g->rows.vector];
	g->rows.n_vectors = g->rows.n_rows = 1;
	for_covering(g, i, lanes_of_vectors(g, 1), bound, next);
	const char **before = note_partial(g, e->loop.params);
	vectors_of(g, e, i);
	const char *at_most = text("rd_ile_%s", t), *splat = text("rd_isplat_%s", t),
	           *count = text("rd_icount_%s", t);
	rts_use(g->rts, at_most);
	rts_use(g->rts, splat);
	rts_use(g->rts, count);
	CExp done = x_binary(x_name(next), "-", x_name(i), PREC_ADD);
	keep_partial(g, e->loop.params, before,
	             x_call(at_most, x_call(splat, done), x_call(count, x_int(0))));
	ask_around_loops(g, e);
	s_close(g->c);
}

// What is left, as some lanes of a vector (cpart.c).
static void part_of_vector(Gen *g, const Exp *e, const char *i, CExp bound)
{
	g->rows.n_vectors = g->rows.n_rows = 1;
	begin_part(g, i, bound);
	const char **before = note_partial(g, e->loop.params);
	vectors_of(g, e, i);
	keep_partial(g, e->loop.params, before, lanes_that_count(g));
	end_part(g, e, i, bound);
}

// Vectors with partial results, from the values before the loop.
static CExp *begin_partial(Gen *g, const Exp *e, Lanes lanes)
{
	Vars params = e->loop.params;
	CExp *own = own_names(g, params);
	begin_vectors(g, lanes, 1);
	for (int p = 0; p < params.len; p++) {
		CExp kept = is_partial(g, params.at[p]) ? kept_sum(g, e, p) : NULL;
		if (kept)
			show_as(g, params.at[p], kept);
		else if (is_partial(g, params.at[p]))
			declare_vectors(g, e, p, 0, 1);
	}
	return own;
}

static void end_partial(Gen *g, const Exp *e, const CExp *own)
{
	Vars params = e->loop.params;
	for (int p = 0; p < params.len; p++)
		if (is_partial(g, params.at[p]) && !kept_sum(g, e, p))
			combine_lanes(g, e, p, shown(g, params.at[p]), own[p]);
	end_vectors(g);
	for (int p = 0; p < params.len; p++)
		show_as(g, params.at[p], own[p]);
}

void declare_partial_vectors(Gen *g, const Exp *e, Lanes lanes, const char **names)
{
	g->rows.vector = lanes.type;
	for (int p = 0; p < e->loop.params.len; p++)
		if (is_partial(g, e->loop.params.at[p]))
			s_declare(g->c, vector_type(g, vars[e->loop.params.at[p].id].type.elem),
			          names[p], neutral_vector(g, e, p));
}

void combine_partial_vectors(Gen *g, const Exp *e, Lanes lanes, const char **names, const CExp *own)
{
	begin_vectors(g, lanes, 1);
	for (int p = 0; p < e->loop.params.len; p++)
		if (is_partial(g, e->loop.params.at[p]))
			combine_lanes(g, e, p, x_name(names[p]), own[p]);
	end_vectors(g);
}

// A vector at a time, of which lanes count that are left.
void parts_of_vectors(Gen *g, const Exp *e, const char *i, CExp bound, const Lanes *lanes)
{
	Lanes one = *lanes;
	one.n_vectors = 1;
	CExp *own = begin_partial(g, e, one);
	s_for(g->c, (CFor){.i = i, .cond = x_less(x_name(i), bound), .op = "+=",
	                   .by = lanes_of_vectors(g, 1)});
	g->rows.left = fresh_name(g, "left");
	s_declare(g->c, "int64_t", g->rows.left, x_binary(bound, "-", x_name(i), PREC_ADD));
	const char **before = note_partial(g, e->loop.params);
	vectors_of(g, e, i);
	keep_partial(g, e->loop.params, before, lanes_that_count(g));
	g->rows.left = NULL;
	ask_around_loops(g, e);
	s_close(g->c);
	end_partial(g, e, own);
}

// So many vectors at a time.
static void vector_loop(Gen *g, const Exp *e, const char *i, CExp bound, int n_vectors)
{
	CExp n = lanes_of_vectors(g, n_vectors);
	g->rows.n_vectors = g->rows.n_rows = n_vectors;
	if (n_vectors == 1 && !has_partial(g, e->loop.params) && may_run_twice(e))
		for_covering(g, i, n, bound, NULL);
	else
		for_whole(g, i, n, n_vectors > 1 ? begin_parts(g, e, i, bound, n) : bound);
	vectors_of(g, e, i);
	ask_around_loops(g, e);
	s_close(g->c);
	if (n_vectors > 1)
		end_parts(g, e, i, bound, n);
}

// In vectors: several at a time if there is enough for that, then one.
void partial_vectors(Gen *g, const Exp *e, const char *i, CExp bound, const Lanes *lanes)
{
	Vars params = e->loop.params;
	enum { LANES = 16 };            // of the widest vector
	bool enough = e->loop.n.kind == S_CONST && e->loop.n.val.i >= LANES * lanes->n_vectors;
	CExp *own = begin_partial(g, e, *lanes);
	if (!enough)
		if_enough(g, bound, lanes_of_vectors(g, lanes->n_vectors), false);
	for (int p = 0; p < params.len; p++)
		if (is_partial(g, params.at[p]))
			declare_vectors(g, e, p, 1, lanes->n_vectors);
	vector_loop(g, e, i, bound, lanes->n_vectors);
	for (int p = 0; p < params.len; p++)
		if (is_partial(g, params.at[p]))
			combine_vectors(g, e, p);
	if (!enough)
		s_close(g->c);
	int n_left = has_partial(g, params) ? 1 : fewer_vectors(e, lanes->type, lanes->n_vectors);
	for (; n_left; n_left = fewer_vectors(e, lanes->type, n_left))
		if (lanes->covers && n_left == 1)
			covering_loop(g, e, i, bound);
		else
			vector_loop(g, e, i, bound, n_left);
	if (lanes->in_part)
		part_of_vector(g, e, i, bound);
	end_partial(g, e, own);
}

// Several iterations at a time, then the rest.  A short loop is all rest: partial results would
// take longer to make and to combine than they save.  That holds also where vectors have 64 bytes
// and the rest up to 15 iterations: compilers make shorter vectors of it by themselves, which add
// in order.  16 bytes at a time here took 1.6 times as long for f64 in rows of 3, 1.14 for f32 in
// rows of 8, and was faster (0.8) only for f32 in rows of 12 and 31.
void gen_partial(Gen *g, const Stm *s, CExp bound, int n)
{
	const Exp *e = s->exp;
	const char *i = bind_name(g, e->loop.i);
	Lanes lanes = lanes_of_reduction(s);
	bool constant = e->loop.n.kind == S_CONST;
	g->rows.vector = lanes.type;
	// Else after a vector, since lanes are combined anyway, if a loop around makes it count.
	bool always = ends_in_part(&lanes, e), alone = g->profile.n_loops <= 1;
	lanes.in_part = always || (!alone && may_end_in_part(&lanes, e));
	s_declare(g->c, "int64_t", i, x_int(0));
	CExp least = lanes.n_vectors ? lanes_of_vectors(g, 1) : x_int(2 * n);
	if (!constant)
		if_enough(g, bound, least, always);
	if (lanes.n_vectors)
		partial_vectors(g, e, i, bound, &lanes);
	else
		partial_arrays(g, e, i, bound, n);
	if (!constant)
		s_close(g->c);
	show_as(g, e->loop.i, x_name(i));
	s_for(g->c, (CFor){.i = i, .cond = rest_is_left(g, i, bound, always)});
	if (lanes.n_vectors)
		note_rest(g, e);
	loop_body(g, e);
	s_close(g->c);
}
