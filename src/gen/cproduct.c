// Recognises sums of products (matrix products), in any order of loops and indices.
//
//     for i < n                                  const struct rd_axis m[] = {{n, p, r}};
//       for j < p                                const struct rd_axis n[] = {{p, 1, r}};
//         s = 0                           ->     const struct rd_axis k[] = {{r, 1, 1}};
//         for k < r                              rd_product_f32(c, a, b, m, n, k, true);
//           s = s + a[i, k] * b[j, k]
//         c[i, j] = s
//
// Such a loop nest, whether the sum is carried by inner loops or is an element of c, is recognised
// by its loads and stores, whose addresses are affine in the loop counters (core/affine.h).  A
// counter that occurs in the addresses of c and a is a row, one of c and b a column, and one of a
// and b (or of one of them) is summed over; one that occurs in all three is a batch dimension.
// Packing and tiling are done by the run-time (rts/c/product.h).  Each sum is computed in the order
// of the loops, unless that is free (#[reduce]).
//
// Whether packing pays is decided at run time.
#include "gen/cgen.h"

enum { MAX_LEVELS = 8 };

typedef enum { OF_ROWS, OF_COLUMNS, OF_SUM, AROUND } Role;
typedef struct { const Exp *loop; Affine a, b, c; Role role; } Level; // how places change with it

typedef struct {
	Level levels[MAX_LEVELS];
	int n_levels;
	Map inside;                     // what the nest binds: the expression of scalars, or NULL
	Map counters;                   // indices of loops: how often they run
	const Stm *store;
	int store_level;
	const Exp *a, *b;               // loads
	Affine at_a, at_b, at_c;        // places when all indices are 0
	PrimType type;
	bool from_zero, minus, any_order;
} Product;

// ---- What the nest is made of ----

static bool is_inside(const Product *p, Sub x)
{
	return x.kind == S_VAR && map_has(&p->inside, var_key(x.var));
}

static bool gather_body(Product *p, const Body *b);

static bool gather_loop(Product *p, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->loop.is_while || sub_type(e->loop.n).elem != PT_I64 || is_inside(p, e->loop.n) ||
	    p->n_levels == MAX_LEVELS || has_attr(s->attrs, ATTR_REGION) ||
	    has_attr(s->attrs, ATTR_ATOMIC))
		return false;
	p->levels[p->n_levels++] = (Level){.loop = e};
	map_put(&p->inside, var_key(e->loop.i), NULL);
	map_put(&p->counters, var_key(e->loop.i), (void *)&e->loop.n);
	for EACH(Var, v, e->loop.params) {
		if (vars[v->id].type.kind != T_DATA)
			return false;
		map_put(&p->inside, var_key(*v), NULL);
	}
	vars_put(&p->inside, s->pat, NULL);
	return gather_body(p, &e->loop.body);
}

static bool gather_body(Product *p, const Body *b)
{
	int level = p->n_levels;
	bool nested = false;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form == E_loop) {
			if (nested || p->store || !gather_loop(p, s))
				return false;
			nested = true;
		} else if (is_pure_scalar(s)) {
			map_put(&p->inside, var_key(s->pat.at[0]), s->exp);
		} else if (needs_no_code(s)) {
			map_put(&p->inside, var_key(s->pat.at[0]), NULL);
		} else if (s->exp->form == E_update && !p->store &&
		           type_is_scalar(sub_type(s->exp->update.val))) {
			p->store = s;
			p->store_level = level;
		} else {
			return false;
		}
	}
	return true;
}

static const Exp *def_of(const Product *p, Sub x)
{
	const Exp *e = x.kind == S_VAR ? map_get(&p->inside, var_key(x.var)) : NULL;
	return e && e->form == E_atom ? def_of(p, e->atom.x) : e;
}

// ---- The sum ----

static Affine place(const Product *p, Type t, Subs idx)
{
	AffineDefs defs = defs_in_map(&p->inside);
	Affine at = affine_of(defs, t.mem->offset);
	for (int d = 0; d < t.dims.len; d++) {
		Affine step = t.mem->strides.len
			? affine_of(defs, t.mem->strides.at[d])
			: affine_product(defs, subs_part(t.dims, d + 1, t.dims.len - d - 1));
		Affine index = affine_of(defs, idx.at[d]), add = affine_mul(&step, &index);
		affine_add_to(&at, &add, 1);
	}
	return at;
}

static Affine place_of_load(const Product *p, const Exp *e)
{
	return place(p, sub_type(e->index.arr), e->index.idx);
}

static Affine place_of_store(const Product *p)
{
	const Exp *e = p->store->exp;
	Subs idx = {NEW_ARRAY(Sub, e->update.at.len), 0};
	for EACH(DimSlice, d, e->update.at)
		idx.at[idx.len++] = d->start;
	return place(p, sub_type(e->update.arr), idx);
}

static Var block_of(Sub arr)
{
	return sub_type(arr).mem->block;
}

// Does it load what the store replaces?
static bool is_old_element(const Product *p, Sub x)
{
	const Exp *e = def_of(p, x);
	if (!e || e->form != E_index ||
	    block_of(e->index.arr).id != block_of(p->store->exp->update.arr).id)
		return false;
	Affine at = place_of_load(p, e), to = place_of_store(p);
	return affine_same(&at, &to);
}

// acc + a * b, a * b + acc, acc - a * b; gives acc.
static bool is_term(Product *p, const Exp *sum, Sub *acc)
{
	if (!sum || sum->form != E_prim || (sum->prim.op != P_add && sum->prim.op != P_sub))
		return false;
	for (int k = 1; k >= (sum->prim.op == P_sub); k--) {
		const Exp *e = def_of(p, sum->prim.x[k]);
		if (!e || e->form != E_prim || e->prim.op != P_mul)
			continue;
		const Exp *a = def_of(p, e->prim.x[0]), *b = def_of(p, e->prim.x[1]);
		if (!a || !b || a->form != E_index || b->form != E_index)
			continue;
		p->a = a;
		p->b = b;
		p->type = sum->prim.at;
		p->minus = sum->prim.op == P_sub;
		*acc = sum->prim.x[1 - k];
		return true;
	}
	return false;
}

static bool is_reduction(const Body *b, Sub x)
{
	const Stm *s = stm_in(b, x);
	return s && has_attr(s->attrs, ATTR_REDUCE);
}

// The sum as a value that the loops inside of the store's level carry along.
static bool is_carried(Product *p)
{
	int last = p->n_levels - 1;
	Sub init = {0};
	for (int l = p->store_level; l <= last; l++) {
		const Exp *e = p->levels[l].loop;
		const Body *b = &e->loop.body;
		if (e->loop.params.len != 1 || b->res.len != 1)
			return false;
		Sub param = sub_var(e->loop.params.at[0]), acc;
		if (l == p->store_level)
			init = e->loop.inits.at[0];
		if (l == last)
			return is_term(p, def_of(p, b->res.at[0]), &acc) && sub_eq(acc, param) &&
			       (p->any_order = is_reduction(b, b->res.at[0]), true) &&
			       ((p->from_zero = init.kind == S_CONST && init.val.f == 0) ||
			        is_old_element(p, init));
		const Exp *next = p->levels[l + 1].loop;
		const Stm *inner = stm_in(b, b->res.at[0]);
		if (!inner || inner->exp != next || next->loop.inits.len != 1 ||
		    !sub_eq(next->loop.inits.at[0], param))
			return false;
	}
	return false;
}

// The statement that gives what is stored is a loop: the one inside.
static bool stores_result(const Product *p)
{
	const Body *b = &p->levels[p->store_level - 1].loop->loop.body;
	const Stm *s = stm_in(b, p->store->exp->update.val);
	return p->store_level < p->n_levels && s && s->exp == p->levels[p->store_level].loop;
}

// The sum as an element that is loaded and stored again each time.
static bool is_stored(Product *p)
{
	const Body *b = &p->levels[p->n_levels - 1].loop->loop.body;
	Sub val = p->store->exp->update.val, acc;
	p->any_order = is_reduction(b, val);
	return p->store_level == p->n_levels && is_term(p, def_of(p, val), &acc) &&
	       is_old_element(p, acc);
}

// ---- Indices ----

static bool mentions_inside(const Product *p, const Affine *x)
{
	return x->bad || affine_any_in(x, &p->inside);
}

// How a place changes with each level, and what is left.
static bool split_place(Product *p, Affine *at, size_t member)
{
	for (int l = 0; l < p->n_levels; l++) {
		Affine *step = (Affine *)((char *)&p->levels[l] + member), rest;
		if (at->bad || !affine_split(at, p->levels[l].loop->loop.i, step, &rest) ||
		    mentions_inside(p, step))
			return false;
		*at = rest;
	}
	return !mentions_inside(p, at);
}

static bool moves(const Affine *step)
{
	return step->n || step->c;
}

static int n_of(const Product *p, Role role)
{
	int n = 0;
	for (int l = 0; l < p->n_levels; l++)
		n += p->levels[l].role == role;
	return n;
}

static void set_roles(Product *p)
{
	for (int l = 0; l < p->n_levels; l++) {
		Level *v = &p->levels[l];
		v->role = !moves(&v->c) ? OF_SUM : moves(&v->a) == moves(&v->b) ? AROUND
		        : moves(&v->a) ? OF_ROWS : OF_COLUMNS;
	}
}

// Rows and columns change places, so that elements of a row of c lie side by side.
static void turn(Product *p)
{
	bool lies = false;
	for (int l = 0; l < p->n_levels; l++)
		lies |= p->levels[l].role == OF_ROWS && affine_is(&p->levels[l].c, 1);
	if (!lies)
		return;
	const Exp *a = p->a;
	Affine at = p->at_a;
	p->a = p->b;
	p->at_a = p->at_b;
	p->b = a;
	p->at_b = at;
	for (int l = 0; l < p->n_levels; l++) {
		Level *v = &p->levels[l];
		Affine step = v->a;
		v->a = v->b;
		v->b = step;
		v->role = v->role == OF_ROWS ? OF_COLUMNS : v->role == OF_COLUMNS ? OF_ROWS
		        : v->role;
	}
}

static void note_size(Map *sizes, Sub n)
{
	if (n.kind == S_VAR)
		map_put(sizes, var_key(n.var), sizes);
}

// Do the rows and columns have elements of their own?  Loops that store each at their own index do;
// of others, some are done around the rest until it is so.
static bool has_own_elements(Product *p)
{
	Map sizes = {0};
	for (int l = 0; l < p->n_levels; l++)
		note_size(&sizes, p->levels[l].loop->loop.n);
	for EACH(Sub, n, sub_type(p->store->exp->update.arr).dims)
		note_size(&sizes, *n);
	AffineFacts facts = {.defs = defs_in_map(&p->inside), .sizes = &sizes,
	                     .counters = &p->counters};
	for (;;) {
		VEC(Var) indices = {0};
		Affine at = affine_const(0);
		int inner = -1;
		int64_t n_inner = 0;
		for (int l = 0; l < p->n_levels; l++) {
			Level *v = &p->levels[l];
			if (v->role != OF_ROWS && v->role != OF_COLUMNS)
				continue;
			Affine i = affine_var(v->loop->loop.i), add = affine_mul(&v->c, &i);
			affine_add_to(&at, &add, 1);
			VEC_PUSH(&indices, v->loop->loop.i);
			Sub n = v->loop->loop.n;
			if (n.kind == S_CONST && (inner < 0 || n.val.i < n_inner)) {
				inner = l;
				n_inner = n.val.i;
			}
		}
		if (affine_injective(&facts, &at, VEC_SLICE(Vars, indices)))
			return true;
		if (inner < 0 || !p->any_order)
			return false;
		p->levels[inner].role = AROUND;
	}
}

static double known_work(const Product *p)
{
	double work = 1;
	for (int l = 0; l < p->n_levels; l++) {
		Sub n = p->levels[l].loop->loop.n;
		if (n.kind != S_CONST)
			return threshold(AT_product_work);
		if (p->levels[l].role != AROUND)
			work *= (double)n.val.i;
	}
	return work;
}

// Do the loops around the store carry arrays alone?
static bool carries_arrays(const Product *p)
{
	for (int l = 0; l < p->store_level; l++)
		for EACH(Var, v, p->levels[l].loop->loop.params)
			if (type_is_scalar(vars[v->id].type))
				return false;
	return true;
}

static bool find_product(Gen *g, const Stm *s, Product *p)
{
	if (g->target != ON_CPU || g->counting || g->plain || g->rows.in_rows || g->rows.lane)
		return false;
	*p = (Product){0};
	if (!gather_loop(p, s) || !p->store || p->store->exp->update.at.len == 0 ||
	    !carries_arrays(p))
		return false;
	bool carried = stores_result(p) && is_carried(p);
	if ((!carried && !is_stored(p)) || (p->type != PT_F32 && p->type != PT_F64))
		return false;
	uint32_t block = block_of(p->store->exp->update.arr).id;
	if (block_of(p->a->index.arr).id == block || block_of(p->b->index.arr).id == block)
		return false;
	p->at_a = place_of_load(p, p->a);
	p->at_b = place_of_load(p, p->b);
	p->at_c = place_of_store(p);
	if (!split_place(p, &p->at_a, offsetof(Level, a)) ||
	    !split_place(p, &p->at_b, offsetof(Level, b)) ||
	    !split_place(p, &p->at_c, offsetof(Level, c)))
		return false;
	set_roles(p);
	turn(p);
	return (carried || has_own_elements(p)) && n_of(p, OF_ROWS) && n_of(p, OF_COLUMNS) &&
	       n_of(p, OF_SUM) && known_work(p) >= threshold(AT_product_work);
}

// ---- The call ----

static CExp term_exp(Gen *g, const AffineTerm *t)
{
	CExp x = operand(g, sub_var(t->v[0]));
	for (int k = 1; k < AFFINE_DEGREE && t->v[k].id; k++)
		x = index_product(x, operand(g, sub_var(t->v[k])));
	return x;
}

static CExp affine_exp(Gen *g, const Affine *a)
{
	CExp sum = x_int(a->c);
	for (int i = 0; i < a->n; i++) {
		CExp k = x_int(a->t[i].k);
		CExp x = index_product(term_exp(g, &a->t[i]), k);
		sum = i || a->c ? index_sum(sum, x) : x;
	}
	return sum;
}

static CExp write_axes(Gen *g, const Product *p, Role role, const char *hint)
{
	VEC(CExp) all = {0};
	for (int l = 0; l < p->n_levels; l++) {
		const Level *v = &p->levels[l];
		if (v->role != role)
			continue;
		const Affine *first = role == OF_SUM ? &v->a : &v->c;
		const Affine *second = role == OF_ROWS ? &v->a : &v->b;
		CExp n = operand(g, v->loop->loop.n), x = affine_exp(g, first);
		VEC_PUSH(&all, x_list(x_args(n, x, affine_exp(g, second))));
	}
	const char *name = fresh_name(g, hint), *axes = fresh_name(g, hint);
	s_array(g->c, "const struct rd_axis", name, NULL, x_list(VEC_SLICE(CExps, all)));
	s_declare(g->c, "const struct rd_axes", axes, x_list(x_args(x_int(all.len), x_name(name))));
	return x_name(axes);
}

// Where a load or store begins, with the levels around.
static CExp start(Gen *g, const Product *p, Var block, Affine at, size_t member)
{
	for (int l = 0; l < p->n_levels; l++)
		if (p->levels[l].role == AROUND) {
			Affine i = affine_var(p->levels[l].loop->loop.i);
			Affine *step = (Affine *)((char *)&p->levels[l] + member);
			Affine add = affine_mul(step, &i);
			affine_add_to(&at, &add, 1);
		}
	return x_address(x_index(x_name(block_pointer(g, block)), affine_exp(g, &at)));
}

static CExp truth(bool yes)
{
	return x_const(yes ? "true" : "false");
}

bool gen_product(Gen *g, const Stm *s)
{
	Product p;
	if (!find_product(g, s, &p))
		return false;
	const char *product = text("rd_product_%s", primtype_name[p.type]);
	rts_use(g->rts, product);
	if (p.minus)
		rts_use(g->rts, "product_minus");
	CExp m = write_axes(g, &p, OF_ROWS, "rows"), n = write_axes(g, &p, OF_COLUMNS, "columns"),
	     k = write_axes(g, &p, OF_SUM, "sum");
	for (int l = 0; l < p.n_levels; l++)
		if (p.levels[l].role == AROUND) {
			const Exp *e = p.levels[l].loop;
			const char *i = fresh_name(g, vars[e->loop.i.id].hint);
			for_each(g, i, operand(g, e->loop.n));
			show_as(g, e->loop.i, x_name(i));
		}
	CExp c = start(g, &p, block_of(p.store->exp->update.arr), p.at_c, offsetof(Level, c)),
	     a = start(g, &p, block_of(p.a->index.arr), p.at_a, offsetof(Level, a)),
	     b = start(g, &p, block_of(p.b->index.arr), p.at_b, offsetof(Level, b));
	s_do(g->c, x_call(product, x_quote("$1->cancel", ctx(g)), c, a, b, m, n, k,
	                  truth(p.from_zero), truth(p.minus), truth(p.any_order)));
	ask_to_stop(g);
	for (int l = 0; l < p.n_levels; l++)
		if (p.levels[l].role == AROUND)
			s_close(g->c);
	return true;
}
