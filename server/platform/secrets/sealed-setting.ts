import { type Database, rowsAs } from '@local/postgres'
import type { DatabaseNotifications } from '#server/platform/database/channels.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { openSecret, sealSecret, WrongSecretsKeyError } from './seal.ts'

/** The names of the encrypted settings that an owner enters in the dashboard. */
export type SealedSettingName = 'email' | 'payments'

/**
 * The interval in milliseconds at which a setting is read even without a notification, because a notification may have
 * been lost with the database connection.
 */
const pollMs = 30_000

export type StoredSetting<Value> = {
  /**
   * The decrypted setting. Undefined when the setting is encrypted with another key, for example because the
   * database was copied from another machine.
   */
  readonly value: Value | undefined
  readonly changedAt: string
  readonly changedByName: string
}

/** An encrypted setting, decrypted in this process. */
export type SealedSetting<Value> = {
  /**
   * Returns the stored setting; undefined if no owner has entered it. Returns the same object until the setting
   * changes.
   */
  readonly stored: () => StoredSetting<Value> | undefined
  readonly reload: () => Promise<void>
}

/** The objects that are needed to read and watch a setting. */
export type SealedSettingSource = {
  readonly database: Database
  readonly notifications: DatabaseNotifications
  readonly secretsKey: Buffer
  readonly report: (error: unknown, what: string) => void
}

type Options<Value> = SealedSettingSource & {
  readonly name: SealedSettingName
  readonly parse: (text: string) => Value
  /** Called after the stored setting has changed. */
  readonly onChange?: () => void
}

/** Updates the value of a setting in this process whenever the setting changes. Resolves after the first read. */
export async function watchSealedSetting<Value>(
  options: Options<Value>,
): Promise<SealedSetting<Value> & { stop(): void }> {
  const { name, database, notifications, onChange = () => undefined, report } = options
  let row: Row | undefined
  let stored: StoredSetting<Value> | undefined
  const readAgain = async () => {
    const read = await readRow(database, name)
    if (read?.sealed === row?.sealed && read?.changedAt === row?.changedAt) return
    row = read
    stored = openRow(read, options)
    onChange()
  }
  // The reads run one after the other, so that a slow read cannot overwrite the result of a later read.
  let lastRead: Promise<void> = Promise.resolve()
  const reload = () => (lastRead = lastRead.then(readAgain, readAgain))
  const reloadAndReport = () =>
    void reload().catch((error: unknown) => report(error, `the ${name} settings could not be read`))
  await reload()
  const unsubscribe = notifications.subscribe('settings_changed', {
    onNotification: (section) => section === name && reloadAndReport(),
    onBegin: reloadAndReport,
  })
  const timer = setInterval(reloadAndReport, pollMs)
  timer.unref()
  return {
    stored: () => stored,
    reload,
    stop() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}

/** Whether an owner entered the setting in the dashboard. */
export async function readHasSealedSetting(
  database: Database,
  name: SealedSettingName,
): Promise<boolean> {
  return Boolean((await readRow(database, name))?.sealed)
}

type Change = { readonly name: SealedSettingName; readonly owner: string }

/** Encrypts a setting and stores it in the database, from which all processes read it. */
export async function storeSealedSetting(
  { database, secretsKey }: { readonly database: Database; readonly secretsKey: Buffer },
  change: Change,
  value: object,
): Promise<void> {
  await storeRow(database, change, sealSecret(secretsKey, JSON.stringify(value)))
}

export const removeSealedSetting = (database: Database, change: Change): Promise<void> =>
  storeRow(database, change, null)

async function storeRow(
  database: Database,
  { name, owner }: Change,
  sealed: string | null,
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `insert into internal.sealed_settings (name, sealed, changed_by) values ($1, $2, $3)
       on conflict (name) do update
         set sealed = excluded.sealed, changed_by = excluded.changed_by, changed_at = clock_timestamp()`,
      [name, sealed, owner],
    ),
  )
}

type Row = {
  readonly sealed: string | null
  readonly changedAt: string
  readonly changedByName: string
}

async function readRow(database: Database, name: SealedSettingName): Promise<Row | undefined> {
  const [row] = rowsAs<Row>(
    await database.transaction(asServer, (query) =>
      query(
        `select setting.sealed, to_json(setting.changed_at) #>> '{}' as "changedAt", account.name as "changedByName"
         from internal.sealed_settings setting join public.staff_accounts account on account.user_id = setting.changed_by
         where setting.name = $1`,
        [name],
      ),
    ),
  )
  return row
}

function openRow<Value>(
  row: Row | undefined,
  { parse, secretsKey }: Pick<Options<Value>, 'parse' | 'secretsKey'>,
): StoredSetting<Value> | undefined {
  if (!row?.sealed) return undefined
  const { sealed, changedAt, changedByName } = row
  try {
    return { value: parse(openSecret(secretsKey, sealed)), changedAt, changedByName }
  } catch (error) {
    if (error instanceof WrongSecretsKeyError) return { value: undefined, changedAt, changedByName }
    throw error
  }
}
