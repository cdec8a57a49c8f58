import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invoiceNumberPattern } from '#contracts/invoices/invoice-lookup.ts'
import { openDatabase } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { assignInvoiceNumber, writeInvoiceNumber } from './assign-invoice-number.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

const noon = Date.parse('2026-11-22T20:00:00Z')
const numberOf = (count: number) =>
  /^INV-\d{4}-\d+-(\w{6})$/.exec(writeInvoiceNumber('2026', count))?.[1] ?? ''

describe('a new invoice number', () => {
  it('consists of the year, a count and a random ending, and is valid for Stripe and for the lookup form', () => {
    expect(writeInvoiceNumber('2026', 42)).toMatch(/^INV-2026-0042-[2-9B-DF-HJKMNP-TV-Z]{6}$/)
    const longest = writeInvoiceNumber('2026', 1_000_000)
    expect(longest).toContain('INV-2026-1000000-')
    expect(longest.length).toBeLessThanOrEqual(26)
    expect(longest).toMatch(invoiceNumberPattern)
  })

  it('does not reveal the next number: the random endings of 10,000 consecutive numbers are unrelated', () => {
    const endings = Array.from({ length: 10_000 }, (_, count) => numberOf(count))
    // Two of the 10,000 random endings are equal by chance in about one of ten runs, so the test permits up to four
    // repeated endings. The probability of five repeated endings in one run is below one in ten million.
    expect(new Set(endings).size).toBeGreaterThan(9_995)
    for (let position = 0; position < 6; position += 1) {
      const letters = endings.map((ending) => ending[position] ?? '')
      const counts = Map.groupBy(letters, (letter) => letter)
      expect(counts.size).toBe(28)
      // In the 10,000 numbers, each of the 28 characters appears about 357 times at each position, independently of the
      // preceding number, so no number predicts the next.
      const steps = Map.groupBy(
        letters.slice(1).map((letter, index) => `${letters[index]}${letter}`),
        (step) => step,
      )
      for (const { length } of counts.values()) expect(Math.abs(length - 357)).toBeLessThan(150)
      for (const { length } of steps.values()) expect(length).toBeLessThan(50)
    }
  })

  it('is the same for the same request id, and is unique even when several processes assign numbers', async () => {
    const other = openDatabase(test.url)
    const requests = Array.from(
      { length: 200 },
      (_, index) => `wish-${String(index % 100).padStart(4, '0')}`,
    )
    const numbers = await Promise.all(
      requests.map((lookup, index) =>
        assignInvoiceNumber(index < 100 ? test.database : other, lookup, noon),
      ),
    )
    expect(numbers.slice(100)).toEqual(numbers.slice(0, 100))
    expect(new Set(numbers).size).toBe(100)
    expect(new Set(numbers.map((number) => number.split('-')[2])).size).toBe(100)
    await other.close()
  })

  it('contains the year in the shop time zone, not in the server time zone', async () => {
    const newYear = Date.parse('2027-01-01T07:59:00Z')
    expect(await assignInvoiceNumber(test.database, 'new-year-1', newYear)).toMatch(/^INV-2026-/)
    expect(await assignInvoiceNumber(test.database, 'new-year-2', newYear + 60_000)).toMatch(
      /^INV-2027-/,
    )
  })
})
