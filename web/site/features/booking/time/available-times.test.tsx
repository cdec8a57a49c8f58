import { createRef } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { AvailableTimes } from './available-times.tsx'
import type { AvailableSlots } from './use-available-slots.ts'

const date = '2026-11-28'

async function show(available: AvailableSlots) {
  const [onChoose, onRetry] = [vi.fn<(time: string) => void>(), vi.fn<() => void>()]
  const props = { heading: createRef<HTMLHeadingElement>(), onChoose, onRetry }
  await render(<AvailableTimes available={available} {...props} />)
  return { onChoose, onRetry }
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const status = () => page.getByRole('status')

describe('the available times', () => {
  test('show a prompt to choose a date before a date is chosen', async () => {
    await show({ status: 'no-date' })
    await expect.element(page.getByText('Please select a date first')).toBeVisible()
    await expect.element(status()).toBeEmptyDOMElement()
  })

  test('show that the server is still checking which times are free', async () => {
    await show({ status: 'checking', date })
    await expect.element(status()).toHaveTextContent('Checking available times')
    await expect.element(page.getByText('Saturday, November 28, 2026')).toBeVisible()
    expect(page.getByRole('button').elements()).toEqual([])
  })

  test('are buttons grouped by part of the day, each button with the time of its slot', async () => {
    const { onChoose } = await show({
      status: 'checked',
      date,
      slots: ['09:00', '11:30', '12:00', '17:00'],
    })
    const inPart = (part: string) =>
      page
        .getByRole('group', { name: part })
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent)
    expect(inPart('Morning')).toEqual(['9:00 AM', '11:30 AM'])
    expect([...inPart('Afternoon'), ...inPart('Evening')]).toEqual(['12:00 PM', '5:00 PM'])
    await button('12:00 PM').click()
    expect(onChoose.mock.calls).toEqual([['12:00']])
    await expect.element(status()).toHaveTextContent('4 times free on Saturday, November 28, 2026')
  })

  test('omit a part of the day without times', async () => {
    await show({ status: 'checked', date, slots: ['09:00'] })
    expect(page.getByRole('group').elements()).toHaveLength(1)
  })

  test('show a message with the date when no time of that date is free', async () => {
    await show({ status: 'checked', date, slots: [] })
    const text = 'No available slots on Saturday, November 28, 2026'
    await expect.element(page.getByText(text)).toBeVisible()
    await expect.element(page.getByText('Try selecting a different date')).toBeVisible()
  })

  test('offer a retry button after the check for free times failed', async () => {
    const { onRetry } = await show({ status: 'failed', date })
    await expect.element(status()).toHaveTextContent('The times could not be loaded')
    await button('Try Again').click()
    expect(onRetry).toHaveBeenCalledOnce()
  })
})
