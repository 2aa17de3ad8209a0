// Emits statements and bodies: dispatches on the form of each statement.
#include "gen/cgen.h"

#include "mem/mem.h"
#include "loop/loop.h"

// ---- Scalars ----

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
	if (g->as_arrays) {
		s_array(&(Code){&g->arrays, 0, g->c->off}, type, name, x_int(g->n_lanes), NULL);
		show_as(g, v, x_index(x_name(name), x_name(g->lane)));
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
	if (!g->rates || g->c->depth > g->round_depth) {
		declare(g, v, init);
		return;
	}
	VarState *st = state_of(g, v);
	if (!st->values)
		st->values = mem_alloc(MAX_ROWS * sizeof *st->values);
	st->values[g->row].value = init;
	st->values[g->row].round = g->round;
	for (int k = 0; k < g->row; k++)
		if (st->values[k].round == g->round && x_same(st->values[k].value, init)) {
			show_as(g, v, st->rows[k]);
			return;
		}
	declare(g, v, init);
}

void define(Gen *g, Var v, CExp x)
{
	VarState *st = state_of(g, v);
	bool once = !g->counting && st->n_uses == 1 && st->used_in == g->body && !st->ahead;
	if (!once || x_width(x) > MAX_INLINE) {
		declare_once(g, v, x);
		return;
	}
	show_as(g, v, x);
	st->pending = true;
	st->is_load = g->reads;
	VEC_PUSH(&g->pending, v);
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
	if (g->rates)
		return vector_load(g, e, x);
	if (t.elem != PT_F16)
		return x;
	rts_use(g->rts, "rd_float_of_half");
	return x_call("rd_float_of_half", x);
}

static CExp scalar_exp(Gen *g, const Exp *e, Var v);

// Nothing of the branch may become a statement: then the choice is none between expressions.
static bool fits_expression(Gen *g, const Body *b)
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
			VEC_PUSH(&g->pending, x);
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

// 0 <= x && x < n is one comparison of unsigned numbers when n is not negative.
static bool is_range_test(Gen *g, const Exp *e, Sub *x, Sub *n)
{
	if (e->prim.op != P_and || e->prim.at != PT_BOOL || g->counting)
		return false;
	const Exp *from = pending_prim(g, e->prim.x[0], P_le);
	const Exp *to = pending_prim(g, e->prim.x[1], P_lt);
	if (!from || !to || from->prim.at != PT_I64 || to->prim.at != PT_I64)
		return false;
	*x = to->prim.x[0];
	*n = to->prim.x[1];
	bool positive = n->kind == S_CONST ? n->val.i >= 0 : state_of(g, n->var)->is_size;
	return positive && sub_eq(from->prim.x[0], sub_i64(0)) && sub_eq(from->prim.x[1], *x) &&
	       x->kind == S_VAR && !state_of(g, x->var)->pending;
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
	return g->target == ON_DEVICE && e->prim.at == PT_I64 &&
	       (e->prim.op == P_quot || e->prim.op == P_rem || e->prim.op == P_div ||
	        e->prim.op == P_mod) &&
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
		if (!g->rates && is_range_test(g, e, &index, &size)) {
			operand(g, e->prim.x[0]); // these are written no more
			operand(g, e->prim.x[1]);
			x[0] = operand(g, index);
			x[1] = operand(g, size);
			return x_less(x_cast("uint64_t", x[0], PREC_ATOM),
			              x_cast("uint64_t", x[1], PREC_ATOM));
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
		if (!varies(g, sub_var(v)) && is_small_sum(g, e, v))
			return x_binary(x[0], e->prim.op == P_add ? "+" : "-", x[1], PREC_ADD);
		return varies(g, sub_var(v)) ? vector_prim(g, e->prim.op, e->prim.at, e->prim.x, x)
		                             : c_prim(g->rts, e->prim.op, e->prim.at, x);
	case E_convert:
		x[0] = operand(g, e->convert.x);
		if (is_silent(g))
			return counted;
		x[0] = c_convert(g->rts, sub_type(e->convert.x).elem, e->convert.to, x[0]);
		return varies(g, sub_var(v)) ? vector_convert(g, e->convert.x, x[0]) : x[0];
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
		if (g->blends && vars[v.id].type.elem == PT_I64 && !e->if_.yes.stms.len &&
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
	return g->as_arrays && !g->counting && !state_of(g, v)->ahead && e->form == E_prim &&
	       (e->prim.op == P_add || e->prim.op == P_sub) && state_of(g, v)->small &&
	       x_width(x) <= MAX_INLINE && !x->costs;
}

static void gen_scalar(Gen *g, const Stm *s)
{
	if (has_attr(s->attrs, ATTR_SMALL))
		state_of(g, s->pat.at[0])->small = 1;
	Var v = s->pat.at[0];
	if (!is_needed(g, v) || gen_together(g, s))
		return;
	uint32_t before = g->user;
	g->user = v.id + 1;
	g->reads = false;
	CExp x = scalar_exp(g, s->exp, v);
	g->user = before;
	state_of(g, v)->bound_to = s->exp;
	if (is_place_of_lane(g, s->exp, v, x))
		show_as(g, v, x);
	else
		define(g, v, x);
}

// ---- Blocks ----

void declare_block(Gen *g, Var v)
{
	VarState *st = state_of(g, v);
	if (g->target == ON_DEVICE) {
		declare_pointer(g, v, NULL);
		return;
	}
	st->shown = x_name(fresh_name(g, text("%s_mem", st->hint ? st->hint : "block")));
	st->bound_in = g->body;
	VEC_PUSH(&g->blocks, v);
	rts_use(g->rts, "memory");
}

void point_to_data(Gen *g, const char *type, const char *pointer, const char *block)
{
	const char *to = text("%s *", type);
	s_declare(g->c, to, pointer, x_cast(to, x_field(x_name(block), "data"), PREC_ATOM));
}

void point_to(Gen *g, Var block)
{
	VarState *st = state_of(g, block);
	const char *type = c_elem_type(vars[block.id].type.elem);
	if (g->target != ON_CPU) {
		st->pointer = g->target == ON_DEVICE ? st->shown->text : NULL;
		return;
	}
	st->pointer = fresh_name(g, st->hint ? st->hint : "block");
	if (!g->counting && st->pointer_live)
		point_to_data(g, type, st->pointer, st->shown->text);
}

static bool occurs_later(Subs subs, int k)
{
	for (int i = k + 1; i < subs.len; i++)
		if (sub_eq(subs.at[i], subs.at[k]))
			return true;
	return false;
}

// A block that the current body binds is handed over, any other is referred to once more.
void give_block(Gen *g, const char *to, bool pointed, Subs results, int k)
{
	Var from = results.at[k].var;
	const VarState *st = state_of(g, from);
	const char *name = block_name(g, from);
	if (g->target == ON_DEVICE) {
		s_assign(g->c, pointed ? x_unary("*", x_name(to), PREC_ATOM) : x_name(to),
		         x_name(name));
		return;
	}
	CExp place = pointed ? x_name(to) : x_address(x_name(to));
	if (st->bound_in == g->body && !st->is_param && !occurs_later(results, k)) {
		rts_use(g->rts, "rd_move");
		s_do(g->c, x_call("rd_move", ctx(g), place, x_address(x_name(name))));
	} else {
		rts_use(g->rts, "rd_set");
		s_do(g->c, x_call("rd_set", ctx(g), place, x_name(name)));
	}
}

void leave_function(Gen *g, CExp err)
{
	g->can_fail = true;
	if (g->target == ON_DEVICE) {
		leave_thread(g);
		return;
	}
	if (g->cleans) {
		if (!x_same(err, x_name("err")))
			s_assign(g->c, x_name("err"), err);
		s_goto(g->c, "cleanup");
	} else {
		s_return(g->c, err);
	}
}

void check_alloc(Gen *g, const char *tape_at)
{
	s_if(g->c, x_call("RD_FAILED", x_name("err")));
	if (tape_at) {
		rts_use(g->rts, "rd_tape_of");
		s_do(g->c, x_call("rd_tape_of", ctx(g), x_const(c_string(tape_at))));
	}
	s_goto(g->c, "cleanup");
	if (tape_at)
		s_close(g->c);
	else
		s_close_bare(g->c);
	g->can_fail = true;
}

static void gen_alloc(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	Var v = s->pat.at[0];
	VarState *st = state_of(g, v);
	const char *type = c_elem_type(e->alloc.type);
	if (g->target == ON_DEVICE) {
		gen_thread_alloc(g, s);
		return;
	}
	if (e->alloc.stack && g->target == ON_CPU) {
		st->pointer = fresh_name(g, st->hint ? st->hint : "block");
		int64_t n = e->alloc.n.val.i;
		st->on_stack = n;
		if (!g->counting && st->pointer_live)
			s_array(g->c, type, st->pointer, x_int(n > 0 ? n : 1), NULL);
		return;
	}
	CExp n = operand(g, e->alloc.n), size = x_call("sizeof", x_const(type));
	declare_block(g, v);
	st->n_elements = n;
	st->size = &e->alloc.n;
	const char *place = map_get(&g->place_of, var_key(v));
	if (place)
		rts_use(g->rts, "rd_alloc_result");
	CExp block = x_address(st->shown);
	s_assign(g->c, x_name("err"),
	         place ? x_call("rd_alloc_result", ctx(g), block, x_name(place), n, size)
	               : x_call("rd_alloc", ctx(g), block, n, size));
	bool tape = has_attr(s->attrs, ATTR_TAPE) && user_place(s->where).lo;
	check_alloc(g, tape ? show_span(user_place(s->where)) : NULL);
	point_to(g, v);
}

// ---- Control ----

// Declares what the branches will assign.
static void declare_results(Gen *g, Vars pat)
{
	for EACH(Var, v, pat) {
		Type t = vars[v->id].type;
		if (t.kind == T_MEM)
			declare_block(g, *v);
		else if (type_is_scalar(t) && is_needed(g, *v))
			declare(g, *v, NULL);
	}
}

static void point_to_results(Gen *g, Vars pat)
{
	for EACH(Var, v, pat)
		if (vars[v->id].type.kind == T_MEM)
			point_to(g, *v);
}

typedef struct { BlockState before, after; } Meeting;

static void gen_branch(Gen *g, const Body *b, Vars pat, Meeting *m)
{
	Outer outer = enter_body(g, b);
	set_block_state(g, m->before);
	gen_stms(g, b);
	for (int k = 0; k < pat.len; k++) {
		Var v = pat.at[k];
		Type t = vars[v.id].type;
		if (t.kind == T_MEM)
			give_block(g, state_of(g, v)->shown->text, false, b->res, k);
		else if (type_is_scalar(t) && is_needed(g, v))
			s_assign(g->c, shown(g, v), result_of(g, v, b->res.at[k]));
	}
	leave_body(g, outer);
	m->after.reads |= g->block_reads;
	m->after.stores |= g->block_stores;
}

// Branches that only choose among values there are: r = c ? x : y for each result.  That is quicker
// than a branch that cannot be foreseen.
static bool only_chooses(const Stm *s)
{
	if (!vars_are_scalars(s->pat))
		return false;
	return !s->exp->if_.yes.stms.len && !s->exp->if_.no.stms.len && s->pat.len <= 4;
}

static void gen_choice(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	CExp cond = operand(g, e->if_.cond);
	if (cond->prec != PREC_ATOM) {
		const char *name = fresh_name(g, "chosen");
		s_declare(g->c, "bool", name, cond);
		cond = x_name(name);
	}
	for (int k = 0; k < s->pat.len; k++) {
		Var v = s->pat.at[k];
		if (!is_needed(g, v))
			continue;
		CExp yes = result_of(g, v, e->if_.yes.res.at[k]),
		     no = result_of(g, v, e->if_.no.res.at[k]);
		declare(g, v, x_select(cond, yes, no));
	}
}

static void gen_if(Gen *g, const Stm *s)
{
	if (only_chooses(s)) {
		gen_choice(g, s);
		return;
	}
	CExp cond = operand(g, s->exp->if_.cond);
	settle_loads(g);
	declare_results(g, s->pat);
	Meeting meet = {block_state(g), {0}};
	if (g->target == ON_CPU && is_shared_store(s)) {
		g->store_if = cond;
		gen_branch(g, &s->exp->if_.yes, s->pat, &meet);
		g->store_if = NULL;
		point_to_results(g, s->pat);
		return;
	}
	bool likely = g->target == ON_CPU && has_attr(s->attrs, ATTR_LIKELY);
	s_if(g->c, likely ? x_call("RD_LIKELY", cond) : cond);
	gen_branch(g, &s->exp->if_.yes, s->pat, &meet);
	s_else(g->c);
	gen_branch(g, &s->exp->if_.no, s->pat, &meet);
	s_close(g->c);
	set_block_state(g, meet.after);
	point_to_results(g, s->pat);
}

static void gen_match(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	CExp x = operand(g, e->match.x);
	settle_loads(g);
	declare_results(g, s->pat);
	Meeting meet = {block_state(g), {0}};
	s_switch(g->c, x);
	for (int k = 0; k <= e->match.cases.len; k++) {
		const CoreCase *c = k < e->match.cases.len ? &e->match.cases.at[k] : NULL;
		s_case(g->c, c ? c_scalar(c->value) : NULL);
		gen_branch(g, c ? &c->body : &e->match.other, s->pat, &meet);
		s_break(g->c);
		s_close(g->c);
	}
	s_close(g->c);
	set_block_state(g, meet.after);
	point_to_results(g, s->pat);
}

// The function that makes the block is told where it is to be.
static void pass_place(Gen *g, Var block)
{
	const char *place = map_get(&g->place_of, var_key(block));
	if (!place)
		return;
	rts_use(g->rts, "rd_alloc_result");
	s_do(g->c, x_call("rd_pass_place", ctx(g), x_address(state_of(g, block)->shown),
	                  x_name(place)));
}

static void gen_call(Gen *g, const Stm *s)
{
	if (g->target == ON_HOST && is_kernel_fun(s->exp->call.fn)) {
		gen_launch(g, s);
		return;
	}
	bool piece = is_piece(s->exp->call.fn);
	VEC(CExp) given = {0}, args = {0};
	for EACH(Sub, a, s->exp->call.args) {
		Type t = sub_type(*a);
		if (t.kind == T_MEM)
			VEC_PUSH(&given, block_argument(g, a->var));
		else if (type_is_scalar(t))
			VEC_PUSH(&given, operand(g, *a));
	}
	settle_loads(g);
	VEC_PUSH(&args, g->target == ON_DEVICE ? x_name("RD_THREAD") : ctx(g));
	for EACH(Var, v, s->pat) {
		Type t = vars[v->id].type;
		if (t.kind == T_MEM) {
			declare_block(g, *v);
			pass_place(g, *v);
		} else if (type_is_scalar(t))
			declare(g, *v, x_int(0)); // so that compilers see it set
		else
			continue;
		VEC_PUSH(&args, x_address(state_of(g, *v)->shown));
	}
	VEC_APPEND(&args, given);
	CExp call = x_call_of(c_fun_name(s->exp->call.fn), VEC_SLICE(CExps, args));
	if (g->target == ON_DEVICE) {
		g->calls = true;
		s_if(g->c, call);
		leave_function(g, NULL);
		s_close(g->c);
		return;
	}
	if (!piece)
		rts_use(g->rts, "called_from");
	const char *err = g->cleans ? "err" : fresh_name(g, "status");
	if (g->cleans)
		s_assign(g->c, x_name(err), call);
	else
		s_declare(g->c, "int", err, call);
	s_if(g->c, g->cleans ? x_call("RD_FAILED", x_name(err)) : x_nonzero(err));
	leave_function(g, piece ? x_name(err) : x_call("rd_called_from", x_name("ctx"), x_name(err),
	                                               places(g, s->where)));
	s_close(g->c);
	if (g->cleans)
		point_to_results(g, s->pat);
}

static void gen_piece_call(Gen *g, const Stm *s)
{
	const Stm *loop = loop_of_piece(s->exp->call.fn);
	settle_loads(g);
	Region region = begin_region(g, loop);
	call_piece(g, s->exp);
	gen_call(g, s);
	end_region(g, loop, region);
}

// Makes the variable of a block refer to what another one does.
void set_block(Gen *g, const char *to, Var from)
{
	const char *name = block_name(g, from);
	if (g->target == ON_DEVICE) {
		s_assign(g->c, x_name(to), x_name(name));
		return;
	}
	rts_use(g->rts, "rd_set");
	s_do(g->c, x_call("rd_set", ctx(g), x_address(x_name(to)), x_name(name)));
}

// Results that are the operands themselves.
static void gen_same(Gen *g, Vars pat, Subs xs)
{
	for (int k = 0; k < pat.len; k++) {
		Var v = pat.at[k];
		Type t = vars[v.id].type;
		if (t.kind == T_MEM) {
			declare_block(g, v);
			set_block(g, state_of(g, v)->shown->text, xs.at[k].var);
			point_to(g, v);
		} else if (type_is_scalar(t) && is_needed(g, v)) {
			g->reads = false;
			define(g, v, result_of(g, v, xs.at[k]));
		}
	}
}

static void gen_release(Gen *g, Var block)
{
	if (!state_of(g, block)->is_param && g->target != ON_DEVICE)
		s_do(g->c, x_call("rd_release", ctx(g), x_address(x_name(block_name(g, block)))));
}

void gen_stm(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	g->where = s->where;
	if (gen_lane_sum(g, s))
		return;
	Type t = s->pat.len ? vars[s->pat.at[0].id].type : type_cert();
	note_arrays(g, s->pat);
	if (is_pure_scalar(s) && !(g->target == ON_HOST && reads_memory(s)) &&
	    (g->counting || e->form != E_if_ ||
	     (fits_expression(g, &e->if_.yes) && fits_expression(g, &e->if_.no)))) {
		gen_scalar(g, s);
		return;
	}
	if (g->target == ON_HOST && gen_on_host(g, s))
		return;
	switch (e->form) {
	case E_atom: gen_same(g, s->pat, (Subs){(Sub *)&e->atom.x, 1}); break;
	case E_opaque:
		if (has_attr(s->attrs, ATTR_CHUNKS) || has_attr(s->attrs, ATTR_NARROW))
			gen_chunks(g, s);
		else if (g->target == ON_HOST && is_device_choice(s))
			gen_device_choice(g, s);
		else if (param_of(s))
			gen_param(g, s);
		else
			gen_same(g, s->pat, e->opaque.xs);
		break;
	case E_trace:
		settle_loads(g);
		if (g->target != ON_DEVICE)
			gen_trace(g, e);
		gen_same(g, s->pat, e->trace.xs);
		break;
	case E_if_: gen_if(g, s); break;
	case E_match: gen_match(g, s); break;
	case E_loop: gen_loop(g, s); break;
	case E_call:
		if (is_piece(e->call.fn))
			gen_piece_call(g, s);
		else
			gen_call(g, s);
		break;
	case E_update:
		g->shared_store = has_attr(s->attrs, ATTR_SHARED);
		if (!stm_is_in_place(s))
			gen_update(g, e);
		g->shared_store = false;
		break;
	case E_copy:
		if (!mem_eq(t.mem, sub_type(e->copy.arr).mem))
			gen_copy(g, t, sub_type(e->copy.arr));
		break;
	case E_iota: gen_iota(g, e, t); break;
	case E_replicate: gen_replicate(g, e, t); break;
	case E_array: gen_literal(g, e, t); break;
	case E_assert_: gen_assert(g, s); break;
	case E_alloc: gen_alloc(g, s); break;
	case E_release: settle_loads(g); gen_release(g, e->release.block.var); break;
	case E_scratch: case E_slice: case E_reshape: case E_rearrange:
		break; // the pattern's place says it all
	case E_prim: case E_convert: case E_index: // scalars, see above
	case E_concat: case E_screma: case E_hist: case E_scatter: case E_flatmap: case E_withacc:
	case E_upd_acc: case E_jvp: case E_vjp: case E_with_vjp: case N_FORM:
		bug("%s has no C", form_name[e->form]);
	}
}

void gen_stms(Gen *g, const Body *b)
{
	for EACH(Stm, s, b->stms)
		gen_stm(g, s);
}
