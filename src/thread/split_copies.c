// The pass `split_copies`: distributes large copies and fills over threads.
//
//     let (ys: [n][m]f32 @ b + 0) = copy xs                     -- xs: [n][m]f32 @ a + 0 {1, n}
// becomes
//     #[chunks] let (k: i64, ...) = opaque (3, n, work, 0)
//     let (one: bool) = eq.i64 k 1
//     let (ys: [n][m]f32 @ b + 0) = if one then {the same} else {
//       #[region] let (..) = loop (o: *[n][m]f32 @ b + 0 = scratch) for c: i64 < k do {
//         let (lo: i64) = ...;  let (len: i64) = ...
//         let (y: [len][m]f32 @ b + lo m) = copy xs[lo:len:1, 0:m:1]
//         #[in_place] let (o1: ..) = update o [lo:len:1, 0:m:1] y
//         in o1
//       }
//       in ..
//     }
//
// The same is done for updates with arrays, `replicate` and `iota`; what is a loop, and no call of
// memcpy or memset, is a region in any case.  Contiguous arrays are treated as one row.  Copies
// inside regions, and in functions that only regions call, are left alone.
//
// Requires: the MEM stage, before `outline`.  Ensures nothing that other passes rely on.
#include "mem/mem.h"
#include "opt/opt.h"

typedef struct { Map reached; VEC(Fun *) work; Build b; } Split;

// ---- Places ----

static Sub stride_of_rows(Build *b, Type t)
{
	if (t.mem->strides.len)
		return t.mem->strides.at[0];
	Sub n = sub_i64(1);
	for (int d = 1; d < t.dims.len; d++)
		n = b_mul(b, n, t.dims.at[d]);
	return n;
}

// The type of rows lo .. lo + len - 1 of an array.
static Type rows_type(Build *b, Type t, Sub lo, Sub len)
{
	Sub offset = b_add(b, t.mem->offset, b_mul(b, lo, stride_of_rows(b, t)));
	t.dims = SLICE_DUP(Subs, t.dims);
	t.dims.at[0] = len;
	t.mem = NEW(MemLoc, t.mem->block, offset, t.mem->strides);
	t.unique = false;
	return t;
}

static Sub slice_rows(Build *b, Sub arr, Sub lo, Sub len)
{
	Type t = sub_type(arr);
	return b_let(b, "rows", rows_type(b, t, lo, len), EXP(slice, arr, slices_rows(t, lo, len)));
}

// ---- What a chunk does ----

// The statement for some rows, which go to their place in `out`.
static Sub put(Build *b, Sub out, Sub lo, Sub len, Exp *e)
{
	Type t = type_plain(sub_type(out));
	Sub y = b_let(b, "rows", rows_type(b, t, lo, len), e);
	b->attrs = attr_of(ATTR_IN_PLACE);
	return b_let(b, "out", t, EXP(update, out, slices_rows(t, lo, len), y));
}

static Sub update_rows(Build *b, const Exp *e, Sub out, Sub lo, Sub len)
{
	Type t = type_plain(sub_type(out));
	Slices at = SLICE_DUP(Slices, e->update.at);
	int d = 0;
	while (at.at[d].fixed)
		d++;
	at.at[d].start = b_add(b, at.at[d].start, b_mul(b, lo, at.at[d].step));
	at.at[d].len = len;
	Sub val = slice_rows(b, e->update.val, lo, len);
	return b_let(b, "out", t, EXP(update, out, at, val));
}

static Sub do_rows(Build *b, const Exp *e, Sub out, Sub lo, Sub len)
{
	Exp *part = exp_dup(e);
	if (e->form == E_update)
		return update_rows(b, e, out, lo, len);
	if (e->form == E_copy) {
		part->copy.arr = slice_rows(b, e->copy.arr, lo, len);
	} else if (e->form == E_replicate) {
		part->replicate.dims = SLICE_DUP(Subs, e->replicate.dims);
		part->replicate.dims.at[0] = len;
	} else {
		Sub first = b_convert(b, e->iota.type, lo);
		part->iota.n = len;
		part->iota.start = b_add(b, e->iota.start, b_mul(b, first, e->iota.step));
	}
	return put(b, out, lo, len, part);
}

// ---- Statements ----

static Subs dims_of(const Stm *s)
{
	return s->exp->form == E_update ? sub_type(s->exp->update.val).dims
	                                : vars[s->pat.at[0].id].type.dims;
}

// In the time of scalar operations; what is read too, and what is transposed, takes longer.
static Sub work_of(Build *b, const Stm *s)
{
	Type t = vars[s->pat.at[0].id].type;
	Type from = s->exp->form == E_copy ? sub_type(s->exp->copy.arr)
	          : s->exp->form == E_update ? sub_type(s->exp->update.val) : t;
	Subs dims = dims_of(s);
	Sub n = b_product(b, dims);
	if (from.mem->strides.len > 1)
		return b_mul(b, n, sub_i64(16));
	bool reads = s->exp->form == E_copy || s->exp->form == E_update;
	int size = primtype_size(t.elem); // 4 of them fill a word, 8 copy it
	return reads ? b_mul(b, n, sub_i64(size))
	             : b_prim2(b, P_quot, b_mul(b, n, sub_i64(size)), sub_i64(2));
}

static bool is_large_store(const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form == E_update) {
		if (type_is_scalar(sub_type(e->update.val)) || stm_is_in_place(s))
			return false;
	} else if (e->form != E_copy && e->form != E_replicate && e->form != E_iota) {
		return false;
	} else if (e->form == E_copy && mem_eq(sub_type(e->copy.arr).mem,
	                                       vars[s->pat.at[0].id].type.mem)) {
		return false;
	}
	Subs dims = dims_of(s);
	int64_t n = 1;
	for EACH(Sub, d, dims) {
		if (d->kind != S_CONST)
			return true;
		if (d->val.i > 0 && n < threshold(AT_copy_work))
			n *= d->val.i;
	}
	return n >= threshold(AT_copy_work);
}

// The store in chunks, as `r`.
static void put_region(Build *b, const Stm *s, Sub k, Sub size, Var r)
{
	const Exp *e = s->exp;
	Type t = vars[s->pat.at[0].id].type, carried = t;
	Sub n = dims_of(s).at[0];
	t.unique = false;
	carried.unique = true;
	Sub init = e->form == E_update ? e->update.arr : b_scratch(b, "out", t);
	Var p = var_new(name_of("out"), carried), c = var_i64("c");
	b_open(b);
	Sub lo = b_prim2(b, P_min, b_mul(b, sub_var(c), size), n);
	Sub len = b_prim2(b, P_min, size, b_sub(b, n, lo));
	Sub next = do_rows(b, e, sub_var(p), lo, len);
	Body body = b_close(b, subs_of(1, next));
	b->attrs = attr_of(ATTR_REGION);
	b_stm(b, vars_of(1, r), EXP(loop, .params = vars_of(1, p), .inits = subs_of(1, init),
	                            .i = c, .n = k, .body = body));
}

static Body region(Build *b, const Stm *s, Sub k, Sub size)
{
	Type t = type_plain(vars[s->pat.at[0].id].type);
	Var r = var_new(name_of("out"), t);
	b_open(b);
	put_region(b, s, k, size, r);
	return b_close(b, subs_of(1, sub_var(r)));
}

static Body unchanged(Build *b, const Stm *s)
{
	Type t = type_plain(vars[s->pat.at[0].id].type);
	Var y = var_new(vars[s->pat.at[0].id].hint, t);
	b_open(b);
	b_emit(b, (Stm){.pat = vars_of(1, y), .exp = s->exp, .where = s->where});
	return b_close(b, subs_of(1, sub_var(y)));
}

// Row after row, without gaps?
static bool is_dense(Type t)
{
	return !t.mem->strides.len;
}

// Is it a call of memcpy or memset?  Others are loops.
static bool is_of_bytes(const Stm *s)
{
	const Exp *e = s->exp;
	Type t = vars[s->pat.at[0].id].type;
	if (e->form == E_copy)
		return is_dense(t) && is_dense(sub_type(e->copy.arr));
	if (e->form != E_replicate || !is_dense(t) || e->replicate.x.kind != S_CONST)
		return false;
	return e->replicate.x.val.u == 0 || primtype_size(t.elem) == 1;
}

// Loops that one thread goes through are those of a region of one chunk: the function around them
// then only calls others, which takes C compilers a small part of the time (is_large_control of
// gen/cfun.c).
static void split_store(Build *b, const Stm *s)
{
	b->where = s->where;
	Sub n = dims_of(s).at[0], work = work_of(b, s);
	Vars pat = vars_of(4, var_i64("chunks"), var_i64("rows"), var_i64("work"),
	                   var_i64("extra"));
	b->attrs = attr_of(ATTR_CHUNKS);
	b_stm(b, pat, EXP(opaque, subs_of(4, sub_i64(3), n, work, sub_i64(0))));
	Sub k = sub_var(pat.at[0]);
	Exp *part = EXP(prim, P_chunk, PT_I64, {n, k, sub_i64(0)});
	Sub size = b_let(b, "size", type_scalar(PT_I64), part);
	if (!is_of_bytes(s)) {
		put_region(b, s, k, size, s->pat.at[0]);
		return;
	}
	Sub one = b_eq(b, k, sub_i64(1));
	Body yes = unchanged(b, s), no = region(b, s, k, size);
	// What is around has the registers: copies that are large enough take their time anyway.
	b_emit(b, (Stm){.pat = s->pat, .where = s->where, .exp = EXP(if_, one, yes, no),
	                .attrs = attr_of(ATTR_LIKELY)});
}

// Copies and fills of arrays that lie in memory element after element: there may be few rows.
static bool is_one_piece(const Stm *s)
{
	const Exp *e = s->exp;
	Type t = vars[s->pat.at[0].id].type;
	if (t.dims.len < 2 || !is_dense(t))
		return false;
	return (e->form == E_copy && is_dense(sub_type(e->copy.arr))) ||
	       (e->form == E_replicate && type_is_scalar(sub_type(e->replicate.x)));
}

static Type as_row(Type t, Sub n)
{
	t.dims = subs_of(1, n);
	return t;
}

// let (ys: [n][m]f32) = copy xs -> x1 = reshape [n m] xs;  y1 = copy x1;  ys = reshape [n][m] y1
static void split_piece(Build *b, const Stm *s)
{
	b->where = s->where;
	Type t = vars[s->pat.at[0].id].type;
	Sub n = b_product(b, t.dims);
	Exp *e = exp_dup(s->exp);
	Var y = var_new(vars[s->pat.at[0].id].hint, as_row(t, n));
	if (e->form == E_copy)
		e->copy.arr = b_let(b, "flat", as_row(sub_type(e->copy.arr), n),
		                    EXP(reshape, subs_of(1, n), e->copy.arr));
	else
		e->replicate.dims = subs_of(1, n);
	split_store(b, &(Stm){.pat = vars_of(1, y), .exp = e, .where = s->where});
	b_emit(b, (Stm){.pat = s->pat, .where = s->where, .exp = EXP(reshape, t.dims, sub_var(y))});
}

// ---- Bodies, functions ----

static void reach(Visit *v, Fun **f)
{
	Split *p = v->ctx;
	if (map_has(&p->reached, *f))
		return;
	map_put(&p->reached, *f, *f);
	VEC_PUSH(&p->work, *f);
}

static void split_body(Visit *v, Body *body)
{
	Split *p = v->ctx;
	Build *b = &p->b;
	b_open(b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		bool apart = s->exp->form == E_call &&
		             has_attr(s->exp->call.fn->attrs, ATTR_APART);
		if (is_large_store(s) && may_rewrite()) {
			(is_one_piece(s) ? split_piece : split_store)(b, s);
			continue;
		}
		if (!apart && !has_attr(s->attrs, ATTR_REGION) &&
		    (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call))
			t.exp = exp_visit(s->exp, v);
		b_emit(b, t);
	}
	*body = b_close(b, body->res);
}

static void new_callee(Visit *v, Fun **f)
{
	Fun *to = map_get(v->ctx, *f);
	*f = to ? to : *f;
}

Prog *split_copies(Prog *prog)
{
	Map funs = {0};
	Prog *out = prog_copy(prog, &funs);
	Split p = {0};
	Visit calls = {.fun = new_callee, .copy = true, .ctx = &funs};
	for EACH(Fun *, f, out->funs) {
		body_visit(&(*f)->body, &calls);
		if ((*f)->entry) {
			map_put(&p.reached, *f, *f);
			VEC_PUSH(&p.work, *f);
		}
	}
	Visit v = {.body = split_body, .fun = reach, .copy = true, .ctx = &p};
	while (p.work.len) {
		Fun *f = p.work.at[--p.work.len];
		split_body(&v, &f->body);
	}
	return out;
}
