import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type EstimateDocument, sentRevision } from '#contracts/estimates/estimates.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { admin, fixtureClock, refusalTo } from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

let shop: TestDatabase
let estimateClient: ReturnType<typeof createEstimateClient>
beforeAll(async () => {
  shop = await createTestDatabase()
  estimateClient = createEstimateClient(shop)
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

type Payer = EstimateDocument['payer']
const insurer: Payer = { name: 'Bay Mutual', reference: 'CLM-5531', approvedCents: 25_000 }
const write = (change: Partial<Payer>) =>
  estimateClient.write(estimateDocument([estimateJob()], { payer: { ...insurer, ...change } }))
const sentPayer = async (id: string) =>
  sentRevision.parse(await estimateClient.sentRevision(id)).payer
const setSentence = (sentence: string) =>
  shop.database.transaction(admin, (query) =>
    query.unchecked('update public.estimate_rules set payer_sentence = $1', [sentence]),
  )

describe('An estimate with a third-party payer', () => {
  it('states the payer’s name, claim number and approved amount', async () => {
    const id = await write({})
    await estimateClient.freeze(id)
    expect(await sentPayer(id)).toEqual({ ...insurer, sentence: null })
    expect((await estimateClient.read(id)).document.payer).toEqual(insurer)
  })

  it('states the sentence that was in the settings on the day it was sent, if the approved amount is unknown', async () => {
    await setSentence('Ask your insurer.')
    const id = await write({ approvedCents: null })
    await estimateClient.freeze(id)
    await setSentence('Call your insurer.')
    const expected = { ...insurer, approvedCents: null, sentence: 'Ask your insurer.' }
    expect(await sentPayer(id)).toEqual(expected)
    expect(
      await estimateClient.call(asServer, 'internal.read_printable_estimate($1, true)', [id]),
    ).toMatchObject({ payer: expected })
  })

  it.each([
    [{ name: ' ' }, 'payer_name_missing'],
    [{ reference: '' }, 'payer_reference_missing'],
  ])('is not sent with %j', async (change, hint) => {
    const id = await write(change)
    const version = await estimateClient.version(id)
    const refused = await refusalTo(shop.database, asServer, (query) =>
      query.unchecked(`select internal.freeze_estimate($1, $2, true, 'ana')`, [id, version]),
    )
    expect(refused).toMatchObject({ code: 'TT074', hint })
  })

  it.each([[{ approvedCents: -1 }], [{ approvedCents: 100_000_000 }], [{ name: 'two\nlines' }]])(
    'is not saved with %j',
    async (change) => {
      await expect(write(change)).rejects.toThrow('estimates_payer_')
    },
  )

  it('keeps its payer when a dashboard of an earlier release saves the estimate without the field of the payer', async () => {
    const id = await write({})
    const { payer, ...earlier } = estimateDocument([estimateJob()])
    await estimateClient.call(admin, 'public.save_estimate($1, $2, $3)', [
      id,
      await estimateClient.version(id),
      earlier,
    ])
    expect((await estimateClient.read(id)).document.payer).toEqual(insurer)
    expect(payer.name).toBe('')
  })
})

it('An estimate without a third-party payer states no payer', async () => {
  const id = await estimateClient.write()
  await estimateClient.freeze(id)
  expect(await sentPayer(id)).toBeNull()
})

it('The settings refuse an empty sentence about an unknown amount of a third-party payer', async () => {
  await expect(setSentence(' ')).rejects.toThrow('estimate_rules_payer_sentence_is_text')
})
