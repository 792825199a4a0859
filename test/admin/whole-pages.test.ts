import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  type GraphQLField,
  type GraphQLObjectType,
  buildSchema,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { expect, test } from 'vitest'

import { repository } from '../docs/pages.ts'
import { startAdminGateway } from './admin-gateway.ts'

const schema = buildSchema(readFileSync(join(repository, 'schema.graphql'), 'utf8'))

function fieldsOf(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields())
}

function objectOf({ type }: GraphQLField<unknown, unknown>): GraphQLObjectType | undefined {
  const named = getNamedType(type)
  return isObjectType(named) ? named : undefined
}

function plainMembers(type: GraphQLObjectType): string[] {
  return fieldsOf(type).flatMap((field) =>
    isLeafType(getNamedType(field.type)) ? [field.name] : [],
  )
}

/** The fields of Query that have pages, each with the type of its nodes. */
const lists = fieldsOf(schema.getQueryType()!).flatMap((field) => {
  const edges = objectOf(field)?.getFields()['edges']
  const node = edges && objectOf(edges)?.getFields()['node']
  const type = node && objectOf(node)
  return type ? [{ name: field.name, type }] : []
})

test('a console may ask for all plain members of the largest page of each list', async () => {
  await using gateway = await startAdminGateway()
  expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(['accounts', 'keys']))
  for (const { name, type } of lists) {
    const members = plainMembers(type).join(' ')
    const page = `edges { cursor node { ${members} } } pageInfo { hasNextPage endCursor }`
    const { errors } = await gateway.graph(`{ ${name}(first: 100) { ${page} } }`)
    expect([name, errors]).toEqual([name, []])
  }
})

/** All members of a type and of its bounded lists, without what has a list of its own. */
function whole(type: GraphQLObjectType, within: readonly GraphQLObjectType[] = []): string {
  return fieldsOf(type)
    .map((field) => {
      if (field.args.some(({ type: argument }) => isNonNullType(argument))) return ''
      const inner = objectOf(field)
      if (!inner) return isLeafType(getNamedType(field.type)) ? field.name : ''
      const isListed = 'edges' in inner.getFields() || lists.some((one) => one.type === inner)
      const isSeen = within.includes(inner) || inner === type || isListed
      return isSeen ? '' : `${field.name} { ${whole(inner, [...within, type])} }`
    })
    .join(' ')
}

test.each(lists)(
  'a console may ask for 50 $name with all that they have',
  async ({ name, type }) => {
    await using gateway = await startAdminGateway()
    const { errors } = await gateway.graph(
      `{ ${name}(first: 50) { edges { cursor node { ${whole(type)} } } pageInfo { hasNextPage endCursor } } }`,
    )
    expect(errors).toEqual([])
  },
)
