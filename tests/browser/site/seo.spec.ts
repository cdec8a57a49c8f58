import { createHash } from 'node:crypto'
import { expect, test } from '#tests/browser/fixtures.ts'

const routes = {
  '/': 'Auto Repair & Performance in Mountain View, CA | Torque & Timing',
  '/book-appointment': 'Book an Appointment | Torque & Timing',
  '/request-quote': 'Request a Quote | Torque & Timing',
  '/pay-invoice': 'Pay an Invoice | Torque & Timing',
  '/privacy': 'Privacy | Torque & Timing',
}

const unescape = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const find = (html: string, pattern: RegExp) => unescape(pattern.exec(html)?.[1] ?? '')
const meta = (html: string, name: string) =>
  find(html, new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`))

test('each public page has its title and description in the raw HTML', async ({
  request,
  shop,
}) => {
  const descriptions = new Set<string>()
  for (const [route, title] of Object.entries(routes)) {
    const response = await request.get(route)
    const html = await response.text()
    const url = shop.url + route
    expect(find(html, /<title>([^<]*)<\/title>/)).toBe(title)
    expect(find(html, /<link rel="canonical" href="([^"]*)"/)).toBe(url)
    expect(meta(html, 'og:title')).toBe(title)
    expect(meta(html, 'og:url')).toBe(url)
    expect(meta(html, 'og:image')).toBe(`${shop.url}/social.png`)
    expect(meta(html, 'description').length).toBeGreaterThan(60)
    descriptions.add(meta(html, 'description'))
    expect(html).not.toMatch(/%[A-Z_]+%/)
    expect(html).toContain('<h1')
    const scripts = [...html.matchAll(/<script type="module"[^>]*>(.+?)<\/script>/gs)]
    expect(html.match(/<script(?!\s+type="application\/(?:ld\+)?json")/g)).toHaveLength(1)
    const hash = createHash('sha256')
      .update(scripts[0]?.[1] ?? '')
      .digest('base64')
    expect(response.headers()['content-security-policy']).toContain(
      `script-src 'self' 'sha256-${hash}';`,
    )
    expect(html.match(/ style="(?!--)/g)).toBeNull()
  }
  expect(descriptions.size).toBe(Object.keys(routes).length)
})

test('the structured data (JSON-LD) of the home page describes the shop', async ({
  request,
  shop,
}) => {
  const html = await (await request.get('/')).text()
  const data: Record<string, unknown> = JSON.parse(
    find(html, /<script type="application\/ld\+json">([^<]*)<\/script>/),
  )
  expect(data).toMatchObject({
    '@type': 'AutoRepair',
    name: 'Torque & Timing',
    url: `${shop.url}/`,
    telephone: '+16505550142',
    address: { streetAddress: '2130 Example Way', postalCode: '94043', addressCountry: 'US' },
    geo: { '@type': 'GeoCoordinates' },
  })
  expect(data['openingHoursSpecification']).toContainEqual({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: ['Monday', 'Tuesday', 'Wednesday'],
    opens: '11:00',
    closes: '19:00',
  })
})

test('robots.txt and the sitemap list the public pages and exclude all others', async ({
  request,
  shop,
}) => {
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
  expect(listed).toEqual(Object.keys(routes).map((route) => shop.url + route))
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain('Disallow: /admin-dashboard')
  expect(robots).toContain('Disallow: /payment-success')
  expect(robots).toContain(`Sitemap: ${shop.url}/sitemap.xml`)
  for (const route of ['/admin-dashboard', '/payment-success', '/no-such-page']) {
    const html = await (await request.get(route)).text()
    expect(meta(html, 'robots')).toBe('noindex')
  }
})

test('the icons, the web manifest and the social image of the site exist', async ({ request }) => {
  for (const [file, type] of [
    ['/favicon.svg', 'image/svg+xml'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/social.png', 'image/png'],
    ['/site.webmanifest', 'application/manifest+json'],
  ] as const) {
    const response = await request.get(file)
    expect(response.status()).toBe(200)
    expect(response.headers()['content-type']).toContain(type)
  }
})
