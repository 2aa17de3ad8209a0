// The pass `loop_threads`: moves a host loop around kernels into the threads, if threads do not
// depend on each other.
//
//     loop (h = h0, hs = zs) for t < k do {                #[kernel] loop (o = out, p = zs)
//       #[kernel] let (h1, hs1) =                              for i < n do {
//           loop (o = scratch, p = hs) for i < n do {        let (x0: f64) = index h0 [i]
//         x = index h [i];  a = index as [t, i]       ->     loop (x = x0, q = p) for t < k do {
//         y = a * x                                            a = index as [t, i];  y = a * x
//         o with [i] = y;  p with [t, i] = y                   q1 = q with [t, i] = y  in y, q1
//       }                                                    }
//       in h1, hs1                                           o with [i] = x;  p = q
//     }                                                    }
//
// One kernel is launched instead of one or more per iteration, and values that a thread passes to
// itself stay in registers.  An iteration may contain several kernels over the same space, copies
// between parts of arrays, and scalar code.  Arrays that the loop carries are
//     of the space itself: then the thread carries its element;
//     or others, updated in place: then some of their indices are the numbers of the thread, in all
//     reads and writes.
// So each thread owns its part of everything that the loop changes.  Arrays that the loop does not
// change may be read at any index.
//
// Scalars that the loop carries (a time, say) may only depend on scalars: each thread computes them
// for itself, and a loop without kernels what comes out.  That loop also writes the elements of
// arrays in which such scalars are kept (loop_threads_parts.c).
//
// Kernels cannot be cancelled, so long loops are strip-mined, and the host launches one kernel per
// strip.
//
// Requires: the passes `flatten` and `seq`.  Ensures: equal results.
#include "device/loop_threads.h"
#include "opt/opt.h"
#include "device/flatten.h"

// An array that is updated in place: the dimensions that the numbers of a thread are indices of.
typedef struct { bool known; int at[MOST_LEVELS]; } InPlace;
// A part of an array.
typedef struct { Sub arr; Slices at; } View;

typedef struct {
	Build *b;
	Subs space, own;                        // sizes, and the numbers of the thread
	Subs here;                              // ... in the kernel at hand
	Map to;                                 // variable -> Sub *: its name in the thread
	Map elem;                               // variable -> Sub *: what it has for the thread
	Map in_place;                           // variable -> InPlace *
	Map views;                              // variable -> View *
	Map room;                               // arrays without contents
	ScalarLoop alone;                       // the part that needs no threads
	Map apart;                              // arrays that it writes to
	bool failed;
} Thread;

static void fail_if(Thread *t, bool reason)
{
	t->failed |= reason;
}

static const void *key_of(Sub x)
{
	return x.kind == S_VAR ? var_key(x.var) : NULL;
}

static Sub renamed(const Thread *t, Sub x)
{
	return sub_subst(&t->to, x);
}

static bool is_changing(const Thread *t, Sub x)
{
	const void *k = key_of(x);
	return k && (map_has(&t->elem, k) || map_has(&t->in_place, k) || map_has(&t->views, k) ||
	             map_has(&t->room, k) || map_has(&t->apart, k));
}

// ---- Accesses ----

static bool is_own(const Thread *t, Slices at)
{
	if (at.len != t->here.len)
		return false;
	for (int d = 0; d < at.len; d++)
		if (!at.at[d].fixed || !sub_eq(at.at[d].start, t->here.at[d]))
			return false;
	return true;
}

// The dimensions that the numbers of the thread are indices of, the same ones each time.
static void check_part(Thread *t, InPlace *p, Slices at)
{
	int found[MOST_LEVELS], n = 0;
	for (int d = 0; d < at.len && n < t->here.len; d++)
		if (at.at[d].fixed && sub_eq(at.at[d].start, t->here.at[n]))
			found[n++] = d;
	fail_if(t, n < t->here.len || (p->known && memcmp(found, p->at, sizeof *found * n)));
	memcpy(p->at, found, sizeof *found * n);
	p->known = true;
}

static void check_access(Thread *t, Sub arr, Slices at)
{
	InPlace *p = key_of(arr) ? map_get(&t->in_place, key_of(arr)) : NULL;
	if (p)
		check_part(t, p, at);
	else
		fail_if(t, is_changing(t, arr));
}

// Where an element of a view is: the indices take the place of whole dimensions.
static Slices through_view(Thread *t, const View *v, Slices at)
{
	Slices out = SLICE_DUP(Slices, v->at);
	int k = 0;
	for EACH(DimSlice, d, out)
		if (!d->fixed && k < at.len)
			*d = at.at[k++];
	fail_if(t, k < at.len);
	return out;
}

static Subs starts(Thread *t, Slices at)
{
	Subs out = {NEW_ARRAY(Sub, at.len), at.len};
	for (int d = 0; d < at.len; d++) {
		fail_if(t, !at.at[d].fixed);
		out.at[d] = at.at[d].start;
	}
	return out;
}

// A read of one element, as the thread does it.
static Exp *read_of(Thread *t, Sub arr, Slices at)
{
	const void *k = key_of(arr);
	const Sub *elem = k ? map_get(&t->elem, k) : NULL;
	const View *v = k ? map_get(&t->views, k) : NULL;
	if (elem) {
		fail_if(t, !is_own(t, at));
		return EXP(atom, *elem);
	}
	if (v)
		return read_of(t, v->arr, through_view(t, v, at));
	check_access(t, arr, at);
	return EXP(index, arr, starts(t, at));
}

// ---- Statements of kernels ----

static void check_operand(Visit *v, Sub *x)
{
	Thread *t = v->ctx;
	fail_if(t, is_changing(t, *x));
}

static void rewrite_body(Visit *v, Body *b);

// What is nested too.
static void rewrite_stm(Thread *t, Stm *s)
{
	Visit here = {.sub = check_operand, .flat = true, .ctx = t};
	Visit inside = {.body = rewrite_body, .copy = true, .ctx = t};
	fail_if(t, is_device_loop(s->attrs) || has_attr(s->attrs, ATTR_ATOMIC));
	if (s->exp->form == E_index && type_is_scalar(vars[s->pat.at[0].id].type)) {
		s->exp = read_of(t, s->exp->index.arr, slices_at(s->exp->index.idx, (Subs){0}));
		return;
	}
	exp_walk(s->exp, &here);
	if (form_has(s->exp->form, FORM_NEST))
		s->exp = exp_visit(s->exp, &inside);
}

static void rewrite_body(Visit *v, Body *b)
{
	Thread *t = v->ctx;
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms)
		rewrite_stm(t, s);
	for EACH(Sub, r, b->res)
		check_operand(v, r);
}

static void emit(Thread *t, Stm s)
{
	b_emit(t->b, body_subst((Body){.stms = {&s, 1}}, &t->to).stms.at[0]);
}

static void emit_rewritten(Thread *t, const Stm *old)
{
	Stm s = *old;
	rewrite_stm(t, &s);
	if (!t->failed)
		emit(t, s);
}

// x is another name for `of`.
static void same_as(Thread *t, Var x, Sub of)
{
	const void *k = key_of(of);
	Map *const maps[] = {&t->elem, &t->in_place, &t->room};
	bool found = false;
	for (int i = 0; k && i < 3; i++)
		if (map_has(maps[i], k)) {
			map_put(maps[i], var_key(x), map_get(maps[i], k));
			found = true;
		}
	fail_if(t, !found);
	subst_put(&t->to, x, renamed(t, of));
}

static void emit_update(Thread *t, const Stm *s, Sub val)
{
	const Exp *e = s->exp;
	Sub arr = e->update.arr;
	const void *k = key_of(arr);
	if (map_has(&t->in_place, k)) {
		check_access(t, arr, e->update.at);
		if (t->failed)
			return;
		Stm copy = *s;
		copy.exp = exp_dup(e);
		copy.exp->update.val = val;
		emit(t, copy);
		map_put(&t->in_place, var_key(s->pat.at[0]), map_get(&t->in_place, k));
		return;
	}
	fail_if(t, !(map_has(&t->elem, k) || map_has(&t->room, k)) || !is_own(t, e->update.at));
	subst_put(&t->elem, s->pat.at[0], renamed(t, val));
}

static void thread_kernel(Thread *, const Stm *, int level);

static void thread_stm(Thread *t, const Stm *s, int level)
{
	if (is_kernel(s)) {
		thread_kernel(t, s, level + 1);
	} else if (s->exp->form == E_update && is_changing(t, s->exp->update.arr)) {
		fail_if(t, is_changing(t, s->exp->update.val) || level + 1 < t->space.len);
		emit_update(t, s, s->exp->update.val);
	} else {
		emit_rewritten(t, s);
	}
}

static void thread_kernel(Thread *t, const Stm *s, int level)
{
	const Exp *e = s->exp;
	fail_if(t, !is_kernel(s) || s->certs.len || level >= t->space.len);
	if (t->failed || !sub_eq(e->loop.n, t->space.at[level])) {
		t->failed = true;
		return;
	}
	subst_put(&t->to, e->loop.i, t->own.at[level]);
	t->here.at[level] = sub_var(e->loop.i);
	for (int k = 0; k < e->loop.params.len; k++)
		same_as(t, e->loop.params.at[k], e->loop.inits.at[k]);
	for EACH(Stm, inner, e->loop.body.stms) {
		if (t->failed)
			return;
		thread_stm(t, inner, level);
	}
	for (int k = 0; k < s->pat.len; k++)
		same_as(t, s->pat.at[k], e->loop.body.res.at[k]);
	t->here.at[level] = t->own.at[level];
}

// ---- Statements of the host, between kernels ----

static bool is_whole(const DimSlice *d, Sub n)
{
	return !d->fixed && sub_eq(d->start, sub_i64(0)) && sub_eq(d->step, sub_i64(1)) &&
	       sub_eq(d->len, n);
}

// Whole dimensions of the sizes of the space, in order: the thread has one row of each.
static Slices own_part(Thread *t, Slices at)
{
	Slices out = SLICE_DUP(Slices, at);
	int k = 0;
	for EACH(DimSlice, d, out) {
		if (d->fixed)
			continue;
		fail_if(t, k >= t->space.len || !is_whole(d, t->space.at[k]));
		if (t->failed)
			return at;
		*d = (DimSlice){.fixed = true, .start = t->own.at[k++]};
	}
	fail_if(t, k < t->space.len);
	return out;
}

static bool has_space(const Thread *t, Type type)
{
	return type.kind == T_DATA && subs_eq(type.dims, t->space);
}

static Slices own_slices(const Thread *t)
{
	return slices_at(t->own, (Subs){0});
}

// The thread's element of an array of the space.
static Sub own_element(Thread *t, Sub arr)
{
	Exp *e = read_of(t, arr, own_slices(t));
	if (t->failed || e->form == E_atom)
		return t->failed ? arr : e->atom.x;
	Type type = type_scalar(sub_type(arr).elem);
	Var x = var_new(name_of("x"), type);
	emit(t, (Stm){.pat = vars_of(1, x), .exp = e, .where = t->b->where});
	return sub_var(x);
}

static void host_stm(Thread *t, const Stm *s)
{
	const Exp *e = s->exp;
	if (!s->pat.len) { // a loop of checks
		fail_if(t, true);
		return;
	}
	Type type = vars[s->pat.at[0].id].type;
	if (is_kernel(s)) {
		thread_kernel(t, s, 0);
		return;
	}
	fail_if(t, s->certs.len || is_device_loop(s->attrs));
	switch (e->form) {
	case E_scratch:
		map_put(&t->room, var_key(s->pat.at[0]), t);
		return;
	case E_slice:
		map_put(&t->views, var_key(s->pat.at[0]), NEW(View, e->slice.arr, e->slice.at));
		return;
	case E_replicate:
		fail_if(t, !has_space(t, type) || !type_is_scalar(sub_type(e->replicate.x)));
		subst_put(&t->elem, s->pat.at[0], renamed(t, e->replicate.x));
		return;
	case E_copy:
		fail_if(t, !has_space(t, type));
		if (!t->failed)
			subst_put(&t->elem, s->pat.at[0], own_element(t, e->copy.arr));
		return;
	case E_update: {
		if (map_has(&t->apart, key_of(e->update.arr))) {
			map_put(&t->apart, var_key(s->pat.at[0]), t);
			return;
		}
		fail_if(t, !is_changing(t, e->update.arr));
		fail_if(t, !has_space(t, sub_type(e->update.val)));
		if (t->failed)
			return;
		Stm own = *s;
		own.exp = exp_dup(e);
		own.exp->update.at = own_part(t, e->update.at);
		Sub x = own_element(t, e->update.val);
		if (!t->failed)
			emit_update(t, &own, x);
		return;
	}
	case E_prim:
		fail_if(t, prim_can_fail(e->prim.op, e->prim.at));
		break;
	case E_convert: case E_atom: case E_index:
		fail_if(t, !type_is_scalar(type));
		break;
	default: // not of threads
		t->failed = true;
	}
	if (!t->failed)
		emit_rewritten(t, s);
}

// ---- The loop ----

// What becomes of a parameter: an element of the thread, an array in which it has a part, a scalar
// that all threads compute, or nothing.
typedef enum { ELEMENT, PART, SCALAR, APART } Kind;

static Kind kind_of(const Thread *t, Var p, int k)
{
	Type type = vars[p.id].type;
	if (t->alone.has[k])
		return type_is_scalar(type) ? SCALAR : APART;
	return has_space(t, type) ? ELEMENT : PART;
}

typedef struct { VEC(Var) params, pat; VEC(Sub) inits; } Carried;

// What the thread carries; in: the parameters of its kernel.
static Carried carry(Thread *t, const Exp *e, const DevLoop *in)
{
	Carried c = {0};
	int n_in = 0;
	for (int k = 0; k < e->loop.params.len; k++) {
		Var p = e->loop.params.at[k];
		Type type = vars[p.id].type;
		Kind kind = kind_of(t, p, k);
		if (kind == APART) {
			map_put(&t->apart, var_key(p), t);
			continue;
		}
		Sub init = e->loop.inits.at[k];
		if (kind == ELEMENT)
			init = b_index(t->b, init, t->own);
		else if (kind == PART)
			init = sub_var(in->params.at[n_in]);
		n_in += kind != SCALAR;
		fail_if(t, kind == PART && !(type_is_array(type) && type.unique));
		if (kind == ELEMENT)
			type = type_scalar(type.elem);
		Var q = var_new(vars[p.id].hint, type);
		type.unique = false;
		VEC_PUSH(&c.inits, init);
		VEC_PUSH(&c.params, q);
		VEC_PUSH(&c.pat, var_new(vars[p.id].hint, type));
		if (kind == ELEMENT) {
			subst_put(&t->elem, p, sub_var(q));
			continue;
		}
		if (kind == PART)
			map_put(&t->in_place, var_key(p), NEW(InPlace, false));
		subst_put(&t->to, p, sub_var(q));
	}
	return c;
}

static Subs next_values(Thread *t, const Exp *e)
{
	VEC(Sub) next = {0};
	for (int k = 0; k < e->loop.params.len && !t->failed; k++) {
		Var p = e->loop.params.at[k];
		Sub r = e->loop.body.res.at[k];
		Kind kind = kind_of(t, p, k);
		const Sub *elem = key_of(r) ? map_get(&t->elem, key_of(r)) : NULL;
		const void *own = map_get(&t->in_place, var_key(p));
		fail_if(t, kind == ELEMENT && !elem);
		fail_if(t, kind == PART && (!key_of(r) || map_get(&t->in_place, key_of(r)) != own));
		if (kind != APART)
			VEC_PUSH(&next, elem ? *elem : renamed(t, r));
	}
	return VEC_SLICE(Subs, next);
}

static Subs emit_thread(Thread *t, const Exp *e, const DevLoop *in)
{
	Build *b = t->b;
	Carried c = carry(t, e, in);
	b_open(b);
	for EACH(Stm, inner, e->loop.body.stms) {
		if (t->failed)
			break;
		host_stm(t, inner);
	}
	Body body = b_close(b, next_values(t, e));
	b_stm(b, VEC_SLICE(Vars, c.pat),
	      EXP(loop, .params = VEC_SLICE(Vars, c.params), .inits = VEC_SLICE(Subs, c.inits),
	          .i = e->loop.i, .n = e->loop.n, .body = body));
	VEC(Sub) out = {0};
	for (int k = 0, at = 0; k < e->loop.params.len; k++) {
		Kind kind = kind_of(t, e->loop.params.at[k], k);
		Sub x = kind == APART ? (Sub){0} : sub_var(c.pat.at[at++]);
		if (kind == ELEMENT)
			x = put_at(b, sub_var(in->params.at[out.len]), t->own, x);
		if (kind == ELEMENT || kind == PART)
			VEC_PUSH(&out, x);
	}
	return VEC_SLICE(Subs, out);
}

static bool emit_kernels(Thread *t, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = t->b;
	DevLoop levels[MOST_LEVELS];
	VEC(Sub) first = {0};
	VEC(Var) pat = {0};
	for (int k = 0; k < s->pat.len; k++) {
		Var x = s->pat.at[k];
		Kind kind = kind_of(t, e->loop.params.at[k], k);
		if (kind == SCALAR || kind == APART)
			continue;
		Type type = type_plain(vars[x.id].type);
		VEC_PUSH(&pat, x);
		VEC_PUSH(&first, kind == ELEMENT ? b_scratch(b, "out", type) : e->loop.inits.at[k]);
	}
	Subs inits = VEC_SLICE(Subs, first);
	for (int l = 0; l < t->space.len; l++) {
		levels[l] = dev_open(b, ATTR_KERNEL, t->space.at[l], inits);
		t->own.at[l] = sub_var(levels[l].i);
		inits = subs_of_vars(levels[l].params);
	}
	t->here = SLICE_DUP(Subs, t->own);
	Subs out = emit_thread(t, e, &levels[t->space.len - 1]);
	for (int l = t->space.len; l-- > 0;)
		out = dev_close(b, &levels[l], out);
	b_names(b, VEC_SLICE(Vars, pat), out);
	emit_scalars(b, s, &t->alone);
	return !t->failed;
}

// ---- Strips ----

// Iterations that threads do before the host is asked again, which may have been told to stop.

static bool is_short(const Exp *e)
{
	return e->loop.n.kind == S_CONST && e->loop.n.val.i <= threshold(AT_device_strip);
}

// loop .. for t < n  ->  loop .. for c < strips do {loop .. for j < most do {t = c * STRIP + j ..}}
static bool emit_strips(Thread *t, const Stm *s)
{
	const Exp *e = s->exp;
	Build *b = t->b;
	Var c = var_i64("strip"), j = var_new(name_of("j"), vars[c.id].type);
	Vars around = vars_like(e->loop.params);
	Sub strip = sub_i64(threshold(AT_device_strip)), n = e->loop.n;
	Sub strips = b_prim2(b, P_quot, b_add(b, n, b_sub(b, strip, sub_i64(1))), strip);
	b_open(b);
	Sub first = b_mul(b, sub_var(c), strip), left = b_sub(b, n, first);
	Stm number = {.pat = vars_of(1, e->loop.i), .exp = EXP(prim, P_add, PT_I64,
	                                                       {first, sub_var(j)})};
	Body body = {{NEW_ARRAY(Stm, e->loop.body.stms.len + 1), 1}, e->loop.body.res};
	body.stms.at[0] = number;
	for EACH(Stm, x, e->loop.body.stms)
		body.stms.at[body.stms.len++] = *x;
	Stm inner = *s;
	inner.pat = vars_like(s->pat);
	inner.exp = EXP(loop, .params = e->loop.params, .inits = subs_of_vars(around), .i = j,
	                .n = b_prim2(b, P_min, strip, left), .body = body);
	bool done = emit_kernels(t, &inner);
	Body strips_body = b_close(b, subs_of_vars(inner.pat));
	b_stm(b, s->pat, EXP(loop, .params = around, .inits = e->loop.inits, .i = c, .n = strips,
	                     .body = strips_body));
	return done;
}

static bool into_threads(Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	Subs space;
	if (e->form != E_loop || e->loop.is_while || s->certs.len || has_attrs(s->attrs) ||
	    !e->loop.params.len || sub_type(e->loop.n).elem != PT_I64 || !find_space(e, &space))
		return false;
	Build alone = {.where = s->where};
	Thread t = {.b = &alone, .space = space, .own = {NEW_ARRAY(Sub, space.len), space.len}};
	if (!find_scalars(e, &t.alone))
		return false;
	b_open(&alone);
	bool done = is_short(e) ? emit_kernels(&t, s) : emit_strips(&t, s);
	Body made = b_close(&alone, (Subs){0});
	if (!done || !may_rewrite())
		return false;
	b_emit_all(b, made.stms);
	return true;
}

static void threads_body(Visit *v, Body *b)
{
	Build build = {0};
	b_open(&build);
	for EACH(Stm, old, b->stms) {
		Stm s = *old;
		if (form_has(s.exp->form, FORM_NEST) && !is_device_loop(s.attrs))
			s.exp = exp_visit(s.exp, v);
		if (!into_threads(&build, &s))
			b_emit(&build, s);
	}
	*b = b_close(&build, b->res);
}

Prog *loop_threads(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = threads_body, .copy = true};
	for EACH(Fun *, f, out->funs) {
		fun_new_callees(*f, &funs);
		fun_rewrite(*f, &v);
	}
	return out;
}
