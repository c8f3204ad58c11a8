"""The page: questions, why, when and where, looking around, SPARQL and the data, in a browser.

HTML comes from the service (jinja2 templates in `templates/page/`), parts of it by htmx; modules of our own in
`static/` draw charts and edit. Begin in `routes.py`: one package for each part of the page, over what all share,
`frame/`.
"""
