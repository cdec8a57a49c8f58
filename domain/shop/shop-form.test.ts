import { describe, expect, test } from 'vitest'
import {
  checkShopForm,
  emptyShopForm,
  shopColumnsOf,
  shopFieldErrors,
  type ShopForm,
  shopFormOf,
} from './shop-form.ts'

const form: ShopForm = {
  name: 'Torque & Timing',
  legalName: 'Torque & Timing Auto Repair',
  kind: 'Auto Repair',
  tagline: '',
  lead: '',
  experts: 'Certified technicians.',
  turnaround: 'Most repairs are same-day.',
  warranty: 'Every repair carries a warranty.',
  street: '2130 Example Way',
  city: 'Mountain View',
  state: '',
  postalCode: '94043',
  country: 'us',
  position: '37.4189, -122.0864',
  phone: '650.555.0142',
  billingPhone: '(650) 555-0188',
  bookingEmail: 'hello@torqueandtiming.example',
  billingEmail: 'billing@torqueandtiming.example',
  supportEmail: 'support@torqueandtiming.example',
  timeZone: 'America/Los_Angeles',
  appointmentMinutes: '75',
  quoteReplyHours: '24',
  links: 'https://maps.example/torque\n\nhttps://reviews.example/torque ',
}

describe('the form of the shop', () => {
  test('accepts a shop without a state, a tagline and an introduction', () => {
    expect(checkShopForm(form)).toEqual({})
  })

  test('shows the error message of each required field when all fields are empty', () => {
    const errors = checkShopForm(emptyShopForm)
    const optional = new Set(['position', 'links'])
    expect(Object.keys(errors)).toEqual(
      Object.keys(shopFieldErrors).filter((field) => !optional.has(field)),
    )
    expect(errors.name).toBe('Please enter the name of the shop.')
    expect(errors.phone).toBe('Please enter a phone number with its area code.')
  })

  test.each<[keyof ShopForm, string]>([
    ['name', ' \u200b\u0007 '],
    ['warranty', ' '],
    ['country', 'USA'],
    ['position', '91, 0'],
    ['position', '37.4189'],
    ['position', '0, 180.5'],
    ['phone', '555-0142'],
    ['billingPhone', 'call us'],
    ['bookingEmail', 'hello@a@b.example'],
    ['supportEmail', 'hello torque.example'],
    ['timeZone', 'PST'],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', 'america/los_angeles'],
    ['appointmentMinutes', '4'],
    ['appointmentMinutes', '1000000'],
    ['appointmentMinutes', '7.5'],
    ['quoteReplyHours', '0'],
    ['links', 'http://maps.example'],
    ['links', 'javascript:alert(1)'],
    ['links', Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`).join('\n')],
  ])(
    'refuses the field %s with the value %j and reports an error for this field only',
    (field, input) => {
      expect(Object.keys(checkShopForm({ ...form, [field]: input }))).toEqual([field])
    },
  )

  test('stores phone numbers and URLs in normalized form, and displays phone numbers in the format of the pages', () => {
    const row = shopColumnsOf({ ...form, street: ' 2130\tExample\u200b Way ' })
    expect(row).toMatchObject({
      street: '2130 Example Way',
      country: 'US',
      phone: '+16505550142',
      latitude: 37.4189,
      longitude: -122.0864,
      links: ['https://maps.example/torque', 'https://reviews.example/torque'],
    })
    expect(shopFormOf(row)).toMatchObject({
      phone: '(650) 555-0142',
      position: '37.4189, -122.0864',
    })
    expect(shopColumnsOf(shopFormOf(row))).toEqual(row)
    const withoutPosition = shopColumnsOf({ ...form, position: ' ' })
    expect(withoutPosition).toMatchObject({ latitude: null, longitude: null })
    expect(shopFormOf(withoutPosition).position).toBe('')
  })
})
