// Builds kernels: nests of maps become #[kernel] loops, in which the variables of the nest are
// rebound.
//
//     map over n rows of xs, in each of them map over m elements: y = x * x * s
// becomes
//     #[kernel] let (ys: [n][m]f64) = loop (o: *[n][m]f64 = scratch) for i: i64 < n do {
//       #[kernel] let (os: [n][m]f64) = loop (p: *[n][m]f64 = o) for j: i64 < m do {
//         let (x: f64) = index xs [i, j]
//         ..
//         in p with [i, j] = y
//       }
//       in os
//     }
//
// The body of a kernel mentions variables of the nest: rows, values that earlier kernels have
// computed for all rows, and cheap values to be recomputed.  `Inside` binds those that are
// mentioned at the beginning of the loop body.
//
// Note [Own].  A map function consumes only what it owns: a row that was passed as unique, or an
// array that it created.  In a kernel both may be parts of host-level arrays, which a thread must
// not overwrite.  Such a kernel therefore starts with copies; drop_copies removes those that are
// not needed.
#include "device/flatten.h"

// ---- Loops ----

DevLoop dev_open(Build *b, Mark attr, Sub n, Subs inits)
{
	DevLoop l = {.attr = attr, .i = var_i64("i"), .n = n,
	             .params = {NEW_ARRAY(Var, inits.len), inits.len},
	             .pat = {NEW_ARRAY(Var, inits.len), inits.len}, .inits = inits};
	for (int k = 0; k < inits.len; k++) {
		Type t = type_plain(sub_type(inits.at[k]));
		l.pat.at[k] = var_new(name_of("out"), t);
		t.unique = t.kind == T_DATA && t.dims.len > 0;
		l.params.at[k] = var_new(name_of("o"), t);
	}
	b_open(b);
	return l;
}

Subs dev_close(Build *b, const DevLoop *l, Subs next)
{
	Body body = b_close(b, next);
	if (l->attr)
		b->attrs = with_attr(attr_of(l->attr), l->also);
	b_stm(b, l->pat, EXP(loop, .params = l->params, .inits = l->inits, .i = l->i, .n = l->n,
	                     .body = body));
	return subs_of_vars(l->pat);
}

// An element, or what the indices leave.
Sub put_at(Build *b, Sub arr, Subs at, Sub val)
{
	return b_update(b, arr, slices_at(at, type_drop(sub_type(arr), at.len).dims), val);
}

int64_t n_elements(Type t)
{
	int64_t n = 1, few = threshold(AT_small_array);
	for EACH(Sub, d, t.dims)
		n = d->kind == S_VAR || n > few ? few + 1 : n * d->val.i;
	return n;
}

// Likewise; a few elements one by one, so that `scalarise` can take the array apart.
static Sub put_row(Build *b, Sub arr, Subs at, Sub val)
{
	Type t = sub_type(val);
	int64_t n = n_elements(t);
	if (!t.dims.len || n > threshold(AT_small_array))
		return put_at(b, arr, at, val);
	for (int64_t e = 0; e < n; e++) {
		Subs idx = {NEW_ARRAY(Sub, t.dims.len), t.dims.len};
		int64_t rest = e;
		for (int d = idx.len; d-- > 0; rest /= t.dims.at[d].val.i)
			idx.at[d] = sub_i64(rest % t.dims.at[d].val.i);
		arr = put_at(b, arr, subs_cat(at, idx), b_index(b, val, idx));
	}
	return arr;
}

// Kernels make such arrays themselves, and `scalarise` takes them apart there.
void note_small(Flatten *f, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_replicate && e->replicate.x.kind == S_CONST && !s->certs.len &&
	    n_elements(vars[s->pat.at[0].id].type) <= threshold(AT_small_array))
		map_put(&f->small, var_key(s->pat.at[0]), s->exp);
}

// ---- Nests ----

const Level *level_at(const Level *nest, int depth)
{
	while (nest && nest->depth > depth)
		nest = nest->up;
	return nest;
}

static int depth_of(const Level *nest)
{
	return nest ? nest->depth : 0;
}

Type nest_type(const Level *nest, Type t)
{
	for (; nest; nest = nest->up)
		t = type_of_rows(nest->n, t);
	t.unique = false;
	return t;
}

Sub nest_size(Flatten *f, const Level *nest)
{
	Sub n = sub_i64(1);
	for (int d = 1; d <= depth_of(nest); d++)
		n = b_mul(&f->b, n, level_at(nest, d)->n);
	return n;
}

Subs unflatten(Flatten *f, const Level *nest, Sub i)
{
	Subs at = {NEW_ARRAY(Sub, depth_of(nest)), depth_of(nest)};
	for (int d = at.len; d-- > 1;) {
		Sub n = level_at(nest, d + 1)->n;
		at.at[d] = b_prim2(&f->b, P_rem, i, n);
		i = b_prim2(&f->b, P_quot, i, n);
	}
	if (at.len)
		at.at[0] = i;
	return at;
}

// ---- Variables of the nest ----

Inside inside_open(Flatten *f, const Level *nest, Subs at, const Body *b)
{
	Inside in = {.f = f, .nest = nest, .at = at, .certs = f->b.certs};
	// Is anything consumed that the body has not made itself, as far as one can tell from here?
	// See Note [Own].
	in.own = body_find(b, stm_consumes_data);
	for (int d = 1; d <= depth_of(nest); d++)
		inside_certs(&in, level_at(nest, d)->certs);
	return in;
}

void inside_certs(Inside *in, Vars certs)
{
	VEC(Var) all = {0};
	VEC_APPEND(&all, in->f->b.certs);
	for EACH(Var, x, certs) {
		Sub cert = inside_sub(in, sub_var(*x));
		if (cert.kind == S_VAR)
			VEC_PUSH(&all, cert.var);
	}
	in->f->b.certs = VEC_SLICE(Vars, all);
}

void inside_close(Inside *in)
{
	in->f->b.certs = in->certs;
}

void inside_set(Inside *in, Var v, Sub to)
{
	map_put(&in->here, var_key(v), mem_dup(&to, sizeof to));
}

static const Known *known(const Inside *in, Sub x)
{
	return known_of(in->f, x);
}

// Must it be copied?
static bool is_own(const Inside *in, Sub x, const Known *k)
{
	Type t = sub_type(x);
	if (t.kind != T_DATA || !t.dims.len)
		return false;
	return (k->kind == K_ROW && t.unique) || (k->kind == K_SPREAD && in->own);
}

// arr is base[idx].
static void place_of(Inside *in, Sub arr, Sub *base, SubVec *idx)
{
	const Known *k = known(in, arr);
	if (!k || map_has(&in->here, var_key(arr.var)) || is_own(in, arr, k) ||
	    (k->kind != K_ROW && k->kind != K_SPREAD)) {
		*base = inside_sub(in, arr);
	} else if (k->kind == K_ROW) {
		place_of(in, k->arr, base, idx);
		VEC_PUSH(idx, in->at.at[k->level->depth - 1]);
	} else {
		*base = k->arr;
		for (int d = 0; d < k->level->depth; d++)
			VEC_PUSH(idx, in->at.at[d]);
	}
}

static Sub read_place(Inside *in, Sub arr, const Known *k)
{
	Sub base;
	SubVec idx = {0};
	if (k->kind == K_ROW) {
		place_of(in, k->arr, &base, &idx);
		VEC_PUSH(&idx, in->at.at[k->level->depth - 1]);
	} else {
		base = k->arr;
		for (int d = 0; d < k->level->depth; d++)
			VEC_PUSH(&idx, in->at.at[d]);
	}
	Sub x = b_index(&in->f->b, base, VEC_SLICE(Subs, idx));
	return is_own(in, arr, k) ? b_copy(&in->f->b, x) : x;
}

static void bind_free(Inside *in, const Body *b)
{
	Vars free = free_in_body(b);
	for EACH(Var, v, free) {
		Sub to = inside_sub(in, sub_var(*v));
		if (!sub_eq(to, sub_var(*v)))
			inside_set(in, *v, to);
	}
}

static Sub do_again(Inside *in, const Known *k)
{
	Stm copy = *k->stm;
	Body b = {.stms = {mem_dup(&copy, sizeof copy), 1},
	          .res = subs_of(1, sub_var(copy.pat.at[0]))};
	bind_free(in, &b);
	b = body_subst(body_rename(b), &in->here);
	Stm *s = &b.stms.at[0];
	s->certs = vars_cat(s->certs, in->f->b.certs);
	b_emit(&in->f->b, *s);
	return b.res.at[0];
}

Sub inside_sub(Inside *in, Sub x)
{
	const Known *k = known(in, x);
	const Sub *here = x.kind == S_VAR ? map_get(&in->here, var_key(x.var)) : NULL;
	const Exp *small = x.kind == S_VAR ? map_get(&in->f->small, var_key(x.var)) : NULL;
	if (here)
		return *here;
	if (!k && !small)
		return x;
	Sub out = x;
	if (small) {
		Type t = type_plain(sub_type(x));
		Var few = var_new(name_of("few"), t);
		b_stm(&in->f->b, vars_of(1, few), exp_dup(small));
		inside_set(in, x.var, sub_var(few));
		return sub_var(few);
	}
	switch (k->kind) {
	case K_COUNTER:
		out = in->at.at[k->level->depth - 1];
		break;
	case K_ROW: case K_SPREAD:
		out = read_place(in, x, k);
		break;
	case K_AGAIN:
		out = do_again(in, k);
		break;
	case K_ACC:
		bug("an accumulator is used where it is not carried");
	case K_DONE:
		out = sub_bool(true);
		break;
	}
	inside_set(in, x.var, out);
	return out;
}

Sub inside_element(Inside *in, Sub arr, Subs at)
{
	Sub base;
	SubVec idx = {0};
	if (!at.len)
		return inside_sub(in, arr);
	place_of(in, arr, &base, &idx);
	VEC_APPEND(&idx, at);
	return b_index(&in->f->b, base, VEC_SLICE(Subs, idx));
}

Sub inside_row(Inside *in, Sub arr, Sub i)
{
	return inside_element(in, arr, subs_of(1, i));
}

Subs inside_body(Inside *in, Body b)
{
	bind_free(in, &b);
	b = body_subst(b, &in->here);
	for EACH(Stm, s, b.stms) {
		s->certs = vars_cat(s->certs, in->f->b.certs);
		b_emit(&in->f->b, *s);
	}
	return b.res;
}

// ---- Kernels ----

// What a kernel carries for a result: room for it, or the accumulator it is made from.
static Sub init_of(Flatten *f, const Level *nest, Vars free, Sub res, Var *acc)
{
	Type t = sub_type(res);
	if (t.kind != T_ACC)
		return b_scratch(&f->b, "out", nest_type(nest, t));
	for EACH(Var, v, free) {
		Type of = vars[v->id].type;
		const Known *k = map_get(&f->known, var_key(*v));
		if (of.kind != T_ACC || of.acc->token.id != t.acc->token.id || !k)
			continue;
		*acc = *v;
		return k->arr;
	}
	bug("an accumulator comes from nowhere");
}

typedef struct { Subs carried; Vars accs; } Carried;

static Carried carried_by(Flatten *f, const Level *nest, Body b)
{
	int n = b.res.len;
	Carried c = {{NEW_ARRAY(Sub, n), n}, {NEW_ARRAY(Var, n), n}};
	Vars free = free_in_body(&b);
	for (int k = 0; k < n; k++)
		c.carried.at[k] = init_of(f, nest, free, b.res.at[k], &c.accs.at[k]);
	return c;
}

static void carry_accs(Inside *in, Vars accs, Subs carried)
{
	for (int k = 0; k < accs.len; k++)
		if (accs.at[k].id)
			inside_set(in, accs.at[k], carried.at[k]);
}

static Subs put_results(Flatten *f, Vars accs, Subs carried, Subs at, Subs res)
{
	Subs next = {NEW_ARRAY(Sub, res.len), res.len};
	for (int k = 0; k < res.len; k++)
		next.at[k] =
			accs.at[k].id ? res.at[k] : put_row(&f->b, carried.at[k], at, res.at[k]);
	return next;
}

// What gives nothing may still have something to check.
static bool is_empty(const Body *b)
{
	return !b->res.len && !body_has_checks(b);
}

Subs emit_kernel(Flatten *f, const Level *nest, Body b)
{
	int depth = depth_of(nest);
	if (is_empty(&b))
		return (Subs){0};
	Carried c = carried_by(f, nest, b);
	Subs at = {NEW_ARRAY(Sub, depth), depth};
	DevLoop *loops = NEW_ARRAY(DevLoop, depth);
	for (int d = 0; d < depth; d++) {
		loops[d] = dev_open(&f->b, ATTR_KERNEL, level_at(nest, d + 1)->n, c.carried);
		c.carried = subs_of_vars(loops[d].params);
		at.at[d] = sub_var(loops[d].i);
	}
	Inside in = inside_open(f, nest, at, &b);
	carry_accs(&in, c.accs, c.carried);
	Subs next = put_results(f, c.accs, c.carried, at, inside_body(&in, b));
	inside_close(&in);
	for (int d = depth; d-- > 0;)
		next = dev_close(&f->b, &loops[d], next);
	return next;
}

// ---- Blocks ----

static void emit_stms(Inside *in, Body b, int from, int to)
{
	for (int i = from; i < to; i++) {
		Stm s = b.stms.at[i];
		s.certs = vars_cat(s.certs, in->f->b.certs);
		b_emit(&in->f->b, s);
	}
}

// The rows whose length, the first result of statement `first`, is of the kind asked for; -1: all.
static Subs block_rows(Flatten *f, const Level *nest, Body b, Carried c, int first, bool longer,
                       Mark also)
{
	Build *bb = &f->b;
	DevLoop l = dev_open(bb, ATTR_BLOCKS, nest_size(f, nest), c.carried);
	l.also = also;
	Subs now = subs_of_vars(l.params), at = unflatten(f, nest, sub_var(l.i)), next;
	Inside in = inside_open(f, nest, at, &b);
	carry_accs(&in, c.accs, now);
	bind_free(&in, &b);
	b = body_subst(b, &in.here);
	emit_stms(&in, b, 0, first + 1);
	if (first < 0) {
		emit_stms(&in, b, 0, b.stms.len);
		next = put_results(f, c.accs, now, at, b.res);
	} else {
		Sub len = sub_var(b.stms.at[first].pat.at[0]);
		Sub most = sub_i64(threshold(AT_long_row));
		Sub mine = longer ? b_lt(bb, most, len) : b_le(bb, len, most);
		Types ts = {NEW_ARRAY(Type, now.len), now.len};
		for (int k = 0; k < ts.len; k++)
			ts.at[k] = vars[l.pat.at[k].id].type;
		b_open(bb);
		emit_stms(&in, b, first + 1, b.stms.len);
		Body yes = b_close(bb, put_results(f, c.accs, now, at, b.res));
		next = b_lets(bb, "rows", ts, EXP(if_, mine, yes, {.res = now}));
	}
	inside_close(&in);
	return dev_close(bb, &l, next);
}

Subs emit_block_rows(Flatten *f, const Level *nest, Body b, Sub len)
{
	int first = -1;
	for (int i = 0; i < b.stms.len; i++)
		if (b.stms.at[i].pat.len == 1 && sub_eq(len, sub_var(b.stms.at[i].pat.at[0])))
			first = i;
	if (is_empty(&b))
		return (Subs){0};
	Carried c = carried_by(f, nest, b);
	if (first < 0)
		return block_rows(f, nest, b, c, first, true, ATTR_NONE);
	Body copy = body_rename(b);
	c.carried = block_rows(f, nest, b, c, first, false, ATTR_WARP);
	return block_rows(f, nest, copy, c, first, true, ATTR_NONE);
}

Subs emit_whole_rows(Flatten *f, const Level *nest, Body b, Mark also)
{
	return is_empty(&b) ? (Subs){0}
	                    : block_rows(f, nest, b, carried_by(f, nest, b), -1, true, also);
}
