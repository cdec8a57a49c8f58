import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { browserFlags, findBrowserWithoutWindows } from '#tests/support/browser.ts'

const executablePath = findBrowserWithoutWindows()

export default defineConfig({
  test: {
    // The tests run in a time zone far from the shop's, because the server's time zone must not matter.
    env: { TZ: 'Asia/Tokyo' },
    // One worker more than there are cores, because tests often wait for PostgreSQL or for another process.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{domain,contracts,emails,web,scripts/checks}/**/*.test.ts'],
          // All test files of a worker share one module graph, because loading the modules again for each file takes
          // longer than running the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [react()],
        // Names the dependencies that Vite would otherwise discover during a test. Vite would then reload the page of
        // that test.
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
          // The default timeout of a poll, one second, is too short for a server that starts or for a test that waits
          // for a lock on a busy machine.
          expect: { poll: { timeout: 10_000 } },
          // Each worker loads the server once instead of once per file, which saves a third of the tests' time.
          // However, a module that one file mocks stays mocked for the next file.
          isolate: false,
        },
      },
    ],
  },
})
