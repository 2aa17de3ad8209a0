// The core interpreter: executing instructions, control flow, calls, and errors.
//
// It implements jvp and vjp by its own method (interp_ad.c), independent of the compiler's
// transformation, and so serves as a test oracle for it; `run` and the REPL use it too.  Code on
// which no derivative depends pays one test of a handle per operation.
#include "core/entry.h"
#include "core/interp.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

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

// Frames lie in chunks, one after the other: calls return in the order opposite to
// that in which they began.
struct SlotChunk { SlotChunk *prev; int used, cap; Slot at[]; };
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
		fprintf(in->traces, "%s: %s\n", t->tag, show_surface(t->shape, flat, TEXT_BARE, 0));
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

// ---- Entry points ----

Interp *interp_new(const Prog *prog)
{
	return NEW(Interp, .prog = prog);
}

void interp_on_stop(Interp *in, StopFn *fn, void *ctx, bool at_nan)
{
	in->on_stop = fn;
	in->stop_ctx = ctx;
	in->stop_at_nan = at_nan;
}

void interp_free(Interp *in)
{
	heap_release(in);
	while (in->frames) {
		SlotChunk *c = in->frames;
		in->frames = c->prev;
		free(c);
	}
	free(in->levels);
	free(in->temps);
	in->levels = NULL;
	in->temps = NULL;
}

// How much stack there is below this point: some is left for what does not check.
static size_t stack_room(void)
{
	size_t room = (size_t)1 << 22, most = (size_t)1 << 28, margin = (size_t)1 << 18;
#ifdef __linux__
	pthread_attr_t attr;
	void *low;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		if (pthread_attr_getstack(&attr, &low, &size) == 0)
			room = (size_t)((char *)__builtin_frame_address(0) - (char *)low);
		pthread_attr_destroy(&attr);
	}
#endif
	room = room > 2 * margin ? room - margin : margin;
	return room < most ? room : most;
}

static void call_begin(Interp *in, FILE *traces)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	in->max_bytes = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX / 2;
	in->traces = traces;
	in->error = (RunError){0};
	in->at = NULL;
	in->calls = NULL;
	in->depth = 0;
	in->n_temps = 0;
	in->stack_base = __builtin_frame_address(0);
	in->stack_room = stack_room();
}

// Releases what the call leaves, be it results or, after a failure, everything.
static void call_end(Interp *in)
{
	while (in->depth)
		level_pop(in);
	heap_release(in);
	while (in->frames && in->frames->prev) {
		SlotChunk *c = in->frames;
		in->frames = c->prev;
		free(c);
	}
	if (in->frames)
		in->frames->used = 0;
}

// How many of an entry point's flat parameters (results) are sizes: they come first, or after the
// constants that it is given.
// Blocks of the MEM stage do not count: they come with their arrays.
static int n_values(Vars vs)
{
	int n = 0;
	for EACH(Var, v, vs)
		n += vars[v->id].type.kind != T_MEM;
	return n;
}

static int n_size_params(const Fun *f, int n_given)
{
	int n = n_values(f->params) - n_given;
	if (!f->entry)
		return 0;
	for (int i = 0; i < f->entry->params.len; i++)
		n -= f->entry->params.at[i].type->n_values;
	return n;
}

static int n_size_results(const Fun *f)
{
	return f->entry ? n_values(f->res) - f->entry->result->n_values : 0;
}

// In the words of executables (rd_invalid_sizes).  first: the parameter that is the first argument
static NORETURN void bad_sizes(Interp *in, const Fun *fn, int first, const Values *args)
{
	Str want = {0}, have = {0};
	EntrySizes sizes = {0};
	int i = 0;
	VEC(Var) values = {0};
	for (int k = first; k < fn->params.len; k++)
		if (vars[fn->params.at[k].id].type.kind != T_MEM)
			VEC_PUSH(&values, fn->params.at[k]);
	for EACH(Var, v, values)
		entry_add_sizes(&sizes, fn, VEC_SLICE(Vars, values), &vars[v->id].type, true);
	for EACH(Var, v, values) {
		const Type *t = &vars[v->id].type;
		const Value *arg = &args->at[i];
		const char *name = entry_value_name(fn, i++), *comma = want.len ? ", " : "";
		if (!t->dims.len)
			continue;
		str_printf(&want, "%s%s: %s%s", comma, name, entry_dims(&sizes, t),
		           primtype_name[t->elem]);
		str_printf(&have, "%s%s: %s", comma, name, value_type_text(arg));
	}
	run_fail(in, "entry point arguments have invalid sizes.\nExpected: %s\nGot:      %s",
	         str_text(&want), str_text(&have));
}

// The size parameters of an entry point: those from number `from` up to `to`, and which of them are
// known.
typedef struct { int from, to; bool *known; } SizeParams;

// Matches the shape of an argument with its type: a size parameter not yet known takes
// the size it stands for, anything else must agree.
static void match_shape(Interp *in, Frame *f, const Code *code, const Fun *fn,
                        const SizeParams *sizes, Subs dims, const Value *v, const Values *args)
{
	for (int d = 0; d < dims.len; d++) {
		int64_t size = v->shape[d];
		if (dims.at[d].kind == S_CONST) {
			if (dims.at[d].val.i != size)
				bad_sizes(in, fn, sizes->to, args);
			continue;
		}
		int p = vars_find(fn->params, dims.at[d]);
		if (p < 0)
			continue;
		Slot *s = &f->at[code->params.at[p].o];
		if (p >= sizes->from && p < sizes->to && !sizes->known[p]) {
			sizes->known[p] = true;
			s->raw.i = size;
		} else if (s->raw.i != size) {
			bad_sizes(in, fn, sizes->to, args);
		}
	}
}

static void bind_scalar(Frame *f, const Arg *p, const Value *v)
{
	f->at[p->o].raw = scalar_raw(value_get(v, 0));
}

// The constants that a function is given are its first parameters; gives the number of those.
static int bind_constants(Interp *in, Frame *f, const Code *code, const Fun *fn,
                          const Values *given)
{
	int k = 0;
	for (int i = 0; i < given->len; k++) {
		const Arg *p = &code->params.at[k];
		if (vars[fn->params.at[k].id].type.kind == T_MEM)
			continue;
		if (p->kind == K_SCALAR)
			bind_scalar(f, p, &given->at[i]);
		else
			f->at[p->o].raw.arr = arr_of_value(in, &given->at[i]);
		i++;
	}
	return k;
}

static void bind_arguments(Interp *in, Frame *f, const Code *code, const Fun *fn,
                           const Values *given, const Values *args)
{
	int from = bind_constants(in, f, code, fn, given);
	int n_sizes = n_size_params(fn, given->len);
	int n = n_values(fn->params) - given->len - n_sizes;
	SizeParams sizes = {from, from + n_sizes, NEW_ARRAY(bool, from + n_sizes)};
	if (args->len != n)
		run_fail(in, "Expected %d values as arguments, but got %d.", n, args->len);
	// Scalars first: the size of an array may be one of them.
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0, k = sizes.to; k < fn->params.len; k++) {
			const Arg *p = &code->params.at[k];
			Type t = vars[fn->params.at[k].id].type;
			if (t.kind == T_MEM)
				continue;
			const Value *v = &args->at[i++];
			if (v->type != t.elem || v->rank != t.dims.len)
				run_fail(in, "Argument %d has type %s, but %s is expected.", i,
				         value_type_text(v), show_core_type(t));
			if (pass == 0 && p->kind == K_SCALAR) {
				bind_scalar(f, p, v);
			} else if (pass == 1 && p->kind == K_ARRAY) {
				f->at[p->o].raw.arr = arr_of_value(in, v);
				match_shape(in, f, code, fn, &sizes, t.dims, v, args);
			}
		}
	for EACH(IPlace, p, code->places)
		f->at[p->block].raw.arr = block_of(in, f->at[p->array.o].raw.arr);
	take_places(in, f, code->places, false);
}

// The constants that a function is given, evaluated if they are not yet.
static RunError given_values(Interp *in, const Fun *fn, Values *out, FILE *traces)
{
	Funs given = given_to(in->prog, fn);
	for EACH(Fun *, c, given) {
		const Values *known = map_get(&in->constants, *c);
		if (!known) {
			Values *made = NEW(Values);
			RunError e = interp_call(in, *c, &(Values){0}, made, traces);
			if (e.message)
				return e;
			map_put(&in->constants, *c, made);
			known = made;
		}
		VEC_APPEND(out, *known);
	}
	return (RunError){0};
}

RunError interp_call(Interp *in, const Fun *fn, const Values *args, Values *results, FILE *traces)
{
	Values given = {0};
	RunError failed = given_values(in, fn, &given, traces);
	if (failed.message)
		return failed;
	call_begin(in, traces);
	if (setjmp(in->escape)) {
		call_end(in);
		return in->error;
	}
	const Code *code = code_of_fun(in, fn);
	Frame f = frame_push(in, code);
	bind_arguments(in, &f, code, fn, &given, args);
	exec(in, &f, &code->body);
	Values out = {0};
	for (int i = n_size_results(fn); i < code->body.res.len; i++) {
		const Arg *r = &code->body.res.at[i];
		if (vars[fn->res.at[i].id].type.kind == T_MEM)
			continue;
		VEC_PUSH(&out, value_of_slot(r, *slot_of(&f, r->o)));
	}
	*results = out;
	call_end(in);
	return (RunError){0};
}
