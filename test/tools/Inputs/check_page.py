#!/usr/bin/env python3
"""Checks a page that `spirv-tailor report` wrote.

    check_page.py PAGE.html [--part ID]

It is well formed, as XML and for an HTML parser: every element that is opened is closed, in order.
It asks for no other file, holds no script, no id twice and no link to a place that is not there; every
row of a table is as wide as its head. With --part the text of the element with that id is printed,
a line for each element, for FileCheck.
"""
import html.parser
import re
import sys
import xml.etree.ElementTree

VOID = {"meta", "br", "link", "img", "input", "hr"}
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "nav", "main", "header", "footer", "section", "article", "div",
    "p", "span", "b", "strong", "code", "a", "h1", "h2", "h3", "h4", "table", "caption", "tr", "th", "td", "figure",
    "figcaption", "details", "summary", "dl", "dt", "dd", "svg", "line", "rect", "circle", "path", "text",
}


class Balance(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.faults = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"line {self.getpos()[0]}: </{tag}> closes another element")


def width(row):
    return sum(int(cell.get("colspan", 1)) for cell in row)


def check(text):
    balance = Balance()
    balance.feed(text)
    balance.close()
    yield from balance.faults
    if balance.open:
        yield f"never closed: {balance.open}"
    root = xml.etree.ElementTree.fromstring(text)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    for each in sorted(set(ids)):
        if ids.count(each) > 1:
            yield f"the id {each} is there more than once"
    for element in root.iter():
        if element.tag not in ALLOWED:
            yield f"unexpected element {element.tag}"
        for name, value in element.items():
            if name in ("src", "srcset", "action", "style") or name.startswith("on"):
                yield f"attribute {name} of {element.tag}"
            if name == "href" and (not value.startswith("#") or value[1:] not in ids):
                yield f"a link leads to {value!r}"
            if not value.isprintable():
                yield f"attribute {name} of {element.tag} holds {value!r}"
    for style in root.iter("style"):
        for outside in re.findall(r"url\(|@import|https?:", style.text):
            yield f"the style sheet asks for something: {outside}"
    for table in root.iter("table"):
        rows = list(table.iter("tr"))
        if any(width(row) != width(rows[0]) for row in rows):
            yield f"rows of different width in table {table.get('class')}"
    for svg in root.iter("svg"):
        for element in svg.iter():
            for name in ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "d"):
                if re.search("nan|inf", element.get(name, "")):
                    yield f"{element.tag} stands at {element.get(name)}"


def lines(element):
    """The text of an element, a line for each part that stands by itself."""
    inline = {"b", "span", "strong", "code", "a", "td", "th", "dt", "dd", "title"}
    text = (element.text or "").replace("\n", " ")
    for child in element:
        inner = lines(child)
        joint = " " if child.tag in ("td", "th", "dt", "dd", "b", "span") else "" if child.tag in inline else "\n"
        text += joint + inner + joint + (child.tail or "").replace("\n", " ")
    return text


def main(arguments):
    text = open(arguments[0], encoding="utf-8").read()
    faults = list(check(text))
    print(*faults, sep="\n", file=sys.stderr)
    if len(arguments) == 3 and arguments[1] == "--part":
        root = xml.etree.ElementTree.fromstring(text)
        part = [e for e in root.iter() if e.get("id") == arguments[2]]
        if len(part) != 1:
            faults.append(f"no part {arguments[2]}")
        for each in part:
            for line in lines(each).splitlines():
                if line.strip():
                    print(" ".join(line.split()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
