/**
 * A fictional customer. The phone number has the form 555-01xx and the email address ends with `.example`, so that
 * nobody can reach a real person.
 */

export type SampleCustomer = {
  readonly name: string
  readonly email: string
  readonly phone: string
}
export type SampleVehicle = {
  readonly year: string
  readonly make: string
  readonly model: string
  readonly color?: string
}

export const sampleCustomer = (name: string, lastDigits: string): SampleCustomer => ({
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@sample.example`,
  phone: `(650) 555-01${lastDigits}`,
})
export const sampleVehicle = (
  year: string,
  make: string,
  model: string,
  color?: string,
): SampleVehicle => ({
  year,
  make,
  model,
  ...(color && { color }),
})

export const nora = sampleCustomer('Nora Lindholm', '21')
export const marcus = sampleCustomer('Marcus Bellweather', '22')
export const priya = sampleCustomer('Priya Castellan', '23')
export const tomas = sampleCustomer('Tomas Quillon', '24')
export const june = sampleCustomer('June Ashgrove', '25')
export const hector = sampleCustomer('Hector Villamar', '26')
export const dele = sampleCustomer('Dele Okonwu', '27')
export const ingrid = sampleCustomer('Ingrid Farrow', '28')
export const ruben = sampleCustomer('Ruben Castleton', '29')
export const mina = sampleCustomer('Mina Torvald', '30')
export const walter = sampleCustomer('Walter Pennick', '31')
export const sana = sampleCustomer('Sana Merrivale', '32')
