import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageHeads, SiteInput, SiteRenderer } from '#contracts/api/site-renderer.ts'
import { dashboardPath, isDashboardPath } from '#contracts/dashboard-paths.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import {
  bareFrame,
  createPageFrame,
  type PageFrame,
} from '#server/platform/http/pages/page-frame.ts'
import {
  type Pages,
  preparePages,
  type StaticSite,
} from '#server/platform/http/pages/static-pages.ts'

/** The public site of this process: the build in a directory, rendered with the details of the shop. */
export type Site = {
  /** For `servePages`; undefined without a build, as in tests of the API. */
  readonly served: StaticSite | undefined
  /** The frame around visit pages. */
  readonly visitFrame: () => PageFrame
  /** The frame around estimate pages. */
  readonly estimateFrame: () => PageFrame
  /** Renders all pages and then replaces the current ones together. When it throws, the current pages stay. */
  readonly render: (shop: ShopFacts) => Promise<void>
}

export type SiteOptions = Omit<SiteInput, 'shop' | 'heads'> & {
  /** The output folder of scripts/build-web.ts. */
  readonly directory: string
}

type Shown = {
  readonly pages: Pages
  readonly visitFrame: PageFrame
  readonly estimateFrame: PageFrame
}

export async function openSite({ directory, ...settings }: SiteOptions): Promise<Site> {
  const build = await readBuild(directory)
  let shown: Shown = { pages: new Map(), visitFrame: bareFrame, estimateFrame: bareFrame }
  return {
    served: build && {
      directory,
      currentPages: () => shown.pages,
      application: { path: dashboardPath, hasView: isDashboardPath },
    },
    visitFrame: () => shown.visitFrame,
    estimateFrame: () => shown.estimateFrame,
    async render(shop) {
      if (!build) return
      const input = { ...settings, shop, heads: build.heads, publicUrl: normal(settings.publicUrl) }
      const { files, frames } = await build.renderer.renderSite(input)
      const scripts = scriptsInside(build.heads)
      const pages = preparePages(files, {
        scripts,
        dataServiceUrl: settings.dataService.url || undefined,
      })
      const frameOf = (file: string) => createPageFrame(frames[file] ?? ['', '', ''], { scripts })
      shown = { pages, visitFrame: frameOf('visit'), estimateFrame: frameOf('estimate') }
    },
  }
}

async function readBuild(directory: string) {
  const file = join(directory, 'renderer/entry.js')
  if (!existsSync(file)) return undefined
  const [renderer, heads] = await Promise.all([
    import(pathToFileURL(file).href) as Promise<SiteRenderer>,
    readFile(join(directory, 'heads.json'), 'utf8'),
  ])
  return { renderer, heads: JSON.parse(heads) as PageHeads }
}

/** The inline scripts of the build, without duplicates. */
function scriptsInside(heads: PageHeads): string[] {
  const scripts = Object.values(heads).flatMap(({ script }) =>
    'code' in script ? [script.code] : [],
  )
  return [...new Set(scripts)]
}

/** A normalized URL contains no quote and no angle bracket, so it is safe in HTML, XML and JSON. */
function normal(publicUrl: string): string {
  return new URL(publicUrl).href.replace(/\/$/, '')
}
