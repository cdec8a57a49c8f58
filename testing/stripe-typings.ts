import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/**
 * Checks JSON against the SDK's own declarations (node_modules/stripe/esm/resources): every required
 * field is there with its type, no field is there that the declarations do not know, and enums only
 * have the values they list (their `OtherString` escape is for the future, not for us).
 */
type Statement = ReturnType<typeof parseSync>['program']['body'][number]
type Interface = Extract<Statement, { type: 'TSInterfaceDeclaration' }>
type Alias = Extract<Statement, { type: 'TSTypeAliasDeclaration' }>
type Type = Alias['typeAnnotation']
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
type Scope = { readonly file: File; readonly namespace: readonly string[] }
type Found = { readonly declaration: Interface | Alias; readonly scope: Scope }

const resources = resolve(dirname(fileURLToPath(import.meta.resolve('stripe'))), 'resources')
const files = new Map<string, File>()

/** What is wrong with an answer of the API, a sentence each; nothing when it fits the SDK's typings. */
export function problemsOf(answer: unknown): string[] {
  if (!isObject(answer)) return ['The answer is no object']
  if (answer['object'] === 'list' || answer['object'] === 'search_result')
    return problemsOfPage(answer)
  const [path, name] = declarationOf(answer)
  const file = load(`${path}.d.ts`)
  const found = find([name], { file, namespace: [] })
  return found ? checkDeclared(answer, found, name) : [`${name} is not declared`]
}

function problemsOfPage(page: Record<string, unknown>): string[] {
  const shape =
    page['object'] === 'list'
      ? ['data', 'has_more', 'object', 'url']
      : ['data', 'has_more', 'next_page', 'object', 'url']
  const keys = Object.keys(page).toSorted()
  const wrong =
    keys.join() === shape.join() && typeof page['has_more'] === 'boolean'
      ? []
      : [`A page has ${keys.join(', ')}`]
  return [
    ...wrong,
    ...(Array.isArray(page['data']) ? page['data'].flatMap(problemsOf) : ['A page has no data']),
  ]
}

const declared: Record<string, [file: string, name: string]> = {
  customer: ['Customers', 'Customer'],
  invoice: ['Invoices', 'Invoice'],
  invoiceitem: ['InvoiceItems', 'InvoiceItem'],
  line_item: ['InvoiceLineItems', 'InvoiceLineItem'],
  invoice_payment: ['InvoicePayments', 'InvoicePayment'],
  'checkout.session': ['Checkout/Sessions', 'Session'],
  item: ['LineItems', 'LineItem'],
  payment_intent: ['PaymentIntents', 'PaymentIntent'],
  charge: ['Charges', 'Charge'],
  refund: ['Refunds', 'Refund'],
}

function declarationOf(answer: Record<string, unknown>): [file: string, name: string] {
  if (answer['deleted'] === true) return ['Invoices', 'DeletedInvoice']
  if (answer['object'] === 'event') return ['Events', eventName(String(answer['type']))]
  return declared[String(answer['object'])] ?? ['', String(answer['object'])]
}

/** The declaration of the event whose `type` is this one. */
function eventName(type: string): string {
  for (const [name, declaration] of load('Events.d.ts').declarations) {
    if (declaration.type !== 'TSInterfaceDeclaration') continue
    const own = declaration.body.body.find((signature) => keyOf(signature) === 'type')
    const literal =
      own?.type === 'TSPropertySignature' ? own.typeAnnotation?.typeAnnotation : undefined
    if (literal?.type !== 'TSLiteralType' || !('value' in literal.literal)) continue
    if (literal.literal.value === type) return name
  }
  return type
}

function load(path: string): File {
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

function find(name: readonly string[], scope: Scope): Found | undefined {
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

function checkDeclared(value: unknown, found: Found, at: string): string[] {
  const { declaration, scope } = found
  if (declaration.type === 'TSTypeAliasDeclaration')
    return check(value, declaration.typeAnnotation, scope, at)
  const signatures = inherited(declaration, scope)
  return checkSignatures(value, signatures, at)
}

type Placed = { readonly signature: Signature; readonly scope: Scope }

/** The interface's own signatures, and those of what it extends where it does not repeat them. */
function inherited(declaration: Interface, scope: Scope): Placed[] {
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

function checkSignatures(value: unknown, signatures: readonly Placed[], at: string): string[] {
  if (!isObject(value)) return [`${at} is ${JSON.stringify(value)} instead of an object`]
  const rest = signatures.find(({ signature }) => signature.type === 'TSIndexSignature')
  const known = new Set(signatures.map(({ signature }) => keyOf(signature)))
  const unknown = Object.keys(value).filter((key) => !known.has(key))
  const extra = rest ? [] : unknown.map((key) => `${at}.${key} is not in the typings`)
  const wrong = signatures.flatMap(({ signature, scope }) => {
    if (signature.type !== 'TSPropertySignature' || !signature.typeAnnotation) return []
    const key = keyOf(signature) ?? ''
    if (value[key] === undefined) return signature.optional ? [] : [`${at}.${key} is missing`]
    return check(value[key], signature.typeAnnotation.typeAnnotation, scope, `${at}.${key}`)
  })
  return [...extra, ...wrong]
}

function check(value: unknown, type: Type, scope: Scope, at: string): string[] {
  const verdict = (fits: boolean, wanted: string) =>
    fits ? [] : [`${at} is ${JSON.stringify(value)?.slice(0, 80)} instead of ${wanted}`]
  switch (type.type) {
    case 'TSStringKeyword':
      return verdict(typeof value === 'string', 'a string')
    case 'TSNumberKeyword':
      return verdict(typeof value === 'number' && Number.isFinite(value), 'a number')
    case 'TSBooleanKeyword':
      return verdict(typeof value === 'boolean', 'a boolean')
    case 'TSNullKeyword':
      return verdict(value === null, 'null')
    case 'TSLiteralType':
      return verdict('value' in type.literal && value === type.literal.value, 'a listed value')
    case 'TSUnionType':
      return checkUnion(value, type.types, scope, at)
    case 'TSArrayType':
      return checkItems(value, type.elementType, scope, at)
    case 'TSTypeLiteral':
      return checkSignatures(
        value,
        type.members.map((signature) => ({ signature, scope })),
        at,
      )
    case 'TSTypeReference':
      return checkReference(value, type, scope, at)
    default:
      return [`${at} has a type that this check does not know: ${type.type}`]
  }
}

/** The complaints of the alternative that fits best. */
function checkUnion(value: unknown, types: readonly Type[], scope: Scope, at: string): string[] {
  const complaints = types.map((type) => check(value, type, scope, at))
  return (
    complaints.toSorted(
      (left, right) => left.length - right.length || weight(right) - weight(left),
    )[0] ?? []
  )
}

// Of equally many complaints, one about a field inside says more than "not a string".
const weight = (complaints: readonly string[]) => complaints[0]?.split('.').length ?? 0

function checkItems(value: unknown, type: Type, scope: Scope, at: string): string[] {
  if (!Array.isArray(value)) return [`${at} is no list`]
  return value.flatMap((item, position) => check(item, type, scope, `${at}.${position}`))
}

function checkReference(
  value: unknown,
  type: Extract<Type, { type: 'TSTypeReference' }>,
  scope: Scope,
  at: string,
): string[] {
  const name = partsOf(type.typeName)
  const [argument] = type.typeArguments?.params ?? []
  if (name[0] === 'OtherString')
    return [`${at} is ${JSON.stringify(value)}, which is not a listed value`]
  if (name[0] === 'Decimal') {
    return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
      ? []
      : [`${at} is no decimal in a string`]
  }
  if (name[0] === 'Array' && argument) return checkItems(value, argument, scope, at)
  if (name[0] === 'ApiList' && argument) return checkList(value, argument, scope, at)
  const found = find(name, scope)
  return found
    ? checkDeclared(value, found, at)
    : [`${at} has the type ${name.join('.')}, which was not found`]
}

function checkList(value: unknown, type: Type, scope: Scope, at: string): string[] {
  if (!isObject(value)) return [`${at} is no list`]
  const keys = Object.keys(value).toSorted().join()
  const shape =
    keys === 'data,has_more,object,url' && value['object'] === 'list'
      ? []
      : [`${at} is a list of ${keys}`]
  return [...shape, ...checkItems(value['data'], type, scope, `${at}.data`)]
}

/** `Event.Data` as its parts, in a type as well as behind `extends`. */
function partsOf(name: Name | Interface['extends'][number]['expression']): string[] {
  if (name.type === 'TSQualifiedName') return [...partsOf(name.left), name.right.name]
  if (name.type === 'MemberExpression' && name.property.type === 'Identifier') {
    return [...partsOf(name.object), name.property.name]
  }
  if (name.type === 'Identifier') return [name.name]
  throw new Error(
    `A name in the typings is written in a way this check does not know: ${name.type}`,
  )
}

function keyOf(signature: Signature): string | undefined {
  if (signature.type !== 'TSPropertySignature') return undefined
  if (signature.key.type === 'Identifier') return signature.key.name
  return signature.key.type === 'Literal' ? String(signature.key.value) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
