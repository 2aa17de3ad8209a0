// The extension module of Raido for Python: libraries, their contexts, and calls of entry points.
#include "_raido.h"

#include <pthread.h>

PyObject *program_error;

static PyObject *get_copies(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	return PyLong_FromLongLong(n_copies);
}

static PyObject *set_errors(PyObject *module, PyObject *error)
{
	(void)module;
	if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
		PyErr_SetString(PyExc_ImportError, "raido, like NumPy, is for the main interpreter of a process");
		return NULL;            // what belongs to one of them would be used in another
	}
	Py_INCREF(error);
	Py_XDECREF(program_error);
	program_error = error;
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"donate", donate, METH_O,
	 "donate(x): an argument that the callee may overwrite; x must not be used afterwards."},
	{"copies", get_copies, METH_NOARGS, "How many arguments were copied since they were not contiguous."},
	{"_set_errors", set_errors, METH_O, NULL},
	{"_call_directly", call_directly, METH_O, NULL},
	{"_set_device_array", set_device_array, METH_O, NULL},
	{"_to_capsule", to_capsule, METH_VARARGS, NULL},
	{"_fetch", fetch, METH_VARARGS, NULL},
	{"_tensor_like", tensor_like, METH_VARARGS, NULL},
	{"_set_tensors", set_tensors, METH_VARARGS, NULL},
	{"_needs", needs, METH_O, NULL},
	{"_backward_of", backward_of, METH_O, NULL},
	{"_xla_setup", xla_setup, METH_NOARGS, NULL},
	{"_xla_register", xla_register, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_raido", NULL, -1, methods, NULL, NULL,
                                        NULL, NULL};

static PyTypeObject *add_type(PyObject *m, PyType_Spec *spec, const char *name)
{
	PyObject *t = PyType_FromSpec(spec);
	if (t && PyModule_AddObjectRef(m, name, t) != 0)
		Py_CLEAR(t);
	return (PyTypeObject *)t;
}

PyMODINIT_FUNC PyInit__raido(void)
{
	PyObject *m = PyModule_Create(&definition);
	if (!m)
		return NULL;
	library_type = add_type(m, &library_spec, "Library");
	entry_type = add_type(m, &entry_spec, "Entry");
	block_type = add_type(m, &block_spec, "Block");
	donated_type = add_type(m, &donated_spec, "Donated");
	plain_type = add_type(m, &plain_spec, "Plain");
	if (!library_type || !entry_type || !block_type || !donated_type || !plain_type ||
	    !add_type(m, &forward_spec, "Forward")) {
		Py_DECREF(m);
		return NULL;
	}
	pthread_atfork(NULL, NULL, forked);
	return m;
}
