// Reading and writing of scalars and arrays of scalars, in text and in binary form.
//
//   text     3   -7i32   1.5f32   f64.nan   true   [[1, 2], [3, 4]]   empty([0][2]i32)   "bytes"
//   binary   'b' 2 rank type dims... elements...       all little-endian
//
// The type of a value is known before it is read: a number without a suffix gets that type, and a
// number with another suffix is rejected.  There may be white space and `--` comments between
// values, and both forms may be mixed in one stream.
//
// Input is buffered, except for large binary arrays, which are read directly into place.
#ifndef RD_VALUES_H
#define RD_VALUES_H
#include "half.h"
#include "object.h"
#include "shortest.h"

// @chunk values: prim_names rd_half_of_double rd_float_of_half shortest math
#include <errno.h>
#include <fenv.h>
#include <math.h>
//
// What could not be read is remembered: what was expected (`problem`), what stood there and where.
struct rd_reader {
	FILE *file;
	size_t at, len;
	int64_t before;                 // bytes before those in the buffer
	int64_t line, line_start;       // of the start of the buffer, and how many bytes before the line
	int64_t token;                  // bytes before what is being read
	char found[64], problem[128];
	unsigned char bytes[1 << 16];
};

// A value outside of the context; `data` is malloced.  Where a value may be absent (see
// object.h), its shape is then -1 throughout.
struct rd_value {
	int prim, rank, may_be_absent;
	int64_t shape[RD_MAX_RANK];
	void *data;
};

RD_FUN int64_t rd_value_count(const struct rd_value *v)
{
	int64_t n = 1;
	int i;
	for (i = 0; i < v->rank; i++)
		n *= v->shape[i];
	return n;
}

RD_FUN int rd_is_absent_value(const struct rd_value *v)
{
	return v->rank > 0 && v->shape[0] < 0;
}

RD_FUN void rd_value_free(struct rd_value *v)
{
	free(v->data);
	v->data = NULL;
}

// ---- Scalars in memory ----

RD_HOT void rd_store_int(int prim, void *to, uint64_t n)
{
	uint8_t n8 = (uint8_t)n;
	uint16_t n16 = (uint16_t)n;
	uint32_t n32 = (uint32_t)n;
	switch (rd_prim_size(prim)) {
	case 1: memcpy(to, &n8, 1); return;
	case 2: memcpy(to, &n16, 2); return;
	case 4: memcpy(to, &n32, 4); return;
	default: memcpy(to, &n, 8); return;
	}
}

RD_HOT uint64_t rd_load_int(int prim, const void *at)
{
	switch (prim) {
	case RD_I8: return (uint64_t)*(const int8_t *)at;
	case RD_I16: return (uint64_t)*(const int16_t *)at;
	case RD_I32: return (uint64_t)*(const int32_t *)at;
	case RD_U8: return *(const uint8_t *)at;
	case RD_U16: return *(const uint16_t *)at;
	case RD_U32: return *(const uint32_t *)at;
	default: return *(const uint64_t *)at;
	}
}

RD_HOT void rd_store_float(int prim, void *to, double x)
{
	uint16_t half = rd_half_of_double(x);
	float single = (float)x;
	if (prim == RD_F16)
		memcpy(to, &half, 2);
	else if (prim == RD_F32)
		memcpy(to, &single, 4);
	else
		memcpy(to, &x, 8);
}

RD_HOT double rd_load_float(int prim, const void *at)
{
	if (prim == RD_F16)
		return (double)rd_float_of_half(*(const uint16_t *)at);
	return prim == RD_F32 ? (double)*(const float *)at : *(const double *)at;
}

// ---- Characters ----

RD_FUN void rd_reader_init(struct rd_reader *r, FILE *f)
{
	r->file = f;
	r->at = r->len = 0;
	r->before = r->line_start = r->token = 0;
	r->line = 1;
	r->found[0] = r->problem[0] = 0;
}

// Counts the lines of the first n bytes of the buffer.
RD_HOT void rd_count_lines(struct rd_reader *r, size_t n)
{
	const unsigned char *at = r->bytes, *end = r->bytes + n;
	while (at < end && (at = (const unsigned char *)memchr(at, '\n', (size_t)(end - at))) != NULL) {
		at++;
		r->line++;
		r->line_start = r->before + (int64_t)(at - r->bytes);
	}
}

// The bytes of the buffer up to n are done with.
RD_HOT void rd_pass(struct rd_reader *r, size_t n)
{
	rd_count_lines(r, n);
	r->before += (int64_t)n;
}

RD_HOT int rd_fill(struct rd_reader *r)
{
	rd_pass(r, r->len);
	r->at = 0;
	r->len = fread(r->bytes, 1, sizeof r->bytes, r->file);
	return r->len > 0;
}

// The next byte, or -1 at the end.
RD_HOT int rd_peek(struct rd_reader *r)
{
	return r->at < r->len || rd_fill(r) ? r->bytes[r->at] : -1;
}

RD_HOT int rd_next(struct rd_reader *r)
{
	int c = rd_peek(r);
	r->at += c >= 0;
	return c;
}

RD_HOT int rd_accept(struct rd_reader *r, int c)
{
	if (rd_peek(r) != c)
		return 0;
	r->at++;
	return 1;
}

RD_HOT int rd_is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

// Does a comment begin here?  A single dash is the sign of a number.
RD_HOT int rd_at_comment(struct rd_reader *r)
{
	if (rd_peek(r) != '-')
		return 0;
	if (r->at + 1 == r->len) { // the byte after it is in the next buffer
		rd_pass(r, r->at);
		r->bytes[0] = '-';
		r->at = 0;
		r->len = 1 + fread(r->bytes + 1, 1, sizeof r->bytes - 1, r->file);
	}
	return r->at + 1 < r->len && r->bytes[r->at + 1] == '-';
}

RD_HOT void rd_skip_space(struct rd_reader *r)
{
	int c;
	for (;;) {
		if (rd_is_space(c = rd_peek(r))) {
			r->at++;
			continue;
		}
		if (c != '-' || !rd_at_comment(r))
			return;
		while ((c = rd_next(r)) >= 0 && c != '\n')
			continue;
	}
}

// Skips white space; is this the end?
RD_FUN int rd_at_end(struct rd_reader *r)
{
	rd_skip_space(r);
	return rd_peek(r) < 0;
}

RD_HOT int rd_read_bytes(struct rd_reader *r, void *to, size_t n)
{
	size_t have = r->len - r->at;
	if (have > n)
		have = n;
	if (have)
		memcpy(to, r->bytes + r->at, have);
	r->at += have;
	if (have == n)
		return 1;
	rd_pass(r, r->len);
	r->at = r->len = 0;
	r->before += (int64_t)(n - have);
	return fread((char *)to + have, 1, n - have, r->file) == n - have;
}

// ---- Scalars in text form ----

enum { RD_TOKEN_BYTES = 1024 };

// What is wrong, where the current token begins; gives 0.  `word`: what stands there, NULL: what comes
// next.
RD_FUN RD_PRINTF(3, 4) int rd_unreadable(struct rd_reader *r, const char *word, const char *format, ...)
{
	va_list args;
	int c;
	if (r->problem[0])
		return 0;
	va_start(args, format);
	vsnprintf(r->problem, sizeof r->problem, format, args);
	va_end(args);
	if (word) {
		snprintf(r->found, sizeof r->found, strlen(word) < 50 ? "\"%s\"" : "\"%.45s...\"", word);
		return 0;
	}
	r->token = r->before + (int64_t)r->at;
	c = rd_peek(r);
	if (c < 0)
		strcpy(r->found, "the end of the input");
	else
		snprintf(r->found, sizeof r->found, c >= ' ' && c < 127 ? "\"%c\"" : "the byte 0x%02x", c);
	return 0;
}

// What could not be read, as text: "line 1, column 5: expected f64, found \"abc\"".
RD_FUN void rd_read_error(struct rd_reader *r, char *to, size_t size)
{
	if (r->token < r->line_start) // the buffer with its line is gone: says where reading ended
		r->token = r->before + (int64_t)r->at;
	if (r->token > r->before)
		rd_pass(r, (size_t)(r->token - r->before));
	snprintf(to, size, "line %lld, column %lld: %s%s%s%s", (long long)r->line,
	         (long long)(r->token - r->line_start + 1), r->problem[0] ? r->problem : "cannot be read",
	         r->found[0] ? ", found " : "", r->found,
	         strcmp(r->found, "\",\"") == 0   ? "; values are separated by spaces"
	         : strcmp(r->found, "\"{\"") == 0 ? "; the fields of a record are given one by one, in alphabetical order"
	         : strcmp(r->found, "\"(\"") == 0 ? "; the components of a tuple are given one by one"
	                                        : "");
}

RD_HOT int rd_is_word(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '.' || c == '+' || c == '-' || c == '_';
}

// A word of letters, digits, points and signs, without its underscores.  A comment ends it.
RD_HOT int rd_read_word(struct rd_reader *r, char *to)
{
	size_t n = 0;
	int c;
	while (rd_is_word(c = rd_peek(r)) && !(c == '-' && rd_at_comment(r))) {
		r->at++;
		if (c == '_')
			continue;
		if (n + 1 == RD_TOKEN_BYTES)
			return 0;
		to[n++] = (char)c;
	}
	to[n] = 0;
	return n > 0;
}

RD_FUN int rd_ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n >= m && strcmp(s + n - m, end) == 0;
}

RD_HOT int rd_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0'
	     : c >= 'a' && c <= 'f' ? c - 'a' + 10
	     : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

// What is out of range wraps around.
RD_HOT int rd_parse_int(const char *s, const char *suffix, uint64_t *out)
{
	int negative = *s == '-', base = 10;
	const char *start;
	uint64_t n = 0;
	s += *s == '-' || *s == '+';
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X' || s[1] == 'b' || s[1] == 'B')) {
		base = s[1] == 'x' || s[1] == 'X' ? 16 : 2;
		s += 2;
	}
	for (start = s; rd_digit(*s) < base; s++)
		n = n * (uint64_t)base + (uint64_t)rd_digit(*s);
	*out = negative ? 0 - n : n;
	return s > start && (!*s || strcmp(s, suffix) == 0);
}

// nan, inf, f32.nan, f32.inf with a sign or without.
RD_FUN int rd_parse_special(const char *s, const char *suffix, double *out)
{
	int negative = *s == '-';
	size_t n = strlen(suffix);
	s += *s == '-' || *s == '+';
	if (strncmp(s, suffix, n) == 0 && s[n] == '.')
		s += n + 1;
	if (strcmp(s, "nan") == 0)
		*out = (double)NAN;
	else if (strcmp(s, "inf") == 0)
		*out = (double)INFINITY;
	else
		return 0;
	if (negative)
		*out = -*out;
	return 1;
}

// Where the double nearest to a number lies in the middle between two halves and the number does
// not, gives the double next to it on the number's side: rounded once more, it is right.
RD_FUN double rd_read_for_half(const char *s, double x)
{
	double below = nextafter(x, -HUGE_VAL), above = nextafter(x, HUGE_VAL), least, most;
	int mode = fegetround();
	if (rd_half_of_double(below) == rd_half_of_double(above))
		return x;
	fesetround(FE_DOWNWARD);
	least = strtod(s, NULL);
	fesetround(FE_UPWARD);
	most = strtod(s, NULL);
	fesetround(mode);
	return least < x ? below : most > x ? above : x;
}

// The digits of a hexadecimal number without exponent may look like a suffix; they are not.
RD_HOT int rd_parse_float(char *s, const char *suffix, int prim, double *out)
{
	const char *digits = s + (*s == '-' || *s == '+');
	int hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	char *end;
	if (rd_parse_special(s, suffix, out))
		return 1;
	if (rd_digit(*digits) > 9 && *digits != '.')
		return 0;
	if (rd_ends_with(s, suffix) && (!hex || strchr(s, 'p') || strchr(s, 'P')))
		s[strlen(s) - strlen(suffix)] = 0;
	*out = prim == RD_F32 ? (double)strtof(s, &end) : strtod(s, &end);
	if (prim == RD_F16)
		*out = rd_read_for_half(s, *out);
	return end > s && !*end;
}

// Parses a word as a scalar of the type and stores it.
RD_HOT int rd_parse_scalar(char *s, int prim, void *to)
{
	const char *suffix = rd_prim_name[prim];
	uint64_t n;
	double x;
	switch (prim) {
	case RD_I8: case RD_I16: case RD_I32: case RD_I64:
	case RD_U8: case RD_U16: case RD_U32: case RD_U64:
		if (!rd_parse_int(s, suffix, &n))
			return 0;
		rd_store_int(prim, to, n);
		return 1;
	case RD_F16: case RD_F32: case RD_F64:
		if (!rd_parse_float(s, suffix, prim, &x))
			return 0;
		rd_store_float(prim, to, x);
		return 1;
	case RD_BOOL:
		*(unsigned char *)to = strcmp(s, "true") == 0;
		return *(unsigned char *)to || strcmp(s, "false") == 0;
	}
	return 0;
}

RD_HOT int rd_read_scalar_text(struct rd_reader *r, int prim, void *to)
{
	char word[RD_TOKEN_BYTES];
	rd_skip_space(r);
	r->token = r->before + (int64_t)r->at;
	if (!rd_read_word(r, word))
		return rd_unreadable(r, NULL, "expected a value of type %s", rd_prim_name[prim]);
	return rd_parse_scalar(word, prim, to) ||
	       rd_unreadable(r, word, "expected a value of type %s", rd_prim_name[prim]);
}

// ---- Arrays in text form ----

struct rd_growing { int prim; size_t n, cap; char *data; };

// Room for one more element, or NULL.
RD_HOT void *rd_grow(struct rd_growing *g)
{
	size_t size = (size_t)rd_prim_size(g->prim);
	if (g->n == g->cap) {
		size_t cap = g->cap ? 2 * g->cap : 64;
		char *data = (char *)realloc(g->data, cap * size);
		if (!data)
			return NULL;
		g->data = data;
		g->cap = cap;
	}
	return g->data + g->n++ * size;
}

// The elements after "[" of dimension `dim`; the first row fixes the sizes of the others.
RD_HOT int rd_read_rows(struct rd_reader *r, struct rd_value *v, int dim, struct rd_growing *g)
{
	int64_t n = 0;
	void *to;
	for (;; n++) {
		rd_skip_space(r);
		if (rd_accept(r, ']'))
			break;
		if (dim + 1 < v->rank) {
			if (!rd_accept(r, '['))
				return rd_unreadable(r, NULL, "expected \"[\"");
			if (!rd_read_rows(r, v, dim + 1, g))
				return 0;
		} else {
			to = rd_grow(g);
			if (!to || !rd_read_scalar_text(r, v->prim, to))
				return 0;
		}
		rd_skip_space(r);
		if (!rd_accept(r, ',') && rd_peek(r) != ']')
			return rd_unreadable(r, NULL, "expected \",\" or \"]\"");
	}
	if (v->shape[dim] >= 0 && v->shape[dim] != n) {
		r->token = r->before + (int64_t)r->at - 1;
		rd_unreadable(r, "", "a row of size %lld among rows of size %lld", (long long)n,
		              (long long)v->shape[dim]);
		r->found[0] = 0;
		return 0;
	}
	v->shape[dim] = n;
	return n > 0 || dim + 1 == v->rank;
}

// After the word "empty": "([0][2]i32)".
RD_FUN int rd_read_empty(struct rd_reader *r, struct rd_value *v)
{
	char word[RD_TOKEN_BYTES];
	uint64_t n;
	int dim, some = 0;
	rd_skip_space(r);
	if (!rd_accept(r, '('))
		return 0;
	for (dim = 0; dim < v->rank; dim++) {
		rd_skip_space(r);
		if (!rd_accept(r, '['))
			return 0;
		rd_skip_space(r);
		if (!rd_read_word(r, word) || !rd_parse_int(word, "i64", &n) || n > INT64_MAX)
			return 0;
		v->shape[dim] = (int64_t)n;
		some |= n == 0;
		rd_skip_space(r);
		if (!rd_accept(r, ']'))
			return 0;
	}
	rd_skip_space(r);
	if (!some || !rd_read_word(r, word) || strcmp(word, rd_prim_name[v->prim]) != 0)
		return 0;
	rd_skip_space(r);
	return rd_accept(r, ')');
}

RD_FUN int rd_put_utf8(struct rd_growing *g, uint32_t c)
{
	unsigned char bytes[4];
	int i, n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (i = n - 1; i > 0; i--, c >>= 6)
		bytes[i] = (unsigned char)(0x80 | (c & 0x3f));
	bytes[0] = (unsigned char)(n == 1 ? c : (0xf00u >> n & 0xffu) | c);
	for (i = 0; i < n; i++) {
		unsigned char *to = (unsigned char *)rd_grow(g);
		if (!to)
			return 0;
		*to = bytes[i];
	}
	return 1;
}

// The escape after a backslash.
RD_FUN int rd_read_escape(struct rd_reader *r, uint32_t *out)
{
	static const char letters[] = "abfnrtv\\\"'", codes[] = "\a\b\f\n\r\t\v\\\"'";
	int c = rd_next(r), base = c == 'x' ? 16 : c == 'o' ? 8 : 10;
	const char *at = c > 0 ? strchr(letters, c) : NULL;
	uint32_t n = 0;
	if (at) {
		*out = (unsigned char)codes[at - letters];
		return 1;
	}
	if (base == 10 ? !(c >= '0' && c <= '9') : rd_peek(r) < 0 || rd_digit((char)rd_peek(r)) >= base)
		return 0;
	if (base == 10)
		n = (uint32_t)(c - '0');
	while ((c = rd_peek(r)) >= 0 && rd_digit((char)c) < base) {
		n = n * (uint32_t)base + (uint32_t)rd_digit((char)c);
		if (n > 0x10ffff)
			return 0;
		r->at++;
	}
	*out = n;
	return 1;
}

// The bytes after an opening quote, for [n]u8.
RD_FUN int rd_read_string(struct rd_reader *r, struct rd_value *v, struct rd_growing *g)
{
	int c;
	while ((c = rd_next(r)) != '"') {
		uint32_t code = 0;
		unsigned char *to;
		if (c < 0)
			return rd_unreadable(r, NULL, "expected the quote that ends a string");
		if (c == '\\') {
			if (!rd_read_escape(r, &code))
				return rd_unreadable(r, NULL, "expected an escape sequence");
			if (!rd_put_utf8(g, code))
				return 0;
			continue;
		}
		to = (unsigned char *)rd_grow(g);
		if (!to)
			return 0;
		*to = (unsigned char)c;
	}
	v->shape[0] = (int64_t)g->n;
	return 1;
}

RD_FUN int rd_read_array_text(struct rd_reader *r, struct rd_value *v)
{
	struct rd_growing g;
	char word[RD_TOKEN_BYTES];
	int i, ok;
	r->token = r->before + (int64_t)r->at;
	g.prim = v->prim;
	g.n = g.cap = 0;
	g.data = NULL;
	for (i = 0; i < v->rank; i++)
		v->shape[i] = -1;
	if (rd_accept(r, '['))
		ok = rd_read_rows(r, v, 0, &g);
	else if (v->prim == RD_U8 && v->rank == 1 && rd_accept(r, '"'))
		ok = rd_read_string(r, v, &g);
	else if (rd_read_word(r, word))
		ok = (strcmp(word, "empty") == 0 && rd_read_empty(r, v)) ||
		     rd_unreadable(r, word, "expected an array of %s, of rank %d", rd_prim_name[v->prim],
		                   v->rank);
	else
		ok = rd_unreadable(r, NULL, "expected an array of %s, of rank %d", rd_prim_name[v->prim],
		                   v->rank);
	v->data = g.data;
	return ok;
}

// ---- Binary form ----

RD_FUN void rd_swap_bytes(void *data, int size, int64_t n)
{
	const uint16_t one = 1;
	unsigned char *at = (unsigned char *)data;
	int64_t i;
	int k;
	if (*(const unsigned char *)&one)
		return; // the machine is little-endian
	for (i = 0; i < n; i++, at += size)
		for (k = 0; k < size / 2; k++) {
			unsigned char c = at[k];
			at[k] = at[size - 1 - k];
			at[size - 1 - k] = c;
		}
}

RD_FUN int rd_read_sizes(struct rd_reader *r, struct rd_value *v, size_t *bytes)
{
	int i, empty = 0;
	int64_t room = (int64_t)(PTRDIFF_MAX / rd_prim_size(v->prim)), n = 1;
	for (i = 0; i < v->rank; i++) {
		uint64_t size;
		if (!rd_read_bytes(r, &size, 8))
			return 0;
		rd_swap_bytes(&size, 8, 1);
		v->shape[i] = (int64_t)size;
		if (v->shape[i] < 0 && !(v->may_be_absent && v->shape[i] == -1))
			return 0;
		empty |= v->shape[i] <= 0;
	}
	for (i = 0; i < v->rank && !empty; i++) {
		if (v->shape[i] > room / n)
			return 0;
		n *= v->shape[i];
	}
	*bytes = empty ? 0 : (size_t)n * (size_t)rd_prim_size(v->prim);
	return 1;
}

// What follows the letter b.
RD_FUN int rd_read_binary(struct rd_reader *r, struct rd_value *v)
{
	unsigned char head[6];
	char type[5];
	size_t bytes, i;
	if (!rd_read_bytes(r, head, 6) || head[0] != 2 || head[1] != v->rank)
		return 0;
	memcpy(type, head + 2, 4);
	type[4] = 0;
	if (strcmp(type + strspn(type, " "), rd_prim_name[v->prim]) != 0)
		return 0;
	if (!rd_read_sizes(r, v, &bytes))
		return 0;
	v->data = malloc(bytes ? bytes : 1);
	if (!v->data || !rd_read_bytes(r, v->data, bytes))
		return 0;
	rd_swap_bytes(v->data, rd_prim_size(v->prim), (int64_t)bytes / rd_prim_size(v->prim));
	if (v->prim == RD_BOOL)
		for (i = 0; i < bytes; i++)
			((unsigned char *)v->data)[i] = ((unsigned char *)v->data)[i] != 0;
	return 1;
}

// Reads a value of v's type and rank; on failure there is nothing to free.
RD_FUN int rd_read_value(struct rd_reader *r, struct rd_value *v)
{
	int ok;
	v->data = NULL;
	errno = 0;
	rd_skip_space(r);
	r->problem[0] = r->found[0] = 0;
	if (rd_accept(r, 'b')) {
		r->token = r->before + (int64_t)r->at - 1;
		ok = rd_read_binary(r, v) || rd_unreadable(r, "b...", "expected %s of type %s and rank %d",
		                                           "a complete binary value",
		                                           rd_prim_name[v->prim], v->rank);
	} else if (v->rank > 0) {
		ok = rd_read_array_text(r, v);
	} else {
		v->data = malloc(8);
		ok = v->data && rd_read_scalar_text(r, v->prim, v->data);
	}
	if (!ok)
		rd_value_free(v);
	return ok;
}

// ---- Writing ----

// The pattern of a float in memory, its bits and those of its significand.
RD_HOT uint64_t rd_pattern(int prim, const void *at, int *bits, int *wide)
{
	uint16_t half;
	uint32_t single;
	uint64_t pattern;
	*bits = 8 * rd_prim_size(prim);
	*wide = prim == RD_F16 ? 10 : prim == RD_F32 ? 23 : 52;
	if (prim == RD_F16) {
		memcpy(&half, at, sizeof half);
		return half;
	}
	if (prim == RD_F32) {
		memcpy(&single, at, sizeof single);
		return single;
	}
	memcpy(&pattern, at, sizeof pattern);
	return pattern;
}

RD_HOT void rd_write_float(FILE *f, int prim, const void *at, struct rd_powers *powers)
{
	const char *name = rd_prim_name[prim];
	char text[RD_FLOAT_CHARS + 4];
	double x = rd_load_float(prim, at);
	int bits, wide, n;
	uint64_t pattern = rd_pattern(prim, at, &bits, &wide);
	if (isnan(x)) {
		fprintf(f, "%s.nan", name);
	} else if (isinf(x)) {
		fprintf(f, "%s%s.inf", x < 0 ? "-" : "", name);
	} else {
		n = rd_float_text(powers, text, pattern, bits, wide);
		memcpy(text + n, name, 3);
		fwrite(text, 1, (size_t)n + 3, f);
	}
}

RD_HOT void rd_write_int(FILE *f, int prim, const void *at)
{
	uint64_t n = rd_load_int(prim, at);
	char text[32];
	size_t len = 0, name = strlen(rd_prim_name[prim]);
	if (prim <= RD_I64 && (int64_t)n < 0) {
		text[len++] = '-';
		n = 0 - n;
	}
	len += (size_t)rd_put_decimal(text + len, n);
	memcpy(text + len, rd_prim_name[prim], name);
	fwrite(text, 1, len + name, f);
}

// `powers`: for floats.
RD_HOT void rd_write_scalar_text(FILE *f, int prim, const void *at, struct rd_powers *powers)
{
	switch (prim) {
	case RD_I8: case RD_I16: case RD_I32: case RD_I64:
	case RD_U8: case RD_U16: case RD_U32: case RD_U64:
		rd_write_int(f, prim, at);
		return;
	case RD_F16: case RD_F32: case RD_F64:
		rd_write_float(f, prim, at, powers);
		return;
	case RD_BOOL:
		fputs(*(const unsigned char *)at ? "true" : "false", f);
		return;
	}
}

RD_HOT const char *rd_write_rows(FILE *f, const struct rd_value *v, int dim, const char *at,
                                 struct rd_powers *powers)
{
	int64_t i;
	if (dim == v->rank) {
		rd_write_scalar_text(f, v->prim, at, powers);
		return at + rd_prim_size(v->prim);
	}
	putc('[', f);
	for (i = 0; i < v->shape[dim]; i++) {
		if (i)
			fwrite(", ", 1, 2, f);
		at = rd_write_rows(f, v, dim + 1, at, powers);
	}
	putc(']', f);
	return at;
}

RD_FUN void rd_write_text(FILE *f, const struct rd_value *v)
{
	struct rd_powers powers;
	int i;
	if (rd_value_count(v) > 0) {
		memset(&powers, 0, sizeof powers);
		rd_write_rows(f, v, 0, (const char *)v->data, &powers);
		return;
	}
	fputs("empty(", f);
	for (i = 0; i < v->rank; i++)
		fprintf(f, "[%lld]", (long long)v->shape[i]);
	fprintf(f, "%s)", rd_prim_name[v->prim]);
}

// False when the file does not take it.
RD_FUN int rd_write_binary(FILE *f, const struct rd_value *v)
{
	size_t n = rd_is_absent_value(v) ? 0 : (size_t)(rd_value_count(v) * rd_prim_size(v->prim));
	unsigned char *swapped = NULL;
	const void *data = v->data;
	const uint16_t one = 1;
	int i, ok;
	fprintf(f, "b%c%c%4s", 2, v->rank, rd_prim_name[v->prim]);
	for (i = 0; i < v->rank; i++) {
		uint64_t size = (uint64_t)v->shape[i];
		rd_swap_bytes(&size, 8, 1);
		fwrite(&size, 8, 1, f);
	}
	if (n && !*(const unsigned char *)&one) {
		swapped = (unsigned char *)malloc(n);
		if (!swapped)
			return 0;
		memcpy(swapped, data, n);
		rd_swap_bytes(swapped, rd_prim_size(v->prim), rd_value_count(v));
		data = swapped;
	}
	ok = !n || fwrite(data, 1, n, f) == n;
	free(swapped);
	return ok && !ferror(f);
}
// @end
#endif
