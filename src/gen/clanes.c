// Loops over loops, several iterations of the outer ones at once.
//
// A parallel loop whose iterations each run an inner loop, with few values carried along, is
// written for several iterations at a time, its lanes, which share the head of the inner loop.
// Variables become small arrays with an element for each lane:
//
//     for j < m                         for (; j < m - m % 16; j += 16) {
//       s = 0                               double s[16];
//       for k < n                           for (int l = 0; l < 16; l++)
//         s = s + a[k] * b[k, j]    ->          s[l] = 0.0;
//       c[j] = s                            for (int64_t k = 0; k < n; k++)
//                                               for (int l = 0; l < 16; l++)
//                                                   s[l] = s[l] + a[k] * b[k * m + j + l];
//                                           for (int l = 0; l < 16; l++)
//                                               c[j + l] = s[l];
//                                       }
//
// Compilers turn the loops over lanes into a few vector instructions and keep the arrays in
// registers.  The order of operations within an iteration stays as it is.  This pays where memory is
// read at consecutive places in consecutive iterations, or at the same: any other access in
// an inner loop rules it out.  The remaining iterations follow one by one.
//
// When such a loop is all that another parallel loop does, and what it reads along the lanes is
// the same in all iterations of that, four of those, the rows, are done together: the text
// for the lanes is repeated for each row.  That is a product of matrices, in tiles of four rows.
#include "gen/cgen.h"

#include "mem/mem.h"
#include "par/par.h"

enum { ROWS = 4, MAX_STMS = 40, MAX_PARAMS = 4 };

// ---- Which loops ----

// How an index changes with that of a loop: not at all, by one, or in another way.
enum { STAYS, BY_ONE, OTHERWISE };

typedef struct {
	Gen *g;
	Var j;                          // the loop's index
	Map rates;                      // of variables bound inside: one of the above
	int n_stms, n_params, n_loops, n_loads;
	bool wide;                      // there are values of 64 bits
	bool shares;                    // something is loaded that does not change with the index
} Search;

static const void *key(Var v)
{
	return (const void *)(uintptr_t)(v.id + 1);
}

static int rate(const Search *s, Sub x)
{
	return x.kind == S_CONST ? STAYS : (int)(uintptr_t)map_get(&s->rates, key(x.var));
}

static void set_rate(Search *s, Var v, int r)
{
	map_put(&s->rates, key(v), (void *)(uintptr_t)r);
}

static bool is_bound_inside(const Search *s, Sub x)
{
	return x.kind == S_VAR && map_has(&s->rates, key(x.var));
}

static int sum_of_rates(int x, int y)
{
	return x + y > BY_ONE ? OTHERWISE : x + y;
}

static int rate_of_place(const Search *s, Type t, const Subs *idx)
{
	int r = rate(s, t.mem->offset);
	const Subs *strides = &t.mem->strides;
	for (int d = 0; d < t.dims.len; d++) {
		int of_index = rate(s, idx->at[d]);
		bool unit = strides->len ? sub_eq(strides->at[d], sub_i64(1)) : d == t.dims.len - 1;
		r = sum_of_rates(r, of_index == STAYS || unit ? of_index : OTHERWISE);
	}
	return r;
}

typedef struct { const Search *search; int most; } MostRate;

static void note_rate(Visit *v, Sub *x)
{
	MostRate *m = v->ctx;
	int r = rate(m->search, *x);
	m->most = r > m->most ? r : m->most;
}

// Anything but a sum that depends on the index depends on it in another way.
static int rate_of_exp(const Search *s, const Exp *e)
{
	if (e->form == E_atom)
		return rate(s, e->atom.x);
	bool sum = e->form == E_prim && e->prim.op == P_add;
	bool difference = e->form == E_prim && e->prim.op == P_sub && rate(s, e->prim.x[1]) == STAYS;
	if (sum || difference)
		return sum_of_rates(rate(s, e->prim.x[0]), rate(s, e->prim.x[1]));
	MostRate m = {s, STAYS};
	Visit v = {.sub = note_rate, .ctx = &m};
	exp_visit((Exp *)e, &v); // a walk: writes nothing
	return m.most == STAYS ? STAYS : OTHERWISE;
}

static bool needs_no_code(const Stm *s)
{
	switch (s->exp->form) {
	case E_slice: case E_reshape: case E_rearrange: case E_scratch:
		return true;
	case E_atom:
		return vars[s->pat.at[0].id].type.mem;
	case E_update:
		return stm_is_in_place(s);
	default: // scalars, stores, control
		return false;
	}
}

static bool suits(Search *s, const Stm *stm, bool inner);

// The number of iterations is the same for all, and only scalars are carried along.
static bool suits_loop(Search *s, const Exp *e)
{
	if (e->loop.is_while || is_bound_inside(s, e->loop.n))
		return false;
	for EACH(Var, p, e->loop.params) {
		PrimType t = vars[p->id].type.elem;
		if (!type_is_scalar(vars[p->id].type))
			return false;
		s->n_params += is_needed(s->g, *p);
		s->wide |= primtype_size(t) == 8;
		set_rate(s, *p, OTHERWISE);
	}
	set_rate(s, e->loop.i, STAYS);
	for EACH(Stm, stm, e->loop.body.stms)
		if (!suits(s, stm, true))
			return false;
	s->n_loops++;
	return true;
}

static bool suits_load(Search *s, const Exp *e)
{
	int r = rate_of_place(s, sub_type(e->index.arr), &e->index.idx);
	s->n_loads++;
	s->shares |= r == STAYS;
	return r != OTHERWISE;
}

static bool suits(Search *s, const Stm *stm, bool inner)
{
	const Exp *e = stm->exp;
	if (needs_no_code(stm))
		return true;
	s->n_stms++;
	if (e->form == E_loop) {
		for EACH(Var, v, stm->pat)
			set_rate(s, *v, OTHERWISE);
		return suits_loop(s, e);
	}
	if (!is_pure_scalar(stm) || (inner && e->form == E_index && !suits_load(s, e)))
		return false;
	set_rate(s, stm->pat.at[0], rate_of_exp(s, e));
	return true;
}

// Is this array what an update in place puts at index j?  Then making it stores there.
static bool is_row_of_result(const Body *b, Var array, Var j)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_update && stm_is_in_place(s) && sub_eq(e->update.val, sub_var(array)))
			return e->update.at.at[0].fixed && sub_eq(e->update.at.at[0].start, sub_var(j));
	}
	return false;
}

static bool suits_outer(Search *s, const Body *b, const Stm *stm)
{
	const Exp *e = stm->exp;
	if (e->form == E_array)
		return is_row_of_result(b, stm->pat.at[0], s->j);
	if (e->form != E_update || stm_is_in_place(stm))
		return suits(s, stm, false);
	const DimSlice *first = &e->update.at.at[0];
	return first->fixed && sub_eq(first->start, sub_var(s->j)) &&
	       type_is_scalar(sub_type(e->update.val));
}

static bool is_parallel(const Stm *stm)
{
	const Exp *e = stm->exp;
	if (e->form != E_loop || e->loop.is_while || sub_type(e->loop.n).elem != PT_I64 ||
	    !has_attr(stm->attrs, ATTR_PARALLEL))
		return false;
	for EACH(Var, p, e->loop.params)
		if (!vars[p->id].type.mem)
			return false;
	return true;
}

// How many lanes a loop has; 0: it is not for this.
static int lanes_for(Gen *g, const Stm *stm)
{
	const Exp *e = stm->exp;
	if (g->counting || g->plain || g->lane || !is_parallel(stm))
		return 0;
	Search s = {.g = g, .j = e->loop.i};
	set_rate(&s, s.j, BY_ONE);
	for EACH(Stm, inner, e->loop.body.stms)
		if (!suits_outer(&s, &e->loop.body, inner))
			return 0;
	if (s.n_loops == 0 || s.n_stms > MAX_STMS || s.n_params > MAX_PARAMS)
		return 0;
	// A sum alone is as fast as memory: long runs of consecutive elements help that.
	bool sum = s.n_loops == 1 && s.n_loads == 1 && s.n_stms <= 3;
	int n = sum ? 64 : s.n_params > 1 ? 8 : 16;
	n *= s.wide ? 1 : 2;
	return e->loop.n.kind == S_CONST && e->loop.n.val.i < n ? 0 : n;
}

// The loop that is all this loop does, besides computing scalars; NULL: there is none.
static const Stm *only_loop(const Exp *e)
{
	const Stm *found = NULL;
	for EACH(Stm, s, e->loop.body.stms) {
		if (s->exp->form == E_loop && !found)
			found = s;
		else if (!needs_no_code(s) && (found || !is_pure_scalar(s)))
			return NULL;
	}
	return found;
}

// Notes what the statements of a body load that does not change with the search's index.
static void look_for_shared(Search *s, const Body *b)
{
	for EACH(Stm, stm, b->stms) {
		const Exp *e = stm->exp;
		if (e->form == E_loop) {
			set_rate(s, e->loop.i, STAYS);
			look_for_shared(s, &e->loop.body);
		} else if (is_pure_scalar(stm)) {
			s->shares |= e->form == E_index &&
			             rate_of_place(s, sub_type(e->index.arr), &e->index.idx) == STAYS;
			set_rate(s, stm->pat.at[0], rate_of_exp(s, e));
		}
	}
}

// The loop in lanes that this loop can do for several rows; NULL: there is none.
static const Stm *lanes_in_rows(Gen *g, const Stm *stm)
{
	const Exp *e = stm->exp;
	if (g->counting || g->plain || g->in_rows || g->lane || !is_parallel(stm))
		return NULL;
	const Stm *inner = only_loop(e);
	if (!inner || !lanes_for(g, inner) || lanes_for(g, inner) >= 64)
		return NULL;
	Search rows = {.g = g, .j = e->loop.i};
	set_rate(&rows, rows.j, BY_ONE);
	look_for_shared(&rows, &e->loop.body);
	Search size = {.g = g, .j = inner->exp->loop.i};
	for EACH(Stm, s, inner->exp->loop.body.stms)
		suits_outer(&size, &inner->exp->loop.body, s);
	return rows.shares && !is_bound_inside(&rows, inner->exp->loop.n) && size.n_params == 1 ? inner
	                                                                                        : NULL;
}

// ---- Text ----

static void write_stms(Gen *g, const Body *b, int from, int to)
{
	for (int i = from; i < to; i++)
		gen_stm(g, &b->stms.at[i]);
}

static bool has_store(const Body *b, int from, int to)
{
	for (int i = from; i < to; i++)
		if (b->stms.at[i].exp->form == E_update || b->stms.at[i].exp->form == E_array)
			return true;
	return false;
}

// Puts lines written with `write_part` into a loop over the lanes, behind the arrays they declare.
typedef struct { Str outside; } Part;

static Part begin_lanes(Gen *g)
{
	Part part = {g->out};
	g->out = (Str){0};
	g->arrays = (Str){0};
	g->indent++;
	return part;
}

static void end_lanes(Gen *g, Part part, bool stores)
{
	Str inside = g->out;
	g->out = part.outside;
	g->indent--;
	for (const char *s = str_text(&g->arrays); *s; s += strcspn(s, "\n") + 1)
		line(g, "%.*s", (int)strcspn(s, "\n"), s);
	if (!inside.len)
		return;
	if (stores) {
		rts_use(g->rts, "ivdep");
		line(g, "RD_INDEPENDENT");
	}
	open_brace(g, "for (int %s = 0; %s < %d; %s++)", g->lane, g->lane, g->n_lanes, g->lane);
	str_putn(&g->out, inside.at, inside.len);
	close_brace(g);
}

static void lanes_loop(Gen *g, const Stm *s);

// Statements up to the next loop make up one loop over the lanes; their variables are arrays if there
// is more to come.  `loop` is the loop whose body it is, if its parameters are to change.
static void lanes_body(Gen *g, const Body *b, const Exp *loop)
{
	Outer outer = enter_body(g, b);
	for (int from = 0, to; from <= b->stms.len; from = to + 1) {
		for (to = from; to < b->stms.len && b->stms.at[to].exp->form != E_loop; )
			to++;
		bool last = to == b->stms.len;
		Part part = begin_lanes(g);
		g->as_arrays = !last;
		int n = g->in_rows ? g->n_rows : 1;
		for (g->row = 0; g->row < n; g->row++) {
			write_stms(g, b, from, to);
			if (!last)
				declare_params(g, b->stms.at[to].exp);
			else if (loop)
				next_params(g, loop);
			settle_all(g);
		}
		g->row = 0;
		g->as_arrays = false;
		end_lanes(g, part, has_store(b, from, to));
		if (!last)
			lanes_loop(g, &b->stms.at[to]);
	}
	leave_body(g, outer);
}

static void show_in_rows(Gen *g, Var v, CExp x)
{
	int n = g->in_rows ? g->n_rows : 1;
	for (g->row = 0; g->row < n; g->row++)
		show_as(g, v, x);
	g->row = 0;
}

static void lanes_loop(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	const char *bound = loop_bound(g, e->loop.n), *i = fresh_name(g, vars[e->loop.i.id].hint);
	const char *type = c_scalar_type(sub_type(e->loop.n).elem);
	show_in_rows(g, e->loop.i, c_atom(i));
	open_brace(g, "for (%s %s = 0; %s < %s; %s++)", type, i, i, bound, i);
	lanes_body(g, &e->loop.body, e);
	close_brace(g);
	int n = g->in_rows ? g->n_rows : 1;
	for (g->row = 0; g->row < n; g->row++)
		bind_results(g, s);
	g->row = 0;
}

void lanes_of(Gen *g, const Exp *e, const char *i, int n)
{
	g->lane = "l";
	g->n_lanes = n;
	show_in_rows(g, e->loop.i, (CExp){text("%s + %s", i, g->lane), PREC_ADD});
	lanes_body(g, &e->loop.body, e);
	g->lane = NULL;
	show_in_rows(g, e->loop.i, c_atom(i));
}

static void rest_of_loop(Gen *g, const Exp *e, const char *i, const char *bound, int n)
{
	if (e->loop.n.kind == S_CONST && e->loop.n.val.i % n == 0)
		return;
	bool before = g->plain;
	g->plain = true;
	open_brace(g, "for (; %s < %s; %s++)", i, bound, i);
	int n_rows = g->in_rows ? g->n_rows : 1;
	for (g->row = 0; g->row < n_rows; g->row++)
		loop_body(g, e);
	g->row = 0;
	close_brace(g);
	g->plain = before;
}

static void write_lanes(Gen *g, const Exp *e, const char *bound, int n)
{
	const char *j = fresh_name(g, vars[e->loop.i.id].hint);
	line(g, "int64_t %s = 0;", j);
	open_brace(g, "for (; %s < %s - %s %% %d; %s += %d)", j, bound, bound, n, j, n);
	lanes_of(g, e, j, n);
	close_brace(g);
	rest_of_loop(g, e, j, bound, n);
}

// Four rows at a time, then the rest, row by row.
static void write_rows(Gen *g, const Exp *e, const Stm *inner, const char *bound)
{
	const char *i = fresh_name(g, vars[e->loop.i.id].hint);
	line(g, "int64_t %s = 0;", i);
	open_brace(g, "for (; %s < %s - %s %% %d; %s += %d)", i, bound, bound, ROWS, i, ROWS);
	Outer outer = enter_body(g, &e->loop.body);
	int at = (int)(inner - e->loop.body.stms.at), n = lanes_for(g, inner) / 2;
	g->in_rows = true;
	g->n_rows = ROWS;
	for (g->row = 0; g->row < ROWS; g->row++) {
		show_as(g, e->loop.i, g->row ? (CExp){text("%s + %d", i, g->row), PREC_ADD} : c_atom(i));
		write_stms(g, &e->loop.body, 0, at);
		settle_all(g);
	}
	g->row = 0;
	write_lanes(g, inner->exp, loop_bound(g, inner->exp->loop.n), n);
	g->in_rows = false;
	leave_body(g, outer);
	close_brace(g);
	if (e->loop.n.kind == S_CONST && e->loop.n.val.i % ROWS == 0)
		return;
	show_as(g, e->loop.i, c_atom(i));
	open_brace(g, "for (; %s < %s; %s++)", i, bound, i);
	loop_body(g, e);
	close_brace(g);
}

bool gen_in_lanes(Gen *g, const Stm *s, const char *bound)
{
	const Stm *inner = lanes_in_rows(g, s);
	int n = inner ? 0 : lanes_for(g, s);
	if (inner)
		write_rows(g, s->exp, inner, bound);
	else if (n)
		write_lanes(g, s->exp, bound, n);
	return inner || n;
}
