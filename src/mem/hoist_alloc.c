// The pass `hoist_alloc`: moves allocations out of loops.
//
//     loop ... for i: i64 < n do {                let (k: i64) = mul.i64 p q
//       let (k: i64) = mul.i64 p q                let (m: mem.f64) = alloc.f64 k
//       let (m: mem.f64) = alloc.f64 k      ->    loop ... for i: i64 < n do {
//       ...                                         ...
//     }                                           }
//
// Obligations: the block is used only as a place of arrays, so no iteration sees what another left
// in it and each writes before it reads; the size is invariant, and does not depend on an assertion
// in the body.  The arithmetic that computes the size is hoisted along if it cannot fail; it is
// hoisted without the block too, so that double_buffer finds invariant sizes outside.
//
// Inside loops, allocations also leave branches unless they depend on an assertion.  A size that is
// meaningful only where the body runs may be negative outside; then nothing is allocated.
//
// The iterations of parallel regions and kernels run concurrently, so their blocks stay inside
// (expand.c handles those of kernels).
//
// Requires: the MEM stage without releases.  Inner loops are processed first, so that a block
// leaves as many loops as possible.
#include "mem/uses.h"
#include "opt/opt.h"

typedef struct { Map funs; int loops; } Hoist;  // loops around

typedef struct {
	const Body *body;
	Map at;                                 // variable of the body -> its statement, plus 1
	Map own;                                // parameters and counter of the loop
	bool *moves;                            // by statement
} Inside;

static bool can_leave(Inside *in, Sub s);

static bool all_leave(Inside *in, const Stm *s)
{
	const Exp *e = s->exp;
	for EACH(Var, c, s->certs)
		if (!can_leave(in, sub_var(*c)))
			return false;
	if (e->form == E_convert)
		return can_leave(in, e->convert.x);
	if (e->form != E_prim || prim_can_fail(e->prim.op, e->prim.at))
		return false;
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (!can_leave(in, e->prim.x[i]))
			return false;
	return true;
}

// Is the operand the same for all iterations?  What has to move for it is marked.
static bool can_leave(Inside *in, Sub s)
{
	if (s.kind != S_VAR)
		return true;
	if (map_has(&in->own, var_key(s.var)))
		return false;
	uintptr_t at = (uintptr_t)map_get(&in->at, var_key(s.var));
	if (!at || in->moves[at - 1])
		return true;
	return in->moves[at - 1] = all_leave(in, &in->body->stms.at[at - 1]);
}

static Inside inside_of(const Body *b)
{
	Inside in = {.body = b, .moves = NEW_ARRAY(bool, b->stms.len + 1)};
	for (int i = 0; i < b->stms.len; i++)
		vars_put(&in.at, b->stms.at[i].pat, (void *)(uintptr_t)(i + 1));
	return in;
}

static void add_own(Inside *in, const Exp *loop)
{
	vars_put(&in->own, loop->loop.params, in);
	if (!loop->loop.is_while)
		map_put(&in->own, var_key(loop->loop.i), in);
}

static bool certs_leave(Inside *in, Vars certs)
{
	for EACH(Var, c, certs)
		if (!can_leave(in, sub_var(*c)))
			return false;
	return true;
}

// Splits the body of a loop or (loop is NULL) of a branch: what leaves goes to `out`, in order.
// Arithmetic leaves only where an allocation needs it, whether or not that leaves as well.
static void split(Body *b, const Exp *loop, StmVec *out)
{
	bool any = false;
	for EACH(Stm, s, b->stms)
		any |= s->exp->form == E_alloc;
	if (!any)
		return;
	Inside in = inside_of(b);
	if (loop)
		add_own(&in, loop);
	Uses uses = uses_of_body(b);
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (s->exp->form != E_alloc)
			continue;
		const BlockUse *u = block_use(&uses, s->pat.at[0]);
		bool fixed = certs_leave(&in, s->certs) && can_leave(&in, s->exp->alloc.n);
		in.moves[i] = fixed && (!u || !u->n_operand) && (loop || !s->certs.len) &&
		              may_rewrite();
	}
	StmVec stay = {0};
	for (int i = 0; i < b->stms.len; i++)
		if (in.moves[i])
			VEC_PUSH(out, b->stms.at[i]);
		else
			VEC_PUSH(&stay, b->stms.at[i]);
	b->stms = VEC_SLICE(Stms, stay);
}

static void split_branches(Exp *e, StmVec *out)
{
	for (int i = 0; i < n_branches(e); i++)
		split(branch_at(e, i), NULL, out);
}

static void do_body(Visit *v, Body *b)
{
	Hoist *h = v->ctx;
	StmVec out = {0};
	if (!has_nested(b))
		return;
	for EACH(Stm, s, b->stms) {
		Stm t = *s;
		bool loop = t.exp->form == E_loop;
		h->loops += loop;
		t.exp = exp_visit(t.exp, v);
		h->loops -= loop;
		if (loop && !runs_at_once(t.attrs))
			split(&t.exp->loop.body, t.exp, &out);
		else if (h->loops && (t.exp->form == E_if_ || t.exp->form == E_match))
			split_branches(t.exp, &out);
		VEC_PUSH(&out, t);
	}
	b->stms = VEC_SLICE(Stms, out);
}

Prog *hoist_alloc(Prog *prog)
{
	Hoist h = {0};
	Visit v = {.body = do_body, .funs = &h.funs, .copy = true, .ctx = &h};
	Prog *out = prog_copy(prog, &h.funs);
	for EACH(Fun *, f, out->funs)
		do_body(&v, &(*f)->body);
	return out;
}
