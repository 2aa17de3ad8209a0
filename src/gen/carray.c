// Statements that write arrays: copies, fills, sequences, literals, updates.
//
// A view describes how to access the elements of an array or slice.  Copies between views are loop
// nests; the innermost dimensions that are contiguous in both become one memcpy:
//
//     let (ys: [n][m]i8) = copy xs   ->   memcpy(&ys[0], &xs[0], (size_t)(n * m) * sizeof(int8_t));
//
// If the two sides are contiguous along different dimensions (a transposition), both dimensions are
// tiled, so that each cache line is fully used before it is evicted.
//
// Kernels have no memcpy; code that all threads of a block reach together is divided among them:
//
//     for (int64_t k = rd_local_id(); k < n * m; k += rd_local_size())
//         ys[...] = xs[...];
#include "gen/cgen.h"

#include "mem/mem.h"

typedef struct {
	Type type;                      // of the whole array
	int rank;
	CExp *dims;                     // of the view
	CExp *index;                    // into the whole array, to be completed
	int *at;                        // the dimensions of the whole array that it has
	CExp *steps;
	int packed;                     // dimensions from this one on are contiguous
} View;

static View view_new(Type t)
{
	int n = t.dims.len;
	CExp *all = NEW_ARRAY(CExp, 3 * n);
	return (View){.type = t, .dims = all, .index = all + n, .steps = all + 2 * n,
	              .at = NEW_ARRAY(int, n)};
}

// Operands are written several times, so they have to be variables or literals.
static CExp simple(Gen *g, const char *hint, Sub s)
{
	CExp x = operand(g, s);
	if (s.kind == S_CONST)
		return c_atom(c_paren(x, PREC_ATOM));
	if (x.prec == PREC_ATOM && !strpbrk(x.text, "[("))
		return x;
	const char *name = fresh_name(g, hint);
	line(g, "int64_t %s = %s;", name, x.text);
	return c_atom(name);
}

// The first dimension from which on the array is contiguous.
static int packed_from(Type t)
{
	const Subs *strides = &t.mem->strides;
	if (!strides->len)
		return 0;
	return t.dims.len - (sub_eq(strides->at[strides->len - 1], sub_i64(1)) ? 1 : 0);
}

static View view_of(Gen *g, Type t)
{
	View v = view_new(t);
	v.rank = t.dims.len;
	for (int i = 0; i < v.rank; i++) {
		v.dims[i] = simple(g, "n", t.dims.at[i]);
		v.index[i] = c_atom("0");
		v.steps[i] = c_atom("1");
		v.at[i] = i;
	}
	v.packed = g->target == ON_DEVICE ? v.rank : packed_from(t);
	return v;
}

// What an update writes to: contiguous from the first dimension on behind which all are taken
// whole.  Its sizes are those of what is written, which may have other names.
static View view_of_slice(Gen *g, Type t, Slices at)
{
	View v = view_new(t);
	int contiguous = packed_from(t), whole = at.len;
	while (whole > 0 && is_whole_dim(at.at[whole - 1], t.dims.at[whole - 1]))
		whole--;
	if (whole > 0 && !at.at[whole - 1].fixed && sub_eq(at.at[whole - 1].step, sub_i64(1)))
		whole--;
	if (contiguous < whole)
		contiguous = whole;
	for (int i = 0; i < at.len; i++) {
		DimSlice s = at.at[i];
		v.index[i] = simple(g, "at", s.start);
		if (s.fixed)
			continue;
		v.steps[v.rank] = simple(g, "step", s.step);
		v.at[v.rank] = i;
		v.packed += i < contiguous || g->target == ON_DEVICE;
		v.rank++;
	}
	return v;
}

// The element (or what begins) at index 0 of the dimensions of the view from `first` on, and
// at `i` of those before.
static const char *at_index(Gen *g, const View *v, const CExp *i, int first)
{
	CExp index[MAX_RANK];
	memcpy(index, v->index, (size_t)v->type.dims.len * sizeof *index);
	for (int d = 0; d < first; d++)
		index[v->at[d]] = index_sum(v->index[v->at[d]], index_product(i[d], v->steps[d]));
	return element(g, v->type, index).text;
}

// One loop over all elements, for the threads of a block together.
static int open_shared_loop(Gen *g, const CExp *dims, int to, CExp *i)
{
	const char *k = fresh_name(g, "k");
	if (to == 0) {
		open_brace(g, "if (rd_local_id() == 0)");
		return 1;
	}
	CExp n = dims[0];
	for (int d = 1; d < to; d++)
		n = index_product(n, dims[d]);
	open_brace(g, "for (int64_t %s = rd_local_id(); %s < %s; %s += rd_local_size())", k, k,
	           n.text, k);
	for (int d = to; d-- > 0; ) {
		if (d == 0) {
			i[0] = c_atom(k);
			break;
		}
		const char *rest = fresh_name(g, "rest"), *name = fresh_name(g, "i");
		line(g, "int64_t %s = rd_div_index(%s, %s);", rest, k, dims[d].text);
		line(g, "int64_t %s = %s - %s * %s;", name, k, rest, dims[d].text);
		i[d] = c_atom(name);
		k = rest;
	}
	return 1;
}

// for (i = 0; i < n; i++), for the dimensions before `to`; gives the number of braces to close.
static int open_loops(Gen *g, const CExp *dims, int to, CExp *i)
{
	if (g->at_block)
		return open_shared_loop(g, dims, to, i);
	for (int d = 0; d < to; d++) {
		i[d] = c_atom(fresh_name(g, "i"));
		const char *name = i[d].text;
		open_brace(g, "for (int64_t %s = 0; %s < %s; %s++)", name, name, dims[d].text,
		           name);
	}
	return to;
}

enum { TILE = 16 };

// The dimension along which the array is contiguous, or -1.
static int unit_dimension(const View *v)
{
	const Subs *strides = &v->type.mem->strides;
	for (int d = 0; d < v->rank; d++)
		if (strcmp(v->steps[d].text, "1") == 0 &&
		    (strides->len ? sub_eq(strides->at[v->at[d]], sub_i64(1))
		                  : v->at[d] == v->type.dims.len - 1))
			return d;
	return -1;
}

// for (i_0 = 0; i_0 < n; i_0 += 16), and the loop inside of it over i.
static void open_tile(Gen *g, CExp n, const char *tile)
{
	open_brace(g, "for (int64_t %s = 0; %s < %s; %s += %d)", tile, tile, n.text, tile, TILE);
}

static void open_in_tile(Gen *g, CExp n, const char *tile, CExp *i)
{
	const char *end = fresh_name(g, "end"), *name = fresh_name(g, "i");
	line(g, "int64_t %s = %s + %d < %s ? %s + %d : %s;", end, tile, TILE, n.text, tile, TILE,
	     n.text);
	open_brace(g, "for (int64_t %s = %s; %s < %s; %s++)", name, tile, name, end, name);
	*i = c_atom(name);
}

// Loops over all dimensions, with those of a and b in tiles; gives the number of braces to close.
static int open_tiled_loops(Gen *g, const View *v, int a, int b, CExp *i)
{
	const char *tile_a = fresh_name(g, "tile"), *tile_b = fresh_name(g, "tile");
	for (int d = 0; d < v->rank; d++)
		if (d != a && d != b) {
			const char *name = fresh_name(g, "i");
			i[d] = c_atom(name);
			open_brace(g, "for (int64_t %s = 0; %s < %s; %s++)", name, name,
			           v->dims[d].text, name);
		}
	open_tile(g, v->dims[a], tile_a);
	open_tile(g, v->dims[b], tile_b);
	open_in_tile(g, v->dims[a], tile_a, &i[a]);
	open_in_tile(g, v->dims[b], tile_b, &i[b]);
	return v->rank + 2;
}

static void close_loops(Gen *g, int n)
{
	while (n-- > 0)
		close_brace(g);
}

static CExp count(const CExp *dims, int from, int to)
{
	CExp n = c_atom("1");
	for (int d = from; d < to; d++)
		n = index_product(n, dims[d]);
	return n;
}

// An empty array may lie anywhere: not even the address of its elements is to be taken.
static bool is_empty(const View *v)
{
	for (int d = 0; d < v->rank; d++)
		if (strcmp(v->dims[d].text, "0") == 0)
			return true;
	return false;
}

static void copy_views(Gen *g, const View *to, const View *from)
{
	if (is_empty(from))
		return;
	CExp i[MAX_RANK];
	int rank = to->rank, packed = to->packed > from->packed ? to->packed : from->packed;
	int a = unit_dimension(from), b = unit_dimension(to), n_loops;
	begin_store(g, to->type);
	if (g->target == ON_CPU && packed == rank && a >= 0 && b >= 0 && a != b)
		n_loops = open_tiled_loops(g, from, a, b, i);
	else
		n_loops = open_loops(g, from->dims, packed, i);
	const char *dst = at_index(g, to, i, packed), *src = at_index(g, from, i, packed);
	if (packed < rank)
		line(g, "memcpy(&%s, &%s, (size_t)%s * sizeof(%s));", dst, src,
		     c_paren(count(from->dims, packed, rank), PREC_ATOM),
		     c_elem_type(to->type.elem));
	else
		line(g, "%s = %s;", dst, src);
	close_loops(g, n_loops);
	g->block_reads = true;
	end_store(g);
}

void gen_copy(Gen *g, Type to, Type from)
{
	settle_loads(g);
	View t = view_of(g, to), f = view_of(g, from);
	copy_views(g, &t, &f);
}

static const char *in_memory(Gen *g, PrimType elem, CExp value)
{
	if (elem != PT_F16)
		return value.text;
	rts_use(g->rts, "rd_half_of_float");
	return text("rd_half_of_float(%s)", value.text);
}

void gen_update(Gen *g, const Exp *e)
{
	Type arr = sub_type(e->update.arr), val = sub_type(e->update.val);
	if (!type_is_scalar(val)) {
		settle_loads(g);
		View to = view_of_slice(g, arr, e->update.at), from = view_of(g, val);
		copy_views(g, &to, &from);
		return;
	}
	CExp index[MAX_RANK];
	for (int i = 0; i < e->update.at.len; i++)
		index[i] = operand(g, e->update.at.at[i].start);
	CExp x = operand(g, e->update.val);
	const char *value = g->rates ? NULL : in_memory(g, arr.elem, x);
	const char *dst = element(g, arr, index).text;
	settle_loads(g);
	begin_store(g, arr);
	if (g->rates)
		vector_store(g, e, dst, x);
	else if (g->at_block)
		line(g, "if (rd_local_id() == 0) %s = %s;", dst, value);
	else if (g->shared_store && g->target == ON_CPU)
		shared_store(g, dst, value);
	else
		line(g, "%s = %s;", dst, value);
	end_store(g);
}

// start + i * step in the type of the elements.
void gen_iota(Gen *g, const Exp *e, Type t)
{
	PrimType elem = e->iota.type;
	settle_loads(g);
	View v = view_of(g, t);
	CExp start = operand(g, e->iota.start), step = operand(g, e->iota.step), i[1];
	begin_store(g, t);
	open_loops(g, v.dims, 1, i);
	CExp x = c_convert(g->rts, PT_I64, elem, i[0]);
	if (!sub_eq(e->iota.step, sub_const(scalar_int(elem, 1))))
		x = c_prim(g->rts, P_mul, elem, (CExp[3]){x, step});
	if (!sub_eq(e->iota.start, sub_const(scalar_int(elem, 0))))
		x = c_prim(g->rts, P_add, elem, (CExp[3]){start, x});
	line(g, "%s = %s;", at_index(g, &v, i, 1), in_memory(g, elem, x));
	close_loops(g, 1);
	end_store(g);
}

// All bits zero?  Then memset does it.
static bool is_zero(Sub s)
{
	return s.kind == S_CONST && scalar_eq_bits(s.val, scalar_int(s.val.type, 0));
}

static void fill(Gen *g, Type t, Sub x)
{
	settle_loads(g); // the value among them: it may be computed from what is overwritten
	View v = view_of(g, t);
	const char *value = in_memory(g, t.elem, operand(g, x));
	CExp i[MAX_RANK];
	bool clear = is_zero(x) && v.packed < v.rank;
	begin_store(g, t);
	int n_loops = open_loops(g, v.dims, clear ? v.packed : v.rank, i);
	if (clear)
		line(g, "memset(&%s, 0, (size_t)%s * sizeof(%s));", at_index(g, &v, i, v.packed),
		     c_paren(count(v.dims, v.packed, v.rank), PREC_ATOM), elem_type(g, t.elem));
	else
		line(g, "%s = %s;", at_index(g, &v, i, v.rank), value);
	close_loops(g, n_loops);
	end_store(g);
}

// The array repeated is the same for each of the new outer dimensions.
void gen_replicate(Gen *g, const Exp *e, Type t)
{
	Type x = sub_type(e->replicate.x);
	if (type_is_scalar(x)) {
		fill(g, t, e->replicate.x);
		return;
	}
	settle_loads(g);
	View to = view_of(g, t), from = view_of(g, x);
	CExp i[MAX_RANK];
	int outer = t.dims.len - x.dims.len;
	int packed = to.packed > from.packed + outer ? to.packed : from.packed + outer;
	begin_store(g, t);
	int n_loops = open_loops(g, to.dims, packed, i);
	const char *dst = at_index(g, &to, i, packed);
	const char *src = at_index(g, &from, i + outer, packed - outer);
	if (packed < to.rank)
		line(g, "memcpy(&%s, &%s, (size_t)%s * sizeof(%s));", dst, src,
		     c_paren(count(to.dims, packed, to.rank), PREC_ATOM), c_elem_type(t.elem));
	else
		line(g, "%s = %s;", dst, src);
	close_loops(g, n_loops);
	g->block_reads = true;
	end_store(g);
}

void gen_literal(Gen *g, const Exp *e, Type t)
{
	for (int k = 0; k < e->array.elems.len; k++) {
		CExp index = c_atom(text("%d", k));
		const char *value = in_memory(g, t.elem, operand(g, e->array.elems.at[k]));
		const char *dst = element(g, t, &index).text;
		settle_loads(g);
		if (k == 0)
			begin_store(g, t);
		line(g, "%s%s = %s;", g->at_block ? "if (rd_local_id() == 0) " : "", dst, value);
	}
	end_store(g);
}
