-- Functions on text.
type~ string = []u8
def (++.) [n][m] (a: [n]u8) (b: [m]u8) : [n + m]u8 = a ++ b
def repeat (k: i64) (s: string) : string = flatten (replicate k s)
def show_u (x: u64) : string =
  if x == 0 then "0" else
    let (buf, at, _) =
      loop (buf, at, x) = (replicate 20 '0', 20, x) while x > 0 do
        (buf with [at - 1] = '0' + u8.u64 (x % 10), at - 1, x / 10)
    in buf[at:]
def show_i (x: i64) : string =
  if x < 0 then "-" ++ show_u (u64.i64 (-x)) else show_u (u64.i64 x)
def show_f (digits: i64) (x: f64) : string =
  let sign = if x < 0 then "-" else ""
  let x = f64.abs x
  let scale = 10f64 ** f64.i64 digits
  let n = u64.f64 (f64.round (x * scale))
  let (whole, frac) = (n / u64.f64 scale, n % u64.f64 scale)
  let fs = show_u frac
  in sign ++ show_u whole ++ "." ++ replicate (digits - length fs) '0' ++ fs
def pad (k: i64) (s: string) : [k]u8 =
  tabulate k (\i -> if i < length s then s[i] else ' ')
def upper = map (\c : u8 -> if c >= 'a' && c <= 'z' then c - 32 else c)
def is_prefix [n][m] (p: [n]u8) (s: [m]u8) =
  n <= m && and (map2 (==) p (take n s))
def find_all [n][m] (p: [n]u8) (s: [m]u8) : []i64 =
  filter (\i -> is_prefix p (drop i s)) (iota m)
def replace (from: u8) (to: string) (s: string) : string =
  let lens = map (\c -> if c == from then length to else 1) s
  let ends = scan (+) 0 lens
  let n = if null s then 0 else last ends
  let starts = map2 (-) ends lens
  let out = scatter
              (replicate n 0u8)
              (map2 (\st c -> if c == from then -1 else st) starts s)
              s
  in loop out for (st, c) in zip starts s do
       if c == from
       then (loop out for k < length to do out with [st + k] = to[k])
       else out
def compare [n][m] (a: [n]u8) (b: [m]u8) : i32 =
  let k = i64.min n m
  let d = map2 (\x y -> i32.u8 x - i32.u8 y) (take k a) (take k b)
  let firstd = reduce (\x y -> if x != 0 then x else y) 0 d
  in if firstd != 0 then i32.sgn firstd else i32.i64 (i64.sgn (n - m))

-- ==
-- entry: a
-- input { }
-- output {
--   [45u8, 49u8, 50u8, 51u8, 52u8, 53u8, 32u8, 48u8, 33u8, 51u8, 46u8, 49u8, 52u8, 50u8]
-- }
entry a = show_i (-12345) ++ " " ++ show_i 0 ++. ("!" ++ show_f 3 3.14159)

-- ==
-- entry: b
-- input { } output { [97u8, 98u8, 97u8, 98u8, 97u8, 98u8, 32u8, 32u8] }
entry b = pad 8 (repeat 3 "ab")

-- ==
-- entry: c
-- input { } output { [72u8, 69u8, 76u8, 76u8, 79u8, 44u8, 32u8, 87u8, 79u8, 82u8, 76u8, 68u8] }
entry c = upper "Hello, World"

-- ==
-- entry: d
-- input { } output { [1i64, 3i64] }
entry d = find_all "an" "banana"

-- ==
-- entry: e
-- input { } output { [97u8, 58u8, 58u8, 98u8, 58u8, 58u8, 58u8, 58u8, 99u8] }
entry e = replace '-' "::" "a-b--c"

-- ==
-- entry: f
-- input { } output { -1i32 1i32 0i32 1i32 }
entry f =
  (compare "abc" "abd", compare "abc" "ab", compare "" "", compare "b" "abc")

-- ==
-- entry: g
-- input { }
-- output {
--   [116u8, 97u8, 98u8, 9u8, 104u8, 101u8, 114u8, 101u8, 32u8, 34u8, 113u8, 117u8, 111u8, 116u8,
--   101u8, 100u8, 34u8, 32u8, 92u8, 32u8, 98u8, 97u8, 99u8, 107u8, 65u8, 65u8, 65u8, 53u8, 32u8,
--   127u8, 27u8]
-- }
entry g = "tab\there \"quoted\" \\ back\x41\o101\65\&5 \DEL\ESC"

-- ==
-- entry: h
-- input { } output { [195i32, 166i32, 195i32, 184i32, 195i32, 165i32, 226i32, 130i32, 172i32] }
entry h = map (\c -> i32.u8 c) "æøå€"

-- ==
-- entry: i
-- input { } output { 6i64 }
entry i = length "naïve" + length ""
def caesar (k: u8) = map
                       (\c ->
                          if c >= 'a' && c <= 'z'
                          then 'a' + (c - 'a' + k) % 26
                          else if c >= 'A' && c <= 'Z'
                          then 'A' + (c - 'A' + k) % 26
                          else c)

-- ==
-- entry: j
-- input { }
-- output {
--   [87u8, 104u8, 121u8, 32u8, 100u8, 105u8, 100u8, 32u8, 116u8, 104u8, 101u8, 32u8, 99u8, 104u8,
--   105u8, 99u8, 107u8, 101u8, 110u8]
-- }
entry j = caesar 13 "Why did the chicken" |> caesar 13
def count_words [n] (s: [n]u8) = i64.sum
                                   (map2
                                      (\a b -> i64.bool (a == ' ' && b != ' '))
                                      ([' '] ++ s[:i64.max 0 (n - 1)] :> [n]u8)
                                      s)

-- ==
-- entry: k
-- input { } output { 3i64 1i64 }
entry k = (count_words "one two  three ", count_words "x")
def freq [n] (s: [n]u8) : [](u8, i64) =
  let h = hist (+) 0 256 (map i64.u8 s) (replicate n 1i64)
  in zip (map u8.i64 (iota 256)) h |> filter (\(_, n) -> n > 0)

-- ==
-- entry: l
-- input { } output { [105u8, 109u8, 112u8, 115u8] [4i64, 1i64, 2i64, 4i64] }
entry l = unzip (freq "mississippi")
