import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import type { Markup } from './html.ts'
import { pagePolicy } from './security-headers.ts'

/** What is around a page that the server writes itself, with the policy that its styles need. */
export type PageFrame = { readonly before: string; readonly after: string; readonly policy: string }

/** Without a build, as in tests of the API: the page alone, as plain as can be. */
const bare = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Your appointment</title></head>
<body><main>%CONTENT%</main></body></html>
`

/** Reads the frame of that name from what the build wrote to `directory` (scripts/build-web.ts). */
export async function readPageFrame(directory: string, name: string): Promise<PageFrame> {
  const file = join(directory, 'frames', `${name}.html`)
  const html = existsSync(file) ? await readFile(file, 'utf8') : bare
  const [before = '', after = ''] = html.split('%CONTENT%')
  return { before, after, policy: pagePolicy(html) }
}

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
