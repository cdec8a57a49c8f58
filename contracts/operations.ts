import * as z from 'zod/mini'
import { mailMode } from '#contracts/emails/emails.ts'
import type { ResponseOf, Endpoint } from '#contracts/api/endpoint.ts'

/** Returns the state of the running system: emails, database, server process and scheduled jobs. */
export const operationsEndpoint = {
  method: 'GET',
  path: '/api/operations',
  rights: 'admin',
  response: z.object({
    ok: z.literal(true),
    /** Problems that the owner should solve, each as a whole sentence with the remedy; empty when there are none. */
    warnings: z.array(z.string()),
    emails: z.object({
      /** The way in which the shop sends emails; with 'outbox', the shop sends none. */
      mode: mailMode,
      /** The number of emails that the mail server has not accepted yet. */
      waiting: z.int(),
      /** The age in minutes of the oldest email that the mail server has not accepted yet. */
      oldestWaitingMinutes: z.int(),
      /** The number of emails in the last seven days whose delivery has failed permanently. */
      failed: z.int(),
      /**
       * The number of confirmation emails that the shop did not write in the last 24 hours, because visitors had caused
       * as many emails as the limit allows.
       */
      withheld: z.int(),
    }),
    database: z.object({ megabytes: z.int() }),
    process: z.object({
      /** The time (ISO 8601) at which the server process started. */
      startedAt: z.string(),
      /** The number of HTTP responses by class of status, such as '4xx'; the list omits classes without responses. */
      responses: z.object({
        '1xx': z.optional(z.int()),
        '2xx': z.optional(z.int()),
        '3xx': z.optional(z.int()),
        '4xx': z.optional(z.int()),
        '5xx': z.optional(z.int()),
      }),
      memoryMegabytes: z.int(),
    }),
    /** The scheduled jobs of this server process. */
    jobs: z.array(
      z.object({
        name: z.string(),
        runs: z.int(),
        failures: z.int(),
        /** The time (ISO 8601) at which the last run of the job ended; null before the first run. */
        lastEndedAt: z.nullable(z.string()),
        lastFailed: z.boolean(),
        /** The duration of the last run in milliseconds. */
        lastMs: z.int(),
      }),
    ),
  }),
} satisfies Endpoint
export type Operations = Omit<ResponseOf<typeof operationsEndpoint>, 'ok'>
