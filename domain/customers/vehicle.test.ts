import { describe, expect, test } from 'vitest'
import { vehicleLine, vehicleName, vehicleText } from './vehicle.ts'

const none = { vehicle_year: null, vehicle_make: null, vehicle_model: null, vehicle_color: null }
const outback = { vehicle_year: '2019', vehicle_make: 'Subaru', vehicle_model: 'Outback' }

describe('a vehicle', () => {
  test('is year, make and model, as far as they are known', () => {
    expect(vehicleName(outback)).toBe('2019 Subaru Outback')
    expect(vehicleText({ ...outback, vehicle_model: '' })).toBe('2019 Subaru')
  })

  test('that nobody named is said to be so where a sentence needs it', () => {
    expect(vehicleName(none)).toBe('')
    expect(vehicleText(none)).toBe('Not specified')
  })

  test('has its color behind it in a line', () => {
    expect(vehicleLine({ ...outback, vehicle_color: 'Green' })).toBe('2019 Subaru Outback, Green')
    expect(vehicleLine({ ...outback, vehicle_color: 'Green' }, ' ')).toBe(
      '2019 Subaru Outback Green',
    )
    expect(vehicleLine({ ...outback, vehicle_color: null })).toBe('2019 Subaru Outback')
    expect(vehicleLine({ ...none, vehicle_color: 'Green' })).toBe('Green')
    expect(vehicleLine(none)).toBe('')
  })
})
