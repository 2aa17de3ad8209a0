// Accumulators of kernels get copies for each block of threads, where these fit.
//
//     #[kernel] let (a1: acc) = loop (p: acc = a) for i: i64 < n do {.. upd_acc p [j] v ..}
// becomes, where there are many rows for each element and the copies fit into shared memory,
//     #[grid] let (k: i64, ...) = opaque (3, n, least)
//     #[blocks] let (a1: acc) = loop (p: acc = a) for g: i64 < k do {
//       #[local] let (l0: [m]f64) = scratch.f64 [m]
//       #[threads] let (l1: [m]f64) = loop (l: *[m]f64 = l0) for e: i64 < m do {l with [e] = ne}
//       let (l2: [m]f64) = withacc input=[m] (l1) (ne) op fn=\(token, c: acc') -> {
//         #[threads] let (c1: acc') = loop (d: acc' = c) for r: i64 < rows do {
//           let (i: i64) = add.i64 first r
//           .. upd_acc d [j] v ..
//         }
//         in c1
//       }
//       #[threads] let (q: acc) = loop (o: acc = p) for e: i64 < m do {upd_acc o [e] (l2[e])}
//       in q
//     }
//
// Updates of the same element by many threads at a time are done one after the other; in shared
// memory that is quick, and few of them remain for the array itself.
//
// Note [Owned].  Where the indices of all updates of an accumulator contain the counters of all loops
// of the nest, plus what is the same for all threads, no element is updated by many threads (nor where
// #[few] says so).  Then there are no copies.  If they are the same in all updates, no two threads update the same
// element: such updates are #[owned].
//
// Note [Nests].  In a nest of #[kernel] loops the threads of all of them are counted as one.
//
// Requires: after flatten, before seq.  Ensures the same meaning, up to the order in which an
// operator is applied.
#include "opt/opt.h"
#include "par/flatten.h"

enum {
	LEAST_ROWS = 256,               // of a block
	ROWS_PER_ELEMENT = 64,          // fewer: not worthwhile
	MOST_LEVELS = 8,
};

typedef VEC(Var) VarVec;

typedef struct {
	Build b;
	Map inputs;                             // token -> AccInput *
	Map owned;                              // token -> bool *: is it #[owned]; see Note [Owned]
	const Fun *fun;
	int n_choices;
} Local;

// A nest of kernels: the loops, outermost first, and what each does before the next one.
typedef struct {
	const Stm *loops[MOST_LEVELS];
	int n;
} Nest;

static const AccInput *input_of(const Local *l, Var v)
{
	Type t = vars[v.id].type;
	if (t.kind != T_ACC || map_has(&l->owned, var_key(t.acc->token)))
		return NULL;
	const AccInput *in = map_get(&l->inputs, var_key(t.acc->token));
	return in && in->op ? in : NULL;
}

// ---- Which kernels ----

static bool is_kernel_of_threads(const Stm *s)
{
	return s->exp->form == E_loop && has_attr(s->attrs, ATTR_KERNEL);
}

static Nest nest_of(const Stm *s)
{
	Nest n = {.loops = {s}, .n = 1};
	while (n.n < MOST_LEVELS) {
		Stms in = n.loops[n.n - 1]->exp->loop.body.stms;
		if (!in.len || !is_kernel_of_threads(&in.at[in.len - 1]))
			break;
		n.loops[n.n++] = &in.at[in.len - 1];
	}
	return n;
}

// Is something in it counted by threads that we have not followed?
static bool is_whole(const Nest *n)
{
	const Stm *last = n->loops[n->n - 1];
	Stms in = last->exp->loop.body.stms;
	if (in.len && is_kernel_of_threads(&in.at[in.len - 1]))
		return false;
	for (int i = 0; i < n->n; i++) {        // each gives just what the next one does
		const Exp *e = n->loops[i]->exp;
		if (i + 1 < n->n)
			for (int k = 0; k < e->loop.body.res.len; k++)
				if (!sub_eq(e->loop.body.res.at[k],
				            sub_var(n->loops[i + 1]->pat.at[k])))
					return false;
	}
	return true;
}

// ---- Elements that only one thread updates ----

typedef struct {
	const Nest *nest;
	Map defs;                               // variable -> Exp *: additions in the nest
	Var token;
	int at[MOST_LEVELS];                    // the places of the counters, -1: not known yet
	Sub idx[MOST_LEVELS];                   // ... and what stands there
	bool owned;                             // at the same places by all updates
	bool spread;                            // the counters are there, at any rate
} Updates;

// i, or i plus something that is the same for all threads.
static bool counts(const Updates *u, Sub x, Var counter)
{
	if (sub_eq(x, sub_var(counter)))
		return true;
	const Exp *e = x.kind == S_VAR ? map_get(&u->defs, var_key(x.var)) : NULL;
	if (!e)
		return false;
	for (int k = 0; k < 2; k++) {
		Sub other = e->prim.x[1 - k];
		if (sub_eq(e->prim.x[k], sub_var(counter)) &&
		    (other.kind == S_CONST || !map_has(&u->defs, var_key(other.var))))
			return true;
	}
	return false;
}

// Everything that the nest binds is in defs; additions with what they add.
static void note_definitions(Updates *u)
{
	for (int d = 0; d < u->nest->n; d++) {
		const Exp *loop = u->nest->loops[d]->exp;
		map_put(&u->defs, var_key(loop->loop.i), NULL);
		for EACH(Stm, s, loop->loop.body.stms)
			for EACH(Var, x, s->pat) {
				Exp *e = s->exp;
				bool sum = e->form == E_prim && e->prim.op == P_add;
				map_put(&u->defs, var_key(*x), sum ? e : NULL);
			}
	}
}

static void note_update(Updates *u, Subs idx, bool few)
{
	for (int d = 0; d < u->nest->n; d++) {
		int at = idx.len;
		while (at-- > 0)
			if (counts(u, idx.at[at], u->nest->loops[d]->exp->loop.i))
				break;
		u->spread &= at >= 0 || few;
		u->owned &= at >= 0 && (u->at[d] < 0 ||
			(u->at[d] == at && sub_eq(u->idx[d], idx.at[at])));
		u->at[d] = at;
		u->idx[d] = at >= 0 ? idx.at[at] : sub_i64(0);
	}
}

static void look_at_updates(Visit *v, Body *b)
{
	Updates *u = v->ctx;
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (form_has(e->form, FORM_NEST))
			exp_visit(s->exp, v); // a walk
		if (e->form == E_call)
			for EACH(Sub, x, e->call.args)
				u->owned &= sub_type(*x).kind != T_ACC;
		if (e->form == E_upd_acc && sub_type(e->upd_acc.acc).acc->token.id == u->token.id)
			note_update(u, e->upd_acc.idx, has_attr(s->attrs, ATTR_FEW));
	}
}

static void find_owned(Local *l, const Nest *nest)
{
	const Exp *e = nest->loops[0]->exp;
	l->owned = (Map){0};
	for EACH(Var, p, e->loop.params) {
		if (!input_of(l, *p))
			continue;
		Updates u = {.nest = nest, .token = vars[p->id].type.acc->token, .owned = true,
		             .spread = true};
		note_definitions(&u);
		for (int d = 0; d < MOST_LEVELS; d++)
			u.at[d] = -1;
		Visit v = {.body = look_at_updates, .ctx = &u};
		exp_visit((Exp *)e, &v); // a walk
		if (u.owned || u.spread)
			map_put(&l->owned, var_key(u.token), NEW(bool, u.owned));
	}
}

static void mark_owned(Visit *v, Body *b)
{
	Local *l = v->ctx;
	Name owned = name_of(ATTR_OWNED);
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		if (form_has(s->exp->form, FORM_NEST))
			s->exp = exp_visit(s->exp, v);
		const bool *only = s->exp->form != E_upd_acc ? NULL : map_get(&l->owned,
			var_key(sub_type(s->exp->upd_acc.acc).acc->token));
		if (only && *only)
			s->attrs = (Attributes){mem_dup(&owned, sizeof owned), 1};
	}
}

// ---- Sizes ----

static Sub decided(Local *l, const char *attr, Sub now, Subs more)
{
	VarVec pat = {0};
	VEC_PUSH(&pat, var_new(name_of("decided"), sub_type(now)));
	for EACH(Sub, m, more)
		VEC_PUSH(&pat, var_new(name_of("of"), sub_type(*m)));
	l->b.attrs = with_attr((Attributes){0}, attr);
	b_stm(&l->b, VEC_SLICE(Vars, pat), NEW(Exp, .form = E_opaque,
		.opaque = {subs_cat(subs_of(1, now), more)}));
	return sub_var(pat.at[0]);
}

typedef struct { Sub elements, bytes; } Size;

static Size size_of(Local *l, const Stm *s)
{
	Build *b = &l->b;
	Size size = {sub_i64(0), sub_i64(0)};
	for EACH(Var, p, s->exp->loop.params) {
		const AccInput *in = input_of(l, *p);
		if (!in)
			continue;
		for EACH(Type, t, vars[p->id].type.acc->elems) {
			Sub n = b_product(b, subs_cat(in->space, t->dims));
			size.elements = b_add(b, size.elements, n);
			size.bytes = b_add(b, size.bytes,
			                   b_mul(b, n, sub_i64(primtype_size(t->elem))));
		}
	}
	return size;
}

// ---- Spaces ----

// The indices of element e of this space.
static Subs indices_in(Build *b, Subs space, Sub e)
{
	Subs at = {NEW_ARRAY(Sub, space.len), space.len};
	for (int d = at.len; d-- > 1;) {
		at.at[d] = b_prim2(b, P_rem, e, space.at[d]);
		e = b_prim2(b, P_quot, e, space.at[d]);
	}
	if (at.len)
		at.at[0] = e;
	return at;
}

// ---- The copies of a block ----

// Arrays with neutral elements.
static Subs neutral(Local *l, const AccInput *in, Types elems)
{
	Build *b = &l->b;
	Subs room = {NEW_ARRAY(Sub, elems.len), elems.len};
	for (int k = 0; k < elems.len; k++) {
		Type t = type_array(elems.at[k].elem, subs_cat(in->space, elems.at[k].dims));
		b->attrs = with_attr((Attributes){0}, ATTR_LOCAL);
		room.at[k] = b_let(b, "local", t, NEW(Exp, .form = E_scratch,
			.scratch = {t.elem, t.dims}));
	}
	DevLoop p = dev_open(&l->b, ATTR_THREADS, b_product(b, in->space), room);
	Subs at = indices_in(b, in->space, sub_var(p.i)), next = {NEW_ARRAY(Sub, room.len), room.len};
	for (int k = 0; k < room.len; k++)
		next.at[k] = put_at(b, sub_var(p.params.at[k]), at, in->ne.at[k]);
	return dev_close(&l->b, &p, next);
}

static Sub add_all(Local *l, const AccInput *in, Sub acc, Subs arrs)
{
	Build *b = &l->b;
	DevLoop p = dev_open(&l->b, ATTR_THREADS, b_product(b, in->space), subs_of(1, acc));
	Subs at = indices_in(b, in->space, sub_var(p.i)), vals = {NEW_ARRAY(Sub, arrs.len), arrs.len};
	for (int k = 0; k < arrs.len; k++)
		vals.at[k] = b_index(b, arrs.at[k], at);
	Sub after = b_let(b, "acc", sub_type(acc), NEW(Exp, .form = E_upd_acc,
		.upd_acc = {sub_var(p.params.at[0]), at, vals}));
	return dev_close(&l->b, &p, subs_of(1, after)).at[0];
}

// ---- The rows of a block ----

static void replace(Map *to, Var v, Sub s)
{
	map_put(to, var_key(v), mem_dup(&s, sizeof s));
}

// What the nest does for the row with this number of all rows, on these values of what it carries;
// `to` says what tokens have become.
static Subs do_row(Local *l, const Nest *nest, Sub row, Subs carried, Map *to)
{
	Build *b = &l->b;
	VEC(Stm) stms = {0};
	for (int d = nest->n; d-- > 0;) {
		const Exp *e = nest->loops[d]->exp;
		replace(to, e->loop.i, d ? b_prim2(b, P_rem, row, e->loop.n) : row);
		if (d)
			row = b_prim2(b, P_quot, row, e->loop.n);
		for (int k = 0; k < carried.len; k++)
			replace(to, e->loop.params.at[k], carried.at[k]);
	}
	for (int d = 0; d < nest->n; d++) {
		const Body *body = &nest->loops[d]->exp->loop.body;
		for (int i = 0; i < body->stms.len - (d + 1 < nest->n); i++)
			VEC_PUSH(&stms, body->stms.at[i]);
	}
	Body all = {VEC_SLICE(Stms, stms), nest->loops[nest->n - 1]->exp->loop.body.res};
	all = body_subst(body_rename(all), to);
	for EACH(Stm, s, all.stms)
		b_emit(b, *s);
	return all.res;
}

// All of this in a withacc over the copies.  Of `outer`, what the blocks carry, accumulators with an
// operator are replaced by those over the copies; gives the copies afterwards, then the rest.
static Subs in_withacc(Local *l, const Nest *nest, Subs outer, Sub first, Sub rows)
{
	Build *b = &l->b;
	Vars params = nest->loops[0]->exp->loop.params;
	VEC(AccInput) inputs = {0};
	VarVec tokens = {0}, accs = {0};
	VEC(Type) ret = {0}, made = {0};
	Map to = {0};
	Subs inits = SLICE_DUP(Subs, outer);
	for (int k = 0; k < params.len; k++) {
		const AccInput *in = input_of(l, params.at[k]);
		if (!in)
			continue;
		AccType *t = mem_dup(vars[params.at[k].id].type.acc, sizeof *t);
		Var token = var_new(name_of("token"), type_cert());
		replace(&to, t->token, sub_var(token));
		t->token = token;
		Type type = {.kind = T_ACC, .acc = t};
		Var acc = var_new(name_of("acc"), type);
		inits.at[k] = sub_var(acc);
		Subs arrs = neutral(l, in, t->elems);
		VEC_PUSH(&inputs, (AccInput){in->space, arrs, lambda_rename(in->op), in->ne});
		VEC_PUSH(&tokens, token);
		VEC_PUSH(&accs, acc);
		VEC_PUSH(&ret, type);
		for EACH(Sub, a, arrs)
			VEC_PUSH(&made, sub_type(*a));
	}
	b_open(b);
	DevLoop p = dev_open(&l->b, ATTR_THREADS, rows, inits);
	Subs next = do_row(l, nest, b_add(b, first, sub_var(p.i)), subs_of_vars(p.params), &to);
	Subs after = dev_close(&l->b, &p, next);
	SubVec res = {0};
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < params.len; k++)
			if ((input_of(l, params.at[k]) == NULL) == (pass == 1))
				VEC_PUSH(&res, after.at[k]);
	for (int i = accs.len; i < res.len; i++) {
		Type t = sub_type(res.at[i]);
		t.unique = false;
		VEC_PUSH(&ret, t);
		VEC_PUSH(&made, t);
	}
	Vars all = vars_cat(VEC_SLICE(Vars, tokens), VEC_SLICE(Vars, accs));
	Lambda *fn = NEW(Lambda, .params = all, .ret = VEC_SLICE(Types, ret),
	                 .body = b_close(b, VEC_SLICE(Subs, res)));
	return b_lets(b, "local", VEC_SLICE(Types, made), NEW(Exp, .form = E_withacc,
		.withacc = {VEC_SLICE(AccInputs, inputs), fn}));
}

static Subs do_block(Local *l, const Nest *nest, Subs outer, Sub first, Sub rows)
{
	Vars params = nest->loops[0]->exp->loop.params;
	Subs made = in_withacc(l, nest, outer, first, rows);
	Subs next = {NEW_ARRAY(Sub, outer.len), outer.len};
	int at = 0;
	for (int k = 0; k < params.len; k++) {
		const AccInput *in = input_of(l, params.at[k]);
		if (!in)
			continue;
		Subs arrs = {made.at + at, in->arrs.len};
		next.at[k] = add_all(l, in, outer.at[k], arrs);
		at += in->arrs.len;
	}
	for (int k = 0; k < params.len; k++)
		if (!input_of(l, params.at[k]))
			next.at[k] = made.at[at++];
	return next;
}

static Subs emit_blocks(Local *l, const Nest *nest, Sub n)
{
	Build *b = &l->b;
	Sub blocks = decided(l, ATTR_GRID, sub_i64(3), subs_of(2, n, sub_i64(LEAST_ROWS)));
	Sub more = b_add(b, n, b_sub(b, blocks, sub_i64(1)));
	Sub size = b_prim2(b, P_quot, more, blocks);
	DevLoop p = dev_open(&l->b, ATTR_BLOCKS, blocks, nest->loops[0]->exp->loop.inits);
	Sub first = b_mul(b, sub_var(p.i), size);
	Sub rows = b_prim2(b, P_min, size, b_sub(b, n, first));
	return dev_close(&l->b, &p, do_block(l, nest, subs_of_vars(p.params), first, rows));
}

// ---- Kernels ----

static Body as_before(Local *l, const Stm *s)
{
	Stm *copy = mem_dup(s, sizeof *s);
	Body b = body_rename((Body){.stms = {copy, 1}, .res = subs_of_vars(s->pat)});
	b_open(&l->b);
	b_emit(&l->b, b.stms.at[0]);
	return b_close(&l->b, b.res);
}

static bool has_operators(const Local *l, const Stm *s)
{
	for EACH(Var, p, s->exp->loop.params)
		if (input_of(l, *p))
			return true;
	return false;
}

static void local_kernel(Local *l, const Stm *old)
{
	Build *b = &l->b;
	Nest nest = nest_of(old);
	Stm marked = *old, *s = &marked;
	find_owned(l, &nest);
	Visit marks = {.body = mark_owned, .copy = true, .ctx = l};
	if (l->owned.len) {
		s->exp = exp_visit(s->exp, &marks);
		nest = nest_of(s);
	}
	if (!has_operators(l, s) || !is_whole(&nest) || !may_rewrite()) {
		b_emit(b, *s);
		return;
	}
	Vars certs = {0};
	for (int d = 0; d < nest.n; d++)
		certs = vars_cat(certs, nest.loops[d]->certs);
	b->where = s->where;
	b->certs = s->certs;
	Sub n = sub_i64(1);
	for (int d = 0; d < nest.n; d++)
		n = b_mul(b, n, nest.loops[d]->exp->loop.n);
	Size size = size_of(l, s);
	Sub most = b_prim2(b, P_max, size.elements, sub_i64(1));
	Sub fits = decided(l, ATTR_FITS, sub_bool(true), subs_of(1, size.bytes));
	const char *name = text("%s(%s.local_%d)", ATTR_THRESHOLD, l->fun->name, l->n_choices);
	Sub many = decided(l, name, sub_bool(l->n_choices++ % 2 == 0),
	                   subs_of(2, b_prim2(b, P_quot, n, most), sub_i64(ROWS_PER_ELEMENT)));
	Sub both = b_prim2(b, P_and, fits, many);
	Body no = as_before(l, s);
	b->certs = s->certs;
	b_open(b);
	b->certs = certs;
	Subs made = emit_blocks(l, &nest, n);
	b->certs = s->certs;
	Body yes = b_close(b, made);
	b_stm(b, s->pat, NEW(Exp, .form = E_if_, .if_ = {both, yes, no}));
	b->certs = (Vars){0};
}

// ---- Bodies ----

static void local_body(Visit *v, Body *b)
{
	Local *l = v->ctx;
	Visit kernel = {.funs = v->funs, .copy = true};
	b_open(&l->b);
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (s.exp->form == E_withacc)
			for (int i = 0; i < s.exp->withacc.inputs.len; i++)
				map_put(&l->inputs, var_key(s.exp->withacc.fn->params.at[i]),
				        &s.exp->withacc.inputs.at[i]);
		bool device = is_device_loop(s.attrs);
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, device ? &kernel : v);
		if (is_kernel_of_threads(&s))
			local_kernel(l, &s);
		else
			b_emit(&l->b, s);
	}
	*b = b_close(&l->b, b->res);
}

Prog *local_accs(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs) {
		Local l = {.fun = *f};
		Visit v = {.body = local_body, .funs = &funs, .copy = true, .ctx = &l};
		local_body(&v, &(*f)->body);
	}
	return out;
}
