// Reverse mode: the tape, its sweep, and vjp.
//
// A node of the tape is an executed operation on values active at the tape's level: for each
// active operand its node and the partial derivative.  Inputs are nodes without operands.
// Because partial derivatives are kept, primal values need not be, arrays may be updated in
// place, and one sweep is a run over plain arrays from the last node to the first:
//
//   for each operand k of node i:   adj[parent k] += partial k * convert adj[i]
//
// Partial derivatives and adjoints may be active at lower levels; their handles are kept
// only when there are any, and then the same sweep runs in the arithmetic of those levels.
#include "core/interp_tape.h"

#include <stdlib.h>

enum { BITS = 0x80 };                           // adjoint passes as a bit pattern

// ---- Recording ----

static void *regrow(Interp *in, Tape *t, void *p, size_t size, size_t old, size_t n)
{
	size_t more = (n - old) * size;
	void *q = more <= in->max_bytes - in->bytes ? realloc(p, n * size) : NULL;
	if (!q)
		out_of_memory(in, n * size);
	in->bytes += more;
	t->bytes += more;
	return q;
}

#define GROW(member, old, n) (t->member = regrow(in, t, t->member, sizeof *t->member, old, n))

static uint32_t doubled(Interp *in, uint32_t n)
{
	if (n > UINT32_MAX / 2 - 1)
		run_fail(in, "Out of memory: a derivative of more than 2^31 operations.");
	return n ? 2 * n : 256;
}

static void grow_nodes(Interp *in, Tape *t)
{
	uint32_t n = doubled(in, t->max_nodes);
	GROW(end, t->max_nodes, n);
	GROW(type, t->max_nodes, n);
	t->max_nodes = n;
}

static void grow_ops(Interp *in, Tape *t)
{
	uint32_t n = doubled(in, t->max_ops);
	GROW(parent, t->max_ops, n);
	GROW(partial, t->max_ops, n);
	if (t->partial_der)
		GROW(partial_der, t->max_ops, n);
	t->max_ops = n;
}

uint32_t tape_push(Interp *in, Tape *t, PrimType type, bool bits, int n, const Slot *partial,
                   const uint32_t *parent)
{
	if (t->n_nodes == t->max_nodes)
		grow_nodes(in, t);
	if (t->max_ops - t->n_ops < (uint32_t)n)
		grow_ops(in, t);
	for (int i = 0; i < n; i++) {
		uint32_t op = t->n_ops++;
		t->parent[op] = parent[i];
		t->partial[op] = partial[i].raw;
		if (partial[i].der && !t->partial_der) {
			GROW(partial_der, 0, t->max_ops);
			memset(t->partial_der, 0, op * sizeof(Der));
		}
		if (t->partial_der)
			t->partial_der[op] = der_retain(partial[i].der);
	}
	t->mixed |= type != PT_F64;
	t->type[t->n_nodes] = (uint8_t)(type | (bits ? BITS : 0));
	t->end[t->n_nodes] = t->n_ops;
	return t->n_nodes++;
}

static void release_slots(Interp *in, Slot *slots, Args kinds)
{
	for (int i = 0; i < kinds.len; i++)
		slot_release(in, (Kind)kinds.at[i].kind, slots[i]);
	free(slots);
}

static void custom_free(Interp *in, Custom *c)
{
	const IWithVjp *w = c->w;
	const Args *res = &w->fn.body.res;
	for (int i = 0; i < w->captures.len; i++)
		slot_release(in, (Kind)w->captures.at[i].outer.kind, c->captured[i]);
	free(c->captured);
	release_slots(in, c->saved, (Args){res->at, w->n_tape});
	release_slots(in, c->args, w->args);
	release_slots(in, c->results, (Args){res->at + w->n_tape, res->len - w->n_tape});
}

void tape_free(Interp *in, Tape *t)
{
	for (uint32_t i = 0; t->partial_der && i < t->n_ops; i++)
		der_release(in, t->partial_der[i]);
	for (uint32_t i = 0; t->adj_der && i < t->n_nodes; i++)
		der_release(in, t->adj_der[i]);
	for (int i = 0; i < t->n_customs; i++)
		custom_free(in, &t->customs[i]);
	free(t->end);
	free(t->type);
	free(t->parent);
	free(t->partial);
	free(t->partial_der);
	free(t->adj);
	free(t->adj_der);
	free(t->customs);
	in->bytes -= t->bytes;
	free(t);
}

static Tape *tape_new(Interp *in)
{
	Tape *t = calloc(1, sizeof *t);
	if (!t)
		out_of_memory(in, sizeof *t);
	t->level = level_push(in, t);
	return t;
}

static Slot *slots_new(Interp *in, int n)
{
	Slot *s = calloc((size_t)n + 1, sizeof *s);
	if (!s)
		out_of_memory(in, (size_t)n * sizeof *s);
	return s;
}

Custom *custom_new(Interp *in, Tape *t, const IWithVjp *w)
{
	if (t->n_customs == t->max_customs) {
		int n = t->max_customs ? 2 * t->max_customs : 8;
		GROW(customs, (size_t)t->max_customs, (size_t)n);
		t->max_customs = n;
	}
	int n_res = w->fn.body.res.len;
	t->customs[t->n_customs] = (Custom){
		.w = w,
		.captured = slots_new(in, w->captures.len),
		.saved = slots_new(in, w->n_tape),
		.args = slots_new(in, w->args.len),
		.results = slots_new(in, n_res - w->n_tape),
	};
	return &t->customs[t->n_customs++];
}

// ---- Adjoints ----

// Adjoints of floats begin as -0.0, which is neutral for addition: what is still -0.0 has
// received nothing, and a zero times infinity does not come into being there.
static Raw untouched(PrimType t)
{
	return is_float(t) ? (Raw){.f = -0.0} : (Raw){.u = 0};
}

static PrimType node_type(const Tape *t, uint32_t i)
{
	return (PrimType)(t->type[i] & ~BITS);
}

static void adjoints_begin(Interp *in, Tape *t)
{
	if (!t->adj)
		GROW(adj, 0, (size_t)t->n_nodes + 1);
	for (uint32_t i = 0; i < t->n_nodes; i++)
		t->adj[i] = untouched(node_type(t, i));
	for (uint32_t i = 0; t->adj_der && i < t->n_nodes; i++) {
		der_release(in, t->adj_der[i]);
		t->adj_der[i] = 0;
	}
}

static Slot adjoint(const Tape *t, uint32_t i)
{
	return (Slot){t->adj[i], t->adj_der ? t->adj_der[i] : 0};
}

// Adds to the adjoint of a node, taking over the handle.
static void adjoint_add(Interp *in, Tape *t, uint32_t i, Slot v)
{
	PrimType type = node_type(t, i);
	Slot old = adjoint(t, i);
	if (!v.der && !old.der && type == PT_F64) {
		t->adj[i].f += v.raw.f;
		return;
	}
	bool first = !old.der && old.raw.u == untouched(type).u;
	Slot sum = first ? slot_retain(K_SCALAR, v) : ad_arith(in, P_add, type, old, v);
	t->adj[i] = sum.raw;
	if (sum.der && !t->adj_der) {
		GROW(adj_der, 0, t->n_nodes);
		memset(t->adj_der, 0, t->n_nodes * sizeof(Der));
	}
	if (t->adj_der)
		t->adj_der[i] = sum.der;
	der_release(in, old.der);
	der_release(in, v.der);
}

// The final adjoint of a node; the handle is retained.
static Slot adjoint_get(const Tape *t, uint32_t i)
{
	Slot s = adjoint(t, i);
	if (!s.der && s.raw.u == untouched(node_type(t, i)).u)
		s.raw.u = 0;
	return slot_retain(K_SCALAR, s);
}

// ---- The sweep ----

static void sweep_f64(Tape *t, uint32_t lo, uint32_t hi)
{
	const uint64_t none = untouched(PT_F64).u;
	for (uint32_t i = hi; i-- > lo;) {
		Raw g = t->adj[i];
		if (g.u == none)
			continue;
		for (uint32_t k = i ? t->end[i - 1] : 0; k < t->end[i]; k++)
			t->adj[t->parent[k]].f += t->partial[k].f * g.f;
	}
}

// The same for a node whose operands are of its type, f32 or f64, when no lower level is
// active: false when that is not so.
static bool sweep_plain(Tape *t, uint32_t i)
{
	uint8_t type = t->type[i];
	uint32_t lo = i ? t->end[i - 1] : 0;
	double g = t->adj[i].f;
	if (t->partial_der || t->adj_der || (type != PT_F64 && type != PT_F32))
		return false;
	for (uint32_t k = lo; k < t->end[i]; k++)
		if (t->type[t->parent[k]] != type)
			return false;
	for (uint32_t k = lo; k < t->end[i]; k++) {
		double *to = &t->adj[t->parent[k]].f, c = t->partial[k].f * g;
		*to = type == PT_F64 ? *to + c : (double)(float)(*to + (double)(float)c);
	}
	return true;
}

static void sweep_node(Interp *in, Tape *t, uint32_t i)
{
	if (sweep_plain(t, i))
		return;
	PrimType type = node_type(t, i);
	Slot g = slot_retain(K_SCALAR, adjoint(t, i));
	for (uint32_t k = i ? t->end[i - 1] : 0; k < t->end[i]; k++) {
		uint32_t p = t->parent[k];
		PrimType to = node_type(t, p);
		Slot partial = {t->partial[k], t->partial_der ? t->partial_der[k] : 0};
		Slot c = to == type ? slot_retain(K_SCALAR, g)
		                    : ad_converted(in, type, to, g, t->type[i] & BITS);
		adjoint_add(in, t, p, ad_arith(in, P_mul, to, partial, c));
		der_release(in, c.der);
	}
	der_release(in, g.der);
}

static void sweep_range(Interp *in, Tape *t, uint32_t lo, uint32_t hi)
{
	if (!t->mixed && !t->partial_der && !t->adj_der) {
		sweep_f64(t, lo, hi);
		return;
	}
	for (uint32_t i = hi; i-- > lo;) {
		Slot g = adjoint(t, i);
		if (g.der || g.raw.u != untouched(node_type(t, i)).u)
			sweep_node(in, t, i);
	}
}

// Adds the adjoint `v` of a value to the nodes that its elements have on the tape.
static void add_to_value(Interp *in, Tape *t, Kind kind, Slot value, Slot v)
{
	if (kind != K_ARRAY) {
		if (der_level(value.der) == t->level)
			adjoint_add(in, t, der_node(value.der), slot_retain(K_SCALAR, v));
		return;
	}
	const Arr *a = value.raw.arr, *va = v.raw.arr;
	if (!same_shape(a, va))
		run_fail(in, "The shape of a cotangent differs from that of the value.");
	if (!a->buf->der)
		return;
	Places pv = places_of(va);
	for (PLACES(p, a)) {
		Der d = a->buf->der[p.at];
		if (der_level(d) == t->level)
			adjoint_add(in, t, der_node(d), elem_get(va, pv.at));
		places_next(&pv);
	}
}

// The adjoints of nodes first, first + 1, ... in the shape of a value.
static Slot adjoints_of(Interp *in, const Tape *t, const Arg *arg, Slot like, uint32_t first)
{
	if (arg->kind != K_ARRAY)
		return adjoint_get(t, first);
	const Arr *a = like.raw.arr;
	Arr *r = arr_new(in, (PrimType)arg->elem, a->rank, a->dim, false);
	for (int64_t i = 0; i < r->buf->n; i++)
		elem_put(in, r, i, adjoint_get(t, first + (uint32_t)i));
	return (Slot){{.arr = r}, 0};
}

static uint32_t n_elems(Kind kind, Slot s)
{
	return kind == K_ARRAY ? (uint32_t)arr_count(s.raw.arr) : 1;
}

// Calls the user's derivative with what the function left for it and the results' adjoints.
static void run_custom(Interp *in, Tape *t, const Custom *c)
{
	const IWithVjp *w = c->w;
	const Args *res = &w->fn.body.res;
	Frame f = frame_push(in, w->bwd);
	for (int i = 0; i < w->captures.len; i++) {
		const Capture *cap = &w->captures.at[i];
		f.at[cap->inner] = slot_retain((Kind)cap->outer.kind, c->captured[i]);
	}
	uint32_t node = c->first;
	for (int i = 0; i < w->bwd_params.len; i++) {
		const Arg *r = &res->at[i];
		Slot v;
		if (i < w->n_tape) {
			v = slot_retain((Kind)r->kind, c->saved[i]);
		} else {
			v = adjoints_of(in, t, r, c->results[i - w->n_tape], node);
			node += n_elems((Kind)r->kind, v);
		}
		slot_move(in, &w->bwd_params.at[i], &f, v);
	}
	exec(in, &f, &w->bwd->body);
	Slot adj[w->bwd_res.len + 1];
	body_results(in, &f, &w->bwd->body, adj);
	for (int i = 0; i < w->bwd_res.len; i++) {
		Kind kind = (Kind)w->args.at[i].kind;
		add_to_value(in, t, kind, c->args[i], adj[i]);
		slot_release(in, kind, adj[i]);
	}
	for (int i = 0; i < w->captures.len; i++)
		if (w->captures.at[i].outer.kind == K_ARRAY)
			arr_release(in, f.at[w->captures.at[i].inner].raw.arr);
	frame_pop(in, &f, w->bwd);
}

// From the last node to the first; before the results of a custom derivative are swept,
// all their adjoints have arrived.
static void sweep(Interp *in, Tape *t)
{
	uint32_t hi = t->n_nodes;
	for (int i = t->n_customs; i-- > 0;) {
		const Custom c = t->customs[i];
		sweep_range(in, t, c.end, hi);
		run_custom(in, t, &c);
		hi = c.end;
	}
	sweep_range(in, t, 0, hi);
}

// ---- vjp ----

// An argument as input of the tape: a copy whose elements are nodes.
static Slot input(Interp *in, Tape *t, const Arg *arg, Slot x)
{
	PrimType type = (PrimType)arg->elem;
	if (arg->kind != K_ARRAY) {
		uint32_t node = tape_push(in, t, type, false, 0, NULL, NULL);
		return (Slot){x.raw, der_of_node(in, t->level, node, der_retain(x.der))};
	}
	Arr *r = arr_copy(in, x.raw.arr);
	for (int64_t i = 0; i < r->buf->n; i++) {
		Slot e = elem_get(r, i);
		uint32_t node = tape_push(in, t, type, false, 0, NULL, NULL);
		elem_put(in, r, i, (Slot){e.raw, der_of_node(in, t->level, node, e.der)});
	}
	return (Slot){{.arr = r}, 0};
}

// One sweep: adjoints of all arguments for the seed number `seed`.
static void pull_back(Interp *in, Frame *f, const IDiff *d, Tape *t, const Slot *results,
                      int64_t seed, Slot *out)
{
	const Args *res = &d->fn.body.res;
	adjoints_begin(in, t);
	for (int i = 0; i < res->len; i++) {
		Kind kind = (Kind)res->at[i].kind;
		Slot s = *slot_of(f, d->seeds.at[i].o);
		s = d->many ? row_get(in, s.raw.arr, seed) : slot_retain(kind, s);
		add_to_value(in, t, kind, results[i], s);
		slot_release(in, kind, s);
	}
	sweep(in, t);
	uint32_t node = 0;
	for (int i = 0; i < d->args.len; i++) {
		Slot like = *slot_of(f, d->args.at[i].o);
		out[i] = adjoints_of(in, t, &d->args.at[i], like, node);
		node += n_elems((Kind)d->args.at[i].kind, like);
	}
}

static void pull_back_many(Interp *in, Frame *f, const IDiff *d, Tape *t, const Slot *results,
                           const Arg *dst)
{
	int n_args = d->args.len;
	int64_t n = slot_of(f, d->n)->raw.i;
	Slot adj[n_args + 1];
	Arr *rows[n_args + 1];
	for (int i = 0; i < n_args; i++)
		rows[i] = rows_new(in, f, &dst[i], n);
	for (int64_t seed = 0; seed < n; seed++) {
		pull_back(in, f, d, t, results, seed, adj);
		for (int i = 0; i < n_args; i++) {
			row_put(in, rows[i], seed, &adj[i]);
			slot_release(in, (Kind)d->args.at[i].kind, adj[i]);
		}
	}
	for (int i = 0; i < n_args; i++)
		slot_move(in, &dst[i], f, (Slot){{.arr = rows[i]}, 0});
}

void run_vjp(Interp *in, Frame *f, const Ins *ins)
{
	const IDiff *d = ins->ext;
	const Args *res = &d->fn.body.res;
	int n_res = res->len, n_args = d->args.len;
	Tape *t = tape_new(in);
	for (int i = 0; i < n_args; i++)
		slot_move(in, &d->fn.params.at[i], f,
		          input(in, t, &d->args.at[i], *slot_of(f, d->args.at[i].o)));
	exec(in, f, &d->fn.body);
	Slot results[n_res + 1], adj[n_args + 1];
	body_results(in, f, &d->fn.body, results);
	in->at = ins;
	const Arg *adj_dst = ins->dst.at + n_res;
	if (d->many) {
		pull_back_many(in, f, d, t, results, adj_dst);
	} else {
		pull_back(in, f, d, t, results, 0, adj);
		for (int i = 0; i < n_args; i++)
			slot_move(in, &adj_dst[i], f, adj[i]);
	}
	for (int i = 0; i < n_res; i++) {
		Kind kind = (Kind)res->at[i].kind;
		slot_move(in, &ins->dst.at[i], f, primal_at(in, kind, results[i], t->level));
		slot_release(in, kind, results[i]);
	}
	level_pop(in);
}
