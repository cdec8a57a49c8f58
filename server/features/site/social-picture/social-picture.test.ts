import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { decodePng, encodePng } from './png.ts'
import { drawSocialPicture } from './social-picture.ts'

const ground = decodePng(readFileSync(join(import.meta.dirname, 'social-ground.png')))

type Box = { left: number; right: number; top: number; bottom: number; pixels: number }

/** Returns the bounding box of the pixels that differ from the background picture. */
function written(file: Buffer): Box {
  const { width, height, rgb } = decodePng(file)
  expect([width, height]).toEqual([1200, 630])
  const box = { left: width, right: 0, top: height, bottom: 0, pixels: 0 }
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (rgb[3 * pixel] === ground.rgb[3 * pixel]) continue
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
    box.pixels += 1
  }
  return box
}

const drawn = (name: string, change: Partial<typeof defaultShop> = {}) =>
  drawSocialPicture({ ...defaultShop, name, ...change }).bytes

describe('the social picture', () => {
  it('has the same pixels after PNG encoding and decoding', () => {
    const again = decodePng(encodePng(ground))
    expect(again).toMatchObject({ width: 1200, height: 630 })
    expect(Buffer.compare(again.rgb, ground.rgb)).toBe(0)
  })

  it.each([
    'Torque & Timing',
    'Bob’s',
    'Hernández & Søns Precision European Auto Repair and Service',
    '東京モータース Mountain View',
    'W'.repeat(60),
    'Wolfeschlegelsteinhausenbergerdorff Automotive',
  ])('shows the complete shop name %j beside the drawing', (name) => {
    const tagline = 'x'.repeat(100)
    for (const change of [{}, { tagline }, { tagline: '' }]) {
      const box = written(drawn(name, change))
      expect(box.left).toBeGreaterThanOrEqual(60)
      expect(box.right).toBeLessThanOrEqual(650)
      expect(box.top).toBeGreaterThanOrEqual(24)
      expect(box.bottom).toBeLessThanOrEqual(606)
    }
    const withoutName = written(drawn(''))
    expect(written(drawn(name)).pixels).toBeGreaterThan(withoutName.pixels + 4_000)
  })
})

describe('/social.png', () => {
  let shop: TestApp
  beforeAll(async () => {
    shop = await createTestApp()
  })
  afterAll(() => shop.close())

  it('shows the current name of the shop, and returns 304 until the name changes', async () => {
    const before = await shop.inject('/social.png')
    expect(before.headers['content-type']).toBe('image/png')
    expect(before.rawPayload).toEqual(drawn(defaultShop.name))
    const etagHeaders = { 'if-none-match': String(before.headers.etag) }
    const sendRequest = () => shop.inject({ url: '/social.png', headers: etagHeaders })
    expect((await sendRequest()).statusCode).toBe(304)
    await shop.database.owner.query(`update public.shop set name = 'Camshaft & Co'`)
    await vi.waitFor(async () => expect((await sendRequest()).statusCode).toBe(200), 10_000)
    expect((await sendRequest()).rawPayload).toEqual(drawn('Camshaft & Co'))
  })
})
