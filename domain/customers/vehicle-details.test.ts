import { describe, expect, it } from 'vitest'
import { harmlessModel, knownColor } from './vehicle-details.ts'

describe('harmlessModel', () => {
  it.each(['Outback', '3 Series', 'CX-5 Grand Touring', 'F-150', ' Citroën  C4 '])(
    'returns the plausible model %j without extra spaces',
    (model) => expect(harmlessModel(model)).toBe(model.trim().replaceAll(/\s+/g, ' ')),
  )

  it.each([
    '',
    'win7.com',
    'call me right now',
    'Outback/Legacy',
    '6505550142',
    '650 555',
    'Supercalifragilisticexpia',
    'а-b', // The first letter is the Cyrillic а, which looks like the Latin a.
    'you@won',
  ])('returns an empty text for the implausible model %j', (model) =>
    expect(harmlessModel(model)).toBe(''),
  )
})

describe('knownColor', () => {
  it('returns a color that consists of known words, in lower case', () => {
    expect(['Blue', 'dark  green', 'metallic dark Red'].map(knownColor)).toEqual([
      'blue',
      'dark green',
      'metallic dark red',
    ])
  })

  it.each(['', 'dark', 'blue red', 'blue win7', 'blue.com', 'dark light pearl blue'])(
    'returns an empty text for %j, which is no known color',
    (color) => expect(knownColor(color)).toBe(''),
  )
})
