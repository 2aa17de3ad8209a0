// Files that literate programs show: PNG images and WAV sounds.
//
//     [][]u32   pixels 0xAARRGGBB        [][]f32, [][]f64   grey, 0 to 1
//     [][]bool  white where true         [][]u8             grey, 0 to 255
//
// The data of a PNG is compressed by zlib; without it, it is a sequence of stored blocks: larger,
// but the same picture.  Sounds are [samples] or [channels][samples] of i8, u8, i16, i32, f32 or
// f64.
#include "cli/cli.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

static void put_big(Str *s, uint32_t x)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		str_putc(s, (char)(x >> shift));
}

static void put_little(Str *s, uint64_t x, int bytes)
{
	for (int i = 0; i < bytes; i++)
		str_putc(s, (char)(x >> 8 * i));
}

// ---- PNG ----

static uint32_t crc(const char *bytes, size_t n)
{
	uint32_t c = 0xffffffff;
	for (size_t i = 0; i < n; i++) {
		c ^= (unsigned char)bytes[i];
		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
	}
	return ~c;
}

static uint32_t adler(const char *bytes, size_t n)
{
	uint32_t a = 1, b = 0;
	for (size_t i = 0; i < n; i++) {
		a = (a + (unsigned char)bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

static void put_chunk(Str *png, const char *type, const Str *data)
{
	Str body = {0};
	str_puts(&body, type);
	str_putn(&body, data->at, data->len);
	put_big(png, (uint32_t)data->len);
	str_putn(png, body.at, body.len);
	put_big(png, crc(body.at, body.len));
}

#ifdef HAVE_ZLIB
static bool put_compressed(Str *out, const Str *raw)
{
	uLongf n = compressBound(raw->len);
	Bytef *bytes = NEW_ARRAY(Bytef, n);
	if (compress2(bytes, &n, (const Bytef *)raw->at, raw->len, Z_BEST_COMPRESSION) != Z_OK)
		return false;
	str_putn(out, (const char *)bytes, n);
	return true;
}
#else
static bool put_compressed(Str *out, const Str *raw)
{
	(void)out, (void)raw;
	return false;
}
#endif

static void put_stored(Str *out, const Str *raw)
{
	enum { BLOCK = 65535 };
	str_puts(out, "\x78\x01");
	for (size_t at = 0; at < raw->len; at += BLOCK) {
		size_t n = raw->len - at < BLOCK ? raw->len - at : BLOCK;
		str_putc(out, at + n == raw->len);
		put_little(out, n, 2);
		put_little(out, ~n, 2);
		str_putn(out, raw->at + at, n);
	}
	put_big(out, adler(raw->at, raw->len));
}

static uint32_t grey(double x)
{
	uint32_t level = x >= 1 ? 255 : x > 0 ? (uint32_t)(x * 255 + 0.5) : 0;
	return 0xff000000 | level << 16 | level << 8 | level;
}

static bool pixel(const Value *v, int64_t i, uint32_t *out)
{
	Scalar s = value_get(v, i);
	switch (v->type) {
	case PT_U32:              *out = (uint32_t)s.u; return true;
	case PT_U8:               *out = grey((double)s.u / 255); return true;
	case PT_BOOL:             *out = grey(s.u ? 1 : 0); return true;
	case PT_F32: case PT_F64: *out = grey(s.f); return true;
	case PT_I8: case PT_I16: case PT_I32: case PT_I64: case PT_U16: case PT_U64: case PT_F16:
	case N_PRIMTYPE:
		return false;
	}
	return false;
}

bool picture_png(const Value *v, Str *png)
{
	int64_t h = v->rank == 2 ? v->shape[0] : 0, w = v->rank == 2 ? v->shape[1] : 0;
	if (h <= 0 || w <= 0 || h > 1 << 16 || w > 1 << 16)
		return false;
	Str raw = {0}, header = {0}, data = {0}, nothing = {0};
	for (int64_t i = 0; i < h; i++) {
		str_putc(&raw, 0); // no filter
		for (int64_t j = 0; j < w; j++) {
			uint32_t p;
			if (!pixel(v, i * w + j, &p))
				return false;
			str_putc(&raw, (char)(p >> 16));
			str_putc(&raw, (char)(p >> 8));
			str_putc(&raw, (char)p);
			str_putc(&raw, (char)(p >> 24));
		}
	}
	put_big(&header, (uint32_t)w);
	put_big(&header, (uint32_t)h);
	str_putn(&header, "\x08\x06\0\0\0", 5); // 8 bits, RGB and alpha
	if (!put_compressed(&data, &raw))
		put_stored(&data, &raw);
	str_putn(png, "\x89PNG\r\n\x1a\n", 8);
	put_chunk(png, "IHDR", &header);
	put_chunk(png, "IDAT", &data);
	put_chunk(png, "IEND", &nothing);
	return true;
}

// ---- WAV ----

// Appends 16 bits.
static bool sample(const Value *v, int64_t i, Str *out)
{
	double x = 0; // from -1 to 1
	Scalar s = value_get(v, i);
	switch (v->type) {
	case PT_I8:               x = (double)s.i / 128; break;
	case PT_U8:               x = ((double)s.u - 128) / 128; break;
	case PT_I16:              x = (double)s.i / 32768; break;
	case PT_I32:              x = (double)s.i / 2147483648.0; break;
	case PT_F32: case PT_F64: x = s.f; break;
	case PT_I64: case PT_U16: case PT_U32: case PT_U64: case PT_F16: case PT_BOOL:
	case N_PRIMTYPE:
		return false;
	}
	x = x > 1 ? 1 : x > -1 ? x : -1; // NaN too
	put_little(out, (uint64_t)(int64_t)(x < 0 ? x * 32768 : x * 32767), 2);
	return true;
}

bool sound_wav(const Value *v, int64_t frequency, Str *wav)
{
	if (v->rank < 1 || v->rank > 2 || frequency <= 0)
		return false;
	int64_t channels = v->rank == 2 ? v->shape[0] : 1, n = v->shape[v->rank - 1];
	if (channels < 1 || channels > 64 || n > 1 << 28)
		return false;
	Str data = {0};
	for (int64_t i = 0; i < n; i++)
		for (int64_t c = 0; c < channels; c++)
			if (!sample(v, c * n + i, &data))
				return false;
	str_puts(wav, "RIFF");
	put_little(wav, 36 + data.len, 4);
	str_puts(wav, "WAVEfmt ");
	put_little(wav, 16, 4);
	put_little(wav, 1, 2);
	put_little(wav, (uint64_t)channels, 2);
	put_little(wav, (uint64_t)frequency, 4);
	put_little(wav, (uint64_t)(frequency * channels * 2), 4);
	put_little(wav, (uint64_t)channels * 2, 2);
	put_little(wav, 16, 2);
	str_puts(wav, "data");
	put_little(wav, data.len, 4);
	if (data.len)
		str_putn(wav, data.at, data.len);
	return true;
}
