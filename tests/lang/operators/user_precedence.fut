-- An operator binds like the longest built-in one it starts with.
def (+^) (x: i32) (y: i32) = x * 10 + y
def (**^) (x: i32) (y: i32) = x - y
def (<+>) (x: i32) (y: i32) = x * y
def (|>>) (x: i32) (f: i32 -> i32) = f x
def (<|>) (x: i32) (y: i32) = x - y
def (&&&) (x: bool) (y: bool) = x != y
def (!!) (x: i32) (y: i32) = x > y
def (=>) (x: i32) (y: i32) = x < y
def f (x: i32) (y: i32) = x - y
-- ==
-- input { } output { 14 23 12 5 10 true true false 16 7 }
entry main =
  (1 +^ 2 * 2, 1 + 1 +^ 3, 3 <+> 2 + 2, 2 + 2 |>> (+ 1), 20 - 5 <|> 10 <|> 5, 3 + 1 !! 2 && true,
   1 => 2 &&& false, 9 - 4 **^ 3 == 5 - 3 - 1, 10 + 10 `f` 2 * 2, 10 `f` 2 `f` 1)
