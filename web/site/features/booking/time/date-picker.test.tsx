import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { DatePicker } from './date-picker.tsx'

const range = { first: '2026-11-28', last: '2026-12-28' }

async function openPicker(picked: string | null = null) {
  const onSelect = vi.fn<(day: string) => void>()
  function Picker() {
    const [selected, select] = useState(picked)
    const pick = (day: string) => {
      onSelect(day)
      select(day)
    }
    const remarkOf = (day: string) => (day === '2026-11-30' ? '17 times free' : undefined)
    const closedOf = (day: string) => (day === '2026-12-25' ? 'Closed: Christmas Day' : undefined)
    return <DatePicker {...{ range, selected, remarkOf, closedOf }} onSelect={pick} />
  }
  await render(<Picker />)
  return onSelect
}

const dayNamed = (name: string) => page.getByRole('button', { name })
const month = (name: string) => page.getByRole('grid', { name })

describe('the date picker', () => {
  test('enables only the days of its range', async () => {
    const onSelect = await openPicker()
    await expect.element(dayNamed('Friday, November 27, 2026, not available')).toBeDisabled()
    await dayNamed('Sunday, November 29, 2026').click()
    expect(onSelect.mock.lastCall).toEqual(['2026-11-29'])
    await page.getByRole('button', { name: 'Next month' }).click()
    await expect.element(dayNamed('Tuesday, December 29, 2026, not available')).toBeDisabled()
    await dayNamed('Monday, December 28, 2026').click()
    expect(onSelect.mock.lastCall).toEqual(['2026-12-28'])
  })

  test('marks today and the selected day, and screen readers announce the note about a day', async () => {
    await openPicker('2026-11-30')
    const today = dayNamed('Saturday, November 28, 2026')
    await expect.element(today).toHaveAttribute('aria-current', 'date')
    const picked = dayNamed('Monday, November 30, 2026, 17 times free')
    await expect.element(picked).toHaveAttribute('aria-pressed', 'true')
    await expect.element(today).toHaveAttribute('aria-pressed', 'false')
  })

  test('is one stop of the Tab key, and arrow keys move through its days and months', async () => {
    const onSelect = await openPicker()
    dayNamed('Saturday, November 28, 2026').element().focus()
    await userEvent.keyboard('{ArrowRight}{ArrowDown}')
    await expect.element(month('December 2026')).toBeVisible()
    await expect.element(dayNamed('Sunday, December 6, 2026')).toHaveFocus()
    const stops = page.getByRole('grid').element().querySelectorAll('button[tabindex="0"]')
    expect(stops).toHaveLength(1)
    expect(onSelect).not.toHaveBeenCalled()
    await userEvent.keyboard('{Enter}')
    expect(onSelect.mock.lastCall).toEqual(['2026-12-06'])
  })

  test('stays within its range, for keys and for the month buttons', async () => {
    await openPicker()
    const first = dayNamed('Saturday, November 28, 2026')
    first.element().focus()
    await userEvent.keyboard('{ArrowLeft}{ArrowUp}{PageUp}')
    await expect.element(first).toHaveFocus()
    const back = page.getByRole('button', { name: 'Previous month' })
    await expect.element(back).toHaveAttribute('aria-disabled', 'true')
    await back.click({ force: true })
    await expect.element(month('November 2026')).toBeVisible()
  })

  test('does not allow selecting a closed day, but screen readers announce why the shop is closed when the day has the focus', async () => {
    const onSelect = await openPicker('2026-12-24')
    const closed = dayNamed('Friday, December 25, 2026, Closed: Christmas Day')
    await expect.element(closed).toHaveAttribute('aria-disabled', 'true')
    dayNamed('Thursday, December 24, 2026').element().focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(closed).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await closed.click({ force: true })
    expect(onSelect).not.toHaveBeenCalled()
    await userEvent.keyboard('{ArrowRight}{Enter}')
    expect(onSelect.mock.lastCall).toEqual(['2026-12-26'])
  })

  test('keeps the focus on a month button at the end of the range', async () => {
    await openPicker()
    const next = page.getByRole('button', { name: 'Next month' })
    await next.click()
    await expect.element(next).toHaveAttribute('aria-disabled', 'true')
    await expect.element(next).toHaveFocus()
  })
})
