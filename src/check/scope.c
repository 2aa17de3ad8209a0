// Scopes as they are made: what is in them, and what is taken back when one ends.  Looking names up
// is in env.c, where scopes are described.
#include "check/infer.h"
#include "check/modules.h"

// ---- Making scopes ----

Scope *scope_new(Env *env)
{
	return NEW(Scope, .env = env);
}

Scope *scope_inside(Scope *outer, Env *visible, Env *exports)
{
	visible->up = outer->env;
	return NEW(Scope, .env = visible, .exports = exports, .program = outer->program,
	           .file = outer->file, .is_prelude = outer->is_prelude, .newest = outer->newest);
}

Env *scope_env(Scope *s)
{
	return s->env;
}

Binding *poison_value(Name name, Span span)
{
	Binding *b = binding_new(BIND_GLOBAL, name, span);
	b->scheme.type = ty_error;
	b->poisoned = true;
	return b;
}

TypeDef *poison_type(Name name, Span span)
{
	TypeDef *d = typedef_new(TD_ABBREV, name, span);
	d->body = ty_error;
	return d;
}

Mod *poison_mod(void)
{
	return NEW(Mod, .kind = MOD_ENV, .env = NEW(Env, .poisoned = true));
}

// ---- Local names ----

int scope_mark(Scope *s)
{
	return s->undo.len;
}

static Slot *slot_of(Scope *s, Name name)
{
	Slot *slot = map_get(&s->slots, name);
	if (!slot) {
		slot = NEW(Slot, .name = name);
		map_put(&s->slots, name, slot);
	}
	return slot;
}

static void log_change(Scope *s, Slot *slot, Binding *bound)
{
	VEC_PUSH(&s->undo, (Undo){slot, slot ? *slot : (Slot){0}, bound});
	s->order++;
}

void scope_bind(Scope *s, Binding *b)
{
	Slot *slot = slot_of(s, b->name);
	log_change(s, slot, b);
	note_defined(s, b->name, b->span, (Use){.value = b});
	b->level = s->depth;
	slot->value = b;
	slot->value_order = s->order;
}

void scope_bind_type(Scope *s, TypeDef *d)
{
	Slot *slot = slot_of(s, d->name);
	log_change(s, slot, NULL);
	note_defined(s, d->name, d->span, (Use){.type = d});
	slot->type = d;
	slot->type_order = s->order;
}

void scope_open(Scope *s, Mod *m)
{
	log_change(s, NULL, NULL);
	VEC_PUSH(&s->opened, (Opened){m->env, s->order});
}

static Binding *undo_one(Scope *s)
{
	Undo *u = &s->undo.at[--s->undo.len];
	if (u->slot)
		*u->slot = u->before;
	else
		s->opened.len--;
	return u->bound;
}

void scope_leave(Scope *s, int mark, Loc end)
{
	// After an error a name that would have been used may seem not to be.
	bool failed = infer && diag_errors_made() > infer->errors;
	while (s->undo.len > mark) {
		Binding *b = undo_one(s);
		if (b)
			b->until = end;
		if (b && !failed && b->kind == BIND_LOCAL && !b->used && b->name[0] != '_' &&
		    !s->is_prelude)
			diag_warn(b->span, NULL, "Unused name \"%s\".", b->name);
	}
}

void scope_reset(Scope *s, int mark, int depth)
{
	while (s->undo.len > mark)
		undo_one(s);
	s->depth = depth;
}

int scope_depth(Scope *s)
{
	return s->depth;
}

void scope_deeper(Scope *s)
{
	s->depth++;
}

void scope_shallower(Scope *s)
{
	s->depth--;
}

// ---- Module-level names ----

void scope_add_value(Scope *s, Binding *b, bool exported)
{
	note_defined(s, b->name, b->span, (Use){.value = b});
	note_added(s, NS_VALUE, b->name, b);
	map_put(&s->env->values, b->name, b);
	if (exported && s->exports)
		map_put(&s->exports->values, b->name, b);
}

void scope_add_type(Scope *s, TypeDef *d, bool exported)
{
	note_defined(s, d->name, d->span, (Use){.type = d});
	note_added(s, NS_TYPE, d->name, d);
	map_put(&s->env->types, d->name, d);
	if (exported && s->exports)
		map_put(&s->exports->types, d->name, d);
}

void scope_add_sig(Scope *s, Sig *sig, bool exported)
{
	note_defined(s, sig->name, sig->span, (Use){.sig = sig});
	note_added(s, NS_SIG, sig->name, sig);
	map_put(&s->env->sigs, sig->name, sig);
	if (exported && s->exports)
		map_put(&s->exports->sigs, sig->name, sig);
}

static void add_all(Env *to, const Env *from)
{
	for MAP_EACH(e, from->values)
		map_put(&to->values, e->key, e->val);
	for MAP_EACH(e, from->types)
		map_put(&to->types, e->key, e->val);
	for MAP_EACH(e, from->sigs)
		map_put(&to->sigs, e->key, e->val);
	to->poisoned |= from->poisoned;
}

void scope_add_all(Scope *s, const Env *from, bool exported)
{
	note_all_added(s, from);
	add_all(s->env, from);
	if (exported && s->exports)
		add_all(s->exports, from);
}

void scope_claim(Scope *s, NameSpace space, Name name, Span span)
{
	static const char *const what[N_NAMESPACE] = {"name", "type", "module type"};
	const Span *before = map_get(&s->defined[space], name);
	if (before) {
		Diag *d = diag_error(span, NULL,
		                     "Duplicate definition of %s %s. Previously defined "
		                     "at %s.",
		                     what[space], name, show_span(*before));
		diag_note(d, "Hint: give one of them another name%s.", space == NS_VALUE
		          ? "; there is no overloading by the types of arguments" : "");
		fail_diag(d);
	}
	map_put(&s->defined[space], name, NEW(Span, span.lo, span.hi));
}
