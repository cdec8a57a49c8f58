import * as z from 'zod/mini'
import { mailMode } from '#contracts/emails/emails.ts'
import type { ResponseOf, Endpoint } from '#contracts/api/endpoint.ts'

/** A setting of the process. What is secret of it never leaves the server. */
const processSetting = z.object({
  /** The name of the environment variable. */
  name: z.string(),
  isSet: z.boolean(),
  /** What of its value may be seen, the host of a mail server for example; null where nothing may, or nothing is set. */
  shows: z.nullable(z.string()),
})
export type ProcessSetting = z.infer<typeof processSetting>

/** How the shop is connected to mail and money, for the owner who sets it up. */
export const setupEndpoints = {
  email: {
    method: 'GET',
    path: '/api/setup/email',
    caller: 'admin',
    response: z.object({
      ok: z.literal(true),
      mode: mailMode,
      settings: z.array(processSetting),
      /** Whom messages come from, and who hears of what needs a person: bare addresses. */
      from: z.string(),
      owner: z.string(),
    }),
  },
  /** Sends one message now and says what became of it. */
  sendTest: {
    method: 'POST',
    path: '/api/setup/email/test',
    caller: 'admin',
    request: z.object({ to: z.string().check(z.maxLength(254)) }),
    response: z.object({
      ok: z.literal(true),
      /** 'in_outbox': no mail server is set, it lies in the folder. 'waiting': the server has not answered yet. */
      outcome: z.enum(['sent', 'in_outbox', 'waiting', 'failed']),
      /** What the mail server said, and what that means for the owner; of a failure only. */
      serverMessage: z.nullable(z.string()),
      meaning: z.nullable(z.string()),
    }),
  },
  payments: {
    method: 'GET',
    path: '/api/setup/payments',
    caller: 'admin',
    response: z.object({
      ok: z.literal(true),
      /** 'sandbox' and 'test' move no money; 'test' is the processor's own test mode. */
      mode: z.enum(['sandbox', 'test', 'live']),
      settings: z.array(processSetting),
      /** Where the processor sends its events. */
      webhookUrl: z.string(),
      /** ISO 8601: when an event of this mode came last, signed by the processor; null for none in 90 days. */
      webhookSeenAt: z.nullable(z.string()),
    }),
  },
} satisfies Record<string, Endpoint>

export type EmailSetup = Omit<ResponseOf<typeof setupEndpoints.email>, 'ok'>
export type TestEmailResult = Omit<ResponseOf<typeof setupEndpoints.sendTest>, 'ok'>
export type PaymentSetup = Omit<ResponseOf<typeof setupEndpoints.payments>, 'ok'>
