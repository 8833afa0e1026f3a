"""Lines of text that fit: a label, then items, wrapped beneath each other.

Widths are terminal cells, of which a Chinese character takes two.
"""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

BETWEEN = " · "


def clock(seconds: float) -> str:
    """As a clock shows it: 0:45, 3:07, 2:03:09."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def hanging(
    label: str,
    items: Iterable[Text | str],
    width: int,
    *,
    indent: int = 0,
    column: int = 0,
    style: str = "",
) -> list[Text]:
    """Items after a label, the further lines under the first item.

    `column` is the cell at which items begin; 0: right after the label.
    """
    start = max(column, indent + cell_len(label) + (1 if label else 0))
    first = Text(" " * indent).append(label, style)
    first.append(" " * (start - first.cell_len))
    lines = [first]
    for item in items:
        add(lines, Text(item) if isinstance(item, str) else item, start, width)
    return lines


def add(lines: list[Text], item: Text, start: int, width: int) -> None:
    """One more item at the end, or on a line of its own; one too long is wrapped."""
    line = lines[-1]
    is_first = line.cell_len <= start
    between = 0 if is_first else len(BETWEEN)
    if line.cell_len + between + item.cell_len <= width:
        line.append(BETWEEN if not is_first else "", "dim").append_text(item)
        return
    if not is_first:
        line = Text(" " * start)
        lines.append(line)
    pieces = fold(item, max(8, width - start))
    line.append_text(pieces[0])
    lines.extend(Text(" " * start).append_text(piece) for piece in pieces[1:])


def fold(text: Text, width: int) -> list[Text]:
    """A text in lines of at most `width` cells, broken at spaces where it can be."""
    rest, lines = text, []
    while rest.cell_len > width:
        cut = place_to_cut(rest.plain, width)
        head, rest = rest.divide([cut])
        head.rstrip()
        lines.append(head)
        rest = strip_left(rest)
    return [*lines, rest]


def strip_left(text: Text) -> Text:
    spaces = len(text.plain) - len(text.plain.lstrip(" "))
    return text[spaces:] if spaces else text


def place_to_cut(plain: str, width: int) -> int:
    """How many characters go on the line: after a space, a wide one, or anywhere."""
    cells = end = 0
    while end < len(plain) and cells + cell_len(plain[end]) <= width:
        cells += cell_len(plain[end])
        end += 1
    at = end
    while at > 0 and not may_break(plain, at):
        at -= 1
    return at or max(end, 1)


# Never at the beginning of a line.
CLINGING = "，。；：、！？）】」』,.;:!?)]"


def may_break(plain: str, at: int) -> bool:
    if at >= len(plain) or plain[at] in CLINGING:
        return False
    before, after = plain[at - 1], plain[at]
    return before == " " or after == " " or cell_len(before) > 1 or cell_len(after) > 1


def paragraph(text: str, width: int, indent: int = 0, style: str = "") -> list[Text]:
    """A sentence, wrapped, every line indented."""
    folded = fold(Text(text, style), width - indent)
    return [Text(" " * indent).append_text(line) for line in folded]


GAP = 2
MOST_COLUMNS = 3
# So few are read more easily beneath each other.
LEAST_HEIGHT = 4


def columns(items: Sequence[Text], width: int, indent: int = 2) -> list[Text]:
    """Items beside each other, read downwards, in as many columns as fit."""
    useful = min(MOST_COLUMNS, -(-len(items) // LEAST_HEIGHT))
    for count in range(useful, 0, -1):
        stacks = stacked(items, count)
        widths = [max(item.cell_len for item in stack) + GAP for stack in stacks]
        if count == 1 or indent + sum(widths) - GAP <= width:
            return side_by_side(stacks, widths, indent)
    return []


def stacked(items: Sequence[Text], count: int) -> list[Sequence[Text]]:
    """In at most so many columns, all but the last equally high."""
    height = -(-len(items) // count) or 1
    return [items[top : top + height] for top in range(0, len(items), height)]


def side_by_side(
    stacks: Sequence[Sequence[Text]], widths: Sequence[int], indent: int
) -> list[Text]:
    lines = [Text(" " * indent) for _ in stacks[0]] if stacks else []
    for stack, width in zip(stacks, widths, strict=True):
        for line, item in zip(lines, stack, strict=False):
            line.append_text(item).append(" " * (width - item.cell_len))
    for line in lines:
        line.rstrip()
    return lines


def rule(left: str, right: str, width: int, style: str = "bold") -> Text:
    """A line across, with words in it."""
    room = width - cell_len(left) - cell_len(right) - 5
    line = Text("── ", "dim").append(left, style).append(" ")
    line.append("─" * max(1, room) + " ", "dim").append(right, "dim")
    return line
