// A framework of tensors that does nothing, so that the instructions of a call on a device are those of Raido: all of its
// tensors have four floats, and results are dropped when the next one comes.  See host.sh.
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {                                // of DLPack, as the table below
	void *data;
	int32_t device_type, device, ndim;
	uint8_t code, bits;
	uint16_t lanes;
	int64_t *shape, *strides;
	uint64_t offset;
} Tensor;
typedef struct Managed {
	uint32_t major, minor;
	void *manager;
	void (*deleter)(struct Managed *);
	uint64_t flags;
	Tensor tensor;
} Managed;

enum { N = 4, CUDA = 2, FLOAT = 2 };
static int64_t shape[1] = {N}, strides[1] = {1};
void *frame_data, *frame_room;                  // memory of the device: of arguments, of results
PyObject *frame_out;                            // the tensor for out=
static Managed *last;

static void delete(Managed *m)
{
	free(m);
}

int frame_allocate(Tensor *like, Managed **out, void *error, void *set_error)
{
	(void)error, (void)set_error;
	Managed *m = malloc(sizeof *m);
	*m = (Managed){1, 1, NULL, delete, 0, *like};
	m->tensor.data = frame_room;
	m->tensor.strides = strides;
	*out = m;
	return 0;
}

int frame_to_object(Managed *m, void **out)
{
	if (last)
		last->deleter(last);
	last = m;
	Py_INCREF(Py_None);
	*out = Py_None;
	return 0;
}

int frame_view(PyObject *o, Tensor *t)
{
	*t = (Tensor){o == frame_out ? frame_room : frame_data, CUDA, 0, 1, FLOAT, 32, 1, shape, strides, 0};
	return 0;
}

int frame_stream(int32_t type, int32_t device, void **out)
{
	(void)type, (void)device;
	*out = NULL;
	return 0;
}

struct {
	uint32_t major, minor;
	void *previous, *allocate, *managed, *to_object, *view, *stream;
} frame_table = {1, 3, NULL, (void *)frame_allocate, NULL, (void *)frame_to_object, (void *)frame_view, (void *)frame_stream};
