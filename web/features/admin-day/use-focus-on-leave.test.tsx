import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { useFocusOnLeave } from './use-focus-on-leave.ts'

type Shown = { chosenId?: string; date: string; cars?: string[] }

const everyCar = ['maria', 'sam']

/** A day of cars, each drawn anew with the day. */
function Day({ chosenId, date, cars = everyCar }: Shown) {
  useFocusOnLeave(chosenId)
  return (
    <>
      <button type="button">Today</button>
      <section key={date} aria-label={date}>
        {cars.map((id) => (
          <button key={id} type="button" data-stop={id}>
            {id}
          </button>
        ))}
      </section>
    </>
  )
}

const car = (id: string) => page.getByRole('button', { name: id })
const today = () => page.getByRole('button', { name: 'Today' })

test('Who closes the panel of a car is back at the car', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await expect.element(car('maria')).toHaveFocus()
})

test('A car that is drawn on another day a moment after its panel was closed has the focus there', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await rerender(<Day date="Friday" cars={[]} />)
  await rerender(<Day date="Friday" />)
  await expect.element(car('maria')).toHaveFocus()
})

test('What the browser gave the focus to while the car was nowhere does not keep it', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  today().element().focus()
  await rerender(<Day date="Friday" cars={[]} />)
  await rerender(<Day date="Friday" />)
  await expect.element(car('maria')).toHaveFocus()
})

test('Who presses something while the car is nowhere is not called back', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Friday" cars={[]} />)
  await today().click()
  await rerender(<Day date="Friday" />)
  await expect.element(today()).toHaveFocus()
})

test('Who has gone elsewhere meanwhile is not called back', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await car('sam').click()
  await rerender(<Day date="Tuesday" cars={['sam']} />)
  await rerender(<Day date="Tuesday" cars={['sam', 'maria']} />)
  await expect.element(car('sam')).toHaveFocus()
})
