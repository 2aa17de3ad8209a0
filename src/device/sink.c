// The pass `sink`: sinks element reads that only kernels need into those kernels.
//
//     let (x: f64) = index sums [0]
//     let (m: f64) = div.f64 x count
//     #[kernel] let (ys: [n]f64) = loop (o: *[n]f64 = out) for i: i64 < n do {.. m ..}
// becomes
//     #[kernel] let (ys: [n]f64) = loop (o: *[n]f64 = out) for i: i64 < n do {
//       let (x: f64) = index sums [0]
//       let (m: f64) = div.f64 x count
//       .. m ..
//     }
//
// At host level a read waits for the device; in a kernel it is almost free.  Computations on such
// elements are sunk too, unless the host needs the result: as a size, a condition, an operand of
// any other statement, or for the number of threads.
//
// A kernel of one thread may begin by reading elements of an array that it updates itself:
//
//     let (x: f64) = index ys [i]                    #[kernel] loop (p = ys) for t < 1 do {
//     #[kernel] loop (p = ys) for t < 1 do             let (x: f64) = index p [i]
//       p with [i] = x - s[0]                   ->     p with [i] = x - s[0]
//
// Requires: no SOACs at host level.  Ensures: equal results; an array whose element is now read
// later is not consumed in between.
#include "opt/alias.h"
#include "opt/opt.h"

// An element that is read at host level, or a scalar that is computed of such.
typedef struct {
	const Stm *def;                         // NULL: none
	bool needed;                            // by the host
	uint32_t looked_at;                     // the last kernel that it was looked at for
} Moving;

typedef struct {
	Moving *at;                             // by variable
	uint32_t cap;
	Alias alias;
	uint32_t kernel;                        // counts those that are looked at
	const Stm *lone;                        // the one that is, if it is one thread
	bool changed;
} Sink;

// Something that may move, as far as is known.
static Moving *moving(Sink *k, Sub s)
{
	Moving *m = s.kind == S_VAR && s.var.id < k->cap ? &k->at[s.var.id] : NULL;
	return m && m->def && !m->needed ? m : NULL;
}

static bool moves(Sink *k, const Stm *s)
{
	return s->pat.len == 1 && moving(k, sub_var(s->pat.at[0]));
}

// ---- What may move ----

static bool may_move(const Stm *s)
{
	switch (s->exp->form) {
	case E_index:
	case E_convert:
	case E_atom: return type_is_scalar(vars[s->pat.at[0].id].type);
	case E_prim: return !prim_can_fail(s->exp->prim.op, s->exp->prim.at);
	default: return false; // does more than compute a scalar
	}
}

static bool is_moving(void *sink, Sub x)
{
	return moving(sink, x) != NULL;
}

static void note_definition(Sink *k, const Stm *s)
{
	if (!may_move(s))
		return;
	if ((s->exp->form == E_index || exp_any(s->exp, is_moving, k)) && may_rewrite())
		k->at[s->pat.at[0].id] = (Moving){.def = s};
}

static void note_definitions(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		note_definition(v->ctx, s);
		if (form_has(s->exp->form, FORM_NEST) && !is_kernel(s))
			exp_visit(s->exp, v);
	}
}

// ---- What the host needs ----

static void need(Sink *k, Sub s)
{
	Moving *m = moving(k, s);
	if (m)
		m->needed = k->changed = true;
}

static void need_sub(Visit *v, Sub *s)
{
	need(v->ctx, *s);
}

static void need_sizes(Visit *v, Var *x)
{
	Visit sizes = {.sub = need_sub, .ctx = v->ctx};
	Type t = vars[x->id].type;
	type_visit(&t, &sizes);
}

// In a kernel: how many threads there are, and sizes, which the host allocates for.
static void need_in_kernel(Visit *v, Body *b)
{
	for EACH(Stm, s, b->stms) {
		if (is_kernel(s))
			need(v->ctx, s->exp->loop.n);
		for EACH(Var, x, s->pat)
			need_sizes(v, x);
		if (s->exp->form == E_loop)
			for EACH(Var, p, s->exp->loop.params)
				need_sizes(v, p);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

static void need_of_kernel(Sink *k, const Stm *s)
{
	Visit inside = {.body = need_in_kernel, .ctx = k};
	Stm *one = mem_dup(s, sizeof *s);
	Body alone = {.stms = {one, 1}};
	need_in_kernel(&inside, &alone);
	for EACH(Sub, x, s->exp->loop.inits)
		need(k, *x);
}

static void needs_of_body(Visit *v, Body *b)
{
	Sink *k = v->ctx;
	Visit here = {.sub = need_sub, .ctx = k, .flat = true};
	for EACH(Sub, r, b->res)
		need(k, *r);
	for (int i = b->stms.len; i-- > 0;) {
		Stm *s = &b->stms.at[i];
		if (moves(k, s))
			continue;
		if (is_kernel(s)) {
			need_of_kernel(k, s);
			continue;
		}
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
		stm_walk(s, &here);
	}
}

// ---- What is consumed too early ----

static bool is_one_thread(const Stm *s)
{
	const Exp *e = s->exp;
	return has_attr(s->attrs, ATTR_KERNEL) && e->form == E_loop && !e->loop.is_while &&
	       sub_eq(e->loop.n, sub_i64(1)) && !body_find(&e->loop.body, stm_is_device_loop);
}

// The parameter by which a kernel of one thread has the array that it consumes; NULL: none.
static const Var *own_param(const Stm *lone, Sub arr)
{
	for (int i = 0; lone && i < lone->exp->loop.inits.len; i++)
		if (sub_eq(lone->exp->loop.inits.at[i], arr))
			return &lone->exp->loop.params.at[i];
	return NULL;
}

// Every array of what would move to this place is still there?  Asked once for each scalar and
// kernel: what is computed of the same scalars again and again is no tree.
static void check_arrays(Visit *v, Sub *s)
{
	Sink *k = v->ctx;
	Moving *m = moving(k, *s);
	if (!m || m->looked_at == k->kernel)
		return;
	m->looked_at = k->kernel;
	const Exp *e = m->def->exp;
	if (e->form == E_index && alias_gone(&k->alias, e->index.arr) &&
	    !own_param(k->lone, e->index.arr))
		m->needed = k->changed = true;
	Visit operands = {.sub = check_arrays, .flat = true, .ctx = k};
	exp_walk(e, &operands);
}

static void check_kernels(Visit *v, Body *b)
{
	Sink *k = v->ctx;
	for EACH(Stm, s, b->stms) {
		alias_consume(&k->alias, s->exp);
		Visit inside = {.sub = check_arrays, .ctx = k};
		if (is_kernel(s)) {
			k->kernel++;
			k->lone = is_one_thread(s) ? s : NULL;
			exp_visit(s->exp, &inside);
		} else if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
		alias_stm(&k->alias, s);
	}
}

// ---- Moving ----

typedef struct { Sink *k; const Stm *lone; Map to; VEC(Stm) stms; } Bring;

static void bring(Visit *v, Sub *s);

// A copy of the definition, after copies of those of its operands.
static void bring_definition(Bring *b, Var x, const Stm *def)
{
	Visit operands = {.sub = bring, .copy = true, .flat = true, .ctx = b};
	Stm copy = *def;
	copy.exp = exp_visit(copy.exp, &operands);
	const Var *own = copy.exp->form == E_index ? own_param(b->lone, copy.exp->index.arr) : NULL;
	if (own)
		copy.exp->index.arr = sub_var(*own);
	Var y = var_new(vars[x.id].hint, vars[x.id].type);
	copy.pat = vars_of(1, y);
	Sub to = sub_var(y);
	map_put(&b->to, var_key(x), mem_dup(&to, sizeof to));
	VEC_PUSH(&b->stms, copy);
}

static void bring(Visit *v, Sub *s)
{
	Bring *b = v->ctx;
	const Moving *m = moving(b->k, *s);
	if (!m)
		return;
	if (!map_has(&b->to, var_key(s->var)))
		bring_definition(b, s->var, m->def);
	const Sub *to = map_get(&b->to, var_key(s->var));
	if (v->copy)
		*s = *to;
}

static void sink_into(Sink *k, Stm *s)
{
	Bring b = {.k = k, .lone = is_one_thread(s) ? s : NULL};
	Visit used = {.sub = bring, .ctx = &b};
	Body body = s->exp->loop.body;
	body_walk(&body, &used);
	if (!b.stms.len)
		return;
	body = body_subst(body, &b.to);
	VEC_APPEND(&b.stms, body.stms);
	body.stms = VEC_SLICE(Stms, b.stms);
	s->exp = exp_dup(s->exp);
	s->exp->loop.body = body;
}

static void sink_body(Visit *v, Body *b)
{
	Sink *k = v->ctx;
	VEC(Stm) out = {0};
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (moves(k, &s))
			continue;
		Visit kernel = {.funs = v->funs, .copy = true};
		if (is_kernel(&s))
			sink_into(k, &s);
		if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
			s.exp = exp_visit(s.exp, is_kernel(&s) ? &kernel : v);
		VEC_PUSH(&out, s);
	}
	b->stms = VEC_SLICE(Stms, out);
}

static void sink_fun(Visit *v, Body *b)
{
	Sink *k = v->ctx;
	Visit defs = {.body = note_definitions, .ctx = k};
	Visit needs = {.body = needs_of_body, .ctx = k};
	Visit kernels = {.body = check_kernels, .ctx = k};
	Visit sinking = {.body = sink_body, .funs = v->funs, .copy = true, .ctx = k};
	note_definitions(&defs, b);
	do {
		k->changed = false;
		needs_of_body(&needs, b);
		k->alias = (Alias){0};
		check_kernels(&kernels, b);
	} while (k->changed);
	sink_body(&sinking, b);
}

Prog *sink(Prog *prog)
{
	Sink k = {.at = NEW_TABLE(Moving, n_vars), .cap = n_vars};
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = sink_fun, .funs = &funs, .ctx = &k};
	prog_rewrite(out, &v);
	table_free(k.at);
	return out;
}
