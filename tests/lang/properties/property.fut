-- Properties hold for generated values.
-- ==
-- property: reverse_twice
#[prop]
entry reverse_twice (xs: []i32) : bool = and (map2 (==) (reverse (reverse xs)) xs)
