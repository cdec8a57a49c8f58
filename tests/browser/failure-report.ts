import type { Page, Request } from '@playwright/test'

/** The number of characters after which a report cuts a long page, so that the log of a test run stays readable. */
const shownCharacters = 6_000

/**
 * Starts to observe the requests of a page. After a failure, the returned function prints the content of the page and
 * the requests without a response, because a run on another machine leaves only its log.
 */
export function observeForReport(page: Page): () => Promise<void> {
  const waiting = new Set<Request>()
  page.on('request', (request) => waiting.add(request))
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  return async () => {
    if (page.isClosed()) return
    // If the page does not respond, the test must still report its own failure, not an error of this report.
    const content = await page
      .locator('body')
      .ariaSnapshot({ timeout: 5_000 })
      .catch((error: unknown) => `Its content could not be read: ${String(error)}`)
    const requests = [...waiting].map((request) => `${request.method()} ${request.url()}`)
    process.stdout.write(
      [
        `The page when the test failed: ${page.url()}`,
        content.slice(0, shownCharacters),
        `Requests without a response: ${requests.join(', ') || 'none'}`,
        '',
      ].join('\n'),
    )
  }
}
