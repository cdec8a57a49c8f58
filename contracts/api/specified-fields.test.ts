import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from './endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { specifiedFields } from './specified-fields.ts'

/** Returns the names of all fields in a JSON schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsOf)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) =>
    keyword === 'properties'
      ? Object.keys(Object(value)).concat(fieldsOf(Object.values(Object(value))))
      : fieldsOf(value),
  )
}

const isSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value

const schemasOf = ({ request, response }: Endpoint) => [request, response].filter(isSchema)

function fieldsOfEndpoint(endpoint: Endpoint): string[] {
  return schemasOf(endpoint).flatMap((schema) =>
    fieldsOf(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' })),
  )
}

const camelCase = /^[a-z0-9][a-zA-Z0-9]*$/

it.each(endpoints)(
  '$method $path names its fields in camelCase or as the specification names them',
  (endpoint) => {
    const others = fieldsOfEndpoint(endpoint).filter((name) => !camelCase.test(name))
    expect(others.filter((name) => !(name in specifiedFields))).toEqual([])
  },
)

it('the list of specified fields contains only fields of existing endpoints', () => {
  const all = new Set(endpoints.flatMap(fieldsOfEndpoint))
  expect(Object.keys(specifiedFields).filter((name) => !all.has(name))).toEqual([])
})

it('the check of field names includes the fields inside nested objects, lists and union types', () => {
  const nested = z.object({
    rows: z.array(z.union([z.object({ bad_name: z.nullable(z.string()) }), z.null()])),
  })
  expect(fieldsOf(z.toJSONSchema(nested))).toEqual(['rows', 'bad_name'])
})

it('only the response of /api/form-token is validated without zod, because the pages of public forms do not load zod', () => {
  const guarded = endpoints.filter(({ response }) => response && !isSchema(response))
  expect(guarded.map(({ path }) => path)).toEqual(['/api/form-token'])
})
