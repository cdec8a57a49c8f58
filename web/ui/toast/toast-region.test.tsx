import { flushSync } from 'react-dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ToastRegion } from './toast-region.tsx'
import { dismissToast, toast } from './toast.ts'
import './toast-region.css'

beforeEach(async () => {
  await userEvent.unhover(document.body)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  flushSync(() => dismissToast())
})

const showToast = (message: Parameters<typeof toast>[0]) => flushSync(() => toast(message))
const pass = (ms: number) => flushSync(() => void vi.advanceTimersByTime(ms))
const saved = { title: 'Saved' }
const card = () => page.getByText('Saved')

describe('a notification', () => {
  test('is told politely, and a failure at once', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    await expect.element(page.getByRole('status')).toHaveTextContent('Saved')
    showToast({ title: 'Error', description: 'Not saved.', variant: 'destructive' })
    await expect.element(page.getByRole('alert')).toHaveTextContent('ErrorNot saved.')
    await expect.element(page.getByRole('status')).toBeEmptyDOMElement()
  })

  test('goes after five seconds', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    pass(4_999)
    await expect.element(card()).toBeVisible()
    pass(1)
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('with a way back stays for ten seconds, and goes when it is taken', async () => {
    const undo = vi.fn<() => void>()
    await render(<ToastRegion />)
    showToast({ title: 'Saved', action: { label: 'Undo', run: undo } })
    pass(9_999)
    await expect.element(card()).toBeVisible()
    flushSync(() => (page.getByRole('button', { name: 'Undo' }).element() as HTMLElement).click())
    expect(undo).toHaveBeenCalledOnce()
    await expect.element(card()).not.toBeInTheDocument()
    showToast({ title: 'Saved', action: { label: 'Undo', run: undo } })
    pass(10_000)
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('waits while the keyboard is in it, and then for the rest of its time', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    pass(3_000)
    await userEvent.keyboard('{F8}')
    await expect.element(page.getByRole('region', { name: 'Notifications (F8)' })).toHaveFocus()
    pass(60_000)
    await expect.element(card()).toBeVisible()
    ;(document.activeElement as HTMLElement).blur()
    pass(1_999)
    await expect.element(card()).toBeVisible()
    pass(1)
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('gives way to the next, which has its whole time', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    pass(4_000)
    showToast({ title: 'Sent' })
    await expect.element(card()).not.toBeInTheDocument()
    pass(4_000)
    await expect.element(page.getByText('Sent')).toBeVisible()
  })

  test('goes when it is dismissed, and at Escape within it', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(card()).not.toBeInTheDocument()
    showToast(saved)
    page.getByRole('button', { name: 'Dismiss' }).element().focus()
    await userEvent.keyboard('{Escape}')
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('covers no action: it goes up when one comes under it, and down when that goes', async () => {
    const lower = (button: string) => (
      <>
        <ToastRegion />
        <div style={{ position: 'fixed', inset: 'auto 0 0', textAlign: 'right' }}>
          {button && (
            <button type="button" className="button">
              {button}
            </button>
          )}
        </div>
      </>
    )
    const { rerender } = await render(lower(''))
    showToast(saved)
    const bottom = () => card().element().closest('.toast')?.getBoundingClientRect().bottom ?? 0
    const home = bottom()
    await rerender(lower('Send'))
    const send = page.getByRole('button', { name: 'Send' })
    await vi.waitFor(() =>
      expect(bottom()).toBeLessThan(send.element().getBoundingClientRect().top),
    )
    // The notification does not move away from the pointer or the focus.
    await userEvent.keyboard('{F8}')
    await rerender(lower(''))
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    expect(bottom()).toBeLessThan(home)
    ;(document.activeElement as HTMLElement).blur()
    await vi.waitFor(() => expect(bottom()).toBe(home))
  })

  test('is shown once, in the dialog that covers the page', async () => {
    await render(
      <>
        <ToastRegion />
        <Dialog open onClose={() => undefined} title="Create a task">
          <input aria-label="Title" />
        </Dialog>
      </>,
    )
    showToast(saved)
    await expect.element(page.getByRole('dialog').getByText('Saved')).toBeVisible()
    expect(card().elements()).toHaveLength(1)
  })
})
