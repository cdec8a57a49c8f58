import { existsSync } from 'node:fs'
import { readConfig } from './config.ts'
import { prepareDatabase } from './platform/bootstrap-database.ts'
import { StartRefused } from './platform/start-refused.ts'

// `npm run migrate`: brings the database up to date and stops, for an owner who wants to see that
// happen apart from a start of the site.
if (existsSync('.env')) process.loadEnvFile('.env')
const settings = readConfig(process.env)
if (!settings.ok) {
  for (const problem of settings.refusal) console.error(problem)
  process.exit(1)
}
try {
  const prepared = await prepareDatabase(settings.value)
  console.log(
    prepared.migrated.length > 0
      ? `Applied:\n  ${prepared.migrated.join('\n  ')}`
      : 'The database is up to date.',
  )
  await prepared.stop()
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
