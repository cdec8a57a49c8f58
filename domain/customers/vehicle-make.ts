/** The known makes of vehicles in their correct spelling, each followed by other common spellings. */
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
 * The year and the make of a vehicle, in the spelling of the list: '2019 Subaru'. The text is '' when the year is
 * implausible or the make is unknown, so that emails repeat no untrusted text.
 */
export function formatKnownVehicle(year: string | null, make: string | null): string {
  const name = makesByKey.get(key(make ?? ''))
  const likelyYear = /^\s*((?:19[2-9]|20\d)\d)\s*$/.exec(year ?? '')?.[1]
  return name && likelyYear ? `${likelyYear} ${name}` : ''
}

function key(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]+/g, '')
}
