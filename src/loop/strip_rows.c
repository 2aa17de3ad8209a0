// The pass `strip_rows`: strip-mines loops that traverse a row of an array repeatedly, and
// transposes each strip of rows into a tile first.
//
//     loop (a = a0) for i < n do {            if n >= 256 && k >= 4 && d <= 128 && d < 4 k then
//       let (m, at) = loop .. for j < k {       loop (a = a0) for t < (n + 63) / 64 do {
//         let (s) = loop .. for l < d {           tile[l, c] = x[64 t + c, l]  for l < d, c < 64
//           .. x[i, l] .. y[j, l] ..              ats = #[parallel] loop for c < 64 {
//         }                             ->          the loops over j and l with tile[l, c]
//         .. s .. m .. at ..                      }
//       }                                         loop (a = a) for c < min 64 (n - 64 t) do {
//       .. at .. a ..                               let (at) = index ats [c]
//     }                                             .. at .. a ..
//                                                 }
//                                               }
//                                             else the loop as it is
//
// The loop over c is then vectorised across iterations (src/gen/clanes.c), which share the
// elements of y.  If the loop over l were vectorised instead, short rows, such as points in space,
// would not fill a vector, and each sum would end with a horizontal reduction.  Each element of
// the tile is used k times: k = 4 pays for rows of 8, but not for rows of 128, which took 1.4 to
// 1.7 times as long.  The tile has to fit into the first-level cache.  The last strip starts 64
// rows before the end, so rows that it shares with the strip before are computed twice; few strips
// are not worth it.
//
// If lanes are 32-bit floats, i64 values that are selected along with them (the index of a
// minimum) are narrowed to i32: they are counters of loops of the nest, whose trip counts are
// tested beforehand.
//
// The order of all other statements is unchanged, and nothing is read that the original loop would
// not read, since the loops of the nest are not empty.
//
// Requires: the pass `seq`, after loop fusion.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/split.h"

enum {
	STRIP = 64,                     // a multiple of the lanes that clanes.c has
	MOST_COLUMNS = 128,
	COLUMNS_PER_USE = 4
};

// ---- The nest in lanes ----

// Reads tiles at lane c, chooses one value at a time, and has i32 for i64 if it `narrows`.
typedef struct { Strips *s; Sub c; bool narrows; Map narrowed; } Lay;

static Sub narrowed(Lay *y, StmVec *out, Sub x)
{
	if (x.kind == S_CONST)
		return sub_const(scalar_int(PT_I32, x.val.i));
	if (map_has(&y->narrowed, var_key(x.var)))
		return sub_subst(&y->narrowed, x);
	Var v = var_new(name_of("narrow"), type_scalar(PT_I32));
	VEC_PUSH(out, (Stm){.pat = vars_of(1, v), .exp = EXP(convert, PT_I32, x)});
	return sub_var(v);
}

static bool is_narrowed(const Lay *y, Var v)
{
	return y->narrows && vars[v.id].type.elem == PT_I64 &&
	       rate(&y->s->a.rates, sub_var(v)) == OTHERWISE;
}

// The variable that takes the place of this one.
static Var laid_var(Lay *y, Var v)
{
	if (!is_narrowed(y, v))
		return v;
	Var x = var_new(vars[v.id].hint, type_scalar(PT_I32));
	subst_put(&y->narrowed, v, sub_var(x));
	return x;
}

// An operand that is to be like variable v.
static Sub laid_sub(Lay *y, StmVec *out, Var v, Sub x)
{
	return is_narrowed(y, v) ? narrowed(y, out, x) : x;
}

static void lay_stm(Lay *y, StmVec *out, const Stm *s);

static void lay_loop(Lay *y, StmVec *out, const Stm *s)
{
	Stm loop = *s;
	Exp *e = loop.exp = exp_dup(s->exp);
	StmVec stms = {0};
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	e->loop.body.res = SLICE_DUP(Subs, e->loop.body.res);
	loop.pat = SLICE_DUP(Vars, s->pat);
	for (int k = 0; k < s->pat.len; k++) {
		Var old = e->loop.params.at[k];
		e->loop.inits.at[k] = laid_sub(y, out, old, e->loop.inits.at[k]);
		e->loop.params.at[k] = laid_var(y, old);
	}
	for EACH(Stm, t, s->exp->loop.body.stms)
		lay_stm(y, &stms, t);
	for (int k = 0; k < s->pat.len; k++) {
		Var old = s->exp->loop.params.at[k];
		e->loop.body.res.at[k] = laid_sub(y, &stms, old, e->loop.body.res.at[k]);
		loop.pat.at[k] = laid_var(y, s->pat.at[k]);
	}
	e->loop.body.stms = VEC_SLICE(Stms, stms);
	VEC_PUSH(out, loop);
}

static void lay_choices(Lay *y, StmVec *out, const Stm *s)
{
	const Exp *e = s->exp;
	for (int k = 0; k < s->pat.len; k++) {
		Var v = s->pat.at[k];
		Body yes = {.res = subs_of(1, laid_sub(y, out, v, e->if_.yes.res.at[k]))};
		Body no = {.res = subs_of(1, laid_sub(y, out, v, e->if_.no.res.at[k]))};
		Stm one = *s;
		one.pat = vars_of(1, laid_var(y, v));
		one.exp = EXP(if_, e->if_.cond, yes, no);
		VEC_PUSH(out, one);
	}
}

static void lay_stm(Lay *y, StmVec *out, const Stm *s)
{
	Stm one = *s;
	const Exp *e = s->exp;
	Var v = s->pat.at[0];
	uintptr_t at = (uintptr_t)map_get(&y->s->loads, e);
	if (e->form == E_loop) {
		lay_loop(y, out, s);
		return;
	}
	if (e->form == E_if_) {
		lay_choices(y, out, s);
		return;
	}
	if (e->form == E_index && at) {
		Subs idx = subs_of(2, e->index.idx.at[1], y->c);
		one.certs = (Vars){0};
		one.exp = EXP(index, y->s->rows.at[at - 1].tile, idx);
	} else if (e->form == E_prim && y->narrows && e->prim.at == PT_I64 &&
	           rate(&y->s->a.rates, sub_var(v)) == OTHERWISE) {
		one.exp = exp_dup(e);
		one.exp->prim.at = PT_I32;
		for (int k = 0; k < prim_arity(e->prim.op); k++)
			one.exp->prim.x[k] = narrowed(y, out, e->prim.x[k]);
		one.pat = vars_of(1, laid_var(y, v));
	}
	VEC_PUSH(out, one);
}

// ---- Strips ----

// A loop whose body is the one that is open; gives its results.
static Subs close_loop(Build *b, Vars params, Subs inits, Var i, Sub n, Subs res, bool parallel)
{
	Body body = b_close(b, res);
	Types types = types_plain(types_of_vars(params));
	Exp *e = EXP(loop, .params = params, .inits = inits, .i = i, .n = n, .body = body);
	if (parallel)
		b->attrs = attr_of(ATTR_PARALLEL);
	return b_lets(b, "strip", types, e);
}

// An array without contents, and a variable for what a loop makes of it.
static Sub scratch(Build *b, PrimType t, Subs dims, Var *now)
{
	Type all = type_array(t, dims);
	Sub out = b_let(b, "out", all, EXP(scratch, t, dims));
	all.unique = true;
	*now = var_new(name_of("strip"), all);
	return out;
}

static Var new_index(void)
{
	return var_i64("i");
}

// Emits statements of the loop's body for iteration i, with names of their own; their results.
static Subs emit_part(Strips *s, Body part, Sub i)
{
	Map to = {0};
	subst_put(&to, s->a.loop->loop.i, i);
	Body b = body_subst(body_rename(part), &to);
	b_emit_all(&s->b, b.stms);
	return b.res;
}

// tile[l, c] = x[base + c, l]
static Sub emit_tile(Strips *s, const Rows *r, Sub base)
{
	Build *b = &s->b;
	Type t = sub_type(r->arr);
	Sub columns = t.dims.at[1];
	Var tile, row, l = new_index(), c = new_index();
	Map needed = {0};
	Sub all = scratch(b, t.elem, subs_of(2, columns, sub_i64(STRIP)), &tile);
	b_open(b);
	Sub one = scratch(b, t.elem, subs_of(1, sub_i64(STRIP)), &row);
	b_open(b);
	Body part = body_part(&s->a.loop->loop.body, subs_of(1, r->row), &needed);
	Sub at = emit_part(s, part, b_add(b, base, sub_var(c))).at[0];
	b->certs = r->load->certs;
	Sub x = b_index(b, r->arr, subs_of(2, at, sub_var(l)));
	b->certs = (Vars){0};
	Sub upd = b_update(b, sub_var(row), slices_at(subs_of(1, sub_var(c)), (Subs){0}), x);
	one = close_loop(b, vars_of(1, row), subs_of(1, one), c, sub_i64(STRIP), subs_of(1, upd),
	                 true).at[0];
	Slices to = slices_at(subs_of(1, sub_var(l)), subs_of(1, sub_i64(STRIP)));
	upd = b_update(b, sub_var(tile), to, one);
	return close_loop(b, vars_of(1, tile), subs_of(1, all), l, columns, subs_of(1, upd),
	                  true).at[0];
}

// The results of a nest that something uses.
static Vars used_results(const Strips *s, const Stm *nest)
{
	const Body *b = &s->a.loop->loop.body;
	VEC(Var) out = {0};
	Map used = {0};
	Visit v = {.sub = note_operand, .ctx = &used};
	body_walk(b, &v);
	for EACH(Var, x, nest->pat)
		if (map_has(&used, var_key(*x)))
			VEC_PUSH(&out, *x);
	return VEC_SLICE(Vars, out);
}

// Computes a nest for all lanes: the arrays of its results.
static Subs emit_nest(Strips *s, const Stm *nest, Sub base)
{
	Build *b = &s->b;
	Var c = new_index();
	Lay y = {.s = s, .c = sub_var(c), .narrows = map_get(&s->nests, nest) == (void *)NARROWS};
	StmVec stms = {0};
	Map needed = {0};
	Vars used = used_results(s, nest);
	Body part = body_part(&s->a.loop->loop.body, subs_of_vars(used), &needed);
	for EACH(Stm, t, part.stms)
		if (t->exp == nest->exp)
			lay_loop(&y, &stms, t);
		else
			VEC_PUSH(&stms, *t);
	part.stms = VEC_SLICE(Stms, stms);
	part.res = SLICE_DUP(Subs, part.res);
	Vars params = {NEW_ARRAY(Var, used.len), used.len};
	Subs inits = {NEW_ARRAY(Sub, used.len), used.len}, res = inits;
	for (int k = 0; k < used.len; k++) {
		part.res.at[k] = sub_subst(&y.narrowed, part.res.at[k]);
		PrimType t = sub_type(part.res.at[k]).elem;
		inits.at[k] = scratch(b, t, subs_of(1, sub_i64(STRIP)), &params.at[k]);
	}
	b_open(b);
	Subs values = emit_part(s, part, b_add(b, base, sub_var(c)));
	res = SLICE_DUP(Subs, inits);
	for (int k = 0; k < used.len; k++)
		res.at[k] = b_update(b, sub_var(params.at[k]),
		                     slices_at(subs_of(1, sub_var(c)), (Subs){0}), values.at[k]);
	return close_loop(b, params, inits, c, sub_i64(STRIP), res, true);
}

static Stm scalar_stm(Var v, Exp *e)
{
	return (Stm){.pat = vars_of(1, v), .exp = e};
}

// The loop with the results of nests for its statements; it is at row `first` of those.
static Stm rest_of(Strips *s, const Stm *loop, Subs inits, Sub first, Sub base, Sub n)
{
	Stm out = *loop;
	Exp *e = out.exp = exp_dup(loop->exp);
	StmVec stms = {0};
	Var i = e->loop.i, at = new_index();
	e->loop.i = new_index();
	e->loop.inits = inits;
	e->loop.n = n;
	VEC_PUSH(&stms, scalar_stm(i, EXP(prim, P_add, PT_I64, {first, sub_var(e->loop.i)})));
	VEC_PUSH(&stms, scalar_stm(at, EXP(prim, P_sub, PT_I64, {sub_var(i), base})));
	for EACH(Stm, t, loop->exp->loop.body.stms) {
		if (!map_has(&s->nests, t)) {
			VEC_PUSH(&stms, *t);
			continue;
		}
		Vars used = used_results(s, t);
		Subs arrays = emit_nest(s, t, base);
		for (int k = 0; k < used.len; k++) {
			PrimType elem = sub_type(arrays.at[k]).elem;
			bool same = elem == vars[used.at[k].id].type.elem;
			Var x = same ? used.at[k] : var_new(name_of("x"), type_scalar(elem));
			VEC_PUSH(&stms, scalar_stm(x, EXP(index, arrays.at[k],
			                                  subs_of(1, sub_var(at)))));
			if (!same)
				VEC_PUSH(&stms, scalar_stm(used.at[k],
				                           EXP(convert, PT_I64, sub_var(x))));
		}
	}
	e->loop.body.stms = VEC_SLICE(Stms, stms);
	return loop_copy(&out);
}

static Sub small(Build *b, Prim op, Sub x, Sub y)
{
	b->attrs = attr_of(ATTR_SMALL);
	return b_prim2(b, op, x, y);
}

static Subs emit_strips(Strips *s, const Stm *loop)
{
	Build *b = &s->b;
	const Exp *e = loop->exp;
	Sub n = e->loop.n, strip = sub_i64(STRIP);
	Sub steps = b_prim2(b, P_quot, b_add(b, n, sub_i64(STRIP - 1)), strip);
	Var t = new_index();
	Vars params = {NEW_ARRAY(Var, e->loop.params.len), e->loop.params.len};
	for (int k = 0; k < params.len; k++) {
		Var p = e->loop.params.at[k];
		params.at[k] = var_new(vars[p.id].hint, vars[p.id].type);
	}
	b_open(b);
	Sub first = small(b, P_mul, sub_var(t), strip);
	Sub base = small(b, P_min, first, b_prim2(b, P_sub, n, strip));
	for EACH(Rows, r, s->rows)
		r->tile = emit_tile(s, r, base);
	Sub here = small(b, P_min, strip, b_prim2(b, P_sub, n, first));
	Stm rest = rest_of(s, loop, subs_of_vars(params), first, base, here);
	b_emit(b, rest);
	return close_loop(b, params, e->loop.inits, t, steps, subs_of_vars(rest.pat), false);
}

// Are there enough iterations, and are rows used often enough, and short enough?
static Sub emit_test(Strips *s)
{
	Build *b = &s->b;
	Sub all = b_le(b, sub_i64(threshold(AT_row_strips) * STRIP), s->a.loop->loop.n);
	for EACH(Sub, n, s->uses)
		all = b_prim2(b, P_and, all, b_le(b, sub_i64(threshold(AT_row_uses)), *n));
	for EACH(Rows, r, s->rows) {
		Sub columns = sub_type(r->arr).dims.at[1];
		Sub short_ = b_prim2(b, P_quot, columns, sub_i64(COLUMNS_PER_USE));
		all = b_prim2(b, P_and, all, b_le(b, columns, sub_i64(MOST_COLUMNS)));
		for EACH(Sub, n, s->uses)
			all = b_prim2(b, P_and, all, b_lt(b, short_, *n));
	}
	for EACH(Sub, n, s->indexed)
		all = b_prim2(b, P_and, all, b_le(b, *n, sub_i64(INT32_MAX)));
	return all;
}

// Are the sizes of what it carries known before?
static bool has_fixed_types(const Exp *loop)
{
	for EACH(Var, p, loop->loop.params) {
		if (vars[p->id].type.kind != T_DATA)
			return false;
		for EACH(Sub, d, vars[p->id].type.dims)
			if (vars_find(loop->loop.params, *d) >= 0)
				return false;
	}
	return true;
}

static bool strip(void *ctx, const Stm *stm)
{
	Strips *s = ctx;
	Build *b = &s->b;
	Stm loop = *stm;
	loop.exp = exp_dup(stm->exp);
	loop.exp->loop.body = fold_places(stm->exp->loop.body);
	if (!find_row_nests(s, loop.exp) || !has_fixed_types(stm->exp) || !may_rewrite())
		return false;
	Sub test = emit_test(s);
	b_open(b);
	Subs res = emit_strips(s, &loop);
	Body yes = b_close(b, res);
	Stm as_it_is = loop_copy(stm);
	Body no = {.stms = {mem_dup(&as_it_is, sizeof as_it_is), 1},
	           .res = subs_of_vars(as_it_is.pat)};
	b_emit(b, (Stm){.pat = stm->pat, .where = stm->where, .exp = EXP(if_, test, yes, no)});
	return true;
}

// A loop around loops with loops inside?
static bool fits(const Stm *s)
{
	if (!is_counted(s->exp) || is_device_loop(s->attrs) || has_attr(s->attrs, ATTR_REGION) ||
	    has_attr(s->attrs, ATTR_EDGE))
		return false;
	for EACH(Stm, t, s->exp->loop.body.stms)
		for (int i = 0; t->exp->form == E_loop && i < t->exp->loop.body.stms.len; i++)
			if (t->exp->loop.body.stms.at[i].exp->form == E_loop)
				return true;
	return false;
}

Prog *strip_rows(Prog *prog)
{
	Strips s = {0};
	return prog_rewrite_stms(prog, fits, &s.b, strip, &s);
}
