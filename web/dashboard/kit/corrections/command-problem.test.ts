import { expect, test } from 'vitest'
import { DataError } from '#web/lib/data/request-data.ts'
import { commandProblem } from './command-problem.ts'

const name = { subject: 'The refund', notDone: 'Nothing was refunded.' }
const problem = (code: string, status: number, hint = '') =>
  commandProblem(new DataError({ code, message: 'A message.', hint }, status), name)

test.each([
  ['undefined', 0],
  ['undefined', 504],
  ['INTERNAL_ERROR', 500],
])(
  'After the error %s with status %i the message states that the command may have run',
  (code, status) => {
    expect(problem(code, status)).toEqual({
      title: 'No response. The refund may or may not have been recorded.',
      text: 'Your entries are kept. Press the button again: nothing is recorded twice.',
    })
  },
)

test('A refusal of the database shows the message for its hint or its SQLSTATE', () => {
  expect(problem('TT103', 400).text).toBe(
    'This invoice was not changed. Reload the page to see its current status. No money moved.',
  )
  expect(problem('TT103', 400, 'was_paid').text).toBe(
    'This invoice got a payment in the meantime. Cancel this invoice instead. No money moved.',
  )
  expect(problem('TT101', 400)).toEqual({
    title: 'Nothing was refunded.',
    text: 'This amount is more than the part of the payment that can still be refunded. No money moved.',
  })
})

test('The message after a typed card number states that the text looks like a card number', () => {
  expect(problem('23514', 400).text).toContain('looks like a card number')
})

test('A refusal without a specific text shows the message of the server', () => {
  expect(problem('RATE_LIMITED', 429).text).toBe('A message. No money moved.')
})

test('The message states that the customer has just paid online if the server refused the command for this reason', () => {
  expect(problem('PAID_ONLINE', 409).title).toBe('The customer has just paid online.')
})
