// Partial sums for accumulator updates whose index is computed from the counters of the nest.
//
//     screma n (iota n, as, acc) \(i, a, acc) ->
//       screma m (iota m, bs, acc) \(j, b, acc) ->
//         screma l (iota l, b, acc) \(k, x, acc) ->
//           upd_acc acc [i / h, (i % h) * l + k] (a * x)
// becomes
//     parts = withacc zeros \acc2 -> .. upd_acc acc2 [i, k] (a * x) ..
//     screma n (iota n, parts, acc) \(i, p, acc) ->
//       screma l (iota l, p, acc) \(k, x, acc) -> upd_acc acc [i / h, (i % h) * l + k] (x)
//
// If an index does not depend on some dimension of the nest (here j), the contributions along that
// dimension are summed first, in an accumulator indexed directly by the other dimensions.  That
// sum is a reduction (acc.c), usually a matrix product, and leaves one addition to each computed
// index instead of m.  Derivatives of tensors that are read at computed indices (attention heads,
// matrix blocks) have this form.
//
// Requires: indices that are computed from row numbers and from invariants of the nest.
// Assertions that the update names are named by the added value too, or are copied: they then hold
// where a dimension that is summed has no rows.
//
// Ensures: equal results up to the order of additions.
#include "opt/acc.h"

// ---- Which updates ----

typedef struct { const Plan *plan; Map *in; DimSet deps; Vars certs; bool fails; } Need;

static void need(Need *, Sub);

static void need_operand(Visit *v, Sub *s)
{
	need(v->ctx, *s);
}

static bool is_of_scalars(const Stm *s)
{
	Form f = s->exp->form;
	return (f == E_prim || f == E_convert || f == E_atom || f == E_assert_) &&
	       s->pat.len == 1 && !vars[s->pat.at[0].id].type.dims.len;
}

static void need(Need *n, Sub s)
{
	const PathVar *x = path_var(n->plan, s);
	if (!x || n->fails)
		return;
	if (!x->stm) {
		n->fails |= !x->is_index;
		n->deps |= x->deps;
		return;
	}
	if (map_has(n->in, x->stm))
		return;
	if (!is_of_scalars(x->stm)) {
		n->fails = true;
		return;
	}
	map_put(n->in, x->stm, (void *)x->stm);
	Visit v = {.sub = need_operand, .ctx = n};
	exp_walk(x->stm->exp, &v);
	for EACH(Var, c, x->stm->certs)
		need(n, sub_var(*c));
}

typedef struct { const Plan *plan; Map seen; Var cert; bool found; } Names;

static void look_at(Visit *v, Sub *s)
{
	Names *n = v->ctx;
	const PathVar *x = path_var(n->plan, *s);
	if (!x || !x->stm || n->found || map_has(&n->seen, x->stm))
		return;
	map_put(&n->seen, x->stm, (void *)x->stm);
	for EACH(Var, c, x->stm->certs)
		n->found |= c->id == n->cert.id;
	exp_walk(x->stm->exp, v);
}

// Is the value computed by statements that name the assertion, which then stay with it?
static bool value_names(const Plan *p, Var cert)
{
	Names n = {.plan = p, .cert = cert};
	Visit v = {.sub = look_at, .ctx = &n};
	Sub value = p->site->upd->exp->upd_acc.vals.at[0];
	look_at(&v, &value);
	return n.found;
}

bool part_plan(PartSum *out, const Site *s, const AccDefs *defs, int depth)
{
	*out = (PartSum){0};
	Plan *p = &out->plan;
	Need n = {.plan = p, .in = &out->needed};
	if (!plan_path(p, s, defs, depth))
		return false;
	for EACH(Sub, i, s->upd->exp->upd_acc.idx)
		need(&n, *i);
	DimSet dims = n.deps;
	VEC(Var) certs = {0};
	for EACH(Var, c, s->upd->certs)
		if (!value_names(p, *c)) {
			need(&n, sub_var(*c));
			VEC_PUSH(&certs, *c);
		}
	if (n.fails || n.deps != dims || dims == dims_below(s->dims.len))
		return false;
	out->certs = VEC_SLICE(Vars, certs);
	out->dims = dims;
	out->factor = (Factor){.plan = p, .with = s->upd->exp->upd_acc.vals, .level = s->dims.len,
	                       .body = s->path.len};
	for (int d = 0; d < s->dims.len; d++)
		if (dims >> d & 1)
			out->factor.dims[out->factor.n_dims++] = d;
	return out->factor.n_dims > 0;
}

// ---- The additions ----

typedef struct { Build *b; const PartSum *part; Map names; Sub i[MAX_DIMS]; } Emit;

static void name_sub(Visit *v, Sub *s)
{
	Emit *e = v->ctx;
	const PathVar *x = path_var(&e->part->plan, *s);
	const Sub *to = s->kind == S_VAR ? map_get(&e->names, var_key(s->var)) : NULL;
	if (to)
		*s = *to;
	else if (x && !x->stm)
		*s = e->i[x->dim];
}

// Copies of what the index is computed by, and the update.
static Sub emit_update(Emit *e, Sub acc, Sub value)
{
	const Plan *p = &e->part->plan;
	Visit v = {.sub = name_sub, .copy = true, .ctx = e};
	for EACH(LineStm, l, p->line) {
		if (!map_has(&e->part->needed, l->stm))
			continue;
		Stm s = *l->stm;
		stm_visit(&s, &v);
		Var to = var_new(vars[s.pat.at[0].id].hint, vars[s.pat.at[0].id].type);
		map_put(&e->names, var_key(s.pat.at[0]), NEW(Sub, .kind = S_VAR, .var = to));
		s.pat = vars_of(1, to);
		DimSet left = dims_left(p, l->level, e->part->dims);
		if (left && !is_safe_anywhere(p, l->stm))
			emit_guarded(e->b, p, s, left);
		else
			b_emit(e->b, s);
	}
	Subs idx = SLICE_DUP(Subs, p->site->upd->exp->upd_acc.idx);
	for EACH(Sub, i, idx)
		name_sub(&v, i);
	Stm s = {.pat = vars_of(1, var_new(name_of("acc"), sub_type(acc))),
	         .certs = SLICE_DUP(Vars, e->part->certs), .where = p->site->upd->where,
	         .exp = EXP(upd_acc, acc, idx, subs_of(1, value))};
	for EACH(Var, c, s.certs) {
		Sub named = sub_var(*c);
		name_sub(&v, &named);
		*c = named.var;
	}
	b_emit(e->b, s);
	return sub_var(s.pat.at[0]);
}

static Sub emit_level(Emit *e, int k, Sub acc, Sub parts)
{
	const Factor *f = &e->part->factor;
	Build *b = e->b;
	if (k == f->n_dims)
		return emit_update(e, acc, parts);
	Sub n = dim_size(&e->part->plan, f->dims[k]), rows = b_iota(b, n);
	Type row = type_plain(type_row(sub_type(parts)));
	Var i = var_i64("i"), x = var_new(name_of("x"), row),
	        inner = var_new(name_of("acc"), sub_type(acc));
	e->i[f->dims[k]] = sub_var(i);
	b_open(b);
	Sub r = emit_level(e, k + 1, sub_var(inner), sub_var(x));
	Lambda *l = b_lambda(b, vars_of(3, i, x, inner), subs_of(1, r));
	return b_let(b, "acc", sub_type(acc), EXP(screma, .n = n,
	                                          .arrs = subs_of(3, rows, parts, acc), .map = l));
}

Sub part_emit(Build *b, PartSum *part, Sub to)
{
	Type t = type_plain(sub_type(to));
	Emit e = {.b = b, .part = part};
	Var token = var_new(name_of("token"), type_cert());
	Types elems = {NEW(Type, .kind = T_DATA, .elem = t.elem), 1};
	Type type = {.kind = T_ACC, .acc = NEW(AccType, token, t.dims, elems)};
	Var acc = var_new(name_of("acc"), type);
	b_open(b);
	Sub r = emit_level(&e, 0, sub_var(acc), sub_var(part->factor.sums));
	Lambda *fn = b_lambda(b, vars_of(2, token, acc), subs_of(1, r));
	AccInputs in = {NEW_ARRAY(AccInput, 1), 1};
	in.at[0] = (AccInput){t.dims, subs_of(1, to), b_operator(b, P_add, t.elem),
	                      subs_of(1, sub_const(scalar_int(t.elem, 0)))};
	return b_let(b, "adj", t, EXP(withacc, in, fn));
}
