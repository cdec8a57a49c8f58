import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { savedEstimate } from './estimates.ts'

/**
 * Sends the latest revision of an estimate. The revision is frozen, and the email with the link to its page is queued
 * in the same transaction. Repeated requests send the same revision once. Without an address `emailId` is null, and
 * staff print or read out the estimate. Refusals: ESTIMATE_CHANGED (the version is not the seen one),
 * ESTIMATE_NOT_READY (`problems` of the draft), ESTIMATE_EXPIRED, ESTIMATE_DECIDED, ESTIMATE_NOT_FOUND.
 */
export const sendEstimateEndpoint = {
  method: 'POST',
  path: '/api/admin/estimate/send',
  caller: 'admin',
  request: z.object({ estimateId: z.uuid(), seenVersion: z.int() }),
  response: z.object({ ok: z.literal(true), saved: savedEstimate, emailId: z.nullable(z.uuid()) }),
} satisfies Endpoint
