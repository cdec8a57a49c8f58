import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import {
  allowFraming,
  asPartOfPage,
  framedPagePolicy,
  pagePolicy,
  secureHeaders,
} from './security-headers.ts'

async function headersOf(publicUrl: string, path = '/'): Promise<Record<string, unknown>> {
  const site = Fastify()
  secureHeaders(site, publicUrl)
  site.get('/', () => ({ ok: true }))
  site.get('/part.js', (_request, reply) => {
    asPartOfPage(reply)
    return reply.send('part')
  })
  site.get('/invoice.pdf', (_request, reply) => allowFraming(reply).send('pdf'))
  return (await site.inject(path)).headers
}

describe('the headers of every response', () => {
  it('forbid loading, framing and content sniffing', async () => {
    expect(await headersOf('http://localhost:3000')).toMatchObject({
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('geolocation=()') as string,
    })
  })

  it('require TLS only if the site itself uses TLS', async () => {
    expect(await headersOf('https://shop.example')).toHaveProperty('strict-transport-security')
    expect(await headersOf('http://shop.example')).not.toHaveProperty('strict-transport-security')
  })

  it('are also sent for an unknown path', async () => {
    expect(await headersOf('http://localhost', '/nope')).toHaveProperty('content-security-policy')
  })

  it('omit document headers for scripts, styles and fonts, and keep all other headers', async () => {
    const part = await headersOf('https://shop.example', '/part.js')
    expect(part).toHaveProperty('strict-transport-security')
    expect(part).toHaveProperty('x-content-type-options', 'nosniff')
    expect(Object.keys(part).filter((name) => /policy|frame/.test(name))).toEqual([])
  })

  it("allow the site's own pages to frame a route that permits it", async () => {
    expect(await headersOf('http://localhost', '/invoice.pdf')).toMatchObject({
      'content-security-policy': "frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
    })
  })
})

describe('the content security policy of a page', () => {
  const css = '.a{color:red}'
  const hashOf = (content: string) => createHash('sha256').update(content).digest('base64')
  const hash = hashOf(css)

  it('allows no other scripts than those of the site', () => {
    const policy = pagePolicy('<p>')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("connect-src 'self';")
  })

  it('allows the inline scripts that the build put into that page, and no others', () => {
    const [ours, alien] = ['wake()', 'alert(1)']
    const policy = pagePolicy(`<script type="module">${ours}</script><script>${alien}</script>`, {
      scripts: [ours, 'of another page'],
    })
    expect(policy).toContain(`script-src 'self' 'sha256-${hashOf(ours)}';`)
  })

  it('allows the inline styles of that page by their hashes', () => {
    const policy = pagePolicy(`<style>${css}</style><style media="print">${css}</style>`)
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}';`)
    expect(pagePolicy(`<style>${css} </style>`)).not.toContain(hash)
  })

  it('allows connections to a hosted Supabase project', () => {
    const policy = pagePolicy('', { dataServiceUrl: 'https://project.supabase.example/path' })
    expect(policy).toContain("connect-src 'self' https://project.supabase.example;")
  })

  it('allows a framed page its own styles and the site’s fonts, and nothing else', () => {
    expect(framedPagePolicy(`<style>${css}</style>`)).toBe(
      `default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-${hash}'; ` +
        "font-src 'self'; frame-ancestors 'self'; sandbox allow-same-origin allow-downloads",
    )
  })
})
