"""Calls of a function of one kernel, on tensors of frame.c: host.py FRAME CALLS [out].  See host.sh."""
import ctypes as C
import sys

import raido

cu, frame = C.CDLL("libcuda.so.1"), C.CDLL(sys.argv[1])
context = C.c_void_p()
assert cu.cuInit(0) == 0 and cu.cuDevicePrimaryCtxRetain(C.byref(context), 0) == 0
cu.cuCtxPushCurrent_v2(context)


class Tensor:
    requires_grad = False


C.pythonapi.PyCapsule_New.restype = C.py_object
C.pythonapi.PyCapsule_New.argtypes = [C.c_void_p, C.c_char_p, C.c_void_p]
NAME = b"dlpack_exchange_api"           # the capsule has but its address
table = C.addressof(C.c_char.in_dll(frame, "frame_table"))
Tensor.__dlpack_c_exchange_api__ = C.pythonapi.PyCapsule_New(table, NAME, None)
x, out = Tensor(), Tensor()
for name in ("frame_data", "frame_room"):
    p = C.c_uint64()
    assert cu.cuMemAlloc_v2(C.byref(p), C.c_size_t(64)) == 0
    C.c_void_p.in_dll(frame, name).value = p.value
C.c_void_p.in_dll(frame, "frame_out").value = id(out)
# For any processor: valgrind does not know all instructions of this one.
m = raido.compile("entry axpb [n] (a: f32) (b: f32) (xs: [n]f32) : [n]f32 = map (\\x -> a * x + b) xs", backend="cuda",
                  cflags="-O2 -std=c11")
f = m.axpb
for _ in range(int(sys.argv[2])):
    if len(sys.argv) > 3:
        f(2.0, 1.0, x, out=out)
    else:
        f(2.0, 1.0, x)
