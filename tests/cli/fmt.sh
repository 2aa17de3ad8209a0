# fmt: its rules one by one, and all programs of the tree.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

# becomes BEFORE AFTER: so it is laid out in Futhark's style, and stays.
becomes() {
	in="$1
" run raido fmt
	is "$2"
	stays "$2"
}

stays() {
	printf '%s\n' "$1" >stays.fut
	run raido fmt --check stays.fut
	exits 0
}

about "what is on one line stays on one line"
stays 'def f (x: i64) (y: i64) (z: i64) = if x < y then (x + 1, {a = y, b = [1, 2, 3]}) else let w = z * 2 in (w, {a = w, b = [4, 5, 6]})'
stays 'def f = match x case #a -> 1 case #b y -> loop z = 1 for i < y do z * i'

about "arguments below the first one"
becomes 'def f = zip3 xs
  ys zs' 'def f =
  zip3 xs
       ys
       zs'
becomes 'def f = map (\x ->
  let y = x
  in y) xs' 'def f =
  map (\x ->
         let y = x
         in y)
      xs'
becomes 'def f = tabulate n (\i ->
  i + 1)' 'def f =
  tabulate n (\i ->
                i + 1)'
becomes 'def f = #both
  a
  b' 'def f =
  #both a
        b'

about "parameters below the first one"
becomes 'def f [n] (xs: [n]i64) (ys: [n]i64)
 (z: i64) : i64 = z' "def f [n]
      (xs: [n]i64)
      (ys: [n]i64)
      (z: i64) : i64 =
  z"
becomes 'entry main (x: i64)
 (y: i64) = x' 'entry main (x: i64)
           (y: i64) =
  x'
becomes 'def f = let go (x: i64)
  (y: i64) = x in go' 'def f =
  let go (x: i64)
         (y: i64) =
    x
  in go'

about "a result type on several lines"
becomes 'def f (x: i64) : (i64,
 bool) = (x, true)' 'def f (x: i64) : ( i64
                 , bool
                 ) =
  (x, true)'

about "the body after ="
becomes 'def f x = x
  + 1' 'def f x =
  x
  + 1'
becomes 'def f = let y = g 1
  2 in y' 'def f =
  let y =
    g 1
      2
  in y'
becomes 'type t = {a: i64,
  b: bool}' 'type t =
  { a: i64
  , b: bool
  }'
stays 'type t =
  {a: i64}'

about "lists"
becomes 'def f = g [1,2,
  3]' 'def f =
  g [ 1
    , 2
    , 3
    ]'
becomes 'def f = {a=1,b=
  2}' 'def f =
  { a = 1
  , b =
      2
  }'
becomes 'def f = let (a,
 b) = x in a' 'def f =
  let ( a
      , b
      ) =
    x
  in a'

about "operators"
becomes 'def f = a + b +
  c' 'def f =
  a
  + b
  + c'
becomes 'def f = g <| h x
 |> k' 'def f =
  g <| h x
  |> k'
becomes 'def f = (+1) >-> (2*) >-> (`g` 3)' 'def f = (+ 1) >-> (2 *) >-> (`g` 3)'
becomes 'def f = map g (0 .. 2 ... n) ++ (i ..< - 1)' 'def f = map g (0..2...n) ++ (i..< -1)'

about "if"
becomes 'def f = if a then b
  else if c then d
  else let x = e in x' 'def f =
  if a
  then b
  else if c
  then d
  else let x = e in x'
becomes 'def f = if a then b else
  -- why
  let x = 1
  in x' 'def f =
  if a
  then b
  else -- why
       let x = 1
       in x'

about "let"
becomes 'let f x = let y = x in let z = y in z' 'def f x = let y = x let z = y in z'
becomes 'def f =
  let y = 1 in
  let z = 2

  -- so it is
  in y + z' 'def f =
  let y = 1
  let z = 2
  -- so it is
  in y + z'
becomes 'def f = let [n](xs: [n]i64) = g let ys : []i64 = h in n' \
	'def f = let [n] (xs: [n]i64) = g let ys: []i64 = h in n'
becomes 'def f = let xs[1] =
  2 in xs' 'def f =
  let xs[1] =
    2
  in xs'

about "loop"
becomes 'def f = loop x = 1 for i < n do
  x' 'def f =
  loop x = 1
  for i < n do
    x'
becomes 'def f = loop x =
  1 while x < 2 do
  x' 'def f =
  loop x =
         1
  while x < 2 do
    x'
stays 'def f xs =
  loop xs for x in xs do
    xs with [0] = x'

about "match"
becomes 'def f x = match x case #a -> 1
 case #b -> g 2
   3' 'def f x =
  match x
  case #a -> 1
  case #b ->
    g 2
      3'

about "with"
becomes 'def f r = r with a = 1
 with b = 2' 'def f r =
  r with a = 1
    with b = 2'
becomes 'def f r =
  r
    with a = 1' 'def f r =
  r with a = 1'

about "assert and attributes"
becomes 'def f x = assert (x > 0)
   (g x)' 'def f x =
  assert (x > 0)
  (g x)'
becomes 'def f x = #[unroll] loop y = 1
  for i < x do y' 'def f x =
  #[unroll]
  loop y = 1
  for i < x do
    y'
becomes '#[inline] local def f x =
  x' '#[inline]
local
def f x =
  x'
stays '#[inline] local def f x = x'

about "ascriptions"
becomes 'def f (x : i64) = (x: i64)' 'def f (x: i64) = (x : i64)'
becomes 'def f = [1,
 2] :> [n]i64' 'def f =
  [ 1
  , 2
  ]
  :> [n]i64'

about "types"
becomes 'type mat[n][m] = [n] [m]f64
def f [n][m](x: mat[n][m]) : ?[k] . [k] f64 = x' 'type mat [n] [m] = [n][m]f64
def f [n] [m] (x: mat [n] [m]) : ?[k].[k]f64 = x'
becomes 'type t = #a i64 |
  #b' 'type t =
  #a i64
  | #b'

about "modules"
becomes 'module m = mk { type t = i64 def x = 1 }' 'module m = mk {type t = i64 def x = 1}'
becomes 'module type s = { type t
  val f : t -> t ->
    t }' 'module type s = {
  type t

  val f :
    t
    -> t
    -> t
}'
becomes 'module mk (A: s)
 (B: t) : u with x = i64 with y = bool = { def z = 1
}' 'module mk
  (A: s)
  (B: t)
  : u with x = i64 with y = bool = {
  def z = 1
}'
becomes 'module mk (A: s) : u with x = i64
 with y = bool = {
  def z = 1
}' 'module mk (A: s)
  : u
    with x = i64
    with y = bool = {
  def z = 1
}'
becomes 'module type k = { include s with t = i64
  with u = bool }' 'module type k = {
  include s
  with t = i64
  with u = bool
}'

about "empty lines"
becomes '

def x = 1


def y = 2
def z =
  3
def w = 4' '
def x = 1

def y = 2

def z =
  3

def w = 4'
becomes 'module m = {

  def x = 1

}' 'module m = {
  def x = 1
}'

about "comments"
stays 'def f =
  [ 1 -- one
  , -- two
    2
  -- and no more
  ]'
becomes 'def f = [
  1, -- one
  2] -- two' 'def f =
  [ 1 -- one
  , 2
  ] -- two'
stays 'def f a =
  m.(-- as it is
     let b = a
     -- and so on
     in b)'
stays 'module m = {
  -- | Of x.
  def x = 1

  -- nothing else
}

-- the end'

about "a file that is to change"
printf 'def f [n][m] (x: mat [n][m]) =\n  x[0:n/2]\n' >own.fut
run raido fmt --check own.fut
exits 1
says '^own\.fut: not formatted correctly\.$'

about "our examples"
run raido fmt --check "$root"/examples/*.fut "$root"/python/examples/*.fut
exits 0
silent

# What is left of programs without what the layout may change.
words() {
	sed -E 's/--.*//; s/\<(let|def|in)\>//g' "$@" | tr -d ' \t\n'
}

comments() {
	grep -ho -e '--.*' "$@" | sed 's/[ \t]*$//' | sort
}

mkdir before
(cd "$root" && find tests bench examples prelude python tools -name '*.fut' | tar cf - -T -) \
	| tar xf - -C before
programs() {
	find "$1" -name '*.fut' | LC_ALL=C sort
}

about "all programs"
cp -r before after
# Those of tests/error that have mistakes of syntax stay as they are.
run raido fmt $(programs after)
if printf '%s' "$err" | grep -q 'Internal compiler error'; then
	not_ok "an internal error"
else
	ok
fi
run raido fmt --check $(programs after)
is ''
words $(programs before) >before.words
words $(programs after) >after.words
run cmp before.words after.words
exits 0
comments $(programs before) >before.comments
comments $(programs after) >after.comments
run cmp before.comments after.comments
exits 0
if [ "$(wc -c <after.words)" -gt 100000 ]; then ok; else not_ok "few programs"; fi
finish
