// A table for editors that says what each name in the text of a program refers to.  It is filled
// while names are resolved.
//
//     def f (x: t) = m.g x       f, x, t, m, g, x: six entries
//
// Each entry is for one name at one place; a name that is resolved twice has two entries.
#include "check/modules.h"

#include <ctype.h>

static bool is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

// The first occurrence of a name from `at` on, as a word of its own if it is one.
static Span find_name(const Source *s, Loc at, Loc end, Name name)
{
	size_t n = strlen(name);
	bool word = n && is_part_of_name(name[0]);
	for (uint32_t i = at - s->start; n && i + n <= end - s->start; i++) {
		if (memcmp(s->text + i, name, n) != 0)
			continue;
		bool inside = i && is_part_of_name(s->text[i - 1]) && s->text[i - 1] != '\'';
		if (word && (inside || is_part_of_name(s->text[i + n])))
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
