import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { useFocusOnLeave } from './use-focus-on-leave.ts'

type Shown = { chosenId?: string; date: string; ids?: string[] }

const allIds = ['maria', 'sam']

/** A day of cars, each drawn anew with the day. */
function Day({ chosenId, date, ids = allIds }: Shown) {
  useFocusOnLeave(chosenId)
  return (
    <>
      <button type="button">Today</button>
      <section key={date} aria-label={date}>
        {ids.map((id) => (
          <button key={id} type="button" data-stop={id}>
            {id}
          </button>
        ))}
      </section>
    </>
  )
}

const bookingButton = (id: string) => page.getByRole('button', { name: id })
const today = () => page.getByRole('button', { name: 'Today' })

test('Who closes the panel of a car is back at the car', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await expect.element(bookingButton('maria')).toHaveFocus()
})

test('A car that is drawn on another day a moment after its panel was closed has the focus there', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await rerender(<Day date="Friday" ids={[]} />)
  await rerender(<Day date="Friday" />)
  await expect.element(bookingButton('maria')).toHaveFocus()
})

test('What the browser gave the focus to while the car was nowhere does not keep it', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  today().element().focus()
  await rerender(<Day date="Friday" ids={[]} />)
  await rerender(<Day date="Friday" />)
  await expect.element(bookingButton('maria')).toHaveFocus()
})

test('Who presses something while the car is nowhere is not called back', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Friday" ids={[]} />)
  await today().click()
  await rerender(<Day date="Friday" />)
  await expect.element(today()).toHaveFocus()
})

test('Who has gone elsewhere meanwhile is not called back', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await bookingButton('sam').click()
  await rerender(<Day date="Tuesday" ids={['sam']} />)
  await rerender(<Day date="Tuesday" ids={['sam', 'maria']} />)
  await expect.element(bookingButton('sam')).toHaveFocus()
})
