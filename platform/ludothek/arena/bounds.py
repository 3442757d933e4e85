"""What the program of an entrant may use in one game."""

import attrs

from ludothek.settings.fields import between, setting


@attrs.frozen(kw_only=True)
class Bounds:
    """Bounds of one program in one game; whoever exceeds one loses that game."""

    startup_seconds: float = setting(
        20.0,
        "seconds from the start of a program until it has connected and said who it is",
        check=between(0.1, 3600),
    )
    move_seconds: float = setting(
        60.0,
        "seconds for one move, measured at the server; games have time limits of their own besides",
        check=between(0.1, 86400),
    )
    game_seconds: float = setting(
        600.0, "seconds that a game may take, from the first move on", check=between(1, 86400)
    )
    cpu_seconds: float = setting(
        600.0, "seconds of processor time, of the program and its children", check=between(1, 86400)
    )
    memory_megabytes: int = setting(
        2048, "memory, of the program and its children together", check=between(16, 1_048_576)
    )
    processes: int = setting(256, "processes and threads at the same time", check=between(1, 65536))
    files_megabytes: int = setting(
        256, "megabytes of files that a program may write", check=between(1, 65536)
    )
    output_kilobytes: int = setting(
        256,
        "kilobytes of a program's output that are kept, the beginning and the end; the rest is cut",
        check=between(1, 1_048_576),
    )
