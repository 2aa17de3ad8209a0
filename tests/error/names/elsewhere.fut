-- Names of other languages.
-- at 6 7
-- ==
-- error: Unknown type "double".*Hint: this type is called f64\..*Unknown name "fst".*p\.0

def half (x: double) = x / 2
entry main (p: (i32, i32)) = fst p
