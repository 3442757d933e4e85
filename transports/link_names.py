"""The names under which a store has the descriptors of links."""


def store_name(link: int) -> str:
    return f"c{link}"


def link_number(name: str) -> int:
    """The number of the link whose descriptor has that name; 0 if it is not a link's."""
    number = name[1:]
    return int(number) if name == f"c{number}" and number.isdecimal() else 0
