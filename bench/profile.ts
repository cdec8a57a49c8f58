import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { findRunningServer } from '@local/embedded-postgres'
import { startServer } from '#tests/support/app/server-process.ts'
import { addBaysAndClosures } from './compare-commits.ts'
import { provideCommit } from './earlier-commit.ts'
import { emptyBookings } from './empty-bookings.ts'
import { fillWithBookings, hasTable } from './past-bookings.ts'
import { profileAvailability } from './profile-availability.ts'
import { bookingsPerProfile, profileBookings } from './profile-bookings.ts'
import { createDataDirectory, createEmptyDirectory } from './prepared.ts'
import { openForms } from './site-requests.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Profiles one availability check and one booking of a visitor: over HTTP, in PostgreSQL, and in each function,
// statement and trigger. Runs in a new shop, in one with 100,000 bookings, and in one with six bays and twelve closures.
//   npm run bench -- profile                      profiles today's code and commit 618b292
//   npm run bench -- profile --against 53de4f3    compares with commit 53de4f3 instead of 618b292

const bookings = amountOf(100_000, 100)

const { values } = parseArgs({
  strict: false,
  options: { against: { type: 'string', default: '618b292' } },
})
const commit = String(values.against)
await profile('today', join(import.meta.dirname, '..'), createDataDirectory())
if (!isSmoke) {
  const checkout = provideCommit(commit)
  // The earlier code starts with an empty data directory, because it cannot use a database of the current code.
  if (checkout.ok) await profile(commit, checkout.value, createEmptyDirectory())
  else console.log(`${commit} is not profiled: ${checkout.refusal}`)
}

async function profile(name: string, checkout: string, dataDirectory: string): Promise<void> {
  const settings = { DATA_DIR: dataDirectory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const shop = await startServer(settings, 'server/main.ts', checkout)
  const client = new Client({ connectionString: findRunningServer(dataDirectory) })
  try {
    await client.connect()
    const tokens = await openForms(shop.url, 3 * bookingsPerProfile)
    const report = async (what: string) => {
      console.log(`\n${name}, ${what}`)
      await profileAvailability(shop.url, client)
      await profileBookings(shop.url, client, tokens)
      await emptyBookings(client)
    }
    await report('a new shop')
    await fillWithBookings(client, bookings)
    await report(`${bookings.toLocaleString('en-US')} bookings`)
    // The databases of earlier commits have no table `special_hours`, so the bench adds no closures to them.
    if (await hasTable(client, 'public.special_hours')) {
      await addBaysAndClosures(client)
      await report('the same bookings, six bays and twelve closures')
    }
  } finally {
    await client.end()
    await shop.end()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}
