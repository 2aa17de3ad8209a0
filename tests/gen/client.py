# Drives the library made of interface.fut, given as a shared object, through ctypes.
import ctypes as c
import json
import os
import sys

lib = c.CDLL(sys.argv[1])
manifest = json.load(open(sys.argv[2]))
passed = failed = 0


def check(ok, what):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("client.py:", what)


def function(name, result, *args):
    f = getattr(lib, name)
    f.restype = result
    f.argtypes = args
    return f


p, i, i64 = c.c_void_p, c.c_int, c.c_int64
out = c.POINTER(p)
cfg = function("futhark_context_config_new", p)()
ctx = function("futhark_context_new", p, p)(cfg)

entry = manifest["entry_points"]["main"]
check(manifest["backend"] == os.environ.get("BACKEND", "c"), "backend")
check(entry["cfun"] == "futhark_entry_main", "cfun")
check([x["type"] for x in entry["inputs"]] == ["[]i32", "[]f32"], "types of inputs")
check([x["name"] for x in entry["inputs"]] == ["xs", "ys"], "names of inputs")
check(entry["output"]["type"] == "(i32, []f32)" and not entry["output"]["unique"], "output")
check(entry["output"]["shapes"] == [[], ["n"]], "sizes of the output")
check([x["shapes"] for x in entry["inputs"]] == [[["n"]], [["n"]]], "sizes of inputs")
check(entry["doc"].strip() == "Sums the first, scales the second.", "doc")
update = manifest["entry_points"]["update"]
check(update["inputs"][0]["unique"] and update["output"]["unique"], "uniqueness")
check(update["attributes"] == ["inline"], "attributes")

ints = manifest["types"]["[]i32"]
check(ints["kind"] == "array" and ints["rank"] == 1 and ints["elemtype"] == "i32", "[]i32")
pts = manifest["types"]["[]pt"]
check(pts["kind"] == "opaque" and pts["record_array"]["elemtype"] == "pt", "[]pt")
check([f["name"] for f in manifest["types"]["pt"]["record"]["fields"]] == ["x", "y"], "fields")
segment = manifest["types"]["segment"]["record"]["fields"]
check([f["type"] for f in segment] == ["pt", "[]pt"], "names inside of named types")
variants = manifest["types"]["shape"]["sum"]["variants"]
check([v["name"] for v in variants] == ["circle", "empty", "path"], "variants")
check(variants[2]["payload"] == ["[]i32", "bool"], "payload")
for t in manifest["types"].values():
    for f in t["ops"].values():
        check(hasattr(lib, f), f)

xs = (c.c_int32 * 3)(1, 2, 3)
ys = (c.c_float * 3)(0.5, 1.5, 2.5)
x = function("futhark_new_i32_1d", p, p, p, i64)(ctx, xs, 3)
y = function("futhark_new_f32_1d", p, p, p, i64)(ctx, ys, 3)
r = p()
check(function(entry["cfun"], i, p, out, p, p)(ctx, c.byref(r), x, y) == 0, "call")
fields = manifest["types"]["(i32, []f32)"]["record"]["fields"]
total, scaled = c.c_int32(), p()
check(function(fields[0]["project"], i, p, p, p)(ctx, c.byref(total), r) == 0, "project 0")
check(function(fields[1]["project"], i, p, p, p)(ctx, c.byref(scaled), r) == 0, "project 1")
back = (c.c_float * 3)()
check(function("futhark_values_f32_1d", i, p, p, p)(ctx, scaled, back) == 0, "values")
check(total.value == 6 and list(back) == [0.5, 3.0, 7.5], "results")

short = function("futhark_new_f32_1d", p, p, p, i64)(ctx, ys, 2)
check(function(entry["cfun"], i, p, out, p, p)(ctx, c.byref(r), x, short) == 1, "error code")
message = function("futhark_context_get_error", p, p)(ctx)
check(b"invalid sizes" in c.string_at(message), "error text")
function("futhark_context_free", None, p)(ctx)
print("%d passed, %d failed" % (passed, failed))
