// In-place updates inside nests.
//
//     in each of n rows:  let (b: [t][m]f64) = update a [j, 0:m:1] v
// where a kernel before has made `as` = a for all rows becomes
//     #[kernel] loop (o: *[n][t][m]f64 = as) for i < n do
//       #[kernel] loop (p = o) for k < m do  p with [i, j, k] = v[i, k]
//
// Each row of a nest owns its part of the array that holds `a` for all rows, so the part can be
// updated in place.  If the update were left to the thread of the row, the kernel would first copy
// the whole array; in a loop, such as one that logs its states, the work would become quadratic in
// the number of iterations.
//
// A conditional update of one element (such as the adjoint of the maximum of a row) is done by one
// thread per row.
//
// Note [Read before].  Kernels that need a cheap statement of the nest recompute it (K_AGAIN).
// One that reads an array which is consumed later must be evaluated before that; its result is
// stored for all rows.
#include "device/flatten.h"

// ---- What reads an array ----

typedef struct { const Flatten *f; const Map *gone; } Reads;

// Is it one of the arrays, or done again from one of them?
static bool is_read(void *ctx, Sub x)
{
	const Reads *r = ctx;
	if (is_one_of((void *)r->gone, x))
		return true;
	const Known *k = x.kind == S_VAR ? known_of(r->f, x) : NULL;
	return k && k->kind == K_AGAIN && stm_any(k->stm, is_read, ctx);
}

static bool reads_any(const Flatten *f, Sub x, const Map *gone)
{
	return is_read(&(Reads){f, gone}, x);
}

// ---- Consumption ----

typedef struct { const Flatten *f; Map gone; } Eaten;

static void note_consumed(Visit *v, Body *b)
{
	Eaten *w = v->ctx;
	for EACH(Stm, s, b->stms) {
		SubVec out = {0};
		exp_consumed(s->exp, &out);
		for EACH(Sub, x, out) {
			Sub arr = without_names(w->f, *x);
			const Known *k = known_of(w->f, arr);
			if (k && k->kind == K_SPREAD && sub_type(arr).dims.len)
				map_put(&w->gone, var_key(arr.var), w);
		}
	}
	body_visit(b, v);
}

Map spread_consumed(const Flatten *f, const Stm *s)
{
	Eaten w = {.f = f};
	Visit v = {.body = note_consumed, .ctx = &w};
	Stm t = *s;
	Body b = {.stms = {&t, 1}};
	note_consumed(&v, &b); // a walk: writes nothing
	return w.gone;
}

bool body_reads_any(const Flatten *f, const Body *b, const Map *gone)
{
	Vars free = free_in_body(b);
	for EACH(Var, x, free)
		if (reads_any(f, sub_var(*x), gone))
			return true;
	return false;
}

void keep_reads(Flatten *f, const Level *nest, const Map *gone, Vars later)
{
	SubVec kept = {0};
	for EACH(Var, x, later) {
		const Known *k = known_of(f, sub_var(*x));
		Type type = vars[x->id].type;
		if (k && k->kind == K_AGAIN && type.kind == T_DATA && is_regular(f, type) &&
		    reads_any(f, sub_var(*x), gone))
			VEC_PUSH(&kept, sub_var(*x));
	}
	Subs arrs = spread_values(f, nest, VEC_SLICE(Subs, kept));
	for (int i = 0; i < kept.len; i++)
		know_spread(f, nest, kept.at[i].var, arrs.at[i]);
}

// ---- Updates ----

static bool is_cheap_to_copy(Type t)
{
	int64_t n = 1, few = threshold(AT_cheap_copy);
	for EACH(Sub, d, t.dims)
		n = d->kind == S_VAR || n > few ? few + 1 : n * d->val.i;
	return n <= few;
}

static bool is_own_part(const Flatten *f, const Level *nest, Sub arr)
{
	const Known *k = known_of(f, without_names(f, arr));
	return k && k->kind == K_SPREAD && k->level == nest && !is_cheap_to_copy(sub_type(arr));
}

// The branch that updates one element of what the other gives as it is; NULL: it is none.
static const Body *updating_branch(const Exp *e)
{
	for (int k = 0; e->form == E_if_ && k < 2; k++) {
		const Body *b = k ? &e->if_.no : &e->if_.yes, *other = k ? &e->if_.yes : &e->if_.no;
		const Stm *last = b->stms.len ? &b->stms.at[b->stms.len - 1] : NULL;
		if (!last || b->res.len != 1 || other->stms.len || last->exp->form != E_update ||
		    !sub_eq(b->res.at[0], sub_var(last->pat.at[0])) ||
		    !sub_eq(last->exp->update.arr, other->res.at[0]) ||
		    !is_element(last->exp->update.at))
			continue;
		bool cheap = true;
		for (int i = 0; i < b->stms.len - 1; i++)
			cheap &= is_again_form(b->stms.at[i].exp);
		if (cheap)
			return b;
	}
	return NULL;
}

bool updates_spread(const Flatten *f, const Level *nest, const Stm *s)
{
	const Exp *e = s->exp;
	const Body *branch = updating_branch(e);
	if (branch)
		return in_nest(f, e->if_.cond) &&
		       is_own_part(f, nest, branch->stms.at[branch->stms.len - 1].exp->update.arr);
	if (e->form != E_update)
		return false;
	Sub arr = without_names(f, e->update.arr);
	if (!is_own_part(f, nest, arr) || !is_regular(f, sub_type(e->update.val)))
		return false;
	Map gone = {0};
	map_put(&gone, var_key(arr.var), (void *)f);
	// Threads of one row would read what others of it write.
	return !sub_type(e->update.val).dims.len || !reads_any(f, e->update.val, &gone);
}

// The place that the slices select for these numbers of the dimensions that are left.
static Subs place_in(Inside *in, Slices at, Subs rest)
{
	Build *b = &in->f->b;
	SubVec out = {0};
	int next = 0;
	for EACH(DimSlice, d, at) {
		Sub start = inside_sub(in, d->start);
		if (d->fixed)
			VEC_PUSH(&out, start);
		else
			VEC_PUSH(&out, b_add(b, start, b_mul(b, inside_sub(in, d->step),
			                                     rest.at[next++])));
	}
	return VEC_SLICE(Subs, out);
}

static Sub spread_guarded(Flatten *f, const Level *nest, const Stm *s, const Body *branch);

Sub spread_update(Flatten *f, const Level *nest, const Stm *s)
{
	const Exp *e = s->exp;
	const Body *branch = updating_branch(e);
	if (branch)
		return spread_guarded(f, nest, s, branch);
	Sub arr = without_names(f, e->update.arr);
	Subs dims = slice_dims(e->update.at);
	int depth = nest->depth + dims.len;
	DevLoop *loops = NEW_ARRAY(DevLoop, depth);
	Subs at = {NEW_ARRAY(Sub, depth), depth}, carried = subs_of(1, known_of(f, arr)->arr);
	for (int d = 0; d < depth; d++) {
		Sub n = d < nest->depth ? level_at(nest, d + 1)->n : dims.at[d - nest->depth];
		loops[d] = dev_open(&f->b, ATTR_KERNEL, n, carried);
		carried = subs_of_vars(loops[d].params);
		at.at[d] = sub_var(loops[d].i);
	}
	Subs row = {at.at, nest->depth}, rest = {at.at + nest->depth, dims.len};
	Body none = {0};
	Inside in = inside_open(f, nest, row, &none);
	// What reads the row reads it in the array that the kernel carries.
	inside_set(&in, arr.var, b_index(&f->b, carried.at[0], row));
	inside_certs(&in, s->certs);
	Sub val = inside_element(&in, e->update.val, rest);
	Subs place = subs_cat(row, place_in(&in, e->update.at, rest));
	Subs next = subs_of(1, put_at(&f->b, carried.at[0], place, val));
	inside_close(&in);
	for (int d = depth; d-- > 0;)
		next = dev_close(&f->b, &loops[d], next);
	return next.at[0];
}

// In the body of the kernel: the element is updated in rows in which the condition holds.
static Sub update_where(Inside *in, const Exp *e, const Body *branch, Sub carried, Subs row)
{
	Build *b = &in->f->b;
	const Exp *upd = branch->stms.at[branch->stms.len - 1].exp;
	SubVec wanted = {0};
	for EACH(DimSlice, d, upd->update.at)
		VEC_PUSH(&wanted, d->start);
	VEC_PUSH(&wanted, upd->update.val);
	Sub cond = inside_sub(in, e->if_.cond);
	b_open(b);
	Subs made = inside_body(in, (Body){.stms = {branch->stms.at, branch->stms.len - 1},
		.res = VEC_SLICE(Subs, wanted)});
	Sub val = made.at[made.len - 1];
	Body yes = b_close(b, subs_of(1, put_at(b, carried,
		subs_cat(row, subs_part(made, 0, made.len - 1)), val)));
	Body no = {.res = subs_of(1, carried)};
	bool first = branch == &e->if_.yes;
	Type t = type_plain(sub_type(carried));
	return b_let(b, "upd", t, EXP(if_, cond, first ? yes : no, first ? no : yes));
}

static Sub spread_guarded(Flatten *f, const Level *nest, const Stm *s, const Body *branch)
{
	const Exp *upd = branch->stms.at[branch->stms.len - 1].exp;
	Sub arr = without_names(f, upd->update.arr);
	DevLoop *loops = NEW_ARRAY(DevLoop, nest->depth);
	Subs row = {NEW_ARRAY(Sub, nest->depth), nest->depth};
	Subs carried = subs_of(1, known_of(f, arr)->arr);
	for (int d = 0; d < nest->depth; d++) {
		loops[d] = dev_open(&f->b, ATTR_KERNEL, level_at(nest, d + 1)->n, carried);
		carried = subs_of_vars(loops[d].params);
		row.at[d] = sub_var(loops[d].i);
	}
	Body none = {0};
	Inside in = inside_open(f, nest, row, &none);
	inside_set(&in, arr.var, b_index(&f->b, carried.at[0], row));
	if (!sub_eq(arr, upd->update.arr))
		inside_set(&in, upd->update.arr.var, b_index(&f->b, carried.at[0], row));
	inside_certs(&in, s->certs);
	Subs next = subs_of(1, update_where(&in, s->exp, branch, carried.at[0], row));
	inside_close(&in);
	for (int d = nest->depth; d-- > 0;)
		next = dev_close(&f->b, &loops[d], next);
	return next.at[0];
}
