/* People who do not exist: phones of 555-01xx, addresses of `.example`. */

export type Person = { readonly name: string; readonly email: string; readonly phone: string }
export type Car = {
  readonly year: string
  readonly make: string
  readonly model: string
  readonly color?: string
}

export const person = (name: string, lastDigits: string): Person => ({
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@sample.example`,
  phone: `(650) 555-01${lastDigits}`,
})
export const car = (year: string, make: string, model: string, color?: string): Car => ({
  year,
  make,
  model,
  ...(color && { color }),
})

export const nora = person('Nora Lindholm', '21')
export const marcus = person('Marcus Bellweather', '22')
export const priya = person('Priya Castellan', '23')
export const tomas = person('Tomas Quillon', '24')
export const june = person('June Ashgrove', '25')
export const hector = person('Hector Villamar', '26')
export const dele = person('Dele Okonwu', '27')
export const ingrid = person('Ingrid Farrow', '28')
export const ruben = person('Ruben Castleton', '29')
export const mina = person('Mina Torvald', '30')
export const walter = person('Walter Pennick', '31')
export const sana = person('Sana Merrivale', '32')
