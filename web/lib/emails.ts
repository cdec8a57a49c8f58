import type * as z from 'zod/mini'
import {
  listOutboxResponse,
  type OutboxEmail,
  readOutboxResponse,
  resendEmailResponse,
} from '#contracts/emails.ts'
import { getJson, postJson } from './api.ts'
import { askApi } from './ask-api.ts'

export type OutboxPage = z.infer<typeof listOutboxResponse>
export type OutboxMessage = z.infer<typeof readOutboxResponse>['email']

/** A page of the outbox, newest first; `before` is the `next` of the page before. */
export function listOutbox(limit: number, before: string | null): Promise<OutboxPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(before && { before }) })
  return askApi((signal) => getJson(`/api/outbox?${query.toString()}`, signal), listOutboxResponse)
}

export async function readMessage(id: string): Promise<OutboxMessage> {
  return (await askApi((signal) => getJson(`/api/outbox/${id}`, signal), readOutboxResponse)).email
}

/** Tries a message once more now. @returns what became of it. */
export async function resendEmail(id: string): Promise<OutboxEmail> {
  return (await askApi(() => postJson(`/api/emails/${id}/resend`), resendEmailResponse)).email
}

/** The message as customers see it; to be shown in a sandboxed frame only. */
export const previewUrl = (id: string) => `/api/outbox/${id}/preview`

/** The message as a file that mail programs open. */
export const emlUrl = (id: string) => `/api/outbox/${id}/message.eml`
