/** What a browser says of itself, as far as it is asked. */
type Browser = Pick<Navigator, 'userAgent' | 'platform' | 'maxTouchPoints'> & {
  /** Missing in browsers from before 2022. */
  readonly pdfViewerEnabled?: boolean
}

/**
 * Whether a PDF in a frame can be read whole. Most phones show nothing there and say so; those of Apple say
 * yes and show a picture of the first page, whatever the browser is called: all are made of the same engine.
 */
export function showsPdfInFrame(browser: Browser): boolean {
  if (isAppleTouchDevice(browser)) return false
  return browser.pdfViewerEnabled ?? !/Android/.test(browser.userAgent)
}

/** An iPad asks for desktop pages by calling itself a Mac; no Mac has a touch screen. */
function isAppleTouchDevice({ userAgent, platform, maxTouchPoints }: Browser): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1)
}
