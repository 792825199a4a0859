import { type GraphQLField, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'

import { isOfAct } from '../act.ts'

/**
 * The fields of a schema that `known` lacks and that nothing decides who may read: root fields without
 * `authScopes`, and other fields where neither they nor their type has any. Pothos permits such fields to all.
 */
export function undecided(schema: GraphQLSchema, known?: GraphQLSchema): string[] {
  const roots: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription'])
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || !(isObjectType(type) || isInterfaceType(type))) return []
    const before = known?.getType(type.name)
    const knownFields = before && 'getFields' in before ? before.getFields() : {}
    const isRoot = roots.has(type.name)
    const isOfType = !isRoot && isDecision(type)
    return Object.values(type.getFields())
      .filter(({ name }) => !(name in knownFields))
      .filter((field) => !isDecision(field) && !(isOfType && !skipsType(field)))
      .filter((field) => isRoot || !isStructural(type.name, field))
      .map(({ name }) => `${type.name}.${name}`)
  })
}

/** The mutations of a schema that `known` lacks and that leave no audit record. */
export function unaudited(schema: GraphQLSchema, known?: GraphQLSchema): string[] {
  const before = known?.getMutationType()?.getFields() ?? {}
  return Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(({ name, extensions }) => !(name in before) && !isOfAct(extensions['audit']))
    .map(({ name }) => `Mutation.${name}`)
}

/** The options of a type or a field, as Pothos keeps them. */
interface Noted {
  readonly extensions?: unknown
}

function optionsOf({ extensions }: Noted): Readonly<Record<string, unknown>> {
  const { pothosOptions } = Object(extensions) as { pothosOptions?: unknown }
  return Object(pothosOptions) as Record<string, unknown>
}

/** A function decides; an object without a scope does not. */
function isDecision(noted: Noted): boolean {
  const { authScopes } = optionsOf(noted)
  if (typeof authScopes === 'function') return true
  const scopes = Object.values(Object(authScopes) as Record<string, unknown>)
  return scopes.some((scope) => Boolean(scope))
}

function skipsType(field: Noted): boolean {
  return optionsOf(field).skipTypeScopes === true
}

/** Edges and pages of connections: they lead to nodes, whose type decides. */
function isStructural(
  type: string,
  { name }: Pick<GraphQLField<unknown, unknown>, 'name'>,
): boolean {
  if (type.endsWith('Edge')) return name === 'node' || name === 'cursor'
  return type.endsWith('Connection') && (name === 'edges' || name === 'pageInfo')
}
