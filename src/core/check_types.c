// Type checking of core: what each form requires of its operands and gives to its pattern.
//
// Ranks and element types are compared; sizes are not, since two sizes that are written differently
// may be equal, as established by an earlier assertion.  Where sizes occur in types, they are
// checked to be i64 scalars.  The rules are those of docs/core.md, with one function or case per
// form.
#include "core/check_core.h"

static void types_of_body(Check *, const Body *, Types want, const char *what);

// ---- Questions and demands ----

static bool same_type(Type a, Type b)
{
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case T_DATA:
		return a.elem == b.elem && a.dims.len == b.dims.len;
	case T_CERT:
		return true;
	case T_MEM:
		return a.elem == b.elem;
	case T_ACC:
		if (a.acc->token.id != b.acc->token.id || a.acc->space.len != b.acc->space.len ||
		    a.acc->elems.len != b.acc->elems.len)
			return false;
		for (int i = 0; i < a.acc->elems.len; i++)
			if (!same_type(a.acc->elems.at[i], b.acc->elems.at[i]))
				return false;
		return true;
	}
	bug("no such type: %d", (int)a.kind);
}

void want_type(Check *c, Type got, Type want, const char *what)
{
	if (!same_type(got, want))
		core_wrong(c, "%s has type %s, expected %s", what, show_core_type(got),
		           show_core_type(want));
}

void want_types(Check *c, Types got, Types want, const char *what)
{
	if (got.len != want.len)
		core_wrong(c, "%s: there are %d, expected %d", what, got.len, want.len);
	for (int i = 0; i < got.len; i++)
		if (!same_type(got.at[i], want.at[i]))
			core_wrong(c, "%s: number %d has type %s, expected %s", what, i + 1,
			      show_core_type(got.at[i]), show_core_type(want.at[i]));
}

static void want_sub(Check *c, Sub s, Type want, const char *what)
{
	if (!same_type(sub_type(s), want))
		core_wrong(c, "%s %s has type %s, expected %s", what, show_sub(s),
		      show_core_type(sub_type(s)), show_core_type(want));
}

void want_scalar(Check *c, Sub s, PrimType t, const char *what)
{
	want_sub(c, s, type_scalar(t), what);
}

void want_i64s(Check *c, Subs s, const char *what)
{
	for EACH(Sub, p, s)
		want_scalar(c, *p, PT_I64, what);
}

Types types_part(Types ts, int from, int len)
{
	return (Types){len ? ts.at + from : NULL, len};
}

int want_array(Check *c, Sub s, int rank, const char *what)
{
	Type t = sub_type(s);
	if (t.kind != T_DATA || t.dims.len < rank)
		core_wrong(c, "%s %s has type %s, expected an array of at least %d dimension%s",
		           what, show_sub(s), show_core_type(t), rank, rank == 1 ? "" : "s");
	return t.dims.len;
}

static void check_mem(Check *c, Type t)
{
	want_type(c, vars[t.mem->block.id].type, type_mem(t.elem), "the block of an array");
	want_scalar(c, t.mem->offset, PT_I64, "offset");
	want_i64s(c, t.mem->strides, "stride");
	if (t.mem->strides.len && t.mem->strides.len != t.dims.len)
		core_wrong(c, "%d strides for %d dimensions", t.mem->strides.len, t.dims.len);
}

static void check_type(Check *c, Type t)
{
	switch (t.kind) {
	case T_DATA:
		want_i64s(c, t.dims, "size");
		if (t.mem)
			check_mem(c, t);
		return;
	case T_CERT: case T_MEM:
		return;
	case T_ACC:
		want_type(c, vars[t.acc->token.id].type, type_cert(),
		          "the token of an accumulator");
		want_i64s(c, t.acc->space, "size");
		for EACH(Type, e, t.acc->elems)
			check_type(c, *e);
		return;
	}
	bug("no such type: %d", (int)t.kind);
}

// In the MEM stage every array that is bound has a place in memory, before that none.
static void check_binders(Check *c, Vars vs)
{
	bool in_memory = c->prog->stage == STAGE_MEM;
	for EACH(Var, v, vs) {
		Type t = vars[v->id].type;
		bool is_array = t.kind == T_DATA && t.dims.len;
		if ((t.mem != NULL) != (is_array && in_memory))
			core_wrong(c, "%s : %s %s", show_sub(sub_var(*v)), show_core_type(t),
			           t.mem ? "has a place in memory" : "has no place in memory");
		if (t.kind == T_MEM && !in_memory)
			core_wrong(c, "%s is a memory block", show_sub(sub_var(*v)));
		check_type(c, t);
	}
}

// ---- Lambdas and operators ----

// `what` is about both its parameters and its results.
void check_lambda(Check *c, const Lambda *l, Types params, const char *what)
{
	check_binders(c, l->params);
	for EACH(Type, t, l->ret)
		check_type(c, *t);
	want_types(c, types_of_vars(l->params), params, what);
	types_of_body(c, &l->body, l->ret, what);
}

// op : (ts, ts) -> ts, and its neutral elements are ts.
void check_operator(Check *c, const Lambda *op, Subs ne, Types ts)
{
	want_types(c, types_of_subs(ne), ts, "neutral elements");
	Types twice = {NEW_ARRAY(Type, 2 * ts.len), 2 * ts.len};
	for (int i = 0; i < ts.len; i++)
		twice.at[i] = twice.at[i + ts.len] = ts.at[i];
	check_lambda(c, op, twice, "operands and results of the operator");
	want_types(c, op->ret, ts, "results of the operator");
}

static Types row_types(Check *c, Subs arrs)
{
	Types ts = {arrs.len ? NEW_ARRAY(Type, arrs.len) : NULL, arrs.len};
	for (int i = 0; i < arrs.len; i++) {
		if (sub_type(arrs.at[i]).kind != T_ACC)
			want_array(c, arrs.at[i], 1, "input");
		ts.at[i] = type_row(sub_type(arrs.at[i]));
	}
	return ts;
}

void check_mapped(Check *c, Sub n, Subs arrs, const Lambda *map)
{
	want_scalar(c, n, PT_I64, "size");
	check_lambda(c, map, row_types(c, arrs), "parameters and results of the map function");
}

// ---- Control ----

static void check_match(Check *c, const Exp *e, Types pat)
{
	Type t = sub_type(e->match.x);
	if (!type_is_scalar(t) || !is_int(t.elem))
		core_wrong(c, "match on %s : %s, which is no integer", show_sub(e->match.x),
		           show_core_type(t));
	for EACH(CoreCase, k, e->match.cases) {
		want_type(c, type_scalar(k->value.type), t, "a case");
		types_of_body(c, &k->body, pat, "results of a case");
	}
	types_of_body(c, &e->match.other, pat, "results of the last case");
}

static void check_loop(Check *c, const Exp *e, TypeVec *out)
{
	Types params = types_of_vars(e->loop.params);
	check_binders(c, e->loop.params);
	want_types(c, types_of_subs(e->loop.inits), params, "initial values");
	if (e->loop.is_while) {
		bool found = false;
		for EACH(Var, p, e->loop.params)
			found |= p->id == e->loop.while_cond.id;
		if (!found)
			core_wrong(c, "the condition of the loop is not one of its parameters");
		want_scalar(c, sub_var(e->loop.while_cond), PT_BOOL, "condition");
	} else {
		Type n = sub_type(e->loop.n);
		if (!type_is_scalar(n) || !is_int(n.elem))
			core_wrong(c, "the bound of the loop has type %s", show_core_type(n));
		want_type(c, vars[e->loop.i.id].type, n, "the counter of the loop");
	}
	types_of_body(c, &e->loop.body, params, "results of the loop");
	VEC_APPEND(out, params);
}

// ---- Arrays ----

static void check_slices(Check *c, Sub arr, Slices at)
{
	int rank = want_array(c, arr, 1, "array");
	if (at.len != rank)
		core_wrong(c, "%d slices of an array of %d dimensions", at.len, rank);
	for EACH(DimSlice, d, at) {
		want_scalar(c, d->start, PT_I64, "index");
		if (!d->fixed) {
			want_scalar(c, d->len, PT_I64, "length");
			want_scalar(c, d->step, PT_I64, "stride");
		}
	}
}

static void check_concat(Check *c, const Exp *e, TypeVec *out)
{
	want_scalar(c, e->concat.size, PT_I64, "size");
	if (!e->concat.arrs.len)
		core_wrong(c, "concat of nothing");
	Type first = sub_type(e->concat.arrs.at[0]);
	for EACH(Sub, a, e->concat.arrs) {
		want_array(c, *a, 1, "array");
		want_type(c, sub_type(*a), first, "an array of concat");
	}
	VEC_PUSH(out, first);
}

static void check_rearrange(Check *c, const Exp *e, TypeVec *out)
{
	int rank = want_array(c, e->rearrange.arr, 1, "array");
	uint64_t seen = 0;
	if (e->rearrange.perm.len != rank || rank > 64)
		core_wrong(c, "a permutation of %d dimensions for an array of %d",
		           e->rearrange.perm.len, rank);
	for EACH(int, i, e->rearrange.perm) {
		if (*i < 0 || *i >= rank || (seen >> *i & 1))
			core_wrong(c, "not a permutation");
		seen |= (uint64_t)1 << *i;
	}
	VEC_PUSH(out, sub_type(e->rearrange.arr));
}

static void check_replicate(Check *c, const Exp *e, TypeVec *out)
{
	want_i64s(c, e->replicate.dims, "size");
	Type t = sub_type(e->replicate.x);
	if (t.kind != T_DATA)
		core_wrong(c, "replicate of %s", show_core_type(t));
	for (int i = e->replicate.dims.len; i-- > 0;)
		t = type_of_rows(e->replicate.dims.at[i], t);
	VEC_PUSH(out, t);
}

static void check_array(Check *c, const Exp *e, TypeVec *out)
{
	check_type(c, e->array.elem_type);
	if (e->array.elem_type.kind != T_DATA)
		core_wrong(c, "an array of %s", show_core_type(e->array.elem_type));
	for EACH(Sub, x, e->array.elems)
		want_sub(c, *x, e->array.elem_type, "element");
	VEC_PUSH(out, type_of_rows(sub_i64(e->array.elems.len), e->array.elem_type));
}

// ---- Scalars ----

static void check_prim(Check *c, const Exp *e, TypeVec *out)
{
	if (!prim_allowed(e->prim.op, e->prim.at))
		core_wrong(c, "there is no operation %s.%s", prim_name[e->prim.op],
		           primtype_name[e->prim.at]);
	for (int i = 0; i < prim_arity(e->prim.op); i++)
		want_scalar(c, e->prim.x[i], prim_operand(e->prim.op, e->prim.at, i), "operand");
	VEC_PUSH(out, type_scalar(prim_result(e->prim.op, e->prim.at)));
}

static void check_assert(Check *c, const Exp *e, TypeVec *out)
{
	want_scalar(c, e->assert_.cond, PT_BOOL, "condition");
	for EACH(MsgPart, p, e->assert_.msg)
		if (p->is_val && sub_type(p->val).kind != T_DATA)
			core_wrong(c, "a message shows %s", show_sub(p->val));
	VEC_PUSH(out, type_cert());
}

// ---- All forms ----

static void check_exp(Check *c, const Exp *e, Types pat, TypeVec *out)
{
	switch (e->form) {
	case E_atom: VEC_PUSH(out, sub_type(e->atom.x)); return;
	case E_prim: check_prim(c, e, out); return;
	case E_convert:
		if (!type_is_scalar(sub_type(e->convert.x)))
			core_wrong(c, "conversion of %s", show_core_type(sub_type(e->convert.x)));
		VEC_PUSH(out, type_scalar(e->convert.to));
		return;
	case E_if_:
		want_scalar(c, e->if_.cond, PT_BOOL, "condition");
		types_of_body(c, &e->if_.yes, pat, "results of the first branch");
		types_of_body(c, &e->if_.no, pat, "results of the second branch");
		VEC_APPEND(out, pat);
		return;
	case E_match:
		check_match(c, e, pat);
		VEC_APPEND(out, pat);
		return;
	case E_loop: check_loop(c, e, out); return;
	case E_call:
		want_types(c, types_of_subs(e->call.args), types_of_vars(e->call.fn->params),
		           "arguments");
		VEC_APPEND(out, types_of_vars(e->call.fn->res));
		return;
	case E_index:
		if (want_array(c, e->index.arr, 1, "array") != e->index.idx.len)
			core_wrong(c, "%d indices into %s", e->index.idx.len,
			      show_core_type(sub_type(e->index.arr)));
		want_i64s(c, e->index.idx, "index");
		VEC_PUSH(out, type_scalar(sub_type(e->index.arr).elem));
		return;
	case E_slice:
		check_slices(c, e->slice.arr, e->slice.at);
		VEC_PUSH(out, type_array(sub_type(e->slice.arr).elem, slice_dims(e->slice.at)));
		return;
	case E_update:
		check_slices(c, e->update.arr, e->update.at);
		want_type(c, sub_type(e->update.val),
		          type_array(sub_type(e->update.arr).elem, slice_dims(e->update.at)),
		          "the value written");
		VEC_PUSH(out, sub_type(e->update.arr));
		return;
	case E_concat: check_concat(c, e, out); return;
	case E_iota:
		if (!is_num(e->iota.type))
			core_wrong(c, "iota of %s", primtype_name[e->iota.type]);
		want_scalar(c, e->iota.n, PT_I64, "size");
		want_scalar(c, e->iota.start, e->iota.type, "start");
		want_scalar(c, e->iota.step, e->iota.type, "stride");
		VEC_PUSH(out, type_array(e->iota.type, subs_of(1, e->iota.n)));
		return;
	case E_replicate: check_replicate(c, e, out); return;
	case E_scratch:
		want_i64s(c, e->scratch.dims, "size");
		VEC_PUSH(out, type_array(e->scratch.type, e->scratch.dims));
		return;
	case E_reshape:
		want_i64s(c, e->reshape.dims, "size");
		want_array(c, e->reshape.arr, 0, "array");
		VEC_PUSH(out, type_array(sub_type(e->reshape.arr).elem, e->reshape.dims));
		return;
	case E_rearrange: check_rearrange(c, e, out); return;
	case E_copy:
		want_array(c, e->copy.arr, 0, "array");
		VEC_PUSH(out, sub_type(e->copy.arr));
		return;
	case E_array: check_array(c, e, out); return;
	case E_screma: check_screma(c, e, out); return;
	case E_hist: check_hist(c, e, out); return;
	case E_scatter: check_scatter(c, e, out); return;
	case E_flatmap: check_flatmap(c, e, out); return;
	case E_withacc: check_withacc(c, e, out); return;
	case E_upd_acc: check_upd_acc(c, e, out); return;
	case E_jvp: check_jvp(c, e, out); return;
	case E_vjp: check_vjp(c, e, out); return;
	case E_with_vjp: check_with_vjp(c, e, out); return;
	case E_assert_: check_assert(c, e, out); return;
	case E_trace: VEC_APPEND(out, types_of_subs(e->trace.xs)); return;
	case E_opaque: VEC_APPEND(out, types_of_subs(e->opaque.xs)); return;
	case E_alloc:
		want_scalar(c, e->alloc.n, PT_I64, "size");
		if (e->alloc.stack && e->alloc.n.kind != S_CONST)
			core_wrong(c, "a block on the stack has the size %s", show_sub(e->alloc.n));
		VEC_PUSH(out, type_mem(e->alloc.type));
		return;
	case E_release:
		if (sub_type(e->release.block).kind != T_MEM)
			core_wrong(c, "%s is not a memory block", show_sub(e->release.block));
		return;
	case N_FORM:
		break;
	}
	bug("no such form: %d", (int)e->form);
}

static void check_stm(Check *c, const Stm *s)
{
	c->stm = s;
	for EACH(Var, cert, s->certs)
		want_sub(c, sub_var(*cert), type_cert(), "certificate");
	check_binders(c, s->pat);
	TypeVec out = {0};
	Types pat = types_of_vars(s->pat);
	check_exp(c, s->exp, pat, &out);
	c->stm = s;
	want_types(c, pat, VEC_SLICE(Types, out), "variables of the pattern");
}

static void types_of_body(Check *c, const Body *b, Types want, const char *what)
{
	const Stm *outer = c->stm;
	for EACH(Stm, s, b->stms)
		check_stm(c, s);
	c->stm = outer;
	want_types(c, types_of_subs(b->res), want, what);
}

void core_check_types(Check *c, const Fun *f)
{
	check_binders(c, f->params);
	check_binders(c, f->res);
	types_of_body(c, &f->body, types_of_vars(f->res), "results of the function");
}
