import * as z from 'zod/mini'
import { mailMode } from '#contracts/emails/emails.ts'
import type { ResponseOf, Endpoint } from '#contracts/api/endpoint.ts'

/** A setting of the server process. The server never sends secret values. */
const processSetting = z.object({
  /** The name of the environment variable that contains the setting. */
  name: z.string(),
  isSet: z.boolean(),
  /**
   * The public part of the setting's value, such as the host of a mail server; null for a secret or missing value.
   */
  shows: z.nullable(z.string()),
})
export type ProcessSetting = z.infer<typeof processSetting>

/**
 * The encryption of the connection to the mail server: 'tls' encrypts from the start, usually at port 465; 'starttls'
 * switches to encryption, usually at port 587.
 */
export const mailServerSecurity = z.enum(['tls', 'starttls'])

const emailAddress = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/
// oxlint-disable-next-line no-control-regex -- a line break in a user name could start another SMTP command
const oneLine = /^[^\u0000-\u001f\u007f]*$/

const mailServerFields = {
  host: z.string().check(z.regex(/^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i)),
  port: z.number().check(z.int(), z.minimum(1), z.maximum(65_535)),
  security: mailServerSecurity,
  /** The username at the mail server; empty for a mail server without sign-in. */
  username: z.string().check(z.maxLength(200), z.regex(oneLine)),
  /** The email address of the sender; empty for the shop's email address for bookings. */
  from: z.union([z.literal(''), z.string().check(z.maxLength(254), z.regex(emailAddress))]),
}

/** Matches a secret or a restricted key of Stripe, but not a publishable key, which begins with pk_. */
export const stripeSecretKey = /^(sk|rk)_(test|live)_\w+$/

/** The endpoints with which an owner configures email and payments. */
export const setupEndpoints = {
  email: {
    method: 'GET',
    path: '/api/setup/email',
    rights: 'owner',
    response: z.object({
      ok: z.literal(true),
      mode: mailMode,
      settings: z.array(processSetting),
      /**
       * `from` is the sender of the shop's emails; `owner` is the recipient of notices that require an action. Both
       * are email addresses without names.
       */
      from: z.string(),
      owner: z.string(),
      /**
       * Whether an environment variable defines the mail server, so that the dashboard cannot change the mail server.
       */
      isSetByEnvironment: z.boolean(),
      /** The mail server that an owner entered, without its password; null when no mail server was entered. */
      mailServer: z.nullable(
        z.object({
          /**
           * The mail server; null when its password was encrypted with the key of another machine. The owner then has
           * to enter the password again.
           */
          fields: z.nullable(z.object(mailServerFields)),
          changedAt: z.string(),
          changedByName: z.string(),
        }),
      ),
    }),
  },
  /** Saves a mail server if the mail server accepts a test message to the owner's own email address. */
  saveMailServer: {
    method: 'POST',
    path: '/api/setup/email/save',
    rights: 'owner',
    stepUp: true,
    request: z.object({
      ...mailServerFields,
      /** The new password of the mail server; null keeps the stored password. */
      password: z.nullable(z.string().check(z.maxLength(500), z.regex(oneLine))),
    }),
    response: z.object({
      ok: z.literal(true),
      outcome: z.enum(['saved', 'failed']),
      /**
       * The mail server's response after a failure, and an explanation of the failure for the owner; null without a
       * failure.
       */
      serverMessage: z.nullable(z.string()),
      meaning: z.nullable(z.string()),
    }),
  },
  removeMailServer: {
    method: 'POST',
    path: '/api/setup/email/remove',
    rights: 'owner',
    stepUp: true,
    response: z.object({ ok: z.literal(true) }),
  },
  /** Sends one test email immediately and returns the result. */
  sendTest: {
    method: 'POST',
    path: '/api/setup/email/test',
    rights: 'owner',
    request: z.object({ to: z.string().check(z.maxLength(254)) }),
    response: z.object({
      ok: z.literal(true),
      /**
       * The result of the test email. 'in_outbox': no mail server is configured, so the server stored the email in the
       * outbox. 'waiting': the mail server has not responded yet.
       */
      outcome: z.enum(['sent', 'in_outbox', 'waiting', 'failed']),
      /**
       * The mail server's response after a failure, and an explanation of the failure for the owner; null without a
       * failure.
       */
      serverMessage: z.nullable(z.string()),
      meaning: z.nullable(z.string()),
    }),
  },
  payments: {
    method: 'GET',
    path: '/api/setup/payments',
    rights: 'owner',
    response: z.object({
      ok: z.literal(true),
      /** The payment mode. 'sandbox' and 'test' move no money; 'test' is Stripe's test mode. */
      mode: z.enum(['not_set_up', 'sandbox', 'test', 'live']),
      settings: z.array(processSetting),
      /** Whether an environment variable decides the payment mode, so that the dashboard cannot change the mode. */
      isSetByEnvironment: z.boolean(),
      /** The Stripe account that an owner connected, without its key; null when no account is connected. */
      stripeAccount: z.nullable(
        z.object({
          /**
           * The Stripe account; null when its key was encrypted with the key of another machine. The owner then has to
           * enter the Stripe key again.
           */
          fields: z.nullable(
            z.object({
              name: z.string(),
              isTestKey: z.boolean(),
              /** Whether the Stripe account has a webhook endpoint that sends events to the site. */
              hasWebhook: z.boolean(),
            }),
          ),
          changedAt: z.string(),
          changedByName: z.string(),
        }),
      ),
      /**
       * The number of unpaid invoices from the payment sandbox. While such invoices exist, no Stripe account can be
       * connected.
       */
      openTestInvoices: z.int(),
      /** Whether Stripe can reach the site at its public URL, so that Stripe can send events. */
      canReceiveEvents: z.boolean(),
      /** The URL to which Stripe sends its events. */
      webhookUrl: z.string(),
      /**
       * The time (ISO 8601) of the last signed event from Stripe in the current payment mode; null without an event in
       * the last 90 days.
       */
      webhookSeenAt: z.nullable(z.string()),
    }),
  },
  /** Connects a Stripe account if its key can read the account, and creates the webhook endpoint. */
  saveStripeAccount: {
    method: 'POST',
    path: '/api/setup/payments/save',
    rights: 'owner',
    stepUp: true,
    request: z.object({ secretKey: z.string().check(z.maxLength(255), z.regex(stripeSecretKey)) }),
    response: z.object({
      ok: z.literal(true),
      outcome: z.enum(['saved', 'failed', 'test_invoices_open']),
      /** The name of the connected Stripe account (null after a failure), and whether its key is a test key. */
      accountName: z.nullable(z.string()),
      isTestKey: z.boolean(),
      hasWebhook: z.boolean(),
      /** An explanation of a failure for the owner; null after success. */
      meaning: z.nullable(z.string()),
      openTestInvoices: z.int(),
    }),
  },
  removeStripeAccount: {
    method: 'POST',
    path: '/api/setup/payments/remove',
    rights: 'owner',
    stepUp: true,
    /** `isWebhookDisabled`: whether Stripe has disabled the webhook endpoint of the removed account. */
    response: z.object({ ok: z.literal(true), isWebhookDisabled: z.boolean() }),
  },
} satisfies Record<string, Endpoint>

export type EmailSetup = Omit<ResponseOf<typeof setupEndpoints.email>, 'ok'>
export type MailServerInput = z.infer<typeof setupEndpoints.saveMailServer.request>
export type SavedMailServer = Omit<ResponseOf<typeof setupEndpoints.saveMailServer>, 'ok'>
export type TestEmailResult = Omit<ResponseOf<typeof setupEndpoints.sendTest>, 'ok'>
export type SavedStripeAccount = Omit<ResponseOf<typeof setupEndpoints.saveStripeAccount>, 'ok'>
export type PaymentSetup = Omit<ResponseOf<typeof setupEndpoints.payments>, 'ok'>
