/**
 * Renders every page to HTML at build; scripts/build-web.ts bundles and runs it. The server fills three
 * placeholders at its start, in every file of dist/pages (HTML, sitemap.xml, robots.txt):
 *
 * - `%PUBLIC_URL%`   the site's origin without a trailing slash ('https://torqueandtiming.example'):
 *                    canonical, Open Graph, JSON-LD, sitemap, robots.
 * - `%DATA_SERVICE%` the content of `<meta name="data-service">`: HTML-escaped JSON
 *                    `{"url":"","anonKey":"…"}`, where an empty url means the page's own origin.
 * - `%INVOICE_LOOKUP%` what an invoice is found by: an `InvoiceLookup` of the contracts.
 *
 * Of a frame (dist/frames) it fills in `%CONTENT%` at each request.
 */
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { shop } from '#domain/shop.ts'
import { AdminApp } from './app/admin-app.tsx'
import { adminMeta, pageMeta, type PageMeta } from './app/page-meta.ts'
import { pageAt, pages } from './app/pages.ts'
import { paths } from './app/paths.ts'
import { PublicApp } from './app/public-app.tsx'
import { VisitFrame } from './app/visit-frame.tsx'
import { autoRepairJsonLd } from './app/structured-data.ts'
import { Router } from './lib/router.tsx'

export type RenderedPage = PageMeta & {
  title: string
  /** Which of the documents the page belongs to; a frame has no script, the server writes what is in it. */
  document: 'public' | 'admin' | 'frame'
  /** What goes inside `<div id="root">`. */
  body: string
  /** Structured data for the head. */
  jsonLd: string
}

export const robotsDisallow = [paths.adminDashboard, paths.paymentSuccess]

export async function renderPages(): Promise<RenderedPage[]> {
  const sandbox: PageMeta[] = pages.some(({ path }) => path === paths.sandboxUi)
    ? [
        {
          file: 'sandbox-ui',
          path: paths.sandboxUi,
          module: 'pages/sandbox-ui.tsx',
          description: 'Components',
          indexed: false,
        },
      ]
    : []
  const publicPages = [...pageMeta, ...sandbox]
  for (const { path } of pages) {
    if (!publicPages.some((meta) => meta.path === path)) {
      throw new Error(`web/app/page-meta.ts says nothing about ${path}.`)
    }
  }
  return [
    ...(await Promise.all(publicPages.map(renderPublic))),
    {
      ...adminMeta,
      title: `Admin Dashboard | ${shop.name}`,
      document: 'admin',
      body: await toHtml(<AdminApp />),
      jsonLd: '',
    },
    await renderVisitFrame(),
  ]
}

async function renderVisitFrame(): Promise<RenderedPage> {
  const body = await toHtml(
    <Router pathname="/visit">
      <VisitFrame />
    </Router>,
  )
  return {
    file: 'visit',
    path: '/visit',
    title: `Your appointment | ${shop.name}`,
    description: `Your appointment at ${shop.name}.`,
    indexed: false,
    document: 'frame',
    body,
    jsonLd: '',
  }
}

async function renderPublic(meta: PageMeta): Promise<RenderedPage> {
  const body = await toHtml(
    <Router pathname={meta.path}>
      <PublicApp />
    </Router>,
  )
  const jsonLd = meta.indexed ? autoRepairJsonLd() : ''
  return { ...meta, title: pageAt(meta.path).title, document: 'public', body, jsonLd }
}

async function toHtml(app: ReactNode): Promise<string> {
  let failure: unknown
  const { prelude } = await prerender(app, {
    // Never move a large page behind an inline script: the content security policy has none.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void (failure ??= error),
  })
  const html = await new Response(prelude).text()
  if (failure) throw failure
  return html
}
