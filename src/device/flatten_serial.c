// Loops with short steps: a single thread block executes all iterations in one kernel.
//
//     loop (y: *[n]f64 = y0) for i < n do {
//       let (s: f64) = screma i (l[i, 0:i:1], y[0:i:1]) map=(*) reduce=(+)
//       let (v: f64) = .. b[i] - s ..
//       in update y [i] v
//     }
// becomes
//     loop (y: *[n]f64 = y0) for strip < .. do
//       #[blocks] loop (o: *[n]f64 = y) for once < 1 do
//         loop (y: *[n]f64 = o) for t < .. do {
//           let (i: i64) = ..
//           #[threads] let (s: f64) = loop (a: f64 = 0) for k < i do {.. call op (a, ..)}
//           let (v: f64) = .. b[i] - s ..
//           in update y [i] v
//         }
//
// Solving triangular systems, and the derivatives of that, are such loops: a step is a sum over the
// elements computed so far, or an update of all remaining ones, and the next step depends on it.
// Launching one or two kernels takes longer than such a step.  A step may consist of
//     scalars, elements and slices of arrays       computed redundantly by all threads
//     updates of elements                          executed by one thread
//     reductions                                   #[threads] loops
//     maps whose results are all written to rows of arrays that the loop carries, and which read
//       only the rows of these arrays that they replace            likewise, in place
// If the steps turn out to be long, a host loop with kernels is executed instead (#[threshold]).
#include "device/flatten.h"

typedef struct {
	Flatten *f;
	const Exp *loop;
	const Body *body;
	Map updates;                            // of rows, by maps
	Map maps;                               // the last such update of a map -> the map
	VEC(Sub) widths;                        // of maps and reductions
} Serial;

// ---- Which loops ----

// What x is a state of, after updates.
static Sub first_state(const Serial *l, Sub x)
{
	const Exp *e = x.kind == S_VAR ? def_in(l->body, x) : NULL;
	return e && e->form == E_update ? first_state(l, e->update.arr) : x;
}

// The array that the loop carries of which x is a part or a state, or x.
static Sub root_of(const Serial *l, Sub x)
{
	x = first_state(l, x);
	const Exp *e = x.kind == S_VAR ? def_in(l->body, x) : NULL;
	return e && e->form == E_slice ? root_of(l, e->slice.arr) : x;
}

static bool is_carried(const Serial *l, Sub x)
{
	for EACH(Var, p, l->loop->loop.params)
		if (sub_eq(sub_var(*p), x))
			return true;
	return false;
}

static bool is_simple(const Body *b)
{
	for EACH(Stm, s, b->stms)
		switch (s->exp->form) {
		case E_prim: case E_convert: case E_atom: case E_index:
			if (s->certs.len || s->pat.len != 1 ||
			    !type_is_scalar(vars[s->pat.at[0].id].type))
				return false;
			break;
		case E_if_:
			for EACH(Var, v, s->pat)
				if (!type_is_scalar(vars[v->id].type))
					return false;
			if (!is_simple(&s->exp->if_.yes) || !is_simple(&s->exp->if_.no))
				return false;
			break;
		default: // arrays, loops, what may fail
			return false;
		}
	return true;
}

static bool same_part(Slices a, Slices b)
{
	bool same = a.len == b.len;
	for (int d = 0; same && d < a.len; d++)
		same = a.at[d].fixed == b.at[d].fixed && sub_eq(a.at[d].start, b.at[d].start) &&
		       (a.at[d].fixed || (sub_eq(a.at[d].len, b.at[d].len) &&
		                          sub_eq(a.at[d].step, b.at[d].step)));
	return same;
}

// The dimension of an update that has n rows, one after the other; -1: it is otherwise.
static int row_dim(const Exp *update, Sub n)
{
	int dim = -1;
	for (int d = 0; d < update->update.at.len; d++) {
		DimSlice at = update->update.at.at[d];
		if (at.fixed)
			continue;
		if (dim >= 0 || !sub_eq(at.step, sub_i64(1)) || !sub_eq(at.len, n))
			return -1;
		dim = d;
	}
	return dim;
}

// Does the map read of the array that is written just the rows that it replaces?
static bool reads_replaced(const Serial *l, const Exp *map, const Exp *update)
{
	Sub root = root_of(l, update->update.arr);
	Vars free = free_in_lambda(map->screma.map);
	for EACH(Var, v, free)
		if (sub_eq(root_of(l, sub_var(*v)), root))
			return false;
	for EACH(Sub, a, map->screma.arrs) {
		const Exp *e = def_in(l->body, *a);
		if (sub_eq(root_of(l, *a), root) &&
		    (!e || e->form != E_slice || !sub_eq(first_state(l, e->slice.arr), root) ||
		     !same_part(e->slice.at, update->update.at)))
			return false;
	}
	return true;
}

// The update that alone uses a result of the map at statement `at`, with nothing but other such
// updates and numbers in between, so that the map may be done there; NULL: it is otherwise.
static const Stm *update_of(const Serial *l, int at, Var result)
{
	if (n_uses_in(l->body, result) != 1)
		return NULL;
	for (int i = at + 1; i < l->body->stms.len; i++) {
		const Stm *s = &l->body->stms.at[i];
		const Exp *e = s->exp;
		if (e->form == E_update && sub_eq(e->update.val, sub_var(result)))
			return stm_index(l->body, e->update.arr) < at ? s : NULL;
		if (e->form == E_update ? stm_index(l->body, e->update.val) != at
		                        : e->form != E_prim && e->form != E_convert)
			return NULL;
	}
	return NULL;
}

static bool is_map_in_place(Serial *l, int at)
{
	const Stm *s = &l->body->stms.at[at], *last = s;
	const Exp *e = s->exp;
	const Exp **updates = NEW_ARRAY(const Exp *, s->pat.len + 1);
	for (int k = 0; k < s->pat.len; k++) {
		const Stm *u = update_of(l, at, s->pat.at[k]);
		if (!u || u->certs.len || row_dim(u->exp, e->screma.n) < 0 ||
		    !type_is_scalar(e->screma.map->ret.at[k]) || !reads_replaced(l, e, u->exp))
			return false;
		for (int j = 0; j < k; j++)
			if (sub_eq(root_of(l, u->exp->update.arr),
			           root_of(l, updates[j]->update.arr)))
				return false;
		updates[k] = u->exp;
		last = u > last ? u : last;
		map_put(&l->updates, u, l);
	}
	map_put(&l->maps, last, (Stm *)s);
	return s->pat.len > 0;
}

static bool is_step(Serial *l, int at)
{
	const Stm *s = &l->body->stms.at[at];
	const Exp *e = s->exp;
	if (s->certs.len || has_attrs(s->attrs))
		return false;
	switch (e->form) {
	case E_screma:
		VEC_PUSH(&l->widths, e->screma.n);
		if (e->screma.scans.len || !is_scalar_fold(e) || !is_simple(&e->screma.map->body))
			return false;
		if (n_reduced(e->screma.reds) == e->screma.map->ret.len)
			return true;
		return !e->screma.reds.len && is_map_in_place(l, at);
	case E_update:
		return is_carried(l, first_state(l, e->update.arr)) &&
		       (map_has(&l->updates, s) || is_element(e->update.at));
	case E_slice:
		return true;
	case E_iota:
		return true;
	default: // numbers
		return is_simple(&(Body){.stms = {(Stm *)s, 1}});
	}
}

// ---- How many rows a step has ----

// The number of rows of the first step and of the last, where it changes by as much in each.
static bool widths_at_ends(Serial *l, Sub n, SubVec *out)
{
	Build *b = &l->f->b;
	Var i = l->loop->loop.i;
	for EACH(Sub, w, l->widths) {
		Affine rate, rest, a = affine_of(defs_in_body(l->body), *w);
		if (a.bad || !affine_split(&a, i, &rate, &rest))
			return false;
		for (int k = 0; k < rate.n + rest.n; k++) {
			const AffineTerm *t = k < rate.n ? &rate.t[k] : &rest.t[k - rate.n];
			for (int j = 0; j < AFFINE_DEGREE && t->v[j].id; j++)
				if (stm_index(l->body, sub_var(t->v[j])) >= 0)
					return false;
		}
		Sub first = affine_emit(b, &rest);
		VEC_PUSH(out, first);
		VEC_PUSH(out, b_add(b, first, b_mul(b, affine_emit(b, &rate),
		                                    b_sub(b, n, sub_i64(1)))));
	}
	return out->len > 0;
}

// ---- The block ----

// An element of an input; of an array that is written, where it is written.
static Sub emit_input(Serial *l, Build *b, Sub arr, const DevLoop *t, Subs dests, Slices *places)
{
	for (int k = 0; k < dests.len; k++)
		if (sub_eq(root_of(l, arr), root_of(l, dests.at[k])))
			return b_index(b, sub_var(t->params.at[k]), slice_starts(places[k]));
	return b_index(b, arr, subs_of(1, sub_var(t->i)));
}

static void emit_map(Serial *l, Build *b, const Stm *s)
{
	const Exp *e = s->exp;
	int n = s->pat.len;
	const Stm **updates = NEW_ARRAY(const Stm *, n);
	Subs dests = {NEW_ARRAY(Sub, n), n}, next = {NEW_ARRAY(Sub, n), n};
	Vars pat = {NEW_ARRAY(Var, n), n};
	for EACH(Stm, u, l->body->stms)
		for (int k = 0; k < n; k++)
			if (u->exp->form == E_update &&
			    sub_eq(u->exp->update.val, sub_var(s->pat.at[k]))) {
				updates[k] = u;
				dests.at[k] = u->exp->update.arr;
				pat.at[k] = u->pat.at[0];
			}
	DevLoop t = dev_open(b, ATTR_THREADS, e->screma.n, dests);
	Slices *places = NEW_ARRAY(Slices, n);
	for (int k = 0; k < n; k++) {
		int d = row_dim(updates[k]->exp, e->screma.n);
		places[k] = SLICE_DUP(Slices, updates[k]->exp->update.at);
		places[k].at[d] = dim_at(b_add(b, places[k].at[d].start, sub_var(t.i)));
	}
	const Lambda *map = lambda_rename(e->screma.map);
	Map to = {0};
	for (int k = 0; k < map->params.len; k++)
		subst_put(&to, map->params.at[k],
		          emit_input(l, b, e->screma.arrs.at[k], &t, dests, places));
	Body row = body_subst(map->body, &to);
	for EACH(Stm, r, row.stms)
		b_emit(b, *r);
	for (int k = 0; k < n; k++)
		next.at[k] = b_update(b, sub_var(t.params.at[k]), places[k], row.res.at[k]);
	b_names(b, pat, dev_close(b, &t, next));
}

static void emit_steps(Serial *l, Build *b)
{
	for EACH(Stm, s, l->body->stms) {
		b->where = s->where;
		if (s->exp->form == E_screma && s->exp->screma.reds.len)
			block_reduce(l->f, b, s);
		else if (map_has(&l->maps, s))
			emit_map(l, b, map_get(&l->maps, s));
		else if (s->exp->form != E_screma && !map_has(&l->updates, s))
			b_emit(b, *s);
	}
}

// Steps from `first` on, `n` of them, as one kernel.
static Subs emit_block(Serial *l, Subs arrs, Sub first, Sub n)
{
	Build *b = &l->f->b;
	const Exp *e = l->loop;
	DevLoop blocks = dev_open(b, ATTR_BLOCKS, sub_i64(1), arrs);
	Var t = var_new(name_of("t"), type_scalar(PT_I64));
	Vars pat = {NEW_ARRAY(Var, arrs.len), arrs.len};
	for (int k = 0; k < arrs.len; k++)
		pat.at[k] = var_new(name_of("out"), vars[blocks.pat.at[k].id].type);
	b_open(b);
	b_stm(b, vars_of(1, e->loop.i), EXP(prim, P_add, PT_I64, {first, sub_var(t)}));
	emit_steps(l, b);
	Body body = b_close(b, l->body->res);
	b_stm(b, pat, EXP(loop, .params = e->loop.params,
		.inits = subs_of_vars(blocks.params), .i = t, .n = n, .body = body));
	return dev_close(b, &blocks, subs_of_vars(pat));
}

static Subs emit_strips(Serial *l)
{
	Build *b = &l->f->b;
	const Where *where = b->where;
	Sub n = l->loop->loop.n, strip = sub_i64(threshold(AT_serial_strip));
	Sub strips = b_prim2(b, P_quot, b_add(b, n, b_sub(b, strip, sub_i64(1))), strip);
	DevLoop around = dev_open(b, ATTR_NONE, strips, l->loop->loop.inits);
	Sub first = b_mul(b, sub_var(around.i), strip);
	Subs out = emit_block(l, subs_of_vars(around.params), first,
	                      b_prim2(b, P_min, strip, b_sub(b, n, first)));
	b->where = where;
	return dev_close(b, &around, out);
}

// ---- Loops ----

static bool is_serial(Serial *l)
{
	const Exp *e = l->loop;
	if (e->loop.is_while || !e->loop.params.len || sub_type(e->loop.n).elem != PT_I64)
		return false;
	for (int k = 0; k < e->loop.params.len; k++) {
		Type t = vars[e->loop.params.at[k].id].type;
		if (t.kind != T_DATA || !t.dims.len || !t.unique ||
		    !sub_eq(first_state(l, e->loop.body.res.at[k]), sub_var(e->loop.params.at[k])))
			return false;
	}
	for (int i = 0; i < l->body->stms.len; i++)
		if (!is_step(l, i))
			return false;
	return l->widths.len > 0;
}

bool flatten_serial(Flatten *f, const Stm *s, void others(Flatten *, const Stm *))
{
	if (s->exp->form != E_loop || has_attrs(s->attrs))
		return false;
	Serial found = {.f = f, .loop = s->exp, .body = &s->exp->loop.body};
	if (!is_serial(&found))
		return false;
	Build *b = &f->b;
	SubVec ends = {0};
	if (!widths_at_ends(&found, s->exp->loop.n, &ends))
		return false;
	Sub most = sub_i64(0);
	for EACH(Sub, w, ends)
		most = b_prim2(b, P_max, most, *w);
	Body whole = {.stms = {(Stm *)s, 1}, .res = subs_of_vars(s->pat)},
	     copy = body_rename(whole), again = body_rename(whole);
	Sub many = emit_threshold(f, "serial", most, AT_serial_rows);
	b_open(b);
	others(f, &copy.stms.at[0]);
	Body yes = b_close(b, copy.res);
	Serial l = {.f = f, .loop = again.stms.at[0].exp,
	            .body = &again.stms.at[0].exp->loop.body};
	if (!is_serial(&l))
		bug("a loop of short steps is none under other names");
	b_open(b);
	Body no = b_close(b, emit_strips(&l));
	b_names(b, s->pat, b_lets(b, "r", types_of_vars(s->pat), EXP(if_, many, yes, no)));
	return true;
}
