// All occurrences of a name, in the program and in the files of the workspace that import it.
//
// Two occurrences belong to the same name if they have the same definition.  Some places define one
// name and use another with the same spelling; these names are treated as one:
//
//     let xs[i] = 0 in xs          loop acc for i < n do acc + i
#include "cli/lsp.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

const char *workspace_root;                     // or NULL

enum { MOST_FILES = 400, DEEPEST = 8 };         // of a workspace that are looked at

const char *source_path(const Source *s)
{
	if (str_starts(s->name, "/prelude/"))
		return s->name;
	static Name last, path;                 // most questions are of one file
	if (s->name != last) {
		path = real_path(s->name);
		last = s->name;
	}
	return path;
}

// ---- Names that belong together ----

static const void *key_of(Loc l)
{
	return (const void *)(uintptr_t)l;
}

// Uses are sorted by place.
static void close_class(const Uses *uses, Map *class)
{
	for (int before = -1; before != class->len; ) {
		before = class->len;
		for (int i = 0; i < uses->len; ) {
			int n = i;
			bool in = false;
			for (; n < uses->len && uses->at[n].span.lo == uses->at[i].span.lo; n++)
				in |= map_has(class, key_of(uses->at[n].definition.lo));
			for (int k = i; in && k < n; k++) {
				Loc at = uses->at[k].definition.lo;
				if (at)
					map_put(class, key_of(at), class);
			}
			i = n;
		}
	}
}

static bool is_target(const Targets *targets, Loc defined)
{
	const Source *s = source_of(defined);
	if (!s)
		return false;
	const char *path = NULL;
	for EACH(Target, t, *targets)
		if (t->offset == defined - s->start) {
			path = path ? path : source_path(s);
			if (strcmp(path, t->path) == 0)
				return true;
		}
	return false;
}

// ---- Places ----

static void add_spot(Spots *out, const Use *u)
{
	const Source *s = source_of(u->span.lo);
	Spot spot = {source_path(s), u->span.lo - s->start, u->span.hi - s->start, u->span,
	             u->defines || u->definition.lo == u->span.lo};
	for EACH(Spot, p, *out)
		if (p->lo == spot.lo && strcmp(p->path, spot.path) == 0) {
			p->defines |= spot.defines;
			return;
		}
	VEC_PUSH(out, spot);
}

static bool is_local(const Use *u)
{
	return u->value ? u->value->kind == BIND_LOCAL || u->value->kind == BIND_SIZE ||
	                  u->value->kind == BIND_UNKNOWN
	     : u->type && u->type->kind == TD_PARAM;
}

// ---- Other files ----

void list_files(TextVec *out, const char *dir, int depth)
{
	DIR *d = depth < DEEPEST ? opendir(dir) : NULL;
	for (struct dirent *e; d && (e = readdir(d)) && out->len < MOST_FILES; ) {
		const char *path = text("%s/%s", dir, e->d_name);
		struct stat st;
		if (e->d_name[0] == '.' || stat(path, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode))
			list_files(out, path, depth + 1);
		else if (str_ends(path, ".fut"))
			VEC_PUSH(out, path);
	}
	if (d)
		closedir(d);
}

static const char *text_of(const Ask *a, const char *path, size_t *len)
{
	for EACH(Document, d, *a->documents)
		if (strcmp(d->path, path) == 0) {
			*len = strlen(d->body);
			return d->body;
		}
	return read_file(path, len);
}

// Whether a text may import one of the files: it has the name of it.
static bool may_import(const char *body, const Targets *targets)
{
	if (!strstr(body, "import"))
		return false;
	for EACH(Target, t, *targets) {
		const char *base = strrchr(t->path, '/');
		size_t n = base ? strlen(base + 1) : 0;
		if (n > 4 && strstr(body, text("%.*s", (int)n - 4, base + 1)))
			return true;
	}
	return false;
}

static void spots_of_others(const Ask *a, const Targets *targets, Spots *out, Programs *programs)
{
	TextVec files = {0};
	list_files(&files, workspace_root ? workspace_root : dir_of(a->document->path), 0);
	for EACH(const char *, path, files) {
		size_t len;
		const char *name = real_path(*path);
		const char *body = strcmp(name, a->document->path) ? text_of(a, name, &len) : NULL;
		if (!body || !may_import(body, targets))
			continue;
		int before = out->len;
		Program *p = load_for_editor(a->documents, name, body, len);
		Uses uses = {0};
		if (p && p->root)
			uses = sorted_uses(p);
		for EACH(Use, u, uses)
			if (is_target(targets, u->definition.lo))
				add_spot(out, u);
		if (programs && out->len > before)
			VEC_PUSH(programs, p);
	}
}

Spots find_spots(const Ask *a, const Use *u, bool other_files, Programs *programs)
{
	Spots out = {0};
	Map class = {0};
	Targets targets = {0};
	Loc defined = u->definition.lo;
	if (!defined) {                         // built in
		for EACH(Use, v, a->uses)
			if (u->value ? v->value == u->value : v->type && v->type == u->type)
				add_spot(&out, v);
		return out;
	}
	map_put(&class, key_of(defined), &class);
	close_class(&a->uses, &class);
	for MAP_EACH(e, class) {
		Loc at = (Loc)(uintptr_t)e->key;
		const Source *s = source_of(at);
		VEC_PUSH(&targets, (Target){source_path(s), at - s->start});
	}
	for EACH(Use, v, a->uses)
		if (map_has(&class, key_of(v->definition.lo)))
			add_spot(&out, v);
	bool in_prelude = str_starts(source_of(defined)->name, "/prelude/");
	if (other_files && !in_prelude && !is_local(u))
		spots_of_others(a, &targets, &out, programs);
	return out;
}
