"""Style sheets of pages. Dark colours apply to screens alone, so that paper is always light.

Text meets WCAG AA against its ground in both schemes. Blue and orange stay apart for every common colour blindness, and
"before" is an outline while "after" is filled, so that they stay apart in grey as well. A style sheet holds no `<` and
no `&`: it stands in the page as it is.
"""

from sharewell.io.shipped import shipped_text

CSS = f"\n{shipped_text('dossier/style.css')}"
RECIPIENT_CSS = f"\n{shipped_text('dossier/recipient.css')}"
"""Of the page for recipients: small, because every release carries it."""
