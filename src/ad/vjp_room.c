// How a memory budget is divided (vjp_budget.c): so many snapshots, and records for blocks of so
// many iterations, that the fewest iterations are executed.
//
// Note [The division].  n iterations in blocks of m have b = ceil (n / m) - 1 blocks before the
// last one.  With s snapshots, and r such that C(s + r, s) >= b, their states are found again with
// r * b - C(s + r, s + 1) executions of a block (vjp_blocks.c), those of the forward sweep among
// them; then each block is executed for its records, but for its last iteration (vjp_tape.c), and
// once more by the return sweep.  Blocks also cost something by themselves: states are copied,
// memory is found, places are computed.  That is counted as bytes, an iteration as those it leaves.
//
// Note [Size classes].  The run-time has blocks of memory of some sizes only, four for each power
// of two (rts/c/memory.h).  Arrays are counted as what they occupy, and numbers of rows are those
// that fill a block: snapshots are tried with all sizes that there are.
#include "ad/vjp_loop.h"

enum { SMALLEST_BLOCK = 64 };

// ---- Size classes ----

// How far the two bits after the first one are shifted: a class is a multiple of their unit.
static Sub unit_of(Build *b, Sub bytes)
{
	return b_sub(b, sub_i64(61), b_convert(b, PT_I64, b_prim1(b, P_clz, bytes)));
}

Sub block_for(Build *b, Sub bytes)
{
	Sub one = sub_i64(1);
	Sub below = b_sub(b, b_prim2(b, P_max, bytes, sub_i64(SMALLEST_BLOCK)), one);
	Sub unit = unit_of(b, below);
	return b_prim2(b, P_shl, b_add(b, b_prim2(b, P_lshr, below, unit), one), unit);
}

// The largest class of at most so many bytes; 0: there is none.
static Sub class_within(Build *b, Sub bytes)
{
	Sub least = sub_i64(SMALLEST_BLOCK), some = b_prim2(b, P_max, bytes, least);
	Sub unit = unit_of(b, some);
	Sub down = b_prim2(b, P_shl, b_prim2(b, P_lshr, some, unit), unit);
	return b_select(b, b_lt(b, bytes, least), sub_i64(0), down);
}

static Sub quotient(Build *b, Sub x, Sub y)
{
	return b_prim2(b, P_quot, x, b_prim2(b, P_max, y, sub_i64(1)));
}

static Sub f64(Build *b, Sub x)
{
	return b_convert(b, PT_F64, x);
}

static Sub ratio(Build *b, Sub x, Sub y)
{
	return b_prim2(b, P_div, x, y);
}

Sub size_of_all(Build *b, Subs xs)
{
	Sub sum = sub_i64(0);
	for EACH(Sub, x, xs)
		sum = b_add(b, sum, *x);
	return sum;
}

// So many rows of arrays fit: each array has the smallest block, and a part of the rest as its rows
// are of all rows.
static Sub rows_in(Build *b, Sub bytes, Subs sizes)
{
	Sub most = sub_i64(INT64_MAX), zero = sub_i64(0), least = sub_i64(SMALLEST_BLOCK);
	Sub rest = b_sub(b, bytes, sub_i64(SMALLEST_BLOCK * sizes.len));
	Sub all = b_prim2(b, P_max, size_of_all(b, sizes), sub_i64(1));
	Sub part = ratio(b, f64(b, rest), f64(b, all));
	for EACH(Sub, x, sizes) {
		Sub more = b_convert(b, PT_I64, b_mul(b, part, f64(b, *x)));
		Sub share = sizes.len == 1 ? bytes : b_add(b, least, more);
		Sub rows = quotient(b, class_within(b, share), *x);
		most = b_prim2(b, P_min, most, b_select(b, b_le(b, *x, zero), most, rows));
	}
	return most;
}

static Sub blocks_for(Build *b, Sub rows, Subs sizes)
{
	Sub sum = sub_i64(0);
	for EACH(Sub, x, sizes)
		sum = b_add(b, sum, block_for(b, b_mul(b, rows, *x)));
	return sum;
}

// ---- The division ----

static Sub ceiling(Build *b, Sub x, Sub y)
{
	return quotient(b, b_add(b, x, b_sub(b, y, sub_i64(1))), y);
}

// The blocks before the last one.
static Sub rounds_of(Build *b, Sub n, Sub block)
{
	return b_prim2(b, P_max, sub_i64(0), b_sub(b, ceiling(b, n, block), sub_i64(1)));
}

// How often an iteration is executed before the return sweep does; see Note [The division].
static Sub executions(Build *b, Sub n, Sub rounds_, Sub snapshots, Sub block, Sub overhead)
{
	enum { MANY_ROUNDS = 64 };
	Sub rounds = f64(b, rounds_), s = f64(b, snapshots), m = f64(b, block), one = sub_f64(1);
	Subs rc = rounds_for(b, rounds, s, MANY_ROUNDS);
	Sub r = rc.at[0], c = rc.at[1];
	Sub saved = ratio(b, ratio(b, b_mul(b, c, r), b_add(b, s, one)), rounds);
	Sub many = ratio(b, b_mul(b, sub_f64(MANY_ROUNDS), rounds), c);
	Sub advances = b_select(b, b_lt(b, c, rounds), many, b_sub(b, r, saved));
	Sub each = b_add(b, advances, ratio(b, b_add(b, b_sub(b, m, one), overhead), m));
	return b_mul(b, each, ratio(b, b_mul(b, rounds, m), f64(b, n)));
}

// Of all sizes of memory for snapshots: the number of snapshots and the length of blocks.
static Subs search(Build *b, Sub n, Sub share, Subs states, Subs records)
{
	enum { SMALL_WORK = 256 };
	Type i64 = type_scalar(PT_I64), bool_ = type_scalar(PT_BOOL), f = type_scalar(PT_F64);
	Type types[] = {bool_, i64, f, i64, i64};
	static const char *const names[] = {"go", "bytes", "cost", "snapshots", "block"};
	enum { GO, BYTES, COST, SNAPSHOTS, BLOCK, N };
	Vars now = {NEW_ARRAY(Var, N), N}, best = {NEW_ARRAY(Var, N), N};
	for (int i = 0; i < N; i++) {
		now.at[i] = var_new(name_of(names[i]), types[i]);
		best.at[i] = var_new(name_of(names[i]), types[i]);
	}
	Sub one = sub_i64(1), state = one, first = class_within(b, share);
	for EACH(Sub, x, states)
		state = b_prim2(b, P_max, state, *x);
	Sub work = b_add(b, quotient(b, state, sub_i64(2)), sub_i64(SMALL_WORK));
	Sub record = b_prim2(b, P_max, size_of_all(b, records), one);
	Sub overhead = ratio(b, f64(b, work), f64(b, record));
	b_open(b);
	Sub bytes = sub_var(now.at[BYTES]), snapshots = quotient(b, bytes, state);
	Sub left = b_sub(b, share, blocks_for(b, snapshots, states));
	Sub rows = rows_in(b, left, records);
	Sub rounds = b_prim2(b, P_max, rounds_of(b, n, b_prim2(b, P_max, rows, one)), one);
	Sub block = ceiling(b, n, b_add(b, rounds, one));       // as long as the last one
	snapshots = b_prim2(b, P_min, rounds, snapshots);
	Sub cost = executions(b, n, rounds, snapshots, block, overhead);
	Sub better = b_prim2(b, P_and, b_le(b, one, rows), b_lt(b, cost, sub_var(now.at[COST])));
	Sub smaller = class_within(b, b_sub(b, bytes, one));
	Body body = b_close(b, subs_of(N, b_le(b, state, smaller), smaller,
	                               b_select(b, better, cost, sub_var(now.at[COST])),
	                               b_select(b, better, snapshots, sub_var(now.at[SNAPSHOTS])),
	                               b_select(b, better, block, sub_var(now.at[BLOCK]))));
	b_stm(b, best, EXP(loop, .params = now, .is_while = true, .while_cond = now.at[GO],
	                   .inits = subs_of(N, b_le(b, state, first), first, sub_f64(1e300), one,
	                                    one),
	                   .body = body));
	return subs_of(2, sub_var(best.at[SNAPSHOTS]), sub_var(best.at[BLOCK]));
}

Blocks choose_blocks(Build *b, Sub n, Sub share, Subs states, Subs records)
{
	Type i64 = type_scalar(PT_I64);
	Sub fits = b_le(b, n, rows_in(b, share, records)), one = sub_i64(1);
	b_open(b);
	Body no = b_close(b, search(b, n, share, states, records));
	Body yes = {.res = subs_of(2, one, b_prim2(b, P_max, n, one))};
	Types both = {mem_dup((Type[]){i64, i64}, 2 * sizeof(Type)), 2};
	Subs chosen = b_lets(b, "blocks", both, EXP(if_, fits, yes, no));
	Blocks k = {.n = n, .snapshots = chosen.at[0], .block = chosen.at[1]};
	k.rounds = rounds_of(b, n, k.block);
	k.snapshots = b_prim2(b, P_min, k.rounds, k.snapshots);
	return k;
}
