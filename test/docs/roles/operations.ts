import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql'

/** A root field of the admin schema, and a valid operation that asks for it alone. */
export interface RootField {
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly name: string
  readonly operation: string
}

/** Every root field, in the order of kinds and names. */
export function rootFields(schema: GraphQLSchema): RootField[] {
  const kinds = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
  return kinds.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {})
      .map((field) => ({ kind, name: field.name, operation: `${kind} { ${selectionOf(field)} }` }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  )
}

function selectionOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = argumentsOf(args)
  return `${name}${given && `(${given})`}${isLeafType(getNamedType(type)) ? '' : ' { __typename }'}`
}

/** The required ones, and the key: `binding` without one is for admins. */
function argumentsOf(args: readonly GraphQLArgument[]): string {
  return args
    .filter(
      ({ name, type, defaultValue }) =>
        name === 'keyId' || (isNonNullType(type) && defaultValue === undefined),
    )
    .map(({ name, type }) => `${name}: ${valueOf(type)}`)
    .join(', ')
}

const scalars: Readonly<Record<string, string>> = {
  Int: '1',
  Float: '1',
  Boolean: 'true',
  Count: '1',
  Amount: '1',
  JSON: '{}',
  DateTime: '"2100-01-01T00:00:00Z"',
}

/** A valid value. Its ids name nothing. */
function valueOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return valueOf(type.ofType)
  if (isListType(type)) return `[${valueOf(type.ofType)}]`
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null'
  if (!isInputObjectType(type)) return scalars[type.name] ?? '"nothing"'
  const fields = Object.values(type.getFields())
  if (!type.isOneOf) return `{ ${argumentsOf(fields as unknown as GraphQLArgument[])} }`
  const [first] = fields
  return first ? `{ ${first.name}: ${valueOf(first.type)} }` : '{}'
}
