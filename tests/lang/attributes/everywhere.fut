-- Attributes wherever the grammar has them.
#[one] module m = {#[two(three, 4, five(6),)] def x = 1i32}
module type s = {#[seven] val x : i32 #[eight] type t}
#[nine] #[ten] open m
#[eleven] type t = i32
#[twelve] local def y = 2i32
#[thirteen] module type u = {}
#[fourteen] local open m
-- ==
-- input { 3 } output { 7 }
#[fifteen] entry main (#[sixteen] z: t) =
  let #[seventeen] (a, #[eighteen] b) = #[nineteen] (x, y)
  let f #[twenty] (c: i32) = c
  in #[a] #[b] a + (#[c] b) * f ((\(#[d] q) -> #[e] q) z)
