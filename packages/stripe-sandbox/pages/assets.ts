import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

/** The site's own look from its sources: the sandbox needs no build of the web side. */
const stylesheets = [
  import.meta.resolve('#web/styles/tokens.css'),
  import.meta.resolve('#web/styles/elements.css'),
  import.meta.resolve('#web/ui/text/text.css'),
  import.meta.resolve('#web/ui/brand/brand.css'),
  import.meta.resolve('#web/ui/button/button.css'),
  import.meta.resolve('#web/ui/field/field.css'),
  import.meta.resolve('#web/ui/card/card.css'),
  import.meta.resolve('#web/ui/badge/badge.css'),
  import.meta.resolve('#web/ui/notice/notice.css'),
  import.meta.resolve('#web/ui/text/summary.css'),
  import.meta.resolve('#web/ui/page-main/page-main.css'),
  import.meta.resolve('#web/site/layout/nav-bar.css'),
  import.meta.resolve('#web/site/layout/footer.css'),
  import.meta.resolve('./sandbox.css'),
]

const fontFace =
  '@font-face{font-family:"Archivo TT";src:url(archivo-site.woff2) format("woff2");font-weight:400 800;font-stretch:100% 125%;font-display:swap}\n'

export async function serveAssets(app: FastifyInstance): Promise<void> {
  const assets = {
    'style.css': {
      type: 'text/css; charset=utf-8',
      content: fontFace + (await Promise.all(stylesheets.map(read))).join('\n'),
    },
    'archivo-site.woff2': {
      type: 'font/woff2',
      content: await read(import.meta.resolve('#web/fonts/archivo-site.woff2')),
    },
    'favicon.svg': {
      type: 'image/svg+xml',
      content: await read(import.meta.resolve('#web/public/favicon.svg')),
    },
  }
  for (const [name, { type, content }] of Object.entries(assets)) {
    app.get(`/sandbox/assets/${name}`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type(type).send(content),
    )
  }
}

const read = (file: string) => readFile(new URL(file))
