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
 * Finds the browser for tests: the path in CHROMIUM_PATH, else a usual place of the system, else undefined, which means
 * the test runner's own browser.
 */
export function findBrowser(): string | undefined {
  const given = process.env['CHROMIUM_PATH']
  return given ? given : usualPaths.find((path) => existsSync(path))
}

/**
 * Finds the headless build of the same browser, which Debian installs beside it. With the headless build, tests run in
 * two thirds of the time. The headless build has no PDF viewer; tests that need one use `findBrowser`.
 */
export function findBrowserWithoutWindows(): string | undefined {
  const browser = findBrowser()
  const beside = `${browser}-headless-shell`
  return browser && existsSync(beside) ? beside : browser
}
