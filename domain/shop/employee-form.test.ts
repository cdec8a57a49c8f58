import { expect, test } from 'vitest'
import { checkEmployeeForm, employeeOf } from './employee-form.ts'

test('Somebody of the team has a name and an address', () => {
  expect(Object.keys(checkEmployeeForm({ name: ' \u200b', email: 'sam' }))).toEqual([
    'name',
    'email',
  ])
  expect(checkEmployeeForm({ name: 'Sam', email: 'sam@shop.example' })).toEqual({})
})

test('A pasted name is one line of what is seen', () => {
  expect(employeeOf({ name: ' Sam\tOkafor\u200b ', email: ' sam@shop.example ' })).toEqual({
    name: 'Sam Okafor',
    email: 'sam@shop.example',
  })
})
