"""``python -m pytmva_bnn.cli``."""

from pytmva_bnn.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
