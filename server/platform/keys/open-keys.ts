import { withLock } from '#server/platform/database/migrations.ts'
import { type Query, queryOf } from '@local/postgres'
import { type KeyFiles, makeKey, openKeyFiles } from './key-files.ts'
import { createSeal, type Seal } from './seal.ts'

/** The keys that only site processes use. Each name is both a file name and a row name in `internal.secrets`. */
const processKeys = {
  accessTokens: 'access_token_key',
  refreshTokens: 'refresh_token_key',
  invoiceLinks: 'pdf_link_key',
  clientAddresses: 'address_key',
  sandboxWebhooks: 'sandbox_webhook_secret',
} as const

/**
 * The name of the key that signs all mailed links. The database stores a copy of the key, with which it signs and
 * checks tokens. After a restore, the key in the file replaces that copy.
 */
export const mailedLinks = 'visit_key'

/** The signing keys of the shop, by the purpose of each key. All processes of the shop use the same keys. */
export type ShopKeys = Readonly<Record<keyof typeof processKeys, string>>

export type KeySettings = {
  /** The connection URL of the role that owns the tables. */
  readonly ownerUrl: string
  readonly dataDirectory: string
  /**
   * Whether processes on other machines may use this database, which then stores encrypted copies of the keys for them.
   */
  readonly isShared: boolean
}

/**
 * Reads the keys and creates missing ones. Several processes may call this function at the same time. The copy in
 * the database takes precedence over the file, because a restore or a key rotation on another machine changes that
 * copy. Earlier versions of the site stored unencrypted keys in the database, and thus in its backups. Such keys are
 * replaced, except the key that signs the links in emails.
 */
export function openKeys(settings: KeySettings): Promise<ShopKeys> {
  return withStore(settings, async (store) => {
    await agreeOnMailedLinks(store)
    return agreeOnProcessKeys(settings, store)
  })
}

/**
 * Creates new keys for a restored database, which contains none. The key that signs mailed links is read from its
 * file at the next start.
 */
export async function renewProcessKeys(settings: KeySettings): Promise<void> {
  await withStore(settings, (store) => {
    for (const name of Object.values(processKeys)) store.files.remove(name)
    return agreeOnProcessKeys(settings, store)
  })
}

type Stored = ReadonlyMap<string, string>
type Store = { readonly query: Query; readonly files: KeyFiles; readonly stored: Stored }

function withStore<Result>(
  { ownerUrl, dataDirectory }: KeySettings,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const files = openKeyFiles(dataDirectory)
  return withLock(ownerUrl, async (client) => {
    const query = queryOf(client)
    const rows = await query('select name, value from internal.secrets')
    return work({ query, files, stored: new Map(rows.map(({ name, value }) => [name, value])) })
  })
}

async function agreeOnProcessKeys(
  { ownerUrl, isShared }: KeySettings,
  store: Store,
): Promise<ShopKeys> {
  const seal = isShared ? await openSeal(store, ownerUrl) : undefined
  const entries: [string, string][] = []
  for (const [purpose, name] of Object.entries(processKeys)) {
    entries.push([purpose, await agreeOnKey({ ...store, seal, name })])
  }
  return Object.fromEntries(entries) as ShopKeys
}

/**
 * Creates the encryption for keys that are stored in the database. Its password is derived from the database owner's
 * password, so that somebody who has only a copy of the database cannot decrypt the keys.
 */
async function openSeal({ query, stored }: Store, ownerUrl: string): Promise<Seal> {
  const salt = stored.get('sealing_salt') ?? makeKey()
  if (!stored.has('sealing_salt')) await storeKey(query, 'sealing_salt', salt)
  return createSeal(decodeURIComponent(new URL(ownerUrl).password), salt)
}

async function agreeOnKey(
  options: Store & { readonly seal: Seal | undefined; readonly name: string },
): Promise<string> {
  const { query, files, stored, seal, name } = options
  const copy = stored.get(name)
  const shared = seal?.open(name, copy ?? '')
  const key = shared ?? files.read(name) ?? makeKey()
  writeKeyFile(files, name, key)
  if (seal === undefined) {
    if (copy !== undefined) await query('delete from internal.secrets where name = $1', [name])
  } else if (shared === undefined) {
    await storeKey(query, name, seal.close(name, key))
  }
  return key
}

async function agreeOnMailedLinks({ query, files, stored }: Store): Promise<void> {
  const copy = stored.get(mailedLinks)
  const key = copy ?? files.read(mailedLinks) ?? makeKey()
  writeKeyFile(files, mailedLinks, key)
  if (copy === undefined) await storeKey(query, mailedLinks, key)
}

function writeKeyFile(files: KeyFiles, name: string, key: string): void {
  if (files.read(name) !== key) files.write(name, key)
}

/** Stores a key in the database. */
export async function storeKey(query: Query, name: string, value: string): Promise<void> {
  await query(
    `insert into internal.secrets (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [name, value],
  )
}
