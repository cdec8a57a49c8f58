import type { Endpoint, Reader } from '#contracts/api/endpoint.ts'

type FormToken = { readonly ok: true; readonly token: string }

/** By hand: the two public forms, which ask for it, come without the schemas' library (7 kB). */
const formToken: Reader<FormToken> = {
  safeParse(value) {
    const { token } = Object(value) as { token?: unknown }
    return typeof token === 'string'
      ? { success: true, data: { ok: true, token } }
      : { success: false }
  },
}

/** What a public form sends along, so that its age can be told. */
export const formTokenEndpoint = {
  method: 'GET',
  path: '/api/form-token',
  response: formToken,
} satisfies Endpoint
