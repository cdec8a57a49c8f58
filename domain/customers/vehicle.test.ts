import { describe, expect, test } from 'vitest'
import { vehicleLine, vehicleName, vehicleText } from './vehicle.ts'

const none = { vehicle_year: null, vehicle_make: null, vehicle_model: null, vehicle_color: null }
const outback = { vehicle_year: '2019', vehicle_make: 'Subaru', vehicle_model: 'Outback' }

describe('a vehicle', () => {
  test('has a name made of the known values of year, make and model', () => {
    expect(vehicleName(outback)).toBe('2019 Subaru Outback')
    expect(vehicleText({ ...outback, vehicle_model: '' })).toBe('2019 Subaru')
  })

  test('without a known year, make or model has the name "Not specified" where a text is required', () => {
    expect(vehicleName(none)).toBe('')
    expect(vehicleText(none)).toBe('Not specified')
  })

  test('shows its color after its name in vehicleLine', () => {
    expect(vehicleLine({ ...outback, vehicle_color: 'Green' })).toBe('2019 Subaru Outback, Green')
    expect(vehicleLine({ ...outback, vehicle_color: 'Green' }, ' ')).toBe(
      '2019 Subaru Outback Green',
    )
    expect(vehicleLine({ ...outback, vehicle_color: null })).toBe('2019 Subaru Outback')
    expect(vehicleLine({ ...none, vehicle_color: 'Green' })).toBe('Green')
    expect(vehicleLine(none)).toBe('')
  })
})
