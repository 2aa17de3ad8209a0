// Emits statements and bodies: dispatches on the form of each statement.
#include "gen/cgen.h"

#include "mem/mem.h"

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
	VEC_PUSH(&g->fun.blocks, v);
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
	bool mine = st->bound_in == g->body || st->spent_by == g->body;
	if (mine && !st->is_param && !occurs_later(results, k)) {
		rts_use(g->rts, "rd_move");
		s_do(g->c, x_call("rd_move", ctx(g), place, x_address(x_name(name))));
	} else {
		rts_use(g->rts, "rd_set");
		s_do(g->c, x_call("rd_set", ctx(g), place, x_name(name)));
	}
}

void leave_function(Gen *g, CExp err)
{
	g->fun.can_fail = true;
	if (g->target == ON_DEVICE) {
		leave_thread(g);
		return;
	}
	if (g->fun.cleans) {
		if (!x_same(err, x_name("err")))
			s_assign(g->c, x_name("err"), err);
		s_goto(g->c, "cleanup");
	} else {
		s_return(g->c, err);
	}
}

void leave_if(Gen *g, const char *status)
{
	s_if(g->c, x_nonzero(status));
	leave_function(g, x_name(status));
	s_close(g->c);
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
	g->fun.can_fail = true;
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
	const char *place = map_get(&g->fun.place_of, var_key(v));
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
			s_assign(g->c, shown(g, v), value_for(g, v, b->res.at[k]));
	}
	leave_body(g, outer);
	m->after.reads |= g->thread.reads;
	m->after.stores |= g->thread.stores;
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
		CExp yes = value_for(g, v, e->if_.yes.res.at[k]),
		     no = value_for(g, v, e->if_.no.res.at[k]);
		declare(g, v, x_select(cond, yes, no));
	}
}

// Lanes that choose each for itself: both branches are gone through, unless no lane takes one.
//
//     rd_f64v r = rd_splat_f64(0);
//     if (rd_some_f64(mask)) { ..  r = yes; }
//     if (rd_some_f64(rd_mask_not_f64(mask))) { ..  r = rd_select_f64(mask, r, no); }
static void gen_lanes_if(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	const char *mask = fresh_name(g, "mask");
	s_declare(g->c, vector_type(g, PT_BOOL), mask, operand(g, e->if_.cond));
	settle_loads(g);
	for EACH(Var, v, s->pat) {
		PrimType t = vars[v->id].type.elem;
		if (is_needed(g, *v))
			declare(g, *v, as_vector(g, sub_zero(t), c_scalar(scalar_int(t, 0))));
	}
	for (int i = 0; i < 2; i++) {
		const Body *b = branch_at(e, i);
		if (b->stms.len)
			s_if(g->c, vector_some(g, i ? vector_not(g, x_name(mask)) : x_name(mask)));
		Outer outer = enter_body(g, b);
		gen_stms(g, b);
		for (int k = 0; k < s->pat.len; k++) {
			Var v = s->pat.at[k];
			if (!is_needed(g, v))
				continue;
			CExp x = value_for(g, v, b->res.at[k]), r = shown(g, v);
			PrimType t = vars[v.id].type.elem;
			s_assign(g->c, r, i ? vector_select(g, t, x_name(mask), r, x) : x);
		}
		leave_body(g, outer);
		if (b->stms.len)
			s_close(g->c);
	}
}

static void gen_if(Gen *g, const Stm *s)
{
	if (varies(g, s->exp->if_.cond)) {
		gen_lanes_if(g, s);
		return;
	}
	if (only_chooses(s)) {
		gen_choice(g, s);
		return;
	}
	CExp cond = operand(g, s->exp->if_.cond);
	settle_loads(g);
	declare_results(g, s->pat);
	Meeting meet = {block_state(g), {0}};
	if (g->target == ON_CPU && is_shared_store(s)) {
		g->store.only_if = cond;
		gen_branch(g, &s->exp->if_.yes, s->pat, &meet);
		g->store.only_if = NULL;
		point_to_results(g, s->pat);
		return;
	}
	bool likely = g->target == ON_CPU && has_attr(s->attrs, ATTR_LIKELY);
	s_if(g->c, likely ? x_call("RD_LIKELY", cond) : cond);
	note_spent(g, s->exp, &s->exp->if_.yes);
	gen_branch(g, &s->exp->if_.yes, s->pat, &meet);
	s_else(g->c);
	note_spent(g, s->exp, &s->exp->if_.no);
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
	const char *place = map_get(&g->fun.place_of, var_key(block));
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
	CExp call = x_call_of(called_name(g, s->exp->call.fn), VEC_SLICE(CExps, args));
	if (g->target == ON_DEVICE) {
		g->thread.calls = true;
		s_if(g->c, call);
		leave_function(g, NULL);
		s_close(g->c);
		return;
	}
	if (!piece)
		rts_use(g->rts, "called_from");
	const char *err = g->fun.cleans ? "err" : fresh_name(g, "status");
	if (g->fun.cleans)
		s_assign(g->c, x_name(err), call);
	else
		s_declare(g->c, "int", err, call);
	s_if(g->c, g->fun.cleans ? x_call("RD_FAILED", x_name(err)) : x_nonzero(err));
	leave_function(g, piece ? x_name(err) : x_call("rd_called_from", x_name("ctx"), x_name(err),
	                                               places(g, s->where)));
	s_close(g->c);
	if (g->fun.cleans)
		point_to_results(g, s->pat);
}

// The call of a function that calls itself, from outside: timed as a whole.
static void gen_recursion(Gen *g, const Stm *s)
{
	settle_loads(g);
	Region region = begin_region(g, s);
	gen_call(g, s);
	end_region(g, s, region);
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

// Hands over what another one refers to.
void move_block(Gen *g, const char *to, Var from)
{
	rts_use(g->rts, "rd_move");
	s_do(g->c, x_call("rd_move", ctx(g), x_address(x_name(to)),
	                  x_address(x_name(block_name(g, from)))));
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

// One that is written as an expression.
static bool is_short_choice(Gen *g, const Stm *s)
{
	return !chooses_in_lanes(g, s) && fits_expression(g, &s->exp->if_.yes) &&
	       fits_expression(g, &s->exp->if_.no);
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
	    (g->counting || e->form != E_if_ || is_short_choice(g, s))) {
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
		else if (g->target == ON_CPU && !g->fun.polls && is_recursive(e->call.fn))
			gen_recursion(g, s);
		else
			gen_call(g, s);
		break;
	case E_update:
		g->store.shared = has_attr(s->attrs, ATTR_SHARED);
		if (!stm_is_in_place(s))
			gen_update(g, e);
		g->store.shared = false;
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
