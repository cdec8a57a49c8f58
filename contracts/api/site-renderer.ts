import type { RenderCustomerPage, RenderedCustomerPage } from '#contracts/api/customer-pages.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'

/* The parts of the web build that the server uses: the contents of each page's `<head>`, and a module that renders
   HTML. The module renders the public pages from the shop's data, and a customer page for each request. */

/**
 * The contents of one page's `<head>`: the first script, the modules that the script imports, the style sheets, and the
 * paths of the source files of the style sheets.
 */
export type PageHead = {
  readonly script: FirstScript
  readonly modules: readonly string[]
  readonly css: string
  readonly laterStylesheets: readonly string[]
}

/**
 * The script that a page runs first: the URL of a file for the dashboard, the code itself for a public page. A public
 * page contains the code, because a request for a file would take longer than the additional bytes of the HTML.
 */
type FirstScript = { readonly address: string } | { readonly code: string }

/**
 * The contents of every page's `<head>`, by the name of the page's file without '.html'; stored in dist/heads.json.
 */
export type PageHeads = Readonly<Record<string, PageHead>>

/** The data from which `renderSite` renders the public pages and the HTML documents around customer pages. */
export type SiteInput = {
  readonly shop: ShopFacts
  readonly heads: PageHeads
  /** The normalized public URL of the site, without a trailing slash. */
  readonly publicUrl: string
  /** The URL and the public key with which browsers call the REST API; an empty URL means the origin of the page. */
  readonly dataService: { readonly url: string; readonly anonKey: string }
}

export type RenderedSite = {
  /** The rendered files by file name: 'index.html', 'sitemap.xml', 'site.webmanifest'. */
  readonly files: Readonly<Record<string, string>>
  /** The HTML documents into which the server inserts the customer pages. */
  readonly frames: Readonly<Record<RenderedCustomerPage['frame'], FrameParts>>
}

/**
 * The HTML document around a customer page, in three parts. The server inserts the text of the title after the first
 * part and the `<main>` element after the second. The second part starts with the shop's name, the end of the title.
 */
export type FrameParts = readonly [beforeTitle: string, beforeMain: string, after: string]

/** A page of the web build: its file name, the kind of its document, and its module. */
export type ListedPage = {
  /** The name of the page's file without '.html'. */
  readonly file: string
  /**
   * The kind of document: a page of the public site, the dashboard, or the frame of a page that the server renders
   * for each request.
   */
  readonly document: 'public' | 'admin' | 'frame'
  /**
   * The path below web/ of the module with the page's code; undefined for the dashboard, whose code is in its entry
   * module.
   */
  readonly module: string | undefined
}

/** The exports of dist/renderer/entry.js, the module that the web build creates. */
export type SiteRenderer = {
  readonly listPages: () => readonly ListedPage[]
  readonly renderSite: (input: SiteInput) => Promise<RenderedSite>
  readonly renderCustomerPage: RenderCustomerPage
}
