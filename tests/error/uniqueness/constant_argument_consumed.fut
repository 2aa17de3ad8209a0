-- What has a * in an argument of its type is a constant all the same: it is not to be consumed.
-- at 10 11 12
-- ==
-- error: Consuming variable "p", which is not consumable.*Consuming variable "b", which is not consumable

type pair 'a = (a, a)
type box 'a = {content: a}
def p : pair (*[2]i32) = ([1, 2], [3, 4])
def b : box (*[2]i32) = {content = [1, 2]}
def f (i: i64) = p.0 with [i] = 1
def g (i: i64) = (b with content[i] = 1).content
def h (i: i64) : *[2]i32 = let x = b.content in x with [i] = 2
