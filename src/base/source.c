// The source files, and the position in them that a Loc stands for.
//
// All files share one space of 32-bit offsets, one file after the other, with a gap of one so that
// the position just past the end of a file still belongs to it:
//
//     0        1 .......... 1+n   1+n+1 .......
//     nowhere  first file   end   second file
//
// A text that is edited has room to grow, and the next file begins after that room.
//
// The table of files is kept outside the arena and lives until sources_reset.  Texts are owned by
// the callers that add them.
#include "base/base.h"

#include <stdlib.h>

static Source **sources;                // ascending in start
static int n_sources, cap_sources;

static void find_lines(Source *s)
{
	int n = 1;
	const char *end = s->text + s->len;
	for (const char *p = s->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	s->lines = must(malloc((size_t)n * sizeof *s->lines));
	s->n_lines = 0;
	s->lines[s->n_lines++] = 0;
	for (const char *p = s->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		s->lines[s->n_lines++] = (uint32_t)(p - s->text) + 1;
}

// Characters are counted by the bytes that begin one, i.e. all but 10xxxxxx.
static uint32_t count_chars(const char *text, uint32_t from, uint32_t to)
{
	uint32_t n = 0;
	for (uint32_t i = from; i < to; i++)
		n += ((unsigned char)text[i] & 0xC0) != 0x80;
	return n;
}

// Columns in very long lines are found without reading all of the line.
enum { BLOCK = 1024 };

static void find_chars(Source *s)
{
	uint32_t n = s->len / BLOCK + 1;
	s->chars = must(malloc(n * sizeof *s->chars));
	s->chars[0] = 0;
	for (uint32_t i = 1; i < n; i++)
		s->chars[i] = s->chars[i - 1] + count_chars(s->text, (i - 1) * BLOCK, i * BLOCK);
}

static uint32_t chars_before(const Source *s, uint32_t offset)
{
	uint32_t block = offset / BLOCK;
	return s->chars[block] + count_chars(s->text, block * BLOCK, offset);
}

Source *source_add(const char *name, const char *text, size_t len)
{
	return source_add_growing(name, text, len, len);
}

Source *source_add_growing(const char *name, const char *text, size_t len, size_t room)
{
	uint64_t start = 1;
	if (n_sources)
		start = (uint64_t)sources[n_sources - 1]->start + sources[n_sources - 1]->room + 1;
	if (room >= INT32_MAX || start + room >= UINT32_MAX)
		return NULL;
	if (n_sources == cap_sources) {
		cap_sources = cap_sources ? cap_sources * 2 : 16;
		sources = must(realloc(sources, (size_t)cap_sources * sizeof(Source *)));
	}
	Source *s = must(malloc(sizeof *s));
	*s = (Source){.name = name_of(name), .text = text, .len = (uint32_t)len,
	              .room = (uint32_t)room, .start = (Loc)start};
	find_lines(s);
	find_chars(s);
	sources[n_sources++] = s;
	return s;
}

void source_change(Source *s, const char *text, size_t len)
{
	if (len > s->room)
		bug("a text that outgrows its room");
	s->text = text;
	s->len = (uint32_t)len;
	free(s->lines);
	free(s->chars);
	find_lines(s);
	find_chars(s);
}

int sources_mark(void)
{
	return n_sources;
}

void sources_release(int mark)
{
	while (n_sources > mark) {
		Source *s = sources[--n_sources];
		free(s->lines);
		free(s->chars);
		free(s);
	}
}

void sources_reset(void)
{
	sources_release(0);
	free(sources);
	sources = NULL;
	n_sources = cap_sources = 0;
}

Source *source_of(Loc l)
{
	static int last;                // most questions in a row are of one file
	if (!l || !n_sources || l < sources[0]->start)
		return NULL;
	if (last < n_sources && l - sources[last]->start <= sources[last]->len)
		return sources[last];
	int lo = 0, hi = n_sources;     // sources[lo]->start <= l < sources[hi]->start
	while (hi - lo > 1) {
		int mid = lo + (hi - lo) / 2;
		if (sources[mid]->start <= l)
			lo = mid;
		else
			hi = mid;
	}
	last = lo;
	return l - sources[lo]->start <= sources[lo]->len ? sources[lo] : NULL;
}

static Pos pos_in(const Source *s, uint32_t offset)
{
	int lo = 0, hi = s->n_lines;
	while (hi - lo > 1) {
		int mid = lo + (hi - lo) / 2;
		if (s->lines[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	uint32_t col = 1;
	if (offset - s->lines[lo] <= BLOCK)
		col += count_chars(s->text, s->lines[lo], offset);
	else
		col += chars_before(s, offset) - chars_before(s, s->lines[lo]);
	return (Pos){s->name, lo + 1, (int)col};
}

Pos loc_pos(Loc l)
{
	const Source *s = source_of(l);
	return s ? pos_in(s, l - s->start) : (Pos){"", 0, 0};
}

// The offset of a span's end in the file of its beginning.
static uint32_t end_offset(const Source *s, Span at)
{
	Loc end = s->start + s->len;
	return (at.hi < at.lo ? at.lo : at.hi < end ? at.hi : end) - s->start;
}

const char *span_text(Span at)
{
	const Source *s = source_of(at.lo);
	if (!s)
		return "";
	uint32_t from = at.lo - s->start;
	return text("%.*s", (int)(end_offset(s, at) - from), s->text + from);
}

const char *show_span_short(Span at)
{
	const Source *s = source_of(at.lo);
	if (!s)
		return "unknown location";
	Pos a = pos_in(s, at.lo - s->start), b = pos_in(s, end_offset(s, at));
	if (a.line == b.line)
		return text("%d:%d-%d", a.line, a.col, b.col);
	return text("%d:%d-%d:%d", a.line, a.col, b.line, b.col);
}

const char *show_span(Span at)
{
	const Source *s = source_of(at.lo);
	return s ? text("%s:%s", s->name, show_span_short(at)) : "unknown location";
}
