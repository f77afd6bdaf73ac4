# SPDX-License-Identifier: MIT
"""WGSL without comments, white space and long names, for modules that are downloaded."""
import dataclasses
import itertools
import re
import string

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*)
    |(?P<attribute>@(?:builtin|interpolate)\s*\([^()]*\)|@\w+)
    |(?P<number>\d(?:[eEpP][-+]|[\w.])*|\.\d\w*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator>[=!<>]=|<<|&&|\|\||->|\+\+|--|[-+*/%&|^]=|[^\s\w])
    """, re.VERBOSE)
ENTRY_POINTS = {"@compute", "@vertex", "@fragment"}
SWIZZLE = re.compile(r"[xyzw]{1,4}|[rgba]{1,4}")

# Two tokens of these keep the space between them, so that they do not become one.
OPERATORS = set("-+*/%&|^<>=")


@dataclasses.dataclass
class Name:
    """A member of a structure, what a function declares, or what the module declares (function 0)."""
    text: str
    function: int
    is_member: bool = False
    is_declared: bool = False
    is_kept: bool = False  # the host knows the name


def upper_names():
    """No word of WGSL's own begins with one of these letters alone."""
    yield from string.ascii_uppercase
    for pair in itertools.product(string.ascii_uppercase, string.ascii_lowercase):
        yield "".join(pair)


def lower_names():
    """No word of WGSL's own is a letter, or a letter with a digit."""
    yield from string.ascii_lowercase
    for pair in itertools.product(string.ascii_lowercase, string.digits):
        yield "".join(pair)


def tokens_of(text):
    """Words, of which identifiers are names, each with whether white space stands before it."""
    matches = [match for match in TOKEN.finditer(text) if match.lastgroup != "space"]
    words = [(match[0], match.lastgroup) for match in matches]
    spaced = [left.end() < right.start() for left, right in zip(matches, matches[1:])]
    function = depth = 0
    in_struct = is_entry = is_variable = False
    before, tokens = "", []
    for index, (word, kind) in enumerate(words):
        behind = words[index + 1][0] if index + 1 < len(words) else ""
        is_entry = is_entry or word in ENTRY_POINTS
        in_struct = in_struct or word == "struct"
        function = index if word == "fn" else function
        depth += (word == "{") - (word == "}")
        if word == "}" and depth == 0:
            function, in_struct = 0, False
        if word == "var":
            is_variable = True
        elif word in (";", "=", ":"):
            is_variable = False
        if kind != "name":
            tokens.append(word)
        elif before == "fn":
            tokens.append(Name(word, 0, is_declared=True, is_kept=is_entry))
            is_entry = False
        elif before == "." or (in_struct and behind == ":"):
            tokens.append(Name(word, 0, is_member=True, is_declared=before != "."))
        elif before in ("let", "const", "struct", "alias", "override"):
            tokens.append(Name(word, function, is_declared=True, is_kept=before == "override"))
        elif behind == ":" and before != "case" and word != "default":
            tokens.append(Name(word, function, is_declared=True))
        elif is_variable and before in ("var", ">") and behind in ("=", ";"):
            tokens.append(Name(word, function, is_declared=True))
        else:
            tokens.append(Name(word, function))
        before = word
    return tokens, [False, *spaced]


def shorten_names(tokens):
    """Short names are counted by where names first stand, in the module or the function, so that what texts and
    functions have in common remains so and is zipped well."""
    names = [token for token in tokens if isinstance(token, Name)]
    kept = {name.text for name in names if name.is_kept}
    members = {name.text for name in names if name.is_member and name.is_declared and not SWIZZLE.fullmatch(name.text)}
    globals_ = {name.text for name in names if not name.is_member and name.is_declared and name.function == 0} - kept
    # What the module declares, too, may mean either.
    locals_ = {(name.function, name.text) for name in names
               if name.function and name.is_declared and name.text not in globals_ | kept}
    not_renamed = {name.text for name in names if name.text not in members | globals_}
    uppers = [name for name in upper_names() if name not in not_renamed]
    short_members, short_globals, short_locals, free = {}, {}, {}, {}
    for name in names:
        key = name.function, name.text
        if name.is_member:
            if name.text in members:
                name.text = short_members.setdefault(name.text, uppers[len(short_members)])
        elif key in locals_:
            if key not in short_locals:
                short_locals[key] = next(free.setdefault(name.function, lower_names()))
            name.text = short_locals[key]
        elif name.text in globals_:
            name.text = short_globals.setdefault(name.text, uppers[len(short_globals)])


def shorten(text):
    tokens, spaced = tokens_of(text)
    shorten_names(tokens)
    result = ""
    for token, is_spaced in zip(tokens, spaced):
        word = token.text if isinstance(token, Name) else token
        pair = result[-1:] + word[0]
        if is_spaced and (re.fullmatch(r"\w\w", pair) or OPERATORS.issuperset(pair)):
            result += " "
        result += word
    return result
