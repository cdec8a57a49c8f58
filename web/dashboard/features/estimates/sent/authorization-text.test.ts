import { expect, test } from 'vitest'
import type { Authorization } from '#contracts/estimates/estimates.ts'
import { groupBatches } from './authorization-text.ts'

let lastId = 0
const line = (overrides: Partial<Authorization>): Authorization => ({
  id: (lastId += 1),
  batchId: 'one',
  revision: 1,
  revisionHash: '',
  jobKey: '',
  jobTitle: 'Front brakes',
  decision: 'approved',
  amountCents: 35_669,
  runningTotalCents: 0,
  method: 'web',
  decidedByName: 'Maria Delgado',
  relationship: '',
  contact: 'maria@customer.example',
  statement: '',
  wantsPartsBack: false,
  decidedAt: '2026-11-24T23:42:00Z',
  recordedBy: 'customer',
  voidBecause: null,
  ...overrides,
})

test('the text about authorizations lists the approved and the declined jobs of one submitted form separately', () => {
  const batches = groupBatches([
    line({}),
    line({ jobTitle: 'Cabin air filter', amountCents: 5_568, wantsPartsBack: true }),
    line({ jobTitle: 'Coolant flush', decision: 'declined', amountCents: 16_980 }),
  ])
  expect(
    batches.map(({ title, jobs, cents, recordedBy }) => [title, jobs, cents, recordedBy]),
  ).toEqual([
    ['Approved by Maria Delgado online', 'Front brakes, Cabin air filter.', 41_237, ''],
    ['Declined by Maria Delgado online', 'Coolant flush.', 16_980, ''],
  ])
})

test('the text about authorizations describes later approvals as added work, with the name and phone number of the person who approved', () => {
  const [, added] = groupBatches([
    line({}),
    line({
      batchId: 'two',
      method: 'phone',
      contact: '(650) 555-0167',
      jobTitle: 'Caliper slide pins',
      statement: 'Go ahead',
      recordedBy: 'Sam',
      relationship: 'daughter',
    }),
  ])
  expect(added).toMatchObject({
    title: 'Added work by phone (650) 555-0167',
    more: 'Spoke to Maria Delgado (daughter). “Go ahead”',
    jobs: 'Caliper slide pins.',
    recordedBy: 'Sam',
  })
})

test('the text about authorizations marks a decision by a wrong recipient as void, and lists the withdrawal of that decision', () => {
  const batches = groupBatches([
    line({ voidBecause: 'wrong_recipient' }),
    line({
      batchId: 'two',
      decision: 'withdrawn',
      method: 'shop',
      decidedByName: 'ana',
      contact: 'mario@customer.example',
      recordedBy: 'ana',
      voidBecause: 'wrong_recipient',
    }),
  ])
  expect(batches.map(({ title, more, voidText }) => [title, more, voidText])).toEqual([
    [
      'Approved by Maria Delgado online',
      'Typed the name.',
      'This decision does not count: the estimate was sent to the wrong recipient.',
    ],
    ['Withdrawn: wrong recipient mario@customer.example', '', ''],
  ])
})

test('the text about authorizations names the person who withdrew an approval', () => {
  const batches = groupBatches([
    line({}),
    line({ batchId: 'two', decision: 'withdrawn', method: 'in_person', contact: '' }),
  ])
  expect(batches[1]?.title).toBe('Withdrawn by Maria Delgado in person')
})
