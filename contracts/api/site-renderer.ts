import type { RenderCustomerPage, RenderedCustomerPage } from '#contracts/api/customer-pages.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'

/*
 * The output of the web build that the server uses: a module that renders the public pages from the shop's facts and a
 * customer page for each request, and the contents of each page's head.
 */

/**
 * The head of one page: its first script, the modules that the script imports, its styles, and the source files of the
 * styles.
 */
export type PageHead = {
  readonly script: FirstScript
  readonly modules: readonly string[]
  readonly css: string
  readonly laterStylesheets: readonly string[]
}

/**
 * The dashboard's first script is a file. A public page's is inline, because a request would cost more time than its
 * size.
 */
type FirstScript = { readonly address: string } | { readonly code: string }

/** By the name of a page's file without '.html'; stored in dist/heads.json. */
export type PageHeads = Readonly<Record<string, PageHead>>

/** All data that the pages are rendered from. */
export type SiteInput = {
  readonly shop: ShopFacts
  readonly heads: PageHeads
  /** The public URL of the site, normalized, without a trailing slash. */
  readonly publicUrl: string
  /** The configuration of the browser's data client; an empty url means the page's own origin. */
  readonly dataService: { readonly url: string; readonly anonKey: string }
}

export type RenderedSite = {
  /** By file name: 'index.html', 'sitemap.xml', 'site.webmanifest'. */
  readonly files: Readonly<Record<string, string>>
  /** The documents around the customer pages. */
  readonly frames: Readonly<Record<RenderedCustomerPage['frame'], FrameParts>>
}

/**
 * A document in three parts, without the text of its title and without its `<main>`. The title ends with the shop's
 * name, which starts the second part.
 */
export type FrameParts = readonly [beforeTitle: string, beforeMain: string, after: string]

/** A page with its head, before it is rendered. */
export type ListedPage = {
  /** The name of its file without '.html'. */
  readonly file: string
  /** A page of the public site, the dashboard, or the document around a page that the server renders. */
  readonly document: 'public' | 'admin' | 'frame'
  /** The path of its module below web/; undefined for the dashboard, whose code is in its entry. */
  readonly module: string | undefined
}

/** The exports of dist/renderer/entry.js. */
export type SiteRenderer = {
  readonly listPages: () => readonly ListedPage[]
  readonly renderSite: (input: SiteInput) => Promise<RenderedSite>
  readonly renderCustomerPage: RenderCustomerPage
}
