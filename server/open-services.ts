import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createAuthenticate, openAuth } from '@local/data-service'
import { listen } from '@local/postgres'
import type { AppDependencies } from '#server/app-dependencies.ts'
import { openAuthGateway } from '#server/features/admin-session/gateway/open-auth-gateway.ts'
import { createPasswordQueues } from '#server/features/admin-session/sign-in/password-queues.ts'
import { openBackup } from '#server/features/backup/open-backup.ts'
import { createDatabaseHeaders } from '#server/features/data-service/database-headers.ts'
import { sendAfterRequests } from '#server/features/emails/outbox/send-after-requests.ts'
import { createMailer } from '#server/features/emails/transport/mailer.ts'
import { readOnboarding } from '#server/features/onboarding/read-onboarding.ts'
import { openPayments } from '#server/features/payments/open-payments.ts'
import { watchMailSettings } from '#server/features/setup/mail-server/watch-mail-settings.ts'
import { watchShop } from '#server/features/shop/watch-shop.ts'
import { openSite } from '#server/features/site/open-site.ts'
import { channels } from '#server/platform/database/channels.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { openSecretsKey } from '#server/platform/secrets/secrets-key.ts'
import type { RequestRules } from './apply-request-rules.ts'

const builtSite = join(import.meta.dirname, '../dist')

/** The services that several features share. */
export type Services = Awaited<ReturnType<typeof openServices>>

/** Opens the services of the app, which stop when the app closes. */
export async function openServices(
  app: FastifyInstance,
  rules: RequestRules,
  dependencies: AppDependencies,
) {
  const { config, database, now } = dependencies
  const { publicUrl, anonKey, hosted, mail } = config
  const { site, notifications, currentShop } = await openShop(app, dependencies)
  const secretsKey = openSecretsKey(config.dataDirectory, config.secretsKey)
  const report = (error: unknown, what: string) => app.log.error({ err: error }, what)
  const sealedSettings = { database, notifications, secretsKey, report }
  const mailSettings = await watchMailSettings({ ...sealedSettings, config })
  app.addHook('onClose', async () => mailSettings.stop())
  const mailer = createMailer({
    config,
    currentMail: mailSettings.current,
    database,
    currentShop,
    log: app.log,
    transport: dependencies.mailTransport,
  })
  sendAfterRequests(app, mailer)
  const canSendEmail = () => mailer.transport.mode !== 'outbox'
  const auth = await openAuth({
    ...dependencies,
    publicUrl,
    roleOfUser: 'internal.database_role_of(s.user_id, s.id)',
    maySignIn: 'internal.may_sign_in(s.user_id)',
    needsSecondFactor: 'internal.has_code_app(s.user_id)',
  })
  const passwordQueues = createPasswordQueues()
  const payments = await openPayments(app, { ...sealedSettings, ...dependencies, currentShop })
  const { stripe, pdfs, paymentMode } = payments.context
  const processState = { canSendEmail, paymentMode }
  return {
    ...rules,
    ...payments,
    config,
    database,
    now,
    publicUrl,
    ownerEmail: mail.owner,
    mailFrom: () => mailSettings.current().from,
    mailSettings,
    secretsKey,
    outboxFolder: join(config.dataDirectory, 'outbox'),
    site,
    notifications,
    currentShop,
    mailer,
    processState,
    canSendEmail,
    readOnboarding: () =>
      database.transaction(asServer, (query) => readOnboarding(query, processState)),
    auth,
    authenticate: createAuthenticate({
      auth,
      anonKey,
      headersOf: createDatabaseHeaders({
        addressKey: dependencies.keys.clientAddresses,
        isEnforced: rules.isCapped,
        linksLater: dependencies.linksLater,
      }),
      recordSession: (request, isOpen) => rules.liveSessions.note(request, 'access token', isOpen),
    }),
    passwordQueues,
    gateway: openAuthGateway(config, auth, passwordQueues),
    stripe,
    pdfs,
    ownerUrl: dependencies.ownerUrl,
    backup: openBackup(app, { ...dependencies, currentShop }),
    linksLater: dependencies.linksLater && !hosted,
  }
}

/** Watches the details of the shop (name, address, phone). When they change, renders the pages of the site again. */
async function openShop(
  app: FastifyInstance,
  { config, database, siteDirectory = builtSite, renderCustomerPage }: AppDependencies,
) {
  const report = (error: unknown, what: string) => app.log.error({ err: error }, what)
  const site = await openSite({
    directory: siteDirectory,
    renderCustomerPage,
    publicUrl: config.publicUrl,
    dataService: { url: config.hosted?.url ?? '', anonKey: config.anonKey },
  })
  const notifications = listen(database, channels, (error) =>
    report(error, 'notifications of the database are interrupted'),
  )
  app.addHook('onClose', () => notifications.stop())
  const shop = await watchShop({ database, notifications, onChange: site.render, report })
  app.addHook('onClose', async () => shop.stop())
  return { site, notifications, currentShop: shop.currentShop }
}
