// The pass `both_branches`: computes both branches of a choice before it, in innermost loops that
// are then vectorised; the choice selects one of the values.
//
//     loop (s = 0) for i < n do {                      loop (s = 0) for i < n do {
//       let (x) = index xs [i]                           let (x) = index xs [i]
//       let (r) = if 0 < x then {                        let (l) = log x
//         let (l) = log x                         ->     let (m) = mul x l
//         in mul x l                                     let (r) = if 0 < x then {m} else {0}
//       } else {0}                                       in add s r
//       in add s r                                     }
//     }
//
// Entropies, divergences and functions in pieces have this form.  One iteration does more, but
// several of them go in one vector (src/gen/cvector.c), which has both branches computed anyway.
// Where iterations depend on each other, or something has no vector form, branches stay as they
// are.
//
// The branches have operations on floats, comparisons and choices alone: nothing that fails, and
// no loads, which may be outside of arrays where the branch is not taken.
//
// Requires: the pass `seq`.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/split.h"

enum { MOST_STMS = 120 };               // that cpartial.c takes

bool has_vector_prim(Prim op, PrimType t)
{
	if (t == PT_BOOL)
		return op == P_and || op == P_or || op == P_not;
	if (t == PT_I32 || t == PT_I64)
		return op == P_add || op == P_sub || op == P_min || op == P_max || op == P_eq ||
		       op == P_lt || op == P_le;
	if (t != PT_F32 && t != PT_F64)
		return false;
	switch (op) {
	case P_add: case P_sub: case P_mul: case P_div: case P_neg: case P_abs: case P_min:
	case P_max: case P_eq: case P_lt: case P_le: case P_sqrt: case P_exp: case P_log:
	case P_tanh: case P_sin: case P_cos: case P_pow: case P_isnan: case P_sgn: case P_log1p:
		return true;
	default: // not worth it, or not of floats
		return false;
	}
}

// ---- Which loops ----

typedef struct {
	Around a;
	bool has[N_PRIMTYPE];         // what differs from lane to lane is of
	int n_stms;                     // of the body, without its branches
	bool work;                      // in a branch
} Lanes;

static bool differs(const Lanes *l, Sub x)
{
	return rate(&l->a.rates, x) == OTHERWISE;
}

static bool suits_prim(Lanes *l, const Exp *e)
{
	for (int k = 0; k < prim_arity(e->prim.op); k++)
		l->has[e->prim.at] |= differs(l, e->prim.x[k]);
	return has_vector_prim(e->prim.op, e->prim.at);
}

static bool suits_choice(Lanes *, const Stm *);

static bool suits_branch(Lanes *l, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		for EACH(Var, v, s->pat)
			set_rate(&l->a.rates, *v, OTHERWISE);
		bool suits = e->form == E_if_ ? suits_choice(l, s)
		           : e->form == E_prim ? suits_prim(l, e) : e->form == E_atom;
		if (!suits || s->certs.len)
			return false;
		l->n_stms += s->pat.len;
	}
	l->work |= b->stms.len > 0;
	return true;
}

static bool suits_choice(Lanes *l, const Stm *s)
{
	for EACH(Var, v, s->pat)
		l->has[vars[v->id].type.elem] = true;
	return vars_are_scalars(s->pat) && !s->certs.len && suits_branch(l, &s->exp->if_.yes) &&
	       suits_branch(l, &s->exp->if_.no);
}

static bool suits_store(const Lanes *l, const Exp *e)
{
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	for EACH(DimSlice, d, e->update.at) {
		if (!d->fixed)
			return false;
		idx.at[idx.len++] = d->start;
	}
	return rate_of_index(&l->a.rates, idx) == BY_ONE;
}

static bool suits_load(Lanes *l, const Stm *s)
{
	PrimType t = vars[s->pat.at[0].id].type.elem;
	int r = rate_of_index(&l->a.rates, s->exp->index.idx);
	l->has[t] |= r != STAYS;
	return is_simple_scalar(s) && (r == STAYS || (r == BY_ONE && is_float(t)));
}

static bool suits_stm(Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	l->n_stms++;
	switch (e->form) {
	case E_if_:
		return suits_choice(l, s);
	case E_update:
		return suits_store(l, e);
	case E_prim:
		return !differs(l, sub_var(s->pat.at[0])) || suits_prim(l, e);
	case E_convert:
		return !differs(l, sub_var(s->pat.at[0]));
	case E_index:
		return suits_load(l, s);
	default: // a name, or no vector
		return e->form == E_atom;
	}
}

static bool suits_params(const Exp *e)
{
	Prim op;
	PrimType t;
	for (int k = 0; k < e->loop.params.len; k++)
		if (type_is_scalar(vars[e->loop.params.at[k].id].type) &&
		    !loop_reduction(e, k, &op, &t))
			return false;
	return true;
}

// Floats of one type, and beside them only what is as wide.
static bool suits_types(const Lanes *l)
{
	bool wide = l->has[PT_F64];
	for (int t = 0; t < N_PRIMTYPE; t++)
		if (l->has[t] && t != PT_BOOL && t != (wide ? PT_F64 : PT_F32) &&
		    t != (wide ? PT_I64 : PT_I32))
			return false;
	return wide || l->has[PT_F32];
}

static bool has_choices(const Stm *s)
{
	const Exp *e = s->exp;
	if (!is_counted(e) || !suits_params(e))
		return false;
	Lanes l = {.a = around_of(e)};
	for EACH(Stm, inner, e->loop.body.stms)
		if (!suits_stm(&l, inner))
			return false;
	return l.work && l.n_stms <= MOST_STMS && suits_types(&l);
}

// ---- What becomes of them ----

static void emit_flat(StmVec *out, Stms stms)
{
	for EACH(Stm, s, stms) {
		const Exp *e = s->exp;
		if (e->form != E_if_) {
			VEC_PUSH(out, *s);
			continue;
		}
		emit_flat(out, e->if_.yes.stms);
		emit_flat(out, e->if_.no.stms);
		for (int k = 0; k < s->pat.len; k++) {
			Stm choice = *s;
			Body yes = {.res = subs_of(1, e->if_.yes.res.at[k])};
			Body no = {.res = subs_of(1, e->if_.no.res.at[k])};
			choice.pat = vars_of(1, s->pat.at[k]);
			choice.exp = EXP(if_, .cond = e->if_.cond, .yes = yes, .no = no);
			VEC_PUSH(out, choice);
		}
	}
}

static bool flatten_choices(void *ctx, const Stm *s)
{
	if (!may_rewrite())
		return false;
	StmVec stms = {0};
	emit_flat(&stms, s->exp->loop.body.stms);
	Stm out = *s;
	out.exp = exp_dup(s->exp);
	out.exp->loop.body.stms = VEC_SLICE(Stms, stms);
	b_emit(ctx, out);
	return true;
}

Prog *both_branches(Prog *prog)
{
	Build b = {0};
	return prog_rewrite_stms(prog, has_choices, &b, flatten_choices, &b);
}
