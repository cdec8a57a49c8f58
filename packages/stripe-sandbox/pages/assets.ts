import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { CurrentAccount } from '../account.ts'

const fontFace = `@font-face {
  font-family: 'Brand';
  src: url(brand.woff2) format('woff2');
  font-weight: 400 800;
  font-stretch: 100% 125%;
  font-display: swap;
}
`

/** Serves the stylesheet of the pages, and the icon and font of the account's branding. */
export async function serveAssets(app: FastifyInstance, account: CurrentAccount): Promise<void> {
  const styles = await Promise.all(['theme.css', 'sandbox.css'].map(readStylesheet))
  const serve = (name: string, type: string, read: () => string | Uint8Array | undefined) =>
    app.get(`/sandbox/assets/${name}`, (_request, reply) => {
      const content = read()
      if (content === undefined) return reply.callNotFound()
      return reply
        .header('cache-control', 'public, max-age=3600')
        .type(type)
        .send(typeof content === 'string' ? content : Buffer.from(content))
    })
  serve('style.css', 'text/css; charset=utf-8', () =>
    [...(account().branding ? [fontFace] : []), ...styles].join('\n'),
  )
  serve('brand.woff2', 'font/woff2', () => account().branding?.font)
  serve('icon.svg', 'image/svg+xml', () => account().branding?.icon)
}

const readStylesheet = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
