// Emits the loops that a distributed loop is split into; see distribute.c.
#include "opt/alias.h"
#include "opt/opt.h"
#include "loop/distribute.h"

// ---- Text of a group ----

typedef struct {
	Dist *d;
	int group;
	StmVec stms;
	Map to;
	Sub r;
	const Sub *now;                 // what the parameters that it does not carry are
} Group;

static Sub emit(StmVec *out, const char *hint, Type t, Exp *e)
{
	Var v = var_new(name_of(hint), t);
	VEC_PUSH(out, (Stm){.pat = vars_of(1, v), .exp = e});
	return sub_var(v);
}

static Sub emit_prim(StmVec *out, const char *hint, Prim op, Sub x, Sub y)
{
	return emit(out, hint, type_scalar(PT_I64), EXP(prim, op, PT_I64, {x, y}));
}

static void supply(Visit *v, Sub *x);

static void supply_stm(Group *g, const Stm *s)
{
	Visit v = {.sub = supply, .ctx = g};
	stm_walk(s, &v);
}

static Vars certs_here(Group *g, Vars certs);

static bool is_consumed_in(const Dist *d, int group, Var v)
{
	for EACH(int, k, d->of_group[group]) {
		SubVec gone = {0};
		stm_consumed(stm_at(d, *k), &gone);
		for EACH(Sub, x, gone)
			if (sub_eq(*x, sub_var(v)))
				return true;
	}
	return false;
}

// A statement once more, with what it needs.
static void repeat(Group *g, const Stm *s)
{
	supply_stm(g, s);
	Stm copy = *s;
	copy.certs = certs_here(g, s->certs);
	copy.exp = exp_subst(exp_dup(s->exp), &g->to);
	if (s->exp->form == E_copy && !is_consumed_in(g->d, g->group, s->pat.at[0]))
		copy.exp = EXP(atom, copy.exp->copy.arr);
	Type t = vars[s->pat.at[0].id].type;
	Var v = var_new(vars[s->pat.at[0].id].hint, t);
	if (t.dims.len) {
		Subs dims = {NEW_ARRAY(Sub, t.dims.len), t.dims.len};
		for (int k = 0; k < dims.len; k++)
			dims.at[k] = sub_subst(&g->to, t.dims.at[k]);
		vars[v.id].type.dims = dims;
	}
	copy.pat = vars_of(1, v);
	VEC_PUSH(&g->stms, copy);
	subst_put(&g->to, s->pat.at[0], sub_var(v));
}

// Makes what another group, or none, computes known in this one.
static void supply(Visit *vis, Sub *x)
{
	Group *g = vis->ctx;
	Dist *d = g->d;
	if (x->kind != S_VAR || map_has(&g->to, var_key(x->var)))
		return;
	int k = at_of(d, *x), param = number_of_param(d, x->var);
	if (param >= 0 && g->now)
		subst_put(&g->to, x->var, g->now[param]);
	if (k < 0 || d->group[k] == g->group)
		return;
	const Stm *s = stm_at(d, k);
	if (s->exp->form == E_assert_ && d->is_piece[g->group])
		return;
	if (d->group[k] < 0 || s->exp->form == E_assert_) {
		repeat(g, s);
		return;
	}
	const Sub *wide = map_get(&d->wide, var_key(x->var));
	Type t = type_plain(vars[x->var.id].type);
	Exp *e = type_is_scalar(t)
		? EXP(index, *wide, subs_of(1, g->r))
		: EXP(slice, *wide, slices_at(subs_of(1, g->r), t.dims));
	subst_put(&g->to, x->var, emit(&g->stms, vars[x->var.id].hint, t, e));
}

// Certificates of other groups: those made again here; pieces need none.
static Vars certs_here(Group *g, Vars certs)
{
	Vars out = {NEW_ARRAY(Var, certs.len), 0};
	for EACH(Var, c, certs) {
		int k = at_of(g->d, sub_var(*c));
		if (k < 0 || g->d->group[k] == g->group)
			out.at[out.len++] = *c;
		else if (map_has(&g->to, var_key(*c)))
			out.at[out.len++] = sub_subst(&g->to, sub_var(*c)).var;
	}
	note_lost(g->d->how.kept, certs, out);
	return out;
}

static void drop_certs(Visit *v, Body *b)
{
	Group *g = v->ctx;
	Stms stms = {NEW_ARRAY(Stm, b->stms.len), b->stms.len};
	for (int i = 0; i < b->stms.len; i++) {
		stms.at[i] = b->stms.at[i];
		stms.at[i].certs = certs_here(g, b->stms.at[i].certs);
		stms.at[i].exp = exp_visit(stms.at[i].exp, v);
	}
	b->stms = stms;
}

// The statements of the group, with certificates that are known there.
static Body own_stms(Group *g)
{
	StmVec own = {0};
	for EACH(int, k, g->d->of_group[g->group])
		VEC_PUSH(&own, *stm_at(g->d, *k));
	Body b = {.stms = VEC_SLICE(Stms, own)};
	if (g->d->is_piece[g->group]) {
		Visit v = {.body = drop_certs, .copy = true, .ctx = g};
		drop_certs(&v, &b);
	}
	return b;
}

typedef struct { VEC(Var) pat, params; VEC(Sub) inits, res; } Carried;

static Sub index_of(const Dist *d, Group *g)
{
	Sub i = d->how.strips ? emit_prim(&g->stms, "i", P_add, d->first, g->r) : g->r;
	subst_put(&g->to, d->loop->loop.i, i);
	return i;
}

// An array with x for all iterations.
static Sub write_starts(Dist *d, StmVec *out, int group, Sub x)
{
	Var r = var_new(vars[d->loop->loop.i.id].hint, type_scalar(PT_I64));
	Group g = {.d = d, .group = group, .r = sub_var(r)};
	index_of(d, &g);
	Visit v = {.ctx = &g};
	supply(&v, &x);
	Type t = type_array(sub_type(x).elem, subs_of(1, d->size)), unique = t;
	unique.unique = true;
	Sub room = emit(out, "room", t, EXP(scratch, t.elem, t.dims));
	Var p = var_new(name_of("starts"), unique), all = var_new(name_of("starts"), t);
	Slices at = slices_at(subs_of(1, g.r), (Subs){0});
	Sub next = emit(&g.stms, "upd", t, EXP(update, sub_var(p), at, sub_subst(&g.to, x)));
	Exp *e = EXP(loop, .i = r, .n = d->n, .params = vars_of(1, p), .inits = subs_of(1, room),
	             .body = {VEC_SLICE(Stms, g.stms), subs_of(1, next)});
	VEC_PUSH(out, (Stm){.pat = vars_of(1, all), .exp = e, .where = d->stm->where,
	                    .attrs = attr_of(ATTR_PARALLEL)});
	return sub_var(all);
}

static Var plain_var(const char *hint, Type t)
{
	t.unique = false;
	return var_new(name_of(hint), t);
}

static void carry(Carried *c, Var out, Sub init, Var param, Sub res)
{
	VEC_PUSH(&c->pat, out);
	VEC_PUSH(&c->params, param);
	VEC_PUSH(&c->inits, init);
	VEC_PUSH(&c->res, res);
}

// Where among what is carried the array is that a piece goes on from; -1: there is none.
static int widen_piece(Group *g, Body *own, Widening *w, Carried *c)
{
	Dist *d = g->d;
	SubVec gone = {0};
	if (!d->is_piece[g->group])
		return -1;
	stm_consumed(&own->stms.at[0], &gone);
	for EACH(Sub, x, gone) {
		int made = at_of(d, *x);
		if (made < 0 || d->group[made] < 0 || d->group[made] == g->group)
			continue;
		const Sub *wide = map_get(&d->wide, var_key(x->var));
		Var p = wide_var(w, x->var);
		vars[p.id].type.unique = true;
		Stm piece = widen_stm(w, &own->stms.at[0]);
		carry(c, plain_var(vars[x->var.id].hint, sub_type(*wide)), *wide, p,
		      sub_subst(&w->to, own->stms.at[0].exp->loop.inits.at[0]));
		own->stms.at[0] = piece;
		c->res.at[c->res.len - 1] = sub_var(piece.pat.at[0]);
		return c->res.len - 1;
	}
	return -1;
}

static void set_wide(Dist *d, Var v, Var all)
{
	Sub x = sub_var(all);
	map_put(&d->wide, var_key(v), mem_dup(&x, sizeof x));
}

// now: what the parameters of the loop are at this point.
static void write_group(Dist *d, StmVec *out, int group, Sub *now)
{
	Var r = var_new(vars[d->loop->loop.i.id].hint, type_scalar(PT_I64));
	Group g = {.d = d, .group = group, .r = sub_var(r), .now = now};
	Carried c = {0};
	index_of(d, &g);
	for EACH(int, k, d->carried[group]) {
		Var p = d->loop->loop.params.at[*k];
		Var fresh = var_new(vars[p.id].hint, vars[p.id].type);
		Var v = d->how.strips ? plain_var(vars[p.id].hint, vars[p.id].type)
		                      : d->stm->pat.at[*k];
		subst_put(&g.to, p, sub_var(fresh));
		carry(&c, v, now[*k], fresh, d->loop->loop.body.res.at[*k]);
		now[*k] = sub_var(v);
	}
	Body own = own_stms(&g);
	Sub starts = {0};
	const Sub *start = d->is_piece[group] ? start_of(&own.stms.at[0]) : NULL;
	Var sums = {0};
	if (start) {
		starts = write_starts(d, out, group, *start);
		Type t = sub_type(starts);
		t.unique = true;
		sums = var_new(name_of("sums"), t);
		Exp *e = exp_dup(own.stms.at[0].exp);
		e->loop.inits = subs_of(1, emit(&g.stms, "start", type_scalar(t.elem),
		                                EXP(index, sub_var(sums), subs_of(1, g.r))));
		own.stms.at[0].exp = e;
	}
	bool carries_none = !c.res.len;
	Widening w = {.i = g.r, .n = d->size, .good = true};
	int w_at = widen_piece(&g, &own, &w, &c);
	for EACH(Stm, s, own.stms) {
		supply_stm(&g, s);
		Body one = body_subst((Body){.stms = {s, 1}}, &g.to);
		VEC_PUSH(&g.stms, one.stms.at[0]);
	}
	Visit results = {.ctx = &g};
	for EACH(Sub, x, c.res) {
		supply(&results, x);
		*x = sub_subst(&g.to, *x);
	}
	for EACH(Var, v, d->kept) {
		int k = at_of(d, sub_var(*v));
		if (d->group[k] != group)
			continue;
		if (is_wide(&w, sub_var(*v))) { // the piece has it for all iterations
			Sub next = sub_subst(&w.to, sub_var(*v));
			c.res.at[w_at] = next;
			set_wide(d, *v, c.pat.at[w_at]);
			continue;
		}
		Type t = type_plain(type_of_rows(d->size, vars[v->id].type));
		Sub room = start ? starts : emit(out, "room", t, EXP(scratch, t.elem, t.dims));
		Type unique = t;
		unique.unique = true;
		Var p = start ? sums : var_new(vars[v->id].hint, unique);
		Var all = plain_var(vars[v->id].hint, t);
		Slices at = slices_at(subs_of(1, g.r), type_row(t).dims);
		Sub next = emit(&g.stms, "upd", t, EXP(update, sub_var(p), at, sub_var(*v)));
		carry(&c, all, room, p, next);
		set_wide(d, *v, all);
	}
	Exp *e = EXP(loop, .i = r, .n = d->n);
	e->loop.params = VEC_SLICE(Vars, c.params);
	e->loop.inits = VEC_SLICE(Subs, c.inits);
	e->loop.body = (Body){VEC_SLICE(Stms, g.stms), VEC_SLICE(Subs, c.res)};
	// A piece that goes on from nothing: each iteration has elements of its own.
	Attributes attrs = d->is_piece[group] && carries_none && w_at < 0
	                 ? with_attr(d->stm->attrs, ATTR_PARALLEL) : d->stm->attrs;
	VEC_PUSH(out, (Stm){.pat = VEC_SLICE(Vars, c.pat), .exp = e, .where = d->stm->where,
	                    .certs = d->stm->certs, .attrs = attrs});
}

static void write_groups(Dist *d, StmVec *out, Sub *now, Map *pieces)
{
	for (int g = 0; g < d->n_groups; g++) {
		if (!d->of_group[g].len)
			continue;
		write_group(d, out, g, now);
		if (d->is_piece[g] && !d->how.strips)
			map_put(pieces, out->at[out->len - 1].exp, d);
	}
}

// Parameters that do not change are what they began as.
static void bind(const Dist *d, StmVec *out, const Sub *now)
{
	for (int k = 0; k < d->stm->pat.len; k++)
		if (!sub_eq(now[k], sub_var(d->stm->pat.at[k])))
			VEC_PUSH(out, (Stm){.pat = vars_of(1, d->stm->pat.at[k]),
			                    .exp = EXP(atom, now[k])});
}

// for t < (n + STRIP - 1) / STRIP { first = t * STRIP;  n = min STRIP (n - first); ... }
static void write_strips(Dist *d, StmVec *out, Sub *now, Map *pieces)
{
	const Exp *e = d->loop;
	StmVec in = {0};
	Var t = var_i64("t");
	int log = threshold(AT_strip_bits);
	Sub strip = sub_i64(1 << log);
	Sub more = emit_prim(out, "n", P_add, e->loop.n, sub_i64((1 << log) - 1));
	Sub n = emit_prim(out, "n", P_ashr, more, sub_i64(log));
	d->first = emit_prim(&in, "first", P_mul, sub_var(t), strip);
	d->n = emit_prim(&in, "n", P_min, strip, emit_prim(&in, "n", P_sub, e->loop.n, d->first));
	d->size = strip;
	Exp *loop = EXP(loop, .i = t, .n = n, .inits = e->loop.inits);
	int n_params = e->loop.params.len;
	loop->loop.params = (Vars){NEW_ARRAY(Var, n_params), n_params};
	for (int k = 0; k < n_params; k++) {
		Var p = e->loop.params.at[k];
		loop->loop.params.at[k] = var_new(vars[p.id].hint, vars[p.id].type);
		now[k] = sub_var(loop->loop.params.at[k]);
	}
	write_groups(d, &in, now, pieces);
	loop->loop.body.stms = VEC_SLICE(Stms, in);
	loop->loop.body.res = (Subs){now, n_params};
	VEC_PUSH(out, (Stm){.pat = d->stm->pat, .exp = loop, .where = d->stm->where,
	                    .certs = d->stm->certs});
}

static bool has_size(void *n, Sub x)
{
	return x.kind == S_VAR && subs_find(sub_type(x).dims, *(Sub *)n) >= 0;
}

// Is it the size of an array that the loop mentions, hence not negative?
static bool is_natural(const Exp *loop, Sub n)
{
	return (n.kind == S_CONST && n.val.i >= 0) || exp_any(loop, has_size, &n);
}

bool distribute(const Stm *s, const Parts *body, Distribution how, StmVec *out, Map *pieces)
{
	const Exp *e = s->exp;
	Dist d = {.stm = s, .loop = e, .body = body, .how = how, .n = e->loop.n};
	for EACH(Var, p, e->loop.params)
		if (!is_fixed_type(&d, vars[p->id].type))
			return false;
	if (!find_groups(&d))
		return false;
	if (is_one_piece(&d)) {
		Stm whole = *s;
		whole.exp = exp_dup(e);
		whole.exp->loop.body.stms = VEC_SLICE(Stms, body->stms);
		VEC_PUSH(out, whole);
		map_put(pieces, whole.exp, pieces);
		return true;
	}
	if (!find_kept(&d) || !may_rewrite())
		return false;
	Sub *now = NEW_ARRAY(Sub, e->loop.params.len);
	for (int k = 0; k < e->loop.params.len; k++)
		now[k] = e->loop.inits.at[k];
	if (how.strips) {
		write_strips(&d, out, now, pieces);
		return true;
	}
	d.size = is_natural(e, e->loop.n) ? e->loop.n
	       : emit_prim(out, "size", P_max, e->loop.n, sub_i64(0));
	write_groups(&d, out, now, pieces);
	bind(&d, out, now);
	return true;
}
