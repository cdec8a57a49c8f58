import { expect, test } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import {
  sampleSentJob,
  sampleSentRevision,
  sampleTearDown,
} from '#tests/support/estimates/sample-sent-revision.ts'
import { writeEstimate } from './estimate.ts'

const written = (change: Parameters<typeof sampleSentRevision>[0] = {}, wasVehicleHere = true) =>
  writeEstimate(defaultShop, sampleSentRevision(change), {
    url: 'https://torqueandtiming.example/estimate/token',
    wasVehicleHere,
  })

test('the email of an estimate mentions an inspection only for a vehicle that has been at the shop', () => {
  expect(written().text).toContain('We inspected your car. The estimate lists')
  const { text, html } = written({}, false)
  expect(text + html).not.toContain('inspected')
  expect(text).toContain('This is what the work on your car would cost. The estimate lists')
})

test('the email of an estimate states the odometer reading, or that the shop reads the odometer at arrival', () => {
  const vehicle = { year: '2019', make: 'Subaru', model: 'Outback', odometerMiles: null }
  expect(written().text).toContain('Odometer: 71,506 mi')
  expect(written({ vehicle }).text).toContain('Odometer: read at arrival')
  expect(written({ vehicle, kind: 'towing' }).text).not.toContain('Odometer')
})

test('the email subject of an estimate names the shop, the vehicle, and the amounts needed now and later', () => {
  expect(written().subject).toBe(
    'Estimate E-0093 from Torque & Timing: 2019 Subaru Outback, $356.69 now, $225.48 can wait',
  )
})

test('the email subject of an estimate names a single amount when no job can wait', () => {
  const jobs = sampleSentRevision().jobs.filter(({ isNeeded }) => isNeeded)
  expect(written({ jobs }).subject).toMatch(/Outback, \$356\.69$/)
})

test('the email of an estimate lists each job with its price', () => {
  const { text } = written()
  for (const line of [
    'Front brakes: $356.69\n',
    'Cabin air filter: $55.68, can wait\n',
    'Coolant flush: $169.80, can wait\n',
    'All 3 jobs: $582.17, tax included\n',
  ]) {
    expect(text).toContain(line)
  }
})

test('the email of a tear-down estimate names the areas to disassemble, the price, the time to reassemble and the risk that reassembly is impossible', () => {
  const { text } = written({ jobs: [sampleSentJob({ tearDown: sampleTearDown })] })
  for (const line of [
    'Areas: Transmission and torque converter\n',
    'Price of tear-down: $290.00 before tax\n',
    'Longest time to reassemble: 5 business days\n',
    'May prevent reassembly: Yes.',
  ]) {
    expect(text).toContain(line)
  }
})

test('the email of an estimate names the third-party payer, and contains the sentence of the shop settings if the amount that the payer approved is unknown', () => {
  const payer = { name: 'Bay Mutual', reference: 'CLM-5531', approvedCents: null }
  const { text } = written({ payer: { ...payer, sentence: 'Ask your insurer.' } })
  expect(text).toContain('Third-party payer: Bay Mutual\n')
  expect(text).toContain('Third-party payment: Ask your insurer.\n')
})

test('the email subject of a towing estimate contains the words ‘towing estimate’', () => {
  expect(written({ kind: 'towing' }).subject).toMatch(/^Towing estimate E-0093 from/)
  expect(written({ kind: 'towing', revision: 2 }).subject).toMatch(/^Revised towing estimate/)
})
