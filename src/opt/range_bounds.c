// The prover of range.c: bounds of variables, and the intervals that follow from them.
//
//     i < n, n <= 60           upper bounds of i: n - 1;  of n: 60
//     2*i + 3                  at most 121
#include "opt/prover.h"

// ---- Bounds ----

void range_grow(Range *r, uint32_t id)
{
	uint32_t cap = r->cap ? r->cap : n_vars;
	while (cap <= id)
		cap = cap < 64 ? 64 : cap * 2;
	r->lower = table_grow(r->lower, r->cap * sizeof *r->lower, cap * sizeof *r->lower);
	r->upper = table_grow(r->upper, r->cap * sizeof *r->upper, cap * sizeof *r->upper);
	r->cap = cap;
}

void range_free(Range *r)
{
	table_free(r->lower);
	table_free(r->upper);
}

int range_mark(const Range *r)
{
	return r->trail.len;
}

void range_release(Range *r, int mark)
{
	while (r->trail.len > mark) {
		r->trail.len--;
		if (r->trail.at[r->trail.len].known) {
			r->last_known = r->trail.at[r->trail.len].known_before;
			continue;
		}
		uint32_t id = r->trail.at[r->trail.len].v.id;
		if (!id) {
			r->either.len--;
			continue;
		}
		Bound **head = r->trail.at[r->trail.len].upper ? &r->upper[id] : &r->lower[id];
		*head = (*head)->next;
	}
}

void rest_on(Range *r, const Bound *b)
{
	for EACH(Var, c, b->rests) {
		bool known = false;
		for EACH(Var, x, r->rests)
			known |= x->id == c->id;
		if (!known)
			VEC_PUSH(&r->rests, *c);
	}
}

bool has_constant(Range *r, const Bound *b, int64_t lo, int64_t hi)
{
	const Bound *found = NULL;
	for (; b && (!found || found->rests.len); b = b->next)
		if (!b->cert.id && b->by.n == 0 && b->by.c >= lo && b->by.c <= hi)
			found = b;
	if (found)
		rest_on(r, found);
	return found;
}

// Is a bool known to hold (1), not to hold (0), or neither (-1)?  Few are known at a time.
int known_bool(const Range *r, Sub cond)
{
	enum { NEAREST = 12 };
	if (cond.kind == S_CONST)
		return cond.val.u != 0;
	int steps = 0;
	for (int i = r->last_known; i > 0 && steps < NEAREST; steps++) {
		if (r->trail.at[i - 1].v.id == cond.var.id)
			return r->trail.at[i - 1].upper;
		i = r->trail.at[i - 1].known_before;
	}
	return -1;
}

uint64_t hash_of_affine(const Affine *a)
{
	uint64_t sum = (uint64_t)a->c;
	for (int i = 0; i < a->n; i++) {
		uint64_t h = (uint64_t)a->t[i].k;
		for (int j = 0; j < AFFINE_DEGREE && a->t[i].v[j].id; j++)
			h = mixed(h) + a->t[i].v[j].id;
		sum += mixed(h);
	}
	return sum;
}

static void push_fact(Range *r, Var v, bool upper, bool known, uint64_t what)
{
	uint64_t state = mixed(mixed(range_state(r)) + what) + v.id * 4 + upper * 2 + known;
	VEC_PUSH(&r->trail, (__typeof__(*r->trail.at)){v, upper, known, r->last_known, state});
	if (known)
		r->last_known = r->trail.len;
}

void note_known(Range *r, Var cond, bool holds)
{
	push_fact(r, cond, holds, true, 0);
}

void note_either(Range *r, Var cond, Var cert)
{
	VEC_PUSH(&r->either, (Either){sub_var(cond), cert});
	push_fact(r, (Var){0}, false, false, mixed(cond.id) + cert.id);
}

void add_bound(Range *r, Var v, Affine by, bool upper, Var cert)
{
	enum { MOST = 6 };
	int n = 0;
	if (by.bad)
		return;
	for (const Bound *b = bounds_of(r, v, upper); b; b = b->next, n++)
		if (affine_same(&b->by, &by) && (!b->cert.id || cert.id) &&
		    (!b->rests.len || r->rests.len))
			return;
	if (n >= MOST)
		return;
	Bound **head = upper ? &r->upper[v.id] : &r->lower[v.id];
	*head = NEW(Bound, *head, by, cert,
	            SLICE_DUP(Vars, VEC_SLICE(Vars, r->rests)));
	uint64_t what = mixed(hash_of_affine(&by)) + cert.id;
	for EACH(Var, c, r->rests)
		what = mixed(what) + c->id;
	push_fact(r, v, upper, false, what);
}

// ---- Intervals ----

Edge type_edge(PrimType t, bool upper)
{
	static const Edge edges[N_PRIMTYPE][2] = {
		[PT_I8] = {{INT8_MIN, false}, {INT8_MAX, false}},
		[PT_I16] = {{INT16_MIN, false}, {INT16_MAX, false}},
		[PT_I32] = {{INT32_MIN, false}, {INT32_MAX, false}},
		[PT_I64] = {{INT64_MIN, false}, {INT64_MAX, false}},
		[PT_U8] = {{0, false}, {UINT8_MAX, false}},
		[PT_U16] = {{0, false}, {UINT16_MAX, false}},
		[PT_U32] = {{0, false}, {UINT32_MAX, false}},
		[PT_U64] = {{0, false}, {0, true}},
		[PT_F16] = {{0, true}, {0, true}},
		[PT_F32] = {{0, true}, {0, true}},
		[PT_F64] = {{0, true}, {0, true}},
		[PT_BOOL] = {{0, false}, {1, false}},
	};
	return edges[t][upper];
}

static Edge tighter(Edge a, Edge b, bool upper)
{
	if (a.none || b.none)
		return a.none ? b : a;
	return (a.v < b.v) == upper ? a : b;
}

static Edge looser(Edge a, Edge b, bool upper)
{
	return a.none || b.none ? no_edge : (a.v < b.v) == upper ? b : a;
}

Edge edge_of_sub(Range *r, Sub x, bool upper, int depth)
{
	if (x.kind == S_CONST)
		return (Edge){x.val.i, !is_int(x.val.type) ||
		                       (x.val.type == PT_U64 && x.val.i < 0)};
	return edge_of_var(r, x.var, upper, depth);
}

// The interval of x by a constant c > 0.
static Edge edge_by_constant(Range *r, const Exp *e, int64_t c, bool upper, int depth)
{
	Edge lo = edge_of_sub(r, e->prim.x[0], false, depth - 1);
	bool natural = !lo.none && lo.v >= 0;
	switch (e->prim.op) {
	case P_mod:
		return (Edge){upper ? c - 1 : 0, false};
	case P_rem:
		return (Edge){upper ? c - 1 : natural ? 0 : 1 - c, false};
	default: { // div, quot: the same where nothing is negative
		Edge x = upper ? edge_of_sub(r, e->prim.x[0], true, depth - 1) : lo;
		return natural && !x.none ? (Edge){x.v / c, false} : no_edge;
	}
	}
}

// A size, or one by a constant: known not to be negative at once.
static bool is_size(Range *r, Sub x, int depth)
{
	if (x.kind == S_VAR && has_constant(r, bounds_of(r, x.var, false), 0, INT64_MAX))
		return true;
	const Exp *e = x.kind == S_VAR && depth ? r->def(r->ctx, x) : NULL;
	return e && e->form == E_prim && (e->prim.op == P_div || e->prim.op == P_quot) &&
	       e->prim.x[1].kind == S_CONST && e->prim.x[1].val.i > 0 &&
	       is_size(r, e->prim.x[0], depth - 1);
}

// The interval of x by a size: what divides by zero has no result.
static Edge edge_by_size(Range *r, const Exp *e, bool upper, int depth)
{
	Sub x = e->prim.x[0], y = e->prim.x[1];
	if (!is_size(r, y, 2))
		return no_edge;
	if (e->prim.op == P_mod && !upper)
		return (Edge){0, false};
	if (e->prim.op == P_mod || (e->prim.op == P_rem && upper))
		return edge_of_sub(r, y, true, depth - 1);
	Edge lo = edge_of_sub(r, x, false, depth - 1);
	if (lo.none || lo.v < 0)
		return no_edge;
	return upper ? edge_of_sub(r, x, true, depth - 1) : (Edge){0, false};
}

// What an operation alone tells.
static Edge edge_of_prim(Range *r, const Exp *e, bool upper, int depth)
{
	Sub y = prim_arity(e->prim.op) == 2 ? e->prim.x[1] : sub_i64(0);
	int64_t c = y.kind == S_CONST && is_int(y.val.type) ? y.val.i : 0;
	switch (e->prim.op) {
	case P_div: case P_quot: case P_mod: case P_rem:
		if (!is_int(e->prim.at) || c < 0)
			return no_edge;
		return c ? edge_by_constant(r, e, c, upper, depth)
		         : edge_by_size(r, e, upper, depth);
	case P_and:
		return c > 0 ? (Edge){upper ? c : 0, false} : no_edge;
	case P_lshr: {
		int bits = 8 * primtype_size(e->prim.at);
		return c > 0 && c < bits
			? (Edge){upper ? (int64_t)((UINT64_MAX >> (64 - bits)) >> c) : 0, false}
			: no_edge;
	}
	case P_min: case P_max: {
		if (!is_int(e->prim.at))
			return no_edge;
		Edge a = edge_of_sub(r, e->prim.x[0], upper, depth - 1);
		Edge b = edge_of_sub(r, y, upper, depth - 1);
		return (e->prim.op == P_min) == upper ? tighter(a, b, upper) : looser(a, b, upper);
	}
	case P_count:
		return edge_of_sub(r, e->prim.x[0], upper, depth - 1);
	case P_popc: case P_clz: case P_ctz:
		return (Edge){upper ? 64 : 0, false};
	case P_chunk:
		return upper ? no_edge : (Edge){1, false};
	default: // nothing
		return no_edge;
	}
}

// What the expression that gives a variable tells.
static Edge edge_of_def(Range *r, const Exp *e, bool upper, int depth)
{
	if (e->form == E_convert && e->convert.x.kind == S_VAR) {
		PrimType from = sub_type(e->convert.x).elem;
		Edge lo = type_edge(e->convert.to, false), hi = type_edge(e->convert.to, true);
		if (!is_int(from) && from != PT_BOOL)
			return no_edge;
		Edge a = edge_of_sub(r, e->convert.x, false, depth - 1);
		Edge b = edge_of_sub(r, e->convert.x, true, depth - 1);
		bool known = !a.none && !b.none && !lo.none && !hi.none;
		return !known || a.v < lo.v || b.v > hi.v ? no_edge : upper ? b : a;
	}
	if (e->form == E_if_ && e->if_.yes.res.len == 1) {
		int known = known_bool(r, e->if_.cond);
		if (known >= 0)
			return edge_of_sub(r, (known ? e->if_.yes : e->if_.no).res.at[0], upper,
			                   depth - 1);
		Edge yes = edge_of_sub(r, e->if_.yes.res.at[0], upper, depth - 1);
		Edge no = edge_of_sub(r, e->if_.no.res.at[0], upper, depth - 1);
		return looser(yes, no, upper);
	}
	if (e->form != E_prim)
		return no_edge;
	return edge_of_prim(r, e, upper, depth);
}

Edge edge_of_var(Range *r, Var v, bool upper, int depth)
{
	Edge out = type_edge(vars[v.id].type.elem, upper);
	if (depth <= 0 || --r->steps < 0)
		return out;
	const Bound *b = bounds_of(r, v, upper);
	const Exp *def = r->def(r->ctx, sub_var(v));
	if (!b && !def)
		return out;
	if (def)
		out = tighter(out, edge_of_def(r, def, upper, depth), upper);
	for (; b; b = b->next) {
		if (b->cert.id) // an interval is used where no assertions are collected
			continue;
		Edge by = b->by.n ? edge_of_affine(r, &b->by, upper, depth - 1)
		                  : (Edge){b->by.c, false};
		if (by.none || (!out.none && (upper ? by.v >= out.v : by.v <= out.v)))
			continue;
		out = by;
		rest_on(r, b);
	}
	return out;
}

// Products of what is not negative: smallest times smallest, largest times largest.
static Edge edge_of_product(Range *r, const AffineTerm *t, bool upper, int depth)
{
	Edge x = {1, false};
	for (int i = 0; i < AFFINE_DEGREE && t->v[i].id; i++) {
		Edge a = edge_of_var(r, t->v[i], false, depth);
		if (a.none || a.v < 0)
			return no_edge;
		x = edge_mul(x, upper ? edge_of_var(r, t->v[i], true, depth) : a);
	}
	if (upper && is_shape(r, t))
		return tighter(x, (Edge){LARGEST_SIZE, false}, true);
	return x;
}

static Edge edge_of_term(Range *r, const AffineTerm *t, bool upper, int depth)
{
	bool up = (t->k > 0) == upper;
	Edge x = term_is_var(t) ? edge_of_var(r, t->v[0], up, depth)
	                        : edge_of_product(r, t, up, depth);
	AffineTerm size = *t;
	if (t->k == INT64_MIN)
		return no_edge;
	size.k = t->k < 0 ? -t->k : t->k;
	x = edge_mul(x, (Edge){size.k, false});
	if (up && r->given && is_in_shape(r, &size, NULL))
		x = tighter(x, (Edge){LARGEST_GIVEN, false}, true);
	return t->k < 0 ? edge_mul(x, (Edge){-1, false}) : x;
}

Edge edge_of_affine(Range *r, const Affine *l, bool upper, int depth)
{
	Edge out = {l->c, l->bad};
	for (int i = 0; i < l->n && !out.none; i++)
		out = edge_add(out, edge_of_term(r, &l->t[i], upper, depth));
	return out;
}
