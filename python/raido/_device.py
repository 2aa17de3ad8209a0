"""Arrays on a CUDA device that belong to no framework: results of calls whose arguments were of none that lends
its memory."""
from . import _raido

_PRIMS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
          "bool")


class DeviceArray:
    """An array on a CUDA device.  Others take it over without a copy, by __dlpack__ or __cuda_array_interface__;
    numpy() copies it."""

    def __init__(self, block, address, shape, prim, device):
        self._block, self._address, self._prim = block, address, prim
        self.shape, self.device = shape, device

    @property
    def dtype(self):
        import numpy
        return numpy.dtype(_PRIMS[self._prim])

    @property
    def __cuda_array_interface__(self):
        self.wait()
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._address, False), "version": 3}

    def __dlpack_device__(self):
        return 2, self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or (dl_device is not None and tuple(dl_device) != (2, self.device)):
            raise BufferError("it is on the device, and not copied")
        if stream not in (None, 1, -1):
            self.wait()
        versioned = max_version is not None and max_version[0] >= 1
        return _raido._to_capsule(self._block, self._address, self.shape, self._prim, self.device, versioned)

    def wait(self):
        """Waits until it has been computed."""
        import numpy
        if 0 not in self.shape:
            _raido._fetch(self._block, self._address, numpy.empty(1, self.dtype))

    def numpy(self):
        """A copy on the host."""
        import numpy
        a = numpy.empty(self.shape, self.dtype)
        if a.size:
            _raido._fetch(self._block, self._address, a)
        return a

    def __array__(self, dtype=None, copy=None):
        return self.numpy().astype(dtype) if dtype else self.numpy()

    def item(self):
        return self.numpy().item()

    __float__ = lambda self: float(self.item())
    __int__ = lambda self: int(self.item())
    __bool__ = lambda self: bool(self.item())

    def __repr__(self):
        return f"<raido array {self.shape} of {_PRIMS[self._prim]} on CUDA device {self.device}>"


def make(block, address, shape, prim, device, like):
    """The result of a call; an array of JAX or CuPy if an argument is."""
    a = DeviceArray(block, address, shape, prim, device)
    framework = type(like).__module__.partition(".")[0]
    if framework in ("jax", "jaxlib"):
        import jax
        return jax.dlpack.from_dlpack(a)
    if framework == "cupy":
        import cupy
        return cupy.from_dlpack(a)
    return a
