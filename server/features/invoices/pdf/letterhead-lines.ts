import { addressLine, type Shop } from '#domain/shop/shop.ts'

/**
 * The shop's registration numbers and conditions on printed documents; each is an empty string until the owner enters
 * it.
 */
export type RegistrationDetails = {
  /** The registration number at the Bureau of Automotive Repair (16 CCR 3356). */
  readonly registrationNumber: string
  readonly epaNumber: string
  /** The terms and conditions at the end of every printed estimate and invoice. */
  readonly conditions: string
}

type Issuer = Pick<Shop, 'name' | 'legalName' | 'address' | 'phone'> & RegistrationDetails

/** The lines below the shop's name on printed documents: legal name, street address, phone number and registrations. */
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
