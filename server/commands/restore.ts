import { parseArgs } from 'node:util'
import { runCommand } from './command.ts'
import { restoreFromFile } from './restore/restore-from-file.ts'
import { restoreFromUrl } from './restore/restore-from-url.ts'
import { StartupError } from '@local/postgres'

const usage = `Restores the shop into an empty DATA_DIR.

From the continuous backup (BACKUP_URL), with everything up to the last minutes:

  npm run restore -- --from URL                             the newest state
  npm run restore -- --from URL --at '2026-12-01 14:05:00'  as it was at this time of the shop
  npm run restore -- --from URL --key FILE                  with a copy of the file backup.key
  npm run restore -- --from URL --shop NUMBER               when the target has the backups of several shops
  npm run restore -- --from URL --incarnation ID            when the shop was restored before, see below

  URL is file:///folder or s3://bucket. DATA_DIR may contain the key alone, as keys/backup.key. A time in the hour
  that the clock shows twice in autumn needs its offset, as in '2026-11-01 01:30:00 -07:00'. Every restored shop that
  makes backups begins an incarnation at the target. Without --at the newest data are restored, with --at the incarnation
  that was live then; of several live ones, the one that the others were restored from. The command prints the ids.
  A nightly backup (DATABASE_URL) has no log: --at restores the newest one that ended before this time, and the command
  prints which one.

From a file of npm run backup, also into the empty database of DATABASE_URL:

  npm run restore FILE
  npm run restore FILE -- --key-file KEYFILE                when a key file encrypted it`

const text = { type: 'string' } as const
const options = {
  help: { type: 'boolean' },
  from: text,
  at: text,
  key: text,
  shop: text,
  incarnation: text,
  'key-file': text,
} as const

// `npm run restore` restores a shop from a continuous-backup target or from a backup file.
await runCommand(async (config) => {
  const { path, values } = readArguments()
  if (values.help) return console.log(usage)
  const { from, at, key, shop, incarnation, 'key-file': keyFile } = values
  if (from !== undefined) return restoreFromUrl(config, { from, at, key, shop, incarnation })
  if (path !== undefined) return restoreFromFile(config, path, keyFile)
  throw new StartupError(usage)
})

function readArguments() {
  const { values, positionals } = parseOptions()
  const [path, ...rest] = positionals
  const { from, at, key, shop, incarnation, 'key-file': keyFile } = values
  const ofTarget = Object.entries({ at, key, shop, incarnation }).find(([, value]) => value)
  if (rest.length > 0)
    throw refuse(`Only one file can be restored. Remove '${rest[0]}' from the command.`)
  if (from === undefined && ofTarget) throw refuse(`--${ofTarget[0]} needs --from URL.`)
  if (from !== undefined && path !== undefined)
    throw refuse(`'${path}' does not belong to --from. A time with a space needs quotes.`)
  if (from !== undefined && keyFile !== undefined)
    throw refuse('--key-file is for a file of npm run backup; with --from it is --key FILE.')
  return { path, values }
}

function parseOptions() {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'The command has an unknown option.')
  }
}

function refuse(reason: string): StartupError {
  return new StartupError(`${reason}\n\n${usage}`)
}
