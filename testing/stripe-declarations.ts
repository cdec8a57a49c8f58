import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/** The SDK's declarations (node_modules/stripe/esm/resources) as syntax trees, found by name. */
type Statement = ReturnType<typeof parseSync>['program']['body'][number]
type Interface = Extract<Statement, { type: 'TSInterfaceDeclaration' }>
type Alias = Extract<Statement, { type: 'TSTypeAliasDeclaration' }>
export type Type = Alias['typeAnnotation']
type Signature = Interface['body']['body'][number]
type Name = Extract<Type, { type: 'TSTypeReference' }>['typeName']

type File = {
  readonly path: string
  /** Interfaces and aliases by dotted name, for example `Invoice.AutomaticTax`. */
  readonly declarations: Map<string, Interface | Alias>
  /** Local names of imports: the file they come from and their name there. */
  readonly imports: Map<string, { readonly path: string; readonly name: string }>
}
/** Where a type is written: names are looked up from the innermost namespace outwards. */
export type Scope = { readonly file: File; readonly namespace: readonly string[] }
export type Found = { readonly declaration: Interface | Alias; readonly scope: Scope }

const resources = resolve(dirname(fileURLToPath(import.meta.resolve('stripe'))), 'resources')
const files = new Map<string, File>()

export function load(path: string): File {
  const known = files.get(path)
  if (known) return known
  const file: File = { path, declarations: new Map(), imports: new Map() }
  files.set(path, file)
  const absolute = resolve(resources, path)
  if (existsSync(absolute)) {
    const { program } = parseSync(absolute, readFileSync(absolute, 'utf8'))
    for (const statement of program.body) index(statement, file, [])
  }
  return file
}

function index(statement: Statement, file: File, namespace: readonly string[]): void {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
    index(statement.declaration, file, namespace)
  } else if (
    statement.type === 'TSInterfaceDeclaration' ||
    statement.type === 'TSTypeAliasDeclaration'
  ) {
    file.declarations.set([...namespace, statement.id.name].join('.'), statement)
  } else if (statement.type === 'TSModuleDeclaration' && statement.id.type === 'Identifier') {
    const inner = [...namespace, statement.id.name]
    for (const child of statement.body?.body ?? []) index(child, file, inner)
  } else if (
    statement.type === 'ImportDeclaration' ||
    statement.type === 'ExportNamedDeclaration'
  ) {
    if (!statement.source) return
    const path = resolve(
      resources,
      dirname(file.path),
      statement.source.value.replace(/\.js$/, '.d.ts'),
    )
    for (const specifier of statement.specifiers) {
      const [from, to] =
        specifier.type === 'ExportSpecifier'
          ? [specifier.local, specifier.exported]
          : specifier.type === 'ImportSpecifier'
            ? [specifier.imported, specifier.local]
            : []
      if (from?.type !== 'Identifier' || to?.type !== 'Identifier') continue
      file.imports.set(to.name, { path, name: from.name })
    }
  }
}

export function find(name: readonly string[], scope: Scope): Found | undefined {
  const { file, namespace } = scope
  for (let depth = namespace.length; depth >= 0; depth -= 1) {
    const full = [...namespace.slice(0, depth), ...name]
    const declaration = file.declarations.get(full.join('.'))
    if (declaration) return { declaration, scope: { file, namespace: full } }
  }
  const [first = '', ...rest] = name
  const imported = file.imports.get(first)
  // `Checkout.Session`: the folder's index is the namespace and exports its files' types again.
  if (!imported && rest.length > 0 && file.path.endsWith('index.d.ts')) return find(rest, scope)
  return imported && find([imported.name, ...rest], { file: load(imported.path), namespace: [] })
}

export type Placed = { readonly signature: Signature; readonly scope: Scope }

/** The interface's own signatures, and those of what it extends where it does not repeat them. */
export function inherited(declaration: Interface, scope: Scope): Placed[] {
  const own = declaration.body.body.map((signature) => ({ signature, scope }))
  const names = new Set(own.map(({ signature }) => keyOf(signature)))
  const parents = declaration.extends.flatMap(({ expression }) => {
    const found = find(partsOf(expression), scope)
    return found?.declaration.type === 'TSInterfaceDeclaration'
      ? inherited(found.declaration, found.scope)
      : []
  })
  return [...own, ...parents.filter(({ signature }) => !names.has(keyOf(signature)))]
}

/** `Event.Data` as its parts, in a type as well as behind `extends`. */
export function partsOf(name: Name | Interface['extends'][number]['expression']): string[] {
  if (name.type === 'TSQualifiedName') return [...partsOf(name.left), name.right.name]
  if (name.type === 'MemberExpression' && name.property.type === 'Identifier') {
    return [...partsOf(name.object), name.property.name]
  }
  if (name.type === 'Identifier') return [name.name]
  throw new Error(
    `A name in the typings is written in a way this check does not know: ${name.type}`,
  )
}

export function keyOf(signature: Signature): string | undefined {
  if (signature.type !== 'TSPropertySignature') return undefined
  if (signature.key.type === 'Identifier') return signature.key.name
  return signature.key.type === 'Literal' ? String(signature.key.value) : undefined
}

/** The names of an interface's fields, for example those that a call takes as parameters. */
export function declaredNames(path: string, name: string): string[] {
  const found = find(name.split('.'), { file: load(`${path}.d.ts`), namespace: [] })
  if (found?.declaration.type !== 'TSInterfaceDeclaration')
    throw new Error(`${name} is not declared`)
  return inherited(found.declaration, found.scope).flatMap(
    ({ signature }) => keyOf(signature) ?? [],
  )
}
