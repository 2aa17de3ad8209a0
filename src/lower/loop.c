// Loops.
//
//   loop (k, xs) = e for i < n do b      params: sizes that vary, then the flat parts of the
//                                        pattern; each iteration gives new ones of all
//   loop p = e while c do b              the condition is one more parameter, computed from
//                                        the initial values and after each iteration
//   loop p = e for q in xs do b          for i < length xs, with q = xs[i]
#include "lower/lower_internal.h"

typedef struct {
	Expr *e;
	Frame *frame;           // outside
	Tele *tele;             // of the parameters
	Vars params;
	Subs inits;
	Attributes attrs;
} Loop;

static Var var_of(Subs *inits, Vars *params, Name hint, Type t, Sub init)
{
	Var v = var_new(hint, t);
	Vars ps = {NEW_ARRAY(Var, params->len + 1), params->len + 1};
	if (params->len)
		memcpy(ps.at, params->at, (size_t)params->len * sizeof(Var));
	ps.at[params->len] = v;
	*params = ps;
	*inits = subs_cat(*inits, subs_of(1, init));
	return v;
}

// The loop condition, with the pattern bound to a value.
static Sub condition(Lower *L, const Loop *l, Val *v)
{
	Frame *f = frame_new(L, l->frame);
	bind_pat(L, f, l->e->loop.pat, v);
	return lower_scalar(L, f, l->e->loop.bound);
}

// #[true_dep] on a part of the pattern becomes an attribute true_dep(k) of the loop for each
// parameter k that it stands for, counted from zero.
static void note_true_deps(Loop *l, const Pat *p, const Rep *r, int at)
{
	switch (p->kind) {
	case PAT_ATTR:
		if (strcmp(p->attr.attr->name, "true_dep") == 0)
			for (int i = 0; i < r->flat.len; i++)
				l->attrs = with_attr_text(l->attrs, text("true_dep(%d)", at + i));
		note_true_deps(l, p->inner, r, at);
		return;
	case PAT_PAREN: case PAT_ASCRIBE:
		note_true_deps(l, p->inner, r, at);
		return;
	case PAT_TUPLE: case PAT_RECORD: {
		FieldPats fields = pat_fields(p);
		for EACH(FieldPat, field, fields) {
			int i = rep_field(r, field->name);
			note_true_deps(l, field->pat, r->fields.at[i], at + rep_offset(r, i));
		}
		return;
	}
	case PAT_NAME: case PAT_WILD: case PAT_LIT: case PAT_CONSTR:
		return;
	}
	bug("kind of pattern");
}

// Names for the parameters: those of the pattern where it is a tuple of names.
static void name_params(const Loop *l)
{
	const Pat *p = pat_plain(l->e->loop.pat);
	int at = l->tele->sizes.len;
	if (p->kind != PAT_TUPLE || l->tele->type->rep->kind != R_RECORD)
		return;
	for (int i = 0; i < p->tuple.len; i++)
		for (int j = 0; j < l->tele->type->rep->fields.at[i]->flat.len; j++)
			vars[l->params.at[at++].id].hint = pat_hint(p->tuple.at[i]);
}

static Body loop_body(Lower *L, const Loop *l, Var i, Val *elems, bool is_while)
{
	Expr *e = l->e;
	Frame *f = frame_new(L, l->frame);
	b_open(&L->b);
	Vars mine = {l->params.at, l->params.len - (is_while ? 1 : 0)};
	Val *v = tele_val(l->tele, NULL, subs_of_vars(mine));
	bind_pat(L, f, e->loop.pat, v);
	if (e->loop.kind == LOOP_FOR && e->loop.index_binding)
		frame_bind(f, e->loop.index_binding, val_scalar(L, sub_var(i)));
	if (e->loop.kind == LOOP_IN)
		bind_pat(L, f, e->loop.elem, array_row(L, elems, sub_var(i)));
	Val *r = lower_expr(L, f, e->loop.body);
	set_where(L, e->span);
	Subs res = tele_subs(L, l->tele, r);
	if (is_while) {
		Subs again = res;
		res = subs_cat(res, subs_of(1, condition(L, l, tele_val(l->tele, NULL, again))));
	}
	return b_close(&L->b, res);
}

static Val *loop_result(Lower *L, const Loop *l, Exp *e, bool is_while)
{
	set_where(L, l->e->span);
	Vars pat = tele_vars(l->tele, name_of("r"));
	Subs dummy = {0};
	Vars all = pat;
	if (is_while)
		var_of(&dummy, &all, name_of("c"), type_scalar(PT_BOOL), sub_bool(false));
	emit_main(L, l->attrs, all, e);
	return tele_val(l->tele, NULL, subs_of_vars(pat));
}

Val *lower_loop(Lower *L, Frame *f, Expr *e)
{
	Loop l = {.e = e, .frame = f, .attrs = take_attrs(L)};
	bool is_while = e->loop.kind == LOOP_WHILE;
	Val *init = lower_expr(L, f, e->loop.init ? e->loop.init : e->loop.init_implied);
	Val *bound = is_while ? NULL : lower_expr(L, f, e->loop.bound);
	set_where(L, e->span);
	l.tele = tele_of(ltype(L, f, e->loop.pat->type, false));
	l.inits = tele_subs(L, l.tele, init);
	l.params = tele_vars(l.tele, pat_hint(e->loop.pat));
	name_params(&l);
	note_true_deps(&l, e->loop.pat, l.tele->type->rep, l.tele->sizes.len);
	Exp *x = EXP(loop, .is_while = is_while);
	Val *elems = e->loop.kind == LOOP_IN ? bound : NULL;
	if (is_while) {
		Sub c = condition(L, &l, tele_val(l.tele, NULL, l.inits));
		x->loop.while_cond = var_of(&l.inits, &l.params, name_of("c"),
		                            type_scalar(PT_BOOL), c);
	} else {
		x->loop.n = elems ? val_dim(elems, 0) : val_sub(bound);
		bool has_name = e->loop.kind == LOOP_FOR && e->loop.index;
		Name hint = has_name ? e->loop.index : name_of("i");
		x->loop.i = var_new(hint, type_scalar(sub_type(x->loop.n).elem));
	}
	x->loop.params = l.params;
	x->loop.inits = l.inits;
	x->loop.body = loop_body(L, &l, x->loop.i, elems, is_while);
	return loop_result(L, &l, x, is_while);
}
