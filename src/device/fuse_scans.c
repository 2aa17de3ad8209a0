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

// What is known of a body that is gone through once.  What is read at the end of scans is replaced
// when all is done.
typedef struct {
	Map fresh;                              // arrays of it without contents, or of one value
	Map less;                               // anywhere: variable -> x - 1 that it is, Exp *
	Map reads;                              // variable -> Reads *, anywhere
	Map totals;                             // arrays -> Total *
} Around;
typedef struct { Sub n, arr; } Total;           // the array's size, an array with its last element
typedef struct { int all; VEC(Sub) at_end; } Reads; // at_end: the n of n - 1 that it is read at

typedef struct {
	Around *around;
	Stms stms;
	int scan, kernel;                       // statements
	const Stm *blocks, *threads;
	const Stm *user;                        // the kernel
	Map results;                            // of the scan: variable -> its number + 1
	VEC(bool) later;                        // by statement between: it depends on those
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
	for EACH(Sub, x, e->loop.inits)
		if (x->kind != S_VAR || !map_has(&g->around->fresh, var_key(x->var)))
			return false;
	return reads_its_rows(g);
}

// Finds the kernel that goes with the scan at `at`.
static bool group_of(Around *around, Stms stms, int at, Group *out)
{
	Group g = {.around = around, .stms = stms, .scan = at, .blocks = &stms.at[at]};
	if (!is_scan_of_blocks(g.blocks))
		return false;
	g.threads = &g.blocks->exp->loop.body.stms.at[0];
	for (int r = 0; r < g.blocks->pat.len; r++)
		map_put(&g.results, var_key(g.blocks->pat.at[r]), (void *)(uintptr_t)(r + 1));
	Map depends = {0}, others = {0};
	vars_put(&depends, g.blocks->pat, &depends);
	for (int k = at + 1; k < stms.len; k++) {
		const Stm *s = &stms.at[k];
		g.kernel = k;
		g.user = s;
		if (is_user(&g)) {
			*out = g;
			return !stm_mentions(s, &others);
		}
		bool later = stm_mentions(s, &depends);
		VEC_PUSH(&g.later, later);
		if (!may_lie_between(s) || (later && !is_pure_stm(s)))
			return false;
		if (later) {
			vars_put(&depends, s->pat, &depends);
			vars_put(&others, s->pat, &others);
		}
	}
	return false;
}

// ---- The last element of a scan ----

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

// x of the x - 1 at which an array is read, or NULL.
static const Sub *read_before(const Around *a, const Exp *e)
{
	if (e->form != E_index || e->index.arr.kind != S_VAR || e->index.idx.len != 1 ||
	    e->index.idx.at[0].kind != S_VAR)
		return NULL;
	const Exp *less = map_get(&a->less, var_key(e->index.idx.at[0].var));
	return less ? &less->prim.x[0] : NULL;
}

static Reads *reads_of(Around *a, Var v)
{
	Reads *r = map_get(&a->reads, var_key(v));
	if (!r) {
		r = NEW(Reads, 0);
		map_put(&a->reads, var_key(v), r);
	}
	return r;
}

static void count_read(Visit *v, Sub *x)
{
	if (x->kind == S_VAR && type_is_array(sub_type(*x)))
		reads_of(v->ctx, x->var)->all++;
}

static void find_reads(Visit *v, Body *b)
{
	Around *a = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_prim && e->prim.op == P_sub && sub_eq(e->prim.x[1], sub_i64(1)))
			map_put(&a->less, var_key(s->pat.at[0]), s->exp);
		const Sub *n = read_before(a, e);
		if (n)
			VEC_PUSH(&reads_of(a, e->index.arr.var)->at_end, *n);
	}
	body_visit(b, v);
}

// How often result r of the scan is read at its end.
static int n_at_end(const Group *g, int r)
{
	const Reads *of = map_get(&g->around->reads, var_key(g->blocks->pat.at[r]));
	int n = 0;
	for (int i = 0; of && i < of->at_end.len; i++)
		n += sub_eq(of->at_end.at[i], g->threads->exp->loop.n);
	return n;
}

static void read_totals(Visit *v, Body *b)
{
	const Around *a = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		const Sub *n = read_before(a, s->exp);
		const Total *t = n ? map_get(&a->totals, var_key(s->exp->index.arr.var)) : NULL;
		if (t && sub_eq(*n, t->n))
			s->exp = EXP(index, t->arr, subs_of(1, sub_i64(0)));
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

// Reads of rows by the kernel, of which there are none any more.
static void forget_rows(const Group *g)
{
	for EACH(Stm, s, g->user->exp->loop.body.stms)
		if (s->exp->form == E_index && s->exp->index.arr.kind == S_VAR &&
		    map_has(&g->results, var_key(s->exp->index.arr.var)))
			reads_of(g->around, s->exp->index.arr.var)->all--;
}

// What comes before the two as one is added to *out; they, and what depends on the scan, become the
// last of the statements up to the kernel.  Gives the number of the first of these.
static int fuse_group(const Group *g, StmVec *out)
{
	StmVec stms = {0}, after = {0};
	Parts blocks = parts_of(g->blocks), threads = parts_of(g->threads);
	Around *a = g->around;
	for (int k = g->scan + 1; k < g->kernel; k++)
		if (!g->later.at[k - g->scan - 1])
			VEC_PUSH(out, g->stms.at[k]);
	VEC_APPEND(&stms, g->threads->exp->loop.body.stms);
	add_arrays(g, &blocks, &threads, &stms);
	forget_rows(g);
	for (int r = 0; r < g->blocks->pat.len; r++) {
		Var v = g->blocks->pat.at[r];
		int n = running_value(g, r) >= 0 ? n_at_end(g, r) : 0;
		Reads *reads = reads_of(a, v);
		if (n && !map_has(&a->totals, var_key(v))) {
			Sub total = add_total(g, r, &blocks, out, &after);
			map_put(&a->totals, var_key(v),
			        NEW(Total, g->threads->exp->loop.n, total));
			reads->all -= n;
		}
		if (update_of(g, r) && !reads->all)
			drop_result(g, r, &blocks, &threads, &stms);
	}
	StmVec inside = {0};
	VEC_PUSH(&inside, loop_of(g->threads, threads, VEC_SLICE(Stms, stms)));
	VEC_APPEND(&inside, after);
	Stm both = loop_of(g->blocks, blocks, VEC_SLICE(Stms, inside));
	both.certs = vars_cat(both.certs, g->user->certs);
	int at = g->kernel;
	for (int k = g->kernel; k-- > g->scan + 1;)
		if (g->later.at[k - g->scan - 1])
			g->stms.at[at--] = g->stms.at[k];
	g->stms.at[at] = both;
	return at;
}

// ---- All of it ----

static void fuse_stms(Body *b)
{
	Around a = {0};
	StmVec out = {0};
	for EACH(Stm, s, b->stms)
		if (s->exp->form == E_scratch || s->exp->form == E_replicate)
			vars_put(&a.fresh, s->pat, &a);
	Visit reads = {.sub = count_read, .body = find_reads, .ctx = &a};
	find_reads(&reads, b); // a walk: writes nothing
	for (int i = 0; i < b->stms.len; i++) {
		Group g;
		if (group_of(&a, b->stms, i, &g) && may_rewrite())
			i = fuse_group(&g, &out) - 1;
		else
			VEC_PUSH(&out, b->stms.at[i]);
	}
	b->stms = VEC_SLICE(Stms, out);
	if (a.totals.len)
		read_totals(&(Visit){.body = read_totals, .copy = true, .ctx = &a}, b);
}

static void fuse_body(Visit *v, Body *b)
{
	bool any = false;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		if (form_has(s->exp->form, FORM_NEST) && !is_device_loop(s->attrs))
			s->exp = exp_visit(s->exp, v);
		any |= is_scan_of_blocks(s);
	}
	if (any)
		fuse_stms(b);
}

Prog *fuse_scans(Prog *prog)
{
	Visit v = {.body = fuse_body, .copy = true};
	return prog_rewrite(prog, &v);
}
