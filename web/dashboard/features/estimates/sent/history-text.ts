import type { EstimateEvent } from '#contracts/estimates/estimates.ts'

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  year: 'Year',
  make: 'Make',
  model: 'Model',
  color: 'Color',
  plate: 'Plate',
  vin: 'VIN',
  odometerMiles: 'Odometer',
}

/** One sentence for each changed field: 'Plate changed from 8KLM204 to 8KLM205.' */
export function historyText({ kind, before, after }: EstimateEvent): string[] {
  switch (kind) {
    case 'details_changed':
      return Object.entries(fieldNames)
        .filter(([field]) => before !== null && field in before)
        .map(([field, name]) => changeText(name, before?.[field], after?.[field]))
    case 'customer_changed':
      return ['The estimate is for another customer. Earlier approvals do not count.']
    case 'vehicle_changed':
      return ['The estimate is for another vehicle. Earlier approvals do not count.']
    case 'address_changed':
      return [
        `${changeText('Email', before?.['email'], after?.['email'])} The old link stopped working.`,
      ]
    case 'repair_declined':
    case 'reassembly_declined':
      return [
        `The customer declined the ${kind === 'repair_declined' ? 'repair' : 'reassembly'} after the tear-down: ${textOf(after?.['jobTitle'])}.`,
      ]
    case 'relinked':
      return ['New link created. Older links stopped working.']
  }
}

type Value = string | number | null | undefined

function changeText(name: string, before: Value, after: Value): string {
  const [from, to] = [before, after].map((value) => (value ?? '') !== '' && textOf(value))
  if (!from) return `${name} ${to} added.`
  return to ? `${name} changed from ${from} to ${to}.` : `${name} ${from} removed.`
}

const textOf = (value: Value) =>
  typeof value === 'number' ? value.toLocaleString('en-US') : String(value)
