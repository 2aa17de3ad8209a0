// Cancellation of calls, and detection of endless recursion.
//
// Loops poll whether futhark_context_cancel was called (rts/c/context.h), so often that about a
// million operations are done between two polls:
//
//     around loops or calls       after each iteration, but for calls of recursive functions
//     innermost                   after a part of many iterations, the fewer the longer they take
//     innermost, while            by a counter
//     innermost, in others        as well; if its iterations are short and go over an array, it is
//                                 written twice, for rows of one part and for longer ones
//
// Parts cost some 10 instructions for each execution of a loop, more if C compilers make vectors of
// it: much for rows of a small matrix.  Sums in vectors of what is there, by short iterations, are
// limited by memory: the loop around polls.  Loops known to have few iterations are not counted,
// since C compilers unroll them.
//
// A recursive function first checks that there is room on the stack, and polls too.
#include "gen/cgen.h"

#include "opt/simplify.h"

enum { FEW = 16, QUOTIENT = 8, SLOW = 32, MOST = 1 << 16 };

// ---- What polls ----

typedef struct { const Fun *fun; bool found; } Search;

static void search(Visit *v, Body *b)
{
	Search *s = v->ctx;
	for EACH(Stm, stm, b->stms) {
		s->found |= stm->exp->form == E_call && stm->exp->call.fn->name == s->fun->name;
		if (!s->found && form_has(stm->exp->form, FORM_NEST))
			exp_visit(stm->exp, v);
	}
}

bool is_recursive(const Fun *f)
{
	Search s = {f, false};
	Visit v = {.body = search, .ctx = &s};
	search(&v, (Body *)&f->body); // a walk: writes nothing
	return s.found;
}

static bool has_many(Type t)
{
	for EACH(Sub, d, t.dims)
		if (d->kind != S_CONST || d->val.i > FEW)
			return true;
	return false;
}

// Does it write an array?
static bool fills(const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_copy: case E_concat: case E_replicate: case E_iota:
		return has_many(vars[s->pat.at[0].id].type);
	case E_update:
		return has_many(sub_type(e->update.val));
	default: // views and scalars, or loops of their own
		return false;
	}
}

// A recursive function polls itself, wherever it is called.
static bool takes_long(const Stm *s)
{
	const Exp *e = s->exp;
	return (e->form == E_call && !is_recursive(e->call.fn)) || fills(s) ||
	       (e->form == E_loop && (e->loop.is_while || e->loop.n.kind != S_CONST ||
	        e->loop.n.val.i > FEW));
}

// ---- How long iterations take ----

static int work_of_prim(const Exp *e)
{
	switch (e->prim.op) {
	case P_div: case P_mod: case P_quot: case P_rem: case P_recip: case P_sqrt: case P_rsqrt:
	case P_chunk:
		return QUOTIENT;
	default: // exp, log, sin and the like, or an instruction
		return exp_is_cheap_scalar(e) ? 1 : SLOW;
	}
}

static void add_work(Visit *v, Body *b)
{
	int64_t *work = v->ctx;
	for EACH(Stm, s, b->stms) {
		int64_t inside = 0;
		Visit nested = {.body = add_work, .ctx = &inside};
		const Exp *e = s->exp;
		if (form_has(e->form, FORM_NEST))
			exp_walk(e, &nested);
		if (e->form == E_loop && e->loop.n.kind == S_CONST && !e->loop.is_while)
			inside *= e->loop.n.val.i;
		*work += inside + (e->form == E_prim ? work_of_prim(e) : 1);
		*work = *work < MOST ? *work : MOST;
	}
}

// Operations of an iteration, about.
static int64_t work_of(const Exp *loop)
{
	int64_t work = 0;
	Visit v = {.body = add_work, .ctx = &work};
	add_work(&v, (Body *)&loop->loop.body); // a walk: writes nothing
	return work ? work : 1;
}

// By a power of two: instructions compare with such numbers, not with any.
static CExp divided(const char *n, int64_t by)
{
	int64_t power = 1;
	while (power < by && power < MOST)
		power *= 2;
	return power > 1 ? x_binary(x_const(n), "/", x_int(power), PREC_MUL) : x_const(n);
}

// Devices cannot be told, only their host.
void ask_to_stop(Gen *g)
{
	if (g->target == ON_DEVICE)
		return;
	rts_use(g->rts, "cancel");
	s_if(g->c, x_call("RD_CANCELLED", ctx(g)));
	leave_function(g, x_call("rd_cancelled", x_name("ctx")));
	s_close(g->c);
}

void ask_around_loops(Gen *g, const Exp *loop)
{
	if (g->target != ON_DEVICE && body_find(&loop->loop.body, takes_long))
		ask_to_stop(g);
}

// At the end of an iteration of a while loop.
void ask_in_while(Gen *g, const Exp *loop, const char *turns)
{
	if (!turns) {
		ask_around_loops(g, loop);
		return;
	}
	CExp left = x_unary("--", x_name(turns), PREC_ATOM);
	s_if(g->c, x_call("RD_UNLIKELY", x_binary(left, "==", x_int(0), PREC_COMPARE)));
	s_assign(g->c, x_name(turns), divided("RD_TURNS", work_of(loop)));
	ask_to_stop(g);
	s_close(g->c);
}

// The name of a counter, where iterations are short.
const char *count_turns(Gen *g, const Exp *loop)
{
	if (g->target == ON_DEVICE || body_find(&loop->loop.body, takes_long))
		return NULL;
	const char *turns = fresh_name(g, "turns");
	rts_use(g->rts, "cancel");
	s_declare(g->c, "uint32_t", turns, divided("RD_TURNS", work_of(loop)));
	return turns;
}

// Is it a loop's counter, or that and something else?
static bool is_counted(const Exp *loop, Sub x)
{
	Sub i = sub_var(loop->loop.i);
	const Exp *e = def_in(&loop->loop.body, x);
	return sub_eq(x, i) ||
	       (e && e->form == E_prim && (e->prim.op == P_add || e->prim.op == P_sub) &&
	        (sub_eq(e->prim.x[0], i) || sub_eq(e->prim.x[1], i)));
}

// Is an element of its own of some array read or written in each iteration?
static bool goes_over_array(const Exp *loop)
{
	for EACH(Stm, s, loop->loop.body.stms) {
		const Exp *e = s->exp;
		for (int d = 0; e->form == E_index && d < e->index.idx.len; d++)
			if (is_counted(loop, e->index.idx.at[d]))
				return true;
		for (int d = 0; e->form == E_update && d < e->update.at.len; d++)
			if (is_counted(loop, e->update.at.at[d].start))
				return true;
	}
	return false;
}

// Is it inside of another loop, or of a function that calls itself?  The lanes of a loop that is
// done several iterations at a time, `unit`, are its own.
static bool is_inside(const Gen *g, CExp unit)
{
	return g->profile.n_loops > 1 || (g->rows.lane && !unit) || g->fun.polls;
}

static bool is_short_row(const Gen *g, const Exp *loop, CExp unit, int64_t most)
{
	return is_inside(g, unit) && goes_over_array(loop) && work_of(loop) < most;
}

// Is a loop of independent iterations around it?  Rows of arrays of rows are short as a rule, and
// the loop over them asks; arrays that steps go over may be long.
static bool is_row_of_rows(const Gen *g)
{
	return g->profile.n_parallel < g->profile.n_loops - 1;
}

bool is_in_parts(const Gen *g, const Exp *loop, CExp unit)
{
	PrimType t = sub_type(loop->loop.n).elem;
	if (!unit && is_row_of_rows(g) && is_short_row(g, loop, unit, SLOW))
		return false;
	if (unit && is_short_row(g, loop, unit, QUOTIENT) &&
	    !body_find(&loop->loop.body, stm_is_update))
		return false;
	return g->target == ON_CPU && g->profile.n_loops >= 1 && !g->rows.tile &&
	       (loop->loop.n.kind != S_CONST || loop->loop.n.val.i > threshold(AT_polled_loop)) &&
	       primtype_size(t) >= 4 && !body_find(&loop->loop.body, takes_long);
}

static CExp part_length(const Gen *g, const Exp *loop, CExp unit)
{
	int64_t times = !g->rows.lane ? 1 : g->rows.rates ? g->rows.n_rows : g->rows.n_lanes;
	int64_t work = work_of(loop) * times;
	return unit ? x_times(unit, divided("RD_PARTS", work)) : divided("RD_PART", work);
}

static bool binds_block(const Stm *s)
{
	for EACH(Var, v, s->pat)
		if (vars[v->id].type.kind == T_MEM)
			return true;
	return false;
}

// What a body binds to blocks of memory is declared for the function as a whole, so once.
CExp longer_than_part(Gen *g, const Exp *loop, CExp bound)
{
	if (g->counting || !is_in_parts(g, loop, NULL) || !is_short_row(g, loop, NULL, SLOW) ||
	    body_find(&loop->loop.body, binds_block))
		return NULL; // uses are counted once
	rts_use(g->rts, "cancel");
	return x_call("RD_UNLIKELY",
	              x_binary(bound, ">", part_length(g, loop, NULL), PREC_COMPARE));
}

// Opens a loop over parts of a loop; `from` is a variable that has where it goes on, and `unit`
// divides the lengths of all parts but the last.  The end of a part; the bound if there are none.
CExp begin_parts(Gen *g, const Exp *loop, const char *from, CExp bound, CExp unit)
{
	if (!is_in_parts(g, loop, unit))
		return bound;
	const char *type = c_scalar_type(sub_type(loop->loop.n).elem);
	const char *part = fresh_name(g, "part");
	rts_use(g->rts, "cancel");
	s_repeat(g->c);
	CExp first = x_name(from), left = x_binary(bound, "-", first, PREC_ADD);
	CExp n = part_length(g, loop, unit);
	s_declare(g->c, type, part,
	          x_select(x_binary(left, ">", n, PREC_COMPARE), x_plus(first, n), bound));
	return x_name(part);
}

void end_parts(Gen *g, const Exp *loop, const char *from, CExp bound, CExp unit)
{
	if (!is_in_parts(g, loop, unit))
		return;
	CExp first = x_name(from);
	CExp more = unit ? x_binary(x_plus(first, unit), "<=", bound, PREC_COMPARE)
	                 : x_less(first, bound);
	if (is_inside(g, unit)) // the one around polls, too
		s_if(g->c, x_call("RD_UNLIKELY", more));
	ask_to_stop(g);
	if (is_inside(g, unit))
		s_close(g->c);
	s_until_not(g->c, more);
}

// ---- Recursion ----

void enter_recursion(Gen *g, const Fun *f)
{
	g->fun.polls = g->target != ON_DEVICE && is_recursive(f);
	if (!g->fun.polls)
		return;
	rts_use(g->rts, "stack");
	const char *name = text("%.*s", (int)strcspn(f->name, "."), f->name); // not which version
	s_if(g->c, x_call_none("RD_STACK_IS_LOW"));
	leave_function(g, x_call("rd_too_deep", ctx(g), x_const(c_string(name)),
	                         places(g, f->where)));
	s_close(g->c);
	ask_to_stop(g);
}
