import { describe, expect, it } from 'vitest'
import { DataError } from '#web/lib/data/request-data.ts'
import { bookingErrorToast } from './booking-errors.ts'

const refused = (code: string, hint: string) => new DataError({ message: '', code, hint }, 400)

describe('the notification about a booking error', () => {
  it('states why the server refused: the bay is inactive or no longer does the service, or the appointment is no longer open', () => {
    const title = 'Could not move Dana Whitfield'
    expect(bookingErrorToast(refused('TT065', 'bay_not_active'), title)).toEqual({
      title,
      description: 'This bay was deactivated. Please choose another.',
      variant: 'destructive',
    })
    expect(bookingErrorToast(refused('TT064', 'bay_cannot_do_service')).description).toContain(
      'no longer do this',
    )
    expect(bookingErrorToast(refused('TT067', 'not_open')).description).toContain('no longer open')
  })

  it('asks staff to check the page when the server did not respond, because the change may have been saved', () => {
    const lost = new DataError({ message: 'Failed to fetch' }, 0)
    expect(bookingErrorToast(lost, 'Could not move Dana Whitfield')).toMatchObject({
      title: 'No response',
      description: 'You’re offline. When you’re back online, check this page before trying again.',
    })
  })
})
