// Completion, and help on the parameters of the function being applied.
//
// What can be inserted at a position is determined from the text before it, since the syntax tree
// may end there:
//
//     import "li|     files            #[in|     attributes       #ci|      constructors
//     m.n.f|          members          r.x|      fields           f (x).y|  fields
//
// Names in scope come from the tree (lsp_scope.c) and from the environments of the program.
#include "cli/complete.h"
#include "cli/lsp.h"

#include <ctype.h>
#include <dirent.h>

// ---- Names in scope ----

static void offer_local(PlaceVisit *v, Name name, Span span, const Binding *b)
{
	(void)span;
	if (b && b->kind == BIND_MODULE)
		offer_binding(v->ctx, b, true);
	else if (name[0] != '_' && is_name_char(name[0]))
		VEC_PUSH((Offers *)v->ctx, (Offer){.kind = OFFER_LOCAL, .name = name, .binding = b,
		                                  .of_type = b ? b->scheme.type : NULL});
}

static void offer_local_type(PlaceVisit *v, Name name, Span span, const TypeDef *d)
{
	(void)span;
	VEC_PUSH((Offers *)v->ctx, (Offer){.kind = OFFER_TYPE, .name = name, .type = d});
}

static void offer_opened(PlaceVisit *v, const Env *env)
{
	offer_env(v->ctx, env, "", WANT_VALUES | WANT_TYPES, false, 0);
}

// From the innermost name outwards.
static void offer_scope(const Ask *a, Offers *out, const char *prefix)
{
	Offers local = {0};
	PlaceVisit v = {.at = a->at, .ask = a, .name_in_scope = offer_local,
	           .type_in_scope = offer_local_type, .env_in_scope = offer_opened, .ctx = &local};
	visit_at(&v, a->program->root->decls);
	for (int i = local.len; i-- > 0; )
		if (str_starts(local.at[i].name, prefix))
			VEC_PUSH(out, local.at[i]);
	if (a->program->scope)
		offer_env(out, scope_env_at(a->program->scope, a->at), prefix,
		          WANT_VALUES | WANT_TYPES | WANT_SIGS, true, a->at);
}

// ---- Members and fields ----

// Something that has members: a module, or a value of a type.
typedef struct { const Env *env; Ty *type; } Holder;

static Holder holder_of_binding(const Binding *b)
{
	if (b && b->kind == BIND_MODULE)
		return (Holder){.env = b->mod && b->mod->kind == MOD_ENV ? b->mod->env : NULL};
	return (Holder){.type = b ? b->scheme.type : NULL};
}

static Holder holder_named(const Ask *a, const char *name)
{
	Offers all = {0};
	offer_scope(a, &all, name);
	for EACH(Offer, o, all)
		if (strcmp(o->name, name) == 0 && o->kind != OFFER_TYPE && o->kind != OFFER_SIG)
			return holder_of_binding(o->binding);
	return (Holder){0};
}

static Holder holder_inside(Holder h, const char *name)
{
	if (h.env)
		return holder_of_binding(map_get(&h.env->values, name_of(name)));
	Ty *t = h.type ? ty_resolve(h.type) : NULL;
	if (t && t->kind == TY_RECORD)
		for EACH(TyField, f, t->record)
			if (strcmp(f->name, name) == 0)
				return (Holder){.type = f->type};
	return (Holder){0};
}

typedef struct { Loc end; const Expr *found; } Ending;

static void note_ending(void *ctx, Expr *e)
{
	Ending *at = ctx;
	if (e->span.hi == at->end && e->type &&
	    (!at->found || e->span.lo >= at->found->span.lo))
		at->found = e;
}

// The innermost expression that ends there.
static Holder type_ending(const Ask *a, size_t end)
{
	Ending e = {.end = a->source->start + (Loc)end};
	each_node(&(EachNode){.expr = note_ending, .ctx = &e}, a->program->root->decls);
	return (Holder){.type = e.found ? e.found->type : NULL};
}

// What stands before the dot at offset `dot` of the text.
static Holder holder_before(const Ask *a, size_t dot)
{
	const char *s = a->source->text;
	size_t from = dot;
	while (from && is_name_char(s[from - 1]))
		from--;
	const char *name = text("%.*s", (int)(dot - from), s + from);
	if (!*name)
		return type_ending(a, dot);
	if (from && s[from - 1] == '.' && !(from > 1 && s[from - 2] == '.'))
		return holder_inside(holder_before(a, from - 1), name);
	return isdigit((unsigned char)*name) ? (Holder){0} : holder_named(a, name);
}

// The record that a path at offset `from` is updated of: r of `r with a.|`.
static Holder updated_before(const Ask *a, size_t from)
{
	const char *s = a->source->text;
	size_t path = from;
	while (path && (is_name_char(s[path - 1]) || s[path - 1] == '.'))
		path--;
	size_t with = path;
	while (with && isspace((unsigned char)s[with - 1]))
		with--;
	if (with == path || with < 5 || strncmp(s + with - 4, "with", 4) != 0 ||
	    is_name_char(s[with - 5]))
		return (Holder){0};
	size_t end = with - 4;
	while (end && isspace((unsigned char)s[end - 1]))
		end--;
	Holder h = type_ending(a, end);
	while (path < from) {
		size_t n = strcspn(s + path, ".");
		h = holder_inside(h, text("%.*s", (int)n, s + path));
		path += n + 1;
	}
	return h;
}

// ---- Constructors ----

typedef struct { Offers *out; const char *prefix; } Constrs;

static void constrs_of_pat(void *ctx, Pat *p)
{
	Constrs *c = ctx;
	if (p->type)
		offer_constrs(c->out, p->type, c->prefix);
}

static void offer_all_constrs(const Ask *a, Offers *out, const char *prefix)
{
	Constrs c = {out, prefix};
	const Env *env = a->program->scope ? scope_env_at(a->program->scope, a->at) : NULL;
	for (; env; env = env->up)
		for MAP_EACH(e, env->types) {
			const TypeDef *d = e->val;
			if (d->body)
				offer_constrs(out, d->body, prefix);
		}
	Decls decls = a->program->root->decls;  // those up to the place
	while (decls.len && decls.at[decls.len - 1]->span.lo > a->at)
		decls.len--;
	each_node(&(EachNode){.pat = constrs_of_pat, .ctx = &c}, decls);
}

// ---- Files ----

static void offer_files(Offers *out, const char *written)
{
	const char *slash = strrchr(written, '/');
	const char *prefix = slash ? slash + 1 : written;
	const char *dir = slash ? text("%.*s", (int)(slash - written) + 1, written) : ".";
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d)); ) {
		if (e->d_name[0] == '.' || !str_starts(e->d_name, prefix))
			continue;
		size_t n = strlen(e->d_name);
		if (str_ends(e->d_name, ".fut"))
			VEC_PUSH(out, (Offer){.kind = OFFER_FILE,
			                      .name = text("%.*s", (int)n - 4, e->d_name)});
		else if (!strchr(e->d_name, '.'))
			VEC_PUSH(out, (Offer){.kind = OFFER_FILE, .name = text("%s/", e->d_name)});
	}
	if (d)
		closedir(d);
}

// The path written so far, when the place is in the string of an import; else NULL.
static const char *path_at(const char *s, size_t line, size_t at)
{
	size_t quote = at;
	while (quote > line && s[quote - 1] != '"')
		quote--;
	if (quote == line)
		return NULL;
	const char *before = text("%.*s", (int)(quote - 1 - line), s + line);
	size_t n = strlen(before);
	while (n && before[n - 1] == ' ')
		n--;
	return n >= 6 && strncmp(before + n - 6, "import", 6) == 0
	     ? text("%.*s", (int)(at - quote), s + quote) : NULL;
}

static bool in_comment_or_string(const Ask *a)
{
	int before = diags.len;
	Comments comments = {0};
	bool in = false;
	Tokens tokens = lex(a->source, &comments);
	for EACH(Comment, c, comments)
		in |= c->span.lo < a->at && a->at <= c->span.hi;
	for EACH(Token, t, tokens)
		in |= (t->kind == TOK_STRING || t->kind == TOK_DOC || t->kind == TOK_CHAR) &&
		      t->span.lo < a->at && a->at < t->span.hi;
	tokens_free(tokens);
	diags.len = before;
	return in;
}

// ---- The answer ----

static int protocol_kind(OfferKind k)
{
	switch (k) {
	case OFFER_VALUE:    return 21;
	case OFFER_FUNCTION: return 3;
	case OFFER_LOCAL:    return 6;
	case OFFER_MODULE: case OFFER_FUNCTOR: return 9;
	case OFFER_TYPE:     return 22;
	case OFFER_SIG:      return 8;
	case OFFER_FIELD:    return 5;
	case OFFER_CONSTR:   return 20;
	case OFFER_KEYWORD:  return 14;
	case OFFER_FILE:     return 17;
	case OFFER_ATTR:     return 10;
	}
	return 1;
}

static Offers offers_at(const Ask *a)
{
	Offers out = {0};
	const char *s = a->source->text;
	size_t at = a->at - a->source->start, from = at, line = at;
	while (line && s[line - 1] != '\n')
		line--;
	const char *path = path_at(s, line, at);
	if (path) {
		offer_files(&out, path);
		return out;
	}
	if (in_comment_or_string(a))
		return out;
	while (from && is_name_char(s[from - 1]))
		from--;
	const char *prefix = text("%.*s", (int)(at - from), s + from);
	char before = from ? s[from - 1] : 0;
	Holder updated = updated_before(a, from);
	if (updated.type) {
		offer_fields(&out, updated.type, prefix);
	} else if (before == '[' && from > 1 && s[from - 2] == '#') {
		offer_words(&out, OFFER_ATTR, attribute_words, prefix);
	} else if (before == '#') {
		offer_all_constrs(a, &out, prefix);
	} else if (before == '.' && !(from > 1 && s[from - 2] == '.')) {
		Holder h = holder_before(a, from - 1);
		if (h.env)
			offer_env(&out, h.env, prefix, WANT_VALUES | WANT_TYPES | WANT_SIGS, false,
			          0);
		else
			offer_fields(&out, h.type, prefix);
	} else if (!isdigit((unsigned char)*prefix)) {
		offer_scope(a, &out, prefix);
		offer_words(&out, OFFER_KEYWORD, keyword_words, prefix);
	}
	return out;
}

const char *answer_completion(Ask *a)
{
	Offers offers = offers_at(a);
	offers_sort(&offers);
	Str s = {0};
	str_puts(&s, "{\"isIncomplete\":false,\"items\":[");
	for EACH(Offer, o, offers) {
		show_names_for(decl_at(a)); // of each anew
		const char *detail = offer_detail(o);
		str_printf(&s, "%s{\"label\":%s,\"kind\":%d", o == offers.at ? "" : ",",
		           json_string(o->name), protocol_kind(o->kind));
		if (detail)
			str_printf(&s, ",\"detail\":%s", json_string(detail));
		if (o->doc && o->kind != OFFER_CONSTR)
			str_printf(&s, ",\"documentation\":{\"kind\":\"markdown\",\"value\":%s}",
			           json_string(o->doc));
		bool local = o->kind == OFFER_LOCAL || o->kind == OFFER_FIELD;
		str_printf(&s, ",\"sortText\":%s}",
		           json_string(text("%d%s", local ? 0 : o->kind == OFFER_KEYWORD ? 2 : 1,
		                            o->name)));
	}
	str_puts(&s, "]}");
	return str_text(&s);
}

// ---- Parameters ----

typedef struct { const Expr *fn; Exprs args; } Call;

// The innermost application around the place, and a function that nothing follows yet.
static void note_call(PlaceVisit *v, Expr *e)
{
	Call *c = v->ctx;
	if (e->kind == EX_APPLY && v->at > e->apply.fn->span.hi)
		*c = (Call){e->apply.fn, e->apply.args};
	else if (e->kind == EX_VAR && v->at > e->span.hi && e->type &&
	         ty_resolve(e->type)->kind == TY_ARROW && !(c->fn && c->args.len))
		*c = (Call){e, {0}};
}

static const char *param_name(const Call *c, int i)
{
	const Expr *fn = c->fn;
	const Binding *b = fn->kind == EX_VAR ? fn->var.binding : NULL;
	while (b && b->of)
		b = b->of;
	const Pat *p = b && b->decl && i < b->decl->val.pats.len ? b->decl->val.pats.at[i] : NULL;
	while (p && p->kind != PAT_NAME)
		p = p->kind == PAT_PAREN ? p->inner
		  : p->kind == PAT_ASCRIBE ? p->ascribe.pat : NULL;
	return p ? p->var.name : NULL;
}

const char *answer_signature(Ask *a)
{
	Call c = {0};
	PlaceVisit v = {.at = a->at, .ask = a, .expr = note_call, .ctx = &c};
	visit_at(&v, a->program->root->decls);
	if (!c.fn || !c.fn->type)
		return "null";
	int active = 0;
	for EACH(Expr *, arg, c.args)
		active += (*arg)->span.hi < a->at;
	Str label = {0}, params = {0};
	str_puts(&label, show_expr(c.fn));
	Ty *t = ty_resolve(c.fn->type);
	int n = 0;
	for (; t->kind == TY_ARROW; t = ty_resolve(t->arrow.to), n++) {
		const char *name = param_name(&c, n), *type = show_ty(t->arrow.from);
		bool arrow = ty_resolve(t->arrow.from)->kind == TY_ARROW;
		const char *shown = name ? text("(%s: %s)", name, type)
		                  : text(arrow ? "(%s)" : "%s", type);
		str_printf(&label, " %s", shown);
		str_printf(&params, "%s{\"label\":%s}", n ? "," : "", json_string(shown));
	}
	if (!n)
		return "null";
	str_printf(&label, " : %s", show_ty(t));
	const Binding *b = c.fn->kind == EX_VAR ? c.fn->var.binding : NULL;
	const char *doc = b ? binding_doc(b) : NULL;
	return text("{\"signatures\":[{\"label\":%s%s%s,\"parameters\":[%s]}],"
	            "\"activeSignature\":0,\"activeParameter\":%d}", json_string(str_text(&label)),
	            doc ? ",\"documentation\":" : "", doc ? json_string(doc) : "",
	            str_text(&params), active < n ? active : n - 1);
}
