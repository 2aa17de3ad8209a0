// Differentiation by dual numbers: levels, scalar operations on active values, jvp.
//
// Every jvp or vjp that runs has a level.  An operation acts at the highest level among its
// operands: forward mode gives the result a tangent, reverse mode a node on the level's
// tape.  The partial derivatives it needs for that, and the primal result, are computed
// from the operands without this level, which may be active at lower ones: there the same
// happens again.  So operators nest in any mix, and a value that only an inner
// operator varies is never confused with what an outer one varies: in
//
//   jvp (\x -> x * jvp (\y -> x + y) 1 1) 1 1
//
// x is active at level 1 and y at level 2; the inner result, the tangent of x + y at level 2,
// is that of y alone.
#include "core/interp.h"

#include <stdlib.h>

// ---- Levels and handles ----

uint32_t level_push(Interp *in, Tape *tape)
{
	if (in->depth + 1 >= in->max_depth) {
		uint32_t n = in->max_depth ? in->max_depth * 2 : 8;
		Level *more = realloc(in->levels, n * sizeof *more);
		if (!more)
			out_of_memory(in, n * sizeof *more);
		in->levels = more;
		in->max_depth = n;
	}
	in->levels[++in->depth] = (Level){tape};
	return in->depth;
}

void level_pop(Interp *in)
{
	Tape *tape = in->levels[in->depth--].tape;
	if (tape)
		tape_free(in, tape);
}

Der der_low(Der d)
{
	return der_is_cell(d) ? der_cell(d)->low : 0;
}

Der der_below(Der d, uint32_t level)
{
	while (der_level(d) >= level)
		d = der_low(d);
	return d;
}

Der der_of_node(Interp *in, uint32_t level, uint32_t node, Der low)
{
	if (!low)
		return (Der)node << 32 | (Der)level << 1 | 1;
	Cell *c = cell_new(in);
	c->level = level;
	c->node = node;
	c->low = low;
	return (Der)(uintptr_t)c;
}

// Takes over both handles.
static Der der_of_tangent(Interp *in, uint32_t level, Der low, Slot tan)
{
	Cell *c = cell_new(in);
	c->level = level;
	c->low = low;
	c->tan = tan;
	return (Der)(uintptr_t)c;
}

Slot primal_at(Interp *in, Kind kind, Slot s, uint32_t level)
{
	if (kind != K_ARRAY)
		return (Slot){s.raw, der_retain(der_below(s.der, level))};
	Arr *a = s.raw.arr;
	bool active = false;
	if (a->buf->der)
		for (PLACES(p, a))
			active |= der_level(a->buf->der[p.at]) >= level;
	if (!active)
		return (Slot){{.arr = arr_retain(a)}, 0};
	Arr *r = arr_new(in, (PrimType)a->buf->type, a->rank, a->dim, false);
	int64_t to = 0;
	for (PLACES(p, a)) {
		Der low = der_below(a->buf->der[p.at], level);
		elem_put(in, r, to++, (Slot){buf_load(a->buf, p.at), der_retain(low)});
	}
	return (Slot){{.arr = r}, 0};
}

// ---- Arithmetic of tangents and adjoints ----

static Raw raw_one(PrimType t)
{
	return is_float(t) ? (Raw){.f = 1} : (Raw){.i = 1};
}

static bool is_one(PrimType t, Slot x)
{
	return !x.der && x.raw.u == raw_one(t).u;
}

// Bools add and multiply as `or` and `and`.
Slot ad_arith(Interp *in, Prim op, PrimType t, Slot x, Slot y)
{
	if (op == P_mul && is_one(t, x))
		return slot_retain(K_SCALAR, y);
	if (t == PT_BOOL)
		op = op == P_mul ? P_and : P_or;
	Scalar r, s[2] = {raw_scalar(t, x.raw), raw_scalar(t, y.raw)};
	Slot xs[3] = {x, y, {{0}, 0}};
	const char *why;
	if (!prim_eval(op, t, s, &r, &why))
		bug("arithmetic of derivatives: %s", why);
	Slot out = {scalar_raw(r), 0};
	if (x.der | y.der)
		out.der = ad_prim(in, op, t, 2, xs, out.raw);
	return out;
}

// Converts a tangent or adjoint; with `bits` set as the bit pattern.
Slot ad_converted(Interp *in, PrimType from, PrimType to, Slot x, bool bits)
{
	Scalar r, s = raw_scalar(from, x.raw);
	const char *why;
	if (!bits) {
		Slot out = {scalar_raw(convert_eval(to, s)), 0};
		if (x.der)
			out.der = ad_convert(in, from, to, x);
		return out;
	}
	Prim op = is_float(from) ? P_to_bits : P_from_bits;
	if (!prim_eval(op, from, &s, &r, &why))
		bug("bits of a derivative: %s", why);
	Slot out = {scalar_raw(r), 0};
	if (x.der) {
		Slot xs[3] = {x, {{0}, 0}, {{0}, 0}};
		out.der = ad_prim(in, op, from, 1, xs, out.raw);
	}
	return out;
}

// ---- Operations on active values ----

// The handle of a value that has the (co)tangent of another one in a different type.
static Der ad_pass(Interp *in, PrimType from, PrimType to, Slot x, bool bits, Der low)
{
	uint32_t level = der_level(x.der);
	Tape *tape = in->levels[level].tape;
	if (!tape) {
		Slot tan = ad_converted(in, from, to, der_cell(x.der)->tan, bits);
		return der_of_tangent(in, level, low, tan);
	}
	Slot one = {raw_one(from), 0};
	uint32_t parent = der_node(x.der);
	return der_of_node(in, level, tape_push(in, tape, to, bits, 1, &one, &parent), low);
}

Der ad_convert(Interp *in, PrimType from, PrimType to, Slot x)
{
	if (from == PT_BOOL || to == PT_BOOL)
		return 0;
	Der low = der_low(x.der);
	if (low)
		low = ad_convert(in, from, to, (Slot){x.raw, low});
	return ad_pass(in, from, to, x, false, low);
}

static double as_double(Prim op, int i, Raw r)
{
	return op == P_ldexp && i == 1 ? (double)r.i : r.f;
}

// Partial derivatives by the wanted operands, in plain arithmetic where that suffices.
static int partials(Interp *in, Prim op, PrimType t, int n, const Slot *low, Slot r, int wanted,
                    bool plain, Slot *partial)
{
	if (!plain || !is_float(t))
		return ad_rules(in, op, t, low, r, wanted, partial);
	double x[3] = {0, 0, 0}, d[3];
	for (int i = 0; i < n; i++)
		x[i] = as_double(op, i, low[i].raw);
	int set = ad_rules_f64(op, x, r.raw.f, d) & wanted;
	for (int i = 0; i < n; i++)
		if (set >> i & 1)
			partial[i] = (Slot){{.f = t == PT_F64 ? d[i] : scalar_float(t, d[i]).f}, 0};
	return set;
}

// The sum of partial derivatives times tangents, where that is plain arithmetic.
static bool plain_tangent(PrimType t, int n, const Slot *x, int set, const Slot *partial, Slot *sum)
{
	if (t != PT_F64 && t != PT_F32)
		return false;
	double total = 0;
	bool first = true;
	for (int i = 0; i < n; i++) {
		if (!(set >> i & 1))
			continue;
		Slot tan = der_cell(x[i].der)->tan;
		if (tan.der | partial[i].der)
			return false;
		double term = partial[i].raw.f * tan.raw.f;
		total = first ? term : total + term;
		first = false;
	}
	*sum = (Slot){{.f = t == PT_F64 ? total : (double)(float)total}, 0};
	return true;
}

static Slot total_tangent(Interp *in, PrimType t, int n, const Slot *x, int set,
                          const Slot *partial)
{
	Slot sum = {{0}, 0};
	bool first = true;
	if (plain_tangent(t, n, x, set, partial, &sum))
		return sum;
	for (int i = 0; i < n; i++) {
		if (!(set >> i & 1))
			continue;
		Slot term = ad_arith(in, P_mul, t, partial[i], der_cell(x[i].der)->tan);
		if (!first) {
			Slot more = ad_arith(in, P_add, t, sum, term);
			der_release(in, sum.der);
			der_release(in, term.der);
			term = more;
		}
		sum = term;
		first = false;
	}
	return sum;
}

static Der ad_result(Interp *in, uint32_t level, PrimType t, int n, const Slot *x, int set,
                     const Slot *partial, Der low)
{
	Tape *tape = in->levels[level].tape;
	if (!tape)
		return der_of_tangent(in, level, low, total_tangent(in, t, n, x, set, partial));
	Slot coef[3];
	uint32_t parent[3];
	int k = 0;
	for (int i = 0; i < n; i++)
		if (set >> i & 1) {
			coef[k] = partial[i];
			parent[k++] = der_node(x[i].der);
		}
	return der_of_node(in, level, tape_push(in, tape, t, false, k, coef, parent), low);
}

Der ad_prim(Interp *in, Prim op, PrimType t, int n, const Slot *x, Raw r)
{
	uint32_t level = 0;
	for (int i = 0; i < n; i++)
		if (der_level(x[i].der) > level)
			level = der_level(x[i].der);
	Slot low[3] = {{{0}, 0}, {{0}, 0}, {{0}, 0}}, partial[3];
	int wanted = 0;
	bool passes = false;
	Der below = 0;
	for (int i = 0; i < n; i++) {
		low[i] = x[i];
		if (der_level(x[i].der) == level) {
			char column = ad_column(op, i);
			low[i].der = der_low(x[i].der);
			passes |= column == COLUMN_PASS;
			wanted |= (column != COLUMN_ZERO) << i;
		}
		below |= low[i].der;
	}
	Slot lr = {r, below ? ad_prim(in, op, t, n, low, r) : 0};
	if (!wanted)
		return lr.der;
	if (passes)
		return ad_pass(in, t, prim_result(op, t), x[0], true, lr.der);
	int set = partials(in, op, t, n, low, lr, wanted, !below, partial);
	Der d = set ? ad_result(in, level, t, n, x, set, partial, lr.der) : lr.der;
	for (int i = 0; i < n; i++)
		if (set >> i & 1)
			der_release(in, partial[i].der);
	return d;
}

// ---- Forward mode ----

// An argument with its tangent, both retained.  An integer whose tangent is zero stays as it is,
// which keeps index arrays plain; not so a float: zero times an infinite derivative is not a
// number.
static Slot dual(Interp *in, PrimType t, uint32_t level, Slot x, Slot tan)
{
	if (!tan.der && !is_float(t) && tan.raw.u == 0)
		return x;
	return (Slot){x.raw, der_of_tangent(in, level, x.der, tan)};
}

static Slot dual_arg(Interp *in, const Arg *arg, uint32_t level, Slot x, Slot tan)
{
	PrimType t = (PrimType)arg->elem;
	if (arg->kind != K_ARRAY)
		return dual(in, t, level, slot_retain(K_SCALAR, x), slot_retain(K_SCALAR, tan));
	const Arr *a = x.raw.arr, *ta = tan.raw.arr;
	if (!same_shape(a, ta))
		run_fail(in, "The shape of a tangent differs from that of the argument.");
	Arr *r = arr_new(in, t, a->rank, a->dim, false);
	Places pt = places_of(ta);
	int64_t to = 0;
	for (PLACES(p, a)) {
		elem_put(in, r, to++, dual(in, t, level, elem_get(a, p.at), elem_get(ta, pt.at)));
		places_next(&pt);
	}
	return (Slot){{.arr = r}, 0};
}

static Slot tangent_of(Der d, uint32_t level)
{
	return der_level(d) == level ? slot_retain(K_SCALAR, der_cell(d)->tan) : (Slot){{0}, 0};
}

static Slot tangent_at(Interp *in, const Arg *arg, Slot s, uint32_t level)
{
	if (arg->kind != K_ARRAY)
		return tangent_of(s.der, level);
	const Arr *a = s.raw.arr;
	Arr *r = arr_new(in, (PrimType)a->buf->type, a->rank, a->dim, true);
	int64_t to = 0;
	if (a->buf->der)
		for (PLACES(p, a))
			elem_put(in, r, to++, tangent_of(a->buf->der[p.at], level));
	return (Slot){{.arr = r}, 0};
}

// Runs the function once with the tangents of seed number `seed`, or (-1) without any;
// gives primal results and their tangents.
static void forward(Interp *in, Frame *f, const IDiff *d, int64_t seed, Slot *primal, Slot *tangent)
{
	uint32_t level = level_push(in, NULL);
	const Args *res = &d->fn.body.res;
	for (int i = 0; i < d->args.len; i++) {
		const Arg *arg = &d->args.at[i];
		Slot x = *slot_of(f, arg->o), v;
		if (seed < 0 || d->none[i]) {
			v = arg->kind == K_ARRAY ? (Slot){{.arr = arr_copy(in, x.raw.arr)}, 0}
			                         : slot_retain(K_SCALAR, x);
		} else {
			Slot tan = *slot_of(f, d->seeds.at[i].o);
			tan = d->many ? row_get(in, tan.raw.arr, seed)
			              : slot_retain((Kind)arg->kind, tan);
			v = dual_arg(in, arg, level, x, tan);
			slot_release(in, (Kind)arg->kind, tan);
		}
		slot_move(in, &d->fn.params.at[i], f, v);
	}
	exec(in, f, &d->fn.body);
	for (int i = 0; i < res->len; i++) {
		Slot s = *slot_of(f, res->at[i].o);
		primal[i] = primal_at(in, (Kind)res->at[i].kind, s, level);
		tangent[i] = tangent_at(in, &res->at[i], s, level);
	}
	body_end(in, f, &d->fn.body);
	level_pop(in);
}

// Many tangents are done one after the other.
static void forward_many(Interp *in, Frame *f, const Ins *ins, const IDiff *d)
{
	const Args *res = &d->fn.body.res;
	int n_res = res->len;
	int64_t n = slot_of(f, d->n)->raw.i;
	Slot primal[n_res + 1], tangent[n_res + 1];
	Arr *rows[n_res + 1];
	for (int i = 0; i < n_res; i++)
		rows[i] = rows_new(in, f, &ins->dst.at[n_res + i], n);
	for (int64_t seed = n > 0 ? 0 : -1; seed < n; seed++) {
		forward(in, f, d, seed, primal, tangent);
		for (int i = 0; i < n_res; i++) {
			if (seed <= 0)
				slot_move(in, &ins->dst.at[i], f, primal[i]);
			else
				slot_release(in, (Kind)res->at[i].kind, primal[i]);
			if (seed >= 0)
				row_put(in, rows[i], seed, &tangent[i]);
			slot_release(in, (Kind)res->at[i].kind, tangent[i]);
		}
	}
	for (int i = 0; i < n_res; i++)
		slot_move(in, &ins->dst.at[n_res + i], f, (Slot){{.arr = rows[i]}, 0});
}

void run_jvp(Interp *in, Frame *f, const Ins *ins)
{
	const IDiff *d = ins->ext;
	int n_res = d->fn.body.res.len;
	if (d->many) {
		forward_many(in, f, ins, d);
		return;
	}
	Slot primal[n_res + 1], tangent[n_res + 1];
	forward(in, f, d, 0, primal, tangent);
	for (int i = 0; i < n_res; i++) {
		slot_move(in, &ins->dst.at[i], f, primal[i]);
		slot_move(in, &ins->dst.at[n_res + i], f, tangent[i]);
	}
}
