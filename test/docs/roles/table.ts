import { type GraphQLSchema, execute, parse, subscribe, validate } from 'graphql'

import type { AdminContext } from '../../../src/admin/context.ts'
import { type Role, roles } from '../../../src/admin/roles.ts'
import { type RootField, rootFields } from './operations.ts'

/** The name of the table in `docs/admin.md`. */
export const rolesRegion = 'roles'

/** The root fields that each role may use, by running each of them without a gateway behind. */
export async function permissions(
  schema: GraphQLSchema,
): Promise<{ field: RootField; permitted: readonly Role[] }[]> {
  return Promise.all(
    rootFields(schema).map(async (field) => {
      const answers = await Promise.all(roles.map((role) => mayUse(schema, field, role)))
      return { field, permitted: roles.filter((_, index) => answers[index]) }
    }),
  )
}

async function mayUse(schema: GraphQLSchema, field: RootField, role: Role): Promise<boolean> {
  const document = parse(field.operation)
  const mistakes = validate(schema, document)
  if (mistakes.length > 0) throw new Error(`${field.operation}: ${mistakes.join('; ')}`)
  const run = field.kind === 'subscription' ? subscribe : execute
  const result = await run({ schema, document, contextValue: contextOf(role), rootValue: {} })
  if (Symbol.asyncIterator in result) {
    await result.return?.(undefined)
    return true
  }
  const { errors = [] } = result
  return !errors.some(({ extensions }) => extensions['code'] === 'FORBIDDEN')
}

/** The context of a role. A resolver that is reached finds no service, so that no act happens. */
function contextOf(role: Role): AdminContext {
  const services = new Proxy({} as AdminContext['services'], {
    get() {
      throw new Error('The resolver is reached.')
    },
  })
  const principal = { kind: 'token', id: role, role } as const
  const request = { requestId: 'req', address: '', agent: '', deniedFields: [] }
  return {
    principal,
    authState: async () => principal,
    services,
    ...request,
    incomplete: [],
  }
}

const titles = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }

/** The permissions as a table. */
export async function renderRoles(schema: GraphQLSchema): Promise<string> {
  const rows = (await permissions(schema)).map(({ field: { kind, name }, permitted }) => {
    const cells = roles.map((role) => (permitted.includes(role) ? 'yes' : '-'))
    return `| ${titles[kind]} | \`${name}\` | - | ${cells.join(' | ')} |`
  })
  return [
    `| root | field | nobody | ${roles.join(' | ')} |`,
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
