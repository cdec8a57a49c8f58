import { escapeHtml } from '#domain/escape-html.ts'
import { shop } from '#domain/shop.ts'
import type { RenderedPage } from '../web/entry-prerender.tsx'

type PageFiles = { script: string; modules: string[]; css: string; laterSheets: string[] }

/** One prerendered page as a whole document. No inline script: the policy forbids it, JSON-LD is data. */
export function htmlDocument(page: RenderedPage, files: PageFiles): string {
  const title = escapeHtml(page.title)
  const description = escapeHtml(page.description)
  const url = `%PUBLIC_URL%${page.path}`
  const isFound = page.file !== '404'
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    page.indexed
      ? `<link rel="canonical" href="${url}">`
      : '<meta name="robots" content="noindex">',
    `<style>${page.document === 'frame' ? withoutScripts(files.css) : files.css}</style>`,
    inlinedSheets(page, files),
    entryScript(page, files),
    '<meta name="theme-color" content="#f3f8fa" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#07161f" media="(prefers-color-scheme: dark)">',
    '<meta name="format-detection" content="telephone=no">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
    page.document !== 'frame' && '<meta name="data-service" content="%DATA_SERVICE%">',
    page.document === 'public' && '<meta name="invoice-lookup" content="%INVOICE_LOOKUP%">',
    ...(isFound && page.document === 'public' ? openGraph(title, description, url) : []),
    page.jsonLd && `<script type="application/ld+json">${page.jsonLd}</script>`,
  ]
  const body = page.document === 'admin' ? '<body class="dashboard">' : '<body>'
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.filter(Boolean).join('\n')}\n</head>\n${body}<div id="root">${page.body}</div></body>\n</html>\n`
}

/** No script of a frame asks for the font (web/styles/fonts.css): its styles do, in every browser. */
function withoutScripts(css: string): string {
  return css.replace(/@media \(scripting:\s*none\)/, '@media all')
}

/**
 * The styles of the page's own code are inlined already: a link that is switched off is never fetched, and
 * keeps the code from fetching them when it arrives.
 */
function inlinedSheets(page: RenderedPage, { laterSheets }: PageFiles): string {
  if (page.document === 'frame') return ''
  return laterSheets.map((href) => `<link rel="stylesheet" href="${href}" disabled>`).join('')
}

/** The public entry fetches the rest once the page is painted; the dashboard's is fetched at once. */
function entryScript(page: RenderedPage, { script, modules }: PageFiles): string {
  if (page.document === 'frame') return ''
  if (page.document === 'public') {
    return `<script type="module" fetchpriority="low" src="${script}" data-modules="${modules.join(' ')}"></script>`
  }
  const preloads = modules.map((href) => `<link rel="modulepreload" href="${href}">`)
  return [`<script type="module" src="${script}"></script>`, ...preloads].join('\n')
}

function openGraph(title: string, description: string, url: string): string[] {
  return [
    '<meta property="og:type" content="website">',
    `<meta property="og:site_name" content="${escapeHtml(shop.name)}">`,
    '<meta property="og:locale" content="en_US">',
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    `<meta property="og:url" content="${url}">`,
    '<meta property="og:image" content="%PUBLIC_URL%/social.png">',
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    `<meta property="og:image:alt" content="${escapeHtml(shop.name)}: ${shop.tagline} ${shop.address.city}, ${shop.address.state}.">`,
    '<meta name="twitter:card" content="summary_large_image">',
  ]
}

/** Pages a search engine may list. */
export function sitemapXml(pages: RenderedPage[]): string {
  const urls = pages
    .filter((page) => page.indexed)
    .map((page) => `<url><loc>%PUBLIC_URL%${page.path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

export function robotsTxt(disallow: string[]): string {
  const rules = disallow.map((path) => `Disallow: ${path}`).join('\n')
  return `User-agent: *\n${rules}\n\nSitemap: %PUBLIC_URL%/sitemap.xml\n`
}
