// The core interpreter: calls of entry points from outside, and what may interrupt them.
#include "core/entry.h"
#include "core/interp.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

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
