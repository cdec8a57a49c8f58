import { describe, expect, test } from 'vitest'
import { DataError } from '#web/lib/data/request-data.ts'
import {
  checkService,
  emptyServiceForm,
  priceOf,
  refusalOfService,
  serviceToSave,
} from './service-form.ts'

const input = { ...emptyServiceForm.form, name: 'Oil Change' }

describe('a service that staff enter', () => {
  test.each([
    ['', null],
    ['89', 8900],
    ['$1,089.50', 108_950],
    ['0', undefined],
    ['0.001', undefined],
    ['-5', undefined],
    ['cheap', undefined],
    ['100000.01', undefined],
  ])('parses the price %j as %j cents', (price, cents) => {
    expect(priceOf({ ...input, price })).toBe(cents)
  })

  test.each([
    [{ name: ' \u200b' }, 'name'],
    [{ minutes: '4' }, 'minutes'],
    [{ minutes: '721' }, 'minutes'],
    [{ minutes: '1000000' }, 'minutes'],
    [{ minutes: '1.5' }, 'minutes'],
    [{ price: '1e3' }, 'price'],
  ])('shows an error at the field with the invalid value %j', (change, field) => {
    expect(Object.keys(checkService({ ...input, ...change }))).toEqual([field])
  })

  test('sends its bays only when staff changed them', () => {
    const seen = { form: { ...input, where: 'a,b' }, version: 3 }
    expect(serviceToSave('s', seen.form, seen).bay_ids).toBeNull()
    expect(serviceToSave('s', { ...seen.form, where: '' }, seen).bay_ids).toEqual([])
    expect(serviceToSave('s', { ...seen.form, where: 'b' }, seen)).toMatchObject({
      bay_ids: ['b'],
      seen_version: 3,
    })
  })
})

test('the form of a service shows a refusal of the database at the field that caused it', () => {
  const nameTaken = 'duplicate key value violates unique constraint "services_name_key"'
  expect(refusalOfService(new DataError({ message: nameTaken, code: '23505' }, 409))).toEqual({
    name: 'Another service has this name.',
  })
  const alone = { message: 'Rack can do nothing else.', hint: 'bay_without_service' }
  expect(refusalOfService(new DataError(alone, 400))).toEqual({
    where: 'Rack can do nothing else. Switch that bay off in Bays instead.',
  })
})
