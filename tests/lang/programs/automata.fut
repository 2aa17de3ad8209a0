-- Texts: an automaton as a scan of functions, matching brackets, arithmetic with stacks and sum types, regular
-- expressions as sets of states in bits, words by frequency.
-- ==
-- entry: states
-- input { [104u8, 101, 108, 108, 111, 32, 49, 50, 32, 119, 48, 114, 108, 100, 32, 34, 105, 110, 32, 40, 97, 32, 91, 115, 116, 114, 105, 110, 103, 34, 32, 123, 120, 58, 32, 91, 49, 44, 32, 50, 44, 32, 40, 51, 41, 93, 125, 32, 102, 111, 111, 32, 102, 111, 111, 32, 98, 97, 114, 32, 104, 101, 108, 108, 111, 32, 102, 111, 111] }
-- output { [1u8, 1, 1, 1, 1, 0, 2, 2, 0, 1, 1, 1, 1, 1, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1] }

-- ==
-- entry: words
-- input { [104u8, 101, 108, 108, 111, 32, 49, 50, 32, 119, 48, 114, 108, 100, 32, 34, 105, 110, 32, 40, 97, 32, 91, 115, 116, 114, 105, 110, 103, 34, 32, 123, 120, 58, 32, 91, 49, 44, 32, 50, 44, 32, 40, 51, 41, 93, 125, 32, 102, 111, 111, 32, 102, 111, 111, 32, 98, 97, 114, 32, 104, 101, 108, 108, 111, 32, 102, 111, 111] }
-- output { [0i64, 9, 32, 48, 52, 56, 60, 66] [5i64, 5, 1, 3, 3, 3, 5, 3] }

-- ==
-- entry: balanced
-- input { [104u8, 101, 108, 108, 111, 32, 49, 50, 32, 119, 48, 114, 108, 100, 32, 34, 105, 110, 32, 40, 97, 32, 91, 115, 116, 114, 105, 110, 103, 34, 32, 123, 120, 58, 32, 91, 49, 44, 32, 50, 44, 32, 40, 51, 41, 93, 125, 32, 102, 111, 111, 32, 102, 111, 111, 32, 98, 97, 114, 32, 104, 101, 108, 108, 111, 32, 102, 111, 111] }
-- output { true }
-- input { [104u8, 101, 108, 108, 111, 32, 49, 50, 32, 119, 48, 114, 108, 100, 32, 34, 105, 110, 32, 40, 97, 32, 91, 115, 116, 114, 105, 110, 103, 34, 32, 123, 120, 58, 32, 91, 49, 44, 32, 50, 44, 32, 40, 51, 41, 93, 125, 32, 102, 111, 111, 32, 102, 111, 111, 32, 98, 97, 114, 32, 104, 101, 108, 108, 111, 32, 102, 111, 111, 41] }
-- output { false }
-- input { [40u8, 91, 41, 93] }
-- output { false }

-- ==
-- entry: calc
-- input { [49u8, 32, 43, 32, 50, 42, 51, 32, 45, 32, 40, 52, 46, 53, 45, 49, 41, 94, 50, 47, 32, 50] }
-- output { 0.875 -1i64 }
-- input { [50u8, 94, 51, 94, 50, 32, 45, 32, 49, 48, 47, 52, 42, 50] }
-- output { 507.0 -1i64 }
-- input { [50u8, 32, 43, 32, 36, 32, 51] }
-- output { 0.0 3i64 }
-- input { [40u8, 50, 32, 43, 32, 51] }
-- output { 0.0 6i64 }

-- ==
-- entry: matches
-- input { [97u8, 42, 98, 43, 99, 63, 100] [97u8, 97, 97, 98, 98, 100] }
-- output { true }
-- input { [97u8, 42, 98, 43, 99, 63, 100] [98u8, 99, 100] }
-- output { true }
-- input { [97u8, 42, 98, 43, 99, 63, 100] [104u8, 101, 108, 108, 111] }
-- output { false }
-- input { [97u8, 42, 98, 43, 99, 63, 100] [104u8, 111] }
-- output { false }
-- input { [97u8, 42, 98, 43, 99, 63, 100] [120u8, 122] }
-- output { false }
-- input { [97u8, 42, 98, 43, 99, 63, 100] [122u8, 120] }
-- output { false }
-- input { [97u8, 42, 98, 43, 99, 63, 100] [119u8, 48, 114, 108, 100] }
-- output { false }
-- input { [97u8, 42, 98, 43, 99, 63, 100] [97u8, 98, 99, 99, 100] }
-- output { false }
-- input { [104u8, 46, 42, 111] [97u8, 97, 97, 98, 98, 100] }
-- output { false }
-- input { [104u8, 46, 42, 111] [98u8, 99, 100] }
-- output { false }
-- input { [104u8, 46, 42, 111] [104u8, 101, 108, 108, 111] }
-- output { true }
-- input { [104u8, 46, 42, 111] [104u8, 111] }
-- output { true }
-- input { [104u8, 46, 42, 111] [120u8, 122] }
-- output { false }
-- input { [104u8, 46, 42, 111] [122u8, 120] }
-- output { false }
-- input { [104u8, 46, 42, 111] [119u8, 48, 114, 108, 100] }
-- output { false }
-- input { [104u8, 46, 42, 111] [97u8, 98, 99, 99, 100] }
-- output { false }
-- input { [120u8, 63, 121, 63, 122, 63] [97u8, 97, 97, 98, 98, 100] }
-- output { false }
-- input { [120u8, 63, 121, 63, 122, 63] [98u8, 99, 100] }
-- output { false }
-- input { [120u8, 63, 121, 63, 122, 63] [104u8, 101, 108, 108, 111] }
-- output { false }
-- input { [120u8, 63, 121, 63, 122, 63] [104u8, 111] }
-- output { false }
-- input { [120u8, 63, 121, 63, 122, 63] [120u8, 122] }
-- output { true }
-- input { [120u8, 63, 121, 63, 122, 63] [122u8, 120] }
-- output { false }
-- input { [120u8, 63, 121, 63, 122, 63] [119u8, 48, 114, 108, 100] }
-- output { false }
-- input { [120u8, 63, 121, 63, 122, 63] [97u8, 98, 99, 99, 100] }
-- output { false }
-- input { [46u8, 43, 108, 46, 42, 100] [97u8, 97, 97, 98, 98, 100] }
-- output { false }
-- input { [46u8, 43, 108, 46, 42, 100] [98u8, 99, 100] }
-- output { false }
-- input { [46u8, 43, 108, 46, 42, 100] [104u8, 101, 108, 108, 111] }
-- output { false }
-- input { [46u8, 43, 108, 46, 42, 100] [104u8, 111] }
-- output { false }
-- input { [46u8, 43, 108, 46, 42, 100] [120u8, 122] }
-- output { false }
-- input { [46u8, 43, 108, 46, 42, 100] [122u8, 120] }
-- output { false }
-- input { [46u8, 43, 108, 46, 42, 100] [119u8, 48, 114, 108, 100] }
-- output { true }
-- input { [46u8, 43, 108, 46, 42, 100] [97u8, 98, 99, 99, 100] }
-- output { false }

-- ==
-- entry: frequencies
-- input { [104u8, 101, 108, 108, 111, 32, 49, 50, 32, 119, 48, 114, 108, 100, 32, 34, 105, 110, 32, 40, 97, 32, 91, 115, 116, 114, 105, 110, 103, 34, 32, 123, 120, 58, 32, 91, 49, 44, 32, 50, 44, 32, 40, 51, 41, 93, 125, 32, 102, 111, 111, 32, 102, 111, 111, 32, 98, 97, 114, 32, 104, 101, 108, 108, 111, 32, 102, 111, 111] }
-- output { [2851307223u32, 1335831723, 766183200, 1991736602, 4245442695] [3i64, 2, 1, 1, 1] }

type char = u8
def is_digit (c: char) = c >= '0' && c <= '9'
def is_space (c: char) = c == ' ' || c == '\n' || c == '\t'
def is_alpha (c: char) = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')

-- Automaton of four states, as endofunctions in a scan: 0 outside, 1 in a word, 2 in a number, 3 in a string.
type fn = [4]u8
def compose (f: fn) (g: fn) : fn = map (\x -> g[i64.u8 x]) f
def step (c: char) : fn =
  if c == '"' then [3, 3, 3, 0]
  else if is_alpha c then [1, 1, 1, 3]
  else if is_digit c then [2, 1, 2, 3]
  else [0, 0, 0, 3]
entry states [n] (s: [n]char) : [n]u8 =
  let fs = scan compose [0, 1, 2, 3] (map step s)
  in map (\f -> f[0]) fs
entry words [n] (s: [n]char) : ([]i64, []i64) =
  let st = states s
  let starts = filter (\i -> st[i] == 1 && (i == 0 || st[i - 1] != 1)) (iota n)
  let ends = filter (\i -> st[i] == 1 && (i == n - 1 || st[i + 1] != 1)) (iota n)
  let k = length starts
  in (starts, map2 (\a b -> b - a + 1) (starts :> [k]i64) (ends :> [k]i64))

-- Depth of brackets outside of strings; the text is balanced if it never goes below zero, ends there, and kinds match.
entry balanced [n] (s: [n]char) : bool =
  let st = states s
  let outside = map2 (\c q -> if q == 3 then 0 else c) s st
  let (stack, sp, ok) =
    loop (stack, sp, ok) = (replicate n 0u8, 0i64, true) for c in outside do
      if !ok then (stack, sp, ok)
      else match c
           case '(' -> (stack with [sp] = ')', sp + 1, true)
           case '[' -> (stack with [sp] = ']', sp + 1, true)
           case '{' -> (stack with [sp] = '}', sp + 1, true)
           case ')' -> (stack, sp - 1, sp > 0 && stack[i64.max 0 (sp - 1)] == c)
           case ']' -> (stack, sp - 1, sp > 0 && stack[i64.max 0 (sp - 1)] == c)
           case '}' -> (stack, sp - 1, sp > 0 && stack[i64.max 0 (sp - 1)] == c)
           case _ -> (stack, sp, ok)
  let _ = stack
  in ok && sp == 0

-- Shunting yard with sum types.
type token = #num f64 | #op char | #open | #close | #end
type parsed 'a = #ok a i64 | #bad i64
def next [n] (s: [n]char) (i: i64) : (token, i64) =
  let i = loop i while i < n && is_space s[i] do i + 1
  in if i >= n then (#end, i)
     else if is_digit s[i] then
       let (v, i) = loop (v, i) = (0f64, i) while i < n && is_digit s[i] do (v * 10 + f64.u8 (s[i] - '0'), i + 1)
       let (v, i) = if i < n && s[i] == '.'
                    then let (v, _, i) = loop (v, p, i) = (v, 0.1, i + 1) while i < n && is_digit s[i] do (v + p * f64.u8 (s[i] - '0'), p / 10, i + 1)
                         in (v, i)
                    else (v, i)
       in (#num v, i)
     else match s[i]
          case '(' -> (#open, i + 1)
          case ')' -> (#close, i + 1)
          case c -> (#op c, i + 1)
def prec (c: char) : i32 = match c case '+' -> 1 case '-' -> 1 case '*' -> 2 case '/' -> 2 case '^' -> 3 case _ -> 0
def apply (c: char) (a: f64) (b: f64) : f64 =
  match c case '+' -> a + b case '-' -> a - b case '*' -> a * b case '/' -> a / b case '^' -> a ** b case _ -> f64.nan
def evaluate [n] (s: [n]char) : parsed f64 =
  let reduce_top [k] (vals: *[k]f64) (nv: i64) (c: char) : (*[k]f64, i64) =
    let r = apply c vals[nv - 2] vals[nv - 1]
    in (vals with [nv - 2] = r, nv - 1)
  let (vals, nv, _, no, _, bad, _) =
    loop (vals: *[n + 2]f64, nv, ops: *[n + 2]char, no, i, bad, done) = (replicate (n + 2) 0f64, 0i64, replicate (n + 2) 0u8, 0i64, 0i64, -1i64, false) while !done && bad < 0 do
      let (t, i') = next s i
      in match t
         case #num v -> (vals with [nv] = v, nv + 1, ops, no, i', bad, done)
         case #open -> (vals, nv, ops with [no] = '(', no + 1, i', bad, done)
         case #op c ->
           if prec c == 0 then (vals, nv, ops, no, i', i, done)
           else
             let (vals, nv, no) =
               loop (vals: *[n + 2]f64, nv, no) = (vals, nv, no) while no > 0 && nv >= 2 && (prec ops[no - 1] > prec c || (prec ops[no - 1] == prec c && c != '^')) do
                 let (vals, nv) = reduce_top vals nv ops[no - 1]
                 in (vals, nv, no - 1)
             in (vals, nv, ops with [no] = c, no + 1, i', bad, done)
         case #close ->
           let (vals, nv, no) =
             loop (vals: *[n + 2]f64, nv, no) = (vals, nv, no) while no > 0 && nv >= 2 && ops[no - 1] != '(' do
               let (vals, nv) = reduce_top vals nv ops[no - 1]
               in (vals, nv, no - 1)
           in if no > 0 && ops[no - 1] == '(' then (vals, nv, ops, no - 1, i', bad, done) else (vals, nv, ops, no, i', i, done)
         case #end ->
           let (vals, nv, no) =
             loop (vals: *[n + 2]f64, nv, no) = (vals, nv, no) while no > 0 && nv >= 2 && ops[no - 1] != '(' do
               let (vals, nv) = reduce_top vals nv ops[no - 1]
               in (vals, nv, no - 1)
           in (vals, nv, ops, no, i', if no > 0 then i else bad, true)
  in if bad >= 0 then #bad bad else if nv == 1 && no == 0 then #ok vals[0] n else #bad n
entry calc [n] (s: [n]char) : (f64, i64) =
  match evaluate s
  case #ok v _ -> (v, -1)
  case #bad i -> (0, i)

-- Regular expressions: literals, '.', postfix * + ?, compiled to an NFA of at most 63 states as masks, simulated with u64 sets.
type item = {c: char, star: bool, opt: bool}
def compile_re [n] (re: [n]char) : (i64, [n]item) =
  loop (k, items) = (0, replicate n {c = 0, star = false, opt = false}) for c in re do
    if c == '*' then (k, items with [k - 1] = (items[k - 1] with star = true with opt = true))
    else if c == '+' then (k, items with [k - 1] = (items[k - 1] with star = true))
    else if c == '?' then (k, items with [k - 1] = (items[k - 1] with opt = true))
    else (k + 1, items with [k] = {c, star = false, opt = false})
def closure [n] (k: i64) (items: [n]item) (set: u64) : u64 =
  loop set for i < k do
    if items[i].opt && (set >> u64.i64 i) & 1 == 1 then set | (1 << u64.i64 (i + 1)) else set
entry matches [n][m] (re: [n]char) (s: [m]char) : bool =
  let (k, items) = compile_re re
  let set = loop set = closure k items 1 for c in s do
    let stepped = loop t = 0u64 for i < k do
      if (set >> u64.i64 i) & 1 == 1 && (items[i].c == '.' || items[i].c == c)
      then t | (1 << u64.i64 (i + 1)) | (if items[i].star then 1 << u64.i64 i else 0) else t
    in closure k items stepped
  in (set >> u64.i64 k) & 1 == 1

-- Histogram of words by hash, most frequent first.
def fnv [n] (s: [n]char) : u32 = loop h = 2166136261u32 for c in s do (h ^ u32.u8 c) * 16777619
entry frequencies [n] (s: [n]char) : ([]u32, []i64) =
  let (starts, lens) = words s
  let k = length starts
  let hs = map2 (\a l -> loop h = 2166136261u32 for j < l do (h ^ u32.u8 s[a + j]) * 16777619) (starts :> [k]i64) (lens :> [k]i64)
  let merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t) : [n]t =
    (loop (xs, w) = (copy xs, 1) while w < n do
      let place i =
        let b = i / (2 * w)
        let left = i % (2 * w) < w
        let lo = if left then i64.min n (b * 2 * w + w) else b * 2 * w
        let hi = if left then i64.min n (lo + w) else i64.min n (lo + w)
        let (l, _) = loop (l, h) = (lo, hi) while l < h do
          let m = (l + h) / 2
          in if (if left then !(xs[i] `leq` xs[m]) else xs[m] `leq` xs[i]) then (m + 1, h) else (l, m)
        in i + (l - lo) - (if left then 0 else w)
      in (scatter (copy xs) (map place (iota n)) xs, w * 2)).0
  let sorted = merge_sort (<=) hs
  let heads = filter (\i -> i == 0 || sorted[i] != sorted[i - 1]) (iota k)
  let m = length heads
  let counts = tabulate m (\j -> (if j == m - 1 then k else heads[j + 1]) - heads[j])
  let pairs = zip (map (\i -> sorted[i]) (heads :> [m]i64)) counts
  let r = merge_sort (\(h, c) (h', c') -> c > c' || (c == c' && h <= h')) pairs
  in unzip r
