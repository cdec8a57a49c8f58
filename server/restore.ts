import { existsSync } from 'node:fs'
import { runCommand } from './command.ts'
import { restoreIntoDataDirectory, restoreIntoServer } from './platform/backup/restore-backup.ts'
import { StartRefused } from './platform/start/start-refused.ts'

// `npm run restore FILE`: a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL.
await runCommand(async (config) => {
  const [, , file] = process.argv
  if (!file) throw new StartRefused('Say which backup: npm run restore FILE')
  if (!existsSync(file)) throw new StartRefused(`There is no file ${file}.`)
  const { dataDirectory, databaseUrl } = config
  const restored = databaseUrl
    ? await restoreIntoServer(file, databaseUrl, dataDirectory)
    : await restoreIntoDataDirectory(file, dataDirectory)
  console.log(
    `Restored the shop as of ${restored.takenAt}: ${restored.rows} rows, ${restored.files} files. npm start opens it.`,
  )
})
