// Unroll-and-jam with lanes: runs several iterations of outer loops at once.
//
// A parallel loop whose iterations each run an inner loop with few carried values is emitted for
// several iterations at a time, its lanes, which share the control of the inner loop.  Variables
// become small arrays with one element per lane:
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
// registers.  The order of operations within an iteration is unchanged.  This pays where
// consecutive iterations access consecutive elements, or the same one; any other access in an inner
// loop rules it out.  The remaining iterations run one by one.
//
// Where possible the lanes are vectors (cvector.c): then each variable is a few vectors, and the
// text is repeated for each of them.  ctile.c additionally unrolls and jams an enclosing loop.
#include "gen/cgen.h"

#include "mem/mem.h"

// ---- Text ----

void write_stms(Gen *g, const Body *b, int from, int to)
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
typedef struct { CBlock *outside; } Part;

static Part begin_lanes(Gen *g)
{
	Part part = {g->c->at};
	g->rows.round++;
	g->rows.round_depth = g->c->depth;
	if (g->rows.rates)
		return part;
	code_begin(g->c);
	g->rows.arrays = (CBlock){0};
	g->c->depth++;
	return part;
}

static void end_lanes(Gen *g, Part part, bool stores)
{
	if (g->rows.rates)
		return;
	const CBlock *inside = g->c->at;
	g->c->at = part.outside;
	g->c->depth--;
	s_splice(g->c, &g->rows.arrays);
	if (!inside->first)
		return;
	if (stores)
		rts_use(g->rts, "ivdep");
	CExp n = g->rows.lanes_used ? x_name(g->rows.lanes_used) : x_int(g->rows.n_lanes);
	s_for(g->c, (CFor){.type = "int", .i = g->rows.lane, .from = x_int(0),
	                   .cond = x_less(x_name(g->rows.lane), n),
	                   .props = stores ? LOOP_INDEPENDENT : 0});
	s_splice(g->c, inside);
	s_close(g->c);
}

// Note [Late stores].  Rows are independent of each other, but C compilers do not know, and would
// finish with one row before they load for the next: computations of several rows that could be
// under way at the same time are done one after the other.  So all stores follow the computations
// of all rows, unless a row reads what it has stored.
static bool reads_stored(const Body *b, int from, int to)
{
	Map stored = {0};
	for (int i = from; i < to; i++) {
		const Exp *e = b->stms.at[i].exp;
		if (e->form == E_update)
			map_put(&stored, var_key(sub_type(e->update.arr).mem->block), &stored);
		else if (e->form == E_index &&
		         map_has(&stored, var_key(sub_type(e->index.arr).mem->block)))
			return true;
	}
	return false;
}

static void lanes_loop(Gen *g, const Stm *s);

// Statements up to the next loop make up one loop over the lanes; their variables are arrays if
// there is more to come.  `loop` is the loop whose body it is, if its parameters are to change.
void lanes_body(Gen *g, const Body *b, const Exp *loop)
{
	Outer outer = enter_body(g, b);
	bool may_delay = g->rows.may_delay;
	g->rows.may_delay = false;
	for (int from = 0, to; from <= b->stms.len; from = to + 1) {
		for (to = from; to < b->stms.len && b->stms.at[to].exp->form != E_loop; )
			to++;
		bool last = to == b->stms.len;
		Part part = begin_lanes(g);
		g->rows.as_arrays = !last && !g->rows.rates;
		int n = g->rows.in_rows ? g->rows.n_rows : 1;
		g->rows.delays = may_delay && n > 1 && !reads_stored(b, from, to);
		for (g->rows.row = 0; g->rows.row < n; g->rows.row++) {
			write_stms(g, b, from, to);
			if (!last)
				declare_params(g, b->stms.at[to].exp);
			else if (loop)
				next_params(g, loop);
			settle_all(g);
		}
		delayed_stores(g);
		lane_sums(g);
		g->rows.row = 0;
		g->rows.as_arrays = false;
		end_lanes(g, part, has_store(b, from, to));
		if (!last)
			lanes_loop(g, &b->stms.at[to]);
	}
	leave_body(g, outer);
}

static void show_in_rows(Gen *g, Var v, CExp x)
{
	int n = g->rows.in_rows ? g->rows.n_rows : 1;
	for (g->rows.row = 0; g->rows.row < n; g->rows.row++)
		show_as(g, v, x);
	g->rows.row = 0;
}

static void write_lanes_loop(Gen *g, const Exp *e, const char *i, CExp bound, bool in_parts)
{
	const char *type = c_scalar_type(sub_type(e->loop.n).elem);
	const char *from = g->rows.tile ? g->rows.tile->from : NULL;
	CExp part = bound;
	if (in_parts) {
		from = fresh_name(g, "from");
		s_declare(g->c, type, from, x_int(0));
		part = begin_parts(g, e, from, bound, NULL);
	}
	s_for(g->c, (CFor){.type = type, .i = i, .from = from ? x_name(from) : x_int(0),
	                   .cond = x_less(x_name(i), part)});
	lanes_body(g, &e->loop.body, e);
	ask_around_loops(g, e);
	s_close(g->c);
	if (in_parts) {
		s_assign(g->c, x_name(from), part);
		end_parts(g, e, from, bound, NULL);
	}
}

static void lanes_loop(Gen *g, const Stm *s)
{
	const Exp *e = s->exp;
	CExp bound = g->rows.tile ? x_name(g->rows.tile->to) : loop_bound(g, e->loop.n);
	const char *i = fresh_name(g, vars[e->loop.i.id].hint);
	state_of(g, e->loop.i)->small = sub_type(e->loop.n).elem == PT_I64;
	show_in_rows(g, e->loop.i, x_name(i));
	if (g->rows.tile)
		take_up(g, e);
	CExp longer = longer_than_part(g, e, bound);
	if (longer) {
		s_if(g->c, longer);
		write_lanes_loop(g, e, i, bound, true);
		s_else(g->c);
	}
	write_lanes_loop(g, e, i, bound, !longer && is_in_parts(g, e, NULL));
	if (longer)
		s_close(g->c);
	if (g->rows.tile)
		put_off(g, e);
	int n = g->rows.in_rows ? g->rows.n_rows : 1;
	for (g->rows.row = 0; g->rows.row < n; g->rows.row++)
		bind_results(g, s);
	g->rows.row = 0;
}

void lanes_of(Gen *g, const Exp *e, const char *i, int n)
{
	g->rows.lane = "l";
	g->rows.n_lanes = n;
	show_in_rows(g, e->loop.i, x_plus(x_name(i), x_name(g->rows.lane)));
	lanes_body(g, &e->loop.body, e);
	g->rows.lane = NULL;
	show_in_rows(g, e->loop.i, x_name(i));
}

static bool is_loop(const Stm *s)
{
	return s->exp->form == E_loop;
}

void note_rest(Gen *g, const Exp *e)
{
	if (e->loop.n.kind != S_CONST && !body_find(&e->loop.body, is_loop))
		s_do(g->c, x_const("RD_REST"));
}

// What is left when n iterations are done at a time (0: a number only C knows).  `covered`: nothing
// of a loop that has as many.  C compilers see that late, when they have worked on the rest of a
// loop of a known length; on others they would work more if they knew how short the rest is.
static void rest_of_loop(Gen *g, const Exp *e, const char *i, CExp bound, int n, bool covered,
                         bool in_part)
{
	bool known = e->loop.n.kind == S_CONST;
	if (n && known && (e->loop.n.val.i % n == 0 || (covered && e->loop.n.val.i > n)))
		return;
	bool before = g->plain, only_few = !n && known && covered;
	g->plain = true;
	if (only_few)
		s_if(g->c, x_less(bound, lanes_of_vectors(g, 1)));
	s_for(g->c, (CFor){.i = i, .cond = rest_is_left(g, i, bound, in_part)});
	if (!n)
		note_rest(g, e);
	loop_body(g, e);
	s_close(g->c);
	if (only_few)
		s_close(g->c);
	g->plain = before;
}

void begin_vectors(Gen *g, Lanes lanes, int rows)
{
	g->rows.rates = lanes.rates;
	g->rows.lane_arrays = lanes.arrays;
	g->rows.vector = lanes.type;
	g->rows.n_vectors = lanes.n_vectors;
	g->rows.in_rows = true;
	g->rows.n_rows = lanes.n_vectors * rows;
	g->rows.lane = "l";
}

void end_vectors(Gen *g)
{
	g->rows.rates = NULL;
	g->rows.lane_arrays = NULL;
	g->rows.in_rows = false;
	g->rows.lane = NULL;
}

void vectors_of(Gen *g, const Exp *e, const char *i)
{
	for (g->rows.row = 0; g->rows.row < g->rows.n_rows; g->rows.row++) {
		int v = g->rows.row % g->rows.n_vectors;
		CExp first = x_name(i);
		show_as(g, e->loop.i, v ? x_plus(first, lanes_of_vectors(g, v)) : first);
	}
	g->rows.row = 0;
	g->rows.may_delay = true;
	lanes_body(g, &e->loop.body, e);
}

void for_whole(Gen *g, const char *i, CExp n, CExp bound)
{
	CExp end = x_plus(x_name(i), n);
	s_for(g->c, (CFor){.i = i, .cond = x_binary(end, "<=", bound, PREC_COMPARE), .op = "+=",
	                   .by = n});
}

// Note [Iterations twice].  Rather than one by one, what is left when all whole vectors are done is
// one more vector that ends with the loop, and does some iterations of the one before again: of 30
// columns and vectors of 16, 14 would be left.  They store what they have stored, unless
// they read what they overwrite.  Loops shorter than a vector do run one by one.  Where iterations
// also add to partial results, the lanes that were done before keep theirs.
static bool collects_blocks(const Body *b, Map *stored, bool reads)
{
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form == E_loop && collects_blocks(&e->loop.body, stored, reads))
			return true;
		if (e->form == E_if_ && (collects_blocks(&e->if_.yes, stored, reads) ||
		                         collects_blocks(&e->if_.no, stored, reads)))
			return true;
		if (reads && e->form == E_index &&
		    map_has(stored, var_key(sub_type(e->index.arr).mem->block)))
			return true;
		if (!reads && e->form == E_update)
			map_put(stored, var_key(sub_type(e->update.arr).mem->block), stored);
		if (!reads && e->form == E_array)
			map_put(stored, var_key(vars[s->pat.at[0].id].type.mem->block), stored);
	}
	return false;
}

bool may_run_twice(const Exp *loop)
{
	Map stored = {0};
	collects_blocks(&loop->loop.body, &stored, false);
	return !collects_blocks(&loop->loop.body, &stored, true);
}

void for_covering(Gen *g, const char *i, CExp n, CExp bound, const char *next)
{
	CExp all = x_binary(x_less(x_name(i), bound), "&&",
	                    x_binary(n, "<=", bound, PREC_COMPARE), PREC_AND);
	CExp last = x_binary(bound, "-", n, PREC_ADD);
	s_for(g->c, (CFor){.i = i, .cond = all, .op = "+=", .by = n});
	if (next)
		s_declare(g->c, "int64_t", next, x_name(i));
	s_assign(g->c, x_name(i), x_select(x_less(last, x_name(i)), last, x_name(i)));
}

static void write_lanes(Gen *g, const Exp *e, CExp bound, int n)
{
	const char *j = fresh_name(g, vars[e->loop.i.id].hint);
	s_declare(g->c, "int64_t", j, x_int(0));
	bool covers = may_run_twice(e);
	if (covers)
		for_covering(g, j, x_int(n), bound, NULL);
	else
		for_whole(g, j, x_int(n), bound);
	lanes_of(g, e, j, n);
	ask_around_loops(g, e);
	s_close(g->c);
	rest_of_loop(g, e, j, bound, n, covers, false);
}

// A strip of the loop at a time, in the cache rather than in registers; the last may be shorter.
static void write_strips(Gen *g, const Exp *e, CExp bound, int n)
{
	const char *j = fresh_name(g, vars[e->loop.i.id].hint), *width = fresh_name(g, "width");
	s_for(g->c, (CFor){"int64_t", j, x_int(0), x_less(x_name(j), bound), "+=", x_int(n), 0});
	CExp left = x_binary(bound, "-", x_name(j), PREC_ADD);
	s_declare(g->c, "int", width,
	          x_select(x_less(left, x_int(n)), x_cast("int", left, PREC_ATOM), x_int(n)));
	g->rows.lanes_used = width;
	lanes_of(g, e, j, n);
	g->rows.lanes_used = NULL;
	ask_around_loops(g, e);
	s_close(g->c);
}

// Lanes as vectors: several, then one, then the iterations that are left.
static void write_vectors(Gen *g, const Exp *e, CExp bound, Lanes lanes)
{
	const char *j = fresh_name(g, vars[e->loop.i.id].hint);
	bool covers = may_run_twice(e), in_part = ends_in_part(&lanes, e);
	s_declare(g->c, "int64_t", j, x_int(0));
	for (; lanes.n_vectors; lanes.n_vectors = fewer_vectors(e, lanes.type, lanes.n_vectors)) {
		begin_vectors(g, lanes, 1);
		CExp n = lanes_of_vectors(g, lanes.n_vectors);
		bool first = lanes.n_vectors > 1;
		if (!first && covers)
			for_covering(g, j, n, bound, NULL);
		else
			for_whole(g, j, n, first ? begin_parts(g, e, j, bound, n) : bound);
		vectors_of(g, e, j);
		end_vectors(g);
		ask_around_loops(g, e);
		s_close(g->c);
		if (first)
			end_parts(g, e, j, bound, n);
	}
	if (in_part) {
		lanes.n_vectors = 1;
		begin_vectors(g, lanes, 1);
		begin_part(g, j, bound);
		vectors_of(g, e, j);
		end_part(g, e, j, bound);
		end_vectors(g);
	}
	show_as(g, e->loop.i, x_name(j));
	rest_of_loop(g, e, j, bound, 0, covers, in_part);
}

// ... with the folds of what they compute.
static void write_folds(Gen *g, const Exp *e, CExp bound, Lanes *lanes)
{
	const char *j = bind_name(g, e->loop.i);
	lanes->covers = may_run_twice(e);
	lanes->in_part = ends_in_part(lanes, e);
	s_declare(g->c, "int64_t", j, x_int(0));
	partial_vectors(g, e, j, bound, lanes);
	show_as(g, e->loop.i, x_name(j));
	rest_of_loop(g, e, j, bound, 0, lanes->covers, lanes->in_part);
}

bool gen_in_lanes(Gen *g, const Stm *s, CExp bound)
{
	if (gen_tiles(g, s, bound))
		return true;
	Lanes lanes = lanes_for(g, s, g->profile.n_loops <= 1);
	if (lanes.n_folds)
		write_folds(g, s->exp, bound, &lanes);
	else if (lanes.n_vectors)
		write_vectors(g, s->exp, bound, lanes);
	else if (lanes.in_cache)
		write_strips(g, s->exp, bound, lanes.n);
	else if (lanes.n)
		write_lanes(g, s->exp, bound, lanes.n);
	return lanes.n;
}
