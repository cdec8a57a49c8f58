import { type Database, rowsAs } from '@local/postgres'
import type { Config } from '#server/config.ts'
import type { DatabaseNotifications } from '#server/platform/database/channels.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { openSecret, WrongSecretsKeyError } from '#server/platform/secrets/seal.ts'
import { type MailServer, parseMailServer, toSmtpUrl } from './mail-server.ts'

/**
 * The interval at which the process reads the setting without a notification, because a lost connection loses
 * notifications.
 */
const pollMs = 30_000

export type StoredMailServer = {
  /** The mail server; undefined when another key encrypted it, because the database came from another machine. */
  readonly server: MailServer | undefined
  readonly changedAt: string
  readonly changedByName: string
}

/** The means by which this process sends emails now. */
export type MailSettings = {
  /** The settings that apply: those of the environment, which takes precedence, else those of the dashboard. */
  readonly current: () => Config['mail']
  /** The mail server that an owner entered in the dashboard, even while the environment names another one. */
  readonly stored: () => StoredMailServer | undefined
  readonly reload: () => Promise<void>
}

type Options = {
  readonly config: Pick<Config, 'mail'>
  readonly database: Database
  readonly notifications: DatabaseNotifications
  readonly secretsKey: Buffer
  readonly report: (error: unknown, what: string) => void
}

export const isMailSetByEnvironment = ({ smtpUrl, resendApiKey }: Config['mail']): boolean =>
  smtpUrl !== undefined || resendApiKey !== undefined

/** Keeps the mail settings of this process current. Resolves after the first read. */
export async function watchMailSettings(
  options: Options,
): Promise<MailSettings & { stop(): void }> {
  const { config, database, notifications, secretsKey, report } = options
  let stored = await readStored(database, secretsKey)
  const reload = async () => {
    stored = await readStored(database, secretsKey)
  }
  const reloadAndReport = () =>
    void reload().catch((error: unknown) => report(error, 'the mail settings could not be read'))
  const unsubscribe = notifications.subscribe('settings_changed', {
    onNotification: (section) => section === 'email' && reloadAndReport(),
    onBegin: reloadAndReport,
  })
  const timer = setInterval(reloadAndReport, pollMs)
  timer.unref()
  return {
    current: () => chooseMail(config.mail, stored?.server),
    stored: () => stored,
    reload,
    stop() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}

/** Whether an owner entered a mail server in the dashboard. */
export async function readHasMailServer(database: Database): Promise<boolean> {
  const rows = await database.transaction(asServer, (query) =>
    query(`select from internal.sealed_settings where name = 'email' and sealed is not null`),
  )
  return rows.length > 0
}

function chooseMail(environment: Config['mail'], server: MailServer | undefined): Config['mail'] {
  if (isMailSetByEnvironment(environment) || !server) return environment
  const from = environment.from ?? (server.from || undefined)
  return { ...environment, smtpUrl: toSmtpUrl(server), from, owner: environment.owner ?? from }
}

async function readStored(
  database: Database,
  secretsKey: Buffer,
): Promise<StoredMailServer | undefined> {
  const [row] = rowsAs<{ sealed: string | null; changed_at: string; changed_by_name: string }>(
    await database.transaction(asServer, (query) =>
      query(
        `select setting.sealed, to_json(setting.changed_at) #>> '{}' as changed_at, account.name as changed_by_name
         from internal.sealed_settings setting join public.staff_accounts account on account.user_id = setting.changed_by
         where setting.name = 'email'`,
      ),
    ),
  )
  if (!row?.sealed) return undefined
  const { sealed, changed_at: changedAt, changed_by_name: changedByName } = row
  return { server: openMailServer(secretsKey, sealed), changedAt, changedByName }
}

function openMailServer(secretsKey: Buffer, sealed: string): MailServer | undefined {
  try {
    return parseMailServer(openSecret(secretsKey, sealed))
  } catch (error) {
    if (error instanceof WrongSecretsKeyError) return undefined
    throw error
  }
}
