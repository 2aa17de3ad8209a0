// The pass `late_sums`: lets a host loop that adds a sum over rows to a scalar in each iteration
// add row by row instead, and sums the rows after the loop.
//
//     loop (s = s0, x = x0) for j < k do {         (v, x) = loop (v = zeros, x = x0) for j < k do {
//       (r, x1) = screma n (x, ..)                   (v1, x1) = screma n (v, x, ..)
//         map=\x .. -> y, z             ->             map=\e x .. -> e + y, z
//         reduce=(0) (+)                             in v1, x1 }
//       in s + r, x1 }                             s = s0 + reduce (+) 0 v
//
// The adjoint of a parameter that all rows share is such a scalar.  A sum over all threads ends a
// kernel, and what it is added to needs another; elementwise kernels are fused, and if nothing
// else is left, `loop_threads` runs the whole loop inside of the threads.
//
// More generally the scalars x, y, .. of an iteration are treated in this way that are linear in
// sums over one space: sums of scalars like that, differences, multiples; if they are carried to
// the next iteration, that starts at 0, or only adds to them.  Instead of addition the operator
// may be the minimum or the maximum.  Spaces have one or more levels (sums of sums).
//
// One vector per scalar is carried, which is worth it if
//     the loop can run inside of threads, where the vectors are registers;
//     or it goes through more than the space anyway, so that their traffic does not matter.
// There is always another array of that size: the order of memory use does not change.
//
// Requires: the SOAC stage.  Ensures: equal results up to the order of additions.
#include "device/late_sums.h"
#include "device/loop_threads.h"
#include "opt/checked.h"

// ---- Combinators that give rows instead of sums ----

static Type type_of_level(const Late *l, PrimType t, int level)
{
	Subs dims = subs_part(l->dims, level, l->dims.len - level);
	return dims.len ? type_array(t, dims) : type_scalar(t);
}

static Stm lifted(Late *, const Stm *, const Map *sums, int level);

// Those of the combinators there that give these sums.
static Stms lift_all(Late *l, Stms stms, const Map *sums, int level)
{
	Stms out = SLICE_DUP(Stms, stms);
	for EACH(Stm, s, out)
		if (vars_any_in(s->pat, sums))
			*s = lifted(l, s, sums, level);
	return out;
}

// The results of the combinator in their new order: sums that become rows are the last.
static int *order_of(const Stm *s, const Map *sums, int *n_kept)
{
	int *order = NEW_ARRAY(int, s->pat.len + 1), n = 0;
	for (int last = 0; last < 2; last++) {
		for (int i = 0; i < s->pat.len; i++)
			if (map_has(sums, var_key(s->pat.at[i])) == last)
				order[n++] = i;
		if (!last)
			*n_kept = n;
	}
	return order;
}

static Reductions kept_reductions(const Stm *s, const Map *sums)
{
	VEC(Reduction) reds = {0};
	for (int k = 0; k < s->exp->screma.reds.len; k++)
		if (!map_has(sums, var_key(s->pat.at[place_of_reduction(s->exp, k)])))
			VEC_PUSH(&reds, s->exp->screma.reds.at[k]);
	return VEC_SLICE(Reductions, reds);
}

static Stm lifted(Late *l, const Stm *s, const Map *sums, int level)
{
	const Lambda *f = s->exp->screma.map;
	int n = s->pat.len, kept = n, *order = order_of(s, sums, &kept);
	Vars pat = {NEW_ARRAY(Var, n), n};
	Subs res = {NEW_ARRAY(Sub, n), n};
	Types ret = {NEW_ARRAY(Type, n), n};
	Stms stms = f->body.stms;
	Map inner = {0};
	for (int i = kept; level + 1 < l->dims.len && i < n; i++)
		map_put(&inner, var_key(f->body.res.at[order[i]].var), l);
	if (inner.len)
		stms = lift_all(l, stms, &inner, level + 1);
	for (int i = 0; i < n; i++) {
		Var x = s->pat.at[order[i]];
		PrimType t = vars[x.id].type.elem;
		pat.at[i] = x;
		ret.at[i] = f->ret.at[order[i]];
		res.at[i] = f->body.res.at[order[i]];
		if (i < kept)
			continue;
		pat.at[i] = var_new(vars[x.id].hint, type_of_level(l, t, level));
		ret.at[i] = type_of_level(l, t, level + 1);
		subst_put(&l->vector, x, sub_var(pat.at[i]));
		if (inner.len)
			res.at[i] = sub_subst(&l->vector, res.at[i]);
	}
	Stm out = *s;
	out.pat = pat;
	out.exp = exp_dup(s->exp);
	out.exp->screma.reds = kept_reductions(s, sums);
	out.exp->screma.map = NEW(Lambda, f->params, ret, {stms, res});
	return out;
}

// ---- The new loop ----

// What is added to a parameter if that is a multiple of a sum, by a factor that all iterations
// share: the sum is added as it is, and what comes out multiplied.
static const Stm *multiple_of(const Late *l, int k)
{
	const Stm *s = stm_in(l->body, l->body->res.at[k]);
	Sub p = sub_var(l->loop->loop.params.at[k]), lin[2];
	if (!s || !late_is_linear(l, s) || s->exp->prim.op != P_add || s->exp->prim.at == PT_F16)
		return NULL;
	const Sub *x = s->exp->prim.x;
	const Stm *by = stm_in(l->body, sub_eq(x[0], p) ? x[1] : x[0]);
	if ((!sub_eq(x[0], p) && !sub_eq(x[1], p)) || !by || linear_operands(l, by, lin) != 1 ||
	    !late_is_sum(l, lin[0].var))
		return NULL;
	// nothing else reads what is a multiple now
	if (n_uses_in(l->body, by->pat.at[0]) != 1 || n_uses_in(l->body, p.var) != 1 ||
	    n_uses_in(l->body, s->pat.at[0]) != 1)
		return NULL;
	for (int i = 0; i < prim_arity(by->exp->prim.op); i++)
		if (!sub_eq(by->exp->prim.x[i], lin[0]) && loop_binds(l->loop, by->exp->prim.x[i]))
			return NULL;
	return by;
}

static void emit_renamed(Build *b, const Stm *s, Map *to)
{
	Stm copy = *s;
	b_emit(b, body_subst((Body){.stms = {&copy, 1}}, to).stms.at[0]);
}

// The scalars of the group, of one element of the space; of: what the rows are of.
static Subs emit_elements(const Late *l, Build *b, Subs elems, Vars of)
{
	Map to = {0};
	VEC(Sub) res = {0};
	Sub lin[2];
	for (int i = 0; i < of.len; i++)
		subst_put(&to, of.at[i], elems.at[i]);
	for (int k = 0; k < l->body->res.len; k++) {
		const Stm *by =
			late_has(l, sub_var(l->loop->loop.params.at[k])) ? multiple_of(l, k) : NULL;
		if (by && linear_operands(l, by, lin))
			subst_put(&to, by->pat.at[0], sub_subst(&to, lin[0]));
	}
	for EACH(const Stm, s, l->body->stms)
		if (late_is_linear(l, s) && !map_has(&to, var_key(s->pat.at[0])))
			emit_renamed(b, s, &to);
	for (int k = 0; k < l->body->res.len; k++)
		if (late_has(l, sub_var(l->loop->loop.params.at[k])))
			VEC_PUSH(&res, sub_subst(&to, l->body->res.at[k]));
	return VEC_SLICE(Subs, res);
}

static Subs emit_rows(const Late *l, Build *b, Subs arrs, Vars of, int level)
{
	if (level == l->dims.len)
		return emit_elements(l, b, arrs, of);
	Vars rows = {NEW_ARRAY(Var, arrs.len), arrs.len};
	b_open(b);
	for (int i = 0; i < arrs.len; i++)
		rows.at[i] = var_new(vars[of.at[i].id].hint, type_row(sub_type(arrs.at[i])));
	Subs res = emit_rows(l, b, subs_of_vars(rows), of, level + 1);
	return b_map(b, l->dims.at[level], arrs, b_lambda(b, rows, res));
}

// The vectors of the group's parameters after an iteration.
static Subs emit_next(const Late *l, Build *b, Vars params)
{
	VEC(Sub) arrs = {0};
	VEC(Var) of = {0};
	for (int k = 0; k < params.len; k++)
		if (late_has(l, sub_var(l->loop->loop.params.at[k]))) {
			VEC_PUSH(&arrs, sub_var(params.at[k]));
			VEC_PUSH(&of, l->loop->loop.params.at[k]);
		}
	for EACH(const Stm, s, l->body->stms)
		for EACH(Var, x, s->pat)
			if (late_is_sum(l, *x)) {
				VEC_PUSH(&arrs, sub_subst(&l->vector, sub_var(*x)));
				VEC_PUSH(&of, *x);
			}
	return emit_rows(l, b, VEC_SLICE(Subs, arrs), VEC_SLICE(Vars, of), 0);
}

// The parameters, or what the loop gives, with vectors for those of the group.
static Vars with_vectors(const Late *l, Vars vs)
{
	Vars out = SLICE_DUP(Vars, vs);
	for (int k = 0; k < vs.len; k++)
		if (late_has(l, sub_var(l->loop->loop.params.at[k]))) {
			VarInfo x = vars[vs.at[k].id];
			out.at[k] = var_new(x.hint, type_of_level(l, x.type.elem, 0));
		}
	return out;
}

static Sub neutral(const Late *l, PrimType t)
{
	double far = l->op == P_min ? 1.0 / 0.0 : -1.0 / 0.0;
	return l->op == P_add ? sub_zero(t) : sub_const(scalar_float(t, far));
}

// What it starts with is emitted.
static Stm new_loop(const Late *l, Build *b, Stms stms)
{
	Exp *e = exp_dup(l->loop);
	Vars params = with_vectors(l, l->loop->loop.params), pat = with_vectors(l, l->stm->pat);
	Subs inits = SLICE_DUP(Subs, l->loop->loop.inits), res = SLICE_DUP(Subs, l->body->res);
	b_open(b);
	for EACH(const Stm, s, stms)
		if (!late_is_linear(l, s))
			b_emit(b, *s);
	Subs next = emit_next(l, b, params);
	for (int k = 0, n = 0; k < params.len; k++)
		if (late_has(l, sub_var(l->loop->loop.params.at[k])))
			res.at[k] = next.at[n++];
	e->loop.body = b_close(b, res);
	for (int k = 0; k < params.len; k++)
		if (late_has(l, sub_var(l->loop->loop.params.at[k]))) {
			Type t = vars[params.at[k].id].type;
			inits.at[k] = b_let(b, "none", t,
			                    EXP(replicate, l->dims, neutral(l, t.elem)));
		}
	e->loop.params = params;
	e->loop.inits = inits;
	Stm out = *l->stm;
	out.pat = pat;
	out.exp = e;
	return out;
}

// What becomes of a sum of rows after the loop.
static Sub emit_total(const Late *l, Build *b, int k, Sub sum)
{
	const Stm *by = multiple_of(l, k);
	Sub lin[2], first = l->loop->loop.inits.at[k];
	if (by && linear_operands(l, by, lin)) {
		Map to = {0};
		subst_put(&to, lin[0].var, sum);
		const Exp *e = exp_subst(by->exp, &to);
		sum = b_prim(b, e->prim.op, e->prim.at, e->prim.x[0], e->prim.x[1], e->prim.x[2]);
	}
	return late_is_neutral(l, first) ? sum : b_prim2(b, l->op, first, sum);
}

// One combinator for the sums of all operators.
static void emit_sums(const Late *ls, int n_ls, Build *b, Vars pat)
{
	VEC(Sub) flat = {0};
	VEC(Reduction) reds = {0};
	VEC(Type) types = {0};
	Sub n = {0};
	for (const Late *l = ls; l < ls + n_ls; l++)
		for (int k = 0; k < pat.len; k++)
			if (late_has(l, sub_var(l->loop->loop.params.at[k]))) {
				PrimType t = vars[pat.at[k].id].type.elem;
				VEC_PUSH(&flat, b_flat(b, sub_var(pat.at[k]), &n));
				VEC_PUSH(&reds, ((Reduction){b_operator(b, l->op, t),
				                             subs_of(1, neutral(l, t)), true}));
				VEC_PUSH(&types, type_scalar(t));
			}
	Subs arrs = VEC_SLICE(Subs, flat);
	Subs sums = b_lets(b, "sum", VEC_SLICE(Types, types),
	                   EXP(screma, .n = n, .arrs = arrs, .map = identity_on(arrs),
	                       .reds = VEC_SLICE(Reductions, reds)));
	int i = 0;
	for (const Late *l = ls; l < ls + n_ls; l++)
		for (int k = 0; k < pat.len; k++)
			if (late_has(l, sub_var(l->loop->loop.params.at[k])))
				b_name(b, l->stm->pat.at[k], emit_total(l, b, k, sums.at[i++]));
}

// ---- Is it worth it? ----

static bool has_sizes(Subs of, Subs dims)
{
	Subs left = SLICE_DUP(Subs, of);
	for EACH(Sub, n, dims) {
		int at = subs_find(left, *n);
		if (at < 0)
			return false;
		left.at[at] = sub_i64(-1);
	}
	return true;
}

// Is there an array that is as large?
static bool has_room(const Stm *loop, Subs dims)
{
	Vars free = vars_united(free_in_stm(loop), loop->exp->loop.params);
	for EACH(Var, v, free)
		if (vars[v->id].type.kind == T_DATA && has_sizes(vars[v->id].type.dims, dims))
			return true;
	return false;
}

typedef struct { Subs dims; VEC(Sub) around; bool found; } Works;

static void works_body(Visit *v, Body *b)
{
	Works *w = v->ctx;
	for EACH(const Stm, s, b->stms) {
		const Exp *e = s->exp;
		bool counts = e->form == E_loop && !e->loop.is_while;
		int n = w->around.len;
		if (e->form == E_screma || counts)
			VEC_PUSH(&w->around, counts ? e->loop.n : e->screma.n);
		if (w->around.len > n && w->around.at[n].kind == S_CONST)
			w->around.len = n;
		w->found |= w->around.len > w->dims.len &&
		            has_sizes(VEC_SLICE(Subs, w->around), w->dims);
		exp_walk(e, v);
		w->around.len = n;
	}
}

// Does an iteration go through all of the space and a further size?
static bool does_more(const Stm *loop, Subs dims)
{
	Works w = {.dims = dims};
	Visit v = {.body = works_body, .ctx = &w};
	works_body(&v, &loop->exp->loop.body);
	return w.found;
}

// A map of elements of the space, level by level.
static bool maps_space(const Stm *s, Subs dims)
{
	const Exp *e = s->exp;
	if (!is_map(e) || s->certs.len || !sub_eq(e->screma.n, dims.at[0]))
		return false;
	const Body *b = &e->screma.map->body;
	if (dims.len == 1)
		return !body_find(b, stm_is_soac) && !body_has_checks(b);
	for EACH(const Stm, t, b->stms)
		if (!is_scalar_code(t) && !maps_space(t, subs_part(dims, 1, dims.len - 1)))
			return false;
	return true;
}

// Arrays of the loop are read element by element: no function of a map mentions them otherwise.
static bool reads_own(const Stm *s, Subs dims, const Map *changing)
{
	for EACH(Sub, x, s->exp->screma.arrs)
		if (x->kind == S_VAR && map_has(changing, var_key(x->var)) &&
		    !subs_eq(sub_type(*x).dims, dims))
			return false;
	return !vars_any_in(free_in_lambda(s->exp->screma.map), changing);
}

static bool moves_rows(const Stm *s)
{
	Form f = s->exp->form;
	return !s->certs.len && (f == E_slice || f == E_scratch || f == E_copy ||
	                         f == E_replicate || f == E_update);
}

// As far as that can be told before there are kernels: `loop_threads` says what it needs.
static bool fits_threads(const Stm *loop, Subs dims)
{
	const Exp *l = loop->exp;
	Map changing = {0};
	if (l->loop.is_while)
		return false;
	for EACH(Var, p, l->loop.params)
		if (!type_is_scalar(vars[p->id].type))
			map_put(&changing, var_key(*p), &changing);
	for EACH(const Stm, s, l->loop.body.stms) {
		const Exp *e = s->exp;
		bool fits = is_scalar_code(s) ? !stm_mentions(s, &changing)
		                              : moves_rows(s) || (maps_space(s, dims) &&
		                                                  reads_own(s, dims, &changing));
		if (!fits)
			return false;
		bool is_view = e->form == E_slice && e->slice.arr.kind == S_VAR &&
		               !map_has(&changing, var_key(e->slice.arr.var));
		if (!is_view && !vars_are_scalars(s->pat))
			vars_put(&changing, s->pat, &changing);
	}
	return true;
}

// ---- Loops ----

// The loop without the sums of one operator; what it starts with is emitted.
static Stm without_sums(Late *l, Build *b)
{
	Map sums = {0};
	for EACH(const Stm, s, l->body->stms)
		for EACH(Var, x, s->pat)
			if (late_is_sum(l, *x))
				map_put(&sums, var_key(*x), l);
	return new_loop(l, b, lift_all(l, l->body->stms, &sums, 0));
}

static bool late_loop(Build *b, const Stm *s)
{
	static const Prim ops[] = {P_add, P_min, P_max};
	enum { N_OPS = sizeof ops / sizeof *ops };
	Late ls[N_OPS];
	int n = 0;
	Stm loops[N_OPS + 1] = {*s};
	Subs dims = {0};
	Build alone = {.where = s->where};
	if (s->exp->form != E_loop || has_attrs(s->attrs) || s->certs.len ||
	    vars_have_sizes(s->exp->loop.params))
		return false;
	b_open(&alone);
	for (int i = 0; i < N_OPS; i++) {
		const Exp *e = loops[n].exp;
		ls[n] = (Late){.stm = &loops[n], .loop = e, .body = &e->loop.body, .op = ops[i],
		               .dims = dims};
		if (!late_find(&ls[n]))
			continue;
		dims = ls[n].dims;
		loops[n + 1] = without_sums(&ls[n], &alone);
		n++;
	}
	Body first = b_close(&alone, (Subs){0});
	if (!n || !has_room(s, dims) ||
	    (!does_more(s, dims) && !fits_threads(&loops[n], dims)) || !may_rewrite())
		return false;
	b->where = s->where;
	b_emit_all(b, first.stms);
	b_emit(b, loops[n]);
	emit_sums(ls, n, b, loops[n].pat);
	return true;
}

// ---- Bodies of the host ----

static void late_body(Visit *v, Body *body)
{
	Build b = {0};
	b_open(&b);
	for EACH(const Stm, old, body->stms) {
		Stm s = *old;
		if (s.exp->form == E_if_ || s.exp->form == E_match || s.exp->form == E_loop)
			s.exp = exp_visit(s.exp, v);
		if (!late_loop(&b, &s))
			b_emit(&b, s);
	}
	*body = b_close(&b, body->res);
}

Prog *late_sums(Prog *prog)
{
	Visit v = {.body = late_body, .copy = true};
	return prog_rewrite_where(prog, stm_is_loop, &v);
}
