import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob, tearDownJob } from '#tests/support/estimates/estimates.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

let shop: TestApp
let estimateClient: ReturnType<typeof createEstimateClient>
const logged: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    config: { logLevel: 'info', rateLimits: 'off' },
    logStream: { write: (line) => void logged.push(line) },
  })
  estimateClient = createEstimateClient(shop.database)
})
afterAll(() => shop.close())

const openPage = (url: string) => shop.inject({ method: 'GET', url })

describe('the estimate PDF for the customer', () => {
  it('shows the sent revision, is linked from the estimate page, forbids caching and indexing, and logs no token', async () => {
    const vehicle = { year: '2019', make: 'Subaru', model: 'Outback', plate: '8KLM204' }
    const id = await estimateClient.write(
      estimateDocument([estimateJob()], {
        vehicle: { ...vehicle, vin: '4S4BSANC5K3210987', odometerMiles: 71_506 },
        internalNote: 'Order by 4 PM',
      }),
    )
    await estimateClient.freeze(id)
    const path = await estimateClient.path(id)
    expect((await openPage(path)).body).toContain(`href="${path}/estimate.pdf"`)
    const response = await openPage(`${path}/estimate.pdf`)
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    })
    const { text } = await readPdf(response.rawPayload)
    expect(text).toContain('Front brakes')
    expect(text).toContain('Odometer: 71,506 mi')
    for (const secret of ['Order by 4', '4S4BSANC5K3210987', 'Draft']) {
      expect(text).not.toContain(secret)
    }
    const token = path.split('/').at(-1) ?? ''
    expect(logged.join('\n')).not.toContain(token)
    expect((await estimateClient.sentRevision(id)).state).toBe('open')
  })

  it('prints the terms of a tear-down', async () => {
    const id = await estimateClient.write(estimateDocument([tearDownJob()]))
    await estimateClient.freeze(id)
    const response = await openPage(`${await estimateClient.path(id)}/estimate.pdf`)
    const { text } = await readPdf(response.rawPayload)
    for (const phrase of [
      'Areas: Transmission and torque converter',
      'Price of tear-down: $290.00 before tax',
      'Price of reassembly: $145.00 before tax',
      'Parts normally destroyed: Gaskets and seals',
      'Longest time to reassemble: 5 business days',
      'May prevent reassembly: Yes.',
    ]) {
      expect(text).toContain(phrase)
    }
  })

  it('states that the odometer will be read at arrival if there is no reading yet', async () => {
    const { vehicle, ...document } = estimateDocument()
    const id = await estimateClient.write({
      ...document,
      vehicle: { ...vehicle, odometerMiles: null },
    })
    await estimateClient.freeze(id)
    const response = await openPage(`${await estimateClient.path(id)}/estimate.pdf`)
    const { text } = await readPdf(response.rawPayload)
    expect(text).toContain('Odometer: read at arrival')
  })

  it('is not returned for an invalid token', async () => {
    const id = await estimateClient.write(estimateDocument())
    await estimateClient.freeze(id)
    const path = await estimateClient.path(id)
    const wrong = await openPage(
      `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}/estimate.pdf`,
    )
    expect(wrong.statusCode).toBe(404)
    expect(wrong.headers['content-type']).not.toContain('pdf')
  })
})
