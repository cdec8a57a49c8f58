import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { command } from '#contracts/commands/command.ts'
import { savedEstimate } from './estimates.ts'

/**
 * Sends the latest revision of an estimate. One transaction freezes the revision and queues the email with the link
 * to the customer's page. A repeated request does not send the same revision again. Without an email address
 * `emailId` is null, and staff print the estimate or read it out. Refusals: ESTIMATE_CHANGED (changed since the client
 * read it), ESTIMATE_NOT_READY (see `problems` of the draft), ESTIMATE_EXPIRED, ESTIMATE_DECIDED,
 * ESTIMATE_NOT_FOUND.
 */
export const sendEstimateEndpoint = {
  method: 'POST',
  path: '/api/admin/estimate/send',
  rights: 'admin',
  request: z.object({ estimateId: z.uuid(), seenVersion: z.int() }),
  response: z.object({ ok: z.literal(true), saved: savedEstimate, emailId: z.nullable(z.uuid()) }),
} satisfies Endpoint

/**
 * Records a decision that the customer made by phone or in another way than on the estimate page. Queues the email that
 * lists the approved jobs. If the latest revision is still a draft, the command freezes it first. `emailId` is null
 * when the customer has no email address or approved no job.
 */
export const recordAuthorizationCommand = command(
  'record-authorization',
  z.object({
    estimateId: z.uuid(),
    seenVersion: z.int(),
    decisions: z.array(
      z.object({
        jobKey: z.uuid(),
        decision: z.enum(['approved', 'declined', 'withdrawn']),
        /**
         * If the customer declined the job earlier and the dashboard showed that decision to staff: the id of the
         * authorization with the decision. Otherwise null.
         */
        declinedId: z.nullable(z.int()),
      }),
    ),
    /** One of `authorizationMethods` except 'web'; the database refuses other values. */
    method: z.string(),
    decidedByName: z.string(),
    relationship: z.string(),
    contact: z.string(),
    statement: z.string(),
    /** The time of the decision: ISO 8601. */
    decidedAt: z.iso.datetime(),
    wantsPartsBack: z.boolean(),
  }),
  z.object({ saved: savedEstimate, emailId: z.nullable(z.uuid()) }),
)
