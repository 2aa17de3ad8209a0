// Phase 4 on expressions: walks in the order of evaluation, observing and consuming.
//
// Consuming a value marks every atom it may share memory with; using a variable one of whose
// atoms is marked is an error.  An atom may be consumed only at the function or loop level
// that bound it, and only if it is the program's to destroy (unique parameters, fresh values).
// After an error the walk goes on, so that all independent ones are found; each atom has one at
// most.
#include "check/consume.h"
#include <ctype.h>

// The text of an update or an argument that is consumed begins with what is.
static bool begins_with(Span span, Name name)
{
	const char *s = span_text(span);
	return strcspn(s, " \t\r\n.[") == strlen(name) && !strncmp(s, name, strlen(name));
}

static bool is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

static bool mentions(Span span, Name name)
{
	size_t len = strlen(name);
	const char *text = span_text(span);
	for (const char *at = text; (at = strstr(at, name)); at += len) {
		if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[len]))
			return true;
	}
	return false;
}

void report_used_after(Consume *c, Span span, const Binding *written, Atom *gone, Span consumed_at)
{
	if (gone->reported == c->walk)
		return;
	gone->reported = c->walk;
	Diag *d = diag_error(span, "use-after-consume",
	                     "Using %s, but this was consumed at %s.  (Possibly through aliases.)",
	                     atom_phrase(gone), show_span_short(consumed_at));
	if (written != gone->var)
		diag_note(d, "Note: \"%s\", which is used here, %s.", written->name,
		          ty_resolve(written->scheme.type)->kind == TY_ARROW
		          ? "is a function that may refer to it" : "may share its memory");
	diag_note(d, "Hint: use it before, or consume a copy there: %s.",
	          gone->var && begins_with(consumed_at, gone->var->name)
	          ? text("\"copy %s\"", gone->var->name) : "\"copy\" makes one");
}

// The variable itself, if it was consumed, or what it shares memory with that was.
static Atom *consumed_among(AtomSet s, const Binding *var)
{
	Atom *first = NULL;
	for EACH(Atom *, p, s) {
		if ((*p)->consumed && (*p)->var == var)
			return *p;
		if ((*p)->consumed && !first)
			first = *p;
	}
	return first;
}

void observe(Consume *c, Span span, Binding *var, Alias *a)
{
	AtomSet s = alias_atoms(a);
	Atom *gone = consumed_among(s, var);
	bool known = false;     // by the error on another name for the same memory
	for EACH(Atom *, p, s)
		known = known || ((*p)->consumed && (*p)->reported == c->walk);
	if (gone && !known)
		report_used_after(c, span, var, gone, gone->where);
	for EACH(Atom *, p, s) {
		if ((*p)->consumed)
			(*p)->reported = c->walk;
		if (c->collecting)
			VEC_PUSH(&c->seen, (Seen){*p, var, span});
	}
}

// The newest of several culprits is the one closest to what the program says.
static void report_not_consumable(Consume *c, Span span, AtomSet s)
{
	Atom *culprit = NULL;
	for EACH(Atom *, p, s) {
		if ((*p)->consumable && (*p)->depth >= c->depth)
			continue;
		if ((*p)->reported == c->walk)
			return;
		culprit = *p;
	}
	for EACH(Atom *, p, s)
		(*p)->reported = c->walk;
	Diag *d = diag_error(span, "not-consumable", "Consuming %s, which is not consumable.",
	                     atom_phrase(culprit));
	if (culprit->var && !mentions(span, culprit->var->name))
		diag_note(d, "Note: what is consumed here may share its memory, by another name or "
		          "as the result of a function whose type has no '*'.");
	if (culprit->var && culprit->var->is_param && culprit->depth == c->depth)
		diag_note(d, "Hint: declare the parameter unique (with '*'), or "
		             "consume a copy of it.");
	else if (culprit->is_plain && culprit->depth == c->depth)
		diag_note(d, "Hint: put a star before the type that the loop says it has, "
		             "\"%s: *[n]t\", or leave that type out.", culprit->var->name);
	else
		diag_note(d, "Hint: consume a copy of it.");
}

void consume_alias(Consume *c, Span span, Alias *a)
{
	AtomSet s = alias_atoms(a);
	for EACH(Atom *, p, s) {
		if (!(*p)->consumable || (*p)->depth < c->depth) {
			report_not_consumable(c, span, s);
			return;
		}
	}
	for EACH(Atom *, p, s) {
		(*p)->consumed = true;
		(*p)->where = span;
		VEC_PUSH(&c->consumed, *p);
	}
}

// ---- Alternatives ----

// What was consumed since the mark, taken back; redo marks it again.
static AtomSet undo(Consume *c, int mark)
{
	int n = c->consumed.len - mark;
	if (!n)
		return (AtomSet){0};
	AtomSet s = {mem_dup(c->consumed.at + mark, (size_t)n * sizeof(Atom *)), n};
	for EACH(Atom *, p, s)
		(*p)->consumed = false;
	c->consumed.len = mark;
	return s;
}

static void redo(Consume *c, AtomSet s)
{
	for EACH(Atom *, p, s) {
		(*p)->consumed = true;
		VEC_PUSH(&c->consumed, *p);
	}
}

static AtomSet unconsumed(void *ctx, AtomSet s)
{
	(void)ctx;
	AtomSet r = {NEW_ARRAY(Atom *, s.len), 0};
	for EACH(Atom *, p, s)
		if (!(*p)->consumed)
			r.at[r.len++] = *p;
	return r;
}

// The value of alternatives.  What one of them consumed and another returns as it is has no
// other owner any more, so it is the result's:
//   if b then a with [0] = 1 else a
static Alias *alternatives(Alias *a)
{
	return alias_map(a, unconsumed, NULL);
}

static Alias *consume_if(Consume *c, Expr *e)
{
	consume_expr(c, e->if_.cond);
	int mark = c->consumed.len;
	Alias *yes = consume_expr(c, e->if_.yes);
	AtomSet first = undo(c, mark);
	Alias *no = consume_expr(c, e->if_.no);
	redo(c, first);
	return alternatives(alias_union(yes, no));
}

static Alias *consume_match(Consume *c, Expr *e)
{
	Alias *of = consume_expr(c, e->match.of), *r = &no_alias;
	int mark = c->consumed.len;
	VEC(AtomSet) sets = {0};
	for EACH(Case, k, e->match.cases) {
		consume_pat_types(c, k->pat);
		alias_bind(c, k->pat, of, true);
		r = alias_union(r, consume_expr(c, k->body));
		VEC_PUSH(&sets, undo(c, mark));
	}
	for EACH(AtomSet, s, sets)
		redo(c, *s);
	return alternatives(r);
}

// ---- Variables and projections ----

// The alias of a constant: functions are no memory.
static Alias *constant_alias(Ty *type, AtomSet s)
{
	Ty *t = ty_resolve(type);
	if (t->kind == TY_ARROW)
		return &no_alias;
	if (t->kind != TY_RECORD)
		return alias_shaped(t, s);
	Alias *r = alias_record(t);
	for EACH(TyField, f, t->record)
		alias_put_field(r, t, f->name, constant_alias(f->type, s));
	return r;
}

Alias *var_alias(Consume *c, Binding *b)
{
	if (b->aliases || b->kind == BIND_LOCAL)
		return b->aliases ? b->aliases : &no_alias;
	// A top-level constant, also one seen through a module.
	Ty *t = b->scheme.type ? ty_resolve(b->scheme.type) : ty_error;
	if (!ty_has_array(t) || b->kind == BIND_INTRINSIC)
		return &no_alias;
	Atom *a = atom_new(c, b, false);
	a->depth = 0;
	a->global = true;
	return b->aliases = constant_alias(t, set_of(a));
}

static bool is_local_size(Size *size)
{
	Size *s = size_resolve(size);
	if (s->kind == SZ_VAR)
		return s->var->kind == BIND_LOCAL || s->var->kind == BIND_SIZE ||
		       s->var->kind == BIND_UNKNOWN;
	if (s->kind == SZ_NODE)
		for EACH(Size *, k, s->node.kids)
			if (is_local_size(*k))
				return true;
	return false;
}

// A constant with size parameters is a new value for each size that comes about here:
//
//     def zeros [n] : [n]f32 = replicate n 0
//     def start (n: i64) : *[n]f32 = zeros
static bool is_made_here(const Binding *b, const Inst *inst)
{
	if (b->kind == BIND_LOCAL || !inst)
		return false;
	for EACH(Size *, s, inst->sizes)
		if (*s && is_local_size(*s))
			return true;
	return false;
}

// The alias of a variable or of a component of one, not observed; *var is the variable.
// NULL for any other expression.
Alias *place_alias(Consume *c, Expr *e, Binding **var)
{
	switch (e->kind) {
	case EX_VAR: {
		Binding *b = e->var.binding;
		if (!b)
			return NULL;
		*var = b;
		Alias *a = is_made_here(b, e->var.inst) ? &no_alias : var_alias(c, b);
		Ty *t = b->scheme.type;
		for EACH(Name, f, e->var.fields) {
			a = alias_field(a, t, *f);
			const TyField *x = ty_field(ty_resolve(t), *f);
			t = x ? x->type : t;
		}
		return a;
	}
	case EX_PAREN:
		return place_alias(c, e->inner, var);
	case EX_PROJECT: {
		Alias *a = place_alias(c, e->project.of, var);
		return a ? alias_field(a, e->project.of->type, e->project.field) : NULL;
	}
	default:
		return NULL;
	}
}

static Alias *consume_place(Consume *c, Expr *e)
{
	Binding *var = NULL;
	Alias *a = place_alias(c, e, &var);
	if (a) {
		observe(c, e->span, var, a);
		return a;
	}
	if (e->kind == EX_PROJECT)
		return alias_field(consume_expr(c, e->project.of), e->project.of->type,
		                   e->project.field);
	return e->kind == EX_PAREN ? consume_expr(c, e->inner) : &no_alias;
}

// ---- Functions ----

static void consume_size(Walk *w, Expr *e)
{
	consume_expr(w->ctx, e);
}

void consume_type(Consume *c, TypeExpr *te)
{
	if (!te)
		return;
	Walk w = {.expr = consume_size, .type = walk_type, .ctx = c};
	c->depth++;
	walk_type(&w, te);
	c->depth--;
}

void consume_pat_types(Consume *c, Pat *p)
{
	Walk w = {.expr = consume_size, .type = walk_type, .pat = walk_pat, .ctx = c};
	c->depth++;
	walk_pat(&w, p);
	c->depth--;
}

// Constants are not captured: no function's result is one.
static AtomSet captured_since(Consume *c, int mark, int depth)
{
	AtomSet s = {0};
	for (int i = mark; i < c->seen.len; i++)
		if (c->seen.at[i].atom->depth <= depth && !c->seen.at[i].atom->global)
			s = set_union(s, set_of(c->seen.at[i].atom));
	return s;
}

Alias *consume_function(Consume *c, Pats params, Expr *body, AtomSet *captured)
{
	int mark = c->seen.len, consumed = c->consumed.len;
	c->collecting++;
	c->depth++;
	for EACH(Pat *, p, params) {
		alias_bind(c, *p, &no_alias, is_consuming((*p)->type));
		consume_pat_types(c, *p);
	}
	Alias *r = consume_expr(c, body);
	c->depth--;
	c->collecting--;
	c->consumed.len = consumed;     // only what the function itself bound
	*captured = captured_since(c, mark, c->depth);
	c->seen.len = mark;
	if (c->collecting)
		for EACH(Atom *, a, *captured)
			VEC_PUSH(&c->seen, (Seen){*a, (*a)->var, body->span});
	return r;
}

static Alias *consume_lambda(Consume *c, Expr *e)
{
	AtomSet captured;
	Alias *r = consume_function(c, e->lambda.pats, e->lambda.body, &captured);
	c->depth++;
	check_free(e->lambda.body->span, e->lambda.body->type, r);
	consume_type(c, e->lambda.ret);
	if (e->lambda.ret && e->lambda.ret_type)
		check_declared(c, e->lambda.body, e->lambda.ret_type, r);
	else
		e->type = infer_unique_result(c, e->type, e->lambda.pats.len, r);
	c->depth--;
	return alias_leaf(captured);
}

static void consume_let_fun(Consume *c, Expr *e)
{
	AtomSet captured;
	Alias *r = consume_function(c, e->let_fun.pats, e->let_fun.value, &captured);
	Binding *b = e->let_fun.binding;
	c->depth++;
	check_free(e->let_fun.value->span, e->let_fun.value->type, r);
	consume_type(c, e->let_fun.ret);
	if (e->let_fun.ret && e->let_fun.ret_type)
		check_declared(c, e->let_fun.value, e->let_fun.ret_type, r);
	else
		b->scheme.type = with_known_result(
			infer_unique_result(c, b->scheme.type, e->let_fun.pats.len, r),
			e->let_fun.pats.len, e->let_fun.value);
	c->depth--;
	b->aliases = alias_leaf(captured);
}

// Names of functions, with what is known of their results now.
static void know_names(Pat *p, Ty *known)
{
	Ty *t = ty_resolve(known);
	if (p->kind == PAT_PAREN)
		know_names(p->inner, t);
	if (p->kind == PAT_NAME && p->var.binding && ty_has_function(t))
		p->var.binding->scheme.type = t;
	if (t->kind != TY_RECORD)
		return;
	for (int i = 0; p->kind == PAT_TUPLE && i < p->tuple.len && i < t->record.len; i++)
		know_names(p->tuple.at[i], t->record.at[i].type);
	for (int i = 0; p->kind == PAT_RECORD && i < p->record.len; i++)
		for EACH(TyField, f, t->record)
			if (f->name == p->record.at[i].name)
				know_names(p->record.at[i].pat, f->type);
}

static void consume_let(Consume *c, Expr *e)
{
	int mark = c->consumed.len;
	Expr *value = e->let.value;
	consume_pat_types(c, e->let.pat);
	Alias *a = consume_expr(c, value);
	if (c->consumed.len > mark && ty_has_function(value->type))
		fail(value->span, "contains-consumption",
		     "Let-bound expression of higher-order type\n  %s\n"
		     "contains consumption, which is not allowed.",
		     show_ty(value->type));
	alias_bind(c, e->let.pat, a, true);
	if (ty_has_function(value->type))
		know_names(e->let.pat, known_type(value));
}

// ---- The rest ----

static Alias *consume_record(Consume *c, Expr *e)
{
	Ty *t = ty_resolve(e->type);
	Alias *r = NEW(Alias, .is_record = true);
	if (t->kind != TY_RECORD)
		return &no_alias;
	r->fields.at = NEW_ARRAY(Alias *, t->record.len);
	r->fields.len = t->record.len;
	for (int i = 0; i < t->record.len; i++)
		r->fields.at[i] = &no_alias;
	bool any = false;
	Map place = {0};                // of a record's field among the sorted ones of the type
	for (int i = 0; i < t->record.len && e->kind == EX_RECORD; i++)
		map_put(&place, t->record.at[i].name, &r->fields.at[i]);
	int n = e->kind == EX_TUPLE ? e->tuple.len : e->record.len;
	for (int i = 0; i < n; i++) {
		Alias *a = consume_expr(c, e->kind == EX_TUPLE ? e->tuple.at[i]
		                        : e->record.at[i].value);
		any |= a != &no_alias;
		Alias **to = e->kind == EX_RECORD ? map_get(&place, e->record.at[i].name)
		           : i < t->record.len ? &r->fields.at[i] : NULL;
		if (to)
			*to = a;
	}
	return any ? r : &no_alias;
}

static Alias *consume_exprs(Consume *c, Exprs es)
{
	AtomSet s = {0};
	for EACH(Expr *, e, es)
		s = set_union(s, alias_atoms(consume_expr(c, *e)));
	return alias_leaf(s);
}

static Alias *consume_index(Consume *c, Expr *e)
{
	Alias *a = consume_expr(c, e->index.of);
	consume_indices(c, e->index.idx);
	return alias_shaped(e->type, alias_atoms(a));
}

static Alias *consume_ascribed(Consume *c, Expr *e)
{
	Alias *a = consume_expr(c, e->ascribe.of);
	consume_type(c, e->ascribe.type);
	if (e->ascribe.type->ty)
		check_function(e->ascribe.of, e->ascribe.type->ty);
	return a;
}

static Alias *consume_one(Consume *c, Expr *e)
{
	switch (e->kind) {
	case EX_INT: case EX_FLOAT: case EX_CHAR: case EX_BOOL: case EX_STRING: case EX_HOLE:
		return &no_alias;
	case EX_VAR: case EX_PAREN: case EX_PROJECT:
		return consume_place(c, e);
	case EX_TUPLE: case EX_RECORD: return consume_record(c, e);
	case EX_ARRAY:                  // the elements are copied
		consume_exprs(c, e->array);
		return &no_alias;
	case EX_INDEX: return consume_index(c, e);
	case EX_OPEN: return consume_expr(c, e->open.body);
	case EX_APPLY: return consume_apply(c, e);
	case EX_BINOP: return consume_binop(c, e);
	case EX_NEG: case EX_NOT: return consume_expr(c, e->inner);
	case EX_CONSTR: return consume_exprs(c, e->constr.args);
	case EX_ASCRIBE: case EX_COERCE: return consume_ascribed(c, e);
	case EX_RANGE:
		consume_expr(c, e->range.from);
		if (e->range.second)
			consume_expr(c, e->range.second);
		consume_expr(c, e->range.to);
		return &no_alias;
	case EX_IF: return consume_if(c, e);
	case EX_LAMBDA: return consume_lambda(c, e);
	case EX_LOOP: return consume_loop(c, e);
	case EX_MATCH: return consume_match(c, e);
	case EX_ASSERT:
		consume_expr(c, e->assert_.cond);
		return consume_expr(c, e->assert_.body);
	case EX_UPDATE: return consume_update(c, e);
	case EX_ATTR: return consume_expr(c, e->attr.body);
	case EX_SECTION_L: case EX_SECTION_R: return consume_section(c, e);
	case EX_SECTION_PATH:
		for EACH(PathStep, s, e->path)
			if (!s->is_field)
				consume_indices(c, s->idx);
		return &no_alias;
	case EX_LET: case EX_LET_FUN: case EX_LET_UPDATE:
		break;
	}
	bug("expression of kind %d", e->kind);
}

Alias *consume_expr(Consume *c, Expr *e)
{
	// A long chain of lets is a loop here.
	for (;;) {
		if (e->kind == EX_LET) {
			consume_let(c, e);
			e = e->let.body;
		} else if (e->kind == EX_LET_FUN) {
			consume_let_fun(c, e);
			e = e->let_fun.body;
		} else if (e->kind == EX_LET_UPDATE) {
			consume_let_update(c, e);
			e = e->let_update.body;
		} else {
			return consume_one(c, e);
		}
	}
}
