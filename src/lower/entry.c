// Entry points and whole programs.
//
// An entry point is a core function of its own.  Its parameters are all sizes that the types
// of the arguments mention, then the flat values of the arguments; its results are the
// sizes that come into being, then the flat values of the result.  Sizes that are expressions
// are checked in the body:
//
//   entry f (n: i64) (xs: [n+1]i32) : []i32
//   fun f (d: i64, n: i64, xs: [d]i32) -> (k: i64, r: [k]i32) =
//     assert (d == n + 1) "entry point arguments have invalid sizes."
#include "lower/lower_internal.h"


// ---- What tools see of a type ----

static bool is_transparent(const Rep *r)
{
	while (r->kind == R_ARRAY)
		r = r->elem;
	return r->kind == R_PRIM;
}

static EntryType *named(const Rep *, const TypeExpr *);

static const char *in_parens(const EntryType *e)
{
	bool compound = e->kind == ET_SUM && !e->opaque_name;
	return compound ? text("(%s)", e->name) : e->name;
}

static EntryType *named_array(const Rep *r, const TypeExpr *te)
{
	EntryType *e = entry_of_rep(r);
	Str name = {0};
	int rank = 0;
	while (te && (te->kind == TE_ARRAY || te->kind == TE_PAREN) && r->kind == R_ARRAY) {
		if (te->kind == TE_ARRAY) {
			str_puts(&name, "[]");
			rank++;
			r = r->elem;
			te = te->array.elem;
		} else {
			te = te->inner;
		}
	}
	if (!rank || r->kind == R_ARRAY)
		return e;
	e->elem = named(r, te);
	str_puts(&name, in_parens(e->elem));
	e->name = str_text(&name);
	return e;
}

static EntryType *named_record(const Rep *r, const TypeExpr *te)
{
	EntryType *e = entry_of_rep(r);
	Str name = {0};
	str_putc(&name, e->is_tuple ? '(' : '{');
	for (int i = 0; i < e->fields.len; i++) {
		const TypeExpr *of = te->kind == TE_TUPLE ? te->tuple.at[i] : NULL;
		if (te->kind == TE_RECORD)
			for EACH(FieldType, t, te->record)
				if (t->name == e->fields.at[i].name)
					of = t->type;
		EntryType *f = e->fields.at[i].type = named(r->fields.at[i], of);
		if (i)
			str_puts(&name, ", ");
		if (!e->is_tuple)
			str_printf(&name, "%s: ", e->fields.at[i].name);
		str_puts(&name, f->name);
	}
	str_putc(&name, e->is_tuple ? ')' : '}');
	e->name = str_text(&name);
	return e;
}

static const ConstrType *constr_named(const TypeExpr *te, Name name)
{
	for EACH(ConstrType, c, te->sum)
		if (c->name == name)
			return c;
	return NULL;
}

static EntryType *named_sum(const Rep *r, const TypeExpr *te)
{
	EntryType *e = entry_of_rep(r);
	for (int i = 0; i < e->constrs.len; i++) {
		const ConstrType *c = constr_named(te, e->constrs.at[i].name);
		for (int j = 0; c && j < c->args.len; j++)
			e->constrs.at[i].args.at[j] =
				named(r->constrs.at[i].args.at[j], c->args.at[j]);
	}
	return e;
}

// The parts of what the name stands for have names too.
static EntryType *named_plain(const Rep *r, const TypeExpr *te)
{
	if (is_transparent(r))
		return entry_of_rep(r);
	EntryType *e = named(r, te->means);
	e->name = show_qualname(te->name);
	e->opaque_name = true;
	return e;
}

static bool only_sizes(TypeExprs args)
{
	for EACH(TypeExpr *, a, args)
		if ((*a)->kind != TE_SIZE)
			return false;
	return true;
}

// A representation, with the names its annotation uses.
static EntryType *named(const Rep *r, const TypeExpr *te)
{
	if (!te)
		return entry_of_rep(r);
	switch (te->kind) {
	case TE_NAME: return named_plain(r, te);
	case TE_APPLY:
		return only_sizes(te->apply.args) && te->apply.fn->kind == TE_NAME
		     ? named_plain(r, te->apply.fn) : entry_of_rep(r);
	case TE_ARRAY: return named_array(r, te);
	case TE_TUPLE: case TE_RECORD: return named_record(r, te);
	case TE_UNIQUE: case TE_PAREN: return named(r, te->inner);
	case TE_EXISTS: return named(r, te->exists.type);
	case TE_SUM: return named_sum(r, te);
	case TE_ARROW: case TE_SIZE: return entry_of_rep(r);
	}
	bug("kind of type expression");
}

// ---- One entry point ----

static const TypeExpr *annotation(const Pat *p)
{
	switch (p->kind) {
	case PAT_ASCRIBE: return p->ascribe.type;
	case PAT_PAREN: case PAT_ATTR: return annotation(p->inner);
	case PAT_NAME: case PAT_WILD: case PAT_LIT: case PAT_TUPLE: case PAT_RECORD:
	case PAT_CONSTR:
		return NULL;
	}
	bug("kind of pattern");
}

static Ty *declared_result(const ValDecl *v)
{
	Ty *t = ty_resolve(v->binding->scheme.type);
	for (int i = 0; i < v->pats.len && t->kind == TY_ARROW; i++)
		t = ty_resolve(t->arrow.to);
	return t;
}

// A function that the body gives is applied to further parameters: `entry f = map (+1)` has
// one.  The declaration as if these were written.
static const Decl *with_all_params(const Decl *d)
{
	VEC(Pat *) pats = {0};
	VEC_APPEND(&pats, d->val.pats);
	Ty *t = ty_resolve(d->val.ret_type);
	TypeExpr *te = d->val.ret;
	for (; t->kind == TY_ARROW; t = ty_resolve(t->arrow.to)) {
		Span span = d->val.name_span;
		Pat *p = NEW(Pat, PAT_WILD, span, .type = t->arrow.from);
		if (t->arrow.param) {
			p->kind = PAT_NAME;
			p->var.name = t->arrow.param->name;
			p->var.binding = t->arrow.param;
		}
		while (te && te->kind == TE_PAREN)
			te = te->inner;
		bool said = te && te->kind == TE_ARROW;
		if (said)
			p = NEW(Pat, PAT_ASCRIBE, span, .ascribe = {p, te->arrow.from},
			        .type = t->arrow.from);
		te = said ? te->arrow.to : NULL;
		VEC_PUSH(&pats, p);
	}
	Decl *all = mem_dup(d, sizeof *d);
	all->val.pats = VEC_SLICE(Pats, pats);
	all->val.ret_type = t;
	all->val.ret = te;
	return all;
}

static EntryInfo *entry_info(Lower *L, Frame *g, const Decl *d)
{
	const ValDecl *v = &d->val;
	EntryInfo *info = NEW(EntryInfo, .attrs = attribute_texts(d->attrs), .doc = d->doc);
	info->params.at = NEW_ARRAY(EntryParam, v->pats.len);
	info->params.len = v->pats.len;
	for (int i = 0; i < v->pats.len; i++) {
		Pat *p = v->pats.at[i];
		EntryType *t = named(ltype(L, g, p->type, true)->rep, annotation(p));
		t->unique = ty_consumes(p->type);
		bool has_name = pat_plain(p)->kind == PAT_NAME;
		Name name = has_name ? pat_plain(p)->var.name : name_of(text("arg%d", i));
		info->params.at[i] = (EntryParam){name, t};
	}
	info->result = named(ltype(L, g, v->ret_type, true)->rep, v->ret);
	info->result->unique = ty_consumes(declared_result(v));
	return info;
}

static void check_size(Lower *L, const char *argument, int dim, Sub have, Sub want)
{
	MsgVec msg = {0};
	msg_text(&msg, text("entry point arguments have invalid sizes.\n"
	                    "Dimension %d of \"%s\" has size ", dim + 1, argument));
	msg_val(&msg, have);
	msg_text(&msg, ", but ");
	msg_val(&msg, want);
	msg_text(&msg, " is expected.");
	b_assert(&L->b, b_eq(&L->b, have, want), (Msg){msg.at, msg.len});
}

// What the arguments' sizes must be, where that is more than a name.
static void check_sizes(Lower *L, Frame *g, Pats pats, Vals args)
{
	for (int i = 0; i < pats.len; i++) {
		LType *want = ltype(L, g, pats.at[i]->type, false);
		for (int j = 0; j < want->flat.len; j++) {
			Subs dims = want->flat.at[j].dims;
			Subs have = sub_type(args.at[i]->flat.at[j]).dims;
			for (int k = 0; k < dims.len; k++)
				if (dim_is_known(dims.at[k]) && !sub_eq(dims.at[k], have.at[k]))
					check_size(L, pat_hint(pats.at[i]), k, have.at[k],
					           dims.at[k]);
		}
	}
}

static bool is_among(Sub s, const VarVec *vs)
{
	for EACH(Var, v, *vs)
		if (v->id == s.var.id)
			return true;
	return false;
}

// Only parameters may be sizes of parameters and results; constants of the program are not
// there yet.
static void hide_others(LType *t, const VarVec *sizes, const VarVec *values)
{
	for EACH(Type, at, t->flat) {
		at->dims = SLICE_DUP(Subs, at->dims);
		for EACH(Sub, d, at->dims)
			if (d->kind == S_VAR && !is_among(*d, sizes) && !is_among(*d, values))
				*d = dim_unknown(NULL);
	}
}

// Values given to a declaration from outside; their sizes are constants.
static void bind_given(Lower *L, Frame *g, EntryInfo *info, VarVec *values)
{
	Bindings given = L->decl ? L->decl->given : (Bindings){0};
	if (!given.len)
		return;
	info->params.at = NEW_ARRAY(EntryParam, given.len);
	for EACH(Binding *, b, given) {
		LType *t = ltype(L, g, (*b)->scheme.type, true);
		Tele *tele = tele_of(t);
		Vars vs = tele_vars(tele, (*b)->name);
		VEC_APPEND(values, vs);
		frame_bind(g, *b, tele_val(tele, NULL, subs_of_vars(vs)));
		info->params.at[info->params.len++] = (EntryParam){(*b)->name,
		                                                   entry_of_rep(t->rep)};
	}
}

// Parameters for the constants whose values are known and needed.
static void add_known(Lower *L, EntryInfo *info, VarVec *params)
{
	int n = L->decl->used ? L->decl->used->len : 0, given = info->params.len;
	EntryParam *all = NEW_ARRAY(EntryParam, given + n);
	for (int i = 0; i < given; i++)
		all[i] = info->params.at[i];
	for (int i = 0; i < n; i++) {
		const Binding *b = L->decl->used->at[i];
		LType *t = ltype(L, L->root, b->scheme.type, true);
		all[given + i] = (EntryParam){b->name, entry_of_rep(t->rep)};
	}
	info->params.at = all;
	info->params.len = given + n;
	VEC_APPEND(params, L->known_params);
}

// Sizes of entry points are called what the program calls them: messages and APIs show that.
static void add_size(VarVec *sizes, Var v, const Binding *name)
{
	if (name && name->kind == BIND_SIZE)
		vars[v.id].hint = name->name;
	VEC_PUSH(sizes, v);
}

// Binds the parameters; sizes go to *sizes, values to *values.
static Vals entry_params(Lower *L, Frame *g, Pats pats, VarVec *sizes, VarVec *values)
{
	Vals args = {NEW_ARRAY(Val *, pats.len), pats.len};
	for (int i = 0; i < pats.len; i++) {
		LType *t = ltype(L, g, pats.at[i]->type, true);
		hide_others(t, sizes, values);
		if (ty_consumes(pats.at[i]->type))
			for EACH(Type, at, t->flat)
				at->unique = at->dims.len > 0;
		Tele *tele = tele_of(t);
		Vars vs = tele_vars(tele, pat_hint(pats.at[i]));
		for (int j = 0; j < vs.len; j++) {
			if (j < tele->sizes.len)
				add_size(sizes, vs.at[j], tele->names[j]);
			else
				VEC_PUSH(values, vs.at[j]);
		}
		args.at[i] = tele_val(tele, NULL, subs_of_vars(vs));
		bind_pat(L, g, pats.at[i], args.at[i]);
	}
	return args;
}

static void lower_entry(Lower *L, Decl *decl)
{
	const Decl *d = L->decl ? decl : with_all_params(decl);
	const ValDecl *v = &d->val;
	int written = decl->val.pats.len;
	L->ctx = NEW(Ctx, .depth = 1);
	L->b = (Build){0};
	L->level = NULL;
	Frame *g = frame_new(L, L->root);
	Fun *fun = NEW(Fun, .name = v->name, .entry_name = v->name,
	               .attrs = attributes_of(d->attrs), .where = NEW(Where, .span = v->name_span));
	b_open(&L->b);
	L->ctx->top = L->b.top;
	set_where(L, v->name_span);
	fun->entry = entry_info(L, g, d);
	VarVec params = {0}, values = {0};
	bind_given(L, g, fun->entry, &values);
	Vals args = entry_params(L, g, v->pats, &params, &values);
	VEC_APPEND(&params, values);
	check_sizes(L, g, v->pats, args);
	LType *t = ltype(L, g, v->ret_type, true);
	hide_others(t, &params, &values);
	mark_unique(L, g, declared_result(v), t->flat);
	Tele *result = tele_of(t);
	fun->res = tele_vars(result, name_of("r"));
	Fn fn = {.kind = F_DECL, .frame = L->root, .mention = g, .decl = d, .binding = v->binding,
	         .arity = v->pats.len};
	Val *r = v->is_recursive ? call_shared(L, &fn, args, v->body->span)
	                         : lower_expr(L, g, v->body);
	r = apply(L, g, r, (Vals){args.at + written, args.len - written}, v->body->span);
	set_where(L, v->body->span);
	fun->body = b_close(&L->b, tele_subs(L, result, r));
	if (L->decl)
		add_known(L, fun->entry, &params);
	fun->params = VEC_SLICE(Vars, params);
	VEC_PUSH(&L->funs, fun);
}

// ---- Programs ----

static bool is_listed(const LowerOptions *o, Name name)
{
	for EACH(Name, n, o->entries)
		if (strcmp(*n, name) == 0)
			return true;
	return false;
}

static bool is_entry(const LowerOptions *o, const Decl *d)
{
	if (d->kind != DEC_VAL)
		return false;
	if (is_listed(o, d->val.name))
		return true;
	return !o->only_listed && (d->val.keyword == VAL_ENTRY || strcmp(d->val.name, "main") == 0);
}

static Prog *lower_all(const Decl *const *decls, int n, const LowerOptions *options,
                       const DeclOptions *decl)
{
	Lower *L = NEW(Lower, .options = options, .decl = decl,
	               .root = NEW(Frame, .is_module = true));
	for (int i = 0; i < n; i++) // no other function takes the name of an entry point
		map_put(&L->fun_names, decls[i]->val.name, L);
	for (int i = 0; i < n; i++)
		lower_entry(L, (Decl *)decls[i]);
	Prog *prog = NEW(Prog, .funs = VEC_SLICE(Funs, L->funs), .stage = STAGE_SOAC);
	insert_copies(prog);
#ifdef RAIDO_HOSTILE
	const char *wrong = core_check(prog);
	if (wrong)
		bug("lowering made a wrong program: %s", wrong);
#endif
	return prog;
}

static Prog *lower_guarded(const Decl *const *decls, int n, const LowerOptions *options,
                           const DeclOptions *decl)
{
	current_pass = "lower";
	Guard g;
	if (!GUARDED(g))
		return NULL;
	Prog *prog = lower_all(decls, n, options, decl);
	guard_pop(&g);
	return prog;
}

Prog *lower_program(Program *p, const LowerOptions *options)
{
	VEC(const Decl *) decls = {0};
	if (p->root)
		for EACH(Decl *, d, p->root->decls)
			if (is_entry(options, *d))
				VEC_PUSH(&decls, *d);
	return lower_guarded(decls.at, decls.len, options, NULL);
}

Prog *lower_decl(Decl *d, const DeclOptions *options)
{
	static const LowerOptions none;
	const Decl *one = d;
	return lower_guarded(&one, 1, &none, options);
}
