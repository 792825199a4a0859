import { addAct } from '../act.ts'
import type { AdminBuilder } from '../builder.ts'
import { complexityOfPage, namedAfter, pageOf, sliceAfter } from '../connections.ts'
import { isFailure } from '../failures.ts'
import { catchUpWith } from '../read-store.ts'
import { type ShownToken, createToken, listTokens, revokeToken, showStored } from '../tokens.ts'
import { enumsOf } from './enums.ts'

/** Adds the admin tokens, and the acts that create and revoke them. */
export function addAdminTokens(builder: AdminBuilder): void {
  const token = addType(builder)
  builder.queryField('adminTokens', (t) =>
    t.connection(
      {
        type: token,
        description:
          'The admin tokens, in the order of their ids; also revoked and expired ones. `extensions.incomplete` names ' +
          'the field while the store is away: then the list is what was known last.',
        authScopes: { viewer: true },
        complexity: complexityOfPage,
        async resolve(_root, page, context) {
          const { services } = context
          await catchUpWith(context, 'adminTokens', services.tokens)
          return pageOf(page, idOf, (part) => sliceAfter(listTokens(services), idOf, part))
        },
      },
      ...namedAfter('AdminToken'),
    ),
  )
  addCreate(builder, token)
  addRevoke(builder, token)
}

const idOf = ({ id }: ShownToken) => id

function addType(builder: AdminBuilder) {
  const origin = builder.enumType('TokenOrigin', {
    description: 'What the file and the environment have, the API does not change.',
    values: ['FILE', 'ENVIRONMENT', 'STORE'] as const,
  })
  const state = builder.enumType('TokenState', {
    description: 'UNREADABLE: the record is damaged, so the token is never accepted.',
    values: ['ACTIVE', 'EXPIRED', 'REVOKED', 'UNREADABLE'] as const,
  })
  const time = { type: 'DateTime', nullable: true } as const
  return builder.objectRef<ShownToken>('AdminToken').implement({
    description: 'A token of the admin API. Its secret is never returned.',
    authScopes: { viewer: true },
    fields: (t) => ({
      id: t.exposeID('id'),
      origin: t.expose('origin', { type: origin }),
      state: t.expose('state', { type: state }),
      problem: t.exposeString('problem', {
        nullable: true,
        description: 'The store has a token of this id too. Null: it has no token of this id.',
      }),
      role: t.expose('role', {
        type: enumsOf(builder).role,
        nullable: true,
        description: 'Null if the record is damaged.',
      }),
      createdAt: t.expose('createdAt', time),
      createdBy: t.exposeString('createdBy', {
        nullable: true,
        description: 'The kind and the id of its creator, such as token:ops.',
      }),
      expiresAt: t.expose('expiresAt', { ...time, description: 'Null: never.' }),
      lastUsedAt: t.expose('lastUsedAt', {
        ...time,
        description: 'To the minute. Null: never, or not a token of the store.',
      }),
      revokedAt: t.expose('revokedAt', time),
    }),
  })
}

type TokenRef = ReturnType<typeof addType>

function addCreate(builder: AdminBuilder, token: TokenRef): void {
  const input = builder.inputType('CreateAdminTokenInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      role: t.field({ type: enumsOf(builder).role, required: true }),
      expiresAt: t.field({ type: 'DateTime', description: 'Default: in 90 days.' }),
      reason: t.string({ description: 'For the audit record.' }),
    }),
  })
  const success = builder
    .objectRef<{ token: ShownToken; secret: string }>('CreateAdminTokenSuccess')
    .implement({
      authScopes: { admin: true },
      fields: (t) => ({
        token: t.field({ type: token, nullable: true, resolve: (one) => one.token }),
        secret: t.exposeString('secret', {
          description: 'The token itself. No other answer has it.',
        }),
      }),
    })
  addAct(builder, {
    name: 'createAdminToken',
    description: 'Creates an admin token. All processes accept it within two seconds.',
    role: 'admin',
    action: 'admin-token.create',
    input,
    success,
    target: ({ id }) => ({ type: 'admin-token', id }),
    async run(wanted, { services, principal }) {
      const result = await createToken(services, principal, wanted)
      if (isFailure(result)) return result
      const { role, expiresAt } = result.token
      return {
        done: { token: showStored(result.token, services.now()), secret: result.secret },
        changes: { after: { role, expiresAt: new Date(expiresAt).toISOString() } },
      }
    },
  })
}

function addRevoke(builder: AdminBuilder, token: TokenRef): void {
  const input = builder.inputType('RevokeAdminTokenInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ required: true, description: 'For the audit record.' }),
    }),
  })
  const success = builder.objectRef<{ token: ShownToken }>('RevokeAdminTokenSuccess').implement({
    authScopes: { admin: true },
    fields: (t) => ({
      token: t.field({ type: token, nullable: true, resolve: (one) => one.token }),
    }),
  })
  addAct(builder, {
    name: 'revokeAdminToken',
    description: 'Revokes an admin token permanently, in all processes within two seconds.',
    role: 'admin',
    action: 'admin-token.revoke',
    input,
    success,
    target: ({ id }) => ({ type: 'admin-token', id }),
    async run({ id }, { services, principal }) {
      const result = await revokeToken(services, principal, id)
      if (isFailure(result)) return result
      return { done: result, changes: { before: { revoked: false }, after: { revoked: true } } }
    },
  })
}
