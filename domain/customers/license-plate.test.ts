import { describe, expect, test } from 'vitest'
import { splitPlate } from './license-plate.ts'

/** License plates as staff type them, each with the plate that is saved. */
const plates = {
  '8ABC123': '8ABC123',
  '8abc 123': '8ABC123',
  '7TRD118': '7TRD118',
  ABC123: 'ABC123',
  'ABC-123': 'ABC-123',
  'ABC 123': 'ABC123',
  abc123: 'ABC123',
  ABC1234: 'ABC1234',
  'ABC 1234': 'ABC1234',
  'ABC-1234': 'ABC-1234',
  KLM482: 'KLM482',
  'KLM 482': 'KLM482',
  klm482: 'KLM482',
  XYZ9081: 'XYZ9081',
  '662E41': '662E41',
  '12345A1': '12345A1',
  '1A23456': '1A23456',
  '9F4321': '9F4321',
  '123ABC': '123ABC',
  '123-ABC': '123-ABC',
  '4821KLM': '4821KLM',
  AB12345: 'AB12345',
  A123456: 'A123456',
  '2FAST4U': '2FAST4U',
  AB1C234: 'AB1C234',
  ILUV2SK8: 'ILUV2SK8',
  'plate GR8CAR': 'GR8CAR',
  'plate: LUVBUG': 'LUVBUG',
  'license plate MYCIVIC': 'MYCIVIC',
  'plate 8ABC 123': '8ABC123',
}

/** Vehicles whose model, trim or year looks like a license plate. */
const vehicles = [
  'Ford F150',
  'Ford F-250',
  'Ford F150V8',
  'Ford Mustang GT350',
  'Ford Van 350',
  'Mazda MX5',
  'Mazda CX-5',
  'Mazda CX30',
  'Mazda B2300',
  'Honda CR-V',
  'Honda CRV 2015',
  'Honda S2000',
  'Honda Fit 2012',
  'Audi A4',
  'Audi Q5',
  'Audi RS5',
  'BMW X5',
  'BMW i3',
  'BMW 328i',
  'BMW M340i',
  'BMW 745Li',
  'BMW 325',
  'Porsche 911',
  'Porsche 944S2',
  'Toyota RAV4',
  'Toyota GR86',
  'Volvo XC70T6',
  'Lexus RX350',
  'Lexus UX250h',
  'Infiniti QX60',
  'Mercedes-Benz GLC300',
  'Mercedes-Benz CLK 320',
  'Mercedes-Benz 560SEL',
  'Mercedes-Benz SLK230',
  'Nissan 350Z',
  'Nissan NV2500',
  'Ram 1500 4x4',
  'RAM 2500',
  'Chevrolet Silverado 2500HD',
  'GMC Sierra SLT 1500',
]

describe('splitPlate', () => {
  test.each(Object.entries(plates))('finds the license plate in %j', (typed, plate) => {
    expect(splitPlate(typed)).toEqual({ plate, rest: '' })
    expect(splitPlate(`2016 Honda Civic ${typed}`)).toEqual({ plate, rest: '2016 Honda Civic' })
  })

  test.each(vehicles)('keeps every word of %j', (vehicle) => {
    expect(splitPlate(vehicle)).toEqual({ plate: null, rest: vehicle })
    expect(splitPlate(`2015 ${vehicle}`)).toEqual({ plate: null, rest: `2015 ${vehicle}` })
    expect(splitPlate(`${vehicle} KLM482`)).toEqual({ plate: 'KLM482', rest: vehicle })
  })

  test('is tested with exactly thirty plates and forty vehicles', () => {
    expect([Object.keys(plates).length, vehicles.length]).toEqual([30, 40])
  })

  test.each(['GR8CAR', 'LUVBUG', '123 ABC', 'Civic plate unknown'])(
    'finds no license plate in %j',
    (line) => {
      expect(splitPlate(line)).toEqual({ plate: null, rest: line })
    },
  )
})
