import { type OutboxEmail, outboxEndpoints } from '#contracts/emails/emails.ts'
import { type ResponseOf, fillPath } from '#contracts/api/endpoint.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

export type OutboxPage = ResponseOf<typeof outboxEndpoints.list>
export type OutboxMessage = ResponseOf<typeof outboxEndpoints.read>['email']

/** A page of the outbox, newest first; `before` is the `next` of the page before. */
export async function listOutbox(limit: number, before: string | null): Promise<OutboxPage> {
  return orThrow(await callAsAdmin(outboxEndpoints.list, { limit, ...(before && { before }) }))
}

export async function readMessage(id: string): Promise<OutboxMessage> {
  return orThrow(await callAsAdmin(outboxEndpoints.read, { id })).email
}

/** Tries a message once more now. @returns what became of it. */
export async function resendEmail(id: string): Promise<OutboxEmail> {
  return orThrow(await callAsAdmin(outboxEndpoints.resend, { id })).email
}

/** The message as customers see it; to be shown in a sandboxed frame only. */
export const previewUrl = (id: string) => fillPath(outboxEndpoints.preview, { id }).path

/** The message as a file that mail programs open. */
export const emlUrl = (id: string) => fillPath(outboxEndpoints.download, { id }).path
