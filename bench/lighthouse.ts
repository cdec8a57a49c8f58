import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from 'chrome-launcher'
import lighthouse, { type Result } from 'lighthouse'
import { browserFlags, findBrowser } from '#testing/browser.ts'
import { startShop } from '#testing/shop-process.ts'

/*
 * Lighthouse's simulated mobile, the median of three runs of every public page, or of those named:
 *   npx node bench/lighthouse.ts [runs] [page …]
 */

const everyPage = [
  '/',
  '/book-appointment',
  '/request-quote',
  '/pay-invoice',
  '/payment-success',
  '/privacy',
]
const [runsWanted = 3, ...pagesWanted] = process.argv.slice(2)
const runs = Number(runsWanted)
const pages = pagesWanted.length > 0 ? pagesWanted : everyPage

const shop = await startShop({ RATE_LIMITS: 'off' })
const profile = mkdtempSync(join(tmpdir(), 'torque-lighthouse-'))
const executable = findBrowser()
const chrome = await launch({
  chromeFlags: [...browserFlags, '--headless=new'],
  userDataDir: profile,
  ...(executable ? { chromePath: executable } : {}),
})

try {
  const rows: Record<string, Record<string, string | number>> = {}
  for (const page of pages) rows[page] = await measure(page)
  console.table(rows)
} finally {
  chrome.kill()
  await shop.end()
  rmSync(profile, { recursive: true, force: true })
}

async function measure(page: string): Promise<Record<string, string | number>> {
  const results: Result[] = []
  for (let tries = 0; results.length < runs && tries < 3 * runs; tries += 1) {
    const report = await lighthouse(`${shop.url}${page}`, {
      port: chrome.port,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    })
    // A run that saw no paint measured nothing; it is taken again.
    if (report && !report.lhr.runtimeError) results.push(report.lhr)
  }
  const score = (id: string) =>
    Math.round(median(results.map((result) => (result.categories[id]?.score ?? 0) * 100)))
  const audit = (id: string) =>
    median(results.map((result) => result.audits[id]?.numericValue ?? 0))
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('best-practices'),
    SEO: score('seo'),
    'LCP s': Number((audit('largest-contentful-paint') / 1000).toFixed(2)),
    CLS: Number(audit('cumulative-layout-shift').toFixed(3)),
    'TBT ms': Math.round(audit('total-blocking-time')),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
