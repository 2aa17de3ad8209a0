// Custom derivatives: with_vjp, which a tape sees as one operation.
#include "core/interp_tape.h"

static uint32_t top_level(Args args, const Slot *x)
{
	uint32_t top = 0;
	for (int i = 0; i < args.len; i++) {
		if (args.at[i].kind != K_ARRAY) {
			top = der_level(x[i].der) > top ? der_level(x[i].der) : top;
			continue;
		}
		const Arr *a = x[i].raw.arr;
		if (a->buf->der)
			for (PLACES(p, a)) {
				uint32_t level = der_level(a->buf->der[p.at]);
				top = level > top ? level : top;
			}
	}
	return top;
}

// The handle of a result when arguments vary at `level` at most, and with a tape at this level
// a new node of it.  What free variables of the function give it at levels of reverse mode from
// there on is dropped: the user's derivative is all there is.  Forward mode keeps it.
static Der result_der(Interp *in, Tape *t, uint32_t level, PrimType type, Der d)
{
	if (der_level(d) > level) {
		Der low = result_der(in, t, level, type, der_low(d));
		if (in->levels[der_level(d)].tape)
			return low;
		Cell *c = cell_new(in);
		c->level = der_level(d);
		c->tan = slot_retain(K_SCALAR, der_cell(d)->tan);
		c->low = low;
		return (Der)(uintptr_t)c;
	}
	if (!t)
		return der_retain(d);
	uint32_t node = tape_push(in, t, type, false, 0, NULL, NULL);
	return der_of_node(in, level, node, der_retain(der_below(d, level)));
}

static bool varies_above(const Arr *a, uint32_t level)
{
	if (a->buf->der)
		for (PLACES(p, a))
			if (der_level(a->buf->der[p.at]) > level)
				return true;
	return false;
}

// Takes over the result.
static Slot result_of(Interp *in, Tape *t, uint32_t level, const Arg *arg, Slot s)
{
	PrimType type = (PrimType)arg->elem;
	if (arg->kind != K_ARRAY) {
		Der d = result_der(in, t, level, type, s.der);
		slot_release(in, K_SCALAR, s);
		return (Slot){s.raw, d};
	}
	if (!t && !varies_above(s.raw.arr, level))
		return s;
	Arr *r = arr_copy(in, s.raw.arr);
	for (int64_t i = 0; i < r->buf->n; i++) {
		Der old = r->buf->der ? r->buf->der[i] : 0;
		elem_put(in, r, i, (Slot){buf_load(r->buf, i),
		                          result_der(in, t, level, type, old)});
	}
	slot_release(in, K_ARRAY, s);
	return (Slot){{.arr = r}, 0};
}

// Only the shape of a result is of interest later.
static Slot shape_only(Interp *in, const Arg *arg, Slot s)
{
	if (arg->kind != K_ARRAY)
		return (Slot){{0}, 0};
	Arr *a = arr_alloc(in, s.raw.arr->rank);
	memcpy(a->dim, s.raw.arr->dim, 2 * (size_t)a->rank * sizeof(int64_t));
	return (Slot){{.arr = a}, 0};
}

static Slot frozen(Kind kind, Slot s)
{
	if (kind == K_ARRAY)
		s.raw.arr->buf->frozen = true;
	return s;
}

// Keeps what the derivative will need: `out` has what the function saved, then its results,
// which become nodes.
static void record(Interp *in, Frame *f, const IWithVjp *w, Tape *t, const Slot *args, Slot *out)
{
	const Args *res = &w->fn.body.res;
	Custom *c = custom_new(in, t, w);
	for (int i = 0; i < w->args.len; i++)
		c->args[i] = frozen((Kind)w->args.at[i].kind, args[i]);
	for (int i = 0; i < w->captures.len; i++) {
		const Arg *a = &w->captures.at[i].outer;
		Slot s = primal_at(in, (Kind)a->kind, *slot_of(f, a->o), t->level);
		c->captured[i] = frozen((Kind)a->kind, s);
	}
	c->first = t->n_nodes;
	for (int i = 0; i < res->len; i++) {
		const Arg *r = &res->at[i];
		if (i < w->n_tape) {
			Slot s = primal_at(in, (Kind)r->kind, out[i], t->level);
			c->saved[i] = frozen((Kind)r->kind, s);
			continue;
		}
		out[i] = result_of(in, t, t->level, r, out[i]);
		c->results[i - w->n_tape] = shape_only(in, r, out[i]);
	}
	c->end = t->n_nodes;
}

// If the highest level that varies an argument is of reverse mode, that level sees a
// single operation, and the function runs on the arguments without it.  Forward mode and
// the levels below look into the function: what it saves depends on the arguments there.
void run_with_vjp(Interp *in, Frame *f, const Ins *ins)
{
	const IWithVjp *w = ins->ext;
	const Args *res = &w->fn.body.res;
	Slot args[w->args.len + 1], out[res->len + 1];
	for (int i = 0; i < w->args.len; i++)
		args[i] = slot_retain((Kind)w->args.at[i].kind, *slot_of(f, w->args.at[i].o));
	uint32_t level = top_level(w->args, args);
	Tape *t = level ? in->levels[level].tape : NULL;
	for (int i = 0; i < w->args.len; i++)
		slot_move(in, &w->fn.params.at[i], f,
		          t ? primal_at(in, (Kind)w->args.at[i].kind, args[i], level) : args[i]);
	exec(in, f, &w->fn.body);
	body_results(in, f, &w->fn.body, out);
	if (t)
		record(in, f, w, t, args, out);
	for (int i = 0; i < res->len; i++)
		if (i < w->n_tape)
			slot_release(in, (Kind)res->at[i].kind, out[i]);
		else
			slot_move(in, &ins->dst.at[i - w->n_tape], f,
			          t ? out[i] : result_of(in, NULL, level, &res->at[i], out[i]));
}
