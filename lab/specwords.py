# SPDX-License-Identifier: GPL-2.0
"""The words of the netlink family's enumerations as C, for the module and for abt, from its specification."""

from pathlib import Path

HEAD = """{spdx} SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause){end}
/* Do not edit directly, made by lab/spec.py --write of {source} */
"""


SHORTER = ("direction", "scope")    # people have shorter words for these


def c_name(*parts: str) -> str:
    return "_".join(parts).replace("-", "_")


class Words:
    """The words of one enumeration, in the order of their values."""

    def __init__(self, family: str, one: dict) -> None:
        names = [entry if isinstance(entry, str) else entry["name"] for entry in one["entries"]]
        self.name = c_name(family, one["name"])
        self.words = [(c_name(self.name, name).upper(), c_name(name)) for name in names]

    @property
    def declaration(self) -> str:
        return f"extern const char *const {self.name}_words[];\n"

    @property
    def definition(self) -> str:
        rows = "".join(f'\t[{value}] = "{word}",\n' for value, word in self.words)
        return f"const char *const {self.name}_words[] = {{\n{rows}\tNULL\n}};\n"

    @property
    def symbols(self) -> str:
        """For a tracepoint, whose format is read in user space, where no array is."""
        rows = ",\t\\\n".join(f'\t\t{{ {value}, "{word}" }}' for value, word in self.words)
        return f"#define {self.name}_symbols(value)\t\\\n\t__print_symbolic(value,\t\\\n{rows})\n"


def all_words(spec: Path) -> list[Words]:
    import yaml  # of the machine: what needs no words needs no such module

    family = yaml.safe_load(spec.read_text())
    return [Words(family["name"], one) for one in family["definitions"]
            if one["type"] == "enum" and one["name"] not in SHORTER]


def guarded(source: str, guard: str, body: str) -> str:
    head = HEAD.format(spdx="/*", end=" */", source=source)
    return f"{head}#ifndef {guard}\n#define {guard}\n\n{body}\n#endif /* {guard} */\n"


def header(spec: Path, source: str) -> str:
    text = "/* The words of values, in their order, NULL at the end. */\n"
    return guarded(source, "TCP_ABT_WORDS_GEN_H", text + "".join(words.declaration for words in all_words(spec)))


def code(spec: Path, source: str) -> str:
    head = HEAD.format(spdx="//", end="", source=source)
    includes = ("#ifdef __KERNEL__\n#include <linux/stddef.h>\n#else\n#include <stddef.h>\n#endif\n\n"
                '#include "control/words_gen.h"\n#include "uapi/linux/tcp_abt.h"\n')
    return "\n".join([head + includes, *(words.definition for words in all_words(spec))])


def symbols(spec: Path, source: str) -> str:
    body, = (words.symbols for words in all_words(spec) if words.name.endswith("_reason"))
    return guarded(source, "TCP_ABT_TRACE_WORDS_GEN_H", body)
