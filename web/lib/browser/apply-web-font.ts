/**
 * Switches the page to the web font after the font has loaded. If a phone laid out a long page with the new font in one
 * step, the page could not respond to taps in the meantime. With `content-visibility`, the browser therefore first
 * skips the parts of the page below the window and keeps their old height. Then the browser lays out one part per
 * animation frame.
 */
export async function applyWebFont(face: Promise<FontFace | undefined>): Promise<void> {
  const arrived = await face
  if (!arrived) return
  const waiting = partsBelowWindow()
  for (const { element, height } of waiting) {
    element.style.containIntrinsicHeight = `${height}px`
    element.style.contentVisibility = 'auto'
  }
  document.fonts.add(arrived)
  document.documentElement.dataset['face'] = ''
  for (const { element } of waiting) {
    await new Promise(requestAnimationFrame)
    element.style.containIntrinsicHeight = ''
    element.style.contentVisibility = ''
  }
}

function partsBelowWindow() {
  const parts = [...document.querySelectorAll<HTMLElement>('main > *, footer')].map((element) => {
    const { top, height } = element.getBoundingClientRect()
    return { element, top, height }
  })
  return parts.filter(({ top }) => top > innerHeight)
}
