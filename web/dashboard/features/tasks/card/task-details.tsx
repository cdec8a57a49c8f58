import { Link } from '@tanstack/react-router'
import type { Task } from '#contracts/tasks.ts'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { vehicleLine } from '#domain/customers/vehicle.ts'
import { mailto } from '#web/lib/browser/mailto.ts'
import { estimateLink } from '#web/dashboard/kit/navigation/links.ts'
import { tel } from '#web/lib/browser/tel.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { stateLabel } from '#web/dashboard/kit/bookings/state-badge.tsx'

/** The details of a task: vehicle, customer, assigned employee and due date. */
export function TaskDetails({ task, today }: { task: Task; today: string }) {
  const { booking, employee } = task
  const isOverdue = task.due_date !== null && task.due_date < today && task.status !== 'completed'
  return (
    <div className="task-details">
      {booking && vehicleLine(booking) && (
        <span>
          <Icon name="car" />
          <b>{vehicleLine(booking)}</b>
        </span>
      )}
      {booking && (
        <span>
          <Icon name="clock" />
          Vehicle{' '}
          <b>{stateLabel({ vehicle_facts: booking.vehicle_facts, will_come: false }).label}</b>
        </span>
      )}
      {booking && (
        <span>
          <Icon name="user" />
          <b>{booking.customer_name}</b>
          {task.status !== 'completed' && <PhoneLink phone={booking.customer_phone} />}
        </span>
      )}
      <span>
        <Icon name="wrench" />
        {employee ? (
          <>
            Assigned to <b>{employee.name}</b>
          </>
        ) : (
          <b>Unassigned</b>
        )}
      </span>
      {task.wants_parts_back && (
        <span>
          <Icon name="swap" />
          <b>Customer wants the replaced parts</b>
        </span>
      )}
      {task.estimate && (
        <span>
          <Icon name="receipt" />
          <Link {...estimateLink(task.estimate.id)}>Estimate {task.estimate.number}</Link>
        </span>
      )}
      {task.due_date && (
        <span className={isOverdue ? 'task-overdue' : undefined}>
          <Icon name="flag" />
          {isOverdue ? 'Overdue since' : 'Due'} <b>{formatDate(task.due_date)}</b>
        </span>
      )}
    </div>
  )
}

/** Further details of a completed task: the customer's contact details, the appointment and the completion time. */
export function CompletionDetails({ task }: { task: Task }) {
  const { booking } = task
  return (
    <div className="task-details">
      {booking && (
        <>
          <span>
            <Icon name="phone" />
            <PhoneLink phone={booking.customer_phone} />
          </span>
          {booking.customer_email && (
            <span>
              <Icon name="mail" />
              <a className="touch-link" href={mailto(booking.customer_email)}>
                {booking.customer_email}
              </a>
            </span>
          )}
          <span>
            <Icon name="calendar" />
            {formatDate(booking.appointment_date)}, {formatTime(booking.appointment_time)}
          </span>
        </>
      )}
      {task.completed_at && (
        <span>
          <Icon name="check" />
          Completed {formatStamp(task.completed_at)}
        </span>
      )}
    </div>
  )
}

function PhoneLink({ phone }: { phone: string }) {
  return (
    <a className="touch-link task-phone" href={tel(phone)}>
      {phone}
    </a>
  )
}
