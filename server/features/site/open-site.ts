import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RenderCustomerPage } from '#contracts/api/customer-pages.ts'
import type { PageHeads, SiteInput, SiteRenderer } from '#contracts/api/site-renderer.ts'
import { dashboardPath, isDashboardPath, tabletPath } from '#contracts/dashboard-paths.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import {
  bareFrames,
  createCustomerPages,
  type SendCustomerPage,
} from '#server/platform/http/pages/customer-pages.ts'
import {
  missingBuild,
  type Pages,
  preparePages,
  type StaticSite,
} from '#server/platform/http/pages/static-pages.ts'

/** The public site that this process serves: the web build, rendered with the shop details. */
export type Site = {
  /** The pages and files that `servePages` sends; undefined without a web build, as in tests of the API. */
  readonly served: StaticSite | undefined
  readonly sendCustomerPage: SendCustomerPage
  /** Renders all pages, then replaces all current pages in one step. If a rendering fails, the current pages remain. */
  readonly render: (shop: ShopFacts) => Promise<void>
}

export type SiteOptions = Omit<SiteInput, 'shop' | 'heads'> & {
  /** The output folder of scripts/build-web.ts. */
  readonly directory: string
  /** The renderer that tests use for customer pages; undefined to use the renderer of the web build. */
  readonly renderCustomerPage: RenderCustomerPage | undefined
}

type Shown = { readonly pages: Pages; readonly sendCustomerPage: SendCustomerPage }

export async function openSite(options: SiteOptions): Promise<Site> {
  const { directory, renderCustomerPage, ...settings } = options
  const build = await readBuild(directory)
  const renderPage = renderCustomerPage ?? build?.renderer.renderCustomerPage
  let shown: Shown = {
    pages: new Map(),
    sendCustomerPage: (reply) =>
      reply.code(503).type('text/plain; charset=utf-8').send(missingBuild),
  }
  return {
    served: build && {
      directory,
      currentPages: () => shown.pages,
      application: { path: dashboardPath, hasView: isDashboardPath, alias: tabletPath },
    },
    sendCustomerPage: (...page) => shown.sendCustomerPage(...page),
    async render(shop) {
      if (!renderPage) return
      const { pages, frames, permissions } = build
        ? await renderBuild(build, settings, shop)
        : { pages: new Map(), frames: bareFrames, permissions: {} }
      const customerPages = { render: renderPage, frames, shop, permissions }
      shown = { pages, sendCustomerPage: createCustomerPages(customerPages) }
    },
  }
}

type Build = { readonly renderer: SiteRenderer; readonly heads: PageHeads }

async function renderBuild(
  { renderer, heads }: Build,
  settings: Omit<SiteInput, 'shop' | 'heads'>,
  shop: ShopFacts,
) {
  const publicUrl = normal(settings.publicUrl)
  const { files, frames } = await renderer.renderSite({ ...settings, shop, heads, publicUrl })
  const permissions = { scripts: scriptsInside(heads) }
  const dataServiceUrl = settings.dataService.url || undefined
  return { pages: preparePages(files, { ...permissions, dataServiceUrl }), frames, permissions }
}

async function readBuild(directory: string): Promise<Build | undefined> {
  const file = join(directory, 'renderer/entry.js')
  if (!existsSync(file)) return undefined
  const [renderer, heads] = await Promise.all([
    import(pathToFileURL(file).href) as Promise<SiteRenderer>,
    readFile(join(directory, 'heads.json'), 'utf8'),
  ])
  return { renderer, heads: JSON.parse(heads) as PageHeads }
}

/** Returns the inline scripts in the page heads of the build, without duplicates. */
function scriptsInside(heads: PageHeads): string[] {
  const scripts = Object.values(heads).flatMap(({ script }) =>
    'code' in script ? [script.code] : [],
  )
  return [...new Set(scripts)]
}

/** Normalizes a URL. A normalized URL contains no quotes and no angle brackets, so it is safe in HTML, XML and JSON. */
function normal(publicUrl: string): string {
  return new URL(publicUrl).href.replace(/\/$/, '')
}
