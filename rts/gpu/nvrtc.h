// Compiles CUDA kernels with NVRTC, each when it is first needed, and keeps them in the cache
// (cache.h).
//
// Most kernels of a program are versions of each other for data of other shapes, and few of them
// are ever launched, while compiling one takes up to a second.  The source of a program is
// therefore split into its kernels.  A kernel that is in no cache is compiled by background
// threads; meanwhile the program continues and requests further kernels, and can ask whether a
// kernel is ready (rd_api_kernel, rd_api_ready; stream.h queues operations that wait for one).  A
// thread that waits for a kernel compiles too.
//
// The kernels that every program has are compiled when the context is created, so that problems
// with NVRTC or its options are detected then.
#ifndef RD_NVRTC_H
#define RD_NVRTC_H
#include "cuda.h"
#include "../c/timing.h"

// @chunk cuda_nvrtc: cuda device_run
#define RD_NVRTC_FUNCTIONS(F) \
	F(create, "nvrtcCreateProgram", (void **, const char *, const char *, int, \
	                                 const char *const *, const char *const *)) \
	F(destroy, "nvrtcDestroyProgram", (void **)) \
	F(compile, "nvrtcCompileProgram", (void *, int, const char *const *)) \
	F(log_size, "nvrtcGetProgramLogSize", (void *, size_t *)) \
	F(log, "nvrtcGetProgramLog", (void *, char *)) \
	F(cubin_size, "nvrtcGetCUBINSize", (void *, size_t *)) \
	F(cubin, "nvrtcGetCUBIN", (void *, char *)) \
	F(ptx_size, "nvrtcGetPTXSize", (void *, size_t *)) \
	F(ptx, "nvrtcGetPTX", (void *, char *)) \
	F(n_archs, "nvrtcGetNumSupportedArchs", (int *)) \
	F(archs, "nvrtcGetSupportedArchs", (int *))

#define RD_CU_MEMBER(name, symbol, params) int (*name) params;
struct rd_nvrtc {
	void *library;
	RD_NVRTC_FUNCTIONS(RD_CU_MEMBER)
};
#undef RD_CU_MEMBER

// A text: two parts, of which the first may be that of many.  Threads that compile change `stage` and what comes
// after it, under the lock; when it is RD_TEXT_DONE they belong to the context.
enum { RD_TEXT_NEW, RD_TEXT_WAITS, RD_TEXT_COMPILES, RD_TEXT_DONE };
struct rd_cu_text {
	const char *head, *body;
	size_t n_head, n_body;
	char own_head[80];
	int stage, turn;                // WAITS: those with lower numbers first
	struct rd_bytes code;
	char *log;                      // NULL: all is well
	bool cached;                    // the code was compiled before
	void *module;
};

enum { RD_MOST_OPTIONS = 64, RD_MOST_COMPILERS = 16 };
struct rd_texts {
	int n;
	struct rd_cu_text *at;
	char *program;                  // what texts are parts of
	struct rd_nvrtc rtc;
	const char *options[RD_MOST_OPTIONS];
	char arch[64];
	int n_options;
	bool ptx;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t threads[RD_MOST_COMPILERS];
	int n_threads, n_idle, turn;
	bool stop;
	int n_compiled;
	int64_t microseconds;           // of all threads together
};

// ---- NVRTC ----

static int rd_nvrtc_load(struct futhark_context *ctx, struct rd_nvrtc *rtc)
{
	static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
	                                    "libnvrtc.so.11.2"};
	static const char *const homes[] = {"CUDA_HOME", "CUDA_ROOT", "CUDA_PATH", NULL};
	static const struct rd_cu_symbol symbols[] = {
#define RD_CU_ROW(name, symbol, params) {symbol, offsetof(struct rd_nvrtc, name)},
		RD_NVRTC_FUNCTIONS(RD_CU_ROW)
#undef RD_CU_ROW
	};
	const char *missing;
	size_t i, k;
	for (i = 0; i < sizeof names / sizeof *names && !rtc->library; i++)
		rtc->library = dlopen(names[i], RTLD_NOW);
	for (i = 0; i < sizeof homes / sizeof *homes && !rtc->library; i++) {
		const char *home = homes[i] ? getenv(homes[i]) : "/usr/local/cuda";
		for (k = 0; k < sizeof names / sizeof *names && home && !rtc->library; k++) {
			char path[1024];
			snprintf(path, sizeof path, "%s/lib64/%s", home, names[k]);
			rtc->library = dlopen(path, RTLD_NOW);
		}
	}
	if (!rtc->library)
		return rd_device_error(ctx, "Cannot load NVRTC, which is needed to compile kernels: %s\n"
		                       "CUDA_HOME says where CUDA is.", dlerror());
	missing = rd_cu_find(rtc->library, symbols, sizeof symbols / sizeof *symbols, rtc);
	return missing ? rd_device_error(ctx, "NVRTC is too old: it has no %s.", missing) : 0;
}

// The newest architecture that NVRTC knows and that the device can run.
static int rd_nvrtc_arch(struct rd_nvrtc *rtc, int arch)
{
	int known[128], n = 0, best = 0, i;
	if (rtc->n_archs(&n) != 0 || n <= 0 || n > 128 || rtc->archs(known) != 0)
		return arch;
	for (i = 0; i < n; i++)
		if (known[i] <= arch && known[i] > best)
			best = known[i];
	return best ? best : arch;
}

// NVRTC is ready to compile for the device; `ptx`: to text.
static int rd_nvrtc_open(struct futhark_context *ctx, bool ptx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_texts *all = ctx->device->api->texts;
	int i, known, err = all->rtc.library ? 0 : rd_nvrtc_load(ctx, &all->rtc);
	if (err || (all->n_options && all->ptx == ptx))
		return err;
	known = rd_nvrtc_arch(&all->rtc, ctx->device->api->arch);
	all->n_options = 0;
	all->ptx = ptx || known != ctx->device->api->arch; // the driver translates that for newer devices
	snprintf(all->arch, sizeof all->arch, "--gpu-architecture=%s_%d", all->ptx ? "compute" : "sm", known);
	all->options[all->n_options++] = all->arch;
	all->options[all->n_options++] = "-default-device";
	all->options[all->n_options++] = "--std=c++17";
	for (i = 0; i < c->n_options && all->n_options < RD_MOST_OPTIONS; i++)
		all->options[all->n_options++] = c->options[i];
	return 0;
}

static char *rd_whole_text(const struct rd_cu_text *t)
{
	char *s = (char *)malloc(t->n_head + t->n_body + 1);
	if (!s)
		return NULL;
	memcpy(s, t->head, t->n_head);
	memcpy(s + t->n_head, t->body, t->n_body);
	s[t->n_head + t->n_body] = 0;
	return s;
}

// Compiles a text: gives its code, or NULL and what is wrong.
static struct rd_bytes rd_compile_text(const struct rd_texts *all, const char *text, char **log)
{
	const struct rd_nvrtc *rtc = &all->rtc;
	struct rd_bytes code = {NULL, 0};
	void *program = NULL;
	size_t n = 0;
	int err = text ? rtc->create(&program, text, "kernels.cu", 0, NULL, NULL) : 1;
	if (!err)
		err = rtc->compile(program, all->n_options, all->options);
	if (!err && (all->ptx ? rtc->ptx_size : rtc->cubin_size)(program, &n) == 0) {
		code.at = (char *)calloc(n + 1, 1);
		code.len = n;
		if (code.at)
			(all->ptx ? rtc->ptx : rtc->cubin)(program, code.at);
	}
	if (!code.at) {
		if (program)
			rtc->log_size(program, &n);
		*log = (char *)calloc(n + 32, 1);
		if (*log && err && n > 1)
			rtc->log(program, *log);
		else if (*log)
			snprintf(*log, 32, "NVRTC gave %d.", err);
	}
	if (program)
		rtc->destroy(&program);
	return code;
}

// ---- Threads that compile ----

// Compiles a text that waits.  Has the lock, which is free meanwhile.
static void rd_compile_next(struct rd_texts *all, struct rd_cu_text *t)
{
	int64_t start = rd_wall_time();
	struct rd_bytes code;
	char *text, *log = NULL;
	t->stage = RD_TEXT_COMPILES;
	pthread_mutex_unlock(&all->lock);
	text = rd_whole_text(t);
	code = rd_compile_text(all, text, &log);
	free(text);
	pthread_mutex_lock(&all->lock);
	t->code = code;
	t->log = log;
	t->stage = RD_TEXT_DONE;
	all->n_compiled++;
	all->microseconds += rd_wall_time() - start;
	pthread_cond_broadcast(&all->changed);
}

static struct rd_cu_text *rd_next_waiting(struct rd_texts *all)
{
	struct rd_cu_text *next = NULL;
	int i;
	for (i = 0; i < all->n; i++)
		if (all->at[i].stage == RD_TEXT_WAITS && (!next || all->at[i].turn < next->turn))
			next = &all->at[i];
	return next;
}

static void *rd_compile_texts(void *arg)
{
	struct rd_texts *all = (struct rd_texts *)arg;
	pthread_mutex_lock(&all->lock);
	while (!all->stop) {
		struct rd_cu_text *t = rd_next_waiting(all);
		if (t) {
			rd_compile_next(all, t);
		} else {
			all->n_idle++;
			pthread_cond_wait(&all->changed, &all->lock);
			all->n_idle--;
		}
	}
	pthread_mutex_unlock(&all->lock);
	return NULL;
}

// Hands a text to the threads.
static int rd_ask_to_compile(struct futhark_context *ctx, struct rd_cu_text *t)
{
	struct rd_texts *all = ctx->device->api->texts;
	int most = rd_least((int)sysconf(_SC_NPROCESSORS_ONLN) - 1, RD_MOST_COMPILERS);
	int i, n_waiting = 0, err = rd_nvrtc_open(ctx, all->ptx && all->n_options);
	if (err)
		return err;
	pthread_mutex_lock(&all->lock);
	t->stage = RD_TEXT_WAITS;
	t->turn = all->turn++;
	for (i = 0; i < all->n; i++)
		n_waiting += all->at[i].stage == RD_TEXT_WAITS;
	if (n_waiting > all->n_idle && all->n_threads < most &&
	    pthread_create(&all->threads[all->n_threads], NULL, rd_compile_texts, all) == 0)
		all->n_threads++;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
	return 0;
}

// Waits until a text is compiled that was handed on.
static int rd_await_text(struct futhark_context *ctx, struct rd_cu_text *t)
{
	struct rd_texts *all = ctx->device->api->texts;
	pthread_mutex_lock(&all->lock);
	while (t->stage != RD_TEXT_DONE) {
		struct rd_cu_text *next = t->stage == RD_TEXT_WAITS ? t : rd_next_waiting(all);
		if (next)
			rd_compile_next(all, next);
		else
			pthread_cond_wait(&all->changed, &all->lock);
	}
	pthread_mutex_unlock(&all->lock);
	return t->code.at || t->module ? 0
	     : rd_device_error(ctx, "NVRTC: the kernels do not compile:\n%s", t->log ? t->log : "no memory");
}

// ---- The cache ----

static struct rd_key rd_cu_key(struct futhark_context *ctx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_key k = rd_key_new();
	int i;
	rd_key_add_text(&k, "cuda 2");
	rd_key_add_text(&k, ctx->device->name);
	rd_key_add(&k, &ctx->device->api->arch, sizeof(int));
	rd_key_add(&k, &ctx->device->api->driver, sizeof(int));
	for (i = 0; i < c->n_options; i++)
		rd_key_add_text(&k, c->options[i]);
	return k;
}

// The code of a text in its file of the default directory.
static void rd_cu_cache(struct futhark_context *ctx, struct rd_cu_text *t, bool store)
{
	struct rd_key k = rd_cu_key(ctx);
	char *path;
	rd_key_add(&k, t->head, t->n_head);
	rd_key_add(&k, t->body, t->n_body);
	path = rd_cache_path(k);
	if (path && store)
		rd_cache_store(path, k, 1, &t->code);
	else if (path && rd_cache_load(path, k, 1, &t->code))
		t->cached = true;
	if (t->cached)
		t->stage = RD_TEXT_DONE;
	free(path);
}

// The code of all texts in one file; those that were not compiled have none.
static void rd_cu_cache_file(struct futhark_context *ctx, const char *file, bool store)
{
	struct rd_texts *all = ctx->device->api->texts;
	struct rd_bytes *codes = (struct rd_bytes *)calloc((size_t)all->n, sizeof *codes);
	struct rd_key k = rd_cu_key(ctx);
	int i;
	rd_key_add_text(&k, all->program);
	rd_key_add_text(&k, rd_builtin_text());
	for (i = 0; i < all->n && codes && store; i++)
		if (all->at[i].code.at)
			codes[i] = all->at[i].code;
	if (codes && store)
		rd_cache_store(file, k, all->n, codes);
	else if (codes && rd_cache_load(file, k, all->n, codes))
		for (i = 0; i < all->n; i++) {
			struct rd_cu_text *t = &all->at[i];
			if (!codes[i].len) {
				free(codes[i].at);
				continue;
			}
			t->code = codes[i];
			t->cached = true;
			t->stage = RD_TEXT_DONE;
		}
	free(codes);
}

// ---- Kernels ----

// Does a kernel wait for those before?  See stream.h, Note [Dependent launches].
static bool rd_cu_depends(struct futhark_context *ctx, void *f)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_api *cu = ctx->device->api;
	int version = 0; // what it was compiled for
	return cu->arch >= 90 && cu->cuLaunchKernelEx && !c->no_dependent_launches && !c->load_from &&
	       cu->cuFuncGetAttribute(&version, RD_CU_FUNC_PTX_VERSION, f) == 0 && version >= 90 &&
	       strstr(rd_builtin_text(), "griddepcontrol.wait");
}

// Loads a text that is compiled.
static int rd_load_text(struct futhark_context *ctx, struct rd_cu_text *t)
{
	struct rd_api *cu = ctx->device->api;
	int err;
	if (!t->module && ctx->capturing)
		return rd_not_before(ctx);
	err = t->module ? 0 : cu->cuModuleLoadData(&t->module, t->code.at);
	if (err && t->cached) { // it was made for something else
		free(t->code.at);
		t->code.at = NULL;
		t->cached = false;
		t->module = NULL;
		err = rd_ask_to_compile(ctx, t);
		if (!err)
			err = rd_await_text(ctx, t);
		if (err)
			return err;
		err = cu->cuModuleLoadData(&t->module, t->code.at);
	}
	if (err)
		return rd_cu_failed(ctx, "cuModuleLoadData", err);
	if (!t->cached && !ctx->cfg->cache_file && !ctx->cfg->device->load_from)
		rd_cu_cache(ctx, t, true);
	t->cached = true;
	if (!ctx->cfg->cache_file) {
		free(t->code.at);
		t->code.at = NULL;
	}
	return 0;
}

// Waits until a kernel can be started.
static int rd_api_ready(struct futhark_context *ctx, int kernel, struct rd_device_kernel *k)
{
	struct rd_api *cu = ctx->device->api;
	struct rd_cu_text *t = &cu->texts->at[k->text];
	void *f = NULL;
	int err = k->handle ? 0 : rd_await_text(ctx, t), threads = 0;
	if (err || k->handle)
		return err;
	if (!t->module && (err = rd_load_text(ctx, t)) != 0)
		return err;
	err = cu->cuModuleGetFunction(&f, t->module, rd_name_in_text(kernel));
	if (err)
		return rd_cu_failed(ctx, rd_name_of_kernel(kernel), err);
	if (cu->cuFuncGetAttribute(&threads, RD_CU_FUNC_MAX_THREADS, f) != 0 || threads <= 0)
		threads = ctx->device->max_threads;
	k->max_threads = k->sure_threads = threads;
	k->dependent = rd_cu_depends(ctx, f);
	k->local = 48 * 1024; // what kernels may have without asking
	k->handle = f;
	return 0;
}

// So many threads a kernel can have, whatever registers it turns out to need: that its text says, or ...
static int rd_cu_sure_threads(struct futhark_context *ctx, const struct rd_cu_text *t)
{
	static const char bounds[] = RD_KERNEL_MARK "RD_BOUNDS(";
	enum { MOST_REGISTERS = 256 }; // of a thread
	if (!t->n_head) // it has many kernels
		return 0;
	if (strncmp(t->body, bounds, sizeof bounds - 1) == 0)
		return rd_least((int)strtol(t->body + sizeof bounds - 1, NULL, 10), ctx->device->max_threads);
	return rd_least(ctx->device->api->registers / MOST_REGISTERS, 256);
}

// A kernel is asked for.  If it has a handle afterwards, it can be started at once.
static int rd_api_kernel(struct futhark_context *ctx, int kernel, struct rd_device_kernel *k)
{
	struct rd_texts *all = ctx->device->api->texts;
	struct rd_cu_text *t = &all->at[k->text];
	bool done;
	int err = 0;
	k->sure_threads = rd_cu_sure_threads(ctx, t);
	// If the texts are the user's, it may do other things; RD_SHOW says that all before has been done.
	if (!ctx->cfg->device->program && !ctx->cfg->device->load_from && kernel != rd_device_program()->n_kernels + RD_SHOW)
		k->access = rd_args_of(kernel);
	if (t->stage == RD_TEXT_NEW && !ctx->cfg->cache_file)
		rd_cu_cache(ctx, t, false);
	if (t->stage == RD_TEXT_NEW)
		err = rd_ask_to_compile(ctx, t);
	pthread_mutex_lock(&all->lock);
	done = t->stage == RD_TEXT_DONE && !t->log;
	pthread_mutex_unlock(&all->lock);
	return !err && done ? rd_api_ready(ctx, kernel, k) : err;
}

// ---- The texts of a program ----

// The next kernel of a text, or its end.
static const char *rd_next_kernel(const char *s)
{
	const char *next = strstr(s + 1, RD_KERNEL_MARK);
	return next ? next : s + strlen(s);
}

static void rd_set_text(struct rd_cu_text *t, const char *head, size_t n_head, const char *body, size_t n_body)
{
	t->head = head;
	t->n_head = n_head;
	t->body = body;
	t->n_body = n_body;
}

// Which kernels are in the last text.
static void rd_note_kernels(struct futhark_context *ctx, const char *s)
{
	const struct rd_device_program *p = rd_device_program();
	const char *name = s + strlen(RD_KERNEL_MARK);
	int i;
	if (strncmp(name, "RD_BOUNDS(", 10) == 0 || name[strcspn(name, " (")] == ' ')
		name += strcspn(name, " ") + 1;
	for (i = 0; i < p->n_kernels; i++) {
		size_t n = strlen(p->kernels[i].in_text);
		if (strncmp(p->kernels[i].in_text, name, n) == 0 && name[n] == '(')
			ctx->device->kernels[i].text = ctx->device->api->texts->n - 1;
	}
}

// The kernels of the program, one to a text.  Texts of the user's stay as they are.
static void rd_cut_program(struct futhark_context *ctx, bool whole)
{
	struct rd_texts *all = ctx->device->api->texts;
	const char *s, *first = strstr(all->program, RD_KERNEL_MARK), *next;
	if (whole || !first)
		rd_set_text(&all->at[all->n++], "", 0, all->program, strlen(all->program));
	for (s = first; s && *s && !whole; s = next) {
		next = rd_next_kernel(s);
		rd_set_text(&all->at[all->n++], all->program, (size_t)(first - all->program), s, (size_t)(next - s));
		rd_note_kernels(ctx, s);
	}
}

// The builtin ones; the last text has rd_move, rd_paint and rd_show (builtin.h).
static void rd_cut_builtin(struct futhark_context *ctx)
{
	static const char *const kinds[] = {"COPY", "TRANSPOSE", "NARROW", "FILL", "IOTA"};
	struct rd_texts *all = ctx->device->api->texts;
	struct rd_device_kernel *k = ctx->device->kernels + rd_device_program()->n_kernels;
	const char *body = rd_builtin_text();
	int i;
	for (i = 0; i <= RD_MOVE; i++) {
		struct rd_cu_text *t = &all->at[all->n];
		if (i < RD_MOVE)
			snprintf(t->own_head, sizeof t->own_head, "#define RD_BUILTIN RD_%s_KERNEL(%s, uint%d_t)\n", kinds[i / 4],
			         rd_builtin_names[i], 8 << i % 4);
		else
			snprintf(t->own_head, sizeof t->own_head, "#define RD_BUILTIN\n#define RD_MOVES\n");
		rd_set_text(t, t->own_head, strlen(t->own_head), body, strlen(body));
		k[i].text = all->n++;
	}
	k[RD_PAINT].text = k[RD_SHOW].text = k[RD_MOVE].text;
}

static int rd_make_texts(struct futhark_context *ctx)
{
	const struct rd_device_program *p = rd_device_program();
	const char *given = ctx->cfg->device->program;
	struct rd_texts *all = (struct rd_texts *)calloc(1, sizeof *all);
	const char *s;
	int n = 1 + RD_N_BUILTIN;
	if (!all)
		return rd_out_of_memory(ctx, 1, (int64_t)sizeof *all);
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->changed, NULL);
	ctx->device->api->texts = all;
	all->program = given ? rd_copy_string(given) : rd_joined_texts(p->n_texts, p->texts);
	for (s = all->program; s && (s = strstr(s, RD_KERNEL_MARK)) != NULL; s++)
		n++;
	all->at = (struct rd_cu_text *)calloc((size_t)n, sizeof *all->at);
	if (!all->program || !all->at)
		return rd_out_of_memory(ctx, n, (int64_t)sizeof *all->at);
	rd_cut_program(ctx, given != NULL);
	rd_cut_builtin(ctx);
	return 0;
}

// ---- PTX ----

// The code of all texts from a file of PTX, as rd_cu_dump wrote it.
static int rd_cu_load_ptx(struct futhark_context *ctx, const char *path)
{
	struct rd_texts *all = ctx->device->api->texts;
	struct rd_bytes file = rd_read_file(path);
	char *s = file.at;
	int i;
	if (!s)
		return rd_device_error(ctx, "Cannot read %s: %s", path, strerror(errno));
	for (i = 0; i < all->n && s; i++) {
		char *next = strstr(s, RD_NEXT_TEXT);
		if (next)
			*next = 0;
		all->at[i].code.at = rd_copy_string(s);
		all->at[i].code.len = strlen(s) + 1;
		all->at[i].stage = RD_TEXT_DONE;
		s = next ? next + strlen(RD_NEXT_TEXT) : NULL;
	}
	free(file.at);
	return i < all->n ? rd_device_error(ctx, "%s has too few texts.", path) : 0;
}

static int rd_cu_dump(struct futhark_context *ctx, const char *path)
{
	struct rd_texts *all = ctx->device->api->texts;
	FILE *f = fopen(path, "w");
	int i, err = f ? rd_nvrtc_open(ctx, true) : rd_device_error(ctx, "Cannot write %s: %s", path, strerror(errno));
	for (i = 0; i < all->n && !err; i++)
		err = rd_ask_to_compile(ctx, &all->at[i]);
	for (i = 0; i < all->n; i++) {
		struct rd_cu_text *t = &all->at[i];
		if (t->stage == RD_TEXT_NEW)
			continue;
		if (rd_await_text(ctx, t) != 0)
			err = FUTHARK_PROGRAM_ERROR;
		if (!err)
			fprintf(f, "%s%s", i ? "\n" RD_NEXT_TEXT : "", t->code.at);
		free(t->code.at);
		free(t->log);
		t->code.at = t->log = NULL;
		t->stage = RD_TEXT_NEW;
	}
	if (f && fclose(f) != 0 && !err)
		err = rd_device_error(ctx, "Cannot write %s: %s", path, strerror(errno));
	all->n_options = 0;
	all->ptx = false;
	return err;
}

// ---- Opening and closing ----

static int rd_api_build(struct futhark_context *ctx)
{
	const struct rd_device_config *c = ctx->cfg->device;
	struct rd_device_kernel *k;
	int show = rd_device_program()->n_kernels + RD_SHOW, err = rd_make_texts(ctx);
	if (!err && c->dump_to)
		err = rd_cu_dump(ctx, c->dump_to);
	if (!err && c->load_from)
		err = rd_cu_load_ptx(ctx, c->load_from);
	else if (!err && ctx->cfg->cache_file)
		rd_cu_cache_file(ctx, ctx->cfg->cache_file, false);
	if (!err)
		err = rd_find_kernel(ctx, show, &k);
	return err ? err : rd_api_ready(ctx, show, k);
}

static void rd_texts_close(struct futhark_context *ctx)
{
	struct rd_texts *all = ctx->device->api->texts;
	int i;
	if (!all)
		return;
	pthread_mutex_lock(&all->lock);
	all->stop = true;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
	for (i = 0; i < all->n_threads; i++)
		pthread_join(all->threads[i], NULL);
	if (all->n_compiled)
		rd_log(ctx, "Kernels were compiled: %d texts in %lld microseconds of all threads.\n", all->n_compiled,
		       (long long)all->microseconds);
	else
		rd_log(ctx, "Kernels were in the cache.\n");
	if (all->n_compiled && ctx->cfg->cache_file && all->at && !ctx->cfg->device->load_from)
		rd_cu_cache_file(ctx, ctx->cfg->cache_file, true);
	for (i = 0; i < all->n; i++) {
		if (all->at[i].module)
			ctx->device->api->cuModuleUnload(all->at[i].module);
		free(all->at[i].code.at);
		free(all->at[i].log);
	}
	pthread_mutex_destroy(&all->lock);
	pthread_cond_destroy(&all->changed);
	free(all->at);
	free(all->program);
	free(all);
	ctx->device->api->texts = NULL;
}
// @end
#endif
