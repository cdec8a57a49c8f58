import { existsSync } from 'node:fs'

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Flags for a browser that shows no prompts and runs as root and without a graphics card. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Finds the browser for tests: the path in CHROMIUM_PATH, otherwise an installed Chrome or Chromium. Returns undefined
 * if neither exists; the tests then use the browser of the test runner.
 */
export function findBrowser(): string | undefined {
  const given = process.env['CHROMIUM_PATH']
  return given ? given : usualPaths.find((path) => existsSync(path))
}

/**
 * Finds the headless build of the browser that `findBrowser` returns; Debian installs it in the same folder. With the
 * headless build, tests run in two thirds of the time. The headless build has no PDF viewer; tests that need a PDF
 * viewer use `findBrowser`.
 */
export function findBrowserWithoutWindows(): string | undefined {
  const browser = findBrowser()
  const beside = `${browser}-headless-shell`
  return browser && existsSync(beside) ? beside : browser
}
