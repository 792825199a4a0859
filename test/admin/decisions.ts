import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'

/** The part of Pothos' extensions that says who may see a type or a field. */
interface Options {
  readonly pothosOptions?: { readonly authScopes?: unknown }
}

/**
 * The root fields, types and fields of a schema for which it is not decided who may see them: a root
 * field decides for itself, another field by itself or by its type.
 */
export function undecided(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || !(isObjectType(type) || isInterfaceType(type))) return []
    const isRoot = roots.some((root) => root === type)
    const decidesForFields = !isRoot && isDecided(type.extensions)
    const fields = Object.values(type.getFields()).filter(
      ({ extensions }) => !decidesForFields && !isDecided(extensions),
    )
    return [
      ...(isRoot || decidesForFields ? [] : [type.name]),
      ...fields.map(({ name }) => `${type.name}.${name}`),
    ]
  })
}

/** A function decides; a map decides if it requires a role. */
function isDecided({ pothosOptions }: Options): boolean {
  const scopes = pothosOptions?.authScopes
  if (typeof scopes === 'function') return true
  return Object.values(Object(scopes) as object).includes(true)
}
