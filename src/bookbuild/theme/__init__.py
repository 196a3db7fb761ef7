"""The look of the site: styles, scripts and fonts. book.css and book.js are what the build bundles."""
