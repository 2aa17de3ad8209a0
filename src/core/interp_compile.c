// From core to the interpreter's instructions: one instruction per statement, variables
// replaced by slots of the function's frame, constants by entries of a table.
//
// Lambdas share the frame of the function around them; only the custom derivative of
// with_vjp becomes code of its own, since it runs later.  For each array the
// statement that uses it last is found, and the array is dropped there:
//
//   let ys = map f xs          xs dropped here, if nothing below or around uses it
//   let s  = reduce (+) 0 ys   ys dropped here
#include "core/interp.h"

#include <limits.h>

// A body being compiled: the statement at hand, and the arrays bound in it.
typedef struct { int index; VEC(uint32_t) arrays; } Open;

// Where a variable is: in which code, and the statement of its body that uses it last
// (-1: none, IN_RESULTS: the body's results).
typedef struct VarSlot { const Code *code; Opnd slot; int last; Open *open; } VarSlot;
enum { IN_RESULTS = INT_MAX };

typedef struct { uint32_t var; VarSlot slot; } SavedSlot;
typedef struct Comp {
	Interp *in;
	Code *code;
	struct Comp *up;                        // of the code around, for captured variables
	Open *open;
	VEC(Slot) consts;
	VEC(Capture) captures;
	VEC(SavedSlot) saved;
} Comp;

static IBody comp_body(Comp *, Open *, const Body *);

// ---- Variables and operands ----

static VarSlot *var_slot(Comp *c, Var v)
{
	Interp *in = c->in;
	if (v.id >= in->n_var_slots) {
		uint32_t n = n_vars > v.id ? n_vars : v.id + 1;
		in->var_slots = mem_grow(in->var_slots, in->n_var_slots * sizeof(VarSlot),
		                         n * sizeof(VarSlot));
		in->n_var_slots = n;
	}
	return &in->var_slots[v.id];
}

static Kind kind_of(Type t)
{
	switch (t.kind) {
	case T_DATA: return t.dims.len ? K_ARRAY : K_SCALAR;
	case T_CERT: return K_CERT;
	case T_ACC: return K_ACC;
	case T_MEM: return K_ARRAY;
	}
	bug("kind of type");
}

static Arg arg_of_type(Opnd o, Type t)
{
	return (Arg){.o = o, .kind = (uint8_t)kind_of(t), .elem = (uint8_t)t.elem};
}

static Arg bind(Comp *c, Open *open, Var v)
{
	VarSlot *s = var_slot(c, v);
	*s = (VarSlot){c->code, c->code->n_slots++, open->index, open};
	Arg a = arg_of_type(s->slot, vars[v.id].type);
	if (a.kind == K_ARRAY)
		VEC_PUSH(&open->arrays, v.id);
	return a;
}

// The slot of a variable in scope.  One of the code around is captured on first use.
static Opnd use_var(Comp *c, Var v, bool in_results)
{
	VarSlot *s = var_slot(c, v);
	if (s->code == c->code) {
		if (in_results && s->open == c->open)
			s->last = IN_RESULTS;
		else if (s->open && s->last != IN_RESULTS)
			s->last = s->open->index;
		return s->slot;
	}
	if (!c->up)
		bug("variable %s_%u is used outside of its scope", vars[v.id].hint, v.id);
	Opnd outer = use_var(c->up, v, false);
	s = var_slot(c, v);
	VEC_PUSH(&c->saved, (SavedSlot){v.id, *s});
	*s = (VarSlot){.code = c->code, .slot = c->code->n_slots++};
	VEC_PUSH(&c->captures, (Capture){arg_of_type(outer, vars[v.id].type), s->slot});
	return s->slot;
}

static Opnd add_const(Comp *c, Scalar s)
{
	VEC_PUSH(&c->consts, (Slot){.raw = scalar_raw(s)});
	return ~(c->consts.len - 1);
}

static Opnd opnd(Comp *c, Sub s)
{
	return s.kind == S_VAR ? use_var(c, s.var, false) : add_const(c, s.val);
}

static Opnds opnds(Comp *c, Subs subs)
{
	Opnds r = {NEW_ARRAY(Opnd, subs.len), subs.len};
	for (int i = 0; i < subs.len; i++)
		r.at[i] = opnd(c, subs.at[i]);
	return r;
}

static Arg arg(Comp *c, Sub s)
{
	if (s.kind == S_VAR)
		return arg_of_type(use_var(c, s.var, false), vars[s.var.id].type);
	return (Arg){.o = add_const(c, s.val), .kind = K_SCALAR, .elem = (uint8_t)s.val.type};
}

static Args args(Comp *c, Subs subs)
{
	Args r = {NEW_ARRAY(Arg, subs.len), subs.len};
	for (int i = 0; i < subs.len; i++)
		r.at[i] = arg(c, subs.at[i]);
	return r;
}

static Args bind_all(Comp *c, Open *open, Vars vs)
{
	Args r = {NEW_ARRAY(Arg, vs.len), vs.len};
	for (int i = 0; i < vs.len; i++)
		r.at[i] = bind(c, open, vs.at[i]);
	return r;
}

// The places of those that are arrays in memory.
static IPlaces places(Comp *c, Vars vs, Args slots)
{
	int n = 0;
	for EACH(Var, v, vs)
		n += vars[v->id].type.mem != NULL;
	IPlaces out = {n ? NEW_ARRAY(IPlace, n) : NULL, 0};
	for (int i = 0; i < vs.len && n; i++) {
		const MemLoc *m = vars[vs.at[i].id].type.mem;
		if (m)
			out.at[out.len++] = (IPlace){slots.at[i], opnd(c, sub_var(m->block)),
			                             opnd(c, m->offset), opnds(c, m->strides)};
	}
	return out;
}

// ---- Bodies and lambdas ----

// A body whose parameters, if any, are bound in the same scope.
static IBody scope(Comp *c, Vars params, Args *slots, const Body *b)
{
	Open open = {.index = -1};
	Args bound = bind_all(c, &open, params);
	if (slots)
		*slots = bound;
	return comp_body(c, &open, b);
}

static IBody block(Comp *c, const Body *b)
{
	return scope(c, (Vars){0}, NULL, b);
}

static ILambda lambda(Comp *c, const Lambda *l)
{
	ILambda r;
	r.body = scope(c, l->params, &r.params, &l->body);
	return r;
}

// Distributes the arrays bound in a body over the instructions that use them last.
static void place_drops(Comp *c, const Open *open, IBody *b)
{
	int *count = NEW_ARRAY(int, b->len + 1); // the last entry: at the end
	for EACH(uint32_t, id, open->arrays) {
		int last = var_slot(c, (Var){*id})->last;
		count[last < 0 || last == IN_RESULTS ? b->len : last]++;
	}
	for (int i = 0; i < b->len; i++)
		if (count[i])
			b->at[i].drops.at = NEW_ARRAY(Opnd, count[i]);
	b->drops.at = NEW_ARRAY(Opnd, count[b->len]);
	for EACH(uint32_t, id2, open->arrays) {
		const VarSlot *s = var_slot(c, (Var){*id2});
		bool at_end = s->last < 0 || s->last == IN_RESULTS;
		Opnds *drops = at_end ? &b->drops : &b->at[s->last].drops;
		drops->at[drops->len++] = s->slot;
	}
}

// ---- Expressions ----

typedef struct { Prim op; PrimType type; Opcode code; } QuickRow;
static const QuickRow quick_rows[] = {
#define ROW(op, t, T) {P_##op, PT_##T, I_##op##_##t}
	ROW(add, i64, I64), ROW(sub, i64, I64), ROW(mul, i64, I64),
	ROW(add, i32, I32), ROW(sub, i32, I32), ROW(mul, i32, I32),
	ROW(add, f64, F64), ROW(sub, f64, F64), ROW(mul, f64, F64), ROW(div, f64, F64),
	ROW(add, f32, F32), ROW(sub, f32, F32), ROW(mul, f32, F32), ROW(div, f32, F32),
	ROW(eq, i64, I64), ROW(lt, i64, I64), ROW(le, i64, I64),
	// All signed integers are kept in 64 bits, so one comparison serves them.
	{P_eq, PT_I32, I_eq_i64}, {P_lt, PT_I32, I_lt_i64}, {P_le, PT_I32, I_le_i64},
	{P_eq, PT_I16, I_eq_i64}, {P_lt, PT_I16, I_lt_i64}, {P_le, PT_I16, I_le_i64},
	{P_eq, PT_I8, I_eq_i64}, {P_lt, PT_I8, I_lt_i64}, {P_le, PT_I8, I_le_i64},
	{P_eq, PT_BOOL, I_eq_i64}, {P_eq, PT_U8, I_eq_i64}, {P_eq, PT_U32, I_eq_i64},
	ROW(eq, f64, F64), ROW(lt, f64, F64), ROW(le, f64, F64),
	{P_eq, PT_F32, I_eq_f64}, {P_lt, PT_F32, I_lt_f64}, {P_le, PT_F32, I_le_f64},
	ROW(and, bool, BOOL), ROW(or, bool, BOOL),
#undef ROW
};

static void comp_prim(Comp *c, const Exp *e, Ins *ins)
{
	ins->op = I_SLOW_PRIM;
	ins->prim = (uint8_t)e->prim.op;
	ins->type = (uint8_t)e->prim.at;
	ins->arity = (uint8_t)prim_arity(e->prim.op);
	for (int i = 0; i < ins->arity; i++)
		ins->x[i] = opnd(c, e->prim.x[i]);
	bool watched = c->in->stop_at_nan && is_float(e->prim.at);
	for (size_t i = 0; !watched && i < sizeof quick_rows / sizeof *quick_rows; i++)
		if (quick_rows[i].op == e->prim.op && quick_rows[i].type == e->prim.at)
			ins->op = (uint8_t)quick_rows[i].code;
}

static const IMatch *comp_match(Comp *c, const Exp *e)
{
	int n = e->match.cases.len;
	IMatch *m = NEW(IMatch, .n = n, .values = NEW_ARRAY(Raw, n), .bodies = NEW_ARRAY(IBody, n));
	for (int i = 0; i < n; i++) {
		m->values[i] = scalar_raw(e->match.cases.at[i].value);
		m->bodies[i] = block(c, &e->match.cases.at[i].body);
	}
	m->other = block(c, &e->match.other);
	return m;
}

static const ILoop *comp_loop(Comp *c, const Exp *e)
{
	ILoop *l = NEW(ILoop, .is_while = e->loop.is_while, .inits = args(c, e->loop.inits));
	Open open = {.index = -1};
	if (!l->is_while) {
		l->n = opnd(c, e->loop.n);
		l->is_unsigned = is_unsigned(sub_type(e->loop.n).elem);
		l->i = bind(c, &open, e->loop.i).o;
	}
	l->params = bind_all(c, &open, e->loop.params);
	l->places = places(c, e->loop.params, l->params);
	if (l->is_while)
		l->cond = use_var(c, e->loop.while_cond, false);
	l->body = comp_body(c, &open, &e->loop.body);
	return l;
}

static const ISlice *comp_slice(Comp *c, Slices at)
{
	ISlice *s = NEW(ISlice, .n = at.len, .dims = NEW_ARRAY(IDim, at.len), .all_fixed = true);
	for (int i = 0; i < at.len; i++) {
		const DimSlice *d = &at.at[i];
		s->dims[i] = (IDim){.fixed = d->fixed, .start = opnd(c, d->start)};
		if (d->fixed)
			continue;
		s->all_fixed = false;
		s->dims[i].len = opnd(c, d->len);
		s->dims[i].step = opnd(c, d->step);
	}
	return s;
}

// min or max, or a map of it over rows?
static bool is_selection(const Lambda *op)
{
	const Exp *e = lambda_prim(op);
	if (e)
		return e->prim.op == P_min || e->prim.op == P_max;
	e = op->params.len == 2 ? def_in(&op->body, op->body.res.at[0]) : NULL;
	return e && is_map(e) && e->screma.arrs.len == 2 &&
	       vars_find(op->params, e->screma.arrs.at[0]) >= 0 &&
	       vars_find(op->params, e->screma.arrs.at[1]) >= 0 && is_selection(e->screma.map);
}

static IRed *comp_reds(Comp *c, Reductions rs)
{
	IRed *r = NEW_ARRAY(IRed, rs.len);
	for (int i = 0; i < rs.len; i++)
		r[i] = (IRed){.ne = args(c, rs.at[i].ne), .op = lambda(c, rs.at[i].op),
		              .selects = is_selection(rs.at[i].op)};
	return r;
}

// A map may pass accumulators through: which of its inputs has the token of a result?
static int *comp_acc_results(const Exp *e)
{
	Types ret = e->screma.map->ret;
	int *acc_of = NEW_ARRAY(int, ret.len);
	for (int i = 0; i < ret.len; i++)
		if (ret.at[i].kind == T_ACC)
			acc_of[i] = subs_find_acc(e->screma.arrs, ret.at[i].acc->token);
	return acc_of;
}

static const IScrema *comp_screma(Comp *c, const Exp *e)
{
	IScrema *s = NEW(IScrema, .n = opnd(c, e->screma.n), .arrs = args(c, e->screma.arrs),
	                 .n_scans = e->screma.scans.len, .n_reds = e->screma.reds.len,
	                 .acc_of = comp_acc_results(e), .alike = rows_fail_alike(e));
	s->map = lambda(c, e->screma.map);
	s->scans = comp_reds(c, e->screma.scans);
	s->reds = comp_reds(c, e->screma.reds);
	return s;
}

static const IHist *comp_hist(Comp *c, const Exp *e)
{
	HistOps ops = e->hist.ops;
	IHist *h = NEW(IHist, .n = opnd(c, e->hist.n), .arrs = args(c, e->hist.arrs),
	               .n_ops = ops.len, .ops = NEW_ARRAY(IHistOp, ops.len));
	h->map = lambda(c, e->hist.map);
	for (int i = 0; i < ops.len; i++)
		h->ops[i] = (IHistOp){.dests = args(c, ops.at[i].dests),
		                      .space = opnds(c, ops.at[i].space),
		                      .op = lambda(c, ops.at[i].op)};
	return h;
}

static const IScatter *comp_scatter(Comp *c, const Exp *e)
{
	ScatterDests ds = e->scatter.dests;
	IScatter *s = NEW(IScatter, .n = opnd(c, e->scatter.n), .arrs = args(c, e->scatter.arrs),
	                  .n_dests = ds.len, .dests = NEW_ARRAY(IScatterDest, ds.len));
	s->map = lambda(c, e->scatter.map);
	for (int i = 0; i < ds.len; i++)
		s->dests[i] = (IScatterDest){arg(c, ds.at[i].dest), opnds(c, ds.at[i].space),
		                             ds.at[i].n_writes};
	return s;
}

static const IFlatmap *comp_flatmap(Comp *c, const Exp *e)
{
	IFlatmap *f = NEW(IFlatmap, .n = opnd(c, e->flatmap.n), .arrs = args(c, e->flatmap.arrs),
	                  .n_data = e->flatmap.n_data);
	f->map = lambda(c, e->flatmap.map);
	return f;
}

static const IWithAcc *comp_withacc(Comp *c, const Exp *e)
{
	AccInputs is = e->withacc.inputs;
	IWithAcc *w = NEW(IWithAcc, .n_inputs = is.len, .inputs = NEW_ARRAY(IAccInput, is.len));
	for (int i = 0; i < is.len; i++) {
		w->inputs[i] = (IAccInput){.space = opnds(c, is.at[i].space),
		                           .arrs = args(c, is.at[i].arrs), .has_op = is.at[i].op};
		if (is.at[i].op)
			w->inputs[i].op = lambda(c, is.at[i].op);
	}
	w->fn = lambda(c, e->withacc.fn);
	return w;
}

static const IWithVjp *comp_with_vjp(Comp *c, const Exp *e)
{
	const Lambda *bwd = e->with_vjp.bwd;
	IWithVjp *w = NEW(IWithVjp, .n_tape = e->with_vjp.n_tape,
	                  .args = args(c, e->with_vjp.args));
	w->fn = lambda(c, e->with_vjp.fn);
	w->bwd = NEW(Code, .name = "a custom derivative");
	Comp inner = {.in = c->in, .code = w->bwd, .up = c};
	w->bwd->body = scope(&inner, bwd->params, &w->bwd_params, &bwd->body);
	w->bwd->consts = inner.consts.at;
	w->bwd_res = w->bwd->body.res;
	w->captures.at = inner.captures.at;
	w->captures.len = inner.captures.len;
	for EACH(SavedSlot, s, inner.saved)
		*var_slot(c, (Var){s->var}) = s->slot;
	return w;
}

static const IAssert *comp_assert(Comp *c, const Exp *e)
{
	IAssert *a = NEW(IAssert, .msg = &e->assert_.msg,
	                 .vals = {NEW_ARRAY(Arg, e->assert_.msg.len), e->assert_.msg.len});
	for (int i = 0; i < a->vals.len; i++)
		if (a->msg->at[i].is_val)
			a->vals.at[i] = arg(c, a->msg->at[i].val);
	return a;
}

static const IDiff *comp_diff(Comp *c, const Lambda *fn, Subs xs, Subs seeds, bool many, Sub n)
{
	bool *none = NEW_ARRAY(bool, seeds.len + 1);
	for (int i = 0; i < seeds.len; i++)
		none[i] = seeds.at[i].kind == S_CONST && seeds.at[i].val.u == 0;
	IDiff *d = NEW(IDiff, .args = args(c, xs), .seeds = args(c, seeds), .none = none,
	               .many = many);
	if (many)
		d->n = opnd(c, n);
	d->fn = lambda(c, fn);
	return d;
}

static const void *boxed_args(Comp *c, Subs subs)
{
	return NEW(Args, .at = args(c, subs).at, .len = subs.len);
}

static const void *boxed_opnds(Comp *c, Subs subs)
{
	return NEW(Opnds, .at = opnds(c, subs).at, .len = subs.len);
}

// Fills in operands and what else the form needs.
static void comp_exp(Comp *c, Exp *e, Ins *ins)
{
	ins->op = (uint8_t)e->form;
	switch (e->form) {
	case E_atom: ins->x[0] = opnd(c, e->atom.x); return;
	case E_prim: comp_prim(c, e, ins); return;
	case E_convert:
		ins->x[0] = opnd(c, e->convert.x);
		ins->type = (uint8_t)sub_type(e->convert.x).elem;
		ins->prim = (uint8_t)e->convert.to;
		return;
	case E_if_:
		ins->x[0] = opnd(c, e->if_.cond);
		ins->ext = NEW(IIf, .yes = block(c, &e->if_.yes), .no = block(c, &e->if_.no));
		return;
	case E_match:
		ins->x[0] = opnd(c, e->match.x);
		ins->ext = comp_match(c, e);
		return;
	case E_loop: ins->ext = comp_loop(c, e); return;
	case E_call: ins->ext = NEW(ICall, .fn = e->call.fn, .args = args(c, e->call.args)); return;
	case E_index:
		ins->x[0] = opnd(c, e->index.arr);
		if (e->index.idx.len == 1) {
			ins->op = I_INDEX1;
			ins->x[1] = opnd(c, e->index.idx.at[0]);
		} else {
			ins->ext = boxed_opnds(c, e->index.idx);
		}
		return;
	case E_slice:
		ins->x[0] = opnd(c, e->slice.arr);
		ins->ext = comp_slice(c, e->slice.at);
		return;
	case E_update: {
		ins->x[0] = opnd(c, e->update.arr);
		ISlice *s = (ISlice *)comp_slice(c, e->update.at);
		s->val = arg(c, e->update.val);
		ins->ext = s;
		return;
	}
	case E_concat: ins->ext = boxed_args(c, e->concat.arrs); return;
	case E_iota:
		ins->type = (uint8_t)e->iota.type;
		ins->x[0] = opnd(c, e->iota.n);
		ins->x[1] = opnd(c, e->iota.start);
		ins->x[2] = opnd(c, e->iota.step);
		return;
	case E_replicate:
		ins->ext = NEW(IArray, .elems = args(c, (Subs){&e->replicate.x, 1}),
		               .dims = opnds(c, e->replicate.dims));
		return;
	case E_scratch:
		ins->type = (uint8_t)e->scratch.type;
		ins->ext = boxed_opnds(c, e->scratch.dims);
		return;
	case E_reshape:
		ins->x[0] = opnd(c, e->reshape.arr);
		ins->ext = boxed_opnds(c, e->reshape.dims);
		return;
	case E_rearrange:
		ins->x[0] = opnd(c, e->rearrange.arr);
		ins->ext = e->rearrange.perm.at;
		return;
	case E_copy: ins->x[0] = opnd(c, e->copy.arr); return;
	case E_array:
		ins->type = (uint8_t)e->array.elem_type.elem;
		ins->ext = NEW(IArray, .elems = args(c, e->array.elems),
		               .dims = opnds(c, e->array.elem_type.dims));
		return;
	case E_screma: ins->ext = comp_screma(c, e); return;
	case E_hist: ins->ext = comp_hist(c, e); return;
	case E_scatter: ins->ext = comp_scatter(c, e); return;
	case E_flatmap: ins->ext = comp_flatmap(c, e); return;
	case E_withacc: ins->ext = comp_withacc(c, e); return;
	case E_upd_acc:
		ins->x[0] = opnd(c, e->upd_acc.acc);
		ins->ext = NEW(IUpdAcc, .idx = opnds(c, e->upd_acc.idx),
		               .vals = args(c, e->upd_acc.vals));
		return;
	case E_jvp:
		ins->ext = comp_diff(c, e->jvp.fn, e->jvp.args, e->jvp.seeds, e->jvp.many,
		                     e->jvp.n);
		return;
	case E_vjp:
		ins->ext = comp_diff(c, e->vjp.fn, e->vjp.args, e->vjp.seeds, e->vjp.many,
		                     e->vjp.n);
		return;
	case E_with_vjp: ins->ext = comp_with_vjp(c, e); return;
	case E_assert_:
		ins->x[0] = opnd(c, e->assert_.cond);
		ins->ext = comp_assert(c, e);
		return;
	case E_trace:
		ins->ext = NEW(ITrace, .tag = e->trace.tag, .shape = e->trace.shape,
		               .xs = args(c, e->trace.xs), .stop = e->trace.stop);
		return;
	case E_opaque: ins->ext = boxed_args(c, e->opaque.xs); return;
	case E_alloc:
		ins->type = (uint8_t)e->alloc.type;
		ins->x[0] = opnd(c, e->alloc.n);
		return;
	case E_release: ins->x[0] = opnd(c, e->release.block); return;
	case N_FORM: break;
	}
	bug("form of expression");
}

// Sizes of results are needed where a result may come out empty.
static bool needs_dims(Form f)
{
	return f == E_screma || f == E_flatmap || f == E_jvp || f == E_vjp;
}

static IBody comp_body(Comp *c, Open *open, const Body *b)
{
	Open *outer = c->open;
	c->open = open;
	IBody r = {.at = NEW_ARRAY(Ins, b->stms.len), .len = b->stms.len};
	for (int i = 0; i < r.len; i++) {
		const Stm *stm = &b->stms.at[i];
		Ins *ins = &r.at[i];
		open->index = i;
		ins->stm = stm;
		comp_exp(c, stm->exp, ins);
		ins->dst = bind_all(c, open, stm->pat);
		ins->to = stm->pat.len ? ins->dst.at[0].o : 0;
		ins->places = places(c, stm->pat, ins->dst);
		if (needs_dims(stm->exp->form))
			for (int k = 0; k < stm->pat.len; k++)
				ins->dst.at[k].dims = opnds(c, vars[stm->pat.at[k].id].type.dims);
	}
	open->index = b->stms.len;
	r.res = (Args){NEW_ARRAY(Arg, b->res.len), b->res.len};
	for (int i = 0; i < b->res.len; i++) {
		Sub s = b->res.at[i];
		if (s.kind == S_VAR)
			use_var(c, s.var, true);
		r.res.at[i] = arg(c, s);
	}
	place_drops(c, open, &r);
	c->open = outer;
	return r;
}

Code *code_of_fun(Interp *in, const Fun *f)
{
	Code *code = map_get(&in->codes, f);
	if (code)
		return code;
	code = NEW(Code, .name = f->name);
	map_put(&in->codes, f, code);
	Comp c = {.in = in, .code = code};
	Open open = {.index = -1};
	code->params = bind_all(&c, &open, f->params);
	code->places = places(&c, f->params, code->params);
	code->body = comp_body(&c, &open, &f->body);
	code->consts = c.consts.at;
	return code;
}
