"""``python -m curation``: the command line."""

from curation.cli import main

if __name__ == "__main__":
    main()
