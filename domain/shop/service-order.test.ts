import {
  array,
  assert,
  constantFrom,
  integer,
  option,
  property,
  record,
  shuffledSubarray,
} from 'fast-check'
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
  test('are sorted as oil, brakes with the inspection, tune-ups, inspections, then all others, each group by name, for any input order', () => {
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

  test('have the multipoint inspection among the inspections when the shop has no service ‘Brake Job’', () => {
    expect(orderedNames(['Multipoint Inspection', 'Tune-Up', 'Brake Fluid'])).toEqual([
      'Brake Fluid',
      'Tune-Up',
      'Multipoint Inspection',
    ])
  })

  test('have the multipoint inspection directly after ‘Brake Job’, not after other brake services', () => {
    expect(orderedNames(['Brake Pads', 'Multipoint Inspection', 'Brake Job', 'Breaks'])).toEqual([
      'Brake Job',
      'Multipoint Inspection',
      'Brake Pads',
      'Breaks',
    ])
  })

  test('are sorted by keywords in upper or lower case', () => {
    expect(orderedNames(['Wipers', 'BRAKE CHECK', 'engine OIL'])).toEqual([
      'engine OIL',
      'BRAKE CHECK',
      'Wipers',
    ])
  })

  test('are sorted by the positions that staff set; services without a position come last in the default order', () => {
    const list = [
      { name: 'Tune-Up', position: null },
      { name: 'A/C Service', position: 1 },
      { name: 'Oil Change' },
      { name: 'Brake Job', position: 2 },
    ]
    expect(orderServices(list).map(({ name }) => name)).toEqual([
      'A/C Service',
      'Brake Job',
      'Oil Change',
      'Tune-Up',
    ])
  })

  test('are neither lost nor repeated by sorting', () => {
    const service = record({
      name: constantFrom(...names),
      position: option(integer({ min: 1, max: 5 })),
    })
    assert(
      property(array(service, { maxLength: 12 }), (list) => {
        const ordered = orderServices(list).map(({ name }) => name)
        expect(ordered.toSorted()).toEqual(list.map(({ name }) => name).toSorted())
      }),
    )
  })

  test('have an icon that is chosen by the name of the service', () => {
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
