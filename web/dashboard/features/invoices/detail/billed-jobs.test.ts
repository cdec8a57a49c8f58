import { expect, test } from 'vitest'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { billedJobs } from './billed-jobs.ts'

const job = (key: string, cents: number) => ({
  key,
  title: key,
  customerDescription: '',
  isNeeded: true,
  measurement: null,
  tearDown: null,
  lines: [
    {
      kind: 'labor' as const,
      subtype: '',
      description: key,
      quantityThousandths: 1000,
      unitPriceCents: cents,
      isTaxable: false,
    },
  ],
})

const counted = (key: string, authorizedCents: number) => ({
  key,
  totalCents: authorizedCents,
  authorizedCents,
  decision: null,
  isSameWork: true,
  taskId: null,
})

const estimate = (invoiceId: string) =>
  ({
    taxRate: 91_250,
    document: { jobs: [job('brakes', 30_000), job('wipers', 5000)] },
    jobs: [counted('brakes', 30_000), counted('wipers', 0)],
    invoice: { state: 'made', number: 'INV-1', invoiceId, totalCents: 30_000 },
  }) as unknown as Estimate

test('An invoice shows the approved jobs of the estimate that it bills', () => {
  const jobs = billedJobs(estimate('in_1'), { id: 'in_1', totalCents: 30_000 })
  expect(jobs.map(({ job: { title }, totals }) => [title, totals.total])).toEqual([
    ['brakes', 30_000],
  ])
})

test('An invoice shows no job when its estimate now has another invoice', () => {
  expect(billedJobs(estimate('in_2'), { id: 'in_1', totalCents: 30_000 })).toEqual([])
})

test('An invoice shows no job when the jobs do not add up to its total', () => {
  expect(billedJobs(estimate('in_1'), { id: 'in_1', totalCents: 29_999 })).toEqual([])
})
