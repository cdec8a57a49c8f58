import { expect, test } from 'vitest'
import { hazardousFees, otherFees } from './hazardous-waste-fee.examples.ts'
import { isHazardousWasteFee } from './hazardous-waste-fee.ts'

test.each(hazardousFees)('%s is a hazardous-waste fee', (description) => {
  expect(isHazardousWasteFee(description)).toBe(true)
})

test.each(otherFees)('%s is not a hazardous-waste fee', (description) => {
  expect(isHazardousWasteFee(description)).toBe(false)
})
