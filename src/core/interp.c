// The core interpreter: executing instructions, control flow, calls, and errors.
//
// It implements jvp and vjp by its own method (interp_ad.c), independent of the compiler's
// transformation, and so serves as a test oracle for it; `run` and the REPL use it too.  Code on
// which no derivative depends pays one test of a handle per operation.
#include "core/entry.h"
#include "core/interp.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>

// ---- Errors ----

typedef VEC(Span) Spans;
enum { MAX_BACKTRACE = 100 };

static void add_where(Spans *spans, const Stm *stm)
{
	for (const Where *w = stm ? stm->where : NULL; w; w = w->up)
		if (w->span.lo && spans->len < MAX_BACKTRACE)
			VEC_PUSH(spans, w->span);
}

// Notes the place of the failure, then the calls that led there, innermost first: they are
// on the stack that is about to be left.
static RunError error_at(const Interp *in, const Ins *at, const char *message)
{
	Spans spans = {0};
	if (at)
		add_where(&spans, at->stm);
	for (const CallSite *c = in->calls; c && spans.len < MAX_BACKTRACE; c = c->up)
		add_where(&spans, c->stm);
	return (RunError){message, {spans.at, spans.len}};
}

void run_fail(Interp *in, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *message = vtext(fmt, ap);
	va_end(ap);
	in->error = error_at(in, in->at, message);
	longjmp(in->escape, 1);
}

void out_of_memory(Interp *in, size_t bytes)
{
	run_fail(in, "Out of memory: allocation of %zu bytes.", bytes);
}

// ---- Frames ----

enum { SLOT_CHUNK = 4096 };

Frame frame_push(Interp *in, const Code *code)
{
	SlotChunk *c = in->frames;
	int n = code->n_slots;
	if (!c || c->cap - c->used < n) {
		int cap = n > SLOT_CHUNK ? n : SLOT_CHUNK;
		SlotChunk *fresh = malloc(sizeof *fresh + (size_t)cap * sizeof(Slot));
		if (!fresh)
			out_of_memory(in, (size_t)cap * sizeof(Slot));
		fresh->prev = c;
		fresh->used = 0;
		fresh->cap = cap;
		in->frames = c = fresh;
	}
	Slot *at = c->at + c->used;
	memset(at, 0, (size_t)n * sizeof *at);
	c->used += n;
	return (Frame){at, code->consts};
}

void frame_pop(Interp *in, const Frame *f, const Code *code)
{
	// Arrays are dropped where they are used last; handles of scalars stay in their slots.
	if (in->n_cells)
		for (int i = 0; i < code->n_slots; i++)
			der_release(in, f->at[i].der);
	SlotChunk *c = in->frames;
	c->used -= code->n_slots;
	if (c->used == 0 && c->prev) {
		in->frames = c->prev;
		free(c);
	}
}

static void drop_arrays(Interp *in, Frame *f, Opnds drops)
{
	for (int i = 0; i < drops.len; i++) {
		Slot *s = &f->at[drops.at[i]];
		arr_release(in, s->raw.arr);
		s->raw.arr = NULL;
	}
}

static volatile sig_atomic_t interrupted;

void interp_interrupt(void)
{
	interrupted = 1;
}

void interp_on_interrupt(Interp *in, bool (*goes_on)(void *ctx), void *ctx)
{
	in->goes_on = goes_on;
	in->goes_on_ctx = ctx;
}

void body_end(Interp *in, Frame *f, const IBody *b)
{
	if (interrupted) {
		interrupted = 0;
		if (!in->goes_on || !in->goes_on(in->goes_on_ctx))
			run_fail(in, "Interrupted.");
	}
	drop_arrays(in, f, b->drops);
}

void body_results(Interp *in, Frame *f, const IBody *b, Slot *out)
{
	for (int i = 0; i < b->res.len; i++)
		out[i] = slot_retain((Kind)b->res.at[i].kind, *slot_of(f, b->res.at[i].o));
	body_end(in, f, b);
}

static void slot_assign(Interp *in, Frame *f, const Arg *to, Opnd from)
{
	slot_move(in, to, f, slot_retain((Kind)to->kind, *slot_of(f, from)));
}

// ---- Breakpoints ----

static void stop_at(Interp *in, const Ins *ins, const Stop *stop, const Value *flat,
                    const char *message)
{
	RunError where = error_at(in, ins, message);
	if (in->on_stop(in->stop_ctx, stop, flat, &where))
		return;
	in->at = ins;
	run_fail(in, "Interrupted.");
}

// A NaN is worth stopping for where it comes from: where no operand is one.
static void look_for_nan(Interp *in, const Ins *ins, const Scalar *x, Scalar r)
{
	if (!is_float(r.type) || !isnan(r.f))
		return;
	Str s = {0};
	str_printf(&s, "%s gives NaN for", prim_name[ins->prim]);
	for (int i = 0; i < ins->arity; i++) {
		if (is_float(x[i].type) && isnan(x[i].f))
			return;
		str_putc(&s, ' ');
		scalar_put(&s, x[i], false);
	}
	stop_at(in, ins, NULL, NULL, str_text(&s));
}

// ---- Scalar operations ----

static inline void set_raw(Interp *in, Frame *f, const Ins *ins, Raw r)
{
	Slot *d = &f->at[ins->to];
	if (d->der) {
		der_release(in, d->der);
		d->der = 0;
	}
	d->raw = r;
}

static void run_prim(Interp *in, Frame *f, const Ins *ins)
{
	Prim op = (Prim)ins->prim;
	PrimType t = (PrimType)ins->type;
	Slot x[3] = {{{0}, 0}, {{0}, 0}, {{0}, 0}};
	Scalar s[3] = {{0}}, r;
	Der active = 0;
	for (int i = 0; i < ins->arity; i++) {
		x[i] = *slot_of(f, ins->x[i]);
		s[i] = raw_scalar(prim_operand(op, t, i), x[i].raw);
		active |= x[i].der;
	}
	const char *why;
	if (!prim_eval(op, t, s, &r, &why)) {
		in->at = ins;
		run_fail(in, "%s", why);
	}
	if (in->stop_at_nan)
		look_for_nan(in, ins, s, r);
	Slot out = {scalar_raw(r), 0};
	if (active)
		out.der = ad_prim(in, op, t, ins->arity, x, out.raw);
	slot_move(in, ins->dst.at, f, out);
}

static void run_convert(Interp *in, Frame *f, const Ins *ins)
{
	PrimType from = (PrimType)ins->type, to = (PrimType)ins->prim;
	Slot x = *slot_of(f, ins->x[0]);
	Slot out = {scalar_raw(convert_eval(to, raw_scalar(from, x.raw))), 0};
	if (x.der)
		out.der = ad_convert(in, from, to, x);
	slot_move(in, ins->dst.at, f, out);
}

// ---- Control ----

static void run_block(Interp *in, Frame *f, const IBody *b, Args dst)
{
	exec(in, f, b);
	for (int i = 0; i < dst.len; i++)
		slot_assign(in, f, &dst.at[i], b->res.at[i].o);
	body_end(in, f, b);
}

static const IBody *match_body(const Frame *f, const Ins *ins)
{
	const IMatch *m = ins->ext;
	Raw x = slot_of(f, ins->x[0])->raw;
	for (int i = 0; i < m->n; i++)
		if (m->values[i].u == x.u)
			return &m->bodies[i];
	return &m->other;
}

static void loop_step(Interp *in, Frame *f, const ILoop *l)
{
	exec(in, f, &l->body);
	int n = l->params.len;
	if (n == 1) {
		Slot one;
		body_results(in, f, &l->body, &one);
		slot_move(in, l->params.at, f, one);
	} else {
		Slot next[n + 1];
		body_results(in, f, &l->body, next);
		for (int i = 0; i < n; i++)
			slot_move(in, &l->params.at[i], f, next[i]);
	}
	if (l->places.len)
		take_places(in, f, l->places, false);
}

static void run_loop(Interp *in, Frame *f, const Ins *ins)
{
	const ILoop *l = ins->ext;
	for (int i = 0; i < l->params.len; i++)
		slot_assign(in, f, &l->params.at[i], l->inits.at[i].o);
	if (l->places.len)
		take_places(in, f, l->places, false);
	if (l->is_while) {
		while (f->at[l->cond].raw.u)
			loop_step(in, f, l);
	} else {
		Raw n = slot_of(f, l->n)->raw;
		Slot *i = &f->at[l->i];
		if (!l->is_unsigned && n.i < 0)
			n.i = 0;
		for (uint64_t k = 0; k < n.u; k++) {
			i->raw.u = k;
			loop_step(in, f, l);
		}
	}
	for (int i = 0; i < l->params.len; i++) {
		const Arg *p = &l->params.at[i];
		slot_move(in, &ins->dst.at[i], f, f->at[p->o]);
		f->at[p->o] = (Slot){{0}, 0};
	}
}

static void check_stack(Interp *in, const Fun *fn)
{
	ptrdiff_t used = in->stack_base - (char *)__builtin_frame_address(0);
	if ((size_t)(used < 0 ? -used : used) > in->stack_room)
		run_fail(in, "Stack overflow: recursion of \"%s\" too deep.", fn->name);
}

static void run_call(Interp *in, Frame *f, const Ins *ins)
{
	ICall *call = (ICall *)ins->ext;
	if (!call->code)
		call->code = code_of_fun(in, call->fn);
	const Code *code = call->code;
	in->at = ins;
	check_stack(in, call->fn);
	CallSite site = {ins->stm, in->calls};
	in->calls = &site;
	Frame callee = frame_push(in, code);
	for (int i = 0; i < call->args.len; i++) {
		const Arg *a = &call->args.at[i];
		callee.at[code->params.at[i].o] = slot_retain((Kind)a->kind, *slot_of(f, a->o));
	}
	if (code->places.len)
		take_places(in, &callee, code->places, false);
	exec(in, &callee, &code->body);
	for (int i = 0; i < ins->dst.len; i++) {
		const Arg *r = &code->body.res.at[i];
		Slot v = slot_retain((Kind)r->kind, *slot_of(&callee, r->o));
		slot_move(in, &ins->dst.at[i], f, v);
	}
	body_end(in, &callee, &code->body);
	frame_pop(in, &callee, code);
	in->calls = site.up;
}

// ---- Assertions and traces ----

static void show_array(Str *out, const Arr *a, int64_t at, int d)
{
	if (d == a->rank) {
		scalar_put(out, raw_scalar((PrimType)a->buf->type, buf_load(a->buf, at)), false);
		return;
	}
	str_putc(out, '[');
	for (int64_t i = 0; i < a->dim[d]; i++) {
		if (i)
			str_puts(out, ", ");
		show_array(out, a, at + i * arr_strides(a)[d], d + 1);
	}
	str_putc(out, ']');
}

static void run_assert(Interp *in, Frame *f, const Ins *ins)
{
	const IAssert *a = ins->ext;
	if (slot_of(f, ins->x[0])->raw.u)
		return;
	Str out = {0};
	for (int i = 0; i < a->msg->len; i++) {
		const Arg *v = &a->vals.at[i];
		if (!a->msg->at[i].is_val) {
			str_puts(&out, a->msg->at[i].text);
			continue;
		}
		Raw r = slot_of(f, v->o)->raw;
		if (v->kind == K_ARRAY)
			show_array(&out, r.arr, r.arr->off, 0);
		else
			scalar_put(&out, raw_scalar((PrimType)v->elem, r), false);
	}
	in->at = ins;
	run_fail(in, "%s", str_text(&out));
}

static void copy_args(Interp *in, Frame *f, Args dst, Args src)
{
	for (int i = 0; i < dst.len; i++)
		slot_assign(in, f, &dst.at[i], src.at[i].o);
}

static void run_trace(Interp *in, Frame *f, const Ins *ins)
{
	const ITrace *t = ins->ext;
	MemMark mark = mem_mark();
	Value *flat = NEW_ARRAY(Value, t->xs.len);
	for (int i = 0; i < t->xs.len; i++)
		flat[i] = value_of_slot(&t->xs.at[i], *slot_of(f, t->xs.at[i].o));
	if (t->stop) {
		// What happens there may outlive it, so nothing is released.
		if (in->on_stop)
			stop_at(in, ins, t->stop, flat, NULL);
		copy_args(in, f, ins->dst, t->xs);
		return;
	}
	if (t->shape) {
		fprintf(in->traces, "%s: %s\n", t->tag, show_surface(t->shape, flat, TEXT_BARE));
	} else {
		for (int i = 0; i < t->xs.len; i++) {
			Str line = {0};
			value_write_text(&line, &flat[i], TEXT_BARE);
			fprintf(in->traces, "%s: %s\n", t->tag, str_text(&line));
		}
	}
	mem_release(mark);
	copy_args(in, f, ins->dst, t->xs);
}

static void run_copy(Interp *in, Frame *f, const Ins *ins)
{
	const Arr *a = slot_of(f, ins->x[0])->raw.arr;
	in->at = ins;
	if (ins->dst.at->kind == K_ARRAY)
		slot_move(in, ins->dst.at, f, (Slot){{.arr = arr_copy(in, a)}, 0});
	else
		slot_assign(in, f, ins->dst.at, ins->x[0]);
}

// ---- The machine's loop ----

static inline int32_t wrap32(uint64_t u)
{
	return (int32_t)(uint32_t)u;
}

static void run_index1(Interp *in, Frame *f, const Ins *ins)
{
	const Arr *a = slot_of(f, ins->x[0])->raw.arr;
	int64_t i = slot_of(f, ins->x[1])->raw.i;
	if (a->rank != 1 || i < 0 || i >= a->dim[0]) {
		in->at = ins;
		fail_index(in, a, &i, 1);
	}
	slot_move(in, ins->dst.at, f, elem_get(a, a->off + i * a->dim[1]));
}

// In the MEM stage: does the form make its array, rather than find it?
static bool writes_places(const Ins *ins)
{
	return form_has(ins->stm->exp->form, FORM_FRESH) && ins->op != E_scratch;
}

// Two operands; active ones take the long way.
#define QUICK(name, member, value) case I_##name: { \
		const Slot *x = slot_of(f, ins->x[0]), *y = slot_of(f, ins->x[1]); \
		if (x->der | y->der) \
			run_prim(in, f, ins); \
		else \
			set_raw(in, f, ins, (Raw){.member = value}); \
		break; \
	}
// Comparisons: no derivative passes through them.
#define QUICK_TEST(name, value) case I_##name: { \
		const Slot *x = slot_of(f, ins->x[0]), *y = slot_of(f, ins->x[1]); \
		set_raw(in, f, ins, (Raw){.u = value}); \
		break; \
	}
// What needs to name its statement in errors.
#define CALL(form) case E_##form: in->at = ins; run_##form(in, f, ins); break

void exec(Interp *in, Frame *f, const IBody *b)
{
	for (const Ins *ins = b->at, *end = ins + b->len; ins < end; ins++) {
		switch (ins->op) {
		QUICK(add_i64, u, x->raw.u + y->raw.u)
		QUICK(sub_i64, u, x->raw.u - y->raw.u)
		QUICK(mul_i64, u, x->raw.u * y->raw.u)
		QUICK(add_i32, i, wrap32(x->raw.u + y->raw.u))
		QUICK(sub_i32, i, wrap32(x->raw.u - y->raw.u))
		QUICK(mul_i32, i, wrap32(x->raw.u * y->raw.u))
		QUICK(add_f64, f, x->raw.f + y->raw.f)
		QUICK(sub_f64, f, x->raw.f - y->raw.f)
		QUICK(mul_f64, f, x->raw.f * y->raw.f)
		QUICK(div_f64, f, x->raw.f / y->raw.f)
		QUICK(add_f32, f, (double)(float)(x->raw.f + y->raw.f))
		QUICK(sub_f32, f, (double)(float)(x->raw.f - y->raw.f))
		QUICK(mul_f32, f, (double)(float)(x->raw.f * y->raw.f))
		QUICK(div_f32, f, (double)(float)(x->raw.f / y->raw.f))
		QUICK_TEST(eq_i64, x->raw.u == y->raw.u)
		QUICK_TEST(lt_i64, x->raw.i < y->raw.i)
		QUICK_TEST(le_i64, x->raw.i <= y->raw.i)
		QUICK_TEST(eq_f64, x->raw.f == y->raw.f)
		QUICK_TEST(lt_f64, x->raw.f < y->raw.f)
		QUICK_TEST(le_f64, x->raw.f <= y->raw.f)
		QUICK_TEST(and_bool, x->raw.u & y->raw.u)
		QUICK_TEST(or_bool, x->raw.u | y->raw.u)
		case I_SLOW_PRIM: run_prim(in, f, ins); break;
		case I_INDEX1: run_index1(in, f, ins); break;
		case E_atom: slot_assign(in, f, ins->dst.at, ins->x[0]); break;
		case E_convert: run_convert(in, f, ins); break;
		case E_if_: {
			const IIf *i = ins->ext;
			run_block(in, f, slot_of(f, ins->x[0])->raw.u ? &i->yes : &i->no, ins->dst);
			break;
		}
		case E_match:
			run_block(in, f, match_body(f, ins), ins->dst);
			break;
		case E_loop: run_loop(in, f, ins); break;
		case E_call: run_call(in, f, ins); break;
		case E_copy: run_copy(in, f, ins); break;
		case E_assert_: run_assert(in, f, ins); break;
		case E_trace: run_trace(in, f, ins); break;
		case E_opaque: copy_args(in, f, ins->dst, *(const Args *)ins->ext); break;
		CALL(index);
		CALL(slice);
		CALL(update);
		CALL(concat);
		CALL(iota);
		CALL(replicate);
		CALL(scratch);
		CALL(reshape);
		CALL(rearrange);
		CALL(array);
		CALL(screma);
		CALL(hist);
		CALL(scatter);
		CALL(flatmap);
		CALL(withacc);
		CALL(upd_acc);
		CALL(jvp);
		CALL(vjp);
		CALL(with_vjp);
		CALL(alloc);
		CALL(release);
		default: // Ins.op is a Form or an Opcode, of two enumerations.
			bug("instruction %d", ins->op);
		}
		if (ins->places.len) {
			in->at = ins;
			take_places(in, f, ins->places, writes_places(ins));
		}
		if (ins->drops.len)
			drop_arrays(in, f, ins->drops);
	}
}
