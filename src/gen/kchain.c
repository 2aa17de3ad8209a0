// Single-pass scans across thread blocks, with decoupled look-back.
//
// Note [Chains].  A kernel of thread blocks that consists of one such loop, with few rows, has as
// many blocks per row as there are tiles.  Every block takes the next tile (from a counter in
// memory, so that all earlier tiles have been started; on CUDA blocks start in the order of their
// numbers, on which CUB's scans rely too), scans it and publishes its aggregate.  Then it looks
// back: it combines the aggregates of preceding tiles until it finds one whose inclusive prefix is
// known.  It then publishes its own prefix and continues with its elements.  For each tile and scan
// there are
//
//     a word: 0 nothing yet, 1 the tile alone, 2 all up to its end     16 bytes, at first 0
//     the values of the tile alone; those of all up to its end         8 bytes each
//
// On CUDA, values of up to 8 bytes are stored in the status word itself, which has 8 bytes where
// that suffices.  Statements after the loop are executed by the block with the last tile, which
// knows the results.
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

static bool folds_floats(const Exp *loop)
{
	for EACH(Stm, s, loop->loop.body.stms)
		if (is_operator_call(s))
			for EACH(Var, v, s->pat)
				if (is_float(vars[v->id].type.elem))
					return true;
	return false;
}

Chain *chain_of(const Kernel *k, bool fixed_order)
{
	const Stm *found = NULL;
	if (!k->of_blocks || k->blocks.len)
		return NULL;
	for (int d = 0; d < k->nest.len; d++)
		for EACH(Stm, s, k->nest.at[d]->exp->loop.body.stms) {
			bool inner = d < k->nest.len - 1 && s == k->nest.at[d + 1];
			if (inner || (!found && is_before_chain(s)))
				continue;
			if (found ? s->exp->form == E_loop || s->exp->form == E_if_
			          : !has_attr(s->attrs, ATTR_THREADS))
				return NULL;
			found = found ? found : s;
		}
	if (!found || !has_scan(found->exp) || !is_known_before(k, found->exp->loop.n) ||
	    (fixed_order && folds_floats(found->exp)))
		return NULL;
	Chain *c = NEW(Chain, .loop = found->exp, .items = items_of(found->exp),
	               .wide = scans_lightly(found->exp));
	for EACH(Stm, s, found->exp->loop.body.stms)
		if (is_operator_call(s)) {
			c->n_scans++;
			c->n_values += s->pat.len;
		}
	return c;
}

// Several blocks to a processor, so that some load while others wait: where a thread has many
// elements, it does little with each.
const char *chain_bounds(const Chain *c)
{
	if (c->wide)
		return c->items.cuda >= 15 && c->n_values == 1 ? "RD_BOUNDS(512,4) "
		                                               : "RD_BOUNDS(512,3) ";
	return c->items.cuda >= 23 ? "RD_BOUNDS(256,4) "
	     : c->items.cuda >= 11 ? "RD_BOUNDS(256,3) "
	                           : "RD_BOUNDS(256,1) ";
}

void begin_chain(Gen *g)
{
	rts_use(g->rts, "kernel_chain");
	line(g, "#ifdef RD_BLOCKS_IN_ORDER");
	line(g, "int64_t rd_at = rd_block_id();");
	line(g, "#else");
	line(g, "RD_LOCAL int32_t *rd_next = (RD_LOCAL int32_t *)rd_shared + 2;");
	line(g, "if (rd_tiles > 1 && rd_local_id() == 0)");
	line(g, "\t*rd_next = rd_take_tile((volatile RD_GLOBAL int32_t *)rd_chain);");
	line(g, "rd_barrier();");
	line(g, "int64_t rd_at = rd_tiles > 1 ? *rd_next : rd_block_id();");
	line(g, "#endif");
	line(g,
	     "int64_t rd_id = rd_div_index(rd_at, rd_tiles), rd_tile = rd_at - rd_id * rd_tiles;");
}

// ---- Looking back ----

// How values go to and from memory that other blocks look at.
typedef struct { const char *word; const char **alone, **up_to; } ChainPlace;

static int bytes_of_values(const Threads *t, const Fold *f, int n)
{
	int bytes = 0;
	for (int v = 0; v < n; v++)
		bytes += room_size(value_type(t, f, v));
	return bytes;
}

static bool is_in_word(const Threads *t, const Fold *f)
{
	return bytes_of_values(t, f, f->n) <= 8;
}

// Words of 8 bytes have a state and up to 4 bytes, or a count; those of 16 more.
static const char *word_kind(const Threads *t, const Fold *f)
{
	return f->counts ? "count" : bytes_of_values(t, f, f->n) <= 4 ? "word" : "long_word";
}

// One value after the other.
static const char *to_bits(const Threads *t, const Fold *f, const char *const *values)
{
	Str s = {0};
	for (int v = 0; v < f->n; v++) {
		PrimType type = value_type(t, f, v);
		const char *bits = type == PT_F64 ? text("rd_bits_of_double(%s)", values[v])
		                 : is_float(type) ? text("rd_bits_of_float(%s)", values[v])
		                 : text("(uint%d_t)%s", 8 * primtype_size(type), values[v]);
		str_printf(&s, "%s", v ? " | " : "");
		str_printf(&s, f->n > 1 ? "(uint64_t)%s << %d" : "%s", bits,
		           8 * bytes_of_values(t, f, v));
	}
	return str_text(&s);
}

static const char *of_bits(const Threads *t, const Fold *f, int v, const char *bits)
{
	PrimType type = value_type(t, f, v);
	const char *x = v ? text("(%s >> %d)", bits, 8 * bytes_of_values(t, f, v)) : bits;
	return type == PT_F64 ? text("rd_double_of_bits(%s)", x)
	     : is_float(type) ? text("rd_float_of_bits((uint32_t)%s)", x)
	     : text("(%s)(uint%d_t)%s", c_scalar_type(type), 8 * primtype_size(type), x);
}

// What tile `at` says: all words lie together, then the values.
static ChainPlace chain_place(Gen *g, const Threads *t, const Fold *f, const char *at)
{
	ChainPlace p = {.alone = texts(f->n), .up_to = texts(f->n)};
	const Chain *c = g->kernel->chain;
	p.word = text("rd_chain + 16 * (1 + %d * rd_n_blocks()) + %d * %s", f->number,
	              is_in_word(t, f) && strcmp(word_kind(t, f), "long_word") != 0 ? 8 : 16, at);
	for (int v = 0; v < f->n; v++) {
		const char *type = room_type(g, value_type(t, f, v));
		int first = 2 * (c->n_scans + f->first_value);
		p.alone[v] = text(
			"*(volatile RD_GLOBAL %s *)(rd_chain + 16 + 8 * (%d * rd_n_blocks() + %s))",
			type, first + v, at);
		p.up_to[v] = text(
			"*(volatile RD_GLOBAL %s *)(rd_chain + 16 + 8 * (%d * rd_n_blocks() + %s))",
			type, first + f->n + v, at);
	}
	return p;
}

static void tell(Gen *g, const Threads *t, const Fold *f, int state, const char *const *values)
{
	ChainPlace p = chain_place(g, t, f, "rd_at");
	if (is_in_word(t, f)) {
		line(g, "#ifdef RD_WORDS");
		line(g, "rd_put_%s(%s, %d, %s);", word_kind(t, f), p.word, state,
		     to_bits(t, f, values));
		line(g, "#else");
	}
	assign(g, f, state == 1 ? p.alone : p.up_to, values);
	line(g, "rd_put_state(%s, %d);", p.word, state);
	if (is_in_word(t, f))
		line(g, "#endif");
}

static void get_values(Gen *g, const Fold *f, const ChainPlace *p, const char *state,
                       const char *const *to)
{
	s_if(g->c, x_binary(x_name(state), "==", x_int(1), PREC_COMPARE));
	assign(g, f, to, p->alone);
	s_else_if(g->c, x_binary(x_name(state), "==", x_int(2), PREC_COMPARE));
	assign(g, f, to, p->up_to);
	s_close(g->c);
}

// to = older, or what both are together.
static void put_before(Gen *g, const Fold *f, const char *is_first, const char *const *to,
                       const char *const *older)
{
	open_brace(g, "if (%s)", is_first);
	assign(g, f, to, older);
	s_else(g->c);
	combine_marked(g, f, to, older, to);
	s_close(g->c);
}

// Whoever waits for a block that has failed waits for ever.
static const char *is_hopeless(const Gen *g)
{
	return g->kernel->can_fail ? "RD_FAILED_MEANWHILE" : "0";
}

// One thread asks tile after tile.
static void look_back_alone(Gen *g, const Threads *t, const Fold *f, const char **before)
{
	const char *at = fresh_name(g, "at"), *state = fresh_name(g, "state");
	ChainPlace p = chain_place(g, t, f, at);
	open_brace(g, "if (rd_local_id() == 0)");
	line(g, "int32_t %s = 1;", state);
	open_brace(g, "for (int64_t %s = rd_at - 1; %s == 1; %s--)", at, state, at);
	const char **y = declare_values(g, t, f, "y", NULL);
	line(g, "while (!(%s = rd_get_state(%s)) && !%s)", state, p.word, is_hopeless(g));
	line(g, "\t;");
	line(g, "rd_fence();");
	get_values(g, f, &p, state, y);
	if (g->kernel->can_fail) {
		open_brace(g, "if (!%s)", state);
		line(g, "*rd_mark = 1;");
		line(g, "%s = 2;", state);
		s_close(g->c);
	}
	put_before(g, f, text("%s == rd_at - 1", at), before, y);
	s_close(g->c);
	s_close(g->c);
}

// The lanes of a warp look at a tile each, again and again until all are known that lie between
// this one and the first that knows everything up to its end; or, where none does, all of them.
static void look_back_by_warp(Gen *g, const Threads *t, const Fold *f, const char **before)
{
	const char *from = fresh_name(g, "from"), *at = fresh_name(g, "at"),
		   *mask = fresh_name(g, "mask");
	const char *last = fresh_name(g, "last"), *step = fresh_name(g, "step"),
		   *word = fresh_name(g, "word");
	bool in_word = is_in_word(t, f);
	const char *state = in_word ? text("%s.state", word) : word;
	ChainPlace p = chain_place(g, t, f, at);
	open_brace(g, "if (rd_warp() == 0)");
	// whoever asks too early, or too often, keeps memory from the others
	line(g, "rd_sleep(1000);");
	open_brace(g, "for (int64_t %s = rd_at; ; %s -= 32)", from, from);
	line(g, "int64_t %s = %s - 1 - rd_lane();", at, from);
	line(g, "%s %s;", in_word ? "struct rd_word" : "int32_t", word);
	line(g, "uint32_t %s = 0;", mask);
	open_brace(g, "for (int32_t tries = 1; ; tries++)");
	line(g, "%s = 3;", state); // before the first tile: nothing
	line(g, "if (%s >= rd_at - rd_tile)", at);
	line(g, "\t%s = rd_get_%s(%s);", word, in_word ? word_kind(t, f) : "state", p.word);
	line(g, "%s = __ballot_sync(0xffffffffu, %s == 2);", mask, state);
	line(g, "uint32_t waits = __ballot_sync(0xffffffffu, %s == 0);", state);
	line(g, "if (!waits || (%s && __ffs(%s) < __ffs(waits)))", mask, mask);
	line(g, "\tbreak;");
	if (g->kernel->can_fail) {
		open_brace(g, "if (tries %% 64 == 0 && __any_sync(0xffffffffu, %s))",
		           is_hopeless(g));
		line(g, "*rd_mark = 1;");
		line(g, "%s = 1;", mask);
		line(g, "break;");
		s_close(g->c);
	}
	line(g, "rd_sleep(300);");
	s_close(g->c);
	const char **y = declare_values(g, t, f, "y", NULL);
	if (in_word) {
		for (int v = 0; v < f->n; v++)
			line(g, "%s = %s;", y[v], of_bits(t, f, v, text("%s.bits", word)));
	} else {
		line(g, "rd_fence();");
		get_values(g, f, &p, state, y);
	}
	line(g, "int32_t %s = %s ? __ffs(%s) - 1 : 31;", last, mask, mask);
	open_brace(g, "for (int32_t %s = 1; %s < 32; %s *= 2)", step, step, step);
	const char **older = shuffled(g, t, f, "rd_shuffle_down", y, step);
	open_brace(g, "if (rd_lane() + %s <= %s)", step, last);
	combine_marked(g, f, y, older, y);
	s_close(g->c);
	s_close(g->c);
	put_before(g, f, text("%s == rd_at", from), before, y);
	line(g, "if (%s)", mask);
	line(g, "\tbreak;");
	s_close(g->c);
	s_close(g->c);
}

// The block says what its tile amounts to, as soon as it knows.
void tell_alone(Gen *g, const Threads *t, const Fold *f, const TileScan *s)
{
	open_brace(g, "if (RD_MAY_CHAIN(rd_tiles) && rd_tile > 0 && rd_local_id() == 0)");
	tell(g, t, f, 1, s->all);
	s_close(g->c);
}

// The parameters of the loop become what all tiles before this one amount to.
void look_back(Gen *g, const Threads *t, const Fold *f, const TileScan *s, const char **p)
{
	open_brace(g, "if (RD_MAY_CHAIN(rd_tiles))");
	const char **before = declare_values(g, t, f, "before", p),
		   **up_to = declare_values(g, t, f, "y", NULL);
	const char **shared = elements_at(s->few, f->n, "RD_BEFORE");
	open_brace(g, "if (rd_tile > 0)");
	line(g, "#ifdef RD_WORDS");
	look_back_by_warp(g, t, f, before);
	line(g, "#else");
	look_back_alone(g, t, f, before);
	line(g, "#endif");
	s_close(g->c);
	open_brace(g, "if (rd_tiles > 1 && rd_local_id() == 0)");
	combine_marked(g, f, up_to, before, s->all);
	tell(g, t, f, 2, up_to);
	s_close(g->c);
	line(g, "rd_before_barrier();");
	open_brace(g, "if (rd_tiles > 1 && rd_local_id() == 0)");
	assign(g, f, shared, before);
	s_close(g->c);
	if (g->kernel->can_fail)
		leave_if_marked(g);
	else
		line(g, "rd_barrier();");
	open_brace(g, "if (rd_tiles > 1)");
	assign(g, f, p, shared);
	s_close(g->c);
	s_close(g->c);
}
