"""Events in any form, as named columns: the one door through which they come in."""
