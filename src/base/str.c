// Strings: a builder that grows in the arena, printf into the arena, whole files.
#include "base/base.h"

#include <ctype.h>
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

// ---- Formatting ----
//
// Nearly all text that the compiler makes is of a few conversions, for which vsnprintf takes
// several times as long.

// The length of %s %.*s %c %d %u %zu %ld %lld %% after the sign; 0 for others.
static size_t plain_len(const char *s)
{
	switch (s[0]) {
	case 's': case 'c': case 'd': case 'u': case '%':
		return 1;
	case '.':
		return s[1] == '*' && s[2] == 's' ? 3 : 0;
	case 'z':
		return s[1] == 'u' ? 2 : 0;
	case 'l':
		return s[1] == 'd' ? 2 : s[1] == 'l' && s[2] == 'd' ? 3 : 0;
	default:
		return 0;
	}
}

// The digits of a number, at the end of `digits`.
static const char *put_digits(char digits[24], bool negative, unsigned long long u)
{
	char *p = digits + 23;
	*p = 0;
	do
		*--p = (char)('0' + u % 10);
	while (u /= 10);
	if (negative)
		*--p = '-';
	return p;
}

static const char *put_signed(char digits[24], long long i)
{
	return put_digits(digits, i < 0, i < 0 ? 0 - (unsigned long long)i : (unsigned long long)i);
}

// SIZE_MAX if there are other conversions.
static size_t put_plain(char *to, size_t room, const char *fmt, va_list ap)
{
	size_t len = 0, last = room - 1;        // what is past the last byte is counted only
	char digits[24];
	for (;;) {
		char c;                         // most texts between conversions are short
		for (; (c = *fmt++) && c != '%'; len++)
			if (len < last)
				to[len] = c;
		if (!c)
			break;
		size_t conversion = plain_len(fmt), n = SIZE_MAX;
		const char *s = digits;
		if (!conversion)
			return SIZE_MAX;
		switch (*fmt) {
		case 's': s = va_arg(ap, const char *); break;
		case '.': {
			int most = va_arg(ap, int);
			s = va_arg(ap, const char *);
			n = most < 0 ? strlen(s) : strnlen(s, (size_t)most);
			break;
		}
		case 'c':
			digits[0] = (char)va_arg(ap, int);
			n = 1;
			break;
		case 'd': s = put_signed(digits, va_arg(ap, int)); break;
		case 'u': s = put_digits(digits, false, va_arg(ap, unsigned)); break;
		case 'z': s = put_digits(digits, false, va_arg(ap, size_t)); break;
		case 'l':
			s = put_signed(digits, fmt[1] == 'l' ? va_arg(ap, long long)
			                                     : va_arg(ap, long));
			break;
		default: // %%
			s = "%";
			break;
		}
		fmt += conversion;
		n = n == SIZE_MAX ? strlen(s) : n;
		if (len < last)
			memcpy(to + len, s, n < last - len ? n : last - len);
		len += n;
	}
	to[len < last ? len : last] = 0;
	return len;
}

// As vsnprintf, for some room.
static size_t put(char *to, size_t room, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	size_t plain = put_plain(to, room, fmt, ap);
	int n = plain != SIZE_MAX ? 0 : vsnprintf(to, room, fmt, again);
	va_end(again);
	if (plain != SIZE_MAX)
		return plain;
	if (n < 0)
		bug("cannot format \"%s\"", fmt);
	return (size_t)n;
}

void str_vprintf(Str *s, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	reserve(s, 63);
	size_t free_bytes = s->cap - s->len;
	size_t n = put(s->at + s->len, free_bytes, fmt, ap);
	if (n >= free_bytes) {
		reserve(s, n);
		put(s->at + s->len, n + 1, fmt, again);
	}
	va_end(again);
	s->len += n;
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
	enum { MOST = 256 };            // of most texts, which are made where they stay
	va_list again;
	va_copy(again, ap);
	char *p = mem_alloc(MOST);
	size_t n = put(p, MOST, fmt, ap);
	if (n < MOST) {
		p = mem_shrink(p, MOST, n + 1);
	} else {
		p = mem_alloc(n + 1);
		put(p, n + 1, fmt, again);
	}
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

bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);
	return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

// What is not an ordinary file may have no end.
static const size_t MOST_OF_SPECIAL = (size_t)256 << 20, MOST_OF_STREAM = (size_t)4 << 30;

// Reads to the end; `hint` is the expected size and may be wrong.  NULL, EFBIG: there are more than
// `most` bytes.
static const char *read_all(FILE *f, size_t hint, size_t most, size_t *len)
{
	Str s = {0};
	reserve(&s, hint + 1);
	for (;;) {
		errno = 0;
		size_t n = fread(s.at + s.len, 1, s.cap - s.len - 1, f);
		s.len += n;
		if (n == 0)
			break;
		if (s.len > most) {
			errno = EFBIG;
			return NULL;
		}
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
	return read_all(f, 4096, MOST_OF_STREAM, len);
}

const char *read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	struct stat st;
	size_t hint = 4096, most = MOST_OF_SPECIAL;
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode)) {
		hint = st.st_size > 0 ? (size_t)st.st_size : hint;
		most = SIZE_MAX;
	}
	const char *s = read_all(f, hint, most, len);
	int saved = errno;
	fclose(f);
	errno = saved;
	return s;
}
