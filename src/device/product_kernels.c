// The pass `product_kernels`: splits matrix products off kernels that contain other sums too.
//
//     #[kernel] loop (o = out) for i < n do           if 32 <= p then {
//       #[kernel] loop (o) for j < m do {               #[kernel] loop (q = made) for i < n do
//         s = loop (s = 0) for k < p do                   #[kernel] loop (q) for j < m do {
//           s + a[i, k] * b[k, j]                           s = loop .. s + a[i, k] * b[k, j]
//         t = loop (t = 0) for k < p do          ->         q with [i, j] = s}
//           t + c[i, k] * d[k, j]                       the nest, with s = made[i, j]
//         o with [i, j] = f s t                       } else the same
//       }
//
// Code generation tiles a kernel with a single such sum, so that threads share their loads
// (src/gen/ktile.c); with two sums, each thread would load all operands of both by itself.
// Storing and reloading an element costs far less than a long sum.
//
// A loop that carries several sums counts as that many, unless they share costly indices, see
// Note [Shared indices].  The last sum stays in place, unless there are sums of other kinds.
//
// Requires: the pass `seq`.  Ensures: equal results, with the same order of additions.
#include "opt/opt.h"
#include "device/flatten.h"

enum { MOST_LEVELS = 8, STEP = 1 << 30, FEW_STMS = 160 };

// A value that a loop in the innermost body carries.
typedef struct { const Stm *fold; int at, k; } Sum;

typedef struct {
	const Stm *nest[MOST_LEVELS];
	int n;
	Map masks;                              // variables bound in the nest: set_levels
	Map bound;                              // variable bound in the nest -> its statement
	VEC(Sum) products;
	bool others, chain;                     // other loops; one that goes on from another
} Nest;

typedef struct { Build b; } Products;

// ---- What depends on which levels ----

static void note(Nest *n, const Stm *s)
{
	uint64_t mask = levels_of_exp(&n->masks, s->exp);
	for EACH(Var, x, s->pat) {
		set_levels(&n->masks, *x, mask);
		map_put(&n->bound, var_key(*x), (void *)s);
	}
}

static bool is_scalar_stm(const Stm *s)
{
	const Exp *e = s->exp;
	bool plain = e->form == E_prim || e->form == E_convert || e->form == E_atom ||
	             e->form == E_index ||
	             (e->form == E_if_ && body_all(&e->if_.yes, is_scalar_stm) &&
	              body_all(&e->if_.no, is_scalar_stm));
	return plain && s->pat.len == 1 && type_is_scalar(vars[s->pat.at[0].id].type);
}

static bool is_load(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_if_)
		return e->form == E_index;
	const Body *of[] = {&e->if_.yes, &e->if_.no};
	for (int k = 0; k < 2; k++)
		for EACH(Stm, t, of[k]->stms)
			if (is_load(t))
				return true;
	return false;
}

// ---- The statements that a value needs ----

typedef struct { const Nest *nest; Map in; bool fails; } Slice;

static void need(Slice *, Sub);

static void need_operand(Visit *v, Sub *x)
{
	need(v->ctx, *x);
}

// A sum may go on from one before it, and needs nothing else that loops give.
static void need(Slice *s, Sub x)
{
	const Stm *def = x.kind == S_VAR ? map_get(&s->nest->bound, var_key(x.var)) : NULL;
	if (!def || map_has(&s->in, def))
		return;
	map_put(&s->in, def, (void *)def);
	Visit v = {.sub = need_operand, .ctx = s};
	if (is_scalar_stm(def))
		exp_walk(def->exp, &v);
	else
		s->fails = true;
}

// ---- Products ----

// The statements of the loop's body that result k needs, from the last one on.  False: it needs
// what the loop carries besides.
static bool slice_of_sum(const Stm *fold, int k, bool *in)
{
	const Exp *e = fold->exp;
	const Body *b = &e->loop.body;
	for (int i = b->stms.len; i-- > 0;) {
		const Stm *s = &b->stms.at[i];
		Map of = {0};
		map_put(&of, var_key(s->pat.at[0]), (void *)s);
		in[i] = sub_eq(b->res.at[k], sub_var(s->pat.at[0]));
		for (int j = i + 1; j < b->stms.len; j++)
			in[i] |= in[j] && stm_mentions(&b->stms.at[j], &of);
		for (int p = 0; in[i] && p < e->loop.params.len; p++) {
			Map other = {0};
			map_put(&other, var_key(e->loop.params.at[p]), (void *)s);
			if (p != k && stm_mentions(s, &other))
				return false;
		}
	}
	return true;
}

static bool is_known_outside(const Nest *n, Sub x)
{
	return x.kind != S_VAR || !map_has(&n->masks, var_key(x.var));
}

static bool is_fold(const Nest *n, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_loop || e->loop.is_while || is_device_loop(s->attrs) ||
	    has_attr(s->attrs, ATTR_ATOMIC) || !is_known_outside(n, e->loop.n) ||
	    e->loop.body.stms.len > FEW_STMS || sub_type(e->loop.n).elem != PT_I64 ||
	    !may_reach(e->loop.n, AT_product_steps))
		return false;
	return vars_are_scalars(e->loop.params) && body_all(&e->loop.body, is_scalar_stm);
}

static bool divides(const Exp *e)
{
	return e->form == E_prim && is_int(e->prim.at) && e->prim.x[1].kind != S_CONST &&
	       prim_divides(e->prim.op);
}

// Note [Shared indices].  A sum over all pixels of all images divides its counter by their sizes,
// to know where it is.  Sums of one loop share that, as those of a convolution's derivative by its
// kernel; in kernels of their own each would do it again, for every guarded load, and a division
// takes longer than a product.  (Nine sums: 50 ms instead of 6 on an H200.)
static bool has_costly_guards(const Nest *n, const Stm *fold)
{
	const Body *b = &fold->exp->loop.body;
	bool guards = false, costly = false;
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		bool steps = levels_of(&n->masks, sub_var(s->pat.at[0])) & STEP;
		guards |= s->exp->form == E_if_ && is_load(s);
		costly |= steps && divides(s->exp);
	}
	return fold->exp->loop.params.len > 1 && guards && costly;
}

// Are there loads along one level, others along another, and none along both?
static bool is_product(Nest *n, const Stm *fold, int k)
{
	const Body *b = &fold->exp->loop.body;
	bool in[FEW_STMS];
	int loads[FEW_STMS], n_loads = 0;
	PrimType t = vars[fold->exp->loop.params.at[k].id].type.elem;
	if (t != PT_F32 && t != PT_F64)
		return false;
	if (has_costly_guards(n, fold))
		return false;
	slice_of_sum(fold, k, in);
	for (int i = 0; i < b->stms.len; i++) {
		int mask = (int)levels_of(&n->masks, sub_var(b->stms.at[i].pat.at[0]));
		if (in[i] && is_load(&b->stms.at[i]) && mask & STEP)
			loads[n_loads++] = mask & ~STEP;
	}
	for (int y = 0; y < n->n; y++)
		for (int x = 0; x < n->n; x++) {
			bool along_y = false, along_x = false, both = x == y;
			for (int i = 0; i < n_loads; i++) {
				bool of_y = loads[i] >> y & 1, of_x = loads[i] >> x & 1;
				along_y |= of_y && !of_x;
				along_x |= of_x && !of_y;
				both |= of_x && of_y;
			}
			if (along_y && along_x && !both)
				return true;
		}
	return false;
}

static bool goes_on(const Stm *s, const Sum *before)
{
	return before->fold->pat.len == 1 && s->pat.len == 1 &&
	       sub_eq(s->exp->loop.inits.at[0], sub_var(before->fold->pat.at[0]));
}

static void note_fold(Nest *n, const Stm *s, int at)
{
	const Exp *e = s->exp;
	bool in[FEW_STMS];
	set_levels(&n->masks, e->loop.i, STEP);
	for EACH(Stm, t, e->loop.body.stms)
		set_levels(&n->masks, t->pat.at[0], levels_of_exp(&n->masks, t->exp));
	for (int k = 0; k < e->loop.params.len; k++)
		if (!slice_of_sum(s, k, in)) {
			n->others = true;       // its values depend on each other
			return;
		}
	for (int k = 0; k < e->loop.params.len; k++) {
		Sum *last = n->products.len ? &n->products.at[n->products.len - 1] : NULL;
		if (!is_product(n, s, k)) {
			n->others = true;
		} else if (last && goes_on(s, last)) {
			n->products.len--;      // both stay, see chain_sums.c
			n->chain = true;
		} else {
			VEC_PUSH(&n->products, (Sum){s, at, k});
		}
	}
}

static bool finds_nest(Nest *n, const Stm *s)
{
	while (n->n < MOST_LEVELS) {
		const Stm *inner = NULL;
		n->nest[n->n++] = s;
		if (!is_known_outside(n, s->exp->loop.n))
			return false;
		set_levels(&n->masks, s->exp->loop.i, UINT64_C(1) << (n->n - 1));
		for EACH(Stm, t, s->exp->loop.body.stms) {
			if (is_kernel(t))
				inner = t;
			else if (is_scalar_stm(t))
				note(n, t);
		}
		if (!inner)
			return true;
		for EACH(Stm, t, s->exp->loop.body.stms)
			if (t != inner && !is_scalar_stm(t))
				return false;
		s = inner;
	}
	return false;
}

static bool finds_products(Nest *n, const Stm *s)
{
	if (s->exp->form != E_loop || !has_attr(s->attrs, ATTR_KERNEL) || !finds_nest(n, s))
		return false;
	const Body *b = &n->nest[n->n - 1]->exp->loop.body;
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *t = &b->stms.at[i];
		if (is_fold(n, t))
			note_fold(n, t, i);
		else if (!is_scalar_stm(t) && !has_attr(t->attrs, ATTR_ATOMIC) &&
		         (form_has(t->exp->form, FORM_NEST) || t->exp->form == E_assert_))
			return false;
		if (!is_scalar_stm(t))
			for EACH(Var, x, t->pat) {
				set_levels(&n->masks, *x, levels_of_exp(&n->masks, t->exp));
				map_put(&n->bound, var_key(*x), (void *)t);
			}
	}
	if (!n->others && !n->chain && n->products.len)
		n->products.len--;
	int kept = 0;
	for EACH(Sum, p, n->products) {
		Slice need_of = {.nest = n};
		need(&need_of, p->fold->exp->loop.inits.at[p->k]);
		Visit v = {.sub = need_operand, .ctx = &need_of};
		for EACH(Stm, t, p->fold->exp->loop.body.stms)
			exp_walk(t->exp, &v);
		if (!need_of.fails)
			n->products.at[kept++] = *p;
	}
	n->products.len = kept;
	return kept > 0;
}

// ---- The kernels ----

// The loop with value k alone.
static Stm only_sum(const Stm *fold, int k)
{
	Stm s = *fold;
	bool in[FEW_STMS];
	Exp *e = s.exp = exp_dup(fold->exp);
	const Body *b = &fold->exp->loop.body;
	slice_of_sum(fold, k, in);
	Stms stms = {NEW_ARRAY(Stm, b->stms.len), 0};
	for (int i = 0; i < b->stms.len; i++)
		if (in[i])
			stms.at[stms.len++] = b->stms.at[i];
	e->loop.body = (Body){.stms = stms, .res = subs_of(1, b->res.at[k])};
	e->loop.params = vars_of(1, fold->exp->loop.params.at[k]);
	e->loop.inits = subs_of(1, fold->exp->loop.inits.at[k]);
	s.pat = vars_of(1, fold->pat.at[k]);
	return s;
}

// What is in the innermost body of the new kernel: all scalars before the sum that it needs.
static Body body_of_sum(const Nest *n, const Sum *p)
{
	Slice of = {.nest = n};
	Stm sum = only_sum(p->fold, p->k);
	Visit v = {.sub = need_operand, .ctx = &of};
	need(&of, sum.exp->loop.inits.at[0]);
	for EACH(Stm, t, sum.exp->loop.body.stms)
		exp_walk(t->exp, &v);
	VEC(Stm) out = {0};
	for (int d = 0; d < n->n; d++)
		for EACH(Stm, s, n->nest[d]->exp->loop.body.stms)
			if (map_has(&of.in, s))
				VEC_PUSH(&out, *s);
	VEC_PUSH(&out, sum);
	Body b = {.stms = VEC_SLICE(Stms, out), .res = subs_of(1, sub_var(sum.pat.at[0]))};
	return body_rename(b);
}

static Sub emit_product(Build *b, const Nest *n, const Sum *p)
{
	DevLoop loops[MOST_LEVELS];
	Map to = {0};
	Subs at = {NEW_ARRAY(Sub, n->n), n->n}, dims = {NEW_ARRAY(Sub, n->n), n->n};
	for (int d = 0; d < n->n; d++)
		dims.at[d] = n->nest[d]->exp->loop.n;
	Type t = type_array(vars[p->fold->pat.at[p->k].id].type.elem, dims);
	Subs room = subs_of(1, b_scratch(b, "made", t));
	for (int d = 0; d < n->n; d++) {
		loops[d] = dev_open(b, ATTR_KERNEL, dims.at[d], room);
		room = subs_of_vars(loops[d].params);
		at.at[d] = sub_var(loops[d].i);
		subst_put(&to, n->nest[d]->exp->loop.i, at.at[d]);
	}
	Body body = body_subst(body_of_sum(n, p), &to);
	b_emit_all(b, body.stms);
	Subs done = subs_of(1, b_update(b, room.at[0], slices_at(at, (Subs){0}), body.res.at[0]));
	for (int d = n->n; d-- > 0;)
		done = dev_close(b, &loops[d], done);
	return done.at[0];
}

// The statements of the loop's body that these of its results need.
static Stms stms_for(const Stm *fold, Subs res)
{
	const Body *b = &fold->exp->loop.body;
	bool in[FEW_STMS], any[FEW_STMS] = {0};
	for (int k = 0; k < b->res.len; k++) {
		if (subs_find(res, b->res.at[k]) < 0)
			continue;
		slice_of_sum(fold, k, in);
		for (int i = 0; i < b->stms.len; i++)
			any[i] |= in[i];
	}
	Stms out = {NEW_ARRAY(Stm, b->stms.len), 0};
	for (int i = 0; i < b->stms.len; i++)
		if (any[i])
			out.at[out.len++] = b->stms.at[i];
	return out;
}

// The loop without the values that are there by now, and loads of these.
static void emit_rest_of(Build *b, const Nest *n, const Stm *fold, const Sub *made, const Subs at)
{
	Stm rest = *fold;
	Exp *e = rest.exp = exp_dup(fold->exp);
	int of = fold->exp->loop.params.len, left = 0;
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	e->loop.body.res = SLICE_DUP(Subs, e->loop.body.res);
	rest.pat = SLICE_DUP(Vars, rest.pat);
	for (int k = 0; k < of; k++) {
		bool gone = false;
		for (int i = 0; i < n->products.len; i++) {
			const Sum *p = &n->products.at[i];
			if (p->fold->pat.at[0].id != fold->pat.at[0].id || p->k != k)
				continue;
			gone = true;
			b_stm(b, vars_of(1, fold->pat.at[k]), EXP(index, made[i], at));
		}
		if (gone)
			continue;
		e->loop.params.at[left] = e->loop.params.at[k];
		e->loop.inits.at[left] = e->loop.inits.at[k];
		e->loop.body.res.at[left] = e->loop.body.res.at[k];
		rest.pat.at[left++] = rest.pat.at[k];
	}
	e->loop.params.len = e->loop.inits.len = e->loop.body.res.len = rest.pat.len = left;
	if (!left)
		return;
	if (left < of)
		e->loop.body.stms = stms_for(fold, e->loop.body.res);
	b_emit(b, rest);
}

// The nest with what was made in the place of sums.
static Stm with_loads(Build *b, const Nest *n, int d, const Stm *s, const Sub *made, Subs at)
{
	Stm out = *s;
	Exp *e = out.exp = exp_dup(s->exp);
	at.at[d] = sub_var(e->loop.i);
	b_open(b);
	for EACH(Stm, t, s->exp->loop.body.stms)
		if (d < n->n - 1 && is_kernel(t))
			b_emit(b, with_loads(b, n, d + 1, t, made, at));
		else if (d == n->n - 1 && t->exp->form == E_loop && is_fold(n, t))
			emit_rest_of(b, n, t, made, SLICE_DUP(Subs, at));
		else
			b_emit(b, *t);
	e->loop.body = b_close(b, s->exp->loop.body.res);
	return out;
}

static void split(Build *b, const Nest *n, const Stm *s)
{
	Sub enough = sub_bool(true), *made = NEW_ARRAY(Sub, n->products.len);
	for EACH(Sum, p, n->products) {
		Sub steps = p->fold->exp->loop.n;
		if (steps.kind == S_VAR)
			enough = b_prim2(b, P_and, enough,
			                 b_le(b, sub_i64(threshold(AT_product_steps)), steps));
	}
	b_open(b);
	for (int i = 0; i < n->products.len; i++)
		made[i] = emit_product(b, n, &n->products.at[i]);
	Subs at = {NEW_ARRAY(Sub, n->n), n->n};
	b_emit(b, with_loads(b, n, 0, s, made, at));
	Body yes = body_rename(b_close(b, subs_of_vars(s->pat)));
	Stm same = *s;
	Body no = body_rename((Body){.stms = {&same, 1}, .res = subs_of_vars(s->pat)});
	b_emit(b, (Stm){.pat = s->pat, .where = s->where, .exp = EXP(if_, enough, yes, no)});
}

// ---- Bodies, functions ----

static void split_body(Visit *v, Body *body)
{
	Products *w = v->ctx;
	b_open(&w->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		Nest n = {0};
		if (finds_products(&n, s) && may_rewrite()) {
			w->b.where = s->where;
			split(&w->b, &n, s);
			continue;
		}
		if (form_has(s->exp->form, FORM_NEST) && !is_kernel(s))
			t.exp = exp_visit(s->exp, v);
		b_emit(&w->b, t);
	}
	*body = b_close(&w->b, body->res);
}

Prog *product_kernels(Prog *prog)
{
	Products w = {0};
	Visit v = {.body = split_body, .copy = true, .ctx = &w};
	return prog_rewrite(prog, &v);
}
