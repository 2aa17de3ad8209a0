-- A parametric type that is not size-lifted cannot be one that hides a size, with or without an
-- argument that has sizes.
-- at 8 9
-- ==
-- error: but module type requires a non-lifted type

module f (P: {type bag 'a val size 'a : bag a -> i64}) = {def two = 2i32}
module m = f {type~ bag 'a = []a def size 'a (b: bag a) = length b}
module n = f {type~ bag 'a = {items: []a} def size 'a (b: bag a) = length b.items}
