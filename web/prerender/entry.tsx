/**
 * Renders every page of the site with a shop's details. scripts/build-web.ts bundles this module into dist/renderer;
 * the server calls `renderSite` when it starts and whenever the details change, and `renderCustomerPage` for a request.
 */
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import type {
  FrameParts,
  ListedPage,
  PageHead,
  RenderedSite,
  SiteInput,
} from '#contracts/api/site-renderer.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { setShopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import { AdminApp } from '#web/dashboard/admin-app.tsx'
import { adminMeta, pageMeta, type PageMeta } from '#web/site/page-meta.ts'
import { pageAt, pages } from '#web/site/pages.ts'
import { paths } from '#web/lib/paths.ts'
import { PublicApp } from '#web/site/public-app.tsx'
import { contentPlaceholder, ServerPageFrame } from '#web/customer-pages/server-page-frame.tsx'
import { Router } from '#web/site/router.tsx'
import { ShopContext } from '#web/lib/shop.ts'
import { htmlDocument, type RenderedPage } from './html-document.ts'
import { robotsTxt, sitemapXml, webManifest } from './site-files.ts'

export { renderCustomerPage } from '#web/customer-pages/render-customer-page.tsx'

const robotsDisallow = [paths.adminDashboard, paths.paymentSuccess]

/**
 * The metadata of three pages (visit, estimate and invitation). Their HTML documents contain the header, the footer and
 * the styles; the server inserts the content.
 */
const visitMeta: PageMeta = {
  file: 'visit',
  path: '/visit',
  module: 'customer-pages/visit-page/enhance-visit-page.ts',
  descriptionOf: (shop) => `Your appointment at ${shop.name}.`,
  indexed: false,
}
const estimateMeta: PageMeta = {
  file: 'estimate',
  path: '/estimate',
  module: 'customer-pages/estimate-page/enhance-estimate-page.ts',
  descriptionOf: (shop) => `Your estimate by ${shop.name}.`,
  indexed: false,
}
const joinMeta: PageMeta = {
  file: 'join',
  path: '/join',
  module: 'customer-pages/enhance-join-page.ts',
  descriptionOf: (shop) => `Your invitation to the team of ${shop.name}.`,
  indexed: false,
}

/**
 * Lists the public pages, the dashboard, and the pages whose content the server inserts. Each page has its own
 * `<head>`.
 */
export function listPages(): ListedPage[] {
  const publicPages = publicMeta().map(({ file, module }) => ({
    file,
    module,
    document: 'public' as const,
  }))
  return [
    ...publicPages,
    { file: adminMeta.file, document: 'admin', module: undefined },
    ...[visitMeta, estimateMeta, joinMeta].map(({ file, module }) => ({
      file,
      module,
      document: 'frame' as const,
    })),
  ]
}

export async function renderSite(input: SiteInput): Promise<RenderedSite> {
  const { shop } = input
  setShopTimeZone(shop.timeZone)
  const rendered = [...(await Promise.all(publicMeta().map(toPublicPage(shop)))), await admin(shop)]
  const html = (page: RenderedPage) => htmlDocument(page, input, headOf(input, page.file))
  const frame = async (meta: PageMeta) => partsOf(html(await toFrame(shop)(meta)))
  return {
    files: {
      ...Object.fromEntries(rendered.map((page) => [`${page.file}.html`, html(page)])),
      'sitemap.xml': sitemapXml(rendered, input.publicUrl),
      'robots.txt': robotsTxt(robotsDisallow, input.publicUrl),
      'site.webmanifest': webManifest(shop),
    },
    frames: {
      visit: await frame(visitMeta),
      estimate: await frame(estimateMeta),
      join: await frame(joinMeta),
    },
  }
}

function headOf({ heads }: SiteInput, file: string): PageHead {
  const head = heads[file]
  if (!head) throw new Error(`The build has no <head> for ${file}.`)
  return head
}

function publicMeta(): PageMeta[] {
  const all = [...pageMeta, ...sandboxMeta()]
  for (const { path } of pages) {
    if (!all.some((meta) => meta.path === path)) {
      throw new Error(`web/site/page-meta.ts has no entry for ${path}.`)
    }
  }
  return all
}

function sandboxMeta(): PageMeta[] {
  if (!pages.some(({ path }) => path === paths.sandboxUi)) return []
  const module = 'site/pages/component-gallery.tsx'
  const descriptionOf = () => 'Components'
  return [{ file: 'sandbox-ui', path: paths.sandboxUi, module, descriptionOf, indexed: false }]
}

const toPublicPage =
  (shop: ShopFacts) =>
  async (meta: PageMeta): Promise<RenderedPage> => ({
    ...describe(meta, shop),
    title: pageAt(meta.path).titleOf(shop),
    document: 'public',
    body: await toHtml(
      shop,
      <Router pathname={meta.path}>
        <PublicApp />
      </Router>,
    ),
  })

const admin = async (shop: ShopFacts): Promise<RenderedPage> => ({
  ...describe(adminMeta, shop),
  title: `Admin Dashboard | ${shop.name}`,
  document: 'admin',
  body: await toHtml(shop, <AdminApp />),
})

const toFrame =
  (shop: ShopFacts) =>
  async (meta: PageMeta): Promise<RenderedPage> => ({
    ...describe(meta, shop),
    // The end of the title of every customer page. The server inserts the page's own title before it.
    title: ` | ${shop.name}`,
    document: 'frame',
    body: await toHtml(
      shop,
      <Router pathname={meta.path}>
        <ServerPageFrame />
      </Router>,
    ),
  })

function partsOf(page: string): FrameParts {
  const [before = '', after = ''] = page.split(contentPlaceholder)
  const titleAt = before.indexOf(titleTag) + titleTag.length
  return [before.slice(0, titleAt), before.slice(titleAt), after]
}

const titleTag = '<title>'

function describe({ file, path, module, descriptionOf, indexed }: PageMeta, shop: ShopFacts) {
  return { file, path, module, description: descriptionOf(shop), indexed }
}

async function toHtml(shop: ShopFacts, app: ReactNode): Promise<string> {
  let failure: unknown
  const { prelude } = await prerender(<ShopContext value={shop}>{app}</ShopContext>, {
    // The infinite chunk size prevents React from streaming a large page in parts, because streaming needs an inline
    // script that the content security policy does not allow.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void (failure ??= error),
  })
  const html = await new Response(prelude).text()
  if (failure) throw failure
  return html
}
