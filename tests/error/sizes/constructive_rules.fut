-- Sizes that no array shows, parameters named twice, sizes bound in a body, unknown sizes of
-- constants with size parameters, sizes of several occurrences that differ.
-- at 8 9 10 13 14 15 18 19 22 23 27
-- ==
-- error: constructively(.|\n)*also bound

-- size parameters
module m1 : { type t [n] val mk : (n: i64) -> t [n] } = { type t [n] = ([n + 1]i32, i32) def mk n = (replicate (n + 1) 0, 0) }
entry e1 [n] (f: [n * 2]i32) = f
def l1 (k: i64) = let [n] (_: [n + 1]i32) = replicate (k + 1) 0i32 in n

-- parameters of one type
type^ t1 = (n: i64) -> (m: i64) -> (n: i32) -> [m]i32
def p1 (g: (n: i64) -> (n: i64) -> i64) = g 1 2
def p2 (x: i64) : ?[n][n].[n][n]i32 = replicate x (replicate x 0i32)

-- constants
def c1 [n] : ([n]i32, [n]i32, []i32) = (replicate n 1, replicate n 2, filter (> 0) (replicate n 1))
def c2 [n] : {a: [n]i32, b: []i64} = {a = replicate n 1, b = filter (> 0) (iota n)}

-- names of a body
def s1 xs = let m = 3i64 + 1 in map2 (+) (iota m) xs
def s2 ys = let k = i64.sum [1, 2] in (\(zs: [k]i64) -> zs) ys

-- occurrences
def each '~b (f: i64 -> b) : (b, b) = (f 1, f 2)
def o1 (_: i64) = let (a, b) = each iota in zip a b
