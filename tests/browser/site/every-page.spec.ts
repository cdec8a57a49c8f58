import { dailyViews, publicPages, see, type Seen, settingsPages } from './every-page.ts'
import { expect, type Page, test } from '#tests/browser/fixtures.ts'
import { fillSampleWeek } from '#tests/browser/sample-records.ts'
import { smallTargets } from '#tests/browser/small-targets.ts'
import { unreadableText } from '#tests/browser/unreadable-text.ts'

// These tests are slow, because each opens every page once and checks all rules on the page. One test per page would
// take longer.
test.slow()
test.use({ expectedConsoleErrors: [/404/] })
test.afterEach(({ shop }) => shop.database.query('select internal.remove_sample_week()'))

test('Every public page works with text twice as large and has touch targets of sufficient size', async ({
  page,
  shop,
}) => {
  for (const seen of publicPages(await fillSampleWeek(page, shop))) {
    await see(page, seen)
    await expectLargeTargets(page, seen, 390, { widthPx: 44, heightPx: 44 })
    // At a width of 320 px, targets may be 40 px wide, because the calendar has seven days in a row.
    await expectLargeTargets(page, seen, 320, { widthPx: 40, heightPx: 44 })
    await expectReadable(page, seen)
  }
})

const views = { 'view of daily work': dailyViews, 'page of the settings': settingsPages }
for (const [name, list] of Object.entries(views)) {
  test(`Every ${name} works with text twice as large and has touch targets of sufficient size`, async ({
    page,
    shop,
  }) => {
    for (const seen of list(await fillSampleWeek(page, shop))) {
      await see(page, seen)
      await expectLargeTargets(page, seen, 390, { widthPx: 44, heightPx: 44 })
      await expectReadable(page, seen)
    }
  })
}

async function expectLargeTargets(
  page: Page,
  { path }: Seen,
  width: number,
  least: Parameters<typeof smallTargets>[1],
): Promise<void> {
  await page.setViewportSize({ width, height: 844 })
  expect.soft(await smallTargets(page, least), `targets of ${path}, ${width} px`).toEqual([])
}

async function expectReadable(page: Page, { path }: Seen): Promise<void> {
  for (const how of ['style', 'settings'] as const) {
    await enlarge(page, how)
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      const faults = await unreadableText(page)
      expect.soft(faults, `${path}, ${width} px, larger by ${how}`).toEqual([])
    }
  }
  await enlarge(page, 'neither')
}

/** Doubles the text size by a style sheet or by the browser's settings; 'neither' undoes both. */
async function enlarge(page: Page, how: 'style' | 'settings' | 'neither'): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const standard = how === 'settings' ? 32 : 16
  await devTools.send('Page.setFontSizes', { fontSizes: { standard } })
  await devTools.detach()
  const size = how === 'style' ? '200%' : ''
  await page.evaluate((fontSize) => void (document.documentElement.style.fontSize = fontSize), size)
}
