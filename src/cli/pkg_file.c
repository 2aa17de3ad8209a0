// The file futhark.pkg: reading and writing it.
//
//     -- comments
//     package github.com/user/this
//
//     require {
//       github.com/user/other 1.2.3 #0123456789abcdef0123456789abcdef01234567
//     }
//
// Both parts are optional, and so is the commit hash of a dependency.
#include "cli/pkg.h"

#include <ctype.h>
#include <stdlib.h>

// ---- Versions and paths ----

bool pkg_version_parse(const char *s, PkgVersion *out)
{
	*out = (PkgVersion){{0}, NULL, NULL};
	for (int i = 0; i < 3; i++) {
		char *end;
		if (!isdigit((unsigned char)*s) || strspn(s, "0123456789") > 9)
			return false;
		out->part[i] = strtoll(s, &end, 10);
		if (i < 2 && *end != '.')
			return false;
		s = end + (i < 2);
	}
	if (!*s)
		return true;
	size_t digits = *s == '-' ? strspn(s + 1, "0123456789") : 0;
	if (digits != 14 || s[15] != '+' || !s[16] || s[16 + strspn(s + 16, "0123456789abcdef")])
		return false;
	out->date = text("%.14s", s + 1);
	out->commit = text("%s", s + 16);
	return true;
}

const char *pkg_version_show(PkgVersion v)
{
	const char *plain = text("%lld.%lld.%lld", (long long)v.part[0], (long long)v.part[1],
	                         (long long)v.part[2]);
	return v.commit ? text("%s-%s+%s", plain, v.date, v.commit) : plain;
}

// A version is later than the commits before it.
int pkg_version_compare(PkgVersion a, PkgVersion b)
{
	for (int i = 0; i < 3; i++)
		if (a.part[i] != b.part[i])
			return a.part[i] < b.part[i] ? -1 : 1;
	if (!a.date || !b.date)
		return !a.date - !b.date;
	return strcmp(a.date, b.date);
}

bool pkg_path_ok(const char *path, const char **base)
{
	const char *at = strchr(path, '@');
	size_t len = at ? (size_t)(at - path) : strlen(path);
	bool slash = false;
	if (at && (!at[1] || at[1 + strspn(at + 1, "0123456789")]))
		return false;
	for (size_t i = 0; i < len; ) {
		size_t n = 0;
		while (i + n < len && path[i + n] != '/') {
			unsigned char c = (unsigned char)path[i + n++];
			if (!isalnum(c) && !strchr("._~+-", c))
				return false;
		}
		if (n == 0 || path[i] == '.' || path[i] == '-')
			return false;
		slash |= path[i + n] == '/' && i + n < len;
		i += n + 1;
	}
	if (base)
		*base = text("%.*s", (int)len, path);
	return slash && path[len - 1] != '/';
}

// ---- Reading ----

typedef struct { const char *name, *at; int line; PkgFile *file; const char *why; } Reader;

static bool mistake(Reader *r, const char *expected)
{
	r->why = text("%s:%d: expected %s, found \"%.*s\"", r->name, r->line, expected,
	              (int)strcspn(r->at, " \t\r\n"), r->at);
	return false;
}

static void skip_space(Reader *r)
{
	for (;;) {
		if (*r->at == '\n')
			r->line++;
		if (*r->at && strchr(" \t\r\n", *r->at)) {
			r->at++;
		} else if (str_starts(r->at, "--")) {
			size_t n = strcspn(r->at, "\r\n");
			if (!r->file->package && !r->file->requires.len)
				VEC_PUSH(&r->file->comments, text("%.*s", (int)n, r->at));
			r->at += n;
		} else {
			return;
		}
	}
}

static const char *word(Reader *r)
{
	skip_space(r);
	size_t n = *r->at && strchr("{}", *r->at) ? 1 : strcspn(r->at, " \t\r\n{}");
	return text("%.*s", (int)n, r->at);
}

static bool take(Reader *r, const char *wanted)
{
	const char *w = word(r);
	if (strcmp(w, wanted) != 0)
		return false;
	r->at += strlen(w);
	return true;
}

static bool read_requirement(Reader *r)
{
	Requirement q = {.path = word(r)};
	if (!pkg_path_ok(q.path, NULL))
		return mistake(r, "the path of a package or \"}\"");
	r->at += strlen(q.path);
	const char *version = word(r);
	if (!pkg_version_parse(version, &q.version))
		return mistake(r, "a version X.Y.Z");
	r->at += strlen(version);
	const char *hash = word(r);
	if (*hash == '#') {
		r->at += strlen(hash);
		q.hash = hash + 1;
	}
	if (pkg_find(&r->file->requires, q.path))
		return mistake(r, text("each package once, not %s again", q.path));
	VEC_PUSH(&r->file->requires, q);
	return true;
}

bool pkg_file_parse(const char *name, const char *body, PkgFile *out, const char **why)
{
	Reader r = {name, body, 1, out, NULL};
	*out = (PkgFile){0};
	bool ok = true;
	if (take(&r, "package")) {
		out->package = word(&r);
		ok = pkg_path_ok(out->package, NULL) || mistake(&r, "the path of a package");
		r.at += strlen(out->package);
	}
	if (ok && take(&r, "require")) {
		ok = take(&r, "{") || mistake(&r, "\"{\"");
		while (ok && !take(&r, "}"))
			ok = read_requirement(&r);
	}
	skip_space(&r);
	if (ok && *r.at)
		ok = mistake(&r, out->package ? "\"require\"" : "\"package\" or \"require\"");
	*why = r.why;
	return ok;
}

// ---- Writing ----

const char *pkg_file_show(const PkgFile *f)
{
	Str s = {0};
	for EACH(const char *, c, f->comments)
		str_printf(&s, "%s\n", *c);
	if (f->package)
		str_printf(&s, "package %s\n\n", f->package);
	str_puts(&s, "require {\n");
	for EACH(Requirement, q, f->requires)
		str_printf(&s, "  %s %s%s%s\n", q->path, pkg_version_show(q->version),
		           q->hash ? " #" : "", q->hash ? q->hash : "");
	str_puts(&s, "}\n");
	return str_text(&s);
}

Requirement *pkg_find(const Requirements *all, const char *path)
{
	for EACH(Requirement, q, *all)
		if (strcmp(q->path, path) == 0)
			return q;
	return NULL;
}
