// Inference of a whole declaration: recursion, defaults, generalisation.
//
// After the body has been inferred, what is still open is settled in this order:
//   1. overloaded types become i32 or f64, with a warning;
//   2. demands for fields, constructors or equality on a type that is still open are errors;
//   3. the rules of recursion are checked;
//   4. open types in the type of the definition become type parameters, others the unit type;
//   5. the tree gets the types found (infer_done.c).
//
//     def f x y = (x, [y])      becomes      def f '^t₀ 't₁ (x: t₀) (y: t₁) : (t₀, [1]t₁)
#include "check/infer.h"
#include "check/modules.h"

// ---- Settling what is open ----

static PrimType float_of(PrimType bits)
{
	return bits == PT_U16 ? PT_F16 : bits == PT_U32 ? PT_F32 : PT_F64;
}

static PrimType bits_of(PrimType real)
{
	return real == PT_F16 ? PT_U16 : real == PT_F32 ? PT_U32 : PT_U64;
}

static void settle_bits(void)
{
	for EACH(BitsUse, u, infer->bits_uses) {
		Ty *real = ty_resolve(u->real), *bits = ty_resolve(u->bits);
		if (real->kind == TY_ERROR || bits->kind == TY_ERROR)
			continue;
		if (real->kind != TY_PRIM)
			unify((Reason){u->span, NULL},
			      ty_prim(bits->kind == TY_PRIM ? float_of(bits->prim) : PT_F64), real);
		real = ty_resolve(u->real);
		unify((Reason){u->span, NULL}, ty_prim(bits_of(real->prim)), bits);
	}
}

static void settle_overloads(void)
{
	for EACH(Meta *, at, infer->metas) {
		Meta *m = *at;
		if (m->link || !m->overload)
			continue;
		PrimType t = m->overload == OV_FLOAT ? PT_F64 : PT_I32;
		m->link = ty_prim(t);
		if (!diag_count(D_ERROR))
			diag_note(diag_warn(m->span, NULL, "Defaulting ambiguous type to %s.",
			                    primtype_name[t]),
			          "Hint: if another type is meant, write it: %s.",
			          t == PT_F64 ? "\"0.5f32\", \"(x: f32)\""
			                      : "\"3i64\", \"(x: i64)\", \"3.0\"");
	}
}

static void reject_open_demands(void)
{
	for EACH(Meta *, at, infer->metas) {
		Meta *m = *at;
		if (m->link)
			continue;
		if (m->fields.len || m->constrs.len)
			fail_ambiguous(m);
		if (m->needs_equality)
			fail(m->span, NULL, "Comparing equality of values of type %s which does "
			     "not support equality.", show_ty(&(Ty){.kind = TY_META, .meta = m}));
	}
}

// What was reported in between makes the rest meaningless.
static void settle(void)
{
	if (diag_errors_made() > infer->errors)
		fail_diag(NULL);
	settle_bits();
	settle_overloads();
	reject_open_demands();
	if (diag_errors_made() > infer->errors)
		fail_diag(NULL);
}

static void settle_rest(void)
{
	Ty *unit = ty_tuple((Tys){0});
	for EACH(Meta *, m, infer->metas)
		if (!(*m)->link)
			(*m)->link = unit;
}

// ---- Generalisation ----

static Lifting lifting_of(const Meta *m)
{
	return m->is_element ? LIFT_NONE : m->no_function ? LIFT_SIZE : LIFT_FULL;
}

typedef VEC(TypeDef *) Invented;

// Makes type parameters of the open types in t.
static bool close_type(Ty *type, void *ctx)
{
	Invented *out = ctx;
	Ty *t = ty_resolve(type);
	if (t->kind != TY_META)
		return ty_any_part(t, close_type, out);
	TypeDef *def = typedef_new(TD_PARAM, made_up_name("t", out->len), t->meta->span);
	def->lifting = lifting_of(t->meta);
	t->meta->link = ty_param(def);
	VEC_PUSH(out, def);
	return false;
}

// ---- Recursion ----

static Inst **inst_of_use(Expr *e)
{
	return e->kind == EX_VAR ? &e->var.inst : e->kind == EX_BINOP ? &e->binop.inst
	     : &e->section.inst;
}

static bool is_passed_on(const SelfUse *use, const ValDecl *vd, int i)
{
	if (i >= use->args.len)
		return false;
	const Expr *arg = strip_parens(use->args.at[i]);
	const Binding *param = name_of_pat(vd->pats.at[i]);
	return param && arg->kind == EX_VAR && arg->var.binding == param && !arg->var.fields.len;
}

static const char why_recursive[] =
	"Parameter of type @ of a recursive function may not be of function type.";

// Functional parameters are passed on as they are.  A parameter of a type still open that is
// not passed on cannot become a function either.
static void check_self_use(const SelfUse *use, const ValDecl *vd)
{
	for EACH(Pat *, p, vd->pats)
		if (ty_has_function((*p)->type) && use->args.len < vd->pats.len)
			fail(use->var->span, NULL, "Recursive application of \"%s\", which has a "
			     "higher-order parameter, must be fully saturated.", vd->name);
	for (int i = 0; i < vd->pats.len; i++) {
		if (is_passed_on(use, vd, i))
			continue;
		if (ty_has_function(vd->pats.at[i]->type))
			fail(use->var->span, NULL, "Higher-order argument in recursive application "
			     "of \"%s\" must be passed unchanged, i.e. be the corresponding "
			     "higher-order parameter.", vd->name);
		need_no_function(use->var->span, vd->pats.at[i]->type, why_recursive);
	}
}

static void check_recursion(ValDecl *vd)
{
	vd->is_recursive = infer->self_uses.len > 0;
	if (!vd->is_recursive)
		return;
	if (ty_has_function(vd->ret_type))
		fail(vd->name_span, NULL, "Recursive function \"%s\" returns type %s which is not "
		     "first-order.", vd->name, show_ty(vd->ret_type));
	need_no_function(vd->name_span, vd->ret_type, why_recursive);
	for EACH(SelfUse, use, infer->self_uses)
		check_self_use(use, vd);
}

// A recursive call has the type parameters of the call it is in.
static void instantiate_self_uses(const Scheme *scheme)
{
	for EACH(SelfUse, use, infer->self_uses) {
		Inst *inst = *inst_of_use(use->var) = inst_of(scheme);
		for (int i = 0; i < scheme->types.len; i++)
			inst->types.at[i] = ty_param(scheme->types.at[i]);
	}
}

// ---- Declarations ----

Ty *infer_type(Scope *s, TypeExpr *te, Bindings *exts)
{
	int mark = scope_mark(s), depth = scope_depth(s);
	Guard g;
	if (GUARDED(g)) {
		Ty *t = elab_type(s, te, exts);
		guard_pop(&g);
		return t;
	}
	scope_reset(s, mark, depth);
	*exts = (Bindings){0};
	return te->ty = ty_error;
}

static Scheme generalise(const ValDecl *vd, Ty *type)
{
	Scheme scheme = scheme_of_params(vd->params, NULL);
	Invented invented = {0};
	close_type(type, &invented);
	if (invented.len) {
		TypeDefs all = {NEW_ARRAY(TypeDef *, scheme.types.len + invented.len), 0};
		for EACH(TypeDef *, d, scheme.types)
			all.at[all.len++] = *d;
		for EACH(TypeDef *, d, invented)
			all.at[all.len++] = *d;
		scheme.types = all;
	}
	settle_rest();
	scheme.type = ty_zonk(type);
	return scheme;
}

static void infer_decl(Scope *s, ValDecl *vd)
{
	if (!vd->binding)
		vd->binding = binding_new(BIND_GLOBAL, vd->name, vd->name_span);
	Binding *b = vd->binding;
	int mark = scope_mark(s);
	scope_deeper(s);
	if (vd->pats.len) {
		b->scheme = (Scheme){.type = meta_new(vd->name_span, "t")};
		infer->self = b;
		scope_bind(s, b);
	}
	elab_type_params(s, vd->params);
	Ty *type = infer_function(s, vd->params, vd->pats, vd->ret, vd->body, infer->self,
	                          &vd->ret_type);
	scope_shallower(s);
	scope_leave(s, mark, vd->body->span.hi);
	settle();
	check_recursion(vd);
	b->scheme = generalise(vd, type);
	b->level = 0;
	instantiate_self_uses(&b->scheme);
	for EACH(Pat *, p, vd->pats)
		finish_pat(*p);
	if (vd->ret)
		finish_type_expr(vd->ret);
	vd->ret_type = ty_zonk(vd->ret_type);
	finish_expr(vd->body);
	if (!s->is_prelude)
		warn_if_endless(vd);
}

static void infer_closed(Scope *s, Expr *e)
{
	infer_exp(s, e);
	settle();
	Invented invented = {0};
	if (ty_has_function(e->type))
		close_type(e->type, &invented);
	settle_rest();
	finish_expr(e);
}

static void infer_closed_size(Scope *s, Expr *e)
{
	check_exp(s, e, ty_prim(PT_I64), "Size must be of type i64.");
	settle();
	settle_rest();
	finish_expr(e);
}

// ---- The interface ----

// What is inferred: exactly one of these.
typedef struct { ValDecl *decl; Expr *expr, *size; } Job;

// An inference inside of another one (a value of a module is never inside of a value, but
// the type of an intrinsic is made when it is first used) has its own state.
static void run(Scope *s, Job job)
{
	if (!infer)
		show_names_for(job.decl ? span_join(job.decl->name_span, job.decl->body->span)
		               : NOWHERE);
	Infer *outer = infer, state = {.decl = job.decl, .errors = diag_errors_made()};
	infer = &state;
	Guard g;
	if (!GUARDED(g)) {
		infer = outer;
		fail_diag(NULL);
	}
	if (job.decl)
		infer_decl(s, job.decl);
	else if (job.expr)
		infer_closed(s, job.expr);
	else
		infer_closed_size(s, job.size);
	guard_pop(&g);
	infer = outer;
}

void infer_val(Scope *s, ValDecl *vd)
{
	current_pass = "type inference";
	run(s, (Job){.decl = vd});
}

Ty *infer_expr(Scope *s, Expr *e)
{
	current_pass = "type inference";
	run(s, (Job){.expr = e});
	return e->type;
}

// Inside of a declaration the size is inferred along with it.
Size *infer_size(Scope *s, Expr *e)
{
	const Expr *name = strip_parens(e);
	if (name->kind == EX_VAR)
		need_size_name(s, name->var.name);
	if (infer)
		check_exp(s, e, ty_prim(PT_I64), "Size must be of type i64.");
	else
		run(s, (Job){.size = e});
	Size *size = size_of_expr(e);
	if (size)
		return size;
	diag_warn(e->span, "size-expression-bind",
	          "Size expression with binding is replaced by unknown size.");
	return size_anon(e->span);
}
