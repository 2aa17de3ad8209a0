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

static bool is_load(const Stm *s)
{
	return s->exp->form == E_index;
}

bool reads_memory(const Stm *s)
{
	return is_load(s) || exp_find(s->exp, is_load);
}

// What each iteration starts may be the same (rts/gpu/graph.h).
void note_iteration(Gen *g, const Exp *loop)
{
	if (g->target == ON_HOST && body_find(&loop->loop.body, is_call))
		line(g, "rd_iteration(%s);", ctx(g));
}

// A call that gives an error code.
void check_call(Gen *g, const char *call)
{
	const char *status = fresh_name(g, "status");
	line(g, "int %s = %s;", status, call);
	open_brace(g, "if (%s != 0)", status);
	leave_function(g, status);
	close_brace(g);
}

// ---- Single elements ----

static const char *byte_of(Gen *g, Type t, const CExp *index)
{
	return text("(int64_t)(%s) * %d", index_in_block(g, t, index).text, primtype_size(t.elem));
}

// Reads the element into a new variable of the type that it has in memory.
static const char *fetch(Gen *g, Type t, const CExp *index, const char *hint)
{
	const char *byte = byte_of(g, t, index), *name = fresh_name(g, hint);
	const char *block = block_name(g, t.mem->block);
	rts_use(g->rts, "device");
	line(g, "%s %s = 0;", c_elem_type(t.elem), name);
	check_call(g, text("rd_block_read(%s, &%s, %s, %s, %d)", ctx(g), name, block, byte,
	                   primtype_size(t.elem)));
	return name;
}

CExp host_element(Gen *g, Type t, const CExp *index)
{
	return c_atom(fetch(g, t, index, "element"));
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
		declare(g, v, text("rd_float_of_half(%s)", name));
	} else {
		show_as(g, v, c_atom(name));
	}
}

static const char *in_memory(Gen *g, PrimType t, const char *x)
{
	if (t != PT_F16)
		return x;
	rts_use(g->rts, "rd_half_of_float");
	return text("rd_half_of_float(%s)", x);
}

// A variable with the value as it is in memory.
static const char *declare_stored(Gen *g, PrimType t, Sub x)
{
	const char *name = fresh_name(g, "value");
	line(g, "%s %s = %s;", c_elem_type(t), name, in_memory(g, t, operand_text(g, x)));
	return name;
}

static void gen_put(Gen *g, Type t, const CExp *index, Sub x)
{
	const char *value = declare_stored(g, t.elem, x), *byte = byte_of(g, t, index);
	check_call(g, text("rd_block_write(%s, %s, %s, &%s, %d)", ctx(g),
	                   block_name(g, t.mem->block), byte, value, primtype_size(t.elem)));
}

// ---- Whole arrays ----

// Shape, offset and strides of an array or a part of one, as text.
typedef struct { Str shape, strides; const char *offset; int rank; Var block; } Part;

static CExp stride_of(Gen *g, Type t, int d)
{
	if (t.mem->strides.len)
		return operand(g, t.mem->strides.at[d]);
	CExp n = c_atom("1");
	for (int i = d + 1; i < t.dims.len; i++)
		n = index_product(n, operand(g, t.dims.at[i]));
	return n;
}

static void add_dim(Part *p, const char *n, const char *stride)
{
	str_printf(&p->shape, "%s%s", p->rank ? ", " : "", n);
	str_printf(&p->strides, "%s%s", p->rank ? ", " : "", stride);
	p->rank++;
}

static Part part_of(Gen *g, Type t, const Slices *at)
{
	Part p = {.block = t.mem->block};
	CExp *start = NEW_ARRAY(CExp, t.dims.len + 1);
	for (int d = 0; d < t.dims.len; d++) {
		start[d] = at ? operand(g, at->at[d].start) : c_atom("0");
		if (at && at->at[d].fixed)
			continue;
		CExp stride = stride_of(g, t, d);
		if (at)
			stride = index_product(operand(g, at->at[d].step), stride);
		add_dim(&p, operand_text(g, at ? at->at[d].len : t.dims.at[d]), stride.text);
	}
	p.offset = index_in_block(g, t, start).text;
	return p;
}

// Declares an array of numbers; there is at least one.
static const char *numbers(Gen *g, const char *hint, const char *list)
{
	const char *name = fresh_name(g, hint);
	line(g, "const int64_t %s[] = {%s};", name, *list ? list : "0");
	return name;
}

static void copy_part(Gen *g, PrimType t, Part *to, Part *from)
{
	settle_loads(g);
	open_scope(g);
	const char *shape = numbers(g, "shape", str_text(&to->shape));
	const char *a = numbers(g, "strides", str_text(&to->strides));
	const char *b = numbers(g, "strides", str_text(&from->strides));
	check_call(g, text("rd_dev_copy(%s, %d, %d, %s, %s, %s, %s, %s, %s, %s)", ctx(g),
	                   primtype_size(t), to->rank, shape, block_name(g, to->block), to->offset,
	                   a, block_name(g, from->block), from->offset, b));
	close_brace(g);
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
			add_dim(&from, "0", "0");
		str_printf(&from.strides, "%s%s", from.rank ? ", " : "", str_text(&row.strides));
		from.offset = row.offset;
		copy_part(g, t.elem, &to, &from);
		return;
	}
	open_scope(g);
	const char *value = declare_stored(g, t.elem, e->replicate.x);
	const char *shape = numbers(g, "shape", str_text(&to.shape));
	const char *strides = numbers(g, "strides", str_text(&to.strides));
	check_call(g, text("rd_dev_fill(%s, %d, %d, %s, %s, %s, %s, &%s)", ctx(g),
	                   primtype_size(t.elem), to.rank, shape, block_name(g, to.block),
	                   to.offset, strides, value));
	close_brace(g);
}

// Floats are put one by one.
static void gen_host_iota(Gen *g, const Exp *e, Type t)
{
	PrimType elem = e->iota.type;
	if (is_int(elem)) {
		Part to = part_of(g, t, NULL);
		check_call(g, text("rd_dev_iota(%s, %d, %s, %s, %s, %s, (int64_t)%s, (int64_t)%s)",
		                   ctx(g), primtype_size(elem), operand_text(g, e->iota.n),
		                   block_name(g, to.block), to.offset, str_text(&to.strides),
		                   c_paren(operand(g, e->iota.start), PREC_UNARY),
		                   c_paren(operand(g, e->iota.step), PREC_UNARY)));
		return;
	}
	CExp start = operand(g, e->iota.start), step = operand(g, e->iota.step);
	const char *i = fresh_name(g, "i"), *value = fresh_name(g, "value");
	open_brace(g, "for (int64_t %s = 0; %s < %s; %s++)", i, i, operand_text(g, e->iota.n), i);
	CExp x = c_prim(g->rts, P_mul, elem,
	                (CExp[3]){c_convert(g->rts, PT_I64, elem, c_atom(i)), step});
	x = c_prim(g->rts, P_add, elem, (CExp[3]){start, x});
	CExp at = c_atom(i);
	line(g, "%s %s = %s;", c_elem_type(elem), value, in_memory(g, elem, x.text));
	check_call(g,
	           text("rd_block_write(%s, %s, %s, &%s, %d)", ctx(g), block_name(g, t.mem->block),
	                byte_of(g, t, &at), value, primtype_size(elem)));
	close_brace(g);
}

static void gen_host_literal(Gen *g, const Exp *e, Type t)
{
	bool packed = !t.mem->strides.len || sub_eq(t.mem->strides.at[0], sub_i64(1));
	int n = e->array.elems.len;
	if (!packed) {
		for (int k = 0; k < n; k++)
			gen_put(g, t, &(CExp){.text = text("%d", k)}, e->array.elems.at[k]);
		return;
	}
	if (n == 0)
		return;
	Str values = {0};
	for (int k = 0; k < n; k++)
		str_printf(&values, "%s%s", k ? ", " : "",
		           in_memory(g, t.elem, operand_text(g, e->array.elems.at[k])));
	open_scope(g);
	const char *name = fresh_name(g, "values");
	CExp first = c_atom("0");
	line(g, "const %s %s[] = {%s};", c_elem_type(t.elem), name, str_text(&values));
	check_call(g,
	           text("rd_block_write(%s, %s, %s, %s, %d)", ctx(g), block_name(g, t.mem->block),
	                byte_of(g, t, &first), name, n * primtype_size(t.elem)));
	close_brace(g);
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
	const char *name = attr_argument(s->attrs, ATTR_THRESHOLD), *how;
	rts_use(g->rts, "device");
	if (name) {
		int64_t value = xs.len > 2 && xs.at[2].kind == S_CONST ? xs.at[2].val.i : -1;
		how = text("rd_at_least(%s, %d, %s)", ctx(g),
		           param_number(g->device, name, "threshold", value),
		           operand_text(g, xs.at[1]));
	} else if (has_attr(s->attrs, ATTR_FITS)) {
		how = text("rd_fits_local(%s, %s)", ctx(g), operand_text(g, xs.at[1]));
	} else {
		how = text("rd_blocks_for(%s, %s, %s)", ctx(g), operand_text(g, xs.at[1]),
		           operand_text(g, xs.at[2]));
	}
	declare(g, s->pat.at[0], how);
	for (int i = 1; i < s->pat.len; i++)
		if (is_needed(g, s->pat.at[i]))
			declare(g, s->pat.at[i], result_of(g, s->pat.at[i], xs.at[i]).text);
}
