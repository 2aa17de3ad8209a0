// Built-in functions: scalar operations, operators, conversions and array operations.
//
// Scalar operations are named after prims.def, conversions to_i8 ... to_bool, operators
// by their symbols; array operations are the rows of intrinsics.def.
#include "lower/lower_internal.h"

typedef enum {
#define INTRINSIC(name, type) I_##name,
#include "check/intrinsics.def"
#undef INTRINSIC
	N_INTRINSIC
} Intrinsic;

static const char *const intrinsic_names[N_INTRINSIC] = {
#define INTRINSIC(name, type) #name,
#include "check/intrinsics.def"
#undef INTRINSIC
};

struct Builtin {
	enum { B_PRIM, B_CONVERT, B_OPERATOR, B_ARRAY } kind;
	int arity;
	Prim prim;
	PrimType to;
	const char *symbol;
	Intrinsic array;
};

// ---- Finding one ----

static int array_arity(Intrinsic i)
{
	switch (i) {
	case I_map: case I_zip: case I_concat: case I_replicate: case I_flatmap:
		return 2;
	case I_reduce: case I_reduce_comm: case I_scan: case I_zip3: case I_scatter_1d:
	case I_scatter_2d: case I_scatter_3d: case I_jvp2: case I_vjp2: case I_jmp2: case I_mjp2:
	case I_with_vjp: case I_with_vjp_tape: case I_scatter_stream: case I_acc_write:
		return 3;
	case I_zip4: return 4;
	case I_zip5: case I_hist_1d: case I_hist_2d: case I_hist_3d: case I_flat_update_2d:
	case I_hist_stream: return 5;
	case I_unzip: case I_unzip3: case I_unzip4: case I_unzip5: case I_iota: case I_flatten:
	case I_unflatten: case I_transpose: case I_copy: case I_manifest: case I_opaque:
	case I_trace: case I_break: return 1;
	case I_flat_index_2d: case I_flat_update_3d: return 6;
	case I_flat_index_3d: return 8;
	case I_flat_index_4d: return 10;
	case I_flat_update_4d: return 7;
	case N_INTRINSIC:
		break;
	}
	bug("no such intrinsic: %d", (int)i);
}

static Builtin *builtin_of(const char *name)
{
	for (int i = 0; i < N_INTRINSIC; i++)
		if (strcmp(intrinsic_names[i], name) == 0)
			return NEW(Builtin, .kind = B_ARRAY, .arity = array_arity((Intrinsic)i),
			           .array = (Intrinsic)i);
	for (int i = 0; i < N_PRIM; i++)
		if (strcmp(prim_name[i], name) == 0)
			return NEW(Builtin, .kind = B_PRIM, .arity = prim_arity((Prim)i),
			           .prim = (Prim)i);
	PrimType to;
	if (str_starts(name, "to_") && primtype_of_name(name + 3, &to))
		return NEW(Builtin, .kind = B_CONVERT, .arity = 1, .to = to);
	if (strcmp(name, "!") == 0)
		return NEW(Builtin, .kind = B_PRIM, .arity = 1, .prim = P_not);
	return NEW(Builtin, .kind = B_OPERATOR, .arity = 2, .symbol = name);
}

const Builtin *builtin_find(Lower *L, const char *name)
{
	Name key = name_of(name);
	Builtin *b = map_get(&L->intrinsics, key);
	if (!b) {
		b = builtin_of(name);
		map_put(&L->intrinsics, key, b);
	}
	return b;
}

int builtin_arity(const Builtin *b)
{
	return b->arity;
}

// ---- Scalars ----

// Integer division by zero and negative exponents fail before the operation.
static Sub checked_prim(Lower *L, Prim op, PrimType t, Sub x, Sub y)
{
	Build *b = &L->b;
	if (!prim_can_fail(op, t))
		return b_prim(b, op, t, x, y, (Sub){0});
	MsgVec msg = {0};
	Sub ok;
	if (op == P_pow) {
		ok = is_signed(t) ? b_le(b, sub_zero(t), y) : sub_bool(true);
		msg_text(&msg, "negative exponent");
	} else {
		ok = b_prim1(b, P_not, b_eq(b, y, sub_zero(t)));
		msg_text(&msg, "division by zero");
	}
	Vars saved = check_begin(L, ok, msg);
	Sub r = b_prim(b, op, t, x, y, (Sub){0});
	check_end(L, saved);
	return r;
}

static Val *call_prim(Lower *L, Prim op, Vals args)
{
	Sub x[3] = {0};
	for (int i = 0; i < args.len; i++)
		x[i] = val_sub(args.at[i]);
	PrimType t = sub_type(x[0]).elem;
	return val_scalar(L, args.len == 2 ? checked_prim(L, op, t, x[0], x[1])
	                                   : b_prim(&L->b, op, t, x[0], x[1], x[2]));
}

static Sub comparison(Lower *L, const char *op, Sub x, Sub y)
{
	Build *b = &L->b;
	bool or_equal = op[1] == '=';
	if (op[0] == '<')
		return or_equal ? b_le(b, x, y) : b_lt(b, x, y);
	return or_equal ? b_le(b, y, x) : b_lt(b, y, x);
}

static Prim operator_prim(const char *op, PrimType t)
{
	static const struct { const char *symbol; Prim prim; } table[] = {
		{"+", P_add}, {"-", P_sub}, {"*", P_mul}, {"/", P_div}, {"%", P_mod}, {"**", P_pow},
		{"//", P_quot}, {"%%", P_rem}, {"&", P_and}, {"|", P_or}, {"^", P_xor},
		{"<<", P_shl},
	};
	if (strcmp(op, ">>") == 0)
		return is_signed(t) ? P_ashr : P_lshr;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].symbol, op) == 0)
			return table[i].prim;
	bug("no such operator: %s", op);
}

static Val *call_operator(Lower *L, const char *op, Vals args)
{
	if (strcmp(op, "==") == 0)
		return val_equal(L, args.at[0], args.at[1]);
	if (strcmp(op, "!=") == 0)
		return val_scalar(L, b_prim1(&L->b, P_not,
		                             val_sub(val_equal(L, args.at[0], args.at[1]))));
	Sub x = val_sub(args.at[0]), y = val_sub(args.at[1]);
	PrimType t = sub_type(x).elem;
	bool compares = (op[0] == '<' || op[0] == '>') && (!op[1] || op[1] == '=');
	return val_scalar(L, compares ? comparison(L, op, x, y)
	                              : checked_prim(L, operator_prim(op, t), t, x, y));
}

// ---- Arrays ----

Sub is_size(Build *b, Sub n, int least)
{
	return b_prim2(b, P_and, b_le(b, sub_i64(least), n), b_le(b, n, sub_i64(LARGEST_SIZE)));
}

// That n is a size.
static Vars check_count(Lower *L, Sub n)
{
	MsgVec msg = {0};
	msg_text(&msg, "Range 0..1..<");
	msg_val(&msg, n);
	msg_text(&msg, " is invalid.");
	return check_begin(L, is_size(&L->b, n, 0), msg);
}

Vars check_rows(Lower *L, Types rows)
{
	Vars saved = L->b.certs;
	for EACH(Type, t, rows)
		for EACH(Sub, d, t->dims)
			if (d->kind == S_VAR)
				check_count(L, *d);
	return saved;
}

static Val *array_iota(Lower *L, Val *count)
{
	Sub n = val_sub(count);
	Vars saved = check_count(L, n);
	Sub a = b_iota(&L->b, n);
	check_end(L, saved);
	return val_data(rep_array(&L->reps, rep_prim(&L->reps, PT_I64)), subs_of(1, a));
}

static Val *array_replicate(Lower *L, Val *count, Val *x)
{
	Sub n = val_sub(count);
	Vars saved = check_count(L, n);
	Subs of = elem_subs(x), flat = {NEW_ARRAY(Sub, of.len), of.len};
	for (int i = 0; i < of.len; i++)
		flat.at[i] = b_replicate(&L->b, n, of.at[i]);
	check_end(L, saved);
	return val_data(rep_array(&L->reps, x->rep), flat);
}

// The sum of two sizes does not wrap around; what is larger than any size is one of arrays that
// are never stored.
static Vars check_concat(Lower *L, Sub n, Sub m)
{
	MsgVec msg = {0};
	msg_text(&msg, "Arrays of ");
	msg_val(&msg, n);
	msg_text(&msg, " and ");
	msg_val(&msg, m);
	msg_text(&msg, " elements are too large to be concatenated.");
	return check_begin(L, b_le(&L->b, b_add(&L->b, n, m), sub_i64(LARGEST_SIZE)), msg);
}

static Val *array_concat(Lower *L, Val *a, Val *b, Attributes attrs)
{
	Subs flat = {NEW_ARRAY(Sub, a->flat.len), a->flat.len};
	Vars saved = check_concat(L, val_dim(a, 0), val_dim(b, 0));
	for (int i = 0; i < flat.len; i++) {
		L->b.attrs = attrs;
		flat.at[i] = b_concat(&L->b, a->flat.at[i], b->flat.at[i]);
	}
	check_end(L, saved);
	return val_data(a->rep, flat);
}

static Subs dims_with(Sub a, const Sub *b, Subs rest, int drop)
{
	VEC(Sub) out = {0};
	VEC_PUSH(&out, a);
	if (b)
		VEC_PUSH(&out, *b);
	for (int i = drop; i < rest.len; i++)
		VEC_PUSH(&out, rest.at[i]);
	return VEC_SLICE(Subs, out);
}

// The product of two sizes has no upper half, and is a size.
static Vars check_flatten(Lower *L, Sub n, Sub m, Sub product)
{
	MsgVec msg = {0};
	msg_text(&msg, "Array of shape [");
	msg_val(&msg, n);
	msg_text(&msg, "][");
	msg_val(&msg, m);
	msg_text(&msg, "] is too large to be flattened.");
	Build *b = &L->b;
	Sub whole = b_eq(b, b_prim2(b, P_mul_hi, n, m), sub_i64(0));
	return check_begin(L, b_prim2(b, P_and, whole, is_size(b, product, 0)), msg);
}

Val *array_flatten(Lower *L, Val *a)
{
	Subs flat = {NEW_ARRAY(Sub, a->flat.len), a->flat.len};
	Sub n = b_mul(&L->b, val_dim(a, 0), val_dim(a, 1));
	Vars saved = check_flatten(L, val_dim(a, 0), val_dim(a, 1), n);
	for (int i = 0; i < flat.len; i++)
		flat.at[i] = b_reshape(&L->b, dims_with(n, NULL, sub_type(a->flat.at[i]).dims, 2),
		                       a->flat.at[i]);
	check_end(L, saved);
	return val_data(a->rep->elem, flat);
}

static Vars check_unflatten(Lower *L, Sub size, Sub n, Sub m)
{
	MsgVec msg = {0};
	msg_text(&msg, "Cannot unflatten array of shape [");
	msg_val(&msg, size);
	msg_text(&msg, "] to array of shape [");
	msg_val(&msg, n);
	msg_text(&msg, "][");
	msg_val(&msg, m);
	msg_text(&msg, "].");
	Build *b = &L->b;
	Sub ok = b_prim2(b, P_and, is_size(b, n, 0), is_size(b, m, 0));
	Sub rows = b_prim2(b, P_max, n, sub_i64(1));
	Sub fits = b_prim2(b, P_or, b_eq(b, n, sub_i64(0)),
	                   b_eq(b, b_prim2(b, P_quot, size, rows), m));
	return check_begin(L, b_prim2(b, P_and, ok, fits), msg);
}

// The sizes are those of the type, which the argument's size is the product of.  It may also be
// that of two negative ones, or of two so large that their product is another number.
static Val *array_unflatten(Lower *L, const Fn *fn, Val *a, Span span)
{
	Sub n = size_arg(L, fn, 0), m = size_arg(L, fn, 1);
	if (!dim_is_known(n) || !dim_is_known(m))
		bug("sizes of unflatten at %s", show_span(span));
	Vars saved = check_unflatten(L, val_dim(a, 0), n, m);
	Subs flat = {NEW_ARRAY(Sub, a->flat.len), a->flat.len};
	for (int i = 0; i < flat.len; i++)
		flat.at[i] = b_reshape(&L->b, dims_with(n, &m, sub_type(a->flat.at[i]).dims, 1),
		                       a->flat.at[i]);
	check_end(L, saved);
	return val_data(rep_array(&L->reps, a->rep), flat);
}

static Val *array_transpose(Lower *L, Val *a)
{
	Subs flat = {NEW_ARRAY(Sub, a->flat.len), a->flat.len};
	for (int i = 0; i < flat.len; i++) {
		int rank = sub_type(a->flat.at[i]).dims.len;
		int *perm = NEW_ARRAY(int, rank);
		for (int d = 0; d < rank; d++)
			perm[d] = d < 2 ? 1 - d : d;
		flat.at[i] = b_rearrange(&L->b, perm, a->flat.at[i]);
	}
	return val_data(a->rep, flat);
}

static Val *copy_all(Lower *L, Val *v)
{
	Subs of = val_flat(v), flat = {NEW_ARRAY(Sub, of.len), of.len};
	for (int i = 0; i < of.len; i++)
		flat.at[i] = sub_type(of.at[i]).dims.len ? b_copy(&L->b, of.at[i]) : of.at[i];
	return val_with_flat(v, &flat);
}

static Val *opaque_all(Lower *L, Val *v)
{
	if (v->kind != V_DATA || !v->flat.len)
		return v;
	Subs out = b_lets(&L->b, "opaque", lt_of_val(v)->flat, EXP(opaque, v->flat));
	return val_data(v->rep, out);
}

static Val *trace_all(Lower *L, Val *v)
{
	if (v->kind != V_DATA)
		return v;
	Exp *e = EXP(trace, "trace", v->flat, entry_of_rep(v->rep));
	return val_data(v->rep, b_lets(&L->b, "traced", lt_of_val(v)->flat, e));
}

static Val *call_array(Lower *L, Frame *f, const Fn *fn, Intrinsic i, Vals args, Span span)
{
	switch (i) {
	case I_map:         return soac_map(L, f, fn, args, span);
	case I_reduce:      return soac_reduce(L, f, fn, args, span, false);
	case I_reduce_comm: return soac_reduce(L, f, fn, args, span, true);
	case I_scan:        return soac_scan(L, f, fn, args, span);
	case I_hist_1d:     return soac_hist(L, f, fn, args, span, 1);
	case I_hist_2d:     return soac_hist(L, f, fn, args, span, 2);
	case I_hist_3d:     return soac_hist(L, f, fn, args, span, 3);
	case I_scatter_1d:  return soac_scatter(L, args, 1);
	case I_scatter_2d:  return soac_scatter(L, args, 2);
	case I_scatter_3d:  return soac_scatter(L, args, 3);
	case I_flatmap:     return soac_flatmap(L, f, fn, args, span);
	case I_zip: case I_zip3: case I_zip4: case I_zip5:
		return soac_zip(L, args);
	case I_unzip: case I_unzip3: case I_unzip4: case I_unzip5:
		return soac_unzip(L, args.at[0]);
	case I_iota:        return array_iota(L, args.at[0]);
	case I_replicate:   return array_replicate(L, args.at[0], args.at[1]);
	case I_concat:      return array_concat(L, args.at[0], args.at[1], take_attrs(L));
	case I_flatten:     return array_flatten(L, args.at[0]);
	case I_unflatten:   return array_unflatten(L, fn, args.at[0], span);
	case I_transpose:   return array_transpose(L, args.at[0]);
	case I_copy: case I_manifest:
		return copy_all(L, args.at[0]);
	case I_scatter_stream: return stream(L, f, fn, args, span, false);
	case I_hist_stream:    return stream(L, f, fn, args, span, true);
	case I_acc_write:      return acc_write(L, f, args, span);
	case I_flat_index_2d:  return flat_index(L, args, 2);
	case I_flat_index_3d:  return flat_index(L, args, 3);
	case I_flat_index_4d:  return flat_index(L, args, 4);
	case I_flat_update_2d: return flat_update(L, args, 2);
	case I_flat_update_3d: return flat_update(L, args, 3);
	case I_flat_update_4d: return flat_update(L, args, 4);
	case I_jvp2:        return ad_derivative(L, f, fn, args, span, false, false);
	case I_jmp2:        return ad_derivative(L, f, fn, args, span, false, true);
	case I_vjp2:        return ad_derivative(L, f, fn, args, span, true, false);
	case I_mjp2:        return ad_derivative(L, f, fn, args, span, true, true);
	case I_with_vjp:    return ad_with_vjp(L, f, fn, args, span, false);
	case I_with_vjp_tape: return ad_with_vjp(L, f, fn, args, span, true);
	case I_opaque:      return opaque_all(L, args.at[0]);
	case I_trace:       return trace_all(L, args.at[0]);
	case I_break:       return args.at[0];
	case N_INTRINSIC:
		break;
	}
	bug("no such intrinsic: %d", (int)i);
}

Val *builtin_call(Lower *L, Frame *f, const Fn *fn, Vals args, Span span)
{
	const Builtin *b = builtin_find(L, fn->binding->intrinsic);
	switch (b->kind) {
	case B_PRIM:
		return call_prim(L, b->prim, args);
	case B_CONVERT:
		return val_scalar(L, b_convert(&L->b, b->to, val_sub(args.at[0])));
	case B_OPERATOR:
		return call_operator(L, b->symbol, args);
	case B_ARRAY:
		return call_array(L, f, fn, b->array, args, span);
	}
	bug("kind of intrinsic");
}
