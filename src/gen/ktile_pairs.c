// Tiled kernels: which loads can be done in pairs of neighbours.
//
//     bool even;                     all rows along the dimension of pairs begin at even places,
//     even = rd_is_even(&a[0]) && rd_is_even(&a[n]);           which does not depend on the tile
#include "gen/ktile.h"

static void set_even(Gen *g, Tiling *t, const void *arg)
{
	const TileLoad *l = arg;
	const Exp *e = l->s->exp;
	int rank = e->index.idx.len;
	CExp *index = NEW_ARRAY(CExp, rank);
	CExp even = NULL;
	(void)t;
	// the first element, and the next ones along the other dimensions
	for (int first = 0; first < rank; first++) {
		for (int i = 0; i < rank; i++)
			index[i] = x_int(i == first && i != l->near_dim);
		CExp one = x_quote("rd_is_even(&$1)", element(g, sub_type(e->index.arr), index));
		even = even ? x_quote("$1 && $2", even, one) : one;
	}
	settle_all(g);
	s_assign(g->c, x_name(l->even), even);
}

void declare_even(Gen *g, Tiling *t, TileLoad *l)
{
	Needed needed = {0};
	l->even = fresh_name(g, "even");
	s_declare(g->c, "bool", l->even, NULL);
	s_scope(g->c);
	show_as(g, t->k->nest.at[t->y]->exp->loop.i, x_int(0));
	show_as(g, t->k->nest.at[t->x]->exp->loop.i, x_int(0));
	need_exp(&needed, l->s->exp);
	need_nest(t, &needed);
	in_tiled_nest(g, t, 0, &needed, set_even, l);
	s_close(g->c);
}
