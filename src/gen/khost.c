// Host access to arrays in device memory: elements are transferred one at a time; whole arrays are
// copied, filled and enumerated by functions of the run-time (rts/gpu/device.h).
//
//     let (x: f64) = index xs [i]     ->   double x = 0;
//                                          status = rd_block_read(ctx, &x, xs_mem, i * 8, 8);
//     let (ys: [n]f64) = copy xs      ->   status = rd_dev_copy(ctx, 8, 1, shape, ys_mem, ...);
#include "gen/kgen.h"

static bool is_call(const Stm *s)
{
	return s->exp->form == E_call;
}

bool reads_memory(const Stm *s)
{
	return stm_is_index(s) || exp_find(s->exp, stm_is_index);
}

// What each iteration starts may be the same (rts/gpu/graph.h).
void note_iteration(Gen *g, const Exp *loop)
{
	if (g->target == ON_HOST && body_find(&loop->loop.body, is_call))
		s_do(g->c, x_call("rd_iteration", ctx(g)));
}

// A call that gives an error code.
void check_call(Gen *g, CExp call)
{
	const char *status = fresh_name(g, "status");
	s_declare(g->c, "int", status, call);
	leave_if(g, status);
}

// ---- Single elements ----

static CExp byte_of(Gen *g, Type t, const CExp *index)
{
	CExp at = x_cast("int64_t", x_paren(index_in_block(g, t, index)), PREC_ATOM);
	return x_times(at, x_int(primtype_size(t.elem)));
}

// Writes n bytes from `value` on to the element.
static void write_element(Gen *g, Type t, const CExp *index, CExp value, int n)
{
	CExp block = x_name(block_name(g, t.mem->block)), byte = byte_of(g, t, index);
	check_call(g, x_call("rd_block_write", ctx(g), block, byte, value, x_int(n)));
}

// Reads the element into a new variable of the type that it has in memory.
static const char *fetch(Gen *g, Type t, const CExp *index, const char *hint)
{
	CExp byte = byte_of(g, t, index);
	const char *name = fresh_name(g, hint), *block = block_name(g, t.mem->block);
	rts_use(g->rts, "device");
	s_declare(g->c, c_elem_type(t.elem), name, x_int(0));
	check_call(g, x_call("rd_block_read", ctx(g), x_address(x_name(name)), x_name(block), byte,
	                     x_int(primtype_size(t.elem))));
	return name;
}

CExp host_element(Gen *g, Type t, const CExp *index)
{
	return x_name(fetch(g, t, index, "element"));
}

static void gen_get(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	Var v = s->pat.at[0];
	if (!is_needed(g, v))
		return;
	Type t = sub_type(e->index.arr);
	CExp *index = NEW_ARRAY(CExp, e->index.idx.len);
	uint32_t user = g->user;
	g->user = v.id + 1;
	for (int i = 0; i < e->index.idx.len; i++)
		index[i] = operand(g, e->index.idx.at[i]);
	const char *name = fetch(g, t, index, vars[v.id].hint);
	g->user = user;
	if (t.elem == PT_F16) {
		rts_use(g->rts, "rd_float_of_half");
		declare(g, v, x_call("rd_float_of_half", x_name(name)));
	} else {
		show_as(g, v, x_name(name));
	}
}

// A variable with the value as it is in memory.
static const char *declare_stored(Gen *g, PrimType t, Sub x)
{
	const char *name = fresh_name(g, "value");
	s_declare(g->c, c_elem_type(t), name, in_memory(g, t, operand(g, x)));
	return name;
}

static void gen_put(Gen *g, Type t, const CExp *index, Sub x)
{
	const char *value = declare_stored(g, t.elem, x);
	write_element(g, t, index, x_address(x_name(value)), primtype_size(t.elem));
}

// ---- Whole arrays ----

// Shape, offset and strides of an array or a part of one.
typedef struct { VEC(CExp) shape, strides; CExp offset; Var block; } Part;

static CExp stride_of(Gen *g, Type t, int d)
{
	if (t.mem->strides.len)
		return operand(g, t.mem->strides.at[d]);
	CExp n = x_int(1);
	for (int i = d + 1; i < t.dims.len; i++)
		n = index_product(n, operand(g, t.dims.at[i]));
	return n;
}

static void add_dim(Part *p, CExp n, CExp stride)
{
	VEC_PUSH(&p->shape, n);
	VEC_PUSH(&p->strides, stride);
}

static Part part_of(Gen *g, Type t, const Slices *at)
{
	Part p = {.block = t.mem->block};
	CExp *start = NEW_ARRAY(CExp, t.dims.len + 1);
	for (int d = 0; d < t.dims.len; d++) {
		start[d] = at ? operand(g, at->at[d].start) : x_int(0);
		if (at && at->at[d].fixed)
			continue;
		CExp stride = stride_of(g, t, d);
		if (at)
			stride = index_product(operand(g, at->at[d].step), stride);
		add_dim(&p, operand(g, at ? at->at[d].len : t.dims.at[d]), stride);
	}
	p.offset = index_in_block(g, t, start);
	return p;
}

// Declares an array of numbers; there is at least one.
static CExp numbers(Gen *g, const char *hint, CExps list)
{
	const char *name = fresh_name(g, hint);
	s_array(g->c, "const int64_t", name, NULL, x_list(list.len ? list : x_args(x_int(0))));
	return x_name(name);
}

static CExp shape_of(Gen *g, const Part *p)
{
	return numbers(g, "shape", VEC_SLICE(CExps, p->shape));
}

static CExp strides_of(Gen *g, const Part *p)
{
	return numbers(g, "strides", VEC_SLICE(CExps, p->strides));
}

static void copy_part(Gen *g, PrimType t, const Part *to, const Part *from)
{
	settle_loads(g);
	s_scope(g->c);
	CExp shape = shape_of(g, to), a = strides_of(g, to), b = strides_of(g, from);
	check_call(g, x_call("rd_dev_copy", ctx(g), x_int(primtype_size(t)), x_int(to->shape.len),
	                     shape, x_name(block_name(g, to->block)), to->offset, a,
	                     x_name(block_name(g, from->block)), from->offset, b));
	s_close(g->c);
}

static void gen_host_update(Gen *g, const Exp *e)
{
	Type arr = sub_type(e->update.arr), val = sub_type(e->update.val);
	if (!type_is_scalar(val)) {
		Part to = part_of(g, arr, &e->update.at), from = part_of(g, val, NULL);
		copy_part(g, arr.elem, &to, &from);
		return;
	}
	CExp *index = NEW_ARRAY(CExp, e->update.at.len + 1);
	for (int i = 0; i < e->update.at.len; i++)
		index[i] = operand(g, e->update.at.at[i].start);
	gen_put(g, arr, index, e->update.val);
}

static void gen_host_copy(Gen *g, Type to, Type from)
{
	Part a = part_of(g, to, NULL), b = part_of(g, from, NULL);
	copy_part(g, to.elem, &a, &b);
}

static void gen_host_replicate(Gen *g, const Exp *e, Type t)
{
	Type x = sub_type(e->replicate.x);
	Part to = part_of(g, t, NULL);
	if (!type_is_scalar(x)) {
		Part from = {.block = x.mem->block}, row = part_of(g, x, NULL);
		for (int d = 0; d < e->replicate.dims.len; d++)
			add_dim(&from, x_int(0), x_int(0));
		VEC_APPEND(&from.strides, row.strides);
		from.offset = row.offset;
		copy_part(g, t.elem, &to, &from);
		return;
	}
	s_scope(g->c);
	const char *value = declare_stored(g, t.elem, e->replicate.x);
	CExp shape = shape_of(g, &to), strides = strides_of(g, &to);
	check_call(g, x_call("rd_dev_fill", ctx(g), x_int(primtype_size(t.elem)),
	                     x_int(to.shape.len), shape, x_name(block_name(g, to.block)),
	                     to.offset, strides, x_address(x_name(value))));
	s_close(g->c);
}

// Floats are put one by one.
static void gen_host_iota(Gen *g, const Exp *e, Type t)
{
	PrimType elem = e->iota.type;
	if (is_int(elem)) {
		Part to = part_of(g, t, NULL);
		CExp n = operand(g, e->iota.n), start = operand(g, e->iota.start);
		check_call(g, x_call("rd_dev_iota", ctx(g), x_int(primtype_size(elem)), n,
		                     x_name(block_name(g, to.block)), to.offset, to.strides.at[0],
		                     x_cast("int64_t", start, PREC_UNARY),
		                     x_cast("int64_t", operand(g, e->iota.step), PREC_UNARY)));
		return;
	}
	CExp start = operand(g, e->iota.start), step = operand(g, e->iota.step);
	const char *i = fresh_name(g, "i"), *value = fresh_name(g, "value");
	CExp at = x_name(i);
	for_each(g, i, operand(g, e->iota.n));
	CExp x = c_prim(g->rts, P_mul, elem,
	                (CExp[3]){c_convert(g->rts, PT_I64, elem, at), step});
	x = c_prim(g->rts, P_add, elem, (CExp[3]){start, x});
	s_declare(g->c, c_elem_type(elem), value, in_memory(g, elem, x));
	write_element(g, t, &at, x_address(x_name(value)), primtype_size(elem));
	s_close(g->c);
}

static void gen_host_literal(Gen *g, const Exp *e, Type t)
{
	bool packed = !t.mem->strides.len || sub_eq(t.mem->strides.at[0], sub_i64(1));
	int n = e->array.elems.len;
	if (!packed) {
		for (int k = 0; k < n; k++)
			gen_put(g, t, (CExp[]){x_int(k)}, e->array.elems.at[k]);
		return;
	}
	if (n == 0)
		return;
	CExps values = {NEW_ARRAY(CExp, n), n};
	for (int k = 0; k < n; k++)
		values.at[k] = in_memory(g, t.elem, operand(g, e->array.elems.at[k]));
	s_scope(g->c);
	const char *name = fresh_name(g, "values");
	s_array(g->c, text("const %s", c_elem_type(t.elem)), name, NULL, x_list(values));
	write_element(g, t, (CExp[]){x_int(0)}, x_name(name), n * primtype_size(t.elem));
	s_close(g->c);
}

bool gen_on_host(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	Type t = s->pat.len ? vars[s->pat.at[0].id].type : type_cert();
	switch (e->form) {
	case E_index: gen_get(g, s); break;
	case E_update:
		if (!stm_is_in_place(s))
			gen_host_update(g, e);
		break;
	case E_copy:
		if (!mem_eq(t.mem, sub_type(e->copy.arr).mem))
			gen_host_copy(g, t, sub_type(e->copy.arr));
		break;
	case E_replicate: gen_host_replicate(g, e, t); break;
	case E_iota: gen_host_iota(g, e, t); break;
	case E_array: gen_host_literal(g, e, t); break;
	default: // as for the processor
		return false;
	}
	rts_use(g->rts, "device");
	return true;
}

// ---- Decisions when the program runs ----

bool is_device_choice(const Stm *s)
{
	return has_attr(s->attrs, ATTR_FITS) || has_attr(s->attrs, ATTR_GRID) ||
	       attr_argument(s->attrs, ATTR_THRESHOLD);
}

int param_number(Device *d, const char *name, const char *class_, int64_t value)
{
	int k = 0;
	while (k < d->params.len && strcmp(d->params.at[k].name, name) != 0)
		k++;
	if (k == d->params.len)
		VEC_PUSH(&d->params, (TuningParam){name, class_, value});
	VEC_PUSH(&d->uses, (ParamUse){d->fun, k});
	return k;
}

void gen_device_choice(Gen *g, const Stm *s)
{
	Subs xs = s->exp->opaque.xs;
	const char *name = attr_argument(s->attrs, ATTR_THRESHOLD);
	CExp how, x = operand(g, xs.at[1]);
	rts_use(g->rts, "device");
	if (name) {
		int64_t value = xs.len > 2 && xs.at[2].kind == S_CONST ? xs.at[2].val.i : -1;
		int k = param_number(g->device, name, "threshold", value);
		how = x_call("rd_at_least", ctx(g), x_int(k), x);
	} else if (has_attr(s->attrs, ATTR_FITS)) {
		how = x_call("rd_fits_local", ctx(g), x);
	} else {
		how = x_call("rd_blocks_for", ctx(g), x, operand(g, xs.at[2]));
	}
	declare(g, s->pat.at[0], how);
	for (int i = 1; i < s->pat.len; i++)
		if (is_needed(g, s->pat.at[i]))
			declare(g, s->pat.at[i], result_of(g, s->pat.at[i], xs.at[i]));
}
