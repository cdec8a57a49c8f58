import { addressLine, type Shop } from '#domain/shop/shop.ts'

/** What the shop's papers say of its registration, as the owner set it; each '' until then. */
export type RegistrationDetails = {
  /** Of the Bureau of Automotive Repair (16 CCR 3356). */
  readonly registrationNumber: string
  readonly epaNumber: string
  /** What is printed below every estimate and invoice. */
  readonly conditions: string
}

type Issuer = Pick<Shop, 'name' | 'legalName' | 'address' | 'phone'> & RegistrationDetails

/** What stands under the shop's name on its papers: registered name, address, phone, registrations. */
export function letterheadLines(shop: Issuer): string[] {
  const { name, legalName, phone, registrationNumber, epaNumber } = shop
  return [
    legalName === name ? '' : legalName,
    addressLine(shop),
    phone.display,
    registrationNumber === '' ? '' : `Automotive Repair Dealer ${registrationNumber}`,
    epaNumber === '' ? '' : `EPA ID ${epaNumber}`,
  ].filter((line) => line !== '')
}
