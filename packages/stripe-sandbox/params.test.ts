import { expect, it } from 'vitest'
import { findTypeErrors } from './conformance/check-value-types.ts'
import { apiRoutes } from './routes.ts'

it('a route takes only parameters that the typings of the SDK declare', async () => {
  const claims = apiRoutes.map(({ method, path, params }) => {
    const call = `${method} ${path.slice(1).join('/')}`
    return {
      value: params,
      type: `import('#packages/stripe-sandbox/conformance/stripe-params.ts').ParamNames<'${call}'>`,
    }
  })
  expect(await findTypeErrors(claims)).toEqual([])
})
