import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { runCommand } from '#server/commands/command.ts'
import type { Config } from './config.ts'
import {
  type EnsuredAdmin,
  ensureAdmin,
} from '#server/features/admin-session/accounts/ensure-admin.ts'
import { readShop } from './features/shop/read-shop.ts'
import {
  type PreparedDatabase,
  prepareDatabase,
} from '#server/platform/database/bootstrap-database.ts'
import { keySettings } from './key-settings.ts'
import { openKeys } from './platform/keys/open-keys.ts'
import { type HttpListener, openHttpListener } from '#server/platform/http/http-listener.ts'
import { addressGroup } from '#server/platform/http/limits/client-address.ts'
import { createProxyCheck } from '#server/platform/http/limits/trusted-proxies.ts'
import { createReadiness, type Readiness } from './platform/health/readiness.ts'

/** How long requests under way may take to finish once the process was told to stop. */
const farewellMs = 10_000

/** Signals closer together than this are one wish. */
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
  const { database, ownerUrl } = prepared
  const app = await buildApp({
    config,
    database,
    ownerUrl,
    keys,
    now: Date.now,
    readiness,
    linksLater: true,
  })
  await app.ready()
  // Nothing is asked of the database once the door is open: it may be away just then, and that ends no site.
  const { name } = await readShop(database)
  listener.admit((request, response) => app.routing(request, response))
  announce({ config, port: listener.port, newAdmin, name })
  const reason = await Promise.race([stopped, prepared.lost])
  if (reason !== undefined) console.error(`\n${reason}`)
  else await readiness.shutDown()
  await stop({ listener, prepared, app, readiness })
  process.exit(reason === undefined ? 0 : 1)
}

/** Names the client whose connections the front door counts; undefined for a trusted proxy, and while RATE_LIMITS is off. */
function createClientOf({ rateLimits, trustProxy }: Config) {
  const isProxy = createProxyCheck(trustProxy)
  return (address: string) =>
    rateLimits === 'off' || isProxy(address) ? undefined : addressGroup(address)
}

/**
 * The first signal stops in good order, a later one at once; PostgreSQL follows either way. One Ctrl-C
 * arrives several times, from the terminal and from each of the commands above us. `disconnect` says
 * that the command which started us is gone.
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
  /** What the shop is called. */
  readonly name: string
}

function announce({ config, port, newAdmin, name }: Opened): void {
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
  if (config.payments.mode === 'sandbox') {
    console.log('  Payments   TEST MODE: no money moves. Set STRIPE_SECRET_KEY to charge cards.')
  }
  if (!config.mail.smtpUrl && !config.mail.resendApiKey) {
    console.log(
      `  Email      TEST MODE: kept in ${config.dataDirectory}/outbox. Set SMTP_URL to send.`,
    )
  }
  console.log('Ctrl-C stops it.\n')
}
