import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { accepted, refused } from '#domain/result.ts'
import { requireAdminName } from '#server/features/admin-session/accounts/require-admin-name.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { backupKeyFile } from '#server/platform/backup/objects/backup-key.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { type BackupSource, readBackup } from './read-backup.ts'

type Dependencies = BackupSource & { readonly mailer: Mailer }

/**
 * The maximum time for which the server delays a response to wait for an upload to the backup target. After this time,
 * the upload continues in the background.
 */
const sendMs = 10_000

/**
 * Routes that show the backup state, start restore drills (test restores), and end the pause of emails in a restored
 * shop (docs/product.md 10.5.2).
 */
export function registerBackup(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, backup, mailer } = dependencies
  const { dataDirectory } = dependencies.config
  const present = (state: Backup) => ({ ok: true, ...state }) as const
  const read = async () => accepted(await readBackup(dependencies))

  serve(app, backupEndpoints.read).with({ handle: read, present })
  serve(app, backupEndpoints.drill).with({
    handle: async () => {
      const hasBegun = await backup.startDrill()
      return hasBegun ? read() : refused({ code: 'DRILL_RUNNING' })
    },
    present,
  })
  serve(app, backupEndpoints.stopDrill).with({
    handle: async () => {
      await backup.stopDrill()
      return read()
    },
    present,
  })
  serve(app, backupEndpoints.send).with({
    handle: async (_input, { request }) => {
      const sending = backup.current()?.sendNow() ?? Promise.resolve()
      const reported = sending.catch((error: unknown) =>
        request.log.error({ err: error }, 'the backup could not be sent'),
      )
      await Promise.race([reported, delay(sendMs, undefined, { ref: false })])
      return read()
    },
    present,
  })
  serve(app, backupEndpoints.keyFile).with({
    handle: async () => {
      const content = backup.current() && openKeyFiles(dataDirectory).read(backupKeyFile)
      return content === undefined ? refused({ code: 'BAD_REQUEST' }) : accepted({ content })
    },
    present: ({ content }) => ({ ok: true, content }) as const,
  })
  serve(app, backupEndpoints.confirmKey).with({
    invalid: { code: 'BAD_REQUEST' },
    handle: async ({ fingerprint }, { request }) => {
      if (fingerprint !== backup.current()?.context.key.fingerprint)
        return refused({ code: 'BAD_REQUEST' })
      const byName = await requireAdminName(dependencies, request)
      await database.transaction(asServer, (query) =>
        query(
          `insert into internal.backup_key_copies (fingerprint, confirmed_by_name) values ($1, $2)
           on conflict do nothing`,
          [fingerprint, byName],
        ),
      )
      return read()
    },
    present,
  })
  serve(app, backupEndpoints.resumeEmails).with({
    handle: async (_input, { request }) => {
      const byName = await requireAdminName(dependencies, request)
      await database.transaction(asServer, (query) =>
        query(
          `update internal.restored_shop set resumed_at = now(), resumed_by_name = $1 where resumed_at is null`,
          [byName],
        ),
      )
      mailer.wake()
      return read()
    },
    present,
  })
}
