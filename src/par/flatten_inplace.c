// Updates in place inside of nests.
//
//     in each of n rows:  let (b: [t][m]f64) = update a [j, 0:m:1] v
// where a kernel before has made `as` = a for all rows becomes
//     #[kernel] loop (o: *[n][t][m]f64 = as) for i < n do
//       #[kernel] loop (p = o) for k < m do  p with [i, j, k] = v[i, k]
//
// The rows of a nest own their parts of the array that has `a` for all of them, so each may be
// changed where it is.  A kernel that left the update to the threads of the rows would copy all of
// the array first: in a loop, such as one that keeps a log of its states, that makes the work
// quadratic in the number of iterations.
//
// Note [Read before].  Cheap statements of a nest are done again by the kernels that need them
// (K_AGAIN).  One that reads what is consumed later on has to be done before that: its result is
// stored for all rows.
#include "par/flatten.h"

// ---- What reads an array ----

typedef struct { const Flatten *f; const Map *gone; bool found; } Reads;

static bool reads_any(const Flatten *, Sub, const Map *gone);

static void look_at_operand(Visit *v, Sub *x)
{
	Reads *r = v->ctx;
	r->found |= reads_any(r->f, *x, r->gone);
}

// Is it one of the arrays, or done again from one of them?
static bool reads_any(const Flatten *f, Sub x, const Map *gone)
{
	if (x.kind != S_VAR)
		return false;
	if (map_has(gone, var_key(x.var)))
		return true;
	const Known *k = known_of(f, x);
	if (!k || k->kind != K_AGAIN)
		return false;
	Reads r = {f, gone, false};
	Visit v = {.sub = look_at_operand, .ctx = &r};
	Stm s = *k->stm;
	stm_visit(&s, &v); // a walk: writes nothing
	return r.found;
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

enum { CHEAP_COPY = 256 };      // elements: threads rather copy so many than have a kernel more

static bool is_cheap_to_copy(Type t)
{
	int64_t n = 1;
	for EACH(Sub, d, t.dims)
		n = d->kind == S_VAR || n > CHEAP_COPY ? CHEAP_COPY + 1 : n * d->val.i;
	return n <= CHEAP_COPY;
}

bool updates_spread(const Flatten *f, const Level *nest, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_update)
		return false;
	Sub arr = without_names(f, e->update.arr);
	const Known *k = known_of(f, arr);
	if (!k || k->kind != K_SPREAD || k->level != nest || is_cheap_to_copy(sub_type(arr)) ||
	    !is_regular(f, sub_type(e->update.val)))
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

Sub spread_update(Flatten *f, const Level *nest, const Stm *s)
{
	const Exp *e = s->exp;
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
