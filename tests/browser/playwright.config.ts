import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { browserFlags, findBrowser, findBrowserWithoutWindows } from '#tests/support/browser.ts'
import { desktopSize, phoneSize } from './viewports.ts'

/**
 * Blocks other hosts by name resolution. Routing each request through the test would take an eighth of a test's time,
 * so only tests that replace responses route requests.
 */
const noNetwork = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'

/**
 * A page in a test exists only for seconds. Optimizing the code of the page, or starting a process for the next page,
 * would cost more time than it saves.
 */
const shortLived = ['--js-flags=--no-maglev --no-turbofan', '--renderer-process-limit=1']

/**
 * The tests show only trusted pages, so these flags disable the browser's memory protection and its separate network
 * process, which saves 4 % of a test's time. The last two features are those of the test runner's own --enable-features
 * flag, which this flag replaces.
 */
const amongFriends =
  '--enable-features=NetworkServiceInProcess2,PartitionAllocBackupRefPtr:brp-mode/disabled,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies'

const browser = (executablePath: string | undefined) => ({
  ...devices['Desktop Chrome'],
  launchOptions: {
    args: [...browserFlags, noNetwork, ...shortLived, amongFriends],
    ...(executablePath ? { executablePath } : {}),
  },
})

const desktop = {
  ...browser(findBrowserWithoutWindows()),
  viewport: desktopSize,
  // Without a graphics card, the processor draws each frame of an animation, so these projects request reduced motion.
  // The phone project keeps animations.
  contextOptions: { reducedMotion: 'reduce' as const },
}

/** The server flags a form as automated if it is submitted within a few seconds, so these tests mostly wait. */
const waitingForms = /\/(booking|request-quote)\.spec\.ts$/

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  // Only a test whose browser stopped drawing is repeated (stopped-drawing.ts).
  retries: 1,
  // With more workers than cores, all tests together took longer, and each test waited longer for the browser.
  workers: availableParallelism(),
  // The timeout ends only tests that hang. On a slow, busy machine some passing tests took longer than 45 seconds.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: process.env['CI'] ? 'dot' : 'list',
  use: {
    // By default the test runner would take a screenshot after every test. fixtures.ts takes a screenshot only after a
    // failure.
    screenshot: 'off',
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
  },
  projects: [
    // The small projects are first in this list. Each has one worker, because every further worker would start another
    // shop and another browser.
    {
      // One worker runs these tests one after the other. In parallel, they would occupy all workers while they wait.
      name: 'desktop: forms that wait',
      testMatch: waitingForms,
      workers: 1,
      use: desktop,
    },
    {
      name: 'phone',
      // The tests of behavior that differs on a phone, and of the pages that most visitors use.
      grep: /@phone/,
      workers: 1,
      use: { ...browser(findBrowserWithoutWindows()), viewport: phoneSize, hasTouch: true },
    },
    {
      // The tests of the invoice's frame, which need a browser with a PDF viewer.
      name: 'viewer',
      grep: /@viewer/,
      workers: 1,
      use: { ...browser(findBrowser()), channel: 'chromium', viewport: desktopSize },
    },
    {
      name: 'desktop',
      testIgnore: waitingForms,
      use: desktop,
    },
  ],
})
