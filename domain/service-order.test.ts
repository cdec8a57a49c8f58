import { assert, array, constantFrom, property, shuffledSubarray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orderServices, serviceKind } from './service-order.ts'

const names = [
  'Oil Change',
  'Brake Job',
  'Multipoint Inspection',
  'Tune-Up',
  'Pre-Purchase Inspection',
  'A/C Service',
  'Battery Test',
  'Engine Diagnostics',
  'Scheduled Maintenance',
]
const named = (list: string[]) => list.map((name) => ({ name }))
const orderedNames = (list: string[]) => orderServices(named(list)).map(({ name }) => name)

describe('the services', () => {
  test('come as oil, brakes with the inspection, tune-ups, inspections, then by name, whatever order they arrived in', () => {
    assert(
      property(shuffledSubarray(names, { minLength: names.length }), (shuffled) => {
        expect(orderedNames(shuffled)).toEqual([
          'Oil Change',
          'Brake Job',
          'Multipoint Inspection',
          'Tune-Up',
          'Pre-Purchase Inspection',
          'A/C Service',
          'Battery Test',
          'Engine Diagnostics',
          'Scheduled Maintenance',
        ])
      }),
    )
  })

  test('keep the inspection among inspections when there is no brake job', () => {
    expect(orderedNames(['Multipoint Inspection', 'Tune-Up', 'Brake Fluid'])).toEqual([
      'Brake Fluid',
      'Tune-Up',
      'Multipoint Inspection',
    ])
  })

  test('put the inspection behind the brake job, not behind other brake services', () => {
    expect(orderedNames(['Brake Pads', 'Multipoint Inspection', 'Brake Job', 'Breaks'])).toEqual([
      'Brake Job',
      'Multipoint Inspection',
      'Brake Pads',
      'Breaks',
    ])
  })

  test('read the keywords in any letter case', () => {
    expect(orderedNames(['Wipers', 'BRAKE CHECK', 'engine OIL'])).toEqual([
      'engine OIL',
      'BRAKE CHECK',
      'Wipers',
    ])
  })

  test('are never lost or doubled', () => {
    assert(
      property(array(constantFrom(...names), { maxLength: 12 }), (list) => {
        expect(orderedNames(list).toSorted()).toEqual(list.toSorted())
      }),
    )
  })

  test('have an icon by their name', () => {
    const list = [
      'Oil Change',
      'Brake Job',
      'Break Pads',
      'Tune-Up',
      'Multipoint Inspection',
      'A/C',
    ]
    expect(list.map(serviceKind)).toEqual(['oil', 'brake', 'brake', 'tune', 'other', 'other'])
  })
})
