import { expect, test } from 'vitest'
import { checkEmployeeForm, employeeOf } from './employee-form.ts'

test('an employee needs a name and an email address', () => {
  expect(Object.keys(checkEmployeeForm({ name: ' \u200b', email: 'sam' }))).toEqual([
    'name',
    'email',
  ])
  expect(checkEmployeeForm({ name: 'Sam', email: 'sam@shop.example' })).toEqual({})
})

test('a pasted name is stored as one line without invisible characters', () => {
  expect(employeeOf({ name: ' Sam\tOkafor\u200b ', email: ' sam@shop.example ' })).toEqual({
    name: 'Sam Okafor',
    email: 'sam@shop.example',
  })
})
