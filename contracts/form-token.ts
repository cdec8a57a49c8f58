import type { Endpoint, Reader } from '#contracts/api/endpoint.ts'

type FormToken = { readonly ok: true; readonly token: string }

/** Written without zod, because the two public forms that request a token load without it (7 kB). */
const formToken: Reader<FormToken> = {
  safeParse(value) {
    const { token } = Object(value) as { token?: unknown }
    return typeof token === 'string'
      ? { success: true, data: { ok: true, token } }
      : { success: false }
  },
}

/** A signed token that a public form submits, from which the server computes how long the form was open. */
export const formTokenEndpoint = {
  method: 'GET',
  path: '/api/form-token',
  response: formToken,
} satisfies Endpoint
