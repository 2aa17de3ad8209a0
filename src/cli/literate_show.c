// The directives of literate programs that make files.
//
//     :img e          PNG of [][]u32 and the like
//     :audio e        WAV of [samples] or [channels][samples]; sampling_frequency, codec
//     :video e        WebM of [frames][][]u32, or of (f, s, n): n frames, f giving a frame and
//                     the next state; fps, repeat, format
//     :plot2d e       PNG of (xs, ys), or of a record of such; size: (width, height)
//     :gnuplot e      a record of (xs, ys, ...), then a script that finds the names of their
//                     files in variables of the names of the fields
//
// All take the parameter `file`.
//
// Images and WAV files need no other program; videos and other sounds are made by ffmpeg, plots by
// gnuplot.
#include "cli/literate.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Files ----

void remove_images(Literate *l)
{
	DIR *dir = opendir(l->dir);
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir)) != NULL; )
		unlink(text("%s/%s", l->dir, e->d_name));
	closedir(dir);
	rmdir(l->dir);
}

// The name of the next file, as this process and as the Markdown name it; NULL with *why set.
static const char *new_file(Literate *l, const Directive *d, const char *extension,
                            const char **link, const char **why)
{
	const char *name = directive_param(d, "file", NULL);
	if (mkdir(l->dir, 0777) != 0 && errno != EEXIST) {
		*why = text("Cannot make the directory %s: %s", l->dir, strerror(errno));
		return NULL;
	}
	if (name && (strchr(name, '/') || name[0] == '.')) {
		*why = text("%s is not the name of a file.", name);
		return NULL;
	}
	if (!name)
		name = text("%d.%s", l->n_files++, extension);
	*link = text("%s-img/%s", l->shown, name);
	return text("%s/%s", l->dir, name);
}

static bool write_bytes(const char *path, const Str *bytes, const char **why)
{
	if (write_atomically(path, bytes))
		return true;
	*why = text("Failed to write %s: %s", path, strerror(errno));
	return false;
}

static bool run_shell(const char *command, const char *program, const char **why)
{
	fflush(stdout);
	fflush(stderr);
	if (system(command) == 0)
		return true;
	*why = text("%s failed, or is not installed.", program);
	return false;
}

static bool evaluate(Literate *l, const Directive *d, Datum *v, const char **why)
{
	return script_eval(&l->script, d->exp, v, why);
}

static bool is_one_value(const Datum *v)
{
	return v->type->n_values == 1 && (v->type->kind == ET_PRIM || v->type->kind == ET_ARRAY);
}

// ---- Images and sounds ----

bool show_image(Literate *l, const Directive *d, Str *md, const char **why)
{
	Datum v;
	Str png = {0};
	if (!evaluate(l, d, &v, why))
		return false;
	if (!is_one_value(&v) || !picture_png(&v.flat[0], &png)) {
		*why = text("Cannot make an image of a value of type %s.", v.type->name);
		return false;
	}
	const char *link, *path = new_file(l, d, "png", &link, why);
	if (!path || !write_bytes(path, &png, why))
		return false;
	str_printf(md, "![](%s)\n\n", link);
	return true;
}

bool show_audio(Literate *l, const Directive *d, Str *md, const char **why)
{
	Datum v;
	Str wav = {0};
	const char *codec = directive_param(d, "codec", "wav"), *end;
	const char *frequency = directive_param(d, "sampling_frequency", "44100");
	int64_t hertz = strtoll(frequency, (char **)&end, 10);
	if (!evaluate(l, d, &v, why))
		return false;
	if (*end || hertz <= 0 || codec[strspn(codec, "abcdefghijklmnopqrstuvwxyz0123456789")]) {
		*why = text("Invalid parameter: %s", *end || hertz <= 0 ? frequency : codec);
		return false;
	}
	if (!is_one_value(&v) || !sound_wav(&v.flat[0], hertz, &wav)) {
		*why = text("Cannot make a sound of a value of type %s.", v.type->name);
		return false;
	}
	const char *link, *path = new_file(l, d, codec, &link, why);
	if (!path)
		return false;
	if (strcmp(codec, "wav") == 0) {
		if (!write_bytes(path, &wav, why))
			return false;
	} else {
		const char *from = text("%s.wav", path);
		bool ok = write_bytes(from, &wav, why) &&
		          run_shell(text("ffmpeg -v error -y -i %s %s", shell_quoted(from),
		                         shell_quoted(path)), "ffmpeg", why);
		unlink(from);
		if (!ok)
			return false;
	}
	str_printf(md, "![](%s)\n\n", link);
	return true;
}

// ---- Videos ----

// Frame `i` of an array of frames.
static Value frame_of(const Value *v, int64_t i)
{
	Value f = value_new(v->type, 2, v->shape + 1);
	size_t bytes = (size_t)value_count(&f) * (size_t)primtype_size(f.type);
	if (bytes)
		memcpy(f.data, (const char *)v->data + (size_t)i * bytes, bytes);
	return f;
}

static bool write_frame(const char *dir, int64_t i, const Value *frame, const char **why)
{
	Str png = {0};
	if (!picture_png(frame, &png)) {
		*why = "A frame is not an image.";
		return false;
	}
	return write_bytes(text("%s/%06lld.png", dir, (long long)i), &png, why);
}

// (f, s, n): f s is a frame and the next state, n times.
static bool write_steps(Literate *l, const ScriptExp *e, const char *dir, const char **why)
{
	const ScriptExp *function = e->parts.at[0];
	const Fun *f = function->kind == SX_CALL && !function->builtin
	             ? find_entry(l->script.loaded->prog, function->name) : NULL;
	Datum state, count, given[8];
	Scalar n;
	int n_given = function->parts.len;
	if (!f || n_given > 6) {
		*why = "Expected (f, s, n) with an entry point f.";
		return false;
	}
	for (int i = 0; i < n_given; i++)
		if (!script_eval(&l->script, function->parts.at[i], &given[i], why))
			return false;
	if (!script_eval(&l->script, e->parts.at[1], &state, why) ||
	    !script_eval(&l->script, e->parts.at[2], &count, why))
		return false;
	if (!datum_scalar(count, &n) || !is_signed(n.type)) {
		*why = "The number of frames is not an integer.";
		return false;
	}
	for (int64_t i = 0; i < n.i; i++) {
		Datum out;
		given[n_given] = state;
		if (!script_call(&l->script, f, given, n_given + 1, &out, why))
			return false;
		const EntryType *t = out.type;
		if (t->kind != ET_RECORD || !t->is_tuple || t->fields.len != 2 ||
		    t->fields.at[0].type->n_values != 1) {
			*why = text("%s does not give a frame and a state.", f->entry_name);
			return false;
		}
		if (!write_frame(dir, i, &out.flat[0], why))
			return false;
		state = (Datum){t->fields.at[1].type, out.flat + 1};
	}
	return true;
}

static bool write_frames(Literate *l, const ScriptExp *e, const char *dir, const char **why)
{
	Datum v;
	if (e->kind == SX_TUPLE && e->parts.len == 3)
		return write_steps(l, e, dir, why);
	if (!script_eval(&l->script, e, &v, why))
		return false;
	if (!is_one_value(&v) || v.flat[0].rank != 3) {
		*why = text("Cannot make a video of a value of type %s.", v.type->name);
		return false;
	}
	for (int64_t i = 0; i < v.flat[0].shape[0]; i++) {
		Value frame = frame_of(&v.flat[0], i);
		if (!write_frame(dir, i, &frame, why))
			return false;
	}
	return true;
}

bool show_video(Literate *l, const Directive *d, Str *md, const char **why)
{
	const char *format = directive_param(d, "format", "webm");
	const char *fps = directive_param(d, "fps", "30");
	bool gif = strcmp(format, "gif") == 0;
	bool repeat = strcmp(directive_param(d, "repeat", "true"), "true") == 0;
	if ((!gif && strcmp(format, "webm") != 0) || !*fps || fps[strspn(fps, "0123456789")]) {
		*why = text("Invalid parameter: %s", fps[strspn(fps, "0123456789")] ? fps : format);
		return false;
	}
	const char *link, *path = new_file(l, d, format, &link, why);
	const char *dir = path ? make_temporary_dir(why) : NULL;
	if (!dir)
		return false;
	bool ok = write_frames(l, d->exp, dir, why) &&
	          run_shell(text("ffmpeg -v error -y -framerate %s -i %s %s %s", fps,
	                         shell_quoted(text("%s/%%06d.png", dir)),
	                         gif ? "" : "-c:v libvpx-vp9 -pix_fmt yuv420p -b:v 2M",
	                         shell_quoted(path)), "ffmpeg", why);
	remove_temporary_tree(dir);
	if (ok && gif)
		str_printf(md, "![](%s)\n\n", link);
	else if (ok)
		str_printf(md, "<video controls autoplay%s><source src=\"%s\" "
		           "type=\"video/webm\"></video>\n\n", repeat ? " loop" : "", link);
	return ok;
}

// ---- Plots ----

// Arrays of numbers as the columns of a file.
static bool write_columns(const char *path, const EntryType *t, const Value *flat, const char **why)
{
	Str s = {0};
	int n = t->n_values;
	for (int c = 0; c < n; c++)
		if (flat[c].rank != 1 || flat[c].type == PT_BOOL ||
		    flat[c].shape[0] != flat[0].shape[0]) {
			*why = text("Cannot plot a value of type %s.", t->name);
			return false;
		}
	for (int64_t i = 0; n && i < flat[0].shape[0]; i++)
		for (int c = 0; c < n; c++)
			str_printf(&s, "%s%c", scalar_show(value_get(&flat[c], i), false),
			           c + 1 < n ? ' ' : '\n');
	return write_bytes(path, &s, why);
}

// As a text of gnuplot in which nothing is substituted.
static const char *plot_quoted(const char *s)
{
	Str out = {0};
	str_putc(&out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			str_putc(&out, '\'');
		str_putc(&out, *s);
	}
	str_putc(&out, '\'');
	return str_text(&out);
}

// Files with the data, in dir: their variables, and how to plot all of them.
static bool write_data(const Datum *v, const char *dir, Str *variables, Str *plot, const char **why)
{
	bool named = v->type->kind == ET_RECORD && !v->type->is_tuple;
	int first = 0;
	str_puts(plot, "plot ");
	for (int i = 0; i < (named ? v->type->fields.len : 1); i++) {
		const EntryType *t = named ? v->type->fields.at[i].type : v->type;
		const char *name = named ? v->type->fields.at[i].name : "data";
		const char *path = text("%s/%s", dir, name);
		if (!write_columns(path, t, v->flat + first, why))
			return false;
		first += t->n_values;
		str_printf(variables, "%s=%s\n", name, plot_quoted(path));
		str_printf(plot, "%s%s with lines", i ? ", " : "", plot_quoted(path));
		if (named)
			str_printf(plot, " title %s", plot_quoted(name));
		else
			str_puts(plot, " notitle");
	}
	str_putc(plot, '\n');
	return true;
}

bool show_plot(Literate *l, const Directive *d, Str *md, const char **why)
{
	Datum v;
	Str variables = {0}, plot = {0}, script = {0};
	int width = 640, height = 480;
	const char *size = directive_param(d, "size", NULL);
	if (d->script && l->script.confined) {
		*why = "A script of gnuplot may run any command; --unsafe lets it.";
		return false;
	}
	if (!evaluate(l, d, &v, why))
		return false;
	if (size && sscanf(size, " ( %d , %d )", &width, &height) != 2) {
		*why = text("Invalid parameter: %s", size);
		return false;
	}
	const char *link, *path = new_file(l, d, "png", &link, why);
	const char *dir = path ? make_temporary_dir(why) : NULL;
	if (!dir)
		return false;
	bool ok = write_data(&v, dir, &variables, &plot, why);
	str_printf(&script, "set terminal png size %d,%d enhanced\nset output %s\n"
	           "set key outside\n%s%s", width, height, plot_quoted(path), str_text(&variables),
	           d->script ? d->script : str_text(&plot));
	const char *commands = text("%s/script.gnuplot", dir);
	ok = ok && write_bytes(commands, &script, why) &&
	     run_shell(text("gnuplot %s", shell_quoted(commands)), "gnuplot", why);
	remove_temporary_tree(dir);
	if (ok)
		str_printf(md, "![](%s)\n\n", link);
	return ok;
}
