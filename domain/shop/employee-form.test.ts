import { expect, test } from 'vitest'
import { checkEmployeeForm, employeeOf } from './employee-form.ts'

test('the form of an employee requires a name and a valid email address', () => {
  expect(Object.keys(checkEmployeeForm({ name: ' \u200b', email: 'sam' }))).toEqual([
    'name',
    'email',
  ])
  expect(checkEmployeeForm({ name: 'Sam', email: 'sam@shop.example' })).toEqual({})
})

test('a pasted name of an employee is stored as one line without invisible characters', () => {
  expect(employeeOf({ name: ' Sam\tOkafor\u200b ', email: ' sam@shop.example ' })).toEqual({
    name: 'Sam Okafor',
    email: 'sam@shop.example',
  })
})
