// Scans of #[threads] loops: the threads of a block take the iterations in tiles, in order.
//
//     loop (s = 0, out) for j < n do {
//       x = xs[j]                          neighbouring threads have neighbouring elements: x[u]
//       #[scan] r = call f (s, x)          shared memory turns that round: a thread folds elements that
//       out with [j] = r                   follow on each other, the block scans what the threads
//     }                                    have, and each thread goes over its elements again: r[u]
//
// The statements before the scan, those between two of them and those after are segments, done for all
// elements of the tile, with barriers in between.  What a segment computes and a later one needs is
// kept in registers, but for sums and products of indices, which are computed again.
//
// Note [Chains].  A kernel of blocks that is one such loop, with few rows, has as many blocks to a row as
// there are tiles.  Every block takes the next tile (a counter in memory, so that all tiles before it
// have been begun), scans it, and says what it amounts to; then it looks back: what the tiles
// before it amount to is combined until there is one that knows the value of everything up to its end.
// Then it says the same of itself, and goes on with its elements.  For each tile and scan there are
//
//     a word: 0 nothing yet, 1 the tile alone, 2 all up to its end     16 bytes, at first 0
//     the values of the tile alone; those of all up to its end         8 bytes each
//
// On CUDA, a single value is in the word itself.  Statements after the loop are those of the block
// with the last tile, which knows the results.
#include "gen/kfold.h"

// ---- How many elements a thread has ----

// In memory between threads, f16 is what it is in registers.
static const char *room_type(Gen *g, PrimType t)
{
	return t == PT_F16 ? "float" : elem_type(g, t);
}

static int room_size(PrimType t)
{
	return t == PT_F16 ? 4 : primtype_size(t);
}

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

static bool is_operator_call(const Stm *s)
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
static Map mentioned_from(const Exp *e, int from)
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

// Variables that are sums, products and so on of the index and of what is known outside.
static Map derived_from_index(const Exp *e)
{
	Map derived = {0};
	for EACH(Stm, s, e->loop.body.stms) {
		Derived d = {&derived, &e->loop.body, s->exp->form == E_prim || s->exp->form == E_convert};
		Visit v = {.sub = look_at, .ctx = &d};
		exp_visit(s->exp, &v);
		if (d.only_indices)
			map_put(&derived, var_key(s->pat.at[0]), e->loop.body.stms.at);
	}
	for EACH(Stm, s, e->loop.body.stms)
		for (int i = 0; is_operator_call(s) && i < s->exp->call.args.len; i++) {
			Sub x = s->exp->call.args.at[i];
			if (x.kind == S_VAR)
				map_put(&derived, var_key(x.var), NULL); // is at hand there
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
		for (int i = first; i <= k; i++)
			for EACH(Var, v, b->stms.at[i].pat)
				if (type_is_scalar(vars[v->id].type) && !map_get(&derived, var_key(*v)) &&
				    map_has(i == k ? &after : &later, var_key(*v)))
					bytes += room_size(vars[v->id].type.elem);
		first = k + 1;
	}
	return bytes;
}

// Odd numbers, for the banks of shared memory.
static int items_of(const Exp *loop)
{
	static const int items[] = {15, 11, 7, 5, 3};
	Weight w = {0};
	Visit v = {.body = weigh, .ctx = &w};
	weigh(&v, (Body *)&loop->loop.body); // a walk: writes nothing
	int bytes = 0, kept = bytes_kept(loop);
	for EACH(Stm, s, loop->loop.body.stms)
		bytes += is_operator_call(s) ? bytes_of_call(s) : 0;
	for (int i = 0; i < 5 && !w.loops; i++)
		if (items[i] * bytes <= 96 && items[i] * kept <= 176 && items[i] * w.n <= 180)
			return items[i];
	return 1;
}

// ---- Chains ----

static bool is_before_chain(const Stm *s)
{
	return is_pure_scalar(s) || needs_no_code(s) || s->exp->form == E_assert_;
}

static bool has_scan(const Exp *loop)
{
	for EACH(Stm, s, loop->loop.body.stms)
		if (is_operator_call(s) && has_attr(s->attrs, ATTR_SCAN))
			return true;
	return false;
}

Chain *chain_of(const Kernel *k)
{
	const Stm *found = NULL;
	if (!k->of_blocks || k->blocks.len)
		return NULL;
	for (int d = 0; d < k->nest.len; d++)
		for EACH(Stm, s, k->nest.at[d]->exp->loop.body.stms) {
			bool inner = d < k->nest.len - 1 && s == k->nest.at[d + 1];
			if (inner || (!found && is_before_chain(s)))
				continue;
			if (found ? s->exp->form == E_loop || s->exp->form == E_if_ : !has_attr(s->attrs, ATTR_THREADS))
				return NULL;
			found = found ? found : s;
		}
	if (!found || !has_scan(found->exp) || !is_known_before(k, found->exp->loop.n))
		return NULL;
	Chain *c = NEW(Chain, .loop = found->exp, .items = items_of(found->exp));
	for EACH(Stm, s, found->exp->loop.body.stms)
		if (is_operator_call(s)) {
			c->n_scans++;
			c->n_values += s->pat.len;
		}
	return c;
}

void begin_chain(Gen *g)
{
	rts_use(g->rts, "kernel_chain");
	line(g, "RD_LOCAL int32_t *rd_next = (RD_LOCAL int32_t *)rd_shared + 2;");
	open_brace(g, "if (rd_tiles > 1)");
	line(g, "if (rd_local_id() == 0)");
	line(g, "\t*rd_next = rd_take_tile((volatile RD_GLOBAL int32_t *)rd_chain);");
	line(g, "rd_barrier();");
	close_brace(g);
	line(g, "int64_t rd_at = rd_tiles > 1 ? *rd_next : rd_block_id();");
	line(g, "int64_t rd_id = rd_div_index(rd_at, rd_tiles), rd_tile = rd_at - rd_id * rd_tiles;");
	g->kernel->marks_failures = true; // of those who wait
}

// ---- Variables that are kept ----

static bool is_derived(const Threads *t, Var v)
{
	return map_get(&t->derived, var_key(v)) != NULL;
}

static void keep(Gen *g, const Threads *t, Var v)
{
	VarState *st = state_of(g, v);
	const char *name = fresh_name(g, vars[v.id].hint);
	line(g, "%s %s[%d];", c_scalar_type(vars[v.id].type.elem), name, t->items);
	show_as(g, v, c_atom(text("%s[%s]", name, t->u)));
	st->ahead = true;
}

static void declare_kept(Gen *g, Threads *t)
{
	const Body *b = &t->e->loop.body;
	int first = 0;
	for (int k = 0; k < b->stms.len; k++) {
		if (!t->fold_at[k])
			continue;
		Map later = mentioned_from(t->e, k), after = mentioned_from(t->e, k + 1);
		for (int i = first; i <= k; i++)
			for EACH(Var, v, b->stms.at[i].pat) {
				const Map *needed = i == k ? &after : &later;
				if (type_is_scalar(vars[v->id].type) && map_has(needed, var_key(*v)) && !is_derived(t, *v))
					keep(g, t, *v);
			}
		first = k + 1;
	}
}

// ---- Segments ----

static void bind_element(Gen *g, const Threads *t, int segment)
{
	const char *type = c_scalar_type(sub_type(t->e->loop.n).elem);
	line(g, "%s %s = %s + RD_ITEM(%s, %d);", type, bind_name(g, t->e->loop.i), t->tile, t->u, t->items);
	state_of(g, t->e->loop.i)->small = 1;
	for (int i = 0; i < segment; i++) {
		const Stm *s = &t->e->loop.body.stms.at[i];
		if (s->pat.len == 1 && is_derived(t, s->pat.at[0]))
			gen_stm(g, s);
	}
}

static void open_elements(Gen *g, const Threads *t)
{
	line(g, "RD_UNROLL");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", t->u, t->u, t->items, t->u);
}

static void elements(Gen *g, const Threads *t, int from, int to, bool whole)
{
	open_elements(g, t);
	bind_element(g, t, from);
	if (!whole)
		open_brace(g, "if (RD_ITEM(%s, %d) < %s)", t->u, t->items, t->m);
	thread_stms(g, t, from, to);
	settle_all(g);
	if (!whole)
		close_brace(g);
	close_brace(g);
}

// The segments of an iteration end with the scans.
static void gen_segment(Gen *g, const Threads *t, int from, int to)
{
	const char *label = fresh_name(g, "done");
	bool could_fail = g->can_fail;
	g->can_fail = false;
	g->failed = label;
	g->at_block = false;
	open_scope(g);
	if (t->items > 1) {
		open_brace(g, "if (%s == %d * rd_local_size())", t->m, t->items);
		elements(g, t, from, to, true);
		g->indent--;
		line(g, "} else {");
		g->indent++;
		elements(g, t, from, to, false);
		close_brace(g);
	} else {
		elements(g, t, from, to, false);
	}
	close_brace(g);
	if (g->can_fail)
		line(g, "%s:;", label);
	t->failed[from] = g->can_fail;
	g->can_fail |= could_fail;
	g->failed = NULL;
	g->at_block = true;
}

// ---- The scan of a tile ----

typedef struct {
	const char **sh;                // room for all elements of the tile, in order
	const char **few;               // for one value of each thread
	const char **x;                 // what this thread has, together
	const char **e;                 // what the threads before it have
	const char **all;               // what the block has
	const char *threads;            // how many have some
	const char *own, *count;        // the first one of this thread, how many it has
} TileScan;

static int rounded(int bytes)
{
	return (bytes + 7) & ~7;
}

static void declare_scan_rooms(Gen *g, const Threads *t, Fold *f, TileScan *s)
{
	int at = 0;
	s->sh = texts(f->n);
	s->few = texts(f->n);
	for (int pass = 0; pass < 2; pass++)
		for (int v = 0; v < f->n; v++) {
			const char *type = room_type(g, value_type(t, f, v)), *name = fresh_name(g, pass ? "few" : "sh");
			line(g, "RD_LOCAL %s *%s = (RD_LOCAL %s *)(rd_shared + 16 + %d * rd_local_size());", type, name,
			     type, at);
			(pass ? s->few : s->sh)[v] = name;
			at += pass ? 8 : rounded(t->items * room_size(value_type(t, f, v)));
		}
	f->room = at; // for shuffles
	if (g->kernel->fold_bytes < at + 8)
		g->kernel->fold_bytes = at + 8;
}

// A loop over the other elements of this thread, from 1 on or all; those that there are.
static void open_own(Gen *g, const Threads *t, const TileScan *s, int from)
{
	line(g, "RD_UNROLL");
	open_brace(g, "for (int32_t %s = %d; %s < %d; %s++)", t->u, from, t->u, t->items, t->u);
	open_brace(g, "if (%s < %s)", t->u, s->count);
}

static void fold_own(Gen *g, const Threads *t, const Fold *f, TileScan *s)
{
	s->own = fresh_name(g, "own");
	s->count = fresh_name(g, "count");
	s->threads = fresh_name(g, "threads");
	line(g, "int32_t %s = rd_local_id() * %d, %s = %s - %s;", s->own, t->items, s->count, t->m, s->own);
	line(g, "int32_t %s = (%s + %d) / %d;", s->threads, t->m, t->items - 1, t->items);
	s->x = declare_values(g, t, f, "x", elements_at(s->sh, f->n, s->own));
	if (t->items > 1) {
		open_own(g, t, s, 1);
		combine_marked(g, f, s->x, s->x, elements_at(s->sh, f->n, text("%s + %s", s->own, t->u)));
		close_brace(g);
		close_brace(g);
	}
}

// e: what the threads before have, if there are any; all: what all have.
static void scan_by_warps(Gen *g, const Threads *t, const Fold *f, TileScan *s)
{
	const char *within = text("rd_local_id() < %s", s->threads);
	const char **x = declare_values(g, t, f, "x", s->x);
	scan_lanes(g, t, f, x, "32", within);
	open_brace(g, "if (%s && (rd_lane() == 31 || rd_local_id() + 1 == %s))", within, s->threads);
	assign(g, f, elements_at(s->few, f->n, "rd_warp()"), x);
	close_brace(g);
	line(g, "rd_barrier();");
	const char **w = declare_values(g, t, f, "w",
	                                elements_at(s->few, f->n, "rd_lane() < rd_n_warps() ? rd_lane() : 0"));
	scan_lanes(g, t, f, w, "rd_n_warps()",
	           text("rd_lane() < rd_n_warps() && 32 * rd_lane() < %s", s->threads));
	const char **warps = shuffled(g, t, f, "rd_shuffle", w, "rd_warp() > 0 ? rd_warp() - 1 : 0");
	const char **lanes = shuffled(g, t, f, "rd_shuffle_up", x, "1");
	const char **last = shuffled(g, t, f, "rd_shuffle", w, text("(%s - 1) / 32", s->threads));
	assign(g, f, s->all, last);
	assign(g, f, s->e, warps);
	open_brace(g, "if (rd_lane() > 0 && %s)", within);
	open_brace(g, "if (rd_warp() > 0)");
	combine_marked(g, f, s->e, warps, lanes);
	g->indent--;
	line(g, "} else {");
	g->indent++;
	assign(g, f, s->e, lanes);
	close_brace(g);
	close_brace(g);
}

static void scan_in_memory(Gen *g, const Threads *t, const Fold *f, TileScan *s)
{
	const char **x = declare_values(g, t, f, "x", s->x), **y = declare_values(g, t, f, "y", NULL);
	const char *step = fresh_name(g, "step"), **mine = elements_at(s->few, f->n, "rd_local_id()");
	const char *takes = text("rd_local_id() >= %s && rd_local_id() < %s", step, s->threads);
	assign(g, f, mine, x);
	line(g, "rd_barrier();");
	open_brace(g, "for (int32_t %s = 1; %s < %s; %s *= 2)", step, step, s->threads, step);
	open_brace(g, "if (%s)", takes);
	combine_marked(g, f, y, elements_at(s->few, f->n, text("rd_local_id() - %s", step)), x);
	close_brace(g);
	line(g, "rd_barrier();");
	open_brace(g, "if (%s)", takes);
	assign(g, f, x, y);
	assign(g, f, mine, x);
	close_brace(g);
	line(g, "rd_barrier();");
	close_brace(g);
	assign(g, f, s->e, elements_at(s->few, f->n, "(rd_local_id() > 0 ? rd_local_id() - 1 : 0)"));
	assign(g, f, s->all, elements_at(s->few, f->n, text("%s - 1", s->threads)));
}

// ---- Looking back ----

// How values go to and from memory that other blocks look at.
typedef struct { const char *word; bool in_word; const char **alone, **up_to; } ChainPlace;

static bool is_in_word(const Fold *f)
{
	return f->n == 1;
}

// Words of 8 bytes have a state and up to 4 bytes, those of 16 more.
static const char *word_kind(const Threads *t, const Fold *f)
{
	return room_size(value_type(t, f, 0)) <= 4 ? "word" : "long_word";
}

static const char *to_bits(PrimType t, const char *x)
{
	return t == PT_F64 ? text("rd_bits_of_double(%s)", x)
	     : t == PT_F32 || t == PT_F16 ? text("rd_bits_of_float(%s)", x)
	     : primtype_size(t) == 8 ? text("(uint64_t)%s", x) : text("(uint32_t)%s", x);
}

static const char *of_bits(PrimType t, const char *x)
{
	return t == PT_F64 ? text("rd_double_of_bits(%s)", x)
	     : t == PT_F32 || t == PT_F16 ? text("rd_float_of_bits((uint32_t)%s)", x)
	     : text("(%s)%s", c_scalar_type(t), x);
}

// What tile `at` says: all words lie together, then the values.
static ChainPlace chain_place(Gen *g, const Threads *t, const Fold *f, const char *at)
{
	ChainPlace p = {.alone = texts(f->n), .up_to = texts(f->n)};
	const Chain *c = g->kernel->chain;
	p.word = text("rd_chain + 16 * (1 + %d * rd_n_blocks() + %s)", f->number, at);
	for (int v = 0; v < f->n; v++) {
		const char *type = room_type(g, value_type(t, f, v));
		int first = 2 * (c->n_scans + f->first_value);
		p.alone[v] = text("*(volatile RD_GLOBAL %s *)(rd_chain + 16 + 8 * (%d * rd_n_blocks() + %s))", type,
		                  first + v, at);
		p.up_to[v] = text("*(volatile RD_GLOBAL %s *)(rd_chain + 16 + 8 * (%d * rd_n_blocks() + %s))", type,
		                  first + f->n + v, at);
	}
	return p;
}

static void tell(Gen *g, const Threads *t, const Fold *f, int state, const char *const *values)
{
	ChainPlace p = chain_place(g, t, f, "rd_at");
	if (is_in_word(f)) {
		line(g, "#ifdef RD_WORDS");
		line(g, "rd_put_%s(%s, %d, %s);", word_kind(t, f), p.word, state,
		     to_bits(value_type(t, f, 0), values[0]));
		line(g, "#else");
	}
	assign(g, f, state == 1 ? p.alone : p.up_to, values);
	line(g, "rd_put_state(%s, %d);", p.word, state);
	if (is_in_word(f))
		line(g, "#endif");
}

// Waits for tile `at` to say something: its state, and in `to` its values.  `seen`: its word, as it was
// before, or NULL.
static void ask(Gen *g, const Threads *t, const Fold *f, const char *at, const char *state,
                const char *const *to, const char *seen)
{
	ChainPlace p = chain_place(g, t, f, at);
	const char *word = fresh_name(g, "word");
	if (is_in_word(f)) {
		line(g, "#ifdef RD_WORDS");
		const char *get = text("rd_get_%s(%s)", word_kind(t, f), p.word);
		line(g, "struct rd_word %s = %s;", word, seen ? seen : get);
		line(g, "while (!%s.state && !RD_FAILED_MEANWHILE)", word);
		line(g, "\t%s = %s;", word, get);
		line(g, "%s = (int32_t)%s.state;", state, word);
		line(g, "%s = %s;", to[0], of_bits(value_type(t, f, 0), text("%s.bits", word)));
		line(g, "#else");
	}
	line(g, "while (!(%s = rd_get_state(%s)) && !RD_FAILED_MEANWHILE)", state, p.word);
	line(g, "\t;");
	line(g, "rd_fence();");
	open_brace(g, "if (%s == 1)", state);
	assign(g, f, to, p.alone);
	g->indent--;
	line(g, "} else if (%s == 2) {", state);
	g->indent++;
	assign(g, f, to, p.up_to);
	close_brace(g);
	if (is_in_word(f))
		line(g, "#endif");
	open_brace(g, "if (!%s)", state); // it will never come
	line(g, "*rd_mark = 1;");
	line(g, "%s = 2;", state);
	close_brace(g);
}

// One thread asks tile after tile.
static void look_back_alone(Gen *g, const Threads *t, const Fold *f, const char **before)
{
	const char *at = fresh_name(g, "at"), *state = fresh_name(g, "state");
	open_brace(g, "if (rd_local_id() == 0)");
	line(g, "int32_t %s = 1;", state);
	open_brace(g, "for (int64_t %s = rd_at - 1; %s == 1; %s--)", at, state, at);
	const char **y = declare_values(g, t, f, "y", NULL);
	ask(g, t, f, at, state, y, NULL);
	open_brace(g, "if (%s < rd_at - 1)", at);
	combine_marked(g, f, before, y, before);
	g->indent--;
	line(g, "} else {");
	g->indent++;
	assign(g, f, before, y);
	close_brace(g);
	close_brace(g);
	close_brace(g);
}

// The lanes of a warp ask several tiles each, at the same time.
static void look_back_by_warp(Gen *g, const Threads *t, const Fold *f, const char **before)
{
	enum { EACH = 4 };
	const char *from = fresh_name(g, "from"), *found = fresh_name(g, "found"), *w = fresh_name(g, "w");
	const char *at = fresh_name(g, "at"), *state = fresh_name(g, "state"), *mask = fresh_name(g, "mask");
	const char *last = fresh_name(g, "last"), *step = fresh_name(g, "step"), *lanes = fresh_name(g, "lanes");
	const char *words = fresh_name(g, "words");
	open_brace(g, "if (rd_warp() == 0)");
	line(g, "int32_t %s = rd_local_size() < 32 ? rd_local_size() : 32;", lanes);
	open_brace(g, "for (int64_t %s = rd_at; ; %s -= %d * %s)", from, from, EACH, lanes);
	line(g, "bool %s = false;", found);
	const char **y = declare_values(g, t, f, "y", NULL);
	const char *first = text("int64_t %s = %s - 1 - (%d * rd_lane() + %s);", at, from, EACH, w);
	if (is_in_word(f)) {
		line(g, "struct rd_word %s[%d];", words, EACH);
		line(g, "RD_UNROLL");
		open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", w, w, EACH, w);
		line(g, "%s", first);
		line(g, "%s[%s].state = 0;", words, w);
		line(g, "if (%s >= rd_at - rd_tile)", at);
		line(g, "\t%s[%s] = rd_get_%s(%s);", words, w, word_kind(t, f), chain_place(g, t, f, at).word);
		close_brace(g);
	}
	line(g, "RD_UNROLL");
	open_brace(g, "for (int32_t %s = 0; %s < %d; %s++)", w, w, EACH, w);
	line(g, "%s", first);
	open_brace(g, "if (%s >= rd_at - rd_tile && !%s)", at, found);
	line(g, "int32_t %s = 0;", state);
	const char **z = declare_values(g, t, f, "z", NULL);
	ask(g, t, f, at, state, z, text("%s[%s]", words, w));
	open_brace(g, "if (%s > 0)", w);
	combine_marked(g, f, y, z, y);
	g->indent--;
	line(g, "} else {");
	g->indent++;
	assign(g, f, y, z);
	close_brace(g);
	line(g, "%s = %s == 2;", found, state);
	close_brace(g);
	close_brace(g);
	line(g, "uint32_t %s = __ballot_sync(rd_warp_mask(), %s);", mask, found);
	line(g, "int32_t %s = %s ? __ffs(%s) - 1 : %s - 1;", last, mask, mask, lanes);
	open_brace(g, "for (int32_t %s = 1; %s < 32; %s *= 2)", step, step, step);
	const char **older = shuffled(g, t, f, "rd_shuffle_down", y, step);
	open_brace(g, "if (rd_lane() + %s <= %s)", step, last);
	combine_marked(g, f, y, older, y);
	close_brace(g);
	close_brace(g);
	open_brace(g, "if (%s < rd_at)", from);
	combine_marked(g, f, before, y, before);
	g->indent--;
	line(g, "} else {");
	g->indent++;
	assign(g, f, before, y);
	close_brace(g);
	line(g, "if (%s)", mask);
	line(g, "\tbreak;");
	close_brace(g);
	close_brace(g);
}

// The parameters of the loop become what all tiles before this one amount to.
static void look_back(Gen *g, const Threads *t, const Fold *f, const TileScan *s, const char **p)
{
	open_brace(g, "if (rd_tiles > 1)");
	const char **before = declare_values(g, t, f, "before", p), **up_to = declare_values(g, t, f, "y", NULL);
	open_brace(g, "if (rd_tile > 0)");
	open_brace(g, "if (rd_local_id() == 0)");
	tell(g, t, f, 1, s->all);
	close_brace(g);
	line(g, "#ifdef RD_WORDS");
	look_back_by_warp(g, t, f, before);
	line(g, "#else");
	look_back_alone(g, t, f, before);
	line(g, "#endif");
	close_brace(g);
	line(g, "rd_barrier();");
	open_brace(g, "if (rd_local_id() == 0)");
	combine_marked(g, f, up_to, before, s->all);
	tell(g, t, f, 2, up_to);
	assign(g, f, elements_at(s->few, f->n, "0"), before);
	close_brace(g);
	leave_if_marked(g);
	assign(g, f, p, elements_at(s->few, f->n, "0"));
	close_brace(g);
}

// ---- All of it ----

static bool is_used_later(const Threads *t, const Fold *f)
{
	Map after = mentioned_from(t->e, (int)(f->call - t->e->loop.body.stms.at) + 1);
	for EACH(Var, v, f->call->pat)
		if (map_has(&after, var_key(*v)))
			return true;
	return false;
}

static void scan_again(Gen *g, const Threads *t, const Fold *f, const TileScan *s, const char **p)
{
	const char **sum = declare_values(g, t, f, "sum", p), **y = declare_values(g, t, f, "y", NULL);
	const char **here = elements_at(s->sh, f->n, text("%s + %s", s->own, t->u));
	open_brace(g, "if (rd_local_id() > 0 && rd_local_id() < %s)", s->threads);
	combine_marked(g, f, sum, p, s->e);
	close_brace(g);
	open_own(g, t, s, 0);
	assign(g, f, y, here);
	combine_marked(g, f, sum, sum, y);
	assign(g, f, here, sum);
	close_brace(g);
	close_brace(g);
	line(g, "rd_item_barrier();");
	Map after = mentioned_from(t->e, (int)(f->call - t->e->loop.body.stms.at) + 1);
	open_elements(g, t);
	for (int v = 0; v < f->n; v++)
		if (map_has(&after, var_key(f->call->pat.at[v])))
			line(g, "%s = %s[RD_ITEM(%s, %d)];", shown(g, f->call->pat.at[v]).text, s->sh[v], t->u,
			     t->items);
	close_brace(g);
}

static void scan_step(Gen *g, const Threads *t, Fold *f)
{
	const char **p = param_names(g, t, f);
	TileScan s = {0};
	open_scope(g);
	declare_scan_rooms(g, t, f, &s);
	line(g, "rd_barrier();");
	open_elements(g, t);
	bind_element(g, t, 0);
	for (int v = 0; v < f->n; v++)
		line(g, "%s[RD_ITEM(%s, %d)] = %s;", s.sh[v], t->u, t->items,
		     operand_text(g, f->call->exp->call.args.at[f->n + v]));
	close_brace(g);
	line(g, "rd_item_barrier();");
	fold_own(g, t, f, &s);
	s.e = declare_values(g, t, f, "e", NULL);
	s.all = declare_values(g, t, f, "all", NULL);
	line(g, "#ifdef RD_WARP");
	open_scope(g);
	scan_by_warps(g, t, f, &s);
	close_brace(g);
	line(g, "#else");
	open_scope(g);
	scan_in_memory(g, t, f, &s);
	close_brace(g);
	line(g, "#endif");
	if (t->chained)
		look_back(g, t, f, &s, p);
	if (is_used_later(t, f))
		scan_again(g, t, f, &s, p);
	combine_marked(g, f, p, p, s.all);
	close_brace(g);
}

static void number_folds(Threads *t)
{
	int number = 0, values = 0;
	for EACH(Fold *, f, t->folds) {
		(*f)->number = number++;
		(*f)->first_value = values;
		values += (*f)->n;
	}
}

void gen_scanned_threads(Gen *g, Threads *t)
{
	const char *tile = fresh_name(g, "tile");
	const char *type = c_scalar_type(sub_type(t->e->loop.n).elem);
	t->items = items_of(t->e);
	t->u = fresh_name(g, "u");
	t->tile = tile;
	t->derived = derived_from_index(t->e);
	t->chained = g->kernel && g->kernel->chain && g->kernel->chain->loop == t->e;
	number_folds(t);
	rts_use(g->rts, "kernel_scan");
	g->kernel->scans = true;
	g->at_block = false;
	thread_allocs(g, t);
	g->at_block = true;
	const char *step = text("%d * rd_local_size()", t->items);
	if (t->chained)
		open_brace(g, "for (%s %s = rd_tiles > 1 ? rd_tile * %s : 0; %s < %s; %s += rd_tiles > 1 ? %s : %s)", type,
		           tile, step, tile, t->n, tile, t->n, step);
	else
		open_brace(g, "for (%s %s = 0; %s < %s; %s += %s)", type, tile, tile, t->n, tile, step);
	t->m = fresh_name(g, "m");
	line(g, "int32_t %s = %s - %s < %s ? (int32_t)(%s - %s) : %s;", t->m, t->n, tile, step, t->n, tile, step);
	declare_kept(g, t);
	int from = 0;
	bool fails = false;
	for (int k = 0; k <= t->e->loop.body.stms.len; k++) {
		bool end = k == t->e->loop.body.stms.len;
		if (!end && !t->fold_at[k])
			continue;
		gen_segment(g, t, from, k);
		fails |= t->failed[from] || (!end && t->fold_at[k]->fails);
		if (!end)
			scan_step(g, t, t->fold_at[k]);
		from = k + 1;
	}
	if (fails)
		leave_if_marked(g);
	close_brace(g);
	if (t->chained) {
		line(g, "if (rd_tile + 1 < rd_tiles)");
		line(g, "\treturn;");
	}
	line(g, "rd_barrier();");
}
