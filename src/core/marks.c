// Attributes: the marks of marks.def, and texts.
#include "core/core.h"

#define ON(form) (UINT64_C(1) << E_##form)
#define ON_FUN (UINT64_C(1) << 63)
#define ON_ANY UINT64_MAX
#define AFTER_SEQ (STAGE_LOOP | STAGE_MEM)
#define ON_DEVICE (STAGE_DEVICE | STAGE_LOOP | STAGE_MEM)
_Static_assert(N_FORM < 63, "a form is a bit of MarkRow.forms");
typedef struct { const char *text; uint64_t forms; int stages; } MarkRow;
static const MarkRow rows[N_MARK] = {
	{0},
#define MARK(name, text, forms, stages) {text, forms, stages},
#include "core/marks.def"
#undef MARK
};
static const Mark last_of_users = ATTR_NOINLINE;

const char *mark_text(Mark m)
{
	return rows[m].text;
}

bool mark_allowed(Mark m, Form f, Stage s)
{
	return (rows[m].stages & s) && rows[m].forms >> f & 1;
}

bool mark_allowed_on_fun(Mark m, Stage s)
{
	return (rows[m].stages & s) && (rows[m].forms & ON_FUN);
}

static Mark mark_of(const char *text)
{
	for (int m = ATTR_NONE + 1; m < N_MARK; m++)
		if (strcmp(rows[m].text, text) == 0)
			return (Mark)m;
	return ATTR_NONE;
}

bool is_users_attr(const char *text)
{
	return mark_of(text) <= last_of_users && !str_starts(text, ATTR_THRESHOLD "(") &&
	       !str_starts(text, ATTR_GIVEN "(");
}

Attributes attrs_of_texts(Attributes texts)
{
	Attributes out = {0};
	for EACH(Name, a, texts) {
		Mark m = mark_of(*a);
		out = m ? with_attr(out, m) : with_attr_text(out, *a);
	}
	return out;
}

Attributes attrs_join(Attributes a, Attributes b)
{
	for EACH(Name, x, b)
		a = with_attr_text(a, *x);
	a.marks |= b.marks;
	return a;
}

bool has_attr_text(Attributes attrs, const char *name)
{
	for EACH(Name, a, attrs)
		if (strcmp(*a, name) == 0)
			return true;
	return false;
}

// What is in parentheses after the name, or NULL: it is another one.
static const char *argument_of(const char *attr, const char *name)
{
	size_t n = strlen(name);
	return str_starts(attr, name) && attr[n] == '('
	     ? text("%.*s", (int)strlen(attr + n + 1) - 1, attr + n + 1) : NULL;
}

const char *attr_argument(Attributes attrs, const char *name)
{
	for EACH(Name, a, attrs)
		if (argument_of(*a, name))
			return argument_of(*a, name);
	return NULL;
}

Fun *fun_named(const Prog *prog, const char *name)
{
	for EACH(Fun *, f, prog->funs)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	bug("there is no function %s", name);
}

Funs given_to(const Prog *prog, const Fun *f)
{
	Funs out = {NEW_ARRAY(Fun *, f->attrs.len + 1), 0};
	for EACH(Name, a, f->attrs) {
		const char *name = argument_of(*a, ATTR_GIVEN);
		if (name)
			out.at[out.len++] = fun_named(prog, name);
	}
	return out;
}

Attributes with_attr_text(Attributes attrs, const char *name)
{
	Attributes out = {NEW_ARRAY(Name, attrs.len + 1), 0, attrs.marks};
	for EACH(Name, a, attrs)
		out.at[out.len++] = *a;
	out.at[out.len++] = name_of(name);
	return out;
}
