// The binary data format (version 2), and reading of files that mix text and binary values.
//
//   'b'  version: u8 = 2  rank: u8  type: 4 characters, blanks first
//   rank sizes: u64   elements in row-major order          all little-endian
//
// White space may precede the 'b'.  A bool is one byte, 0 or 1.
#include "core/core.h"
#include "core/data.h"

#include <errno.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { VERSION = 2, HEADER = 7 };

static const char type_code[N_PRIMTYPE][5] = { // ORDER PRIMTYPE
	"  i8", " i16", " i32", " i64", "  u8", " u16", " u32", " u64",
	" f16", " f32", " f64", "bool",
};

bool data_fits(PrimType t, int rank, const int64_t *shape)
{
	int64_t bytes = primtype_size(t);
	for (int i = 0; i < rank; i++)
		if (shape[i] == 0)
			return true;
	for (int i = 0; i < rank; i++)
		if (shape[i] < 0 || __builtin_mul_overflow(bytes, shape[i], &bytes))
			return false;
	return bytes <= INT64_MAX / 4;
}

static bool little_endian(void)
{
	const uint16_t one = 1;
	return *(const uint8_t *)&one == 1;
}

// Copies n numbers of `size` bytes between memory and the little-endian form.
static void copy_numbers(void *to, const void *from, size_t n, size_t size)
{
	if (n == 0)
		return;
	memcpy(to, from, n * size);
	if (little_endian() || size == 1)
		return;
	char *p = to;
	for (size_t i = 0; i < n; i++, p += size)
		for (size_t j = 0; j < size / 2; j++) {
			char c = p[j];
			p[j] = p[size - 1 - j];
			p[size - 1 - j] = c;
		}
}

static bool find_type(const char *code, PrimType *t)
{
	for (int i = 0; i < N_PRIMTYPE; i++)
		if (memcmp(code, type_code[i], 4) == 0) {
			*t = (PrimType)i;
			return true;
		}
	return false;
}

static bool data_read_binary(const char **at, const char *end, Value *out, const char **why)
{
	const char *p = *at;
	PrimType t;
	if (end - p < HEADER) {
		*why = "binary value ends in its header";
		return false;
	}
	int rank = (uint8_t)p[2];
	if (p[1] != VERSION || !find_type(p + 3, &t)) {
		*why = p[1] != VERSION ? text("binary value of unknown version %d", (uint8_t)p[1])
		                       : text("binary value of unknown type \"%.4s\"", p + 3);
		return false;
	}
	p += HEADER;
	int64_t shape[255];
	if (end - p < 8 * rank) {
		*why = "binary value ends in its header";
		return false;
	}
	copy_numbers(shape, p, (size_t)rank, 8);
	p += 8 * rank;
	size_t size = (size_t)primtype_size(t);
	Value shaped = {.type = t, .rank = rank, .shape = shape};
	bool fits = data_fits(t, rank, shape);
	for (int i = 0; i < rank; i++)
		fits &= shape[i] >= 0;
	int64_t n = fits ? value_count(&shaped) : 0;
	if (!fits || (size_t)(end - p) / size < (size_t)n) {
		*why = fits ? "binary value ends in its elements"
			: "binary value with an impossible shape";
		return false;
	}
	*out = value_new(t, rank, shape);
	copy_numbers(out->data, p, (size_t)n, size);
	if (t == PT_BOOL)
		for (int64_t i = 0; i < n; i++)
			((char *)out->data)[i] = p[i] != 0;
	*at = p + (size_t)n * size;
	return true;
}

void value_write_binary(Str *s, const Value *v)
{
	char header[HEADER] = {'b', VERSION, (char)v->rank};
	memcpy(header + 3, type_code[v->type], 4);
	str_putn(s, header, sizeof header);
	for (int i = 0; i < v->rank; i++) {
		char size[8];
		copy_numbers(size, &v->shape[i], 1, 8);
		str_putn(s, size, sizeof size);
	}
	size_t n = (size_t)value_count(v), size = (size_t)primtype_size(v->type);
	size_t before = s->len;
	str_putn(s, v->data, n * size);
	copy_numbers(s->at + before, v->data, n, size);
}

// ---- Streams of values ----

static bool read_one(const char *start, const char **at, const char *end, Value *out,
                     const char **why)
{
	*why = NULL;
	data_skip_space(at, end);
	if (*at >= end)
		return false;
	return **at == 'b' ? data_read_binary(at, end, out, why)
	                   : data_read_text(start, at, end, out, why);
}

bool value_read(const char **at, const char *end, Value *out, const char **why)
{
	return read_one(*at, at, end, out, why);
}

bool values_read(const char *bytes, size_t len, Values *out, const char **why)
{
	const char *at = bytes, *end = bytes + len;
	Value v;
	while (read_one(bytes, &at, end, &v, why))
		VEC_PUSH(out, v);
	return *why == NULL;
}

// ---- Files ----

static const char *gunzip(const char *path, size_t *len, const char **why)
{
#ifdef HAVE_ZLIB
	errno = 0;
	gzFile f = gzopen(path, "rb");
	if (!f) {
		*why = strerror(errno ? errno : ENOMEM);
		return NULL;
	}
	enum { STEP = 1 << 20 };
	Str s = {0};
	char *buffer = mem_alloc(STEP);
	int n;
	while ((n = gzread(f, buffer, STEP)) > 0)
		str_putn(&s, buffer, (size_t)n);
	int code;
	const char *error = gzerror(f, &code);
	if (n < 0 || (code != Z_OK && code != Z_STREAM_END))
		*why = text("%s", code == Z_ERRNO ? strerror(errno) : error);
	gzclose(f);
	*len = s.len;
	return *why ? NULL : str_text(&s);
#else
	(void)path;
	(void)len;
	*why = "this build cannot read .gz files, as it was made without zlib";
	return NULL;
#endif
}

bool values_read_file(const char *path, Values *out, const char **why)
{
	size_t len = 0;
	const char *problem = NULL, *bytes;
	if (str_ends(path, ".gz")) {
		bytes = gunzip(path, &len, &problem);
	} else {
		bytes = read_file(path, &len);
		problem = bytes ? NULL : strerror(errno);
	}
	if (!bytes) {
		*why = text("Failed to open %s: %s", path, problem);
		return false;
	}
	if (values_read(bytes, len, out, &problem))
		return true;
	*why = text("Failed to read %s: %s", path, problem);
	return false;
}
