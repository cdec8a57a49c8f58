/**
 * Applies the web font once it is loaded. A new layout of a long page in one step would block a phone for longer than
 * the response to a tap may take. The browser therefore skips the parts below the window (`content-visibility`) at
 * their old height, and lays out one part per animation frame.
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
