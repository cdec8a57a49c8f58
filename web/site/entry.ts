import { replayFirstClick } from './replay-first-click.ts'
import fontUrl from '#web/fonts/archivo-site.woff2'
import '#web/styles/site.css'

/** The page's own code: hydrate.tsx, or enhance-visit-page.ts where the server rendered the page. */
type PageModule = {
  readonly enhancePage: (
    face: Promise<FontFace | undefined>,
    onAwake: () => void,
  ) => void | Promise<void>
}

/**
 * The public pages' first script, small on purpose: the HTML is readable as it is, so it is painted before
 * the rest of the code takes the processor, and what is pressed meanwhile is kept.
 */
async function wake() {
  const press = replayFirstClick()
  await firstPaint()
  const face = loadFace()
  const [pageModule = '', ...others] = modulesOfPage()
  for (const module of others) preload(module)
  try {
    const { enhancePage }: PageModule = await import(/* @vite-ignore */ pageModule)
    await enhancePage(face, () => {
      document.documentElement.dataset['awake'] = ''
      press.again()
    })
  } catch (error) {
    press.release()
    throw error
  }
}

/**
 * The face that styles/fonts.css has for pages without scripts: here it does not hold the first paint up. The page is
 * set in it once it is loaded: a face still on its way would have it laid out once more. If it does not come, the
 * fallback stays.
 */
function loadFace(): Promise<FontFace | undefined> {
  const descriptors = { weight: '400 800', stretch: '100% 125%' }
  const face = new FontFace('Archivo TT', `url(${fontUrl})`, descriptors)
  return face.load().catch(() => undefined)
}

/** What the build wrote beside this script: what takes the page over, and what that and the page import. */
function modulesOfPage(): string[] {
  return document.querySelector<HTMLElement>('[data-modules]')?.dataset['modules']?.split(' ') ?? []
}

/** All at once: else each file would be asked for when the one before it has been read. */
function preload(module: string) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = module
  document.head.append(link)
}

function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe({ type: 'paint', buffered: true })
    // A tab in the background paints nothing.
    setTimeout(resolve, 500)
  })
}

void wake()
