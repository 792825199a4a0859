import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql'

const backwards: ReadonlySet<string> = new Set(['before', 'last'])

/**
 * Takes the arguments that read a connection backwards out of a schema: the pages of the stores go forwards
 * only, and an argument that nothing obeys would answer with the wrong page.
 */
export function readForwards(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (!getNamedType(field.type).name.endsWith('Connection')) continue
      field.args = field.args.filter(({ name }) => !backwards.has(name))
    }
  }
  return schema
}
