import { expect, test } from 'vitest'
import type { Authorization, Estimate } from '#contracts/estimates/estimates.ts'
import {
  type OfflineDecisionForm,
  newDecisionForm,
  checkDecision,
  declinedBefore,
  isFullyApproved,
  missingParts,
} from './offline-decision.ts'

const now = new Date('2026-11-24T17:06:00-08:00')
const form: OfflineDecisionForm = {
  decisions: { brakes: 'approved', coolant: 'declined', filter: '' },
  method: 'phone',
  decidedByName: ' Maria Delgado ',
  relationship: '',
  contact: '(650) 555-0167',
  date: '2026-11-24',
  time: '17:05',
  statement: ' Go ahead ',
  wantsPartsBack: true,
}
const checked = (change: Partial<OfflineDecisionForm> = {}, confirmed: Authorization[] = []) =>
  checkDecision({ ...form, ...change }, confirmed, now)
const refusedFor = (change: Partial<OfflineDecisionForm>) => {
  const decision = checked(change)
  return decision.ok ? undefined : decision.refusal.message
}
const missing = (change: Partial<OfflineDecisionForm>) => missingParts({ ...form, ...change })
const authorization = (id: number, jobKey: string, decision: Authorization['decision']) =>
  ({ id, jobKey, decision, jobTitle: jobKey, voidBecause: null }) as Authorization

test('the form for a decision by phone or in person initially decides no job, and has a method only if a button names one', () => {
  const estimate = {
    document: {
      customer: { name: 'Maria Delgado', email: 'm@delgado.example', phone: '555-0167' },
    },
  } as Estimate
  expect(newDecisionForm(estimate, '', now)).toMatchObject({ decisions: {}, method: '' })
  expect(newDecisionForm(estimate, 'phone', now)).toMatchObject({
    method: 'phone',
    contact: '555-0167',
  })
})

test('the decision contains the jobs, the customer’s name, the method of the approval, and the entered shop time as an instant', () => {
  const decision = checked()
  expect(decision.ok && decision.value).toEqual({
    decisions: [
      { jobKey: 'brakes', decision: 'approved', declinedId: null },
      { jobKey: 'coolant', decision: 'declined', declinedId: null },
    ],
    method: 'phone',
    decidedByName: 'Maria Delgado',
    relationship: '',
    contact: '(650) 555-0167',
    statement: 'Go ahead',
    decidedAt: '2026-11-25T01:05:00.000Z',
    wantsPartsBack: true,
  })
})

test('the decision of a customer in person contains no phone number', () => {
  const decision = checked({ method: 'in_person' })
  expect(decision.ok && decision.value.contact).toBe('')
  expect(missing({ method: 'signature', contact: '' })).toEqual([])
})

test('the form of a decision requires a decided job, a method, a name, and a phone number or email address', () => {
  expect(missing({})).toEqual([])
  expect(missing({ decisions: { brakes: '' } })).toEqual(['a decision about a job'])
  expect(missing({ method: '' })).toEqual(['how the customer answered'])
  expect(missing({ contact: ' ' })).toEqual(['the number'])
  expect(missing({ method: 'email', contact: '' })).toEqual(['the address'])
  expect(missing({ decidedByName: ' ' })).toEqual(['who decided'])
  expect(refusedFor({ decidedByName: '' })).toBe('Enter who decided.')
})

test('the form of a decision refuses a time in the future', () => {
  expect(refusedFor({ time: '17:07' })).toBe('Enter a day and time in the past.')
  expect(refusedFor({ date: '' })).toBe('Enter the day and time of the decision.')
})

test('the form of a decision asks for confirmation when the last decision about a job was a decline, and sends the id of that decline', () => {
  const refusal = authorization(8, 'brakes', 'declined')
  const authorizations = [
    authorization(7, 'brakes', 'approved'),
    refusal,
    authorization(9, 'coolant', 'declined'),
  ]
  expect(declinedBefore(form, authorizations)).toEqual([refusal])
  expect(
    declinedBefore(form, [...authorizations, authorization(10, 'brakes', 'approved')]),
  ).toEqual([])
  const decision = checked({}, [refusal])
  expect(decision.ok && decision.value.decisions[0]?.declinedId).toBe(8)
})

test('a job counts as already approved only for the same work at no higher price', () => {
  const job = {
    key: 'a',
    taskId: null,
    isSameWork: true,
    totalCents: 500,
    authorizedCents: 500,
  } as const
  expect(isFullyApproved({ ...job, decision: 'approved' })).toBe(true)
  expect(isFullyApproved({ ...job, totalCents: 501, decision: 'approved' })).toBe(false)
  expect(isFullyApproved({ ...job, authorizedCents: 0, decision: 'withdrawn' })).toBe(false)
  expect(isFullyApproved({ ...job, isSameWork: false, decision: 'approved' })).toBe(false)
  expect(isFullyApproved(undefined)).toBe(false)
})
