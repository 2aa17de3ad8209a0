// Bounds of integers that the threads of a kernel compute, as host code before the kernel.
//
//     #[kernel] loop ... for i: i64 < n do {            let (last: i64) = sub.i64 n 1
//       let (k: i64) = add.i64 i 1                      let (k1: i64) = add.i64 last 1
//       let (m: mem.f64) = alloc.f64 k            ->    #[kernel] loop ... for i: i64 < n do {
//       ...                                               let (m: mem.f64) = alloc.f64 k1
//
// This is interval arithmetic at run time: both ends of an interval are host operands.  An operand
// that is known before the kernel is its own interval; the counter of a loop is between 0 and the
// largest number of iterations less 1; the interval of a branch is the union of those of its
// results.
//
// Note [Repeated loops].  Loop-carried values have no closed form in general: sizes may double, or
// shrink by those of the previous level.  The host executes the same loop on intervals, restricted
// to the statements that the integer depends on:
//
//     loop (m = 1) for l < d do {m * 2}   ->   loop (lo, hi, least, most = 1, 1, 1, 1) for l < d do
//                                                {(lo * 2, hi * 2, min least lo, max most hi)}
//
// `least` and `most` bound the value inside the loop, in all iterations; united with the last
// interval, they bound it after the loop.  If threads have different trip counts, the host executes
// the largest one.  While loops have no bound.
//
// Note [Stored integers].  An integer that is loaded from a block allocated by the kernel (such as
// the lengths that reverse mode records) is one of those stored there: its interval is the union of
// theirs, if all stores are of single elements and the block is not passed on.
//
// The bounds are wrong if their computation overflows although that of no thread does.  The sizes
// of arrays are far from that, and intervals are only used for the sizes of blocks of memory.
#include "mem/bounds.h"

#include "opt/alias.h"

typedef struct { Sub lo, hi; } Interval;
typedef struct { SubVec vals; bool unknown; } Stores;
struct KernelBounds {
	Map inside;                             // all variables of the kernel
	Map defs;                               // -> const Stm *
	Map loops;                              // counters and parameters -> const Exp *
	Map stores;                             // blocks -> Stores *
	Map known;                              // -> Interval *, or `none`
	const KernelBounds *around;             // in a loop that the host repeats,
	const Exp *loop;                        // which is this one
	Build *out;
};

static const Interval none;                     // its address: there is none, or not yet

static bool interval_of(KernelBounds *, Sub, Interval *);

// ---- What a kernel binds and stores ----

static void note_var(Visit *v, Var *b)
{
	KernelBounds *k = v->ctx;
	map_put(&k->inside, var_key(*b), k);
}

static Stores *stores_of(KernelBounds *k, Var block)
{
	Stores *s = map_get(&k->stores, var_key(block));
	if (!s) {
		s = NEW(Stores);
		map_put(&k->stores, var_key(block), s);
	}
	return s;
}

// Blocks that are passed on may be stored to by other names.
static void note_passed(Visit *v, Sub *s)
{
	if (s->kind == S_VAR && is_block(s->var))
		stores_of(v->ctx, s->var)->unknown = true;
}

static void note_store(KernelBounds *k, const Stm *s)
{
	const Exp *e = s->exp;
	const MemLoc *at = s->pat.len == 1 && type_is_array(vars[s->pat.at[0].id].type)
	                 ? vars[s->pat.at[0].id].type.mem : NULL;
	if (!at)
		return;
	Stores *to = stores_of(k, at->block);
	switch (e->form) {
	case E_update:
		if (stm_is_in_place(s))
			return;
		to->unknown |= !is_element(e->update.at);
		VEC_PUSH(&to->vals, e->update.val);
		return;
	case E_replicate:
		to->unknown |= !type_is_scalar(sub_type(e->replicate.x));
		VEC_PUSH(&to->vals, e->replicate.x);
		return;
	case E_array:
		VEC_APPEND(&to->vals, e->array.elems);
		return;
	case E_copy: case E_iota:
		to->unknown = true;
		return;
	default: // stores nothing
		return;
	}
}

static void note_body(Visit *v, Body *b)
{
	KernelBounds *k = v->ctx;
	for EACH(Stm, s, b->stms) {
		vars_put(&k->defs, s->pat, s);
		if (s->exp->form == E_loop) {
			if (!s->exp->loop.is_while)
				map_put(&k->loops, var_key(s->exp->loop.i), s->exp);
			vars_put(&k->loops, s->exp->loop.params, s->exp);
		}
		note_store(k, s);
		if (s->exp->form != E_release)
			stm_visit(s, v);
	}
	for EACH(Sub, r, b->res)
		note_passed(v, r);
}

KernelBounds *kernel_bounds(const Exp *kernel)
{
	KernelBounds *k = NEW(KernelBounds);
	Visit v = {.bind = note_var, .sub = note_passed, .body = note_body, .untyped = true,
	           .ctx = k};
	map_put(&k->loops, var_key(kernel->loop.i), (void *)kernel);
	exp_walk(kernel, &v);
	return k;
}

// ---- Interval arithmetic ----

static Sub least(KernelBounds *k, Sub x, Sub y) { return b_prim2(k->out, P_min, x, y); }
static Sub most(KernelBounds *k, Sub x, Sub y)  { return b_prim2(k->out, P_max, x, y); }
static bool is_exact(Interval x)                { return sub_eq(x.lo, x.hi); }

static Interval unite(KernelBounds *k, Interval x, Interval y)
{
	return (Interval){least(k, x.lo, y.lo), most(k, x.hi, y.hi)};
}

static Interval with_zero(KernelBounds *k, Interval x)
{
	return unite(k, x, (Interval){sub_i64(0), sub_i64(0)});
}

static Interval times(KernelBounds *k, Interval x, Interval y)
{
	Sub a = b_mul(k->out, x.lo, y.lo), b = b_mul(k->out, x.lo, y.hi),
	    c = b_mul(k->out, x.hi, y.lo), d = b_mul(k->out, x.hi, y.hi);
	return unite(k, (Interval){least(k, a, b), most(k, a, b)},
	             (Interval){least(k, c, d), most(k, c, d)});
}

static bool is_positive(Interval x)
{
	return x.lo.kind == S_CONST && x.hi.kind == S_CONST && x.lo.val.i > 0;
}

// Without a sign of its own a remainder has that of x (rem) or y (mod), and is smaller than y.
static Interval remainder_of(KernelBounds *k, Prim op, Interval x, Interval y)
{
	Interval below = with_zero(k, (Interval){b_add(k->out, y.lo, sub_i64(1)),
	                                         b_sub(k->out, y.hi, sub_i64(1))});
	if (op == P_mod)
		return below;
	Sub top = most(k, below.hi, b_prim1(k->out, P_neg, below.lo));
	Interval all = with_zero(k, x);
	return (Interval){most(k, all.lo, b_prim1(k->out, P_neg, top)), least(k, all.hi, top)};
}

// What both operands say of an operation on i64; false: nothing.
static bool operation(KernelBounds *k, const Exp *e, Interval x, Interval y, Interval *out)
{
	Build *b = k->out;
	switch (e->prim.op) {
	case P_add:
		*out = (Interval){b_add(b, x.lo, y.lo), b_add(b, x.hi, y.hi)};
		return true;
	case P_sub:
		*out = (Interval){b_sub(b, x.lo, y.hi), b_sub(b, x.hi, y.lo)};
		return true;
	case P_mul:
		*out = times(k, x, y);
		return true;
	case P_min: case P_max:
		*out = (Interval){b_prim2(b, e->prim.op, x.lo, y.lo),
		                  b_prim2(b, e->prim.op, x.hi, y.hi)};
		return true;
	case P_div: case P_quot:
		if (!is_positive(y))
			return false;
		*out = is_exact(y) ? (Interval){b_prim2(b, e->prim.op, x.lo, y.lo),
		                                b_prim2(b, e->prim.op, x.hi, y.lo)}
		                   : with_zero(k, x);
		return true;
	case P_mod: case P_rem:
		*out = remainder_of(k, e->prim.op, x, y);
		return true;
	case P_shl:
		x = with_zero(k, x);
		*out = (Interval){b_prim2(b, P_shl, x.lo, most(k, y.hi, sub_i64(0))),
		                  b_prim2(b, P_shl, x.hi, most(k, y.hi, sub_i64(0)))};
		return true;
	case P_ashr:
		*out = with_zero(k, x);
		return true;
	default:
		return false;
	}
}

// All operands known before: so is the result, unless it may fail.
static bool exact_prim(KernelBounds *k, const Exp *e, const Interval *at, Interval *out)
{
	Sub x[3] = {0};
	if (prim_can_fail(e->prim.op, e->prim.at))
		for (int i = 1; i < prim_arity(e->prim.op); i++)
			if (!is_positive(at[i]))
				return false;
	for (int i = 0; i < prim_arity(e->prim.op); i++) {
		if (!is_exact(at[i]))
			return false;
		x[i] = at[i].lo;
	}
	out->lo = out->hi = b_prim(k->out, e->prim.op, e->prim.at, x[0], x[1], x[2]);
	return true;
}

static bool prim_interval(KernelBounds *k, const Exp *e, Interval *out)
{
	Interval at[3] = {0};
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		if (!interval_of(k, e->prim.x[i], &at[i]))
			return false;
	if (exact_prim(k, e, at, out))
		return true;
	return e->prim.at == PT_I64 && prim_arity(e->prim.op) == 2 &&
	       operation(k, e, at[0], at[1], out);
}

static bool convert_interval(KernelBounds *k, const Exp *e, Interval *out)
{
	PrimType from = sub_type(e->convert.x).elem, to = e->convert.to;
	if (!interval_of(k, e->convert.x, out))
		return false;
	bool wider = is_signed(from) && is_signed(to) &&
	             primtype_size(to) >= primtype_size(from);
	if (!wider && !is_exact(*out))
		return false;
	*out = (Interval){b_convert(k->out, to, out->lo), b_convert(k->out, to, out->hi)};
	return true;
}

// ---- Loops ----

// The parameters of a loop that a scalar of its body is made of.
typedef struct { KernelBounds *k; const Exp *loop; Map seen; VEC(int) params; } Needed;

static void need(Needed *n, Sub s);

static void need_operand(Visit *v, Sub *s)
{
	need(v->ctx, *s);
}

static void need_body(Visit *v, Body *b)
{
	for EACH(Sub, r, b->res)
		need(v->ctx, *r);
}

static void need(Needed *n, Sub s)
{
	if (s.kind != S_VAR || !map_has(&n->k->inside, var_key(s.var)) ||
	    map_has(&n->seen, var_key(s.var)))
		return;
	map_put(&n->seen, var_key(s.var), n);
	int at = vars_find(n->loop->loop.params, s);
	if (at >= 0) {
		VEC_PUSH(&n->params, at);
		need(n, n->loop->loop.body.res.at[at]);
		return;
	}
	const Exp *loop = map_get(&n->k->loops, var_key(s.var));
	const Stm *def = map_get(&n->k->defs, var_key(s.var));
	Visit v = {.sub = need_operand, .body = need_body, .ctx = n};
	if (loop && loop != n->loop && type_is_scalar(sub_type(s)))
		exp_walk(loop, &v);
	else if (!loop && def && type_is_scalar(sub_type(s)))
		exp_visit(def->exp, &v);
}

// What the host's loop carries for a parameter: the interval of this iteration, that of all.
typedef struct { Var lo, hi, least, most; Interval first; } Carried;
typedef VEC(Carried) CarriedVec;

static bool first_intervals(KernelBounds *k, const Needed *n, CarriedVec *out)
{
	for EACH(int, at, n->params) {
		Var p = n->loop->loop.params.at[*at];
		Type t = vars[p.id].type;
		Carried c = {.first = none};
		if (!type_is_scalar(t) || !is_signed(t.elem) ||
		    !interval_of(k, n->loop->loop.inits.at[*at], &c.first))
			return false;
		c.lo = var_new(name_of("lo"), t);
		c.hi = var_new(name_of("hi"), t);
		c.least = var_new(name_of("least"), t);
		c.most = var_new(name_of("most"), t);
		VEC_PUSH(out, c);
	}
	return true;
}

static void know(KernelBounds *k, Var v, Interval x)
{
	map_put(&k->known, var_key(v), mem_dup(&x, sizeof x));
}

// One iteration on intervals.
static bool repeat_body(KernelBounds *k, const Needed *n, const CarriedVec *cs, Var i, Body *out)
{
	KernelBounds in = *k;
	SubVec next = {0};
	bool ok = true;
	in.known = (Map){0};
	in.around = k;
	in.loop = n->loop;
	know(&in, n->loop->loop.i, (Interval){sub_var(i), sub_var(i)});
	for (int j = 0; j < cs->len; j++)
		know(&in, n->loop->loop.params.at[n->params.at[j]],
		     (Interval){sub_var(cs->at[j].lo), sub_var(cs->at[j].hi)});
	b_open(k->out);
	for (int j = 0; ok && j < cs->len; j++) {
		const Carried *c = &cs->at[j];
		Interval x;
		ok = interval_of(&in, n->loop->loop.body.res.at[n->params.at[j]], &x);
		VEC_PUSH(&next, x.lo);
		VEC_PUSH(&next, x.hi);
		VEC_PUSH(&next, least(k, sub_var(c->least), sub_var(c->lo)));
		VEC_PUSH(&next, most(k, sub_var(c->most), sub_var(c->hi)));
	}
	*out = b_close(k->out, (Subs){next.at, next.len});
	return ok;
}

// See Note [Repeated loops].  Gives the intervals of the parameters it needs, and of the results
// where they have names.
static bool repeat_loop(KernelBounds *k, const Exp *loop, Var wanted, Vars results)
{
	Needed n = {.k = k, .loop = loop};
	CarriedVec cs = {0};
	Interval times = none;
	VEC(Var) params = {0};
	SubVec inits = {0};
	for (const KernelBounds *in = k; in; in = in->around)
		if (in->loop == loop)
			return false;
	need(&n, sub_var(wanted));
	if (loop->loop.is_while || !interval_of(k, loop->loop.n, &times) ||
	    !first_intervals(k, &n, &cs))
		return false;
	Var i = var_new(name_of("i"), vars[loop->loop.i.id].type);
	Exp e = {.form = E_loop, .loop = {.i = i, .n = times.hi}};
	if (!repeat_body(k, &n, &cs, i, &e.loop.body))
		return false;
	for EACH(const Carried, c, cs) {
		const Var all[] = {c->lo, c->hi, c->least, c->most};
		const Sub first[] = {c->first.lo, c->first.hi, c->first.lo, c->first.hi};
		for (int j = 0; j < 4; j++) {
			VEC_PUSH(&params, all[j]);
			VEC_PUSH(&inits, first[j]);
		}
	}
	e.loop.params = (Vars){params.at, params.len};
	e.loop.inits = (Subs){inits.at, inits.len};
	Subs res = b_lets(k->out, "end", types_of_vars(e.loop.params), exp_dup(&e));
	for (int j = 0; j < cs.len; j++) {
		const Sub *r = res.at + 4 * j;
		Interval during = {r[2], r[3]}, last = {r[0], r[1]};
		know(k, loop->loop.params.at[n.params.at[j]], during);
		if (results.len)
			know(k, results.at[n.params.at[j]], unite(k, during, last));
	}
	return true;
}

static bool loop_interval(KernelBounds *k, const Exp *loop, Var v, Interval *out)
{
	if (!loop->loop.is_while && loop->loop.i.id == v.id) {
		Sub n = loop->loop.n;
		PrimType t = sub_type(n).elem;
		if (!interval_of(k, n, out))
			return false;
		Sub one = b_convert(k->out, t, sub_i64(1)), zero = b_convert(k->out, t, sub_i64(0));
		*out = (Interval){zero, most(k, b_sub(k->out, out->hi, one), zero)};
		return true;
	}
	if (!repeat_loop(k, loop, v, (Vars){0}))
		return false;
	*out = *(const Interval *)map_get(&k->known, var_key(v));
	return true;
}

// ---- All forms ----

static bool read_interval(KernelBounds *k, const Exp *e, Interval *out)
{
	const MemLoc *at = e->index.arr.kind == S_VAR ? sub_type(e->index.arr).mem : NULL;
	const Stm *made = at ? map_get(&k->defs, var_key(at->block)) : NULL;
	const Stores *s = at ? map_get(&k->stores, var_key(at->block)) : NULL;
	if (!made || made->exp->form != E_alloc || !s || s->unknown || !s->vals.len)
		return false;
	for (int i = 0; i < s->vals.len; i++) {
		Interval x;
		if (!interval_of(k, s->vals.at[i], &x))
			return false;
		*out = i ? unite(k, *out, x) : x;
	}
	return true;
}

static bool union_of(KernelBounds *k, Sub x, Sub y, Interval *out)
{
	Interval p, q;
	if (!interval_of(k, x, &p) || !interval_of(k, y, &q))
		return false;
	*out = unite(k, p, q);
	return true;
}

static bool form_interval(KernelBounds *k, const Stm *s, int at, Interval *out)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_atom:
		return interval_of(k, e->atom.x, out);
	case E_prim:
		return prim_interval(k, e, out);
	case E_convert:
		return convert_interval(k, e, out);
	case E_if_:
		return union_of(k, e->if_.yes.res.at[at], e->if_.no.res.at[at], out);
	case E_loop: {
		Var p = e->loop.params.at[at];
		if (!repeat_loop(k, e, p, s->pat))
			return false;
		*out = *(const Interval *)map_get(&k->known, var_key(s->pat.at[at]));
		return true;
	}
	case E_index:
		return read_interval(k, e, out);
	default: // what threads compute
		return false;
	}
}

static const Interval *known_interval(const KernelBounds *k, Var v)
{
	const Interval *x = map_get(&k->known, var_key(v));
	for (k = k->around; k && !x; k = k->around) {
		x = map_get(&k->known, var_key(v));
		if (x == &none) // it may have one in this iteration
			x = NULL;
	}
	return x;
}

static bool interval_of(KernelBounds *k, Sub s, Interval *out)
{
	*out = (Interval){s, s};
	if (s.kind != S_VAR || !map_has(&k->inside, var_key(s.var)))
		return true;
	const Interval *known = known_interval(k, s.var);
	if (known) {
		*out = *known;
		return known != &none;
	}
	const Stm *def = map_get(&k->defs, var_key(s.var));
	const Exp *loop = map_get(&k->loops, var_key(s.var));
	map_put(&k->known, var_key(s.var), (void *)&none);
	bool ok = type_is_scalar(sub_type(s)) &&
	          (loop ? loop_interval(k, loop, s.var, out)
	           : def && form_interval(k, def, vars_find(def->pat, s), out));
	if (ok)
		know(k, s.var, *out);
	return ok;
}

bool bound_before(KernelBounds *k, Build *b, Sub n, Sub *out)
{
	Interval x;
	k->out = b;
	if (!interval_of(k, n, &x))
		return false;
	*out = x.hi;
	return true;
}
