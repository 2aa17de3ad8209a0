#!/bin/sh
# Libraries: the generated text compiles without a word from any compiler, as C and as C++, and
# does what its clients ask.  BACKEND: of which back end.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
backend=${BACKEND:-c}

cp "$root/tests/gen/interface.fut" "$root/tests/gen/client.c" .

about "raido $backend --library"
run raido "$backend" --library interface.fut
silent
exits 0
for f in interface.c interface.h interface.json; do
	if [ -s "$f" ]; then ok; else not_ok "$f is missing"; fi
done

# What a client prints is its failed checks and its counts.
client() {
	run "$@"
	last=$(printf '%s\n' "$out" | tail -n 1)
	case $last in *", 0 failed") ok ;; *) not_ok "checks failed" ;; esac
	exits 0
}

about "compiling the library"
for compiler in "gcc -std=c11" "clang -std=c11" "g++ -x c++ -std=c++17" "clang++ -x c++ -std=c++17"; do
	command -v "${compiler%% *}" >/dev/null 2>&1 || continue
	run $compiler -O1 -Wall -Wextra -c -o library.o interface.c
	silent
	run $compiler -O1 -Wall -Wextra -c -o client.o client.c
	silent
	run $compiler -o client -x none client.o library.o -lm -lpthread -ldl
	silent
	client ./client
done

about "types whose functions would have one name"
cat >names.fut <<'F'
type a = {b_c: i32, b: i32}
type a_b = {c: i32, new: bool}
type t = #new i32 | #x bool
type t_new = {q: i32}
type t_x = (i32, bool)
entry f (x: a) : a_b = {c = x.b, new = true}
entry g (x: t) (r: t_new) (z: t_x) : t = if r.q == 0 then x else #x z.1
entry h (xs: [](t, i32)) : []t_new = map (\p -> {q = p.1}) xs
F
run raido "$backend" --library names.fut
exits 0
run ${CC:-cc} -std=c11 -Wall -Wextra -c -o names.o names.c
silent
exits 0

about "sanitizers"
run ${CC:-cc} -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-o client interface.c client.c -lm -lpthread -ldl
# The libraries of devices have leaks of their own; CUDA wants addresses that the sanitizer keeps free.
case $backend in opencl | cuda) options=detect_leaks=0:protect_shadow_gap=0 ;; *) options= ;; esac
if [ "$code" -eq 0 ]; then client env ASAN_OPTIONS=$options ./client; fi

if command -v python3 >/dev/null 2>&1; then
	about "Python client"
	run ${CC:-cc} -std=c11 -O1 -shared -fPIC -o interface.so interface.c -lm -lpthread -ldl
	silent
	client python3 "$root/tests/gen/client.py" ./interface.so interface.json
fi
finish
