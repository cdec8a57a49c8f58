import {
  find,
  type Found,
  inherited,
  keyOf,
  load,
  partsOf,
  type Placed,
  type Scope,
  type Type,
} from './stripe-declarations.ts'

/**
 * What is wrong with an answer of the API, a sentence each; nothing when it fits the SDK's typings:
 * every required field is there with its type, no field is there that they do not know, and enums
 * only have the values they list (their `OtherString` escape is for the future, not for us).
 */
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

function checkDeclared(value: unknown, found: Found, at: string): string[] {
  const { declaration, scope } = found
  if (declaration.type === 'TSTypeAliasDeclaration')
    return check(value, declaration.typeAnnotation, scope, at)
  const signatures = inherited(declaration, scope)
  return checkSignatures(value, signatures, at)
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
