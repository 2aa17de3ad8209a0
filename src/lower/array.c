// Making arrays: literals, strings, ranges; and coercions, which check shapes.
//
//   x..y...z     start x, step y - x; the number of elements from unsigned distances, so
//                that no intermediate result overflows
#include "lower/lower_internal.h"

// ---- Literals ----

// One core array for each flat value of the elements.
static Val *array_literal(Lower *L, LType *elem, Vals vals)
{
	LType *stored = lt_elem(L, elem);
	int n = stored->flat.len;
	Subs flat = {NEW_ARRAY(Sub, n), n};
	for (int i = 0; i < n; i++) {
		Type t = stored->flat.at[i];
		Subs elems = {NEW_ARRAY(Sub, vals.len), vals.len};
		for (int j = 0; j < vals.len; j++)
			elems.at[j] = as_type(L, elem_subs(vals.at[j]).at[i], t);
		flat.at[i] = b_let(&L->b, "arr", type_of_rows(sub_i64(vals.len), t),
		                   EXP(array, elems, t));
	}
	return val_data(rep_array(&L->reps, elem->rep), flat);
}

// Without elements, sizes of rows that nothing tells are zero.
static LType *row_of_nothing(LType *row)
{
	LType *out = NEW(LType, .rep = row->rep, .flat = SLICE_DUP(Types, row->flat));
	for EACH(Type, t, out->flat) {
		t->dims = SLICE_DUP(Subs, t->dims);
		for EACH(Sub, d, t->dims)
			if (!dim_is_known(*d))
				*d = sub_i64(0);
	}
	return out;
}

Val *lower_array(Lower *L, Frame *f, Expr *e)
{
	Vals vals = {NEW_ARRAY(Val *, e->array.len), e->array.len};
	for (int i = 0; i < vals.len; i++)
		vals.at[i] = lower_expr(L, f, e->array.at[i]);
	LType *row = lt_row(ltype(L, f, e->type, false));
	set_where(L, e->span);
	row = vals.len ? lt_settle(row, vals.at[0], UINT32_MAX, e->span) : row_of_nothing(row);
	Vars saved = L->b.certs;
	if (!vals.len)
		check_rows(L, row->flat);
	Val *made = array_literal(L, row, vals);
	check_end(L, saved);
	return made;
}

Val *lower_string(Lower *L, Expr *e)
{
	set_where(L, e->span);
	Subs elems = {NEW_ARRAY(Sub, e->string.len), e->string.len};
	for (int i = 0; i < elems.len; i++)
		elems.at[i] = sub_const(scalar_int(PT_U8, (unsigned char)e->string.bytes[i]));
	Type t = type_scalar(PT_U8);
	Sub a = b_let(&L->b, "str", type_of_rows(sub_i64(elems.len), t), EXP(array, elems, t));
	return val_data(rep_array(&L->reps, rep_prim(&L->reps, PT_U8)), subs_of(1, a));
}

// ---- Ranges ----

typedef struct { Sub from, second, to, step; bool has_second; RangeKind kind; } Range;

// high - low for low <= high, as an unsigned number: the difference of the 64-bit
// extensions wraps around to it.
static Sub distance(Lower *L, Sub low, Sub high)
{
	Build *b = &L->b;
	Sub d = b_sub(b, b_convert(b, PT_I64, high), b_convert(b, PT_I64, low));
	return b_convert(b, PT_U64, d);
}

// How many steps of this length fit, from the distance; the end itself may not count.
static Sub count_steps(Lower *L, Sub dist, Sub step, bool inclusive)
{
	Build *b = &L->b;
	Sub one = sub_const(scalar_int(PT_U64, 1)), zero = sub_const(scalar_int(PT_U64, 0));
	Sub safe = b_select(b, b_eq(b, step, zero), one, step);
	if (inclusive)
		return b_convert(b, PT_I64, b_add(b, b_prim2(b, P_quot, dist, safe), one));
	Sub before = b_add(b, b_prim2(b, P_quot, b_sub(b, dist, one), safe), one);
	Sub none = b_eq(b, dist, zero);
	return b_select(b, none, sub_i64(0), b_convert(b, PT_I64, before));
}

static MsgVec range_message(const Range *r)
{
	static const char *const dots[] = {"...", "..<", "..>"}; // ORDER RangeKind
	MsgVec m = {0};
	msg_text(&m, "Range ");
	msg_val(&m, r->from);
	if (r->has_second) {
		msg_text(&m, "..");
		msg_val(&m, r->second);
	}
	msg_text(&m, dots[r->kind]);
	msg_val(&m, r->to);
	msg_text(&m, " is invalid.");
	return m;
}

static Sub one_of(PrimType t, int64_t i)
{
	return sub_const(scalar_int(t, i));
}

// The step is 1 or -1: the number of elements is a difference.
static Sub simple_range(Lower *L, const Range *r, Sub *ok)
{
	Build *b = &L->b;
	bool down = r->kind == RANGE_DOWN;
	Sub lo = down ? r->to : r->from, hi = down ? r->from : r->to;
	*ok = b_le(b, lo, hi);
	Sub n = b_sub(b, b_convert(b, PT_I64, hi), b_convert(b, PT_I64, lo));
	return r->kind == RANGE_INCL ? b_add(b, n, sub_i64(1)) : n;
}

static Sub stepped_range(Lower *L, const Range *r, Sub *ok)
{
	Build *b = &L->b;
	Sub up = b_lt(b, r->from, r->second), down = b_lt(b, r->second, r->from);
	Sub rises = b_le(b, r->from, r->to), falls = b_le(b, r->to, r->from);
	Sub up_ok = b_prim2(b, P_and, up, rises), down_ok = b_prim2(b, P_and, down, falls);
	*ok = r->kind == RANGE_UP ? up_ok : r->kind == RANGE_DOWN ? down_ok
	    : b_prim2(b, P_or, up_ok, down_ok);
	Sub step = b_select(b, up, distance(L, r->from, r->second),
	                    distance(L, r->second, r->from));
	Sub dist = b_select(b, up, distance(L, r->from, r->to), distance(L, r->to, r->from));
	return count_steps(L, dist, step, r->kind == RANGE_INCL);
}

// 1..2...n has n elements, and its type says so.
static bool counts_to(const Range *r)
{
	return r->has_second && r->kind == RANGE_INCL && sub_type(r->from).elem == PT_I64 &&
	       sub_eq(r->from, sub_i64(1)) && sub_eq(r->second, sub_i64(2));
}

Val *lower_range(Lower *L, Frame *f, Expr *e)
{
	Build *b = &L->b;
	Range r = {.kind = e->range.kind, .has_second = e->range.second};
	r.from = lower_scalar(L, f, e->range.from);
	if (r.has_second)
		r.second = lower_scalar(L, f, e->range.second);
	r.to = lower_scalar(L, f, e->range.to);
	set_where(L, e->span);
	PrimType t = sub_type(r.from).elem;
	Sub ok, n;
	if (r.has_second) {
		r.step = b_sub(b, r.second, r.from);
		bool unit_up = sub_eq(r.step, one_of(t, 1)) && r.kind == RANGE_UP;
		n = unit_up ? simple_range(L, &r, &ok) : stepped_range(L, &r, &ok);
		if (counts_to(&r))
			n = r.to;
	} else {
		r.step = one_of(t, r.kind == RANGE_DOWN ? -1 : 1);
		n = simple_range(L, &r, &ok);
	}
	if (primtype_size(t) == 8)
		ok = b_prim2(b, P_and, ok, is_size(b, n, r.kind == RANGE_INCL));
	Vars saved = check_begin(L, ok, range_message(&r));
	Sub a = b_let(b, "range", type_array(t, subs_of(1, n)), EXP(iota, t, n, r.from, r.step));
	check_end(L, saved);
	return val_data(rep_array(&L->reps, rep_prim(&L->reps, t)), subs_of(1, a));
}

// ---- Coercions ----

// What follows the first n sizes, [a][b], of a type as written; NULL: it does not begin so.
static const char *after_sizes(const char *type, int n)
{
	for (; n && *type == '['; n--) {
		int depth = 0;
		do
			depth += *type == '[' ? 1 : *type == ']' ? -1 : 0;
		while (*type++ && depth);
	}
	return n || *type == '[' ? NULL : type;
}

// The type by the values of its sizes; those it leaves open are those of the value.
static void msg_type(MsgVec *m, Subs have, Subs want, const char *type)
{
	const char *elem = after_sizes(type, want.len);
	for (int i = 0; elem && i < want.len; i++) {
		msg_text(m, "[");
		msg_val(m, dim_is_known(want.at[i]) ? want.at[i] : have.at[i]);
		msg_text(m, "]");
	}
	msg_text(m, elem ? elem : type);
}

static void check_dims(Lower *L, Subs have, Subs want, const char *type)
{
	Sub ok = sub_bool(true);
	MsgVec m = {0};
	msg_text(&m, "Value of (desugared) shape ");
	for (int i = 0; i < want.len; i++) {
		if (dim_is_known(want.at[i]))
			ok = b_prim2(&L->b, P_and, ok, b_eq(&L->b, have.at[i], want.at[i]));
		msg_text(&m, "[");
		msg_val(&m, have.at[i]);
		msg_text(&m, "]");
	}
	msg_text(&m, " cannot match shape of type \"");
	msg_type(&m, have, want, type);
	msg_text(&m, "\".");
	mark_kept(L);
	check_begin(L, ok, m); // the caller restores what later statements depend on
}

Val *lower_coerce(Lower *L, Frame *f, Expr *e)
{
	Val *v = lower_expr(L, f, e->ascribe.of);
	if (v->kind == V_FUN)
		return v;
	LType *t = ltype(L, f, e->type, false);
	set_where(L, e->span);
	Subs flat = val_flat(v);
	Vars saved = L->b.certs;
	for (int i = 0; i < flat.len && t->flat.len == flat.len; i++)
		if (t->flat.at[i].dims.len)
			check_dims(L, sub_type(flat.at[i]).dims, t->flat.at[i].dims,
			           show_type_expr(e->ascribe.type));
	Val *out = val_as(L, v, t);
	check_end(L, saved);
	return out;
}
