import type { Endpoint, Reader } from '#contracts/api/endpoint.ts'

type FormToken = { readonly ok: true; readonly token: string }

/** A validator without zod, so that the two public forms that request a form token do not load the 7 kB of zod. */
const formToken: Reader<FormToken> = {
  safeParse(value) {
    const { token }: { token?: unknown } = Object(value)
    return typeof token === 'string'
      ? { success: true, data: { ok: true, token } }
      : { success: false }
  },
}

/**
 * Returns a signed token, which a public form sends back on submission; the server computes from the token how long the
 * visitor took to fill in the form.
 */
export const formTokenEndpoint = {
  method: 'GET',
  path: '/api/form-token',
  rights: 'public',
  response: formToken,
} satisfies Endpoint
