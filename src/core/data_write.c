// Writing values in text form.
//
//   TEXT_SHORTEST   [1i32, 2i32]   0.1f32      the shortest digits that read back
//   TEXT_BARE       [1, 2]         0.1         []
#include "core/core.h"

static size_t put_int(char *out, Scalar s)
{
	char digits[24];
	size_t n = 0, len = 0;
	bool minus = is_signed(s.type) && s.i < 0;
	uint64_t u = minus ? 0 - s.u : s.u;
	do
		digits[n++] = (char)('0' + u % 10);
	while (u /= 10);
	if (minus)
		out[len++] = '-';
	while (n)
		out[len++] = digits[--n];
	return len;
}

static void put_scalar(Str *s, Scalar x, TextStyle style)
{
	char buffer[64];
	if (is_int(x.type)) {
		str_putn(s, buffer, put_int(buffer, x));
		if (style != TEXT_BARE)
			str_puts(s, primtype_name[x.type]);
	} else {
		scalar_put(s, x, style != TEXT_BARE);
	}
}

// The elements of dimension `d` and inwards from flat index *at on.  In rows, what is
// above the innermost dimension has a line each, aligned.
static void put_dims(Str *s, const Value *v, int d, int64_t *at, TextStyle style, bool rows)
{
	if (d == v->rank) {
		put_scalar(s, value_get(v, (*at)++), style);
		return;
	}
	str_putc(s, '[');
	for (int64_t i = 0; i < v->shape[d]; i++) {
		if (i && rows && d < v->rank - 1)
			str_printf(s, ",\n%*s", d + 1, "");
		else if (i)
			str_puts(s, ", ");
		put_dims(s, v, d + 1, at, style, rows);
	}
	str_putc(s, ']');
}

static void write(Str *s, const Value *v, TextStyle style, bool rows)
{
	if (v->rank > 0 && value_count(v) == 0 && style != TEXT_BARE) {
		str_printf(s, "empty(%s)", value_type_text(v));
		return;
	}
	int64_t at = 0;
	put_dims(s, v, 0, &at, style, rows);
}

void value_write_text(Str *s, const Value *v, TextStyle style)
{
	write(s, v, style, false);
}

void value_write_rows(Str *s, const Value *v)
{
	write(s, v, TEXT_SHORTEST, true);
}
