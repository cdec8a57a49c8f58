import type { ShopFacts } from '#domain/shop/shop.ts'

/*
 * What the build of the browser's part hands to the server: a module that writes all pages for the facts of
 * the shop, and what the head of each page names.
 */

/** Of one page: its first script, what that imports, its styles, and which sheets they came from. */
export type PageHead = {
  readonly script: FirstScript
  readonly modules: readonly string[]
  readonly css: string
  readonly laterStylesheets: readonly string[]
}

/** The dashboard's is fetched. A public page's stands in the page: one more way to the server would cost more than it. */
type FirstScript = { readonly address: string } | { readonly code: string }

/** By the name of a page's file without '.html'; dist/heads.json. */
export type PageHeads = Readonly<Record<string, PageHead>>

/** All that the pages are made of. */
export type SiteInput = {
  readonly shop: ShopFacts
  readonly heads: PageHeads
  /** Where visitors reach the site, in normal form without a trailing slash. */
  readonly publicUrl: string
  /** What the browser's data client needs; an empty url means the page's own origin. */
  readonly dataService: { readonly url: string; readonly anonKey: string }
}

export type RenderedSite = {
  /** By the name of the file: 'index.html', 'sitemap.xml', 'site.webmanifest'. */
  readonly files: Readonly<Record<string, string>>
  /** What is around a page that the server writes itself. */
  readonly frames: Readonly<Record<string, FrameParts>>
}

/**
 * A document without the words of its title and without its `<main>`. The title ends with the shop's name, which begins
 * the second part.
 */
export type FrameParts = readonly [beforeTitle: string, beforeMain: string, after: string]

/** A page that has a head, before it is written. */
export type ListedPage = {
  /** The name of its file without '.html'. */
  readonly file: string
  /** The visitors' site, the dashboard, or the frame of a page that the server writes. */
  readonly document: 'public' | 'admin' | 'frame'
  /** The file of its code below web/; the dashboard's stands in its entry. */
  readonly module: string | undefined
}

/** What dist/renderer/entry.js exports. */
export type SiteRenderer = {
  readonly listPages: () => readonly ListedPage[]
  readonly renderSite: (input: SiteInput) => Promise<RenderedSite>
}
