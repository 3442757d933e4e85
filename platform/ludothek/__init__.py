"""Ludothek: one game server for several course projects."""

try:
    # Made when the package is built or installed, from the tags and commits of the repository.
    from ludothek._version import __version__ as __version__
except ImportError:  # straight from the source
    __version__ = "0.0"
