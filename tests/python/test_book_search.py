"""The search index: one document per section, without what a reader should not find."""

import json

from bookbuild.search import SearchPage, search_index

HTML = """<p>A subtitle</p><p>What a decoder looks at.</p><p>Opening words &amp; more.<br>Next line.</p>
<section id="sec-scores" class="level2"><h2><span class="header-section-number">1</span> Three scores</h2>
<p>A <em>dot</em> product <math><mi>q</mi><mo>·</mo><mi>k</mi></math>.</p>
<div class="callout sealed"><p>The secret result.</p><img src="x.png"></div>
<section id="general" class="level3"><h3>General</h3><p>A matrix between.</p>
<table><tr><td>one</td><td>two</td></tr></table></section>
<p>Back in the outer section.</p><script>let hidden;</script><noscript>Needs scripts</noscript></section>
<section id="empty" class="level2"></section>
<nav class="page-navigation"><a href="y.html">Next page</a></nav>"""


def documents(*pages: SearchPage) -> list[dict]:
    return json.loads(search_index(list(pages)))["documents"]


def test_each_section_is_a_document_with_its_own_text() -> None:
    found = documents(SearchPage("chapters/a.html", "Attention", HTML))
    assert [(item["url"], item["section"]) for item in found] == [
        ("chapters/a.html", ""),
        ("chapters/a.html#sec-scores", "Three scores"),
        ("chapters/a.html#general", "General"),
    ]
    assert found[0]["text"] == "A subtitle What a decoder looks at. Opening words & more. Next line."
    assert found[1]["text"] == "A dot product . Back in the outer section."
    assert found[2]["text"] == "A matrix between. one two"
    assert {item["page"] for item in found} == {"Attention"}


def test_sealed_results_and_navigation_are_left_out() -> None:
    text = search_index([SearchPage("a.html", "A", HTML)])
    for word in ("secret", "hidden", "Needs scripts", "Next page"):
        assert word not in text


def test_ids_count_over_all_pages_and_the_bytes_repeat() -> None:
    pages = [SearchPage("a.html", "A", "<p>one</p>"), SearchPage("b.html", "B", "<p>zwei – ∑</p>")]
    assert [item["id"] for item in documents(*pages)] == [0, 1]
    assert search_index(pages) == search_index(pages)
    assert "∑" in search_index(pages)


def test_no_pages_and_an_empty_page() -> None:
    assert documents() == []
    assert documents(SearchPage("a.html", "A", "")) == []
