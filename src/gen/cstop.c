// Cancellation of calls, and detection of endless recursion.
//
// Loops poll whether futhark_context_cancel was called (rts/c/context.h), so often that at most a
// few milliseconds pass between two polls:
//
//     around loops or calls       after each iteration, but for calls of recursive functions
//     innermost, in no other      after a part of many iterations
//     innermost, while            by a counter
//     innermost, in others        never, if there is a bound: the one around asks
//
// Loops known to have few iterations are not counted, since C compilers unroll them.
//
// A recursive function first checks that there is room on the stack, and polls too.
#include "gen/cgen.h"

#include "loop/loop.h"

enum { FEW = 16, LONG = 1 << 20 };

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

static bool calls(const Body *b, const Fun *f)
{
	Search s = {f, false};
	Visit v = {.body = search, .ctx = &s};
	search(&v, (Body *)b); // a walk: writes nothing
	return s.found;
}

// A recursive function polls itself, wherever it is called.
static bool takes_long(const Stm *s)
{
	const Exp *e = s->exp;
	return (e->form == E_call && !calls(&e->call.fn->body, e->call.fn)) ||
	       (e->form == E_loop && (e->loop.is_while || e->loop.n.kind != S_CONST ||
	        e->loop.n.val.i > FEW));
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
	s_assign(g->c, x_name(turns), x_const("RD_TURNS"));
	ask_to_stop(g);
	s_close(g->c);
}

// Does a while loop go on only if something that grows is below something else?
static bool has_bound(const Exp *loop, Sub cond)
{
	const Body *b = &loop->loop.body;
	const Exp *e = def_in(b, cond);
	if (e && e->form == E_if_)
		return has_bound(loop, e->if_.cond) && e->if_.no.res.len == 1 &&
		       sub_eq(e->if_.no.res.at[0], sub_bool(false));
	if (!e || e->form != E_prim)
		return false;
	if (e->prim.op == P_and)
		return has_bound(loop, e->prim.x[0]) || has_bound(loop, e->prim.x[1]);
	const Exp *next = e->prim.op == P_lt || e->prim.op == P_le ? def_in(b, e->prim.x[0]) : NULL;
	if (!next || next->form != E_prim || next->prim.op != P_add || !is_int(next->prim.at))
		return false;
	for (int k = 0; k < 2; k++) {
		Sub p = next->prim.x[k], step = next->prim.x[1 - k];
		for (int i = 0; i < loop->loop.params.len; i++)
			if (sub_eq(p, sub_var(loop->loop.params.at[i])) && step.kind == S_CONST &&
			    step.val.i > 0 && sub_eq(loop->loop.body.res.at[i], e->prim.x[0]))
				return true;
	}
	return false;
}

static Sub next_cond(const Exp *loop)
{
	for (int i = 0; i < loop->loop.params.len; i++)
		if (loop->loop.params.at[i].id == loop->loop.while_cond.id)
			return loop->loop.body.res.at[i];
	return sub_bool(true);
}

// The name of a counter, where iterations are short.
const char *count_turns(Gen *g, const Exp *loop)
{
	if (g->target == ON_DEVICE || body_find(&loop->loop.body, takes_long) ||
	    (g->profile.n_loops > 1 && has_bound(loop, next_cond(loop))))
		return NULL;
	const char *turns = fresh_name(g, "turns");
	rts_use(g->rts, "cancel");
	s_declare(g->c, "uint32_t", turns, x_const("RD_TURNS"));
	return turns;
}

bool is_in_parts(const Gen *g, const Exp *loop)
{
	PrimType t = sub_type(loop->loop.n).elem;
	return g->target == ON_CPU && g->profile.n_loops == 1 &&
	       (loop->loop.n.kind != S_CONST || loop->loop.n.val.i > LONG) &&
	       primtype_size(t) >= 4 && !body_find(&loop->loop.body, takes_long);
}

// Opens a loop over parts of a loop; `from` is a variable that has where it goes on, and `unit`
// divides the lengths of all parts but the last.  The end of a part; the bound if there are none.
CExp begin_parts(Gen *g, const Exp *loop, const char *from, CExp bound, CExp unit)
{
	if (!is_in_parts(g, loop))
		return bound;
	const char *type = c_scalar_type(sub_type(loop->loop.n).elem);
	const char *part = fresh_name(g, "part");
	rts_use(g->rts, "cancel");
	s_repeat(g->c);
	CExp n = unit ? x_times(unit, x_const("RD_PARTS")) : x_const("RD_PART");
	quote(g->c, "$1 $2 = $3 - $4 > $5 ? $4 + $5 : $3;", type, part, bound, from, n);
	return x_name(part);
}

void end_parts(Gen *g, const Exp *loop, const char *from, CExp bound, CExp unit)
{
	if (!is_in_parts(g, loop))
		return;
	ask_to_stop(g);
	s_until_not(g->c, unit ? x_quote("$1 + $2 <= $3", from, unit, bound)
	                       : x_quote("$1 < $2", from, bound));
}

// ---- Recursion ----

void enter_recursion(Gen *g, const Fun *f)
{
	if (g->target == ON_DEVICE || !calls(&f->body, f))
		return;
	rts_use(g->rts, "stack");
	const char *name = text("%.*s", (int)strcspn(f->name, "."), f->name); // not which version
	s_if(g->c, x_call_none("RD_STACK_IS_LOW"));
	leave_function(g, x_call("rd_too_deep", ctx(g), x_const(c_string(name)),
	                         places(g, f->where)));
	s_close(g->c);
	ask_to_stop(g);
}
