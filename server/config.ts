import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { adminUsername } from '#contracts/admin-username.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import {
  backupContradictions,
  backupSettings,
  type BackupSettings,
  type S3Settings,
  toBackupSettings,
  toS3Settings,
} from '#server/platform/backup/backup-settings.ts'
import { parseSecretsKey } from '#server/platform/secrets/secrets-key.ts'

/**
 * The public API key that browsers send to this server's REST API and auth API. The key grants only the rights of a
 * visitor.
 */
export const publicAnonKey = 'sb_publishable_torque-and-timing'

const optionalText = z.optional(z.string().check(z.trim(), z.minLength(1)))
const optionalUrl = (protocol: RegExp, example: string) =>
  z.optional(z.url({ protocol, error: `must be a URL like ${example}` }))

const optionalKey = (beginning: RegExp, example: string) =>
  z.optional(z.string().check(z.trim(), z.regex(beginning, `must be a key like ${example}`)))

const addressList = z.string().check(
  z.refine((list) => splitList(list).every(isAddressOrNetwork), {
    error: 'must be addresses or networks, comma-separated, like 127.0.0.1,10.0.0.0/8',
  }),
)

const settings = z.object({
  NODE_ENV: z._default(z.enum(['development', 'production', 'test']), 'development'),
  PORT: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 3000),
  HOST: z._default(z.string(), '127.0.0.1'),
  PUBLIC_URL: optionalUrl(/^https?$/, 'https://shop.example'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  DATABASE_URL: optionalUrl(/^postgres(ql)?$/, 'postgresql://user:password@host:5432/name'),
  SUPABASE_URL: optionalUrl(/^https?$/, 'https://project.supabase.example'),
  SUPABASE_ANON_KEY: z._default(z.string().check(z.minLength(8)), publicAnonKey),
  SUPABASE_SERVICE_ROLE_KEY: optionalText,
  ADMIN_USERNAME: z._default(adminUsername, 'admin'),
  ADMIN_PASSWORD: z.optional(z.string()),
  SMTP_URL: optionalUrl(/^smtps?$/, 'smtps://user:password@mail.example:465'),
  RESEND_API_KEY: optionalText,
  MAIL_FROM: z.optional(z.string().check(z.regex(/@/, 'must be an e-mail address'))),
  OWNER_EMAIL: z.optional(z.string().check(z.regex(/@/, 'must be an e-mail address'))),
  STRIPE_SECRET_KEY: optionalKey(/^(sk|rk)_/, 'sk_live_… or rk_live_…'),
  STRIPE_WEBHOOK_SECRET: optionalKey(/^whsec_/, 'whsec_…'),
  PAYMENTS: z.optional(z.enum(['stripe', 'sandbox'])),
  SECRETS_KEY: z.optional(
    z.string().check(
      z.trim(),
      z.refine((text) => parseSecretsKey(text) !== undefined, {
        error: 'must be 32 bytes, as 64 hexadecimal digits or as base64',
      }),
    ),
  ),
  TRUST_PROXY: z._default(addressList, ''),
  RATE_LIMITS: z._default(z.enum(['enforced', 'off']), 'enforced'),
  ...backupSettings,
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']), 'info'),
})

/**
 * Former environment variables whose settings the owner now edits in the dashboard. Startup refuses them, because an
 * owner who still sets a former variable expects an effect.
 */
const moved: Readonly<Record<string, string>> = {
  INVOICE_LOOKUP: 'is set in the dashboard now, under Settings, Payments; remove it here',
}

export const settingNames: readonly string[] = Object.keys(settings.shape)

/** All settings of the process, read from its environment variables. `.env.example` explains each one. */
export type Config = {
  readonly environment: 'development' | 'production' | 'test'
  readonly port: number
  readonly host: string
  /** The URL at which visitors reach the site, without a trailing slash. */
  readonly publicUrl: string
  readonly dataDirectory: string
  /** The connection URL of a PostgreSQL server that the site uses instead of the embedded one. */
  readonly databaseUrl: string | undefined
  /** A hosted Supabase project, whose REST API and auth API the browser uses instead of those of this server. */
  readonly hosted: { readonly url: string; readonly serviceRoleKey: string } | undefined
  readonly anonKey: string
  readonly admin: { readonly username: string; readonly password: string | undefined }
  readonly mail: {
    readonly smtpUrl: string | undefined
    readonly resendApiKey: string | undefined
    /** The sender of emails. When undefined, the sender is the email address that the shop uses for bookings. */
    readonly from: string | undefined
    /**
     * The recipient of notices to the owner, for example about duplicate payments or undeliverable emails. By default,
     * notices go to the email address in the setting `from`.
     */
    readonly owner: string | undefined
  }
  readonly payments:
    | { readonly mode: 'stripe'; readonly secretKey: string; readonly webhookSecret: string }
    | { readonly mode: 'sandbox' }
    /**
     * The payment provider is the Stripe account that the owner connects in the dashboard. While no account is
     * connected, `otherwise` states the payment provider.
     */
    | { readonly mode: 'dashboard'; readonly otherwise: 'sandbox' | 'not_set_up' }
  /**
   * The key that encrypts secrets in the database; when undefined, the process uses the key file in `DATA_DIR/keys`.
   */
  readonly secretsKey: Buffer | undefined
  /** The proxies whose X-Forwarded-For header the server trusts; false means that no proxy is trusted. */
  readonly trustProxy: string[] | false
  /** 'off' disables the rate limits, for load tests and for browser tests on a developer's machine. */
  readonly rateLimits: 'enforced' | 'off'
  /** The target of the continuous backup; undefined switches the backup off. */
  readonly backup: BackupSettings | undefined
  readonly s3: S3Settings
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
}

/**
 * Reads the settings. If settings are invalid, returns one line for each of them. The line does not contain the value
 * of the setting, which may be a secret.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
): Result<Config, string[]> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value?.trim() !== ''),
  )
  const parsed = z.safeParse(settings, given)
  if (!parsed.success) {
    return refused(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  }
  const values = parsed.data
  const outdated = Object.keys(moved).filter((name) => name in given)
  const problems = [...outdated.map((name) => `${name}: ${moved[name]}`), ...contradictions(values)]
  return problems.length > 0 ? refused(problems) : accepted(toConfig(values))
}

type Settings = z.infer<typeof settings>

function contradictions(values: Settings): string[] {
  const problems: string[] = []
  const wantsStripe = values.PAYMENTS === 'stripe' || values.STRIPE_SECRET_KEY !== undefined
  if (wantsStripe && values.PAYMENTS !== 'sandbox') {
    if (!values.STRIPE_SECRET_KEY) problems.push('STRIPE_SECRET_KEY: is needed for PAYMENTS=stripe')
    if (!values.STRIPE_WEBHOOK_SECRET)
      problems.push('STRIPE_WEBHOOK_SECRET: is needed together with STRIPE_SECRET_KEY')
  }
  if (values.PUBLIC_URL && !/^https?:\/\/[^/?#]+\/*$/.test(values.PUBLIC_URL)) {
    problems.push('PUBLIC_URL: must be the address of the whole site, without a path')
  }
  if (values.RATE_LIMITS === 'off' && values.NODE_ENV === 'production') {
    problems.push('RATE_LIMITS: cannot be off in production')
  }
  if (values.SUPABASE_URL && !values.SUPABASE_SERVICE_ROLE_KEY) {
    problems.push('SUPABASE_SERVICE_ROLE_KEY: is needed beside SUPABASE_URL')
  }
  if (values.SUPABASE_URL && values.SUPABASE_ANON_KEY === publicAnonKey) {
    problems.push('SUPABASE_ANON_KEY: is needed beside SUPABASE_URL')
  }
  if (values.SUPABASE_URL && !values.DATABASE_URL) {
    problems.push(
      "DATABASE_URL: is needed beside SUPABASE_URL (the project's own connection string)",
    )
  }
  return [...problems, ...backupContradictions(values)]
}

function toConfig(values: Settings): Config {
  const proxies = splitList(values.TRUST_PROXY)
  return {
    environment: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST,
    publicUrl: (values.PUBLIC_URL ?? ownUrl(values)).replace(/\/+$/, ''),
    dataDirectory: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    hosted:
      values.SUPABASE_URL && values.SUPABASE_SERVICE_ROLE_KEY
        ? {
            url: values.SUPABASE_URL.replace(/\/+$/, ''),
            serviceRoleKey: values.SUPABASE_SERVICE_ROLE_KEY,
          }
        : undefined,
    anonKey: values.SUPABASE_ANON_KEY,
    admin: { username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD },
    mail: {
      smtpUrl: values.SMTP_URL,
      resendApiKey: values.RESEND_API_KEY,
      from: values.MAIL_FROM,
      owner: values.OWNER_EMAIL ?? values.MAIL_FROM,
    },
    payments: choosePayments(values),
    secretsKey: parseSecretsKey(values.SECRETS_KEY ?? ''),
    trustProxy: proxies.length > 0 && proxies,
    rateLimits: values.RATE_LIMITS,
    backup: toBackupSettings(values),
    s3: toS3Settings(values),
    logLevel: values.LOG_LEVEL,
  }
}

/** The URL of the site on this machine, for a configuration without PUBLIC_URL. */
function ownUrl({ HOST, PORT }: Settings): string {
  const isLocal = ['0.0.0.0', '::', '127.0.0.1'].includes(HOST)
  return `http://${isLocal ? 'localhost' : HOST}:${PORT}`
}

function choosePayments(values: Settings): Config['payments'] {
  const { PAYMENTS, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values
  if (PAYMENTS === 'sandbox') return { mode: 'sandbox' }
  if (secretKey && webhookSecret) return { mode: 'stripe', secretKey, webhookSecret }
  // In production, the payment sandbox needs an explicit setting, because visitors would otherwise believe that they
  // paid.
  const otherwise = values.NODE_ENV === 'production' ? 'not_set_up' : 'sandbox'
  return { mode: 'dashboard', otherwise }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/**
 * Accepts an IP address, a network (10.0.0.0/8), or a network name that the package proxy-addr defines, such as
 * 'loopback'.
 */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return longest > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
}
