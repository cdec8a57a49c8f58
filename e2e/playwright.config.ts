import { defineConfig, devices } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from '#testing/browser.ts'

const executablePath = findBrowser()
const browser = {
  ...devices['Desktop Chrome'],
  launchOptions: { args: BROWSER_FLAGS, ...(executablePath ? { executablePath } : {}) },
}

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: process.env['CI'] ? 'dot' : 'list',
  use: {
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
  },
  projects: [
    { name: 'desktop', use: { ...browser, viewport: { width: 1280, height: 900 } } },
    {
      name: 'phone',
      // What does not depend on the width of the screen is tested once, on the desktop.
      grepInvert: /@once/,
      use: { ...browser, viewport: { width: 390, height: 844 }, hasTouch: true },
    },
  ],
})
