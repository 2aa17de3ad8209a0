// The passes `map_loops` and `map_diff_loops`: turn loops with independent iterations into maps.
// Maps can be fused and executed in parallel, and their derivatives need no log of overwritten
// values.
//
//     for i < n do a with [i] = f i a[i]            map (\i r -> f i r) (iota n) a     map_rows.c
//     for i < n do a with [i, p] = f i a[i]         a with [0:n, p] = map ..           map_cells.c
//     for i < k do a with [i + c] = f i a[..c]      a with [c:c+k] = map ..            map_parts.c
//     for i < n do s + f i                          s + reduce (+) (map f (iota n))    map_sums.c
//     for i < n do for j < i + 1 do a with [i, j] = ..
//                                                   for j < n do .. map over i ..      map_turn.c
//
// This file traverses the program, outer loops before inner ones, and collects the definitions and
// ranges of scalars on the way.
//
// map_diff_loops, for sequential code, applies only to functions that are differentiated:
// elsewhere loops are as good as maps, and better if an inner loop adds to a whole row repeatedly.
// It does not interchange loops either, since accesses along columns are strided, and makes sums of
// loops only where each term takes a loop.
//
// Requires SOACs; bounds that were simplified help.  Ensures nothing that other passes rely on.
#include "opt/map_loops.h"

// ---- What is known ----

const Exp *loop_def(void *ctx, Sub s)
{
	const MapLoops *m = ctx;
	return s.kind == S_VAR ? map_get(&m->defs, var_key(s.var)) : NULL;
}

Sub name_for(MapLoops *m, PrimType t, Prim op, Sub x, Sub y)
{
	Var v = var_new(NULL, type_scalar(t));
	map_put(&m->defs, var_key(v), EXP(prim, op, PT_I64, {x, y}));
	return sub_var(v);
}

// An element of start, start + 1, .. is a sum: lambdas that are differentiated have such.
static const Exp *as_arithmetic(MapLoops *m, const Exp *e)
{
	if (e->form != E_index || e->index.idx.len != 1)
		return e;
	const Exp *of = loop_def(m, e->index.arr);
	if (!of || of->form != E_iota || of->iota.type != PT_I64 ||
	    !sub_eq(of->iota.step, sub_i64(1)))
		return e;
	return EXP(prim, P_add, PT_I64, {of->iota.start, e->index.idx.at[0]});
}

static void note_sizes(MapLoops *m, Vars vs)
{
	for EACH(Var, x, vs)
		if (vars[x->id].type.kind == T_DATA)
			for EACH(Sub, d, vars[x->id].type.dims)
				range_size(&m->range, *d, LARGEST_SIZE, (Vars){0});
}

void note_stm(MapLoops *m, const Stm *s)
{
	if (s->pat.len == 1)
		map_put(&m->defs, var_key(s->pat.at[0]), (void *)as_arithmetic(m, s->exp));
	note_sizes(m, s->pat);
}

static void note_tokens(MapLoops *m, const Exp *withacc)
{
	AccInputs in = withacc->withacc.inputs;
	for (int k = 0; k < in.len; k++)
		if (in.at[k].op)
			map_put(&m->unordered, var_key(withacc->withacc.fn->params.at[k]), m);
}

void enter_lambda(MapLoops *m, const Exp *e)
{
	if (e->form == E_loop && !e->loop.is_while)
		range_counter(&m->range, e->loop.i, e->loop.n);
	if (e->form == E_withacc)
		note_tokens(m, e);
	if (e->form != E_screma)
		return;
	range_runs(&m->range, e->screma.n);
	for (int i = 0; i < e->screma.arrs.len; i++) {
		const Exp *of = loop_def(m, e->screma.arrs.at[i]);
		if (of && of->form == E_iota)
			range_iota(&m->range, e->screma.map->params.at[i], of);
	}
}

// ---- The walk ----

static bool is_derivative(const Stm *s)
{
	return s->exp->form == E_vjp || s->exp->form == E_jvp;
}

static void maps_body(Visit *v, Body *b);

static void go_inside(MapLoops *m, Visit *v, Stm *s)
{
	const Exp *e = s->exp;
	int facts = range_mark(&m->range);
	if (e->form == E_if_) {
		s->exp = exp_dup(e);
		range_assume(&m->range, e->if_.cond, true, (Var){0});
		maps_body(v, &s->exp->if_.yes);
		range_release(&m->range, facts);
		range_assume(&m->range, e->if_.cond, false, (Var){0});
		maps_body(v, &s->exp->if_.no);
	} else {
		const MapLoops outside = *m;
		bool soac = form_has(e->form, FORM_SOAC);
		m->depth += soac || e->form == E_loop;
		m->loops += e->form == E_loop && !m->soacs;
		m->soacs += soac;
		m->wanted |= is_derivative(s);
		enter_lambda(m, e);
		s->exp = exp_visit(s->exp, v);
		m->depth = outside.depth;
		m->loops = outside.loops;
		m->soacs = outside.soacs;
		m->wanted = outside.wanted;
	}
	range_release(&m->range, facts);
}

static void maps_body(Visit *v, Body *b)
{
	MapLoops *m = v->ctx;
	int facts = range_mark(&m->range);
	Build build = {0};
	b_open(&build);
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		note_stm(m, &s);
		bool rows = m->wanted && map_rows(m, &build, &s);
		if (form_has(s.exp->form, FORM_NEST))
			go_inside(m, v, &s);
		else if (s.exp->form == E_call)
			s.exp = exp_visit(s.exp, v);
		bool other = m->wanted && !rows;
		if (!(other && map_cells(m, &build, &s)) &&
		    !(other && map_parts(m, &build, &s)) &&
		    !(other && map_sums(m, &build, &s)) &&
		    !(other && m->threads && turn_nest(m, &build, &s)))
			b_emit(&build, s);
	}
	*b = b_close(&build, b->res);
	range_release(&m->range, facts);
}

static Prog *map_where(Prog *prog, StmTest *test, bool threads)
{
	if (!prog_find(prog, test))
		return prog;
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	MapLoops m = {.range = {.def = loop_def, .ctx = &m}, .wanted = threads,
	              .threads = threads};
	Visit v = {.body = maps_body, .funs = &funs, .copy = true, .ctx = &m};
	for EACH(Fun *, f, out->funs) {
		if (!body_find(&(*f)->body, test)) {
			fun_new_callees(*f, &funs);
			continue;
		}
		int facts = range_mark(&m.range);
		note_sizes(&m, (*f)->params);
		fun_rewrite(*f, &v);
		range_release(&m.range, facts);
	}
	range_free(&m.range);
	return out;
}

Prog *map_loops(Prog *prog)
{
	return map_where(prog, stm_is_for, true);
}

Prog *map_diff_loops(Prog *prog)
{
	return map_where(prog, is_derivative, false);
}
