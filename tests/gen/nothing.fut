-- Entry points that take nothing, or give nothing.
entry take () = 3i32
entry take_both () (x: i32) ((): ()) = x
entry give (x: i32) = assert (x > 0) ()
