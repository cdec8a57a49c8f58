/** The properties of `navigator` that this module reads. */
type Browser = Pick<Navigator, 'userAgent' | 'platform' | 'maxTouchPoints'> & {
  /** Whether the browser has a PDF viewer; undefined in browsers from before 2022. */
  readonly pdfViewerEnabled?: boolean
}

/**
 * Whether a frame shows all pages of a PDF. Most browsers on phones show no page and report so. All browsers on Apple's
 * phones and tablets use one engine, which reports support but shows only a picture of the first page.
 */
export function showsPdfInFrame(browser: Browser): boolean {
  if (isAppleTouchDevice(browser)) return false
  return browser.pdfViewerEnabled ?? !/Android/.test(browser.userAgent)
}

/** A browser on an iPad may identify itself as a Mac. No Mac has a touch screen, so a 'Mac' with one is an iPad. */
function isAppleTouchDevice({ userAgent, platform, maxTouchPoints }: Browser): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1)
}
