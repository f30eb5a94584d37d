"""``python -m pytmva_bnn.port macro.C``."""

import sys

from pytmva_bnn.port.cli import main

sys.exit(main())
