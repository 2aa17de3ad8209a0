-- Words, numbers and expressions out of text; tables as text.
type char = u8
type string [n] = [n]char

def is_digit (c: char) = c >= '0' && c <= '9'
def is_space (c: char) = c == ' ' || c == '\n' || c == '\t'
def digit (c: char) : i32 = i32.u8 (c - '0')

def sized_like [n] [m] (_: [n]i64) (ys: [m]i64) = ys :> [n]i64
module words : {
  type word [p]
  val words [n] : [n]char -> ?[p].(word [p] -> ?[k].[k]char, ?[c].[c](word [p]))
  val lines [n] : [n]char -> ?[p].(word [p] -> ?[k].[k]char, ?[c].[c](word [p]))
} = {
  type word [p] = ([p](), i64, i64)
  def mk_get [n] (s: [n]char) ((_, i, l): word [n]) = s[i:i + l]
  def split [n] (sep: char -> bool) (s: [n]char) =
    let starts = map (\i -> !sep s[i] && (i == 0 || sep s[i - 1])) (iota n)
    let ends = map (\i -> !sep s[i] && (i == n - 1 || sep s[i + 1])) (iota n)
    let is = filter (\i -> starts[i]) (iota n)
    let es = filter (\i -> ends[i]) (iota n) |> sized_like is
    in (mk_get s, map2 (\i e -> (replicate n (), i, e - i + 1)) is es)
  def words [n]
      (s: [n]char) : ?[p].(word [p] -> ?[k].[k]char, ?[c].[c](word [p])) =
    split is_space s
  def lines [n]
      (s: [n]char) : ?[p].(word [p] -> ?[k].[k]char, ?[c].[c](word [p])) =
    split (== '\n') s
}

def parse_int [n] (s: string [n]) : i32 =
  let neg = n > 0 && s[0] == '-'
  let ds = if neg then s[1:] else s
  let v = loop acc = 0 for c in ds do acc * 10 + digit c
  in if neg then -v else v

-- ==
-- entry: ints
-- input { } output { [12i32, -7i32, 100i32, 42i32, 0i32] }
entry ints =
  let (get, ws) = words.words "12 -7   100\n 42 0"
  in map (\w -> parse_int (get w)) ws

type token = #num i32 | #op char | #open | #close | #eof
def next_token [n] (s: [n]char) (i: i64) : (token, i64) =
  let i = loop i while i < n && is_space s[i] do i + 1
  in if i >= n then (#eof, i) else
       match s[i]
       case '(' -> (#open, i + 1)
       case ')' -> (#close, i + 1)
       case c ->
         if is_digit c
         then let (v, i) =
                loop (v, i) = (0, i) while i < n && is_digit s[i] do
                  (v * 10 + digit s[i], i + 1)
              in (#num v, i)
         else (#op c, i + 1)

def prec (c: char) : i32 =
  match c case '*' -> 2 case '/' -> 2 case '+' -> 1 case '-' -> 1 case _ -> 0
def apply_op (o: char) (a: i32) (b: i32) : i32 =
  match o
  case '+' -> a + b
  case '-' -> a - b
  case '*' -> a * b
  case '/' -> a / b
  case _ -> assert false 0

type state = {vals: [64]i32, nv: i64, ops: [64]char, no: i64}
def reduce_top (st: *state) : *state =
  let {vals, nv, ops, no} = st
  let r = apply_op ops[no - 1] vals[nv - 2] vals[nv - 1]
  let vals[nv - 2] = r
  in {vals, nv = nv - 1, ops, no = no - 1}

def eval [n] (s: [n]char) : i32 =
  let st : *state =
    {vals = replicate 64 0, nv = 0, ops = replicate 64 0, no = 0}
  let (st, _, _) =
    loop (st, i, go) = (st, 0i64, true) while go do
      let (t, i) = next_token s i
      in match t
         case #num v ->
           let {vals, nv, ops, no} = st
           in ({vals = vals with [nv] = v, nv = nv + 1, ops, no}, i, true)
         case #open ->
           let {vals, nv, ops, no} = st
           in ({vals, nv, ops = ops with [no] = '(', no = no + 1}, i, true)
         case #close ->
           let st = loop st while st.ops[st.no - 1] != '(' do reduce_top st
           in (st with no = st.no - 1, i, true)
         case #op c ->
           let st =
             loop st while st.no > 0 && prec st.ops[st.no - 1] >= prec c do
               reduce_top st
           let {vals, nv, ops, no} = st
           in ({vals, nv, ops = ops with [no] = c, no = no + 1}, i, true)
         case #eof ->
           (loop st while st.no > 0 do reduce_top st, i, false)
  in st.vals[0]

-- ==
-- entry: e1
-- input { } output { 7i32 }
entry e1 = eval "1 + 2 * 3"

-- ==
-- entry: e2
-- input { } output { -2i32 }
entry e2 = eval "(1 + 2) * (3 - 4) / 2"

-- ==
-- entry: e3
-- input { } output { 4i32 }
entry e3 = eval "2*(3+(4-1)*(7-5))-100/7"

-- ==
-- entry: e4
-- input { } error: division by zero
entry e4 = eval "7 /0"

-- formatting
def digits (x: i64) : []char =
  if x == 0 then "0" else
    let neg = x < 0
    let x = i64.abs x
    let n = (loop (k, y) = (0i64, x) while y > 0 do (k + 1, y / 10)).0
    let ds = map (\i -> u8.i64 (x / 10 ** (n - 1 - i) % 10) + '0') (iota n)
    in if neg then "-" ++ ds else ds
def pad_left [n] (w: i64) (c: char) (s: [n]char) : [w]char =
  if n >= w then s[n - w:] :> [w]char else replicate (w - n) c ++ s :> [w]char
def table [n] (xs: [n]i64) : []char =
  flatten (map (\x -> pad_left 8 ' ' (digits x)) xs)

-- ==
-- entry: tab
-- input { }
-- output {
--   [32u8, 32u8, 32u8, 32u8, 32u8, 32u8, 32u8, 49u8, 32u8, 32u8, 32u8, 32u8, 32u8, 45u8, 50u8,
--   48u8, 32u8, 32u8, 32u8, 32u8, 32u8, 51u8, 48u8, 48u8, 32u8, 32u8, 32u8, 32u8, 32u8, 32u8,
--   32u8, 48u8, 52u8, 53u8, 54u8, 55u8, 56u8, 57u8, 48u8, 49u8]
-- }
entry tab = table [1, -20, 300, 0, 12345678901]
