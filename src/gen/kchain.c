// Scans that are shared out among blocks of threads, which pass on what they have.
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

// ---- Which kernels ----

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
	open_brace(g, "if (RD_MAY_CHAIN(rd_tiles))");
	line(g, "if (rd_tiles > 1 && rd_local_id() == 0)");
	line(g, "\t*rd_next = rd_take_tile((volatile RD_GLOBAL int32_t *)rd_chain);");
	line(g, "rd_barrier();");
	close_brace(g);
	line(g, "int64_t rd_at = rd_tiles > 1 ? *rd_next : rd_block_id();");
	line(g, "int64_t rd_id = rd_div_index(rd_at, rd_tiles), rd_tile = rd_at - rd_id * rd_tiles;");
	g->kernel->marks_failures = true; // of those who wait
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
void look_back(Gen *g, const Threads *t, const Fold *f, const TileScan *s, const char **p)
{
	open_brace(g, "if (RD_MAY_CHAIN(rd_tiles))");
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
	open_brace(g, "if (rd_tiles > 1 && rd_local_id() == 0)");
	combine_marked(g, f, up_to, before, s->all);
	tell(g, t, f, 2, up_to);
	assign(g, f, elements_at(s->few, f->n, "0"), before);
	close_brace(g);
	leave_if_marked(g);
	open_brace(g, "if (rd_tiles > 1)");
	assign(g, f, p, elements_at(s->few, f->n, "0"));
	close_brace(g);
	close_brace(g);
}
