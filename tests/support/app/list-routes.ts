import type { FastifyInstance } from 'fastify'

export type ListedRoute = { readonly method: string; readonly path: string }

/** Every route of an app, parsed from the tree that Fastify prints; HEAD belongs to GET. */
export function listRoutes(app: FastifyInstance): ListedRoute[] {
  const parents: string[] = []
  return app
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
      const depth = indent.length / 4
      parents.length = depth
      parents.push(part)
      const path = parents.join('')
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        .map((method) => ({ method, path }))
    })
}
