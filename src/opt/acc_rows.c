// The pass `row_sums`: gives a row of a map that repeatedly adds to all elements of an accumulator
// private sums, which are added to the accumulator once.
//
//     screma n (xs, acc) \(x, c) ->            screma n (xs, acc) \(x, c) ->
//       loop (a = c) for t < m do {              zs = replicate [k] 0
//         screma k (iota k, a) \(i, b) ->        ys = withacc zs \d ->
//           upd_acc b [i] (f x t i)       ->       loop (a = d) for t < m do {
//       }                                            .. upd_acc b [i] (f x t i) }
//                                                screma k (iota k, ys, c) \(i, y, b) ->
//                                                  upd_acc b [i] (y)
//
// An f32 to which millions of terms are added one by one loses the small ones and finally most of
// them: at 4096, terms below 2e-4 have no effect.  A sum of row sums is about as accurate as the
// array reductions of other systems.  Zeros and one addition per element cost little compared with
// the m additions to each.  Derivatives of recurrences with respect to parameters shared by all
// rows and steps have this form.
//
// Not used for devices, where rows run concurrently and all private arrays would be live at once.
//
// Requires: sums of scalars narrower than f64; indices that are distinct counters of enclosing
// loops and cover the whole array, with at least one more loop around the update.  Ensures: equal
// results up to the order of additions, which accumulators leave unspecified.
#include "opt/acc.h"

enum { MAX_NEST = 16 };         // loops around an update

typedef struct {
	Build b;
	Map defs;                       // variable -> Exp *
	Map sums;                       // tokens of accumulators that are sums
} Rows;

static void note_body(Visit *v, Body *b)
{
	Rows *r = v->ctx;
	for EACH(Stm, s, b->stms) {
		for EACH(Var, x, s->pat)
			map_put(&r->defs, var_key(*x), s->exp);
		for (int i = 0; s->exp->form == E_withacc && i < s->exp->withacc.inputs.len; i++)
			if (acc_is_sum(&s->exp->withacc.inputs.at[i]))
				map_put(&r->sums, var_key(s->exp->withacc.fn->params.at[i]), r);
	}
	body_visit(b, v);
}

// ---- How often ----

typedef struct {
	const Rows *r;
	Var token;                              // of the accumulator
	Subs dims;                              // of the array
	struct { Sub i, n; } loops[MAX_NEST];   // around, as far as they are in the row
	int depth;
	bool every;                             // update so far
} Often;

static const Exp *defined(const Rows *r, Sub x)
{
	return x.kind == S_VAR ? map_get(&r->defs, var_key(x.var)) : NULL;
}

// The loop around that x counts, forwards or backwards; -1: none.
static int counted_by(const Often *o, Sub x)
{
	for (int i = 0; i < o->depth; i++)
		if (sub_eq(o->loops[i].i, x))
			return i;
	const Exp *e = defined(o->r, x);
	if (!e || e->form != E_prim || (e->prim.op != P_sub && e->prim.op != P_add))
		return -1;
	int a = counted_by(o, e->prim.x[0]), b = counted_by(o, e->prim.x[1]);
	return a < 0 ? b : b < 0 ? a : -1;
}

// All elements, each several times?
static bool is_often(const Often *o, Subs idx)
{
	bool used[MAX_NEST] = {0};
	for (int i = 0; i < idx.len; i++) {
		int k = counted_by(o, idx.at[i]);
		if (k < 0 || used[k] || !sub_eq(o->loops[k].n, o->dims.at[i]))
			return false;
		used[k] = true;
	}
	for (int k = 0; k < o->depth; k++)
		if (!used[k] && may_reach(o->loops[k].n, AT_row_sums))
			return true;
	return false;
}

static void open_loop(Often *o, Sub i, Sub n)
{
	if (o->depth == MAX_NEST)
		return;
	o->loops[o->depth].i = i;
	o->loops[o->depth++].n = n;
}

static bool is_counting(const Rows *r, Sub arr)
{
	return is_count(defined(r, arr));
}

static void look_how_often(Visit *v, Body *b)
{
	Often *o = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		int depth = o->depth;
		if (e->form == E_upd_acc && sub_type(e->upd_acc.acc).acc->token.id == o->token.id)
			o->every &= is_often(o, e->upd_acc.idx);
		if (e->form == E_loop && !e->loop.is_while)
			open_loop(o, sub_var(e->loop.i), e->loop.n);
		for (int i = 0; e->form == E_screma && i < e->screma.arrs.len; i++)
			if (o->depth == depth && is_counting(o->r, e->screma.arrs.at[i]))
				open_loop(o, sub_var(e->screma.map->params.at[i]), e->screma.n);
		stm_visit(s, v);
		o->depth = depth;
	}
}

// Does the loop add to all of the accumulator again and again?
static bool is_worth(const Rows *r, const Stm *loop, Sub acc)
{
	Type t = sub_type(acc);
	Often o = {.r = r, .token = t.acc->token, .dims = t.acc->space, .every = true};
	Visit v = {.body = look_how_often, .ctx = &o};
	Stm one = *loop;
	Body b = {.stms = {&one, 1}};
	look_how_often(&v, &b); // a walk: writes nothing
	return o.every;
}

// ---- Sums of a row ----

// `parts` added to the accumulator at [i.., ..], element by element.
static Sub emit_additions(Build *b, Sub acc, Sub parts, Subs at)
{
	Type row = sub_type(parts);
	if (!row.dims.len)
		return b_let(b, "acc", sub_type(acc), EXP(upd_acc, acc, at, subs_of(1, parts)));
	Sub n = row.dims.at[0], rows = b_iota(b, n);
	row = type_row(row);
	row.unique = false;
	Var i = var_i64("i"), x = var_new(name_of("x"), row),
	        inner = var_new(name_of("acc"), sub_type(acc));
	b_open(b);
	Sub r = emit_additions(b, sub_var(inner), sub_var(x), subs_cat(at, subs_of(1, sub_var(i))));
	Lambda *l = b_lambda(b, vars_of(3, i, x, inner), subs_of(1, r));
	return b_let(b, "acc", sub_type(acc), EXP(screma, .n = n,
	                                          .arrs = subs_of(3, rows, parts, acc), .map = l));
}

// `after`: what the accumulator is called once the loop is done.
typedef struct { Sub acc, own; Var token, parts, after; } OwnSum;
typedef VEC(OwnSum) OwnSums;

// The statement with an accumulator of the row's own, which it gives as its result k; false: that
// cannot be.
static bool own_sum(OwnSum *own, Stm *loop, Sub acc, int k)
{
	const AccType *old = sub_type(acc).acc;
	*own = (OwnSum){.acc = acc, .token = var_new(name_of("token"), type_cert())};
	Type type = {.kind = T_ACC, .acc = NEW(AccType, own->token, old->space, old->elems)};
	own->own = sub_var(var_new(name_of("acc"), type));
	own->parts = var_new(name_of("parts"), type_array(old->elems.at[0].elem, old->space));
	own->after = loop->pat.at[k];
	return acc_retarget(loop, acc, own->own);
}

// What the row did with the accumulators `sums` and gave by names of `pat`; `loop` gives the sums
// by its own names.
static void emit_own_sums(Build *b, OwnSums sums, Stm loop, Vars pat)
{
	Vars tokens = {0}, accs = {0}, to = {0}, rest = {0};
	Subs res = {0}, others = {0};
	AccInputs in = {NEW_ARRAY(AccInput, sums.len), sums.len};
	for (int i = 0; i < sums.len; i++) {
		const OwnSum *s = &sums.at[i];
		Type t = vars[s->parts.id].type;
		Sub zero = sub_const(scalar_int(t.elem, 0));
		Sub zeros = b_let(b, "zeros", t, EXP(replicate, t.dims, zero));
		in.at[i] = (AccInput){t.dims, subs_of(1, zeros), b_operator(b, P_add, t.elem),
		                      subs_of(1, zero)};
		tokens = vars_cat(tokens, vars_of(1, s->token));
		accs = vars_cat(accs, vars_of(1, s->own.var));
		to = vars_cat(to, vars_of(1, s->parts));
		for (int k = 0; k < pat.len; k++)
			if (pat.at[k].id == s->after.id)
				res = subs_cat(res, subs_of(1, sub_var(loop.pat.at[k])));
	}
	loop.pat = SLICE_DUP(Vars, loop.pat);
	for (int k = 0; k < pat.len; k++) {
		if (loop.pat.at[k].id != pat.at[k].id)
			continue;
		loop.pat.at[k] = var_new(vars[pat.at[k].id].hint, vars[pat.at[k].id].type);
		rest = vars_cat(rest, vars_of(1, pat.at[k]));
		others = subs_cat(others, subs_of(1, sub_var(loop.pat.at[k])));
	}
	b_open(b);
	b_emit(b, loop);
	Lambda *fn = b_lambda(b, vars_cat(tokens, accs), subs_cat(res, others));
	b_emit(b, (Stm){.pat = vars_cat(to, rest), .where = loop.where,
	                .exp = EXP(withacc, in, fn)});
	for EACH(const OwnSum, s, sums) {
		Sub after = emit_additions(b, s->acc, sub_var(s->parts), (Subs){0});
		b_emit(b, (Stm){.pat = vars_of(1, s->after), .where = loop.where,
		                .exp = EXP(atom, after)});
	}
}

bool emit_own_sum(Build *b, const Stm *s, Sub acc)
{
	OwnSum own;
	OwnSums sums = {0};
	Stm now = *s;
	int k = 0;
	while (vars[s->pat.at[k].id].type.kind != T_ACC ||
	       vars[s->pat.at[k].id].type.acc->token.id != sub_type(acc).acc->token.id)
		k++;
	if (!own_sum(&own, &now, acc, k))
		return false;
	VEC_PUSH(&sums, own);
	emit_own_sums(b, sums, now, s->pat);
	return true;
}

// An accumulator that comes from outside of the row, and is a sum of narrow floats.
static bool comes_with_row(const Rows *r, const Lambda *row, Sub x)
{
	Type t = sub_type(x);
	if (t.kind != T_ACC || !map_has(&r->sums, var_key(t.acc->token)) || t.acc->elems.len != 1 ||
	    t.acc->elems.at[0].dims.len || !t.acc->space.len)
		return false;
	PrimType elem = t.acc->elems.at[0].elem;
	if (elem != PT_F32 && elem != PT_F16)
		return false;
	return vars_find_acc(row->params, t.acc->token) >= 0;
}

static bool rewrite_loop(Rows *r, const Lambda *row, const Stm *s)
{
	const Exp *e = s->exp;
	OwnSums sums = {0};
	Stm now = *s;
	for (int k = 0; e->form == E_loop && !e->loop.is_while && k < e->loop.inits.len; k++) {
		Sub acc = e->loop.inits.at[k];
		Stm next = now;
		OwnSum own;
		if (!comes_with_row(r, row, acc) || !is_worth(r, s, acc) ||
		    !own_sum(&own, &next, acc, k) || !may_rewrite())
			continue;
		now = next;
		VEC_PUSH(&sums, own);
	}
	if (sums.len)
		emit_own_sums(&r->b, sums, now, s->pat);
	return sums.len > 0;
}

static bool has_rows(const Stm *s)
{
	if (s->exp->form != E_screma)
		return false;
	for EACH(Sub, x, s->exp->screma.arrs)
		if (sub_type(*x).kind == T_ACC)
			return true;
	return false;
}

static void rewrite_body(Visit *v, Body *b)
{
	Rows *r = v->ctx;
	body_visit(b, v);
	for EACH(Stm, s, b->stms) {
		if (!has_rows(s))
			continue;
		Lambda *f = s->exp->screma.map;
		bool any = false;
		b_open(&r->b);
		for EACH(Stm, x, f->body.stms) {
			bool done = rewrite_loop(r, f, x);
			any |= done;
			if (!done)
				b_emit(&r->b, *x);
		}
		Body now = b_close(&r->b, f->body.res);
		if (!any)
			continue;
		s->exp = exp_dup(s->exp);
		s->exp->screma.map = mem_dup(f, sizeof *f);
		s->exp->screma.map->body = now;
	}
}

Prog *row_sums(Prog *prog)
{
	if (!prog_has_accs(prog))
		return prog;
	Rows r = {0};
	Visit note = {.body = note_body, .ctx = &r};
	for EACH(Fun *, f, prog->funs)
		note_body(&note, &(*f)->body);
	Visit v = {.body = rewrite_body, .copy = true, .ctx = &r};
	return prog_rewrite_where(prog, is_withacc, &v);
}
