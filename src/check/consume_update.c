// Uniqueness of updates: `a with [i] = v`, of fields, and `let a[i] = v`.
#include "check/consume.h"

void consume_indices(Consume *c, Indices idx)
{
	for EACH(Index, i, idx) {
		Expr *parts[] = {i->index, i->from, i->to, i->step};
		for (int k = 0; k < 4; k++)
			if (parts[k])
				consume_expr(c, parts[k]);
	}
}

static Ty *field_type(Ty *record, Name field)
{
	const TyField *f = ty_field(ty_resolve(record), field);
	return f ? f->type : ty_error;
}

// The source is an expression, or a name.
typedef struct { Span span; const Expr *of; Name name; Expr *value; Path path; } Update;

// The alias of the updated value; consumes the array that the path first indexes.
static Alias *update_path(Consume *c, const Update *u, Alias *src, Ty *t, int step, Alias *val)
{
	if (step == u->path.len)
		return val;
	const PathStep *s = &u->path.at[step];
	if (s->is_field)
		return alias_with_field(src, t, s->field,
		                        update_path(c, u, alias_field(src, t, s->field),
		                                    field_type(t, s->field), step + 1, val));
	if (ty_has_array(u->value->type) && set_common(alias_atoms(src), alias_atoms(val))) {
		Diag *d = diag_error(u->span, NULL,
		                     "Source array for in-place update\n  %s\n"
		                     "might alias update value\n  %s",
		                     u->of ? show_expr(u->of) : u->name, show_expr(u->value));
		diag_note(d, "Hint: use \"copy\" to remove aliases from the value.");
		return src;
	}
	consume_alias(c, u->span, src);
	return &no_alias;
}

static void consume_path(Consume *c, Path path)
{
	for EACH(PathStep, s, path)
		if (!s->is_field)
			consume_indices(c, s->idx);
}

// What an update of a field uses of its source: all but the field, which the value may consume.
//
//     let r.xs = push r.xs x
static Alias *kept(Alias *src, Ty *t, Path path, int step)
{
	if (step == path.len)
		return &no_alias;
	if (!path.at[step].is_field)
		return src;
	Name field = path.at[step].field;
	return alias_with_field(src, t, field, kept(alias_field(src, t, field),
	                                            field_type(t, field), path, step + 1));
}

static Alias *consume_source(Consume *c, Expr *of, Path path)
{
	Binding *var = NULL;
	Alias *src = place_alias(c, of, &var);
	if (!src)
		return consume_expr(c, of);
	observe(c, of->span, var, kept(src, of->type, path, 0));
	return src;
}

Alias *consume_update(Consume *c, Expr *e)
{
	// The value and the indices may read what the source consumes: they come first.
	consume_path(c, e->update.path);
	Alias *val = consume_expr(c, e->update.value);
	Alias *src = consume_source(c, e->update.of, e->update.path);
	Update u = {e->span, e->update.of, NULL, e->update.value, e->update.path};
	return update_path(c, &u, src, e->update.of->type, 0, val);
}

void consume_let_update(Consume *c, Expr *e)
{
	Binding *b = e->let_update.src;
	consume_path(c, e->let_update.path);
	Alias *val = consume_expr(c, e->let_update.value);
	Alias *src = var_alias(c, b);
	observe(c, e->let_update.name_span, b, kept(src, b->scheme.type, e->let_update.path, 0));
	Span span = span_join(e->let_update.name_span, e->let_update.value->span);
	Update u = {span, NULL, e->let_update.name, e->let_update.value, e->let_update.path};
	Alias *r = update_path(c, &u, src, b->scheme.type, 0, val);
	Pat p = {.kind = PAT_NAME, .span = span, .var = {e->let_update.name, e->let_update.dst},
	         .type = e->let_update.dst->scheme.type};
	alias_bind(c, &p, r, true);
}
