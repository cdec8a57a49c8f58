import { startRegistration } from '@simplewebauthn/browser'
import type { joinEndpoints } from '#contracts/join.ts'

type Options = Parameters<typeof startRegistration>[0]['optionsJSON']

/**
 * The paths of the endpoints with which an invited person creates a passkey. The script does not import the endpoints,
 * because their schemas would load the validation library zod.
 */
const startPath: (typeof joinEndpoints.start)['path'] = '/api/admin/join/options'
const finishPath: (typeof joinEndpoints.finish)['path'] = '/api/admin/join'

const noResponse = 'The server did not respond. Try again.'

/** Shows the form with which an invited person creates a passkey, and accepts the invitation with the passkey. */
export function showPasskeyForm(form: HTMLFormElement): void {
  const button = form.querySelector('button')
  const name = form.querySelector('input')
  const problem = form.querySelector('.field-error')
  if (!button || !name || !problem) return
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (button.disabled) return
    void accept()
  })
  form.hidden = false

  async function accept() {
    if (!button || !name || !problem) return
    problem.textContent = ''
    if (name.value.trim() === '') {
      problem.textContent = 'Please enter a name.'
      return name.focus()
    }
    const label = button.textContent
    button.disabled = true
    button.textContent = 'Waiting for your device…'
    const refusal = await joinWithPasskey(name.value)
    if (refusal === undefined) return showJoined()
    problem.textContent = refusal
    button.disabled = false
    button.textContent = label
    button.focus()
  }
}

/**
 * Accepts the invitation with a new passkey. Returns the reason of a failure; undefined when the person is signed in.
 */
async function joinWithPasskey(name: string): Promise<string | undefined> {
  const token = window.location.pathname.split('/').at(-1) ?? ''
  const started = await post(startPath, { token })
  if (!started.ok || !started.options) return started.message || noResponse
  const answer = await askDevice(started.options)
  if (!answer) {
    return 'No passkey was created. The invitation link still works. Try again, or use a password.'
  }
  const finished = await post(finishPath, { token, name, answer })
  return finished.ok ? undefined : finished.message || noResponse
}

type Reply = {
  readonly ok?: boolean
  readonly message?: string
  readonly options?: { readonly challenge: string }
}

async function post(path: string, fields: object): Promise<Reply> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
    const reply: Reply = await response.json()
    return reply
  } catch {
    return {}
  }
}

async function askDevice(options: { readonly challenge: string }) {
  try {
    const { id, rawId, type, response } = await startRegistration({
      optionsJSON: options as Options,
    })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject, transports },
    }
  } catch {
    // The person cancelled the device's passkey dialog, or the device cannot verify its user.
    return undefined
  }
}

function showJoined() {
  const template = document.querySelector<HTMLTemplateElement>('template[data-joined]')
  const main = document.querySelector('main')
  if (!template || !main) return
  main.replaceChildren(template.content)
  const heading = main.querySelector('h1')
  document.title = heading?.textContent ?? document.title
  heading?.focus()
}
