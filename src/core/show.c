// Printing values of surface types, which are made up of flat values (EntryType).
//
//   [[1, 2],      (1,         {a = 7,         #foo 3 (#bar true)      #<fun>      empty([0]i32)
//    [3, 4]]       true)       b = [1.5]}
//   [(1, true), (2, false)]     [0, 1, 2, ..., 998, 999] (1000 elements)
//
// What stands on a later line is aligned with what it belongs to.  Arrays of records are on one
// line if they fit there, else each element is.  A record in an array is an array per flat value,
// so elements are found by slicing all of them alike.
#include "core/core.h"

typedef struct {
	Str out;
	int indent;                     // column where the output starts
	TextStyle style;
	bool line;                      // everything on one
	int64_t most;                   // elements of an array; 0: all
	bool inside;                    // of an array that is shown in part
} Show;

// FEW: of each dimension, where an array of several has over MANY times `most` elements.
enum { WIDTH = 80, FEW = 6, MANY = 10 };

static void show(Show *s, const EntryType *t, const Value *flat, bool as_argument);

static int column(const Show *s)
{
	size_t at = s->out.len;
	while (at > 0 && s->out.at[at - 1] != '\n')
		at--;
	return (int)(s->out.len - at) + (at == 0 ? s->indent : 0);
}

static void new_line(Show *s, int col)
{
	str_printf(&s->out, "\n%*s", col, "");
}

// Element i of the outermost dimension, sharing the data.
static Value row(const Value *v, int64_t i)
{
	Value r = {.type = v->type, .rank = v->rank - 1, .shape = v->shape + 1};
	r.data = (char *)v->data + i * value_count(&r) * primtype_size(v->type);
	return r;
}

static void show_array(Show *, const EntryType *, int rank, const Value *flat);

// The n rows; those in the middle are left out if there are too many.
static void put_elements(Show *s, const EntryType *t, int rank, const Value *flat, int64_t n,
                         bool lines)
{
	Value *part = NEW_ARRAY(Value, t->n_values);
	bool inside = s->inside, line = s->line;
	int64_t most = s->most;
	if (rank > 1 && most > FEW && value_count(&flat[0]) > MANY * most) {
		s->most = FEW;
		s->inside = true;
	}
	bool cut = s->most && n > s->most;
	str_putc(&s->out, '[');
	int col = column(s);
	for (int64_t i = 0; i < n; i++) {
		bool gap = cut && i == s->most / 2;
		if (i && lines)
			str_putc(&s->out, ','), new_line(s, col);
		else if (i)
			str_puts(&s->out, ", ");
		if (gap) {
			str_puts(&s->out, "...");
			i = n - s->most / 2 - 1;
			continue;
		}
		for (int k = 0; k < t->n_values; k++)
			part[k] = row(&flat[k], i);
		s->line = line || t->elem->kind == ET_RECORD;
		show_array(s, t, rank - 1, part);
		s->line = line;
	}
	str_putc(&s->out, ']');
	if (s->inside && !inside) {
		str_puts(&s->out, " (");
		for (int i = 0; i < rank; i++)
			str_printf(&s->out, "%s%lld", i ? " by " : "",
			           (long long)flat[0].shape[i]);
		str_puts(&s->out, " elements)");
	} else if (cut && !inside) {
		str_printf(&s->out, " (%lld elements)", (long long)n);
	}
	s->most = most;
	s->inside = inside;
}

static void show_array(Show *s, const EntryType *t, int rank, const Value *flat)
{
	const EntryType *elem = t->elem;
	if (rank == 0) {
		show(s, elem, flat, false);
		return;
	}
	// As executables print it; there is no such form for arrays of records and sums.
	if (elem->kind == ET_PRIM && value_count(&flat[0]) == 0) {
		str_printf(&s->out, "empty(%s)", value_type_text(&flat[0]));
		return;
	}
	int64_t n = t->n_values ? flat[0].shape[0] : 0;
	bool compound = rank == 1 && (elem->kind == ET_RECORD || elem->kind == ET_SUM);
	Show one = {.indent = column(s), .style = s->style, .line = true, .most = s->most,
	            .inside = s->inside};
	if (compound && !s->line) {
		put_elements(&one, t, rank, flat, n, false);
		if (column(&one) <= WIDTH) {
			str_puts(&s->out, str_text(&one.out));
			return;
		}
	}
	bool lines = !s->line && (rank > 1 || elem->kind == ET_ARRAY || compound);
	put_elements(s, t, rank, flat, n, lines);
}

static void show_record(Show *s, const EntryType *t, const Value *flat)
{
	str_putc(&s->out, t->is_tuple ? '(' : '{');
	int col = column(s);
	for (int i = 0; i < t->fields.len; i++) {
		const EntryField *f = &t->fields.at[i];
		if (i && s->line)
			str_puts(&s->out, ", ");
		else if (i)
			str_putc(&s->out, ','), new_line(s, col);
		if (!t->is_tuple)
			str_printf(&s->out, "%s = ", f->name);
		show(s, f->type, flat, false);
		flat += f->type->n_values;
	}
	str_putc(&s->out, t->is_tuple ? ')' : '}');
}

static void show_sum(Show *s, const EntryType *t, const Value *flat, bool as_argument)
{
	bool tagged = t->constrs.len > 1;
	int64_t tag = tagged ? value_get(&flat[0], 0).i : 0;
	if (tag < 0 || tag >= t->constrs.len)
		bug("constructor %lld of a type with %d", (long long)tag, t->constrs.len);
	const EntryConstr *c = &t->constrs.at[tag];
	Value *args = NEW_ARRAY(Value, c->slots.len);
	for (int i = 0; i < c->slots.len; i++)
		args[i] = flat[tagged + c->slots.at[i]];
	bool parens = as_argument && c->args.len > 0;
	str_printf(&s->out, "%s#%s", parens ? "(" : "", c->name);
	for EACH(EntryType *, a, c->args) {
		str_putc(&s->out, ' ');
		show(s, *a, args, true);
		args += (*a)->n_values;
	}
	if (parens)
		str_putc(&s->out, ')');
}

static void show(Show *s, const EntryType *t, const Value *flat, bool as_argument)
{
	switch (t->kind) {
	case ET_PRIM:
		value_write_text(&s->out, &flat[0], s->style);
		return;
	case ET_ARRAY:
		show_array(s, t, t->rank, flat);
		return;
	case ET_RECORD:
		show_record(s, t, flat);
		return;
	case ET_SUM:
		show_sum(s, t, flat, as_argument);
		return;
	case ET_FUN:
		str_puts(&s->out, "#<fun>");
		return;
	}
	bug("not a kind of surface type");
}

const char *show_on_line(const EntryType *t, const Value *flat)
{
	Show s = {.style = TEXT_SHORTEST, .line = true};
	show(&s, t, flat, false);
	return str_text(&s.out);
}

const char *show_short(const EntryType *t, const Value *flat, int64_t most)
{
	Show s = {.style = TEXT_BARE, .most = most};
	show(&s, t, flat, false);
	return str_text(&s.out);
}

const char *show_surface(const EntryType *t, const Value *flat, TextStyle style)
{
	Show s = {.style = style};
	show(&s, t, flat, false);
	return str_text(&s.out);
}
