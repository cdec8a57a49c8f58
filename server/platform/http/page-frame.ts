import type { FastifyReply } from 'fastify'
import type { Markup } from './html.ts'
import { pagePolicy } from './security-headers.ts'

/** What is around a page that the server writes itself, with the policy that its styles need. */
export type PageFrame = { readonly before: string; readonly after: string; readonly policy: string }

/** A frame of these two halves. */
export function createPageFrame(before: string, after: string): PageFrame {
  return { before, after, policy: pagePolicy(before + after) }
}

/** Without a build, as in tests of the API: the page alone, as plain as can be. */
export const bareFrame = createPageFrame(
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Your appointment</title></head>\n<body>',
  '</body></html>\n',
)

/** Sends `content` inside its frame. */
export function sendInFrame(
  reply: FastifyReply,
  { before, after, policy }: PageFrame,
  content: Markup,
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(before + content.text + after)
}
