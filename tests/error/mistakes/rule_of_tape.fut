-- Rule of tape.
-- at 6
-- ==
-- error: with_vjp_tape f \(\\\(tape, adj\) -> ...\)

def root : f64 -> f64 = with_vjp_tape (\x -> let y = f64.sqrt x in (y, y)) (\r s -> s / (2 * r))
