import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { savedEstimate } from './estimates.ts'

/**
 * Hands the latest revision of an estimate over: it is frozen, and where there is an address, the letter with its page is
 * queued with it. The same revision is written to its customer once, however often it is asked for. Without an address
 * `emailId` is null: then the shop prints it, or reads it out. Refused: ESTIMATE_CHANGED (another version than was seen),
 * ESTIMATE_NOT_READY (`problems` of the draft), ESTIMATE_EXPIRED, ESTIMATE_DECIDED, ESTIMATE_NOT_FOUND.
 */
export const sendEstimateEndpoint = {
  method: 'POST',
  path: '/api/admin/estimate/send',
  caller: 'admin',
  request: z.object({ estimateId: z.uuid(), seenVersion: z.int() }),
  response: z.object({ ok: z.literal(true), saved: savedEstimate, emailId: z.nullable(z.uuid()) }),
} satisfies Endpoint
