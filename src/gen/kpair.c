// Pairs of operations that share most of their work.
//
//     let (c: f64) = cos.f64 x                          double c, s;
//     let (s: f64) = sin.f64 x                    ->    rd_sincos_f64(x, &s, &c);
//
//     let (q: f64) = div.f64 a d                        double inverse = 1.0 / d;
//     let (r: f64) = div.f64 b d                  ->    double q = rd_quotient(a, d, inverse);
//                                                       double r = rd_quotient(b, d, inverse);
//
// The quotients are bitwise equal to those of a division (rts/gpu/kernel.h).
//
// Applied to bodies whose statements are emitted in one C scope: not in the nest of a kernel, which
// kstream.c and ktile_text.c split, nor in loops with scans (kscan.c).
#include "gen/kgen.h"

// Is it a body of threads with a scan in it?
static bool is_scanned(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (has_attr(s->attrs, ATTR_SCAN))
			return true;
	return false;
}

static bool is_in_one_scope(const Gen *g)
{
	if (g->target != ON_DEVICE || !g->kernel || g->counting || g->kernel->tiling ||
	    (g->kernel->of_blocks && (g->thread.at_block || is_scanned(g->body))))
		return false;
	for EACH(const Stm *, level, g->kernel->nest)
		if (g->body == &(*level)->exp->loop.body)
			return false;
	return true;
}

static bool is_prim(const Stm *s, Prim op, PrimType at)
{
	return s->exp->form == E_prim && s->exp->prim.op == op && s->exp->prim.at == at;
}

// ---- Sine and cosine ----

static const Stm *partner(Gen *g, const Stm *s)
{
	PrimType t = s->exp->prim.at;
	Prim other = s->exp->prim.op == P_sin ? P_cos : P_sin;
	for EACH(Stm, u, g->body->stms)
		if (is_prim(u, other, t) && sub_eq(u->exp->prim.x[0], s->exp->prim.x[0]) &&
		    is_needed(g, u->pat.at[0]))
			return u;
	return NULL;
}

static bool gen_sincos(Gen *g, const Stm *s)
{
	VarState *st = state_of(g, s->pat.at[0]);
	if (st->is_paired) {
		st->is_paired = false;
		return true;
	}
	const Stm *other = partner(g, s);
	if (!other || other < s || st->ahead || state_of(g, other->pat.at[0])->ahead)
		return false;
	const Stm *sine = s->exp->prim.op == P_sin ? s : other, *cosine = sine == s ? other : s;
	const char *name = text("rd_sincos_%s", primtype_name[s->exp->prim.at]);
	CExp x = operand(g, s->exp->prim.x[0]);
	rts_use(g->rts, name);
	declare(g, sine->pat.at[0], NULL);
	declare(g, cosine->pat.at[0], NULL);
	s_do(g->c, x_call(name, x, x_address(shown(g, sine->pat.at[0])),
	                  x_address(shown(g, cosine->pat.at[0]))));
	state_of(g, other->pat.at[0])->is_paired = true;
	return true;
}

// ---- Quotients ----

// How many divisions by the same are there, and which is the first?
static int count_divisions(Gen *g, Sub by, const Stm **first)
{
	int n = 0;
	for EACH(Stm, u, g->body->stms)
		if (is_prim(u, P_div, PT_F64) && sub_eq(u->exp->prim.x[1], by) &&
		    is_needed(g, u->pat.at[0])) {
			*first = n++ ? *first : u;
		}
	return n;
}

static bool gen_quotient(Gen *g, const Stm *s)
{
	Sub by = s->exp->prim.x[1];
	const Stm *first = NULL;
	if (by.kind != S_VAR || count_divisions(g, by, &first) < 2)
		return false;
	VarState *st = state_of(g, by.var);
	CExp d = x_group(operand(g, by));
	if (s == first) {
		st->inverse = fresh_name(g, "inverse");
		s_declare(g->c, "double", st->inverse,
		          x_binary(x_const("1.0"), "/", d, PREC_MUL));
	}
	rts_use(g->rts, "rd_quotient");
	define(g, s->pat.at[0],
	       x_call("rd_quotient", operand(g, s->exp->prim.x[0]), d, x_name(st->inverse)));
	return true;
}

bool gen_together(Gen *g, const Stm *s)
{
	if (!is_in_one_scope(g) || s->exp->form != E_prim)
		return false;
	if (is_prim(s, P_div, PT_F64))
		return gen_quotient(g, s);
	PrimType t = s->exp->prim.at;
	bool trig = s->exp->prim.op == P_sin || s->exp->prim.op == P_cos;
	return trig && (t == PT_F32 || t == PT_F64) && gen_sincos(g, s);
}
