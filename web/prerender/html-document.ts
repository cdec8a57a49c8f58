import type { ListedPage, PageHead, SiteInput } from '#contracts/api/site-renderer.ts'
import { escapeHtml } from '#domain/text/escape-html.ts'
import { cityAndState, type ShopFacts } from '#domain/shop/shop.ts'
import { paths } from '#web/lib/paths.ts'
import { autoRepairJsonLd } from '#web/site/structured-data.ts'
import { shopElementId } from '#web/lib/shop.ts'

/** The data from which the document of a page is built. */
export type RenderedPage = ListedPage & {
  path: string
  title: string
  description: string
  /** Whether search engines may index the page. If false, the sitemap leaves out the page. */
  indexed: boolean
  /** The content of `<div id="root">`. */
  body: string
}

/**
 * Returns a rendered page as a complete document. Its only inline script comes from the build, and the content security
 * policy allows that script by its hash. JSON-LD and the shop's details are data, not scripts.
 */
export function htmlDocument(page: RenderedPage, site: SiteInput, files: PageHead): string {
  const { shop } = site
  const title = escapeHtml(page.title)
  const description = escapeHtml(page.description)
  const url = `${site.publicUrl}${page.path}`
  const isFound = page.file !== '404'
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    page.indexed
      ? `<link rel="canonical" href="${url}">`
      : '<meta name="robots" content="noindex">',
    `<style>${files.css}</style>`,
    inlineStylesheets(page, files),
    firstScript(files),
    '<meta name="theme-color" content="#f3f8fa" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#07161f" media="(prefers-color-scheme: dark)">',
    '<meta name="format-detection" content="telephone=no">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
    page.document !== 'frame' &&
      `<meta name="data-service" content="${escapeHtml(JSON.stringify(site.dataService))}">`,
    ...(isFound && page.document === 'public' ? openGraph(site, title, description, url) : []),
    page.indexed &&
      `<script type="application/ld+json">${inScript(autoRepairJsonLd(shop, site.publicUrl))}</script>`,
  ]
  const body = page.document === 'admin' ? '<body class="dashboard">' : '<body>'
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.filter(Boolean).join('\n')}\n</head>\n${body}<div id="root">${page.body}</div>${page.document === 'frame' ? '' : factsBlock(factsFor(page, shop))}</body>\n</html>\n`
}

/**
 * Only the HTML of the booking page contains the list of services, because the list would make every other page larger.
 */
function factsFor({ path }: RenderedPage, shop: ShopFacts): ShopFacts {
  return path === paths.bookAppointment ? shop : { ...shop, services: [] }
}

/** The shop's details for hydration, at the end of the body so that the details do not delay the content. */
function factsBlock(shop: ShopFacts): string {
  return `<script type="application/json" id="${shopElementId}">${inScript(shop)}</script>`
}

/** JSON for a `<script>` element, escaped so that no text in it can end the element. */
function inScript(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}

/**
 * Adds a disabled link for each style sheet whose rules are already inlined. The browser does not fetch a disabled
 * link. Vite's code, which would load the style sheet together with the page's module, finds the link and does not
 * fetch it either.
 */
function inlineStylesheets(page: RenderedPage, { laterStylesheets }: PageHead): string {
  if (page.document === 'frame') return ''
  return laterStylesheets.map((href) => `<link rel="stylesheet" href="${href}" disabled>`).join('')
}

/**
 * Returns the first script of the page. An inline first script loads the other modules after the browser has painted
 * the page. For an external first script, preload links let the browser fetch the other modules early.
 */
function firstScript({ script, modules }: PageHead): string {
  if ('code' in script) {
    return `<script type="module" data-modules="${modules.join(' ')}">${script.code}</script>`
  }
  const preloads = modules.map((href) => `<link rel="modulepreload" href="${href}">`)
  return [`<script type="module" src="${script.address}"></script>`, ...preloads].join('\n')
}

function openGraph(
  { shop, publicUrl }: SiteInput,
  title: string,
  description: string,
  url: string,
): string[] {
  const name = escapeHtml(shop.name)
  return [
    '<meta property="og:type" content="website">',
    `<meta property="og:site_name" content="${name}">`,
    '<meta property="og:locale" content="en_US">',
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    `<meta property="og:url" content="${url}">`,
    `<meta property="og:image" content="${publicUrl}/social.png">`,
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    `<meta property="og:image:alt" content="${name}: ${escapeHtml(`${shop.tagline} ${cityAndState(shop)}.`)}">`,
    '<meta name="twitter:card" content="summary_large_image">',
  ]
}
