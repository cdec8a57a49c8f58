/**
 * Sets the page in the face it was drawn for, once that is here. To set a whole long page anew takes a phone longer
 * than a finger waits: what is not seen yet is left out, keeps its height meanwhile, and follows part by part.
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
