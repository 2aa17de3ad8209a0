// The pass `hoist_parts`: takes combinators apart of which a part is the same in all iterations of
// something around them, so that `hoist` moves that part out.
//
//     screma k (es) map=\(e) -> {                     (fs) = screma n (as) map=\(a) -> {
//       (ys) = screma n (as) map=\(a) -> {              (s) = screma m (a, x) .. reduce=..
//         (s, t) = screma m (a, x, e) .. reduce=..      in exp s}
//         in t * exp s                        ->      screma k (es) map=\(e) -> {
//       }                                               (ys) = screma n (as, fs) map=\(a, f) -> {
//       ..                                                (t) = screma m (a, e) .. reduce=..
//     }                                                   in t * f} ..
//                                                     }
//
// Derivatives in many directions have this form: values are the same for all directions and come
// with each of them.  What is left of a sum of products is one that back ends tile.
//
// This pass leaves both parts where the combinator was, the first one reading nothing that some
// level around changes.  It is worth an array of numbers, one for each row, if there is a sum or a
// function such as exp in it.  Where it cannot be moved, `fuse` puts the parts together again.
//
// Requires: the SOAC stage.  Ensures: equal results.
#include "opt/opt.h"

#include <string.h>

enum { MOST_LEVELS = 60, MOST_STMS = 120 };

typedef struct {
	Map levels;                             // set_levels: the levels a variable changes with
	int depth;                              // of levels around
} Parts;

// ---- What may be in a part ----

static bool is_not_plain(const Stm *s)
{
	switch (s->exp->form) {
	case E_atom: case E_prim: case E_convert: case E_index: case E_slice: case E_reshape:
	case E_rearrange: case E_iota: case E_replicate: case E_copy: case E_concat: case E_array:
	case E_if_:
		return s->certs.len;
	case E_screma:
		return s->certs.len || lambda_consumes(s->exp->screma.map);
	default: // has effects, consumes, or takes memory for each row
		return true;
	}
}

static bool may_move(const Stm *s)
{
	return !is_not_plain(s) && !exp_find(s->exp, is_not_plain);
}

// Worth a number in memory?
static bool is_costly(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_screma)
		return may_reach(e->screma.n, AT_hoisted_rows);
	return stm_is_function(s);
}

// ---- Which part ----

typedef struct {
	const Exp *e;
	int level;                              // that the part does not change with
	const Map *levels;
	// What statements change with, and reductions: their operators; what they reduce, too.
	uint64_t *of_stm, *of_op, *of_sum;
	bool *moves;                            // by statement of the map
	bool *stays;                            // likewise: must not move
	bool *sums;                             // by reduction: is it in the part?
	Map left;                               // what is bound by statements that stay
	VEC(Var) across;                        // numbers of the part that the rest needs
} Part;

static bool changes(const Part *p, uint64_t levels)
{
	return levels >> p->level & 1;
}

static bool is_left(const Part *p, Sub x)
{
	return x.kind == S_VAR &&
	       (changes(p, levels_of(p->levels, x)) || map_has(&p->left, var_key(x.var)));
}

static void choose_sums(Part *p)
{
	const Exp *e = p->e;
	int at = 0;
	for (int k = 0; k < e->screma.reds.len; k++) {
		const Reduction *r = &e->screma.reds.at[k];
		bool in = !changes(p, p->of_op[k]) && !body_find(&r->op->body, is_not_plain);
		for EACH(Sub, x, r->ne) {
			in &= !is_left(p, *x) && !is_left(p, e->screma.map->body.res.at[at]);
			at++;
		}
		p->sums[k] = in;
	}
}

static void choose_stms(Part *p)
{
	Stms stms = p->e->screma.map->body.stms;
	p->left = (Map){0};
	for (int i = 0; i < stms.len; i++) {
		const Stm *s = &stms.at[i];
		p->moves[i] = !p->stays[i] && !changes(p, p->of_stm[i]) && may_move(s) &&
		              !stm_mentions(s, &p->left);
		if (!p->moves[i])
			for EACH(Var, x, s->pat)
				map_put(&p->left, var_key(*x), &p->left);
	}
}

// Is it needed by what stays?
static bool goes_across(const Part *p, Var x)
{
	const Exp *e = p->e;
	const Body *b = &e->screma.map->body;
	Map of = {0};
	map_put(&of, var_key(x), &of);
	for (int i = 0; i < b->stms.len; i++)
		if (!p->moves[i] && stm_mentions(&b->stms.at[i], &of))
			return true;
	int at = 0;
	for (int k = 0; k < e->screma.reds.len; k++)
		for (int j = 0; j < e->screma.reds.at[k].ne.len; j++, at++)
			if (!p->sums[k] && sub_eq(b->res.at[at], sub_var(x)))
				return true;
	for (; at < b->res.len; at++)
		if (sub_eq(b->res.at[at], sub_var(x)))
			return true;
	return false;
}

// An array of functions of numbers, one for each row of an input's rows: a part of a combinator
// inside.  It takes no more memory than that input.
static bool is_part_of_rows(const Part *p, const Stm *s, Type t)
{
	if (s->exp->form != E_screma || !exp_find(s->exp, stm_is_function))
		return false;
	for EACH(Var, x, p->e->screma.map->params) {
		Subs of = vars[x->id].type.dims;
		bool same = of.len >= t.dims.len;
		for (int d = 0; same && d < t.dims.len; d++)
			same = sub_eq(of.at[d], t.dims.at[d]);
		if (same)
			return true;
	}
	return false;
}

// Only numbers go across, and such arrays; another one makes what it is computed by stay.
static bool settle(Part *p)
{
	Stms stms = p->e->screma.map->body.stms;
	choose_stms(p);
	choose_sums(p);
	p->across.len = 0;
	for (int i = 0; i < stms.len; i++)
		for (int j = 0; p->moves[i] && j < stms.at[i].pat.len; j++) {
			Var x = stms.at[i].pat.at[j];
			if (!goes_across(p, x))
				continue;
			VEC_PUSH(&p->across, x);
			Type t = vars[x.id].type;
			if (!type_is_scalar(t) && !is_part_of_rows(p, &stms.at[i], t)) {
				p->stays[i] = true;
				return false;
			}
		}
	return true;
}

// Is something there that is_worth_it asks for?  At most levels of deep nests there is not.
static bool may_be_worth_it(const Part *p)
{
	const Exp *e = p->e;
	Stms stms = e->screma.map->body.stms;
	for (int i = 0; i < stms.len; i++)
		if (!changes(p, p->of_stm[i]) && is_costly(&stms.at[i]))
			return true;
	for (int k = 0; k < e->screma.reds.len; k++)
		if (!changes(p, p->of_sum[k]) && may_reach(e->screma.n, AT_hoisted_rows))
			return true;
	return false;
}

static bool is_worth_it(const Part *p)
{
	const Exp *e = p->e;
	Stms stms = e->screma.map->body.stms;
	bool costly = false, all = true;
	for (int k = 0; k < e->screma.reds.len; k++) {
		costly |= p->sums[k] && may_reach(e->screma.n, AT_hoisted_rows);
		all &= p->sums[k];
	}
	for (int i = 0; i < stms.len; i++)
		costly |= p->moves[i] && is_costly(&stms.at[i]);
	return costly && !(all && e->screma.map->body.res.len == n_reduced(e->screma.reds));
}

// ---- The parts ----

static Stms chosen(const Part *p, bool moved)
{
	Stms all = p->e->screma.map->body.stms, out = {NEW_ARRAY(Stm, all.len + 1), 0};
	for (int i = 0; i < all.len; i++)
		if (p->moves[i] == moved)
			out.at[out.len++] = all.at[i];
	return out;
}

// The results of a part: its sums, then in the rest what is mapped.
typedef struct { Subs res; Types ret; Vars pat; Reductions reds; } Results;

static Results results_of(const Part *p, const Stm *s, bool moved)
{
	const Exp *e = p->e;
	const Lambda *f = e->screma.map;
	int n = f->body.res.len + p->across.len + 1, at = 0;
	Results out = {{NEW_ARRAY(Sub, n), 0}, {NEW_ARRAY(Type, n), 0}, {NEW_ARRAY(Var, n), 0},
	               {NEW_ARRAY(Reduction, e->screma.reds.len + 1), 0}};
	for (int k = 0; at < f->body.res.len; k++) {
		bool sum = k < e->screma.reds.len;
		int len = sum ? e->screma.reds.at[k].ne.len : 1;
		bool here = sum ? p->sums[k] == moved : !moved;
		if (sum && here)
			out.reds.at[out.reds.len++] = e->screma.reds.at[k];
		for (int j = 0; j < len; j++, at++) {
			if (!here)
				continue;
			out.res.at[out.res.len++] = f->body.res.at[at];
			out.ret.at[out.ret.len++] = f->ret.at[at];
			out.pat.at[out.pat.len++] = s->pat.at[at];
		}
	}
	return out;
}

static void split(const Part *p, const Stm *s, Stm *first, Stm *rest)
{
	const Exp *e = p->e;
	const Lambda *f = e->screma.map;
	Results a = results_of(p, s, true), b = results_of(p, s, false);
	Map to = {0};
	Subs arrs = e->screma.arrs;
	Vars params = f->params;
	for EACH(Var, x, p->across) {
		Type t = vars[x->id].type;
		Var parts = var_new(name_of("parts"), type_of_rows(e->screma.n, t));
		Var again = var_new(vars[x->id].hint, t);
		a.res.at[a.res.len++] = sub_var(*x);
		a.ret.at[a.ret.len++] = t;
		a.pat.at[a.pat.len++] = parts;
		arrs = subs_cat(arrs, subs_of(1, sub_var(parts)));
		params = vars_cat(params, vars_of(1, again));
		subst_put(&to, *x, sub_var(again));
	}
	Subs read = {NEW_ARRAY(Sub, e->screma.arrs.len + 1), 0};
	Vars own = {NEW_ARRAY(Var, e->screma.arrs.len + 1), 0};
	Map names = {0};
	for (int i = 0; i < e->screma.arrs.len; i++) {
		Type t = vars[f->params.at[i].id].type;
		if (is_left(p, sub_var(f->params.at[i])) || t.kind != T_DATA)
			continue;
		Var x = var_new(vars[f->params.at[i].id].hint, type_plain(t));
		read.at[read.len] = e->screma.arrs.at[i];
		own.at[own.len++] = x;
		read.len++;
		subst_put(&names, f->params.at[i], sub_var(x));
	}
	Lambda *g = NEW(Lambda, 0), *h = NEW(Lambda, 0);
	*g = *f;
	*h = *f;
	g->params = own;
	g->ret = a.ret;
	g->body = body_subst((Body){.stms = chosen(p, true), .res = a.res}, &names);
	h->params = params;
	h->ret = b.ret;
	h->body = body_subst((Body){.stms = chosen(p, false), .res = b.res}, &to);
	*first = *rest = *s;
	first->pat = a.pat;
	first->exp = EXP(screma, .n = e->screma.n, .arrs = read, .map = g, .reds = a.reds);
	rest->pat = b.pat;
	rest->exp = EXP(screma, .n = e->screma.n, .arrs = arrs, .map = h, .reds = b.reds);
}

static Part part_of(const Parts *q, const Exp *e)
{
	Stms stms = e->screma.map->body.stms;
	Reductions reds = e->screma.reds;
	Part p = {.e = e, .levels = &q->levels,
	          .of_stm = NEW_ARRAY(uint64_t, stms.len + 1),
	          .of_op = NEW_ARRAY(uint64_t, reds.len + 1),
	          .of_sum = NEW_ARRAY(uint64_t, reds.len + 1),
	          .moves = NEW_ARRAY(bool, stms.len + 1), .stays = NEW_ARRAY(bool, stms.len + 1),
	          .sums = NEW_ARRAY(bool, reds.len + 1)};
	for (int i = 0; i < stms.len; i++)
		p.of_stm[i] = levels_of_exp(p.levels, stms.at[i].exp);
	for (int k = 0, at = 0; k < reds.len; k++) {
		p.of_op[k] = levels_of_exp(p.levels, EXP(screma, .n = e->screma.n,
		                                         .map = reds.at[k].op));
		p.of_sum[k] = p.of_op[k];
		for (int j = 0; j < reds.at[k].ne.len; j++, at++)
			p.of_sum[k] |= levels_of(p.levels, e->screma.map->body.res.at[at]);
	}
	return p;
}

static bool take_apart(Parts *q, const Stm *s, Stm *first, Stm *rest)
{
	const Exp *e = s->exp;
	if (e->form != E_screma || e->screma.scans.len || lambda_consumes(e->screma.map) ||
	    e->screma.map->body.stms.len > MOST_STMS || s->certs.len)
		return false;
	uint64_t all = q->depth ? levels_of_exp(&q->levels, e) : 0;
	Part p = all ? part_of(q, e) : (Part){0};
	for (int level = 0; level < q->depth; level++) {
		p.level = level;
		if (!(all >> level & 1) || !may_be_worth_it(&p))
			continue;
		memset(p.stays, 0, (size_t)e->screma.map->body.stms.len);
		while (!settle(&p))
			;
		bool reads = false;
		for (int i = 0; i < e->screma.arrs.len; i++)
			reads |= !is_left(&p, sub_var(e->screma.map->params.at[i])) &&
			         vars[e->screma.map->params.at[i].id].type.kind == T_DATA;
		if (!reads || !is_worth_it(&p) || !may_rewrite())
			continue;
		split(&p, s, first, rest);
		return true;
	}
	return false;
}

// ---- The program ----

static void note_stm(Parts *q, const Stm *s)
{
	uint64_t levels = levels_of_exp(&q->levels, s->exp) & (((uint64_t)1 << q->depth) - 1);
	for EACH(Var, x, s->pat)
		set_levels(&q->levels, *x, levels);
}

static void note_params(Parts *q, Vars params, Subs from)
{
	for (int i = 0; i < params.len; i++)
		set_levels(&q->levels, params.at[i],
		           levels_of(&q->levels, from.at[i]) | (uint64_t)1 << q->depth);
}

static bool is_level(const Parts *q, const Exp *e)
{
	return (e->form == E_screma || e->form == E_loop) && q->depth < MOST_LEVELS;
}

static void apart_body(Visit *v, Body *b)
{
	Parts *q = v->ctx;
	StmVec out = {0};
	for EACH(Stm, old, b->stms) {
		Stm s = *old, first, rest;
		if (s.exp->form == E_call)
			stm_visit(&s, v);
		if (form_has(s.exp->form, FORM_NEST)) {
			if (s.exp->form == E_screma)
				note_params(q, s.exp->screma.map->params, s.exp->screma.arrs);
			if (s.exp->form == E_loop) {
				note_params(q, s.exp->loop.params, s.exp->loop.inits);
				if (!s.exp->loop.is_while)
					set_levels(&q->levels, s.exp->loop.i,
					           (uint64_t)1 << q->depth);
			}
			bool level = is_level(q, s.exp);
			q->depth += level;
			stm_visit(&s, v);
			q->depth -= level;
		}
		while (take_apart(q, &s, &first, &rest)) {
			note_stm(q, &first);
			VEC_PUSH(&out, first);
			note_params(q, rest.exp->screma.map->params, rest.exp->screma.arrs);
			s = rest;
		}
		note_stm(q, &s);
		VEC_PUSH(&out, s);
	}
	b->stms = VEC_SLICE(Stms, out);
}

static bool is_screma(const Stm *s)
{
	return s->exp->form == E_screma;
}

Prog *hoist_parts(Prog *prog)
{
	Parts q = {0};
	Visit v = {.body = apart_body, .copy = true, .ctx = &q};
	return prog_rewrite_where(prog, is_screma, &v);
}
