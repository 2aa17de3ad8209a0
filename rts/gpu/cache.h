// A cache of compiled kernels on disk.
//
// Compiling kernels takes seconds, loading them milliseconds.  Compiled kernels are therefore stored
// in files, identified by a key: a hash of the source of the kernels, the options, the device and its
// driver.  A file that has another key, or is damaged, is ignored and overwritten.  By default each
// source has its own file in $XDG_CACHE_HOME/raido (or ~/.cache/raido), named by the key; with
// --cache-file all are in that file.
#ifndef RD_CACHE_H
#define RD_CACHE_H
#include "../c/context.h"

// @chunk device_cache: device
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

struct rd_key { uint64_t a, b; };
struct rd_bytes { char *at; size_t len; };

static void rd_key_add(struct rd_key *k, const void *data, size_t n)
{
	const unsigned char *s = (const unsigned char *)data;
	size_t i;
	k->a ^= (uint64_t)n;
	for (i = 0; i < n; i++) {
		k->a = (k->a ^ s[i]) * UINT64_C(0x100000001b3);
		k->b = (k->b + s[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
		k->b ^= k->b >> 29;
	}
}

static void rd_key_add_text(struct rd_key *k, const char *s)
{
	rd_key_add(k, s, strlen(s) + 1);
}

static struct rd_key rd_key_new(void)
{
	struct rd_key k = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x2545f4914f6cdd1d)};
	return k;
}

// A whole file of at most a gigabyte, with a zero byte after it; at NULL: it cannot be read.
static struct rd_bytes rd_read_file(const char *path)
{
	struct rd_bytes b = {NULL, 0};
	FILE *f = fopen(path, "rb");
	size_t cap = 1 << 16, most = (size_t)1 << 30, n;
	int why = errno;
	if (!f)
		return b;
	b.at = (char *)malloc(cap + 1);
	while (b.at && (n = fread(b.at + b.len, 1, cap - b.len, f)) > 0) {
		b.len += n;
		if (b.len == cap) {
			char *more = cap < most ? (char *)realloc(b.at, 2 * cap + 1) : NULL;
			if (!more) {
				why = cap < most ? ENOMEM : EFBIG;
				free(b.at);
				b.at = NULL;
				break;
			}
			b.at = more;
			cap *= 2;
		}
	}
	if (b.at)
		b.at[b.len] = 0;
	fclose(f);
	errno = why;
	return b;
}

static bool rd_write_file(const char *path, const void *data, size_t n)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(data, 1, n, f) == n;
	if (f)
		ok &= fclose(f) == 0;
	return ok;
}

// The path of the file for a key in the default directory, which is made; NULL: there is none.
static RD_UNUSED char *rd_cache_path(struct rd_key k)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct rd_text t = {NULL, 0, 0};
	if (xdg && *xdg)
		rd_text_put(&t, "%s", xdg);
	else if (home && *home)
		rd_text_put(&t, "%s/.cache", home);
	else
		return NULL;
	if (t.at)
		mkdir(t.at, 0777);
	rd_text_put(&t, "/raido");
	if (t.at)
		mkdir(t.at, 0777);
	rd_text_put(&t, "/%016llx%016llx", (unsigned long long)k.a, (unsigned long long)k.b);
	return t.at;
}

struct rd_cache_head { char magic[8]; struct rd_key key, sum; uint64_t n; };

// Reads n texts that were compiled under this key; false when the file does not have them.
static bool rd_cache_load(const char *path, struct rd_key key, int n, struct rd_bytes *out)
{
	struct rd_bytes all = rd_read_file(path);
	struct rd_cache_head head;
	struct rd_key sum = rd_key_new();
	size_t at = sizeof head;
	int i;
	bool ok = all.at && all.len >= at;
	if (ok)
		memcpy(&head, all.at, at);
	ok = ok && memcmp(head.magic, "raidobin", 8) == 0 && head.key.a == key.a &&
	     head.key.b == key.b && head.n == (uint64_t)n;
	if (ok)
		rd_key_add(&sum, all.at + at, all.len - at);
	ok = ok && sum.a == head.sum.a && sum.b == head.sum.b;
	for (i = 0; i < n && ok; i++) {
		uint64_t len = 0;
		if (all.len - at >= sizeof len)
			memcpy(&len, all.at + at, sizeof len);
		at += sizeof len;
		ok = at <= all.len && len <= all.len - at;
		out[i].len = ok ? (size_t)len : 0;
		out[i].at = (char *)malloc(out[i].len + 1);
		ok = ok && out[i].at;
		if (ok)
			memcpy(out[i].at, all.at + at, out[i].len);
		at += out[i].len;
	}
	free(all.at);
	return ok;
}

// Failures to write are of no consequence.  Another process may write the same file.
static void rd_cache_store(const char *path, struct rd_key key, int n, const struct rd_bytes *in)
{
	struct rd_text all = {NULL, 0, 0}, temporary = {NULL, 0, 0};
	struct rd_cache_head head;
	size_t size = sizeof head;
	int i;
	for (i = 0; i < n; i++)
		size += sizeof(uint64_t) + in[i].len;
	memset(&head, 0, sizeof head);
	memcpy(head.magic, "raidobin", 8);
	head.key = key;
	head.n = (uint64_t)n;
	head.sum = rd_key_new();
	rd_text_put(&temporary, "%s.%ld", path, (long)getpid());
	if (rd_text_room(&all, size) && temporary.at) {
		all.len = sizeof head;
		for (i = 0; i < n; i++) {
			uint64_t len = in[i].len;
			memcpy(all.at + all.len, &len, sizeof len);
			if (len)
				memcpy(all.at + all.len + sizeof len, in[i].at, in[i].len);
			all.len += sizeof len + in[i].len;
		}
		rd_key_add(&head.sum, all.at + sizeof head, all.len - sizeof head);
		memcpy(all.at, &head, sizeof head);
		if (!rd_write_file(temporary.at, all.at, all.len) || rename(temporary.at, path) != 0)
			unlink(temporary.at);
	}
	free(all.at);
	free(temporary.at);
}
// @end
#endif
