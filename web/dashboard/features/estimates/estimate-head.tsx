import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { estimateName } from '#domain/estimates/estimate-title.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { approvedJobs, lastDecidedAt, sourceOf } from './estimate-details.ts'
import { stateTones, stateLabel } from './estimate-text.ts'
import type { EstimateForm } from './form/estimate-form.ts'

type Props = {
  estimate: Estimate
  /** The customer and the vehicle as staff typed them. */
  about: Pick<EstimateForm, 'customer' | 'vehicle'>
  /** The time of the last save of the draft: 'saved 3:12 PM'. */
  savedText: string
  children?: ReactNode
}

/** The header of an estimate page: number, state, customer, vehicle and progress. */
export function EstimateHead({ estimate, about, savedText, children }: Props) {
  const { customer, vehicle } = about
  const origin = sourceOf(estimate)
  const vehicleLabel = vehicleName({
    vehicle_year: vehicle.year,
    vehicle_make: vehicle.make,
    vehicle_model: vehicle.model,
  })
  return (
    <div className="record-head estimate-head">
      <div>
        <Link className="record-back estimate-back" {...origin.link}>
          <Icon name="chevron-left" />
          {origin.label}
        </Link>
        <h2>
          {estimateName(estimate.kind)} {estimate.number}{' '}
          <Badge tone={stateTones[estimate.state]}>
            {stateLabel({
              state: estimate.state,
              jobs: estimate.jobs.length,
              approvedJobs: approvedJobs(estimate),
            })}
          </Badge>
        </h2>
        <p className="record-about estimate-for">
          <b>{customer.name || 'No customer yet'}</b>
          {customer.phone && <a href={tel(customer.phone)}>{customer.phone}</a>}
          <span>
            {vehicleLabel && <b>{vehicleLabel}</b>}
            {vehicle.plate && <span className="plate">{vehicle.plate}</span>}
            {vehicle.odometerMiles && (
              <span>{Number(vehicle.odometerMiles).toLocaleString('en-US')} mi</span>
            )}
          </span>
          {children}
        </p>
      </div>
      <LifeScale estimate={estimate} savedText={savedText} />
    </div>
  )
}

/** The progress of an estimate as a scale with four marks. The last mark is the customer's decision. */
function LifeScale({ estimate, savedText }: Pick<Props, 'estimate' | 'savedText'>) {
  const { sentAt, seenAt, state } = estimate
  const decision = { declined: 'Declined', approved: 'Approved', invoiced: 'Approved' } as const
  const decisionLabel = decision[state as keyof typeof decision] ?? 'Answered'
  const time = (at: string | null) => (at ? formatShopTime(new Date(at)) : '')
  const marks = [
    ['Draft', savedText, true],
    ['Sent', time(sentAt), sentAt !== null],
    ['Viewed', time(seenAt), seenAt !== null],
    [decisionLabel, decisionText(estimate), lastDecidedAt(estimate) !== null],
  ] as const
  return (
    <ol className="life-scale" aria-label="State">
      {marks.map(([name, text, isReached]) => (
        <li key={name} className={isReached ? 'life-reached' : undefined}>
          <i />
          <b>{name}</b>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}

/** The number of approved jobs and the time of the last decision: '2 of 3, 3:42 PM'. */
function decisionText(estimate: Estimate): string {
  const at = lastDecidedAt(estimate)
  if (!at) return ''
  const count = approvedJobs(estimate)
  const of =
    count > 0 && count < estimate.jobs.length ? `${count} of ${estimate.jobs.length}, ` : ''
  return of + formatShopTime(new Date(at))
}
