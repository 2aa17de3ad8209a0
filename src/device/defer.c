// The pass `defer`: removes host reads of device memory that force the host to wait for the
// device.  In loops:
//
//     loop (total = 0) for t < n do {                   loop (ts = [0]) for t < n do {
//       ..kernels that make xs..                           ..kernels that make xs..
//       let (x: f32) = index xs [0]                 ->     #[kernel] let (us: [1]f32) =
//       let (s: f32) = add.f32 total x                       loop (o = scratch) for i < 1 do {
//       in s                                                 o with [0] = ts[0] + xs[0] }
//     }                                                    in us
//                                                       };  let (total: f32) = index .. [0]
//
// Loop-carried scalars on which no host code depends are kept in device memory and computed by
// small kernels; the host reads them once, after the loop.  Kernels may use them and the elements
// that they are computed from: `sink` moves those reads into the kernels.
//
// In functions, elements on which the function's results depend through scalar operations are read
// at the end of the function, even if kernels need them too (`sink` lets these read them).  If
// there are more such elements than results, the device computes the results.
//
//     let (x: f64) = index xs [0]                       ..kernels..
//     ..kernels..                                       #[kernel] let (us: [1]f64) =
//     let (y: f64) = index ys [0]                  ->     loop (o = scratch) for i < 1 do {
//     let (s: f64) = add.f64 x y                          o with [0] = xs[0] + ys[0] }
//     in s                                              let (s: f64) = index us [0]
//
// Arrays of a few elements of which some are read from the device, or computed from such elements,
// are created by the device, as the gradient by the parameters of a model is:
//
//     let (x: f32) = index xs [0]                       #[kernel] let (us: [2]f32) =
//     let (s: f32) = div.f32 x count               ->     loop (o = scratch) for i < 1 do {
//     let (us: [2]f32) = array [s, t]                     o with [0] = s with [1] = t }
//
// `sink` then moves the reads there: the host would wait for each.  If there is one element, and it
// is the only one of its array, the new array is just another name of that array.
//
// Requires: the passes `flatten` and `seq`.  Ensures nothing that other passes rely on.
#include "opt/alias.h"
#include "opt/simplify.h"
#include "device/flatten.h"

enum { MOST_ELEMENTS = 32 };                    // of an array that one thread makes

typedef struct {
	Alias alias;
	Build b;
} Defer;

// The values of `tail`, by the device: arrays of one element.
static Subs emit_by_device(Build *b, Body tail)
{
	int n = tail.res.len;
	Subs rooms = {NEW_ARRAY(Sub, n), n}, next = {NEW_ARRAY(Sub, n), n};
	for (int i = 0; i < n; i++) {
		Type one = type_of_rows(sub_i64(1), sub_type(tail.res.at[i]));
		rooms.at[i] = b_scratch(b, "room", one);
	}
	DevLoop l = dev_open(b, ATTR_KERNEL, sub_i64(1), rooms);
	b_emit_all(b, tail.stms);
	for (int i = 0; i < n; i++)
		next.at[i] =
			put_at(b, sub_var(l.params.at[i]), subs_of(1, sub_i64(0)), tail.res.at[i]);
	return dev_close(b, &l, next);
}

// ---- Which scalars of a loop ----

// The scalars that a loop carries on the device: those whose next value is computed from elements
// and from each other, and that nothing at host level needs.
typedef struct {
	Defer *d;
	const Exp *loop;
	Vars pat;                               // its results
	bool *late;                             // by parameter
	Map moved;                              // statements that the device does
	Map needed;                             // variables that the host needs
	bool reads;                             // does the device read an element for the last one?
} Chain;

static bool may_be_late(Defer *d, const Stm *s);

static bool is_late_param(const Chain *c, Sub x)
{
	for (int k = 0; x.kind == S_VAR && k < c->loop->loop.params.len; k++)
		if (c->late[k] && c->loop->loop.params.at[k].id == x.var.id)
			return true;
	return false;
}

// Does x depend on elements or on scalars that are on the device?
static bool is_of_device(Chain *c, Sub x)
{
	const Stm *s = stm_in(&c->loop->loop.body, x);
	if (is_late_param(c, x))
		return true;
	if (!s || !may_be_late(c->d, s))
		return false;
	if (s->exp->form == E_index)
		return true;
	if (s->exp->form == E_convert)
		return is_of_device(c, s->exp->convert.x);
	for (int i = 0; i < prim_arity(s->exp->prim.op); i++)
		if (is_of_device(c, s->exp->prim.x[i]))
			return true;
	return false;
}

// Notes what x is computed from; what does not depend on the device is an argument of the kernel.
static void follow(Chain *c, Sub x)
{
	const Stm *s = stm_in(&c->loop->loop.body, x);
	if (!s || map_has(&c->moved, s) || !is_of_device(c, x))
		return;
	map_put(&c->moved, s, c);
	switch (s->exp->form) {
	case E_index:
		c->reads = true;
		for EACH(Sub, i, s->exp->index.idx)
			follow(c, *i);
		return;
	case E_convert:
		follow(c, s->exp->convert.x);
		return;
	default: // an operation
		for (int i = 0; i < prim_arity(s->exp->prim.op); i++)
			follow(c, s->exp->prim.x[i]);
	}
}

// The sizes of a variable, for which the host makes room.
static void need_binder(Visit *v, Var *x)
{
	Visit sizes = {.sub = note_operand, .ctx = v->ctx};
	Type t = vars[x->id].type;
	type_visit(&t, &sizes);
}

// In a kernel: how many threads there are, and sizes.
static void need_threads(Visit *v, Body *b)
{
	Visit here = {.sub = note_operand, .ctx = v->ctx};
	for EACH(Stm, s, b->stms)
		if (is_device_loop(s->attrs))
			note_operand(&here, &s->exp->loop.n);
	body_visit(b, v);
}

static void need_sizes(Map *needed, const Stm *kernel)
{
	Visit v = {.bind = need_binder, .body = need_threads, .ctx = needed};
	exp_walk(kernel->exp, &v);
}

static void need_at_host(Visit *v, Body *b);

static void need_of_stm(Visit *v, const Stm *s)
{
	Map *needed = v->ctx;
	Stm t = *s;
	Visit here = {.sub = note_operand, .flat = true, .ctx = needed};
	stm_walk(&t, &here);
	if (form_has(t.exp->form, FORM_NEST) && !is_device_loop(t.attrs))
		exp_walk(t.exp, v);
	else if (is_device_loop(t.attrs))
		need_sizes(needed, &t);
}

// What the host needs of a body, whatever becomes of its scalars.
static void need_at_host(Visit *v, Body *b)
{
	for EACH(Sub, r, b->res)
		note_operand(v, r);
	for EACH(Stm, s, b->stms)
		need_of_stm(v, s);
}

// Scalars are needed by the host where something else than a kernel, or one of them, needs them.
// What the loop carries has its sizes from the parameters, and afterwards from the results.
static void find_needed(Chain *c)
{
	const Body *b = &c->loop->loop.body;
	c->needed = (Map){0};
	Visit v = {.sub = NULL, .body = need_at_host, .ctx = &c->needed};
	for (int k = 0; k < c->pat.len; k++) {
		need_binder(&v, &c->loop->loop.params.at[k]);
		need_binder(&v, &c->pat.at[k]);
	}
	for (int k = 0; k < b->res.len; k++)
		if (!c->late[k])
			note_operand(&v, &b->res.at[k]);
	for (int i = b->stms.len; i-- > 0;) {
		const Stm *s = &b->stms.at[i];
		if (!may_be_late(c->d, s) || map_has(&c->needed, var_key(s->pat.at[0])))
			need_of_stm(&v, s);
	}
}

static bool is_needed(const Chain *c, Var x)
{
	return map_has(&c->needed, var_key(x));
}

// Is there a reason against parameter k?
static bool stays(Chain *c, int k)
{
	const Exp *e = c->loop;
	Sub next = e->loop.body.res.at[k];
	if (is_needed(c, e->loop.params.at[k]) || is_needed(c, c->pat.at[k]))
		return true;
	if (!is_of_device(c, next) || is_late_param(c, next))
		return true;
	c->moved = (Map){0};
	c->reads = false;
	follow(c, next);
	for EACH(Stm, s, e->loop.body.stms)
		if (map_has(&c->moved, s) && is_needed(c, s->pat.at[0]))
			return true;
	return !c->reads;
}

static bool find_late(Chain *c)
{
	const Exp *e = c->loop;
	int n = e->loop.params.len;
	bool any = false, more = true;
	c->late = NEW_ARRAY(bool, n);
	for (int k = 0; k < n; k++)
		c->late[k] = type_is_scalar(vars[e->loop.params.at[k].id].type);
	while (more) {
		more = false;
		find_needed(c);
		for (int k = 0; k < n; k++)
			if (c->late[k] && stays(c, k)) {
				c->late[k] = false;
				more = true;
			}
	}
	c->moved = (Map){0};
	for (int k = 0; k < n; k++) {
		any |= c->late[k];
		if (c->late[k])
			follow(c, e->loop.body.res.at[k]);
	}
	return any;
}

// ---- The loop ----

static void read_first(Build *b, Var x, Sub arr)
{
	b_stm(b, vars_of(1, x), EXP(index, arr, subs_of(1, sub_i64(0))));
}

// What the device computes at the end of each iteration.
static Subs emit_next(Build *b, const Chain *c, Subs now, Vars late, Subs res)
{
	VEC(Stm) stms = {0};
	for (int i = 0; i < late.len; i++)
		VEC_PUSH(&stms, (Stm){.pat = vars_of(1, late.at[i]), .where = b->where,
		                      .exp = EXP(index, now.at[i], subs_of(1, sub_i64(0)))});
	for EACH(Stm, s, c->loop->loop.body.stms)
		if (map_has(&c->moved, s))
			VEC_PUSH(&stms, *s);
	return emit_by_device(b, body_rename((Body){VEC_SLICE(Stms, stms), res}));
}

static void defer_loop(Defer *d, Stm s)
{
	Build *b = &d->b;
	Chain c = {.d = d, .loop = s.exp, .pat = s.pat};
	if (!find_late(&c) || !may_rewrite()) {
		b_emit(b, s);
		return;
	}
	Exp *e = exp_dup(s.exp);
	b->where = s.where;
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	Vars pat = SLICE_DUP(Vars, s.pat);
	VEC(Var) late = {0};
	VEC(Sub) now = {0}, res = {0};
	for (int k = 0; k < pat.len; k++) {
		if (!c.late[k])
			continue;
		Type one = type_of_rows(sub_i64(1), vars[pat.at[k].id].type);
		Name hint = vars[pat.at[k].id].hint;
		VEC_PUSH(&late, e->loop.params.at[k]);
		VEC_PUSH(&res, e->loop.body.res.at[k]);
		e->loop.inits.at[k] = b_let(b, "first", one,
		                            EXP(replicate, one.dims, e->loop.inits.at[k]));
		e->loop.params.at[k] = var_new(hint, one);
		VEC_PUSH(&now, sub_var(e->loop.params.at[k]));
		pat.at[k] = var_new(hint, one);
	}
	b_open(b);
	for (int i = 0; i < late.len; i++)
		read_first(b, late.at[i], now.at[i]);
	b_emit_all(b, e->loop.body.stms);
	Subs next = emit_next(b, &c, VEC_SLICE(Subs, now), VEC_SLICE(Vars, late),
	                      VEC_SLICE(Subs, res)), all = SLICE_DUP(Subs, e->loop.body.res);
	for (int k = 0, i = 0; k < all.len; k++)
		if (c.late[k])
			all.at[k] = next.at[i++];
	e->loop.body = b_close(b, all);
	Stm out = s;
	out.exp = e;
	out.pat = pat;
	b_emit(b, out);
	for (int k = 0; k < pat.len; k++)
		if (c.late[k])
			read_first(b, s.pat.at[k], sub_var(pat.at[k]));
}

// ---- Arrays of few elements ----

// The elements of an array, which are scalars.
static Subs few_elements(const Stm *s)
{
	const Exp *e = s->exp;
	if (s->certs.len)
		return (Subs){0};
	if (e->form == E_replicate && e->replicate.dims.len == 1 &&
	    sub_eq(e->replicate.dims.at[0], sub_i64(1)) && type_is_scalar(sub_type(e->replicate.x)))
		return subs_of(1, e->replicate.x);
	bool few = e->form == E_array && e->array.elems.len <= MOST_ELEMENTS &&
	           type_is_scalar(e->array.elem_type);
	return few ? e->array.elems : (Subs){0};
}

// Is it read from an array, or computed of what is?
static bool is_of_device_body(Defer *d, const Body *b, Sub x)
{
	const Stm *s = stm_in(b, x);
	if (!s || s->certs.len || !type_is_scalar(vars[s->pat.at[0].id].type))
		return false;
	switch (s->exp->form) {
	case E_index:
		return !alias_ever(&d->alias, s->exp->index.arr.var);
	case E_convert:
		return is_of_device_body(d, b, s->exp->convert.x);
	case E_prim:
		for (int i = 0; i < prim_arity(s->exp->prim.op); i++)
			if (is_of_device_body(d, b, s->exp->prim.x[i]))
				return !prim_can_fail(s->exp->prim.op, s->exp->prim.at);
		return false;
	default: return false; // does more than compute a scalar
	}
}

// The array that has x as its only element, if there is one.
static bool whole_array(Defer *d, const Body *b, const Stm *s, Sub x, Sub *out)
{
	const Stm *read = stm_in(b, x);
	if (read->exp->form != E_index || alias_ever(&d->alias, s->pat.at[0]))
		return false;
	*out = read->exp->index.arr;
	Type t = sub_type(*out);
	return t.dims.len == 1 && sub_eq(t.dims.at[0], sub_i64(1));
}

static bool defer_array(Defer *d, const Body *body, Stm s)
{
	Build *b = &d->b;
	Subs elems = few_elements(&s);
	bool of_device = false;
	Sub whole;
	for EACH(Sub, x, elems)
		of_device |= is_of_device_body(d, body, *x);
	if (!of_device)
		return false;
	b->where = s.where;
	if (elems.len == 1 && whole_array(d, body, &s, elems.at[0], &whole)) {
		b_stm(b, s.pat, EXP(atom, whole));
		return true;
	}
	Type one = vars[s.pat.at[0].id].type;
	Sub room = b_scratch(b, "room", one);
	DevLoop l = dev_open(b, ATTR_KERNEL, sub_i64(1), subs_of(1, room));
	Sub put = sub_var(l.params.at[0]);
	for (int i = 0; i < elems.len; i++)
		put = put_at(b, put, subs_of(1, sub_i64(i)), elems.at[i]);
	Sub made = dev_close(b, &l, subs_of(1, put)).at[0];
	b_stm(b, s.pat, EXP(atom, made));
	return true;
}

static void defer_body(Visit *v, Body *body)
{
	Defer *d = v->ctx;
	b_open(&d->b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		bool host = !is_device_loop(t.attrs) && form_has(t.exp->form, FORM_NEST);
		if (host)
			t.exp = exp_visit(t.exp, v);
		if (host && t.exp->form == E_loop && !t.exp->loop.is_while &&
		    body_find(&t.exp->loop.body, stm_is_device_loop))
			defer_loop(d, t);
		else if (host || !defer_array(d, body, t))
			b_emit(&d->b, t);
	}
	*body = b_close(&d->b, body->res);
}

// ---- Results ----

static bool may_be_late(Defer *d, const Stm *s)
{
	if (s->pat.len != 1 || s->certs.len || !type_is_scalar(vars[s->pat.at[0].id].type))
		return false;
	switch (s->exp->form) {
	case E_index: return !alias_ever(&d->alias, s->exp->index.arr.var);
	case E_convert: return true;
	case E_prim: return !prim_can_fail(s->exp->prim.op, s->exp->prim.at);
	default: return false; // does more than compute a scalar
	}
}

typedef struct {
	VEC(Stm) late;                          // what the end of the function does
	Map kept;                          // statements of it that kernels need too, where they are
	Map is_late;
	int reads;                              // elements that are read
} Late;

// Statements on scalars that nothing but results, kernels and others of them need, and that depend
// on elements of arrays.
static Late late_stms(Defer *d, const Body *b)
{
	Map needed = {0}, in_kernels = {0}, late = {0}, device = {0};
	Visit v = {.sub = note_operand, .ctx = &needed};
	Visit k = {.sub = note_operand, .ctx = &in_kernels};
	Late out = {0};
	for (int i = b->stms.len; i-- > 0;) {
		Stm s = b->stms.at[i];
		bool is_late = may_be_late(d, &s) && !map_has(&needed, var_key(s.pat.at[0]));
		bool kept = is_late && map_has(&in_kernels, var_key(s.pat.at[0]));
		if (is_late)
			map_put(&late, &b->stms.at[i], d);
		if (kept)
			map_put(&out.kept, &b->stms.at[i], d);
		if (kept || is_kernel(&s))
			stm_walk(&s, &k);
		else if (!is_late)
			stm_walk(&s, &v);
	}
	for EACH(Stm, s, b->stms) {
		if (!map_has(&late, s))
			continue;
		bool is_read = s->exp->form == E_index;
		out.reads += is_read;
		if (!is_read && !exp_mentions(s->exp, &device))
			continue;
		map_put(&device, var_key(s->pat.at[0]), d);
		map_put(&out.is_late, s, d);
		VEC_PUSH(&out.late, *s);
	}
	return out;
}

static Subs late_results(const Body *b, const Late *l)
{
	SubVec found = {0};
	for EACH(Sub, r, b->res) {
		const Stm *s = stm_in(b, *r);
		bool fresh = s && map_has(&l->is_late, s);
		for EACH(Sub, x, found)
			fresh &= !sub_eq(*x, *r);
		if (fresh)
			VEC_PUSH(&found, *r);
	}
	return VEC_SLICE(Subs, found);
}

static void defer_results(Defer *d, Fun *f)
{
	Build *b = &d->b;
	if (!body_find(&f->body, stm_is_device_loop))
		return;
	Late l = late_stms(d, &f->body);
	Subs res = late_results(&f->body, &l);
	if (!res.len || !may_rewrite())
		return;
	b_open(b);
	for EACH(Stm, s, f->body.stms)
		if (!map_has(&l.is_late, s) || map_has(&l.kept, s))
			b_emit(b, *s);
	Body tail = body_rename((Body){VEC_SLICE(Stms, l.late), res});
	Subs made = tail.res, out = SLICE_DUP(Subs, f->body.res);
	b->where = tail.stms.at[tail.stms.len - 1].where;
	if (res.len < l.reads) {
		made = emit_by_device(b, tail);
		for EACH(Sub, x, made)
			*x = b_index(b, *x, subs_of(1, sub_i64(0)));
	}
	else {
		b_emit_all(b, tail.stms);
	}
	for EACH(Sub, r, out)
		for (int i = 0; i < res.len; i++)
			if (sub_eq(*r, res.at[i])) {
				*r = made.at[i];
				break;
			}
	f->body = b_close(b, out);
}

Prog *defer(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	for EACH(Fun *, f, out->funs)
		fun_new_callees(*f, &funs);
	Defer d = {.alias = alias_of(prog)};
	Visit v = {.body = defer_body, .copy = true, .ctx = &d};
	for EACH(Fun *, f, out->funs) {
		fun_rewrite(*f, &v);
		defer_results(&d, *f);
	}
	return out;
}
