"""`python -m sharewell`."""

import sys

from sharewell.cli import main

sys.exit(main())
