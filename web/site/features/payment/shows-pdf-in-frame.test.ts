import { expect, test } from 'vitest'
import { showsPdfInFrame } from './shows-pdf-in-frame.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/141.0 Mobile Safari/604.1'
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/141.0 Mobile Safari/537.36'
const desktop = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0 Safari/537.36'

test.each([
  ['a desktop with its viewer', desktop, 'Linux x86_64', 0, true, true],
  ['a desktop that downloads PDFs', desktop, 'Linux x86_64', 0, false, false],
  ['a laptop with a touch screen', desktop, 'Win32', 10, true, true],
  ['an old desktop that does not say', desktop, 'Linux x86_64', 0, undefined, true],
  ['a phone without a viewer', android, 'Linux armv81', 5, false, false],
  ['an old phone that does not say', android, 'Linux armv81', 5, undefined, false],
  ['a phone that has one', android, 'Linux armv81', 5, true, true],
  ['a Mac', mac, 'MacIntel', 0, true, true],
  ['an iPhone, which shows one page', iPhone, 'iPhone', 5, true, false],
  ['an iPad, which calls itself a Mac', mac, 'MacIntel', 5, true, false],
])('%s', (_browser, userAgent, platform, maxTouchPoints, says, shows) => {
  const pdfViewerEnabled = says === undefined ? {} : { pdfViewerEnabled: says }
  expect(showsPdfInFrame({ userAgent, platform, maxTouchPoints, ...pdfViewerEnabled })).toBe(shows)
})
