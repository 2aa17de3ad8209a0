-- Where only sizes are the reason the message says which.
-- at 7 8
-- ==
-- error: Sizes "n" and "(n [+] 1|3)" do not match

module type s = { val f [n] : [n]i32 -> [n]i32 }
module a : s = { def f [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [1] }
module b : s = { def f [n] (_: [n]i32) = [1i32, 2, 3] }
