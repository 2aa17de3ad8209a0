// Part of the pass `batch_sums` (batch_sums.c): replaces outer products of vectors that a host loop
// adds to a matrix, one or a few per iteration, by products of matrices after the loop.
//
//     loop (w = w0, ..) for j < n do {          (log, ..) = loop (log = scratch, ..) for j < n do {
//       b = slice bs [i, 0:q:1]                   a: [p] = ..
//       a: [p] = ..                               log with [i, 0:p:1] = a
//       w' = map2 (\row x ->                ->    .. }
//              map2 (\c y -> c + x * y)         w = map2 (\row r -> map2 (\c s ->
//                   row b) w a                     c + sum (map2 (*) r s)) row bs transposed)
//       in w', .. }                               w0 (transpose log)
//
// where i is j or n - 1 - j.  That is the gradient by a matrix that each step of a recurrence
// multiplies a vector with (transport plans, Markov chains, networks for one sample): the loop
// reads and writes the matrix in each iteration, the product is bound by arithmetic.  It may be
// turned on its way, several nests may add to it, and they may give other results too.
//
// The log does not increase the order of memory use: another array of the loop has n rows of p
// elements already.
//
// Requires: the SOAC stage.  Ensures: equal results up to the order of additions.  What is left of
// the nests has zeros in place of the matrix; nothing looks at what they make of these (dce).
#include "device/batch.h"

#include "opt/acc.h"

enum { MOST_TERMS = 4, DEEPEST = 8 };

// One of the two vectors of a product: an array, or to be made: another result of a map of the
// loop's body, which may be in an accumulation, the product of scalars that its function has.
typedef struct {
	Sub array;                              // (Sub){0}: to be made
	const Stm *stm, *nest;                  // of the body; of it or of its accumulation
	Subs factors;
	bool negative;
	Sub all, at;                            // its log, if it is a row of one
	Sub log;                                // after the loop
} Vector;

typedef struct { Vector of[2]; } Term;          // along the rows, along the columns

// What is added to parameter k of the loop.
typedef struct {
	int k;
	bool has_base;
	Term terms[MOST_TERMS];
	int n;
} Outer;

typedef struct {
	const Map *defs;                        // of bodies of the host
	const Stm *loop;
	const Body *body;
	Map uses;                               // variable -> how often the body mentions it
	VEC(Outer) outers;
} OuterPlan;

// ---- Finding ----

// What becomes of the matrix is looked at on one path only.
static bool is_used_once(const OuterPlan *p, Sub x)
{
	return x.kind == S_VAR && n_counted(&p->uses, x.var) == 1;
}

// The nest that makes result `which` of the statement, and which of its own results that is.
static const Stm *nest_of(const Stm *s, int *which)
{
	const Exp *e = s->exp;
	if (e->form == E_screma)
		return s;
	if (e->form != E_withacc)
		return NULL;
	const Body *fn = &e->withacc.fn->body;
	int n_accs = e->withacc.inputs.len, n_arrs = 0;
	for EACH(AccInput, in, e->withacc.inputs)
		n_arrs += in->arrs.len;
	if (*which < n_arrs)
		return NULL;
	Sub r = fn->res.at[*which - n_arrs + n_accs];
	const Stm *nest = stm_in(fn, r);
	if (!nest || nest->exp->form != E_screma)
		return NULL;
	*which = vars_find(nest->pat, r);
	return nest;
}

static int n_first(const Exp *screma)
{
	int n = 0;
	for EACH(Reduction, r, screma->screma.scans)
		n += r->ne.len;
	for EACH(Reduction, r, screma->screma.reds)
		n += r->ne.len;
	return n;
}

typedef struct {
	OuterPlan *p;
	Outer *o;
	const Stm *stm, *nest, *inner;          // of the body; its nest; what is in the nest
	bool turned;
	int depth;
} Look;

static bool look_at_matrix(OuterPlan *, Outer *, Sub m, bool turned, int depth);

// An array that is the same for all rows of the nest.
static bool is_outside(const Look *l, Sub x)
{
	const Exp *e = l->stm->exp;
	if (x.kind != S_VAR || vars_find(l->nest->exp->screma.map->params, x) >= 0 ||
	    stm_in(&l->nest->exp->screma.map->body, x))
		return false;
	return e->form != E_withacc || (!stm_in(&e->withacc.fn->body, x) &&
	                                vars_find(e->withacc.fn->params, x) < 0);
}

// A vector along the elements of the inner map: one input of it.
static bool is_column_vector(const Look *l, Sub x, Sub *array)
{
	const Exp *e = l->inner->exp;
	int i = vars_find(e->screma.map->params, x);
	if (i < 0)
		return false;
	*array = e->screma.arrs.at[i];
	return is_outside(l, *array) && sub_type(*array).kind == T_DATA &&
	       sub_type(*array).dims.len == 1;
}

// Factors of a term: those of the row, one of the column.
static bool split(const Look *l, Sub x, SubVec *row, Sub *column, bool *negative)
{
	const Lambda *g = l->inner->exp->screma.map;
	const Stm *s = stm_in(&g->body, x);
	if (s && (s->exp->form != E_prim || s->certs.len))
		return false;
	if (s && s->exp->prim.op == P_mul)
		return split(l, s->exp->prim.x[0], row, column, negative) &&
		       split(l, s->exp->prim.x[1], row, column, negative);
	if (s && s->exp->prim.op == P_neg) {
		*negative = !*negative;
		return split(l, s->exp->prim.x[0], row, column, negative);
	}
	if (s)
		return false;
	if (vars_find(g->params, x) < 0) {      // the same in all columns
		VEC_PUSH(row, x);
		return true;
	}
	return column->kind != S_VAR && is_column_vector(l, x, column);
}

// The array of which a factor is the element of this row, if it is just that.
static Sub array_of_rows(const Look *l, Sub x)
{
	const Exp *e = l->nest->exp;
	int i = vars_find(e->screma.map->params, x);
	bool there = i >= 0 && is_outside(l, e->screma.arrs.at[i]);
	return there ? e->screma.arrs.at[i] : (Sub){0};
}

static bool add_term(const Look *l, Sub x, bool negative)
{
	SubVec row = {0};
	Term t = {0};
	Sub column = sub_i64(0);
	if (l->o->n == MOST_TERMS || !split(l, x, &row, &column, &negative) || !row.len ||
	    column.kind != S_VAR)
		return false;
	Vector *v = &t.of[l->turned], *w = &t.of[!l->turned];
	*w = (Vector){.array = column};
	*v = (Vector){.stm = l->stm, .nest = l->nest, .factors = VEC_SLICE(Subs, row),
	              .negative = negative, .array = sub_i64(0)};
	if (row.len == 1 && !negative) {
		Sub whole = array_of_rows(l, row.at[0]);
		if (whole.kind == S_VAR)
			v->array = whole;
	}
	l->o->terms[l->o->n++] = t;
	return true;
}

// An element of the matrix that the nest makes: terms, and an element of another matrix.
static bool look_at_element(const Look *l, Sub x, bool negative)
{
	const Lambda *f = l->nest->exp->screma.map, *g = l->inner->exp->screma.map;
	const Stm *s = stm_in(&g->body, x);
	const Exp *e = s ? s->exp : NULL;
	bool sums = e && e->form == E_prim && !s->certs.len &&
	            (e->prim.op == P_add || e->prim.op == P_sub);
	if (sums && is_used_once(l->p, x))
		return look_at_element(l, e->prim.x[0], negative) &&
		       look_at_element(l, e->prim.x[1], negative ^ (e->prim.op == P_sub));
	int in = vars_find(g->params, x);
	int of = in >= 0 ? vars_find(f->params, l->inner->exp->screma.arrs.at[in]) : -1;
	if (of < 0)
		return add_term(l, x, negative);
	Sub m = l->nest->exp->screma.arrs.at[of];
	return !negative && is_used_once(l->p, x) &&
	       is_used_once(l->p, sub_var(f->params.at[of])) && is_outside(l, m) &&
	       look_at_matrix(l->p, l->o, m, l->turned, l->depth + 1);
}

static bool look_at_matrix(OuterPlan *p, Outer *o, Sub m, bool turned, int depth)
{
	const Exp *l = p->loop->exp;
	if (m.kind != S_VAR || depth > DEEPEST || !is_used_once(p, m))
		return false;
	if (sub_eq(m, sub_var(l->loop.params.at[o->k]))) {
		bool first = !o->has_base;
		o->has_base = true;
		return first && !turned;
	}
	const Stm *s = stm_in(p->body, m);
	if (!s || sub_type(m).dims.len != 2)
		return false;
	if (s->exp->form == E_rearrange)
		return s->exp->rearrange.perm.at[0] == 1 &&
		       look_at_matrix(p, o, s->exp->rearrange.arr, !turned, depth + 1);
	int which = vars_find(s->pat, m);
	const Stm *nest = nest_of(s, &which);
	if (!nest || which < n_first(nest->exp) || !is_used_once(p, sub_var(nest->pat.at[which])))
		return false;
	const Body *fb = &nest->exp->screma.map->body;
	Sub row = fb->res.at[which];
	const Stm *inner = stm_in(fb, row);
	if (!inner || inner->exp->form != E_screma || !is_used_once(p, row))
		return false;
	int at = vars_find(inner->pat, row);
	if (at < n_first(inner->exp))
		return false;
	Look look = {p, o, s, nest, inner, turned, depth};
	return look_at_element(&look, inner->exp->screma.map->body.res.at[at], false);
}

// ---- Rows of logs ----

static void find_source(const OuterPlan *p, Vector *v)
{
	const Stm *s = v->array.kind == S_VAR ? stm_in(p->body, v->array) : NULL;
	if (!s || s->exp->form != E_slice)
		return;
	Slices at = s->exp->slice.at;
	Sub arr = s->exp->slice.arr;
	Subs dims = sub_type(arr).dims;
	if (at.len != 2 || !at.at[0].fixed || !is_row_of_loop(p->defs, p->loop, at.at[0].start) ||
	    loop_binds(p->loop->exp, arr) || !sub_eq(dims.at[0], p->loop->exp->loop.n) ||
	    !is_whole_dim(at.at[1], dims.at[1]))
		return;
	v->all = arr;
	v->at = at.at[0].start;
}

static bool has_log(const Vector *v)
{
	return v->all.kind == S_VAR;
}

static bool has_room(const OuterPlan *p, Sub size)
{
	Vars free = free_in_stm(p->loop);
	free = vars_cat(free, p->loop->exp->loop.params);
	for EACH(Var, v, free) {
		Type t = vars[v->id].type;
		bool has = false;
		for (int d = 1; t.kind == T_DATA && d < t.dims.len; d++)
			has |= sub_eq(t.dims.at[d], size);
		if (has && sub_eq(t.dims.at[0], p->loop->exp->loop.n))
			return true;
	}
	return false;
}

// Where the number of the row is known when the vector is there, or made: at the end.
static bool may_log(const OuterPlan *p, const Vector *v, Sub at)
{
	int made = -1, known = -1;
	for (int i = 0; i < p->body->stms.len; i++) {
		Vars pat = p->body->stms.at[i].pat;
		if (v->array.kind == S_VAR ? vars_find(pat, v->array) >= 0
		                           : &p->body->stms.at[i] == v->stm)
			made = i;
		if (vars_find(pat, at) >= 0)
			known = i;
	}
	return known <= made;
}

static bool finish_term(const OuterPlan *p, Term *t)
{
	for (int i = 0; i < 2; i++)
		find_source(p, &t->of[i]);
	Sub at = has_log(&t->of[0])   ? t->of[0].at
	         : has_log(&t->of[1]) ? t->of[1].at
	                              : sub_var(p->loop->exp->loop.i);
	for (int i = 0; i < 2; i++)
		if (!has_log(&t->of[i]) || !sub_eq(t->of[i].at, at)) {
			t->of[i].all = sub_i64(0);
			t->of[i].at = at;
			if (!may_log(p, &t->of[i], at))
				return false;
		}
	return true;
}

static bool is_outer_sum(OuterPlan *p, int k, Outer *o)
{
	const Exp *l = p->loop->exp;
	Type t = vars[l->loop.params.at[k].id].type;
	*o = (Outer){.k = k};
	if (t.kind != T_DATA || t.dims.len != 2 || !is_float(t.elem) ||
	    t.dims.at[0].kind != S_VAR || t.dims.at[1].kind != S_VAR ||
	    loop_binds(l, t.dims.at[0]) || loop_binds(l, t.dims.at[1]) ||
	    !look_at_matrix(p, o, l->loop.body.res.at[k], false, 0) || !o->has_base || !o->n)
		return false;
	for (int i = 0; i < o->n; i++) {
		if (!finish_term(p, &o->terms[i]))
			return false;
		for (int d = 0; d < 2; d++)
			if (!has_log(&o->terms[i].of[d]) && !has_room(p, t.dims.at[d]))
				return false;
	}
	return true;
}

// ---- The new loop ----

static Sub product_of(Build *b, const Vector *v)
{
	Sub x = v->factors.at[0];
	for (int i = 1; i < v->factors.len; i++)
		x = b_mul(b, x, v->factors.at[i]);
	return v->negative ? b_prim1(b, P_neg, x) : x;
}

// The nest with one more result.
static Stm with_vector(Build *b, const Stm *nest, Vector *v)
{
	Stm t = *nest;
	t.exp = exp_dup(nest->exp);
	Lambda *f = t.exp->screma.map = mem_dup(t.exp->screma.map, sizeof *f);
	b_open(b);
	b_emit_all(b, f->body.stms);
	Sub x = product_of(b, v);
	f->body = b_close(b, f->body.res);
	Type elem = sub_type(x);
	Var out = var_new(name_of("factor"), type_of_rows(t.exp->screma.n, elem));
	INSERTED(Subs, Sub, f->body.res, f->body.res.len, x);
	INSERTED(Types, Type, f->ret, f->ret.len, elem);
	INSERTED(Vars, Var, t.pat, t.pat.len, out);
	v->array = sub_var(out);
	return t;
}

static Stm with_vectors(OuterPlan *p, Build *b, const Stm *s)
{
	Stm t = *s;
	for EACH(Outer, o, p->outers)
		for (int i = 0; i < 2 * o->n; i++) {
			Vector *v = &o->terms[i / 2].of[i % 2];
			if (v->stm != s || v->array.kind == S_VAR)
				continue;
			if (s->exp->form == E_screma) {
				t = with_vector(b, &t, v);
				continue;
			}
			t.exp = exp_dup(t.exp);
			Lambda *fn = t.exp->withacc.fn = mem_dup(t.exp->withacc.fn, sizeof *fn);
			Stms stms = {NEW_ARRAY(Stm, fn->body.stms.len), 0};
			for EACH(Stm, u, fn->body.stms) {
				bool here = u->pat.len && u->pat.at[0].id == v->nest->pat.at[0].id;
				stms.at[stms.len++] = here ? with_vector(b, u, v) : *u;
			}
			fn->body.stms = stms;
			Type type = sub_type(v->array);
			Var out = var_new(name_of("factor"), type);
			INSERTED(Subs, Sub, fn->body.res, fn->body.res.len, v->array);
			INSERTED(Types, Type, fn->ret, fn->ret.len, type);
			INSERTED(Vars, Var, t.pat, t.pat.len, out);
			v->array = sub_var(out);
		}
	return t;
}

typedef struct { Sub array, at; Var param, end; Sub now; bool done; } Log;
typedef VEC(Log) Logs;

static bool is_bound(const OuterPlan *p, const Map *seen, Sub x)
{
	return x.kind != S_VAR || map_has(seen, var_key(x.var)) || !loop_binds(p->loop->exp, x);
}

// Keeps what is there by now.
static void emit_logs(OuterPlan *p, Build *b, Logs *logs, const Map *seen)
{
	for EACH(Outer, o, p->outers)
		for (int i = 0; i < 2 * o->n; i++) {
			Vector *v = &o->terms[i / 2].of[i % 2];
			if (has_log(v) || v->log.kind == S_VAR || v->array.kind != S_VAR ||
			    !is_bound(p, seen, v->array) || !is_bound(p, seen, v->at))
				continue;
			for EACH(Log, l, *logs)
				if (sub_eq(l->array, v->array) && sub_eq(l->at, v->at))
					v->log = sub_var(l->end);
			if (v->log.kind == S_VAR)
				continue;
			Type t = type_plain(type_of_rows(p->loop->exp->loop.n,
			                                 sub_type(v->array)));
			Log l = {.array = v->array, .at = v->at};
			l.end = var_new(name_of("log"), t);
			t.unique = true;
			l.param = var_new(name_of("log"), t);
			Subs dims = sub_type(v->array).dims;
			l.now = b_update(b, sub_var(l.param), slices_at(subs_of(1, v->at), dims),
			                 v->array);
			VEC_PUSH(logs, l);
			v->log = sub_var(l.end);
		}
}

static bool is_summed(const OuterPlan *p, int k)
{
	for EACH(const Outer, o, p->outers)
		if (o->k == k)
			return true;
	return false;
}

static void emit_loop(OuterPlan *p, Build *b)
{
	const Exp *l = p->loop->exp;
	Exp *e = exp_dup(l);
	VEC(Var) params = {0};
	VEC(Var) pat = {0};
	SubVec inits = {0}, res = {0};
	Logs logs = {0};
	Map seen = {0};
	b_open(b);
	vars_put(&seen, l->loop.params, p);
	vars_put(&seen, vars_of(1, l->loop.i), p);
	for (int k = 0; k < l->loop.params.len; k++) {
		Var x = l->loop.params.at[k];
		if (is_summed(p, k)) {
			Type t = type_plain(vars[x.id].type);
			Sub zeros = b_replicate(b, t.dims.at[1], sub_zero(t.elem));
			b_name(b, x, b_replicate(b, t.dims.at[0], zeros));
			continue;
		}
		VEC_PUSH(&params, x);
		VEC_PUSH(&pat, p->loop->pat.at[k]);
		VEC_PUSH(&inits, l->loop.inits.at[k]);
		VEC_PUSH(&res, l->loop.body.res.at[k]);
	}
	emit_logs(p, b, &logs, &seen);
	for EACH(const Stm, s, p->body->stms) {
		Stm t = with_vectors(p, b, s);
		b_emit(b, t);
		vars_put(&seen, t.pat, p);
		emit_logs(p, b, &logs, &seen);
	}
	for EACH(Log, k, logs) {
		VEC_PUSH(&params, k->param);
		VEC_PUSH(&pat, k->end);
		VEC_PUSH(&res, k->now);
	}
	e->loop.body = b_close(b, VEC_SLICE(Subs, res));
	for EACH(Log, k, logs)
		VEC_PUSH(&inits, b_scratch(b, "log", vars[k->end.id].type));
	e->loop.params = VEC_SLICE(Vars, params);
	e->loop.inits = VEC_SLICE(Subs, inits);
	Stm out = *p->loop;
	out.pat = VEC_SLICE(Vars, pat);
	out.exp = e;
	b_emit(b, out);
}

// ---- The product ----

static Vars params_of_rows(Subs arrs)
{
	Vars out = {NEW_ARRAY(Var, arrs.len), arrs.len};
	for (int i = 0; i < arrs.len; i++)
		out.at[i] = var_new(name_of("x"), type_plain(type_row(sub_type(arrs.at[i]))));
	return out;
}

static Sub dot(Build *b, Sub n, Sub x, Sub y)
{
	PrimType t = sub_type(x).elem;
	Lambda *f = b_operator(b, P_mul, t), *add = b_operator(b, P_add, t);
	Reductions reds = {NEW(Reduction, add, subs_of(1, sub_zero(t)), true), 1};
	return b_let(b, "sum", type_scalar(t), EXP(screma, .n = n, .arrs = subs_of(2, x, y),
	                                           .map = f, .reds = reds));
}

static void emit_product(OuterPlan *p, Build *b, const Outer *o)
{
	static const int turn[] = {1, 0};
	const Exp *l = p->loop->exp;
	Type t = type_plain(vars[l->loop.params.at[o->k].id].type);
	Subs arrs[2] = {subs_of(1, l->loop.inits.at[o->k]), {0}};
	for (int i = 0; i < 2 * o->n; i++) {
		const Vector *v = &o->terms[i / 2].of[i % 2];
		Sub log = b_rearrange(b, turn, has_log(v) ? v->all : v->log);
		arrs[i % 2] = subs_cat(arrs[i % 2], subs_of(1, log));
	}
	Vars rows = params_of_rows(arrs[0]);
	b_open(b);
	Subs inner = subs_cat(subs_of(1, sub_var(rows.at[0])), arrs[1]);
	Vars columns = params_of_rows(inner);
	b_open(b);
	Sub x = sub_var(columns.at[0]);
	for (int i = 0; i < o->n; i++)
		x = b_add(b, x, dot(b, l->loop.n, sub_var(rows.at[i + 1]),
		                    sub_var(columns.at[i + 1])));
	Lambda *g = b_lambda(b, columns, subs_of(1, x));
	Sub row = b_map(b, t.dims.at[1], inner, g).at[0];
	Lambda *f = b_lambda(b, rows, subs_of(1, row));
	b_stm(b, vars_of(1, p->loop->pat.at[o->k]),
	      EXP(screma, .n = t.dims.at[0], .arrs = arrs[0], .map = f));
}

bool batch_outer_loop(const Map *defs, Build *b, const Stm *loop)
{
	const Exp *l = loop->exp;
	OuterPlan p = {.defs = defs, .loop = loop, .body = &l->loop.body};
	if (l->loop.is_while || sub_type(l->loop.n).elem != PT_I64 || is_device_loop(loop->attrs))
		return false;
	body_walk(p.body, &(Visit){.sub = count_operand, .ctx = &p.uses});
	for (int k = 0; k < l->loop.params.len; k++) {
		Outer o;
		if (is_outer_sum(&p, k, &o))
			VEC_PUSH(&p.outers, o);
	}
	if (!p.outers.len || !may_rewrite())
		return false;
	emit_loop(&p, b);
	for EACH(const Outer, o, p.outers)
		emit_product(&p, b, o);
	return true;
}
