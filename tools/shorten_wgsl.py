# SPDX-License-Identifier: MIT
"""WGSL without comments, white space and long names, for modules that are downloaded."""
import itertools
import re
import string

# What the host knows by name, and words that are no names where a declaration's colon or bracket follows them.
ENTRY = r"@(?:compute|vertex|fragment)\b[^;{}]*?\bfn\s+(\w+)"
OVERRIDE = r"\boverride\s+(\w+)"
WORDS = {"default", "storage", "uniform", "read", "read_write", "write", "workgroup", "private", "function"}
SWIZZLE = r"[xyzw]{1,4}|[rgba]{1,4}"

DECLARED = r"\b(?:let|const|fn|struct|alias|var(?:<[^>]*>)?)\s+([A-Za-z_]\w*)|\b([A-Za-z_]\w*)\s*:"
ATTRIBUTE_OR_WORD = r"(@(?:builtin|interpolate)\([^()]*\)|@\w+)|([A-Za-z_]\w*)"

# An operator that follows another keeps its space, so that no two tokens become one.
OPERATOR = r"[=!<>]=|<<|>>|&&|\|\||[-+*/%&|^]=|[-+*/%&|^<>=,:;{}]"


def short_names():
    """No word of WGSL's own begins with one of these letters alone."""
    yield from string.ascii_uppercase
    for pair in itertools.product(string.ascii_uppercase, string.ascii_lowercase):
        yield "".join(pair)


def rename(text):
    """The same name becomes the same short name everywhere. They are counted by where they first stand, so that texts
    with the same beginning keep it and are zipped well."""
    kept = WORDS | set(re.findall(ENTRY, text)) | set(re.findall(OVERRIDE, text))
    names = {name for pair in re.findall(DECLARED, text) for name in pair if name}
    names = {name for name in names - kept if not re.fullmatch(SWIZZLE, name)}
    words = list(dict.fromkeys(word for _, word in re.findall(ATTRIBUTE_OR_WORD, text)))
    free = (name for name in short_names() if name not in words)
    short = dict(zip((word for word in words if word in names), free))
    if len(short) < len(names):
        raise ValueError(f"{len(names)} names are too many")
    return re.sub(ATTRIBUTE_OR_WORD, lambda match: match[1] or short.get(match[2], match[2]), text)


def shorten(text):
    text = rename(re.sub(r"//[^\n]*", "", text))
    text = re.sub(r"\n\s+", "\n", text)
    text = re.sub(" ?(" + OPERATOR + ") (?![-+&|=<>*/])", r"\1", text)
    return re.sub(r"(?<=[;,{}])\n|\n(?=\})", "", text)
