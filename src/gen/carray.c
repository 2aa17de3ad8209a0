// Statements that write arrays: copies, fills, sequences, literals, updates.
//
// A view describes how to access the elements of an array or slice.  Copies between views are loop
// nests; the innermost dimensions that are contiguous in both become one memcpy:
//
//     let (ys: [n][m]i8) = copy xs   ->   memcpy(&ys[0], &xs[0], (size_t)(n * m) * sizeof(int8_t));
//
// (rd_copy, which does so in parts.)  Loops that are in no other one ask in parts whether the call
// is cancelled (cstop.c); those over several dimensions after rows, not in them.
//
// If the two sides are contiguous along different dimensions (a transposition), both dimensions are
// tiled, so that each cache line is fully used before it is evicted.
//
// Kernels have no memcpy; code that all threads of a block reach together is divided among them:
//
//     for (int64_t k = rd_local_id(); k < n * m; k += rd_local_size())
//         ys[...] = xs[...];
#include "gen/cgen.h"

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
		return x_group(x);
	if (x_is_simple(x))
		return x;
	const char *name = fresh_name(g, hint);
	s_declare(g->c, "int64_t", name, x);
	return x_name(name);
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
		v.index[i] = x_int(0);
		v.steps[i] = x_int(1);
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
static CExp at_index(Gen *g, const View *v, const CExp *i, int first)
{
	CExp index[MAX_RANK];
	memcpy(index, v->index, (size_t)v->type.dims.len * sizeof *index);
	for (int d = 0; d < first; d++)
		index[v->at[d]] = index_sum(v->index[v->at[d]], index_product(i[d], v->steps[d]));
	return element(g, v->type, index);
}

// One loop over all elements, for the threads of a block together.
static int open_shared_loop(Gen *g, const CExp *dims, int to, CExp *i)
{
	const char *k = fresh_name(g, "k");
	CExp own = x_call_none("rd_local_id"), n = dims[0];
	if (to == 0) {
		s_if(g->c, is_first_thread());
		return 1;
	}
	for (int d = 1; d < to; d++)
		n = index_product(n, dims[d]);
	s_for(g->c, (CFor){"int64_t", k, own, x_less(x_name(k), n), "+=",
	                   x_call_none("rd_local_size"), 0});
	for (int d = to; d-- > 0; ) {
		if (d == 0) {
			i[0] = x_name(k);
			break;
		}
		const char *rest = fresh_name(g, "rest"), *name = fresh_name(g, "i");
		s_declare(g->c, "int64_t", rest, x_call("rd_div_index", x_name(k), dims[d]));
		s_declare(g->c, "int64_t", name,
		          x_binary(x_name(k), "-", x_times(x_name(rest), dims[d]), PREC_ADD));
		i[d] = x_name(name);
		k = rest;
	}
	return 1;
}

void for_each(Gen *g, const char *i, CExp n)
{
	s_for(g->c, (CFor){.type = "int64_t", .i = i, .from = x_int(0),
	                   .cond = x_less(x_name(i), n)});
}

// Loops that are open: how many, and the one after which it is asked whether the call is cancelled,
// from the outermost on; 0: none.  A loop in parts has where they begin and where the last ends.
// some: the loops are for rows with elements only.
typedef struct { int n, asks; const char *from, *part; CExp end; bool some; } Loops;

// How many elements there are, or MANY.
enum { MANY = 1 << 16 };

static int64_t at_most(const CExp *dims, int from, int to)
{
	int64_t n = 1;
	for (int d = from; d < to && n < MANY; d++)
		n = dims[d]->kind == X_INT && dims[d]->value < MANY ? n * dims[d]->value : MANY;
	return n < MANY ? n : MANY;
}

static CExp count(const CExp *dims, int from, int to)
{
	int64_t known = at_most(dims, from, to);
	CExp n = x_int(1);
	for (int d = from; d < to; d++)
		n = index_product(n, dims[d]);
	return known < MANY ? x_int(known) : n;
}

static bool asks_in_loops(const Gen *g, const CExp *dims, int to)
{
	return g->target == ON_CPU && at_most(dims, 0, to) == MANY;
}

// for (i = from; i < part; i++), for parts of the elements, or of rows of so many
static void open_parts(Gen *g, Loops *l, CExp n, int64_t row, const char *i)
{
	l->from = fresh_name(g, "from");
	l->part = fresh_name(g, "part");
	l->end = n;
	rts_use(g->rts, "cancel");
	s_declare(g->c, "int64_t", l->from, x_int(0));
	s_repeat(g->c);
	CExp from = x_name(l->from), most = x_const("RD_FILLED");
	if (row > 1)
		most = x_binary(most, "/", x_int(row), PREC_MUL);
	CExp more = x_binary(x_binary(n, "-", from, PREC_ADD), ">", most, PREC_COMPARE);
	s_declare(g->c, "int64_t", l->part, x_select(more, x_plus(from, most), n));
	s_for(g->c, (CFor){.type = "int64_t", .i = i, .from = from,
	                   .cond = x_less(x_name(i), x_name(l->part))});
}

// if (m != 0), for rows of m elements: without elements they may be any number.
static bool open_some(Gen *g, const CExp *dims, int rank)
{
	CExp row = count(dims, 1, rank);
	if (row->kind == X_INT)
		return false;
	s_if(g->c, x_quote("$1 != 0", row));
	return true;
}

// for (i = 0; i < n; i++), for the dimensions before `to` of all.  One loop over elements, or rows
// of few, is done in parts; of several, the last but one asks.
static Loops open_loops(Gen *g, const CExp *dims, int to, int rank, CExp *i)
{
	if (g->thread.at_block)
		return (Loops){.n = open_shared_loop(g, dims, to, i)};
	bool asks = asks_in_loops(g, dims, to), elements = to == rank;
	int64_t row = at_most(dims, to, rank);
	Loops out = {.n = to, .some = asks && to > 0 && open_some(g, dims, rank)};
	for (int d = 0; d < to; d++) {
		const char *name = fresh_name(g, "i");
		i[d] = x_name(name);
		if (asks && to == 1 && row < MANY)
			open_parts(g, &out, dims[d], row, name);
		else
			for_each(g, name, dims[d]);
	}
	if (asks && !out.from)
		out.asks = elements ? to - 1 : to;
	return out;
}

enum { TILE = 16 };

// The dimension along which the array is contiguous, or -1.
static int unit_dimension(const View *v)
{
	const Subs *strides = &v->type.mem->strides;
	for (int d = 0; d < v->rank; d++)
		if (x_is_int(v->steps[d], 1) &&
		    (strides->len ? sub_eq(strides->at[v->at[d]], sub_i64(1))
		                  : v->at[d] == v->type.dims.len - 1))
			return d;
	return -1;
}

// for (i_0 = 0; i_0 < n; i_0 += 16), and the loop inside of it over i.
static void open_tile(Gen *g, CExp n, const char *tile)
{
	s_for(g->c, (CFor){"int64_t", tile, x_int(0), x_less(x_name(tile), n), "+=", x_int(TILE),
	                   0});
}

static void open_in_tile(Gen *g, CExp n, const char *tile, CExp *i)
{
	const char *end = fresh_name(g, "end"), *name = fresh_name(g, "i");
	CExp next = x_plus(x_name(tile), x_int(TILE));
	s_declare(g->c, "int64_t", end, x_min(next, n));
	s_for(g->c, (CFor){.type = "int64_t", .i = name, .from = x_name(tile),
	                   .cond = x_less(x_name(name), x_name(end))});
	*i = x_name(name);
}

// Loops over all dimensions, with those of a and b in tiles.
static Loops open_tiled_loops(Gen *g, const View *v, int a, int b, CExp *i)
{
	const char *tile_a = fresh_name(g, "tile"), *tile_b = fresh_name(g, "tile");
	bool asks = asks_in_loops(g, v->dims, v->rank);
	bool some = asks && open_some(g, v->dims, v->rank);
	for (int d = 0; d < v->rank; d++)
		if (d != a && d != b) {
			const char *name = fresh_name(g, "i");
			i[d] = x_name(name);
			for_each(g, name, v->dims[d]);
		}
	open_tile(g, v->dims[a], tile_a);
	open_tile(g, v->dims[b], tile_b);
	open_in_tile(g, v->dims[a], tile_a, &i[a]);
	open_in_tile(g, v->dims[b], tile_b, &i[b]);
	return (Loops){.n = v->rank + 2, .asks = asks ? v->rank : 0, .some = some};
}

static void close_loops(Gen *g, Loops l)
{
	for (int n = l.n; n > 0; n--) {
		if (n == l.asks)
			ask_to_stop(g);
		s_close(g->c);
	}
	if (l.from) {
		s_assign(g->c, x_name(l.from), x_name(l.part));
		ask_to_stop(g);
		s_until_not(g->c, x_less(x_name(l.from), l.end));
	}
	if (l.some)
		s_close(g->c);
}

// An empty array may lie anywhere: not even the address of its elements is to be taken.
static bool is_empty(const View *v)
{
	for (int d = 0; d < v->rank; d++)
		if (x_is_int(v->dims[d], 0))
			return true;
	return false;
}

// n elements from an element on, as memcpy and memset count them.
static CExp bytes(CExp n, const char *type)
{
	return x_times(x_cast("size_t", n, PREC_ATOM), x_call("sizeof", x_const(type)));
}

// Many at a time are written in parts, by a function that tells whether the call was cancelled.
static void write_elements(Gen *g, const char *how, const char *in_parts, CExp dst, CExp src,
                           CExp n, const char *type)
{
	if (g->target != ON_CPU || at_most(&n, 0, 1) < MANY) {
		s_do(g->c, x_call(how, x_address(dst), src, bytes(n, type)));
		return;
	}
	rts_use(g->rts, in_parts);
	s_if(g->c, x_call(in_parts, ctx(g), x_address(dst), src, bytes(n, type)));
	leave_function(g, x_call("rd_cancelled", x_name("ctx")));
	s_close(g->c);
}

static void copy_elements(Gen *g, CExp dst, CExp src, CExp n, const char *type)
{
	write_elements(g, "memcpy", "rd_copy", dst, x_address(src), n, type);
}

// The threads of a block load four elements of a row before they store these: compilers move no
// load over a store.  (Those of one warp have short rows.)
static void copy_row_together(Gen *g, const View *to, const View *from)
{
	enum { FEW = 4 };
	const char *k = fresh_name(g, "k"), *few = fresh_name(g, "few");
	CExp n = from->dims[0], size = x_call_none("rd_local_size");
	s_scope(g->c);
	quote(g->c, "int64_t $1 = rd_local_id();"
	            "RD_NO_UNROLL for (; $1 + $2 * $3 < $4; $1 += $5 * $3)",
	      k, FEW - 1, size, n, FEW);
	s_array(g->c, elem_type(g, to->type.elem), few, x_int(FEW), NULL);
	for (int puts = 0; puts < 2; puts++) {
		const char *u = fresh_name(g, "u"), *at = fresh_name(g, "at");
		s_for(g->c, (CFor){.type = "int32_t", .i = u, .from = x_int(0),
		                   .cond = x_less(x_name(u), x_int(FEW)), .props = LOOP_UNROLL});
		quote(g->c, "int64_t $1 = $2 + $3 * $4;", at, k, u, size);
		CExp i = x_name(at), held = x_index(x_name(few), x_name(u));
		if (puts)
			s_assign(g->c, at_index(g, to, &i, 1), held);
		else
			s_assign(g->c, held, at_index(g, from, &i, 1));
		s_close(g->c);
	}
	s_close(g->c);
	s_for(g->c, (CFor){.i = k, .cond = x_less(x_name(k), n), .op = "+=", .by = size,
	                   .props = LOOP_NO_UNROLL});
	CExp i = x_name(k), dst = at_index(g, to, &i, 1);
	s_assign(g->c, dst, at_index(g, from, &i, 1));
	s_close(g->c);
	s_close(g->c);
}

static void copy_views(Gen *g, const View *to, const View *from)
{
	if (is_empty(from))
		return;
	CExp i[MAX_RANK];
	int rank = to->rank, packed = to->packed > from->packed ? to->packed : from->packed;
	int a = unit_dimension(from), b = unit_dimension(to);
	begin_store(g, to->type);
	if (g->thread.at_block && rank == 1 && packed == 1 && has_wide_blocks(g)) {
		copy_row_together(g, to, from);
		g->thread.reads = true;
		end_store(g);
		return;
	}
	bool tiled = g->target == ON_CPU && packed == rank && a >= 0 && b >= 0 && a != b;
	Loops loops = tiled ? open_tiled_loops(g, from, a, b, i)
	                    : open_loops(g, from->dims, packed, rank, i);
	CExp dst = at_index(g, to, i, packed), src = at_index(g, from, i, packed);
	if (packed < rank)
		copy_elements(g, dst, src, count(from->dims, packed, rank),
		              c_elem_type(to->type.elem));
	else
		s_assign(g->c, dst, src);
	close_loops(g, loops);
	g->thread.reads = true;
	end_store(g);
}

void gen_copy(Gen *g, Type to, Type from)
{
	settle_loads(g);
	View t = view_of(g, to), f = view_of(g, from);
	copy_views(g, &t, &f);
}

CExp in_memory(Gen *g, PrimType elem, CExp value)
{
	if (elem != PT_F16)
		return value;
	rts_use(g->rts, "rd_half_of_float");
	return x_call("rd_half_of_float", value);
}

// Of all threads of a block, one does it.
static void store(Gen *g, CExp dst, CExp value)
{
	if (g->thread.at_block)
		s_if(g->c, is_first_thread());
	s_assign(g->c, dst, value);
	if (g->thread.at_block)
		s_close_bare(g->c);
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
	CExp value = g->rows.rates ? NULL : in_memory(g, arr.elem, x), dst = element(g, arr, index);
	settle_loads(g);
	begin_store(g, arr);
	if (g->rows.rates)
		vector_store(g, e, dst, x);
	else if (g->store.shared && g->target == ON_CPU)
		shared_store(g, dst, value);
	else
		store(g, dst, value);
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
	Loops loops = open_loops(g, v.dims, 1, 1, i);
	CExp x = c_convert(g->rts, PT_I64, elem, i[0]);
	if (!sub_eq(e->iota.step, sub_const(scalar_int(elem, 1))))
		x = c_prim(g->rts, P_mul, elem, (CExp[3]){x, step});
	if (!sub_eq(e->iota.start, sub_const(scalar_int(elem, 0))))
		x = c_prim(g->rts, P_add, elem, (CExp[3]){start, x});
	CExp dst = at_index(g, &v, i, 1);
	s_assign(g->c, dst, in_memory(g, elem, x));
	close_loops(g, loops);
	end_store(g);
}

// All bits zero?  Then memset does it.
static bool is_zero(Sub s)
{
	return s.kind == S_CONST && scalar_eq_bits(s.val, scalar_int(s.val.type, 0));
}

// Rows without gaps, as one: element k is so far from the first.
static void fill_packed(Gen *g, const View *v, CExp first, CExp value)
{
	const char *size = fresh_name(g, "size");
	CExp n = x_name(size), k;
	s_declare(g->c, "int64_t", size, count(v->dims, 0, v->rank));
	Loops loops = open_loops(g, &n, 1, 1, &k);
	s_assign(g->c, x_index(first->x[0], index_sum(first->x[1], k)), value);
	close_loops(g, loops);
}

static void fill(Gen *g, Type t, Sub x)
{
	settle_loads(g); // the value among them: it may be computed from what is overwritten
	View v = view_of(g, t);
	CExp value = in_memory(g, t.elem, operand(g, x)), i[MAX_RANK];
	bool packed = asks_in_loops(g, v.dims, v.rank) && v.packed == 0 && v.rank > 1 &&
	              !is_zero(x);
	CExp first = packed ? at_index(g, &v, NULL, 0) : NULL;
	if (packed && first->kind == X_INDEX) {
		begin_store(g, t);
		fill_packed(g, &v, first, value);
		end_store(g);
		return;
	}
	bool clear = is_zero(x) && v.packed < v.rank;
	begin_store(g, t);
	Loops loops = open_loops(g, v.dims, clear ? v.packed : v.rank, v.rank, i);
	CExp dst = at_index(g, &v, i, clear ? v.packed : v.rank);
	if (clear)
		write_elements(g, "memset", "rd_set_bytes", dst, x_int(0),
		               count(v.dims, v.packed, v.rank), elem_type(g, t.elem));
	else
		s_assign(g->c, dst, value);
	close_loops(g, loops);
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
	Loops loops = open_loops(g, to.dims, packed, to.rank, i);
	CExp dst = at_index(g, &to, i, packed);
	CExp src = at_index(g, &from, i + outer, packed - outer);
	if (packed < to.rank)
		copy_elements(g, dst, src, count(to.dims, packed, to.rank), c_elem_type(t.elem));
	else
		s_assign(g->c, dst, src);
	close_loops(g, loops);
	g->thread.reads = true;
	end_store(g);
}

void gen_literal(Gen *g, const Exp *e, Type t)
{
	for (int k = 0; k < e->array.elems.len; k++) {
		CExp value = in_memory(g, t.elem, operand(g, e->array.elems.at[k]));
		CExp dst = element(g, t, (CExp[]){x_int(k)});
		settle_loads(g);
		if (k == 0)
			begin_store(g, t);
		store(g, dst, value);
	}
	end_store(g);
}
