// The pass `sink_maps`: fuses maps into the scattered sums that alone read what they make.
//
//     let (ys: [n]f64) = screma n (xs, ws) map=f
//     let (as: [m]f64) = withacc input=[m] (zeros) (0.0) op
//       fn=\t acc -> screma n (ys, is, acc) map=\y i a -> upd_acc a [i] (y)
// becomes
//     let (as: [m]f64) = withacc input=[m] (zeros) (0.0) op
//       fn=\t acc -> screma n (xs, ws, is, acc) map=\x w i a -> y = f x w;  upd_acc a [i] (y)
//
// Adjoints of what rows gather are such sums: of sparse matrices, graphs, embeddings.  Fusion does
// not look into a withacc, as sums whose places are known become reductions, in nests of their own
// that would compute the map again.  What is left adds at places that only the data know, one
// kernel for all rows: a map before it is another kernel, which writes what this one reads.
//
// Requires: the SOAC stage, after what makes reductions of accumulations.  Ensures nothing that
// other passes rely on.
#include "opt/acc.h"
#include "opt/order.h"

typedef struct {
	Order o;
	Map made;                               // variable -> Node *: the map that gives it
	Map counts;                             // arrays that count rows
} SinkMaps;

// ---- Which sums ----

// Do the data say what x is, and not only the number of the row?
static bool is_of_data(const SinkMaps *s, const Exp *nest, Sub x, int depth)
{
	enum { DEEPEST = 6 };
	const Lambda *f = nest->screma.map;
	int i = vars_find(f->params, x);
	if (i >= 0)
		return nest->screma.arrs.at[i].kind == S_VAR &&
		       !map_has(&s->counts, var_key(nest->screma.arrs.at[i].var));
	const Exp *e = def_in(&f->body, x);
	if (!e || depth == DEEPEST)
		return false;
	if (e->form == E_index)
		for EACH(Sub, k, e->index.idx)
			if (is_of_data(s, nest, *k, depth + 1))
				return true;
	if (e->form == E_convert || e->form == E_atom)
		return is_of_data(s, nest, e->form == E_atom ? e->atom.x : e->convert.x, depth + 1);
	for (int k = 0; e->form == E_prim && k < prim_arity(e->prim.op); k++)
		if (is_of_data(s, nest, e->prim.x[k], depth + 1))
			return true;
	return false;
}

static bool is_scattered(const SinkMaps *s, const Exp *nest, const Body *b, int *updates)
{
	for EACH(const Stm, t, b->stms) {
		const Exp *e = t->exp;
		if (e->form == E_if_) {
			if (!is_scattered(s, nest, &e->if_.yes, updates) ||
			    !is_scattered(s, nest, &e->if_.no, updates))
				return false;
			continue;
		}
		if (form_has(e->form, FORM_NEST) || e->form == E_call)
			return false;
		if (e->form != E_upd_acc)
			continue;
		bool data = false;
		for EACH(Sub, i, e->upd_acc.idx)
			data |= is_of_data(s, nest, *i, 0);
		if (!data)
			return false;
		++*updates;
	}
	return true;
}

static bool is_scattering(const SinkMaps *s, const Stm *t)
{
	int updates = 0;
	return is_map(t->exp) && is_scattered(s, t->exp, &t->exp->screma.map->body, &updates) &&
	       updates;
}

// ---- Which maps ----

static bool makes_scalars(const Stm *s)
{
	return is_map(s->exp) && !vars_have_acc(s->pat) && computes_scalars(s->exp->screma.map);
}

// Is all that it makes an input of the nest, and of nothing else?
static bool is_for(const SinkMaps *s, const Node *p, const Exp *nest)
{
	for EACH(Var, y, p->stm.pat) {
		int n = 0;
		for EACH(Sub, x, nest->screma.arrs)
			n += sub_eq(*x, sub_var(*y));
		if (!n || s->o.count[y->id] != n)
			return false;
	}
	return true;
}

// May it wait until the accumulation?  Only that needs what it makes.
static bool may_wait(SinkMaps *s, Node **order, Node *p, Node *c, bool **after)
{
	*after = order_between(&s->o, order, p, c);
	if (!*after || order_consumes_read(&s->o, c))
		return false;
	for (int k = 0; k < c->pos - p->pos - 1; k++)
		if ((*after)[k])
			for EACH(Var, y, order[p->pos + 1 + k]->stm.pat)
				for EACH(Var, x, c->uses)
					if (x->id == y->id)
						return false;
	return true;
}

// ---- Fusion ----

static Stm fused(const Stm *map, const Stm *nest)
{
	Stm out = *nest;
	const Exp *m = map->exp;
	Exp *e = out.exp = exp_dup(nest->exp);
	const Lambda *f = m->screma.map, *g = e->screma.map;
	Lambda *both = mem_dup(g, sizeof *g);
	VEC(Var) params = {0};
	SubVec arrs = {0};
	VEC(Stm) stms = {0};
	VEC_APPEND(&params, f->params);
	VEC_APPEND(&arrs, m->screma.arrs);
	VEC_APPEND(&stms, f->body.stms);
	for (int i = 0; i < g->params.len; i++) {
		int k = vars_find(map->pat, e->screma.arrs.at[i]);
		if (k < 0) {
			VEC_PUSH(&params, g->params.at[i]);
			VEC_PUSH(&arrs, e->screma.arrs.at[i]);
			continue;
		}
		Stm is = {.pat = vars_of(1, g->params.at[i]), .where = map->where,
		          .exp = EXP(atom, f->body.res.at[k])};
		VEC_PUSH(&stms, is);
	}
	VEC_APPEND(&stms, g->body.stms);
	both->params = VEC_SLICE(Vars, params);
	both->body.stms = VEC_SLICE(Stms, stms);
	e->screma.map = both;
	e->screma.arrs = VEC_SLICE(Subs, arrs);
	out.certs = vars_united(map->certs, nest->certs);
	out.attrs = attrs_join(map->attrs, nest->attrs);
	return out;
}

// Takes one map into the accumulation, if there is one.
static bool take_in(SinkMaps *s, Node **order, Node *c)
{
	const Body *fn = &c->stm.exp->withacc.fn->body;
	for (int i = 0; i < fn->stms.len; i++) {
		const Stm *nest = &fn->stms.at[i];
		if (nest->exp->form != E_screma || !is_scattering(s, nest))
			continue;
		for EACH(Sub, x, nest->exp->screma.arrs) {
			Node *p = x->kind == S_VAR ? map_get(&s->made, var_key(x->var)) : NULL;
			bool *after;
			if (!p || p->dead || p->pos >= c->pos || p->has_trace || c->has_trace ||
			    !sub_eq(p->stm.exp->screma.n, nest->exp->screma.n) ||
			    !is_for(s, p, nest->exp) || !may_wait(s, order, p, c, &after) ||
			    !may_rewrite())
				continue;
			int from = p->pos, to = c->pos;
			Exp *e = exp_dup(c->stm.exp);
			Lambda *f = e->withacc.fn = mem_dup(e->withacc.fn, sizeof *f);
			f->body.stms = SLICE_DUP(Stms, f->body.stms);
			f->body.stms.at[i] = fused(&p->stm, nest);
			c->stm.exp = e;
			order_take_in(c, p);
			order_merge(order, from, to, after);
			return true;
		}
	}
	return false;
}

// ---- Bodies ----

static void note_counts(SinkMaps *s, const Body *b)
{
	for EACH(const Stm, t, b->stms)
		if (t->exp->form == E_iota)
			map_put(&s->counts, var_key(t->pat.at[0]), s);
}

static bool has_both(const Body *b, void *ctx)
{
	bool maps = false;
	(void)ctx;
	for EACH(const Stm, t, b->stms) {
		if (t->exp->form == E_withacc && maps)
			return true;
		maps |= makes_scalars(t);
	}
	return false;
}

static void sink_body(Visit *v, Body *b)
{
	SinkMaps *s = v->ctx;
	note_counts(s, b);
	if (has_both(b, NULL)) {
		int n = b->stms.len;
		Node **all = order_nodes(&s->o, b->stms);
		Node **order = mem_dup(all, (size_t)n * sizeof *all);
		for (int i = 0; i < n; i++) {
			Node *c = all[i];
			if (makes_scalars(&c->stm))
				for EACH(Var, y, c->stm.pat)
					map_put(&s->made, var_key(*y), c);
			while (c->stm.exp->form == E_withacc && take_in(s, order, c))
				continue;
		}
		b->stms = order_stms(order, n);
	}
	nested_visit(b, v);
}

Prog *sink_maps(Prog *prog)
{
	if (!prog_has_accs(prog))
		return prog;
	Map funs = {0};
	SinkMaps *s = NEW(SinkMaps, .o = order_new(prog));
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = sink_body, .funs = &funs, .copy = true, .ctx = s};
	for EACH(Fun *, f, out->funs) {
		if (!fun_to_rewrite(*f, &funs, has_both, s))
			continue;
		order_fun(&s->o, *f);
		fun_rewrite(*f, &v);
	}
	order_free(&s->o);
	return out;
}
