// The command pkg: packages that programs import from lib/PATH, by git.
//
//     raido pkg add github.com/diku-dk/sorts       the newest version, into futhark.pkg
//     raido pkg sync                               all that is needed, into lib/
//
// A package is a repository with tags vX.Y.Z and the files lib/PATH/*.fut.  Of each package that
// is required, directly or by others, the newest of the versions asked for is taken, never a newer
// one (minimal version selection).
#include "cli/pkg.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_NAME "futhark.pkg"

typedef struct {
	PkgFile file;
	const char *dir;                // where repositories go
	int n_repositories;
} Pkg;

static int complain(const char *why)
{
	fprintf(stderr, "%s\n", why);
	return 1;
}

// ---- The file ----

static bool read_pkg(Pkg *p, bool must_exist)
{
	size_t len;
	const char *body = read_file(FILE_NAME, &len), *why;
	if (!body && (errno != ENOENT || must_exist)) {
		fprintf(stderr, FILE_NAME ": %s\n", strerror(errno));
		return false;
	}
	if (body && !pkg_file_parse(FILE_NAME, body, &p->file, &why)) {
		fprintf(stderr, "%s\n", why);
		return false;
	}
	return true;
}

static int write_pkg(const Pkg *p)
{
	Str s = {0};
	str_puts(&s, pkg_file_show(&p->file));
	return write_atomically(FILE_NAME, &s) ? 0 : complain(text("Cannot write " FILE_NAME ": %s",
	                                                           strerror(errno)));
}

// ---- Repositories ----

// The output of a command, whose complaints go to standard error; NULL when it failed.
static const char *output_of(const char *command)
{
	size_t len;
	fflush(stdout);
	FILE *f = popen(command, "r");
	const char *bytes = f ? read_stream(f, &len) : NULL;
	return f && pclose(f) == 0 ? bytes : NULL;
}

static const char *address(const char *path)
{
	const char *base;
	return pkg_path_ok(path, &base) ? shell_quoted(text("https://%s", base)) : NULL;
}

static bool right_major(const char *path, PkgVersion v)
{
	const char *at = strchr(path, '@');
	return at ? strtoll(at + 1, NULL, 10) == v.part[0] : v.part[0] < 2;
}

typedef VEC(PkgVersion) PkgVersions;

static int by_version(const void *a, const void *b)
{
	return pkg_version_compare(*(const PkgVersion *)a, *(const PkgVersion *)b);
}

// The versions of a package, oldest first.
static bool versions_of(const char *path, PkgVersions *out)
{
	const char *tags = output_of(text("GIT_TERMINAL_PROMPT=0 git ls-remote --tags --refs %s",
	                                  address(path)));
	for (const char *at = tags; at && *at; ) {
		size_t n = strcspn(at, "\n");
		const char *line = text("%.*s", (int)n, at), *tag = strstr(line, "refs/tags/v");
		PkgVersion v;
		if (tag && pkg_version_parse(tag + strlen("refs/tags/v"), &v) &&
		    right_major(path, v))
			VEC_PUSH(out, v);
		at += n + (at[n] == '\n');
	}
	if (out->len)
		qsort(out->at, (size_t)out->len, sizeof *out->at, by_version);
	if (!tags)
		fprintf(stderr, "Cannot find the package %s.\n", path);
	else if (!out->len)
		fprintf(stderr, "The package %s has no versions.\n", path);
	return tags && out->len;
}

// Gets a version of a package and gives its directory; NULL after complaining.  The hash, if there
// is none, is set.
static const char *fetch(Pkg *p, Requirement *q)
{
	const char *why, *dir;
	if (!p->dir && !(p->dir = make_temporary_dir(&why))) {
		complain(why);
		return NULL;
	}
	dir = text("%s/%d", p->dir, p->n_repositories++);
	const char *quoted = shell_quoted(dir), *version = pkg_version_show(q->version);
	const char *got = q->version.commit
		? text("GIT_TERMINAL_PROMPT=0 git clone -q %s %s && git -C %s checkout -q %s",
		       address(q->path), quoted, quoted, q->version.commit)
		: text("GIT_TERMINAL_PROMPT=0 git -c advice.detachedHead=false clone -q --depth 1 "
		       "--branch v%s %s %s", version, address(q->path), quoted);
	if (!output_of(got)) {
		fprintf(stderr, "Cannot get %s %s.\n", q->path, version);
		return NULL;
	}
	const char *head = output_of(text("git -C %s rev-parse HEAD", quoted));
	const char *hash = head ? text("%.*s", (int)strcspn(head, "\n"), head) : "";
	if (q->hash && strcmp(q->hash, hash) != 0) {
		fprintf(stderr, "%s %s is commit %s, but " FILE_NAME " says %s.\n", q->path,
		        version, hash, q->hash);
		return NULL;
	}
	q->hash = hash;
	return dir;
}

// ---- Links ----

// Note [Links].  What a package holds is not trusted.  A symbolic link in it could stand for a
// directory anywhere, into which another package whose name lies below is then installed, or be
// read as a file of the package.  So a package that holds anything but directories and files is
// refused, and nothing is put into lib/ through a link.

// The first part of a path below `dir` that is a symbolic link, or NULL.
static const char *link_on_way(const char *dir, const char *path)
{
	struct stat st;
	for (size_t n = strcspn(path, "/");; n += 1 + strcspn(path + n + 1, "/")) {
		const char *part = text("%s/%.*s", dir, (int)n, path);
		if (lstat(part, &st) == 0 && S_ISLNK(st.st_mode))
			return part;
		if (!path[n])
			return NULL;
	}
}

// ---- What is needed ----

typedef struct { Requirement of; const char *dir; } Chosen;
typedef VEC(Chosen) Selection;

static Chosen *chosen(Selection *all, const char *path)
{
	for EACH(Chosen, c, *all)
		if (strcmp(c->of.path, path) == 0)
			return c;
	return NULL;
}

static bool select_all(Pkg *p, const Requirements *requires, Selection *out)
{
	for EACH(Requirement, q, *requires) {
		Chosen *c = chosen(out, q->path);
		if (c && pkg_version_compare(c->of.version, q->version) >= 0)
			continue;
		Requirement of = *q;
		const char *dir = fetch(p, &of), *why;
		size_t len;
		if (!dir)
			return false;
		if (c)
			*c = (Chosen){of, dir};
		else
			VEC_PUSH(out, (Chosen){of, dir});
		if (link_on_way(dir, FILE_NAME))
			return complain(text(FILE_NAME " of %s is a symbolic link.", q->path)),
			       false;
		const char *path = text("%s/" FILE_NAME, dir), *body = read_file(path, &len);
		PkgFile inner;
		if (body && !pkg_file_parse(text("%s/" FILE_NAME, q->path), body, &inner, &why))
			return complain(why), false;
		if (body && !select_all(p, &inner.requires, out))
			return false;
	}
	return true;
}

static bool is_plain_tree(const char *dir)
{
	const char *odd = output_of(text("find %s ! -type d ! -type f -print", shell_quoted(dir)));
	return !odd || !*odd;          // that there is none is said elsewhere
}

static bool is_safe(const Chosen *c, const char *from)
{
	const char *version = pkg_version_show(c->of.version);
	if (link_on_way(c->dir, from) || !is_plain_tree(text("%s/%s", c->dir, from))) {
		fprintf(stderr, "%s %s holds what is neither a file nor a directory, such as a "
		        "symbolic link, in %s.\n", c->of.path, version, from);
		return false;
	}
	const char *there = link_on_way("lib", c->of.path);
	if (there)
		fprintf(stderr, "%s is a symbolic link; %s %s is not put there.\n", there,
		        c->of.path, version);
	return !there;
}

// Puts the files of a package at lib/PATH, in place of what was there.
static bool install(const Chosen *c)
{
	const char *base;
	pkg_path_ok(c->of.path, &base);
	const char *part = text("lib/%s", c->of.path), *to = text("lib/%s", c->of.path);
	struct stat st;
	if (access(text("%s/%s", c->dir, part), F_OK) != 0)
		part = text("lib/%s", base);
	if (!is_safe(c, part))
		return false;
	const char *from = text("%s/%s", c->dir, part);
	if (lstat(from, &st) != 0 || !S_ISDIR(st.st_mode)) {
		fprintf(stderr, "%s %s has no directory lib/%s.\n", c->of.path,
		        pkg_version_show(c->of.version), base);
		return false;
	}
	const char *fresh = shell_quoted(text("%s.new", to)), *there = shell_quoted(to);
	const char *copy = text("mkdir -p %s && rm -rf %s && cp -R %s %s", there, fresh,
	                        shell_quoted(from), fresh);
	if (output_of(text("%s && rm -rf %s && mv %s %s", copy, there, fresh, there)))
		return true;
	fprintf(stderr, "Cannot write %s.\n", to);
	return false;
}

// ---- Commands ----

static int pkg_init(Pkg *p, const char *path, const char *ignored)
{
	(void)ignored;
	if (access(FILE_NAME, F_OK) == 0)
		return complain(FILE_NAME " already exists.");
	p->file.package = path;
	const char *dir = text("lib/%s", path);
	if (!output_of(text("mkdir -p %s", shell_quoted(dir))))
		return complain(text("Cannot make the directory %s.", dir));
	printf("Created directory `%s`.\n", dir);
	int code = write_pkg(p);
	if (!code)
		puts("Wrote `" FILE_NAME "`.");
	return code;
}

static int pkg_add(Pkg *p, const char *path, const char *version)
{
	Requirement q = {.path = path};
	PkgVersions all = {0};
	if (!read_pkg(p, false))
		return 1;
	if (version && !pkg_version_parse(version, &q.version))
		return complain(text("\"%s\" is not a version X.Y.Z.", version));
	if (!version) {
		if (!versions_of(path, &all))
			return 1;
		q.version = all.at[all.len - 1];
	}
	if (!fetch(p, &q))
		return 1;
	Requirement *old = pkg_find(&p->file.requires, path);
	const char *shown = pkg_version_show(q.version);
	if (!old)
		printf("Added %s %s.\n", path, shown);
	else if (pkg_version_compare(old->version, q.version) == 0)
		printf("Package already at version %s; nothing to do.\n", shown);
	else
		printf("Replaced %s %s => %s.\n", path, pkg_version_show(old->version), shown);
	if (old)
		*old = q;
	else
		VEC_PUSH(&p->file.requires, q);
	int code = write_pkg(p);
	if (!code)
		puts("Remember to run \"raido pkg sync\".");
	return code;
}

static int pkg_remove(Pkg *p, const char *path, const char *ignored)
{
	(void)ignored;
	if (!read_pkg(p, true))
		return 1;
	Requirement *q = pkg_find(&p->file.requires, path);
	if (!q)
		return complain(text("No package %s found in " FILE_NAME ".", path));
	printf("Removed %s %s.\n", path, pkg_version_show(q->version));
	int i = (int)(q - p->file.requires.at);
	memmove(q, q + 1, (size_t)(--p->file.requires.len - i) * sizeof *q);
	return write_pkg(p);
}

static int pkg_fmt(Pkg *p, const char *a, const char *b)
{
	(void)a;
	(void)b;
	return read_pkg(p, true) ? write_pkg(p) : 1;
}

static int check_or_sync(Pkg *p, bool sync)
{
	Selection all = {0};
	if (!read_pkg(p, true) || !select_all(p, &p->file.requires, &all))
		return 1;
	for EACH(Chosen, c, all) {
		if (sync && !install(c))
			return 1;
		printf("%s %s\n", c->of.path, pkg_version_show(c->of.version));
	}
	const char *own = p->file.package ? text("lib/%s", p->file.package) : NULL;
	struct stat st;
	if (!sync && own && (stat(own, &st) != 0 || !S_ISDIR(st.st_mode)))
		return complain(text("The directory %s does not exist.", own));
	return 0;
}

static int pkg_check(Pkg *p, const char *a, const char *b)
{
	(void)a;
	(void)b;
	return check_or_sync(p, false);
}

static int pkg_sync(Pkg *p, const char *a, const char *b)
{
	(void)a;
	(void)b;
	return check_or_sync(p, true);
}

static int pkg_upgrade(Pkg *p, const char *a, const char *b)
{
	(void)a;
	(void)b;
	bool changed = false;
	if (!read_pkg(p, true))
		return 1;
	for EACH(Requirement, q, p->file.requires) {
		PkgVersions all = {0};
		if (!versions_of(q->path, &all))
			return 1;
		Requirement newest = {q->path, all.at[all.len - 1], NULL};
		if (pkg_version_compare(newest.version, q->version) <= 0)
			continue;
		if (!fetch(p, &newest))
			return 1;
		printf("Upgraded %s %s => %s.\n", q->path, pkg_version_show(q->version),
		       pkg_version_show(newest.version));
		*q = newest;
		changed = true;
	}
	if (!changed)
		puts("Nothing to upgrade.");
	else
		puts("Remember to run \"raido pkg sync\".");
	return changed ? write_pkg(p) : 0;
}

static int pkg_versions(Pkg *p, const char *path, const char *b)
{
	(void)p;
	(void)b;
	PkgVersions all = {0};
	if (!versions_of(path, &all))
		return 1;
	for EACH(PkgVersion, v, all)
		puts(pkg_version_show(*v));
	return 0;
}

static const struct {
	const char *name;
	int min_args, max_args;
	int (*run)(Pkg *, const char *, const char *);
} commands[] = {
	{"add", 1, 2, pkg_add},       {"check", 0, 0, pkg_check},     {"fmt", 0, 0, pkg_fmt},
	{"init", 1, 1, pkg_init},     {"remove", 1, 1, pkg_remove},   {"sync", 0, 0, pkg_sync},
	{"upgrade", 0, 0, pkg_upgrade}, {"versions", 1, 1, pkg_versions},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

int cmd_pkg(int argc, char **argv)
{
	const Usage u = {
		"pkg", "COMMAND [PACKAGE [VERSION]]",
		"Manages the packages that a program imports from lib/.  The file " FILE_NAME
		" lists them; they are fetched with git.", 1, 3, {NULL, 0},
		"Commands:\n"
		"  init PACKAGE           Start a new package with this path.\n"
		"  add PACKAGE [VERSION]  Add a dependency, by default on the newest version.\n"
		"  remove PACKAGE         Remove a dependency.\n"
		"  sync                   Download the dependencies into lib/.\n"
		"  check                  Check that the dependencies are available.\n"
		"  upgrade                Upgrade the dependencies to their newest versions.\n"
		"  versions PACKAGE       List the available versions of a package.\n"
		"  fmt                    Format the file " FILE_NAME ".",
	};
	Texts args = parse_args(&u, argc, argv);
	const char *names[N_COMMANDS + 1] = {0};
	int which = N_COMMANDS;
	for (int i = 0; i < N_COMMANDS; i++) {
		names[i] = commands[i].name;
		if (strcmp(commands[i].name, args.at[0]) == 0)
			which = i;
	}
	if (which == N_COMMANDS) {
		const char *near = nearest(args.at[0], names);
		if (near)
			usage_error(&u, "unknown command \"%s\"; did you mean \"%s\"?", args.at[0],
			            near);
		usage_error(&u, "unknown command \"%s\"", args.at[0]);
	}
	if (args.len - 1 < commands[which].min_args || args.len - 1 > commands[which].max_args)
		usage_error(&u, "\"%s\" takes %s%d argument%s", args.at[0],
		            commands[which].min_args < commands[which].max_args
		            ? text("%d to ", commands[which].min_args) : "",
		            commands[which].max_args, commands[which].max_args == 1 ? "" : "s");
	if (args.len > 1 && !pkg_path_ok(args.at[1], NULL))
		usage_error(&u, "\"%s\" is not the path of a package", args.at[1]);
	Pkg p = {0};
	int code = commands[which].run(&p, args.len > 1 ? args.at[1] : NULL,
	                               args.len > 2 ? args.at[2] : NULL);
	if (p.dir)
		remove_temporary_tree(p.dir);
	return code;
}
