// The pass `fuse_scans`: fuses a kernel that consumes the results of a scan into the scan.
//
//     #[blocks] let (s: [n]i64, f: [n]bool) = loop (..) for z < 1 do {
//       #[threads] loop (a = 0, s', f') for j < n do {
//         ..  #[scan] let (r: i64) = call add (a, v)  in r, s' with [j] = r, f' with [j] = c
//       }
//     }
//     let (count: i64) = .. index s [n - 1]
//     #[kernel] let (ys: [n]t) = loop (y = scratch) for i < n do {
//       .. index s [i] .. index f [i] .. y with ..}
// becomes
//     #[blocks] let (t: [1]i64, ys: [n]t) = loop (..) for z < 1 do {
//       #[threads] let (a', ..) = loop (a = 0, y) for j < n do {.. r .. c .. y with ..}
//       in t with [0] = a', ..
//     }
//     let (count: i64) = .. index t [0]
//
// Arrays such as s and f then need no memory unless something else reads them, as in a filter.
//
// Requires: the pass `seq`.  The kernel writes only fresh arrays, hence nothing that the scan
// reads; the statements between the two are pure, and those that depend on the scan are moved
// behind it.  Ensures nothing that other passes rely on.
#include "opt/opt.h"
#include "loop/loop.h"

typedef VEC(Stm) StmVec;
typedef VEC(Sub) SubVec;
typedef VEC(Var) VarVec;

typedef struct {
	const Body *body;
	int scan, kernel;                       // statements
	const Stm *blocks, *threads;
	const Stm *user;                        // the kernel
	Map results;                            // of the scan: variable -> its number + 1
	bool *later;                            // by statement between: it depends on those
} Group;

// ---- What is there ----

static bool is_scan_of_blocks(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || !has_attr(s->attrs, ATTR_BLOCKS) ||
	    !sub_eq(e->loop.n, sub_i64(1)) || e->loop.body.stms.len != 1 ||
	    !has_attr(e->loop.body.stms.at[0].attrs, ATTR_THREADS))
		return false;
	const Stm *threads = &e->loop.body.stms.at[0];
	for EACH(Sub, r, e->loop.body.res)
		if (vars_find(threads->pat, *r) < 0)
			return false;
	for EACH(Stm, t, threads->exp->loop.body.stms)
		if (has_attr(t->attrs, ATTR_SCAN))
			return true;
	return false;
}

// The update `p with [j] = x` that result r of the blocks comes from, or NULL.
static const Stm *update_of(const Group *g, int r)
{
	const Exp *t = g->threads->exp;
	int q = vars_find(g->threads->pat, g->blocks->exp->loop.body.res.at[r]);
	const Stm *s = stm_in(&t->loop.body, t->loop.body.res.at[q]);
	bool own = s && stores_at(s->exp, sub_var(t->loop.params.at[q]), sub_var(t->loop.i));
	return own ? s : NULL;
}

// Is the body pure, with scalars as results?
static bool is_pure_choice(const Exp *e);

static bool is_pure_stm(const Stm *s)
{
	switch (s->exp->form) {
	case E_prim: case E_convert: case E_atom: case E_index: return true;
	case E_if_: return is_pure_choice(s->exp);
	default: // arrays, effects, control
		return false;
	}
}

static bool is_pure_choice(const Exp *e)
{
	const Body *bodies[] = {&e->if_.yes, &e->if_.no};
	for (int i = 0; i < 2; i++) {
		for EACH(Sub, r, bodies[i]->res)
			if (!type_is_scalar(sub_type(*r)))
				return false;
		for EACH(Stm, s, bodies[i]->stms)
			if (!is_pure_stm(s))
				return false;
	}
	return true;
}

static bool may_lie_between(const Stm *s)
{
	Form f = s->exp->form;
	return is_pure_stm(s) || f == E_scratch || f == E_replicate || f == E_iota ||
	       f == E_slice || f == E_rearrange || f == E_reshape || f == E_assert_;
}

// Does the kernel read results of the scan, and at its own index alone?
static bool reads_its_rows(const Group *g)
{
	const Exp *e = g->user->exp;
	bool any = false;
	for EACH(Sub, x, e->loop.inits)
		if (x->kind == S_VAR && map_has(&g->results, var_key(x->var)))
			return false;
	for EACH(Stm, s, e->loop.body.stms) {
		if (!stm_mentions(s, &g->results))
			continue;
		if (s->exp->form != E_index || s->exp->index.idx.len != 1 ||
		    !sub_eq(s->exp->index.idx.at[0], sub_var(e->loop.i)))
			return false;
		uintptr_t r = (uintptr_t)map_get(&g->results, var_key(s->exp->index.arr.var));
		if (!update_of(g, (int)r - 1))
			return false;
		any = true;
	}
	for EACH(Sub, r, e->loop.body.res)
		if (r->kind == S_VAR && map_has(&g->results, var_key(r->var)))
			return false;
	return any;
}

static bool is_user(const Group *g)
{
	const Exp *e = g->user->exp;
	if (e->form != E_loop || !has_attr(g->user->attrs, ATTR_KERNEL) ||
	    !sub_eq(e->loop.n, g->threads->exp->loop.n) || !e->loop.body.stms.len ||
	    has_attr(e->loop.body.stms.at[e->loop.body.stms.len - 1].attrs, ATTR_KERNEL))
		return false;
	for EACH(Sub, x, e->loop.inits) {
		const Stm *s = stm_in(g->body, *x);
		if (!s || (s->exp->form != E_scratch && s->exp->form != E_replicate))
			return false;
	}
	return reads_its_rows(g);
}

// Finds the kernel that goes with the scan at `at`.
static bool group_of(const Body *b, int at, Group *out)
{
	Group g = {.body = b,
	           .scan = at,
	           .blocks = &b->stms.at[at],
	           .later = NEW_ARRAY(bool, b->stms.len)};
	if (!is_scan_of_blocks(g.blocks))
		return false;
	g.threads = &g.blocks->exp->loop.body.stms.at[0];
	for (int r = 0; r < g.blocks->pat.len; r++)
		map_put(&g.results, var_key(g.blocks->pat.at[r]), (void *)(uintptr_t)(r + 1));
	Map depends = {0};
	vars_put(&depends, g.blocks->pat, &g);
	for (int k = at + 1; k < b->stms.len; k++) {
		const Stm *s = &b->stms.at[k];
		g.kernel = k;
		g.user = s;
		if (is_user(&g)) {
			Map others = {0};
			for (int i = at + 1; i < k; i++)
				for (int r = 0; g.later[i] && r < b->stms.at[i].pat.len; r++)
					map_put(&others, var_key(b->stms.at[i].pat.at[r]), &g);
			*out = g;
			return !stm_mentions(s, &others);
		}
		g.later[k] = stm_mentions(s, &depends);
		if (!may_lie_between(s) || (g.later[k] && !is_pure_stm(s)))
			return false;
		for (int r = 0; g.later[k] && r < s->pat.len; r++)
			map_put(&depends, var_key(s->pat.at[r]), &g);
	}
	return false;
}

// ---- The last element of a scan ----

// totals: for each result of the scan, an array with its last element, if there is one.
typedef struct { const Group *g; Map defs; Sub *totals; bool *read; } Last;

static bool is_last(const Last *l, Sub x)
{
	const Exp *e = x.kind == S_VAR ? map_get(&l->defs, var_key(x.var)) : NULL;
	return e && e->prim.op == P_sub && sub_eq(e->prim.x[0], l->g->threads->exp->loop.n) &&
	       sub_eq(e->prim.x[1], sub_i64(1));
}

// The running value of the threads that is what result r has at its end: its number, or -1.
static int running_value(const Group *g, int r)
{
	const Stm *s = update_of(g, r);
	const Exp *t = g->threads->exp;
	for (int q = 0; s && q < t->loop.params.len; q++)
		if (type_is_scalar(vars[t->loop.params.at[q].id].type) &&
		    sub_eq(t->loop.body.res.at[q], s->exp->update.val))
			return q;
	return -1;
}

// Which result of the scan is read at its end by this statement: its number, or -1.
static int read_at_end(const Last *l, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_index || e->index.arr.kind != S_VAR || e->index.idx.len != 1 ||
	    !is_last(l, e->index.idx.at[0]))
		return -1;
	return (int)(uintptr_t)map_get(&l->g->results, var_key(e->index.arr.var)) - 1;
}

static void find_reads(Visit *v, Body *b)
{
	Last *l = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (s->pat.len == 1 && s->exp->form == E_prim)
			map_put(&l->defs, var_key(s->pat.at[0]), s->exp);
		int r = read_at_end(l, s);
		if (r >= 0 && running_value(l->g, r) >= 0)
			l->read[r] = true;
		exp_visit(s->exp, v);
	}
}

static void read_totals(Visit *v, Body *b)
{
	Last *l = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		int r = read_at_end(l, s);
		if (r >= 0 && l->read[r])
			s->exp = EXP(index, l->totals[r], subs_of(1, sub_i64(0)));
		else if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
	}
}

// ---- The two as one ----

typedef struct { VarVec params, pat; SubVec inits, res; } Parts;

static Parts parts_of(const Stm *loop)
{
	Parts p = {0};
	const Exp *e = loop->exp;
	for (int i = 0; i < e->loop.params.len; i++) {
		VEC_PUSH(&p.params, e->loop.params.at[i]);
		VEC_PUSH(&p.pat, loop->pat.at[i]);
		VEC_PUSH(&p.inits, e->loop.inits.at[i]);
		VEC_PUSH(&p.res, e->loop.body.res.at[i]);
	}
	return p;
}

static Stm loop_of(const Stm *old, Parts p, Stms stms)
{
	Stm s = *old;
	s.exp = NEW(Exp, .form = E_loop, .loop = old->exp->loop);
	s.exp->loop.params = VEC_SLICE(Vars, p.params);
	s.exp->loop.inits = VEC_SLICE(Subs, p.inits);
	s.exp->loop.body = (Body){.stms = stms, .res = VEC_SLICE(Subs, p.res)};
	s.pat = VEC_SLICE(Vars, p.pat);
	return s;
}

// The statements of the kernel, as part of the threads' loop; its results are added to *res.
static void add_user(const Group *g, const Vars inner, StmVec *out, SubVec *res)
{
	const Exp *e = g->user->exp;
	Map subst = {0};
	subst_put(&subst, e->loop.i, sub_var(g->threads->exp->loop.i));
	for (int i = 0; i < inner.len; i++)
		subst_put(&subst, e->loop.params.at[i], sub_var(inner.at[i]));
	StmVec rest = {0};
	for EACH(Stm, s, e->loop.body.stms) {
		uintptr_t r = s->exp->form == E_index && s->exp->index.arr.kind == S_VAR
		            ? (uintptr_t)map_get(&g->results, var_key(s->exp->index.arr.var)) : 0;
		if (!r) {
			VEC_PUSH(&rest, *s);
			continue;
		}
		subst_put(&subst, s->pat.at[0], update_of(g, (int)r - 1)->exp->update.val);
	}
	Body b = body_subst((Body){.stms = VEC_SLICE(Stms, rest), .res = e->loop.body.res}, &subst);
	VEC_APPEND(out, b.stms);
	VEC_APPEND(res, b.res);
}

// Adds an array with the last value of scan result r; gives it.
static Sub add_total(const Group *g, int r, Parts *blocks, StmVec *before, StmVec *after)
{
	Var running = g->threads->pat.at[running_value(g, r)];
	Type t = type_of_rows(sub_i64(1), type_scalar(vars[running.id].type.elem)), unique = t;
	unique.unique = true;
	Var made = var_new(name_of("total"), t), p = var_new(name_of("t"), unique);
	Var put = var_new(name_of("t"), t), out = var_new(name_of("total"), t);
	Stm scratch = {.pat = vars_of(1, made), .where = g->blocks->where,
	               .exp = EXP(scratch, t.elem, t.dims)};
	Stm update = {.pat = vars_of(1, put), .where = g->blocks->where,
	              .exp = EXP(update, .arr = sub_var(p),
	                         .at = slices_at(subs_of(1, sub_i64(0)), (Subs){0}),
	                         .val = sub_var(running))};
	VEC_PUSH(before, scratch);
	VEC_PUSH(after, update);
	VEC_PUSH(&blocks->params, p);
	VEC_PUSH(&blocks->inits, sub_var(made));
	VEC_PUSH(&blocks->res, sub_var(put));
	VEC_PUSH(&blocks->pat, out);
	return sub_var(out);
}

// Leaves result r of the scan out of both loops.
static void drop_result(const Group *g, int r, Parts *blocks, Parts *threads, StmVec *stms)
{
	const Stm *update = update_of(g, r);
	int q = vars_find(g->threads->pat, g->blocks->exp->loop.body.res.at[r]);
	Var param = g->threads->exp->loop.params.at[q], outer = g->blocks->exp->loop.params.at[r];
	Parts *both[] = {blocks, threads};
	Var gone[] = {outer, param};
	for (int k = 0; k < 2; k++) {
		Parts kept = {0}, *p = both[k];
		for (int i = 0; i < p->params.len; i++) {
			if (p->params.at[i].id == gone[k].id)
				continue;
			VEC_PUSH(&kept.params, p->params.at[i]);
			VEC_PUSH(&kept.pat, p->pat.at[i]);
			VEC_PUSH(&kept.inits, p->inits.at[i]);
			VEC_PUSH(&kept.res, p->res.at[i]);
		}
		*p = kept;
	}
	StmVec rest = {0};
	for EACH(Stm, s, *stms)
		if (s->pat.len != 1 || s->pat.at[0].id != update->pat.at[0].id)
			VEC_PUSH(&rest, *s);
	*stms = rest;
}

static bool is_used(const Body *b, Var v)
{
	Map one = {0};
	map_put(&one, var_key(v), &one);
	for EACH(Stm, s, b->stms)
		if (stm_mentions(s, &one))
			return true;
	for EACH(Sub, r, b->res)
		if (r->kind == S_VAR && r->var.id == v.id)
			return true;
	return false;
}

// What comes after the two, with totals for last elements.
static Body rest_of(const Group *g, Last *l)
{
	StmVec stms = {0};
	for (int k = g->scan + 1; k < g->body->stms.len; k++)
		if (k > g->kernel || (k < g->kernel && g->later[k]))
			VEC_PUSH(&stms, g->body->stms.at[k]);
	Body rest = {.stms = VEC_SLICE(Stms, stms), .res = g->body->res};
	Visit v = {.body = read_totals, .copy = true, .ctx = l};
	read_totals(&v, &rest);
	return rest;
}

static void add_arrays(const Group *g, Parts *blocks, Parts *threads, StmVec *stms)
{
	const Exp *e = g->user->exp;
	VarVec inner = {0};
	for (int i = 0; i < e->loop.params.len; i++) {
		Var p = e->loop.params.at[i], in = var_new(name_of("o"), vars[p.id].type);
		Type t = type_plain(vars[p.id].type);
		Var made = var_new(name_of("out"), t);
		VEC_PUSH(&inner, in);
		VEC_PUSH(&threads->params, in);
		VEC_PUSH(&threads->inits, sub_var(p));
		VEC_PUSH(&threads->pat, made);
		VEC_PUSH(&blocks->params, p);
		VEC_PUSH(&blocks->inits, e->loop.inits.at[i]);
		VEC_PUSH(&blocks->res, sub_var(made));
		VEC_PUSH(&blocks->pat, g->user->pat.at[i]);
	}
	add_user(g, VEC_SLICE(Vars, inner), stms, &threads->res);
}

static Body fuse_group(const Group *g)
{
	StmVec out = {0}, stms = {0}, after = {0};
	Parts blocks = parts_of(g->blocks), threads = parts_of(g->threads);
	Last l = {.g = g,
	          .totals = NEW_ARRAY(Sub, g->blocks->pat.len),
	          .read = NEW_ARRAY(bool, g->blocks->pat.len)};
	Visit v = {.body = find_reads, .ctx = &l};
	find_reads(&v, (Body *)g->body); // a walk: writes nothing
	for (int k = 0; k < g->kernel; k++)
		if (k < g->scan || (k > g->scan && !g->later[k]))
			VEC_PUSH(&out, g->body->stms.at[k]);
	VEC_APPEND(&stms, g->threads->exp->loop.body.stms);
	add_arrays(g, &blocks, &threads, &stms);
	for (int r = 0; r < g->blocks->pat.len; r++)
		if (l.read[r])
			l.totals[r] = add_total(g, r, &blocks, &out, &after);
	Body rest = rest_of(g, &l);
	for (int r = 0; r < g->blocks->pat.len; r++)
		if (update_of(g, r) && !is_used(&rest, g->blocks->pat.at[r]))
			drop_result(g, r, &blocks, &threads, &stms);
	StmVec inside = {0};
	VEC_PUSH(&inside, loop_of(g->threads, threads, VEC_SLICE(Stms, stms)));
	VEC_APPEND(&inside, after);
	Stm both = loop_of(g->blocks, blocks, VEC_SLICE(Stms, inside));
	both.certs = vars_cat(both.certs, g->user->certs);
	VEC_PUSH(&out, both);
	VEC_APPEND(&out, rest.stms);
	return (Body){.stms = VEC_SLICE(Stms, out), .res = rest.res};
}

// ---- All of it ----

static void fuse_body(Visit *v, Body *b)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms)
		if (form_has(s->exp->form, FORM_NEST) && !is_device_loop(s->attrs))
			s->exp = exp_visit(s->exp, v);
	for (int i = 0; i < b->stms.len; i++) {
		Group g;
		if (group_of(b, i, &g) && may_rewrite()) {
			*b = fuse_group(&g);
			i = -1;
		}
	}
}

Prog *fuse_scans(Prog *prog)
{
	Visit v = {.body = fuse_body, .copy = true};
	return prog_rewrite(prog, &v);
}
