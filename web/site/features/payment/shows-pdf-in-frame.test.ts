import { expect, test } from 'vitest'
import { showsPdfInFrame } from './shows-pdf-in-frame.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/141.0 Mobile Safari/604.1'
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/141.0 Mobile Safari/537.36'
const desktop = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0 Safari/537.36'

test.each([
  ['a desktop browser with a PDF viewer', desktop, 'Linux x86_64', 0, true, true],
  ['a desktop browser that downloads PDFs', desktop, 'Linux x86_64', 0, false, false],
  ['a laptop with a touch screen and a PDF viewer', desktop, 'Win32', 10, true, true],
  [
    'an old desktop browser that reports nothing about PDFs',
    desktop,
    'Linux x86_64',
    0,
    undefined,
    true,
  ],
  ['a phone without a viewer', android, 'Linux armv81', 5, false, false],
  ['an old phone that reports nothing about PDFs', android, 'Linux armv81', 5, undefined, false],
  ['a phone with a PDF viewer', android, 'Linux armv81', 5, true, true],
  ['a Mac with a PDF viewer', mac, 'MacIntel', 0, true, true],
  ['an iPhone, which reports a viewer but shows one page', iPhone, 'iPhone', 5, true, false],
  ['an iPad, which identifies itself as a Mac', mac, 'MacIntel', 5, true, false],
])(
  'showsPdfInFrame detects whether %s shows all pages of a PDF in a frame',
  (_browser, userAgent, platform, maxTouchPoints, says, shows) => {
    const pdfViewerEnabled = says === undefined ? {} : { pdfViewerEnabled: says }
    expect(showsPdfInFrame({ userAgent, platform, maxTouchPoints, ...pdfViewerEnabled })).toBe(
      shows,
    )
  },
)
