// Atomic read-modify-write of elements that other threads may update concurrently: #[atomic] loops.
//
//     #[atomic] loop (p = a) for z < 1 do {
//       old = p[i]
//       new = add.i32 old v                        ->       rd_atomic_add_i32(&a[i], v);
//       p1 = p with [i] = new  in p1
//     }
//
// Where the device has no such instruction, a compare-and-swap loop is used:
//
//     int32_t seen = *at, was;
//     for (;; seen = was) {
//         float old = bits(seen);  ...
//         if ((was = rd_cas_i32(at, seen, bits(new))) == seen)
//             break;
//     }
//
// Elements of 8 and 16 bits are swapped together with their neighbours.  Any other loop (several
// arrays, elements that are arrays) runs while holding one of many locks, chosen by the address.
//
// Note [Fixed order].  Threads run in any order, so atomic float sums are rounded differently each
// time.  With --deterministic, histograms and accumulators are summed in a fixed order
// (fixed_order.c), and a program that still needs atomic float sums is rejected with the source
// location; minima and maxima, which do not depend on the order, are accepted.  All other
// combinations in kernels follow the order of the rows, in groups that depend only on the sizes
// and the device; scans of floats across blocks, which combine whatever is available first
// (kchain.c), use one block per row.
#include "gen/kgen.h"

#include "loop/loop.h"

// One element of one array, read once and written once.
typedef struct {
	const Stm *read, *write;
	Subs idx;
	Type array;
} Update;

static bool same_index(Subs idx, Slices at)
{
	if (idx.len != at.len)
		return false;
	for (int i = 0; i < idx.len; i++)
		if (!at.at[i].fixed || !sub_eq(at.at[i].start, idx.at[i]))
			return false;
	return true;
}

static bool is_bound_by(const Exp *loop, const Stm *until, Sub x)
{
	for (const Stm *s = loop->loop.body.stms.at; s < until; s++)
		for EACH(Var, v, s->pat)
			if (sub_eq(x, sub_var(*v)))
				return true;
	return false;
}

static bool find_update(const Exp *e, Update *u)
{
	*u = (Update){0};
	if (e->loop.params.len != 1)
		return false;
	Sub p = sub_var(e->loop.params.at[0]);
	for EACH(Stm, s, e->loop.body.stms) {
		const Exp *x = s->exp;
		if (x->form == E_index && sub_eq(x->index.arr, p)) {
			if (u->read || u->write)
				return false;
			u->read = s;
			u->idx = x->index.idx;
		} else if (x->form == E_update && sub_eq(x->update.arr, p)) {
			if (!u->read || u->write || !same_index(u->idx, x->update.at))
				return false;
			u->write = s;
		} else if (!is_pure_scalar(s) && x->form != E_assert_) {
			return false;
		}
	}
	if (!u->write || !sub_eq(e->loop.body.res.at[0], sub_var(u->write->pat.at[0])))
		return false;
	u->array = sub_type(p);
	for EACH(Sub, i, u->idx)
		if (is_bound_by(e, u->read, *i))
			return false;
	return true;
}

// ---- Instructions ----

// The other operand, if the new value is one operation of the old one and something else.
static bool is_native(const Exp *e, const Update *u, Prim *op, Sub *other)
{
	PrimType t = u->array.elem;
	Sub old = sub_var(u->read->pat.at[0]), next = u->write->exp->update.val;
	if (e->loop.body.stms.len != 3)
		return false;
	const Exp *x = e->loop.body.stms.at[1].exp;
	if (x->form != E_prim || !sub_eq(next, sub_var(e->loop.body.stms.at[1].pat.at[0])) ||
	    prim_arity(x->prim.op) != 2 || x->prim.at != t || primtype_size(t) < 4)
		return false;
	*op = x->prim.op;
	*other = sub_eq(x->prim.x[0], old) ? x->prim.x[1] : x->prim.x[0];
	if (sub_eq(*other, old) || (!sub_eq(x->prim.x[0], old) && !sub_eq(x->prim.x[1], old)))
		return false;
	if (*op == P_add)
		return true;
	return is_int(t) &&
	       (*op == P_min || *op == P_max || *op == P_and || *op == P_or || *op == P_xor);
}

static Space space_of(Gen *g, Type array)
{
	return state_of(g, array.mem->block)->space;
}

static CExp *indices(Gen *g, const Update *u)
{
	CExp *out = NEW_ARRAY(CExp, u->idx.len);
	for (int i = 0; i < u->idx.len; i++)
		out[i] = operand(g, u->idx.at[i]);
	return out;
}

// ---- Compare and swap ----

// The bits of a value of the type, and back.
static CExp to_bits(Gen *g, PrimType t, CExp x)
{
	if (t == PT_F16) {
		rts_use(g->rts, "rd_half_of_float");
		return x_call("rd_half_of_float", x);
	}
	return t == PT_F32 ? x_quote("(int32_t)rd_bits_of_float($1)", x)
	     : t == PT_F64 ? x_quote("(int64_t)rd_bits_of_double($1)", x)
	     : x_cast(primtype_size(t) == 8 ? "int64_t" : "int32_t", x, PREC_ATOM);
}

static CExp from_bits(Gen *g, PrimType t, CExp x)
{
	if (t == PT_F16) {
		rts_use(g->rts, "rd_float_of_half");
		return x_quote("rd_float_of_half((uint16_t)$1)", x);
	}
	return t == PT_F32 ? x_call("rd_float_of_bits", x)
	     : t == PT_F64 ? x_call("rd_double_of_bits", x)
	     : x_cast(c_scalar_type(t), x, PREC_ATOM);
}

// Where the word with the element is, and by how many bits it is shifted there; NULL: by none.
typedef struct { const char *at, *shift; } Word;

static Word declare_word(Gen *g, const Update *u)
{
	int size = primtype_size(u->array.elem);
	Word w = {.at = fresh_name(g, "at")};
	const char *to = text("volatile %s%s *", space_name(space_of(g, u->array)),
	                      size == 8 ? "int64_t" : "int32_t");
	if (size >= 4) {
		quote(g->c, "$1$2 = ($1)&$3;", to, w.at, element(g, u->array, indices(g, u)));
		return w;
	}
	const char *index = fresh_name(g, "index");
	w.shift = fresh_name(g, "shift");
	s_declare(g->c, "int64_t", index, index_in_block(g, u->array, indices(g, u)));
	quote(g->c, "int32_t $1 = (int32_t)($2 % $3) * $4; $5$6 = ($5)$7 + $2 / $3;", w.shift,
	      index, 4 / size, 8 * size, to, w.at, block_pointer(g, u->array.mem->block));
	return w;
}

// The element in a word, and the word with another one in its place.
static CExp element_in(Gen *g, PrimType t, Word w, const char *seen)
{
	CExp shifted = w.shift ? x_quote("(uint32_t)$1 >> $2", seen, w.shift) : x_name(seen);
	if (t == PT_BOOL)
		shifted = x_quote("($1 & 255) != 0", shifted);
	return from_bits(g, t, shifted);
}

static CExp word_with(Gen *g, PrimType t, Word w, const char *seen, CExp x)
{
	CExp next = to_bits(g, t, x);
	if (!w.shift)
		return next;
	return x_quote("(int32_t)((uint32_t)$1 & ~($2 << $3) | ((uint32_t)$4 & $2) << $3)", seen,
	               primtype_size(t) == 1 ? "255u" : "65535u", w.shift, next);
}

static void compare_and_swap(Gen *g, const Exp *e, const Update *u)
{
	PrimType t = u->array.elem;
	bool wide = primtype_size(t) == 8;
	const char *seen, *was, *type = wide ? "int64_t" : "int32_t";
	Word w = declare_word(g, u);
	seen = fresh_name(g, "seen");
	was = fresh_name(g, "was");
	quote(g->c, "$1 $2 = *$3; for (;;)", type, seen, w.at);
	Outer outer = enter_body(g, &e->loop.body);
	for EACH(Stm, s, e->loop.body.stms)
		if (s == u->read)
			declare(g, s->pat.at[0], element_in(g, t, w, seen));
		else if (s != u->write)
			gen_stm(g, s);
	CExp next = word_with(g, t, w, seen, operand(g, u->write->exp->update.val));
	quote(g->c, "$1 $2 = $3($4, $5, $6); if ($2 == $5) break; $5 = $2;", type, was,
	      wide ? "rd_cas_i64" : "rd_cas_i32", w.at, seen, next);
	leave_body(g, outer);
	s_close(g->c);
}

// ---- Locks ----

// The place that decides on the lock: where the first array of the loop is first read or written
// at an index that is known before.
static CExp place_of_lock(Gen *g, const Exp *e)
{
	for EACH(Stm, s, e->loop.body.stms) {
		Subs idx = {0};
		Sub arr = {0};
		if (s->exp->form == E_index) {
			idx = s->exp->index.idx;
			arr = s->exp->index.arr;
		} else if (s->exp->form == E_update) {
			VEC(Sub) fixed = {0};
			for EACH(DimSlice, d, s->exp->update.at)
				VEC_PUSH(&fixed, d->fixed ? d->start : sub_i64(0));
			idx = VEC_SLICE(Subs, fixed);
			arr = s->exp->update.arr;
		}
		bool carried = false, known = idx.len > 0;
		for EACH(Var, p, e->loop.params)
			carried |= sub_eq(arr, sub_var(*p));
		for EACH(Sub, i, idx)
			known &= !is_bound_by(e, e->loop.body.stms.at + e->loop.body.stms.len, *i);
		if (!carried || !known)
			continue;
		Update u = {.idx = idx};
		return index_in_block(g, sub_type(arr), indices(g, &u));
	}
	return x_int(0);
}

static void with_lock(Gen *g, const Exp *e)
{
	const char *lock = fresh_name(g, "lock"), *done = fresh_name(g, "done");
	rts_use(g->rts, "kernel_locks");
	*(g->kernel ? &g->kernel->locks : &g->device->locks) = true;
	quote(g->c, "volatile RD_GLOBAL int32_t *$1 = rd_locks + (uint64_t)$2 % RD_N_LOCKS;", lock,
	      place_of_lock(g, e));
	quote(g->c, "bool $1 = false; while (!$1)", done);
	quote(g->c, "if (rd_cas_i32($1, 0, 1) == 0)", lock);
	quote(g->c, "rd_fence();");
	const char *before = g->thread.held;
	g->thread.held = lock;
	Outer outer = enter_body(g, &e->loop.body);
	gen_stms(g, &e->loop.body);
	settle_loads(g);
	leave_body(g, outer);
	g->thread.held = before;
	quote(g->c, "rd_fence(); rd_unlock($1); $2 = true;", lock, done);
	s_close(g->c);
	s_close(g->c);
}

// See Note [Fixed order].
static void check_order(const Gen *g, const Stm *s)
{
	bool floats = false;
	for EACH(Var, p, s->exp->loop.params)
		floats |= is_float(vars[p->id].type.elem);
	if (g->device->fixed_order && floats && body_find(&s->exp->loop.body, stm_rounds))
		fail(users_place(s->where), NULL,
		     "With --deterministic: the threads of a device would combine floats here in "
		     "any order.\nPrograms of \"raido multicore\" can be deterministic instead.");
}

// Note [Together].  Where the threads of a warp add floats to one place, one of them adds their sum
// (rd_add_together), since atomic additions to a place are done one after the other.  Finding out
// takes a while, so that only indices count that are the same in all threads as a rule: computed
// from what is known before the kernel, from counters of loops in a thread and of the outer levels
// of a nest, and from what is loaded at such indices.  Also those that are loaded in order of the
// rows: the numbers of segments, for one, are sorted.  And the quotients of the rows' numbers, of
// which many neighbours have the same: a flat map that takes its number apart.
static bool is_level(const Kernel *k, Sub x, int below)
{
	for (int d = 0; d < below; d++)
		if (sub_eq(x, sub_var(k->nest.at[d]->exp->loop.i)))
			return true;
	return false;
}

// Is the number of a row divided, by no less than a warp has threads if that is known?
static bool is_quotient_of_row(const Kernel *k, const Exp *e)
{
	enum { WARP = 32 };
	return e->form == E_prim && (e->prim.op == P_div || e->prim.op == P_quot) &&
	       is_level(k, e->prim.x[0], k->nest.len) && is_known_before(k, e->prim.x[1]) &&
	       (e->prim.x[1].kind != S_CONST || e->prim.x[1].val.i >= WARP);
}

static bool may_be_shared(Gen *g, Sub x, int depth)
{
	const Kernel *k = g->kernel;
	if (x.kind == S_CONST || is_known_before(k, x) || state_of(g, x.var)->is_counter ||
	    is_level(k, x, k->nest.len - 1))
		return true;
	const Exp *e = state_of(g, x.var)->bound_to;
	if (!e || !depth)
		return false;
	if (is_quotient_of_row(k, e))
		return true;
	if (e->form == E_convert)
		return may_be_shared(g, e->convert.x, depth - 1);
	bool load = e->form == E_index;
	Subs of = e->form == E_prim ? (Subs){(Sub *)e->prim.x, prim_arity(e->prim.op)}
	        : load ? e->index.idx : (Subs){0};
	for EACH(Sub, y, of)
		if (!may_be_shared(g, *y, depth - 1) && !(load && is_level(k, *y, k->nest.len)))
			return false;
	return of.len > 0;
}

static const char *float_adder(Gen *g, const Update *u, Space space)
{
	enum { DEPTH = 10 };
	bool together = g->kernel && !g->thread.alone;
	for EACH(Sub, i, u->idx)
		together = together && may_be_shared(g, *i, DEPTH);
	return text("rd_add_%s_%s%s", primtype_name[u->array.elem],
	            space == SPACE_LOCAL ? "local" : "global", together ? "_together" : "");
}

void gen_atomic(Gen *g, const Stm *s)
{
	check_order(g, s);
	const Exp *e = s->exp;
	Update u;
	Prim op;
	Sub other;
	settle_all(g);
	for EACH(Var, p, e->loop.params)
		if (vars[p->id].type.mem) {
			place_hint(g, *p);
			state_of(g, vars[p->id].type.mem->block)->stored = true;
		}
	bool at_block = g->thread.at_block;
	if (at_block) {
		block_barrier(g);
		g->thread.at_block = false;
		s_if(g->c, is_first_thread());
	} else {
		s_scope(g->c);
	}
	rts_use(g->rts, "kernel_atomics");
	if (!find_update(e, &u)) {
		with_lock(g, e);
	} else if (is_native(e, &u, &op, &other)) {
		CExp value = operand(g, other), at = element(g, u.array, indices(g, &u));
		Space space = space_of(g, u.array);
		const char *name = is_float(u.array.elem) ? float_adder(g, &u, space)
			: text("rd_atomic_%s_%s", prim_name[op], primtype_name[u.array.elem]);
		const char *to = text("volatile %s%s *", space_name(space),
		                      elem_type(g, u.array.elem));
		s_do(g->c, x_call(name, x_cast(to, x_address(at), PREC_UNARY), value));
	} else {
		compare_and_swap(g, e, &u);
	}
	s_close(g->c);
	g->thread.at_block = at_block;
	end_store(g);
	bind_results(g, s);
}
