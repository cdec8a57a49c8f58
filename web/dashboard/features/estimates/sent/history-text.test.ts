import { expect, test } from 'vitest'
import { historyText } from './history-text.ts'

const event = { id: 1, changedBy: 'ana', at: '2026-11-24T23:42:00Z' }

test('the history of an estimate names each changed field with its old and its new value', () => {
  expect(
    historyText({
      ...event,
      kind: 'details_changed',
      before: { vin: '', plate: '8KLM204', odometerMiles: 71506, phone: '(650) 555-0167' },
      after: { vin: '1M8GDM9AXKP042788', plate: '8KLM205', odometerMiles: 71650, phone: '' },
    }),
  ).toEqual([
    'Phone (650) 555-0167 removed.',
    'Plate changed from 8KLM204 to 8KLM205.',
    'VIN 1M8GDM9AXKP042788 added.',
    'Odometer changed from 71,506 to 71,650.',
  ])
})

test('the history of an estimate states that earlier approvals do not count for another customer', () => {
  expect(historyText({ ...event, kind: 'customer_changed', before: null, after: null })).toEqual([
    'The estimate is for another customer. Earlier approvals do not count.',
  ])
})
