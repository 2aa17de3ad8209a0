// Scans in #[threads] loops: how many elements of a tile each thread has, from what it keeps for
// each of them in registers and in shared memory between the segments of an iteration (kscan.c).
#include "gen/kfold.h"

// ---- How many elements a thread has ----

typedef struct { int n; bool loops; } Weight;

static void weigh(Visit *v, Body *b)
{
	Weight *w = v->ctx;
	for EACH(Stm, s, b->stms) {
		w->n += !needs_no_code(s);
		w->loops |= s->exp->form == E_loop && !has_attr(s->attrs, ATTR_ATOMIC);
		exp_visit(s->exp, v);
	}
}

static int bytes_of_call(const Stm *s)
{
	int bytes = 0;
	for EACH(Var, v, s->pat)
		bytes += room_size(vars[v->id].type.elem);
	return bytes;
}

bool is_operator_call(const Stm *s)
{
	return s->exp->form == E_call && has_attr(s->exp->call.fn->attrs, ATTR_OPERATOR);
}

// ---- What segments compute for later ones ----

typedef struct { Map *seen; } Mention;

static void mention(Visit *v, Sub *s)
{
	Mention *m = v->ctx;
	if (s->kind != S_VAR || map_has(m->seen, var_key(s->var)))
		return;
	map_put(m->seen, var_key(s->var), m);
	Type t = vars[s->var.id].type;
	if (t.mem)
		type_visit(&t, v);
}

// All that the statements from this one on mention, and the places of the arrays among it.
Map mentioned_from(const Exp *e, int from)
{
	Map seen = {0};
	Mention m = {&seen};
	Visit v = {.sub = mention, .ctx = &m};
	for (int i = from; i < e->loop.body.stms.len; i++)
		stm_visit(&e->loop.body.stms.at[i], &v);
	return seen;
}

typedef struct { const Map *derived; const Body *body; bool only_indices; } Derived;

static void look_at(Visit *v, Sub *s)
{
	Derived *d = v->ctx;
	for (int i = 0; s->kind == S_VAR && i < d->body->stms.len; i++)
		for EACH(Var, p, d->body->stms.at[i].pat)
			if (p->id == s->var.id && !map_has(d->derived, var_key(*p)))
				d->only_indices = false;
}

// Variables that are sums, products and so on of the index and of what is known outside; not the
// operands of scans, which are at hand there, nor what is computed from those, which are nowhere
// afterwards unless they are kept.
Map derived_from_index(const Exp *e)
{
	Map derived = {0}, operands = {0};
	for EACH(Stm, s, e->loop.body.stms)
		for (int i = 0; is_operator_call(s) && i < s->exp->call.args.len; i++) {
			Sub x = s->exp->call.args.at[i];
			if (x.kind == S_VAR)
				map_put(&operands, var_key(x.var), s);
		}
	for EACH(Stm, s, e->loop.body.stms) {
		Derived d = {&derived, &e->loop.body,
		             s->exp->form == E_prim || s->exp->form == E_convert};
		Visit v = {.sub = look_at, .ctx = &d};
		exp_visit(s->exp, &v);
		if (d.only_indices && !map_has(&operands, var_key(s->pat.at[0])))
			map_put(&derived, var_key(s->pat.at[0]), s);
	}
	return derived;
}

// What a thread keeps for each element from segment to segment, in bytes.
static int bytes_kept(const Exp *e)
{
	Map derived = derived_from_index(e);
	const Body *b = &e->loop.body;
	int first = 0, bytes = 0;
	for (int k = 0; k < b->stms.len; k++) {
		if (!is_operator_call(&b->stms.at[k]))
			continue;
		Map later = mentioned_from(e, k), after = mentioned_from(e, k + 1);
		bool counts = counts_flags(e, &b->stms.at[k]);
		for (int i = first; i <= k; i++)
			for EACH(Var, v, b->stms.at[i].pat) {
				bool is_flag = counts && sub_eq(sub_var(*v),
				                                b->stms.at[k].exp->call.args.at[1]);
				if (type_is_scalar(vars[v->id].type) &&
				    !map_get(&derived, var_key(*v)) &&
				    map_has(i == k ? &after : &later, var_key(*v)))
					bytes += is_flag ? 0
					       : i == k && counts
					               ? 4
					               : room_size(vars[v->id].type.elem);
			}
		first = k + 1;
	}
	return bytes;
}

// What a thread keeps for each element while it waits for the blocks before, in bytes of registers.
static int bytes_held(const Exp *e)
{
	const Body *b = &e->loop.body;
	Map derived = derived_from_index(e);
	int most = 0;
	for (int k = 0; k < b->stms.len; k++) {
		if (!is_operator_call(&b->stms.at[k]))
			continue;
		Map after = mentioned_from(e, k + 1);
		int bytes = counts_flags(e, &b->stms.at[k]) ? 4 : 0;
		for (int i = 0; i < k; i++)
			for EACH(Var, v, b->stms.at[i].pat)
				if (type_is_scalar(vars[v->id].type) &&
				    !map_get(&derived, var_key(*v)) && map_has(&after, var_key(*v)))
					bytes += primtype_size(vars[v->id].type.elem) > 4 ? 8 : 4;
		most = bytes > most ? bytes : most;
	}
	return most;
}

// Odd numbers, for the banks of shared memory.  On CUDA, whose blocks have more of it, tiles of
// scans are larger: the fewer of them there are, the fewer a block has to look back at.
Choice items_of(const Exp *loop)
{
	static const int items[] = {31, 23, 15, 11, 7, 5, 3, 1};
	Weight w = {0};
	Visit v = {.body = weigh, .ctx = &w};
	weigh(&v, (Body *)&loop->loop.body); // a walk: writes nothing
	int bytes = 0, on_cuda = 0, kept = bytes_kept(loop), held = bytes_held(loop);
	for EACH(Stm, s, loop->loop.body.stms)
		if (is_operator_call(s)) {
			bytes += bytes_of_call(s);
			on_cuda += counts_flags(loop, s) ? 4 : bytes_of_call(s);
		}
	Choice out = {1, 1};
	Stores stores = compacted(loop);
	for (int i = 0; i < 8 && !w.loops && out.other == 1; i++) {
		int n = items[i];
		bool fits = stores.len ? compact_bytes(&stores, n) <= 160 && n * w.n <= 400
		                       : n * on_cuda <= 96 && n * held <= 180 && n * w.n <= 180;
		if (out.cuda == 1 && fits)
			out.cuda = n;
		if (n <= 15 && n * bytes <= 96 && n * kept <= 176 && n * w.n <= 180)
			out.other = n;
	}
	return out;
}

bool is_direct(const Exp *loop)
{
	int calls = 0, counts = 0;
	for EACH(Stm, s, loop->loop.body.stms)
		if (is_operator_call(s)) {
			calls++;
			counts += counts_flags(loop, s);
		}
	return calls == 1 && counts == 0;
}

// Few registers will do for a scan that does little else, and keeps nothing: the more threads
// there are.
bool scans_lightly(const Exp *loop)
{
	Weight w = {0};
	Visit v = {.body = weigh, .ctx = &w};
	int bytes = 0;
	weigh(&v, (Body *)&loop->loop.body); // a walk: writes nothing
	for EACH(Stm, s, loop->loop.body.stms)
		bytes += is_operator_call(s) ? bytes_of_call(s) : 0;
	return is_direct(loop) && !w.loops && w.n <= 8 && bytes <= 8 && bytes_held(loop) == 0;
}

// On CUDA, and elsewhere.
CExp choice(Choice c)
{
	return c.cuda == c.other ? x_int(c.cuda)
	                         : x_call("RD_CHOOSE", x_int(c.cuda), x_int(c.other));
}
