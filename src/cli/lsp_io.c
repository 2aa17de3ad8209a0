// Messages of the language server: frames of JSON on standard input and output.
//
//     Content-Length: 52                         a message: JSON-RPC 2.0
//
//     {"jsonrpc":"2.0","id":1,"method":"shutdown"}
#include "cli/lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static struct { char *at; size_t len, cap; } unread;

bool write_all(int fd, const void *bytes, size_t n)
{
	for (const char *p = bytes; n; ) {
		ssize_t k = write(fd, p, n);
		if (k < 0 && errno != EINTR)
			return false;
		p += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return true;
}

bool read_all(int fd, void *bytes, size_t n)
{
	for (char *p = bytes; n; ) {
		ssize_t k = read(fd, p, n);
		if (k == 0 || (k < 0 && errno != EINTR))
			return false;
		p += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return true;
}

// ---- Receiving ----

static bool read_more(void)
{
	char buffer[1 << 16];
	ssize_t n = 0;
	do
		n = read(STDIN_FILENO, buffer, sizeof buffer);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	size_t need = unread.len + (size_t)n + 1;
	if (need > unread.cap) {
		unread.cap = need + need / 2;
		unread.at = must(realloc(unread.at, unread.cap));
	}
	memcpy(unread.at + unread.len, buffer, (size_t)n);
	unread.len += (size_t)n;
	unread.at[unread.len] = 0;
	return true;
}

static bool input_waits(int ms)
{
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
	return poll(&fd, 1, ms) > 0;
}

enum { LONGEST = 1 << 30 };                     // of a message

// The length of the header with its end and, in *length, of the body; 0: not all there.
static size_t header_length(const char *start, size_t len, size_t *length)
{
	const char *end = len ? memmem(start, len, "\r\n\r\n", 4) : NULL;
	*length = 0;
	for (const char *at = start; end && at && at < end; ) {
		if (strncasecmp(at, "Content-Length:", 15) == 0)
			*length = strtoull(at + 15, NULL, 10);
		at = strstr(at, "\r\n");
		at = at ? at + 2 : NULL;
	}
	if (*length > LONGEST)
		*length = 0;
	return end ? (size_t)(end + 4 - start) : 0;
}

const char *receive_message(void)
{
	for (;;) {
		size_t length, header = header_length(unread.at, unread.len, &length);
		if (header && unread.len - header >= length) {
			char *body = mem_alloc(length + 1);
			memcpy(body, unread.at + header, length);
			unread.len -= header + length;
			memmove(unread.at, unread.at + header + length, unread.len + 1);
			return body;
		}
		if (!read_more())
			return NULL;
	}
}

bool input_is_idle(int ms)
{
	return unread.len == 0 && !input_waits(ms);
}

// ---- Cancelling ----

static bool same_id(const Json *a, const Json *b)
{
	return a && b && a->kind == b->kind &&
	       (a->kind == JSON_NUMBER ? a->number == b->number
	        : a->kind == JSON_STRING && strcmp(a->string, b->string) == 0);
}

bool is_cancelled(const Json *id)
{
	while (input_waits(0))
		if (!read_more())
			break;
	const char *at = unread.at;
	for (size_t left = unread.len; left; ) {
		size_t length, header = header_length(at, left, &length);
		if (!header || left - header < length)
			return false;
		const char *why, *body = text("%.*s", (int)length, at + header);
		const Json *m = strstr(body, "$/cancelRequest") ? json_parse(body, &why) : NULL;
		if (m && same_id(member(m, "params.id"), id))
			return true;
		at += header + length;
		left -= header + length;
	}
	return false;
}

// ---- Sending ----

static void send_message(const char *body)
{
	printf("Content-Length: %zu\r\n\r\n%s", strlen(body), body);
	fflush(stdout);
}

static const char *show_id(const Json *id)
{
	return !id ? "null" : id->kind == JSON_NUMBER ? text("%.17g", id->number)
	     : id->kind == JSON_STRING ? json_string(id->string) : "null";
}

void send_answer(const Json *id, const char *result)
{
	Str s = {0};
	str_printf(&s, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":", show_id(id));
	str_puts(&s, result);
	str_putc(&s, '}');
	send_message(str_text(&s));
}

void send_refusal(const Json *id, int code, const char *why)
{
	send_message(text("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":%s}}",
	                  show_id(id), code, json_string(why)));
}

void send_notice(const char *method, const char *params)
{
	Str s = {0};
	str_printf(&s, "{\"jsonrpc\":\"2.0\",\"method\":%s,\"params\":", json_string(method));
	str_puts(&s, params);
	str_putc(&s, '}');
	send_message(str_text(&s));
}

// ---- Members ----

const Json *member(const Json *j, const char *path)
{
	while (j && *path) {
		size_t n = strcspn(path, ".");
		j = json_member(j, text("%.*s", (int)n, path));
		path += n + (path[n] == '.');
	}
	return j;
}

const char *member_text(const Json *j, const char *path)
{
	const Json *m = member(j, path);
	return m && m->kind == JSON_STRING ? m->string : NULL;
}

int member_int(const Json *j, const char *path)
{
	const Json *m = member(j, path);
	bool fits = m && m->kind == JSON_NUMBER && m->number >= 0 && m->number < 1e9;
	return fits ? (int)m->number : 0;
}
