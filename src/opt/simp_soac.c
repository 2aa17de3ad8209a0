// Simplification of second-order array combinators.
//
//     screma n (replicate [n] a, xs) map=\(p, x) -> {..p..}
//                                            ->   screma n (xs) map=\(x) -> {..a..}
//     screma n (xs, xs) map=\(x, y) -> {..}  ->   screma n (xs) map=\(x) -> {..x..}
//     screma n (iota.i64 n a d, is) ..  with is = iota.i64 n 0 1
//                                            ->   screma n (is) map=\(i) -> {..a + i * d..}
//     screma n (xs) map=\(x) -> {x, 1.0, y, y}
//                                            ->   copy xs, replicate [n] 1.0, one y for both
//     b = screma n (xs) map=\(x) -> {replicate [m] y}
//                                            ->   ys = screma n (xs) map=\(x) -> {y}
//                                                 b = rearrange (1, 0) (replicate [m] ys)
//                                                 where b is transposed again
//     screma n (..) map=\(..) -> {c} reduce=(0) add   ->   max(n, 0) * c, at integers
//     screma n (..) map=\(..) -> {y, y} reduce=(0) add reduce=(0) add   ->   one sum for both
//     scatter 0 (..) dest=[k] xs ..          ->   xs
//
// Parameters and results that become unused are removed by dce.
#include "opt/simplify.h"

typedef struct { Sub *n; Subs *arrs; Lambda **map; } Mapped;

static Mapped mapped_of(Exp *e)
{
	return (Mapped){&e->soac.n, &e->soac.arrs, soac_fn(e)};
}

static bool is_plain(Var p)
{
	return vars[p.id].type.kind == T_DATA && !vars[p.id].type.unique;
}

// ---- Inputs ----

// The one value of all rows.
static bool is_constant_row(Simp *s, Sub arr, Sub *x)
{
	const Exp *e = s_def_as(s, arr, E_replicate);
	if (!e || e->replicate.dims.len != 1 || s_gone(s, e->replicate.x))
		return false;
	*x = e->replicate.x;
	return true;
}

static bool is_same_input(Mapped m, int i, Sub *x)
{
	for (int j = 0; j < i; j++)
		if (sub_eq(m.arrs->at[j], m.arrs->at[i]) && is_plain((*m.map)->params.at[j])) {
			*x = sub_var((*m.map)->params.at[j]);
			return true;
		}
	return false;
}

static void drop_input(Mapped m, int i)
{
	Subs arrs = SLICE_DUP(Subs, *m.arrs);
	Lambda *l = mem_dup(*m.map, sizeof **m.map);
	l->params = SLICE_DUP(Vars, l->params);
	int rest = --arrs.len - i;
	memmove(arrs.at + i, arrs.at + i + 1, (size_t)rest * sizeof(Sub));
	memmove(l->params.at + i, l->params.at + i + 1, (size_t)rest * sizeof(Var));
	l->params.len--;
	*m.arrs = arrs;
	*m.map = l;
}

static void simp_inputs(Simp *s, Stm *st)
{
	Mapped m = mapped_of(st->exp);
	for (int i = m.arrs->len; i-- > 0;) {
		Var p = (*m.map)->params.at[i];
		Sub x;
		if (!is_plain(p) ||
		    (!is_constant_row(s, m.arrs->at[i], &x) && !is_same_input(m, i, &x)))
			continue;
		if (!s_rewrite(s))
			return;
		s_take_certs(s, st, m.arrs->at[i]);
		s_replace(s, p, x, (Vars){0});
		drop_input(m, i);
	}
}

static bool is_counter(const Exp *e)
{
	return e && e->iota.type == PT_I64 && is_int_const(e->iota.start, 0) &&
	       is_int_const(e->iota.step, 1);
}

// Further iotas are computed from one that counts from 0.  Inside of functions to be
// differentiated integers stay as they are.
static void simp_iotas(Simp *s, Stm *st)
{
	Mapped m = mapped_of(st->exp);
	int counter = -1;
	for (int i = 0; i < m.arrs->len && !s->in_ad; i++)
		if (is_counter(s_def_as(s, m.arrs->at[i], E_iota)))
			counter = i;
	if (counter < 0)
		return;
	Var i0 = (*m.map)->params.at[counter];
	Lambda *l = mem_dup(*m.map, sizeof **m.map);
	VEC(Stm) stms = {0};
	for (int i = m.arrs->len; i-- > 0;) {
		const Exp *iota = s_def_as(s, m.arrs->at[i], E_iota);
		if (i == counter || !iota || !is_int(iota->iota.type) || !s_rewrite(s))
			continue;
		PrimType t = iota->iota.type;
		Var p = l->params.at[i];
		Var k = var_new(name_of("i"), type_scalar(t));
		Var ks = var_new(name_of("i"), type_scalar(t));
		VEC_PUSH(&stms, (Stm){.pat = vars_of(1, k), .exp = EXP(convert, t, sub_var(i0))});
		VEC_PUSH(&stms, (Stm){.pat = vars_of(1, ks),
		                      .exp = EXP(prim, P_mul, t, {sub_var(k), iota->iota.step})});
		VEC_PUSH(&stms, (Stm){.pat = vars_of(1, p),
		                      .exp = EXP(prim, P_add, t, {sub_var(ks), iota->iota.start})});
		*m.map = l;
		s_take_certs(s, st, m.arrs->at[i]);
		drop_input(m, i);
		l = *m.map;
		counter -= i < counter;
	}
	if (!stms.len)
		return;
	VEC_APPEND(&stms, l->body.stms);
	l->body.stms = VEC_SLICE(Stms, stms);
}

static bool runs_never(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	SubVec res = {0};
	if (e->form == E_scatter)
		for EACH(ScatterDest, d, e->scatter.dests)
			VEC_PUSH(&res, d->dest);
	if (e->form == E_hist)
		for EACH(HistOp, op, e->hist.ops)
			VEC_APPEND(&res, op->dests);
	if (!res.len || !is_int_const(*mapped_of(e).n, 0) || !s_rewrite(s))
		return false;
	Vars free = free_in_stm(st);
	for EACH(Var, x, free)
		s_take_certs(s, st, sub_var(*x));
	s_name(s, st, VEC_SLICE(Subs, res));
	return true;
}

bool simp_soac(Simp *s, Stm *st)
{
	if (runs_never(s, st) || simp_nothing(s, st))
		return true;
	simp_inputs(s, st);
	simp_iotas(s, st);
	return false;
}

// ---- Results ----

static bool is_bound_inside(const Lambda *l, Sub x)
{
	if (x.kind == S_CONST)
		return false;
	for EACH(Var, p, l->params)
		if (p->id == x.var.id)
			return true;
	for (int i = l->body.stms.len; i-- > 0;) // most results are made at the end
		for EACH(Var, y, l->body.stms.at[i].pat)
			if (y->id == x.var.id)
				return true;
	return false;
}

// Takes result i of the map function out.
static void drop_result(Exp *e, Stm *st, int i)
{
	Lambda *l = mem_dup(e->screma.map, sizeof *l);
	l->ret = SLICE_DUP(Types, l->ret);
	l->body.res = SLICE_DUP(Subs, l->body.res);
	st->pat = SLICE_DUP(Vars, st->pat);
	int rest = --l->ret.len - i;
	memmove(l->ret.at + i, l->ret.at + i + 1, (size_t)rest * sizeof(Type));
	memmove(l->body.res.at + i, l->body.res.at + i + 1, (size_t)rest * sizeof(Sub));
	memmove(st->pat.at + i, st->pat.at + i + 1, (size_t)rest * sizeof(Var));
	l->body.res.len--;
	st->pat.len--;
	e->screma.map = l;
}

static int param_index(const Lambda *l, Sub x)
{
	for (int i = 0; i < l->params.len; i++)
		if (x.kind == S_VAR && x.var.id == l->params.at[i].id && is_plain(l->params.at[i]))
			return i;
	return -1;
}

// An accumulator that the map leaves as it is.
static bool untouched_acc(Simp *s, Stm *st, int i)
{
	Exp *e = st->exp;
	const Lambda *l = e->screma.map;
	for (int p = 0; p < l->params.len; p++) {
		if (!sub_eq(l->body.res.at[i], sub_var(l->params.at[p])) || !s_rewrite(s))
			continue;
		s_stm(s, &(Stm){.pat = vars_of(1, st->pat.at[i]), .certs = st->certs,
		                .where = st->where, .exp = EXP(atom, e->screma.arrs.at[p])});
		drop_input(mapped_of(e), p);
		return true;
	}
	return false;
}

// A mapped result that needs no map: an input, the same for all rows, or another result.
static bool known_result(Simp *s, Stm *st, int first, int i)
{
	Exp *e = st->exp;
	const Lambda *l = e->screma.map;
	Sub r = l->body.res.at[i];
	Var y = st->pat.at[i];
	Exp *by = NULL;
	int p = param_index(l, r);
	if (vars[y.id].type.kind == T_ACC)
		return untouched_acc(s, st, i);
	if (vars[y.id].type.kind != T_DATA)
		return false;
	if (p >= 0 && !s_gone(s, e->screma.arrs.at[p]))
		by = EXP(copy, e->screma.arrs.at[p]);
	else if (!is_bound_inside(l, r) && !s_gone(s, r))
		by = EXP(replicate, subs_of(1, e->screma.n), r);
	if (by) {
		if (!s_rewrite(s))
			return false;
		if (by->form == E_copy && s_uses(s, by->copy.arr) != INT32_MAX)
			s->counts.of[by->copy.arr.var.id].uses++; // the map may go on using it
		s_stm(s, &(Stm){.pat = vars_of(1, y), .exp = by, .certs = st->certs,
		                .where = st->where});
		return true;
	}
	for (int j = first; j < i; j++)
		if (sub_eq(l->body.res.at[j], r) && !s_ever(s, y) && !s_ever(s, st->pat.at[j]) &&
		    s_rewrite(s)) {
			s_replace(s, y, sub_var(st->pat.at[j]), (Vars){0});
			return true;
		}
	return false;
}

// ---- Rows of equal elements ----

typedef struct { Var y, rows; Sub m; } EqualRows;
typedef VEC(EqualRows) EqualRowsVec;

// Result i, if its rows are copies of one value each and all that becomes of it is its transpose,
// which has equal rows then.  The map gives the values.
static bool take_equal_rows(Simp *s, Stm *st, int i, EqualRowsVec *out)
{
	Exp *e = st->exp;
	Var y = st->pat.at[i];
	if (y.id >= s->counts.len || vars[y.id].type.kind != T_DATA)
		return false;
	const Count *c = &s->counts.of[y.id];
	const Stm *row = stm_in(&e->screma.map->body, e->screma.map->body.res.at[i]);
	if (c->uses != 1 || c->turned_uses != 1 || !row || row->exp->form != E_replicate ||
	    row->certs.len || row->exp->replicate.dims.len != 1 ||
	    is_bound_inside(e->screma.map, row->exp->replicate.dims.at[0]) || s_ever(s, y) ||
	    !s_rewrite(s))
		return false;
	Sub x = row->exp->replicate.x;
	Type t = type_plain(sub_type(x));
	Var rows = var_new(vars[y.id].hint, type_of_rows(e->screma.n, t));
	Lambda *l = mem_dup(e->screma.map, sizeof *l);
	l->ret = SLICE_DUP(Types, l->ret);
	l->body.res = SLICE_DUP(Subs, l->body.res);
	l->ret.at[i] = t;
	l->body.res.at[i] = x;
	e->screma.map = l;
	st->pat = SLICE_DUP(Vars, st->pat);
	st->pat.at[i] = rows;
	VEC_PUSH(out, ((EqualRows){y, rows, row->exp->replicate.dims.at[0]}));
	return true;
}

static void emit_equal_rows(Simp *s, const Stm *st, const EqualRows *r)
{
	Type t = type_of_rows(r->m, type_plain(vars[r->rows.id].type));
	Var all = var_new(vars[r->y.id].hint, t);
	int *perm = NEW_ARRAY(int, t.dims.len);
	for (int i = 0; i < t.dims.len; i++)
		perm[i] = i < 2 ? 1 - i : i;
	s_stm(s, &(Stm){.pat = vars_of(1, all), .where = st->where,
	                .exp = EXP(replicate, subs_of(1, r->m), sub_var(r->rows))});
	s_stm(s, &(Stm){.pat = vars_of(1, r->y), .where = st->where,
	                .exp = EXP(rearrange, .arr = sub_var(all), .perm = {perm, t.dims.len})});
}

static bool equal_rows(Simp *s, Stm *st, int first)
{
	EqualRowsVec found = {0};
	for (int i = first; i < st->pat.len; i++)
		take_equal_rows(s, st, i, &found);
	if (!found.len)
		return false;
	s_emit(s, st);
	for EACH(EqualRows, r, found)
		emit_equal_rows(s, st, r);
	return true;
}

static bool has_short_sum(Counts *c, Var y, int arg)
{
	(void)arg;
	const Exp *e = c->of[y.id].nest;
	for (int i = 0; e && e->form == E_screma && i < e->screma.reds.len; i++)
		if (e->screma.reds.at[i].op->body.stms.len == 1)
			return true;
	return false;
}

static bool is_add(const Lambda *op)
{
	return lambda_adds(op) && is_int(op->ret.at[0].elem);
}

// The sum of the same integer in all rows.
static void closed_sums(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	int at = n_reduced(e->screma.scans);
	Reductions kept = {NEW_ARRAY(Reduction, e->screma.reds.len), 0};
	for EACH(Reduction, r, e->screma.reds) {
		Sub c = e->screma.map->body.res.at[at];
		if (r->op->body.stms.len > 1 && r->ne.len == 1)
			s_watch(s, st->pat.at[at], has_short_sum, 0);
		if (s->in_ad || r->ne.len != 1 || !is_add(r->op) ||
		    is_bound_inside(e->screma.map, c) || !s_rewrite(s)) {
			kept.at[kept.len++] = *r;
			at += r->ne.len;
			continue;
		}
		Sub n = s_prim(s, P_max, e->screma.n, sub_i64(0));
		Sub sum = s_prim(s, P_mul, s_convert(s, sub_type(c).elem, n), c);
		s_name(s, &(Stm){.pat = vars_of(1, st->pat.at[at]), .certs = st->certs,
		                 .where = st->where},
		       subs_of(1, s_prim(s, P_add, sum, r->ne.at[0])));
		drop_result(e, st, at);
	}
	e->screma.reds = kept;
}

static bool is_same_operator(const Reduction *a, const Reduction *b)
{
	const Exp *x = lambda_prim(a->op), *y = lambda_prim(b->op);
	return x && y && x->prim.op == y->prim.op && x->prim.at == y->prim.at &&
	       (prim_commutes(x->prim.op) || (sub_eq(x->prim.x[0], sub_var(a->op->params.at[0])) ==
	                                      sub_eq(y->prim.x[0], sub_var(b->op->params.at[0]))));
}

// Fusion brings together reductions of the same elements.
static void equal_reductions(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	Reductions rs = e->screma.reds, kept = {NEW_ARRAY(Reduction, rs.len), 0};
	int *place = NEW_ARRAY(int, rs.len), at = n_reduced(e->screma.scans);
	for EACH(Reduction, r, rs) {
		int k = 0;
		Subs res = e->screma.map->body.res;
		while (k < kept.len && !(r->ne.len == 1 && sub_eq(res.at[place[k]], res.at[at]) &&
		                         sub_eq(kept.at[k].ne.at[0], r->ne.at[0]) &&
		                         is_same_operator(&kept.at[k], r)))
			k++;
		if (k < kept.len && s_rewrite(s)) {
			s_replace(s, st->pat.at[at], sub_var(st->pat.at[place[k]]), (Vars){0});
			drop_result(e, st, at);
			continue;
		}
		place[kept.len] = at;
		kept.at[kept.len++] = *r;
		at += r->ne.len;
	}
	e->screma.reds = kept;
}

bool simp_soac_results(Simp *s, Stm *st)
{
	Exp *e = st->exp;
	if (e->form != E_screma)
		return false;
	bool had = st->pat.len > 0;
	closed_sums(s, st);
	equal_reductions(s, st);
	int first = n_folded(e);
	for (int i = st->pat.len; i-- > first;)
		if (known_result(s, st, first, i))
			drop_result(e, st, i);
	return (had && !st->pat.len && !exp_has_effect(e) && !exp_has_checks(e)) ||
	       equal_rows(s, st, first);
}
