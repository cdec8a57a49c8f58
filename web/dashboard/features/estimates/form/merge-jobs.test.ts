import { describe, expect, it } from 'vitest'
import type { EstimateDocument } from '#contracts/estimates/estimates.ts'
import { addJob, changeJob, emptyJob, moveJob, removeJob, type FormEdit } from './edit-form.ts'
import { mergeFields } from '#web/dashboard/kit/forms/merge-fields.ts'
import { changesBetween, mergeJobs } from './merge-jobs.ts'
import { documentOf, formOfDocument } from './estimate-form.ts'

const keyOf = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`
const job = (nth: number, title: string): EstimateDocument['jobs'][number] => ({
  key: keyOf(nth),
  title,
  customerDescription: '',
  isNeeded: true,
  measurement: null,
  tearDown: null,
  lines: [
    {
      kind: 'part',
      subtype: 'new',
      description: title,
      quantityThousandths: 1000,
      unitPriceCents: 10_000,
      isTaxable: true,
    },
  ],
})
const base: EstimateDocument = {
  customer: { name: 'Maria Delgado', email: '', phone: '' },
  vehicle: { year: '', make: '', model: '', plate: '', vin: '', odometerMiles: null },
  payer: { name: '', reference: '', approvedCents: null },
  customerNote: '',
  internalNote: '',
  goodUntil: '2026-12-08',
  jobs: [job(1, 'Brakes'), job(2, 'Coolant'), job(3, 'Filter')],
}
const rename = (nth: number, title: string) =>
  changeJob(keyOf(nth), (before) => ({ ...before, title }))
const saved = (...changes: FormEdit[]) =>
  documentOf(changes.reduce((form, change) => change(form), formOfDocument(base))).document
const merge = (mine: readonly FormEdit[], theirs: EstimateDocument) =>
  mergeFields(
    formOfDocument(base),
    mine.reduce((form, change) => change(form), formOfDocument(base)),
    formOfDocument(theirs),
    { jobs: mergeJobs },
  )
const merged = (...versions: Parameters<typeof merge>) =>
  documentOf(merge(...versions).values).document
const titles = ({ jobs }: EstimateDocument) => jobs.map(({ title }) => title)

describe('merging two versions of an estimate', () => {
  it('uses each job from the version that changed it, and the typed job when both versions changed it', () => {
    expect(titles(merged([rename(1, 'Front brakes')], saved(rename(2, 'Coolant flush'))))).toEqual([
      'Front brakes',
      'Coolant flush',
      'Filter',
    ])
    expect(titles(merged([rename(1, 'Mine')], saved(rename(1, 'Theirs'))))).toEqual([
      'Mine',
      'Coolant',
      'Filter',
    ])
  })

  it('keeps jobs that either version added, and uses the order of the version that changed the order', () => {
    const [mine, theirs] = [emptyJob('Mine', ''), emptyJob('Theirs', '')]
    const both = merged([addJob(mine), moveJob(keyOf(1), 1)], saved(addJob(theirs)))
    expect(titles(both)).toEqual(['Coolant', 'Brakes', 'Filter', 'Mine', 'Theirs'])
  })

  it('keeps a job that one version removed and the other version changed', () => {
    expect(titles(merged([removeJob(keyOf(1))], saved()))).toEqual(['Coolant', 'Filter'])
    expect(titles(merged([], saved(removeJob(keyOf(1)))))).toEqual(['Coolant', 'Filter'])
    expect(titles(merged([removeJob(keyOf(1))], saved(rename(1, 'Theirs'))))).toEqual([
      'Theirs',
      'Coolant',
      'Filter',
    ])
    expect(titles(merged([rename(1, 'Mine')], saved(removeJob(keyOf(1)))))).toContain('Mine')
  })

  it('reports an overlap only for a job that the two versions changed differently', () => {
    const overlaps = (mine: FormEdit, theirs: FormEdit) => merge([mine], saved(theirs)).overlaps
    expect(overlaps(rename(1, 'Mine'), rename(2, 'Theirs'))).toEqual([])
    expect(overlaps(rename(1, 'Same'), rename(1, 'Same'))).toEqual([])
    expect(overlaps(rename(1, 'Mine'), rename(1, 'Theirs'))).toEqual(['jobs'])
    expect(overlaps(removeJob(keyOf(1)), rename(1, 'Theirs'))).toEqual(['jobs'])
  })

  it('preserves an invalid cell as typed', () => {
    const invalid: FormEdit = changeJob(keyOf(1), (before) => ({
      ...before,
      lines: before.lines.map((line) => ({ ...line, quantity: 'one' })),
    }))
    const { values } = merge([invalid], saved(rename(2, 'Theirs')))
    expect(values.jobs[0]?.lines[0]?.quantity).toBe('one')
  })

  it('uses each field outside the jobs from the version that changed it, and the typed value if both versions changed the field', () => {
    const mine: FormEdit = (form) => ({ ...form, internalNote: 'Mine' })
    const theirs = saved((form) => ({ ...form, customerNote: 'Theirs', internalNote: 'Theirs' }))
    expect(merged([mine], theirs)).toMatchObject({ internalNote: 'Mine', customerNote: 'Theirs' })
  })
})

describe('the changes between two versions of an estimate', () => {
  it('are listed with one sentence for each change', () => {
    const price: FormEdit = changeJob(keyOf(1), (before) => ({
      ...before,
      lines: before.lines.map((line) => ({ ...line, each: '200' })),
    }))
    const theirs = saved(
      price,
      removeJob(keyOf(2)),
      rename(3, 'Cabin filter'),
      addJob(emptyJob('Wipers', '')),
      (form) => ({ ...form, goodUntil: '2026-12-24', customerNote: 'Call me' }),
    )
    expect(changesBetween(base, theirs, 91_250)).toEqual([
      'Brakes changed, $109.13 before, $218.25.',
      'Cabin filter changed, $109.13.',
      'Wipers added, $0.00.',
      'Coolant removed.',
      'The note to the customer changed.',
      'The day in “Good until” changed.',
    ])
  })
})
