// Programs: files, imports, the prelude.
//
// Loading goes in two steps.  First the root file and everything it imports, directly or not,
// is read and parsed, each file once by its canonical path; syntax errors and missing files end
// it there.  Then the files are checked, imports before importers.  The prelude is a set of
// files inside the binary, under /prelude; its names are below those of every other file:
//
//     intrinsics  <-  prelude files
//     intrinsics  <-  names of /prelude/prelude  <-  user files
#include "check/load.h"

#include "base/embed.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>
#include <limits.h>
#include <stdlib.h>

typedef struct FileState {
	File *file;
	struct FileState *importer;     // while its imports are read
	bool reading, checked;
} FileState;

// ---- Paths ----

static bool is_prelude_path(const char *path)
{
	return str_starts(path, "/prelude/");
}

static const char *dir_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return !slash ? "" : text("%.*s", (int)(slash - path) + 1, path);
}

// Removes "." and resolves ".." where the name before it is known: a/./b/../c is a/c.
static const char *tidy(const char *path)
{
	typedef struct { const char *at; int len; } Part;
	VEC(Part) parts = {0};
	bool absolute = path[0] == '/';
	for (const char *p = path; *p; ) {
		int n = (int)strcspn(p, "/");
		bool up = n == 2 && p[0] == '.' && p[1] == '.';
		const Part *last = parts.len ? &parts.at[parts.len - 1] : NULL;
		bool last_is_up = last && last->len == 2 && memcmp(last->at, "..", 2) == 0;
		if (up && last && !last_is_up)
			parts.len--;
		else if (n && !(n == 1 && p[0] == '.') && !(up && absolute && !last))
			VEC_PUSH(&parts, (Part){p, n});
		p += n + (p[n] == '/');
	}
	Str s = {0};
	for (int i = 0; i < parts.len; i++) {
		str_puts(&s, i || absolute ? "/" : "");
		str_putn(&s, parts.at[i].at, (size_t)parts.at[i].len);
	}
	return str_text(&s);
}

// What an import means: a path of the prelude without extension, or of a file with it.
static const char *resolve(const Loader *l, const char *importer, const char *path)
{
	if (is_prelude_path(path))
		return tidy(path);
	if (importer && is_prelude_path(importer))
		return tidy(text("%s%s", dir_of(importer), path));
	if (path[0] == '/')
		return tidy(text("%s%s.fut", l->root_dir, path + 1));
	return tidy(text("%s%s.fut", importer ? dir_of(importer) : "", path));
}

// One name for each file, however it is reached.
static Name canonical(const char *path)
{
	if (is_prelude_path(path) && !str_ends(path, ".fut"))
		return name_of(path);
	char *real = realpath(path, NULL);
	Name name = name_of(real ? real : path);
	free(real);
	return name;
}

// ---- Imports ----

static void note_import(Walk *w, ModExpr *m)
{
	ImportVec *out = w->ctx;
	if (m->kind == ME_IMPORT)
		VEC_PUSH(out, m);
	walk_mod(w, m);
}

void imports_in(ImportVec *out, Decls decls)
{
	walk_decls(&(Walk){.mod = note_import, .ctx = out}, decls);
}

// ---- Reading ----

static const char *embedded_text(const char *path, size_t *len)
{
	for (const EmbeddedFile *f = embedded_prelude; f->name; f++)
		if (strcmp(f->name, path) == 0) {
			*len = f->len;
			return f->text;
		}
	return NULL;
}

static FileState *state_of(Loader *l, File *f)
{
	return map_get(&l->states, f);
}

File *add_file(Loader *l, const char *path, const char *content, size_t len, size_t room, Span span)
{
	bool prelude = is_prelude_path(path) && !str_ends(path, ".fut");
	const char *name = prelude ? text("%s.fut", path) : path;
	Source *source = source_add_growing(name, content, len, room);
	if (!source) {
		diag_error(span, NULL, "The program is too large to read \"%s\" as well.", path);
		l->program.failed = true;
		return NULL;
	}
	File *f = parse_file(source);
	f->path = name_of(path);
	map_put(&l->by_path, canonical(path), f);
	map_put(&l->states, f, NEW(FileState, .file = f));
	l->program.failed |= f->failed;
	return f;
}

// The file beside it that is spelled like it; or it is a part of a package.
static void hint_file(Diag *d, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dir = slash ? text("%.*s", (int)(slash - path), path) : ".";
	const char *near = NULL;
	size_t best = 3;
	DIR *in = opendir(dir);
	for (struct dirent *e; in && (e = readdir(in)); ) {
		if (!str_ends(e->d_name, ".fut"))
			continue;
		size_t distance = edit_distance(name, e->d_name, best);
		if (2 * distance + 4 >= strlen(name))
			continue;       // of "math", "catch" is no misspelling
		if (distance < best || (near && distance == best && strcmp(e->d_name, near) < 0)) {
			near = name_of(e->d_name);
			best = distance;
		}
	}
	if (in)
		closedir(in);
	const char *lib = strstr(path, "lib/"), *dot = lib ? strchr(lib + 4, '.') : NULL;
	if (near)
		diag_note(d, "Hint: did you mean \"%.*s\"?",
		          (int)strlen(near) - (d->span.lo ? 4 : 0), near);
	else if (!d->span.lo)
		diag_note(d, "Note: there is no such file.");
	else if (str_ends(name, ".fut.fut"))
		diag_note(d, "Hint: a file is imported without \".fut\": import %.*s\".",
		          (int)strlen(span_text(d->span)) - 5, span_text(d->span));
	else if (dot && dot < lib + 4 + strcspn(lib + 4, "/"))
		diag_note(d, "Hint: files of packages are fetched by \"raido pkg add\" and \"raido "
		             "pkg sync\".");
	else if (strcmp(name, "derivatives.fut") == 0)
		diag_note(d, "Hint: this file of the library is \"/prelude/derivatives\".");
	else
		diag_note(d, "Hint: a path is relative to the file that imports it.  What is built "
		             "in needs no import: f64.sin, f64.sum.");
}

static File *read_path(Loader *l, const char *path, Span span)
{
	size_t len = 0;
	bool prelude = is_prelude_path(path) && !str_ends(path, ".fut");
	const LoadOptions *o = &l->program.options;
	const char *content = prelude ? embedded_text(path, &len)
	                    : o->read ? o->read(path, &len) : read_file(path, &len);
	if (!content) {
		int why = errno;
		Diag *d = diag_error(span, NULL, "Could not read file \"%s\".", path);
		if (!prelude && why != ENOENT)
			diag_note(d, "Note: %s.", strerror(why));
		else if (!prelude && access(text("%s.fut", path), F_OK) == 0)
			diag_note(d, "Hint: did you mean \"%s.fut\"?", path);
		else if (!prelude)
			hint_file(d, path);
		l->program.failed = l->missing = true;
		return NULL;
	}
	if (!prelude && !str_ends(path, ".fut") && memchr(content, 0, len)) {
		Diag *d = diag_error(span, NULL, "\"%s\" is not the text of a program.", path);
		if (access(text("%s.fut", path), F_OK) == 0)
			diag_note(d, "Hint: did you mean \"%s.fut\"?", path);
		l->program.failed = l->missing = true;
		return NULL;
	}
	return add_file(l, path, content, len, len, span);
}

static void report_cycle(Loader *l, FileState *from, const File *again, Span span)
{
	Str s = {0};
	str_puts(&s, again->path);
	VEC(const char *) chain = {0};
	for (FileState *f = from; f && f->file != again; f = f->importer)
		VEC_PUSH(&chain, f->file->path);
	for (int i = chain.len; i-- > 0; )
		str_printf(&s, " -> %s", chain.at[i]);
	str_printf(&s, " -> %s", again->path);
	diag_error(span, NULL, "Import cycle: %s.", str_text(&s));
	l->program.failed = l->missing = true;
}

static void read_import(Loader *l, FileState *from, const char *path, Span span)
{
	const char *full = resolve(l, from ? from->file->path : NULL, path);
	File *f = map_get(&l->by_path, canonical(full));
	if (f && state_of(l, f)->reading)
		report_cycle(l, from, f, span);
	if (f)
		return;
	f = read_path(l, full, span);
	if (!f)
		return;
	state_of(l, f)->importer = from;
	read_imports(l, f);
	VEC_PUSH(&l->order, f);
}

static void read_all(Loader *l, FileState *from, Decls decls)
{
	ImportVec imports = {0};
	imports_in(&imports, decls);
	for EACH(const ModExpr *, m, imports)
		read_import(l, from, (*m)->import.path, (*m)->import.path_span);
}

void read_imports(Loader *l, File *f)
{
	FileState *state = state_of(l, f);
	state->reading = true;
	read_all(l, state, f->decls);
	state->reading = false;
}

// ---- Checking ----

// Forgets warnings reported since there were `since` diagnostics.
static void drop_warnings(int since)
{
	int n = since;
	for (int i = since; i < diags.len; i++)
		if (diags.at[i]->kind != D_WARNING)
			diags.at[n++] = diags.at[i];
	diags.len = n;
}

static Scope *file_scope(Loader *l, File *f, Env *exports)
{
	Env *visible = NEW(Env, .up = l->program.prelude ? l->program.prelude : intrinsics_env());
	Scope *s = scope_new(visible);
	s->exports = exports;
	s->program = &l->program;
	s->file = f;
	s->is_prelude = !l->program.prelude;
	return s;
}

Scope *begin_file(Loader *l, File *f)
{
	state_of(l, f)->checked = true;
	return file_scope(l, f, NEW(Env, .name = NULL));
}

void check_top_level(Scope *s, Decl *d)
{
	s->env->poisoned |= s->file->lost && s->file->lost <= d->span.lo;
	if (s->history)
		s->history->now = d->span.lo;
	check_decl(s, d, true);
}

void explain_unknowns(Loader *l)
{
	for (; l->explained < l->unknowns.len; l->explained++)
		explain_unknown(&l->unknowns.at[l->explained]);
}

static void end_file(Loader *l, Scope *s)
{
	s->exports->poisoned |= s->file->lost != 0;
	s->file->mod = NEW(Mod, .kind = MOD_ENV, .env = s->exports);
	explain_unknowns(l);
}

static Scope *check_file(Loader *l, File *f)
{
	Scope *s = begin_file(l, f);
	for EACH(Decl *, d, f->decls)
		check_top_level(s, *d);
	end_file(l, s);
	return s;
}

// Checks what was read and not yet checked.
Scope *check_new_files(Loader *l)
{
	Scope *s = NULL;
	for (int i = 0; i < l->order.len; i++)
		if (!state_of(l, l->order.at[i])->checked)
			s = check_file(l, l->order.at[i]);
	return s;
}

static void load_prelude(Loader *l)
{
	int before = diags.len;
	read_import(l, NULL, "/prelude/prelude", NOWHERE);
	if (!l->program.failed)
		check_new_files(l);
	drop_warnings(before);
	for (int i = before; i < diags.len; i++)
		l->program.failed |= diags.at[i]->kind == D_ERROR;
	File *root = map_get(&l->by_path, name_of("/prelude/prelude"));
	Env *env = root && root->mod ? root->mod->env : NEW(Env, .poisoned = true);
	env->up = intrinsics_env();
	l->program.prelude = env;
}

// A cache: the prelude with nothing left to check, see prelude_keep.
static const Loader *kept;

static void share_prelude(Loader *l)
{
	for MAP_EACH(e, kept->by_path)
		map_put(&l->by_path, e->key, e->val);
	for MAP_EACH(s, kept->states)
		map_put(&l->states, s->key, s->val);
	VEC_APPEND(&l->order, kept->order);
	l->program.prelude = kept->program.prelude;
	l->program.failed = kept->program.failed;
}

Loader *loader_new(LoadOptions options, const char *root_dir)
{
	Loader *l = NEW(Loader, .root_dir = root_dir);
	l->program.options = options;
	if (!options.syntax_only && kept)
		share_prelude(l);
	else if (!options.syntax_only)
		load_prelude(l);
	return l;
}

void prelude_keep(void)
{
	Loader *l = loader_new((LoadOptions){0}, "");
	program_force(&l->program);
	intrinsics_force();
	kept = l;
}

static Program *finish(Loader *l, int errors_before)
{
	Program *p = &l->program;
	p->files = VEC_SLICE(Files, l->order);
	p->failed |= diag_count(D_ERROR) > errors_before;
	if (p->options.no_warnings)
		drop_warnings(0);
	return p;
}

// Everything after the root file itself is in the loader.
static Program *load_root(Loader *l, File *root, int errors_before)
{
	l->program.root = root;
	const LoadOptions *o = &l->program.options;
	if (!root || o->syntax_only || (l->program.failed && !o->tolerant)) {
		if (root)
			VEC_PUSH(&l->order, root);
		return finish(l, errors_before);
	}
	read_imports(l, root);
	VEC_PUSH(&l->order, root);
	if ((!l->program.failed || o->tolerant) && !o->files_only)
		l->program.scope = check_new_files(l);
	return finish(l, errors_before);
}

Program *load_program(const char *path, LoadOptions options)
{
	int errors = diag_count(D_ERROR);
	current_pass = "loading";
	Loader *l = loader_new(options, dir_of(path));
	return load_root(l, read_path(l, path, NOWHERE), errors);
}

Program *load_text(const char *name, const char *content, size_t len, LoadOptions options)
{
	int errors = diag_count(D_ERROR);
	current_pass = "loading";
	Loader *l = loader_new(options, "");
	return load_root(l, add_file(l, name, content, len, len, NOWHERE), errors);
}

Program *load_empty(LoadOptions options)
{
	int errors = diag_count(D_ERROR);
	current_pass = "loading";
	Loader *l = loader_new(options, "");
	l->program.scope = file_scope(l, NULL, NULL);
	return finish(l, errors);
}

File *find_import(Program *p, const char *importer, const char *path, Span span)
{
	Loader *l = loader_of(p);
	const char *full = resolve(l, importer, path);
	File *f = map_get(&l->by_path, canonical(full));
	if (!f || !f->mod)
		fail(span, NULL, "Could not read file \"%s\".", full);
	return f;
}

void program_pending(Program *p, Binding *b)
{
	VEC_PUSH(&loader_of(p)->pending, b);
}

void program_unknown(Program *p, UnknownName u)
{
	VEC_PUSH(&loader_of(p)->unknowns, u);
}

void program_force(Program *p)
{
	for EACH(Binding *, b, loader_of(p)->pending)
		force_binding(*b);
}

// ---- One declaration or expression at a time ----

// Checks a declaration in a layer of names of its own, which become the program's if it is right:
// what failed is named to nobody afterwards.
static void check_in_layer(Scope *s, Decl *d, int errors_before)
{
	Env *below = s->env, *exports = s->exports;
	s->env = NEW(Env, .up = below, .name = below->name);
	s->exports = NULL;
	check_decl(s, d, true);
	const Env *layer = s->env;
	s->env = below;
	s->exports = exports;
	if (diag_count(D_ERROR) == errors_before)
		scope_add_all(s, layer, false);
}

// Files after the first n are read anew when they are imported again.
static void forget_files(Loader *l, int n)
{
	for (int i = n; i < l->order.len; i++)
		map_put(&l->by_path, canonical(l->order.at[i]->path), NULL);
	l->order.len = n;
	l->program.files = VEC_SLICE(Files, l->order);
}

bool program_add_decl(Program *p, Decl *d)
{
	Loader *l = loader_of(p);
	int errors = diag_count(D_ERROR), files = l->order.len;
	bool failed = p->failed;
	read_all(l, NULL, (Decls){&d, 1});
	p->failed = failed;             // a line that fails leaves the program as it was
	if (diag_count(D_ERROR) == errors) {
		check_new_files(l);
		p->files = VEC_SLICE(Files, l->order);
		// A later definition may replace an earlier one here.
		for (int i = 0; i < N_NAMESPACE; i++)
			p->scope->defined[i] = (Map){0};
		check_in_layer(p->scope, d, errors);
	}
	if (diag_count(D_ERROR) > errors)
		forget_files(l, files);
	if (p->options.no_warnings)
		drop_warnings(0);
	return diag_count(D_ERROR) == errors;
}

bool program_type_expr(Program *p, Expr *e)
{
	int mark = scope_mark(p->scope), depth = scope_depth(p->scope);
	int errors = diag_count(D_ERROR);
	Guard g;
	if (GUARDED(g)) {
		infer_expr(p->scope, e);
		size_closed_expr(e);
		match_expr(e);
		consume_closed_expr(e);
		guard_pop(&g);
	} else {
		scope_reset(p->scope, mark, depth);
	}
	if (p->options.no_warnings)
		drop_warnings(0);
	return diag_count(D_ERROR) == errors;
}

Decl *entry_of_expr(Expr *e, Name name)
{
	Decl *d = NEW(Decl, .kind = DEC_VAL, .span = e->span);
	d->val.keyword = VAL_ENTRY;
	d->val.name = name;
	d->val.name_span = e->span;
	d->val.body = e;
	d->val.ret_type = e->type;
	d->val.binding = binding_new(BIND_GLOBAL, name, e->span);
	d->val.binding->decl = d;
	d->val.binding->scheme.type = e->type;
	return d;
}
