// Estimates how many rows a nest needs for one thread per row to be worthwhile.
//
// A thread block that processes a short row does too little work, and each of the kernels of a
// distributed nest reads back what the previous one wrote.  So the shorter the rows, the fewer of
// them are needed: enough_threads is the number for rows of LONG_ROW elements.
//
// The elements of maps, scans and reductions, including nested ones, are counted on the host at
// run time.  Rows that contain loops, branches with such work, calls, or varying sizes count as
// long.
#include "device/flatten.h"

enum { LONG_ROW = 256 };

static bool body_work(Flatten *f, const Body *b, Sub *out);

// Of a statement, at most LONG_ROW; false: it does not count its elements.
static bool stm_work(Flatten *f, const Stm *s, Sub *out)
{
	const Exp *e = s->exp;
	Sub inner;
	if (is_again_form(e) || e->form == E_prim || e->form == E_scratch ||
	    e->form == E_upd_acc) {
		*out = sub_i64(0);
		return true;
	}
	if (e->form != E_screma || in_nest(f, e->screma.n) ||
	    !body_work(f, &e->screma.map->body, &inner))
		return false;
	Build *b = &f->b;
	Sub n = b_prim2(b, P_max, sub_i64(1), b_prim2(b, P_min, e->screma.n, sub_i64(LONG_ROW)));
	inner = b_prim2(b, P_max, sub_i64(1), b_prim2(b, P_min, inner, sub_i64(LONG_ROW)));
	*out = b_mul(b, n, inner);
	return true;
}

static bool body_work(Flatten *f, const Body *b, Sub *out)
{
	Sub all = sub_i64(0), one;
	for EACH(Stm, s, b->stms) {
		if (!stm_work(f, s, &one))
			return false;
		all = b_prim2(&f->b, P_max, all, one);
	}
	*out = all;
	return true;
}

// Rows of so many elements are as many as this number of long ones.
static Sub long_rows(Flatten *f, Sub rows, Sub elements)
{
	Build *b = &f->b;
	Sub few = b_prim2(b, P_max, sub_i64(1), b_prim2(b, P_min, elements, sub_i64(LONG_ROW)));
	int enough = threshold(AT_enough_threads);
	bool decided = rows.kind == S_CONST && (rows.val.i >= enough ||
	                                        rows.val.i < enough / LONG_ROW);
	if (decided || (few.kind == S_CONST && few.val.i == LONG_ROW))
		return rows;
	return b_mul(b, rows, b_prim2(b, P_quot, sub_i64(LONG_ROW), few));
}

// Note [Split products].  Products of matrices with few results are done in tiles, their sums in
// parts (split_folds.c), if those divide them: then so many threads for each result are there.
// Blocks that do a result each would load rows and columns again for each, columns far apart.
static Sub with_parts(Flatten *f, const Level *nest, const Exp *e, Sub rows)
{
	enum { MOST_PARTS = 32, PARTS = 16 }; // as there
	Build *b = &f->b;
	Sub n = e->screma.n;
	if (nest->depth != 2 || e->screma.reds.len != 1 || e->screma.scans.len ||
	    n.kind == S_CONST || in_nest(f, n) || !is_product_fold(f, nest, e))
		return rows;
	Sub whole = b_eq(b, b_prim2(b, P_rem, n, sub_i64(PARTS)), sub_i64(0));
	Sub parts = b_prim2(b, P_min, b_prim2(b, P_quot, n, sub_i64(threshold(AT_fold_steps))),
	                    sub_i64(MOST_PARTS));
	return b_mul(b, rows, b_select(b, whole, b_prim2(b, P_max, parts, sub_i64(1)), sub_i64(1)));
}

// The one combinator of a body.
static const Exp *only_fold(const Body *b)
{
	const Exp *found = NULL;
	for EACH(Stm, s, b->stms) {
		if (!form_has(s->exp->form, FORM_NEST))
			continue;
		if (found || s->exp->form != E_screma)
			return NULL;
		found = s->exp;
	}
	return found;
}

bool work_is_known(Flatten *f, const Body *b)
{
	Sub work;
	return body_work(f, b, &work);
}

Sub rows_of_body(Flatten *f, const Level *nest, const Body *b)
{
	Sub rows = nest_size(f, nest), work;
	const Exp *fold = only_fold(b);
	rows = body_work(f, b, &work) ? long_rows(f, rows, work) : rows;
	return fold ? with_parts(f, nest, fold, rows) : rows;
}

// Is all that its rows have to do their elements?
static bool is_counted(Flatten *f, const Exp *screma)
{
	Sub inner;
	return !in_nest(f, screma->screma.n) && body_work(f, &screma->screma.map->body, &inner) &&
	       is_int_const(inner, 0);
}

Sub rows_of_fold(Flatten *f, const Level *nest, const Exp *screma)
{
	Sub rows = nest_size(f, nest);
	return is_counted(f, screma)
	               ? with_parts(f, nest, screma, long_rows(f, rows, screma->screma.n)) : rows;
}

bool may_have_rows(Flatten *f, const Level *nest, const Exp *screma)
{
	return nest && nest->few != FEW && (nest->few == MANY || is_counted(f, screma));
}
