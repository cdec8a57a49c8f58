import { expect, test } from 'vitest'
import { type AnswerForm, checkAnswer } from './spoken-answer.ts'

const now = new Date('2026-11-24T17:06:00-08:00')
const form: AnswerForm = {
  decisions: { brakes: 'approved', coolant: 'declined', filter: '' },
  method: 'phone',
  person: ' Maria Delgado ',
  relation: '',
  contact: '(650) 555-0167',
  date: '2026-11-24',
  time: '17:05',
  words: ' Go ahead ',
  wantsPartsBack: true,
}
const refusedFor = (change: Partial<AnswerForm>) => {
  const checked = checkAnswer({ ...form, ...change }, now)
  return checked.ok ? undefined : checked.refusal.message
}

test('An answer says of which jobs, who, how and when, by the clock of the shop', () => {
  const checked = checkAnswer(form, now)
  expect(checked.ok && checked.value).toEqual({
    decisions: [
      { jobKey: 'brakes', decision: 'approved' },
      { jobKey: 'coolant', decision: 'declined' },
    ],
    method: 'phone',
    person: 'Maria Delgado',
    relation: '',
    contact: '(650) 555-0167',
    words: 'Go ahead',
    saidAt: '2026-11-25T01:05:00.000Z',
    wantsPartsBack: true,
  })
})

test('Who stood there has no number', () => {
  const checked = checkAnswer({ ...form, method: 'in_person' }, now)
  expect(checked.ok && checked.value.contact).toBe('')
  expect(refusedFor({ method: 'signature', contact: '' })).toBeUndefined()
})

test('Nothing is recorded without of what, who, where and when', () => {
  expect(refusedFor({ decisions: { brakes: '' } })).toBe('Please say what was decided of a job.')
  expect(refusedFor({ person: ' ' })).toBe('Please say who decided.')
  expect(refusedFor({ contact: '' })).toBe('Please give the number that was called.')
  expect(refusedFor({ method: 'text', contact: '' })).toBe('Please give the number.')
  expect(refusedFor({ method: 'email', contact: '' })).toBe('Please give the address.')
  expect(refusedFor({ time: '' })).toBe('Please say when it was said.')
  expect(refusedFor({ time: '17:07' })).toBe('This is still to come.')
})
