// Reading values in text form, as the tools accept it:
//
//   value  = prim | array | string | empty
//   prim   = ["+"|"-"] int [suffix] | ["+"|"-"] float [fsuffix] | "true" | "false"
//          | "f32.nan" | "f32.inf" | "-f32.inf"             (f16, f64 alike)
//   array  = "[" value ("," value)* [","] "]"               regular, one element type
//   empty  = "empty" "(" ("[" n "]")+ primtype ")"          at least one n is 0
//   string = "\"...\""                                      a []u8, UTF-8
//
// The type of an innermost array is that of its first element; later elements without a
// suffix adopt it.  Nested arrays are typed one by one, so `[[1u8], [2]]` is rejected.
// White space and `--` comments may stand between any two tokens.
#include "core/core.h"
#include "core/data.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_RANK = 255 };                // what the rank byte of the binary format can say

typedef struct {
	const char *start, *at, *end;
	const char *why;
	char *data;                     // elements read so far
	size_t len, cap;                // in bytes
} Reader;

// What a value read so far looks like.
typedef struct { PrimType type; int rank; int64_t dims[MAX_RANK]; } Layout;

static bool fail_at(Reader *r, const char *where, const char *message)
{
	int line = 1, col = 1;
	for (const char *p = r->start; p < where; p++) {
		col = *p == '\n' ? 1 : col + 1;
		line += *p == '\n';
	}
	r->why = text("line %d, column %d: %s", line, col, message);
	return false;
}

void data_skip_space(const char **at, const char *end)
{
	const char *p = *at;
	for (;;) {
		while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' ||
		                   *p == '\r' || *p == '\f' || *p == '\v'))
			p++;
		if (end - p < 2 || p[0] != '-' || p[1] != '-')
			break;
		while (p < end && *p != '\n')
			p++;
	}
	*at = p;
}

static inline void skip(Reader *r)
{
	if (r->at < r->end && (unsigned char)*r->at > ' ' && *r->at != '-')
		return;
	data_skip_space(&r->at, r->end);
}

static inline void *push(Reader *r, size_t bytes)
{
	if (r->len + bytes > r->cap) {
		size_t cap = r->cap ? r->cap * 2 : 256;
		while (cap < r->len + bytes)
			cap *= 2;
		r->data = mem_grow(r->data, r->cap, cap);
		r->cap = cap;
	}
	void *p = r->data + r->len;
	r->len += bytes;
	return p;
}

// ---- Scalars ----

static inline int digit_of(char c, unsigned base)
{
	unsigned d = c >= '0' && c <= '9' ? (unsigned)(c - '0')
	           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
	           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 99;
	return d < base ? (int)d : -1;
}

static const double powers[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

// A number as scanned: where it stands and, when few enough, its digits as an integer.
typedef struct {
	const char *from, *to;          // without sign and suffix
	bool negative, is_float, hex, binary, underscores;
	uint64_t digits;                // wrapped for integers
	int n_digits;                   // significant ones
	int exponent;                   // value is digits * 10^exponent
} Number;

static const char *scan_digits(const char *p, const char *end, unsigned base, Number *n)
{
	uint64_t v = n->digits;
	int count = n->n_digits;
	for (; p < end; p++) {
		int d = digit_of(*p, base);
		if (d < 0) {
			if (*p != '_')
				break;
			n->underscores = true;
			continue;
		}
		v = v * base + (uint64_t)d;
		count += (v != 0 || count) && count < 100;
	}
	n->digits = v;
	n->n_digits = count;
	return p;
}

static const char *scan_exponent(const char *p, const char *end, Number *n)
{
	if (p >= end || (n->hex ? *p != 'p' && *p != 'P' : *p != 'e' && *p != 'E'))
		return p;
	const char *q = p + 1;
	bool minus = q < end && *q == '-';
	if (q < end && (*q == '-' || *q == '+'))
		q++;
	if (q >= end || digit_of(*q, 10) < 0)
		return p;
	int e = 0;
	for (; q < end && digit_of(*q, 10) >= 0; q++)
		e = e < 100000 ? e * 10 + digit_of(*q, 10) : e;
	n->is_float = true;
	n->exponent += minus ? -e : e;
	return q;
}

// Scans digits, fraction and exponent after the sign; NULL when there is no number.
static const char *scan_number(const char *p, const char *end, Number *n)
{
	unsigned base = 10;
	n->from = p;
	if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		base = 16;
	else if (end - p > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B'))
		base = 2;
	n->hex = base == 16;
	n->binary = base == 2;
	if (base != 10)
		p += 2;
	if (p >= end || digit_of(*p, base) < 0)
		return NULL;
	p = scan_digits(p, end, base, n);
	if (base != 2 && end - p > 1 && *p == '.' && digit_of(p[1], base) >= 0) {
		const char *dot = p + 1;
		bool had = n->underscores;
		n->underscores = false;
		p = scan_digits(dot, end, base, n);
		// Underscores in a fraction make its length unknown to the quick conversion.
		n->n_digits = n->underscores ? 100 : n->n_digits;
		n->underscores |= had;
		n->exponent = -(int)(p - dot < 10000 ? p - dot : 10000);
		n->is_float = true;
	}
	if (base != 2)
		p = scan_exponent(p, end, n);
	n->to = p;
	return p;
}

static double slow_float(const Number *n, PrimType t)
{
	Str s = {0};
	char small[64];
	size_t len = (size_t)(n->to - n->from);
	const char *digits = small;
	if (len < sizeof small && !n->underscores) {
		memcpy(small, n->from, len);
		small[len] = 0;
	} else {
		for (const char *p = n->from; p < n->to; p++)
			if (*p != '_')
				str_putc(&s, *p);
		digits = str_text(&s);
	}
	return float_of_text(t, digits);
}

// A double that is half-way between two floats, or next to it, may have been rounded there:
// rounding it once more could go the wrong way.
static bool near_float_tie(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	uint32_t low = (uint32_t)bits & 0x1fffffff;
	return low + 1 >= 0x10000000 && low <= 0x10000001;
}

// The float nearest to the number.  Up to 2^53 and a power of ten up to 10^22, both exact
// in a double, one correctly rounded operation gives the nearest double.
static double float_of(const Number *n, PrimType t)
{
	double x;
	int e = n->exponent;
	if (n->binary) {
		x = t == PT_F32 ? (double)(float)n->digits : (double)n->digits;
	} else if (n->hex || n->n_digits > 19 || n->digits >> 53 || e < -22 || e > 22) {
		x = slow_float(n, t);
	} else {
		x = e < 0 ? (double)n->digits / powers[-e] : (double)n->digits * powers[e];
		bool tiny = x != 0 && x < 1.2e-38;
		if (t == PT_F32 ? tiny || near_float_tie(x) : t == PT_F16)
			x = slow_float(n, t);
	}
	return n->negative ? -x : x;
}

static Scalar scalar_of(const Number *n, PrimType t)
{
	if (is_float(t))
		return scalar_float(t, float_of(n, t));
	return scalar_int(t, (int64_t)(n->negative ? 0 - n->digits : n->digits));
}

static bool after_scalar(const char *p, const char *end)
{
	return p >= end ||
	       !(is_name_char(*p) || *p == '.' || *p == '"' || (unsigned char)*p >= 0x80);
}

// Reads true, false, f32.nan, f32.inf at p; NULL when it is none of these.
static const char *read_word(const char *p, const char *end, bool negative, Scalar *out)
{
	size_t left = (size_t)(end - p);
	if (!negative && left >= 4 && memcmp(p, "true", 4) == 0) {
		*out = scalar_int(PT_BOOL, 1);
		return p + 4;
	}
	if (!negative && left >= 5 && memcmp(p, "false", 5) == 0) {
		*out = scalar_int(PT_BOOL, 0);
		return p + 5;
	}
	for (PrimType t = PT_F16; t <= PT_F64; t++) {
		if (left < 7 || memcmp(p, primtype_name[t], 3) != 0 || p[3] != '.')
			continue;
		bool inf = memcmp(p + 4, "inf", 3) == 0;
		if (!inf && memcmp(p + 4, "nan", 3) != 0)
			continue;
		double x = inf ? (double)INFINITY : (double)NAN;
		*out = scalar_float(t, negative ? -x : x);
		return p + 7;
	}
	return NULL;
}

// Reads the suffix at p, if any.  False: something else follows directly.
static bool read_suffix(const char **p, const char *end, PrimType *t, bool *found)
{
	const char *q = *p;
	*found = false;
	if (after_scalar(q, end))
		return true;
	while (q < end && isalnum((unsigned char)*q))
		q++;
	char name[8] = {0};
	size_t len = (size_t)(q - *p);
	if (len == 0 || len >= sizeof name)
		return false;
	memcpy(name, *p, len);
	if (!primtype_of_name(name, t) || *t == PT_BOOL)
		return false;
	*found = true;
	*p = q;
	return after_scalar(q, end);
}

// A scalar; with `want` given, one that can be an element beside others of that type.
static bool read_scalar(Reader *r, const PrimType *want, Scalar *out)
{
	const char *p = r->at, *end = r->end;
	Number n = {0};
	n.negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		p++;
	const char *q = p < end && (unsigned)(*p - '0') < 10 ? scan_number(p, end, &n) : NULL;
	if (!q) {
		q = read_word(p, end, n.negative, out);
		if (!q || !after_scalar(q, end))
			return fail_at(r, r->at, "expected a value");
		if (want && *want != out->type)
			return fail_at(r, r->at, text("expected %s", primtype_name[*want]));
		r->at = q;
		return true;
	}
	PrimType t = n.is_float ? PT_F64 : PT_I32;
	bool suffixed;
	if (!read_suffix(&q, end, &t, &suffixed) || (n.is_float && !is_float(t)))
		return fail_at(r, q, "malformed number");
	if (want && (suffixed ? *want != t : *want == PT_BOOL || (n.is_float && !is_float(*want))))
		return fail_at(r, r->at, text("expected %s", primtype_name[*want]));
	*out = scalar_of(&n, want ? *want : t);
	r->at = q;
	return true;
}

// ---- Strings ----

static void put_utf8(Reader *r, uint32_t c)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
	uint8_t *at = push(r, (size_t)more + 1);
	at[0] = (uint8_t)(lead[more] | c >> (6 * more));
	for (int i = 1; i <= more; i++)
		at[i] = (uint8_t)(0x80 | (c >> (6 * (more - i)) & 0x3F));
}

// The escape after a backslash; numeric ones (\10 \x1f \o17) name a character.
static bool read_escape(Reader *r)
{
	static const char from[] = "abfnrtv\\\"'", to[] = "\a\b\f\n\r\t\v\\\"'";
	const char *start = r->at;
	if (start >= r->end)
		return fail_at(r, start, "unterminated string");
	const char *found = *start ? strchr(from, *start) : NULL;
	if (found) {
		*(char *)push(r, 1) = to[found - from];
		r->at++;
		return true;
	}
	unsigned base = *start == 'x' ? 16 : *start == 'o' ? 8 : 10;
	const char *p = base == 10 ? start : start + 1, *first = p;
	uint32_t c = 0;
	for (; p < r->end && digit_of(*p, base) >= 0 && c <= 0x10FFFF; p++)
		c = c * base + (uint32_t)digit_of(*p, base);
	if (p == first || c > 0x10FFFF)
		return fail_at(r, start, "malformed escape sequence");
	put_utf8(r, c);
	r->at = p;
	return true;
}

static bool read_string(Reader *r, Layout *f)
{
	const char *open = r->at++;
	size_t before = r->len;
	for (;;) {
		if (r->at >= r->end)
			return fail_at(r, open, "unterminated string");
		char c = *r->at++;
		if (c == '"')
			break;
		if (c != '\\')
			*(char *)push(r, 1) = c;
		else if (!read_escape(r))
			return false;
	}
	f->type = PT_U8;
	f->rank = 1;
	f->dims[0] = (int64_t)(r->len - before);
	return true;
}

// ---- Arrays ----

// A type written with constant sizes, as after `empty(`; also used for generated data.
// Returns what is wrong, or NULL.
const char *data_read_type(const char **at, const char *end, Value *out)
{
	int64_t dims[MAX_RANK];
	int rank = 0;
	const char *p = *at;
	data_skip_space(&p, end);
	for (; p < end && *p == '['; data_skip_space(&p, end)) {
		p++;
		data_skip_space(&p, end);
		Number n = {0};
		const char *q = p < end && (unsigned)(*p - '0') < 10 ? scan_number(p, end, &n)
			: NULL;
		if (!q || n.is_float || n.digits > INT64_MAX)
			return "Array has non-constant dimension declaration.";
		if (end - q >= 3 && memcmp(q, "i64", 3) == 0)
			q += 3;
		data_skip_space(&q, end);
		if (q >= end || *q != ']')
			return "Array has non-constant dimension declaration.";
		if (rank == MAX_RANK)
			return "Too many dimensions.";
		dims[rank++] = (int64_t)n.digits;
		p = q + 1;
	}
	const char *word = p;
	while (p < end && is_name_char(*p))
		p++;
	PrimType t;
	if (!primtype_of_name(text("%.*s", (int)(p - word), word), &t))
		return text("Unknown type %.*s", (int)(p > word ? p - word : end - word), word);
	if (!data_fits(t, rank, dims))
		return "Array is too large.";
	*at = p;
	*out = (Value){.type = t, .rank = rank, .shape = mem_dup(dims,
		(size_t)rank * sizeof *dims)};
	return NULL;
}

static bool read_empty(Reader *r, Layout *f)
{
	const char *start = r->at;
	r->at += 5;
	skip(r);
	if (r->at >= r->end || *r->at != '(')
		return fail_at(r, start, "expected a value");
	r->at++;
	Value v;
	const char *why = data_read_type(&r->at, r->end, &v);
	if (why)
		return fail_at(r, r->at, why);
	skip(r);
	if (r->at >= r->end || *r->at != ')')
		return fail_at(r, r->at, "expected \")\"");
	r->at++;
	if (value_count(&v) != 0)
		return fail_at(r, start,
			"an array written with empty must have a dimension of size 0");
	f->type = v.type;
	f->rank = v.rank;
	memcpy(f->dims, v.shape, (size_t)v.rank * sizeof *v.shape);
	return true;
}

static bool read_any(Reader *r, Layout *f, int depth);

static bool same_form(const Layout *a, const Layout *b)
{
	return a->type == b->type && a->rank == b->rank &&
	       (a->rank == 0 || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0);
}

// At the end of an element: true when another one follows.
static bool more_elements(Reader *r, bool *ok)
{
	skip(r);
	*ok = r->at < r->end && (*r->at == ',' || *r->at == ']');
	if (!*ok)
		return fail_at(r, r->at, "expected \",\" or \"]\"");
	bool comma = *r->at++ == ',';
	if (!comma)
		return false;
	skip(r);
	if (r->at < r->end && *r->at == ']') {
		r->at++;
		return false;
	}
	return true;
}

static bool read_array(Reader *r, Layout *f, int depth)
{
	const char *open = r->at++;
	skip(r);
	if (r->at < r->end && *r->at == ']')
		return fail_at(r, open, "an empty array is written empty([0]TYPE)");
	if (depth == MAX_RANK)
		return fail_at(r, open, "too many dimensions");
	if (!read_any(r, f, depth + 1))
		return false;
	int64_t n = 1;
	size_t size = (size_t)primtype_size(f->type);
	bool ok;
	Layout other;
	while (more_elements(r, &ok)) {
		const char *at = r->at;
		if (f->rank == 0) {
			Scalar s;
			if (!read_scalar(r, &f->type, &s))
				return false;
			scalar_store(f->type, push(r, size), s);
		} else if (!read_any(r, &other, depth + 1)) {
			return false;
		} else if (!same_form(f, &other)) {
			return fail_at(r, at, f->type != other.type
				? text("expected an array of %s, found one of %s",
				       primtype_name[f->type], primtype_name[other.type])
				: "irregular array");
		}
		n++;
	}
	if (!ok)
		return false;
	if (f->rank == MAX_RANK)
		return fail_at(r, open, "too many dimensions");
	memmove(f->dims + 1, f->dims, (size_t)f->rank * sizeof *f->dims);
	f->dims[0] = n;
	f->rank++;
	return true;
}

static bool read_any(Reader *r, Layout *f, int depth)
{
	if (r->at >= r->end)
		return fail_at(r, r->at, "unexpected end of data");
	if (*r->at == '[')
		return read_array(r, f, depth);
	if (*r->at == '"')
		return read_string(r, f);
	if (r->end - r->at > 5 && memcmp(r->at, "empty", 5) == 0 && !is_name_char(r->at[5]))
		return read_empty(r, f);
	Scalar s;
	if (!read_scalar(r, NULL, &s))
		return false;
	f->type = s.type;
	f->rank = 0;
	scalar_store(s.type, push(r, (size_t)primtype_size(s.type)), s);
	return true;
}

bool data_read_text(const char *start, const char **at, const char *end, Value *out,
                    const char **why)
{
	Reader r = {.start = start, .at = *at, .end = end};
	Layout f;
	if (!read_any(&r, &f, 0)) {
		*why = r.why;
		return false;
	}
	*out = (Value){.type = f.type, .rank = f.rank, .data = r.data ? r.data : mem_alloc(1)};
	out->shape = mem_dup(f.dims, (size_t)f.rank * sizeof *f.dims);
	*at = r.at;
	return true;
}
