// Test blocks: the comments of a program that say how to test it.
//
//   first     = description "==" [tags] action
//   tags      = "tags" "{" tag* "}"
//   action    = "error:" regex | ("property:" name+)+ | ["entry:" name*] case* structure* warning*
//   later     = description "==" (["entry:" name*] case* | ("property:" name+)+)
//   case      = ["\"name\""] runtag* "input" input result
//   input     = "{" value* "}" | "@" path      (random: types, literals; script: an expression)
//   result    = "output" ("{" value* "}" | "@" path) | "auto" "output" | "error:" regex | nothing
//   structure = "structure" [stage] "{" (node count)* "}"
//   warning   = "warning:" regex
//
// A block is a run of lines that start with `--`, one of them `-- ==`.  The leading dashes
// are overwritten with blanks in a copy of the program, so that the parser sees only the
// block and positions stay those of the file.
#include "cli/cli.h"
#include "core/data.h"

#include <ctype.h>
#include <errno.h>

typedef struct {
	const char *path;
	const char *original;           // the file's text, for excerpts
	char *text;                     // the copy
	const char *at, *end;           // in the copy: where we are, end of the block
	jmp_buf escape;                 // where mistakes go
	const char *why;
} Parser;

typedef VEC(TestCase) CaseVec;
typedef VEC(EntryTests) EntryVec;
typedef VEC(Name) NameVec;

// ---- Mistakes ----

static NORETURN void spec_error(Parser *p, const char *at, const char *unexpected,
                                const char *expecting)
{
	const char *line = at;
	while (line > p->text && line[-1] != '\n')
		line--;
	int number = 1, col = 1;
	for (const char *q = p->text; q < line; q++)
		number += *q == '\n';
	for (const char *q = line; q < at; q++)
		col += ((unsigned char)*q & 0xC0) != 0x80;
	const char *shown = p->original + (line - p->text);
	int width = (int)strlen(text("%d", number));
	Str s = {0};
	str_printf(&s, "%s:%d:%d:\n%*s |\n", p->path, number, col, width, "");
	str_printf(&s, "%d | %.*s\n", number, (int)strcspn(shown, "\r\n"), shown);
	str_printf(&s, "%*s | %*s^\n", width, "", col - 1, "");
	str_printf(&s, "unexpected %s\nexpecting %s", unexpected, expecting);
	if (unexpected[0] == '"' && unexpected[1] == ',')
		str_puts(&s, "\nHint: values are separated by spaces: \"input { 1 2 }\"");
	else if (strncmp(unexpected, "\"==", 3) == 0)
		str_puts(&s, "\nHint: an empty line is between two test blocks");
	else if (strstr(expecting, "input") || strstr(expecting, "{") || strstr(expecting, "case"))
		str_puts(&s,
		         "\nHint: a test case is written \"-- input { 1i32 } output { 2i32 }\"");
	p->why = str_text(&s);
	longjmp(p->escape, 1);
}

// What stands at the current place, for messages.
static const char *found(Parser *p)
{
	if (p->at >= p->end)
		return "end of test block";
	size_t n = 0;
	while (p->at + n < p->end && !isspace((unsigned char)p->at[n]) && n < 20)
		n++;
	return text("\"%.*s\"", (int)(n ? n : 1), p->at);
}

static NORETURN void expected(Parser *p, const char *what)
{
	spec_error(p, p->at, found(p), what);
}

// ---- Tokens ----

static void skip_space(Parser *p)
{
	while (p->at < p->end && isspace((unsigned char)*p->at))
		p->at++;
}

static bool is_tag_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static bool looking_at(Parser *p, const char *word)
{
	skip_space(p);
	size_t n = strlen(word);
	if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0)
		return false;
	return !is_tag_char(word[n - 1]) || p->at + n == p->end || !is_tag_char(p->at[n]);
}

static bool accept(Parser *p, const char *word)
{
	if (!looking_at(p, word))
		return false;
	p->at += strlen(word);
	return true;
}

static void expect(Parser *p, const char *word)
{
	if (!accept(p, word))
		expected(p, text("\"%s\"", word));
}

static const char *rest_of_line(Parser *p)
{
	const char *stop = memchr(p->at, '\n', (size_t)(p->end - p->at));
	const char *from = p->at, *to = stop ? stop : p->end;
	p->at = to;
	while (from < to && isspace((unsigned char)*from))
		from++;
	while (from < to && isspace((unsigned char)to[-1]))
		to--;
	return text("%.*s", (int)(to - from), from);
}

static Name tag_word(Parser *p)
{
	const char *from = p->at;
	while (p->at < p->end && is_tag_char(*p->at))
		p->at++;
	if (p->at == from)
		expected(p, "a tag");
	return name_of_n(from, (size_t)(p->at - from));
}

// Words up to the end of the line.
static Names names_on_line(Parser *p, const char *what)
{
	NameVec names = {0};
	const char *list = rest_of_line(p);
	for (const char *q = list; *q; ) {
		size_t n = strcspn(q, " \t\r");
		if (!isalpha((unsigned char)*q) && *q != '_')
			spec_error(p, p->at, text("\"%.*s\"", (int)n, q), what);
		VEC_PUSH(&names, name_of_n(q, n));
		q += n;
		q += strspn(q, " \t\r");
	}
	return VEC_SLICE(Names, names);
}

static const char *file_path(Parser *p)
{
	skip_space(p);
	const char *from = p->at;
	while (p->at < p->end && !isspace((unsigned char)*p->at))
		p->at++;
	if (p->at == from)
		expected(p, "a file name");
	return text("%.*s", (int)(p->at - from), from);
}

// ---- Cases ----

static Values braced_values(Parser *p)
{
	Values values = {0};
	expect(p, "{");
	for (;;) {
		data_skip_space(&p->at, p->end);
		if (accept(p, "}"))
			return values;
		if (p->at >= p->end)
			expected(p, "a value or \"}\"");
		const char *start = p->at, *why;
		Value v;
		// A binary value cannot stand in a comment, where `b` is just a wrong word.
		if (*p->at == 'b' || !data_read_text(p->at, &p->at, p->end, &v, &why))
			spec_error(p, start, found(p), "a value or \"}\"");
		VEC_PUSH(&values, v);
	}
}

// Types and literals of a random input; literals in their standard form.
static Texts braced_generators(Parser *p)
{
	TextVec gens = {0};
	expect(p, "{");
	while (!accept(p, "}")) {
		const char *start = p->at, *why;
		Value v;
		if (p->at >= p->end || (data_read_type(&p->at, p->end, &v) != NULL &&
		                        (*p->at == 'b' || !value_read(&p->at, p->end, &v, &why))))
			spec_error(p, start, found(p), "a type, a literal or \"}\"");
		Str s = {0};
		if (v.data)
			value_write_text(&s, &v, TEXT_SHORTEST);
		else
			str_puts(&s, value_type_text(&v));
		VEC_PUSH(&gens, str_text(&s));
	}
	return texts_of(gens);
}

static const ScriptExp *parse_script(Parser *p, const char **at, const char *end)
{
	const char *why = NULL;
	const ScriptExp *e = script_parse(at, end, &why);
	if (!e) {
		bool here = *at >= p->text && *at <= p->end;
		spec_error(p, here ? *at : p->at, "script", why);
	}
	return e;
}

static void script_input(Parser *p, TestCase *c)
{
	if (accept(p, "@")) {
		const char *path = file_path(p);
		size_t len;
		const char *full = text("%s/%s", dir_of(p->path), path), *s = read_file(full, &len);
		if (!s)
			spec_error(p, p->at, text("script file %s (%s)", path, strerror(errno)),
				"a readable file");
		const char *at = s;
		c->script = parse_script(p, &at, s + len);
		c->path = path;
		return;
	}
	expect(p, "{");
	c->script = parse_script(p, &p->at, p->end);
	expect(p, "}");
}

// The first 50 characters of the values in text form.
static const char *short_text(const char *s)
{
	int n = 0;
	const char *q = s;
	while (*q && n < 50)
		n += ((unsigned char)*++q & 0xC0) != 0x80;
	return *q ? text("%.*s...", (int)(q - s), s) : s;
}

// The name of a dataset that is not given one.
static const char *default_name(const TestCase *c)
{
	Str s = {0};
	switch (c->input) {
	case IN_VALUES:
		for (int i = 0; i < c->values.len; i++) {
			if (i)
				str_putc(&s, ' ');
			value_write_text(&s, &c->values.at[i], TEXT_SHORTEST);
			if (s.len > 400)
				break;
		}
		return text("#%d (\"%s\")", c->index, short_text(str_text(&s)));
	case IN_RANDOM:
		for (int i = 0; i < c->gens.len; i++)
			str_printf(&s, "%s%s", i ? " " : "", c->gens.at[i]);
		return str_text(&s);
	case IN_FILE:
		return str_ends(c->path, ".gz") ? text("%.*s", (int)strlen(c->path) - 3, c->path)
			: c->path;
	case IN_SCRIPT:
		return c->path ? c->path : script_show_exp(c->script);
	}
	bug("not a kind of input");
}

static void parse_input(Parser *p, TestCase *c)
{
	if (has_tag(c->tags, "script")) {
		c->input = IN_SCRIPT;
		script_input(p, c);
	} else if (has_tag(c->tags, "random")) {
		c->input = IN_RANDOM;
		c->gens = braced_generators(p);
	} else if (accept(p, "@")) {
		c->input = IN_FILE;
		c->path = file_path(p);
	} else {
		c->input = IN_VALUES;
		c->values = braced_values(p);
	}
}

static void parse_result(Parser *p, TestCase *c)
{
	if (accept(p, "output")) {
		if (accept(p, "@")) {
			c->result = RES_FILE;
			c->expected_path = file_path(p);
		} else {
			c->result = RES_VALUES;
			c->expected = braced_values(p);
		}
	} else if (accept(p, "auto")) {
		expect(p, "output");
		c->result = RES_AUTO;
	} else if (accept(p, "error:")) {
		c->result = RES_ERROR;
		c->regex = rest_of_line(p);
	}
}

static bool at_case(Parser *p)
{
	skip_space(p);
	return p->at < p->end && (*p->at == '"' || is_tag_char(*p->at)) &&
	       !looking_at(p, "structure") && !looking_at(p, "warning:");
}

static TestCase parse_case(Parser *p, int index)
{
	TestCase c = {.index = index};
	const char *name = NULL;
	NameVec tags = {0};
	skip_space(p);
	if (*p->at == '"') {
		const char *from = ++p->at;
		const char *close = memchr(from, '"', (size_t)(p->end - from));
		if (!close)
			expected(p, "'\"'");
		name = text("%.*s", (int)(close - from), from);
		p->at = close + 1;
	}
	while (!accept(p, "input")) {
		if (p->at >= p->end || !is_tag_char(*p->at))
			expected(p, "a tag or \"input\"");
		VEC_PUSH(&tags, tag_word(p));
		if (p->at < p->end && *p->at == ':')
			expected(p, "a tag or \"input\"");
	}
	c.tags = VEC_SLICE(Names, tags);
	parse_input(p, &c);
	parse_result(p, &c);
	c.name = name ? name : default_name(&c);
	return c;
}

static void parse_structure(Parser *p)
{
	while (p->at < p->end && !looking_at(p, "{"))
		tag_word(p);
	expect(p, "{");
	while (!accept(p, "}")) {
		const char *from = p->at;
		while (p->at < p->end && (is_tag_char(*p->at) || *p->at == '/'))
			p->at++;
		if (p->at == from)
			expected(p, "the name of a node, a count or \"}\"");
	}
}

// ---- Blocks ----

static void cases_of(Parser *p, Names entries, EntryVec *out)
{
	CaseVec cases = {0};
	while (at_case(p)) {
		TestCase c = parse_case(p, cases.len);
		VEC_PUSH(&cases, c);
	}
	for EACH(Name, e, entries)
		VEC_PUSH(out, (EntryTests){*e, VEC_SLICE(TestCases, cases)});
}

static Names default_entry(void)
{
	Name *main_ = NEW_ARRAY(Name, 1);
	*main_ = name_of("main");
	return (Names){main_, 1};
}

// Property lines, if there are any; they exclude cases.
static bool parse_properties(Parser *p, NameVec *properties)
{
	bool any = false;
	while (accept(p, "property:")) {
		Names names = names_on_line(p, "the name of a property");
		if (names.len == 0)
			expected(p, "the name of a property");
		VEC_APPEND(properties, names);
		any = true;
	}
	return any;
}

static void parse_first(Parser *p, TestSpec *spec, EntryVec *entries, NameVec *properties,
                        TextVec *warnings)
{
	NameVec tags = {0};
	if (accept(p, "tags")) {
		expect(p, "{");
		while (!accept(p, "}"))
			VEC_PUSH(&tags, tag_word(p));
	}
	spec->tags = VEC_SLICE(Names, tags);
	if (accept(p, "error:")) {
		spec->expects_error = true;
		spec->error_regex = rest_of_line(p);
		return;
	}
	if (parse_properties(p, properties))
		return;
	Names names = accept(p, "entry:") ? names_on_line(p, "the name of an entry point")
	                                  : default_entry();
	cases_of(p, names, entries);
	while (accept(p, "structure"))
		parse_structure(p);
	while (accept(p, "warning:"))
		VEC_PUSH(warnings, rest_of_line(p));
}

static void parse_later(Parser *p, const TestSpec *spec, EntryVec *entries, NameVec *properties)
{
	if (spec->expects_error)
		spec_error(p, p->at, "another test block",
		           "no more than one in a program that is to be rejected");
	if (parse_properties(p, properties))
		return;
	Names names = accept(p, "entry:") ? names_on_line(p, "the name of an entry point")
	                                  : default_entry();
	cases_of(p, names, entries);
}

// Finds the next run of comment lines with a line `-- ==`.  Sets at and end to what follows
// that line and clears its dashes.
static bool next_block(Parser *p, const char *from)
{
	char *body = NULL, *line = p->text + (from - p->text);
	for (;;) {
		bool comment = line[0] == '-' && line[1] == '-';
		if (!comment && body) {
			p->at = body;
			p->end = line;
			return true;
		}
		if (!*line)
			return false;
		char *next = line + strcspn(line, "\n");
		next += *next != 0;
		if (comment && body) {
			line[0] = line[1] = ' ';
		} else if (comment) {
			char *q = line + 2 + strspn(line + 2, " \t");
			bool marks = q[0] == '=' && q[1] == '=';
			marks = marks && q + 2 + strspn(q + 2, " \t\r\n") >= next;
			body = marks ? next : NULL;
		}
		line = next;
	}
}

// Within an entry point the names of datasets tell them apart.
static void check_names(Parser *p, const EntryVec *entries)
{
	Map seen_of_entry = {0};
	for EACH(EntryTests, e, *entries) {
		Map *seen = map_get(&seen_of_entry, e->entry);
		if (!seen)
			map_put(&seen_of_entry, e->entry, seen = NEW_ARRAY(Map, 1));
		for EACH(TestCase, c, e->cases) {
			Name name = name_of(c->name);
			if (map_has(seen, name)) {
				p->why = text("%s: multiple datasets with name \"%s\"", p->path,
					name);
				longjmp(p->escape, 1);
			}
			map_put(seen, name, c);
		}
	}
}

static void parse_blocks(Parser *p, TestSpec *spec)
{
	EntryVec entries = {0};
	NameVec properties = {0};
	TextVec warnings = {0};
	for (p->end = p->text; next_block(p, p->end); spec->has_block = true) {
		if (spec->has_block)
			parse_later(p, spec, &entries, &properties);
		else
			parse_first(p, spec, &entries, &properties, &warnings);
		skip_space(p);
		if (p->at < p->end)
			expected(p,
			         spec->expects_error
			         ? "the end of the block, as the program is to be rejected"
			         : spec->has_block ? "a test case or the end of the block"
			         : "a test case, \"structure\", \"warning:\" "
			           "or the end of the block");
	}
	check_names(p, &entries);
	spec->entries = VEC_SLICE(EntryTestses, entries);
	spec->properties = VEC_SLICE(Names, properties);
	spec->warnings = texts_of(warnings);
}

TestSpec *testspec_parse(const char *path, const char *bytes, size_t len, const char **why)
{
	Parser *p = NEW(Parser, .path = path, .original = bytes);
	p->text = mem_dup(bytes, len + 1);
	TestSpec *spec = NEW(TestSpec, .path = path);
	if (setjmp(p->escape) == 0) {
		parse_blocks(p, spec);
		return spec;
	}
	*why = p->why;
	return NULL;
}

TestSpec *testspec_read(const char *path, const char **why)
{
	size_t len;
	const char *bytes = read_file(path, &len);
	if (!bytes) {
		*why = text("%s: %s", path, strerror(errno));
		return NULL;
	}
	return testspec_parse(path, bytes, len, why);
}

// A file of specifications has the text of the blocks, without dashes.
TestSpec *testspec_read_file(const char *path, const char *spec_file, const char **why)
{
	size_t len;
	const char *bytes = read_file(spec_file, &len);
	Str s = {0};
	if (!bytes) {
		*why = text("%s: %s", spec_file, strerror(errno));
		return NULL;
	}
	while (*bytes) {
		size_t n = strcspn(bytes, "\n");
		str_printf(&s, "%s%.*s\n", n ? "-- " : "", (int)n, bytes);
		bytes += n + (bytes[n] == '\n');
	}
	return testspec_parse(path, str_text(&s), s.len, why);
}

bool has_tag(Names tags, const char *tag)
{
	for EACH(Name, t, tags)
		if (strcmp(*t, tag) == 0)
			return true;
	return false;
}
