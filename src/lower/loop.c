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

static bool has_attr(const Pat *p, const char *name)
{
	switch (p->kind) {
	case PAT_ATTR:
		return strcmp(p->attr.attr->name, name) == 0 || has_attr(p->attr.pat, name);
	case PAT_PAREN:
		return has_attr(p->inner, name);
	case PAT_ASCRIBE:
		return has_attr(p->ascribe.pat, name);
	case PAT_TUPLE:
		for EACH(Pat *, q, p->tuple)
			if (has_attr(*q, name))
				return true;
		return false;
	case PAT_RECORD:
		for EACH(FieldPat, q, p->record)
			if (has_attr(q->pat, name))
				return true;
		return false;
	case PAT_NAME: case PAT_WILD: case PAT_LIT: case PAT_CONSTR:
		return false;
	}
	bug("kind of pattern");
}

// The names of parameters marked #[true_dep] are given with the loop's attributes.
static void add_pat_attrs(Attributes *attrs, const Pat *p)
{
	if (!has_attr(p, "true_dep"))
		return;
	Attributes more = {NEW_ARRAY(Name, attrs->len + 1), attrs->len + 1};
	if (attrs->len)
		memcpy(more.at, attrs->at, (size_t)attrs->len * sizeof(Name));
	more.at[attrs->len] = name_of("true_dep");
	*attrs = more;
}

// Names for the parameters: those of the pattern where it is a tuple of names.
static void name_params(const Loop *l)
{
	Pat *p = l->e->loop.pat;
	while (p->kind == PAT_PAREN || p->kind == PAT_ASCRIBE || p->kind == PAT_ATTR)
		p = p->kind == PAT_PAREN ? p->inner : p->kind == PAT_ATTR ? p->attr.pat : p->ascribe.pat;
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
	Vars pat = tele_vars(L, l->tele, name_of("r"));
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
	add_pat_attrs(&l.attrs, e->loop.pat);
	Val *init = lower_expr(L, f, e->loop.init ? e->loop.init : e->loop.init_implied);
	Val *bound = is_while ? NULL : lower_expr(L, f, e->loop.bound);
	set_where(L, e->span);
	l.tele = tele_of(ltype(L, f, e->loop.pat->type, false));
	l.inits = tele_subs(L, l.tele, init);
	l.params = tele_vars(L, l.tele, pat_hint(e->loop.pat));
	name_params(&l);
	Exp *x = NEW(Exp, .form = E_loop, .loop = {.is_while = is_while});
	Val *elems = e->loop.kind == LOOP_IN ? bound : NULL;
	if (is_while) {
		Sub c = condition(L, &l, tele_val(l.tele, NULL, l.inits));
		x->loop.while_cond = var_of(&l.inits, &l.params, name_of("c"), type_scalar(PT_BOOL), c);
	} else {
		x->loop.n = elems ? val_dim(elems, 0) : val_sub(bound);
		Name hint = e->loop.kind == LOOP_FOR && e->loop.index ? e->loop.index : name_of("i");
		x->loop.i = var_new(hint, type_scalar(sub_type(x->loop.n).elem));
	}
	x->loop.params = l.params;
	x->loop.inits = l.inits;
	x->loop.body = loop_body(L, &l, x->loop.i, elems, is_while);
	return loop_result(L, &l, x, is_while);
}
