// Places the arrays of a row that is processed by a thread block in shared memory, if they fit.
//
//     loop (xs = row) for i < k do {
//       let (ys: [n]f64) = screma n (..) map=\.. -> .. xs[j] ..
//       in ys
//     }
// becomes
//     #[local] let (room: [n]f64) = scratch.f64 [n]
//     #[threads] let (xs0: [n]f64) = loop (o: *[n]f64 = room) for j: i64 < n do {.. row[j] ..}
//     loop (xs: *[n]f64 = xs0) for i < k do {
//       #[local] let (out: [n]f64) = scratch.f64 [n]
//       #[threads] let (ys: [n]f64) = loop (o: *[n]f64 = out) for j: i64 < n do {.. xs[j] ..}
//       #[threads] let (next: [n]f64) = loop (o: *[n]f64 = xs) for j: i64 < n do {.. ys[j] ..}
//       in next
//     }
//
// Every array that a row creates has memory of its own for the whole kernel.  Values that a loop
// carries are copied there at the end of each iteration, unless they are updated in place, and so
// are results of branches.  So the address of an array never depends on control flow, which is
// required for shared memory.
//
// The logs of reverse mode (#[tape]), arrays that a row only writes, and arrays whose sizes are
// computed inside the row, are in device memory; the host computes upper bounds of the latter sizes
// (mem/bounds.c).
#include "device/flatten_row.h"

// ---- Memory ----

// Is the number bounded by what is known outside?
static bool is_bounded(const Row *x, Sub n)
{
	if (!in_nest(x->f, n) || map_has(&x->counters, var_key(n.var)))
		return true;
	const Known *k = known_of(x->f, n);
	if (k && (k->kind == K_COUNTER ||
	          (k->kind == K_ROW && map_has(&x->f->counting, var_key(n.var)))))
		return true;
	const Stm *s = k && k->kind == K_AGAIN ? k->stm : map_get(&x->defs, var_key(n.var));
	if (!s || s->pat.len != 1)
		return false;
	const Exp *e = s->exp;
	if (e->form == E_atom)
		return is_bounded(x, e->atom.x);
	if (e->form != E_prim || is_float(e->prim.at))
		return false;
	switch (e->prim.op) {
	case P_add: case P_sub: case P_mul: case P_min: case P_max:
		return is_bounded(x, e->prim.x[0]) && is_bounded(x, e->prim.x[1]);
	default: // what bounds.c may know nothing of
		return false;
	}
}

Sub local_array(Row *x, Type t)
{
	t.unique = false;
	if (is_regular(x->f, t)) {
		VEC_PUSH(&x->local, t);
		x->b.attrs = attr_of(ATTR_LOCAL);
	} else {
		for EACH(Sub, d, t.dims)
			x->fails |= !is_bounded(x, *d);
	}
	return b_scratch(&x->b, "local", t);
}

// The threads fill arrays of one shape with scalars, or with arrays, repeated along `outer`
// dimensions.  Element by element: an update of all of an array would become a name for the value.
static Subs fill(Row *x, Subs to, int outer, Subs vals)
{
	Build *b = &x->b;
	Subs dims = sub_type(to.at[0]).dims, next = {NEW_ARRAY(Sub, to.len), to.len};
	DevLoop l = dev_open(b, ATTR_THREADS, b_product(b, dims), to);
	Subs at = b_indices(b, dims, sub_var(l.i));
	for (int k = 0; k < to.len; k++) {
		Sub val = vals.at[k];
		if (sub_type(val).dims.len)
			val = b_index(b, val, subs_part(at, outer, at.len - outer));
		next.at[k] = put_at(b, sub_var(l.params.at[k]), at, val);
	}
	return dev_close(b, &l, next);
}

// All of each of `to` becomes what the array of `from` has; those of one shape together.
static Subs store_all(Row *x, Subs to, Subs from)
{
	Subs out = SLICE_DUP(Subs, to);
	bool *done = NEW_ARRAY(bool, to.len);
	for (int k = 0; k < to.len; k++) {
		SubVec some = {0}, vals = {0};
		for (int j = k; j < to.len && !done[k]; j++)
			if (!done[j] && subs_eq(sub_type(to.at[k]).dims, sub_type(to.at[j]).dims)) {
				VEC_PUSH(&some, to.at[j]);
				VEC_PUSH(&vals, from.at[j]);
			}
		if (!some.len)
			continue;
		Subs made = fill(x, VEC_SLICE(Subs, some), 0, VEC_SLICE(Subs, vals));
		for (int j = k, at = 0; at < made.len; j++)
			if (!done[j] && subs_eq(sub_type(to.at[k]).dims, sub_type(to.at[j]).dims)) {
				out.at[j] = made.at[at++];
				done[j] = true;
			}
	}
	return out;
}

static Sub store(Row *x, Sub to, Sub from)
{
	return store_all(x, subs_of(1, to), subs_of(1, from)).at[0];
}

static Sub local_copy(Row *x, Sub arr)
{
	return store(x, local_array(x, sub_type(arr)), arr);
}

// ---- Whose memory an array has ----

static Sub root_in(const Body *, Sub);

// Is parameter k of the loop updated in place?
static bool is_in_place(const Exp *loop, int k)
{
	Var p = loop->loop.params.at[k];
	return vars[p.id].type.unique &&
	       sub_eq(root_in(&loop->loop.body, loop->loop.body.res.at[k]), sub_var(p));
}

// What result k of the statement is made in; (Sub){0}: memory of its own.
static Sub root_of_result(const Stm *s, int k)
{
	const Exp *e = s->exp;
	Sub yes, no;
	switch (e->form) {
	case E_atom:
		return e->atom.x;
	case E_update:
		return e->update.arr;
	case E_loop:
		return is_in_place(e, k) ? e->loop.inits.at[k] : (Sub){0};
	case E_if_:
		yes = root_in(&e->if_.yes, e->if_.yes.res.at[k]);
		no = root_in(&e->if_.no, e->if_.no.res.at[k]);
		return sub_eq(yes, no) ? yes : (Sub){0};
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs) {
			if (k < in->arrs.len)
				return in->arrs.at[k];
			k -= in->arrs.len;
		}
		return root_in(&e->withacc.fn->body,
		               e->withacc.fn->body.res.at[e->withacc.inputs.len + k]);
	case E_hist:
		for EACH(HistOp, op, e->hist.ops) {
			if (k < op->dests.len)
				return op->dests.at[k];
			k -= op->dests.len;
		}
		return (Sub){0};
	case E_scatter:
		return e->scatter.dests.at[k].dest;
	default: // new, or a part of something
		return (Sub){0};
	}
}

// The first array of which x is a later version; what the body does not bind is its own.
static Sub root_in(const Body *b, Sub x)
{
	const Stm *s = stm_in(b, x);
	for (int k = 0; s && k < s->pat.len; k++) {
		if (!sub_eq(x, sub_var(s->pat.at[k])))
			continue;
		Sub up = root_of_result(s, k);
		return up.kind == S_VAR ? root_in(b, up) : x;
	}
	return x;
}

// Does the body make it, in memory of its own?
static bool is_made_in(const Body *b, Sub x)
{
	const Stm *s = stm_in(b, root_in(b, x));
	if (!s)
		return false;
	switch (s->exp->form) {
	case E_screma: case E_concat: case E_iota: case E_replicate: case E_scratch: case E_copy:
	case E_array: case E_loop: case E_if_: case E_hist: case E_scatter: case E_withacc:
		return true;
	default: // a part of something
		return false;
	}
}

// ---- Statements that make one array ----

bool makes_local(const Exp *e)
{
	return e->form == E_replicate || e->form == E_copy || e->form == E_concat ||
	       e->form == E_array || e->form == E_scratch;
}

static Sub joined(Row *x, Type t, Subs arrs)
{
	Build *b = &x->b;
	Sub room = local_array(x, t), from = sub_i64(0);
	for EACH(Sub, a, arrs) {
		Sub n = sub_type(*a).dims.at[0];
		room = b_update(b, room, slices_rows(t, from, n), *a);
		from = b_add(b, from, n);
	}
	return room;
}

static Sub listed(Row *x, Type t, Subs elems)
{
	Sub room = local_array(x, t);
	for (int i = 0; i < elems.len; i++)
		room = put_at(&x->b, room, subs_of(1, sub_i64(i)), elems.at[i]);
	return room;
}

// Is the array nothing but written to and passed on, all through the body?  What it becomes.
static bool is_only_written(const Body *b, Var v, Var *last)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		Body one = {.stms = {s, 1}};
		int n = n_uses_in(&one, v), k = 0;
		if (!n)
			continue;
		if (e->form == E_loop)
			k = subs_find(e->loop.inits, sub_var(v));
		else if (e->form != E_update || !sub_eq(e->update.arr, sub_var(v)))
			return false;
		if (n > 1 || k < 0 || (e->form == E_loop &&
		    !(is_in_place(e, k) &&
		      is_only_written(&e->loop.body, e->loop.params.at[k], last))))
			return false;
		v = s->pat.at[k];
	}
	*last = v;
	return true;
}

// What a row gives and never reads is made where it is to be in the end, which takes no shared
// memory: adjoints of all that its steps have read, for one.
bool is_result(const Row *x, Var v)
{
	Var last;
	return x->here == x->whole && is_only_written(x->here, v, &last) &&
	       subs_find(x->here->res, sub_var(last)) >= 0;
}

void local_stm(Row *x, const Stm *s)
{
	const Exp *e = s->exp;
	Type t = vars[s->pat.at[0].id].type;
	Sub made = {0};
	t.unique = false;
	switch (e->form) {
	case E_replicate:
		made = fill(x, subs_of(1, local_array(x, t)), e->replicate.dims.len,
		            subs_of(1, e->replicate.x)).at[0];
		break;
	case E_copy:
		made = local_copy(x, e->copy.arr);
		break;
	case E_concat:
		made = joined(x, t, e->concat.arrs);
		break;
	case E_array:
		made = listed(x, t, e->array.elems);
		break;
	default: // scratch
		if (has_attr(s->attrs, ATTR_TAPE) || is_result(x, s->pat.at[0])) {
			for EACH(Sub, d, t.dims)
				x->fails |= !is_bounded(x, *d);
			b_emit(&x->b, *s);
			return;
		}
		made = local_array(x, t);
		break;
	}
	b_names(&x->b, s->pat, subs_of(1, made));
}

// ---- Loops ----

typedef struct { Map same; bool found; } Consumption;

static void look_for_consumption(Visit *v, Body *b)
{
	Consumption *c = v->ctx;
	for EACH(Stm, s, b->stms) {
		SubVec out = {0};
		exp_consumed(s->exp, &out);
		for EACH(Sub, x, out)
			c->found |= x->kind == S_VAR && map_has(&c->same, var_key(x->var));
		if (is_again_form(s->exp) && s->exp->form != E_if_) { // a name or a part of it
			Body one = {.stms = {s, 1}};
			Vars free = free_in_body(&one);
			if (vars_any_in(free, &c->same))
				map_put(&c->same, var_key(s->pat.at[0]), c);
		}
	}
	body_visit(b, v);
}

static bool consumes(const Body *b, Var p)
{
	Consumption c = {0};
	Visit v = {.body = look_for_consumption, .ctx = &c};
	map_put(&c.same, var_key(p), &c);
	look_for_consumption(&v, (Body *)b); // a walk: writes nothing
	return c.found;
}

// Is the array of no use after statement `at` of the body, except as an operand of statement
// `own`?  What are parts of it, or may be it, are uses too.
static bool is_last_use(const Body *b, int at, Var v, int own)
{
	for (int i = 0; i < b->stms.len; i++) {
		Body one = {.stms = {&b->stms.at[i], 1}};
		const Exp *e = b->stms.at[i].exp;
		bool reads = e->form == E_screma || (e->form == E_index &&
			type_is_scalar(vars[b->stms.at[i].pat.at[0].id].type));
		if (i != own && (i >= at || !reads) && n_uses_in(&one, v))
			return false;
	}
	for EACH(Sub, x, b->res)
		if (sub_eq(*x, sub_var(v)))
			return false;
	return true;
}

bool is_given(const Row *x, Var v, Var *param)
{
	const Var *p = map_get(&x->given, var_key(v));
	if (p)
		*param = *p;
	return p;
}

static void give(Row *x, Var v, Var param)
{
	map_put(&x->given, var_key(v), mem_dup(&param, sizeof param));
}

// Is the array needed for nothing but as the initial value of parameter k of the loop there?
static bool only_begins(const Body *b, int at, int k)
{
	const Exp *e = b->stms.at[at].exp;
	Sub init = e->loop.inits.at[k];
	int n = 0;
	for EACH(Sub, i, e->loop.inits)
		n += sub_eq(*i, init);
	return n == 1 && init.kind == S_VAR && !n_uses_in(&e->loop.body, init.var) &&
	       is_last_use(b, at, init.var, at);
}

// Is parameter k of the loop only handed on to a loop inside, which gives its next value?
static bool hands_on(const Exp *loop, int k)
{
	const Body *b = &loop->loop.body;
	int at = stm_index(b, b->res.at[k]), n = 0;
	const Stm *s = at < 0 ? NULL : &b->stms.at[at];
	for EACH(Sub, x, b->res)
		n += sub_eq(*x, b->res.at[k]);
	if (!s || s->exp->form != E_loop || n != 1)
		return false;
	for (int j = 0; j < s->pat.len; j++)
		if (sub_eq(b->res.at[k], sub_var(s->pat.at[j])))
			return sub_eq(s->exp->loop.inits.at[j], sub_var(loop->loop.params.at[k])) &&
			       only_begins(b, at, j);
	return false;
}

// May parameter k have the memory of its initial value, which nothing needs any more?
static bool takes_init(const Row *x, const Exp *e, int k)
{
	Sub init = e->loop.inits.at[k];
	Var param;
	if (init.kind != S_VAR || !is_given(x, init.var, &param))
		return only_begins(x->here, x->at, k) && is_made_in(x->here, init);
	for (int j = 0; x->loop && j < x->loop->loop.params.len; j++)
		if (sub_eq(init, sub_var(x->loop->loop.params.at[j])) &&
		    sub_eq(x->loop->loop.body.res.at[j],
		           sub_var(x->here->stms.at[x->at].pat.at[k])))
			return hands_on(x->loop, j);
	return false;
}

// Does a map of the body give the next value of parameter k, and read that parameter nowhere else
// than where it writes?  Then it is done in place.
static bool is_elementwise(const Exp *loop, int k)
{
	const Body *b = &loop->loop.body;
	Var p = loop->loop.params.at[k];
	Sub res = b->res.at[k];
	int at = stm_index(b, res), n = 0;
	const Exp *e = at < 0 ? NULL : b->stms.at[at].exp;
	if (!e || e->form != E_screma || e->screma.scans.len || n_uses_in(&e->screma.map->body, p))
		return false;
	for EACH(Sub, x, b->res)
		n += sub_eq(*x, res);
	Type from = vars[p.id].type, to = sub_type(res);
	bool same = from.elem == to.elem && subs_eq(from.dims, to.dims);
	for (int i = at + 1; i < b->stms.len; i++) {
		Body one = {.stms = {&b->stms.at[i], 1}};
		n += n_uses_in(&one, res.var);
	}
	return same && n == 1 && to.dims.len == 1 && is_last_use(b, at, p, at);
}

// Parameter k begins with a copy that is the loop's, or with what nothing else needs.
static void begin(Row *x, Exp *e, int k)
{
	Var p = e->loop.params.at[k], param;
	Type t = vars[p.id].type;
	Sub *init = &e->loop.inits.at[k];
	if (takes_init(x, e, k)) {
		bool given = is_given(x, init->var, &param);
		if (given)
			*init = sub_var(param);
		if (given)
			give(x, x->here->stms.at[x->at].pat.at[k], param);
	} else {
		*init = store(x, local_array(x, t), *init);
	}
	t.unique = true;
	e->loop.params.at[k] = var_new(vars[p.id].hint, t);
}

// Where the body consumes a parameter, that is done to a further copy.
static void begin_body(Row *x, const Exp *old, const Exp *e, const bool *own)
{
	for (int k = 0; k < e->loop.params.len; k++) {
		if (!own[k])
			continue;
		Var p = old->loop.params.at[k];
		Sub now = sub_var(e->loop.params.at[k]);
		bool apart = !hands_on(old, k) && consumes(&old->loop.body, p);
		vars[p.id].type.unique = false;
		b_names(&x->b, vars_of(1, p), subs_of(1, apart ? local_copy(x, now) : now));
		if (!apart)
			give(x, p, now.var);
		if (!apart && is_elementwise(old, k))
			give(x, old->loop.body.res.at[k].var, now.var);
	}
}

// Is the next value of parameter k where it should be?
static bool is_there(const Row *x, const Exp *e, Sub next, int k, const bool *own)
{
	Var now = e->loop.params.at[k], param;
	return !own[k] || sub_eq(next, sub_var(now)) ||
	       (is_given(x, next.var, &param) && param.id == now.id);
}

// The next values of the parameters for which `own` says so, in their memory.  Those that are made
// of other parameters are kept first.
static Subs next_values(Row *x, const Exp *old, const Exp *e, const bool *own)
{
	Subs next = SLICE_DUP(Subs, old->loop.body.res);
	SubVec to = {0}, from = {0};
	for (int k = 0; k < next.len; k++) {
		if (own[k] && sub_eq(next.at[k], sub_var(old->loop.params.at[k])))
			next.at[k] = sub_var(e->loop.params.at[k]);
		if (is_there(x, e, next.at[k], k, own))
			continue;
		if (!is_made_in(&old->loop.body, next.at[k]))
			next.at[k] = local_copy(x, next.at[k]);
		VEC_PUSH(&to, sub_var(e->loop.params.at[k]));
		VEC_PUSH(&from, next.at[k]);
	}
	Subs stored = store_all(x, VEC_SLICE(Subs, to), VEC_SLICE(Subs, from));
	for (int k = 0, at = 0; k < next.len; k++)
		if (!is_there(x, e, next.at[k], k, own))
			next.at[k] = stored.at[at++];
	return next;
}

void local_loop(Row *x, const Stm *s)
{
	const Exp *old = s->exp;
	Exp *e = exp_dup(old);
	bool *own = NEW_ARRAY(bool, e->loop.params.len);
	x->fails |= has_attr(s->attrs, ATTR_UNROLL);    // there would be more arrays
	e->loop.inits = SLICE_DUP(Subs, e->loop.inits);
	e->loop.params = SLICE_DUP(Vars, e->loop.params);
	for (int k = 0; k < e->loop.params.len; k++) {
		Type t = vars[e->loop.params.at[k].id].type;
		own[k] = type_is_array(t) && !is_in_place(old, k);
	}
	for (int k = 0; k < e->loop.params.len; k++)
		if (own[k])
			begin(x, e, k);
	if (!e->loop.is_while)
		map_put(&x->counters, var_key(e->loop.i), x);
	const Exp *around = x->loop;
	b_open(&x->b);
	begin_body(x, old, e, own);
	x->loop = old;
	row_stms(x, &old->loop.body);
	x->loop = around;
	e->loop.body = b_close(&x->b, next_values(x, old, e, own));
	Stm t = *s;
	t.exp = e;
	b_emit(&x->b, t);
}

// ---- Branches ----

static Body branch(Row *x, const Body *b, Subs rooms)
{
	b_open(&x->b);
	row_stms(x, b);
	Subs res = SLICE_DUP(Subs, b->res);
	for (int k = 0; k < res.len; k++)
		if (rooms.at[k].kind == S_VAR)
			res.at[k] = store(x, rooms.at[k], res.at[k]);
	return b_close(&x->b, res);
}

void local_if(Row *x, const Stm *s)
{
	Exp *e = exp_dup(s->exp);
	Subs rooms = {NEW_ARRAY(Sub, s->pat.len), s->pat.len};
	for (int k = 0; k < s->pat.len; k++) {
		Type t = vars[s->pat.at[k].id].type;
		Sub root = type_is_array(t) ? root_of_result(s, k) : (Sub){0};
		rooms.at[k] = sub_bool(false);
		if (type_is_array(t) && root.kind != S_VAR)
			rooms.at[k] = local_array(x, t);
	}
	e->if_.yes = branch(x, &s->exp->if_.yes, rooms);
	e->if_.no = branch(x, &s->exp->if_.no, rooms);
	Stm t = *s;
	t.exp = e;
	b_emit(&x->b, t);
}
