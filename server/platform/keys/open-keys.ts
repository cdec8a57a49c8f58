import { withLock } from '#server/platform/database/migrations.ts'
import { queryOf, type Query } from '#server/platform/database/query.ts'
import { type KeyFiles, makeKey, openKeyFiles } from './key-files.ts'
import { createSeal, isSealed, type Seal } from './seal.ts'

/** Only processes of the site use these. By the name of the file, and of the row in `internal.secrets`. */
const processKeys = {
  accessTokens: 'access_token_key',
  refreshTokens: 'refresh_token_key',
  invoiceLinks: 'pdf_link_key',
  clientAddresses: 'address_key',
  sandboxWebhooks: 'sandbox_webhook_secret',
} as const

/**
 * The key of all mailed links. The database signs and checks with it, so it keeps a copy; the file puts that copy
 * back after a restore.
 */
export const mailedLinks = 'visit_key'

/** What the processes of one shop sign with, by purpose. All of them have the same. */
export type ShopKeys = Readonly<Record<keyof typeof processKeys, string>>

export type KeySettings = {
  /** The owner of the tables. */
  readonly ownerUrl: string
  readonly dataDirectory: string
  /** Whether other machines may work on this database, which then passes the keys on, sealed. */
  readonly isShared: boolean
}

/**
 * Reads the keys, or makes what is missing; several processes may do so at once. The database's copy counts before the
 * file, because a rotation on another machine changes it; without a copy the file counts. Versions before this one
 * had the keys in the database: they move into the files.
 */
export async function openKeys({ ownerUrl, dataDirectory, isShared }: KeySettings) {
  const files = openKeyFiles(dataDirectory)
  return withLock(ownerUrl, async (client): Promise<ShopKeys> => {
    const query = queryOf(client)
    const stored = await readStored(query)
    const seal = isShared ? await openSeal(query, ownerUrl, stored) : undefined
    const entries: [string, string][] = []
    for (const [purpose, name] of Object.entries(processKeys)) {
      entries.push([purpose, await agreeOnKey({ query, files, stored, seal, name })])
    }
    await agreeOnMailedLinks({ query, files, stored })
    return Object.fromEntries(entries) as ShopKeys
  })
}

/**
 * Forgets the keys of this data directory but that of mailed links, which have to work after a restore. The next
 * `openKeys` makes new ones.
 */
export function forgetProcessKeys(dataDirectory: string): void {
  const files = openKeyFiles(dataDirectory)
  for (const name of Object.values(processKeys)) files.remove(name)
}

type Stored = ReadonlyMap<string, string>
type Store = { readonly query: Query; readonly files: KeyFiles; readonly stored: Stored }

async function readStored(query: Query): Promise<Stored> {
  const rows = await query('select name, value from internal.secrets')
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Every process that knows the owner's password opens what the others sealed; a copy of the database alone does not. */
async function openSeal(query: Query, ownerUrl: string, stored: Stored): Promise<Seal> {
  const salt = stored.get('sealing_salt') ?? makeKey()
  if (!stored.has('sealing_salt')) await storeKey(query, 'sealing_salt', salt)
  return createSeal(decodeURIComponent(new URL(ownerUrl).password), salt)
}

async function agreeOnKey(
  options: Store & { readonly seal: Seal | undefined; readonly name: string },
): Promise<string> {
  const { query, files, stored, seal, name } = options
  const copy = stored.get(name)
  const shared = copy === undefined || isSealed(copy) ? seal?.open(name, copy ?? '') : copy
  const key = shared ?? files.read(name) ?? makeKey()
  keepFile(files, name, key)
  if (seal === undefined) {
    if (copy !== undefined) await query('delete from internal.secrets where name = $1', [name])
  } else if (shared === undefined || !isSealed(copy ?? '')) {
    await storeKey(query, name, seal.close(name, key))
  }
  return key
}

async function agreeOnMailedLinks({ query, files, stored }: Store): Promise<void> {
  const copy = stored.get(mailedLinks)
  const key = copy ?? files.read(mailedLinks) ?? makeKey()
  keepFile(files, mailedLinks, key)
  if (copy === undefined) await storeKey(query, mailedLinks, key)
}

function keepFile(files: KeyFiles, name: string, key: string): void {
  if (files.read(name) !== key) files.write(name, key)
}

/** Writes the database's copy. */
export async function storeKey(query: Query, name: string, value: string): Promise<void> {
  await query(
    `insert into internal.secrets (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [name, value],
  )
}
