import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

const web = new URL('../../../../web/', import.meta.url)

/** The site's own look from its sources: the sandbox needs no build of the web side. */
export async function serveAssets(app: FastifyInstance): Promise<void> {
  const styles = [
    ...['tokens', 'base', 'public'].map((name) => new URL(`styles/${name}.css`, web)),
    new URL('sandbox.css', import.meta.url),
  ]
  const font =
    '@font-face{font-family:"Archivo TT";src:url(archivo-site.woff2) format("woff2");font-weight:400 800;font-stretch:100% 125%;font-display:swap}\n'
  const css = font + (await Promise.all(styles.map((file) => readFile(file, 'utf8')))).join('\n')
  const assets = {
    'style.css': { type: 'text/css; charset=utf-8', content: css },
    'archivo-site.woff2': {
      type: 'font/woff2',
      content: await readFile(new URL('fonts/archivo-site.woff2', web)),
    },
    'favicon.svg': {
      type: 'image/svg+xml',
      content: await readFile(new URL('public/favicon.svg', web)),
    },
  }
  for (const [name, { type, content }] of Object.entries(assets)) {
    app.get(`/sandbox/assets/${name}`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type(type).send(content),
    )
  }
}
