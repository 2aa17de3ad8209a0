// Emits lanes as vectors.
//
// clanes.c runs several iterations of a loop at once, one per lane.  If everything that varies
// between lanes is floats of one type, integers of the same width and masks, and memory accesses
// are contiguous, the lanes become vectors, using the vector extensions of C compilers.  This file
// decides that and emits the expressions:
//
//     let (x: f64) = index b [k, j]              rd_f64v x = rd_load_f64(&b[k * m + j]);
//     let (y: f64) = mul.f64 x a         ->      rd_f64v y = x * a;
//     let (z: [m]f64) = update c [j] y           rd_store_f64(&c[j], y);
//
// Loops over small arrays, which compilers may or may not keep in registers, are then not needed.
// Values that are uniform across lanes stay scalars; so do indices that increase by one, for which
// the index of the first lane is emitted.
#include "gen/cgen.h"

#include "loop/loop.h"
#include "mem/mem.h"

// ---- Which loops ----

typedef struct {
	Map *rates;
	const LaneArrays *arrays;
	PrimType type;
	bool found, i64, good;
	bool adds_i32;                          // or keeps them: they are as wide as the floats
	bool few;                               // iterations of loops inside
	bool partly;                            // in a branch that only some lanes take
	int depth, n_loops;                     // loops inside that are around; all of them
	int n_gathered;                         // loads of single elements
	int n_functions;                        // that differ from lane to lane
} Fit;

// A variable that differs from lane to lane is a float of the type, an integer, or a mask.
static void fit_type(Fit *f, PrimType t)
{
	f->i64 |= t == PT_I64;
	if (t == PT_BOOL || t == PT_I32 || t == PT_I64 || is_narrow_tag(t))
		return;
	if (!f->found && (t == PT_F32 || t == PT_F64)) {
		f->type = t;
		f->found = true;
	}
	f->good &= f->found && t == f->type;
}

static void fit_var(Fit *f, Var v)
{
	if (rate(f->rates, sub_var(v)) == OTHERWISE)
		fit_type(f, vars[v.id].type.elem);
}

// What changes by several is that of the first lane, like what changes by one, but is there for
// places alone: no vector is made of it.
static bool is_place(const Fit *f, Sub x)
{
	return rate(f->rates, x) > OTHERWISE;
}

static void fit_values(Fit *f, Subs xs)
{
	for EACH(Sub, x, xs)
		f->good &= !is_place(f, *x);
}

static void fit_prim(Fit *f, const Exp *e, Var v)
{
	if (rate(f->rates, sub_var(v)) != OTHERWISE)
		return;
	fit_values(f, (Subs){(Sub *)e->prim.x, prim_arity(e->prim.op)});
	f->good &= has_vector_prim(e->prim.op, e->prim.at);
	f->n_functions += prim_is_function(e->prim.op);
	bool compares = e->prim.op == P_eq || e->prim.op == P_lt || e->prim.op == P_le;
	f->adds_i32 |= e->prim.at == PT_I32 && !compares;
	if (e->prim.at != PT_BOOL)
		fit_type(f, e->prim.at);
}

bool is_used_once(const Body *b, Var x)
{
	return n_uses_in(b, x) == 1;
}

static bool is_expression(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form != E_prim || !is_used_once(b, s->pat.at[0]))
			return false;
	return b->res.len == 1;
}

// Both branches are computed and one is selected: they only compute, and fit an expression.
static void fit_branch(Fit *f, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		Var v = s->pat.at[0];
		set_rate(f->rates, v, rate_of_exp(f->rates, s->exp));
		fit_prim(f, s->exp, v);
		fit_var(f, v);
	}
	fit_values(f, b->res);
}

static bool is_store(const Stm *s)
{
	return s->exp->form == E_update && !stm_is_in_place(s);
}

static void fit_store(Fit *f, const Exp *e)
{
	Type t = sub_type(e->update.arr);
	fit_values(f, subs_of(1, e->update.val));
	if (f->arrays && map_has(&f->arrays->own, var_key(t.mem->block))) {
		f->good &= t.elem == PT_F32 || t.elem == PT_F64;
		fit_type(f, t.elem);
		return;
	}
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	for EACH(DimSlice, d, e->update.at) {
		f->good &= d->fixed;
		idx.at[idx.len++] = d->start;
	}
	bool strided = f->good && f->arrays && is_float(t.elem) &&
	               strided_dim(f->rates, t, &idx) >= 0;
	f->good &= f->good && (strided || rate_of_place(f->rates, t, &idx) == BY_ONE) &&
	           t.elem != PT_BOOL && !is_narrow_tag(t.elem);
	f->adds_i32 |= t.elem == PT_I32;
	fit_type(f, t.elem);
}

static void fit_body(Fit *f, const Body *b);

static void fit_loop(Fit *f, const Exp *e)
{
	for EACH(Var, p, e->loop.params)
		fit_var(f, *p);
	fit_values(f, e->loop.inits);
	fit_values(f, e->loop.body.res);
	f->depth++;
	f->n_loops++;
	fit_body(f, &e->loop.body);
	f->depth--;
}

// A choice that is no expression of vectors: those in branches are often the same for all lanes.
bool is_lane_choice(const Map *rates, const Stm *s)
{
	const Exp *e = s->exp;
	if (!n_branches(e) || !is_pure_scalar(s))
		return n_branches(e);
	return rate(rates, e->if_.cond) == OTHERWISE &&
	       !(is_expression(&e->if_.yes) && is_expression(&e->if_.no));
}

bool chooses_in_lanes(Gen *g, const Stm *s)
{
	return g->rows.rates && is_lane_choice(g->rows.rates, s);
}

static void fit_choice_body(Fit *f, const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (is_pure_scalar(s))
			set_rate(f->rates, s->pat.at[0], rate_of_exp(f->rates, s->exp));
	fit_body(f, b);
	fit_values(f, b->res);
}

// Of what may differ from lane to lane (clanes.c).
static void fit_choice(Fit *f, const Stm *s)
{
	const Exp *e = s->exp;
	bool before = f->partly;
	f->partly |= rate(f->rates, e->form == E_if_ ? e->if_.cond : e->match.x) != STAYS;
	f->good &= vars_are_scalars(s->pat) && (e->form == E_if_ || !f->partly);
	for (int k = 0; k < n_branches(e); k++)
		fit_choice_body(f, branch_at(e, k));
	f->partly = before;
	for EACH(Var, v, s->pat) {
		set_rate(f->rates, *v, OTHERWISE);
		fit_var(f, *v);
	}
}

static void fit_stm(Fit *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (needs_no_code(s))
		return;
	if (is_lane_choice(f->rates, s)) {
		fit_choice(f, s);
		return;
	}
	if (f->arrays && map_has(&f->arrays->sums, e)) {
		fit_type(f, e->form == E_update ? sub_type(e->update.arr).elem
		                                : vars[s->pat.at[0].id].type.elem);
		return;
	}
	if (e->form == E_loop) {
		fit_loop(f, e);
		return;
	}
	if (is_store(s)) {
		fit_store(f, e);
		return;
	}
	Var v = s->pat.at[0];
	if (e->form == E_index) {
		Type t = sub_type(e->index.arr);
		bool own = f->arrays && map_has(&f->arrays->own, var_key(t.mem->block));
		int r = own ? BY_ONE : rate_of_place(f->rates, t, &e->index.idx);
		set_rate(f->rates, v, r == STAYS ? STAYS : OTHERWISE);
		bool gathered = r == OTHERWISE && strided_dim(f->rates, t, &e->index.idx) >= 0 &&
			(f->arrays || !f->depth || f->few);
		f->n_gathered += gathered && !f->arrays;
		bool narrow = t.elem == PT_BOOL || t.elem == PT_I32 || is_narrow_tag(t.elem);
		f->good &= r == STAYS || !f->partly;
		f->good &= r == STAYS || (r == BY_ONE && narrow && !own) ||
		           ((r == BY_ONE || r > OTHERWISE || gathered) && is_float(t.elem));
	} else if (e->form == E_prim) {
		fit_prim(f, e, v);
	} else if (e->form == E_if_ && rate(f->rates, sub_var(v)) == OTHERWISE) {
		fit_branch(f, &e->if_.yes);
		fit_branch(f, &e->if_.no);
	} else if (e->form == E_convert && step_of_rate(rate(f->rates, e->convert.x)) > 0) {
		f->good &= sub_type(e->convert.x).elem == PT_I64 && is_float(e->convert.to);
	} else if (e->form != E_atom && e->form != E_if_) {
		f->good &= rate(f->rates, sub_var(v)) != OTHERWISE;
	}
	fit_var(f, v);
}

static void fit_body(Fit *f, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (!f->good || s->exp->form == E_array) {
			f->good = false;
			return;
		}
		fit_stm(f, s);
	}
}

bool fits_vectors(const Stm *loop, Map *rates, Lanes *lanes)
{
	Fit f = {.rates = rates, .arrays = lanes->arrays, .few = lanes->few, .good = true};
	fit_body(&f, &loop->exp->loop.body);
	lanes->type = f.type;
	// Before and after the loops inside a few single loads take no time, nor beside functions.
	return f.good && f.found && f.n_gathered <= 2 * (f.n_loops + f.n_functions) &&
	       !(f.type == PT_F64 ? f.adds_i32 : f.i64);
}

// ---- Values ----

bool varies(Gen *g, Sub x)
{
	return g->rows.rates && rate(g->rows.rates, x) == OTHERWISE;
}

static CExp call_of(Gen *g, const char *fun, CExps args)
{
	const char *name = text("rd_%s_%s", fun, primtype_name[g->rows.vector]);
	rts_use(g->rts, name);
	return x_call_of(name, args);
}

#define call(g, fun, ...) call_of(g, fun, x_args(__VA_ARGS__))

// What goes through memory does so for the lanes that count (cpart.c).
#define call_memory(g, fun, ...) ((g)->rows.left \
	? call_of(g, text("%s_part", fun), x_args(__VA_ARGS__, x_name((g)->rows.left))) \
	: call_of(g, fun, x_args(__VA_ARGS__)))

// A bool is a mask of ones or zeros in each lane; an index goes up by one.
CExp as_vector(Gen *g, Sub s, CExp x)
{
	PrimType t = sub_type(s).elem;
	if (varies(g, s))
		return x;
	if (rate(g->rows.rates, s) == BY_ONE)
		return call(g, "icount", x);
	return call(g, t == PT_BOOL ? "mask" : is_int(t) ? "isplat" : "splat", x);
}

const char *vector_type(Gen *g, PrimType t)
{
	rts_use(g->rts, text("rd_vector_%s", primtype_name[g->rows.vector]));
	return text("rd_%s%c", primtype_name[g->rows.vector], is_float(t) ? 'v' : 'm');
}

CExp lanes_of_vectors(Gen *g, int n_vectors)
{
	rts_use(g->rts, "vector");
	return x_cheap(
		x_call("RD_LANES", x_int(n_vectors), x_const(c_scalar_type(g->rows.vector))));
}

// A load from a strip (ctile.c) has the innermost loop's index in it.
static CExp load_from_strip(Gen *g, const Strip *s, const Exp *e)
{
	int v = g->rows.row % g->rows.n_vectors;
	CExp k = x_int(0);
	for EACH(Sub, x, e->index.idx)
		if (has_rate(g->rows.rates, *x) && rate(g->rows.rates, *x) == STAYS)
			k = operand(g, *x);
	CExp at = x_times(x_binary(k, "-", x_name(s->from), PREC_ADD), x_name(s->step));
	at = v ? x_plus(at, lanes_of_vectors(g, v)) : at;
	return call_memory(g, "load", x_address(x_index(x_name(s->name), at)));
}

// What lies between elements whose indices differ by one in dimension d.
static CExp step_in_block(Gen *g, Type t, int d)
{
	if (t.mem->strides.len)
		return operand(g, t.mem->strides.at[d]);
	CExp step = operand(g, t.dims.at[d + 1]);
	for (int k = d + 2; k < t.dims.len; k++)
		step = index_product(step, operand(g, t.dims.at[k]));
	return step;
}

CExp vector_load(Gen *g, const Exp *e, CExp element)
{
	Type t = sub_type(e->index.arr);
	const Strip *strip = map_get(&g->rows.strips, e);
	if (strip)
		return load_from_strip(g, strip, e);
	bool own = own_in_lanes(g, t.mem->block);
	int r = own ? BY_ONE : rate_of_place(g->rows.rates, t, &e->index.idx);
	if (own)
		return call(g, "load", x_address(element));
	if (r == rate_by(2))
		return call_memory(g, "load_evens", x_address(element));
	if (r > OTHERWISE)
		return call_memory(g, "gather", x_address(element), x_int(step_of_rate(r)));
	if (r == OTHERWISE) {
		CExp step = step_in_block(g, t, strided_dim(g->rows.rates, t, &e->index.idx));
		return call_memory(g, "gather", x_address(element), step);
	}
	if (r == BY_ONE && !is_float(t.elem))
		return call(g, text("load_%s", primtype_name[t.elem]), x_address(element));
	return r == BY_ONE ? call_memory(g, "load", x_address(element)) : element;
}

// What lies between the elements that lanes store to; NULL: they are adjacent.
static CExp step_of_store(Gen *g, const Exp *e)
{
	Type t = sub_type(e->update.arr);
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	for EACH(DimSlice, d, e->update.at)
		idx.at[idx.len++] = d->start;
	if (own_in_lanes(g, t.mem->block) || rate_of_place(g->rows.rates, t, &idx) == BY_ONE)
		return NULL;
	return step_in_block(g, t, strided_dim(g->rows.rates, t, &idx));
}

void vector_store(Gen *g, const Exp *e, CExp element, CExp x)
{
	PrimType t = sub_type(e->update.val).elem;
	CExp v = as_vector(g, e->update.val, x), step = step_of_store(g, e);
	if (g->rows.delays) {
		const char *name = fresh_name(g, "kept");
		s_declare(g->c, vector_type(g, t), name, v);
		v = x_name(name);
	}
	CExp at = x_address(element);
	const char *plain = is_int(t) ? "istore" : "store";
	bool own = own_in_lanes(g, sub_type(e->update.arr).mem->block);
	CExp store = step ? call_memory(g, "scatter", at, step, v)
	           : own ? call(g, plain, at, v) : call_memory(g, plain, at, v);
	if (g->rows.delays)
		VEC_PUSH(&g->rows.delayed, store);
	else
		s_do(g->c, store);
}

void delayed_stores(Gen *g)
{
	for EACH(CExp, store, g->rows.delayed)
		s_do(g->c, *store);
	g->rows.delayed.len = 0;
	g->rows.delays = false;
}

// An index as a float; nothing else that differs from lane to lane is converted (fit_stm).
CExp vector_of_index(Gen *g, Sub x, CExp first)
{
	return call(g, "count", first, x_int(step_of_rate(rate(g->rows.rates, x))));
}

CExp vector_select(Gen *g, PrimType t, CExp mask, CExp yes, CExp no)
{
	return call(g, is_float(t) ? "select" : "iselect", mask, yes, no);
}

CExp vector_some(Gen *g, CExp mask)
{
	return call(g, "some", mask);
}

CExp vector_not(Gen *g, CExp mask)
{
	return call(g, "mask_not", mask);
}

// Operators of C take a vector and a scalar; functions take only vectors.
static bool is_operator(Prim op, const char **sign, Prec *prec)
{
	switch (op) {
	case P_add: *sign = "+"; *prec = PREC_ADD; return true;
	case P_sub: *sign = "-"; *prec = PREC_ADD; return true;
	case P_mul: *sign = "*"; *prec = PREC_MUL; return true;
	case P_div: *sign = "/"; *prec = PREC_MUL; return true;
	default: // the rest are functions
		return false;
	}
}

CExp vector_prim(Gen *g, Prim op, PrimType at, const Sub *operands, const CExp *x)
{
	const char *sign;
	Prec prec;
	if (is_float(at) && is_operator(op, &sign, &prec))
		return x_binary(x[0], sign, x[1], prec);
	CExp args[3];
	for (int i = 0; i < prim_arity(op); i++)
		args[i] = as_vector(g, operands[i], x[i]);
	const char *kind = at == PT_BOOL ? "mask_" : is_int(at) ? "i" : "v";
	return call_of(g, text("%s%s", kind, prim_name[op]), (CExps){args, prim_arity(op)});
}
