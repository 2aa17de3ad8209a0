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

#include "mem/mem.h"
#include "loop/loop.h"

// ---- Parameters ----

static bool is_scalar(Var v)
{
	return type_is_scalar(vars[v.id].type);
}

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
			declare_block(g, p);
			set_block(g, state_of(g, p)->shown->text, e->loop.inits.at[k].var);
		} else if (is_scalar(p) && is_needed(g, p)) {
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
		if (!is_block(p) && !(is_scalar(p) && is_needed(g, p)))
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

// A value that mentions a parameter which has its next value by then is computed before.
static bool save(Gen *g, Steps *steps, int j, Subs results)
{
	Step *s = &steps->at[j];
	for (int i = 0; i < j; i++) {
		if (!x_mentions(s->value, steps->at[i].name))
			continue;
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
	return false;
}

// All parameters get their next values at once.
void next_params(Gen *g, const Exp *e)
{
	Steps steps = steps_of(g, e);
	Subs results = e->loop.body.res;
	settle_loads(g);
	bool *saved = NEW_ARRAY(bool, steps.len);
	for (int j = 0; j < steps.len; j++)
		saved[j] = save(g, &steps, j, results);
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

// Does one branch keep what parameters there are, and the other give all of them new values?
static bool keeps(const Exp *e, const Stm *choice, Subs same, Subs fresh)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (!is_scalar(p) || !sub_eq(e->loop.body.res.at[k], sub_var(choice->pat.at[k])) ||
		    !sub_eq(same.at[k], sub_var(p)))
			return false;
		for EACH(Var, other, e->loop.params)
			if (sub_eq(fresh.at[k], sub_var(*other)))
				return false;
	}
	return true;
}

// A loop that looks for the best of something ends with the choice between what it has and what
// is new: that changes rarely, so a branch is foreseen, and then nothing waits for the choice.
//
//     let (a', j') = if better then {x, i} else {a, j}        if (better) {
//     in {a', j'}                                       ->        a = x;
//                                                                 j = i;
//                                                             }
static const Stm *choice_of_next(const Exp *e)
{
	Stms stms = e->loop.body.stms;
	const Stm *s = stms.len ? &stms.at[stms.len - 1] : NULL;
	if (!s || s->exp->form != E_if_ || s->pat.len != e->loop.params.len || s->pat.len < 2)
		return NULL;
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	if (yes->stms.len || no->stms.len)
		return NULL;
	return keeps(e, s, no->res, yes->res) || keeps(e, s, yes->res, no->res) ? s : NULL;
}

static const Exp *prim_of(const Body *b, Sub x, Prim op)
{
	const Exp *e = def_in(b, x);
	return e && e->form == E_prim && e->prim.op == op ? e : NULL;
}

// Is it x < y || (x == y && z)?
typedef struct { Sub x, y, z; } Order;

static bool is_order(const Body *b, Sub cond, Order *out)
{
	const Exp *either = prim_of(b, cond, P_or);
	const Exp *less = either ? prim_of(b, either->prim.x[0], P_lt) : NULL;
	const Exp *both = either ? prim_of(b, either->prim.x[1], P_and) : NULL;
	const Exp *tie = both ? prim_of(b, both->prim.x[0], P_eq) : NULL;
	const Sub *x = less ? less->prim.x : NULL, *y = tie ? tie->prim.x : NULL;
	bool same = x && y && ((sub_eq(x[0], y[0]) && sub_eq(x[1], y[1])) ||
	                       (sub_eq(x[0], y[1]) && sub_eq(x[1], y[0])));
	if (!same || sub_type(x[0]).elem == PT_BOOL)
		return false;
	*out = (Order){x[0], x[1], both->prim.x[1]};
	return true;
}

// An order mostly fails, as does x <= y, which takes one comparison.
static CExp condition(Gen *g, const Body *b, Sub cond)
{
	Order o;
	if (!is_order(b, cond, &o))
		return operand(g, cond);
	CExp x = operand(g, o.x), le = x_binary(x, "<=", operand(g, o.y), PREC_COMPARE);
	return x_binary(le, "&&", operand(g, cond), PREC_AND);
}

static CExp as_int(CExp x)
{
	return x_cast("int", x_paren(x), PREC_ATOM);
}

// The same without branches.
static CExp condition_at_once(Gen *g, const Body *b, Sub cond)
{
	Order o;
	if (!is_order(b, cond, &o))
		return operand(g, cond);
	CExp x = operand(g, o.x), less = x_less(x, operand(g, o.y)), again = operand(g, o.x);
	CExp same = x_binary(again, "==", operand(g, o.y), PREC_COMPARE);
	CExp tie = x_binary(as_int(same), "&", as_int(operand(g, o.z)), PREC_SELECT);
	return x_binary(as_int(less), "|", x_paren(tie), PREC_SELECT);
}

static bool has_loops(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_loop)
			return true;
	return false;
}

// The parameter that is compared, or -1: its next value is what it is compared with.
static int compared(const Exp *e, const Exp *c, Order o)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Sub p = sub_var(e->loop.params.at[k]), next = c->if_.yes.res.at[k];
		if ((sub_eq(o.y, p) && sub_eq(o.x, next)) || (sub_eq(o.x, p) && sub_eq(o.y, next)))
			return k;
	}
	return -1;
}

// Are ties decided by `i < at`, where `at` is the i of the last change?  Then only the first change
// can be one, a tie with the initial value, and if that is not a zero, which has a sign, the
// value stays the same.
static bool ties_at_first(const Exp *e, const Exp *c, Order o)
{
	const Exp *earlier = prim_of(&e->loop.body, o.z, P_lt);
	int value = compared(e, c, o);
	if (!earlier || value < 0 || e->loop.is_while)
		return false;
	Sub init = e->loop.inits.at[value];
	if (init.kind != S_CONST || (is_float(init.val.type) && init.val.f == 0))
		return false;
	Subs next = c->if_.yes.res;
	for (int k = 0; k < next.len; k++)
		if (sub_eq(next.at[k], sub_var(e->loop.i)) &&
		    sub_eq(earlier->prim.x[0], next.at[k]) &&
		    sub_eq(earlier->prim.x[1], sub_var(e->loop.params.at[k])))
			return true;
	return false;
}

static void set_next(Gen *g, const Exp *e, Subs next, int except)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (k != except && is_needed(g, p))
			s_assign(g->c, shown(g, p), result_of(g, p, next.at[k]));
	}
}

// Ties come first, if at all, behind a branch; what is left are the minimum and the index of it.
// For these x86 has instructions, while the choice by a bool takes four times as long there; ARM
// has one for the choice, and compilers for it make branches of this.
static void pick_extreme(Gen *g, const Exp *e, const Exp *c, Order o)
{
	const char *less = fresh_name(g, "less");
	CExp x = operand(g, o.x), y = operand(g, o.y);
	s_declare(g->c, "bool", less, x_less(x, y));
	rts_use(g->rts, "rarely");
	CExp tie = x_binary(as_int(x_binary(x, "==", y, PREC_COMPARE)), "&",
	                    as_int(operand(g, o.z)), PREC_SELECT);
	s_if(g->c, x_call("RD_UNLIKELY", tie));
	s_do(g->c, x_const("RD_RARELY"));
	set_next(g, e, c->if_.yes.res, compared(e, c, o));
	s_close(g->c);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (!is_needed(g, p))
			continue;
		s_assign(g->c, shown(g, p),
		         x_select(x_name(less), result_of(g, p, c->if_.yes.res.at[k]),
		                  shown(g, p)));
	}
}

// Beside iterations that take long, waiting for the choice is nothing, but a branch that was not
// foreseen is: there may be few of them, so that most are.
static void pick_next(Gen *g, const Exp *e, const Exp *c, bool change_if, CExp cond)
{
	const char *change = fresh_name(g, "change");
	s_declare(g->c, "bool", change, cond);
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		if (!is_needed(g, p))
			continue;
		CExp name = shown(g, p);
		CExp next = result_of(g, p, (change_if ? c->if_.yes : c->if_.no).res.at[k]);
		PrimType t = vars[p.id].type.elem;
		if (t == PT_F32 || t == PT_F64) {
			const char *pick = text("rd_pick_%s", primtype_name[t]);
			rts_use(g->rts, pick);
			s_assign(g->c, name, x_call(pick, x_name(change), next, name));
		} else {
			s_assign(g->c, name, x_select(x_name(change), next, name));
		}
	}
}

static void choose_next(Gen *g, const Exp *e, const Stm *choice)
{
	const Exp *c = choice->exp;
	bool change_if = keeps(e, choice, c->if_.no.res, c->if_.yes.res);
	bool at_once = g->target == ON_CPU && has_loops(&e->loop.body);
	CExp cond = at_once ? condition_at_once(g, &e->loop.body, c->if_.cond)
	          : condition(g, &e->loop.body, c->if_.cond);
	cond = change_if ? cond : x_unary("!", x_paren(cond), PREC_ATOM);
	settle_all(g); // what is computed from parameters is so from their old values
	Order o;
	if (at_once && change_if && is_order(&e->loop.body, c->if_.cond, &o) &&
	    ties_at_first(e, c, o)) {
		s_ifdef(g->c, "ifdef __x86_64__");
		pick_extreme(g, e, c, o);
		s_else(g->c);
		pick_next(g, e, c, change_if, cond);
		s_close(g->c);
		return;
	}
	if (at_once) {
		pick_next(g, e, c, change_if, cond);
		return;
	}
	rts_use(g->rts, "rarely");
	s_if(g->c, x_call("RD_UNLIKELY", cond));
	s_do(g->c, x_const("RD_RARELY"));
	set_next(g, e, (change_if ? c->if_.yes : c->if_.no).res, -1);
	s_close(g->c);
}

// Its statements, then the parameters' next values.
void loop_body(Gen *g, const Exp *e)
{
	Outer outer = enter_body(g, &e->loop.body);
	for EACH(Var, p, e->loop.params)
		if (is_block(*p))
			point_to(g, *p);
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

// ---- Independent iterations ----

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

static bool is_outside(const Accesses *a, const Affine *x)
{
	for (int i = 0; i < x->n; i++)
		for (int k = 0; k < AFFINE_DEGREE && x->t[i].v[k].id; k++)
			if (map_has(&a->inside, var_key(x->t[i].v[k])))
				return false;
	return true;
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
	if (!affine_same(at, &x) || !moves_with(a->loop, &x, &rest) || !is_outside(a, &rest))
		a->dims[root - 1] &= ~bit;
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
		} else if (e->form == E_if_ && is_pure_scalar(s)) {
			note_accesses(a, &e->if_.yes);
			note_accesses(a, &e->if_.no);
		} else if (e->form == E_update && (root = root_of(a, e->update.arr)) &&
		           type_is_scalar(sub_type(e->update.val))) {
			for (int d = 0; d < e->update.at.len; d++)
				note_access(a, root, d, e->update.at.at[d].start);
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
		if (is_scalar(v) || is_block(v))
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
	if (g->target != ON_DEVICE || !g->kernel || g->at_block || loop->loop.body.stms.len > FEW)
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

static void gen_for(Gen *g, const Stm *s, CExp bound)
{
	const char *type = c_scalar_type(sub_type(s->exp->loop.n).elem);
	const char *from = NULL;
	CExp part = bound;
	int props = 0;
	if (is_in_parts(g, s->exp)) {
		from = fresh_name(g, "from");
		s_declare(g->c, type, from, x_int(0));
		part = begin_parts(g, s->exp, from, bound, NULL);
	}
	if (g->target == ON_CPU && has_stores(&s->exp->loop.body) && is_independent(s)) {
		rts_use(g->rts, "ivdep");
		props |= LOOP_INDEPENDENT;
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
	s_for(g->c, (CFor){.type = type, .i = i, .from = first ? x_name(first) : x_int(0),
	                   .cond = x_less(x_name(i), part), .props = props});
	note_iteration(g, s->exp);
	loop_body(g, s->exp);
	free_heap(g, mark);
	ask_around_loops(g, s->exp);
	s_close(g->c);
	if (from) {
		s_assign(g->c, x_name(from), part);
		end_parts(g, s->exp, from, bound, NULL);
	}
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
		gen_for(g, s, bound);
	}
	end_region(g, s, region);
	bind_results(g, s);
}
