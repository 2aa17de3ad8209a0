// Which arrays statements consume, by whatever name; for several arrays at once.
//
//     let (p: [n]f64) = slice xs [0:n:1]
//     let (ys: [n]f64) = if c then {p} else {zs}
//     let (us: [n]f64) = update ys [i] x              -- consumes xs and zs
#include "device/consumed.h"

#include "opt/alias.h"

// What arrays that are followed may be by other names, as views or results of branches.
typedef struct {
	Map arrays;                     // variable -> VarVec *: those that it may be
	Map consumed;                   // those that are consumed, by any name
} Follow;

static void follow(Follow *f, Var x, Var array)
{
	VarVec *of = map_get(&f->arrays, var_key(x));
	if (!of) {
		of = NEW(VarVec, 0);
		map_put(&f->arrays, var_key(x), of);
	}
	for EACH(Var, v, *of)
		if (v->id == array.id)
			return;
	VEC_PUSH(of, array);
}

static void follow_as(Follow *f, Var x, Sub of)
{
	const VarVec *arrays = of.kind == S_VAR ? map_get(&f->arrays, var_key(of.var)) : NULL;
	for (int i = 0; arrays && i < arrays->len; i++)
		follow(f, x, arrays->at[i]);
}

static void note_consumed(Follow *f, Sub x)
{
	const VarVec *arrays = x.kind == S_VAR ? map_get(&f->arrays, var_key(x.var)) : NULL;
	for (int i = 0; arrays && i < arrays->len; i++)
		map_put(&f->consumed, var_key(arrays->at[i]), f);
}

static void follow_results(Follow *f, const Stm *s, const Body *b)
{
	for (int k = 0; k < s->pat.len; k++)
		follow_as(f, s->pat.at[k], b->res.at[k]);
}

static void follow_body(Visit *v, Body *b)
{
	Follow *f = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		SubVec consumed = {0};
		exp_consumed(e, &consumed);
		for EACH(Sub, x, consumed)
			note_consumed(f, *x);
		switch (e->form) {
		case E_atom:      follow_as(f, s->pat.at[0], e->atom.x); break;
		case E_slice:     follow_as(f, s->pat.at[0], e->slice.arr); break;
		case E_reshape:   follow_as(f, s->pat.at[0], e->reshape.arr); break;
		case E_rearrange: follow_as(f, s->pat.at[0], e->rearrange.arr); break;
		case E_if_: case E_match:
			exp_walk(s->exp, v);
			for (int i = 0; i < n_branches(e); i++)
				follow_results(f, s, branch_at(e, i));
			break;
		case E_loop:
			for (int k = 0; k < e->loop.params.len; k++)
				follow_as(f, e->loop.params.at[k], e->loop.inits.at[k]);
			exp_walk(s->exp, v);
			follow_results(f, s, &e->loop.body);
			for (int k = 0; k < s->pat.len; k++) // after no iteration
				follow_as(f, s->pat.at[k], e->loop.inits.at[k]);
			break;
		default: // an array of its own, or none
			break;
		}
	}
}

Map consumed_among(Stms stms, Vars arrays)
{
	Follow f = {0};
	Body all = {.stms = stms};
	for EACH(Var, x, arrays)
		if (type_is_array(vars[x->id].type))
			follow(&f, *x, *x);
	follow_body(&(Visit){.body = follow_body, .ctx = &f}, &all);
	return f.consumed;
}
