import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The server must not care where its machine stands; the shop is eight hours from here.
    env: { TZ: 'Asia/Tokyo' },
    // A test often waits for PostgreSQL or another process; another may use the core meanwhile.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{domain,contracts,letters,web,scripts}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,supabase,testing,proofs}/**/*.test.ts'],
          globalSetup: ['./testing/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
