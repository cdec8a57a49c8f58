import { expect, test } from 'vitest'
import { formatKnownVehicle } from './vehicle-make.ts'

test.each([
  ['2019', 'Subaru', '2019 Subaru'],
  [' 1967 ', 'chevy', '1967 Chevrolet'],
  ['2021', 'mercedes benz', '2021 Mercedes-Benz'],
])('the year %j and the make %j are formatted as %s', (year, make, expected) => {
  expect(formatKnownVehicle(year, make)).toBe(expected)
})

test.each([
  ['1900', 'Subaru'],
  ['2019 win7.com', 'Subaru'],
  ['2019', 'Subaru win7.com'],
  ['2019', 'constructor'],
  ['٢٠١٩', 'Subaru'],
  [null, 'Subaru'],
  ['2019', null],
])('the year %j and the make %j become an empty text', (year, make) => {
  expect(formatKnownVehicle(year, make)).toBe('')
})
