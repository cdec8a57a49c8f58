import * as z from 'zod/mini'
import { mailMode } from '#contracts/emails/emails.ts'
import type { ResponseOf, Endpoint } from '#contracts/api/endpoint.ts'

/** The state of the running system, for the owner. */
export const operationsEndpoint = {
  method: 'GET',
  path: '/api/operations',
  caller: 'admin',
  response: z.object({
    ok: z.literal(true),
    /** Problems that the owner should solve, as whole sentences with the remedy; empty when there are none. */
    warnings: z.array(z.string()),
    emails: z.object({
      /** With 'outbox', emails are not sent. */
      mode: mailMode,
      /** Emails that the mail server has not accepted yet. */
      waiting: z.int(),
      /** The age of the oldest waiting email. */
      oldestWaitingMinutes: z.int(),
      /** Emails that failed for good in the last seven days. */
      failed: z.int(),
      /** Confirmations of the last day that were not written because the limit was exceeded. */
      withheld: z.int(),
    }),
    database: z.object({ megabytes: z.int() }),
    process: z.object({
      /** ISO 8601 */
      startedAt: z.string(),
      /** The number of HTTP responses by class of status; a class with none is omitted. */
      responses: z.object({
        '1xx': z.optional(z.int()),
        '2xx': z.optional(z.int()),
        '3xx': z.optional(z.int()),
        '4xx': z.optional(z.int()),
        '5xx': z.optional(z.int()),
      }),
      memoryMegabytes: z.int(),
    }),
    /** The scheduled jobs of this process. */
    jobs: z.array(
      z.object({
        name: z.string(),
        runs: z.int(),
        failures: z.int(),
        /** ISO 8601; null before the first run. */
        lastEndedAt: z.nullable(z.string()),
        lastFailed: z.boolean(),
        /** The duration of the last run in milliseconds. */
        lastMs: z.int(),
      }),
    ),
  }),
} satisfies Endpoint
export type Operations = Omit<ResponseOf<typeof operationsEndpoint>, 'ok'>
