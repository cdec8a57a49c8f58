/**
 * Switches the page to the web font after the font has loaded. A new layout of a long page in one step would block a
 * phone for too long to respond to a tap. With `content-visibility`, the browser therefore first skips the parts of the
 * page below the window and keeps their old height. Then it lays out one part per animation frame.
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
