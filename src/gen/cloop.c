// Loops.
//
//     let (s: f64) = loop (acc: f64 = 0.0) for i: i64 < n do {   double acc = 0.0;
//       let (x: f64) = index xs [i]                              for (int64_t i = 0; i < n; i++) {
//       let (a: f64) = add.f64 acc x                        ->       acc = acc + xs[i];
//       in a                                                     }
//     }
//
// Reductions of floats are emitted by cpartial.c, vectorised loops by clanes.c and ctile.c.
#include "gen/cgen.h"

// ---- Parameters ----

static bool is_block(Var v)
{
	return vars[v.id].type.kind == T_MEM;
}

// The C variables of the parameters, with their initial values.
void declare_params(Gen *g, const Exp *e)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (vars[p.id].type.mem)
			place_hint(g, p);
		if (is_block(p)) {
			Var from = e->loop.inits.at[k].var;
			declare_block(g, p);
			if (spent_by_loop(g, e, k))
				move_block(g, state_of(g, p)->shown->text, from);
			else
				set_block(g, state_of(g, p)->shown->text, from);
		} else if (var_is_scalar(p) && is_needed(g, p)) {
			declare(g, p, value_for(g, p, e->loop.inits.at[k]));
		}
	}
}

typedef struct { Var param; int k; CExp name, value; } Step;
typedef VEC(Step) Steps;

// A while loop ends where its condition is known to fail, not at the variable of the condition: C
// compilers then see that an iteration computes what the condition before it has computed.
//
//     while (c) {                         while (c) {
//         ..                      ->          ..
//         c = x * x <= 4.0;                   if (!(x * x <= 4.0))
//     }                                           break;
//                                         }
static bool ends_by_break(const Gen *g, const Exp *e)
{
	bool good = e->loop.is_while && g->target == ON_CPU;
	for EACH(Var, p, e->loop.params)
		good &= !is_block(*p); // the condition may read what the next ones replace
	return good;
}

static void end_by_break(Gen *g, CExp cond)
{
	s_if(g->c, x_unary("!", x_paren(cond), PREC_ATOM));
	s_break(g->c);
	s_close_bare(g->c);
}

// The parameters that change, with the expressions of their next values.
static Steps steps_of(Gen *g, const Exp *e)
{
	Steps steps = {0};
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Sub next = e->loop.body.res.at[k];
		if (!is_block(p) && !(var_is_scalar(p) && is_needed(g, p)))
			continue;
		CExp name = shown(g, p);
		CExp value = is_block(p) ? x_name(block_name(g, next.var)) : value_for(g, p, next);
		if (!x_same(name, value))
			VEC_PUSH(&steps, (Step){p, k, name, value});
	}
	for (int j = 0; j < steps.len - 1 && ends_by_break(g, e); j++)
		if (steps.at[j].param.id == e->loop.while_cond.id) {
			Step last = steps.at[j];
			steps.at[j] = steps.at[steps.len - 1];
			steps.at[steps.len - 1] = last;
		}
	return steps;
}

// The parameters of the steps before one: variables, and others.
typedef struct { Map names; VEC(CExp) others; } Changed;

static void note_changed(Changed *c, CExp name)
{
	if (name->kind == X_NAME)
		map_put(&c->names, name_of(name->text), c);
	else
		VEC_PUSH(&c->others, name);
}

static bool mentions_changed(const Changed *c, CExp x)
{
	if (x->kind == X_NAME && map_has(&c->names, name_of(x->text)))
		return true;
	for EACH(const CExp, other, c->others)
		if (x_same(x, *other))
			return true;
	for (int i = 0; i < x->n; i++)
		if (mentions_changed(c, x->x[i]))
			return true;
	return false;
}

// A value that mentions a parameter which has its next value by then is computed before.
static bool save(Gen *g, Step *s, const Changed *changed, Subs results)
{
	if (!mentions_changed(changed, s->value))
		return false;
	const char *next = fresh_name(g, text("next_%s", x_text(s->name)));
	if (is_block(s->param)) {
		s_declare(g->c, block_type(g, s->param), next, x_int(0));
		give_block(g, next, false, results, s->k);
	} else {
		PrimType t = vars[s->param.id].type.elem;
		bool many = varies(g, sub_var(s->param));
		s_declare(g->c, many ? vector_type(g, t) : c_scalar_type(t), next,
		          s->value);
	}
	s->value = x_name(next);
	return true;
}

// All parameters get their next values at once.
void next_params(Gen *g, const Exp *e)
{
	Steps steps = steps_of(g, e);
	Subs results = e->loop.body.res;
	settle_loads(g);
	bool *saved = NEW_ARRAY(bool, steps.len);
	Changed changed = {0};
	for (int j = 0; j < steps.len; j++) {
		saved[j] = save(g, &steps.at[j], &changed, results);
		note_changed(&changed, steps.at[j].name);
	}
	for (int j = 0; j < steps.len; j++) {
		const Step *s = &steps.at[j];
		if (s->param.id == e->loop.while_cond.id && ends_by_break(g, e)) {
			end_by_break(g, s->value);
		} else if (!is_block(s->param) || (saved[j] && g->target == ON_DEVICE)) {
			s_assign(g->c, s->name, s->value);
		} else if (saved[j]) {
			rts_use(g->rts, "rd_move");
			s_do(g->c, x_call("rd_move", ctx(g), x_address(s->name),
			                  x_address(s->value)));
		} else {
			give_block(g, s->name->text, false, results, s->k);
		}
	}
}

// Its statements, then the parameters' next values.
void loop_body(Gen *g, const Exp *e)
{
	Outer outer = enter_body(g, &e->loop.body);
	for EACH(Var, p, e->loop.params)
		if (is_block(*p)) {
			point_to(g, *p);
			state_of(g, *p)->carried_by = &e->loop.body;
		}
	const Stm *choice = choice_of_next(e);
	if (choice) {
		Stms before = {e->loop.body.stms.at, e->loop.body.stms.len - 1};
		gen_stms(g, &(Body){before, e->loop.body.res});
		choose_next(g, e, choice);
	} else {
		gen_stms(g, &e->loop.body);
		next_params(g, e);
	}
	block_iterates(g, e);
	leave_body(g, outer);
}

// ---- The loop itself ----

// The bound is evaluated once, and written in the loop's head each time.
CExp loop_bound(Gen *g, Sub n)
{
	CExp x = operand(g, n);
	if (x_is_simple(x))
		return x;
	const char *name = fresh_name(g, "n");
	s_declare(g->c, c_scalar_type(sub_type(n).elem), name, x);
	return x_name(name);
}

// The results of a loop are the C variables of its parameters, but for the condition of one that
// has ended.
void bind_results(Gen *g, const Stm *s)
{
	for (int k = 0; k < s->pat.len; k++) {
		Var v = s->pat.at[k], p = s->exp->loop.params.at[k];
		bool is_cond = s->exp->loop.is_while && p.id == s->exp->loop.while_cond.id;
		Sub last = is_cond ? sub_bool(false) : sub_var(p);
		if (state_of(g, v)->ahead) {
			if (is_needed(g, v))
				s_assign(g->c, shown(g, v), result_of(g, v, last));
			continue;
		}
		if (is_cond) {
			show_as(g, v, operand(g, last));
			continue;
		}
		state_of(g, v)->rep = p.id + 1;
		state_of(g, v)->bound_in = g->body;
		if (var_is_scalar(v) || is_block(v))
			show_as(g, v, shown(g, p));
		if (is_block(v))
			point_to(g, v);
	}
}

static bool has_stores(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_update)
			return true;
	return false;
}

// A loop of a thread that does little more than load: the more loads are on their way at once, the
// better.
static bool only_loads(const Gen *g, const Exp *loop)
{
	enum { FEW = 6 };
	int loads = 0;
	if (g->target != ON_DEVICE || !g->kernel || g->thread.at_block ||
	    loop->loop.body.stms.len > FEW)
		return false;
	for EACH(Stm, s, loop->loop.body.stms) {
		Form f = s->exp->form;
		if (f != E_index && f != E_prim && f != E_convert && !needs_no_code(s))
			return false;
		loads += f == E_index;
	}
	return loads > 0;
}

// A loop of a processor with a check of what it loads, such as an index: it cannot be done in
// vectors, and the check and the counting are as much as the rest.  Checks of counters alone are
// those of loops that run if something fails (loop/lift_checks.c).
static bool checks_loads(const Gen *g, const Exp *loop)
{
	enum { FEW = 16 };
	Map loaded = {0};       // and what is computed from that
	bool any = false;
	if (g->target != ON_CPU || loop->loop.body.stms.len > FEW)
		return false;
	for EACH(Stm, s, loop->loop.body.stms) {
		const Exp *e = s->exp;
		Subs from = e->form == E_prim ? (Subs){(Sub *)e->prim.x, prim_arity(e->prim.op)}
		          : e->form == E_convert ? subs_of(1, e->convert.x)
		          : e->form == E_assert_ ? subs_of(1, e->assert_.cond) : (Subs){0};
		bool depends = e->form == E_index;
		if (needs_no_code(s))
			continue;
		if (!from.len && !depends)
			return false;
		for EACH(Sub, x, from)
			depends |= x->kind == S_VAR && map_has(&loaded, var_key(x->var));
		if (e->form == E_assert_ && !depends)
			return false;
		any |= e->form == E_assert_;
		if (depends)
			map_put(&loaded, var_key(s->pat.at[0]), &loaded);
	}
	return any;
}

static void write_for(Gen *g, const Stm *s, CExp bound, bool in_parts, int props)
{
	const char *type = c_scalar_type(sub_type(s->exp->loop.n).elem);
	const char *from = NULL;
	CExp part = bound;
	if (in_parts) {
		from = fresh_name(g, "from");
		s_declare(g->c, type, from, x_int(0));
		part = begin_parts(g, s->exp, from, bound, NULL);
	}
	const char *first = gen_turned(g, s, bound);
	if (!first && !from)
		first = gen_ahead(g, s, bound);
	const char *i = bind_name(g, s->exp->loop.i);
	state_of(g, s->exp->loop.i)->is_counter = true;
	const char *mark = mark_heap(g, s->exp);
	if (!first && only_loads(g, s->exp))
		props |= LOOP_UNROLL_SOME;
	if (checks_loads(g, s->exp)) {
		rts_use(g->rts, "unroll");
		props |= LOOP_UNROLL;
	}
	first = first ? first : from;
	LaneLoads *steps = begin_steps(g, s->exp);
	s_for(g->c, (CFor){.type = type, .i = i, .from = first ? x_name(first) : x_int(0),
	                   .cond = x_less(x_name(i), part), .props = props});
	if (g->target == ON_CPU && has_attr(s->attrs, ATTR_EDGE)) {
		rts_use(g->rts, "few");
		s_do(g->c, x_const("RD_FEW"));
	}
	note_iteration(g, s->exp);
	begin_step(g, steps, i, part);
	loop_body(g, s->exp);
	end_steps(g, steps);
	free_heap(g, mark);
	ask_around_loops(g, s->exp);
	s_close(g->c);
	if (from) {
		s_assign(g->c, x_name(from), part);
		end_parts(g, s->exp, from, bound, NULL);
	}
}

static void gen_for(Gen *g, const Stm *s, CExp bound)
{
	if (has_attr(s->attrs, ATTR_EDGE)) {
		write_for(g, s, bound, false, 0);
		return;
	}
	bool vectors = g->target == ON_CPU && has_stores(&s->exp->loop.body) && is_independent(s);
	CExp longer = longer_than_part(g, s->exp, bound);
	int props = vectors ? LOOP_INDEPENDENT : 0;
	if (vectors)
		rts_use(g->rts, "ivdep");
	if (!longer) {
		write_for(g, s, bound, is_in_parts(g, s->exp, NULL), props);
		return;
	}
	s_if(g->c, longer);
	write_for(g, s, bound, true, props);
	s_else(g->c);
	write_for(g, s, bound, false, props);
	s_close(g->c);
}

void gen_loop(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	if (!e->loop.is_while && sub_type(e->loop.n).elem == PT_I64)
		state_of(g, e->loop.i)->small = 1;
	if (g->target == ON_DEVICE && gen_device_loop(g, s))
		return;
	if (has_attr(s->attrs, ATTR_ATOMIC)) {
		gen_atomic_sum(g, s);
		return;
	}
	if (is_parallel_region(s)) {
		Region shared = begin_region(g, s);
		gen_parallel_region(g, s);
		end_region(g, s, shared);
		return;
	}
	CExp bound = e->loop.is_while ? NULL : loop_bound(g, e->loop.n);
	declare_params(g, e);
	settle_loads(g);
	block_iterates(g, e);
	Region region = begin_region(g, s);
	CExp some = when_rows_have_elements(g, e);
	if (some) {
		s_if(g->c, some);
		g->in_rows_of_some = true;
	}
	int n = n_partial(g, s);
	if (e->loop.is_while) {
		const char *mark = mark_heap(g, e), *turns = count_turns(g, e);
		s_while(g->c, operand(g, sub_var(e->loop.while_cond)));
		note_iteration(g, e);
		ask_in_while(g, e, turns);
		loop_body(g, e);
		free_heap(g, mark);
		s_close(g->c);
	} else if (n > 1) {
		gen_partial(g, s, bound, n);
	} else if (!gen_product(g, s) && !gen_fold_in_lanes(g, s, bound) &&
	           !gen_in_lanes(g, s, bound)) {
		bool others = gen_few_columns(g, s, bound);
		struct KeptLoop *kept = begin_kept_sums(g, s);
		gen_for(g, s, bound);
		end_kept_sums(g, s, kept);
		if (others)
			s_close(g->c);
	}
	if (some) {
		g->in_rows_of_some = false;
		s_close(g->c);
	}
	end_region(g, s, region);
	bind_results(g, s);
}
