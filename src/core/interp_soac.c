// Second-order combinators, run one element after the other.
//
// A lambda's parameters and the running values of scans and reductions are slots of the
// frame, so nothing is allocated per element unless elements are arrays.  Reductions fold
// from the left starting with the neutral element; in a scatter the last write wins.
#include "core/interp.h"

static int64_t length(Interp *in, const Frame *f, Opnd n)
{
	int64_t len = slot_of(f, n)->raw.i;
	if (len < 0)
		run_fail(in, "Range 0..1..<%lld is invalid.", (long long)len);
	return len;
}

// Checks the inputs of a combinator over n elements.
static void check_inputs(Interp *in, const Frame *f, Args arrs, int64_t n)
{
	for (int i = 0; i < arrs.len; i++) {
		const Arr *a = slot_of(f, arrs.at[i].o)->raw.arr;
		if (arrs.at[i].kind == K_ARRAY && a->dim[0] < n)
			run_fail(in, "A combinator over %lld elements has an input of %lld.",
			         (long long)n, (long long)a->dim[0]);
	}
}

// Runs the lambda of a combinator on the elements at i; an accumulator is passed on whole.
static void run_element(Interp *in, Frame *f, const ILambda *l, Args arrs, int64_t i)
{
	for (int k = 0; k < arrs.len; k++) {
		const Slot *s = slot_of(f, arrs.at[k].o);
		if (arrs.at[k].kind == K_ARRAY)
			slot_move(in, &l->params.at[k], f, row_get(in, s->raw.arr, i));
		else
			f->at[l->params.at[k].o] = *s;
	}
	exec(in, f, &l->body);
}

Arr *rows_new(Interp *in, const Frame *f, const Arg *dst, int64_t n)
{
	int64_t shape[dst->dims.len + 1];
	shape[0] = n;
	for (int d = 1; d < dst->dims.len; d++)
		shape[d] = slot_of(f, dst->dims.at[d])->raw.i;
	return arr_new(in, (PrimType)dst->elem, dst->dims.len, shape, false);
}

// ---- Map, scan, reduce ----

// Before the first element the left operands are the neutral element; arrays are copied, for
// the operator may consume them.
static void red_begin(Interp *in, Frame *f, const IRed *r)
{
	for (int k = 0; k < r->ne.len; k++) {
		Slot v = *slot_of(f, r->ne.at[k].o);
		if (r->ne.at[k].kind == K_ARRAY)
			v.raw.arr = arr_copy(in, v.raw.arr);
		else
			der_retain(v.der);
		slot_move(in, &r->op.params.at[k], f, v);
	}
}

// The elements of y that equal those of x, with their derivatives.
static Slot prefer(Interp *in, Kind kind, Slot y, Slot x)
{
	if (kind == K_SCALAR) {
		if (y.raw.u != x.raw.u)
			return y;
		slot_release(in, kind, y);
		return slot_retain(kind, x);
	}
	Arr *out = arr_copy(in, y.raw.arr);
	Kind of = out->rank == 1 ? K_SCALAR : K_ARRAY;
	for (int64_t i = 0; i < out->dim[0]; i++) {
		Slot from = row_get(in, x.raw.arr, i);
		Slot to = prefer(in, of, row_get(in, out, i), from);
		row_put(in, out, i, &to);
		slot_release(in, of, to);
		slot_release(in, of, from);
	}
	slot_release(in, kind, y);
	return (Slot){{.arr = out}, 0};
}

// Combines the running values (left operands) with the results of the map from `first` on.
// min and max of equal values take the left one; but the derivative is that of the first element
// even where this one equals the neutral element.
static void red_step(Interp *in, Frame *f, const IRed *r, const Args *res, int first, int64_t i)
{
	int n = r->ne.len;
	Slot next[n + 1];
	for (int k = 0; k < n; k++) {
		const Arg *a = &res->at[first + k];
		Slot v = slot_retain((Kind)a->kind, *slot_of(f, a->o));
		slot_move(in, &r->op.params.at[n + k], f, v);
	}
	exec(in, f, &r->op.body);
	body_results(in, f, &r->op.body, next);
	const Arg *x = &res->at[first];
	if (r->selects && i == 0)
		next[0] = prefer(in, (Kind)x->kind, next[0], *slot_of(f, x->o));
	for (int k = 0; k < n; k++)
		slot_move(in, &r->op.params.at[k], f, next[k]);
}

// Hands the running values over to the statement's results.
static void red_end(Interp *in, Frame *f, const IRed *r, const Arg *dst)
{
	for (int k = 0; k < r->ne.len; k++) {
		Slot *s = &f->at[r->op.params.at[k].o];
		if (dst)
			slot_move(in, &dst[k], f, *s);
		else
			slot_release(in, (Kind)r->ne.at[k].kind, *s);
		*s = (Slot){{0}, 0};
	}
}

typedef struct { int n_scanned, n_reduced; } Parts;

static Parts screma_parts(const IScrema *s)
{
	Parts p = {0, 0};
	for (int i = 0; i < s->n_scans; i++)
		p.n_scanned += s->scans[i].ne.len;
	for (int i = 0; i < s->n_reds; i++)
		p.n_reduced += s->reds[i].ne.len;
	return p;
}

static void screma_element(Interp *in, Frame *f, const IScrema *s, Parts p, Arr **out, int64_t i)
{
	const Args *res = &s->map.body.res;
	run_element(in, f, &s->map, s->arrs, i);
	int at = 0;
	for (int k = 0; k < s->n_scans; k++) {
		const IRed *r = &s->scans[k];
		red_step(in, f, r, res, at, i);
		for (int j = 0; j < r->ne.len; j++)
			row_put(in, out[at + j], i, &f->at[r->op.params.at[j].o]);
		at += r->ne.len;
	}
	for (int k = 0; k < s->n_reds; k++) {
		red_step(in, f, &s->reds[k], res, at, i);
		at += s->reds[k].ne.len;
	}
	for (int k = p.n_scanned + p.n_reduced; k < res->len; k++)
		if (out[k])
			row_put(in, out[k], i, slot_of(f, res->at[k].o));
	body_end(in, f, &s->map.body);
}

void run_screma(Interp *in, Frame *f, const Ins *ins)
{
	const IScrema *s = ins->ext;
	int64_t n = length(in, f, s->n);
	Parts p = screma_parts(s);
	int n_out = ins->dst.len;
	Arr *out[n_out + 1];
	check_inputs(in, f, s->arrs, n);
	for (int k = 0; k < n_out; k++) {
		bool reduced = k >= p.n_scanned && k < p.n_scanned + p.n_reduced;
		bool has_array = !reduced && ins->dst.at[k].kind == K_ARRAY;
		out[k] = has_array ? rows_new(in, f, &ins->dst.at[k], n) : NULL;
	}
	for (int k = 0; k < s->n_scans; k++)
		red_begin(in, f, &s->scans[k]);
	for (int k = 0; k < s->n_reds; k++)
		red_begin(in, f, &s->reds[k]);
	if (n > 1 && s->alike && gives_nothing(f, s, &ins->dst, out))
		n = 1;
	for (int64_t i = 0; i < n; i++)
		screma_element(in, f, s, p, out, i);
	for (int k = 0; k < s->n_scans; k++)
		red_end(in, f, &s->scans[k], NULL);
	for (int k = 0, at = p.n_scanned; k < s->n_reds; at += s->reds[k++].ne.len)
		red_end(in, f, &s->reds[k], &ins->dst.at[at]);
	for (int k = 0; k < n_out; k++)
		if (out[k])
			slot_move(in, &ins->dst.at[k], f, (Slot){{.arr = out[k]}, 0});
		else if (ins->dst.at[k].kind == K_ACC)
			f->at[ins->dst.at[k].o] = *slot_of(f, s->arrs.at[s->acc_of[k]].o);
}

// ---- Writing at computed places ----

// The place that indices name in the outer dimensions of an array; false when outside.
static bool locate(const Frame *f, const Arg *idx, int n, const Arr *a, int64_t *at)
{
	*at = a->off;
	for (int d = 0; d < n; d++) {
		int64_t i = slot_of(f, idx[d].o)->raw.i;
		if (i < 0 || i >= a->dim[d])
			return false;
		*at += i * arr_strides(a)[d];
	}
	return true;
}

// The part of an array from its dimension d on, at a place: a scalar or a view; retained.
static Slot part_get(Interp *in, const Arr *a, int d, int64_t at)
{
	int rank = a->rank - d;
	if (rank == 0)
		return elem_get(a, at);
	Arr *v = arr_view(in, a, rank);
	v->off = at;
	for (int k = 0; k < rank; k++) {
		v->dim[k] = a->dim[d + k];
		v->dim[rank + k] = arr_strides(a)[d + k];
	}
	return (Slot){{.arr = v}, 0};
}

static void part_put(Interp *in, const Arr *a, int d, int64_t at, const Slot *v)
{
	if (a->rank == d) {
		elem_put(in, a, at, slot_retain(K_SCALAR, *v));
		return;
	}
	Slot part = part_get(in, a, d, at);
	arr_copy_to(in, part.raw.arr, v->raw.arr);
	arr_release(in, part.raw.arr);
}

static Arr *writable_of(Interp *in, const Frame *f, const Arg *a)
{
	return arr_writable(in, slot_of(f, a->o)->raw.arr);
}

void run_scatter(Interp *in, Frame *f, const Ins *ins)
{
	const IScatter *s = ins->ext;
	int64_t n = length(in, f, s->n);
	Arr *dest[s->n_dests + 1];
	int n_idx = 0;
	check_inputs(in, f, s->arrs, n);
	for (int k = 0; k < s->n_dests; k++) {
		dest[k] = writable_of(in, f, &s->dests[k].dest);
		n_idx += s->dests[k].space.len * s->dests[k].n_writes;
	}
	const Arg *res = s->map.body.res.at;
	for (int64_t i = 0; i < n; i++) {
		run_element(in, f, &s->map, s->arrs, i);
		int idx = 0, val = n_idx;
		for (int k = 0; k < s->n_dests; k++) {
			int d = s->dests[k].space.len;
			for (int w = 0; w < s->dests[k].n_writes; w++, idx += d, val++) {
				int64_t at;
				if (locate(f, &res[idx], d, dest[k], &at))
					part_put(in, dest[k], d, at, slot_of(f, res[val].o));
			}
		}
		body_end(in, f, &s->map.body);
	}
	for (int k = 0; k < s->n_dests; k++)
		slot_move(in, &ins->dst.at[k], f, (Slot){{.arr = dest[k]}, 0});
}

// Combines values into the places of `arrs`: what is there is the left operand.  The
// operator may begin with parameters for the index.
static void combine(Interp *in, Frame *f, const ILambda *op, Arr *const *arrs, int n, int d,
                    const int64_t *at, const Slot *vals)
{
	int first = op->params.len - 2 * n;
	Slot next[n + 1];
	for (int k = 0; k < n; k++) {
		Kind kind = arrs[k]->rank == d ? K_SCALAR : K_ARRAY;
		slot_move(in, &op->params.at[first + k], f, part_get(in, arrs[k], d, at[k]));
		slot_move(in, &op->params.at[first + n + k], f, slot_retain(kind, vals[k]));
	}
	exec(in, f, &op->body);
	body_results(in, f, &op->body, next);
	for (int k = 0; k < n; k++) {
		part_put(in, arrs[k], d, at[k], &next[k]);
		slot_release(in, arrs[k]->rank == d ? K_SCALAR : K_ARRAY, next[k]);
	}
}

static void hist_element(Interp *in, Frame *f, const IHistOp *op, Arr *const *dest, const Arg *idx,
                         const Arg *val)
{
	int n = op->dests.len, d = op->space.len;
	int64_t at[n + 1];
	Slot vals[n + 1];
	for (int k = 0; k < n; k++) {
		if (!locate(f, idx, d, dest[k], &at[k]))
			return;
		vals[k] = *slot_of(f, val[k].o);
	}
	combine(in, f, &op->op, dest, n, d, at, vals);
}

void run_hist(Interp *in, Frame *f, const Ins *ins)
{
	const IHist *h = ins->ext;
	int64_t n = length(in, f, h->n);
	Arr *dest[ins->dst.len + 1];
	int n_idx = 0, n_dest = 0;
	check_inputs(in, f, h->arrs, n);
	for (int k = 0; k < h->n_ops; k++) {
		n_idx += h->ops[k].space.len;
		for (int j = 0; j < h->ops[k].dests.len; j++)
			dest[n_dest++] = writable_of(in, f, &h->ops[k].dests.at[j]);
	}
	const Arg *res = h->map.body.res.at;
	for (int64_t i = 0; i < n; i++) {
		run_element(in, f, &h->map, h->arrs, i);
		for (int k = 0, idx = 0, val = 0; k < h->n_ops; k++) {
			const IHistOp *op = &h->ops[k];
			hist_element(in, f, op, dest + val, &res[idx], &res[n_idx + val]);
			idx += op->space.len;
			val += op->dests.len;
		}
		body_end(in, f, &h->map.body);
	}
	for (int k = 0; k < n_dest; k++)
		slot_move(in, &ins->dst.at[k], f, (Slot){{.arr = dest[k]}, 0});
}

// ---- Accumulators ----

// It belongs to the withacc that makes it and is passed around by address.
struct Acc { const IAccInput *input; Arr **arrs; };

void run_withacc(Interp *in, Frame *f, const Ins *ins)
{
	const IWithAcc *w = ins->ext;
	Acc accs[w->n_inputs + 1];
	Arr *arrs[ins->dst.len + 1];
	int n = 0;
	for (int k = 0; k < w->n_inputs; k++) {
		const IAccInput *input = &w->inputs[k];
		accs[k] = (Acc){input, arrs + n};
		for (int j = 0; j < input->arrs.len; j++)
			arrs[n++] = writable_of(in, f, &input->arrs.at[j]);
		f->at[w->fn.params.at[w->n_inputs + k].o].raw.acc = &accs[k];
	}
	exec(in, f, &w->fn.body);
	const Args *res = &w->fn.body.res;
	for (int k = w->n_inputs; k < res->len; k++) {
		const Arg *r = &res->at[k];
		slot_move(in, &ins->dst.at[n + k - w->n_inputs], f,
		          slot_retain((Kind)r->kind, *slot_of(f, r->o)));
	}
	body_end(in, f, &w->fn.body);
	for (int k = 0; k < n; k++)
		slot_move(in, &ins->dst.at[k], f, (Slot){{.arr = arrs[k]}, 0});
}

static void acc_write(Interp *in, Frame *f, const Acc *acc, const IUpdAcc *u, const int64_t *at)
{
	int n = u->vals.len, d = u->idx.len;
	Slot vals[n + 1];
	for (int k = 0; k < n; k++)
		vals[k] = *slot_of(f, u->vals.at[k].o);
	if (!acc->input->has_op) {
		for (int k = 0; k < n; k++)
			part_put(in, acc->arrs[k], d, at[k], &vals[k]);
		return;
	}
	const ILambda *op = &acc->input->op;
	for (int k = 0; k < op->params.len - 2 * n && k < d; k++)
		f->at[op->params.at[k].o].raw = slot_of(f, u->idx.at[k])->raw;
	combine(in, f, op, acc->arrs, n, d, at, vals);
}

void run_upd_acc(Interp *in, Frame *f, const Ins *ins)
{
	const IUpdAcc *u = ins->ext;
	const Acc *acc = slot_of(f, ins->x[0])->raw.acc;
	int n = u->vals.len;
	int64_t at[n + 1];
	Arg idx[u->idx.len + 1];
	for (int d = 0; d < u->idx.len; d++)
		idx[d] = (Arg){.o = u->idx.at[d]};
	bool inside = true;
	for (int k = 0; k < n && inside; k++)
		inside = locate(f, idx, u->idx.len, acc->arrs[k], &at[k]);
	if (inside)
		acc_write(in, f, acc, u, at);
	f->at[ins->dst.at->o] = *slot_of(f, ins->x[0]);
}

// ---- Irregular maps ----

// Joins the segments that the elements gave, releasing them.
static Arr *join_segments(Interp *in, const Frame *f, const Arg *dst, Arr **segs, int64_t n,
                          int64_t total)
{
	Arr *r = rows_new(in, f, dst, total);
	int64_t at = 0;
	for (int64_t i = 0; i < n; i++) {
		Arr *part = arr_view(in, r, r->rank);
		memcpy(part->dim, r->dim, 2 * (size_t)r->rank * sizeof(int64_t));
		part->dim[0] = segs[i]->dim[0];
		part->off = at * arr_strides(r)[0];
		arr_copy_to(in, part, segs[i]);
		at += part->dim[0];
		arr_release(in, part);
		arr_release(in, segs[i]);
	}
	return r;
}

// The segments of all elements are kept until the total length is known, in an array of
// addresses that is memory of the interpreter like any other.
void run_flatmap(Interp *in, Frame *f, const Ins *ins)
{
	const IFlatmap *fm = ins->ext;
	int64_t n = length(in, f, fm->n), total = 0;
	int n_data = fm->n_data, n_uniform = ins->dst.len - 2 - n_data;
	const Args *res = &fm->map.body.res;
	check_inputs(in, f, fm->arrs, n);
	Arr *lengths = arr_new(in, PT_I64, 1, &n, false), *uniform[n_uniform + 1];
	int64_t keep[2] = {n_data, n};
	Arr *kept = arr_new(in, PT_U64, 2, keep, true);
	Arr **segs = kept->buf->data;
	for (int k = 0; k < n_uniform; k++)
		uniform[k] = rows_new(in, f, &ins->dst.at[2 + n_data + k], n);
	for (int64_t i = 0; i < n; i++) {
		run_element(in, f, &fm->map, fm->arrs, i);
		int64_t len = slot_of(f, res->at[0].o)->raw.i;
		total += len;
		buf_store(lengths->buf, i, (Raw){.i = len});
		for (int k = 0; k < n_data; k++)
			segs[k * n + i] = arr_retain(slot_of(f, res->at[1 + k].o)->raw.arr);
		for (int k = 0; k < n_uniform; k++)
			row_put(in, uniform[k], i, slot_of(f, res->at[1 + n_data + k].o));
		body_end(in, f, &fm->map.body);
	}
	slot_move(in, &ins->dst.at[0], f, (Slot){{.i = total}, 0});
	slot_move(in, &ins->dst.at[1], f, (Slot){{.arr = lengths}, 0});
	for (int k = 0; k < n_data; k++) {
		const Arg *dst = &ins->dst.at[2 + k];
		Arr *joined = join_segments(in, f, dst, segs + k * n, n, total);
		slot_move(in, dst, f, (Slot){{.arr = joined}, 0});
	}
	for (int k = 0; k < n_uniform; k++)
		slot_move(in, &ins->dst.at[2 + n_data + k], f, (Slot){{.arr = uniform[k]}, 0});
	arr_release(in, kept);
}
