// Scopes: what a name means where.
//
// A scope has two levels.  The module level is a chain of Envs: the module being checked, the
// modules and file around it, the prelude.  The local level holds the parameters and let-bound
// names of the declaration in progress: a table of slots by name, and an undo log that takes
// bindings back when their scope ends, so that a lookup costs one probe however many names are
// in scope.  A module opened locally, m.(e), is not copied: it is searched before the local
// names bound earlier than it.
//
//     let x = 1 in m.(let y = x in y)     x: m.x if there is one, else the local one
#include "check/infer.h"
#include "check/modules.h"

// ---- Looking up simple names ----

static bool is_there(const Scope *s, const Binding *b)
{
	return !s->newest || b->id <= s->newest || b->kind == BIND_INTRINSIC;
}

Binding *env_value(const Env *env, Name name)
{
	for (; env; env = env->up) {
		Binding *b = map_get(&env->values, name);
		if (b)
			return b;
	}
	return NULL;
}

static Binding *module_level_value(const Scope *s, Name name)
{
	for (const Env *env = s->env; env; env = env->up) {
		Binding *b = map_get(&env->values, name);
		if (b && is_there(s, b))
			return b;
	}
	return NULL;
}

Binding *scope_value(Scope *s, Name name)
{
	Slot *slot = map_get(&s->slots, name);
	int order = slot && slot->value ? slot->value_order : 0;
	for (int i = s->opened.len; i-- > 0 && s->opened.at[i].order > order; ) {
		Binding *b = map_get(&s->opened.at[i].env->values, name);
		if (b)
			return b;
	}
	return order ? slot->value : module_level_value(s, name);
}

static TypeDef *scope_type(Scope *s, Name name)
{
	Slot *slot = map_get(&s->slots, name);
	int order = slot && slot->type ? slot->type_order : 0;
	for (int i = s->opened.len; i-- > 0 && s->opened.at[i].order > order; ) {
		TypeDef *d = map_get(&s->opened.at[i].env->types, name);
		if (d)
			return d;
	}
	if (order)
		return slot->type;
	for (const Env *env = s->env; env; env = env->up) {
		TypeDef *d = map_get(&env->types, name);
		if (d && (!s->newest || d->id <= s->newest))
			return d;
	}
	return NULL;
}

static Sig *scope_sig(Scope *s, Name name)
{
	for (const Env *env = s->env; env; env = env->up) {
		Sig *sig = map_get(&env->sigs, name);
		if (sig)
			return sig;
	}
	return NULL;
}

// Whether a name that is nowhere may be missing because something failed before.
static bool may_be_missing(const Scope *s)
{
	for (int i = 0; i < s->opened.len; i++)
		if (s->opened.at[i].env->poisoned)
			return true;
	for (const Env *env = s->env; env; env = env->up)
		if (env->poisoned)
			return true;
	return false;
}

// ---- Unknown names ----

static const Map *names_in(const Env *env, NameSpace space)
{
	switch (space) {
	case NS_VALUE:
		return &env->values;
	case NS_TYPE:
		return &env->types;
	case NS_SIG:
		return &env->sigs;
	case N_NAMESPACE:
		break;
	}
	bug("name space");
}

typedef struct { Name wanted, name; size_t distance; } Nearest;

// The closest name wins; of equally close ones the alphabetically first.
static void consider(Nearest *n, Name name)
{
	size_t d = edit_distance(n->wanted, name, 2);
	if (d == 0 || d > 2 || 2 * d >= strlen(n->wanted))
		return;
	if (!n->name || d < n->distance || (d == n->distance && strcmp(name, n->name) < 0)) {
		n->name = name;
		n->distance = d;
	}
}

static void consider_env(Nearest *n, const Env *env, NameSpace space)
{
	for MAP_EACH(e, *names_in(env, space))
		consider(n, e->key);
}

// A hint compares with all names there are: past many errors it is not worth it.
enum { MOST_HINTS = 100 };

static Name nearest_visible(const Scope *s, Name wanted, NameSpace space)
{
	Nearest n = {.wanted = wanted};
	if (diags.len > MOST_HINTS)
		return NULL;
	for MAP_EACH(e, s->slots) {
		const Slot *slot = e->val;
		if (space == NS_VALUE ? slot->value != NULL : space == NS_TYPE && slot->type)
			consider(&n, slot->name);
	}
	for (int i = 0; i < s->opened.len; i++)
		consider_env(&n, s->opened.at[i].env, space);
	for (const Env *env = s->env; env; env = env->up)
		consider_env(&n, env, space);
	return n.name;
}

// The first `n` components of a name as written.
static const char *show_prefix(QualName q, int n)
{
	Str s = {0};
	for (int i = 0; i < n; i++) {
		str_puts(&s, i ? "." : "");
		str_puts(&s, i < q.quals.len ? q.quals.at[i] : q.name);
	}
	return str_text(&s);
}

// "f32.sqrt, f64.sqrt": the modules of numbers and truth values that have the name, or NULL.
static const char *in_modules_of_types(Scope *s, Name name)
{
	static const char *const modules[] = {"bool", "i32", "i64", "f32", "f64"};
	Str out = {0};
	for (int i = 0; i < 5; i++) {
		const Binding *b = scope_value(s, name_of(modules[i]));
		if (b && b->kind == BIND_MODULE && b->mod->kind == MOD_ENV &&
		    map_has(&b->mod->env->values, name))
			str_printf(&out, "%s%s.%s", out.len ? ", " : "", modules[i], name);
	}
	return out.len ? str_text(&out) : NULL;
}

// A module in scope that has the name, "m.f", or NULL; members of the prelude's are found above.
static const char *in_some_module(const Scope *s, Name name)
{
	for (const Env *env = s->env; env; env = env->up)
		for MAP_EACH(e, env->values) {
			const Binding *b = e->val;
			if (b->kind == BIND_MODULE && b->mod->kind == MOD_ENV &&
			    map_has(&b->mod->env->values, name))
				return text("%s.%s", b->name, name);
		}
	return NULL;
}

// The members that begin with the name, as far as it is written: f64.sq is f64.sqrt.
static Name completed_in(const Env *env, Name name)
{
	Name found = NULL;
	for MAP_EACH(e, env->values)
		if (strlen(name) >= 2 && str_starts(e->key, name) &&
		    (!found || strcmp(e->key, found) < 0))
			found = e->key;
	return found;
}

// The names that a small module has, or NULL.
static const char *members_of(const Env *env)
{
	Str out = {0};
	int n = 0;
	for MAP_EACH(e, env->values)
		str_printf(&out, "%s%s", n++ ? ", " : "", (Name)e->key);
	return n && n <= 8 ? str_text(&out) : NULL;
}

// Where the file defines a name after it is used, at its top level, or NULL.
static const Span *defined_later(const UnknownName *u)
{
	for EACH(Decl *, at, u->file->decls) {
		const Decl *d = *at;
		if (d->span.lo <= u->diag->span.lo)
			continue;
		if (d->kind == DEC_VAL && u->space == NS_VALUE && d->val.name == u->name)
			return &d->val.name_span;
		if (d->kind == DEC_MODULE && u->space == NS_VALUE && d->module.name == u->name)
			return &d->module.name_span;
		if (d->kind == DEC_TYPE && u->space == NS_TYPE && d->type.name == u->name)
			return &d->type.name_span;
		if (d->kind == DEC_MODULE_TYPE && u->space == NS_SIG &&
		    d->module_type.name == u->name)
			return &d->module_type.name_span;
	}
	return NULL;
}

// The text before the name on its line.
static const char *line_before(Span at)
{
	const Source *src = source_of(at.lo);
	const char *to = src ? src->text + (at.lo - src->start) : NULL, *from = to;
	while (from && from > src->text && from[-1] != '\n')
		from--;
	return from ? text("%.*s", (int)(to - from), from) : "";
}

// let mut x = 1: that defines a function "mut", whose parameter is x.
static const char *word_before_binding(Scope *s, Name name)
{
	static const char *const words[] = {"mut", "rec", "var", "const", "inline", "f64", "f32",
	                                    "i64", "i32", "bool"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const Binding *b = scope_value(s, name_of(words[i]));
		const Source *src = b ? source_of(b->span.hi) : NULL;
		const char *p = src ? src->text + (b->span.hi - src->start) : "";
		p += strspn(p, " ");
		size_t n = strlen(name);
		if (strncmp(p, name, n) == 0 && strchr(" (=:\n", p[n]))
			return words[i];
	}
	return NULL;
}

// def f(x): and the body on the next line, which reads as the type of the result
static bool follows_python_head(Span at)
{
	const Source *src = source_of(at.lo);
	const char *p = src ? src->text + (at.lo - src->start) : NULL;
	bool newline = false;
	while (p && p > src->text && strchr(" \t\n", p[-1]))
		newline |= *--p == '\n';
	return newline && p > src->text && p[-1] == ':';
}

// What the place of an unknown name tells of it.
static bool hint_unknown(Scope *s, Diag *d, QualName q, int at, NameSpace space)
{
	Name name = at < q.quals.len ? q.quals.at[at] : q.name;
	const char *before = line_before(q.span);
	const char *word = space == NS_VALUE ? word_before_binding(s, name) : NULL;
	PrimType type;
	if (word && primtype_of_name(name_of(word), &type))
		diag_note(d, "Hint: the type follows the name: \"let %s: %s = ...\".", name, word);
	else if (word)
		diag_note(d, "Hint: \"let %s %s ...\" defines a function \"%s\"; write \"let %s "
		          "...\" alone.", word, name, word, name);
	else if (space == NS_TYPE && follows_python_head(q.span))
		diag_note(d,
		          "Hint: a function is defined by \"def f (x: f64) : f64 = ...\", and its "
		          "value is what follows the \"=\", without \"return\".");
	else if (space == NS_TYPE && at == 0 && scope_value(s, name))
		diag_note(d, "Note: there is a value of this name, but a type follows \":\".\n"
		          "Hint: a range is written \"a..<b\"; \"[x] ++ xs\" puts x before xs.");
	else if (space == NS_TYPE && strlen(name) == 1)
		diag_note(d, "Hint: a type parameter is declared after the name: \"def f '%s (x: "
		          "%s) = ...\".", name, name);
	else if (space == NS_VALUE && at == 0 && !q.quals.len && scope_type(s, name))
		diag_note(d, "Note: there is a type of this name, but types are not values.\n"
		          "Hint: a record is written \"{x = 1, y = 2}\", with its type \"{x = 1, "
		          "y = 2} : %s\".", name);
	else if (space == NS_VALUE && strstr(before, "//"))
		diag_note(d, "Hint: a comment begins with \"--\"; \"//\" divides integers.");
	else if (space == NS_VALUE && name[0] >= 'A' && name[0] <= 'Z' && at == q.quals.len)
		diag_note(d, "Hint: a constructor of a sum type begins with \"#\": \"#%s\".", name);
	else
		return false;
	return true;
}

void explain_unknown(const UnknownName *u)
{
	const Span *later = defined_later(u);
	if (!later)
		return;
	u->diag->notes = NULL;          // no other name is meant
	diag_note(u->diag,
	          "Note: it is defined at %s, but a definition sees only those before it.\n"
	          "Hint: move it up; functions that call each other have to become one.",
	          show_span_short(*later));
}

// Component number `at` of the name is not in `within`, or not in scope when that is NULL.
static void report_unknown(Scope *s, QualName q, int at, const Env *within, NameSpace space)
{
	static const char *const what[N_NAMESPACE] = {"name", "type", "module type"};
	Name name = at < q.quals.len ? q.quals.at[at] : q.name;
	bool is_module = at < q.quals.len;
	Diag *d = diag_error(q.span, NULL, "Unknown %s \"%s\"", is_module ? "name" : what[space],
	                     show_prefix(q, at + 1));
	NameSpace in = is_module ? NS_VALUE : space;
	Name near;
	enum { MANY = 100 }; // messages: looking through the file for each would take long
	if (!within && diags.len <= MANY && s->program && s->file)
		program_unknown(s->program, (UnknownName){d, name, in, s->file});
	const char *elsewhere = within ? NULL : name_elsewhere(name, in);
	const char *members = within || is_module || space != NS_VALUE
	                    ? NULL : in_modules_of_types(s, name);
	const char *beside = within || space != NS_VALUE || diags.len > MOST_HINTS ? NULL
	                   : hint_beside(q.span, members != NULL);
	if (beside) {
		diag_note(d, "Hint: %s.", beside);
		return;
	}
	// np.sum: that there is no such module is said, but "sum" says what is meant
	if (elsewhere && is_module && at + 1 == q.quals.len) {
		const char *of_member = name_elsewhere(show_qualname(q), space);
		of_member = of_member ? of_member : name_elsewhere(q.name, space);
		members = space == NS_VALUE ? in_modules_of_types(s, q.name) : NULL;
		elsewhere = of_member ? of_member : members ? NULL : elsewhere;
	}
	if (!within && !elsewhere && !members && hint_unknown(s, d, q, at, space))
		return;
	if (elsewhere)
		diag_note(d, "Hint: %s.", elsewhere);
	if (members)
		diag_note(d, "Hint: there is %s.", members);
	if (elsewhere || members)
		return;
	if (within) {
		Nearest n = {.wanted = name};
		consider_env(&n, within, in);
		near = n.name ? n.name : in == NS_VALUE && diags.len <= MOST_HINTS
		     ? completed_in(within, name) : NULL;
	} else {
		near = nearest_visible(s, name, in);
	}
	elsewhere = within && !near ? name_elsewhere(name, in) : NULL;
	if (elsewhere)
		diag_note(d, "Hint: %s.", elsewhere);
	members = near || elsewhere || in != NS_VALUE || diags.len > MOST_HINTS ? NULL
	        : within ? members_of(within) : in_some_module(s, name);
	if (near)
		diag_note(d, "Hint: did you mean \"%s%s%s\"?", show_prefix(q, at),
		          at ? "." : "", near);
	else if (members && within)
		diag_note(d, "Note: its members are %s.", members);
	else if (members)
		diag_note(d, "Hint: there is %s.", members);
}

// Inside of an inference a stand-in takes its place.
static void unknown(Scope *s, QualName q, int at, const Env *within, NameSpace space)
{
	report_unknown(s, q, at, within, space);
	if (!infer)
		fail_diag(NULL);
}

void need_size_name(Scope *s, QualName q)
{
	if (q.quals.len || scope_value(s, q.name))
		return;
	Diag *d = diag_error(q.span, NULL, "Unknown name \"%s\"", q.name);
	Name near = nearest_visible(s, q.name, NS_VALUE);
	if (near)
		diag_note(d, "Hint: did you mean \"%s\"?", near);
	else
		diag_note(d, "Hint: a size is a parameter too: \"def f [%s] (xs: [%s]i32) = ...\".",
		          q.name, q.name);
	fail_diag(d);
}

// ---- Qualified names ----

static bool is_intrinsics(const Binding *b)
{
	return strcmp(b->name, "intrinsics") == 0 &&
	       map_get(&intrinsics_env()->values, b->name) == b;
}

static Env *env_of_module(Scope *s, QualName q, Binding *b)
{
	if (b->mod->kind == MOD_FUNCTOR)
		fail(q.span, "module-is-parametric",
		     "Cannot have parametric module here.\nHint: apply it to a module first: "
		     "\"module m = %s some_module\"; then use m.", b->name);
	if (!s->is_prelude && is_intrinsics(b))
		diag_warn(q.span, NULL, "Using intrinsic functions directly can easily crash the "
		          "compiler or result in wrong code generation.");
	return b->mod->env;
}

static Name component(QualName q, int i)
{
	return i < q.quals.len ? q.quals.at[i] : q.name;
}

// Follows module qualifiers: *used gets how many components that took, `limit` at most.  NULL
// when a module on the way is one that failed.
static Binding *walk(Scope *s, QualName q, int limit, int *used)
{
	Binding *b = scope_value(s, component(q, 0));
	if (!b) {
		if (may_be_missing(s))
			return NULL;
		unknown(s, q, 0, NULL, NS_VALUE);
		return NULL;
	}
	b->used = true;
	note_use(s, q, 0, (Use){.value = b});
	int i = 1;
	for (; i < limit && b->kind == BIND_MODULE; i++) {
		const Env *env = env_of_module(s, q, b);
		Binding *next = map_get(&env->values, component(q, i));
		if (!next && env->poisoned)
			return NULL;
		if (!next) {
			unknown(s, q, i, env, NS_VALUE);
			return NULL;
		}
		b = next;
		note_use(s, q, i, (Use){.value = b});
	}
	*used = i;
	return b;
}

// i64.max in m.(...), where m has a function i64, or where a parameter is called so.
static bool report_hidden_module(const Scope *s, QualName q, const Binding *b)
{
	if (!b->scheme.type || ty_resolve(b->scheme.type)->kind != TY_ARROW)
		return false;
	const Env *env = s->env;
	const Binding *hidden = NULL;
	for (; env && (!hidden || hidden->kind != BIND_MODULE); env = env->up)
		hidden = map_get(&env->values, q.quals.at[0]);
	if (!hidden || hidden->kind != BIND_MODULE || hidden->mod->kind != MOD_ENV ||
	    !map_has(&hidden->mod->env->values, component(q, 1)))
		return false;
	Diag *d = diag_error(q.span, NULL, "Unknown name \"%s\"", show_qualname(q));
	diag_note(d, "Note: \"%s\" is a function here, which hides the module of this name.\n"
	          "Hint: give the module a second name further out: \"module other = %s\"; then "
	          "use other.%s.", hidden->name, hidden->name, q.name);
	return true;
}

static Binding *stand_in(QualName q)
{
	if (!infer)
		fail_diag(NULL);
	return poison_value(q.name, q.span);
}

Binding *find_value(Scope *s, QualName q, Names *rest)
{
	int n = q.quals.len + 1, used = n;
	Binding *b = walk(s, q, n, &used);
	if (rest)
		*rest = (Names){0};
	if (!b)
		return poison_value(q.name, q.span);
	if (b->kind == BIND_MODULE) {
		Diag *d = diag_error(q.span, NULL, "Unknown name \"%s\"", show_qualname(q));
		diag_note(d, "Note: there is a module of this name, but modules are not values.");
		if (b->mod->kind == MOD_ENV && map_has(&b->mod->env->values, name_of("i32")))
			diag_note(d, "Hint: a conversion names both types: \"%s.i32 x\" converts "
			          "an i32, \"%s.%s x\" an %s.", q.name, q.name,
			          strcmp(q.name, "f64") == 0 ? "i64" : "f64",
			          strcmp(q.name, "f64") == 0 ? "i64" : "f64");
		return stand_in(q);
	}
	if (b->name[0] == '_') {
		diag_error(q.span, NULL, "Use of \"%s\": variables prefixed with underscore may "
		           "not be accessed.", show_prefix(q, used));
		return stand_in(q);
	}
	if (used == 1 && n > 1 && report_hidden_module(s, q, b))
		return stand_in(q);
	if (used < n && !rest) {
		report_unknown(s, q, used, NULL, NS_VALUE);
		return stand_in(q);
	}
	if (used < n) {
		*rest = (Names){NEW_ARRAY(Name, n - used), n - used};
		for (int i = used; i < n; i++)
			rest->at[i - used] = component(q, i);
	}
	return b;
}

// The module that the first `n` components name; NULL when it failed.
static Binding *find_module_binding(Scope *s, QualName q, int n)
{
	int used = n;
	Binding *b = walk(s, q, n, &used);
	if (!b || b->poisoned)
		return NULL;
	if (b->kind != BIND_MODULE || used < n) {
		Diag *d = diag_error(q.span, NULL, "Unknown module \"%s\"", show_prefix(q, n));
		diag_note(d, "Note: \"%s\" is a value.", show_prefix(q, used));
		if (b->scheme.type && ty_resolve(b->scheme.type)->kind == TY_ARROW)
			diag_note(d, "Hint: \"map %s xs\" applies it to each element.",
			          show_prefix(q, used));
		fail_diag(d);
	}
	return b;
}

Mod *find_module(Scope *s, QualName q)
{
	Binding *b = find_module_binding(s, q, q.quals.len + 1);
	if (!b)
		return poison_mod();
	if (!s->is_prelude && is_intrinsics(b))
		env_of_module(s, q, b);
	return b->mod;
}

Mod *find_module_to_name(Scope *s, QualName q)
{
	Binding *b = find_module_binding(s, q, q.quals.len + 1);
	if (b && !s->is_prelude && is_intrinsics(b))
		fail(q.span, NULL, "The \"intrinsics\" module may not be used in module "
		     "expressions.");
	return b ? b->mod : poison_mod();
}

TypeDef *find_type(Scope *s, QualName q)
{
	if (!*q.name)                   // what the parser put where a type is missing
		return poison_type(q.name, q.span);
	if (!q.quals.len) {
		TypeDef *d = scope_type(s, q.name);
		if (!d && !may_be_missing(s))
			unknown(s, q, 0, NULL, NS_TYPE);
		if (d)
			note_use(s, q, 0, (Use){.type = d});
		return d ? d : poison_type(q.name, q.span);
	}
	Binding *b = find_module_binding(s, q, q.quals.len);
	if (!b)
		return poison_type(q.name, q.span);
	const Env *env = env_of_module(s, q, b);
	TypeDef *d = map_get(&env->types, q.name);
	if (!d && !env->poisoned)
		unknown(s, q, q.quals.len, env, NS_TYPE);
	if (d)
		note_use(s, q, q.quals.len, (Use){.type = d});
	return d ? d : poison_type(q.name, q.span);
}

Sig *find_sig(Scope *s, QualName q)
{
	const Env *env = NULL;
	Sig *sig;
	if (q.quals.len) {
		Binding *b = find_module_binding(s, q, q.quals.len);
		env = b ? env_of_module(s, q, b) : poison_mod()->env;
		sig = map_get(&env->sigs, q.name);
	} else {
		sig = scope_sig(s, q.name);
	}
	if (!sig && !(env ? env->poisoned : may_be_missing(s)))
		unknown(s, q, q.quals.len, env, NS_SIG);
	if (sig)
		note_use(s, q, q.quals.len, (Use){.sig = sig});
	return sig ? sig : NEW(Sig, .name = q.name, .mod = poison_mod());
}
