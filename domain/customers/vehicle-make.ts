/** Makes as we spell them, each with other spellings that people type. */
const makes: readonly (readonly [name: string, ...also: string[]])[] = [
  ['Acura'],
  ['Alfa Romeo', 'Alfa'],
  ['Aston Martin'],
  ['Audi'],
  ['Bentley'],
  ['BMW'],
  ['Buick'],
  ['Cadillac'],
  ['Chevrolet', 'Chevy'],
  ['Chrysler'],
  ['Dodge'],
  ['Ferrari'],
  ['Fiat'],
  ['Ford'],
  ['Genesis'],
  ['GMC'],
  ['Honda'],
  ['Hummer'],
  ['Hyundai'],
  ['Infiniti'],
  ['Isuzu'],
  ['Jaguar'],
  ['Jeep'],
  ['Kia'],
  ['Lamborghini'],
  ['Land Rover', 'Range Rover'],
  ['Lexus'],
  ['Lincoln'],
  ['Lotus'],
  ['Lucid'],
  ['Maserati'],
  ['Mazda'],
  ['McLaren'],
  ['Mercedes-Benz', 'Mercedes'],
  ['Mercury'],
  ['Mini'],
  ['Mitsubishi'],
  ['Nissan'],
  ['Oldsmobile'],
  ['Plymouth'],
  ['Polestar'],
  ['Pontiac'],
  ['Porsche'],
  ['Ram'],
  ['Rivian'],
  ['Rolls-Royce'],
  ['Saab'],
  ['Saturn'],
  ['Scion'],
  ['Smart'],
  ['Subaru'],
  ['Suzuki'],
  ['Tesla'],
  ['Toyota'],
  ['Volkswagen', 'VW'],
  ['Volvo'],
]

const makesByKey = new Map(
  makes.flatMap(([name, ...also]) => [name, ...also].map((one) => [key(one), name])),
)

/**
 * The vehicle in our own words, '2019 Subaru': a likely year and a make from our list. '' when either is not
 * known, so that nothing a stranger typed stands in a letter.
 */
export function formatKnownVehicle(year: string | null, make: string | null): string {
  const name = makesByKey.get(key(make ?? ''))
  const likelyYear = /^\s*((?:19[2-9]|20\d)\d)\s*$/.exec(year ?? '')?.[1]
  return name && likelyYear ? `${likelyYear} ${name}` : ''
}

function key(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]+/g, '')
}
