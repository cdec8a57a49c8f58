import { expect, it } from 'vitest'
import { findTypeErrors, typesOf } from './conformance/check-value-types.ts'
import { apiRoutes } from './routes.ts'

it('every route of the sandbox accepts only parameters that the types of the SDK declare', async () => {
  const claims = apiRoutes.map(({ method, path, params }) => {
    const call = `${method} ${path.slice(1).join('/')}`
    return {
      value: params,
      type: `${typesOf('stripe-params.ts')}.ParamNames<'${call}'>`,
    }
  })
  expect(await findTypeErrors(claims)).toEqual([])
})
