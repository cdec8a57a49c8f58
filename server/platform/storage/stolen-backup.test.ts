import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importJwtKey, signJwt } from '@local/data-service'
import { issueSignInCode } from '#server/features/admin-session/sign-in/sign-in-codes.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { renewFeed } from '#server/features/calendar-feed/feed-url.ts'
import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { openKeys, type ShopKeys } from '#server/platform/keys/open-keys.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { testFormKey } from '#tests/support/app/form-key.ts'
import { testKeys, testLinkKey } from '#tests/support/app/test-keys.ts'
import { writeBackupFile } from './backup-file.ts'
import { installationTables, takeBackup } from './take-backup.ts'

let shop: TestApp
let folder: string
/** Every text in the backup: the rows, their values, and the contents of files. */
let stolen: ReadonlySet<string>
/** The keys of the running shop. */
let opened: ShopKeys
/** The secrets that grant access to the running shop, by name. */
const secrets: Record<string, string> = {}
let session: { id: string; userId: string }

beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  folder = mkdtempSync(join(tmpdir(), 'torque-stolen-'))
  const { dataDirectory } = shop.config
  const { owner, ownerUrl, database } = shop.database
  // Writes the keys of the running shop to the files in which the product stores its keys.
  const files = openKeyFiles(dataDirectory)
  files.write('access_token_key', testKeys.accessTokens)
  files.write('refresh_token_key', testKeys.refreshTokens)
  files.write('pdf_link_key', testKeys.invoiceLinks)
  files.write('address_key', testKeys.clientAddresses)
  files.write('sandbox_webhook_secret', testKeys.sandboxWebhooks)
  opened = await openKeys({ ownerUrl, dataDirectory, isShared: true })
  mkdirSync(join(dataDirectory, 'outbox'), { recursive: true })
  writeFileSync(join(dataDirectory, 'outbox', 'message.eml'), 'Subject: Hello\r\n')

  const client = await shop.createClient()
  const { username, password } = testAdmin
  const signedIn = await client.auth.signInWithPassword({ email: staffEmail(username), password })
  const { rows } = await owner.query<{ id: string; user_id: string }>(
    'select id, user_id from auth.sessions limit 1',
  )
  session = { id: rows[0]?.id ?? '', userId: rows[0]?.user_id ?? '' }
  const { rows: sealed } = await owner.query<{ value: string }>(
    `select value from internal.secrets where value like 'sealed.%'`,
  )
  Object.assign(secrets, testKeys, {
    links: testLinkKey,
    forms: testFormKey,
    password,
    cookie: (await shop.logIn()).replace('admin_session=', ''),
    'access token': signedIn.data.session?.access_token,
    'refresh token': signedIn.data.session?.refresh_token,
    session: session.id,
    calendar: (await renewFeed(database)).replace(/^\/calendar\/|\.ics$/g, ''),
    code: await issueSignInCode(database, { userId: session.userId, username }, Date.now()),
    ...Object.fromEntries(sealed.map(({ value }, nth) => [`sealed ${nth}`, value])),
  })
  const file = join(folder, 'stolen.jsonl.gz')
  await writeBackupFile(file, takeBackup(ownerUrl, dataDirectory))
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  stolen = new Set(lines.flatMap((line) => textsOf(JSON.parse(line))))
})
afterAll(async () => {
  await shop.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns every text in a value, including those inside a row or a file. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') {
    return value.startsWith('{') ? [value, ...textsOf(JSON.parse(value))] : [value]
  }
  if (typeof value !== 'object' || value === null) return []
  if ('base64' in value) return [Buffer.from(String(value.base64), 'base64').toString().trim()]
  return Object.values(value).flatMap(textsOf)
}

describe('a stolen backup', () => {
  it('contains no key, no session and no token', () => {
    expect(Object.values(secrets).filter((secret) => (secret ?? '').length < 8)).toEqual([])
    expect(opened).toEqual(testKeys)
    expect(secrets).toHaveProperty('sealed 4')
    const all = [...stolen].join('\n')
    const found = Object.entries(secrets).filter(([, secret]) => all.includes(secret))
    expect(found.map(([name]) => name)).toEqual([])
    // Checks that the backup contains other data of this shop: the absence of secrets would otherwise prove nothing.
    expect(all).toContain(session.userId)
    expect(all).toContain('Subject: Hello')
  })

  it('contains no text that the running shop accepts as a token or signing key', async () => {
    const texts = [...stolen].filter((text) => text.length >= 16)
    expect(texts.length).toBeGreaterThan(20)
    const exp = Math.floor(Date.now() / 1000) + 60
    const { userId: sub, id: session_id } = session
    const admin = { role: 'authenticated', app_metadata: { role: 'admin' }, sub, session_id, exp }
    const open = async (token: string) => {
      const headers = { apikey: shop.config.anonKey, authorization: `Bearer ${token}` }
      const response = await shop.inject({ url: '/rest/v1/bookings?select=id&limit=1', headers })
      return response.statusCode
    }
    // Proves that the test would detect a usable key: a token that is signed with the real key can read bookings.
    expect(await open(await signJwt(admin, await importJwtKey(testKeys.accessTokens)))).toBe(200)
    const usableTexts: string[] = []
    for (const text of texts) {
      const key = await importJwtKey(text)
      const service = await signJwt({ role: 'service_role', exp }, key)
      for (const token of [encodeURIComponent(text), service, await signJwt(admin, key)]) {
        if ((await open(token)) === 200) usableTexts.push(text)
      }
    }
    expect(usableTexts).toEqual([])
  })
})

/**
 * For each column in the backup whose name includes key, token, secret, password, credential or hash: the reason why
 * the backup may contain the column.
 */
const decided: Record<string, string> = {
  'auth.users.encrypted_password':
    'Argon2id with a salt; staff keep their passwords after a restore',
  'internal.code_apps.sealed_secret': 'encrypted with a key that no backup contains',
  'internal.commands.input_hash': 'SHA-256 of the input of a command',
  'internal.erasure_rules.row_key': 'the name of a column',
  'internal.form_origins.token_digest': 'SHA-256 of a token that is used up',
  'internal.invoice_links.token_digest': 'SHA-256 of 128 bits, which opens nothing by itself',
  'internal.merge_rules.key_column': 'the name of a column',
  'internal.owner_notices.dedupe_key': 'what caused a notice',
  'internal.onboarding.has_first_password': 'yes or no',
  'internal.passkeys.credential_id': 'the id of a passkey, which opens nothing by itself',
  'internal.passkeys.public_key': 'a public key',
  'internal.recovery_codes.code_hash': 'HMAC-SHA-256 with a key that no backup contains',
  'internal.visitor_emails.dedupe_key': 'what caused an email',
  'public.authorizations.revision_hash': 'SHA-256 of a document',
  'public.estimate_revisions.hash': 'SHA-256 of a document',
}

it('a backup omits every column whose name suggests a secret, except columns with a recorded reason', async () => {
  const { rows } = await shop.database.owner.query<{ table: string; column: string }>(
    `select format('%I.%I', n.nspname, c.relname) as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and a.attnum > 0 and not a.attisdropped
       and n.nspname in ('auth', 'internal', 'public', 'stripe_sandbox')
       and (a.attname ~ '(token|secret|password|credential|hash)'
         or n.nspname in ('auth', 'internal') and a.attname ~ 'key')`,
  )
  const backedUpRows = rows.filter(({ table }) => !installationTables.has(table))
  expect(backedUpRows.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
    Object.keys(decided).toSorted(),
  )
})
