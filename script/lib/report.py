# SPDX-License-Identifier: MIT
"""One page out of the pages that `aerogpu run --report` writes, one for each scene and driver."""
import base64
import html
import itertools
import os

BEGIN, END = "<!-- input -->", "<!-- end of input -->"


def folder(root, label, scene):
    """Where the page of one scene goes."""
    return os.path.join(root, label, scene.replace(os.sep, "-"))


def sections_of(page):
    """What stands before the sections, the sections, and what stands behind them."""
    first, last = page.find(BEGIN), page.rfind(END)
    if first < 0 or last < 0:
        return page, "", ""
    return page[:first], page[first:last + len(END)], page[last + len(END):]


def pages_below(root):
    for path, _, names in sorted(os.walk(root)):
        if "index.html" in names:
            with open(os.path.join(path, "index.html"), encoding="utf-8") as file:
                yield os.path.relpath(path, root).split(os.sep)[0], file.read()


def write_picture(out, name, result, file):
    if not os.path.exists(file):
        return
    with open(file, "rb") as picture:
        data = base64.b64encode(picture.read()).decode()
    out.write(f'<figure style="margin: 0; max-width: 32%"><figcaption>{html.escape(name)}: {html.escape(result)}</figcaption>'
              f'<img alt="" style="max-width: 100%; min-width: 8em; image-rendering: pixelated" '
              f'src="data:image/png;base64,{data}"></figure>\n')


def write_pictures(to, title, pictures):
    """A page of pictures (name, result, file), as a section of the merged one. Those of one name stand side by side,
    three in a row however large they are."""
    os.makedirs(to, exist_ok=True)
    with open(os.path.join(to, "index.html"), "w", encoding="utf-8") as out:
        out.write(f"<!doctype html>\n<meta charset=\"utf-8\">\n<title>AeroGPU</title>\n{BEGIN}\n<h2>{html.escape(title)}</h2>\n")
        for _, row in itertools.groupby(pictures, key=lambda picture: picture[0]):
            out.write('<div style="display: flex; flex-wrap: wrap; gap: 1em; margin: .6em 0">\n')
            for name, result, file in row:
                write_picture(out, name, result, file)
            out.write("</div>\n")
        out.write(f"{END}\n")


def merge(root, target):
    """Writes TARGET/index.html from the pages below `root`, under a heading for each label; how many there were."""
    os.makedirs(target, exist_ok=True)
    count, label, end = 0, None, ""
    with open(os.path.join(target, "index.html"), "w", encoding="utf-8") as out:
        for page_label, page in pages_below(root):
            start, sections, end = sections_of(page)
            if count == 0:
                out.write(start)
            if page_label != label:
                label = page_label
                out.write(f"<h1>{html.escape(label)}</h1>\n")
            out.write(sections)
            count += 1
        out.write(end)
    return count
