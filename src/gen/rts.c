// The run-time that generated programs carry with them, cut into chunks.
//
// The files of rts/c are embedded in the compiler.  In them
//
//     // @chunk rd_sin_pi: base pi
//     static inline double rd_sin_pi(double x) ...
//
// begins a chunk with its name and the names of the chunks it needs.  Some files are templates:
// the chunk RD(add) of int.h stands for rd_add_i8, rd_add_i16 and so on, and its text is copied
// with the words that depend on the type replaced.  rts/c/scalar.h does the same with the
// preprocessor.
#include "gen/gen.h"

#include "base/embed.h"

#include <ctype.h>

// What the words of a template stand for at one type.  ORDER PRIMTYPE
static const struct { const char *t, *i, *u, *w, *d, *bits, *v, *k; } words[N_PRIMTYPE] = {
	{"int8_t", "int8_t", "uint8_t", "uint32_t", "int64_t", "8", 0, 0},
	{"int16_t", "int16_t", "uint16_t", "uint32_t", "int64_t", "16", 0, 0},
	{"int32_t", "int32_t", "uint32_t", "uint32_t", "int64_t", "32", 0, 0},
	{"int64_t", "int64_t", "uint64_t", "uint64_t", "rd_i128", "64", 0, 0},
	{"uint8_t", "int8_t", "uint8_t", "uint32_t", "uint64_t", "8", 0, 0},
	{"uint16_t", "int16_t", "uint16_t", "uint32_t", "uint64_t", "16", 0, 0},
	{"uint32_t", "int32_t", "uint32_t", "uint32_t", "uint64_t", "32", 0, 0},
	{"uint64_t", "int64_t", "uint64_t", "uint64_t", "rd_u128", "64", 0, 0},
	{"float", 0, 0, 0, 0, 0, 0, 0},
	{"float", "int32_t", "uint32_t", 0, 0, 0, "rd_f32v", "rd_f32m"},
	{"double", "int64_t", "uint64_t", 0, 0, 0, "rd_f64v", "rd_f64m"},
	{"bool", 0, 0, 0, 0, 0, 0, 0},
};

typedef SLICE(Name) Names;
typedef struct {
	Name name;                      // of a template: what stands in RD(...)
	Names needs;                    // as written, RD(min) and M(rd_exp) included
	const char *text;
	size_t len;
	bool (*at)(PrimType);           // a template: the types it exists at; else NULL
} Chunk;
typedef VEC(Chunk) Chunks;

// All chunks, in the order of the files; read when a program needs the first.
typedef struct { Chunks all; Map plain; Map by_op[N_PRIMTYPE]; } Library;

static bool is_vector_float(PrimType t)
{
	return t == PT_F32 || t == PT_F64;
}

static bool (*template_types(const char *file))(PrimType)
{
	static const struct { const char *file; bool (*at)(PrimType); } templates[] = {
		{"rts/c/int.h", is_int},
		{"rts/c/signed.h", is_signed},
		{"rts/c/unsigned.h", is_unsigned},
		{"rts/c/float.h", is_float},
		{"rts/c/lanes.h", is_vector_float},
		{"rts/c/product.h", is_vector_float},
	};
	for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
		if (strcmp(file, templates[i].file) == 0)
			return templates[i].at;
	return NULL;
}

static const char *line_end(const char *s)
{
	return s + strcspn(s, "\n");
}

// The next "// @" of a text, or NULL; there are few signs like that.
static const char *next_mark(const char *s, const char *end)
{
	static const char mark[] = "// ";
	size_t n = strlen(mark);
	for (const char *at = s; (at = memchr(at, '@', (size_t)(end - at))); at++)
		if ((size_t)(at - s) >= n && memcmp(at - n, mark, n) == 0)
			return at - n;
	return NULL;
}

// "NAME: NEED NEED" up to the end of the line.
static Chunk read_head(const char *s, bool (*at)(PrimType))
{
	Chunk c = {.at = at};
	VEC(Name) needs = {0};
	const char *end = line_end(s), *colon = memchr(s, ':', (size_t)(end - s));
	if (!colon)
		bug("chunk without colon: %.*s", (int)(end - s), s);
	c.name = at ? name_of_n(s + 3, (size_t)(colon - s) - 4) : name_of_n(s, (size_t)(colon - s));
	for (s = colon + 1; s < end; ) {
		s += strspn(s, " ");
		size_t n = strcspn(s, " \n");
		if (n)
			VEC_PUSH(&needs, name_of_n(s, n));
		s += n;
	}
	c.needs = VEC_SLICE(Names, needs);
	return c;
}

static void read_chunks(Chunks *out, const EmbeddedFile *f)
{
	bool (*at)(PrimType) = template_types(f->name);
	const char *end = f->text + f->len, *s = next_mark(f->text, end);
	while (s && str_starts(s, "// @chunk ")) {
		Chunk c = read_head(s + strlen("// @chunk "), at);
		c.text = line_end(s) + 1;
		s = next_mark(c.text, end);
		if (!s)
			bug("%s: no end of chunk %s", f->name, c.name);
		c.len = (size_t)(s - c.text);
		while (c.len > 0 && c.text[c.len - 1] == '\n')
			c.len--;
		VEC_PUSH(out, c);
	}
}

static Library *library(void)
{
	Library *lib = NEW(Library, .all = {0});
	for (const EmbeddedFile *f = embedded_rts; f->name; f++)
		read_chunks(&lib->all, f);
	for EACH(Chunk, c, lib->all) {
		if (!c->at) {
			map_put(&lib->plain, c->name, c);
			continue;
		}
		for (PrimType t = 0; t < N_PRIMTYPE; t++)
			if (c->at(t))
				map_put(&lib->by_op[t], c->name, c);
	}
	return lib;
}

static Name instance_name(Name op, PrimType t)
{
	return name_of(text("rd_%s_%s", op, primtype_name[t]));
}

// The chunk of a name; *t is its type when it is an instance of a template.
static const Chunk *find(const Library *lib, Name name, PrimType *t)
{
	const Chunk *c = map_get(&lib->plain, name);
	const char *last = strrchr(name, '_');
	if (c || !last || !str_starts(name, "rd_") || !primtype_of_name(last + 1, t))
		return c;
	return map_get(&lib->by_op[*t], name_of_n(name + 3, (size_t)(last - name) - 3));
}

static void use(Rts *rts, Name name)
{
	const Library *lib = rts->library;
	Name own = rts->kernel ? name_of(text("kernel_%s", name)) : NULL;
	if (own && map_has(&lib->plain, own))
		name = own;
	if (map_has(&rts->used, name))
		return;
	PrimType t = N_PRIMTYPE;
	const Chunk *c = find(lib, name, &t);
	if (!c)
		bug("no chunk %s in the run-time", name);
	map_put(&rts->used, name, (void *)c);
	if (c->at)
		use(rts, name_of("base"));
	if (c->at && t == PT_F16)
		use(rts, name_of("rd_as_half"));
	for EACH(Name, need, c->needs) {
		size_t n = strlen(*need);
		if (str_starts(*need, "RD("))
			use(rts, instance_name(name_of_n(*need + 3, n - 4), t));
		else if (str_starts(*need, "M("))
			use(rts,
			    name_of(text("%.*s%s", (int)n - 3, *need + 2, t == PT_F64 ? "" : "f")));
		else
			use(rts, *need);
	}
}

void rts_use(Rts *rts, const char *chunk)
{
	if (!rts->library)
		rts->library = library();
	use(rts, name_of(chunk));
}

// ---- Text ----

// "(name)" at *s is taken; the name goes to `out` between prefix and suffix.
static void put_applied(Str *out, const char **s, const char *prefix, const char *suffix)
{
	size_t n = strcspn(*s + 1, ")");
	str_printf(out, "%s%.*s%s", prefix, (int)n, *s + 1, suffix);
	*s += n + 2;
}

// One word of a template; true when it stands for something.  *s is behind it.
static bool put_word(Str *out, const char *word, size_t n, const char **s, PrimType t)
{
	bool single = n == 1, call = **s == '(';
	const char *is = single && *word == 'T' ? words[t].t
	               : single && *word == 'I' ? words[t].i
	               : single && *word == 'U' ? words[t].u
	               : single && *word == 'W' ? words[t].w
	               : single && *word == 'D' ? words[t].d
	               : single && *word == 'V' ? words[t].v
	               : single && *word == 'K' ? words[t].k
	               : n == 4 && strncmp(word, "BITS", 4) == 0 ? words[t].bits : NULL;
	if (is)
		str_puts(out, is);
	else if (n == 2 && word[0] == 'R' && word[1] == 'D' && call)
		put_applied(out, s, "rd_", text("_%s", primtype_name[t]));
	else if (single && *word == 'M' && call && is_float(t))
		put_applied(out, s, "", t == PT_F64 ? "" : "f");
	else if (single && *word == 'R' && call && is_float(t))
		str_puts(out, t == PT_F16 ? "rd_as_half" : "");
	else
		return false;
	return true;
}

static void put_instance(Str *out, const Chunk *c, PrimType t)
{
	const char *s = c->text, *end = s + c->len;
	while (s < end) {
		const char *word = s;
		while (s < end && (isalnum((unsigned char)*s) || *s == '_'))
			s++;
		size_t n = (size_t)(s - word);
		if (!n) {
			while (s < end && !isalnum((unsigned char)*s) && *s != '_')
				s++;
			str_putn(out, word, (size_t)(s - word));
		} else if (!put_word(out, word, n, &s, t)) {
			str_putn(out, word, n);
		}
	}
	str_puts(out, "\n\n");
}

void rts_put(Str *out, const Rts *rts)
{
	const Library *lib = rts->library;
	if (!lib)
		return;
	for EACH(const Chunk, c, lib->all) {
		if (!c->at && map_has(&rts->used, c->name)) {
			str_putn(out, c->text, c->len);
			str_puts(out, "\n\n");
		}
		for (PrimType t = 0; c->at && t < N_PRIMTYPE; t++)
			if (c->at(t) && map_has(&rts->used, instance_name(c->name, t)))
				put_instance(out, c, t);
	}
}
