// Strings: a builder that grows in the arena, printf into the arena, whole files.
#include "base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

// Makes room for n more bytes and the terminating zero.
static void reserve(Str *s, size_t n)
{
	if (s->cap - s->len > n)
		return;
	size_t cap = s->cap * 2 > s->len + n + 1 ? s->cap * 2 : s->len + n + 1;
	if (cap < 32)
		cap = 32;
	s->at = mem_grow(s->at, s->cap, cap);
	s->cap = cap;
}

void str_putc(Str *s, char c)
{
	reserve(s, 1);
	s->at[s->len++] = c;
	s->at[s->len] = 0;
}

void str_putn(Str *s, const char *from, size_t n)
{
	reserve(s, n);
	if (n)
		memcpy(s->at + s->len, from, n);
	s->len += n;
	s->at[s->len] = 0;
}

void str_puts(Str *s, const char *from)
{
	str_putn(s, from, strlen(from));
}

void str_vprintf(Str *s, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	reserve(s, 63);
	size_t free_bytes = s->cap - s->len;
	int n = vsnprintf(s->at + s->len, free_bytes, fmt, ap);
	if (n < 0)
		bug("cannot format \"%s\"", fmt);
	if ((size_t)n >= free_bytes) {
		reserve(s, (size_t)n);
		vsnprintf(s->at + s->len, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	s->len += (size_t)n;
}

void str_printf(Str *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	str_vprintf(s, fmt, ap);
	va_end(ap);
}

const char *str_text(Str *s)
{
	return s->at ? s->at : "";
}

const char *vtext(const char *fmt, va_list ap)
{
	char small[256];
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(small, sizeof small, fmt, ap);
	if (n < 0)
		bug("cannot format \"%s\"", fmt);
	char *p = mem_alloc((size_t)n + 1);
	if ((size_t)n < sizeof small)
		memcpy(p, small, (size_t)n + 1);
	else
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

const char *text(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *s = vtext(fmt, ap);
	va_end(ap);
	return s;
}

bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);
	return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

// Reads to the end; `hint` is the expected size and may be wrong.
static const char *read_all(FILE *f, size_t hint, size_t *len)
{
	Str s = {0};
	reserve(&s, hint + 1);
	for (;;) {
		errno = 0;
		size_t n = fread(s.at + s.len, 1, s.cap - s.len - 1, f);
		s.len += n;
		if (n == 0)
			break;
		if (s.cap - s.len == 1)
			reserve(&s, s.len);
	}
	if (ferror(f)) {
		errno = errno ? errno : EIO;
		return NULL;
	}
	s.at[s.len] = 0;
	if (len)
		*len = s.len;
	return s.at;
}

const char *read_stream(FILE *f, size_t *len)
{
	return read_all(f, 4096, len);
}

const char *read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	struct stat st;
	size_t hint = 4096;
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		hint = (size_t)st.st_size;
	const char *s = read_all(f, hint, len);
	int saved = errno;
	fclose(f);
	errno = saved;
	return s;
}
