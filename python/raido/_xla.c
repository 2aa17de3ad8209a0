// Entry points as custom calls of XLA, for JAX.
//
// XLA calls `handler` with buffers and attributes.  The attribute `key` says which entry point: a hash of
// the program and its name, so that compiled programs can be kept between processes.  The structs are
// the part of XLA's interface (api version 0) that is needed here; each begins with its size, and only
// fields that all versions have are looked at.
#include "_raido.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Extension { size_t size; int type; struct Extension *next; } Extension;
typedef struct { size_t size; Extension *extension; int major, minor; } ApiVersion;
typedef struct { size_t size; Extension *extension; const char *message; int code; } ErrorArgs;
typedef struct { size_t size; Extension *extension; void *ctx, *stream; } StreamArgs;
typedef struct { size_t size; Extension *extension; void *ctx; int32_t device; } DeviceArgs;
typedef struct {
	size_t size;
	Extension *extension;
	ApiVersion version;
	const void *internal;
	void *(*error_create)(ErrorArgs *);
	void *error_message, *error_destroy, *handler_register;
	void *(*stream_get)(StreamArgs *);
	void *others[12];
	void *(*device_get)(DeviceArgs *);      // since 0.3
} Api;
typedef struct {
	size_t size;
	Extension *extension;
	int dtype;
	void *data;
	int64_t rank, *dims;
} Buffer;
typedef struct { size_t size; Extension *extension; int64_t n; int *types; Buffer **at; } Buffers;
typedef struct { const char *at; size_t len; } Bytes;
typedef struct { int dtype; void *value; } Scalar;
typedef struct { size_t size; Extension *extension; int64_t n; int *types; Bytes **names; void **at; } Attrs;
typedef struct {
	size_t size;
	Extension *extension;
	const Api *api;
	void *ctx;
	int stage;
	Buffers args, rets;
	Attrs attrs;
} Frame;
typedef struct { size_t size; ApiVersion version; } Metadata;
typedef struct { Extension base; Metadata *metadata; } MetadataExtension;
enum { METADATA = 1, STAGE_EXECUTE = 3, ATTR_SCALAR = 3, TYPE_S64 = 5 };
enum { INVALID_ARGUMENT = 3, NOT_FOUND = 5, EXHAUSTED = 8, INTERNAL = 13 };

// ---- The entry points by key ----

// Only added to, with the GIL; a new table replaces an old one, which stays: calls may look at it.
typedef struct { int64_t key; Library *lib; const struct raido_entry *e; } Row;
typedef struct { int n; Row rows[]; } Table;
static Table *table;

static const Row *find(int64_t key)
{
	const Table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	int low = 0, high = t ? t->n : 0;
	while (low < high) {
		int mid = (low + high) / 2;
		if (t->rows[mid].key < key)
			low = mid + 1;
		else
			high = mid;
	}
	return t && low < t->n && t->rows[low].key == key ? &t->rows[low] : NULL;
}

// _xla_register(key, library, name)
PyObject *xla_register(PyObject *module, PyObject *args)
{
	long long key;
	PyObject *lib;
	const char *name;
	(void)module;
	if (!PyArg_ParseTuple(args, "LOs", &key, &lib, &name))
		return NULL;
	const struct raido_library *l = ((Library *)lib)->table;
	const struct raido_entry *e = NULL;
	for (int i = 0; i < l->n_entries; i++)
		if (strcmp(l->entries[i].name, name) == 0)
			e = &l->entries[i];
	if (!e)
		return PyErr_Format(PyExc_KeyError, "%s", name);
	const Row *old = find(key);
	if (old && !old->lib->closed)
		Py_RETURN_NONE;
	int n = table ? table->n : 0, at = 0, more = !old;
	Table *t = (Table *)malloc(sizeof *t + (size_t)(n + 1) * sizeof(Row));
	if (!t)
		return PyErr_NoMemory();
	while (at < n && table->rows[at].key < key)
		at++;
	t->n = n + more;
	if (n) {
		memcpy(t->rows, table->rows, (size_t)at * sizeof(Row));
		memcpy(t->rows + at + more, table->rows + at, (size_t)(n - at) * sizeof(Row));
	}
	Py_INCREF(lib);                 // for good
	t->rows[at] = (Row){key, (Library *)lib, e};
	__atomic_store_n(&table, t, __ATOMIC_RELEASE);
	Py_RETURN_NONE;
}

// ---- Calls ----

static void *fail(const Frame *f, int code, const char *message)
{
	ErrorArgs args = {sizeof args, NULL, message, code};
	return f->api->error_create(&args);
}

static bool get_key(const Frame *f, int64_t *key)
{
	for (int64_t i = 0; i < f->attrs.n; i++) {
		const Bytes *name = f->attrs.names[i];
		const Scalar *s = (const Scalar *)f->attrs.at[i];
		if (name->len == 3 && memcmp(name->at, "key", 3) == 0 &&
		    f->attrs.types[i] == ATTR_SCALAR && s->dtype == TYPE_S64) {
			*key = *(const int64_t *)s->value;
			return true;
		}
	}
	return false;
}

static int64_t bytes_of(const Buffer *b, int prim)
{
	static const int size[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};
	int64_t n = size[prim];
	for (int64_t d = 0; d < b->rank; d++)
		n *= b->dims[d];
	return n;
}

// Are buffers of these types and ranks what the values are?
static bool fit(const Buffers *bs, const struct raido_value *vs, int n)
{
	static const int types[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1};
	if (bs->n != n)
		return false;
	for (int i = 0; i < n; i++)
		if (bs->at[i]->dtype != types[vs[i].prim] || bs->at[i]->rank != vs[i].rank)
			return false;
	return true;
}

// The device and the stream of a call, on the platform CUDA; gives an error of XLA's or NULL.
static void *find_place(const Frame *f, Place *place)
{
	StreamArgs s = {sizeof s, NULL, f->ctx, NULL};
	DeviceArgs d = {sizeof d, NULL, f->ctx, 0};
	void *error = f->api->stream_get(&s);
	if (!error && f->api->size >= offsetof(Api, device_get) + sizeof f->api->device_get)
		error = f->api->device_get(&d);
	*place = (Place){d.device, NULL, s.stream};
	return error;
}

// Scalars that the host needs are on the device.
static int read_scalars_of(const struct raido_entry *e, Context *ctx, struct raido_in *in, int64_t *rooms)
{
	static const int size[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};
	int err = 0;
	for (int i = 0; i < e->n_in && !err; i++)
		if (!e->in[i].rank && !e->in[i].boxed) {
			err = ctx->table->read(ctx->ptr, &rooms[i], in[i].data, size[e->in[i].prim]);
			in[i].data = &rooms[i];
		}
	return err;
}

static void *no_context(const Frame *f, const Library *lib, char *why)
{
	void *error = lib->closed ? fail(f, NOT_FOUND, "the module is closed")
	            : fail(f, why ? INTERNAL : EXHAUSTED, why ? why : "no memory for a context");
	free(why);
	return error;
}

static void *call(const Frame *f, const Row *row)
{
	enum { MOST = 64 };
	const struct raido_entry *e = row->e;
	struct raido_in in[MOST];
	struct raido_out out[MOST];
	int64_t shapes[MOST * 8], *shape = shapes;
	if (e->n_in > MOST || e->n_out > MOST)
		return fail(f, INVALID_ARGUMENT, "too many arguments or results");
	if (!fit(&f->args, e->in, e->n_in) || !fit(&f->rets, e->out, e->n_out))
		return fail(f, INVALID_ARGUMENT, "other types than those of the entry point");
	for (int i = 0; i < e->n_in; i++)
		in[i] = (struct raido_in){f->args.at[i]->data, f->args.at[i]->dims, 0};
	for (int i = 0; i < e->n_out; i++) {
		const Buffer *b = f->rets.at[i];
		bool placed = b->rank || e->out[i].boxed;
		out[i] = (struct raido_out){b->data, shape, placed ? bytes_of(b, e->out[i].prim) : 0,
		                            NULL, 0};
		shape += b->rank < 8 ? b->rank : 8;
		if (b->rank > 8)
			return fail(f, INVALID_ARGUMENT, "too many dimensions");
	}
	Place place = {-1, NULL, NULL};
	void *error = row->lib->on_device ? find_place(f, &place) : NULL;
	if (error)
		return error;
	char *why = NULL;
	int64_t rooms[MOST];
	Context *ctx = context_take(row->lib, &place, &why, NULL);
	if (!ctx)
		return no_context(f, row->lib, why);
	int err = row->lib->on_device ? read_scalars_of(e, ctx, in, rooms) : 0;
	if (!err)
		err = e->call(ctx->ptr, in, out);
	char *said = err ? row->lib->table->error(ctx->ptr) : NULL;
	for (int i = 0; i < e->n_out && !err; i++)      // an empty result has no room and a block
		if (out[i].block)
			row->lib->table->release(ctx->ptr, out[i].block);
	context_give(ctx);
	if (!err)
		return NULL;
	error = fail(f, err == 3 ? EXHAUSTED : INTERNAL, said ? said : "failed");
	free(said);
	return error;
}

static void *handler(const Frame *f)
{
	int64_t key;
	if (f->extension && f->extension->type == METADATA) {
		Metadata *m = ((MetadataExtension *)f->extension)->metadata;
		m->version.major = f->api->version.major;
		m->version.minor = f->api->version.minor;
		return NULL;
	}
	if (f->stage != STAGE_EXECUTE)
		return NULL;
	if (!get_key(f, &key))
		return fail(f, INVALID_ARGUMENT, "a call without a key");
	const Row *row = find(key);
	return row ? call(f, row)
	           : fail(f, NOT_FOUND, "the entry point is not loaded: compile its program first");
}

// The handler as a capsule, for jax.ffi.register_ffi_target.
PyObject *xla_setup(PyObject *module, PyObject *unused)
{
	void *p;
	void *(*h)(const Frame *) = handler;
	(void)module, (void)unused;
	memcpy(&p, &h, sizeof p);
	return PyCapsule_New(p, "xla._CUSTOM_CALL_TARGET", NULL);
}
