/**
 * Compares the built pages with their byte budgets, compressed with brotli as the server sends them. The size includes
 * the scripts in the page's HTML, the inlined styles, and the API client supabase-js if the page loads it immediately.
 * Prints a table, and fails when a page exceeds its budget.
 */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Manifest } from 'vite'
import type { SiteRenderer } from '#contracts/api/site-renderer.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'

type Budget = {
  page: string
  file: string
  scriptKb?: number
  loadsDataClient?: boolean
  /**
   * The budget of the first response: the first congestion window of a connection is 14.6 kB (RFC 6928), of which the
   * headers take 1 kB.
   */
  htmlKb?: number
}

/** Byte budgets of the public pages and of the dashboard. */
const budgets: Budget[] = [
  { page: '/', file: 'index', scriptKb: 75, htmlKb: 13.5 },
  { page: '/book-appointment', file: 'book-appointment', scriptKb: 125, loadsDataClient: true },
  { page: '/request-quote', file: 'request-quote', scriptKb: 105, loadsDataClient: true },
  { page: '/pay-invoice', file: 'pay-invoice', scriptKb: 80 },
  { page: '/payment-success', file: 'payment-success', scriptKb: 80 },
  { page: '/privacy', file: 'privacy', scriptKb: 80 },
  { page: 'not found', file: '404', scriptKb: 80 },
  // The budgets of the visit page (a customer's page of one booking) and the estimate page are small, because the
  // server renders these pages and they work without scripts.
  { page: '/visit', file: 'visit', scriptKb: 3 },
  { page: '/estimate', file: 'estimate', scriptKb: 3 },
  // The budget of the dashboard is 112 kB for its code and 30 kB for its router (decision 33).
  { page: '/admin-dashboard', file: 'admin-dashboard', scriptKb: 142 },
]
const styleKb = 15
const dist = path.resolve(import.meta.dirname, '../..', process.argv[2] ?? 'dist')
const kb = (bytes: number) => bytes / 1000

const manifest: Manifest = JSON.parse(await readFile(path.join(dist, 'manifest-site.json'), 'utf8'))
const { files, frames } = await renderSite()
/**
 * The HTML documents of the visit page (a customer's page of one booking) and the estimate page, without the content
 * that the server adds for each request.
 */
const documents: Readonly<Record<string, string>> = {
  visit: frames.visit.join(''),
  estimate: frames.estimate.join(''),
}
const findings: string[] = []
console.log('page                scripts    budget    styles    HTML      (kB, brotli)')
for (const budget of budgets) await measure(budget)
findForgotten()
for (const finding of findings) console.error(finding)
process.exitCode = findings.length > 0 ? 1 : 0

async function measure({ page, file, scriptKb, loadsDataClient, htmlKb = Infinity }: Budget) {
  const html = files[`${file}.html`] ?? documents[file] ?? ''
  const scripts = scriptsOf(html)
  if (loadsDataClient) scripts.push(...dataClient())
  const sizes = await Promise.all([...new Set(scripts)].map(compressedSize))
  const script = kb(sizes.reduce((sum, size) => sum + size, 0))
  const style = kb(brotliSize(/<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''))
  const sent = kb(brotliSize(html))
  const columns = [script, scriptKb, style, sent]
  const row = columns.map((value) => (value === undefined ? '-' : value.toFixed(1)).padEnd(10))
  console.log(page.padEnd(20) + row.join(''))
  if (scriptKb === undefined) return
  if (script > scriptKb)
    findings.push(`${page}: ${script.toFixed(1)} kB of scripts, ${scriptKb} allowed.`)
  if (style > styleKb)
    findings.push(`${page}: ${style.toFixed(1)} kB of styles, ${styleKb} allowed.`)
  if (sent > htmlKb) findings.push(`${page}: ${sent.toFixed(1)} kB of HTML, ${htmlKb} allowed.`)
}

/** Fails for a page without a budget, except for the page that shows all UI components in development builds. */
function findForgotten() {
  const budgeted = new Set(budgets.map(({ file }) => `${file}.html`))
  for (const file of Object.keys(files)) {
    if (!file.endsWith('.html') || file.startsWith('sandbox-') || budgeted.has(file)) continue
    findings.push(`${file} has no budget in scripts/checks/check-bytes.ts.`)
  }
}

function scriptsOf(html: string): string[] {
  return [...html.matchAll(/\/assets\/[\w-]+\.js/g)].map(([name]) => name)
}

function dataClient(): string[] {
  const chunk = Object.entries(manifest).find(([module]) =>
    module.includes('@supabase/supabase-js'),
  )
  if (!chunk) throw new Error('The build has no chunk of the data client.')
  return [`/${chunk[1].file}`]
}

async function compressedSize(file: string): Promise<number> {
  return (await stat(path.join(dist, `${file}.br`))).size
}

/** Compresses a text in the same way as server/platform/http/pages/static-pages.ts. */
function brotliSize(text: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
  return brotliCompressSync(text, { params }).length
}

/** Renders the pages as the server does for a new shop. */
async function renderSite() {
  const file = pathToFileURL(path.join(dist, 'renderer/entry.js')).href
  const renderer: SiteRenderer = await import(file)
  return renderer.renderSite({
    shop: defaultShop,
    heads: JSON.parse(await readFile(path.join(dist, 'heads.json'), 'utf8')),
    publicUrl: 'http://localhost:3000',
    dataService: { url: '', anonKey: '' },
  })
}
