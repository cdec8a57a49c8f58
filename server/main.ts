import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { runCommand } from '#server/commands/command.ts'
import type { Config } from './config.ts'
import {
  type EnsuredAdmin,
  ensureAdmin,
} from '#server/features/admin-session/accounts/ensure-admin.ts'
import { readHasPausedEmails } from './features/backup/read-backup.ts'
import { readHasSealedSetting } from './platform/secrets/sealed-setting.ts'
import { readShop } from './features/shop/read-shop.ts'
import {
  type PreparedDatabase,
  prepareDatabase,
} from '#server/platform/database/bootstrap-database.ts'
import { keySettings } from './key-settings.ts'
import { backupKeyFile, openBackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { isOnSameDisk } from '#server/platform/backup/start-backup.ts'
import { openKeys } from './platform/keys/open-keys.ts'
import { type HttpListener, openHttpListener } from '#server/platform/http/http-listener.ts'
import { addressGroup } from '#server/platform/http/limits/client-address.ts'
import { createProxyCheck } from '#server/platform/http/limits/trusted-proxies.ts'
import { createReadiness, type Readiness } from './platform/health/readiness.ts'

/**
 * The maximum time in milliseconds for which the process waits for running requests after it received a stop signal.
 */
const farewellMs = 10_000

/** Stop signals that arrive within this number of milliseconds count as one signal. */
const echoMs = 500

type Running = {
  readonly listener: HttpListener
  readonly prepared: PreparedDatabase
  readonly app: FastifyInstance
  readonly readiness: Readiness
}

await runCommand(serve)

async function serve(config: Config): Promise<void> {
  const stopped = waitForStopSignal()
  const listener = await openHttpListener(config.host, config.port, {
    clientOf: createClientOf(config),
  })
  const prepared = await prepareDatabase(config)
  const keys = await openKeys(keySettings(prepared, config))
  const newAdmin = await ensureAdmin({ database: prepared.database, keys }, config)
  const readiness = createReadiness()
  const { database, ownerUrl, spool } = prepared
  const isBackupKeyNew = config.backup !== undefined && openBackupKey(config.dataDirectory).isNew
  const app = await buildApp({
    config,
    database,
    ownerUrl,
    spool,
    keys,
    now: Date.now,
    readiness,
    linksLater: true,
  })
  await app.ready()
  // Startup sends no query after the listener has begun to accept requests, so that a database outage at that time
  // does not end the process.
  const { name } = await readShop(database)
  const hasPausedEmails = await readHasPausedEmails(database)
  const hasMailServer = await readHasSealedSetting(database, 'email')
  const hasStripeAccount = await readHasSealedSetting(database, 'payments')
  listener.admit((request, response) => app.routing(request, response))
  announce({
    config,
    port: listener.port,
    newAdmin,
    name,
    isBackupKeyNew,
    hasPausedEmails,
    hasMailServer,
    hasStripeAccount,
  })
  const reason = await Promise.race([stopped, prepared.lost])
  if (reason !== undefined) console.error(`\n${reason}`)
  else await readiness.shutDown()
  await stop({ listener, prepared, app, readiness })
  process.exit(reason === undefined ? 0 : 1)
}

/**
 * Returns the client (an IP address or network) whose simultaneous connections the listener limits. Returns undefined
 * for a connection without a limit: from a trusted proxy, or while RATE_LIMITS is off.
 */
function createClientOf({ rateLimits, trustProxy }: Config) {
  const isProxy = createProxyCheck(trustProxy)
  return (address: string) =>
    rateLimits === 'off' || isProxy(address) ? undefined : addressGroup(address)
}

/**
 * The first stop signal shuts the process down gracefully, a later one immediately; PostgreSQL stops in both cases.
 * Signals in quick succession count as one signal, because one Ctrl-C causes several: from the terminal and from each
 * parent command. The event `disconnect` means that the parent command has ended.
 */
function waitForStopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = () => {
      firstAt ??= performance.now()
      if (performance.now() - firstAt > echoMs) process.exit(1)
      resolve(undefined)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
    process.once('disconnect', () => resolve(undefined))
  })
}

async function stop({ listener, prepared, app, readiness }: Running): Promise<void> {
  const closed = listener.close(farewellMs)
  readiness.bidFarewell()
  await closed
  await app.close()
  await prepared.stop()
}

type Opened = {
  readonly config: Config
  readonly port: number
  readonly newAdmin: EnsuredAdmin | undefined
  /** The shop's name, which the startup message prints. */
  readonly name: string
  readonly isBackupKeyNew: boolean
  /** Whether the shop was restored from a backup and its queued emails are paused until an owner sends them. */
  readonly hasPausedEmails: boolean
  /** Whether an owner entered a mail server in the dashboard. */
  readonly hasMailServer: boolean
  /** Whether an owner connected a Stripe account in the dashboard. */
  readonly hasStripeAccount: boolean
}

function announce(opened: Opened): void {
  const { config, port, newAdmin, name, hasMailServer, hasStripeAccount, ...backup } = opened
  const host = config.host === '127.0.0.1' || config.host === '0.0.0.0' ? 'localhost' : config.host
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  console.log(
    `\n${name} is open.\n  Site       ${address}/\n  Dashboard  ${address}/admin-dashboard`,
  )
  if (newAdmin?.generatedPassword !== undefined) {
    console.log(
      `  Sign in    ${newAdmin.username} / ${newAdmin.generatedPassword}   (shown only now; "npm run admin" changes it)`,
    )
  }
  announcePayments(config, hasStripeAccount)
  if (!config.mail.smtpUrl && !config.mail.resendApiKey && !hasMailServer) {
    console.log(
      `  Email      TEST MODE: kept in ${config.dataDirectory}/outbox. Enter a mail server in Settings, Email to send.`,
    )
  }
  announceBackup(config, backup)
  console.log('Ctrl-C stops it.\n')
}

function announcePayments({ payments }: Config, hasStripeAccount: boolean): void {
  const isOfDashboard = payments.mode === 'dashboard'
  if (payments.mode === 'stripe' || (isOfDashboard && hasStripeAccount)) return
  console.log(
    isOfDashboard && payments.otherwise === 'not_set_up'
      ? '  Payments   NONE. Enter a Stripe key in the dashboard (Settings, Payments).'
      : '  Payments   TEST MODE: no money moves. Enter a Stripe key in the dashboard to charge cards.',
  )
}

function announceBackup(
  { backup, hosted, dataDirectory }: Config,
  { isBackupKeyNew, hasPausedEmails }: Pick<Opened, 'isBackupKeyNew' | 'hasPausedEmails'>,
): void {
  if (hasPausedEmails) {
    console.log(
      '  Restored   Emails are paused until an owner sends them in the dashboard (Settings, Backup).',
    )
  }
  if (!backup) {
    const none = hosted ? 'NONE by this site, only by the hosted project.' : 'NONE.'
    console.log(`  Backup     ${none} Set BACKUP_URL to a folder on another disk or to a bucket.`)
    return
  }
  console.log(`  Backup     ${backup.url}`)
  if (isBackupKeyNew) {
    console.log(
      `             Keep a copy of ${dataDirectory}/keys/${backupKeyFile} elsewhere. Without it nobody can restore the backup.`,
    )
  }
  if (isOnSameDisk(backup.url, dataDirectory)) {
    console.log(
      '             WARNING: the backup is on the disk of DATA_DIR, so it does not protect the shop.',
    )
  }
}
