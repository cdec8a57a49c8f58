import { showPasskeyForm } from './join-with-passkey.ts'
import { enhancePage as enhanceVisitPage } from './visit-page/enhance-visit-page.ts'

/** The script of the invitation page. Without JavaScript, the invited person can only choose a password. */
export function enhancePage(face: Promise<FontFace | undefined>, onAwake: () => void): void {
  enhanceVisitPage(face, onAwake)
  const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
  if (form) showPasskeyForm(form)
}
