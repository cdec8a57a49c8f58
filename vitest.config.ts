import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { browserFlags, findBrowserWithoutWindows } from '#tests/support/browser.ts'

const executablePath = findBrowserWithoutWindows()

export default defineConfig({
  test: {
    // The server must not care where its machine stands; the shop is eight hours from here.
    env: { TZ: 'Asia/Tokyo' },
    // A test often waits for PostgreSQL or another process; one more than there are cores keeps them busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{domain,contracts,emails,web,scripts/checks}/**/*.test.ts'],
          // As below: to load everything anew for each file takes longer than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [react()],
        // Found while a test runs they would have its page loaded anew.
        optimizeDeps: {
          include: ['react/jsx-dev-runtime', 'react-dom/client', '@supabase/supabase-js'],
        },
        test: {
          name: 'components',
          include: ['web/**/*.test.tsx'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: { args: browserFlags, ...(executablePath ? { executablePath } : {}) },
              contextOptions: { timezoneId: 'Asia/Tokyo' },
            }),
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            '{server,packages,supabase,scripts/types,scripts/migration,tests/support,tests/long}/**/*.test.ts',
          ],
          globalSetup: ['./tests/support/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          // A worker loads the server once, not for each of its files: a third of what these tests cost. A module
          // that one file mocks would be met by the next.
          isolate: false,
        },
      },
    ],
  },
})
