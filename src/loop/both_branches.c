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
// So it is with parallel loops that run others inside, whose iterations are the lanes of vectors
// then (src/gen/clanes.c): steps in time of particles, of which each has a material, for one.
//
// The branches have operations on floats, comparisons and choices alone: nothing that fails, and
// no loads, which may be outside of arrays where the branch is not taken.  `match` is a choice by
// several comparisons; tags are integers in lanes as wide as the floats.  Where there are loops
// inside, choices that are the same in all lanes stay choices, and so do those of what takes long:
// code generation passes over it where no lane takes it.
//
// Requires: the pass `seq`.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/split.h"

bool is_narrow_tag(PrimType t)
{
	return t == PT_I8 || t == PT_I16;
}

bool has_vector_prim(Prim op, PrimType t)
{
	if (t == PT_BOOL)
		return op == P_and || op == P_or || op == P_not;
	if (is_narrow_tag(t))
		return op == P_eq || op == P_lt || op == P_le;
	if (t == PT_I32 || t == PT_I64)
		return op == P_add || op == P_sub || op == P_min || op == P_max || op == P_eq ||
		       op == P_lt || op == P_le;
	return (t == PT_F32 || t == PT_F64) && prim_in_vectors(op);
}

// ---- Which loops ----

typedef struct {
	Around a;
	bool has[N_PRIMTYPE];         // what differs from lane to lane is of
	int n_stms;                     // of the body, with its branches, that differ in lanes
	int n_params;                   // scalars that it and loops inside carry
	bool work;                      // in a branch
	bool adds_i32;                  // which are to be as wide as the floats then
	bool nested, inside;            // loops inside are allowed; this is in one of them
	Map kept;                       // choices (Exp *) that all lanes make alike, or that cost
} Lanes;

static bool is_comparison(Prim op)
{
	return op == P_eq || op == P_lt || op == P_le;
}

static bool differs(const Lanes *l, Sub x)
{
	return rate(&l->a.rates, x) == OTHERWISE;
}

static bool suits_prim(Lanes *l, const Exp *e)
{
	l->adds_i32 |= e->prim.at == PT_I32 && !is_comparison(e->prim.op);
	for (int k = 0; k < prim_arity(e->prim.op); k++)
		l->has[e->prim.at] |= differs(l, e->prim.x[k]);
	return has_vector_prim(e->prim.op, e->prim.at);
}

static bool is_costly(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_prim && (prim_is_function(e->prim.op) || e->prim.op == P_sqrt ||
	                             (e->prim.op == P_div && is_float(e->prim.at)));
}

static int n_stms_of_branches(const Exp *e)
{
	int n = 0;
	for (int k = 0; k < n_branches(e); k++)
		n += branch_at(e, k)->stms.len;
	return n;
}

static bool suits_choice(Lanes *, const Stm *);

static bool suits_branch(Lanes *l, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		for EACH(Var, v, s->pat)
			set_rate(&l->a.rates, *v, OTHERWISE);
		bool suits = n_branches(e) ? suits_choice(l, s)
		           : e->form == E_prim ? suits_prim(l, e) : e->form == E_atom;
		if (!suits || s->certs.len)
			return false;
		l->n_stms += s->pat.len;
	}
	l->work |= b->stms.len > 0;
	return true;
}

static bool suits_body(Lanes *, const Body *);

// The same branch for all lanes: it stays one, and may load.
static bool suits_kept(Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	map_put(&l->kept, e, (void *)e);
	l->work = true;
	for (int k = 0; k < n_branches(e); k++)
		if (!suits_body(l, branch_at(e, k)))
			return false;
	return vars_are_scalars(s->pat) && !s->certs.len;
}

static bool suits_choice(Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	int n = n_branches(e);
	bool simple = e->form == E_if_ && s->pat.len == 1 && !n_stms_of_branches(e);
	for EACH(Var, v, s->pat)
		l->has[vars[v->id].type.elem] = true;
	if (l->nested && !simple && !differs(l, e->form == E_if_ ? e->if_.cond : e->match.x))
		return suits_kept(l, s);
	l->n_stms += (n - 1) * s->pat.len;
	l->work |= l->nested && (e->form == E_match || s->pat.len > 1);
	if (e->form == E_match) {
		PrimType t = sub_type(e->match.x).elem;
		l->has[t] |= differs(l, e->match.x);
		l->n_stms += n - 1;
		if (!has_vector_prim(P_eq, t))
			return false;
	}
	for (int k = 0; k < n; k++) {
		if (!suits_branch(l, branch_at(e, k)))
			return false;
		// Often no lane takes a branch, such as that of rays that meet something.
		if (l->nested && body_find(branch_at(e, k), is_costly))
			map_put(&l->kept, e, (void *)e);
	}
	return vars_are_scalars(s->pat) && !s->certs.len;
}

static bool suits_store(Lanes *l, const Exp *e)
{
	PrimType t = sub_type(e->update.val).elem;
	l->adds_i32 |= t == PT_I32;
	if (t == PT_BOOL || is_narrow_tag(t))
		return false;
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	for EACH(DimSlice, d, e->update.at) {
		if (!d->fixed)
			return false;
		idx.at[idx.len++] = d->start;
	}
	return rate_of_index(&l->a.rates, idx) == BY_ONE;
}

// Numbers alone are loaded in vectors where they are narrower than lanes.
static bool is_loaded(PrimType t)
{
	return is_float(t) || t == PT_BOOL || t == PT_I32 || is_narrow_tag(t);
}

static bool suits_load(Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	PrimType t = vars[s->pat.at[0].id].type.elem;
	int r = rate_of_index(&l->a.rates, e->index.idx);
	set_rate(&l->a.rates, s->pat.at[0], r == STAYS ? STAYS : OTHERWISE);
	l->has[t] |= r != STAYS;
	// What is bound inside may be a slice that changes with the index.
	const Stm *array = map_get(&l->a.inside, var_key(e->index.arr.var));
	if (l->nested && array && array != (void *)l->a.loop)
		return false;
	return is_simple_scalar(s) && (r == STAYS || (r == BY_ONE && is_loaded(t)));
}

static bool suits_stm(Lanes *, const Stm *);

// What is within a loop or a branch.
static bool suits_body(Lanes *l, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		for EACH(Var, v, s->pat) {
			map_put(&l->a.inside, var_key(*v), (void *)s);
			int r = is_simple_scalar(s) ? rate_of_exp(&l->a.rates, s->exp) : OTHERWISE;
			set_rate(&l->a.rates, *v, r);
		}
		if (!suits_stm(l, s))
			return false;
	}
	return true;
}

// A loop inside: all lanes have as many iterations, and it carries scalars.
static bool suits_inner(Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	if (!l->nested || s->certs.len || e->loop.is_while ||
	    (e->loop.n.kind == S_VAR && map_has(&l->a.inside, var_key(e->loop.n.var))))
		return false;
	for EACH(Var, p, e->loop.params) {
		if (!type_is_scalar(vars[p->id].type))
			return false;
		l->has[vars[p->id].type.elem] = true;
		set_rate(&l->a.rates, *p, OTHERWISE);
	}
	l->n_params += e->loop.params.len;
	set_rate(&l->a.rates, e->loop.i, STAYS);
	map_put(&l->a.inside, var_key(e->loop.i), (void *)s);
	bool outside = !l->inside;
	l->inside = true;
	if (!suits_body(l, &e->loop.body))
		return false;
	l->inside = !outside;
	return true;
}

// An index as a float.
static bool suits_count(Lanes *l, const Exp *e)
{
	l->has[e->convert.to] = true;
	return rate(&l->a.rates, e->convert.x) == BY_ONE && is_float(e->convert.to) &&
	       sub_type(e->convert.x).elem == PT_I64;
}

static bool suits_stm(Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	bool same = l->nested && is_simple_scalar(s) && !differs(l, sub_var(s->pat.at[0]));
	l->n_stms += !same;
	switch (e->form) {
	case E_if_: case E_match:
		return suits_choice(l, s);
	case E_update:
		return !l->inside && suits_store(l, e);
	case E_prim:
		return !differs(l, sub_var(s->pat.at[0])) || suits_prim(l, e);
	case E_convert:
		return !differs(l, sub_var(s->pat.at[0])) || suits_count(l, e);
	case E_index:
		return suits_load(l, s);
	case E_loop:
		return suits_inner(l, s);
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

// Floats of one type, and beside them only what is as wide, or may be widened.
static bool suits_types(const Lanes *l)
{
	bool wide = l->has[PT_F64];
	for (int t = 0; t < N_PRIMTYPE; t++)
		if (l->has[t] && t != PT_BOOL && t != (wide ? PT_F64 : PT_F32) &&
		    t != (wide ? PT_I64 : PT_I32) && t != PT_I32 && !is_narrow_tag(t))
			return false;
	return (wide && !l->adds_i32) || (!wide && l->has[PT_F32]);
}

static bool has_loops(const Exp *loop)
{
	for EACH(Stm, s, loop->loop.body.stms)
		if (s->exp->form == E_loop)
			return true;
	return false;
}

static bool find_choices(Lanes *l, const Stm *s)
{
	const Exp *e = s->exp;
	if (!is_counted(e) || !suits_params(e))
		return false;
	*l = (Lanes){.a = around_of(e), .nested = has_loops(e)};
	if (l->nested && !has_attr(s->attrs, ATTR_PARALLEL))
		return false;
	for EACH(Var, p, e->loop.params)
		l->n_params += type_is_scalar(vars[p->id].type);
	for EACH(Stm, inner, e->loop.body.stms)
		if (!suits_stm(l, inner))
			return false;
	bool fits = l->n_stms <= MOST_LANE_STMS &&
	            (!l->nested || l->n_params <= MOST_LANE_PARAMS);
	return l->work && fits && suits_types(l);
}

// ---- What becomes of them ----

// The conditions of all branches but the last: that of an `if`, or comparisons.
static Subs emit_conditions(Build *b, const Exp *e)
{
	int n = n_branches(e) - 1;
	Subs conds = {NEW_ARRAY(Sub, n), n};
	for (int k = 0; k < n; k++)
		conds.at[k] = e->form == E_if_
		            ? e->if_.cond
		            : b_eq(b, e->match.x, sub_const(e->match.cases.at[k].value));
	return conds;
}

typedef struct { Build b; Lanes l; } Flat;

static void emit_flat(Flat *, Stms);

static Body flat_body(Flat *f, const Body *b)
{
	b_open(&f->b);
	emit_flat(f, b->stms);
	return b_close(&f->b, b->res);
}

// Chooses among results: the first whose condition holds, or that of the last branch.
static void emit_choice(Flat *f, const Stm *s)
{
	const Exp *e = s->exp;
	int n = n_branches(e);
	for (int k = 0; k < n; k++)
		emit_flat(f, branch_at(e, k)->stms);
	Subs conds = emit_conditions(&f->b, e);
	for (int r = 0; r < s->pat.len; r++) {
		Sub rest = branch_at(e, n - 1)->res.at[r];
		for (int k = n - 2; k >= 0; k--) {
			Body yes = {.res = subs_of(1, branch_at(e, k)->res.at[r])};
			Body no = {.res = subs_of(1, rest)};
			Var v = s->pat.at[r];
			Stm choice = *s;
			choice.pat = vars_of(1, k ? var_new(vars[v.id].hint, vars[v.id].type) : v);
			choice.exp = EXP(if_, .cond = conds.at[k], .yes = yes, .no = no);
			b_emit(&f->b, choice);
			rest = sub_var(choice.pat.at[0]);
		}
	}
}

// A choice that stays one, by `if` where lanes differ: branches i and further.
static Exp *kept_choice(Flat *f, const Stm *s, Subs conds, int i)
{
	const Exp *e = s->exp;
	Body yes = flat_body(f, branch_at(e, i)), no;
	if (i + 2 < n_branches(e)) {
		Vars pat = vars_like(s->pat);
		Stm rest = {.pat = pat, .exp = kept_choice(f, s, conds, i + 1), .where = s->where};
		no = (Body){.stms = {mem_dup(&rest, sizeof rest), 1}, .res = subs_of_vars(pat)};
	} else {
		no = flat_body(f, branch_at(e, i + 1));
	}
	return EXP(if_, .cond = conds.at[i], .yes = yes, .no = no);
}

static void emit_kept(Flat *f, const Stm *s)
{
	Stm out = *s;
	if (s->exp->form == E_match && rate(&f->l.a.rates, s->exp->match.x) != STAYS) {
		out.exp = kept_choice(f, s, emit_conditions(&f->b, s->exp), 0);
	} else {
		out.exp = choice_copy(s->exp);
		for (int k = 0; k < n_branches(s->exp); k++)
			*branch_at(out.exp, k) = flat_body(f, branch_at(s->exp, k));
	}
	b_emit(&f->b, out);
}

static Stm flat_loop(Flat *f, const Stm *s)
{
	Stm out = *s;
	out.exp = exp_dup(s->exp);
	out.exp->loop.body = flat_body(f, &s->exp->loop.body);
	return out;
}

static void emit_flat(Flat *f, Stms stms)
{
	for EACH(Stm, s, stms)
		if (map_has(&f->l.kept, s->exp))
			emit_kept(f, s);
		else if (n_branches(s->exp))
			emit_choice(f, s);
		else
			b_emit(&f->b, s->exp->form == E_loop ? flat_loop(f, s) : *s);
}

static bool has_choices(const Stm *s)
{
	Lanes l;
	return find_choices(&l, s);
}

static bool flatten_choices(void *ctx, const Stm *s)
{
	Flat *f = ctx;
	if (!find_choices(&f->l, s) || !may_rewrite())
		return false;
	b_emit(&f->b, flat_loop(f, s));
	return true;
}

Prog *both_branches(Prog *prog)
{
	Flat f = {0};
	return prog_rewrite_stms(prog, has_choices, &f.b, flatten_choices, &f);
}
