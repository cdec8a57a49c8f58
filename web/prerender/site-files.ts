import type { ShopFacts } from '#domain/shop/shop.ts'
import type { RenderedPage } from './html-document.ts'

/** Lists the pages that search engines may index. */
export function sitemapXml(pages: readonly RenderedPage[], publicUrl: string): string {
  const urls = pages
    .filter((page) => page.indexed)
    .map((page) => `<url><loc>${publicUrl}${page.path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

export function robotsTxt(disallow: readonly string[], publicUrl: string): string {
  const rules = disallow.map((path) => `Disallow: ${path}`).join('\n')
  return `User-agent: *\n${rules}\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/**
 * Returns the web app manifest, which contains the name and the icons of the site when a user installs it
 * (https://www.w3.org/TR/appmanifest/).
 */
export function webManifest({ name }: ShopFacts): string {
  const icon = (size: number) => ({
    src: `/icon-${size}.png`,
    type: 'image/png',
    sizes: `${size}x${size}`,
  })
  return JSON.stringify({
    name,
    short_name: name,
    start_url: '/',
    display: 'browser',
    background_color: '#f3f8fa',
    theme_color: '#b9ddea',
    icons: [{ src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }, icon(192), icon(512)],
  })
}
