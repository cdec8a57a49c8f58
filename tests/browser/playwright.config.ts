import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { browserFlags, findBrowser, findBrowserWithoutWindows } from '#tests/support/browser.ts'
import { desktopSize, phoneSize } from './viewports.ts'

/**
 * Other hosts are kept away by name: to ask for each request whether it may pass takes an eighth of a story's time, so
 * only stories that answer for the server do that.
 */
const noNetwork = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'

/**
 * A page of a story lives for seconds: to translate its code a second and a third time for speed, and to start a process
 * for what it opens next, costs more than it gives.
 */
const shortLived = ['--js-flags=--no-maglev --no-turbofan', '--renderer-process-limit=1']

/**
 * Only our own pages are shown, so what guards the browser's memory against hostile ones, and the process that keeps
 * the network apart, are spared: 4 % of a story's time. The last two are the runner's own, whose switch this replaces.
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
  // Without a graphics card each frame of an animation is drawn by the processor; on the phone things move.
  contextOptions: { reducedMotion: 'reduce' as const },
}

/** A form younger than a few seconds is not sent: these stories mostly wait. */
const waitingForms = /\/(booking|request-quote)\.spec\.ts$/

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  // A story often waits for the shop; one more than there are cores keeps them busy, beside the one that waits for forms.
  workers: availableParallelism() + 2,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: process.env['CI'] ? 'dot' : 'list',
  use: {
    // The runner's own picture of a failure is taken of every story; ours only of one that failed (fixtures.ts).
    screenshot: 'off',
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
  },
  projects: [
    // The small ones first and one story at a time, beside the many: each worker starts a shop and a browser of its own.
    {
      // Side by side they would leave the machine idle.
      name: 'desktop: forms that wait',
      testMatch: waitingForms,
      workers: 1,
      use: desktop,
    },
    {
      name: 'phone',
      // What works otherwise there, and the ways that most visitors go.
      grep: /@phone/,
      workers: 1,
      use: { ...browser(findBrowserWithoutWindows()), viewport: phoneSize, hasTouch: true },
    },
    {
      // The invoice in its frame once more, in the browser that shows it.
      name: 'viewer',
      grep: /@viewer/,
      workers: 1,
      use: { ...browser(findBrowser()), channel: 'chromium', viewport: desktopSize },
    },
    { name: 'desktop', testIgnore: waitingForms, use: desktop },
  ],
})
