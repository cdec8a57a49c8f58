import { type OutboxEmail, outboxEndpoints } from '#contracts/emails/emails.ts'
import { type ResponseOf, fillPath } from '#contracts/api/endpoint.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

export type OutboxPage = ResponseOf<typeof outboxEndpoints.list>
export type OutboxMessage = ResponseOf<typeof outboxEndpoints.read>['email']

/** Reads a page of the list of emails, newest first. `before` is the `next` value of the previous page. */
export async function listOutbox(limit: number, before: string | null): Promise<OutboxPage> {
  return orThrow(await callAsAdmin(outboxEndpoints.list, { limit, ...(before && { before }) }))
}

export async function readMessage(id: string): Promise<OutboxMessage> {
  return orThrow(await callAsAdmin(outboxEndpoints.read, { id })).email
}

/** Tries to send an email again immediately. @returns the email with its new state. */
export async function resendEmail(id: string): Promise<OutboxEmail> {
  return orThrow(await callAsAdmin(outboxEndpoints.resend, { id })).email
}

/** The URL of an email as its recipient sees it. Show it only in a sandboxed frame. */
export const previewUrl = (id: string) => fillPath(outboxEndpoints.preview, { id }).path

/** The URL of an email as an .eml file. */
export const emlUrl = (id: string) => fillPath(outboxEndpoints.download, { id }).path
