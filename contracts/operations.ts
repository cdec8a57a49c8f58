import * as z from 'zod/mini'
import { mailMode } from '#contracts/emails/emails.ts'
import type { ResponseOf, Endpoint } from '#contracts/api/endpoint.ts'

/** How the shop's machinery is doing, for the owner. */
export const operationsEndpoint = {
  method: 'GET',
  path: '/api/operations',
  caller: 'admin',
  response: z.object({
    ok: z.literal(true),
    /** What the owner should look at, whole sentences with what to do; empty when all is well. */
    warnings: z.array(z.string()),
    emails: z.object({
      /** 'outbox': nothing leaves. */
      mode: mailMode,
      /** Written and not yet taken by the mail server. */
      waiting: z.int(),
      /** How long the oldest of those has been waiting. */
      oldestWaitingMinutes: z.int(),
      /** Given up in the last seven days. */
      failed: z.int(),
      /** Confirmations of the last day that were not written: more were asked for than people would. */
      withheld: z.int(),
    }),
    database: z.object({ megabytes: z.int() }),
    process: z.object({
      /** ISO 8601 */
      startedAt: z.string(),
      /** Answers by class of status: a class without any is left out. */
      responses: z.object({
        '1xx': z.optional(z.int()),
        '2xx': z.optional(z.int()),
        '3xx': z.optional(z.int()),
        '4xx': z.optional(z.int()),
        '5xx': z.optional(z.int()),
      }),
      memoryMegabytes: z.int(),
    }),
    /** Of this process. */
    jobs: z.array(
      z.object({
        name: z.string(),
        runs: z.int(),
        failures: z.int(),
        /** ISO 8601; null before the first run. */
        lastEndedAt: z.nullable(z.string()),
        lastFailed: z.boolean(),
        /** Milliseconds of the last run. */
        lastMs: z.int(),
      }),
    ),
  }),
} satisfies Endpoint
export type Operations = Omit<ResponseOf<typeof operationsEndpoint>, 'ok'>
