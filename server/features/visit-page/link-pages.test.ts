import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

let shop: TestApp
const rendered: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    renderCustomerPage: (_shop, { name }) => {
      rendered.push(name)
      return { frame: 'visit', title: name, main: `<main>${name}</main>` }
    },
  })
})
afterAll(() => shop.close())

it.each(['/visit', '/estimate', '/address'])(
  'A request with an unknown token at a path below %s gets the 404 page that the server rendered at its start',
  async (root) => {
    rendered.length = 0
    const url = `${root}/${'a'.repeat(43)}`
    const responses = [await shop.inject({ url }), await shop.inject({ url: `${url}/confirm` })]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    expect(responses[0]?.body).toContain('<main>invalid_link</main>')
    expect(rendered).toEqual([])
  },
)
