import type { RenderCustomerPage, RenderedCustomerPage } from '#contracts/api/customer-pages.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'

/* The output of the web build that the server uses: a module that renders the public pages from the shop's data and a
   customer page for each request, and the contents of each page's `<head>`. */

/**
 * The contents of one page's `<head>`: the first script, the modules that the script imports, the style sheets, and the
 * source files of the style sheets.
 */
export type PageHead = {
  readonly script: FirstScript
  readonly modules: readonly string[]
  readonly css: string
  readonly laterStylesheets: readonly string[]
}

/**
 * The first script of a page. The dashboard has a script file. A public page has an inline script, because a request
 * for a file would take longer than the additional bytes of the HTML.
 */
type FirstScript = { readonly address: string } | { readonly code: string }

/**
 * The contents of every page's `<head>`, by the name of the page's file without '.html'; stored in dist/heads.json.
 */
export type PageHeads = Readonly<Record<string, PageHead>>

/** The data from which the server renders all pages. */
export type SiteInput = {
  readonly shop: ShopFacts
  readonly heads: PageHeads
  /** The normalized public URL of the site, without a trailing slash. */
  readonly publicUrl: string
  /** The configuration of the browser's data client; an empty url means the page's own origin. */
  readonly dataService: { readonly url: string; readonly anonKey: string }
}

export type RenderedSite = {
  /** The rendered files by file name: 'index.html', 'sitemap.xml', 'site.webmanifest'. */
  readonly files: Readonly<Record<string, string>>
  /** The HTML documents into which the server inserts the customer pages. */
  readonly frames: Readonly<Record<RenderedCustomerPage['frame'], FrameParts>>
}

/**
 * The HTML document around a page that the server renders, in three parts: the server inserts the text of the title
 * after the first part and the `<main>` element after the second. The second part starts with the shop's name, which
 * ends the title.
 */
export type FrameParts = readonly [beforeTitle: string, beforeMain: string, after: string]

/** A page and the contents of its `<head>`, before the page is rendered. */
export type ListedPage = {
  /** The name of the page's file without '.html'. */
  readonly file: string
  /**
   * The kind of document: a page of the public site, the dashboard, or the frame of a page that the server renders
   * for each request.
   */
  readonly document: 'public' | 'admin' | 'frame'
  /** The path of the page's module below web/; undefined for the dashboard, whose entry contains its code. */
  readonly module: string | undefined
}

/** The exports of dist/renderer/entry.js, the module that the web build creates. */
export type SiteRenderer = {
  readonly listPages: () => readonly ListedPage[]
  readonly renderSite: (input: SiteInput) => Promise<RenderedSite>
  readonly renderCustomerPage: RenderCustomerPage
}
