import { runCommand } from './command.ts'
import { prepareDatabase } from '#server/platform/database/bootstrap-database.ts'

// `npm run migrate` updates the database schema and exits, for an owner who wants to update the schema before the
// next start of the site.
await runCommand(async (config) => {
  const prepared = await prepareDatabase(config)
  await prepared.stop()
  console.log(
    prepared.migrated.length > 0
      ? `Applied:\n  ${prepared.migrated.join('\n  ')}`
      : 'The database is up to date.',
  )
})
