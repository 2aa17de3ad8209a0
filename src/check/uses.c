// A table for editors that says what each name in the text of a program refers to.  It is filled
// while names are resolved.
//
//     def f (x: t) = m.g x       f, x, t, m, g, x: six entries
//
// Each entry is for one name at one place; a name that is resolved twice has two entries.
//
// What is in scope at a place of the top level is replayed from the history of the scope: a later
// declaration may hide an earlier one.
#include "check/modules.h"

#include <ctype.h>

// The first occurrence of a name from `at` on, as a word of its own if it is one.
static Span find_name(const Source *s, Loc at, Loc end, Name name)
{
	size_t n = strlen(name);
	bool word = n && is_name_char(name[0]);
	for (uint32_t i = at - s->start; n && i + n <= end - s->start; i++) {
		if (memcmp(s->text + i, name, n) != 0)
			continue;
		bool inside = i && is_name_char(s->text[i - 1]) && s->text[i - 1] != '\'';
		if (word && (inside || is_name_char(s->text[i + n])))
			continue;
		return (Span){s->start + i, s->start + i + (Loc)n};
	}
	return NOWHERE;
}

static bool is_wanted(const Scope *s)
{
	return s->program && s->program->options.names && !s->is_prelude;
}

static Span definition_of(const Use *u)
{
	Span at = u->value ? u->value->span : u->type ? u->type->span : u->sig->span;
	Name name = u->value ? u->value->name : u->type ? u->type->name : u->sig->name;
	const Source *source = source_of(at.lo);
	Span exact = source ? find_name(source, at.lo, at.hi, name) : NOWHERE;
	return exact.lo ? exact : at;
}

static void add(const Scope *s, Use use)
{
	use.definition = definition_of(&use);
	VEC_PUSH(&s->program->uses, use);
}

void note_defined(const Scope *s, Name name, Span span, Use use)
{
	const Source *source = is_wanted(s) ? source_of(span.lo) : NULL;
	if (!source)
		return;
	use.span = find_name(source, span.lo, span.hi, name);
	use.defines = true;
	if (use.span.lo)
		add(s, use);
}

void note_use(const Scope *s, QualName q, int i, Use use)
{
	const Source *source = is_wanted(s) ? source_of(q.span.lo) : NULL;
	if (!source)
		return;
	Loc at = q.span.lo;
	for (int k = 0; k <= i; k++) {
		use.span = find_name(source, at, q.span.hi,
		                     k < q.quals.len ? q.quals.at[k] : q.name);
		if (!use.span.lo)
			return;
		at = use.span.hi;
	}
	add(s, use);
}

// ---- The top level as it was ----

void note_added(const Scope *s, NameSpace space, Name name, void *what)
{
	History *h = s->history;
	if (h)
		VEC_PUSH(&h->added, (Added){space, name, what, h->now});
}

void note_all_added(const Scope *s, const Env *env)
{
	if (!s->history)
		return;
	for MAP_EACH(e, env->values)
		note_added(s, NS_VALUE, e->key, e->val);
	for MAP_EACH(e, env->types)
		note_added(s, NS_TYPE, e->key, e->val);
	for MAP_EACH(e, env->sigs)
		note_added(s, NS_SIG, e->key, e->val);
}

Env *scope_env_at(const Scope *s, Loc at)
{
	if (!s->history)
		return s->env;
	Env *env = NEW(Env, .up = s->env->up, .name = s->env->name);
	Map *spaces[N_NAMESPACE] = {&env->values, &env->types, &env->sigs}; // ORDER NameSpace
	for EACH(Added, a, s->history->added) {
		if (a->since > at)
			break;
		map_put(spaces[a->space], a->name, a->what);
	}
	return env;
}
