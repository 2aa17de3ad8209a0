// Scalars: how they are computed, and whether that is written where they are bound or where they
// are used (cgen.h, Note [Two rounds]).
#include "gen/cgen.h"

// What stands for an expression that is never written, once its operands are used.
static const CNode nothing = {.kind = X_CONST, .text = "counted"};
static const CExp counted = &nothing;

// An expression up to this long is written where it is used.
enum { MAX_INLINE = 60 };

bool is_needed(Gen *g, Var v)
{
	const VarState *st = state_of(g, v);
	uint32_t id = st->rep ? st->rep - 1 : v.id;
	return g->counting || state_of(g, (Var){id})->live;
}

// Uses inside are uses for the sake of this variable.
CExp result_of(Gen *g, Var v, Sub s)
{
	uint32_t before = g->user, rep = state_of(g, v)->rep;
	g->user = rep ? rep : v.id + 1;
	CExp x = operand(g, s);
	g->user = before;
	return x;
}

CExp value_for(Gen *g, Var v, Sub s)
{
	CExp x = result_of(g, v, s);
	return varies(g, sub_var(v)) ? as_vector(g, s, x) : x;
}

void declare(Gen *g, Var v, CExp init)
{
	PrimType t = vars[v.id].type.elem;
	const char *type = varies(g, sub_var(v)) ? vector_type(g, t) : c_scalar_type(t);
	if (state_of(g, v)->ahead) {
		if (init)
			s_assign(g->c, shown(g, v), init);
		return;
	}
	const char *name = bind_name(g, v);
	if (g->rows.as_arrays) {
		s_array(&(Code){.at = &g->rows.arrays, .off = g->c->off}, type, name,
		        x_int(g->rows.n_lanes), NULL);
		show_as(g, v, x_index(x_name(name), x_name(g->rows.lane)));
		if (init)
			s_assign(g->c, shown(g, v), init);
		return;
	}
	s_declare(g->c, type, name, init);
}

// In vectors, rows often share what does not depend on the row, but for what is declared in a
// branch.
void declare_once(Gen *g, Var v, CExp init)
{
	if (!g->rows.rates || g->c->depth > g->rows.round_depth) {
		declare(g, v, init);
		return;
	}
	VarState *st = state_of(g, v);
	if (!st->values)
		st->values = mem_alloc(MAX_ROWS * sizeof *st->values);
	st->values[g->rows.row].value = init;
	st->values[g->rows.row].round = g->rows.round;
	for (int k = 0; k < g->rows.row; k++)
		if (st->values[k].round == g->rows.round && x_same(st->values[k].value, init)) {
			show_as(g, v, st->rows[k]);
			return;
		}
	declare(g, v, init);
}

void define(Gen *g, Var v, CExp x)
{
	VarState *st = state_of(g, v);
	bool once = !g->counting && st->n_uses == 1 && st->used_in == g->body && !st->ahead;
	if (!once || x->size > MAX_INLINE) {
		declare_once(g, v, x);
		return;
	}
	show_as(g, v, x);
	st->pending = true;
	st->is_load = g->reads;
	VEC_PUSH(&g->fun.pending, v);
}

static bool is_scalar_exp(const Stm *, int depth);

static bool is_short(const Body *b, int depth)
{
	for EACH(Stm, s, b->stms)
		if (b->stms.len > 3 || !is_scalar_exp(s, depth))
			return false;
	return b->res.len == 1;
}

// A choice between two scalars that are quickly computed is an expression: c ? x : y.  There is
// room for another one in it, but not for more.
static bool is_scalar_exp(const Stm *s, int depth)
{
	const Exp *e = s->exp;
	if (s->pat.len != 1 || !type_is_scalar(vars[s->pat.at[0].id].type))
		return false;
	switch (e->form) {
	case E_atom: case E_prim: case E_convert: case E_index:
		return true;
	case E_if_:
		return depth < 2 && is_short(&e->if_.yes, depth + 1) &&
		       is_short(&e->if_.no, depth + 1);
	default: // control, memory, effects
		return false;
	}
}

bool is_pure_scalar(const Stm *s)
{
	return is_scalar_exp(s, 0);
}

static CExp load(Gen *g, const Exp *e)
{
	Type t = sub_type(e->index.arr);
	CExp turned = map_get(&g->turned, e);
	if (turned)
		return turned;
	CExp *index = NEW_ARRAY(CExp, e->index.idx.len);
	for (int i = 0; i < e->index.idx.len; i++)
		index[i] = operand(g, e->index.idx.at[i]);
	CExp x = element(g, t, index);
	g->reads = true;
	begin_load(g, t);
	if (g->rows.rates)
		return vector_load(g, e, x);
	if (t.elem != PT_F16)
		return x;
	rts_use(g->rts, "rd_float_of_half");
	return x_call("rd_float_of_half", x);
}

static CExp scalar_exp(Gen *g, const Exp *e, Var v);

// Nothing of the branch may become a statement: then the choice is none between expressions.
bool fits_expression(Gen *g, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const VarState *st = state_of(g, s->pat.at[0]);
		const Exp *e = s->exp;
		if (st->n_uses > 1 || (st->n_uses == 1 && st->used_in != b))
			return false;
		if (e->form == E_if_ &&
		    !(fits_expression(g, &e->if_.yes) && fits_expression(g, &e->if_.no)))
			return false;
	}
	return true;
}

static CExp branch_exp(Gen *g, const Body *b, Var v)
{
	const Body *before = g->body;
	g->body = b;
	for EACH(Stm, s, b->stms) {
		Var x = s->pat.at[0];
		if (!is_needed(g, x))
			continue;
		uint32_t user = g->user;
		bool reads = g->reads;
		g->user = x.id + 1;
		g->reads = false;
		CExp value = scalar_exp(g, s->exp, x);
		g->user = user;
		VarState *st = state_of(g, x);
		// what is used often would grow
		show_as(g, x, g->counting ? counted : value);
		st->pending = !g->counting;
		st->is_load = g->reads;
		if (st->pending)
			VEC_PUSH(&g->fun.pending, x);
		g->reads = reads;
	}
	CExp x = value_for(g, v, b->res.at[0]);
	g->body = before;
	return x;
}

static const Exp *pending_prim(Gen *g, Sub x, Prim op)
{
	bool pending = x.kind == S_VAR && state_of(g, x.var)->pending;
	const Exp *e = pending ? state_of(g, x.var)->bound_to : NULL;
	return e && e->form == E_prim && e->prim.op == op ? e : NULL;
}

bool never_negative(Gen *g, Sub n)
{
	return n.kind == S_CONST ? n.val.i >= 0 : state_of(g, n.var)->is_size;
}

CExp is_within(CExp x, CExp n)
{
	return x_less(x_cast("uint64_t", x, PREC_ATOM), x_cast("uint64_t", n, PREC_ATOM));
}

// 0 <= x && x < n, in either order, is one comparison of unsigned numbers when n is not negative.
static bool is_range_test(Gen *g, const Exp *e, Sub *x, Sub *n)
{
	if (e->prim.op != P_and || e->prim.at != PT_BOOL || g->counting)
		return false;
	int at = pending_prim(g, e->prim.x[1], P_le) ? 1 : 0;
	const Exp *from = pending_prim(g, e->prim.x[at], P_le);
	const Exp *to = pending_prim(g, e->prim.x[1 - at], P_lt);
	if (!from || !to || from->prim.at != PT_I64 || to->prim.at != PT_I64)
		return false;
	*x = to->prim.x[0];
	*n = to->prim.x[1];
	return never_negative(g, *n) && sub_eq(from->prim.x[0], sub_i64(0)) &&
	       sub_eq(from->prim.x[1], *x) && x->kind == S_VAR && !state_of(g, x->var)->pending;
}

// Note [Small numbers].  Arithmetic of i64 wraps around, which C has no operator for, and compilers
// vectorise loops less well when indices are computed that way.  Sizes of arrays and numbers
// of iterations are far below what a sum of a few of them would need to overflow: no
// memory is that large and no loop runs that long.  What is small where a region is called is
// small in its function too, which has no other caller and is mostly written after it.
enum { MAX_SUMS = 8 };

int smallness(Gen *g, Sub x)
{
	if (sub_type(x).elem != PT_I64)
		return 0;
	if (x.kind == S_CONST)
		return x.val.i > -((int64_t)1 << 40) && x.val.i < (int64_t)1 << 40;
	return state_of(g, x.var)->is_size ? 1 : state_of(g, x.var)->small;
}

// min and max of small numbers are small.
static void note_small_choice(Gen *g, const Exp *e, Var v)
{
	if (e->prim.at != PT_I64 || (e->prim.op != P_min && e->prim.op != P_max))
		return;
	int x = smallness(g, e->prim.x[0]), y = smallness(g, e->prim.x[1]);
	if (x && y && !state_of(g, v)->small)
		state_of(g, v)->small = x > y ? x : y;
}

// On devices, by a number that is not known.
static bool is_long_division(const Gen *g, const Exp *e)
{
	return g->target == ON_DEVICE && e->prim.at == PT_I64 && prim_divides(e->prim.op) &&
	       e->prim.x[1].kind != S_CONST;
}

static bool is_small_sum(Gen *g, const Exp *e, Var v)
{
	if (e->prim.at != PT_I64 || (e->prim.op != P_add && e->prim.op != P_sub))
		return false;
	int x = smallness(g, e->prim.x[0]), y = smallness(g, e->prim.x[1]), most = x > y ? x : y;
	if (!x || !y || most > MAX_SUMS)
		return false;
	state_of(g, v)->small = most + 1;
	return true;
}

// Of what is allocated, see ATTR_SIZE.
static CExp size_product(Gen *g, const Exp *e)
{
	CExp x = operand(g, e->prim.x[0]), y = operand(g, e->prim.x[1]);
	if (is_silent(g))
		return counted;
	rts_use(g->rts, "rd_mul_size");
	return x_call("rd_mul_size", x, y);
}

// Devices do two operations for one of 64 bits, or three.
static bool fits_short(Gen *g, Sub x)
{
	if (x.kind == S_CONST)
		return x.val.i >= 0 && x.val.i <= INT32_MAX;
	return state_of(g, x.var)->is_short;
}

// Of the counters of short loops (kthreads.c) and what is made from them; NULL: it is not that.
static CExp short_prim(Gen *g, const Exp *e, Var v, const CExp *x)
{
	Prim op = e->prim.op;
	if (g->target != ON_DEVICE || e->prim.at != PT_I64)
		return NULL;
	bool a = fits_short(g, e->prim.x[0]), b = fits_short(g, e->prim.x[1]);
	state_of(g, v)->is_short = (op == P_and && (a || b)) || (op == P_ashr && a);
	if (!(op == P_and && (a || b)) && !(op == P_eq && a && b))
		return NULL;
	CExp low[3] = {0};
	for (int i = 0; i < 2; i++)
		low[i] = x_cast("int32_t", x[i], PREC_ATOM);
	return c_prim(g->rts, op, PT_I32, low);
}

// Constants are written without their type: a choice of two is an int to C.
static bool chooses_ints(const Exp *e)
{
	return !e->if_.yes.stms.len && e->if_.yes.res.at[0].kind == S_CONST &&
	       !e->if_.no.stms.len && e->if_.no.res.at[0].kind == S_CONST;
}

static CExp scalar_exp(Gen *g, const Exp *e, Var v)
{
	CExp x[3] = {0};
	Sub index, size;
	switch (e->form) {
	case E_atom:
		return operand(g, e->atom.x);
	case E_prim:
		if (!g->rows.rates && is_range_test(g, e, &index, &size)) {
			operand(g, e->prim.x[0]); // these are written no more
			operand(g, e->prim.x[1]);
			x[0] = operand(g, index);
			x[1] = operand(g, size);
			return is_within(x[0], x[1]);
		}
		for (int i = 0; i < prim_arity(e->prim.op); i++)
			x[i] = operand(g, e->prim.x[i]);
		note_small_choice(g, e, v);
		if (is_silent(g)) {
			is_small_sum(g, e, v);
			return counted;
		}
		if (is_long_division(g, e)) {
			rts_use(g->rts, "kernel_divide");
			return x_call(text("rd_short_%s", prim_name[e->prim.op]), x[0], x[1]);
		}
		CExp in_short = short_prim(g, e, v, x);
		if (in_short)
			return in_short;
		if (!varies(g, sub_var(v)) && is_small_sum(g, e, v))
			return x_binary(x[0], e->prim.op == P_add ? "+" : "-", x[1], PREC_ADD);
		return varies(g, sub_var(v)) ? vector_prim(g, e->prim.op, e->prim.at, e->prim.x, x)
		                             : c_prim(g->rts, e->prim.op, e->prim.at, x);
	case E_convert:
		x[0] = operand(g, e->convert.x);
		if (is_silent(g))
			return counted;
		return varies(g, sub_var(v)) ? vector_of_index(g, e->convert.x, x[0])
		     : c_convert(g->rts, sub_type(e->convert.x).elem, e->convert.to, x[0]);
	case E_index:
		return load(g, e);
	case E_if_: {
		x[0] = operand(g, e->if_.cond);
		x[1] = branch_exp(g, &e->if_.yes, v);
		x[2] = branch_exp(g, &e->if_.no, v);
		if (is_silent(g))
			return counted;
		if (varies(g, e->if_.cond))
			return vector_select(g, vars[v.id].type.elem, x[0], x[1], x[2]);
		if (g->store.blends && vars[v.id].type.elem == PT_I64 && !e->if_.yes.stms.len &&
		    !e->if_.no.stms.len)
			return blend(g, x);
		CExp chosen = x_select(x[0], x[1], x[2]);
		PrimType t = vars[v.id].type.elem;
		return chooses_ints(e) && (t == PT_U32 || t == PT_U64 || t == PT_I64)
		     ? x_cast(c_scalar_type(t), chosen, PREC_UNARY) : chosen;
	}
	default: // see is_pure_scalar
		bug("%s is no scalar expression", form_name[e->form]);
	}
}

// A sum of the number of the lane and what all have in common: memory is read at consecutive places
// if that is written each time.
static bool is_place_of_lane(Gen *g, const Exp *e, Var v, CExp x)
{
	return g->rows.as_arrays && !g->counting && !state_of(g, v)->ahead && e->form == E_prim &&
	       (e->prim.op == P_add || e->prim.op == P_sub) && state_of(g, v)->small &&
	       x->size <= MAX_INLINE && !x->costs;
}

void gen_scalar(Gen *g, const Stm *s)
{
	if (has_attr(s->attrs, ATTR_SMALL))
		state_of(g, s->pat.at[0])->small = 1;
	Var v = s->pat.at[0];
	if (!is_needed(g, v) || gen_together(g, s))
		return;
	uint32_t before = g->user;
	g->user = v.id + 1;
	g->reads = false;
	CExp x = has_attr(s->attrs, ATTR_SIZE) && !g->kernel ? size_product(g, s->exp)
	                                                     : scalar_exp(g, s->exp, v);
	g->user = before;
	state_of(g, v)->bound_to = s->exp;
	if (is_place_of_lane(g, s->exp, v, x))
		show_as(g, v, x);
	else
		define(g, v, x);
}
