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
	s_ifdef(g->c, "ifdef RD_BLOCKS_IN_ORDER");
	quote(g->c, "int64_t rd_at = rd_block_id();");
	s_else(g->c);
	quote(g->c, "RD_LOCAL int32_t *rd_next = (RD_LOCAL int32_t *)rd_shared + 2;"
	            "if (rd_tiles > 1 && rd_local_id() == 0)"
	            "        *rd_next = rd_take_tile((volatile RD_GLOBAL int32_t *)rd_chain);"
	            "rd_barrier();"
	            "int64_t rd_at = rd_tiles > 1 ? *rd_next : rd_block_id();");
	s_close(g->c);
	quote(g->c, "int64_t rd_id = rd_div_index(rd_at, rd_tiles),"
	            "        rd_tile = rd_at - rd_id * rd_tiles;");
}

// ---- Looking back ----

// How values go to and from memory that other blocks look at.
typedef struct { CExp word, *alone, *up_to; } ChainPlace;

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

static int word_bytes(const Threads *t, const Fold *f)
{
	return f->counts || bytes_of_values(t, f, f->n) <= 4 ? 8 : 16;
}

// One value after the other.
static CExp to_bits(const Threads *t, const Fold *f, const CExp *values)
{
	CExp all = NULL;
	for (int v = 0; v < f->n; v++) {
		PrimType type = value_type(t, f, v);
		CExp bits = type == PT_F64 ? x_call("rd_bits_of_double", values[v])
		          : is_float(type) ? x_call("rd_bits_of_float", values[v])
		          : x_quote("(uint$1_t)$2", 8 * primtype_size(type), values[v]);
		if (f->n > 1)
			bits = x_quote("(uint64_t)$1 << $2", bits, 8 * bytes_of_values(t, f, v));
		all = all ? x_bits(all, "|", bits) : bits;
	}
	return all;
}

static CExp of_bits(const Threads *t, const Fold *f, int v, CExp bits)
{
	PrimType type = value_type(t, f, v);
	CExp x = v ? x_quote("$1 >> $2", bits, 8 * bytes_of_values(t, f, v)) : bits;
	return type == PT_F64 ? x_call("rd_double_of_bits", x)
	     : is_float(type) ? x_quote("rd_float_of_bits((uint32_t)$1)", x)
	     : x_quote("($1)(uint$2_t)$3", c_scalar_type(type), 8 * primtype_size(type), x);
}

// What tile `at` says: all words lie together, then the values.
static ChainPlace chain_place(Gen *g, const Threads *t, const Fold *f, const char *at)
{
	ChainPlace p = {.alone = NEW_ARRAY(CExp, f->n), .up_to = NEW_ARRAY(CExp, f->n)};
	int first = 2 * (g->kernel->chain->n_scans + f->first_value);
	p.word = x_quote("rd_chain + 16 * (1 + $1 * rd_n_blocks()) + $2 * $3", f->number,
	                 word_bytes(t, f), at);
	for (int v = 0; v < 2 * f->n; v++)
		(v < f->n ? p.alone : p.up_to)[v % f->n] = x_quote(
			"*(volatile RD_GLOBAL $1 *)(rd_chain + 16 + 8 * ($2 * rd_n_blocks() + $3))",
			room_type(g, value_type(t, f, v % f->n)), first + v, at);
	return p;
}

static void tell(Gen *g, const Threads *t, const Fold *f, int state, const CExp *values)
{
	ChainPlace p = chain_place(g, t, f, "rd_at");
	if (is_in_word(t, f)) {
		s_ifdef(g->c, "ifdef RD_WORDS");
		quote(g->c, "rd_put_$1($2, $3, $4);", word_kind(t, f), p.word, state,
		      to_bits(t, f, values));
		s_else(g->c);
	}
	assign(g, f, state == 1 ? p.alone : p.up_to, values);
	quote(g->c, "rd_put_state($1, $2);", p.word, state);
	if (is_in_word(t, f))
		s_close(g->c);
}

static void get_values(Gen *g, const Fold *f, const ChainPlace *p, CExp state, const CExp *to)
{
	s_if(g->c, x_quote("$1 == 1", state));
	assign(g, f, to, p->alone);
	s_else_if(g->c, x_quote("$1 == 2", state));
	assign(g, f, to, p->up_to);
	s_close(g->c);
}

// to = older, or what both are together.
static void put_before(Gen *g, const Fold *f, CExp is_first, const CExp *to, const CExp *older)
{
	s_if(g->c, is_first);
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
static void look_back_alone(Gen *g, const Threads *t, const Fold *f, const CExp *before)
{
	const char *at = fresh_name(g, "at"), *state = fresh_name(g, "state");
	ChainPlace p = chain_place(g, t, f, at);
	quote(g->c, "if (rd_local_id() == 0)");
	quote(g->c, "int32_t $1 = 1;", state);
	quote(g->c, "for (int64_t $1 = rd_at - 1; $2 == 1; $1--)", at, state);
	CExp *y = declare_values(g, t, f, "y", NULL);
	quote(g->c, "while (!($1 = rd_get_state($2)) && !$3);", state, p.word, is_hopeless(g));
	quote(g->c, "rd_fence();");
	get_values(g, f, &p, x_name(state), y);
	if (g->kernel->can_fail)
		quote(g->c, "if (!$1) { *rd_mark = 1; $1 = 2; }", state);
	put_before(g, f, x_quote("$1 == rd_at - 1", at), before, y);
	s_close(g->c);
	s_close(g->c);
}

// Asks again and again; mask: the lanes whose tiles know everything up to their ends.
static void wait_for_tiles(Gen *g, const Threads *t, const Fold *f, const char *at,
                           const char *word, CExp state, const char *mask)
{
	bool in_word = is_in_word(t, f);
	quote(g->c, "$1 $2; uint32_t $3 = 0;", in_word ? "struct rd_word" : "int32_t", word, mask);
	quote(g->c, "for (int32_t tries = 1; ; tries++)");
	quote(g->c, "$1 = 3;", state); // before the first tile: nothing
	quote(g->c, "if ($1 >= rd_at - rd_tile) $2 = rd_get_$3($4);", at, word,
	      in_word ? word_kind(t, f) : "state", chain_place(g, t, f, at).word);
	quote(g->c, "$1 = __ballot_sync(0xffffffffu, $2 == 2);"
	            "uint32_t waits = __ballot_sync(0xffffffffu, $2 == 0);"
	            "if (!waits || ($1 && __ffs($1) < __ffs(waits))) break;",
	      mask, state);
	if (g->kernel->can_fail)
		quote(g->c, "if (tries % 64 == 0 && __any_sync(0xffffffffu, $1)) {"
		            "        *rd_mark = 1; $2 = 1; break;"
		            "}",
		      is_hopeless(g), mask);
	quote(g->c, "rd_sleep(300);");
	s_close(g->c);
}

// The lanes of a warp look at a tile each, again and again until all are known that lie between
// this one and the first that knows everything up to its end; or, where none does, all of them.
static void look_back_by_warp(Gen *g, const Threads *t, const Fold *f, const CExp *before)
{
	const char *from = fresh_name(g, "from"), *at = fresh_name(g, "at"),
		   *mask = fresh_name(g, "mask");
	const char *last = fresh_name(g, "last"), *step = fresh_name(g, "step"),
		   *word = fresh_name(g, "word");
	bool in_word = is_in_word(t, f);
	CExp state = in_word ? x_member(x_name(word), "state") : x_name(word);
	quote(g->c, "if (rd_warp() == 0)");
	// whoever asks too early, or too often, keeps memory from the others
	quote(g->c, "rd_sleep(1000);");
	quote(g->c, "for (int64_t $1 = rd_at; ; $1 -= 32)", from);
	quote(g->c, "int64_t $1 = $2 - 1 - rd_lane();", at, from);
	wait_for_tiles(g, t, f, at, word, state, mask);
	CExp *y = declare_values(g, t, f, "y", NULL);
	if (in_word) {
		for (int v = 0; v < f->n; v++)
			s_assign(g->c, y[v], of_bits(t, f, v, x_member(x_name(word), "bits")));
	} else {
		ChainPlace p = chain_place(g, t, f, at);
		quote(g->c, "rd_fence();");
		get_values(g, f, &p, state, y);
	}
	quote(g->c, "int32_t $1 = $2 ? __ffs($2) - 1 : 31;", last, mask);
	quote(g->c, "for (int32_t $1 = 1; $1 < 32; $1 *= 2)", step);
	CExp *older = shuffled(g, t, f, "rd_shuffle_down", y, x_name(step));
	quote(g->c, "if (rd_lane() + $1 <= $2)", step, last);
	combine_marked(g, f, y, older, y);
	s_close(g->c);
	s_close(g->c);
	put_before(g, f, x_quote("$1 == rd_at", from), before, y);
	quote(g->c, "if ($1) break;", mask);
	s_close(g->c);
	s_close(g->c);
}

// The block says what its tile amounts to, as soon as it knows.
void tell_alone(Gen *g, const Threads *t, const Fold *f, const TileScan *s)
{
	quote(g->c, "if (RD_MAY_CHAIN(rd_tiles) && rd_tile > 0 && rd_local_id() == 0)");
	tell(g, t, f, 1, s->all);
	s_close(g->c);
}

// The parameters of the loop become what all tiles before this one amount to.
void look_back(Gen *g, const Threads *t, const Fold *f, const TileScan *s, const CExp *p)
{
	quote(g->c, "if (RD_MAY_CHAIN(rd_tiles))");
	CExp *before = declare_values(g, t, f, "before", p),
	     *up_to = declare_values(g, t, f, "y", NULL);
	CExp *shared = elements_at(s->few, f->n, x_const("RD_BEFORE"));
	quote(g->c, "if (rd_tile > 0)");
	s_ifdef(g->c, "ifdef RD_WORDS");
	look_back_by_warp(g, t, f, before);
	s_else(g->c);
	look_back_alone(g, t, f, before);
	s_close(g->c);
	s_close(g->c);
	quote(g->c, "if (rd_tiles > 1 && rd_local_id() == 0)");
	combine_marked(g, f, up_to, before, s->all);
	tell(g, t, f, 2, up_to);
	s_close(g->c);
	s_barrier_of(g->c, "rd_before_barrier");
	quote(g->c, "if (rd_tiles > 1 && rd_local_id() == 0)");
	assign(g, f, shared, before);
	s_close(g->c);
	if (g->kernel->can_fail)
		leave_if_marked(g);
	else
		s_barrier(g->c);
	quote(g->c, "if (rd_tiles > 1)");
	assign(g, f, p, shared);
	s_close(g->c);
	s_close(g->c);
}
