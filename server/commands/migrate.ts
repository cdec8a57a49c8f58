import { runCommand } from './command.ts'
import { prepareDatabase } from '#server/platform/database/bootstrap-database.ts'

// `npm run migrate`: brings the database up to date and stops, for an owner who wants to see that
// happen apart from a start of the site.
await runCommand(async (config) => {
  const prepared = await prepareDatabase(config)
  await prepared.stop()
  console.log(
    prepared.migrated.length > 0
      ? `Applied:\n  ${prepared.migrated.join('\n  ')}`
      : 'The database is up to date.',
  )
})
